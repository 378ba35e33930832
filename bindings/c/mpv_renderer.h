/* mpv_renderer.h: mpv under the player layer. It does what unisono_player tells it and says where it is; what the group
 * wants, when to start and how to stay in step is unisono_player's. */
#ifndef MPV_RENDERER_H
#define MPV_RENDERER_H
#include <mpv/client.h>
#include <stdint.h>

#include "unisono_player.h"

/* What the program around it is told. Pauses, seeks and speeds of the person at mpv's window are not among that: the window
 * goes back to what it was, the group is asked, and commands follow. Called from mpv_renderer_run. */
typedef struct mpv_renderer_events {
  void (*close)(void *user); /* the window, or mpv as a whole */
  /* The person opened a file or an address, which stands at its beginning by now. NULL: mpv is asked for nothing but what
   * the player loads. */
  void (*film)(void *user, const char *path);
  void (*key)(void *user, const char *name);              /* a key bound to "script-binding CLIENT/name"; NULL: there is none */
  void (*say)(void *user, const char *text);              /* "script-message unisono-say TEXT"; NULL: nothing is to be said */
  void (*react)(void *user, const char *text);            /* "script-message unisono-react TEXT"; NULL: the same */
  void (*offset)(void *user, const char *text);           /* "script-message unisono-offset SECONDS"; NULL: the same */
  void (*remove)(void *user, const char *name);           /* "script-message unisono-remove NAME"; NULL: the same */
  void (*refused)(void *user, const char *what, int32_t status); /* the group was not asked, unisono_last_error says why */
} mpv_renderer_events;

typedef struct mpv_renderer {
  /* Set these before mpv_renderer_open or mpv_renderer_attach, and unisono_player_create. */
  unisono_context *context;
  unisono_player *player;
  mpv_renderer_events events;
  void *user; /* for the events */

  /* Wait for this descriptor, and call mpv_renderer_run when it is readable and ten times a second. */
  int descriptor;

  mpv_handle *mpv;
  int wakeup; /* mpv writes, `descriptor` reads */
  int loaded, running, stalled, at_end, is_closed;
  int64_t stand;         /* where it stands while it does not run */
  double rate, nudge;    /* it runs at the product */
  int64_t measured_from; /* host time: what it says of its position before is not to be believed */

  /* The command that is being carried out; 0: none. */
  uint64_t request;
  enum { MPV_LOADING = 1, MPV_CUEING, MPV_STARTING, MPV_SEEKING } work;

  int64_t entry;    /* of mpv's list: what the player had it load last */
  int is_persons;   /* what is open a person opened, and the player was not given it yet */
  char *told;       /* the last film of a person's that the program around it heard of; NULL: none */
  int is_later;     /* `told` is to be loaded at `stand` if what the person opened instead cannot be opened */
  int64_t pressed;  /* host time of a press of play that came before there was what to play; 0: none */

  int seeking, seek_is_exact; /* as it was told */
  enum { MPV_SEEK_BEGUN = 1, MPV_SEEK_OVER, MPV_SEEK_TOLD } user_seeking; /* as a person did; 0: the group knows where it is */
  int64_t user_sought; /* host time of that, or of the last of several */
  int user_seeks_on;   /* it was not the first of several */
  int64_t seek_target, seek_before, seek_began; /* `seek_before`: the target of the one that it was at when it was told */
} mpv_renderer;

/* Opens mpv without a file. `vo` and `ao` are mpv's names, NULL: its choice; `ipc` is a path for its JSON commands, or
 * NULL. Returns 0, or -1 after saying why. */
int mpv_renderer_open(mpv_renderer *renderer, const char *vo, const char *ao, const char *ipc);
/* Takes an mpv that runs already, as a plugin has it, and stops what plays: it is the group's from now on. The handle
 * stays its owner's. Returns 0, or -1 after saying why. */
int mpv_renderer_attach(mpv_renderer *renderer, mpv_handle *mpv);
/* After the player has ended, of one that was opened. */
void mpv_renderer_close(mpv_renderer *renderer);
/* The same of one that was attached: mpv goes on without. */
void mpv_renderer_detach(mpv_renderer *renderer);
/* What unisono_player_create needs; its `user` is the mpv_renderer. */
unisono_renderer mpv_renderer_functions(void);
/* Sees what has happened in mpv and tells the player. */
void mpv_renderer_run(mpv_renderer *renderer);

/* Shows a line over the film for some seconds. */
void mpv_renderer_show(mpv_renderer *renderer, const char *sentence);

/* Where it is at a host time, ns; UNISONO_TIME_INVALID while nothing is loaded. */
int64_t mpv_renderer_position(mpv_renderer *renderer, int64_t host_time);
/* As it really runs; 0 while it stands or lacks data. */
double mpv_renderer_rate(const mpv_renderer *renderer);

#endif
