-- The C side of Unisono for LuaJIT: made by bindings/generate from include/*.h, not to be edited.
--
-- Returns a table:
--   constants      numbers and texts, without UNISONO_
--   enumerations   by name, without unisono_: number of each enumerator, without its prefix
--   structs        by name: fields in their order, each { name, kind, type, field that counts it }
--   functions      by name, without unisono_: { result, parameters }, each parameter { name, kind, type }
--   readers        functions that give the payload behind an event's head, and its struct
-- It loads nothing: that is unisono.lua's part, which also says what the kinds are. An enumeration is an int32_t here, so that what
-- is read from a struct is a number.
local ffi = require("ffi")

ffi.cdef([[
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
typedef struct unisono_simulation unisono_simulation;
typedef int32_t unisono_status;
typedef int32_t unisono_event_type;
typedef int32_t unisono_log_level;
typedef int32_t unisono_activity_type;
typedef int32_t unisono_session_state;
typedef int32_t unisono_connection;
typedef int32_t unisono_role;
typedef int32_t unisono_control_policy;
typedef int32_t unisono_lifetime;
typedef int32_t unisono_reach;
typedef int32_t unisono_delivery;
typedef int32_t unisono_activation_result;
typedef int32_t unisono_readiness;
typedef int32_t unisono_notice_kind;
typedef int32_t unisono_succession;
typedef int32_t unisono_succession_status;
typedef int32_t unisono_request_kind;
typedef int32_t unisono_request_status;
typedef int32_t unisono_split_kind;
typedef int32_t unisono_hub_doubt_reason;
typedef int32_t unisono_chat_kind;
typedef int32_t unisono_range_kind;
typedef int32_t unisono_attachment_change;
typedef int32_t unisono_schedule_change;
typedef int32_t unisono_audience_state;
typedef int32_t unisono_listener_word;
typedef int32_t unisono_clock_state;
typedef int32_t unisono_timing_state;
typedef int32_t unisono_motion;
typedef int32_t unisono_cause;
typedef int32_t unisono_listening_status;
typedef int32_t unisono_action_at_end;
typedef int32_t unisono_start_rule;
typedef int32_t unisono_leaving_rule;
typedef int32_t unisono_time_control;
typedef int32_t unisono_waiting_reason;
typedef int32_t unisono_item_state;
typedef int32_t unisono_rate_reason;
typedef int32_t unisono_renderer_state;
typedef int32_t unisono_surface_kind;
typedef int32_t unisono_intent;
typedef struct unisono_participant_id unisono_participant_id;
typedef struct unisono_attachment_id unisono_attachment_id;
typedef struct unisono_context_event unisono_context_event;
typedef struct unisono_timer_event unisono_timer_event;
typedef struct unisono_overflow_event unisono_overflow_event;
typedef struct unisono_error_event unisono_error_event;
typedef struct unisono_log_event unisono_log_event;
typedef struct unisono_context_options unisono_context_options;
typedef struct unisono_context_callbacks unisono_context_callbacks;
typedef struct unisono_activity unisono_activity;
typedef struct unisono_participant unisono_participant;
typedef struct unisono_participants unisono_participants;
typedef struct unisono_participants_change unisono_participants_change;
typedef struct unisono_session_state_event unisono_session_state_event;
typedef struct unisono_activity_event unisono_activity_event;
typedef struct unisono_message unisono_message;
typedef struct unisono_notice unisono_notice;
typedef struct unisono_notice_event unisono_notice_event;
typedef struct unisono_participant_event unisono_participant_event;
typedef struct unisono_invite_event unisono_invite_event;
typedef struct unisono_activation_event unisono_activation_event;
typedef struct unisono_succession_event unisono_succession_event;
typedef struct unisono_succession_state unisono_succession_state;
typedef struct unisono_request unisono_request;
typedef struct unisono_request_event unisono_request_event;
typedef struct unisono_ignored_event unisono_ignored_event;
typedef struct unisono_clock_doubt_event unisono_clock_doubt_event;
typedef struct unisono_split_event unisono_split_event;
typedef struct unisono_hub_doubt_event unisono_hub_doubt_event;
typedef struct unisono_chat_entry unisono_chat_entry;
typedef struct unisono_chat_event unisono_chat_event;
typedef struct unisono_chat unisono_chat;
typedef struct unisono_entry_id unisono_entry_id;
typedef struct unisono_copy unisono_copy;
typedef struct unisono_range unisono_range;
typedef struct unisono_playlist_entry unisono_playlist_entry;
typedef struct unisono_playlist unisono_playlist;
typedef struct unisono_playlist_event unisono_playlist_event;
typedef struct unisono_copy_event unisono_copy_event;
typedef struct unisono_attachment unisono_attachment;
typedef struct unisono_attachments unisono_attachments;
typedef struct unisono_attachment_event unisono_attachment_event;
typedef struct unisono_scheduled_start unisono_scheduled_start;
typedef struct unisono_schedule_event unisono_schedule_event;
typedef struct unisono_audience_options unisono_audience_options;
typedef struct unisono_reaction_count unisono_reaction_count;
typedef struct unisono_audience_event unisono_audience_event;
typedef struct unisono_listener_event unisono_listener_event;
typedef struct unisono_session_callbacks unisono_session_callbacks;
typedef struct unisono_hub_options unisono_hub_options;
typedef struct unisono_continuation unisono_continuation;
typedef struct unisono_session_options unisono_session_options;
typedef struct unisono_clock unisono_clock;
typedef struct unisono_session_statistics unisono_session_statistics;
typedef struct unisono_interstitial unisono_interstitial;
typedef struct unisono_command unisono_command;
typedef struct unisono_timing unisono_timing;
typedef struct unisono_waiting_for unisono_waiting_for;
typedef struct unisono_timing_change unisono_timing_change;
typedef struct unisono_suspensions_change unisono_suspensions_change;
typedef struct unisono_listening_event unisono_listening_event;
typedef struct unisono_playback_delegate unisono_playback_delegate;
typedef struct unisono_stall_policy unisono_stall_policy;
typedef struct unisono_start_policy unisono_start_policy;
typedef struct unisono_playback_report unisono_playback_report;
typedef struct unisono_coordinator_statistics unisono_coordinator_statistics;
typedef struct unisono_player_item unisono_player_item;
typedef struct unisono_renderer_command unisono_renderer_command;
typedef struct unisono_renderer_report unisono_renderer_report;
typedef struct unisono_renderer unisono_renderer;
typedef struct unisono_player_event unisono_player_event;
typedef struct unisono_player_callbacks unisono_player_callbacks;
typedef struct unisono_player_statistics unisono_player_statistics;
typedef struct unisono_surface_event unisono_surface_event;
typedef struct unisono_surface_callbacks unisono_surface_callbacks;
typedef struct unisono_hub_callbacks unisono_hub_callbacks;
typedef struct unisono_hub_statistics unisono_hub_statistics;
typedef struct unisono_service unisono_service;
typedef struct unisono_nearby_event unisono_nearby_event;
typedef struct unisono_advertiser_callbacks unisono_advertiser_callbacks;
typedef struct unisono_browser_callbacks unisono_browser_callbacks;
typedef struct unisono_simulation_options unisono_simulation_options;
typedef struct unisono_simulated_link unisono_simulated_link;

/* Every callback has this shape: (user, const payload *). It may be NULL: not interested (or, with the
 * event queue on, see unisono_context_next_event). */
typedef void (*unisono_released_fn)(void *);

typedef void (*unisono_wakeup_fn)(void *);

typedef void (*unisono_log_fn)(void *, const unisono_log_event *);

typedef void (*unisono_timer_fn)(void *, const unisono_timer_event *);

typedef void (*unisono_error_fn)(void *, const unisono_error_event *);

typedef void (*unisono_activation_fn)(void *, const unisono_activation_event *);

struct unisono_participant_id {
  uint8_t bytes[16]; /* all zero: nobody */
};

struct unisono_attachment_id {
  uint8_t bytes[32]; /* SHA-256 of the content. @since 0.2 */
};

struct unisono_context_event {
  uint32_t size; /* of the whole payload struct this head begins */
  unisono_event_type type;
  void *source; /* handle of the session, coordinator, player, ... it concerns; NULL: the context */
  void *user; /* user pointer given where the source was made */
  int64_t host_time; /* when the library issued it, host time ns */
};

struct unisono_timer_event {
  unisono_context_event base;
  uint64_t token;
  int64_t due_host_time; /* as asked; lateness = base.host_time - due_host_time */
  int32_t status; /* OK, or ECANCELED: cancelled, or the context ends */
  uint32_t reserved;
};

struct unisono_overflow_event {
  unisono_context_event base;
  uint64_t messages; /* dropped since the last overflow event; commands are never dropped */
  uint64_t others; /* log lines, notices, requests and the like dropped */
};

struct unisono_error_event {
  unisono_context_event base;
  int32_t status; /* negative */
  uint32_t reserved;
  const char *operation; /* name of the function, as in this header */
  const char *message; /* one sentence: what, where, what to do */
};

struct unisono_log_event {
  unisono_context_event base;
  unisono_log_level level;
  uint32_t reserved;
  const char *message; /* one line, no newline, never a secret */
};

struct unisono_context_options {
  uint32_t size;
  int32_t own_thread; /* 0: polled (or uv_loop); 1: the library runs the loop in a thread of its own */
  int32_t event_queue; /* 1: what has no callback goes to unisono_context_next_event */
  uint32_t event_queue_limit; /* messages held before dropping; 0: 1024; 16...65536 */
  void *uv_loop; /* a uv_loop_t that the host runs; excludes own_thread */
  size_t uv_loop_size; /* uv_loop_size() as the host sees it; must equal the library's; with uv_loop */
  const char *device_name; /* <= 63 bytes; NULL: host name */
  const char *storage_path; /* folder for remembered answers; <= 4095 bytes; NULL: memory only */
  uint64_t random_seed; /* jitter and back-off only, never keys; 0: system */
  unisono_log_level log_level;
  uint32_t reserved;
  uint8_t person[16]; /* a secret, the same on all devices of one person, never sent; zero: this one alone */
};

/* @since 0.2 */
struct unisono_context_callbacks {
  uint32_t size;
  uint32_t reserved;
  unisono_log_fn log;
  unisono_wakeup_fn wakeup; /* may come on any thread; may call nothing of this library; coalesced */
  unisono_released_fn released; /* after the last callback of this context; its loop handles are closed by then */
};

struct unisono_activity {
  uint32_t size;
  unisono_activity_type type;
  const char *identifier; /* reverse-DNS, 1...255 bytes */
  const char *title; /* <= 255 bytes; NULL none */
  const char *subtitle; /* <= 255 bytes; NULL none */
  const char *fallback_url; /* <= 2047 bytes; NULL none. https: agents offer it where the program is not installed */
  const void *preview_image; /* PNG, JPEG or WebP as is; <= 65536 bytes */
  size_t preview_image_length;
  const void *payload; /* the application's own; <= 65536 bytes. When received a zero byte follows it */
  size_t payload_length;
  unisono_lifetime lifetime;
  int32_t supports_continuation; /* 1: a device that finds it under way may go on with it: agents offer it to their person then, too, not only when it begins */
};

struct unisono_participant {
  uint32_t size;
  unisono_connection connection;
  unisono_participant_id id;
  unisono_participant_id person; /* derived per session, vouched; equal for all devices of one person */
  const char *display_name; /* never NULL */
  const char *device_name; /* never NULL */
  const char *item; /* current item; NULL none */
  const char *const *suspension_reasons;
  size_t suspension_reason_count; /* 0: takes part */
  unisono_role role;
  int32_t is_local;
  int32_t ready; /* could start now */
  int32_t speaking;
  double rate; /* as last reported by it; 0 paused or unknown */
  int64_t item_time; /* its position at host_time; INVALID unknown */
  int64_t host_time; /* in this host's clock */
  int64_t round_trip; /* to the hub, ns; INVALID unknown */
  int64_t clock_error; /* its stated bound, ns; INVALID unknown */
  int32_t failure; /* `status` of its unisono_coordinator_fail, or of its renderer's failure, while it is suspended for that; 0 none. @since 0.2 */
  unisono_readiness readiness; /* what its person says of being ready, which `ready` does not mean. @since 0.2 */
  uint32_t split; /* bits of unisono_split_kind: it and this participant do not hear each other; 0: nothing of that is known. SESSION_SPLIT tells of changes. @since 0.2 */
  int32_t given_up; /* 1: it was not ready for two starts in a row, and none waits for it until it was ready for one, as this participant sees it. Of the local one: the others see that. @since 0.2 */
  int64_t cut_offset; /* ns; how far its copy is ahead of the group's item time (unisono_session_set_cut_offset). @since 0.2 */
};

struct unisono_participants {
  uint32_t size;
  uint32_t reserved;
  size_t count;
  const unisono_participant *const *items;
};

struct unisono_participants_change {
  unisono_context_event base;
  int32_t is_complete; /* 1: joined is the whole list (first delivery, resync after overflow) */
  uint32_t reserved;
  const unisono_participant *const *joined;
  size_t joined_count;
  const unisono_participant *const *updated;
  size_t updated_count;
  const unisono_participant *const *left;
  size_t left_count;
};

struct unisono_session_state_event {
  unisono_context_event base;
  unisono_session_state state;
  unisono_connection connection;
  int32_t reason; /* why invalidated, or not connected: an error code; OK after leave. ENOTFOUND: a hub is reached, and nobody of the group is at it; EENDED while it is WAITING: one who was no owner left word there that the session was ended; EDENIED while it is WAITING: a member says that the group is closed. It is looked for, and asked, all the same */
  int32_t closed; /* 1: an owner closed the group, and nobody new is let in (unisono_session_set_closed). @since 0.2 */
  const char *message; /* the same for people; never NULL */
  const char *hub; /* "host:port" of the hub in use; "" none; never NULL. @since 0.2 */
  int32_t hub_is_own; /* 1: that hub is the one in this process. @since 0.2 */
  int32_t alone; /* 1: no other participant is in touch: nobody came yet, or all are lost or left. @since 0.2 */
};

struct unisono_activity_event {
  unisono_context_event base;
  unisono_participant_id originator;
  const unisono_activity *activity; /* NULL: none any more */
  int32_t is_local; /* 1: this participant set it; the originator is zero then. @since 0.2 */
  uint32_t reserved;
};

struct unisono_message {
  unisono_context_event base;
  unisono_participant_id sender; /* proven by signature */
  const void *data; /* 8-byte aligned; not NULL even when empty */
  size_t length; /* 0...65536 */
  unisono_delivery delivery;
  uint32_t version; /* of the type, as its sender has it; 0 with type "". Was `reserved` in 0.1. @since 0.2 */
  const char *type; /* what the bytes are, for receivers that tell several kinds apart; "" none was given; never NULL. @since 0.2 */
  const char *item; /* where it waited for its place (unisono_session_send_at); "" nowhere; never NULL. @since 0.2 */
  int64_t item_time; /* ns, the place; 0 with item "". @since 0.2 */
};

struct unisono_notice {
  uint32_t size;
  unisono_notice_kind kind;
  unisono_participant_id originator; /* ignored when posting */
  int64_t amount; /* SKIPPED: ns, signed; RANGE_SKIPPED: ns */
  double rate; /* RATE_CHANGED */
  const char *text; /* CUSTOM: <= 255 bytes; WAITED_FOR: why; ELSEWHERE: its item, <= 255 bytes of it; RANGE_SKIPPED: "intro", "recap", "credits" or "other"; NULL not known */
  const char *url; /* <= 2047 bytes; NULL none */
  int64_t item_time; /* UNISONO_HAS_POSITION: SKIPPED, RANGE_SKIPPED: where to; ignored when posting. @since 0.2 */
  const char *name; /* the originator's, as known; NULL not known; ignored when posting. @since 0.2 */
  uint32_t flags; /* @since 0.2 */
  uint32_t reserved;
  const char *coordinator; /* name of the coordinator on whose items it was done; NULL: the session's first one, or none; ignored when posting. @since 0.2 */
};

struct unisono_notice_event {
  unisono_context_event base;
  const unisono_notice *notice;
};

struct unisono_participant_event {
  unisono_context_event base;
  unisono_participant_id participant;
  int32_t active; /* SPEAKING: 1 began, 0 ceased; FOREGROUND: 1 */
  int32_t in_background; /* FOREGROUND: 1 when the session was started without a window */
};

struct unisono_invite_event {
  unisono_context_event base;
  const char *invite;
};

struct unisono_activation_event {
  unisono_context_event base;
  uint64_t request;
  const unisono_activity *activity;
  unisono_activation_result result; /* ACTIVATION */
  int32_t remembered; /* ACTIVATION: 1 when it is a remembered answer */
};

/* @since 0.2 */
struct unisono_succession_event {
  unisono_context_event base;
  unisono_participant_id deputy;
  unisono_succession_status status;
  int32_t named; /* 1: an owner named it; 0: it is the first by seniority */
};

/* @since 0.2 */
struct unisono_succession_state {
  uint32_t size;
  unisono_succession succession;
  int64_t delay; /* ns without any owner until the first deputy that is there stands in */
  unisono_participant_id acting; /* who stands in now; all zero: nobody */
  uint32_t deputy_count;
  uint32_t reserved;
  unisono_participant_id deputies[8]; /* the first goes first; the rest is all zero */
};

/* @since 0.2 */
struct unisono_request {
  uint32_t size;
  unisono_request_kind kind;
  int64_t item_time; /* SEEK: where to, ns; else not looked at */
  const char *text; /* for people, <= 255 bytes; NULL none */
};

/* @since 0.2 */
struct unisono_request_event {
  unisono_context_event base;
  uint64_t number; /* the asker's; with `asker` the request's name */
  unisono_participant_id asker; /* proven by signature; the own id: the own request */
  unisono_participant_id answerer; /* GRANTED, DECLINED: who; else all zero */
  unisono_request_status status;
  unisono_request_kind kind;
  int64_t item_time; /* SEEK */
  const char *item; /* the item that the asker was on; never NULL */
  const char *text; /* NULL none */
};

/* Somebody is ignored for a while: because much of what it sent in ten seconds was forged, bent or unreadable. What is only
 * too much at a time is dropped and said again by the library; it is no reason for this. Who is ignored is told by the one
 * who ignores it, if that can still reach it; what it says is its word alone. With EBUSY and EFULL only what is too much is
 * ignored, all else of it counts: EBUSY, it says more in the chat than anybody may, or sent more messages that wait for a place;
 * EFULL, it says more than is kept of one participant: entries of a full playlist, items that nobody is on, statements ahead of
 * the group's time or by a policy that is not known here; once a minute, the message says of what. @since 0.2 */
struct unisono_ignored_event {
  unisono_context_event base;
  unisono_participant_id participant; /* the other one */
  int32_t by_other; /* 0: nothing of it is taken; 1: it takes nothing of this one, as it says */
  int32_t status; /* EPROTOCOL (unreadable, sent again), EAUTH (not signed or sealed as it must), EBUSY, EFULL */
  int64_t until; /* host time; it is listened to again from then on */
  const char *message; /* the same for people; never NULL */
};

/* A participant's clock is in doubt: the participants compare their clocks past the hub, and it contradicts the others'. The hub
 * told somebody another time than the rest, or a participant says what is not so. Where two sides are possible, the one with the
 * most senior participant is taken to be right. @since 0.2 */
struct unisono_clock_doubt_event {
  unisono_context_event base;
  unisono_participant_id participant; /* whose clock; the own id: this one's */
  int32_t own; /* 1: it is this participant's: it plays by the others' time meanwhile */
  int32_t over; /* 1: it is not in doubt any more */
  int64_t offset; /* ns: that clock less the one that it was compared with, when it came into doubt */
  const char *hub; /* "host:port" of the hub in use; "" none any more; never NULL */
  const char *message; /* the same for people; never NULL */
};

/* Somebody and this participant do not hear each other, though both are at the hub: the hub keeps them apart, or they go by
 * different keys; or that is over. One event for each kind. Of a kind the first 32 at once are told of, of those who are in no list of
 * participants the first 8. @since 0.2 */
struct unisono_split_event {
  unisono_context_event base;
  unisono_participant_id participant; /* the other one. UNREADABLE: maybe one that is in no list; whoever has the invite can be it */
  unisono_split_kind kind;
  int32_t over; /* 1: it is over: they hear each other, or it is not here any more */
  int64_t since; /* host time at which it was found first */
  const char *hub; /* "host:port" of the hub in use; "" none any more; never NULL */
  const char *message; /* the same for people; never NULL */
};

/* A hub does not do as it should. CLOCK and SPLIT: it is turned to after all others when the session needs a hub again, until ten
 * minutes after nothing of it is found any more; then the event comes with `over`. Else it is left alone until `until`, and no further
 * event says so. Told of the invite's hubs and of those that were in use. @since 0.2 */
struct unisono_hub_doubt_event {
  unisono_context_event base;
  unisono_hub_doubt_reason reason;
  int32_t over; /* 1: it is not in doubt any more */
  int64_t until; /* host time; INVALID: it may be turned to, after all others */
  const char *hub; /* "host:port"; never NULL */
  const char *message; /* the same for people; never NULL */
};

/* What somebody said in writing, or a reaction. @since 0.2 */
struct unisono_chat_entry {
  uint32_t size;
  unisono_chat_kind kind;
  unisono_participant_id author; /* proven by signature, also where another one told it */
  uint64_t number; /* the author's, ascending; with `author` the entry's name; 0: a reaction */
  int64_t said; /* host time, of this host's clock; INVALID: session time is not known */
  int64_t item_time; /* ns, where the group was in it then; INVALID: not known, or nothing was on */
  const char *item; /* what was on; NULL: nothing */
  const char *name; /* the author's, as known now, else as it was; without control characters; NULL none */
  const char *text; /* without control characters but U+000A between lines; never NULL */
};

/* The same words, or another participant's, told once to each host; the own ones, too. Text comes in the order in which it was
 * said unless somebody was apart; the order of all is by `said`, then author, then number. Where an author said two texts under
 * one number, which no honest one does, the event comes again with the one that counts. @since 0.2 */
struct unisono_chat_event {
  unisono_context_event base;
  const unisono_chat_entry *entry;
  int32_t own; /* 1: this participant said it */
  int32_t is_history; /* 1: it was said before this participant came, or while it was away */
};

/* @since 0.2 */
struct unisono_chat {
  uint32_t size;
  uint32_t reserved;
  size_t count;
  const unisono_chat_entry *const *items;
};

/* Names an entry of the playlist; the library draws it at random. All zero: none. @since 0.2 */
struct unisono_entry_id {
  uint8_t bytes[16];
};

/* What identifies the copy that somebody has of an item. @since 0.2 */
struct unisono_copy {
  uint32_t size;
  int32_t has_hash; /* 1: `hash` is known */
  int64_t duration; /* ns, > 0; 0: not known */
  uint64_t file_size; /* bytes; 0: not known */
  uint8_t hash[32]; /* of samples of the file, see unisono_copy_of_file */
};

/* A part of an entry that the group may leave out: unisono_coordinator_set_skipped_ranges. @since 0.2 */
struct unisono_range {
  int64_t begin; /* ns of the group's item time, >= 0 */
  int64_t end; /* ns; the first moment that is not of it. At least 1 s long, at most 7 days from 0 */
  unisono_range_kind kind;
  uint32_t reserved;
};

/* An entry of the playlist. @since 0.2 */
struct unisono_playlist_entry {
  uint32_t size;
  uint32_t reserved;
  unisono_entry_id id; /* as the library gave it; not read by unisono_session_add_entry */
  const char *item; /* 1...1,023 bytes: what coordinators call it */
  const char *title; /* <= 255 bytes, no control characters; NULL: none */
  const unisono_copy *copy; /* how to recognise a copy of it; NULL: not known */
  const char *const *addresses; /* where it can be had, 1...2,047 bytes each, no control characters; NULL: none */
  size_t address_count; /* <= 8 */
  const unisono_range *ranges; /* what the group may leave out, in their order, none overlapping the next; NULL: none */
  size_t range_count; /* <= 16 */
};

/* The playlist, in the order in which it is played. @since 0.2 */
struct unisono_playlist {
  uint32_t size;
  uint32_t reserved;
  unisono_entry_id current; /* where the group is; all zero: nowhere yet. It may have been removed from `items` */
  size_t count;
  const unisono_playlist_entry *const *items;
};

/* The playlist, or where the group is in it, changed; the own changes, too. What is on it: unisono_session_playlist. Where
 * `current_changed` is set the host loads `item` and makes a transition to it, proposing to play where `by_end` is set. @since 0.2 */
struct unisono_playlist_event {
  unisono_context_event base;
  int32_t entries_changed; /* 1: entries came, went or were moved */
  int32_t current_changed; /* 1: the group is at another entry */
  int32_t by_end; /* 1: it came to the current entry because the one before had ended */
  uint32_t reserved;
  unisono_entry_id current; /* all zero: none */
  unisono_participant_id originator; /* who brought the group there; all zero: this participant, or nobody */
  const char *item; /* of the current entry; NULL: none, or it is not known here yet or any more */
};

/* Another participant's copy of the current entry, compared with the own one, as far as both are known; told to both sides, once,
 * and again when something else differs. What it says of its copy is its word alone. @since 0.2 */
struct unisono_copy_event {
  unisono_context_event base;
  unisono_participant_id participant; /* the other one */
  unisono_entry_id entry;
  uint32_t differs; /* UNISONO_DIFFERS_ flags; 0: it is the same */
  uint32_t reserved;
  const unisono_copy *copy; /* the other's */
  const char *message; /* the same for people; never NULL */
};

/* Something that is offered to the group: a subtitle, a poster, any file. @since 0.2 */
struct unisono_attachment {
  uint32_t size;
  int32_t is_available; /* 1: all of it is here, and others are given it */
  unisono_attachment_id id;
  unisono_participant_id owner; /* who offers it, proven by signature */
  uint64_t length; /* bytes, 0...100,000,000; as `owner` says */
  const char *name; /* 1...255 bytes; could be that of a file: "_" in place of / \ : */
  const char *media_type; /* "image/png", as `owner` says, <= 127 bytes; "" not said; never NULL */
};

/* @since 0.2 */
struct unisono_attachments {
  uint32_t size;
  uint32_t reserved;
  size_t count; /* <= 64 */
  const unisono_attachment *const *items;
};

/* What becomes of attachments. @since 0.2 */
struct unisono_attachment_event {
  unisono_context_event base;
  const unisono_attachment *attachment; /* never NULL; FAILED of attach: id, owner and length are zero */
  uint64_t request; /* ADDED, FAILED: of this participant's attach; 0: of none */
  uint64_t transferred; /* bytes that are here. PROGRESS, LOADED; fewer than before: it began anew */
  unisono_participant_id participant; /* FORGED: whose bytes they were; zero: several gave some, or an earlier load left some, and nobody knows which were wrong. LOST: who says a wrong length */
  unisono_attachment_change change;
  int32_t status; /* FAILED, FORGED, LOST; ETIMEDOUT: nobody who is there gave it for 60 s; EAUTH: what came was not it, or another one offers it with a wrong length; ENOTFOUND: it was taken back; ECANCELED; EIO: the file; EFULL: 64 in the group, 16 of one; ETOOBIG; EBUSY: too many calls of attach at once, or another load writes the .part */
  const char *message; /* the same for people; never NULL */
};

