"""Notes and transcript in one index that grows, kept beside the log: no text is cut twice."""

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from .cache import Cache
from .catalogue import Catalogue
from .history import History, Item, Undone
from .index import Document, Index, Query
from .notes import NotesLog
from .passages import GAP
from .ranking import Found

INDEXED = 200_000
"""Characters of a text that are indexed: more than a tool gives, or a person writes."""
PART = 4000
"""Characters of a document; a longer text is several, which can be found each by itself."""
OVERLAP = 200
"""Characters that two of them share, so that what stands at the cut is whole in one."""
BEST_PARTS = 3
"""Parts of one text that a hit is taken from."""
AS_GOOD = 0.5
"""Share of the score of the best part that another one must have."""
SPARE = 8
"""Documents looked for, for each hit: parts of one text must not crowd out the others."""
WRITTEN = 64
"""New documents with which the index is written; fewer are written when it is closed."""
PACKED = 10_000
"""New documents with which it is written in between: to index a very long log takes minutes."""
SESSION, FURTHER = "here", "further"
"""What the messages of the talk are to the index, and the further parts of long ones: these
stand between no two messages.
"""

Made = tuple[Index, Cache | None]
Parts = tuple[list[int], float]
"""The documents of a text that were found, the best one first, and its score."""


class Archive:
    """Everything that can be recalled, by number. Nothing is indexed before `catch_up`."""

    def __init__(self, log: NotesLog, history: History | None, make: Callable[[], Made]) -> None:
        self._log = log
        self._history = history
        self._make = make
        self._index, self._cache = make()
        self._catalogue = Catalogue()
        self._fresh = True
        """Whether to begin with what an earlier run has indexed."""

    def find(self, query: Query, most: int) -> list[Found]:
        """Return the best candidates with their texts; only these are read from the disk.

        What a follow-up leans on is no answer to it, unless nothing else holds anything of it.
        """
        hidden, found = self._hidden(), list[Parts]()
        if query.context:
            found = self._search(query, most, [*hidden, *self._catalogue.talk()])
            own = replace(query, context=())
            if not self._meet(query, found) and self._index.is_named(own):
                in_talk = self._search(own, most, hidden)
                found = in_talk if self._meet(own, in_talk) else found
        found = found or self._search(query, most, hidden)
        return [self._found(documents, score) for documents, score in found]

    def meets(self, query: Query, found: Sequence[Found]) -> set[int]:
        """Return the documents that hold something of a question; see `Index.meets`."""
        # What a follow-up leans on holds its own words: of that only the question's count.
        numbers = {one.document for one in found}
        near = numbers.intersection(self._catalogue.talk() if query.context else ())
        met = self._index.meets(query, numbers - near)
        return met | self._index.meets(replace(query, context=()), near)

    def _meet(self, query: Query, found: Sequence[Parts]) -> bool:
        return bool(self._index.meets(query, [n for parts, _ in found for n in parts]))

    def _search(self, query: Query, most: int, without: Sequence[int]) -> list[Parts]:
        found = self._index.search(query, SPARE * most, without=without, told=self._told)
        return list(islice(_by_text(found, self._catalogue).values(), most))

    def _told(self, document: int) -> str:
        """Return a note, or the message that a document is a part of."""
        place = self._catalogue.place[document]
        if place < 0 or not self._history:
            return self._found([document], 0).text
        return self._history.said(place)[0]

    def _hidden(self) -> list[int]:
        """Return the notes that lead to no current one, and the turn that is being answered."""
        notes = zip(self._catalogue.notes, self._log.shelf.all, strict=False)
        old = [document for document, note in notes if self._log.shelf.heir(note) is None]
        return [*old, *self._catalogue.unanswered()]

    def _found(self, documents: Sequence[int], score: float) -> Found:
        catalogue, document = self._catalogue, documents[0]
        place, turn = catalogue.place[document], catalogue.turn[document]
        found = Found("", turn, catalogue.said_by(document), score, document=document)
        if place < 0:
            # Who asks for what was replaced is told what holds.
            note = self._log.shelf.heir(self._log.shelf.all[-1 - place])
            if note is None:
                return found
            return Found(note.text, note.turn, note.source, score, note, document, note.ts)
        text, ts = self._history.said(place) if self._history else ("", "")
        starts = sorted(catalogue.start[one] for one in documents)
        return replace(found, text="".join(_joined(text, starts)), ts=ts)

    def talk(self) -> list[str]:
        """Return the last messages before the turn being answered, oldest first."""
        return [self._told(document) for document in reversed(self._catalogue.talk())]

    def beside(self, document: int) -> tuple[str, list[str]]:
        """Return what was said before a message, and what after it: empty at the ends."""
        before, after = self._catalogue.around(document)
        hidden = set(self._catalogue.unanswered())
        texts = [self._told(d) for d in after if d not in hidden]
        return "" if before < 0 else self._told(before), texts

    def catch_up(self) -> None:
        """Index what was noted and said since the last time."""
        self._log.refresh()
        if self._fresh:
            self._read()
        self._fresh = True  # An interruption may leave half of a text.
        self._take_notes()
        self._take_history()
        self._fresh = False
        self.save(at_least=WRITTEN)

    def _take_notes(self) -> None:
        catalogue, shelf = self._catalogue, self._log.shelf
        for number in range(len(catalogue.notes), len(shelf.all)):
            note = shelf.all[number]
            self._index.add(Document(note.text[:INDEXED], note.ts, kind="note"))
            catalogue.put(-1 - number, note.turn, note.source)
            self._write(at_least=PACKED)

    def _take_history(self) -> None:
        catalogue = self._catalogue
        for entry in self._history.items(catalogue.scanned) if self._history else ():
            match entry:
                case Undone():
                    catalogue.open_turn = 0
                    # The conversation goes on from there; notes stay.
                    self._index.remove(catalogue.undo(entry.turn))
                case Item():
                    self._take(entry)
            catalogue.scanned = entry.next
            self._write(at_least=PACKED)

    def _take(self, item: Item) -> None:
        self._catalogue.open_turn = 0 if item.final else item.turn
        for start in _starts(item.text[:INDEXED]):
            text = item.text[start : min(start + PART, INDEXED)]
            session = FURTHER if start else SESSION
            self._index.add(Document(text, item.ts, item.speaker, session))
            self._catalogue.put(item.position, item.turn, item.speaker, start)

    def save(self, at_least: int = 1) -> None:
        """Write what is new beside the log. What can't be written is indexed again next time."""
        if not self._fresh:
            self._write(at_least)

    def _write(self, at_least: int) -> None:
        if self._cache is not None and self._cache.new >= at_least:
            self._cache.write(self._catalogue, self._mark())

    def _read(self) -> None:
        """Take in what an earlier run has indexed, if it was of these very logs."""
        if self._catalogue.place:
            self._start_anew()
        mark = self._cache.read(self._catalogue) if self._cache else None
        if mark is None or mark != self._mark():
            self._start_anew()

    def _start_anew(self) -> None:
        self._index, self._cache = self._make()
        self._catalogue = Catalogue()

    def _mark(self) -> Mapping[str, object]:
        """Return what tells the logs up to here from any others."""
        notes = self._log.shelf.all[: len(self._catalogue.notes)]
        texts = "\n".join(note.text for note in notes).encode("utf-8", "replace")
        seal = self._history.seal(self._catalogue.scanned) if self._history else ""
        return {"seal": seal, "notes": zlib.crc32(texts)}


def _by_text(found: Sequence[tuple[int, float]], catalogue: Catalogue) -> Mapping[int, Parts]:
    """Return the texts by where they stand, the best one first."""
    texts: dict[int, Parts] = {}
    for document, score in found:
        documents, best = texts.setdefault(catalogue.place[document], ([], score))
        if len(documents) < BEST_PARTS and score >= AS_GOOD * best:
            documents.append(document)
    return texts


def _starts(text: str) -> Sequence[int]:
    """Return where the documents of a text begin; none for an empty one."""
    step = PART - OVERLAP
    return range(0, max(len(text) - OVERLAP, min(len(text), 1)), step)


def _joined(text: str, starts: Sequence[int]) -> Iterator[str]:
    """Yield the parts of a text that begin at `starts`, without what they share."""
    end = -1
    for start in starts:
        if end >= 0 and start > end:
            yield f"\n{GAP}\n"
        yield text[max(start, end) : start + PART]
        end = start + PART
