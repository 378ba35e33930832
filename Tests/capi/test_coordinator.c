/* A coordinator alone: every command goes through it, nobody has to be waited for. */
#include "harness.h"

static unisono_context *context;
static unisono_coordinator *coordinator;
static player p;

static void begin(void) {
  unisono_playback_delegate delegate = player_delegate();
  memset(&p, 0, sizeof p);
  p.completes = 1;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &p, &coordinator), UNISONO_OK);
  pump(context);
}

static void first_delivery(void) {
  char text[16];
  size_t length = sizeof text;
  int64_t time = 0;
  begin();
  EQUAL(p.participants, 1);
  EQUAL(p.first_participants_complete, 1);
  EQUAL(unisono_coordinator_current_item(coordinator, text, &length), UNISONO_OK);
  EQUAL(length, 1);
  EQUAL(text[0], 0);
  EQUAL(unisono_coordinator_expected_item_time(coordinator, 0, &time), UNISONO_ESTATE);
  CHECK(time == UNISONO_TIME_INVALID);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1, 0), UNISONO_ESTATE);
  EQUAL(unisono_coordinator_coordinate_seek(coordinator, 0, 0), UNISONO_ESTATE);
  EQUAL(unisono_coordinator_undo_jump(coordinator), UNISONO_ESTATE);
  EQUAL(unisono_coordinator_start_without(coordinator, NULL, 0), UNISONO_ESTATE);
  EQUAL(unisono_coordinator_reapply_current_item_state(coordinator), UNISONO_ESTATE);
  unisono_context_destroy(context);
  EQUAL(p.released, 1);
}

static void play_pause_seek(void) {
  unisono_timing timing = UNISONO_TIMING_INIT;
  unisono_coordinator_statistics stats = UNISONO_COORDINATOR_STATISTICS_INIT;
  char text[16];
  size_t length = sizeof text;
  int64_t time = 0, now;
  uint64_t first;
  begin();
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", NULL), UNISONO_OK);
  /* A request of this thread counts at once for the next one. */
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 2, 0), UNISONO_OK);
  CHECK(pump_until(context, &p.plays, 1));
  first = p.last.id;
  CHECK(first != 0);
  CHECK(p.last.rate == 2);
  EQUAL(p.last.item_time, 0);
  EQUAL(p.last.is_local, 1);
  EQUAL(p.last.base.type, UNISONO_EVENT_COORDINATOR_PLAY);
  EQUAL(p.last.base.size, sizeof(unisono_command));
  CHECK(p.last.base.source == (void *)coordinator);
  CHECK(p.last.host_time != UNISONO_TIME_INVALID);
  CHECK(p.last.due_host_time == UNISONO_TIME_INVALID);
  CHECK(strcmp(p.last_item, "movie") == 0);
  EQUAL(p.last_timing_status, UNISONO_TIMING_PLAYING);
  EQUAL(unisono_coordinator_current_item(coordinator, text, &length), UNISONO_OK);
  CHECK(strcmp(text, "movie") == 0);

  EQUAL(unisono_coordinator_expected_item_time(coordinator, p.last.host_time, &time), UNISONO_OK);
  EQUAL(time, 0);
  EQUAL(unisono_coordinator_expected_item_time(coordinator, p.last.host_time + milliseconds(1000), &time), UNISONO_OK);
  EQUAL(time, milliseconds(2000));
  EQUAL(unisono_coordinator_timing(coordinator, &timing), UNISONO_OK);
  EQUAL(timing.state, UNISONO_TIMING_PLAYING);
  CHECK(timing.rate == 2);
  EQUAL(timing.item_time + (int64_t)(timing.rate * (double)(p.last.host_time - timing.host_time)), 0);
  EQUAL(unisono_coordinator_expected_item_time(coordinator, INT64_MAX, &time), UNISONO_OK);
  EQUAL(unisono_coordinator_expected_item_time(coordinator, INT64_MIN + 1, &time), UNISONO_OK);
  EQUAL(unisono_coordinator_expected_item_time(coordinator, UNISONO_TIME_INVALID, &time), UNISONO_EINVAL);
  EQUAL(time, UNISONO_TIME_INVALID);

  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 0, 0), UNISONO_OK);
  CHECK(pump_until(context, &p.pauses, p.pauses + 1));
  CHECK(p.last.id > first);
  const int64_t was = p.last.item_time;
  EQUAL(p.last_timing_status, UNISONO_TIMING_PAUSED);
  now = unisono_host_time();
  EQUAL(unisono_coordinator_expected_item_time(coordinator, now, &time), UNISONO_OK);
  EQUAL(time, p.last.item_time);

  EQUAL(unisono_coordinator_coordinate_seek(coordinator, milliseconds(60000), 0), UNISONO_OK);
  CHECK(pump_until(context, &p.seeks, 1));
  EQUAL(p.last.item_time, milliseconds(60000));
  EQUAL(unisono_coordinator_expected_item_time(coordinator, now, &time), UNISONO_OK);
  EQUAL(time, milliseconds(60000));
  /* G6: back to where it was, and forth again. */
  EQUAL(unisono_coordinator_undo_jump(coordinator), UNISONO_OK);
  CHECK(pump_until(context, &p.seeks, 2));
  EQUAL(p.last.item_time, was);
  EQUAL(unisono_coordinator_undo_jump(coordinator), UNISONO_OK);
  CHECK(pump_until(context, &p.seeks, 3));
  EQUAL(p.last.item_time, milliseconds(60000));
  pump(context);
  EQUAL(unisono_coordinator_get_statistics(coordinator, &stats), UNISONO_OK);
  CHECK(stats.commands_issued >= 3);
  CHECK(stats.commands_completed >= 3);
  EQUAL(stats.state, UNISONO_TIMING_PAUSED);
  unisono_context_destroy(context);
}

