/* watching.c: see watching.h. */
#define _POSIX_C_SOURCE 200809L
#include "watching.h"

#include "../c/host_invite.h"
#include "../c/host_person.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND INT64_C(1000000000)
#define SAME_LENGTH (2 * SECOND) /* copies that differ by less are taken for the same film */
#define SAID 1024
#define KEPT_EVERY (60 * SECOND)
#define ACTIVITY "org.unisono.watch"

/* A film that this person opened or gave, and where it is. */
struct own_film {
  own_film *next;
  char *path;
  char item[];
};

/* ---- Saying ------------------------------------------------------------------------------------------------ */

static void print(void *user, const char *line) {
  watching *w = user;
  w->screen->print(w->user, line);
}

static void show(void *user, const char *sentence) {
  watching *w = user;
  w->screen->show(w->user, sentence);
}

void watching_say(watching *w, const char *sentence) { telling_say(&w->told, sentence); }

int32_t watching_check(watching *w, int32_t status, const char *what) {
  char line[SAID];
  if (status >= 0) return status;
  snprintf(line, sizeof line, "%s: %s (%s)", what, unisono_last_error(), unisono_strerror(status));
  watching_say(w, line);
  return status;
}

/* Where the player was started for this alone there is nothing left to do. */
static void give_up(watching *w, int status) {
  if (w->quit != NULL && strcmp(w->quit, "yes") == 0) w->screen->quit(w->user, status);
}

static void clock_text(int64_t time, char *out, size_t room) {
  long long seconds = time < 0 ? 0 : (long long)(time / SECOND);
  snprintf(out, room, "%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

/* Over the film and in the terminal. */
static void show_lines(watching *w, char *text) {
  w->screen->show(w->user, text);
  for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) print(w, line);
}

/* Who is here, a line each. */
static void show_status(watching *w) {
  const unisono_participants *all = NULL;
  char text[4096] = "Nobody is here: the session is over";
  size_t length = 0;
  int64_t now = unisono_context_host_time(w->context);
  if (w->session != NULL) unisono_session_participants(w->session, &all);
  for (size_t i = 0; all != NULL && i < all->count && length < sizeof text - 512; i++) {
    const unisono_participant *one = all->items[i];
    char place[64] = "";
    if (one->item_time != UNISONO_TIME_INVALID)
      clock_text(one->item_time + (int64_t)(one->rate * (double)(now - one->host_time)), place, sizeof place);
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%.200s%s: %s%s%s%s", i == 0 ? "" : "\n", one->display_name,
        one->is_local ? " (you)" : "",
        one->connection != UNISONO_CONNECTION_CONNECTED ? "not connected"
        : one->item == NULL                             ? "has no film open"
        : strcmp(one->item, w->current.item) != 0       ? "watches something else"
        : one->suspension_reason_count > 0              ? "is apart"
        : one->rate != 0                                ? "plays"
                                                        : "stands",
        place[0] == '\0' ? "" : " at ", place,
        one->readiness == UNISONO_READINESS_READY       ? ", is ready"
        : one->readiness == UNISONO_READINESS_NOT_READY ? ", is not ready"
                                                        : "");
  }
  unisono_free(all);
  show_lines(w, text);
}

static void show_list(watching *w) {
  char text[8192];
  shared_list_text(w->session, text, sizeof text);
  show_lines(w, text);
}

/* ---- Keys -------------------------------------------------------------------------------------------------- */

static int is_ready(watching *w) {
  const unisono_participants *all = NULL;
  int found = 0;
  if (unisono_session_participants(w->session, &all) < 0) return 0;
  for (size_t i = 0; i < all->count; i++)
    if (all->items[i]->is_local) found = all->items[i]->readiness == UNISONO_READINESS_READY;
  unisono_free(all);
  return found;
}

static void change_readiness(watching *w) {
  int was = is_ready(w);
  if (watching_check(w, unisono_coordinator_set_ready(w->coordinator, was ? UNISONO_READINESS_NOT_READY : UNISONO_READINESS_READY), "ready") < 0) return;
  watching_say(w, was ? "You are not ready" : "You are ready");
}

