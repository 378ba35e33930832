/* Random bytes as every struct that the C API takes: hostile sizes, counts, enumerators, numbers, and pointers that are
 * NULL or lead into random bytes. Every call must come back with a status. Pointers lead to readable memory, as even a
 * hostile length cannot be told from a right one otherwise; strings need not end before their limit. */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "unisono_nearby.h"
#include "unisono_player.h"

enum { POOL = 1 << 18, REGION = 8192, LISTED = 64 };
/* So many inputs meet the same session. Those who open it stay in its lists for a while, and each newcomer is told of all
 * of them: without an end an input took longer and longer. */
enum { LIFETIME = 128 };

static const uint8_t *rest;
static size_t remaining;
static uint8_t pool[POOL];   /* the input, again and again: long enough for every length that is accepted */
static uint8_t region[4][REGION];
static const char *lists[2][LISTED];
static unisono_participant_id ids[LISTED];

static unisono_context *context;
static unisono_session *session;
static unisono_coordinator *coordinator;
static unisono_player *player;
static unisono_hub *hub;

static uint8_t byte(void) {
  if (remaining == 0) return 0;
  remaining--;
  return *rest++;
}

static uint64_t number(void) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value = value << 8 | byte();
  return value;
}

static void fill(void *into, size_t length) {
  for (size_t i = 0; i < length; i++) ((uint8_t *)into)[i] = byte();
}

/* A text: none, a short one, one of no end within reach, or random bytes. */
static const char *text(void) {
  switch (byte() % 5) {
    case 0: return NULL;
    case 1: return "text";
    case 2: return "";
    case 3: return (const char *)pool + (byte() << 4);
    default: return (const char *)pool + POOL - 1 - (number() % 300);
  }
}

/* Addresses of this machine alone: a fuzzer asks nobody's name server. */
static const char *address(void) {
  static char made[80];
  switch (byte() % 6) {
    case 0: return NULL;
    case 1: return "127.0.0.1:0";
    case 2: return "[::1]:0";
    case 3: return "127.0.0.1:99999";
    default:
      memcpy(made, "127.0.0.1:", 10);
      size_t length = byte() % 60;
      fill(made + 10, length);
      made[10 + length] = 0;
      return made;
  }
}

/* No folder that could be made. */
static const char *folder(void) {
  static char made[6000];
  if (byte() % 2) return NULL;
  memcpy(made, "/proc/self/nowhere/", 19);
  size_t length = number() % 5900;
  for (size_t i = 0; i < length; i++) made[19 + i] = (char)pool[i];
  made[19 + length] = 0;
  return made;
}

static const void *bytes(size_t *length) {
  switch (byte() % 4) {
    case 0: *length = (size_t)number(); return NULL;
    case 1: *length = 0; return pool;
    case 2: *length = number() % (POOL / 2); return pool;
    default: {
      /* Too much to be read: refused before anybody looks. */
      *length = (size_t)number() | (size_t)1 << 40;
      return pool;
    }
  }
}

static const char *const *list(int which, size_t *count, const char *(*one)(void)) {
  size_t there = byte() % LISTED;
  for (size_t i = 0; i < there; i++) lists[which][i] = one();
  *count = byte() % 4 ? there : (size_t)number() | (size_t)1 << 32;
  return byte() % 8 ? lists[which] : NULL;
}

/* Puts a struct somewhere, aligned or not, with what `size` says behind it; NULL now and then. */
static void *placed(int which, const void *value, size_t length) {
  uint8_t how = byte();
  if (how % 16 == 0) return NULL;
  uint8_t *at = region[which] + how % 8;
  memset(region[which], 0, REGION);
  memcpy(at, value, length);
  uint32_t size = (uint32_t)length;
  switch (how / 16 % 8) {
    case 0: size = (uint32_t)number(); break;
    case 1: size = byte(); break;
    case 2: size = (uint32_t)length + byte(); break;
    case 3:
      size = (uint32_t)length + 1 + byte();
      at[size - 1] = byte();
      break;
    default: break;
  }
  memcpy(at, &size, sizeof size);
  return at;
}

static void nothing(void *user) { (void)user; }
static void nothing_with(void *user, const void *event) { (void)user; (void)event; }
static int32_t here(void *user, int64_t *item_time, int64_t *host_time) {
  (void)user;
  *item_time = (int64_t)number();
  *host_time = (int64_t)number();
  return (int32_t)byte() - 128;
}

