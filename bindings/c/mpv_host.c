/* mpv_host.c: a window of mpv, in step with everybody else's.
 *
 *     cc -std=c11 mpv_host.c host_shell.c $(pkg-config --cflags --libs unisono mpv) -lm -o mpv_host
 *     ./mpv_host host film.mkv           prints "invite ..."
 *     ./mpv_host join INVITE film.mkv    in another terminal or on another machine
 *
 * Keys in mpv's window (space, arrows, [ and ]) act on the whole group. There is one thread: libunisono's descriptor
 * and a pipe that mpv's wake-up writes to are waited for together.
 *
 * Three facts about mpv shape this file. It starts and stops within a millisecond of being told, so a start is a
 * matter of telling it at the right instant. It seeks to a frame, at or after the place asked for, so the instant is
 * computed from where it really stands. While it plays, `audio-pts` is exact to microseconds; while it stands after a
 * seek, only `time-pos` is true.
 */
#define _POSIX_C_SOURCE 200809L
#include "host_shell.h"

#include <fcntl.h>
#include <math.h>
#include <mpv/client.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEEPER_INTERVAL (190 * HOST_MILLISECOND) /* 5 times a second */
#define SETTLING (450 * HOST_MILLISECOND) /* mpv's own buffers: no measurement right after a change of speed */
#define NUDGE 0.02                        /* at most this much faster or slower */
#define NUDGE_FROM (3 * HOST_MILLISECOND)
#define AIM_FROM (80 * HOST_MILLISECOND) /* farther off than this, a nudge would take too long */
#define AIM_PAUSE (1500 * HOST_MILLISECOND)
#define OWN_SEEK_ECHO (300 * HOST_MILLISECOND)
#define ERRORS 3
#define AIMS 3 /* then it starts where it is, as at the end of a file that is shorter here */

/* What the player is doing for a command. */
typedef enum work {
  WORK_NONE,
  WORK_STAND, /* pause and seek: done when the place is reached */
  WORK_READY, /* buffer, and seek with anticipation: done when it could start at once */
  WORK_AIM,   /* play: seeking a little ahead of the line, to start when the line comes by */
  WORK_START, /* play: standing, waiting for the instant */
  WORK_RATE   /* play: running already, waiting for the instant of another rate */
} work;

typedef struct mpv_host {
  host_shell shell; /* first, so that a host_shell * is also an mpv_host * */
  mpv_handle *mpv;
  int wakeup[2]; /* mpv writes, the loop reads */
  const char *file, *vo, *ao, *ipc;
  int loaded, running, stalled, at_end;
  int64_t stand; /* where it stands while not running */

  /* the command being worked on; 0: none */
  uint64_t command;
  work work;
  uint64_t start_timer, nudge_timer;
  int aims;
  unisono_command waiting; /* came before the file was loaded; waiting.id 0: none */

  /* the line to follow while playing: position = item_time + rate * (now - host_time) */
  double rate;
  int64_t item_time, host_time;

  /* own seeks, told apart from those of the person at the keyboard */
  int seeking, user_seeking;
  int64_t seek_target, seek_began, last_own_seek;
  int64_t seek_cost;     /* learnt: how long a seek takes */
  int64_t start_latency; /* learnt: from being told to sounding */
  int learn_from_start;

  int own_pause;    /* what was last told to mpv */
  double own_speed; /* dto. */
  int64_t measure_from, last_aim, keep_from;
  int64_t errors[ERRORS]; /* the latest, ahead positive */
  int error_count;
} mpv_host;

/* ---- Talking to mpv ------------------------------------------------------------------------------------- */

static void check_mpv(int status, const char *what) {
  if (status < 0) fprintf(stderr, "mpv: %s: %s\n", what, mpv_error_string(status));
}

static void set_pause(mpv_host *host, int pause) {
  host->own_pause = pause;
  check_mpv(mpv_set_property(host->mpv, "pause", MPV_FORMAT_FLAG, &pause), "pause");
}

