"""Tool calls that travel as text: read out of a model's answer, and written into a prompt. Pure.

Models without a tool interface, and servers that don't parse what their model writes, put calls
into the text: in tags, in fenced JSON, or bare.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .frames import defused
from .jsontext import too_deep
from .messages import ToolCall

LEAD = 200
"""Characters that may stand before a call: a sentence on what is about to be done."""
MOST = 16
"""Calls that one answer may hold: a model that writes more has lost its way."""
TAGS = ("<tool_call>", "[TOOL_CALLS]", "<|python_tag|>", "<function=")
RESULT_TAGS = ("<tool_response>", "<tool_result>", "[TOOL_RESULTS]")
START = re.compile(
    rf"(?P<tag>{'|'.join(map(re.escape, (*TAGS, *RESULT_TAGS)))})|^[ \t]*(?:```|\{{|\[\s*\{{)",
    re.M,
)
"""Where a call may begin, or a result that is none: a tag anywhere, a fence or JSON at the start
of a line."""
_MARK = re.compile(
    r"(?:[\s;,]|</?tool_calls?>|</tool_(?:response|result)>"
    r"|```(?:json|tool_calls?|tool_code|xml)?(?=[\s{\[<]|$)"
    r"|\[/?TOOL_CALLS\]|<\|[a-z_]+\|>|</s>|</function>)*"
)
_NAMED = re.compile(r"<function=(?P<a>[\w-]+)>|(?P<b>[\w-]+)(?:\[ARGS\])?(?=\s*\{)")
_PARAMETER = re.compile(r"\s*<parameter=([\w-]+)>\n?(.*?)\n?</parameter>", re.S)
_CUT = re.compile(r'"name"\s*:\s*"([\w-]+)"\s*,\s*"(?:arguments|parameters)"\s*:\s*')
_KEYS = frozenset({"name", "arguments", "parameters", "type", "id"})
_WRAPPER = frozenset({"function", "type", "id", "index"})
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Found:
    """The calls that an answer is, and the words before them."""

    lead: str
    calls: tuple[ToolCall, ...]


class _NoCall(ValueError):
    """The text is not made of calls alone."""


def find_calls(text: str, names: Collection[str]) -> Found | None:
    """Return the calls of known tools that a text begins with, but for a short lead-in.

    What stands behind them is left out: made-up results, a word on what comes next, calls that
    build on it. Bare JSON amid longer prose is an example, not a call. Call ids are empty.
    """
    start = _start(text)
    if start is None:
        return None
    lead, body = text[:start].strip(), text[start:]
    calls, end = _leading(body, names)
    explained = bool(lead) and not body.startswith(TAGS) and _prose(body[end:]) > LEAD
    return Found(lead, calls) if calls and not explained else None


def _leading(body: str, names: Collection[str]) -> tuple[tuple[ToolCall, ...], int]:
    """Return the calls up to the first thing that is none, and where that stands."""
    calls: list[ToolCall] = []
    at = _skip(body, 0)
    while at < len(body) and len(calls) < MOST:
        try:
            value, end = _value(body, at)
            found = [
                ToolCall("", name, json.dumps(arguments, ensure_ascii=False))
                for name, arguments in _calls(value)
            ]
        except (ValueError, RecursionError):
            break
        if any(call.name not in names for call in found):
            break
        calls, at = [*calls, *found], _skip(body, end)
    return tuple(calls[:MOST]), at


def _prose(rest: str) -> int:
    """Return how many characters of words follow; what a machine might have said is none."""
    return 0 if rest.startswith(("{", "[", "<", "`")) else len(rest)


def cut_call(text: str, names: Collection[str]) -> Found | None:
    """Return the call that an answer began when its output ended; the arguments are unfinished."""
    start = _start(text)
    match = _CUT.search(text, start) if start is not None else None
    if start is None or match is None or match[1] not in names or match.start() > start + LEAD:
        return None
    return Found(text[:start].strip(), (ToolCall("", match[1], text[match.end() :]),))


def _start(text: str) -> int | None:
    match = START.search(text, 0, LEAD + 80)
    return match.start() if match and match.start() <= LEAD else None


def _value(body: str, at: int) -> tuple[object, int]:
    """Return the call, or other JSON, that stands at a place, and its end. Raises ValueError."""
    named = _NAMED.match(body, at)
    if named is None:
        return _decode(body, at)
    at = named.end()
    at += len(body[at:]) - len(body[at:].lstrip())
    value, end = _parameters(body, at) if named["a"] else _decode(body, at)
    return {"name": named["a"] or named["b"], "arguments": value}, end


def json_values(text: str) -> list[object] | None:
    """Return the JSON values that a text consists of, tags and fences aside; None if of more."""
    values: list[object] = []
    at = _skip(text, 0)
    try:
        while at < len(text):
            value, at = _decode(text, at)
            values.append(value)
            at = _skip(text, at)
    except (ValueError, RecursionError):
        return None
    return None if too_deep(values) else values


def _skip(body: str, at: int) -> int:
    match = _MARK.match(body, at)
    return match.end() if match else at


def _parameters(body: str, at: int) -> tuple[object, int]:
    """Return arguments that are texts in tags of their own, or else JSON."""
    given: dict[str, object] = {}
    while match := _PARAMETER.match(body, at):
        given[match[1]], at = match[2], match.end()
    return (given, at) if given else _decode(body, at)


def _decode(body: str, at: int) -> tuple[object, int]:
    # Some templates show calls in doubled braces, and models write what they are shown.
    doubled = body.startswith("{{", at)
    value, end = _DECODER.raw_decode(body, at + doubled)
    if doubled and not body.startswith("}", end):
        raise _NoCall
    return value, end + doubled


def _calls(value: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield names and arguments out of the shapes that models write. Raises _NoCall."""
    if isinstance(value, list):
        for item in value:
            yield from _calls(item)
        return
    if not isinstance(value, dict):
        raise _NoCall
    if value.keys() == {"tool_calls"}:
        yield from _calls(value["tool_calls"])
    elif "function" in value and value.keys() <= _WRAPPER:
        yield from _calls(value["function"])
    elif isinstance(value.get("name"), str) and value.keys() <= _KEYS:
        yield value["name"], _object(value)
    else:
        raise _NoCall


