"""How the package is made: layers that import only what is below them, words for everything that is public, units in names."""

import ast
import enum
import inspect

import pytest
import unisono
from group_support import ROOT

PACKAGE = ROOT / "bindings" / "python" / "unisono"

#: From the ground up; a module may import those before it.
LAYERS = [
    "_declarations", "_ffi", "enums", "errors", "_arguments", "values", "events", "_reading", "_streams", "context", "simulation",
    "session", "coordinator", "player", "nearby", "narration", "keyboard", "__init__",
]


def imported(module):
    """The modules of the package that a module imports, inside functions and for type checkers alone included."""
    for node in ast.walk(ast.parse((PACKAGE / f"{module}.py").read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            if node.module:
                yield node.module
            else:
                yield from (alias.name for alias in node.names)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            assert not any(name.split(".")[0] == "unisono" for name in names), f"{module} imports the whole package"


def modules():
    return sorted(path.stem for path in PACKAGE.glob("*.py"))


def test_every_module_is_in_a_layer():
    assert set(modules()) <= set(LAYERS)


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_only_what_is_below_it(module):
    place = LAYERS.index(module)
    above = [name for name in imported(module) if LAYERS.index(name) >= place]
    assert above == []


def public():
    """Every public name: of the package, and of its classes."""
    for name in unisono.__all__:
        thing = getattr(unisono, name)
        if not inspect.isclass(thing) and not inspect.isroutine(thing):
            continue
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                described = inspect.isroutine(value) or isinstance(value, (property, classmethod, staticmethod))
                if not member.startswith("_") and described:
                    yield f"{name}.{member}", value


@pytest.mark.parametrize("name,thing", [pytest.param(*each, id=each[0]) for each in public()])
def test_every_public_name_is_described(name, thing):
    text = getattr(thing, "__doc__", None) or ""
    generated = text.startswith(f"{name}(")  # a dataclass without words of its own
    assert text.strip() and not generated, f"{name} has no docstring"
    if inspect.isclass(thing) and not issubclass(thing, enum.Enum):
        assert "__doc__" in vars(thing)


def test_everything_that_is_exported_is_there_once():
    assert len(unisono.__all__) == len(set(unisono.__all__))
    assert all(hasattr(unisono, name) for name in unisono.__all__)


TIMES = ("time", "delay", "limit", "offset", "bound", "wait", "interval", "deadline", "until", "duration", "latency", "cost")


def test_what_is_a_time_says_its_unit():
    """A number whose name is that of a time ends in _ns; parameters, fields and properties."""
    unnamed, named = [], 0
    for name, thing in public():
        if inspect.isclass(thing):
            fields = {field.name: field.type for field in getattr(thing, "__dataclass_fields__", {}).values()}
        elif inspect.isroutine(thing) or isinstance(thing, (classmethod, staticmethod)):
            function = getattr(thing, "__func__", thing)
            fields = {each.name: each.annotation for each in inspect.signature(function).parameters.values()}
        elif isinstance(thing, property):
            fields = {name.split(".")[1]: thing.fget.__annotations__.get("return", "")}
        else:
            continue
        for field, kind in fields.items():
            number = str(kind).strip("'").replace("Optional[", "").rstrip("]") in ("int", "float", "Tuple[int, int")
            named += field.endswith("_ns")
            # limit of set_participant_limit and LIMIT count people and events.
            if number and field.split("_")[-1] in TIMES and name != "Coordinator.set_participant_limit":
                unnamed.append(f"{name}: {field}")
    assert unnamed == [] and named > 100
