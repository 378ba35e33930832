/* Deputies, and requests of those who may not command, over two sessions of one process. Death is tried in Tests/python. */
#include "harness.h"

typedef struct {
  int joined, requests, successions, errors;
  unisono_request_event last;
  char item[64], text[64], operation[64];
  int error;
} watcher;

static void on_state(void *user, const unisono_session_state_event *event) {
  if (event->state == UNISONO_SESSION_JOINED) ((watcher *)user)->joined = 1;
}
static void on_request(void *user, const unisono_request_event *event) {
  watcher *w = (watcher *)user;
  EQUAL(event->base.type, UNISONO_EVENT_SESSION_REQUEST);
  EQUAL(event->base.size, sizeof *event);
  w->last = *event;
  snprintf(w->item, sizeof w->item, "%s", event->item);
  snprintf(w->text, sizeof w->text, "%s", event->text ? event->text : "");
  w->requests++;
}
static void on_succession(void *user, const unisono_succession_event *event) {
  EQUAL(event->base.type, UNISONO_EVENT_SESSION_SUCCESSION);
  ((watcher *)user)->successions++;
}
static void on_error(void *user, const unisono_error_event *event) {
  watcher *w = (watcher *)user;
  w->error = event->status;
  snprintf(w->operation, sizeof w->operation, "%s", event->operation);
  w->errors++;
}

static unisono_context *context;
static unisono_session *host, *guest;
static unisono_coordinator *one, *other;
static watcher host_watcher, guest_watcher;
static player host_player, guest_player;
static unisono_participant_id host_id, guest_id;

static int wait_for_role(unisono_session *session, const unisono_participant_id *id) {
  int64_t end = unisono_host_time() + milliseconds(10000);
  while (unisono_host_time() < end) {
    const unisono_participants *list = NULL;
    int found = 0;
    EQUAL(unisono_session_participants(session, &list), UNISONO_OK);
    for (size_t index = 0; list && index < list->count; index++) {
      const unisono_participant *p = list->items[index];
      if (memcmp(&p->id, id, sizeof *id) == 0 && p->item != NULL) found = p->role;
    }
    unisono_free(list);
    if (found) return found;
    unisono_context_poll(context, milliseconds(20));
  }
  return 0;
}

static void begin(unisono_succession succession, int64_t delay) {
  static const char *const address[] = {"127.0.0.1:0"};
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  unisono_playback_delegate delegate = player_delegate();
  char invite[4096];
  size_t length = sizeof invite;
  memset(&host_watcher, 0, sizeof host_watcher);
  memset(&guest_watcher, 0, sizeof guest_watcher);
  memset(&host_player, 0, sizeof host_player);
  memset(&guest_player, 0, sizeof guest_player);
  host_player.completes = guest_player.completes = 1;
  hub.listen = address;
  hub.listen_count = 1;
  callbacks.state = on_state;
  callbacks.request = on_request;
  callbacks.succession = on_succession;
  callbacks.error = on_error;
  options.hub_options = &hub;
  options.display_name = "Ann";
  options.control_policy = UNISONO_CONTROL_HOSTS_ONLY;
  options.succession = succession;
  options.succession_delay = delay;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_session_host(context, &options, &callbacks, &host_watcher, &host), UNISONO_OK);
  EQUAL(unisono_session_invite(host, invite, &length), UNISONO_OK);
  options.hub_options = NULL;
  options.display_name = "Ben";
  EQUAL(unisono_session_open(context, invite, &options, &callbacks, &guest_watcher, &guest), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &host_player, &one), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &guest_player, &other), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(one, host), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(other, guest), UNISONO_OK);
  EQUAL(unisono_session_local_participant(host, &host_id), UNISONO_OK);
  EQUAL(unisono_session_local_participant(guest, &guest_id), UNISONO_OK);
  EQUAL(unisono_session_join(host), UNISONO_OK);
  CHECK(pump_until(context, &host_watcher.joined, 1));
  EQUAL(unisono_session_join(guest), UNISONO_OK);
  CHECK(pump_until(context, &guest_watcher.joined, 1));
  EQUAL(unisono_coordinator_transition_to_item(one, "film", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(other, "film", NULL), UNISONO_OK);
  EQUAL(wait_for_role(host, &guest_id), UNISONO_ROLE_MEMBER);
  EQUAL(wait_for_role(guest, &host_id), UNISONO_ROLE_OWNER);
}

