/* unisono_nearby.h: devices that find each other on a local network, and a hub of one's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Includes unisono.h; its rules of threads, lifetimes, errors, units and marks hold here. Nobody needs this header to
 * host, open and join sessions: a session brings its own hub, and an invite goes by any way that text goes.
 */
#ifndef UNISONO_NEARBY_H
#define UNISONO_NEARBY_H

#include "unisono.h"

UNISONO_BEGIN_DECLARATIONS

typedef struct unisono_hub unisono_hub;
typedef struct unisono_advertiser unisono_advertiser;
typedef struct unisono_browser unisono_browser;
typedef struct unisono_join_request unisono_join_request;

/* ---- 1. Hub ---------------------------------------------------------------------------------------- */
/* @since 0.2 */
typedef struct unisono_hub_callbacks {
  uint32_t size;
  uint32_t reserved;
  unisono_released_fn released;
} unisono_hub_callbacks;
#define UNISONO_HUB_CALLBACKS_INIT UNISONO_INIT(unisono_hub_callbacks)

typedef struct unisono_hub_statistics {
  uint32_t size;  uint32_t reserved;
  uint64_t rooms, connections, frames_in, frames_out, bytes_in, bytes_out, refused, closed_slow, probes;
} unisono_hub_statistics;
#define UNISONO_HUB_STATISTICS_INIT UNISONO_INIT(unisono_hub_statistics)

/* Starts a hub: it passes sealed messages on and can read none of them. Bound before this function returns. Who comes from this
 * machine or its networks may open rooms at it, others only if options->open says so; a room that is open is entered from anywhere.
 * options: NULL: every interface, a free port. Copied.
 * callbacks: copied; NULL: none. user: for them.
 * out: end it with unisono_hub_destroy.
 * Errors: UNISONO_EINVAL (a limit exceeded), UNISONO_ENETWORK (an address is in use or cannot be parsed),
 * UNISONO_ENOMEM, UNISONO_ENOTSUP. */
UNISONO_WAITS UNISONO_API(int32_t) unisono_hub_create(
    unisono_context *context, const unisono_hub_options *options, const unisono_hub_callbacks *callbacks, void *user,
    unisono_hub **out);

/* Stops a hub; the sessions on it look for another. NULL and destroyed handles: nothing happens. */
UNISONO_WAITS UNISONO_API(void) unisono_hub_destroy(unisono_hub *hub);

/* The line by which sessions use the hub (`hub` of unisono_session_options): "unisono-hub://host:port/id", one for each address that
 * others can reach it at. The id is what the hub at that address has to prove: hubs have another one each time they are made.
 * index: 0 and up until UNISONO_ENOTFOUND. buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES.
 * Errors: UNISONO_ENOTFOUND, UNISONO_ETOOBIG.
 * @since 0.2 */
UNISONO_API(int32_t) unisono_hub_line(unisono_hub *hub, size_t index, char *buffer, size_t *length);

/* Counters of a hub.
 * out: set out->size before the call (UNISONO_HUB_STATISTICS_INIT); no more than that is written.
 * @since 0.2 */
UNISONO_API(int32_t) unisono_hub_get_statistics(unisono_hub *hub, unisono_hub_statistics *out);

/* ---- 2. Nearby ------------------------------------------------------------------------------------- */
/* Devices on one local network find each other, and one asks another, without anybody typing an invite.
 *
 * An application declares its service: an identifier, what it is for, the platforms it works with. A device advertises
 * the service, another one browses for it; both must declare the same identifier and support each other's platform. Then
 * the browsing device asks: to join the session of the advertising one (unisono_browser_connect), or that the
 * advertising one come into its own (unisono_browser_invite). Both show the same six digits. One person says on the
 * advertising device that the other may (unisono_join_request_accept), one says on the browsing device that the digits
 * are the same (unisono_browser_confirm); only then the invite passes, sealed. Whoever sits between the two makes the
 * digits differ, so SHOW THEM on both screens and let people compare. Names are the other side's word until then.
 *
 * Saying no looks like not being there: the asker is told nothing and sees a time-out after 60 s. At most three asks wait
 * for an answer at a time, and after five that led to nothing within five minutes nothing is shown for a minute.
 *
 * What everybody on the network can see: that this device is there, its name, the service, its platform, and whether it
 * can be joined or invited. Nothing else. Give a device_name that its owner does not mind being read. */
