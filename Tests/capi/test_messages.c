/* What participants say to each other: messages, notices, asking to the front, speaking. Two sessions over loopback. */
#include "harness.h"

#include <stdlib.h>

typedef struct {
  int joined, messages, notices, foregrounds, speaking, writables;
  unisono_participant_id sender;
  size_t length;
  int said, reactions;
  int first_byte, delivery, active, in_background, kind;
  int64_t amount;
  uint32_t version;
  char text[64], type[128];
} listener;

static unisono_context *context;
static unisono_session *ann, *ben;
static listener of_ann, of_ben;

static void on_state(void *user, const unisono_session_state_event *event) {
  if (event->state == UNISONO_SESSION_JOINED) ((listener *)user)->joined = 1;
}
static void on_message(void *user, const unisono_message *message) {
  listener *l = (listener *)user;
  l->messages++;
  l->sender = message->sender;
  l->length = message->length;
  l->delivery = (int)message->delivery;
  l->version = message->version;
  CHECK(message->type != NULL);
  snprintf(l->type, sizeof l->type, "%s", message->type);
  CHECK(message->data != NULL);
  CHECK(((uintptr_t)message->data & 7) == 0);
  l->first_byte = message->length ? *(const unsigned char *)message->data : -1;
}
static void on_notice(void *user, const unisono_notice_event *event) {
  listener *l = (listener *)user;
  if (event->notice->kind >= UNISONO_NOTICE_JOINED) return; /* who came and went: test_session.c */
  l->notices++;
  l->kind = (int)event->notice->kind;
  l->amount = event->notice->amount;
  l->sender = event->notice->originator;
  snprintf(l->text, sizeof l->text, "%s", event->notice->text ? event->notice->text : "");
  CHECK(event->notice->url == NULL);
}
static void on_foreground(void *user, const unisono_participant_event *event) {
  listener *l = (listener *)user;
  l->foregrounds++;
  l->sender = event->participant;
  l->active = event->active;
  l->in_background = event->in_background;
}
static void on_speaking(void *user, const unisono_participant_event *event) {
  listener *l = (listener *)user;
  l->speaking++;
  l->active = event->active;
}
static void on_writable(void *user, const unisono_context_event *event) {
  (void)event;
  ((listener *)user)->writables++;
}

static void on_chat(void *user, const unisono_chat_event *event) {
  listener *l = (listener *)user;
  if (event->entry->kind == UNISONO_CHAT_REACTION) l->reactions++;
  else l->said++;
  l->sender = event->entry->author;
  l->active = event->own;
  CHECK(event->entry->said != UNISONO_TIME_INVALID);
  CHECK(event->entry->item == NULL && event->entry->item_time == UNISONO_TIME_INVALID);
  EQUAL(event->is_history, 0);
  snprintf(l->text, sizeof l->text, "%s: %s", event->entry->name, event->entry->text);
}

static int count_of(unisono_session *session) {
  const unisono_participants *list = NULL;
  int count = 0;
  size_t i;
  if (unisono_session_participants(session, &list) != UNISONO_OK) return -1;
  for (i = 0; i < list->count; i++) count += list->items[i]->connection == UNISONO_CONNECTION_CONNECTED;
  unisono_free(list);
  return count;
}

static int speakers_of(unisono_session *session) {
  const unisono_participants *list = NULL;
  int count = 0;
  size_t i;
  if (unisono_session_participants(session, &list) != UNISONO_OK) return -1;
  for (i = 0; i < list->count; i++) count += list->items[i]->speaking;
  unisono_free(list);
  return count;
}

/* The same in the list that a coordinator of the session has of the others. */
static void finish(void *user, const unisono_command *command) {
  (void)user;
  unisono_coordinator_complete((unisono_coordinator *)command->base.source, command->id);
}

