/* group_node.c: a session and a coordinator behind methods and signals. The player is the scene: it is ready at once, starts by itself when
 * it is time to, and reads its position in each frame. */
#include "group_node.h"

#include "group_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unisono.h>

struct group_node {
  emit_fn emit;
  void *engine;
  unisono_context *context;
  unisono_session *session;
  unisono_coordinator *coordinator;
  uint64_t playing_command; /* to be completed when its host time has come; 0: none */
  int64_t starts_at;
  int is_closed;
  char invite[4096];
};

enum { STATE_CHANGED, TIMING_CHANGED, PARTICIPANT_JOINED, PARTICIPANT_UPDATED, PARTICIPANT_LEFT, MESSAGE_RECEIVED, NOTICED, TOLD, REFUSED };

const group_signal group_signals[] = {
    [STATE_CHANGED] = {"state_changed", 2, {{"state", VALUE_TEXT}, {"message", VALUE_TEXT}}},
    [TIMING_CHANGED] = {"timing_changed", 3, {{"state", VALUE_TEXT}, {"position", VALUE_REAL}, {"rate", VALUE_REAL}}},
    [PARTICIPANT_JOINED] = {"participant_joined", 2, {{"id", VALUE_TEXT}, {"name", VALUE_TEXT}}},
    [PARTICIPANT_UPDATED] = {"participant_updated", 2, {{"id", VALUE_TEXT}, {"name", VALUE_TEXT}}},
    [PARTICIPANT_LEFT] = {"participant_left", 2, {{"id", VALUE_TEXT}, {"name", VALUE_TEXT}}},
    [MESSAGE_RECEIVED] = {"message_received", 2, {{"sender", VALUE_TEXT}, {"data", VALUE_BYTES}}},
    [NOTICED] = {"noticed", 1, {{"sentence", VALUE_TEXT}}},
    [TOLD] = {"told", 1, {{"sentence", VALUE_TEXT}}},
    [REFUSED] = {"refused", 1, {{"why", VALUE_TEXT}}},
};
const int group_signal_count = sizeof group_signals / sizeof *group_signals;

static value nothing(void) { return (value){.kind = VALUE_NONE}; }
static value truth(int holds) { return (value){.kind = VALUE_BOOL, .integer = holds != 0}; }
static value whole(int64_t number) { return (value){.kind = VALUE_INT, .integer = number}; }
static value real(double number) { return (value){.kind = VALUE_REAL, .real = number}; }
static value text(const char *words) { return (value){.kind = VALUE_TEXT, .text = words, .length = strlen(words)}; }

static double seconds(int64_t ns) { return (double)ns / 1e9; }

/* What is no position stays none. */
static int64_t nanoseconds(double s) {
  return isfinite(s) && fabs(s) < 9e9 ? (int64_t)(s * 1e9) : UNISONO_TIME_INVALID;
}

static const char *id_text(const unisono_participant_id *id, char *room) {
  for (int index = 0; index < 16; index++) snprintf(room + 2 * index, 3, "%02x", id->bytes[index]);
  return room;
}

/* ---- Events -------------------------------------------------------------------------------------------------------------- */

static void emit_participants(group_node *node, int signal, const unisono_participant *const *who, size_t count) {
  char id[33];
  for (size_t index = 0; index < count; index++)
    node->emit(node->engine, signal, (value[]){text(id_text(&who[index]->id, id)), text(who[index]->display_name)});
}

static const char *state_text(const unisono_session_state_event *event) {
  if (event->state == UNISONO_SESSION_INVALIDATED) return "over";
  if (event->state == UNISONO_SESSION_WAITING) return "joining";
  return event->connection == UNISONO_CONNECTION_CONNECTED ? "joined" : "reconnecting";
}

static const char *timing_text(unisono_timing_state state) {
  if (state == UNISONO_TIMING_PAUSED) return "paused";
  if (state == UNISONO_TIMING_WAITING) return "waiting";
  return state == UNISONO_TIMING_PLAYING ? "playing" : "none";
}

static void obey(group_node *node, const unisono_command *command) {
  node->playing_command = 0; /* a newer one replaces it */
  if (command->base.type == UNISONO_EVENT_COORDINATOR_PLAY && command->host_time > unisono_context_host_time(node->context)) {
    node->playing_command = command->id;
    node->starts_at = command->host_time;
  } else {
    unisono_coordinator_complete(node->coordinator, command->id);
  }
}

static void tell(void *user, const char *sentence) {
  group_node *const node = user;
  node->emit(node->engine, TOLD, (value[]){text(sentence)});
}

