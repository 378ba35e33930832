#include "harness.h"

/* Every accessor with every type of event: the payload for its own types, NULL for all others. */

typedef const void *(*accessor)(const unisono_context_event *);
#define ACCESSOR(name) static const void *as_##name(const unisono_context_event *e) { return unisono_event_##name(e); }
ACCESSOR(timer)
ACCESSOR(overflow)
ACCESSOR(error)
ACCESSOR(log)
ACCESSOR(session_state)
ACCESSOR(activity)
ACCESSOR(participants)
ACCESSOR(message)
ACCESSOR(notice)
ACCESSOR(participant)
ACCESSOR(invite)
ACCESSOR(activation)
ACCESSOR(succession)
ACCESSOR(request)
ACCESSOR(ignored)
ACCESSOR(clock_doubt)
ACCESSOR(split)
ACCESSOR(hub_doubt)
ACCESSOR(chat)
ACCESSOR(playlist)
ACCESSOR(copy)
ACCESSOR(attachment)
ACCESSOR(schedule)
ACCESSOR(audience)
ACCESSOR(listening)
ACCESSOR(listener)
ACCESSOR(command)
ACCESSOR(suspensions)
ACCESSOR(timing)
ACCESSOR(player)
ACCESSOR(renderer)
ACCESSOR(surface)
ACCESSOR(nearby)

static const struct {
  accessor function;
  int first, last, also; /* also: one more type; 0: none */
} ACCESSORS[] = {
  {as_timer, UNISONO_EVENT_TIMER, UNISONO_EVENT_TIMER, 0},
  {as_overflow, UNISONO_EVENT_OVERFLOW, UNISONO_EVENT_OVERFLOW, 0},
  {as_error, UNISONO_EVENT_ERROR, UNISONO_EVENT_ERROR, 0},
  {as_log, UNISONO_EVENT_LOG, UNISONO_EVENT_LOG, 0},
  {as_session_state, UNISONO_EVENT_SESSION_STATE, UNISONO_EVENT_SESSION_STATE, 0},
  {as_activity, UNISONO_EVENT_SESSION_ACTIVITY, UNISONO_EVENT_SESSION_ACTIVITY, 0},
  {as_participants, UNISONO_EVENT_SESSION_PARTICIPANTS, UNISONO_EVENT_SESSION_PARTICIPANTS,
   UNISONO_EVENT_COORDINATOR_PARTICIPANTS},
  {as_message, UNISONO_EVENT_SESSION_MESSAGE, UNISONO_EVENT_SESSION_MESSAGE, 0},
  {as_notice, UNISONO_EVENT_SESSION_NOTICE, UNISONO_EVENT_SESSION_NOTICE, 0},
  {as_participant, UNISONO_EVENT_SESSION_FOREGROUND, UNISONO_EVENT_SESSION_SPEAKING, 0},
  {as_invite, UNISONO_EVENT_SESSION_INVITE, UNISONO_EVENT_SESSION_INVITE, UNISONO_EVENT_COORDINATOR_INVITED},
  {as_activation, UNISONO_EVENT_SESSION_CONSENT, UNISONO_EVENT_SESSION_ACTIVATION, 0},
  {as_succession, UNISONO_EVENT_SESSION_SUCCESSION, UNISONO_EVENT_SESSION_SUCCESSION, 0},
  {as_request, UNISONO_EVENT_SESSION_REQUEST, UNISONO_EVENT_SESSION_REQUEST, 0},
  {as_ignored, UNISONO_EVENT_SESSION_IGNORED, UNISONO_EVENT_SESSION_IGNORED, 0},
  {as_clock_doubt, UNISONO_EVENT_SESSION_CLOCK_DOUBT, UNISONO_EVENT_SESSION_CLOCK_DOUBT, 0},
  {as_split, UNISONO_EVENT_SESSION_SPLIT, UNISONO_EVENT_SESSION_SPLIT, 0},
  {as_hub_doubt, UNISONO_EVENT_SESSION_HUB_DOUBT, UNISONO_EVENT_SESSION_HUB_DOUBT, 0},
  {as_chat, UNISONO_EVENT_SESSION_CHAT, UNISONO_EVENT_SESSION_CHAT, 0},
  {as_playlist, UNISONO_EVENT_SESSION_PLAYLIST, UNISONO_EVENT_SESSION_PLAYLIST, 0},
  {as_copy, UNISONO_EVENT_SESSION_COPY, UNISONO_EVENT_SESSION_COPY, 0},
  {as_schedule, UNISONO_EVENT_SESSION_SCHEDULE, UNISONO_EVENT_SESSION_SCHEDULE, 0},
  {as_audience, UNISONO_EVENT_SESSION_AUDIENCE, UNISONO_EVENT_SESSION_AUDIENCE, 0},
  {as_listening, UNISONO_EVENT_COORDINATOR_LISTENING, UNISONO_EVENT_COORDINATOR_LISTENING, 0},
  {as_listener, UNISONO_EVENT_SESSION_LISTENER, UNISONO_EVENT_SESSION_LISTENER, 0},
  {as_attachment, UNISONO_EVENT_SESSION_ATTACHMENT, UNISONO_EVENT_SESSION_ATTACHMENT, 0},
  {as_command, UNISONO_EVENT_COORDINATOR_PLAY, UNISONO_EVENT_COORDINATOR_BUFFER, 0},
  {as_suspensions, UNISONO_EVENT_COORDINATOR_SUSPENSIONS, UNISONO_EVENT_COORDINATOR_SUSPENSIONS, 0},
  {as_timing, UNISONO_EVENT_COORDINATOR_TIMING, UNISONO_EVENT_COORDINATOR_TIMING, 0},
  {as_player, UNISONO_EVENT_PLAYER_TIME_CONTROL, UNISONO_EVENT_PLAYER_SEEK_DONE, 0},
  {as_renderer, UNISONO_EVENT_RENDERER_LOAD, UNISONO_EVENT_RENDERER_STOP, 0},
  {as_surface, UNISONO_EVENT_SURFACE_CHANGED, UNISONO_EVENT_SURFACE_RESTORE, 0},
  {as_nearby, UNISONO_EVENT_NEARBY_JOIN_REQUESTED, UNISONO_EVENT_NEARBY_FAILED, 0},
};
enum { COUNT = sizeof ACCESSORS / sizeof *ACCESSORS };

