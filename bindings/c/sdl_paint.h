/* sdl_paint.h: the few shapes that sdl_view.c draws with, on SDL2 and SDL2_ttf. */
#ifndef SDL_PAINT_H
#define SDL_PAINT_H
#include <SDL.h>
#include <SDL_ttf.h>

typedef struct sdl_paint {
  SDL_Renderer *renderer;
  TTF_Font *font; /* NULL: no text */
  float scale;    /* pixels of the window to one of a window 540 high */
} sdl_paint;

typedef enum sdl_align { SDL_ALIGN_LEFT, SDL_ALIGN_CENTER, SDL_ALIGN_RIGHT } sdl_align;

SDL_Color sdl_color(unsigned rgb, float opacity);
SDL_Color sdl_mix(SDL_Color from, SDL_Color to, float share);
void sdl_gradient(sdl_paint *paint, SDL_FRect area, SDL_Color top, SDL_Color bottom);
/* A disc whose colour goes from the middle to the rim; a glow, where that is transparent. */
void sdl_disc(sdl_paint *paint, float x, float y, float radius, SDL_Color middle, SDL_Color rim);
/* A box with round corners. */
void sdl_box(sdl_paint *paint, SDL_FRect area, float radius, SDL_Color color);
/* Everything between the curve through `count` heights, left to right, and the window's lower edge. */
void sdl_hill(sdl_paint *paint, const float *heights, int count, SDL_FPoint size, SDL_Color crest, SDL_Color foot);
/* (x, y) is in the middle of the line's height. Returns the width, also when the text is only measured (opacity 0). */
float sdl_text(sdl_paint *paint, float size, float x, float y, sdl_align align, SDL_Color color, const char *text);

#endif
