"""What an endpoint turned out not to accept, learned from its own refusals. Pure."""

import re
from collections.abc import Mapping, Sequence

from ..form import Want
from ..lessons import Lessons
from .faults import LONGEST_READ
from .outputs import most_output

Body = Mapping[str, object]

_REFUSAL = re.compile(
    r"unsupported|not support|not permitted|not allowed|unknown|unrecogni[sz]ed|unexpected|extra_"
    r"|deprecated|only .{0,20}(allowed|supported)",
    re.I,
)
_OPTIONAL = ("stream_options", "temperature", "max_tokens", "max_completion_tokens")
"""Parameters of ours that a request can do without."""
_EMPTY_TEXT = re.compile(
    r"text content blocks? must|content .{0,30}(empty|whitespace|at least 1 char)", re.I
)
_NULL_TEXT = re.compile(
    r"content\b.{0,80}(\bnull\b|\bnil\b|\bnone\b|valid string|a string|must be string)"
    r"|\bnull\b.{0,40}\bcontent\b",
    re.I | re.S,
)
_NO_SYSTEM = re.compile(
    r"system (role|message|prompt|instruction)s?\b.{0,40}(not|n't|un)[ -]?(support|allow|enabl)"
    r"|not support.{0,30}\bsystem\b"
    r"|developer instruction is not enabled",
    re.I | re.S,
)
_ROLES = re.compile(
    r"roles? must alternate|only user.{0,30}roles? (are|is)|system message must be at the beginning"
    r"|(unknown|unexpected|invalid|unsupported) role",
    re.I | re.S,
)
_NO_TOOLS = re.compile(
    r"""
    \b(tools?|functions?)\b .{0,60}
      (not \s (currently \s)? (support|enabl|allow|permit|available|implement)
      |n't \s support|unsupported|unavailable)
    | (not|n't) \s (\w+ly \s)? support \b .{0,40} \b(tools?|functions?)\b
    | no \s .{0,40} support \s (tool|function)
    | (unrecogni[sz]ed|unknown|unexpected|unsupported|extra) \b .{0,80}
      \b(tools|functions|tool_choice)\b
    | requires? \b .{0,60} (--jinja|--enable-auto-tool-choice)
    | "tools" .{0,60} extra
    """,
    re.I | re.S | re.X,
)
_REASONING = re.compile(
    r"reasoning_content\b.{0,80}(passed back|missing|required|must)"
    r"|missing.{0,20}reasoning_content",
    re.I | re.S,
)
_EMPTY_CONTENTS: tuple[dict[str, object], ...] = ({"content": ""}, {"content": None}, {})
"""What may stand beside calls without text, in the order in which it is tried."""
_MAXIMA = ("max_tokens", "max_completion_tokens")
_NEWER_MAXIMUM, _JOINED_SYSTEM = "max_completion_tokens", "system in the question"
_WITHOUT, _CONTENT, _OUTPUT = "without ", "content beside calls ", "output at most "
"""How lessons are named, some with what they are about."""
MOST_SHORTENED = 3
"""Times that one run lets itself be told a shorter length of answers."""


