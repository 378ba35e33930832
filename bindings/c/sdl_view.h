/* sdl_view.h: the windows of sdl_host: a film drawn from the item time alone, and over it what people want to know. */
#ifndef SDL_VIEW_H
#define SDL_VIEW_H
#include "sdl_paint.h"

#define SDL_VIEW_PEOPLE 12
#define SDL_VIEW_TEXT 160

typedef enum sdl_mood { SDL_MOOD_IN_STEP, SDL_MOOD_PREPARING, SDL_MOOD_APART, SDL_MOOD_AWAY } sdl_mood;

typedef struct sdl_person {
  char name[64];
  char words[64]; /* why it is not with the others; "": it is */
  sdl_mood mood;
} sdl_person;

/* Everything that is shown. */
typedef struct sdl_model {
  double seconds, duration, rate; /* of the item; rate 0: it stands */
  int is_waiting;                 /* the group prepares a start */
  double turn;                    /* seconds of the machine's own time, for what moves while the item stands */
  char item[SDL_VIEW_TEXT];
  char waiting_for[SDL_VIEW_TEXT]; /* "Ben, Cem"; "": nobody */
  char sync[SDL_VIEW_TEXT];        /* "in step: 0.2 ms" */
  char notice[SDL_VIEW_TEXT];      /* "Ben skipped 10 s"; "": nothing new */
  float notice_opacity;
  sdl_person people[SDL_VIEW_PEOPLE];
  int people_count;
  int shows_keys;
} sdl_model;

typedef struct sdl_view {
  SDL_Window *window;
  sdl_paint paint;
  int is_small; /* picture in picture: the film and a line of progress */
} sdl_view;

/* Hidden at first. Returns 0, or -1 after saying what is missing. */
int sdl_view_open(sdl_view *view, const char *title, int width, int height, Uint32 flags, TTF_Font *font);
void sdl_view_draw(sdl_view *view, const sdl_model *model);
/* Which part of the item a point of the window stands for, 0...1; negative: it is not on the line of progress. */
double sdl_view_place(const sdl_view *view, int x, int y);
/* The point in the middle of the line of progress at that part. */
SDL_Point sdl_view_point(const sdl_view *view, double part);
/* A picture of the window as it is now, as BMP. */
int sdl_view_save(sdl_view *view, const sdl_model *model, const char *path);
void sdl_view_close(sdl_view *view);

#endif
