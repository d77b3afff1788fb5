"""What must hold of a window, judged with nothing of the agent's own arithmetic."""

import json
import re
from collections.abc import Callable, Iterator, Sequence

from chyan_agent.messages import Message, ToolCall, Turn, clean
from chyan_agent.model import Schema
from chyan_agent.prompts.core import CoreTexts
from chyan_agent.shrink import recalled
from chyan_agent.state import State

from ..made import neighbours, unpaired

Count = Callable[[str], int]
_SURROGATE = re.compile("[\ud800-\udfff]")
EMPTY = "…"
"""What is sent for an answer without text."""


def recount(messages: Sequence[Message], tools: Sequence[Schema], count: Count) -> int:
    """Return the tokens of a request: the published framing of chat messages, added up anew."""
    total = 3
    for message in messages:
        total += 4 + count(message.content) + (count(message.reasoning) if message.reasoning else 0)
        for call in message.tool_calls:
            total += 8 + count(call.name) + count(call.arguments)
    for tool in tools:
        total += 8 + count(json.dumps(tool, ensure_ascii=False, separators=(",", ":")))
    return total


def broken(state: State, messages: Sequence[Message], texts: CoreTexts) -> Iterator[str]:
    """Yield what is wrong with the messages of a request for this state."""
    if [m.role for m in messages].count("system") != 1 or messages[0].role != "system":
        yield "not one system message at the front"
    if problem := unpaired(tuple(messages)):
        yield problem
    if pairs := neighbours(messages):
        yield f"roles that don't alternate: {pairs}"
    for message in messages:
        if message.role in ("system", "user") and not message.content.strip():
            yield f"an empty {message.role} message"
        yield from (f"arguments {c.arguments[:60]!r}" for c in message.tool_calls if not _object(c))
        if any(
            map(_SURROGATE.search, (message.content, *(c.arguments for c in message.tool_calls)))
        ):
            yield "a lone surrogate"
    yield from _question(state.turns[-1], messages)
    yield from _changed(state, messages, texts)


def broken_as_text(state: State, messages: Sequence[Message]) -> Iterator[str]:
    """Yield what is wrong where calls and results travel as text: roles alternate."""
    if [m.role for m in messages] != ["system", *("user", "assistant") * len(messages)][
        : len(messages)
    ]:
        yield f"roles {[m.role for m in messages]}"
    if not all(m.content.strip() for m in messages):
        yield "an empty message"
    if any(m.tool_calls or m.tool_call_id or _SURROGATE.search(m.content) for m in messages):
        yield "a call, or a lone surrogate"
    if not any(state.turns[-1].question[:16] in m.content for m in messages if m.role == "user"):
        yield "the question is gone"


def _plain(arguments: str) -> str:
    """Return arguments as any JSON that says the same; half a character can't be sent as such."""
    return clean(json.dumps(json.loads(arguments), ensure_ascii=False))


def _object(call: ToolCall) -> bool:
    return isinstance(json.loads(call.arguments), dict)


def _question(turn: Turn, messages: Sequence[Message]) -> Iterator[str]:
    """The current question is the last thing that the user said: whole, or its head and tail."""
    said = [m.content for m in messages if m.role == "user"][-1]
    asked = turn.messages[0].content
    if asked in said:
        return
    # Of a clipped question at least this many characters stay at the front.
    if said[:16] != asked[:16] or f"#t{turn.number}" not in said:
        yield f"the question is gone: {said[:80]!r}"


def _without_word(content: str, word: str) -> str:
    """Return a text without the word to the model that a request may carry at its end."""
    field = f',"notice":{json.dumps(word, ensure_ascii=False)}}}'
    if content.endswith(field):
        return content.removesuffix(field) + "}"
    return content.removesuffix(f"\n\n{word}").removesuffix(f"\n{word}")


def _changed(state: State, messages: Sequence[Message], texts: CoreTexts) -> Iterator[str]:
    """Every text is as it was said, or names the turn that holds the original."""
    said = {m.content for turn in state.turns for m in turn.messages} | {texts.summary_ack, EMPTY}
    head = texts.summary_head.partition("{")[0]
    asked = {c.arguments for turn in state.turns for m in turn.messages for c in m.tool_calls}
    # Written in fewer characters, it is still the same object.
    objects = set(map(_plain, asked))
    turns = {c.id: turn.number for turn in state.turns for m in turn.messages for c in m.tool_calls}
    pages = {id: name for turn in state.turns for id, name in recalled(turn).items()}
    handles = tuple(f"#t{turn.number}" for turn in state.turns)
    for message in messages[1:]:
        for call in message.tool_calls:
            cut = call.arguments not in asked and _plain(call.arguments) not in objects
            if cut and f"#t{turns[call.id]}" not in call.arguments:
                yield f"arguments cut without a handle: {call.arguments[:80]!r}"
        handle = f"#t{turns[message.tool_call_id]}" if message.role == "tool" else ""
        handle = pages.get(message.tool_call_id, handle)
        named = handle in message.content if handle else any(h in message.content for h in handles)
        whole = _without_word(message.content, texts.in_words)
        if whole not in said and not named and not message.content.startswith(head):
            yield f"text cut without a handle: {message.content[:80]!r}"
