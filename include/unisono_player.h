/* unisono_player.h: the player layer of Unisono: give it a renderer, and it keeps it in step with the group.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Includes unisono.h, whose essay says which layer is for whom; its rules of threads, lifetimes, errors, units and marks
 * (UNISONO_RT ...) hold here.
 *
 *     unisono_player *player;  unisono_coordinator *coordinator;
 *     unisono_player_create(context, &renderer, my_player, &callbacks, my_window, &player);
 *     unisono_player_coordinator(player, &coordinator);
 *     unisono_coordinator_coordinate_with_session(coordinator, session);
 *     unisono_player_insert_item(player, &item, NULL);
 *     unisono_player_play(player, 0);            (what the button does: everybody prepares, all start together)
 */
#ifndef UNISONO_PLAYER_H
#define UNISONO_PLAYER_H

#include "unisono.h"

UNISONO_BEGIN_DECLARATIONS

typedef struct unisono_player unisono_player;
typedef struct unisono_surface unisono_surface;

/* ---- 1. Player ------------------------------------------------------------------------------------- */
typedef enum UNISONO_OPEN unisono_time_control UNISONO_INT32 {
  UNISONO_TIME_CONTROL_PAUSED = 0, UNISONO_TIME_CONTROL_WAITING = 1, UNISONO_TIME_CONTROL_PLAYING = 2
} unisono_time_control;
typedef enum UNISONO_OPEN unisono_waiting_reason UNISONO_INT32 {
  UNISONO_WAITING_NONE = 0, UNISONO_WAITING_TO_MINIMIZE_STALLS = 1, UNISONO_WAITING_EVALUATING_BUFFERING_RATE = 2,
  UNISONO_WAITING_NO_ITEM = 3, UNISONO_WAITING_COORDINATED_PLAYBACK = 4, UNISONO_WAITING_INTERSTITIAL = 5
} unisono_waiting_reason;
typedef enum UNISONO_OPEN unisono_item_state UNISONO_INT32 {
  UNISONO_ITEM_UNKNOWN = 0, UNISONO_ITEM_READY = 1, UNISONO_ITEM_FAILED = 2
} unisono_item_state;
/* SET_RATE_FAILED: the group's rate cannot be played here, or the policy did not allow it. BACKGROUNDED: the renderer
 * stopped by itself while nothing of the player was shown (unisono_surface_end). LIVE_EDGE: a live item played fast came
 * to its edge, and everybody goes on at the usual rate. */
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
  int64_t     duration;                 /* ns; 0 or UNISONO_TIME_INVALID: unknown */
} unisono_player_item;
#define UNISONO_PLAYER_ITEM_INIT UNISONO_INIT(unisono_player_item)

