"""Where a session keeps its files, by its name."""

from pathlib import Path

from .config import Config
from .durable.disk import beneath, is_there
from .errors import ConfigError
from .prompts import errors as say
from .session import MAIN, NAME

NOTES, LOG, META, INDEX = "memories.jsonl", "conversation.jsonl", "meta.json", "recall.idx"
"""Names of the notes of all sessions, of the transcript of one, its snapshot and its index."""


def session_folder(config: Config, session: str) -> Path:
    """Return where a session keeps its files. Raises ConfigError for a bad name, StorageError."""
    if not NAME.fullmatch(session):
        raise ConfigError(say.BAD_SESSION.of(name=session), hint=say.BAD_SESSION_HINT)
    root = Path(config.data_dir)
    return root if session == MAIN else beneath(root, "sessions", session)


def transcript_of(config: Config, session: str) -> Path:
    """Return where the transcript of a session is that must be there. Raises ConfigError."""
    path = session_folder(config, session) / LOG
    if not is_there(path):
        raise no_such_session(path.parent)
    return path


def no_such_session(folder: Path) -> ConfigError:
    """Return the error for a conversation that was named and is not there."""
    return ConfigError(say.NO_SUCH_SESSION.of(path=folder), hint=say.NO_SUCH_SESSION_HINT)