/* A callback, or none. */
static void callback(void *field) {
  void (*const some)(void *, const void *) = byte() % 2 ? nothing_with : NULL;
  memcpy(field, &some, sizeof some);
}

#define CALLBACK(field) callback(&(field))
#define RELEASED(field) (field) = byte() % 2 ? nothing : NULL

static const unisono_activity *activity(void) {
  unisono_activity value;
  fill(&value, sizeof value);
  value.identifier = text(), value.title = text(), value.subtitle = text(), value.fallback_url = text();
  value.preview_image = bytes(&value.preview_image_length);
  value.payload = bytes(&value.payload_length);
  return placed(0, &value, sizeof value);
}

static const unisono_hub_options *hub_options(void) {
  unisono_hub_options value;
  fill(&value, sizeof value);
  value.listen = list(0, &value.listen_count, address);
  value.advertise = list(1, &value.advertise_count, text);
  return placed(1, &value, sizeof value);
}

static const unisono_hub_callbacks *hub_callbacks(void) {
  unisono_hub_callbacks value;
  fill(&value, sizeof value);
  RELEASED(value.released);
  return placed(2, &value, sizeof value);
}

static const unisono_session_callbacks *session_callbacks(void) {
  unisono_session_callbacks value;
  fill(&value, sizeof value);
  CALLBACK(value.state), CALLBACK(value.activity), CALLBACK(value.participants), CALLBACK(value.message);
  CALLBACK(value.notice), CALLBACK(value.foreground_requested), CALLBACK(value.speaking);
  CALLBACK(value.invite_changed), CALLBACK(value.consent), CALLBACK(value.writable);
  CALLBACK(value.succession), CALLBACK(value.request), CALLBACK(value.ignored);
  CALLBACK(value.error), RELEASED(value.released);
  return placed(2, &value, sizeof value);
}

static const unisono_session_options *session_options(void) {
  unisono_session_options value;
  fill(&value, sizeof value);
  value.display_name = text();
  value.hub = byte() % 4 ? NULL : address();
  value.hub_options = hub_options();
  value.activity = activity();
  /* Lengths beyond the limit are refused before anything is read. */
  value.continuation = byte() % 2 ? NULL : pool;
  value.continuation_length = byte() % 4 ? number() % REGION : (uint64_t)REGION << 20;
  value.continuation_key = byte() % 2 ? NULL : pool;
  value.continuation_key_length = byte() % 4 ? number() % 2048 : (uint64_t)REGION << 20;
  return placed(3, &value, sizeof value);
}

static const unisono_service *service(void) {
  unisono_service value;
  fill(&value, sizeof value);
  value.identifier = text(), value.usage_description = text(), value.device_name = text();
  return placed(0, &value, sizeof value);
}

static const unisono_player_item *player_item(void) {
  unisono_player_item value;
  fill(&value, sizeof value);
  value.identifier = text(), value.uri = text();
  return placed(0, &value, sizeof value);
}

static const unisono_renderer *renderer(void) {
  unisono_renderer value;
  fill(&value, sizeof value);
  CALLBACK(value.load), CALLBACK(value.cue), CALLBACK(value.play), CALLBACK(value.pause), CALLBACK(value.seek);
  CALLBACK(value.nudge), CALLBACK(value.set_volume), CALLBACK(value.set_render_size), CALLBACK(value.stop);
  value.now = byte() % 2 ? here : NULL;
  RELEASED(value.released);
  return placed(0, &value, sizeof value);
}

static void contexts(void) {
  unisono_context_options value;
  unisono_context *made = NULL;
  fill(&value, sizeof value);
  value.own_thread = byte() % 4;
  value.uv_loop = byte() % 4 ? NULL : pool;
  /* A loop of the right size would be used. */
  value.uv_loop_size = value.uv_loop && number() == uv_loop_size() ? 0 : value.uv_loop_size;
  if (value.uv_loop_size == uv_loop_size()) value.uv_loop = NULL;
  value.device_name = text();
  value.storage_path = folder();
  unisono_context_callbacks callbacks;
  fill(&callbacks, sizeof callbacks);
  CALLBACK(callbacks.log);
  callbacks.wakeup = byte() % 2 ? nothing : NULL;
  RELEASED(callbacks.released);
  const unisono_context_options *options = placed(0, &value, sizeof value);
  if (unisono_context_create(options, placed(1, &callbacks, sizeof callbacks), pool, &made) == UNISONO_OK)
    unisono_context_destroy(made);
}

