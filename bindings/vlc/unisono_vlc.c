/* unisono_vlc.c: VLC in step with everybody else's players, as `unisono watch --player vlc` starts it.
 *
 *     unisono-vlc FILE        its settings, each "NAME=VALUE" with a zero byte behind it
 *
 * NAME: "vlc": the program, "script": the path of unisono.lua without its ending, "option": one of the person's for VLC, "film": a file or
 * an address that the person brings; the others are watching_option's. Descriptor 3, a socket, asks it to end by the word "quit" and by
 * its own end. vlc_renderer.c drives VLC; watching.c is what is watched, with whom; here both are put together. There is one thread. */
#define _POSIX_C_SOURCE 200809L
#include "vlc_renderer.h"

#include "../watch/watching.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TICK_MS 100
#define SECOND INT64_C(1000000000)
#define STARTING (20 * SECOND) /* for the first answer of VLC */
#define ASKED_TO_END 3
#define SAID 1024
/* VLC looks for scripts of this kind in folders of its own alone; from there the root is so many levels up, or fewer. */
#define ROOT "../../../../../../../../../../../../../../../.."

typedef struct vlc_watcher {
  watching watching;
  vlc_renderer renderer;
  char *settings;       /* the file */
  char *vlc, *script;
  char **options, **films;
  size_t option_count, film_count, shared; /* shared: so many films were put on the group's list, or looked at */
  int status;           /* to end with */
  int is_asked_to_end;
} vlc_watcher;

static volatile sig_atomic_t interrupted;

static void on_signal(int number) {
  (void)number;
  interrupted = 1;
}

/* ---- What is shown, and what is open ------------------------------------------------------------------------- */

static void show(void *user, const char *text) { vlc_renderer_show(&((vlc_watcher *)user)->renderer, text); }

static void print(void *user, const char *line) {
  (void)user;
  puts(line);
}

static void quit(void *user, int status) {
  vlc_watcher *v = user;
  v->status = status;
  v->watching.finished = 1;
}

static int64_t duration(void *user) { return vlc_renderer_duration(&((vlc_watcher *)user)->renderer); }
static int is_loaded(void *user) { return ((vlc_watcher *)user)->renderer.loaded; }
static void path(void *user, char *out, size_t room) { snprintf(out, room, "%s", ((vlc_watcher *)user)->renderer.path); }

/* The file's name: what a file says of itself is not always what it is. */
static void title(void *user, char *out, size_t room) {
  const char *whole = ((vlc_watcher *)user)->renderer.path, *name = strrchr(whole, '/');
  snprintf(out, room, "%s", name == NULL || strstr(whole, "://") != NULL ? whole : name + 1);
}

/* ---- What the person does ------------------------------------------------------------------------------------ */

static void on_close(void *user) { ((vlc_watcher *)user)->watching.finished = 1; }
static void on_film(void *user, const char *opened) { watching_opened(&((vlc_watcher *)user)->watching, opened); }
static void on_key(void *user, const char *name) { watching_key(&((vlc_watcher *)user)->watching, name); }
static void on_refused(void *user, const char *what, int32_t status) { watching_check(&((vlc_watcher *)user)->watching, status, what); }

/* The first film is opened; the others stand behind it on the group's list. */
static void share_films(vlc_watcher *v) {
  if (v->shared == 0) v->shared = 1;
  while (v->shared < v->film_count && watching_has_list(&v->watching)) {
    if (watching_share(&v->watching, v->films[v->shared], SHARED_AT_END) < 0) v->shared = v->film_count;
    else v->shared++;
  }
}

/* ---- Settings ------------------------------------------------------------------------------------------------- */

static char *read_file(const char *name, size_t *length) {
  FILE *file = fopen(name, "re");
  char *bytes = malloc(1 << 20);
  if (file == NULL || bytes == NULL) {
    fprintf(stderr, "%s: %s\n", name, strerror(errno));
    if (file != NULL) fclose(file);
    free(bytes);
    return NULL;
  }
  *length = fread(bytes, 1, (1 << 20) - 1, file);
  bytes[*length] = '\0';
  fclose(file);
  return bytes;
}

static void take(vlc_watcher *v, char *name, char *value) {
  if (strcmp(name, "vlc") == 0) v->vlc = value;
  else if (strcmp(name, "script") == 0) v->script = value;
  else if (strcmp(name, "option") == 0) v->options[v->option_count++] = value;
  else if (strcmp(name, "film") == 0) v->films[v->film_count++] = value;
  else if (watching_option(&v->watching, name, value) < 0) fprintf(stderr, "unisono-vlc has no setting %s\n", name);
}

static int read_settings(vlc_watcher *v, const char *name) {
  size_t length, count = 0;
  v->settings = read_file(name, &length);
  if (v->settings == NULL) return -1;
  for (size_t i = 0; i < length; i++) count += v->settings[i] == '\0';
  v->options = calloc(count + 1, sizeof *v->options);
  v->films = calloc(count + 1, sizeof *v->films);
  if (v->options == NULL || v->films == NULL) return -1;
  for (char *at = v->settings, *end = at + length; at < end; at += strlen(at) + 1) {
    char *value = strchr(at, '=');
    if (value == NULL) continue;
    *value = '\0';
    take(v, at, value + 1);
    at = value + 1;
  }
  if (v->vlc != NULL && v->script != NULL) return 0;
  fprintf(stderr, "%s does not say where VLC and its script are\n", name);
  return -1;
}

