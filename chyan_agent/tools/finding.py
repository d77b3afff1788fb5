"""The tools that look for things: search for names, grep for text."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, cast

from ..errors import ToolFailed
from ..prompts.tools import ToolTexts
from . import Arguments, Context, Limits
from .decoding import REPLACED, Text, open_text
from .excerpt import Readable
from .limit import Limit
from .listing import Entry
from .names import ESCAPE, printable
from .patterns import expression, glob, too_many
from .results import cap, fit_list
from .sandbox import Sandbox

if TYPE_CHECKING:
    import regex

Result = dict[str, object]

LINE = 65_536
"""Characters of a line looked at together; a match across such a border is not seen."""
SHOWN = 200
"""Characters of a line that are shown around a match."""


class Finding:
    """Looking for files and text in the workspace. Links are not followed."""

    def __init__(
        self,
        sandbox: Sandbox,
        limits: Limits,
        texts: ToolTexts,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._texts = texts
        self._clock = clock

    def search(self, arguments: Arguments, context: Context) -> Result:
        """Return the paths that match a glob, newest first.

        A pattern may be relative to `path` or to the workspace. One without wildcards that
        no name matches is looked for inside names.
        """
        pattern = cast("str", arguments["pattern"]).strip() or "*"
        if too_many(pattern):
            raise ToolFailed(self._texts.too_complex, hint=self._texts.narrow)
        limit, plain = Limit(self._clock), not set(pattern) & set("*?[{")
        exact, near = glob(pattern), glob(f"*{pattern}*") if plain else None
        found, others = list[Entry](), list[Entry]()
        for entry in takewhile(lambda _: limit.allows(), self._files(arguments, limit)):
            names = _names(entry, shown=ESCAPE in pattern)
            if any(map(exact, names)):
                found.append(entry)
            elif near and any(map(near, names)):
                others.append(entry)
        found = found or others
        found.sort(key=lambda entry: -entry.mtime)
        paths = [printable(entry.path) for entry in found[: self._limits.search_max_files]]
        listing = self._listing("files", paths, len(found), limit, context, {})
        # Models often look for text with this tool, and take nothing for an answer.
        inside = plain and not found and not limit.reached
        return {"hint": self._texts.look_inside, **listing} if inside else listing

    def grep(self, arguments: Arguments, context: Context) -> Result:
        """Return the lines that match a regular expression as `path:line:text`."""
        pattern = expression(cast("str", arguments["pattern"]), self._texts)
        limit = Limit(self._clock)
        found = _Found(self._limits.grep_max_matches)
        for entry in self._files(arguments, limit):
            if not limit.allows():
                break
            slow = self._grep_file(entry, pattern, found, limit)
            if slow:
                problem = self._texts.too_slow.format(path=printable(entry.path), line=slow)
                raise ToolFailed(problem, hint=self._texts.simpler)
        return self._listing("matches", found.lines, found.total, limit, context, self._note(found))

    def _note(self, found: "_Found") -> Result:
        """Return what was not seen, or not as it is; nothing if all was."""
        broken, unread = f"{found.broken:,}", f"{found.unread:,}"
        notes = [self._texts.undecodable.format(count=broken)] if found.broken else []
        notes += [self._texts.unread.format(count=unread)] if found.unread else []
        return {"note": " ".join(notes)} if notes else {}

    def _files(self, arguments: Arguments, limit: Limit) -> Iterator[Entry]:
        """Yield the files below `path`; an empty one is the whole workspace."""
        path = cast("str", arguments.get("path", "")) or "."
        try:
            yield from self._sandbox.files(path, limit.holds)
        except ToolFailed as error:
            if not isinstance(error.__cause__, FileNotFoundError):
                raise
            raise ToolFailed(str(error), hint=self._texts.look_everywhere) from error

    def _grep_file(
        self, entry: Entry, pattern: "regex.Pattern[str]", found: "_Found", limit: Limit
    ) -> int:
        """Collect the matches of a file; return the line on which the pattern takes too long."""
        try:
            with self._sandbox.open(entry.path) as (_, file):
                opened = open_text(file)
                return self._grep_text(entry, opened, pattern, found, limit) if opened else 0
        except ToolFailed as error:
            found.unread += not isinstance(error.__cause__, FileNotFoundError)  # gone meanwhile
            return 0

    def _grep_text(
        self,
        entry: Entry,
        opened: Text,
        pattern: "regex.Pattern[str]",
        found: "_Found",
        limit: Limit,
    ) -> int:
        search, seconds = pattern.search, self._limits.regex_timeout
        for line, text in _numbered(opened, limit):
            left = limit.left()
            if left <= 0:
                limit.holds()  # so that it is known why it ends
                break
            try:
                match = search(text, timeout=left if left < seconds else seconds)
            except TimeoutError:
                return line if limit.holds() else 0
            if match:
                broken = opened.broken > 0
                found.add(printable(entry.path), line, text, match.start(), broken=broken)
        return 0

    def _listing(
        self, key: str, items: list[str], total: int, limit: Limit, context: Context, beside: Result
    ) -> Result:
        """Return as much of a list as there is room for `beside` it, and how much there is."""
        unit = "lines" if key == "matches" else key
        note = self._texts.stopped.format(reason=limit.reached) if limit.reached else ""
        counts = {f"total_{unit}": total, f"returned_{unit}": len(items), "truncated": True}
        whole: Result = {**beside, **counts, "hint": note or self._texts.narrow, key: items}
        shown = fit_list(whole, key, cap(context, self._limits), context.count)
        counts |= {f"returned_{unit}": len(shown), "truncated": len(shown) < total or bool(note)}
        hint = {"hint": whole["hint"]} if counts["truncated"] else {}
        return {**beside, **counts, **hint, key: shown}


def _numbered(stream: Readable, limit: Limit) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers; a line that is too long comes in several parts."""
    number, rest = 1, ""
    while (block := stream.read(LINE)) and limit.allows(len(block)):
        lines = (rest + block).split("\n")
        rest = lines.pop()
        for place, line in enumerate(lines, number):
            yield place, line.removesuffix("\r")
        number += len(lines)
        if len(rest) > LINE:
            yield number, rest
            rest = ""
    if rest:
        yield number, rest.removesuffix("\r")


def _names(entry: Entry, *, shown: bool) -> list[str]:
    """Return the paths that a glob may match, also as they are shown."""
    names = [entry.inside, entry.path]
    return names + [printable(name) for name in names] if shown else names


@dataclass(slots=True)
class _Found:
    """Matching lines: all are counted, the first are kept."""

    most: int
    lines: list[str] = field(default_factory=list)
    total: int = 0
    last: tuple[str, int] = ("", 0)
    broken: int = 0
    """Bytes in the lines that are kept that could not be decoded."""
    unread: int = 0
    """Files that could not be opened."""

    def add(self, path: str, line: int, text: str, at: int, *, broken: bool) -> None:
        """Take a line with a match at `at`; a long line is shown around it.

        `broken` is a file in which not all could be decoded.
        """
        if (path, line) == self.last:
            return
        self.last = path, line
        self.total += 1
        if len(self.lines) < self.most:
            shown = _around(text, at)
            self.lines.append(f"{path}:{line}:{shown}")
            self.broken += shown.count(REPLACED) if broken else 0


def _around(text: str, at: int) -> str:
    if len(text) <= SHOWN:
        return text
    start = max(0, min(at - SHOWN // 4, len(text) - SHOWN))
    end = start + SHOWN
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
