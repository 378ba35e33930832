/* template_player.c: a host on the player layer in one file, to begin your own with. It is for a player that can load, play,
 * pause and seek and says where it is; the library keeps it in step. What is yours is between the two lines of ====; the rest
 * can stay as it is.
 *
 *     cc -std=c11 template_player.c $(pkg-config --cflags --libs unisono) -o host
 *     ./host host Ann                 prints "invite ..."; then type: play, pause, seek 60, space (in its window), quit
 *     ./host join "invite ..." Ben    the line as it was printed
 */
#define _POSIX_C_SOURCE 200809L
#include <unisono_player.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unisono_session *session;
static unisono_player *player;
static unisono_coordinator *coordinator;

/* ==== Your player ========================================================================================== */
/* It stands at `position`, or runs from there since `since`. Yours has functions for that. */
static int64_t position, since;
static double rate;

static int32_t now(void *user, int64_t *item_time, int64_t *host_time) {
  *host_time = unisono_host_time();
  *item_time = position + (int64_t)(rate * (double)(*host_time - since));
  return UNISONO_OK;
}

static int64_t here(void) {
  int64_t item_time, host_time;
  now(NULL, &item_time, &host_time);
  return item_time;
}
static void run(int64_t to, double speed) { /* by a command, or by a person who clicks into its window: it says so either way */
  position = to, rate = speed, since = unisono_host_time();
  if (unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RUNNING, speed != 0) != 1) return; /* the echo of a command */
  run(to, speed == 0); /* a person's wish is undone, and the group is asked */
  speed != 0 ? unisono_player_play(player, 0) : unisono_player_pause(player);
}

/* Each command is answered when it is done, here at once. A newer one replaces one that is not. */
static void move(int64_t to, double speed, unisono_renderer_state done, uint64_t request) {
  unisono_renderer_report report = UNISONO_RENDERER_REPORT_INIT;
  run(to, speed);
  report.state = done, report.request = request;
  unisono_player_report(player, &report);
}
static void load(void *user, const unisono_renderer_command *command) { /* command->uri is what was given below */
  move(command->item_time, 0, UNISONO_RENDERER_READY, command->request);
}
static void play(void *user, const unisono_renderer_command *command) {
  move(here(), command->rate, UNISONO_RENDERER_PLAYING, command->request);
}
static void stand(void *user, const unisono_renderer_command *command) { move(here(), 0, UNISONO_RENDERER_PAUSED, command->request); }
static void seek(void *user, const unisono_renderer_command *command) {
  move(command->item_time, rate, UNISONO_RENDERER_SEEKED, command->request);
}
static void stop(void *user, const unisono_renderer_command *command) { rate = 0; }

/* A button is pressed: ask the group and move nothing; a command follows. */
static void press(const char *button, const char *value) {
  int32_t status = strcmp(button, "space") == 0   ? (run(here(), rate == 0), UNISONO_OK)
                   : strcmp(button, "play") == 0  ? unisono_player_play(player, 0)
                   : strcmp(button, "pause") == 0 ? unisono_player_pause(player)
                   : strcmp(button, "seek") == 0  ? unisono_player_seek(player, (int64_t)(atof(value) * 1e9), 0, 0, NULL)
                                                  : UNISONO_EINVAL;
  if (status < 0) fprintf(stderr, "%s: %s\n", button, unisono_strerror(status));
}
/* ========================================================================================================== */

static void on_notice(void *user, const unisono_notice_event *event) { /* who came, left, paused, sought, is at another item */
  char sentence[1024];
  size_t length = sizeof sentence;
  if (unisono_notice_text(event->notice, sentence, &length) == UNISONO_OK) printf("%s\n", sentence);
}
static void on_state(void *user, const unisono_session_state_event *event) {
  if (event->reason != UNISONO_OK) printf("%s\n", event->message); /* why it is not connected, or over */
}
static void on_activity(void *user, const unisono_activity_event *event) { /* what is watched */
  unisono_player_item item = UNISONO_PLAYER_ITEM_INIT;
  if (event->activity == NULL) return;
  item.identifier = event->activity->payload; /* what the group compares; everybody's own copy is `uri`, which nobody else learns */
  unisono_player_replace_current_item(player, &item);
}
static void on_control(void *user, const unisono_player_event *event) {
  static const char *const words[] = {"paused", "waiting", "playing"};
  if (event->time_control <= UNISONO_TIME_CONTROL_PLAYING) printf("%s at %.1f s\n", words[event->time_control], (double)here() / 1e9);
}

int main(int argc, char **argv) {
  int joins = argc > 2 && strcmp(argv[1], "join") == 0;
  if (argc < 2 || (!joins && strcmp(argv[1], "host") != 0)) return fprintf(stderr, "usage: host NAME | join INVITE NAME\n"), 2;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  unisono_player_callbacks changes = UNISONO_PLAYER_CALLBACKS_INIT;
  unisono_activity film = UNISONO_ACTIVITY_INIT;
  unisono_renderer renderer = UNISONO_RENDERER_INIT;
  unisono_context *context;
  char invite[4096], line[256], *value; size_t length = sizeof invite;
  setvbuf(stdout, NULL, _IOLBF, 0), setvbuf(stdin, NULL, _IONBF, 0); /* poll sees what fgets leaves */
  film.type = UNISONO_ACTIVITY_WATCH_TOGETHER, film.identifier = "org.example.host", film.title = "A film";
  film.payload = "film", film.payload_length = 4, options.activity = joins ? NULL : &film; /* who joins is told of it */
  options.display_name = argc > 2 + joins ? argv[2 + joins] : NULL;
  callbacks.notice = on_notice, callbacks.state = on_state, callbacks.activity = on_activity, changes.time_control = on_control;
  renderer.load = load, renderer.play = play, renderer.pause = stand, renderer.seek = seek, renderer.stop = stop, renderer.now = now;
  if (unisono_context_create(NULL, NULL, NULL, &context) < 0 ||
      (joins ? unisono_session_open(context, argv[2], &options, &callbacks, NULL, &session)
             : unisono_session_host(context, &options, &callbacks, NULL, &session)) < 0 ||
      unisono_player_create(context, &renderer, NULL, &changes, NULL, &player) < 0)
    return fprintf(stderr, "%s\n", unisono_last_error()), 1;
  if (!joins && unisono_session_invite(session, invite, &length) == UNISONO_OK) printf("invite %s\n", invite);
  unisono_player_coordinator(player, &coordinator);
  unisono_coordinator_coordinate_with_session(coordinator, session);
  unisono_session_join(session);

  struct pollfd wait[2] = {{.fd = unisono_context_fd(context), .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
  while (poll(wait, 2, -1) >= 0 && unisono_context_poll(context, 0) >= 0) {
    if (wait[1].revents == 0) continue;
    if (fgets(line, sizeof line, stdin) == NULL || strncmp(line, "quit", 4) == 0) break;
    line[strcspn(line, "\n")] = '\0';
    if ((value = strchr(line, ' ')) != NULL) *value++ = '\0';
    press(line, value == NULL ? "0" : value);
  }
  unisono_context_destroy(context); /* says goodbye and ends everything: leaving in order is this one call */
  return 0;
}