static void proposal(void) {
  unisono_timing proposed = UNISONO_TIMING_INIT;
  int64_t time = 0;
  begin();
  proposed.rate = 1;
  proposed.item_time = milliseconds(5000);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", &proposed), UNISONO_OK);
  /* The player is where it proposes to be: there is nothing to command. */
  pump(context);
  EQUAL(p.plays, 0);
  EQUAL(unisono_coordinator_expected_item_time(coordinator, unisono_host_time(), &time), UNISONO_OK);
  CHECK(time >= milliseconds(5000) && time < milliseconds(9000));
  EQUAL(unisono_coordinator_transition_to_item(coordinator, NULL, NULL), UNISONO_OK);
  pump(context);
  EQUAL(unisono_coordinator_expected_item_time(coordinator, unisono_host_time(), &time), UNISONO_ESTATE);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1, 0), UNISONO_ESTATE);
  unisono_context_destroy(context);
}

/* Each is no list of ranges, and nothing of it is kept. */
static void no_interstitials(void) {
  static const unisono_interstitial wrong[][2] = {
      {{5, 5}, {10, 20}}, {{10, 20}, {6, 5}}, {{5, 11}, {10, 20}}, {{10, 20}, {10, 20}}, {{10, 20}, {5, 30}},
      {{UNISONO_TIME_INVALID, 5}, {10, 20}}, {{5, 10}, {10, UNISONO_TIME_INDEFINITE}},
  };
  static const unisono_interstitial right[] = {{20, 30}, {10, 20}, {-5, 0}};
  size_t i;
  for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    EQUAL(unisono_coordinator_set_interstitials(coordinator, "film", wrong[i], 2), UNISONO_EINVAL);
    CHECK(strstr(unisono_last_error(), "ranges") != NULL);
  }
  EQUAL(unisono_coordinator_set_interstitials(coordinator, "film", NULL, 1), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_interstitials(coordinator, "film", right, 65), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_interstitials(coordinator, "film", right, SIZE_MAX), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_interstitials(coordinator, NULL, right, 3), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_interstitials(coordinator, "", right, 3), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_interstitials(coordinator, "film", right, 3), UNISONO_OK);
  EQUAL(unisono_coordinator_set_interstitials(coordinator, "film", NULL, 0), UNISONO_OK);
}