static void hubs(void) {
  unisono_hub *made = NULL;
  const unisono_hub_options *options = hub_options();
  if (unisono_hub_create(context, options, hub_callbacks(), pool, &made) == UNISONO_OK) unisono_hub_destroy(made);
}

static void hosted(void) {
  unisono_session *made = NULL;
  const unisono_session_options *options = session_options();
  if (unisono_session_host(context, options, session_callbacks(), pool, &made) != UNISONO_OK) return;
  unisono_session_activate(made, activity());
  unisono_context_poll(context, 0);
  unisono_session_destroy(made);
}

/* Another machine's address must not come out of this: a text too short to be an invite, or the own one with one byte bent.
 * Left as it is only where the input says so: a whole entry costs more than hundreds of refusals. */
static void opened(void) {
  unisono_session *made = NULL;
  char invite[4200];
  size_t length = sizeof invite;
  if (byte() % 2 || unisono_session_invite(session, invite, &length) != UNISONO_OK) {
    length = byte() % 60;
    fill(invite, length);
    invite[length] = 0;
  } else {
    char *key = strrchr(invite, '/');
    uint64_t place = number();
    uint8_t bend = byte();
    if (key && bend != 0xA5) key[place % strlen(key)] ^= (char)(bend | 1);
  }
  const unisono_session_options *options = session_options();
  if (unisono_session_open(context, invite, options, session_callbacks(), pool, &made) == UNISONO_OK)
    unisono_session_destroy(made);
}

static void delegates(void) {
  unisono_playback_delegate value;
  unisono_coordinator *made = NULL;
  fill(&value, sizeof value);
  CALLBACK(value.play), CALLBACK(value.pause), CALLBACK(value.seek), CALLBACK(value.buffer);
  CALLBACK(value.participants_changed), CALLBACK(value.suspensions_changed), CALLBACK(value.timing_changed);
  CALLBACK(value.error), RELEASED(value.released);
  if (unisono_coordinator_create(context, placed(0, &value, sizeof value), pool, &made) == UNISONO_OK)
    unisono_coordinator_destroy(made);
}

static void playback(void) {
  unisono_timing timing;
  unisono_stall_policy stalls;
  unisono_playback_report report;
  size_t count = 0;
  fill(&timing, sizeof timing), fill(&stalls, sizeof stalls), fill(&report, sizeof report);
  unisono_coordinator_transition_to_item(coordinator, text(), placed(0, &timing, sizeof timing));
  unisono_coordinator_listen(coordinator, text());
  unisono_coordinator_ask_to_speak(coordinator, text());
  unisono_coordinator_say_to_hosts(coordinator, text());
  unisono_coordinator_react(coordinator, text());
  unisono_coordinator_stop_listening(coordinator);
  unisono_coordinator_set_stall_policy(coordinator, placed(1, &stalls, sizeof stalls));
  unisono_start_policy starts;
  fill(&starts, sizeof starts);
  unisono_coordinator_set_start_policy(coordinator, placed(3, &starts, sizeof starts));
  unisono_coordinator_set_ready(coordinator, (unisono_readiness)(byte() % 5));
  unisono_coordinator_report(coordinator, placed(2, &report, sizeof report));
  unisono_coordinator_expect_motion(coordinator, (unisono_motion)(byte() % 5), (double)(int64_t)number());
  unisono_coordinator_is_wish(coordinator, (unisono_motion)(byte() % 5), (double)(int64_t)number());
  const char *const *reasons = list(0, &count, text);
  unisono_coordinator_set_waiting_reasons(coordinator, reasons, count);
  unisono_coordinator_set_participant_limit(coordinator, text(), (uint32_t)number());
  unisono_coordinator_set_prepares_ahead(coordinator, (int32_t)number());
  unisono_coordinator_set_wait_limit(coordinator, (int64_t)number());
  unisono_coordinator_set_output_offset(coordinator, (int64_t)number());
  unisono_coordinator_coordinate_seek(coordinator, (int64_t)number(), byte());
  uint64_t bits = number();
  double rate;
  memcpy(&rate, &bits, sizeof rate);
  unisono_coordinator_coordinate_rate_change(coordinator, rate, byte());
}

