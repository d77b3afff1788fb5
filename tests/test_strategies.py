"""Plans are partitions of the history."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.strategies import Situation, strategies

from .made import METER, spoken


def situation(sizes: list[int], room: int, recent: int, spendable: int = 0) -> Situation:
    """Return a situation with turns of these sizes."""
    history = tuple(spoken(n, "x" * size) for n, size in enumerate(sizes, start=1))
    return Situation(history, room, spendable or room + 100, 50, recent, METER.turn, METER.turn)


@pytest.mark.parametrize("name", ["full", "sliding", "summary", "layered"])
@given(st.lists(st.integers(1, 90), max_size=12), st.integers(-10, 900), st.integers(0, 5))
def test_a_plan_is_a_partition(name: str, sizes: list[int], room: int, recent: int) -> None:
    """Whatever the strategy, drop + compact + keep is the history."""
    case = situation(sizes, room, recent)
    plan = strategies()[name].plan(case)
    assert plan.drop + plan.compact + plan.keep == case.history


@given(st.lists(st.integers(1, 90), max_size=12), st.integers(-10, 900))
def test_what_sliding_keeps_fits(sizes: list[int], room: int) -> None:
    """A sliding window holds the longest suffix that fits."""
    plan = strategies()["sliding"].plan(situation(sizes, room, 2))
    assert sum(map(METER.turn, plan.keep)) <= max(room - 50, 0)


def test_layered_waits_and_then_evicts_a_block() -> None:
    """Nothing leaves while everything fits; then all but the last turns leave at once."""
    layered = strategies()["layered"].plan
    assert layered(situation([50] * 6, 900, 2)).idle
    plan = layered(situation([50] * 6, 400, 2))
    assert [turn.number for turn in plan.compact] == [1, 2, 3, 4]
    assert [turn.number for turn in plan.keep] == [5, 6]


def test_layered_lets_huge_turns_go_too() -> None:
    """Kept turns never take more than half of the window from the question."""
    plan = strategies()["layered"].plan(situation([50, 2000, 2000], 600, 2))
    assert not plan.keep


def test_summary_compacts_as_soon_as_a_turn_is_older() -> None:
    """The running summary takes every turn but the last ones, however small they are."""
    plan = strategies()["summary"].plan(situation([5, 5, 5], 900, 2))
    assert [turn.number for turn in plan.compact] == [1]


def test_layered_asks_no_model_for_next_to_nothing() -> None:
    """One tiny old turn beside two large ones is not worth a compaction."""
    plan = strategies()["layered"].plan(situation([1, 700, 700], 1000, 2, spendable=4000))
    assert plan.idle


def test_full_lets_go_only_what_no_window_could_hold() -> None:
    """All is kept while its words alone would fit, whatever the current turn takes."""
    full = strategies()["full"].plan
    assert full(situation([50] * 6, -900, 2, spendable=1000)).idle
    plan = full(situation([50] * 600, 400, 2, spendable=1000))
    assert 500 < sum(map(METER.turn, plan.keep)) <= 1000