static void refusals(void) {
  unisono_timing proposed = UNISONO_TIMING_INIT;
  unisono_playback_report report = UNISONO_PLAYBACK_REPORT_INIT;
  unisono_stall_policy policy = UNISONO_STALL_POLICY_INIT;
  unisono_start_policy starts = UNISONO_START_POLICY_INIT;
  static unisono_participant_id many[17];
  static char long_text[1100];
  double zero = 0;
  begin();
  memset(long_text, 'x', sizeof long_text - 1);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "", NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, long_text, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "\xc3\x28", NULL), UNISONO_EINVAL);
  long_text[1023] = 0;
  EQUAL(unisono_coordinator_transition_to_item(coordinator, long_text, NULL), UNISONO_OK);
  proposed.rate = 17;
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "a", &proposed), UNISONO_EINVAL);
  proposed.rate = zero / zero;
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "a", &proposed), UNISONO_EINVAL);
  proposed.rate = 1;
  proposed.item_time = UNISONO_TIME_INVALID;
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "a", &proposed), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, zero / zero, 0), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1 / zero, 0), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 16.5, 0), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1, 2), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, -16, 0), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_seek(coordinator, UNISONO_TIME_INVALID, 0), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_seek(coordinator, UNISONO_TIME_INDEFINITE, 0), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_seek(coordinator, 0, 4), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_seek(coordinator, INT64_MAX - 1, 0), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_seek(coordinator, INT64_MIN + 1, 0), UNISONO_OK);
  EQUAL(unisono_coordinator_set_wait_limit(coordinator, -1), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_wait_limit(coordinator, milliseconds(600001)), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_wait_limit(coordinator, 0), UNISONO_OK);
  policy.wait = 1;
  policy.debounce = -1;
  EQUAL(unisono_coordinator_set_stall_policy(coordinator, &policy), UNISONO_EINVAL);
  policy.debounce = milliseconds(60001);
  EQUAL(unisono_coordinator_set_stall_policy(coordinator, &policy), UNISONO_EINVAL);
  policy.debounce = 0;
  policy.limit = UNISONO_TIME_INDEFINITE;
  EQUAL(unisono_coordinator_set_stall_policy(coordinator, &policy), UNISONO_EINVAL);
  policy.limit = -1;
  EQUAL(unisono_coordinator_set_stall_policy(coordinator, &policy), UNISONO_EINVAL);
  policy.limit = milliseconds(600000);
  EQUAL(unisono_coordinator_set_stall_policy(coordinator, &policy), UNISONO_OK);
  EQUAL(unisono_coordinator_set_stall_policy(coordinator, NULL), UNISONO_OK);
  starts.limit = milliseconds(600001);
  EQUAL(unisono_coordinator_set_start_policy(coordinator, &starts), UNISONO_EINVAL);
  starts.limit = -1;
  EQUAL(unisono_coordinator_set_start_policy(coordinator, &starts), UNISONO_EINVAL);
  starts.limit = UNISONO_TIME_INDEFINITE;
  EQUAL(unisono_coordinator_set_start_policy(coordinator, &starts), UNISONO_EINVAL);
  starts.limit = milliseconds(600000);
  starts.start = (unisono_start_rule)3;
  EQUAL(unisono_coordinator_set_start_policy(coordinator, &starts), UNISONO_EINVAL);
  starts.start = UNISONO_START_WHEN_READY;
  starts.leaving = (unisono_leaving_rule)-1;
  EQUAL(unisono_coordinator_set_start_policy(coordinator, &starts), UNISONO_EINVAL);
  starts.leaving = UNISONO_LEAVING_PAUSE;
  EQUAL(unisono_coordinator_set_start_policy(coordinator, &starts), UNISONO_OK);
  EQUAL(unisono_coordinator_set_start_policy(coordinator, NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_set_ready(coordinator, (unisono_readiness)3), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_ready(coordinator, (unisono_readiness)-1), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_ready(coordinator, UNISONO_READINESS_NOT_READY), UNISONO_OK);
  EQUAL(unisono_coordinator_start_without(coordinator, many, 17), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_start_without(coordinator, many, 16), UNISONO_OK);
  EQUAL(unisono_coordinator_set_action_at_end(coordinator, (unisono_action_at_end)3), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_action_at_end(coordinator, (unisono_action_at_end)-1), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_skipped_ranges(coordinator, 16), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_skipped_ranges(coordinator, UINT32_MAX), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_skipped_ranges(coordinator, UNISONO_RANGE_INTRO | UNISONO_RANGE_OTHER), UNISONO_OK);
  EQUAL(unisono_coordinator_set_skipped_ranges(coordinator, 0), UNISONO_OK);
  EQUAL(unisono_coordinator_skipped_ranges(coordinator), 0);
  no_interstitials();
  EQUAL(unisono_coordinator_set_output_offset(coordinator, milliseconds(5001)), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_output_offset(coordinator, milliseconds(-5000)), UNISONO_OK);
  report.rate = zero / zero;
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_EINVAL);
  report.rate = 1;
  report.flags = UNISONO_HAS_RANGE | UNISONO_HAS_POSITION;
  report.earliest = 5;
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_EINVAL);
  report.latest = INT64_MAX;
  report.item_time = INT64_MAX;
  report.host_time = INT64_MIN + 1;
  EQUAL(unisono_coordinator_report(coordinator, &report), UNISONO_OK);
  EQUAL(unisono_coordinator_complete(coordinator, 0), UNISONO_ENOTFOUND);
  EQUAL(unisono_coordinator_complete(coordinator, UINT64_MAX), UNISONO_ENOTFOUND);
  EQUAL(unisono_coordinator_fail(coordinator, 1, 0), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_fail(coordinator, 1, UNISONO_EIO), UNISONO_ENOTFOUND);
  pump(context);
  EQUAL(unisono_coordinator_complete(coordinator, p.last.id), UNISONO_OK);
  EQUAL(unisono_coordinator_complete(coordinator, p.last.id), UNISONO_OK);
  EQUAL(unisono_coordinator_complete(coordinator, p.last.id + 1), UNISONO_ENOTFOUND);
  pump(context);
  unisono_context_destroy(context);
}

