/* renderer_functions.h: how a renderer of these hosts hands its functions to unisono_player_create. */
#ifndef RENDERER_FUNCTIONS_H
#define RENDERER_FUNCTIONS_H
#include "unisono_player.h"

/* All of them, by the names that each renderer's file has for its own: on_load, on_cue, on_play, ... `can`: capabilities;
 * `band`: how far off it may be, ns, before anything is corrected. */
#define RENDERER_FUNCTIONS(can, band)                                                                              \
  ((unisono_renderer){.size = sizeof(unisono_renderer), .capabilities = (can), .dead_band = (band),                \
                      .load = on_load, .cue = on_cue, .play = on_play, .pause = on_pause, .seek = on_seek,         \
                      .nudge = on_nudge, .set_volume = on_volume, .now = on_now, .stop = on_stop})

#endif
