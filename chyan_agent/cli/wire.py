"""Events as JSON objects: the stable form for scripts."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from ..budget import Ledger
from ..errors import AgentError
from ..events import (
    Answered,
    Compacted,
    Event,
    Noticed,
    Replied,
    Requested,
    Stopped,
    ToolRan,
    TurnStarted,
    Unsaved,
)
from ..model import Delta, Retry
from ..prompts import Language

NAMES: dict[type[Event], str] = {
    TurnStarted: "turn_started",
    Requested: "requested",
    Delta: "delta",
    Retry: "retry",
    Replied: "replied",
    ToolRan: "tool_ran",
    Compacted: "compacted",
    Noticed: "noticed",
    Answered: "answered",
    Unsaved: "unsaved",
    Stopped: "stopped",
}
"""Event class to its name outside Python. Names never change."""

_ESCAPES = {c: f"\\u{c:04x}" for c in (*range(0x7F, 0xA0), 0x2028, 0x2029)}
"""What JSON allows but a terminal obeys or a reader of lines splits at."""


def json_line(value: Mapping[str, object]) -> str:
    """Return an object as one line of JSON that is harmless to print."""
    return json.dumps(value, ensure_ascii=False).translate(_ESCAPES) + "\n"


def event_json(event: Event) -> dict[str, object]:
    """Return an event as an object: `event` names it, the rest are its fields."""
    return {"event": NAMES[type(event)], **_fields(event)}


def error_json(error: AgentError, language: Language) -> dict[str, object]:
    """Return an error in the same form."""
    return {
        "event": "error",
        "message": error.message_in(language),
        "hint": error.hint_in(language),
        "exit_code": error.exit_code,
    }


def _fields(value: object) -> dict[str, object]:
    found = {f.name: _plain(getattr(value, f.name)) for f in fields(value)}  # type: ignore[arg-type]
    if isinstance(value, Ledger):
        found["total"] = value.total
    return found


def _plain(value: object) -> object:
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
