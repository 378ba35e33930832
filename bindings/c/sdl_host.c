/* sdl_host.c: a window with a film that is drawn, in step with everybody else's; picture in picture and full screen.
 *
 *     cc -std=c11 sdl_host.c sdl_model.c sdl_view.c sdl_paint.c pcm_renderer.c host_shell.c host_status.c telling.c \
 *        $(pkg-config --cflags --libs unisono sdl2 SDL2_ttf) -lm -o sdl_host
 *     ./sdl_host host                 prints "invite ..."
 *     ./sdl_host join INVITE          in another terminal or on another machine; press h in the window
 *
 * Everything that people do goes through one of three surfaces of the player: the window, the small window that stays on
 * top, and the full screen. The library says when each begins and ends and asks for the window back; this file shows and
 * hides. The film has no data: pcm_renderer.c, without files, is a clock that obeys, and sdl_view.c draws what it shows.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pcm_renderer.h"
#include "sdl_model.h"

#define FRAME (16 * HOST_MILLISECOND)
#define SKIP (10 * HOST_SECOND)
#define NOTICE_SECONDS 3.0

typedef struct sdl_host {
  host_shell shell; /* first, so that a host_shell * is also an sdl_host * */
  pcm_renderer renderer;
  sdl_view window, small;
  unisono_surface *inline_surface, *picture_in_picture, *full_screen;
  unisono_surface *shown; /* the one that people look at and act on */
  uint64_t restore;       /* the window is asked for, and on its way; 0: no */
  int scrubbing;
  double speed, noticed; /* what play plays at; when the notice came */
  sdl_model model;
  TTF_Font *font;
  const char *font_path;
} sdl_host;

/* ---- What people do ------------------------------------------------------------------------------------------ */

static void play_or_pause(sdl_host *host) {
  host_check(unisono_surface_set_playing(host->shown, unisono_surface_is_paused(host->shown)), "play or pause");
}

static void skip(sdl_host *host, int64_t interval) {
  host_check(unisono_surface_skip_by(host->shown, interval, NULL), "skip");
}

/* The next speed up or down; 0: as the film was made. */
static void change_speed(sdl_host *host, int direction) {
  static const double speeds[] = {0.5, 0.75, 1, 1.25, 1.5, 2};
  int count = (int)(sizeof speeds / sizeof *speeds), at = 2;
  for (int i = 0; i < count; i++)
    if (speeds[i] == host->speed) at = i;
  at = direction == 0 ? 2 : at + direction < 0 ? 0 : at + direction >= count ? count - 1 : at + direction;
  host->speed = speeds[at];
  host_check(unisono_player_set_rate(host->shell.media, host->speed, UNISONO_RATE_AS_DEFAULT), "speed");
  if (!unisono_surface_is_paused(host->shown)) host_check(unisono_player_set_rate(host->shell.media, host->speed, 0), "speed");
}

/* One of the two others is shown, or the window again. */
static void toggle(sdl_host *host, unisono_surface *surface) {
  if (host->shown == surface) host_check(unisono_surface_end(surface), "end");
  else if (host->shown == host->inline_surface) host_check(unisono_surface_begin(surface), "begin");
}

static void on_key(sdl_host *host, SDL_Keycode key) {
  switch (key) {
    case SDLK_SPACE: play_or_pause(host); break;
    case SDLK_LEFT: skip(host, -SKIP); break;
    case SDLK_RIGHT: skip(host, SKIP); break;
    case SDLK_LEFTBRACKET: change_speed(host, -1); break;
    case SDLK_RIGHTBRACKET: change_speed(host, 1); break;
    case SDLK_BACKSPACE: change_speed(host, 0); break;
    case SDLK_r: host_check(unisono_player_replay(host->shell.media, SKIP, 0), "replay"); break;
    case SDLK_p: toggle(host, host->picture_in_picture); break;
    case SDLK_f: toggle(host, host->full_screen); break;
    case SDLK_ESCAPE:
      if (host->shown != host->inline_surface) toggle(host, host->shown);
      break;
    case SDLK_h: host->model.shows_keys = !host->model.shows_keys; break;
    case SDLK_q: host_shell_quit(&host->shell); break;
    default: break;
  }
}

