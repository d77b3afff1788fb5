"""What a model said, made fit to be recorded."""

import pytest

from chyan_agent.jsontext import as_object
from chyan_agent.messages import Message, ToolCall
from chyan_agent.replies import Repeats, minted, with_notice

from .made import call


def test_ids_are_ours_whatever_the_provider_sent() -> None:
    """Constant, repeated and missing ids become unique ones of nine alphanumeric characters."""
    calls = tuple(ToolCall(i, "read", "{}") for i in ("call_0", "call_0", ""))
    ids = [c.id for c in minted(Message("assistant", "", calls), 12, 3).tool_calls]
    assert ids == ["t00012c03", "t00012c04", "t00012c05"]
    assert all(len(i) == 9 and i.isalnum() for i in ids)


def test_ids_keep_their_form_however_many_there_are() -> None:
    """A thousand calls and a million turns: nine characters, and none twice in a turn."""
    many = Message("assistant", "", (ToolCall("x", "read", "{}"),) * 3000)
    ids = [c.id for c in minted(many, 1_234_567, 1).tool_calls]
    assert len(set(ids)) == 3000
    assert {len(i) for i in ids[:1035]} == {9}
    assert all(i.isalnum() for i in ids)
    assert (ids[0], ids[99]) == ("t34567c01", "t34567ca0")


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        ('{"path":"a"}', '{"path":"a"}'),
        ("", "{}"),
        ("  ", "{}"),
        ('{"path":', "{}"),
        ("[1]", "{}"),
        ('{"n": "\\u5317\\u6781\\u661f", "half": "\\ud83d"}', '{"n":"北极星","half":"\ufffd"}'),
        ('{"\\u0061":' + "[" * 950 + "]" * 950 + "}", None),
        ("[" * 100_000, None),
    ],
)
def test_arguments_are_always_an_object_on_the_wire(arguments: str, sent: str | None) -> None:
    """What the model got wrong never makes a later request invalid."""
    message = Message("assistant", "", (ToolCall("x", "read", arguments),))
    (call,) = minted(message, 1, 1).tool_calls
    assert as_object(call.arguments) is not None
    assert sent is None or call.arguments == sent
    assert call.written == ("" if as_object(arguments) is not None else arguments)


@pytest.mark.parametrize("name", ["", "räd", "a b", "x" * 65, "read\n"])
def test_names_that_no_wire_takes_are_replaced(name: str) -> None:
    """A call by an impossible name can still be sent back."""
    message = Message("assistant", "", (ToolCall("x", name, "{}"),))
    assert minted(message, 1, 1).tool_calls[0].name == "invalid"


def test_the_same_call_with_the_same_result_is_counted() -> None:
    """Order of arguments does not matter; another result starts anew."""
    repeats = Repeats()
    assert repeats.count(call(1, '{"a":1,"b":2}'), "r") == 1
    assert repeats.count(call(2, '{"b":2, "a":1}'), "r") == 2
    assert repeats.count(call(3, '{"b":2,"a":1}'), "other") == 1


def test_a_notice_keeps_a_json_result_json() -> None:
    """The word to the model is one more field, or one more line."""
    assert with_notice('{"a":1}', "换") == '{"a":1,"notice":"换"}'
    assert with_notice("plain", "x") == "plain\nx"
    assert with_notice("{}", "x") == "{}\nx"
