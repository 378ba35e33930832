"""The structs, functions and numbers of the headers, for ctypes.

Made by bindings/generate from include/*.h: not to be edited. Handles and callbacks are ``c_void_p``; an enumeration is ``c_int32``.
"""

# ruff: noqa
# fmt: off
from __future__ import annotations

import ctypes
from ctypes import (
    POINTER, Structure, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p,
)
from typing import Any, Dict, Sequence, Tuple

API_VERSION_MAJOR = 0
API_VERSION_MINOR = 2
API_VERSION = 2  # major << 16 | minor, as one literal
TIME_INVALID = -(2**63)
TIME_INDEFINITE = 2**63 - 1
HAS_POSITION = 1  # item_time and host_time of a report, item_time of a notice
HAS_RANGE = 2  # earliest and latest, or seekable_start and seekable_end, of a report
HAS_HOST_TIME = 4  # host_time of a unisono_timing
DIFFERS_DURATION = 1  # by more than a second
DIFFERS_SIZE = 2
DIFFERS_HASH = 4
DIFFERS_CONTAINER = 8  # of the same length all the same: as far as can be told only packed otherwise
RATE_PLAY_IMMEDIATELY = 1
SEEK_RESUME_IMMEDIATELY = 1
REASON_AUDIO_SESSION_INTERRUPTED = "audio-session-interrupted"
REASON_STALL_RECOVERY = "stall-recovery"
REASON_PLAYING_INTERSTITIAL = "playing-interstitial"
REASON_COORDINATED_PLAYBACK_NOT_POSSIBLE = "coordinated-playback-not-possible"
REASON_USER_ACTION_REQUIRED = "user-action-required"
REASON_USER_IS_CHANGING_CURRENT_TIME = "user-is-changing-current-time"
REASON_NOT_READY = "not-ready"  # in waiting_for only: its person, not its player. @since 0.2
RATE_AS_DEFAULT = 2  # unisono_player_set_rate. @since 0.2
RENDERER_EXACT_START = 1  # play() keeps host_time within 1 ms: no correction after a start
RENDERER_REVERSE = 2  # negative rates
RENDERER_NUDGES = 4  # nudge() changes the speed without a gap
PLATFORM_OTHER = 1
PLATFORM_LINUX = 2
PLATFORM_MACOS = 4
PLATFORM_WINDOWS = 8
PLATFORM_ANDROID = 16
PLATFORM_IOS = 32
PLATFORM_TV = 64
PLATFORM_WEB = 128

#: Name and number of each enumerator, without its prefix, by the enumeration's name without ``unisono_``.
ENUMERATIONS: Dict[str, Dict[str, int]] = {
    # Negative and never -1, so that -1 stays free for "none" and for libuv's and errno's own numbers.
    "status": {
        "OK": 0,
        "EINVAL": -101,
        "ENOMEM": -102,
        "ECLOSED": -103,
        "ESTATE": -104,
        "ETIMEDOUT": -105,
        "ENETWORK": -106,
        "EPROTOCOL": -107,
        "EVERSION": -108,
        "EAUTH": -109,
        "EDENIED": -110,
        "EFULL": -111,
        "ETOOBIG": -112,
        "ENOTFOUND": -113,
        "EBUSY": -114,
        "ECANCELED": -115,
        "EINTERNAL": -116,
        "ENOTSUP": -117,  # not on this platform, or a set field that this library does not know
        "EIO": -118,  # a file could not be read or written
        "EENDED": -119,  # invalidation reason: somebody ended the session for all
    },
    # 1-15 context, 16-47 session, 48-79 coordinator, 80-95 player, 96-127 renderer, 128-143 surface, 144- nearby
    "event_type": {
        "NONE": 0,
        "TIMER": 1,  # unisono_timer_event
        "OVERFLOW": 2,  # unisono_overflow_event
        "ERROR": 3,  # unisono_error_event
        "LOG": 4,  # unisono_log_event
        "RELEASED": 5,  # unisono_context_event only: last one for this source
        "SESSION_STATE": 16,  # unisono_session_state_event
        "SESSION_ACTIVITY": 17,  # unisono_activity_event
        "SESSION_PARTICIPANTS": 18,  # unisono_participants_change
        "SESSION_MESSAGE": 19,  # unisono_message
        "SESSION_NOTICE": 20,  # unisono_notice_event
        "SESSION_FOREGROUND": 21,  # unisono_participant_event
        "SESSION_SPEAKING": 22,  # unisono_participant_event
        "SESSION_INVITE": 23,  # unisono_invite_event
        "SESSION_CONSENT": 24,  # unisono_activation_event
        "SESSION_ACTIVATION": 25,  # unisono_activation_event
        "SESSION_ATTACHMENT": 26,  # unisono_attachment_event. @since 0.2
        "SESSION_WRITABLE": 27,  # unisono_context_event only
        "SESSION_SUCCESSION": 28,  # unisono_succession_event. @since 0.2
        "SESSION_REQUEST": 29,  # unisono_request_event. @since 0.2
        "SESSION_IGNORED": 30,  # unisono_ignored_event. @since 0.2
        "SESSION_CLOCK_DOUBT": 31,  # unisono_clock_doubt_event. @since 0.2
        "SESSION_SPLIT": 32,  # unisono_split_event. @since 0.2
        "SESSION_HUB_DOUBT": 33,  # unisono_hub_doubt_event. @since 0.2
        "SESSION_CHAT": 34,  # unisono_chat_event. @since 0.2
        "SESSION_PLAYLIST": 36,  # unisono_playlist_event. @since 0.2
        "SESSION_COPY": 37,  # unisono_copy_event. @since 0.2
        "SESSION_AUDIENCE": 38,  # unisono_audience_event. @since 0.2
        "SESSION_LISTENER": 39,  # unisono_listener_event. @since 0.2
        "SESSION_SCHEDULE": 40,  # unisono_schedule_event. @since 0.2
        "COORDINATOR_PLAY": 48,  # unisono_command
        "COORDINATOR_PAUSE": 49,  # unisono_command
        "COORDINATOR_SEEK": 50,  # unisono_command
        "COORDINATOR_BUFFER": 51,  # unisono_command
        "COORDINATOR_PARTICIPANTS": 52,  # unisono_participants_change
        "COORDINATOR_SUSPENSIONS": 53,  # unisono_suspensions_change
        "COORDINATOR_TIMING": 54,  # unisono_timing_change
        "COORDINATOR_LISTENING": 55,  # unisono_listening_event. @since 0.2
        "COORDINATOR_INVITED": 56,  # unisono_invite_event. @since 0.2
        "PLAYER_TIME_CONTROL": 80,  # unisono_player_event
        "PLAYER_RATE": 81,  # unisono_player_event
        "PLAYER_TIME_JUMPED": 82,  # unisono_player_event
        "PLAYER_ITEM_STATE": 83,  # unisono_player_event
        "PLAYER_ITEM_ENDED": 84,  # unisono_player_event
        "PLAYER_SEEK_DONE": 85,  # unisono_player_event
        "RENDERER_LOAD": 96,  # 96...104: unisono_renderer_command
        "RENDERER_CUE": 97,
        "RENDERER_PLAY": 98,
        "RENDERER_PAUSE": 99,
        "RENDERER_SEEK": 100,
        "RENDERER_NUDGE": 101,
        "RENDERER_VOLUME": 102,
        "RENDERER_SIZE": 103,
        "RENDERER_STOP": 104,
        "SURFACE_CHANGED": 128,  # unisono_surface_event: ask again is_paused, time range
        "SURFACE_SKIPPED": 129,  # unisono_surface_event
        "SURFACE_WILL_BEGIN": 130,  # unisono_surface_event
        "SURFACE_WILL_END": 131,  # unisono_surface_event
        "SURFACE_RESTORE": 132,  # unisono_surface_event
        "NEARBY_JOIN_REQUESTED": 144,  # unisono_nearby_event
        "NEARBY_JOIN_WITHDRAWN": 145,  # unisono_nearby_event
        "NEARBY_FOUND": 146,  # unisono_nearby_event
        "NEARBY_UPDATED": 147,  # unisono_nearby_event
        "NEARBY_LOST": 148,  # unisono_nearby_event
        "NEARBY_DIGITS": 149,  # unisono_nearby_event
        "NEARBY_INVITE": 150,  # unisono_nearby_event
        "NEARBY_FAILED": 151,  # unisono_nearby_event
    },
    "log_level": {
        "DEFAULT": 0,  # as an option: WARNING
        "ERROR": 1,
        "WARNING": 2,
        "INFO": 3,
        "DEBUG": 4,
        "NONE": -1,
    },
    "activity_type": {
        "ALL": -1,  # of unisono_context_forget_answers only. @since 0.2
        "GENERIC": 0,
        "WATCH_TOGETHER": 1,
        "LISTEN_TOGETHER": 2,
        "PLAY_TOGETHER": 3,
        "CREATE_TOGETHER": 4,
        "EXPLORE_TOGETHER": 5,
        "LEARN_TOGETHER": 6,
        "READ_TOGETHER": 7,
        "SHOP_TOGETHER": 8,
        "WORKOUT_TOGETHER": 9,
    },
    "session_state": {
        "WAITING": 0,
        "JOINED": 1,
        "INVALIDATED": 2,
    },
    # Of a session: CONNECTED through a hub with the group, or with what is left of it (`alone` of the state event).
    # CONNECTING
    # until the group was met, also while a hub is reached at which nobody of it is. RECONNECTING until it is met again,
    # or all who
    # were lost are off the list.
    "connection": {
        "NONE": 0,
        "CONNECTING": 1,
        "CONNECTED": 2,
        "RECONNECTING": 3,
    },
    "role": {
        "DEFAULT": 0,  # only asked for: OWNER for _host, MEMBER for _open; never received
        "VIEWER": 1,
        "MEMBER": 2,
        "HOST": 3,
        "OWNER": 4,
    },
    "control_policy": {
        "EVERYONE": 0,  # all may command
        "HOSTS_ONLY": 1,  # HOST and OWNER
        "MEMBERS": 2,  # all but VIEWER
    },
    "lifetime": {
        "AUTOMATIC": 0,
        "ENDS_WITH_INITIATOR": 1,
    },
    "reach": {
        "MACHINE": 0,  # this machine alone
        "NETWORK": 1,  # a private network: at home, at work, behind one router, in a VPN
        "ANYWHERE": 2,  # a public address, or a name; what stands in between may still refuse
    },
    "delivery": {
        "RELIABLE": 0,
        "UNRELIABLE": 1,
    },
    "activation_result": {
        "DISABLED": 0,
        "PREFERRED": 1,
        "CANCELLED": 2,
    },
    # What a person says of being ready. @since 0.2
    "readiness": {
        "NOT_SAID": 0,
        "READY": 1,
        "NOT_READY": 2,
    },
    "notice_kind": {
        "CUSTOM": 0,
        "PLAYED": 1,
        "PAUSED": 2,
        "SKIPPED": 3,
        "RATE_CHANGED": 4,
        "ITEM_CHANGED": 5,
        "QUEUE_CHANGED": 6,
        "LEFT_WAITING": 7,  # the group went on without this one
        "JOINED": 8,  # each once, with the name
        "LEFT": 9,  # each once, with the name
        "WAITED_FOR": 10,  # never received: for unisono_notice_text alone
        "PRESENT": 11,  # was there when this one joined
        "ELSEWHERE": 12,  # is at another item than this one, and has been for 3 s: told once of each item
        "RANGE_SKIPPED": 13,  # the group left out a range of the entry; nobody's doing: the originator is all zero
    },
    "succession": {
        "DEFAULT": 0,  # only given: as BY_SENIORITY; never received
        "NOBODY": 1,
        "NAMED": 2,  # the deputies that an owner named, in their order
        "BY_SENIORITY": 3,  # who has been there longest, the highest roles first; not where EVERYONE commands
    },
    "succession_status": {
        "ENDED": 0,  # an owner is back, or decided otherwise
        "BEGAN": 1,  # the deputy acts as owner from now on
        "REFUSED": 2,  # it says so, but an owner is there: nobody here goes by it
    },
    "request_kind": {
        "PAUSE": 0,
        "PLAY": 1,
        "SEEK": 2,
    },
    "request_status": {
        "OPEN": 0,  # this host is asked
        "GRANTED": 1,
        "DECLINED": 2,  # by everybody who was asked
        "UNANSWERED": 3,  # for 30 s, or nobody who could answer, or who asked, is there any more
    },
    # In which way two participants do not hear each other. Bits. @since 0.2
    "split_kind": {
        "UNHEARD": 1,  # others hear it, this participant does not, for 15 s
        "DEAF": 2,  # it hears others and not this participant, as it says, for 15 s
        "UNREADABLE": 4,  # it is at the hub and speaks, and nothing of it can be read here, for 10 s
    },
    # @since 0.2
    "hub_doubt_reason": {
        "CLOCK": 1,  # it tells this participant, or two others, another time than the rest
        "SPLIT": 2,  # it keeps this participant and others from hearing each other
        "IDENTITY": 3,  # another one answers at its address, or it cannot prove that it is the one that was meant
        "REFUSAL": 4,  # it does not let this participant in again
        "REPLACEMENT": 5,  # it said three times in 60 s that a newer connection took this one's place
    },
    "chat_kind": {
        "TEXT": 0,
        "REACTION": 1,
    },
    # What a range of an entry is; several together, as bits, are what a group leaves out. @since 0.2
    "range_kind": {
        "INTRO": 1,
        "RECAP": 2,
        "CREDITS": 4,
        "OTHER": 8,
    },
    # @since 0.2
    "attachment_change": {
        "ADDED": 0,  # it is offered; those that were before this participant joined are told, too
        "REMOVED": 1,  # it is not offered any more; what was loaded stays
        # four times a second at most; what is not read in time is dropped. The first one: with what an earlier load
        # left
        "PROGRESS": 2,
        "LOADED": 3,  # the file is there, and has the content that `id` says
        "FAILED": 4,  # of attach, or of load_attachment: `status`, `message`
        "FORGED": 5,  # bytes that came were not it, and were thrown away; others are asked. `participant`
        # the others are not given it any more: the file has changed or is gone (EIO), or `participant` offers the same
        # content with a length that it does not have (EAUTH)
        "LOST": 6,
    },
    # @since 0.2
    "schedule_change": {
        "SET": 0,  # it was scheduled, or is at another time; who joins later is told, too
        "CANCELED": 1,  # it was called off
        "REMAINING": 2,  # `remaining` is left: 60, 30, 10, 5 and 1 min, 30 s, and each of the last 10 s
        "DUE": 3,  # it is time; play comes as a command, to those who are on the item
    },
    # Whether others can listen to what the group plays: unisono_session_open_audience. @since 0.2
    "audience_state": {
        "CLOSED": 0,  # none, or this participant is no owner or host: `reason`
        "OPENING": 1,  # nobody speaks to it just now; whoever listens waits, or keeps what it has
        "OPEN": 2,  # whoever has the link follows
    },
    "listener_word": {
        "ASKS": 1,  # wants to speak: unisono_session_invite_listener lets it into the session
        "SAYS": 2,  # says `text`
    },
    "clock_state": {
        "NONE": 0,
        "SYNCHRONIZING": 1,
        "SYNCHRONIZED": 2,
        "HOLDOVER": 3,
    },
    "timing_state": {
        "NONE": 0,  # no item, or the group has no timing for it yet
        "PAUSED": 1,
        "WAITING": 2,
        "PLAYING": 3,
    },
    # What a player with controls of its own does, and says of itself: unisono_coordinator_is_wish. @since 0.2
    "motion": {
        "RUNNING": 1,  # 1: it runs, 0: it stands
        "RATE": 2,  # how fast it runs, corrections included; the usual is 1
        "SEEKING": 3,  # 1: a seek began, 0: it is over
    },
    "cause": {
        "UNKNOWN": 0,
        "PLAY": 1,
        "PAUSE": 2,
        "SEEK": 3,
        "RATE": 4,
        "PROPOSAL": 5,
        "ITEM": 6,
        "REJOIN": 7,
        "REAPPLY": 8,
        "STALL": 9,
        "CLOCK": 10,
        "ENDED": 11,
        "LEFT": 12,  # paused because the originator left (unisono_start_policy). @since 0.2
        "RANGE": 13,  # a range is left out (unisono_coordinator_set_skipped_ranges); nobody's doing. @since 0.2
    },
    "listening_status": {
        "CONNECTING": 1,  # nothing was heard yet, or the link is lost; it is tried again
        "FOLLOWING": 2,  # what the group does is heard
        "SILENT": 3,  # the hub is there, and nobody of the group has spoken for 15 s; what was heard last goes on
        "OVER": 4,  # the audience was closed, or cannot be listened to: the coordinator is on its own
    },
    # What happens when an item is played to its end.
    "action_at_end": {
        "ADVANCE": 0,  # each player goes on to its next item; without one all stand
        "PAUSE": 1,  # all stay on the item, and the group is paused at its end
        "NONE": 2,  # all stay on the item, and the group's rate stays as it is
    },
    # Which starts wait until all persons who are present have said that they are ready. @since 0.2
    "start_rule": {
        "AT_ONCE": 0,  # none: players only are waited for
        "FIRST_WHEN_READY": 1,  # the first start of an item
        "WHEN_READY": 2,  # every start from a pause
    },
    # What the running group does when a person who was at the item leaves the session. @since 0.2
    "leaving_rule": {
        "GO_ON": 0,
        "PAUSE": 1,
    },
    "time_control": {
        "PAUSED": 0,
        "WAITING": 1,
        "PLAYING": 2,
    },
    "waiting_reason": {
        "NONE": 0,
        "TO_MINIMIZE_STALLS": 1,
        "EVALUATING_BUFFERING_RATE": 2,
        "NO_ITEM": 3,
        "COORDINATED_PLAYBACK": 4,
        "INTERSTITIAL": 5,
    },
    "item_state": {
        "UNKNOWN": 0,
        "READY": 1,
        "FAILED": 2,
    },
    # SET_RATE_FAILED: the group's rate cannot be played here, or the policy did not allow it. BACKGROUNDED: the
    # renderer
    # stopped by itself while nothing of the player was shown (unisono_surface_end). LIVE_EDGE: a live item played fast
    # came
    # to its edge, and everybody goes on at the usual rate.
    "rate_reason": {
        "SET_RATE_CALLED": 0,
        "SET_RATE_FAILED": 1,
        "INTERRUPTED": 2,
        "BACKGROUNDED": 3,
        "PARTICIPANT": 4,
        "LIVE_EDGE": 5,
        "ITEM_ENDED": 6,
    },
    "renderer_state": {
        "POSITION": 0,  # a position, nothing else
        "READY": 1,  # load or cue done
        "SEEKED": 2,
        "PLAYING": 3,
        "PAUSED": 4,
        "STALLED": 5,
        "RECOVERED": 6,
        "ENDED": 7,
        "FAILED": 8,
    },
    "surface_kind": {
        "INLINE": 0,
        "PICTURE_IN_PICTURE": 1,
        "FULL_SCREEN": 2,
        "REMOTE": 3,
    },
    "intent": {
        "UNKNOWN": 0,  # an address typed by hand: not known before it answers
        "JOIN": 1,  # the advertising device has a session: ask to join it
        "INVITE": 2,  # it has none: ask it to come into one
    },
}


class Sized(Structure):
    """A struct that begins with its own size; zero means "the default" in every other field."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(size=ctypes.sizeof(type(self)), **fields)


class ParticipantID(Structure):
    _fields_ = [
        ("bytes", c_uint8 * 16),  # all zero: nobody
    ]


class AttachmentID(Structure):
    _fields_ = [
        ("bytes", c_uint8 * 32),  # SHA-256 of the content. @since 0.2
    ]


class ContextEvent(Structure):
    _fields_ = [
        ("size", c_uint32),  # of the whole payload struct this head begins
        ("type", c_int32),
        ("source", c_void_p),  # handle of the session, coordinator, player, ... it concerns; NULL: the context
        ("user", c_void_p),  # user pointer given where the source was made
        ("host_time", c_int64),  # when the library issued it, host time ns
    ]


class TimerEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("token", c_uint64),
        ("due_host_time", c_int64),  # as asked; lateness = base.host_time - due_host_time
        ("status", c_int32),  # OK, or ECANCELED: cancelled, or the context ends
        ("reserved", c_uint32),
    ]


class OverflowEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("messages", c_uint64),  # dropped since the last overflow event; commands are never dropped
        ("others", c_uint64),  # log lines, notices, requests and the like dropped
    ]


class ErrorEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("status", c_int32),  # negative
        ("reserved", c_uint32),
        ("operation", c_char_p),  # name of the function, as in this header
        ("message", c_char_p),  # one sentence: what, where, what to do
    ]


class LogEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("level", c_int32),
        ("reserved", c_uint32),
        ("message", c_char_p),  # one line, no newline, never a secret
    ]


class ContextOptions(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("own_thread", c_int32),  # 0: polled (or uv_loop); 1: the library runs the loop in a thread of its own
        ("event_queue", c_int32),  # 1: what has no callback goes to unisono_context_next_event
        ("event_queue_limit", c_uint32),  # messages held before dropping; 0: 1024; 16...65536
        ("uv_loop", c_void_p),  # a uv_loop_t that the host runs; excludes own_thread
        ("uv_loop_size", c_size_t),  # uv_loop_size() as the host sees it; must equal the library's; with uv_loop
        ("device_name", c_char_p),  # <= 63 bytes; NULL: host name
        ("storage_path", c_char_p),  # folder for remembered answers; <= 4095 bytes; NULL: memory only
        ("random_seed", c_uint64),  # jitter and back-off only, never keys; 0: system
        ("log_level", c_int32),
        ("reserved", c_uint32),
        ("person", c_uint8 * 16),  # a secret, the same on all devices of one person, never sent; zero: this one alone
    ]


class ContextCallbacks(Sized):
    """@since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("log", c_void_p),
        ("wakeup", c_void_p),  # may come on any thread; may call nothing of this library; coalesced
        ("released", c_void_p),  # after the last callback of this context; its loop handles are closed by then
    ]


