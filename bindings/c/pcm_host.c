/* pcm_host.c: the player layer over a renderer without any dependency: sound into a file, with the time of every block.
 *
 *     cc -std=c11 pcm_host.c pcm_renderer.c player_statistics.c telling.c $(pkg-config --cflags --libs unisono) -o pcm_host
 *     ./pcm_host host --out a.pcm --times a.times       prints "invite ..."
 *     ./pcm_host join INVITE --out b.pcm --times b.times
 *
 * Then type: play, pause, seek S, rate R, replay S, stats, quit. a.pcm is 16 bit, one channel, 48,000 samples a second, and
 * a WAV file if it is called a.wav; a line of a.times is "sample host_time item_time speed", the times in nanoseconds.
 *
 * Compare console_host.c, which has no player layer: there the host follows four commands and keeps itself in step. Here
 * all of that is unisono_player's, and what is left is a renderer (pcm_renderer.c).
 */
#define _POSIX_C_SOURCE 200809L
#include "host_invite.h"
#include "host_person.h"
#include "pcm_renderer.h"
#include "player_statistics.h"
#include "telling.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MILLISECOND INT64_C(1000000)

typedef struct pcm_host {
  pcm_renderer renderer; /* first: the renderer's functions get this pointer, too */
  unisono_session *session;
  unisono_player *player;
  unisono_coordinator *coordinator;
  telling told;
  const char *item, *invite_file;
  char input[256];
  size_t length;
  int finished;
} pcm_host;

static volatile sig_atomic_t interrupted;
static void on_signal(int number) {
  (void)number;
  interrupted = 1;
}

static int32_t check(int32_t status, const char *what) {
  if (status < 0) fprintf(stderr, "%s: %s\n", what, unisono_last_error());
  return status;
}

static void on_error(void *user, const unisono_error_event *event) {
  (void)user;
  fprintf(stderr, "%s: %s\n", event->operation, event->message);
}

static const char *const CONTROLS[] = {"paused", "waiting", "playing"};

static void on_time_control(void *user, const unisono_player_event *event) {
  (void)user;
  if (event->time_control <= UNISONO_TIME_CONTROL_PLAYING) printf("%s\n", CONTROLS[event->time_control]);
  fflush(stdout);
}

static void on_state(void *user, const unisono_session_state_event *event) {
  telling_state(&((pcm_host *)user)->told, ((pcm_host *)user)->session, event);
}
static void on_notice(void *user, const unisono_notice_event *event) { telling_notice(&((pcm_host *)user)->told, event); }
static void on_invite(void *user, const unisono_invite_event *event) {
  (void)event;
  telling_invite_changed(&((pcm_host *)user)->told, ((pcm_host *)user)->session);
}

static void obey(pcm_host *host, char *line) {
  char *argument = strchr(line, ' ');
  if (argument != NULL) *argument++ = '\0';
  double value = argument == NULL ? 0 : strtod(argument, NULL);
  if (strcmp(line, "play") == 0) check(unisono_player_play(host->player, 0), line);
  else if (strcmp(line, "pause") == 0) check(unisono_player_pause(host->player), line);
  else if (strcmp(line, "rate") == 0) check(unisono_player_set_rate(host->player, value, 0), line);
  else if (strcmp(line, "seek") == 0)
    check(unisono_player_seek(host->player, (int64_t)(value * 1e9), 0, 0, NULL), line);
  else if (strcmp(line, "replay") == 0) check(unisono_player_replay(host->player, (int64_t)(value * 1e9), 0), line);
  else if (strcmp(line, "stats") == 0) print_player_statistics(host->player);
  else if (strcmp(line, "quit") == 0) host->finished = 1;
  else if (line[0] != '\0') fprintf(stderr, "commands: play, pause, seek S, rate R, replay S, stats, quit\n");
}

static void read_commands(pcm_host *host) {
  ssize_t got = read(STDIN_FILENO, host->input + host->length, sizeof host->input - 1 - host->length);
  if (got <= 0) {
    host->finished = 1;
    return;
  }
  host->length += (size_t)got;
  host->input[host->length] = '\0';
  char *end;
  while ((end = strchr(host->input, '\n')) != NULL) {
    *end = '\0';
    obey(host, host->input);
    host->length -= (size_t)(end + 1 - host->input);
    memmove(host->input, end + 1, host->length + 1);
  }
  if (host->length == sizeof host->input - 1) host->length = 0; /* no command is that long */
}

/* Others may be waiting for the file: it is there all at once. */
static void tell_invite(pcm_host *host) {
  char invite[4096];
  size_t length = sizeof invite;
  if (check(unisono_session_invite(host->session, invite, &length), "invite") < 0) return;
  telling_invite(&host->told, host->session);
  if (host->invite_file == NULL) return;
  if (host_invite_write(host->invite_file, invite) != 0)
    fprintf(stderr, "%s could not be written\n", host->invite_file);
}

