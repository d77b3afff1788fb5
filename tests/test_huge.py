"""Things larger than the window, through the real agent: sent in part, had back whole."""

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chyan_agent.agent import Agent
from chyan_agent.budget import compact_json
from chyan_agent.build import build, turn_as_text
from chyan_agent.events import Answered, Event, Stopped, ToolRan
from chyan_agent.jsontext import as_object
from chyan_agent.messages import from_wire
from chyan_agent.prompts.core import EN

from .agents import ask, calls, configured, says
from .made import mixed_text, unpaired
from .properties.laws import recount
from .servers import Script, Seen, answering
from .toolbox import COUNT

LIMIT, MANY = 8_000, 60
Wire = list[dict[str, Any]]
Rule = Callable[[Wire], Script]
"""What a model does when it sees these messages."""


@contextmanager
def agent_with(folder: Path, rule: Rule, limit: int = LIMIT, **more: object) -> Iterator[Agent]:
    """Build an agent whose endpoint follows a rule, and refuses what breaks the protocol."""
    wrong: list[str] = []

    def answer(seen: Seen) -> Script:
        body: dict[str, Any] = seen.json
        messages = [from_wire(message) for message in body["messages"]]
        tokens = recount(messages, body.get("tools", []), COUNT)
        if tokens > limit - body["max_tokens"]:
            wrong.append(f"{tokens} tokens")
        if problem := unpaired(tuple(messages)):
            wrong.append(problem)
        return rule(body["messages"]) if body.get("tools") else says("- talked")

    given = {"context__context_limit": limit, "memory__segmenter": "builtin"} | more
    with (
        answering(answer) as server,
        build(configured(folder, server.url, **given)) as agent,
    ):
        yield agent
    assert wrong == []


def last_result(messages: Wire) -> dict[str, Any] | None:
    """Return the result that the model has just got; None if it got none in this turn."""
    if messages[-1]["role"] != "tool":
        return None
    value: dict[str, Any] = json.loads(messages[-1]["content"])
    return value


