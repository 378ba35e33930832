/* The three drives of a context, timers, the descriptor, waking. */
#include "harness.h"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>
#include <uv.h>

typedef struct {
  int calls, released, wakeups, logs;
  int status[16];
  uint64_t token[16];
  pthread_t thread;
  unisono_context *context;
  int inner;
} record;

static void on_timer(void *user, const unisono_timer_event *event) {
  record *r = (record *)user;
  if (r->calls < 16) {
    r->status[r->calls] = event->status;
    r->token[r->calls] = event->token;
  }
  r->thread = pthread_self();
  __atomic_add_fetch(&r->calls, 1, __ATOMIC_RELEASE);
}
static void on_released(void *user) { __atomic_add_fetch(&((record *)user)->released, 1, __ATOMIC_RELEASE); }
static void on_wakeup(void *user) { __atomic_add_fetch(&((record *)user)->wakeups, 1, __ATOMIC_RELEASE); }

static int readable(int fd, int wait) {
  struct pollfd watched;
  watched.fd = fd;
  watched.events = POLLIN;
  watched.revents = 0;
  return poll(&watched, 1, wait) == 1;
}

static void polled(void) {
  record r;
  unisono_context_callbacks callbacks = UNISONO_CONTEXT_CALLBACKS_INIT;
  unisono_context *context = NULL;
  uint64_t token = 0;
  int64_t before;
  memset(&r, 0, sizeof r);
  callbacks.released = on_released;
  EQUAL(unisono_context_create(NULL, &callbacks, &r, &context), UNISONO_OK);
  pump(context);
  EQUAL(unisono_context_poll(context, 0), 0);
  before = unisono_host_time();
  EQUAL(unisono_context_poll(context, milliseconds(20)), 0);
  CHECK(unisono_host_time() - before >= milliseconds(15));
  EQUAL(unisono_context_call_at(context, unisono_host_time() + milliseconds(5), on_timer, &r, &token), UNISONO_OK);
  CHECK(token != 0);
  EQUAL(r.calls, 0);
  CHECK(pump_until(context, &r.calls, 1));
  EQUAL(r.status[0], UNISONO_OK);
  CHECK(r.token[0] == token);
  CHECK(pthread_equal(r.thread, pthread_self()));
  CHECK(unisono_context_host_time(context) >= before);
  unisono_context_destroy(context);
  EQUAL(r.released, 1);
}

static void descriptor(void) {
  record r;
  unisono_context *context = NULL;
  int fd;
  memset(&r, 0, sizeof r);
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  pump(context);
  fd = unisono_context_fd(context);
  CHECK(fd >= 0);
  CHECK(!readable(fd, 0));
  EQUAL(unisono_context_timeout(context), UNISONO_TIME_INDEFINITE);
  EQUAL(unisono_context_call_at(context, unisono_host_time() + milliseconds(30), on_timer, &r, NULL), UNISONO_OK);
  CHECK(readable(fd, 1000));
  pump(context);
  CHECK(!readable(fd, 0));
  CHECK(unisono_context_timeout(context) > 0);
  CHECK(unisono_context_timeout(context) <= milliseconds(30));
  CHECK(readable(fd, 1000));
  pump(context);
  EQUAL(r.calls, 1);
  CHECK(!readable(fd, 0));
  unisono_context_destroy(context);
}

static void cancelling(void) {
  record r;
  unisono_context *context = NULL;
  uint64_t token = 0;
  memset(&r, 0, sizeof r);
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_context_call_at(context, unisono_host_time() + milliseconds(60000), on_timer, &r, &token), UNISONO_OK);
  EQUAL(unisono_context_cancel(context, token), UNISONO_OK);
  EQUAL(unisono_context_cancel(context, token), UNISONO_ENOTFOUND);
  EQUAL(unisono_context_cancel(context, 0), UNISONO_ENOTFOUND);
  EQUAL(r.calls, 0);
  CHECK(pump_until(context, &r.calls, 1));
  EQUAL(r.status[0], UNISONO_ECANCELED);
  EQUAL(unisono_context_call_at(context, 0, on_timer, &r, &token), UNISONO_OK);
  CHECK(pump_until(context, &r.calls, 2));
  EQUAL(unisono_context_cancel(context, token), UNISONO_ENOTFOUND);
  EQUAL(unisono_context_call_at(context, INT64_MAX, on_timer, &r, NULL), UNISONO_OK);
  EQUAL(unisono_context_call_at(context, 0, on_timer, &r, NULL), UNISONO_OK);
  unisono_context_destroy(context);
  EQUAL(r.calls, 4);
  EQUAL(r.status[3], UNISONO_ECANCELED);
}

