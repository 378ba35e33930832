/* Audiences: a session that others listen to by a link, and coordinators that follow it. All of it in one process, over loopback. */
#include "fake_renderer.h"

#include <stdlib.h>

/* A coordinator's side: what it is commanded, and what it is told of the audience. */
typedef struct {
  player commands; /* first: the delegate's functions of the harness take it for one */
  unisono_coordinator *coordinator;
  int told, following, over, denied, goes_along;
  int last_status, invited, clock_doubt, bounded, offered;
  char first[64];
  int64_t clock_ahead;
  uint32_t listeners;
  char invite[4096];
  char item[64], activity[64], title[64], reason[256], refused[64];
  int refused_status;
} ear;

/* A session's side; `open` and `closed` count how often it came to that. */
typedef struct {
  unisono_audience_state state;
  int joined, told, open, closed, errors, heard;
  uint32_t listeners, left_out;
  int ready, reactions[2];
  unisono_listener_word word;
  unisono_participant_id listener;
  char text[256];
  char reason[256], failed[64];
  int failed_status;
} mouth;

static unisono_context *context;
static unisono_session *ann;
static unisono_coordinator *film;
static mouth of_ann;
static player ann_player;
static char link_text[4096];

enum { EARS = 3 };
static ear ears[EARS];

static void on_state(void *user, const unisono_session_state_event *event) {
  if (event->state == UNISONO_SESSION_JOINED) ((mouth *)user)->joined = 1;
}
static void on_audience(void *user, const unisono_audience_event *event) {
  mouth *m = (mouth *)user;
  EQUAL(event->base.type, UNISONO_EVENT_SESSION_AUDIENCE);
  CHECK(event->reason != NULL);
  m->told++;
  m->listeners = event->listeners;
  m->left_out = event->left_out;
  m->ready = (int)event->ready;
  CHECK((event->reactions != NULL) == (event->reaction_count > 0));
  for (size_t i = 0; i < event->reaction_count && i < 2; i++) m->reactions[i] = (int)event->reactions[i].count;
  if (event->state != m->state) {
    if (event->state == UNISONO_AUDIENCE_OPEN) m->open++;
    if (event->state == UNISONO_AUDIENCE_CLOSED) m->closed++;
    m->state = event->state;
  }
  snprintf(m->reason, sizeof m->reason, "%s", event->reason);
}
static void on_error(void *user, const unisono_error_event *event) {
  mouth *m = (mouth *)user;
  m->errors++;
  m->failed_status = event->status;
  snprintf(m->failed, sizeof m->failed, "%s", event->operation);
}

static void on_listener(void *user, const unisono_listener_event *event) {
  mouth *m = (mouth *)user;
  EQUAL(event->base.type, UNISONO_EVENT_SESSION_LISTENER);
  EQUAL(event->base.size, sizeof *event);
  CHECK(unisono_event_listener(&event->base) == event);
  m->word = event->word;
  m->listener = event->listener;
  snprintf(m->text, sizeof m->text, "%s", event->text);
  m->heard++;
}

static void on_listening(void *user, const unisono_listening_event *event) {
  ear *e = (ear *)user;
  int changed;
  EQUAL(event->base.type, UNISONO_EVENT_COORDINATOR_LISTENING);
  CHECK(event->reason != NULL);
  CHECK(event->base.source == (void *)e->coordinator);
  e->last_status = event->status;
  e->listeners = event->listeners;
  e->clock_doubt = event->clock_doubt;
  e->offered = (int)event->reaction_count;
  CHECK((event->reactions != NULL) == (event->reaction_count > 0));
  if (event->reactions != NULL) snprintf(e->first, sizeof e->first, "%s", event->reactions[0].reaction);
  e->clock_ahead = event->clock_ahead;
  if (event->clock_behind != UNISONO_TIME_INVALID) e->bounded = 1;
  changed = event->item != NULL && strcmp(e->item, event->item) != 0;
  snprintf(e->item, sizeof e->item, "%s", event->item != NULL ? event->item : "");
  snprintf(e->reason, sizeof e->reason, "%s", event->reason);
  if (event->activity != NULL) {
    snprintf(e->activity, sizeof e->activity, "%s", event->activity->identifier);
    snprintf(e->title, sizeof e->title, "%s", event->activity->title != NULL ? event->activity->title : "");
  }
  if (event->status == UNISONO_LISTENING_FOLLOWING) e->following++;
  if (event->status == UNISONO_LISTENING_OVER) e->over++;
  if (changed && e->goes_along && event->status != UNISONO_LISTENING_OVER)
    EQUAL(unisono_coordinator_transition_to_item((unisono_coordinator *)event->base.source, event->item, NULL), UNISONO_OK);
  e->told++;
}
static void on_invited(void *user, const unisono_invite_event *event) {
  ear *e = (ear *)user;
  EQUAL(event->base.type, UNISONO_EVENT_COORDINATOR_INVITED);
  CHECK(unisono_event_invite(&event->base) == event);
  snprintf(e->invite, sizeof e->invite, "%s", event->invite);
  e->invited++;
}
static void on_refusal(void *user, const unisono_error_event *event) {
  ear *e = (ear *)user;
  e->refused_status = event->status;
  snprintf(e->refused, sizeof e->refused, "%s", event->operation);
  e->denied++;
}

static unisono_playback_delegate ear_delegate(void) {
  unisono_playback_delegate delegate = player_delegate();
  delegate.listening_changed = on_listening;
  delegate.invited = on_invited;
  delegate.error = on_refusal;
  return delegate;
}

