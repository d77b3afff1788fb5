"""Layered memory: turns stay verbatim until the next request would not fit, then leave in a block.

Evicting a block at a time keeps the front of the window byte-identical for many requests, so
that the provider's prefix cache holds; evicting a turn at a time would spoil it at every turn.
"""

from . import Plan, Situation, longest_suffix

LEAST_GAIN = 20
"""A compaction must set a share of 1/20 of the window free, or it is not worth a model call."""


def layered(situation: Situation) -> Plan:
    """Compact all but the last `recent` turns when summary and history outgrow their room."""
    history = situation.history
    if situation.used <= situation.room:
        return Plan(keep=history)
    # Kept turns share half of the window, so that they can't crowd out the question. They count
    # with their tool results as stubs, which is what `fit` makes of them when room is short.
    room = situation.spendable // 2
    cut = len(history) - longest_suffix(history, room, situation.essential, situation.recent)
    if sum(map(situation.measure, history[:cut])) * LEAST_GAIN < situation.spendable:
        # So little is older that `fit` finds the room in the kept turns more cheaply.
        return Plan(keep=history)
    return Plan(compact=history[:cut], keep=history[cut:])