/* A start at a time that the group agreed on. @since 0.2 */
struct unisono_scheduled_start {
  uint32_t size;
  uint32_t reserved;
  const char *item;
  int64_t host_time; /* of this device: when everybody on the item begins */
  int64_t calendar_time; /* ns since 1970: what the clock of `originator` shows then; UNISONO_TIME_INVALID: it did not say. For people: it decides nothing, and is as right as that clock */
  int64_t error_bound; /* ns, of host_time */
  unisono_participant_id originator; /* who scheduled it, or called it off; zero: this participant */
};

/* A scheduled start was set or called off, comes nearer or is due. @since 0.2 */
struct unisono_schedule_event {
  unisono_context_event base;
  const unisono_scheduled_start *start; /* never NULL */
  int64_t remaining; /* ns until then; DUE: 0, or less where this was told late */
  unisono_schedule_change change;
  int32_t reserved;
};

/* What an audience is opened with. @since 0.2 */
struct unisono_audience_options {
  uint32_t size;
  uint32_t ready_share; /* so many percent of those who listen are waited for where the group waits before it plays, 0...100; 0: nobody is. They may be ready before `ready_wait` is over, and make nobody wait longer */
  int64_t ready_wait; /* ns after the command at most, to 1 ms, at most 10 s; 0: 10 s. A start's own deadline ends it 1 s before, too */
  const char *const *reactions; /* by which who listens may react: at most 8, 1...32 bytes of UTF-8 each, without control characters, all different; in the order in which they are told */
  size_t reaction_count; /* 0: nobody reacts */
};

/* One of an audience's reactions. @since 0.2 */
struct unisono_reaction_count {
  const char *reaction;
  uint32_t count; /* how many listeners reacted by it last, and not longer than 10 s ago; the hub's word, which nobody can check */
  uint32_t reserved;
};

/* The session's audience is in another state, or of another size, or reacts otherwise; told to owners and hosts. @since 0.2 */
struct unisono_audience_event {
  unisono_context_event base;
  unisono_audience_state state;
  uint32_t listeners; /* how many are there; the hub's word, twice a second at most; 0 where another host speaks to the audience */
  uint32_t left_out; /* how often the hub did not pass on what a listener said, as it was more than 50 in a second, since the audience is there; the hub's word, too */
  uint32_t ready; /* how many are ready for the start that waits for them, or did last; the hub's word, too */
  const char *reason; /* for people: why it is closed, or not open yet; "" nothing to say; never NULL */
  const unisono_reaction_count *reactions; /* with which it was opened, each; CLOSED: none; NULL if there are none */
  size_t reaction_count;
};

/* Somebody of the audience that this participant speaks to asks to speak, or says something to the hosts. Others of the session and of the
 * audience hear nothing of it. `listener` is the same as long as that coordinator listens, and tells nothing else of who it is: whoever has
 * the link can say something, under as many ids as devices. At most 50 come in a second; of more `left_out` of SESSION_AUDIENCE tells.
 * @since 0.2 */
struct unisono_listener_event {
  unisono_context_event base;
  unisono_participant_id listener; /* of no participant of the session */
  const char *text; /* at most 255 bytes; U+FFFD for what cannot be shown; "" nothing is said with it; never NULL */
  unisono_listener_word word;
  int32_t reserved;
};

struct unisono_session_callbacks {
  uint32_t size;
  uint32_t reserved;
  void (*state)(void *, const unisono_session_state_event *);
  void (*activity)(void *, const unisono_activity_event *);
  void (*participants)(void *, const unisono_participants_change *);
  void (*message)(void *, const unisono_message *);
  void (*notice)(void *, const unisono_notice_event *);
  void (*foreground_requested)(void *, const unisono_participant_event *);
  void (*speaking)(void *, const unisono_participant_event *);
  void (*invite_changed)(void *, const unisono_invite_event *);
  void (*consent)(void *, const unisono_activation_event *);
  void (*attachment)(void *, const unisono_attachment_event *); /* was reserved in 0.1. @since 0.2 */
  void (*writable)(void *, const unisono_context_event *);
  unisono_error_fn error;
  unisono_released_fn released;
  void (*succession)(void *, const unisono_succession_event *);
  void (*request)(void *, const unisono_request_event *);
  void (*ignored)(void *, const unisono_ignored_event *); /* @since 0.2 */
  void (*clock_doubt)(void *, const unisono_clock_doubt_event *); /* @since 0.2 */
  void (*chat)(void *, const unisono_chat_event *); /* @since 0.2 */
  void (*split)(void *, const unisono_split_event *); /* @since 0.2 */
  void (*hub_doubt)(void *, const unisono_hub_doubt_event *); /* @since 0.2 */
  void (*playlist)(void *, const unisono_playlist_event *); /* @since 0.2 */
  void (*copy)(void *, const unisono_copy_event *); /* @since 0.2 */
  void (*schedule)(void *, const unisono_schedule_event *); /* @since 0.2 */
  void (*audience)(void *, const unisono_audience_event *); /* @since 0.2 */
  void (*listener)(void *, const unisono_listener_event *); /* @since 0.2 */
};

struct unisono_hub_options {
  uint32_t size;
  uint32_t participants_per_room; /* 0: 256; 1...100000 */
  uint32_t rooms; /* 0: 1024 */
  uint32_t connections; /* 0: 4096 */
  uint32_t connections_per_address; /* 0: 64 */
  uint32_t bytes_per_second; /* per connection; 0: 262144 */
  const char *const *listen; /* "0.0.0.0:7400", "[::]:0"; NULL: every interface, a free port */
  size_t listen_count; /* <= 16 */
  const char *const *advertise; /* "host:port" put into invites instead of what was found; NULL: found */
  size_t advertise_count; /* <= 16 */
  uint64_t memory; /* queued and inbound bytes in all; 0: 320 MiB, embedded 40 MiB */
  uint64_t room_bytes_per_second; /* egress of one room; 0: 32 MiB/s, embedded 8 MiB/s */
  int32_t open; /* unisono_hub_create only: 1: anybody may open rooms, also strangers from the internet. @since 0.2 */
  uint32_t reserved;
};

/* What a session goes on from on another day: a sealed secret. @since 0.2 */
struct unisono_continuation {
  uint32_t size;
  uint32_t reserved;
  size_t length; /* 1...1,048,576; a few KiB as a rule */
  const void *bytes; /* for a file; never NULL */
};

struct unisono_session_options {
  uint32_t size;
  unisono_control_policy control_policy; /* host only */
  const char *display_name; /* 1...63 bytes; NULL: device name */
  const char *hub; /* _host only: the line of a hub to use, see below; NULL: one in this process */
  const unisono_hub_options *hub_options; /* the one in this process; NULL: defaults */
  const unisono_activity *activity; /* _host only: first activity; NULL: none yet */
  unisono_role role; /* _open only: role asked for; a lesser one is given, a greater one by an owner */
  int32_t no_standby_hub; /* 1: never serve as hub for the others */
  int32_t in_background; /* 1: started without a window */
  unisono_succession succession; /* _host only: who stands in for the owner; not NAMED, nobody is there yet */
  int64_t succession_delay; /* _host only: ns, 5 s...1 h; 0: 30 s */
  const void *continuation; /* bytes of a unisono_continuation: go on from there; NULL: a participant who is new. @since 0.2 */
  size_t continuation_length; /* 0 with NULL. @since 0.2 */
  const void *continuation_key; /* what it was sealed with; NULL: the context's `person`. @since 0.2 */
  size_t continuation_key_length; /* 16...1,024; 0 with NULL. @since 0.2 */
  int64_t continuation_age; /* ns; one that is older by this machine's calendar is refused; 0: 90 days. @since 0.2 */
};

struct unisono_clock {
  uint32_t size;
  unisono_clock_state state;
  uint64_t epoch; /* >= 1; +1 whenever session time is not continuous with what was read before */
  int64_t host_time;
  int64_t session_time;
  double rate; /* session ns per host ns, 1 +- 500 ppm; up to 2 % for 2 s while it is slewed */
  int64_t error_bound; /* ns at host_time */
  double error_growth; /* ns per ns after host_time */
};

struct unisono_session_statistics {
  uint32_t size;
  unisono_clock_state clock_state;
  int64_t round_trip; /* best of the recent, ns; INVALID unknown */
  int64_t round_trip_last;
  int64_t clock_offset; /* session - host, ns */
  int64_t clock_error; /* stated bound, ns */
  double clock_drift_ppm;
  uint64_t probes_sent;
  uint64_t probes_received;
  uint64_t messages_sent;
  uint64_t messages_received;
  uint64_t bytes_sent;
  uint64_t bytes_received;
  uint64_t messages_refused; /* not taken: bad signature, replay, not allowed, or of who is not known yet */
  uint64_t reconnects;
  uint64_t hub_changes;
  uint64_t send_queue_bytes;
  int64_t checked_bound; /* ns from any other participant's session time, measured past the hub, a quarter of a second ago at most: what holds even where the hub does not tell the truth; INVALID: nobody to compare with yet. @since 0.2 */
};

/* Range of one's own copy that is not the group's: unisono_coordinator_set_interstitials. @since 0.2 */
struct unisono_interstitial {
  int64_t begin; /* ns of the item time of the own copy */
  int64_t end; /* ns, > begin; the first moment that is the group's again */
};

struct unisono_command {
  unisono_context_event base; /* .type tells which; .source is the coordinator */
  uint64_t id; /* for complete and fail; never 0, never used twice */
  unisono_participant_id originator; /* zero: own request, reapplied, or rejoined after a suspension */
  const char *item; /* identifier it is for; never NULL */
  double rate; /* play: never 0, -16...16; else 0 */
  int64_t item_time; /* play: anchor; pause: group position; seek: target; buffer: start position */
  int64_t host_time; /* play: when item_time holds, may be past; else INVALID */
  int64_t due_host_time; /* seek with buffer_in_anticipation, buffer (INVALID: ahead, see unisono_coordinator_set_prepares_ahead); else INVALID */
  double anticipated_rate; /* seek with buffer_in_anticipation, buffer; else 0 */
  int32_t is_local; /* 1: caused by this participant */
  int32_t snap; /* pause: 1 = go to item_time, 0 = stay where you stopped */
  int32_t buffer_in_anticipation; /* seek: also get ready for anticipated_rate before completing */
  unisono_cause cause;
};

struct unisono_timing {
  uint32_t size;
  unisono_timing_state state; /* ignored in a proposal */
  double rate; /* 0 unless PLAYING (in a proposal: 0 paused) */
  int64_t item_time;
  int64_t host_time; /* in a proposal: only with UNISONO_HAS_HOST_TIME; else it holds from now on */
  int64_t error_bound; /* ns, of the position; ignored in a proposal */
  uint32_t flags; /* UNISONO_HAS_HOST_TIME; always set in what is received. @since 0.2 */
  uint32_t reserved;
};

struct unisono_waiting_for {
  unisono_participant_id participant;
  const char *reason; /* "" = still preparing */
};

struct unisono_timing_change {
  unisono_context_event base;
  unisono_timing_state state;
  unisono_cause cause;
  unisono_participant_id originator;
  const char *item; /* NULL: none current */
  double rate; /* WAITING: the rate it will start with */
  int64_t item_time;
  int64_t host_time; /* PLAYING: anchor; else INVALID */
  int64_t deadline; /* WAITING: host time when waiting ends at the latest; else INVALID */
  const unisono_waiting_for *waiting_for;
  size_t waiting_for_count;
};

struct unisono_suspensions_change {
  unisono_context_event base;
  const char *const *reasons;
  size_t reason_count;
};

/* How it is with the audience that a coordinator listens to, all of it: the newest counts. What there is to play is told here and
 * nowhere else: load `item`, or what `activity` says of it, and unisono_coordinator_transition_to_item; from then on commands
 * come. A hub that tells a listener another time than the group makes it play beside the group. What bounds that are signed times: each
 * word of who speaks bounds how far it is before the group, from the first on; how far after it is bounded once a question of its own is
 * answered, which is asked within 10 s, with over 100 listeners a tenth of a second for each, and then every ten minutes: until then
 * `clock_behind` is INVALID. @since 0.2 */
struct unisono_listening_event {
  unisono_context_event base;
  unisono_listening_status status;
  uint32_t listeners; /* how many listen, the own one included, to two digits; the hub's word; 0: not known */
  const char *item; /* the item that who speaks for the group is at; NULL: none, or not known */
  const unisono_activity *activity; /* what the group does; NULL: nothing, not known, or too long: all that an audience is told beside the line of the item has 32 KiB */
  const char *reason; /* for people; "" nothing to say; never NULL */
  int64_t clock_ahead; /* ns by which the player may be before the group at most, whatever the hub says of the time, and */
  int64_t clock_behind; /* by which it may be after it, beside its own bound (unisono_coordinator_timing); INVALID: nothing bounds it on that side yet. As of the event in which one of them or clock_doubt was another; they grow by 0.2 ms a second */
  int32_t clock_doubt; /* 1: what who speaks for the group signed contradicts the hub's time: what plays is not where the group is, and `reason` says by how much at least; 0: nothing contradicts it */
  uint32_t reserved;
  const unisono_reaction_count *reactions; /* by which one may react (unisono_coordinator_react), each; counts to two digits, every 10 s at most; NULL if there are none */
  size_t reaction_count;
};

struct unisono_playback_delegate {
  uint32_t size;
  uint32_t reserved;
  void (*play)(void *, const unisono_command *);
  void (*pause)(void *, const unisono_command *);
  void (*seek)(void *, const unisono_command *);
  void (*buffer)(void *, const unisono_command *);
  void (*participants_changed)(void *, const unisono_participants_change *);
  void (*suspensions_changed)(void *, const unisono_suspensions_change *);
  void (*timing_changed)(void *, const unisono_timing_change *);
  unisono_error_fn error;
  unisono_released_fn released;
  void (*listening_changed)(void *, const unisono_listening_event *); /* @since 0.2 */
  void (*invited)(void *, const unisono_invite_event *); /* into the session that it listens to. @since 0.2 */
};

/* Whether a running group waits for one whose player stalls. */
struct unisono_stall_policy {
  uint32_t size;
  int32_t wait; /* 1: a running group waits for one that stalls */
  int64_t debounce; /* ns; 0: 300 ms */
  int64_t limit; /* ns; 0: 10 s; INDEFINITE is refused */
};

/* What starts wait for beside players, and what happens when somebody leaves. @since 0.2 */
struct unisono_start_policy {
  uint32_t size;
  unisono_start_rule start;
  int64_t limit; /* ns; how long a start waits for who does not get ready; 0: 60 s */
  unisono_leaving_rule leaving;
  uint32_t reserved;
};

struct unisono_playback_report {
  uint32_t size;
  int32_t stalled;
  double rate; /* as it really runs; 0 paused */
  int64_t item_time; /* UNISONO_HAS_POSITION: where it was at host_time */
  int64_t host_time; /* UNISONO_HAS_POSITION: where it was at host_time */
  int64_t earliest; /* UNISONO_HAS_RANGE: reachable positions (live, seekable range) */
  int64_t latest; /* UNISONO_HAS_RANGE: reachable positions (live, seekable range) */
  uint32_t flags; /* which of these are set. @since 0.2 */
  uint32_t reserved;
};

struct unisono_coordinator_statistics {
  uint32_t size;
  unisono_timing_state state;
  uint64_t commands_issued;
  uint64_t commands_completed;
  uint64_t commands_failed;
  uint64_t commands_superseded;
  uint64_t commands_overdue;
  uint64_t starts;
  uint64_t starts_late;
  int64_t last_start_wait; /* ns from request to start */
  int64_t last_start_error; /* ns, reported position against expected at the last report; INVALID unknown */
};

struct unisono_player_item {
  uint32_t size;
  int32_t is_live; /* item time is the date of the content */
  const char *identifier; /* 1...1023 bytes; what the group compares */
  const char *uri; /* for the renderer alone, never sent; <= 8191 bytes; NULL: the identifier */
  int64_t start_time; /* proposed position, ns; 0 = the beginning */
  int64_t duration; /* ns; 0 or UNISONO_TIME_INVALID: unknown */
};

struct unisono_renderer_command {
  unisono_context_event base; /* .source is the player */
  uint64_t request; /* echo it in the report that answers */
  const char *item; /* identifier */
  const char *uri;
  double rate; /* cue, play; nudge: factor on top, 0.9...1.1 */
  int64_t item_time; /* cue, play, seek */
  int64_t host_time; /* play */
  int64_t tolerance_before; /* seek, ns; INDEFINITE: any */
  int64_t tolerance_after; /* seek, ns; INDEFINITE: any */
  double volume; /* 0...1, ducking applied */
  int32_t width; /* pixels */
  int32_t height; /* pixels */
};

struct unisono_renderer_report {
  uint32_t size;
  unisono_renderer_state state;
  uint64_t request; /* the command this answers; 0: spontaneous */
  int64_t item_time; /* UNISONO_HAS_POSITION: where it was at host_time */
  int64_t host_time; /* UNISONO_HAS_POSITION: where it was at host_time */
  int64_t duration; /* ns; 0 or UNISONO_TIME_INVALID: not said; INDEFINITE: live */
  int64_t seekable_start; /* UNISONO_HAS_RANGE */
  int64_t seekable_end; /* UNISONO_HAS_RANGE */
  int32_t status; /* FAILED: an error code */
  uint32_t flags; /* which of these are set; was `reserved` in 0.1. @since 0.2 */
  const char *message; /* FAILED: for people */
};

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
struct unisono_renderer {
  uint32_t size;
  uint32_t capabilities; /* UNISONO_RENDERER_... */
  double nudge_limit; /* 0: 0.02; at most 0.1 */
  int64_t dead_band; /* ns; 0: 5 ms */
  void (*load)(void *, const unisono_renderer_command *);
  void (*cue)(void *, const unisono_renderer_command *);
  void (*play)(void *, const unisono_renderer_command *);
  void (*pause)(void *, const unisono_renderer_command *);
  void (*seek)(void *, const unisono_renderer_command *);
  void (*nudge)(void *, const unisono_renderer_command *);
  void (*set_volume)(void *, const unisono_renderer_command *);
  int32_t (*now)(void *, int64_t *, int64_t *); /* Where it is, and when that held: UNISONO_OK, or anything else for "not known". NULL: the host reports POSITION. */
  void (*set_render_size)(void *, const unisono_renderer_command *);
  void (*stop)(void *, const unisono_renderer_command *);
  unisono_released_fn released;
};

struct unisono_player_event {
  unisono_context_event base; /* .source is the player */
  unisono_time_control time_control;
  unisono_waiting_reason waiting_reason;
  unisono_item_state item_state;
  unisono_rate_reason rate_reason; /* RATE */
  unisono_participant_id originator; /* zero: local */
  const char *item; /* NULL none */
  double rate;
  int64_t item_time;
  int64_t host_time;
  uint64_t request; /* SEEK_DONE */
  int32_t status; /* SEEK_DONE: OK or ECANCELED by a newer; ITEM_STATE: why failed */
  uint32_t reserved;
};

struct unisono_player_callbacks {
  uint32_t size;
  uint32_t reserved;
  void (*time_control)(void *, const unisono_player_event *);
  void (*rate_changed)(void *, const unisono_player_event *);
  void (*time_jumped)(void *, const unisono_player_event *);
  void (*item_state)(void *, const unisono_player_event *);
  void (*item_ended)(void *, const unisono_player_event *);
  void (*seek_done)(void *, const unisono_player_event *);
  unisono_error_fn error;
  unisono_released_fn released;
  void (*listening_changed)(void *, const unisono_listening_event *); /* of its coordinator. @since 0.2 */
  void (*invited)(void *, const unisono_invite_event *); /* its coordinator, by who it listens to. @since 0.2 */
};

struct unisono_player_statistics {
  uint32_t size;
  uint32_t reserved;
  int64_t skew_last; /* ns; positive: ahead of the group */
  int64_t skew_median; /* ns; positive: ahead of the group */
  int64_t skew_p95; /* ns; positive: ahead of the group */
  int64_t skew_maximum; /* ns; positive: ahead of the group */
  uint64_t nudges;
  uint64_t seeks;
  uint64_t stalls;
  int64_t learnt_start_latency; /* ns */
  int64_t learnt_seek_cost; /* ns */
};

struct unisono_surface_event {
  unisono_context_event base; /* .source is the surface */
  uint64_t request; /* SKIPPED: of skip_by; RESTORE: answer with complete_restore */
  int32_t is_paused;
  int32_t status; /* SKIPPED */
  int64_t start; /* as unisono_surface_time_range has it */
  int64_t duration; /* as unisono_surface_time_range has it */
  int64_t item_time;
  int64_t host_time;
};

struct unisono_surface_callbacks {
  uint32_t size;
  uint32_t reserved;
  void (*changed)(void *, const unisono_surface_event *);
  void (*skipped)(void *, const unisono_surface_event *);
  void (*will_begin)(void *, const unisono_surface_event *);
  void (*will_end)(void *, const unisono_surface_event *);
  void (*restore_user_interface)(void *, const unisono_surface_event *);
  unisono_released_fn released;
};

/* @since 0.2 */
struct unisono_hub_callbacks {
  uint32_t size;
  uint32_t reserved;
  unisono_released_fn released;
};

struct unisono_hub_statistics {
  uint32_t size;
  uint32_t reserved;
  uint64_t rooms;
  uint64_t connections;
  uint64_t frames_in;
  uint64_t frames_out;
  uint64_t bytes_in;
  uint64_t bytes_out;
  uint64_t refused;
  uint64_t closed_slow;
  uint64_t probes;
};

struct unisono_service {
  uint32_t size;
  uint32_t platforms; /* those it supports; 0: any */
  uint32_t platform; /* this device's; 0: found out */
  uint32_t reserved;
  const char *identifier; /* 1...63 bytes of a-z 0-9 - . */
  const char *usage_description; /* 1...255 bytes */
  const char *device_name; /* <= 63 bytes; NULL: the context's */
};

struct unisono_nearby_event {
  unisono_context_event base; /* .source is the advertiser or the browser */
  uint64_t device; /* stable while known to this browser */
  unisono_join_request *request; /* JOIN_REQUESTED, JOIN_WITHDRAWN; an advertiser's INVITE */
  const char *device_name; /* unverified text of the other side */
  const char *usage_description;
  const char *invite; /* INVITE */
  uint32_t platform;
  int32_t status; /* FAILED: ETIMEDOUT also for a denial */
  char digits[8]; /* six digits and NUL; JOIN_REQUESTED, DIGITS */
  unisono_intent intent; /* FOUND, UPDATED: what may be asked; else: what was asked */
  uint32_t reserved;
};

struct unisono_advertiser_callbacks {
  uint32_t size;
  uint32_t reserved;
  void (*join_requested)(void *, const unisono_nearby_event *);
  void (*join_withdrawn)(void *, const unisono_nearby_event *);
  unisono_error_fn error;
  unisono_released_fn released;
  void (*invite)(void *, const unisono_nearby_event *); /* an accepted INVITE brought it */
};

struct unisono_browser_callbacks {
  uint32_t size;
  uint32_t reserved;
  void (*found)(void *, const unisono_nearby_event *);
  void (*updated)(void *, const unisono_nearby_event *);
  void (*lost)(void *, const unisono_nearby_event *);
  void (*digits)(void *, const unisono_nearby_event *);
  void (*invite)(void *, const unisono_nearby_event *);
  void (*failed)(void *, const unisono_nearby_event *);
  unisono_error_fn error;
  unisono_released_fn released;
};

/* @since 0.2 */
struct unisono_simulation_options {
  uint32_t size;
  uint32_t reserved;
  uint64_t random_seed; /* of everything that is random, keys, too; every number is one */
  int64_t start_time; /* host time at first, ns, >= 0; 0: 1,000 s */
};

/* How a context is connected to all others: what it sends takes its delay_out and the other's delay_in. Zeroes: at once.
 * @since 0.2 */
struct unisono_simulated_link {
  uint32_t size;
  int32_t down; /* 1: nothing passes; streams stand still, and go on when the link is up again */
  int64_t delay_out; /* ns one way, 0...60 s */
  int64_t delay_in; /* ns one way, 0...60 s */
  int64_t jitter; /* ns: each passage is late or early by up to so much, 0...60 s; streams keep their order */
  double loss; /* share of datagrams that are lost, 0...1; streams lose nothing */
};

/* UNISONO_RT. The library's version, like "0.2.0". Static text, never NULL. */
const char *unisono_version(void);

/* UNISONO_RT. The API version this library implements, major << 16 | minor. Compare with UNISONO_API_VERSION: the same major, and a
 * minor at least as great, has everything this header declares. */
uint32_t unisono_api_version(void);

/* UNISONO_RT. Text of a status, like "UNISONO_EINVAL: invalid argument". Answers any number ("unknown error -7"); static, never
 * NULL. */
const char *unisono_strerror(int32_t status);

/* The sentence that belongs to the last failing call of this thread: what was wrong, in which function, how to mend it.
 * Valid until this thread's next call of this library; "" when none failed. Success does not clear it, and realtime-
 * safe functions do not set it. */
const char *unisono_last_error(void);

/* UNISONO_RT. Host time now: nanoseconds of the monotonic clock (CLOCK_MONOTONIC; mach_absolute_time in ns on macOS). Equals
 * uv_hrtime and Python's time.monotonic_ns. Clocks of other origin (SDL, mpv) differ by a constant: read both once and
 * subtract. Within a context, unisono_context_host_time is the better question: it also holds on a simulated clock. */
int64_t unisono_host_time(void);

/* Ends what a function returned through a parameter named `owned`, with all that hangs on it.
 * owned: that pointer; NULL does nothing; an address that is none of the library's is ignored. */
void unisono_free(const void *owned);

/* Makes a context: one event loop and everything that lives on it.
 * options: NULL: polled, defaults. See unisono_context_options for units and limits of each field. Copied.
 * callbacks: copied; NULL: none. user: for them.
 * out: where the handle goes; end it with unisono_context_destroy.
 * Errors: UNISONO_EINVAL (own_thread and uv_loop together, a limit exceeded, an unknown log level), UNISONO_ENOMEM,
 * UNISONO_ENOTSUP (uv_loop_size is not this library's, or a field is set that this library does not know), UNISONO_EIO
 * (storage_path is no folder that can be used).
 * With uv_loop, call it on the thread that runs that loop. */
int32_t unisono_context_create(const unisono_context_options *options, const unisono_context_callbacks *callbacks, void *user, unisono_context **out);

/* UNISONO_WAITS. Destroys a context and everything made from it: see LIFETIMES 6 to 8. Its sessions leave: this call is all that leaving in
 * order takes. NULL and destroyed handles: nothing happens. On
 * a foreign loop it must be called on the thread of that loop, otherwise nothing happens but a line in the log. */
void unisono_context_destroy(unisono_context *context);

/* One descriptor that is readable when anything is due: sockets, calls from other threads, timers, queued events. Wait
 * for it, then call unisono_context_poll (or unisono_context_next_event until it returns 0). With own_thread: readable
 * while the event queue holds something. Never read from, write to or close it; it is the context's.
 * Returns: the descriptor >= 0. Errors: UNISONO_ENOTSUP (Windows: use unisono_context_timeout and `wakeup`),
 * UNISONO_ESTATE (uv_loop; own_thread without event_queue). */
int32_t unisono_context_fd(unisono_context *context);

/* Nanoseconds until the next timer of a polled context: 0 due now, UNISONO_TIME_INDEFINITE no timer; fit to be the
 * max_wait of the next poll. Only for hosts that cannot wait for a descriptor; changes with every call made to the
 * library.
 * Errors (negative): UNISONO_ESTATE (own_thread, uv_loop) and the usual ones. */
int64_t unisono_context_timeout(unisono_context *context);

