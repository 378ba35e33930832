"""The C side: structs and prototypes exactly as in the headers, and the search for the library.

Only ``ctypes.CDLL`` is used, which releases the interpreter lock during a call. The package needs no C callback:
everything is fetched from the event queue, so no Python code ever runs on a thread of the library.
"""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import (
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

TIME_INVALID = -(2**63)
TIME_INDEFINITE = 2**63 - 1
#: Which times a struct has: see ``flags`` of each.
HAS_POSITION, HAS_RANGE, HAS_HOST_TIME = 1, 2, 4


class Sized(Structure):
    """A struct that begins with its own size; zero means "the default" in every other field."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(size=ctypes.sizeof(type(self)), **fields)


class ParticipantID(Structure):
    _fields_ = [("bytes", c_uint8 * 16)]


class ContextEvent(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("type", c_int32),
        ("source", c_void_p),
        ("user", c_void_p),
        ("host_time", c_int64),
    ]


class TimerEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("token", c_uint64),
        ("due_host_time", c_int64),
        ("status", c_int32),
        ("reserved", c_uint32),
    ]


class OverflowEvent(Structure):
    _fields_ = [("base", ContextEvent), ("messages", c_uint64), ("others", c_uint64)]


class ErrorEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("status", c_int32),
        ("reserved", c_uint32),
        ("operation", c_char_p),
        ("message", c_char_p),
    ]


class LogEvent(Structure):
    _fields_ = [("base", ContextEvent), ("level", c_int32), ("reserved", c_uint32), ("message", c_char_p)]


class ContextOptions(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("own_thread", c_int32),
        ("event_queue", c_int32),
        ("event_queue_limit", c_uint32),
        ("uv_loop", c_void_p),
        ("uv_loop_size", c_size_t),
        ("device_name", c_char_p),
        ("storage_path", c_char_p),
        ("random_seed", c_uint64),
        ("log_level", c_int32),
        ("reserved", c_uint32),
        ("person", c_uint8 * 16),
    ]


class ContextCallbacks(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("log", c_void_p),
        ("wakeup", c_void_p),
        ("released", c_void_p),
    ]


class Activity(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("type", c_int32),
        ("identifier", c_char_p),
        ("title", c_char_p),
        ("subtitle", c_char_p),
        ("fallback_url", c_char_p),
        ("preview_image", c_void_p),
        ("preview_image_length", c_size_t),
        ("payload", c_void_p),
        ("payload_length", c_size_t),
        ("lifetime", c_int32),
        ("supports_continuation", c_int32),
    ]


class Participant(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("connection", c_int32),
        ("id", ParticipantID),
        ("person", ParticipantID),
        ("display_name", c_char_p),
        ("device_name", c_char_p),
        ("item", c_char_p),
        ("suspension_reasons", POINTER(c_char_p)),
        ("suspension_reason_count", c_size_t),
        ("role", c_int32),
        ("is_local", c_int32),
        ("ready", c_int32),
        ("speaking", c_int32),
        ("rate", c_double),
        ("item_time", c_int64),
        ("host_time", c_int64),
        ("round_trip", c_int64),
        ("clock_error", c_int64),
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
        ("is_complete", c_int32),
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
        ("reason", c_int32),
        ("reserved", c_uint32),
        ("message", c_char_p),
        ("hub", c_char_p),
        ("hub_is_own", c_int32),
        ("alone", c_int32),
    ]


class ActivityEvent(Structure):
    _fields_ = [("base", ContextEvent), ("originator", ParticipantID), ("activity", POINTER(Activity))]


class Message(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("sender", ParticipantID),
        ("data", c_void_p),
        ("length", c_size_t),
        ("delivery", c_int32),
        ("reserved", c_uint32),
    ]


class Notice(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("kind", c_int32),
        ("originator", ParticipantID),
        ("amount", c_int64),
        ("rate", c_double),
        ("text", c_char_p),
        ("url", c_char_p),
        ("item_time", c_int64),
        ("name", c_char_p),
        ("flags", c_uint32),
        ("reserved", c_uint32),
    ]


class NoticeEvent(Structure):
    _fields_ = [("base", ContextEvent), ("notice", POINTER(Notice))]


class ParticipantEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("participant", ParticipantID),
        ("active", c_int32),
        ("in_background", c_int32),
    ]


class IgnoredEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("participant", ParticipantID),
        ("by_other", c_int32),
        ("status", c_int32),
        ("until", c_int64),
        ("message", c_char_p),
    ]


class InviteEvent(Structure):
    _fields_ = [("base", ContextEvent), ("invite", c_char_p)]


class ActivationEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("request", c_uint64),
        ("activity", POINTER(Activity)),
        ("result", c_int32),
        ("remembered", c_int32),
    ]


class SuccessionEvent(Structure):
    _fields_ = [("base", ContextEvent), ("deputy", ParticipantID), ("status", c_int32), ("named", c_int32)]


class SuccessionState(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("succession", c_int32),
        ("delay", c_int64),
        ("acting", ParticipantID),
        ("deputy_count", c_uint32),
        ("reserved", c_uint32),
        ("deputies", ParticipantID * 8),
    ]


class Request(Sized):
    _fields_ = [("size", c_uint32), ("kind", c_int32), ("item_time", c_int64), ("text", c_char_p)]


class RequestEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("number", c_uint64),
        ("asker", ParticipantID),
        ("answerer", ParticipantID),
        ("status", c_int32),
        ("kind", c_int32),
        ("item_time", c_int64),
        ("item", c_char_p),
        ("text", c_char_p),
    ]


class HubOptions(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("participants_per_room", c_uint32),
        ("rooms", c_uint32),
        ("connections", c_uint32),
        ("connections_per_address", c_uint32),
        ("bytes_per_second", c_uint32),
        ("listen", POINTER(c_char_p)),
        ("listen_count", c_size_t),
        ("advertise", POINTER(c_char_p)),
        ("advertise_count", c_size_t),
        ("memory", c_uint64),
        ("room_bytes_per_second", c_uint64),
    ]


class HubCallbacks(Sized):
    _fields_ = [("size", c_uint32), ("reserved", c_uint32), ("released", c_void_p)]


class SessionOptions(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("control_policy", c_int32),
        ("display_name", c_char_p),
        ("hub", c_char_p),
        ("hub_options", POINTER(HubOptions)),
        ("activity", POINTER(Activity)),
        ("role", c_int32),
        ("no_standby_hub", c_int32),
        ("in_background", c_int32),
        ("succession", c_int32),
        ("succession_delay", c_int64),
    ]


class Clock(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("state", c_int32),
        ("epoch", c_uint64),
        ("host_time", c_int64),
        ("session_time", c_int64),
        ("rate", c_double),
        ("error_bound", c_int64),
        ("error_growth", c_double),
    ]


class SessionStatistics(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("clock_state", c_int32),
        ("round_trip", c_int64),
        ("round_trip_last", c_int64),
        ("clock_offset", c_int64),
        ("clock_error", c_int64),
        ("clock_drift_ppm", c_double),
        ("probes_sent", c_uint64),
        ("probes_received", c_uint64),
        ("messages_sent", c_uint64),
        ("messages_received", c_uint64),
        ("bytes_sent", c_uint64),
        ("bytes_received", c_uint64),
        ("messages_refused", c_uint64),
        ("reconnects", c_uint64),
        ("hub_changes", c_uint64),
        ("send_queue_bytes", c_uint64),
    ]


class Command(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("id", c_uint64),
        ("originator", ParticipantID),
        ("item", c_char_p),
        ("rate", c_double),
        ("item_time", c_int64),
        ("host_time", c_int64),
        ("due_host_time", c_int64),
        ("anticipated_rate", c_double),
        ("is_local", c_int32),
        ("snap", c_int32),
        ("buffer_in_anticipation", c_int32),
        ("cause", c_int32),
    ]


class Timing(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("state", c_int32),
        ("rate", c_double),
        ("item_time", c_int64),
        ("host_time", c_int64),
        ("error_bound", c_int64),
        ("flags", c_uint32),
        ("reserved", c_uint32),
    ]


class WaitingFor(Structure):
    _fields_ = [("participant", ParticipantID), ("reason", c_char_p)]


class TimingChange(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("state", c_int32),
        ("cause", c_int32),
        ("originator", ParticipantID),
        ("item", c_char_p),
        ("rate", c_double),
        ("item_time", c_int64),
        ("host_time", c_int64),
        ("deadline", c_int64),
        ("waiting_for", POINTER(WaitingFor)),
        ("waiting_for_count", c_size_t),
    ]


class SuspensionsChange(Structure):
    _fields_ = [("base", ContextEvent), ("reasons", POINTER(c_char_p)), ("reason_count", c_size_t)]


class StallPolicy(Sized):
    _fields_ = [("size", c_uint32), ("wait", c_int32), ("debounce", c_int64), ("limit", c_int64)]


class PlaybackReport(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("stalled", c_int32),
        ("rate", c_double),
        ("item_time", c_int64),
        ("host_time", c_int64),
        ("earliest", c_int64),
        ("latest", c_int64),
        ("flags", c_uint32),
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
        ("last_start_wait", c_int64),
        ("last_start_error", c_int64),
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
        ("platforms", c_uint32),
        ("platform", c_uint32),
        ("reserved", c_uint32),
        ("identifier", c_char_p),
        ("usage_description", c_char_p),
        ("device_name", c_char_p),
    ]


class NearbyEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("device", c_uint64),
        ("request", c_void_p),
        ("device_name", c_char_p),
        ("usage_description", c_char_p),
        ("invite", c_char_p),
        ("platform", c_uint32),
        ("status", c_int32),
        ("digits", c_char * 8),
        ("intent", c_int32),
        ("reserved", c_uint32),
    ]


class PlayerItem(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("is_live", c_int32),
        ("identifier", c_char_p),
        ("uri", c_char_p),
        ("start_time", c_int64),
        ("duration", c_int64),
    ]


class RendererCommand(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("request", c_uint64),
        ("item", c_char_p),
        ("uri", c_char_p),
        ("rate", c_double),
        ("item_time", c_int64),
        ("host_time", c_int64),
        ("tolerance_before", c_int64),
        ("tolerance_after", c_int64),
        ("volume", c_double),
        ("width", c_int32),
        ("height", c_int32),
    ]


class RendererReport(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("state", c_int32),
        ("request", c_uint64),
        ("item_time", c_int64),
        ("host_time", c_int64),
        ("duration", c_int64),
        ("seekable_start", c_int64),
        ("seekable_end", c_int64),
        ("status", c_int32),
        ("flags", c_uint32),
        ("message", c_char_p),
    ]


class Renderer(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("capabilities", c_uint32),
        ("nudge_limit", c_double),
        ("dead_band", c_int64),
        ("load", c_void_p),
        ("cue", c_void_p),
        ("play", c_void_p),
        ("pause", c_void_p),
        ("seek", c_void_p),
        ("nudge", c_void_p),
        ("set_volume", c_void_p),
        ("now", c_void_p),
        ("set_render_size", c_void_p),
        ("stop", c_void_p),
        ("released", c_void_p),
    ]


class PlayerEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("time_control", c_int32),
        ("waiting_reason", c_int32),
        ("item_state", c_int32),
        ("rate_reason", c_int32),
        ("originator", ParticipantID),
        ("item", c_char_p),
        ("rate", c_double),
        ("item_time", c_int64),
        ("host_time", c_int64),
        ("request", c_uint64),
        ("status", c_int32),
        ("reserved", c_uint32),
    ]


class PlayerStatistics(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("skew_last", c_int64),
        ("skew_median", c_int64),
        ("skew_p95", c_int64),
        ("skew_maximum", c_int64),
        ("nudges", c_uint64),
        ("seeks", c_uint64),
        ("stalls", c_uint64),
        ("learnt_start_latency", c_int64),
        ("learnt_seek_cost", c_int64),
    ]


class SurfaceEvent(Structure):
    _fields_ = [
        ("base", ContextEvent),
        ("request", c_uint64),
        ("is_paused", c_int32),
        ("status", c_int32),
        ("start", c_int64),
        ("duration", c_int64),
        ("item_time", c_int64),
        ("host_time", c_int64),
    ]


#: Name in the header (without ``unisono_``) of each struct; the tests compare them with a compiled probe.
STRUCTS = {
    "participant_id": ParticipantID,
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
    "hub_options": HubOptions,
    "hub_callbacks": HubCallbacks,
    "session_options": SessionOptions,
    "clock": Clock,
    "session_statistics": SessionStatistics,
    "command": Command,
    "timing": Timing,
    "waiting_for": WaitingFor,
    "timing_change": TimingChange,
    "suspensions_change": SuspensionsChange,
    "stall_policy": StallPolicy,
    "playback_report": PlaybackReport,
    "coordinator_statistics": CoordinatorStatistics,
    "hub_statistics": HubStatistics,
    "service": Service,
    "nearby_event": NearbyEvent,
    "player_item": PlayerItem,
    "renderer_command": RendererCommand,
    "renderer_report": RendererReport,
    "renderer": Renderer,
    "player_event": PlayerEvent,
    "player_statistics": PlayerStatistics,
    "surface_event": SurfaceEvent,
}

_handle = c_void_p
_out = POINTER(c_void_p)
_length = POINTER(c_size_t)
_i64_out = POINTER(c_int64)

#: Result and parameters of each function, without the prefix ``unisono_``.
PROTOTYPES: Dict[str, Tuple[Any, Sequence[Any]]] = {
    "version": (c_char_p, []),
    "api_version": (c_uint32, []),
    "strerror": (c_char_p, [c_int32]),
    "last_error": (c_char_p, []),
    "host_time": (c_int64, []),
    "free": (None, [c_void_p]),
    "context_create": (c_int32, [POINTER(ContextOptions), POINTER(ContextCallbacks), c_void_p, _out]),
    "context_destroy": (None, [_handle]),
    "context_fd": (c_int32, [_handle]),
    "context_timeout": (c_int64, [_handle]),
    "context_poll": (c_int32, [_handle, c_int64]),
    "context_next_event": (c_int32, [_handle, c_int64, POINTER(POINTER(ContextEvent))]),
    "context_wake": (c_int32, [_handle]),
    "context_host_time": (c_int64, [_handle]),
    "context_call_at": (c_int32, [_handle, c_int64, c_void_p, c_void_p, POINTER(c_uint64)]),
    "context_cancel": (c_int32, [_handle, c_uint64]),
    "context_forget_answers": (c_int32, [_handle, c_int32]),
    "session_host": (c_int32, [_handle, POINTER(SessionOptions), c_void_p, c_void_p, _out]),
    "session_open": (c_int32, [_handle, c_char_p, POINTER(SessionOptions), c_void_p, c_void_p, _out]),
    "session_destroy": (None, [_handle]),
    "session_invite": (c_int32, [_handle, c_char_p, _length]),
    "session_join": (c_int32, [_handle]),
    "session_leave": (c_int32, [_handle]),
    "session_end": (c_int32, [_handle]),
    "session_get_state": (c_int32, [_handle]),
    "session_connection": (c_int32, [_handle]),
    "session_local_participant": (c_int32, [_handle, POINTER(ParticipantID)]),
    "session_participants": (c_int32, [_handle, POINTER(POINTER(Participants))]),
    "session_activate": (c_int32, [_handle, POINTER(Activity)]),
    "session_set_role": (c_int32, [_handle, POINTER(ParticipantID), c_int32]),
    "session_set_control_policy": (c_int32, [_handle, c_int32]),
    "session_set_deputies": (c_int32, [_handle, POINTER(ParticipantID), c_size_t, c_int32, c_int64]),
    "session_get_succession": (c_int32, [_handle, POINTER(SuccessionState)]),
    "session_request_command": (c_int32, [_handle, POINTER(Request), POINTER(c_uint64)]),
    "session_answer_request": (c_int32, [_handle, POINTER(ParticipantID), c_uint64, c_int32]),
    "session_remove_participant": (c_int32, [_handle, POINTER(ParticipantID)]),
    "session_activity": (c_int32, [_handle, POINTER(POINTER(Activity))]),
    "session_prepare_for_activation": (c_int32, [_handle, POINTER(Activity), c_void_p, c_void_p]),
    "session_answer_consent": (c_int32, [_handle, c_uint64, c_int32, c_int32]),
    "session_send": (c_int32, [_handle, c_void_p, c_size_t, c_int32, POINTER(ParticipantID), c_size_t]),
    "session_post_notice": (c_int32, [_handle, POINTER(Notice)]),
    "notice_text": (c_int32, [POINTER(Notice), c_char_p, _length]),
    "session_request_foreground": (c_int32, [_handle]),
    "session_set_speaking": (c_int32, [_handle, c_int32]),
    "session_get_statistics": (c_int32, [_handle, POINTER(SessionStatistics)]),
    "session_clock": (c_int32, [_handle, POINTER(Clock)]),
    "coordinator_create": (c_int32, [_handle, c_void_p, c_void_p, _out]),
    "coordinator_destroy": (None, [_handle]),
    "coordinator_coordinate_with_session": (c_int32, [_handle, _handle]),
    "coordinator_transition_to_item": (c_int32, [_handle, c_char_p, POINTER(Timing)]),
    "coordinator_current_item": (c_int32, [_handle, c_char_p, _length]),
    "coordinator_coordinate_rate_change": (c_int32, [_handle, c_double, c_uint32]),
    "coordinator_coordinate_seek": (c_int32, [_handle, c_int64, c_uint32]),
    "coordinator_complete": (c_int32, [_handle, c_uint64]),
    "coordinator_fail": (c_int32, [_handle, c_uint64, c_int32]),
    "coordinator_reapply_current_item_state": (c_int32, [_handle]),
    "coordinator_expected_item_time": (c_int32, [_handle, c_int64, _i64_out]),
    "coordinator_timing": (c_int32, [_handle, POINTER(Timing)]),
    "coordinator_begin_suspension": (c_int32, [_handle, c_char_p, _out]),
    "suspension_end": (c_int32, [_handle]),
    "suspension_end_proposing": (c_int32, [_handle, c_int64]),
    "suspension_reason": (c_int32, [_handle, c_char_p, _length]),
    "suspension_begin_time": (c_int32, [_handle, _i64_out]),
    "suspension_destroy": (None, [_handle]),
    "coordinator_suspension_reasons": (c_int32, [_handle, POINTER(POINTER(c_char_p)), _length]),
    "coordinator_set_waiting_reasons": (c_int32, [_handle, POINTER(c_char_p), c_size_t]),
    "coordinator_set_participant_limit": (c_int32, [_handle, c_char_p, c_uint32]),
    "coordinator_set_pause_snaps_to_originator": (c_int32, [_handle, c_int32]),
    "coordinator_set_wait_limit": (c_int32, [_handle, c_int64]),
    "coordinator_set_output_offset": (c_int32, [_handle, c_int64]),
    "coordinator_set_stall_policy": (c_int32, [_handle, POINTER(StallPolicy)]),
    "coordinator_report": (c_int32, [_handle, POINTER(PlaybackReport)]),
    "coordinator_other_participants": (c_int32, [_handle, POINTER(POINTER(Participants))]),
    "coordinator_waiting_for": (c_int32, [_handle, POINTER(POINTER(WaitingFor)), _length]),
    "coordinator_get_statistics": (c_int32, [_handle, POINTER(CoordinatorStatistics)]),
    "hub_create": (c_int32, [_handle, POINTER(HubOptions), POINTER(HubCallbacks), c_void_p, _out]),
    "hub_destroy": (None, [_handle]),
    "hub_address": (c_int32, [_handle, c_size_t, c_char_p, _length]),
    "hub_get_statistics": (c_int32, [_handle, POINTER(HubStatistics)]),
    "advertiser_create": (c_int32, [_handle, _handle, POINTER(Service), c_void_p, c_void_p, _out]),
    "advertiser_destroy": (None, [_handle]),
    "advertiser_address": (c_int32, [_handle, c_size_t, c_char_p, _length]),
    "join_request_accept": (c_int32, [_handle]),
    "join_request_deny": (c_int32, [_handle]),
    "browser_create": (c_int32, [_handle, POINTER(Service), c_void_p, c_void_p, _out]),
    "browser_destroy": (None, [_handle]),
    "browser_add_address": (c_int32, [_handle, c_char_p, POINTER(c_uint64)]),
    "browser_connect": (c_int32, [_handle, c_uint64]),
    "browser_invite": (c_int32, [_handle, c_uint64, _handle]),
    "browser_confirm": (c_int32, [_handle, c_uint64, c_int32]),
    "player_create": (c_int32, [_handle, POINTER(Renderer), c_void_p, c_void_p, c_void_p, _out]),
    "player_destroy": (None, [_handle]),
    "player_coordinator": (c_int32, [_handle, _out]),
    "player_insert_item": (c_int32, [_handle, POINTER(PlayerItem), c_char_p]),
    "player_remove_item": (c_int32, [_handle, c_char_p]),
    "player_advance": (c_int32, [_handle]),
    "player_replace_current_item": (c_int32, [_handle, POINTER(PlayerItem)]),
    "player_play": (c_int32, [_handle, c_uint32]),
    "player_pause": (c_int32, [_handle]),
    "player_set_rate": (c_int32, [_handle, c_double, c_uint32]),
    "player_seek": (c_int32, [_handle, c_int64, c_int64, c_int64, POINTER(c_uint64)]),
    "player_begin_scrub": (c_int32, [_handle]),
    "player_scrub_to": (c_int32, [_handle, c_int64]),
    "player_end_scrub": (c_int32, [_handle, c_int32]),
    "player_replay": (c_int32, [_handle, c_int64, c_double]),
    "player_time_control": (c_int32, [_handle]),
    "player_waiting_reason": (c_int32, [_handle]),
    "player_item_state": (c_int32, [_handle]),
    "player_current_time": (c_int32, [_handle, _i64_out, _i64_out]),
    "player_begin_interruption": (c_int32, [_handle]),
    "player_end_interruption": (c_int32, [_handle, c_int32]),
    "player_begin_interstitial": (c_int32, [_handle]),
    "player_end_interstitial": (c_int32, [_handle]),
    "player_set_volume": (c_int32, [_handle, c_double]),
    "player_report": (c_int32, [_handle, POINTER(RendererReport)]),
    "player_get_statistics": (c_int32, [_handle, POINTER(PlayerStatistics)]),
    "surface_create": (c_int32, [_handle, c_int32, c_void_p, c_void_p, _out]),
    "surface_destroy": (None, [_handle]),
    "surface_begin": (c_int32, [_handle]),
    "surface_end": (c_int32, [_handle]),
    "surface_set_playing": (c_int32, [_handle, c_int32]),
    "surface_skip_by": (c_int32, [_handle, c_int64, POINTER(c_uint64)]),
    "surface_time_range": (c_int32, [_handle, _i64_out, _i64_out]),
    "surface_is_paused": (c_int32, [_handle]),
    "surface_set_render_size": (c_int32, [_handle, c_int32, c_int32]),
    "surface_complete_restore": (c_int32, [_handle, c_uint64, c_int32]),
}


def candidates() -> List[str]:
    """Where the library is looked for, in this order: UNISONO_LIBRARY, beside the package, the system's loader."""
    named = os.environ.get("UNISONO_LIBRARY")
    if named:
        return [named]  # asked for by name: nothing else will do
    if sys.platform == "darwin":
        names = ["libunisono.0.dylib", "libunisono.dylib"]
    elif sys.platform == "win32":
        names = ["unisono.dll"]
    else:
        names = ["libunisono.so.0", "libunisono.so"]
    here = Path(__file__).resolve().parent
    return [str(here / name) for name in names if (here / name).exists()] + names


class Library:
    """The loaded library. Functions are attributes without the prefix, bound to their prototype at first use."""

    def __init__(self, loaded: ctypes.CDLL, path: str) -> None:
        self._loaded = loaded
        self.path = path

    def __getattr__(self, name: str) -> Any:
        if name not in PROTOTYPES:
            raise AttributeError(name)
        try:
            function = getattr(self._loaded, "unisono_" + name)
        except AttributeError:
            raise AttributeError(f"{self.path} has no function unisono_{name}: it is older than this package") from None
        function.restype, function.argtypes = PROTOTYPES[name]
        setattr(self, name, function)
        return function


_library: Optional[Library] = None


def library() -> Library:
    """The library, loaded at the first call. Raises OSError, naming every place that was tried."""
    global _library
    if _library is None:
        failures = []
        for path in candidates():
            try:
                _library = Library(ctypes.CDLL(path), path)
                break
            except OSError as error:
                failures.append(f"{path}: {error}")
        else:
            raise OSError("libunisono was not found; set UNISONO_LIBRARY to its path. Tried: " + "; ".join(failures))
    return _library
