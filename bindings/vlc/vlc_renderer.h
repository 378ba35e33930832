/* vlc_renderer.h: VLC under the player layer, a process of its own that is driven through unisono.lua. It does what unisono_player tells
 * it and says where it is; what the group wants, when to start and how to stay in step is unisono_player's. */
#ifndef VLC_RENDERER_H
#define VLC_RENDERER_H
#include "vlc_line.h"

#include "unisono_player.h"

#include <sys/types.h>

#define VLC_MRL 16384

/* What the program around it is told. Pauses, seeks and speeds of the person at VLC's window are not among that: the group is asked, and
 * commands follow. Called from vlc_renderer_run. */
typedef struct vlc_renderer_events {
  void (*close)(void *user);                             /* VLC has ended */
  void (*film)(void *user, const char *path);            /* the person opened a file or an address, which stands at its beginning */
  void (*key)(void *user, const char *name);             /* "next", "previous" */
  void (*refused)(void *user, const char *what, int32_t status); /* the group was not asked, unisono_last_error says why */
} vlc_renderer_events;

/* What VLC has open: the film that it was given, what stands for the group's next or previous one, or something of the person's. */
typedef enum vlc_open { VLC_NONE, VLC_FILM, VLC_NEXT, VLC_PREVIOUS, VLC_OTHER } vlc_open;

/* An answer of unisono.lua. */
typedef struct vlc_answer {
  vlc_open open;
  int is_playing, is_standing, has_failed;
  int64_t at;           /* host time, ns */
  int64_t time, length; /* ns */
  int per_mille;        /* 1000 / its speed, which VLC keeps as a whole number */
  int is_filled;        /* its buffers are */
} vlc_answer;

typedef struct vlc_renderer {
  /* Set these before vlc_renderer_open and unisono_player_create. */
  unisono_context *context;
  unisono_player *player;
  vlc_renderer_events events;
  void *user; /* for the events */

  /* Wait for this descriptor, and no longer than vlc_renderer_wait says; then call vlc_renderer_run. */
  int descriptor;
  pid_t process;

  char input[VLC_MRL + 64];
  size_t input_length;
  int64_t asked, ask_next; /* host time; asked: 0: no answer is under way */
  int is_stale;            /* the answer under way may be of before what it was told last */
  int has_answered, is_closed;
  vlc_answer last;

  int loaded, running, stalled, at_end;
  int is_persons, is_told_persons; /* what is open a person opened, and the player was not given it yet; events.film was called */
  int is_coming_back;              /* the person had left the film */
  int64_t none_since;              /* host time since which VLC has nothing open; 0: it has */
  char mrl[VLC_MRL];               /* of the film */
  char path[VLC_MRL];              /* as it was given */
  int64_t stand;                   /* where it stands while it does not run */
  double rate, nudge;              /* it runs at the product */
  int keeps_pitch;
  int per_mille;                   /* what it was told of that */
  int64_t speed_strays_since;      /* host time since which it runs at another; 0: it does not */
  vlc_line line;
  int64_t told, moved;             /* host time: when it was told to run, stand or seek last; when its time was seen to change last */
  int64_t strays_since;            /* host time since which it does not do as it was told; 0: it does */

  /* The command that is being carried out; 0: none. */
  uint64_t request;
  enum { VLC_LOADING = 1, VLC_CUEING, VLC_STARTING, VLC_SEEKING } work;
  int64_t load_began;

  int seeking;        /* as it was told */
  int64_t seek_target, seek_from, seek_began;
  int64_t jump_until; /* host time until which a person's jump may be followed by another; 0: none was seen */
  int64_t pressed;    /* host time of a press of play that came before there was what to play; 0: none */
} vlc_renderer;

/* Starts VLC. `arguments`: its command line, with NULL behind the last. Returns 0, or -1 after saying why. */
int vlc_renderer_open(vlc_renderer *renderer, char *const *arguments);
/* Ends VLC, which has some seconds for it. Returns its exit status; -1: it was ended by a signal. */
int vlc_renderer_close(vlc_renderer *renderer);
/* What unisono_player_create needs; its `user` is the vlc_renderer. */
unisono_renderer vlc_renderer_functions(void);
/* Sees what has happened in VLC and tells the player. */
void vlc_renderer_run(vlc_renderer *renderer);
/* Milliseconds until vlc_renderer_run is to be called, at the latest. */
int vlc_renderer_wait(const vlc_renderer *renderer);

/* Opens a file or an address as the person would: events.film follows once it is open. */
void vlc_renderer_open_film(vlc_renderer *renderer, const char *path);
/* Shows text over the film for some seconds. */
void vlc_renderer_show(vlc_renderer *renderer, const char *text);
/* ns, of what is open; 0: not known. */
int64_t vlc_renderer_duration(const vlc_renderer *renderer);

#endif
