/* gst_host.c: a GStreamer pipeline in step with everybody else's, on the player layer.
 *
 *     cc -std=c11 gst_host.c gst_renderer.c gst_session_clock.c host_shell.c host_status.c \
 *        host_file.c player_statistics.c $(pkg-config --cflags --libs unisono gstreamer-1.0) -lm -o gst_host
 *     ./gst_host host film.webm            prints "invite ..."
 *     ./gst_host join INVITE film.webm     in another terminal or on another machine
 *
 * The renderer (gst_renderer.c) is all there is to it: what people do goes to the unisono_player, which tells the renderer.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "gst_renderer.h"
#include "host_shell.h"
#include "player_statistics.h"

typedef struct gst_host {
  host_shell shell; /* first, so that a host_shell * is also a gst_host * */
  gst_renderer renderer;
  unisono_surface *window;
  const char *rendered;
} gst_host;

static int64_t position(host_shell *shell, int64_t at) {
  return gst_renderer_position(&((gst_host *)shell)->renderer, at);
}

static double rate(host_shell *shell) { return gst_renderer_rate(&((gst_host *)shell)->renderer); }

static int stalled(host_shell *shell) { return ((const gst_host *)shell)->renderer.buffering; }

static void run_renderer(host_shell *shell) {
  gst_host *host = (gst_host *)shell;
  gst_renderer_run(&host->renderer);
  shell->player_fd = gst_renderer_fd(&host->renderer);
}

/* In the window of the video: for the whole group. */
static void on_key(void *user, const char *key) {
  gst_host *host = user;
  if (strcmp(key, "space") == 0)
    host_check(unisono_surface_set_playing(host->window, unisono_surface_is_paused(host->window)), key);
  else if (strcmp(key, "Left") == 0) host_check(unisono_surface_skip_by(host->window, -10 * HOST_SECOND, NULL), key);
  else if (strcmp(key, "Right") == 0) host_check(unisono_surface_skip_by(host->window, 10 * HOST_SECOND, NULL), key);
  else if (strcmp(key, "q") == 0) host_shell_quit(&host->shell);
}

static int32_t open_player(host_shell *shell, const unisono_player_callbacks *callbacks) {
  gst_host *host = (gst_host *)shell;
  unisono_renderer functions = gst_renderer_functions();
  FILE *rendered = NULL;
  if (host->rendered != NULL && (rendered = fopen(host->rendered, "w")) == NULL) {
    perror(host->rendered);
    return UNISONO_EIO;
  }
  gst_renderer_open(&host->renderer, shell->context, shell->session, rendered);
  int32_t status =
      unisono_player_create(shell->context, &functions, &host->renderer, callbacks, shell, &shell->media);
  if (status < 0) return status;
  host->renderer.player = shell->media;
  host->renderer.on_key = on_key;
  host->renderer.user = host;
  return unisono_surface_create(shell->media, UNISONO_SURFACE_INLINE, NULL, NULL, &host->window); /* GStreamer shows it */
}

static int run_command(host_shell *shell, const char *word, const char *argument) {
  double value = atof(argument);
  if (strcmp(word, "replay") == 0) {
    int64_t back = value > 0 ? (int64_t)(value * 1e9) : 10 * HOST_SECOND;
    host_check(unisono_player_replay(shell->media, back, 0), word);
  } else if (strcmp(word, "volume") == 0) {
    host_check(unisono_player_set_volume(shell->media, value), word);
  } else if (strcmp(word, "stats") == 0) {
    print_player_statistics(shell->media);
  } else {
    return 0;
  }
  return 1;
}

static int take_option(host_shell *shell, const char *word, const char *value) {
  gst_host *host = (gst_host *)shell;
  if (host_file_option(shell, word)) return 1;
  if (value == NULL) return 0;
  if (strcmp(word, "--video-sink") == 0) host->renderer.video_sink = value;
  else if (strcmp(word, "--audio-sink") == 0) host->renderer.audio_sink = value;
  else if (strcmp(word, "--rendered") == 0) host->rendered = value;
  else return 0;
  return 2;
}

int main(int argc, char **argv) {
  static const host_player player = {
      .open = open_player, .position = position, .rate = rate, .stalled = stalled, .load = host_file_load, .command = run_command,
      .option = take_option, .readable = run_renderer, .keep = run_renderer,
      .usage = "player: FILE or URI, --video-sink and --audio-sink ELEMENT (as for gst-launch), --rendered FILE (show\n"
               "        nothing, write down every frame and when it was rendered); keys in its window: space, left, right, q;\n"
               "        commands: replay S, volume 0...1, stats\n"};
  gst_host host = {.rendered = NULL};
#ifdef __linux__
  prctl(PR_SET_TIMERSLACK, 1000ul, 0ul, 0ul, 0ul); /* sinks wake when the clock says, not up to 50 us later */
#endif
  gst_init(NULL, NULL);
  int status = host_shell_options(&host.shell, &player, argc, argv);
  if (status != 0) return status < 0 ? 0 : status;
  if ((status = host_file_given(&host.shell, argv[0])) != 0) return status;
  status = host_shell_run(&host.shell, NULL);
  gst_renderer_close(&host.renderer);
  if (host.renderer.rendered != NULL) fclose(host.renderer.rendered);
  return status;
}
