/* mpv_renderer.c: see mpv_renderer.h.
 *
 * Facts about mpv that shape this file. It starts and stops within a millisecond of being told. It seeks to a frame, at or
 * after the place asked for, so where it stands is what it says afterwards. While it plays, `audio-pts` is exact to
 * microseconds from the first moments on; `time-pos` moves by the frame. While it stands after a
 * seek, only `time-pos` is true. A change of speed is heard when what is in its buffers has been played, a third of a
 * second later. Small changes of speed are exact without the filter that keeps the pitch, and are not with it. */
#define _POSIX_C_SOURCE 200809L
#include "mpv_renderer.h"
#include "renderer_functions.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MILLISECOND INT64_C(1000000)
#define SECOND INT64_C(1000000000)
#define SETTLING (60 * MILLISECOND)
#define SLOW_ANSWER (2 * MILLISECOND) /* a position that took longer to get is not worth having */
#define AHEAD (60 * MILLISECOND)      /* standing so little ahead is as good: it starts that much later */
#define DEAD_BAND (3 * MILLISECOND / 10) /* its place is exact to less, and a change of speed this small is not heard */
#define EXACTLY "absolute+exact"
#define QUIET (100 * MILLISECOND)      /* who holds a key down seeks forty times a second */
#define PERSONS_TURN (400 * MILLISECOND)
#define PRESS_LASTS (30 * SECOND)     /* a press of play counts for the film that is there by then */
#define KEEP_PITCH_FROM 0.05 /* of the usual speed: what is less cannot be heard as pitch, or hardly */

static int64_t now(const mpv_renderer *r) { return unisono_context_host_time(r->context); }

/* ---- Talking to mpv ------------------------------------------------------------------------------------- */

static void check(int status, const char *what) {
  if (status < 0) fprintf(stderr, "mpv: %s: %s\n", what, mpv_error_string(status));
}

static void set_flag(mpv_renderer *r, const char *property, int value) {
  check(mpv_set_property(r->mpv, property, MPV_FORMAT_FLAG, &value), property);
}

static void set_double(mpv_renderer *r, const char *property, double value) {
  check(mpv_set_property(r->mpv, property, MPV_FORMAT_DOUBLE, &value), property);
}

static int flag(mpv_renderer *r, const char *property) {
  int value = 0;
  return mpv_get_property(r->mpv, property, MPV_FORMAT_FLAG, &value) >= 0 && value;
}

/* Seconds to nanoseconds; INVALID while mpv has no such position. */
static int64_t time_property(mpv_renderer *r, const char *property) {
  double seconds = 0;
  if (mpv_get_property(r->mpv, property, MPV_FORMAT_DOUBLE, &seconds) < 0) return UNISONO_TIME_INVALID;
  return isfinite(seconds) ? (int64_t)llround(seconds * 1e9) : UNISONO_TIME_INVALID;
}

static double speed(const mpv_renderer *r) { return r->rate * r->nudge; }

static void set_speed(mpv_renderer *r, double rate, double nudge) {
  double before = speed(r);
  r->rate = rate;
  r->nudge = nudge;
  if (fabs(speed(r) - before) > 1e-9) set_double(r, "speed", speed(r));
}

/* What is heard and when that held; without sound what is seen, to a frame. 0: not known well enough. */
static int measure(mpv_renderer *r, int64_t *position, int64_t *at) {
  int64_t before = now(r);
  *position = time_property(r, "audio-pts");
  int64_t took = now(r) - before;
  if (*position == UNISONO_TIME_INVALID) *position = time_property(r, "time-pos");
  *at = before + took / 2;
  return *position != UNISONO_TIME_INVALID && took < SLOW_ANSWER;
}

int64_t mpv_renderer_position(mpv_renderer *r, int64_t host_time) {
  int64_t position, at;
  if (!r->loaded) return UNISONO_TIME_INVALID;
  if (!r->running) return r->stand;
  measure(r, &position, &at);
  return position == UNISONO_TIME_INVALID ? position : position + (int64_t)((double)(host_time - at) * speed(r));
}

double mpv_renderer_rate(const mpv_renderer *r) { return r->running && !r->stalled && !r->at_end ? speed(r) : 0; }