/* UNISONO_LOOP. Runs what is due on a polled context and delivers callbacks on this thread.
 * max_wait: longest wait in ns; 0 does not wait; UNISONO_TIME_INDEFINITE or negative: no limit. May return earlier, also
 * with 0.
 * Returns: the number of deliveries, callbacks and queued events, >= 0.
 * Errors: UNISONO_ESTATE (own_thread, uv_loop, or inside a callback), UNISONO_EBUSY (another thread is in it),
 * UNISONO_ECLOSED (also when the context is destroyed meanwhile). */
int32_t unisono_context_poll(unisono_context *context, int64_t max_wait);

/* UNISONO_LOOP. Fetches the next event of a context with event_queue, running the loop as unisono_context_poll does where it is
 * polled.
 * max_wait: longest wait in ns for an event; 0 does not wait; UNISONO_TIME_INDEFINITE or negative: no limit.
 * out: the event, or NULL; `type` names the payload struct this head begins (skip types you do not know), and
 * unisono_event_command and its kin give it. Valid until the next call of this function on this context, or until the
 * context is destroyed.
 * Returns: 1 with an event, 0 without. Order is kept within the queue. State-like events (state, activity,
 * participants, timing, suspensions) are kept newest-only. Commands are never dropped one by one: those for an item no
 * longer current are taken out, and above 64 unread ones the present state replaces them all. Log lines and errors
 * beyond event_queue_limit are dropped, counted and told by one OVERFLOW event.
 * Errors: UNISONO_ESTATE (no event_queue, or inside a callback), UNISONO_EBUSY (another thread is in it or in poll),
 * UNISONO_ECLOSED. */
int32_t unisono_context_next_event(unisono_context *context, int64_t max_wait, const unisono_context_event **out);

/* UNISONO_RT. Makes a poll or next_event that waits return 0 soon; the next one, when none waits. Calls coalesce. */
int32_t unisono_context_wake(unisono_context *context);

/* UNISONO_RT. The clock this context lives by, ns: unisono_host_time(), unless the context is simulated. Negative: an error. */
int64_t unisono_context_host_time(unisono_context *context);

/* Calls fn once on the loop when a host time has come.
 * host_time: ns; past: at once, but never inside this call.
 * fn: called exactly once: status UNISONO_OK when due, UNISONO_ECANCELED after unisono_context_cancel or destroy. NULL:
 * a TIMER event in the event queue instead.
 * user: for fn, and `base.user` of the event.
 * token: may be NULL; set before fn can run; never 0; for unisono_context_cancel.
 * Errors: UNISONO_EINVAL (fn NULL without event_queue; host_time UNISONO_TIME_INVALID), UNISONO_EFULL (65,536 are
 * pending). */
int32_t unisono_context_call_at(unisono_context *context, int64_t host_time, unisono_timer_fn fn, void *user, uint64_t *token);

/* Cancels a unisono_context_call_at: its fn gets UNISONO_ECANCELED, later, on the loop.
 * Errors: UNISONO_ENOTFOUND (it has fired, is firing, or never was). */
int32_t unisono_context_cancel(unisono_context *context, uint64_t token);

/* Forgets answers that unisono_session_answer_consent remembered: people are asked again.
 * type: UNISONO_ACTIVITY_ALL: of every type.
 * Errors: UNISONO_EINVAL (no such type), UNISONO_EIO (storage_path cannot be written; forgotten for this context). */
int32_t unisono_context_forget_answers(unisono_context *context, unisono_activity_type type);

/* UNISONO_WAITS. Makes a session and hosts it: this device begins a new group. When options->hub is NULL a hub is started in this
 * process and is bound before this function returns, so that unisono_session_invite works at once. Join with
 * unisono_session_join.
 * options: NULL: defaults. Copied. hub: the line that "unisono hub" prints, or that of unisono_hub_line:
 * "unisono-hub://host:port/id", and behind it "/token" where the hub's operator gave one. The id says which hub it is: no other
 * at that address is talked to.
 * callbacks: copied; NULL: the event queue, or read with the getters. user: for them, and `base.user` of its events.
 * out: end it with unisono_session_destroy.
 * options->continuation: the group of another day goes on instead (unisono_session_continuation): this participant is who it was, and
 * looks for the others where they were, at `hub`, and at the hub in this process. control_policy, activity, role, succession and
 * succession_delay are the group's then and count for nothing.
 * Errors: UNISONO_EINVAL (a limit exceeded, or a hub's line that is none), UNISONO_ETOOBIG (activity, continuation), UNISONO_ENETWORK (an
 * address is in use or cannot be parsed), UNISONO_ENOMEM, UNISONO_ENOTSUP (a field is set that this library does not know). Of a
 * continuation: UNISONO_EINVAL (it is none, a limit exceeded, or neither key nor person), UNISONO_EAUTH (another key, or a byte was
 * changed), UNISONO_ETIMEDOUT (too old), UNISONO_EVERSION (made by a newer library), UNISONO_EPROTOCOL (it proves nothing). */
int32_t unisono_session_host(unisono_context *context, const unisono_session_options *options, const unisono_session_callbacks *callbacks, void *user, unisono_session **out);

/* UNISONO_WAITS. Opens an invite. Only parses: the session is WAITING until unisono_session_join; faults of the network appear as
 * state. The activity may be known before joining (SESSION_ACTIVITY).
 * invite: the text from unisono_session_invite of somebody in the group; 1...4,095 bytes. It is a secret. A line as it was
 * pasted will do: words in front, and quotes, brackets and white space around it are passed over.
 * options: NULL: defaults. Copied. control_policy, hub, hub_options, activity, succession and succession_delay are the
 * host's to set and count for nothing here. continuation: of the invite's session; this participant comes as who it was, wherever
 * the group is by now, also after its hubs changed or somebody was removed; role counts for nothing then.
 * callbacks, user: as for unisono_session_host.
 * out: end it with unisono_session_destroy.
 * Errors: UNISONO_EINVAL (unisono_last_error says which part of the invite; a continuation of another session), UNISONO_EVERSION
 * (made by a newer library), UNISONO_ENOMEM, UNISONO_ENOTSUP; of a continuation as for unisono_session_host. */
int32_t unisono_session_open(unisono_context *context, const char *invite, const unisono_session_options *options, const unisono_session_callbacks *callbacks, void *user, unisono_session **out);

/* UNISONO_WAITS. Leaves, then closes: the others see it at once, also when the hub was in this process and goes with it. Only what cannot
 * be sent at once (a link that is congested or lost) is not: to see that it went, unisono_session_leave first, and destroy
 * after INVALIDATED. NULL and destroyed handles: nothing happens. A coordinator on it goes on alone. */
void unisono_session_destroy(unisono_session *session);

/* The invite to pass on, as text; whoever has it can join. It lists the hub in use and up to 15 more: those that the
 * participants keep ready, this one's included, so that it leads to the group also when its first hub is dead by then. It
 * changes with them (SESSION_INVITE); pass on the newest. Before the group was met it is the one that was opened: nobody is
 * led to anywhere else than the group.
 * buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 4,096 bytes always suffice.
 * Errors: UNISONO_ETOOBIG (too little room; *length says how much), UNISONO_ESTATE (invalidated). */
int32_t unisono_session_invite(unisono_session *session, char *buffer, size_t *length);

/* UNISONO_WAITS. What this participant goes on from on another day, by `continuation` of unisono_session_options; no server remembers anything. It holds,
 * sealed, its identity with the keys, the way to the group (door, hubs, and their passes), who was in it, the policy (roles, who was
 * removed, closed), and what the group does: activity, settings, playlist, the current item and its place. It does not hold chat,
 * attachments, a scheduled start or what players reported. Each of the group who has one goes on, in any order, and they are one group:
 * paused where the one was who was there last, with the roles of then. They meet at a hub that all of them know and that is there
 * again: one by itself, or the hub in a participant's process, which has the same id again and is found if its address and port are
 * the same (hub_options.listen); else by a new invite of one of them, with which the others open theirs. Who alone may not command
 * waits for one who may.
 * Whoever has it and the key is this participant: keep it as a private key is kept (mode 0600), and begin no two sessions with it at
 * once (one of them is INVALIDATED with UNISONO_EBUSY). It shows nothing without the key. It knows of nothing later: take a new one when
 * SESSION_INVITE or SESSION_PARTICIPANTS comes, every few minutes, and before unisono_session_leave and unisono_session_end. Of one
 * who was removed after it took its own, and of what others' older ones still open, docs/security.md has what is promised.
 * key, key_length: what to seal it with, 16...1,024 bytes that nobody can guess, no password; NULL and 0: the context's `person`, so that
 * all devices of the person can open it.
 * owned: end it with unisono_free.
 * Errors: UNISONO_EINVAL (owned is NULL, key_length, or neither key nor person), UNISONO_ESTATE (not joined, group time is not known
 * yet, or the group is on its way to another room: again in a moment), UNISONO_ETOOBIG (what the group does does not fit).
 * @since 0.2 */
int32_t unisono_session_continuation(unisono_session *session, const void *key, size_t key_length, const unisono_continuation **owned);

/* From where the best of an invite's addresses can be reached, as they are spelled: nothing is looked up or tried. Whoever
 * shows an invite says with it when all of its addresses are private: nobody elsewhere can join by it.
 * invite: as for unisono_session_open.
 * Returns: a unisono_reach >= 0. Errors: UNISONO_EINVAL, UNISONO_EVERSION, as unisono_session_open.
 * @since 0.2 */
int32_t unisono_invite_reach(const char *invite);

/* Enters the group. Returns at once; the state becomes JOINED when the group's complete state is here: who hosts the session
 * has it, everybody else gets it from a member. Who finds no member stays WAITING for as long as that is so, with reason
 * UNISONO_ENOTFOUND or that of the network, and looks for one at all hubs that its invite lists, again and again; its player
 * acts alone meanwhile. Where there is no place, at the hub or among the 256 participants that a session can have, the
 * state is WAITING and CONNECTING with reason UNISONO_EFULL, and the session goes in by itself when a place is free; where an
 * owner closed the group, with reason UNISONO_EDENIED, until it is open.
 * Joining again: OK, nothing happens.
 * Errors: UNISONO_ESTATE (invalidated). */
int32_t unisono_session_join(unisono_session *session);

/* Leaves the group, which goes on: the state becomes INVALIDATED with reason UNISONO_OK. Coming back is a new session
 * object.
 * Errors: UNISONO_ESTATE (invalidated). */
int32_t unisono_session_leave(unisono_session *session);

/* Ends the session for everybody: their state becomes INVALIDATED with reason UNISONO_EENDED, for good, but that who kept a
 * unisono_session_continuation may go on from it on another day. While the object
 * exists, those who come within 5 s are informed, too; later ones find nobody.
 * Errors: UNISONO_ESTATE (not joined, or invalidated; late: the connection is lost, so that the others cannot be told),
 * UNISONO_EDENIED (late too: this participant may not). */
int32_t unisono_session_end(unisono_session *session);

/* Returns: a unisono_session_state >= 0, or an error.
 * @since 0.2 */
int32_t unisono_session_get_state(unisono_session *session);

/* Returns: the own link as a unisono_connection >= 0, or an error. */
int32_t unisono_session_connection(unisono_session *session);

/* The own identifier in this session, known from creation on.
 * id_out: 16 bytes are written. */
int32_t unisono_session_local_participant(unisono_session *session, unisono_participant_id *id_out);

/* Who is there, the local one included, sorted by id.
 * owned: a snapshot; end it with unisono_free.
 * Errors: UNISONO_ENOMEM. */
int32_t unisono_session_participants(unisono_session *session, const unisono_participants **owned);

/* Sets or changes what the group does together; everybody gets SESSION_ACTIVITY.
 * activity: copied; limits at unisono_activity.
 * Errors: UNISONO_EINVAL (no identifier, unknown type), UNISONO_ETOOBIG (a limit exceeded), UNISONO_ESTATE (not
 * joined), UNISONO_EDENIED (late too). */
int32_t unisono_session_activate(unisono_session *session, const unisono_activity *activity);

/* What the group does together.
 * owned: a snapshot; end it with unisono_free. NULL with UNISONO_OK: nothing yet.
 * Errors: UNISONO_ENOMEM. */
int32_t unisono_session_activity(unisono_session *session, const unisono_activity **owned);

/* Gives a participant another role; only an owner may. Whoever is made an owner may do what this function and the next two
 * do, but not to owners who became that before it. Everybody is told by SESSION_PARTICIPANTS. What the participant commanded
 * before stays; what it commands later, or has on the way, counts by its new role, alike for everybody.
 * When the last owner leaves with unisono_session_leave, the first deputy that is there becomes owner, else the participant
 * of the highest role that has been there longest. For one that is gone without leaving see unisono_session_set_deputies.
 * participant: in the session, this one excepted. role: VIEWER, MEMBER, HOST or OWNER.
 * Errors: UNISONO_EINVAL (participant is NULL, no role), UNISONO_ENOTFOUND (nobody has this id), UNISONO_ESTATE (not
 * joined), UNISONO_EDENIED (not an owner; late too, through error: the participant is a more senior owner, the lists are
 * full, or another owner's change came first and it is not an owner's to make any more). */
int32_t unisono_session_set_role(unisono_session *session, const unisono_participant_id *participant, unisono_role role);

/* Says who may command playback, change the activity and end the session; only an owner may.
 * Errors: UNISONO_EINVAL (no unisono_control_policy), UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an owner; late too). */
int32_t unisono_session_set_control_policy(unisono_session *session, unisono_control_policy policy);

/* Closes the group, or opens it again; only an owner may. While it is closed nobody new is let in, whoever has the invite: so a
 * leaked one is worth nothing for as long, and nobody's room or invite changes. Who is in stays in, and comes back after a lost
 * link; a process that was started again is somebody new. Everybody is told by SESSION_STATE (`closed`). Who wants in is WAITING
 * with reason UNISONO_EDENIED, asks again every few seconds, and gets in by itself once the group is open. It stands until it is
 * changed, also when owners leave. Members whose library is not this one, or who do not know of it yet, may still let somebody in:
 * SESSION_PARTICIPANTS shows it.
 * closed: 0 or 1.
 * Errors: UNISONO_EINVAL (closed), UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an owner; late too, through error: another
 * owner's change came first). @since 0.2 */
int32_t unisono_session_set_closed(unisono_session *session, int32_t closed);

/* Opens an audience: whoever has its link (unisono_session_audience_link) follows what the group plays, by
 * unisono_coordinator_listen, any number of devices at once, and takes part in nothing. Listeners are in no list of
 * participants, hear no chat and no messages, are not waited for, and cannot command; they see who commands and what plays,
 * with the activity. The group goes on as it was. The audience is the session's: one of its owners and hosts speaks for the group in it,
 * at first who opened it, of the item that its own coordinator is at. When that one leaves, or its process dies, another one goes on
 * within a second or two, when its network is lost some seconds later; where none is there any more, or the session ends, the audience is
 * closed. The hub in use carries it; docs/audiences.md has what is promised, and what is not: whoever has the link can listen, and a
 * single stranger cannot be put out of an open audience.
 * It takes a session in which hosts alone command, so that nobody who came by the invite speaks to all: control policy
 * UNISONO_CONTROL_HOSTS_ONLY, and newcomers who are less than hosts. SESSION_AUDIENCE tells when it is open, how many listen, and why
 * it was closed: it is when one of these conditions is not met any more. It goes along when the session changes its hub.
 * Where the session has an audience a start is written 1.5 s before it begins, so that who listens begins with the group; so it is where
 * this participant is alone in the session. Of those who listen nobody is waited for, unless `ready_share` says so: then a start waits,
 * as for one participant more, until that share of them is ready or `ready_wait` is over. Others see it wait for who speaks to the
 * audience.
 *
 *     const char *reactions[] = { "\xE2\x9D\xA4", "\xF0\x9F\x91\x8F" };
 *     unisono_audience_options options = UNISONO_AUDIENCE_OPTIONS_INIT;
 *     options.reactions = reactions;
 *     options.reaction_count = 2;
 *     unisono_session_open_audience(session, &options);
 *     ... SESSION_AUDIENCE with UNISONO_AUDIENCE_OPEN:
 *     char link[4096];  size_t length = sizeof link;
 *     if (unisono_session_audience_link(session, link, &length) == UNISONO_OK) publish(link);
 *
 * options: NULL: nobody who listens is waited for, and nobody reacts. Copied; they hold as long as it is open, for whoever speaks to it.
 * Errors: UNISONO_EINVAL (an option), UNISONO_ENOTSUP (a longer struct whose tail is not zero), UNISONO_ESTATE (not joined, others than
 * hosts may command, newcomers are hosts, the session has an audience, or no hub is known that a link could name; late too),
 * UNISONO_EDENIED (this participant may not command; late too). @since 0.2 */
int32_t unisono_session_open_audience(unisono_session *session, const unisono_audience_options *options);

/* Closes the session's audience, whoever opened it, for an owner or host: its listeners are told OVER, and their players go on alone.
 * Another unisono_session_open_audience makes another one, with another link. One that is closed: OK, nothing happens.
 * Errors: UNISONO_ESTATE (invalidated). @since 0.2 */
int32_t unisono_session_close_audience(unisono_session *session);

/* Gives the session's audience another link, for any owner or host: the old one is known to who should not have it, or an owner or host
 * is none any more. Who listens goes along by itself, and plays on meanwhile; so does who comes with the old link in the next 10 min.
 * Who comes with it later is told OVER, with a reason that says so. It puts nobody out: who listens when it is renewed goes along, good
 * or bad. unisono_session_audience_link gives the new link once the loop has turned; SESSION_AUDIENCE says OPENING, and OPEN once it is
 * good; to other owners and hosts it says once more that it is OPEN. Whoever renews speaks to it from then on. Once more makes one more,
 * whether or not everybody has gone along.
 * Errors: UNISONO_ESTATE (not joined, or no audience is open, or what it takes to speak to it has not come yet from another host; late
 * too), UNISONO_EDENIED (this participant may not command; late too). @since 0.2 */
int32_t unisono_session_renew_audience(unisono_session *session);

/* The link that listeners need, as text: for unisono_coordinator_listen, and no invite; nobody joins with it. It is there as soon as the
 * audience is asked for, and good once SESSION_AUDIENCE says OPEN; every owner and host has the same. It stays as it is until the audience
 * is renewed or closed: it lists the hubs that an invite listed then.
 * buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 4,096 bytes always suffice.
 * Errors: UNISONO_ETOOBIG (too little room; *length says how much), UNISONO_ESTATE (no audience is open, this participant is no
 * owner or host, or the session is invalidated). @since 0.2 */
int32_t unisono_session_audience_link(unisono_session *session, char *buffer, size_t *length);

/* Lets a listener into the session: its coordinator gets this session's invite, as COORDINATOR_INVITED, sealed so that neither the hub nor
 * others with the link can read it. It comes in as whoever has the invite, with the role of newcomers, and may pass the invite on. That it
 * comes is not certain: its person may not want any more, and the session may be full or closed. Once more does no harm.
 * listener: who asked (UNISONO_LISTENER_ASKS of SESSION_LISTENER) in the audience that this participant speaks to; of the last 256 who did.
 * Errors: UNISONO_EINVAL (NULL), UNISONO_ESTATE (not joined, or no audience is open; late, through error: its hub is not reached),
 * UNISONO_ENOTFOUND (this one did not ask, or too long ago; late too). @since 0.2 */
int32_t unisono_session_invite_listener(unisono_session *session, const unisono_participant_id *listener);

/* Names who stands in for the owners when none of them is there and none has left with unisono_session_leave: a process died,
 * a machine sleeps, a network broke. When no owner was there for `delay`, the first of the deputies who is there acts as
 * owner: it may do all that an owner may, but to no owner. Everybody is told by SESSION_SUCCESSION, and SESSION_PARTICIPANTS
 * shows it as OWNER. When an owner is back, that ends: what was commanded and said of roles meanwhile stays, who was made
 * owner meanwhile is none any more. Nobody believes a deputy while it sees an owner itself (REFUSED). An owner whose process
 * was started again is another participant: who acts as owner makes it an owner by unisono_session_set_role.
 * Only an owner may. Without this call deputies are listed by seniority (options.succession): the library lists the four who
 * have been there longest, hosts before members, viewers never, and only while not EVERYONE may command.
 * deputies, count: participants of the session, in their order, without doubles, no owners; at most 8, copied. With 8 owners
 * there is no room for deputies.
 * succession: NAMED with deputies; with none: DEFAULT, BY_SENIORITY or NOBODY.
 * delay: ns, 5 s...1 h; 0: 30 s.
 * Errors: UNISONO_EINVAL (deputies is NULL with a count, a double, an owner; succession; delay), UNISONO_ENOTFOUND (nobody has
 * this id), UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an owner; late too: there are eight owners, or another owner's
 * change came first). @since 0.2 */
int32_t unisono_session_set_deputies(unisono_session *session, const unisono_participant_id *deputies, size_t count, unisono_succession succession, int64_t delay);

/* Who stands in when no owner is there, and who does so now.
 * out: set out->size before the call (UNISONO_SUCCESSION_STATE_INIT); no more than that is written.
 * Errors: UNISONO_EINVAL (out is NULL, its size). @since 0.2 */
int32_t unisono_session_get_succession(unisono_session *session, unisono_succession_state *out);

/* Asks those who may command to do so: "could you pause?" They get SESSION_REQUEST with status OPEN, nobody else can read it.
 * This participant is told once what became of it, by SESSION_REQUEST with its own id: GRANTED by the first who does,
 * DECLINED when all have declined, UNANSWERED after 30 s. It is about the item that this session's coordinator is on.
 * request: copied. text: <= 255 bytes.
 * number_out: the request's number; NULL: not wanted.
 * Errors: UNISONO_EINVAL (NULL, unknown kind, item_time), UNISONO_ETOOBIG (text), UNISONO_ESTATE (not joined, no current
 * item, or this participant may command itself), UNISONO_ENOTFOUND (nobody who may command is there; late too),
 * UNISONO_EBUSY (more than one in a second; late too: four are open), UNISONO_EFULL (too many calls wait for the loop).
 * @since 0.2 */
int32_t unisono_session_request_command(unisono_session *session, const unisono_request *request, uint64_t *number_out);

/* Answers a SESSION_REQUEST that is OPEN. Granted, it is carried out at once as if this host had asked its coordinator for
 * it, and everybody who was asked is told. Declined, only the asker may hear of it. It may be left unanswered.
 * asker, number: as the event told them.
 * granted: 0 or 1.
 * Errors: UNISONO_EINVAL (asker is NULL), UNISONO_ENOTFOUND (no such request is open here; late too), UNISONO_ESTATE (not
 * joined; to be granted, and this session's coordinator is on another item), UNISONO_EDENIED (this participant may not
 * command any more), UNISONO_EFULL. @since 0.2 */
int32_t unisono_session_answer_request(unisono_session *session, const unisono_participant_id *asker, uint64_t number, int32_t granted);

/* Puts a participant out for good, with all devices of its person; only an owner may. The session moves to a new door with a
 * new key, which the removed one does not get: it can read nothing more and cannot come back, and is INVALIDATED with
 * UNISONO_EDENIED. The others play on. The invite is another one from then on (SESSION_INVITE); the old one leads nowhere.
 * Who is away for less than ten minutes is let in again when it returns.
 * participant: in the session; not this one.
 * Errors: UNISONO_EINVAL (NULL, this one), UNISONO_ENOTFOUND, UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an owner;
 * late too: it is a more senior owner). */
int32_t unisono_session_remove_participant(unisono_session *session, const unisono_participant_id *participant);

/* Asks the person at this device, through the `consent` callback or a CONSENT event, whether an activity is to be begun
 * with the group, unless an answer for its type (unisono_activity_type) is remembered. What is asked is answered by
 * unisono_session_answer_consent; without a consent callback and an event queue the answer is PREFERRED. Where no other
 * participant is in touch and no device follows the session there is nobody to share it with: nobody is asked, and the answer
 * is DISABLED. Who does not know yet who is there (an invite was opened a moment ago) is asked. It changes nothing
 * by itself: at PREFERRED call unisono_session_activate, at DISABLED begin alone, at CANCELLED do not begin.
 * activity: copied; limits at unisono_activity.
 * fn: called exactly once, later, on the loop: with `result`, and `remembered` 1 when that is a remembered answer. CANCELLED when
 * nobody answered for 60 s, or when the session is destroyed. NULL: an ACTIVATION event in the event queue instead.
 * user: for fn, and `base.user` of its event.
 * Errors: UNISONO_EINVAL (fn NULL without event_queue; see unisono_session_activate), UNISONO_ETOOBIG, UNISONO_ESTATE
 * (invalidated), UNISONO_EBUSY (one is open), UNISONO_EFULL (too many calls wait for the loop). */
int32_t unisono_session_prepare_for_activation(unisono_session *session, const unisono_activity *activity, unisono_activation_fn fn, void *user);

/* Answers a CONSENT.
 * request: as the event told it.
 * answer: PREFERRED: with the group; DISABLED: alone; CANCELLED: not at all.
 * remember: 1: the same answer for every activity of this type from now on, without asking (not CANCELLED); kept in
 * `storage_path` of the context, or as long as the context lives. unisono_context_forget_answers forgets it.
 * Errors: UNISONO_EINVAL (no unisono_activation_result), UNISONO_ENOTFOUND (answered, or too late). */
int32_t unisono_session_answer_consent(unisono_session *session, uint64_t request, unisono_activation_result answer, int32_t remember);

/* Sends bytes to other participants, who get SESSION_MESSAGE; the sender gets none. Who joins later does not get it.
 * Reliable messages of one sender come once and in order, also across lost links of up to 30 s and the hub's death;
 * unreliable ones come at once or not at all, in any order.
 * data, length: 0...65,536 bytes, copied. NULL only with length 0.
 * to, to_count: ids of participants, copied; the others cannot read it. 0: all others (to is not looked at). At most 256.
 * Errors: UNISONO_EINVAL, UNISONO_ETOOBIG (length), UNISONO_ESTATE (not joined), UNISONO_ENOTFOUND (an id is no
 * participant), UNISONO_EBUSY (1 MiB waits to be sent; SESSION_WRITABLE says when to go on), UNISONO_EFULL (too many calls
 * wait for the loop). */
int32_t unisono_session_send(unisono_session *session, const void *data, size_t length, unisono_delivery delivery, const unisono_participant_id *to, size_t to_count);

/* Sends bytes that have a type, by which receivers tell them apart: unisono_session_send with a name and a version, which come
 * as `type` and `version` of the message. The library compares nothing: a receiver ignores the types that it does not know,
 * and reads those versions of a type that it knows. All types of one sender share one order.
 * type: 1...127 bytes of UTF-8, such as "org.example.drawing.stroke". version: of what the type names; any.
 * The others, and errors: as unisono_session_send; UNISONO_EINVAL (no type, or a longer one).
 * @since 0.2 */
int32_t unisono_session_send_typed(unisono_session *session, const char *type, uint32_t version, const void *data, size_t length, unisono_delivery delivery, const unisono_participant_id *to, size_t to_count);