/* ---- Opening, running, closing -------------------------------------------------------------------------------- */

/* What is ours comes last, so that it holds. */
static int start_vlc(vlc_watcher *v) {
  static char *const ours[] = {"--extraintf=luaintf", "--no-one-instance", "--start-paused", "--play-and-pause",
                               "--no-playlist-autostart", "--no-audio-time-stretch", "--no-loop", "--no-repeat", "--no-random", "--quiet"};
  size_t count = 0, our_count = sizeof ours / sizeof *ours;
  char place[4096];
  char **arguments = calloc(v->option_count + our_count + 3, sizeof *arguments);
  if (arguments == NULL) return -1;
  snprintf(place, sizeof place, "--lua-intf=" ROOT "%s", v->script);
  arguments[count++] = v->vlc;
  for (size_t i = 0; i < v->option_count; i++) arguments[count++] = v->options[i];
  for (size_t i = 0; i < our_count; i++) arguments[count++] = ours[i];
  arguments[count++] = place;
  int status = vlc_renderer_open(&v->renderer, arguments);
  free(arguments);
  return status;
}

static int open_all(vlc_watcher *v) {
  unisono_renderer functions = vlc_renderer_functions();
  v->renderer.user = v;
  v->renderer.events = (vlc_renderer_events){.close = on_close, .film = on_film, .key = on_key, .refused = on_refused};
  if (watching_open(&v->watching) < 0) return -1;
  v->renderer.context = v->watching.context;
  if (start_vlc(v) < 0) return -1;
  int status = watching_join(&v->watching, &functions, &v->renderer);
  v->renderer.player = v->watching.player;
  return status;
}

/* Whoever started this asks it to end, or is gone. */
static int is_to_end(int events) {
  char words[256];
  if (interrupted) return 1;
  if (events == 0) return 0;
  ssize_t count = read(ASKED_TO_END, words, sizeof words - 1);
  words[count < 0 ? 0 : count] = '\0';
  return count <= 0 || strstr(words, "quit") != NULL;
}

static void run(vlc_watcher *v, int library) {
  struct pollfd wait[3] = {{library, POLLIN, 0}, {v->renderer.descriptor, POLLIN, 0}, {ASKED_TO_END, POLLIN, 0}};
  int longest = vlc_renderer_wait(&v->renderer);
  poll(wait, 3, longest < TICK_MS ? longest : TICK_MS);
  if (is_to_end(wait[2].revents)) v->is_asked_to_end = v->watching.finished = 1;
  vlc_renderer_run(&v->renderer);
  watching_turn(&v->watching);
  share_films(v);
}

/* VLC's first answer shows that it is there, and takes what it is told. */
static int has_started(vlc_watcher *v, int64_t began) {
  if (v->renderer.has_answered) return 1;
  return unisono_context_host_time(v->watching.context) - began < STARTING ? 0 : -1;
}

static void watch(vlc_watcher *v, int library) {
  int64_t began = unisono_context_host_time(v->watching.context);
  int started = 0;
  if (v->film_count > 0) vlc_renderer_open_film(&v->renderer, v->films[0]);
  while (started == 0 && !v->watching.finished) {
    run(v, library);
    started = has_started(v, began);
  }
  if (started == 1 || v->is_asked_to_end) {
    while (!v->watching.finished) run(v, library);
    return;
  }
  char line[SAID];
  snprintf(line, sizeof line, "%.256s %s; it takes VLC 3 with its interfaces in Lua (Debian: apt install vlc, or vlc-bin and vlc-plugin-base), "
      "not as root", v->vlc, v->renderer.is_closed ? "ended at once" : "does not answer");
  watching_say(&v->watching, line);
  v->status = 1;
}

int main(int argc, char **argv) {
  static const watching_screen screen = {
      .show = show, .print = print, .quit = quit, .duration = duration, .is_loaded = is_loaded, .title = title, .path = path};
  static vlc_watcher watcher;
  vlc_watcher *v = &watcher;
  struct sigaction action = {.sa_handler = on_signal};
  int library = -1;
  if (argc != 2) {
    fprintf(stderr, "usage: unisono-vlc FILE; it is started by `unisono watch --player vlc`\n");
    return 64;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGINT, SIG_IGN); /* of a terminal, which whoever started this gets, too, and asks this to end */
  sigaction(SIGTERM, &action, NULL);
  watching_begin(&v->watching, &screen, v);
  if (read_settings(v, argv[1]) < 0) return 1;
  int is_open = open_all(v) == 0 && (library = watching_check(&v->watching, unisono_context_fd(v->watching.context), "descriptor")) >= 0;
  if (is_open) watch(v, library);
  else v->status = 1;
  watching_close(&v->watching, 0);
  vlc_renderer_close(&v->renderer);
  free(v->options);
  free(v->films);
  free(v->settings);
  return v->status;
}