static void cancel(mpv_host *host, uint64_t *timer) {
  if (*timer != 0) unisono_context_cancel(host->shell.context, *timer);
  *timer = 0;
}

/* Ends a nudge, too. */
static void set_speed(mpv_host *host, double speed) {
  cancel(host, &host->nudge_timer);
  if (fabs(speed - host->own_speed) < 1e-9) return;
  host->own_speed = speed;
  check_mpv(mpv_set_property(host->mpv, "speed", MPV_FORMAT_DOUBLE, &speed), "speed");
  host->measure_from = host_now(&host->shell) + SETTLING;
  host->error_count = 0;
}

/* At the usual speed nudges have to be exact, which they are without the filter that keeps the pitch. */
static void set_rate(mpv_host *host, double rate) {
  int keep_pitch = fabs(rate - 1) > 2 * NUDGE;
  check_mpv(mpv_set_property(host->mpv, "audio-pitch-correction", MPV_FORMAT_FLAG, &keep_pitch), "pitch");
  set_speed(host, rate);
}

static int flag(mpv_host *host, const char *property) {
  int value = 0;
  return mpv_get_property(host->mpv, property, MPV_FORMAT_FLAG, &value) >= 0 && value;
}

/* Seconds to nanoseconds; INVALID while mpv has no such position. */
static int64_t time_property(mpv_host *host, const char *property) {
  double seconds = 0;
  if (mpv_get_property(host->mpv, property, MPV_FORMAT_DOUBLE, &seconds) < 0) return UNISONO_TIME_INVALID;
  return isfinite(seconds) ? (int64_t)llround(seconds * 1e9) : UNISONO_TIME_INVALID;
}

/* What is heard at `at`, while running. Without sound: what is seen, to a frame. */
static int64_t running_position(mpv_host *host, int64_t at) {
  int64_t before = host_now(&host->shell), position = time_property(host, "audio-pts");
  int64_t after = host_now(&host->shell);
  if (position == UNISONO_TIME_INVALID) position = time_property(host, "time-pos");
  if (position == UNISONO_TIME_INVALID) return position;
  return host_line(position, before + (after - before) / 2, host->own_speed, at);
}

static int64_t position(host_shell *shell, int64_t at) {
  mpv_host *host = (mpv_host *)shell;
  if (!host->loaded) return UNISONO_TIME_INVALID;
  return host->running ? running_position(host, at) : host->stand;
}

static double rate(host_shell *shell) {
  const mpv_host *host = (const mpv_host *)shell;
  return host->running && !host->at_end && !host->stalled ? host->own_speed : 0;
}

static int stalled(host_shell *shell) { return ((const mpv_host *)shell)->stalled; }

/* ---- Standing, seeking, starting ------------------------------------------------------------------------ */

static void stop(mpv_host *host) {
  cancel(host, &host->start_timer);
  if (!host->running) return;
  set_pause(host, 1);
  int64_t here = running_position(host, host_now(&host->shell));
  host->stand = here == UNISONO_TIME_INVALID ? host->stand : here;
  host->running = 0;
  set_speed(host, host->rate);
}

static void done(mpv_host *host) {
  host->work = WORK_NONE;
  if (host->command != 0) host_check(unisono_coordinator_complete(host->shell.coordinator, host->command), "complete");
  host->command = 0;
  host_report(&host->shell);
  host_changed(&host->shell);
}

static void seek(mpv_host *host, int64_t target) {
  if (host->seeking && host->seek_target == target) return;
  host->seeking = 1;
  host->user_seeking = 0;
  host->seek_target = target;
  host->seek_began = host->last_own_seek = host_now(&host->shell);
  char seconds[32];
  snprintf(seconds, sizeof seconds, "%.6f", (double)target / 1e9);
  const char *command[] = {"seek", seconds, "absolute+exact", NULL};
  check_mpv(mpv_command_async(host->mpv, 0, command), "seek");
}

