"""What is tried: everything that reads a file, an endpoint's bytes, a model's words or a name.

A check raises nothing but for a violation: errors that a reader is meant to raise are caught in
it, and what it returns is looked at.
"""

import json
import math
import random
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from chyan_agent.callwatch import CallWatch
from chyan_agent.cli.terminal import cut, harmless, one_line, width
from chyan_agent.cli.wire import json_line
from chyan_agent.compaction import facts_from
from chyan_agent.durable.codec import record_from_json, record_to_json
from chyan_agent.durable.records import seal, unseal
from chyan_agent.errors import ToolFailed
from chyan_agent.frames import defused, quoted
from chyan_agent.llm.assembly import Assembly
from chyan_agent.llm.faults import one_line as said_on_one_line
from chyan_agent.llm.faults import read_fault
from chyan_agent.llm.patience import asked_delay
from chyan_agent.llm.quirks import Quirks, wanted_form
from chyan_agent.llm.sse import ChunkReader, Garbled
from chyan_agent.log import Masking, mask
from chyan_agent.messages import Message, ToolCall, Turn
from chyan_agent.model import Reply
from chyan_agent.prompts.tools import EN
from chyan_agent.state import MessageAdded, Summary
from chyan_agent.statements.evidence import extract
from chyan_agent.statements.succession import merge
from chyan_agent.texttools import cut_call, find_calls
from chyan_agent.tools import Limits
from chyan_agent.tools.arguments import parse
from chyan_agent.tools.names import printable
from chyan_agent.tools.patterns import expression, glob
from chyan_agent.tools.registry import build_tools
from chyan_agent.window import summary_text

from . import seeds
from .bench import Check, Target
from .files import files

NAMES = ("read", "write", "search", "grep", "remember", "recall")
_NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def text_of(data: bytes) -> str:
    """Return bytes as text in which half a character may stand."""
    return data.decode("utf-8", "surrogateescape" if data[:1] == b"\xff" else "replace")


def record(data: bytes) -> None:
    """A line is a record that is written again just so, or a ValueError."""
    try:
        found = unseal(data)
        read = record_from_json(found)
    except ValueError:
        return
    seq, ts = found.get("seq"), found.get("ts")
    if isinstance(seq, int) and isinstance(ts, str):
        again = unseal(seal(record_to_json(read, seq=seq, ts=ts)))
        assert record_from_json(again) == read


def stream(data: bytes) -> None:
    """An answer is the same however its bytes are cut, and can be recorded and sent."""
    whole = _assembled([data])
    rng = random.Random(len(data))
    size = rng.choice((1, 2, 7, 1000)) if len(data) < 5000 else 4096
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    assert _assembled(parts) == whole


def _assembled(parts: list[bytes]) -> object:
    assembly, shown = Assembly(), []
    try:
        for chunk in ChunkReader(parts):
            if chunk.get("error"):
                fault = read_fault(0, chunk)
                assert fault.verdict
                assert said_on_one_line(fault.message).isprintable()
            shown.append(assembly.feed(chunk))
    except Garbled as error:
        return f"garbled: {error}"
    shown.append(assembly.close())
    reply = assembly.reply
    "".join(shown).encode()
    message = reply.message
    line = seal(record_to_json(MessageAdded(1, message), seq=1, ts=""))
    assert record_from_json(unseal(line)) == MessageAdded(1, message)
    return "".join(shown), reply


def refusal(data: bytes) -> None:
    """Whatever an endpoint says is one printable line, and teaches only so many lessons."""
    said = text_of(data)
    body = {
        "max_tokens": 9,
        "temperature": 0,
        "stream_options": {},
        "tools": [],
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "assistant", "content": "", "tool_calls": [{}]},
            {"role": "tool", "content": "r"},
        ],
    }
    quirks, lessons = Quirks(), 0
    while quirks.learn(quirks.apply(body), said):
        lessons += 1
        assert lessons < 20
    wanted_form(body, said)
    for status in (0, 400, 429, 500):
        fault = read_fault(status, said)
        assert fault.verdict
        line = said_on_one_line(fault.message, secret="sk-0123456789")
        assert line.isprintable() and "sk-0123456789" not in line
        for number in (fault.limit, fault.counted):
            assert number is None or number > 0


def arguments(data: bytes) -> None:
    """Arguments are of the types that a tool asks for, or the call fails with a word on why."""
    text = text_of(data)
    for tool in _TOOLS:
        try:
            found = parse(text, tool, EN)
        except ToolFailed as error:
            assert str(error) and len(str(error)) < 2000
            continue
        kinds = tool.parameters["properties"]
        assert isinstance(kinds, Mapping)
        for name, value in found.items():
            assert type(value) is (int if kinds[name]["type"] == "integer" else str)
            json.dumps(value, ensure_ascii=False).encode()


_TOOLS = build_tools(None, None, Limits(), EN, lambda turn: None)  # type: ignore[arg-type]


