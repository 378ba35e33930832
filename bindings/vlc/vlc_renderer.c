/* vlc_renderer.c: see vlc_renderer.h.
 *
 * Facts about VLC 3 that shape this file (docs/decisions, DP54). Its `time` is exact to a few milliseconds, but is made anew only four
 * times a second: what counts is when it changes. It begins to play some 15 ms after it is told to, and goes on 165 ms later than it was
 * told to go elsewhere while it plays. A place that it is told to go to it says at once, and for a moment after that perhaps once more the
 * old one. Its speed is 1000 over a whole number; what keeps the pitch at other speeds, even by a thousandth, makes the sound 20 to 47 ms
 * late. At a film's end it stands, some 0.1 s before the length that it says. */
#define _GNU_SOURCE
#include "vlc_renderer.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MILLISECOND INT64_C(1000000)
#define SECOND INT64_C(1000000000)
#define DEAD_BAND (5 * MILLISECOND)
#define ASK_RUNNING (4 * MILLISECOND)
#define ASK_STANDING (30 * MILLISECOND)
#define SHARP (25 * MILLISECOND)           /* a change between two answers that lie further apart says too little */
#define SETTLING (700 * MILLISECOND)       /* after what it was told, until when it may say what was before */
#define FILLING (50 * MILLISECOND)         /* after a seek, until its buffers are known to be those of there */
#define AHEAD (60 * MILLISECOND)           /* standing so little ahead is as good: it starts that much later */
#define JUMP (300 * MILLISECOND)
#define JUMP_LASTS (250 * MILLISECOND)     /* who drags the slider jumps many times */
#define KEEP_PITCH_FROM 0.05               /* of the usual speed: what is less cannot be heard as pitch, or hardly */
#define STALL (1200 * MILLISECOND)         /* its time changes four times a second while it plays */
#define BETWEEN SECOND
#define OPENING (150 * MILLISECOND)
#define NEAR (3 * SECOND)
#define SPEED_STRAYS (100 * MILLISECOND)
#define STRAYING (500 * MILLISECOND)
#define END (1500 * MILLISECOND)
#define LOAD_LASTS (20 * SECOND)
#define SEEK_LASTS (10 * SECOND)
#define PRESS_LASTS (30 * SECOND)          /* a press of play counts for the film that is there by then */
#define PATIENCE 5                         /* seconds that VLC has for ending */

extern char **environ;

static int64_t now(const vlc_renderer *r) { return unisono_context_host_time(r->context); }

/* ---- Talking to VLC ------------------------------------------------------------------------------------- */

static void end(vlc_renderer *r) {
  if (r->is_closed) return;
  r->is_closed = 1;
  r->events.close(r->user);
}

static void tell(vlc_renderer *r, const char *line) {
  size_t length = strlen(line), sent = 0;
  while (sent < length && !r->is_closed) {
    ssize_t count = send(r->descriptor, line + sent, length - sent, MSG_NOSIGNAL);
    if (count > 0) sent += (size_t)count;
    else if (count < 0 && errno == EINTR) continue;
    else end(r);
  }
  if (r->asked != 0) r->is_stale = 1;
}

static void tell_number(vlc_renderer *r, const char *verb, int64_t number) {
  char line[64];
  snprintf(line, sizeof line, "%s %" PRId64 "\n", verb, number);
  tell(r, line);
  r->told = now(r);
}

static void tell_text(vlc_renderer *r, const char *verb, const char *text) {
  char line[VLC_MRL + 64];
  snprintf(line, sizeof line, "%s %s\n", verb, text);
  tell(r, line);
}

static double speed(const vlc_renderer *r) { return 1000.0 / r->per_mille; }

/* VLC cuts 1000 over what it is given to a whole number. */
static void tell_speed(vlc_renderer *r) {
  char line[64];
  snprintf(line, sizeof line, "rate %.9f\n", 1000 / (r->per_mille + 0.25));
  tell(r, line);
}

/* What keeps the pitch makes the sound late, so that it is there for speeds alone that people hear as such. */
static void set_pitch(vlc_renderer *r, int keeps) {
  r->keeps_pitch = keeps;
  tell(r, keeps ? "pitch 1\n" : "pitch 0\n");
}

