"""What the user sees while a turn runs: as text for people, as JSON lines for programs."""

from collections.abc import Mapping
from typing import Protocol

from ..errors import AgentError
from ..events import (
    Answered,
    Event,
    Noticed,
    Replied,
    Requested,
    Stopped,
    Unsaved,
)
from ..model import Delta
from ..prompts import Language
from ..prompts.terminal import TerminalTexts
from .lines import meter_line, side_line, title
from .terminal import Terminal
from .wire import error_json, event_json, json_line

QUIET = {"welcome", "bye", "hint", "rewound"}
"""Notices that need no attention."""


class Screen(Protocol):
    """Where everything goes that the command line has to say."""

    def event(self, event: Event) -> None:
        """Show something that happened in a turn."""
        ...

    def meter(self, turns: int) -> None:
        """Show how full the window was, after a turn; `turns` are verbatim in it."""
        ...

    def say(self, text: str) -> None:
        """Show what the user asked to see."""
        ...

    def notice(self, kind: str, text: str) -> None:
        """Show a side remark; `kind` is its stable name."""
        ...

    def fail(self, error: AgentError) -> None:
        """Show an error and the way out."""
        ...

    def row(self, fields: Mapping[str, object], text: str, style: str = "") -> None:
        """Show a line of a report: `text` to people, `fields` to programs."""
        ...


class TextScreen:
    """For people: the answer as it comes, one dim line for all else."""

    def __init__(
        self, texts: TerminalTexts, *, answers: Terminal, aside: Terminal, errors: Terminal
    ) -> None:
        self._texts = texts
        self._answers = answers
        self._aside = aside
        self._errors = errors
        self._streamed = False
        self._last: Replied | None = None

    def event(self, event: Event) -> None:
        """Print deltas as they come, and a line for what is worth one."""
        match event:
            case Requested():
                self._answers.passing("…")
            case Delta(text):
                self._stream(text)
            case Replied(step=step):
                self._end_reply(event if step else None)
            case Answered(text=text) | Unsaved(text=text):
                self._end_turn(text)
            case Stopped(reason=kind, text=text) | Noticed(kind=kind, text=text):
                self.notice(kind, text)
            case _:
                self._note(side_line(event, self._texts))

    def _stream(self, text: str) -> None:
        self._streamed = self._streamed or not text.isspace()
        self._answers.write(text)

    def _end_reply(self, replied: Replied | None) -> None:
        self._last = replied or self._last
        self._answers.end_line()

    def _end_turn(self, text: str) -> None:
        if not self._streamed:
            self._answers.line(text)
        self._streamed = False
        self._answers.end_line()

    def _note(self, text: str) -> None:
        if text:
            self._streamed = False
            self._answers.end_line()
            self._aside.line(text, "dim")

    def meter(self, turns: int) -> None:
        """Print the meter line of the last request."""
        if self._last:
            self._aside.line(meter_line(self._last, turns, self._texts), "dim")
        self._last = None

    def say(self, text: str) -> None:
        """Print text as it is."""
        self._answers.line(text)

    def notice(self, kind: str, text: str) -> None:
        """Print a remark."""
        self._streamed = False
        self._answers.end_line()
        self._aside.line(text, "dim" if kind in QUIET else "yellow")

    def fail(self, error: AgentError) -> None:
        """Print title, message and hint of an error."""
        self._streamed = False
        self._answers.end_line()
        texts = self._texts
        message, hint = error.message_in(texts.language), error.hint_in(texts.language)
        said = texts.error.format(title=title(error, texts), message=message)
        self._errors.line(said, "red")
        if hint:
            self._errors.line(texts.hint.format(hint=hint))

    def row(self, fields: Mapping[str, object], text: str, style: str = "") -> None:
        """Print the text."""
        self._answers.line(text, style)


class JsonScreen:
    """For programs: one JSON object a line."""

    def __init__(self, answers: Terminal, language: Language) -> None:
        self._answers = answers
        self._language = language

    def _print(self, value: Mapping[str, object]) -> None:
        self._answers.raw(json_line(value))

    def event(self, event: Event) -> None:
        """Print an event."""
        self._print(event_json(event))

    def meter(self, turns: int) -> None:
        """Print nothing: the ledger is in every `replied`."""

    def say(self, text: str) -> None:
        """Print the output of a command."""
        self._print({"event": "output", "text": text})

    def notice(self, kind: str, text: str) -> None:
        """Print a remark in the form of the event."""
        self.event(Noticed(0, kind, text))

    def fail(self, error: AgentError) -> None:
        """Print an error."""
        self._print(error_json(error, self._language))

    def row(self, fields: Mapping[str, object], text: str, style: str = "") -> None:
        """Print the fields."""
        self._print(fields)
