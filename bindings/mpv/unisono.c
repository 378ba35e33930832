/* unisono.c: a plugin of mpv (0.33 and newer) that keeps it in step with everybody else's.
 *
 *     mpv --script=unisono.so --script-opts=unisono-host=yes film.mkv          shows an invite
 *     mpv --script=unisono.so --script-opts=unisono-invite=@FILE --idle       in the other place
 *
 * Also in mpv's folder of scripts; without one of these two options it does nothing. The others are in read_options.
 * mpv_renderer.c drives mpv, as it does in mpv_host.c; telling.c says what happens; here mpv's own options, screen and keys are put to
 * them. There is one thread, which mpv starts for it: libunisono's descriptor and mpv's wake-up are waited for together. */
#define _POSIX_C_SOURCE 200809L
#include "film.h"
#include "going_on.h"
#include "shared_list.h"
#include "../c/host_invite.h"
#include "../c/host_person.h"
#include "../c/mpv_renderer.h"
#include "../c/telling.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TICK_MS 100
#define SECOND INT64_C(1000000000)
#define SAME_LENGTH (2 * SECOND) /* copies that differ by less are taken for the same film */
#define SAID 1024
#define KEPT_EVERY (60 * SECOND)
#define NOT_HERE "66"            /* mpv's status where the film is not here: EX_NOINPUT, with which it never ends by itself */
#define ACTIVITY "org.unisono.watch"

/* A film that this person opened or gave, and where it is. */
typedef struct own_film {
  struct own_film *next;
  char *path;
  char item[];
} own_film;

typedef struct plugin {
  unisono_context *context;
  unisono_session *session;
  unisono_coordinator *coordinator;
  mpv_renderer renderer;
  telling told;

  /* mpv's --script-opts=unisono-NAME=VALUE; NULL: not given */
  char *invite, *invite_file, *name, *hub, *folders, *trusted_hosts, *host, *quit, *brings, *start, *leaving, *control, *going_on, *going_on_key;
  struct going_on kept;
  int hosting;
  int is_bringing;   /* what the person opens first is what the group watches, whatever it watched before */

  char *opened;      /* by the person, and not yet looked at */
  char *copy;        /* what was given or opened before it was known what the group watches: the copy of that */
  own_film *own;     /* the newest first */
  film current;      /* of the group */
  unisono_entry_id entry; /* of the group's list; all zero: what the group watches is not from it */
  int moves;         /* this one took the group along the list, and is to say what it watches now */
  int is_list_refused, is_copy_said;
  int is_asked;      /* the person is to open a copy of `current` */
  int ever_played, is_compared, joined, finished;
  int is_not_kept;   /* which was said */
} plugin;

/* ---- Saying ------------------------------------------------------------------------------------------------ */

static void print(void *user, const char *line) {
  const char *words[] = {"raw", "print-text", line, NULL};
  mpv_command_async(((plugin *)user)->renderer.mpv, 0, words);
}

static void show(void *user, const char *sentence) { mpv_renderer_show(&((plugin *)user)->renderer, sentence); }

static void say(plugin *p, const char *sentence) { telling_say(&p->told, sentence); }

static int32_t check(plugin *p, int32_t status, const char *what) {
  char line[SAID];
  if (status >= 0) return status;
  snprintf(line, sizeof line, "%s: %s (%s)", what, unisono_last_error(), unisono_strerror(status));
  say(p, line);
  return status;
}

/* Where mpv was started for this alone there is nothing left to do. */
static void give_up(plugin *p, const char *status) {
  const char *words[] = {"quit", status, NULL};
  if (p->quit != NULL && strcmp(p->quit, "yes") == 0) mpv_command(p->renderer.mpv, words);
}

