"""How much work one look through the workspace may be."""

from collections.abc import Callable
from dataclasses import dataclass, field

SECONDS = 5.0
MOST_FILES = 200_000
MOST_CHARACTERS = 256_000_000


@dataclass(slots=True)
class Limit:
    """Files, characters and seconds. Who goes on asks before each small piece of work."""

    clock: Callable[[], float]
    reached: str = ""
    """What ended the look before it was complete; empty while nothing has."""
    files: int = 0
    characters: int = 0
    began: float = field(init=False)

    def __post_init__(self) -> None:
        self.began = self.clock()

    def allows(self, characters: int = 0) -> bool:
        """Count one more file, or a part of one, and say whether to go on."""
        self.characters += characters
        self.files += not characters
        return self.holds()

    def holds(self) -> bool:
        """Say whether to go on."""
        if self.left() <= 0:
            self.reached = f"{SECONDS:g} s"
        elif self.files > MOST_FILES:
            self.reached = f"{MOST_FILES:,} files"
        elif self.characters > MOST_CHARACTERS:
            self.reached = f"{MOST_CHARACTERS:,} characters"
        return not self.reached

    def left(self) -> float:
        """Return the seconds that are left."""
        return self.began + SECONDS - self.clock()
