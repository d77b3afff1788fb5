"""Patterns that are compiled at their first use: a start needs few of hundreds."""

import re
from collections.abc import Callable, Iterator

_USES = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")


class Late:
    """A pattern of `re` with the methods that we use. Raises re.error at the first use, if ever."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags

    def made(self) -> re.Pattern[str]:
        """Return the compiled pattern, whose methods take the place of ours."""
        made = re.compile(self.pattern, self._flags)
        self.__dict__.update({use: getattr(made, use) for use in _USES})
        return made

    def search(self, text: str, *bounds: int) -> re.Match[str] | None:
        """Search as `re` does."""
        return self.made().search(text, *bounds)

    def match(self, text: str, *bounds: int) -> re.Match[str] | None:
        """Match as `re` does."""
        return self.made().match(text, *bounds)

    def fullmatch(self, text: str, *bounds: int) -> re.Match[str] | None:
        """Match the whole text."""
        return self.made().fullmatch(text, *bounds)

    def finditer(self, text: str, *bounds: int) -> Iterator[re.Match[str]]:
        """Yield all matches."""
        return self.made().finditer(text, *bounds)

    def findall(self, text: str) -> list[str]:
        """Return what all matches hold; for patterns with one group at most."""
        return self.made().findall(text)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """Replace all matches, or the first ones."""
        return self.made().sub(new, text, count)

    def subn(self, new: str, text: str) -> tuple[str, int]:
        """Replace all matches, and count them."""
        return self.made().subn(new, text)

    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        """Split at all matches; for patterns without groups that may be left out."""
        return self.made().split(text, maxsplit)
