"""Making room: carrying out a strategy's plan. A turn leaves only after its summary is recorded."""

from collections.abc import Sequence
from dataclasses import replace

from .compaction import Compaction, ask_for_facts, facts_from, summarize
from .errors import ModelError
from .events import Compacted, Noticed
from .gate import checked
from .messages import Turn
from .parts import COMPACTION, Events, Parts, send
from .shrink import (
    STEP_BLOCK,
    step_blocks,
    stub_old_results,
    stub_results,
    without_oldest_steps,
)
from .state import Summarized
from .strategies import Plan, Situation
from .window import summary_messages

LARGEST_SHARE = 4
"""A message that takes more than this part of the window is clipped when a result needs room."""
LEAST_ROOM = 200
"""Tokens that a tool result may always take; `fit` makes room for them."""


def plan(parts: Parts) -> Plan:
    """Return what the strategy wants for the next request."""
    current = parts.meter.turn(parts.conversation.state.turns[-1])
    return parts.strategy.plan(_situation(parts, parts.allowance.spendable - current))


def _situation(parts: Parts, room: int) -> Situation:
    return Situation(
        history=parts.conversation.state.turns[:-1],
        room=room,
        spendable=parts.allowance.spendable,
        summary=summary_cost(parts),
        recent=parts.settings.recent,
        measure=parts.meter.turn,
        essential=lambda turn: _words(parts, turn),
    )


def _words(parts: Parts, turn: Turn) -> int:
    """Tokens of a turn whose tool results are stubs."""
    return parts.meter.turn(stub_results(turn, parts.meter, parts.frame.texts))


def summary_cost(parts: Parts) -> int:
    """Return the tokens that the summary takes of every request."""
    summary = parts.conversation.state.summary
    return parts.meter.messages(summary_messages(summary, parts.frame.texts))


def drop(parts: Parts, number: int, turns: Sequence[Turn]) -> None:
    """Let turns go without a summary; they stay in the transcript."""
    held = parts.conversation.state.summary
    summary = replace(held, through=turns[-1].number, covers=held.told)
    parts.conversation.record(Summarized(number, summary))


def compact(parts: Parts, number: int, turns: Sequence[Turn]) -> Events[None]:
    """Replace `turns` by a summary: facts from the model, verbatim evidence by rule.

    When the model gives nothing usable the evidence alone has to do, for any strategy.
    """
    facts, rejected = yield from _facts(parts, number, turns)
    before = summary_cost(parts) + sum(map(parts.meter.turn, turns))
    summary = summarize(
        parts.conversation.state.summary,
        turns,
        facts,
        evidence=parts.strategy.evidence or not facts,
        cap=parts.allowance.summary_cap,
        meter=parts.meter,
        texts=parts.frame.texts,
        quoting=parts.tools.quoting,
    )
    parts.conversation.record(Summarized(number, summary))
    yield Compacted(
        turn=number,
        turns=tuple(turn.number for turn in turns),
        before=before,
        after=summary_cost(parts),
        evidence=len(summary.evidence),
        facts=len(summary.facts),
        rejected=rejected,
    )


def _facts(parts: Parts, number: int, turns: Sequence[Turn]) -> Events[tuple[tuple[str, ...], int]]:
    texts = parts.frame.texts

    def build() -> Compaction:
        return ask_for_facts(
            turns,
            parts.conversation.state.summary,
            budget=parts.allowance,
            meter=parts.meter,
            texts=texts,
            ratio=parts.settings.ratio,
        )

    asked = checked(
        parts, build, lambda it: parts.learnt.scale.weigh(it.ledger.total, it.request.messages)
    )
    try:
        reply = yield from send(parts, number, COMPACTION, asked.request, asked.ledger)
    except ModelError as error:
        text = texts.compaction_failed.format(reason=error.message_in(texts.language))
        yield Noticed(number, "compaction_failed", text)
        return (), -1
    facts, rejected = facts_from(reply, asked.source, turns[-1].number)
    if rejected:
        text = texts.compaction_rejected.format(count=rejected)
        yield Noticed(number, "compaction_rejected", text)
    return facts, rejected


def result_room(parts: Parts, left: int) -> int:
    """Return the tokens that the next of `left` tool results of the current turn may take.

    As long as everything fits they share what is free. Later, when earlier results of this
    turn have to become stubs anyway, and the oldest steps have to go, small pages would only mean
    more steps: a result may then take half of what that sets free.
    """
    turn, texts = parts.conversation.state.turns[-1], parts.frame.texts
    stubbed = stub_old_results(turn, parts.meter, texts)
    recent = without_oldest_steps(stubbed, texts, step_blocks(stubbed) * STEP_BLOCK)
    beside = parts.allowance.spendable - _staying(parts)
    taken = (_used(parts, turn), 0), (_used(parts, stubbed), 1), (_used(parts, recent), 1)
    free = max((beside - used) >> half for used, half in taken)
    return max(min(parts.settings.max_result, free // left), LEAST_ROOM)


def _staying(parts: Parts) -> int:
    """Tokens of summary and earlier turns when the strategy and stubs have done what they can.

    What a strategy would keep is asked of it: it may find older turns too small to be worth
    a compaction, and a result that took their room would be cut at once.
    """
    history, most = parts.conversation.state.turns[:-1], parts.settings.recent
    made = parts.strategy.plan(_situation(parts, 0))
    kept = sum(_words(parts, turn) for turn in made.keep)
    recent = sum(_words(parts, turn) for turn in history[-most:]) if most else 0
    summary = parts.allowance.summary_cap if made.compact else summary_cost(parts)
    return summary + max(kept, min(recent, parts.allowance.spendable // 2))


def _used(parts: Parts, turn: Turn) -> int:
    most = parts.allowance.spendable // LARGEST_SHARE
    return sum(min(parts.meter.message(message), most) for message in turn.messages)
