"""fit() is total, keeps the question, and degrades in order."""

import random

import pytest

from chyan_agent.budget import Meter, compact_json
from chyan_agent.errors import ContextOverflow
from chyan_agent.jsontext import as_object
from chyan_agent.messages import Message, Turn
from chyan_agent.shrink import STEP_BLOCK, stub_old_results, without_oldest_steps
from chyan_agent.state import Evidence, State, Summary
from chyan_agent.window import fit, summary_messages

from .made import FRAME, METER, budget, byte_count, call, mixed_text, spoken, unpaired, worked

TEXTS = FRAME.texts
QUESTION = Message("user", "what now?")


def asked(*before: Turn, summary: Summary | None = None, current: Turn | None = None) -> State:
    """Return a state whose current turn is open."""
    turn = current or Turn(99, (QUESTION,))
    return State(summary or Summary(), (*before, turn), turn.number)


def test_a_window_that_fits_is_left_as_it_is() -> None:
    """System first, then the summary as data, the kept turns, the current one; nothing changed."""
    summary = Summary((Evidence(1, "fact", "port", "port is 8080"),), ("likes tea @t2",), 2)
    window = fit(asked(spoken(3), summary=summary), budget(), FRAME, METER)
    roles = [message.role for message in window.messages]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "port is 8080 @t1" in window.messages[1].content
    assert "likes tea @t2" in window.messages[1].content
    assert window.ledger.total == METER.messages(window.messages) + METER.tools(FRAME.tools) + 3


def random_state(rng: random.Random) -> State:
    """Return any history that an agent can have, and some that it should not."""
    turns = []
    for number in range(1, rng.randint(1, 6)):
        sizes = (0, 30, 900, 6000)
        results = [mixed_text(rng, rng.choice(sizes)) for _ in range(rng.randint(0, 4))]
        turns.append(worked(number, results, mixed_text(rng, 40)))
    current = Turn(50, (Message("user", mixed_text(rng, rng.choice((5, 300, 20_000)))),))
    for step in range(rng.randint(0, 5)):
        calls = tuple(
            call(50 + 10 * step + n, f'{{"content":"{"长" * rng.choice((1, 2000))}"}}')
            for n in range(rng.randint(1, 4))
        )
        current = current.plus(Message("assistant", mixed_text(rng, 20), calls))
        for asked_for in calls:
            text = mixed_text(rng, rng.choice((0, 100, 3000)))
            current = current.plus(Message("tool", text, tool_call_id=asked_for.id))
    facts = tuple(mixed_text(rng, 60) for _ in range(rng.randint(0, 30)))
    evidence = tuple(
        Evidence(n, "number", str(n), mixed_text(rng, 50)) for n in range(rng.randint(0, 20))
    )
    return asked(*turns, summary=Summary(evidence, facts, 1), current=current)


@pytest.mark.parametrize("seed", range(200))
def test_no_request_is_over_its_budget(seed: int) -> None:
    """Whatever the history: within the limit, calls paired, the current question there."""
    rng = random.Random(seed)
    state = random_state(rng)
    plan = budget(rng.choice((2000, 3000, 6000)), 500)
    window = fit(state, plan, FRAME, METER)
    assert METER.messages(window.messages) + METER.tools(FRAME.tools) + 3 <= plan.allowed
    assert unpaired(window.messages) == ""
    start = state.turns[-1].question[:3]
    assert any(m.role == "user" and m.content.startswith(start) for m in window.messages)
    assert all(as_object(c.arguments) is not None for m in window.messages for c in m.tool_calls)


def test_old_results_give_way_before_anything_else() -> None:
    """Older results of the current turn become stubs with a handle; the last step stays whole."""
    current = Turn(99, worked(99, ["a" * 1500, "b" * 1500, "c" * 600]).messages[:-1])
    window = fit(asked(current=current), budget(2600), FRAME, METER)
    results = [m.content for m in window.messages if m.role == "tool"]
    assert all("#t99" in text for text in results[:2])
    assert results[2] == "c" * 600


