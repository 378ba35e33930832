/* host_shell.c: command line, session, keyboard and loop of the sample hosts. See host_shell.h. */
#define _POSIX_C_SOURCE 200809L
#include "host_shell.h"
#include "host_invite.h"
#include "host_person.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define STATUS_INTERVAL (100 * HOST_MILLISECOND)
#define ACTIVITY_IDENTIFIER "org.unisono.sample.watch"

static volatile sig_atomic_t interrupted; /* by Ctrl-C or a service manager: leave properly */

static void on_signal(int number) {
  (void)number;
  interrupted = 1;
}

/* ---- Small helpers -------------------------------------------------------------------------------------- */

int64_t host_now(host_shell *shell) { return unisono_context_host_time(shell->context); }

int64_t host_line(int64_t item_time, int64_t host_time, double rate, int64_t at) {
  return item_time + (int64_t)(rate * (double)(at - host_time));
}

int32_t host_check(int32_t status, const char *what) {
  if (status < 0) fprintf(stderr, "%s: %s (%s)\n", what, unisono_last_error(), unisono_strerror(status));
  return status;
}

void host_changed(host_shell *shell) { shell->status_changed = 1; }

/* ---- What the group tells us ---------------------------------------------------------------------------- */

/* The item travels as the payload of the activity, so whoever joins knows what is being watched. */
static unisono_activity activity_for(const char *item) {
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  activity.type = UNISONO_ACTIVITY_WATCH_TOGETHER;
  activity.identifier = ACTIVITY_IDENTIFIER;
  activity.title = "Watching together";
  activity.payload = item;
  activity.payload_length = strlen(item);
  return activity;
}

void host_move_to_item(host_shell *shell, const char *item) {
  if (item[0] == '\0' || strcmp(shell->item, item) == 0) return;
  if (shell->player->load != NULL && !shell->player->load(shell, item)) return;
  snprintf(shell->item, sizeof shell->item, "%s", item);
  host_changed(shell);
  if (shell->media != NULL) return; /* the player layer asks for the group's state of it by itself */
  /* No proposal: paused at 0, if the group has no state for this item yet. */
  host_check(unisono_coordinator_transition_to_item(shell->coordinator, item, NULL), "transition_to_item");
}

static void follow_activity(host_shell *shell, const unisono_activity *activity) {
  char item[sizeof shell->item];
  if (activity == NULL || activity->payload_length == 0 || activity->payload_length >= sizeof item) return;
  memcpy(item, activity->payload, activity->payload_length);
  item[activity->payload_length] = '\0';
  host_move_to_item(shell, item);
}

static void on_activity(void *user, const unisono_activity_event *event) {
  host_shell *shell = user;
  if (shell->joined) follow_activity(shell, event->activity);
}

static void on_joined(host_shell *shell) {
  shell->joined = 1;
  if (shell->first_item != NULL) {
    host_move_to_item(shell, shell->first_item);
    return;
  }
  const unisono_activity *activity = NULL;
  if (host_check(unisono_session_activity(shell->session, &activity), "activity") < 0) return;
  follow_activity(shell, activity);
  unisono_free(activity);
}

static void on_state(void *user, const unisono_session_state_event *event) {
  host_shell *shell = user;
  host_changed(shell);
  telling_state(&shell->told, shell->session, event);
  if (event->state == UNISONO_SESSION_JOINED && !shell->joined) on_joined(shell);
  if (event->state == UNISONO_SESSION_INVALIDATED) shell->joined = 0;
}

static void on_participants(void *user, const unisono_participants_change *change) {
  (void)change;
  host_changed(user); /* the status line takes a fresh snapshot */
}

static void on_chat(void *user, const unisono_chat_event *event) { telling_chat(&((host_shell *)user)->told, event); }

static void on_attachment(void *user, const unisono_attachment_event *event) {
  telling_attachment(&((host_shell *)user)->told, event);
}

static void on_schedule(void *user, const unisono_schedule_event *event) { telling_schedule(&((host_shell *)user)->told, event); }

static void on_notice(void *user, const unisono_notice_event *event) { telling_notice(&((host_shell *)user)->told, event); }

static void on_invite(void *user, const unisono_invite_event *event) {
  host_shell *shell = user;
  (void)event;
  telling_invite_changed(&shell->told, shell->session);
}

static void show(void *user, const char *sentence) {
  host_shell *shell = user;
  if (shell->player->notice != NULL) shell->player->notice(shell, sentence);
}

/* Of a host that drives its player itself; the player layer has its own telling. */
static void on_timing(void *user, const unisono_timing_change *change) {
  (void)change; /* the status line asks for whom the group waits */
  host_changed(user);
}

