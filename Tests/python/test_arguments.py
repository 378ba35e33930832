"""F72: what a caller gives is judged before C sees it: a wrong type is a TypeError, what cannot be an InvalidArgumentError."""

import inspect

import pytest
import unisono
from group_support import pump
from unisono import SECOND

TOO_GREAT = 10**30  # ctypes would cut it to 64 bits in silence


@pytest.fixture
def coordinator(context):
    made = unisono.Coordinator(context)
    made.transition_to_item("film")
    return made


@pytest.fixture
def session(context):
    made = unisono.Session.host(context, listen=["127.0.0.1:0"])
    made.join()
    pump([context], lambda: made.state == unisono.SessionState.JOINED, "it joined")
    return made


def test_a_text_is_not_sent_as_bytes(session):
    with pytest.raises(TypeError, match=r"data must be bytes, not str: data\.encode\(\)"):
        session.send("hello")
    session.send(b"hello")
    session.send(bytearray(b"hello"))
    session.send(memoryview(b"hello"))


def test_a_position_in_seconds_is_not_taken_for_nanoseconds(coordinator):
    with pytest.raises(TypeError, match=r"item_time_ns is in whole nanoseconds, not 12\.5: unisono\.seconds\(12\.5\)"):
        coordinator.seek(12.5)
    coordinator.seek(unisono.seconds(12.5))


@pytest.mark.parametrize("value", [TOO_GREAT, -TOO_GREAT, 2**63, 10**6000], ids=["30", "-30", "63 bits", "6000"])
def test_a_position_beyond_64_bits_is_refused(context, coordinator, value):
    with pytest.raises(unisono.InvalidArgumentError, match="item_time_ns must be within"):
        coordinator.seek(value)
    context.poll(max_wait_ns=unisono.MILLISECOND)
    assert coordinator.expected_item_time_ns() == 0, "nobody was moved"


def test_a_single_address_is_not_a_list_of_letters(context):
    with pytest.raises(TypeError, match="listen must be several"):
        unisono.Session.host(context, listen="127.0.0.1:0")


def test_seconds_are_made_whole_nanoseconds():
    assert [unisono.seconds(value) for value in (12.5, 0.1, -3, 0)] == [12_500_000_000, 100_000_000, -3 * SECOND, 0]
    for value in (float("nan"), float("inf"), 1e30):
        with pytest.raises(ValueError):
            unisono.seconds(value)
    with pytest.raises(TypeError):
        unisono.seconds("12.5")


@pytest.fixture
def objects(context, session, coordinator):
    class Silent(unisono.Renderer):
        def load(self, command):
            command.done()

        cue = play = pause = seek = load

    player = unisono.Player(context, Silent())
    player.insert("film")
    service = unisono.Service("org.example.arguments", "Try")
    return {
        unisono.Context: context,
        unisono.Session: session,
        unisono.Coordinator: coordinator,
        unisono.Suspension: coordinator.suspend("a look"),
        unisono.Player: player,
        unisono.Surface: unisono.Surface(player),
        unisono.Browser: unisono.Browser(context, service),
        unisono.Advertiser: unisono.Advertiser(context, service),
    }


OPEN, PAUSE = unisono.RequestStatus.OPEN, unisono.RequestKind.PAUSE
REQUEST = unisono.CommandRequest(None, 0, 1, bytes(16), bytes(16), OPEN, PAUSE, 0, "film", None)

#: By annotation: something good, and what has to be refused with which error.
WRONG = {
    "int": (1, [(1.5, TypeError), ("1", TypeError), (TOO_GREAT, ValueError), (True, TypeError)]),
    "float": (1.0, [("1", TypeError), (None, TypeError), (10**400, ValueError)]),
    "str": ("x", [(7, TypeError), (b"x", TypeError), ("a\0b", ValueError), ("\ud800", ValueError)]),
    "bytes": (bytes(16), [("x", TypeError), (7, TypeError)]),
    "bool": (False, [("no", TypeError), (2, TypeError)]),
    "Union[bool, float]": (True, [("no", TypeError), (2, TypeError), (1.0, TypeError)]),  # of RUNNING, which is 1
    "Sequence[bytes]": ([], [(bytes(16), TypeError), (["x"], TypeError), ([b"short"], ValueError)]),
    "Iterable[bytes]": ([], [(bytes(16), TypeError), (["x"], TypeError), ([b"short"], ValueError)]),
    "str | os.PathLike[str]": ("x", [(7, TypeError), ("a\0b", ValueError), ("\ud800", ValueError)]),
    "Union[Attachment, bytes]": (bytes(32), [("x", TypeError), (7, TypeError), (b"short", ValueError)]),
    "Copy": (unisono.Copy(), [("x", TypeError), (7, TypeError)]),
    "Sequence[str]": ([], [("x", TypeError), ([7], TypeError)]),
    "Iterable[str]": ([], [("x", TypeError), ([7], TypeError)]),
    "Sequence[SkipRange]": ([], [("x", TypeError), ([7], TypeError), ([(0, 1, 1)], TypeError)]),
    "Iterable[RangeKind]": ([], [("x", TypeError), ([1.5], TypeError), ([-1], ValueError), ([16], ValueError)]),
    "Handler[e.TimerEvent]": (print, [(7, TypeError)]),
    "Handler[TimerEvent]": (print, [(7, TypeError)]),
    "Activity": (unisono.Activity("org.example.film"), [("film", TypeError)]),
    "Session": (None, [("unisono://", TypeError)]),
    "Iterable[Tuple[int, int]]": ([], [("x", TypeError), ([7], TypeError), ([(0, 1.5)], TypeError), ([(0, TOO_GREAT)], ValueError)]),
    "Tuple[int, int]": ((0, 1), [((0, 1.5), TypeError), ((0, TOO_GREAT), ValueError)]),
    "Timing": (unisono.Timing(), [(0, TypeError), (unisono.Timing(item_time_ns=0.5), TypeError)]),
    "e.CommandRequest": (REQUEST, [(7, TypeError)]),
}
#: What only goes together.
TOGETHER = {
    "Coordinator.report": {"item_time_ns": 0, "earliest_ns": 0, "latest_ns": 0},
    "Player.report": {"item_time_ns": 0},
}
ENUMERATIONS = {name for name, kind in vars(unisono).items() if inspect.isclass(kind) and issubclass(kind, int)}


