/* Bad arguments: NULL for every pointer of every function, dead handles, handles of another kind, absurd sizes. */
#include "harness.h"

#include <stdlib.h>

static unisono_context *context;
static unisono_session *session;
static unisono_coordinator *coordinator;
static unisono_suspension *suspension;
static unisono_hub *hub;
static unisono_advertiser *advertiser;
static unisono_browser *browser;

static void nobody(void *user, const unisono_nearby_event *event) {
  (void)user;
  (void)event;
}

static unisono_service test_service(void) {
  unisono_service service = UNISONO_SERVICE_INIT;
  service.identifier = "org.example.test";
  service.usage_description = "Testing";
  return service;
}

static unisono_simulation *simulation;
static unisono_player *media;
static unisono_surface *surface;

static void renderer_call(void *user, const unisono_renderer_command *command) {
  (void)user;
  (void)command;
}

static unisono_renderer least_renderer(void) {
  unisono_renderer renderer = UNISONO_RENDERER_INIT;
  renderer.load = renderer.play = renderer.pause = renderer.seek = renderer.stop = renderer_call;
  return renderer;
}

static void make_all(void) {
  unisono_playback_delegate delegate = player_delegate();
  unisono_hub_options loopback = UNISONO_HUB_OPTIONS_INIT;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  static const char *const address[] = {"127.0.0.1:0"};
  static player p;
  unisono_service service = test_service();
  unisono_advertiser_callbacks asks = UNISONO_ADVERTISER_CALLBACKS_INIT;
  unisono_browser_callbacks devices = UNISONO_BROWSER_CALLBACKS_INIT;
  asks.join_requested = nobody;
  devices.found = nobody;
  loopback.listen = address;
  loopback.listen_count = 1;
  options.hub_options = &loopback;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_OK);
  EQUAL(unisono_coordinator_create(context, &delegate, &p, &coordinator), UNISONO_OK);
  EQUAL(unisono_coordinator_begin_suspension(coordinator, "test", &suspension), UNISONO_OK);
  EQUAL(unisono_hub_create(context, &loopback, NULL, NULL, &hub), UNISONO_OK);
  EQUAL(unisono_advertiser_create(context, session, &service, &asks, NULL, &advertiser), UNISONO_OK);
  EQUAL(unisono_browser_create(context, &service, &devices, NULL, &browser), UNISONO_OK);
  EQUAL(unisono_simulation_create(NULL, &simulation), UNISONO_OK);
  {
    unisono_renderer renderer = least_renderer();
    EQUAL(unisono_player_create(context, &renderer, NULL, NULL, NULL, &media), UNISONO_OK);
    EQUAL(unisono_surface_create(media, UNISONO_SURFACE_INLINE, NULL, NULL, &surface), UNISONO_OK);
  }
}

static void none(void *user, const unisono_timer_event *event) {
  (void)user;
  (void)event;
}

static void answered(void *user, const unisono_activation_event *event) {
  (void)user;
  (void)event;
}

/* What the functions of each kind of handle are to answer. */
typedef struct {
  int context, session, coordinator, suspension, hub, advertiser, browser, join_request, player, surface, simulation;
} answers;