/* The line of progress is held: this player alone goes along, and the group where it is let go. */
static void on_mouse(sdl_host *host, const sdl_view *view, Uint32 type, int x, int y) {
  double place = sdl_view_place(view, x, y);
  if (type == SDL_MOUSEBUTTONDOWN && place < 0) play_or_pause(host);
  if (type == SDL_MOUSEBUTTONDOWN && place >= 0)
    host->scrubbing = host_check(unisono_player_begin_scrub(host->shell.media), "scrub") == UNISONO_OK;
  if (!host->scrubbing) return;
  if (place >= 0) unisono_player_scrub_to(host->shell.media, (int64_t)(place * (double)host->renderer.duration));
  if (type == SDL_MOUSEBUTTONUP) {
    host->scrubbing = 0;
    host_check(unisono_player_end_scrub(host->shell.media, 1), "scrub");
  }
}

/* ---- Surfaces -------------------------------------------------------------------------------------------------- */

static const char *name_of(const sdl_host *host, const void *surface) {
  return surface == host->picture_in_picture ? "picture in picture" : surface == host->full_screen ? "full screen" : "window";
}

static void say(const sdl_host *host, const unisono_surface_event *event, const char *what) {
  printf("%s %s\n", name_of(host, event->base.source), what);
}

static void on_will_begin(void *user, const unisono_surface_event *event) {
  sdl_host *host = user;
  host->shown = event->base.source;
  say(host, event, "begins");
  if (host->shown == host->full_screen) {
    SDL_SetWindowFullscreen(host->window.window, SDL_WINDOW_FULLSCREEN_DESKTOP);
  } else if (host->shown == host->picture_in_picture) {
    SDL_ShowWindow(host->small.window);
    SDL_HideWindow(host->window.window);
  }
}

/* The window is wanted back; once it is there (on_window) the library is told so, and the surface may go. */
static void on_restore(void *user, const unisono_surface_event *event) {
  sdl_host *host = user;
  say(host, event, "asks for the window");
  host->restore = event->request;
  if (event->base.source == host->full_screen) {
    int failed = SDL_SetWindowFullscreen(host->window.window, 0) != 0;
    host_check(unisono_surface_complete_restore(event->base.source, host->restore, !failed), "restore");
    host->restore = 0;
  } else {
    SDL_ShowWindow(host->window.window);
    SDL_RaiseWindow(host->window.window);
  }
}

static void on_will_end(void *user, const unisono_surface_event *event) {
  sdl_host *host = user;
  say(host, event, event->status == UNISONO_OK ? "ends, the window is back" : "ends");
  host->shown = host->inline_surface;
  SDL_HideWindow(host->small.window);
}

static unisono_surface *open_surface(sdl_host *host, unisono_surface_kind kind) {
  unisono_surface_callbacks callbacks = UNISONO_SURFACE_CALLBACKS_INIT;
  unisono_surface *surface = NULL;
  callbacks.will_begin = on_will_begin;
  callbacks.restore_user_interface = on_restore;
  callbacks.will_end = on_will_end;
  host_check(unisono_surface_create(host->shell.media, kind, &callbacks, host, &surface), "surface");
  return surface;
}

static void on_window(sdl_host *host, const SDL_WindowEvent *event) {
  int is_small = event->windowID == SDL_GetWindowID(host->small.window);
  if (event->event == SDL_WINDOWEVENT_SIZE_CHANGED) {
    unisono_surface *surface = is_small ? host->picture_in_picture : host->inline_surface;
    if (!is_small && host->shown == host->full_screen) surface = host->full_screen;
    unisono_surface_set_render_size(surface, event->data1, event->data2);
  } else if (event->event == SDL_WINDOWEVENT_SHOWN && !is_small && host->restore != 0) {
    host_check(unisono_surface_complete_restore(host->picture_in_picture, host->restore, 1), "restore");
    host->restore = 0;
  } else if (event->event == SDL_WINDOWEVENT_CLOSE) {
    if (is_small) toggle(host, host->picture_in_picture);
    else host_shell_quit(&host->shell);
  }
}

