/* Contexts on virtual time: what a host's own tests use. Nothing here opens a socket or waits. */
#include "fake_renderer.h"

#include <pthread.h>
#include <stdlib.h>

enum { MOST = 5 };

static unisono_simulation *simulation;
static unisono_context *contexts[MOST];
static unisono_session *sessions[MOST];
static unisono_coordinator *coordinators[MOST];
static player players[MOST];

/* `count` participants with clocks of their own, joined, on one film. */
static void begin(int count, uint64_t seed) {
  unisono_simulation_options options = UNISONO_SIMULATION_OPTIONS_INIT;
  unisono_playback_delegate delegate = player_delegate();
  char invite[4096];
  size_t length = sizeof invite;
  int i;
  options.random_seed = seed;
  memset(players, 0, sizeof players);
  EQUAL(unisono_simulation_create(&options, &simulation), UNISONO_OK);
  for (i = 0; i < count; i++) {
    players[i].completes = 1;
    EQUAL(unisono_simulation_context(simulation, NULL, NULL, NULL, i * 7777000000, 40.0 * i, &contexts[i]), UNISONO_OK);
    if (i == 0) {
      EQUAL(unisono_session_host(contexts[i], NULL, NULL, NULL, &sessions[i]), UNISONO_OK);
      EQUAL(unisono_session_invite(sessions[i], invite, &length), UNISONO_OK);
    } else {
      EQUAL(unisono_session_open(contexts[i], invite, NULL, NULL, NULL, &sessions[i]), UNISONO_OK);
    }
    EQUAL(unisono_coordinator_create(contexts[i], &delegate, &players[i], &coordinators[i]), UNISONO_OK);
    EQUAL(unisono_coordinator_coordinate_with_session(coordinators[i], sessions[i]), UNISONO_OK);
    EQUAL(unisono_session_join(sessions[i]), UNISONO_OK);
    EQUAL(unisono_simulation_advance(simulation, milliseconds(2000)), UNISONO_OK);
    EQUAL(unisono_session_get_state(sessions[i]), UNISONO_SESSION_JOINED);
    EQUAL(unisono_coordinator_transition_to_item(coordinators[i], "film", NULL), UNISONO_OK);
  }
  EQUAL(unisono_simulation_advance(simulation, milliseconds(5000)), UNISONO_OK);
}

static int64_t place(int i) {
  int64_t time = 0;
  EQUAL(unisono_coordinator_expected_item_time(coordinators[i], unisono_context_host_time(contexts[i]), &time), UNISONO_OK);
  return time;
}

static int64_t apart(int count) {
  int64_t least = place(0), most = least;
  int i;
  for (i = 1; i < count; i++) {
    int64_t time = place(i);
    if (time < least) least = time;
    if (time > most) most = time;
  }
  return most - least;
}

static void together(void) {
  int64_t before, moved;
  int i, paused[MOST];
  begin(MOST, 7);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinators[3], 1, 0), UNISONO_OK);
  EQUAL(unisono_simulation_advance(simulation, milliseconds(2000)), UNISONO_OK);
  for (i = 0; i < MOST; i++) EQUAL(players[i].plays, 1);
  /* An hour, in which the last clock gains half a second on the first. */
  before = place(0);
  EQUAL(unisono_simulation_advance(simulation, milliseconds(3600000)), UNISONO_OK);
  moved = place(0) - before;
  CHECK(llabs(moved - milliseconds(3600000)) < milliseconds(600));
  CHECK(apart(MOST) < milliseconds(1));
  for (i = 0; i < MOST; i++) paused[i] = players[i].pauses;
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinators[0], 0, 0), UNISONO_OK);
  EQUAL(unisono_simulation_advance(simulation, milliseconds(1000)), UNISONO_OK);
  for (i = 0; i < MOST; i++) EQUAL(players[i].pauses, paused[i] + 1);
  EQUAL(apart(MOST), 0);
  unisono_simulation_destroy(simulation);
  for (i = 0; i < MOST; i++) EQUAL(players[i].released, 1);
}

static void link_down(void) {
  unisono_simulated_link link = UNISONO_SIMULATED_LINK_INIT;
  int one, other;
  begin(3, 8);
  link.delay_out = link.delay_in = milliseconds(60);
  link.jitter = milliseconds(10);
  link.loss = 0.02;
  EQUAL(unisono_simulation_set_link(simulation, contexts[2], &link), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinators[0], 1, 0), UNISONO_OK);
  EQUAL(unisono_simulation_advance(simulation, milliseconds(30000)), UNISONO_OK);
  EQUAL(players[2].plays, 1);
  CHECK(apart(3) < milliseconds(20));
  /* Cut off, it goes on by itself, and hears of nothing. */
  link.down = 1;
  one = players[0].pauses;
  other = players[2].pauses;
  EQUAL(unisono_simulation_set_link(simulation, contexts[2], &link), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinators[1], 0, 0), UNISONO_OK);
  EQUAL(unisono_simulation_advance(simulation, milliseconds(30000)), UNISONO_OK);
  EQUAL(players[0].pauses, one + 1);
  EQUAL(players[2].pauses, other);
  link.down = 0;
  EQUAL(unisono_simulation_set_link(simulation, contexts[2], &link), UNISONO_OK);
  EQUAL(unisono_simulation_advance(simulation, milliseconds(30000)), UNISONO_OK);
  EQUAL(players[2].pauses, other + 1);
  EQUAL(apart(3), 0);
  unisono_simulation_destroy(simulation);
}

