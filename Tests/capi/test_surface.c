/* Places where a player is shown and controlled. */
#include "fake_renderer.h"

static fake_renderer r;
static player_listener l;

typedef struct {
  int changes, skips, begins, ends, restores, released;
  unisono_surface_event last_change, last_skip, last_end;
  uint64_t restore_request;
} screen;

static void on_changed(void *user, const unisono_surface_event *event) {
  screen *s = (screen *)user;
  EQUAL(event->base.size, sizeof(unisono_surface_event));
  s->last_change = *event;
  s->changes++;
}
static void on_skipped(void *user, const unisono_surface_event *event) {
  screen *s = (screen *)user;
  s->last_skip = *event;
  s->skips++;
}
static void on_begin(void *user, const unisono_surface_event *event) {
  (void)event;
  ((screen *)user)->begins++;
}
static void on_end(void *user, const unisono_surface_event *event) {
  screen *s = (screen *)user;
  s->last_end = *event;
  s->ends++;
}
static void on_restore(void *user, const unisono_surface_event *event) {
  screen *s = (screen *)user;
  s->restore_request = event->request;
  s->restores++;
}
static void on_released(void *user) { ((screen *)user)->released++; }

static unisono_surface *make(screen *s, unisono_surface_kind kind) {
  unisono_surface_callbacks callbacks = UNISONO_SURFACE_CALLBACKS_INIT;
  unisono_surface *made = NULL;
  memset(s, 0, sizeof *s);
  callbacks.changed = on_changed;
  callbacks.skipped = on_skipped;
  callbacks.will_begin = on_begin;
  callbacks.will_end = on_end;
  callbacks.restore_user_interface = on_restore;
  callbacks.released = on_released;
  EQUAL(unisono_surface_create(r.player, kind, &callbacks, s, &made), UNISONO_OK);
  return made;
}

static void picture_in_picture(void) {
  screen inline_screen, small;
  unisono_surface *window, *pip;
  int64_t start = 0, duration = 0;
  uint64_t request = 0;
  begin_player(&r, &l);
  window = make(&inline_screen, UNISONO_SURFACE_INLINE);
  pip = make(&small, UNISONO_SURFACE_PICTURE_IN_PICTURE);
  CHECK(pump_until(r.context, &small.changes, 1));
  EQUAL(unisono_surface_time_range(pip, &start, &duration), UNISONO_OK);
  CHECK(start == UNISONO_TIME_INVALID);
  EQUAL(unisono_surface_set_playing(pip, 1), UNISONO_ESTATE);
  EQUAL(unisono_surface_skip_by(pip, 1, &request), UNISONO_ESTATE);
  insert(&r, "movie", NULL);
  CHECK(pump_until(r.context, &r.loads, 1));
  pump(r.context);
  EQUAL(unisono_surface_time_range(pip, &start, &duration), UNISONO_OK);
  EQUAL(start, 0);
  EQUAL(duration, milliseconds(60000));
  EQUAL(unisono_surface_is_paused(pip), 1);
  EQUAL(unisono_surface_set_playing(pip, 1), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 1));
  pump(r.context);
  EQUAL(unisono_surface_is_paused(pip), 0);
  /* Every surface shows the same. */
  EQUAL(inline_screen.last_change.is_paused, 0);
  EQUAL(small.last_change.is_paused, 0);
  EQUAL(unisono_surface_skip_by(pip, milliseconds(15000), &request), UNISONO_OK);
  CHECK(pump_until(r.context, &small.skips, 1));
  EQUAL(small.last_skip.request, request);
  EQUAL(small.last_skip.status, UNISONO_OK);
  /* Where the player is by then, not where it was. */
  CHECK(small.last_skip.item_time >= milliseconds(15000) && small.last_skip.item_time < milliseconds(25000));
  CHECK(small.last_skip.host_time != UNISONO_TIME_INVALID && small.last_skip.host_time <= unisono_host_time());
  EQUAL(inline_screen.skips, 0);
  CHECK(r.at >= milliseconds(15000));
  EQUAL(unisono_surface_set_render_size(pip, 320, 180), UNISONO_OK);
  CHECK(pump_until(r.context, &r.sizes, 1));
  EQUAL(r.width, 320);
  EQUAL(r.height, 180);
  EQUAL(unisono_surface_set_render_size(pip, -1, 180), UNISONO_EINVAL);
  EQUAL(unisono_surface_set_playing(window, 0), UNISONO_OK);
  CHECK(pump_until(r.context, &r.pauses, 1));
  unisono_surface_destroy(pip);
  EQUAL(small.released, 1);
  EQUAL(unisono_surface_is_paused(pip), UNISONO_ECLOSED);
  unisono_context_destroy(r.context);
  EQUAL(inline_screen.released, 1);
  EQUAL(small.released, 1);
  EQUAL(r.released, 1);
}

