"""What makes a chat request malformed, in OpenAI's words."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..jsontext import parsed

Body = Mapping[str, object]
ROLES = ("system", "assistant", "user", "function", "tool", "developer")
AT_FRONT = ("system", "developer")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A request that is not answered: HTTP status and the fields of the error body."""

    status: int
    message: str
    kind: str
    """Stable name for the counters."""
    param: str | None = None
    code: str | None = None
    type: str = "invalid_request_error"

    @property
    def body(self) -> dict[str, object]:
        """The error as OpenAI sends it."""
        fields = {"message": self.message, "type": self.type, "param": self.param}
        return {"error": {**fields, "code": self.code}}


def malformed(body: object) -> Refusal | None:
    """Return the first thing that is wrong with a request, or None."""
    if not isinstance(body, Mapping):
        return _bad("We could not parse the JSON body of your request.", "body")
    if "messages" not in body:
        message = "Missing required parameter: 'messages'."
        return _bad(message, "messages", "messages", "missing_required_parameter")
    messages = body["messages"]
    if not isinstance(messages, list) or not messages:
        return _bad("[] is too short - 'messages'", "messages", "messages")
    for index, message in enumerate(messages):
        for refusal in _message(index, message):
            return refusal
    return next(iter((*_tools(body), *_limits(body), *_pairs(messages))), None)


def _bad(message: str, kind: str, param: str | None = None, code: str | None = None) -> Refusal:
    return Refusal(400, message, kind, param, code)


def _message(index: int, message: object) -> Iterator[Refusal]:
    where = f"messages[{index}]"
    if not isinstance(message, Mapping):
        yield _bad(f"Invalid type for '{where}': expected an object.", "message", where)
        return
    role = message.get("role")
    if role not in ROLES:
        names = ", ".join(f"'{name}'" for name in ROLES[:-1])
        text = f"Invalid value: '{role}'. Supported values are: {names}, and '{ROLES[-1]}'."
        yield _bad(text, "role", f"{where}.role", "invalid_value")
    elif role in AT_FRONT and index:
        yield _bad("System message must be at the beginning.", "system_place", where)
    yield from _content(where, message)
    yield from _calls(where, message)


def _content(where: str, message: Body) -> Iterator[Refusal]:
    content, where = message.get("content"), f"{where}.content"
    empty = content in (None, "") and not message.get("tool_calls")
    if message.get("role") == "assistant" and empty:
        text = "Assistant message must have either content or tool_calls, but not none."
        yield _bad(text, "empty_assistant", where)
    elif not isinstance(content, str | list | None):
        text = f"Invalid type for '{where}': expected a string, got {type(content).__name__}."
        yield _bad(text, "content", where, "invalid_type")
    elif content is None and message.get("role") != "assistant":
        text = "Invalid value for 'content': expected a string, got null."
        yield _bad(text, "content", where)
    elif not encodable(content):
        yield _bad("We could not parse the JSON body of your request: lone surrogate.", "surrogate")


def encodable(value: object) -> bool:
    """Whether every text in a JSON value can be written as UTF-8: holds no lone surrogate."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _calls(where: str, message: Body) -> Iterator[Refusal]:
    calls = message.get("tool_calls")
    if calls is None:
        return
    if not isinstance(calls, list) or not calls:
        yield _bad(f"[] is too short - '{where}.tool_calls'", "tool_calls", f"{where}.tool_calls")
        return
    for index, call in enumerate(calls):
        if problem := _call_problem(call):
            param = f"{where}.tool_calls[{index}]"
            yield _bad(f"Invalid value for '{param}': {problem}.", "tool_call", param)


def _call_problem(call: object) -> str:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(call, Mapping) or not isinstance(function, Mapping):
        return "expected an object with a function"
    if not call.get("id") or not isinstance(call["id"], str):
        return "expected a non-empty id"
    if not function.get("name") or not isinstance(function["name"], str):
        return "expected a function name"
    if not _is_object(function.get("arguments")):
        return "arguments must be the JSON text of an object"
    return "" if encodable(call) else "lone surrogate"


def _is_object(text: object) -> bool:
    return isinstance(text, str) and isinstance(parsed(text), dict)


def _tools(body: Body) -> Iterator[Refusal]:
    tools = body.get("tools")
    if tools is None:
        return
    if not isinstance(tools, list) or not tools:
        yield _bad("[] is too short - 'tools'", "tools", "tools")
        return
    for index, tool in enumerate(tools):
        function = tool.get("function") if isinstance(tool, Mapping) else None
        if not isinstance(function, Mapping) or not function.get("name"):
            param = f"tools[{index}].function.name"
            text = f"Missing required parameter: '{param}'."
            yield _bad(text, "tools", param, "missing_required_parameter")


def _limits(body: Body) -> Iterator[Refusal]:
    for name in ("max_tokens", "max_completion_tokens"):
        value = body.get(name)
        if value is not None and (not isinstance(value, int) or value < 1):
            text = f"Invalid '{name}': expected a value >= 1, but got {value} instead."
            yield _bad(text, "max_tokens", name, "integer_below_min_value")
    heat = body.get("temperature")
    if heat is not None and not (isinstance(heat, int | float) and 0 <= heat <= 2):
        text = f"Invalid 'temperature': expected a decimal between 0 and 2, but got {heat} instead."
        yield _bad(text, "temperature", "temperature", "invalid_value")


def _pairs(messages: list[Body]) -> Iterator[Refusal]:
    open_ids: list[str] = []
    seen: set[str] = set()
    for index, message in enumerate(messages):
        where = f"messages.[{index}].role"
        if message["role"] == "tool":
            yield from _answer(where, str(message.get("tool_call_id")), open_ids, seen)
            continue
        if open_ids:
            yield _unanswered(where, open_ids)
            return
        calls = message.get("tool_calls") or ()
        ids = [call["id"] for call in calls] if isinstance(calls, list) else []
        if len({*ids} - seen) < len(ids):
            yield _bad(f"Duplicate tool_call_id in {ids}.", "duplicate", where)
        open_ids = list(ids)
        seen.update(ids)
    if open_ids:
        yield _unanswered(f"messages.[{len(messages)}].role", open_ids)


def _answer(where: str, call_id: str, open_ids: list[str], seen: set[str]) -> Iterator[Refusal]:
    if call_id in open_ids:
        open_ids.remove(call_id)
    elif call_id in seen:
        yield _bad(f"Duplicate tool message for tool_call_id '{call_id}'.", "duplicate", where)
    else:
        # "preceeding" is how the real endpoint spells it.
        text = (
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding "
            "message with 'tool_calls'."
        )
        yield _bad(text, "orphan", where)


def _unanswered(where: str, ids: list[str]) -> Refusal:
    text = (
        "An assistant message with 'tool_calls' must be followed by tool messages responding to "
        "each 'tool_call_id'. The following tool_call_ids did not have response messages: "
    )
    return _bad(text + ", ".join(ids), "unpaired", where)
