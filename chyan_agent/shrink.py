"""How turns get smaller without losing their shape: every call keeps exactly one result. Pure.

Whatever is cut out leaves a handle (`#t12`) by which `recall` gives the original back.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from .budget import CountTokens, Meter, compact_json
from .clip import measure, shorten
from .messages import Message, ToolCall, Turn
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


def without_oldest_step(turn: Turn, texts: CoreTexts, *, keep: int = 1) -> Turn:
    """Leave out the oldest step, except the last `keep`; the question says so."""
    steps = [i for i, m in enumerate(turn.messages) if m.role == "assistant"]
    if len(steps) <= keep:
        return turn
    rest = turn.messages[steps[1] :] if len(steps) > 1 else ()
    note = texts.steps_left_out.format(handle=handle(turn.number))
    question = turn.messages[0]
    if note not in question.content:
        question = replace(question, content=f"{question.content}\n{note}")
    return replace(turn, messages=(question, *rest))


LARGE, SMALL = 200, 24
"""Tokens to which a text may be clipped: at first, and when nothing else is left to give."""
SLACK = 8
"""Tokens by which a cut goes further than asked: counts of pieces don't add up exactly."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A text in some message that may be clipped to so many tokens, with a note in its middle."""

    size: int
    floor: int
    turn: int
    clip: Callable[[int, str], Sequence[Turn]]


def clip_largest(
    turns: tuple[Turn, ...], excess: int, meter: Meter, texts: CoreTexts, *, tight: bool
) -> tuple[Turn, ...]:
    """Clip the largest text of these turns by `excess` tokens, to no less than a floor.

    `tight` lowers the floor and shortens the note, for when nothing else is left to give; the
    question of the last turn keeps its higher floor. Unchanged when all are at their floors.
    """
    part = max(_parts(turns, meter, tight), key=lambda part: part.size, default=None)
    if part is None:
        return turns
    target = max(part.size - excess - SLACK, part.floor)
    name = handle(part.turn)
    note = f"…{name}…" if tight else texts.clipped.format(tokens=part.size - target, handle=name)
    room = max(target, meter.count(note) + SLACK)
    if room >= part.size:
        return turns
    return tuple(part.clip(room, note))


def _parts(turns: tuple[Turn, ...], meter: Meter, tight: bool) -> Iterator[_Part]:
    for place, at, message in _places(turns):
        asks = place == len(turns) - 1 and at == 0
        floor = SMALL if tight and not asks else LARGE
        for call, text in _texts(message):
            # A message without calls is mostly its text, and its cost is known already.
            size = meter.count(text) if message.tool_calls else meter.message(message)
            if size > floor + SLACK:
                clip = partial(_clip, turns, place, at, call, meter.count)
                yield _Part(size, floor, turns[place].number, clip)


def _places(turns: tuple[Turn, ...]) -> Iterator[tuple[int, int, Message]]:
    for place, turn in enumerate(turns):
        for at, message in enumerate(turn.messages):
            yield place, at, message


def _texts(message: Message) -> list[tuple[ToolCall | None, str]]:
    return [(None, message.content), *((call, call.arguments) for call in message.tool_calls)]


def _clip(
    turns: tuple[Turn, ...],
    place: int,
    at: int,
    call: ToolCall | None,
    count: CountTokens,
    room: int,
    note: str,
) -> Sequence[Turn]:
    """Return the turns with one text clipped: a message's content, or a call's arguments."""
    turn = turns[place]
    old = turn.messages[at]
    if call is None:
        new = replace(old, content=shorten(old.content, room, count, note))
    else:
        small = replace(call, arguments=_clipped_arguments(call.arguments, room, count, note))
        new = replace(old, tool_calls=tuple(small if c is call else c for c in old.tool_calls))
    messages = (*turn.messages[:at], new, *turn.messages[at + 1 :])
    return (*turns[:place], replace(turn, messages=messages), *turns[place + 1 :])


def _clipped_arguments(arguments: str, room: int, count: CountTokens, note: str) -> str:
    """Return arguments as a JSON object of at most `room` tokens, if the note alone takes less.

    The longest text in it is cut as text: JSON written into JSON grows with every escape.
    """
    value = as_object(arguments) or {}
    texts = {key: text for key, text in value.items() if isinstance(text, str)}
    if texts:
        longest = max(texts, key=lambda key: len(texts[key]))
        left = room - measure(compact_json({**value, longest: ""}), count)

        def cost(text: str) -> int:
            return count(compact_json(text))

        if left > cost(note) + SLACK:
            cut = shorten(texts[longest], left, cost, note)
            return compact_json({**value, longest: cut})
    return compact_json({"clipped": note})


def as_object(arguments: str) -> dict[str, object] | None:
    """Return a call's arguments as an object; None if they are not one."""
    try:
        value = json.loads(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
