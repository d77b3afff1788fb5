"""Tool calls in the text of an answer: which texts are calls, and what is shown of them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.callwatch import CallWatch
from chyan_agent.messages import Message, ToolCall
from chyan_agent.model import Reply
from chyan_agent.texttools import call_as_text, cut_call, find_calls, tools_as_text

NAMES = frozenset({"read", "write", "recall"})
READ = '{"name": "read", "arguments": {"path": "a.txt"}}'
PARAMETERS = '{"name": "read", "parameters": {"path": "a.txt"}}'

CALLS = {
    "hermes": f"<tool_call>\n{READ}\n</tool_call>",
    "hermes_unclosed": f"<tool_call>\n{READ}",
    "hermes_doubled": f"<tool_call>\n{{{READ}}}\n</tool_call>",
    "fenced": f"```json\n{READ}\n```",
    "fenced_bare": f"```\n{READ}\n```\n\n\n\n",
    "fenced_tag": f"```xml\n<tool_call>{READ}</tool_call>\n```",
    "bare": READ,
    "bare_list": f"[{READ}]",
    "mistral": f"[TOOL_CALLS][{READ}]",
    "mistral_newer": '[TOOL_CALLS]read[ARGS]{"path": "a.txt"}',
    "mistral_short": '[TOOL_CALLS]read{"path": "a.txt"}',
    "llama": PARAMETERS,
    "llama_tag": f"<|python_tag|>{PARAMETERS}<|eom_id|>",
    "llama_typed": '{"type": "function", "name": "read", "parameters": {"path": "a.txt"}}',
    "llama_function": '<function=read>{"path": "a.txt"}</function>',
    "qwen_coder": "<tool_call>\n<function=read>\n<parameter=path>\na.txt\n</parameter>\n"
    "</function>\n</tool_call>",
    "openai": f'{{"tool_calls": [{{"id": "1", "type": "function", "function": {READ}}}]}}',
    "text_arguments": '{"name": "read", "arguments": "{\\"path\\": \\"a.txt\\"}"}',
    "lead_in": f"I'll read the file first.\n{READ}",
    "lead_in_tag": f"Let me look. <tool_call>{READ}</tool_call>",
    "words_behind": f"```json\n{READ}\n```\nThis reads the file, which will tell us the port.",
    "many_words_behind": f"{READ}\n\n{'The file holds nothing of note. ' * 20}",
    "lead_in_tag_amid_words": f"So:\n<tool_call>{READ}</tool_call>\n{'And then we see. ' * 20}",
    "notice_behind": f'{READ}\n{{"notice":"The tool has run."}}',
    "flat_call_behind": f'{READ}\n{{"name": "recall", "query": "a turn"}}',
    "unknown_behind": f'{READ}\n{{"name": "fly", "arguments": {{}}}}',
    "broken_behind": f'{READ}\n{{"name": "recall", "argum',
    "bare_result_behind": f'{READ}\n{{"content": "x"}}\n{{"name": "recall", "arguments": {{}}}}',
    "lead_in_and_words_behind": f"I'll look.\n```json\n{READ}\n```\nPlease wait a moment.",
    "invented_result": f"<tool_call>{READ}</tool_call>\n<tool_response>x</tool_response>\nIt is x.",
}
NO_CALLS = {
    "unknown_name": '{"name": "reed", "arguments": {}}',
    "no_arguments": '{"name": "read"}',
    "arguments_no_object": '{"name": "read", "arguments": ["a"]}',
    "both_arguments": '{"name": "read", "arguments": {}, "parameters": {}}',
    "other_keys": '{"name": "read", "arguments": {}, "error": "no such file"}',
    "words_around": f"A call looks so:\n```json\n{READ}\n```\n{'It names a tool. ' * 15}",
    "long_lead_in": f"{'This is an explanation. ' * 12}\n{READ}",
    "inside_a_line": f"A call looks like {READ}",
    "data": '{"city": "Hangzhou", "name": "read"}',
    "name_of_a_person": '{"name": "Li Lei", "arguments": {}}',
    "code": "```python\nread(path)\n```",
    "broken": '{"name": "read", "arguments": {"path": "a.txt"',
    "nothing": "<tool_call></tool_call>",
    "no_text": "",
    "text": "The file holds one line.",
    "list_of_numbers": "[1, 2, 3]",
    "deep": '{"name": "read", "arguments": ' + '{"a":' * 9000,
    "unknown_first": f'{{"name": "fly", "arguments": {{}}}}\n{READ}',
    "one_in_a_list_unknown": f'[{READ}, {{"name": "fly", "arguments": {{}}}}]',
    "doubled_once": f"{{{READ}",
}


def shown(pieces: list[str], finish: str = "stop") -> tuple[str, Reply, bool]:
    """Return what is shown of an answer, its reply, and whether calls were read out of it."""
    watch = CallWatch(NAMES)
    text = "".join(map(watch.feed, pieces))
    settled = watch.settle(Reply(Message("assistant", "".join(pieces)), finish=finish))
    return text + settled.rest, settled.reply, settled.from_text


@pytest.mark.parametrize("form", sorted(CALLS))
def test_a_call_is_read_in_every_form(form: str) -> None:
    """Name and arguments are the same whatever a model wraps them in."""
    found = find_calls(CALLS[form], NAMES)
    assert found is not None
    (call,) = found.calls
    assert (call.name, json.loads(call.arguments)) == ("read", {"path": "a.txt"})
    assert bool(found.lead) == form.startswith("lead_in")


@pytest.mark.parametrize("case", sorted(NO_CALLS))
def test_what_does_not_begin_as_a_call_is_an_answer(case: str) -> None:
    """An example of a call, data, code and broken JSON are shown, not run."""
    assert find_calls(NO_CALLS[case], NAMES) is None
    text, reply, from_text = shown([NO_CALLS[case]])
    assert (text, reply.message.content, from_text) == (NO_CALLS[case], NO_CALLS[case], False)


@pytest.mark.parametrize("between", ["\n", "", ";", ", ", "\n```\n```json\n"])
def test_several_calls_keep_their_order(between: str) -> None:
    """One after another, in one list, or in fences of their own."""
    second = '{"name": "recall", "arguments": {"query": "茶"}}'
    found = find_calls(f"```json\n{READ}{between}{second}\n```", NAMES)
    assert found is not None
    assert [call.name for call in found.calls] == ["read", "recall"]
    assert "茶" in found.calls[1].arguments


def test_of_very_many_calls_the_first_are_taken() -> None:
    """A model that writes more than sixteen has lost its way."""
    found = find_calls("\n".join([READ] * 40), NAMES)
    assert found is not None
    assert len(found.calls) == 16


@pytest.mark.parametrize("form", sorted(CALLS))
@pytest.mark.parametrize("size", [1, 3, 10_000])
def test_a_call_is_never_shown_however_it_is_cut(form: str, size: int) -> None:
    """Only the words before it are, none behind it; it becomes a tool call of the reply."""
    whole = CALLS[form]
    text, reply, from_text = shown([whole[at : at + size] for at in range(0, len(whole), size)])
    assert from_text
    assert text.strip() == reply.message.content
    assert (reply.finish, reply.message.tool_calls[0].name) == ("tool_calls", "read")


PARTS = st.sampled_from(
    ["<tool_call>", "</tool_call>", READ, "```json\n", "```", "\n", "{", "[", "[TOOL_CALLS]", "a b"]
    + ['{"name": "', "<|python_tag|>", "<function=", "read", "x" * 90, "<", "`", "[{", "文"]
)


@given(st.lists(PARTS, max_size=12), st.data())
def test_an_answer_is_shown_whole_or_is_a_call(parts: list[str], data: st.DataObject) -> None:
    """Whatever a model writes and however it arrives: nothing of an answer is lost or doubled."""
    whole = "".join(parts)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), max_size=8)))
    bounds = [0, *cuts, len(whole)]
    pieces = [whole[a:b] for a, b in zip(bounds, bounds[1:], strict=False)]
    text, reply, from_text = shown(pieces)
    if not from_text:
        assert text == whole == reply.message.content
    else:
        assert whole.startswith(text)
        assert reply.message.tool_calls


def test_plain_text_is_not_held_back() -> None:
    """Streaming stays streaming: only the beginning of a tag waits for what follows."""
    watch = CallWatch(NAMES)
    assert [watch.feed(piece) for piece in ("Hel", "lo <", "b> ", "`x`")] == [
        "Hel",
        "lo ",
        "<b> ",
        "`x",
    ]
    code = CallWatch(NAMES)
    assert code.feed("```python\n") == "```python\n"
    data = CallWatch(NAMES)
    assert data.feed('{"city": "Hangzhou", ') == ""
    assert data.feed('"people": 12000000, "lakes": ["West Lake"], "x": 1').startswith('{"city"')


def test_without_tools_nothing_is_a_call() -> None:
    """A compaction's text is text."""
    watch = CallWatch(())
    assert watch.feed(READ) == READ
    settled = watch.settle(Reply(Message("assistant", READ)))
    assert (settled.reply.message.tool_calls, settled.from_text, settled.rest) == ((), False, "")