static void on_suspensions(void *user, const unisono_suspensions_change *change) {
  (void)change;
  host_changed(user);
}

static void on_error(void *user, const unisono_error_event *event) {
  (void)user;
  fprintf(stderr, "%s: %s (%s)\n", event->operation, event->message, unisono_strerror(event->status));
}

static void on_player(void *user, const unisono_player_event *event) {
  (void)event;
  host_changed(user);
}

static void on_log(void *user, const unisono_log_event *event) {
  (void)user;
  fprintf(stderr, "unisono: %s\n", event->message);
}

/* ---- What we tell the group ------------------------------------------------------------------------------ */

void host_report(host_shell *shell) {
  int64_t now = host_now(shell), position = shell->player->position(shell, now);
  if (shell->item[0] == '\0' || shell->media != NULL) return; /* the player layer reports by itself */
  unisono_playback_report report = UNISONO_PLAYBACK_REPORT_INIT;
  report.stalled = shell->player->stalled != NULL && shell->player->stalled(shell);
  report.rate = shell->player->rate == NULL ? 0 : shell->player->rate(shell);
  if (position != UNISONO_TIME_INVALID) {
    report.item_time = position;
    report.host_time = now;
    report.flags = UNISONO_HAS_POSITION;
  }
  host_check(unisono_coordinator_report(shell->coordinator, &report), "report");
}

/* ---- The keyboard --------------------------------------------------------------------------------------- */

static const char COMMANDS[] =
    "commands: play, pause, seek S, undo, say TEXT, react TEXT, history, who, rate R, suspend REASON, unsuspend [S], item ID, invite, close, open, leave, end (for all), quit, help,\n"
    "          ready, unready, start-policy none|first|every [S] [pause], go [NAME], at HH:MM[:SS]|+S|off, countdown,\n"
    "          list, add ITEM, next, drop N, move N TO, select N, copy PATH, cut S, attach PATH, attachments, load N PATH\n";

static void write_invite(host_shell *shell) {
  char invite[4096];
  size_t length = sizeof invite;
  if (host_check(unisono_session_invite(shell->session, invite, &length), "invite") < 0) return;
  if (host_invite_write(shell->invite_file, invite) != 0)
    fprintf(stderr, "--invite-file %s: %s\n", shell->invite_file, strerror(errno));
}

static void suspend(host_shell *shell, const char *reason) {
  if (shell->suspension_count == HOST_SUSPENSIONS) {
    fprintf(stderr, "suspend: %d suspensions are open, end one first\n", HOST_SUSPENSIONS);
    return;
  }
  if (reason[0] == '\0') reason = UNISONO_REASON_USER_IS_CHANGING_CURRENT_TIME;
  unisono_suspension **slot = &shell->suspensions[shell->suspension_count];
  if (host_check(unisono_coordinator_begin_suspension(shell->coordinator, reason, slot), "suspend") == UNISONO_OK)
    shell->suspension_count++;
}

/* With a position: everybody goes there. Without: we go back to where the group is. */
static void unsuspend(host_shell *shell, const char *position) {
  if (shell->suspension_count == 0) {
    fprintf(stderr, "unsuspend: no suspension is open\n");
    return;
  }
  unisono_suspension *suspension = shell->suspensions[--shell->suspension_count];
  if (position[0] == '\0') host_check(unisono_suspension_end(suspension), "unsuspend");
  else host_check(unisono_suspension_end_proposing(suspension, (int64_t)(atof(position) * 1e9)), "unsuspend");
  unisono_suspension_destroy(suspension);
}

static void change_item(host_shell *shell, const char *item) {
  if (item[0] == '\0' || strlen(item) >= sizeof shell->item) {
    fprintf(stderr, "item: give an identifier of 1 to %zu bytes\n", sizeof shell->item - 1);
    return;
  }
  host_move_to_item(shell, item);
  if (!shell->joined) return;
  unisono_activity activity = activity_for(item); /* so that the others move as well, and later ones too */
  host_check(unisono_session_activate(shell->session, &activity), "activate");
}

