"""State as a fold, and its JSON form."""

from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.durable.codec import (
    record_from_json,
    record_to_json,
    state_from_json,
    state_to_json,
)
from chyan_agent.messages import Message
from chyan_agent.state import (
    Effect,
    Evidence,
    Intended,
    MessageAdded,
    Record,
    Rewound,
    SessionStarted,
    State,
    Summarized,
    Summary,
    apply,
    replay,
)

from .made import spoken

NUMBERS = st.integers(0, 30)
EVIDENCE = st.builds(Evidence, NUMBERS, st.text(), st.text(), st.text())
SUMMARIES = st.builds(
    Summary,
    st.lists(EVIDENCE, max_size=3).map(tuple),
    st.lists(st.text(), max_size=3).map(tuple),
    NUMBERS,
    st.none() | NUMBERS,
)
MESSAGES = st.builds(Message, st.sampled_from(("user", "assistant")), st.text())
STATES = st.builds(
    State, SUMMARIES, st.lists(st.builds(spoken, NUMBERS), max_size=2).map(tuple), NUMBERS
)
EFFECTS = st.builds(Effect, st.text(), st.none() | st.text(), st.none() | st.text())
RECORDS = st.one_of(
    st.builds(SessionStarted, st.text()),
    st.builds(MessageAdded, NUMBERS, MESSAGES),
    st.builds(Intended, NUMBERS, st.text(), EFFECTS),
    st.builds(Summarized, NUMBERS, SUMMARIES),
    st.builds(Rewound, NUMBERS, STATES),
)


@given(RECORDS)
def test_a_record_survives_its_json_form(record: Record) -> None:
    """Reading what was written gives the same record."""
    assert record_from_json(record_to_json(record, seq=1, ts="t")) == record


@given(st.lists(RECORDS, max_size=8))
def test_state_is_a_fold_and_survives_its_json_form(records: list[Record]) -> None:
    """Replaying in two halves equals replaying at once, and a cached state is the state."""
    state = replay(records)
    half = replay(records[: len(records) // 2])
    assert replay(records[len(records) // 2 :], half) == state
    assert state_from_json(state_to_json(state)) == state


def test_a_summary_replaces_the_turns_it_stands_for() -> None:
    """Turns up to `through` leave the state with the record that replaces them, and only those."""
    state = State(turns=(spoken(1), spoken(2), spoken(3)), last_turn=3)
    after = apply(state, Summarized(3, Summary(facts=("f @t2",), through=2)))
    assert [turn.number for turn in after.turns] == [3]
    assert after.summary.facts == ("f @t2",)


def test_a_rewind_needs_nothing_before_it() -> None:
    """A rewound state is the recorded one, whatever came before."""
    earlier = State(turns=(spoken(4),), last_turn=4)
    assert replay([MessageAdded(9, Message("user", "x")), Rewound(4, earlier)]) == earlier
