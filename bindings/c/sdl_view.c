/* sdl_view.c: see sdl_view.h.
 *
 * The film is a function of the item time: a day of a minute, with hills that pass by, and a ring around the sun or moon on
 * every whole second. Two windows beside each other show at a glance whether they are in step.
 */
#include "sdl_view.h"

#include <math.h>
#include <stdio.h>

#define DAY 60.0
#define HILL_POINTS 97
#define STARS 70
#define TURN 6.2831853f
#define BAR_MARGIN 28.0f
#define BAR_FROM_BELOW 34.0f

static const SDL_Color WHITE = {255, 255, 255, 255};

typedef struct canvas {
  sdl_paint *paint;
  float width, height, scale;
} canvas;

static canvas canvas_of(sdl_view *view) {
  int width = 0, height = 0;
  SDL_GetRendererOutputSize(view->paint.renderer, &width, &height);
  view->paint.scale = (float)height / (view->is_small ? 270.0f : 540.0f);
  return (canvas){&view->paint, (float)width, (float)height, view->paint.scale};
}

/* ---- The film --------------------------------------------------------------------------------------------- */

typedef struct light {
  unsigned zenith, horizon, hills;
} light;

/* Dawn, noon, dusk, midnight: a quarter of the day each. */
static const light LIGHTS[] = {{0x3b4a7a, 0xf4a582, 0x35415f}, {0x2f7fc8, 0xbfe3f5, 0x2f6b52},
                               {0x40325f, 0xf0785a, 0x3a2c4f}, {0x070b1f, 0x1b2750, 0x0c1430}};

static SDL_Color blend(unsigned from, unsigned to, float share) {
  return sdl_mix(sdl_color(from, 1), sdl_color(to, 1), share);
}

static float noise(unsigned seed) {
  seed = (seed ^ 61) ^ (seed >> 16);
  seed *= 9;
  seed ^= seed >> 4;
  seed *= 0x27d4eb2d;
  seed ^= seed >> 15;
  return (float)(seed % 10000) / 10000;
}

static void draw_stars(canvas *c, float night, float seconds) {
  for (unsigned i = 0; i < STARS; i++) {
    float twinkle = 0.6f + 0.4f * sinf(seconds * (1 + noise(i)) + TURN * noise(i + 500));
    float radius = c->scale * (0.7f + 1.1f * noise(i + 900));
    SDL_Color color = sdl_color(0xffffff, night * twinkle * 0.9f);
    sdl_disc(c->paint, c->width * noise(i + 100), c->height * 0.6f * noise(i + 300), radius, color, color);
  }
}

/* Sun by day, moon by night; the ring begins on the second and is gone half a second later. */
static void draw_sun(canvas *c, float day, float second) {
  int is_day = day < 0.5f;
  float way = (is_day ? day : day - 0.5f) * 2;
  float x = c->width * (0.08f + 0.84f * way), y = c->height * (0.62f - 0.44f * sinf(way * TURN / 2));
  float radius = c->height * (is_day ? 0.065f : 0.05f);
  SDL_Color body = is_day ? sdl_color(0xfff1b8, 1) : sdl_color(0xe8ecff, 1);
  SDL_Color glow = is_day ? sdl_color(0xffd27a, 0.55f) : sdl_color(0x9fb4ff, 0.35f), none = glow;
  none.a = 0;
  sdl_disc(c->paint, x, y, radius * 3.2f, glow, none);
  if (second < 0.5f) {
    SDL_Color ring = sdl_color(0xffffff, 0.55f * (1 - second * 2)), clear = ring;
    clear.a = 0;
    sdl_disc(c->paint, x, y, radius * (1.1f + 2.4f * second), clear, ring);
  }
  sdl_disc(c->paint, x, y, radius, body, body);
}