/* Every function that takes a handle, with this pointer for the handle and good arguments otherwise. */
static void every_function_of(void *h, answers want) {
  unisono_context *c = (unisono_context *)h;
  unisono_session *s = (unisono_session *)h;
  unisono_coordinator *o = (unisono_coordinator *)h;
  unisono_suspension *u = (unisono_suspension *)h;
  unisono_hub *b = (unisono_hub *)h;
  unisono_advertiser *v = (unisono_advertiser *)h;
  unisono_browser *w = (unisono_browser *)h;
  unisono_join_request *q = (unisono_join_request *)h;
  unisono_simulation *m = (unisono_simulation *)h;
  unisono_simulated_link link = UNISONO_SIMULATED_LINK_INIT;
  unisono_context *new_context = NULL;
  unisono_service service = test_service();
  unisono_advertiser *new_advertiser = NULL;
  unisono_browser *new_browser = NULL;
  unisono_player *p = (unisono_player *)h;
  unisono_surface *f = (unisono_surface *)h;
  unisono_renderer renderer = least_renderer();
  unisono_player *new_player = NULL;
  unisono_surface *new_surface = NULL;
  unisono_coordinator *borrowed = NULL;
  const unisono_continuation *continuation = NULL;
  unisono_player_item item = UNISONO_PLAYER_ITEM_INIT;
  unisono_renderer_report said = UNISONO_RENDERER_REPORT_INIT;
  unisono_player_statistics player_stats = UNISONO_PLAYER_STATISTICS_INIT;
  int64_t other_time = 0;
  unisono_playback_delegate delegate = player_delegate();
  unisono_session *new_session = NULL;
  unisono_coordinator *new_coordinator = NULL;
  unisono_suspension *new_suspension = NULL;
  unisono_hub *new_hub = NULL;
  const unisono_context_event *event = NULL;
  const unisono_participants *list = NULL;
  const unisono_chat *chat = NULL;
  const unisono_playlist *playlist = NULL;
  const unisono_scheduled_start *scheduled = NULL;
  unisono_playlist_entry entry = UNISONO_PLAYLIST_ENTRY_INIT;
  unisono_copy copy = UNISONO_COPY_INIT;
  unisono_entry_id entry_id = {{1}};
  const unisono_attachments *attachments = NULL;
  unisono_attachment_id content = {{0}};
  const unisono_activity *owned_activity = NULL;
  const char *const *texts = NULL;
  const unisono_waiting_for *waiting = NULL;
  unisono_participant_id id;
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  unisono_notice notice = UNISONO_NOTICE_INIT;
  unisono_session_statistics session_stats = UNISONO_SESSION_STATISTICS_INIT;
  unisono_start_policy starts = UNISONO_START_POLICY_INIT;
  unisono_coordinator_statistics stats = UNISONO_COORDINATOR_STATISTICS_INIT;
  unisono_hub_statistics hub_stats = UNISONO_HUB_STATISTICS_INIT;
  unisono_clock clock = UNISONO_CLOCK_INIT;
  unisono_timing timing = UNISONO_TIMING_INIT;
  unisono_playback_report report = UNISONO_PLAYBACK_REPORT_INIT;
  char text[64];
  size_t length = sizeof text, count = 0;
  unisono_succession_state succession = UNISONO_SUCCESSION_STATE_INIT;
  unisono_request request = UNISONO_REQUEST_INIT;
  uint64_t token = 0, number = 0;
  int64_t time = 0;
  activity.identifier = "org.example.test";
  item.identifier = "a";

  EQUAL(unisono_context_fd(c), want.context);
  EQUAL(unisono_context_timeout(c), want.context);
  EQUAL(unisono_context_poll(c, 0), want.context);
  EQUAL(unisono_context_next_event(c, 0, &event), want.context);
  EQUAL(unisono_context_wake(c), want.context);
  EQUAL(unisono_context_host_time(c), want.context);
  EQUAL(unisono_context_call_at(c, 1, none, NULL, &token), want.context);
  EQUAL(unisono_context_cancel(c, 1), want.context);
  EQUAL(unisono_context_forget_answers(c, UNISONO_ACTIVITY_ALL), want.context);
  EQUAL(unisono_session_host(c, NULL, NULL, NULL, &new_session), want.context);
  EQUAL(unisono_session_open(c, "unisono://x", NULL, NULL, NULL, &new_session), want.context);
  EQUAL(unisono_coordinator_create(c, &delegate, NULL, &new_coordinator), want.context);
  EQUAL(unisono_hub_create(c, NULL, NULL, NULL, &new_hub), want.context);
  EQUAL(unisono_session_invite(s, text, &length), want.session);
  EQUAL(unisono_session_continuation(s, "0123456789abcdef", 16, &continuation), want.session);
  EQUAL(unisono_session_join(s), want.session);
  EQUAL(unisono_session_leave(s), want.session);
  EQUAL(unisono_session_end(s), want.session);
  EQUAL(unisono_session_get_state(s), want.session);
  EQUAL(unisono_session_connection(s), want.session);
  EQUAL(unisono_session_local_participant(s, &id), want.session);
  EQUAL(unisono_session_participants(s, &list), want.session);
  EQUAL(unisono_session_activate(s, &activity), want.session);
  EQUAL(unisono_session_activity(s, &owned_activity), want.session);
  EQUAL(unisono_session_set_role(s, &id, UNISONO_ROLE_HOST), want.session);
  EQUAL(unisono_session_set_control_policy(s, UNISONO_CONTROL_EVERYONE), want.session);
  EQUAL(unisono_session_set_closed(s, 1), want.session);
  EQUAL(unisono_session_open_audience(s, NULL), want.session);
  EQUAL(unisono_session_renew_audience(s), want.session);
  EQUAL(unisono_session_close_audience(s), want.session);
  EQUAL(unisono_session_audience_link(s, text, &length), want.session);
  EQUAL(unisono_session_invite_listener(s, &id), want.session);
  EQUAL(unisono_session_remove_participant(s, &id), want.session);
  EQUAL(unisono_session_set_deputies(s, &id, 1, UNISONO_SUCCESSION_NAMED, 0), want.session);
  EQUAL(unisono_session_get_succession(s, &succession), want.session);
  EQUAL(unisono_session_request_command(s, &request, &number), want.session);
  EQUAL(unisono_session_answer_request(s, &id, 1, 1), want.session);
  EQUAL(unisono_session_chat(s, "x", &number), want.session);
  EQUAL(unisono_session_react(s, "x"), want.session);
  EQUAL(unisono_session_chat_history(s, &chat), want.session);
  EQUAL(unisono_session_add_entry(s, &entry, NULL, &entry_id), want.session);
  EQUAL(unisono_session_move_entry(s, &entry_id, NULL), want.session);
  EQUAL(unisono_session_remove_entry(s, &entry_id), want.session);
  EQUAL(unisono_session_select_entry(s, &entry_id), want.session);
  EQUAL(unisono_session_next_entry(s, NULL), want.session);
  EQUAL(unisono_session_playlist(s, &playlist), want.session);
  EQUAL(unisono_session_set_copy(s, &entry_id, &copy), want.session);
  EQUAL(unisono_session_set_cut_offset(s, &entry_id, 0), want.session);
  EQUAL(unisono_session_attach(s, "x", NULL, NULL, &number), want.session);
  EQUAL(unisono_session_attach_bytes(s, "x", 1, "x", NULL, &number), want.session);
  EQUAL(unisono_session_attachments(s, &attachments), want.session);
  EQUAL(unisono_session_load_attachment(s, &content, "x"), want.session);
  EQUAL(unisono_session_cancel_attachment(s, &content), want.session);
  EQUAL(unisono_session_remove_attachment(s, &content), want.session);
  EQUAL(unisono_session_prepare_for_activation(s, &activity, answered, NULL), want.session);
  EQUAL(unisono_session_answer_consent(s, 1, UNISONO_ACTIVATION_PREFERRED, 0), want.session);
  EQUAL(unisono_session_send(s, "x", 1, UNISONO_DELIVERY_RELIABLE, NULL, 0), want.session);
  EQUAL(unisono_session_send_typed(s, "t", 1, "x", 1, UNISONO_DELIVERY_RELIABLE, NULL, 0), want.session);
  EQUAL(unisono_session_schedule_start(s, "i", unisono_host_time() + milliseconds(1000), 0), want.session);
  EQUAL(unisono_session_cancel_start(s), want.session);
  EQUAL(unisono_session_scheduled_start(s, &scheduled), want.session);
  EQUAL(unisono_session_send_at(s, "i", 1, "t", 1, "x", 1, NULL, 0), want.session);
  EQUAL(unisono_session_post_notice(s, &notice), want.session);
  EQUAL(unisono_session_request_foreground(s), want.session);
  EQUAL(unisono_session_set_speaking(s, 1), want.session);
  EQUAL(unisono_session_get_statistics(s, &session_stats), want.session);
  EQUAL(unisono_session_clock(s, &clock), want.session);
  EQUAL(unisono_coordinator_coordinate_with_session(o, NULL), want.coordinator);
  EQUAL(unisono_coordinator_coordinate_with_session_as(o, NULL, NULL), want.coordinator);
  EQUAL(unisono_coordinator_listen(o, "unisono://x"), want.coordinator);
  EQUAL(unisono_coordinator_stop_listening(o), want.coordinator);
  EQUAL(unisono_coordinator_ask_to_speak(o, NULL), want.coordinator);
  EQUAL(unisono_coordinator_say_to_hosts(o, "a"), want.coordinator);
  EQUAL(unisono_coordinator_react(o, "a"), want.coordinator);
  EQUAL(unisono_coordinator_transition_to_item(o, "a", NULL), want.coordinator);
  EQUAL(unisono_coordinator_current_item(o, text, &length), want.coordinator);
  EQUAL(unisono_coordinator_coordinate_rate_change(o, 1, 0), want.coordinator);
  EQUAL(unisono_coordinator_coordinate_seek(o, 0, 0), want.coordinator);
  EQUAL(unisono_coordinator_undo_jump(o), want.coordinator);
  EQUAL(unisono_coordinator_complete(o, 1), want.coordinator);
  EQUAL(unisono_coordinator_fail(o, 1, UNISONO_EIO), want.coordinator);
  EQUAL(unisono_coordinator_reapply_current_item_state(o), want.coordinator);
  EQUAL(unisono_coordinator_expect_motion(o, UNISONO_MOTION_RUNNING, 1), want.coordinator);
  EQUAL(unisono_coordinator_is_wish(o, UNISONO_MOTION_RUNNING, 1), want.coordinator);
  EQUAL(unisono_coordinator_expected_item_time(o, 0, &time), want.coordinator);
  EQUAL(unisono_coordinator_timing(o, &timing), want.coordinator);
  EQUAL(unisono_coordinator_begin_suspension(o, "r", &new_suspension), want.coordinator);
  EQUAL(unisono_coordinator_suspension_reasons(o, &texts, &count), want.coordinator);
  EQUAL(unisono_coordinator_set_waiting_reasons(o, NULL, 0), want.coordinator);
  EQUAL(unisono_coordinator_set_participant_limit(o, "r", 1), want.coordinator);
  EQUAL(unisono_coordinator_set_pause_snaps_to_originator(o, 1), want.coordinator);
  EQUAL(unisono_coordinator_set_prepares_ahead(o, 1), want.coordinator);
  EQUAL(unisono_coordinator_set_wait_limit(o, 1), want.coordinator);
  EQUAL(unisono_coordinator_set_stall_policy(o, NULL), want.coordinator);
  EQUAL(unisono_coordinator_set_action_at_end(o, UNISONO_AT_END_PAUSE), want.coordinator);
  EQUAL(unisono_coordinator_action_at_end(o), want.coordinator);
  EQUAL(unisono_coordinator_set_skipped_ranges(o, 1), want.coordinator);
  EQUAL(unisono_coordinator_skipped_ranges(o), want.coordinator);
  EQUAL(unisono_coordinator_set_interstitials(o, "film", NULL, 0), want.coordinator);
  EQUAL(unisono_coordinator_set_start_policy(o, NULL), want.coordinator);
  EQUAL(unisono_coordinator_get_start_policy(o, &starts), want.coordinator);
  EQUAL(unisono_coordinator_set_ready(o, UNISONO_READINESS_READY), want.coordinator);
  EQUAL(unisono_coordinator_start_without(o, NULL, 0), want.coordinator);
  EQUAL(unisono_coordinator_set_output_offset(o, 1), want.coordinator);
  EQUAL(unisono_coordinator_report(o, &report), want.coordinator);
  EQUAL(unisono_coordinator_other_participants(o, &list), want.coordinator);
  EQUAL(unisono_coordinator_waiting_for(o, &waiting, &count), want.coordinator);
  EQUAL(unisono_coordinator_get_statistics(o, &stats), want.coordinator);
  EQUAL(unisono_suspension_end(u), want.suspension);
  EQUAL(unisono_suspension_end_proposing(u, 1), want.suspension);
  EQUAL(unisono_suspension_reason(u, text, &length), want.suspension);
  EQUAL(unisono_suspension_begin_time(u, &time), want.suspension);
  EQUAL(unisono_hub_line(b, 0, text, &length), want.hub);
  EQUAL(unisono_hub_get_statistics(b, &hub_stats), want.hub);
  EQUAL(unisono_advertiser_create(c, NULL, &service, NULL, NULL, &new_advertiser), want.context);
  EQUAL(unisono_browser_create(c, &service, NULL, NULL, &new_browser), want.context);
  EQUAL(unisono_advertiser_address(v, 0, text, &length), want.advertiser);
  EQUAL(unisono_browser_add_address(w, "127.0.0.1:9", &token), want.browser);
  EQUAL(unisono_browser_connect(w, 1), want.browser);
  EQUAL(unisono_browser_invite(w, 1, NULL), want.browser);
  EQUAL(unisono_browser_confirm(w, 1, 1), want.browser);
  EQUAL(unisono_join_request_accept(q), want.join_request);
  EQUAL(unisono_join_request_deny(q), want.join_request);
  EQUAL(unisono_player_create(c, &renderer, NULL, NULL, NULL, &new_player), want.context);
  EQUAL(unisono_player_coordinator(p, &borrowed), want.player);
  EQUAL(unisono_player_insert_item(p, &item, NULL), want.player);
  EQUAL(unisono_player_remove_item(p, "a"), want.player);
  EQUAL(unisono_player_advance(p), want.player);
  EQUAL(unisono_player_replace_current_item(p, &item), want.player);
  EQUAL(unisono_player_play(p, 0), want.player);
  EQUAL(unisono_player_pause(p), want.player);
  EQUAL(unisono_player_set_rate(p, 1, 0), want.player);
  EQUAL(unisono_player_set_rate(p, 1, UNISONO_RATE_PLAY_IMMEDIATELY), want.player);
  EQUAL(unisono_player_set_rate(p, 1, UNISONO_RATE_AS_DEFAULT), want.player);
  EQUAL(unisono_player_seek(p, 0, 0, 0, &token), want.player);
  EQUAL(unisono_player_begin_scrub(p), want.player);
  EQUAL(unisono_player_scrub_to(p, 0), want.player);
  EQUAL(unisono_player_end_scrub(p, 0), want.player);
  EQUAL(unisono_player_replay(p, 1, 0), want.player);
  EQUAL(unisono_player_time_control(p), want.player);
  EQUAL(unisono_player_waiting_reason(p), want.player);
  EQUAL(unisono_player_item_state(p), want.player);
  EQUAL(unisono_player_current_time(p, &time, &other_time), want.player);
  EQUAL(unisono_player_begin_interruption(p), want.player);
  EQUAL(unisono_player_end_interruption(p, 1), want.player);
  EQUAL(unisono_player_begin_interstitial(p), want.player);
  EQUAL(unisono_player_end_interstitial(p), want.player);
  EQUAL(unisono_player_set_volume(p, 1), want.player);
  EQUAL(unisono_player_report(p, &said), want.player);
  EQUAL(unisono_player_get_statistics(p, &player_stats), want.player);
  EQUAL(unisono_surface_create(p, UNISONO_SURFACE_INLINE, NULL, NULL, &new_surface), want.player);
  EQUAL(unisono_surface_begin(f), want.surface);
  EQUAL(unisono_surface_end(f), want.surface);
  EQUAL(unisono_surface_set_playing(f, 1), want.surface);
  EQUAL(unisono_surface_skip_by(f, 1, &token), want.surface);
  EQUAL(unisono_surface_time_range(f, &time, &other_time), want.surface);
  EQUAL(unisono_surface_is_paused(f), want.surface);
  EQUAL(unisono_surface_set_render_size(f, 1, 1), want.surface);
  EQUAL(unisono_surface_complete_restore(f, 1, 1), want.surface);
  EQUAL(unisono_simulation_context(m, NULL, NULL, NULL, 0, 0, &new_context), want.simulation);
  EQUAL(unisono_simulation_set_link(m, NULL, &link), want.simulation);
  EQUAL(unisono_simulation_advance(m, 1), want.simulation);
}