static void set_speed(vlc_renderer *r, double rate, double nudge) {
  int wanted = (int)lround(1000 / (rate * nudge));
  r->rate = rate;
  r->nudge = nudge;
  if (wanted == r->per_mille) return;
  r->per_mille = wanted;
  if (r->speed_strays_since == 0) tell_speed(r); /* else it may be the person's, and is told once that is known */
  vlc_line_begin(&r->line, speed(r));
}

void vlc_renderer_show(vlc_renderer *r, const char *text) {
  char line[4096];
  snprintf(line, sizeof line, "%s", text);
  for (char *c = line; *c != '\0'; c++)
    if (*c == '\n') *c = 31; /* what a line ends with; other control characters telling.c has taken out */
  tell_text(r, "show", line);
}

int64_t vlc_renderer_duration(const vlc_renderer *r) {
  return (r->loaded || r->is_persons) && r->last.length > 0 ? r->last.length : 0;
}

/* ---- Addresses of files ---------------------------------------------------------------------------------- */

/* "file:///..." of a path from the root on; addresses stay as they are, but for what would end the line. */
static void mrl_of(const char *path, char *out, size_t room) {
  int is_address = strstr(path, "://") != NULL;
  char whole[4096];
  size_t length = (size_t)snprintf(out, room, "%s", is_address ? "" : "file://");
  if (!is_address && path[0] != '/' && realpath(path, whole) != NULL) path = whole;
  for (const unsigned char *c = (const unsigned char *)path; *c != '\0' && length + 4 < room; c++) {
    int is_plain = is_address ? *c > 32 && *c < 127 : isalnum(*c) || strchr("/-_.~", *c) != NULL;
    length += (size_t)snprintf(out + length, room - length, is_plain ? "%c" : "%%%02X", *c);
  }
}

static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

/* The path of a file's address; others stay as they are. */
static void path_of(const char *mrl, char *out, size_t room) {
  size_t length = 0;
  int is_file = strncmp(mrl, "file:///", 8) == 0;
  for (const char *c = is_file ? mrl + 7 : mrl; *c != '\0' && length + 1 < room; c++) {
    int is_coded = is_file && c[0] == '%' && digit(c[1]) >= 0 && digit(c[2]) >= 0;
    out[length++] = is_coded ? (char)(digit(c[1]) * 16 + digit(c[2])) : *c;
    if (is_coded) c += 2;
  }
  out[length] = '\0';
}

/* ---- Telling the player --------------------------------------------------------------------------------- */

/* While it runs: by its line, or as it was told to run, as long as nothing has been seen of it. */
static int64_t position(const vlc_renderer *r, int64_t at) {
  int64_t here;
  if (r->running && vlc_line_position(&r->line, at, &here)) return here;
  return r->stand;
}

static void say(vlc_renderer *r, unisono_renderer_state state, uint64_t request) {
  unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
  int64_t at = now(r);
  report.state = state;
  report.request = request;
  if (r->loaded) {
    report.item_time = position(r, at);
    report.host_time = at;
    report.flags = UNISONO_HAS_POSITION;
  }
  if (r->loaded && r->last.length > 0) report.duration = r->last.length;
  unisono_player_report(r->player, &report);
}

static void fail(vlc_renderer *r, uint64_t request, int32_t status, const char *message) {
  unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
  report.state = UNISONO_RENDERER_FAILED;
  report.request = request;
  report.status = status;
  report.message = message;
  unisono_player_report(r->player, &report);
}

static void answer(vlc_renderer *r, unisono_renderer_state state) {
  uint64_t request = r->request;
  r->request = 0;
  if (request != 0) say(r, state, request);
}

/* Of the person, and no echo of what VLC was told. */
static int is_wish(vlc_renderer *r, int runs) {
  unisono_coordinator *coordinator;
  return unisono_player_coordinator(r->player, &coordinator) == UNISONO_OK &&
         unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RUNNING, runs) == 1;
}

/* What VLC does that no command of the player says is not a person's. */
static void expect_running(vlc_renderer *r, int runs) {
  unisono_coordinator *coordinator;
  if (unisono_player_coordinator(r->player, &coordinator) == UNISONO_OK)
    unisono_coordinator_expect_motion(coordinator, UNISONO_MOTION_RUNNING, runs);
}