static void draw_hills(canvas *c, float seconds, SDL_Color near_color, SDL_Color horizon) {
  float heights[HILL_POINTS];
  for (int layer = 0; layer < 3; layer++) {
    float depth = (float)layer / 2, speed = 0.02f + 0.07f * depth, base = 0.66f + 0.11f * depth;
    for (int i = 0; i < HILL_POINTS; i++) {
      float x = (float)i / (HILL_POINTS - 1) * 1.6f + seconds * speed + 7 * depth;
      float wave = sinf(x * 3.1f) * 0.5f + sinf(x * 7.3f + 1.7f) * 0.28f + sinf(x * 13.7f + depth) * 0.12f;
      heights[i] = c->height * (base - (0.075f - 0.015f * depth) * wave);
    }
    SDL_Color crest = sdl_mix(horizon, near_color, 0.45f + 0.55f * depth);
    SDL_FPoint size = {c->width, c->height};
    sdl_hill(c->paint, heights, HILL_POINTS, size, crest, sdl_mix(crest, sdl_color(0x000000, 1), 0.45f));
  }
}

static void draw_balloon(canvas *c, float seconds) {
  float x = c->width * (0.5f + 0.36f * sinf(seconds * 0.11f)), y = c->height * (0.36f + 0.05f * sinf(seconds * 0.7f));
  float radius = c->height * 0.045f;
  sdl_disc(c->paint, x, y, radius, sdl_color(0xff8f6b, 1), sdl_color(0xc9405a, 1));
  SDL_FRect basket = {x - radius * 0.22f, y + radius * 1.45f, radius * 0.44f, radius * 0.3f};
  SDL_SetRenderDrawColor(c->paint->renderer, 60, 40, 40, 200);
  SDL_RenderDrawLineF(c->paint->renderer, x - radius * 0.7f, y + radius * 0.7f, basket.x, basket.y);
  SDL_RenderDrawLineF(c->paint->renderer, x + radius * 0.7f, y + radius * 0.7f, basket.x + basket.w, basket.y);
  sdl_box(c->paint, basket, radius * 0.06f, sdl_color(0x5b4032, 1));
}

static void draw_film(canvas *c, double at) {
  float day = (float)(fmod(fmod(at, DAY) + DAY, DAY) / DAY), quarter = day * 4;
  const light *from = &LIGHTS[(int)quarter % 4], *to = &LIGHTS[((int)quarter + 1) % 4];
  float share = quarter - floorf(quarter), seconds = (float)fmod(at, 3600);
  SDL_Color horizon = blend(from->horizon, to->horizon, share);
  float night = 1 - fminf(1, fabsf(day - 0.75f) / 0.25f);
  SDL_FRect sky = {0, 0, c->width, c->height * 0.8f};
  sdl_gradient(c->paint, sky, blend(from->zenith, to->zenith, share), horizon);
  if (night > 0) draw_stars(c, night, seconds);
  draw_sun(c, day, (float)(at - floor(at)));
  draw_hills(c, seconds, blend(from->hills, to->hills, share), horizon);
  draw_balloon(c, seconds);
}

/* ---- What people want to know ------------------------------------------------------------------------------- */

static SDL_FRect bar_of(const canvas *c) {
  float margin = BAR_MARGIN * c->scale, height = 6 * c->scale;
  return (SDL_FRect){margin, c->height - BAR_FROM_BELOW * c->scale, c->width - 2 * margin, height};
}

static void clock_text(char *out, size_t size, double seconds) {
  if (seconds < 0) seconds = 0;
  int whole = (int)seconds;
  snprintf(out, size, "%d:%02d.%d", whole / 60, whole % 60, (int)((seconds - whole) * 10));
}

static void draw_symbol(canvas *c, float x, float y, float size, const sdl_model *model) {
  if (model->is_waiting) {
    for (int i = 0; i < 8; i++) { /* dots in a circle, one after the other */
      float turn = TURN * (float)i / 8, light = (float)fmod(model->turn - (double)i / 8 + 16, 1);
      SDL_Color color = sdl_color(0xffffff, 0.25f + 0.75f * light);
      sdl_disc(c->paint, x + size * cosf(turn) * 0.8f, y + size * sinf(turn) * 0.8f, size * 0.17f, color, color);
    }
  } else if (model->rate == 0) {
    SDL_Vertex triangle[] = {{{x - size * 0.55f, y - size * 0.8f}, WHITE, {0, 0}},
                             {{x - size * 0.55f, y + size * 0.8f}, WHITE, {0, 0}},
                             {{x + size * 0.85f, y}, WHITE, {0, 0}}};
    SDL_RenderGeometry(c->paint->renderer, NULL, triangle, 3, NULL, 0);
  } else {
    for (int side = -1; side <= 1; side += 2)
      sdl_box(c->paint, (SDL_FRect){x + (float)side * size * 0.42f - size * 0.2f, y - size * 0.75f, size * 0.4f, size * 1.5f},
              size * 0.12f, WHITE);
  }
}