static unisono_succession_state succession_of(unisono_session *session) {
  unisono_succession_state state = UNISONO_SUCCESSION_STATE_INIT;
  EQUAL(unisono_session_get_succession(session, &state), UNISONO_OK);
  EQUAL(state.size, sizeof state);
  return state;
}

static int wait_for_deputies(unisono_session *session, unisono_succession succession, uint32_t count) {
  int64_t end = unisono_host_time() + milliseconds(10000);
  while (unisono_host_time() < end) {
    unisono_succession_state state = succession_of(session);
    if (state.succession == succession && state.deputy_count == count) return 1;
    unisono_context_poll(context, milliseconds(20));
  }
  return 0;
}

static void deputies(void) {
  unisono_participant_id list[9];
  unisono_participant_id nobody;
  unisono_succession_state state;
  memset(list, 0, sizeof list);
  memset(&nobody, 0, sizeof nobody);
  begin(UNISONO_SUCCESSION_DEFAULT, 0);
  /* By itself: who has been there longest. */
  CHECK(wait_for_deputies(guest, UNISONO_SUCCESSION_BY_SENIORITY, 1));
  state = succession_of(guest);
  EQUAL(state.delay, milliseconds(30000));
  CHECK(memcmp(&state.deputies[0], &guest_id, sizeof guest_id) == 0);
  CHECK(memcmp(&state.acting, &nobody, sizeof nobody) == 0);
  list[0] = guest_id;
  EQUAL(unisono_session_set_deputies(guest, list, 1, UNISONO_SUCCESSION_NAMED, 0), UNISONO_EDENIED);
  EQUAL(unisono_session_set_deputies(host, list, 9, UNISONO_SUCCESSION_NAMED, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_set_deputies(host, list, (size_t)-1, UNISONO_SUCCESSION_NAMED, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_set_deputies(host, NULL, 1, UNISONO_SUCCESSION_NAMED, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_set_deputies(host, list, 0, UNISONO_SUCCESSION_NAMED, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_set_deputies(host, list, 1, UNISONO_SUCCESSION_NOBODY, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_set_deputies(host, list, 1, UNISONO_SUCCESSION_BY_SENIORITY, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_set_deputies(host, list, 1, (unisono_succession)9, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_set_deputies(host, list, 1, UNISONO_SUCCESSION_NAMED, milliseconds(4999)), UNISONO_EINVAL);
  EQUAL(unisono_session_set_deputies(host, list, 1, UNISONO_SUCCESSION_NAMED, milliseconds(3600001)), UNISONO_EINVAL);
  EQUAL(unisono_session_set_deputies(host, list, 1, UNISONO_SUCCESSION_NAMED, INT64_MIN), UNISONO_EINVAL);
  EQUAL(unisono_session_set_deputies(host, list, 2, UNISONO_SUCCESSION_NAMED, 0), UNISONO_ENOTFOUND);
  list[1] = guest_id;
  EQUAL(unisono_session_set_deputies(host, list, 2, UNISONO_SUCCESSION_NAMED, 0), UNISONO_EINVAL);
  list[0] = host_id;
  EQUAL(unisono_session_set_deputies(host, list, 1, UNISONO_SUCCESSION_NAMED, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_set_deputies(host, &guest_id, 1, UNISONO_SUCCESSION_DEFAULT, milliseconds(5000)), UNISONO_OK);
  CHECK(wait_for_deputies(guest, UNISONO_SUCCESSION_NAMED, 1));
  EQUAL(succession_of(guest).delay, milliseconds(5000));
  EQUAL(unisono_session_set_deputies(host, NULL, 0, UNISONO_SUCCESSION_NOBODY, 0), UNISONO_OK);
  CHECK(wait_for_deputies(guest, UNISONO_SUCCESSION_NOBODY, 0));
  EQUAL(host_watcher.successions + guest_watcher.successions, 0);
  unisono_context_destroy(context);
}

static void requests(void) {
  unisono_request request = UNISONO_REQUEST_INIT;
  uint64_t number = 0;
  static char long_text[257];
  memset(long_text, 'x', sizeof long_text - 1);
  begin(UNISONO_SUCCESSION_NOBODY, 0);
  EQUAL(unisono_coordinator_coordinate_rate_change(one, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &guest_player.plays, 1));
  request.text = long_text;
  EQUAL(unisono_session_request_command(guest, &request, &number), UNISONO_ETOOBIG);
  request.text = "the door";
  request.kind = (unisono_request_kind)7;
  EQUAL(unisono_session_request_command(guest, &request, &number), UNISONO_EINVAL);
  request.kind = UNISONO_REQUEST_SEEK;
  request.item_time = INT64_MIN;
  EQUAL(unisono_session_request_command(guest, &request, &number), UNISONO_EINVAL);
  request.kind = UNISONO_REQUEST_PAUSE;
  EQUAL(unisono_session_request_command(host, &request, &number), UNISONO_ESTATE);
  EQUAL(number, 0);
  EQUAL(unisono_session_request_command(guest, &request, &number), UNISONO_OK);
  EQUAL(number, 1);
  EQUAL(unisono_session_request_command(guest, &request, NULL), UNISONO_EBUSY);
  CHECK(pump_until(context, &host_watcher.requests, 1));
  EQUAL(host_watcher.last.status, UNISONO_REQUEST_OPEN);
  EQUAL(host_watcher.last.kind, UNISONO_REQUEST_PAUSE);
  EQUAL(host_watcher.last.number, number);
  CHECK(memcmp(&host_watcher.last.asker, &guest_id, sizeof guest_id) == 0);
  CHECK(strcmp(host_watcher.item, "film") == 0);
  CHECK(strcmp(host_watcher.text, "the door") == 0);
  pump(context);
  EQUAL(unisono_session_answer_request(host, &host_id, number, 1), UNISONO_ENOTFOUND);
  EQUAL(unisono_session_answer_request(host, &guest_id, number + 1, 1), UNISONO_ENOTFOUND);
  EQUAL(unisono_session_answer_request(guest, &guest_id, number, 1), UNISONO_ENOTFOUND);
  guest_player.pauses = 0;
  EQUAL(unisono_session_answer_request(host, &guest_id, number, 1), UNISONO_OK);
  CHECK(pump_until(context, &guest_player.pauses, 1));
  CHECK(pump_until(context, &guest_watcher.requests, 1));
  EQUAL(guest_watcher.last.status, UNISONO_REQUEST_GRANTED);
  CHECK(memcmp(&guest_watcher.last.answerer, &host_id, sizeof host_id) == 0);
  pump(context);
  EQUAL(unisono_session_answer_request(host, &guest_id, number, 1), UNISONO_ENOTFOUND);
  unisono_context_destroy(context);
}

static void bad_options(void) {
  unisono_session *session = NULL;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  options.succession = UNISONO_SUCCESSION_NAMED;
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_EINVAL);
  options.succession = (unisono_succession)-3;
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_EINVAL);
  options.succession = UNISONO_SUCCESSION_BY_SENIORITY;
  options.succession_delay = milliseconds(1);
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_EINVAL);
  CHECK(session == NULL);
  unisono_context_destroy(context);
}

void test_succession(void) {
  run_test("F43: deputies are listed by seniority, or named by an owner, known to all; wrong lists are refused", deputies);
  run_test("F44: who may not command asks to pause; granted with one call, all pause, and it is told so", requests);
  run_test("F43: wrong options of succession are refused", bad_options);
}