/* Sends bytes that the others get when their own playback is at a place of an item ("when the film is at 0:42:10"): each host gets
 * SESSION_MESSAGE when its player, as far as it was told, stands there or runs past it, in either direction. Reliable.
 *
 * It comes once. A jump over the place does not deliver it: it waits on, and comes when playback is sent back and meets it. Where the
 * place was passed no more than 2 s before the message came, it comes at once; where it was passed earlier, it waits likewise. Who
 * is apart goes by its own playback. Who joins later does not get it. A host that is at another item gets it when it is at this
 * one. A receiver keeps 64 of one sender, for 12 hours or until it leaves; of more it is told (SESSION_IGNORED).
 * item: 1...1,023 bytes of UTF-8. item_time: ns, any but UNISONO_TIME_INVALID.
 * type: as in unisono_session_send_typed; NULL: none, and version is not looked at.
 * The others, and errors: as unisono_session_send; UNISONO_EINVAL; UNISONO_EBUSY (late: 64 of this participant wait, by its own
 * playback). More than 64 KiB: attach it before (unisono_session_attach_bytes), and send the attachment's name at the place.
 * @since 0.2 */
int32_t unisono_session_send_at(unisono_session *session, const char *item, int64_t item_time, const char *type, uint32_t version, const void *data, size_t length, const unisono_participant_id *to, size_t to_count);

/* Everybody on an item begins to play at one time, "at 20:15" or "in ten minutes": the group prepares 3 s before, and starts at the
 * instant, as far as players are ready; what starts wait for applies. It is for the whole session, outlives who scheduled it, and
 * takes the place of one scheduled before. Everybody gets SESSION_SCHEDULE, with the countdown; hosts that are not on the item make
 * their transition in time. Whoever plays the item before, or commands its rate in the last 3 s, has decided otherwise. Whoever
 * may command may schedule.
 * item: 1...1,023 bytes of UTF-8. host_time: of this device, from now on and at most 7 days ahead; calendar_time: what the person's
 * clock shows then, ns since 1970, or UNISONO_TIME_INVALID. The library reads no calendar: of a time of day a host makes the host
 * time, unisono_host_time() + (time of day - what its clock shows now). All begin at that one instant, by group time, however
 * wrong any calendar clock is.
 * Errors: UNISONO_EINVAL (no item, a time that is past or too far ahead), UNISONO_ESTATE (not joined; late: group time is not known
 * yet), UNISONO_EDENIED (late). @since 0.2 */
int32_t unisono_session_schedule_start(unisono_session *session, const char *item, int64_t host_time, int64_t calendar_time);

/* Calls the scheduled start off; nothing where none is scheduled.
 * Errors: UNISONO_ESTATE (as above), UNISONO_EDENIED (late). @since 0.2 */
int32_t unisono_session_cancel_start(unisono_session *session);

/* The start that is scheduled and still to come.
 * owned: the address of a variable; NULL comes where nothing is. Errors: UNISONO_EINVAL. @since 0.2 */
int32_t unisono_session_scheduled_start(unisono_session *session, const unisono_scheduled_start **owned);

/* Says something in writing: everybody gets SESSION_CHAT, this participant, too. The last 200 entries (and at most 128 KiB of them)
 * are kept by every participant and told to those who come later; nobody can change or invent the words of another. The item and
 * the position at which the group is now are said with it. What is said without a connection reaches the others when it is back.
 * text: 1...2,000 bytes of UTF-8; no control characters but U+000A, and none that turn the direction of writing.
 * number_out: the entry's number; NULL: not wanted.
 * Errors: UNISONO_EINVAL (no text, not UTF-8, a control character), UNISONO_ETOOBIG, UNISONO_ESTATE (not joined), UNISONO_EBUSY (more
 * than 10 in 10 s; the message says in how many seconds there may be another), UNISONO_EFULL (too many calls wait for the loop).
 * @since 0.2 */
int32_t unisono_session_chat(unisono_session *session, const char *text, uint64_t *number_out);

/* Reacts to what is on just now: everybody gets SESSION_CHAT, this participant, too. Not kept, and lost to who is not there.
 * text: 1...32 bytes of UTF-8, such as an emoji; no control characters.
 * Errors: as unisono_session_chat; UNISONO_EBUSY: more than 20 in 10 s. @since 0.2 */
int32_t unisono_session_react(unisono_session *session, const char *text);

/* The entries of the chat that are kept, in their order.
 * owned: a snapshot; end it with unisono_free. Errors: UNISONO_EINVAL (NULL), UNISONO_ENOMEM. @since 0.2 */
int32_t unisono_session_chat_history(unisono_session *session, const unisono_chat **owned);

/* Puts an entry on the playlist that the group shares: everybody gets SESSION_PLAYLIST, this participant, too. Whoever may command may
 * edit it. What several do at the same time is merged: no entry is lost or there twice. A list takes 1,000 entries and 512 KiB of
 * them, 128 bytes counted for each beside its texts; should several fill the last places at once, those stay that were added first,
 * and who added the others gets the error.
 * entry: copied; `id` is not read. before: the entry that it is to stand before; NULL or all zero: at the end.
 * id_out: its id; NULL: not wanted. What is refused late comes as ERROR.
 * Errors: UNISONO_EINVAL (no item, not UTF-8, a control character, a duration below 0, too many addresses or ranges, a range that
 * is none, out of order or overlaps the one before), UNISONO_ETOOBIG (a text),
 * UNISONO_ESTATE (not joined), UNISONO_EDENIED (late, too), UNISONO_EFULL (the list, late, too, or too many calls wait for the loop),
 * late: UNISONO_ENOTFOUND (`before` was never there). @since 0.2 */
int32_t unisono_session_add_entry(unisono_session *session, const unisono_playlist_entry *entry, const unisono_entry_id *before, unisono_entry_id *id_out);

/* Moves an entry. before: as above. Of two who move it at once the later one counts.
 * Errors: UNISONO_EINVAL (id NULL or all zero), UNISONO_ESTATE (not joined), UNISONO_EDENIED (late, too), UNISONO_EFULL (too many calls
 * wait for the loop), late: UNISONO_ENOTFOUND (no such entry, as it may have been removed). @since 0.2 */
int32_t unisono_session_move_entry(unisono_session *session, const unisono_entry_id *id, const unisono_entry_id *before);

/* Takes an entry off the playlist, for good: who moves it at the same time does not bring it back. Removing the current one stops
 * nothing: what comes next is what stood behind it. Errors: as unisono_session_move_entry. @since 0.2 */
int32_t unisono_session_remove_entry(unisono_session *session, const unisono_entry_id *id);

/* The group goes to an entry: everybody gets SESSION_PLAYLIST with `current_changed`, and loads it. The group also goes on by itself, to
 * the next one, when everybody has played the current entry's item to its end and the session's action there is
 * UNISONO_ACTION_AT_END_ADVANCE. Errors: as unisono_session_move_entry. @since 0.2 */
int32_t unisono_session_select_entry(unisono_session *session, const unisono_entry_id *id);

/* The group goes on to the next entry; from nowhere, to the first. Several who ask for it at once go on by one.
 * follows: the entry that it goes on from; is the group somewhere else by then, as another one was first, nothing happens. NULL: from
 * wherever it is. Errors: as unisono_session_move_entry; late: UNISONO_ENOTFOUND (nothing stands behind the current entry, or `follows` is
 * given and the group is at none yet). @since 0.2 */
int32_t unisono_session_next_entry(unisono_session *session, const unisono_entry_id *follows);

/* The playlist as of the last SESSION_PLAYLIST.
 * owned: a snapshot; end it with unisono_free. Errors: UNISONO_EINVAL (NULL), UNISONO_ENOMEM. @since 0.2 */
int32_t unisono_session_playlist(unisono_session *session, const unisono_playlist **owned);

/* Says which copy this participant plays of an entry. It is compared with that of each other one who says it of the same entry, as
 * far as both are known, and what differs is told to both by SESSION_COPY. Whoever goes on to another entry says it anew.
 * entry: NULL or all zero: none any more. copy: copied; NULL with an entry: nothing is known of it.
 * Errors: UNISONO_EINVAL (a duration below 0), UNISONO_ESTATE (not joined), UNISONO_EFULL (too many calls wait for the loop). @since 0.2 */
int32_t unisono_session_set_copy(unisono_session *session, const unisono_entry_id *entry, const unisono_copy *copy);

/* Says by how much this participant's copy of an entry is ahead of the group's item time, as that of another cut is: what the group
 * calls t is at t + offset in it. It is kept with the entry while this participant is in the session, for the last 8 entries that
 * it was said of, and everybody sees it (`cut_offset` of unisono_participant). While the group is at that entry and this participant at
 * its item, all item times that this host gives and gets are those of its own copy: its player stands `offset` on, and nobody else moves.
 * While the group plays where this copy has not begun yet (before the range that its host reports, or else before 0), its player is told
 * to be ready at its beginning, by seek or buffer, and to play when the group comes there; one whose copy has ended stands at its end.
 * The others wait for neither.
 * entry: NULL or all zero: the one that the group is at. offset: ns, at most 6 hours either way; 0: none. Viewers may say it, too.
 * Errors: UNISONO_EINVAL (offset), UNISONO_ESTATE (not joined), UNISONO_EFULL (too many calls wait for the loop), late:
 * UNISONO_ENOTFOUND (no such entry). @since 0.2 */
int32_t unisono_session_set_cut_offset(unisono_session *session, const unisono_entry_id *entry, int64_t offset);

/* Size and hash of a file, to be told by unisono_session_set_copy; its duration stays as `copy_out` has it. The hash is the SHA-256 of
 * the size as 8 bytes, the most significant first, and of the file, or, if that is larger than 192 KiB, of the 64 KiB at its beginning,
 * those from size / 2 - 32 KiB on, and the last 64 KiB. Reads from the disk, and so may block.
 * path: 1...4,095 bytes; a regular file that is not empty. copy_out: filled by UNISONO_COPY_INIT before.
 * Errors: UNISONO_EINVAL (no path, no regular file, an empty one), UNISONO_ENOTFOUND, UNISONO_EDENIED (it may not be read),
 * UNISONO_EIO. @since 0.2 */
int32_t unisono_copy_of_file(const char *path, unisono_copy *copy_out);

/* Offers a file to the group: everybody gets SESSION_ATTACHMENT (ADDED), who comes later, too. The file is read twice: now, for its hash,
 * and when others load it. It must stay as it is until then (else LOST). Others who have loaded it give it as well, also when this
 * participant is gone. What is offered already is not offered twice: ADDED comes with the one that counts.
 * path: 1...4,095 bytes; a regular file of at most 100,000,000 bytes. name: for people and as a file's name, 1...255 bytes without
 * control characters, /, \ and :; NULL: the last part of `path`. media_type: <= 127 bytes, such as "text/vtt"; NULL: not said.
 * request_out: comes back in ADDED or FAILED; NULL: not wanted.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (not joined), UNISONO_EFULL (too many calls wait for the loop). What only looking at the file
 * tells, and that there is no room (16 of one participant, 64 in all), comes as FAILED. @since 0.2 */
int32_t unisono_session_attach(unisono_session *session, const char *path, const char *name, const char *media_type, uint64_t *request_out);

/* The same with bytes, which are copied and kept in memory for as long as they are offered.
 * data: NULL only with length 0. length: <= 1,048,576. name: as above, not NULL.
 * Errors: as unisono_session_attach, UNISONO_ETOOBIG. @since 0.2 */
int32_t unisono_session_attach_bytes(unisono_session *session, const void *data, size_t length, const char *name, const char *media_type, uint64_t *request_out);

/* What is offered to the group now, in the order in which it was offered.
 * owned: a snapshot; end it with unisono_free. Errors: UNISONO_EINVAL (NULL), UNISONO_ENOMEM. @since 0.2 */
int32_t unisono_session_attachments(unisono_session *session, const unisono_attachments **owned);

/* Loads an attachment into a new file, from whoever has it: SESSION_ATTACHMENT with PROGRESS, then LOADED or FAILED. It goes on where it
 * was after a lost link, a new key, and when who gave it leaves. The bytes come into `path`.XXXXXXXXXXXXXXXX.part, the first eight bytes of
 * `id` in hexadecimal digits, are compared with `id`, and then get their name; nothing that is there is ever replaced (FAILED, EIO).
 * That file stays when the process dies, the session ends or nobody gives the rest (ETIMEDOUT), and the next load of the same
 * attachment to the same path, of whatever process, goes on there: its first PROGRESS says how much there was. What was there counts as the
 * attachment only when the whole was compared; if it is not it, FORGED says so and all is loaded anew. It is removed when loading
 * is cancelled, the attachment is taken back, or writing fails; what stays and is never loaded again is for the host to remove. It
 * is gone on with only if it is a regular file of this user, with one name, that no other user may write, no longer than the
 * attachment, and no other load writes it (EBUSY); else it is left as it is (FAILED, EIO; `message` says which).
 * Four are loaded at a time, up to 60 wait. How fast it goes is up to who gives it: three quarters of what the hub reads of it (192 KiB a
 * second by default), shared by all who load.
 * path: 1...4,095 bytes; where the file system allows names of 255 bytes its last part has at most 233.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (not joined), UNISONO_ENOTFOUND (not offered), UNISONO_EFULL (too many calls wait for the loop).
 * Late, as ERROR: UNISONO_EBUSY (it is being loaded, or 64 are), UNISONO_ENOTFOUND (taken back meanwhile). @since 0.2 */
int32_t unisono_session_load_attachment(unisono_session *session, const unisono_attachment_id *id, const char *path);

/* Ends loading an attachment: FAILED with ECANCELED, and the .part is removed. Nothing happens if it is not being loaded.
 * Errors: UNISONO_EINVAL (NULL), UNISONO_ESTATE (not joined). @since 0.2 */
int32_t unisono_session_cancel_attachment(unisono_session *session, const unisono_attachment_id *id);

/* Takes an attachment back, for all: who loads it gets FAILED. What was loaded stays where it is. Who offers it may, and who may command.
 * Errors: UNISONO_EINVAL (NULL), UNISONO_ESTATE (not joined), UNISONO_ENOTFOUND (not offered), UNISONO_EDENIED;
 * these two also late, as ERROR. @since 0.2 */
int32_t unisono_session_remove_attachment(unisono_session *session, const unisono_attachment_id *id);

/* Tells the people of the group something, "Ann added a film to the list": the others get SESSION_NOTICE with this
 * participant as originator. What playback commands do, and who comes and goes, is told by the library itself.
 * notice: copied. text: <= 255 bytes, url: <= 2,047 bytes.
 * Errors: UNISONO_EINVAL (unknown kind, rate not finite), UNISONO_ETOOBIG (a text), UNISONO_ESTATE (not joined),
 * UNISONO_EBUSY (more than 20 in a second), UNISONO_EFULL (too many calls wait for the loop). */
int32_t unisono_session_post_notice(unisono_session *session, const unisono_notice *notice);

/* A notice as a sentence for people, in English: "Ann paused", "Ann sought to 1:02:03", "Waiting for Ann". Its parts are
 * in the struct, for hosts that speak another language: kind, name, amount, item_time, rate, text.
 * notice: as received; or filled by the host with what another event says: WAITED_FOR (who is in `waiting_for` of
 * COORDINATOR_TIMING, with its reason as `text`). name: <= 255 bytes, NULL: "Somebody". What controls a terminal in what
 * others wrote becomes a space.
 * buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 1,024 bytes always suffice.
 * Errors: UNISONO_EINVAL (unknown kind, rate not finite, a time without its flag), UNISONO_ETOOBIG.
 * @since 0.2 */
int32_t unisono_notice_text(const unisono_notice *notice, char *buffer, size_t *length);

/* Asks the others to bring this session to the front: they get SESSION_FOREGROUND, with `in_background` 1 where their
 * own session was started without a window (options.in_background), so that they open one.
 * Errors: UNISONO_ESTATE (not joined), UNISONO_EBUSY (more than one in a second), UNISONO_EFULL. */
int32_t unisono_session_request_foreground(unisono_session *session);

/* Tells the others that the person here speaks, so that they turn their content down: SESSION_SPEAKING, and `speaking` of
 * the participant. It stays until changed or until the link is lost; set it again then. Without a link nothing happens.
 * speaking: 0 or 1.
 * Errors: UNISONO_ESTATE (not joined), UNISONO_EFULL. */
int32_t unisono_session_set_speaking(unisono_session *session, int32_t speaking);

/* Counters and clock figures of a session.
 * out: set out->size before the call (UNISONO_SESSION_STATISTICS_INIT); no more than that is written.
 * @since 0.2 */
int32_t unisono_session_get_statistics(unisono_session *session, unisono_session_statistics *out);

/* UNISONO_RT. The line of session time against host time: session = session_time + rate * (host - host_time), the same instant for
 * everybody within error_bound. For shared time without media, and for pipelines that need a clock.
 * out: set out->size before the call (UNISONO_CLOCK_INIT). With state NONE the other fields are 0.
 * Errors: UNISONO_ESTATE (state NONE). */
int32_t unisono_session_clock(unisono_session *session, unisono_clock *out);

/* Makes a coordinator: the group's voice to one player. It works alone until
 * unisono_coordinator_coordinate_with_session.
 * delegate: play, pause, seek and buffer must all be set; NULL: everything goes to the event queue. Copied.
 * user: for the delegate's functions, and `base.user` of its events.
 * out: end it with unisono_coordinator_destroy.
 * Errors: UNISONO_EINVAL (a command function is missing; delegate NULL without event_queue), UNISONO_ENOMEM,
 * UNISONO_ENOTSUP. */
int32_t unisono_coordinator_create(unisono_context *context, const unisono_playback_delegate *delegate, void *user, unisono_coordinator **out);

/* UNISONO_WAITS. Ends a coordinator, its suspensions included; in a session this player takes part no more. The player is left as it
 * is. NULL and destroyed handles: nothing happens. */
void unisono_coordinator_destroy(unisono_coordinator *coordinator);

/* Puts the coordinator into a session, with its item, state and suspensions: a state the group has for the item counts,
 * otherwise the coordinator's own becomes the group's.
 * session: of the same context; NULL detaches: the coordinator goes on alone from where it is.
 * Errors: UNISONO_EINVAL (another context's session), UNISONO_ESTATE (the session is invalidated, or the coordinator listens to an
 * audience), UNISONO_EBUSY (the session has another coordinator). */
int32_t unisono_coordinator_coordinate_with_session(unisono_coordinator *coordinator, unisono_session *session);

/* Puts a coordinator into a session beside its first one: for a second screen, or the sound of other rooms. Those of all
 * participants that are called the same coordinate with each other, over the session's one link and with its members, roles and
 * time; their items, states, suspensions and who is waited for are theirs alone, and so are the settings that are otherwise the
 * session's (stall and start policy, action at the end). The playlist, chat, activity, requests to command and messages of an item
 * follow the first one: UNISONO_AT_END_ADVANCE does nothing here, and unisono_coordinator_set_skipped_ranges is refused.
 * Until this participant has joined the coordinator goes on alone. Who has one of this name is on the list of
 * unisono_coordinator_other_participants; its notices say the name (`coordinator`). Otherwise as
 * unisono_coordinator_coordinate_with_session; a coordinator that is in the session already changes its name.
 * session: as there. name: what participants have agreed on, 1...32 bytes without control characters, compared byte by byte; NULL: the
 * first one.
 * Errors: UNISONO_EINVAL (also: a name without a session), UNISONO_ESTATE, UNISONO_EBUSY (the session has another coordinator of this
 * name here), UNISONO_EFULL (8 named ones here). @since 0.2 */
int32_t unisono_coordinator_coordinate_with_session_as(unisono_coordinator *coordinator, unisono_session *session, const char *name);

/* Follows an audience: the player does what the group does, in step with it, and this device takes part in nothing. It needs no
 * session and is in none; a player's coordinator (unisono_player_coordinator) listens just as well. Returns at once;
 * COORDINATOR_LISTENING tells what comes of it, and what there is to play: where the event's `item` is another one than this player's,
 * load it and transition to it. Who comes late is where the group is. A lost link is tried again by itself.
 * What would move the group (rate changes, seeks, undo, policies) is refused with UNISONO_EDENIED, through error, and the player
 * is not moved; a proposal of unisono_coordinator_transition_to_item counts for nothing. Commands are answered, suspensions, stalls,
 * reports, offsets and own interstitials work as in a session, but nobody waits for this player. Other participants are those of
 * the group who speak in the audience; other listeners are not seen.
 * The link shows this device's address to the hub, and a name to nobody.
 *
 *     static void on_listening(void *user, const unisono_listening_event *event) {
 *       if (event->status == UNISONO_LISTENING_OVER) { show(event->reason); return; }
 *       if (event->item == NULL || is_loaded(user, event->item) || !load(user, event->item)) return;
 *       unisono_coordinator_transition_to_item((unisono_coordinator *)event->base.source, event->item, NULL);
 *     }
 *     delegate.listening_changed = on_listening;
 *     unisono_coordinator_create(context, &delegate, my_player, &coordinator);
 *     unisono_coordinator_listen(coordinator, link);
 *
 * link: the text from unisono_session_audience_link; 1...4,095 bytes; as it was pasted will do, as for unisono_session_open. Copied.
 * Errors: UNISONO_EINVAL (unisono_last_error says which part of the link; an invite, which is for unisono_session_open), UNISONO_EVERSION
 * (made by a newer library), UNISONO_ESTATE (in a session: detach it first; listening already: stop first). @since 0.2 */
int32_t unisono_coordinator_listen(unisono_coordinator *coordinator, const char *link);

/* Ends listening: the coordinator acts alone again, with what plays, from where it is. Where it does not listen, or not any more
 * (OVER): OK, nothing happens.
 * Errors: none of its own. @since 0.2 */
int32_t unisono_coordinator_stop_listening(unisono_coordinator *coordinator);

/* Tells the host that speaks to the audience that this device's person wants to speak, so that a host may invite it. The answer is
 * COORDINATOR_INVITED, or none; nothing tells whether a host saw it. Its `invite` is as good as any (ask the person again, it may
 * have taken long):
 *
 *     static void on_invited(void *user, const unisono_invite_event *event) {
 *       unisono_session_open(context, event->invite, &options, &callbacks, user, &session);
 *       unisono_coordinator_stop_listening(coordinator);
 *       unisono_coordinator_coordinate_with_session(coordinator, session);
 *       unisono_session_join(session);
 *     }
 *
 * Who leaves the session again may listen again. Asked without a link it is said once there is one. Hosts see an id that is new with
 * each unisono_coordinator_listen, and `text`.
 * text: 1...255 bytes of UTF-8; no control characters but U+000A, and none that turn the direction of writing; NULL: nothing is said.
 * Errors: UNISONO_EINVAL (not UTF-8, a control character), UNISONO_ETOOBIG, UNISONO_ESTATE (it does not listen), UNISONO_EBUSY (less than
 * 5 s after the last time; the message says in how many seconds it may be again), UNISONO_EFULL (too many calls wait for the loop). @since 0.2 */
int32_t unisono_coordinator_ask_to_speak(unisono_coordinator *coordinator, const char *text);

/* Says something in writing to the host that speaks to the audience, and to nobody else. Of many who do at once hosts are told 50 in a
 * second. Nothing tells whether they were. Said without a link it is said once there is one, but for what was said since.
 * text: as for unisono_coordinator_ask_to_speak, but not NULL. Whoever has the listening link and keeps what is on the wire can read it.
 * Errors: as unisono_coordinator_ask_to_speak; the 5 s of each are its own. @since 0.2 */
int32_t unisono_coordinator_say_to_hosts(unisono_coordinator *coordinator, const char *text);

/* Reacts to what the audience hears: the hub counts who did so in the last 10 s, each listener once, by its newest reaction. Who speaks to
 * the audience is told the counts (SESSION_AUDIENCE), and all who listen are, to two digits (COORDINATOR_LISTENING); nobody is told who
 * reacted. Without a link nobody counts it.
 * reaction: one of `reactions` of COORDINATOR_LISTENING.
 * Errors: UNISONO_EINVAL (NULL, none of these), UNISONO_ETOOBIG (more than 32 bytes), UNISONO_ESTATE (it does not listen), UNISONO_EBUSY
 * (less than 1 s after the last time), UNISONO_EFULL (too many calls wait for the loop). @since 0.2 */
int32_t unisono_coordinator_react(unisono_coordinator *coordinator, const char *reaction);

/* The player goes to another item. The group's state for it, where there is one, is applied; otherwise the proposal
 * becomes it.
 * identifier: what the group compares, byte by byte, 1...1,023 bytes; NULL: nothing plays.
 * proposal: rate 0 or -16...16, item_time, and with UNISONO_HAS_HOST_TIME the host_time at which it holds (else: now);
 * NULL: paused at 0. What unisono_coordinator_timing gave is a good proposal.
 * Errors: UNISONO_EINVAL (also: host_time without its flag, a flag that is none). */
int32_t unisono_coordinator_transition_to_item(unisono_coordinator *coordinator, const char *identifier, const unisono_timing *proposal);

/* The current item's identifier as text; "" with length 1: none.
 * buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 1,024 bytes always suffice.
 * Errors: UNISONO_ETOOBIG. */
int32_t unisono_coordinator_current_item(unisono_coordinator *coordinator, char *buffer, size_t *length);

/* The user plays, pauses (rate 0) or changes the speed. Play first lets everybody prepare; pause is at once.
 * rate: 0, or -16...16.
 * options: 0, or UNISONO_RATE_PLAY_IMMEDIATELY: start without waiting; the others follow as fast as they can.
 * Errors: UNISONO_EINVAL (not a number, out of range, unknown option bits), UNISONO_ESTATE (no item), UNISONO_EDENIED
 * (late too). */
int32_t unisono_coordinator_coordinate_rate_change(unisono_coordinator *coordinator, double rate, uint32_t options);

/* The user goes to another position. While playing, everybody prepares there first.
 * item_time: ns; anything but UNISONO_TIME_INVALID and UNISONO_TIME_INDEFINITE.
 * options: 0, or UNISONO_SEEK_RESUME_IMMEDIATELY: go on there without waiting.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (no item), UNISONO_EDENIED (late too). */
int32_t unisono_coordinator_coordinate_seek(unisono_coordinator *coordinator, int64_t item_time, uint32_t options);

/* The user takes the last jump back: everybody goes to where the group was when somebody, whoever it was, went to another
 * position of the current item; once more, and they are where that jump led. Jumps within two seconds of each other are one.
 * Errors: UNISONO_ESTATE (no item; late: nobody jumped since this participant is on the item), UNISONO_EDENIED (late too).
 * @since 0.2 */
int32_t unisono_coordinator_undo_jump(unisono_coordinator *coordinator);

/* The player has done what a command asked. Superseded, repeated and overdue ones are OK and counted. Overdue is what was
 * not done by its due_host_time or, without one, ten seconds after the first command that the player neither completed nor
 * reports to have done (at its rate; twelve, however many follow): this device is then suspended (stall-recovery), for all to
 * see, until it completes or the next command, for which it has two seconds.
 * command_id: `id` of the command.
 * Errors: UNISONO_ENOTFOUND (never issued by this coordinator). */
int32_t unisono_coordinator_complete(unisono_coordinator *coordinator, uint64_t command_id);

/* The player cannot do what a command asked; the others see this device as suspended until the next command
 * (COORDINATED_PLAYBACK_NOT_POSSIBLE), and `status` as its `failure`.
 * command_id: `id` of the command. status: why; negative.
 * Errors: UNISONO_EINVAL (status not negative), UNISONO_ENOTFOUND (never issued by this coordinator). */
int32_t unisono_coordinator_fail(unisono_coordinator *coordinator, uint64_t command_id, int32_t status);

/* Commands the present state once more, as after a change of route or a player that lost its mind.
 * Errors: UNISONO_ESTATE (no item). */
int32_t unisono_coordinator_reapply_current_item_state(unisono_coordinator *coordinator);

