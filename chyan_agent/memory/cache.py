"""The index of an archive beside its log: `recall.idx`. Losing or spoiling it costs time only."""

import logging
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ..errors import StorageError
from .catalogue import UNDONE, Catalogue
from .dates import zone
from .index.blocks import START, BlockFile, blocks, packed
from .index.keep import SMALL, VERSION, Keeper
from .index.ranked import FieldIndex

_COLUMNS = ("place", "start", "turn", "speaker", "notes")

_log = logging.getLogger(__name__)


class Cache:
    """Writes an index and its catalogue bit by bit, and reads them whole."""

    def __init__(self, file: BlockFile, index: FieldIndex, segmenter: str) -> None:
        self._file = file
        self._index = index
        self._keeper = Keeper(index)
        self._recipe = _recipe(index, segmenter)
        self._end = 0
        self._written = dict.fromkeys(_COLUMNS, 0)
        self._lost = not file.writable

    @property
    def new(self) -> int:
        """Documents that are not written yet."""
        return self._keeper.new

    def read(self, catalogue: Catalogue) -> Mapping[str, Any] | None:
        """Fill the index and the catalogue; return the last mark, or None for nothing of use.

        After None both may hold a part, and must not be used any more.
        """
        mark, self._end = None, len(START)
        try:
            for meta, arrays, end in blocks(self._file.read()):
                if meta["recipe"] != self._recipe:
                    return None
                self._keeper.take(meta, arrays)
                for name in _COLUMNS:
                    getattr(catalogue, name).frombytes(arrays[f"a:{name}"].tobytes())
                catalogue.speakers[:] = meta["speakers"]
                catalogue.scanned, catalogue.open_turn = meta["scanned"], meta["open_turn"]
                mark, self._end = meta["mark"], end
        except (ValueError, KeyError, TypeError, IndexError) as error:
            _log.info("the recall index is of no use: %s", error)
            return None
        self._look(catalogue)
        self._index.postings.settle(SMALL)
        for document, alive in enumerate(self._index.columns.alive):
            if not alive:
                catalogue.turn[document] = UNDONE
        whole = len(catalogue) == len(self._index.columns)
        return mark if whole else None

    def write(self, catalogue: Catalogue, mark: Mapping[str, object]) -> None:
        """Write what is new. Whoever can't write goes without."""
        if self._lost:
            return
        anew = self._keeper.crowded or not self._end
        if anew:
            self._written = dict.fromkeys(_COLUMNS, 0)
        meta, arrays = self._keeper.whole() if anew else self._keeper.added()
        for name in _COLUMNS:
            arrays[f"a:{name}"] = _rest(getattr(catalogue, name), self._written[name])
        self._look(catalogue)
        state = {"scanned": catalogue.scanned, "open_turn": catalogue.open_turn}
        block = packed(
            {**meta, **state, "speakers": catalogue.speakers, "mark": mark, "recipe": self._recipe},
            arrays,
        )
        try:
            self._end = self._file.replace(block) if anew else self._file.append(block, self._end)
        except StorageError as error:
            _log.warning("the recall index can't be written: %s", error)
            self._lost = True

    def _look(self, catalogue: Catalogue) -> None:
        self._written = {name: len(getattr(catalogue, name)) for name in _COLUMNS}


def _rest(column: Any, start: int) -> Any:
    import numpy as np

    return np.array(column[start:])


def _recipe(index: FieldIndex, segmenter: str) -> list[object]:
    """Return what makes two indexes comparable: same words, same days of the same text."""
    try:
        cut = version(segmenter) if segmenter == "jieba" else segmenter
    except PackageNotFoundError:
        cut = "builtin"
    return [VERSION, cut, sorted(index.use), zone()]
