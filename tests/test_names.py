"""Names as they are shown: plain where that does no harm, and good to be asked for again."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from chyan_agent.tools.beneath import opener, stepwise
from chyan_agent.tools.effects import WriteEffects
from chyan_agent.tools.names import printable

from .toolbox import Desk

WAYS = {"kernel": opener(), "stepwise": stepwise}


@pytest.fixture(params=WAYS)
def desk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A desk over an empty workspace."""
    with Desk(tmp_path, beneath=WAYS[request.param], own=["data"]) as desk:
        yield desk


@pytest.mark.parametrize(
    "name",
    [
        "نمی\u200cدانم.txt",
        "क्\u200dष.md",
        "ශ්\u200dරී.md",
        "👩🏽\u200d🚀.txt",
        "🏳️\u200d🌈",
        "❤️\u200d🔥",
    ],
)
def test_marks_that_belong_to_the_spelling_are_kept(name: str) -> None:
    """Joiners inside words of scripts that join, and inside emoji, are no trick."""
    assert printable(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "pay\u200cpal",
        "文\u200d件",
        "\u200cنام",
        "نام\u200c.txt",
        "а\u200cб",
        "👩\u200d.txt",
        "a\u200d👩",
    ]
    + ["م\u200bن", "م\u200c\u200cن", "❤\u200c🔥", "م\u202eن", "م\ufeffن"],
)
def test_marks_that_only_hide_are_shown(name: str) -> None:
    """Anywhere else an invisible mark makes two names look alike, or turns one about."""
    assert printable(name) != name
    assert "\\u" in printable(name)


RAW = [
    b"caf\xe9.txt",
    b"two\nlines.txt",
    "x\u200by.txt".encode(),
    "نام\u200c.txt".encode(),
    b"\x1b[31mred.txt",
    "new \U0001fae9.txt".encode(),
    b"back\\slash\x07.txt",
]


@pytest.mark.parametrize("raw", RAW)
@pytest.mark.parametrize("folder", [b"", b"d\xe9/", b"plain/"])
def test_a_file_opens_by_the_name_it_is_shown_under(desk: Desk, raw: bytes, folder: bytes) -> None:
    """What search lists can be read, searched, extended and replaced by just that name."""
    file = desk.put(os.fsdecode(folder + raw), "needle\n")
    (shown,) = desk("search", pattern="*")["files"]
    assert desk("read", path=shown)["content"] == "needle"
    assert desk("grep", pattern="needle", path=shown)["matches"] == [f"{shown}:1:needle"]
    assert desk("search", pattern=shown)["files"] == [shown]
    assert desk("write", path=shown, content="more\n", mode="append")["path"] == shown
    assert file.read_text() == "needle\nmore\n"
    arguments = {"path": str(desk.root / shown), "content": "new"}
    effects = WriteEffects(desk.sandbox)
    effect = effects.foresee(arguments)
    desk("write", path=shown, content="new")
    assert (file.read_text(), len(list(file.parent.iterdir()))) == ("new", 1)
    assert effects.outcome(arguments, effect, "key") == "done"


def test_a_new_file_goes_into_a_folder_as_it_is_shown(desk: Desk) -> None:
    """A name that is not there yet is taken as it is written; the folders before it are found."""
    desk.put(os.fsdecode(b"d\xe9/a.txt"), "x")
    desk("write", path=r"d\xe9/b\x07.txt", content="y")
    assert [path.name for path in desk.root.iterdir()] == [os.fsdecode(b"d\xe9")]
    assert (desk.root / os.fsdecode(b"d\xe9") / r"b\x07.txt").read_text() == "y"


def test_a_name_that_could_be_two_is_not_found(desk: Desk) -> None:
    """Of two files that are shown alike neither is meant; a file of just that name is itself."""
    desk.put(os.fsdecode(b"\xe9.txt"), "byte")
    desk.put("\x9b\x07.txt", "controls")
    desk.put(os.fsdecode(b"\x9b\x07.txt"), "bytes")
    assert "no such file" in desk("read", path=r"\x9b\x07.txt")["error"]
    desk.put(r"\xe9.txt", "plain")
    assert desk("read", path=r"\xe9.txt")["content"] == "plain"


@pytest.mark.parametrize(
    "name", ["d\xad/../.git/config", ".g\u200bit/config", "data/a.txt", "out\x07/a"]
)
def test_no_way_in_is_opened_by_that(desk: Desk, name: str) -> None:
    """What a shown name stands for is held to every rule, and no link out is followed."""
    (desk.root.parent / "beside").mkdir()
    (desk.root.parent / "beside" / "a").write_text("the secret")
    (desk.root / "out\x07").symlink_to(desk.root.parent / "beside")
    if "out" not in name:
        desk.put(name, "the secret")
    shown = "/".join(map(printable, name.split("/")))
    for tool in ("read", "write"):
        more = {"content": "x"} if tool == "write" else {}
        error = desk.raw(tool, json.dumps({"path": shown, **more}))["error"]
        assert "protected" in error or "outside" in error
