"""Long-term memory put together: what is noted and said, found again as hits."""

from collections.abc import Callable, Sequence
from pathlib import Path

from ..prompts.said import Said
from ..statements.chatter import idle
from . import ANSWERED, Hit, Note, Source
from .archive import Archive, Made
from .cache import Cache
from .followups import expanded
from .history import History
from .index import Engine, Query
from .index.blocks import BlockFile
from .index.fields import says_something
from .index.make import make_index
from .index.ranked import FieldIndex
from .notebook import Notebook
from .notes import NotesLog, SeenNotes
from .passages import passage, telling
from .ranking import Found, merged, only_asks, unsaid_first
from .standing import Standing, cited, standings

SPARE = 12
"""Candidates looked at beyond three for each hit asked for: some say the same thing twice."""


def open_memory(
    path: Path,
    *,
    segmenter_name: str = "jieba",
    engine: Engine = "fields",
    history: History | None = None,
    index_path: Path | None = None,
    index_writable: bool = True,
    clock: Callable[[], str],
    writable: bool = True,
) -> "Store":
    """Open the notes at `path`; nothing is indexed before the first recall.

    The index is kept in `index_path`, if one is given: a cache, which `index_writable` says we
    may add to. With `writable` off nothing is changed, and there may be no notes.

    Raises StorageError, CorruptError or VersionError.
    """

    def make() -> Made:
        index = make_index(engine, segmenter=segmenter_name)
        if index_path is None or not isinstance(index, FieldIndex):
            return index, None
        file = BlockFile(index_path, writable=writable and index_writable)
        return index, Cache(file, index, segmenter_name)

    log = (NotesLog if writable else SeenNotes)(path, clock=clock)
    return Store(log, Archive(log, history, make), clock)


class Store:
    """A `Memory` over a notes log and an archive of notes and history."""

    def __init__(self, log: NotesLog, archive: Archive, clock: Callable[[], str]) -> None:
        self._log = log
        self._archive = archive
        self._clock = clock

    @property
    def problems(self) -> list[Said]:
        """What recovery found in the notes log, for the user to read."""
        return self._log.problems

    @property
    def notebook(self) -> Notebook:
        """The notes for their owner."""
        return Notebook(self._log)

    def close(self) -> None:
        """Close the notes log, and keep what was indexed."""
        self._archive.save()
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

    def recall(self, query: str, top_k: int, *, evidence: Sequence[str] = ()) -> list[Hit]:
        """Return at most `top_k` hits, best first; of the turn being answered, nothing."""
        if top_k < 1 or not says_something(query):
            return []
        self._archive.catch_up()
        context = expanded(query, self._archive.talk(), evidence)
        asked = Query(query, self._clock(), context, own=True)
        found = merged(self._archive.find(asked, 3 * top_k + SPARE))
        found = unsaid_first(found, context) if context else found
        told = standings(found, top_k)
        met = self._archive.meets(asked, [one for one, _ in told])
        # An acknowledgement meets what was acknowledged before, and answers nothing.
        met = {one.document for one, _ in told if one.document in met and not idle(one.text)}
        return [self._hit(one, standing, query, one.document in met) for one, standing in told]

    def _hit(self, one: Found, standing: Standing, query: str, met: bool) -> Hit:
        text = passage(one.text, query)
        before, later = self._archive.beside(one.document)
        after, speaker = telling(later, query), one.speaker
        if later and speaker == "user" and only_asks(one.text):
            text, after, speaker = f"{text} → {passage(later[-1], query)}", "", ANSWERED
        return Hit(
            text=text,
            turn=one.turn,
            kind="note" if one.note else "message",
            speaker=speaker,
            met=met,
            replaces=self._log.shelf.replaced_by(one.note) if one.note else "",
            ts=one.ts,
            beside=(passage(before, query), passage(after, query)),
            superseded=cited(standing.by) if standing.by else "",
            conflicts=tuple(map(cited, standing.against)),
        )