static int speakers_seen_with(unisono_session *session) {
  unisono_playback_delegate delegate = UNISONO_PLAYBACK_DELEGATE_INIT;
  unisono_coordinator *coordinator = NULL;
  const unisono_participants *list = NULL;
  int count = 0;
  size_t i;
  delegate.play = delegate.pause = delegate.seek = delegate.buffer = finish;
  EQUAL(unisono_coordinator_create(context, &delegate, NULL, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(coordinator, session), UNISONO_OK);
  unisono_context_poll(context, milliseconds(20));
  EQUAL(unisono_coordinator_other_participants(coordinator, &list), UNISONO_OK);
  EQUAL(list->count, 1);
  for (i = 0; i < list->count; i++) count += list->items[i]->speaking;
  unisono_free(list);
  unisono_coordinator_destroy(coordinator);
  return count;
}

static void begin(void) {
  static const char *const address[] = {"127.0.0.1:0"};
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  char invite[4096];
  size_t length = sizeof invite;
  int64_t end = unisono_host_time() + milliseconds(10000);
  memset(&of_ann, 0, sizeof of_ann);
  memset(&of_ben, 0, sizeof of_ben);
  callbacks.state = on_state;
  callbacks.message = on_message;
  callbacks.notice = on_notice;
  callbacks.foreground_requested = on_foreground;
  callbacks.speaking = on_speaking;
  callbacks.writable = on_writable;
  callbacks.chat = on_chat;
  hub.listen = address;
  hub.listen_count = 1;
  options.hub_options = &hub;
  options.display_name = "Ann";
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_session_host(context, &options, &callbacks, &of_ann, &ann), UNISONO_OK);
  EQUAL(unisono_session_send(ann, "x", 1, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_ESTATE);
  EQUAL(unisono_session_request_foreground(ann), UNISONO_ESTATE);
  EQUAL(unisono_session_set_speaking(ann, 1), UNISONO_ESTATE);
  EQUAL(unisono_session_invite(ann, invite, &length), UNISONO_OK);
  options.hub_options = NULL;
  options.display_name = "Ben";
  options.in_background = 1;
  EQUAL(unisono_session_open(context, invite, &options, &callbacks, &of_ben, &ben), UNISONO_OK);
  EQUAL(unisono_session_join(ann), UNISONO_OK);
  EQUAL(unisono_session_join(ben), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.joined, 1));
  CHECK(pump_until(context, &of_ben.joined, 1));
  while ((count_of(ann) < 2 || count_of(ben) < 2) && unisono_host_time() < end) {
    unisono_context_poll(context, milliseconds(20));
  }
  EQUAL(count_of(ann), 2);
}

static int is_id_of(unisono_session *session, const unisono_participant_id *id) {
  unisono_participant_id own;
  return unisono_session_local_participant(session, &own) == UNISONO_OK && memcmp(own.bytes, id->bytes, 16) == 0;
}

