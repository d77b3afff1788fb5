"""Patterns that are compiled late are patterns like any other."""

import gc
import importlib
import re

import pytest

from chyan_agent.late import Late

from . import source


def test_every_pattern_compiles() -> None:
    """A slip in a pattern shows here, not at its first use by somebody."""
    for path in source.modules():
        if not source.name(path).endswith("__main__.py"):
            importlib.import_module(".".join(path.relative_to(source.ROOT).with_suffix("").parts))
    found = [one for one in gc.get_objects() if isinstance(one, Late)]
    assert len(found) > 150
    for pattern in found:
        pattern.made()


@pytest.mark.parametrize("again", [1, 2])
def test_it_does_what_re_does(again: int) -> None:
    """Before and after it was compiled each method gives what the pattern gives."""
    text, plain = "a1b22 C3", re.compile(r"[a-c]\d+", re.IGNORECASE)
    uses = (
        lambda p: p.search(text, 2)[0],
        lambda p: p.match(text)[0],
        lambda p: p.fullmatch(text),
        lambda p: [m.span() for m in p.finditer(text)],
        lambda p: p.findall(text),
        lambda p: p.sub("x", text, 1),
        lambda p: p.subn("x", text),
        lambda p: p.split(text),
    )
    for use in uses:
        late = Late(r"[a-c]\d+", re.IGNORECASE)
        for _ in range(again):
            found = use(late)
        assert found == use(plain)
