"""The session that is disturbed: what is asked, and a model that answers it by rule."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from chyan_agent.messages import Message, ToolCall
from chyan_agent.model import Delta, Reply, Request, Retry, Usage

Call = tuple[str, dict[str, object]]

FIRST = "version 1 of the report\n" * 9
SECOND = "version 2 of the report, longer\n" * 11
LINES = ("two: 二\n", "three: 三\n", "four: 四\n", "after: 后\n")
FACTS = ("The port of the gateway is 8123.", "The name of the boat is Ada.")
FACT = "- The report has 9 lines of version 1. @t1"


@dataclass(frozen=True, slots=True)
class Ask:
    """A turn: what the user says, and the calls of each step before the answer."""

    text: str
    steps: tuple[tuple[Call, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Compact:
    """Compact the older turns."""


@dataclass(frozen=True, slots=True)
class Rewind:
    """Go back to the end of a turn."""

    turn: int


Op = Ask | Compact | Rewind


def _write(path: str, content: str, mode: str = "overwrite") -> Call:
    return "write", {"path": path, "content": content, "mode": mode}


AFTER = Ask("Say that you are back.", ((_write("log.txt", LINES[3], "append"),),))
"""Asked after a recovery: what was repaired can be written to."""

OPS: tuple[Op, ...] = (
    Ask("Keep the first version.", ((_write("sub/report.txt", FIRST),),)),
    Ask(
        "Look at it, and note the port.",
        (
            (("read", {"path": "sub/report.txt"}),),
            (("remember", {"content": FACTS[0]}), _write("log.txt", LINES[0], "append")),
        ),
    ),
    Compact(),
    Ask(
        "Now the second version.",
        ((_write("sub/report.txt", SECOND), _write("log.txt", LINES[1], "append")),),
    ),
    Rewind(2),
    Ask(
        "Go another way.",
        ((_write("log.txt", LINES[2], "append"),), (("remember", {"content": FACTS[1]}),)),
    ),
)
ASKS = {op.text: op for op in (*OPS, AFTER) if isinstance(op, Ask)}


class Malformed(Exception):
    """A request that an endpoint would refuse for ever. Not an AgentError: it ends the run."""


class Scripted:
    """A `Model` that knows what to answer from the request alone, and looks at how it is made."""

    def complete(self, request: Request) -> Iterator[Delta | Retry | Reply]:
        """Yield one whole reply. Raises Malformed."""
        check_form(request.messages)
        if not request.tools:
            yield Reply(Message("assistant", FACT))
            return
        asked = max(i for i, m in enumerate(request.messages) if m.role == "user")
        ask = ASKS[request.messages[asked].content]
        step = sum(m.role == "assistant" for m in request.messages[asked:])
        usage = Usage(_size(request), 5)
        if step < len(ask.steps):
            yield Reply(Message("assistant", "", _calls(ask.steps[step])), usage, "tool_calls")
        else:
            yield Delta("Done: ")
            yield Reply(Message("assistant", f"Done: {ask.text}"), usage)

    def close(self) -> None:
        """Hold nothing."""


def _size(request: Request) -> int:
    """Count otherwise than the agent does, so that there is something to learn."""
    texts = (*(m.content for m in request.messages), json.dumps(request.tools))
    return sum(len(text.encode()) for text in texts) * 4 // 5


def _calls(step: tuple[Call, ...]) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(f"call{n}", name, json.dumps(given, ensure_ascii=False))
        for n, (name, given) in enumerate(step)
    )


def check_form(messages: tuple[Message, ...]) -> None:
    """Raise Malformed unless each call has one result behind it and ids are unique."""
    seen: set[str] = set()
    at = 0
    while at < len(messages):
        message, at = messages[at], at + 1
        ids = [call.id for call in message.tool_calls]
        results = []
        while at < len(messages) and messages[at].role == "tool":
            results.append(messages[at].tool_call_id)
            at += 1
        if results != ids or len(set(ids)) < len(ids) or seen & set(ids):
            raise Malformed(f"calls {ids}, results {results}, before {sorted(seen)}")
        seen |= set(ids)
        for call in message.tool_calls:
            if not isinstance(json.loads(call.arguments), dict):
                raise Malformed(f"arguments of {call.id}")
        json.dumps(message.content, ensure_ascii=False).encode("utf-8")