class Activity(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("type", c_int32),
        ("identifier", c_char_p),  # reverse-DNS, 1...255 bytes
        ("title", c_char_p),  # <= 255 bytes; NULL none
        ("subtitle", c_char_p),  # <= 255 bytes; NULL none
        # <= 2047 bytes; NULL none. https: agents offer it where the program is not installed
        ("fallback_url", c_char_p),
        ("preview_image", c_void_p),  # PNG, JPEG or WebP as is; <= 65536 bytes
        ("preview_image_length", c_size_t),
        ("payload", c_void_p),  # the application's own; <= 65536 bytes. When received a zero byte follows it
        ("payload_length", c_size_t),
        ("lifetime", c_int32),
        # 1: a device that finds it under way may go on with it: agents offer it to their person then, too, not only
        # when it begins
        ("supports_continuation", c_int32),
    ]


class Participant(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("connection", c_int32),
        ("id", ParticipantID),
        ("person", ParticipantID),  # derived per session, vouched; equal for all devices of one person
        ("display_name", c_char_p),  # never NULL
        ("device_name", c_char_p),  # never NULL
        ("item", c_char_p),  # current item; NULL none
        ("suspension_reasons", POINTER(c_char_p)),
        ("suspension_reason_count", c_size_t),  # 0: takes part
        ("role", c_int32),
        ("is_local", c_int32),
        ("ready", c_int32),  # could start now
        ("speaking", c_int32),
        ("rate", c_double),  # as last reported by it; 0 paused or unknown
        ("item_time", c_int64),  # its position at host_time; INVALID unknown
        ("host_time", c_int64),  # in this host's clock
        ("round_trip", c_int64),  # to the hub, ns; INVALID unknown
        ("clock_error", c_int64),  # its stated bound, ns; INVALID unknown
        # `status` of its unisono_coordinator_fail, or of its renderer's failure, while it is suspended for that; 0
        # none. @since 0.2
        ("failure", c_int32),
        ("readiness", c_int32),  # what its person says of being ready, which `ready` does not mean. @since 0.2
        # bits of unisono_split_kind: it and this participant do not hear each other; 0: nothing of that is known.
        # SESSION_SPLIT tells of changes. @since 0.2
        ("split", c_uint32),
        # 1: it was not ready for two starts in a row, and none waits for it until it was ready for one, as this
        # participant sees it. Of the local one: the others see that. @since 0.2
        ("given_up", c_int32),
        # ns; how far its copy is ahead of the group's item time (unisono_session_set_cut_offset). @since 0.2
        ("cut_offset", c_int64),
    ]


class Participants(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("count", c_size_t),
        ("items", POINTER(POINTER(Participant))),
    ]


class ParticipantsChange(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("is_complete", c_int32),  # 1: joined is the whole list (first delivery, resync after overflow)
        ("reserved", c_uint32),
        ("joined", POINTER(POINTER(Participant))),
        ("joined_count", c_size_t),
        ("updated", POINTER(POINTER(Participant))),
        ("updated_count", c_size_t),
        ("left", POINTER(POINTER(Participant))),
        ("left_count", c_size_t),
    ]


class SessionStateEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("state", c_int32),
        ("connection", c_int32),
        # why invalidated, or not connected: an error code; OK after leave. ENOTFOUND: a hub is reached, and nobody of
        # the group is at it; EENDED while it is WAITING: one who was no owner left word there that the session was
        # ended; EDENIED while it is WAITING: a member says that the group is closed. It is looked for, and asked, all
        # the same
        ("reason", c_int32),
        # 1: an owner closed the group, and nobody new is let in (unisono_session_set_closed). @since 0.2
        ("closed", c_int32),
        ("message", c_char_p),  # the same for people; never NULL
        ("hub", c_char_p),  # "host:port" of the hub in use; "" none; never NULL. @since 0.2
        ("hub_is_own", c_int32),  # 1: that hub is the one in this process. @since 0.2
        ("alone", c_int32),  # 1: no other participant is in touch: nobody came yet, or all are lost or left. @since 0.2
    ]


class ActivityEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("originator", ParticipantID),
        ("activity", POINTER(Activity)),  # NULL: none any more
        ("is_local", c_int32),  # 1: this participant set it; the originator is zero then. @since 0.2
        ("reserved", c_uint32),
    ]


class Message(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("sender", ParticipantID),  # proven by signature
        ("data", c_void_p),  # 8-byte aligned; not NULL even when empty
        ("length", c_size_t),  # 0...65536
        ("delivery", c_int32),
        ("version", c_uint32),  # of the type, as its sender has it; 0 with type "". Was `reserved` in 0.1. @since 0.2
        # what the bytes are, for receivers that tell several kinds apart; "" none was given; never NULL. @since 0.2
        ("type", c_char_p),
        # where it waited for its place (unisono_session_send_at); "" nowhere; never NULL. @since 0.2
        ("item", c_char_p),
        ("item_time", c_int64),  # ns, the place; 0 with item "". @since 0.2
    ]


class Notice(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("kind", c_int32),
        ("originator", ParticipantID),  # ignored when posting
        ("amount", c_int64),  # SKIPPED: ns, signed; RANGE_SKIPPED: ns
        ("rate", c_double),  # RATE_CHANGED
        # CUSTOM: <= 255 bytes; WAITED_FOR: why; ELSEWHERE: its item, <= 255 bytes of it; RANGE_SKIPPED: "intro",
        # "recap", "credits" or "other"; NULL not known
        ("text", c_char_p),
        ("url", c_char_p),  # <= 2047 bytes; NULL none
        # UNISONO_HAS_POSITION: SKIPPED, RANGE_SKIPPED: where to; ignored when posting. @since 0.2
        ("item_time", c_int64),
        ("name", c_char_p),  # the originator's, as known; NULL not known; ignored when posting. @since 0.2
        ("flags", c_uint32),  # @since 0.2
        ("reserved", c_uint32),
        # name of the coordinator on whose items it was done; NULL: the session's first one, or none; ignored when
        # posting. @since 0.2
        ("coordinator", c_char_p),
    ]


class NoticeEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("notice", POINTER(Notice)),
    ]


class ParticipantEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("participant", ParticipantID),
        ("active", c_int32),  # SPEAKING: 1 began, 0 ceased; FOREGROUND: 1
        ("in_background", c_int32),  # FOREGROUND: 1 when the session was started without a window
    ]


class InviteEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("invite", c_char_p),
    ]


class ActivationEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("request", c_uint64),
        ("activity", POINTER(Activity)),
        ("result", c_int32),  # ACTIVATION
        ("remembered", c_int32),  # ACTIVATION: 1 when it is a remembered answer
    ]


class SuccessionEvent(Structure):
    """@since 0.2"""

    _fields_ = [
        ("base", ContextEvent),
        ("deputy", ParticipantID),
        ("status", c_int32),
        ("named", c_int32),  # 1: an owner named it; 0: it is the first by seniority
    ]


class SuccessionState(Sized):
    """@since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("succession", c_int32),
        ("delay", c_int64),  # ns without any owner until the first deputy that is there stands in
        ("acting", ParticipantID),  # who stands in now; all zero: nobody
        ("deputy_count", c_uint32),
        ("reserved", c_uint32),
        ("deputies", ParticipantID * 8),  # the first goes first; the rest is all zero
    ]


class Request(Sized):
    """@since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("kind", c_int32),
        ("item_time", c_int64),  # SEEK: where to, ns; else not looked at
        ("text", c_char_p),  # for people, <= 255 bytes; NULL none
    ]


class RequestEvent(Structure):
    """@since 0.2"""

    _fields_ = [
        ("base", ContextEvent),
        ("number", c_uint64),  # the asker's; with `asker` the request's name
        ("asker", ParticipantID),  # proven by signature; the own id: the own request
        ("answerer", ParticipantID),  # GRANTED, DECLINED: who; else all zero
        ("status", c_int32),
        ("kind", c_int32),
        ("item_time", c_int64),  # SEEK
        ("item", c_char_p),  # the item that the asker was on; never NULL
        ("text", c_char_p),  # NULL none
    ]


class IgnoredEvent(Structure):
    """Somebody is ignored for a while: because much of what it sent in ten seconds was forged, bent or unreadable. What is
    only
    too much at a time is dropped and said again by the library; it is no reason for this. Who is ignored is told by the
    one
    who ignores it, if that can still reach it; what it says is its word alone. With EBUSY and EFULL only what is too
    much is
    ignored, all else of it counts: EBUSY, it says more in the chat than anybody may, or sent more messages that wait
    for a place;
    EFULL, it says more than is kept of one participant: entries of a full playlist, items that nobody is on, statements
    ahead of
    the group's time or by a policy that is not known here; once a minute, the message says of what. @since 0.2
    """

    _fields_ = [
        ("base", ContextEvent),
        ("participant", ParticipantID),  # the other one
        ("by_other", c_int32),  # 0: nothing of it is taken; 1: it takes nothing of this one, as it says
        # EPROTOCOL (unreadable, sent again), EAUTH (not signed or sealed as it must), EBUSY, EFULL
        ("status", c_int32),
        ("until", c_int64),  # host time; it is listened to again from then on
        ("message", c_char_p),  # the same for people; never NULL
    ]


class ClockDoubtEvent(Structure):
    """A participant's clock is in doubt: the participants compare their clocks past the hub, and it contradicts the
    others'. The hub
    told somebody another time than the rest, or a participant says what is not so. Where two sides are possible, the
    one with the
    most senior participant is taken to be right. @since 0.2
    """

    _fields_ = [
        ("base", ContextEvent),
        ("participant", ParticipantID),  # whose clock; the own id: this one's
        ("own", c_int32),  # 1: it is this participant's: it plays by the others' time meanwhile
        ("over", c_int32),  # 1: it is not in doubt any more
        ("offset", c_int64),  # ns: that clock less the one that it was compared with, when it came into doubt
        ("hub", c_char_p),  # "host:port" of the hub in use; "" none any more; never NULL
        ("message", c_char_p),  # the same for people; never NULL
    ]


class SplitEvent(Structure):
    """Somebody and this participant do not hear each other, though both are at the hub: the hub keeps them apart, or they
    go by
    different keys; or that is over. One event for each kind. Of a kind the first 32 at once are told of, of those who
    are in no list of
    participants the first 8. @since 0.2
    """

    _fields_ = [
        ("base", ContextEvent),
        # the other one. UNREADABLE: maybe one that is in no list; whoever has the invite can be it
        ("participant", ParticipantID),
        ("kind", c_int32),
        ("over", c_int32),  # 1: it is over: they hear each other, or it is not here any more
        ("since", c_int64),  # host time at which it was found first
        ("hub", c_char_p),  # "host:port" of the hub in use; "" none any more; never NULL
        ("message", c_char_p),  # the same for people; never NULL
    ]


class HubDoubtEvent(Structure):
    """A hub does not do as it should. CLOCK and SPLIT: it is turned to after all others when the session needs a hub
    again, until ten
    minutes after nothing of it is found any more; then the event comes with `over`. Else it is left alone until
    `until`, and no further
    event says so. Told of the invite's hubs and of those that were in use. @since 0.2
    """

    _fields_ = [
        ("base", ContextEvent),
        ("reason", c_int32),
        ("over", c_int32),  # 1: it is not in doubt any more
        ("until", c_int64),  # host time; INVALID: it may be turned to, after all others
        ("hub", c_char_p),  # "host:port"; never NULL
        ("message", c_char_p),  # the same for people; never NULL
    ]


class ChatEntry(Structure):
    """What somebody said in writing, or a reaction. @since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("kind", c_int32),
        ("author", ParticipantID),  # proven by signature, also where another one told it
        ("number", c_uint64),  # the author's, ascending; with `author` the entry's name; 0: a reaction
        ("said", c_int64),  # host time, of this host's clock; INVALID: session time is not known
        ("item_time", c_int64),  # ns, where the group was in it then; INVALID: not known, or nothing was on
        ("item", c_char_p),  # what was on; NULL: nothing
        ("name", c_char_p),  # the author's, as known now, else as it was; without control characters; NULL none
        ("text", c_char_p),  # without control characters but U+000A between lines; never NULL
    ]


class ChatEvent(Structure):
    """The same words, or another participant's, told once to each host; the own ones, too. Text comes in the order in
    which it was
    said unless somebody was apart; the order of all is by `said`, then author, then number. Where an author said two
    texts under
    one number, which no honest one does, the event comes again with the one that counts. @since 0.2
    """

    _fields_ = [
        ("base", ContextEvent),
        ("entry", POINTER(ChatEntry)),
        ("own", c_int32),  # 1: this participant said it
        ("is_history", c_int32),  # 1: it was said before this participant came, or while it was away
    ]


class Chat(Structure):
    """@since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("count", c_size_t),
        ("items", POINTER(POINTER(ChatEntry))),
    ]


class EntryID(Structure):
    """Names an entry of the playlist; the library draws it at random. All zero: none. @since 0.2"""

    _fields_ = [
        ("bytes", c_uint8 * 16),
    ]


class Copy(Sized):
    """What identifies the copy that somebody has of an item. @since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("has_hash", c_int32),  # 1: `hash` is known
        ("duration", c_int64),  # ns, > 0; 0: not known
        ("file_size", c_uint64),  # bytes; 0: not known
        ("hash", c_uint8 * 32),  # of samples of the file, see unisono_copy_of_file
    ]


class Range(Structure):
    """A part of an entry that the group may leave out: unisono_coordinator_set_skipped_ranges. @since 0.2"""

    _fields_ = [
        ("begin", c_int64),  # ns of the group's item time, >= 0
        ("end", c_int64),  # ns; the first moment that is not of it. At least 1 s long, at most 7 days from 0
        ("kind", c_int32),
        ("reserved", c_uint32),
    ]


class PlaylistEntry(Sized):
    """An entry of the playlist. @since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("id", EntryID),  # as the library gave it; not read by unisono_session_add_entry
        ("item", c_char_p),  # 1...1,023 bytes: what coordinators call it
        ("title", c_char_p),  # <= 255 bytes, no control characters; NULL: none
        ("copy", POINTER(Copy)),  # how to recognise a copy of it; NULL: not known
        # where it can be had, 1...2,047 bytes each, no control characters; NULL: none
        ("addresses", POINTER(c_char_p)),
        ("address_count", c_size_t),  # <= 8
        # what the group may leave out, in their order, none overlapping the next; NULL: none
        ("ranges", POINTER(Range)),
        ("range_count", c_size_t),  # <= 16
    ]


class Playlist(Structure):
    """The playlist, in the order in which it is played. @since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("current", EntryID),  # where the group is; all zero: nowhere yet. It may have been removed from `items`
        ("count", c_size_t),
        ("items", POINTER(POINTER(PlaylistEntry))),
    ]


class PlaylistEvent(Structure):
    """The playlist, or where the group is in it, changed; the own changes, too. What is on it: unisono_session_playlist.
    Where
    `current_changed` is set the host loads `item` and makes a transition to it, proposing to play where `by_end` is
    set. @since 0.2
    """

    _fields_ = [
        ("base", ContextEvent),
        ("entries_changed", c_int32),  # 1: entries came, went or were moved
        ("current_changed", c_int32),  # 1: the group is at another entry
        ("by_end", c_int32),  # 1: it came to the current entry because the one before had ended
        ("reserved", c_uint32),
        ("current", EntryID),  # all zero: none
        ("originator", ParticipantID),  # who brought the group there; all zero: this participant, or nobody
        ("item", c_char_p),  # of the current entry; NULL: none, or it is not known here yet or any more
    ]


class CopyEvent(Structure):
    """Another participant's copy of the current entry, compared with the own one, as far as both are known; told to both
    sides, once,
    and again when something else differs. What it says of its copy is its word alone. @since 0.2
    """

    _fields_ = [
        ("base", ContextEvent),
        ("participant", ParticipantID),  # the other one
        ("entry", EntryID),
        ("differs", c_uint32),  # UNISONO_DIFFERS_ flags; 0: it is the same
        ("reserved", c_uint32),
        ("copy", POINTER(Copy)),  # the other's
        ("message", c_char_p),  # the same for people; never NULL
    ]


class Attachment(Structure):
    """Something that is offered to the group: a subtitle, a poster, any file. @since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("is_available", c_int32),  # 1: all of it is here, and others are given it
        ("id", AttachmentID),
        ("owner", ParticipantID),  # who offers it, proven by signature
        ("length", c_uint64),  # bytes, 0...100,000,000; as `owner` says
        ("name", c_char_p),  # 1...255 bytes; could be that of a file: "_" in place of / \ :
        ("media_type", c_char_p),  # "image/png", as `owner` says, <= 127 bytes; "" not said; never NULL
    ]


class Attachments(Structure):
    """@since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("count", c_size_t),  # <= 64
        ("items", POINTER(POINTER(Attachment))),
    ]


class AttachmentEvent(Structure):
    """What becomes of attachments. @since 0.2"""

    _fields_ = [
        ("base", ContextEvent),
        ("attachment", POINTER(Attachment)),  # never NULL; FAILED of attach: id, owner and length are zero
        ("request", c_uint64),  # ADDED, FAILED: of this participant's attach; 0: of none
        ("transferred", c_uint64),  # bytes that are here. PROGRESS, LOADED; fewer than before: it began anew
        # FORGED: whose bytes they were; zero: several gave some, or an earlier load left some, and nobody knows which
        # were wrong. LOST: who says a wrong length
        ("participant", ParticipantID),
        ("change", c_int32),
        # FAILED, FORGED, LOST; ETIMEDOUT: nobody who is there gave it for 60 s; EAUTH: what came was not it, or another
        # one offers it with a wrong length; ENOTFOUND: it was taken back; ECANCELED; EIO: the file; EFULL: 64 in the
        # group, 16 of one; ETOOBIG; EBUSY: too many calls of attach at once, or another load writes the .part
        ("status", c_int32),
        ("message", c_char_p),  # the same for people; never NULL
    ]


class ScheduledStart(Structure):
    """A start at a time that the group agreed on. @since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("item", c_char_p),
        ("host_time", c_int64),  # of this device: when everybody on the item begins
        # ns since 1970: what the clock of `originator` shows then; UNISONO_TIME_INVALID: it did not say. For people: it
        # decides nothing, and is as right as that clock
        ("calendar_time", c_int64),
        ("error_bound", c_int64),  # ns, of host_time
        ("originator", ParticipantID),  # who scheduled it, or called it off; zero: this participant
    ]


class ScheduleEvent(Structure):
    """A scheduled start was set or called off, comes nearer or is due. @since 0.2"""

    _fields_ = [
        ("base", ContextEvent),
        ("start", POINTER(ScheduledStart)),  # never NULL
        ("remaining", c_int64),  # ns until then; DUE: 0, or less where this was told late
        ("change", c_int32),
        ("reserved", c_int32),
    ]


class AudienceOptions(Sized):
    """What an audience is opened with. @since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        # so many percent of those who listen are waited for where the group waits before it plays, 0...100; 0: nobody
        # is. They may be ready before `ready_wait` is over, and make nobody wait longer
        ("ready_share", c_uint32),
        # ns after the command at most, to 1 ms, at most 10 s; 0: 10 s. A start's own deadline ends it 1 s before, too
        ("ready_wait", c_int64),
        # by which who listens may react: at most 8, 1...32 bytes of UTF-8 each, without control characters, all
        # different; in the order in which they are told
        ("reactions", POINTER(c_char_p)),
        ("reaction_count", c_size_t),  # 0: nobody reacts
    ]


class ReactionCount(Structure):
    """One of an audience's reactions. @since 0.2"""

    _fields_ = [
        ("reaction", c_char_p),
        # how many listeners reacted by it last, and not longer than 10 s ago; the hub's word, which nobody can check
        ("count", c_uint32),
        ("reserved", c_uint32),
    ]


class AudienceEvent(Structure):
    """The session's audience is in another state, or of another size, or reacts otherwise; told to owners and hosts.
    @since 0.2
    """

    _fields_ = [
        ("base", ContextEvent),
        ("state", c_int32),
        # how many are there; the hub's word, twice a second at most; 0 where another host speaks to the audience
        ("listeners", c_uint32),
        # how often the hub did not pass on what a listener said, as it was more than 50 in a second, since the audience
        # is there; the hub's word, too
        ("left_out", c_uint32),
        ("ready", c_uint32),  # how many are ready for the start that waits for them, or did last; the hub's word, too
        ("reason", c_char_p),  # for people: why it is closed, or not open yet; "" nothing to say; never NULL
        ("reactions", POINTER(ReactionCount)),  # with which it was opened, each; CLOSED: none; NULL if there are none
        ("reaction_count", c_size_t),
    ]