/* ---- What a person does goes to the group ---------------------------------------------------------------- */

static void asked(vlc_renderer *r, int32_t status, const char *what) {
  if (status < 0) r->events.refused(r->user, what, status);
}

static void ask_pause(vlc_renderer *r, int pause) {
  if (pause) asked(r, unisono_player_pause(r->player), "pause");
  else asked(r, unisono_player_play(r->player, 0), "play");
}

/* A person presses play before there is what to play: the group is asked once there is. */
static void ask_play(vlc_renderer *r) {
  int has_item = r->loaded || (r->request != 0 && r->work == VLC_LOADING);
  r->pressed = has_item ? 0 : now(r);
  if (has_item) ask_pause(r, 0);
}

static void ask_speed(vlc_renderer *r, double rate) {
  asked(r, unisono_player_set_rate(r->player, rate, UNISONO_RATE_AS_DEFAULT), "speed");
  if (unisono_player_time_control(r->player) != UNISONO_TIME_CONTROL_PAUSED) asked(r, unisono_player_set_rate(r->player, rate, 0), "speed");
}

/* ---- Standing, seeking, starting ------------------------------------------------------------------------ */

/* A newer command replaces the one being worked on. */
static void begin(vlc_renderer *r, const unisono_renderer_command *command, int work) {
  r->request = command->request;
  r->work = work;
}

static void stop(vlc_renderer *r) {
  if (!r->running) return;
  r->stand = position(r, now(r));
  r->running = r->stalled = 0;
  r->strays_since = 0;
  tell_number(r, "run", 0);
}

static void seek(vlc_renderer *r, int64_t target) {
  r->seeking = 1;
  r->jump_until = 0;
  r->seek_target = target;
  r->seek_from = r->last.time;
  r->seek_began = now(r);
  r->at_end = 0;
  if (!r->running) r->stand = target;
  vlc_line_begin(&r->line, speed(r));
  tell_number(r, "time", target / 1000);
}

/* What was asked for is done? */
static void go_on(vlc_renderer *r) {
  if (r->request == 0 || !r->loaded) return;
  if (r->work == VLC_STARTING) {
    if (r->last.is_playing) answer(r, UNISONO_RENDERER_PLAYING);
  } else if (!r->seeking && r->last.is_filled) {
    answer(r, r->work == VLC_SEEKING ? UNISONO_RENDERER_SEEKED : UNISONO_RENDERER_READY);
  }
}

/* A seek is over once its buffers are filled, and, where it runs, its time has been seen to go on from there. */
static void look_at_seek(vlc_renderer *r) {
  int64_t since = r->last.at - r->seek_began;
  if (!r->seeking || since < FILLING) return;
  int is_there = r->running ? r->line.count > 0 : r->last.is_filled;
  if (is_there || since > SEEK_LASTS) r->seeking = 0;
}

/* ---- What the player tells it ------------------------------------------------------------------------------ */

static void on_cue(void *user, const unisono_renderer_command *command) {
  vlc_renderer *r = user;
  stop(r);
  begin(r, command, VLC_CUEING);
  int64_t ahead = r->stand - command->item_time;
  if (ahead < -MILLISECOND || ahead > AHEAD) seek(r, command->item_time);
  go_on(r);
}

static void on_load(void *user, const unisono_renderer_command *command) {
  vlc_renderer *r = user;
  /* What the person opened in the window stands in VLC's list in its own way, and is opened anew. */
  int is_open = r->is_persons && r->last.open == VLC_FILM && strcmp(r->path, command->uri) == 0;
  stop(r);
  if (r->pressed != 0 && now(r) - r->pressed < PRESS_LASTS) ask_pause(r, 0);
  r->is_persons = r->stalled = r->seeking = r->at_end = r->is_coming_back = 0;
  r->pressed = r->jump_until = 0;
  r->stand = is_open ? 0 : command->item_time;
  begin(r, command, VLC_LOADING);
  r->load_began = now(r);
  set_speed(r, r->rate, 1);
  r->loaded = is_open;
  if (is_open) {
    on_cue(r, command);
    return;
  }
  snprintf(r->path, sizeof r->path, "%s", command->uri);
  mrl_of(command->uri, r->mrl, sizeof r->mrl);
  tell_text(r, "open", r->mrl);
}

