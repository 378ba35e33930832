/* bindings/c/gst_session_clock.c against a session whose clock is made up, as one machine has only one. test_gst.py runs it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gst_session_clock.h"

#define SECOND INT64_C(1000000000)
#define CHECK(what)                                                     \
  do {                                                                  \
    if (!(what)) fprintf(stderr, "line %d: %s\n", __LINE__, #what), exit(1); \
  } while (0)

static unisono_clock told;
static int32_t status;
static int64_t host_now = 1000 * SECOND;

int32_t unisono_session_clock(unisono_session *session, unisono_clock *out) {
  (void)session;
  if (status == UNISONO_OK) *out = told;
  return status;
}

int64_t unisono_host_time(void) { return host_now; }

static void tell(uint64_t epoch, int64_t session_time, double rate) {
  told = (unisono_clock)UNISONO_CLOCK_INIT;
  told.epoch = epoch;
  told.host_time = host_now;
  told.session_time = session_time;
  told.rate = rate;
}

static int64_t near(int64_t a, int64_t b) { return llabs(a - b) <= 2; }

/* What GStreamer was given says the same as gst_session_clock_at. */
static void check_calibration(const gst_session_clock *clock) {
  GstClockTime internal, external, numerator, denominator;
  gst_clock_get_calibration(clock->clock, &internal, &external, &numerator, &denominator);
  double pace = (double)(gst_session_clock_at(clock, host_now + SECOND) - gst_session_clock_at(clock, host_now)) / 1e9;
  CHECK((int64_t)internal == host_now);
  CHECK(near((int64_t)external, gst_session_clock_at(clock, host_now)));
  CHECK(fabs((double)numerator / (double)denominator - pace) < 2e-9);
}

int main(void) {
  gst_session_clock clock;
  gst_init(NULL, NULL);

  /* Before the session has a clock: the host's pace. */
  status = UNISONO_ESTATE;
  gst_session_clock_open(&clock, (unisono_session *)&clock);
  int64_t begun = gst_session_clock_at(&clock, host_now);
  CHECK(near(gst_session_clock_at(&clock, host_now + 10 * SECOND) - begun, 10 * SECOND));
  check_calibration(&clock);

  /* It gets one, of whatever time: no jump, but its pace. */
  host_now += 10 * SECOND;
  status = UNISONO_OK;
  tell(1, 77 * SECOND, 1.0001);
  gst_session_clock_follow(&clock);
  CHECK(near(gst_session_clock_at(&clock, host_now) - begun, 10 * SECOND));
  CHECK(near(gst_session_clock_at(&clock, host_now + 10 * SECOND) - begun, 20 * SECOND + 1000000));
  check_calibration(&clock);

  /* The session learns that it is 2 ms further: so is the pipeline. */
  host_now += 10 * SECOND;
  tell(1, 87 * SECOND + 1000000 + 2000000, 1.00005);
  gst_session_clock_follow(&clock);
  CHECK(near(gst_session_clock_at(&clock, host_now) - begun, 20 * SECOND + 3000000));
  check_calibration(&clock);

  /* Another hub, another time: no jump. */
  tell(2, 5000 * SECOND, 0.9999);
  gst_session_clock_follow(&clock);
  CHECK(near(gst_session_clock_at(&clock, host_now) - begun, 20 * SECOND + 3000000));
  CHECK(near(gst_session_clock_at(&clock, host_now + SECOND) - begun, 21 * SECOND + 3000000 - 100000));
  check_calibration(&clock);

  /* A nudge is a pace on top, and leaves what it gained behind. */
  tell(2, 5000 * SECOND, 1);
  gst_session_clock_follow(&clock);
  gst_session_clock_nudge(&clock, 1.01);
  CHECK(near(gst_session_clock_at(&clock, host_now) - begun, 20 * SECOND + 3000000));
  check_calibration(&clock);
  host_now += SECOND;
  gst_session_clock_nudge(&clock, 1);
  CHECK(near(gst_session_clock_at(&clock, host_now) - begun, 21 * SECOND + 13000000));
  CHECK(near(gst_session_clock_at(&clock, host_now + SECOND) - begun, 22 * SECOND + 13000000));
  check_calibration(&clock);

  /* The session is over: on as before. */
  status = UNISONO_ECLOSED;
  host_now += SECOND;
  gst_session_clock_follow(&clock);
  CHECK(near(gst_session_clock_at(&clock, host_now) - begun, 22 * SECOND + 13000000));
  check_calibration(&clock);
  gst_session_clock_close(&clock);
  return 0;
}
