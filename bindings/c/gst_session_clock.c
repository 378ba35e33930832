/* gst_session_clock.c: see gst_session_clock.h.
 *
 * It is GStreamer's clock of the system, which is CLOCK_MONOTONIC and so the library's host time, calibrated: the four
 * numbers of unisono_session_clock are the four of gst_clock_set_calibration.
 */
#include "gst_session_clock.h"

#include <math.h>

/* Base times are unsigned: an item that is played from far back must not begin before zero. */
#define BEGINNING (INT64_C(400) * 24 * 3600 * 1000000000)
#define RATE_DENOMINATOR 1000000000

/* `rate` is near 1: its distance from it is all that needs a product, and so nothing is rounded away. */
static int64_t session_at(const unisono_clock *source, int64_t host_time) {
  int64_t age = host_time - source->host_time;
  return source->session_time + age + (int64_t)llround((source->rate - 1) * (double)age);
}

int64_t gst_session_clock_at(const gst_session_clock *clock, int64_t host_time) {
  int64_t since = session_at(&clock->source, host_time) - clock->session_origin;
  return clock->clock_origin + since + (int64_t)llround((clock->nudge - 1) * (double)since);
}

/* Where the session is none, the host's time is the session's. */
static unisono_clock read_source(const gst_session_clock *clock) {
  unisono_clock source = UNISONO_CLOCK_INIT;
  if (clock->session != NULL && unisono_session_clock(clock->session, &source) == UNISONO_OK) return source;
  if (clock->source.rate != 0) return clock->source; /* the session is over: go on as before */
  source.rate = 1;
  return source;
}

static void calibrate(gst_session_clock *clock, int64_t host_time) {
  double rate = clock->nudge * clock->source.rate;
  gst_clock_set_calibration(clock->clock, (GstClockTime)host_time,
                            (GstClockTime)gst_session_clock_at(clock, host_time),
                            (GstClockTime)llround(rate * RATE_DENOMINATOR), RATE_DENOMINATOR);
}

/* Goes on from what it shows at `host_time`, by another source or another nudge. */
static void continue_with(gst_session_clock *clock, int64_t host_time, unisono_clock source, double nudge) {
  clock->clock_origin = gst_session_clock_at(clock, host_time);
  clock->session_origin = session_at(&source, host_time);
  clock->source = source;
  clock->nudge = nudge;
}

void gst_session_clock_follow(gst_session_clock *clock) {
  int64_t host_time = unisono_host_time();
  unisono_clock source = read_source(clock);
  if (source.epoch != clock->source.epoch) continue_with(clock, host_time, source, clock->nudge);
  else clock->source = source;
  calibrate(clock, host_time);
}

void gst_session_clock_nudge(gst_session_clock *clock, double factor) {
  gst_session_clock_follow(clock);
  int64_t host_time = unisono_host_time();
  continue_with(clock, host_time, clock->source, factor);
  calibrate(clock, host_time);
}

void gst_session_clock_open(gst_session_clock *clock, unisono_session *session) {
  *clock = (gst_session_clock){.session = session, .nudge = 1};
  clock->clock = g_object_new(GST_TYPE_SYSTEM_CLOCK, "name", "session", "clock-type", GST_CLOCK_TYPE_MONOTONIC, NULL);
  gst_object_ref_sink(clock->clock);
  clock->source = read_source(clock);
  clock->session_origin = session_at(&clock->source, unisono_host_time());
  clock->clock_origin = BEGINNING;
  gst_session_clock_follow(clock);
}

void gst_session_clock_close(gst_session_clock *clock) {
  g_clear_pointer(&clock->clock, gst_object_unref);
}