/* UNISONO_RT. Where this player should be at a host time, its own output offset included. Paused or waiting: the group's position;
 * before a new anchor's host time the old line holds; while suspended it is still the group's.
 * host_time: ns, past or future. out: ns; UNISONO_TIME_INVALID on failure.
 * Errors: UNISONO_EINVAL (host_time UNISONO_TIME_INVALID), UNISONO_ESTATE (no item, or no timing for it). */
int32_t unisono_coordinator_expected_item_time(unisono_coordinator *coordinator, int64_t host_time, int64_t *out);

/* UNISONO_RT. The newest line: position(h) = item_time + rate * (h - host_time), own output offset included.
 * out: set out->size before the call (UNISONO_TIMING_INIT).
 * Errors: UNISONO_ESTATE (state NONE). */
int32_t unisono_coordinator_timing(unisono_coordinator *coordinator, unisono_timing *out);

/* This player takes no part for a while: the group goes on, and commands of its user act on it alone.
 * reason: UNISONO_REASON_... or the application's own, 1...127 bytes; the others see it.
 * out: end it with unisono_suspension_end or _end_proposing, and in any case with unisono_suspension_destroy.
 * Errors: UNISONO_EINVAL, UNISONO_EFULL (64 are open), UNISONO_ENOMEM. */
int32_t unisono_coordinator_begin_suspension(unisono_coordinator *coordinator, const char *reason, unisono_suspension **out);

/* Ends a suspension; with the last one the player rejoins where the group is. The handle stays for reads until
 * destroyed.
 * Errors: UNISONO_ESTATE (ended before). */
int32_t unisono_suspension_end(unisono_suspension *suspension);

/* Ends a suspension and asks the group to go to a position; its rate stays as it is.
 * item_time: ns; UNISONO_TIME_INVALID: as unisono_suspension_end.
 * Errors: UNISONO_EINVAL (UNISONO_TIME_INDEFINITE), UNISONO_ESTATE (ended before), UNISONO_EDENIED (late). */
int32_t unisono_suspension_end_proposing(unisono_suspension *suspension, int64_t item_time);

/* The reason as given.
 * buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 128 bytes always suffice.
 * Errors: UNISONO_ETOOBIG. */
int32_t unisono_suspension_reason(unisono_suspension *suspension, char *buffer, size_t *length);

/* When the suspension began, host time ns. */
int32_t unisono_suspension_begin_time(unisono_suspension *suspension, int64_t *host_time_out);

/* UNISONO_WAITS. Ends the suspension, without proposal, if it is open, and the handle. NULL and destroyed handles: nothing happens. */
void unisono_suspension_destroy(unisono_suspension *suspension);

/* Reasons of the open suspensions, the library's own included, oldest first.
 * owned: one block, strings included; end it with unisono_free; NULL with count 0. count: how many.
 * Errors: UNISONO_ENOMEM. */
int32_t unisono_coordinator_suspension_reasons(unisono_coordinator *coordinator, const char *const **owned, size_t *count);

/* Starts wait for participants suspended for these reasons, up to the participant and wait limits. Replaces; none at
 * first.
 * reasons: each 1...127 bytes; may be NULL with count 0. count: 0...64.
 * Errors: UNISONO_EINVAL. */
int32_t unisono_coordinator_set_waiting_reasons(unisono_coordinator *coordinator, const char *const *reasons, size_t count);

/* How large a session may be for a start to wait for this reason.
 * reason: 1...127 bytes. limit: participants in the session, inclusive; 0: never wait; UINT32_MAX: no limit.
 * Errors: UNISONO_EINVAL. */
int32_t unisono_coordinator_set_participant_limit(unisono_coordinator *coordinator, const char *reason, uint32_t limit);

/* Whether a pause made here takes everybody to the exact position of this player. 0: no (the default). */
int32_t unisono_coordinator_set_pause_snaps_to_originator(unisono_coordinator *coordinator, int32_t snaps);

/* Whether this player gets ready while the group pauses, so that the next play need not wait for it to be asked and to answer:
 * among players that all do, a play begins the way there and back sooner. Once a pause has lasted for half a second the host
 * is given a buffer command without due_host_time (INVALID), cause UNKNOWN, at the place where it stands, and completes it when it
 * could start there, however late; until then, and after whatever moves it, its group waits for it as ever. Nothing is shown
 * to people meanwhile. Not among more than 16 on one item, and not with an output offset.
 * 0: no (the default). unisono_player does it by itself. @since 0.2 */
int32_t unisono_coordinator_set_prepares_ahead(unisono_coordinator *coordinator, int32_t prepares);

/* How long a start that is asked for here waits at most.
 * limit: ns, 0...600 s; 0: do not wait. 10 s unless set.
 * Errors: UNISONO_EINVAL. */
int32_t unisono_coordinator_set_wait_limit(unisono_coordinator *coordinator, int64_t limit);

/* Whether the running group waits when somebody's player stalls (reports stalled): everybody stands at one position, sees
 * for whom and why (timing change, cause STALL), and all go on together when it is ready, or without it after the limit.
 * A third stall of the same one within a minute stops nobody: it is suspended (stall-recovery) until it runs again.
 *
 * One setting of the whole session, not of this participant: the newest counts, whoever made it, and newcomers find it.
 * Made before the session was joined, it counts only if the session has none. Off unless set.
 * policy: copied; NULL: off. debounce: a shorter stall stops nobody, 0...60 s, 0: 300 ms. limit: 0...600 s, 0: 10 s.
 * Errors: UNISONO_EINVAL, UNISONO_ENOTSUP; refused later (error event): UNISONO_EDENIED, this participant may not command. */
int32_t unisono_coordinator_set_stall_policy(unisono_coordinator *coordinator, const unisono_stall_policy *policy);

/* What happens when the item has been played to its end (AVPlayer's actionAtItemEnd, for the group).
 *
 * One setting of the whole session, as unisono_coordinator_set_stall_policy: the newest counts, whoever made it, and newcomers
 * find it. Made before the session was joined, it counts only if the session has none. ADVANCE unless set. What counts is what
 * this device knows when its own copy ends.
 * ADVANCE: the player layer goes on to the next item of its own queue; a host without it does so itself
 * (unisono_coordinator_transition_to_item). Where all of the item have ended and nobody goes on, the group is paused there.
 * PAUSE: nobody goes on by itself; once all have ended the group is paused there, cause ENDED.
 * NONE: nothing is paused and nobody goes on: the renderer stands at the end, the rate stays, and what is asked next begins at
 * once. To play in a loop, seek to the beginning when the item has ended (PLAYER_ITEM_ENDED), on one device.
 * action: a unisono_action_at_end.
 * Errors: UNISONO_EINVAL; refused later (error event): UNISONO_EDENIED, this participant may not command.
 * @since 0.2 */
int32_t unisono_coordinator_set_action_at_end(unisono_coordinator *coordinator, unisono_action_at_end action);

/* What happens at the end of an item: a unisono_action_at_end, of the session this coordinator is in.
 * @since 0.2 */
int32_t unisono_coordinator_action_at_end(unisono_coordinator *coordinator);

/* Which ranges of entries of the playlist the group leaves out: intros, recaps, credits.
 *
 * One setting of the whole session, as unisono_coordinator_set_action_at_end; none unless set. When the group plays the item of the
 * entry that it is at (unisono_session_select_entry) into such a range, forwards, all go on at its end at once: a seek and a play of
 * cause RANGE, and notice RANGE_SKIPPED. unisono_coordinator_undo_jump takes it back; a range that was jumped into, as by that, plays.
 * Two that follow each other at once are left out as one; one that ends with the entry goes on like the entry's end.
 * kinds: bits of unisono_range_kind; 0: none.
 * Errors: UNISONO_EINVAL (another bit); refused later (error event): UNISONO_EDENIED, this participant may not command.
 * @since 0.2 */
int32_t unisono_coordinator_set_skipped_ranges(unisono_coordinator *coordinator, uint32_t kinds);

/* What is left out, as bits of unisono_range_kind, of the session this coordinator is in.
 * @since 0.2 */
int32_t unisono_coordinator_skipped_ranges(unisono_coordinator *coordinator);

/* Ranges of the own copy of an item that are not the group's: advertisements that were cut in, notices of the law.
 *
 * Every participant may have its own, at other places and of other lengths; nobody else is told which. The group's time line leaves
 * them out, and all times to and from this coordinator's host, or player, are those of the own copy: the library shifts them. When
 * playback comes into a range this participant is apart (suspension UNISONO_REASON_PLAYING_INTERSTITIAL: the suspensions event says so,
 * and when it is over) and its player runs on through it; then it is where the group is by then, in one step. Starts wait for it only
 * by unisono_coordinator_set_waiting_reasons. Alone on the item nothing is missed: it goes on from the range's end. A seek into a
 * range, anybody's, lands on its beginning; what was jumped over is not shown, and backwards a range is passed over. In a range the own
 * rate changes and seeks within it are the own player's alone; a seek out of it is the group's. A report with the position keeps a range
 * that stalls from ending early.
 * identifier: the item; kept for the 64 items given last, so that it can be given before the transition. Given while the item is
 * current a range that the own player is in is over, and it is commanded anew where the same place is another one.
 * ranges: in any order, count of them, at most 64; NULL with 0: none. Those that touch count as one. None ends behind the copy's end.
 * Errors: UNISONO_EINVAL (no identifier, too many, a range that ends where it begins or before, or overlaps another).
 * @since 0.2 */
int32_t unisono_coordinator_set_interstitials(unisono_coordinator *coordinator, const char *identifier, const unisono_interstitial *ranges, size_t count);

/* Which starts wait for persons, and what happens when one leaves.
 *
 * One setting of the whole session, as unisono_coordinator_set_stall_policy: the newest counts, whoever made it, and newcomers
 * find it. Made before the session was joined, it counts only if the session has none. AT_ONCE and GO_ON unless set.
 * A start that waits for persons waits for all who are at the item when it is asked for and have not said that they are ready, or
 * say that they are not (unisono_coordinator_set_ready), for `limit` at most; who asks for it is not waited for, and alone nothing
 * waits. What it waits for stays as it was when the start was asked for, whatever the policy becomes. waiting_for names them with
 * UNISONO_REASON_NOT_READY; unisono_coordinator_start_without goes on without them. Who is left behind by the limit is told as
 * notice LEFT_WAITING.
 * Leaving is saying goodbye, or being off the list of participants after the connection was lost. The pause is told with the cause
 * LEFT and who left as its originator; who acts between the loss and that has decided, and nothing is paused.
 * Devices of one person (context option `person`) count once: ready if one says so and none says NOT_READY, gone with the last.
 * policy: copied; NULL: AT_ONCE, GO_ON. limit: 0...600 s, 0: 60 s.
 * Errors: UNISONO_EINVAL; refused later (error event): UNISONO_EDENIED, this participant may not command.
 * @since 0.2 */
int32_t unisono_coordinator_set_start_policy(unisono_coordinator *coordinator, const unisono_start_policy *policy);

/* The start policy of the session that this coordinator is in.
 * out: written as far as its `size` goes. Errors: UNISONO_EINVAL (NULL, size). @since 0.2 */
int32_t unisono_coordinator_get_start_policy(unisono_coordinator *coordinator, unisono_start_policy *out);

/* This device's person says that it is ready, or not; everybody sees it (`readiness` of unisono_participant), and starts may
 * wait for it (unisono_coordinator_set_start_policy). It stands until it is said otherwise, or this device leaves its item.
 * Everybody may say it, viewers too.
 * Errors: UNISONO_EINVAL (no unisono_readiness). @since 0.2 */
int32_t unisono_coordinator_set_ready(unisono_coordinator *coordinator, unisono_readiness readiness);

/* The start that waits for persons goes on without those of some participants, or without waiting for any person. Players are
 * still waited for.
 * participants: whose persons are not waited for; may be NULL with count 0. count: 0...16; 0: nobody is waited for, and so it is
 * where more than 15 were named for the same start.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (no item; late: no start waits for persons), UNISONO_EDENIED (late). @since 0.2 */
int32_t unisono_coordinator_start_without(unisono_coordinator *coordinator, const unisono_participant_id *participants, size_t count);

/* How late this device's output is heard or seen (receiver, Bluetooth): it is commanded that far ahead.
 * offset: ns, -5...5 s; positive: ahead.
 * Errors: UNISONO_EINVAL. */
int32_t unisono_coordinator_set_output_offset(unisono_coordinator *coordinator, int64_t offset);

/* Where the player really is. Optional, at any pace; the others see the newest, at most ten a second.
 *
 * stalled: it should run and lacks data (see unisono_coordinator_set_stall_policy); say so again with 0 when it runs.
 * earliest, latest: what the player can reach at the moment: 0 and the duration, or the window of a live item whose item
 * times are dates of the content (ns since 1970, say). This host is never sent outside of it; when the edge of a live item
 * moves, report it: a position that was out of reach is commanded once it is within. Standing (rate 0, not stalled) at
 * the latest position, or backwards at the earliest, means that the item has ended here: once it has for everybody who
 * takes part, the group is paused there.
 *
 * rate: what the player does. One that says otherwise than it was told, by more than a correction (10 %), and does not stall,
 * is commanded again (UNISONO_CAUSE_REAPPLY), three times in 30 s at most; after that it is suspended
 * (COORDINATED_PLAYBACK_NOT_POSSIBLE) until the next command, or until it does as it was told. Whoever is stopped for a
 * reason (a call, headphones that are pulled) begins a suspension before it says so.
 * report: copied.
 * Errors: UNISONO_EINVAL (a rate that is no number, latest before earliest, a time without its flag, a flag that is
 * none), UNISONO_ENOTSUP. */
int32_t unisono_coordinator_report(unisono_coordinator *coordinator, const unisono_playback_report *report);

/* Wish or echo? A player with controls of its own (a window with a time line, a remote) says "paused" when a person pressed
 * space, and just the same when its host paused it because a command said so. Pass on here what it says of itself. 1: a
 * person did it. Then set the player back to what it was commanded, and ask the group; commands follow, if it agrees. 0: the
 * echo of a command, or nothing new.
 *
 * A change is an echo when it is what the player was commanded, up to 300 ms late where a newer command has replaced that;
 * what it says again is no change. Give the value as it is now if the player can be asked, not an older one out of an event.
 * RUNNING and RATE: as the player says. RATE is the same within 0.001.
 * SEEKING: 1 when it says that it begins to go somewhere: a person's, if no commanded seek is under way or was asked for
 * within 300 ms, unless the host has said that it is over (expect_motion). 0 when it is there: 1 is returned when it was the person who took it there; ask the group to follow.
 * On the player layer the library knows what the renderer was commanded; here coordinator is the player's
 * (unisono_player_coordinator). Other hosts say it with unisono_coordinator_expect_motion.
 * motion: what value is of.
 * Errors: UNISONO_EINVAL (no motion, a value that is no number).
 * @since 0.2 */
int32_t unisono_coordinator_is_wish(unisono_coordinator *coordinator, unisono_motion motion, double value);

/* This host commands its player, which will say so: that is not to be taken for a person's wish. Call it before each thing
 * that your player is told: RUNNING 0 or 1, another RATE, SEEKING 1, and SEEKING 0 once that seek is over and the player
 * has said so, or is not going to: what begins from then on is a person's. It is given up by itself after 10 s. It stands, at the rate 1, in the beginning. Over the player layer it is needed only for
 * what the renderer does to itself beyond its commands.
 * motion: what value is of.
 * Errors: UNISONO_EINVAL (no motion, a value that is no number).
 * @since 0.2 */
int32_t unisono_coordinator_expect_motion(unisono_coordinator *coordinator, unisono_motion motion, double value);

/* The others in the session, sorted by id.
 * owned: a snapshot; end it with unisono_free.
 * Errors: UNISONO_ENOMEM. */
int32_t unisono_coordinator_other_participants(unisono_coordinator *coordinator, const unisono_participants **owned);

/* Whom a start is waiting for, and why ("" = still preparing).
 * owned: one block, strings included; end it with unisono_free; NULL with count 0. count: how many.
 * Errors: UNISONO_ENOMEM. */
int32_t unisono_coordinator_waiting_for(unisono_coordinator *coordinator, const unisono_waiting_for **owned, size_t *count);

/* Counters of a coordinator.
 * out: set out->size before the call (UNISONO_COORDINATOR_STATISTICS_INIT); no more than that is written.
 * @since 0.2 */
int32_t unisono_coordinator_get_statistics(unisono_coordinator *coordinator, unisono_coordinator_statistics *out);

/* UNISONO_RT. Of TIMER. @since 0.2 */
const unisono_timer_event *unisono_event_timer(const unisono_context_event *event);

/* UNISONO_RT. Of OVERFLOW. @since 0.2 */
const unisono_overflow_event *unisono_event_overflow(const unisono_context_event *event);

/* UNISONO_RT. Of ERROR. @since 0.2 */
const unisono_error_event *unisono_event_error(const unisono_context_event *event);