static int64_t line_at(const mpv_host *host, int64_t at) {
  return host_line(host->item_time, host->host_time, host->rate, at);
}

/* When the line comes by the place where the player stands, less what a start takes. */
static int64_t start_instant(const mpv_host *host) {
  return host->host_time + (int64_t)((double)(host->stand - host->item_time) / host->rate) - host->start_latency;
}

static void start(mpv_host *host) {
  int64_t now = host_now(&host->shell);
  set_rate(host, host->rate);
  set_pause(host, 0);
  host->running = 1;
  host->learn_from_start = now - start_instant(host) < HOST_MILLISECOND; /* it was on time */
  host->measure_from = now + SETTLING;
  host->error_count = 0;
  done(host);
}

static void change_rate(mpv_host *host);

static void on_start_due(void *user, const unisono_timer_event *event) {
  mpv_host *host = user;
  if (event->status != UNISONO_OK) return;
  host->start_timer = 0;
  if (host->work == WORK_START) start(host);
  else if (host->work == WORK_RATE) change_rate(host);
}

static void at_instant(mpv_host *host, int64_t due) {
  host_check(unisono_context_call_at(host->shell.context, due, on_start_due, host, &host->start_timer), "call_at");
}

/* Seeks ahead of the line, far enough that the line comes by only after the seek is over. */
static void aim(mpv_host *host) {
  int64_t now = host_now(&host->shell);
  int64_t meeting = now + host->seek_cost;
  if (meeting < host->host_time) meeting = host->host_time;
  host->last_aim = now;
  host->aims++;
  host->work = WORK_AIM;
  seek(host, line_at(host, meeting));
}

/* What is in mpv's buffers would still be heard at the old speed, a third of a second of it; a seek drops it. */
static void change_rate(mpv_host *host) {
  stop(host);
  aim(host);
}

/* The player stands: start when the line comes by, or aim again if it passed too long ago. */
static void start_on_line(mpv_host *host) {
  int64_t now = host_now(&host->shell), due = start_instant(host);
  int64_t ahead = host->stand - line_at(host, now > host->host_time ? now : host->host_time);
  if ((ahead > HOST_SECOND || now - due > AIM_FROM) && host->aims < AIMS) {
    aim(host);
    return;
  }
  host->work = WORK_START;
  if (due <= now) start(host); /* a little late: the keeper nudges */
  else at_instant(host, due);
}

static int could_start(mpv_host *host) {
  if (host->seeking || flag(host, "seeking") || flag(host, "paused-for-cache")) return 0;
  int64_t cached = time_property(host, "demuxer-cache-duration");
  return cached == UNISONO_TIME_INVALID || cached >= HOST_SECOND || flag(host, "demuxer-cache-idle") ||
         flag(host, "eof-reached");
}

/* A seek is over, or some time has passed: is what the command asked for done? */
static void go_on(mpv_host *host) {
  if (host->seeking) return;
  if (host->work == WORK_STAND || (host->work == WORK_READY && could_start(host))) done(host);
  else if (host->work == WORK_AIM) start_on_line(host);
}

static void on_seek_over(mpv_host *host) {
  int64_t now = host_now(&host->shell), here = time_property(host, "time-pos");
  int64_t took = now - host->seek_began;
  if (flag(host, "seeking")) return; /* a newer one is under way */
  int elsewhere = here == UNISONO_TIME_INVALID || llabs(here - host->seek_target) > HOST_SECOND / 4;
  if (elsewhere && took < HOST_SECOND) return; /* of an older seek; on_tick accepts it later, as at a file's end */
  host->seeking = 0;
  if (here != UNISONO_TIME_INVALID) host->stand = here;
  /* Up at once, down slowly: a seek that takes longer than expected costs a second one. */
  int64_t wanted = took + took / 2 + 20 * HOST_MILLISECOND;
  if (!elsewhere)
    host->seek_cost = wanted > host->seek_cost ? wanted : host->seek_cost - (host->seek_cost - wanted) / 8;
  go_on(host);
}

