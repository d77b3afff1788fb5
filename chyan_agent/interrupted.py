"""What became of a turn that was cut short: told to the model and the user, never run again."""

from .jsontext import first_text
from .messages import ToolCall, Turn
from .parts import Parts
from .prompts import errors as say
from .prompts.core import CoreTexts
from .prompts.said import Said
from .tools import Outcome

SUBJECT = 60
"""Characters of what a call was about, as the user is told."""
_REMARKS: dict[Outcome, Said] = {
    "done": say.CALL_DONE,
    "not_run": say.CALL_NOT_RUN,
    "unknown": say.CALL_UNKNOWN,
}


def outcome(parts: Parts, call: ToolCall) -> Outcome:
    """Tell what became of a call without a result: by what it left, as it is never run again."""
    if not parts.tools.mutates(call.name):
        return "not_run"
    began = parts.conversation.intended(call.id)
    return "not_run" if began is None else parts.tools.outcome(call, *began)


def result(found: Outcome, texts: CoreTexts) -> str:
    """Return the tool result that says so to the model."""
    results: dict[Outcome, str] = {
        "done": texts.call_done,
        "not_run": texts.call_not_run,
        "unknown": texts.call_unknown,
    }
    return results[found]


def reason(parts: Parts) -> str:
    """Return what the open turn that was found at a start is closed with."""
    texts = parts.frame.texts
    return texts.changed if parts.conversation.answer_changed else texts.interrupted


def remarks(parts: Parts, turn: Turn) -> list[Said]:
    """Return what the user should know of an open turn that was found at a start."""
    changed = parts.conversation.answer_changed
    said = [(say.ANSWER_CHANGED if changed else say.TURN_INTERRUPTED).of(turn=turn.number)]
    calls = [call for call in turn.pending if parts.tools.mutates(call.name)]
    return said + [_REMARKS[outcome(parts, call)].of(call=_shown(call)) for call in calls]


def _shown(call: ToolCall) -> str:
    return f"{call.name} {first_text(call.arguments)[:SUBJECT]}".rstrip()
