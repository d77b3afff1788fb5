"""Tool calls that arrive in fragments, as the dialects of several servers send them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..budget import compact_json
from ..jsontext import parsed
from ..messages import ToolCall, clean


@dataclass(slots=True)
class _Call:
    id: str
    name: str
    arguments: str


class Calls:
    """Puts each fragment to the call that it belongs to."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._at: dict[object, _Call] = {}

    def take(self, delta: Mapping[str, object]) -> None:
        """Take the fragments of a delta; the older `function_call` counts only by itself."""
        fragments = delta.get("tool_calls")
        if isinstance(fragments, Mapping):
            fragments = [fragments]
        if not isinstance(fragments, list) or not fragments:
            older = delta.get("function_call")
            fragments = [{"index": "older", "function": older}] if older else []
        for fragment in fragments:
            if isinstance(fragment, Mapping):
                self.add(fragment)

    def add(self, fragment: Mapping[str, object]) -> None:
        """Append a fragment to the call it belongs to, or open a new one."""
        function = fragment.get("function")
        function = function if isinstance(function, Mapping) else {}
        part = _Call(
            _text(fragment.get("id")),
            _text(function.get("name")),
            _arguments(function.get("arguments")),
        )
        index = fragment.get("index")
        index = index if isinstance(index, int | str) else None
        call = self._find(index, part.id)
        if call is None or _opens(part, call, index):
            call = _Call("", "", "")
            self._calls.append(call)
        self._at[index] = self._at[None] = call
        call.id = call.id or part.id
        call.name = _name(call, part)
        call.arguments += part.arguments

    def made(self) -> tuple[ToolCall, ...]:
        """Return the calls in the order in which they were opened; empty ones are none."""
        return tuple(
            ToolCall(clean(c.id), clean(c.name), clean(c.arguments))
            for c in self._calls
            if c.name or c.arguments.strip()
        )

    def _find(self, index: object, id_: str) -> _Call | None:
        """By index, but an id that another call has goes before an index that several share."""
        at = None if index is None and id_ else self._at.get(index)
        if id_ and (at is None or (at.id and at.id != id_)) and (index is None or at is not None):
            return next((call for call in reversed(self._calls) if call.id == id_), None)
        return at


def _opens(part: _Call, call: _Call, index: object) -> bool:
    """Whether a fragment begins another call, though its index says the same one.

    Some servers send every call with index 0, some repeat id and name in each fragment, some
    send a name in pieces.
    """
    if part.id and call.id and part.id != call.id:
        return True
    if not part.name or not call.name:
        return False
    if part.name != call.name:
        return index is None or bool(call.arguments)
    return bool(part.arguments.strip() and _whole(call.arguments))


def _name(call: _Call, part: _Call) -> str:
    if not call.name or not part.name or part.name == call.name:
        return call.name or part.name
    return part.name if part.name.startswith(call.name) else call.name + part.name


def _whole(arguments: str) -> bool:
    return arguments.rstrip().endswith("}") and isinstance(parsed(arguments), dict)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _arguments(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    try:
        return compact_json(value)
    except RecursionError:
        # No JSON any more: the tool says what is wrong with it.
        return "nested too deeply"