/* ---- The delegate: what the group asks of this player ----------------------------------------------------- */

/* A newer command replaces the one being worked on. Returns 0 while there is nothing loaded to do it with. */
static int begin(mpv_host *host, const unisono_command *command) {
  host->command = command->id;
  host->work = WORK_NONE;
  host->aims = 0;
  cancel(host, &host->start_timer);
  host->waiting = *command; /* its strings are gone after the callback; nobody looks at them */
  host->waiting.item = NULL;
  if (!host->loaded) return 0;
  host->waiting.id = 0;
  host_changed(&host->shell);
  return 1;
}

static void on_play(void *user, const unisono_play_command *command) {
  mpv_host *host = user;
  if (!begin(host, command)) return;
  if (command->rate < 0.01 || command->rate > 100) { /* mpv plays no film backwards at an exact speed */
    host_check(unisono_coordinator_fail(host->shell.coordinator, command->id, UNISONO_ENOTSUP), "fail");
    host->command = 0;
    return;
  }
  double rate_before = host->rate;
  host->rate = command->rate;
  host->item_time = command->item_time;
  host->host_time = command->host_time;
  int64_t now = host_now(&host->shell);
  if (host->running && fabs(command->rate - rate_before) > NUDGE) {
    host->work = WORK_RATE;
    if (command->host_time > now) at_instant(host, command->host_time); /* until then the old line holds */
    else change_rate(host);
    return;
  }
  if (host->running && llabs(running_position(host, now) - line_at(host, now)) < AIM_FROM) {
    done(host); /* it plays already, near enough: the keeper does the rest */
    return;
  }
  stop(host);
  if (host->seeking) host->work = WORK_AIM;
  else start_on_line(host);
}

static void on_pause(void *user, const unisono_pause_command *command) {
  mpv_host *host = user;
  if (!begin(host, command)) return;
  stop(host);
  host->work = command->buffer_in_anticipation ? WORK_READY : WORK_STAND;
  if (command->snap) seek(host, command->item_time); /* everybody, so that everybody stands on the same frame */
  go_on(host);
}

static void on_seek(void *user, const unisono_seek_command *command) {
  mpv_host *host = user;
  if (!begin(host, command)) return;
  stop(host);
  host->work = command->buffer_in_anticipation ? WORK_READY : WORK_STAND;
  seek(host, command->item_time);
}

/* Standing a little ahead is fine, one starts that much later. Standing behind needs a seek. */
static void on_buffer(void *user, const unisono_buffer_command *command) {
  mpv_host *host = user;
  if (!begin(host, command)) return;
  stop(host);
  host->work = WORK_READY;
  int64_t ahead = host->stand - command->item_time;
  if (ahead < -HOST_MILLISECOND || ahead > 60 * HOST_MILLISECOND) seek(host, command->item_time);
  go_on(host);
}

static void run_waiting_command(mpv_host *host) {
  unisono_command command = host->waiting;
  if (command.id == 0) return;
  switch (command.base.type) {
    case UNISONO_EVENT_COORDINATOR_PLAY: on_play(host, &command); break;
    case UNISONO_EVENT_COORDINATOR_PAUSE: on_pause(host, &command); break;
    case UNISONO_EVENT_COORDINATOR_SEEK: on_seek(host, &command); break;
    default: on_buffer(host, &command); break;
  }
}

/* ---- What the person at mpv's window does ----------------------------------------------------------------- */

