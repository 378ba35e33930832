#include "group_lines.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HELP[] =
    "play, pause, seek S, undo, say TEXT, react TEXT, history, who, ready, unready, start-policy none|first|every [S] [pause], go [NAME], "
    "at +S|off, countdown, list, add ITEM, next, drop N, move N TO, select N, copy PATH, cut S, attach PATH, attachments, load N PATH, "
    "close, open, leave, end, quit";

static void tell(const group_lines *lines, const char *format, ...) {
  char sentence[4096];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  for (char *one = sentence; *one != '\0'; one++)
    if ((unsigned char)*one < ' ' || *one == 0x7f) *one = ' ';
  lines->tell(lines->user, sentence);
}

/* 1: it was taken. What was refused is told, with the word that asked for it. */
static int taken(const group_lines *lines, const char *word, int32_t status) {
  if (status < 0) tell(lines, "%s: %s", word, unisono_last_error());
  return status >= 0;
}

static double seconds(int64_t ns) { return (double)ns / 1e9; }

static int is_none(const uint8_t *bytes) {
  static const uint8_t none[16];
  return memcmp(bytes, none, sizeof none) == 0;
}

/* ---- What the group tells -------------------------------------------------------------------------------------------------- */

static void tell_words(const group_lines *lines, const char *before, const unisono_chat_entry *entry) {
  tell(lines, "%s%s: %s", before, entry->name != NULL ? entry->name : "Somebody", entry->text);
}

static void tell_attachment(const group_lines *lines, const unisono_attachment_event *event) {
  const unisono_attachment *one = event->attachment;
  const uint64_t length = one->length > 0 ? one->length : 1;
  switch (event->change) {
    case UNISONO_ATTACHMENT_ADDED: tell(lines, "Offered: %s, %.1f MB", one->name, (double)one->length / 1e6); break;
    case UNISONO_ATTACHMENT_REMOVED: tell(lines, "Not offered any more: %s", one->name); break;
    case UNISONO_ATTACHMENT_PROGRESS:
      tell(lines, "Loading %s: %d %%", one->name, (int)(100 * event->transferred / length));
      break;
    case UNISONO_ATTACHMENT_LOADED: tell(lines, "Loaded: %s", one->name); break;
    default: tell(lines, "%s: %s", one->name, event->message);
  }
}

static void tell_schedule(const group_lines *lines, const unisono_schedule_event *event) {
  switch (event->change) {
    case UNISONO_SCHEDULE_SET:
    case UNISONO_SCHEDULE_REMAINING: tell(lines, "%s begins in %.0f s", event->start->item, seconds(event->remaining)); break;
    case UNISONO_SCHEDULE_CANCELED: tell(lines, "The start of %s was called off", event->start->item); break;
    case UNISONO_SCHEDULE_DUE: tell(lines, "%s begins", event->start->item); break;
    default: break;
  }
}

static void tell_closed(const group_lines *lines, const unisono_session_state_event *event) {
  const int is_closed = event->closed != 0;
  if (event->state != UNISONO_SESSION_JOINED || is_closed == *lines->is_closed) return;
  *lines->is_closed = is_closed;
  tell(lines, is_closed ? "The group is closed: nobody new is let in" : "The group is open again");
}

void group_lines_hear(const group_lines *lines, const unisono_context_event *event) {
  const unisono_chat_event *chat = unisono_event_chat(event);
  const unisono_copy_event *copy = unisono_event_copy(event);
  const unisono_playlist_event *playlist = unisono_event_playlist(event);
  const unisono_attachment_event *attachment = unisono_event_attachment(event);
  const unisono_schedule_event *schedule = unisono_event_schedule(event);
  const unisono_session_state_event *state = unisono_event_session_state(event);
  if (state != NULL) tell_closed(lines, state);
  if (chat != NULL) tell_words(lines, "", chat->entry);
  if (copy != NULL && copy->differs != 0) tell(lines, "%s", copy->message);
  if (attachment != NULL) tell_attachment(lines, attachment);
  if (schedule != NULL) tell_schedule(lines, schedule);
  if (playlist != NULL && playlist->current_changed && playlist->item != NULL) {
    taken(lines, "refused", unisono_coordinator_transition_to_item(lines->coordinator, playlist->item, NULL));
    tell(lines, "The group is at %s", playlist->item);
  }
}

/* ---- What a person asks ---------------------------------------------------------------------------------------------------- */

/* 1: `text` is a number, and nothing but one. */
static int number(const group_lines *lines, const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  if (end != text && *end == '\0' && isfinite(*out) && fabs(*out) < 9e9) return 1;
  tell(lines, "\"%s\" is no number", text);
  return 0;
}

