"""Values of a conversation and their JSON form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.messages import (
    Message,
    MessageFormatError,
    ToolCall,
    clean,
    from_wire,
    to_wire,
)

from .made import call, spoken

TEXTS = st.text(alphabet=st.characters(codec="utf-8"))
MESSAGES = st.one_of(
    st.builds(Message, st.sampled_from(("system", "user")), TEXTS),
    st.builds(
        Message,
        st.just("assistant"),
        TEXTS,
        st.lists(st.builds(ToolCall, TEXTS, TEXTS, TEXTS), max_size=3).map(tuple),
        reasoning=TEXTS,
    ),
    st.builds(Message, st.just("tool"), TEXTS, st.just(()), TEXTS),
)


@given(MESSAGES)
def test_the_wire_form_loses_nothing(message: Message) -> None:
    """A message read back from its JSON form is the same message."""
    assert from_wire(to_wire(message)) == message


@pytest.mark.parametrize(
    "wire",
    [
        None,
        [],
        "x",
        {"role": "god", "content": ""},
        {"role": "user", "content": 3},
        {"role": "assistant", "tool_calls": "x"},
        {"role": "assistant", "tool_calls": [{}]},
        {"role": "assistant", "tool_calls": [{"function": {"name": 1}}]},
    ],
)
def test_what_is_not_a_message_is_refused(wire: object) -> None:
    """Anything else than a message is a format error and not a surprise."""
    with pytest.raises(MessageFormatError):
        from_wire(wire)


@pytest.mark.parametrize(
    ("dirty", "fine"),
    [("a\ud83d\ude00", "a😀"), ("\ud99cx", "\ufffdx"), ("中文", "中文"), ("", "")],
)
def test_surrogates_are_joined_or_replaced(dirty: str, fine: str) -> None:
    """Text that went through `clean` can always be encoded."""
    assert clean(dirty) == fine
    assert clean(dirty).encode("utf-8").decode("utf-8") == fine


def test_a_turn_knows_what_is_pending() -> None:
    """Calls without a result are pending, and a turn with pending calls is open."""
    turn = spoken(1).plus(Message("assistant", tool_calls=(call(1), call(2))))
    turn = turn.plus(Message("tool", "r", tool_call_id=call(1).id))
    assert turn.pending == (call(2),)
    assert not turn.closed
    assert spoken(1).closed


def test_results_stand_in_the_order_of_their_calls() -> None:
    """A result that is made up for after later ones takes its place before them."""
    turn = spoken(1).plus(Message("assistant", tool_calls=(call(1), call(2), call(3))))
    for number in (2, 1, 3):
        turn = turn.plus(Message("tool", "r", tool_call_id=call(number).id))
    turn = turn.plus(Message("tool", "of no call", tool_call_id="x"))
    assert [m.tool_call_id for m in turn.messages[-4:]] == [*(call(n).id for n in (1, 2, 3)), "x"]