static void on_play(void *user, const unisono_renderer_command *command) {
  vlc_renderer *r = user;
  if (command->rate < 0.05 || command->rate > 30) {
    fail(r, command->request, UNISONO_ENOTSUP, "VLC plays at 0.05 to 30 times the usual speed");
    return;
  }
  begin(r, command, VLC_STARTING);
  int keeps = fabs(command->rate - 1) > KEEP_PITCH_FROM;
  if (keeps != r->keeps_pitch) set_pitch(r, keeps);
  set_speed(r, command->rate, r->nudge);
  if (!r->running) {
    r->running = 1;
    r->moved = now(r);
    r->strays_since = 0;
    vlc_line_begin(&r->line, speed(r));
    tell_number(r, "run", 1);
  }
  go_on(r);
}

static void on_pause(void *user, const unisono_renderer_command *command) {
  vlc_renderer *r = user;
  stop(r);
  r->request = 0;
  say(r, UNISONO_RENDERER_PAUSED, command->request);
}

static void on_seek(void *user, const unisono_renderer_command *command) {
  vlc_renderer *r = user;
  begin(r, command, VLC_SEEKING);
  seek(r, command->item_time);
}

static void on_nudge(void *user, const unisono_renderer_command *command) {
  vlc_renderer *r = user;
  set_speed(r, r->rate, command->rate);
}

static int32_t on_now(void *user, int64_t *item_time, int64_t *host_time) {
  vlc_renderer *r = user;
  if (!r->loaded || !r->running || r->stalled || r->at_end || r->seeking || r->is_coming_back || r->jump_until != 0) return UNISONO_ESTATE;
  if (!r->last.is_playing) return UNISONO_ESTATE;
  *host_time = now(r);
  if (*host_time - vlc_line_newest(&r->line) > STALL) return UNISONO_ESTATE;
  return vlc_line_position(&r->line, *host_time, item_time) ? UNISONO_OK : UNISONO_ESTATE;
}

static void on_stop(void *user, const unisono_renderer_command *command) {
  vlc_renderer *r = user;
  (void)command;
  stop(r);
  r->loaded = 0;
  tell(r, "stop\n");
}

/* The volume is the person's: VLC has a slider for it. */
unisono_renderer vlc_renderer_functions(void) {
  return (unisono_renderer){.size = sizeof(unisono_renderer), .capabilities = UNISONO_RENDERER_NUDGES, .dead_band = DEAD_BAND,
                            .load = on_load, .cue = on_cue, .play = on_play, .pause = on_pause, .seek = on_seek,
                            .nudge = on_nudge, .now = on_now, .stop = on_stop};
}

/* ---- What happens in VLC ---------------------------------------------------------------------------------- */

/* What the person opened stands at its beginning once it is known how long it is, or that nobody knows. */
static void look_at_persons(vlc_renderer *r, const vlc_answer *a) {
  if (a->is_playing) { /* for a moment it is said to, as it opens; else a person pressed the key, and cannot be alone with it */
    if (r->strays_since == 0) r->strays_since = a->at;
    if (a->at - r->strays_since < OPENING) return;
    r->pressed = now(r);
    tell_number(r, "run", 0);
  }
  r->strays_since = 0;
  if (r->is_told_persons || !a->is_standing) return;
  if (a->length == 0 && a->at - r->load_began < SECOND) return;
  r->is_told_persons = 1;
  r->events.film(r->user, r->path);
}

static void on_persons(vlc_renderer *r, const char *path) {
  if (r->is_persons && strcmp(r->path, path) == 0) return;
  snprintf(r->path, sizeof r->path, "%s", path);
  r->is_persons = 1;
  r->is_told_persons = r->loaded = r->running = r->seeking = r->is_coming_back = 0;
  r->request = 0;
  r->load_began = now(r);
  expect_running(r, 0);
}

static void on_loaded(vlc_renderer *r) {
  r->loaded = 1;
  r->jump_until = 0;
  if (r->per_mille != 1000) tell_speed(r); /* each film begins at the usual one */
  if (r->keeps_pitch) set_pitch(r, 1);
  if (r->stand != 0) seek(r, r->stand);
  is_wish(r, 0); /* it stands, which is nothing new */
}

