"""Streamed answers of every dialect become one reply."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.llm.assembly import Assembly, read_usage
from chyan_agent.llm.sse import LARGEST, ChunkReader, Garbled
from chyan_agent.llm.thinking import ThinkFilter
from chyan_agent.messages import ToolCall
from chyan_agent.model import Reply, Usage

from .servers import DONE, delta, event

WIRE = Path(__file__).parent / "wire"


def assemble(pieces: Iterable[bytes]) -> tuple[list[str], Reply]:
    """Return the shown texts and the reply of a byte stream."""
    assembly = Assembly()
    shown = [assembly.feed(chunk) for chunk in ChunkReader(pieces)]
    return [*shown, assembly.close()], assembly.reply


def calls(*fragments: dict[str, object]) -> list[tuple[str, str, str]]:
    """Return the calls that fragments, one a chunk, add up to."""
    _, reply = assemble([event(delta(tool_calls=[fragment])) for fragment in fragments])
    return [(call.id, call.name, call.arguments) for call in reply.message.tool_calls]


def part(name: object = None, arguments: object = None, **where: object) -> dict[str, object]:
    """One fragment of a tool call."""
    return {**where, "function": {"name": name, "arguments": arguments}}


def test_a_recorded_stream_of_text_is_read_whole() -> None:
    """Text, usage with cached tokens and finish reason of llama.cpp arrive."""
    shown, reply = assemble([(WIRE / "llama_cpp_text.sse").read_bytes()])
    assert reply.message.content == "".join(shown)
    assert reply.message.content.startswith("北京是一座历史悠久、文化底蕴深厚的城市")
    assert reply.usage == Usage(34, 16, 3)
    assert reply.finish == "stop"


@pytest.mark.parametrize("name", ["llama_cpp_tool", "llama_cpp_python_tool", "llama_cpp_text"])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_where_a_recorded_stream_is_cut_into_pieces_changes_nothing(name: str, size: int) -> None:
    """Network packets may end anywhere, inside a character too."""
    data = (WIRE / f"{name}.sse").read_bytes()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert assemble(pieces)[1] == assemble([data])[1]


def test_recorded_tool_calls_are_one_call_each() -> None:
    """One server sends the name once, another repeats id and name in every fragment."""
    _, reply = assemble([(WIRE / "llama_cpp_tool.sse").read_bytes()])
    expected = ToolCall("xpNZkoQbtxR3e0tohYbSm80kf2ICB2Ca", "read", '{"path": "/etc/hosts"}')
    assert reply.message.tool_calls == (expected,)
    _, reply = assemble([(WIRE / "llama_cpp_python_tool.sse").read_bytes()])
    (call,) = reply.message.tool_calls
    assert call.name == "remember"
    assert json.loads(call.arguments)["fact"].startswith("Remembering functions")


def test_interleaved_fragments_go_by_index() -> None:
    """Only the first fragment of each call has an id."""
    made = calls(
        part("read", '{"path"', index=0, id="a"),
        part("grep", '{"pattern"', index=1, id="b"),
        part(None, ':"x"}', index=0),
        part(None, ':"y"}', index=1),
    )
    assert made == [("a", "read", '{"path":"x"}'), ("b", "grep", '{"pattern":"y"}')]


def test_a_new_id_at_the_same_index_is_a_new_call() -> None:
    """Some servers send every call with index 0."""
    made = calls(part("read", '{"path":"a"}', index=0, id="x"), part("read", "{}", index=0, id="y"))
    assert made == [("x", "read", '{"path":"a"}'), ("y", "read", "{}")]


def test_whole_calls_without_ids_stay_apart() -> None:
    """Neither ids nor indexes: a name after complete arguments opens the next call."""
    made = calls(part("read", '{"path":"a"}'), part("read", '{"path":"b"}'), part("recall", ""))
    assert made == [("", "read", '{"path":"a"}'), ("", "read", '{"path":"b"}'), ("", "recall", "")]


def test_fragments_without_an_index_go_by_id_or_to_the_last_call() -> None:
    """The index may be missing, and the id may come in every fragment or in the first."""
    made = calls(
        part("read", "", id="a"), part(None, '{"path":', id="a"), part(None, '"b"}'), {"index": 0}
    )
    assert made[0] == ("a", "read", '{"path":"b"}')


def test_a_late_id_belongs_to_the_call_it_follows() -> None:
    """The first fragment may lack the id."""
    assert calls(part("read", "{", index=0), part(None, "}", index=0, id="a")) == [
        ("a", "read", "{}")
    ]


def test_arguments_may_be_an_object() -> None:
    """Some servers send arguments that are not JSON text but JSON."""
    assert calls(part("read", {"path": "文"}, index=0)) == [("", "read", '{"path":"文"}')]


def test_what_is_no_call_is_not_taken_for_one() -> None:
    """Junk in tool_calls doesn't end the turn."""
    junk: list[object] = [None, 3, "x", {"function": None, "index": [1], "id": 7}]
    _, reply = assemble([event(delta(tool_calls=junk)), event(delta(tool_calls={"a": 1}))])
    assert all(call.name == "" for call in reply.message.tool_calls)


