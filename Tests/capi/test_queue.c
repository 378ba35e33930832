/* The event queue: what has no callback is fetched. */
#include "harness.h"

static unisono_context *with_queue(uint32_t limit, unisono_log_level level) {
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_context *context = NULL;
  options.event_queue = 1;
  options.event_queue_limit = limit;
  options.log_level = level;
  EQUAL(unisono_context_create(&options, NULL, NULL, &context), UNISONO_OK);
  return context;
}

/* The next event of a type, skipping others; NULL when nothing comes. */
static const unisono_context_event *next(unisono_context *context, int type) {
  const unisono_context_event *event = NULL;
  int skipped = 0;
  while (skipped++ < 1000 && unisono_context_next_event(context, milliseconds(300), &event) == 1) {
    if ((int)event->type == type) return event;
  }
  return NULL;
}

static void no_queue(void) {
  unisono_context *context = NULL;
  const unisono_context_event *event = NULL;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_context_next_event(context, 0, &event), UNISONO_ESTATE);
  unisono_context_destroy(context);
}

static void commands_by_queue(void) {
  unisono_context *context = with_queue(0, UNISONO_LOG_NONE);
  unisono_coordinator *coordinator = NULL;
  const unisono_context_event *event;
  const unisono_command *command;
  const unisono_timing_change *timing;
  int user = 0;
  EQUAL(unisono_coordinator_create(context, NULL, &user, &coordinator), UNISONO_OK);
  event = next(context, UNISONO_EVENT_COORDINATOR_PARTICIPANTS);
  CHECK(event != NULL);
  if (event) {
    const unisono_participants_change *change = unisono_event_participants(event);
    EQUAL(event->size, sizeof *change);
    EQUAL(change->is_complete, 1);
    EQUAL(change->joined_count, 0);
  }
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1, 0), UNISONO_OK);
  event = next(context, UNISONO_EVENT_COORDINATOR_PLAY);
  CHECK(event != NULL);
  if (event) {
    command = unisono_event_command(event);
    EQUAL(event->size, sizeof *command);
    CHECK(event->source == (void *)coordinator);
    CHECK(event->user == &user);
    CHECK(command->rate == 1);
    CHECK(strcmp(command->item, "movie") == 0);
    EQUAL(unisono_coordinator_complete(coordinator, command->id), UNISONO_OK);
  }
  event = next(context, UNISONO_EVENT_COORDINATOR_TIMING);
  CHECK(event != NULL);
  if (event) {
    timing = unisono_event_timing(event);
    EQUAL(timing->state, UNISONO_TIMING_PLAYING);
  }
  unisono_coordinator_destroy(coordinator);
  event = next(context, UNISONO_EVENT_RELEASED);
  CHECK(event != NULL && event->source == (void *)coordinator && event->user == &user);
  unisono_context_destroy(context);
}

static void state_newest_only(void) {
  unisono_context *context = with_queue(0, UNISONO_LOG_NONE);
  unisono_coordinator *coordinator = NULL;
  const unisono_context_event *event = NULL;
  int timings = 0, status = -1, i;
  EQUAL(unisono_coordinator_create(context, NULL, NULL, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", NULL), UNISONO_OK);
  for (i = 0; i < 6; i++) {
    EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, i % 2 ? 0 : 1, 0), UNISONO_OK);
    pump(context);
  }
  while (unisono_context_next_event(context, 0, &event) == 1) {
    if (event->type != UNISONO_EVENT_COORDINATOR_TIMING) continue;
    timings++;
    status = unisono_event_timing(event)->state;
  }
  EQUAL(timings, 1);
  EQUAL(status, UNISONO_TIMING_PAUSED);
  unisono_context_destroy(context);
}

static void commands_replaced(void) {
  unisono_context *context = with_queue(0, UNISONO_LOG_NONE);
  unisono_coordinator *coordinator = NULL;
  const unisono_context_event *event = NULL;
  int commands = 0, last = 0, i;
  EQUAL(unisono_coordinator_create(context, NULL, NULL, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", NULL), UNISONO_OK);
  for (i = 0; i < 201; i++) {
    EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, i % 2 ? 0 : 1, 0), UNISONO_OK);
    pump(context);
  }
  while (unisono_context_next_event(context, 0, &event) == 1) {
    if (event->type < UNISONO_EVENT_COORDINATOR_PLAY || event->type > UNISONO_EVENT_COORDINATOR_BUFFER) continue;
    commands++;
    last = event->type;
  }
  CHECK(commands >= 1 && commands <= 65);
  EQUAL(last, UNISONO_EVENT_COORDINATOR_PLAY);
  unisono_context_destroy(context);
}

