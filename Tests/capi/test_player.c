/* A player alone over a renderer that does at once what it is told. */
#include "fake_renderer.h"

#include <math.h>

static fake_renderer r;
static player_listener l;

static void begin(void) { begin_player(&r, &l); }

static void end(void) {
  unisono_context_destroy(r.context);
  EQUAL(r.released, 1);
  EQUAL(l.released, 1);
}

static void making(void) {
  unisono_renderer functions = fake_renderer_functions();
  unisono_context *context = NULL;
  unisono_player *p = NULL;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  functions.seek = NULL;
  EQUAL(unisono_player_create(context, &functions, NULL, NULL, NULL, &p), UNISONO_EINVAL);
  CHECK(strstr(unisono_last_error(), "renderer.seek") != NULL);
  functions = fake_renderer_functions();
  functions.capabilities = 64;
  EQUAL(unisono_player_create(context, &functions, NULL, NULL, NULL, &p), UNISONO_EINVAL);
  functions = fake_renderer_functions();
  functions.nudge_limit = 0.5;
  EQUAL(unisono_player_create(context, &functions, NULL, NULL, NULL, &p), UNISONO_EINVAL);
  functions = fake_renderer_functions();
  functions.dead_band = -1;
  EQUAL(unisono_player_create(context, &functions, NULL, NULL, NULL, &p), UNISONO_EINVAL);
  CHECK(p == NULL);
  unisono_context_destroy(context);
}

static void first_delivery(void) {
  int64_t a = 0, b = 0;
  begin();
  pump(r.context);
  EQUAL(l.statuses, 1);
  EQUAL(l.rates, 1);
  EQUAL(l.time_controls, 1);
  EQUAL(l.last_status.item_state, UNISONO_ITEM_UNKNOWN);
  CHECK(l.last_status.item == NULL);
  EQUAL(l.last_control.time_control, UNISONO_TIME_CONTROL_PAUSED);
  EQUAL(unisono_player_play(r.player, 0), UNISONO_ESTATE);
  EQUAL(unisono_player_pause(r.player), UNISONO_ESTATE);
  EQUAL(unisono_player_advance(r.player), UNISONO_ESTATE);
  EQUAL(unisono_player_seek(r.player, 0, 0, 0, NULL), UNISONO_ESTATE);
  EQUAL(unisono_player_current_time(r.player, &a, &b), UNISONO_ESTATE);
  CHECK(a == UNISONO_TIME_INVALID);
  EQUAL(l.released, 0);
  unisono_context_destroy(r.context);
  EQUAL(l.released, 1);
  EQUAL(r.released, 1);
}

