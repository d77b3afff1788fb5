"""The gate that every request passes: built to our count, checked by the endpoint's."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from .budget import Budget
from .calibration import Load
from .errors import ModelOverflow
from .events import Noticed
from .learnt import Learnt
from .messages import Message
from .parts import Parts
from .prompts import errors as say
from .state import State
from .window import Window, fit, summary_messages

T = TypeVar("T")

TRIES = 6
"""Times that a request is built, each under a tighter budget than before."""
TIGHTER = 1.01
"""The least by which it tightens."""
SHRINK = 0.8
"""Share of the budget that is tried when nothing explains an endpoint's refusal."""
LEAST_SPENDABLE = 300
"""Tokens beside the fixed cost with which any question still fits, if only clipped."""


def prepare(parts: Parts) -> None:
    """Set the factor that plans go by: that of everything that could be sent."""
    parts.learnt.factor = _factor(parts, parts.conversation.state)


def _factor(parts: Parts, state: State) -> float:
    calibration = parts.learnt.calibration
    return 1.0 if calibration.as_ours else calibration.factor(_whole(parts, state))


def _whole(parts: Parts, state: State) -> Load:
    frame, meter = parts.frame, parts.meter
    summary = summary_messages(state.summary, frame.texts)
    turns: list[Message] = [message for turn in state.turns for message in turn.messages]
    counted = frame.fixed + meter.messages(summary) + sum(map(meter.turn, state.turns))
    return parts.learnt.scale.weigh(counted, (frame.system, *summary, *turns), frame.tools)


def window(parts: Parts, state: State) -> Window:
    """Return the window of the next request. Raises ContextOverflow before anything is sent."""
    parts.learnt.factor = _factor(parts, state)

    def build() -> Window:
        return fit(state, parts.allowance, parts.frame, parts.meter)

    def load(made: Window) -> Load:
        return parts.learnt.scale.weigh(made.ledger.total, made.messages, parts.frame.tools)

    made = checked(parts, build, load)
    calibration, total = parts.learnt.calibration, made.ledger.total
    estimate = total if calibration.as_ours else calibration.estimate(load(made))
    return replace(made, ledger=replace(made.ledger, estimated=estimate))


def checked(parts: Parts, build: Callable[[], T], load: Callable[[T], Load]) -> T:
    """Build a request that fits as the endpoint counts it, tightening the budget until it does.

    What is left out changes the mixture of a request, and so what each of its tokens may cost.
    Where the endpoint counts as we do there is nothing to weigh.
    """
    if parts.learnt.calibration.as_ours:
        return build()
    for _ in range(TRIES):
        made = build()
        weight = load(made)
        factor = parts.learnt.calibration.factor(weight)
        if weight.counted * factor <= parts.allowance.room:
            return made
        parts.learnt.factor = max(factor, parts.learnt.factor * TIGHTER)
    return build()


def within(budget: Budget, learnt: Learnt) -> Budget:
    """Return the budget within the limit that an earlier run was taught, if it was smaller."""
    if learnt.limit is None or learnt.limit >= budget.limit:
        return budget
    smaller = budget.within(learnt.limit)
    if smaller.spendable < LEAST_SPENDABLE:
        return budget
    learnt.remarks.append(say.LEARNT_LIMIT.of(limit=learnt.limit))
    return smaller


def shrink(parts: Parts, turn: int, error: ModelOverflow) -> Noticed:
    """Take what a refusal teaches: the limit, how the endpoint counts, or that it is less.

    Raises `error` if no question fits below that.
    """
    budget, texts = parts.budget, parts.frame.texts
    told = error.limit if error.limit and error.limit < budget.limit else None
    if told is None and parts.learnt.calibration.reports and error.counted:
        factor = parts.learnt.calibration.factor(_whole(parts, parts.conversation.state))
        if factor > parts.learnt.factor:
            return Noticed(turn, "recounted", texts.recounted.format(factor=f"{factor:.2f}"))
    smaller = budget.within(told or budget.reserved + int(budget.room * SHRINK))
    if smaller.spendable < LEAST_SPENDABLE:
        raise error
    if told is not None:
        parts.learnt.take_limit(told)
    parts.budget = smaller
    return Noticed(turn, "shrunk", texts.shrunk.format(limit=smaller.limit))