static void move(watching *w, int32_t status, const char *none) {
  w->moves = status >= 0;
  if (status == UNISONO_ENOTFOUND) watching_say(w, none);
  else watching_check(w, status, "list");
}

/* To pause, or to play, whichever would change something. */
static void ask(watching *w) {
  unisono_timing timing = UNISONO_TIMING_INIT;
  if (watching_check(w, unisono_coordinator_timing(w->coordinator, &timing), "ask") < 0) return;
  const int is_paused = timing.state == UNISONO_TIMING_PAUSED || timing.state == UNISONO_TIMING_NONE;
  if (watching_check(w, asking_ask(w->session, is_paused), "ask") >= 0)
    watching_say(w, is_paused ? "You asked those who may command to play" : "You asked those who may command to pause");
}

static void answer(watching *w, int granted) {
  const int32_t status = asking_answer(&w->asked, w->session, granted);
  if (status == UNISONO_ENOTFOUND) watching_say(w, "Nobody asks for anything");
  else watching_check(w, status, "answer");
}

void watching_key(watching *w, const char *name) {
  if (strcmp(name, "status") == 0) show_status(w);
  else if (strcmp(name, "list") == 0) show_list(w);
  else if (w->session == NULL || w->coordinator == NULL) return;
  else if (strcmp(name, "ready") == 0) change_readiness(w);
  else if (strcmp(name, "go") == 0) watching_check(w, unisono_coordinator_start_without(w->coordinator, NULL, 0), "go on");
  else if (strcmp(name, "undo") == 0) watching_check(w, unisono_coordinator_undo_jump(w->coordinator), "undo");
  else if (strcmp(name, "ask") == 0) ask(w);
  else if (strcmp(name, "yes") == 0) answer(w, 1);
  else if (strcmp(name, "no") == 0) answer(w, 0);
  else if (strcmp(name, "next") == 0) move(w, shared_list_step(w->session, 1), "Nothing comes after this film");
  else if (strcmp(name, "previous") == 0) move(w, shared_list_step(w->session, -1), "Nothing comes before this film");
}

/* ---- The film ---------------------------------------------------------------------------------------------- */

/* What the group watches is an entry of its list. */
static int is_on_list(const watching *w) {
  static const unisono_entry_id none;
  return memcmp(&w->entry, &none, sizeof none) != 0;
}

static void remember(watching *w, const char *item, const char *path) {
  size_t length = strlen(item) + 1;
  own_film *one = malloc(sizeof *one + length);
  if (one == NULL) return;
  memcpy(one->item, item, length);
  one->path = strdup(path);
  one->next = w->own;
  w->own = one;
}

/* NULL: the person gave none of that name. */
static const char *own_copy(const watching *w) {
  for (const own_film *one = w->own; one != NULL; one = one->next)
    if (strcmp(one->item, w->current.item) == 0) return one->path;
  return NULL;
}

static void forget_own(watching *w) {
  for (own_film *one = w->own, *next; one != NULL; one = next) {
    next = one->next;
    free(one->path);
    free(one);
  }
}

static void play_copy(watching *w, const char *path) {
  unisono_player_item item = UNISONO_PLAYER_ITEM_INIT;
  item.identifier = w->current.item;
  item.uri = path;
  w->is_asked = w->is_compared = w->is_copy_said = 0;
  if (watching_check(w, unisono_player_replace_current_item(w->player, &item), w->current.item) < 0) return;
  w->ever_played = 1;
  free(w->given);
  w->given = strdup(path);
}

/* What the group watches from now on, for who has not the list to go by. */
static void activate(watching *w, const char *title) {
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  char payload[FILM_PAYLOAD];
  activity.type = UNISONO_ACTIVITY_WATCH_TOGETHER;
  activity.identifier = ACTIVITY;
  activity.title = title != NULL && title[0] != '\0' && strlen(title) <= 255 ? title : "A film"; /* one that is cut may end within a character */
  activity.payload = payload;
  activity.payload_length = film_write(&w->current, payload);
  watching_check(w, unisono_session_activate(w->session, &activity), "film");
}