static int run(pcm_host *host) {
  unisono_player_item item = UNISONO_PLAYER_ITEM_INIT;
  unisono_player_callbacks callbacks = UNISONO_PLAYER_CALLBACKS_INIT;
  unisono_renderer functions = pcm_functions(&host->renderer);
  unisono_context *context = host->renderer.context;
  callbacks.time_control = on_time_control;
  callbacks.error = on_error;
  item.identifier = host->item;
  item.duration = host->renderer.duration;
  if (check(unisono_player_create(context, &functions, host, &callbacks, host, &host->player), "player") < 0) return 1;
  host->renderer.player = host->player;
  check(unisono_player_coordinator(host->player, &host->coordinator), "coordinator");
  check(unisono_coordinator_coordinate_with_session(host->coordinator, host->session), "coordinate");
  if (check(unisono_session_join(host->session), "join") < 0) return 1;
  check(unisono_player_insert_item(host->player, &item, NULL), "insert");
  struct pollfd waits[2] = {{unisono_context_fd(context), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
  while (!host->finished && !interrupted) {
    poll(waits, 2, 10);
    if (waits[1].revents != 0) read_commands(host);
    if (check(unisono_context_poll(context, 0), "poll") < 0) return 1;
    telling_waiting(&host->told, host->coordinator, host->session, unisono_host_time());
    pcm_run(&host->renderer);
  }
  return 0;
}

int main(int argc, char **argv) {
  static pcm_host host;
  const char *name = host_person(), *listen = "127.0.0.1:0", *wav = NULL, *out = NULL, *times = NULL;
  const char *invite = argc > 2 && strcmp(argv[1], "join") == 0 ? host_invite_read(argv[2]) : NULL;
  double drift = 0, late = 0;
  host.item = "sound";
  if (argc > 2 && strcmp(argv[1], "join") == 0 && invite == NULL) return 2;
  if (argc < 2 || (invite == NULL && strcmp(argv[1], "host") != 0)) {
    fprintf(stderr, "usage: pcm_host host | join INVITE  [--name N] [--listen HOST:PORT] [--item ID] [--wav FILE]\n"
                    "                [--out FILE] [--times FILE] [--drift PPM] [--late MS] [--invite-file FILE]\n");
    return 2;
  }
  for (int i = invite == NULL ? 2 : 3; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    const char **slot = strcmp(argv[i], "--name") == 0          ? &name
                        : strcmp(argv[i], "--listen") == 0      ? &listen
                        : strcmp(argv[i], "--item") == 0        ? &host.item
                        : strcmp(argv[i], "--wav") == 0         ? &wav
                        : strcmp(argv[i], "--out") == 0         ? &out
                        : strcmp(argv[i], "--times") == 0       ? &times
                        : strcmp(argv[i], "--invite-file") == 0 ? &host.invite_file
                                                                : NULL;
    if (value != NULL && slot != NULL) *slot = value;
    else if (value != NULL && strcmp(argv[i], "--drift") == 0) drift = strtod(value, NULL);
    else if (value != NULL && strcmp(argv[i], "--late") == 0) late = strtod(value, NULL);
    else {
      fprintf(stderr, "%s: unknown, or its value is missing\n", argv[i]);
      return 2;
    }
  }
  if (pcm_open(&host.renderer, wav, out, times, drift) != 0) return 2;
  host.renderer.late = late > 0 && late < 10000 ? (int64_t)(late * MILLISECOND) : 0;
  signal(SIGINT, on_signal);
  signal(SIGTERM, on_signal);

  unisono_context_options context_options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  if (name == NULL || name[0] == '\0') name = "somebody";
  context_options.device_name = name;
  options.display_name = name;
  options.hub_options = &hub;
  hub.listen = &listen;
  hub.listen_count = 1;
  callbacks.state = on_state;
  callbacks.notice = on_notice;
  callbacks.invite_changed = on_invite;
  if (check(unisono_context_create(&context_options, NULL, NULL, &host.renderer.context), "context") < 0) return 1;
  unisono_context *context = host.renderer.context;
  int32_t made = invite == NULL ? unisono_session_host(context, &options, &callbacks, &host, &host.session)
                                : unisono_session_open(context, invite, &options, &callbacks, &host, &host.session);
  int failed = check(made, "session") < 0;
  if (!failed && invite == NULL) tell_invite(&host);
  if (!failed) failed = run(&host);
  unisono_context_destroy(context);
  pcm_close(&host.renderer);
  return failed;
}