def calls():
    """Each parameter of each public method, with what it must refuse."""
    kinds = [
        unisono.Context, unisono.Session, unisono.Coordinator, unisono.Suspension, unisono.Player, unisono.Surface,
        unisono.Browser, unisono.Advertiser,
    ]
    for kind in kinds:
        for name, function in inspect.getmembers(kind, inspect.isroutine):
            if name.startswith("_") or inspect.iscoroutinefunction(function):
                continue
            for parameter in inspect.signature(function).parameters.values():
                if parameter.name in ("self", "context", "loop", "delegate"):
                    continue
                yield pytest.param(kind, name, parameter.name, id=f"{kind.__name__}.{name}-{parameter.name}")


def unwrapped(annotation):
    """`Optional[X]` and enumerations are X and int."""
    annotation = annotation.strip("'\"")
    if annotation.startswith("Optional["):
        annotation = annotation[len("Optional[") : -1]
    return "int" if annotation in ENUMERATIONS else annotation


@pytest.mark.parametrize("kind,name,parameter", list(calls()))
def test_every_parameter_of_every_method_is_judged(objects, kind, name, parameter):
    method = getattr(objects[kind], name)
    signature = inspect.signature(method)
    annotation = signature.parameters[parameter].annotation
    for value, error in WRONG[unwrapped(annotation)][1]:
        if value is None and annotation.startswith("Optional["):
            continue
        arguments = {
            other.name: objects[unisono.Context] if other.name == "context" else WRONG[unwrapped(other.annotation)][0]
            for other in signature.parameters.values()
            if other.default is inspect.Parameter.empty
        }
        arguments.update(TOGETHER.get(f"{kind.__name__}.{name}", {}))
        with pytest.raises(error) as refused:
            method(**{**arguments, parameter: value})
        words = (parameter, "value", "Sequence") if not isinstance(value, unisono.Timing) else ("item_time_ns",)
        assert any(word in str(refused.value) for word in words), refused.value


# ---- delegates ----


class Complete:
    def play(self, command):
        """Nothing."""

    pause = seek = buffer = play


def test_a_delegate_needs_no_base_class(context):
    assert unisono.Coordinator(context, Complete()).delegate is not None


def test_a_delegate_is_judged_when_the_coordinator_is_made(context):
    class NoBuffer(unisono.Delegate):
        def play(self, command):
            """Nothing."""

        pause = seek = play

    class Wrong(Complete):
        def seek(self):
            """Takes no command."""

    class Number(Complete):
        pause = 7

    for delegate, words in [
        (NoBuffer(), r"NoBuffer\) has no method buffer\(command\)"),
        (object(), r"object\) has no method play\(command\)"),
        (Wrong(), r"seek of the delegate \(Wrong\) must take one argument"),
        (Number(), r"pause of the delegate \(Number\) is no method"),
        (Complete, r"an object, not the class: Complete\(\)"),
    ]:
        with pytest.raises(TypeError, match=words):
            unisono.Coordinator(context, delegate)
        coordinator = unisono.Coordinator(context, Complete())
        with pytest.raises(TypeError, match=words):
            coordinator.delegate = delegate


def test_a_renderer_is_judged_when_the_player_is_made(context):
    class Half(unisono.Renderer):
        def load(self, command):
            """Nothing."""

        play = pause = load

    with pytest.raises(TypeError, match=r"the renderer \(Half\) has no method cue\(command\)"):
        unisono.Player(context, Half())
    Half.cue = Half.seek = Half.load
    Half.nudges = "yes"
    with pytest.raises(TypeError, match="nudges must be True or False"):
        unisono.Player(context, Half())