/* What this one opened is what the group watches from now on. */
static void propose(watching *w, const char *path) {
  film found;
  char title[SAID];
  w->is_bringing = 0;
  if (film_of(path, w->screen->duration(w->user), &found) < 0) {
    watching_say(w, "The name of this film is too long for the group: it is played here alone");
    return;
  }
  w->current = found;
  remember(w, found.item, path);
  w->screen->title(w->user, title, sizeof title);
  activate(w, title);
  if (watching_check(w, shared_list_add(w->session, &found, SHARED_BEHIND_CURRENT, &w->entry), "list") >= 0)
    watching_check(w, unisono_session_select_entry(w->session, &w->entry), "list");
  play_copy(w, path);
  w->is_compared = 1; /* this copy is what the others' are compared with */
}

int watching_has_list(const watching *w) { return w->joined && w->opened == NULL && is_on_list(w); }

int watching_share(watching *w, const char *path, shared_place place) {
  film found;
  unisono_entry_id id;
  if (film_of(path, 0, &found) < 0) return 0;
  remember(w, found.item, path);
  return watching_check(w, shared_list_add(w->session, &found, place, &id), "list") < 0 ? -1 : 0;
}

/* Says what to give, in the window and in the terminal. */
static void ask_for_copy(watching *w, const char *why) {
  char line[FILM_URL + SAID];
  w->is_asked = 1;
  int stays = w->ever_played || w->quit == NULL || strcmp(w->quit, "yes") != 0;
  snprintf(line, sizeof line, "The group watches \"%s\"%s. %s", w->current.item, why,
      stays ? "Open your copy of it in this window" : "Give your copy of it: unisono join INVITE FILE");
  watching_say(w, line);
  if (!stays) give_up(w, WATCHING_NOT_HERE);
}

static void find_copy(watching *w) {
  char path[4096], host[256], why[512];
  const char *own = own_copy(w);
  if (own != NULL) {
    play_copy(w, own);
    return;
  }
  if (w->copy != NULL) {
    char *copy = w->copy;
    w->copy = NULL;
    remember(w, w->current.item, copy);
    play_copy(w, copy);
    free(copy);
    return;
  }
  if (w->current.url[0] != '\0') {
    if (film_is_trusted(w->current.url, w->trusted_hosts)) {
      play_copy(w, w->current.url);
      return;
    }
    int is_readable = film_host(w->current.url, host, sizeof host);
    snprintf(why, sizeof why, ", and %s is not among your trusted_hosts", is_readable ? host : "its address");
    ask_for_copy(w, why);
    return;
  }
  int found = film_find(&w->current, w->folders, path, sizeof path);
  if (found == 2) watching_say(w, "Your file of that name has another size than the group's: it may be another version of the film");
  if (found != 0) play_copy(w, path);
  else ask_for_copy(w, w->folders == NULL ? "" : ", which is not in your folders");
}

static void follow(watching *w, const unisono_activity *activity) {
  film next;
  if (activity == NULL || activity->payload_length == 0) return;
  if (film_read(activity->payload, activity->payload_length, &next) < 0) {
    watching_say(w, "What the group does is nothing that this player could open");
    return;
  }
  int is_same = strcmp(next.item, w->current.item) == 0;
  w->current.size = next.size;
  w->current.duration = next.duration;
  if (is_same) return;
  w->current = next;
  memset(&w->entry, 0, sizeof w->entry);
  find_copy(w);
}

/* What the group's list is at. 0: at nothing. */
static int follow_list(watching *w) {
  film next;
  if (!shared_list_current(w->session, &next, &w->entry)) return 0;
  w->is_copy_said = 0;
  if (strcmp(next.item, w->current.item) == 0) return 1;
  w->current = next;
  find_copy(w);
  return 1;
}

void watching_opened(watching *w, const char *path) {
  free(w->opened);
  w->opened = strdup(path);
}

