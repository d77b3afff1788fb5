"""fit(): State and Budget to Window and Ledger, always within the limit. Pure.

The order of a window keeps its front byte-identical as long as possible: system prompt and
tools, the summary as data in a user note, the kept turns, the current turn.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Self

from .budget import PRIMING, Budget, Ledger, Meter
from .errors import ContextOverflow
from .frames import defused
from .ladder import Draft, smaller
from .messages import Message
from .model import Schema
from .prompts import errors as say
from .prompts.core import CoreTexts
from .state import State, Summary
from .statements.evidence import line
from .texttools import tools_as_text


@dataclass(frozen=True, slots=True)
class Frame:
    """What every request of an agent shares, and what that costs in tokens."""

    system: Message
    """The one system message: no clock, no volatile text. Names the tools where calls are text."""
    tools: tuple[Schema, ...]
    """The definitions that go with a request: none where calls are text."""
    texts: CoreTexts
    system_cost: int
    """The system message and what opens the answer."""
    tools_cost: int
    prompt: str = ""
    """The system prompt by itself."""
    offered: tuple[Schema, ...] = ()
    """The definitions, however they are told to the model."""

    @classmethod
    def of(cls, system: str, tools: tuple[Schema, ...], texts: CoreTexts, meter: Meter) -> Self:
        """Return a frame, counted once: it is the same in every request."""
        plain = Message("system", system)
        cost = meter.message(plain) + PRIMING
        if not meter.form.text_calls:
            return cls(plain, tools, texts, cost, meter.tools(tools), system, tools)
        whole = Message("system", f"{system}\n\n{tools_as_text(tools, texts.text_tools)}")
        told = meter.message(whole) + PRIMING - cost
        return cls(whole, (), texts, cost, told, system, tools)

    def again(self, meter: Meter) -> "Frame":
        """Return the frame as another meter counts it, in the form of that meter."""
        return Frame.of(self.prompt, self.offered, self.texts, meter)

    @property
    def names(self) -> frozenset[str]:
        """The names of the tools."""
        functions = (schema["function"] for schema in self.offered)
        return frozenset(str(f["name"]) for f in functions if isinstance(f, Mapping))

    @property
    def fixed(self) -> int:
        """Tokens that every request spends before anything is said."""
        return self.system_cost + self.tools_cost


@dataclass(frozen=True, slots=True)
class Window:
    """The exact messages of one request, and the receipt of what they cost."""

    messages: tuple[Message, ...]
    ledger: Ledger


def summary_messages(summary: Summary, texts: CoreTexts) -> tuple[Message, ...]:
    """Return the summary as a user note with a short acknowledgement; nothing if it is empty.

    A note, because many chat templates allow one system message at the front only and insist
    on alternating roles, and because a summary is data and not an instruction.
    """
    text = summary_text(summary, texts)
    if not text:
        return ()
    return Message("user", text), Message("assistant", texts.summary_ack)


def summary_text(summary: Summary, texts: CoreTexts) -> str:
    """Return the summary as the model reads it: a heading, then one item a line."""
    parts = []
    if summary.evidence:
        parts += [texts.summary_evidence, *map(line, summary.evidence)]
    if summary.facts:
        parts += [texts.summary_facts, *(f"- {fact}" for fact in summary.facts)]
    if not parts:
        return ""
    # What is kept was said by anybody: no line of it can pose as a message of another role.
    return defused("\n".join((texts.summary_head.format(through=summary.told), *parts)))


def fit(state: State, budget: Budget, frame: Frame, meter: Meter) -> Window:
    """Return the window of the next request; the last turn of `state` is the current one.

    What is too large degrades in a fixed order (see `ladder`); the current question always
    stays. Raises ContextOverflow, before anything is sent, when even that is not enough.
    """
    whole = Draft(state.summary, state.turns[:-1], state.turns[-1])

    def over(draft: Draft) -> int:
        return _ledger(draft, budget, frame, meter).total - budget.allowed

    for draft in chain((whole,), smaller(whole, over, meter, frame.texts)):
        ledger = _ledger(draft, budget, frame, meter)
        if ledger.total <= budget.allowed:
            return Window(meter.form.messages(_messages(draft, frame)), ledger)
    raise ContextOverflow(
        say.TOO_LARGE.of(
            turn=draft.current.number,
            total=ledger.total,
            allowed=budget.allowed,
            **ledger.zones(),
        ),
        hint=say.TOO_LARGE_HINT,
    )


def _messages(draft: Draft, frame: Frame) -> tuple[Message, ...]:
    kept = (message for turn in draft.kept for message in turn.messages)
    summary = summary_messages(draft.summary, frame.texts)
    return (frame.system, *summary, *kept, *draft.current.messages)


def _ledger(draft: Draft, budget: Budget, frame: Frame, meter: Meter) -> Ledger:
    return Ledger(
        limit=budget.limit,
        reserved=budget.reserved,
        system=frame.system_cost,
        tools=frame.tools_cost,
        summary=meter.messages(summary_messages(draft.summary, frame.texts)),
        recent=sum(map(meter.turn, draft.kept)),
        current=meter.turn(draft.current),
    )
