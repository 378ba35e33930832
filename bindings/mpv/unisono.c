/* unisono.c: a plugin of mpv (0.33 and newer) that keeps it in step with everybody else's.
 *
 *     mpv --script=unisono.so --script-opts=unisono-host=yes film.mkv          shows an invite
 *     mpv --script=unisono.so --script-opts=unisono-invite=@FILE --idle       in the other place
 *
 * Also in mpv's folder of scripts; without one of these two options it does nothing. The others are watching_option's, each with
 * "unisono-" in front. mpv_renderer.c drives mpv, as it does in mpv_host.c; watching.c is what is watched, with whom; here mpv's own
 * options, screen and keys are put to them. There is one thread, which mpv starts for it: libunisono's descriptor and mpv's wake-up are
 * waited for together. */
#define _POSIX_C_SOURCE 200809L
#include "../c/mpv_renderer.h"
#include "../watch/watching.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICK_MS 100
#define SAID 1024

typedef struct plugin {
  watching watching;
  mpv_renderer renderer;
  int is_list_refused;
} plugin;

/* ---- What is shown, and what is open ------------------------------------------------------------------------- */

static void print(void *user, const char *line) {
  const char *words[] = {"raw", "print-text", line, NULL};
  mpv_command_async(((plugin *)user)->renderer.mpv, 0, words);
}

static void show(void *user, const char *text) { mpv_renderer_show(&((plugin *)user)->renderer, text); }

static void quit(void *user, int status) {
  char text[16];
  const char *words[] = {"quit", text, NULL};
  snprintf(text, sizeof text, "%d", status);
  mpv_command(((plugin *)user)->renderer.mpv, words);
}

static int64_t duration(void *user) {
  double seconds = 0;
  if (mpv_get_property(((plugin *)user)->renderer.mpv, "duration", MPV_FORMAT_DOUBLE, &seconds) < 0) return 0;
  return seconds > 0 && seconds < 1e9 ? (int64_t)(seconds * 1e9) : 0;
}

static int is_loaded(void *user) { return ((plugin *)user)->renderer.loaded; }

static void text_property(plugin *p, const char *property, char *out, size_t room) {
  char *text = mpv_get_property_string(p->renderer.mpv, property);
  int is_whole = text != NULL && strlen(text) < room;
  snprintf(out, room, "%s", is_whole ? text : "");
  mpv_free(text);
}

static void title(void *user, char *out, size_t room) { text_property(user, "media-title", out, room); }
static void path(void *user, char *out, size_t room) { text_property(user, "path", out, room); }

/* ---- mpv's own list ------------------------------------------------------------------------------------------ */

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
  if (p->is_list_refused || !watching_has_list(&p->watching)) return;
  if (mpv_get_property(p->renderer.mpv, "playlist-count", MPV_FORMAT_INT64, &count) < 0 || count < 2) return;
  if (mpv_get_property(p->renderer.mpv, "playlist", MPV_FORMAT_NODE, &list) < 0) return;
  for (int i = 0; list.format == MPV_FORMAT_NODE_ARRAY && i < list.u.list->num && refused == 0; i++) {
    const char *path = path_of(&list.u.list->values[i], &is_current);
    if (is_current) is_behind = 1;
    else if (path != NULL) refused = watching_share(&p->watching, path, is_behind ? SHARED_AT_END : SHARED_BEFORE_CURRENT);
  }
  mpv_free_node_contents(&list);
  p->is_list_refused = refused < 0;
  const char *words[] = {"playlist-clear", NULL}; /* all but what is open */
  if (refused == 0) mpv_command(p->renderer.mpv, words);
}

/* ---- What the person does ------------------------------------------------------------------------------------ */

static void on_film(void *user, const char *path) { watching_opened(&((plugin *)user)->watching, path); }
static void on_key(void *user, const char *name) { watching_key(&((plugin *)user)->watching, name); }
static void on_say(void *user, const char *text) { watching_chat(&((plugin *)user)->watching, text); }
static void on_react(void *user, const char *text) { watching_react(&((plugin *)user)->watching, text); }
static void on_offset(void *user, const char *seconds) { watching_offset(&((plugin *)user)->watching, seconds); }
static void on_remove(void *user, const char *name) { watching_remove(&((plugin *)user)->watching, name); }
static void on_close(void *user) { ((plugin *)user)->watching.finished = 1; }