static void timer_order(void) {
  record r;
  unisono_context *context = NULL;
  uint64_t tokens[3];
  int64_t now = unisono_host_time();
  memset(&r, 0, sizeof r);
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_context_call_at(context, now + milliseconds(6), on_timer, &r, &tokens[2]), UNISONO_OK);
  EQUAL(unisono_context_call_at(context, now + milliseconds(2), on_timer, &r, &tokens[0]), UNISONO_OK);
  EQUAL(unisono_context_call_at(context, now + milliseconds(4), on_timer, &r, &tokens[1]), UNISONO_OK);
  CHECK(pump_until(context, &r.calls, 3));
  CHECK(r.token[0] == tokens[0] && r.token[1] == tokens[1] && r.token[2] == tokens[2]);
  unisono_context_destroy(context);
}

static void many_calls(void) {
  record r;
  unisono_context *context = NULL;
  int i, made = 0;
  memset(&r, 0, sizeof r);
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  for (i = 0; i < 70000; i++) {
    int status = unisono_context_call_at(context, INT64_MAX - 1, on_timer, &r, NULL);
    if (status == UNISONO_OK) made++;
    else EQUAL(status, UNISONO_EFULL);
    if (status != UNISONO_OK) break;
  }
  EQUAL(made, 65536);
  unisono_context_destroy(context);
  EQUAL(r.calls, 65536);
}

static void own_thread(void) {
  record r;
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_context_callbacks callbacks = UNISONO_CONTEXT_CALLBACKS_INIT;
  unisono_context *context = NULL;
  memset(&r, 0, sizeof r);
  options.own_thread = 1;
  callbacks.released = on_released;
  EQUAL(unisono_context_create(&options, &callbacks, &r, &context), UNISONO_OK);
  EQUAL(unisono_context_poll(context, 0), UNISONO_ESTATE);
  EQUAL(unisono_context_fd(context), UNISONO_ESTATE);
  EQUAL(unisono_context_timeout(context), UNISONO_ESTATE);
  EQUAL(unisono_context_call_at(context, unisono_host_time() + milliseconds(3), on_timer, &r, NULL), UNISONO_OK);
  CHECK(wait_until(&r.calls, 1));
  CHECK(!pthread_equal(r.thread, pthread_self()));
  EQUAL(unisono_context_call_at(context, INT64_MAX, on_timer, &r, NULL), UNISONO_OK);
  EQUAL(r.released, 0);
  unisono_context_destroy(context);
  EQUAL(r.calls, 2);
  EQUAL(r.status[1], UNISONO_ECANCELED);
  EQUAL(r.released, 1);
}

static void own_thread_queue(void) {
  record r;
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_context_callbacks callbacks = UNISONO_CONTEXT_CALLBACKS_INIT;
  unisono_context *context = NULL;
  const unisono_context_event *event = NULL;
  uint64_t token = 0;
  int fd;
  memset(&r, 0, sizeof r);
  options.own_thread = 1;
  options.event_queue = 1;
  callbacks.wakeup = on_wakeup;
  EQUAL(unisono_context_create(&options, &callbacks, &r, &context), UNISONO_OK);
  fd = unisono_context_fd(context);
  CHECK(fd >= 0);
  EQUAL(unisono_context_next_event(context, 0, &event), 0);
  CHECK(!readable(fd, 0));
  EQUAL(unisono_context_call_at(context, unisono_host_time() + milliseconds(5), NULL, &r, &token), UNISONO_OK);
  EQUAL(unisono_context_next_event(context, milliseconds(5000), &event), 1);
  CHECK(event != NULL && event->type == UNISONO_EVENT_TIMER && event->user == &r && event->source == NULL);
  CHECK(wait_until(&r.wakeups, 1));
  EQUAL(unisono_context_call_at(context, 0, NULL, &r, &token), UNISONO_OK);
  CHECK(readable(fd, 5000));
  EQUAL(unisono_context_next_event(context, 0, &event), 1);
  EQUAL(unisono_context_next_event(context, 0, &event), 0);
  CHECK(event == NULL);
  CHECK(!readable(fd, 0));
  unisono_context_destroy(context);
}

static void foreign_loop(void) {
  record r;
  uv_loop_t loop;
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_context_callbacks callbacks = UNISONO_CONTEXT_CALLBACKS_INIT;
  unisono_context *context = NULL;
  memset(&r, 0, sizeof r);
  EQUAL(uv_loop_init(&loop), 0);
  options.uv_loop = &loop;
  options.uv_loop_size = uv_loop_size();
  callbacks.released = on_released;
  EQUAL(unisono_context_create(&options, &callbacks, &r, &context), UNISONO_OK);
  EQUAL(unisono_context_poll(context, 0), UNISONO_ESTATE);
  EQUAL(unisono_context_fd(context), UNISONO_ESTATE);
  EQUAL(unisono_context_call_at(context, unisono_host_time() + milliseconds(3), on_timer, &r, NULL), UNISONO_OK);
  while (r.calls < 1) uv_run(&loop, UV_RUN_ONCE);
  EQUAL(r.status[0], UNISONO_OK);
  unisono_context_destroy(context);
  EQUAL(unisono_context_wake(context), UNISONO_ECLOSED);
  while (uv_run(&loop, UV_RUN_DEFAULT) != 0) {
  }
  EQUAL(r.released, 1);
  EQUAL(uv_loop_close(&loop), 0);
}

