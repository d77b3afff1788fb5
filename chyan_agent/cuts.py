"""Cutting texts inside messages: head and tail stay, a note with a handle between them. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from operator import is_

from .budget import CountTokens, Meter, compact_json
from .jsontext import as_object
from .messages import Message, Turn, clean
from .prompts.core import CoreTexts
from .shorten import measure, shorten
from .shrink import name_of, recalled

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
    pages = [recalled(turn) for turn in turns]
    parts = list(_parts(turns, meter, tight))
    heapify(parts)
    while parts and excess > 0:
        part = heappop(parts)
        size, old = -part.minus_size, table[part.turn][part.message]
        target = max(size - excess - SLACK, part.floor)
        name = name_of(turns[part.turn], old, pages[part.turn])
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
        text = shorten(part.text, room, count, note, too_large=True)
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
    return _cut_inside(arguments, room, count, note) or compact_json({"clipped": note})


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