#define UNISONO_RATE_AS_DEFAULT 2u      /* unisono_player_set_rate. @since 0.2 */

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
  int64_t     item_time, host_time;     /* UNISONO_HAS_POSITION: where it was at host_time */
  int64_t     duration;                 /* ns; 0 or UNISONO_TIME_INVALID: not said; INDEFINITE: live */
  int64_t     seekable_start, seekable_end;   /* UNISONO_HAS_RANGE */
  int32_t     status;                   /* FAILED: an error code */
  uint32_t    flags;                    /* which of these are set; was `reserved` in 0.1. @since 0.2 */
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
 * FAILED answers what it cannot do: it is told to pause then, and this player is apart until the next command.
 * By itself it says STALLED and RECOVERED, PAUSED and PLAYING, ENDED, FAILED with request 0. Such noise is never taken
 * for a person's wish: it moves nobody else. One that plays and whose positions stand still for 2.5 s stalls, said or
 * not. What a start takes it is learnt from the positions that follow PLAYING, and the group leaves room for it. */
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
  unisono_time_control time_control;
  unisono_waiting_reason waiting_reason;
  unisono_item_state item_state;
  unisono_rate_reason rate_reason;      /* RATE */
  unisono_participant_id originator;    /* zero: local */
  const char *item;                     /* NULL none */
  double      rate;
  int64_t     item_time, host_time;
  uint64_t    request;                  /* SEEK_DONE */
  int32_t     status;                   /* SEEK_DONE: OK or ECANCELED by a newer; ITEM_STATE: why failed */
  uint32_t    reserved;
} unisono_player_event;
typedef struct unisono_player_callbacks {
  uint32_t size;
  uint32_t reserved;
  void (UNISONO_CALL *time_control)(void *user, const unisono_player_event *);
  void (UNISONO_CALL *rate_changed)(void *user, const unisono_player_event *);
  void (UNISONO_CALL *time_jumped)(void *user, const unisono_player_event *);
  void (UNISONO_CALL *item_state)(void *user, const unisono_player_event *);
  void (UNISONO_CALL *item_ended)(void *user, const unisono_player_event *);
  void (UNISONO_CALL *seek_done)(void *user, const unisono_player_event *);
  unisono_error_fn error;
  unisono_released_fn released;
  void (UNISONO_CALL *listening_changed)(void *user, const unisono_listening_event *); /* of its coordinator. @since 0.2 */
  void (UNISONO_CALL *invited)(void *user, const unisono_invite_event *); /* its coordinator, by who it listens to. @since 0.2 */
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
 * renderer_user: for the renderer's functions, and `base.user` of its events.
 * callbacks: who hears of the player, first of its present state (item state, rate, time control); copied. NULL: the
 * event queue, or read with the getters. user: for them, and `base.user` of their events.
 * out: end it with unisono_player_destroy.
 * Errors: UNISONO_EINVAL (a function is missing, unknown capabilities, nudge_limit outside 0...0.1, a negative
 * dead_band), UNISONO_ENOMEM, UNISONO_ENOTSUP. */
UNISONO_API(int32_t) unisono_player_create(
    unisono_context *context, const unisono_renderer *renderer, void *renderer_user,
    const unisono_player_callbacks *callbacks, void *user, unisono_player **out);

/* Gives the player up: the handle is closed at once, but for unisono_player_report while a surface of the player lives.
 * Then, or when the last surface is destroyed, the renderer is stopped, an open seek is answered, and `released` comes
 * (in the event queue RELEASED, for all of them).
 * NULL and destroyed handles: nothing happens. */
UNISONO_WAITS UNISONO_API(void) unisono_player_destroy(unisono_player *player);

/* The player's coordinator: for unisono_coordinator_coordinate_with_session, unisono_coordinator_listen, settings, suspensions,
 * reading, unisono_coordinator_undo_jump, _set_ready and _start_without. Its timing, participants and suspensions come as events
 * where there is an event queue; COORDINATOR_LISTENING comes to `listening_changed` of the player's callbacks, COORDINATOR_INVITED to
 * `invited`, else to the event queue, too. Transport goes through the player, not through it.
 * borrowed: lives as long as the player; unisono_coordinator_destroy on it does nothing, with a log line. */
UNISONO_API(int32_t) unisono_player_coordinator(unisono_player *player, unisono_coordinator **borrowed);

/* Puts an item into the queue. The first one becomes current and is loaded; the others disturb nobody before their
 * turn.
 * item: copied. after: identifier of an item in the queue; NULL: at the end.
 * Errors: UNISONO_EINVAL (no identifier, negative times), UNISONO_ENOTFOUND (after is not in the queue; late while
 * changes are pending), UNISONO_EFULL (1,024 items), UNISONO_ENOTSUP. */
UNISONO_API(int32_t) unisono_player_insert_item(
    unisono_player *player, const unisono_player_item *item, const char *after);

/* Takes an item out of the queue; of the current one it goes on to the next.
 * identifier: 1...1,023 bytes.
 * Errors: UNISONO_ENOTFOUND (late while changes are pending: then nothing happens). */
UNISONO_API(int32_t) unisono_player_remove_item(unisono_player *player, const char *identifier);

/* Goes on to the next item, playing where this one played once nobody has said otherwise; without a next one nothing
 * plays. Others stay where they are: everybody advances for itself, as players do at the end of an item by
 * themselves, unless the session has another action there (unisono_coordinator_set_action_at_end).
 * Errors: UNISONO_ESTATE (there is no current item). */
UNISONO_API(int32_t) unisono_player_advance(unisono_player *player);

/* Makes an item the current one; the queue behind it stays. The group's state of that item counts; where it has none
 * it is paused at start_time.
 * item: copied; NULL: nothing plays.
 * Errors: UNISONO_EINVAL, UNISONO_ENOTSUP. */
UNISONO_API(int32_t) unisono_player_replace_current_item(unisono_player *player, const unisono_player_item *item);

/* Asks the group to play at the default rate. Everybody prepares, then all start together.
 * options: 0, or UNISONO_RATE_PLAY_IMMEDIATELY: start without waiting; the others follow as fast as they can.
 * Errors: UNISONO_EINVAL (unknown option bits), UNISONO_ESTATE (no current item; late: an interstitial plays),
 * UNISONO_EDENIED (late). */
UNISONO_API(int32_t) unisono_player_play(unisono_player *player, uint32_t options);

/* Asks the group to pause, at once.
 * Errors: UNISONO_ESTATE (no current item), UNISONO_EDENIED (late). */
UNISONO_API(int32_t) unisono_player_pause(unisono_player *player);

/* Asks the group for a rate; from a pause that is a play at this rate, 0 is a pause.
 * rate: -16...16; one that this renderer cannot play or fails to play keeps this player apart, paused, with the reason
 * coordinated-playback-not-possible and a RATE event of 0 (SET_RATE_FAILED), until the next command.
 * options: 0; UNISONO_RATE_PLAY_IMMEDIATELY: without waiting, as in unisono_player_play; UNISONO_RATE_AS_DEFAULT: asks
 * nobody and changes nothing that plays: this is the rate of unisono_player_play and of surfaces from now on (1 unless
 * set; not 0). Not both.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item; not with UNISONO_RATE_AS_DEFAULT), UNISONO_EDENIED (late). */
UNISONO_API(int32_t) unisono_player_set_rate(unisono_player *player, double rate, uint32_t options);

/* Asks the group to seek. Answered by one SEEK_DONE: UNISONO_OK when this player stands or plays there,
 * UNISONO_ECANCELED when a newer seek (of this player or of somebody else), another item or the end of the player
 * came first.
 * item_time: ns; held inside the item. tolerance_before, tolerance_after: ns, >= 0, how far off this renderer may
 * land where that is faster; UNISONO_TIME_INDEFINITE: any; they count while paused, for a common start everybody is
 * exact.
 * request: its number in SEEK_DONE, never 0; set before the answer can come; may be NULL.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE, UNISONO_EDENIED (in SEEK_DONE). */
UNISONO_API(int32_t) unisono_player_seek(
    unisono_player *player, int64_t item_time, int64_t tolerance_before, int64_t tolerance_after, uint64_t *request);

/* A person takes hold of the slider: this player stands, apart from the group (user-is-changing-current-time).
 * Errors: UNISONO_ESTATE (no current item; late: scrubbing already).
 * @since 0.2 */
UNISONO_API(int32_t) unisono_player_begin_scrub(unisono_player *player);

/* The slider moves: this player alone shows that position, one seek at a time, the newest always.
 * item_time: ns; held inside the item.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (late: scrubbing has not begun). */
UNISONO_API(int32_t) unisono_player_scrub_to(unisono_player *player, int64_t item_time);

/* The slider is released.
 * commit: 1: the group goes where it was left; 0: back to where the group is.
 * Errors: UNISONO_ESTATE (late: scrubbing has not begun).
 * @since 0.2 */
UNISONO_API(int32_t) unisono_player_end_scrub(unisono_player *player, int32_t commit);

/* "What did they say": this player alone goes back, plays faster, and falls in with the group again by itself.
 * back: ns, > 0. rate: how fast, 0: 2; at least a quarter faster than the group plays.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item; late: not loaded, or apart already). */
UNISONO_API(int32_t) unisono_player_replay(unisono_player *player, int64_t back, double rate);

/* Whether it plays: a unisono_time_control.
 * @since 0.2 */
UNISONO_API(int32_t) unisono_player_time_control(unisono_player *player);

/* Why it waits: a unisono_waiting_reason; UNISONO_WAITING_NONE while it does not.
 * @since 0.2 */
UNISONO_API(int32_t) unisono_player_waiting_reason(unisono_player *player);

/* Whether the current item can be played: a unisono_item_state.
 * @since 0.2 */
UNISONO_API(int32_t) unisono_player_item_state(unisono_player *player);

/* Where the player was last known to be; never asks the renderer.
 * item_time, host_time: position and when it held; UNISONO_TIME_INVALID on failure.
 * Errors: UNISONO_ESTATE (nothing is loaded). */
UNISONO_API(int32_t) unisono_player_current_time(unisono_player *player, int64_t *item_time, int64_t *host_time);

/* Another sound has taken over (a call): this player stands, apart from the group (audio-session-interrupted).
 * Errors: UNISONO_ESTATE (late: one is open).
 * @since 0.2 */
UNISONO_API(int32_t) unisono_player_begin_interruption(unisono_player *player);

/* The interruption is over.
 * should_resume: 1: this player joins the group again; 0: it stays apart until unisono_player_play.
 * Errors: UNISONO_ESTATE (late: none is open).
 * @since 0.2 */
UNISONO_API(int32_t) unisono_player_end_interruption(unisono_player *player, int32_t should_resume);

/* Something else plays on another renderer (an advertisement): the main item stands (playing-interstitial), its
 * timeline is untouched.
 * Errors: UNISONO_ESTATE (late: one is open). */
UNISONO_API(int32_t) unisono_player_begin_interstitial(unisono_player *player);

/* The interstitial is over: this player joins the group where that is now.
 * Errors: UNISONO_ESTATE (late: none is open). */
UNISONO_API(int32_t) unisono_player_end_interstitial(unisono_player *player);

/* The person's own volume. The renderer gets it times what ducking leaves.
 * volume: 0...1; 1 unless set.
 * Errors: UNISONO_EINVAL. */
UNISONO_API(int32_t) unisono_player_set_volume(unisono_player *player, double volume);

/* What the renderer has to say: answers to its commands, with their `request`, and what happens by itself. Where it
 * tells positions itself (now is NULL), ten POSITIONs a second while it plays. Answers to an older load are ignored.
 * report: copied.
 * Errors: UNISONO_EINVAL (an unknown state, seekable_end before seekable_start, a time without its flag, a flag that is
 * none), UNISONO_ENOTSUP. */
UNISONO_API(int32_t) unisono_player_report(unisono_player *player, const unisono_renderer_report *report);

/* How far the player was from the group, and what was done about it.
 * out: set out->size before the call (UNISONO_PLAYER_STATISTICS_INIT); no more than that is written. Skews are
 * UNISONO_TIME_INVALID before the first measurement.
 * @since 0.2 */
UNISONO_API(int32_t) unisono_player_get_statistics(unisono_player *player, unisono_player_statistics *out);

/* ---- 2. Surface ------------------------------------------------------------------------------------- */
typedef enum UNISONO_OPEN unisono_surface_kind UNISONO_INT32 {
  UNISONO_SURFACE_INLINE = 0, UNISONO_SURFACE_PICTURE_IN_PICTURE = 1, UNISONO_SURFACE_FULL_SCREEN = 2,
  UNISONO_SURFACE_REMOTE = 3
} unisono_surface_kind;
typedef struct unisono_surface_event {
  unisono_context_event base;           /* .source is the surface */
  uint64_t    request;                  /* SKIPPED: of skip_by; RESTORE: answer with complete_restore */
  int32_t     is_paused;
  int32_t     status;                   /* SKIPPED */
  int64_t     start, duration;          /* as unisono_surface_time_range has it */
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
 * Errors: UNISONO_EINVAL (unknown kind), UNISONO_ENOMEM, UNISONO_ENOTSUP. */
UNISONO_API(int32_t) unisono_surface_create(
    unisono_player *player, unisono_surface_kind kind, const unisono_surface_callbacks *callbacks, void *user,
    unisono_surface **out);

/* Ends a surface; an open skip is not answered any more. NULL and destroyed handles: nothing happens. */
UNISONO_WAITS UNISONO_API(void) unisono_surface_destroy(unisono_surface *surface);

/* The surface is about to be shown (picture in picture or full screen begins): WILL_BEGIN comes.
 * Errors: UNISONO_ESTATE (it is shown already). */
UNISONO_API(int32_t) unisono_surface_begin(unisono_surface *surface);

/* The surface is about to go. Picture in picture and full screen first get RESTORE, to bring the window back:
 * WILL_END comes after unisono_surface_complete_restore, or after 2 s; its status is UNISONO_OK when the window was
 * restored, else UNISONO_ECANCELED (restored = 0) or UNISONO_ETIMEDOUT. For others WILL_END comes at once.
 * A player whose inline surface has begun once is out of sight while none of its surfaces is shown. If its renderer
 * then stops by itself (PAUSED, request 0) that is no stall: the rate changes to 0 with the reason BACKGROUNDED, and this
 * player stands apart (user-action-required) until a surface begins, the renderer runs again, or its person plays.
 * Errors: UNISONO_ESTATE (it is not shown). */
UNISONO_API(int32_t) unisono_surface_end(unisono_surface *surface);

/* The button of the surface: 1 plays at the default rate, 0 pauses, for the group.
 * Errors: UNISONO_ESTATE (no current item), UNISONO_EDENIED (late, at the player). */
UNISONO_API(int32_t) unisono_surface_set_playing(unisono_surface *surface, int32_t playing);

/* The skip button: seeks by so much, for the group. Answered by one SKIPPED.
 * interval: ns, signed. request: its number in SKIPPED; may be NULL.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item). */
UNISONO_API(int32_t) unisono_surface_skip_by(unisono_surface *surface, int64_t interval, uint64_t *request);

/* What a progress bar shows.
 * start: UNISONO_TIME_INVALID: nothing to play. duration: ns; UNISONO_TIME_INDEFINITE: live;
 * UNISONO_TIME_INVALID: not known (yet). */
UNISONO_API(int32_t) unisono_surface_time_range(unisono_surface *surface, int64_t *start, int64_t *duration);

/* Whether the button shows "play": 1 paused, 0 playing or waiting to. */
UNISONO_API(int32_t) unisono_surface_is_paused(unisono_surface *surface);

/* The surface has another size; the renderer is told the newest of any surface.
 * width, height: pixels, 0...65,535.
 * Errors: UNISONO_EINVAL.
 * @since 0.2 */
UNISONO_API(int32_t) unisono_surface_set_render_size(
    unisono_surface *surface, int32_t width, int32_t height);

/* Answers RESTORE.
 * request: of that event. restored: 1: the window is back, 0: it could not be restored.
 * Errors: UNISONO_ESTATE (that request is not open; it may have timed out).
 * @since 0.2 */
UNISONO_API(int32_t) unisono_surface_complete_restore(unisono_surface *surface, uint64_t request, int32_t restored);

/* ---- 3. Events, typed ------------------------------------------------------------------------------- */
/* As unisono_event_command and its kin in unisono.h: the payload, or NULL for an event of another type. */

/* Of PLAYER_.... @since 0.2 */
UNISONO_RT UNISONO_API(const unisono_player_event *) unisono_event_player(const unisono_context_event *event);

/* Of RENDERER_.... @since 0.2 */
UNISONO_RT UNISONO_API(const unisono_renderer_command *) unisono_event_renderer(const unisono_context_event *event);

/* Of SURFACE_.... @since 0.2 */
UNISONO_RT UNISONO_API(const unisono_surface_event *) unisono_event_surface(const unisono_context_event *event);

UNISONO_END_DECLARATIONS
#endif /* UNISONO_PLAYER_H */
