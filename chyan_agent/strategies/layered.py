"""Layered memory: turns stay verbatim until the next request would not fit, then leave in a block.

Evicting a block at a time keeps the front of the window byte-identical for many requests, so
that the provider's prefix cache holds; evicting a turn at a time would spoil it at every turn.
"""

from . import Plan, Situation, longest_suffix


def layered(situation: Situation) -> Plan:
    """Compact all but the last `recent` turns when summary and history outgrow their room."""
    history = situation.history
    if situation.used <= situation.room:
        return Plan(keep=history)
    # Kept turns share half of the window, so that they can't crowd out the question. They count
    # with their tool results as stubs, which is what `fit` makes of them when room is short.
    room = situation.spendable // 2
    cut = len(history) - longest_suffix(history, room, situation.essential, situation.recent)
    return Plan(compact=history[:cut], keep=history[cut:])