def test_a_page_that_was_read_back_keeps_its_own_handle() -> None:
    """A stub for a page of turn 5 names that page: the current turn does not hold its text."""
    asked_for = [call(n, f'{{"query":"#t5@{n}000"}}', "recall") for n in range(3)]
    steps = [
        message
        for c in asked_for
        for message in (
            Message("assistant", tool_calls=(c,)),
            Message("tool", "p" * 900, tool_call_id=c.id),
        )
    ]
    window = fit(asked(current=Turn(99, (QUESTION, *steps))), budget(2600), FRAME, METER)
    results = [m.content for m in window.messages if m.role == "tool"]
    assert ["#t5@0000" in text for text in results] == [True, False, False]
    assert results[2] == "p" * 900
    assert not any("#t99" in text for text in results)


def test_the_oldest_steps_go_before_the_newest_result_is_cut() -> None:
    """After many steps their stubs fill the window: eight at a time leave, the last page stays."""
    turn = Turn(99, worked(99, ["r" * 600] * 30 + ["n" * 1200]).messages[:-1])
    window = fit(asked(current=turn), budget(4000), FRAME, METER)
    results = [m.content for m in window.messages if m.role == "tool"]
    assert results[-1] == "n" * 1200
    assert len(results) == 31 - STEP_BLOCK
    assert "#t99" in window.messages[1].content


def test_results_of_kept_turns_give_way_before_their_words() -> None:
    """A kept turn keeps question and answer verbatim; what its tools gave is had by its handle."""
    window = fit(asked(worked(7, ["r" * 3000], "the answer")), budget(2600), FRAME, METER)
    texts = [m.content for m in window.messages]
    assert "task 7" in texts
    assert "the answer" in texts
    assert any("#t7" in text for text in texts)


def test_the_largest_message_is_clipped_with_a_handle() -> None:
    """A huge message keeps head and tail, and says how the rest can be had back."""
    huge = Turn(99, (Message("user", "HEAD" + "x" * 9000 + "TAIL"),))
    window = fit(asked(spoken(1), current=huge), budget(), FRAME, METER)
    text = window.messages[-1].content
    assert text.startswith("HEAD")
    assert text.endswith("TAIL")
    assert "#t99" in text
    assert window.messages[1] == Message("user", "hello")


def test_clipping_leaves_room_unused_only_by_a_little() -> None:
    """A clipped window is a full window: no more is cut than must be."""
    huge = Turn(99, (Message("user", "x" * 90_000),))
    plan = budget(8000)
    window = fit(asked(current=huge), plan, FRAME, METER)
    assert plan.allowed - window.ledger.total < 200


def test_a_system_prompt_that_leaves_no_room_is_refused() -> None:
    """When not even the question fits, nothing is sent and the error has the arithmetic."""
    with pytest.raises(ContextOverflow, match="allowed"):
        fit(asked(), budget(700, 690), FRAME, METER)


def test_an_empty_summary_takes_no_place() -> None:
    """No heading without a line below it."""
    assert summary_messages(Summary(through=3), TEXTS) == ()


def test_leaving_steps_out_keeps_the_last_one() -> None:
    """Steps go oldest first, whole, and the question tells of it once."""
    turn = Turn(9, worked(9, ["a", "b", "c"]).messages[:-1])
    less = without_oldest_steps(without_oldest_steps(turn, TEXTS, 1), TEXTS, 1)
    assert [m.content for m in less.messages if m.role == "tool"] == ["c"]
    assert less.messages[0].content.count("#t9") == 1
    assert without_oldest_steps(turn, TEXTS, 2) == less
    assert without_oldest_steps(less, TEXTS, 0) is less
    assert unpaired(less.messages) == ""


def test_a_stub_is_never_larger_than_what_it_stands_for() -> None:
    """Short results stay as they are."""
    turn = Turn(9, worked(9, ["ok", "fine"]).messages[:-1])
    assert stub_old_results(turn, METER, TEXTS) == turn
    assert byte_count("ok") == 2


def test_many_calls_at_once_still_fit() -> None:
    """Forty parallel calls in one step are left out whole rather than sent half."""
    calls = tuple(call(n, '{"path":"some/long/path.txt"}') for n in range(40))
    current = Turn(99, (QUESTION, Message("assistant", tool_calls=calls)))
    for asked_for in calls:
        current = current.plus(Message("tool", "r" * 300, tool_call_id=asked_for.id))
    window = fit(asked(current=current), budget(2000), FRAME, METER)
    assert unpaired(window.messages) == ""
    assert window.messages[-1].content.startswith(QUESTION.content)