static void every_function(void *h, int want) {
  answers same = {want, want, want, want, want, want, want, want, want, want, want};
  every_function_of(h, same);
}

static void null_handles(void) {
  every_function(NULL, UNISONO_EINVAL);
  unisono_context_destroy(NULL);
  unisono_session_destroy(NULL);
  unisono_coordinator_destroy(NULL);
  unisono_suspension_destroy(NULL);
  unisono_hub_destroy(NULL);
  unisono_advertiser_destroy(NULL);
  unisono_browser_destroy(NULL);
  unisono_player_destroy(NULL);
  unisono_surface_destroy(NULL);
  unisono_simulation_destroy(NULL);
  unisono_free(NULL);
  CHECK(unisono_event_timer(NULL) == NULL);
  CHECK(unisono_event_overflow(NULL) == NULL);
  CHECK(unisono_event_error(NULL) == NULL);
  CHECK(unisono_event_log(NULL) == NULL);
  CHECK(unisono_event_session_state(NULL) == NULL);
  CHECK(unisono_event_activity(NULL) == NULL);
  CHECK(unisono_event_participants(NULL) == NULL);
  CHECK(unisono_event_message(NULL) == NULL);
  CHECK(unisono_event_notice(NULL) == NULL);
  CHECK(unisono_event_participant(NULL) == NULL);
  CHECK(unisono_event_invite(NULL) == NULL);
  CHECK(unisono_event_ignored(NULL) == NULL);
  CHECK(unisono_event_clock_doubt(NULL) == NULL);
  CHECK(unisono_event_split(NULL) == NULL);
  CHECK(unisono_event_hub_doubt(NULL) == NULL);
  CHECK(unisono_event_schedule(NULL) == NULL);
  CHECK(unisono_event_audience(NULL) == NULL);
  CHECK(unisono_event_listening(NULL) == NULL);
  CHECK(unisono_event_listener(NULL) == NULL);
  CHECK(unisono_event_chat(NULL) == NULL);
  CHECK(unisono_event_playlist(NULL) == NULL);
  CHECK(unisono_event_copy(NULL) == NULL);
  CHECK(unisono_event_attachment(NULL) == NULL);
  CHECK(unisono_event_activation(NULL) == NULL);
  CHECK(unisono_event_command(NULL) == NULL);
  CHECK(unisono_event_succession(NULL) == NULL);
  CHECK(unisono_event_request(NULL) == NULL);
  CHECK(unisono_event_suspensions(NULL) == NULL);
  CHECK(unisono_event_timing(NULL) == NULL);
  CHECK(unisono_event_player(NULL) == NULL);
  CHECK(unisono_event_renderer(NULL) == NULL);
  CHECK(unisono_event_surface(NULL) == NULL);
  CHECK(unisono_event_nearby(NULL) == NULL);
}

