"""The two interfaces of org.mpris.MediaPlayer2, over ``_mpris.Remote``. Their annotations are D-Bus types, which dbus-fast
reads: no postponed ones here, and nothing for a type checker."""

# mypy: ignore-errors

from typing import Any, Callable, Tuple

from dbus_fast import DBusError, PropertyAccess, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_property, method, signal

import unisono

PATH = "/org/mpris/MediaPlayer2"


def variants(tags):
    return {key: Variant(kind, value) for key, (kind, value) in tags.items()}


def asked(what, *arguments):
    """A refusal of the library is the caller's to know."""
    try:
        what(*arguments)
    except unisono.UnisonoError as error:
        raise DBusError("org.unisono.Error", str(error)) from None


class Root(ServiceInterface):
    def __init__(self, identity, quit):
        super().__init__("org.mpris.MediaPlayer2")
        self._identity = identity
        self._quit = quit

    @method()
    def Raise(self):
        """The window is mpv's: it cannot be brought to the front from here."""

    @method()
    def Quit(self):
        self._quit()

    @dbus_property(access=PropertyAccess.READ)
    def CanQuit(self) -> "b":
        return True

    @dbus_property(access=PropertyAccess.READ)
    def CanRaise(self) -> "b":
        return False

    @dbus_property(access=PropertyAccess.READ)
    def HasTrackList(self) -> "b":
        return False

    @dbus_property(access=PropertyAccess.READ)
    def Identity(self) -> "s":
        return self._identity

    @dbus_property(access=PropertyAccess.READ)
    def SupportedUriSchemes(self) -> "as":
        return []

    @dbus_property(access=PropertyAccess.READ)
    def SupportedMimeTypes(self) -> "as":
        return []


class Controls(ServiceInterface):
    def __init__(self, remote):
        super().__init__("org.mpris.MediaPlayer2.Player")
        self._remote = remote

    def tell(self, changed):
        if "Metadata" in changed:
            changed["Metadata"] = variants(changed["Metadata"])
        self.emit_properties_changed(changed)

    @method()
    def Next(self):
        """There is one item."""

    @method()
    def Previous(self):
        """There is one item."""

    @method()
    def Play(self):
        asked(self._remote.surface.set_playing, True)

    @method()
    def Pause(self):
        asked(self._remote.surface.set_playing, False)

    @method()
    def PlayPause(self):
        asked(self._remote.play_pause)

    @method()
    def Stop(self):
        """A pause: the group's place in the film is not to be lost by a key."""
        asked(self._remote.surface.set_playing, False)

    @method()
    def Seek(self, offset: "x"):
        asked(self._remote.skip, offset)

    @method()
    def SetPosition(self, track: "o", position: "x"):
        asked(self._remote.set_position, track, position)

    @method()
    def OpenUri(self, uri: "s"):
        raise DBusError("org.freedesktop.DBus.Error.NotSupported", "the group has chosen what is played")

    @signal()
    def Seeked(self, position) -> "x":
        return position

    @dbus_property(access=PropertyAccess.READ)
    def PlaybackStatus(self) -> "s":
        return self._remote.status

    @dbus_property()
    def Rate(self) -> "d":
        return self._remote.rate

    @Rate.setter
    def Rate(self, rate: "d"):
        asked(self._remote.set_rate, rate)

    @dbus_property()
    def Volume(self) -> "d":
        return self._remote.volume

    @Volume.setter
    def Volume(self, volume: "d"):
        asked(self._remote.set_volume, volume)
        self.emit_properties_changed({"Volume": self._remote.volume})

    @dbus_property(access=PropertyAccess.READ)
    def Metadata(self) -> "a{sv}":
        return variants(self._remote.metadata)

    @dbus_property(access=PropertyAccess.READ)
    def Position(self) -> "x":
        return self._remote.position

    @dbus_property(access=PropertyAccess.READ)
    def MinimumRate(self) -> "d":
        return self._remote.RATES[0]

    @dbus_property(access=PropertyAccess.READ)
    def MaximumRate(self) -> "d":
        return self._remote.RATES[1]

    @dbus_property(access=PropertyAccess.READ)
    def CanGoNext(self) -> "b":
        return False

    @dbus_property(access=PropertyAccess.READ)
    def CanGoPrevious(self) -> "b":
        return False

    @dbus_property(access=PropertyAccess.READ)
    def CanPlay(self) -> "b":
        return self._remote.item is not None

    @dbus_property(access=PropertyAccess.READ)
    def CanPause(self) -> "b":
        return self._remote.item is not None

    @dbus_property(access=PropertyAccess.READ)
    def CanSeek(self) -> "b":
        return self._remote.item is not None

    @dbus_property(access=PropertyAccess.READ)
    def CanControl(self) -> "b":
        return True


async def put_on_bus(name: str, identity: str, remote: Any, quit: Callable[[], None]) -> Tuple[Any, Any]:
    """The connection, and the interface that tells changes."""
    bus = await MessageBus().connect()
    controls = Controls(remote)
    bus.export(PATH, Root(identity, quit))
    bus.export(PATH, controls)
    await bus.request_name(name)
    return bus, controls
