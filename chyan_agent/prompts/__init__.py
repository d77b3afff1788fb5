"""Texts for the model and the terminal, in Chinese and English."""

from typing import Literal, TypeVar

Language = Literal["zh", "en"]
T = TypeVar("T")


def pick(language: Language, zh: T, en: T) -> T:
    """Return the text set of a language."""
    return zh if language == "zh" else en