/* The Nth of `count`, from 1, as an index; -1: there is none. What stands behind the number is `rest`, unless that is NULL. */
static long nth(const group_lines *lines, const char *word, const char *text, size_t count, const char *what, const char **rest) {
  char *end;
  const long found = strtol(text, &end, 10);
  if (end == text || (*end != '\0' && (*end != ' ' || rest == NULL)) || found < 1 || (size_t)found > count) {
    tell(lines, "%s: %s has nothing of this number", word, what);
    return -1;
  }
  while (*end == ' ') end++;
  if (rest != NULL) *rest = end;
  return found - 1;
}

static void seek(const group_lines *lines, const char *argument) {
  double place;
  if (number(lines, argument, &place))
    taken(lines, "seek", unisono_coordinator_coordinate_seek(lines->coordinator, (int64_t)(place * 1e9), 0));
}

static void play(const group_lines *lines, const char *argument) {
  double rate = 1;
  if (*argument == '\0' || number(lines, argument, &rate))
    taken(lines, "play", unisono_coordinator_coordinate_rate_change(lines->coordinator, rate, 0));
}

static void pause_all(const group_lines *lines, const char *argument) {
  (void)argument;
  taken(lines, "pause", unisono_coordinator_coordinate_rate_change(lines->coordinator, 0, 0));
}

static void undo(const group_lines *lines, const char *argument) {
  (void)argument;
  taken(lines, "undo", unisono_coordinator_undo_jump(lines->coordinator));
}

static void say(const group_lines *lines, const char *argument) {
  taken(lines, "say", unisono_session_chat(lines->session, argument, NULL));
}

static void react(const group_lines *lines, const char *argument) {
  taken(lines, "react", unisono_session_react(lines->session, argument));
}

static void history(const group_lines *lines, const char *argument) {
  const unisono_chat *chat;
  (void)argument;
  if (!taken(lines, "history", unisono_session_chat_history(lines->session, &chat))) return;
  for (size_t index = 0; index < chat->count; index++) tell_words(lines, "  ", chat->items[index]);
  unisono_free(chat);
}

static int same_person(const unisono_participant *one, const unisono_participant *other) {
  return memcmp(one->person.bytes, other->person.bytes, sizeof one->person.bytes) == 0;
}

/* Persons rather than devices, whether they say that they are ready, and who has another cut. */
static void who(const group_lines *lines, const char *argument) {
  const unisono_participants *all;
  (void)argument;
  if (!taken(lines, "who", unisono_session_participants(lines->session, &all))) return;
  for (size_t index = 0; index < all->count; index++) {
    const unisono_participant *const person = all->items[index];
    size_t first = 0, devices = 0;
    int is_ready = 0, is_not = 0;
    int64_t cut = 0;
    while (!same_person(all->items[first], person)) first++;
    if (first < index) continue;
    for (size_t other = 0; other < all->count; other++) {
      const unisono_participant *const one = all->items[other];
      if (!same_person(one, person)) continue;
      devices++;
      is_ready |= one->readiness == UNISONO_READINESS_READY;
      is_not |= one->readiness == UNISONO_READINESS_NOT_READY;
      if (cut == 0) cut = one->cut_offset;
    }
    char more[64] = "", cut_text[64] = "";
    if (devices > 1) snprintf(more, sizeof more, " (%zu devices)", devices);
    if (cut != 0) snprintf(cut_text, sizeof cut_text, ", cut %.1f s", seconds(cut));
    tell(lines, "%s%s%s%s", person->display_name, more, is_not ? ", not ready" : is_ready ? ", ready" : "", cut_text);
  }
  unisono_free(all);
}

static void ready(const group_lines *lines, const char *argument) {
  (void)argument;
  taken(lines, "ready", unisono_coordinator_set_ready(lines->coordinator, UNISONO_READINESS_READY));
}

static void unready(const group_lines *lines, const char *argument) {
  (void)argument;
  taken(lines, "unready", unisono_coordinator_set_ready(lines->coordinator, UNISONO_READINESS_NOT_READY));
}

static void start_policy(const group_lines *lines, const char *argument) {
  char rule[16] = "", second[32] = "", third[32] = "";
  unisono_start_policy policy = UNISONO_START_POLICY_INIT;
  double limit = 0;
  sscanf(argument, "%15s %31s %31s", rule, second, third);
  if (strcmp(rule, "none") == 0) policy.start = UNISONO_START_AT_ONCE;
  else if (strcmp(rule, "first") == 0) policy.start = UNISONO_START_FIRST_WHEN_READY;
  else if (strcmp(rule, "every") == 0) policy.start = UNISONO_START_WHEN_READY;
  else {
    tell(lines, "start-policy: none, first or every; then seconds, if you like; then pause, if leaving is to pause");
    return;
  }
  const int pauses = strcmp(second, "pause") == 0 || strcmp(third, "pause") == 0;
  if (second[0] != '\0' && strcmp(second, "pause") != 0 && !number(lines, second, &limit)) return;
  policy.limit = (int64_t)(limit * 1e9);
  policy.leaving = pauses ? UNISONO_LEAVING_PAUSE : UNISONO_LEAVING_GO_ON;
  taken(lines, "start-policy", unisono_coordinator_set_start_policy(lines->coordinator, &policy));
}

