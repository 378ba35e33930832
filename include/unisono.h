/* unisono.h: any player, in step with everyone else in the group.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * This header is the manual. Read the essay below once; after that every declaration stands for itself.
 *
 * WHAT IT IS
 * ----------
 * A session is a group of devices that do something together, end-to-end encrypted. One of them hosts it and passes an
 * invite on; the others open the invite and join. A coordinator keeps one player in step with the group: you tell it
 * what your user wants (play, pause, seek, another item), it agrees with the others and then commands your player
 * through a delegate of four functions: play, pause, seek, buffer. The library never touches media; a player is
 * whatever obeys.
 *
 *     unisono_context *context;  unisono_session *session;  unisono_coordinator *coordinator;
 *     unisono_context_create(NULL, &context);
 *     unisono_session_open(context, invite, NULL, &session);
 *     unisono_coordinator_create(context, &delegate, my_player, &coordinator);
 *     unisono_coordinator_coordinate_with_session(coordinator, session);
 *     unisono_session_join(session);
 *     unisono_coordinator_transition_to_item(coordinator, "movie-42", NULL);
 *     while (running) unisono_context_poll(context, -1);
 *     unisono_context_destroy(context);
 *
 * Three rules make a good host:
 *   1. A user's wish goes to the coordinator, never to the player. The player moves when the delegate says so.
 *   2. A command is answered by unisono_coordinator_complete when the player has really done it (sought, buffered,
 *      started, stopped), or by unisono_coordinator_fail. Until then the group may be waiting for this device.
 *   3. play carries an item time and the host time at which it holds. Start so that this comes true; when the host time
 *      is past, jump onto the line: position(h) = item_time + rate * (h - host_time).
 *
 * THE LOOP
 * --------
 * A context owns one event loop. It runs in one of three ways:
 *   - polled (the default): your thread calls unisono_context_poll or unisono_context_next_event. To wait for other
 *     things as well, put unisono_context_fd into your own poll, GLib, Qt, asyncio ...: it becomes readable when
 *     anything is due.
 *   - own thread (options.own_thread = 1): the library runs the loop in a thread of its own. Callbacks come on that
 *     thread.
 *   - foreign (options.uv_loop): your libuv loop carries it. Callbacks come on the thread that runs that loop.
 * Languages whose callbacks are poor, or illegal from foreign threads, switch the event queue on (options.event_queue =
 * 1): what has no callback is then fetched with unisono_context_next_event, in all three ways, with the same payload
 * structs.
 *
 * THREADS
 * -------
 * **Any thread may call any function**, except unisono_context_poll and unisono_context_next_event: one thread at a
 * time (UNISONO_EBUSY), never inside a callback (UNISONO_ESTATE). A call that changes something is checked, copied, put
 * on the context's queue and returns at once; it takes effect on the loop, in order. What can only be refused there is
 * told by an ERROR event which names the function. A call that reads returns a published snapshot and never waits; what
 * this thread asked for is visible after the loop has turned, not before. Calls marked "Realtime-safe: yes" take no
 * lock, allocate nothing and set no last error: they are for audio threads.
 *
 * Callbacks run only on the thread that runs the loop, never inside another call of this library, one at a time per
 * context, after the state has settled. A callback may call everything (but poll and next_event), destroy of its own
 * source and of the context included. The one exception is `wakeup`: it may come on any thread and may call nothing.
 * Exceptions, longjmp and the like must not cross a callback.
 *
 * LIFETIMES
 * ---------
 *   1. Handles are tokens, never addresses. A destroyed handle stays destroyed for ever: every call answers
 *      UNISONO_ECLOSED. A handle of another kind, or no handle at all, is UNISONO_EINVAL. Destroying NULL does nothing.
 *   2. Destroying a context destroys what was made from it. A coordinator outlives its session and goes on alone.
 *   3. What you give (options, strings, delegates, bytes) is copied before the call returns. Only `user`, function
 *      pointers and a uv_loop_t must live on.
 *   4. What you receive in a callback or an event (the payload, its strings and arrays) is valid until the callback
 *      returns, or until the next unisono_context_next_event on that context. Copy what you keep.
 *   5. What a function returns through a parameter named `owned` is yours: end it with unisono_free. It survives its
 *      session and its context.
 *   6. After destroy returns no callback of that object starts. From another thread, destroy first waits for one that
 *      is
 *      running: do not hold a lock which that callback wants. From inside a callback it returns at once.
 *   7. `released(user)` is the very last call for that registration, exactly once; not after a failed create. A destroy
 *      made outside callbacks calls it before it returns (on the calling thread when the loop is not running just
 *      then); one made inside a callback, after that callback. So free `user` in it or after such a destroy, not in
 *      both.
 *   8. Polled: context_destroy outside poll closes everything before it returns; a poll that runs on another thread
 *      ends with UNISONO_ECLOSED. Own thread: destroy joins the thread (inside a callback the thread ends itself).
 *      Foreign loop: destroy on the loop's thread and keep running the loop until `released`; then uv_loop_close.
 *   9. One-shots (unisono_context_call_at) answer exactly once, with UNISONO_ECANCELED when cancelled or destroyed.
 *  10. After fork the child may only exec: every call returns UNISONO_ECLOSED. The library cannot be unloaded, installs
 *      no signal handler and raises no SIGPIPE (on a foreign loop the host ignores SIGPIPE).
 *
 * ERRORS
 * ------
 * Functions return UNISONO_OK (0) or a value of unisono_status, which is negative and below -100; some return a number
 * >= 0 instead of 0. unisono_last_error has a sentence for people: what was wrong, in which call, how to mend it. Any
 * function that takes a handle can return UNISONO_ECLOSED and UNISONO_EINVAL (NULL or impossible argument), and any
 * function that allocates UNISONO_ENOMEM; the comments list only further errors. The `out` of a maker is NULL after a
 * failure. The handle is judged before any other pointer is read or written.
 *
 * ENCODINGS AND UNITS
 * -------------------
 * Strings are UTF-8 with a final NUL; invalid UTF-8 is UNISONO_EINVAL. Limits are in bytes without the NUL.
 * Times are int64_t nanoseconds. Host time is the machine's monotonic clock (unisono_host_time): CLOCK_MONOTONIC,
 * uv_hrtime, Python's time.monotonic_ns. Item time is the item's own timeline. UNISONO_TIME_INVALID means unknown or
 * none. Truth values are int32_t: 0 no, anything else yes.
 * Buffer getters (char *buffer, size_t *length): *length in is the capacity, out the bytes needed with NUL. With too
 * little room: UNISONO_ETOOBIG, and buffer[0] = 0 when there is any. buffer NULL with *length 0 asks for the size.
 *
 * COMPATIBILITY
 * -------------
 * Structs begin with `size`: fill them with UNISONO_INIT(type) or the macro named after them. Zero is the default in
 * every field. Structs grow at the end only; a newer host's struct is accepted while the part this library does not
 * know is zero (else UNISONO_ENOTSUP). Of a payload, read only what its `size` covers. Enumerations grow: treat values
 * you do not know as "other". Fields named `reserved` are 0 when given and ignored when received. Function names are
 * never reused. UNISONO_API_VERSION tells what you compile against, unisono_api_version() what you run with.
 */
#ifndef UNISONO_H
#define UNISONO_H

#include <stddef.h>
#include <stdint.h>

/* ---- 0. Compiler ---------------------------------------------------------------------------------- */
#if defined(_WIN32)
#  define UNISONO_CALL __cdecl
#  if defined(UNISONO_BUILD)
#    define UNISONO_EXPORT __declspec(dllexport)
#  else
#    define UNISONO_EXPORT __declspec(dllimport)
#  endif
#else
#  define UNISONO_CALL
#  define UNISONO_EXPORT __attribute__((visibility("default")))
#endif
#define UNISONO_API(type) UNISONO_EXPORT type UNISONO_CALL

/* Enumerations are 4 bytes everywhere. C++ and clang fix the underlying type (so any int32_t is a valid
 * value); clang marks them open, so Swift imports an enum that keeps unknown values.                     */
#if defined(__cplusplus) || defined(__clang__)
#  define UNISONO_INT32 : int32_t
#else
#  define UNISONO_INT32
#endif
#if defined(__clang__)
#  define UNISONO_OPEN __attribute__((enum_extensibility(open)))
#else
#  define UNISONO_OPEN
#endif