class ListenerEvent(Structure):
    """Somebody of the audience that this participant speaks to asks to speak, or says something to the hosts. Others of
    the session and of the
    audience hear nothing of it. `listener` is the same as long as that coordinator listens, and tells nothing else of
    who it is: whoever has
    the link can say something, under as many ids as devices. At most 50 come in a second; of more `left_out` of
    SESSION_AUDIENCE tells.
    @since 0.2
    """

    _fields_ = [
        ("base", ContextEvent),
        ("listener", ParticipantID),  # of no participant of the session
        # at most 255 bytes; U+FFFD for what cannot be shown; "" nothing is said with it; never NULL
        ("text", c_char_p),
        ("word", c_int32),
        ("reserved", c_int32),
    ]


class SessionCallbacks(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("state", c_void_p),
        ("activity", c_void_p),
        ("participants", c_void_p),
        ("message", c_void_p),
        ("notice", c_void_p),
        ("foreground_requested", c_void_p),
        ("speaking", c_void_p),
        ("invite_changed", c_void_p),
        ("consent", c_void_p),
        ("attachment", c_void_p),  # was reserved in 0.1. @since 0.2
        ("writable", c_void_p),
        ("error", c_void_p),
        ("released", c_void_p),
        ("succession", c_void_p),
        ("request", c_void_p),
        ("ignored", c_void_p),  # @since 0.2
        ("clock_doubt", c_void_p),  # @since 0.2
        ("chat", c_void_p),  # @since 0.2
        ("split", c_void_p),  # @since 0.2
        ("hub_doubt", c_void_p),  # @since 0.2
        ("playlist", c_void_p),  # @since 0.2
        ("copy", c_void_p),  # @since 0.2
        ("schedule", c_void_p),  # @since 0.2
        ("audience", c_void_p),  # @since 0.2
        ("listener", c_void_p),  # @since 0.2
    ]


class HubOptions(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("participants_per_room", c_uint32),  # 0: 256; 1...100000
        ("rooms", c_uint32),  # 0: 1024
        ("connections", c_uint32),  # 0: 4096
        ("connections_per_address", c_uint32),  # 0: 64
        ("bytes_per_second", c_uint32),  # per connection; 0: 262144
        ("listen", POINTER(c_char_p)),  # "0.0.0.0:7400", "[::]:0"; NULL: every interface, a free port
        ("listen_count", c_size_t),  # <= 16
        ("advertise", POINTER(c_char_p)),  # "host:port" put into invites instead of what was found; NULL: found
        ("advertise_count", c_size_t),  # <= 16
        ("memory", c_uint64),  # queued and inbound bytes in all; 0: 320 MiB, embedded 40 MiB
        ("room_bytes_per_second", c_uint64),  # egress of one room; 0: 32 MiB/s, embedded 8 MiB/s
        # unisono_hub_create only: 1: anybody may open rooms, also strangers from the internet. @since 0.2
        ("open", c_int32),
        ("reserved", c_uint32),
    ]


class Continuation(Structure):
    """What a session goes on from on another day: a sealed secret. @since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("length", c_size_t),  # 1...1,048,576; a few KiB as a rule
        ("bytes", c_void_p),  # for a file; never NULL
    ]


class SessionOptions(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("control_policy", c_int32),  # host only
        ("display_name", c_char_p),  # 1...63 bytes; NULL: device name
        ("hub", c_char_p),  # _host only: the line of a hub to use, see below; NULL: one in this process
        ("hub_options", POINTER(HubOptions)),  # the one in this process; NULL: defaults
        ("activity", POINTER(Activity)),  # _host only: first activity; NULL: none yet
        ("role", c_int32),  # _open only: role asked for; a lesser one is given, a greater one by an owner
        ("no_standby_hub", c_int32),  # 1: never serve as hub for the others
        ("in_background", c_int32),  # 1: started without a window
        ("succession", c_int32),  # _host only: who stands in for the owner; not NAMED, nobody is there yet
        ("succession_delay", c_int64),  # _host only: ns, 5 s...1 h; 0: 30 s
        # bytes of a unisono_continuation: go on from there; NULL: a participant who is new. @since 0.2
        ("continuation", c_void_p),
        ("continuation_length", c_size_t),  # 0 with NULL. @since 0.2
        ("continuation_key", c_void_p),  # what it was sealed with; NULL: the context's `person`. @since 0.2
        ("continuation_key_length", c_size_t),  # 16...1,024; 0 with NULL. @since 0.2
        # ns; one that is older by this machine's calendar is refused; 0: 90 days. @since 0.2
        ("continuation_age", c_int64),
    ]


class Clock(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("state", c_int32),
        ("epoch", c_uint64),  # >= 1; +1 whenever session time is not continuous with what was read before
        ("host_time", c_int64),
        ("session_time", c_int64),
        ("rate", c_double),  # session ns per host ns, 1 +- 500 ppm; up to 2 % for 2 s while it is slewed
        ("error_bound", c_int64),  # ns at host_time
        ("error_growth", c_double),  # ns per ns after host_time
    ]


class SessionStatistics(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("clock_state", c_int32),
        ("round_trip", c_int64),  # best of the recent, ns; INVALID unknown
        ("round_trip_last", c_int64),
        ("clock_offset", c_int64),  # session - host, ns
        ("clock_error", c_int64),  # stated bound, ns
        ("clock_drift_ppm", c_double),
        ("probes_sent", c_uint64),
        ("probes_received", c_uint64),
        ("messages_sent", c_uint64),
        ("messages_received", c_uint64),
        ("bytes_sent", c_uint64),
        ("bytes_received", c_uint64),
        ("messages_refused", c_uint64),  # not taken: bad signature, replay, not allowed, or of who is not known yet
        ("reconnects", c_uint64),
        ("hub_changes", c_uint64),
        ("send_queue_bytes", c_uint64),
        # ns from any other participant's session time, measured past the hub, a quarter of a second ago at most: what
        # holds even where the hub does not tell the truth; INVALID: nobody to compare with yet. @since 0.2
        ("checked_bound", c_int64),
    ]


class Interstitial(Structure):
    """Range of one's own copy that is not the group's: unisono_coordinator_set_interstitials. @since 0.2"""

    _fields_ = [
        ("begin", c_int64),  # ns of the item time of the own copy
        ("end", c_int64),  # ns, > begin; the first moment that is the group's again
    ]


class Command(Structure):
    _fields_ = [
        ("base", ContextEvent),  # .type tells which; .source is the coordinator
        ("id", c_uint64),  # for complete and fail; never 0, never used twice
        ("originator", ParticipantID),  # zero: own request, reapplied, or rejoined after a suspension
        ("item", c_char_p),  # identifier it is for; never NULL
        ("rate", c_double),  # play: never 0, -16...16; else 0
        ("item_time", c_int64),  # play: anchor; pause: group position; seek: target; buffer: start position
        ("host_time", c_int64),  # play: when item_time holds, may be past; else INVALID
        # seek with buffer_in_anticipation, buffer (INVALID: ahead, see unisono_coordinator_set_prepares_ahead); else
        # INVALID
        ("due_host_time", c_int64),
        ("anticipated_rate", c_double),  # seek with buffer_in_anticipation, buffer; else 0
        ("is_local", c_int32),  # 1: caused by this participant
        ("snap", c_int32),  # pause: 1 = go to item_time, 0 = stay where you stopped
        ("buffer_in_anticipation", c_int32),  # seek: also get ready for anticipated_rate before completing
        ("cause", c_int32),
    ]


class Timing(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("state", c_int32),  # ignored in a proposal
        ("rate", c_double),  # 0 unless PLAYING (in a proposal: 0 paused)
        ("item_time", c_int64),
        ("host_time", c_int64),  # in a proposal: only with UNISONO_HAS_HOST_TIME; else it holds from now on
        ("error_bound", c_int64),  # ns, of the position; ignored in a proposal
        ("flags", c_uint32),  # UNISONO_HAS_HOST_TIME; always set in what is received. @since 0.2
        ("reserved", c_uint32),
    ]


class WaitingFor(Structure):
    _fields_ = [
        ("participant", ParticipantID),
        ("reason", c_char_p),  # "" = still preparing
    ]


class TimingChange(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("state", c_int32),
        ("cause", c_int32),
        ("originator", ParticipantID),
        ("item", c_char_p),  # NULL: none current
        ("rate", c_double),  # WAITING: the rate it will start with
        ("item_time", c_int64),
        ("host_time", c_int64),  # PLAYING: anchor; else INVALID
        ("deadline", c_int64),  # WAITING: host time when waiting ends at the latest; else INVALID
        ("waiting_for", POINTER(WaitingFor)),
        ("waiting_for_count", c_size_t),
    ]


class SuspensionsChange(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("reasons", POINTER(c_char_p)),
        ("reason_count", c_size_t),
    ]


class ListeningEvent(Structure):
    """How it is with the audience that a coordinator listens to, all of it: the newest counts. What there is to play is
    told here and
    nowhere else: load `item`, or what `activity` says of it, and unisono_coordinator_transition_to_item; from then on
    commands
    come. A hub that tells a listener another time than the group makes it play beside the group. What bounds that are
    signed times: each
    word of who speaks bounds how far it is before the group, from the first on; how far after it is bounded once a
    question of its own is
    answered, which is asked within 10 s, with over 100 listeners a tenth of a second for each, and then every ten
    minutes: until then
    `clock_behind` is INVALID. @since 0.2
    """

    _fields_ = [
        ("base", ContextEvent),
        ("status", c_int32),
        ("listeners", c_uint32),  # how many listen, the own one included, to two digits; the hub's word; 0: not known
        ("item", c_char_p),  # the item that who speaks for the group is at; NULL: none, or not known
        # what the group does; NULL: nothing, not known, or too long: all that an audience is told beside the line of
        # the item has 32 KiB
        ("activity", POINTER(Activity)),
        ("reason", c_char_p),  # for people; "" nothing to say; never NULL
        # ns by which the player may be before the group at most, whatever the hub says of the time, and
        ("clock_ahead", c_int64),
        # by which it may be after it, beside its own bound (unisono_coordinator_timing); INVALID: nothing bounds it on
        # that side yet. As of the event in which one of them or clock_doubt was another; they grow by 0.2 ms a second
        ("clock_behind", c_int64),
        # 1: what who speaks for the group signed contradicts the hub's time: what plays is not where the group is, and
        # `reason` says by how much at least; 0: nothing contradicts it
        ("clock_doubt", c_int32),
        ("reserved", c_uint32),
        # by which one may react (unisono_coordinator_react), each; counts to two digits, every 10 s at most; NULL if
        # there are none
        ("reactions", POINTER(ReactionCount)),
        ("reaction_count", c_size_t),
    ]


class PlaybackDelegate(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("play", c_void_p),
        ("pause", c_void_p),
        ("seek", c_void_p),
        ("buffer", c_void_p),
        ("participants_changed", c_void_p),
        ("suspensions_changed", c_void_p),
        ("timing_changed", c_void_p),
        ("error", c_void_p),
        ("released", c_void_p),
        ("listening_changed", c_void_p),  # @since 0.2
        ("invited", c_void_p),  # into the session that it listens to. @since 0.2
    ]


class StallPolicy(Sized):
    """Whether a running group waits for one whose player stalls."""

    _fields_ = [
        ("size", c_uint32),
        ("wait", c_int32),  # 1: a running group waits for one that stalls
        ("debounce", c_int64),  # ns; 0: 300 ms
        ("limit", c_int64),  # ns; 0: 10 s; INDEFINITE is refused
    ]


class StartPolicy(Sized):
    """What starts wait for beside players, and what happens when somebody leaves. @since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("start", c_int32),
        ("limit", c_int64),  # ns; how long a start waits for who does not get ready; 0: 60 s
        ("leaving", c_int32),
        ("reserved", c_uint32),
    ]


class PlaybackReport(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("stalled", c_int32),
        ("rate", c_double),  # as it really runs; 0 paused
        ("item_time", c_int64),  # UNISONO_HAS_POSITION: where it was at host_time
        ("host_time", c_int64),  # UNISONO_HAS_POSITION: where it was at host_time
        ("earliest", c_int64),  # UNISONO_HAS_RANGE: reachable positions (live, seekable range)
        ("latest", c_int64),  # UNISONO_HAS_RANGE: reachable positions (live, seekable range)
        ("flags", c_uint32),  # which of these are set. @since 0.2
        ("reserved", c_uint32),
    ]


class CoordinatorStatistics(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("state", c_int32),
        ("commands_issued", c_uint64),
        ("commands_completed", c_uint64),
        ("commands_failed", c_uint64),
        ("commands_superseded", c_uint64),
        ("commands_overdue", c_uint64),
        ("starts", c_uint64),
        ("starts_late", c_uint64),
        ("last_start_wait", c_int64),  # ns from request to start
        ("last_start_error", c_int64),  # ns, reported position against expected at the last report; INVALID unknown
    ]


class PlayerItem(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("is_live", c_int32),  # item time is the date of the content
        ("identifier", c_char_p),  # 1...1023 bytes; what the group compares
        ("uri", c_char_p),  # for the renderer alone, never sent; <= 8191 bytes; NULL: the identifier
        ("start_time", c_int64),  # proposed position, ns; 0 = the beginning
        ("duration", c_int64),  # ns; 0 or UNISONO_TIME_INVALID: unknown
    ]


class RendererCommand(Structure):
    _fields_ = [
        ("base", ContextEvent),  # .source is the player
        ("request", c_uint64),  # echo it in the report that answers
        ("item", c_char_p),  # identifier
        ("uri", c_char_p),
        ("rate", c_double),  # cue, play; nudge: factor on top, 0.9...1.1
        ("item_time", c_int64),  # cue, play, seek
        ("host_time", c_int64),  # play
        ("tolerance_before", c_int64),  # seek, ns; INDEFINITE: any
        ("tolerance_after", c_int64),  # seek, ns; INDEFINITE: any
        ("volume", c_double),  # 0...1, ducking applied
        ("width", c_int32),  # pixels
        ("height", c_int32),  # pixels
    ]


class RendererReport(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("state", c_int32),
        ("request", c_uint64),  # the command this answers; 0: spontaneous
        ("item_time", c_int64),  # UNISONO_HAS_POSITION: where it was at host_time
        ("host_time", c_int64),  # UNISONO_HAS_POSITION: where it was at host_time
        ("duration", c_int64),  # ns; 0 or UNISONO_TIME_INVALID: not said; INDEFINITE: live
        ("seekable_start", c_int64),  # UNISONO_HAS_RANGE
        ("seekable_end", c_int64),  # UNISONO_HAS_RANGE
        ("status", c_int32),  # FAILED: an error code
        ("flags", c_uint32),  # which of these are set; was `reserved` in 0.1. @since 0.2
        ("message", c_char_p),  # FAILED: for people
    ]


class Renderer(Sized):
    """What draws and sounds. Its functions begin what they are told and return at once; unisono_player_report says when
    that
    is done, with the command's `request`. A newer command replaces what is under way.
      load   gets uri ready at item_time, standing: READY, or FAILED. Of the one before nothing is heard any more.
      cue    stops, goes to item_time and fills its buffers for rate, so that play begins at once: READY. NULL: pause
      and
             seek do instead.
      play   begins at rate from where it stands: PLAYING. The call comes early by the start latency that was learnt, so
             begin at once; with UNISONO_RENDERER_EXACT_START it comes early and item_time holds at host_time. While it
             plays: another rate.
      pause  stops where it is: PAUSED.
      seek   goes to item_time, and plays on from there if it played: SEEKED.
      nudge  changes the speed by the factor rate, on top of what it plays at; 1 ends it. No answer. NULL: no nudges.
      stop   nothing plays any more, what was loaded can go. No answer.
    FAILED answers what it cannot do: it is told to pause then, and this player is apart until the next command.
    By itself it says STALLED and RECOVERED, PAUSED and PLAYING, ENDED, FAILED with request 0. Such noise is never taken
    for a person's wish: it moves nobody else. One that plays and whose positions stand still for 2.5 s stalls, said or
    not. What a start takes it is learnt from the positions that follow PLAYING, and the group leaves room for it.
    """

    _fields_ = [
        ("size", c_uint32),
        ("capabilities", c_uint32),  # UNISONO_RENDERER_...
        ("nudge_limit", c_double),  # 0: 0.02; at most 0.1
        ("dead_band", c_int64),  # ns; 0: 5 ms
        ("load", c_void_p),
        ("cue", c_void_p),
        ("play", c_void_p),
        ("pause", c_void_p),
        ("seek", c_void_p),
        ("nudge", c_void_p),
        ("set_volume", c_void_p),
        # Where it is, and when that held: UNISONO_OK, or anything else for "not known". NULL: the host reports
        # POSITION.
        ("now", c_void_p),
        ("set_render_size", c_void_p),
        ("stop", c_void_p),
        ("released", c_void_p),
    ]


class PlayerEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),  # .source is the player
        ("time_control", c_int32),
        ("waiting_reason", c_int32),
        ("item_state", c_int32),
        ("rate_reason", c_int32),  # RATE
        ("originator", ParticipantID),  # zero: local
        ("item", c_char_p),  # NULL none
        ("rate", c_double),
        ("item_time", c_int64),
        ("host_time", c_int64),
        ("request", c_uint64),  # SEEK_DONE
        ("status", c_int32),  # SEEK_DONE: OK or ECANCELED by a newer; ITEM_STATE: why failed
        ("reserved", c_uint32),
    ]


class PlayerCallbacks(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("time_control", c_void_p),
        ("rate_changed", c_void_p),
        ("time_jumped", c_void_p),
        ("item_state", c_void_p),
        ("item_ended", c_void_p),
        ("seek_done", c_void_p),
        ("error", c_void_p),
        ("released", c_void_p),
        ("listening_changed", c_void_p),  # of its coordinator. @since 0.2
        ("invited", c_void_p),  # its coordinator, by who it listens to. @since 0.2
    ]


class PlayerStatistics(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("skew_last", c_int64),  # ns; positive: ahead of the group
        ("skew_median", c_int64),  # ns; positive: ahead of the group
        ("skew_p95", c_int64),  # ns; positive: ahead of the group
        ("skew_maximum", c_int64),  # ns; positive: ahead of the group
        ("nudges", c_uint64),
        ("seeks", c_uint64),
        ("stalls", c_uint64),
        ("learnt_start_latency", c_int64),  # ns
        ("learnt_seek_cost", c_int64),  # ns
    ]


class SurfaceEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),  # .source is the surface
        ("request", c_uint64),  # SKIPPED: of skip_by; RESTORE: answer with complete_restore
        ("is_paused", c_int32),
        ("status", c_int32),  # SKIPPED
        ("start", c_int64),  # as unisono_surface_time_range has it
        ("duration", c_int64),  # as unisono_surface_time_range has it
        ("item_time", c_int64),
        ("host_time", c_int64),
    ]


class SurfaceCallbacks(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("changed", c_void_p),
        ("skipped", c_void_p),
        ("will_begin", c_void_p),
        ("will_end", c_void_p),
        ("restore_user_interface", c_void_p),
        ("released", c_void_p),
    ]


class HubCallbacks(Sized):
    """@since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("released", c_void_p),
    ]


class HubStatistics(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("rooms", c_uint64),
        ("connections", c_uint64),
        ("frames_in", c_uint64),
        ("frames_out", c_uint64),
        ("bytes_in", c_uint64),
        ("bytes_out", c_uint64),
        ("refused", c_uint64),
        ("closed_slow", c_uint64),
        ("probes", c_uint64),
    ]


class Service(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("platforms", c_uint32),  # those it supports; 0: any
        ("platform", c_uint32),  # this device's; 0: found out
        ("reserved", c_uint32),
        ("identifier", c_char_p),  # 1...63 bytes of a-z 0-9 - .
        ("usage_description", c_char_p),  # 1...255 bytes
        ("device_name", c_char_p),  # <= 63 bytes; NULL: the context's
    ]


class NearbyEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),  # .source is the advertiser or the browser
        ("device", c_uint64),  # stable while known to this browser
        ("request", c_void_p),  # JOIN_REQUESTED, JOIN_WITHDRAWN; an advertiser's INVITE
        ("device_name", c_char_p),  # unverified text of the other side
        ("usage_description", c_char_p),
        ("invite", c_char_p),  # INVITE
        ("platform", c_uint32),
        ("status", c_int32),  # FAILED: ETIMEDOUT also for a denial
        ("digits", c_char * 8),  # six digits and NUL; JOIN_REQUESTED, DIGITS
        ("intent", c_int32),  # FOUND, UPDATED: what may be asked; else: what was asked
        ("reserved", c_uint32),
    ]


class AdvertiserCallbacks(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("join_requested", c_void_p),
        ("join_withdrawn", c_void_p),
        ("error", c_void_p),
        ("released", c_void_p),
        ("invite", c_void_p),  # an accepted INVITE brought it
    ]


class BrowserCallbacks(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("found", c_void_p),
        ("updated", c_void_p),
        ("lost", c_void_p),
        ("digits", c_void_p),
        ("invite", c_void_p),
        ("failed", c_void_p),
        ("error", c_void_p),
        ("released", c_void_p),
    ]


class SimulationOptions(Sized):
    """@since 0.2"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("random_seed", c_uint64),  # of everything that is random, keys, too; every number is one
        ("start_time", c_int64),  # host time at first, ns, >= 0; 0: 1,000 s
    ]