static void clock_text(int64_t time, char *out, size_t room) {
  long long seconds = time < 0 ? 0 : (long long)(time / SECOND);
  snprintf(out, room, "%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

/* In the window and in the terminal. */
static void show_lines(plugin *p, char *text) {
  mpv_renderer_show(&p->renderer, text);
  for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) print(p, line);
}

/* Who is here, a line each. */
static void show_status(plugin *p) {
  const unisono_participants *all = NULL;
  char text[4096] = "Nobody is here: the session is over";
  size_t length = 0;
  int64_t now = unisono_context_host_time(p->context);
  if (p->session != NULL) unisono_session_participants(p->session, &all);
  for (size_t i = 0; all != NULL && i < all->count && length < sizeof text - 512; i++) {
    const unisono_participant *one = all->items[i];
    char place[64] = "";
    if (one->item_time != UNISONO_TIME_INVALID)
      clock_text(one->item_time + (int64_t)(one->rate * (double)(now - one->host_time)), place, sizeof place);
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%.200s%s: %s%s%s%s", i == 0 ? "" : "\n", one->display_name,
        one->is_local ? " (you)" : "",
        one->connection != UNISONO_CONNECTION_CONNECTED ? "not connected"
        : one->item == NULL                             ? "has no film open"
        : strcmp(one->item, p->current.item) != 0       ? "watches something else"
        : one->suspension_reason_count > 0              ? "is apart"
        : one->rate != 0                                ? "plays"
                                                        : "stands",
        place[0] == '\0' ? "" : " at ", place,
        one->readiness == UNISONO_READINESS_READY       ? ", is ready"
        : one->readiness == UNISONO_READINESS_NOT_READY ? ", is not ready"
                                                        : "");
  }
  unisono_free(all);
  show_lines(p, text);
}

static void show_list(plugin *p) {
  char text[8192];
  shared_list_text(p->session, text, sizeof text);
  show_lines(p, text);
}

/* ---- Keys -------------------------------------------------------------------------------------------------- */

static int is_ready(plugin *p) {
  const unisono_participants *all = NULL;
  int found = 0;
  if (unisono_session_participants(p->session, &all) < 0) return 0;
  for (size_t i = 0; i < all->count; i++)
    if (all->items[i]->is_local) found = all->items[i]->readiness == UNISONO_READINESS_READY;
  unisono_free(all);
  return found;
}

static void change_readiness(plugin *p) {
  int was = is_ready(p);
  if (check(p, unisono_coordinator_set_ready(p->coordinator, was ? UNISONO_READINESS_NOT_READY : UNISONO_READINESS_READY), "ready") < 0) return;
  say(p, was ? "You are not ready" : "You are ready");
}

static void move(plugin *p, int32_t status, const char *none) {
  p->moves = status >= 0;
  if (status == UNISONO_ENOTFOUND) say(p, none);
  else check(p, status, "list");
}

static void on_key(void *user, const char *name) {
  plugin *p = user;
  if (strcmp(name, "status") == 0) show_status(p);
  else if (strcmp(name, "list") == 0) show_list(p);
  else if (p->session == NULL || p->coordinator == NULL) return;
  else if (strcmp(name, "ready") == 0) change_readiness(p);
  else if (strcmp(name, "go") == 0) check(p, unisono_coordinator_start_without(p->coordinator, NULL, 0), "go on");
  else if (strcmp(name, "undo") == 0) check(p, unisono_coordinator_undo_jump(p->coordinator), "undo");
  else if (strcmp(name, "next") == 0) move(p, shared_list_step(p->session, 1), "Nothing comes after this film");
  else if (strcmp(name, "previous") == 0) move(p, shared_list_step(p->session, -1), "Nothing comes before this film");
}

/* ---- The film ---------------------------------------------------------------------------------------------- */

static int64_t duration_here(plugin *p) {
  double seconds = 0;
  if (mpv_get_property(p->renderer.mpv, "duration", MPV_FORMAT_DOUBLE, &seconds) < 0) return 0;
  return seconds > 0 && seconds < 1e9 ? (int64_t)(seconds * 1e9) : 0;
}

/* What the group watches is an entry of its list. */
static int is_on_list(const plugin *p) {
  static const unisono_entry_id none;
  return memcmp(&p->entry, &none, sizeof none) != 0;
}

static void remember(plugin *p, const char *item, const char *path) {
  size_t length = strlen(item) + 1;
  own_film *one = malloc(sizeof *one + length);
  if (one == NULL) return;
  memcpy(one->item, item, length);
  one->path = strdup(path);
  one->next = p->own;
  p->own = one;
}

/* NULL: the person gave none of that name. */
static const char *own_copy(const plugin *p) {
  for (const own_film *one = p->own; one != NULL; one = one->next)
    if (strcmp(one->item, p->current.item) == 0) return one->path;
  return NULL;
}

static void forget_own(plugin *p) {
  for (own_film *one = p->own, *next; one != NULL; one = next) {
    next = one->next;
    free(one->path);
    free(one);
  }
}