/* UNISONO_INIT(type): a zeroed struct whose size field is set. Zero means "the default" in every field.   */
#if defined(__cplusplus)
template <typename T> static inline T unisono_init_() noexcept { T v = T(); v.size = (uint32_t)sizeof(T); return v; }
#  define UNISONO_INIT(type) (unisono_init_<type>())
#else
#  define UNISONO_INIT(type) { .size = (uint32_t)sizeof(type) }
#endif

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#pragma clang diagnostic ignored "-Wfixed-enum-extension"
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif
#if defined(__cplusplus)
extern "C" {
#endif

/* ---- 1. Version, errors, time --------------------------------------------------------------------- */
#define UNISONO_API_VERSION_MAJOR 0
#define UNISONO_API_VERSION_MINOR 1
#define UNISONO_API_VERSION 0x00000001u   /* major << 16 | minor, as one literal */

/* Negative and never -1, so that -1 stays free for "none" and for libuv's and errno's own numbers.          */
typedef enum UNISONO_OPEN unisono_status UNISONO_INT32 {
  UNISONO_OK = 0,
  UNISONO_EINVAL = -101,    UNISONO_ENOMEM = -102,    UNISONO_ECLOSED = -103,   UNISONO_ESTATE = -104,
  UNISONO_ETIMEDOUT = -105, UNISONO_ENETWORK = -106,  UNISONO_EPROTOCOL = -107, UNISONO_EVERSION = -108,
  UNISONO_EAUTH = -109,     UNISONO_EDENIED = -110,   UNISONO_EFULL = -111,     UNISONO_ETOOBIG = -112,
  UNISONO_ENOTFOUND = -113, UNISONO_EBUSY = -114,     UNISONO_ECANCELED = -115, UNISONO_EINTERNAL = -116,
  UNISONO_ENOTSUP = -117,   /* not on this platform, or a set field that this library does not know */
  UNISONO_EIO = -118,       /* a file could not be read or written (attachments, storage) */
  UNISONO_EENDED = -119     /* invalidation reason: somebody ended the session for all */
} unisono_status;
#define UNISONO_TIME_INVALID    INT64_MIN
#define UNISONO_TIME_INDEFINITE INT64_MAX

/* The library's version, like "0.1.0". Static text, never NULL.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: yes. */
UNISONO_API(const char *) unisono_version(void);

/* The API version this library implements, major << 16 | minor. Compare with UNISONO_API_VERSION: the same major, and a
 * minor at least as great, has everything this header declares.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: yes. */
UNISONO_API(uint32_t) unisono_api_version(void);

/* Text of a status, like "UNISONO_EINVAL: invalid argument". Answers any number ("unknown error -7"); static, never
 * NULL.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: yes. */
UNISONO_API(const char *) unisono_strerror(int32_t status);

/* The sentence that belongs to the last failing call of this thread: what was wrong, in which function, how to mend it.
 * Valid until this thread's next call of this library; "" when none failed. Success does not clear it, and realtime-
 * safe functions do not set it.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(const char *) unisono_last_error(void);

/* Host time now: nanoseconds of the monotonic clock (CLOCK_MONOTONIC; mach_absolute_time in ns on macOS). Equals
 * uv_hrtime and Python's time.monotonic_ns. Clocks of other origin (SDL, mpv) differ by a constant: read both once and
 * subtract. Within a context, unisono_context_host_time is the better question: it also holds on a simulated clock.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: yes. */
UNISONO_API(int64_t) unisono_host_time(void);

/* Ends what a function returned through a parameter named `owned`, with all that hangs on it.
 * owned: that pointer; NULL does nothing; an address that is none of the library's is ignored.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(void) unisono_free(const void *owned);

/* ---- 2. Handles and identities -------------------------------------------------------------------- */
typedef struct unisono_context unisono_context;
typedef struct unisono_session unisono_session;
typedef struct unisono_coordinator unisono_coordinator;
typedef struct unisono_suspension unisono_suspension;
typedef struct unisono_player unisono_player;
typedef struct unisono_surface unisono_surface;
typedef struct unisono_hub unisono_hub;
typedef struct unisono_advertiser unisono_advertiser;
typedef struct unisono_browser unisono_browser;
typedef struct unisono_join_request unisono_join_request;

typedef struct unisono_participant_id { uint8_t bytes[16]; } unisono_participant_id; /* all zero: nobody */
typedef struct unisono_attachment_id { uint8_t bytes[32]; } unisono_attachment_id;   /* SHA-256 of the content */

/* ---- 3. Events: what callbacks receive and what the queue returns ---------------------------------- */
/* 1-15 context, 16-47 session, 48-79 coordinator, 80-95 player, 96-127 renderer, 128-143 surface, 144- nearby */
typedef enum UNISONO_OPEN unisono_event_type UNISONO_INT32 {
  UNISONO_EVENT_NONE = 0,
  UNISONO_EVENT_TIMER = 1,                     /* unisono_timer_event */
  UNISONO_EVENT_OVERFLOW = 2,                  /* unisono_overflow_event */
  UNISONO_EVENT_ERROR = 3,                     /* unisono_error_event */
  UNISONO_EVENT_LOG = 4,                       /* unisono_log_event */
  UNISONO_EVENT_RELEASED = 5,                  /* unisono_context_event only: last one for this source */
  UNISONO_EVENT_SESSION_STATE = 16,            /* unisono_session_state_event */
  UNISONO_EVENT_SESSION_ACTIVITY = 17,         /* unisono_activity_event */
  UNISONO_EVENT_SESSION_PARTICIPANTS = 18,     /* unisono_participants_change */
  UNISONO_EVENT_SESSION_MESSAGE = 19,          /* unisono_message */
  UNISONO_EVENT_SESSION_NOTICE = 20,           /* unisono_notice_event */
  UNISONO_EVENT_SESSION_FOREGROUND = 21,       /* unisono_participant_event */
  UNISONO_EVENT_SESSION_SPEAKING = 22,         /* unisono_participant_event */
  UNISONO_EVENT_SESSION_INVITE = 23,           /* unisono_invite_event */
  UNISONO_EVENT_SESSION_CONSENT = 24,          /* unisono_activation_event */
  UNISONO_EVENT_SESSION_ACTIVATION = 25,       /* unisono_activation_event */
  UNISONO_EVENT_SESSION_ATTACHMENT = 26,       /* unisono_attachment_event */
  UNISONO_EVENT_SESSION_WRITABLE = 27,         /* unisono_context_event only */
  UNISONO_EVENT_COORDINATOR_PLAY = 48,         /* unisono_command */
  UNISONO_EVENT_COORDINATOR_PAUSE = 49,        /* unisono_command */
  UNISONO_EVENT_COORDINATOR_SEEK = 50,         /* unisono_command */
  UNISONO_EVENT_COORDINATOR_BUFFER = 51,       /* unisono_command */
  UNISONO_EVENT_COORDINATOR_PARTICIPANTS = 52, /* unisono_participants_change */
  UNISONO_EVENT_COORDINATOR_SUSPENSIONS = 53,  /* unisono_suspensions_change */
  UNISONO_EVENT_COORDINATOR_TIMING = 54,       /* unisono_timing_change */
  UNISONO_EVENT_PLAYER_TIME_CONTROL = 80,      /* unisono_player_event */
  UNISONO_EVENT_PLAYER_RATE = 81,              /* unisono_player_event */
  UNISONO_EVENT_PLAYER_TIME_JUMPED = 82,       /* unisono_player_event */
  UNISONO_EVENT_PLAYER_ITEM_STATUS = 83,       /* unisono_player_event */
  UNISONO_EVENT_PLAYER_ITEM_ENDED = 84,        /* unisono_player_event */
  UNISONO_EVENT_PLAYER_SEEK_DONE = 85,         /* unisono_player_event */
  UNISONO_EVENT_RENDERER_LOAD = 96,            /* 96...104: unisono_renderer_command */
  UNISONO_EVENT_RENDERER_CUE = 97,
  UNISONO_EVENT_RENDERER_PLAY = 98,
  UNISONO_EVENT_RENDERER_PAUSE = 99,
  UNISONO_EVENT_RENDERER_SEEK = 100,
  UNISONO_EVENT_RENDERER_NUDGE = 101,
  UNISONO_EVENT_RENDERER_VOLUME = 102,
  UNISONO_EVENT_RENDERER_SIZE = 103,
  UNISONO_EVENT_RENDERER_STOP = 104,
  UNISONO_EVENT_SURFACE_CHANGED = 128,         /* unisono_surface_event: ask again is_paused, time range */
  UNISONO_EVENT_SURFACE_SKIPPED = 129,         /* unisono_surface_event */
  UNISONO_EVENT_SURFACE_WILL_BEGIN = 130,      /* unisono_surface_event */
  UNISONO_EVENT_SURFACE_WILL_END = 131,        /* unisono_surface_event */
  UNISONO_EVENT_SURFACE_RESTORE = 132,         /* unisono_surface_event */
  UNISONO_EVENT_NEARBY_JOIN_REQUESTED = 144,   /* unisono_nearby_event */
  UNISONO_EVENT_NEARBY_JOIN_WITHDRAWN = 145,   /* unisono_nearby_event */
  UNISONO_EVENT_NEARBY_FOUND = 146,            /* unisono_nearby_event */
  UNISONO_EVENT_NEARBY_UPDATED = 147,          /* unisono_nearby_event */
  UNISONO_EVENT_NEARBY_LOST = 148,             /* unisono_nearby_event */
  UNISONO_EVENT_NEARBY_DIGITS = 149,           /* unisono_nearby_event */
  UNISONO_EVENT_NEARBY_INVITE = 150,           /* unisono_nearby_event */
  UNISONO_EVENT_NEARBY_FAILED = 151            /* unisono_nearby_event */
} unisono_event_type;

typedef struct unisono_context_event {   /* 32 bytes; the head of everything delivered; frozen */
  uint32_t size;         /* of the whole payload struct this head begins */
  unisono_event_type type;
  void    *source;       /* handle of the session, coordinator, player, ... it concerns; NULL: the context */
  void    *user;         /* user pointer given where the source was made */
  int64_t  host_time;    /* when the library issued it, host time ns */
} unisono_context_event;

typedef struct unisono_timer_event {
  unisono_context_event base;
  uint64_t token;
  int64_t  due_host_time;        /* as asked; lateness = base.host_time - due_host_time */
  int32_t  status;               /* OK, or ECANCELED: cancelled, or the context ends */
  uint32_t reserved;
} unisono_timer_event;

typedef struct unisono_overflow_event {
  unisono_context_event base;
  uint64_t messages;             /* dropped since the last overflow event; commands are never dropped */
  uint64_t others;               /* log lines and notices dropped */
} unisono_overflow_event;

typedef struct unisono_error_event {   /* a call that returned OK and was refused or failed later */
  unisono_context_event base;
  int32_t     status;            /* negative */
  uint32_t    reserved;
  const char *operation;         /* name of the function, as in this header */
  const char *message;           /* one sentence: what, where, what to do */
} unisono_error_event;

typedef enum UNISONO_OPEN unisono_log_level UNISONO_INT32 {
  UNISONO_LOG_DEFAULT = 0, /* as an option: WARNING */
  UNISONO_LOG_ERROR = 1, UNISONO_LOG_WARNING = 2, UNISONO_LOG_INFO = 3, UNISONO_LOG_DEBUG = 4, UNISONO_LOG_NONE = -1
} unisono_log_level;
typedef struct unisono_log_event {
  unisono_context_event base;
  unisono_log_level level;
  uint32_t    reserved;
  const char *message;           /* one line, no newline, never a secret */
} unisono_log_event;

/* Every callback has this shape: (user, const payload *). It may be NULL: not interested (or, with the
 * event queue on, see unisono_context_next_event).                                                        */
typedef void (UNISONO_CALL *unisono_released_fn)(void *user);
typedef void (UNISONO_CALL *unisono_wakeup_fn)(void *user);
typedef void (UNISONO_CALL *unisono_log_fn)(void *user, const unisono_log_event *event);
typedef void (UNISONO_CALL *unisono_timer_fn)(void *user, const unisono_timer_event *event);
typedef void (UNISONO_CALL *unisono_error_fn)(void *user, const unisono_error_event *event);

/* ---- 4. Context ------------------------------------------------------------------------------------ */
typedef struct unisono_context_options {
  uint32_t    size;
  int32_t     own_thread;        /* 0: polled (or uv_loop); 1: the library runs the loop in a thread of its own */
  int32_t     event_queue;       /* 1: what has no callback goes to unisono_context_next_event */
  uint32_t    event_queue_limit; /* messages held before dropping; 0: 1024; 16...65536 */
  void       *uv_loop;           /* a uv_loop_t that the host runs; excludes own_thread */
  size_t      uv_loop_size;      /* uv_loop_size() as the host sees it; must equal the library's; with uv_loop */
  const char *device_name;       /* <= 63 bytes; NULL: host name */
  const char *storage_path;      /* folder for remembered answers; <= 4095 bytes; NULL: memory only */
  unisono_log_fn      log;
  unisono_wakeup_fn   wakeup;    /* may come on any thread; may call nothing of this library; coalesced */
  unisono_released_fn released;  /* after the last callback of this context; its loop handles are closed by then */
  void       *user;              /* for log, wakeup, released */
  uint64_t    random_seed;       /* jitter and back-off only, never keys; 0: system */
  unisono_log_level log_level;
  uint32_t    reserved;
  uint8_t     person[16];        /* a secret, the same on all devices of one person, never sent; zero: this one alone */
} unisono_context_options;
#define UNISONO_CONTEXT_OPTIONS_INIT UNISONO_INIT(unisono_context_options)

/* Makes a context: one event loop and everything that lives on it.
 * options: NULL: polled, defaults. See unisono_context_options for units and limits of each field.
 * out: where the handle goes; end it with unisono_context_destroy.
 * Errors: UNISONO_EINVAL (own_thread and uv_loop together, a limit exceeded, an unknown log level), UNISONO_ENOMEM,
 * UNISONO_ENOTSUP (uv_loop_size is not this library's, or a field is set that this library does not know), UNISONO_EIO
 * (storage_path is no folder that can be used).
 * With uv_loop, call it on the thread that runs that loop.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_context_create(const unisono_context_options *options, unisono_context **out);

/* Destroys a context and everything made from it: see LIFETIMES 6 to 8. NULL and destroyed handles: nothing happens. On
 * a foreign loop it must be called on the thread of that loop, otherwise nothing happens but a line in the log.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(void) unisono_context_destroy(unisono_context *context);

/* One descriptor that is readable when anything is due: sockets, calls from other threads, timers, queued events. Wait
 * for it, then call unisono_context_poll (or unisono_context_next_event until it returns 0). With own_thread: readable
 * while the event queue holds something. Never read from, write to or close it; it is the context's.
 * Returns: the descriptor >= 0. Errors: UNISONO_ENOTSUP (Windows: use unisono_context_timeout and `wakeup`),
 * UNISONO_ESTATE (uv_loop; own_thread without event_queue).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_context_fd(unisono_context *context);

/* Nanoseconds until the next timer of a polled context: 0 due now, -1 no timer. Only for hosts that cannot wait for a
 * descriptor; changes with every call made to the library.
 * Errors: values below -100: UNISONO_ESTATE (own_thread, uv_loop) and the usual ones.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int64_t) unisono_context_timeout(unisono_context *context);

/* Runs what is due on a polled context and delivers callbacks on this thread.
 * max_wait: longest wait in ns; 0 does not wait; negative: no limit. May return earlier, also with 0.
 * Returns: the number of deliveries, callbacks and queued events, >= 0.
 * Errors: UNISONO_ESTATE (own_thread, uv_loop, or inside a callback), UNISONO_EBUSY (another thread is in it),
 * UNISONO_ECLOSED (also when the context is destroyed meanwhile).
 * Thread-safe: no, one thread at a time. Callback-safe: no. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_context_poll(unisono_context *context, int64_t max_wait);

/* Fetches the next event of a context with event_queue, running the loop as unisono_context_poll does where it is
 * polled.
 * max_wait: longest wait in ns for an event; 0 does not wait; negative: no limit.
 * out: the event, or NULL; `type` names the payload struct this head begins (skip types you do not know). Valid until
 * the next call of this function on this context, or until the context is destroyed.
 * Returns: 1 with an event, 0 without. Order is kept within the queue. State-like events (state, activity,
 * participants, timing, suspensions) are kept newest-only. Commands are never dropped one by one: those for an item no
 * longer current are taken out, and above 64 unread ones the present state replaces them all. Log lines and errors
 * beyond event_queue_limit are dropped, counted and told by one OVERFLOW event.
 * Errors: UNISONO_ESTATE (no event_queue, or inside a callback), UNISONO_EBUSY (another thread is in it or in poll),
 * UNISONO_ECLOSED.
 * Thread-safe: no, one thread at a time. Callback-safe: no. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_context_next_event(
    unisono_context *context, int64_t max_wait, const unisono_context_event **out);

/* Makes a poll or next_event that waits return 0 soon; the next one, when none waits. Calls coalesce.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: yes. */
UNISONO_API(int32_t) unisono_context_wake(unisono_context *context);

/* The clock this context lives by, ns: unisono_host_time(), unless the context is simulated. Negative: an error.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: yes. */
UNISONO_API(int64_t) unisono_context_host_time(unisono_context *context);

/* Calls fn once on the loop when a host time has come.
 * host_time: ns; past: at once, but never inside this call.
 * fn: called exactly once: status UNISONO_OK when due, UNISONO_ECANCELED after unisono_context_cancel or destroy. NULL:
 * a TIMER event in the event queue instead.
 * user: for fn, and `base.user` of the event.
 * token: may be NULL; set before fn can run; never 0; for unisono_context_cancel.
 * Errors: UNISONO_EINVAL (fn NULL without event_queue; host_time UNISONO_TIME_INVALID), UNISONO_EFULL (65,536 are
 * pending).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_context_call_at(
    unisono_context *context, int64_t host_time, unisono_timer_fn fn, void *user, uint64_t *token);

/* Cancels a unisono_context_call_at: its fn gets UNISONO_ECANCELED, later, on the loop.
 * Errors: UNISONO_ENOTFOUND (it has fired, is firing, or never was).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_context_cancel(unisono_context *context, uint64_t token);

/* Forgets answers that unisono_session_answer_consent remembered: people are asked again.
 * type: a unisono_activity_type; -1: all.
 * Errors: UNISONO_EINVAL (no such type), UNISONO_EIO (storage_path cannot be written; forgotten for this context).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_context_forget_answers(unisono_context *context, int32_t type);

/* ---- 5. Session ------------------------------------------------------------------------------------ */
typedef enum UNISONO_OPEN unisono_session_status UNISONO_INT32 {
  UNISONO_SESSION_WAITING = 0, UNISONO_SESSION_JOINED = 1, UNISONO_SESSION_INVALIDATED = 2
} unisono_session_status;
/* Of a session: CONNECTED through a hub with the group, or with what is left of it (`alone` of the state event). CONNECTING
 * until the group was met, also while a hub is reached at which nobody of it is. RECONNECTING until it is met again, or all who
 * were lost are off the list. */
typedef enum UNISONO_OPEN unisono_connection UNISONO_INT32 {
  UNISONO_CONNECTION_NONE = 0, UNISONO_CONNECTION_CONNECTING = 1, UNISONO_CONNECTION_CONNECTED = 2,
  UNISONO_CONNECTION_RECONNECTING = 3
} unisono_connection;
typedef enum UNISONO_OPEN unisono_role UNISONO_INT32 {
  UNISONO_ROLE_DEFAULT = 0, /* only asked for: OWNER for _host, MEMBER for _open; never received */
  UNISONO_ROLE_VIEWER = 1, UNISONO_ROLE_MEMBER = 2, UNISONO_ROLE_HOST = 3, UNISONO_ROLE_OWNER = 4
} unisono_role;
typedef enum UNISONO_OPEN unisono_control_policy UNISONO_INT32 {
  UNISONO_CONTROL_EVERYONE = 0,   /* all may command */
  UNISONO_CONTROL_HOSTS_ONLY = 1, /* HOST and OWNER */
  UNISONO_CONTROL_PER_ROLE = 2    /* all but VIEWER */
} unisono_control_policy;
typedef enum UNISONO_OPEN unisono_activity_type UNISONO_INT32 {
  UNISONO_ACTIVITY_GENERIC = 0, UNISONO_ACTIVITY_WATCH_TOGETHER = 1, UNISONO_ACTIVITY_LISTEN_TOGETHER = 2,
  UNISONO_ACTIVITY_PLAY_TOGETHER = 3, UNISONO_ACTIVITY_CREATE_TOGETHER = 4, UNISONO_ACTIVITY_EXPLORE_TOGETHER = 5,
  UNISONO_ACTIVITY_LEARN_TOGETHER = 6, UNISONO_ACTIVITY_READ_TOGETHER = 7, UNISONO_ACTIVITY_SHOP_TOGETHER = 8,
  UNISONO_ACTIVITY_WORKOUT_TOGETHER = 9
} unisono_activity_type;
typedef enum UNISONO_OPEN unisono_lifetime UNISONO_INT32 {
  UNISONO_LIFETIME_AUTOMATIC = 0, UNISONO_LIFETIME_ENDS_WITH_INITIATOR = 1
} unisono_lifetime;
typedef enum UNISONO_OPEN unisono_delivery UNISONO_INT32 {
  UNISONO_DELIVERY_RELIABLE = 0, UNISONO_DELIVERY_UNRELIABLE = 1
} unisono_delivery;
typedef enum UNISONO_OPEN unisono_activation_result UNISONO_INT32 {
  UNISONO_ACTIVATION_DISABLED = 0, UNISONO_ACTIVATION_PREFERRED = 1, UNISONO_ACTIVATION_CANCELLED = 2
} unisono_activation_result;

typedef struct unisono_activity {       /* given: copied; received: a view */
  uint32_t    size;
  unisono_activity_type type;
  const char *identifier;        /* reverse-DNS, 1...255 bytes */
  const char *title;             /* <= 255 bytes; NULL none */
  const char *subtitle;          /* <= 255 bytes; NULL none */
  const char *fallback_url;      /* <= 2047 bytes; NULL none */
  const void *preview_image;     /* PNG, JPEG or WebP as is; <= 65536 bytes */
  size_t      preview_image_length;
  const void *payload;           /* the application's own; <= 65536 bytes */
  size_t      payload_length;
  unisono_lifetime lifetime;
  int32_t     supports_continuation;
} unisono_activity;
#define UNISONO_ACTIVITY_INIT UNISONO_INIT(unisono_activity)

typedef struct unisono_participant {    /* a view; only ever reached through a pointer */
  uint32_t    size;
  unisono_connection connection;
  unisono_participant_id id;
  unisono_participant_id person; /* derived per session, vouched; equal for all devices of one person */
  const char *display_name;      /* never NULL */
  const char *device_name;       /* never NULL */
  const char *item;              /* current item; NULL none */
  const char *const *suspension_reasons;
  size_t      suspension_reason_count;   /* 0: takes part */
  unisono_role role;
  int32_t     is_local;
  int32_t     ready;             /* could start now */
  int32_t     speaking;
  double      rate;              /* as last reported by it; 0 paused or unknown */
  int64_t     item_time;         /* its position at host_time; INVALID unknown */
  int64_t     host_time;         /* in this host's clock */
  int64_t     round_trip;        /* to the hub, ns; INVALID unknown */
  int64_t     clock_error;       /* its stated bound, ns; INVALID unknown */
} unisono_participant;

typedef struct unisono_participants {   /* owned: end with unisono_free */
  uint32_t    size;
  uint32_t    reserved;
  size_t      count;
  const unisono_participant *const *items;
} unisono_participants;

typedef struct unisono_participants_change {
  unisono_context_event base;
  int32_t     is_complete;       /* 1: joined is the whole list (first delivery, resync after overflow) */
  uint32_t    reserved;
  const unisono_participant *const *joined;   size_t joined_count;
  const unisono_participant *const *updated;  size_t updated_count;
  const unisono_participant *const *left;     size_t left_count;
} unisono_participants_change;

typedef struct unisono_session_state_event {
  unisono_context_event base;
  unisono_session_status status;
  unisono_connection connection;
  int32_t     reason;            /* why invalidated, or not connected: an error code; OK after leave. ENOTFOUND: a hub is
                                    reached, and nobody of the group is at it */
  uint32_t    reserved;
  const char *message;           /* the same for people; never NULL */
  const char *hub;               /* "host:port" of the hub in use; "" none; never NULL */
  int32_t     hub_is_own;        /* 1: that hub is the one in this process */
  int32_t     alone;             /* 1: no other participant is in touch: nobody came yet, or all are lost or left */
} unisono_session_state_event;

typedef struct unisono_activity_event {
  unisono_context_event base;
  unisono_participant_id originator;
  const unisono_activity *activity;     /* NULL: none any more */
} unisono_activity_event;

typedef struct unisono_message {
  unisono_context_event base;
  unisono_participant_id sender;        /* proven by signature */
  const void *data;                     /* 8-byte aligned; not NULL even when empty */
  size_t      length;                   /* 0...65536 */
  unisono_delivery delivery;
  uint32_t    reserved;
} unisono_message;

typedef enum UNISONO_OPEN unisono_notice_kind UNISONO_INT32 {
  UNISONO_NOTICE_CUSTOM = 0, UNISONO_NOTICE_PLAYED = 1, UNISONO_NOTICE_PAUSED = 2, UNISONO_NOTICE_SKIPPED = 3,
  UNISONO_NOTICE_RATE_CHANGED = 4, UNISONO_NOTICE_ITEM_CHANGED = 5, UNISONO_NOTICE_QUEUE_CHANGED = 6,
  UNISONO_NOTICE_LEFT_WAITING = 7 /* the group went on without this one */
} unisono_notice_kind;
typedef struct unisono_notice {          /* "Ann skipped 15 s" */
  uint32_t    size;
  unisono_notice_kind kind;
  unisono_participant_id originator;    /* ignored when posting */
  int64_t     amount;                   /* SKIPPED: ns, signed */
  double      rate;                     /* RATE_CHANGED */
  const char *text;                     /* CUSTOM: <= 255 bytes */
  const char *url;                      /* <= 2047 bytes; NULL none */
} unisono_notice;
#define UNISONO_NOTICE_INIT UNISONO_INIT(unisono_notice)

typedef struct unisono_notice_event { unisono_context_event base; const unisono_notice *notice; } unisono_notice_event;
typedef struct unisono_participant_event {  /* FOREGROUND, SPEAKING */
  unisono_context_event base;
  unisono_participant_id participant;
  int32_t     active;                   /* SPEAKING: 1 began, 0 ceased; FOREGROUND: 1 */
  int32_t     in_background;            /* FOREGROUND: 1 when the session was started without a window */
} unisono_participant_event;
typedef struct unisono_invite_event { unisono_context_event base; const char *invite; } unisono_invite_event;
typedef struct unisono_activation_event {   /* CONSENT asks, ACTIVATION answers */
  unisono_context_event base;
  uint64_t    request;
  const unisono_activity *activity;
  unisono_activation_result result;     /* ACTIVATION */
  int32_t     remembered;               /* ACTIVATION: 1 when nobody was asked */
} unisono_activation_event;

typedef struct unisono_attachment {     /* a view */
  uint32_t    size;
  int32_t     is_available;             /* 1: complete on this device */
  unisono_attachment_id id;
  unisono_participant_id owner;
  uint64_t    length;                   /* <= 100,000,000 bytes */
  const char *name;                     /* <= 255 bytes, no folder */
  const char *media_type;               /* <= 127 bytes */
} unisono_attachment;
typedef enum UNISONO_OPEN unisono_attachment_change UNISONO_INT32 {
  UNISONO_ATTACHMENT_ADDED = 0, UNISONO_ATTACHMENT_REMOVED = 1, UNISONO_ATTACHMENT_PROGRESS = 2,
  UNISONO_ATTACHMENT_LOADED = 3, UNISONO_ATTACHMENT_FAILED = 4
} unisono_attachment_change;
typedef struct unisono_attachment_event {
  unisono_context_event base;
  uint64_t    request;                  /* of attach; 0: made elsewhere */
  const unisono_attachment *attachment;
  uint64_t    transferred;              /* bytes so far */
  unisono_attachment_change change;
  int32_t     status;                   /* FAILED: why */
} unisono_attachment_event;

typedef struct unisono_session_callbacks {
  uint32_t size;
  uint32_t reserved;
  void (UNISONO_CALL *state)(void *user, const unisono_session_state_event *);
  void (UNISONO_CALL *activity)(void *user, const unisono_activity_event *);
  void (UNISONO_CALL *participants)(void *user, const unisono_participants_change *);
  void (UNISONO_CALL *message)(void *user, const unisono_message *);
  void (UNISONO_CALL *notice)(void *user, const unisono_notice_event *);
  void (UNISONO_CALL *foreground_requested)(void *user, const unisono_participant_event *);
  void (UNISONO_CALL *speaking)(void *user, const unisono_participant_event *);
  void (UNISONO_CALL *invite_changed)(void *user, const unisono_invite_event *);
  void (UNISONO_CALL *consent)(void *user, const unisono_activation_event *);
  void (UNISONO_CALL *attachment)(void *user, const unisono_attachment_event *);
  void (UNISONO_CALL *writable)(void *user, const unisono_context_event *);
  unisono_error_fn error;
  unisono_released_fn released;
} unisono_session_callbacks;
#define UNISONO_SESSION_CALLBACKS_INIT UNISONO_INIT(unisono_session_callbacks)

typedef struct unisono_hub_options {
  uint32_t    size;
  uint32_t    participants_per_room;    /* 0: 256; 1...100000 */
  uint32_t    rooms;                    /* 0: 1024 */
  uint32_t    connections;              /* 0: 4096 */
  uint32_t    connections_per_address;  /* 0: 64 */
  uint32_t    bytes_per_second;         /* per connection; 0: 262144 */
  const char *const *listen;            /* "0.0.0.0:7400", "[::]:0"; NULL: every interface, a free port */
  size_t      listen_count;             /* <= 16 */
  const char *const *advertise;         /* "host:port" put into invites instead of what was found; NULL: found */
  size_t      advertise_count;          /* <= 16 */
  unisono_released_fn released;
  void       *user;
  uint64_t    memory;                   /* queued and inbound bytes in all; 0: 320 MiB, embedded 40 MiB */
  uint64_t    room_bytes_per_second;    /* egress of one room; 0: 32 MiB/s, embedded 8 MiB/s */
} unisono_hub_options;
#define UNISONO_HUB_OPTIONS_INIT UNISONO_INIT(unisono_hub_options)

typedef struct unisono_session_options {
  uint32_t    size;
  unisono_control_policy control_policy;     /* host only */
  const char *display_name;             /* 1...63 bytes; NULL: device name */
  const char *hub;                      /* _host only: "host:port" of a hub to use; NULL: one in this process */
  const unisono_hub_options *hub_options;    /* the one in this process; NULL: defaults */
  const unisono_activity *activity;     /* _host only: first activity; NULL: none yet */
  const unisono_session_callbacks *callbacks; /* NULL: event queue, or polling the getters */
  void       *user;
  unisono_role role;                    /* _open only: role asked for; a lesser one is given, a greater one by an owner */
  int32_t     no_standby_hub;           /* 1: never serve as hub for the others */
  int32_t     in_background;            /* 1: started without a window */
  uint32_t    reserved;
} unisono_session_options;
#define UNISONO_SESSION_OPTIONS_INIT UNISONO_INIT(unisono_session_options)

typedef enum UNISONO_OPEN unisono_clock_status UNISONO_INT32 {
  UNISONO_CLOCK_NONE = 0, UNISONO_CLOCK_SYNCHRONIZING = 1, UNISONO_CLOCK_SYNCHRONIZED = 2, UNISONO_CLOCK_HOLDOVER = 3
} unisono_clock_status;
typedef struct unisono_clock {          /* session = session_time + rate * (host - host_time) */
  uint32_t    size;
  unisono_clock_status status;
  uint64_t    epoch;                    /* >= 1; +1 whenever session time is not continuous with what was read before */
  int64_t     host_time;
  int64_t     session_time;
  double      rate;                     /* session ns per host ns, 1 +- 500 ppm; up to 2 % for 2 s while it is slewed */
  int64_t     error_bound;              /* ns at host_time */
  double      error_growth;             /* ns per ns after host_time */
} unisono_clock;
#define UNISONO_CLOCK_INIT UNISONO_INIT(unisono_clock)

typedef struct unisono_session_statistics {
  uint32_t size;  unisono_clock_status clock_status;
  int64_t  round_trip;        /* best of the recent, ns; INVALID unknown */
  int64_t  round_trip_last;
  int64_t  clock_offset;      /* session - host, ns */
  int64_t  clock_error;       /* stated bound, ns */
  double   clock_drift_ppm;
  uint64_t probes_sent, probes_received;
  uint64_t messages_sent, messages_received, bytes_sent, bytes_received;
  uint64_t messages_refused;  /* bad signature, replay, not allowed */
  uint64_t reconnects, hub_changes;
  uint64_t send_queue_bytes;
} unisono_session_statistics;
#define UNISONO_SESSION_STATISTICS_INIT UNISONO_INIT(unisono_session_statistics)

typedef void (UNISONO_CALL *unisono_activation_fn)(void *user, const unisono_activation_event *event);

/* Makes a session and hosts it: this device begins a new group. When options->hub is NULL a hub is started in this
 * process and is bound before this function returns, so that unisono_session_invite works at once. Join with
 * unisono_session_join. On an own-thread context this waits for the loop to turn: hold no lock that a callback wants.
 * options: NULL: defaults, events to the queue. Copied.
 * out: end it with unisono_session_destroy.
 * Errors: UNISONO_EINVAL (a limit exceeded), UNISONO_ETOOBIG (activity), UNISONO_ENETWORK (an address is in use or
 * cannot be parsed), UNISONO_ENOMEM, UNISONO_ENOTSUP (a field is set that this library does not know).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_host(
    unisono_context *context, const unisono_session_options *options, unisono_session **out);

/* Opens an invite. Only parses: the session is WAITING until unisono_session_join; faults of the network appear as
 * state. The activity may be known before joining (SESSION_ACTIVITY).
 * On an own-thread context this waits for the loop to turn: hold no lock that a callback wants.
 * invite: the text from unisono_session_invite of somebody in the group; 1...4,095 bytes. It is a secret.
 * options: NULL: defaults, events to the queue. Copied. control_policy, hub, hub_options and activity are the host's to
 * set and count for nothing here.
 * out: end it with unisono_session_destroy.
 * Errors: UNISONO_EINVAL (unisono_last_error says which part of the invite), UNISONO_EVERSION (made by a newer
 * library), UNISONO_ENOMEM, UNISONO_ENOTSUP.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_open(
    unisono_context *context, const char *invite, const unisono_session_options *options, unisono_session **out);

/* Leaves as best it can, then closes. For a certain goodbye: unisono_session_leave, wait for INVALIDATED, then destroy.
 * NULL and destroyed handles: nothing happens. A coordinator on it goes on alone.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(void) unisono_session_destroy(unisono_session *session);

/* The invite to pass on, as text; whoever has it can join. It lists the hub in use and up to 15 more: those that the
 * participants keep ready, this one's included, so that it leads to the group also when its first hub is dead by then. It
 * changes with them (SESSION_INVITE); pass on the newest. Before the group was met it is the one that was opened: nobody is
 * led to anywhere else than the group.
 * buffer, length: a buffer getter, see ENCODINGS AND UNITS; 4,096 bytes always suffice.
 * Errors: UNISONO_ETOOBIG (too little room; *length says how much), UNISONO_ESTATE (invalidated).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_invite(unisono_session *session, char *buffer, size_t *length);

/* Enters the group. Returns at once; the state becomes JOINED when the group's complete state is here: who hosts the session
 * has it, everybody else gets it from a member. Who finds no member stays WAITING for as long as that is so, with reason
 * UNISONO_ENOTFOUND or that of the network, and looks for one at all hubs that its invite lists, again and again; its player
 * acts alone meanwhile. Joining again: OK, nothing happens.
 * Errors: UNISONO_ESTATE (invalidated).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_join(unisono_session *session);

/* Leaves the group, which goes on: the state becomes INVALIDATED with reason UNISONO_OK. Coming back is a new session
 * object.
 * Errors: UNISONO_ESTATE (invalidated).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_leave(unisono_session *session);

/* Ends the session for everybody: their state becomes INVALIDATED with reason UNISONO_EENDED, for good.
 * Errors: UNISONO_ESTATE (not joined, or invalidated), UNISONO_EDENIED (late too: this participant may not).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_end(unisono_session *session);

/* Returns: a unisono_session_status >= 0, or an error.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_state(unisono_session *session);

/* Returns: the own link as a unisono_connection >= 0, or an error.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_connection(unisono_session *session);

/* The own identifier in this session, known from creation on.
 * id_out: 16 bytes are written.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_local_participant(unisono_session *session, unisono_participant_id *id_out);

/* Who is there, the local one included, sorted by id.
 * owned: a snapshot; end it with unisono_free.
 * Errors: UNISONO_ENOMEM.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_participants(unisono_session *session, const unisono_participants **owned);

/* Sets or changes what the group does together; everybody gets SESSION_ACTIVITY.
 * activity: copied; limits at unisono_activity.
 * Errors: UNISONO_EINVAL (no identifier, unknown type), UNISONO_ETOOBIG (a limit exceeded), UNISONO_ESTATE (not
 * joined), UNISONO_EDENIED (late too).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_activate(unisono_session *session, const unisono_activity *activity);

/* What the group does together.
 * owned: a snapshot; end it with unisono_free. NULL with UNISONO_OK: nothing yet.
 * Errors: UNISONO_ENOMEM.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_activity(unisono_session *session, const unisono_activity **owned);

/* Gives a participant another role; only an owner may. Whoever is made an owner may do what this function and the next two
 * do, but not to owners who became that before it. Everybody is told by SESSION_PARTICIPANTS. What the participant commanded
 * before stays; what it commands later, or has on the way, counts by its new role, alike for everybody.
 * When the last owner leaves with unisono_session_leave, the participant of the highest role that has been there longest
 * becomes owner.
 * participant: in the session, this one excepted. role: VIEWER, MEMBER, HOST or OWNER.
 * Errors: UNISONO_EINVAL (participant is NULL, no role), UNISONO_ENOTFOUND (nobody has this id), UNISONO_ESTATE (not
 * joined), UNISONO_EDENIED (not an owner; late too, through error: the participant is a more senior owner, the lists are
 * full, or another owner's change came first and it is not an owner's to make any more).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_set_role(
    unisono_session *session, const unisono_participant_id *participant, unisono_role role);

/* Says who may command playback, change the activity and end the session; only an owner may.
 * Errors: UNISONO_EINVAL (no unisono_control_policy), UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an owner; late too).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_set_control_policy(unisono_session *session, unisono_control_policy policy);

/* Puts a participant out for good, with all devices of its person; only an owner may. The session moves to a new door with a
 * new key, which the removed one does not get: it can read nothing more and cannot come back, and is INVALIDATED with
 * UNISONO_EDENIED. The others play on. The invite is another one from then on (SESSION_INVITE); the old one leads nowhere.
 * Who is away for less than ten minutes is let in again when it returns.
 * participant: in the session; not this one.
 * Errors: UNISONO_EINVAL (NULL, this one), UNISONO_ENOTFOUND, UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an owner;
 * late too: it is a more senior owner).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_remove_participant(
    unisono_session *session, const unisono_participant_id *participant);
/* Asks the person at this device, through the `consent` callback or a CONSENT event, whether an activity is to be begun
 * with the group, unless an answer for its type (unisono_activity_type) is remembered. What is asked is answered by
 * unisono_session_answer_consent; without a consent callback and an event queue the answer is PREFERRED. It changes nothing
 * by itself: at PREFERRED call unisono_session_activate, at DISABLED begin alone, at CANCELLED do not begin.
 * activity: copied; limits at unisono_activity.
 * fn: called exactly once, later, on the loop: with `result`, and `remembered` 1 when nobody was asked. CANCELLED when
 * nobody answered for 60 s, or when the session is destroyed. NULL: an ACTIVATION event in the event queue instead.
 * user: for fn, and `base.user` of its event.
 * Errors: UNISONO_EINVAL (fn NULL without event_queue; see unisono_session_activate), UNISONO_ETOOBIG, UNISONO_ESTATE
 * (invalidated), UNISONO_EBUSY (one is open), UNISONO_EFULL (too many calls wait for the loop).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_prepare_for_activation(
    unisono_session *session, const unisono_activity *activity, unisono_activation_fn fn, void *user);

/* Answers a CONSENT.
 * request: as the event told it.
 * answer: PREFERRED: with the group; DISABLED: alone; CANCELLED: not at all.
 * remember: 1: the same answer for every activity of this type from now on, without asking (not CANCELLED); kept in
 * `storage_path` of the context, or as long as the context lives. unisono_context_forget_answers forgets it.
 * Errors: UNISONO_EINVAL (no unisono_activation_result), UNISONO_ENOTFOUND (answered, or too late).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_answer_consent(
    unisono_session *session, uint64_t request, unisono_activation_result answer, int32_t remember);

/* Sends bytes to other participants, who get SESSION_MESSAGE; the sender gets none. Who joins later does not get it.
 * Reliable messages of one sender come once and in order, also across lost links of up to 30 s and the hub's death;
 * unreliable ones come at once or not at all, in any order.
 * data, length: 0...65,536 bytes, copied. NULL only with length 0.
 * to, to_count: ids of participants, copied; the others cannot read it. 0: all others (to is not looked at). At most 256.
 * Errors: UNISONO_EINVAL, UNISONO_ETOOBIG (length), UNISONO_ESTATE (not joined), UNISONO_ENOTFOUND (an id is no
 * participant), UNISONO_EBUSY (1 MiB waits to be sent; SESSION_WRITABLE says when to go on), UNISONO_EFULL (too many calls
 * wait for the loop).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_send(
    unisono_session *session, const void *data, size_t length, unisono_delivery delivery,
    const unisono_participant_id *to, size_t to_count);

/* Tells the people of the group something, "Ann added a film to the list": the others get SESSION_NOTICE with this
 * participant as originator. What playback commands do is told by the library itself.
 * notice: copied. text: <= 255 bytes, url: <= 2,047 bytes.
 * Errors: UNISONO_EINVAL (unknown kind, rate not finite), UNISONO_ETOOBIG (a text), UNISONO_ESTATE (not joined),
 * UNISONO_EBUSY (more than 20 in a second), UNISONO_EFULL (too many calls wait for the loop).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_post_notice(unisono_session *session, const unisono_notice *notice);

/* Asks the others to bring this session to the front: they get SESSION_FOREGROUND, with `in_background` 1 where their
 * own session was started without a window (options.in_background), so that they open one.
 * Errors: UNISONO_ESTATE (not joined), UNISONO_EBUSY (more than one in a second), UNISONO_EFULL.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_request_foreground(unisono_session *session);

/* Tells the others that the person here speaks, so that they turn their content down: SESSION_SPEAKING, and `speaking` of
 * the participant. It stays until changed or until the link is lost; set it again then. Without a link nothing happens.
 * speaking: 0 or 1.
 * Errors: UNISONO_ESTATE (not joined), UNISONO_EFULL.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_set_speaking(unisono_session *session, int32_t speaking);

/* Counters and clock figures of a session.
 * out: set out->size before the call (UNISONO_SESSION_STATISTICS_INIT); no more than that is written.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_session_stats(unisono_session *session, unisono_session_statistics *out);

/* The line of session time against host time: session = session_time + rate * (host - host_time), the same instant for
 * everybody within error_bound. For shared time without media, and for pipelines that need a clock.
 * out: set out->size before the call (UNISONO_CLOCK_INIT). With status NONE the other fields are 0.
 * Errors: UNISONO_ESTATE (status NONE).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: yes. */
UNISONO_API(int32_t) unisono_session_clock(unisono_session *session, unisono_clock *out);

/* ---- 6. Coordinator -------------------------------------------------------------------------------- */
#define UNISONO_RATE_PLAY_IMMEDIATELY   1u
#define UNISONO_SEEK_RESUME_IMMEDIATELY 1u
#define UNISONO_REASON_AUDIO_SESSION_INTERRUPTED       "audio-session-interrupted"
#define UNISONO_REASON_STALL_RECOVERY                  "stall-recovery"
#define UNISONO_REASON_PLAYING_INTERSTITIAL            "playing-interstitial"
#define UNISONO_REASON_COORDINATED_PLAYBACK_NOT_POSSIBLE "coordinated-playback-not-possible"
#define UNISONO_REASON_USER_ACTION_REQUIRED            "user-action-required"
#define UNISONO_REASON_USER_IS_CHANGING_CURRENT_TIME   "user-is-changing-current-time"

typedef enum UNISONO_OPEN unisono_timing_status UNISONO_INT32 {
  UNISONO_TIMING_NONE = 0,      /* no item, or the group has no timing for it yet */
  UNISONO_TIMING_PAUSED = 1, UNISONO_TIMING_WAITING = 2, UNISONO_TIMING_PLAYING = 3
} unisono_timing_status;
typedef enum UNISONO_OPEN unisono_cause UNISONO_INT32 {
  UNISONO_CAUSE_UNKNOWN = 0, UNISONO_CAUSE_PLAY = 1, UNISONO_CAUSE_PAUSE = 2, UNISONO_CAUSE_SEEK = 3,
  UNISONO_CAUSE_RATE = 4, UNISONO_CAUSE_PROPOSAL = 5, UNISONO_CAUSE_ITEM = 6,
  UNISONO_CAUSE_REJOIN = 7, UNISONO_CAUSE_REAPPLY = 8,
  UNISONO_CAUSE_STALL = 9, UNISONO_CAUSE_CLOCK = 10, UNISONO_CAUSE_ENDED = 11
} unisono_cause;

typedef struct unisono_command {        /* play, pause, seek, buffer: one layout */
  unisono_context_event base;           /* .type tells which; .source is the coordinator */
  uint64_t    id;                       /* for complete and fail; never 0, never used twice */
  unisono_participant_id originator;    /* zero: own request or reapplied */
  const char *item;                     /* identifier it is for; never NULL */
  double      rate;                     /* play: never 0, -16...16; else 0 */
  int64_t     item_time;                /* play: anchor; pause: group position; seek: target; buffer: start position */
  int64_t     host_time;                /* play: when item_time holds, may be past; else INVALID */
  int64_t     due_host_time;            /* seek, buffer, pause with buffer_in_anticipation; else INVALID */
  double      anticipated_rate;         /* seek/pause with buffer_in_anticipation, buffer; else 0 */
  int32_t     is_local;                 /* 1: caused by this participant */
  int32_t     snap;                     /* pause: 1 = go to item_time, 0 = stay where you stopped */
  int32_t     buffer_in_anticipation;   /* seek, pause: also get ready for anticipated_rate before completing */
  unisono_cause cause;
} unisono_command;
typedef unisono_command unisono_play_command;
typedef unisono_command unisono_pause_command;
typedef unisono_command unisono_seek_command;
typedef unisono_command unisono_buffer_command;

typedef struct unisono_timing {         /* position(h) = item_time + rate * (h - host_time) */
  uint32_t    size;
  unisono_timing_status status;         /* ignored in a proposal */
  double      rate;                     /* 0 unless PLAYING (in a proposal: 0 paused) */
  int64_t     item_time;
  int64_t     host_time;                /* in a proposal: 0 = now */
  int64_t     error_bound;              /* ns, of the position; ignored in a proposal */
} unisono_timing;
#define UNISONO_TIMING_INIT UNISONO_INIT(unisono_timing)

typedef struct unisono_waiting_for {     /* frozen */
  unisono_participant_id participant;
  const char *reason;                   /* "" = still preparing */
} unisono_waiting_for;
typedef struct unisono_timing_change {
  unisono_context_event base;
  unisono_timing_status status;
  unisono_cause cause;
  unisono_participant_id originator;
  const char *item;                     /* NULL: none current */
  double      rate;                     /* WAITING: the rate it will start with */
  int64_t     item_time;
  int64_t     host_time;                /* PLAYING: anchor; else INVALID */
  int64_t     deadline;                 /* WAITING: host time when waiting ends at the latest; else INVALID */
  const unisono_waiting_for *waiting_for;
  size_t      waiting_for_count;
} unisono_timing_change;
typedef struct unisono_suspensions_change {
  unisono_context_event base;
  const char *const *reasons;
  size_t      reason_count;
} unisono_suspensions_change;

typedef struct unisono_playback_delegate {
  uint32_t size;
  uint32_t reserved;
  void (UNISONO_CALL *play)(void *user, const unisono_play_command *);
  void (UNISONO_CALL *pause)(void *user, const unisono_pause_command *);
  void (UNISONO_CALL *seek)(void *user, const unisono_seek_command *);
  void (UNISONO_CALL *buffer)(void *user, const unisono_buffer_command *);
  void (UNISONO_CALL *participants_changed)(void *user, const unisono_participants_change *);
  void (UNISONO_CALL *suspensions_changed)(void *user, const unisono_suspensions_change *);
  void (UNISONO_CALL *timing_changed)(void *user, const unisono_timing_change *);
  unisono_error_fn error;
  unisono_released_fn released;
} unisono_playback_delegate;
#define UNISONO_PLAYBACK_DELEGATE_INIT UNISONO_INIT(unisono_playback_delegate)

/* Whether a running group waits for one whose player stalls. */
typedef struct unisono_stall_policy {
  uint32_t size;
  int32_t  wait;                        /* 1: a running group waits for one that stalls */
  int64_t  debounce;                    /* ns; 0: 300 ms */
  int64_t  limit;                       /* ns; 0: 10 s; INDEFINITE is refused */
} unisono_stall_policy;
#define UNISONO_STALL_POLICY_INIT UNISONO_INIT(unisono_stall_policy)

typedef struct unisono_playback_report {    /* optional: where the host's player really is */
  uint32_t size;
  int32_t  stalled;
  double   rate;                        /* as it really runs; 0 paused */
  int64_t  item_time;                   /* position at host_time */
  int64_t  host_time;                   /* 0: no position given */
  int64_t  earliest, latest;            /* reachable positions (live, seekable range); both 0: not said */
} unisono_playback_report;
#define UNISONO_PLAYBACK_REPORT_INIT UNISONO_INIT(unisono_playback_report)

typedef struct unisono_coordinator_statistics {
  uint32_t size;  unisono_timing_status status;
  uint64_t commands_issued, commands_completed, commands_failed, commands_superseded, commands_overdue;
  uint64_t starts, starts_late;
  int64_t  last_start_wait;             /* ns from request to start */
  int64_t  last_start_error;            /* ns, reported position against expected at the last report; INVALID unknown */
} unisono_coordinator_statistics;
#define UNISONO_COORDINATOR_STATISTICS_INIT UNISONO_INIT(unisono_coordinator_statistics)

/* Makes a coordinator: the group's voice to one player. It works alone until
 * unisono_coordinator_coordinate_with_session.
 * delegate: play, pause, seek and buffer must all be set; NULL: everything goes to the event queue. Copied.
 * user: for the delegate's functions, and `base.user` of its events.
 * out: end it with unisono_coordinator_destroy.
 * Errors: UNISONO_EINVAL (a command function is missing; delegate NULL without event_queue), UNISONO_ENOMEM,
 * UNISONO_ENOTSUP.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_create(
    unisono_context *context, const unisono_playback_delegate *delegate, void *user, unisono_coordinator **out);

/* Ends a coordinator, its suspensions included; in a session this player takes part no more. The player is left as it
 * is. NULL and destroyed handles: nothing happens.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(void) unisono_coordinator_destroy(unisono_coordinator *coordinator);

/* Puts the coordinator into a session, with its item, state and suspensions: a state the group has for the item counts,
 * otherwise the coordinator's own becomes the group's.
 * session: of the same context; NULL detaches: the coordinator goes on alone from where it is.
 * Errors: UNISONO_EINVAL (another context's session), UNISONO_ESTATE (the session is invalidated), UNISONO_EBUSY (the
 * session has another coordinator).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_coordinate_with_session(
    unisono_coordinator *coordinator, unisono_session *session);

/* The player goes to another item. The group's state for it, where there is one, is applied; otherwise the proposal
 * becomes it.
 * identifier: what the group compares, byte by byte, 1...1,023 bytes; NULL: nothing plays.
 * proposal: rate 0 or -16...16, item_time, and host_time at which it holds (0: now); NULL: paused at 0.
 * Errors: UNISONO_EINVAL.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_transition_to_item(
    unisono_coordinator *coordinator, const char *identifier, const unisono_timing *proposal);

/* The current item's identifier as text; "" with length 1: none.
 * buffer, length: a buffer getter, see ENCODINGS AND UNITS; 1,024 bytes always suffice.
 * Errors: UNISONO_ETOOBIG.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_current_item(unisono_coordinator *coordinator, char *buffer, size_t *length);

/* The user plays, pauses (rate 0) or changes the speed. Play first lets everybody prepare; pause is at once.
 * rate: 0, or -16...16.
 * options: 0, or UNISONO_RATE_PLAY_IMMEDIATELY: start without waiting; the others follow as fast as they can.
 * Errors: UNISONO_EINVAL (not a number, out of range, unknown option bits), UNISONO_ESTATE (no item), UNISONO_EDENIED
 * (late too).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_coordinate_rate_change(
    unisono_coordinator *coordinator, double rate, uint32_t options);

/* The user goes to another position. While playing, everybody prepares there first.
 * item_time: ns; anything but UNISONO_TIME_INVALID and UNISONO_TIME_INDEFINITE.
 * options: 0, or UNISONO_SEEK_RESUME_IMMEDIATELY: go on there without waiting.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (no item), UNISONO_EDENIED (late too).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_coordinate_seek(
    unisono_coordinator *coordinator, int64_t item_time, uint32_t options);

/* The player has done what a command asked. Superseded, repeated and overdue ones are OK and counted.
 * command_id: `id` of the command.
 * Errors: UNISONO_ENOTFOUND (never issued by this coordinator).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_complete(unisono_coordinator *coordinator, uint64_t command_id);

/* The player cannot do what a command asked; the others see this device as suspended until the next command.
 * command_id: `id` of the command. status: why; negative.
 * Errors: UNISONO_EINVAL (status not negative), UNISONO_ENOTFOUND (never issued by this coordinator).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_fail(unisono_coordinator *coordinator, uint64_t command_id, int32_t status);

/* Commands the present state once more, as after a change of route or a player that lost its mind.
 * Errors: UNISONO_ESTATE (no item).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_reapply_current_item_state(unisono_coordinator *coordinator);

/* Where this player should be at a host time, its own output offset included. Paused or waiting: the group's position;
 * before a new anchor's host time the old line holds; while suspended it is still the group's.
 * host_time: ns, past or future. out: ns; UNISONO_TIME_INVALID on failure.
 * Errors: UNISONO_ESTATE (no item, or no timing for it).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: yes. */
UNISONO_API(int32_t) unisono_coordinator_expected_item_time(
    unisono_coordinator *coordinator, int64_t host_time, int64_t *out);

/* The newest line: position(h) = item_time + rate * (h - host_time), own output offset included.
 * out: set out->size before the call (UNISONO_TIMING_INIT).
 * Errors: UNISONO_ESTATE (status NONE).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: yes. */
UNISONO_API(int32_t) unisono_coordinator_timing(unisono_coordinator *coordinator, unisono_timing *out);

/* This player takes no part for a while: the group goes on, and commands of its user act on it alone.
 * reason: UNISONO_REASON_... or the application's own, 1...127 bytes; the others see it.
 * out: end it with unisono_suspension_end or _end_proposing, and in any case with unisono_suspension_destroy.
 * Errors: UNISONO_EINVAL, UNISONO_EFULL (64 are open), UNISONO_ENOMEM.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_begin_suspension(
    unisono_coordinator *coordinator, const char *reason, unisono_suspension **out);

/* Ends a suspension; with the last one the player rejoins where the group is. The handle stays for reads until
 * destroyed.
 * Errors: UNISONO_ESTATE (ended before).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_suspension_end(unisono_suspension *suspension);

/* Ends a suspension and asks the group to go to a position; its rate stays as it is.
 * item_time: ns; UNISONO_TIME_INVALID: as unisono_suspension_end.
 * Errors: UNISONO_EINVAL (UNISONO_TIME_INDEFINITE), UNISONO_ESTATE (ended before), UNISONO_EDENIED (late).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_suspension_end_proposing(unisono_suspension *suspension, int64_t item_time);

/* The reason as given.
 * buffer, length: a buffer getter, see ENCODINGS AND UNITS; 128 bytes always suffice.
 * Errors: UNISONO_ETOOBIG.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_suspension_reason(unisono_suspension *suspension, char *buffer, size_t *length);

/* When the suspension began, host time ns.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_suspension_begin_time(unisono_suspension *suspension, int64_t *host_time_out);

/* Ends the suspension, without proposal, if it is open, and the handle. NULL and destroyed handles: nothing happens.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(void) unisono_suspension_destroy(unisono_suspension *suspension);

/* Reasons of the open suspensions, the library's own included, oldest first.
 * owned: one block, strings included; end it with unisono_free; NULL with count 0. count: how many.
 * Errors: UNISONO_ENOMEM.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_suspension_reasons(
    unisono_coordinator *coordinator, const char *const **owned, size_t *count);

/* Starts wait for participants suspended for these reasons, up to the participant and wait limits. Replaces; none at
 * first.
 * reasons: each 1...127 bytes; may be NULL with count 0. count: 0...64.
 * Errors: UNISONO_EINVAL.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_set_waiting_reasons(
    unisono_coordinator *coordinator, const char *const *reasons, size_t count);

/* How large a session may be for a start to wait for this reason.
 * reason: 1...127 bytes. limit: participants in the session, inclusive; 0: never wait; UINT32_MAX: no limit.
 * Errors: UNISONO_EINVAL.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_set_participant_limit(
    unisono_coordinator *coordinator, const char *reason, uint32_t limit);

/* Whether a pause made here takes everybody to the exact position of this player. 0: no (the default).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_set_pause_snaps_to_originator(unisono_coordinator *coordinator, int32_t snaps);

/* How long a start that is asked for here waits at most.
 * limit: ns, 0...600 s; 0: do not wait. 10 s unless set.
 * Errors: UNISONO_EINVAL.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_set_wait_limit(unisono_coordinator *coordinator, int64_t limit);

/* Whether the running group waits when somebody's player stalls (reports stalled): everybody stands at one position, sees
 * for whom and why (timing change, cause STALL), and all go on together when it is ready, or without it after the limit.
 * A third stall of the same one within a minute stops nobody: it is suspended (stall-recovery) until it runs again.
 *
 * One setting of the whole session, not of this participant: the newest counts, whoever made it, and newcomers find it.
 * Made before the session was joined, it counts only if the session has none. Off unless set.
 * policy: copied; NULL: off. debounce: a shorter stall stops nobody, 0...60 s, 0: 300 ms. limit: 0...600 s, 0: 10 s.
 * Errors: UNISONO_EINVAL, UNISONO_ENOTSUP; refused later (error event): UNISONO_EDENIED, this participant may not command.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_set_stall_policy(
    unisono_coordinator *coordinator, const unisono_stall_policy *policy);

/* How late this device's output is heard or seen (receiver, Bluetooth): it is commanded that far ahead.
 * offset: ns, -5...5 s; positive: ahead.
 * Errors: UNISONO_EINVAL.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_set_output_offset(unisono_coordinator *coordinator, int64_t offset);

/* Where the player really is. Optional, at any pace; the others see the newest, at most ten a second.
 *
 * stalled: it should run and lacks data (see unisono_coordinator_set_stall_policy); say so again with 0 when it runs.
 * earliest, latest: what the player can reach at the moment: 0 and the duration, or the window of a live item whose item
 * times are dates of the content (ns since 1970, say). This host is never sent outside of it; when the edge of a live item
 * moves, report it: a position that was out of reach is commanded once it is within. Standing (rate 0, not stalled) at
 * the latest position, or backwards at the earliest, means that the item has ended here: once it has for everybody who
 * takes part, the group is paused there.
 * report: copied.
 * Errors: UNISONO_EINVAL (a rate that is no number, latest before earliest), UNISONO_ENOTSUP.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_report(
    unisono_coordinator *coordinator, const unisono_playback_report *report);

/* The others in the session, sorted by id.
 * owned: a snapshot; end it with unisono_free.
 * Errors: UNISONO_ENOMEM.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_other_participants(
    unisono_coordinator *coordinator, const unisono_participants **owned);

/* Whom a start is waiting for, and why ("" = still preparing).
 * owned: one block, strings included; end it with unisono_free; NULL with count 0. count: how many.
 * Errors: UNISONO_ENOMEM.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_waiting_for(
    unisono_coordinator *coordinator, const unisono_waiting_for **owned, size_t *count);

/* Counters of a coordinator.
 * out: set out->size before the call (UNISONO_COORDINATOR_STATISTICS_INIT); no more than that is written.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_coordinator_stats(unisono_coordinator *coordinator, unisono_coordinator_statistics *out);

/* ---- 7. Player ------------------------------------------------------------------------------------- */
typedef enum UNISONO_OPEN unisono_time_control_status UNISONO_INT32 {
  UNISONO_TIME_CONTROL_PAUSED = 0, UNISONO_TIME_CONTROL_WAITING = 1, UNISONO_TIME_CONTROL_PLAYING = 2
} unisono_time_control_status;
typedef enum UNISONO_OPEN unisono_waiting_reason UNISONO_INT32 {
  UNISONO_WAITING_NONE = 0, UNISONO_WAITING_TO_MINIMIZE_STALLS = 1, UNISONO_WAITING_EVALUATING_BUFFERING_RATE = 2,
  UNISONO_WAITING_NO_ITEM = 3, UNISONO_WAITING_COORDINATED_PLAYBACK = 4, UNISONO_WAITING_INTERSTITIAL = 5
} unisono_waiting_reason;
typedef enum UNISONO_OPEN unisono_item_status UNISONO_INT32 {
  UNISONO_ITEM_UNKNOWN = 0, UNISONO_ITEM_READY = 1, UNISONO_ITEM_FAILED = 2
} unisono_item_status;
/* BACKGROUNDED: the renderer stopped by itself while nothing of the player was shown (unisono_surface_end). LIVE_EDGE: a
 * live item played fast came to its edge, and everybody goes on at the usual rate. */
typedef enum UNISONO_OPEN unisono_rate_reason UNISONO_INT32 {
  UNISONO_RATE_REASON_SET_RATE_CALLED = 0, UNISONO_RATE_REASON_SET_RATE_FAILED = 1, UNISONO_RATE_REASON_INTERRUPTED = 2,
  UNISONO_RATE_REASON_BACKGROUNDED = 3, UNISONO_RATE_REASON_PARTICIPANT = 4, UNISONO_RATE_REASON_LIVE_EDGE = 5,
  UNISONO_RATE_REASON_ITEM_ENDED = 6
} unisono_rate_reason;
typedef struct unisono_player_item {
  uint32_t    size;
  int32_t     is_live;                  /* item time is the date of the content */
  const char *identifier;               /* 1...1023 bytes; what the group compares */
  const char *uri;                      /* for the renderer alone, never sent; <= 8191 bytes; NULL: the identifier */
  int64_t     start_time;               /* proposed position, ns; 0 = the beginning */
  int64_t     duration;                 /* ns; 0 unknown */
} unisono_player_item;
#define UNISONO_PLAYER_ITEM_INIT UNISONO_INIT(unisono_player_item)

#define UNISONO_RENDERER_EXACT_START 1u /* play() keeps host_time within 1 ms: no correction after a start */
#define UNISONO_RENDERER_REVERSE     2u /* negative rates */
#define UNISONO_RENDERER_NUDGES      4u /* nudge() changes the speed without a gap */
typedef struct unisono_renderer_command {
  unisono_context_event base;           /* .source is the player */
  uint64_t    request;                  /* echo it in the report that answers */
  const char *item;                     /* identifier */
  const char *uri;
  double      rate;                     /* cue, play; nudge: factor on top, 0.9...1.1 */
  int64_t     item_time;                /* cue, play, seek */
  int64_t     host_time;                /* play */
  int64_t     tolerance_before, tolerance_after;  /* seek, ns; INDEFINITE: any */
  double      volume;                   /* 0...1, ducking applied */
  int32_t     width, height;            /* pixels */
} unisono_renderer_command;
typedef enum UNISONO_OPEN unisono_renderer_state UNISONO_INT32 {
  UNISONO_RENDERER_POSITION = 0,        /* a position, nothing else */
  UNISONO_RENDERER_READY = 1,           /* load or cue done */
  UNISONO_RENDERER_SEEKED = 2, UNISONO_RENDERER_PLAYING = 3, UNISONO_RENDERER_PAUSED = 4,
  UNISONO_RENDERER_STALLED = 5, UNISONO_RENDERER_RECOVERED = 6, UNISONO_RENDERER_ENDED = 7, UNISONO_RENDERER_FAILED = 8
} unisono_renderer_state;
typedef struct unisono_renderer_report {
  uint32_t    size;
  unisono_renderer_state state;
  uint64_t    request;                  /* the command this answers; 0: spontaneous */
  int64_t     item_time, host_time;     /* position; host_time 0: not said */
  int64_t     duration;                 /* ns; 0 not said; INDEFINITE live */
  int64_t     seekable_start, seekable_end;   /* both 0: not said */
  int32_t     status;                   /* FAILED: an error code */
  uint32_t    reserved;
  const char *message;                  /* FAILED: for people */
} unisono_renderer_report;
#define UNISONO_RENDERER_REPORT_INIT UNISONO_INIT(unisono_renderer_report)

/* What draws and sounds. Its functions begin what they are told and return at once; unisono_player_report says when that
 * is done, with the command's `request`. A newer command replaces what is under way.
 *   load   gets uri ready at item_time, standing: READY, or FAILED. Of the one before nothing is heard any more.
 *   cue    stops, goes to item_time and fills its buffers for rate, so that play begins at once: READY. NULL: pause and
 *          seek do instead.
 *   play   begins at rate from where it stands: PLAYING. The call comes early by the start latency that was learnt, so
 *          begin at once; with UNISONO_RENDERER_EXACT_START it comes early and item_time holds at host_time. While it
 *          plays: another rate.
 *   pause  stops where it is: PAUSED.
 *   seek   goes to item_time, and plays on from there if it played: SEEKED.
 *   nudge  changes the speed by the factor rate, on top of what it plays at; 1 ends it. No answer. NULL: no nudges.
 *   stop   nothing plays any more, what was loaded can go. No answer.
 * By itself it says STALLED and RECOVERED, PAUSED and PLAYING, ENDED, FAILED with request 0. Such noise is never taken
 * for a person's wish: it moves nobody else. */
typedef struct unisono_renderer {
  uint32_t size;
  uint32_t capabilities;                /* UNISONO_RENDERER_... */
  double   nudge_limit;                 /* 0: 0.02; at most 0.1 */
  int64_t  dead_band;                   /* ns; 0: 5 ms */
  void (UNISONO_CALL *load)(void *user, const unisono_renderer_command *);
  void (UNISONO_CALL *cue)(void *user, const unisono_renderer_command *);
  void (UNISONO_CALL *play)(void *user, const unisono_renderer_command *);
  void (UNISONO_CALL *pause)(void *user, const unisono_renderer_command *);
  void (UNISONO_CALL *seek)(void *user, const unisono_renderer_command *);
  void (UNISONO_CALL *nudge)(void *user, const unisono_renderer_command *);
  void (UNISONO_CALL *set_volume)(void *user, const unisono_renderer_command *);
  /* Where it is, and when that held: UNISONO_OK, or anything else for "not known". NULL: the host reports POSITION. */
  int32_t (UNISONO_CALL *now)(void *user, int64_t *item_time, int64_t *host_time);
  void (UNISONO_CALL *set_render_size)(void *user, const unisono_renderer_command *);
  void (UNISONO_CALL *stop)(void *user, const unisono_renderer_command *);
  unisono_released_fn released;
} unisono_renderer;
#define UNISONO_RENDERER_INIT UNISONO_INIT(unisono_renderer)

typedef struct unisono_player_event {
  unisono_context_event base;           /* .source is the player */
  unisono_time_control_status time_control;
  unisono_waiting_reason waiting_reason;
  unisono_item_status item_status;
  unisono_rate_reason rate_reason;      /* RATE */
  unisono_participant_id originator;    /* zero: local */
  const char *item;                     /* NULL none */
  double      rate;
  int64_t     item_time, host_time;
  uint64_t    request;                  /* SEEK_DONE */
  int32_t     status;                   /* SEEK_DONE: OK or ECANCELED by a newer; ITEM_STATUS: why failed */
  uint32_t    reserved;
} unisono_player_event;
typedef struct unisono_player_callbacks {
  uint32_t size;
  uint32_t reserved;
  void (UNISONO_CALL *time_control)(void *user, const unisono_player_event *);
  void (UNISONO_CALL *rate_changed)(void *user, const unisono_player_event *);
  void (UNISONO_CALL *time_jumped)(void *user, const unisono_player_event *);
  void (UNISONO_CALL *item_status)(void *user, const unisono_player_event *);
  void (UNISONO_CALL *item_ended)(void *user, const unisono_player_event *);
  void (UNISONO_CALL *seek_done)(void *user, const unisono_player_event *);
  unisono_error_fn error;
  unisono_released_fn released;
} unisono_player_callbacks;
#define UNISONO_PLAYER_CALLBACKS_INIT UNISONO_INIT(unisono_player_callbacks)

typedef struct unisono_player_statistics {
  uint32_t size;  uint32_t reserved;
  int64_t  skew_last, skew_median, skew_p95, skew_maximum;  /* ns; positive: ahead of the group */
  uint64_t nudges, seeks, stalls;
  int64_t  learnt_start_latency, learnt_seek_cost;          /* ns */
} unisono_player_statistics;
#define UNISONO_PLAYER_STATISTICS_INIT UNISONO_INIT(unisono_player_statistics)

/* A player over the host's renderer: it asks the group before it plays, follows the group's commands, keeps in step
 * by small changes of speed and, where those cannot help, by seeks. It has a coordinator of its own: see
 * unisono_player_coordinator.
 * renderer: copied. load, play, pause, seek and stop must be there, or, with event_queue, all may be NULL: then every
 * command is a RENDERER_... event. NULL with event_queue: a renderer without capabilities, all of it in events.
 * user: for the renderer's functions. out: end it with unisono_player_destroy.
 * Errors: UNISONO_EINVAL (a function is missing, unknown capabilities, nudge_limit outside 0...0.1, a negative
 * dead_band), UNISONO_ENOMEM, UNISONO_ENOTSUP.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_create(
    unisono_context *context, const unisono_renderer *renderer, void *user, unisono_player **out);

/* Gives the player up: the handle is closed at once, but for unisono_player_report while a surface of the player lives.
 * Then, or when the last surface is destroyed, the renderer is stopped, an open seek is answered, and `released` comes
 * (in the event queue RELEASED, for all of them).
 * NULL and destroyed handles: nothing happens.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(void) unisono_player_destroy(unisono_player *player);

/* Who hears of the player; the present state (item status, rate, time control) is delivered first.
 * callbacks: copied; NULL: nobody any more. user: for them; the ones before get their `released`.
 * Errors: UNISONO_EINVAL, UNISONO_ENOTSUP.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_set_callbacks(
    unisono_player *player, const unisono_player_callbacks *callbacks, void *user);

/* The player's coordinator: for unisono_coordinator_coordinate_with_session, settings, suspensions, reading. Its
 * timing, participants and suspensions come as events where there is an event queue. Transport goes through the
 * player, not through it.
 * borrowed: lives as long as the player; unisono_coordinator_destroy on it does nothing, with a log line.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_coordinator(unisono_player *player, unisono_coordinator **borrowed);

/* Puts an item into the queue. The first one becomes current and is loaded; the others disturb nobody before their
 * turn.
 * item: copied. after: identifier of an item in the queue; NULL: at the end.
 * Errors: UNISONO_EINVAL (no identifier, negative times), UNISONO_ENOTFOUND (after is not in the queue; late while
 * changes are pending), UNISONO_EFULL (1,024 items), UNISONO_ENOTSUP.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_insert_item(
    unisono_player *player, const unisono_player_item *item, const char *after);

/* Takes an item out of the queue; of the current one it goes on to the next.
 * identifier: 1...1,023 bytes.
 * Errors: UNISONO_ENOTFOUND (late while changes are pending: then nothing happens).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_remove_item(unisono_player *player, const char *identifier);

/* Goes on to the next item, playing where this one played once nobody has said otherwise; without a next one nothing
 * plays. Others stay where they are: everybody advances for itself, as players do at the end of an item by
 * themselves.
 * Errors: UNISONO_ESTATE (there is no current item).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_advance(unisono_player *player);

/* Makes an item the current one; the queue behind it stays. The group's state of that item counts; where it has none
 * it is paused at start_time.
 * item: copied; NULL: nothing plays.
 * Errors: UNISONO_EINVAL, UNISONO_ENOTSUP.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_replace_current_item(unisono_player *player, const unisono_player_item *item);

/* Asks the group to play at the default rate. Everybody prepares, then all start together.
 * Errors: UNISONO_ESTATE (no current item; late: an interstitial plays), UNISONO_EDENIED (late).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_play(unisono_player *player);

/* Asks the group to pause, at once.
 * Errors: UNISONO_ESTATE (no current item), UNISONO_EDENIED (late).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_pause(unisono_player *player);

/* Asks the group for a rate; from a pause that is a play at this rate, 0 is a pause.
 * rate: -16...16; one that this renderer cannot play keeps this player apart, with the reason coordinated-playback-
 * not-possible, until the next command.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE, UNISONO_EDENIED (late).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_set_rate(unisono_player *player, double rate);

/* Asks the group to play now, waiting for nobody; the others follow as fast as they can.
 * rate: -16...16, not 0.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE, UNISONO_EDENIED (late).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_play_immediately(unisono_player *player, double rate);

/* The rate of unisono_player_play and of surfaces; 1 unless set. What plays is not changed.
 * rate: -16...16, not 0.
 * Errors: UNISONO_EINVAL.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_set_default_rate(unisono_player *player, double rate);

/* Asks the group to seek. Answered by one SEEK_DONE: UNISONO_OK when this player stands or plays there,
 * UNISONO_ECANCELED when a newer seek (of this player or of somebody else), another item or the end of the player
 * came first.
 * item_time: ns; held inside the item. tolerance_before, tolerance_after: ns, >= 0, how far off this renderer may
 * land where that is faster; UNISONO_TIME_INDEFINITE: any; they count while paused, for a common start everybody is
 * exact.
 * request: its number in SEEK_DONE, never 0; set before the answer can come; may be NULL.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE, UNISONO_EDENIED (in SEEK_DONE).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_seek(
    unisono_player *player, int64_t item_time, int64_t tolerance_before, int64_t tolerance_after, uint64_t *request);

/* A person takes hold of the slider: this player stands, apart from the group (user-is-changing-current-time).
 * Errors: UNISONO_ESTATE (no current item; late: scrubbing already).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_scrub_begin(unisono_player *player);

/* The slider moves: this player alone shows that position, one seek at a time, the newest always.
 * item_time: ns; held inside the item.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (late: scrubbing has not begun).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_scrub_to(unisono_player *player, int64_t item_time);

/* The slider is released.
 * commit: 1: the group goes where it was left; 0: back to where the group is.
 * Errors: UNISONO_ESTATE (late: scrubbing has not begun).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_scrub_end(unisono_player *player, int32_t commit);

/* "What did they say": this player alone goes back, plays faster, and falls in with the group again by itself.
 * back: ns, > 0. rate: how fast, 0: 2; at least a quarter faster than the group plays.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item; late: not loaded, or apart already).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_replay(unisono_player *player, int64_t back, double rate);

/* Whether it plays: a unisono_time_control_status.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_time_control_status(unisono_player *player);

/* Why it waits: a unisono_waiting_reason; UNISONO_WAITING_NONE while it does not.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_reason_for_waiting(unisono_player *player);

/* Whether the current item can be played: a unisono_item_status.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_item_status(unisono_player *player);

/* Where the player was last known to be; never asks the renderer.
 * item_time, host_time: position and when it held; UNISONO_TIME_INVALID on failure.
 * Errors: UNISONO_ESTATE (nothing is loaded).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_current_time(unisono_player *player, int64_t *item_time, int64_t *host_time);

/* Another sound has taken over (a call): this player stands, apart from the group (audio-session-interrupted).
 * Errors: UNISONO_ESTATE (late: one is open).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_interruption_begin(unisono_player *player);

/* The interruption is over.
 * should_resume: 1: this player joins the group again; 0: it stays apart until unisono_player_play.
 * Errors: UNISONO_ESTATE (late: none is open).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_interruption_end(unisono_player *player, int32_t should_resume);

/* Something else plays on another renderer (an advertisement): the main item stands (playing-interstitial), its
 * timeline is untouched.
 * Errors: UNISONO_ESTATE (late: one is open).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_begin_interstitial(unisono_player *player);

/* The interstitial is over: this player joins the group where that is now.
 * Errors: UNISONO_ESTATE (late: none is open).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_end_interstitial(unisono_player *player);

/* The person's own volume. The renderer gets it times what ducking leaves.
 * volume: 0...1; 1 unless set.
 * Errors: UNISONO_EINVAL.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_set_volume(unisono_player *player, double volume);

/* What the renderer has to say: answers to its commands, with their `request`, and what happens by itself. Where it
 * tells positions itself (now is NULL), ten POSITIONs a second while it plays. Answers to an older load are ignored.
 * report: copied.
 * Errors: UNISONO_EINVAL (an unknown state, seekable_end before seekable_start), UNISONO_ENOTSUP.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_report(unisono_player *player, const unisono_renderer_report *report);

/* How far the player was from the group, and what was done about it.
 * out: set out->size before the call (UNISONO_PLAYER_STATISTICS_INIT); no more than that is written. Skews are
 * UNISONO_TIME_INVALID before the first measurement.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_player_stats(unisono_player *player, unisono_player_statistics *out);

typedef enum UNISONO_OPEN unisono_surface_kind UNISONO_INT32 {
  UNISONO_SURFACE_INLINE = 0, UNISONO_SURFACE_PICTURE_IN_PICTURE = 1, UNISONO_SURFACE_FULL_SCREEN = 2,
  UNISONO_SURFACE_REMOTE = 3
} unisono_surface_kind;
typedef struct unisono_surface_event {
  unisono_context_event base;           /* .source is the surface */
  uint64_t    request;                  /* SKIPPED: of skip_by; RESTORE: answer with restore_done */
  int32_t     is_paused;
  int32_t     status;                   /* SKIPPED */
  int64_t     start, duration;          /* time range; duration INDEFINITE live; start INVALID nothing to play */
  int64_t     item_time, host_time;
} unisono_surface_event;
typedef struct unisono_surface_callbacks {
  uint32_t size;
  uint32_t reserved;
  void (UNISONO_CALL *changed)(void *user, const unisono_surface_event *);
  void (UNISONO_CALL *skipped)(void *user, const unisono_surface_event *);
  void (UNISONO_CALL *will_begin)(void *user, const unisono_surface_event *);
  void (UNISONO_CALL *will_end)(void *user, const unisono_surface_event *);
  void (UNISONO_CALL *restore_user_interface)(void *user, const unisono_surface_event *);
  unisono_released_fn released;
} unisono_surface_callbacks;
#define UNISONO_SURFACE_CALLBACKS_INIT UNISONO_INIT(unisono_surface_callbacks)

