/* Absurd values: sizes, lengths, texts that are none, numbers at their ends. Whatever is given, there is an answer. */
#include "harness.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static unisono_context *context;
static unisono_session *session;
static unisono_coordinator *coordinator;
static unisono_suspension *suspension;
static unisono_hub *hub;
static player the_player;

static unisono_hub_options loopback(void) {
  static const char *const address[] = {"127.0.0.1:0"};
  unisono_hub_options options = UNISONO_HUB_OPTIONS_INIT;
  options.listen = address;
  options.listen_count = 1;
  return options;
}

static void make_all(void) {
  unisono_playback_delegate delegate = player_delegate();
  unisono_hub_options hub_options = loopback();
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_context_options queue = UNISONO_CONTEXT_OPTIONS_INIT;
  memset(&the_player, 0, sizeof the_player);
  the_player.completes = 1;
  options.hub_options = &hub_options;
  queue.event_queue = 1;
  EQUAL(unisono_context_create(&queue, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &the_player, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_begin_suspension(coordinator, "test", &suspension), UNISONO_OK);
  EQUAL(unisono_hub_create(context, &hub_options, NULL, NULL, &hub), UNISONO_OK);
}

/* Room for the greatest struct, at an odd address. */
typedef union {
  unsigned char bytes[4200];
  int64_t aligned;
} room;

static void *crooked(room *r, const void *from, size_t size) {
  memcpy(r->bytes + 1, from, size);
  return r->bytes + 1;
}

static void put_size(void *at, uint32_t size) { memcpy(at, &size, sizeof size); }

/* What a function answers to a struct: the struct's size is the only thing that differs. */
typedef int32_t (*taker)(const void *options);

static int32_t take_context(const void *options) {
  unisono_context *made = NULL;
  int32_t status = unisono_context_create((const unisono_context_options *)options, NULL, NULL, &made);
  CHECK((status == UNISONO_OK) == (made != NULL));
  unisono_context_destroy(made);
  return status;
}
static int32_t take_hub(const void *options) {
  unisono_hub *made = NULL;
  int32_t status = unisono_hub_create(context, (const unisono_hub_options *)options, NULL, NULL, &made);
  CHECK((status == UNISONO_OK) == (made != NULL));
  unisono_hub_destroy(made);
  return status;
}
static int32_t take_session(const void *options) {
  unisono_session *made = NULL;
  int32_t status = unisono_session_host(context, (const unisono_session_options *)options, NULL, NULL, &made);
  CHECK((status == UNISONO_OK) == (made != NULL));
  unisono_session_destroy(made);
  return status;
}
static int32_t take_delegate(const void *delegate) {
  unisono_coordinator *made = NULL;
  player p;
  int32_t status;
  memset(&p, 0, sizeof p);
  status = unisono_coordinator_create(context, (const unisono_playback_delegate *)delegate, &p, &made);
  CHECK((status == UNISONO_OK) == (made != NULL));
  unisono_coordinator_destroy(made);
  return status;
}
static int32_t take_callbacks(const void *callbacks) {
  unisono_hub_options hub_options = loopback();
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session *made = NULL;
  int32_t status;
  options.hub_options = &hub_options;
  status = unisono_session_host(context, &options, (const unisono_session_callbacks *)callbacks, NULL, &made);
  CHECK((status == UNISONO_OK) == (made != NULL));
  unisono_session_destroy(made);
  return status;
}
static int32_t take_inner_hub(const void *given) {
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  options.hub_options = (const unisono_hub_options *)given;
  return take_session(&options);
}
static int32_t take_activity(const void *activity) {
  unisono_hub_options hub_options = loopback();
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  options.hub_options = &hub_options;
  options.activity = (const unisono_activity *)activity;
  return take_session(&options);
}
static int32_t take_proposal(const void *timing) {
  return unisono_coordinator_transition_to_item(coordinator, "movie", (const unisono_timing *)timing);
}
static int32_t take_report(const void *report) {
  return unisono_coordinator_report(coordinator, (const unisono_playback_report *)report);
}

static int32_t take_start_policy(const void *policy) {
  return unisono_coordinator_set_start_policy(coordinator, (const unisono_start_policy *)policy);
}

static int32_t take_stall_policy(const void *policy) {
  return unisono_coordinator_set_stall_policy(coordinator, (const unisono_stall_policy *)policy);
}

static void every_size(taker take, const void *good, size_t size) {
  static const uint32_t absurd[] = {0, 1, 3, 4, 7, 8, 4097, 65536, INT32_MAX, 0x80000000u, UINT32_MAX};
  room r;
  size_t i;
  memset(&r, 0, sizeof r);
  EQUAL(take(crooked(&r, good, size)), UNISONO_OK);
  for (i = 0; i < sizeof absurd / sizeof *absurd; i++) {
    put_size(r.bytes + 1, absurd[i]);
    EQUAL(take(r.bytes + 1), UNISONO_EINVAL);
  }
  /* A newer host's struct: an empty tail is fine, anything in it is not. */
  put_size(r.bytes + 1, 4096);
  EQUAL(take(r.bytes + 1), UNISONO_OK);
  r.bytes[4096] = 1;
  EQUAL(take(r.bytes + 1), UNISONO_ENOTSUP);
}

static void sizes_in(void) {
  unisono_context_options context_options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_hub_options hub_options = loopback();
  unisono_session_options session_options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  unisono_playback_delegate delegate = player_delegate();
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  unisono_timing timing = UNISONO_TIMING_INIT;
  unisono_playback_report report = UNISONO_PLAYBACK_REPORT_INIT;
  unisono_stall_policy stall_policy = UNISONO_STALL_POLICY_INIT;
  unisono_start_policy start_policy = UNISONO_START_POLICY_INIT;
  make_all();
  session_options.hub_options = &hub_options;
  activity.identifier = "org.example.film";
  every_size(take_context, &context_options, sizeof context_options);
  every_size(take_hub, &hub_options, sizeof hub_options);
  every_size(take_session, &session_options, sizeof session_options);
  every_size(take_callbacks, &callbacks, sizeof callbacks);
  every_size(take_inner_hub, &hub_options, sizeof hub_options);
  every_size(take_activity, &activity, sizeof activity);
  every_size(take_delegate, &delegate, sizeof delegate);
  every_size(take_proposal, &timing, sizeof timing);
  every_size(take_stall_policy, &stall_policy, sizeof stall_policy);
  every_size(take_start_policy, &start_policy, sizeof start_policy);
  every_size(take_report, &report, sizeof report);
  unisono_context_destroy(context);
}

static int32_t give_session_stats(void *out) {
  return unisono_session_get_statistics(session, (unisono_session_statistics *)out);
}
static int32_t give_clock(void *out) { return unisono_session_clock(session, (unisono_clock *)out); }
static int32_t give_timing(void *out) { return unisono_coordinator_timing(coordinator, (unisono_timing *)out); }
static int32_t give_stats(void *out) {
  return unisono_coordinator_get_statistics(coordinator, (unisono_coordinator_statistics *)out);
}
static int32_t give_hub_stats(void *out) { return unisono_hub_get_statistics(hub, (unisono_hub_statistics *)out); }

static void every_size_out(int32_t (*give)(void *out), int32_t want) {
  static const uint32_t absurd[] = {0, 1, 7, 4097, INT32_MAX, UINT32_MAX};
  room r;
  uint32_t size;
  size_t i;
  for (i = 0; i < sizeof absurd / sizeof *absurd; i++) {
    memset(&r, 0x55, sizeof r);
    put_size(r.bytes + 1, absurd[i]);
    EQUAL(give(r.bytes + 1), UNISONO_EINVAL);
    CHECK(r.bytes[5] == 0x55);
  }
  for (size = 8; size <= 4096; size += size < 300 ? 1 : 97) {
    memset(&r, 0x55, sizeof r);
    put_size(r.bytes + 1, size);
    EQUAL(give(r.bytes + 1), want);
    CHECK(memcmp(r.bytes + 1, &size, sizeof size) == 0);
    CHECK(r.bytes[0] == 0x55 && r.bytes[1 + size] == 0x55 && r.bytes[sizeof r.bytes - 1] == 0x55);
  }
}

static void sizes_out(void) {
  unisono_clock clock = UNISONO_CLOCK_INIT;
  make_all();
  every_size_out(give_session_stats, UNISONO_OK);
  every_size_out(give_stats, UNISONO_OK);
  every_size_out(give_hub_stats, UNISONO_OK);
  every_size_out(give_clock, unisono_session_clock(session, &clock));
  every_size_out(give_timing, UNISONO_ESTATE);
  unisono_context_destroy(context);
}

/* Cut short, overlong, a surrogate, above U+10FFFF, stray bytes. */
static const char *const no_texts[] = {"\xff",         "\xc3",         "a\xc3(",       "\xc0\x80",
                                       "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"};

static void texts(void) {
  static char endless[70000];
  const char *const *list;
  size_t i;
  make_all();
  memset(endless, 'x', sizeof endless - 1);
  for (i = 0; i <= sizeof no_texts / sizeof *no_texts; i++) {
    int is_long = i == sizeof no_texts / sizeof *no_texts;
    const char *bad = is_long ? endless : no_texts[i];
    unisono_context_options c = UNISONO_CONTEXT_OPTIONS_INIT;
    unisono_session_options s = UNISONO_SESSION_OPTIONS_INIT;
    unisono_hub_options h = UNISONO_HUB_OPTIONS_INIT;
    unisono_activity a = UNISONO_ACTIVITY_INIT;
    unisono_session *made = NULL;
    unisono_suspension *suspended = NULL;
    int32_t too_long = is_long ? UNISONO_ETOOBIG : UNISONO_EINVAL;
    list = &bad;
    c.device_name = bad;
    EQUAL(take_context(&c), UNISONO_EINVAL);
    c.device_name = NULL;
    c.storage_path = bad;
    EQUAL(take_context(&c), UNISONO_EINVAL);
    s.display_name = bad;
    EQUAL(take_session(&s), UNISONO_EINVAL);
    s.display_name = NULL;
    s.hub = bad;
    CHECK(take_session(&s) < 0);
    h.listen = list;
    h.listen_count = 1;
    EQUAL(take_hub(&h), UNISONO_EINVAL);
    h = loopback();
    h.advertise = list;
    h.advertise_count = 1;
    EQUAL(take_hub(&h), UNISONO_EINVAL);
    a.identifier = bad;
    EQUAL(take_activity(&a), too_long);
    a.identifier = "org.example.film";
    a.title = bad;
    EQUAL(take_activity(&a), too_long);
    a.title = NULL;
    a.subtitle = bad;
    EQUAL(take_activity(&a), too_long);
    a.subtitle = NULL;
    a.fallback_url = bad;
    EQUAL(take_activity(&a), too_long);
    EQUAL(unisono_session_open(context, bad, NULL, NULL, NULL, &made), UNISONO_EINVAL);
    CHECK(made == NULL);
    EQUAL(unisono_coordinator_transition_to_item(coordinator, bad, NULL), UNISONO_EINVAL);
    EQUAL(unisono_coordinator_begin_suspension(coordinator, bad, &suspended), UNISONO_EINVAL);
    EQUAL(unisono_coordinator_set_waiting_reasons(coordinator, list, 1), UNISONO_EINVAL);
    EQUAL(unisono_coordinator_set_participant_limit(coordinator, bad, 1), UNISONO_EINVAL);
  }
  unisono_context_destroy(context);
}

static void lengths(void) {
  static const size_t absurd[] = {65537,        (size_t)INT32_MAX, (size_t)UINT32_MAX,
                                  SIZE_MAX / 2, SIZE_MAX / 2 + 1,  SIZE_MAX};
  static const char *const reason[] = {"stall-recovery"};
  char text[4096];
  size_t i, length;
  make_all();
  for (i = 0; i < sizeof absurd / sizeof *absurd; i++) {
    unisono_activity a = UNISONO_ACTIVITY_INIT;
    unisono_hub_options h = loopback();
    a.identifier = "org.example.film";
    a.payload = text;
    a.payload_length = absurd[i];
    EQUAL(take_activity(&a), UNISONO_ETOOBIG);
    a.payload_length = 0;
    a.preview_image = text;
    a.preview_image_length = absurd[i];
    EQUAL(take_activity(&a), UNISONO_ETOOBIG);
    a.preview_image = NULL;
    CHECK(take_activity(&a) < 0);
    h.listen_count = absurd[i];
    EQUAL(take_hub(&h), UNISONO_EINVAL);
    h = loopback();
    h.advertise_count = absurd[i];
    EQUAL(take_hub(&h), UNISONO_EINVAL);
    EQUAL(unisono_coordinator_set_waiting_reasons(coordinator, reason, absurd[i]), UNISONO_EINVAL);
    EQUAL(unisono_coordinator_set_waiting_reasons(coordinator, NULL, absurd[i]), UNISONO_EINVAL);
    EQUAL(unisono_hub_line(hub, absurd[i], text, &length), UNISONO_ENOTFOUND);
    /* More room than there is: the text fits all the same, and nothing behind it is touched. */
    memset(text, 0x55, sizeof text);
    length = absurd[i];
    EQUAL(unisono_session_invite(session, text, &length), UNISONO_OK);
    EQUAL(length, strlen(text) + 1);
    CHECK(text[length] == 0x55);
    length = absurd[i];
    EQUAL(unisono_coordinator_current_item(coordinator, text, &length), UNISONO_OK);
    EQUAL(length, 1);
    length = absurd[i];
    EQUAL(unisono_suspension_reason(suspension, text, &length), UNISONO_OK);
    EQUAL(length, 5);
    length = absurd[i];
    EQUAL(unisono_hub_line(hub, 0, text, &length), UNISONO_OK);
    length = absurd[i];
    EQUAL(unisono_suspension_reason(suspension, NULL, &length), UNISONO_EINVAL);
  }
  for (length = 0; length < 5; length++) {
    size_t given = length;
    memset(text, 0x55, sizeof text);
    EQUAL(unisono_suspension_reason(suspension, text, &given), UNISONO_ETOOBIG);
    EQUAL(given, 5);
    CHECK(text[0] == (length ? 0 : 0x55) && text[1] == 0x55);
  }
  unisono_context_destroy(context);
}

static void numbers(void) {
  static const int64_t times[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
  const double rates[] = {(double)NAN, -(double)NAN, (double)INFINITY, -(double)INFINITY, 16.000001, -16.000001,
                          1e308, -1e308};
  size_t i, j;
  int64_t time = 0;
  make_all();
  EQUAL(unisono_suspension_end(suspension), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", NULL), UNISONO_OK);
  for (i = 0; i < sizeof rates / sizeof *rates; i++) {
    unisono_timing proposal = UNISONO_TIMING_INIT;
    unisono_playback_report report = UNISONO_PLAYBACK_REPORT_INIT;
    proposal.rate = rates[i];
    report.rate = rates[i];
    EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, rates[i], 0), UNISONO_EINVAL);
    EQUAL(take_proposal(&proposal), UNISONO_EINVAL);
    if (!isfinite(rates[i])) EQUAL(take_report(&report), UNISONO_EINVAL);
    else CHECK(take_report(&report) <= 0);
  }
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1, 2), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1, UINT32_MAX), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_seek(coordinator, 1, UINT32_MAX), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_seek(coordinator, INT64_MIN, 0), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_seek(coordinator, INT64_MAX, 0), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_fail(coordinator, 1, 0), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_fail(coordinator, 1, INT32_MAX), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_complete(coordinator, 0), UNISONO_ENOTFOUND);
  EQUAL(unisono_coordinator_complete(coordinator, UINT64_MAX), UNISONO_ENOTFOUND);
  EQUAL(unisono_coordinator_fail(coordinator, UINT64_MAX, INT32_MIN), UNISONO_ENOTFOUND);
  EQUAL(unisono_context_cancel(context, 0), UNISONO_ENOTFOUND);
  EQUAL(unisono_context_cancel(context, UINT64_MAX), UNISONO_ENOTFOUND);
  EQUAL(unisono_coordinator_set_wait_limit(coordinator, -1), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_wait_limit(coordinator, INT64_MAX), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_wait_limit(coordinator, 0), UNISONO_OK);
  EQUAL(unisono_coordinator_set_output_offset(coordinator, INT64_MIN), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_output_offset(coordinator, INT64_MAX), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_output_offset(coordinator, milliseconds(-5000)), UNISONO_OK);
  EQUAL(unisono_suspension_end_proposing(suspension, INT64_MAX), UNISONO_EINVAL);
  /* Every pair of times at which arithmetic could overflow, at the greatest rates, while it plays. */
  for (i = 0; i < sizeof times / sizeof *times; i++) {
    for (j = 0; j < sizeof times / sizeof *times; j++) {
      unisono_timing proposal = UNISONO_TIMING_INIT;
      unisono_playback_report report = UNISONO_PLAYBACK_REPORT_INIT;
      proposal.rate = j % 2 ? 16 : -16;
      proposal.item_time = times[i];
      proposal.host_time = times[j];
      proposal.flags = UNISONO_HAS_HOST_TIME;
      (void)take_proposal(&proposal);
      pump(context);
      report.rate = proposal.rate;
      report.item_time = times[i];
      report.host_time = times[j];
      report.earliest = times[i] < times[j] ? times[i] : times[j];
      report.latest = times[i] < times[j] ? times[j] : times[i];
      report.flags = UNISONO_HAS_POSITION | UNISONO_HAS_RANGE;
      EQUAL(take_report(&report), UNISONO_OK);
      (void)unisono_coordinator_coordinate_seek(coordinator, times[i], j % 2);
      (void)unisono_coordinator_coordinate_rate_change(coordinator, proposal.rate, j % 2);
      pump(context);
      CHECK(unisono_coordinator_expected_item_time(coordinator, times[j], &time) <= 0);
      EQUAL(unisono_coordinator_begin_suspension(coordinator, "test", &suspension), UNISONO_OK);
      (void)unisono_suspension_end_proposing(suspension, times[i]);
      unisono_suspension_destroy(suspension);
      pump(context);
      CHECK(unisono_coordinator_expected_item_time(coordinator, times[i], &time) <= 0);
    }
  }
  CHECK(the_player.plays > 0);
  unisono_context_destroy(context);
}