static void play_copy(plugin *p, const char *path) {
  unisono_player_item item = UNISONO_PLAYER_ITEM_INIT;
  item.identifier = p->current.item;
  item.uri = path;
  p->is_asked = p->is_compared = p->is_copy_said = 0;
  if (check(p, unisono_player_replace_current_item(p->renderer.player, &item), p->current.item) >= 0) p->ever_played = 1;
}

/* What the group watches from now on, for who has not the list to go by. */
static void activate(plugin *p, const char *title) {
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  char payload[FILM_PAYLOAD];
  activity.type = UNISONO_ACTIVITY_WATCH_TOGETHER;
  activity.identifier = ACTIVITY;
  activity.title = title != NULL && title[0] != '\0' && strlen(title) <= 255 ? title : "A film"; /* one that is cut may end within a character */
  activity.payload = payload;
  activity.payload_length = film_write(&p->current, payload);
  check(p, unisono_session_activate(p->session, &activity), "film");
}

/* What this one opened is what the group watches from now on. */
static void propose(plugin *p, const char *path) {
  film found;
  p->is_bringing = 0;
  if (film_of(path, duration_here(p), &found) < 0) {
    say(p, "The name of this film is too long for the group: it is played here alone");
    return;
  }
  p->current = found;
  remember(p, found.item, path);
  char *title = mpv_get_property_string(p->renderer.mpv, "media-title");
  activate(p, title);
  mpv_free(title);
  if (check(p, shared_list_add(p->session, &found, SHARED_BEHIND_CURRENT, &p->entry), "list") >= 0)
    check(p, unisono_session_select_entry(p->session, &p->entry), "list");
  play_copy(p, path);
  p->is_compared = 1; /* this copy is what the others' are compared with */
}

/* A film that stands in mpv's own list. 0, or -1 where the group's list does not take it. */
static int share(plugin *p, const char *path, shared_place place) {
  film found;
  unisono_entry_id id;
  if (film_of(path, 0, &found) < 0) return 0;
  remember(p, found.item, path);
  return check(p, shared_list_add(p->session, &found, place, &id), "list") < 0 ? -1 : 0;
}

static const char *path_of(const mpv_node *entry, int *is_current) {
  const char *path = NULL;
  *is_current = 0;
  for (int i = 0; entry->format == MPV_FORMAT_NODE_MAP && i < entry->u.list->num; i++) {
    const mpv_node *value = &entry->u.list->values[i];
    if (strcmp(entry->u.list->keys[i], "filename") == 0 && value->format == MPV_FORMAT_STRING) path = value->u.string;
    if (strcmp(entry->u.list->keys[i], "current") == 0 && value->format == MPV_FORMAT_FLAG) *is_current = value->u.flag;
  }
  return path;
}

/* What the person has in mpv's list, all have: it is the group that goes on to the next film, not one mpv. */
static void share_list(plugin *p) {
  int64_t count = 0;
  mpv_node list;
  int is_behind = 0, refused = 0, is_current;
  if (!p->joined || p->is_list_refused || p->opened != NULL || !is_on_list(p)) return;
  if (mpv_get_property(p->renderer.mpv, "playlist-count", MPV_FORMAT_INT64, &count) < 0 || count < 2) return;
  if (mpv_get_property(p->renderer.mpv, "playlist", MPV_FORMAT_NODE, &list) < 0) return;
  for (int i = 0; list.format == MPV_FORMAT_NODE_ARRAY && i < list.u.list->num && refused == 0; i++) {
    const char *path = path_of(&list.u.list->values[i], &is_current);
    if (is_current) is_behind = 1;
    else if (path != NULL) refused = share(p, path, is_behind ? SHARED_AT_END : SHARED_BEFORE_CURRENT);
  }
  mpv_free_node_contents(&list);
  p->is_list_refused = refused < 0;
  const char *words[] = {"playlist-clear", NULL}; /* all but what is open */
  if (refused == 0) mpv_command(p->renderer.mpv, words);
}

/* Says what to give, in the window and in the terminal. */
static void ask_for_copy(plugin *p, const char *why) {
  char line[FILM_URL + SAID];
  p->is_asked = 1;
  int stays = p->ever_played || p->quit == NULL || strcmp(p->quit, "yes") != 0;
  snprintf(line, sizeof line, "The group watches \"%s\"%s. %s", p->current.item, why,
      stays ? "Open your copy of it in this window" : "Give your copy of it: unisono join INVITE FILE");
  say(p, line);
  if (!stays) give_up(p, NOT_HERE);
}

