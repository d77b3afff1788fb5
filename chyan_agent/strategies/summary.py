"""Running summary: the last turns verbatim, every older one summarised as soon as it is older."""

from . import Plan, Situation


def summary(situation: Situation) -> Plan:
    """Keep the last `recent` turns and compact the rest, one turn at a time as it is taught."""
    cut = max(len(situation.history) - situation.recent, 0)
    return Plan(compact=situation.history[:cut], keep=situation.history[cut:])