@pytest.mark.parametrize("content", ['"' * 3000, "\\\n" * 1500, 'print("a\\n")\n' * 300])
def test_clipped_arguments_keep_their_names_and_use_the_room(content: str) -> None:
    """Text full of escapes is cut as text, so that its step stays, and nearly all of its room."""
    asked_for = call(1, compact_json({"path": "a.txt", "content": content}))
    answer = Message("tool", "written", tool_call_id=asked_for.id)
    current = Turn(99, (QUESTION, Message("assistant", tool_calls=(asked_for,)), answer))
    plan = budget(3000)
    window = fit(asked(current=current), plan, FRAME, METER)
    arguments = as_object(window.messages[-2].tool_calls[0].arguments)
    assert arguments is not None
    assert arguments["path"] == "a.txt"
    assert "#t99" in str(arguments["content"])
    assert window.messages[-1] == answer
    assert plan.allowed - window.ledger.total < 100


def test_arguments_without_a_long_text_are_left_out_whole() -> None:
    """A long list can't be cut as text: what is left is an object that names the turn."""
    asked_for = call(1, compact_json({"lines": ["x"] * 2000}))
    answer = Message("tool", "written", tool_call_id=asked_for.id)
    current = Turn(99, (QUESTION, Message("assistant", tool_calls=(asked_for,)), answer))
    window = fit(asked(current=current), budget(3000), FRAME, METER)
    assert "#t99" in str(as_object(window.messages[-2].tool_calls[0].arguments))


def clipped_arguments(arguments: str) -> str:
    """Return what a window of 3,000 leaves of a call's arguments."""
    asked_for = call(1, arguments)
    answer = Message("tool", "written", tool_call_id=asked_for.id)
    current = Turn(99, (QUESTION, Message("assistant", tool_calls=(asked_for,)), answer))
    return (
        fit(asked(current=current), budget(3000), FRAME, METER).messages[-2].tool_calls[0].arguments
    )


def test_half_a_character_in_clipped_arguments_is_replaced() -> None:
    """An escape of half a character is valid JSON, but what is written out must be UTF-8."""
    shorter = clipped_arguments('{"\\udc00":"\\ud83d","content":"' + "a" * 5000 + '\\ud800"}')
    shorter.encode("utf-8")
    assert "#t99" in shorter


def test_arguments_too_deep_to_be_written_are_left_out_whole() -> None:
    """However deep what was read is nested, a clip of it is an object that names the turn."""
    for depth in range(300, 1100, 8):
        arguments = '{"deep":' + "[" * depth + "]" * depth + ',"text":"' + "a" * 5000 + '"}'
        value = as_object(clipped_arguments(arguments))
        assert value is not None
        assert "#t99" in str(value.get("text") or value.get("clipped"))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_none_make_no_object(number: str) -> None:
    """Python reads and writes them, but an endpoint refuses a request that holds one."""
    assert as_object(f'{{"n":{number}}}') is None


def test_no_text_is_counted_twice() -> None:
    """Making a window counts what it is given once, and of what it cuts only pieces."""
    rng, counted = random.Random(1), list[int]()

    def count(text: str) -> int:
        counted.append(len(text))
        return byte_count(text)

    for _ in range(4):
        turns = [worked(n, [mixed_text(rng, 9000) for _ in range(9)]) for n in range(1, 9)]
        calls = [call(n, compact_json({"content": mixed_text(rng, 9000)})) for n in range(12)]
        results = (Message("tool", mixed_text(rng, 9000), tool_call_id=c.id) for c in calls)
        question = Message("user", mixed_text(rng, 90_000))
        current = Turn(99, (question, Message("assistant", tool_calls=tuple(calls)), *results))
        facts = tuple(mixed_text(rng, 60) for _ in range(60))
        state = asked(*turns, summary=Summary((), facts, 1), current=current)
        counted.clear()
        fit(state, budget(rng.choice((2500, 8000, 32_000))), FRAME, Meter(count))
        size = sum(map(len, facts)) + sum(
            len(m.content) + sum(len(c.arguments) for c in m.tool_calls)
            for turn in state.turns
            for m in turn.messages
        )
        assert sum(counted) <= 1.5 * size