def test_native_calls_leave_the_text_alone() -> None:
    """Text beside real calls is text, even if it looks like one more."""
    watch = CallWatch(NAMES)
    assert watch.feed(READ) == ""
    message = Message("assistant", READ, (ToolCall("x", "read", "{}"),))
    settled = watch.settle(Reply(message, finish="tool_calls"))
    assert (settled.rest, settled.reply.message) == (READ, message)


def test_a_call_that_the_output_limit_cut_off_is_a_call_cut_off() -> None:
    """It is neither shown as an answer nor run; the turn tells the model to write less."""
    begun = 'Writing.\n{"name": "write", "arguments": {"path": "a", "content": "long'
    text, reply, _ = shown([begun], finish="length")
    assert (text.strip(), reply.finish) == ("Writing.", "length")
    assert reply.message.tool_calls == (ToolCall("", "write", '{"path": "a", "content": "long'),)
    assert cut_call('{"name": "fly", "arguments": {', NAMES) is None
    assert cut_call("plain words", NAMES) is None


def test_a_call_written_by_us_is_read_back() -> None:
    """The form that models are asked to use is one that we understand."""
    call = ToolCall("t1", "write", '{"path":"a","content":"</x> 文"}')
    found = find_calls(call_as_text(call), NAMES)
    assert found is not None
    assert json.loads(found.calls[0].arguments) == json.loads(call.arguments)


def test_tools_as_text_name_arguments_types_and_meaning() -> None:
    """One line each; what is optional, and what an enumeration allows, can be seen."""
    schema = {
        "type": "function",
        "function": {
            "name": "write",
            "description": "Write a file.",
            "parameters": {
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "in the workspace"},
                    "mode": {"type": "string", "enum": ["a", "b"]},
                },
                "required": ["path"],
            },
        },
    }
    assert tools_as_text([schema], "Tools:").splitlines() == [
        "Tools:",
        '- write(path: string, mode?: "a"|"b"): Write a file. (path: in the workspace)',
    ]
    assert tools_as_text([{}], "x")
