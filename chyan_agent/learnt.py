"""What an endpoint taught, kept across restarts: a cache whose loss costs one refused request.

Nothing that is said or remembered depends on it, so it is neither in the transcript nor in
meta.json, and a damaged file is the same as none.
"""

import hashlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import cast

from .calibration import KEPT, Calibration, Load, Report, Scale
from .durable.disk import keep_file_private, read_whole
from .durable.newer import version_there
from .durable.records import seal, unseal
from .durable.storage import remove_unfinished, replace_atomically
from .errors import StorageError
from .lessons import Lessons
from .prompts import errors as say
from .prompts.said import Said

log = logging.getLogger(__name__)

VERSION = 1
ENDPOINTS = 16
"""Endpoints that are remembered; the one used longest ago makes room."""
MOST_BYTES = 1 << 20
"""Of the file; more is none of ours."""
LARGEST = 10**9
"""No number in the file is larger."""
LASTING = 7
"""Days for which lessons are believed: a server may have been updated, so that the plain way to
ask it is tried again."""
MOST_LESSONS, LONGEST_LESSON = 16, 64


def key(base_url: str, model: str, tokenizer: str, limit: int) -> str:
    """Return the name under which an endpoint is kept; tells neither its address nor its key.

    The configured limit is part of it: who changes it wants to see what the endpoint says now.
    """
    text = "\n".join((base_url.rstrip("/"), model, tokenizer, str(limit)))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def today() -> int:
    """Return the day in UTC, counted from 1970."""
    return int(time.time() // 86_400)


class Learnt:
    """What one endpoint taught: how it counts, its limit, how to ask it.

    `path` None keeps that in this process.
    """

    def __init__(
        self, path: Path | None = None, name: str = "", *, day: Callable[[], int] = today
    ) -> None:
        self._path = path
        self._name = name
        self._day = day
        self._since = 0
        self._changed = False
        self.lessons = Lessons()
        self.scale = Scale()
        self.calibration = Calibration()
        self.limit: int | None = None
        """The window that the endpoint named, in tokens."""
        self.factor = 1.0
        """The endpoint's tokens for one of ours, in the request at hand: set by the gate."""
        self.told: set[str] = set()
        """Kinds of what was told the user once."""
        self.remarks: list[Said] = []
        """What the user should know, and was not told yet."""
        self._read()

    def take(self, load: Load, tokens: int) -> None:
        """Learn what the endpoint counted; 0 says nothing, and an absurd count is told once."""
        report = Report(load, tokens)
        if tokens > 0 and report.usable:
            before = self.calibration
            self.calibration = before.learn(report)
            self._changed |= not (report.exact and before.reports and before.as_ours)
        elif tokens > 0 and "odd_usage" not in self.told:
            self.told.add("odd_usage")
            self.remarks.append(say.ODD_USAGE.of(said=tokens, counted=load.counted))

    def forget(self) -> None:
        """Start anew: our own count has changed, as the endpoint's tokenizer is out of reach."""
        self._path = None
        self.calibration = Calibration()
        self.remarks.append(say.TOKENIZER_LOST)

    def news(self) -> list[Said]:
        """Return the remarks that were not returned before."""
        news, self.remarks = self.remarks, []
        return news

    def take_limit(self, limit: int) -> None:
        """Learn the window that the endpoint named."""
        self.limit, self._changed = limit, True

    def save(self) -> None:
        """Write what is new. A failure costs one refused request later, so it is only logged."""
        if self._path is None or not (self._changed or self.lessons.changed):
            return
        self._changed = self.lessons.changed = False
        if version_there(self._path, VERSION) is not None:
            return  # A newer program learnt more there.
        endpoints = _load(self._path)
        endpoints.pop(self._name, None)
        others = list(endpoints.items())[1 - ENDPOINTS :]
        found = [[*astuple(report.load), report.tokens] for report in self.calibration.reports]
        # A lesson of an earlier run keeps its age: it is not made younger by one beside it.
        since = self._since if self.lessons.recalled else self._day()
        lessons = {"day": since, "names": self.lessons.names[-MOST_LESSONS:]}
        entry = {"limit": self.limit, "reports": found, "lessons": lessons}
        try:
            data = seal({"v": VERSION, "endpoints": {**dict(others), self._name: entry}})
            replace_atomically(self._path, data, durable=False)
        except StorageError as error:
            log.warning("what the endpoint taught was not saved: %s", error)

    def _read(self) -> None:
        if self._path is not None:
            remove_unfinished(self._path)
            keep_file_private(self._path)
        entry = _load(self._path).get(self._name) if self._path else None
        if not isinstance(entry, Mapping):
            return
        rows, limit = entry.get("reports"), entry.get("limit")
        reports = tuple(map(_report, rows)) if isinstance(rows, list) else ()
        self.calibration = Calibration(tuple(r for r in reports if r and r.usable)[-KEPT:])
        self.limit = limit if type(limit) is int and 0 < limit < LARGEST else None
        self._recall(entry.get("lessons"))

    def _recall(self, found: object) -> None:
        """Believe lessons that are no older than they may be; a clock that went back is doubted."""
        day, names = (
            (found.get("day"), found.get("names")) if isinstance(found, Mapping) else ((), ())
        )
        if not isinstance(day, int) or not isinstance(names, list):
            return
        if 0 <= self._day() - day < LASTING:
            known = [n for n in names if isinstance(n, str) and len(n) <= LONGEST_LESSON]
            self.lessons, self._since = Lessons(known[:MOST_LESSONS]), day


def _load(path: Path) -> dict[str, object]:
    try:
        data = unseal(read_whole(path, MOST_BYTES))
    except (OSError, ValueError):
        return {}
    endpoints = data.get("endpoints")
    return endpoints if data.get("v") == VERSION and isinstance(endpoints, dict) else {}


def _report(row: object) -> Report | None:
    if not isinstance(row, list) or len(row) != 8:
        return None
    if not all(isinstance(n, int) and 0 <= n < LARGEST for n in row):
        return None
    counted, messages, calls, han, digits, tools, size, tokens = cast("Sequence[int]", row)
    return Report(Load(counted, messages, calls, han, digits, bool(tools), size), tokens)
