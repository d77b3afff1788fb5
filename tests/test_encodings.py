"""Files that are not UTF-8, or not only: what is appended fits, and what is broken is said."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chyan_agent.tools.effects import WriteEffects

from .toolbox import Desk

OLD, NEW = "会议纪要：预算已批准。\n", "补充：下周三复审，金额 3,200 元。\n"
MARKED = {
    "utf-8-sig": b"\xef\xbb\xbf",
    "utf-16-le": b"\xff\xfe",
    "utf-16-be": b"\xfe\xff",
    "utf-32-le": b"\xff\xfe\0\0",
    "utf-32-be": b"\0\0\xfe\xff",
}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk over an empty workspace."""
    with Desk(tmp_path) as desk:
        yield desk


def marked(text: str, encoding: str) -> bytes:
    """A text with the mark of its encoding, if it has one."""
    return MARKED.get(encoding, b"") + text.encode(encoding.removesuffix("-sig"))


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "gb18030", *MARKED])
@pytest.mark.parametrize("new", [NEW, "plain ASCII, by Tuesday\n"])
def test_an_append_takes_the_encoding_of_the_file(desk: Desk, encoding: str, new: str) -> None:
    """Old and new are one text again, with one mark; what was foreseen is what is there."""
    file = desk.put("a.txt", marked(OLD * 3, encoding))
    arguments: dict[str, Any] = {"path": "a.txt", "content": new, "mode": "append"}
    effects = WriteEffects(desk.sandbox)
    effect = effects.foresee(arguments)
    assert effects.outcome(arguments, effect, "key") == "not_run"
    result = desk("write", **arguments)
    assert file.read_bytes() == marked(OLD * 3 + new, encoding)
    assert desk("read", path="a.txt")["content"] == (OLD * 3 + new).removesuffix("\n")
    assert (result["lines"], "note" in result) == (4, False)
    assert effects.outcome(arguments, effect, "key") == "done"


@pytest.mark.parametrize("encoding", ["gbk", *MARKED])
def test_a_last_line_without_its_newline_is_noticed(desk: Desk, encoding: str) -> None:
    """A newline may be more than one byte, and bytes of its value may be none."""
    trap = "\u0a0a\u010a" if encoding in MARKED else ""
    desk.put("a.txt", marked(f"第一行\n{trap}第二行", encoding))
    result = desk("write", path="a.txt", content="的后半", mode="append")
    assert (result["lines"], "did not end in a newline" in result["note"]) == (2, True)


def test_an_append_to_chinese_behind_much_ascii_is_chinese(desk: Desk) -> None:
    """The encoding shows where ASCII ends, however late that is."""
    desk.put("a.log", b"GET /index.html 200\n" * 20_000 + OLD.encode("gbk"))
    desk("write", path="a.log", content=NEW, mode="append")
    page = desk("read", path="a.log", start_line=20_001)
    assert (page["content"], page["encoding"]) == ((OLD + NEW).removesuffix("\n"), "gb18030")
    assert desk("grep", pattern="预算|复审")["total_lines"] == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"\x7fELF\0\0\1" * 99, "a"),
        ("Le café est fermé\n".encode("latin-1") * 9, NEW),
        (OLD.encode("utf-16")[:-1], "a"),
        (OLD.encode("gbk")[:-2], "a"),
        (OLD.encode("utf-16-le"), NEW),
    ],
)
def test_what_can_not_be_continued_is_left_alone(desk: Desk, old: bytes, new: str) -> None:
    """Binary files, unknown encodings and halves of characters: refused, and not a byte changed."""
    file = desk.put("a.dat", old)
    arguments: dict[str, Any] = {"path": "a.dat", "content": new, "mode": "append"}
    effect = WriteEffects(desk.sandbox).foresee(arguments)
    assert (effect.before, effect.after) == (None, None)
    assert "nothing was appended" in desk("write", **arguments)["error"]
    assert file.read_bytes() == old


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Le café est fermé\n".encode("latin-1") * 9, "closed\n"),
        (OLD.encode() * 9 + b"\xff\n", NEW),
        (OLD.encode()[:-2] * 2, NEW),
    ],
)
def test_what_does_no_harm_is_appended(desk: Desk, old: bytes, new: str) -> None:
    """ASCII fits to any bytes of text, and UTF-8 to UTF-8 with a stray byte."""
    file = desk.put("a.txt", old)
    assert "error" not in desk("write", path="a.txt", content=new, mode="append")
    assert file.read_bytes() == old + new.encode()


@pytest.mark.parametrize(
    ("data", "count"),
    [
        ("Renée, Zürich; naïve façade\n".encode("latin-1"), 4),
        (b"report of 2026 \xe2\x82 and \xff\n", 3),
        (OLD.encode("gbk") * 20 + b"\xff\n", 1),
    ],
)
def test_bytes_that_are_not_shown_are_counted(desk: Desk, data: bytes, count: int) -> None:
    """Who would write back what is shown is warned, also by grep."""
    desk.put("a.txt", data)
    note = f"{count} bytes could not be decoded"
    page = desk("read", path="a.txt")
    assert note in page["note"] and page["content"].count("\ufffd") == count
    assert note in desk("grep", pattern=".")["note"]


def test_only_what_is_shown_is_counted(desk: Desk) -> None:
    """A stretch of lines tells of its own; a character that stands for none is no fault."""
    desk.put("a.txt", b"good\n\xe9t\xe9\ngood\n")
    assert "note" not in desk("read", path="a.txt", start_line=3)
    assert "2 bytes" in desk("read", path="a.txt", start_line=2)["note"]
    assert "note" not in desk("grep", pattern="good")
    desk.put("a.txt", "the sign \ufffd itself\n")
    assert "note" not in desk("read", path="a.txt")
    assert "note" not in desk("grep", pattern="sign")
