"""Tool results as lines that can be searched and quoted: not JSON with its escapes."""

import json
from collections.abc import Iterator

from ..jsontext import parsed

DEEPEST = 3
"""Levels of a result that are looked into."""
_MAIN = frozenset({"content", "text", "lines", "matches", "files", "hits", "results", "output"})
"""Fields that say by themselves what they are."""


def readable(content: str) -> str:
    """Return the texts of a JSON object, a line each; any other content as it is."""
    if not content.lstrip().startswith("{"):
        return content
    value = parsed(content)
    lines = "\n".join(_lines(value, 0)) if isinstance(value, dict) else ""
    return lines or content


def _lines(value: object, level: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif level > DEEPEST:
        yield json.dumps(value, ensure_ascii=False)
    elif isinstance(value, list):
        for item in value:
            yield from _lines(item, level + 1)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _field(str(key), part, level)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _field(key: str, part: object, level: int) -> Iterator[str]:
    told = list(_lines(part, level + 1))
    if key in _MAIN or len(told) != 1:
        yield from told
    else:
        yield f"{key}: {told[0]}"