static void play_and_pause(void) {
  unisono_player_item item = UNISONO_PLAYER_ITEM_INIT;
  unisono_player_statistics stats = UNISONO_PLAYER_STATISTICS_INIT;
  int64_t at = 0, when = 0;
  begin();
  item.identifier = "movie";
  item.uri = "file:///movie.mkv";
  item.start_time = milliseconds(2000);
  EQUAL(unisono_player_insert_item(r.player, &item, NULL), UNISONO_OK);
  /* A request of this thread counts at once for the next one. */
  EQUAL(unisono_player_play(r.player, 0), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 1));
  CHECK(strcmp(r.uri, "file:///movie.mkv") == 0);
  EQUAL(r.loads, 1);
  CHECK(r.last.rate == 1);
  CHECK(r.at >= milliseconds(2000) && r.at < milliseconds(2500));
  pump(r.context);
  EQUAL(unisono_player_time_control(r.player), UNISONO_TIME_CONTROL_PLAYING);
  EQUAL(unisono_player_waiting_reason(r.player), UNISONO_WAITING_NONE);
  EQUAL(unisono_player_item_state(r.player), UNISONO_ITEM_READY);
  EQUAL(l.last_rate.rate_reason, UNISONO_RATE_REASON_SET_RATE_CALLED);
  CHECK(l.last_rate.rate == 1);
  /* The renderer is asked where it is while it plays. */
  CHECK(pump_until(r.context, &r.asked, 6));
  EQUAL(unisono_player_current_time(r.player, &at, &when), UNISONO_OK);
  CHECK(at >= milliseconds(2000));
  CHECK(when <= unisono_context_host_time(r.context));
  EQUAL(unisono_player_get_statistics(r.player, &stats), UNISONO_OK);
  CHECK(stats.skew_last != UNISONO_TIME_INVALID);
  EQUAL(unisono_player_set_rate(r.player, 0, 0), UNISONO_OK);
  CHECK(pump_until(r.context, &r.pauses, 1));
  pump(r.context);
  EQUAL(unisono_player_time_control(r.player), UNISONO_TIME_CONTROL_PAUSED);
  EQUAL(unisono_player_set_rate(r.player, 17, 0), UNISONO_EINVAL);
  EQUAL(unisono_player_set_rate(r.player, 1, UNISONO_RATE_PLAY_IMMEDIATELY | UNISONO_RATE_AS_DEFAULT), UNISONO_EINVAL);
  EQUAL(unisono_player_set_rate(r.player, 1, 4), UNISONO_EINVAL);
  EQUAL(unisono_player_play(r.player, UNISONO_RATE_AS_DEFAULT), UNISONO_EINVAL);
  EQUAL(unisono_player_set_rate(r.player, 0, UNISONO_RATE_AS_DEFAULT), UNISONO_EINVAL);
  EQUAL(unisono_player_set_rate(r.player, 1.25, UNISONO_RATE_AS_DEFAULT), UNISONO_OK);
  EQUAL(unisono_player_play(r.player, 0), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 2));
  CHECK(r.rate == 1.25);
  end();
  EQUAL(r.stops, 1);
}

static void failing(void) {
  begin();
  r.fails = UNISONO_EIO;
  insert(&r, "movie", NULL);
  pump(r.context);
  EQUAL(unisono_player_item_state(r.player), UNISONO_ITEM_FAILED);
  EQUAL(l.last_status.status, UNISONO_EIO);
  end();
}

/* The only reason for which the player is apart; NULL: it is not. */
static const char *reason_apart(void) {
  static char text[64];
  unisono_coordinator *coordinator = NULL;
  const char *const *reasons = NULL;
  size_t count = 0;
  EQUAL(unisono_player_coordinator(r.player, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_suspension_reasons(coordinator, &reasons, &count), UNISONO_OK);
  CHECK(count <= 1);
  snprintf(text, sizeof text, "%s", count > 0 ? reasons[0] : "");
  unisono_free(reasons);
  return count > 0 ? text : NULL;
}

/* Whatever it was that could not be played: the renderer stands, and nothing says otherwise. */
static void expect_failed_rate(int rates) {
  const char *reason;
  CHECK(pump_until(r.context, &l.rates, rates));
  pump(r.context);
  CHECK(r.rate == 0);
  CHECK(l.last_rate.rate == 0);
  EQUAL(l.last_rate.rate_reason, UNISONO_RATE_REASON_SET_RATE_FAILED);
  EQUAL(unisono_player_time_control(r.player), UNISONO_TIME_CONTROL_PAUSED);
  reason = reason_apart();
  CHECK(reason != NULL && strcmp(reason, UNISONO_REASON_COORDINATED_PLAYBACK_NOT_POSSIBLE) == 0);
}

static void failing_rates(void) {
  int64_t stood;
  begin();
  r.greatest_rate = 1.25;
  insert(&r, "movie", NULL);
  EQUAL(unisono_player_seek(r.player, milliseconds(20000), 0, 0, NULL), UNISONO_OK);
  EQUAL(unisono_player_play(r.player, 0), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 1));
  pump(r.context);
  /* One that it says it cannot play: told at once. */
  EQUAL(unisono_player_set_rate(r.player, -1, 0), UNISONO_OK);
  expect_failed_rate(l.rates + 1);
  EQUAL(r.pauses, 1);
  stood = r.at;
  EQUAL(unisono_player_play(r.player, 0), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 2));
  pump(r.context);
  EQUAL(unisono_player_time_control(r.player), UNISONO_TIME_CONTROL_PLAYING);
  CHECK(reason_apart() == NULL);
  /* Alone nothing was missed. */
  CHECK(r.rate == 1 && r.at - stood < milliseconds(50) && stood - r.at < milliseconds(50));
  /* One that it fails to play: it played on, until it was told. */
  EQUAL(unisono_player_set_rate(r.player, 1.5, 0), UNISONO_OK);
  expect_failed_rate(l.rates + 2);
  EQUAL(r.pauses, 2);
  /* Until the next one, which it can play. */
  EQUAL(unisono_player_set_rate(r.player, 1.25, 0), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 4));
  pump(r.context);
  CHECK(r.rate == 1.25);
  EQUAL(unisono_player_time_control(r.player), UNISONO_TIME_CONTROL_PLAYING);
  CHECK(reason_apart() == NULL);
  end();
}