/* ---- The loop ---------------------------------------------------------------------------------------------------- */

static void on_event(sdl_host *host, const SDL_Event *event) {
  Uint32 small = SDL_GetWindowID(host->small.window);
  switch (event->type) {
    case SDL_KEYDOWN: on_key(host, event->key.keysym.sym); break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
      on_mouse(host, event->button.windowID == small ? &host->small : &host->window, event->type, event->button.x,
               event->button.y);
      break;
    case SDL_MOUSEMOTION: on_mouse(host, &host->window, event->type, event->motion.x, event->motion.y); break;
    case SDL_WINDOWEVENT: on_window(host, &event->window); break;
    default: break;
  }
}

static double machine_seconds(void) { return (double)unisono_host_time() / 1e9; }

static void read_model(sdl_host *host) {
  sdl_model *model = &host->model;
  int64_t now = host_now(&host->shell);
  model->turn = machine_seconds();
  model->duration = (double)host->renderer.duration / 1e9;
  model->notice_opacity = (float)((host->noticed + NOTICE_SECONDS - model->turn) / 0.5);
  model->notice_opacity = model->notice_opacity > 1 ? 1 : model->notice_opacity < 0 ? 0 : model->notice_opacity;
  sdl_model_read(model, &host->shell, pcm_position(&host->renderer, now), pcm_rate(&host->renderer));
}

static void frame(host_shell *shell) {
  sdl_host *host = (sdl_host *)shell;
  SDL_Event event;
  pcm_run(&host->renderer);
  while (SDL_PollEvent(&event)) on_event(host, &event);
  read_model(host);
  sdl_view_draw(&host->window, &host->model);
  sdl_view_draw(&host->small, &host->model);
}

static void on_notice(host_shell *shell, const char *sentence) {
  sdl_host *host = (sdl_host *)shell;
  snprintf(host->model.notice, sizeof host->model.notice, "%s", sentence);
  host->noticed = machine_seconds();
}

/* ---- The keyboard of the terminal, which may press the window's keys ------------------------------------------------ */

static void press(sdl_host *host, const char *name) {
  SDL_Event event = {.key = {.type = SDL_KEYDOWN, .windowID = SDL_GetWindowID(host->window.window)}};
  event.key.keysym.sym = SDL_GetKeyFromName(name);
  if (event.key.keysym.sym == SDLK_UNKNOWN) fprintf(stderr, "key %s: no such key\n", name);
  else SDL_PushEvent(&event);
}

static void drag(sdl_host *host, double from, double to) {
  const double places[] = {from, to, to};
  const Uint32 types[] = {SDL_MOUSEBUTTONDOWN, SDL_MOUSEMOTION, SDL_MOUSEBUTTONUP};
  for (int i = 0; i < 3; i++) {
    SDL_Point point = sdl_view_point(&host->window, places[i]);
    on_mouse(host, &host->window, types[i], point.x, point.y);
  }
}

static int run_command(host_shell *shell, const char *word, const char *argument) {
  sdl_host *host = (sdl_host *)shell;
  char *rest = NULL;
  if (strcmp(word, "key") == 0) {
    press(host, argument);
  } else if (strcmp(word, "drag") == 0) {
    double from = strtod(argument, &rest);
    drag(host, from, strtod(rest, NULL));
  } else if (strcmp(word, "shot") == 0) {
    sdl_view *view = host->shown == host->picture_in_picture ? &host->small : &host->window;
    read_model(host);
    if (sdl_view_save(view, &host->model, argument) != 0) return 1;
    if (view == &host->window && host->model.notice_opacity > 0) printf("shown %s\n", host->model.notice);
    printf("shot %s\n", argument);
  } else {
    return 0;
  }
  return 1;
}

/* ---- Beginning ------------------------------------------------------------------------------------------------------- */

static int64_t position(host_shell *shell, int64_t at) { return pcm_position(&((sdl_host *)shell)->renderer, at); }
static double rate(host_shell *shell) { return pcm_rate(&((sdl_host *)shell)->renderer); }

static int load(host_shell *shell, const char *item) {
  unisono_player_item current = UNISONO_PLAYER_ITEM_INIT;
  current.identifier = item;
  current.duration = ((sdl_host *)shell)->renderer.duration;
  return host_check(unisono_player_replace_current_item(shell->media, &current), "item") == UNISONO_OK;
}