static void draw_progress(canvas *c, const sdl_model *model) {
  SDL_FRect bar = bar_of(c), done = bar;
  float part = model->duration > 0 ? (float)fmin(1, fmax(0, model->seconds / model->duration)) : 0;
  done.w = fmaxf(bar.h, bar.w * part);
  sdl_box(c->paint, bar, bar.h, sdl_color(0xffffff, 0.28f));
  sdl_box(c->paint, done, bar.h, sdl_color(0xffffff, 0.95f));
  sdl_disc(c->paint, bar.x + bar.w * part, bar.y + bar.h / 2, bar.h * 1.4f, WHITE, WHITE);
}

static void draw_controls(canvas *c, const sdl_model *model) {
  char time[32], length[32], text[SDL_VIEW_TEXT + 96];
  float y = c->height - 60 * c->scale, margin = BAR_MARGIN * c->scale;
  sdl_gradient(c->paint, (SDL_FRect){0, c->height - 150 * c->scale, c->width, 150 * c->scale}, sdl_color(0, 0),
               sdl_color(0x05070f, 0.82f));
  draw_progress(c, model);
  draw_symbol(c, margin + 9 * c->scale, y, 11 * c->scale, model);
  clock_text(time, sizeof time, model->seconds);
  clock_text(length, sizeof length, model->duration);
  snprintf(text, sizeof text, "%s  /  %s", time, length);
  sdl_text(c->paint, 17, margin + 32 * c->scale, y, SDL_ALIGN_LEFT, WHITE, text);
  snprintf(text, sizeof text, "%s", model->item);
  if (model->rate != 0 && model->rate != 1) snprintf(text, sizeof text, "%s   × %.4g", model->item, model->rate);
  sdl_text(c->paint, 15, c->width / 2, y, SDL_ALIGN_CENTER, sdl_color(0xffffff, 0.85f), text);
  sdl_text(c->paint, 14, c->width - margin, y, SDL_ALIGN_RIGHT, sdl_color(0xffffff, 0.75f), model->sync);
}

static void draw_people(canvas *c, const sdl_model *model) {
  static const unsigned colors[] = {0x5fe08a, 0xffc857, 0xa9b2c8, 0x6b7186};
  float y = 30 * c->scale, height = 28 * c->scale;
  for (int i = 0; i < model->people_count; i++, y += height + 6 * c->scale) {
    const sdl_person *person = &model->people[i];
    char text[160];
    snprintf(text, sizeof text, person->words[0] == '\0' ? "%s" : "%s  ·  %s", person->name, person->words);
    float width = sdl_text(c->paint, 14, 0, 0, SDL_ALIGN_LEFT, sdl_color(0, 0), text);
    SDL_FRect chip = {18 * c->scale, y - height / 2, width + 40 * c->scale, height};
    SDL_Color dot = sdl_color(colors[person->mood], 1);
    sdl_box(c->paint, chip, height / 2, sdl_color(0x05070f, 0.45f));
    sdl_disc(c->paint, chip.x + 15 * c->scale, y, 5 * c->scale, dot, dot);
    sdl_text(c->paint, 14, chip.x + 27 * c->scale, y, SDL_ALIGN_LEFT, WHITE, text);
  }
}

/* A line in the middle of the picture, on a plate that it fits. */
static void draw_plate(canvas *c, float y, float size, float opacity, const char *text) {
  float width = sdl_text(c->paint, size, 0, 0, SDL_ALIGN_LEFT, sdl_color(0, 0), text), height = size * 2.2f * c->scale;
  if (width == 0 || opacity <= 0) return;
  SDL_FRect plate = {(c->width - width) / 2 - height * 0.6f, y - height / 2, width + height * 1.2f, height};
  sdl_box(c->paint, plate, height / 2, sdl_color(0x05070f, 0.6f * opacity));
  sdl_text(c->paint, size, c->width / 2, y, SDL_ALIGN_CENTER, sdl_color(0xffffff, opacity), text);
}

