/* vlc_line.h: where a VLC that plays is, made of what it says of that: four times a second a new place, seen some milliseconds after it
 * held. The line goes through the median of the newest ones. */
#ifndef VLC_LINE_H
#define VLC_LINE_H
#include <stddef.h>
#include <stdint.h>

#define VLC_LINE_PLACES 9

typedef struct vlc_line {
  struct { int64_t item_time, host_time; } places[VLC_LINE_PLACES]; /* ns; the newest is at (count - 1) % VLC_LINE_PLACES */
  size_t count; /* all since the line began */
  double speed;
} vlc_line;

/* It runs on from elsewhere, or at another speed: what was seen before says nothing any more. */
void vlc_line_begin(vlc_line *line, double speed);
void vlc_line_add(vlc_line *line, int64_t item_time, int64_t host_time);
/* 1: a position at a host time; 0: none is known. */
int vlc_line_position(const vlc_line *line, int64_t host_time, int64_t *item_time);
/* Host time of the newest place; 0: there is none. */
int64_t vlc_line_newest(const vlc_line *line);

#endif