/* Whoever is not ready is waited for no more; with a name, that one is not. */
static void go(const group_lines *lines, const char *name) {
  const unisono_participants *all;
  unisono_participant_id id;
  size_t count = 0;
  if (!taken(lines, "go", unisono_session_participants(lines->session, &all))) return;
  for (size_t index = 0; index < all->count && count == 0; index++) {
    if (strcmp(all->items[index]->display_name, name) != 0) continue;
    id = all->items[index]->id;
    count = 1;
  }
  unisono_free(all);
  if (*name != '\0' && count == 0) tell(lines, "nobody here is called %s", name);
  else taken(lines, "go", unisono_coordinator_start_without(lines->coordinator, count > 0 ? &id : NULL, count));
}

/* Everybody who is where this player is begins in so many seconds. */
static void schedule(const group_lines *lines, const char *argument) {
  char item[1024], *end = NULL;
  size_t room = sizeof item;
  if (strcmp(argument, "off") == 0) {
    taken(lines, "at", unisono_session_cancel_start(lines->session));
    return;
  }
  const double ahead = *argument == '+' ? strtod(argument + 1, &end) : 0;
  if (!(ahead > 0 && ahead < 7 * 86400) || *end != '\0') {
    tell(lines, "at: give + and seconds, or off");
    return;
  }
  if (!taken(lines, "at", unisono_coordinator_current_item(lines->coordinator, item, &room))) return;
  const int64_t at = unisono_context_host_time(lines->context) + (int64_t)(ahead * 1e9);
  taken(lines, "at", unisono_session_schedule_start(lines->session, item, at, UNISONO_TIME_INVALID));
}

static void countdown(const group_lines *lines, const char *argument) {
  const unisono_scheduled_start *start;
  (void)argument;
  if (!taken(lines, "countdown", unisono_session_scheduled_start(lines->session, &start))) return;
  if (start == NULL) tell(lines, "nothing is scheduled");
  else tell(lines, "%.0f s until %s begins", seconds(start->host_time - unisono_context_host_time(lines->context)), start->item);
  unisono_free(start);
}

static void list(const group_lines *lines, const char *argument) {
  const unisono_playlist *all;
  (void)argument;
  if (!taken(lines, "list", unisono_session_playlist(lines->session, &all))) return;
  for (size_t index = 0; index < all->count; index++) {
    const unisono_playlist_entry *const one = all->items[index];
    const int is_current = memcmp(one->id.bytes, all->current.bytes, sizeof one->id.bytes) == 0;
    tell(lines, "%s %zu %s", is_current ? ">" : " ", index + 1, one->title != NULL ? one->title : one->item);
  }
  if (all->count == 0) tell(lines, "the playlist is empty");
  unisono_free(all);
}

static void add(const group_lines *lines, const char *item) {
  unisono_playlist_entry entry = UNISONO_PLAYLIST_ENTRY_INIT;
  entry.item = item;
  taken(lines, "add", unisono_session_add_entry(lines->session, &entry, NULL, NULL));
}

static void next(const group_lines *lines, const char *argument) {
  (void)argument;
  taken(lines, "next", unisono_session_next_entry(lines->session, NULL));
}

/* 1: `id` is that of the Nth entry. */
static int entry(const group_lines *lines, const char *word, const char *text, const char **rest, unisono_entry_id *id) {
  const unisono_playlist *all;
  if (!taken(lines, word, unisono_session_playlist(lines->session, &all))) return 0;
  const long index = nth(lines, word, text, all->count, "the playlist", rest);
  if (index >= 0) *id = all->items[index]->id;
  unisono_free(all);
  return index >= 0;
}

static void drop(const group_lines *lines, const char *argument) {
  unisono_entry_id id;
  if (entry(lines, "drop", argument, NULL, &id)) taken(lines, "drop", unisono_session_remove_entry(lines->session, &id));
}

