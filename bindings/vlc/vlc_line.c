/* vlc_line.c: see vlc_line.h. */
#include "vlc_line.h"

#include <stdlib.h>

void vlc_line_begin(vlc_line *line, double speed) {
  line->count = 0;
  line->speed = speed;
}

void vlc_line_add(vlc_line *line, int64_t item_time, int64_t host_time) {
  size_t at = line->count++ % VLC_LINE_PLACES;
  line->places[at].item_time = item_time;
  line->places[at].host_time = host_time;
}

static int compare(const void *one, const void *other) {
  int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
  return (a > b) - (a < b);
}

int vlc_line_position(const vlc_line *line, int64_t host_time, int64_t *item_time) {
  int64_t all[VLC_LINE_PLACES];
  size_t count = line->count < VLC_LINE_PLACES ? line->count : VLC_LINE_PLACES;
  if (count == 0) return 0;
  for (size_t i = 0; i < count; i++)
    all[i] = line->places[i].item_time + (int64_t)((double)(host_time - line->places[i].host_time) * line->speed);
  qsort(all, count, sizeof *all, compare);
  *item_time = count % 2 == 1 ? all[count / 2] : all[count / 2 - 1] + (all[count / 2] - all[count / 2 - 1]) / 2;
  return 1;
}

int64_t vlc_line_newest(const vlc_line *line) {
  return line->count == 0 ? 0 : line->places[(line->count - 1) % VLC_LINE_PLACES].host_time;
}