static void suspensions(void) {
  unisono_suspension *first = NULL, *second = NULL;
  const char *const *reasons = NULL;
  size_t count = 9, length;
  char text[64];
  int64_t began = 0, before = unisono_host_time();
  begin();
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_suspension_reasons(coordinator, &reasons, &count), UNISONO_OK);
  EQUAL(count, 0);
  CHECK(reasons == NULL);
  EQUAL(unisono_coordinator_begin_suspension(coordinator, UNISONO_REASON_USER_ACTION_REQUIRED, &first), UNISONO_OK);
  EQUAL(unisono_coordinator_begin_suspension(coordinator, "my own", &second), UNISONO_OK);
  pump(context);
  CHECK(p.suspensions >= 1);
  EQUAL(p.suspension_count, 2);
  EQUAL(unisono_coordinator_suspension_reasons(coordinator, &reasons, &count), UNISONO_OK);
  EQUAL(count, 2);
  if (count == 2) CHECK(strcmp(reasons[1], "my own") == 0);
  unisono_free(reasons);
  length = sizeof text;
  EQUAL(unisono_suspension_reason(second, text, &length), UNISONO_OK);
  CHECK(strcmp(text, "my own") == 0);
  EQUAL(unisono_suspension_begin_time(second, &began), UNISONO_OK);
  CHECK(began >= before && began <= unisono_host_time());
  EQUAL(unisono_suspension_end(first), UNISONO_OK);
  EQUAL(unisono_suspension_end(first), UNISONO_ESTATE);
  EQUAL(unisono_suspension_end_proposing(second, UNISONO_TIME_INDEFINITE), UNISONO_EINVAL);
  EQUAL(unisono_suspension_end_proposing(second, milliseconds(30000)), UNISONO_OK);
  EQUAL(unisono_suspension_end_proposing(second, 0), UNISONO_ESTATE);
  pump(context);
  EQUAL(p.suspension_count, 0);
  EQUAL(unisono_coordinator_expected_item_time(coordinator, unisono_host_time(), &began), UNISONO_OK);
  EQUAL(began, milliseconds(30000));
  length = sizeof text;
  EQUAL(unisono_suspension_reason(first, text, &length), UNISONO_OK);
  unisono_suspension_destroy(first);
  EQUAL(unisono_suspension_end(first), UNISONO_ECLOSED);
  unisono_context_destroy(context);
  EQUAL(unisono_suspension_end(second), UNISONO_ECLOSED);
}

