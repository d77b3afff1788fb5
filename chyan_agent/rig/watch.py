"""What is seen of a turn: a fold over its events, and the same from the transcript alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..budget import Ledger
from ..errors import AgentError
from ..events import Answered, Compacted, Event, Replied, Requested, Stopped, ToolRan
from ..jsontext import parsed
from ..messages import Message
from ..model import Request, Usage
from ..prompts import Language
from .rows import Ran, Sent, Shrunk


@dataclass(slots=True)
class Watch:
    """The events of one turn, summed up."""

    answer: str = ""
    error: str = ""
    reason: str = ""
    model_seconds: float = 0.0
    requests: list[Sent] = field(default_factory=list)
    tools: list[Ran] = field(default_factory=list)
    compactions: list[Shrunk] = field(default_factory=list)
    _open: tuple[int, Ledger] | None = None
    """A request that has no reply yet."""

    def see(self, event: Event) -> None:
        """Take one more event."""
        match event:
            case Requested(_, step, ledger):
                self._unanswered()
                self._open = step, ledger
            case Replied(_, step, ledger, usage, _, seconds):
                self._open = None
                self.requests.append(Sent(step, ledger, usage))
                self.model_seconds += seconds
            case ToolRan(_, _, call, result, seconds):
                self.tools.append(Ran(call.name, result.ok, seconds))
            case Compacted(_, turns, before, after, evidence, facts, _):
                self.compactions.append(Shrunk(turns, before, after, evidence, facts))
            case Answered(_, text, _, _):
                self.answer = text
            case Stopped(_, reason, text):
                self.answer, self.error, self.reason = text, "Stopped", reason

    def fail(self, error: AgentError, language: Language) -> None:
        """Take the error that ended the turn."""
        self.error, self.reason = type(error).__name__, error.message_in(language)

    def end(self) -> None:
        """Take note that nothing follows."""
        self._unanswered()

    def _unanswered(self) -> None:
        """Keep a request that was refused: it was sent all the same."""
        if self._open is not None:
            self.requests.append(Sent(*self._open, Usage()))
            self._open = None


def from_messages(messages: Sequence[Message]) -> Watch:
    """Return what can be told of an answered turn from its messages; nothing was measured."""
    names = {call.id: call.name for message in messages for call in message.tool_calls}
    tools = [
        Ran(names.get(m.tool_call_id, ""), not _failed(m.content), 0.0)
        for m in messages
        if m.role == "tool"
    ]
    return Watch(answer=messages[-1].content, tools=tools)


def _failed(content: str) -> bool:
    result = parsed(content)
    return isinstance(result, dict) and "error" in result


class Tap:
    """Remembers the last request, which is a reference and no copy."""

    def __init__(self) -> None:
        self.last: Request | None = None

    def __call__(self, request: Request) -> None:
        """Take a request that is about to be sent."""
        self.last = request

    def text(self) -> str:
        """Return the text of its messages, but for the question: the last user message."""
        messages = self.last.messages if self.last else ()
        asked = max((n for n, m in enumerate(messages) if m.role == "user"), default=-1)
        return "\n".join(m.content for n, m in enumerate(messages) if n != asked)
