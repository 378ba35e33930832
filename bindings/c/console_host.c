/* console_host.c: the smallest useful host. It needs libunisono and libc, and plays silence.
 *
 *     cc -std=c11 console_host.c host_shell.c host_status.c telling.c $(pkg-config --cflags --libs unisono) -o console_host
 *     ./console_host host --item film            prints "invite ..."
 *     ./console_host join INVITE                 in another terminal; then type play, pause, seek 60, ...
 *
 * The player here is only a line: it was at `item_time` at `host_time` and moves with `rate`. That is all a
 * group needs to agree on, and it is exactly what a play command carries. Read it from the bottom: main() makes
 * the delegate; play, pause, seek and buffer are what the group tells us to do. Each of them is answered with
 * unisono_coordinator_complete once it is really done, because the others may be waiting for it.
 */
#include "host_shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AD_USUAL 5.0            /* seconds */
#define AD_AHEAD HOST_SECOND
#define ADS 64                  /* ranges of one item at most */

typedef struct line {
  double rate; /* 0: standing */
  int64_t item_time, host_time;
} line;

typedef struct console_host {
  host_shell shell; /* first, so that a host_shell * is also a console_host * */
  line now;         /* where the player is */
  line next;        /* where it goes at next.host_time, while next_is_set */
  int next_is_set;
  int stalled;
  int64_t stalled_at;  /* the position it is stuck at */
  uint64_t command;    /* the one being worked on; 0: none */
  uint64_t work_timer; /* fires when its work is done */
  int work_is_done;    /* done, but told only when the stall is over */
  int64_t buffer_time, seek_time;
  unisono_interstitial ads[ADS]; /* what is cut into this copy of the item, in order */
  size_t ad_count;
} console_host;

/* ---- The player ----------------------------------------------------------------------------------------- */

static int64_t position(host_shell *shell, int64_t at) {
  const console_host *host = (const console_host *)shell;
  if (host->stalled) return host->stalled_at;
  const line *l = host->next_is_set && at >= host->next.host_time ? &host->next : &host->now;
  return host_line(l->item_time, l->host_time, l->rate, at);
}

static double rate(host_shell *shell) {
  const console_host *host = (const console_host *)shell;
  if (host->stalled) return 0;
  return host->next_is_set && host_now(shell) >= host->next.host_time ? host->next.rate : host->now.rate;
}

static int stalled(host_shell *shell) { return ((const console_host *)shell)->stalled; }

static void stand_at(console_host *host, int64_t item_time) {
  host->next_is_set = 0;
  host->now = (line){0, item_time, host_now(&host->shell)};
}

static int load(host_shell *shell, const char *item) {
  console_host *host = (console_host *)shell; /* silence needs no file */
  stand_at(host, 0);
  host->ad_count = 0; /* this copy is loaded without any */
  host_check(unisono_coordinator_set_interstitials(shell->coordinator, item, NULL, 0), "ad");
  return 1;
}

/* Clocks drift, and the group's is known better after a while: the line of the play command is where to start, and
 * the coordinator knows at each moment where to be. A real player would play a little faster or slower instead. */
static void keep(host_shell *shell) {
  console_host *host = (console_host *)shell;
  int64_t now = host_now(shell), expected;
  if (host->stalled || host->next_is_set || host->now.rate == 0 || host_is_apart(shell)) return;
  if (unisono_coordinator_expected_item_time(shell->coordinator, now, &expected) < 0) return;
  host->now = (line){host->now.rate, expected, now};
}

/* ---- Work that takes time ------------------------------------------------------------------------------- */

static void finish_work(console_host *host) {
  host->work_is_done = 1;
  if (host->stalled || host->command == 0) return; /* a stalled player is not ready: the stall's end comes back here */
  host_check(unisono_coordinator_complete(host->shell.coordinator, host->command), "complete");
  host->command = 0;
  host_changed(&host->shell);
}

/* Runs exactly once for every call_at: when due, or with ECANCELED after a newer command replaced it. */
static void on_work_done(void *user, const unisono_timer_event *event) {
  console_host *host = user;
  if (event->status != UNISONO_OK) return;
  host->work_timer = 0;
  if (host->next_is_set && event->base.host_time >= host->next.host_time) {
    host->now = host->next;
    host->next_is_set = 0;
  }
  finish_work(host);
}

/* A newer command replaces the one that is being worked on; the older one needs no answer any more. */
static void begin_work(console_host *host, uint64_t command, int64_t done_at) {
  if (host->work_timer != 0) unisono_context_cancel(host->shell.context, host->work_timer);
  host->command = command;
  host->work_is_done = 0;
  host->work_timer = 0;
  host_check(unisono_context_call_at(host->shell.context, done_at, on_work_done, host, &host->work_timer), "call_at");
  host_changed(&host->shell);
}

/* ---- The delegate: what the group asks of this player ----------------------------------------------------- */

