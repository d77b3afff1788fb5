"""The composition root: Config to Agent. The only reader of strategy and back-end names."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from . import snapshot
from .config import Config
from .errors import ConfigError
from .model import Request
from .storage import Lock
from .transcript import Transcript

MAIN = "main"
"""The session that lives in the data directory itself."""
SESSION = re.compile(r"[A-Za-z0-9_-]{1,64}")

Tap = Callable[[Request], None]


def now() -> str:
    """Return the time in UTC to the millisecond, as records carry it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def session_folder(config: Config, session: str) -> Path:
    """Return where a session keeps its files. Raises ConfigError for a name that is no name."""
    if not SESSION.fullmatch(session):
        raise ConfigError(
            f"bad session name {session!r}",
            hint="use 1 to 64 letters, digits, hyphens or underscores",
        )
    root = Path(config.data_dir)
    return root if session == MAIN else root / "sessions" / session


def rebuild(config: Config, *, session: str = MAIN) -> str:
    """Write meta.json anew from conversation.jsonl; return a line that says what was found.

    Loads no model and no tokenizer. Raises LockedError, StorageError, CorruptError.
    """
    folder = session_folder(config, session)
    with Lock(folder):
        transcript = Transcript(folder / "conversation.jsonl", clock=now)
        state = snapshot.rebuild(transcript)
        snapshot.save(folder / "meta.json", state, transcript)
        transcript.close()
    found = f"{transcript.seq} records, {state.last_turn} turns, {transcript.end} bytes"
    return "\n".join((found, *transcript.problems))