/* The group decides: back to what it was, ask, and follow the commands that come. */
static void propose_pause(mpv_host *host) {
  if (flag(host, "pause") == host->own_pause) return; /* an echo of our own */
  int wants_play = host->own_pause;
  if (wants_play) {
    int pause = 1;
    check_mpv(mpv_set_property(host->mpv, "pause", MPV_FORMAT_FLAG, &pause), "pause");
    int64_t here = time_property(host, "audio-pts"); /* it ran for a moment */
    if (here != UNISONO_TIME_INVALID) host->stand = here;
  } else {
    host->own_pause = 1;
    int64_t here = time_property(host, "audio-pts");
    host->stand = here == UNISONO_TIME_INVALID ? host->stand : here;
    host->running = 0;
    set_speed(host, host->rate);
  }
  double rate = wants_play ? (host->own_speed > 0 ? host->own_speed : 1) : 0;
  host_check(unisono_coordinator_coordinate_rate_change(host->shell.coordinator, rate, 0), "play or pause");
  host_changed(&host->shell);
}

static void propose_speed(mpv_host *host) {
  double speed = 1;
  if (mpv_get_property(host->mpv, "speed", MPV_FORMAT_DOUBLE, &speed) < 0) return;
  if (fabs(speed - host->own_speed) < 1e-6) return;
  host->own_speed = speed;
  if (host->running)
    host_check(unisono_coordinator_coordinate_rate_change(host->shell.coordinator, speed, 0), "speed");
}

static void propose_seek(mpv_host *host) {
  host->user_seeking = 0;
  int64_t here = time_property(host, "time-pos");
  if (here == UNISONO_TIME_INVALID) return;
  if (!host->running) host->stand = here;
  host_check(unisono_coordinator_coordinate_seek(host->shell.coordinator, here, 0), "seek");
}

/* ---- mpv's events --------------------------------------------------------------------------------------- */

static void on_loaded(mpv_host *host) {
  int64_t here = time_property(host, "time-pos");
  host->loaded = 1;
  host->stand = here == UNISONO_TIME_INVALID ? 0 : here;
  host_report(&host->shell);
  host_changed(&host->shell);
  run_waiting_command(host);
}

static void on_restart(mpv_host *host) {
  if (!host->loaded) on_loaded(host);
  else if (host->seeking) on_seek_over(host);
  else if (host->user_seeking) propose_seek(host);
}

static void on_property(mpv_host *host, const mpv_event_property *property) {
  if (!host->loaded) return;
  if (strcmp(property->name, "pause") == 0) propose_pause(host);
  else if (strcmp(property->name, "speed") == 0) propose_speed(host);
  else if (strcmp(property->name, "eof-reached") == 0) host->at_end = flag(host, "eof-reached");
  else if (strcmp(property->name, "paused-for-cache") == 0) {
    host->stalled = host->running && flag(host, "paused-for-cache");
    host->measure_from = host_now(&host->shell) + SETTLING;
    host->error_count = 0;
    host_report(&host->shell);
    host_changed(&host->shell);
  }
}

static void on_mpv_event(mpv_host *host, const mpv_event *event) {
  switch (event->event_id) {
    case MPV_EVENT_PLAYBACK_RESTART: on_restart(host); break;
    case MPV_EVENT_PROPERTY_CHANGE: on_property(host, event->data); break;
    case MPV_EVENT_SEEK:
      if (!host->seeking && host_now(&host->shell) - host->last_own_seek > OWN_SEEK_ECHO) host->user_seeking = 1;
      break;
    case MPV_EVENT_END_FILE:
      if (((const mpv_event_end_file *)event->data)->reason == MPV_END_FILE_REASON_ERROR)
        fprintf(stderr, "mpv cannot play %s: %s\n", host->file,
                mpv_error_string(((const mpv_event_end_file *)event->data)->error));
      break;
    case MPV_EVENT_SHUTDOWN: host->shell.finished = 1; break; /* the window was closed */
    default: break;
  }
}

/* Called by mpv on one of its threads: may only wake the loop. */
static void on_mpv_wakeup(void *user) {
  ssize_t written = write(((mpv_host *)user)->wakeup[1], "", 1);
  (void)written; /* a full pipe wakes as well */
}