/* Nanoseconds from now until a time of day, of today or tomorrow, or "+" and seconds; -1: it is neither. */
static int64_t until(const char *text) {
  int hour = 0, minute = 0, second = 0, end = 0;
  if (text[0] == '+') {
    const double seconds = atof(text + 1);
    return seconds > 0 && seconds < 7 * 86400 ? (int64_t)(seconds * 1e9) : -1;
  }
  const int read = sscanf(text, "%2d:%2d%n:%2d%n", &hour, &minute, &end, &second, &end);
  if (read < 2 || text[end] != '\0' || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return -1;
  struct timespec now;
  struct tm day;
  clock_gettime(CLOCK_REALTIME, &now);
  localtime_r(&now.tv_sec, &day);
  for (int days = 0; days < 2; days++) {
    struct tm then = day;
    then.tm_mday += days;
    then.tm_hour = hour;
    then.tm_min = minute;
    then.tm_sec = second;
    then.tm_isdst = -1;
    const time_t instant = mktime(&then);
    if (instant > now.tv_sec) return (int64_t)(instant - now.tv_sec) * 1000000000 - now.tv_nsec;
  }
  return -1;
}

/* "at 20:15", "at +90" or "at off": everybody begins then. */
static void schedule(host_shell *shell, const char *argument) {
  if (shell->session == NULL) return;
  if (strcmp(argument, "off") == 0) {
    host_check(unisono_session_cancel_start(shell->session), "at");
    return;
  }
  const int64_t ahead = until(argument);
  if (ahead < 0) {
    fprintf(stderr, "at: give a time of day (20:15 or 20:15:30), + and seconds, or off\n");
    return;
  }
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const int64_t calendar = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec + ahead;
  host_check(unisono_session_schedule_start(shell->session, shell->item, host_now(shell) + ahead, calendar), "at");
}

static void countdown(host_shell *shell) {
  const unisono_scheduled_start *start = NULL;
  if (shell->session == NULL || host_check(unisono_session_scheduled_start(shell->session, &start), "countdown") < 0) return;
  if (start == NULL) printf("nothing is scheduled\n");
  else printf("%.0f s until %s begins\n", (double)(start->host_time - host_now(shell)) / 1e9, start->item);
  unisono_free(start);
}

static void say(host_shell *shell, const char *text) {
  if (shell->session != NULL) host_check(unisono_session_chat(shell->session, text, NULL), "say");
}

static void react(host_shell *shell, const char *text) {
  if (shell->session != NULL) host_check(unisono_session_react(shell->session, text), "react");
}

/* One line, without what controls a terminal. */
static void print_plain(const char *text) {
  for (; *text != '\0'; text++) putchar((unsigned char)*text < ' ' || *text == 127 ? ' ' : *text);
}

static void show_history(host_shell *shell) {
  const unisono_chat *chat = NULL;
  if (shell->session == NULL || host_check(unisono_session_chat_history(shell->session, &chat), "history") < 0) return;
  for (size_t i = 0; i < chat->count; i++) {
    const unisono_chat_entry *entry = chat->items[i];
    printf("  %s: ", entry->name != NULL ? entry->name : "Somebody");
    print_plain(entry->text);
    putchar('\n');
  }
  fflush(stdout);
  unisono_free(chat);
}

static int by_device_name(const void *one, const void *other) {
  return strcmp((*(const unisono_participant *const *)one)->device_name, (*(const unisono_participant *const *)other)->device_name);
}

static void print_devices(const unisono_participant **devices, size_t count) {
  qsort(devices, count, sizeof *devices, by_device_name);
  for (size_t i = 0; i < count; i++) {
    printf("%s", i == 0 ? " (" : ", ");
    print_plain(devices[i]->device_name);
  }
  printf(")");
}

/* Persons rather than devices: each once, with its devices, whether it says that it is ready, and by how much its cut is another. */
static void show_who(host_shell *shell) {
  const unisono_participants *all = NULL;
  if (shell->session == NULL || host_check(unisono_session_participants(shell->session, &all), "who") < 0) return;
  const unisono_participant **devices = calloc(all->count + 1, sizeof *devices);
  for (size_t i = 0; devices != NULL && i < all->count; i++) {
    const unisono_participant *first = all->items[i];
    size_t before = 0, count = 0;
    int ready = 0, not_ready = 0;
    int64_t cut = 0;
    for (size_t j = 0; j < all->count; j++) {
      const unisono_participant *one = all->items[j];
      if (memcmp(&one->person, &first->person, sizeof one->person) != 0) continue;
      before += j < i;
      devices[count++] = one;
      ready |= one->readiness == UNISONO_READINESS_READY;
      not_ready |= one->readiness == UNISONO_READINESS_NOT_READY;
      if (cut == 0) cut = one->cut_offset;
    }
    if (before > 0) continue; /* the person was shown with its first device */
    print_plain(first->display_name);
    if (count > 1) print_devices(devices, count);
    printf("%s", not_ready ? ", not ready" : ready ? ", ready" : "");
    if (cut != 0) printf(", cut %.1f s", (double)cut / 1e9);
    printf("\n");
  }
  fflush(stdout);
  free(devices);
  unisono_free(all);
}

/* Which file this participant plays of the current entry. */
static void set_copy(host_shell *shell, const char *path) {
  const unisono_playlist *list = NULL;
  unisono_copy copy = UNISONO_COPY_INIT;
  if (shell->session == NULL || host_check(unisono_session_playlist(shell->session, &list), "copy") < 0) return;
  if (host_check(unisono_copy_of_file(path, &copy), "copy") == UNISONO_OK)
    host_check(unisono_session_set_copy(shell->session, &list->current, &copy), "copy");
  unisono_free(list);
}

/* The Nth entry of the playlist, from 1; 0: it has none of that number, which `command` says. */
static int entry_of(host_shell *shell, const char *command, const char *number, unisono_entry_id *id) {
  const unisono_playlist *list = NULL;
  const long wanted = strtol(number, NULL, 10);
  if (host_check(unisono_session_playlist(shell->session, &list), "list") < 0) return 0;
  const int found = wanted >= 1 && (size_t)wanted <= list->count;
  if (found) *id = list->items[wanted - 1]->id;
  unisono_free(list);
  if (!found) fprintf(stderr, "%s: the playlist has nothing of this number; try list\n", command);
  return found;
}

static void list_entries(host_shell *shell) {
  const unisono_playlist *list = NULL;
  if (host_check(unisono_session_playlist(shell->session, &list), "list") < 0) return;
  if (list->count == 0) printf("the playlist is empty\n");
  for (size_t i = 0; i < list->count; i++) {
    const unisono_playlist_entry *entry = list->items[i];
    const char *name = entry->title != NULL ? entry->title : entry->item;
    const int is_current = memcmp(&entry->id, &list->current, sizeof entry->id) == 0;
    printf("%c %zu ", is_current ? '>' : ' ', i + 1);
    print_plain(name);
    putchar('\n');
  }
  fflush(stdout);
  unisono_free(list);
}

static void attach(host_shell *shell, const char *path) {
  if (shell->session != NULL) host_check(unisono_session_attach(shell->session, path, NULL, NULL, NULL), "attach");
}

/* As they are counted for `load`. */
static void list_attachments(host_shell *shell) {
  const unisono_attachments *list = NULL;
  if (shell->session == NULL || unisono_session_attachments(shell->session, &list) < 0) return;
  for (size_t i = 0; i < list->count; i++)
    printf("%zu %s, %.1f MB%s\n", i + 1, list->items[i]->name, (double)list->items[i]->length / 1e6,
           list->items[i]->is_available ? ", here" : "");
  fflush(stdout);
  unisono_free(list);
}

/* 1: it was a command of the playlist. */
static int run_playlist_command(host_shell *shell, const char *word, const char *argument) {
  static const char *const WORDS[] = {"list", "add", "next", "drop", "move", "select"};
  size_t which = 0;
  while (which < sizeof WORDS / sizeof WORDS[0] && strcmp(word, WORDS[which]) != 0) which++;
  if (which == sizeof WORDS / sizeof WORDS[0]) return 0;
  if (shell->session == NULL) {
    fprintf(stderr, "%s: there is no session yet\n", word);
    return 1;
  }
  unisono_entry_id id, before;
  memset(&before, 0, sizeof before);
  switch (which) {
  case 0: list_entries(shell); break;
  case 1: {
    unisono_playlist_entry entry = UNISONO_PLAYLIST_ENTRY_INIT;
    entry.item = argument;
    host_check(unisono_session_add_entry(shell->session, &entry, NULL, NULL), word);
    break;
  }
  case 2: host_check(unisono_session_next_entry(shell->session, NULL), word); break;
  case 3: if (entry_of(shell, word, argument, &id)) host_check(unisono_session_remove_entry(shell->session, &id), word); break;
  case 4: {
    /* To where the entry of the second number stands now; without one, to the end. */
    const char *place = argument + strcspn(argument, " \t");
    place += strspn(place, " \t");
    if (entry_of(shell, word, argument, &id) && (*place == '\0' || entry_of(shell, word, place, &before)))
      host_check(unisono_session_move_entry(shell->session, &id, &before), word);
    break;
  }
  default: if (entry_of(shell, word, argument, &id)) host_check(unisono_session_select_entry(shell->session, &id), word);
  }
  return 1;
}

static void set_rate(host_shell *shell, double rate) {
  if (shell->media != NULL) host_check(unisono_player_set_rate(shell->media, rate, 0), "rate");
  else host_check(unisono_coordinator_coordinate_rate_change(shell->coordinator, rate, 0), "rate");
}

static void on_playlist(void *user, const unisono_playlist_event *event) {
  host_shell *shell = user;
  if (event->current_changed && event->item != NULL && strlen(event->item) < sizeof shell->item) {
    const unisono_participant_id nobody = {{0}};
    char sentence[HOST_ITEM + 32];
    host_move_to_item(shell, event->item);
    snprintf(sentence, sizeof sentence, "The group is at %s", event->item);
    if (strcmp(shell->item, event->item) == 0) telling_say(&shell->told, sentence); /* else the player has said what it lacks */
    /* Who took the group there, as the one before had ended, plays on, for all. */
    if (event->by_end && memcmp(&event->originator, &nobody, sizeof nobody) == 0) set_rate(shell, 1);
  }
  host_changed(shell);
}

static void on_copy(void *user, const unisono_copy_event *event) {
  if (event->differs != 0) telling_say(&((host_shell *)user)->told, event->message);
}

/* "2 /tmp/film.vtt" */
static void load(host_shell *shell, char *argument) {
  char *path = argument;
  unsigned long number = strtoul(argument, &path, 10);
  const unisono_attachments *list = NULL;
  path += strspn(path, " \t");
  if (shell->session == NULL || unisono_session_attachments(shell->session, &list) < 0) return;
  if (number < 1 || number > list->count || path[0] == '\0')
    fprintf(stderr, "load: give a number of the list that `attachments` prints, and a path\n");
  else host_check(unisono_session_load_attachment(shell->session, &list->items[number - 1]->id, path), "load");
  unisono_free(list);
}

/* Whether whoever has the invite is let in. */
static void set_closed(host_shell *shell, int32_t closed) {
  if (shell->session != NULL) host_check(unisono_session_set_closed(shell->session, closed), closed ? "close" : "open");
}

static void leave(host_shell *shell) {
  if (shell->session != NULL) host_check(unisono_session_leave(shell->session), "leave");
}

static void end(host_shell *shell) {
  if (shell->session != NULL) host_check(unisono_session_end(shell->session), "end");
}

void host_shell_quit(host_shell *shell) { shell->finished = 1; }

static void seek(host_shell *shell, int64_t item_time) {
  if (shell->media != NULL) host_check(unisono_player_seek(shell->media, item_time, 0, 0, NULL), "seek");
  else host_check(unisono_coordinator_coordinate_seek(shell->coordinator, item_time, 0), "seek");
}

/* By how many seconds this participant's copy of the current entry is ahead of the group's item time. */
static void set_cut(host_shell *shell, const char *argument) {
  char *end;
  const double offset = strtod(argument, &end);
  if (end == argument || *end != '\0' || !(offset > -1e9 && offset < 1e9)) fprintf(stderr, "cut: give seconds\n");
  else if (shell->session != NULL) host_check(unisono_session_set_cut_offset(shell->session, NULL, (int64_t)(offset * 1e9)), "cut");
}

static void say_ready(host_shell *shell, unisono_readiness readiness, const char *command) {
  host_check(unisono_coordinator_set_ready(shell->coordinator, readiness), command);
}

/* start-policy WHEN [SECONDS] [pause]: whether starts wait for people, for how long, and whether somebody's leaving pauses. */
static void set_start_policy(host_shell *shell, const char *argument) {
  unisono_start_policy policy = UNISONO_START_POLICY_INIT;
  char when[8] = "", leaving[8] = "";
  double limit = 0;
  int count = sscanf(argument, "%7s %lf %7s", when, &limit, leaving);
  if (count == 1) sscanf(argument, "%*s %7s", leaving);
  if (strcmp(when, "first") == 0) policy.start = UNISONO_START_FIRST_WHEN_READY;
  else if (strcmp(when, "every") == 0) policy.start = UNISONO_START_WHEN_READY;
  else if (strcmp(when, "none") != 0) {
    fprintf(stderr, "start-policy: none, first or every; then seconds, if you like; then pause, if leaving is to pause\n");
    return;
  }
  policy.limit = (int64_t)(limit * 1e9);
  if (strcmp(leaving, "pause") == 0) policy.leaving = UNISONO_LEAVING_PAUSE;
  host_check(unisono_coordinator_set_start_policy(shell->coordinator, &policy), "start-policy");
}

/* go: whoever is not ready is waited for no more. go NAME: that one is not. */
static void go_on(host_shell *shell, const char *name) {
  if (name[0] == '\0') {
    host_check(unisono_coordinator_start_without(shell->coordinator, NULL, 0), "go");
    return;
  }
  const unisono_participants *others = NULL;
  if (host_check(unisono_coordinator_other_participants(shell->coordinator, &others), "go") < 0) return;
  size_t index = 0;
  while (index < others->count && strcmp(others->items[index]->display_name, name) != 0) index++;
  if (index == others->count) fprintf(stderr, "go: nobody here is called %s\n", name);
  else host_check(unisono_coordinator_start_without(shell->coordinator, &others->items[index]->id, 1), "go");
  unisono_free(others);
}

static void run_command(host_shell *shell, char *line) {
  char *word = line + strspn(line, " \t\r");
  char *argument = word + strcspn(word, " \t\r");
  if (*argument != '\0') *argument++ = '\0';
  argument += strspn(argument, " \t\r");
  argument[strcspn(argument, "\r\n")] = '\0';
  if (word[0] == '\0') return;
  if (strcmp(word, "play") == 0) set_rate(shell, argument[0] == '\0' ? 1 : atof(argument));
  else if (strcmp(word, "pause") == 0) set_rate(shell, 0);
  else if (strcmp(word, "rate") == 0) set_rate(shell, atof(argument));
  else if (strcmp(word, "seek") == 0) seek(shell, (int64_t)(atof(argument) * 1e9));
  else if (strcmp(word, "undo") == 0) host_check(unisono_coordinator_undo_jump(shell->coordinator), "undo");
  else if (strcmp(word, "say") == 0) say(shell, argument);
  else if (strcmp(word, "react") == 0) react(shell, argument);
  else if (strcmp(word, "history") == 0) show_history(shell);
  else if (strcmp(word, "who") == 0) show_who(shell);
  else if (strcmp(word, "copy") == 0) set_copy(shell, argument);
  else if (strcmp(word, "cut") == 0) set_cut(shell, argument);
  else if (strcmp(word, "ready") == 0) say_ready(shell, UNISONO_READINESS_READY, "ready");
  else if (strcmp(word, "unready") == 0) say_ready(shell, UNISONO_READINESS_NOT_READY, "unready");
  else if (strcmp(word, "start-policy") == 0) set_start_policy(shell, argument);
  else if (strcmp(word, "go") == 0) go_on(shell, argument);
  else if (strcmp(word, "attach") == 0) attach(shell, argument);
  else if (strcmp(word, "attachments") == 0) list_attachments(shell);
  else if (strcmp(word, "load") == 0) load(shell, argument);
  else if (strcmp(word, "at") == 0) schedule(shell, argument);
  else if (strcmp(word, "countdown") == 0) countdown(shell);
  else if (strcmp(word, "suspend") == 0) suspend(shell, argument);
  else if (strcmp(word, "unsuspend") == 0) unsuspend(shell, argument);
  else if (strcmp(word, "item") == 0) change_item(shell, argument);
  else if (run_playlist_command(shell, word, argument)) (void)0;
  else if (strcmp(word, "invite") == 0) telling_invite(&shell->told, shell->session);
  else if (strcmp(word, "close") == 0) set_closed(shell, 1);
  else if (strcmp(word, "open") == 0) set_closed(shell, 0);
  else if (strcmp(word, "leave") == 0) leave(shell);
  else if (strcmp(word, "end") == 0) end(shell);
  else if (strcmp(word, "quit") == 0) host_shell_quit(shell);
  else if (strcmp(word, "help") == 0) printf("%s%s", COMMANDS, shell->player->usage);
  else if (shell->player->command == NULL || !shell->player->command(shell, word, argument))
    fprintf(stderr, "%s: not a command; try help\n", word);
  host_changed(shell);
}

/* Reads what is there and runs each complete line. The end of the input means quit. */
static void read_keyboard(host_shell *shell) {
  size_t room = sizeof shell->input - shell->input_length;
  ssize_t n = read(STDIN_FILENO, shell->input + shell->input_length, room);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n <= 0) {
    shell->read_keyboard = 0;
    host_shell_quit(shell);
    return;
  }
  shell->input_length += (size_t)n;
  char *start = shell->input, *end;
  while ((end = memchr(start, '\n', shell->input_length - (size_t)(start - shell->input))) != NULL) {
    *end = '\0';
    run_command(shell, start);
    start = end + 1;
  }
  shell->input_length -= (size_t)(start - shell->input);
  memmove(shell->input, start, shell->input_length);
  if (shell->input_length == sizeof shell->input) {
    fprintf(stderr, "a line of %zu bytes and more is not a command\n", sizeof shell->input);
    shell->input_length = 0;
  }
}