/* It is told and never answers: that is what it is shown as, within ten seconds. */
static void doing_nothing(void) {
  unisono_coordinator_statistics stats = UNISONO_COORDINATOR_STATISTICS_INIT;
  unisono_coordinator *coordinator = NULL;
  int64_t end_of_wait;
  const char *reason;
  begin();
  EQUAL(unisono_player_coordinator(r.player, &coordinator), UNISONO_OK);
  insert(&r, "movie", NULL);
  pump(r.context);
  r.silent = 1;
  EQUAL(unisono_player_play(r.player, 0), UNISONO_OK);
  end_of_wait = unisono_host_time() + milliseconds(40000);
  do {
    unisono_context_poll(r.context, milliseconds(50));
    EQUAL(unisono_coordinator_get_statistics(coordinator, &stats), UNISONO_OK);
  } while (stats.commands_overdue == 0 && unisono_host_time() < end_of_wait);
  EQUAL(stats.commands_overdue, 1);
  reason = reason_apart();
  CHECK(reason != NULL && strcmp(reason, UNISONO_REASON_STALL_RECOVERY) == 0);
  EQUAL(unisono_player_time_control(r.player), UNISONO_TIME_CONTROL_WAITING);
  EQUAL(unisono_player_waiting_reason(r.player), UNISONO_WAITING_TO_MINIMIZE_STALLS);
  end();
}

static void seeking(void) {
  uint64_t first = 0, second = 0;
  unisono_coordinator *coordinator = NULL;
  begin();
  EQUAL(unisono_player_coordinator(r.player, &coordinator), UNISONO_OK);
  pump(r.context); /* the loop knows of the player, and that it has no item */
  EQUAL(unisono_coordinator_start_without(coordinator, NULL, 0), UNISONO_ESTATE);
  insert(&r, "movie", NULL);
  EQUAL(unisono_player_seek(r.player, 5, -1, 0, &first), UNISONO_EINVAL);
  EQUAL(unisono_player_seek(r.player, milliseconds(10000), 0, UNISONO_TIME_INDEFINITE, &first), UNISONO_OK);
  EQUAL(unisono_player_seek(r.player, milliseconds(20000), 0, 0, &second), UNISONO_OK);
  CHECK(first != 0 && second != 0 && first != second);
  CHECK(pump_until(r.context, &l.seeks, 2));
  EQUAL(l.first_seek.request, first);
  EQUAL(l.first_seek.status, UNISONO_ECANCELED);
  EQUAL(l.last_seek.request, second);
  EQUAL(l.last_seek.status, UNISONO_OK);
  EQUAL(r.at, milliseconds(20000));
  /* The player's coordinator takes the group's last jump back. */
  EQUAL(unisono_coordinator_undo_jump(coordinator), UNISONO_OK);
  while (r.at != milliseconds(10000) && pump_until(r.context, &r.seeks, r.seeks + 1)) {
  }
  EQUAL(r.at, milliseconds(10000));
  /* A start that waits for persons goes on by the player's coordinator as well (F84): the item is the player's. */
  EQUAL(unisono_coordinator_start_without(coordinator, NULL, 0), UNISONO_OK);
  /* One that is open when the player ends is answered, too. */
  r.silent = 1;
  EQUAL(unisono_player_seek(r.player, milliseconds(30000), 0, 0, &first), UNISONO_OK);
  while (r.last.item_time != milliseconds(30000) && pump_until(r.context, &r.seeks, r.seeks + 1)) {
  }
  unisono_player_destroy(r.player);
  EQUAL(l.seeks, 3);
  EQUAL(l.last_seek.request, first);
  EQUAL(l.last_seek.status, UNISONO_ECANCELED);
  EQUAL(unisono_player_play(r.player, 0), UNISONO_ECLOSED);
  end();
}