/* Of a session that is gone on with: what the person opened is a copy of what it is at, and stands there. */
static int goes_on_with(watching *w, const char *path) {
  film given, next;
  const unisono_activity *activity = NULL;
  if (!w->is_bringing || w->kept.bytes == NULL || film_of(path, 0, &given) < 0) return 0;
  int is_known = shared_list_current(w->session, &next, &w->entry);
  if (!is_known && unisono_session_activity(w->session, &activity) >= 0 && activity != NULL)
    is_known = film_read(activity->payload, activity->payload_length, &next) >= 0;
  unisono_free(activity);
  if (!is_known || strcmp(next.item, given.item) != 0) return 0;
  w->current = next;
  w->is_bringing = 0;
  return 1;
}

/* Once it is known whether the group watches something. */
static void look_at_opened(watching *w) {
  if (w->opened == NULL || !w->joined) return;
  char *path = w->opened;
  w->opened = NULL;
  if (w->is_asked || goes_on_with(w, path)) {
    remember(w, w->current.item, path);
    play_copy(w, path);
  }
  else if (!w->hosting && !w->is_bringing && w->current.item[0] == '\0') {
    free(w->copy);
    w->copy = path;
    return;
  } else propose(w, path);
  free(path);
}

/* ns, of the copy of `current`; 0: it is not open yet, as another film may still be, or nobody knows. */
static int64_t duration_of_copy(watching *w) {
  char path[4096];
  if (w->given == NULL || w->is_asked || !w->screen->is_loaded(w->user)) return 0;
  w->screen->path(w->user, path, sizeof path);
  return strcmp(path, w->given) == 0 ? w->screen->duration(w->user) : 0;
}

/* Once the copy is open: what it is, so that each is told of copies that differ. */
static void say_copy(watching *w) {
  unisono_copy copy = UNISONO_COPY_INIT;
  int64_t duration = duration_of_copy(w);
  if (w->is_copy_said || duration == 0 || !is_on_list(w)) return;
  w->is_copy_said = w->is_compared = 1;
  copy.duration = duration;
  if (strstr(w->given, "://") == NULL) unisono_copy_of_file(w->given, &copy); /* what is no file has its duration alone */
  watching_check(w, unisono_session_set_copy(w->session, &w->entry, &copy), "copy");
}

/* The same against what an activity says, where what the group watches is not from the list. */
static void compare(watching *w) {
  char line[SAID], here[64], there[64];
  int64_t duration = duration_of_copy(w);
  if (w->is_compared || duration == 0 || w->current.duration == 0) return;
  w->is_compared = 1;
  if (llabs(duration - w->current.duration) <= SAME_LENGTH) return;
  clock_text(duration, here, sizeof here);
  clock_text(w->current.duration, there, sizeof there);
  snprintf(line, sizeof line, "Your copy lasts %s, the group's %s: it may be another version of the film", here, there);
  watching_say(w, line);
}

/* ---- What the library tells ------------------------------------------------------------------------------- */

static void on_activity(void *user, const unisono_activity_event *event) {
  watching *w = user;
  if (w->joined && !w->is_bringing) follow(w, event->activity);
}

static void on_state(void *user, const unisono_session_state_event *event) {
  watching *w = user;
  const unisono_activity *activity = NULL;
  telling_state(&w->told, w->session, event);
  if (event->state == UNISONO_SESSION_JOINED && !w->joined) {
    w->joined = 1;
    int is_bringing = w->is_bringing;
    look_at_opened(w);
    if (!is_bringing && !follow_list(w) && unisono_session_activity(w->session, &activity) >= 0) follow(w, activity);
    unisono_free(activity);
  }
  if (event->state == UNISONO_SESSION_INVALIDATED) {
    w->joined = 0;
    if (!w->ever_played) give_up(w, 1);
  }
}

static void on_playlist(void *user, const unisono_playlist_event *event) {
  watching *w = user;
  static const unisono_participant_id nobody;
  int is_mine = memcmp(&event->originator, &nobody, sizeof nobody) == 0;
  if (!w->joined || w->is_bringing || !event->current_changed || !follow_list(w)) return;
  if (is_mine && (w->moves || event->by_end)) activate(w, w->current.item);
  /* Who took the group there, as the film before had ended, plays on, for all. */
  if (is_mine && event->by_end) watching_check(w, unisono_player_play(w->player, 0), "play");
  if (is_mine) w->moves = 0;
}

