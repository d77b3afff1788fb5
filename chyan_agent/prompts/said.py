"""A text in both languages: what an error carries until it is known who reads it."""

from dataclasses import dataclass

from . import Language, pick


@dataclass(frozen=True, slots=True)
class Said:
    """English and Chinese of one text. Braces are filled by `of`, in a text that has none too."""

    en: str
    zh: str

    def of(self, **values: object) -> "Said":
        """Return it filled; a value that is itself in both languages is used in each."""
        return Said(self.en.format(**_in("en", values)), self.zh.format(**_in("zh", values)))

    def text(self, language: Language) -> str:
        """Return the text in a language."""
        return pick(language, self.zh, self.en)

    def __str__(self) -> str:
        return self.en


def _in(language: Language, values: dict[str, object]) -> dict[str, object]:
    return {k: v.text(language) if isinstance(v, Said) else v for k, v in values.items()}