/* ---- The command line ----------------------------------------------------------------------------------- */

static void print_usage(const char *program, const host_player *player, FILE *out) {
  fprintf(out,
          "usage: %s host [--hub LINE] [--listen ADDRESS:PORT] [--item ID] [options]\n"
          "       %s join INVITE [--item ID] [options]\n"
          "INVITE: as printed; @FILE: the first line of a file, -: of the input, which others on this machine cannot read.\n"
          "options: --name NAME, --device NAME, --person SECRET (16 characters, the same on all devices of one person),\n"
          "         --status FILE or --status-fd N (one JSON line 10 times a second and at each change),\n"
          "         --invite-file FILE, --snap (a pause of this one takes everybody to its place),\n"
          "         --no-stdin, --verbose, --help\n%s%s",
          program, program, player->usage, COMMANDS);
}

static int take_person(host_shell *shell, const char *secret) {
  if (strlen(secret) != sizeof shell->person) {
    fprintf(stderr, "--person: give %zu characters, the same on all devices of one person\n", sizeof shell->person);
    return 2;
  }
  memcpy(shell->person, secret, sizeof shell->person);
  return 0;
}

static int open_status(host_shell *shell, const char *path) {
  shell->status_fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (shell->status_fd < 0) fprintf(stderr, "--status %s: %s\n", path, strerror(errno));
  return shell->status_fd >= 0 ? 0 : 2;
}

