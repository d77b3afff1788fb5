"""The arguments of a call as a model wrote them, checked against the schema of its tool."""

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from typing import cast

from ..budget import compact_json
from ..errors import ToolFailed
from ..jsontext import too_deep, unique
from ..messages import Json, clean
from ..prompts.tools import ToolTexts
from . import Arguments, Tool

_INTEGER = re.compile(r"\s*[+-]?\d{1,18}\s*", re.ASCII)
_KINDS = {type(None): "null", bool: "a boolean", list: "an array", str: "a string"}


def parse(text: str, tool: Tool, texts: ToolTexts) -> Arguments:
    """Return the arguments; nothing at all means none. Raises ToolFailed for whatever is wrong.

    Never guesses: what is not one complete object is refused, so that no tool runs by half.
    """
    properties = cast("Mapping[str, Json]", tool.parameters["properties"])
    takes = texts.arguments_are.format(tool=tool.name, names=", ".join(properties))
    # What is null was left out: models fill in optional arguments that way.
    given = {key: value for key, value in _object(text, texts).items() if value is not None}
    for name in given:
        if name not in properties:
            raise ToolFailed(texts.unknown_argument.format(name=quoted(name)), hint=takes)
    for name in cast("Iterable[str]", tool.parameters["required"]):
        if name not in given:
            raise ToolFailed(texts.missing_argument.format(name=name), hint=takes)
    return {
        name: _checked(name, value, properties[name], takes, texts) for name, value in given.items()
    }


def closest(name: str, names: Iterable[str]) -> str:
    """Return the name that was probably meant, or nothing."""
    return next(iter(difflib.get_close_matches(name[:64].lower(), list(names), 1)), "")


def quoted(value: object) -> str:
    """Return something that a model sent, short and as JSON."""
    text = compact_json(clean(value[:80]) if isinstance(value, str) else value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _object(text: str, texts: ToolTexts) -> Mapping[str, object]:
    if not text.strip():
        return {}
    try:
        # Raw newlines in strings are against the letter of JSON, but leave no doubt.
        value = json.loads(text, strict=False, object_pairs_hook=unique)
        if too_deep(value):
            raise RecursionError
    except (ValueError, RecursionError) as error:
        reason = str(error)[:80] if isinstance(error, ValueError) else "too deeply nested"
        problem = texts.bad_json.format(problem=reason)
        raise ToolFailed(problem, hint=texts.bad_json_hint) from error
    if not isinstance(value, dict):
        kind = _KINDS.get(type(value), "a number")
        raise ToolFailed(texts.not_object.format(kind=kind), hint=texts.bad_json_hint)
    return value


def _checked(name: str, value: object, wanted: Json, takes: str, texts: ToolTexts) -> object:
    kind = wanted["type"]
    number = _integer(value) if kind == "integer" else None
    found = number if kind == "integer" else _string(value)
    if found is None:
        text = texts.wrong_type.format(name=name, wanted=kind, value=quoted(value))
        raise ToolFailed(text, hint=takes)
    options = cast("list[str]", wanted.get("enum", ()))
    if options and found not in options:
        text = texts.not_one_of.format(name=name, wanted=", ".join(options), value=quoted(value))
        raise ToolFailed(text, hint=takes)
    least = cast("int | None", wanted.get("minimum"))
    if number is not None and least is not None and number < least:
        text = texts.too_small.format(name=name, wanted=least, value=number)
        raise ToolFailed(text, hint=takes)
    return found


def _string(value: object) -> str | None:
    return clean(value) if isinstance(value, str) else None


def _integer(value: object) -> int | None:
    """Return a whole number, also one that came as 5.0 or "5"; a boolean is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return int(value) if _INTEGER.fullmatch(value) else None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) else None