#define UNISONO_PLATFORM_OTHER   1u
#define UNISONO_PLATFORM_LINUX   2u
#define UNISONO_PLATFORM_MACOS   4u
#define UNISONO_PLATFORM_WINDOWS 8u
#define UNISONO_PLATFORM_ANDROID 16u
#define UNISONO_PLATFORM_IOS     32u
#define UNISONO_PLATFORM_TV      64u
#define UNISONO_PLATFORM_WEB     128u
typedef struct unisono_service {
  uint32_t    size;
  uint32_t    platforms;                /* those it supports; 0: any */
  uint32_t    platform;                 /* this device's; 0: found out */
  uint32_t    reserved;
  const char *identifier;               /* 1...63 bytes of a-z 0-9 - . */
  const char *usage_description;        /* 1...255 bytes */
  const char *device_name;              /* <= 63 bytes; NULL: the context's */
} unisono_service;
#define UNISONO_SERVICE_INIT UNISONO_INIT(unisono_service)
typedef enum UNISONO_OPEN unisono_intent UNISONO_INT32 {
  UNISONO_INTENT_UNKNOWN = 0,           /* an address typed by hand: not known before it answers */
  UNISONO_INTENT_JOIN = 1,              /* the advertising device has a session: ask to join it */
  UNISONO_INTENT_INVITE = 2             /* it has none: ask it to come into one */
} unisono_intent;
typedef struct unisono_nearby_event {
  unisono_context_event base;           /* .source is the advertiser or the browser */
  uint64_t    device;                   /* stable while known to this browser */
  unisono_join_request *request;        /* JOIN_REQUESTED, JOIN_WITHDRAWN; an advertiser's INVITE */
  const char *device_name;              /* unverified text of the other side */
  const char *usage_description;
  const char *invite;                   /* INVITE */
  uint32_t    platform;
  int32_t     status;                   /* FAILED: ETIMEDOUT also for a denial */
  char        digits[8];                /* six digits and NUL; JOIN_REQUESTED, DIGITS */
  unisono_intent intent;                /* FOUND, UPDATED: what may be asked; else: what was asked */
  uint32_t    reserved;
} unisono_nearby_event;
typedef struct unisono_advertiser_callbacks {
  uint32_t size;
  uint32_t reserved;
  void (UNISONO_CALL *join_requested)(void *user, const unisono_nearby_event *);
  void (UNISONO_CALL *join_withdrawn)(void *user, const unisono_nearby_event *);
  unisono_error_fn error;
  unisono_released_fn released;
  void (UNISONO_CALL *invite)(void *user, const unisono_nearby_event *);   /* an accepted INVITE brought it */
} unisono_advertiser_callbacks;
#define UNISONO_ADVERTISER_CALLBACKS_INIT UNISONO_INIT(unisono_advertiser_callbacks)
typedef struct unisono_browser_callbacks {
  uint32_t size;
  uint32_t reserved;
  void (UNISONO_CALL *found)(void *user, const unisono_nearby_event *);
  void (UNISONO_CALL *updated)(void *user, const unisono_nearby_event *);
  void (UNISONO_CALL *lost)(void *user, const unisono_nearby_event *);
  void (UNISONO_CALL *digits)(void *user, const unisono_nearby_event *);
  void (UNISONO_CALL *invite)(void *user, const unisono_nearby_event *);
  void (UNISONO_CALL *failed)(void *user, const unisono_nearby_event *);
  unisono_error_fn error;
  unisono_released_fn released;
} unisono_browser_callbacks;
#define UNISONO_BROWSER_CALLBACKS_INIT UNISONO_INIT(unisono_browser_callbacks)

/* Says on the local network that this device is here, and takes asks. Bound before this function returns.
 * A machine without a network that takes multicast is told by an ERROR event (UNISONO_ENETWORK, operation
 * "unisono_advertiser_create"); interfaces may come and go. Other devices can still type one of
 * unisono_advertiser_address.
 * session: others may ask to join it; it stops advertising when the session is over. NULL: others may ask this device to
 * come into theirs. service: copied. callbacks: copied; NULL, or a NULL function: the event queue. user: for callbacks.
 * out: end it with unisono_advertiser_destroy; it says goodbye.
 * Errors: UNISONO_EINVAL (the service is not declared right; a session of another context; no callbacks and no event
 * queue), UNISONO_ESTATE (the session is invalidated), UNISONO_ENETWORK (no port to listen on), UNISONO_ENOMEM,
 * UNISONO_ENOTSUP. */
UNISONO_WAITS UNISONO_API(int32_t) unisono_advertiser_create(
    unisono_context *context, unisono_session *session, const unisono_service *service,
    const unisono_advertiser_callbacks *callbacks, void *user, unisono_advertiser **out);

/* Says goodbye; open asks end, and their request handles with them. NULL and destroyed handles: nothing happens. */
UNISONO_WAITS UNISONO_API(void) unisono_advertiser_destroy(unisono_advertiser *advertiser);