/* A place where the player is shown and controlled: several may share one player, which lives while any of them does.
 * The present state is delivered first (SURFACE_CHANGED).
 * callbacks: copied; NULL: events, where there is a queue. user: for them. out: end it with unisono_surface_destroy.
 * Errors: UNISONO_EINVAL (unknown kind), UNISONO_ENOMEM, UNISONO_ENOTSUP.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_surface_create(
    unisono_player *player, unisono_surface_kind kind, const unisono_surface_callbacks *callbacks, void *user,
    unisono_surface **out);

/* Ends a surface; an open skip is not answered any more. NULL and destroyed handles: nothing happens.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(void) unisono_surface_destroy(unisono_surface *surface);

/* The surface is about to be shown (picture in picture or full screen begins): WILL_BEGIN comes.
 * Errors: UNISONO_ESTATE (it is shown already).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_surface_begin(unisono_surface *surface);

/* The surface is about to go. Picture in picture and full screen first get RESTORE, to bring the window back:
 * WILL_END comes after unisono_surface_restore_done, or after 2 s; its status is UNISONO_OK when the window was
 * restored, else UNISONO_ECANCELED (restored = 0) or UNISONO_ETIMEDOUT. For others WILL_END comes at once.
 * A player whose inline surface has begun once is out of sight while none of its surfaces is shown. If its renderer
 * then stops by itself (PAUSED, request 0) that is no stall: the rate changes to 0 with the reason BACKGROUNDED, and this
 * player stands apart (user-action-required) until a surface begins, the renderer runs again, or its person plays.
 * Errors: UNISONO_ESTATE (it is not shown).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_surface_end(unisono_surface *surface);

/* The button of the surface: 1 plays at the default rate, 0 pauses, for the group.
 * Errors: UNISONO_ESTATE (no current item), UNISONO_EDENIED (late, at the player).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_surface_set_playing(unisono_surface *surface, int32_t playing);

/* The skip button: seeks by so much, for the group. Answered by one SKIPPED.
 * interval: ns, signed. request: its number in SKIPPED; may be NULL.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_surface_skip_by(unisono_surface *surface, int64_t interval, uint64_t *request);

/* What a progress bar shows.
 * start: UNISONO_TIME_INVALID: nothing to play. duration: ns; UNISONO_TIME_INDEFINITE: live; 0: not known yet.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_surface_time_range(unisono_surface *surface, int64_t *start, int64_t *duration);

/* Whether the button shows "play": 1 paused, 0 playing or waiting to.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_surface_is_paused(unisono_surface *surface);

/* The surface has another size; the renderer is told the newest of any surface.
 * width, height: pixels, 0...65,535.
 * Errors: UNISONO_EINVAL.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_surface_did_transition_to_render_size(
    unisono_surface *surface, int32_t width, int32_t height);

/* Answers RESTORE.
 * request: of that event. restored: 1: the window is back, 0: it could not be restored.
 * Errors: UNISONO_ESTATE (that request is not open; it may have timed out).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_surface_restore_done(unisono_surface *surface, uint64_t request, int32_t restored);

/* ---- 8. Hub ----------------------------------------------------------------------------- */
typedef struct unisono_hub_statistics {
  uint32_t size;  uint32_t reserved;
  uint64_t rooms, connections, frames_in, frames_out, bytes_in, bytes_out, refused, closed_slow, probes;
} unisono_hub_statistics;
#define UNISONO_HUB_STATISTICS_INIT UNISONO_INIT(unisono_hub_statistics)

