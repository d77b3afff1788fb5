"""Makes an index by its engine's name."""

from collections.abc import Collection

from . import FIELDS, Engine, Index
from .fields import cutter
from .ranked import FieldIndex


def make_index(
    engine: Engine = "fields", *, segmenter: str = "jieba", use: Collection[str] = FIELDS
) -> Index:
    """Return an empty index in memory. `use` names the FIELDS that the engine `fields` scores by.

    Nothing is loaded before the first document or question.
    """
    return FieldIndex(cutter(segmenter), of_time=_no_dates, asked=_nothing_asked, use=use)


def _no_dates(_ts: str) -> tuple[str, ...]:
    return ()


def _nothing_asked(_text: str, _now: str) -> tuple[str, ...]:
    return ()
