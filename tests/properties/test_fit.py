"""fit() is total: whatever was said, every request is within its window, and whole."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chyan_agent.budget import Budget, CountTokens, Meter
from chyan_agent.form import Form
from chyan_agent.model import Schema
from chyan_agent.prompts import core, tools
from chyan_agent.state import State
from chyan_agent.window import Frame, Window, fit

from ..toolbox import Desk
from ..vocabularies import FAMILIES, family_counter
from .conftest import TALLY
from .histories import history
from .laws import broken, broken_as_text, recount

QUICK = dict.fromkeys(FAMILIES, 475) | {"deepseek": 100}
MANY = {"o200k_base": 18_000, "cl100k_base": 18_000, "qwen": 18_000}
MANY |= {"deepseek": 2_000, "bytes": 44_000}
"""Histories in every run of the tests, 2,000, and in a full one, 100,000; more of what counts
quickly: bytes take half the time of the others, DeepSeek's library five times as much."""
CHUNK = 1_000
FORMS = (Form(), Form(), Form(reasoning=True), Form(text_calls=True))
LOW, HIGH = 2_000, 32_000
"""Limits of the windows."""
LEAST = 300
"""Tokens beside the fixed cost with which the law holds; a smaller window is refused earlier."""
TINY: tuple[Schema, ...] = ({"type": "function", "function": {"name": "read"}},)


class Remembering:
    """A counter that counts a text once: the histories share their texts."""

    def __init__(self, count: CountTokens) -> None:
        self._count = count
        self._known: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        known = self._known.get(text)
        if known is None:
            if len(self._known) > 20_000:
                self._known.clear()
            known = self._known[text] = self._count(text)
        return known


class Trials:
    """Judges histories with one counter: with a tiny prompt, and with the real ones."""

    def __init__(self, family: str, folder: Path) -> None:
        self.count = Remembering(family_counter(family))
        self.ways = [
            (meter, frame)
            for meter in (Meter(self.count, form=form) for form in FORMS)
            for frame in frames(folder / family, meter)
        ]

    def __call__(self, rng: random.Random) -> float:
        """Judge one history in any window that it is possible in; return the seconds of fit."""
        state = history(rng)
        limit = int(LOW * (HIGH / LOW) ** rng.random() ** 2)
        reserved = int(limit * rng.uniform(0.05, 0.5))
        able = [way for way in self.ways if limit - reserved - way[1].fixed >= LEAST]
        meter, frame = rng.choice(able)
        cap = int((limit - reserved - frame.fixed) * 0.3)
        budget = Budget(limit, reserved, frame.fixed, cap)
        began = time.perf_counter()
        window = fit(state, budget, frame, meter)
        took = time.perf_counter() - began
        self.judge(state, window, budget, meter, frame)
        return took

    def judge(
        self, state: State, window: Window, budget: Budget, meter: Meter, frame: Frame
    ) -> None:
        """Check every law of a window."""
        assert window.ledger.total <= budget.limit - budget.reserved
        tokens = recount(window.messages, frame.tools, self.count)
        if meter.form.text_calls:
            # Messages that were joined have one frame fewer than was counted.
            assert tokens <= window.ledger.total
            assert list(broken_as_text(state, window.messages)) == []
        else:
            assert tokens == window.ledger.total
            assert list(broken(state, window.messages, frame.texts)) == []


def frames(folder: Path, meter: Meter) -> Iterator[Frame]:
    """Yield a tiny prompt and the real ones with the real tools."""
    yield Frame.of("be brief", TINY, core.EN, meter)
    for said, shown in ((core.ZH, tools.ZH), (core.EN, tools.EN)):
        with Desk(folder / said.language, texts=shown) as desk:
            yield Frame.of(said.system, desk.tools.schemas, said, meter)


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Trials]]:
    """Yield the trials by family, each made when it is first needed."""
    folder = tmp_path_factory.mktemp("desks")

    class Made(dict[str, Trials]):
        def __missing__(self, family: str) -> Trials:
            self[family] = trials = Trials(family, folder)
            return trials

    yield Made()


def judge(trials: Trials, family: str, seeds: range) -> None:
    """Judge a history for every seed, and count them for the closing line."""
    for seed in seeds:
        try:
            took = trials(random.Random(seed))
        except BaseException as error:
            error.add_note(f"family {family}, seed {seed}")
            raise
        TALLY.add(family, seed, took)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_request_is_within_its_window_and_whole(
    family: str, desks: dict[str, Trials]
) -> None:
    """Within the limit by a recount, calls paired, the question there, handles at every cut."""
    judge(desks[family], family, range(QUICK[family]))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("family", "start"),
    [(family, start) for family in FAMILIES for start in range(QUICK[family], MANY[family], CHUNK)],
)
def test_a_hundred_thousand_requests_are_within_their_windows(
    family: str, start: int, desks: dict[str, Trials]
) -> None:
    """The same law, for as many histories as it takes to believe it."""
    judge(desks[family], family, range(start, min(start + CHUNK, MANY[family])))


@given(rng=st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_the_law_holds_where_hypothesis_looks(rng: random.Random, desks: dict[str, Trials]) -> None:
    """The same law with histories that Hypothesis chooses, and makes small when one breaks it."""
    desks["bytes"](rng)
