"""What is told of a damaged log: all of it, once, and only what is true."""

import json
from pathlib import Path

import pytest

from chyan_agent.config import load
from chyan_agent.durable.records import seal
from chyan_agent.durable.resealing import accept_edits
from chyan_agent.errors import CorruptError, VersionError
from chyan_agent.upkeep import verify

from .made import open_conversation
from .test_edited import LOG, META, asked, go_on, lived


def strict(folder: Path) -> str:
    """Return what `--strict` says of a folder; empty if nothing is damaged."""
    try:
        verify(load(None, environ={}, overrides={"data_dir": str(folder)}), session="main")
    except CorruptError as error:
        return error.message_in("en")
    return ""


def warned(folder: Path) -> list[str]:
    """Return what a start says."""
    conversation = open_conversation(folder)
    told = list(map(str, conversation.warnings))
    conversation.close()
    return told


@pytest.mark.parametrize("cut", [1, 2, 3, 5])
def test_a_missing_beginning_is_told(tmp_path: Path, cut: int) -> None:
    """The first records are missed like any others."""
    whole = lived(tmp_path)
    (tmp_path / LOG).write_bytes(b"".join(whole[cut:]))
    assert f"between 0 and {cut + 1} are missing" in strict(tmp_path)
    for _ in range(2):
        assert [text for text in warned(tmp_path) if "missing at byte 0" in text]


@pytest.mark.parametrize("torn", [b'{"turn":5,"seq":', b"\0\0\0", b"\n\n", b"{}\n"])
def test_a_torn_end_is_told_once(tmp_path: Path, torn: bytes) -> None:
    """Who only looks is told of it as of one thing."""
    whole = b"".join(lived(tmp_path))
    (tmp_path / LOG).write_bytes(whole + torn)
    told = strict(tmp_path)
    assert "places (1)" in told and f"{len(torn)} bytes at byte {len(whole)}" in told


@pytest.mark.parametrize(
    ("places", "gone"), [([3], []), ([3, 4], []), ([3], [4]), ([4, 3], [2]), ([5, 7], [6])]
)
def test_changed_records_are_not_missed_too(
    tmp_path: Path, places: list[int], gone: list[int]
) -> None:
    """They are told as what they are; others that are missing beside them are told as well."""
    whole = lived(tmp_path)
    for place in places:
        whole[place] = whole[place].replace(b"hi", b"HI").replace(b"question", b"QUESTION")
    left = [line for place, line in enumerate(whole) if place not in gone]
    (tmp_path / LOG).write_bytes(b"".join(left))
    for _ in range(2):
        told = warned(tmp_path)
        assert "were changed" in told[0] and any("missing" in text for text in told) == bool(gone)
        assert len(told) == 1 + bool(gone) + (gone == [6])


def test_a_newer_record_in_a_log_with_a_snapshot(tmp_path: Path) -> None:
    """It may take exactly the place of one of ours: the checksum alone says nothing of versions."""
    whole = lived(tmp_path)
    for place, line in enumerate(whole):
        fields = json.loads(line) | {"v": 2}
        fields.pop("crc")
        newer = seal(fields)
        assert len(newer) == len(line)
        (tmp_path / LOG).write_bytes(b"".join([*whole[:place], newer, *whole[place + 1 :]]))
        with pytest.raises(VersionError):
            open_conversation(tmp_path)


@pytest.mark.parametrize(("place", "seq"), [(4, 99), (4, 12), (4, 2), (6, 4)])
def test_an_edit_with_another_number_costs_no_record(tmp_path: Path, place: int, seq: int) -> None:
    """A number above its neighbours would make those pass for old ones: it is not accepted."""
    whole = lived(tmp_path)
    odd = whole[place].replace(b'"seq":%d,' % (place + 1), b'"seq":%d,' % seq)
    (tmp_path / LOG).write_bytes(b"".join([*whole[:place], odd, *whole[place + 1 :]]))
    there = (tmp_path / LOG).read_bytes()
    told = list(map(str, accept_edits(tmp_path / LOG, tmp_path / META)))
    assert len(told) == 1 and f"record {seq} " in told[0] and "not accepted" in told[0]
    assert (tmp_path / LOG).read_bytes() == there
    assert ("--accept-edited" in "".join(warned(tmp_path))) == (seq > place)
    assert go_on(tmp_path, "next") == 5
    conversation = open_conversation(tmp_path)
    assert asked(conversation)[-1] == "next" and len(asked(conversation)) >= 4


def test_edits_that_fit_are_accepted_beside_one_that_does_not(tmp_path: Path) -> None:
    """Each is judged by the whole records around it."""
    whole = lived(tmp_path)
    edited = [line.replace(b"question", b"QUESTION") for line in whole]
    edited[3] = edited[3].replace(b'"seq":4,', b'"seq":40,')
    (tmp_path / LOG).write_bytes(b"".join(edited))
    told = list(map(str, accept_edits(tmp_path / LOG, tmp_path / META)))
    assert [text for text in told if "not accepted" in text] == told[-1:]
    conversation = open_conversation(tmp_path)
    assert asked(conversation) == ["QUESTION 1", "QUESTION 3", "QUESTION 4"]


def test_accepted_edits_start_as_fast_as_any(tmp_path: Path) -> None:
    """An editor that sorts the fields of records leaves them so that they are found at once."""
    whole = lived(tmp_path)
    lines = [json.dumps(json.loads(line), sort_keys=True).encode() + b"\n" for line in whole]
    (tmp_path / LOG).write_bytes(b"".join(lines))
    accept_edits(tmp_path / LOG, tmp_path / META)
    heads = [line.partition(b',"message"')[0] for line in whole]
    found = (tmp_path / LOG).read_bytes().splitlines()
    assert [line.partition(b',"message"')[0] for line in found[1:]] == heads[1:]