static void find_copy(plugin *p) {
  char path[4096], host[256], why[512];
  const char *own = own_copy(p);
  if (own != NULL) {
    play_copy(p, own);
    return;
  }
  if (p->copy != NULL) {
    char *copy = p->copy;
    p->copy = NULL;
    play_copy(p, copy);
    free(copy);
    return;
  }
  if (p->current.url[0] != '\0') {
    if (film_is_trusted(p->current.url, p->trusted_hosts)) {
      play_copy(p, p->current.url);
      return;
    }
    int is_readable = film_host(p->current.url, host, sizeof host);
    snprintf(why, sizeof why, ", and %s is not among your trusted_hosts", is_readable ? host : "its address");
    ask_for_copy(p, why);
    return;
  }
  int found = film_find(&p->current, p->folders, path, sizeof path);
  if (found == 2) say(p, "Your file of that name has another size than the group's: it may be another version of the film");
  if (found != 0) play_copy(p, path);
  else ask_for_copy(p, p->folders == NULL ? "" : ", which is not in your folders");
}

static void follow(plugin *p, const unisono_activity *activity) {
  film next;
  if (activity == NULL || activity->payload_length == 0) return;
  if (film_read(activity->payload, activity->payload_length, &next) < 0) {
    say(p, "What the group does is nothing that mpv could open");
    return;
  }
  int is_same = strcmp(next.item, p->current.item) == 0;
  p->current.size = next.size;
  p->current.duration = next.duration;
  if (is_same) return;
  p->current = next;
  memset(&p->entry, 0, sizeof p->entry);
  find_copy(p);
}

/* What the group's list is at. 0: at nothing. */
static int follow_list(plugin *p) {
  film next;
  if (!shared_list_current(p->session, &next, &p->entry)) return 0;
  p->is_copy_said = 0;
  if (strcmp(next.item, p->current.item) == 0) return 1;
  p->current = next;
  find_copy(p);
  return 1;
}

static void on_film(void *user, const char *path) {
  plugin *p = user;
  free(p->opened);
  p->opened = strdup(path);
}

/* Of a session that is gone on with: what the person opened is a copy of what it is at, and stands there. */
static int goes_on_with(plugin *p, const char *path) {
  film given, next;
  const unisono_activity *activity = NULL;
  if (!p->is_bringing || p->kept.bytes == NULL || film_of(path, 0, &given) < 0) return 0;
  int is_known = shared_list_current(p->session, &next, &p->entry);
  if (!is_known && unisono_session_activity(p->session, &activity) >= 0 && activity != NULL)
    is_known = film_read(activity->payload, activity->payload_length, &next) >= 0;
  unisono_free(activity);
  if (!is_known || strcmp(next.item, given.item) != 0) return 0;
  p->current = next;
  p->is_bringing = 0;
  return 1;
}

/* Once it is known whether the group watches something. */
static void look_at_opened(plugin *p) {
  if (p->opened == NULL || !p->joined) return;
  char *path = p->opened;
  p->opened = NULL;
  if (p->is_asked || goes_on_with(p, path)) {
    remember(p, p->current.item, path);
    play_copy(p, path);
  }
  else if (!p->hosting && !p->is_bringing && p->current.item[0] == '\0') {
    free(p->copy);
    p->copy = path;
    return;
  } else propose(p, path);
  free(path);
}

/* Once the copy is open: what it is, so that each is told of copies that differ. */
static void say_copy(plugin *p) {
  unisono_copy copy = UNISONO_COPY_INIT;
  int64_t duration = p->renderer.loaded ? duration_here(p) : 0;
  if (p->is_copy_said || duration == 0 || !is_on_list(p)) return;
  p->is_copy_said = p->is_compared = 1;
  copy.duration = duration;
  char *path = mpv_get_property_string(p->renderer.mpv, "path");
  if (path != NULL && strstr(path, "://") == NULL) unisono_copy_of_file(path, &copy); /* what is no file has its duration alone */
  mpv_free(path);
  check(p, unisono_session_set_copy(p->session, &p->entry, &copy), "copy");
}

