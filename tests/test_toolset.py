"""Whatever a model sends, it gets a result that it can read, within its room."""

import errno
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chyan_agent.budget import Meter
from chyan_agent.events import Answered, ToolRan
from chyan_agent.messages import ToolCall
from chyan_agent.model import Schema
from chyan_agent.prompts import core
from chyan_agent.prompts.tools import EN, ZH, ToolTexts
from chyan_agent.tools import Arguments, Context, Tool
from chyan_agent.tools.toolset import Toolset

from .agents import agent_on, ask, calls, says
from .toolbox import COUNT, Desk

Run = Callable[[Arguments, Context], Mapping[str, object]]

SIX = ["read", "write", "search", "grep", "remember", "recall"]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk over an empty workspace."""
    with Desk(tmp_path) as desk:
        yield desk


def toolset_of(run: Run) -> Toolset:
    """A toolset of one tool without arguments."""
    parameters: Schema = {"type": "object", "properties": {}, "required": []}
    return Toolset([Tool("it", "does it", parameters, run)], EN)


def test_nothing_that_every_request_holds_can_be_copied_as_a_value(desk: Desk) -> None:
    """Weak models call with whatever turn, file or pattern a description shows."""
    value = re.compile(r"[#@]t\d|\w\.(md|txt|py|json)\b|\*\.\w|/\*")
    for texts in (core.ZH, core.EN):
        sent = (texts.system, texts.text_tools, texts.compact_system)
        assert [said for said in sent if value.search(said)] == []
    for schema in desk.tools.schemas:
        assert value.search(json.dumps(schema, ensure_ascii=False)) is None


@pytest.mark.parametrize("path", ["t12", "#t12", "@t12@400"])
def test_a_handle_where_a_path_should_be_points_to_recall(desk: Desk, path: str) -> None:
    """Unless there is such a file."""
    assert 'recall("#t12")' in desk("read", path=path)["hint"]
    desk.put(path, "here")
    assert desk("read", path=path)["content"] == "here"


@pytest.mark.parametrize("texts", [ZH, EN])
def test_the_six_tools_are_cheap(tmp_path: Path, texts: ToolTexts) -> None:
    """All definitions together take at most 650 tokens of every request, in both languages."""
    with Desk(tmp_path, texts=texts) as desk:
        schemas = desk.tools.schemas
    functions = [cast("Schema", schema["function"]) for schema in schemas]
    assert [function["name"] for function in functions] == SIX
    assert Meter(COUNT).tools(schemas) <= 650


def test_only_write_and_remember_change_something(desk: Desk) -> None:
    """Mutating tools are known by name; an unknown one changes nothing."""
    assert [name for name in [*SIX, "nope"] if desk.tools.mutates(name)] == ["write", "remember"]


@pytest.mark.parametrize(
    "name", ["raed", "", "read ", "terminalterminal", "x" * 5000, "读", "\ud800"]
)
def test_an_unknown_tool_lists_the_known(desk: Desk, name: str) -> None:
    """A name that is no tool gets the names that are."""
    result = desk.raw(name, "{}")
    assert "no tool named" in result["error"]
    assert all(tool in result["hint"] for tool in SIX)


def test_a_misspelt_tool_is_suggested(desk: Desk) -> None:
    """The closest name is named first."""
    assert desk.raw("wriet", "{}")["hint"].startswith("did you mean write?")


@pytest.mark.parametrize("arguments", ["", "  \n", "{}", '{"path":null}'])
def test_no_arguments_are_an_empty_object(desk: Desk, arguments: str) -> None:
    """Nothing, whitespace and null all mean that an argument was left out."""
    assert desk.raw("read", arguments)["error"] == "missing argument path"


@pytest.mark.parametrize(
    "arguments",
    ['{"path": "a', '{"path":"a"}{"path":"b"}', "query = 1", '{"path":"a","path":"b"}']
    + ["[" * 100_000, '{"a":' * 100_000, '{"path":' + "9" * 5000 + "}", "\x00", '{"path":}'],
)
def test_broken_json_is_an_error(desk: Desk, arguments: str) -> None:
    """Arguments that are not one complete object are refused, never guessed at."""
    result = desk.raw("read", arguments)
    assert "not valid JSON" in result["error"]
    assert "JSON object" in result["hint"]


@pytest.mark.parametrize("shape", ['{"path":%s}', '{"x":%s}', '{"path":"a","start_line":%s}'])
@pytest.mark.parametrize("parts", ["[]", ('{"a":', "}"), "[ ]"])
def test_arguments_of_any_depth_are_refused_alike(
    tmp_path: Path, shape: str, parts: Sequence[str]
) -> None:
    """Where a reader just copes and a writer doesn't, the turn goes on with a word on it."""
    for depth in (60, 65, 400, *range(940, 1000, 7), 5000):
        value = parts[0] * depth + ("1" if "a" in parts[0] else "") + parts[-1] * depth
        script = calls(("read", shape % value), ("nope", shape % value))
        with agent_on(tmp_path / str(depth), script, says("done")) as (agent, _):
            events = ask(agent, "go")
        results = [json.loads(e.result.content) for e in events if isinstance(e, ToolRan)]
        assert ("nested" in results[0]["error"]) == (depth > 60)
        assert isinstance(events[-1], Answered)