static void players(void) {
  unisono_player *made = NULL;
  unisono_surface *surface = NULL;
  unisono_player_callbacks callbacks;
  unisono_surface_callbacks shown;
  unisono_renderer_report report;
  fill(&callbacks, sizeof callbacks), fill(&shown, sizeof shown), fill(&report, sizeof report);
  CALLBACK(callbacks.time_control), CALLBACK(callbacks.rate_changed), CALLBACK(callbacks.time_jumped);
  CALLBACK(callbacks.item_state), CALLBACK(callbacks.item_ended), CALLBACK(callbacks.seek_done);
  CALLBACK(callbacks.error), RELEASED(callbacks.released);
  const unisono_renderer *functions = renderer();
  if (unisono_player_create(context, functions, pool, placed(1, &callbacks, sizeof callbacks), pool, &made) != UNISONO_OK)
    made = NULL;
  unisono_player *used = made ? made : player;
  unisono_player_insert_item(used, player_item(), text());
  unisono_player_replace_current_item(used, player_item());
  report.message = text();
  unisono_player_report(used, placed(1, &report, sizeof report));
  CALLBACK(shown.changed), CALLBACK(shown.skipped), CALLBACK(shown.will_begin), CALLBACK(shown.will_end);
  CALLBACK(shown.restore_user_interface), RELEASED(shown.released);
  if (unisono_surface_create(used, (unisono_surface_kind)byte(), placed(2, &shown, sizeof shown), pool, &surface) == UNISONO_OK)
    unisono_surface_destroy(surface);
  unisono_context_poll(context, 0);
  if (made) unisono_player_destroy(made);
}

static void nearby(void) {
  unisono_advertiser_callbacks told;
  unisono_browser_callbacks found;
  unisono_advertiser *advertiser = NULL;
  unisono_browser *browser = NULL;
  fill(&told, sizeof told), fill(&found, sizeof found);
  CALLBACK(told.join_requested), CALLBACK(told.join_withdrawn), CALLBACK(told.error), CALLBACK(told.invite);
  RELEASED(told.released);
  CALLBACK(found.found), CALLBACK(found.updated), CALLBACK(found.lost), CALLBACK(found.digits), CALLBACK(found.invite);
  CALLBACK(found.failed), CALLBACK(found.error), RELEASED(found.released);
  if (unisono_advertiser_create(
        context, byte() % 2 ? session : NULL, service(), placed(1, &told, sizeof told), pool, &advertiser) == UNISONO_OK)
    unisono_advertiser_destroy(advertiser);
  if (unisono_browser_create(context, service(), placed(1, &found, sizeof found), pool, &browser) == UNISONO_OK) {
    unisono_browser_connect(browser, number());
    unisono_browser_confirm(browser, number(), byte());
    unisono_browser_destroy(browser);
  }
}

static void said(void) {
  unisono_notice notice;
  size_t length = 0;
  fill(&notice, sizeof notice), fill(ids, sizeof ids);
  notice.text = text(), notice.url = text(), notice.name = text();
  unisono_session_post_notice(session, placed(0, &notice, sizeof notice));
  unisono_session_chat(session, text(), NULL);
  unisono_session_react(session, text());
  unisono_session_attach_bytes(session, text(), byte() % 2, text(), text(), NULL);
  unisono_invite_reach(text());
  unisono_notice_text(placed(0, &notice, sizeof notice), NULL, &length);
  length = REGION;
  unisono_notice_text(placed(0, &notice, sizeof notice), byte() % 4 ? (char *)region[3] : NULL, &length);
  const void *data = bytes(&length);
  size_t count = byte() % 4 ? byte() % LISTED : (size_t)number() | (size_t)1 << 32;
  unisono_session_send(session, data, length, (unisono_delivery)byte(), byte() % 4 ? ids : NULL, count);
  unisono_session_set_role(session, byte() % 4 ? ids : NULL, (unisono_role)byte());
  unisono_session_remove_participant(session, byte() % 4 ? ids : NULL);
  unisono_session_set_control_policy(session, (unisono_control_policy)byte());
  unisono_session_set_closed(session, (int32_t)byte());
  unisono_session_prepare_for_activation(session, activity(), NULL, pool);
  unisono_session_answer_consent(session, number(), (unisono_activation_result)byte(), byte());
  unisono_session_set_deputies(
    session, byte() % 4 ? ids : NULL, byte() % 4 ? byte() % LISTED : (size_t)number(), (unisono_succession)byte(),
    (int64_t)number());
  unisono_request asked;
  fill(&asked, sizeof asked);
  asked.text = text();
  unisono_session_request_command(session, placed(0, &asked, sizeof asked), NULL);
  unisono_session_answer_request(session, byte() % 4 ? ids : NULL, number(), byte());
}

