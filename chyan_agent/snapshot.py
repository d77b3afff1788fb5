"""meta.json: a cached State. Losing or spoiling it costs start-up time, never anything said."""

from pathlib import Path

from .codec import VERSION, state_from_json, state_to_json
from .mend import mended
from .records import seal, unseal
from .state import State, replay
from .storage import replace_atomically
from .transcript import Transcript


def save(path: Path, state: State, transcript: Transcript) -> None:
    """Write the state with the place in the transcript that it stands for. Raises StorageError."""
    snapshot = {
        "v": VERSION,
        "seq": transcript.seq,
        "log_bytes": transcript.end,
        "last_crc": transcript.seal_at(transcript.end),
        "state": state_to_json(state),
    }
    replace_atomically(path, seal(snapshot), durable=False)


def load_or_rebuild(path: Path, transcript: Transcript) -> State:
    """Return the state: the snapshot and what came after it, else the whole transcript.

    Removes snapshots that a killed process left half done; the caller holds the lock.
    """
    for unfinished in path.parent.glob(f"{path.name}.*.tmp"):
        unfinished.unlink(missing_ok=True)
    state, start = _load(path, transcript) or (None, 0)
    return mended(replay((stored.record for stored in transcript.scan(start)), state))


def rebuild(transcript: Transcript) -> State:
    """Return the state from the transcript alone. Asks no model."""
    return mended(replay(stored.record for stored in transcript.scan()))


def _load(path: Path, transcript: Transcript) -> tuple[State, int] | None:
    """Return the cached state and where its successor starts, if it belongs to this transcript."""
    try:
        data = unseal(path.read_bytes())
        end, inner = data.get("log_bytes"), data.get("state")
        if data.get("v") != VERSION or not isinstance(end, int) or not isinstance(inner, dict):
            return None
        if not end or transcript.seal_at(end) != data.get("last_crc"):
            return None
        return state_from_json(inner), end
    except (OSError, ValueError):
        return None