class SimulatedLink(Sized):
    """How a context is connected to all others: what it sends takes its delay_out and the other's delay_in. Zeroes: at
    once.
    @since 0.2
    """

    _fields_ = [
        ("size", c_uint32),
        ("down", c_int32),  # 1: nothing passes; streams stand still, and go on when the link is up again
        ("delay_out", c_int64),  # ns one way, 0...60 s
        ("delay_in", c_int64),  # ns one way, 0...60 s
        ("jitter", c_int64),  # ns: each passage is late or early by up to so much, 0...60 s; streams keep their order
        ("loss", c_double),  # share of datagrams that are lost, 0...1; streams lose nothing
    ]


#: Each struct by its name in the headers, without ``unisono_``.
STRUCTS = {
    "participant_id": ParticipantID,
    "attachment_id": AttachmentID,
    "context_event": ContextEvent,
    "timer_event": TimerEvent,
    "overflow_event": OverflowEvent,
    "error_event": ErrorEvent,
    "log_event": LogEvent,
    "context_options": ContextOptions,
    "context_callbacks": ContextCallbacks,
    "activity": Activity,
    "participant": Participant,
    "participants": Participants,
    "participants_change": ParticipantsChange,
    "session_state_event": SessionStateEvent,
    "activity_event": ActivityEvent,
    "message": Message,
    "notice": Notice,
    "notice_event": NoticeEvent,
    "participant_event": ParticipantEvent,
    "invite_event": InviteEvent,
    "activation_event": ActivationEvent,
    "succession_event": SuccessionEvent,
    "succession_state": SuccessionState,
    "request": Request,
    "request_event": RequestEvent,
    "ignored_event": IgnoredEvent,
    "clock_doubt_event": ClockDoubtEvent,
    "split_event": SplitEvent,
    "hub_doubt_event": HubDoubtEvent,
    "chat_entry": ChatEntry,
    "chat_event": ChatEvent,
    "chat": Chat,
    "entry_id": EntryID,
    "copy": Copy,
    "range": Range,
    "playlist_entry": PlaylistEntry,
    "playlist": Playlist,
    "playlist_event": PlaylistEvent,
    "copy_event": CopyEvent,
    "attachment": Attachment,
    "attachments": Attachments,
    "attachment_event": AttachmentEvent,
    "scheduled_start": ScheduledStart,
    "schedule_event": ScheduleEvent,
    "audience_options": AudienceOptions,
    "reaction_count": ReactionCount,
    "audience_event": AudienceEvent,
    "listener_event": ListenerEvent,
    "session_callbacks": SessionCallbacks,
    "hub_options": HubOptions,
    "continuation": Continuation,
    "session_options": SessionOptions,
    "clock": Clock,
    "session_statistics": SessionStatistics,
    "interstitial": Interstitial,
    "command": Command,
    "timing": Timing,
    "waiting_for": WaitingFor,
    "timing_change": TimingChange,
    "suspensions_change": SuspensionsChange,
    "listening_event": ListeningEvent,
    "playback_delegate": PlaybackDelegate,
    "stall_policy": StallPolicy,
    "start_policy": StartPolicy,
    "playback_report": PlaybackReport,
    "coordinator_statistics": CoordinatorStatistics,
    "player_item": PlayerItem,
    "renderer_command": RendererCommand,
    "renderer_report": RendererReport,
    "renderer": Renderer,
    "player_event": PlayerEvent,
    "player_callbacks": PlayerCallbacks,
    "player_statistics": PlayerStatistics,
    "surface_event": SurfaceEvent,
    "surface_callbacks": SurfaceCallbacks,
    "hub_callbacks": HubCallbacks,
    "hub_statistics": HubStatistics,
    "service": Service,
    "nearby_event": NearbyEvent,
    "advertiser_callbacks": AdvertiserCallbacks,
    "browser_callbacks": BrowserCallbacks,
    "simulation_options": SimulationOptions,
    "simulated_link": SimulatedLink,
}

