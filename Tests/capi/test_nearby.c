/* F50, F51: devices that find and ask each other, over real sockets on this machine. */
#include "harness.h"

#include <stdlib.h>

/* What one side was told. */
typedef struct {
  int found, updated, lost, digits, invites, failed, requested, withdrawn, errors, released;
  uint64_t device;
  int intent, status;
  unisono_join_request *request;
  char shown[8];
  char device_name[64], usage[256], invite[4096];
} side;

static void note(side *s, const unisono_nearby_event *event) {
  s->device = event->device;
  s->intent = event->intent;
  s->status = event->status;
  if (event->digits[0]) memcpy(s->shown, event->digits, sizeof s->shown);
  snprintf(s->device_name, sizeof s->device_name, "%s", event->device_name);
  snprintf(s->usage, sizeof s->usage, "%s", event->usage_description);
  if (event->invite) snprintf(s->invite, sizeof s->invite, "%s", event->invite);
}

static void on_requested(void *user, const unisono_nearby_event *event) {
  side *s = (side *)user;
  note(s, event);
  s->request = event->request;
  s->requested++;
}
#define NOTING(name, counter)                                               \
  static void name(void *user, const unisono_nearby_event *event) {         \
    note((side *)user, event);                                              \
    ((side *)user)->counter++;                                              \
  }
NOTING(on_withdrawn, withdrawn)
NOTING(on_lost, lost)
NOTING(on_digits, digits)
NOTING(on_invite, invites)
NOTING(on_failed, failed)
/* Other applications of this machine may be there, too. */
static void on_found(void *user, const unisono_nearby_event *event) {
  if (strcmp(event->device_name, "tv") != 0 && strchr(event->device_name, ':') == NULL) return;
  note((side *)user, event);
  ((side *)user)->found++;
}
static void on_lost_tv(void *user, const unisono_nearby_event *event) {
  if (strcmp(event->device_name, "tv") == 0) on_lost(user, event);
}
static void on_error(void *user, const unisono_error_event *event) {
  (void)event;
  ((side *)user)->errors++;
}
static void on_released(void *user) { ((side *)user)->released++; }

static unisono_service declared(const char *device_name) {
  static char identifier[64];
  unisono_service service = UNISONO_SERVICE_INIT;
  /* Two runs of these tests at a time do not meet. */
  if (!identifier[0]) snprintf(identifier, sizeof identifier, "org.example.capi-%lld", (long long)unisono_host_time());
  service.identifier = identifier;
  service.usage_description = "Watch films together";
  service.device_name = device_name;
  return service;
}

static unisono_advertiser_callbacks ask_callbacks(void) {
  unisono_advertiser_callbacks callbacks = UNISONO_ADVERTISER_CALLBACKS_INIT;
  callbacks.join_requested = on_requested;
  callbacks.join_withdrawn = on_withdrawn;
  callbacks.invite = on_invite;
  callbacks.error = on_error;
  callbacks.released = on_released;
  return callbacks;
}

static unisono_browser_callbacks device_callbacks(void) {
  unisono_browser_callbacks callbacks = UNISONO_BROWSER_CALLBACKS_INIT;
  callbacks.found = on_found;
  callbacks.lost = on_lost_tv;
  callbacks.digits = on_digits;
  callbacks.invite = on_invite;
  callbacks.failed = on_failed;
  callbacks.error = on_error;
  callbacks.released = on_released;
  return callbacks;
}

/* Two contexts, polled in turn until *flag is at least count. */
static unisono_context *tv_context, *phone_context;
static int both_until(const int *flag, int count) {
  int64_t end = unisono_host_time() + milliseconds(20000);
  while (*flag < count) {
    if (unisono_host_time() > end) return 0;
    if (unisono_context_poll(tv_context, milliseconds(5)) < 0) return 0;
    if (unisono_context_poll(phone_context, milliseconds(5)) < 0) return 0;
  }
  return 1;
}

