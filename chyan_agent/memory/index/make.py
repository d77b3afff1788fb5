"""Makes an index by its engine's name."""

from collections.abc import Collection

from . import FIELDS, Engine, Index
from .classic import ClassicIndex
from .fields import cutter
from .ranked import FieldIndex
from .scoring import WEIGHTS, WITHOUT_WORDS

PLAIN = ("words",)
"""The fields of the engine `plain`: BM25 and nothing else."""


def make_index(
    engine: Engine = "fields", *, segmenter: str = "jieba", use: Collection[str] = FIELDS
) -> Index:
    """Return an empty index in memory. `use` names the FIELDS that the engine `fields` scores by.

    Nothing is loaded before the first document or question.
    """
    if engine == "classic":
        return ClassicIndex(segmenter)
    weights = WEIGHTS if segmenter == "jieba" else WITHOUT_WORDS
    return FieldIndex(cutter(segmenter), weights, PLAIN if engine == "plain" else use)
