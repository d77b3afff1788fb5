"""The room plan: imports point down, each vendor has one home, and the core is pure."""

from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from . import source

FLOORS = (
    # Pure: values, texts and functions of them.
    {"errors", "form", "frames", "hosts", "jsontext", "late", "lessons", "messages", "prompts"}
    | {"session", "texttools"},
    {"budget", "clip", "echoes", "extremes", "model", "shorten", "state"},
    {"calibration", "callwatch", "cuts", "events", "ladder", "mend", "shrink", "signs"}
    | {"statements", "strategies", "window"},
    # The shell: files, vendors, the outside world.
    {"config", "durable", "log", "program", "start", "tokens"},
    {"folders", "llm", "memory", "tools"},
    # The turn loop.
    {"calls", "compaction", "conversation", "gate", "interrupted", "learnt", "parts", "reform"}
    | {"replies", "room", "turn"},
    {"agent", "counting"},
    # What puts an agent together, and what uses one.
    {"build", "local", "offline"},
    {"doctor", "upkeep"},
    {"cli", "rig"},
    {"__main__"},
)
PURE = set().union(*FLOORS[:3])
IMPURE = {"fcntl", "http", "io", "logging", "os", "pathlib", "random", "shutil", "socket"} | {
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "urllib",
}
NEVER = {
    "cli": {"rig"},
    "rig": {"cli"},
    "offline": {"agent", "build", "rig"},
    "build": {"rig", "cli"},
    "local": {"agent", "build", "offline", "rig"},
    "doctor": {"rig", "cli"},
}
HOMES = {
    "openai": ("llm",),
    "tiktoken": ("tokens",),
    "tokenizers": ("tokens",),
    "jieba": ("memory",),
    "rank_bm25": ("memory",),
    "numpy": ("memory",),
    "matplotlib": ("rig",),
    "xllamacpp": ("local",),
    "tomllib": ("config",),
    "tomli_w": ("config",),
    "prompt_toolkit": ("cli",),
    "regex": ("tools",),
}
ROOMS = sorted({source.room(path) for path in source.modules()} - {"__init__"})


def floor(room: str) -> int:
    """Return the number of a room's floor, 0 at the bottom."""
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


def files(room: str) -> list[Path]:
    """Return the files of a room."""
    return [path for path in source.modules() if source.room(path) == room]


def uses(room: str) -> set[str]:
    """Return the rooms that a room imports from."""
    return set().union(*map(source.rooms_imported, files(room)))


def test_every_room_has_a_floor() -> None:
    """A new room is given its place before anything can depend on it; one that is gone has none."""
    assert sorted(room for rooms in FLOORS for room in rooms) == ROOMS


@pytest.mark.parametrize("room", ROOMS)
def test_imports_point_down(room: str) -> None:
    """A room imports from its own floor and below."""
    above = {other for other in uses(room) if floor(other) > floor(room)}
    assert not above, f"{room} imports from above: {sorted(above)}"


@pytest.mark.parametrize("room", sorted(NEVER))
def test_some_rooms_never_meet(room: str) -> None:
    """The offline model knows no agent, and nothing that ships to a user knows the rig."""
    assert not (room in ROOMS and uses(room) & NEVER[room])


def test_rooms_form_no_circle() -> None:
    """Rooms of one floor may use each other, but not in a circle."""
    TopologicalSorter({room: uses(room) for room in ROOMS}).prepare()


def test_the_package_itself_imports_nothing() -> None:
    """Importing `chyan_agent` does nothing."""
    assert not list(source.imports(source.PACKAGE / "__init__.py"))


@pytest.mark.parametrize("vendor", sorted(HOMES))
def test_each_vendor_has_one_home(vendor: str) -> None:
    """Only one room knows a vendor's package."""
    users = {
        source.room(path)
        for path in source.modules()
        if any(dotted.split(".")[0] == vendor for dotted in source.imports(path))
    }
    assert users <= set(HOMES[vendor])


@pytest.mark.parametrize("room", sorted(PURE & set(ROOMS)))
def test_the_core_is_pure(room: str) -> None:
    """The lower floors know no file, clock, network or chance."""
    used = {dotted.split(".")[0] for path in files(room) for dotted in source.imports(path)}
    assert not used & IMPURE