static unisono_session *hosted(unisono_context *context) {
  static const char *const address[] = {"127.0.0.1:0"};
  unisono_hub_options loopback = UNISONO_HUB_OPTIONS_INIT;
  unisono_session_options options = UNISONO_SESSION_OPTIONS_INIT;
  unisono_session *session = NULL;
  loopback.listen = address;
  loopback.listen_count = 1;
  options.hub_options = &loopback;
  EQUAL(unisono_session_host(context, &options, NULL, NULL, &session), UNISONO_OK);
  return session;
}

static void begin(void) {
  tv_context = phone_context = NULL;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &tv_context), UNISONO_OK);
  EQUAL(unisono_context_create(NULL, NULL, NULL, &phone_context), UNISONO_OK);
}
static void end(void) {
  unisono_context_destroy(tv_context);
  unisono_context_destroy(phone_context);
}

static void join(void) {
  side tv, phone;
  unisono_advertiser *advertiser = NULL;
  unisono_browser *browser = NULL;
  unisono_session *session, *opened = NULL;
  unisono_service service = declared("tv"), mine = declared("phone");
  unisono_advertiser_callbacks asks = ask_callbacks();
  unisono_browser_callbacks devices = device_callbacks();
  char invite[4096];
  size_t length = sizeof invite;
  uint64_t found;
  memset(&tv, 0, sizeof tv);
  memset(&phone, 0, sizeof phone);
  begin();
  session = hosted(tv_context);
  EQUAL(unisono_advertiser_create(tv_context, session, &service, &asks, &tv, &advertiser), UNISONO_OK);
  EQUAL(unisono_browser_create(phone_context, &mine, &devices, &phone, &browser), UNISONO_OK);
  CHECK(both_until(&phone.found, 1));
  CHECK(strcmp(phone.device_name, "tv") == 0);
  CHECK(strcmp(phone.usage, "Watch films together") == 0);
  EQUAL(phone.intent, UNISONO_INTENT_JOIN);
  found = phone.device;
  EQUAL(unisono_browser_connect(browser, found), UNISONO_OK);
  EQUAL(unisono_browser_connect(browser, found), UNISONO_EBUSY);
  CHECK(both_until(&phone.digits, 1));
  CHECK(both_until(&tv.requested, 1));
  EQUAL(strlen(tv.shown), 6);
  CHECK(strcmp(tv.shown, phone.shown) == 0);
  CHECK(strcmp(tv.device_name, "phone") == 0);
  EQUAL(tv.intent, UNISONO_INTENT_JOIN);
  EQUAL(unisono_join_request_accept(tv.request), UNISONO_OK);
  EQUAL(unisono_join_request_accept(tv.request), UNISONO_ECLOSED);
  EQUAL(unisono_join_request_deny(tv.request), UNISONO_ECLOSED);
  EQUAL(unisono_browser_confirm(browser, found, 1), UNISONO_OK);
  CHECK(both_until(&phone.invites, 1));
  EQUAL(unisono_session_invite(session, invite, &length), UNISONO_OK);
  CHECK(strcmp(invite, phone.invite) == 0);
  EQUAL(unisono_session_open(phone_context, phone.invite, NULL, NULL, NULL, &opened), UNISONO_OK);
  EQUAL(unisono_browser_confirm(browser, found, 1), UNISONO_ENOTFOUND);
  unisono_advertiser_destroy(advertiser);
  EQUAL(tv.released, 1);
  CHECK(both_until(&phone.lost, 1));
  unisono_browser_destroy(browser);
  EQUAL(phone.released, 1);
  end();
}