static void waits(void) {
  static const int64_t at[] = {INT64_MIN + 1, -1, 0, INT64_MAX - 1, INT64_MAX};
  const unisono_context_event *event = NULL;
  uint64_t token = 0;
  size_t i;
  make_all();
  for (i = 0; i < sizeof at / sizeof *at; i++) {
    EQUAL(unisono_context_call_at(context, at[i], NULL, NULL, &token), UNISONO_OK);
    CHECK(unisono_context_timeout(context) >= -1);
    EQUAL(unisono_context_wake(context), UNISONO_OK);
    CHECK(unisono_context_poll(context, INT64_MAX) >= 0);
    EQUAL(unisono_context_wake(context), UNISONO_OK);
    CHECK(unisono_context_poll(context, INT64_MIN) >= 0);
    EQUAL(unisono_context_wake(context), UNISONO_OK);
    CHECK(unisono_context_next_event(context, INT64_MAX, &event) >= 0);
  }
  unisono_context_destroy(context);
}

static void counts(void) {
  static unisono_suspension *open[65];
  static unisono_context *contexts[40];
  unisono_suspension *one_more = NULL;
  uint64_t token = 0;
  int i;
  make_all();
  unisono_suspension_destroy(suspension);
  for (i = 0; i < 64; i++) EQUAL(unisono_coordinator_begin_suspension(coordinator, "r", &open[i]), UNISONO_OK);
  EQUAL(unisono_coordinator_begin_suspension(coordinator, "r", &one_more), UNISONO_EFULL);
  CHECK(one_more == NULL);
  for (i = 0; i < 64; i++) unisono_suspension_destroy(open[i]);
  EQUAL(unisono_coordinator_begin_suspension(coordinator, "r", &one_more), UNISONO_OK);
  for (i = 0; i < 65536; i++) {
    if (unisono_context_call_at(context, INT64_MAX - 1, NULL, NULL, &token) != UNISONO_OK) break;
  }
  EQUAL(i, 65536);
  EQUAL(unisono_context_call_at(context, INT64_MAX - 1, NULL, NULL, &token), UNISONO_EFULL);
  unisono_context_destroy(context);
  for (i = 0; i < 40; i++) EQUAL(unisono_context_create(NULL, NULL, NULL, &contexts[i]), UNISONO_OK);
  for (i = 0; i < 40; i++) unisono_context_destroy(contexts[i]);
}

void test_input(void) {
  run_test("every struct given: unaligned ones and empty tails are taken, absurd sizes refused", sizes_in);
  run_test("every struct asked for: no byte beyond its size is written, absurd sizes are refused", sizes_out);
  run_test("a text that is no UTF-8, or too long, is refused everywhere", texts);
  run_test("lengths up to SIZE_MAX are refused or more room than needed", lengths);
  run_test("rates that are none and times at the ends of int64 break nothing", numbers);
  run_test("waits and delayed calls take every time", waits);
  run_test("suspensions and delayed calls are limited, and free again", counts);
}
