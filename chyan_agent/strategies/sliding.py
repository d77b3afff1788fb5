"""Sliding window: the newest turns that fit; older ones are forgotten."""

from . import Plan, Situation, longest_suffix


def sliding(situation: Situation) -> Plan:
    """Keep the longest suffix of the history that fits, and drop the rest."""
    history, room = situation.history, situation.room - situation.summary
    cut = len(history) - longest_suffix(history, room, situation.measure)
    return Plan(drop=history[:cut], keep=history[cut:])