static void restoring(void) {
  screen s;
  unisono_surface *full;
  begin_player(&r, &l);
  full = make(&s, UNISONO_SURFACE_FULL_SCREEN);
  EQUAL(unisono_surface_end(full), UNISONO_ESTATE);
  EQUAL(unisono_surface_begin(full), UNISONO_OK);
  EQUAL(unisono_surface_begin(full), UNISONO_ESTATE);
  CHECK(pump_until(r.context, &s.begins, 1));
  EQUAL(unisono_surface_end(full), UNISONO_OK);
  CHECK(pump_until(r.context, &s.restores, 1));
  EQUAL(s.ends, 0);
  EQUAL(unisono_surface_complete_restore(full, s.restore_request + 1, 1), UNISONO_ESTATE);
  EQUAL(unisono_surface_complete_restore(full, s.restore_request, 1), UNISONO_OK);
  CHECK(pump_until(r.context, &s.ends, 1));
  EQUAL(s.last_end.status, UNISONO_OK);
  EQUAL(unisono_surface_complete_restore(full, s.restore_request, 1), UNISONO_ESTATE);
  /* Nobody answers: it goes all the same. */
  EQUAL(unisono_surface_begin(full), UNISONO_OK);
  EQUAL(unisono_surface_end(full), UNISONO_OK);
  CHECK(pump_until(r.context, &s.ends, 2));
  EQUAL(s.last_end.status, UNISONO_ETIMEDOUT);
  EQUAL(unisono_surface_complete_restore(full, s.restore_request, 1), UNISONO_ESTATE);
  unisono_context_destroy(r.context);
  EQUAL(s.released, 1);
}

static void held_by_surfaces(void) {
  screen s;
  unisono_surface *remote;
  begin_player(&r, &l);
  insert(&r, "movie", NULL);
  remote = make(&s, UNISONO_SURFACE_REMOTE);
  CHECK(pump_until(r.context, &s.changes, 1));
  unisono_player_destroy(r.player);
  EQUAL(unisono_player_play(r.player, 0), UNISONO_ECLOSED);
  EQUAL(r.released, 0);
  EQUAL(unisono_surface_is_paused(remote), 1);
  /* The renderer can still answer. */
  EQUAL(unisono_surface_set_playing(remote, 1), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 1));
  pump(r.context);
  EQUAL(unisono_surface_is_paused(remote), 0);
  unisono_surface_destroy(remote);
  CHECK(pump_until(r.context, &r.released, 1));
  EQUAL(s.released, 1);
  EQUAL(l.released, 1);
  EQUAL(r.stops, 1);
  unisono_context_destroy(r.context);
  EQUAL(r.released, 1);
}

static void out_of_sight(void) {
  screen s;
  unisono_surface *window;
  unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
  begin_player(&r, &l);
  insert(&r, "movie", NULL);
  window = make(&s, UNISONO_SURFACE_INLINE);
  EQUAL(unisono_surface_begin(window), UNISONO_OK);
  EQUAL(unisono_player_play(r.player, 0), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 1));
  CHECK(pump_until(r.context, &l.rates, 2)); /* the present one, and the play */
  EQUAL(unisono_surface_end(window), UNISONO_OK);
  CHECK(pump_until(r.context, &s.ends, 1));
  report.state = UNISONO_RENDERER_PAUSED; /* nobody asked for it */
  EQUAL(unisono_player_report(r.player, &report), UNISONO_OK);
  CHECK(pump_until(r.context, &l.rates, 3));
  EQUAL(l.last_rate.rate_reason, UNISONO_RATE_REASON_BACKGROUNDED);
  CHECK(l.last_rate.rate == 0);
  /* Seen again, it goes on. */
  EQUAL(unisono_surface_begin(window), UNISONO_OK);
  CHECK(pump_until(r.context, &r.plays, 2));
  unisono_context_destroy(r.context);
}

void test_surface(void) {
  run_test("F29 the five calls of picture in picture, on several surfaces", picture_in_picture);
  run_test("F29 full screen begins, restores its window and ends, or gives up after 2 s", restoring);
  run_test("F22 a renderer that stops while nothing of it is shown was sent to the background", out_of_sight);
  run_test("F29 the player lives while a surface does", held_by_surfaces);
}