/* The same against what an activity says, where what the group watches is not from the list. */
static void compare(plugin *p) {
  char line[SAID], here[64], there[64];
  int64_t duration = p->renderer.loaded ? duration_here(p) : 0;
  if (p->is_compared || duration == 0 || p->current.duration == 0) return;
  p->is_compared = 1;
  if (llabs(duration - p->current.duration) <= SAME_LENGTH) return;
  clock_text(duration, here, sizeof here);
  clock_text(p->current.duration, there, sizeof there);
  snprintf(line, sizeof line, "Your copy lasts %s, the group's %s: it may be another version of the film", here, there);
  say(p, line);
}

/* ---- What the library tells ------------------------------------------------------------------------------- */

static void on_activity(void *user, const unisono_activity_event *event) {
  plugin *p = user;
  if (p->joined && !p->is_bringing) follow(p, event->activity);
}

static void on_state(void *user, const unisono_session_state_event *event) {
  plugin *p = user;
  const unisono_activity *activity = NULL;
  telling_state(&p->told, p->session, event);
  if (event->state == UNISONO_SESSION_JOINED && !p->joined) {
    p->joined = 1;
    int is_bringing = p->is_bringing;
    look_at_opened(p);
    if (!is_bringing && !follow_list(p) && unisono_session_activity(p->session, &activity) >= 0) follow(p, activity);
    unisono_free(activity);
  }
  if (event->state == UNISONO_SESSION_INVALIDATED) {
    p->joined = 0;
    if (!p->ever_played) give_up(p, "1");
  }
}

static void on_playlist(void *user, const unisono_playlist_event *event) {
  plugin *p = user;
  static const unisono_participant_id nobody;
  int is_mine = memcmp(&event->originator, &nobody, sizeof nobody) == 0;
  if (!p->joined || p->is_bringing || !event->current_changed || !follow_list(p)) return;
  if (is_mine && (p->moves || event->by_end)) activate(p, p->current.item);
  /* Who took the group there, as the film before had ended, plays on, for all. */
  if (is_mine && event->by_end) check(p, unisono_player_play(p->renderer.player, 0), "play");
  if (is_mine) p->moves = 0;
}

static void on_copy(void *user, const unisono_copy_event *event) {
  if (event->differs != 0) say(user, event->message);
}

/* What was said before is in the terminal of who was there. */
static void on_chat(void *user, const unisono_chat_event *event) {
  if (!event->is_history) telling_chat(&((plugin *)user)->told, event);
}

static void on_say(void *user, const char *text) {
  plugin *p = user;
  if (p->session != NULL && text[0] != '\0') check(p, unisono_session_chat(p->session, text, NULL), "not said");
}

static void on_react(void *user, const char *text) {
  plugin *p = user;
  if (p->session != NULL && text[0] != '\0') check(p, unisono_session_react(p->session, text), "not said");
}

/* The own copy is another cut, so many seconds ahead of the group's. */
static void on_offset(void *user, const char *text) {
  plugin *p = user;
  char *end, line[SAID];
  double seconds = strtod(text, &end);
  if (p->session == NULL) return;
  if (end == text || *end != '\0' || !(seconds >= -21600 && seconds <= 21600)) {
    say(p, "unisono-offset takes seconds, at most six hours either way");
    return;
  }
  if (check(p, unisono_session_set_cut_offset(p->session, &p->entry, (int64_t)(seconds * 1e9)), "offset") < 0) return;
  snprintf(line, sizeof line, "Your copy is taken to be %g s ahead", seconds);
  say(p, line);
}

/* All devices of the one who is called so, for good. */
static void on_remove(void *user, const char *name) {
  plugin *p = user;
  const unisono_participants *all = NULL;
  const unisono_participant *found = NULL;
  char line[SAID];
  size_t of_that_name = 0;
  if (p->session == NULL || unisono_session_participants(p->session, &all) < 0) return;
  for (size_t i = 0; i < all->count; i++)
    if (!all->items[i]->is_local && strcmp(all->items[i]->display_name, name) == 0) {
      found = all->items[i];
      of_that_name++;
    }
  if (of_that_name == 1) check(p, unisono_session_remove_participant(p->session, &found->id), "remove");
  else {
    snprintf(line, sizeof line, of_that_name == 0 ? "Nobody here is called %.200s" : "More than one here is called %.200s", name);
    say(p, line);
  }
  unisono_free(all);
}

static void on_notice(void *user, const unisono_notice_event *event) { telling_notice(&((plugin *)user)->told, event); }