static void invited(void) {
  side tv, phone;
  unisono_advertiser *advertiser = NULL;
  unisono_browser *browser = NULL;
  unisono_session *session;
  unisono_service service = declared("tv"), mine = declared("phone");
  unisono_advertiser_callbacks asks = ask_callbacks();
  unisono_browser_callbacks devices = device_callbacks();
  char address[300], invite[4096];
  size_t length = sizeof address;
  uint64_t typed = 0, again = 0;
  memset(&tv, 0, sizeof tv);
  memset(&phone, 0, sizeof phone);
  begin();
  session = hosted(phone_context);
  EQUAL(unisono_advertiser_create(tv_context, NULL, &service, &asks, &tv, &advertiser), UNISONO_OK);
  EQUAL(unisono_advertiser_address(advertiser, 0, address, &length), UNISONO_OK);
  EQUAL(unisono_advertiser_address(advertiser, 1000, address, &length), UNISONO_ENOTFOUND);
  length = sizeof address;
  EQUAL(unisono_advertiser_address(advertiser, 0, address, &length), UNISONO_OK);
  EQUAL(unisono_browser_create(phone_context, &mine, &devices, &phone, &browser), UNISONO_OK);
  EQUAL(unisono_browser_add_address(browser, "no address", &typed), UNISONO_EINVAL);
  EQUAL(unisono_browser_add_address(browser, address, &typed), UNISONO_OK);
  EQUAL(unisono_browser_add_address(browser, address, &again), UNISONO_OK);
  CHECK(typed == again);
  EQUAL(unisono_browser_invite(browser, typed, session), UNISONO_OK);
  CHECK(both_until(&tv.requested, 1));
  CHECK(both_until(&phone.digits, 1));
  CHECK(strcmp(tv.shown, phone.shown) == 0);
  CHECK(strcmp(phone.device_name, "tv") == 0);
  EQUAL(tv.intent, UNISONO_INTENT_INVITE);
  EQUAL(unisono_browser_confirm(browser, typed, 1), UNISONO_OK);
  EQUAL(unisono_join_request_accept(tv.request), UNISONO_OK);
  CHECK(both_until(&tv.invites, 1));
  CHECK(both_until(&phone.invites, 1));
  length = sizeof invite;
  EQUAL(unisono_session_invite(session, invite, &length), UNISONO_OK);
  CHECK(strcmp(invite, tv.invite) == 0);
  EQUAL(tv.withdrawn, 0);
  /* A device without a session cannot be joined. */
  EQUAL(unisono_browser_connect(browser, typed), UNISONO_OK);
  CHECK(both_until(&phone.failed, 1));
  EQUAL(phone.status, UNISONO_EBUSY);
  end();
  EQUAL(tv.released, 1);
  EQUAL(phone.released, 1);
}

static void cancelled(void) {
  side tv, phone;
  unisono_advertiser *advertiser = NULL;
  unisono_browser *browser = NULL;
  unisono_session *session;
  unisono_service service = declared("tv"), mine = declared("phone");
  unisono_advertiser_callbacks asks = ask_callbacks();
  unisono_browser_callbacks devices = device_callbacks();
  memset(&tv, 0, sizeof tv);
  memset(&phone, 0, sizeof phone);
  begin();
  session = hosted(tv_context);
  EQUAL(unisono_advertiser_create(tv_context, session, &service, &asks, &tv, &advertiser), UNISONO_OK);
  EQUAL(unisono_browser_create(phone_context, &mine, &devices, &phone, &browser), UNISONO_OK);
  CHECK(both_until(&phone.found, 1));
  EQUAL(unisono_browser_connect(browser, phone.device), UNISONO_OK);
  CHECK(both_until(&tv.requested, 1));
  CHECK(both_until(&phone.digits, 1));
  EQUAL(unisono_browser_confirm(browser, phone.device, 0), UNISONO_OK);
  CHECK(both_until(&phone.failed, 1));
  EQUAL(phone.status, UNISONO_ECANCELED);
  CHECK(both_until(&tv.withdrawn, 1));
  EQUAL(unisono_join_request_accept(tv.request), UNISONO_ECLOSED);

  /* The browser goes in the middle of an ask; then the advertiser's session ends in the middle of another. */
  EQUAL(unisono_browser_connect(browser, phone.device), UNISONO_OK);
  CHECK(both_until(&tv.requested, 2));
  unisono_browser_destroy(browser);
  CHECK(both_until(&tv.withdrawn, 2));
  EQUAL(unisono_browser_create(phone_context, &mine, &devices, &phone, &browser), UNISONO_OK);
  CHECK(both_until(&phone.found, 2));
  EQUAL(unisono_browser_connect(browser, phone.device), UNISONO_OK);
  CHECK(both_until(&tv.requested, 3));
  unisono_session_destroy(session);
  EQUAL(unisono_join_request_accept(tv.request), UNISONO_ECLOSED);
  CHECK(both_until(&tv.withdrawn, 3));
  CHECK(both_until(&phone.failed, 2));
  EQUAL(phone.status, UNISONO_ENETWORK);
  CHECK(both_until(&phone.lost, 1));
  end();
}