/* Starts a hub: it passes sealed messages on and can read none of them. Bound before this function returns. On an own-
 * thread context this waits for the loop to turn: hold no lock that a callback wants.
 * options: NULL: every interface, a free port. Copied.
 * out: end it with unisono_hub_destroy.
 * Errors: UNISONO_EINVAL (a limit exceeded), UNISONO_ENETWORK (an address is in use or cannot be parsed),
 * UNISONO_ENOMEM, UNISONO_ENOTSUP.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_hub_create(
    unisono_context *context, const unisono_hub_options *options, unisono_hub **out);

/* Stops a hub; the sessions on it look for another. NULL and destroyed handles: nothing happens.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(void) unisono_hub_destroy(unisono_hub *hub);

/* An address others can reach the hub at, "host:port".
 * index: 0 and up until UNISONO_ENOTFOUND. buffer, length: a buffer getter, see ENCODINGS AND UNITS.
 * Errors: UNISONO_ENOTFOUND, UNISONO_ETOOBIG.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_hub_address(unisono_hub *hub, size_t index, char *buffer, size_t *length);

/* Counters of a hub.
 * out: set out->size before the call (UNISONO_HUB_STATISTICS_INIT); no more than that is written.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_hub_stats(unisono_hub *hub, unisono_hub_statistics *out);

/* ---- 9. Nearby ------------------------------------------------------------------------------------- */
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

