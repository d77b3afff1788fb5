"""Full history: everything is kept, until a window could not even hold the words of it."""

from . import Plan, Situation, longest_suffix


def full(situation: Situation) -> Plan:
    """Keep every turn whose words, without tool results, a window could hold; drop older ones.

    What still does not fit beside the current turn is for `fit` to shorten. Turns that can be in
    no request any more are let go, or each turn would take longer than the one before it.
    """
    history = situation.history
    cut = len(history) - longest_suffix(history, situation.spendable, situation.essential)
    return Plan(drop=history[:cut], keep=history[cut:])