static group_lines lines_of(group_node *node) {
  return (group_lines){.context = node->context, .session = node->session, .coordinator = node->coordinator, .tell = tell, .user = node,
                       .is_closed = &node->is_closed};
}

static void deliver(group_node *node, const unisono_context_event *event) {
  const unisono_session_state_event *state = unisono_event_session_state(event);
  const unisono_participants_change *participants = unisono_event_participants(event);
  const unisono_timing_change *timing = unisono_event_timing(event);
  const unisono_message *message = unisono_event_message(event);
  const unisono_notice_event *notice = unisono_event_notice(event);
  const unisono_error_event *error = unisono_event_error(event);
  const unisono_command *command = unisono_event_command(event);
  if (command != NULL) obey(node, command);
  if (state != NULL) node->emit(node->engine, STATE_CHANGED, (value[]){text(state_text(state)), text(state->message)});
  if (participants != NULL && event->type == UNISONO_EVENT_SESSION_PARTICIPANTS) {
    emit_participants(node, PARTICIPANT_JOINED, participants->joined, participants->joined_count);
    emit_participants(node, PARTICIPANT_UPDATED, participants->updated, participants->updated_count);
    emit_participants(node, PARTICIPANT_LEFT, participants->left, participants->left_count);
  }
  if (timing != NULL)
    node->emit(node->engine, TIMING_CHANGED,
               (value[]){text(timing_text(timing->state)), real(seconds(timing->item_time)), real(timing->rate)});
  if (message != NULL) {
    char id[33];
    const value bytes = {.kind = VALUE_BYTES, .text = message->data, .length = message->length};
    node->emit(node->engine, MESSAGE_RECEIVED, (value[]){text(id_text(&message->sender, id)), bytes});
  }
  if (notice != NULL) {
    char sentence[1024];
    size_t room = sizeof sentence;
    if (unisono_notice_text(notice->notice, sentence, &room) == UNISONO_OK)
      node->emit(node->engine, NOTICED, (value[]){text(sentence)});
  }
  if (error != NULL) node->emit(node->engine, REFUSED, (value[]){text(error->message)});
  const group_lines lines = lines_of(node);
  group_lines_hear(&lines, event);
}

/* ---- Methods ------------------------------------------------------------------------------------------------------------- */

/* What is refused is told by a signal, too, so that a script that does not look at results hears of it. */
static int done(group_node *node, int32_t status) {
  if (status >= 0) return 1;
  char why[512];
  snprintf(why, sizeof why, "%s", unisono_last_error());
  node->emit(node->engine, REFUSED, (value[]){text(why)});
  return 0;
}

static const char *or_null(const value *argument) { return argument->length > 0 ? argument->text : NULL; }

static int begin(group_node *node, unisono_session *session) {
  node->session = session;
  node->is_closed = 0;
  return done(node, unisono_coordinator_coordinate_with_session(node->coordinator, session)) && done(node, unisono_session_join(session));
}

static value leave(group_node *node, const value *arguments) {
  (void)arguments;
  unisono_session_destroy(node->session);
  node->session = NULL;
  node->invite[0] = 0;
  return nothing();
}

/* Begins a group: its invite, or "". listen: "127.0.0.1:0"; "": every interface. */
static value host(group_node *node, const value *arguments) {
  leave(node, NULL);
  const char *const listen = or_null(&arguments[1]);
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  hub.listen = &listen;
  hub.listen_count = 1;
  options.display_name = or_null(&arguments[0]);
  if (listen != NULL) options.hub_options = &hub;
  unisono_session *session;
  size_t room = sizeof node->invite;
  if (!done(node, unisono_session_host(node->context, &options, NULL, NULL, &session)) || !begin(node, session) ||
      !done(node, unisono_session_invite(session, node->invite, &room)))
    return text("");
  return text(node->invite);
}

static value open_invite(group_node *node, const value *arguments) {
  leave(node, NULL);
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  options.display_name = or_null(&arguments[1]);
  unisono_session *session;
  return truth(done(node, unisono_session_open(node->context, arguments[0].text, &options, NULL, NULL, &session)) &&
               begin(node, session));
}

static value transition_to(group_node *node, const value *arguments) {
  return truth(done(node, unisono_coordinator_transition_to_item(node->coordinator, or_null(&arguments[0]), NULL)));
}

static value play(group_node *node, const value *arguments) {
  return truth(done(node, unisono_coordinator_coordinate_rate_change(node->coordinator, arguments[0].real, 0)));
}

static value pause_group(group_node *node, const value *arguments) {
  (void)arguments;
  return truth(done(node, unisono_coordinator_coordinate_rate_change(node->coordinator, 0, 0)));
}