static void queueing(void) {
  unisono_player_item item = UNISONO_PLAYER_ITEM_INIT;
  unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
  int i;
  begin();
  insert(&r, "a", NULL);
  insert(&r, "c", NULL);
  insert(&r, "b", "a");
  pump(r.context);
  EQUAL(r.loads, 1);
  item.identifier = "d";
  EQUAL(unisono_player_insert_item(r.player, &item, "z"), UNISONO_ENOTFOUND);
  EQUAL(unisono_player_remove_item(r.player, "z"), UNISONO_ENOTFOUND);
  item.duration = -1;
  EQUAL(unisono_player_insert_item(r.player, &item, NULL), UNISONO_EINVAL);
  EQUAL(unisono_player_play(r.player, 0), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 1));
  /* At the end the next one comes by itself and goes on. */
  report.state = UNISONO_RENDERER_ENDED;
  EQUAL(unisono_player_report(r.player, &report), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 2));
  EQUAL(l.ends, 1);
  EQUAL(r.loads, 2);
  CHECK(strcmp(r.uri, "b") == 0);
  EQUAL(unisono_player_remove_item(r.player, "b"), UNISONO_OK);
  CHECK(pump_until(r.context, &r.loads, 3));
  CHECK(strcmp(r.uri, "c") == 0);
  EQUAL(unisono_player_replace_current_item(r.player, NULL), UNISONO_OK);
  pump(r.context);
  EQUAL(r.stops, 1);
  EQUAL(unisono_player_play(r.player, 0), UNISONO_ESTATE);
  item.duration = 0;
  item.identifier = "many";
  for (i = 0; i < 1024; i++) EQUAL(unisono_player_insert_item(r.player, &item, NULL), UNISONO_OK);
  EQUAL(unisono_player_insert_item(r.player, &item, NULL), UNISONO_EFULL);
  end();
}

/* The renderer says that it has played to the end; nothing but what the action says follows. */
static void reach_the_end(unisono_action_at_end action) {
  unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
  unisono_coordinator *coordinator = NULL;
  begin();
  EQUAL(unisono_player_coordinator(r.player, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_action_at_end(coordinator), UNISONO_AT_END_ADVANCE);
  EQUAL(unisono_coordinator_set_action_at_end(coordinator, action), UNISONO_OK);
  insert(&r, "a", NULL);
  insert(&r, "b", NULL);
  pump(r.context);
  EQUAL(unisono_coordinator_action_at_end(coordinator), action);
  EQUAL(unisono_player_play(r.player, 0), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 1));
  pump(r.context);
  report.state = UNISONO_RENDERER_ENDED;
  report.duration = milliseconds(60000);
  EQUAL(unisono_player_report(r.player, &report), UNISONO_OK);
  CHECK(pump_until(r.context, &l.ends, 1));
  pump(r.context);
}

static void pausing_at_the_end(void) {
  reach_the_end(UNISONO_AT_END_PAUSE);
  EQUAL(r.loads, 1);
  EQUAL(unisono_player_time_control(r.player), UNISONO_TIME_CONTROL_PAUSED);
  EQUAL(l.last_rate.rate, 0);
  EQUAL(l.last_rate.rate_reason, UNISONO_RATE_REASON_ITEM_ENDED);
  /* The queue is still there. */
  EQUAL(unisono_player_advance(r.player), UNISONO_OK);
  CHECK(pump_until(r.context, &r.loads, 2));
  CHECK(strcmp(r.uri, "b") == 0);
  end();
}

