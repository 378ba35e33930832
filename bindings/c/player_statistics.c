/* player_statistics.c: see player_statistics.h. */
#include "player_statistics.h"

#include <stdio.h>

void print_player_statistics(unisono_player *player) {
  unisono_player_statistics s = UNISONO_PLAYER_STATISTICS_INIT;
  if (unisono_player_get_statistics(player, &s) < 0) fprintf(stderr, "stats: %s\n", unisono_last_error());
  else if (s.skew_last == UNISONO_TIME_INVALID) printf("stats none\n");
  else
    printf("stats last %.3f ms, median %.3f ms, p95 %.3f ms, greatest %.3f ms, %llu nudges, %llu seeks\n",
           (double)s.skew_last / 1e6, (double)s.skew_median / 1e6, (double)s.skew_p95 / 1e6,
           (double)s.skew_maximum / 1e6, (unsigned long long)s.nudges, (unsigned long long)s.seeks);
  fflush(stdout);
}
