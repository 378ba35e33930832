/* Destroying inside callbacks, from other threads, with the context; released last and once; forked children. */
#include "harness.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

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

/* One registration of each kind, whose `released` destroys the context that it is in. */
typedef enum { HUB, SESSION, COORDINATOR, PLAYER, SURFACE, ADVERTISER, BROWSER, KINDS } source_kind;
static const char *const kind_names[] = {"hub", "session", "coordinator", "player", "surface", "advertiser", "browser"};
/* How the loop runs, and from where the source is destroyed. */
typedef enum {
  POLLED_OUTSIDE, POLLED_INSIDE, OWN_THREAD_OUTSIDE, OWN_THREAD_INSIDE, FOREIGN_OUTSIDE, FOREIGN_INSIDE
} drive;

typedef struct {
  unisono_context *context;
  source_kind kind;
  unisono_hub *hub;
  unisono_session *session;
  unisono_coordinator *coordinator;
  unisono_player *player;
  unisono_surface *surface;
  unisono_advertiser *advertiser;
  unisono_browser *browser;
  int released, context_released, order_broken;
} last_word;

static void on_last_word(void *user) {
  last_word *w = (last_word *)user;
  if (w->context_released) w->order_broken = 1;
  unisono_context_destroy(w->context);
  if (unisono_context_wake(w->context) != UNISONO_ECLOSED) w->order_broken = 1;
  __atomic_add_fetch(&w->released, 1, __ATOMIC_RELEASE);
}
static void on_context_end(void *user) { __atomic_add_fetch(&((last_word *)user)->context_released, 1, __ATOMIC_RELEASE); }
static void no_command(void *user, const unisono_command *command) { (void)user, (void)command; }
static void no_renderer_command(void *user, const unisono_renderer_command *command) { (void)user, (void)command; }

static void make_source(last_word *w) {
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  unisono_hub_callbacks hub_callbacks = UNISONO_HUB_CALLBACKS_INIT;
  unisono_session_options session = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks session_callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  unisono_playback_delegate delegate = UNISONO_PLAYBACK_DELEGATE_INIT;
  unisono_renderer renderer = UNISONO_RENDERER_INIT;
  unisono_surface_callbacks surface = UNISONO_SURFACE_CALLBACKS_INIT;
  unisono_service service = UNISONO_SERVICE_INIT;
  unisono_advertiser_callbacks asks = UNISONO_ADVERTISER_CALLBACKS_INIT;
  unisono_browser_callbacks devices = UNISONO_BROWSER_CALLBACKS_INIT;
  const char *here[] = {"127.0.0.1:0"};
  hub.listen = here;
  hub.listen_count = 1;
  service.identifier = "org.example.last-word";
  service.device_name = "Last word";
  service.usage_description = "Test";
  delegate.play = delegate.pause = delegate.seek = delegate.buffer = no_command;
  renderer.load = renderer.play = renderer.pause = renderer.seek = renderer.stop = no_renderer_command;
  switch (w->kind) {
    case HUB:
      hub_callbacks.released = on_last_word;
      EQUAL(unisono_hub_create(w->context, &hub, &hub_callbacks, w, &w->hub), UNISONO_OK);
      break;
    case SESSION:
      session.hub_options = &hub;
      session_callbacks.released = on_last_word;
      EQUAL(unisono_session_host(w->context, &session, &session_callbacks, w, &w->session), UNISONO_OK);
      break;
    case COORDINATOR:
      delegate.released = on_last_word;
      EQUAL(unisono_coordinator_create(w->context, &delegate, w, &w->coordinator), UNISONO_OK);
      break;
    case PLAYER:
      renderer.released = on_last_word;
      EQUAL(unisono_player_create(w->context, &renderer, w, NULL, NULL, &w->player), UNISONO_OK);
      break;
    case SURFACE:
      surface.released = on_last_word;
      EQUAL(unisono_player_create(w->context, &renderer, NULL, NULL, NULL, &w->player), UNISONO_OK);
      EQUAL(unisono_surface_create(w->player, UNISONO_SURFACE_INLINE, &surface, w, &w->surface), UNISONO_OK);
      break;
    case ADVERTISER:
      asks.released = on_last_word;
      EQUAL(unisono_advertiser_create(w->context, NULL, &service, &asks, w, &w->advertiser), UNISONO_OK);
      break;
    case BROWSER:
      devices.released = on_last_word;
      EQUAL(unisono_browser_create(w->context, &service, &devices, w, &w->browser), UNISONO_OK);
      break;
    case KINDS: break;
  }
}