static void make_ear(ear *e, int goes_along) {
  unisono_playback_delegate delegate = ear_delegate();
  memset(e, 0, sizeof *e);
  e->commands.completes = 1;
  e->goes_along = goes_along;
  EQUAL(unisono_coordinator_create(context, &delegate, e, &e->coordinator), UNISONO_OK);
}

static unisono_session *host(unisono_control_policy control, mouth *m) {
  static const char *const address[] = {"127.0.0.1:0"};
  unisono_hub_options hub = UNISONO_HUB_OPTIONS_INIT;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  unisono_session *session = NULL;
  memset(m, 0, sizeof *m);
  callbacks.state = on_state;
  callbacks.audience = on_audience;
  callbacks.listener = on_listener;
  callbacks.error = on_error;
  hub.listen = address;
  hub.listen_count = 1;
  activity.identifier = "org.example.movie";
  activity.title = "A film";
  activity.type = UNISONO_ACTIVITY_WATCH_TOGETHER;
  options.hub_options = &hub;
  options.display_name = "Ann";
  options.activity = &activity;
  options.control_policy = control;
  EQUAL(unisono_session_host(context, &options, &callbacks, m, &session), UNISONO_OK);
  return session;
}

/* Ann hosts, is at "film", and has an open audience with nobody in it. */
static void begin(void) {
  unisono_playback_delegate delegate = player_delegate();
  size_t length = sizeof link_text;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  ann = host(UNISONO_CONTROL_HOSTS_ONLY, &of_ann);
  memset(&ann_player, 0, sizeof ann_player);
  ann_player.completes = 1;
  EQUAL(unisono_coordinator_create(context, &delegate, &ann_player, &film), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(film, ann), UNISONO_OK);
  EQUAL(unisono_session_open_audience(ann, NULL), UNISONO_ESTATE);
  EQUAL(unisono_session_audience_link(ann, link_text, &length), UNISONO_ESTATE);
  EQUAL(unisono_session_close_audience(ann), UNISONO_OK);
  EQUAL(unisono_session_join(ann), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.joined, 1));
  EQUAL(unisono_coordinator_transition_to_item(film, "film", NULL), UNISONO_OK);
  EQUAL(unisono_session_open_audience(ann, NULL), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.open, 1));
  EQUAL(unisono_session_open_audience(ann, NULL), UNISONO_ESTATE);
  length = sizeof link_text;
  EQUAL(unisono_session_audience_link(ann, link_text, &length), UNISONO_OK);
  EQUAL(length, strlen(link_text) + 1);
  CHECK(strncmp(link_text, "unisono://", 10) == 0);
}

/* All ears follow, at "film". */
static void begin_with_ears(void) {
  int i;
  begin();
  for (i = 0; i < EARS; i++) {
    make_ear(&ears[i], 1);
    EQUAL(unisono_coordinator_listen(ears[i].coordinator, link_text), UNISONO_OK);
  }
  for (i = 0; i < EARS; i++) CHECK(pump_until(context, &ears[i].following, 1));
}

/* Until a text is this one, for ten seconds. */
static int comes_to(const char *text, const char *wanted) {
  int64_t end = unisono_host_time() + milliseconds(10000);
  while (strcmp(text, wanted) != 0) {
    if (unisono_host_time() > end) {
      printf("# it is \"%s\", not \"%s\"\n", text, wanted);
      return 0;
    }
    unisono_context_poll(context, milliseconds(50));
  }
  return 1;
}

/* Until a coordinator is where the session's first one is, and does the same, for ten seconds. */
static int keeps_step(unisono_coordinator *listener) {
  int64_t end = unisono_host_time() + milliseconds(10000), here = 0, there = 0, now;
  unisono_timing ours = UNISONO_TIMING_INIT, theirs = UNISONO_TIMING_INIT;
  do {
    unisono_context_poll(context, milliseconds(20));
    now = unisono_host_time();
    if (unisono_coordinator_timing(film, &ours) == UNISONO_OK && unisono_coordinator_timing(listener, &theirs) == UNISONO_OK &&
        ours.state != UNISONO_TIMING_WAITING && ours.state == theirs.state && ours.rate == theirs.rate &&
        unisono_coordinator_expected_item_time(film, now, &here) == UNISONO_OK &&
        unisono_coordinator_expected_item_time(listener, now, &there) == UNISONO_OK && llabs(here - there) < milliseconds(20))
      return 1;
  } while (now < end);
  printf("# the session: state %d, rate %g, at %lld; the listener: state %d, rate %g, at %lld\n", (int)ours.state, ours.rate,
         (long long)here, (int)theirs.state, theirs.rate, (long long)there);
  return 0;
}

static int all_keep_step(void) {
  int i, holds = 1;
  for (i = 0; i < EARS; i++) holds &= keeps_step(ears[i].coordinator);
  return holds;
}

/* Until the hub has said that so many listen, for ten seconds. */
static int are_counted(uint32_t wanted) {
  int64_t end = unisono_host_time() + milliseconds(10000);
  while (of_ann.listeners != wanted && unisono_host_time() < end) unisono_context_poll(context, milliseconds(50));
  return of_ann.listeners == wanted;
}

/* Plays, and waits until the session does; how long it took, ns. With an audience it is no sooner than the player is ready. */
static int64_t start(void) {
  int64_t begun = unisono_host_time();
  unisono_timing timing = UNISONO_TIMING_INIT;
  EQUAL(unisono_coordinator_coordinate_rate_change(film, 1, 0), UNISONO_OK);
  do {
    unisono_context_poll(context, milliseconds(5));
    EQUAL(unisono_coordinator_timing(film, &timing), UNISONO_OK);
  } while (timing.state != UNISONO_TIMING_PLAYING && unisono_host_time() - begun < milliseconds(15000));
  EQUAL(timing.state, UNISONO_TIMING_PLAYING);
  return unisono_host_time() - begun;
}