/* `item_time` holds at `host_time`, in the future (everybody starts together) or in the past (we came late). */
static void on_play(void *user, const unisono_command *command) {
  console_host *host = user;
  int64_t now = host_now(&host->shell);
  line target = {command->rate, command->item_time, command->host_time};
  host->next_is_set = command->host_time > now;
  if (host->next_is_set) host->next = target; /* until then the old line holds */
  else host->now = target;
  begin_work(host, command->id, host->next_is_set ? command->host_time : now);
}

static void on_pause(void *user, const unisono_command *command) {
  console_host *host = user;
  int64_t here = position(&host->shell, host_now(&host->shell));
  stand_at(host, command->snap ? command->item_time : here);
  begin_work(host, command->id, host_now(&host->shell));
}

/* A seek leaves the player standing; a play command follows when the group goes on. */
static void on_seek(void *user, const unisono_command *command) {
  console_host *host = user;
  stand_at(host, command->item_time);
  int64_t takes = host->seek_time + (command->buffer_in_anticipation ? host->buffer_time : 0);
  begin_work(host, command->id, host_now(&host->shell) + takes);
}

/* "Get ready to start here": the others wait until everybody has completed it, or the deadline passes. */
static void on_buffer(void *user, const unisono_command *command) {
  console_host *host = user;
  stand_at(host, command->item_time);
  begin_work(host, command->id, host_now(&host->shell) + host->buffer_time);
}

/* ---- Stalling on purpose -------------------------------------------------------------------------------- */

static void on_stall_over(void *user, const unisono_timer_event *event) {
  console_host *host = user;
  if (event->status != UNISONO_OK) return;
  host->stalled = 0; /* the line was kept, so the player is where it should be again */
  if (host->work_is_done) finish_work(host);
  host_report(&host->shell);
  host_changed(&host->shell);
}

static void stall(host_shell *shell, const char *argument) {
  console_host *host = (console_host *)shell;
  int64_t now = host_now(shell), duration = (int64_t)(atof(argument) * 1e6);
  if (host->stalled || duration <= 0) {
    fprintf(stderr, "stall: give milliseconds, one stall at a time\n");
    return;
  }
  host->stalled_at = position(shell, now);
  host->stalled = 1;
  host_report(shell);
  host_check(unisono_context_call_at(shell->context, now + duration, on_stall_over, host, NULL), "stall");
}

/* ---- An advertisement in this copy alone ------------------------------------------------------------------ */

/* What a server would have cut into this person's copy, from a second ahead on. The library has the group's time line without it: this
 * player runs through it, apart from the others, and is then told where they are. What comes after it is that much later in this copy. */
static void cut_in(host_shell *shell, const char *argument) {
  console_host *host = (console_host *)shell;
  const double seconds = argument[0] == '\0' ? AD_USUAL : atof(argument);
  const int64_t length = seconds > 0 && seconds < 3600 ? (int64_t)(seconds * 1e9) : 0;
  const int64_t begin = position(shell, host_now(shell)) + AD_AHEAD;
  size_t place = host->ad_count;
  while (place > 0 && host->ads[place - 1].begin >= begin) place--;
  if (length == 0 || host->ad_count == ADS || (place > 0 && host->ads[place - 1].end > begin)) {
    fprintf(stderr, "ad: give seconds, one advertisement at a time\n");
    return;
  }
  for (size_t i = host->ad_count++; i > place; i--)
    host->ads[i] = (unisono_interstitial){host->ads[i - 1].begin + length, host->ads[i - 1].end + length};
  host->ads[place] = (unisono_interstitial){begin, begin + length};
  host_check(unisono_coordinator_set_interstitials(shell->coordinator, shell->item, host->ads, host->ad_count), "ad");
}

static int run_command(host_shell *shell, const char *word, const char *argument) {
  if (strcmp(word, "stall") == 0) stall(shell, argument);
  else if (strcmp(word, "ad") == 0) cut_in(shell, argument);
  else return 0;
  return 1;
}

/* ---- Command line --------------------------------------------------------------------------------------- */

static int take_option(host_shell *shell, const char *word, const char *value) {
  console_host *host = (console_host *)shell;
  if (value == NULL) return 0;
  if (strcmp(word, "--buffer-ms") == 0) host->buffer_time = (int64_t)(atof(value) * 1e6);
  else if (strcmp(word, "--seek-ms") == 0) host->seek_time = (int64_t)(atof(value) * 1e6);
  else return 0;
  return 2;
}

int main(int argc, char **argv) {
  static const host_player player = {
      .position = position, .rate = rate, .stalled = stalled, .load = load, .command = run_command,
      .option = take_option, .keep = keep,
      .usage = "player: --buffer-ms MS, --seek-ms MS (how long they take); commands: stall MS, ad [S]\n"};
  console_host host = {.buffer_time = 20 * HOST_MILLISECOND, .seek_time = 20 * HOST_MILLISECOND};
  int status = host_shell_options(&host.shell, &player, argc, argv);
  if (status != 0) return status < 0 ? 0 : status;

  unisono_playback_delegate delegate = UNISONO_PLAYBACK_DELEGATE_INIT;
  delegate.play = on_play;
  delegate.pause = on_pause;
  delegate.seek = on_seek;
  delegate.buffer = on_buffer;
  return host_shell_run(&host.shell, &delegate);
}
