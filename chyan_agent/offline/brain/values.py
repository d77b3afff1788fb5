"""What the brain's plans are made of: asks, results, values, and what is said in the end."""

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...messages import ToolCall


@dataclass(frozen=True, slots=True)
class Said:
    """A model's answer: text, tool calls, or both."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """A tool call that a plan wants the result of."""

    name: str
    arguments: Mapping[str, object]
    note: str = ""
    """What is said along with it, so that later steps need not see the earlier results."""

    @property
    def json(self) -> str:
        """The arguments as JSON text."""
        return json.dumps(self.arguments, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool gave back, read leniently."""

    text: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> "Result":
        """Read the content of a tool message: JSON where it is JSON."""
        try:
            data = json.loads(text)
        except ValueError:
            return cls(text)
        if isinstance(data, list):
            return cls(text, {"hits": data, "matches": data})
        return cls(text, data if isinstance(data, dict) else {"content": str(data)})

    @property
    def error(self) -> str:
        """The tool's own error text; empty when it succeeded."""
        found = self.data.get("error") or ""
        return str(found.get("message", found) if isinstance(found, dict) else found)

    @property
    def omitted(self) -> bool:
        """Whether only a handle is left of it."""
        return "omitted" in self.data

    @property
    def content(self) -> str:
        """The text that was read."""
        found = self.data.get("content")
        return found if isinstance(found, str) else "" if self.data else self.text


Plan = Generator[tuple[Ask, ...], tuple[Result, ...], str]
"""A task as steps: yields calls, is sent their results, returns the final text.

It is run again from its start for every request, so it must be a pure function of the request.
"""


@dataclass(frozen=True, slots=True)
class Value:
    """What a task found out: the value itself and the sentence that states it."""

    text: str
    sentence: str


class Unseen(Exception):
    """A result that a plan needs is no longer in the request."""


class Stuck(Exception):
    """A step failed; the text is what to tell the user."""


Found = Generator[tuple[Ask, ...], tuple[Result, ...], Value | None]
"""Steps that end in a value, or in None where the text is no such task."""


def ask(name: str, arguments: Mapping[str, object], note: str = "") -> Generator[Any, Any, Result]:
    """Call one tool and return its result. Raises Unseen where only a stub is left of it."""
    (result,) = yield (Ask(name, arguments, note),)
    assert isinstance(result, Result)
    if result.omitted and name != "write":
        raise Unseen(name)
    return result
