/* gst_session_clock.h: a GStreamer clock that runs with a session's.
 *
 * Pipelines that use it play the same running time at the same instant on every device, as long as their base times mean
 * the same instant of the session. It never jumps: where the session's clock becomes another (a first one, another hub)
 * it goes on from what it showed, at the new pace.
 */
#ifndef GST_SESSION_CLOCK_H
#define GST_SESSION_CLOCK_H
#include <gst/gst.h>
#include <stdint.h>

#include "unisono.h"

typedef struct gst_session_clock {
  GstClock *clock;          /* for gst_pipeline_use_clock */
  unisono_session *session; /* NULL, or not synchronized yet: the host's own pace */
  unisono_clock source;     /* the session's, as last read */
  /* clock time = clock_origin + nudge * (session time - session_origin) */
  int64_t clock_origin, session_origin;
  double nudge;
} gst_session_clock;

void gst_session_clock_open(gst_session_clock *clock, unisono_session *session);
void gst_session_clock_close(gst_session_clock *clock);
/* Takes over what the session knows by now; call it a few times a second. */
void gst_session_clock_follow(gst_session_clock *clock);
/* From now on faster or slower than the session by this factor; 1: with it. */
void gst_session_clock_nudge(gst_session_clock *clock, double factor);
/* What it shows at a host time, ns, as of the last gst_session_clock_follow. */
int64_t gst_session_clock_at(const gst_session_clock *clock, int64_t host_time);

#endif