static void commands_of_old_items(void) {
  unisono_context *context = with_queue(0, UNISONO_LOG_NONE);
  unisono_coordinator *coordinator = NULL;
  const unisono_context_event *event = NULL;
  int old_ones = 0, new_ones = 0;
  EQUAL(unisono_coordinator_create(context, NULL, NULL, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "old", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1, 0), UNISONO_OK);
  pump(context);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "new", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1, 0), UNISONO_OK);
  pump(context);
  while (unisono_context_next_event(context, 0, &event) == 1) {
    if (event->type < UNISONO_EVENT_COORDINATOR_PLAY || event->type > UNISONO_EVENT_COORDINATOR_BUFFER) continue;
    if (strcmp(unisono_event_command(event)->item, "old") == 0) old_ones++;
    else new_ones++;
  }
  EQUAL(old_ones, 0);
  CHECK(new_ones >= 1);
  unisono_context_destroy(context);
}

static void destroyed_source(void) {
  unisono_context *context = with_queue(0, UNISONO_LOG_NONE);
  unisono_coordinator *coordinator = NULL;
  const unisono_context_event *event = NULL;
  int events = 0;
  EQUAL(unisono_coordinator_create(context, NULL, NULL, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", NULL), UNISONO_OK);
  pump(context);
  unisono_coordinator_destroy(coordinator);
  while (unisono_context_next_event(context, milliseconds(20), &event) == 1) {
    events++;
    EQUAL(event->type, UNISONO_EVENT_RELEASED);
  }
  EQUAL(events, 1);
  unisono_context_destroy(context);
}

/* A player that cannot do anything: each failure is a warning in the log. */
static int fail_often(unisono_context *context, player *p, int times) {
  unisono_playback_delegate delegate = player_delegate();
  unisono_coordinator *coordinator = NULL;
  int i, failures_told = 0;
  memset(p, 0, sizeof *p);
  EQUAL(unisono_coordinator_create(context, &delegate, p, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", NULL), UNISONO_OK);
  for (i = 0; i < times; i++) {
    uint64_t before = p->last.id;
    EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1 + 0.01 * i, 0), UNISONO_OK);
    pump(context);
    if (p->last.id == before) continue;
    EQUAL(unisono_coordinator_fail(coordinator, p->last.id, UNISONO_EIO), UNISONO_OK);
    pump(context);
    failures_told++;
  }
  return failures_told;
}

static void overflow(void) {
  unisono_context *context = with_queue(16, UNISONO_LOG_DEFAULT);
  const unisono_context_event *event = NULL;
  player p;
  int lines = 0, overflows = 0, told;
  uint64_t lost = 0;
  told = fail_often(context, &p, 40);
  EQUAL(told, 40);
  while (unisono_context_next_event(context, 0, &event) == 1) {
    if (event->type == UNISONO_EVENT_LOG) {
      const unisono_log_event *line = unisono_event_log(event);
      EQUAL(line->level, UNISONO_LOG_WARNING);
      CHECK(line->message[0] != 0 && strchr(line->message, '\n') == NULL);
      lines++;
    }
    if (event->type == UNISONO_EVENT_OVERFLOW) {
      overflows++;
      lost += unisono_event_overflow(event)->others;
      EQUAL(unisono_event_overflow(event)->messages, 0);
    }
  }
  EQUAL(lines, 16);
  EQUAL(overflows, 1);
  EQUAL(lost, 24);
  EQUAL(unisono_context_next_event(context, 0, &event), 0);
  unisono_context_destroy(context);
}

static int lines_called;
static void on_line(void *user, const unisono_log_event *event) {
  CHECK(user == &lines_called);
  CHECK(event->base.user == user);
  lines_called++;
}

static void log_callback(void) {
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_context_callbacks callbacks = UNISONO_CONTEXT_CALLBACKS_INIT;
  unisono_context *context = NULL;
  player p;
  callbacks.log = on_line;
  lines_called = 0;
  EQUAL(unisono_context_create(&options, &callbacks, &lines_called, &context), UNISONO_OK);
  EQUAL(fail_often(context, &p, 3), 3);
  pump(context);
  EQUAL(lines_called, 3);
  unisono_context_destroy(context);
  options.log_level = UNISONO_LOG_ERROR;
  lines_called = 0;
  EQUAL(unisono_context_create(&options, &callbacks, &lines_called, &context), UNISONO_OK);
  EQUAL(fail_often(context, &p, 3), 3);
  EQUAL(lines_called, 0);
  unisono_context_destroy(context);
}

void test_queue(void) {
  run_test("next_event without a queue is ESTATE", no_queue);
  run_test("a coordinator without a delegate gives its commands, states and its release to the queue", commands_by_queue);
  run_test("states that nobody reads are kept newest only", state_newest_only);
  run_test("more than 64 unread commands are replaced by the present state", commands_replaced);
  run_test("commands for an item no longer current are taken out", commands_of_old_items);
  run_test("of a destroyed object nothing is left in the queue but its release", destroyed_source);
  run_test("log lines beyond the limit are counted and told by one OVERFLOW", overflow);
  run_test("log lines come to the log callback, by level", log_callback);
}