static void refused_services(void) {
  unisono_context *context = NULL, *other = NULL;
  unisono_advertiser *advertiser = NULL;
  unisono_browser *browser = NULL;
  unisono_session *session;
  unisono_advertiser_callbacks asks = ask_callbacks();
  unisono_browser_callbacks devices = device_callbacks();
  unisono_service service;
  side s;
  char longest[300];
  memset(&s, 0, sizeof s);
  memset(longest, 'a', sizeof longest);
  longest[299] = 0;
  EQUAL(unisono_context_create(NULL, NULL, NULL, &context), UNISONO_OK);
  EQUAL(unisono_context_create(NULL, NULL, NULL, &other), UNISONO_OK);
  session = hosted(other);
  {
    const char *const identifiers[] = {NULL, "", "Org.Example", "org example", "org.example/x", longest, "\xff"};
    size_t i;
    for (i = 0; i < sizeof identifiers / sizeof *identifiers; i++) {
      service = declared("tv");
      service.identifier = identifiers[i];
      EQUAL(unisono_browser_create(context, &service, &devices, &s, &browser), UNISONO_EINVAL);
      CHECK(browser == NULL);
    }
  }
  service = declared("tv");
  service.usage_description = "";
  EQUAL(unisono_browser_create(context, &service, &devices, &s, &browser), UNISONO_EINVAL);
  service = declared("a\nb");
  EQUAL(unisono_browser_create(context, &service, &devices, &s, &browser), UNISONO_EINVAL);
  service = declared(longest);
  EQUAL(unisono_browser_create(context, &service, &devices, &s, &browser), UNISONO_EINVAL);
  service = declared("tv");
  service.platforms = 256;
  EQUAL(unisono_browser_create(context, &service, &devices, &s, &browser), UNISONO_EINVAL);
  service = declared("tv");
  service.platform = UNISONO_PLATFORM_LINUX | UNISONO_PLATFORM_TV;
  EQUAL(unisono_browser_create(context, &service, &devices, &s, &browser), UNISONO_EINVAL);
  service = declared("tv");
  service.size = 8;
  EQUAL(unisono_browser_create(context, &service, &devices, &s, &browser), UNISONO_EINVAL);
  service = declared("tv");
  EQUAL(unisono_advertiser_create(context, session, &service, &asks, &s, &advertiser), UNISONO_EINVAL);
  CHECK(strstr(unisono_last_error(), "another context") != NULL);
  /* The callbacks as the first release of them was: 40 bytes. */
  asks.size = 40;
  EQUAL(unisono_advertiser_create(context, NULL, &service, &asks, &s, &advertiser), UNISONO_OK);
  asks.size = 39;
  EQUAL(unisono_advertiser_create(context, NULL, &service, &asks, &s, &advertiser), UNISONO_EINVAL);
  EQUAL(unisono_browser_create(context, &service, &devices, &s, &browser), UNISONO_OK);
  EQUAL(unisono_browser_invite(browser, 2, session), UNISONO_EINVAL);
  unisono_context_destroy(context);
  unisono_context_destroy(other);
}

void test_nearby(void) {
  run_test("F50, F51: a device is found, asked to let another join, says yes, and is lost after its goodbye", join);
  run_test("F51: a device whose address was typed is asked to come, and has the invite when both said yes", invited);
  run_test("F51: cancelled, destroyed or ended in the middle: everybody is told, and answers are ECLOSED", cancelled);
  run_test("F50: services that are not declared right are refused", refused_services);
}