/* Says on the local network that this device is here, and takes asks. Bound before this function returns. On an own-
 * thread context this waits for the loop to turn: hold no lock that a callback wants.
 * A machine without a network that takes multicast is told by an ERROR event (UNISONO_ENETWORK, "unisono_advertiser_
 * create"); interfaces may come and go. Other devices can still type one of unisono_advertiser_address.
 * session: others may ask to join it; it stops advertising when the session is over. NULL: others may ask this device to
 * come into theirs. service: copied. callbacks: copied; NULL, or a NULL function: the event queue. user: for callbacks.
 * out: end it with unisono_advertiser_destroy; it says goodbye.
 * Errors: UNISONO_EINVAL (the service is not declared right; a session of another context; no callbacks and no event
 * queue), UNISONO_ESTATE (the session is invalidated), UNISONO_ENETWORK (no port to listen on), UNISONO_ENOMEM,
 * UNISONO_ENOTSUP.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_advertiser_create(
    unisono_context *context, unisono_session *session, const unisono_service *service,
    const unisono_advertiser_callbacks *callbacks, void *user, unisono_advertiser **out);

/* Says goodbye; open asks end, and their request handles with them. NULL and destroyed handles: nothing happens.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(void) unisono_advertiser_destroy(unisono_advertiser *advertiser);

/* An address that takes asks, "host:port", for people to type where devices do not find each other.
 * index: 0 and up until UNISONO_ENOTFOUND. buffer, length: a buffer getter, see ENCODINGS AND UNITS.
 * Errors: UNISONO_ENOTFOUND, UNISONO_ETOOBIG.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_advertiser_address(
    unisono_advertiser *advertiser, size_t index, char *buffer, size_t *length);

/* Yes. UNISONO_INTENT_JOIN: the session's invite leaves, sealed. UNISONO_INTENT_INVITE: the other person still has to say
 * that the digits are the same; then INVITE comes, or JOIN_WITHDRAWN.
 * request: from JOIN_REQUESTED; once, and until JOIN_WITHDRAWN, afterwards it is UNISONO_ECLOSED. Never destroyed by you.
 * Errors: UNISONO_ESTATE (the session is invalidated; the request stays open).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_join_request_accept(unisono_join_request *request);

/* No. The asker is told nothing and sees a time-out.
 * request: as for unisono_join_request_accept.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_join_request_deny(unisono_join_request *request);

/* Looks for devices that advertise a service: FOUND within 1.5 s, LOST within 5 s of their vanishing, at once after a
 * goodbye. Advertisers of this context are left out. Without a network ERROR comes as for unisono_advertiser_create.
 * service, callbacks, user: as for unisono_advertiser_create. out: end it with unisono_browser_destroy.
 * Errors: UNISONO_EINVAL, UNISONO_ENOMEM, UNISONO_ENOTSUP.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_browser_create(
    unisono_context *context, const unisono_service *service, const unisono_browser_callbacks *callbacks, void *user,
    unisono_browser **out);

/* Stops looking; what was being asked is cancelled. NULL and destroyed handles: nothing happens.
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(void) unisono_browser_destroy(unisono_browser *browser);

/* Knows a device by an address that somebody typed; FOUND comes, and from there on it goes the same way. Never lost.
 * address: "host:port", <= 262 bytes. device: its number, the same when the address is given again.
 * Errors: UNISONO_EINVAL (no host:port), UNISONO_EFULL (64 addresses).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_browser_add_address(unisono_browser *browser, const char *address, uint64_t *device);

/* Asks a device to let this one join its session. DIGITS comes when both screens show them; answer with unisono_browser_
 * confirm. Then INVITE (give it to unisono_session_open) or FAILED: UNISONO_ETIMEDOUT (nobody answered, or no),
 * UNISONO_EBUSY (it takes no more asks now, or has no session), UNISONO_ENETWORK (not reached, or gone),
 * UNISONO_ECANCELED, UNISONO_EPROTOCOL, UNISONO_EAUTH (tampered with), UNISONO_ENOTFOUND (lost meanwhile).
 * device: from FOUND. Any number of devices may be asked at a time.
 * Errors: UNISONO_ENOTFOUND (no such device), UNISONO_EBUSY (it is being asked).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_browser_connect(unisono_browser *browser, uint64_t device);

/* Asks a device to come into this device's session. As unisono_browser_connect, but that INVITE says that the session's
 * invite was handed over.
 * session: of the same context.
 * Errors: UNISONO_ENOTFOUND, UNISONO_EBUSY, UNISONO_EINVAL (a session of another context), UNISONO_ESTATE (the session is
 * invalidated).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_browser_invite(unisono_browser *browser, uint64_t device, unisono_session *session);

/* The person's word. May come before or after the other side's.
 * device: one that is being asked. digits_match: 1: they are the same on both screens, let the invite pass. 0: they are
 * not, or never mind: the ask is cancelled, at any time of it.
 * Errors: UNISONO_ENOTFOUND (nothing is being asked of it).
 * Thread-safe: yes. Callback-safe: yes. Realtime-safe: no. */
UNISONO_API(int32_t) unisono_browser_confirm(unisono_browser *browser, uint64_t device, int32_t digits_match);

#if defined(__cplusplus)
}
#endif
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#endif /* UNISONO_H */
