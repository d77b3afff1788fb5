"""JSON that others wrote, read with care. Pure."""

import json
from collections.abc import Iterable
from math import isfinite

DEEPEST = 64
"""Levels of lists and objects in the arguments of a call. No tool asks for more than one."""


def parsed(text: str | bytes) -> object:
    """Return the value of a JSON text; None of `null`, and of whatever was written instead."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def as_object(arguments: str) -> dict[str, object] | None:
    """Return a call's arguments as an object; None if they are not one in strict JSON."""
    if not arguments.strip():
        return {}
    try:
        value = json.loads(arguments, parse_constant=finite, parse_float=finite)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and not too_deep(value) else None


def first_text(arguments: str) -> str:
    """Return the first text in a call's arguments, which says what it is about; empty for none."""
    values = (as_object(arguments) or {}).values()
    return next((value for value in values if isinstance(value, str)), "")


def finite(written: str) -> float:
    """Read a number. Raises ValueError for NaN and the like, which no JSON reader need take."""
    value = float(written)
    if not isfinite(value):
        raise ValueError(f"{written} is no number")
    return value


def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of its fields. Raises ValueError where one of them could be meant."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("the same name twice in one object")
    return value


def too_deep(value: object) -> bool:
    """Whether JSON is nested deeper than arguments may be.

    What could just be read may be too deep for whoever walks it by recursion, as a writer does.
    """
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return False
    return any(isinstance(each, dict | list) for each in level)


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