def test_usage_may_come_anywhere_in_any_spelling() -> None:
    """A chunk without choices, in the middle or at the end, is only usage."""
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 4}
    chunks = [delta(content="a"), {"choices": [], "usage": usage}, delta("stop", content="b")]
    shown, reply = assemble([*map(event, chunks), DONE])
    assert (shown, reply.usage) == (["a", "", "b", ""], Usage(9, 2, 4))
    assert read_usage({"prompt_tokens_details": None, "prompt_tokens": -1}) == Usage()
    assert read_usage({"prompt_tokens": True, "completion_tokens": "9"}) == Usage()


def test_reasoning_is_never_answer() -> None:
    """Reasoning fields and typed thinking parts are left out."""
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "42"}]
    chunks = [
        delta(reasoning_content="let me"),
        delta(reasoning="see", content=""),
        delta(content=parts),
    ]
    assert assemble(map(event, chunks))[1].message.content == "42"


@given(st.data())
def test_a_thinking_block_is_hidden_however_it_is_cut(data: st.DataObject) -> None:
    """`<think>…</think>` at the start is not shown; anything else is shown unchanged."""
    thought = data.draw(st.text(alphabet="a<>/think \n", max_size=12))
    answer = data.draw(st.text(alphabet="b<>/think\n ", max_size=12))
    if "</think>" in thought + "</think"[: len(thought)]:
        return
    text = f"\n<think>{thought}</think>\n{answer}"
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    bounds = [0, *cuts, len(text)]
    filter_ = ThinkFilter()
    shown = "".join(filter_.feed(text[a:b]) for a, b in zip(bounds, bounds[1:], strict=False))
    assert shown + filter_.finish() == answer.lstrip()


@pytest.mark.parametrize("text", ["<", "<thin", "<thinker> a", " a <think>b</think>", "", "\n"])
def test_what_only_looks_like_a_thinking_block_is_shown(text: str) -> None:
    """Held back text is given out at the end."""
    shown, reply = assemble([event(delta(content=c)) for c in text])
    assert "".join(shown) == text == reply.message.content


@pytest.mark.parametrize(
    ("texts", "whole"),
    [
        (["a\ud83d\ude00b"], "a😀b"),
        (["a\ud83d", "\ude00b"], "a😀b"),
        (["a\ude00", "b\ud83d"], "a\ufffdb\ufffd"),
        (["\ud83d", "", "\ud83d\ude00"], "\ufffd😀"),
    ],
)
def test_halves_of_a_character_join_and_lone_ones_are_replaced(
    texts: list[str], whole: str
) -> None:
    """A lone surrogate would spoil every later request; its other half may come later."""
    shown, reply = assemble(event(delta(content=text)) for text in texts)
    assert "".join(shown) == reply.message.content == whole
    assert calls(*(part("", text) for text in texts))[0][2] == whole


@pytest.mark.parametrize(
    "data",
    [
        b'data:{"choices":[{"delta":{"content":"x\xe2\x80\xa8y"}}]}\n\ndata:[DONE]\n\n',
        b'data: {"choices":\r\ndata: [{"delta":{"content":"x\xe2\x80\xa8y"}}]}\r\n\r\n',
        b': hi\revent: m\rdata: {"choices":[{"delta":{"content":"x\xe2\x80\xa8y"}}]}\r\r',
        b'\xef\xbb\xbfdata: {"choices":[{"delta":{"content":"x\xe2\x80\xa8y"}}]}',
        b'data: {"choices":[]}\ndata: {"choices":[{"delta":{"content":"x\xe2\x80\xa8y"}}]}\n'
        b"data: [DONE]\n",
        b'{\n "choices": [\n {"message": {"content": "x\xe2\x80\xa8y"}}]\n}',
        b'data: null\n\ndata: 3\n\ndata:\n\n{"choices":[{"delta":{"content":"x\xe2\x80\xa8y"}}]}\n',
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_events_are_read_in_every_spelling(data: bytes, size: int) -> None:
    """Line ends, comments, joined events, a missing last blank line, a body without events."""
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert assemble(pieces)[1].message.content == "x\u2028y"


@given(st.lists(st.binary(max_size=40) | st.sampled_from([b"data: ", b"\n\n", b"{}", DONE])))
def test_no_bytes_break_the_reader(pieces: list[bytes]) -> None:
    """Anything an endpoint can send gives chunks or Garbled, nothing else."""
    assembly = Assembly()
    try:
        for chunk in ChunkReader(pieces):
            assembly.feed(chunk)
    except Garbled:
        return


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "delta", "content", "tool_calls", "function", "index", "id", "usage"]
                + ["name", "arguments", "finish_reason", "message", "prompt_tokens_details", "text"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(st.lists(st.dictionaries(st.sampled_from(["choices", "usage"]), JSON), max_size=4))
def test_no_json_breaks_the_assembly(chunks: list[dict[str, object]]) -> None:
    """Whatever the fields hold, what was shown is what the reply says, and it can be encoded."""
    assembly = Assembly()
    shown = "".join(map(assembly.feed, chunks)) + assembly.close()
    assert assembly.reply.message.content == shown
    shown.encode()


def test_a_deep_or_endless_event_is_garbled_not_a_crash() -> None:
    """Nesting and size are bounded."""
    with pytest.raises(Garbled):
        list(ChunkReader([b"data: " + b"[" * 100_000 + b"\n\n"]))
    with pytest.raises(Garbled):
        list(ChunkReader(b"x" * (LARGEST // 8) for _ in range(9)))