static void no_handles(void) {
  static int something;
  int on_stack = 0;
  every_function(&something, UNISONO_EINVAL);
  every_function(&on_stack, UNISONO_EINVAL);
  every_function((void *)(uintptr_t)5, UNISONO_EINVAL);
  every_function((void *)UINTPTR_MAX, UNISONO_EINVAL);
  every_function((void *)(uintptr_t)0x7fffffffffffu, UNISONO_EINVAL);
  unisono_context_destroy((unisono_context *)&something);
  unisono_free(&something);
}

static void wrong_kind(void) {
  const char *sentence;
  make_all();
  EQUAL(unisono_session_join((unisono_session *)coordinator), UNISONO_EINVAL);
  EQUAL(unisono_session_join((unisono_session *)context), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_complete((unisono_coordinator *)session, 1), UNISONO_EINVAL);
  EQUAL(unisono_suspension_end((unisono_suspension *)hub), UNISONO_EINVAL);
  EQUAL(unisono_hub_get_statistics((unisono_hub *)suspension, NULL), UNISONO_EINVAL);
  EQUAL(unisono_context_wake((unisono_context *)session), UNISONO_EINVAL);
  EQUAL(unisono_context_poll((unisono_context *)hub, 0), UNISONO_EINVAL);
  sentence = unisono_last_error();
  CHECK(strstr(sentence, "unisono_context_poll") != NULL);
  CHECK(strstr(sentence, "another kind") != NULL);
  unisono_session_destroy((unisono_session *)hub);
  EQUAL(unisono_hub_line(hub, 1000000, NULL, NULL), UNISONO_ENOTFOUND);
  unisono_context_destroy(context);
  unisono_simulation_destroy(simulation);
}

