/* Two sessions in one process, over loopback: host, open, join, play together, leave, end. */
#include "harness.h"

#include <stdlib.h>

typedef struct {
  int states, joined, invalidated, participants, complete, activities, released;
  int reason, last_joined_count, left;
  int notices, last_notice;
  char news[1024]; /* of people who came and went */
  char sentence[1024];
  unisono_participant_id last_originator;
  char activity[64];
  int activity_is_local;
  int messages, refusals, schedules, last_schedule;
  int64_t calendar, countdown[16]; /* what was left, as REMAINING said it */
  int countdowns;
  char message[64], message_item[64];
  int64_t message_time, message_place; /* host time, item time */
  int closed, opened;
} watcher;

static void on_state(void *user, const unisono_session_state_event *event) {
  watcher *w = (watcher *)user;
  w->states++;
  if (event->closed) w->closed = 1;
  if (w->closed && !event->closed) w->opened = 1;
  if (event->state == UNISONO_SESSION_JOINED) w->joined = 1;
  if (event->state == UNISONO_SESSION_INVALIDATED) {
    w->invalidated++;
    w->reason = event->reason;
  }
  CHECK(event->message != NULL);
}
static void on_participants(void *user, const unisono_participants_change *change) {
  watcher *w = (watcher *)user;
  if (w->participants++ == 0) w->complete = change->is_complete;
  w->left += (int)change->left_count;
}
static void on_activity(void *user, const unisono_activity_event *event) {
  watcher *w = (watcher *)user;
  w->activities++;
  snprintf(w->activity, sizeof w->activity, "%s", event->activity ? event->activity->identifier : "");
  w->activity_is_local = event->is_local;
}
static void on_notice(void *user, const unisono_notice_event *event) {
  watcher *w = (watcher *)user;
  size_t room = sizeof w->news - strlen(w->news);
  CHECK(event->notice != NULL && event->notice->size == sizeof(unisono_notice));
  if (event->notice->kind >= UNISONO_NOTICE_JOINED) {
    EQUAL(unisono_notice_text(event->notice, w->news + strlen(w->news), &room), UNISONO_OK);
    strcat(w->news, ". ");
    return;
  }
  w->last_notice = event->notice->kind;
  w->last_originator = event->notice->originator;
  size_t length = sizeof w->sentence;
  EQUAL(unisono_notice_text(event->notice, w->sentence, &length), UNISONO_OK);
  w->notices++;
}
static void on_message(void *user, const unisono_message *event) {
  watcher *w = (watcher *)user;
  w->message_time = unisono_host_time();
  w->message_place = event->item_time;
  snprintf(w->message, sizeof w->message, "%.*s", (int)event->length, (const char *)event->data);
  snprintf(w->message_item, sizeof w->message_item, "%s", event->item);
  w->messages++;
}
static void on_refusal(void *user, const unisono_error_event *event) {
  EQUAL(event->status, UNISONO_EBUSY);
  CHECK(strcmp(event->operation, "unisono_session_send_at") == 0);
  ((watcher *)user)->refusals++;
}
static void on_schedule(void *user, const unisono_schedule_event *event) {
  watcher *w = (watcher *)user;
  CHECK(event->start != NULL && event->start->item != NULL);
  w->last_schedule = (int)event->change;
  w->calendar = event->start->calendar_time;
  if (event->change == UNISONO_SCHEDULE_REMAINING && w->countdowns < 16) w->countdown[w->countdowns++] = event->remaining;
  w->schedules++;
}
static void on_session_released(void *user) { ((watcher *)user)->released++; }

static unisono_session_callbacks watching(void) {
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  callbacks.state = on_state;
  callbacks.participants = on_participants;
  callbacks.activity = on_activity;
  callbacks.notice = on_notice;
  callbacks.message = on_message;
  callbacks.error = on_refusal;
  callbacks.schedule = on_schedule;
  callbacks.released = on_session_released;
  return callbacks;
}

static unisono_context *context;
static unisono_session *host, *guest;
static unisono_coordinator *one, *other;
static watcher host_watcher, guest_watcher;
static player host_player, guest_player;

static void begin(void) {
  static const char *const address[] = {"127.0.0.1:0"};
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = watching();
  unisono_playback_delegate delegate = player_delegate();
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  char invite[4096];
  size_t length = sizeof invite;
  memset(&host_watcher, 0, sizeof host_watcher);
  memset(&guest_watcher, 0, sizeof guest_watcher);
  memset(&host_player, 0, sizeof host_player);
  memset(&guest_player, 0, sizeof guest_player);
  host_player.completes = guest_player.completes = 1;
  hub.listen = address;
  hub.listen_count = 1;
  activity.identifier = "org.example.movie";
  activity.type = UNISONO_ACTIVITY_WATCH_TOGETHER;
  options.hub_options = &hub;
  options.display_name = "Ann";
  options.activity = &activity;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_session_host(context, &options, &callbacks, &host_watcher, &host), UNISONO_OK);
  EQUAL(unisono_session_get_state(host), UNISONO_SESSION_WAITING);
  EQUAL(unisono_session_invite(host, invite, &length), UNISONO_OK);
  EQUAL(length, strlen(invite) + 1);
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.display_name = "Ben";
  EQUAL(unisono_session_open(context, invite, &options, &callbacks, &guest_watcher, &guest), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &host_player, &one), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &guest_player, &other), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(one, host), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(other, guest), UNISONO_OK);
}

static void join_both(void) {
  EQUAL(unisono_session_join(host), UNISONO_OK);
  CHECK(pump_until(context, &host_watcher.joined, 1));
  EQUAL(unisono_session_join(guest), UNISONO_OK);
  EQUAL(unisono_session_join(guest), UNISONO_OK);
  CHECK(pump_until(context, &guest_watcher.joined, 1));
}

static int participants_of(unisono_session *session) {
  const unisono_participants *list = NULL;
  int count;
  if (unisono_session_participants(session, &list) != UNISONO_OK) return -1;
  count = (int)list->count;
  unisono_free(list);
  return count;
}

static void see_each_other(void) {
  const unisono_participants *list = NULL;
  int64_t end = unisono_host_time() + milliseconds(10000);
  while ((participants_of(host) < 2 || participants_of(guest) < 2) && unisono_host_time() < end) {
    unisono_context_poll(context, milliseconds(20));
  }
  EQUAL(participants_of(host), 2);
  EQUAL(participants_of(guest), 2);
  EQUAL(unisono_session_participants(guest, &list), UNISONO_OK);
  if (list && list->count == 2) {
    int a = strcmp(list->items[0]->display_name, "Ann") == 0 ? 0 : 1;
    CHECK(strcmp(list->items[a]->display_name, "Ann") == 0);
    CHECK(strcmp(list->items[1 - a]->display_name, "Ben") == 0);
    EQUAL(list->items[a]->role, UNISONO_ROLE_OWNER);
    EQUAL(list->items[a]->is_local, 0);
    EQUAL(list->items[1 - a]->is_local, 1);
    CHECK(memcmp(list->items[0]->id.bytes, list->items[1]->id.bytes, 16) < 0);
  }
  unisono_free(list);
}

static void joining(void) {
  unisono_participant_id id;
  unisono_coordinator *third = NULL;
  unisono_session_statistics stats = UNISONO_SESSION_STATISTICS_INIT;
  player nobody;
  unisono_playback_delegate delegate = player_delegate();
  memset(&nobody, 0, sizeof nobody);
  begin();
  join_both();
  EQUAL(unisono_session_get_state(guest), UNISONO_SESSION_JOINED);
  EQUAL(unisono_session_connection(guest), UNISONO_CONNECTION_CONNECTED);
  see_each_other();
  EQUAL(host_watcher.complete, 1);
  EQUAL(guest_watcher.complete, 1);
  CHECK(strcmp(guest_watcher.activity, "org.example.movie") == 0);
  EQUAL(unisono_session_local_participant(host, &id), UNISONO_OK);
  EQUAL(unisono_session_get_statistics(guest, &stats), UNISONO_OK);
  CHECK(stats.messages_received > 0);
  EQUAL(unisono_coordinator_create(context, &delegate, &nobody, &third), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(third, host), UNISONO_EBUSY);
  unisono_context_destroy(context);
  EQUAL(host_watcher.released, 1);
  EQUAL(guest_watcher.released, 1);
  EQUAL(host_player.released, 1);
}

