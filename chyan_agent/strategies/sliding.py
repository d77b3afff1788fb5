"""Sliding window: the newest turns that fit; older ones are forgotten."""

from . import Plan, Situation, longest_suffix


def sliding(situation: Situation) -> Plan:
    """Keep the longest suffix of the history that fits, and drop the rest."""
    cut = len(situation.history) - longest_suffix(situation, situation.room - situation.summary)
    return Plan(drop=situation.history[:cut], keep=situation.history[cut:])
