/* mpv_host.c: a window of mpv, in step with everybody else's.
 *
 *     cc -std=c11 mpv_host.c mpv_renderer.c host_shell.c host_status.c telling.c \
 *        host_file.c player_statistics.c $(pkg-config --cflags --libs unisono mpv) -lm -o mpv_host
 *     ./mpv_host host film.mkv           prints "invite ..."
 *     ./mpv_host join INVITE film.mkv    in another terminal or on another machine
 *
 * Keys in mpv's window (space, arrows, [ and ]) act on the whole group. There is one thread: libunisono's descriptor
 * and a pipe that mpv's wake-up writes to are waited for together. Following the group and staying in step is
 * unisono_player's; mpv_renderer.c is what it drives; here both are put into a program.
 */
#define _POSIX_C_SOURCE 200809L
#include "host_shell.h"
#include "mpv_renderer.h"
#include "player_statistics.h"

#include <string.h>

typedef struct mpv_host {
  host_shell shell; /* first, so that a host_shell * is also an mpv_host * */
  mpv_renderer renderer;
  const char *vo, *ao, *ipc;
} mpv_host;

static void on_close(void *user) { host_shell_quit(&((mpv_host *)user)->shell); }

static void on_refused(void *user, const char *what, int32_t status) {
  (void)user;
  host_check(status, what);
}

static int32_t open_player(host_shell *shell, const unisono_player_callbacks *callbacks) {
  mpv_host *host = (mpv_host *)shell;
  unisono_renderer functions = mpv_renderer_functions();
  host->renderer.context = shell->context;
  host->renderer.events = (mpv_renderer_events){.close = on_close, .refused = on_refused};
  host->renderer.user = host;
  int32_t status =
      unisono_player_create(shell->context, &functions, &host->renderer, callbacks, shell, &shell->media);
  host->renderer.player = shell->media;
  return status;
}

/* ---- What the shell asks ----------------------------------------------------------------------------------- */

static int64_t position(host_shell *shell, int64_t at) {
  return mpv_renderer_position(&((mpv_host *)shell)->renderer, at);
}

static double rate(host_shell *shell) { return mpv_renderer_rate(&((mpv_host *)shell)->renderer); }
static int stalled(host_shell *shell) { return ((const mpv_host *)shell)->renderer.stalled; }
static void run(host_shell *shell) { mpv_renderer_run(&((mpv_host *)shell)->renderer); }

static void show(host_shell *shell, const char *sentence) {
  mpv_renderer_show(&((mpv_host *)shell)->renderer, sentence);
}

static int take_option(host_shell *shell, const char *word, const char *value) {
  mpv_host *host = (mpv_host *)shell;
  if (host_file_option(shell, word)) return 1;
  if (value == NULL) return 0;
  if (strcmp(word, "--vo") == 0) host->vo = value;
  else if (strcmp(word, "--ao") == 0) host->ao = value;
  else if (strcmp(word, "--ipc") == 0) host->ipc = value;
  else return 0;
  return 2;
}

static int command(host_shell *shell, const char *word, const char *argument) {
  if (host_file_command(shell, word, argument)) return 1;
  if (strcmp(word, "stats") != 0) return 0;
  print_player_statistics(shell->media);
  return 1;
}

int main(int argc, char **argv) {
  static const host_player player = {
      .open = open_player, .position = position, .rate = rate, .stalled = stalled, .load = host_file_load,
      .command = command, .option = take_option, .readable = run, .keep = run, .notice = show,
      .usage = "player: FILE, --vo NAME, --ao NAME (null: none), --ipc SOCKET (mpv's JSON commands); stats, file PATH\n"};
  static mpv_host host;
  int status = host_shell_options(&host.shell, &player, argc, argv);
  if (status != 0) return status < 0 ? 0 : status;
  if ((status = host_file_given(&host.shell, argv[0])) != 0) return status;
  if (mpv_renderer_open(&host.renderer, host.vo, host.ao, host.ipc) < 0) return 1;
  host.shell.player_fd = host.renderer.descriptor;
  status = host_shell_run(&host.shell, NULL);
  mpv_renderer_close(&host.renderer);
  return status;
}
