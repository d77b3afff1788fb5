"""Tells apart what a model thinks and what it answers, where both come as one text. Pure."""

import re
from typing import Literal

_TAGS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
}
_CLOSING = "</think>"
_ORPHAN = re.compile(r"(?:\A|\n)[ \t]*</think>[ \t]*(?:\n|\Z)")


class ThinkFilter:
    """Hides the block with which some models open their answer; tags may be cut anywhere."""

    def __init__(self) -> None:
        self._held = ""
        self._thought: list[str] = []
        self._close = _CLOSING
        self._state: Literal["start", "inside", "after", "open"] = "start"

    @property
    def thought(self) -> str:
        """What was thought so far."""
        return "".join(self._thought).strip()

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
        """Return what was held back only because it might have become a tag.

        A block that was never closed is all thought.
        """
        if self._state == "inside":
            self._thought.append(self._release())
        return self._release() if self._state in ("start", "open") else ""

    def _enter(self) -> None:
        seen = self._held.lstrip()
        for tag, close in _TAGS.items():
            if seen.startswith(tag):
                self._state, self._held, self._close = "inside", seen[len(tag) :], close
                return
        if seen.startswith(_CLOSING):  # the prompt had opened the block, and nothing was thought
            self._state, self._held = "after", seen[len(_CLOSING) :]
        elif not any(tag.startswith(seen) for tag in (*_TAGS, _CLOSING)):
            self._state = "open"

    def _leave(self) -> None:
        thought, tag, rest = self._held.partition(self._close)
        if tag:
            self._state, self._held = "after", rest
        else:
            cut = len(self._held) - len(self._close) + 1
            thought, self._held = self._held[: max(cut, 0)], self._held[max(cut, 0) :]
        self._thought.append(thought)

    def _release(self) -> str:
        text, self._held = self._held, ""
        return text


def without_orphan(text: str) -> tuple[str, str]:
    """Return thought and answer of a text with a closing tag alone on a line, else ("", text).

    Some templates open the block in the prompt, so that the text begins in the middle of it.
    """
    if text.count(_CLOSING) != 1 or "<think" in text or not (tag := _ORPHAN.search(text)):
        return "", text
    return text[: tag.start()].strip(), text[tag.end() :].strip()