static void readable(host_shell *shell) {
  mpv_host *host = (mpv_host *)shell;
  char bytes[64];
  while (read(host->wakeup[0], bytes, sizeof bytes) > 0) continue;
  for (;;) {
    const mpv_event *event = mpv_wait_event(host->mpv, 0);
    if (event->event_id == MPV_EVENT_NONE) return;
    on_mpv_event(host, event);
  }
}

/* ---- The keeper: stays on the line ------------------------------------------------------------------------ */

/* Ends a nudge exactly when its error is used up. */
static void on_nudge_over(void *user, const unisono_timer_event *event) {
  mpv_host *host = user;
  if (event->status != UNISONO_OK) return;
  host->nudge_timer = 0;
  if (host->running) set_speed(host, host->rate);
}

static void nudge(mpv_host *host, int64_t error) {
  double step = error > 0 ? -NUDGE : NUDGE;
  int64_t now = host_now(&host->shell), lasts = (int64_t)((double)llabs(error) / (NUDGE * host->rate));
  set_speed(host, host->rate * (1 + step));
  host->measure_from = now + lasts + SETTLING;
  host_check(unisono_context_call_at(host->shell.context, now + lasts, on_nudge_over, host, &host->nudge_timer), "nudge");
}

static int64_t middle(const int64_t *v) { /* of three */
  int64_t low = v[0] < v[1] ? v[0] : v[1], high = v[0] < v[1] ? v[1] : v[0];
  return v[2] < low ? low : v[2] > high ? high : v[2];
}

/* Ahead of where the group has it, in nanoseconds of the item. Apart from the group, its own line counts. */
static int64_t error_now(mpv_host *host) {
  int64_t now = host_now(&host->shell), expected = UNISONO_TIME_INVALID, here = running_position(host, now);
  if (here == UNISONO_TIME_INVALID) return 0;
  if (host_is_apart(&host->shell) ||
      unisono_coordinator_expected_item_time(host->shell.coordinator, now, &expected) < 0)
    expected = line_at(host, now);
  return here - expected;
}

static void keep(host_shell *shell) {
  mpv_host *host = (mpv_host *)shell;
  int64_t now = host_now(shell);
  if (now < host->keep_from) return;
  host->keep_from = now + KEEPER_INTERVAL;
  if (host->seeking && now - host->seek_began > HOST_SECOND) on_seek_over(host);
  if (host->work == WORK_READY) go_on(host); /* the cache fills without telling */
  if (!host->running || host->stalled || host->at_end || host->user_seeking) return;
  if (host->work == WORK_RATE || now < host->measure_from) return;
  host->errors[host->error_count++ % ERRORS] = error_now(host);
  if (host->error_count < ERRORS) return;
  int64_t error = middle(host->errors);
  if (host->learn_from_start) {
    host->learn_from_start = 0;
    host->start_latency -= error / 2; /* ahead: start later the next time */
    if (host->start_latency < 0) host->start_latency = 0;
    if (host->start_latency > HOST_SECOND / 5) host->start_latency = HOST_SECOND / 5;
  }
  if (llabs(error) > AIM_FROM && now - host->last_aim > AIM_PAUSE) {
    stop(host);
    aim(host);
  } else if (llabs(error) > NUDGE_FROM) {
    nudge(host, error);
  }
}

/* ---- Beginning ------------------------------------------------------------------------------------------ */

/* The identifier is what the group compares; the file belongs to this host alone. */
static int load(host_shell *shell, const char *item) {
  mpv_host *host = (mpv_host *)shell;
  const char *file = strcmp(item, shell->first_item) == 0 ? host->file : item;
  if (access(file, R_OK) != 0 && strstr(file, "://") == NULL) {
    fprintf(stderr, "the group moved to %s, which is not here\n", item);
    return 0;
  }
  stop(host);
  host->loaded = host->seeking = host->user_seeking = host->at_end = 0;
  const char *command[] = {"loadfile", file, NULL};
  check_mpv(mpv_command_async(host->mpv, 0, command), file);
  return 1;
}

