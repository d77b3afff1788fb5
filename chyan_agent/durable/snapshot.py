"""meta.json: a cached State. Losing or spoiling it costs start-up time, never anything said."""

from contextlib import suppress
from pathlib import Path

from ..errors import StorageError, VersionError
from ..mend import mended
from ..prompts import errors as say
from ..state import State, replay
from .chart import Chart, chart_from_json
from .codec import VERSION, state_from_json, state_to_json
from .disk import keep_file_private, read_whole
from .lines import next_line, placed
from .newer import refuse_newer_file
from .quarantine import set_aside
from .records import MAX_LINE, number_of, seal, unseal
from .repair import Looked
from .storage import ReadFile, remove_unfinished, replace_atomically
from .transcript import Transcript, seal_at

CHECKED = 4 << 20
"""Bytes of the log that are looked at before a snapshot is believed: some 20 ms."""


def save(path: Path, state: State, transcript: Transcript) -> None:
    """Write the state with the place in the transcript that it stands for.

    Raises StorageError, and VersionError where a newer program's snapshot is.
    """
    refuse_newer_file(path, VERSION)
    # A cache that is ahead of what it caches would be a lie after a power cut.
    transcript.sync()
    for _ in transcript.survey():
        pass
    snapshot = {
        "v": VERSION,
        "seq": transcript.seq,
        "log_bytes": transcript.end,
        "last_crc": transcript.seal_at(transcript.end),
        "chart": transcript.chart.to_json(),
        "state": state_to_json(state),
    }
    replace_atomically(path, seal(snapshot), durable=False)


def unknown_from(path: Path) -> Looked:
    """Return what tells from which byte on a log has to be looked at, if a snapshot stands for
    what is before. That was read by this program, record for record, when the snapshot was made.
    """

    def looked(file: ReadFile, end: int) -> int:
        found = _load(path, file, end)[1]
        return max(found[1].end - CHECKED, 0) if found else 0

    return looked


def load_or_rebuild(path: Path, transcript: Transcript) -> State:
    """Return the state: the snapshot and what came after it, else the whole transcript.

    Removes snapshots that a killed process left half done; the caller holds the lock.
    """
    if transcript.writable:
        remove_unfinished(path)
        keep_file_private(path)
    known, found = _load(path, transcript.file, transcript.end)
    if found:
        state, transcript.chart = found
        transcript.seq = max(transcript.seq, transcript.chart.seq)
        return _replayed(transcript, state)
    state = rebuild(transcript)
    if known > transcript.seq:
        names = {"meta": path.name, "name": transcript.path.name}
        transcript.warn(say.META_AHEAD.of(**names, known=known, found=transcript.seq))
    if transcript.writable and transcript.end:
        # The next start need not read everything again.
        with suppress(StorageError, VersionError):
            save(path, state, transcript)
    return state


def rebuild(transcript: Transcript) -> State:
    """Return the state from the transcript alone. Asks no model."""
    transcript.chart = Chart()
    return _replayed(transcript, State())


def _replayed(transcript: Transcript, state: State) -> State:
    """Return the state after the records that are not in the chart."""
    state = replay((stored.record for stored in transcript.survey()), state)
    for place in transcript.chart.damage.places:
        if place.kind == "conflict" and transcript.writable:
            set_aside(transcript.file, f"conflict-{place.start}", place.start, place.end)
    return mended(state)


def _load(path: Path, file: ReadFile, size: int) -> tuple[int, tuple[State, Chart] | None]:
    """Return the number of records that the snapshot knows, and what it holds.

    It holds nothing where it doesn't belong to this log, whose records take `size` bytes.
    """
    known = 0
    try:
        data = unseal(read_whole(path, MAX_LINE))
        end, inner, seq = data.get("log_bytes"), data.get("state"), data.get("seq")
        known = seq if type(seq) is int else 0
        if data.get("v") != VERSION or type(end) is not int or not isinstance(inner, dict):
            return known, None
        if end > size or not data.get("last_crc") or seal_at(file, end) != data.get("last_crc"):
            return known, None
        chart = chart_from_json(data.get("chart"), end)
        return known, (state_from_json(inner), chart) if _sound(file, chart) else None
    except (OSError, ValueError):
        return known, None


def _sound(file: ReadFile, chart: Chart) -> bool:
    """Whether the file is as it was charted: damage that came since is told like any other.

    Looks at the last bytes alone, so that a start takes no longer the more was said.
    """
    if chart.damage.more:
        return True  # Not all of it is known.
    seq = 0
    for start, line in placed(file, next_line(file, max(chart.end - CHECKED, 0)), chart.end):
        matter, number = chart.damage.known(start), number_of(line, VERSION)
        if number is not None and matter in ("bytes", "edited"):
            return False  # It was put right again.
        if matter in (None, "jump"):
            if number is None or (seq and number != seq + 1 and not matter):
                return False
            seq = number
    return True
