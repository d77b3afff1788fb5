"""What an endpoint's own counts teach: how many of its tokens a request may take at most. Pure.

No count of ours is exact for another tokenizer. But every reply says what the endpoint counted,
and each such report rules out most of the tokenizers that it might have. The estimate of a
request is the dearest that is left: it errs on one side. See docs/decisions/0010.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from .budget import PER_CALL, PER_MESSAGE, compact_json
from .extremes import Box, Row, Rule, allows, dot, highest
from .messages import Message
from .model import Schema

MOST, LEAST = 4.0, 0.1
"""A report that is more than so many times our count, or less, is no count of this request."""
KEPT = 32
"""Reports that are remembered, of requests that differ."""
STEP_TOKENS, STEP_MESSAGES = 512, 8
"""Requests are alike when they are in one step of size and of number: the newer one is kept."""
TOLERANCE, ROUNDING = 0.005, 24
"""How far a report may be off any line: a share of it, and tokens."""
EXACT = 8
"""Tokens that an endpoint may count less than we do, and be said to count as we do."""
MARGIN = 0.01
"""Added to every estimate: no tokenizer is quite a list of prices."""
PESSIMISM = 1.5
"""The dearest tokenizer that is left is never feared more than this times the dearest report."""

# The tokenizers that there are, as prices: of a token of ours, of a message, of a call, of a Han
# or kana character and a digit on top of their tokens, of what stands around tool definitions, of
# a byte, which is what crude counters go by.
PRICES: Box = (
    *((0.0, 4.5), (0.0, 16.0), (0.0, 30.0), (-0.4, 0.8), (0.0, 1.0), (-200.0, 600.0)),
    (0.0, 0.4),
)

_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
_DIGITS = re.compile(r"[0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class Load:
    """A request as it weighs on any tokenizer."""

    counted: int
    """Tokens by our count, framing included."""
    messages: int
    calls: int = 0
    han: int = 0
    """Characters of Chinese, Japanese and Korean: what tokenizers differ in most."""
    digits: int = 0
    """Tokens more if each digit is one, which is how many tokenizers cut numbers."""
    tools: bool = False
    size: int = 0
    """Bytes of all texts."""

    @property
    def row(self) -> Row:
        """What each price is taken for."""
        text = self.counted - PER_MESSAGE * self.messages - PER_CALL * self.calls
        found = (text, self.messages, self.calls, self.han, self.digits, self.tools, self.size)
        return tuple(map(float, found))


@dataclass(frozen=True, slots=True)
class Report:
    """What an endpoint counted for a request, its prompt alone."""

    load: Load
    tokens: int

    @property
    def alike(self) -> tuple[int, int, bool]:
        """The class of requests of which only the newest is kept."""
        load = self.load
        return load.counted // STEP_TOKENS, load.messages // STEP_MESSAGES, load.tools

    @property
    def usable(self) -> bool:
        """Whether it can be a count of this request at all."""
        return LEAST * self.load.counted <= self.tokens <= MOST * self.load.counted

    @property
    def exact(self) -> bool:
        """Whether the endpoint counts as we do."""
        return 0 <= self.load.counted - self.tokens <= EXACT


@dataclass(frozen=True)
class Calibration:
    """What the reports of one model behind one endpoint teach; the newest report comes last."""

    reports: tuple[Report, ...] = ()

    def learn(self, report: Report) -> "Calibration":
        """Return what is known after one more usable report; the same if it was foreseen."""
        if self.reports and not self.as_ours and self._foresaw(report):
            return self
        others = [other for other in self.reports if other.alike != report.alike]
        learned = Calibration((*others[1 - KEPT :], report))
        if not learned.as_ours:
            # Worked out while nobody waits, not when the next request is to be sent.
            _ = learned._rules
        return learned

    def _foresaw(self, report: Report) -> bool:
        most = report.tokens * (1 + TOLERANCE + MARGIN) + ROUNDING
        return report.tokens <= self.estimate(report.load) <= most

    def estimate(self, load: Load) -> int:
        """Return the most tokens that the endpoint may count for a request; never under ours."""
        if self.as_ours:
            return load.counted
        known = self._estimates.get(load)
        if known is None:
            if len(self._estimates) >= KEPT:
                self._estimates.clear()
            known = self._estimates[load] = self._dear(load)
        return known

    @cached_property
    def _estimates(self) -> dict[Load, int]:
        """One request is asked about several times on its way."""
        return {}

    def _dear(self, load: Load) -> int:
        dearest = load.counted * self._dearest * PESSIMISM
        prices = highest(load.row, self._rules, PRICES)
        if prices is not None:
            dearest = min(dearest, dot(load.row, prices) * (1 + MARGIN))
        return max(load.counted, math.ceil(dearest))

    def factor(self, load: Load) -> float:
        """Return the estimate for each token of ours: 1 or more."""
        return self.estimate(load) / load.counted if load.counted else 1.0

    @cached_property
    def as_ours(self) -> bool:
        """Whether nothing says that the endpoint counts otherwise than we do."""
        return all(report.exact for report in self.reports)

    @cached_property
    def _dearest(self) -> float:
        """Return the most tokens that were reported for one of ours."""
        return max(1.0, *(r.tokens / r.load.counted for r in self.reports))

    @cached_property
    def _rules(self) -> tuple[Rule, ...]:
        """Return what the reports say of the prices: none was under-paid, and, unless that
        contradicts a newer report or the first rule, none was much over-paid."""
        rules = [_at_least(report) for report in self.reports]
        most = [_at_most(report) for report in reversed(self.reports)]
        # Mostly they agree, and to find that out at once is cheaper than one by one.
        if highest(self.reports[-1].load.row, [*rules, *most], PRICES) is not None:
            return (*rules, *most)
        known: Row = tuple(high for _, high in PRICES)
        for rule in most:
            if not allows(rule, known):
                cheapest = highest(tuple(-a for a in rule[0]), rules, PRICES)
                if cheapest is None or not allows(rule, cheapest):
                    continue
                known = cheapest
            rules.append(rule)
        return tuple(rules)


def _at_least(report: Report) -> Rule:
    size = report.tokens
    return tuple(-x / size for x in report.load.row), -1.0


def _at_most(report: Report) -> Rule:
    size = report.tokens
    return tuple(x / size for x in report.load.row), 1.0 + TOLERANCE + ROUNDING / size


Traits = tuple[int, int, int]
"""Han characters, digits on top of their tokens, bytes: see `Load`."""


def traits(text: str) -> Traits:
    """Return what a text's price depends on beside its tokens."""
    groups = _DIGITS.findall(text)
    digits = sum(map(len, groups)) - len(groups)
    if text.isascii():
        return 0, digits, len(text)
    return sum(map(len, _HAN.findall(text))), digits, len(text.encode("utf-8", "replace"))


