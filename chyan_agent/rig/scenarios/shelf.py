"""The folder of a round: where its files are and what they should hold."""

from dataclasses import dataclass, field

from ..checks import Check, FileIs
from . import Author


@dataclass(slots=True)
class Shelf:
    """The folder of a round and the numbers that its files hold by now."""

    author: Author
    folder: str
    holds: dict[str, str] = field(default_factory=dict)

    def path(self, name: str) -> str:
        """Return the path of a file of this round."""
        return f"{self.folder}/{name}"

    def wrote(self, name: str, text: str) -> Check:
        """Note that a file now holds `text`, and return the check for it."""
        self.holds[name] = text
        return FileIs(self.path(name), text)