static void null_arguments(void) {
  unisono_attachment_id content = {{0}};
  unisono_playback_delegate delegate = player_delegate();
  unisono_coordinator *new_coordinator = NULL;
  const char *const *texts = NULL;
  const unisono_waiting_for *waiting = NULL;
  const char *absent[] = {NULL};
  size_t length = 8, count = 0;
  const unisono_continuation *unsealed = NULL;
  make_all();
  EQUAL(unisono_context_create(NULL, NULL, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_context_next_event(context, 0, NULL), UNISONO_EINVAL);
  EQUAL(unisono_context_call_at(context, 1, NULL, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_context_call_at(context, UNISONO_TIME_INVALID, none, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_context_call_at(context, 1, none, NULL, NULL), UNISONO_OK);
  EQUAL(unisono_session_host(context, NULL, NULL, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_open(context, "x", NULL, NULL, NULL, NULL), UNISONO_EINVAL);
  {
    unisono_session *new_session = session;
    EQUAL(unisono_session_open(context, NULL, NULL, NULL, NULL, &new_session), UNISONO_EINVAL);
    CHECK(new_session == NULL);
  }
  EQUAL(unisono_session_invite(session, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_continuation(session, "0123456789abcdef", 16, NULL), UNISONO_EINVAL);
  /* Without a key it is the person's that seals, and this context has none. */
  EQUAL(unisono_session_continuation(session, NULL, 0, &unsealed), UNISONO_EINVAL);
  EQUAL(unisono_session_invite(session, NULL, &length), UNISONO_EINVAL);
  EQUAL(unisono_session_audience_link(session, NULL, NULL), UNISONO_ESTATE);
  EQUAL(unisono_coordinator_listen(coordinator, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_say_to_hosts(coordinator, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_react(coordinator, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_invite_listener(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_local_participant(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_participants(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_activate(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_activity(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_set_role(session, NULL, UNISONO_ROLE_HOST), UNISONO_EINVAL);
  EQUAL(unisono_session_remove_participant(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_set_deputies(session, NULL, 1, UNISONO_SUCCESSION_NAMED, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_get_succession(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_request_command(session, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_answer_request(session, NULL, 1, 1), UNISONO_EINVAL);
  EQUAL(unisono_session_chat(session, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_react(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_chat_history(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_add_entry(session, NULL, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_set_copy(session, NULL, NULL), UNISONO_ESTATE);
  EQUAL(unisono_session_set_cut_offset(session, NULL, 0), UNISONO_ESTATE);
  EQUAL(unisono_session_set_cut_offset(session, NULL, INT64_MIN), UNISONO_EINVAL);
  EQUAL(unisono_session_set_cut_offset(session, NULL, INT64_C(21600000000001)), UNISONO_EINVAL);
  EQUAL(unisono_session_move_entry(session, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_remove_entry(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_select_entry(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_playlist(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_copy_of_file(NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach(session, NULL, NULL, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach_bytes(session, NULL, 1, "x", NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attach_bytes(session, "x", 1, NULL, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_attachments(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_load_attachment(session, NULL, "x"), UNISONO_EINVAL);
  EQUAL(unisono_session_load_attachment(session, &content, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_cancel_attachment(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_remove_attachment(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_get_statistics(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_clock(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_create(context, &delegate, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_create(context, NULL, NULL, &new_coordinator), UNISONO_EINVAL);
  delegate.seek = NULL;
  EQUAL(unisono_coordinator_create(context, &delegate, NULL, &new_coordinator), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_transition_to_item(coordinator, NULL, NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_current_item(coordinator, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_expected_item_time(coordinator, 0, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_timing(coordinator, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_interstitials(coordinator, NULL, NULL, 0), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_begin_suspension(coordinator, "r", NULL), UNISONO_EINVAL);
  {
    unisono_suspension *new_suspension = suspension;
    EQUAL(unisono_coordinator_begin_suspension(coordinator, NULL, &new_suspension), UNISONO_EINVAL);
    CHECK(new_suspension == NULL);
    EQUAL(unisono_coordinator_begin_suspension(coordinator, "", &new_suspension), UNISONO_EINVAL);
  }
  EQUAL(unisono_suspension_reason(suspension, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_suspension_begin_time(suspension, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_suspension_reasons(coordinator, NULL, &count), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_suspension_reasons(coordinator, &texts, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_waiting_reasons(coordinator, NULL, 1), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_waiting_reasons(coordinator, absent, 1), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_waiting_reasons(coordinator, absent, SIZE_MAX), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_participant_limit(coordinator, NULL, 1), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_report(coordinator, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_set_stall_policy(coordinator, NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_set_start_policy(coordinator, NULL), UNISONO_OK);
  EQUAL(unisono_coordinator_get_start_policy(coordinator, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_start_without(coordinator, NULL, 1), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_start_without(coordinator, NULL, SIZE_MAX), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_other_participants(coordinator, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_waiting_for(coordinator, NULL, &count), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_waiting_for(coordinator, &waiting, NULL), UNISONO_EINVAL);
  EQUAL(unisono_coordinator_get_statistics(coordinator, NULL), UNISONO_EINVAL);
  EQUAL(unisono_hub_create(context, NULL, NULL, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_hub_line(hub, 0, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_hub_get_statistics(hub, NULL), UNISONO_EINVAL);
  {
    unisono_service service = test_service();
    unisono_advertiser_callbacks asks = UNISONO_ADVERTISER_CALLBACKS_INIT;
    unisono_browser_callbacks devices = UNISONO_BROWSER_CALLBACKS_INIT;
    unisono_advertiser *new_advertiser = advertiser;
    unisono_browser *new_browser = browser;
    uint64_t device = 0;
    EQUAL(unisono_advertiser_create(context, session, NULL, &asks, NULL, &new_advertiser), UNISONO_EINVAL);
    CHECK(new_advertiser == NULL);
    /* Without an event queue nobody would hear of an ask. */
    EQUAL(unisono_advertiser_create(context, session, &service, NULL, NULL, &new_advertiser), UNISONO_EINVAL);
    EQUAL(unisono_advertiser_create(context, session, &service, &asks, NULL, NULL), UNISONO_EINVAL);
    EQUAL(unisono_advertiser_create(context, NULL, &service, &asks, NULL, &new_advertiser), UNISONO_OK);
    EQUAL(unisono_advertiser_address(advertiser, 0, NULL, NULL), UNISONO_EINVAL);
    EQUAL(unisono_browser_create(context, NULL, &devices, NULL, &new_browser), UNISONO_EINVAL);
    CHECK(new_browser == NULL);
    EQUAL(unisono_browser_create(context, &service, NULL, NULL, &new_browser), UNISONO_EINVAL);
    EQUAL(unisono_browser_create(context, &service, &devices, NULL, NULL), UNISONO_EINVAL);
    EQUAL(unisono_browser_add_address(browser, NULL, &device), UNISONO_EINVAL);
    EQUAL(unisono_browser_add_address(browser, "127.0.0.1:9", NULL), UNISONO_EINVAL);
    EQUAL(unisono_browser_invite(browser, 1, NULL), UNISONO_EINVAL);
    EQUAL(unisono_browser_connect(browser, 12345), UNISONO_ENOTFOUND);
    EQUAL(unisono_browser_confirm(browser, 12345, 1), UNISONO_ENOTFOUND);
  }
  {
    unisono_player *new_player = media;
    unisono_surface *new_surface = surface;
    unisono_player_item item = UNISONO_PLAYER_ITEM_INIT;
    int64_t time = 0;
    EQUAL(unisono_player_create(context, NULL, NULL, NULL, NULL, &new_player), UNISONO_EINVAL);
    CHECK(new_player == NULL);
    EQUAL(unisono_player_create(context, NULL, NULL, NULL, NULL, NULL), UNISONO_EINVAL);
    EQUAL(unisono_player_coordinator(media, NULL), UNISONO_EINVAL);
    EQUAL(unisono_player_insert_item(media, NULL, NULL), UNISONO_EINVAL);
    EQUAL(unisono_player_insert_item(media, &item, NULL), UNISONO_EINVAL);
    EQUAL(unisono_player_remove_item(media, NULL), UNISONO_EINVAL);
    EQUAL(unisono_player_replace_current_item(media, NULL), UNISONO_OK);
    EQUAL(unisono_player_seek(media, UNISONO_TIME_INVALID, 0, 0, NULL), UNISONO_EINVAL);
    EQUAL(unisono_player_current_time(media, NULL, &time), UNISONO_EINVAL);
    EQUAL(unisono_player_current_time(media, &time, NULL), UNISONO_EINVAL);
    EQUAL(unisono_player_report(media, NULL), UNISONO_EINVAL);
    EQUAL(unisono_player_get_statistics(media, NULL), UNISONO_EINVAL);
    EQUAL(unisono_surface_create(media, UNISONO_SURFACE_INLINE, NULL, NULL, NULL), UNISONO_EINVAL);
    EQUAL(unisono_surface_create(media, (unisono_surface_kind)99, NULL, NULL, &new_surface), UNISONO_EINVAL);
    CHECK(new_surface == NULL);
    EQUAL(unisono_surface_skip_by(surface, UNISONO_TIME_INDEFINITE, NULL), UNISONO_EINVAL);
    EQUAL(unisono_surface_time_range(surface, NULL, &time), UNISONO_EINVAL);
    EQUAL(unisono_surface_time_range(surface, &time, NULL), UNISONO_EINVAL);
  }
  {
    unisono_simulated_link link = UNISONO_SIMULATED_LINK_INIT;
    EQUAL(unisono_simulation_create(NULL, NULL), UNISONO_EINVAL);
    EQUAL(unisono_simulation_context(simulation, NULL, NULL, NULL, 0, 0, NULL), UNISONO_EINVAL);
    EQUAL(unisono_simulation_set_link(simulation, NULL, &link), UNISONO_EINVAL);
    EQUAL(unisono_simulation_set_link(simulation, context, NULL), UNISONO_EINVAL);
  }
  unisono_context_destroy(context);
  unisono_simulation_destroy(simulation);
}

/* Each kind's destroyed handle, given to every function there is. */
static void every_other_kind(void) {
  void *handles[10];
  int i;
  make_all();
  handles[0] = context;
  handles[1] = session;
  handles[2] = coordinator;
  handles[3] = suspension;
  handles[4] = hub;
  handles[5] = advertiser;
  handles[6] = browser;
  handles[7] = media;
  handles[8] = surface;
  handles[9] = simulation;
  unisono_context_destroy(context);
  unisono_simulation_destroy(simulation);
  for (i = 0; i < 10; i++) {
    answers want = {UNISONO_EINVAL, UNISONO_EINVAL, UNISONO_EINVAL, UNISONO_EINVAL, UNISONO_EINVAL,
                    UNISONO_EINVAL, UNISONO_EINVAL, UNISONO_EINVAL, UNISONO_EINVAL, UNISONO_EINVAL, UNISONO_EINVAL};
    int *const kinds[] = {&want.context,    &want.session, &want.coordinator, &want.suspension, &want.hub,
                          &want.advertiser, &want.browser, &want.player,      &want.surface,    &want.simulation};
    *kinds[i] = UNISONO_ECLOSED;
    every_function_of(handles[i], want);
  }
}

static void dead_handles(void) {
  make_all();
  unisono_context_destroy(context);
  EQUAL(unisono_context_poll(context, 0), UNISONO_ECLOSED);
  EQUAL(unisono_context_wake(context), UNISONO_ECLOSED);
  EQUAL(unisono_context_host_time(context), UNISONO_ECLOSED);
  EQUAL(unisono_session_get_state(session), UNISONO_ECLOSED);
  EQUAL(unisono_session_clock(session, NULL), UNISONO_ECLOSED);
  EQUAL(unisono_coordinator_complete(coordinator, 1), UNISONO_ECLOSED);
  EQUAL(unisono_coordinator_timing(coordinator, NULL), UNISONO_ECLOSED);
  EQUAL(unisono_coordinator_expected_item_time(coordinator, 0, NULL), UNISONO_ECLOSED);
  EQUAL(unisono_suspension_end(suspension), UNISONO_ECLOSED);
  EQUAL(unisono_hub_get_statistics(hub, NULL), UNISONO_ECLOSED);
  EQUAL(unisono_advertiser_address(advertiser, 0, NULL, NULL), UNISONO_ECLOSED);
  EQUAL(unisono_browser_connect(browser, 1), UNISONO_ECLOSED);
  EQUAL(unisono_player_play(media, 0), UNISONO_ECLOSED);
  EQUAL(unisono_surface_begin(surface), UNISONO_ECLOSED);
  unisono_context_destroy(context);
  unisono_session_destroy(session);
  unisono_coordinator_destroy(coordinator);
  unisono_suspension_destroy(suspension);
  unisono_hub_destroy(hub);
  unisono_advertiser_destroy(advertiser);
  unisono_browser_destroy(browser);
  unisono_player_destroy(media);
  unisono_surface_destroy(surface);
  unisono_simulation_destroy(simulation);
  EQUAL(unisono_simulation_advance(simulation, 0), UNISONO_ECLOSED);
}

static void never_reused(void) {
  unisono_context *first = NULL, *other = NULL;
  int i;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &first), UNISONO_OK);
  unisono_context_destroy(first);
  for (i = 0; i < 100; i++) {
    EQUAL(unisono_context_create(NULL, NULL, NULL, &other), UNISONO_OK);
    CHECK(other != first);
    EQUAL(unisono_context_wake(first), UNISONO_ECLOSED);
    unisono_context_destroy(other);
  }
}

/* A struct of the future, with a tail that this library does not know. */
typedef struct {
  unisono_context_options known;
  unsigned char tail[64];
} future_options;

static void sizes(void) {
  future_options options;
  unisono_timing timing = UNISONO_TIMING_INIT;
  unisono_context *made = NULL;
  player p;
  unisono_playback_delegate delegate = player_delegate();
  unisono_coordinator *o = NULL;
  unsigned char unaligned[sizeof(unisono_context_options) + 1];
  memset(&p, 0, sizeof p);
  memset(&options, 0, sizeof options);
  options.known.size = sizeof options;
  EQUAL(unisono_context_create(&options.known, NULL, NULL, &made), UNISONO_OK);
  unisono_context_destroy(made);
  options.tail[63] = 1;
  EQUAL(unisono_context_create(&options.known, NULL, NULL, &made), UNISONO_ENOTSUP);
  CHECK(made == NULL);
  options.known.size = 0;
  EQUAL(unisono_context_create(&options.known, NULL, NULL, &made), UNISONO_EINVAL);
  options.known.size = 8;
  EQUAL(unisono_context_create(&options.known, NULL, NULL, &made), UNISONO_EINVAL);
  options.known.size = 5000;
  EQUAL(unisono_context_create(&options.known, NULL, NULL, &made), UNISONO_EINVAL);
  options.known.size = UINT32_MAX;
  EQUAL(unisono_context_create(&options.known, NULL, NULL, &made), UNISONO_EINVAL);

  memset(&options, 0, sizeof options);
  options.known.size = sizeof options.known;
  memcpy(unaligned + 1, &options.known, sizeof options.known);
  {
    const void *crooked = unaligned + 1;
    EQUAL(unisono_context_create((const unisono_context_options *)crooked, NULL, NULL, &made), UNISONO_OK);
  }
  EQUAL(unisono_coordinator_create(made, &delegate, &p, &o), UNISONO_OK);
  timing.size = 4;
  EQUAL(unisono_coordinator_timing(o, &timing), UNISONO_EINVAL);
  timing.size = 16;
  timing.host_time = 77;
  EQUAL(unisono_coordinator_timing(o, &timing), UNISONO_ESTATE);
  EQUAL(timing.size, 16);
  EQUAL(timing.host_time, 77);
  unisono_context_destroy(made);
}

static void messages(void) {
  unisono_activity activity = UNISONO_ACTIVITY_INIT;
  make_all();
  EQUAL(unisono_session_prepare_for_activation(session, NULL, answered, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_prepare_for_activation(session, &activity, answered, NULL), UNISONO_EINVAL);
  activity.identifier = "org.example.test";
  /* Without a queue nobody could get the answer. */
  EQUAL(unisono_session_prepare_for_activation(session, &activity, NULL, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_send(session, NULL, 1, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_schedule_start(session, NULL, 0, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_scheduled_start(session, NULL), UNISONO_EINVAL);
  EQUAL(unisono_session_send_at(session, NULL, 1, NULL, 1, "x", 1, NULL, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_send_at(session, "i", 1, NULL, 1, NULL, 1, NULL, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_send_at(session, "i", 1, NULL, 1, "x", 1, NULL, 1), UNISONO_EINVAL);
  EQUAL(unisono_session_send_typed(session, NULL, 1, "x", 1, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_send_typed(session, "", 1, "x", 1, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_send_typed(session, "t", 1, NULL, 1, UNISONO_DELIVERY_RELIABLE, NULL, 0), UNISONO_EINVAL);
  EQUAL(unisono_session_send_typed(session, "t", 1, "x", 1, UNISONO_DELIVERY_RELIABLE, NULL, 1), UNISONO_EINVAL);
  EQUAL(unisono_session_send(session, "x", 1, UNISONO_DELIVERY_RELIABLE, NULL, 1), UNISONO_EINVAL);
  EQUAL(unisono_session_post_notice(session, NULL), UNISONO_EINVAL);
  {
    unisono_notice notice = UNISONO_NOTICE_INIT;
    size_t length = 0;
    EQUAL(unisono_invite_reach(NULL), UNISONO_EINVAL);
    EQUAL(unisono_notice_text(NULL, NULL, &length), UNISONO_EINVAL);
    EQUAL(unisono_notice_text(&notice, NULL, NULL), UNISONO_EINVAL);
    EQUAL(unisono_notice_text(&notice, NULL, &length), UNISONO_ETOOBIG);
  }
  EQUAL(unisono_context_forget_answers(context, (unisono_activity_type)99), UNISONO_EINVAL);
  unisono_context_destroy(context);
}

static void options(void) {
  unisono_context_options given = UNISONO_CONTEXT_OPTIONS_INIT;
  unisono_context *made = NULL;
  int loop = 0;
  char long_name[65];
  memset(long_name, 'x', 64);
  long_name[64] = 0;
  given.own_thread = 1;
  given.uv_loop = &loop;
  EQUAL(unisono_context_create(&given, NULL, NULL, &made), UNISONO_EINVAL);
  given.own_thread = 0;
  given.uv_loop_size = 17;
  EQUAL(unisono_context_create(&given, NULL, NULL, &made), UNISONO_ENOTSUP);
  given.uv_loop = NULL;
  given.event_queue_limit = 3;
  EQUAL(unisono_context_create(&given, NULL, NULL, &made), UNISONO_EINVAL);
  given.event_queue_limit = 0;
  given.log_level = (unisono_log_level)9;
  EQUAL(unisono_context_create(&given, NULL, NULL, &made), UNISONO_EINVAL);
  given.log_level = UNISONO_LOG_NONE;
  given.device_name = long_name;
  EQUAL(unisono_context_create(&given, NULL, NULL, &made), UNISONO_EINVAL);
  given.device_name = "\xff\xfe";
  EQUAL(unisono_context_create(&given, NULL, NULL, &made), UNISONO_EINVAL);
  CHECK(strstr(unisono_last_error(), "UTF-8") != NULL);
  given.device_name = "my device";
  given.storage_path = "/no/such/folder";
  EQUAL(unisono_context_create(&given, NULL, NULL, &made), UNISONO_EIO);
  given.storage_path = "/tmp";
  EQUAL(unisono_context_create(&given, NULL, NULL, &made), UNISONO_OK);
  unisono_context_destroy(made);
}

static void texts_of_errors(void) {
  CHECK(strncmp(unisono_strerror(UNISONO_EINVAL), "UNISONO_EINVAL: ", 16) == 0);
  CHECK(strncmp(unisono_strerror(UNISONO_EENDED), "UNISONO_EENDED: ", 16) == 0);
  CHECK(strcmp(unisono_strerror(-7), "unknown error -7") == 0);
  CHECK(strcmp(unisono_strerror(INT32_MIN), "unknown error -2147483648") == 0);
  CHECK(unisono_api_version() == UNISONO_API_VERSION);
  CHECK(strlen(unisono_version()) >= 5);
  CHECK(unisono_host_time() > 0);
}

void test_null(void) {
  run_test("every function refuses a NULL handle", null_handles);
  run_test("every function refuses a pointer that is no handle", no_handles);
  run_test("a handle of another kind is EINVAL, and the last error names the function", wrong_kind);
  run_test("NULL for every other pointer is refused or documented", null_arguments);
  run_test("a destroyed handle is ECLOSED everywhere, and so are its children", dead_handles);
  run_test("a destroyed handle is ECLOSED in every function of its kind and EINVAL in every other", every_other_kind);
  run_test("handles are never reused", never_reused);
  run_test("structs are taken by their size: longer with a zero tail, unaligned, absurd ones refused", sizes);
  run_test("what is said without saying anything is refused", messages);
  run_test("context options are checked", options);
  run_test("every status has a text, and so has any other number", texts_of_errors);
}