void mpv_renderer_show(mpv_renderer *r, const char *sentence) {
  const char *words[] = {"raw", "show-text", sentence, "4000", NULL}; /* else mpv puts properties for ${...} in others' words */
  if (r->mpv != NULL) check(mpv_command_async(r->mpv, 0, words), "show-text");
}

/* ---- Telling the player --------------------------------------------------------------------------------- */

static void say(mpv_renderer *r, unisono_renderer_state state, uint64_t request) {
  unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
  int64_t at = now(r), position = mpv_renderer_position(r, at), duration = time_property(r, "duration");
  report.state = state;
  report.request = request;
  if (position != UNISONO_TIME_INVALID) {
    report.item_time = position;
    report.host_time = at;
    report.flags = UNISONO_HAS_POSITION;
  }
  if (duration > 0) report.duration = duration;
  unisono_player_report(r->player, &report);
}

static void fail(mpv_renderer *r, uint64_t request, int32_t status, const char *message) {
  unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
  report.state = UNISONO_RENDERER_FAILED;
  report.request = request;
  report.status = status;
  report.message = message;
  unisono_player_report(r->player, &report);
}

/* What mpv does that no command of the player says is not a person's. */
static void expect(mpv_renderer *r, unisono_motion motion, double value) {
  unisono_coordinator *coordinator;
  if (unisono_player_coordinator(r->player, &coordinator) == UNISONO_OK)
    unisono_coordinator_expect_motion(coordinator, motion, value);
}

/* Of the person, and no echo of what mpv was told. */
static int is_wish(mpv_renderer *r, unisono_motion motion, double value) {
  unisono_coordinator *coordinator;
  return unisono_player_coordinator(r->player, &coordinator) == UNISONO_OK &&
         unisono_coordinator_is_wish(coordinator, motion, value) == 1;
}

/* It does so at once: what it says of that from now on is a person's, also where this has not come yet. */
static void set_pause(mpv_renderer *r, int pause) {
  set_flag(r, "pause", pause);
  is_wish(r, UNISONO_MOTION_RUNNING, !pause);
}

/* What was asked for is done. */
static void answer(mpv_renderer *r, unisono_renderer_state state) {
  uint64_t request = r->request;
  /* mpv says that it seeks before it says that it is there: what it says from now on is a person's, at once. */
  if (!r->seeking) expect(r, UNISONO_MOTION_SEEKING, 0);
  r->request = 0;
  if (request != 0) say(r, state, request);
}

/* ---- What a person does goes to the group ---------------------------------------------------------------- */

static void asked(mpv_renderer *r, int32_t status, const char *what) {
  if (status < 0) r->events.refused(r->user, what, status);
}

static void ask_pause(mpv_renderer *r, int pause) {
  if (pause) asked(r, unisono_player_pause(r->player), "pause");
  else asked(r, unisono_player_play(r->player, 0), "play");
}

/* The player has what a person sees, or is on the way to it. */
static int has_item(const mpv_renderer *r) {
  return !r->is_persons && (r->loaded || (r->request != 0 && r->work == MPV_LOADING));
}

/* A person presses play before there is what to play: the group is asked once there is. */
static void ask_pause_of_item(mpv_renderer *r, int pause) {
  r->pressed = 0;
  if (has_item(r)) ask_pause(r, pause);
  else if (!pause) r->pressed = now(r);
}

static void on_item(mpv_renderer *r) {
  if (r->pressed != 0 && now(r) - r->pressed < PRESS_LASTS) ask_pause(r, 0);
  r->pressed = 0;
}

static void ask_seek(mpv_renderer *r, int64_t item_time) {
  asked(r, unisono_player_seek(r->player, item_time, 0, 0, NULL), "seek");
}

static void ask_speed(mpv_renderer *r, double rate) {
  asked(r, unisono_player_set_rate(r->player, rate, UNISONO_RATE_AS_DEFAULT), "speed");
  if (unisono_player_time_control(r->player) != UNISONO_TIME_CONTROL_PAUSED)
    asked(r, unisono_player_set_rate(r->player, rate, 0), "speed");
}

/* ---- Standing, seeking, starting ------------------------------------------------------------------------ */