static void write_invite(plugin *p) {
  char invite[4096], line[SAID];
  size_t length = sizeof invite;
  if (p->invite_file == NULL || check(p, unisono_session_invite(p->session, invite, &length), "invite") < 0) return;
  if (host_invite_write(p->invite_file, invite) == 0) return;
  snprintf(line, sizeof line, "The invite cannot be written to %.512s: %s", p->invite_file, strerror(errno));
  say(p, line);
}

static void on_invite(void *user, const unisono_invite_event *event) {
  plugin *p = user;
  (void)event;
  p->kept.kept_at = 0; /* what was kept knows of no newer way to the group */
  telling_invite_changed(&p->told, p->session);
  write_invite(p);
}

static void on_error(void *user, const unisono_error_event *event) {
  char line[SAID];
  snprintf(line, sizeof line, "%s: %s (%s)", event->operation, event->message, unisono_strerror(event->status));
  say(user, line);
}

static void on_close(void *user) { ((plugin *)user)->finished = 1; }

static void on_refused(void *user, const char *what, int32_t status) { check(user, status, what); }

/* ---- Going on on another day ------------------------------------------------------------------------------- */

static int32_t read_kept(plugin *p) {
  char why[SAID];
  if (p->going_on == NULL) return UNISONO_OK;
  if (p->going_on_key == NULL) snprintf(why, sizeof why, "unisono-continue needs unisono-continue-key, a file of %d bytes", GOING_ON_KEY);
  else if (going_on_read(&p->kept, p->going_on, p->going_on_key, why, sizeof why) == 0) return UNISONO_OK;
  say(p, why);
  return UNISONO_EINVAL;
}

/* `wanted`: now, else only where it is old. */
static void keep(plugin *p, int wanted) {
  char why[SAID];
  int64_t now = unisono_context_host_time(p->context);
  if (p->kept.path == NULL || p->session == NULL || !p->joined) return;
  if (!wanted && p->kept.kept_at != 0 && now - p->kept.kept_at < KEPT_EVERY) return;
  if (going_on_keep(&p->kept, p->session, now, why, sizeof why) >= 0) p->is_not_kept = 0;
  else if (!p->is_not_kept) {
    p->is_not_kept = 1;
    p->kept.kept_at = now; /* again in a while */
    say(p, why);
  }
}

/* ---- Opening, running, closing ---------------------------------------------------------------------------- */

static void read_option(plugin *p, const char *name, const char *value) {
  const struct { const char *name; char **place; } options[] = {
      {"unisono-invite", &p->invite}, {"unisono-invite-file", &p->invite_file}, {"unisono-name", &p->name},
      {"unisono-hub", &p->hub}, {"unisono-folders", &p->folders}, {"unisono-trusted-hosts", &p->trusted_hosts},
      {"unisono-host", &p->host}, {"unisono-quit", &p->quit}, {"unisono-brings", &p->brings}, {"unisono-start", &p->start}, {"unisono-leaving", &p->leaving},
      {"unisono-control", &p->control}, {"unisono-copy", &p->copy}, {"unisono-continue", &p->going_on},
      {"unisono-continue-key", &p->going_on_key}};
  char line[SAID];
  if (strncmp(name, "unisono-", 8) != 0) return; /* another script's */
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    if (strcmp(name, options[i].name) != 0) continue;
    *options[i].place = strdup(value);
    return;
  }
  snprintf(line, sizeof line, "%.200s is not an option of this plugin", name);
  say(p, line);
}

static void read_options(plugin *p) {
  mpv_node node;
  if (mpv_get_property(p->renderer.mpv, "options/script-opts", MPV_FORMAT_NODE, &node) < 0) return;
  for (int i = 0; node.format == MPV_FORMAT_NODE_MAP && i < node.u.list->num; i++)
    if (node.u.list->values[i].format == MPV_FORMAT_STRING)
      read_option(p, node.u.list->keys[i], node.u.list->values[i].u.string);
  mpv_free_node_contents(&node);
  p->hosting = p->host != NULL && strcmp(p->host, "yes") == 0;
  p->is_bringing = p->brings != NULL && strcmp(p->brings, "yes") == 0;
}