static void on_copy(void *user, const unisono_copy_event *event) {
  if (event->differs != 0) watching_say(user, event->message);
}

/* What was said before is in the terminal of who was there. */
static void on_chat(void *user, const unisono_chat_event *event) {
  if (!event->is_history) telling_chat(&((watching *)user)->told, event);
}

void watching_chat(watching *w, const char *text) {
  if (w->session != NULL && text[0] != '\0') watching_check(w, unisono_session_chat(w->session, text, NULL), "not said");
}

void watching_react(watching *w, const char *text) {
  if (w->session != NULL && text[0] != '\0') watching_check(w, unisono_session_react(w->session, text), "not said");
}

/* The own copy is another cut, so many seconds ahead of the group's. */
void watching_offset(watching *w, const char *text) {
  char *end, line[SAID];
  double seconds = strtod(text, &end);
  if (w->session == NULL) return;
  if (end == text || *end != '\0' || !(seconds >= -21600 && seconds <= 21600)) {
    watching_say(w, "unisono-offset takes seconds, at most six hours either way");
    return;
  }
  if (watching_check(w, unisono_session_set_cut_offset(w->session, &w->entry, (int64_t)(seconds * 1e9)), "offset") < 0) return;
  snprintf(line, sizeof line, "Your copy is taken to be %g s ahead", seconds);
  watching_say(w, line);
}

/* All devices of the one who is called so, for good. */
void watching_remove(watching *w, const char *name) {
  const unisono_participants *all = NULL;
  const unisono_participant *found = NULL;
  char line[SAID];
  size_t of_that_name = 0;
  if (w->session == NULL || unisono_session_participants(w->session, &all) < 0) return;
  for (size_t i = 0; i < all->count; i++)
    if (!all->items[i]->is_local && strcmp(all->items[i]->display_name, name) == 0) {
      found = all->items[i];
      of_that_name++;
    }
  if (of_that_name == 1) watching_check(w, unisono_session_remove_participant(w->session, &found->id), "remove");
  else {
    snprintf(line, sizeof line, of_that_name == 0 ? "Nobody here is called %.200s" : "More than one here is called %.200s", name);
    watching_say(w, line);
  }
  unisono_free(all);
}

static void on_request(void *user, const unisono_request_event *event) {
  watching *w = user;
  char line[SAID];
  asking_heard(&w->asked, w->session, event, w->screen->answer_keys, line, sizeof line);
  if (line[0] != '\0') watching_say(w, line);
}

static void on_notice(void *user, const unisono_notice_event *event) { telling_notice(&((watching *)user)->told, event); }

static void write_invite(watching *w) {
  char invite[4096], line[SAID];
  size_t length = sizeof invite;
  if (w->invite_file == NULL || watching_check(w, unisono_session_invite(w->session, invite, &length), "invite") < 0) return;
  if (host_invite_write(w->invite_file, invite) == 0) return;
  snprintf(line, sizeof line, "The invite cannot be written to %.512s: %s", w->invite_file, strerror(errno));
  watching_say(w, line);
}

static void on_invite(void *user, const unisono_invite_event *event) {
  watching *w = user;
  (void)event;
  w->kept.kept_at = 0; /* what was kept knows of no newer way to the group */
  telling_invite_changed(&w->told, w->session);
  write_invite(w);
}

static void on_error(void *user, const unisono_error_event *event) {
  char line[SAID];
  const char *keys = ((watching *)user)->screen->ask_keys;
  const int may_ask = event->status == UNISONO_EDENIED && keys != NULL;
  snprintf(line, sizeof line, "%s: %s (%s)%s%s", event->operation, event->message, unisono_strerror(event->status), may_ask ? "; " : "",
           may_ask ? keys : "");
  watching_say(user, line);
}

/* ---- Going on on another day ------------------------------------------------------------------------------- */