static void doing_nothing_at_the_end(void) {
  int rates;
  reach_the_end(UNISONO_AT_END_NONE);
  EQUAL(r.loads, 1);
  EQUAL(unisono_player_time_control(r.player), UNISONO_TIME_CONTROL_WAITING);
  EQUAL(unisono_player_waiting_reason(r.player), UNISONO_WAITING_COORDINATED_PLAYBACK);
  EQUAL(l.last_rate.rate, 1);
  rates = l.rates;
  /* It goes on from where the group goes, here at once: the rate was never another. */
  EQUAL(unisono_player_seek(r.player, milliseconds(5000), 0, 0, NULL), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 2));
  pump(r.context);
  EQUAL(unisono_player_time_control(r.player), UNISONO_TIME_CONTROL_PLAYING);
  EQUAL(l.rates, rates);
  end();
}

static void apart(void) {
  unisono_coordinator *coordinator = NULL;
  const char *const *reasons = NULL;
  size_t count = 0;
  begin();
  insert(&r, "movie", NULL);
  EQUAL(unisono_player_play(r.player, 0), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 1));
  EQUAL(unisono_player_coordinator(r.player, &coordinator), UNISONO_OK);
  EQUAL(unisono_player_begin_interruption(r.player), UNISONO_OK);
  CHECK(pump_until(r.context, &r.pauses, 1));
  EQUAL(unisono_coordinator_suspension_reasons(coordinator, &reasons, &count), UNISONO_OK);
  EQUAL(count, 1);
  if (count == 1) CHECK(strcmp(reasons[0], UNISONO_REASON_AUDIO_SESSION_INTERRUPTED) == 0);
  unisono_free(reasons);
  EQUAL(l.last_rate.rate_reason, UNISONO_RATE_REASON_INTERRUPTED);
  EQUAL(unisono_player_begin_interruption(r.player), UNISONO_OK);
  CHECK(pump_until(r.context, &l.errors, 1));
  CHECK(strcmp(l.last_error_operation, "unisono_player_begin_interruption") == 0);
  EQUAL(l.last_error_status, UNISONO_ESTATE);
  EQUAL(unisono_player_end_interruption(r.player, 1), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 2));
  EQUAL(unisono_player_begin_scrub(r.player), UNISONO_OK);
  EQUAL(unisono_player_scrub_to(r.player, milliseconds(30000)), UNISONO_OK);
  EQUAL(unisono_player_end_scrub(r.player, 1), UNISONO_OK);
  CHECK(pump_until(r.context, &r.seeks, 1));
  CHECK(r.at >= milliseconds(29900) && r.at < milliseconds(40000));
  EQUAL(unisono_player_replay(r.player, 0, 2), UNISONO_EINVAL);
  EQUAL(unisono_player_replay(r.player, milliseconds(20000), 2), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 3));
  CHECK(r.rate == 2);
  EQUAL(unisono_player_begin_interstitial(r.player), UNISONO_OK);
  CHECK(pump_until(r.context, &r.pauses, 2));
  pump(r.context);
  EQUAL(unisono_player_waiting_reason(r.player), UNISONO_WAITING_INTERSTITIAL);
  EQUAL(unisono_player_end_interstitial(r.player), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 4));
  /* The coordinator is the player's: it goes when that goes. */
  unisono_coordinator_destroy(coordinator);
  EQUAL(unisono_coordinator_set_wait_limit(coordinator, 0), UNISONO_OK);
  unisono_player_destroy(r.player);
  EQUAL(unisono_coordinator_set_wait_limit(coordinator, 0), UNISONO_ECLOSED);
  EQUAL(r.released, 1);
  EQUAL(l.released, 1);
  end();
}