static void suspension_limit(void) {
  unisono_suspension *open[65];
  int i;
  begin();
  for (i = 0; i < 64; i++) EQUAL(unisono_coordinator_begin_suspension(coordinator, "r", &open[i]), UNISONO_OK);
  EQUAL(unisono_coordinator_begin_suspension(coordinator, "r", &open[64]), UNISONO_EFULL);
  EQUAL(unisono_suspension_end(open[0]), UNISONO_OK);
  EQUAL(unisono_coordinator_begin_suspension(coordinator, "r", &open[64]), UNISONO_OK);
  unisono_suspension_destroy(open[1]);
  EQUAL(unisono_coordinator_begin_suspension(coordinator, "r", &open[1]), UNISONO_OK);
  pump(context);
  EQUAL(p.suspension_count, 64);
  unisono_coordinator_destroy(coordinator);
  EQUAL(unisono_suspension_end(open[5]), UNISONO_ECLOSED);
  unisono_context_destroy(context);
}

static void output_offset(void) {
  int64_t time = 0;
  begin();
  EQUAL(unisono_coordinator_set_output_offset(coordinator, milliseconds(250)), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &p.plays, 1));
  EQUAL(unisono_coordinator_expected_item_time(coordinator, p.last.host_time + milliseconds(1000), &time), UNISONO_OK);
  EQUAL(time, p.last.item_time + milliseconds(1000));
  unisono_context_destroy(context);
}

static void reapplied(void) {
  int before;
  begin();
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &p.plays, 1));
  pump(context);
  before = p.plays;
  EQUAL(unisono_coordinator_reapply_current_item_state(coordinator), UNISONO_OK);
  CHECK(pump_until(context, &p.plays, before + 1));
  EQUAL(p.last.cause, UNISONO_CAUSE_REAPPLY);
  unisono_context_destroy(context);
}

static void nobody_else(void) {
  const unisono_participants *others = NULL;
  const unisono_waiting_for *waiting = NULL;
  size_t count = 9;
  begin();
  EQUAL(unisono_coordinator_other_participants(coordinator, &others), UNISONO_OK);
  CHECK(others != NULL);
  if (others) EQUAL(others->count, 0);
  unisono_free(others);
  unisono_free(others);
  EQUAL(unisono_coordinator_waiting_for(coordinator, &waiting, &count), UNISONO_OK);
  EQUAL(count, 0);
  CHECK(waiting == NULL);
  unisono_context_destroy(context);
}

/* A host that drives its player itself says what it commands it. */
static void wish_or_echo(void) {
  begin();
  EQUAL(unisono_coordinator_expect_motion(coordinator, UNISONO_MOTION_RUNNING, 1), UNISONO_OK);
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RUNNING, 7), 0);
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RUNNING, 0), 1);
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RUNNING, 0), 0); /* once is enough */
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_SEEKING, 1), 1);
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_SEEKING, 0), 1); /* where it is, it was taken */
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_SEEKING, 0), 0);
  EQUAL(unisono_coordinator_expect_motion(coordinator, UNISONO_MOTION_SEEKING, 1), UNISONO_OK);
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_SEEKING, 1), 0);
  EQUAL(unisono_coordinator_expect_motion(coordinator, (unisono_motion)9, 1), UNISONO_EINVAL);
  unisono_context_destroy(context);
  EQUAL(p.plays + p.pauses + p.seeks, 0); /* judging moves nobody */
}

void test_coordinator(void) {
  run_test("F11: the first participants are complete; without an item requests are ESTATE", first_delivery);
  run_test("F3, F10: alone, play, pause and seek are commanded at once, and the expected time follows", play_pause_seek);
  run_test("F5: a proposal becomes the state of a new item; no item has no state", proposal);
  run_test("impossible arguments are refused and change nothing", refusals);
  run_test("F6: suspensions overlap, are told, end once, and may propose", suspensions);
  run_test("64 suspensions may be open; a coordinator takes its suspensions along", suspension_limit);
  run_test("F18: what the player was commanded is an echo, what a person did at its controls a wish", wish_or_echo);
  run_test("F16: the output offset is in commands and expected times alike", output_offset);
  run_test("F12: the present state is commanded again on request", reapplied);
  run_test("F17: alone there is nobody else and nobody to wait for", nobody_else);
}
