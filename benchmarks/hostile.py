"""Inputs of 64 KB that are as awkward as they come, by name."""

import base64
import random
import time
from collections.abc import Callable

SIZE = 65_536
_HARD = (
    *("a", "=", " x", "1\n", "<|endoftext|>", "\x00\x07", "\\u4e2d", "é", "e\u0301\u0302\u0303"),
    *(" ", "\n", "\r\n", "\t \n", "\u3000", "\u200b", "aB", "it's'", "0.", "２", "ـ", "क्"),
    "👨\u200d👩\u200d👧",
)


def inputs() -> dict[str, str]:
    """Return texts of about 64 KB of UTF-8 each."""
    rng = random.Random(7)
    texts = {f"repeated {unit!a}": unit * (SIZE // len(unit.encode())) for unit in _HARD}
    letters = "abcdefghijklmnopqrstuvwxyz"
    texts["random letters"] = "".join(rng.choices(letters, k=SIZE))
    texts["random digits"] = "".join(rng.choices("0123456789", k=SIZE))
    texts["base64"] = base64.b64encode(rng.randbytes(SIZE * 3 // 4)).decode()
    texts["Chinese, no punctuation"] = _points(rng, 0x4E00, 0x9FA5, 3)
    texts["emoji"] = _points(rng, 0x1F600, 0x1F64F, 4)
    texts["any characters"] = _points(rng, 0x20, 0x2FFF, 3)
    texts["one long JSON line"] = '{"值":[1,2,"x\\ny"]},' * (SIZE // 22)
    texts["short lines"] = "文\n" * (SIZE // 4)
    texts["lone surrogates"] = "\ud83d" * (SIZE // 3)
    return texts


def slowest(count: Callable[[str], int]) -> tuple[float, str]:
    """Return the most milliseconds that counting takes for a KB of any of these, and for which."""
    took = {}
    for name, text in inputs().items():
        size = len(text.encode("utf-8", "surrogatepass")) / 1024
        took[name] = min(_seconds(count, f"{n} {text}") for n in range(3)) * 1e3 / size
    name = max(took, key=lambda name: took[name])
    return took[name], name


def _seconds(count: Callable[[str], int], text: str) -> float:
    began = time.process_time()
    count(text)
    return time.process_time() - began


def _points(rng: random.Random, low: int, high: int, size: int) -> str:
    return "".join(chr(rng.randint(low, high)) for _ in range(SIZE // size))
