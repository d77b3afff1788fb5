"""What the command line is asked to do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..session import MAIN


@dataclass(frozen=True, slots=True)
class Show:
    """Print a text: the help or the version."""

    text: str


@dataclass(frozen=True, slots=True)
class WriteConfig:
    """Write a commented configuration."""

    path: Path


@dataclass(frozen=True, slots=True)
class Rebuild:
    """Make `meta.json` anew."""


@dataclass(frozen=True, slots=True)
class Checkup:
    """Examine the setup. `canary` is the size of the long request, None the usual, 0 none."""

    canary: int | None = None


@dataclass(frozen=True, slots=True)
class AboutNotes:
    """Look after the notes: `list`, `show n3`, `export FILE` …; other words are searched for."""

    words: str


@dataclass(frozen=True, slots=True)
class Local:
    """A model file to serve ourselves."""

    model: Path
    template: str | None = None
    """Name or path of a chat template; None is the model's own."""


@dataclass(frozen=True, slots=True)
class Care:
    """What to do with a session's files before they are used."""

    strict: bool = False
    """End at any damage."""
    accept_edited: bool = False
    """Take over what was edited by hand."""
    read_only: bool = False
    """Look, and change nothing."""


Instead = Show | WriteConfig | Rebuild | Checkup | AboutNotes


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the user asked for on the command line."""

    instead: Instead | None = None
    """What to do in place of a conversation."""
    question: str | None = None
    session: str = MAIN
    config: Path | None = None
    overrides: Mapping[str, object] = field(default_factory=dict)
    """Dotted configuration key to value."""
    local: Local | None = None
    offline: bool = False
    json: bool = False
    care: Care = Care()
    resume_from_turn: int | None = None