static value seek(group_node *node, const value *arguments) {
  return truth(done(node, unisono_coordinator_coordinate_seek(node->coordinator, nanoseconds(arguments[0].real), 0)));
}

static value send_bytes(group_node *node, const value *arguments) {
  const unisono_delivery how = arguments[1].integer ? UNISONO_DELIVERY_RELIABLE : UNISONO_DELIVERY_UNRELIABLE;
  return truth(done(node, unisono_session_send(node->session, arguments[0].text, arguments[0].length, how, NULL, 0)));
}

/* What a person types to the group: "say hello", "ready", "add ITEM"; "help" lists the words. Answers come as `told`. False: "quit". */
static value run(group_node *node, const value *arguments) {
  const group_lines lines = lines_of(node);
  return truth(group_lines_run(&lines, arguments[0].text));
}

static value host_time(group_node *node, const value *arguments) {
  (void)arguments;
  return whole(unisono_context_host_time(node->context));
}

/* Seconds; not a number until there is a position. */
static value position_at(group_node *node, const value *arguments) {
  int64_t position;
  const int32_t status = unisono_coordinator_expected_item_time(node->coordinator, arguments[0].integer, &position);
  return real(status == UNISONO_OK ? seconds(position) : (double)NAN);
}

static value position(group_node *node, const value *arguments) {
  (void)arguments;
  return position_at(node, (value[]){whole(unisono_context_host_time(node->context))});
}

static value is_playing(group_node *node, const value *arguments) {
  (void)arguments;
  unisono_timing timing = UNISONO_TIMING_INIT;
  return truth(unisono_coordinator_timing(node->coordinator, &timing) == UNISONO_OK && timing.state == UNISONO_TIMING_PLAYING);
}

/* Emits what has happened. Once a frame; returns how much it was. */
static value poll_events(group_node *node, const value *arguments) {
  (void)arguments;
  const unisono_context_event *event;
  int64_t count = 0;
  while (unisono_context_next_event(node->context, 0, &event) == 1) {
    deliver(node, event);
    count++;
  }
  if (node->playing_command != 0 && node->starts_at <= unisono_context_host_time(node->context)) {
    unisono_coordinator_complete(node->coordinator, node->playing_command);
    node->playing_command = 0;
  }
  return whole(count);
}

const group_method group_methods[] = {
    {"host", host, VALUE_TEXT, 2, {{"display_name", VALUE_TEXT}, {"listen", VALUE_TEXT}}},
    {"open", open_invite, VALUE_BOOL, 2, {{"invite", VALUE_TEXT}, {"display_name", VALUE_TEXT}}},
    {"leave", leave, VALUE_NONE, 0, {{NULL, VALUE_NONE}}},
    {"transition_to", transition_to, VALUE_BOOL, 1, {{"item", VALUE_TEXT}}},
    {"play", play, VALUE_BOOL, 1, {{"rate", VALUE_REAL}}},
    {"pause", pause_group, VALUE_BOOL, 0, {{NULL, VALUE_NONE}}},
    {"seek", seek, VALUE_BOOL, 1, {{"position", VALUE_REAL}}},
    {"send", send_bytes, VALUE_BOOL, 2, {{"data", VALUE_BYTES}, {"reliable", VALUE_BOOL}}},
    {"run", run, VALUE_BOOL, 1, {{"line", VALUE_TEXT}}},
    {"host_time", host_time, VALUE_INT, 0, {{NULL, VALUE_NONE}}},
    {"position", position, VALUE_REAL, 0, {{NULL, VALUE_NONE}}},
    {"position_at", position_at, VALUE_REAL, 1, {{"host_time", VALUE_INT}}},
    {"is_playing", is_playing, VALUE_BOOL, 0, {{NULL, VALUE_NONE}}},
    {"poll", poll_events, VALUE_INT, 0, {{NULL, VALUE_NONE}}},
};
const int group_method_count = sizeof group_methods / sizeof *group_methods;

group_node *group_node_new(emit_fn emit, void *engine) {
  group_node *node = calloc(1, sizeof *node);
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  options.event_queue = 1;
  options.own_thread = 1; /* a poll takes events off a queue, and a loading screen loses nobody */
  if (node == NULL) return NULL;
  node->emit = emit;
  node->engine = engine;
  if (unisono_context_create(&options, NULL, NULL, &node->context) < 0 ||
      unisono_coordinator_create(node->context, NULL, NULL, &node->coordinator) < 0) {
    group_node_free(node);
    return NULL;
  }
  return node;
}

void group_node_free(group_node *node) {
  if (node == NULL) return;
  unisono_context_destroy(node->context);
  free(node);
}
