"""The transcript as memory sees it: what was said, by whom, and where to read it again."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from ..durable.stored import Stored
from ..durable.transcript import Transcript
from ..messages import Message
from ..state import MessageAdded, Rewound
from ..statements.results import FROM_MEMORY
from .readable import readable


@dataclass(frozen=True, slots=True)
class Item:
    """Something said. Texts stay on the disk: `History.text(position)` reads one again."""

    position: int
    """Where it stands, in bytes."""
    next: int
    """Where a later scan goes on."""
    turn: int
    speaker: str
    """user, assistant or tool:<name>."""
    text: str
    """What is worth finding in it; may be empty."""
    final: bool
    """Whether it ends its turn."""
    ts: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """The conversation went back: what was said after `turn` doesn't count any more."""

    next: int
    turn: int


class History(Protocol):
    """A feed of everything that was said, readable from any point on."""

    def items(self, since: int) -> Iterator[Item | Undone]:
        """Yield what stands from byte `since` on, oldest first."""
        ...

    def said(self, position: int) -> tuple[str, str]:
        """Return text and time of the item at a position; empty if there is none any more."""
        ...

    def seal(self, position: int) -> str:
        """Return what identifies the history up to a position from which a scan may go on."""
        ...


class TranscriptHistory:
    """A transcript as a `History`."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._tools: dict[str, str] = {}

    def items(self, since: int) -> Iterator[Item | Undone]:
        """Yield the messages and rewinds from byte `since` on."""
        for stored in self._transcript.scan(since):
            match stored.record:
                case MessageAdded(turn, message):
                    yield self._item(stored, turn, message)
                case Rewound(_, state):
                    yield Undone(stored.end, state.last_turn)

    def _item(self, stored: Stored, turn: int, message: Message) -> Item:
        speaker = self._speaker(message)
        echo = speaker.removeprefix("tool:") in FROM_MEMORY
        return Item(
            position=stored.start,
            next=stored.end,
            turn=turn,
            speaker=speaker,
            text="" if echo else _text(message),
            final=message.role == "assistant" and not message.tool_calls,
            ts=stored.ts,
        )

    def _speaker(self, message: Message) -> str:
        """Name who spoke; a tool by the name under which its call was made in this turn."""
        if message.role == "user":
            self._tools.clear()
        self._tools.update((call.id, call.name) for call in message.tool_calls)
        if message.role != "tool":
            return message.role
        return f"tool:{self._tools.get(message.tool_call_id, '')}"

    def said(self, position: int) -> tuple[str, str]:
        """Read a message again, and when it was said."""
        try:
            stored = self._transcript.read(position)
        except ValueError:
            return "", ""
        match stored.record:
            case MessageAdded(_, message):
                return _text(message), stored.ts
        return "", ""

    def seal(self, position: int) -> str:
        """Return the checksum of the record that ends at a position; empty if none does."""
        return self._transcript.seal_at(position)


def _text(message: Message) -> str:
    """What was said, and what tools were asked for."""
    calls = (f"{c.name} {c.arguments}" for c in message.tool_calls if c.name not in FROM_MEMORY)
    content = readable(message.content) if message.role == "tool" else message.content
    return "\n".join(part for part in (content, *calls) if part)