def retry_after(data: bytes) -> None:
    """A pause is none, or a number that can be waited for."""
    value = data.decode("latin-1")
    for headers in (
        {"retry-after": value},
        {"retry-after-ms": value},
        {"retry-after": value, "date": "Fri, 02 Jan 2026 03:04:05 GMT"},
        {"retry-after": "Fri, 02 Jan 2026 03:04:05 GMT", "date": value},
    ):
        delay = asked_delay(headers, _NOW)
        assert delay is None or (delay >= 0 and math.isfinite(delay))


def calls_in_text(data: bytes) -> None:
    """Calls in a text are of known tools with an object each; nothing of the text gets lost."""
    text = text_of(data)
    for found in (find_calls(text, NAMES), cut_call(text, NAMES)):
        if found is not None:
            assert {call.name for call in found.calls} <= set(NAMES)
    if (whole := find_calls(text, NAMES)) is not None:
        assert all(isinstance(json.loads(call.arguments), dict) for call in whole.calls)
    watch, rng, at, shown = CallWatch(NAMES), random.Random(len(text)), 0, ""
    while at < len(text):
        size = rng.choice((1, 3, 50, 4000))
        shown += watch.feed(text[at : at + size])
        at += size
    settled = watch.settle(Reply(Message("assistant", text), finish="stop"))
    assert text.startswith(shown)
    if not settled.from_text and not settled.echoed:
        assert shown + settled.rest == text


def memory(data: bytes) -> None:
    """What is kept of a turn is a line each, and has marks of nobody else's."""
    text = text_of(data)
    result = json.dumps({"content": text}, ensure_ascii=False)
    turn = Turn(
        2,
        (
            Message("user", text),
            Message("assistant", "", (ToolCall("c", "read", text), ToolCall("d", "write", result))),
            Message("tool", result, tool_call_id="c"),
            Message("tool", text, tool_call_id="d"),
            Message("assistant", text),
        ),
    )
    found = extract(turn)
    pieces = merge((), found)
    facts, _ = facts_from(Reply(Message("assistant", text), finish="stop"), f"@t2\n{text}", 2)
    told = summary_text(Summary(pieces, facts, 2), seeds.CORE)
    assert len(told.split("\n")) <= len(pieces) + len(facts) + 3
    again = merge(pieces, found)
    assert len(again) <= 2 * len(found)
    assert len(merge(again, found)) <= len(again)


def shown(data: bytes) -> None:
    """What is shown holds nothing that a terminal obeys, and JSON gives the text back."""
    text = text_of(data)
    safe = harmless(text)
    assert harmless(safe) == safe
    assert not any(ord(c) < 32 and c not in "\n\t" or 127 <= ord(c) < 160 for c in safe)
    line = one_line(text, 40)
    assert "\n" not in line and "\t" not in line and width(line) <= 40
    assert width(cut(text, 9)) <= 9 or not text
    # A joiner is left where it belongs to the spelling: test_names.
    name = printable(text).replace("\u200c", "").replace("\u200d", "")
    assert all(c.isprintable() or (c.isspace() and c not in "\r\n\t\x0b\x0c") for c in name)
    if not any(0xD800 <= ord(c) < 0xE000 for c in text):
        written = json_line({"text": text})
        assert json.loads(written) == {"text": text}
        assert written.count("\n") == 1 and "\x1b" not in written and "\x9b" not in written
        inside = json.dumps({"a": text}, ensure_ascii=False)
        assert json.loads(defused(inside)) == {"a": text}
    assert quoted(text).replace("| ", "") == text.replace("| ", "")


def logged(data: bytes) -> None:
    """An entry of the log is one line without the key."""
    import logging

    key = "sk-0123456789abcdef"
    text = f"{text_of(data)} {key}"
    entry = logging.LogRecord("x", logging.INFO, "", 0, text, None, None)
    line = Masking([key]).format(entry)
    assert key not in line and "\n" not in line and "\r" not in line
    assert mask(mask(text, [key]), [key]) == mask(text, [key])


def patterns(data: bytes) -> None:
    """A pattern is compiled soon and without much memory, or refused; a match ends in time."""
    text = text_of(data)
    matches = glob(text)
    for path in ("a/b/c.txt", "x" * 60, "/".join("a" * 30)):
        matches(path)
    try:
        compiled = expression(text, EN)
    except ToolFailed:
        return
    for line in ("aaaaaaaaaaaaaaaaaaaaaaaa!", "x", "中文 2026-01-02", ""):
        try:
            compiled.search(line, timeout=0.2)
        except TimeoutError:
            return


PURE: dict[str, tuple[Check, tuple[bytes, ...]]] = {
    "record": (record, seeds.RECORDS),
    "stream": (stream, seeds.STREAMS),
    "refusal": (refusal, seeds.REFUSALS),
    "arguments": (arguments, seeds.ARGUMENTS),
    "retry_after": (retry_after, seeds.DELAYS),
    "calls_in_text": (calls_in_text, seeds.CALLS),
    "memory": (memory, seeds.WORDS),
    "shown": (shown, seeds.SHOWN),
    "logged": (logged, seeds.SHOWN),
    "patterns": (patterns, seeds.PATTERNS),
}


def targets(folder: Path) -> dict[str, Target]:
    """Return all targets by name; `folder` is theirs to write in."""
    return {name: Target(name, *what) for name, what in (PURE | files(folder)).items()}