int host_shell_options(host_shell *shell, const host_player *player, int argc, char **argv) {
  shell->player = player;
  shell->told.show = show;
  shell->told.user = shell;
  shell->name = host_person(); /* what the others see, unless --name says otherwise */
  if (shell->name == NULL || shell->name[0] == '\0') shell->name = "somebody";
  shell->player_fd = shell->status_fd = -1;
  shell->read_keyboard = 1;
  setvbuf(stdout, NULL, _IOLBF, 0);
  int i = 2;
  if (argc >= 2 && strcmp(argv[1], "host") == 0) shell->hosting = 1;
  else if (argc >= 3 && strcmp(argv[1], "join") == 0) {
    shell->invite = host_invite_read(argv[i++]);
    if (shell->invite == NULL) return 2;
  } else {
    int help = argc >= 2 && strcmp(argv[1], "--help") == 0;
    print_usage(argv[0], player, help ? stdout : stderr);
    return help ? -1 : 2;
  }
  while (i < argc) {
    const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    int taken = 2, status = 0;
    if (strcmp(word, "--help") == 0) {
      print_usage(argv[0], player, stdout);
      return -1;
    }
    if (strcmp(word, "--no-stdin") == 0) shell->read_keyboard = 0, taken = 1;
    else if (strcmp(word, "--verbose") == 0) shell->verbose = taken = 1;
    else if (strcmp(word, "--snap") == 0) shell->snap = taken = 1;
    else if (value != NULL && strcmp(word, "--invite-file") == 0) shell->invite_file = value;
    else if (value != NULL && strcmp(word, "--name") == 0) shell->name = value;
    else if (value != NULL && strcmp(word, "--device") == 0) shell->device = value;
    else if (value != NULL && strcmp(word, "--person") == 0) status = take_person(shell, value);
    else if (value != NULL && strcmp(word, "--hub") == 0) shell->hub = value;
    else if (value != NULL && strcmp(word, "--listen") == 0) shell->listen = value;
    else if (value != NULL && strcmp(word, "--item") == 0) shell->first_item = value;
    else if (value != NULL && strcmp(word, "--status-fd") == 0) shell->status_fd = atoi(value);
    else if (value != NULL && strcmp(word, "--status") == 0) status = open_status(shell, value);
    else taken = player->option == NULL ? 0 : player->option(shell, word, value);
    if (status != 0) return status;
    if (taken == 0) {
      fprintf(stderr, "%s: not an option, or its value is missing; try --help\n", word);
      return 2;
    }
    i += taken;
  }
  return 0;
}

