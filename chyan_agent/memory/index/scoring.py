"""BM25, field by field, over the windows of the documents."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import TEXT_FIELDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .columns import Ints

K1 = 0.9
B = 0.4
WEIGHTS = {"words": 1.0, "pairs": 0.3, "characters": 0.1, "function": 0.05, "phrases": 0.3}
WITHOUT_WORDS = WEIGHTS | {"characters": 0.3}
"""Weights where there is no dictionary, and pairs stand for words."""
LETTER = {"words": "w", "pairs": "p", "characters": "c", "function": "f", "phrases": "h"}
"""How a key of a field begins."""
LONGEST = 255
MOST = 15
"""A window's length and a token's frequency are counted up to these."""


@dataclass(slots=True)
class Totals:
    """How many windows there are, and their length by field."""

    windows: int = 0
    lengths: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TEXT_FIELDS, 0))


def coded(counts: Mapping[str, int], letter: str, length: int) -> dict[str, int]:
    """Return keys of the tokens of a window with a number below 4096: how often, how long it is.

    A length is at most LONGEST.
    """
    return {
        letter + token: (often if often < MOST else MOST) << 8 | length
        for token, often in counts.items()
    }


def frequency(codes: "Ints") -> "Ints":
    """Return the frequencies in codes."""
    return codes >> 8


def idf(size: int, holding: int) -> float:
    """Smoothed, so that it is positive however small the store and frequent the word."""
    return math.log(1 + (size - holding + 0.5) / (holding + 0.5))


def table(totals: Totals, name: str) -> "NDArray[np.float64]":
    """Return what a posting of a field is worth, by its code."""
    import numpy as np

    mean = max(totals.lengths[name] / max(totals.windows, 1), 1e-9)
    norms = K1 * (1 - B + B * np.arange(LONGEST + 1) / mean)
    often = np.arange(MOST + 1)[:, None]
    return (often * (K1 + 1) / (often + norms)).ravel()