/* What two minutes of people at their players come to. */
static uint64_t outcome(uint64_t seed) {
  uint64_t sum = 14695981039346656037u;
  int i, turn;
  begin(3, seed);
  for (turn = 0; turn < 40; turn++) {
    int who = turn % 3;
    if (turn % 4 == 3) EQUAL(unisono_coordinator_coordinate_seek(coordinators[who], milliseconds(1000 * turn), 0), UNISONO_OK);
    else EQUAL(unisono_coordinator_coordinate_rate_change(coordinators[who], turn % 2 ? 0 : 1, 0), UNISONO_OK);
    EQUAL(unisono_simulation_advance(simulation, milliseconds(3000)), UNISONO_OK);
    for (i = 0; i < 3; i++) {
      sum = (sum ^ (uint64_t)place(i)) * 1099511628211u;
      sum = (sum ^ (uint64_t)players[i].last.host_time) * 1099511628211u;
    }
  }
  unisono_simulation_destroy(simulation);
  return sum;
}

static void replays(void) {
  uint64_t first = outcome(9);
  CHECK(outcome(9) == first);
  CHECK(outcome(10) != first);
}

static int inside_advance, inside_poll, fired;
static void on_timer(void *user, const unisono_timer_event *event) {
  (void)user;
  EQUAL(event->status, UNISONO_OK);
  inside_advance = unisono_simulation_advance(simulation, 0);
  inside_poll = unisono_context_poll(contexts[0], 0);
  fired++;
}

static void refusals(void) {
  unisono_simulation_options options = UNISONO_SIMULATION_OPTIONS_INIT;
  unisono_context_options for_context = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_simulated_link link = UNISONO_SIMULATED_LINK_INIT;
  unisono_context *other = NULL;
  int64_t start;
  options.start_time = -1;
  EQUAL(unisono_simulation_create(&options, &simulation), UNISONO_EINVAL);
  CHECK(simulation == NULL);
  options.start_time = 5;
  EQUAL(unisono_simulation_create(&options, &simulation), UNISONO_OK);
  for_context.own_thread = 1;
  EQUAL(unisono_simulation_context(simulation, &for_context, NULL, NULL, 0, 0, &other), UNISONO_EINVAL);
  EQUAL(unisono_simulation_context(simulation, NULL, NULL, NULL, INT64_MAX, 0, &other), UNISONO_EINVAL);
  EQUAL(unisono_simulation_context(simulation, NULL, NULL, NULL, 0, 501, &other), UNISONO_EINVAL);
  EQUAL(unisono_simulation_context(simulation, NULL, NULL, NULL, 3, 0, &contexts[0]), UNISONO_OK);
  EQUAL(unisono_context_host_time(contexts[0]), 8);
  EQUAL(unisono_context_poll(contexts[0], 0), UNISONO_ESTATE);
  EQUAL(unisono_context_fd(contexts[0]), UNISONO_ESTATE);
  EQUAL(unisono_context_timeout(contexts[0]), UNISONO_ESTATE);
  EQUAL(unisono_simulation_advance(simulation, -1), UNISONO_EINVAL);
  link.loss = 1.5;
  EQUAL(unisono_simulation_set_link(simulation, contexts[0], &link), UNISONO_EINVAL);
  link.loss = 0;
  link.delay_in = -1;
  EQUAL(unisono_simulation_set_link(simulation, contexts[0], &link), UNISONO_EINVAL);
  link.delay_in = 0;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &other), UNISONO_OK);
  EQUAL(unisono_simulation_set_link(simulation, other, &link), UNISONO_EINVAL);
  unisono_context_destroy(other);
  /* A timer is due to the nanosecond, and nothing waits for it. */
  start = unisono_host_time();
  EQUAL(unisono_context_call_at(contexts[0], 8 + milliseconds(3600000), on_timer, NULL, NULL), UNISONO_OK);
  EQUAL(unisono_simulation_advance(simulation, milliseconds(3600000) - 1), UNISONO_OK);
  EQUAL(fired, 0);
  EQUAL(unisono_simulation_advance(simulation, 1), UNISONO_OK);
  EQUAL(fired, 1);
  EQUAL(inside_advance, UNISONO_ESTATE);
  EQUAL(inside_poll, UNISONO_ESTATE);
  CHECK(unisono_host_time() - start < milliseconds(60000));
  unisono_context_destroy(contexts[0]);
  EQUAL(unisono_simulation_advance(simulation, 1), UNISONO_OK);
  unisono_simulation_destroy(simulation);
  EQUAL(unisono_simulation_advance(simulation, 1), UNISONO_ECLOSED);
  unisono_simulation_destroy(simulation);
}

