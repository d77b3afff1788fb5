"""What a model said, made fit to be recorded: our own ids, valid arguments, clean text. Pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from .budget import compact_json
from .jsontext import as_object
from .messages import CALLED, INVALID, Message, ToolCall, clean
from .state import State

BASE_36 = "0123456789abcdefghijklmnopqrstuvwxyz"


def minted(message: Message, turn: int, first: int) -> Message:
    """Return the message with call ids of our own, valid on every wire.

    Providers repeat ids (`call_0` each turn, one constant for all) and some want exactly nine
    alphanumeric characters. A name or arguments that can't be sent back are replaced; what the
    model really wrote is judged by the toolset, from the original, and recorded beside.
    """
    calls = tuple(
        _call(call, _call_id(turn, first + place)) for place, call in enumerate(message.tool_calls)
    )
    return replace(
        message,
        content=clean(message.content),
        tool_calls=calls,
        reasoning=clean(message.reasoning),
    )


def _call_id(turn: int, number: int) -> str:
    """Return nine characters, other ones for each of a turn's first 1036 calls.

    From call 100 on the place of two digits is taken by a letter and a digit to base 36.
    """
    left = number - 100
    place = f"{number:02d}" if left < 0 else BASE_36[10 + left // 36 % 26] + BASE_36[left % 36]
    return f"t{turn % 100_000:05d}c{place}{left // 936 if left >= 936 else ''}"


def _name(name: str) -> str:
    return name if CALLED.fullmatch(name) else INVALID


def _call(call: ToolCall, call_id: str) -> ToolCall:
    """Return a call as it is recorded. Models imitate what they see in the history, an error of
    theirs too: of arguments that are no object nothing is sent back."""
    name, value = _name(call.name), as_object(call.arguments)
    if value is None:
        return ToolCall(call_id, name, "{}", written=clean(call.arguments))
    return ToolCall(call_id, name, _arguments(call.arguments, value))


def _arguments(arguments: str, value: Mapping[str, object]) -> str:
    # Escaped Chinese takes up to six times the tokens, each time that it is sent.
    if "\\u" in arguments:
        return clean(compact_json(value))
    return clean(arguments) if arguments.strip() else "{}"


class Repeats:
    """Counts the same call with the same result within a turn: a model that is going in circles."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, str, str]] = Counter()
        self.any = False
        """Whether anything was repeated so far."""

    def count(self, call: ToolCall, result: str) -> int:
        """Return how often this call gave this result, this time included."""
        known = as_object(call.arguments)
        arguments = call.arguments if known is None else compact_json(dict(sorted(known.items())))
        key = (call.name, arguments, result)
        self._seen[key] += 1
        self.any = self.any or self._seen[key] > 1
        return self._seen[key]


def reminded(state: State, notice: str) -> State:
    """Return a state whose last message carries a word to the model, for one request."""
    *turns, turn = state.turns
    *messages, last = turn.messages
    if last.role == "tool":
        said = with_notice(last.content, notice)
    else:
        said = f"{last.content}\n\n{notice}"
    told = replace(turn, messages=(*messages, replace(last, content=said)))
    return replace(state, turns=(*turns, told))


def with_notice(content: str, notice: str) -> str:
    """Return a tool result with a word to the model; a JSON object stays one."""
    if content.startswith("{") and content.endswith("}") and len(content) > 2:
        return f'{content[:-1]},"notice":{compact_json(notice)}}}'
    return f"{content}\n{notice}"