/* A newer command replaces the one being worked on. */
static void begin(mpv_renderer *r, const unisono_renderer_command *command, int work) {
  r->request = command->request;
  r->work = work;
}

static void stop(mpv_renderer *r) {
  if (!r->running) return;
  set_pause(r, 1);
  int64_t here = mpv_renderer_position(r, now(r));
  if (here != UNISONO_TIME_INVALID) r->stand = here;
  r->running = r->stalled = 0;
}

/* The person seeks at this moment: the group will hear of that, and what it said meanwhile is over then. */
static int is_persons_turn(const mpv_renderer *r) {
  return (r->user_seeking == MPV_SEEK_BEGUN || r->user_seeking == MPV_SEEK_OVER) && now(r) - r->user_sought < PERSONS_TURN;
}

static void seek(mpv_renderer *r, int64_t target, const char *how) {
  if ((r->seeking && r->seek_target == target) || is_persons_turn(r)) return;
  r->seek_is_exact = strcmp(how, EXACTLY) == 0;
  r->seek_before = r->seeking ? r->seek_target : target;
  r->seeking = 1;
  r->user_seeking = 0;
  r->seek_target = target;
  r->seek_began = now(r);
  char seconds[32];
  snprintf(seconds, sizeof seconds, "%.6f", (double)target / 1e9);
  const char *command[] = {"seek", seconds, how, NULL};
  check(mpv_command_async(r->mpv, 0, command), "seek");
}

static int could_start(mpv_renderer *r) {
  if (r->seeking || flag(r, "seeking") || flag(r, "paused-for-cache")) return 0;
  int64_t cached = time_property(r, "demuxer-cache-duration");
  return cached == UNISONO_TIME_INVALID || cached >= SECOND || flag(r, "demuxer-cache-idle") || r->at_end;
}

/* A seek is over, or some time has passed: is what was asked for done? */
static void go_on(mpv_renderer *r) {
  if (r->request == 0 || r->seeking) return;
  if (r->work == MPV_SEEKING) answer(r, UNISONO_RENDERER_SEEKED);
  else if (r->work == MPV_CUEING && could_start(r)) answer(r, UNISONO_RENDERER_READY);
  else if (r->work == MPV_STARTING && !flag(r, "core-idle")) answer(r, UNISONO_RENDERER_PLAYING);
}

static void on_seek_over(mpv_renderer *r) {
  int64_t here = time_property(r, "time-pos");
  if (flag(r, "seeking")) return; /* a newer one is under way */
  int elsewhere = here == UNISONO_TIME_INVALID || llabs(here - r->seek_target) > SECOND / 4;
  /* Of an older seek, unless nothing else comes, as at the end of a file. */
  if (elsewhere && now(r) - r->seek_began < SECOND) return;
  r->seeking = 0;
  r->measured_from = now(r) + SETTLING;
  if (here != UNISONO_TIME_INVALID) r->stand = here;
  go_on(r);
}

/* ---- What the player tells it ------------------------------------------------------------------------------ */

static void on_cue(void *user, const unisono_renderer_command *command) {
  mpv_renderer *r = user;
  stop(r);
  begin(r, command, MPV_CUEING);
  int64_t ahead = (r->seeking ? r->seek_target : r->stand) - command->item_time;
  if (ahead < -MILLISECOND || ahead > AHEAD) seek(r, command->item_time, EXACTLY);
  go_on(r);
}

/* What the person opened is the item: it stays open, with its place in mpv's list. 0: it is something else. */
static int keep_open(mpv_renderer *r, const unisono_renderer_command *command) {
  char *path = r->is_persons ? mpv_get_property_string(r->mpv, "path") : NULL;
  int64_t here = time_property(r, "time-pos");
  int is_open = path != NULL && strcmp(path, command->uri) == 0 && here != UNISONO_TIME_INVALID;
  mpv_free(path);
  if (!is_open) return 0;
  r->is_persons = r->seeking = r->user_seeking = r->at_end = 0;
  r->loaded = 1;
  r->stand = here;
  on_cue(r, command);
  return 1;
}

/* What the person opened first is no longer open: mpv is on the way to another film, which the group has not heard of yet. */
static int has_gone_on(const mpv_renderer *r, const char *uri) {
  return r->is_persons && r->told != NULL && strcmp(r->told, uri) == 0;
}

