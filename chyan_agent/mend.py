"""States from damaged transcripts: what is missing takes its counterpart along. Pure.

A record that can't be read any more may leave a call without its result, a result without its
call, a question without its answer; an edit may leave a call that is no JSON. An endpoint refuses
such a request, every time it is sent. An answer that is read again, as an edit was accepted, stands
before what had taken its place.
"""

from collections.abc import Iterator
from dataclasses import replace

from .jsontext import as_object
from .messages import CALLED, INVALID, Message, ToolCall, Turn
from .state import State


def mended(state: State) -> State:
    """Return a state that can be sent; a whole one as it is. Everything stays in the transcript."""
    turns: list[Turn] = []
    for turn in reversed(state.turns):
        last = turn is state.turns[-1]
        messages = tuple(_paired(_from_question(turn.messages), last))
        whole = replace(turn, messages=messages)
        # A later turn with an earlier number means that a rewind was lost.
        if messages and (last or whole.closed) and not (turns and turn.number >= turns[-1].number):
            turns.append(whole)
    return replace(state, turns=tuple(reversed(turns)))


def _from_question(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return the messages from the last question on; nothing if there is none."""
    asked = [place for place, message in enumerate(messages) if message.role == "user"]
    return messages[asked[-1] :] if asked else ()


def _paired(messages: tuple[Message, ...], last: bool) -> Iterator[Message]:
    """Yield the messages up to the first answer, with every call next to its result.

    Of an open `last` turn the final step may still wait for results.
    """
    at = 0
    while at < len(messages):
        message, end = messages[at], at + 1
        while end < len(messages) and messages[end].role == "tool":
            end += 1
        results = messages[at + 1 : end]
        waits = last and end == len(messages)
        there = {result.tool_call_id for result in results}
        calls = tuple(_sendable(c) for c in message.tool_calls if waits or c.id in there)
        if calls or message.content or not message.tool_calls:
            yield replace(message, tool_calls=calls)
        if message.role == "assistant" and not message.tool_calls:
            return
        asked = {call.id for call in calls}
        yield from (result for result in results if result.tool_call_id in asked)
        at = end


def _sendable(call: ToolCall) -> ToolCall:
    """Return a call as replies are recorded: with a name, and an object of arguments."""
    name = call.name if CALLED.fullmatch(call.name) else INVALID
    if call.arguments.strip() and as_object(call.arguments) is not None:
        return call if name == call.name else replace(call, name=name)
    return ToolCall(call.id, name, "{}", written=call.written or call.arguments)