/* The person's input.conf comes first. */
static void bind_keys(plugin *p) {
  static const struct { const char *key, *does; } bound[] = {
      {"Ctrl+u", "status"}, {"Ctrl+l", "list"}, {"Ctrl+r", "ready"}, {"Ctrl+g", "go"}, {"Ctrl+z", "undo"},
      {">", "next"}, {"NEXT", "next"}, {"<", "previous"}, {"PREV", "previous"}};
  const char *client = mpv_client_name(p->renderer.mpv);
  char section[128], keys[1024];
  snprintf(section, sizeof section, "%s-keys", client);
  /* mpv's own console is the line to write in: between the quotation marks, and closed again once it is said. */
  size_t length = (size_t)snprintf(keys, sizeof keys,
      "Ctrl+Enter script-message-to console type \"script-message unisono-say \\\"\\\"; keypress ESC\" 29\n");
  for (size_t i = 0; i < sizeof bound / sizeof *bound && length < sizeof keys; i++)
    length += (size_t)snprintf(keys + length, sizeof keys - length, "%s script-binding %s/%s\n", bound[i].key, client, bound[i].does);
  const char *define[] = {"define-section", section, keys, "default", NULL};
  const char *enable[] = {"enable-section", section, "allow-hide-cursor+allow-vo-dragging", NULL};
  mpv_command(p->renderer.mpv, define);
  mpv_command(p->renderer.mpv, enable);
}

/* Which of two words an option is, from 1 on; 0: it is not given; -1, after saying so: it is neither. */
static int word_of(plugin *p, const char *option, const char *given, const char *one, const char *other) {
  char line[SAID];
  if (given == NULL) return 0;
  if (strcmp(given, one) == 0) return 1;
  if (strcmp(given, other) == 0) return 2;
  snprintf(line, sizeof line, "%s is \"%.64s\"; give %s or %s", option, given, one, other);
  say(p, line);
  return -1;
}

/* The hub in this process has one port for as long as the session goes on, by which others find it on another day. */
static int32_t host_session(plugin *p, unisono_session_options *options, const unisono_session_callbacks *callbacks) {
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  char place[2][32], line[SAID];
  const char *listen[] = {place[0], place[1]};
  int32_t status = UNISONO_ENETWORK;
  if (p->kept.path == NULL || p->hub != NULL) return unisono_session_host(p->context, options, callbacks, p, &p->session);
  if (p->kept.port == 0) p->kept.port = going_on_free_port();
  snprintf(place[0], sizeof place[0], "[::]:%d", p->kept.port);
  snprintf(place[1], sizeof place[1], "0.0.0.0:%d", p->kept.port);
  hub.listen_count = 1;
  options->hub_options = &hub;
  for (int i = 0; i < 2 && status == UNISONO_ENETWORK && p->kept.port != 0; i++) { /* a machine without IPv6 */
    hub.listen = &listen[i];
    status = unisono_session_host(p->context, options, callbacks, p, &p->session);
  }
  if (status != UNISONO_ENETWORK) return status;
  snprintf(line, sizeof line, "Port %d is not free here: who goes on with this session needs the new invite", p->kept.port);
  say(p, line);
  options->hub_options = NULL;
  return unisono_session_host(p->context, options, callbacks, p, &p->session);
}

static int32_t open_session(plugin *p) {
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  callbacks.state = on_state;
  callbacks.activity = on_activity;
  callbacks.notice = on_notice;
  callbacks.chat = on_chat;
  callbacks.playlist = on_playlist;
  callbacks.copy = on_copy;
  callbacks.invite_changed = on_invite;
  callbacks.error = on_error;
  options.display_name = p->name != NULL ? p->name : host_person();
  int control = word_of(p, "unisono-control", p->control, "everyone", "hosts");
  if (control < 0) return UNISONO_EINVAL;
  going_on_use(&p->kept, &options);
  if (p->hosting) {
    options.hub = p->hub;
    if (control == 2) options.control_policy = UNISONO_CONTROL_HOSTS_ONLY;
    return host_session(p, &options, &callbacks);
  }
  const char *invite = host_invite_read(p->invite);
  if (invite == NULL) return UNISONO_ENOTFOUND;
  return unisono_session_open(p->context, invite, &options, &callbacks, p, &p->session);
}

