"""Inputs: seeds of every target as they are, mutated, blown up, and bytes at random."""

import random
from collections.abc import Sequence

from hypothesis import strategies as st

LARGE = 65_536
"""Bytes to which a seed is blown up for the bounds on memory and time."""
_TOKENS = (
    b"\0", b"\n", b"\r\n", b"\r", b"\t", b" ", b'"', b"'", b"\\", b"\\u", b"\\ud800", b"\\udc00",
    b"{", b"}", b"[", b"]", b"(", b")", b"<", b">", b":", b",", b"/", b"..", b"../", b"//", b"*",
    b"\xff", b"\xfe", b"\x80", b"\xc3", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xef\xbb\xbf",
    b"\x1b[2J", b"\x1b]52;c;", b"\x9b", b"\xe2\x80\xae", b"\xe2\x80\xa8", b"\xc2\x85", b"\x07",
    b"null", b"true", b"NaN", b"-1", b"1e999", b"0", b"9" * 30, b"1_0", b"0x", b"\xd9\xa1",
    "中文".encode(), "：".encode(), "。".encode(), "é".encode(), "e\u0301".encode(), b"@t9", b"#t1",
    b"<tool_call>", b"</tool_call>", b"<think>", b"</think>", b"```json\n", b"data: ", b"[DONE]",
)  # fmt: skip


def mutated(seed: bytes, number: int) -> bytes:
    """Return a seed after a few changes, the same for the same number."""
    rng = random.Random(number)
    data = bytearray(seed)
    for _ in range(rng.choice((1, 1, 2, 3, 5, 9))):
        at = rng.randint(0, len(data))
        end = min(at + rng.choice((1, 1, 2, 4, 16, 99)), len(data))
        match rng.randrange(8):
            case 0:
                del data[at:end]
            case 1 | 2 | 3:
                data[at:at] = rng.choice(_TOKENS)
            case 4:
                data[at:end] = rng.randbytes(end - at)
            case 5:
                data[at:at] = data[at:end] * rng.choice((1, 2, 40))
            case 6:
                data[at:] = b""
            case _ if end > at:
                data[at] ^= 1 << rng.randrange(8)
    return bytes(data[:LARGE])


def blown_up(seed: bytes) -> list[bytes]:
    """Return a seed repeated up to 64 KB: whole, its first half, its first character alone."""
    units = dict.fromkeys((seed, seed[: len(seed) // 2], seed[:1]))
    return [(unit * (LARGE // len(unit) + 1))[:LARGE] for unit in units if unit]


def inputs(seeds: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Return bytes near one of the seeds most of the time, any bytes or text otherwise."""
    near = st.builds(mutated, st.sampled_from(list(seeds)), st.integers(0, 2**48))
    crossed = st.builds(
        lambda one, other, cut: one[: cut % (len(one) + 1)] + other[cut % (len(other) + 1) :],
        st.sampled_from(list(seeds)),
        near,
        st.integers(0, 10_000),
    )
    text = st.text(max_size=120).map(lambda said: said.encode("utf-8", "surrogatepass"))
    return st.one_of(near, near, crossed, text, st.binary(max_size=200))
