"""How turns get smaller without losing their shape: every call keeps exactly one result. Pure.

Whatever is cut out leaves a handle (`#t12`) by which `recall` gives the original back.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from math import isfinite
from operator import is_

from .budget import CountTokens, Meter, compact_json
from .clip import measure, shorten
from .messages import Message, Turn, clean
from .prompts.core import CoreTexts


def handle(turn: int) -> str:
    """Return the name by which a turn can be had back."""
    return f"#t{turn}"


def stub_results(turn: Turn, meter: Meter, texts: CoreTexts) -> Turn:
    """Replace the tool results of a turn with stubs where that makes them smaller.

    Reasoning that would be sent goes too: it helped to get there and is not needed to go on.
    """
    return _stub_before(len(turn.messages), turn, meter, texts)


def stub_old_results(turn: Turn, meter: Meter, texts: CoreTexts) -> Turn:
    """Replace the tool results before the last step, which the model has yet to read."""
    last = max((i for i, m in enumerate(turn.messages) if m.tool_calls), default=0)
    return _stub_before(last, turn, meter, texts)


def _stub_before(end: int, turn: Turn, meter: Meter, texts: CoreTexts) -> Turn:
    messages = tuple(
        _stubbed(message, turn.number, meter, texts) if place < end else message
        for place, message in enumerate(turn.messages)
    )
    return replace(turn, messages=messages)


def without_reasoning(turn: Turn, meter: Meter) -> Turn:
    """Leave out reasoning that would be sent."""
    return replace(turn, messages=tuple(_unreasoned(m, meter) for m in turn.messages))


def _unreasoned(message: Message, meter: Meter) -> Message:
    if not message.reasoning:
        return message
    bare = replace(message, reasoning="")
    return bare if meter.message(bare) < meter.message(message) else message


def _stubbed(message: Message, turn: int, meter: Meter, texts: CoreTexts) -> Message:
    if message.role != "tool":
        return _unreasoned(message, meter)
    tokens = meter.message(message)
    stub = replace(message, content=texts.stub.format(tokens=tokens, handle=handle(turn)))
    return stub if meter.message(stub) < tokens else message


def without_oldest_steps(turn: Turn, texts: CoreTexts, count: int) -> Turn:
    """Leave out so many of the oldest steps; the question says so."""
    if count <= 0:
        return turn
    starts = [place for place, m in enumerate(turn.messages) if m.role == "assistant"]
    rest = turn.messages[starts[count] :] if count < len(starts) else ()
    note = texts.steps_left_out.format(handle=handle(turn.number))
    question = turn.messages[0]
    if note not in question.content:
        question = replace(question, content=f"{question.content}\n{note}")
    return replace(turn, messages=(question, *rest))


LARGE, SMALL = 200, 24
"""Tokens to which a text may be clipped: at first, and when nothing else is left to give."""
SLACK = 8
"""Tokens by which a cut goes further than asked: counts of pieces don't add up exactly."""


@dataclass(frozen=True, slots=True, order=True)
class _Part:
    """A text that may be clipped; the largest sorts first, of equals the oldest."""

    minus_size: int
    turn: int
    """Place of its turn."""
    message: int
    call: int
    """Place of the call whose arguments it is; -1 for the content of the message."""
    floor: int
    text: str
    """As it was before any clip."""
    whole: int
    """Tokens of that."""


