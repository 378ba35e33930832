/* Destroying inside callbacks, from other threads, with the context; released last and once; forked children. */
#include "harness.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  unisono_context *context;
  unisono_coordinator *coordinator;
  int calls, after_destroy, released, context_released, inside, order_broken;
  int destroy_context;
} record;

static void on_command(void *user, const unisono_command *command) {
  record *r = (record *)user;
  (void)command;
  if (r->released) r->order_broken = 1;
  if (r->calls++) r->after_destroy++;
  if (r->destroy_context) {
    unisono_context_destroy(r->context);
    if (unisono_context_wake(r->context) != UNISONO_ECLOSED) r->order_broken = 1;
  } else {
    unisono_coordinator_destroy(r->coordinator);
  }
  if (unisono_coordinator_complete(r->coordinator, 1) != UNISONO_ECLOSED) r->order_broken = 1;
  if (r->released) r->order_broken = 1;
}
static void on_timing(void *user, const unisono_timing_change *change) {
  record *r = (record *)user;
  (void)change;
  if (r->calls || r->released) r->after_destroy++;
}
static void on_released(void *user) {
  record *r = (record *)user;
  if (r->context_released) r->order_broken = 1;
  __atomic_add_fetch(&r->released, 1, __ATOMIC_RELEASE);
}
static void on_context_released(void *user) { __atomic_add_fetch(&((record *)user)->context_released, 1, __ATOMIC_RELEASE); }

static void make(record *r, int own_thread) {
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_context_callbacks callbacks = UNISONO_CONTEXT_CALLBACKS_INIT;
  unisono_playback_delegate delegate = UNISONO_PLAYBACK_DELEGATE_INIT;
  options.own_thread = own_thread;
  callbacks.released = on_context_released;
  delegate.play = delegate.pause = delegate.seek = delegate.buffer = on_command;
  delegate.timing_changed = on_timing;
  delegate.released = on_released;
  EQUAL(unisono_context_create(&options, &callbacks, r, &r->context), UNISONO_OK);
  EQUAL(unisono_coordinator_create(r->context, &delegate, r, &r->coordinator), UNISONO_OK);
}