static void follow(void) {
  int i;
  begin_with_ears();
  for (i = 0; i < EARS; i++) {
    CHECK(comes_to(ears[i].item, "film"));
    CHECK(comes_to(ears[i].activity, "org.example.movie"));
    CHECK(strcmp(ears[i].title, "A film") == 0);
  }
  CHECK(are_counted(EARS));
  EQUAL(unisono_coordinator_coordinate_rate_change(film, 1, 0), UNISONO_OK);
  for (i = 0; i < EARS; i++) {
    CHECK(pump_until(context, &ears[i].commands.plays, 1));
    EQUAL(ears[i].commands.play.rate, 1);
    EQUAL(ears[i].commands.play.is_local, 0);
    CHECK(strcmp(ears[i].commands.last_item, "film") == 0);
  }
  CHECK(all_keep_step());
  EQUAL(unisono_coordinator_coordinate_seek(film, milliseconds(600000), 0), UNISONO_OK);
  CHECK(all_keep_step());
  for (i = 0; i < EARS; i++) {
    int64_t at = 0;
    EQUAL(unisono_coordinator_expected_item_time(ears[i].coordinator, unisono_host_time(), &at), UNISONO_OK);
    CHECK(at >= milliseconds(599000) && at < milliseconds(620000));
  }
  EQUAL(unisono_coordinator_coordinate_rate_change(film, 0, 0), UNISONO_OK);
  for (i = 0; i < EARS; i++) CHECK(pump_until(context, &ears[i].commands.pauses, 1));
  CHECK(all_keep_step());
  /* Another item: the listeners' hosts hear of it, go there, and get its state. */
  EQUAL(unisono_coordinator_transition_to_item(film, "second", NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_seek(film, milliseconds(5000), 0), UNISONO_OK);
  for (i = 0; i < EARS; i++) CHECK(comes_to(ears[i].item, "second"));
  CHECK(all_keep_step());
  EQUAL(unisono_coordinator_coordinate_rate_change(film, 1.5, 0), UNISONO_OK);
  for (i = 0; i < EARS; i++) CHECK(comes_to(ears[i].commands.last_item, "second"));
  CHECK(all_keep_step());
  unisono_context_destroy(context);
  for (i = 0; i < EARS; i++) EQUAL(ears[i].commands.released, 1);
}

/* Nobody in the list of participants, and nobody is waited for. */
static void unseen(void) {
  const unisono_participants *list = NULL;
  begin_with_ears();
  CHECK(are_counted(EARS));
  EQUAL(unisono_session_participants(ann, &list), UNISONO_OK);
  EQUAL(list->count, 1);
  unisono_free(list);
  EQUAL(unisono_coordinator_other_participants(film, &list), UNISONO_OK);
  EQUAL(list->count, 0);
  unisono_free(list);
  EQUAL(unisono_coordinator_other_participants(ears[0].coordinator, &list), UNISONO_OK);
  CHECK(list->count <= 1); /* who speaks, and no other listener */
  unisono_free(list);
  /* One that does not answer is not waited for. */
  ears[0].commands.completes = 0;
  EQUAL(unisono_coordinator_coordinate_rate_change(film, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &ann_player.plays, 1));
  CHECK(keeps_step(ears[1].coordinator));
  unisono_context_destroy(context);
}

static void late(void) {
  ear late_ear;
  int64_t at = 0;
  begin();
  EQUAL(unisono_coordinator_coordinate_seek(film, milliseconds(60000), 0), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(film, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &ann_player.plays, 1));
  make_ear(&late_ear, 1);
  EQUAL(unisono_coordinator_listen(late_ear.coordinator, link_text), UNISONO_OK);
  CHECK(pump_until(context, &late_ear.told, 1));
  CHECK(comes_to(late_ear.item, "film"));
  CHECK(pump_until(context, &late_ear.commands.plays, 1));
  CHECK(keeps_step(late_ear.coordinator));
  EQUAL(unisono_coordinator_expected_item_time(late_ear.coordinator, unisono_host_time(), &at), UNISONO_OK);
  CHECK(at >= milliseconds(60000));
  unisono_context_destroy(context);
}

static void commands(void) {
  ear *e = &ears[0];
  unisono_timing before = UNISONO_TIMING_INIT, after = UNISONO_TIMING_INIT, wish = UNISONO_TIMING_INIT;
  unisono_suspension *away = NULL;
  int plays;
  begin_with_ears();
  CHECK(comes_to(e->item, "film"));
  CHECK(all_keep_step());
  EQUAL(unisono_coordinator_timing(film, &before), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_rate_change(e->coordinator, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &e->denied, 1));
  EQUAL(e->refused_status, UNISONO_EDENIED);
  CHECK(strcmp(e->refused, "unisono_coordinator_coordinate_rate_change") == 0);
  EQUAL(unisono_coordinator_coordinate_seek(e->coordinator, milliseconds(9000), 0), UNISONO_OK);
  CHECK(pump_until(context, &e->denied, 2));
  CHECK(strcmp(e->refused, "unisono_coordinator_coordinate_seek") == 0);
  EQUAL(unisono_coordinator_undo_jump(e->coordinator), UNISONO_OK);
  CHECK(pump_until(context, &e->denied, 3));
  CHECK(strcmp(e->refused, "unisono_coordinator_undo_jump") == 0);
  /* What it proposes counts for nothing, neither here nor there. */
  wish.rate = 1;
  wish.item_time = milliseconds(30000);
  EQUAL(unisono_coordinator_transition_to_item(e->coordinator, "film", &wish), UNISONO_OK);
  CHECK(keeps_step(e->coordinator));
  EQUAL(unisono_coordinator_timing(film, &after), UNISONO_OK);
  EQUAL(after.state, before.state);
  EQUAL(after.item_time, before.item_time);
  EQUAL(e->denied, 3);
  /* Suspended it is left alone, and joins again where the group is. */
  EQUAL(unisono_coordinator_begin_suspension(e->coordinator, "phone", &away), UNISONO_OK);
  CHECK(pump_until(context, &e->commands.suspensions, 1));
  plays = e->commands.plays;
  start();
  CHECK(keeps_step(ears[1].coordinator));
  EQUAL(e->commands.plays, plays);
  EQUAL(unisono_suspension_end(away), UNISONO_OK);
  CHECK(pump_until(context, &e->commands.plays, plays + 1));
  CHECK(keeps_step(e->coordinator));
  unisono_context_destroy(context);
}

static void closing(void) {
  char second[4096];
  size_t length = sizeof second;
  int i;
  begin_with_ears();
  start();
  CHECK(all_keep_step());
  EQUAL(unisono_session_close_audience(ann), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.closed, 1));
  for (i = 0; i < EARS; i++) {
    CHECK(pump_until(context, &ears[i].over, 1));
    EQUAL(ears[i].over, 1);
    CHECK(ears[i].reason[0] != '\0');
  }
  EQUAL(unisono_session_audience_link(ann, second, &length), UNISONO_ESTATE);
  EQUAL(unisono_session_close_audience(ann), UNISONO_OK);
  /* They are on their own, with what plays, and the session is without them. */
  for (i = 0; i < EARS; i++) {
    unisono_timing timing = UNISONO_TIMING_INIT;
    int pauses = ears[i].commands.pauses;
    EQUAL(unisono_coordinator_timing(ears[i].coordinator, &timing), UNISONO_OK);
    EQUAL(timing.state, UNISONO_TIMING_PLAYING);
    EQUAL(unisono_coordinator_coordinate_rate_change(ears[i].coordinator, 0, 0), UNISONO_OK);
    CHECK(pump_until(context, &ears[i].commands.pauses, pauses + 1));
    EQUAL(ears[i].denied, 0);
  }
  {
    unisono_timing timing = UNISONO_TIMING_INIT;
    EQUAL(unisono_coordinator_timing(film, &timing), UNISONO_OK);
    EQUAL(timing.state, UNISONO_TIMING_PLAYING);
  }
  /* Another one has another link, and whoever has that follows. */
  EQUAL(unisono_session_open_audience(ann, NULL), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.open, 2));
  length = sizeof second;
  EQUAL(unisono_session_audience_link(ann, second, &length), UNISONO_OK);
  CHECK(strcmp(second, link_text) != 0);
  EQUAL(unisono_coordinator_listen(ears[0].coordinator, second), UNISONO_OK);
  CHECK(keeps_step(ears[0].coordinator));
  unisono_context_destroy(context);
}