/* Which starts wait until everybody is ready, and what happens when somebody leaves. */
static int32_t set_start(plugin *p) {
  unisono_start_policy policy = UNISONO_START_POLICY_INIT;
  int start = word_of(p, "unisono-start", p->start, "first", "every");
  int leaving = word_of(p, "unisono-leaving", p->leaving, "go-on", "pause");
  if (start < 0 || leaving < 0) return UNISONO_EINVAL;
  if (start == 0 && leaving == 0) return UNISONO_OK;
  if (start > 0) policy.start = start == 1 ? UNISONO_START_FIRST_WHEN_READY : UNISONO_START_WHEN_READY;
  if (leaving == 2) policy.leaving = UNISONO_LEAVING_PAUSE;
  return check(p, unisono_coordinator_set_start_policy(p->coordinator, &policy), "unisono-start");
}

static int open_all(plugin *p) {
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_player_callbacks callbacks = UNISONO_PLAYER_CALLBACKS_INIT;
  unisono_renderer functions = mpv_renderer_functions();
  callbacks.error = on_error;
  char why[SAID];
  if (read_kept(p) < 0) return -1;
  if (check(p, unisono_context_create(&options, NULL, NULL, &p->context), "unisono") < 0) return -1;
  int32_t status = open_session(p);
  if (status < 0 && going_on_refusal(&p->kept, status, why, sizeof why)) return say(p, why), -1;
  if (check(p, status, p->hosting ? "host" : "join") < 0) return -1;
  p->renderer.context = p->context;
  if (mpv_renderer_attach(&p->renderer, p->renderer.mpv) < 0) return -1;
  if (check(p, unisono_player_create(p->context, &functions, &p->renderer, &callbacks, p, &p->renderer.player), "player") < 0) return -1;
  if (check(p, unisono_player_coordinator(p->renderer.player, &p->coordinator), "player") < 0) return -1;
  if (check(p, unisono_coordinator_coordinate_with_session(p->coordinator, p->session), "player") < 0) return -1;
  if (set_start(p) < 0) return -1;
  if (check(p, unisono_session_join(p->session), "join") < 0) return -1;
  if (p->hosting && p->invite_file == NULL) telling_invite(&p->told, p->session);
  if (p->hosting) write_invite(p);
  return 0;
}

static void run(plugin *p, int library) {
  struct pollfd wait[2] = {{library, POLLIN, 0}, {p->renderer.descriptor, POLLIN, 0}};
  poll(wait, 2, TICK_MS);
  mpv_renderer_run(&p->renderer);
  if (check(p, unisono_context_poll(p->context, 0), "poll") < 0) p->finished = 1;
  look_at_opened(p);
  share_list(p);
  say_copy(p);
  compare(p);
  keep(p, 0);
  telling_waiting(&p->told, p->coordinator, p->session, unisono_context_host_time(p->context));
}

/* Until mpv itself ends: a plugin that returns is gone. */
static void idle(plugin *p) {
  while (mpv_wait_event(p->renderer.mpv, -1)->event_id != MPV_EVENT_SHUTDOWN) continue;
}

/* mpv calls it on a thread of its own; the handle is mpv's. */
__attribute__((visibility("default"))) int mpv_open_cplugin(mpv_handle *mpv);

int mpv_open_cplugin(mpv_handle *mpv) {
  plugin *p = calloc(1, sizeof *p);
  if (p == NULL) return -1;
  p->renderer.mpv = mpv;
  p->renderer.user = p;
  p->renderer.events = (mpv_renderer_events){.close = on_close, .film = on_film, .key = on_key, .say = on_say, .react = on_react, .offset = on_offset, .remove = on_remove, .refused = on_refused};
  p->told = (telling){.show = show, .print = print, .user = p};
  read_options(p);
  if (p->hosting || p->invite != NULL) {
    int library = -1;
    bind_keys(p);
    int is_open = open_all(p) == 0 && (library = check(p, unisono_context_fd(p->context), "descriptor")) >= 0;
    while (is_open && !p->finished) run(p, library);
    keep(p, 1);
    if (!is_open) give_up(p, "1");
    unisono_context_destroy(p->context); /* says goodbye, and ends the session and the player as well */
    mpv_renderer_detach(&p->renderer);
    p->renderer.mpv = mpv;
    if (!p->finished) idle(p);
  }
  char *given[] = {p->going_on, p->going_on_key, p->invite, p->invite_file, p->name, p->hub, p->folders, p->trusted_hosts, p->host, p->quit, p->brings, p->start, p->leaving, p->control, p->opened, p->copy};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++) free(given[i]);
  forget_own(p);
  going_on_forget(&p->kept);
  free(p);
  return 0;
}
