#include "harness.h"

/* "No time" is UNISONO_TIME_INVALID; in a struct of the host's a flag says that a time is there. */

static unisono_context *context;
static unisono_coordinator *coordinator;
static player p;

static void begin(void) {
  unisono_playback_delegate delegate = player_delegate();
  memset(&p, 0, sizeof p);
  p.completes = 1;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &p, &coordinator), UNISONO_OK);
}

static int64_t expected(int64_t host_time) {
  int64_t time = 0;
  EQUAL(unisono_coordinator_expected_item_time(coordinator, host_time, &time), UNISONO_OK);
  return time;
}

static void proposals(void) {
  unisono_timing proposed = UNISONO_TIMING_INIT, read = UNISONO_TIMING_INIT;
  int64_t now = unisono_host_time();
  begin();
  proposed.rate = 1;
  proposed.item_time = milliseconds(5000);
  proposed.host_time = now;
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", &proposed), UNISONO_EINVAL);
  CHECK(strstr(unisono_last_error(), "UNISONO_HAS_HOST_TIME") != NULL);
  proposed.flags = UNISONO_HAS_POSITION;
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", &proposed), UNISONO_EINVAL);
  proposed.flags = UNISONO_HAS_HOST_TIME;
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", &proposed), UNISONO_OK);
  pump(context);
  EQUAL(expected(now), milliseconds(5000));
  EQUAL(expected(now + milliseconds(100)), milliseconds(5100));
  /* What was read can be proposed as it is. */
  EQUAL(unisono_coordinator_timing(coordinator, &read), UNISONO_OK);
  EQUAL(read.flags, UNISONO_HAS_HOST_TIME);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "another", &read), UNISONO_OK);
  pump(context);
  EQUAL(expected(now + milliseconds(100)), milliseconds(5100));
  /* Host time 0 is a time: the machine's start. */
  proposed.host_time = 0;
  proposed.rate = 0.001;
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "third", &proposed), UNISONO_OK);
  pump(context);
  EQUAL(expected(milliseconds(1000)) - expected(0), milliseconds(1));
  /* The line is kept from now on: what it was at the machine's start is rounded twice. */
  CHECK(expected(0) >= milliseconds(5000) - 1 && expected(0) <= milliseconds(5000) + 1);
  unisono_context_destroy(context);
}

static void reports(void) {
  unisono_playback_report report = UNISONO_PLAYBACK_REPORT_INIT;
  begin();
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_OK);
  report.item_time = 1;
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_EINVAL);
  CHECK(strstr(unisono_last_error(), "UNISONO_HAS_POSITION") != NULL);
  report.item_time = report.host_time = UNISONO_TIME_INVALID;
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_OK);
  report.flags = UNISONO_HAS_POSITION;
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_OK);
  report.item_time = 1;
  report.host_time = 0;
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_OK);
  report.latest = 7;
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_EINVAL);
  CHECK(strstr(unisono_last_error(), "UNISONO_HAS_RANGE") != NULL);
  report.flags |= UNISONO_HAS_RANGE;
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_OK);
  report.earliest = 8;
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_EINVAL);
  report.flags = 0x80000000u;
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_EINVAL);
  unisono_context_destroy(context);
}

/* A range from 0 to 0 is one: an item that is no longer than its beginning. */
static void a_range_of_nothing(void) {
  unisono_playback_report report = UNISONO_PLAYBACK_REPORT_INIT;
  begin();
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", NULL), UNISONO_OK);
  report.flags = UNISONO_HAS_RANGE;
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_seek(coordinator, milliseconds(5000), 0), UNISONO_OK);
  pump(context);
  EQUAL(expected(unisono_host_time()), 0);
  unisono_context_destroy(context);
}

static void nothing(void *user, const unisono_timer_event *event) {
  (void)user;
  (void)event;
}

static void waits(void) {
  unisono_context *polled = NULL;
  int64_t left;
  uint64_t token = 0;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &polled), UNISONO_OK);
  pump(polled);
  EQUAL(unisono_context_timeout(polled), UNISONO_TIME_INDEFINITE);
  EQUAL(unisono_context_wake(polled), UNISONO_OK);
  EQUAL(unisono_context_poll(polled, unisono_context_timeout(polled)), 0);
  EQUAL(unisono_context_call_at(polled, unisono_host_time() + milliseconds(60000), nothing, NULL, &token), UNISONO_OK);
  pump(polled);
  left = unisono_context_timeout(polled);
  CHECK(left > milliseconds(1000) && left <= milliseconds(60000));
  unisono_context_destroy(polled);
}

void test_times(void) {
  run_test("F1 a proposal holds from now on, or from the host time that is flagged; 0 is a time", proposals);
  run_test("F5 a report's position and range count with their flags, and are missed without", reports);
  run_test("F5 a range that is flagged may be empty", a_range_of_nothing);
  run_test("no timer is UNISONO_TIME_INDEFINITE, which poll takes", waits);
}
