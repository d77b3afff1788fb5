"""What a turn works with, and the one way in which it asks the model."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar

from .budget import Budget, Ledger, Meter
from .conversation import Conversation
from .events import Event, Replied, Requested
from .messages import Message
from .model import Delta, Model, Reply, Request
from .strategies import Strategy
from .tools.toolset import Toolset
from .window import Frame

T = TypeVar("T")
Events = Generator[Event, None, T]
"""A stream of events that ends with a value."""

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


@dataclass(slots=True, kw_only=True)
class Parts:
    """The rooms that a turn needs. The budget alone changes: an endpoint may teach a limit."""

    conversation: Conversation
    model: Model
    tools: Toolset
    frame: Frame
    budget: Budget
    meter: Meter
    strategy: Strategy
    settings: Settings
    clock: Callable[[], float]


def send(parts: Parts, turn: int, step: int, request: Request, ledger: Ledger) -> Events[Reply]:
    """Ask the model, reporting as it goes; a compaction's text is not shown. Raises ModelError."""
    yield Requested(turn, step, ledger)
    began = parts.clock()
    reply = Reply(Message("assistant"), finish="")
    for piece in parts.model.complete(request):
        if isinstance(piece, Reply):
            reply = piece
        elif not (isinstance(piece, Delta) and step == COMPACTION):
            yield piece
    yield Replied(turn, step, ledger, reply.usage, reply.finish, parts.clock() - began)
    return reply