class Quirks:
    """Adapts request bodies. Each lesson is learned once, so that sending again is bounded."""

    def __init__(self, lessons: Lessons | None = None) -> None:
        self._lessons = Lessons() if lessons is None else lessons
        self._shortened = 0

    def doubt(self) -> bool:
        """Forget what an earlier run had learnt; whether there was anything to forget."""
        return self._lessons.doubt()

    def learn(self, body: Body, said: str) -> bool:
        """Whether a refusal of `body` taught something: then it's worth sending again."""
        said = said[:LONGEST_READ]
        return (
            self._learn_output(body, said)
            or self._learn_maximum(body, said)
            or self._learn_content(body, said)
            or self._learn_system(body, said)
            or self._learn_dropping(body, said)
        )

    def _learn_output(self, body: Body, said: str) -> bool:
        """Learn how long an answer may be."""
        sizes = [size for name in _MAXIMA if isinstance(size := body.get(name), int)]
        most = most_output(said, sizes[0]) if sizes else None
        if most is None or self._shortened >= MOST_SHORTENED:
            return False
        self._shortened += 1
        self._lessons.add(f"{_OUTPUT}{most}")
        return True

    def _learn_maximum(self, body: Body, said: str) -> bool:
        if "max_completion_tokens" not in said or "max_tokens" not in body:
            return False
        self._lessons.add(_NEWER_MAXIMUM)
        return True

    def _learn_content(self, body: Body, said: str) -> bool:
        """Most endpoints want "" beside tool calls and refuse null; some the other way round."""
        shape = self._content
        if not any(map(_silent_call, _messages(body))) or shape + 1 >= len(_EMPTY_CONTENTS):
            return False
        if not _EMPTY_TEXT.search(said) and not (shape and _NULL_TEXT.search(said)):
            return False
        self._lessons.add(f"{_CONTENT}{shape + 1}")
        return True

    def _learn_system(self, body: Body, said: str) -> bool:
        roles = [message.get("role") for message in _messages(body)]
        if _JOINED_SYSTEM in self._lessons or "system" not in roles:
            return False
        # Roles that don't alternate may be those of tool results: another form is needed then.
        joins = bool(_NO_SYSTEM.search(said)) or ("tool" not in roles and bool(_ROLES.search(said)))
        if joins:
            self._lessons.add(_JOINED_SYSTEM)
        return joins

    def _learn_dropping(self, body: Body, said: str) -> bool:
        name = next((name for name in _OPTIONAL if name in body and name in said), "")
        if not name or not _REFUSAL.search(said):
            return False
        self._lessons.add(f"{_WITHOUT}{name}")
        return True

    @property
    def _content(self) -> int:
        """The shape that stands beside calls without text."""
        return max((n for n in self._numbers(_CONTENT) if n < len(_EMPTY_CONTENTS)), default=0)

    def _numbers(self, lesson: str) -> list[int]:
        given = [name.removeprefix(lesson) for name in self._lessons.names if lesson in name]
        return [int(number) for number in given if number.isascii() and number.isdecimal()]

    def apply(self, body: Body) -> dict[str, object]:
        """Return the body as this endpoint takes it; unchanged for an endpoint without quirks."""
        if not self._lessons.names:
            return dict(body)
        adapted = self._parameters(body)
        messages = _messages(adapted)
        if shape := self._content:
            messages = [_with_content(m, shape) for m in messages]
        if _JOINED_SYSTEM in self._lessons:
            messages = _joined(messages)
        return {**adapted, "messages": messages} if "messages" in adapted else adapted

    def _parameters(self, body: Body) -> dict[str, object]:
        adapted = dict(body)
        if _NEWER_MAXIMUM in self._lessons and "max_tokens" in adapted:
            adapted["max_completion_tokens"] = adapted.pop("max_tokens")
        most = min(self._numbers(_OUTPUT), default=0)
        for name in _MAXIMA:
            if most and isinstance(size := adapted.get(name), int):
                adapted[name] = min(size, most)
        return {
            key: value for key, value in adapted.items() if f"{_WITHOUT}{key}" not in self._lessons
        }


def wanted_form(body: Body, said: str) -> Want | None:
    """Return the form that a refusal asks of the whole conversation, if it is not in it yet."""
    said = said[:LONGEST_READ]
    messages = _messages(body)
    if "tools" in body and _NO_TOOLS.search(said):
        return "text_calls"
    if any(m.get("role") == "tool" for m in messages) and (
        _ROLES.search(said) or _NO_TOOLS.search(said)
    ):
        return "text_calls"
    calling = [m for m in messages if m.get("tool_calls")]
    if any("reasoning_content" not in m for m in calling) and _REASONING.search(said):
        return "reasoning"
    return None


def _messages(body: Body) -> list[Body]:
    messages = body.get("messages")
    return messages if isinstance(messages, list) else []


def _silent_call(message: Body) -> bool:
    return bool(message.get("tool_calls")) and not message.get("content")


def _with_content(message: Body, shape: int) -> Body:
    if not _silent_call(message):
        return message
    rest = {key: value for key, value in message.items() if key != "content"}
    return {**rest, **_EMPTY_CONTENTS[shape]}


def _joined(messages: Sequence[Body]) -> list[Body]:
    """Put the system's text in front of the first message of the user."""
    if len(messages) < 2 or messages[0].get("role") != "system":
        return [{**m, "role": "user"} if m.get("role") == "system" else m for m in messages]
    system, first, *rest = messages
    if first.get("role") != "user":
        return [{**system, "role": "user"}, first, *rest]
    return [{**first, "content": f"{system.get('content')}\n\n{first.get('content')}"}, *rest]