static void on_not_loaded(vlc_renderer *r) {
  uint64_t request = r->request;
  r->request = 0;
  tell(r, "stop\n");
  fail(r, request, UNISONO_ENOTFOUND, "VLC could not open it");
}

static void look_at_load(vlc_renderer *r, const vlc_answer *a) {
  int is_open = a->open == VLC_FILM && (a->is_standing || a->is_playing) && (a->length > 0 || a->at - r->load_began > SECOND);
  if (is_open) on_loaded(r);
  /* What cannot be opened VLC leaves for the next in its list. */
  else if (a->has_failed || a->open == VLC_NEXT || a->at - r->load_began > LOAD_LASTS) on_not_loaded(r);
}

/* Between two films VLC has none, for a moment. */
static int is_between(vlc_renderer *r, const vlc_answer *a) {
  if (a->open != VLC_NONE) return r->none_since = 0;
  if (r->none_since == 0) r->none_since = a->at;
  return a->at - r->none_since < BETWEEN;
}

/* The person left the film, by VLC's buttons for the next, the previous and for stopping. It is opened again where the group is, and
 * the group is asked for what that means. */
static void on_left(vlc_renderer *r, vlc_open to) {
  r->is_coming_back = 1;
  r->none_since = 0;
  r->load_began = now(r);
  tell(r, "back\n");
  if (to == VLC_NEXT) r->events.key(r->user, "next");
  else if (to == VLC_PREVIOUS) r->events.key(r->user, "previous");
  else if (r->running) ask_pause(r, 1);
}

static void look_at_return(vlc_renderer *r, const vlc_answer *a) {
  if (a->open != VLC_FILM || (!a->is_standing && !a->is_playing)) {
    if (a->at - r->load_began < LOAD_LASTS) return;
    r->loaded = r->is_coming_back = 0;
    fail(r, 0, UNISONO_ENOTFOUND, "VLC could not open it again");
    return;
  }
  r->is_coming_back = 0;
  if (r->per_mille != 1000) tell_speed(r);
  seek(r, position(r, a->at));
  if (r->running) tell_number(r, "run", 1);
}

static void on_end_reached(vlc_renderer *r) {
  expect_running(r, 0);
  r->at_end = 1;
  r->stand = position(r, now(r));
  say(r, UNISONO_RENDERER_ENDED, 0);
}

/* It plays or stands otherwise than before. */
static void look_at_motion(vlc_renderer *r, const vlc_answer *a) {
  if (!a->is_playing && !a->is_standing) return; /* it opens, or ends */
  int is_near_end = a->length > 0 && a->time > a->length - END;
  if (a->is_playing == r->running) r->strays_since = 0;
  if (a->is_standing && r->running && is_near_end && !r->seeking) {
    if (!r->at_end) on_end_reached(r);
    return;
  }
  if (is_wish(r, a->is_playing)) {
    if (a->is_playing) { /* a person cannot be alone with it: back to where it stood, and the group is asked */
      tell_number(r, "run", 0);
      seek(r, r->stand);
      ask_play(r);
    } else ask_pause(r, 1); /* it stands already; the command that follows says so, too */
  } else if (a->is_playing != r->running) {
    if (r->strays_since == 0) r->strays_since = a->at;
    if (a->at - r->strays_since < STRAYING) return;
    r->strays_since = 0;
    tell_number(r, "run", r->running); /* the group did not agree */
  }
}

static void look_at_speed(vlc_renderer *r, const vlc_answer *a) {
  /* For a moment it may say one that it was told before. */
  if (a->per_mille == r->per_mille || a->per_mille <= 0) r->speed_strays_since = 0;
  else if (r->speed_strays_since == 0) r->speed_strays_since = a->at;
  if (r->speed_strays_since == 0 || a->at - r->speed_strays_since < SPEED_STRAYS) return;
  r->speed_strays_since = 0;
  tell_speed(r);
  ask_speed(r, round(100000.0 / a->per_mille) / 100); /* as VLC showed it to the person */
}

