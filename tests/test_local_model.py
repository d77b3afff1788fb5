"""A real model behind llama.cpp's server: slow, and only where CHYAN_LOCAL_MODEL names a file.

CHYAN_LOCAL_TEMPLATE names a chat template. What holds with any model is tested, not its wit.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chyan_agent import local
from chyan_agent.rig import trial
from chyan_agent.rig.trial import Result, Trial
from chyan_agent.rig.wiretap import Wiretap, tapping

MODEL = os.environ.get("CHYAN_LOCAL_MODEL", "")
TEMPLATE = os.environ.get("CHYAN_LOCAL_TEMPLATE", "")
WINDOW, RESERVED = 2560, 256

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not MODEL, reason="set CHYAN_LOCAL_MODEL to the path of a GGUF file"),
]


@pytest.fixture(scope="module")
def tap() -> Iterator[Wiretap]:
    """Serve the model once for all tests."""
    template = local.template(TEMPLATE) if TEMPLATE else ""
    with (
        local.spawned(local.look(Path(MODEL)), window=WINDOW, template=template) as url,
        tapping(url) as tap,
    ):
        yield tap


@pytest.fixture
def real(tap: Wiretap, tmp_path: Path) -> Trial:
    """A trial of that model in a folder of its own."""
    return Trial(tap, tmp_path, WINDOW, RESERVED)


@pytest.mark.parametrize("part", [trial.tool_loop, trial.huge_texts, trial.limit_learnt])
def test_nothing_breaks_with_a_real_model(part: Callable[[Trial], Result], real: Trial) -> None:
    """No refusal for size but the one that teaches, no protocol error, no turn that fails."""
    result = part(real)
    assert result.held, (result.errors, result.tally)
    assert result.tally.largest < WINDOW


def test_answers_stream_and_the_prefix_is_cached(real: Trial) -> None:
    """Answers come in pieces, and the server reads again less than half of what is sent."""
    result = trial.small_talk(real)
    assert result.held, (result.errors, result.tally)
    assert result.passed and result.tally.streams == result.tally.requests
    assert result.tally.cached > result.tally.prompt / 2