class Model:
    """A model whose rule can be another one in the next turn."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule

    def __call__(self, messages: Wire) -> Script:
        return self.rule(messages)


class Paging:
    """A model that reads on as each result says, and keeps what it was shown."""

    def __init__(self, tool: str, key: str, **first: object) -> None:
        self.tool = tool
        self.key = key
        self.first = first
        self.pages: list[str] = []

    def __call__(self, messages: Wire) -> Script:
        page = last_result(messages)
        if page is None:
            return calls((self.tool, self.first))
        assert "error" not in page, page
        self.pages.append(page[self.key])
        if not page["truncated"]:
            return says("that was all")
        on = page["next"]
        return calls((self.tool, self.first | (on if isinstance(on, dict) else {"query": on})))


def huge(seed: int, size: int) -> str:
    """Return lines of all kinds of text that never repeat as a whole."""
    rng = random.Random(seed)
    return "".join(f"{n}:{mixed_text(rng, 90)}\n" for n in range(size // 90)).strip()


def read_back(agent: Agent, turn: int, model: Model) -> str:
    """Let the model page through a turn; return what it was shown."""
    model.rule = paging = Paging("recall", "text", query=f"#t{turn}")
    assert isinstance(ask(agent, f"read turn {turn} back")[-1], Answered)
    return "".join(paging.pages)


def test_a_user_message_larger_than_the_window(tmp_path: Path) -> None:
    """It is sent with head, tail and a handle; the handle pages through all of it."""
    text, seen = huge(1, 40_000), list[str]()

    def first(messages: Wire) -> Script:
        seen.append(messages[-1]["content"])
        return says("long, that")

    model = Model(first)
    with agent_with(tmp_path, model, context__max_steps=MANY) as agent:
        ask(agent, text)
        assert seen[0].startswith(text[:1000])
        assert seen[0].endswith(text[-500:])
        assert "#t1" in seen[0]
        assert read_back(agent, 1, model) == f"user: {text}\nassistant: long, that"


def test_a_turn_that_reads_its_own_question_ends(tmp_path: Path) -> None:
    """Paging through the current turn shows the question once, and not its own pages again."""
    text, rule = huge(2, 40_000), Paging("recall", "text", query="#t1")
    with agent_with(tmp_path, rule, context__max_steps=MANY) as agent:
        assert isinstance(ask(agent, text)[-1], Answered)
    shown = "".join(rule.pages)
    assert shown.startswith(f"user: {text}\n")
    assert shown.count(text[:200]) == 1
    # Each page is of a useful size, however large the question and however many came before.
    assert len(rule.pages) <= COUNT(text) // 900 + 1


def test_a_tool_argument_larger_than_the_window(tmp_path: Path) -> None:
    """The call runs with all of it; requests show an object with a handle that gives it back."""
    text, seen = huge(3, 40_000), list[str]()

    def write(messages: Wire) -> Script:
        if last_result(messages) is None:
            return calls(("write", {"path": "big.txt", "content": text}))
        seen.append(messages[-2]["tool_calls"][0]["function"]["arguments"])
        return says("written")

    model = Model(write)
    with agent_with(tmp_path, model, context__max_steps=MANY) as agent:
        ask(agent, "write it")
        shown = read_back(agent, 1, model)
    assert (tmp_path / "workspace/big.txt").read_text(encoding="utf-8") == text
    arguments = as_object(seen[0])
    assert arguments is not None
    assert arguments["path"] == "big.txt"
    assert "#t1" in str(arguments["content"])
    written = re.search(r"^call write: (.*)$", shown, re.MULTILINE)
    assert written is not None
    assert json.loads(written[1]) == {"path": "big.txt", "content": text}


def test_a_tool_result_larger_than_the_window(tmp_path: Path) -> None:
    """Recorded when the window was larger, it gives way to a stub whose handle gives it back."""
    text, results = huge(4, 40_000), list[str]()

    def read(messages: Wire) -> Script:
        page = last_result(messages)
        if page is None:
            return calls(("read", {"path": "big.txt"}))
        results.append(page["content"])
        return says("read")

    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace/big.txt").write_text(text, encoding="utf-8")
    wide: dict[str, object] = {
        "tools__max_result_tokens": 60_000,
        "tools__max_result_bytes": 10**6,
        "tools__read_max_lines": 10**5,
    }
    with agent_with(tmp_path, read, 100_000, **wide) as agent:
        ask(agent, "read it")
    assert results == [text]
    stubs = list[str]()

    def look(messages: Wire) -> Script:
        stubs.extend(m["content"] for m in messages if m["role"] == "tool")
        return says("hm")

    model = Model(look)
    with agent_with(tmp_path, model, context__max_steps=MANY) as agent:
        ask(agent, "and now?")
        assert ["#t1" in stub for stub in stubs] == [True]
        assert compact_json(text)[1:-1] in read_back(agent, 1, model)


UNITS = ['{"id":%d,"名":"北极星","on":true},', "%d 8f3a\\t中文 ", "%d"]


def one_line(folder: Path, unit: str) -> str:
    """Write a line of a megabyte into the workspace; return it."""
    pieces, size = list[str](), 0
    while size < 1_000_000:
        pieces.append(unit % len(pieces))
        size += len(pieces[-1].encode())
    line = "".join(pieces)
    (folder / "workspace").mkdir()
    (folder / "workspace/line.json").write_text(line, encoding="utf-8")
    return line


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("unit", UNITS)
def test_a_megabyte_in_one_line_goes_through_the_default_window(unit: str, tmp_path: Path) -> None:
    """Every character exactly once, in full pages, under settings that nobody has touched."""
    line, rule = one_line(tmp_path, unit), Paging("read", "content", path="line.json", start_line=1)
    defaults = configured(tmp_path, "http://127.0.0.1:9/v1")
    limit, most = defaults.context.context_limit, defaults.tools.max_result_tokens
    assert limit == 10_000
    with agent_with(tmp_path, rule, limit, context__max_steps=1000) as agent:
        assert isinstance(ask(agent, "read it all")[-1], Answered)
    assert "".join(rule.pages) == line
    assert len(rule.pages) <= COUNT(line) // (most * 3 // 4) + 2


@pytest.mark.parametrize("unit", UNITS)
def test_one_line_of_a_megabyte_is_read_to_its_end(unit: str, tmp_path: Path) -> None:
    """Page by page, every character exactly once, within a number of calls that its size bounds."""
    line = one_line(tmp_path, unit)
    rule = Paging("read", "content", path="line.json", start_line=1)
    with agent_with(
        tmp_path, rule, 40_000, tools__max_result_tokens=15_000, context__max_steps=200
    ) as agent:
        assert isinstance(ask(agent, "read it all")[-1], Answered)
    assert "".join(rule.pages) == line
    # A page is nearly full: 15,000 tokens, or half of what the window of 40,000 leaves.
    assert len(rule.pages) <= COUNT(line) // 12_000 + 2


def test_forty_calls_at_once(tmp_path: Path) -> None:
    """All run, each has its result in the next request, or none is shown."""

    def rule(messages: Wire) -> Script:
        if messages[-1]["role"] == "user" and "go" in messages[-1]["content"].split()[:1]:
            return calls(*[("read", {"path": f"f{n}.txt"}) for n in range(40)])
        return says("done")

    (tmp_path / "workspace").mkdir()
    for n in range(40):
        (tmp_path / f"workspace/f{n}.txt").write_text(f"file {n}\n" + "文" * 3000, "utf-8")
    done = list[str]()

    def once(messages: Wire) -> Script:
        if done:
            return says("done")
        done.append("asked")
        return rule(messages)

    with agent_with(tmp_path, once) as agent:
        events = ask(agent, "go")
        assert isinstance(events[-1], Answered)
        told = turn_as_text(agent.conversation.turn(1))
    ran = [e for e in events if isinstance(e, ToolRan)]
    assert len({e.call.id for e in ran}) == 40
    assert all(e.result.ok for e in ran)
    assert all(f"file {n}" in told for n in range(40))


@pytest.mark.parametrize(("steps", "end"), [(50, Answered), (16, Stopped)])
def test_forty_calls_one_after_the_other(steps: int, end: type[Event], tmp_path: Path) -> None:
    """They fit the window however many steps came before; the cap on steps seals the turn."""
    (tmp_path / "workspace").mkdir()
    for n in range(40):
        (tmp_path / f"workspace/f{n}.txt").write_text(f"file {n}\n" + "文" * 3000, "utf-8")
    asked = iter(range(40))

    def rule(messages: Wire) -> Script:
        number = next(asked, None)
        return says("done") if number is None else calls(("read", {"path": f"f{number}.txt"}))

    with agent_with(tmp_path, rule, context__max_steps=steps) as agent:
        events = ask(agent, "go")
        assert isinstance(events[-1], end)
        assert agent.state.turns[-1].closed
    assert sum(isinstance(e, ToolRan) for e in events) == min(steps, 40)


class Writer:
    """A model that writes a long file: at once, and in parts when it is told to."""

    def __init__(self, text: str, part: int, target: Path) -> None:
        self.left = text
        self.text = text
        self.part = part
        self.target = target
        self.told = ""

    def __call__(self, messages: Wire) -> Script:
        result = last_result(messages)
        if result is None:
            cut = json.dumps({"path": "long.md", "content": self.text}, ensure_ascii=False)[:2500]
            return calls(("write", cut), finish="length")
        if "error" in result:
            assert not self.target.exists()
            self.told = result["error"]
        if not self.left:
            return says("written")
        piece, self.left = self.left[: self.part], self.left[self.part :]
        mode = "overwrite" if len(piece) + len(self.left) == len(self.text) else "append"
        return calls(("write", {"path": "long.md", "content": piece, "mode": mode}))


def test_a_long_file_through_a_small_output(tmp_path: Path) -> None:
    """A call that the output limit cut off is never run; in parts the file gets whole."""
    text = huge(5, 20_480)[:20_480]
    target = tmp_path / "workspace/long.md"
    rule = Writer(text, 1600, target)
    with agent_with(tmp_path, rule, 10_000, llm__max_retries=0, context__reserved_tokens=1000) as a:
        events = ask(a, "write the report")
        assert isinstance(events[-1], Answered)
    assert target.read_bytes() == text.encode()
    assert rule.told == EN.call_cut_off
    ran = [e.result.ok for e in events if isinstance(e, ToolRan)]
    assert ran == [False] + [True] * 13
