"""How turns get smaller without losing their shape: every call keeps exactly one result. Pure.

Whatever is cut out leaves a handle (`#t12`) by which `recall` gives the original back.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from .budget import Meter
from .jsontext import as_object
from .messages import Message, Turn
from .prompts.core import CoreTexts


def handle(turn: int) -> str:
    """Return the name by which a turn can be had back."""
    return f"#t{turn}"


RECALL = "recall"
"""The tool that takes a handle."""
_HANDLE = re.compile(r"#t\d+(?:@\d+)?", re.ASCII)


def recalled(turn: Turn) -> dict[str, str]:
    """Return which results of a turn are pages of others: call id to handle.

    Such a page is had back by the handle that it came by: a handle to a handle leads nowhere.
    """
    calls = (call for message in turn.messages for call in message.tool_calls)
    queries = {c.id: (as_object(c.arguments) or {}).get("query") for c in calls if c.name == RECALL}
    asked = {id: query.strip() for id, query in queries.items() if isinstance(query, str)}
    return {id: query for id, query in asked.items() if _HANDLE.fullmatch(query)}


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
    pages = recalled(turn)
    messages = tuple(
        _stubbed(message, name_of(turn, message, pages), meter, texts) if place < end else message
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


def name_of(turn: Turn, message: Message, pages: Mapping[str, str]) -> str:
    """Return the handle that gives a message of a turn back, whose `recalled` is `pages`."""
    return pages.get(message.tool_call_id) or handle(turn.number)


def _stubbed(message: Message, name: str, meter: Meter, texts: CoreTexts) -> Message:
    if message.role != "tool":
        return _unreasoned(message, meter)
    tokens = meter.message(message)
    stub = replace(message, content=texts.stub.format(tokens=tokens, handle=name))
    return stub if meter.message(stub) < tokens else message


STEP_BLOCK, LAST_STEPS = 8, 4
"""Steps that are left out together, so that the front of the window changes at every eighth step
only; and those that stay until nothing else is left to give."""


def step_blocks(turn: Turn) -> int:
    """Return how many blocks of older steps could be left out."""
    steps = sum(message.role == "assistant" for message in turn.messages)
    return max(steps - LAST_STEPS, 0) // STEP_BLOCK


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
