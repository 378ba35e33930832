/* Preparing to activate: consent, remembered answers, cancelling. */
#include "harness.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct {
  int asked, answered, result, remembered, released, met, left_alone;
  uint64_t request;
  char identifier[64];
  unisono_session *session;
} person;

static unisono_context *context;
static unisono_session *session, *guest;
static person somebody;

static void on_consent(void *user, const unisono_activation_event *event) {
  person *p = (person *)user;
  p->asked++;
  p->request = event->request;
  snprintf(p->identifier, sizeof p->identifier, "%s", event->activity->identifier);
}
static void on_answer(void *user, const unisono_activation_event *event) {
  person *p = (person *)user;
  p->answered++;
  p->result = (int)event->result;
  p->remembered = event->remembered;
  CHECK(event->base.user == user);
  CHECK(event->base.type == UNISONO_EVENT_SESSION_ACTIVATION);
}
static void on_state(void *user, const unisono_session_state_event *event) {
  person *p = (person *)user;
  if (!event->alone) p->met = 1;
  p->left_alone = p->met && event->alone;
}
static void on_released(void *user) { ((person *)user)->released++; }

/* A session whose creator has joined and is alone. */
static void begin_alone(const char *folder, int asks) {
  static const char *const address[] = {"127.0.0.1:0"};
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  unisono_context_options given = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  memset(&somebody, 0, sizeof somebody);
  if (asks) callbacks.consent = on_consent;
  callbacks.state = on_state;
  callbacks.released = on_released;
  hub.listen = address;
  hub.listen_count = 1;
  options.hub_options = &hub;
  given.storage_path = folder;
  EQUAL(unisono_context_create(&given, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_session_host(context, &options, &callbacks, &somebody, &session), UNISONO_OK);
  EQUAL(unisono_session_join(session), UNISONO_OK);
}

/* Another one opens the invite, and joins or looks on. */
static void bring_guest(int joins) {
  char invite[4096];
  size_t length = sizeof invite;
  EQUAL(unisono_session_invite(session, invite, &length), UNISONO_OK);
  EQUAL(unisono_session_open(context, invite, NULL, NULL, NULL, &guest), UNISONO_OK);
  if (!joins) return;
  EQUAL(unisono_session_join(guest), UNISONO_OK);
  CHECK(pump_until(context, &somebody.met, 1));
}

static void begin(const char *folder, int asks) {
  begin_alone(folder, asks);
  bring_guest(1);
}

static int prepare(int type) {
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  activity.identifier = "org.example.film";
  activity.type = (unisono_activity_type)type;
  return unisono_session_prepare_for_activation(session, &activity, on_answer, &somebody);
}

static void consent(void) {
  begin(NULL, 1);
  EQUAL(prepare(1), UNISONO_OK);
  EQUAL(prepare(1), UNISONO_EBUSY);
  CHECK(pump_until(context, &somebody.asked, 1));
  CHECK(strcmp(somebody.identifier, "org.example.film") == 0);
  CHECK(somebody.request != 0);
  EQUAL(unisono_session_answer_consent(session, somebody.request + 1, UNISONO_ACTIVATION_PREFERRED, 0),
        UNISONO_ENOTFOUND);
  EQUAL(unisono_session_answer_consent(session, somebody.request, (unisono_activation_result)3, 0), UNISONO_EINVAL);
  EQUAL(somebody.answered, 0);
  EQUAL(unisono_session_answer_consent(session, somebody.request, UNISONO_ACTIVATION_DISABLED, 0), UNISONO_OK);
  EQUAL(unisono_session_answer_consent(session, somebody.request, UNISONO_ACTIVATION_DISABLED, 0), UNISONO_ENOTFOUND);
  CHECK(pump_until(context, &somebody.answered, 1));
  EQUAL(somebody.result, UNISONO_ACTIVATION_DISABLED);
  EQUAL(somebody.remembered, 0);
  /* Not remembered: asked again. */
  EQUAL(prepare(1), UNISONO_OK);
  CHECK(pump_until(context, &somebody.asked, 2));
  /* The session goes: answered before it is released. */
  unisono_session_destroy(session);
  EQUAL(somebody.answered, 2);
  EQUAL(somebody.result, UNISONO_ACTIVATION_CANCELLED);
  EQUAL(somebody.released, 1);
  unisono_context_destroy(context);
  EQUAL(somebody.answered, 2);
}

static void remembered(void) {
  char folder[] = "/tmp/unisono-capi-XXXXXX";
  char file[128];
  CHECK(mkdtemp(folder) != NULL);
  begin(folder, 1);
  EQUAL(prepare(1), UNISONO_OK);
  CHECK(pump_until(context, &somebody.asked, 1));
  EQUAL(unisono_session_answer_consent(session, somebody.request, UNISONO_ACTIVATION_DISABLED, 1), UNISONO_OK);
  CHECK(pump_until(context, &somebody.answered, 1));
  EQUAL(prepare(1), UNISONO_OK);
  CHECK(pump_until(context, &somebody.answered, 2));
  EQUAL(somebody.asked, 1);
  EQUAL(somebody.remembered, 1);
  EQUAL(somebody.result, UNISONO_ACTIVATION_DISABLED);
  unisono_context_destroy(context);

  /* Another process, another type, and after forgetting. */
  begin(folder, 1);
  EQUAL(prepare(1), UNISONO_OK);
  CHECK(pump_until(context, &somebody.answered, 1));
  EQUAL(somebody.asked, 0);
  EQUAL(somebody.result, UNISONO_ACTIVATION_DISABLED);
  EQUAL(prepare(2), UNISONO_OK);
  CHECK(pump_until(context, &somebody.asked, 1));
  EQUAL(unisono_session_answer_consent(session, somebody.request, UNISONO_ACTIVATION_PREFERRED, 0), UNISONO_OK);
  CHECK(pump_until(context, &somebody.answered, 2));
  EQUAL(unisono_context_forget_answers(context, UNISONO_ACTIVITY_WATCH_TOGETHER), UNISONO_OK);
  EQUAL(prepare(1), UNISONO_OK);
  CHECK(pump_until(context, &somebody.asked, 2));
  unisono_context_destroy(context);
  EQUAL(somebody.answered, 3);
  snprintf(file, sizeof file, "%s/activation-answers", folder);
  unlink(file);
  rmdir(folder);
}

static void alone(void) {
  begin_alone(NULL, 1);
  EQUAL(prepare(1), UNISONO_OK);
  CHECK(pump_until(context, &somebody.answered, 1));
  EQUAL(somebody.result, UNISONO_ACTIVATION_DISABLED);
  EQUAL(somebody.remembered, 0);
  EQUAL(somebody.asked, 0);
  /* With somebody there people are asked, and when that one is gone they are not. */
  bring_guest(1);
  EQUAL(prepare(1), UNISONO_OK);
  CHECK(pump_until(context, &somebody.asked, 1));
  EQUAL(unisono_session_answer_consent(session, somebody.request, UNISONO_ACTIVATION_PREFERRED, 0), UNISONO_OK);
  CHECK(pump_until(context, &somebody.answered, 2));
  EQUAL(unisono_session_leave(guest), UNISONO_OK);
  CHECK(pump_until(context, &somebody.left_alone, 1));
  EQUAL(prepare(1), UNISONO_OK);
  CHECK(pump_until(context, &somebody.answered, 3));
  EQUAL(somebody.result, UNISONO_ACTIVATION_DISABLED);
  EQUAL(somebody.asked, 1);
  unisono_context_destroy(context);
}

/* A device that looks on can be reached by an activity: an agent does no more. */
static void looked_at(void) {
  int64_t end = unisono_host_time() + milliseconds(10000);
  begin_alone(NULL, 1);
  bring_guest(0);
  while (!somebody.asked && unisono_host_time() < end) {
    int before = somebody.answered;
    EQUAL(prepare(1), UNISONO_OK);
    while (!somebody.asked && somebody.answered == before && unisono_host_time() < end)
      unisono_context_poll(context, milliseconds(20));
  }
  EQUAL(somebody.asked, 1);
  unisono_context_destroy(context);
}

static void nobody_to_ask(void) {
  begin(NULL, 0);
  EQUAL(prepare(1), UNISONO_OK);
  CHECK(pump_until(context, &somebody.answered, 1));
  EQUAL(somebody.result, UNISONO_ACTIVATION_PREFERRED);
  EQUAL(somebody.remembered, 0);
  unisono_context_destroy(context);
}

static void by_queue(void) {
  unisono_context_options given = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  const unisono_context_event *event = NULL;
  int prepared = 0, asked = 0, answered = 0;
  int64_t end = unisono_host_time() + milliseconds(10000);
  given.event_queue = 1;
  activity.identifier = "org.example.film";
  EQUAL(unisono_context_create(&given, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_session_host(context, NULL, NULL, NULL, &session), UNISONO_OK);
  EQUAL(unisono_session_join(session), UNISONO_OK);
  bring_guest(0);
  EQUAL(unisono_session_join(guest), UNISONO_OK);
  while (!answered && unisono_host_time() < end) {
    if (unisono_context_next_event(context, milliseconds(20), &event) != 1) continue;
    if (event->type == UNISONO_EVENT_SESSION_STATE && event->source == (void *)session && !prepared &&
        !unisono_event_session_state(event)->alone) {
      prepared = 1;
      EQUAL(unisono_session_prepare_for_activation(session, &activity, NULL, &somebody), UNISONO_OK);
    } else if (event->type == UNISONO_EVENT_SESSION_CONSENT) {
      const unisono_activation_event *consent = unisono_event_activation(event);
      asked++;
      EQUAL(unisono_session_answer_consent(session, consent->request, UNISONO_ACTIVATION_PREFERRED, 0), UNISONO_OK);
    } else if (event->type == UNISONO_EVENT_SESSION_ACTIVATION) {
      const unisono_activation_event *answer = unisono_event_activation(event);
      answered++;
      EQUAL(answer->result, UNISONO_ACTIVATION_PREFERRED);
      CHECK(answer->base.user == &somebody);
    }
  }
  EQUAL(asked, 1);
  EQUAL(answered, 1);
  unisono_context_destroy(context);
}

void test_activation(void) {
  run_test("F31 a person is asked and answers once; destroying answers CANCELLED", consent);
  run_test("F31 an answer is remembered by type, across contexts, until it is forgotten", remembered);
  run_test("F31 alone in the session nobody is asked: DISABLED", alone);
  run_test("F31 with a device that looks on people are asked", looked_at);
  run_test("F31 without anybody to ask the answer is PREFERRED", nobody_to_ask);
  run_test("F31 by the event queue", by_queue);
}