/* Just after a seek that it was told, it is there, or says once more where it was. */
static int is_told_place(const vlc_renderer *r, const vlc_answer *a) {
  return a->at - r->seek_began < SETTLING && (llabs(a->time - r->seek_target) < NEAR || llabs(a->time - r->seek_from) < NEAR);
}

/* Its time is another one. `before`: as it was, and when. */
static void on_time(vlc_renderer *r, const vlc_answer *a, const vlc_answer *before, int64_t moved) {
  int may_run = r->running || a->at - r->told < SETTLING; /* what it says when it stops may come later */
  int64_t farthest = may_run ? (int64_t)((double)(a->at - moved) * speed(r)) : 0;
  int64_t by = a->time - before->time;
  if ((by < -JUMP || by > farthest + JUMP) && !is_told_place(r, a)) {
    r->jump_until = a->at + JUMP_LASTS;
    vlc_line_begin(&r->line, speed(r));
    return;
  }
  if (r->jump_until != 0 || !r->running) return;
  /* Just after a seek it may say once more where it was. */
  if (r->seeking && (a->time == r->seek_target || llabs(a->time - r->seek_target) > NEAR)) return;
  if (a->at - before->at < SHARP) vlc_line_add(&r->line, a->time, before->at + (a->at - before->at) / 2);
}

static void on_jump(vlc_renderer *r, const vlc_answer *a) {
  r->jump_until = 0;
  if (!r->running) r->stand = a->time;
  r->at_end = 0;
  asked(r, unisono_player_seek(r->player, a->time, 0, 0, NULL), "seek");
}

/* `at`: host time of what VLC said, or of now where it does not say anything. */
static void look_at_stall(vlc_renderer *r, int64_t at) {
  int stalled = r->loaded && r->running && r->last.is_playing && !r->seeking && !r->at_end && at - r->told > STALL && at - r->moved > STALL;
  if (stalled == r->stalled) return;
  r->stalled = stalled;
  if (stalled) vlc_line_begin(&r->line, speed(r)); /* it goes on later than the line says */
  say(r, stalled ? UNISONO_RENDERER_STALLED : UNISONO_RENDERER_RECOVERED, 0);
}

static void look_at_film(vlc_renderer *r, const vlc_answer *a, const vlc_answer *before) {
  int64_t moved = r->moved;
  if (a->time != before->time) {
    r->moved = a->at;
    on_time(r, a, before, moved);
  }
  look_at_seek(r);
  if (r->jump_until != 0 && a->at >= r->jump_until) on_jump(r, a);
  look_at_motion(r, a);
  look_at_speed(r, a);
  look_at_stall(r, a->at);
  go_on(r);
}

static void on_answer(vlc_renderer *r, const vlc_answer *a) {
  vlc_answer before = r->last;
  r->last = *a;
  if (a->open == VLC_OTHER) tell(r, "uri\n");
  else if (r->is_persons) look_at_persons(r, a);
  else if (r->request != 0 && r->work == VLC_LOADING && !r->loaded) look_at_load(r, a);
  else if (!r->loaded) return;
  else if (r->is_coming_back) look_at_return(r, a);
  else if (is_between(r, a)) return;
  else if (a->open != VLC_FILM) on_left(r, a->open);
  else look_at_film(r, a, &before);
}

/* ---- Lines of unisono.lua ---------------------------------------------------------------------------------- */

/* 1: it is an answer. */
static int read_answer(const vlc_renderer *r, const char *line, vlc_answer *out) {
  static const char *const names[] = {"none", "film", "next", "previous", "other"};
  char open[16];
  double clock, time, length, rate, cache;
  int state;
  if (sscanf(line, "s %lf %15s %d %lf %lf %lf %lf", &clock, open, &state, &time, &length, &rate, &cache) != 7) return 0;
  if (!(fabs(clock) < 9e15 && fabs(time) < 9e12 && fabs(length) < 9e12 && rate > 0.001 && rate < 1000)) return 0;
  *out = (vlc_answer){.is_playing = state == 2, .is_standing = state == 3, .has_failed = state == 5, .time = (int64_t)(time * 1000),
                      .length = (int64_t)(length * 1000), .per_mille = (int)lround(1000 / rate), .is_filled = cache > 0.999};
  for (int i = 0; i < 5; i++)
    if (strcmp(open, names[i]) == 0) out->open = (vlc_open)i;
  /* VLC's clock is the host's own, wherever it was seen to be. */
  int64_t at = (int64_t)(clock * 1000), here = now(r);
  out->at = at >= r->asked && at <= here ? at : r->asked + (here - r->asked) / 2;
  return 1;
}

