"""Hides the `<think>…</think>` block with which some models open their answer. Pure."""

from typing import Literal

_OPEN, _CLOSE = "<think>", "</think>"


class ThinkFilter:
    """A small state machine over pieces of text; tags may be cut anywhere."""

    def __init__(self) -> None:
        self._held = ""
        self._state: Literal["start", "inside", "after", "open"] = "start"

    def feed(self, text: str) -> str:
        """Return what may be shown now."""
        if self._state == "open":
            return text
        self._held += text
        if self._state == "start":
            self._enter()
        if self._state == "inside":
            self._leave()
        if self._state == "after" and (shown := self._held.lstrip()):
            self._state, self._held = "open", shown
        return self._release() if self._state == "open" else ""

    def finish(self) -> str:
        """Return what was held back only because it might have become a tag."""
        return self._release() if self._state in ("start", "open") else ""

    def _enter(self) -> None:
        seen = self._held.lstrip()
        if seen.startswith(_OPEN):
            self._state, self._held = "inside", seen[len(_OPEN) :]
        elif not _OPEN.startswith(seen):
            self._state = "open"

    def _leave(self) -> None:
        _, tag, rest = self._held.partition(_CLOSE)
        if tag:
            self._state, self._held = "after", rest
        else:
            self._held = self._held[-len(_CLOSE) + 1 :]

    def _release(self) -> str:
        text, self._held = self._held, ""
        return text