static void renewing(void) {
  char second[4096];
  size_t length = sizeof second;
  int64_t end;
  int i, plays[EARS];
  begin_with_ears();
  start();
  CHECK(all_keep_step());
  for (i = 0; i < EARS; i++) {
    CHECK(pump_until(context, &ears[i].commands.plays, 1));
    plays[i] = ears[i].commands.plays;
  }
  EQUAL(unisono_session_renew_audience(ann), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.open, 2));
  EQUAL(unisono_session_audience_link(ann, second, &length), UNISONO_OK);
  CHECK(strcmp(second, link_text) != 0);
  /* They go along, which takes up to two seconds, and are told nothing. */
  for (end = unisono_host_time() + milliseconds(4000); unisono_host_time() < end;) unisono_context_poll(context, milliseconds(50));
  CHECK(are_counted(EARS));
  for (i = 0; i < EARS; i++) {
    EQUAL(ears[i].commands.plays, plays[i]);
    EQUAL(ears[i].last_status, UNISONO_LISTENING_FOLLOWING);
    EQUAL(ears[i].clock_doubt, 0);
    CHECK(ears[i].clock_ahead >= 0 && ears[i].clock_ahead < milliseconds(500));
  }
  EQUAL(unisono_coordinator_coordinate_seek(film, milliseconds(90000), 1), UNISONO_OK);
  CHECK(all_keep_step());
  /* Both sides are bounded once its question was answered. */
  for (i = 0; i < EARS; i++) CHECK(pump_until(context, &ears[i].bounded, 1));
  EQUAL(unisono_session_close_audience(ann), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.closed, 1));
  for (i = 0; i < EARS; i++) CHECK(pump_until(context, &ears[i].over, 1));
  EQUAL(unisono_session_renew_audience(ann), UNISONO_ESTATE);
  unisono_context_destroy(context);
}

