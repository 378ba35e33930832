/* A renderer that does at once what it is told, and remembers it. */
#ifndef UNISONO_TEST_FAKE_RENDERER_H
#define UNISONO_TEST_FAKE_RENDERER_H

#include "harness.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct {
  unisono_context *context;
  unisono_player *player;
  int loads, cues, plays, pauses, seeks, nudges, volumes, sizes, stops, asked, released;
  int silent;            /* does not answer */
  int fails;             /* answers loads with this status */
  double greatest_rate;  /* fails to play faster than this, and goes on as it did; 0: it can */
  int forgets_positions; /* `now` says that it does not know */
  int64_t at;            /* where it stands, or stood at `since` */
  int64_t since;
  double rate;
  double volume;
  int width, height;
  char uri[64];
  unisono_renderer_command last;
  int64_t duration;
} fake_renderer;

unisono_renderer fake_renderer_functions(void);

/* What a player told. */
typedef struct {
  int time_controls, rates, jumps, statuses, ends, seeks, errors, released;
  unisono_player_event last_control, last_rate, last_status, first_seek, last_seek;
  char last_error_operation[64];
  int last_error_status;
} player_listener;

unisono_player_callbacks player_listener_functions(void);

/* A context, a player over the renderer with a listener, nothing delivered yet. */
void begin_player(fake_renderer *renderer, player_listener *listener);
/* Puts an item into the queue. */
void insert(fake_renderer *renderer, const char *identifier, const char *after);

#if defined(__cplusplus)
}
#endif
#endif
