/* template_coordinator.c: a host on the coordinator in one file, to begin your own with. It is for a player with a life of its
 * own (a game, a robot, a light show) that can start at an instant and keep to a line. What is yours is between the two lines of
 * ====; the rest can stay as it is.
 *
 *     cc -std=c11 template_coordinator.c $(pkg-config --cflags --libs unisono) -o host
 *     ./host host Ann                 prints "invite ..."; then type: play, pause, seek 60, space (in its window), quit
 *     ./host join "invite ..." Ben    the line as it was printed
 */
#define _POSIX_C_SOURCE 200809L
#include <unisono.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unisono_context *context;
static unisono_coordinator *coordinator;

/* ==== Your player ========================================================================================== */
/* A line: at `anchor` it is at `position` and goes on with `rate`. Before `anchor` it stands there. */
static int64_t position, anchor;
static double rate;
static uint64_t pending, timer; /* the command whose time has not come */

static int64_t where(int64_t at) { return at < anchor ? position : position + (int64_t)(rate * (double)(at - anchor)); }

/* Clocks drift: a few times a second be where the group is. Yours plays a little faster or slower instead. */
static void keep(void) {
  int64_t at = unisono_host_time(), expected;
  if (rate == 0 || at < anchor || unisono_coordinator_expected_item_time(coordinator, at, &expected) < 0) return;
  position = expected, anchor = at;
}
/* The player says whether it runs: by a command, or by a person who clicked into its window. */
static void says(int runs) {
  if (unisono_coordinator_is_wish(coordinator, UNISONO_MOTION_RUNNING, runs) != 1) return; /* the echo of a command */
  position = where(unisono_host_time()), anchor = unisono_host_time(), rate = !runs; /* a person's wish is undone ... */
  says(!runs);
  unisono_coordinator_coordinate_rate_change(coordinator, runs, 0); /* ... and the group is asked */
}
static void done(uint64_t command) {
  unisono_coordinator_expect_motion(coordinator, UNISONO_MOTION_RUNNING, rate != 0);
  says(rate != 0);
  printf("%s at %.1f s\n", rate != 0 ? "playing" : "paused", (double)where(unisono_host_time()) / 1e9);
  unisono_coordinator_complete(coordinator, command); /* the others may be waiting for it */
}
static void on_time(void *user, const unisono_timer_event *event) {
  if (event->status == UNISONO_OK) timer = 0, done(pending); /* else a newer command came */
}
/* Every command replaces the one before, with all that it had begun. */
static void stand(int64_t at) {
  if (timer != 0) unisono_context_cancel(context, timer);
  timer = 0;
  position = at, anchor = unisono_host_time(), rate = 0;
}
static void on_play(void *user, const unisono_command *command) { /* item_time holds at host_time, to come or past */
  stand(command->item_time);
  anchor = command->host_time, rate = command->rate, pending = command->id;
  unisono_context_call_at(context, command->host_time, on_time, NULL, &timer);
}
static void on_pause(void *user, const unisono_command *command) {
  stand(command->snap ? command->item_time : where(unisono_host_time()));
  done(command->id);
}
static void on_seek(void *user, const unisono_command *command) { /* buffer, too: "get ready to start here" */
  stand(command->item_time);
  done(command->id);
}

/* A button is pressed: ask the group and move nothing; a command follows. */
static void press(const char *button, const char *value) {
  int32_t status = strcmp(button, "space") == 0   ? (says(rate == 0), UNISONO_OK) /* this one's window only says so */
                   : strcmp(button, "play") == 0  ? unisono_coordinator_coordinate_rate_change(coordinator, 1, 0)
                   : strcmp(button, "pause") == 0 ? unisono_coordinator_coordinate_rate_change(coordinator, 0, 0)
                   : strcmp(button, "seek") == 0  ? unisono_coordinator_coordinate_seek(coordinator, (int64_t)(atof(value) * 1e9), 0)
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
static void on_activity(void *user, const unisono_activity_event *event) { /* what is watched: what the group compares */
  if (event->activity != NULL) unisono_coordinator_transition_to_item(coordinator, event->activity->payload, NULL);
}

int main(int argc, char **argv) {
  int joins = argc > 2 && strcmp(argv[1], "join") == 0;
  if (argc < 2 || (!joins && strcmp(argv[1], "host") != 0)) return fprintf(stderr, "usage: host NAME | join INVITE NAME\n"), 2;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  unisono_playback_delegate delegate = UNISONO_PLAYBACK_DELEGATE_INIT;
  unisono_activity film = UNISONO_ACTIVITY_INIT;
  unisono_session *session;
  char invite[4096], line[256], *value;
  size_t length = sizeof invite;
  setvbuf(stdout, NULL, _IOLBF, 0), setvbuf(stdin, NULL, _IONBF, 0); /* poll sees what fgets leaves */
  film.type = UNISONO_ACTIVITY_WATCH_TOGETHER, film.identifier = "org.example.host", film.title = "A film";
  film.payload = "film", film.payload_length = 4, options.activity = joins ? NULL : &film; /* who joins is told of it */
  options.display_name = argc > 2 + joins ? argv[2 + joins] : NULL;
  callbacks.notice = on_notice, callbacks.state = on_state, callbacks.activity = on_activity;
  delegate.play = on_play, delegate.pause = on_pause, delegate.seek = delegate.buffer = on_seek;
  if (unisono_context_create(NULL, NULL, NULL, &context) < 0 ||
      (joins ? unisono_session_open(context, argv[2], &options, &callbacks, NULL, &session)
             : unisono_session_host(context, &options, &callbacks, NULL, &session)) < 0 ||
      unisono_coordinator_create(context, &delegate, NULL, &coordinator) < 0)
    return fprintf(stderr, "%s\n", unisono_last_error()), 1;
  if (!joins && unisono_session_invite(session, invite, &length) == UNISONO_OK) printf("invite %s\n", invite);
  unisono_coordinator_coordinate_with_session(coordinator, session);
  unisono_session_join(session);

  struct pollfd wait[2] = {{.fd = unisono_context_fd(context), .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
  while (poll(wait, 2, 250) >= 0 && unisono_context_poll(context, 0) >= 0) {
    keep();
    if (wait[1].revents == 0) continue;
    if (fgets(line, sizeof line, stdin) == NULL || strncmp(line, "quit", 4) == 0) break;
    line[strcspn(line, "\n")] = '\0';
    if ((value = strchr(line, ' ')) != NULL) *value++ = '\0';
    press(line, value == NULL ? "0" : value);
  }
  unisono_context_destroy(context); /* says goodbye and ends everything: leaving in order is this one call */
  return 0;
}