/* By its number in mpv's list what begins to open later is known to be the player's and no person's. */
static int64_t entry_of(const mpv_node *result) {
  for (int i = 0; result->format == MPV_FORMAT_NODE_MAP && i < result->u.list->num; i++)
    if (strcmp(result->u.list->keys[i], "playlist_entry_id") == 0 && result->u.list->values[i].format == MPV_FORMAT_INT64)
      return result->u.list->values[i].u.int64;
  return 0;
}

static void load_file(mpv_renderer *r, const char *uri) {
  char start[48];
  mpv_node result = {.format = MPV_FORMAT_NONE};
  snprintf(start, sizeof start, "start=%.6f", (double)r->stand / 1e9);
  const char *words[] = {"loadfile", uri, "replace", start, NULL};
  r->is_persons = r->is_later = 0;
  check(mpv_command_ret(r->mpv, words, &result), uri);
  r->entry = entry_of(&result);
  mpv_free_node_contents(&result);
}

static void on_load(void *user, const unisono_renderer_command *command) {
  mpv_renderer *r = user;
  stop(r);
  on_item(r);
  if (keep_open(r, command)) return;
  r->loaded = r->seeking = r->user_seeking = r->at_end = 0;
  r->stand = command->item_time;
  set_speed(r, r->rate, 1);
  begin(r, command, MPV_LOADING);
  if (has_gone_on(r, command->uri)) r->is_later = 1;
  else load_file(r, command->uri);
}

static void on_play(void *user, const unisono_renderer_command *command) {
  mpv_renderer *r = user;
  if (command->rate < 0.01 || command->rate > 100) { /* mpv plays no film backwards at an exact speed */
    fail(r, command->request, UNISONO_ENOTSUP, "mpv plays at 0.01 to 100 times the usual speed");
    return;
  }
  begin(r, command, MPV_STARTING);
  if (command->rate != r->rate) set_flag(r, "audio-pitch-correction", fabs(command->rate - 1) > KEEP_PITCH_FROM);
  set_speed(r, command->rate, r->nudge);
  if (!r->running) {
    r->running = 1;
    r->measured_from = now(r) + SETTLING;
    set_pause(r, 0);
  }
  go_on(r);
}

static void on_pause(void *user, const unisono_renderer_command *command) {
  mpv_renderer *r = user;
  stop(r);
  r->request = 0;
  say(r, UNISONO_RENDERER_PAUSED, command->request);
}

static void on_seek(void *user, const unisono_renderer_command *command) {
  mpv_renderer *r = user;
  int anywhere = command->tolerance_before == UNISONO_TIME_INDEFINITE && command->tolerance_after == UNISONO_TIME_INDEFINITE;
  begin(r, command, MPV_SEEKING);
  seek(r, command->item_time, anywhere ? "absolute+keyframes" : EXACTLY);
}

static void on_nudge(void *user, const unisono_renderer_command *command) {
  mpv_renderer *r = user;
  set_speed(r, r->rate, command->rate);
}

/* mpv's scale is the cube root of what is heard. */
static void on_volume(void *user, const unisono_renderer_command *command) {
  set_double(user, "volume", 100 * cbrt(command->volume));
}

static int32_t on_now(void *user, int64_t *item_time, int64_t *host_time) {
  mpv_renderer *r = user;
  if (!r->loaded || !r->running || r->stalled || r->at_end || r->seeking || r->user_seeking) return UNISONO_ESTATE;
  if (now(r) < r->measured_from) return UNISONO_ESTATE;
  return measure(r, item_time, host_time) ? UNISONO_OK : UNISONO_ESTATE;
}

static void on_stop(void *user, const unisono_renderer_command *command) {
  mpv_renderer *r = user;
  const char *words[] = {"stop", NULL};
  (void)command;
  stop(r);
  r->loaded = r->is_later = 0;
  check(mpv_command_async(r->mpv, 0, words), "stop");
}

unisono_renderer mpv_renderer_functions(void) {
  return RENDERER_FUNCTIONS(UNISONO_RENDERER_NUDGES, DEAD_BAND);
}

/* ---- What happens in mpv ---------------------------------------------------------------------------------- */