static void sending(void) {
  static unsigned char large[65537];
  unisono_participant_id nobody, ids[2];
  char type[129] = "";
  memset(&nobody, 7, sizeof nobody);
  memset(large, 9, sizeof large);
  begin();
  EQUAL(unisono_session_send(ben, "", 0, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.messages, 1));
  EQUAL(of_ann.length, 0);
  CHECK(is_id_of(ben, &of_ann.sender));
  EQUAL(unisono_session_send(ben, NULL, 0, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_OK);
  EQUAL(unisono_session_send(ben, large, 65536, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.messages, 3));
  EQUAL(of_ann.length, 65536);
  EQUAL(of_ann.first_byte, 9);
  EQUAL(of_ann.delivery, UNISONO_DELIVERY_RELIABLE);
  EQUAL(unisono_session_send(ben, "u", 1, UNISONO_DELIVERY_UNRELIABLE, NULL, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.messages, 4));
  EQUAL(of_ann.delivery, UNISONO_DELIVERY_UNRELIABLE);
  EQUAL(of_ben.messages, 0);
  /* Without a type it has none. */
  CHECK(strcmp(of_ann.type, "") == 0);
  EQUAL(of_ann.version, 0);
  EQUAL(unisono_session_send_typed(ben, "org.example.stroke", 4000000000u, "s", 1, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.messages, 5));
  CHECK(strcmp(of_ann.type, "org.example.stroke") == 0);
  EQUAL(of_ann.version, 4000000000u);
  EQUAL(of_ann.first_byte, 's');
  EQUAL(unisono_session_send_typed(ben, "u", 0, "", 0, UNISONO_DELIVERY_UNRELIABLE, NULL, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.messages, 6));
  CHECK(strcmp(of_ann.type, "u") == 0);
  EQUAL(of_ann.version, 0);
  of_ann.messages = 4;
  memset(type, 't', sizeof type - 1);
  EQUAL(unisono_session_send_typed(ben, type, 1, "x", 1, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_send_typed(ben, "\xff", 1, "x", 1, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_send(ben, large, 65537, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_ETOOBIG);
  EQUAL(unisono_session_send(ben, large, SIZE_MAX, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_ETOOBIG);
  EQUAL(unisono_session_send(ben, large, 1, (unisono_delivery)2, NULL, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_send(ben, large, 1, UNISONO_DELIVERY_RELIABLE, &nobody, 1), UNISONO_ENOTFOUND);
  EQUAL(unisono_session_send(ben, large, 1, UNISONO_DELIVERY_RELIABLE, &nobody, 257), UNISONO_EINVAL);
  EQUAL(unisono_session_send(ben, large, 1, UNISONO_DELIVERY_RELIABLE, &nobody, SIZE_MAX), UNISONO_EINVAL);
  /* To some: the own id is nobody else. */
  EQUAL(unisono_session_local_participant(ann, &ids[0]), UNISONO_OK);
  EQUAL(unisono_session_local_participant(ben, &ids[1]), UNISONO_OK);
  EQUAL(unisono_session_send(ben, "p", 1, UNISONO_DELIVERY_RELIABLE, ids, 2), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.messages, 5));
  EQUAL(of_ann.first_byte, 'p');
  EQUAL(unisono_session_send(ben, "q", 1, UNISONO_DELIVERY_RELIABLE, &ids[1], 1), UNISONO_OK);
  pump(context);
  EQUAL(of_ann.messages, 5);
  EQUAL(of_ben.messages, 0);
  unisono_context_destroy(context);
}

static void too_much(void) {
  static unsigned char large[65536];
  int taken = 0, status = UNISONO_OK;
  begin();
  while (taken < 64 && status == UNISONO_OK) {
    status = unisono_session_send(ben, large, sizeof large, UNISONO_DELIVERY_RELIABLE, NULL, 0);
    taken += status == UNISONO_OK;
  }
  EQUAL(status, UNISONO_EBUSY);
  CHECK(strstr(unisono_last_error(), "WRITABLE") != NULL);
  CHECK(pump_until(context, &of_ben.writables, 1));
  CHECK(pump_until(context, &of_ann.messages, taken));
  EQUAL(unisono_session_send(ben, "x", 1, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.messages, taken + 1));
  unisono_context_destroy(context);
}

static void talk(void) {
  static char long_text[2002];
  const unisono_chat *chat = NULL;
  uint64_t number = 0;
  int count;
  begin();
  memset(long_text, 'x', sizeof long_text - 1);
  EQUAL(unisono_session_chat(ann, "look\nthere", &number), UNISONO_OK);
  EQUAL(number, 1);
  CHECK(pump_until(context, &of_ben.said, 1));
  CHECK(pump_until(context, &of_ann.said, 1));
  CHECK(strcmp(of_ben.text, "Ann: look\nthere") == 0);
  CHECK(is_id_of(ann, &of_ben.sender));
  CHECK(of_ann.active == 1 && of_ben.active == 0);
  EQUAL(unisono_session_react(ben, "\xf0\x9f\x8e\x89"), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.reactions, 1));
  CHECK(strcmp(of_ann.text, "Ben: \xf0\x9f\x8e\x89") == 0);
  EQUAL(unisono_session_chat(ann, "", NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_chat(ann, "\x1b[2J", NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_chat(ann, "\xe2\x80\xaetxt", NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_chat(ann, "\xff", NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_chat(ann, long_text, NULL), UNISONO_ETOOBIG);
  EQUAL(unisono_session_react(ann, "a\nb"), UNISONO_EINVAL);
  EQUAL(unisono_session_react(ann, ""), UNISONO_EINVAL);
  EQUAL(unisono_session_react(ann, long_text), UNISONO_ETOOBIG);
  for (count = 1; count < 30; count++) {
    if (unisono_session_chat(ann, "more", NULL) == UNISONO_EBUSY) break;
  }
  EQUAL(count, 10);
  CHECK(strstr(unisono_last_error(), "more than 10 in 10 s; try again in ") != NULL);
  for (count = 1; count < 30; count++) {
    if (unisono_session_react(ben, "!") == UNISONO_EBUSY) break;
  }
  EQUAL(count, 20);
  CHECK(pump_until(context, &of_ben.said, 10));
  EQUAL(unisono_session_chat_history(ben, &chat), UNISONO_OK);
  EQUAL(chat->count, 10);
  for (count = 0; count < 10; count++) {
    EQUAL(chat->items[count]->number, count + 1);
    EQUAL(chat->items[count]->kind, UNISONO_CHAT_TEXT);
  }
  unisono_free(chat);
  unisono_context_destroy(context);
}

static void notices(void) {
  unisono_notice notice = UNISONO_NOTICE_INIT;
  static char long_text[300];
  int count;
  memset(long_text, 'x', sizeof long_text - 1);
  begin();
  notice.kind = UNISONO_NOTICE_SKIPPED;
  notice.amount = -15000000000;
  notice.text = "back";
  EQUAL(unisono_session_post_notice(ann, &notice), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.notices, 1));
  EQUAL(of_ben.kind, UNISONO_NOTICE_SKIPPED);
  EQUAL(of_ben.amount, -15000000000);
  CHECK(strcmp(of_ben.text, "back") == 0);
  CHECK(is_id_of(ann, &of_ben.sender));
  EQUAL(of_ann.notices, 0);
  notice.text = long_text;
  EQUAL(unisono_session_post_notice(ann, &notice), UNISONO_ETOOBIG);
  notice.text = NULL;
  notice.kind = (unisono_notice_kind)8;
  EQUAL(unisono_session_post_notice(ann, &notice), UNISONO_EINVAL);
  notice.kind = UNISONO_NOTICE_CUSTOM;
  for (count = 0; count < 30; count++) {
    if (unisono_session_post_notice(ben, &notice) == UNISONO_EBUSY) break;
  }
  EQUAL(count, 20);
  unisono_context_destroy(context);
}

static void presence(void) {
  begin();
  EQUAL(unisono_session_request_foreground(ann), UNISONO_OK);
  EQUAL(unisono_session_request_foreground(ann), UNISONO_EBUSY);
  CHECK(pump_until(context, &of_ben.foregrounds, 1));
  EQUAL(of_ben.active, 1);
  EQUAL(of_ben.in_background, 1);
  CHECK(is_id_of(ann, &of_ben.sender));
  EQUAL(unisono_session_set_speaking(ben, 5), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.speaking, 1));
  EQUAL(of_ann.active, 1);
  unisono_context_poll(context, 0);
  EQUAL(speakers_of(ann), 1);
  EQUAL(speakers_of(ben), 1);
  EQUAL(speakers_seen_with(ann), 1);
  EQUAL(speakers_seen_with(ben), 0);
  EQUAL(unisono_session_set_speaking(ben, 0), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.speaking, 2));
  EQUAL(of_ann.active, 0);
  EQUAL(of_ann.foregrounds, 0);
  unisono_context_destroy(context);
}

/* A loop that does not run takes only so many calls; what is owed is taken all the same. */
static void mailbox(void) {
  unisono_coordinator *alone = NULL;
  unisono_playback_delegate delegate = player_delegate();
  static player p;
  uint64_t token = 0;
  int count = 0, status = UNISONO_OK;
  memset(&p, 0, sizeof p);
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &p, &alone), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(alone, "a", NULL), UNISONO_OK);
  while (count < 100000 && status == UNISONO_OK) {
    status = unisono_coordinator_coordinate_seek(alone, count, 0);
    count += status == UNISONO_OK;
  }
  EQUAL(status, UNISONO_EFULL);
  CHECK(count > 1000 && count < 20000);
  EQUAL(unisono_context_call_at(context, 1, NULL, NULL, &token), UNISONO_EINVAL);
  pump(context);
  EQUAL(unisono_coordinator_coordinate_seek(alone, 1, 0), UNISONO_OK);
  pump(context);
  unisono_context_destroy(context);
}

/* A notice as received is a sentence, with its parts; a host fills in what other events say. */
static void sentences(void) {
  unisono_notice notice = UNISONO_NOTICE_INIT;
  char text[1024];
  size_t length = sizeof text;
  notice.kind = UNISONO_NOTICE_SKIPPED;
  notice.name = "Ann";
  notice.amount = milliseconds(-15000);
  EQUAL(unisono_notice_text(&notice, text, &length), UNISONO_OK);
  CHECK(strcmp(text, "Ann skipped 15 s back") == 0);
  EQUAL(length, strlen(text) + 1);
  notice.item_time = milliseconds(3723000);
  EQUAL(unisono_notice_text(&notice, text, &length), UNISONO_EINVAL); /* no flag */
  notice.flags = UNISONO_HAS_POSITION;
  length = sizeof text;
  EQUAL(unisono_notice_text(&notice, text, &length), UNISONO_OK);
  CHECK(strcmp(text, "Ann sought to 1:02:03") == 0);
  length = 5;
  EQUAL(unisono_notice_text(&notice, text, &length), UNISONO_ETOOBIG);
  EQUAL(length, strlen("Ann sought to 1:02:03") + 1);
  CHECK(text[0] == 0);
  notice.kind = UNISONO_NOTICE_WAITED_FOR;
  notice.text = UNISONO_REASON_STALL_RECOVERY;
  length = sizeof text;
  EQUAL(unisono_notice_text(&notice, text, &length), UNISONO_OK);
  CHECK(strcmp(text, "Waiting for Ann (stall-recovery)") == 0);
  notice.kind = UNISONO_NOTICE_PRESENT;
  length = sizeof text;
  EQUAL(unisono_notice_text(&notice, text, &length), UNISONO_OK);
  CHECK(strcmp(text, "Ann is here") == 0);
  notice.kind = UNISONO_NOTICE_ELSEWHERE;
  notice.text = "film 2";
  length = sizeof text;
  EQUAL(unisono_notice_text(&notice, text, &length), UNISONO_OK);
  CHECK(strcmp(text, "Ann is at another item: film 2") == 0);
  notice.kind = (unisono_notice_kind)14;
  EQUAL(unisono_notice_text(&notice, text, &length), UNISONO_EINVAL);
  notice.kind = UNISONO_NOTICE_LEFT;
  notice.name = "\xff";
  EQUAL(unisono_notice_text(&notice, text, &length), UNISONO_EINVAL);
  notice.size = 56; /* of API 0.1 */
  length = sizeof text;
  EQUAL(unisono_notice_text(&notice, text, &length), UNISONO_OK);
  CHECK(strcmp(text, "Somebody left") == 0);
}

void test_messages(void) {
  run_test("F34 messages come with their sender; sizes, ids and states are checked", sending);
  run_test("F34 what is too much is EBUSY, and nothing that was taken is lost", too_much);
  run_test("F35 notices of one's own, 20 in a second", notices);
  run_test("F14 F35 a notice is a sentence, as received or as filled by the host", sentences);
  run_test("F81 what is said reaches everybody, is kept, and is judged before it is said", talk);
  run_test("F36 F28 asking to the front, speaking", presence);
  run_test("a loop that lags refuses calls with EFULL and goes on", mailbox);
}