/* ---- Opening, running, closing -------------------------------------------------------------------------- */

static int32_t open_session(host_shell *shell) {
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  callbacks.state = on_state;
  callbacks.activity = on_activity;
  callbacks.participants = on_participants;
  callbacks.notice = on_notice;
  callbacks.chat = on_chat;
  callbacks.playlist = on_playlist;
  callbacks.copy = on_copy;
  callbacks.attachment = on_attachment;
  callbacks.schedule = on_schedule;
  callbacks.invite_changed = on_invite;
  callbacks.error = on_error;
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  hub.listen = &shell->listen;
  hub.listen_count = 1;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  options.display_name = shell->name;
  if (!shell->hosting)
    return unisono_session_open(shell->context, shell->invite, &options, &callbacks, shell, &shell->session);
  unisono_activity activity = activity_for(shell->first_item == NULL ? "sample" : shell->first_item);
  options.activity = &activity;
  options.hub = shell->hub;
  if (shell->listen != NULL && shell->hub == NULL) options.hub_options = &hub;
  return unisono_session_host(shell->context, &options, &callbacks, shell, &shell->session);
}

/* Everything is copied by the library, so the structs may live on this stack. */
static int32_t open_coordinator(host_shell *shell, const unisono_playback_delegate *delegate) {
  if (delegate == NULL) {
    unisono_player_callbacks callbacks = UNISONO_PLAYER_CALLBACKS_INIT;
    callbacks.time_control = callbacks.rate_changed = callbacks.time_jumped = callbacks.item_state = on_player;
    callbacks.error = on_error;
    int32_t status = host_check(shell->player->open(shell, &callbacks), "player");
    if (status < 0) return status;
    return unisono_player_coordinator(shell->media, &shell->coordinator);
  }
  unisono_playback_delegate all = *delegate;
  all.timing_changed = on_timing;
  all.suspensions_changed = on_suspensions;
  all.error = on_error;
  return host_check(unisono_coordinator_create(shell->context, &all, shell, &shell->coordinator), "coordinator");
}

