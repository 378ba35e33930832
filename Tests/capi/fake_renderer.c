#include "fake_renderer.h"

static int64_t position(const fake_renderer *r, int64_t now) {
  return r->at + (int64_t)((double)(now - r->since) * r->rate);
}

static void answer(fake_renderer *r, const unisono_renderer_command *command, unisono_renderer_state state) {
  unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
  if (r->silent) return;
  report.state = state;
  report.request = command->request;
  report.host_time = unisono_context_host_time(r->context);
  report.item_time = position(r, report.host_time);
  report.flags = UNISONO_HAS_POSITION;
  report.duration = r->duration;
  if (state == UNISONO_RENDERER_FAILED) report.status = r->fails ? r->fails : UNISONO_ENOTSUP;
  EQUAL(unisono_player_report((unisono_player *)command->base.source, &report), UNISONO_OK);
}

static void stand(fake_renderer *r, int64_t at, double rate) {
  r->since = unisono_context_host_time(r->context);
  r->at = at;
  r->rate = rate;
}

static fake_renderer *told(void *user, const unisono_renderer_command *command) {
  fake_renderer *r = (fake_renderer *)user;
  r->last = *command;
  EQUAL(command->base.size, sizeof(unisono_renderer_command));
  CHECK(command->base.user == user);
  CHECK(command->request != 0);
  return r;
}

static void on_load(void *user, const unisono_renderer_command *command) {
  fake_renderer *r = told(user, command);
  snprintf(r->uri, sizeof r->uri, "%s", command->uri);
  stand(r, command->item_time, 0);
  r->loads++;
  answer(r, command, r->fails ? UNISONO_RENDERER_FAILED : UNISONO_RENDERER_READY);
}
static void on_cue(void *user, const unisono_renderer_command *command) {
  fake_renderer *r = told(user, command);
  stand(r, command->item_time, 0);
  r->cues++;
  answer(r, command, UNISONO_RENDERER_READY);
}
static void on_play(void *user, const unisono_renderer_command *command) {
  fake_renderer *r = told(user, command);
  r->plays++;
  if (r->greatest_rate > 0 && command->rate > r->greatest_rate) {
    answer(r, command, UNISONO_RENDERER_FAILED);
    return;
  }
  if (!r->silent) stand(r, position(r, unisono_context_host_time(r->context)), command->rate);
  answer(r, command, UNISONO_RENDERER_PLAYING);
}
static void on_pause(void *user, const unisono_renderer_command *command) {
  fake_renderer *r = told(user, command);
  stand(r, position(r, unisono_context_host_time(r->context)), 0);
  r->pauses++;
  answer(r, command, UNISONO_RENDERER_PAUSED);
}
static void on_seek(void *user, const unisono_renderer_command *command) {
  fake_renderer *r = told(user, command);
  stand(r, command->item_time, r->rate);
  r->seeks++;
  answer(r, command, UNISONO_RENDERER_SEEKED);
}
static void on_nudge(void *user, const unisono_renderer_command *command) { told(user, command)->nudges++; }
static void on_volume(void *user, const unisono_renderer_command *command) {
  fake_renderer *r = told(user, command);
  r->volume = command->volume;
  r->volumes++;
}
static void on_size(void *user, const unisono_renderer_command *command) {
  fake_renderer *r = told(user, command);
  r->width = command->width;
  r->height = command->height;
  r->sizes++;
}
static void on_stop(void *user, const unisono_renderer_command *command) { told(user, command)->stops++; }

static int32_t on_now(void *user, int64_t *item_time, int64_t *host_time) {
  fake_renderer *r = (fake_renderer *)user;
  r->asked++;
  if (r->forgets_positions) return UNISONO_ESTATE;
  *host_time = unisono_context_host_time(r->context);
  *item_time = position(r, *host_time);
  return UNISONO_OK;
}
static void on_released(void *user) { ((fake_renderer *)user)->released++; }

unisono_renderer fake_renderer_functions(void) {
  unisono_renderer renderer = UNISONO_RENDERER_INIT;
  renderer.capabilities = UNISONO_RENDERER_NUDGES;
  renderer.load = on_load;
  renderer.cue = on_cue;
  renderer.play = on_play;
  renderer.pause = on_pause;
  renderer.seek = on_seek;
  renderer.nudge = on_nudge;
  renderer.set_volume = on_volume;
  renderer.now = on_now;
  renderer.set_render_size = on_size;
  renderer.stop = on_stop;
  renderer.released = on_released;
  return renderer;
}

static player_listener *heard(void *user, const unisono_player_event *event) {
  EQUAL(event->base.size, sizeof(unisono_player_event));
  CHECK(event->base.user == user);
  return (player_listener *)user;
}
static void on_control(void *user, const unisono_player_event *event) {
  player_listener *l = heard(user, event);
  l->last_control = *event;
  l->time_controls++;
}
static void on_rate(void *user, const unisono_player_event *event) {
  player_listener *l = heard(user, event);
  l->last_rate = *event;
  l->rates++;
}
static void on_jump(void *user, const unisono_player_event *event) { heard(user, event)->jumps++; }
static void on_status(void *user, const unisono_player_event *event) {
  player_listener *l = heard(user, event);
  l->last_status = *event;
  l->statuses++;
}
static void on_ended(void *user, const unisono_player_event *event) { heard(user, event)->ends++; }
static void on_seek_done(void *user, const unisono_player_event *event) {
  player_listener *l = heard(user, event);
  if (l->seeks == 0) l->first_seek = *event;
  l->last_seek = *event;
  l->seeks++;
}
static void on_error(void *user, const unisono_error_event *event) {
  player_listener *l = (player_listener *)user;
  snprintf(l->last_error_operation, sizeof l->last_error_operation, "%s", event->operation);
  l->last_error_status = event->status;
  l->errors++;
}
static void on_listener_released(void *user) { ((player_listener *)user)->released++; }

unisono_player_callbacks player_listener_functions(void) {
  unisono_player_callbacks callbacks = UNISONO_PLAYER_CALLBACKS_INIT;
  callbacks.time_control = on_control;
  callbacks.rate_changed = on_rate;
  callbacks.time_jumped = on_jump;
  callbacks.item_state = on_status;
  callbacks.item_ended = on_ended;
  callbacks.seek_done = on_seek_done;
  callbacks.error = on_error;
  callbacks.released = on_listener_released;
  return callbacks;
}

void begin_player(fake_renderer *r, player_listener *l) {
  unisono_renderer functions = fake_renderer_functions();
  unisono_player_callbacks callbacks = player_listener_functions();
  memset(r, 0, sizeof *r);
  memset(l, 0, sizeof *l);
  r->duration = milliseconds(60000);
  EQUAL(unisono_context_create(NULL, NULL, NULL, &r->context), UNISONO_OK);
  EQUAL(unisono_player_create(r->context, &functions, r, &callbacks, l, &r->player), UNISONO_OK);
}

void insert(fake_renderer *r, const char *identifier, const char *after) {
  unisono_player_item item = UNISONO_PLAYER_ITEM_INIT;
  item.identifier = identifier;
  EQUAL(unisono_player_insert_item(r->player, &item, after), UNISONO_OK);
}
