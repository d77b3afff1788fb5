"""What the numbers of the index mean, a few bytes each: texts stay in the logs."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from .index.columns import column

if TYPE_CHECKING:
    from array import array

TALK = 4
"""Messages before the turn being answered that a question may lean on."""
UNDONE = 0
"""Stands for the turn of a message that a rewind took back."""


@dataclass(slots=True)
class Catalogue:
    """Where each document stands, and how far the logs were read."""

    place: "array[int]" = column("q")
    """Byte offset in the transcript, or -1 - n for the n-th note."""
    start: "array[int]" = column("I")
    """Characters of its text before it: above 0 for a further part of a long one."""
    turn: "array[int]" = column("I")
    speaker: "array[int]" = column("H")
    notes: "array[int]" = column("I")
    """The documents that are notes, in the order of the notes."""
    speakers: list[str] = field(default_factory=list)
    scanned: int = 0
    """Bytes of the transcript."""
    open_turn: int = 0
    """The turn that is being answered; 0 between turns."""

    def __len__(self) -> int:
        return len(self.place)

    def put(self, place: int, turn: int, speaker: str, start: int = 0) -> None:
        """Add a part of a message, or, with a `place` below 0, the next note."""
        if place < 0:
            self.notes.append(len(self.place))
        if speaker not in self.speakers:
            self.speakers.append(speaker)
        self.place.append(place)
        self.start.append(start)
        self.turn.append(turn)
        self.speaker.append(self.speakers.index(speaker))

    def said_by(self, document: int) -> str:
        """Return who said a message, or the source of a note."""
        return self.speakers[self.speaker[document]]

    def messages(self, documents: range) -> Iterator[int]:
        """Yield those of some documents that are parts of messages and were not taken back."""
        return (d for d in documents if self.place[d] >= 0 and self.turn[d] != UNDONE)

    def wholes(self, documents: range) -> Iterator[int]:
        """Yield those messages once, by their first parts."""
        return (d for d in self.messages(documents) if not self.start[d])

    def head(self, document: int) -> int:
        """Return the first part of the text that a document is a part of."""
        while self.start[document]:
            document -= 1
        return document

    def undo(self, turn: int) -> list[int]:
        """Take back the messages after a turn; return them."""
        later = self.messages(range(len(self) - 1, -1, -1))
        undone = list(takewhile(lambda d: self.turn[d] > turn, later))
        for document in undone:
            self.turn[document] = UNDONE
        return undone

    def talk(self) -> list[int]:
        """Return the last messages before the turn being answered, the newest first."""
        asked = set(self.unanswered())
        said = (
            document
            for document in self.wholes(range(len(self) - 1, -1, -1))
            if document not in asked and self.said_by(document) in ("user", "assistant")
        )
        return list(islice(said, TALK))

    def around(self, document: int) -> tuple[int, list[int]]:
        """Return what was said before a message, -1 for nothing, and what after it.

        Before a question that is the answer to the one before; before all else, the question of
        its turn. After it come what tools gave and the answer; after an answer, the next question.
        """
        if self.place[document] < 0:
            return -1, []
        earlier = self.wholes(range(self.head(document) - 1, -1, -1))
        speaker = "assistant" if self.said_by(document) == "user" else "user"
        before = next((d for d in earlier if self.said_by(d) == speaker), -1)
        after: list[int] = []
        for other in self.wholes(range(document + 1, len(self))):
            same = self.turn[other] == self.turn[document]
            if same or not after:
                after.append(other)
            if not same:
                break
        return before, after

    def unanswered(self) -> list[int]:
        """Return the messages of the turn that is being answered."""
        found = list[int]()
        for document in self.messages(range(len(self) - 1, -1, -1)):
            if not self.open_turn or self.turn[document] != self.open_turn:
                break
            found.append(document)
        return found
