/* A group that goes on on another day: contexts that end and begin again, over loopback. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#define KEY "a key of 32 bytes, in a test only"

typedef struct {
  int joined, activities;
  char activity[64];
} watcher;

static watcher of_ann, of_ben;
static unisono_context *context;
static unisono_session *ann, *ben;
static unisono_participant_id ann_id, ben_id;

static void on_state(void *user, const unisono_session_state_event *event) {
  if (event->state == UNISONO_SESSION_JOINED) ((watcher *)user)->joined = 1;
}
static void on_activity(void *user, const unisono_activity_event *event) {
  watcher *w = (watcher *)user;
  w->activities++;
  snprintf(w->activity, sizeof w->activity, "%s", event->activity != NULL ? event->activity->identifier : "");
}
static unisono_session_callbacks watching(void) {
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  callbacks.state = on_state;
  callbacks.activity = on_activity;
  return callbacks;
}

/* One day: Ann hosts, or both go on; `invite` of Ann's is opened by Ben. */
static void day(const unisono_continuation *of_first, const unisono_continuation *of_second) {
  static const char *const address[] = {"127.0.0.1:0"};
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = watching();
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  char invite[4096];
  size_t length = sizeof invite;
  memset(&of_ann, 0, sizeof of_ann);
  memset(&of_ben, 0, sizeof of_ben);
  hub.listen = address;
  hub.listen_count = 1;
  activity.identifier = "org.example.film";
  options.hub_options = &hub;
  options.display_name = "Ann";
  options.control_policy = UNISONO_CONTROL_MEMBERS;
  if (of_first == NULL) options.activity = &activity;
  if (of_first != NULL) {
    options.continuation = of_first->bytes;
    options.continuation_length = of_first->length;
    options.continuation_key = KEY;
    options.continuation_key_length = strlen(KEY);
  }
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_session_host(context, &options, &callbacks, &of_ann, &ann), UNISONO_OK);
  EQUAL(unisono_session_join(ann), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.joined, 1));
  EQUAL(unisono_session_invite(ann, invite, &length), UNISONO_OK);
  options.display_name = "Ben";
  options.activity = NULL;
  options.hub_options = NULL;
  if (of_second != NULL) {
    options.continuation = of_second->bytes;
    options.continuation_length = of_second->length;
  }
  EQUAL(unisono_session_open(context, invite, &options, &callbacks, &of_ben, &ben), UNISONO_OK);
  EQUAL(unisono_session_join(ben), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.joined, 1));
  CHECK(pump_until(context, &of_ben.activities, 1));
  EQUAL(unisono_session_local_participant(ann, &ann_id), UNISONO_OK);
  EQUAL(unisono_session_local_participant(ben, &ben_id), UNISONO_OK);
}

static unisono_role role_of(unisono_session *session, unisono_participant_id id) {
  const unisono_participants *list = NULL;
  unisono_role role = UNISONO_ROLE_DEFAULT;
  size_t i;
  if (unisono_session_participants(session, &list) != UNISONO_OK) return role;
  for (i = 0; i < list->count; i++)
    if (memcmp(&list->items[i]->id, &id, sizeof id) == 0) role = list->items[i]->role;
  unisono_free(list);
  return role;
}

static int has_role(unisono_session *session, unisono_participant_id id, unisono_role wanted) {
  int64_t end = unisono_host_time() + milliseconds(15000);
  while (role_of(session, id) != wanted && unisono_host_time() < end) unisono_context_poll(context, milliseconds(10));
  return role_of(session, id) == wanted;
}

/* It is known once the session has its time. */
static const unisono_continuation *kept(unisono_session *session) {
  const unisono_continuation *owned = NULL;
  int64_t end = unisono_host_time() + milliseconds(10000);
  while (unisono_session_continuation(session, KEY, strlen(KEY), &owned) == UNISONO_ESTATE && unisono_host_time() < end)
    unisono_context_poll(context, milliseconds(10));
  CHECK(owned != NULL);
  return owned;
}

static void goes_on(void) {
  const unisono_continuation *of_first, *of_second;
  unisono_participant_id was_ann, was_ben;
  day(NULL, NULL);
  EQUAL(unisono_session_set_role(ann, &ben_id, UNISONO_ROLE_HOST), UNISONO_OK);
  CHECK(has_role(ben, ben_id, UNISONO_ROLE_HOST));
  of_first = kept(ann);
  of_second = kept(ben);
  was_ann = ann_id;
  was_ben = ben_id;
  if (of_first != NULL && of_second != NULL) {
    EQUAL(of_first->size, sizeof *of_first);
    CHECK(of_first->length < 16384);
    unisono_context_destroy(context);
    day(of_first, of_second);
    CHECK(memcmp(&was_ann, &ann_id, sizeof ann_id) == 0 && memcmp(&was_ben, &ben_id, sizeof ben_id) == 0);
    CHECK(strcmp(of_ann.activity, "org.example.film") == 0 && strcmp(of_ben.activity, "org.example.film") == 0);
    CHECK(has_role(ann, ben_id, UNISONO_ROLE_HOST));
    CHECK(has_role(ben, ann_id, UNISONO_ROLE_OWNER));
    CHECK(has_role(ben, ben_id, UNISONO_ROLE_HOST));
  }
  unisono_free(of_first);
  unisono_free(of_second);
  unisono_context_destroy(context);
}

static void judged(void) {
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session *session = NULL;
  const unisono_continuation *owned = NULL;
  uint8_t *bent;
  int64_t end;
  day(NULL, NULL);
  EQUAL(unisono_session_continuation(ann, NULL, 0, &owned), UNISONO_EINVAL);
  EQUAL(unisono_session_continuation(ann, KEY, 15, &owned), UNISONO_EINVAL);
  EQUAL(unisono_session_continuation(ann, NULL, 16, &owned), UNISONO_EINVAL);
  CHECK(owned == NULL);
  owned = kept(ann);
  if (owned == NULL) return;
  bent = (uint8_t *)malloc(owned->length);
  CHECK(bent != NULL);
  if (bent == NULL) return;
  memcpy(bent, owned->bytes, owned->length);
  bent[owned->length / 2] ^= 1;
  options.continuation = bent;
  options.continuation_length = owned->length;
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_EINVAL);
  options.continuation_key = KEY;
  options.continuation_key_length = strlen(KEY);
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_EAUTH);
  options.continuation = owned->bytes;
  options.continuation_key = "another key, just as long as that";
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_EAUTH);
  options.continuation_key = KEY;
  options.continuation_length = 20;
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_EINVAL);
  options.continuation_length = 2000000;
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_ETOOBIG);
  options.continuation_length = owned->length;
  options.continuation_age = -1;
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_EINVAL);
  options.continuation_age = 1;
  end = unisono_host_time() + milliseconds(2);
  while (unisono_host_time() < end) unisono_context_poll(context, 0);
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_ETIMEDOUT);
  options.continuation = NULL;
  options.continuation_age = 0;
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_EINVAL);
  CHECK(session == NULL);
  free(bent);
  unisono_free(owned);
  unisono_context_destroy(context);
}

void test_continuation(void) {
  run_test("J20 F94: two contexts end, and go on as who they were, with activity and roles", goes_on);
  run_test("F94: a key, a changed byte, a part, a length and an age of what is gone on from are judged", judged);
}