static void on_refused(void *user, const char *what, int32_t status) {
  watching_check(&((plugin *)user)->watching, status, what);
}

/* ---- Opening, running, closing ---------------------------------------------------------------------------- */

static void read_option(plugin *p, const char *name, const char *value) {
  char line[SAID];
  if (strncmp(name, "unisono-", 8) != 0) return; /* another script's */
  if (watching_option(&p->watching, name + 8, value) == 0) return;
  snprintf(line, sizeof line, "%.200s is not an option of this plugin", name);
  watching_say(&p->watching, line);
}

static void read_options(plugin *p) {
  mpv_node node;
  if (mpv_get_property(p->renderer.mpv, "options/script-opts", MPV_FORMAT_NODE, &node) < 0) return;
  for (int i = 0; node.format == MPV_FORMAT_NODE_MAP && i < node.u.list->num; i++)
    if (node.u.list->values[i].format == MPV_FORMAT_STRING)
      read_option(p, node.u.list->keys[i], node.u.list->values[i].u.string);
  mpv_free_node_contents(&node);
}

/* The person's input.conf comes first. */
static void bind_keys(plugin *p) {
  static const struct { const char *key, *does; } bound[] = {
      {"Ctrl+u", "status"}, {"Ctrl+l", "list"}, {"Ctrl+r", "ready"}, {"Ctrl+g", "go"}, {"Ctrl+z", "undo"},
      {"Ctrl+a", "ask"}, {"Ctrl+y", "yes"}, {"Ctrl+n", "no"},
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

static int open_all(plugin *p) {
  unisono_renderer functions = mpv_renderer_functions();
  if (watching_open(&p->watching) < 0) return -1;
  p->renderer.context = p->watching.context;
  if (mpv_renderer_attach(&p->renderer, p->renderer.mpv) < 0) return -1;
  int status = watching_join(&p->watching, &functions, &p->renderer);
  p->renderer.player = p->watching.player;
  if (status < 0) return status;
  /* Who stops to talk about a picture means the one that it sees; and nobody has to seek first when it goes on. */
  return watching_check(&p->watching, unisono_coordinator_set_pause_snaps_to_originator(p->watching.coordinator, 1), "pause");
}

static void run(plugin *p, int library) {
  struct pollfd wait[2] = {{library, POLLIN, 0}, {p->renderer.descriptor, POLLIN, 0}};
  poll(wait, 2, TICK_MS);
  mpv_renderer_run(&p->renderer);
  watching_turn(&p->watching);
  share_list(p);
}

/* Until mpv itself ends: a plugin that returns is gone. */
static void idle(plugin *p) {
  while (mpv_wait_event(p->renderer.mpv, -1)->event_id != MPV_EVENT_SHUTDOWN) continue;
}

/* mpv calls it on a thread of its own; the handle is mpv's. */
__attribute__((visibility("default"))) int mpv_open_cplugin(mpv_handle *mpv);

int mpv_open_cplugin(mpv_handle *mpv) {
  static const watching_screen screen = {
      .show = show, .print = print, .quit = quit, .duration = duration, .is_loaded = is_loaded, .title = title, .path = path,
      .answer_keys = "Ctrl+y: yes, Ctrl+n: no", .ask_keys = "Ctrl+a asks those who may"};
  plugin *p = calloc(1, sizeof *p);
  if (p == NULL) return -1;
  p->renderer.mpv = mpv;
  p->renderer.user = p;
  p->renderer.events = (mpv_renderer_events){.close = on_close, .film = on_film, .key = on_key, .say = on_say, .react = on_react, .offset = on_offset, .remove = on_remove, .refused = on_refused};
  watching_begin(&p->watching, &screen, p);
  read_options(p);
  int takes_part = p->watching.hosting || p->watching.invite != NULL, is_open = 0, library = -1;
  if (takes_part) {
    bind_keys(p);
    is_open = open_all(p) == 0 && (library = watching_check(&p->watching, unisono_context_fd(p->watching.context), "descriptor")) >= 0;
    while (is_open && !p->watching.finished) run(p, library);
  }
  watching_close(&p->watching, takes_part && !is_open ? 1 : 0);
  if (takes_part) {
    mpv_renderer_detach(&p->renderer);
    p->renderer.mpv = mpv;
    if (!p->watching.finished) idle(p);
  }
  free(p);
  return 0;
}
