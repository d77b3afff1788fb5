"""What was said once in a real conversation can be answered at its end."""

import random

from evidence import measure, table
from evidence_plants import CARRIERS, KINDS, plants


def test_plants_are_found_at_the_end() -> None:
    """Over 24 turns in a small window every plant is in sight or one recall away."""
    outcomes = measure(24, seed=3)
    assert [o.plant for o in outcomes if not o.answerable] == []
    assert "| all | 8 |" in table({24: outcomes})


def test_plants_are_of_all_kinds_and_occur_once() -> None:
    """No value stands in another plant, and both halves of the templates are used."""
    found = plants(random.Random(1), 120)
    assert {(p.kind, p.carrier) for p in found} == {(k, c) for k in KINDS for c in CARRIERS}
    assert {p.held_out for p in found} == {True, False}
    for plant in found:
        assert sum(plant.value in other.text for other in found) == 1
        assert plant.value not in plant.question