static int32_t open_player(host_shell *shell, const unisono_player_callbacks *callbacks) {
  sdl_host *host = (sdl_host *)shell;
  unisono_renderer functions = pcm_functions(&host->renderer);
  host->renderer.context = shell->context;
  int32_t status =
      unisono_player_create(shell->context, &functions, &host->renderer, callbacks, shell, &shell->media);
  if (status < 0) return status;
  host->renderer.player = shell->media;
  host->inline_surface = open_surface(host, UNISONO_SURFACE_INLINE);
  host->picture_in_picture = open_surface(host, UNISONO_SURFACE_PICTURE_IN_PICTURE);
  host->full_screen = open_surface(host, UNISONO_SURFACE_FULL_SCREEN);
  host->shown = host->inline_surface;
  unisono_surface_begin(host->inline_surface);
  return UNISONO_OK;
}

static int take_option(host_shell *shell, const char *word, const char *value) {
  if (value == NULL || strcmp(word, "--font") != 0) return 0;
  ((sdl_host *)shell)->font_path = value;
  return 2;
}

/* Without a font there is still the film. */
static TTF_Font *open_font(const char *path) {
  static const char *const known[] = {
      "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
      "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
      "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"};
  TTF_Font *font = path == NULL ? NULL : TTF_OpenFont(path, 16);
  for (size_t i = 0; font == NULL && path == NULL && i < sizeof known / sizeof *known; i++) font = TTF_OpenFont(known[i], 16);
  if (font == NULL) fprintf(stderr, "no font, so no text; name one with --font FILE (Debian: fonts-dejavu-core)\n");
  return font;
}

static int open_windows(sdl_host *host) {
  char title[128];
  SDL_Rect desktop = {0, 0, 1280, 720};
  SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "0");
  SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "1");
  if (SDL_Init(SDL_INIT_VIDEO) != 0 || TTF_Init() != 0) {
    fprintf(stderr, "SDL: %s\n", SDL_GetError());
    return -1;
  }
  host->font = open_font(host->font_path);
  snprintf(title, sizeof title, "Unisono: %s", host->shell.name);
  if (sdl_view_open(&host->window, title, 960, 540, SDL_WINDOW_RESIZABLE, host->font) != 0) return -1;
  Uint32 on_top = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALWAYS_ON_TOP | SDL_WINDOW_UTILITY;
  if (sdl_view_open(&host->small, title, 384, 216, on_top, host->font) != 0) return -1;
  host->small.is_small = 1;
  SDL_GetDisplayUsableBounds(0, &desktop);
  SDL_SetWindowPosition(host->small.window, desktop.x + desktop.w - 408, desktop.y + desktop.h - 240);
  SDL_ShowWindow(host->window.window);
  return 0;
}

static void close_windows(sdl_host *host) {
  sdl_view_close(&host->small);
  sdl_view_close(&host->window);
  if (host->font != NULL) TTF_CloseFont(host->font);
  TTF_Quit();
  SDL_Quit();
}

int main(int argc, char **argv) {
  static const host_player player = {
      .open = open_player, .position = position, .rate = rate, .load = load, .command = run_command,
      .option = take_option, .notice = on_notice, .keep = frame, .keep_interval = FRAME,
      .usage = "player: --font FILE; keys: press h in the window; commands: key NAME, drag FROM TO (parts of the line of\n"
               "        progress, 0...1), shot FILE (a picture of the window, BMP; says the notice that is in it)\n"};
  static sdl_host host = {.speed = 1};
  int status = host_shell_options(&host.shell, &player, argc, argv);
  if (status != 0) return status < 0 ? 0 : status;
  if (host.shell.first_item == NULL && host.shell.hosting) host.shell.first_item = "A day of a minute";
  if (pcm_open(&host.renderer, NULL, NULL, NULL, 0) != 0 || open_windows(&host) != 0) return 1;
  status = host_shell_run(&host.shell, NULL);
  close_windows(&host);
  pcm_close(&host.renderer);
  return status;
}
