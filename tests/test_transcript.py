"""The append-only record: what a dying writer leaves behind, and what a reader makes of it."""

import json
import zlib
from pathlib import Path

import pytest

from chyan_agent.durable.records import MAX_LINE, seal
from chyan_agent.durable.transcript import Transcript
from chyan_agent.errors import CorruptError, VersionError
from chyan_agent.messages import Message
from chyan_agent.state import MessageAdded, SessionStarted

CLOCK = "2026-01-01T00:00:00.000"


def opened(path: Path) -> Transcript:
    """Open a transcript whose clock stands still."""
    return Transcript(path, clock=lambda: CLOCK)


def filled(path: Path) -> list[bytes]:
    """Write three records and return their lines."""
    transcript = opened(path)
    transcript.append(SessionStarted("main"))
    transcript.append(MessageAdded(1, Message("user", "分隔\u2028符 \r 和 😀")))
    transcript.append(MessageAdded(1, Message("assistant", "好")), durable=True)
    transcript.close()
    return path.read_bytes().splitlines(keepends=True)


def numbers(path: Path) -> list[int]:
    """Return the numbers of the records that can be read."""
    transcript = opened(path)
    found = [stored.seq for stored in transcript.scan()]
    transcript.close()
    return found


def test_the_line_format_is_plain_json_with_its_checksum_last(tmp_path: Path) -> None:
    """Every line is JSON that starts with its turn and ends with a CRC-32 of what is before it."""
    path = tmp_path / "c.jsonl"
    filled(path)
    for line in path.read_bytes().split(b"\n")[:-1]:
        body, _, crc = line.partition(b',"crc":"')
        assert line.startswith(b'{"turn":')
        assert crc == f'{zlib.crc32(body):08x}"}}'.encode("ascii")
        assert json.loads(line)["ts"] == CLOCK


def test_every_prefix_opens_and_the_next_append_is_safe(tmp_path: Path) -> None:
    """Cut anywhere, the file opens with its whole records; recovery is idempotent; appends work."""
    whole = tmp_path / "c.jsonl"
    filled(whole)
    data = whole.read_bytes()
    ends = [i + 1 for i, byte in enumerate(data) if byte == 10]
    for size in range(len(data) + 1):
        path = tmp_path / f"torn-{size}" / "c.jsonl"
        path.parent.mkdir()
        path.write_bytes(data[:size])
        complete = sum(end <= size or end == size + 1 for end in ends)
        assert numbers(path) == list(range(1, complete + 1))
        once = path.read_bytes()
        assert numbers(path) == list(range(1, complete + 1))
        assert path.read_bytes() == once
        transcript = opened(path)
        transcript.append(SessionStarted("again"), durable=True)
        assert [s.seq for s in transcript.scan()] == list(range(1, complete + 2))
        transcript.close()


def test_torn_bytes_are_set_aside_and_reported(tmp_path: Path) -> None:
    """What recovery cuts off stays on disk, and the user is told where."""
    path = tmp_path / "c.jsonl"
    filled(path)
    with path.open("ab") as file:
        file.write(b'{"turn":2,"se')
    transcript = opened(path)
    assert "quarantine" in str(transcript.problems[0])
    aside = list((tmp_path / "quarantine").iterdir())
    assert [p.read_bytes() for p in aside] == [b'{"turn":2,"se']


@pytest.mark.parametrize(
    "bad", [b"\n", b"{}\n", b"[]\n", b"null\n", b'{"turn":1}\n', b"\xff\xfe\n", b"[" * 9999 + b"\n"]
)
def test_a_bad_line_in_the_middle_is_reported_and_kept(tmp_path: Path, bad: bytes) -> None:
    """Damage between records costs that line alone; the file is left as it is."""
    path = tmp_path / "c.jsonl"
    filled(path)
    first, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(first + b"\n" + bad + rest)
    before = path.read_bytes()
    transcript = opened(path)
    assert [s.seq for s in transcript.scan()] == [1, 2, 3]
    assert any("not a record" in str(problem) for problem in transcript.problems)
    assert path.read_bytes() == before


def test_damage_without_a_line_end_hides_nothing_behind_it(tmp_path: Path) -> None:
    """A hole of zeros, longer than any record, is passed over like a bad line."""
    path = tmp_path / "conversation.jsonl"
    first, *rest = filled(path)
    path.write_bytes(first + bytes(MAX_LINE + 100_000) + b"\n" + b"".join(rest))
    transcript = opened(path)
    transcript.append(MessageAdded(2, Message("user", "next")), durable=True)
    places = [(stored.seq, stored.end - stored.start) for stored in transcript.scan()]
    assert [seq for seq, _ in places] == [1, 2, 3, 4]
    assert [size for _, size in places[:3]] == [len(line) for line in (first, *rest)]
    assert transcript.problems
    transcript.close()


def test_duplicates_are_read_once_and_gaps_are_reported(tmp_path: Path) -> None:
    """A record that stands twice counts once; a missing one is never passed over in silence."""
    path = tmp_path / "c.jsonl"
    filled(path)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], lines[0], lines[2], b""]))
    transcript = opened(path)
    assert [s.seq for s in transcript.scan()] == [1, 3]
    assert len(transcript.problems) == 2


def test_every_flipped_bit_of_a_record_is_noticed(tmp_path: Path) -> None:
    """No single-bit flip gives a record with other content."""
    path = tmp_path / "c.jsonl"
    filled(path)
    transcript = opened(path)
    good = next(s for s in transcript.scan() if s.seq == 2)
    data = bytearray(path.read_bytes())
    for place in range(good.start, good.end - 1):
        for bit in range(8):
            data[place] ^= 1 << bit
            path.write_bytes(data)
            assert all(s.record == good.record for s in transcript.scan() if s.seq == 2)
            data[place] ^= 1 << bit


def test_a_foreign_file_is_refused_untouched(tmp_path: Path) -> None:
    """A file of another program is named and left alone."""
    path = tmp_path / "c.jsonl"
    path.write_bytes(b"dear diary\n")
    with pytest.raises(CorruptError, match="not a transcript"):
        opened(path)
    assert path.read_bytes() == b"dear diary\n"


def test_a_newer_version_is_refused_untouched(tmp_path: Path) -> None:
    """A file from the future is not read with the eyes of the past."""
    path = tmp_path / "c.jsonl"
    filled(path)
    newer = seal({"turn": 2, "seq": 4, "v": 99, "kind": "hologram", "ts": CLOCK})
    path.write_bytes(path.read_bytes() + newer)
    before = path.read_bytes()
    with pytest.raises(VersionError, match="99"):
        opened(path)
    assert path.read_bytes() == before