/* An address that takes asks, "host:port", for people to type where devices do not find each other.
 * index: 0 and up until UNISONO_ENOTFOUND. buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES.
 * Errors: UNISONO_ENOTFOUND, UNISONO_ETOOBIG. */
UNISONO_API(int32_t) unisono_advertiser_address(
    unisono_advertiser *advertiser, size_t index, char *buffer, size_t *length);

/* Yes. UNISONO_INTENT_JOIN: the session's invite leaves, sealed. UNISONO_INTENT_INVITE: the other person still has to say
 * that the digits are the same; then INVITE comes, or JOIN_WITHDRAWN.
 * request: from JOIN_REQUESTED; once, and until JOIN_WITHDRAWN, afterwards it is UNISONO_ECLOSED. Never destroyed by you.
 * Errors: UNISONO_ESTATE (the session is invalidated; the request stays open). */
UNISONO_API(int32_t) unisono_join_request_accept(unisono_join_request *request);

/* No. The asker is told nothing and sees a time-out.
 * request: as for unisono_join_request_accept. */
UNISONO_API(int32_t) unisono_join_request_deny(unisono_join_request *request);

/* Looks for devices that advertise a service: FOUND within 1.5 s, LOST within 5 s of their vanishing, at once after a
 * goodbye. Advertisers of this context are left out. Without a network ERROR comes as for unisono_advertiser_create.
 * service, callbacks, user: as for unisono_advertiser_create. out: end it with unisono_browser_destroy.
 * Errors: UNISONO_EINVAL, UNISONO_ENOMEM, UNISONO_ENOTSUP. */
UNISONO_WAITS UNISONO_API(int32_t) unisono_browser_create(
    unisono_context *context, const unisono_service *service, const unisono_browser_callbacks *callbacks, void *user,
    unisono_browser **out);

/* Stops looking; what was being asked is cancelled. NULL and destroyed handles: nothing happens. */
UNISONO_WAITS UNISONO_API(void) unisono_browser_destroy(unisono_browser *browser);

/* Knows a device by an address that somebody typed; FOUND comes, and from there on it goes the same way. Never lost.
 * address: "host:port", <= 262 bytes. device: its number, the same when the address is given again.
 * Errors: UNISONO_EINVAL (no host:port), UNISONO_EFULL (64 addresses). */
UNISONO_API(int32_t) unisono_browser_add_address(unisono_browser *browser, const char *address, uint64_t *device);

/* Asks a device to let this one join its session. DIGITS comes when both screens show them; answer with
 * unisono_browser_confirm. Then INVITE (give it to unisono_session_open) or FAILED: UNISONO_ETIMEDOUT (nobody answered, or no),
 * UNISONO_EBUSY (it takes no more asks now, or has no session), UNISONO_ENETWORK (not reached, or gone),
 * UNISONO_ECANCELED, UNISONO_EPROTOCOL, UNISONO_EAUTH (tampered with), UNISONO_ENOTFOUND (lost meanwhile).
 * device: from FOUND. Any number of devices may be asked at a time.
 * Errors: UNISONO_ENOTFOUND (no such device), UNISONO_EBUSY (it is being asked). */
UNISONO_API(int32_t) unisono_browser_connect(unisono_browser *browser, uint64_t device);

/* Asks a device to come into this device's session. As unisono_browser_connect, but that INVITE says that the session's
 * invite was handed over.
 * session: of the same context.
 * Errors: UNISONO_ENOTFOUND, UNISONO_EBUSY, UNISONO_EINVAL (a session of another context), UNISONO_ESTATE (the session is
 * invalidated). */
UNISONO_API(int32_t) unisono_browser_invite(unisono_browser *browser, uint64_t device, unisono_session *session);

/* The person's word. May come before or after the other side's.
 * device: one that is being asked. digits_match: 1: they are the same on both screens, let the invite pass. 0: they are
 * not, or never mind: the ask is cancelled, at any time of it.
 * Errors: UNISONO_ENOTFOUND (nothing is being asked of it). */
UNISONO_API(int32_t) unisono_browser_confirm(unisono_browser *browser, uint64_t device, int32_t digits_match);

/* ---- 3. Events, typed ------------------------------------------------------------------------------- */
/* As unisono_event_command and its kin in unisono.h: the payload, or NULL for an event of another type. */

/* Of NEARBY_.... @since 0.2 */
UNISONO_RT UNISONO_API(const unisono_nearby_event *) unisono_event_nearby(const unisono_context_event *event);

UNISONO_END_DECLARATIONS
#endif /* UNISONO_NEARBY_H */