def _object(value: Mapping[str, object]) -> Mapping[str, object]:
    given = [value[key] for key in ("arguments", "parameters") if key in value]
    arguments = given[0] if len(given) == 1 else None
    if isinstance(arguments, str):
        arguments = json.loads(arguments, strict=False)
    if not isinstance(arguments, dict):
        raise _NoCall
    return arguments


def call_as_text(call: ToolCall) -> str:
    """Return a call in the one form that models without a tool interface are asked to use."""
    name = json.dumps(call.name, ensure_ascii=False)
    return f'<tool_call>{{"name":{name},"arguments":{call.arguments}}}</tool_call>'


def result_as_text(content: str) -> str:
    """Return a tool result as it is told to such a model."""
    return f"<tool_response>{defused(content)}</tool_response>"


def tools_as_text(schemas: Sequence[Mapping[str, object]], head: str) -> str:
    """Return the tools for a system prompt: one line each, with what its arguments mean."""
    return "\n".join((head, *map(_line, schemas)))


def _line(schema: Mapping[str, object]) -> str:
    function = _mapping(schema.get("function"))
    parameters = _mapping(function.get("parameters"))
    required = parameters.get("required")
    needed = required if isinstance(required, list) else []
    taken = _mapping(parameters.get("properties")).items()
    given = ", ".join(
        f"{name}{'' if name in needed else '?'}: {_kind(_mapping(about))}" for name, about in taken
    )
    notes = "; ".join(
        f"{name}: {_mapping(about)['description']}"
        for name, about in taken
        if _mapping(about).get("description")
    )
    said = f"- {function.get('name')}({given}): {function.get('description', '')}"
    return f"{said} ({notes})" if notes else said


def _kind(about: Mapping[str, object]) -> str:
    options = about.get("enum")
    if isinstance(options, list):
        return "|".join(json.dumps(option, ensure_ascii=False) for option in options)
    return str(about.get("type", "any"))


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
