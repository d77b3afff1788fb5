"""Patterns of a model: globs for names, regular expressions that can't hang or fill the memory."""

import fnmatch
import re
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import ToolFailed
from ..prompts.tools import ToolTexts

if TYPE_CHECKING:
    import regex

LONGEST = 500
_LARGEST = 20_000
"""Counted repeats are unrolled when a pattern is compiled: `((a{1000}){1000})` takes 275 MB."""
_REFUSED = re.compile(r"\(\?(?:#|R\)|[+-]?\d|&|P>|\(DEFINE|[A-Za-z0-9]*x)")
"""Recursion eats memory faster than time runs out; comments would hide what a repeat repeats."""
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{\s*(?P<least>\d+)[^}]*\}|.", re.DOTALL)
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_MOST_ALTERNATIVES = 64

Matches = Callable[[str], bool]
_Test = Callable[[str], object] | None


def expression(pattern: str, texts: ToolTexts) -> "regex.Pattern[str]":
    """Compile a regular expression. Raises ToolFailed for one that is invalid or too large."""
    import regex

    if len(pattern) > LONGEST or _REFUSED.search(pattern) or _size(pattern) > _LARGEST:
        raise ToolFailed(texts.too_complex, hint=texts.simpler)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return regex.compile(pattern)
    except (regex.error, ValueError, OverflowError, RecursionError) as error:
        problem = texts.bad_pattern.format(problem=str(error)[:120])
        raise ToolFailed(problem, hint=texts.bad_pattern_hint) from error


def _size(pattern: str) -> int:
    """Return how many items a pattern has once its counted repeats are written out."""
    groups, last = [0], 0
    for token in _TOKEN.finditer(pattern):
        text, least = token[0], token["least"]
        if text == "(":
            groups.append(0)
            last = 0
        elif text == ")" and len(groups) > 1:
            last = groups.pop()
            groups[-1] += last
        elif least:
            more = last * (min(int(least), 2 * _LARGEST) - 1)
            groups[-1] += max(more, 0)
            last += max(more, 0)
        elif text not in "*+?":
            last = 1
            groups[-1] += 1
    return sum(groups)


def too_many(pattern: str) -> bool:
    """Whether a glob is too long, or stands for too many others: not all would be tried."""
    return len(pattern) > LONGEST or any(map(_BRACES.search, _alternatives(pattern)))


def glob(pattern: str) -> Matches:
    """Return a test for paths: `*`, `?`, `[ab]`, `{a,b}` within a name, `**` for any folders.

    A pattern without a slash is about the name alone, in whatever folder.
    """
    tests = [_one_glob(each) for each in _alternatives(pattern)]
    return lambda path: any(test(path) for test in tests)


def _alternatives(pattern: str) -> list[str]:
    waiting, done = [pattern[:LONGEST]], list[str]()
    while waiting and len(done) + len(waiting) <= _MOST_ALTERNATIVES:
        each = waiting.pop()
        braces = _BRACES.search(each)
        if braces is None:
            done.append(each)
        else:
            options = braces[1].split(",")
            waiting += [each[: braces.start()] + o + each[braces.end() :] for o in options]
    return done + waiting


def _one_glob(pattern: str) -> Matches:
    names = [name for name in pattern.split("/") if name not in ("", ".")]
    if "/" not in pattern.strip("/"):
        names = ["**", *names]
    if pattern.endswith("/"):
        names.append("**")
    # One of several in a row says as much.
    names = [n for n, before in zip(names, ["", *names], strict=False) if n != "**" or before != n]
    tests: list[_Test] = [
        None if n == "**" else re.compile(fnmatch.translate(n)).match for n in names
    ]

    def matches(path: str) -> bool:
        places = _with_skipped({0}, tests)
        for name in path.split("/"):
            places = _with_skipped(_after(name, places, tests), tests)
        return len(tests) in places

    return matches


# A place is how many parts of a glob are matched; several may be open at once. So the time is
# names times parts, where backtracking would try every division of a path.
def _after(name: str, places: set[int], tests: list[_Test]) -> set[int]:
    after = set()
    for place in places - {len(tests)}:
        test = tests[place]
        if test is None:
            after.add(place)
        elif test(name):
            after.add(place + 1)
    return after


def _with_skipped(places: set[int], tests: list[_Test]) -> set[int]:
    """Add the places reached when a `**` stands for nothing."""
    for place, test in enumerate(tests):
        if test is None and place in places:
            places.add(place + 1)
    return places