static void volume_and_reports(void) {
  unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
  begin();
  EQUAL(unisono_player_set_volume(r.player, 1.5), UNISONO_EINVAL);
  EQUAL(unisono_player_set_volume(r.player, 0.25), UNISONO_OK);
  CHECK(pump_until(r.context, &r.volumes, 1));
  CHECK(r.volume == 0.25);
  report.state = (unisono_renderer_state)77;
  EQUAL(unisono_player_report(r.player, &report), UNISONO_EINVAL);
  report.state = UNISONO_RENDERER_POSITION;
  report.seekable_start = 5;
  report.seekable_end = 6;
  EQUAL(unisono_player_report(r.player, &report), UNISONO_EINVAL); /* no flag */
  report.flags = UNISONO_HAS_RANGE;
  EQUAL(unisono_player_report(r.player, &report), UNISONO_OK);
  report.seekable_end = 4;
  EQUAL(unisono_player_report(r.player, &report), UNISONO_EINVAL);
  report.seekable_start = report.seekable_end = 0;
  report.flags = UNISONO_HAS_HOST_TIME; /* not of a report */
  EQUAL(unisono_player_report(r.player, &report), UNISONO_EINVAL);
  report.flags = 0;
  report.item_time = 5;
  EQUAL(unisono_player_report(r.player, &report), UNISONO_EINVAL);
  report.item_time = UNISONO_TIME_INVALID;
  report.duration = UNISONO_TIME_INVALID;
  EQUAL(unisono_player_report(r.player, &report), UNISONO_OK);
  end();
}