/* UNISONO_RT. Of LOG. @since 0.2 */
const unisono_log_event *unisono_event_log(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_STATE. @since 0.2 */
const unisono_session_state_event *unisono_event_session_state(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_ACTIVITY. @since 0.2 */
const unisono_activity_event *unisono_event_activity(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_PARTICIPANTS, COORDINATOR_PARTICIPANTS. @since 0.2 */
const unisono_participants_change *unisono_event_participants(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_MESSAGE. @since 0.2 */
const unisono_message *unisono_event_message(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_NOTICE. @since 0.2 */
const unisono_notice_event *unisono_event_notice(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_FOREGROUND, SESSION_SPEAKING. @since 0.2 */
const unisono_participant_event *unisono_event_participant(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_INVITE, COORDINATOR_INVITED. @since 0.2 */
const unisono_invite_event *unisono_event_invite(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_SUCCESSION. @since 0.2 */
const unisono_succession_event *unisono_event_succession(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_REQUEST. @since 0.2 */
const unisono_request_event *unisono_event_request(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_IGNORED. @since 0.2 */
const unisono_ignored_event *unisono_event_ignored(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_CLOCK_DOUBT. @since 0.2 */
const unisono_clock_doubt_event *unisono_event_clock_doubt(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_SPLIT. @since 0.2 */
const unisono_split_event *unisono_event_split(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_HUB_DOUBT. @since 0.2 */
const unisono_hub_doubt_event *unisono_event_hub_doubt(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_CHAT. @since 0.2 */
const unisono_chat_event *unisono_event_chat(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_PLAYLIST. @since 0.2 */
const unisono_playlist_event *unisono_event_playlist(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_COPY. @since 0.2 */
const unisono_copy_event *unisono_event_copy(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_SCHEDULE. @since 0.2 */
const unisono_schedule_event *unisono_event_schedule(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_AUDIENCE. @since 0.2 */
const unisono_audience_event *unisono_event_audience(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_LISTENER. @since 0.2 */
const unisono_listener_event *unisono_event_listener(const unisono_context_event *event);

/* UNISONO_RT. Of COORDINATOR_LISTENING. @since 0.2 */
const unisono_listening_event *unisono_event_listening(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_ATTACHMENT. @since 0.2 */
const unisono_attachment_event *unisono_event_attachment(const unisono_context_event *event);

/* UNISONO_RT. Of SESSION_CONSENT, SESSION_ACTIVATION. @since 0.2 */
const unisono_activation_event *unisono_event_activation(const unisono_context_event *event);

/* UNISONO_RT. Of COORDINATOR_PLAY, COORDINATOR_PAUSE, COORDINATOR_SEEK, COORDINATOR_BUFFER. @since 0.2 */
const unisono_command *unisono_event_command(const unisono_context_event *event);

/* UNISONO_RT. Of COORDINATOR_SUSPENSIONS. @since 0.2 */
const unisono_suspensions_change *unisono_event_suspensions(const unisono_context_event *event);

/* UNISONO_RT. Of COORDINATOR_TIMING. @since 0.2 */
const unisono_timing_change *unisono_event_timing(const unisono_context_event *event);

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
int32_t unisono_player_create(unisono_context *context, const unisono_renderer *renderer, void *renderer_user, const unisono_player_callbacks *callbacks, void *user, unisono_player **out);

/* UNISONO_WAITS. Gives the player up: the handle is closed at once, but for unisono_player_report while a surface of the player lives.
 * Then, or when the last surface is destroyed, the renderer is stopped, an open seek is answered, and `released` comes
 * (in the event queue RELEASED, for all of them).
 * NULL and destroyed handles: nothing happens. */
void unisono_player_destroy(unisono_player *player);

/* The player's coordinator: for unisono_coordinator_coordinate_with_session, unisono_coordinator_listen, settings, suspensions,
 * reading, unisono_coordinator_undo_jump, _set_ready and _start_without. Its timing, participants and suspensions come as events
 * where there is an event queue; COORDINATOR_LISTENING comes to `listening_changed` of the player's callbacks, COORDINATOR_INVITED to
 * `invited`, else to the event queue, too. Transport goes through the player, not through it.
 * borrowed: lives as long as the player; unisono_coordinator_destroy on it does nothing, with a log line. */
int32_t unisono_player_coordinator(unisono_player *player, unisono_coordinator **borrowed);

/* Puts an item into the queue. The first one becomes current and is loaded; the others disturb nobody before their
 * turn.
 * item: copied. after: identifier of an item in the queue; NULL: at the end.
 * Errors: UNISONO_EINVAL (no identifier, negative times), UNISONO_ENOTFOUND (after is not in the queue; late while
 * changes are pending), UNISONO_EFULL (1,024 items), UNISONO_ENOTSUP. */
int32_t unisono_player_insert_item(unisono_player *player, const unisono_player_item *item, const char *after);

/* Takes an item out of the queue; of the current one it goes on to the next.
 * identifier: 1...1,023 bytes.
 * Errors: UNISONO_ENOTFOUND (late while changes are pending: then nothing happens). */
int32_t unisono_player_remove_item(unisono_player *player, const char *identifier);

/* Goes on to the next item, playing where this one played once nobody has said otherwise; without a next one nothing
 * plays. Others stay where they are: everybody advances for itself, as players do at the end of an item by
 * themselves, unless the session has another action there (unisono_coordinator_set_action_at_end).
 * Errors: UNISONO_ESTATE (there is no current item). */
int32_t unisono_player_advance(unisono_player *player);

/* Makes an item the current one; the queue behind it stays. The group's state of that item counts; where it has none
 * it is paused at start_time.
 * item: copied; NULL: nothing plays.
 * Errors: UNISONO_EINVAL, UNISONO_ENOTSUP. */
int32_t unisono_player_replace_current_item(unisono_player *player, const unisono_player_item *item);

/* Asks the group to play at the default rate. Everybody prepares, then all start together.
 * options: 0, or UNISONO_RATE_PLAY_IMMEDIATELY: start without waiting; the others follow as fast as they can.
 * Errors: UNISONO_EINVAL (unknown option bits), UNISONO_ESTATE (no current item; late: an interstitial plays),
 * UNISONO_EDENIED (late). */
int32_t unisono_player_play(unisono_player *player, uint32_t options);

/* Asks the group to pause, at once.
 * Errors: UNISONO_ESTATE (no current item), UNISONO_EDENIED (late). */
int32_t unisono_player_pause(unisono_player *player);

/* Asks the group for a rate; from a pause that is a play at this rate, 0 is a pause.
 * rate: -16...16; one that this renderer cannot play or fails to play keeps this player apart, paused, with the reason
 * coordinated-playback-not-possible and a RATE event of 0 (SET_RATE_FAILED), until the next command.
 * options: 0; UNISONO_RATE_PLAY_IMMEDIATELY: without waiting, as in unisono_player_play; UNISONO_RATE_AS_DEFAULT: asks
 * nobody and changes nothing that plays: this is the rate of unisono_player_play and of surfaces from now on (1 unless
 * set; not 0). Not both.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item; not with UNISONO_RATE_AS_DEFAULT), UNISONO_EDENIED (late). */
int32_t unisono_player_set_rate(unisono_player *player, double rate, uint32_t options);

/* Asks the group to seek. Answered by one SEEK_DONE: UNISONO_OK when this player stands or plays there,
 * UNISONO_ECANCELED when a newer seek (of this player or of somebody else), another item or the end of the player
 * came first.
 * item_time: ns; held inside the item. tolerance_before, tolerance_after: ns, >= 0, how far off this renderer may
 * land where that is faster; UNISONO_TIME_INDEFINITE: any; they count while paused, for a common start everybody is
 * exact.
 * request: its number in SEEK_DONE, never 0; set before the answer can come; may be NULL.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE, UNISONO_EDENIED (in SEEK_DONE). */
int32_t unisono_player_seek(unisono_player *player, int64_t item_time, int64_t tolerance_before, int64_t tolerance_after, uint64_t *request);

/* A person takes hold of the slider: this player stands, apart from the group (user-is-changing-current-time).
 * Errors: UNISONO_ESTATE (no current item; late: scrubbing already).
 * @since 0.2 */
int32_t unisono_player_begin_scrub(unisono_player *player);

/* The slider moves: this player alone shows that position, one seek at a time, the newest always.
 * item_time: ns; held inside the item.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (late: scrubbing has not begun). */
int32_t unisono_player_scrub_to(unisono_player *player, int64_t item_time);

/* The slider is released.
 * commit: 1: the group goes where it was left; 0: back to where the group is.
 * Errors: UNISONO_ESTATE (late: scrubbing has not begun).
 * @since 0.2 */
int32_t unisono_player_end_scrub(unisono_player *player, int32_t commit);

/* "What did they say": this player alone goes back, plays faster, and falls in with the group again by itself.
 * back: ns, > 0. rate: how fast, 0: 2; at least a quarter faster than the group plays.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item; late: not loaded, or apart already). */
int32_t unisono_player_replay(unisono_player *player, int64_t back, double rate);

/* Whether it plays: a unisono_time_control.
 * @since 0.2 */
int32_t unisono_player_time_control(unisono_player *player);

/* Why it waits: a unisono_waiting_reason; UNISONO_WAITING_NONE while it does not.
 * @since 0.2 */
int32_t unisono_player_waiting_reason(unisono_player *player);

/* Whether the current item can be played: a unisono_item_state.
 * @since 0.2 */
int32_t unisono_player_item_state(unisono_player *player);

/* Where the player was last known to be; never asks the renderer.
 * item_time, host_time: position and when it held; UNISONO_TIME_INVALID on failure.
 * Errors: UNISONO_ESTATE (nothing is loaded). */
int32_t unisono_player_current_time(unisono_player *player, int64_t *item_time, int64_t *host_time);

/* Another sound has taken over (a call): this player stands, apart from the group (audio-session-interrupted).
 * Errors: UNISONO_ESTATE (late: one is open).
 * @since 0.2 */
int32_t unisono_player_begin_interruption(unisono_player *player);

/* The interruption is over.
 * should_resume: 1: this player joins the group again; 0: it stays apart until unisono_player_play.
 * Errors: UNISONO_ESTATE (late: none is open).
 * @since 0.2 */
int32_t unisono_player_end_interruption(unisono_player *player, int32_t should_resume);

/* Something else plays on another renderer (an advertisement): the main item stands (playing-interstitial), its
 * timeline is untouched.
 * Errors: UNISONO_ESTATE (late: one is open). */
int32_t unisono_player_begin_interstitial(unisono_player *player);

/* The interstitial is over: this player joins the group where that is now.
 * Errors: UNISONO_ESTATE (late: none is open). */
int32_t unisono_player_end_interstitial(unisono_player *player);

/* The person's own volume. The renderer gets it times what ducking leaves.
 * volume: 0...1; 1 unless set.
 * Errors: UNISONO_EINVAL. */
int32_t unisono_player_set_volume(unisono_player *player, double volume);

/* What the renderer has to say: answers to its commands, with their `request`, and what happens by itself. Where it
 * tells positions itself (now is NULL), ten POSITIONs a second while it plays. Answers to an older load are ignored.
 * report: copied.
 * Errors: UNISONO_EINVAL (an unknown state, seekable_end before seekable_start, a time without its flag, a flag that is
 * none), UNISONO_ENOTSUP. */
int32_t unisono_player_report(unisono_player *player, const unisono_renderer_report *report);

/* How far the player was from the group, and what was done about it.
 * out: set out->size before the call (UNISONO_PLAYER_STATISTICS_INIT); no more than that is written. Skews are
 * UNISONO_TIME_INVALID before the first measurement.
 * @since 0.2 */
int32_t unisono_player_get_statistics(unisono_player *player, unisono_player_statistics *out);

/* A place where the player is shown and controlled: several may share one player, which lives while any of them does.
 * The present state is delivered first (SURFACE_CHANGED).
 * callbacks: copied; NULL: events, where there is a queue. user: for them. out: end it with unisono_surface_destroy.
 * Errors: UNISONO_EINVAL (unknown kind), UNISONO_ENOMEM, UNISONO_ENOTSUP. */
int32_t unisono_surface_create(unisono_player *player, unisono_surface_kind kind, const unisono_surface_callbacks *callbacks, void *user, unisono_surface **out);

/* UNISONO_WAITS. Ends a surface; an open skip is not answered any more. NULL and destroyed handles: nothing happens. */
void unisono_surface_destroy(unisono_surface *surface);

/* The surface is about to be shown (picture in picture or full screen begins): WILL_BEGIN comes.
 * Errors: UNISONO_ESTATE (it is shown already). */
int32_t unisono_surface_begin(unisono_surface *surface);

/* The surface is about to go. Picture in picture and full screen first get RESTORE, to bring the window back:
 * WILL_END comes after unisono_surface_complete_restore, or after 2 s; its status is UNISONO_OK when the window was
 * restored, else UNISONO_ECANCELED (restored = 0) or UNISONO_ETIMEDOUT. For others WILL_END comes at once.
 * A player whose inline surface has begun once is out of sight while none of its surfaces is shown. If its renderer
 * then stops by itself (PAUSED, request 0) that is no stall: the rate changes to 0 with the reason BACKGROUNDED, and this
 * player stands apart (user-action-required) until a surface begins, the renderer runs again, or its person plays.
 * Errors: UNISONO_ESTATE (it is not shown). */
int32_t unisono_surface_end(unisono_surface *surface);

/* The button of the surface: 1 plays at the default rate, 0 pauses, for the group.
 * Errors: UNISONO_ESTATE (no current item), UNISONO_EDENIED (late, at the player). */
int32_t unisono_surface_set_playing(unisono_surface *surface, int32_t playing);

/* The skip button: seeks by so much, for the group. Answered by one SKIPPED.
 * interval: ns, signed. request: its number in SKIPPED; may be NULL.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item). */
int32_t unisono_surface_skip_by(unisono_surface *surface, int64_t interval, uint64_t *request);

/* What a progress bar shows.
 * start: UNISONO_TIME_INVALID: nothing to play. duration: ns; UNISONO_TIME_INDEFINITE: live;
 * UNISONO_TIME_INVALID: not known (yet). */
int32_t unisono_surface_time_range(unisono_surface *surface, int64_t *start, int64_t *duration);

/* Whether the button shows "play": 1 paused, 0 playing or waiting to. */
int32_t unisono_surface_is_paused(unisono_surface *surface);

/* The surface has another size; the renderer is told the newest of any surface.
 * width, height: pixels, 0...65,535.
 * Errors: UNISONO_EINVAL.
 * @since 0.2 */
int32_t unisono_surface_set_render_size(unisono_surface *surface, int32_t width, int32_t height);

/* Answers RESTORE.
 * request: of that event. restored: 1: the window is back, 0: it could not be restored.
 * Errors: UNISONO_ESTATE (that request is not open; it may have timed out).
 * @since 0.2 */
int32_t unisono_surface_complete_restore(unisono_surface *surface, uint64_t request, int32_t restored);

/* UNISONO_RT. Of PLAYER_.... @since 0.2 */
const unisono_player_event *unisono_event_player(const unisono_context_event *event);

/* UNISONO_RT. Of RENDERER_.... @since 0.2 */
const unisono_renderer_command *unisono_event_renderer(const unisono_context_event *event);

/* UNISONO_RT. Of SURFACE_.... @since 0.2 */
const unisono_surface_event *unisono_event_surface(const unisono_context_event *event);

/* UNISONO_WAITS. Starts a hub: it passes sealed messages on and can read none of them. Bound before this function returns. Who comes from this
 * machine or its networks may open rooms at it, others only if options->open says so; a room that is open is entered from anywhere.
 * options: NULL: every interface, a free port. Copied.
 * callbacks: copied; NULL: none. user: for them.
 * out: end it with unisono_hub_destroy.
 * Errors: UNISONO_EINVAL (a limit exceeded), UNISONO_ENETWORK (an address is in use or cannot be parsed),
 * UNISONO_ENOMEM, UNISONO_ENOTSUP. */
int32_t unisono_hub_create(unisono_context *context, const unisono_hub_options *options, const unisono_hub_callbacks *callbacks, void *user, unisono_hub **out);

/* UNISONO_WAITS. Stops a hub; the sessions on it look for another. NULL and destroyed handles: nothing happens. */
void unisono_hub_destroy(unisono_hub *hub);

/* The line by which sessions use the hub (`hub` of unisono_session_options): "unisono-hub://host:port/id", one for each address that
 * others can reach it at. The id is what the hub at that address has to prove: hubs have another one each time they are made.
 * index: 0 and up until UNISONO_ENOTFOUND. buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES.
 * Errors: UNISONO_ENOTFOUND, UNISONO_ETOOBIG.
 * @since 0.2 */
int32_t unisono_hub_line(unisono_hub *hub, size_t index, char *buffer, size_t *length);

/* Counters of a hub.
 * out: set out->size before the call (UNISONO_HUB_STATISTICS_INIT); no more than that is written.
 * @since 0.2 */
int32_t unisono_hub_get_statistics(unisono_hub *hub, unisono_hub_statistics *out);

/* UNISONO_WAITS. Says on the local network that this device is here, and takes asks. Bound before this function returns.
 * A machine without a network that takes multicast is told by an ERROR event (UNISONO_ENETWORK, operation
 * "unisono_advertiser_create"); interfaces may come and go. Other devices can still type one of
 * unisono_advertiser_address.
 * session: others may ask to join it; it stops advertising when the session is over. NULL: others may ask this device to
 * come into theirs. service: copied. callbacks: copied; NULL, or a NULL function: the event queue. user: for callbacks.
 * out: end it with unisono_advertiser_destroy; it says goodbye.
 * Errors: UNISONO_EINVAL (the service is not declared right; a session of another context; no callbacks and no event
 * queue), UNISONO_ESTATE (the session is invalidated), UNISONO_ENETWORK (no port to listen on), UNISONO_ENOMEM,
 * UNISONO_ENOTSUP. */
int32_t unisono_advertiser_create(unisono_context *context, unisono_session *session, const unisono_service *service, const unisono_advertiser_callbacks *callbacks, void *user, unisono_advertiser **out);

/* UNISONO_WAITS. Says goodbye; open asks end, and their request handles with them. NULL and destroyed handles: nothing happens. */
void unisono_advertiser_destroy(unisono_advertiser *advertiser);

/* An address that takes asks, "host:port", for people to type where devices do not find each other.
 * index: 0 and up until UNISONO_ENOTFOUND. buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES.
 * Errors: UNISONO_ENOTFOUND, UNISONO_ETOOBIG. */
int32_t unisono_advertiser_address(unisono_advertiser *advertiser, size_t index, char *buffer, size_t *length);

/* Yes. UNISONO_INTENT_JOIN: the session's invite leaves, sealed. UNISONO_INTENT_INVITE: the other person still has to say
 * that the digits are the same; then INVITE comes, or JOIN_WITHDRAWN.
 * request: from JOIN_REQUESTED; once, and until JOIN_WITHDRAWN, afterwards it is UNISONO_ECLOSED. Never destroyed by you.
 * Errors: UNISONO_ESTATE (the session is invalidated; the request stays open). */
int32_t unisono_join_request_accept(unisono_join_request *request);

/* No. The asker is told nothing and sees a time-out.
 * request: as for unisono_join_request_accept. */
int32_t unisono_join_request_deny(unisono_join_request *request);

/* UNISONO_WAITS. Looks for devices that advertise a service: FOUND within 1.5 s, LOST within 5 s of their vanishing, at once after a
 * goodbye. Advertisers of this context are left out. Without a network ERROR comes as for unisono_advertiser_create.
 * service, callbacks, user: as for unisono_advertiser_create. out: end it with unisono_browser_destroy.
 * Errors: UNISONO_EINVAL, UNISONO_ENOMEM, UNISONO_ENOTSUP. */
int32_t unisono_browser_create(unisono_context *context, const unisono_service *service, const unisono_browser_callbacks *callbacks, void *user, unisono_browser **out);

/* UNISONO_WAITS. Stops looking; what was being asked is cancelled. NULL and destroyed handles: nothing happens. */
void unisono_browser_destroy(unisono_browser *browser);

/* Knows a device by an address that somebody typed; FOUND comes, and from there on it goes the same way. Never lost.
 * address: "host:port", <= 262 bytes. device: its number, the same when the address is given again.
 * Errors: UNISONO_EINVAL (no host:port), UNISONO_EFULL (64 addresses). */
int32_t unisono_browser_add_address(unisono_browser *browser, const char *address, uint64_t *device);

/* Asks a device to let this one join its session. DIGITS comes when both screens show them; answer with
 * unisono_browser_confirm. Then INVITE (give it to unisono_session_open) or FAILED: UNISONO_ETIMEDOUT (nobody answered, or no),
 * UNISONO_EBUSY (it takes no more asks now, or has no session), UNISONO_ENETWORK (not reached, or gone),
 * UNISONO_ECANCELED, UNISONO_EPROTOCOL, UNISONO_EAUTH (tampered with), UNISONO_ENOTFOUND (lost meanwhile).
 * device: from FOUND. Any number of devices may be asked at a time.
 * Errors: UNISONO_ENOTFOUND (no such device), UNISONO_EBUSY (it is being asked). */
int32_t unisono_browser_connect(unisono_browser *browser, uint64_t device);

/* Asks a device to come into this device's session. As unisono_browser_connect, but that INVITE says that the session's
 * invite was handed over.
 * session: of the same context.
 * Errors: UNISONO_ENOTFOUND, UNISONO_EBUSY, UNISONO_EINVAL (a session of another context), UNISONO_ESTATE (the session is
 * invalidated). */
int32_t unisono_browser_invite(unisono_browser *browser, uint64_t device, unisono_session *session);

/* The person's word. May come before or after the other side's.
 * device: one that is being asked. digits_match: 1: they are the same on both screens, let the invite pass. 0: they are
 * not, or never mind: the ask is cancelled, at any time of it.
 * Errors: UNISONO_ENOTFOUND (nothing is being asked of it). */
int32_t unisono_browser_confirm(unisono_browser *browser, uint64_t device, int32_t digits_match);

/* UNISONO_RT. Of NEARBY_.... @since 0.2 */
const unisono_nearby_event *unisono_event_nearby(const unisono_context_event *event);

/* Makes a clock and a network, without contexts yet.
 * options: NULL: seed 0. Copied.
 * out: end it with unisono_simulation_destroy.
 * Errors: UNISONO_EINVAL, UNISONO_ENOMEM (too many handles).
 * @since 0.2 */
int32_t unisono_simulation_create(const unisono_simulation_options *options, unisono_simulation **out);

/* Makes a context that lives on the simulation's clock, a machine of its own in its network (10.0.0.1, 10.0.0.2 ...). Callbacks
 * come inside unisono_simulation_advance, on its thread, or events go to the queue; unisono_context_poll, _fd and _timeout answer
 * UNISONO_ESTATE, and unisono_context_next_event waits for nothing. random_seed 0 follows the simulation's.
 * options: as of unisono_context_create, without own_thread and uv_loop. callbacks, user: as there.
 * clock_offset: ns that its clock is ahead of the simulation's at first, -10^15...10^15.
 * clock_drift_ppm: how much faster its clock goes, -500...500.
 * out: end it with unisono_context_destroy, at any time; else it ends with the simulation.
 * Errors: UNISONO_EINVAL, UNISONO_ENOMEM, UNISONO_ECLOSED.
 * @since 0.2 */
int32_t unisono_simulation_context(unisono_simulation *simulation, const unisono_context_options *options, const unisono_context_callbacks *callbacks, void *user, int64_t clock_offset, double clock_drift_ppm, unisono_context **out);

/* Sets how a context is connected from now on; before: 0.1 ms each way, without jitter or loss.
 * context: one of this simulation. link: copied.
 * Errors: UNISONO_EINVAL (a field out of range, or a context that is not simulated here), UNISONO_ECLOSED.
 * @since 0.2 */
int32_t unisono_simulation_set_link(unisono_simulation *simulation, unisono_context *context, const unisono_simulated_link *link);

/* UNISONO_LOOP. Moves the clock on and runs everything that becomes due meanwhile, callbacks included, on this thread.
 * duration: ns, >= 0; 0: what is due now, such as calls that were accepted and have not been carried out yet.
 * Errors: UNISONO_EINVAL, UNISONO_ESTATE (inside a callback of one of its contexts), UNISONO_EBUSY (another thread is in it),
 * UNISONO_ECLOSED.
 * @since 0.2 */
int32_t unisono_simulation_advance(unisono_simulation *simulation, int64_t duration);

/* UNISONO_WAITS. Ends the simulation and its contexts, as unisono_context_destroy ends each. NULL and destroyed handles: nothing happens.
 * @since 0.2 */
void unisono_simulation_destroy(unisono_simulation *simulation);
]])

local declared = { enumerations = {}, structs = {}, functions = {} }

declared.constants = {
  API_VERSION_MAJOR = 0,
  API_VERSION_MINOR = 2,
  API_VERSION = 2, -- major << 16 | minor, as one literal
  TIME_INVALID = -0x7fffffffffffffffLL - 1,
  TIME_INDEFINITE = 0x7fffffffffffffffLL,
  HAS_POSITION = 1, -- item_time and host_time of a report, item_time of a notice
  HAS_RANGE = 2, -- earliest and latest, or seekable_start and seekable_end, of a report
  HAS_HOST_TIME = 4, -- host_time of a unisono_timing
  DIFFERS_DURATION = 1, -- by more than a second
  DIFFERS_SIZE = 2,
  DIFFERS_HASH = 4,
  DIFFERS_CONTAINER = 8, -- of the same length all the same: as far as can be told only packed otherwise
  RATE_PLAY_IMMEDIATELY = 1,
  SEEK_RESUME_IMMEDIATELY = 1,
  REASON_AUDIO_SESSION_INTERRUPTED = "audio-session-interrupted",
  REASON_STALL_RECOVERY = "stall-recovery",
  REASON_PLAYING_INTERSTITIAL = "playing-interstitial",
  REASON_COORDINATED_PLAYBACK_NOT_POSSIBLE = "coordinated-playback-not-possible",
  REASON_USER_ACTION_REQUIRED = "user-action-required",
  REASON_USER_IS_CHANGING_CURRENT_TIME = "user-is-changing-current-time",
  REASON_NOT_READY = "not-ready", -- in waiting_for only: its person, not its player. @since 0.2
  RATE_AS_DEFAULT = 2, -- unisono_player_set_rate. @since 0.2
  RENDERER_EXACT_START = 1, -- play() keeps host_time within 1 ms: no correction after a start
  RENDERER_REVERSE = 2, -- negative rates
  RENDERER_NUDGES = 4, -- nudge() changes the speed without a gap
  PLATFORM_OTHER = 1,
  PLATFORM_LINUX = 2,
  PLATFORM_MACOS = 4,
  PLATFORM_WINDOWS = 8,
  PLATFORM_ANDROID = 16,
  PLATFORM_IOS = 32,
  PLATFORM_TV = 64,
  PLATFORM_WEB = 128,
}

-- Negative and never -1, so that -1 stays free for "none" and for libuv's and errno's own numbers.
declared.enumerations.status = {
  OK = 0,
  EINVAL = -101,
  ENOMEM = -102,
  ECLOSED = -103,
  ESTATE = -104,
  ETIMEDOUT = -105,
  ENETWORK = -106,
  EPROTOCOL = -107,
  EVERSION = -108,
  EAUTH = -109,
  EDENIED = -110,
  EFULL = -111,
  ETOOBIG = -112,
  ENOTFOUND = -113,
  EBUSY = -114,
  ECANCELED = -115,
  EINTERNAL = -116,
  ENOTSUP = -117, -- not on this platform, or a set field that this library does not know
  EIO = -118, -- a file could not be read or written
  EENDED = -119, -- invalidation reason: somebody ended the session for all
}

-- 1-15 context, 16-47 session, 48-79 coordinator, 80-95 player, 96-127 renderer, 128-143 surface, 144- nearby
declared.enumerations.event_type = {
  NONE = 0,
  TIMER = 1, -- unisono_timer_event
  OVERFLOW = 2, -- unisono_overflow_event
  ERROR = 3, -- unisono_error_event
  LOG = 4, -- unisono_log_event
  RELEASED = 5, -- unisono_context_event only: last one for this source
  SESSION_STATE = 16, -- unisono_session_state_event
  SESSION_ACTIVITY = 17, -- unisono_activity_event
  SESSION_PARTICIPANTS = 18, -- unisono_participants_change
  SESSION_MESSAGE = 19, -- unisono_message
  SESSION_NOTICE = 20, -- unisono_notice_event
  SESSION_FOREGROUND = 21, -- unisono_participant_event
  SESSION_SPEAKING = 22, -- unisono_participant_event
  SESSION_INVITE = 23, -- unisono_invite_event
  SESSION_CONSENT = 24, -- unisono_activation_event
  SESSION_ACTIVATION = 25, -- unisono_activation_event
  SESSION_ATTACHMENT = 26, -- unisono_attachment_event. @since 0.2
  SESSION_WRITABLE = 27, -- unisono_context_event only
  SESSION_SUCCESSION = 28, -- unisono_succession_event. @since 0.2
  SESSION_REQUEST = 29, -- unisono_request_event. @since 0.2
  SESSION_IGNORED = 30, -- unisono_ignored_event. @since 0.2
  SESSION_CLOCK_DOUBT = 31, -- unisono_clock_doubt_event. @since 0.2
  SESSION_SPLIT = 32, -- unisono_split_event. @since 0.2
  SESSION_HUB_DOUBT = 33, -- unisono_hub_doubt_event. @since 0.2
  SESSION_CHAT = 34, -- unisono_chat_event. @since 0.2
  SESSION_PLAYLIST = 36, -- unisono_playlist_event. @since 0.2
  SESSION_COPY = 37, -- unisono_copy_event. @since 0.2
  SESSION_AUDIENCE = 38, -- unisono_audience_event. @since 0.2
  SESSION_LISTENER = 39, -- unisono_listener_event. @since 0.2
  SESSION_SCHEDULE = 40, -- unisono_schedule_event. @since 0.2
  COORDINATOR_PLAY = 48, -- unisono_command
  COORDINATOR_PAUSE = 49, -- unisono_command
  COORDINATOR_SEEK = 50, -- unisono_command
  COORDINATOR_BUFFER = 51, -- unisono_command
  COORDINATOR_PARTICIPANTS = 52, -- unisono_participants_change
  COORDINATOR_SUSPENSIONS = 53, -- unisono_suspensions_change
  COORDINATOR_TIMING = 54, -- unisono_timing_change
  COORDINATOR_LISTENING = 55, -- unisono_listening_event. @since 0.2
  COORDINATOR_INVITED = 56, -- unisono_invite_event. @since 0.2
  PLAYER_TIME_CONTROL = 80, -- unisono_player_event
  PLAYER_RATE = 81, -- unisono_player_event
  PLAYER_TIME_JUMPED = 82, -- unisono_player_event
  PLAYER_ITEM_STATE = 83, -- unisono_player_event
  PLAYER_ITEM_ENDED = 84, -- unisono_player_event
  PLAYER_SEEK_DONE = 85, -- unisono_player_event
  RENDERER_LOAD = 96, -- 96...104: unisono_renderer_command
  RENDERER_CUE = 97,
  RENDERER_PLAY = 98,
  RENDERER_PAUSE = 99,
  RENDERER_SEEK = 100,
  RENDERER_NUDGE = 101,
  RENDERER_VOLUME = 102,
  RENDERER_SIZE = 103,
  RENDERER_STOP = 104,
  SURFACE_CHANGED = 128, -- unisono_surface_event: ask again is_paused, time range
  SURFACE_SKIPPED = 129, -- unisono_surface_event
  SURFACE_WILL_BEGIN = 130, -- unisono_surface_event
  SURFACE_WILL_END = 131, -- unisono_surface_event
  SURFACE_RESTORE = 132, -- unisono_surface_event
  NEARBY_JOIN_REQUESTED = 144, -- unisono_nearby_event
  NEARBY_JOIN_WITHDRAWN = 145, -- unisono_nearby_event
  NEARBY_FOUND = 146, -- unisono_nearby_event
  NEARBY_UPDATED = 147, -- unisono_nearby_event
  NEARBY_LOST = 148, -- unisono_nearby_event
  NEARBY_DIGITS = 149, -- unisono_nearby_event
  NEARBY_INVITE = 150, -- unisono_nearby_event
  NEARBY_FAILED = 151, -- unisono_nearby_event
}

declared.enumerations.log_level = {
  DEFAULT = 0, -- as an option: WARNING
  ERROR = 1,
  WARNING = 2,
  INFO = 3,
  DEBUG = 4,
  NONE = -1,
}

declared.enumerations.activity_type = {
  ALL = -1, -- of unisono_context_forget_answers only. @since 0.2
  GENERIC = 0,
  WATCH_TOGETHER = 1,
  LISTEN_TOGETHER = 2,
  PLAY_TOGETHER = 3,
  CREATE_TOGETHER = 4,
  EXPLORE_TOGETHER = 5,
  LEARN_TOGETHER = 6,
  READ_TOGETHER = 7,
  SHOP_TOGETHER = 8,
  WORKOUT_TOGETHER = 9,
}

declared.enumerations.session_state = {
  WAITING = 0,
  JOINED = 1,
  INVALIDATED = 2,
}

-- Of a session: CONNECTED through a hub with the group, or with what is left of it (`alone` of the state event). CONNECTING
-- until the group was met, also while a hub is reached at which nobody of it is. RECONNECTING until it is met again, or all who
-- were lost are off the list.
declared.enumerations.connection = {
  NONE = 0,
  CONNECTING = 1,
  CONNECTED = 2,
  RECONNECTING = 3,
}

declared.enumerations.role = {
  DEFAULT = 0, -- only asked for: OWNER for _host, MEMBER for _open; never received
  VIEWER = 1,
  MEMBER = 2,
  HOST = 3,
  OWNER = 4,
}

declared.enumerations.control_policy = {
  EVERYONE = 0, -- all may command
  HOSTS_ONLY = 1, -- HOST and OWNER
  MEMBERS = 2, -- all but VIEWER
}

declared.enumerations.lifetime = {
  AUTOMATIC = 0,
  ENDS_WITH_INITIATOR = 1,
}

declared.enumerations.reach = {
  MACHINE = 0, -- this machine alone
  NETWORK = 1, -- a private network: at home, at work, behind one router, in a VPN
  ANYWHERE = 2, -- a public address, or a name; what stands in between may still refuse
}

declared.enumerations.delivery = {
  RELIABLE = 0,
  UNRELIABLE = 1,
}

declared.enumerations.activation_result = {
  DISABLED = 0,
  PREFERRED = 1,
  CANCELLED = 2,
}

-- What a person says of being ready. @since 0.2
declared.enumerations.readiness = {
  NOT_SAID = 0,
  READY = 1,
  NOT_READY = 2,
}

declared.enumerations.notice_kind = {
  CUSTOM = 0,
  PLAYED = 1,
  PAUSED = 2,
  SKIPPED = 3,
  RATE_CHANGED = 4,
  ITEM_CHANGED = 5,
  QUEUE_CHANGED = 6,
  LEFT_WAITING = 7, -- the group went on without this one
  JOINED = 8, -- each once, with the name
  LEFT = 9, -- each once, with the name
  WAITED_FOR = 10, -- never received: for unisono_notice_text alone
  PRESENT = 11, -- was there when this one joined
  ELSEWHERE = 12, -- is at another item than this one, and has been for 3 s: told once of each item
  RANGE_SKIPPED = 13, -- the group left out a range of the entry; nobody's doing: the originator is all zero
}

declared.enumerations.succession = {
  DEFAULT = 0, -- only given: as BY_SENIORITY; never received
  NOBODY = 1,
  NAMED = 2, -- the deputies that an owner named, in their order
  BY_SENIORITY = 3, -- who has been there longest, the highest roles first; not where EVERYONE commands
}

declared.enumerations.succession_status = {
  ENDED = 0, -- an owner is back, or decided otherwise
  BEGAN = 1, -- the deputy acts as owner from now on
  REFUSED = 2, -- it says so, but an owner is there: nobody here goes by it
}

declared.enumerations.request_kind = {
  PAUSE = 0,
  PLAY = 1,
  SEEK = 2,
}

declared.enumerations.request_status = {
  OPEN = 0, -- this host is asked
  GRANTED = 1,
  DECLINED = 2, -- by everybody who was asked
  UNANSWERED = 3, -- for 30 s, or nobody who could answer, or who asked, is there any more
}

-- In which way two participants do not hear each other. Bits. @since 0.2
declared.enumerations.split_kind = {
  UNHEARD = 1, -- others hear it, this participant does not, for 15 s
  DEAF = 2, -- it hears others and not this participant, as it says, for 15 s
  UNREADABLE = 4, -- it is at the hub and speaks, and nothing of it can be read here, for 10 s
}

-- @since 0.2
declared.enumerations.hub_doubt_reason = {
  CLOCK = 1, -- it tells this participant, or two others, another time than the rest
  SPLIT = 2, -- it keeps this participant and others from hearing each other
  IDENTITY = 3, -- another one answers at its address, or it cannot prove that it is the one that was meant
  REFUSAL = 4, -- it does not let this participant in again
  REPLACEMENT = 5, -- it said three times in 60 s that a newer connection took this one's place
}

declared.enumerations.chat_kind = {
  TEXT = 0,
  REACTION = 1,
}

-- What a range of an entry is; several together, as bits, are what a group leaves out. @since 0.2
declared.enumerations.range_kind = {
  INTRO = 1,
  RECAP = 2,
  CREDITS = 4,
  OTHER = 8,
}

-- @since 0.2
declared.enumerations.attachment_change = {
  ADDED = 0, -- it is offered; those that were before this participant joined are told, too
  REMOVED = 1, -- it is not offered any more; what was loaded stays
  PROGRESS = 2, -- four times a second at most; what is not read in time is dropped. The first one: with what an earlier load left
  LOADED = 3, -- the file is there, and has the content that `id` says
  FAILED = 4, -- of attach, or of load_attachment: `status`, `message`
  FORGED = 5, -- bytes that came were not it, and were thrown away; others are asked. `participant`
  LOST = 6, -- the others are not given it any more: the file has changed or is gone (EIO), or `participant` offers the same content with a length that it does not have (EAUTH)
}

-- @since 0.2
declared.enumerations.schedule_change = {
  SET = 0, -- it was scheduled, or is at another time; who joins later is told, too
  CANCELED = 1, -- it was called off
  REMAINING = 2, -- `remaining` is left: 60, 30, 10, 5 and 1 min, 30 s, and each of the last 10 s
  DUE = 3, -- it is time; play comes as a command, to those who are on the item
}

-- Whether others can listen to what the group plays: unisono_session_open_audience. @since 0.2
declared.enumerations.audience_state = {
  CLOSED = 0, -- none, or this participant is no owner or host: `reason`
  OPENING = 1, -- nobody speaks to it just now; whoever listens waits, or keeps what it has
  OPEN = 2, -- whoever has the link follows
}

declared.enumerations.listener_word = {
  ASKS = 1, -- wants to speak: unisono_session_invite_listener lets it into the session
  SAYS = 2, -- says `text`
}

declared.enumerations.clock_state = {
  NONE = 0,
  SYNCHRONIZING = 1,
  SYNCHRONIZED = 2,
  HOLDOVER = 3,
}

declared.enumerations.timing_state = {
  NONE = 0, -- no item, or the group has no timing for it yet
  PAUSED = 1,
  WAITING = 2,
  PLAYING = 3,
}

-- What a player with controls of its own does, and says of itself: unisono_coordinator_is_wish. @since 0.2
declared.enumerations.motion = {
  RUNNING = 1, -- 1: it runs, 0: it stands
  RATE = 2, -- how fast it runs, corrections included; the usual is 1
  SEEKING = 3, -- 1: a seek began, 0: it is over
}

declared.enumerations.cause = {
  UNKNOWN = 0,
  PLAY = 1,
  PAUSE = 2,
  SEEK = 3,
  RATE = 4,
  PROPOSAL = 5,
  ITEM = 6,
  REJOIN = 7,
  REAPPLY = 8,
  STALL = 9,
  CLOCK = 10,
  ENDED = 11,
  LEFT = 12, -- paused because the originator left (unisono_start_policy). @since 0.2
  RANGE = 13, -- a range is left out (unisono_coordinator_set_skipped_ranges); nobody's doing. @since 0.2
}

declared.enumerations.listening_status = {
  CONNECTING = 1, -- nothing was heard yet, or the link is lost; it is tried again
  FOLLOWING = 2, -- what the group does is heard
  SILENT = 3, -- the hub is there, and nobody of the group has spoken for 15 s; what was heard last goes on
  OVER = 4, -- the audience was closed, or cannot be listened to: the coordinator is on its own
}

-- What happens when an item is played to its end.
declared.enumerations.action_at_end = {
  ADVANCE = 0, -- each player goes on to its next item; without one all stand
  PAUSE = 1, -- all stay on the item, and the group is paused at its end
  NONE = 2, -- all stay on the item, and the group's rate stays as it is
}

-- Which starts wait until all persons who are present have said that they are ready. @since 0.2
declared.enumerations.start_rule = {
  AT_ONCE = 0, -- none: players only are waited for
  FIRST_WHEN_READY = 1, -- the first start of an item
  WHEN_READY = 2, -- every start from a pause
}

-- What the running group does when a person who was at the item leaves the session. @since 0.2
declared.enumerations.leaving_rule = {
  GO_ON = 0,
  PAUSE = 1,
}

declared.enumerations.time_control = {
  PAUSED = 0,
  WAITING = 1,
  PLAYING = 2,
}

declared.enumerations.waiting_reason = {
  NONE = 0,
  TO_MINIMIZE_STALLS = 1,
  EVALUATING_BUFFERING_RATE = 2,
  NO_ITEM = 3,
  COORDINATED_PLAYBACK = 4,
  INTERSTITIAL = 5,
}

declared.enumerations.item_state = {
  UNKNOWN = 0,
  READY = 1,
  FAILED = 2,
}

-- SET_RATE_FAILED: the group's rate cannot be played here, or the policy did not allow it. BACKGROUNDED: the renderer
-- stopped by itself while nothing of the player was shown (unisono_surface_end). LIVE_EDGE: a live item played fast came
-- to its edge, and everybody goes on at the usual rate.
declared.enumerations.rate_reason = {
  SET_RATE_CALLED = 0,
  SET_RATE_FAILED = 1,
  INTERRUPTED = 2,
  BACKGROUNDED = 3,
  PARTICIPANT = 4,
  LIVE_EDGE = 5,
  ITEM_ENDED = 6,
}

declared.enumerations.renderer_state = {
  POSITION = 0, -- a position, nothing else
  READY = 1, -- load or cue done
  SEEKED = 2,
  PLAYING = 3,
  PAUSED = 4,
  STALLED = 5,
  RECOVERED = 6,
  ENDED = 7,
  FAILED = 8,
}

declared.enumerations.surface_kind = {
  INLINE = 0,
  PICTURE_IN_PICTURE = 1,
  FULL_SCREEN = 2,
  REMOTE = 3,
}

declared.enumerations.intent = {
  UNKNOWN = 0, -- an address typed by hand: not known before it answers
  JOIN = 1, -- the advertising device has a session: ask to join it
  INVITE = 2, -- it has none: ask it to come into one
}

declared.structs.unisono_participant_id = {
  { "bytes", "bytes" },
}

declared.structs.unisono_attachment_id = {
  { "bytes", "bytes" },
}

declared.structs.unisono_context_event = {
  { "size", "number" },
  { "type", "enumeration", "event_type" },
  { "source", "pointer" },
  { "user", "pointer" },
  { "host_time", "time" },
}

declared.structs.unisono_timer_event = {
  { "base", "struct", "unisono_context_event" },
  { "token", "wide" },
  { "due_host_time", "time" },
  { "status", "enumeration", "status" },
  { "reserved", "number" },
}

declared.structs.unisono_overflow_event = {
  { "base", "struct", "unisono_context_event" },
  { "messages", "wide" },
  { "others", "wide" },
}

declared.structs.unisono_error_event = {
  { "base", "struct", "unisono_context_event" },
  { "status", "enumeration", "status" },
  { "reserved", "number" },
  { "operation", "text" },
  { "message", "text" },
}

declared.structs.unisono_log_event = {
  { "base", "struct", "unisono_context_event" },
  { "level", "enumeration", "log_level" },
  { "reserved", "number" },
  { "message", "text" },
}

declared.structs.unisono_context_options = {
  { "size", "number" },
  { "own_thread", "truth" },
  { "event_queue", "truth" },
  { "event_queue_limit", "number" },
  { "uv_loop", "pointer" },
  { "uv_loop_size", "number" },
  { "device_name", "text" },
  { "storage_path", "text" },
  { "random_seed", "wide" },
  { "log_level", "enumeration", "log_level" },
  { "reserved", "number" },
  { "person", "bytes" },
}

declared.structs.unisono_context_callbacks = {
  { "size", "number" },
  { "reserved", "number" },
  { "log", "function" },
  { "wakeup", "function" },
  { "released", "function" },
}

declared.structs.unisono_activity = {
  { "size", "number" },
  { "type", "enumeration", "activity_type" },
  { "identifier", "text" },
  { "title", "text" },
  { "subtitle", "text" },
  { "fallback_url", "text" },
  { "preview_image", "data", nil, "preview_image_length" },
  { "preview_image_length", "count" },
  { "payload", "data", nil, "payload_length" },
  { "payload_length", "count" },
  { "lifetime", "enumeration", "lifetime" },
  { "supports_continuation", "truth" },
}

declared.structs.unisono_participant = {
  { "size", "number" },
  { "connection", "enumeration", "connection" },
  { "id", "id", "unisono_participant_id" },
  { "person", "id", "unisono_participant_id" },
  { "display_name", "text" },
  { "device_name", "text" },
  { "item", "text" },
  { "suspension_reasons", "texts", nil, "suspension_reason_count" },
  { "suspension_reason_count", "count" },
  { "role", "enumeration", "role" },
  { "is_local", "truth" },
  { "ready", "truth" },
  { "speaking", "truth" },
  { "rate", "number" },
  { "item_time", "time" },
  { "host_time", "time" },
  { "round_trip", "time" },
  { "clock_error", "time" },
  { "failure", "truth" },
  { "readiness", "enumeration", "readiness" },
  { "split", "number" },
  { "given_up", "truth" },
  { "cut_offset", "time" },
}

declared.structs.unisono_participants = {
  { "size", "number" },
  { "reserved", "number" },
  { "count", "count" },
  { "items", "views", "unisono_participant", "count" },
}

declared.structs.unisono_participants_change = {
  { "base", "struct", "unisono_context_event" },
  { "is_complete", "truth" },
  { "reserved", "number" },
  { "joined", "views", "unisono_participant", "joined_count" },
  { "joined_count", "count" },
  { "updated", "views", "unisono_participant", "updated_count" },
  { "updated_count", "count" },
  { "left", "views", "unisono_participant", "left_count" },
  { "left_count", "count" },
}

declared.structs.unisono_session_state_event = {
  { "base", "struct", "unisono_context_event" },
  { "state", "enumeration", "session_state" },
  { "connection", "enumeration", "connection" },
  { "reason", "enumeration", "status" },
  { "closed", "truth" },
  { "message", "text" },
  { "hub", "text" },
  { "hub_is_own", "truth" },
  { "alone", "truth" },
}

declared.structs.unisono_activity_event = {
  { "base", "struct", "unisono_context_event" },
  { "originator", "id", "unisono_participant_id" },
  { "activity", "view", "unisono_activity" },
  { "is_local", "truth" },
  { "reserved", "number" },
}

declared.structs.unisono_message = {
  { "base", "struct", "unisono_context_event" },
  { "sender", "id", "unisono_participant_id" },
  { "data", "data", nil, "length" },
  { "length", "count" },
  { "delivery", "enumeration", "delivery" },
  { "version", "number" },
  { "type", "text" },
  { "item", "text" },
  { "item_time", "time" },
}

declared.structs.unisono_notice = {
  { "size", "number" },
  { "kind", "enumeration", "notice_kind" },
  { "originator", "id", "unisono_participant_id" },
  { "amount", "time" },
  { "rate", "number" },
  { "text", "text" },
  { "url", "text" },
  { "item_time", "time" },
  { "name", "text" },
  { "flags", "number" },
  { "reserved", "number" },
  { "coordinator", "text" },
}

declared.structs.unisono_notice_event = {
  { "base", "struct", "unisono_context_event" },
  { "notice", "view", "unisono_notice" },
}

declared.structs.unisono_participant_event = {
  { "base", "struct", "unisono_context_event" },
  { "participant", "id", "unisono_participant_id" },
  { "active", "truth" },
  { "in_background", "truth" },
}

declared.structs.unisono_invite_event = {
  { "base", "struct", "unisono_context_event" },
  { "invite", "text" },
}

declared.structs.unisono_activation_event = {
  { "base", "struct", "unisono_context_event" },
  { "request", "wide" },
  { "activity", "view", "unisono_activity" },
  { "result", "enumeration", "activation_result" },
  { "remembered", "truth" },
}

declared.structs.unisono_succession_event = {
  { "base", "struct", "unisono_context_event" },
  { "deputy", "id", "unisono_participant_id" },
  { "status", "enumeration", "succession_status" },
  { "named", "truth" },
}

declared.structs.unisono_succession_state = {
  { "size", "number" },
  { "succession", "enumeration", "succession" },
  { "delay", "time" },
  { "acting", "id", "unisono_participant_id" },
  { "deputy_count", "count" },
  { "reserved", "number" },
  { "deputies", "ids", "unisono_participant_id", "deputy_count" },
}

declared.structs.unisono_request = {
  { "size", "number" },
  { "kind", "enumeration", "request_kind" },
  { "item_time", "time" },
  { "text", "text" },
}

declared.structs.unisono_request_event = {
  { "base", "struct", "unisono_context_event" },
  { "number", "wide" },
  { "asker", "id", "unisono_participant_id" },
  { "answerer", "id", "unisono_participant_id" },
  { "status", "enumeration", "request_status" },
  { "kind", "enumeration", "request_kind" },
  { "item_time", "time" },
  { "item", "text" },
  { "text", "text" },
}

declared.structs.unisono_ignored_event = {
  { "base", "struct", "unisono_context_event" },
  { "participant", "id", "unisono_participant_id" },
  { "by_other", "truth" },
  { "status", "enumeration", "status" },
  { "until", "time" },
  { "message", "text" },
}

declared.structs.unisono_clock_doubt_event = {
  { "base", "struct", "unisono_context_event" },
  { "participant", "id", "unisono_participant_id" },
  { "own", "truth" },
  { "over", "truth" },
  { "offset", "time" },
  { "hub", "text" },
  { "message", "text" },
}

declared.structs.unisono_split_event = {
  { "base", "struct", "unisono_context_event" },
  { "participant", "id", "unisono_participant_id" },
  { "kind", "enumeration", "split_kind" },
  { "over", "truth" },
  { "since", "time" },
  { "hub", "text" },
  { "message", "text" },
}

declared.structs.unisono_hub_doubt_event = {
  { "base", "struct", "unisono_context_event" },
  { "reason", "enumeration", "hub_doubt_reason" },
  { "over", "truth" },
  { "until", "time" },
  { "hub", "text" },
  { "message", "text" },
}

declared.structs.unisono_chat_entry = {
  { "size", "number" },
  { "kind", "enumeration", "chat_kind" },
  { "author", "id", "unisono_participant_id" },
  { "number", "wide" },
  { "said", "time" },
  { "item_time", "time" },
  { "item", "text" },
  { "name", "text" },
  { "text", "text" },
}

declared.structs.unisono_chat_event = {
  { "base", "struct", "unisono_context_event" },
  { "entry", "view", "unisono_chat_entry" },
  { "own", "truth" },
  { "is_history", "truth" },
}

declared.structs.unisono_chat = {
  { "size", "number" },
  { "reserved", "number" },
  { "count", "count" },
  { "items", "views", "unisono_chat_entry", "count" },
}

declared.structs.unisono_entry_id = {
  { "bytes", "bytes" },
}

declared.structs.unisono_copy = {
  { "size", "number" },
  { "has_hash", "truth" },
  { "duration", "time" },
  { "file_size", "wide" },
  { "hash", "bytes" },
}

declared.structs.unisono_range = {
  { "begin", "time" },
  { "end", "time" },
  { "kind", "enumeration", "range_kind" },
  { "reserved", "number" },
}

declared.structs.unisono_playlist_entry = {
  { "size", "number" },
  { "reserved", "number" },
  { "id", "id", "unisono_entry_id" },
  { "item", "text" },
  { "title", "text" },
  { "copy", "view", "unisono_copy" },
  { "addresses", "texts", nil, "address_count" },
  { "address_count", "count" },
  { "ranges", "list", "unisono_range", "range_count" },
  { "range_count", "count" },
}

declared.structs.unisono_playlist = {
  { "size", "number" },
  { "reserved", "number" },
  { "current", "id", "unisono_entry_id" },
  { "count", "count" },
  { "items", "views", "unisono_playlist_entry", "count" },
}

declared.structs.unisono_playlist_event = {
  { "base", "struct", "unisono_context_event" },
  { "entries_changed", "truth" },
  { "current_changed", "truth" },
  { "by_end", "truth" },
  { "reserved", "number" },
  { "current", "id", "unisono_entry_id" },
  { "originator", "id", "unisono_participant_id" },
  { "item", "text" },
}

declared.structs.unisono_copy_event = {
  { "base", "struct", "unisono_context_event" },
  { "participant", "id", "unisono_participant_id" },
  { "entry", "id", "unisono_entry_id" },
  { "differs", "number" },
  { "reserved", "number" },
  { "copy", "view", "unisono_copy" },
  { "message", "text" },
}

declared.structs.unisono_attachment = {
  { "size", "number" },
  { "is_available", "truth" },
  { "id", "id", "unisono_attachment_id" },
  { "owner", "id", "unisono_participant_id" },
  { "length", "wide" },
  { "name", "text" },
  { "media_type", "text" },
}

declared.structs.unisono_attachments = {
  { "size", "number" },
  { "reserved", "number" },
  { "count", "count" },
  { "items", "views", "unisono_attachment", "count" },
}

declared.structs.unisono_attachment_event = {
  { "base", "struct", "unisono_context_event" },
  { "attachment", "view", "unisono_attachment" },
  { "request", "wide" },
  { "transferred", "wide" },
  { "participant", "id", "unisono_participant_id" },
  { "change", "enumeration", "attachment_change" },
  { "status", "enumeration", "status" },
  { "message", "text" },
}

declared.structs.unisono_scheduled_start = {
  { "size", "number" },
  { "reserved", "number" },
  { "item", "text" },
  { "host_time", "time" },
  { "calendar_time", "time" },
  { "error_bound", "time" },
  { "originator", "id", "unisono_participant_id" },
}

declared.structs.unisono_schedule_event = {
  { "base", "struct", "unisono_context_event" },
  { "start", "view", "unisono_scheduled_start" },
  { "remaining", "time" },
  { "change", "enumeration", "schedule_change" },
  { "reserved", "truth" },
}

declared.structs.unisono_audience_options = {
  { "size", "number" },
  { "ready_share", "number" },
  { "ready_wait", "time" },
  { "reactions", "texts", nil, "reaction_count" },
  { "reaction_count", "count" },
}

declared.structs.unisono_reaction_count = {
  { "reaction", "text" },
  { "count", "number" },
  { "reserved", "number" },
}

declared.structs.unisono_audience_event = {
  { "base", "struct", "unisono_context_event" },
  { "state", "enumeration", "audience_state" },
  { "listeners", "number" },
  { "left_out", "number" },
  { "ready", "number" },
  { "reason", "text" },
  { "reactions", "list", "unisono_reaction_count", "reaction_count" },
  { "reaction_count", "count" },
}

declared.structs.unisono_listener_event = {
  { "base", "struct", "unisono_context_event" },
  { "listener", "id", "unisono_participant_id" },
  { "text", "text" },
  { "word", "enumeration", "listener_word" },
  { "reserved", "truth" },
}

declared.structs.unisono_session_callbacks = {
  { "size", "number" },
  { "reserved", "number" },
  { "state", "function" },
  { "activity", "function" },
  { "participants", "function" },
  { "message", "function" },
  { "notice", "function" },
  { "foreground_requested", "function" },
  { "speaking", "function" },
  { "invite_changed", "function" },
  { "consent", "function" },
  { "attachment", "function" },
  { "writable", "function" },
  { "error", "function" },
  { "released", "function" },
  { "succession", "function" },
  { "request", "function" },
  { "ignored", "function" },
  { "clock_doubt", "function" },
  { "chat", "function" },
  { "split", "function" },
  { "hub_doubt", "function" },
  { "playlist", "function" },
  { "copy", "function" },
  { "schedule", "function" },
  { "audience", "function" },
  { "listener", "function" },
}

declared.structs.unisono_hub_options = {
  { "size", "number" },
  { "participants_per_room", "number" },
  { "rooms", "number" },
  { "connections", "number" },
  { "connections_per_address", "number" },
  { "bytes_per_second", "number" },
  { "listen", "texts", nil, "listen_count" },
  { "listen_count", "count" },
  { "advertise", "texts", nil, "advertise_count" },
  { "advertise_count", "count" },
  { "memory", "wide" },
  { "room_bytes_per_second", "wide" },
  { "open", "truth" },
  { "reserved", "number" },
}

declared.structs.unisono_continuation = {
  { "size", "number" },
  { "reserved", "number" },
  { "length", "count" },
  { "bytes", "data", nil, "length" },
}

declared.structs.unisono_session_options = {
  { "size", "number" },
  { "control_policy", "enumeration", "control_policy" },
  { "display_name", "text" },
  { "hub", "text" },
  { "hub_options", "view", "unisono_hub_options" },
  { "activity", "view", "unisono_activity" },
  { "role", "enumeration", "role" },
  { "no_standby_hub", "truth" },
  { "in_background", "truth" },
  { "succession", "enumeration", "succession" },
  { "succession_delay", "time" },
  { "continuation", "data", nil, "continuation_length" },
  { "continuation_length", "count" },
  { "continuation_key", "data", nil, "continuation_key_length" },
  { "continuation_key_length", "count" },
  { "continuation_age", "time" },
}

declared.structs.unisono_clock = {
  { "size", "number" },
  { "state", "enumeration", "clock_state" },
  { "epoch", "wide" },
  { "host_time", "time" },
  { "session_time", "time" },
  { "rate", "number" },
  { "error_bound", "time" },
  { "error_growth", "number" },
}

declared.structs.unisono_session_statistics = {
  { "size", "number" },
  { "clock_state", "enumeration", "clock_state" },
  { "round_trip", "time" },
  { "round_trip_last", "time" },
  { "clock_offset", "time" },
  { "clock_error", "time" },
  { "clock_drift_ppm", "number" },
  { "probes_sent", "wide" },
  { "probes_received", "wide" },
  { "messages_sent", "wide" },
  { "messages_received", "wide" },
  { "bytes_sent", "wide" },
  { "bytes_received", "wide" },
  { "messages_refused", "wide" },
  { "reconnects", "wide" },
  { "hub_changes", "wide" },
  { "send_queue_bytes", "wide" },
  { "checked_bound", "time" },
}

declared.structs.unisono_interstitial = {
  { "begin", "time" },
  { "end", "time" },
}

declared.structs.unisono_command = {
  { "base", "struct", "unisono_context_event" },
  { "id", "wide" },
  { "originator", "id", "unisono_participant_id" },
  { "item", "text" },
  { "rate", "number" },
  { "item_time", "time" },
  { "host_time", "time" },
  { "due_host_time", "time" },
  { "anticipated_rate", "number" },
  { "is_local", "truth" },
  { "snap", "truth" },
  { "buffer_in_anticipation", "truth" },
  { "cause", "enumeration", "cause" },
}

declared.structs.unisono_timing = {
  { "size", "number" },
  { "state", "enumeration", "timing_state" },
  { "rate", "number" },
  { "item_time", "time" },
  { "host_time", "time" },
  { "error_bound", "time" },
  { "flags", "number" },
  { "reserved", "number" },
}

declared.structs.unisono_waiting_for = {
  { "participant", "id", "unisono_participant_id" },
  { "reason", "text" },
}

declared.structs.unisono_timing_change = {
  { "base", "struct", "unisono_context_event" },
  { "state", "enumeration", "timing_state" },
  { "cause", "enumeration", "cause" },
  { "originator", "id", "unisono_participant_id" },
  { "item", "text" },
  { "rate", "number" },
  { "item_time", "time" },
  { "host_time", "time" },
  { "deadline", "time" },
  { "waiting_for", "list", "unisono_waiting_for", "waiting_for_count" },
  { "waiting_for_count", "count" },
}

declared.structs.unisono_suspensions_change = {
  { "base", "struct", "unisono_context_event" },
  { "reasons", "texts", nil, "reason_count" },
  { "reason_count", "count" },
}

declared.structs.unisono_listening_event = {
  { "base", "struct", "unisono_context_event" },
  { "status", "enumeration", "listening_status" },
  { "listeners", "number" },
  { "item", "text" },
  { "activity", "view", "unisono_activity" },
  { "reason", "text" },
  { "clock_ahead", "time" },
  { "clock_behind", "time" },
  { "clock_doubt", "truth" },
  { "reserved", "number" },
  { "reactions", "list", "unisono_reaction_count", "reaction_count" },
  { "reaction_count", "count" },
}

declared.structs.unisono_playback_delegate = {
  { "size", "number" },
  { "reserved", "number" },
  { "play", "function" },
  { "pause", "function" },
  { "seek", "function" },
  { "buffer", "function" },
  { "participants_changed", "function" },
  { "suspensions_changed", "function" },
  { "timing_changed", "function" },
  { "error", "function" },
  { "released", "function" },
  { "listening_changed", "function" },
  { "invited", "function" },
}

declared.structs.unisono_stall_policy = {
  { "size", "number" },
  { "wait", "truth" },
  { "debounce", "time" },
  { "limit", "time" },
}

declared.structs.unisono_start_policy = {
  { "size", "number" },
  { "start", "enumeration", "start_rule" },
  { "limit", "time" },
  { "leaving", "enumeration", "leaving_rule" },
  { "reserved", "number" },
}

declared.structs.unisono_playback_report = {
  { "size", "number" },
  { "stalled", "truth" },
  { "rate", "number" },
  { "item_time", "time" },
  { "host_time", "time" },
  { "earliest", "time" },
  { "latest", "time" },
  { "flags", "number" },
  { "reserved", "number" },
}

declared.structs.unisono_coordinator_statistics = {
  { "size", "number" },
  { "state", "enumeration", "timing_state" },
  { "commands_issued", "wide" },
  { "commands_completed", "wide" },
  { "commands_failed", "wide" },
  { "commands_superseded", "wide" },
  { "commands_overdue", "wide" },
  { "starts", "wide" },
  { "starts_late", "wide" },
  { "last_start_wait", "time" },
  { "last_start_error", "time" },
}

declared.structs.unisono_player_item = {
  { "size", "number" },
  { "is_live", "truth" },
  { "identifier", "text" },
  { "uri", "text" },
  { "start_time", "time" },
  { "duration", "time" },
}

declared.structs.unisono_renderer_command = {
  { "base", "struct", "unisono_context_event" },
  { "request", "wide" },
  { "item", "text" },
  { "uri", "text" },
  { "rate", "number" },
  { "item_time", "time" },
  { "host_time", "time" },
  { "tolerance_before", "time" },
  { "tolerance_after", "time" },
  { "volume", "number" },
  { "width", "number" },
  { "height", "number" },
}

declared.structs.unisono_renderer_report = {
  { "size", "number" },
  { "state", "enumeration", "renderer_state" },
  { "request", "wide" },
  { "item_time", "time" },
  { "host_time", "time" },
  { "duration", "time" },
  { "seekable_start", "time" },
  { "seekable_end", "time" },
  { "status", "enumeration", "status" },
  { "flags", "number" },
  { "message", "text" },
}

declared.structs.unisono_renderer = {
  { "size", "number" },
  { "capabilities", "number" },
  { "nudge_limit", "number" },
  { "dead_band", "time" },
  { "load", "function" },
  { "cue", "function" },
  { "play", "function" },
  { "pause", "function" },
  { "seek", "function" },
  { "nudge", "function" },
  { "set_volume", "function" },
  { "now", "function" },
  { "set_render_size", "function" },
  { "stop", "function" },
  { "released", "function" },
}

declared.structs.unisono_player_event = {
  { "base", "struct", "unisono_context_event" },
  { "time_control", "enumeration", "time_control" },
  { "waiting_reason", "enumeration", "waiting_reason" },
  { "item_state", "enumeration", "item_state" },
  { "rate_reason", "enumeration", "rate_reason" },
  { "originator", "id", "unisono_participant_id" },
  { "item", "text" },
  { "rate", "number" },
  { "item_time", "time" },
  { "host_time", "time" },
  { "request", "wide" },
  { "status", "enumeration", "status" },
  { "reserved", "number" },
}

declared.structs.unisono_player_callbacks = {
  { "size", "number" },
  { "reserved", "number" },
  { "time_control", "function" },
  { "rate_changed", "function" },
  { "time_jumped", "function" },
  { "item_state", "function" },
  { "item_ended", "function" },
  { "seek_done", "function" },
  { "error", "function" },
  { "released", "function" },
  { "listening_changed", "function" },
  { "invited", "function" },
}

declared.structs.unisono_player_statistics = {
  { "size", "number" },
  { "reserved", "number" },
  { "skew_last", "time" },
  { "skew_median", "time" },
  { "skew_p95", "time" },
  { "skew_maximum", "time" },
  { "nudges", "wide" },
  { "seeks", "wide" },
  { "stalls", "wide" },
  { "learnt_start_latency", "time" },
  { "learnt_seek_cost", "time" },
}

declared.structs.unisono_surface_event = {
  { "base", "struct", "unisono_context_event" },
  { "request", "wide" },
  { "is_paused", "truth" },
  { "status", "enumeration", "status" },
  { "start", "time" },
  { "duration", "time" },
  { "item_time", "time" },
  { "host_time", "time" },
}

declared.structs.unisono_surface_callbacks = {
  { "size", "number" },
  { "reserved", "number" },
  { "changed", "function" },
  { "skipped", "function" },
  { "will_begin", "function" },
  { "will_end", "function" },
  { "restore_user_interface", "function" },
  { "released", "function" },
}

declared.structs.unisono_hub_callbacks = {
  { "size", "number" },
  { "reserved", "number" },
  { "released", "function" },
}

declared.structs.unisono_hub_statistics = {
  { "size", "number" },
  { "reserved", "number" },
  { "rooms", "wide" },
  { "connections", "wide" },
  { "frames_in", "wide" },
  { "frames_out", "wide" },
  { "bytes_in", "wide" },
  { "bytes_out", "wide" },
  { "refused", "wide" },
  { "closed_slow", "wide" },
  { "probes", "wide" },
}

declared.structs.unisono_service = {
  { "size", "number" },
  { "platforms", "number" },
  { "platform", "number" },
  { "reserved", "number" },
  { "identifier", "text" },
  { "usage_description", "text" },
  { "device_name", "text" },
}

declared.structs.unisono_nearby_event = {
  { "base", "struct", "unisono_context_event" },
  { "device", "wide" },
  { "request", "handle", "join_request" },
  { "device_name", "text" },
  { "usage_description", "text" },
  { "invite", "text" },
  { "platform", "number" },
  { "status", "enumeration", "status" },
  { "digits", "chars" },
  { "intent", "enumeration", "intent" },
  { "reserved", "number" },
}

declared.structs.unisono_advertiser_callbacks = {
  { "size", "number" },
  { "reserved", "number" },
  { "join_requested", "function" },
  { "join_withdrawn", "function" },
  { "error", "function" },
  { "released", "function" },
  { "invite", "function" },
}

declared.structs.unisono_browser_callbacks = {
  { "size", "number" },
  { "reserved", "number" },
  { "found", "function" },
  { "updated", "function" },
  { "lost", "function" },
  { "digits", "function" },
  { "invite", "function" },
  { "failed", "function" },
  { "error", "function" },
  { "released", "function" },
}

declared.structs.unisono_simulation_options = {
  { "size", "number" },
  { "reserved", "number" },
  { "random_seed", "wide" },
  { "start_time", "time" },
}

declared.structs.unisono_simulated_link = {
  { "size", "number" },
  { "down", "truth" },
  { "delay_out", "time" },
  { "delay_in", "time" },
  { "jitter", "time" },
  { "loss", "number" },
}

declared.functions.version = {
  { "text" },
  {
  },
}

declared.functions.api_version = {
  { "number" },
  {
  },
}

declared.functions.strerror = {
  { "text" },
  {
    { "status", "enumeration", "status" },
  },
}

declared.functions.last_error = {
  { "text" },
  {
  },
}

declared.functions.host_time = {
  { "time" },
  {
  },
}

declared.functions.free = {
  { "nothing" },
  {
    { "owned", "out_view", "void" },
  },
}

declared.functions.context_create = {
  { "status" },
  {
    { "options", "view", "unisono_context_options" },
    { "callbacks", "null" },
    { "user", "null" },
    { "out", "out_handle", "unisono_context" },
  },
}

declared.functions.context_destroy = {
  { "nothing" },
  {
    { "context", "handle", "context" },
  },
}

declared.functions.context_fd = {
  { "status" },
  {
    { "context", "handle", "context" },
  },
}

declared.functions.context_timeout = {
  { "time" },
  {
    { "context", "handle", "context" },
  },
}

declared.functions.context_poll = {
  { "status" },
  {
    { "context", "handle", "context" },
    { "max_wait", "time" },
  },
}

declared.functions.context_next_event = {
  { "status" },
  {
    { "context", "handle", "context" },
    { "max_wait", "time" },
    { "out", "view", "unisono_context_event" },
  },
}

declared.functions.context_wake = {
  { "answer" },
  {
    { "context", "handle", "context" },
  },
}

declared.functions.context_host_time = {
  { "time" },
  {
    { "context", "handle", "context" },
  },
}

declared.functions.context_call_at = {
  { "status" },
  {
    { "context", "handle", "context" },
    { "host_time", "time" },
    { "fn", "null" },
    { "user", "null" },
    { "token", "out_wide", "uint64_t" },
  },
}

declared.functions.context_cancel = {
  { "status" },
  {
    { "context", "handle", "context" },
    { "token", "wide" },
  },
}

declared.functions.context_forget_answers = {
  { "status" },
  {
    { "context", "handle", "context" },
    { "type", "enumeration", "activity_type" },
  },
}

declared.functions.session_host = {
  { "status" },
  {
    { "context", "handle", "context" },
    { "options", "view", "unisono_session_options" },
    { "callbacks", "null" },
    { "user", "null" },
    { "out", "out_handle", "unisono_session" },
  },
}

declared.functions.session_open = {
  { "status" },
  {
    { "context", "handle", "context" },
    { "invite", "text" },
    { "options", "view", "unisono_session_options" },
    { "callbacks", "null" },
    { "user", "null" },
    { "out", "out_handle", "unisono_session" },
  },
}

declared.functions.session_destroy = {
  { "nothing" },
  {
    { "session", "handle", "session" },
  },
}

declared.functions.session_invite = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "buffer", "out_text" },
  },
}

declared.functions.session_continuation = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "key", "data" },
    { "owned", "out_view", "unisono_continuation" },
  },
}

declared.functions.invite_reach = {
  { "enumeration", "reach" },
  {
    { "invite", "text" },
  },
}

declared.functions.session_join = {
  { "status" },
  {
    { "session", "handle", "session" },
  },
}

declared.functions.session_leave = {
  { "status" },
  {
    { "session", "handle", "session" },
  },
}

declared.functions.session_end = {
  { "status" },
  {
    { "session", "handle", "session" },
  },
}

declared.functions.session_get_state = {
  { "enumeration", "session_state" },
  {
    { "session", "handle", "session" },
  },
}

declared.functions.session_connection = {
  { "enumeration", "connection" },
  {
    { "session", "handle", "session" },
  },
}

declared.functions.session_local_participant = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "id_out", "out_id", "unisono_participant_id" },
  },
}

declared.functions.session_participants = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "owned", "out_view", "unisono_participants" },
  },
}

declared.functions.session_activate = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "activity", "view", "unisono_activity" },
  },
}

declared.functions.session_activity = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "owned", "out_view", "unisono_activity" },
  },
}

