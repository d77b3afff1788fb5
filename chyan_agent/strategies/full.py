"""Full history: everything is kept, until the window itself leaves the oldest turns out."""

from . import Plan, Situation


def full(situation: Situation) -> Plan:
    """Keep every turn. What does not fit is left out of the request, oldest first, by `fit`."""
    return Plan(keep=situation.history)