static void every_type(void) {
  unisono_context_event head;
  int type, i;
  memset(&head, 0, sizeof head);
  for (i = 0; i < COUNT; i++) {
    CHECK(ACCESSORS[i].function(NULL) == NULL);
    for (type = -2; type < 300; type++) {
      int mine = (type >= ACCESSORS[i].first && type <= ACCESSORS[i].last) || (type > 0 && type == ACCESSORS[i].also);
      head.type = (unisono_event_type)type;
      CHECK(ACCESSORS[i].function(&head) == (mine ? (const void *)&head : NULL));
    }
    head.type = (unisono_event_type)INT32_MAX;
    CHECK(ACCESSORS[i].function(&head) == NULL);
  }
}

/* From the queue: exactly one accessor answers for each event that has a payload. */
static void from_the_queue(void) {
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_context *context = NULL;
  unisono_coordinator *coordinator = NULL;
  const unisono_context_event *event = NULL;
  int commands = 0, i;
  options.event_queue = 1;
  EQUAL(unisono_context_create(&options, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, NULL, NULL, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1, 0), UNISONO_OK);
  while (unisono_context_next_event(context, commands ? 0 : milliseconds(10000), &event) == 1) {
    const unisono_command *command = unisono_event_command(event);
    int answers = 0;
    for (i = 0; i < COUNT; i++) answers += ACCESSORS[i].function(event) != NULL;
    EQUAL(answers, 1);
    if (command == NULL) continue;
    CHECK(strcmp(command->item, "movie") == 0);
    EQUAL(unisono_coordinator_complete(coordinator, command->id), UNISONO_OK);
    commands++;
  }
  CHECK(commands > 0);
  unisono_context_destroy(context);
}

void test_events(void) {
  run_test("an event is its payload for the accessor of its type, and NULL for every other", every_type);
  run_test("what the queue gives is known by exactly one accessor", from_the_queue);
}