declared.functions.session_set_role = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "participant", "id", "unisono_participant_id" },
    { "role", "enumeration", "role" },
  },
}

declared.functions.session_set_control_policy = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "policy", "enumeration", "control_policy" },
  },
}

declared.functions.session_set_closed = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "closed", "truth" },
  },
}

declared.functions.session_open_audience = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "options", "view", "unisono_audience_options" },
  },
}

declared.functions.session_close_audience = {
  { "status" },
  {
    { "session", "handle", "session" },
  },
}

declared.functions.session_renew_audience = {
  { "status" },
  {
    { "session", "handle", "session" },
  },
}

declared.functions.session_audience_link = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "buffer", "out_text" },
  },
}

declared.functions.session_invite_listener = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "listener", "id", "unisono_participant_id" },
  },
}

declared.functions.session_set_deputies = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "deputies", "ids", "unisono_participant_id" },
    { "succession", "enumeration", "succession" },
    { "delay", "time" },
  },
}

declared.functions.session_get_succession = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "out", "out_struct", "unisono_succession_state" },
  },
}

declared.functions.session_request_command = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "request", "view", "unisono_request" },
    { "number_out", "out_wide", "uint64_t" },
  },
}

declared.functions.session_answer_request = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "asker", "id", "unisono_participant_id" },
    { "number", "wide" },
    { "granted", "truth" },
  },
}