static void poll_inside(void *user, const unisono_timer_event *event) {
  record *r = (record *)user;
  const unisono_context_event *out = NULL;
  (void)event;
  r->status[0] = unisono_context_poll(r->context, 0);
  r->status[1] = unisono_context_next_event(r->context, 0, &out);
  r->calls++;
}

static void inside_a_callback(void) {
  record r;
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  memset(&r, 0, sizeof r);
  options.event_queue = 1;
  EQUAL(unisono_context_create(&options, NULL, NULL, &r.context), UNISONO_OK);
  EQUAL(unisono_context_call_at(r.context, 0, poll_inside, &r, NULL), UNISONO_OK);
  CHECK(pump_until(r.context, &r.calls, 1));
  EQUAL(r.status[0], UNISONO_ESTATE);
  EQUAL(r.status[1], UNISONO_ESTATE);
  unisono_context_destroy(r.context);
}

static void *poll_long(void *user) {
  record *r = (record *)user;
  __atomic_store_n(&r->inner, 1, __ATOMIC_RELEASE);
  r->status[0] = unisono_context_poll(r->context, milliseconds(10000));
  __atomic_store_n(&r->inner, 2, __ATOMIC_RELEASE);
  return NULL;
}

static void waking(void) {
  record r;
  pthread_t thread;
  int64_t before = unisono_host_time();
  memset(&r, 0, sizeof r);
  EQUAL(unisono_context_create(NULL, NULL, NULL, &r.context), UNISONO_OK);
  pump(r.context);
  EQUAL(unisono_context_wake(r.context), UNISONO_OK);
  EQUAL(unisono_context_poll(r.context, milliseconds(10000)), 0);
  pthread_create(&thread, NULL, poll_long, &r);
  CHECK(wait_until(&r.inner, 1));
  usleep(20000);
  EQUAL(unisono_context_poll(r.context, 0), UNISONO_EBUSY);
  EQUAL(unisono_context_wake(r.context), UNISONO_OK);
  pthread_join(thread, NULL);
  EQUAL(r.status[0], 0);
  CHECK(unisono_host_time() - before < milliseconds(5000));
  unisono_context_destroy(r.context);
}

static void destroyed_while_polled(void) {
  record r;
  pthread_t thread;
  memset(&r, 0, sizeof r);
  EQUAL(unisono_context_create(NULL, NULL, NULL, &r.context), UNISONO_OK);
  pump(r.context);
  pthread_create(&thread, NULL, poll_long, &r);
  CHECK(wait_until(&r.inner, 1));
  usleep(20000);
  unisono_context_destroy(r.context);
  pthread_join(thread, NULL);
  EQUAL(r.status[0], UNISONO_ECLOSED);
}

static void wakeup_for_polled(void) {
  record r;
  unisono_context_callbacks callbacks = UNISONO_CONTEXT_CALLBACKS_INIT;
  unisono_context *context = NULL;
  memset(&r, 0, sizeof r);
  callbacks.wakeup = on_wakeup;
  EQUAL(unisono_context_create(NULL, &callbacks, &r, &context), UNISONO_OK);
  pump(context);
  EQUAL(r.wakeups, 0);
  EQUAL(unisono_context_call_at(context, 0, on_timer, &r, NULL), UNISONO_OK);
  EQUAL(unisono_context_call_at(context, 0, on_timer, &r, NULL), UNISONO_OK);
  EQUAL(r.wakeups, 1);
  CHECK(pump_until(context, &r.calls, 2));
  EQUAL(unisono_context_call_at(context, 0, on_timer, &r, NULL), UNISONO_OK);
  EQUAL(r.wakeups, 2);
  unisono_context_destroy(context);
}

void test_context(void) {
  run_test("polled: timers fire inside poll, released comes before destroy returns", polled);
  run_test("the descriptor is readable for calls and for timers", descriptor);
  run_test("call_at answers exactly once: due, cancelled, or ended with its context", cancelling);
  run_test("calls come in the order of their times", timer_order);
  run_test("65,536 calls may be pending, and every one is answered", many_calls);
  run_test("own thread: callbacks come there, destroy joins it", own_thread);
  run_test("own thread with queue: descriptor, wakeup and waiting for an event", own_thread_queue);
  run_test("a foreign loop is run by the host alone and can be closed after released", foreign_loop);
  run_test("poll and next_event inside a callback are ESTATE", inside_a_callback);
  run_test("a wake ends a poll, and a second poller is EBUSY", waking);
  run_test("a poll ends with ECLOSED when its context is destroyed by another thread", destroyed_while_polled);
  run_test("polled: wakeup comes once until the host polls", wakeup_for_polled);
}
