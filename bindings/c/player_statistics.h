/* player_statistics.h: how well a player keeps in step, as a line for people and tests. */
#ifndef PLAYER_STATISTICS_H
#define PLAYER_STATISTICS_H
#include "unisono_player.h"

/* "stats last 0.012 ms, median ...", or "stats none" before anything was measured. */
void print_player_statistics(unisono_player *player);

#endif
