"""Long-term memory put together: notes and transcript in one index that grows."""

import heapq
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..prompts.said import Said
from . import Hit, Note, Source
from .bm25 import IncrementalBM25
from .history import History, Item, Undone
from .notebook import Notebook
from .notes import NotesLog, SeenNotes
from .passages import passage
from .ranking import Found, merged, only_asks, speaker_weight
from .segment import Segmenter, segmenter
from .weights import weigh

INDEXED = 6000
"""Characters of a message that are indexed."""
INDEXED_OF_TOOL = 2000
QUERY = 2000
"""Characters of a question that are looked at."""
SPARE = 12
"""Candidates looked at beyond three for each hit asked for: some say the same thing twice."""


def open_memory(
    path: Path,
    *,
    segmenter_name: str = "jieba",
    history: History | None = None,
    clock: Callable[[], str],
    writable: bool = True,
) -> "Store":
    """Open the notes at `path`; nothing is indexed before the first recall.

    With `writable` off nothing is changed, and there may be no notes.

    Raises StorageError, CorruptError or VersionError.
    """
    notes = NotesLog if writable else SeenNotes
    return Store(notes(path, clock=clock), segmenter(segmenter_name), history)


@dataclass(frozen=True, slots=True)
class _Catalogue:
    """What the index numbers mean, a few bytes each: texts stay in the logs."""

    place: "array[int]"
    """Byte offset in the transcript, or -1 - n for the n-th note."""
    turn: "array[int]"
    speaker: "array[int]"

    def __len__(self) -> int:
        return len(self.place)

    def put(self, place: int, turn: int, speaker: int) -> None:
        self.place.append(place)
        self.turn.append(turn)
        self.speaker.append(speaker)


class Store:
    """A `Memory` over a notes log and a history."""

    def __init__(self, log: NotesLog, cut: Segmenter, history: History | None) -> None:
        self._log = log
        self._cut = cut
        self._history = history
        self._index = IncrementalBM25()
        self._catalogue = _Catalogue(array("q"), array("I"), array("H"))
        self._speakers: list[str] = []
        self._indexed_notes = 0
        self._scanned = 0
        self._open_turn = 0

    @property
    def problems(self) -> list[Said]:
        """What recovery found in the notes log, for the user to read."""
        return self._log.problems

    @property
    def notebook(self) -> Notebook:
        """The notes for their owner."""
        return Notebook(self._log)

    def close(self) -> None:
        """Close the notes log."""
        self._log.close()

    def remember(self, text: str, *, turn: int, source: Source, key: str = "") -> tuple[Note, str]:
        """Add a durable note; return it and `added`, `known` or `updated`.

        Raises ToolFailed for an empty or endless text, and StorageError.
        """
        return self._log.remember(text, turn=turn, source=source, key=key)

    def notes(self) -> list[Note]:
        """Return the notes that are current, oldest first."""
        self._log.refresh()
        return self._log.shelf.current()

    def holds(self, text: str, key: str) -> bool:
        """Whether the note of this call is there, or a current one that says just this."""
        self._log.refresh()
        return self._log.holds(text, key)

    def recall(self, query: str, top_k: int) -> list[Hit]:
        """Return at most `top_k` hits, best first; of the turn being answered, nothing."""
        weights = weigh(self._cut(query[:QUERY]))
        if not weights or top_k < 1:
            return []
        self._catch_up()
        found = self._best(weights, 3 * top_k + SPARE)
        return [self._hit(one, weights) for one in merged(found)[:top_k]]

    def _best(self, weights: Mapping[str, float], most: int) -> list[Found]:
        """Return the best candidates with their texts; only these are read from the disk."""
        turns = self._catalogue.turn
        scored = (
            (score * speaker_weight(self._speaker(document)), turns[document], document)
            for document, score in self._index.scores(weights)
            if self._counts(document)
        )
        return [self._found(d, score) for score, _, d in heapq.nlargest(most, scored)]

    def _hit(self, one: Found, weights: Mapping[str, float]) -> Hit:
        text = passage(one.text, weights)
        if one.speaker == "user" and only_asks(one.text):
            text += self._answer(one, weights)
        return Hit(
            text=text,
            turn=one.turn,
            kind="note" if one.note else "message",
            speaker=one.speaker,
            score=one.score,
            replaces=self._log.shelf.replaced_by(one.note) if one.note else "",
        )

    def _answer(self, asked: Found, weights: Mapping[str, float]) -> str:
        """Return what the turn answered: a question that was asked before is found for that."""
        places, turns = self._catalogue.place, self._catalogue.turn
        answer = -1
        for document in range(asked.document + 1, len(self._catalogue)):
            if places[document] < 0:
                continue
            if turns[document] != asked.turn:
                break
            if self._speaker(document) == "assistant":
                answer = document
        if answer < 0 or self._history is None:
            return ""
        return f" → {passage(self._history.text(places[answer]), weights)}"

    def forget_after(self, turn: int) -> None:
        """Drop what was said after a turn: the conversation continues from there. Notes stay."""
        places, turns = self._catalogue.place, self._catalogue.turn
        undone = {d for d in range(len(self._catalogue)) if places[d] >= 0 and turns[d] > turn}
        self._index.remove(undone)

    def _catch_up(self) -> None:
        """Index what was noted and said since the last recall."""
        self._log.refresh()
        for note in self._log.shelf.all[self._indexed_notes :]:
            self._put(note.text[:INDEXED], -1 - self._indexed_notes, note.turn, note.source)
            self._indexed_notes += 1
        for entry in self._history.items(self._scanned) if self._history else ():
            self._scanned = entry.next
            match entry:
                case Undone():
                    self._open_turn = 0
                    self.forget_after(entry.turn)
                case Item():
                    self._take(entry)

    def _take(self, item: Item) -> None:
        self._open_turn = 0 if item.final else item.turn
        text = item.text[: INDEXED_OF_TOOL if item.speaker.startswith("tool:") else INDEXED]
        if text:
            self._put(text, item.position, item.turn, item.speaker)

    def _put(self, text: str, place: int, turn: int, speaker: str) -> None:
        if speaker not in self._speakers:
            self._speakers.append(speaker)
        self._index.add(self._cut(text))
        self._catalogue.put(place, turn, self._speakers.index(speaker))

    def _speaker(self, document: int) -> str:
        named = self._speakers[self._catalogue.speaker[document]]
        return f"note:{named}" if self._catalogue.place[document] < 0 else named

    def _counts(self, document: int) -> bool:
        place = self._catalogue.place[document]
        if place < 0:
            return self._log.shelf.is_current(self._log.shelf.all[-1 - place])
        return self._catalogue.turn[document] != self._open_turn or not self._open_turn

    def _found(self, document: int, score: float) -> Found:
        place, turn = self._catalogue.place[document], self._catalogue.turn[document]
        speaker = self._speakers[self._catalogue.speaker[document]]
        if place < 0:
            note = self._log.shelf.all[-1 - place]
            return Found(note.text, turn, speaker, score, note)
        text = self._history.text(place) if self._history else ""
        return Found(text, turn, speaker, score, document=document)