/* The group hears where the person sought to: of one seek at once, of several in a row also when no other followed for a moment, and before
 * it hears of the person's next wish, which is meant for that place. mpv says that it is there already while it seeks. */
static void tell_user_seek(mpv_renderer *r) {
  int64_t here = time_property(r, "time-pos");
  if ((r->user_seeking != MPV_SEEK_BEGUN && r->user_seeking != MPV_SEEK_OVER) || here == UNISONO_TIME_INVALID) return;
  r->user_seeking = r->user_seeking == MPV_SEEK_OVER ? 0 : MPV_SEEK_TOLD;
  if (!r->running && r->user_seeking == 0) {
    r->stand = here;
    say(r, UNISONO_RENDERER_POSITION, 0);
  }
  ask_seek(r, here);
}

static void on_user_seek_over(mpv_renderer *r) {
  r->measured_from = now(r) + SETTLING;
  r->user_seeking = MPV_SEEK_OVER;
  if (!r->user_seeks_on) tell_user_seek(r);
}

/* A person cannot be alone with it: back to what it was, and the group is asked. */
static void on_pause_changed(mpv_renderer *r) {
  int paused = flag(r, "pause");
  if (!is_wish(r, UNISONO_MOTION_RUNNING, !paused)) return;
  set_pause(r, !r->running);
  tell_user_seek(r);
  if (!paused && r->loaded) { /* it ran for a moment */
    int64_t here = time_property(r, "audio-pts");
    if (here != UNISONO_TIME_INVALID) r->stand = here;
    say(r, UNISONO_RENDERER_POSITION, 0);
  }
  ask_pause_of_item(r, paused);
}

static void on_speed_changed(mpv_renderer *r) {
  double wanted = 1;
  if (mpv_get_property(r->mpv, "speed", MPV_FORMAT_DOUBLE, &wanted) < 0 || !is_wish(r, UNISONO_MOTION_RATE, wanted)) return;
  set_double(r, "speed", speed(r));
  ask_speed(r, wanted / r->nudge);
}

static void on_loaded(mpv_renderer *r) {
  int64_t here = time_property(r, "time-pos");
  r->loaded = 1;
  if (here != UNISONO_TIME_INVALID) r->stand = here;
  if (r->work == MPV_LOADING) answer(r, UNISONO_RENDERER_READY);
}

/* Something is opened, as the player said or as a person did. */
static void on_start(mpv_renderer *r, int64_t entry) {
  r->is_persons = entry != r->entry && r->events.film != NULL;
  if (!r->is_persons) return;
  expect(r, UNISONO_MOTION_RUNNING, 0);
  set_pause(r, 1);
  r->loaded = r->running = r->stalled = r->seeking = r->user_seeking = r->at_end = 0;
}

static void on_persons_film(mpv_renderer *r) {
  char *path = mpv_get_property_string(r->mpv, "path");
  if (path == NULL) return;
  free(r->told);
  r->told = strdup(path);
  r->is_later = 0;
  r->events.film(r->user, path);
  mpv_free(path);
}

/* A person seeks while mpv is on the way to where it was told to go: it says at once that it is elsewhere. Not known where it may be elsewhere
 * by itself: at a keyframe, and at the end. */
static int is_sought_elsewhere(mpv_renderer *r) {
  int64_t here = time_property(r, "time-pos"), duration = time_property(r, "duration");
  if (!r->seeking || !r->seek_is_exact || here == UNISONO_TIME_INVALID || r->seek_target > duration - SECOND) return 0;
  return llabs(here - r->seek_target) > SECOND / 4 && llabs(here - r->seek_before) > SECOND / 4;
}

static void on_seek_begun(mpv_renderer *r) {
  if (!is_wish(r, UNISONO_MOTION_SEEKING, 1) && !is_sought_elsewhere(r)) return;
  r->seeking = 0;
  r->user_seeking = MPV_SEEK_BEGUN;
  r->user_seeks_on = now(r) - r->user_sought < PERSONS_TURN;
  r->user_sought = now(r);
}