static void asked(void) {
  static const uint8_t zeros[512];
  char *buffer = byte() % 4 ? (char *)region[3] : NULL;
  size_t length = buffer ? number() % REGION : (size_t)number();
  unisono_session_get_statistics(session, placed(0, zeros, sizeof(unisono_session_statistics)));
  unisono_session_clock(session, placed(0, zeros, sizeof(unisono_clock)));
  unisono_coordinator_timing(coordinator, placed(0, zeros, sizeof(unisono_timing)));
  unisono_coordinator_get_statistics(coordinator, placed(0, zeros, sizeof(unisono_coordinator_statistics)));
  unisono_player_get_statistics(player, placed(0, zeros, sizeof(unisono_player_statistics)));
  unisono_hub_get_statistics(hub, placed(0, zeros, sizeof(unisono_hub_statistics)));
  unisono_session_invite(session, buffer, byte() % 8 ? &length : NULL);
  length = buffer ? number() % REGION : (size_t)number();
  unisono_hub_line(hub, (size_t)number(), buffer, &length);
  length = buffer ? number() % REGION : (size_t)number();
  unisono_coordinator_current_item(coordinator, buffer, &length);
}

static void begin(void) {
  unisono_playback_delegate delegate = UNISONO_PLAYBACK_DELEGATE_INIT;
  unisono_renderer own = UNISONO_RENDERER_INIT;
  static const char *const loopback[] = {"127.0.0.1:0"};
  unisono_hub_options options = UNISONO_HUB_OPTIONS_INIT;
  unisono_session_options hosting = UNISONO_SESSION_OPTIONS_INIT;
  options.listen = loopback;
  options.listen_count = 1;
  hosting.display_name = "Ann";
  hosting.hub_options = &options;
  void (*const call)(void *, const void *) = nothing_with;
  void *const calls[] = {&own.load, &own.play, &own.pause, &own.seek, &own.stop};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) memcpy(calls[i], &call, sizeof call);
  own.now = here;
  void *const told[] = {&delegate.play, &delegate.pause, &delegate.seek, &delegate.buffer};
  for (size_t i = 0; i < sizeof told / sizeof *told; i++) memcpy(told[i], &call, sizeof call);
  if (unisono_context_create(NULL, NULL, NULL, &context) != UNISONO_OK
      || unisono_hub_create(context, &options, NULL, NULL, &hub) != UNISONO_OK
      || unisono_session_host(context, &hosting, NULL, NULL, &session) != UNISONO_OK
      || unisono_coordinator_create(context, &delegate, NULL, &coordinator) != UNISONO_OK
      || unisono_player_create(context, &own, NULL, NULL, NULL, &player) != UNISONO_OK) {
    fprintf(stderr, "cannot begin: %s\n", unisono_last_error());
    abort();
  }
  unisono_coordinator_coordinate_with_session(coordinator, session);
  unisono_session_join(session);
}

/* What was made of the context goes with it. */
static void end(void) {
  unisono_context_destroy(context);
  context = NULL;
}

void fuzz_options(const uint8_t *data, size_t count) {
  static void (*const targets[])(void) = {
    contexts, hubs, hosted, opened, delegates, playback, players, nearby, said, asked,
  };
  static int inputs;
  if (context && inputs % LIFETIME == 0) end();
  if (!context) begin();
  inputs++;
  if (count < 2) return;
  rest = data;
  remaining = count;
  memcpy(pool, data, count < POOL ? count : POOL);
  for (size_t at = count; at < POOL; at *= 2) memcpy(pool + at, pool, at < POOL - at ? at : POOL - at);
  pool[POOL - 1] = 0;
  targets[byte() % (sizeof targets / sizeof *targets)]();
  unisono_context_poll(context, 0);
}
