"""What a model said, made fit to be recorded: our own ids, valid arguments, clean text. Pure."""

import re
from collections import Counter
from dataclasses import replace

from .budget import compact_json
from .messages import Message, ToolCall, clean
from .shrink import as_object

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
ECHO = 400
"""Characters of broken arguments that are shown back to the model."""


def minted(message: Message, turn: int, first: int) -> Message:
    """Return the message with call ids of our own, valid on every wire.

    Providers repeat ids (`call_0` each turn, one constant for all) and some want exactly nine
    alphanumeric characters. A name or arguments that can't be sent back are replaced; what the
    model really wrote is judged by the toolset, from the original.
    """
    calls = tuple(
        ToolCall(f"t{turn:05d}c{first + place:02d}", _name(call.name), _arguments(call.arguments))
        for place, call in enumerate(message.tool_calls)
    )
    return replace(message, content=clean(message.content), tool_calls=calls)


def _name(name: str) -> str:
    return name if NAME.fullmatch(name) else "invalid"


def _arguments(arguments: str) -> str:
    if as_object(arguments) is None:
        return compact_json({"invalid_arguments": clean(arguments)[:ECHO]})
    return clean(arguments) if arguments.strip() else "{}"


class Repeats:
    """Counts the same call with the same result within a turn: a model that is going in circles."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, str, str]] = Counter()

    def count(self, call: ToolCall, result: str) -> int:
        """Return how often this call gave this result, this time included."""
        known = as_object(call.arguments)
        arguments = call.arguments if known is None else compact_json(dict(sorted(known.items())))
        key = (call.name, arguments, result)
        self._seen[key] += 1
        return self._seen[key]


def with_notice(content: str, notice: str) -> str:
    """Return a tool result with a word to the model; a JSON object stays one."""
    if content.startswith("{") and content.endswith("}") and len(content) > 2:
        return f'{content[:-1]},"notice":{compact_json(notice)}}}'
    return f"{content}\n{notice}"