static void on_line(vlc_renderer *r, const char *line) {
  vlc_answer answer;
  char path[VLC_MRL];
  if (line[0] == 'u' && line[1] == ' ' && r->last.open == VLC_OTHER) {
    path_of(line + 2, path, sizeof path);
    if (path[0] != '\0') on_persons(r, path);
    if (r->is_persons) look_at_persons(r, &r->last);
  }
  if (line[0] != 's' || !read_answer(r, line, &answer)) return;
  int is_stale = r->is_stale;
  r->has_answered = 1;
  r->asked = r->is_stale = 0;
  if (!is_stale) on_answer(r, &answer);
}

static void read_lines(vlc_renderer *r) {
  ssize_t count;
  while ((count = recv(r->descriptor, r->input + r->input_length, sizeof r->input - r->input_length, MSG_DONTWAIT)) != 0) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (count < 0) break;
    r->input_length += (size_t)count;
    char *start = r->input, *end_of_line;
    while ((end_of_line = memchr(start, '\n', r->input_length - (size_t)(start - r->input))) != NULL) {
      *end_of_line = '\0';
      on_line(r, start);
      start = end_of_line + 1;
    }
    r->input_length -= (size_t)(start - r->input);
    memmove(r->input, start, r->input_length);
    if (r->input_length == sizeof r->input) r->input_length = 0; /* no line of ours */
  }
  end(r);
}

void vlc_renderer_run(vlc_renderer *r) {
  if (r->is_closed) return;
  read_lines(r);
  int64_t at = now(r);
  if (!r->is_closed && r->asked != 0 && at - r->asked > STALL) look_at_stall(r, at);
  if (r->is_closed || r->asked != 0 || at < r->ask_next) return;
  tell(r, "n\n");
  r->asked = at;
  r->ask_next = at + (r->running || r->request != 0 ? ASK_RUNNING : ASK_STANDING);
}

int vlc_renderer_wait(const vlc_renderer *r) {
  int64_t left = r->ask_next - now(r);
  if (r->asked != 0) return 100; /* its answer comes by itself */
  return left <= 0 ? 0 : (int)((left + MILLISECOND - 1) / MILLISECOND);
}

/* ---- Opening ---------------------------------------------------------------------------------------------- */

void vlc_renderer_open_film(vlc_renderer *r, const char *path) {
  char mrl[VLC_MRL];
  mrl_of(path, mrl, sizeof mrl);
  on_persons(r, path);
  tell_text(r, "open", mrl);
}

int vlc_renderer_open(vlc_renderer *r, char *const *arguments) {
  int ends[2];
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, usual;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    perror("socketpair");
    return -1;
  }
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0); /* it talks much, and not to people */
  posix_spawnattr_init(&attributes);
  sigemptyset(&none);
  sigfillset(&usual);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0); /* Ctrl+C at the terminal is for who started us, and comes from there in order */
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  int status = posix_spawnp(&r->process, arguments[0], &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  r->descriptor = ends[0];
  r->rate = r->nudge = 1;
  r->per_mille = 1000;
  vlc_line_begin(&r->line, 1);
  if (status == 0) return 0;
  fprintf(stderr, "%s cannot be started: %s\n", arguments[0], strerror(status));
  close(r->descriptor);
  r->process = 0;
  return -1;
}

int vlc_renderer_close(vlc_renderer *r) {
  int status = 0;
  struct timespec pause = {0, 20 * MILLISECOND};
  if (r->process <= 0) return 0;
  close(r->descriptor); /* which ends it */
  for (int i = 0; i < PATIENCE * 50; i++) {
    pid_t ended = waitpid(r->process, &status, WNOHANG);
    if (ended == r->process || (ended < 0 && errno != EINTR)) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    nanosleep(&pause, NULL);
  }
  kill(r->process, SIGKILL);
  waitpid(r->process, &status, 0);
  return -1;
}
