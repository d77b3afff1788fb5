"""What a run promised, from the lines of its driver: what must be there, and what may be."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from .driver import Line
from .script import ASKS, Call

EVER = 10**9


@dataclass
class Promises:
    """What the lines say. Whatever is loose was begun, and may have happened or not."""

    living: dict[int, list[Line]] = field(default_factory=dict)
    """Acknowledged turns that were not rewound: number to messages."""
    sure: int = EVER
    """Turns up to this are surely living: a rewind may have happened."""
    loose_asks: set[str] = field(default_factory=set)
    noted: list[str] = field(default_factory=list)
    versions: list[str | None] = field(default_factory=lambda: [None])
    """What the report may be."""
    lines: set[str] = field(default_factory=set)
    loose_lines: set[str] = field(default_factory=set)
    cut_short: str = ""
    """What the turn asked that was under way at the end, if one was."""


def promised(lines: Sequence[Line]) -> Promises:
    """Follow the lines of one run, the last of which may be the beginning of something."""
    promises = Promises()
    begun: Any = None
    for line in lines:
        if "begun" in line:
            begun = line["begun"]
            continue
        if "acked" in line:
            _acknowledged(promises, cast("int", line["acked"]), cast("list[Any]", line["messages"]))
        elif "rewound" in line:
            last = cast("int", line["rewound"])
            promises.living = {n: m for n, m in promises.living.items() if n <= last}
        elif "failed" in line:
            _loose(promises, begun)
        elif "crashed" in line:
            continue
        begun = None
    if begun:
        _loose(promises, begun)
        promises.cut_short = begun.get("text", "")
    return promises


def _acknowledged(promises: Promises, number: int, messages: list[Any]) -> None:
    promises.living[number] = messages
    for (name, given), ok in calls(messages):
        if name == "write":
            _written(promises, given, sure=ok)
        elif name == "remember" and ok:
            promises.noted.append(str(given["content"]))


def _loose(promises: Promises, begun: Any) -> None:
    if begun["op"] == "Rewind":
        promises.sure = min(promises.sure, begun["turn"])
    elif begun["op"] == "Ask":
        promises.loose_asks.add(begun["text"])
        for step in ASKS[begun["text"]].steps:
            for name, given in step:
                if name == "write":
                    _written(promises, given, sure=False)


def _written(promises: Promises, given: dict[str, object], *, sure: bool) -> None:
    content = str(given["content"])
    if given["path"] == "log.txt":
        (promises.lines if sure else promises.loose_lines).add(content)
    elif sure:
        promises.versions = [content]
    else:
        promises.versions.append(content)


def calls(messages: list[Any]) -> Iterator[tuple[Call, bool]]:
    """Yield the calls of a turn with whether their results are good."""
    for call, result in results(messages):
        yield call, result.startswith("{") and "error" not in json.loads(result)


def results(messages: list[Any]) -> Iterator[tuple[Call, str]]:
    """Yield the calls of a turn with their results."""
    given = {m["tool_call_id"]: m["content"] for m in messages if m["role"] == "tool"}
    for message in messages:
        for call in message.get("tool_calls", ()):
            function = call["function"]
            yield (function["name"], json.loads(function["arguments"])), given.get(call["id"], "")