/* After a load and after each seek. */
static void on_restart(mpv_renderer *r) {
  int is_wished = is_wish(r, UNISONO_MOTION_SEEKING, 0);
  int is_users = r->user_seeking == MPV_SEEK_BEGUN || (is_wished && r->user_seeking != MPV_SEEK_TOLD);
  if (r->user_seeking != MPV_SEEK_OVER) r->user_seeking = 0;
  if (r->is_persons) on_persons_film(r);
  else if (!r->loaded) on_loaded(r);
  else if (r->seeking) on_seek_over(r);
  else if (is_users) on_user_seek_over(r);
}

static void on_cache(mpv_renderer *r) {
  int stalled = r->running && flag(r, "paused-for-cache");
  if (stalled == r->stalled) return;
  r->stalled = stalled;
  r->measured_from = now(r) + SETTLING;
  say(r, stalled ? UNISONO_RENDERER_STALLED : UNISONO_RENDERER_RECOVERED, 0);
}

static void on_end_reached(mpv_renderer *r) {
  r->at_end = flag(r, "eof-reached");
  if (r->at_end && r->running && r->loaded) say(r, UNISONO_RENDERER_ENDED, 0);
}

static void on_property(mpv_renderer *r, const char *name) {
  if (strcmp(name, "pause") == 0) on_pause_changed(r);
  else if (strcmp(name, "speed") == 0) on_speed_changed(r);
  else if (strcmp(name, "eof-reached") == 0) on_end_reached(r);
  else if (strcmp(name, "paused-for-cache") == 0) on_cache(r);
  else go_on(r);
}

static void on_end_file(mpv_renderer *r, const mpv_event_end_file *end) {
  if (end->reason == MPV_END_FILE_REASON_REDIRECT && end->playlist_entry_id == r->entry) r->entry = end->playlist_insert_id;
  if (end->reason != MPV_END_FILE_REASON_ERROR) return;
  if (r->is_persons) { /* mpv itself says what a person cannot open */
    r->is_persons = 0;
    if (r->is_later) load_file(r, r->told);
    return;
  }
  uint64_t request = r->work == MPV_LOADING ? r->request : 0;
  r->request = 0;
  r->loaded = r->running = 0;
  fail(r, request, UNISONO_ENOTFOUND, mpv_error_string(end->error));
}

/* "key-binding NAME STATE ...": a state of two letters, of which "d" is pressed and "p" pressed and let go. */
static void on_message(mpv_renderer *r, const mpv_event_client_message *message) {
  const struct { const char *name; void (*told)(void *, const char *); } said[] = {
      {"unisono-say", r->events.say}, {"unisono-react", r->events.react}, {"unisono-offset", r->events.offset},
      {"unisono-remove", r->events.remove}};
  for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
    if (message->num_args != 2 || strcmp(message->args[0], said[i].name) != 0 || said[i].told == NULL) continue;
    said[i].told(r->user, message->args[1]);
    return;
  }
  if (message->num_args < 3 || strcmp(message->args[0], "key-binding") != 0 || r->events.key == NULL) return;
  if (message->args[2][0] == 'd' || message->args[2][0] == 'p') r->events.key(r->user, message->args[1]);
}

static void on_event(mpv_renderer *r, const mpv_event *event) {
  switch (event->event_id) {
    case MPV_EVENT_PLAYBACK_RESTART: on_restart(r); break;
    case MPV_EVENT_PROPERTY_CHANGE: on_property(r, ((const mpv_event_property *)event->data)->name); break;
    case MPV_EVENT_SEEK: on_seek_begun(r); break;
    case MPV_EVENT_START_FILE: on_start(r, ((const mpv_event_start_file *)event->data)->playlist_entry_id); break;
    case MPV_EVENT_CLIENT_MESSAGE: on_message(r, event->data); break;
    case MPV_EVENT_END_FILE: on_end_file(r, event->data); break;
    case MPV_EVENT_SHUTDOWN:
      r->is_closed = 1;
      r->events.close(r->user);
      break;
    default: break;
  }
}

void mpv_renderer_run(mpv_renderer *r) {
  char bytes[64];
  while (read(r->descriptor, bytes, sizeof bytes) > 0) continue;
  while (!r->is_closed) { /* from then on that is all it says */
    const mpv_event *event = mpv_wait_event(r->mpv, 0);
    if (event->event_id == MPV_EVENT_NONE) break;
    on_event(r, event);
  }
  if (r->is_closed) return;
  if (r->seeking && now(r) - r->seek_began > SECOND) on_seek_over(r);
  if (r->user_seeking == MPV_SEEK_OVER && now(r) - r->user_sought > QUIET) tell_user_seek(r);
  go_on(r); /* the cache fills without telling */
}

