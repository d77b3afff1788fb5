"""Reading a whole file through clipped results, page by page."""

import json
import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...prompts.offline import OfflineTexts
from .values import Ask, Result, Stuck, ask
from .view import View

MAX_PAGES = 14
PAGE_NOTE = "〔"
"""Begins what is noted between two pages of a file."""
_NOTE = re.compile(r"〔(.+?)@(\d+)(?:/(\d+))? (\{.*\})〕", re.DOTALL)

Steps = Generator[tuple[Ask, ...], tuple[Result, ...], Any]


class Fold(Protocol):
    """What is kept of a file while it is read."""

    def take(self, line: str) -> None:
        """Take in the next line."""
        ...

    def state(self) -> Mapping[str, object] | None:
        """Return all that is kept as JSON, or None if that is the whole text."""
        ...

    def resume(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""
        ...


@dataclass(slots=True)
class Lines:
    """Keeps every line."""

    lines: list[str] = field(default_factory=list)

    def take(self, line: str) -> None:
        """Take in the next line."""
        self.lines.append(line)

    def state(self) -> None:
        """Nothing short stands for a whole text."""

    def resume(self, state: Mapping[str, Any]) -> None:
        """Never called: there is no state."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where reading goes on: a line from 1, and a character inside a line that is too long."""

    line: int = 1
    char: int = 0

    def arguments(self, path: str) -> dict[str, object]:
        """Return the arguments of the read."""
        arguments: dict[str, object] = {"path": path}
        if self.line > 1 or self.char:
            arguments["start_line"] = self.line
        if self.char:
            arguments["start_char"] = self.char
        return arguments


def fold_file(view: View, path: str, fold: Fold) -> Steps:
    """Feed the lines of a whole file to `fold`. Raises Stuck where a read fails."""
    place, note = _resumed(view, path, fold)
    carry = ""
    for _ in range(MAX_PAGES):
        result = yield from ask("read", place.arguments(path), note)
        if result.error:
            raise Stuck(failure(view.texts, "read", result))
        lines, following = page(result, place)
        for number, line in enumerate(lines):
            whole = carry + line if number == 0 else line
            carry = ""
            if following and following.char and number == len(lines) - 1:
                carry = whole
            else:
                fold.take(whole)
        if not following:
            return
        place, state = following, fold.state() if not carry else None
        note = _note(path, place, state)


def page(result: Result, place: Place) -> tuple[list[str], Place | None]:
    """Return the lines of a read from `place` up to where it was clipped, and where to go on.

    A clipped text may show its tail too: only what stands before the gap is taken.
    """
    content = result.content.removesuffix("\n")
    lines = content.split("\n") if result.content else []
    following = _following(result, place)
    if following is None:
        return lines, None
    whole = following.line - place.line
    if not following.char:
        return lines[:whole], following
    start = place.char if following.line == place.line else 0
    part = lines[whole][: following.char - start] if whole < len(lines) else ""
    return [*lines[:whole], part], following


def _following(result: Result, place: Place) -> Place | None:
    if not result.data.get("truncated"):
        return None
    found = result.data.get("next")
    if isinstance(found, Mapping):
        following = Place(int(found.get("start_line") or 0), int(found.get("start_char") or 0))
    else:
        number = re.search(r"\d+", str(found or ""))
        following = Place(int(number.group()) if number else 0)
    forward = (following.line, following.char) > (place.line, place.char)
    return following if forward else None


def _note(path: str, place: Place, state: Mapping[str, object] | None) -> str:
    if state is None:
        return ""
    body = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
    return f"〔{path}@{place.line}/{place.char} {body}〕"


def _resumed(view: View, path: str, fold: Fold) -> tuple[Place, str]:
    """Go on from the newest note about this file: earlier pages may be gone from the request."""
    for note in reversed(view.notes):
        found = _NOTE.fullmatch(note.strip())
        if found and found[1] == path:
            fold.resume(json.loads(found[4]))
            return Place(int(found[2]), int(found[3] or 0)), note
    return Place(), ""


def whole_text(view: View, path: str) -> Steps:
    """Return the lines of a whole file."""
    kept = Lines()
    yield from fold_file(view, path, kept)
    return kept.lines


def failure(texts: OfflineTexts, name: str, result: Result) -> str:
    """Return the sentence that reports a failed call of the tool `name`."""
    return texts.failed.format(what=texts.calls[name], error=result.error) + texts.stop


def read(view: View, path: str, **more: object) -> Steps:
    """Return the result of one read. Raises Stuck where it fails."""
    result: Result = yield from ask("read", {"path": path, **more})
    if result.error:
        raise Stuck(failure(view.texts, "read", result))
    return result
