"""What a turn works with, and the one way in which it asks the model."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from .budget import Budget, Ledger, Meter
from .callwatch import Settled, listen
from .conversation import Conversation
from .events import Event, Noticed, Replied, Requested
from .model import Model, Reply, Request
from .strategies import Strategy
from .tools.toolset import Toolset
from .window import Frame

T = TypeVar("T")
Events = Generator[Event, None, T]
"""A stream of events that ends with a value."""

Closing = Literal["auto", "on", "off"]
"""When a tool result asks for the answer: once a model repeats itself or writes calls as text,
always, never."""

COMPACTION = 0
"""The step number of a compaction request."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The numbers of the loop, from config.toml."""

    recent: int = 2
    ratio: float = 0.3
    max_steps: int = 16
    max_result: int = 1500
    temperature: float | None = None
    closing: Closing = "auto"


@dataclass(slots=True, kw_only=True)
class Parts:
    """The rooms that a turn needs. An endpoint may teach a limit or a form: budget, frame and
    meter change then."""

    conversation: Conversation
    model: Model
    tools: Toolset
    frame: Frame
    budget: Budget
    meter: Meter
    strategy: Strategy
    settings: Settings
    clock: Callable[[], float]
    told: set[str] = field(default_factory=set)
    """Remarks that are made once: their kinds."""


def send(parts: Parts, turn: int, step: int, request: Request, ledger: Ledger) -> Events[Reply]:
    """Ask the model, reporting as it goes; a compaction's text is not shown. Raises ModelError."""
    yield Requested(turn, step, ledger)
    began = parts.clock()
    names = parts.frame.names if step != COMPACTION else ()
    settled = yield from listen(parts.model, request, names, quiet=step == COMPACTION)
    reply = settled.reply
    yield Replied(turn, step, ledger, reply.usage, reply.finish, parts.clock() - began)
    if step != COMPACTION:
        yield from _remarks(parts, turn, settled)
    return reply


def _remarks(parts: Parts, turn: int, settled: Settled) -> Events[None]:
    texts = parts.frame.texts
    if settled.thought_aloud:
        yield Noticed(turn, "thinking", texts.told_thinking)
    if settled.from_text and not parts.meter.form.text_calls and "text_call" not in parts.told:
        parts.told.add("text_call")
        yield Noticed(turn, "text_call", texts.told_text_call)