@pytest.mark.parametrize("arguments", ["null", "[]", '"x"', "3", "true", "NaN", "1e309"])
def test_json_that_is_no_object_is_an_error(desk: Desk, arguments: str) -> None:
    """Valid JSON of another kind is named as what it is."""
    assert "must be a JSON object" in desk.raw("read", arguments)["error"]


def test_raw_newlines_in_strings_are_understood(desk: Desk) -> None:
    """A newline that the model forgot to escape leaves no doubt about what it meant."""
    assert desk.raw("write", '{"path":"a.txt","content":"x\ny"}')["lines"] == 2


@pytest.mark.parametrize(
    ("name", "arguments", "part"),
    [
        ("read", {"path": "a", "linez": 1}, 'unknown argument "linez"'),
        ("read", {"path": 5}, "argument path must be string, not 5"),
        ("read", {"path": ["a"]}, "argument path must be string"),
        (
            "read",
            {"path": "a", "start_line": True},
            "argument start_line must be integer, not true",
        ),
        ("read", {"path": "a", "start_line": 1.5}, "must be integer"),
        ("read", {"path": "a", "start_line": "one"}, "must be integer"),
        ("read", {"path": "a", "start_line": 0}, "must be at least 1, not 0"),
        ("read", {"path": "a", "start_char": -1}, "must be at least 0, not -1"),
        ("write", {"path": "a"}, "missing argument content"),
        ("write", {"path": "a", "content": {"x": 1}}, "argument content must be string"),
        ("write", {"path": "a", "content": "", "mode": "w"}, "must be one of overwrite, append"),
    ],
)
def test_wrong_arguments_are_named(
    desk: Desk, name: str, arguments: dict[str, Any], part: str
) -> None:
    """The error says which argument, what it should be and what the tool takes."""
    result = desk(name, **arguments)
    assert part in result["error"]
    assert result["hint"].startswith(f"{name} takes path")


@pytest.mark.parametrize("number", [2, 2.0, "2", " +2 "])
def test_whole_numbers_come_in_many_forms(desk: Desk, number: object) -> None:
    """An integer may arrive as 2.0 or "2"."""
    desk.put("a.txt", "one\ntwo\nthree\n")
    assert desk("read", path="a.txt", start_line=number, max_lines=1)["content"] == "two"


def test_lone_surrogates_are_replaced(desk: Desk) -> None:
    """Half of a pair in the arguments becomes U+FFFD; a pair becomes its character."""
    desk.raw("write", r'{"path":"a.txt","content":"x\ud99c \ud83d\ude00"}')
    assert (desk.root / "a.txt").read_text("utf-8") == "x\ufffd \U0001f600"


def test_errors_of_the_system_become_results() -> None:
    """An OSError that a tool lets through is a failed result, without paths of the machine."""

    def run(arguments: Arguments, context: Context) -> Mapping[str, object]:
        raise OSError(errno.EIO, "Input/output error", "/home/secret")

    result = toolset_of(run).run(ToolCall("c", "it", ""), Context(1, "c", 100, COUNT))
    told = {"error": "it failed: Input/output error", "hint": EN.tell_user}
    assert json.loads(result.content) == told
    assert not result.ok


def test_a_bug_of_ours_is_not_hidden() -> None:
    """What is neither the model's fault nor the world's goes up."""

    def run(arguments: Arguments, context: Context) -> Mapping[str, object]:
        raise KeyError("bug")

    with pytest.raises(KeyError):
        toolset_of(run).run(ToolCall("c", "it", ""), Context(1, "c", 100, COUNT))


values = st.one_of(
    st.text("中a \n0\"\\😀\x01", max_size=3000), st.integers(),
    st.lists(st.text("ab中", max_size=40), max_size=60),
)  # fmt: skip


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from("abcde"), values, max_size=5), st.integers(1, 400))
def test_no_result_is_larger_than_its_room(value: dict[str, object], room: int) -> None:
    """Whatever a tool returns is cut down to valid JSON that fits."""
    result = toolset_of(lambda arguments, context: value).run(
        ToolCall("c", "it", "{}"), Context(1, "c", room, COUNT)
    )
    assert COUNT(result.content) <= room
    read = json.loads(result.content)
    assert result.truncated == (read != value)


@given(
    st.text(max_size=60)
    | st.binary(max_size=40).map(
        lambda b: b.decode("utf-16", "surrogatepass") if len(b) % 2 == 0 else ""
    ),
    st.sampled_from(SIX),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_arguments_make_it_raise(desk: Desk, text: str, name: str) -> None:
    """Any text at all as arguments gives a result, within its room."""
    desk.raw(name, text)
    desk.raw(name, json.dumps({"path": text, "pattern": text, "query": text, "content": "x"}))
    for key in ("path", "pattern", "query", "content"):
        desk.raw(name, json.dumps({key: text}))


@pytest.mark.parametrize("texts", [ZH, EN])
@pytest.mark.parametrize("path", ["x" * 10_000, "读" * 3000, "../" * 500, '"\\' * 500])
def test_errors_are_short(tmp_path: Path, texts: ToolTexts, path: str) -> None:
    """An error and its hint take at most 120 tokens, whatever the model sent."""
    calls: list[tuple[str, dict[str, Any]]] = [
        ("read", {"path": path}),
        (path, {}),
        ("grep", {"pattern": path + "("}),
    ]
    with Desk(tmp_path, texts=texts) as desk:
        for name, arguments in calls:
            desk(name, **arguments)
            assert not desk.last.ok
            assert COUNT(desk.last.content) <= 120