/* Until the guest knows the session's time, for 10 s at most. */
static void until_clock(unisono_clock *clock) {
  int64_t end = unisono_host_time() + milliseconds(10000);
  while (unisono_session_clock(guest, clock) != UNISONO_OK && unisono_host_time() < end) {
    unisono_context_poll(context, milliseconds(20));
  }
}

static void together(void) {
  int64_t here = 0, there = 1, now;
  unisono_clock clock = UNISONO_CLOCK_INIT;
  begin();
  join_both();
  see_each_other();
  EQUAL(unisono_coordinator_transition_to_item(one, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(other, "movie", NULL), UNISONO_OK);
  pump(context);
  until_clock(&clock);
  CHECK(clock.state != UNISONO_CLOCK_NONE);
  CHECK(clock.epoch >= 1);
  EQUAL(unisono_coordinator_coordinate_rate_change(other, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &host_player.plays, 1));
  CHECK(pump_until(context, &guest_player.plays, 1));
  CHECK(host_player.last.is_local == 0);
  CHECK(guest_player.last.is_local == 1);
  now = unisono_host_time();
  EQUAL(unisono_coordinator_expected_item_time(one, now, &here), UNISONO_OK);
  EQUAL(unisono_coordinator_expected_item_time(other, now, &there), UNISONO_OK);
  CHECK(here - there < milliseconds(20) && there - here < milliseconds(20));
  EQUAL(unisono_coordinator_coordinate_rate_change(one, 0, 0), UNISONO_OK);
  CHECK(pump_until(context, &guest_player.pauses, guest_player.pauses + 1));
  EQUAL(unisono_coordinator_coordinate_seek(one, milliseconds(90000), 0), UNISONO_OK);
  CHECK(pump_until(context, &guest_player.seeks, guest_player.seeks + 1));
  EQUAL(guest_player.last.item_time, milliseconds(90000));
  EQUAL(guest_player.last.is_local, 0);
  unisono_context_destroy(context);
}

/* Both on "movie", the guest's clock known, playing by the guest's request. */
static void play_both(void) {
  unisono_clock clock = UNISONO_CLOCK_INIT;
  begin();
  join_both();
  see_each_other();
  EQUAL(unisono_coordinator_transition_to_item(one, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(other, "movie", NULL), UNISONO_OK);
  pump(context);
  until_clock(&clock);
  EQUAL(unisono_coordinator_coordinate_rate_change(other, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &host_player.plays, 1));
  CHECK(pump_until(context, &guest_player.plays, 1));
}

static void noticing(void) {
  unisono_participant_id ben;
  play_both();
  EQUAL(unisono_session_local_participant(guest, &ben), UNISONO_OK);
  CHECK(pump_until(context, &host_watcher.notices, 1));
  EQUAL(host_watcher.last_notice, UNISONO_NOTICE_PLAYED);
  CHECK(strcmp(host_watcher.sentence, "Ben pressed play") == 0);
  CHECK(memcmp(&host_watcher.last_originator, &ben, sizeof ben) == 0);
  EQUAL(unisono_coordinator_coordinate_rate_change(other, 0, 0), UNISONO_OK);
  CHECK(pump_until(context, &host_watcher.notices, 2));
  EQUAL(host_watcher.last_notice, UNISONO_NOTICE_PAUSED);
  EQUAL(guest_watcher.notices, 0);
  unisono_context_destroy(context);
}

static void stalling(void) {
  unisono_stall_policy policy = UNISONO_STALL_POLICY_INIT;
  unisono_playback_report report = UNISONO_PLAYBACK_REPORT_INIT;
  int64_t time = 0;
  play_both();
  policy.wait = 1;
  policy.debounce = milliseconds(1);
  EQUAL(unisono_coordinator_set_stall_policy(one, &policy), UNISONO_OK);
  pump(context);
  guest_player.completes = 0;
  EQUAL(unisono_coordinator_expected_item_time(other, unisono_host_time(), &time), UNISONO_OK);
  report.stalled = 1;
  report.item_time = time;
  report.host_time = unisono_host_time();
  report.flags = UNISONO_HAS_POSITION;
  EQUAL(unisono_coordinator_report(other, &report), UNISONO_OK);
  /* The running group stands, until the one that stalls is ready. */
  CHECK(pump_until(context, &host_player.seeks, 1));
  CHECK(pump_until(context, &guest_player.seeks, 1));
  EQUAL(host_player.last.cause, UNISONO_CAUSE_STALL);
  EQUAL(host_player.last_timing_status, UNISONO_TIMING_WAITING);
  EQUAL(unisono_coordinator_complete(other, guest_player.last.id), UNISONO_OK);
  CHECK(pump_until(context, &host_player.plays, 2));
  CHECK(pump_until(context, &guest_player.plays, 2));
  unisono_context_destroy(context);
}

static void guest_reports(double rate) {
  unisono_playback_report report = UNISONO_PLAYBACK_REPORT_INIT;
  report.rate = rate;
  report.host_time = unisono_host_time();
  EQUAL(unisono_coordinator_expected_item_time(other, report.host_time, &report.item_time), UNISONO_OK);
  report.flags = UNISONO_HAS_POSITION;
  EQUAL(unisono_coordinator_report(other, &report), UNISONO_OK);
}

static void pump_past(int64_t host_time) {
  while (unisono_host_time() <= host_time) unisono_context_poll(context, milliseconds(5));
}

static int is_nobody(const unisono_participant_id *id) {
  static const unisono_participant_id nobody = {{0}};
  return memcmp(id, &nobody, sizeof nobody) == 0;
}

/* Whether the guest is suspended for this reason in the host's list of others; NULL: for none. */
static int guest_is_suspended_for(const char *reason) {
  const unisono_participants *others = NULL;
  int is = 0;
  EQUAL(unisono_coordinator_other_participants(one, &others), UNISONO_OK);
  if (others->count == 1) {
    const unisono_participant *ben = others->items[0];
    is = reason == NULL ? ben->suspension_reason_count == 0
                        : ben->suspension_reason_count == 1 && strcmp(ben->suspension_reasons[0], reason) == 0;
  }
  unisono_free(others);
  return is;
}

static int pump_until_guest_is_suspended_for(const char *reason) {
  int64_t end = unisono_host_time() + milliseconds(10000);
  while (!guest_is_suspended_for(reason) && unisono_host_time() < end) unisono_context_poll(context, milliseconds(20));
  return guest_is_suspended_for(reason);
}

/* F18: the guest's engine stops by itself, three times; the fourth time it is left alone. */
static void bypassed(void) {
  int plays, hosts, suspensions;
  play_both();
  hosts = host_player.plays;
  for (int i = 0; i < 3; i++) {
    plays = guest_player.plays;
    pump_past(guest_player.last.host_time);
    guest_reports(1);
    guest_reports(0);
    CHECK(pump_until(context, &guest_player.plays, plays + 1));
    EQUAL(guest_player.last.cause, UNISONO_CAUSE_REAPPLY);
  }
  plays = guest_player.plays;
  suspensions = guest_player.suspensions;
  pump_past(guest_player.last.host_time);
  guest_reports(1);
  guest_reports(0);
  CHECK(pump_until(context, &guest_player.suspensions, suspensions + 1));
  EQUAL(guest_player.suspension_count, 1);
  EQUAL(guest_player.plays, plays);
  CHECK(pump_until_guest_is_suspended_for(UNISONO_REASON_COORDINATED_PLAYBACK_NOT_POSSIBLE));
  EQUAL(host_player.plays, hosts);
  EQUAL(host_player.pauses, 0);
  EQUAL(unisono_coordinator_coordinate_rate_change(one, 0, 0), UNISONO_OK);
  CHECK(pump_until(context, &guest_player.pauses, 1));
  CHECK(pump_until(context, &guest_player.suspensions, suspensions + 2));
  EQUAL(guest_player.suspension_count, 0);
  CHECK(pump_until_guest_is_suspended_for(NULL));
  unisono_context_destroy(context);
}

/* What the guest says is held against it half a second after it was told to stand, and from the instant at which it was to begin. */
static int64_t judged_from(double told) {
  return told == 0 ? unisono_host_time() + milliseconds(550) : guest_player.play.host_time;
}

/* The guest's engine does as it was told, and then by itself something else, four times; these are what it is told again, and who
 * hears nothing of it. */
static void goes_its_own_way(double told, double does, const int *again) {
  int i, before, suspensions = guest_player.suspensions;
  const int plays = host_player.plays, pauses = host_player.pauses, seeks = host_player.seeks;
  CHECK(pump_until_guest_is_suspended_for(NULL));
  for (i = 0; i < 3; i++) {
    before = *again;
    pump_past(judged_from(told));
    guest_reports(told);
    guest_reports(does);
    CHECK(pump_until(context, again, before + 1));
    EQUAL(guest_player.last.cause, UNISONO_CAUSE_REAPPLY);
    CHECK(is_nobody(&guest_player.last.originator));
    EQUAL(guest_player.last.rate, told);
    EQUAL(guest_player.suspensions, suspensions);
  }
  before = *again;
  pump_past(judged_from(told));
  guest_reports(told);
  guest_reports(does);
  CHECK(pump_until(context, &guest_player.suspensions, suspensions + 1));
  EQUAL(guest_player.suspension_count, 1);
  EQUAL(*again, before);
  CHECK(pump_until_guest_is_suspended_for(UNISONO_REASON_COORDINATED_PLAYBACK_NOT_POSSIBLE));
  EQUAL(host_player.plays, plays);
  EQUAL(host_player.pauses, pauses);
  EQUAL(host_player.seeks, seeks);
}

/* F18: the guest's engine plays on by itself while all stand. */
static void bypassed_standing(void) {
  int plays;
  play_both();
  pump_past(guest_player.play.host_time);
  EQUAL(unisono_coordinator_coordinate_rate_change(one, 0, 0), UNISONO_OK);
  CHECK(pump_until(context, &guest_player.pauses, 1));
  CHECK(pump_until(context, &host_player.pauses, 1));
  goes_its_own_way(0, 1, &guest_player.pauses);
  /* The next command finds it well. */
  plays = guest_player.plays;
  EQUAL(unisono_coordinator_coordinate_rate_change(one, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &guest_player.plays, plays + 1));
  EQUAL(guest_player.suspension_count, 0);
  CHECK(pump_until_guest_is_suspended_for(NULL));
  unisono_context_destroy(context);
}

/* F18: the guest's engine plays half as fast again by itself. */
static void bypassed_in_speed(void) {
  int plays;
  play_both();
  goes_its_own_way(1, 1.5, &guest_player.plays);
  plays = guest_player.plays;
  EQUAL(unisono_coordinator_coordinate_rate_change(one, 2, 0), UNISONO_OK);
  CHECK(pump_until(context, &guest_player.plays, plays + 1));
  EQUAL(guest_player.play.rate, 2);
  EQUAL(guest_player.suspension_count, 0);
  CHECK(pump_until_guest_is_suspended_for(NULL));
  unisono_context_destroy(context);
}

/* A command to get ready for a start: at the rate 1, until a time that is still to come. */
static void is_in_anticipation(const unisono_command *command, int64_t item_time) {
  EQUAL(command->item_time, item_time);
  EQUAL(command->rate, 0);
  EQUAL(command->host_time, UNISONO_TIME_INVALID);
  EQUAL(command->anticipated_rate, 1);
  CHECK(command->due_host_time > command->base.host_time && command->due_host_time <= command->base.host_time + milliseconds(10500));
}

/* What needs not be ready for anything. */
static void is_not_in_anticipation(const unisono_command *command) {
  EQUAL(command->due_host_time, UNISONO_TIME_INVALID);
  EQUAL(command->anticipated_rate, 0);
  EQUAL(command->buffer_in_anticipation, 0);
}

/* F3: the guest plays, seeks while it plays, pauses, and seeks while all stand: what each of both is told says all that it needs. */
static void command_fields(void) {
  const player *both[] = {&host_player, &guest_player};
  unisono_participant_id ben;
  int64_t asked = unisono_host_time();
  int i;
  play_both();
  EQUAL(unisono_session_local_participant(guest, &ben), UNISONO_OK);
  for (i = 0; i < 2; i++) {
    EQUAL(both[i]->buffers, 1);
    is_in_anticipation(&both[i]->buffer, 0);
    EQUAL(both[i]->buffer.buffer_in_anticipation, 0); /* of a seek only */
    EQUAL(both[i]->buffer.cause, UNISONO_CAUSE_PLAY);
    is_not_in_anticipation(&both[i]->play);
    EQUAL(both[i]->play.rate, 1);
    EQUAL(both[i]->play.item_time, 0);
    CHECK(both[i]->play.host_time > asked);
    EQUAL(both[i]->play.cause, UNISONO_CAUSE_PLAY);
    EQUAL(both[i]->play.is_local, i);
  }
  EQUAL(unisono_coordinator_coordinate_seek(other, milliseconds(90000), 0), UNISONO_OK);
  for (i = 0; i < 2; i++) {
    CHECK(pump_until(context, &both[i]->plays, 2));
    EQUAL(both[i]->seeks, 1);
    is_in_anticipation(&both[i]->seek, milliseconds(90000));
    EQUAL(both[i]->seek.buffer_in_anticipation, 1);
    EQUAL(both[i]->seek.cause, UNISONO_CAUSE_SEEK);
    is_not_in_anticipation(&both[i]->play);
    EQUAL(both[i]->play.item_time, milliseconds(90000));
  }
  pump_past(host_player.play.host_time);
  EQUAL(unisono_coordinator_coordinate_rate_change(other, 0, 0), UNISONO_OK);
  for (i = 0; i < 2; i++) {
    CHECK(pump_until(context, &both[i]->pauses, 1));
    is_not_in_anticipation(&both[i]->pause);
    EQUAL(both[i]->pause.rate, 0);
    EQUAL(both[i]->pause.host_time, UNISONO_TIME_INVALID);
    EQUAL(both[i]->pause.snap, 0);
    EQUAL(both[i]->pause.cause, UNISONO_CAUSE_PAUSE);
  }
  EQUAL(unisono_coordinator_coordinate_seek(other, milliseconds(30000), 0), UNISONO_OK);
  for (i = 0; i < 2; i++) {
    CHECK(pump_until(context, &both[i]->seeks, 2));
    is_not_in_anticipation(&both[i]->seek);
    EQUAL(both[i]->seek.item_time, milliseconds(30000));
    EQUAL(both[i]->seek.rate, 0);
    EQUAL(both[i]->seek.host_time, UNISONO_TIME_INVALID);
    CHECK(strcmp(both[i]->last_item, "movie") == 0);
  }
  /* Whose doing it was only the other is told: to oneself nobody is named. */
  CHECK(is_nobody(&guest_player.play.originator) && is_nobody(&guest_player.pause.originator));
  CHECK(is_nobody(&guest_player.seek.originator) && is_nobody(&guest_player.buffer.originator));
  CHECK(memcmp(&host_player.play.originator, &ben, sizeof ben) == 0 && memcmp(&host_player.pause.originator, &ben, sizeof ben) == 0);
  CHECK(memcmp(&host_player.seek.originator, &ben, sizeof ben) == 0 && memcmp(&host_player.buffer.originator, &ben, sizeof ben) == 0);
  unisono_context_destroy(context);
}

/* The other commanded last, while this one was apart: that it goes where the group is by then is nobody's doing. */
static void rejoining(void) {
  unisono_suspension *suspension = NULL;
  int plays;
  play_both();
  EQUAL(unisono_coordinator_begin_suspension(other, UNISONO_REASON_USER_ACTION_REQUIRED, &suspension), UNISONO_OK);
  CHECK(pump_until_guest_is_suspended_for(UNISONO_REASON_USER_ACTION_REQUIRED));
  plays = host_player.plays;
  EQUAL(unisono_coordinator_coordinate_seek(one, milliseconds(50000), 0), UNISONO_OK);
  CHECK(pump_until(context, &host_player.plays, plays + 1));
  plays = guest_player.plays;
  EQUAL(unisono_suspension_end(suspension), UNISONO_OK);
  CHECK(pump_until(context, &guest_player.plays, plays + 1));
  EQUAL(guest_player.play.cause, UNISONO_CAUSE_REJOIN);
  CHECK(is_nobody(&guest_player.play.originator));
  EQUAL(guest_player.play.is_local, 0);
  CHECK(guest_player.play.item_time >= milliseconds(50000));
  CHECK(pump_until_guest_is_suspended_for(NULL));
  unisono_suspension_destroy(suspension);
  unisono_context_destroy(context);
}

/* F92: the guest's message comes when the host's film is there, not when it was sent. */
static void at_a_place(void) {
  int64_t here = 0, place, at;
  play_both();
  EQUAL(unisono_coordinator_expected_item_time(one, unisono_host_time(), &here), UNISONO_OK);
  place = here + milliseconds(700);
  EQUAL(unisono_session_send_at(guest, "movie", place, NULL, 0, "now", 3, NULL, 0), UNISONO_OK);
  EQUAL(unisono_session_send_at(guest, "another", place, "t", 1, "never", 5, NULL, 0), UNISONO_OK);
  EQUAL(unisono_session_send(guest, "at once", 7, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_OK);
  CHECK(pump_until(context, &host_watcher.messages, 1));
  CHECK(strcmp(host_watcher.message, "at once") == 0);
  CHECK(strcmp(host_watcher.message_item, "") == 0);
  CHECK(pump_until(context, &host_watcher.messages, 2));
  CHECK(strcmp(host_watcher.message, "now") == 0);
  CHECK(strcmp(host_watcher.message_item, "movie") == 0);
  EQUAL(host_watcher.message_place, place);
  EQUAL(unisono_coordinator_expected_item_time(one, host_watcher.message_time, &at), UNISONO_OK);
  CHECK(at - place > -milliseconds(1) && at - place < milliseconds(50));
  EQUAL(guest_watcher.messages, 0);
  /* A jump over the place does not deliver it; what stands there does. */
  EQUAL(unisono_session_send_at(guest, "movie", milliseconds(500000), NULL, 0, "later", 5, NULL, 0), UNISONO_OK);
  EQUAL(unisono_session_send(guest, "", 0, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_OK);
  CHECK(pump_until(context, &host_watcher.messages, 3));
  EQUAL(unisono_coordinator_coordinate_rate_change(one, 0, 0), UNISONO_OK);
  CHECK(pump_until(context, &host_player.pauses, 1));
  EQUAL(unisono_coordinator_coordinate_seek(one, milliseconds(600000), 0), UNISONO_OK);
  CHECK(pump_until(context, &host_player.seeks, 1));
  pump(context);
  EQUAL(host_watcher.messages, 3);
  EQUAL(unisono_coordinator_coordinate_seek(one, milliseconds(500000), 0), UNISONO_OK);
  CHECK(pump_until(context, &host_watcher.messages, 4));
  CHECK(strcmp(host_watcher.message, "later") == 0);
  /* Of one participant 64 wait, "never" among them. */
  for (int i = 0; i < 70; i++) {
    EQUAL(unisono_session_send_at(guest, "another", i, NULL, 0, "", 0, NULL, 0), UNISONO_OK);
  }
  CHECK(pump_until(context, &guest_watcher.refusals, 7));
  EQUAL(unisono_session_send_at(guest, "", 0, NULL, 0, "", 0, NULL, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_send_at(guest, "movie", UNISONO_TIME_INVALID, NULL, 0, "", 0, NULL, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_send_at(guest, "movie", 0, "", 0, "", 0, NULL, 0), UNISONO_EINVAL);
  unisono_context_destroy(context);
}

/* Of the four seconds it is told the last three, each once and in time; the fourth, too, where it began to count before that. */
static void counted_down(const watcher *w) {
  int i;
  CHECK(w->countdowns == 3 || w->countdowns == 4);
  for (i = 0; i < w->countdowns; i++) {
    const int64_t left = milliseconds(1000) * (w->countdowns - i);
    CHECK(w->countdown[i] <= left + milliseconds(5) && w->countdown[i] > left - milliseconds(500));
  }
}

/* F93: both begin at the instant, by the call of one; what is called off does not begin. */
static void at_a_time(void) {
  const unisono_scheduled_start *start = NULL;
  unisono_clock clock = UNISONO_CLOCK_INIT;
  int64_t instant, end, here = 0, there = 0, now;
  begin();
  EQUAL(unisono_session_schedule_start(host, "movie", unisono_host_time() + milliseconds(1000), 0), UNISONO_ESTATE);
  join_both();
  see_each_other();
  EQUAL(unisono_coordinator_transition_to_item(one, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(other, "movie", NULL), UNISONO_OK);
  pump(context);
  until_clock(&clock);
  instant = unisono_host_time() + milliseconds(4000);
  EQUAL(unisono_session_schedule_start(guest, "movie", instant, milliseconds(77)), UNISONO_OK);
  CHECK(pump_until(context, &host_watcher.schedules, 1));
  EQUAL(host_watcher.last_schedule, UNISONO_SCHEDULE_SET);
  EQUAL(host_watcher.calendar, milliseconds(77));
  EQUAL(unisono_session_scheduled_start(host, &start), UNISONO_OK);
  CHECK(start != NULL && strcmp(start->item, "movie") == 0);
  CHECK(start != NULL && start->host_time - instant < milliseconds(5) && instant - start->host_time < milliseconds(5));
  unisono_free(start);
  CHECK(pump_until(context, &host_player.plays, 1));
  CHECK(pump_until(context, &guest_player.plays, 1));
  CHECK(host_player.last.host_time - instant < milliseconds(20) && instant - host_player.last.host_time < milliseconds(20));
  pump_past(instant + milliseconds(100));
  counted_down(&host_watcher);
  counted_down(&guest_watcher);
  EQUAL(host_watcher.last_schedule, UNISONO_SCHEDULE_DUE);
  now = unisono_host_time();
  EQUAL(unisono_coordinator_expected_item_time(one, now, &here), UNISONO_OK);
  EQUAL(unisono_coordinator_expected_item_time(other, now, &there), UNISONO_OK);
  CHECK(here - (now - instant) < milliseconds(20) && (now - instant) - here < milliseconds(20));
  CHECK(here - there < milliseconds(20) && there - here < milliseconds(20));
  EQUAL(unisono_session_scheduled_start(host, &start), UNISONO_OK);
  CHECK(start == NULL);
  EQUAL(unisono_session_schedule_start(host, "", instant, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_schedule_start(host, "movie", instant, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_schedule_start(host, "movie", UNISONO_TIME_INVALID, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_schedule_start(host, "movie", INT64_MAX, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_schedule_start(host, "movie", unisono_host_time() + milliseconds(60000), UNISONO_TIME_INVALID), UNISONO_OK);
  EQUAL(unisono_session_cancel_start(guest), UNISONO_OK);
  end = unisono_host_time() + milliseconds(10000);
  while (host_watcher.last_schedule != UNISONO_SCHEDULE_CANCELED && unisono_host_time() < end) {
    EQUAL(unisono_session_cancel_start(guest), UNISONO_OK);
    unisono_context_poll(context, milliseconds(20));
  }
  EQUAL(host_watcher.last_schedule, UNISONO_SCHEDULE_CANCELED);
  unisono_context_destroy(context);
}

/* F84: the first start waits for the guest's person, who says so, and is seen to; its leaving pauses the group. */
static void persons_are_waited_for(void) {
  unisono_start_policy policy = UNISONO_START_POLICY_INIT;
  const unisono_waiting_for *waiting = NULL;
  const unisono_participants *others = NULL;
  unisono_participant_id ben;
  size_t count = 0;
  int64_t end = unisono_host_time() + milliseconds(10000);
  begin();
  join_both();
  see_each_other();
  EQUAL(unisono_session_local_participant(guest, &ben), UNISONO_OK);
  policy.start = UNISONO_START_FIRST_WHEN_READY;
  policy.leaving = UNISONO_LEAVING_PAUSE;
  EQUAL(unisono_coordinator_set_start_policy(one, &policy), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(one, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(other, "movie", NULL), UNISONO_OK);
  do {
    unisono_context_poll(context, milliseconds(20));
    EQUAL(unisono_coordinator_get_start_policy(other, &policy), UNISONO_OK);
  } while (policy.start != UNISONO_START_FIRST_WHEN_READY && unisono_host_time() < end);
  EQUAL(policy.limit, milliseconds(60000));
  EQUAL(policy.leaving, UNISONO_LEAVING_PAUSE);
  EQUAL(unisono_coordinator_coordinate_rate_change(one, 1, 0), UNISONO_OK);
  do {
    if (waiting != NULL) unisono_free(waiting);
    unisono_context_poll(context, milliseconds(20));
    EQUAL(unisono_coordinator_waiting_for(one, &waiting, &count), UNISONO_OK);
  } while ((count != 1 || strcmp(waiting[0].reason, UNISONO_REASON_NOT_READY) != 0) && unisono_host_time() < end);
  EQUAL(count, 1);
  CHECK(count == 1 && memcmp(&waiting[0].participant, &ben, sizeof ben) == 0);
  unisono_free(waiting);
  EQUAL(host_player.plays, 0);
  EQUAL(unisono_coordinator_set_ready(other, UNISONO_READINESS_READY), UNISONO_OK);
  CHECK(pump_until(context, &host_player.plays, 1));
  CHECK(pump_until(context, &guest_player.plays, 1));
  EQUAL(unisono_coordinator_other_participants(one, &others), UNISONO_OK);
  CHECK(others->count == 1 && others->items[0]->readiness == UNISONO_READINESS_READY);
  unisono_free(others);
  EQUAL(unisono_session_leave(guest), UNISONO_OK);
  CHECK(pump_until(context, &host_player.pauses, 1));
  EQUAL(host_player.last.cause, UNISONO_CAUSE_LEFT);
  CHECK(memcmp(&host_player.last.originator, &ben, sizeof ben) == 0);
  unisono_context_destroy(context);
}

static void leaving(void) {
  int64_t time = 0;
  begin();
  join_both();
  see_each_other();
  EQUAL(unisono_coordinator_transition_to_item(other, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_session_leave(guest), UNISONO_OK);
  CHECK(pump_until(context, &guest_watcher.invalidated, 1));
  EQUAL(guest_watcher.reason, UNISONO_OK);
  EQUAL(unisono_session_join(guest), UNISONO_ESTATE);
  EQUAL(unisono_session_leave(guest), UNISONO_ESTATE);
  EQUAL(unisono_coordinator_coordinate_with_session(other, guest), UNISONO_ESTATE);
  /* The coordinator goes on alone. */
  EQUAL(unisono_coordinator_coordinate_rate_change(other, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &guest_player.plays, 1));
  EQUAL(unisono_coordinator_expected_item_time(other, unisono_host_time(), &time), UNISONO_OK);
  EQUAL(unisono_session_get_state(host), UNISONO_SESSION_JOINED);
  unisono_session_destroy(guest);
  EQUAL(guest_watcher.released, 1);
  unisono_context_destroy(context);
}

/* In the order in which it happened, each once. */
static void people_are_told_of(void) {
  int heard;
  int64_t end = unisono_host_time() + milliseconds(10000);
  begin();
  join_both();
  see_each_other();
  EQUAL(unisono_coordinator_transition_to_item(one, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(other, "another\nmovie", NULL), UNISONO_OK);
  for (heard = 0; !heard && unisono_host_time() < end; heard = strchr(host_watcher.news, ':') && strchr(guest_watcher.news, ':'))
    unisono_context_poll(context, milliseconds(20));
  CHECK(strcmp(guest_watcher.news, "Ann is here. Ann is at another item: movie. ") == 0);
  EQUAL(unisono_session_leave(guest), UNISONO_OK);
  for (end += milliseconds(10000), heard = 0; !heard && unisono_host_time() < end; heard = strstr(host_watcher.news, "left") != NULL)
    unisono_context_poll(context, milliseconds(20));
  CHECK(strcmp(host_watcher.news, "Ben joined. Ben is at another item: another\xEF\xBF\xBDmovie. Ben left. ") == 0);
  unisono_context_destroy(context);
}

static void ending(void) {
  begin();
  EQUAL(unisono_session_end(host), UNISONO_ESTATE);
  join_both();
  see_each_other();
  EQUAL(unisono_session_end(host), UNISONO_OK);
  CHECK(pump_until(context, &guest_watcher.invalidated, 1));
  CHECK(pump_until(context, &host_watcher.invalidated, 1));
  EQUAL(guest_watcher.reason, UNISONO_EENDED);
  EQUAL(host_watcher.reason, UNISONO_EENDED);
  unisono_context_destroy(context);
}

/* The role of a participant as a session lists it; 0: not listed. */
static int role_of(unisono_session *session, const unisono_participant_id *id) {
  const unisono_participants *list = NULL;
  int role = 0;
  size_t i;
  EQUAL(unisono_session_participants(session, &list), UNISONO_OK);
  for (i = 0; list && i < list->count; i += 1) {
    if (memcmp(&list->items[i]->id, id, sizeof *id) == 0) role = (int)list->items[i]->role;
  }
  unisono_free(list);
  return role;
}

static void pump_until_role(unisono_session *session, const unisono_participant_id *id, int role) {
  int64_t end = unisono_host_time() + milliseconds(10000);
  while (role_of(session, id) != role && unisono_host_time() < end) unisono_context_poll(context, milliseconds(20));
  EQUAL(role_of(session, id), role);
}

static void roles(void) {
  unisono_participant_id owner, member, nobody;
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  char before[4096], after[4096];
  size_t length = sizeof before;
  memset(&nobody, 9, sizeof nobody);
  activity.identifier = "org.example.other";
  begin();
  EQUAL(unisono_session_local_participant(host, &owner), UNISONO_OK);
  EQUAL(unisono_session_local_participant(guest, &member), UNISONO_OK);
  EQUAL(unisono_session_set_role(host, &member, UNISONO_ROLE_VIEWER), UNISONO_ESTATE);
  EQUAL(unisono_session_set_control_policy(host, UNISONO_CONTROL_MEMBERS), UNISONO_ESTATE);
  EQUAL(unisono_session_set_closed(host, 1), UNISONO_ESTATE);
  join_both();
  see_each_other();
  pump_until_role(guest, &owner, UNISONO_ROLE_OWNER);
  EQUAL(role_of(guest, &member), UNISONO_ROLE_MEMBER);
  EQUAL(unisono_session_set_role(host, &nobody, UNISONO_ROLE_VIEWER), UNISONO_ENOTFOUND);
  EQUAL(unisono_session_set_role(host, &member, UNISONO_ROLE_DEFAULT), UNISONO_EINVAL);
  EQUAL(unisono_session_set_role(host, &member, (unisono_role)77), UNISONO_EINVAL);
  EQUAL(unisono_session_set_control_policy(host, (unisono_control_policy)-1), UNISONO_EINVAL);
  EQUAL(unisono_session_set_role(guest, &member, UNISONO_ROLE_OWNER), UNISONO_EDENIED);
  EQUAL(unisono_session_set_control_policy(guest, UNISONO_CONTROL_EVERYONE), UNISONO_EDENIED);
  EQUAL(unisono_session_set_closed(host, 2), UNISONO_EINVAL);
  EQUAL(unisono_session_set_closed(host, -1), UNISONO_EINVAL);
  EQUAL(unisono_session_set_closed(guest, 1), UNISONO_EDENIED);
  EQUAL(guest_watcher.closed, 0);
  EQUAL(unisono_session_set_closed(host, 1), UNISONO_OK);
  CHECK(pump_until(context, &guest_watcher.closed, 1));
  CHECK(pump_until(context, &host_watcher.closed, 1));
  EQUAL(unisono_session_set_closed(host, 0), UNISONO_OK);
  CHECK(pump_until(context, &guest_watcher.opened, 1));
  EQUAL(unisono_session_remove_participant(guest, &owner), UNISONO_EDENIED);
  EQUAL(unisono_session_remove_participant(host, &owner), UNISONO_EINVAL);
  EQUAL(unisono_session_remove_participant(host, &nobody), UNISONO_ENOTFOUND);
  EQUAL(unisono_session_set_control_policy(host, UNISONO_CONTROL_MEMBERS), UNISONO_OK);
  EQUAL(unisono_session_set_role(host, &member, UNISONO_ROLE_VIEWER), UNISONO_OK);
  pump_until_role(guest, &member, UNISONO_ROLE_VIEWER);
  EQUAL(unisono_session_end(guest), UNISONO_EDENIED);
  EQUAL(unisono_session_activate(guest, &activity), UNISONO_EDENIED);
  EQUAL(unisono_session_set_role(host, &member, UNISONO_ROLE_HOST), UNISONO_OK);
  pump_until_role(guest, &member, UNISONO_ROLE_HOST);
  EQUAL(unisono_session_activate(guest, &activity), UNISONO_OK);
  EQUAL(unisono_session_invite(host, before, &length), UNISONO_OK);
  EQUAL(unisono_session_remove_participant(host, &member), UNISONO_OK);
  CHECK(pump_until(context, &guest_watcher.invalidated, 1));
  EQUAL(guest_watcher.reason, UNISONO_EDENIED);
  {
    int64_t end = unisono_host_time() + milliseconds(10000);
    do {
      unisono_context_poll(context, milliseconds(20));
      length = sizeof after;
      EQUAL(unisono_session_invite(host, after, &length), UNISONO_OK);
    } while (strcmp(before, after) == 0 && unisono_host_time() < end);
  }
  CHECK(strcmp(before, after) != 0);
  EQUAL(unisono_session_get_state(host), UNISONO_SESSION_JOINED);
  EQUAL(role_of(host, &member), 0);
  unisono_context_destroy(context);
}

static void activities(void) {
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  const unisono_activity *owned = NULL;
  static char too_long[300];
  memset(too_long, 'x', sizeof too_long - 1);
  begin();
  activity.identifier = "org.example.other";
  activity.payload = "abc";
  activity.payload_length = 3;
  EQUAL(unisono_session_activate(host, &activity), UNISONO_ESTATE);
  join_both();
  EQUAL(unisono_session_activate(guest, &activity), UNISONO_OK);
  {
    int64_t end = unisono_host_time() + milliseconds(10000);
    while (strcmp(host_watcher.activity, "org.example.other") != 0 && unisono_host_time() < end) {
      unisono_context_poll(context, milliseconds(20));
    }
  }
  CHECK(strcmp(host_watcher.activity, "org.example.other") == 0);
  EQUAL(host_watcher.activity_is_local, 0);
  EQUAL(guest_watcher.activity_is_local, 1);
  EQUAL(unisono_session_activity(host, &owned), UNISONO_OK);
  CHECK(owned != NULL);
  unisono_context_destroy(context);
  /* What a host owns outlives the context. */
  if (owned) {
    EQUAL(owned->payload_length, 3);
    CHECK(memcmp(owned->payload, "abc", 3) == 0);
    CHECK(strcmp(owned->identifier, "org.example.other") == 0);
  }
  unisono_free(owned);
  begin();
  join_both();
  activity.identifier = NULL;
  EQUAL(unisono_session_activate(host, &activity), UNISONO_EINVAL);
  activity.identifier = too_long;
  EQUAL(unisono_session_activate(host, &activity), UNISONO_ETOOBIG);
  activity.identifier = "a";
  activity.payload_length = 65537;
  EQUAL(unisono_session_activate(host, &activity), UNISONO_ETOOBIG);
  activity.payload_length = 0;
  activity.type = (unisono_activity_type)99;
  EQUAL(unisono_session_activate(host, &activity), UNISONO_EINVAL);
  unisono_context_destroy(context);
}

/* Until the host has the activity of this name, for 10 s at most; what it is then, owned. */
static const unisono_activity *activity_of_host(const char *identifier) {
  const unisono_activity *owned = NULL;
  int64_t end = unisono_host_time() + milliseconds(10000);
  do {
    unisono_free(owned);
    owned = NULL;
    unisono_context_poll(context, milliseconds(20));
    EQUAL(unisono_session_activity(host, &owned), UNISONO_OK);
  } while ((owned == NULL || strcmp(owned->identifier, identifier) != 0) && unisono_host_time() < end);
  return owned;
}

/* F30: what the guest says of its activity is what the host has of it, byte by byte, and as much as there may be. */
static void activity_fields(void) {
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  const unisono_activity *has;
  static char image[65536], payload[65536], title[256], subtitle[256], address[2048];
  size_t i;
  for (i = 0; i < sizeof image; i++) {
    image[i] = (char)(i * 7 % 251);
    payload[i] = (char)(i * 11 % 253);
  }
  memset(title, 't', sizeof title - 1);
  memset(subtitle, 's', sizeof subtitle - 1);
  memset(address, 'a', sizeof address - 1);
  memcpy(address, "https://", 8);
  begin();
  join_both();
  activity.type = UNISONO_ACTIVITY_LISTEN_TOGETHER;
  activity.identifier = "org.example.full";
  activity.title = title;
  activity.subtitle = subtitle;
  activity.fallback_url = address;
  activity.preview_image = image;
  activity.preview_image_length = sizeof image;
  activity.payload = payload;
  activity.payload_length = sizeof payload;
  activity.lifetime = UNISONO_LIFETIME_ENDS_WITH_INITIATOR;
  activity.supports_continuation = 1;
  EQUAL(unisono_session_activate(guest, &activity), UNISONO_OK);
  has = activity_of_host("org.example.full");
  CHECK(has != NULL && strcmp(has->identifier, "org.example.full") == 0);
  if (has != NULL) {
    EQUAL(has->type, UNISONO_ACTIVITY_LISTEN_TOGETHER);
    CHECK(has->title != NULL && strcmp(has->title, title) == 0);
    CHECK(has->subtitle != NULL && strcmp(has->subtitle, subtitle) == 0);
    CHECK(has->fallback_url != NULL && strcmp(has->fallback_url, address) == 0);
    EQUAL(has->preview_image_length, sizeof image);
    CHECK(has->preview_image_length == sizeof image && memcmp(has->preview_image, image, sizeof image) == 0);
    EQUAL(has->payload_length, sizeof payload);
    CHECK(has->payload_length == sizeof payload && memcmp(has->payload, payload, sizeof payload) == 0);
    CHECK(has->payload_length == sizeof payload && ((const char *)has->payload)[sizeof payload] == 0);
    EQUAL(has->lifetime, UNISONO_LIFETIME_ENDS_WITH_INITIATOR);
    EQUAL(has->supports_continuation, 1);
  }
  unisono_free(has);
  /* Nothing of it is left in one that says less. */
  memset(&activity, 0, sizeof activity);
  activity.size = sizeof activity;
  activity.type = UNISONO_ACTIVITY_GENERIC;
  activity.identifier = "org.example.bare";
  EQUAL(unisono_session_activate(guest, &activity), UNISONO_OK);
  has = activity_of_host("org.example.bare");
  CHECK(has != NULL && strcmp(has->identifier, "org.example.bare") == 0);
  if (has != NULL) {
    EQUAL(has->type, UNISONO_ACTIVITY_GENERIC);
    CHECK(has->title == NULL && has->subtitle == NULL && has->fallback_url == NULL);
    EQUAL(has->preview_image_length + has->payload_length, 0);
    EQUAL(has->lifetime, UNISONO_LIFETIME_AUTOMATIC);
    EQUAL(has->supports_continuation, 0);
  }
  unisono_free(has);
  unisono_context_destroy(context);
}

/* F30: the guest's activity ends with who began it, and the session with that: the host, though it owns the session, is told. */
static void activity_ends_with_initiator(void) {
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  begin();
  join_both();
  see_each_other();
  activity.identifier = "org.example.mine";
  activity.lifetime = UNISONO_LIFETIME_ENDS_WITH_INITIATOR;
  EQUAL(unisono_session_activate(guest, &activity), UNISONO_OK);
  unisono_free(activity_of_host("org.example.mine"));
  CHECK(strcmp(host_watcher.activity, "org.example.mine") == 0);
  EQUAL(unisono_session_leave(guest), UNISONO_OK);
  CHECK(pump_until(context, &guest_watcher.invalidated, 1));
  EQUAL(guest_watcher.reason, UNISONO_OK);
  CHECK(pump_until(context, &host_watcher.invalidated, 1));
  EQUAL(host_watcher.reason, UNISONO_EENDED);
  EQUAL(unisono_session_get_state(host), UNISONO_SESSION_INVALIDATED);
  unisono_context_destroy(context);
}

static void bad_invites(void) {
  unisono_session *session = NULL;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  static char long_invite[5000];
  memset(long_invite, 'x', sizeof long_invite - 1);
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_session_open(context, "", NULL, NULL, NULL, &session), UNISONO_EINVAL);
  EQUAL(unisono_session_open(context, "http://example.org", NULL, NULL, NULL, &session), UNISONO_EINVAL);
  CHECK(strstr(unisono_last_error(), "unisono://") != NULL);
  EQUAL(unisono_session_open(context, "unisono://127.0.0.1:1/x/y", NULL, NULL, NULL, &session), UNISONO_EINVAL);
  EQUAL(unisono_session_open(context, long_invite, NULL, NULL, NULL, &session), UNISONO_EINVAL);
  options.hub = "no hub here";
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_EINVAL);
  options.hub = "127.0.0.1:7400";
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_EINVAL);
  CHECK(strstr(unisono_last_error(), "unisono-hub://host:port/id") != NULL);
  options.hub = NULL;
  options.control_policy = (unisono_control_policy)7;
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_EINVAL);
  CHECK(session == NULL);
  unisono_context_destroy(context);
}

/* F33: who destroys its context is seen to leave at once, also when the hub was in its process and goes with it. */
static void seen_to_leave(int takes_hub) {
  unisono_context *contexts[2] = {NULL, NULL};
  unisono_session *sessions[2] = {NULL, NULL};
  static const char *const address[] = {"127.0.0.1:0"};
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = watching();
  watcher watchers[2];
  char invite[4096];
  size_t length = sizeof invite;
  memset(watchers, 0, sizeof watchers);
  hub.listen = address;
  hub.listen_count = 1;
  options.hub_options = &hub;
  for (int i = 0; i < 2; i++) EQUAL(unisono_context_create(NULL, NULL, NULL, &contexts[i]), UNISONO_OK);
  EQUAL(unisono_session_host(contexts[0], &options, &callbacks, &watchers[0], &sessions[0]), UNISONO_OK);
  EQUAL(unisono_session_invite(sessions[0], invite, &length), UNISONO_OK);
  EQUAL(unisono_session_open(contexts[1], invite, NULL, &callbacks, &watchers[1], &sessions[1]), UNISONO_OK);
  for (int i = 0; i < 2; i++) EQUAL(unisono_session_join(sessions[i]), UNISONO_OK);
  int64_t end = unisono_host_time() + INT64_C(20000000000);
  const unisono_participants *all = NULL;
  size_t here[2] = {0, 0};
  while ((here[0] < 2 || here[1] < 2) && unisono_host_time() < end) {
    for (int i = 0; i < 2; i++) {
      unisono_context_poll(contexts[i], INT64_C(5000000));
      EQUAL(unisono_session_participants(sessions[i], &all), UNISONO_OK);
      here[i] = unisono_session_get_state(sessions[i]) == UNISONO_SESSION_JOINED ? all->count : 0;
      unisono_free(all);
    }
  }
  EQUAL(here[0] + here[1], 4);
  int gone = takes_hub ? 0 : 1, stays = 1 - gone;
  unisono_context_destroy(contexts[gone]);
  end = unisono_host_time() + INT64_C(5000000000);
  while (watchers[stays].left == 0 && unisono_host_time() < end) unisono_context_poll(contexts[stays], INT64_C(20000000));
  EQUAL(watchers[stays].left, 1);
  unisono_context_destroy(contexts[stays]);
}
static void guest_is_seen_to_leave(void) { seen_to_leave(0); }
static void host_is_seen_to_leave(void) { seen_to_leave(1); }

/* F45: a line as a host printed it opens the session, and whether its addresses are private is known. */
static void pasted_invites(void) {
  static const char *const advertised[] = {"192.168.1.5:7400", "hub.example.org:7400"};
  unisono_session *session = NULL, *guest = NULL;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  const char *listen = "127.0.0.1:0";
  char invite[4096], line[4200];
  options.hub_options = &hub;
  hub.listen = &listen;
  hub.listen_count = 1;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  for (size_t count = 0; count <= 2; count++) {
    size_t length = sizeof invite;
    hub.advertise = advertised;
    hub.advertise_count = count;
    EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_OK);
    EQUAL(unisono_session_invite(session, invite, &length), UNISONO_OK);
    EQUAL(unisono_invite_reach(invite), (int32_t)count); /* this machine, a private network, anywhere */
    snprintf(line, sizeof line, "join with: ./hello %s\n", invite);
    EQUAL(unisono_invite_reach(line), (int32_t)count);
    EQUAL(unisono_session_open(context, line, NULL, NULL, NULL, &guest), UNISONO_OK);
    unisono_session_destroy(guest);
    unisono_session_destroy(session);
  }
  EQUAL(unisono_invite_reach(""), UNISONO_EINVAL);
  EQUAL(unisono_invite_reach("unisono://127.0.0.1:1/x"), UNISONO_EINVAL);
  CHECK(strstr(unisono_last_error(), "unisono_invite_reach") != NULL);
  unisono_context_destroy(context);
}

/* Two contexts with threads of their own, everything by the event queue: no callback at all. */
static unisono_context *threaded(void) {
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_context *made = NULL;
  options.own_thread = 1;
  options.event_queue = 1;
  options.log_level = UNISONO_LOG_NONE;
  EQUAL(unisono_context_create(&options, NULL, NULL, &made), UNISONO_OK);
  return made;
}

/* Fetches events, completing commands, until one of this type comes with this status (-1: any). */
static int fetch(unisono_context *from, int type, int status) {
  const unisono_context_event *event = NULL;
  int64_t end = unisono_host_time() + milliseconds(10000);
  while (unisono_host_time() < end) {
    if (unisono_context_next_event(from, milliseconds(100), &event) != 1) continue;
    if (event->type >= UNISONO_EVENT_COORDINATOR_PLAY && event->type <= UNISONO_EVENT_COORDINATOR_BUFFER) {
      unisono_coordinator_complete(
          (unisono_coordinator *)event->source, unisono_event_command(event)->id);
    }
    if ((int)event->type != type) continue;
    if (status < 0 || type != UNISONO_EVENT_SESSION_STATE) return 1;
    if (unisono_event_session_state(event)->state == (unisono_session_state)status) return 1;
  }
  return 0;
}

static void own_threads(void) {
  unisono_context *a = threaded(), *b = threaded();
  unisono_session *first = NULL, *second = NULL;
  unisono_coordinator *ca = NULL, *cb = NULL;
  char invite[4096];
  size_t length = sizeof invite;
  EQUAL(unisono_session_host(a, NULL, NULL, NULL, &first), UNISONO_OK);
  EQUAL(unisono_session_invite(first, invite, &length), UNISONO_OK);
  EQUAL(unisono_session_open(b, invite, NULL, NULL, NULL, &second), UNISONO_OK);
  EQUAL(unisono_coordinator_create(a, NULL, NULL, &ca), UNISONO_OK);
  EQUAL(unisono_coordinator_create(b, NULL, NULL, &cb), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(ca, second), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_with_session(ca, first), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(cb, second), UNISONO_OK);
  EQUAL(unisono_session_join(first), UNISONO_OK);
  CHECK(fetch(a, UNISONO_EVENT_SESSION_STATE, UNISONO_SESSION_JOINED));
  EQUAL(unisono_session_join(second), UNISONO_OK);
  CHECK(fetch(b, UNISONO_EVENT_SESSION_STATE, UNISONO_SESSION_JOINED));
  EQUAL(unisono_coordinator_transition_to_item(ca, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(cb, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(cb, 1, UNISONO_RATE_PLAY_IMMEDIATELY), UNISONO_OK);
  CHECK(fetch(b, UNISONO_EVENT_COORDINATOR_PLAY, -1));
  CHECK(fetch(a, UNISONO_EVENT_COORDINATOR_PLAY, -1));
  /* The host goes first; the other notices, or not, but nothing hangs. */
  unisono_context_destroy(a);
  unisono_context_destroy(b);
}

/* Until the coordinator sees so many others, for 10 s at most. */
static int sees_others(unisono_coordinator *coordinator, size_t count) {
  int64_t end = unisono_host_time() + milliseconds(10000);
  size_t seen = count + 1;
  while (seen != count && unisono_host_time() < end) {
    const unisono_participants *list = NULL;
    unisono_context_poll(context, milliseconds(20));
    if (unisono_coordinator_other_participants(coordinator, &list) != UNISONO_OK) return 0;
    seen = list->count;
    unisono_free(list);
  }
  return seen == count;
}

/* Until both have this many commands to play, for 10 s at most. */
static int both_are_told_to_play(const player *a, const player *b, int count) {
  return pump_until(context, &a->plays, count) && pump_until(context, &b->plays, count);
}

static void second_screens(void) {
  player left, right;
  unisono_coordinator *first = NULL, *second = NULL;
  unisono_playback_delegate delegate = player_delegate();
  int64_t here = 0, there = 1, film = 0;
  memset(&left, 0, sizeof left);
  memset(&right, 0, sizeof right);
  left.completes = right.completes = 1;
  begin();
  join_both();
  EQUAL(unisono_coordinator_transition_to_item(one, "film", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(other, "film", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &left, &first), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &right, &second), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session_as(first, host, ""), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_with_session_as(first, host, "a\tb"), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_with_session_as(first, NULL, "x"), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_coordinate_with_session_as(first, host, NULL), UNISONO_EBUSY);
  EQUAL(unisono_coordinator_coordinate_with_session_as(first, host, "x"), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session_as(second, host, "x"), UNISONO_EBUSY);
  EQUAL(unisono_coordinator_coordinate_with_session_as(second, guest, "x"), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(first, "film", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_transition_to_item(second, "film", NULL), UNISONO_OK);
  CHECK(sees_others(first, 1));
  CHECK(sees_others(second, 1));
  EQUAL(unisono_coordinator_coordinate_seek(first, milliseconds(40000), 0), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(second, 1, 0), UNISONO_OK);
  CHECK(both_are_told_to_play(&left, &right, 1));
  EQUAL(host_player.plays + guest_player.plays, 0);
  EQUAL(unisono_coordinator_expected_item_time(first, left.last.host_time, &here), UNISONO_OK);
  EQUAL(unisono_coordinator_expected_item_time(second, left.last.host_time, &there), UNISONO_OK);
  CHECK(here - there < milliseconds(20) && there - here < milliseconds(20) && here >= milliseconds(39000));
  EQUAL(unisono_coordinator_expected_item_time(one, unisono_host_time(), &film), UNISONO_OK);
  EQUAL(film, 0);
  /* Another one in its place, once it is gone. */
  EQUAL(unisono_coordinator_coordinate_with_session_as(first, host, "y"), UNISONO_OK);
  unisono_coordinator_destroy(second);
  EQUAL(unisono_coordinator_coordinate_with_session_as(first, host, "x"), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(first, NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(first, 0, 0), UNISONO_OK);
  CHECK(pump_until(context, &left.pauses, 1));
  unisono_context_destroy(context);
  EQUAL(left.released, 1);
  EQUAL(right.released, 1);
}

static int states_inside;
static void destroy_session_inside(void *user, const unisono_session_state_event *event) {
  (void)user;
  states_inside++;
  unisono_session_destroy((unisono_session *)event->base.source);
  EQUAL(unisono_session_get_state((unisono_session *)event->base.source), UNISONO_ECLOSED);
}

static void destroyed_inside(void) {
  watcher w;
  unisono_session *session = NULL;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  unisono_coordinator *coordinator = NULL;
  unisono_playback_delegate delegate = player_delegate();
  memset(&w, 0, sizeof w);
  memset(&host_player, 0, sizeof host_player);
  states_inside = 0;
  callbacks.state = destroy_session_inside;
  callbacks.released = on_session_released;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_session_host(context, &options, &callbacks, &w, &session), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &host_player, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(coordinator, session), UNISONO_OK);
  CHECK(pump_until(context, &w.released, 1));
  pump(context);
  EQUAL(states_inside, 1);
  EQUAL(w.released, 1);
  /* The coordinator goes on alone. */
  EQUAL(unisono_coordinator_transition_to_item(coordinator, "movie", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(coordinator, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &host_player.plays, 1));
  unisono_context_destroy(context);
  EQUAL(w.released, 1);
}

void test_session(void) {
  run_test("F32: host, open and join; both see each other with names, roles and the activity", joining);
  run_test("F1: play, pause and seek of one reach the other's player; both expect the same position", together);
  run_test("F14: what one does is noticed by the other, once", noticing);
  run_test("F15: a running group stands when one stalls, and all go on when it is ready", stalling);
  run_test("F18: an engine that stops by itself is told to play again, a few times; then it is apart", bypassed);
  run_test("F18: an engine that plays on while all stand is told to stand; then it is seen to be apart", bypassed_standing);
  run_test("F18: an engine that changes its speed is told the group's; then it is seen to be apart", bypassed_in_speed);
  run_test("F3: commands say what to be ready for and until when; those of who stands do not", command_fields);
  run_test("F6: who was apart is told where the group is as nobody's doing, whoever commanded last", rejoining);
  run_test("F92: a message comes when the receiver's playback is at its place in the item", at_a_place);
  run_test("F93: all begin at the time that one scheduled; what is called off does not begin", at_a_time);
  run_test("F84: a start waits for a person and names it, and who leaves pauses the group", persons_are_waited_for);
  run_test("F32: leaving invalidates with OK, the others and the own coordinator go on", leaving);
  run_test("F14: who is there, comes, goes or is at another item is told by name, once", people_are_told_of);
  run_test("F32: ending invalidates everybody with EENDED", ending);
  run_test("F37, F38: roles, who may command, removal: owners only, known to everybody, with another invite", roles);
  run_test("F30: the activity changes for everybody; its limits hold", activities);
  run_test("F30: what is said of an activity is what the others have of it, up to its limits", activity_fields);
  run_test("F30: an activity that ends with its initiator ends the session for all when it leaves", activity_ends_with_initiator);
  run_test("F101: a second screen of each plays by itself in one session, on an item that is called like the film", second_screens);
  run_test("two own-thread contexts play together by the event queue alone", own_threads);
  run_test("a session may be destroyed inside its own callback; its coordinator goes on alone", destroyed_inside);
  run_test("bad invites and options are refused with a sentence", bad_invites);
  run_test("F33: who destroys its context is seen to leave at once", guest_is_seen_to_leave);
  run_test("F33: who destroys its context is seen to leave at once, though the hub goes with it", host_is_seen_to_leave);
  run_test("F45: an invite is read as it was pasted, and who can reach it is known", pasted_invites);
}