static int32_t read_kept(watching *w) {
  char why[SAID];
  if (w->continuation == NULL) return UNISONO_OK;
  if (w->continuation_key == NULL) snprintf(why, sizeof why, "unisono-continue needs unisono-continue-key, a file of %d bytes", GOING_ON_KEY);
  else if (going_on_read(&w->kept, w->continuation, w->continuation_key, why, sizeof why) == 0) return UNISONO_OK;
  watching_say(w, why);
  return UNISONO_EINVAL;
}

/* `wanted`: now, else only where it is old. */
static void keep(watching *w, int wanted) {
  char why[SAID];
  int64_t now = unisono_context_host_time(w->context);
  if (w->kept.path == NULL || w->session == NULL || !w->joined) return;
  if (!wanted && w->kept.kept_at != 0 && now - w->kept.kept_at < KEPT_EVERY) return;
  if (going_on_keep(&w->kept, w->session, now, why, sizeof why) >= 0) w->is_not_kept = 0;
  else if (!w->is_not_kept) {
    w->is_not_kept = 1;
    w->kept.kept_at = now; /* again in a while */
    watching_say(w, why);
  }
}

/* ---- Opening, running, closing ---------------------------------------------------------------------------- */
/* Which of two words an option is, from 1 on; 0: it is not given; -1, after saying so: it is neither. */
static int word_of(watching *w, const char *option, const char *given, const char *one, const char *other) {
  char line[SAID];
  if (given == NULL) return 0;
  if (strcmp(given, one) == 0) return 1;
  if (strcmp(given, other) == 0) return 2;
  snprintf(line, sizeof line, "%s is \"%.64s\"; give %s or %s", option, given, one, other);
  watching_say(w, line);
  return -1;
}

/* The hub in this process has one port for as long as the session goes on, by which others find it on another day. */
static int32_t host_session(watching *w, unisono_session_options *options, const unisono_session_callbacks *callbacks) {
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  char place[2][32], line[SAID];
  const char *listen[] = {place[0], place[1]};
  int32_t status = UNISONO_ENETWORK;
  if (w->kept.path == NULL || w->hub != NULL) return unisono_session_host(w->context, options, callbacks, w, &w->session);
  if (w->kept.port == 0) w->kept.port = going_on_free_port();
  snprintf(place[0], sizeof place[0], "[::]:%d", w->kept.port);
  snprintf(place[1], sizeof place[1], "0.0.0.0:%d", w->kept.port);
  hub.listen_count = 1;
  options->hub_options = &hub;
  for (int i = 0; i < 2 && status == UNISONO_ENETWORK && w->kept.port != 0; i++) { /* a machine without IPv6 */
    hub.listen = &listen[i];
    status = unisono_session_host(w->context, options, callbacks, w, &w->session);
  }
  if (status != UNISONO_ENETWORK) return status;
  snprintf(line, sizeof line, "Port %d is not free here: who goes on with this session needs the new invite", w->kept.port);
  watching_say(w, line);
  options->hub_options = NULL;
  return unisono_session_host(w->context, options, callbacks, w, &w->session);
}

static int32_t open_session(watching *w) {
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  callbacks.state = on_state;
  callbacks.activity = on_activity;
  callbacks.notice = on_notice;
  callbacks.chat = on_chat;
  callbacks.playlist = on_playlist;
  callbacks.copy = on_copy;
  callbacks.request = on_request;
  callbacks.invite_changed = on_invite;
  callbacks.error = on_error;
  options.display_name = w->name != NULL ? w->name : host_person();
  int control = word_of(w, "unisono-control", w->control, "everyone", "hosts");
  if (control < 0) return UNISONO_EINVAL;
  going_on_use(&w->kept, &options);
  if (w->hosting) {
    options.hub = w->hub;
    if (control == 2) options.control_policy = UNISONO_CONTROL_HOSTS_ONLY;
    return host_session(w, &options, &callbacks);
  }
  const char *invite = host_invite_read(w->invite);
  if (invite == NULL) return UNISONO_ENOTFOUND;
  return unisono_session_open(w->context, invite, &options, &callbacks, w, &w->session);
}

