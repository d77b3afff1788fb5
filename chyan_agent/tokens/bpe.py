"""Counting with a vocabulary: total over all texts, in bounded time."""

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from ..budget import CountTokens

SLICE = 32_766
"""Most characters encoded at once. A multiple of three, the length of a group of digits."""
LARGEST = 2_097_152
"""Characters from which on a count is only bounded from above, by bytes."""
_LOOK_BACK = 2_048

# Vocabularies end a pre-token between a letter or digit and any of these characters, so a
# cut here can't change a count. An apostrophe is missing on purpose: it can belong to a word.
_SEAM = re.compile(r".*[^\W_](?=[\s,.;:!?()\[\]{}\"，。；：！？、（）《》…])", re.DOTALL)


class SlicedCounter:
    """Counts tokens as their own library does; special tokens in a text count as text.

    The law: texts of up to `SLICE` characters are counted exactly. Longer ones are counted slice
    by slice, exactly where each slice can end at the end of a word, and within two tokens a cut
    where it has to end inside one. Above `LARGEST` characters the count is the UTF-8 length,
    which no byte-level count exceeds.
    """

    def __init__(self, load: Callable[[], CountTokens]) -> None:
        """Take what loads a counter of texts of at most `SLICE` characters, when first needed."""
        self._load = load

    @cached_property
    def _count(self) -> CountTokens:
        return self._load()

    def __call__(self, text: str) -> int:
        """Tokens of any text. Raises nothing once the vocabulary is loaded."""
        if len(text) <= SLICE:
            return self._count(text)
        if len(text) > LARGEST:
            return len(text.encode("utf-8", "surrogatepass"))
        return sum(map(self._count, slices(text)))


def slices(text: str, size: int = SLICE) -> Iterator[str]:
    """Cut a text into pieces of at most `size` characters, at the ends of words where it can."""
    start = 0
    while len(text) - start > size:
        end = start + size
        seam = _SEAM.match(text, max(start, end - _LOOK_BACK), end + 1)
        cut = seam.end() if seam else end
        yield text[start:cut]
        start = cut
    yield text[start:]