#: Result and parameters of each function, without the prefix ``unisono_``.
PROTOTYPES: Dict[str, Tuple[Any, Sequence[Any]]] = {
    # UNISONO_RT The library's version, like "0.2.0". Static text, never NULL.
    "version": (c_char_p, []),
    # UNISONO_RT The API version this library implements, major << 16 | minor. Compare with UNISONO_API_VERSION: the
    # same major, and a
    # minor at least as great, has everything this header declares.
    "api_version": (c_uint32, []),
    # UNISONO_RT Text of a status, like "UNISONO_EINVAL: invalid argument". Answers any number ("unknown error -7");
    # static, never
    # NULL.
    "strerror": (c_char_p, [c_int32]),
    # The sentence that belongs to the last failing call of this thread: what was wrong, in which function, how to mend
    # it.
    # Valid until this thread's next call of this library; "" when none failed. Success does not clear it, and realtime-
    # safe functions do not set it.
    "last_error": (c_char_p, []),
    # UNISONO_RT Host time now: nanoseconds of the monotonic clock (CLOCK_MONOTONIC; mach_absolute_time in ns on macOS).
    # Equals
    # uv_hrtime and Python's time.monotonic_ns. Clocks of other origin (SDL, mpv) differ by a constant: read both once
    # and
    # subtract. Within a context, unisono_context_host_time is the better question: it also holds on a simulated clock.
    "host_time": (c_int64, []),
    # Ends what a function returned through a parameter named `owned`, with all that hangs on it.
    # owned: that pointer; NULL does nothing; an address that is none of the library's is ignored.
    "free": (None, [c_void_p]),
    # Makes a context: one event loop and everything that lives on it.
    # options: NULL: polled, defaults. See unisono_context_options for units and limits of each field. Copied.
    # callbacks: copied; NULL: none. user: for them.
    # out: where the handle goes; end it with unisono_context_destroy.
    # Errors: UNISONO_EINVAL (own_thread and uv_loop together, a limit exceeded, an unknown log level), UNISONO_ENOMEM,
    # UNISONO_ENOTSUP (uv_loop_size is not this library's, or a field is set that this library does not know),
    # UNISONO_EIO
    # (storage_path is no folder that can be used).
    # With uv_loop, call it on the thread that runs that loop.
    "context_create": (c_int32, [POINTER(ContextOptions), POINTER(ContextCallbacks), c_void_p, POINTER(c_void_p)]),
    # UNISONO_WAITS Destroys a context and everything made from it: see LIFETIMES 6 to 8. Its sessions leave: this call
    # is all that leaving in
    # order takes. NULL and destroyed handles: nothing happens. On
    # a foreign loop it must be called on the thread of that loop, otherwise nothing happens but a line in the log.
    "context_destroy": (None, [c_void_p]),
    # One descriptor that is readable when anything is due: sockets, calls from other threads, timers, queued events.
    # Wait
    # for it, then call unisono_context_poll (or unisono_context_next_event until it returns 0). With own_thread:
    # readable
    # while the event queue holds something. Never read from, write to or close it; it is the context's.
    # Returns: the descriptor >= 0. Errors: UNISONO_ENOTSUP (Windows: use unisono_context_timeout and `wakeup`),
    # UNISONO_ESTATE (uv_loop; own_thread without event_queue).
    "context_fd": (c_int32, [c_void_p]),
    # Nanoseconds until the next timer of a polled context: 0 due now, UNISONO_TIME_INDEFINITE no timer; fit to be the
    # max_wait of the next poll. Only for hosts that cannot wait for a descriptor; changes with every call made to the
    # library.
    # Errors (negative): UNISONO_ESTATE (own_thread, uv_loop) and the usual ones.
    "context_timeout": (c_int64, [c_void_p]),
    # UNISONO_LOOP Runs what is due on a polled context and delivers callbacks on this thread.
    # max_wait: longest wait in ns; 0 does not wait; UNISONO_TIME_INDEFINITE or negative: no limit. May return earlier,
    # also
    # with 0.
    # Returns: the number of deliveries, callbacks and queued events, >= 0.
    # Errors: UNISONO_ESTATE (own_thread, uv_loop, or inside a callback), UNISONO_EBUSY (another thread is in it),
    # UNISONO_ECLOSED (also when the context is destroyed meanwhile).
    "context_poll": (c_int32, [c_void_p, c_int64]),
    # UNISONO_LOOP Fetches the next event of a context with event_queue, running the loop as unisono_context_poll does
    # where it is
    # polled.
    # max_wait: longest wait in ns for an event; 0 does not wait; UNISONO_TIME_INDEFINITE or negative: no limit.
    # out: the event, or NULL; `type` names the payload struct this head begins (skip types you do not know), and
    # unisono_event_command and its kin give it. Valid until the next call of this function on this context, or until
    # the
    # context is destroyed.
    # Returns: 1 with an event, 0 without. Order is kept within the queue. State-like events (state, activity,
    # participants, timing, suspensions) are kept newest-only. Commands are never dropped one by one: those for an item
    # no
    # longer current are taken out, and above 64 unread ones the present state replaces them all. Log lines and errors
    # beyond event_queue_limit are dropped, counted and told by one OVERFLOW event.
    # Errors: UNISONO_ESTATE (no event_queue, or inside a callback), UNISONO_EBUSY (another thread is in it or in poll),
    # UNISONO_ECLOSED.
    "context_next_event": (c_int32, [c_void_p, c_int64, POINTER(POINTER(ContextEvent))]),
    # UNISONO_RT Makes a poll or next_event that waits return 0 soon; the next one, when none waits. Calls coalesce.
    "context_wake": (c_int32, [c_void_p]),
    # UNISONO_RT The clock this context lives by, ns: unisono_host_time(), unless the context is simulated. Negative: an
    # error.
    "context_host_time": (c_int64, [c_void_p]),
    # Calls fn once on the loop when a host time has come.
    # host_time: ns; past: at once, but never inside this call.
    # fn: called exactly once: status UNISONO_OK when due, UNISONO_ECANCELED after unisono_context_cancel or destroy.
    # NULL:
    # a TIMER event in the event queue instead.
    # user: for fn, and `base.user` of the event.
    # token: may be NULL; set before fn can run; never 0; for unisono_context_cancel.
    # Errors: UNISONO_EINVAL (fn NULL without event_queue; host_time UNISONO_TIME_INVALID), UNISONO_EFULL (65,536 are
    # pending).
    "context_call_at": (c_int32, [c_void_p, c_int64, c_void_p, c_void_p, POINTER(c_uint64)]),
    # Cancels a unisono_context_call_at: its fn gets UNISONO_ECANCELED, later, on the loop.
    # Errors: UNISONO_ENOTFOUND (it has fired, is firing, or never was).
    "context_cancel": (c_int32, [c_void_p, c_uint64]),
    # Forgets answers that unisono_session_answer_consent remembered: people are asked again.
    # type: UNISONO_ACTIVITY_ALL: of every type.
    # Errors: UNISONO_EINVAL (no such type), UNISONO_EIO (storage_path cannot be written; forgotten for this context).
    "context_forget_answers": (c_int32, [c_void_p, c_int32]),
    # UNISONO_WAITS Makes a session and hosts it: this device begins a new group. When options->hub is NULL a hub is
    # started in this
    # process and is bound before this function returns, so that unisono_session_invite works at once. Join with
    # unisono_session_join.
    # options: NULL: defaults. Copied. hub: the line that "unisono hub" prints, or that of unisono_hub_line:
    # "unisono-hub://host:port/id", and behind it "/token" where the hub's operator gave one. The id says which hub it
    # is: no other
    # at that address is talked to.
    # callbacks: copied; NULL: the event queue, or read with the getters. user: for them, and `base.user` of its events.
    # out: end it with unisono_session_destroy.
    # options->continuation: the group of another day goes on instead (unisono_session_continuation): this participant
    # is who it was, and
    # looks for the others where they were, at `hub`, and at the hub in this process. control_policy, activity, role,
    # succession and
    # succession_delay are the group's then and count for nothing.
    # Errors: UNISONO_EINVAL (a limit exceeded, or a hub's line that is none), UNISONO_ETOOBIG (activity, continuation),
    # UNISONO_ENETWORK (an
    # address is in use or cannot be parsed), UNISONO_ENOMEM, UNISONO_ENOTSUP (a field is set that this library does not
    # know). Of a
    # continuation: UNISONO_EINVAL (it is none, a limit exceeded, or neither key nor person), UNISONO_EAUTH (another
    # key, or a byte was
    # changed), UNISONO_ETIMEDOUT (too old), UNISONO_EVERSION (made by a newer library), UNISONO_EPROTOCOL (it proves
    # nothing).
    "session_host": (
        c_int32,
        [c_void_p, POINTER(SessionOptions), POINTER(SessionCallbacks), c_void_p, POINTER(c_void_p)],
    ),
    # UNISONO_WAITS Opens an invite. Only parses: the session is WAITING until unisono_session_join; faults of the
    # network appear as
    # state. The activity may be known before joining (SESSION_ACTIVITY).
    # invite: the text from unisono_session_invite of somebody in the group; 1...4,095 bytes. It is a secret. A line as
    # it was
    # pasted will do: words in front, and quotes, brackets and white space around it are passed over.
    # options: NULL: defaults. Copied. control_policy, hub, hub_options, activity, succession and succession_delay are
    # the
    # host's to set and count for nothing here. continuation: of the invite's session; this participant comes as who it
    # was, wherever
    # the group is by now, also after its hubs changed or somebody was removed; role counts for nothing then.
    # callbacks, user: as for unisono_session_host.
    # out: end it with unisono_session_destroy.
    # Errors: UNISONO_EINVAL (unisono_last_error says which part of the invite; a continuation of another session),
    # UNISONO_EVERSION
    # (made by a newer library), UNISONO_ENOMEM, UNISONO_ENOTSUP; of a continuation as for unisono_session_host.
    "session_open": (
        c_int32,
        [c_void_p, c_char_p, POINTER(SessionOptions), POINTER(SessionCallbacks), c_void_p, POINTER(c_void_p)],
    ),
    # UNISONO_WAITS Leaves, then closes: the others see it at once, also when the hub was in this process and goes with
    # it. Only what cannot
    # be sent at once (a link that is congested or lost) is not: to see that it went, unisono_session_leave first, and
    # destroy
    # after INVALIDATED. NULL and destroyed handles: nothing happens. A coordinator on it goes on alone.
    "session_destroy": (None, [c_void_p]),
    # The invite to pass on, as text; whoever has it can join. It lists the hub in use and up to 15 more: those that the
    # participants keep ready, this one's included, so that it leads to the group also when its first hub is dead by
    # then. It
    # changes with them (SESSION_INVITE); pass on the newest. Before the group was met it is the one that was opened:
    # nobody is
    # led to anywhere else than the group.
    # buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 4,096 bytes always suffice.
    # Errors: UNISONO_ETOOBIG (too little room; *length says how much), UNISONO_ESTATE (invalidated).
    "session_invite": (c_int32, [c_void_p, c_char_p, POINTER(c_size_t)]),
    # UNISONO_WAITS What this participant goes on from on another day, by `continuation` of unisono_session_options; no
    # server remembers anything. It holds,
    # sealed, its identity with the keys, the way to the group (door, hubs, and their passes), who was in it, the policy
    # (roles, who was
    # removed, closed), and what the group does: activity, settings, playlist, the current item and its place. It does
    # not hold chat,
    # attachments, a scheduled start or what players reported. Each of the group who has one goes on, in any order, and
    # they are one group:
    # paused where the one was who was there last, with the roles of then. They meet at a hub that all of them know and
    # that is there
    # again: one by itself, or the hub in a participant's process, which has the same id again and is found if its
    # address and port are
    # the same (hub_options.listen); else by a new invite of one of them, with which the others open theirs. Who alone
    # may not command
    # waits for one who may.
    # Whoever has it and the key is this participant: keep it as a private key is kept (mode 0600), and begin no two
    # sessions with it at
    # once (one of them is INVALIDATED with UNISONO_EBUSY). It shows nothing without the key. It knows of nothing later:
    # take a new one when
    # SESSION_INVITE or SESSION_PARTICIPANTS comes, every few minutes, and before unisono_session_leave and
    # unisono_session_end. Of one
    # who was removed after it took its own, and of what others' older ones still open, docs/security.md has what is
    # promised.
    # key, key_length: what to seal it with, 16...1,024 bytes that nobody can guess, no password; NULL and 0: the
    # context's `person`, so that
    # all devices of the person can open it.
    # owned: end it with unisono_free.
    # Errors: UNISONO_EINVAL (owned is NULL, key_length, or neither key nor person), UNISONO_ESTATE (not joined, group
    # time is not known
    # yet, or the group is on its way to another room: again in a moment), UNISONO_ETOOBIG (what the group does does not
    # fit).
    # @since 0.2
    "session_continuation": (c_int32, [c_void_p, c_void_p, c_size_t, POINTER(POINTER(Continuation))]),
    # From where the best of an invite's addresses can be reached, as they are spelled: nothing is looked up or tried.
    # Whoever
    # shows an invite says with it when all of its addresses are private: nobody elsewhere can join by it.
    # invite: as for unisono_session_open.
    # Returns: a unisono_reach >= 0. Errors: UNISONO_EINVAL, UNISONO_EVERSION, as unisono_session_open.
    # @since 0.2
    "invite_reach": (c_int32, [c_char_p]),
    # Enters the group. Returns at once; the state becomes JOINED when the group's complete state is here: who hosts the
    # session
    # has it, everybody else gets it from a member. Who finds no member stays WAITING for as long as that is so, with
    # reason
    # UNISONO_ENOTFOUND or that of the network, and looks for one at all hubs that its invite lists, again and again;
    # its player
    # acts alone meanwhile. Where there is no place, at the hub or among the 256 participants that a session can have,
    # the
    # state is WAITING and CONNECTING with reason UNISONO_EFULL, and the session goes in by itself when a place is free;
    # where an
    # owner closed the group, with reason UNISONO_EDENIED, until it is open.
    # Joining again: OK, nothing happens.
    # Errors: UNISONO_ESTATE (invalidated).
    "session_join": (c_int32, [c_void_p]),
    # Leaves the group, which goes on: the state becomes INVALIDATED with reason UNISONO_OK. Coming back is a new
    # session
    # object.
    # Errors: UNISONO_ESTATE (invalidated).
    "session_leave": (c_int32, [c_void_p]),
    # Ends the session for everybody: their state becomes INVALIDATED with reason UNISONO_EENDED, for good, but that who
    # kept a
    # unisono_session_continuation may go on from it on another day. While the object
    # exists, those who come within 5 s are informed, too; later ones find nobody.
    # Errors: UNISONO_ESTATE (not joined, or invalidated; late: the connection is lost, so that the others cannot be
    # told),
    # UNISONO_EDENIED (late too: this participant may not).
    "session_end": (c_int32, [c_void_p]),
    # Returns: a unisono_session_state >= 0, or an error.
    # @since 0.2
    "session_get_state": (c_int32, [c_void_p]),
    # Returns: the own link as a unisono_connection >= 0, or an error.
    "session_connection": (c_int32, [c_void_p]),
    # The own identifier in this session, known from creation on.
    # id_out: 16 bytes are written.
    "session_local_participant": (c_int32, [c_void_p, POINTER(ParticipantID)]),
    # Who is there, the local one included, sorted by id.
    # owned: a snapshot; end it with unisono_free.
    # Errors: UNISONO_ENOMEM.
    "session_participants": (c_int32, [c_void_p, POINTER(POINTER(Participants))]),
    # Sets or changes what the group does together; everybody gets SESSION_ACTIVITY.
    # activity: copied; limits at unisono_activity.
    # Errors: UNISONO_EINVAL (no identifier, unknown type), UNISONO_ETOOBIG (a limit exceeded), UNISONO_ESTATE (not
    # joined), UNISONO_EDENIED (late too).
    "session_activate": (c_int32, [c_void_p, POINTER(Activity)]),
    # What the group does together.
    # owned: a snapshot; end it with unisono_free. NULL with UNISONO_OK: nothing yet.
    # Errors: UNISONO_ENOMEM.
    "session_activity": (c_int32, [c_void_p, POINTER(POINTER(Activity))]),
    # Gives a participant another role; only an owner may. Whoever is made an owner may do what this function and the
    # next two
    # do, but not to owners who became that before it. Everybody is told by SESSION_PARTICIPANTS. What the participant
    # commanded
    # before stays; what it commands later, or has on the way, counts by its new role, alike for everybody.
    # When the last owner leaves with unisono_session_leave, the first deputy that is there becomes owner, else the
    # participant
    # of the highest role that has been there longest. For one that is gone without leaving see
    # unisono_session_set_deputies.
    # participant: in the session, this one excepted. role: VIEWER, MEMBER, HOST or OWNER.
    # Errors: UNISONO_EINVAL (participant is NULL, no role), UNISONO_ENOTFOUND (nobody has this id), UNISONO_ESTATE (not
    # joined), UNISONO_EDENIED (not an owner; late too, through error: the participant is a more senior owner, the lists
    # are
    # full, or another owner's change came first and it is not an owner's to make any more).
    "session_set_role": (c_int32, [c_void_p, POINTER(ParticipantID), c_int32]),
    # Says who may command playback, change the activity and end the session; only an owner may.
    # Errors: UNISONO_EINVAL (no unisono_control_policy), UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an owner;
    # late too).
    "session_set_control_policy": (c_int32, [c_void_p, c_int32]),
    # Closes the group, or opens it again; only an owner may. While it is closed nobody new is let in, whoever has the
    # invite: so a
    # leaked one is worth nothing for as long, and nobody's room or invite changes. Who is in stays in, and comes back
    # after a lost
    # link; a process that was started again is somebody new. Everybody is told by SESSION_STATE (`closed`). Who wants
    # in is WAITING
    # with reason UNISONO_EDENIED, asks again every few seconds, and gets in by itself once the group is open. It stands
    # until it is
    # changed, also when owners leave. Members whose library is not this one, or who do not know of it yet, may still
    # let somebody in:
    # SESSION_PARTICIPANTS shows it.
    # closed: 0 or 1.
    # Errors: UNISONO_EINVAL (closed), UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an owner; late too, through
    # error: another
    # owner's change came first). @since 0.2
    "session_set_closed": (c_int32, [c_void_p, c_int32]),
    # Opens an audience: whoever has its link (unisono_session_audience_link) follows what the group plays, by
    # unisono_coordinator_listen, any number of devices at once, and takes part in nothing. Listeners are in no list of
    # participants, hear no chat and no messages, are not waited for, and cannot command; they see who commands and what
    # plays,
    # with the activity. The group goes on as it was. The audience is the session's: one of its owners and hosts speaks
    # for the group in it,
    # at first who opened it, of the item that its own coordinator is at. When that one leaves, or its process dies,
    # another one goes on
    # within a second or two, when its network is lost some seconds later; where none is there any more, or the session
    # ends, the audience is
    # closed. The hub in use carries it; docs/audiences.md has what is promised, and what is not: whoever has the link
    # can listen, and a
    # single stranger cannot be put out of an open audience.
    # It takes a session in which hosts alone command, so that nobody who came by the invite speaks to all: control
    # policy
    # UNISONO_CONTROL_HOSTS_ONLY, and newcomers who are less than hosts. SESSION_AUDIENCE tells when it is open, how
    # many listen, and why
    # it was closed: it is when one of these conditions is not met any more. It goes along when the session changes its
    # hub.
    # Where the session has an audience a start is written 1.5 s before it begins, so that who listens begins with the
    # group; so it is where
    # this participant is alone in the session. Of those who listen nobody is waited for, unless `ready_share` says so:
    # then a start waits,
    # as for one participant more, until that share of them is ready or `ready_wait` is over. Others see it wait for who
    # speaks to the
    # audience.
    #
    #     const char *reactions[] = { "\xE2\x9D\xA4", "\xF0\x9F\x91\x8F" };
    #     unisono_audience_options options = UNISONO_AUDIENCE_OPTIONS_INIT;
    #     options.reactions = reactions;
    #     options.reaction_count = 2;
    #     unisono_session_open_audience(session, &options);
    #     ... SESSION_AUDIENCE with UNISONO_AUDIENCE_OPEN:
    #     char link[4096];  size_t length = sizeof link;
    #     if (unisono_session_audience_link(session, link, &length) == UNISONO_OK) publish(link);
    #
    # options: NULL: nobody who listens is waited for, and nobody reacts. Copied; they hold as long as it is open, for
    # whoever speaks to it.
    # Errors: UNISONO_EINVAL (an option), UNISONO_ENOTSUP (a longer struct whose tail is not zero), UNISONO_ESTATE (not
    # joined, others than
    # hosts may command, newcomers are hosts, the session has an audience, or no hub is known that a link could name;
    # late too),
    # UNISONO_EDENIED (this participant may not command; late too). @since 0.2
    "session_open_audience": (c_int32, [c_void_p, POINTER(AudienceOptions)]),
    # Closes the session's audience, whoever opened it, for an owner or host: its listeners are told OVER, and their
    # players go on alone.
    # Another unisono_session_open_audience makes another one, with another link. One that is closed: OK, nothing
    # happens.
    # Errors: UNISONO_ESTATE (invalidated). @since 0.2
    "session_close_audience": (c_int32, [c_void_p]),
    # Gives the session's audience another link, for any owner or host: the old one is known to who should not have it,
    # or an owner or host
    # is none any more. Who listens goes along by itself, and plays on meanwhile; so does who comes with the old link in
    # the next 10 min.
    # Who comes with it later is told OVER, with a reason that says so. It puts nobody out: who listens when it is
    # renewed goes along, good
    # or bad. unisono_session_audience_link gives the new link once the loop has turned; SESSION_AUDIENCE says OPENING,
    # and OPEN once it is
    # good; to other owners and hosts it says once more that it is OPEN. Whoever renews speaks to it from then on. Once
    # more makes one more,
    # whether or not everybody has gone along.
    # Errors: UNISONO_ESTATE (not joined, or no audience is open, or what it takes to speak to it has not come yet from
    # another host; late
    # too), UNISONO_EDENIED (this participant may not command; late too). @since 0.2
    "session_renew_audience": (c_int32, [c_void_p]),
    # The link that listeners need, as text: for unisono_coordinator_listen, and no invite; nobody joins with it. It is
    # there as soon as the
    # audience is asked for, and good once SESSION_AUDIENCE says OPEN; every owner and host has the same. It stays as it
    # is until the audience
    # is renewed or closed: it lists the hubs that an invite listed then.
    # buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 4,096 bytes always suffice.
    # Errors: UNISONO_ETOOBIG (too little room; *length says how much), UNISONO_ESTATE (no audience is open, this
    # participant is no
    # owner or host, or the session is invalidated). @since 0.2
    "session_audience_link": (c_int32, [c_void_p, c_char_p, POINTER(c_size_t)]),
    # Lets a listener into the session: its coordinator gets this session's invite, as COORDINATOR_INVITED, sealed so
    # that neither the hub nor
    # others with the link can read it. It comes in as whoever has the invite, with the role of newcomers, and may pass
    # the invite on. That it
    # comes is not certain: its person may not want any more, and the session may be full or closed. Once more does no
    # harm.
    # listener: who asked (UNISONO_LISTENER_ASKS of SESSION_LISTENER) in the audience that this participant speaks to;
    # of the last 256 who did.
    # Errors: UNISONO_EINVAL (NULL), UNISONO_ESTATE (not joined, or no audience is open; late, through error: its hub is
    # not reached),
    # UNISONO_ENOTFOUND (this one did not ask, or too long ago; late too). @since 0.2
    "session_invite_listener": (c_int32, [c_void_p, POINTER(ParticipantID)]),
    # Names who stands in for the owners when none of them is there and none has left with unisono_session_leave: a
    # process died,
    # a machine sleeps, a network broke. When no owner was there for `delay`, the first of the deputies who is there
    # acts as
    # owner: it may do all that an owner may, but to no owner. Everybody is told by SESSION_SUCCESSION, and
    # SESSION_PARTICIPANTS
    # shows it as OWNER. When an owner is back, that ends: what was commanded and said of roles meanwhile stays, who was
    # made
    # owner meanwhile is none any more. Nobody believes a deputy while it sees an owner itself (REFUSED). An owner whose
    # process
    # was started again is another participant: who acts as owner makes it an owner by unisono_session_set_role.
    # Only an owner may. Without this call deputies are listed by seniority (options.succession): the library lists the
    # four who
    # have been there longest, hosts before members, viewers never, and only while not EVERYONE may command.
    # deputies, count: participants of the session, in their order, without doubles, no owners; at most 8, copied. With
    # 8 owners
    # there is no room for deputies.
    # succession: NAMED with deputies; with none: DEFAULT, BY_SENIORITY or NOBODY.
    # delay: ns, 5 s...1 h; 0: 30 s.
    # Errors: UNISONO_EINVAL (deputies is NULL with a count, a double, an owner; succession; delay), UNISONO_ENOTFOUND
    # (nobody has
    # this id), UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an owner; late too: there are eight owners, or another
    # owner's
    # change came first). @since 0.2
    "session_set_deputies": (c_int32, [c_void_p, POINTER(ParticipantID), c_size_t, c_int32, c_int64]),
    # Who stands in when no owner is there, and who does so now.
    # out: set out->size before the call (UNISONO_SUCCESSION_STATE_INIT); no more than that is written.
    # Errors: UNISONO_EINVAL (out is NULL, its size). @since 0.2
    "session_get_succession": (c_int32, [c_void_p, POINTER(SuccessionState)]),
    # Asks those who may command to do so: "could you pause?" They get SESSION_REQUEST with status OPEN, nobody else can
    # read it.
    # This participant is told once what became of it, by SESSION_REQUEST with its own id: GRANTED by the first who
    # does,
    # DECLINED when all have declined, UNANSWERED after 30 s. It is about the item that this session's coordinator is
    # on.
    # request: copied. text: <= 255 bytes.
    # number_out: the request's number; NULL: not wanted.
    # Errors: UNISONO_EINVAL (NULL, unknown kind, item_time), UNISONO_ETOOBIG (text), UNISONO_ESTATE (not joined, no
    # current
    # item, or this participant may command itself), UNISONO_ENOTFOUND (nobody who may command is there; late too),
    # UNISONO_EBUSY (more than one in a second; late too: four are open), UNISONO_EFULL (too many calls wait for the
    # loop).
    # @since 0.2
    "session_request_command": (c_int32, [c_void_p, POINTER(Request), POINTER(c_uint64)]),
    # Answers a SESSION_REQUEST that is OPEN. Granted, it is carried out at once as if this host had asked its
    # coordinator for
    # it, and everybody who was asked is told. Declined, only the asker may hear of it. It may be left unanswered.
    # asker, number: as the event told them.
    # granted: 0 or 1.
    # Errors: UNISONO_EINVAL (asker is NULL), UNISONO_ENOTFOUND (no such request is open here; late too), UNISONO_ESTATE
    # (not
    # joined; to be granted, and this session's coordinator is on another item), UNISONO_EDENIED (this participant may
    # not
    # command any more), UNISONO_EFULL. @since 0.2
    "session_answer_request": (c_int32, [c_void_p, POINTER(ParticipantID), c_uint64, c_int32]),
    # Puts a participant out for good, with all devices of its person; only an owner may. The session moves to a new
    # door with a
    # new key, which the removed one does not get: it can read nothing more and cannot come back, and is INVALIDATED
    # with
    # UNISONO_EDENIED. The others play on. The invite is another one from then on (SESSION_INVITE); the old one leads
    # nowhere.
    # Who is away for less than ten minutes is let in again when it returns.
    # participant: in the session; not this one.
    # Errors: UNISONO_EINVAL (NULL, this one), UNISONO_ENOTFOUND, UNISONO_ESTATE (not joined), UNISONO_EDENIED (not an
    # owner;
    # late too: it is a more senior owner).
    "session_remove_participant": (c_int32, [c_void_p, POINTER(ParticipantID)]),
    # Asks the person at this device, through the `consent` callback or a CONSENT event, whether an activity is to be
    # begun
    # with the group, unless an answer for its type (unisono_activity_type) is remembered. What is asked is answered by
    # unisono_session_answer_consent; without a consent callback and an event queue the answer is PREFERRED. Where no
    # other
    # participant is in touch and no device follows the session there is nobody to share it with: nobody is asked, and
    # the answer
    # is DISABLED. Who does not know yet who is there (an invite was opened a moment ago) is asked. It changes nothing
    # by itself: at PREFERRED call unisono_session_activate, at DISABLED begin alone, at CANCELLED do not begin.
    # activity: copied; limits at unisono_activity.
    # fn: called exactly once, later, on the loop: with `result`, and `remembered` 1 when that is a remembered answer.
    # CANCELLED when
    # nobody answered for 60 s, or when the session is destroyed. NULL: an ACTIVATION event in the event queue instead.
    # user: for fn, and `base.user` of its event.
    # Errors: UNISONO_EINVAL (fn NULL without event_queue; see unisono_session_activate), UNISONO_ETOOBIG,
    # UNISONO_ESTATE
    # (invalidated), UNISONO_EBUSY (one is open), UNISONO_EFULL (too many calls wait for the loop).
    "session_prepare_for_activation": (c_int32, [c_void_p, POINTER(Activity), c_void_p, c_void_p]),
    # Answers a CONSENT.
    # request: as the event told it.
    # answer: PREFERRED: with the group; DISABLED: alone; CANCELLED: not at all.
    # remember: 1: the same answer for every activity of this type from now on, without asking (not CANCELLED); kept in
    # `storage_path` of the context, or as long as the context lives. unisono_context_forget_answers forgets it.
    # Errors: UNISONO_EINVAL (no unisono_activation_result), UNISONO_ENOTFOUND (answered, or too late).
    "session_answer_consent": (c_int32, [c_void_p, c_uint64, c_int32, c_int32]),
    # Sends bytes to other participants, who get SESSION_MESSAGE; the sender gets none. Who joins later does not get it.
    # Reliable messages of one sender come once and in order, also across lost links of up to 30 s and the hub's death;
    # unreliable ones come at once or not at all, in any order.
    # data, length: 0...65,536 bytes, copied. NULL only with length 0.
    # to, to_count: ids of participants, copied; the others cannot read it. 0: all others (to is not looked at). At most
    # 256.
    # Errors: UNISONO_EINVAL, UNISONO_ETOOBIG (length), UNISONO_ESTATE (not joined), UNISONO_ENOTFOUND (an id is no
    # participant), UNISONO_EBUSY (1 MiB waits to be sent; SESSION_WRITABLE says when to go on), UNISONO_EFULL (too many
    # calls
    # wait for the loop).
    "session_send": (c_int32, [c_void_p, c_void_p, c_size_t, c_int32, POINTER(ParticipantID), c_size_t]),
    # Sends bytes that have a type, by which receivers tell them apart: unisono_session_send with a name and a version,
    # which come
    # as `type` and `version` of the message. The library compares nothing: a receiver ignores the types that it does
    # not know,
    # and reads those versions of a type that it knows. All types of one sender share one order.
    # type: 1...127 bytes of UTF-8, such as "org.example.drawing.stroke". version: of what the type names; any.
    # The others, and errors: as unisono_session_send; UNISONO_EINVAL (no type, or a longer one).
    # @since 0.2
    "session_send_typed": (
        c_int32,
        [c_void_p, c_char_p, c_uint32, c_void_p, c_size_t, c_int32, POINTER(ParticipantID), c_size_t],
    ),
    # Sends bytes that the others get when their own playback is at a place of an item ("when the film is at 0:42:10"):
    # each host gets
    # SESSION_MESSAGE when its player, as far as it was told, stands there or runs past it, in either direction.
    # Reliable.
    #
    # It comes once. A jump over the place does not deliver it: it waits on, and comes when playback is sent back and
    # meets it. Where the
    # place was passed no more than 2 s before the message came, it comes at once; where it was passed earlier, it waits
    # likewise. Who
    # is apart goes by its own playback. Who joins later does not get it. A host that is at another item gets it when it
    # is at this
    # one. A receiver keeps 64 of one sender, for 12 hours or until it leaves; of more it is told (SESSION_IGNORED).
    # item: 1...1,023 bytes of UTF-8. item_time: ns, any but UNISONO_TIME_INVALID.
    # type: as in unisono_session_send_typed; NULL: none, and version is not looked at.
    # The others, and errors: as unisono_session_send; UNISONO_EINVAL; UNISONO_EBUSY (late: 64 of this participant wait,
    # by its own
    # playback). More than 64 KiB: attach it before (unisono_session_attach_bytes), and send the attachment's name at
    # the place.
    # @since 0.2
    "session_send_at": (
        c_int32,
        [c_void_p, c_char_p, c_int64, c_char_p, c_uint32, c_void_p, c_size_t, POINTER(ParticipantID), c_size_t],
    ),
    # Everybody on an item begins to play at one time, "at 20:15" or "in ten minutes": the group prepares 3 s before,
    # and starts at the
    # instant, as far as players are ready; what starts wait for applies. It is for the whole session, outlives who
    # scheduled it, and
    # takes the place of one scheduled before. Everybody gets SESSION_SCHEDULE, with the countdown; hosts that are not
    # on the item make
    # their transition in time. Whoever plays the item before, or commands its rate in the last 3 s, has decided
    # otherwise. Whoever
    # may command may schedule.
    # item: 1...1,023 bytes of UTF-8. host_time: of this device, from now on and at most 7 days ahead; calendar_time:
    # what the person's
    # clock shows then, ns since 1970, or UNISONO_TIME_INVALID. The library reads no calendar: of a time of day a host
    # makes the host
    # time, unisono_host_time() + (time of day - what its clock shows now). All begin at that one instant, by group
    # time, however
    # wrong any calendar clock is.
    # Errors: UNISONO_EINVAL (no item, a time that is past or too far ahead), UNISONO_ESTATE (not joined; late: group
    # time is not known
    # yet), UNISONO_EDENIED (late). @since 0.2
    "session_schedule_start": (c_int32, [c_void_p, c_char_p, c_int64, c_int64]),
    # Calls the scheduled start off; nothing where none is scheduled.
    # Errors: UNISONO_ESTATE (as above), UNISONO_EDENIED (late). @since 0.2
    "session_cancel_start": (c_int32, [c_void_p]),
    # The start that is scheduled and still to come.
    # owned: the address of a variable; NULL comes where nothing is. Errors: UNISONO_EINVAL. @since 0.2
    "session_scheduled_start": (c_int32, [c_void_p, POINTER(POINTER(ScheduledStart))]),
    # Says something in writing: everybody gets SESSION_CHAT, this participant, too. The last 200 entries (and at most
    # 128 KiB of them)
    # are kept by every participant and told to those who come later; nobody can change or invent the words of another.
    # The item and
    # the position at which the group is now are said with it. What is said without a connection reaches the others when
    # it is back.
    # text: 1...2,000 bytes of UTF-8; no control characters but U+000A, and none that turn the direction of writing.
    # number_out: the entry's number; NULL: not wanted.
    # Errors: UNISONO_EINVAL (no text, not UTF-8, a control character), UNISONO_ETOOBIG, UNISONO_ESTATE (not joined),
    # UNISONO_EBUSY (more
    # than 10 in 10 s; the message says in how many seconds there may be another), UNISONO_EFULL (too many calls wait
    # for the loop).
    # @since 0.2
    "session_chat": (c_int32, [c_void_p, c_char_p, POINTER(c_uint64)]),
    # Reacts to what is on just now: everybody gets SESSION_CHAT, this participant, too. Not kept, and lost to who is
    # not there.
    # text: 1...32 bytes of UTF-8, such as an emoji; no control characters.
    # Errors: as unisono_session_chat; UNISONO_EBUSY: more than 20 in 10 s. @since 0.2
    "session_react": (c_int32, [c_void_p, c_char_p]),
    # The entries of the chat that are kept, in their order.
    # owned: a snapshot; end it with unisono_free. Errors: UNISONO_EINVAL (NULL), UNISONO_ENOMEM. @since 0.2
    "session_chat_history": (c_int32, [c_void_p, POINTER(POINTER(Chat))]),
    # Puts an entry on the playlist that the group shares: everybody gets SESSION_PLAYLIST, this participant, too.
    # Whoever may command may
    # edit it. What several do at the same time is merged: no entry is lost or there twice. A list takes 1,000 entries
    # and 512 KiB of
    # them, 128 bytes counted for each beside its texts; should several fill the last places at once, those stay that
    # were added first,
    # and who added the others gets the error.
    # entry: copied; `id` is not read. before: the entry that it is to stand before; NULL or all zero: at the end.
    # id_out: its id; NULL: not wanted. What is refused late comes as ERROR.
    # Errors: UNISONO_EINVAL (no item, not UTF-8, a control character, a duration below 0, too many addresses or ranges,
    # a range that
    # is none, out of order or overlaps the one before), UNISONO_ETOOBIG (a text),
    # UNISONO_ESTATE (not joined), UNISONO_EDENIED (late, too), UNISONO_EFULL (the list, late, too, or too many calls
    # wait for the loop),
    # late: UNISONO_ENOTFOUND (`before` was never there). @since 0.2
    "session_add_entry": (c_int32, [c_void_p, POINTER(PlaylistEntry), POINTER(EntryID), POINTER(EntryID)]),
    # Moves an entry. before: as above. Of two who move it at once the later one counts.
    # Errors: UNISONO_EINVAL (id NULL or all zero), UNISONO_ESTATE (not joined), UNISONO_EDENIED (late, too),
    # UNISONO_EFULL (too many calls
    # wait for the loop), late: UNISONO_ENOTFOUND (no such entry, as it may have been removed). @since 0.2
    "session_move_entry": (c_int32, [c_void_p, POINTER(EntryID), POINTER(EntryID)]),
    # Takes an entry off the playlist, for good: who moves it at the same time does not bring it back. Removing the
    # current one stops
    # nothing: what comes next is what stood behind it. Errors: as unisono_session_move_entry. @since 0.2
    "session_remove_entry": (c_int32, [c_void_p, POINTER(EntryID)]),
    # The group goes to an entry: everybody gets SESSION_PLAYLIST with `current_changed`, and loads it. The group also
    # goes on by itself, to
    # the next one, when everybody has played the current entry's item to its end and the session's action there is
    # UNISONO_ACTION_AT_END_ADVANCE. Errors: as unisono_session_move_entry. @since 0.2
    "session_select_entry": (c_int32, [c_void_p, POINTER(EntryID)]),
    # The group goes on to the next entry; from nowhere, to the first. Several who ask for it at once go on by one.
    # follows: the entry that it goes on from; is the group somewhere else by then, as another one was first, nothing
    # happens. NULL: from
    # wherever it is. Errors: as unisono_session_move_entry; late: UNISONO_ENOTFOUND (nothing stands behind the current
    # entry, or `follows` is
    # given and the group is at none yet). @since 0.2
    "session_next_entry": (c_int32, [c_void_p, POINTER(EntryID)]),
    # The playlist as of the last SESSION_PLAYLIST.
    # owned: a snapshot; end it with unisono_free. Errors: UNISONO_EINVAL (NULL), UNISONO_ENOMEM. @since 0.2
    "session_playlist": (c_int32, [c_void_p, POINTER(POINTER(Playlist))]),
    # Says which copy this participant plays of an entry. It is compared with that of each other one who says it of the
    # same entry, as
    # far as both are known, and what differs is told to both by SESSION_COPY. Whoever goes on to another entry says it
    # anew.
    # entry: NULL or all zero: none any more. copy: copied; NULL with an entry: nothing is known of it.
    # Errors: UNISONO_EINVAL (a duration below 0), UNISONO_ESTATE (not joined), UNISONO_EFULL (too many calls wait for
    # the loop). @since 0.2
    "session_set_copy": (c_int32, [c_void_p, POINTER(EntryID), POINTER(Copy)]),
    # Says by how much this participant's copy of an entry is ahead of the group's item time, as that of another cut is:
    # what the group
    # calls t is at t + offset in it. It is kept with the entry while this participant is in the session, for the last 8
    # entries that
    # it was said of, and everybody sees it (`cut_offset` of unisono_participant). While the group is at that entry and
    # this participant at
    # its item, all item times that this host gives and gets are those of its own copy: its player stands `offset` on,
    # and nobody else moves.
    # While the group plays where this copy has not begun yet (before the range that its host reports, or else before
    # 0), its player is told
    # to be ready at its beginning, by seek or buffer, and to play when the group comes there; one whose copy has ended
    # stands at its end.
    # The others wait for neither.
    # entry: NULL or all zero: the one that the group is at. offset: ns, at most 6 hours either way; 0: none. Viewers
    # may say it, too.
    # Errors: UNISONO_EINVAL (offset), UNISONO_ESTATE (not joined), UNISONO_EFULL (too many calls wait for the loop),
    # late:
    # UNISONO_ENOTFOUND (no such entry). @since 0.2
    "session_set_cut_offset": (c_int32, [c_void_p, POINTER(EntryID), c_int64]),
    # Size and hash of a file, to be told by unisono_session_set_copy; its duration stays as `copy_out` has it. The hash
    # is the SHA-256 of
    # the size as 8 bytes, the most significant first, and of the file, or, if that is larger than 192 KiB, of the 64
    # KiB at its beginning,
    # those from size / 2 - 32 KiB on, and the last 64 KiB. Reads from the disk, and so may block.
    # path: 1...4,095 bytes; a regular file that is not empty. copy_out: filled by UNISONO_COPY_INIT before.
    # Errors: UNISONO_EINVAL (no path, no regular file, an empty one), UNISONO_ENOTFOUND, UNISONO_EDENIED (it may not be
    # read),
    # UNISONO_EIO. @since 0.2
    "copy_of_file": (c_int32, [c_char_p, POINTER(Copy)]),
    # Offers a file to the group: everybody gets SESSION_ATTACHMENT (ADDED), who comes later, too. The file is read
    # twice: now, for its hash,
    # and when others load it. It must stay as it is until then (else LOST). Others who have loaded it give it as well,
    # also when this
    # participant is gone. What is offered already is not offered twice: ADDED comes with the one that counts.
    # path: 1...4,095 bytes; a regular file of at most 100,000,000 bytes. name: for people and as a file's name, 1...255
    # bytes without
    # control characters, /, \ and :; NULL: the last part of `path`. media_type: <= 127 bytes, such as "text/vtt"; NULL:
    # not said.
    # request_out: comes back in ADDED or FAILED; NULL: not wanted.
    # Errors: UNISONO_EINVAL, UNISONO_ESTATE (not joined), UNISONO_EFULL (too many calls wait for the loop). What only
    # looking at the file
    # tells, and that there is no room (16 of one participant, 64 in all), comes as FAILED. @since 0.2
    "session_attach": (c_int32, [c_void_p, c_char_p, c_char_p, c_char_p, POINTER(c_uint64)]),
    # The same with bytes, which are copied and kept in memory for as long as they are offered.
    # data: NULL only with length 0. length: <= 1,048,576. name: as above, not NULL.
    # Errors: as unisono_session_attach, UNISONO_ETOOBIG. @since 0.2
    "session_attach_bytes": (c_int32, [c_void_p, c_void_p, c_size_t, c_char_p, c_char_p, POINTER(c_uint64)]),
    # What is offered to the group now, in the order in which it was offered.
    # owned: a snapshot; end it with unisono_free. Errors: UNISONO_EINVAL (NULL), UNISONO_ENOMEM. @since 0.2
    "session_attachments": (c_int32, [c_void_p, POINTER(POINTER(Attachments))]),
    # Loads an attachment into a new file, from whoever has it: SESSION_ATTACHMENT with PROGRESS, then LOADED or FAILED.
    # It goes on where it
    # was after a lost link, a new key, and when who gave it leaves. The bytes come into `path`.XXXXXXXXXXXXXXXX.part,
    # the first eight bytes of
    # `id` in hexadecimal digits, are compared with `id`, and then get their name; nothing that is there is ever
    # replaced (FAILED, EIO).
    # That file stays when the process dies, the session ends or nobody gives the rest (ETIMEDOUT), and the next load of
    # the same
    # attachment to the same path, of whatever process, goes on there: its first PROGRESS says how much there was. What
    # was there counts as the
    # attachment only when the whole was compared; if it is not it, FORGED says so and all is loaded anew. It is removed
    # when loading
    # is cancelled, the attachment is taken back, or writing fails; what stays and is never loaded again is for the host
    # to remove. It
    # is gone on with only if it is a regular file of this user, with one name, that no other user may write, no longer
    # than the
    # attachment, and no other load writes it (EBUSY); else it is left as it is (FAILED, EIO; `message` says which).
    # Four are loaded at a time, up to 60 wait. How fast it goes is up to who gives it: three quarters of what the hub
    # reads of it (192 KiB a
    # second by default), shared by all who load.
    # path: 1...4,095 bytes; where the file system allows names of 255 bytes its last part has at most 233.
    # Errors: UNISONO_EINVAL, UNISONO_ESTATE (not joined), UNISONO_ENOTFOUND (not offered), UNISONO_EFULL (too many
    # calls wait for the loop).
    # Late, as ERROR: UNISONO_EBUSY (it is being loaded, or 64 are), UNISONO_ENOTFOUND (taken back meanwhile). @since
    # 0.2
    "session_load_attachment": (c_int32, [c_void_p, POINTER(AttachmentID), c_char_p]),
    # Ends loading an attachment: FAILED with ECANCELED, and the .part is removed. Nothing happens if it is not being
    # loaded.
    # Errors: UNISONO_EINVAL (NULL), UNISONO_ESTATE (not joined). @since 0.2
    "session_cancel_attachment": (c_int32, [c_void_p, POINTER(AttachmentID)]),
    # Takes an attachment back, for all: who loads it gets FAILED. What was loaded stays where it is. Who offers it may,
    # and who may command.
    # Errors: UNISONO_EINVAL (NULL), UNISONO_ESTATE (not joined), UNISONO_ENOTFOUND (not offered), UNISONO_EDENIED;
    # these two also late, as ERROR. @since 0.2
    "session_remove_attachment": (c_int32, [c_void_p, POINTER(AttachmentID)]),
    # Tells the people of the group something, "Ann added a film to the list": the others get SESSION_NOTICE with this
    # participant as originator. What playback commands do, and who comes and goes, is told by the library itself.
    # notice: copied. text: <= 255 bytes, url: <= 2,047 bytes.
    # Errors: UNISONO_EINVAL (unknown kind, rate not finite), UNISONO_ETOOBIG (a text), UNISONO_ESTATE (not joined),
    # UNISONO_EBUSY (more than 20 in a second), UNISONO_EFULL (too many calls wait for the loop).
    "session_post_notice": (c_int32, [c_void_p, POINTER(Notice)]),
    # A notice as a sentence for people, in English: "Ann paused", "Ann sought to 1:02:03", "Waiting for Ann". Its parts
    # are
    # in the struct, for hosts that speak another language: kind, name, amount, item_time, rate, text.
    # notice: as received; or filled by the host with what another event says: WAITED_FOR (who is in `waiting_for` of
    # COORDINATOR_TIMING, with its reason as `text`). name: <= 255 bytes, NULL: "Somebody". What controls a terminal in
    # what
    # others wrote becomes a space.
    # buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 1,024 bytes always suffice.
    # Errors: UNISONO_EINVAL (unknown kind, rate not finite, a time without its flag), UNISONO_ETOOBIG.
    # @since 0.2
    "notice_text": (c_int32, [POINTER(Notice), c_char_p, POINTER(c_size_t)]),
    # Asks the others to bring this session to the front: they get SESSION_FOREGROUND, with `in_background` 1 where
    # their
    # own session was started without a window (options.in_background), so that they open one.
    # Errors: UNISONO_ESTATE (not joined), UNISONO_EBUSY (more than one in a second), UNISONO_EFULL.
    "session_request_foreground": (c_int32, [c_void_p]),
    # Tells the others that the person here speaks, so that they turn their content down: SESSION_SPEAKING, and
    # `speaking` of
    # the participant. It stays until changed or until the link is lost; set it again then. Without a link nothing
    # happens.
    # speaking: 0 or 1.
    # Errors: UNISONO_ESTATE (not joined), UNISONO_EFULL.
    "session_set_speaking": (c_int32, [c_void_p, c_int32]),
    # Counters and clock figures of a session.
    # out: set out->size before the call (UNISONO_SESSION_STATISTICS_INIT); no more than that is written.
    # @since 0.2
    "session_get_statistics": (c_int32, [c_void_p, POINTER(SessionStatistics)]),
    # UNISONO_RT The line of session time against host time: session = session_time + rate * (host - host_time), the
    # same instant for
    # everybody within error_bound. For shared time without media, and for pipelines that need a clock.
    # out: set out->size before the call (UNISONO_CLOCK_INIT). With state NONE the other fields are 0.
    # Errors: UNISONO_ESTATE (state NONE).
    "session_clock": (c_int32, [c_void_p, POINTER(Clock)]),
    # Makes a coordinator: the group's voice to one player. It works alone until
    # unisono_coordinator_coordinate_with_session.
    # delegate: play, pause, seek and buffer must all be set; NULL: everything goes to the event queue. Copied.
    # user: for the delegate's functions, and `base.user` of its events.
    # out: end it with unisono_coordinator_destroy.
    # Errors: UNISONO_EINVAL (a command function is missing; delegate NULL without event_queue), UNISONO_ENOMEM,
    # UNISONO_ENOTSUP.
    "coordinator_create": (c_int32, [c_void_p, POINTER(PlaybackDelegate), c_void_p, POINTER(c_void_p)]),
    # UNISONO_WAITS Ends a coordinator, its suspensions included; in a session this player takes part no more. The
    # player is left as it
    # is. NULL and destroyed handles: nothing happens.
    "coordinator_destroy": (None, [c_void_p]),
    # Puts the coordinator into a session, with its item, state and suspensions: a state the group has for the item
    # counts,
    # otherwise the coordinator's own becomes the group's.
    # session: of the same context; NULL detaches: the coordinator goes on alone from where it is.
    # Errors: UNISONO_EINVAL (another context's session), UNISONO_ESTATE (the session is invalidated, or the coordinator
    # listens to an
    # audience), UNISONO_EBUSY (the session has another coordinator).
    "coordinator_coordinate_with_session": (c_int32, [c_void_p, c_void_p]),
    # Puts a coordinator into a session beside its first one: for a second screen, or the sound of other rooms. Those of
    # all
    # participants that are called the same coordinate with each other, over the session's one link and with its
    # members, roles and
    # time; their items, states, suspensions and who is waited for are theirs alone, and so are the settings that are
    # otherwise the
    # session's (stall and start policy, action at the end). The playlist, chat, activity, requests to command and
    # messages of an item
    # follow the first one: UNISONO_AT_END_ADVANCE does nothing here, and unisono_coordinator_set_skipped_ranges is
    # refused.
    # Until this participant has joined the coordinator goes on alone. Who has one of this name is on the list of
    # unisono_coordinator_other_participants; its notices say the name (`coordinator`). Otherwise as
    # unisono_coordinator_coordinate_with_session; a coordinator that is in the session already changes its name.
    # session: as there. name: what participants have agreed on, 1...32 bytes without control characters, compared byte
    # by byte; NULL: the
    # first one.
    # Errors: UNISONO_EINVAL (also: a name without a session), UNISONO_ESTATE, UNISONO_EBUSY (the session has another
    # coordinator of this
    # name here), UNISONO_EFULL (8 named ones here). @since 0.2
    "coordinator_coordinate_with_session_as": (c_int32, [c_void_p, c_void_p, c_char_p]),
    # Follows an audience: the player does what the group does, in step with it, and this device takes part in nothing.
    # It needs no
    # session and is in none; a player's coordinator (unisono_player_coordinator) listens just as well. Returns at once;
    # COORDINATOR_LISTENING tells what comes of it, and what there is to play: where the event's `item` is another one
    # than this player's,
    # load it and transition to it. Who comes late is where the group is. A lost link is tried again by itself.
    # What would move the group (rate changes, seeks, undo, policies) is refused with UNISONO_EDENIED, through error,
    # and the player
    # is not moved; a proposal of unisono_coordinator_transition_to_item counts for nothing. Commands are answered,
    # suspensions, stalls,
    # reports, offsets and own interstitials work as in a session, but nobody waits for this player. Other participants
    # are those of
    # the group who speak in the audience; other listeners are not seen.
    # The link shows this device's address to the hub, and a name to nobody.
    #
    #     static void on_listening(void *user, const unisono_listening_event *event) {
    #       if (event->status == UNISONO_LISTENING_OVER) { show(event->reason); return; }
    #       if (event->item == NULL || is_loaded(user, event->item) || !load(user, event->item)) return;
    #       unisono_coordinator_transition_to_item((unisono_coordinator *)event->base.source, event->item, NULL);
    #     }
    #     delegate.listening_changed = on_listening;
    #     unisono_coordinator_create(context, &delegate, my_player, &coordinator);
    #     unisono_coordinator_listen(coordinator, link);
    #
    # link: the text from unisono_session_audience_link; 1...4,095 bytes; as it was pasted will do, as for
    # unisono_session_open. Copied.
    # Errors: UNISONO_EINVAL (unisono_last_error says which part of the link; an invite, which is for
    # unisono_session_open), UNISONO_EVERSION
    # (made by a newer library), UNISONO_ESTATE (in a session: detach it first; listening already: stop first). @since
    # 0.2
    "coordinator_listen": (c_int32, [c_void_p, c_char_p]),
    # Ends listening: the coordinator acts alone again, with what plays, from where it is. Where it does not listen, or
    # not any more
    # (OVER): OK, nothing happens.
    # Errors: none of its own. @since 0.2
    "coordinator_stop_listening": (c_int32, [c_void_p]),
    # Tells the host that speaks to the audience that this device's person wants to speak, so that a host may invite it.
    # The answer is
    # COORDINATOR_INVITED, or none; nothing tells whether a host saw it. Its `invite` is as good as any (ask the person
    # again, it may
    # have taken long):
    #
    #     static void on_invited(void *user, const unisono_invite_event *event) {
    #       unisono_session_open(context, event->invite, &options, &callbacks, user, &session);
    #       unisono_coordinator_stop_listening(coordinator);
    #       unisono_coordinator_coordinate_with_session(coordinator, session);
    #       unisono_session_join(session);
    #     }
    #
    # Who leaves the session again may listen again. Asked without a link it is said once there is one. Hosts see an id
    # that is new with
    # each unisono_coordinator_listen, and `text`.
    # text: 1...255 bytes of UTF-8; no control characters but U+000A, and none that turn the direction of writing; NULL:
    # nothing is said.
    # Errors: UNISONO_EINVAL (not UTF-8, a control character), UNISONO_ETOOBIG, UNISONO_ESTATE (it does not listen),
    # UNISONO_EBUSY (less than
    # 5 s after the last time; the message says in how many seconds it may be again), UNISONO_EFULL (too many calls wait
    # for the loop). @since 0.2
    "coordinator_ask_to_speak": (c_int32, [c_void_p, c_char_p]),
    # Says something in writing to the host that speaks to the audience, and to nobody else. Of many who do at once
    # hosts are told 50 in a
    # second. Nothing tells whether they were. Said without a link it is said once there is one, but for what was said
    # since.
    # text: as for unisono_coordinator_ask_to_speak, but not NULL. Whoever has the listening link and keeps what is on
    # the wire can read it.
    # Errors: as unisono_coordinator_ask_to_speak; the 5 s of each are its own. @since 0.2
    "coordinator_say_to_hosts": (c_int32, [c_void_p, c_char_p]),
    # Reacts to what the audience hears: the hub counts who did so in the last 10 s, each listener once, by its newest
    # reaction. Who speaks to
    # the audience is told the counts (SESSION_AUDIENCE), and all who listen are, to two digits (COORDINATOR_LISTENING);
    # nobody is told who
    # reacted. Without a link nobody counts it.
    # reaction: one of `reactions` of COORDINATOR_LISTENING.
    # Errors: UNISONO_EINVAL (NULL, none of these), UNISONO_ETOOBIG (more than 32 bytes), UNISONO_ESTATE (it does not
    # listen), UNISONO_EBUSY
    # (less than 1 s after the last time), UNISONO_EFULL (too many calls wait for the loop). @since 0.2
    "coordinator_react": (c_int32, [c_void_p, c_char_p]),
    # The player goes to another item. The group's state for it, where there is one, is applied; otherwise the proposal
    # becomes it.
    # identifier: what the group compares, byte by byte, 1...1,023 bytes; NULL: nothing plays.
    # proposal: rate 0 or -16...16, item_time, and with UNISONO_HAS_HOST_TIME the host_time at which it holds (else:
    # now);
    # NULL: paused at 0. What unisono_coordinator_timing gave is a good proposal.
    # Errors: UNISONO_EINVAL (also: host_time without its flag, a flag that is none).
    "coordinator_transition_to_item": (c_int32, [c_void_p, c_char_p, POINTER(Timing)]),
    # The current item's identifier as text; "" with length 1: none.
    # buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 1,024 bytes always suffice.
    # Errors: UNISONO_ETOOBIG.
    "coordinator_current_item": (c_int32, [c_void_p, c_char_p, POINTER(c_size_t)]),
    # The user plays, pauses (rate 0) or changes the speed. Play first lets everybody prepare; pause is at once.
    # rate: 0, or -16...16.
    # options: 0, or UNISONO_RATE_PLAY_IMMEDIATELY: start without waiting; the others follow as fast as they can.
    # Errors: UNISONO_EINVAL (not a number, out of range, unknown option bits), UNISONO_ESTATE (no item),
    # UNISONO_EDENIED
    # (late too).
    "coordinator_coordinate_rate_change": (c_int32, [c_void_p, c_double, c_uint32]),
    # The user goes to another position. While playing, everybody prepares there first.
    # item_time: ns; anything but UNISONO_TIME_INVALID and UNISONO_TIME_INDEFINITE.
    # options: 0, or UNISONO_SEEK_RESUME_IMMEDIATELY: go on there without waiting.
    # Errors: UNISONO_EINVAL, UNISONO_ESTATE (no item), UNISONO_EDENIED (late too).
    "coordinator_coordinate_seek": (c_int32, [c_void_p, c_int64, c_uint32]),
    # The user takes the last jump back: everybody goes to where the group was when somebody, whoever it was, went to
    # another
    # position of the current item; once more, and they are where that jump led. Jumps within two seconds of each other
    # are one.
    # Errors: UNISONO_ESTATE (no item; late: nobody jumped since this participant is on the item), UNISONO_EDENIED (late
    # too).
    # @since 0.2
    "coordinator_undo_jump": (c_int32, [c_void_p]),
    # The player has done what a command asked. Superseded, repeated and overdue ones are OK and counted. Overdue is
    # what was
    # not done by its due_host_time or, without one, ten seconds after the first command that the player neither
    # completed nor
    # reports to have done (at its rate; twelve, however many follow): this device is then suspended (stall-recovery),
    # for all to
    # see, until it completes or the next command, for which it has two seconds.
    # command_id: `id` of the command.
    # Errors: UNISONO_ENOTFOUND (never issued by this coordinator).
    "coordinator_complete": (c_int32, [c_void_p, c_uint64]),
    # The player cannot do what a command asked; the others see this device as suspended until the next command
    # (COORDINATED_PLAYBACK_NOT_POSSIBLE), and `status` as its `failure`.
    # command_id: `id` of the command. status: why; negative.
    # Errors: UNISONO_EINVAL (status not negative), UNISONO_ENOTFOUND (never issued by this coordinator).
    "coordinator_fail": (c_int32, [c_void_p, c_uint64, c_int32]),
    # Commands the present state once more, as after a change of route or a player that lost its mind.
    # Errors: UNISONO_ESTATE (no item).
    "coordinator_reapply_current_item_state": (c_int32, [c_void_p]),
    # UNISONO_RT Where this player should be at a host time, its own output offset included. Paused or waiting: the
    # group's position;
    # before a new anchor's host time the old line holds; while suspended it is still the group's.
    # host_time: ns, past or future. out: ns; UNISONO_TIME_INVALID on failure.
    # Errors: UNISONO_EINVAL (host_time UNISONO_TIME_INVALID), UNISONO_ESTATE (no item, or no timing for it).
    "coordinator_expected_item_time": (c_int32, [c_void_p, c_int64, POINTER(c_int64)]),
    # UNISONO_RT The newest line: position(h) = item_time + rate * (h - host_time), own output offset included.
    # out: set out->size before the call (UNISONO_TIMING_INIT).
    # Errors: UNISONO_ESTATE (state NONE).
    "coordinator_timing": (c_int32, [c_void_p, POINTER(Timing)]),
    # This player takes no part for a while: the group goes on, and commands of its user act on it alone.
    # reason: UNISONO_REASON_... or the application's own, 1...127 bytes; the others see it.
    # out: end it with unisono_suspension_end or _end_proposing, and in any case with unisono_suspension_destroy.
    # Errors: UNISONO_EINVAL, UNISONO_EFULL (64 are open), UNISONO_ENOMEM.
    "coordinator_begin_suspension": (c_int32, [c_void_p, c_char_p, POINTER(c_void_p)]),
    # Ends a suspension; with the last one the player rejoins where the group is. The handle stays for reads until
    # destroyed.
    # Errors: UNISONO_ESTATE (ended before).
    "suspension_end": (c_int32, [c_void_p]),
    # Ends a suspension and asks the group to go to a position; its rate stays as it is.
    # item_time: ns; UNISONO_TIME_INVALID: as unisono_suspension_end.
    # Errors: UNISONO_EINVAL (UNISONO_TIME_INDEFINITE), UNISONO_ESTATE (ended before), UNISONO_EDENIED (late).
    "suspension_end_proposing": (c_int32, [c_void_p, c_int64]),
    # The reason as given.
    # buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES; 128 bytes always suffice.
    # Errors: UNISONO_ETOOBIG.
    "suspension_reason": (c_int32, [c_void_p, c_char_p, POINTER(c_size_t)]),
    # When the suspension began, host time ns.
    "suspension_begin_time": (c_int32, [c_void_p, POINTER(c_int64)]),
    # UNISONO_WAITS Ends the suspension, without proposal, if it is open, and the handle. NULL and destroyed handles:
    # nothing happens.
    "suspension_destroy": (None, [c_void_p]),
    # Reasons of the open suspensions, the library's own included, oldest first.
    # owned: one block, strings included; end it with unisono_free; NULL with count 0. count: how many.
    # Errors: UNISONO_ENOMEM.
    "coordinator_suspension_reasons": (c_int32, [c_void_p, POINTER(POINTER(c_char_p)), POINTER(c_size_t)]),
    # Starts wait for participants suspended for these reasons, up to the participant and wait limits. Replaces; none at
    # first.
    # reasons: each 1...127 bytes; may be NULL with count 0. count: 0...64.
    # Errors: UNISONO_EINVAL.
    "coordinator_set_waiting_reasons": (c_int32, [c_void_p, POINTER(c_char_p), c_size_t]),
    # How large a session may be for a start to wait for this reason.
    # reason: 1...127 bytes. limit: participants in the session, inclusive; 0: never wait; UINT32_MAX: no limit.
    # Errors: UNISONO_EINVAL.
    "coordinator_set_participant_limit": (c_int32, [c_void_p, c_char_p, c_uint32]),
    # Whether a pause made here takes everybody to the exact position of this player. 0: no (the default).
    "coordinator_set_pause_snaps_to_originator": (c_int32, [c_void_p, c_int32]),
    # Whether this player gets ready while the group pauses, so that the next play need not wait for it to be asked and
    # to answer:
    # among players that all do, a play begins the way there and back sooner. Once a pause has lasted for half a second
    # the host
    # is given a buffer command without due_host_time (INVALID), cause UNKNOWN, at the place where it stands, and
    # completes it when it
    # could start there, however late; until then, and after whatever moves it, its group waits for it as ever. Nothing
    # is shown
    # to people meanwhile. Not among more than 16 on one item, and not with an output offset.
    # 0: no (the default). unisono_player does it by itself. @since 0.2
    "coordinator_set_prepares_ahead": (c_int32, [c_void_p, c_int32]),
    # How long a start that is asked for here waits at most.
    # limit: ns, 0...600 s; 0: do not wait. 10 s unless set.
    # Errors: UNISONO_EINVAL.
    "coordinator_set_wait_limit": (c_int32, [c_void_p, c_int64]),
    # Whether the running group waits when somebody's player stalls (reports stalled): everybody stands at one position,
    # sees
    # for whom and why (timing change, cause STALL), and all go on together when it is ready, or without it after the
    # limit.
    # A third stall of the same one within a minute stops nobody: it is suspended (stall-recovery) until it runs again.
    #
    # One setting of the whole session, not of this participant: the newest counts, whoever made it, and newcomers find
    # it.
    # Made before the session was joined, it counts only if the session has none. Off unless set.
    # policy: copied; NULL: off. debounce: a shorter stall stops nobody, 0...60 s, 0: 300 ms. limit: 0...600 s, 0: 10 s.
    # Errors: UNISONO_EINVAL, UNISONO_ENOTSUP; refused later (error event): UNISONO_EDENIED, this participant may not
    # command.
    "coordinator_set_stall_policy": (c_int32, [c_void_p, POINTER(StallPolicy)]),
    # What happens when the item has been played to its end (AVPlayer's actionAtItemEnd, for the group).
    #
    # One setting of the whole session, as unisono_coordinator_set_stall_policy: the newest counts, whoever made it, and
    # newcomers
    # find it. Made before the session was joined, it counts only if the session has none. ADVANCE unless set. What
    # counts is what
    # this device knows when its own copy ends.
    # ADVANCE: the player layer goes on to the next item of its own queue; a host without it does so itself
    # (unisono_coordinator_transition_to_item). Where all of the item have ended and nobody goes on, the group is paused
    # there.
    # PAUSE: nobody goes on by itself; once all have ended the group is paused there, cause ENDED.
    # NONE: nothing is paused and nobody goes on: the renderer stands at the end, the rate stays, and what is asked next
    # begins at
    # once. To play in a loop, seek to the beginning when the item has ended (PLAYER_ITEM_ENDED), on one device.
    # action: a unisono_action_at_end.
    # Errors: UNISONO_EINVAL; refused later (error event): UNISONO_EDENIED, this participant may not command.
    # @since 0.2
    "coordinator_set_action_at_end": (c_int32, [c_void_p, c_int32]),
    # What happens at the end of an item: a unisono_action_at_end, of the session this coordinator is in.
    # @since 0.2
    "coordinator_action_at_end": (c_int32, [c_void_p]),
    # Which ranges of entries of the playlist the group leaves out: intros, recaps, credits.
    #
    # One setting of the whole session, as unisono_coordinator_set_action_at_end; none unless set. When the group plays
    # the item of the
    # entry that it is at (unisono_session_select_entry) into such a range, forwards, all go on at its end at once: a
    # seek and a play of
    # cause RANGE, and notice RANGE_SKIPPED. unisono_coordinator_undo_jump takes it back; a range that was jumped into,
    # as by that, plays.
    # Two that follow each other at once are left out as one; one that ends with the entry goes on like the entry's end.
    # kinds: bits of unisono_range_kind; 0: none.
    # Errors: UNISONO_EINVAL (another bit); refused later (error event): UNISONO_EDENIED, this participant may not
    # command.
    # @since 0.2
    "coordinator_set_skipped_ranges": (c_int32, [c_void_p, c_uint32]),
    # What is left out, as bits of unisono_range_kind, of the session this coordinator is in.
    # @since 0.2
    "coordinator_skipped_ranges": (c_int32, [c_void_p]),
    # Ranges of the own copy of an item that are not the group's: advertisements that were cut in, notices of the law.
    #
    # Every participant may have its own, at other places and of other lengths; nobody else is told which. The group's
    # time line leaves
    # them out, and all times to and from this coordinator's host, or player, are those of the own copy: the library
    # shifts them. When
    # playback comes into a range this participant is apart (suspension UNISONO_REASON_PLAYING_INTERSTITIAL: the
    # suspensions event says so,
    # and when it is over) and its player runs on through it; then it is where the group is by then, in one step. Starts
    # wait for it only
    # by unisono_coordinator_set_waiting_reasons. Alone on the item nothing is missed: it goes on from the range's end.
    # A seek into a
    # range, anybody's, lands on its beginning; what was jumped over is not shown, and backwards a range is passed over.
    # In a range the own
    # rate changes and seeks within it are the own player's alone; a seek out of it is the group's. A report with the
    # position keeps a range
    # that stalls from ending early.
    # identifier: the item; kept for the 64 items given last, so that it can be given before the transition. Given while
    # the item is
    # current a range that the own player is in is over, and it is commanded anew where the same place is another one.
    # ranges: in any order, count of them, at most 64; NULL with 0: none. Those that touch count as one. None ends
    # behind the copy's end.
    # Errors: UNISONO_EINVAL (no identifier, too many, a range that ends where it begins or before, or overlaps
    # another).
    # @since 0.2
    "coordinator_set_interstitials": (c_int32, [c_void_p, c_char_p, POINTER(Interstitial), c_size_t]),
    # Which starts wait for persons, and what happens when one leaves.
    #
    # One setting of the whole session, as unisono_coordinator_set_stall_policy: the newest counts, whoever made it, and
    # newcomers
    # find it. Made before the session was joined, it counts only if the session has none. AT_ONCE and GO_ON unless set.
    # A start that waits for persons waits for all who are at the item when it is asked for and have not said that they
    # are ready, or
    # say that they are not (unisono_coordinator_set_ready), for `limit` at most; who asks for it is not waited for, and
    # alone nothing
    # waits. What it waits for stays as it was when the start was asked for, whatever the policy becomes. waiting_for
    # names them with
    # UNISONO_REASON_NOT_READY; unisono_coordinator_start_without goes on without them. Who is left behind by the limit
    # is told as
    # notice LEFT_WAITING.
    # Leaving is saying goodbye, or being off the list of participants after the connection was lost. The pause is told
    # with the cause
    # LEFT and who left as its originator; who acts between the loss and that has decided, and nothing is paused.
    # Devices of one person (context option `person`) count once: ready if one says so and none says NOT_READY, gone
    # with the last.
    # policy: copied; NULL: AT_ONCE, GO_ON. limit: 0...600 s, 0: 60 s.
    # Errors: UNISONO_EINVAL; refused later (error event): UNISONO_EDENIED, this participant may not command.
    # @since 0.2
    "coordinator_set_start_policy": (c_int32, [c_void_p, POINTER(StartPolicy)]),
    # The start policy of the session that this coordinator is in.
    # out: written as far as its `size` goes. Errors: UNISONO_EINVAL (NULL, size). @since 0.2
    "coordinator_get_start_policy": (c_int32, [c_void_p, POINTER(StartPolicy)]),
    # This device's person says that it is ready, or not; everybody sees it (`readiness` of unisono_participant), and
    # starts may
    # wait for it (unisono_coordinator_set_start_policy). It stands until it is said otherwise, or this device leaves
    # its item.
    # Everybody may say it, viewers too.
    # Errors: UNISONO_EINVAL (no unisono_readiness). @since 0.2
    "coordinator_set_ready": (c_int32, [c_void_p, c_int32]),
    # The start that waits for persons goes on without those of some participants, or without waiting for any person.
    # Players are
    # still waited for.
    # participants: whose persons are not waited for; may be NULL with count 0. count: 0...16; 0: nobody is waited for,
    # and so it is
    # where more than 15 were named for the same start.
    # Errors: UNISONO_EINVAL, UNISONO_ESTATE (no item; late: no start waits for persons), UNISONO_EDENIED (late). @since
    # 0.2
    "coordinator_start_without": (c_int32, [c_void_p, POINTER(ParticipantID), c_size_t]),
    # How late this device's output is heard or seen (receiver, Bluetooth): it is commanded that far ahead.
    # offset: ns, -5...5 s; positive: ahead.
    # Errors: UNISONO_EINVAL.
    "coordinator_set_output_offset": (c_int32, [c_void_p, c_int64]),
    # Where the player really is. Optional, at any pace; the others see the newest, at most ten a second.
    #
    # stalled: it should run and lacks data (see unisono_coordinator_set_stall_policy); say so again with 0 when it
    # runs.
    # earliest, latest: what the player can reach at the moment: 0 and the duration, or the window of a live item whose
    # item
    # times are dates of the content (ns since 1970, say). This host is never sent outside of it; when the edge of a
    # live item
    # moves, report it: a position that was out of reach is commanded once it is within. Standing (rate 0, not stalled)
    # at
    # the latest position, or backwards at the earliest, means that the item has ended here: once it has for everybody
    # who
    # takes part, the group is paused there.
    #
    # rate: what the player does. One that says otherwise than it was told, by more than a correction (10 %), and does
    # not stall,
    # is commanded again (UNISONO_CAUSE_REAPPLY), three times in 30 s at most; after that it is suspended
    # (COORDINATED_PLAYBACK_NOT_POSSIBLE) until the next command, or until it does as it was told. Whoever is stopped
    # for a
    # reason (a call, headphones that are pulled) begins a suspension before it says so.
    # report: copied.
    # Errors: UNISONO_EINVAL (a rate that is no number, latest before earliest, a time without its flag, a flag that is
    # none), UNISONO_ENOTSUP.
    "coordinator_report": (c_int32, [c_void_p, POINTER(PlaybackReport)]),
    # Wish or echo? A player with controls of its own (a window with a time line, a remote) says "paused" when a person
    # pressed
    # space, and just the same when its host paused it because a command said so. Pass on here what it says of itself.
    # 1: a
    # person did it. Then set the player back to what it was commanded, and ask the group; commands follow, if it
    # agrees. 0: the
    # echo of a command, or nothing new.
    #
    # A change is an echo when it is what the player was commanded, up to 300 ms late where a newer command has replaced
    # that;
    # what it says again is no change. Give the value as it is now if the player can be asked, not an older one out of
    # an event.
    # RUNNING and RATE: as the player says. RATE is the same within 0.001.
    # SEEKING: 1 when it says that it begins to go somewhere: a person's, if no commanded seek is under way or was asked
    # for
    # within 300 ms, unless the host has said that it is over (expect_motion). 0 when it is there: 1 is returned when it
    # was the person who took it there; ask the group to follow.
    # On the player layer the library knows what the renderer was commanded; here coordinator is the player's
    # (unisono_player_coordinator). Other hosts say it with unisono_coordinator_expect_motion.
    # motion: what value is of.
    # Errors: UNISONO_EINVAL (no motion, a value that is no number).
    # @since 0.2
    "coordinator_is_wish": (c_int32, [c_void_p, c_int32, c_double]),
    # This host commands its player, which will say so: that is not to be taken for a person's wish. Call it before each
    # thing
    # that your player is told: RUNNING 0 or 1, another RATE, SEEKING 1, and SEEKING 0 once that seek is over and the
    # player
    # has said so, or is not going to: what begins from then on is a person's. It is given up by itself after 10 s. It
    # stands, at the rate 1, in the beginning. Over the player layer it is needed only for
    # what the renderer does to itself beyond its commands.
    # motion: what value is of.
    # Errors: UNISONO_EINVAL (no motion, a value that is no number).
    # @since 0.2
    "coordinator_expect_motion": (c_int32, [c_void_p, c_int32, c_double]),
    # The others in the session, sorted by id.
    # owned: a snapshot; end it with unisono_free.
    # Errors: UNISONO_ENOMEM.
    "coordinator_other_participants": (c_int32, [c_void_p, POINTER(POINTER(Participants))]),
    # Whom a start is waiting for, and why ("" = still preparing).
    # owned: one block, strings included; end it with unisono_free; NULL with count 0. count: how many.
    # Errors: UNISONO_ENOMEM.
    "coordinator_waiting_for": (c_int32, [c_void_p, POINTER(POINTER(WaitingFor)), POINTER(c_size_t)]),
    # Counters of a coordinator.
    # out: set out->size before the call (UNISONO_COORDINATOR_STATISTICS_INIT); no more than that is written.
    # @since 0.2
    "coordinator_get_statistics": (c_int32, [c_void_p, POINTER(CoordinatorStatistics)]),
    # UNISONO_RT Of TIMER. @since 0.2
    "event_timer": (POINTER(TimerEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of OVERFLOW. @since 0.2
    "event_overflow": (POINTER(OverflowEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of ERROR. @since 0.2
    "event_error": (POINTER(ErrorEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of LOG. @since 0.2
    "event_log": (POINTER(LogEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_STATE. @since 0.2
    "event_session_state": (POINTER(SessionStateEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_ACTIVITY. @since 0.2
    "event_activity": (POINTER(ActivityEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_PARTICIPANTS, COORDINATOR_PARTICIPANTS. @since 0.2
    "event_participants": (POINTER(ParticipantsChange), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_MESSAGE. @since 0.2
    "event_message": (POINTER(Message), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_NOTICE. @since 0.2
    "event_notice": (POINTER(NoticeEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_FOREGROUND, SESSION_SPEAKING. @since 0.2
    "event_participant": (POINTER(ParticipantEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_INVITE, COORDINATOR_INVITED. @since 0.2
    "event_invite": (POINTER(InviteEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_SUCCESSION. @since 0.2
    "event_succession": (POINTER(SuccessionEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_REQUEST. @since 0.2
    "event_request": (POINTER(RequestEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_IGNORED. @since 0.2
    "event_ignored": (POINTER(IgnoredEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_CLOCK_DOUBT. @since 0.2
    "event_clock_doubt": (POINTER(ClockDoubtEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_SPLIT. @since 0.2
    "event_split": (POINTER(SplitEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_HUB_DOUBT. @since 0.2
    "event_hub_doubt": (POINTER(HubDoubtEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_CHAT. @since 0.2
    "event_chat": (POINTER(ChatEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_PLAYLIST. @since 0.2
    "event_playlist": (POINTER(PlaylistEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_COPY. @since 0.2
    "event_copy": (POINTER(CopyEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_SCHEDULE. @since 0.2
    "event_schedule": (POINTER(ScheduleEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_AUDIENCE. @since 0.2
    "event_audience": (POINTER(AudienceEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_LISTENER. @since 0.2
    "event_listener": (POINTER(ListenerEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of COORDINATOR_LISTENING. @since 0.2
    "event_listening": (POINTER(ListeningEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_ATTACHMENT. @since 0.2
    "event_attachment": (POINTER(AttachmentEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SESSION_CONSENT, SESSION_ACTIVATION. @since 0.2
    "event_activation": (POINTER(ActivationEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of COORDINATOR_PLAY, COORDINATOR_PAUSE, COORDINATOR_SEEK, COORDINATOR_BUFFER. @since 0.2
    "event_command": (POINTER(Command), [POINTER(ContextEvent)]),
    # UNISONO_RT Of COORDINATOR_SUSPENSIONS. @since 0.2
    "event_suspensions": (POINTER(SuspensionsChange), [POINTER(ContextEvent)]),
    # UNISONO_RT Of COORDINATOR_TIMING. @since 0.2
    "event_timing": (POINTER(TimingChange), [POINTER(ContextEvent)]),
    # A player over the host's renderer: it asks the group before it plays, follows the group's commands, keeps in step
    # by small changes of speed and, where those cannot help, by seeks. It has a coordinator of its own: see
    # unisono_player_coordinator.
    # renderer: copied. load, play, pause, seek and stop must be there, or, with event_queue, all may be NULL: then
    # every
    # command is a RENDERER_... event. NULL with event_queue: a renderer without capabilities, all of it in events.
    # renderer_user: for the renderer's functions, and `base.user` of its events.
    # callbacks: who hears of the player, first of its present state (item state, rate, time control); copied. NULL: the
    # event queue, or read with the getters. user: for them, and `base.user` of their events.
    # out: end it with unisono_player_destroy.
    # Errors: UNISONO_EINVAL (a function is missing, unknown capabilities, nudge_limit outside 0...0.1, a negative
    # dead_band), UNISONO_ENOMEM, UNISONO_ENOTSUP.
    "player_create": (
        c_int32,
        [c_void_p, POINTER(Renderer), c_void_p, POINTER(PlayerCallbacks), c_void_p, POINTER(c_void_p)],
    ),
    # UNISONO_WAITS Gives the player up: the handle is closed at once, but for unisono_player_report while a surface of
    # the player lives.
    # Then, or when the last surface is destroyed, the renderer is stopped, an open seek is answered, and `released`
    # comes
    # (in the event queue RELEASED, for all of them).
    # NULL and destroyed handles: nothing happens.
    "player_destroy": (None, [c_void_p]),
    # The player's coordinator: for unisono_coordinator_coordinate_with_session, unisono_coordinator_listen, settings,
    # suspensions,
    # reading, unisono_coordinator_undo_jump, _set_ready and _start_without. Its timing, participants and suspensions
    # come as events
    # where there is an event queue; COORDINATOR_LISTENING comes to `listening_changed` of the player's callbacks,
    # COORDINATOR_INVITED to
    # `invited`, else to the event queue, too. Transport goes through the player, not through it.
    # borrowed: lives as long as the player; unisono_coordinator_destroy on it does nothing, with a log line.
    "player_coordinator": (c_int32, [c_void_p, POINTER(c_void_p)]),
    # Puts an item into the queue. The first one becomes current and is loaded; the others disturb nobody before their
    # turn.
    # item: copied. after: identifier of an item in the queue; NULL: at the end.
    # Errors: UNISONO_EINVAL (no identifier, negative times), UNISONO_ENOTFOUND (after is not in the queue; late while
    # changes are pending), UNISONO_EFULL (1,024 items), UNISONO_ENOTSUP.
    "player_insert_item": (c_int32, [c_void_p, POINTER(PlayerItem), c_char_p]),
    # Takes an item out of the queue; of the current one it goes on to the next.
    # identifier: 1...1,023 bytes.
    # Errors: UNISONO_ENOTFOUND (late while changes are pending: then nothing happens).
    "player_remove_item": (c_int32, [c_void_p, c_char_p]),
    # Goes on to the next item, playing where this one played once nobody has said otherwise; without a next one nothing
    # plays. Others stay where they are: everybody advances for itself, as players do at the end of an item by
    # themselves, unless the session has another action there (unisono_coordinator_set_action_at_end).
    # Errors: UNISONO_ESTATE (there is no current item).
    "player_advance": (c_int32, [c_void_p]),
    # Makes an item the current one; the queue behind it stays. The group's state of that item counts; where it has none
    # it is paused at start_time.
    # item: copied; NULL: nothing plays.
    # Errors: UNISONO_EINVAL, UNISONO_ENOTSUP.
    "player_replace_current_item": (c_int32, [c_void_p, POINTER(PlayerItem)]),
    # Asks the group to play at the default rate. Everybody prepares, then all start together.
    # options: 0, or UNISONO_RATE_PLAY_IMMEDIATELY: start without waiting; the others follow as fast as they can.
    # Errors: UNISONO_EINVAL (unknown option bits), UNISONO_ESTATE (no current item; late: an interstitial plays),
    # UNISONO_EDENIED (late).
    "player_play": (c_int32, [c_void_p, c_uint32]),
    # Asks the group to pause, at once.
    # Errors: UNISONO_ESTATE (no current item), UNISONO_EDENIED (late).
    "player_pause": (c_int32, [c_void_p]),
    # Asks the group for a rate; from a pause that is a play at this rate, 0 is a pause.
    # rate: -16...16; one that this renderer cannot play or fails to play keeps this player apart, paused, with the
    # reason
    # coordinated-playback-not-possible and a RATE event of 0 (SET_RATE_FAILED), until the next command.
    # options: 0; UNISONO_RATE_PLAY_IMMEDIATELY: without waiting, as in unisono_player_play; UNISONO_RATE_AS_DEFAULT:
    # asks
    # nobody and changes nothing that plays: this is the rate of unisono_player_play and of surfaces from now on (1
    # unless
    # set; not 0). Not both.
    # Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item; not with UNISONO_RATE_AS_DEFAULT), UNISONO_EDENIED
    # (late).
    "player_set_rate": (c_int32, [c_void_p, c_double, c_uint32]),
    # Asks the group to seek. Answered by one SEEK_DONE: UNISONO_OK when this player stands or plays there,
    # UNISONO_ECANCELED when a newer seek (of this player or of somebody else), another item or the end of the player
    # came first.
    # item_time: ns; held inside the item. tolerance_before, tolerance_after: ns, >= 0, how far off this renderer may
    # land where that is faster; UNISONO_TIME_INDEFINITE: any; they count while paused, for a common start everybody is
    # exact.
    # request: its number in SEEK_DONE, never 0; set before the answer can come; may be NULL.
    # Errors: UNISONO_EINVAL, UNISONO_ESTATE, UNISONO_EDENIED (in SEEK_DONE).
    "player_seek": (c_int32, [c_void_p, c_int64, c_int64, c_int64, POINTER(c_uint64)]),
    # A person takes hold of the slider: this player stands, apart from the group (user-is-changing-current-time).
    # Errors: UNISONO_ESTATE (no current item; late: scrubbing already).
    # @since 0.2
    "player_begin_scrub": (c_int32, [c_void_p]),
    # The slider moves: this player alone shows that position, one seek at a time, the newest always.
    # item_time: ns; held inside the item.
    # Errors: UNISONO_EINVAL, UNISONO_ESTATE (late: scrubbing has not begun).
    "player_scrub_to": (c_int32, [c_void_p, c_int64]),
    # The slider is released.
    # commit: 1: the group goes where it was left; 0: back to where the group is.
    # Errors: UNISONO_ESTATE (late: scrubbing has not begun).
    # @since 0.2
    "player_end_scrub": (c_int32, [c_void_p, c_int32]),
    # "What did they say": this player alone goes back, plays faster, and falls in with the group again by itself.
    # back: ns, > 0. rate: how fast, 0: 2; at least a quarter faster than the group plays.
    # Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item; late: not loaded, or apart already).
    "player_replay": (c_int32, [c_void_p, c_int64, c_double]),
    # Whether it plays: a unisono_time_control.
    # @since 0.2
    "player_time_control": (c_int32, [c_void_p]),
    # Why it waits: a unisono_waiting_reason; UNISONO_WAITING_NONE while it does not.
    # @since 0.2
    "player_waiting_reason": (c_int32, [c_void_p]),
    # Whether the current item can be played: a unisono_item_state.
    # @since 0.2
    "player_item_state": (c_int32, [c_void_p]),
    # Where the player was last known to be; never asks the renderer.
    # item_time, host_time: position and when it held; UNISONO_TIME_INVALID on failure.
    # Errors: UNISONO_ESTATE (nothing is loaded).
    "player_current_time": (c_int32, [c_void_p, POINTER(c_int64), POINTER(c_int64)]),
    # Another sound has taken over (a call): this player stands, apart from the group (audio-session-interrupted).
    # Errors: UNISONO_ESTATE (late: one is open).
    # @since 0.2
    "player_begin_interruption": (c_int32, [c_void_p]),
    # The interruption is over.
    # should_resume: 1: this player joins the group again; 0: it stays apart until unisono_player_play.
    # Errors: UNISONO_ESTATE (late: none is open).
    # @since 0.2
    "player_end_interruption": (c_int32, [c_void_p, c_int32]),
    # Something else plays on another renderer (an advertisement): the main item stands (playing-interstitial), its
    # timeline is untouched.
    # Errors: UNISONO_ESTATE (late: one is open).
    "player_begin_interstitial": (c_int32, [c_void_p]),
    # The interstitial is over: this player joins the group where that is now.
    # Errors: UNISONO_ESTATE (late: none is open).
    "player_end_interstitial": (c_int32, [c_void_p]),
    # The person's own volume. The renderer gets it times what ducking leaves.
    # volume: 0...1; 1 unless set.
    # Errors: UNISONO_EINVAL.
    "player_set_volume": (c_int32, [c_void_p, c_double]),
    # What the renderer has to say: answers to its commands, with their `request`, and what happens by itself. Where it
    # tells positions itself (now is NULL), ten POSITIONs a second while it plays. Answers to an older load are ignored.
    # report: copied.
    # Errors: UNISONO_EINVAL (an unknown state, seekable_end before seekable_start, a time without its flag, a flag that
    # is
    # none), UNISONO_ENOTSUP.
    "player_report": (c_int32, [c_void_p, POINTER(RendererReport)]),
    # How far the player was from the group, and what was done about it.
    # out: set out->size before the call (UNISONO_PLAYER_STATISTICS_INIT); no more than that is written. Skews are
    # UNISONO_TIME_INVALID before the first measurement.
    # @since 0.2
    "player_get_statistics": (c_int32, [c_void_p, POINTER(PlayerStatistics)]),
    # A place where the player is shown and controlled: several may share one player, which lives while any of them
    # does.
    # The present state is delivered first (SURFACE_CHANGED).
    # callbacks: copied; NULL: events, where there is a queue. user: for them. out: end it with unisono_surface_destroy.
    # Errors: UNISONO_EINVAL (unknown kind), UNISONO_ENOMEM, UNISONO_ENOTSUP.
    "surface_create": (c_int32, [c_void_p, c_int32, POINTER(SurfaceCallbacks), c_void_p, POINTER(c_void_p)]),
    # UNISONO_WAITS Ends a surface; an open skip is not answered any more. NULL and destroyed handles: nothing happens.
    "surface_destroy": (None, [c_void_p]),
    # The surface is about to be shown (picture in picture or full screen begins): WILL_BEGIN comes.
    # Errors: UNISONO_ESTATE (it is shown already).
    "surface_begin": (c_int32, [c_void_p]),
    # The surface is about to go. Picture in picture and full screen first get RESTORE, to bring the window back:
    # WILL_END comes after unisono_surface_complete_restore, or after 2 s; its status is UNISONO_OK when the window was
    # restored, else UNISONO_ECANCELED (restored = 0) or UNISONO_ETIMEDOUT. For others WILL_END comes at once.
    # A player whose inline surface has begun once is out of sight while none of its surfaces is shown. If its renderer
    # then stops by itself (PAUSED, request 0) that is no stall: the rate changes to 0 with the reason BACKGROUNDED, and
    # this
    # player stands apart (user-action-required) until a surface begins, the renderer runs again, or its person plays.
    # Errors: UNISONO_ESTATE (it is not shown).
    "surface_end": (c_int32, [c_void_p]),
    # The button of the surface: 1 plays at the default rate, 0 pauses, for the group.
    # Errors: UNISONO_ESTATE (no current item), UNISONO_EDENIED (late, at the player).
    "surface_set_playing": (c_int32, [c_void_p, c_int32]),
    # The skip button: seeks by so much, for the group. Answered by one SKIPPED.
    # interval: ns, signed. request: its number in SKIPPED; may be NULL.
    # Errors: UNISONO_EINVAL, UNISONO_ESTATE (no current item).
    "surface_skip_by": (c_int32, [c_void_p, c_int64, POINTER(c_uint64)]),
    # What a progress bar shows.
    # start: UNISONO_TIME_INVALID: nothing to play. duration: ns; UNISONO_TIME_INDEFINITE: live;
    # UNISONO_TIME_INVALID: not known (yet).
    "surface_time_range": (c_int32, [c_void_p, POINTER(c_int64), POINTER(c_int64)]),
    # Whether the button shows "play": 1 paused, 0 playing or waiting to.
    "surface_is_paused": (c_int32, [c_void_p]),
    # The surface has another size; the renderer is told the newest of any surface.
    # width, height: pixels, 0...65,535.
    # Errors: UNISONO_EINVAL.
    # @since 0.2
    "surface_set_render_size": (c_int32, [c_void_p, c_int32, c_int32]),
    # Answers RESTORE.
    # request: of that event. restored: 1: the window is back, 0: it could not be restored.
    # Errors: UNISONO_ESTATE (that request is not open; it may have timed out).
    # @since 0.2
    "surface_complete_restore": (c_int32, [c_void_p, c_uint64, c_int32]),
    # UNISONO_RT Of PLAYER_.... @since 0.2
    "event_player": (POINTER(PlayerEvent), [POINTER(ContextEvent)]),
    # UNISONO_RT Of RENDERER_.... @since 0.2
    "event_renderer": (POINTER(RendererCommand), [POINTER(ContextEvent)]),
    # UNISONO_RT Of SURFACE_.... @since 0.2
    "event_surface": (POINTER(SurfaceEvent), [POINTER(ContextEvent)]),
    # UNISONO_WAITS Starts a hub: it passes sealed messages on and can read none of them. Bound before this function
    # returns. Who comes from this
    # machine or its networks may open rooms at it, others only if options->open says so; a room that is open is entered
    # from anywhere.
    # options: NULL: every interface, a free port. Copied.
    # callbacks: copied; NULL: none. user: for them.
    # out: end it with unisono_hub_destroy.
    # Errors: UNISONO_EINVAL (a limit exceeded), UNISONO_ENETWORK (an address is in use or cannot be parsed),
    # UNISONO_ENOMEM, UNISONO_ENOTSUP.
    "hub_create": (c_int32, [c_void_p, POINTER(HubOptions), POINTER(HubCallbacks), c_void_p, POINTER(c_void_p)]),
    # UNISONO_WAITS Stops a hub; the sessions on it look for another. NULL and destroyed handles: nothing happens.
    "hub_destroy": (None, [c_void_p]),
    # The line by which sessions use the hub (`hub` of unisono_session_options): "unisono-hub://host:port/id", one for
    # each address that
    # others can reach it at. The id is what the hub at that address has to prove: hubs have another one each time they
    # are made.
    # index: 0 and up until UNISONO_ENOTFOUND. buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES.
    # Errors: UNISONO_ENOTFOUND, UNISONO_ETOOBIG.
    # @since 0.2
    "hub_line": (c_int32, [c_void_p, c_size_t, c_char_p, POINTER(c_size_t)]),
    # Counters of a hub.
    # out: set out->size before the call (UNISONO_HUB_STATISTICS_INIT); no more than that is written.
    # @since 0.2
    "hub_get_statistics": (c_int32, [c_void_p, POINTER(HubStatistics)]),
    # UNISONO_WAITS Says on the local network that this device is here, and takes asks. Bound before this function
    # returns.
    # A machine without a network that takes multicast is told by an ERROR event (UNISONO_ENETWORK, operation
    # "unisono_advertiser_create"); interfaces may come and go. Other devices can still type one of
    # unisono_advertiser_address.
    # session: others may ask to join it; it stops advertising when the session is over. NULL: others may ask this
    # device to
    # come into theirs. service: copied. callbacks: copied; NULL, or a NULL function: the event queue. user: for
    # callbacks.
    # out: end it with unisono_advertiser_destroy; it says goodbye.
    # Errors: UNISONO_EINVAL (the service is not declared right; a session of another context; no callbacks and no event
    # queue), UNISONO_ESTATE (the session is invalidated), UNISONO_ENETWORK (no port to listen on), UNISONO_ENOMEM,
    # UNISONO_ENOTSUP.
    "advertiser_create": (
        c_int32,
        [c_void_p, c_void_p, POINTER(Service), POINTER(AdvertiserCallbacks), c_void_p, POINTER(c_void_p)],
    ),
    # UNISONO_WAITS Says goodbye; open asks end, and their request handles with them. NULL and destroyed handles:
    # nothing happens.
    "advertiser_destroy": (None, [c_void_p]),
    # An address that takes asks, "host:port", for people to type where devices do not find each other.
    # index: 0 and up until UNISONO_ENOTFOUND. buffer, length: a buffer getter, see ENCODINGS, UNITS, TIMES.
    # Errors: UNISONO_ENOTFOUND, UNISONO_ETOOBIG.
    "advertiser_address": (c_int32, [c_void_p, c_size_t, c_char_p, POINTER(c_size_t)]),
    # Yes. UNISONO_INTENT_JOIN: the session's invite leaves, sealed. UNISONO_INTENT_INVITE: the other person still has
    # to say
    # that the digits are the same; then INVITE comes, or JOIN_WITHDRAWN.
    # request: from JOIN_REQUESTED; once, and until JOIN_WITHDRAWN, afterwards it is UNISONO_ECLOSED. Never destroyed by
    # you.
    # Errors: UNISONO_ESTATE (the session is invalidated; the request stays open).
    "join_request_accept": (c_int32, [c_void_p]),
    # No. The asker is told nothing and sees a time-out.
    # request: as for unisono_join_request_accept.
    "join_request_deny": (c_int32, [c_void_p]),
    # UNISONO_WAITS Looks for devices that advertise a service: FOUND within 1.5 s, LOST within 5 s of their vanishing,
    # at once after a
    # goodbye. Advertisers of this context are left out. Without a network ERROR comes as for unisono_advertiser_create.
    # service, callbacks, user: as for unisono_advertiser_create. out: end it with unisono_browser_destroy.
    # Errors: UNISONO_EINVAL, UNISONO_ENOMEM, UNISONO_ENOTSUP.
    "browser_create": (c_int32, [c_void_p, POINTER(Service), POINTER(BrowserCallbacks), c_void_p, POINTER(c_void_p)]),
    # UNISONO_WAITS Stops looking; what was being asked is cancelled. NULL and destroyed handles: nothing happens.
    "browser_destroy": (None, [c_void_p]),
    # Knows a device by an address that somebody typed; FOUND comes, and from there on it goes the same way. Never lost.
    # address: "host:port", <= 262 bytes. device: its number, the same when the address is given again.
    # Errors: UNISONO_EINVAL (no host:port), UNISONO_EFULL (64 addresses).
    "browser_add_address": (c_int32, [c_void_p, c_char_p, POINTER(c_uint64)]),
    # Asks a device to let this one join its session. DIGITS comes when both screens show them; answer with
    # unisono_browser_confirm. Then INVITE (give it to unisono_session_open) or FAILED: UNISONO_ETIMEDOUT (nobody
    # answered, or no),
    # UNISONO_EBUSY (it takes no more asks now, or has no session), UNISONO_ENETWORK (not reached, or gone),
    # UNISONO_ECANCELED, UNISONO_EPROTOCOL, UNISONO_EAUTH (tampered with), UNISONO_ENOTFOUND (lost meanwhile).
    # device: from FOUND. Any number of devices may be asked at a time.
    # Errors: UNISONO_ENOTFOUND (no such device), UNISONO_EBUSY (it is being asked).
    "browser_connect": (c_int32, [c_void_p, c_uint64]),
    # Asks a device to come into this device's session. As unisono_browser_connect, but that INVITE says that the
    # session's
    # invite was handed over.
    # session: of the same context.
    # Errors: UNISONO_ENOTFOUND, UNISONO_EBUSY, UNISONO_EINVAL (a session of another context), UNISONO_ESTATE (the
    # session is
    # invalidated).
    "browser_invite": (c_int32, [c_void_p, c_uint64, c_void_p]),
    # The person's word. May come before or after the other side's.
    # device: one that is being asked. digits_match: 1: they are the same on both screens, let the invite pass. 0: they
    # are
    # not, or never mind: the ask is cancelled, at any time of it.
    # Errors: UNISONO_ENOTFOUND (nothing is being asked of it).
    "browser_confirm": (c_int32, [c_void_p, c_uint64, c_int32]),
    # UNISONO_RT Of NEARBY_.... @since 0.2
    "event_nearby": (POINTER(NearbyEvent), [POINTER(ContextEvent)]),
    # Makes a clock and a network, without contexts yet.
    # options: NULL: seed 0. Copied.
    # out: end it with unisono_simulation_destroy.
    # Errors: UNISONO_EINVAL, UNISONO_ENOMEM (too many handles).
    # @since 0.2
    "simulation_create": (c_int32, [POINTER(SimulationOptions), POINTER(c_void_p)]),
    # Makes a context that lives on the simulation's clock, a machine of its own in its network (10.0.0.1, 10.0.0.2
    # ...). Callbacks
    # come inside unisono_simulation_advance, on its thread, or events go to the queue; unisono_context_poll, _fd and
    # _timeout answer
    # UNISONO_ESTATE, and unisono_context_next_event waits for nothing. random_seed 0 follows the simulation's.
    # options: as of unisono_context_create, without own_thread and uv_loop. callbacks, user: as there.
    # clock_offset: ns that its clock is ahead of the simulation's at first, -10^15...10^15.
    # clock_drift_ppm: how much faster its clock goes, -500...500.
    # out: end it with unisono_context_destroy, at any time; else it ends with the simulation.
    # Errors: UNISONO_EINVAL, UNISONO_ENOMEM, UNISONO_ECLOSED.
    # @since 0.2
    "simulation_context": (
        c_int32,
        [c_void_p, POINTER(ContextOptions), POINTER(ContextCallbacks), c_void_p, c_int64, c_double, POINTER(c_void_p)],
    ),
    # Sets how a context is connected from now on; before: 0.1 ms each way, without jitter or loss.
    # context: one of this simulation. link: copied.
    # Errors: UNISONO_EINVAL (a field out of range, or a context that is not simulated here), UNISONO_ECLOSED.
    # @since 0.2
    "simulation_set_link": (c_int32, [c_void_p, c_void_p, POINTER(SimulatedLink)]),
    # UNISONO_LOOP Moves the clock on and runs everything that becomes due meanwhile, callbacks included, on this
    # thread.
    # duration: ns, >= 0; 0: what is due now, such as calls that were accepted and have not been carried out yet.
    # Errors: UNISONO_EINVAL, UNISONO_ESTATE (inside a callback of one of its contexts), UNISONO_EBUSY (another thread
    # is in it),
    # UNISONO_ECLOSED.
    # @since 0.2
    "simulation_advance": (c_int32, [c_void_p, c_int64]),
    # UNISONO_WAITS Ends the simulation and its contexts, as unisono_context_destroy ends each. NULL and destroyed
    # handles: nothing happens.
    # @since 0.2
    "simulation_destroy": (None, [c_void_p]),
}