/* To where the entry of the second number stands now; without one, to the end. */
static void move(const group_lines *lines, const char *argument) {
  unisono_entry_id id, place = {{0}};
  const char *rest = "";
  if (!entry(lines, "move", argument, &rest, &id) || (*rest != '\0' && !entry(lines, "move", rest, NULL, &place))) return;
  taken(lines, "move", unisono_session_move_entry(lines->session, &id, &place));
}

static void select_entry(const group_lines *lines, const char *argument) {
  unisono_entry_id id;
  if (entry(lines, "select", argument, NULL, &id)) taken(lines, "select", unisono_session_select_entry(lines->session, &id));
}

static void copy(const group_lines *lines, const char *path) {
  unisono_copy own = UNISONO_COPY_INIT;
  const unisono_playlist *all;
  if (!taken(lines, "copy", unisono_session_playlist(lines->session, &all))) return;
  const unisono_entry_id current = all->current;
  unisono_free(all);
  if (is_none(current.bytes)) tell(lines, "copy: the group is at no entry of the playlist");
  else if (taken(lines, "copy", unisono_copy_of_file(path, &own)))
    taken(lines, "copy", unisono_session_set_copy(lines->session, &current, &own));
}

static void cut(const group_lines *lines, const char *argument) {
  double offset;
  if (number(lines, argument, &offset))
    taken(lines, "cut", unisono_session_set_cut_offset(lines->session, NULL, (int64_t)(offset * 1e9)));
}

static void attach(const group_lines *lines, const char *path) {
  taken(lines, "attach", unisono_session_attach(lines->session, path, NULL, NULL, NULL));
}

static void attachments(const group_lines *lines, const char *argument) {
  const unisono_attachments *all;
  (void)argument;
  if (!taken(lines, "attachments", unisono_session_attachments(lines->session, &all))) return;
  for (size_t index = 0; index < all->count; index++) {
    const unisono_attachment *const one = all->items[index];
    tell(lines, "%zu %s, %.1f MB%s", index + 1, one->name, (double)one->length / 1e6, one->is_available ? ", here" : "");
  }
  unisono_free(all);
}

static void load(const group_lines *lines, const char *argument) {
  const unisono_attachments *all;
  const char *path = "";
  if (!taken(lines, "load", unisono_session_attachments(lines->session, &all))) return;
  const long index = nth(lines, "load", argument, all->count, "the list", &path);
  if (index >= 0 && *path == '\0') tell(lines, "load: give a number of the list that `attachments` prints, and a path");
  else if (index >= 0) taken(lines, "load", unisono_session_load_attachment(lines->session, &all->items[index]->id, path));
  unisono_free(all);
}

static void close_group(const group_lines *lines, const char *argument) {
  (void)argument;
  taken(lines, "close", unisono_session_set_closed(lines->session, 1));
}

static void open_group(const group_lines *lines, const char *argument) {
  (void)argument;
  taken(lines, "open", unisono_session_set_closed(lines->session, 0));
}

static void leave(const group_lines *lines, const char *argument) {
  (void)argument;
  taken(lines, "leave", unisono_session_leave(lines->session));
}

static void end(const group_lines *lines, const char *argument) {
  (void)argument;
  taken(lines, "end", unisono_session_end(lines->session));
}

static void help(const group_lines *lines, const char *argument) {
  (void)argument;
  tell(lines, "%s", HELP);
}

static const struct {
  const char *word;
  void (*act)(const group_lines *lines, const char *argument);
} WORDS[] = {
    {"play", play}, {"pause", pause_all}, {"seek", seek}, {"undo", undo}, {"say", say}, {"react", react}, {"history", history},
    {"who", who}, {"ready", ready}, {"unready", unready}, {"start-policy", start_policy}, {"go", go}, {"at", schedule},
    {"countdown", countdown}, {"list", list}, {"add", add}, {"next", next}, {"drop", drop}, {"move", move}, {"select", select_entry},
    {"copy", copy}, {"cut", cut}, {"attach", attach}, {"attachments", attachments}, {"load", load}, {"close", close_group},
    {"open", open_group}, {"leave", leave}, {"end", end}, {"help", help},
};

int group_lines_run(const group_lines *lines, const char *line) {
  while (*line == ' ') line++;
  const size_t length = strcspn(line, " ");
  const char *argument = line + length;
  while (*argument == ' ') argument++;
  if (length == 0) return 1;
  if (length == 4 && memcmp(line, "quit", 4) == 0) return 0;
  for (size_t index = 0; index < sizeof WORDS / sizeof *WORDS; index++) {
    if (strlen(WORDS[index].word) != length || memcmp(line, WORDS[index].word, length) != 0) continue;
    WORDS[index].act(lines, argument);
    return 1;
  }
  tell(lines, "%.*s: not a command; try help", (int)(length < 64 ? length : 64), line);
  return 1;
}