static void queued(void) {
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  const unisono_context_event *event = NULL;
  int timers = 0;
  options.event_queue = 1;
  EQUAL(unisono_simulation_create(NULL, &simulation), UNISONO_OK);
  EQUAL(unisono_simulation_context(simulation, &options, NULL, NULL, 0, 0, &contexts[0]), UNISONO_OK);
  EQUAL(unisono_context_call_at(contexts[0], 0, NULL, NULL, NULL), UNISONO_OK);
  /* Without an end to the wait, and yet it does not wait: only advance brings anything. */
  EQUAL(unisono_context_next_event(contexts[0], -1, &event), 0);
  EQUAL(unisono_simulation_advance(simulation, 0), UNISONO_OK);
  while (unisono_context_next_event(contexts[0], -1, &event) == 1) timers += event->type == UNISONO_EVENT_TIMER;
  EQUAL(timers, 1);
  unisono_simulation_destroy(simulation);
}

static int busy;
static void *make_and_end_contexts(void *user) {
  unisono_context *context = NULL;
  int i;
  (void)user;
  for (i = 0; i < 200; i++) {
    int32_t status;
    EQUAL(unisono_simulation_context(simulation, NULL, NULL, NULL, 0, 0, &context), UNISONO_OK);
    CHECK(unisono_context_host_time(context) > 0);
    status = unisono_simulation_advance(simulation, 1000);
    CHECK(status == UNISONO_OK || status == UNISONO_EBUSY);
    busy += status == UNISONO_EBUSY;
    unisono_context_destroy(context);
  }
  return NULL;
}

static void threads(void) {
  pthread_t thread;
  begin(2, 11);
  EQUAL(pthread_create(&thread, NULL, make_and_end_contexts, NULL), 0);
  while (pthread_tryjoin_np(thread, NULL) != 0) {
    int32_t status = unisono_simulation_advance(simulation, milliseconds(10));
    CHECK(status == UNISONO_OK || status == UNISONO_EBUSY);
  }
  EQUAL(unisono_session_get_state(sessions[1]), UNISONO_SESSION_JOINED);
  unisono_simulation_destroy(simulation);
}

/* The player layer asks its renderer where it is by the virtual clock, and time goes on all the same. */
static void renderers(void) {
  unisono_renderer functions = fake_renderer_functions();
  fake_renderer r[2];
  int64_t place[2];
  int i;
  begin(2, 12);
  memset(r, 0, sizeof r);
  for (i = 0; i < 2; i++) {
    unisono_coordinator_destroy(coordinators[i]);
    r[i].context = contexts[i];
    r[i].duration = milliseconds(7200000);
    EQUAL(unisono_player_create(contexts[i], &functions, &r[i], NULL, NULL, &r[i].player), UNISONO_OK);
    EQUAL(unisono_player_coordinator(r[i].player, &coordinators[i]), UNISONO_OK);
    EQUAL(unisono_coordinator_coordinate_with_session(coordinators[i], sessions[i]), UNISONO_OK);
    insert(&r[i], "reel", NULL);
  }
  EQUAL(unisono_simulation_advance(simulation, milliseconds(5000)), UNISONO_OK);
  EQUAL(unisono_player_play(r[1].player, 0), UNISONO_OK);
  EQUAL(unisono_simulation_advance(simulation, milliseconds(60000)), UNISONO_OK);
  for (i = 0; i < 2; i++) {
    EQUAL(r[i].plays, 1);
    CHECK(r[i].asked > 200 && r[i].asked < 4000);
    place[i] = r[i].at + unisono_context_host_time(contexts[i]) - r[i].since;
  }
  CHECK(place[0] > milliseconds(58000) && llabs(place[0] - place[1]) < milliseconds(5));
  unisono_simulation_destroy(simulation);
  for (i = 0; i < 2; i++) EQUAL(r[i].released, 1);
}

void test_simulation(void) {
  run_test("F88: five participants play an hour on virtual time within 1 ms of each other, and pause at one place", together);
  run_test("F88: a simulated link that is down parts one from the group, and up again brings it back", link_down);
  run_test("F88: the same seed and the same calls come to the same end, another seed does not", replays);
  run_test("F88: a simulation says no to what it cannot do, and timers are due to the nanosecond", refusals);
  run_test("F88: a simulated context with an event queue gets its events by advance", queued);
  run_test("F88: players over renderers run on virtual time, a minute of two in step", renderers);
  run_test("F88: contexts of a simulation are made and ended by other threads while it runs", threads);
}