static void draw_keys(canvas *c) {
  static const char *const lines[] = {
      "space  play or pause, for everybody", "left, right  ten seconds back or on", "[ ]  slower, faster    backspace  as made",
      "r  what did they say?", "p  picture in picture    f  full screen", "mouse on the line  go there    q  leave"};
  float y = c->height * 0.27f;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++, y += 40 * c->scale) draw_plate(c, y, 15, 1, lines[i]);
}

static void draw_all(sdl_view *view, const sdl_model *model) {
  canvas c = canvas_of(view);
  draw_film(&c, model->seconds);
  if (view->is_small) {
    draw_progress(&c, model);
    if (model->rate == 0) draw_symbol(&c, c.width / 2, c.height / 2, 26 * c.scale, model);
    return;
  }
  draw_controls(&c, model);
  draw_people(&c, model);
  if (model->shows_keys) {
    draw_keys(&c);
  } else if (model->is_waiting) {
    char text[SDL_VIEW_TEXT + 32];
    snprintf(text, sizeof text, model->waiting_for[0] == '\0' ? "getting ready" : "waiting for %s", model->waiting_for);
    draw_plate(&c, c.height * 0.46f, 22, 1, text);
  }
  draw_plate(&c, c.height * 0.13f, 16, model->notice_opacity, model->notice);
}

/* ---- The window ---------------------------------------------------------------------------------------------- */

void sdl_view_draw(sdl_view *view, const sdl_model *model) {
  if ((SDL_GetWindowFlags(view->window) & (SDL_WINDOW_HIDDEN | SDL_WINDOW_MINIMIZED)) != 0) return;
  draw_all(view, model);
  SDL_RenderPresent(view->paint.renderer);
}

double sdl_view_place(const sdl_view *view, int x, int y) {
  sdl_view copy = *view;
  canvas c = canvas_of(&copy);
  SDL_FRect bar = bar_of(&c);
  if (fabsf((float)y - bar.y) > 16 * c.scale || view->is_small) return -1;
  return fmin(1, fmax(0, ((double)x - bar.x) / bar.w));
}

SDL_Point sdl_view_point(const sdl_view *view, double part) {
  sdl_view copy = *view;
  canvas c = canvas_of(&copy);
  SDL_FRect bar = bar_of(&c);
  return (SDL_Point){(int)lround(bar.x + part * bar.w), (int)lround(bar.y + bar.h / 2)};
}

int sdl_view_save(sdl_view *view, const sdl_model *model, const char *path) {
  int width = 0, height = 0;
  SDL_GetRendererOutputSize(view->paint.renderer, &width, &height);
  SDL_Surface *picture = SDL_CreateRGBSurfaceWithFormat(0, width, height, 24, SDL_PIXELFORMAT_RGB24);
  draw_all(view, model);
  int failed = picture == NULL ||
               SDL_RenderReadPixels(view->paint.renderer, NULL, SDL_PIXELFORMAT_RGB24, picture->pixels, picture->pitch) != 0 ||
               SDL_SaveBMP(picture, path) != 0;
  if (failed) fprintf(stderr, "%s: %s\n", path, SDL_GetError());
  SDL_FreeSurface(picture);
  return failed ? -1 : 0;
}

int sdl_view_open(sdl_view *view, const char *title, int width, int height, Uint32 flags, TTF_Font *font) {
  view->window = SDL_CreateWindow(title, SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, width, height,
                                  flags | SDL_WINDOW_HIDDEN);
  view->paint.renderer = view->window == NULL ? NULL : SDL_CreateRenderer(view->window, -1, 0);
  if (view->paint.renderer == NULL) {
    fprintf(stderr, "SDL: %s\n", SDL_GetError());
    return -1;
  }
  view->paint.font = font;
  SDL_SetRenderDrawBlendMode(view->paint.renderer, SDL_BLENDMODE_BLEND);
  return 0;
}

void sdl_view_close(sdl_view *view) {
  SDL_DestroyRenderer(view->paint.renderer);
  SDL_DestroyWindow(view->window);
  view->paint.renderer = NULL;
  view->window = NULL;
}