/* Which starts wait until everybody is ready, and what happens when somebody leaves. */
static int32_t set_start(watching *w) {
  unisono_start_policy policy = UNISONO_START_POLICY_INIT;
  int start = word_of(w, "unisono-start", w->start, "first", "every");
  int leaving = word_of(w, "unisono-leaving", w->leaving, "go-on", "pause");
  if (start < 0 || leaving < 0) return UNISONO_EINVAL;
  if (start == 0 && leaving == 0) return UNISONO_OK;
  if (start > 0) policy.start = start == 1 ? UNISONO_START_FIRST_WHEN_READY : UNISONO_START_WHEN_READY;
  if (leaving == 2) policy.leaving = UNISONO_LEAVING_PAUSE;
  return watching_check(w, unisono_coordinator_set_start_policy(w->coordinator, &policy), "unisono-start");
}

void watching_begin(watching *w, const watching_screen *screen, void *user) {
  w->screen = screen;
  w->user = user;
  w->told = (telling){.show = show, .print = print, .user = w};
}

int watching_option(watching *w, const char *name, const char *value) {
  const struct { const char *name; char **place; } options[] = {
      {"invite", &w->invite}, {"invite-file", &w->invite_file}, {"name", &w->name}, {"hub", &w->hub}, {"folders", &w->folders},
      {"trusted-hosts", &w->trusted_hosts}, {"host", &w->host}, {"quit", &w->quit}, {"brings", &w->brings}, {"start", &w->start},
      {"leaving", &w->leaving}, {"control", &w->control}, {"copy", &w->copy}, {"continue", &w->continuation},
      {"continue-key", &w->continuation_key}};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    if (strcmp(name, options[i].name) != 0) continue;
    free(*options[i].place);
    *options[i].place = strdup(value);
    w->hosting = w->host != NULL && strcmp(w->host, "yes") == 0;
    w->is_bringing = w->brings != NULL && strcmp(w->brings, "yes") == 0;
    return 0;
  }
  return -1;
}

int watching_open(watching *w) {
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  char why[SAID];
  if (read_kept(w) < 0) return -1;
  if (watching_check(w, unisono_context_create(&options, NULL, NULL, &w->context), "unisono") < 0) return -1;
  int32_t status = open_session(w);
  if (status < 0 && going_on_refusal(&w->kept, status, why, sizeof why)) return watching_say(w, why), -1;
  return watching_check(w, status, w->hosting ? "host" : "join") < 0 ? -1 : 0;
}

int watching_join(watching *w, const unisono_renderer *functions, void *renderer) {
  unisono_player_callbacks callbacks = UNISONO_PLAYER_CALLBACKS_INIT;
  callbacks.error = on_error;
  if (watching_check(w, unisono_player_create(w->context, functions, renderer, &callbacks, w, &w->player), "player") < 0) return -1;
  if (watching_check(w, unisono_player_coordinator(w->player, &w->coordinator), "player") < 0) return -1;
  if (watching_check(w, unisono_coordinator_coordinate_with_session(w->coordinator, w->session), "player") < 0) return -1;
  if (set_start(w) < 0) return -1;
  if (watching_check(w, unisono_session_join(w->session), "join") < 0) return -1;
  if (w->hosting && w->invite_file == NULL) telling_invite(&w->told, w->session);
  if (w->hosting) write_invite(w);
  return 0;
}

void watching_turn(watching *w) {
  if (watching_check(w, unisono_context_poll(w->context, 0), "poll") < 0) w->finished = 1;
  look_at_opened(w);
  say_copy(w);
  compare(w);
  keep(w, 0);
  telling_waiting(&w->told, w->coordinator, w->session, unisono_context_host_time(w->context));
}

void watching_close(watching *w, int status) {
  char *given[] = {w->continuation, w->continuation_key, w->invite, w->invite_file, w->name, w->hub, w->folders, w->trusted_hosts, w->host,
      w->quit, w->brings, w->start, w->leaving, w->control, w->opened, w->given, w->copy};
  keep(w, 1);
  if (status != 0) give_up(w, status);
  unisono_context_destroy(w->context); /* says goodbye, and ends the session and the player as well */
  for (size_t i = 0; i < sizeof given / sizeof *given; i++) free(given[i]);
  forget_own(w);
  going_on_forget(&w->kept);
}
