"""What an endpoint turned out not to accept, learned from its own refusals. Pure."""

import re
from collections.abc import Mapping, Sequence

from ..form import Want
from .faults import LONGEST_READ

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


class Quirks:
    """Adapts request bodies. Each lesson is learned once, so that sending again is bounded."""

    def __init__(self) -> None:
        self._dropped: set[str] = set()
        self._newer_maximum = False
        self._empty = 0
        self._joins_system = False

    def learn(self, body: Body, said: str) -> bool:
        """Whether a refusal of `body` taught something: then it's worth sending again."""
        said = said[:LONGEST_READ]
        if "max_completion_tokens" in said and "max_tokens" in body:
            self._newer_maximum = True
            return True
        return (
            self._learn_content(body, said)
            or self._learn_system(body, said)
            or self._learn_dropping(body, said)
        )

    def _learn_content(self, body: Body, said: str) -> bool:
        """Most endpoints want "" beside tool calls and refuse null; some the other way round."""
        if not any(map(_silent_call, _messages(body))) or self._empty + 1 >= len(_EMPTY_CONTENTS):
            return False
        if not _EMPTY_TEXT.search(said) and not (self._empty and _NULL_TEXT.search(said)):
            return False
        self._empty += 1
        return True

    def _learn_system(self, body: Body, said: str) -> bool:
        roles = [message.get("role") for message in _messages(body)]
        if self._joins_system or "system" not in roles:
            return False
        # Roles that don't alternate may be those of tool results: another form is needed then.
        self._joins_system = bool(_NO_SYSTEM.search(said)) or (
            "tool" not in roles and bool(_ROLES.search(said))
        )
        return self._joins_system

    def _learn_dropping(self, body: Body, said: str) -> bool:
        name = next((name for name in _OPTIONAL if name in body and name in said), "")
        if not name or not _REFUSAL.search(said):
            return False
        self._dropped.add(name)
        return True

    def apply(self, body: Body) -> dict[str, object]:
        """Return the body as this endpoint takes it; unchanged for an endpoint without quirks."""
        adapted = dict(body)
        if self._newer_maximum and "max_tokens" in adapted:
            adapted["max_completion_tokens"] = adapted.pop("max_tokens")
        adapted = {key: value for key, value in adapted.items() if key not in self._dropped}
        messages = _messages(adapted)
        if self._empty:
            messages = [_with_content(m, self._empty) for m in messages]
        if self._joins_system:
            messages = _joined(messages)
        return {**adapted, "messages": messages} if "messages" in adapted else adapted


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
