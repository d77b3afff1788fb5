"""A real conversation as a book: everything that was said, then the questions about it.

The file holds one store a line, `{"corpus": [{"id", "text", "time"?, "speaker"?}], "queries":
[{"id", "text", "relevant": [ids]}]}`. A question's check is whether the text of its evidence stood
in the final request; whether it was answered well is not judged.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from ...errors import ConfigError
from ...prompts import errors_rig as say
from ..checks import Answered, EvidenceSent
from . import TurnSpec

TOLD, ASKED = "dialogue", "question"
"""The names of the two scenarios."""
Fields = Mapping[str, Any]


class Dialogue:
    """The first `most` things that were said (0: all), then the questions that they can answer."""

    def __init__(self, store: Fields, *, most: int = 0) -> None:
        said = store["corpus"][: most or None]
        texts = {str(item["id"]): str(item["text"]) for item in said}
        self._specs = [TurnSpec(_told(item), Answered(), TOLD) for item in said if _told(item)]
        for query in store["queries"]:
            evidence = tuple(texts[i] for i in map(str, query["relevant"]) if i in texts)
            if evidence:
                self._specs.append(TurnSpec(str(query["text"]), EvidenceSent(evidence), ASKED))

    @property
    def turns(self) -> int:
        """How many turns there are."""
        return len(self._specs)

    def at(self, index: int) -> TurnSpec:
        """Return turn number `index` + 1."""
        return self._specs[index]


def _told(item: Fields) -> str:
    """Return what was said, after its time and its speaker where they are known."""
    text = str(item["text"]).strip()
    speaker, time = item.get("speaker"), item.get("time")
    named = f"{speaker}: {text}" if text and speaker else text
    return f"[{time}] {named}" if named and time else named


def load(path: Path, *, line: int = 1, most: int = 0) -> Dialogue:
    """Read line `line` (from 1) of a file. Raises ConfigError for anything that is no store."""
    try:
        with path.open(encoding="utf-8") as lines:
            text = next((t for n, t in enumerate(lines, start=1) if n == line), None)
        if text is None:
            raise ConfigError(say.NO_LINE.of(path=path, line=line), hint=say.NO_LINE_HINT)
        return Dialogue(cast("Fields", json.loads(text)), most=most)
    except OSError as error:
        unread = say.NO_DIALOGUE.of(path=path, reason=error.strerror)
        raise ConfigError(unread, hint=say.NO_DIALOGUE_HINT) from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        other = say.NOT_A_DIALOGUE.of(line=line, path=path, error=repr(error))
        raise ConfigError(other, hint=say.NOT_A_DIALOGUE_HINT) from error