static int32_t open_all(host_shell *shell, const unisono_playback_delegate *delegate) {
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  options.device_name = shell->device != NULL ? shell->device : shell->name;
  memcpy(options.person, shell->person, sizeof options.person);
  options.log_level = shell->verbose ? UNISONO_LOG_DEBUG : UNISONO_LOG_WARNING;
  unisono_context_callbacks callbacks = UNISONO_CONTEXT_CALLBACKS_INIT;
  callbacks.log = on_log;
  int32_t status = host_check(unisono_context_create(&options, &callbacks, shell, &shell->context), "context");
  if (status < 0) return status;
  status = host_check(open_session(shell), shell->hosting ? "host" : "join");
  if (status < 0) return status;
  status = open_coordinator(shell, delegate);
  if (status < 0) return status;
  status = unisono_coordinator_set_pause_snaps_to_originator(shell->coordinator, shell->snap);
  if (host_check(status, "snap") < 0) return status;
  status = unisono_coordinator_coordinate_with_session(shell->coordinator, shell->session);
  if (host_check(status, "coordinate_with_session") < 0) return status;
  return host_check(unisono_session_join(shell->session), "join");
}

/* Sleeps until the library, the keyboard or the player has something, or the next status line is due. */
static void wait_and_dispatch(host_shell *shell, int library_fd) {
  struct pollfd fds[3] = {{library_fd, POLLIN, 0},
                          {shell->read_keyboard ? STDIN_FILENO : -1, POLLIN, 0},
                          {shell->player_fd, POLLIN, 0}};
  int64_t next = shell->next_status < shell->next_keep ? shell->next_status : shell->next_keep;
  int64_t left = shell->status_changed ? 0 : next - host_now(shell);
  int milliseconds = left <= 0 ? 0 : (int)((left + HOST_MILLISECOND - 1) / HOST_MILLISECOND);
  if (poll(fds, 3, milliseconds) < 0 && errno != EINTR) {
    fprintf(stderr, "poll: %s\n", strerror(errno));
    shell->finished = shell->exit_code = 1;
    return;
  }
  if (interrupted) host_shell_quit(shell);
  if (host_check(unisono_context_poll(shell->context, 0), "poll") < 0) shell->finished = shell->exit_code = 1;
  if (fds[1].revents != 0) read_keyboard(shell);
  if (fds[2].revents != 0) shell->player->readable(shell);
}