/* A renderer without functions: everything is an event. */
static void in_the_queue(void) {
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_context *context = NULL;
  unisono_player *p = NULL;
  unisono_player_item item = UNISONO_PLAYER_ITEM_INIT;
  unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
  const unisono_context_event *event = NULL;
  int loads = 0, plays = 0, controls = 0, commands = 0;
  int64_t deadline = unisono_host_time() + milliseconds(10000);
  options.event_queue = 1;
  EQUAL(unisono_context_create(&options, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_player_create(context, NULL, NULL, NULL, NULL, &p), UNISONO_OK);
  item.identifier = "movie";
  EQUAL(unisono_player_insert_item(p, &item, NULL), UNISONO_OK);
  EQUAL(unisono_player_play(p, 0), UNISONO_OK);
  while (plays == 0 && unisono_host_time() < deadline) {
    if (unisono_context_next_event(context, milliseconds(50), &event) != 1) continue;
    if (event->type >= UNISONO_EVENT_COORDINATOR_PLAY && event->type <= UNISONO_EVENT_COORDINATOR_BUFFER) commands++;
    if (event->type == UNISONO_EVENT_PLAYER_TIME_CONTROL) controls++;
    if (event->type == UNISONO_EVENT_RENDERER_LOAD || event->type == UNISONO_EVENT_RENDERER_CUE) {
      report.state = UNISONO_RENDERER_READY;
      report.request = unisono_event_renderer(event)->request;
      EQUAL(unisono_player_report(p, &report), UNISONO_OK);
      loads++;
    }
    if (event->type == UNISONO_EVENT_RENDERER_SEEK) {
      report.state = UNISONO_RENDERER_SEEKED;
      report.request = unisono_event_renderer(event)->request;
      EQUAL(unisono_player_report(p, &report), UNISONO_OK);
    }
    if (event->type == UNISONO_EVENT_RENDERER_PLAY) plays++;
  }
  EQUAL(plays, 1);
  CHECK(loads >= 1);
  CHECK(controls >= 1);
  /* The coordinator's commands are the player's. */
  EQUAL(commands, 0);
  unisono_context_destroy(context);
}

static void on_ready_destroy(void *user, const unisono_player_event *event) {
  (void)user;
  if (event->item_state == UNISONO_ITEM_READY) unisono_player_destroy(r.player);
}

static void destroyed_inside(void) {
  unisono_renderer functions = fake_renderer_functions();
  unisono_player_callbacks callbacks = player_listener_functions();
  begin();
  unisono_player_destroy(r.player);
  CHECK(pump_until(r.context, &r.released, 1));
  EQUAL(l.released, 1);
  memset(&l, 0, sizeof l);
  r.released = r.stops = 0;
  callbacks.item_state = on_ready_destroy;
  EQUAL(unisono_player_create(r.context, &functions, &r, &callbacks, &l, &r.player), UNISONO_OK);
  insert(&r, "movie", NULL);
  CHECK(pump_until(r.context, &r.released, 1));
  EQUAL(unisono_player_play(r.player, 0), UNISONO_ECLOSED);
  EQUAL(r.stops, 1);
  /* Both registrations, each released once. */
  EQUAL(l.released, 1);
  unisono_context_destroy(r.context);
  EQUAL(l.released, 1);
  EQUAL(r.released, 1);
}

/* A window of its own says what it does; the player's coordinator knows what it was commanded. */
static void wish_or_echo(void) {
  unisono_coordinator *coordinator = NULL;
  begin();
  insert(&r, "movie", NULL);
  EQUAL(unisono_player_coordinator(r.player, &coordinator), UNISONO_OK);
  pump(r.context);
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RUNNING, 0), 0);
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RUNNING, 1), 1); /* nobody commanded that */
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RUNNING, 0), 0); /* set back */
  EQUAL(unisono_player_play(r.player, 0), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 1));
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RUNNING, 1), 0);
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RATE, 1), 0);
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RATE, 1.5), 1);
  EQUAL(unisono_player_set_rate(r.player, 1.5, 0), UNISONO_OK); /* the group is asked, and agrees */
  CHECK(pump_until(r.context, &r.plays, 2));
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RATE, 1.5), 0);
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RUNNING, 0), 1);
  EQUAL(unisono_player_pause(r.player), UNISONO_OK);
  CHECK(pump_until(r.context, &r.pauses, 1));
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RUNNING, 0), 0);
  r.silent = 1; /* a seek that takes a while */
  EQUAL(unisono_player_seek(r.player, milliseconds(60000), 0, 0, NULL), UNISONO_OK);
  CHECK(pump_until(r.context, &r.seeks, 1));
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_SEEKING, 1), 0);
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_SEEKING, 0), 0);
  EQUAL(unisono_coordinator_is_wish(coordinator, (unisono_motion)0, 1), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_is_wish(coordinator, (unisono_motion)4, 1), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RATE, NAN), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_expect_motion(coordinator, UNISONO_MOTION_RATE, INFINITY), UNISONO_EINVAL);
  CHECK(strstr(unisono_last_error(), "unisono_coordinator_expect_motion") != NULL);
  end();
}

void test_player(void) {
  run_test("F20 a player wants a whole renderer", making);
  run_test("F21 the present state is delivered first, and nothing plays without an item", first_delivery);
  run_test("F20 F22 F23 play asks, loads, starts and pauses; rates are told", play_and_pause);
  run_test("F21 an item that cannot be loaded fails", failing);
  run_test("F22 a rate that cannot be played: renderer, status, reason and suspension agree", failing_rates);
  run_test("F3 a renderer that does nothing is shown as that", doing_nothing);
  run_test("F23 every seek is answered once: done, or cancelled by the newer, or by the end", seeking);
  run_test("F18 what a renderer was commanded it echoes; what a person did at its window is a wish", wish_or_echo);
  run_test("F26 the queue inserts, removes, advances and is bounded", queueing);
  run_test("F26 pause at the end: the player stands there, and the queue waits", pausing_at_the_end);
  run_test("F26 nothing at the end: the rate stays, and a seek goes on at once", doing_nothing_at_the_end);
  run_test("F24 F25 interruption, scrubbing, replay and interstitial", apart);
  run_test("F28 the own volume; bad reports are refused", volume_and_reports);
  run_test("F20 a renderer in the event queue", in_the_queue);
  run_test("a player destroyed inside its own callback", destroyed_inside);
}
