"""The wiretap counts what the endpoint said; the trial holds with a model that plays by rule."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from chyan_agent.build import build
from chyan_agent.offline import Fault, serving
from chyan_agent.rig import trial
from chyan_agent.rig.trial import Trial
from chyan_agent.rig.wiretap import Wiretap, tapping

from . import source
from .agents import configured


def talk(tap: Wiretap, folder: Path, text: str = "what is 2+3?") -> None:
    """Ask once through the wiretap, whatever comes of it."""
    with build(configured(folder, tap.url)) as agent:
        trial.ask(agent, text)


def test_an_answer_is_counted(tmp_path: Path) -> None:
    """Requests, streams and the endpoint's own token counts are summed up."""
    with serving() as url, tapping(url) as tap:
        talk(tap, tmp_path)
        tally = tap.fresh()
    assert (tally.requests, tally.streams, tally.overflows, tally.errors) == (1, 1, [], [])
    assert tally.largest == tally.prompt > 100 and tally.completion > 0
    assert tap.fresh().requests == 0


def test_a_refusal_for_size_is_told_apart(tmp_path: Path) -> None:
    """A request over the window is an overflow, every other refusal an error."""
    with serving(limit=1500) as url, tapping(url) as tap:
        talk(tap, tmp_path)
        assert tap.fresh().overflows
    with serving(models=("other",)) as url, tapping(url) as tap:
        talk(tap, tmp_path / "b")
        tally = tap.fresh()
    assert not tally.overflows and "404 model_not_found" in tally.errors[0]


def test_an_answer_that_breaks_off_is_an_error(tmp_path: Path) -> None:
    """A stream that ends in its middle, or a server that is gone, is counted as such."""

    def cut(number: int, body: Mapping[str, Any]) -> Fault | None:
        return Fault(cut_after=1)

    with serving(faults=cut) as url, tapping(url) as tap:
        talk(tap, tmp_path)
        assert "broken off" in tap.fresh().errors[0]
    with tapping(url) as tap:
        talk(tap, tmp_path / "b")
        assert "no answer" in tap.fresh().errors[0]


@pytest.mark.parametrize(
    "part", [trial.tool_loop, trial.huge_texts, trial.limit_learnt, trial.small_talk]
)
def test_every_part_of_the_trial_holds(part: Any, tmp_path: Path) -> None:
    """With an endpoint that counts for itself nothing is refused that should not be."""
    with serving(limit=3072) as url, tapping(url) as tap:
        result = part(Trial(tap, tmp_path, window=3072, reserved=320, model="chyan-offline"))
    assert result.held, (result.errors, result.tally)
    assert result.tally.requests and result.notes


def test_what_must_not_be_shows_in_the_result(tmp_path: Path) -> None:
    """A part does not hold when a turn fails, or more is refused than may be."""
    with serving(limit=3072, models=("other",)) as url, tapping(url) as tap:
        result = trial.small_talk(Trial(tap, tmp_path, window=3072, reserved=320, model="x"))
    assert not result.held and "404" in result.errors[0]


def test_the_check_prints_a_table(tmp_path: Path) -> None:
    """The script ends with 0 and one line of figures for each part."""
    script = str(source.ROOT / "scripts" / "local_check.py")
    with serving(limit=4000) as url:
        done = subprocess.run(
            [sys.executable, script, "--base-url", url, "--model", "chyan-offline"]
            + ["--limit", "4000", "--turns", "3", "--parts", "talk", "run"]
            + ["--output", str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
    rows = [line for line in done.stdout.splitlines() if line.startswith("| s")]
    assert (done.returncode, len(rows)) == (0, 2), done.stdout + done.stderr
    assert "| 3/3 |" in rows[1]
