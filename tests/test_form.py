"""The form of a conversation: what is counted is what is sent, and roles alternate in every one."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.budget import PRIMING, Meter
from chyan_agent.form import GAP, Form
from chyan_agent.messages import Message, ToolCall, Turn
from chyan_agent.prompts.core import EN
from chyan_agent.state import State
from chyan_agent.window import Frame, fit

from .made import FRAME, METER, budget, byte_count, neighbours, unpaired, worked
from .test_messages import MESSAGES
from .test_window import random_state

FORMS = [Form(), Form(reasoning=True), Form(text_calls=True), Form(text_calls=True, reasoning=True)]
CALL = ToolCall("t00001c01", "read", '{"path":"a"}')


@pytest.mark.parametrize("form", FORMS)
@given(message=MESSAGES)
def test_a_message_as_sent_stays_as_it_is(form: Form, message: Message) -> None:
    """Shaping twice changes nothing, so counting a sent message is counting the original."""
    once = form.shaped(message)
    assert form.shaped(once) == once
    meter = Meter(byte_count, form=form)
    assert meter.message(message) == meter.message(once)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(30))
def test_every_window_of_every_form_is_counted_and_alternates(form: Form, seed: int) -> None:
    """No orphans, no neighbours of one role, one system message, never more than was counted."""
    rng = random.Random(seed)
    state = random_state(rng)
    thought = [
        (m if m.role != "assistant" else Message(m.role, m.content, m.tool_calls, "", "hm " * 40))
        for m in state.turns[-1].messages
    ]
    turn = replace(state.turns[-1], messages=tuple(thought))
    state = replace(state, turns=(*state.turns[:-1], turn))
    meter = METER.in_form(form)
    frame = FRAME.again(meter)
    window = fit(state, budget(rng.choice((2600, 4000, 16_000))), frame, meter)
    assert unpaired(window.messages) == ""
    assert neighbours(window.messages) == []
    sent = Meter(byte_count, form=form).messages(window.messages) + meter.tools(frame.tools)
    joined = 3 * sum(m.content.count("<tool_response>") for m in window.messages)
    assert (
        sent + PRIMING <= window.ledger.total <= sent + PRIMING + (joined if form.text_calls else 0)
    )
    if form.text_calls:
        assert {m.role for m in window.messages} <= {"system", "user", "assistant"}
    assert any(m.reasoning for m in window.messages) <= form.reasoning


def test_the_default_form_copies_nothing() -> None:
    """An ordinary conversation costs no more than before."""
    messages = worked(1, ["a", "b"]).messages
    assert all(Form().shaped(m) is m for m in messages)
    assert Form().messages(messages) == messages


def test_reasoning_is_sent_beside_calls_alone() -> None:
    """Verbatim there, and something stands for what was never recorded; never with an answer."""
    form = Form(reasoning=True)
    assert form.shaped(Message("assistant", "", (CALL,), "", "hm")).reasoning == "hm"
    assert form.shaped(Message("assistant", "", (CALL,))).reasoning == GAP
    assert form.shaped(Message("assistant", "a", (), "", "hm")).reasoning == ""
    assert Form().shaped(Message("assistant", "", (CALL,), "", "hm")).reasoning == ""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("content", ["", " ", "\n"])
def test_an_empty_answer_is_never_sent(form: Form, content: str) -> None:
    """Old transcripts may hold one, and endpoints refuse it."""
    assert form.shaped(Message("assistant", content)).content == GAP


def test_long_reasoning_goes_before_anything_else_of_the_turn() -> None:
    """It is the first that gives way where it would be sent."""
    meter = METER.in_form(Form(reasoning=True))
    turn = worked(5, ["result"])
    steps = turn.messages[1]
    long = Message("assistant", "", steps.tool_calls, "", "thought " * 900)
    current = Turn(5, (turn.messages[0], long, turn.messages[2]))
    state = State(turns=(current,), last_turn=5)
    window = fit(state, budget(4000), FRAME.again(meter), meter)
    assert window.messages[-1].content == "result"
    assert window.messages[-2].reasoning == GAP


def test_the_frame_tells_the_tools_in_either_form() -> None:
    """The same names; the two zones of the ledger add up to what is sent."""
    meter = METER.in_form(Form(text_calls=True))
    frame = FRAME.again(meter)
    assert frame.names == FRAME.names == {"read"}
    assert frame.tools == ()
    assert frame.fixed == meter.message(frame.system) + PRIMING
    assert frame.again(METER) == FRAME
    assert Frame.of("x", (), EN, METER).names == frozenset()


@given(st.text(max_size=30))
def test_a_result_can_be_told_apart_from_what_a_user_says(text: str) -> None:
    """It stands in a tag of its own."""
    sent = Form(text_calls=True).shaped(Message("tool", text, tool_call_id="a"))
    assert (sent.role, sent.content) == ("user", f"<tool_response>{text}</tool_response>")
