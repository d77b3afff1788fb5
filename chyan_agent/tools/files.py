"""The tools on files: read and write. Looking for files and text is in `finding`."""

import logging
import os
from typing import BinaryIO, cast

from ..budget import compact_json
from ..clip import Clip, Mode, clip
from ..errors import ToolFailed
from ..prompts.tools import ToolTexts
from . import Arguments, Context, Limits
from .decoding import REPLACED, open_text
from .excerpt import excerpt
from .results import LEAST_CONTENT, cap, cost_in_json
from .sandbox import Sandbox

Result = dict[str, object]
_log = logging.getLogger(__name__)

WINDOW = 2_000_000
"""Characters held in memory at once. Of a longer text only the head is shown, page by page."""


class Files:
    """Reading and writing text files of the workspace."""

    def __init__(self, sandbox: Sandbox, limits: Limits, texts: ToolTexts) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._texts = texts

    def write(self, arguments: Arguments, context: Context) -> Result:
        """Write exactly the given text, newlines as they are; whole or not at all.

        It is UTF-8, or what the file is that it is appended to.
        """
        text = cast("str", arguments["content"])
        mode = cast("str", arguments.get("mode", "overwrite"))
        path = cast("str", arguments["path"])
        name, written = self._sandbox.write(path, text, append=mode == "append")
        result: Result = {
            "path": name,
            "bytes": written.bytes,
            "lines": written.lines,
            "mode": mode,
            "sha256": written.sha256[:12],
        }
        return {**result, "note": self._texts.no_newline} if written.joined else result

    def read(self, arguments: Arguments, context: Context) -> Result:
        """Return lines of a text file, from the start or from where an earlier result ended."""
        line = cast("int", arguments.get("start_line", 1))
        char = cast("int", arguments.get("start_char", 0))
        with self._sandbox.open(cast("str", arguments["path"])) as (name, file):
            _tell_of_links(name, file)
            opened = open_text(file)
            if opened is None:
                size = file.seek(0, os.SEEK_END)
                problem = self._texts.binary.format(path=name, bytes=f"{size:,}")
                raise ToolFailed(problem, hint=self._texts.binary_hint)
            found = excerpt(opened, line, char, max(WINDOW, 2 * self._limits.max_result_bytes))
        if not found.found:
            problem = self._texts.past_end.format(path=name, lines=found.lines_seen)
            raise ToolFailed(problem, hint=self._texts.past_end_hint)
        about: Result = {"path": name}
        if opened.encoding not in ("utf-8", "utf-8-sig"):
            about["encoding"] = opened.encoding
        if (line, char) != (1, 0):
            about["start_line"] = line
        lines = cast("int", arguments.get("max_lines", self._limits.read_max_lines))
        # Who goes on page by page wants what comes next, and nothing twice.
        paging = "start_line" in arguments or char > 0 or not found.complete
        mode: Mode = "head" if paging else self._limits.truncate
        frame = {**about, "total_lines": 10**9, **self._broken(opened.broken)}
        shown = self._clip(found.text, lines, mode, frame, context)
        return {
            **about,
            **self._broken(min(opened.broken, shown.text.count(REPLACED))),
            "content": shown.text,
            "total_lines": found.total_lines,
            "returned_lines": shown.returned_lines,
            "truncated": shown.truncated,
            **_next(shown, line, char),
        }

    def _broken(self, count: int) -> Result:
        """Return a warning: who writes back what is shown destroys what is in the file."""
        return {"note": self._texts.undecodable.format(count=f"{count:,}")} if count else {}

    def _clip(self, text: str, lines: int, mode: Mode, about: Result, context: Context) -> Clip:
        frame = {**about, **_FRAME}
        room = cap(context, self._limits) - context.count(compact_json(frame))
        if room < LEAST_CONTENT:
            raise ToolFailed(self._texts.no_room, hint=self._texts.no_room_hint)
        return clip(
            text,
            max_lines=min(lines, self._limits.read_max_lines),
            max_tokens=room,
            count=cost_in_json(context.count, room, self._limits),
            mode=mode,
            marker=self._texts.gap,
        )


_FRAME = {
    "content": "",
    "returned_lines": 10**6,
    "truncated": True,
    "next": {"start_line": 10**9, "start_char": 10**9},
}
"""What stands around the content of a result, at its longest."""


def _next(shown: Clip, line: int, char: int) -> Result:
    """Return the arguments that go on after a clip of what begins at `line` and `char`."""
    if shown.next_line is None:
        return {}
    across = shown.next_char + (char if shown.next_line == 1 else 0)
    place = {"start_line": line + shown.next_line - 1}
    return {"next": {**place, "start_char": across} if across else place}


def _tell_of_links(name: str, file: BinaryIO) -> None:
    """Log that a file has names elsewhere: package managers do that honestly, so it is no error."""
    names = os.fstat(file.fileno()).st_nlink
    if names > 1:
        _log.warning("%s has %d hard links: what it holds may be of outside", name, names)