static int take_option(host_shell *shell, const char *word, const char *value) {
  mpv_host *host = (mpv_host *)shell;
  if (word[0] != '-') {
    host->file = word;
    return 1;
  }
  if (value == NULL) return 0;
  if (strcmp(word, "--vo") == 0) host->vo = value;
  else if (strcmp(word, "--ao") == 0) host->ao = value;
  else if (strcmp(word, "--ipc") == 0) host->ipc = value;
  else return 0;
  return 2;
}

static void set_option(mpv_host *host, const char *name, const char *value) {
  if (value != NULL) check_mpv(mpv_set_option_string(host->mpv, name, value), name);
}

static int open_mpv(mpv_host *host) {
  if (pipe(host->wakeup) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(host->wakeup[i], F_SETFL, O_NONBLOCK);
    fcntl(host->wakeup[i], F_SETFD, FD_CLOEXEC);
  }
  host->shell.player_fd = host->wakeup[0];
  host->mpv = mpv_create();
  if (host->mpv == NULL) return -1;
  set_option(host, "pause", "yes");
  set_option(host, "hr-seek", "yes");
  set_option(host, "keep-open", "yes");
  set_option(host, "keep-open-pause", "no"); /* the end of a film is no pause of a person's */
  set_option(host, "audio-pitch-correction", "no");
  set_option(host, "input-default-bindings", "yes");
  set_option(host, "input-vo-keyboard", "yes");
  set_option(host, "osc", "yes");
  if (host->vo == NULL && getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL) host->vo = "null";
  set_option(host, "force-window", host->vo != NULL && strcmp(host->vo, "null") == 0 ? "no" : "yes");
  set_option(host, "audio-fallback-to-null", "yes"); /* without a sound card there is still a clock to follow */
  set_option(host, "vo", host->vo);
  set_option(host, "ao", host->ao);
  set_option(host, "input-ipc-server", host->ipc);
  int status = mpv_initialize(host->mpv);
  check_mpv(status, "initialize");
  if (status < 0) return -1;
  mpv_observe_property(host->mpv, 0, "pause", MPV_FORMAT_FLAG);
  mpv_observe_property(host->mpv, 0, "speed", MPV_FORMAT_DOUBLE);
  mpv_observe_property(host->mpv, 0, "eof-reached", MPV_FORMAT_FLAG);
  mpv_observe_property(host->mpv, 0, "paused-for-cache", MPV_FORMAT_FLAG);
  mpv_set_wakeup_callback(host->mpv, on_mpv_wakeup, host);
  return 0;
}

int main(int argc, char **argv) {
  static const host_player player = {
      .position = position, .rate = rate, .stalled = stalled, .load = load, .option = take_option, .readable = readable,
      .keep = keep,
      .usage = "player: FILE, --vo NAME, --ao NAME (null: none), --ipc SOCKET (mpv's JSON commands)\n"};
  mpv_host host = {.own_pause = 1, .own_speed = 1, .rate = 1, .seek_cost = 80 * HOST_MILLISECOND};
  int status = host_shell_options(&host.shell, &player, argc, argv);
  if (status != 0) return status < 0 ? 0 : status;
  if (host.file == NULL) {
    fprintf(stderr, "%s: which file? try --help\n", argv[0]);
    return 2;
  }
  const char *slash = strrchr(host.file, '/');
  if (host.shell.first_item == NULL) host.shell.first_item = slash == NULL ? host.file : slash + 1;
  if (open_mpv(&host) < 0) return 1;

  unisono_playback_delegate delegate = UNISONO_PLAYBACK_DELEGATE_INIT;
  delegate.play = on_play;
  delegate.pause = on_pause;
  delegate.seek = on_seek;
  delegate.buffer = on_buffer;
  status = host_shell_run(&host.shell, &delegate);
  mpv_terminate_destroy(host.mpv);
  return status;
}