def clip_largest(
    turns: tuple[Turn, ...], excess: int, meter: Meter, texts: CoreTexts, *, tight: bool
) -> tuple[Turn, ...]:
    """Clip the largest texts of these turns until `excess` tokens are gone, each to a floor.

    `tight` lowers the floor and shortens the note, for when nothing else is left to give; the
    question of the last turn keeps its higher floor. A turn of which nothing was clipped stays
    the same object.
    """
    table = [list(turn.messages) for turn in turns]
    parts = list(_parts(turns, meter, tight))
    heapify(parts)
    while parts and excess > 0:
        part = heappop(parts)
        size, old = -part.minus_size, table[part.turn][part.message]
        target = max(size - excess - SLACK, part.floor)
        name = handle(turns[part.turn].number)
        left_out = part.whole - target
        note = f"…{name}…" if tight else texts.clipped.format(tokens=left_out, handle=name)
        room = max(target, meter.count(note) + SLACK)
        if room >= size:
            continue
        new, text = _clipped(part, old, room, note, meter.count)
        table[part.turn][part.message] = new
        excess -= meter.message(old) - meter.message(new)
        if (now := meter.text(text)) < size:
            heappush(parts, replace(part, minus_size=-now))
    return tuple(_with(turn, row) for turn, row in zip(turns, table, strict=True))


def _parts(turns: tuple[Turn, ...], meter: Meter, tight: bool) -> Iterator[_Part]:
    for place, turn in enumerate(turns):
        for at, message in enumerate(turn.messages):
            asks = place == len(turns) - 1 and at == 0
            floor = SMALL if tight and not asks else LARGE
            yield from (
                _Part(-size, place, at, call, floor, text, size)
                for call, text, size in _sizes(message, meter)
                if size > floor + SLACK
            )


def _sizes(message: Message, meter: Meter) -> Iterator[tuple[int, str, int]]:
    if not message.tool_calls:
        # Such a message is mostly its text, and its cost is known already.
        yield -1, message.content, meter.message(message)
        return
    yield -1, message.content, meter.text(message.content)
    for place, call in enumerate(message.tool_calls):
        yield place, call.arguments, meter.text(call.arguments)


def _clipped(
    part: _Part, message: Message, room: int, note: str, count: CountTokens
) -> tuple[Message, str]:
    """Return a message with one of its texts clipped, and that text."""
    if part.call < 0:
        text = shorten(part.text, room, count, note)
        return replace(message, content=text), text
    text = _clipped_arguments(part.text, room, count, note)
    calls = list(message.tool_calls)
    calls[part.call] = replace(calls[part.call], arguments=text)
    return replace(message, tool_calls=tuple(calls)), text


def _with(turn: Turn, messages: list[Message]) -> Turn:
    same = all(map(is_, turn.messages, messages))
    return turn if same else replace(turn, messages=tuple(messages))


def _clipped_arguments(arguments: str, room: int, count: CountTokens, note: str) -> str:
    """Return arguments as a JSON object of at most `room` tokens, if the note alone takes less."""
    try:
        shorter = _cut_inside(arguments, room, count, note)
    except RecursionError:
        # What could just be read may be too deep to be written.
        shorter = None
    return shorter or compact_json({"clipped": note})


def _cut_inside(arguments: str, room: int, count: CountTokens, note: str) -> str | None:
    """Return arguments with their longest text cut; None where that doesn't do.

    Cut as text, and not as JSON: JSON written into JSON grows with every escape.
    """
    # Half a character may stand in JSON as an escape, which is valid until it is written out.
    value = as_object(clean(compact_json(as_object(arguments) or {}))) or {}
    texts = {key: text for key, text in value.items() if isinstance(text, str)}
    if not texts:
        return None
    longest = max(texts, key=lambda key: len(texts[key]))
    left = room - measure(compact_json({**value, longest: ""}), count)

    def cost(text: str) -> int:
        return count(compact_json(text))

    if left <= cost(note) + SLACK:
        return None
    return compact_json({**value, longest: shorten(texts[longest], left, cost, note)})


def as_object(arguments: str) -> dict[str, object] | None:
    """Return a call's arguments as an object; None if they are not one in strict JSON."""
    if not arguments.strip():
        return {}
    try:
        value = json.loads(arguments, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _finite(written: str) -> float:
    """Read a number. Raises ValueError for NaN and the like, which no JSON reader need take."""
    value = float(written)
    if not isfinite(value):
        raise ValueError(written)
    return value