/* Called by mpv on one of its threads: may only wake the loop. */
static void on_wakeup(void *user) {
  ssize_t written = write(((mpv_renderer *)user)->wakeup, "", 1);
  (void)written; /* a full pipe wakes as well */
}

/* ---- Opening ---------------------------------------------------------------------------------------------- */

static void set_option(mpv_renderer *r, const char *name, const char *value) {
  if (value != NULL) check(mpv_set_option_string(r->mpv, name, value), name);
}

/* The descriptor that mpv's thread wakes. */
static int open_pipe(mpv_renderer *r) {
  int ends[2];
  if (pipe(ends) != 0) {
    perror("pipe");
    return -1;
  }
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  }
  r->descriptor = ends[0];
  r->wakeup = ends[1];
  r->rate = r->nudge = 1;
  return 0;
}

/* What following needs; the rest of mpv is as the person has it. */
static void set_up(mpv_renderer *r) {
  set_option(r, "pause", "yes");
  set_option(r, "hr-seek", "yes");
  set_option(r, "keep-open", "yes");
  set_option(r, "keep-open-pause", "no"); /* the end of a film is no pause of a person's */
  set_option(r, "audio-pitch-correction", "no");
  set_option(r, "audio-fallback-to-null", "yes"); /* without a sound card there is still a clock to follow */
}

static void observe(mpv_renderer *r) {
  static const char *const observed[] = {"pause", "speed", "eof-reached", "paused-for-cache", "core-idle"};
  for (size_t i = 0; i < sizeof observed / sizeof *observed; i++)
    mpv_observe_property(r->mpv, 0, observed[i], strcmp(observed[i], "speed") == 0 ? MPV_FORMAT_DOUBLE : MPV_FORMAT_FLAG);
  mpv_set_wakeup_callback(r->mpv, on_wakeup, r);
}

int mpv_renderer_open(mpv_renderer *r, const char *vo, const char *ao, const char *ipc) {
  if (open_pipe(r) < 0) return -1;
  r->mpv = mpv_create();
  if (r->mpv == NULL) {
    fprintf(stderr, "mpv cannot be created; is LC_NUMERIC something else than C?\n");
    return -1;
  }
  set_up(r);
  set_option(r, "input-default-bindings", "yes");
  set_option(r, "input-vo-keyboard", "yes");
  set_option(r, "osc", "yes");
  if (vo == NULL && getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL) vo = "null";
  set_option(r, "force-window", vo != NULL && strcmp(vo, "null") == 0 ? "no" : "yes");
  set_option(r, "vo", vo);
  set_option(r, "ao", ao);
  set_option(r, "input-ipc-server", ipc);
  int status = mpv_initialize(r->mpv);
  check(status, "initialize");
  if (status < 0) return -1;
  observe(r);
  return 0;
}

int mpv_renderer_attach(mpv_renderer *r, mpv_handle *mpv) {
  if (open_pipe(r) < 0) return -1;
  r->mpv = mpv;
  set_up(r);
  set_double(r, "speed", 1);
  /* What opened before this was attached to hear of it. */
  r->is_persons = r->events.film != NULL && time_property(r, "time-pos") != UNISONO_TIME_INVALID;
  observe(r);
  if (r->is_persons) on_persons_film(r);
  return 0;
}

void mpv_renderer_detach(mpv_renderer *r) {
  if (r->mpv != NULL) mpv_set_wakeup_callback(r->mpv, NULL, NULL);
  r->mpv = NULL;
  free(r->told);
  r->told = NULL;
  if (r->descriptor > 0) close(r->descriptor), close(r->wakeup);
}

void mpv_renderer_close(mpv_renderer *r) {
  if (r->mpv != NULL) mpv_terminate_destroy(r->mpv);
  r->mpv = NULL;
  free(r->told);
  r->told = NULL;
  if (r->descriptor > 0) close(r->descriptor), close(r->wakeup);
}