static void destroy_source(last_word *w) {
  switch (w->kind) {
    case HUB: unisono_hub_destroy(w->hub); break;
    case SESSION: unisono_session_destroy(w->session); break;
    case COORDINATOR: unisono_coordinator_destroy(w->coordinator); break;
    case PLAYER: unisono_player_destroy(w->player); break;
    case SURFACE: unisono_surface_destroy(w->surface); break;
    case ADVERTISER: unisono_advertiser_destroy(w->advertiser); break;
    case BROWSER: unisono_browser_destroy(w->browser); break;
    case KINDS: break;
  }
}

static void on_due(void *user, const unisono_timer_event *event) {
  if (event->status == UNISONO_OK) destroy_source((last_word *)user);
}

static void last_word_of(source_kind kind, drive how) {
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_context_callbacks callbacks = UNISONO_CONTEXT_CALLBACKS_INIT;
  last_word w;
  uv_loop_t loop;
  const int inside = how == POLLED_INSIDE || how == OWN_THREAD_INSIDE || how == FOREIGN_INSIDE;
  const int own_thread = how == OWN_THREAD_OUTSIDE || how == OWN_THREAD_INSIDE;
  const int foreign = how == FOREIGN_OUTSIDE || how == FOREIGN_INSIDE;
  memset(&w, 0, sizeof w);
  w.kind = kind;
  options.own_thread = own_thread;
  callbacks.released = on_context_end;
  if (foreign) {
    EQUAL(uv_loop_init(&loop), 0);
    options.uv_loop = &loop;
    options.uv_loop_size = uv_loop_size();
  }
  EQUAL(unisono_context_create(&options, &callbacks, &w, &w.context), UNISONO_OK);
  make_source(&w);
  if (!own_thread && !foreign) pump(w.context);
  if (inside) {
    EQUAL(unisono_context_call_at(w.context, unisono_host_time(), on_due, &w, NULL), UNISONO_OK);
  } else {
    destroy_source(&w);
  }
  if (how == POLLED_INSIDE) {
    while (unisono_context_poll(w.context, milliseconds(100)) != UNISONO_ECLOSED) {
      if (w.released) break;
    }
  } else if (foreign) {
    while (uv_run(&loop, UV_RUN_DEFAULT) != 0) {
    }
    EQUAL(uv_loop_close(&loop), 0);
  }
  /* What is polled is over by now: nobody polls it any more. */
  if (own_thread) CHECK(wait_until(&w.context_released, 1));
  if (__atomic_load_n(&w.context_released, __ATOMIC_ACQUIRE) != 1) printf("# %s, drive %d\n", kind_names[kind], (int)how);
  EQUAL(w.released, 1);
  EQUAL(__atomic_load_n(&w.context_released, __ATOMIC_ACQUIRE), 1);
  EQUAL(w.order_broken, 0);
  EQUAL(unisono_context_poll(w.context, 0), UNISONO_ECLOSED);
}

static void last_words(drive how) {
  int kind;
  for (kind = 0; kind < KINDS; kind++) last_word_of((source_kind)kind, how);
}
static void last_words_polled(void) {
  last_words(POLLED_OUTSIDE);
  last_words(POLLED_INSIDE);
}
static void last_words_own_thread(void) {
  last_words(OWN_THREAD_OUTSIDE);
  last_words(OWN_THREAD_INSIDE);
}
static void last_words_foreign(void) {
  last_words(FOREIGN_OUTSIDE);
  last_words(FOREIGN_INSIDE);
}

void test_lifetime(void) {
  run_test("a callback may destroy its own source: nothing comes afterwards but released", own_source);
  run_test("a callback may destroy its context: that poll ends with ECLOSED, everything is released", own_context);
  run_test("a callback on the own thread may destroy its context", own_context_own_thread);
  run_test("outside callbacks released comes before destroy returns, and once", outside);
  run_test("destroying a context releases its children first", with_the_context);
  run_test("destroy from another thread waits for a running callback", waits_for_callback);
  run_test("reads and calls may race destroy", racing_reads);
  run_test("released of all seven kinds may destroy the context: polled, in and outside of a callback", last_words_polled);
  run_test("released of all seven kinds may destroy the context: own thread", last_words_own_thread);
  run_test("released of all seven kinds may destroy the context: the host's own loop", last_words_foreign);
  run_test("in a forked child every call is ECLOSED", forked);
}