static void tick(host_shell *shell) {
  int64_t now = host_now(shell);
  int due = now >= shell->next_status;
  if (now >= shell->next_keep) {
    if (shell->player->keep != NULL) shell->player->keep(shell);
    shell->next_keep = now + (shell->player->keep_interval == 0 ? STATUS_INTERVAL : shell->player->keep_interval);
  }
  if (due) {
    host_report(shell);
    telling_waiting(&shell->told, shell->coordinator, shell->session, now);
  }
  if ((due || shell->status_changed) && shell->status_fd >= 0) host_write_status(shell);
  shell->status_changed = 0;
  if (due) shell->next_status = now + STATUS_INTERVAL;
}

int host_shell_run(host_shell *shell, const unisono_playback_delegate *delegate) {
  signal(SIGPIPE, SIG_IGN); /* whoever reads the status lines may go away */
  signal(SIGINT, on_signal);
  signal(SIGTERM, on_signal);
  if (open_all(shell, delegate) < 0) {
    unisono_context_destroy(shell->context);
    return 1;
  }
  if (shell->hosting) telling_invite(&shell->told, shell->session);
  if (shell->invite_file != NULL) write_invite(shell);
  int fd = host_check(unisono_context_fd(shell->context), "descriptor");
  if (fd < 0) shell->finished = shell->exit_code = 1;
  while (!shell->finished) {
    wait_and_dispatch(shell, fd);
    tick(shell);
  }
  unisono_context_destroy(shell->context); /* says goodbye; ends the session, the coordinator and the suspensions as well */
  return shell->exit_code;
}
