"""What a turn works with, and the one way in which it asks the model."""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from .budget import Budget, Ledger, Meter
from .callwatch import Settled, listen
from .conversation import Conversation
from .echoes import Machinery
from .errors import ModelOverflow
from .events import Event, Noticed, Replied, Requested
from .learnt import Learnt
from .model import Model, Reply, Request
from .signs import Sign, signs
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
    max_seconds: float = 3600.0
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
    """The window as configured, or as an endpoint has taught it since."""
    meter: Meter
    strategy: Strategy
    settings: Settings
    clock: Callable[[], float]
    learnt: Learnt = field(default_factory=Learnt)
    """How the endpoint counts."""

    @property
    def told(self) -> set[str]:
        """Kinds of remarks that were made, and `calls` once a reply had some."""
        return self.learnt.told

    @property
    def allowance(self) -> Budget:
        """The budget as the endpoint counts: what plans, windows and results keep to."""
        return self.budget.counted(self.learnt.factor)


def send(
    parts: Parts,
    turn: int,
    step: int,
    request: Request,
    ledger: Ledger,
    known: Machinery | None = None,
) -> Events[Reply]:
    """Ask the model, reporting as it goes; a compaction's text is not shown. Raises ModelError.

    What the endpoint says of the request's size is learnt, from a refusal too. An answer that
    only says what is `known` comes back empty.
    """
    learnt = parts.learnt
    load = learnt.scale.weigh(ledger.total, request.messages, request.tools)
    ledger = replace(ledger, estimated=learnt.calibration.estimate(load))
    yield Requested(turn, step, ledger)
    began = parts.clock()
    names = parts.frame.names if step != COMPACTION else ()
    try:
        settled = yield from listen(
            parts.model, request, names, known=known, quiet=step == COMPACTION
        )
    except ModelOverflow as error:
        learnt.take(load, error.counted or 0)
        raise
    reply = settled.reply
    before = [(report.load.counted, report.tokens) for report in learnt.calibration.reports]
    learnt.take(load, reply.usage.prompt_tokens)
    yield Replied(turn, step, ledger, reply.usage, reply.finish, parts.clock() - began)
    for remark in learnt.news():
        yield Noticed(turn, "counting", remark.text(parts.frame.texts.language))
    if step != COMPACTION:
        yield from _remarks(parts, turn, settled)
        sizes = {"sent": load.counted, "limit": parts.budget.limit, "output": request.max_output}
        found = signs(reply, before=before, **sizes)
        yield from _signs(parts, turn, reply, request.max_output, found)
    return reply


def _signs(
    parts: Parts, turn: int, reply: Reply, output: int, found: Iterable[Sign]
) -> Events[None]:
    """Tell each thing once that a reply showed of the endpoint's window."""
    usage = reply.usage
    figures = {
        "read": usage.prompt_tokens,
        "written": usage.completion_tokens,
        "total": usage.prompt_tokens + usage.completion_tokens,
        "output": output,
        "limit": parts.budget.limit,
    }
    for sign in found:
        if sign not in parts.told:
            parts.told.add(sign)
            text = parts.frame.texts.signs[sign]
            yield Noticed(turn, sign, text.format(**{k: f"{v:,}" for k, v in figures.items()}))


def _remarks(parts: Parts, turn: int, settled: Settled) -> Events[None]:
    texts = parts.frame.texts
    if settled.thought_aloud:
        yield Noticed(turn, "thinking", texts.told_thinking)
    if settled.echoed:
        yield Noticed(turn, "echo", texts.told_echo)
    if settled.from_text and not parts.meter.form.text_calls and "text_call" not in parts.told:
        parts.told.add("text_call")
        yield Noticed(turn, "text_call", texts.told_text_call)
