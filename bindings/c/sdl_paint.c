/* sdl_paint.c: see sdl_paint.h. All positions are pixels of the window. */
#include "sdl_paint.h"

#include <math.h>
#include <string.h>

#define CORNERS 48
#define TURN 6.2831853f

SDL_Color sdl_color(unsigned rgb, float opacity) {
  return (SDL_Color){(Uint8)(rgb >> 16), (Uint8)(rgb >> 8), (Uint8)rgb, (Uint8)lroundf(255 * opacity)};
}

SDL_Color sdl_mix(SDL_Color from, SDL_Color to, float share) {
  float rest = 1 - share;
  return (SDL_Color){(Uint8)(from.r * rest + to.r * share), (Uint8)(from.g * rest + to.g * share),
                     (Uint8)(from.b * rest + to.b * share), (Uint8)(from.a * rest + to.a * share)};
}

static SDL_Vertex vertex(float x, float y, SDL_Color color) { return (SDL_Vertex){{x, y}, color, {0, 0}}; }

void sdl_gradient(sdl_paint *paint, SDL_FRect a, SDL_Color top, SDL_Color bottom) {
  const int order[] = {0, 1, 2, 2, 1, 3};
  SDL_Vertex corners[] = {vertex(a.x, a.y, top), vertex(a.x + a.w, a.y, top), vertex(a.x, a.y + a.h, bottom),
                          vertex(a.x + a.w, a.y + a.h, bottom)};
  SDL_RenderGeometry(paint->renderer, NULL, corners, 4, order, 6);
}

/* From the middle to a rim of CORNERS points, and one pixel further out to nothing, so that no edge looks like stairs. */
static void fan(sdl_paint *paint, SDL_FPoint middle, const SDL_FPoint *rim, SDL_Color inner, SDL_Color outer) {
  SDL_Vertex triangles[CORNERS * 9];
  SDL_Color clear = outer;
  clear.a = 0;
  SDL_FPoint beyond[CORNERS];
  for (int i = 0; i < CORNERS; i++) {
    float x = rim[i].x - middle.x, y = rim[i].y - middle.y, length = hypotf(x, y);
    float farther = length > 0 ? (length + 1) / length : 1;
    beyond[i] = (SDL_FPoint){middle.x + x * farther, middle.y + y * farther};
  }
  for (int i = 0; i < CORNERS; i++) {
    int next = (i + 1) % CORNERS;
    SDL_Vertex nine[] = {vertex(middle.x, middle.y, inner),        vertex(rim[i].x, rim[i].y, outer),
                         vertex(rim[next].x, rim[next].y, outer),  vertex(rim[i].x, rim[i].y, outer),
                         vertex(rim[next].x, rim[next].y, outer),  vertex(beyond[i].x, beyond[i].y, clear),
                         vertex(beyond[i].x, beyond[i].y, clear),  vertex(beyond[next].x, beyond[next].y, clear),
                         vertex(rim[next].x, rim[next].y, outer)};
    memcpy(triangles + 9 * i, nine, sizeof nine);
  }
  SDL_RenderGeometry(paint->renderer, NULL, triangles, CORNERS * 9, NULL, 0);
}

void sdl_disc(sdl_paint *paint, float x, float y, float radius, SDL_Color middle, SDL_Color rim) {
  SDL_FPoint points[CORNERS];
  for (int i = 0; i < CORNERS; i++) {
    float turn = TURN * (float)i / CORNERS;
    points[i] = (SDL_FPoint){x + radius * cosf(turn), y + radius * sinf(turn)};
  }
  fan(paint, (SDL_FPoint){x, y}, points, middle, rim);
}

void sdl_box(sdl_paint *paint, SDL_FRect a, float radius, SDL_Color color) {
  SDL_FPoint points[CORNERS];
  radius = fminf(radius, fminf(a.w, a.h) / 2);
  for (int i = 0; i < CORNERS; i++) {
    int corner = i * 4 / CORNERS; /* from the lower right one on, clockwise */
    float turn = TURN * ((float)corner / 4 + (float)(i % (CORNERS / 4)) / (CORNERS / 4 - 1) / 4);
    float x = corner == 0 || corner == 3 ? a.x + a.w - radius : a.x + radius;
    float y = corner < 2 ? a.y + a.h - radius : a.y + radius;
    points[i] = (SDL_FPoint){x + radius * cosf(turn), y + radius * sinf(turn)};
  }
  fan(paint, (SDL_FPoint){a.x + a.w / 2, a.y + a.h / 2}, points, color, color);
}

void sdl_hill(sdl_paint *paint, const float *heights, int count, SDL_FPoint size, SDL_Color crest, SDL_Color foot) {
  SDL_Color clear = crest;
  clear.a = 0;
  for (int i = 0; i + 1 < count; i++) {
    float left = size.x * (float)i / (float)(count - 1), right = size.x * (float)(i + 1) / (float)(count - 1);
    SDL_Vertex strip[] = {vertex(left, heights[i], crest), vertex(right, heights[i + 1], crest),
                          vertex(left, size.y, foot), vertex(right, size.y, foot)};
    const int order[] = {0, 1, 2, 2, 1, 3};
    SDL_RenderGeometry(paint->renderer, NULL, strip, 4, order, 6);
    SDL_Vertex edge[] = {vertex(left, heights[i] - 1.5f, clear), vertex(right, heights[i + 1] - 1.5f, clear), strip[0],
                         strip[1]};
    SDL_RenderGeometry(paint->renderer, NULL, edge, 4, order, 6);
  }
}

float sdl_text(sdl_paint *paint, float size, float x, float y, sdl_align align, SDL_Color color, const char *text) {
  if (paint->font == NULL || text[0] == '\0') return 0;
  int width = 0, height = 0, points = (int)lroundf(size * paint->scale);
  TTF_SetFontSize(paint->font, points < 6 ? 6 : points);
  TTF_SizeUTF8(paint->font, text, &width, &height);
  SDL_Surface *surface = color.a == 0 ? NULL : TTF_RenderUTF8_Blended(paint->font, text, color);
  SDL_Texture *texture = surface == NULL ? NULL : SDL_CreateTextureFromSurface(paint->renderer, surface);
  if (texture != NULL) {
    SDL_SetTextureAlphaMod(texture, color.a);
    float left = align == SDL_ALIGN_LEFT ? x : align == SDL_ALIGN_CENTER ? x - (float)width / 2 : x - (float)width;
    SDL_FRect place = {roundf(left), roundf(y - (float)height / 2), (float)width, (float)height};
    SDL_RenderCopyF(paint->renderer, texture, NULL, &place);
  }
  SDL_DestroyTexture(texture);
  SDL_FreeSurface(surface);
  return (float)width;
}