static void stopping(void) {
  ear *e = &ears[0];
  unisono_timing timing = UNISONO_TIMING_INIT;
  int told, pauses;
  begin_with_ears();
  CHECK(are_counted(EARS));
  start();
  CHECK(all_keep_step());
  EQUAL(unisono_coordinator_stop_listening(e->coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_stop_listening(e->coordinator), UNISONO_OK);
  CHECK(are_counted(EARS - 1));
  EQUAL(unisono_coordinator_timing(e->coordinator, &timing), UNISONO_OK);
  EQUAL(timing.state, UNISONO_TIMING_PLAYING);
  EQUAL(e->over, 0);
  told = e->told;
  pauses = e->commands.pauses;
  EQUAL(unisono_coordinator_coordinate_rate_change(e->coordinator, 0, 0), UNISONO_OK);
  CHECK(pump_until(context, &e->commands.pauses, pauses + 1));
  CHECK(keeps_step(ears[1].coordinator));
  CHECK(keeps_step(ears[2].coordinator));
  EQUAL(e->told, told);
  EQUAL(e->denied, 0);
  /* And again: it is where the group is. */
  EQUAL(unisono_coordinator_listen(e->coordinator, link_text), UNISONO_OK);
  CHECK(keeps_step(e->coordinator));
  /* Before the loop has turned: nothing comes of it. */
  EQUAL(unisono_coordinator_listen(ears[1].coordinator, link_text), UNISONO_ESTATE);
  EQUAL(unisono_coordinator_stop_listening(ears[1].coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_listen(ears[1].coordinator, link_text), UNISONO_OK);
  EQUAL(unisono_coordinator_stop_listening(ears[1].coordinator), UNISONO_OK);
  CHECK(are_counted(EARS - 1));
  unisono_context_destroy(context);
}

static void wrong_links(void) {
  unisono_session *nobody = NULL;
  char invite[4096], bent[4096 + 32];
  size_t length = sizeof invite, i;
  ear e;
  begin();
  make_ear(&e, 1);
  EQUAL(unisono_coordinator_listen(e.coordinator, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_listen(e.coordinator, ""), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_listen(e.coordinator, "film"), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_listen(e.coordinator, "unisono://"), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_listen(e.coordinator, "unisono://\xff"), UNISONO_EINVAL);
  /* An invite, and a link in an invite's place: the sentence says which function is meant. */
  EQUAL(unisono_session_invite(ann, invite, &length), UNISONO_OK);
  EQUAL(unisono_coordinator_listen(e.coordinator, invite), UNISONO_EINVAL);
  CHECK(strstr(unisono_last_error(), "unisono_session_open") != NULL);
  EQUAL(unisono_session_open(context, link_text, NULL, NULL, NULL, &nobody), UNISONO_EINVAL);
  CHECK(strstr(unisono_last_error(), "unisono_coordinator_listen") != NULL);
  CHECK(nobody == NULL);
  /* A character that was mistyped in the key. */
  for (i = 1; i < 6; i++) {
    snprintf(bent, sizeof bent, "%s", link_text);
    bent[strlen(bent) - 4 * i] = bent[strlen(bent) - 4 * i] == 'a' ? 'b' : 'a';
    EQUAL(unisono_coordinator_listen(e.coordinator, bent), UNISONO_EINVAL);
  }
  /* Cut off, and with what a messenger puts around it. */
  snprintf(bent, sizeof bent, "%.*s", (int)strlen(link_text) - 1, link_text);
  EQUAL(unisono_coordinator_listen(e.coordinator, bent), UNISONO_EINVAL);
  EQUAL(e.told, 0);
  snprintf(bent, sizeof bent, "listen here: <%s> ", link_text);
  EQUAL(unisono_coordinator_listen(e.coordinator, bent), UNISONO_OK);
  CHECK(pump_until(context, &e.following, 1));
  unisono_context_destroy(context);
}

static void one_at_a_time(void) {
  ear e;
  begin();
  make_ear(&e, 1);
  /* In a session it does not listen, and listening it is in no session. */
  EQUAL(unisono_coordinator_listen(film, link_text), UNISONO_ESTATE);
  CHECK(strstr(unisono_last_error(), "unisono_coordinator_coordinate_with_session") != NULL);
  EQUAL(unisono_coordinator_listen(e.coordinator, link_text), UNISONO_OK);
  EQUAL(unisono_coordinator_listen(e.coordinator, link_text), UNISONO_ESTATE);
  CHECK(strstr(unisono_last_error(), "unisono_coordinator_stop_listening") != NULL);
  EQUAL(unisono_coordinator_coordinate_with_session_as(e.coordinator, ann, "beside"), UNISONO_ESTATE);
  CHECK(strstr(unisono_last_error(), "unisono_coordinator_stop_listening") != NULL);
  EQUAL(unisono_coordinator_coordinate_with_session(e.coordinator, NULL), UNISONO_OK);
  CHECK(pump_until(context, &e.following, 1));
  EQUAL(unisono_coordinator_stop_listening(e.coordinator), UNISONO_OK);
  /* The place in the session is free all the same. */
  EQUAL(unisono_coordinator_coordinate_with_session_as(e.coordinator, ann, "beside"), UNISONO_OK);
  EQUAL(unisono_coordinator_stop_listening(e.coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_listen(e.coordinator, link_text), UNISONO_ESTATE);
  unisono_context_destroy(context);
}

static void who_may(void) {
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  unisono_session *ben = NULL, *anybodys;
  char invite[4096];
  size_t length = sizeof invite;
  mouth of_ben, of_anybody;
  begin();
  memset(&of_ben, 0, sizeof of_ben);
  callbacks.state = on_state;
  callbacks.audience = on_audience;
  options.display_name = "Ben";
  EQUAL(unisono_session_invite(ann, invite, &length), UNISONO_OK);
  EQUAL(unisono_session_open(context, invite, &options, &callbacks, &of_ben, &ben), UNISONO_OK);
  EQUAL(unisono_session_open_audience(ben, NULL), UNISONO_ESTATE);
  EQUAL(unisono_session_join(ben), UNISONO_OK);
  CHECK(pump_until(context, &of_ben.joined, 1));
  EQUAL(unisono_session_open_audience(ben, NULL), UNISONO_EDENIED);
  length = sizeof invite;
  EQUAL(unisono_session_audience_link(ben, invite, &length), UNISONO_ESTATE);
  /* Where everybody commands there is none. */
  anybodys = host(UNISONO_CONTROL_EVERYONE, &of_anybody);
  EQUAL(unisono_session_join(anybodys), UNISONO_OK);
  CHECK(pump_until(context, &of_anybody.joined, 1));
  EQUAL(unisono_session_open_audience(anybodys, NULL), UNISONO_ESTATE);
  CHECK(strstr(unisono_last_error(), "unisono_session_open_audience") != NULL);
  EQUAL(of_anybody.told, 0);
  /* Asked for twice before the loop turns: the second is refused later. */
  EQUAL(unisono_session_set_control_policy(anybodys, UNISONO_CONTROL_HOSTS_ONLY), UNISONO_OK);
  {
    int64_t end = unisono_host_time() + milliseconds(10000);
    while (unisono_session_open_audience(anybodys, NULL) != UNISONO_OK && unisono_host_time() < end)
      unisono_context_poll(context, milliseconds(20));
  }
  EQUAL(unisono_session_open_audience(anybodys, NULL), UNISONO_OK);
  CHECK(pump_until(context, &of_anybody.errors, 1));
  EQUAL(of_anybody.failed_status, UNISONO_ESTATE);
  CHECK(strcmp(of_anybody.failed, "unisono_session_open_audience") == 0);
  CHECK(pump_until(context, &of_anybody.open, 1));
  unisono_session_leave(anybodys);
  unisono_context_destroy(context);
}

/* Somebody of the audience asks to speak, is invited, takes part in the session, and goes back. */
static void asking(void) {
  ear *e = &ears[0];
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session_callbacks callbacks = UNISONO_SESSION_CALLBACKS_INIT;
  const unisono_participants *list = NULL;
  unisono_participant_id first, nobody;
  unisono_session *eve = NULL;
  mouth of_eve;
  char longest[257];
  memset(&of_eve, 0, sizeof of_eve);
  memset(&nobody, 7, sizeof nobody);
  memset(longest, 'x', 256);
  longest[256] = '\0';
  begin_with_ears();
  EQUAL(unisono_coordinator_ask_to_speak(film, NULL), UNISONO_ESTATE);
  EQUAL(unisono_coordinator_say_to_hosts(e->coordinator, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_say_to_hosts(e->coordinator, ""), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_say_to_hosts(e->coordinator, "a\x1b[2J"), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_ask_to_speak(e->coordinator, longest), UNISONO_ETOOBIG);
  longest[255] = '\0';
  EQUAL(unisono_coordinator_say_to_hosts(e->coordinator, longest), UNISONO_OK);
  EQUAL(unisono_coordinator_say_to_hosts(e->coordinator, "again"), UNISONO_EBUSY);
  CHECK(strstr(unisono_last_error(), "try again in 5 s") != NULL);
  CHECK(pump_until(context, &of_ann.heard, 1));
  EQUAL(of_ann.word, UNISONO_LISTENER_SAYS);
  CHECK(strcmp(of_ann.text, longest) == 0);
  first = of_ann.listener;
  /* Who said something did not ask. */
  EQUAL(unisono_session_invite_listener(ann, &first), UNISONO_ENOTFOUND);
  EQUAL(unisono_coordinator_ask_to_speak(e->coordinator, NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_ask_to_speak(e->coordinator, NULL), UNISONO_EBUSY);
  CHECK(pump_until(context, &of_ann.heard, 2));
  EQUAL(of_ann.word, UNISONO_LISTENER_ASKS);
  CHECK(of_ann.text[0] == '\0');
  CHECK(memcmp(&of_ann.listener, &first, sizeof first) == 0);
  EQUAL(unisono_session_invite_listener(ann, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_invite_listener(ann, &nobody), UNISONO_ENOTFOUND);
  EQUAL(unisono_session_invite_listener(ann, &first), UNISONO_OK);
  CHECK(pump_until(context, &e->invited, 1));
  EQUAL(ears[1].invited + ears[2].invited, 0);
  callbacks.state = on_state;
  options.display_name = "Eve";
  EQUAL(unisono_session_open(context, e->invite, &options, &callbacks, &of_eve, &eve), UNISONO_OK);
  EQUAL(unisono_coordinator_stop_listening(e->coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_coordinate_with_session(e->coordinator, eve), UNISONO_OK);
  EQUAL(unisono_session_join(eve), UNISONO_OK);
  CHECK(pump_until(context, &of_eve.joined, 1));
  start();
  CHECK(all_keep_step());
  EQUAL(unisono_session_participants(ann, &list), UNISONO_OK);
  EQUAL(list->count, 2);
  unisono_free(list);
  CHECK(are_counted(EARS - 1));
  EQUAL(of_ann.left_out, 0);
  /* And back. */
  EQUAL(unisono_coordinator_coordinate_with_session(e->coordinator, NULL), UNISONO_OK);
  EQUAL(unisono_session_leave(eve), UNISONO_OK);
  EQUAL(unisono_coordinator_listen(e->coordinator, link_text), UNISONO_OK);
  CHECK(are_counted(EARS));
  CHECK(all_keep_step());
  EQUAL(unisono_session_close_audience(ann), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.closed, 1));
  EQUAL(unisono_session_invite_listener(ann, &first), UNISONO_ESTATE);
  CHECK(pump_until(context, &e->over, 1));
  EQUAL(unisono_coordinator_ask_to_speak(e->coordinator, NULL), UNISONO_ESTATE);
  EQUAL(of_ann.heard, 2);
  EQUAL(of_ann.errors, 0);
  unisono_context_destroy(context);
}

/* Starts wait for those who listen, where that is wished, and reactions are counted. */
static void counting(void) {
  static const char *const some[] = {"+1", "\xE2\x9D\xA4"};
  static const char *const twice[] = {"a", "a"};
  static const char *const wrong[] = {"a\x1b[2J"};
  static const char *const none[] = {"a", NULL};
  char longest[34];
  unisono_audience_options options = UNISONO_AUDIENCE_OPTIONS_INIT;
  size_t length = sizeof link_text;
  int64_t took;
  int i;
  begin();
  EQUAL(unisono_session_close_audience(ann), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.closed, 1));
  options.ready_share = 101;
  EQUAL(unisono_session_open_audience(ann, &options), UNISONO_EINVAL);
  options.ready_share = 100;
  options.ready_wait = milliseconds(10000) + 1;
  EQUAL(unisono_session_open_audience(ann, &options), UNISONO_EINVAL);
  options.ready_wait = -1;
  EQUAL(unisono_session_open_audience(ann, &options), UNISONO_EINVAL);
  options.ready_wait = milliseconds(3000);
  options.reaction_count = 2;
  EQUAL(unisono_session_open_audience(ann, &options), UNISONO_EINVAL);
  options.reactions = twice;
  EQUAL(unisono_session_open_audience(ann, &options), UNISONO_EINVAL);
  options.reactions = none;
  EQUAL(unisono_session_open_audience(ann, &options), UNISONO_EINVAL);
  options.reactions = wrong;
  options.reaction_count = 1;
  EQUAL(unisono_session_open_audience(ann, &options), UNISONO_EINVAL);
  options.reactions = some;
  options.reaction_count = 9;
  EQUAL(unisono_session_open_audience(ann, &options), UNISONO_EINVAL);
  options.reaction_count = 2;
  options.size = 8;
  EQUAL(unisono_session_open_audience(ann, &options), UNISONO_EINVAL);
  options.size = sizeof options;
  EQUAL(unisono_session_open_audience(ann, &options), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.open, 2));
  EQUAL(unisono_session_audience_link(ann, link_text, &length), UNISONO_OK);
  for (i = 0; i < EARS; i++) {
    make_ear(&ears[i], 1);
    EQUAL(unisono_coordinator_listen(ears[i].coordinator, link_text), UNISONO_OK);
  }
  for (i = 0; i < EARS; i++) CHECK(pump_until(context, &ears[i].following, 1));
  CHECK(pump_until(context, &ears[0].offered, 2));
  CHECK(strcmp(ears[0].first, "+1") == 0);
  CHECK(are_counted(EARS));
  memset(longest, 'x', 33);
  longest[33] = '\0';
  EQUAL(unisono_coordinator_react(film, "+1"), UNISONO_ESTATE);
  EQUAL(unisono_coordinator_react(ears[0].coordinator, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_react(ears[0].coordinator, ""), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_react(ears[0].coordinator, "-1"), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_react(ears[0].coordinator, longest), UNISONO_ETOOBIG);
  EQUAL(unisono_coordinator_react(ears[0].coordinator, "+1"), UNISONO_OK);
  EQUAL(unisono_coordinator_react(ears[0].coordinator, "+1"), UNISONO_EBUSY);
  EQUAL(unisono_coordinator_react(ears[1].coordinator, "+1"), UNISONO_OK);
  EQUAL(unisono_coordinator_react(ears[2].coordinator, "\xE2\x9D\xA4"), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.reactions[0], 2));
  CHECK(pump_until(context, &of_ann.reactions[1], 1));
  /* One of three is never ready: all of the wait. Then all are. */
  ears[2].commands.completes = 0;
  took = start();
  CHECK(took >= milliseconds(2900));
  CHECK(took < milliseconds(6000));
  EQUAL(of_ann.ready, 2);
  EQUAL(unisono_coordinator_coordinate_rate_change(film, 0, 0), UNISONO_OK);
  ears[2].commands.completes = 1;
  for (i = 0; i < 20; i++) unisono_context_poll(context, milliseconds(50));
  took = start();
  CHECK(took < milliseconds(2800));
  CHECK(all_keep_step());
  EQUAL(of_ann.ready, EARS);
  EQUAL(unisono_coordinator_stop_listening(ears[0].coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_react(ears[0].coordinator, "+1"), UNISONO_ESTATE);
  unisono_context_destroy(context);
}

/* The session of an audience ends, or its host goes: its listeners are told, and go on. */
static void the_host_goes(void) {
  int i;
  begin_with_ears();
  start();
  CHECK(all_keep_step());
  EQUAL(unisono_session_end(ann), UNISONO_OK);
  for (i = 0; i < EARS; i++) {
    unisono_timing timing = UNISONO_TIMING_INIT;
    int64_t end = unisono_host_time() + milliseconds(10000);
    while (ears[i].last_status == UNISONO_LISTENING_FOLLOWING && unisono_host_time() < end)
      unisono_context_poll(context, milliseconds(50));
    CHECK(ears[i].last_status != UNISONO_LISTENING_FOLLOWING);
    EQUAL(unisono_coordinator_timing(ears[i].coordinator, &timing), UNISONO_OK);
    CHECK(timing.state == UNISONO_TIMING_PLAYING || timing.state == UNISONO_TIMING_PAUSED);
  }
  unisono_context_destroy(context);
}

/* The player layer: its host is told with the player's callbacks, its renderer follows. */
typedef struct {
  player_listener player; /* first, as above */
  int heard, invited, errors;
  char item[64];
  int last_status, refused;
} player_ear;

static void on_player_listening(void *user, const unisono_listening_event *event) {
  player_ear *e = (player_ear *)user;
  e->last_status = event->status;
  snprintf(e->item, sizeof e->item, "%s", event->item != NULL ? event->item : "");
  e->heard++;
}

static void on_player_invited(void *user, const unisono_invite_event *event) {
  CHECK(strncmp(event->invite, "unisono://", 10) == 0);
  ((player_ear *)user)->invited++;
}

static void through_a_player(void) {
  fake_renderer r;
  player_ear e;
  unisono_renderer functions = fake_renderer_functions();
  unisono_player_callbacks callbacks = player_listener_functions();
  unisono_coordinator *coordinator = NULL;
  int64_t here = 0, there = 0, now;
  begin();
  memset(&r, 0, sizeof r);
  memset(&e, 0, sizeof e);
  r.context = context;
  r.duration = milliseconds(60000000);
  callbacks.listening_changed = on_player_listening;
  callbacks.invited = on_player_invited;
  EQUAL(unisono_player_create(context, &functions, &r, &callbacks, &e, &r.player), UNISONO_OK);
  EQUAL(unisono_player_coordinator(r.player, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_listen(coordinator, link_text), UNISONO_OK);
  CHECK(comes_to(e.item, "film"));
  EQUAL(e.last_status, UNISONO_LISTENING_FOLLOWING);
  insert(&r, "film", NULL);
  EQUAL(unisono_coordinator_coordinate_rate_change(film, 1, 0), UNISONO_OK);
  CHECK(pump_until(context, &r.plays, 1));
  CHECK(keeps_step(coordinator));
  now = unisono_host_time();
  EQUAL(unisono_coordinator_expected_item_time(film, now, &there), UNISONO_OK);
  here = r.at + (int64_t)(r.rate * (double)(now - r.since));
  CHECK(llabs(here - there) < milliseconds(50));
  EQUAL(unisono_coordinator_ask_to_speak(coordinator, "please"), UNISONO_OK);
  CHECK(pump_until(context, &of_ann.heard, 1));
  EQUAL(unisono_session_invite_listener(ann, &of_ann.listener), UNISONO_OK);
  CHECK(pump_until(context, &e.invited, 1));
  /* Its person's wish is refused, and it plays on. */
  EQUAL(unisono_player_pause(r.player), UNISONO_OK);
  CHECK(pump_until(context, &e.player.errors, 1));
  EQUAL(e.player.last_error_status, UNISONO_EDENIED);
  CHECK(keeps_step(coordinator));
  EQUAL(unisono_player_time_control(r.player), UNISONO_TIME_CONTROL_PLAYING);
  EQUAL(unisono_session_close_audience(ann), UNISONO_OK);
  {
    int64_t end = unisono_host_time() + milliseconds(10000);
    while (e.last_status != UNISONO_LISTENING_OVER && unisono_host_time() < end) unisono_context_poll(context, milliseconds(50));
  }
  EQUAL(e.last_status, UNISONO_LISTENING_OVER);
  EQUAL(unisono_player_pause(r.player), UNISONO_OK);
  CHECK(pump_until(context, &r.pauses, 1));
  EQUAL(e.player.errors, 1);
  unisono_context_destroy(context);
}

/* By the event queue: the newest state of each is what a host that reads late finds. */
static void from_the_queue(void) {
  unisono_context_options options = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_context *other = NULL;
  unisono_coordinator *coordinator = NULL;
  const unisono_context_event *event = NULL;
  int64_t end;
  int heard = 0, follows = 0;
  begin();
  options.event_queue = 1;
  EQUAL(unisono_context_create(&options, NULL, NULL, &other), UNISONO_OK);
  EQUAL(unisono_coordinator_create(other, NULL, NULL, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_listen(coordinator, link_text), UNISONO_OK);
  end = unisono_host_time() + milliseconds(10000);
  while (!follows && unisono_host_time() < end) {
    unisono_context_poll(context, milliseconds(5));
    while (unisono_context_next_event(other, milliseconds(5), &event) == 1) {
      const unisono_listening_event *told = unisono_event_listening(event);
      if (told == NULL) continue;
      heard++;
      CHECK(event->source == (void *)coordinator);
      EQUAL(event->size, sizeof *told);
      if (told->status == UNISONO_LISTENING_FOLLOWING && told->item != NULL && told->activity != NULL)
        follows = strcmp(told->item, "film") == 0 && strcmp(told->activity->identifier, "org.example.movie") == 0;
    }
  }
  CHECK(follows);
  CHECK(heard > 0);
  /* A coordinator that goes takes its listening with it. */
  CHECK(are_counted(1));
  unisono_coordinator_destroy(coordinator);
  end = unisono_host_time() + milliseconds(10000);
  while (of_ann.listeners != 0 && unisono_host_time() < end) {
    unisono_context_poll(context, milliseconds(5));
    while (unisono_context_next_event(other, milliseconds(5), &event) == 1) CHECK(unisono_event_listening(event) == NULL);
  }
  EQUAL(of_ann.listeners, 0);
  unisono_context_destroy(other);
  unisono_context_destroy(context);
}

void test_audience(void) {
  run_test("whoever has the link follows: play, jumps, pause, another item", follow);
  run_test("listeners are in no list, and nobody waits for them", unseen);
  run_test("who comes late is where the group is", late);
  run_test("what a listener wishes is refused, and it goes away and comes back as ever", commands);
  run_test("a closed audience tells its listeners, who go on alone; the next one has another link", closing);
  run_test("an audience gets another link: who listens goes along and plays on", renewing);
  run_test("who stops listening acts alone with what plays", stopping);
  run_test("what is no listening link is refused, and an invite is told from one", wrong_links);
  run_test("a coordinator listens or is in a session", one_at_a_time);
  run_test("hosts open audiences, where hosts alone command", who_may);
  run_test("a listener asks, is invited by a text of its own, takes part, and goes back", asking);
  run_test("starts wait for a share of those who listen, and reactions are counted", counting);
  run_test("when the session ends its listeners hear of it", the_host_goes);
  run_test("a player of the library listens, and its host hears what to load", through_a_player);
  run_test("the event queue has what there is to load", from_the_queue);
}
