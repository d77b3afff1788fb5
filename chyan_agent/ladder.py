"""How a window gets smaller: rung after rung, the cheapest loss first. Pure.

Each rung gives no more than must be, and a text is counted once, however often it is weighed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from .budget import Meter
from .cuts import clip_largest
from .messages import Turn
from .prompts.core import CoreTexts
from .shrink import (
    STEP_BLOCK,
    step_blocks,
    stub_old_results,
    stub_results,
    without_oldest_steps,
    without_reasoning,
)
from .state import Summary
from .statements.evidence import importance


@dataclass(frozen=True, slots=True)
class Draft:
    """A window in the making: what may still shrink."""

    summary: Summary
    kept: tuple[Turn, ...]
    current: Turn

    @property
    def steps(self) -> int:
        """Steps of the current turn."""
        return sum(message.role == "assistant" for message in self.current.messages)


Over = Callable[[Draft], int]
"""Tokens by which a draft is too large; 0 or less when it fits."""


def smaller(draft: Draft, over: Over, meter: Meter, texts: CoreTexts) -> Iterator[Draft]:
    """Yield ever smaller drafts: each rung is tried only when the ones before were not enough."""
    draft = replace(draft, kept=tuple(stub_results(t, meter, texts) for t in draft.kept))
    yield draft
    draft = replace(draft, current=stub_old_results(draft.current, meter, texts))
    yield draft
    draft = replace(draft, current=without_reasoning(draft.current, meter))
    yield draft
    # Older steps are stubs by now: where leaving some out will do, nothing newer need be clipped.
    yield _least(draft, _fewer_blocks(texts), step_blocks(draft.current), over)
    draft = _clipped(draft, over(draft), meter, texts, tight=False)
    yield draft
    for less, most in (
        (_less_summary(draft), len(draft.summary.facts) + len(draft.summary.evidence)),
        (_less_kept, len(draft.kept)),
        (_fewer_steps(texts), draft.steps - 1),
    ):
        draft = _least(draft, less, most, over)
        yield draft
    draft = _clipped(draft, over(draft), meter, texts, tight=True)
    yield draft
    yield _least(draft, _fewer_steps(texts), draft.steps, over)


Less = Callable[[Draft, int], Draft]
"""A draft without so many of its items."""


def _least(draft: Draft, less: Less, most: int, over: Over) -> Draft:
    """Return the draft without as few items as make it fit; without all if that does not do."""
    low, high = 0, max(most, 0)
    while low < high:
        middle = (low + high) // 2
        if over(less(draft, middle)) > 0:
            low = middle + 1
        else:
            high = middle
    return less(draft, low)


def _clipped(draft: Draft, excess: int, meter: Meter, texts: CoreTexts, *, tight: bool) -> Draft:
    turns = clip_largest((*draft.kept, draft.current), excess, meter, texts, tight=tight)
    return replace(draft, kept=turns[:-1], current=turns[-1])


def _less_summary(draft: Draft) -> Less:
    """Leave out facts, oldest first, and then the evidence that can be missed most."""
    facts, evidence, through = draft.summary.facts, draft.summary.evidence, draft.summary.through
    by_weight = sorted(
        range(len(evidence)), key=lambda i: (importance(evidence[i], through), evidence[i].turn)
    )

    def less(draft: Draft, count: int) -> Draft:
        gone = set(by_weight[: max(count - len(facts), 0)])
        rest = tuple(e for place, e in enumerate(evidence) if place not in gone)
        return replace(draft, summary=replace(draft.summary, facts=facts[count:], evidence=rest))

    return less


def _less_kept(draft: Draft, count: int) -> Draft:
    return replace(draft, kept=draft.kept[count:])


def _fewer_blocks(texts: CoreTexts) -> Less:
    fewer = _fewer_steps(texts)
    return lambda draft, count: fewer(draft, count * STEP_BLOCK)


def _fewer_steps(texts: CoreTexts) -> Less:
    def less(draft: Draft, count: int) -> Draft:
        return replace(draft, current=without_oldest_steps(draft.current, texts, count))

    return less
