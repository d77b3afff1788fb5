"""The line format: what is sealed comes back, and nothing else does."""

import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.durable.records import MAX_LINE, seal, unseal
from chyan_agent.errors import StorageError

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(min_size=1), VALUES, min_size=1, max_size=5)


def sealed(text: bytes) -> bytes:
    """Give any text that ends in a brace a right checksum."""
    body = text[:-1]
    return body + b',"crc":"%08x"}\n' % zlib.crc32(body)


@given(OBJECTS.filter(lambda obj: "crc" not in obj))
def test_round_trip(obj: dict[str, object]) -> None:
    """What was sealed is unsealed unchanged, from a single line."""
    line = seal(obj)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert unseal(line) == obj


def test_plain_json() -> None:
    """A line is plain JSON whose last key is the checksum, and Chinese is not escaped."""
    line = seal({"turn": 3, "text": "语言"})
    assert list(json.loads(line)) == ["turn", "text", "crc"]
    assert "语言".encode() in line


def test_lone_surrogate() -> None:
    """A lone surrogate is replaced, a split pair is joined."""
    assert unseal(seal({"text": "a\ud800b\ud83d\ude00"})) == {"text": "a\ufffdb\U0001f600"}


def test_bit_flips() -> None:
    """Every single flipped bit is noticed (except in the newline)."""
    line = seal({"turn": 1, "text": "端口 8080"})
    for bit in range((len(line) - 1) * 8):
        spoiled = bytearray(line)
        spoiled[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ValueError):
            unseal(bytes(spoiled).rstrip(b"\n") + b"\n")


def test_every_prefix_is_damage() -> None:
    """No part of a line passes for the whole."""
    line = seal({"turn": 1, "text": "x"})
    for end in range(len(line) - 1):
        with pytest.raises(ValueError):
            unseal(line[:end])


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{}",
        b"null\n",
        b'{"a":1}\n',
        b'{"a":1,"crc":"00000000"}\n',
        b"\xff\xfe\n",
        sealed(b'{"a":NaN}'),
        sealed(b'{"a":-Infinity}'),
        sealed(b'{"a":1e999}'),
        sealed(b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
        sealed(b'{"a":"\xff"}'),
        sealed(b'{"a":' + b"7" * 5000 + b"}"),
        sealed(b'["a"}'),
        b" " * (MAX_LINE + 1),
    ],
    ids=range(15),
)
def test_damage(line: bytes) -> None:
    """Whatever is not a sealed object raises ValueError, even with a right checksum."""
    with pytest.raises(ValueError):
        unseal(line)


def test_editor_traces() -> None:
    """A byte order mark and a carriage return are tolerated."""
    line = seal({"a": 1})
    assert unseal(b"\xef\xbb\xbf" + line[:-1] + b"\r\n") == {"a": 1}
    assert unseal(line[:-1]) == {"a": 1}


@pytest.mark.parametrize(
    "obj",
    [
        {},
        {"crc": "x"},
        {"a": float("nan")},
    ],
    ids=["empty", "crc", "nan"],
)
def test_unsealable(obj: dict[str, object]) -> None:
    """What could not be read back is not written."""
    with pytest.raises(ValueError):
        seal(obj)


def test_a_record_that_no_reader_would_take_is_not_written() -> None:
    """More than a line may hold is an error that the user can act on."""
    with pytest.raises(StorageError) as caught:
        seal({"a": "x" * (MAX_LINE + 1)})
    assert caught.value.hint
