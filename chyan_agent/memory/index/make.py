"""Makes an index by its engine's name."""

from collections.abc import Collection

from ..dates import asked, of_time
from . import FIELDS, Engine, Index
from .fields import cutter
from .ranked import FieldIndex


def make_index(
    engine: Engine = "fields", *, segmenter: str = "jieba", use: Collection[str] = FIELDS
) -> Index:
    """Return an empty index in memory. `use` names the FIELDS that the engine `fields` scores by.

    Nothing is loaded before the first document or question.
    """
    return FieldIndex(cutter(segmenter), of_time=of_time, asked=asked, use=use)