declared.functions.session_remove_participant = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "participant", "id", "unisono_participant_id" },
  },
}

declared.functions.session_prepare_for_activation = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "activity", "view", "unisono_activity" },
    { "fn", "null" },
    { "user", "null" },
  },
}

declared.functions.session_answer_consent = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "request", "wide" },
    { "answer", "enumeration", "activation_result" },
    { "remember", "truth" },
  },
}

declared.functions.session_send = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "data", "data" },
    { "delivery", "enumeration", "delivery" },
    { "to", "ids", "unisono_participant_id" },
  },
}

declared.functions.session_send_typed = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "type", "text" },
    { "version", "number" },
    { "data", "data" },
    { "delivery", "enumeration", "delivery" },
    { "to", "ids", "unisono_participant_id" },
  },
}

declared.functions.session_send_at = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "item", "text" },
    { "item_time", "time" },
    { "type", "text" },
    { "version", "number" },
    { "data", "data" },
    { "to", "ids", "unisono_participant_id" },
  },
}

declared.functions.session_schedule_start = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "item", "text" },
    { "host_time", "time" },
    { "calendar_time", "time" },
  },
}

declared.functions.session_cancel_start = {
  { "status" },
  {
    { "session", "handle", "session" },
  },
}

declared.functions.session_scheduled_start = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "owned", "out_view", "unisono_scheduled_start" },
  },
}

declared.functions.session_chat = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "text", "text" },
    { "number_out", "out_wide", "uint64_t" },
  },
}

declared.functions.session_react = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "text", "text" },
  },
}

declared.functions.session_chat_history = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "owned", "out_view", "unisono_chat" },
  },
}

declared.functions.session_add_entry = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "entry", "view", "unisono_playlist_entry" },
    { "before", "id", "unisono_entry_id" },
    { "id_out", "out_id", "unisono_entry_id" },
  },
}

declared.functions.session_move_entry = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "id", "id", "unisono_entry_id" },
    { "before", "id", "unisono_entry_id" },
  },
}

declared.functions.session_remove_entry = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "id", "id", "unisono_entry_id" },
  },
}

declared.functions.session_select_entry = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "id", "id", "unisono_entry_id" },
  },
}

declared.functions.session_next_entry = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "follows", "id", "unisono_entry_id" },
  },
}

declared.functions.session_playlist = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "owned", "out_view", "unisono_playlist" },
  },
}

declared.functions.session_set_copy = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "entry", "id", "unisono_entry_id" },
    { "copy", "view", "unisono_copy" },
  },
}

declared.functions.session_set_cut_offset = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "entry", "id", "unisono_entry_id" },
    { "offset", "time" },
  },
}

declared.functions.copy_of_file = {
  { "status" },
  {
    { "path", "text" },
    { "copy_out", "out_struct", "unisono_copy" },
  },
}

declared.functions.session_attach = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "path", "text" },
    { "name", "text" },
    { "media_type", "text" },
    { "request_out", "out_wide", "uint64_t" },
  },
}

declared.functions.session_attach_bytes = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "data", "data" },
    { "name", "text" },
    { "media_type", "text" },
    { "request_out", "out_wide", "uint64_t" },
  },
}

declared.functions.session_attachments = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "owned", "out_view", "unisono_attachments" },
  },
}

declared.functions.session_load_attachment = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "id", "id", "unisono_attachment_id" },
    { "path", "text" },
  },
}

declared.functions.session_cancel_attachment = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "id", "id", "unisono_attachment_id" },
  },
}

declared.functions.session_remove_attachment = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "id", "id", "unisono_attachment_id" },
  },
}

declared.functions.session_post_notice = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "notice", "view", "unisono_notice" },
  },
}

declared.functions.notice_text = {
  { "status" },
  {
    { "notice", "view", "unisono_notice" },
    { "buffer", "out_text" },
  },
}

declared.functions.session_request_foreground = {
  { "status" },
  {
    { "session", "handle", "session" },
  },
}

declared.functions.session_set_speaking = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "speaking", "truth" },
  },
}

declared.functions.session_get_statistics = {
  { "status" },
  {
    { "session", "handle", "session" },
    { "out", "out_struct", "unisono_session_statistics" },
  },
}

declared.functions.session_clock = {
  { "answer" },
  {
    { "session", "handle", "session" },
    { "out", "out_struct", "unisono_clock" },
  },
}

declared.functions.coordinator_create = {
  { "status" },
  {
    { "context", "handle", "context" },
    { "delegate", "null" },
    { "user", "null" },
    { "out", "out_handle", "unisono_coordinator" },
  },
}

declared.functions.coordinator_destroy = {
  { "nothing" },
  {
    { "coordinator", "handle", "coordinator" },
  },
}

declared.functions.coordinator_coordinate_with_session = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "session", "handle", "session" },
  },
}

declared.functions.coordinator_coordinate_with_session_as = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "session", "handle", "session" },
    { "name", "text" },
  },
}

declared.functions.coordinator_listen = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "link", "text" },
  },
}

declared.functions.coordinator_stop_listening = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
  },
}

declared.functions.coordinator_ask_to_speak = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "text", "text" },
  },
}

declared.functions.coordinator_say_to_hosts = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "text", "text" },
  },
}

declared.functions.coordinator_react = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "reaction", "text" },
  },
}

declared.functions.coordinator_transition_to_item = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "identifier", "text" },
    { "proposal", "view", "unisono_timing" },
  },
}

declared.functions.coordinator_current_item = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "buffer", "out_text" },
  },
}

declared.functions.coordinator_coordinate_rate_change = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "rate", "number" },
    { "options", "number" },
  },
}

declared.functions.coordinator_coordinate_seek = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "item_time", "time" },
    { "options", "number" },
  },
}

declared.functions.coordinator_undo_jump = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
  },
}

declared.functions.coordinator_complete = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "command_id", "wide" },
  },
}

declared.functions.coordinator_fail = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "command_id", "wide" },
    { "status", "enumeration", "status" },
  },
}

declared.functions.coordinator_reapply_current_item_state = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
  },
}

declared.functions.coordinator_expected_item_time = {
  { "answer" },
  {
    { "coordinator", "handle", "coordinator" },
    { "host_time", "time" },
    { "out", "out_time", "int64_t" },
  },
}

declared.functions.coordinator_timing = {
  { "answer" },
  {
    { "coordinator", "handle", "coordinator" },
    { "out", "out_struct", "unisono_timing" },
  },
}

declared.functions.coordinator_begin_suspension = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "reason", "text" },
    { "out", "out_handle", "unisono_suspension" },
  },
}

declared.functions.suspension_end = {
  { "status" },
  {
    { "suspension", "handle", "suspension" },
  },
}

declared.functions.suspension_end_proposing = {
  { "status" },
  {
    { "suspension", "handle", "suspension" },
    { "item_time", "time" },
  },
}

declared.functions.suspension_reason = {
  { "status" },
  {
    { "suspension", "handle", "suspension" },
    { "buffer", "out_text" },
  },
}

declared.functions.suspension_begin_time = {
  { "status" },
  {
    { "suspension", "handle", "suspension" },
    { "host_time_out", "out_time", "int64_t" },
  },
}

declared.functions.suspension_destroy = {
  { "nothing" },
  {
    { "suspension", "handle", "suspension" },
  },
}

declared.functions.coordinator_suspension_reasons = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "owned", "out_texts", "char" },
  },
}

declared.functions.coordinator_set_waiting_reasons = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "reasons", "texts" },
  },
}

declared.functions.coordinator_set_participant_limit = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "reason", "text" },
    { "limit", "number" },
  },
}

declared.functions.coordinator_set_pause_snaps_to_originator = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "snaps", "truth" },
  },
}

declared.functions.coordinator_set_prepares_ahead = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "prepares", "truth" },
  },
}

declared.functions.coordinator_set_wait_limit = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "limit", "time" },
  },
}

declared.functions.coordinator_set_stall_policy = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "policy", "view", "unisono_stall_policy" },
  },
}

declared.functions.coordinator_set_action_at_end = {
  { "enumeration", "action_at_end" },
  {
    { "coordinator", "handle", "coordinator" },
    { "action", "enumeration", "action_at_end" },
  },
}

declared.functions.coordinator_action_at_end = {
  { "enumeration", "action_at_end" },
  {
    { "coordinator", "handle", "coordinator" },
  },
}

declared.functions.coordinator_set_skipped_ranges = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "kinds", "number" },
  },
}

declared.functions.coordinator_skipped_ranges = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
  },
}

declared.functions.coordinator_set_interstitials = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "identifier", "text" },
    { "ranges", "list", "unisono_interstitial" },
  },
}

declared.functions.coordinator_set_start_policy = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "policy", "view", "unisono_start_policy" },
  },
}

declared.functions.coordinator_get_start_policy = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "out", "out_struct", "unisono_start_policy" },
  },
}

declared.functions.coordinator_set_ready = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "readiness", "enumeration", "readiness" },
  },
}

declared.functions.coordinator_start_without = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "participants", "ids", "unisono_participant_id" },
  },
}

declared.functions.coordinator_set_output_offset = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "offset", "time" },
  },
}

declared.functions.coordinator_report = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "report", "view", "unisono_playback_report" },
  },
}

declared.functions.coordinator_is_wish = {
  { "truth" },
  {
    { "coordinator", "handle", "coordinator" },
    { "motion", "enumeration", "motion" },
    { "value", "number" },
  },
}

declared.functions.coordinator_expect_motion = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "motion", "enumeration", "motion" },
    { "value", "number" },
  },
}

declared.functions.coordinator_other_participants = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "owned", "out_view", "unisono_participants" },
  },
}

declared.functions.coordinator_waiting_for = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "owned", "out_list", "unisono_waiting_for" },
  },
}

declared.functions.coordinator_get_statistics = {
  { "status" },
  {
    { "coordinator", "handle", "coordinator" },
    { "out", "out_struct", "unisono_coordinator_statistics" },
  },
}

declared.functions.player_create = {
  { "status" },
  {
    { "context", "handle", "context" },
    { "renderer", "view", "unisono_renderer" },
    { "renderer_user", "null" },
    { "callbacks", "null" },
    { "user", "null" },
    { "out", "out_handle", "unisono_player" },
  },
}

declared.functions.player_destroy = {
  { "nothing" },
  {
    { "player", "handle", "player" },
  },
}

declared.functions.player_coordinator = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "borrowed", "out_borrowed", "unisono_coordinator" },
  },
}

declared.functions.player_insert_item = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "item", "view", "unisono_player_item" },
    { "after", "text" },
  },
}

declared.functions.player_remove_item = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "identifier", "text" },
  },
}

declared.functions.player_advance = {
  { "status" },
  {
    { "player", "handle", "player" },
  },
}

declared.functions.player_replace_current_item = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "item", "view", "unisono_player_item" },
  },
}

declared.functions.player_play = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "options", "number" },
  },
}

declared.functions.player_pause = {
  { "status" },
  {
    { "player", "handle", "player" },
  },
}

declared.functions.player_set_rate = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "rate", "number" },
    { "options", "number" },
  },
}

declared.functions.player_seek = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "item_time", "time" },
    { "tolerance_before", "time" },
    { "tolerance_after", "time" },
    { "request", "out_wide", "uint64_t" },
  },
}

declared.functions.player_begin_scrub = {
  { "status" },
  {
    { "player", "handle", "player" },
  },
}

declared.functions.player_scrub_to = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "item_time", "time" },
  },
}

declared.functions.player_end_scrub = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "commit", "truth" },
  },
}

declared.functions.player_replay = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "back", "time" },
    { "rate", "number" },
  },
}

declared.functions.player_time_control = {
  { "enumeration", "time_control" },
  {
    { "player", "handle", "player" },
  },
}

declared.functions.player_waiting_reason = {
  { "enumeration", "waiting_reason" },
  {
    { "player", "handle", "player" },
  },
}

declared.functions.player_item_state = {
  { "enumeration", "item_state" },
  {
    { "player", "handle", "player" },
  },
}

declared.functions.player_current_time = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "item_time", "out_time", "int64_t" },
    { "host_time", "out_time", "int64_t" },
  },
}

declared.functions.player_begin_interruption = {
  { "status" },
  {
    { "player", "handle", "player" },
  },
}

declared.functions.player_end_interruption = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "should_resume", "truth" },
  },
}

declared.functions.player_begin_interstitial = {
  { "status" },
  {
    { "player", "handle", "player" },
  },
}

declared.functions.player_end_interstitial = {
  { "status" },
  {
    { "player", "handle", "player" },
  },
}

declared.functions.player_set_volume = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "volume", "number" },
  },
}

declared.functions.player_report = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "report", "view", "unisono_renderer_report" },
  },
}

declared.functions.player_get_statistics = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "out", "out_struct", "unisono_player_statistics" },
  },
}

declared.functions.surface_create = {
  { "status" },
  {
    { "player", "handle", "player" },
    { "kind", "enumeration", "surface_kind" },
    { "callbacks", "null" },
    { "user", "null" },
    { "out", "out_handle", "unisono_surface" },
  },
}

declared.functions.surface_destroy = {
  { "nothing" },
  {
    { "surface", "handle", "surface" },
  },
}

declared.functions.surface_begin = {
  { "status" },
  {
    { "surface", "handle", "surface" },
  },
}

declared.functions.surface_end = {
  { "status" },
  {
    { "surface", "handle", "surface" },
  },
}

declared.functions.surface_set_playing = {
  { "status" },
  {
    { "surface", "handle", "surface" },
    { "playing", "truth" },
  },
}

declared.functions.surface_skip_by = {
  { "status" },
  {
    { "surface", "handle", "surface" },
    { "interval", "time" },
    { "request", "out_wide", "uint64_t" },
  },
}

declared.functions.surface_time_range = {
  { "status" },
  {
    { "surface", "handle", "surface" },
    { "start", "out_time", "int64_t" },
    { "duration", "out_time", "int64_t" },
  },
}

declared.functions.surface_is_paused = {
  { "truth" },
  {
    { "surface", "handle", "surface" },
  },
}

declared.functions.surface_set_render_size = {
  { "status" },
  {
    { "surface", "handle", "surface" },
    { "width", "number" },
    { "height", "number" },
  },
}

declared.functions.surface_complete_restore = {
  { "status" },
  {
    { "surface", "handle", "surface" },
    { "request", "wide" },
    { "restored", "truth" },
  },
}

declared.functions.hub_create = {
  { "status" },
  {
    { "context", "handle", "context" },
    { "options", "view", "unisono_hub_options" },
    { "callbacks", "null" },
    { "user", "null" },
    { "out", "out_handle", "unisono_hub" },
  },
}

declared.functions.hub_destroy = {
  { "nothing" },
  {
    { "hub", "handle", "hub" },
  },
}

declared.functions.hub_line = {
  { "status" },
  {
    { "hub", "handle", "hub" },
    { "index", "number" },
    { "buffer", "out_text" },
  },
}

declared.functions.hub_get_statistics = {
  { "status" },
  {
    { "hub", "handle", "hub" },
    { "out", "out_struct", "unisono_hub_statistics" },
  },
}

declared.functions.advertiser_create = {
  { "status" },
  {
    { "context", "handle", "context" },
    { "session", "handle", "session" },
    { "service", "view", "unisono_service" },
    { "callbacks", "null" },
    { "user", "null" },
    { "out", "out_handle", "unisono_advertiser" },
  },
}

declared.functions.advertiser_destroy = {
  { "nothing" },
  {
    { "advertiser", "handle", "advertiser" },
  },
}

declared.functions.advertiser_address = {
  { "status" },
  {
    { "advertiser", "handle", "advertiser" },
    { "index", "number" },
    { "buffer", "out_text" },
  },
}

declared.functions.join_request_accept = {
  { "status" },
  {
    { "request", "handle", "join_request" },
  },
}

declared.functions.join_request_deny = {
  { "status" },
  {
    { "request", "handle", "join_request" },
  },
}

declared.functions.browser_create = {
  { "status" },
  {
    { "context", "handle", "context" },
    { "service", "view", "unisono_service" },
    { "callbacks", "null" },
    { "user", "null" },
    { "out", "out_handle", "unisono_browser" },
  },
}

declared.functions.browser_destroy = {
  { "nothing" },
  {
    { "browser", "handle", "browser" },
  },
}

declared.functions.browser_add_address = {
  { "status" },
  {
    { "browser", "handle", "browser" },
    { "address", "text" },
    { "device", "out_wide", "uint64_t" },
  },
}

declared.functions.browser_connect = {
  { "status" },
  {
    { "browser", "handle", "browser" },
    { "device", "wide" },
  },
}

declared.functions.browser_invite = {
  { "status" },
  {
    { "browser", "handle", "browser" },
    { "device", "wide" },
    { "session", "handle", "session" },
  },
}

declared.functions.browser_confirm = {
  { "status" },
  {
    { "browser", "handle", "browser" },
    { "device", "wide" },
    { "digits_match", "truth" },
  },
}

declared.functions.simulation_create = {
  { "status" },
  {
    { "options", "view", "unisono_simulation_options" },
    { "out", "out_handle", "unisono_simulation" },
  },
}

declared.functions.simulation_context = {
  { "status" },
  {
    { "simulation", "handle", "simulation" },
    { "options", "view", "unisono_context_options" },
    { "callbacks", "null" },
    { "user", "null" },
    { "clock_offset", "time" },
    { "clock_drift_ppm", "number" },
    { "out", "out_handle", "unisono_context" },
  },
}

declared.functions.simulation_set_link = {
  { "status" },
  {
    { "simulation", "handle", "simulation" },
    { "context", "handle", "context" },
    { "link", "view", "unisono_simulated_link" },
  },
}

declared.functions.simulation_advance = {
  { "status" },
  {
    { "simulation", "handle", "simulation" },
    { "duration", "time" },
  },
}

declared.functions.simulation_destroy = {
  { "nothing" },
  {
    { "simulation", "handle", "simulation" },
  },
}

declared.readers = {
  { "event_timer", "unisono_timer_event" },
  { "event_overflow", "unisono_overflow_event" },
  { "event_error", "unisono_error_event" },
  { "event_log", "unisono_log_event" },
  { "event_session_state", "unisono_session_state_event" },
  { "event_activity", "unisono_activity_event" },
  { "event_participants", "unisono_participants_change" },
  { "event_message", "unisono_message" },
  { "event_notice", "unisono_notice_event" },
  { "event_participant", "unisono_participant_event" },
  { "event_invite", "unisono_invite_event" },
  { "event_succession", "unisono_succession_event" },
  { "event_request", "unisono_request_event" },
  { "event_ignored", "unisono_ignored_event" },
  { "event_clock_doubt", "unisono_clock_doubt_event" },
  { "event_split", "unisono_split_event" },
  { "event_hub_doubt", "unisono_hub_doubt_event" },
  { "event_chat", "unisono_chat_event" },
  { "event_playlist", "unisono_playlist_event" },
  { "event_copy", "unisono_copy_event" },
  { "event_schedule", "unisono_schedule_event" },
  { "event_audience", "unisono_audience_event" },
  { "event_listener", "unisono_listener_event" },
  { "event_listening", "unisono_listening_event" },
  { "event_attachment", "unisono_attachment_event" },
  { "event_activation", "unisono_activation_event" },
  { "event_command", "unisono_command" },
  { "event_suspensions", "unisono_suspensions_change" },
  { "event_timing", "unisono_timing_change" },
  { "event_player", "unisono_player_event" },
  { "event_renderer", "unisono_renderer_command" },
  { "event_surface", "unisono_surface_event" },
  { "event_nearby", "unisono_nearby_event" },
}

return declared
