"""Unisono: any player plays the same thing at the same moment as everyone else in the group.

    with unisono.Context() as context:
        coordinator = unisono.Coordinator(context, MyPlayer())     # play, pause, seek, buffer
        session = unisono.Session.open(context, invite, display_name="Ann")
        coordinator.coordinate_with(session)
        session.join()
        coordinator.transition_to_item("film")
        while True:
            context.poll(max_wait=1.0)

Times are whole nanoseconds. The library is looked for at UNISONO_LIBRARY, beside this package, then by the system.
"""

from ._ffi import TIME_INDEFINITE, TIME_INVALID
from .context import Context, host_time, version
from .coordinator import Coordinator, Delegate, Suspension
from .errors import (
    AuthenticationError,
    BusyError,
    ClosedError,
    DeniedError,
    FullError,
    InvalidArgumentError,
    NetworkError,
    NotFoundError,
    NotSupportedError,
    StateError,
    Status,
    TimedOutError,
    TooBigError,
    UnisonoError,
    VersionError,
)
from .nearby import Advertiser, Browser, JoinRequest, Service
from .session import Hub, Session
from .types import (
    MILLISECOND,
    SECOND,
    Activity,
    ActivityChange,
    ActivityType,
    Cause,
    Clock,
    ClockStatus,
    Command,
    Connection,
    CoordinatorStatistics,
    ErrorEvent,
    Event,
    EventType,
    HubStatistics,
    Intent,
    LogEvent,
    LogLevel,
    NearbyEvent,
    OverflowEvent,
    Participant,
    ParticipantsChange,
    Platform,
    Reason,
    SessionState,
    SessionStatistics,
    SessionStatus,
    SuspensionsChange,
    TimerEvent,
    Timing,
    TimingChange,
    TimingStatus,
    WaitingFor,
)

__version__ = "0.1.0"
__all__ = [
    "Activity",
    "ActivityChange",
    "ActivityType",
    "Advertiser",
    "AuthenticationError",
    "Browser",
    "BusyError",
    "Cause",
    "Clock",
    "ClockStatus",
    "ClosedError",
    "Command",
    "Connection",
    "Context",
    "Coordinator",
    "CoordinatorStatistics",
    "Delegate",
    "DeniedError",
    "ErrorEvent",
    "Event",
    "EventType",
    "FullError",
    "Hub",
    "HubStatistics",
    "Intent",
    "InvalidArgumentError",
    "JoinRequest",
    "LogEvent",
    "LogLevel",
    "MILLISECOND",
    "NearbyEvent",
    "NetworkError",
    "NotFoundError",
    "NotSupportedError",
    "OverflowEvent",
    "Participant",
    "ParticipantsChange",
    "Platform",
    "Reason",
    "SECOND",
    "Service",
    "Session",
    "SessionState",
    "SessionStatistics",
    "SessionStatus",
    "StateError",
    "Status",
    "Suspension",
    "SuspensionsChange",
    "TIME_INDEFINITE",
    "TIME_INVALID",
    "TimedOutError",
    "TimerEvent",
    "Timing",
    "TimingChange",
    "TimingStatus",
    "TooBigError",
    "UnisonoError",
    "VersionError",
    "WaitingFor",
    "host_time",
    "version",
]