def _sum(found: Iterable[Traits]) -> Traits:
    return cast("Traits", tuple(map(sum, zip((0, 0, 0), *found, strict=True))))


class Scale:
    """Weighs requests; what did not change is not read twice."""

    def __init__(self, *, remember: int = 1024) -> None:
        self._remember = remember
        self._known: dict[Message, Traits] = {}
        self._tools: tuple[Sequence[Schema], Traits] = ((), (0, 0, 0))
        self._last: tuple[Sequence[Message], Load] = ((), Load(0, 0))
        """A request is weighed when it is built, checked and sent."""

    def weigh(
        self, counted: int, messages: Sequence[Message], tools: Sequence[Schema] = ()
    ) -> Load:
        """Return the load of a request that we count as `counted` tokens."""
        last, load = self._last
        if messages is last and (load.counted, load.tools) == (counted, bool(tools)):
            return load
        han, digits, size = _sum([*map(self._traits, messages), self._traits_of(tools)])
        calls = sum(len(message.tool_calls) for message in messages)
        load = Load(counted, len(messages), calls, han, digits, bool(tools), size)
        if isinstance(messages, tuple):  # A list may hold others by the next time.
            self._last = (messages, load)
        return load

    def _traits_of(self, tools: Sequence[Schema]) -> Traits:
        """Return the traits of tool definitions, which are the same in nearly every request."""
        if tools is not self._tools[0]:
            self._tools = (tools, _sum([traits(compact_json(tool)) for tool in tools]))
        return self._tools[1]

    def _traits(self, message: Message) -> Traits:
        known = self._known.get(message)
        if known is None:
            if len(self._known) >= self._remember:
                self._known.clear()
            calls = (call.arguments for call in message.tool_calls)
            texts = (message.content, message.reasoning, *calls)
            known = self._known[message] = _sum([traits(text) for text in texts])
        return known
