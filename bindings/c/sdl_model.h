/* sdl_model.h: what the library says, as sdl_view.c shows it. */
#ifndef SDL_MODEL_H
#define SDL_MODEL_H
#include "host_shell.h"
#include "sdl_view.h"

/* `position` in nanoseconds of the item, or UNISONO_TIME_INVALID; `rate` as it runs, 0: it stands. */
void sdl_model_read(sdl_model *model, const host_shell *shell, int64_t position, double rate);

#endif