static void own_source(void) {
  record r;
  memset(&r, 0, sizeof r);
  make(&r, 0);
  EQUAL(unisono_coordinator_transition_to_item(r.coordinator, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(r.coordinator, 1, 0), UNISONO_OK);
  CHECK(pump_until(r.context, &r.released, 1));
  pump(r.context);
  EQUAL(r.calls, 1);
  EQUAL(r.after_destroy, 0);
  EQUAL(r.released, 1);
  EQUAL(r.order_broken, 0);
  unisono_context_destroy(r.context);
  EQUAL(r.context_released, 1);
  EQUAL(r.order_broken, 0);
}

static void own_context(void) {
  record r;
  memset(&r, 0, sizeof r);
  r.destroy_context = 1;
  make(&r, 0);
  EQUAL(unisono_coordinator_transition_to_item(r.coordinator, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(r.coordinator, 1, 0), UNISONO_OK);
  while (r.calls == 0) {
    if (unisono_context_poll(r.context, milliseconds(100)) == UNISONO_ECLOSED) break;
  }
  EQUAL(r.calls, 1);
  EQUAL(r.released, 1);
  EQUAL(r.context_released, 1);
  EQUAL(r.after_destroy, 0);
  EQUAL(r.order_broken, 0);
  EQUAL(unisono_context_poll(r.context, 0), UNISONO_ECLOSED);
}

static void own_context_own_thread(void) {
  record r;
  memset(&r, 0, sizeof r);
  r.destroy_context = 1;
  make(&r, 1);
  EQUAL(unisono_coordinator_transition_to_item(r.coordinator, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(r.coordinator, 1, 0), UNISONO_OK);
  CHECK(wait_until(&r.context_released, 1));
  EQUAL(r.released, 1);
  EQUAL(r.order_broken, 0);
}

static void outside(void) {
  record r;
  memset(&r, 0, sizeof r);
  make(&r, 0);
  unisono_coordinator_destroy(r.coordinator);
  EQUAL(r.released, 1);
  unisono_coordinator_destroy(r.coordinator);
  EQUAL(r.released, 1);
  unisono_context_destroy(r.context);
  EQUAL(r.released, 1);
  EQUAL(r.context_released, 1);
  EQUAL(r.order_broken, 0);
}

static void with_the_context(void) {
  record r;
  memset(&r, 0, sizeof r);
  make(&r, 0);
  unisono_context_destroy(r.context);
  EQUAL(r.released, 1);
  EQUAL(r.context_released, 1);
  EQUAL(r.order_broken, 0);
}

static void slow_command(void *user, const unisono_command *command) {
  record *r = (record *)user;
  (void)command;
  __atomic_store_n(&r->inside, 1, __ATOMIC_RELEASE);
  usleep(50000);
  __atomic_store_n(&r->inside, 2, __ATOMIC_RELEASE);
}

static void waits_for_callback(void) {
  record r;
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_playback_delegate delegate = UNISONO_PLAYBACK_DELEGATE_INIT;
  memset(&r, 0, sizeof r);
  options.own_thread = 1;
  delegate.play = delegate.pause = delegate.seek = delegate.buffer = slow_command;
  delegate.released = on_released;
  EQUAL(unisono_context_create(&options, NULL, NULL, &r.context), UNISONO_OK);
  EQUAL(unisono_coordinator_create(r.context, &delegate, &r, &r.coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(r.coordinator, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(r.coordinator, 1, 0), UNISONO_OK);
  CHECK(wait_until(&r.inside, 1));
  unisono_coordinator_destroy(r.coordinator);
  EQUAL(r.inside, 2);
  EQUAL(r.released, 1);
  unisono_context_destroy(r.context);
}

static void *hammer(void *user) {
  record *r = (record *)user;
  int64_t time = 0;
  unisono_timing timing = UNISONO_TIMING_INIT;
  int status, round = 0;
  do {
    status = unisono_coordinator_expected_item_time(r->coordinator, 1, &time);
    if (status == UNISONO_ECLOSED) break;
    status = unisono_coordinator_timing(r->coordinator, &timing);
    if (++round % 1000 == 0) unisono_coordinator_coordinate_seek(r->coordinator, 5, 0);
    unisono_context_wake(r->context);
  } while (status != UNISONO_ECLOSED);
  return NULL;
}

static void racing_reads(void) {
  int i;
  for (i = 0; i < 20; i++) {
    record r;
    player p;
    pthread_t threads[2];
    unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
    unisono_playback_delegate delegate = player_delegate();
    memset(&r, 0, sizeof r);
    memset(&p, 0, sizeof p);
    options.own_thread = i % 2;
    EQUAL(unisono_context_create(&options, NULL, NULL, &r.context), UNISONO_OK);
    EQUAL(unisono_coordinator_create(r.context, &delegate, &p, &r.coordinator), UNISONO_OK);
    EQUAL(unisono_coordinator_transition_to_item(r.coordinator, "movie", NULL), UNISONO_OK);
    pthread_create(&threads[0], NULL, hammer, &r);
    pthread_create(&threads[1], NULL, hammer, &r);
    if (!options.own_thread) pump(r.context);
    usleep(2000);
    unisono_context_destroy(r.context);
    EQUAL(p.released, 1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
  }
}

static void forked(void) {
  record r;
  pid_t child;
  int status = 0;
  memset(&r, 0, sizeof r);
  make(&r, 0);
  fflush(stdout);
  child = fork();
  if (child == 0) {
    int64_t time = 0;
    unisono_context *another = NULL;
    int good = unisono_context_poll(r.context, 0) == UNISONO_ECLOSED;
    good = good && unisono_coordinator_expected_item_time(r.coordinator, 0, &time) == UNISONO_ECLOSED;
    good = good && unisono_context_wake(r.context) == UNISONO_ECLOSED;
    good = good && unisono_context_create(NULL, NULL, NULL, &another) == UNISONO_ECLOSED;
    unisono_coordinator_destroy(r.coordinator);
    unisono_context_destroy(r.context);
    _exit(good ? 0 : 1);
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EQUAL(r.released, 0);
  EQUAL(unisono_context_poll(r.context, 0) >= 0, 1);
  unisono_context_destroy(r.context);
  EQUAL(r.released, 1);
}

void test_lifetime(void) {
  run_test("a callback may destroy its own source: nothing comes afterwards but released", own_source);
  run_test("a callback may destroy its context: that poll ends with ECLOSED, everything is released", own_context);
  run_test("a callback on the own thread may destroy its context", own_context_own_thread);
  run_test("outside callbacks released comes before destroy returns, and once", outside);
  run_test("destroying a context releases its children first", with_the_context);
  run_test("destroy from another thread waits for a running callback", waits_for_callback);
  run_test("reads and calls may race destroy", racing_reads);
  run_test("in a forked child every call is ECLOSED", forked);
}
