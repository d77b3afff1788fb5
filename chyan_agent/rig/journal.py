"""pending.json: what is needed to ask a turn again that a crash has cut short."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ..durable.storage import replace_atomically
from ..errors import ConfigError
from ..prompts import errors_rig as say
from .scenarios import TurnSpec

Settings = Mapping[str, object]
"""What a run was started with, as far as its result depends on it."""


@dataclass(frozen=True, slots=True)
class Pending:
    """The turn that is about to be asked."""

    settings: Settings
    index: int
    """From 0: turn number minus one."""
    files: Mapping[str, str | None]
    """The text that each file had before the turn; None for a file that was not there."""
    redo: bool = False
    """Whether the turn must be asked again, whatever the transcript says about it."""


class Journal:
    """The journal of one run. `begin` before every turn; `pending` after a crash."""

    def __init__(self, path: Path, *, workspace: Path, settings: Settings) -> None:
        self._path = path
        self._workspace = workspace
        self._settings = settings
        self._now: Pending | None = None

    def begin(self, index: int, spec: TurnSpec) -> None:
        """Write down which turn comes next and what it may change."""
        files = {name: _read(self._workspace / name) for name in spec.touches}
        self._save(Pending(self._settings, index, files))

    def mark_redo(self) -> None:
        """Write down that the current turn has to be asked again."""
        if self._now is not None:
            self._save(replace(self._now, redo=True))

    def pending(self) -> Pending | None:
        """Return the turn that may have been cut short. Raises ConfigError for other settings."""
        try:
            fields = json.loads(self._path.read_text(encoding="utf-8"))
            self._now = Pending(**fields)
        except FileNotFoundError:
            return None
        except (ValueError, TypeError) as error:
            damaged = say.JOURNAL_DAMAGED.of(path=self._path, error=error)
            raise ConfigError(damaged, hint=say.AGAIN_HINT) from error
        self._compare(self._now.settings)
        return self._now

    def restore(self, pending: Pending) -> None:
        """Put the files back as they were before the turn."""
        for name, text in pending.files.items():
            path = self._workspace / name
            if text is None:
                path.unlink(missing_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text.encode("utf-8", "surrogateescape"))

    def _compare(self, before: Settings) -> None:
        for name in sorted({*before, *self._settings}):
            was, now = before.get(name), self._settings.get(name)
            if was != now:
                raise ConfigError(
                    say.OTHER_SETTING.of(name=name, was=was, now=now),
                    hint=say.OTHER_SETTING_HINT.of(name=name),
                )

    def _save(self, pending: Pending) -> None:
        self._now = pending
        data = json.dumps(asdict(pending), sort_keys=True).encode("ascii")
        replace_atomically(self._path, data, durable=False)


def place(workspace: Path, spec: TurnSpec) -> None:
    """Put the files of a turn into the workspace."""
    for name, text in spec.files:
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
