"""The end of a run: the plot, the report, and whether everything held."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from ..config import Config
from ..prompts import pick
from ..prompts.rig import RUN_EN, RUN_ZH
from ..start import command
from . import report
from .footprint import measure_parts
from .options import Options, Places
from .rows import read
from .scenarios.dialogue import ASKED
from .totals import Totals, gather

PARTS_FROM = 1000
"""Turns from which memory is measured part by part without being asked."""


@dataclass(frozen=True, slots=True)
class Summary:
    """How a run ended."""

    turns: int
    played: int
    failed: int
    """Checks that failed, but for evidence that was not sent: that is a measurement."""
    refused: int
    errors: int
    judged: bool
    """Whether a failed check counts: the model was ours."""

    @property
    def ok(self) -> bool:
        """Whether everything held; with a foreign model, that every turn had its answer."""
        whole = self.played == self.turns and not self.refused and not self.errors
        return whole and not (self.failed and self.judged)


def finish(options: Options, config: Config, turns: int, stream: TextIO, seconds: float) -> Summary:
    """Draw the plot, write the report, say how it went."""
    texts = pick(options.script.language, RUN_ZH, RUN_EN)
    stream.write(texts.plotting + "\n")
    totals = gather(read(options.places.rows))
    _draw(options.places, options.script.language)
    measured = options.parts or totals.turns >= PARTS_FROM
    parts = measure_parts() if measured else None
    text = report.write(_facts(options, config), totals, parts)
    options.places.report.write_text(text, encoding="utf-8")
    summary = _summary(totals, turns, judged=options.endpoint.offline)
    found = report.successes(totals, options.script.language)
    stream.write(" · ".join(f"{name} {ok}/{n}" for name, (n, ok) in found.items()) + "\n")
    done = texts.done.format(
        passed=totals.passed,
        turns=turns,
        refused=totals.refused if summary.judged else texts.refused,
        seconds=seconds,
        report=options.places.report,
    )
    stream.write(done + "\n")
    return summary


def _summary(totals: Totals, turns: int, *, judged: bool) -> Summary:
    asked, found = totals.scenarios.get(ASKED, (0, 0))
    failed = totals.turns - totals.passed - (asked - found)
    return Summary(
        turns=turns,
        played=totals.turns,
        failed=failed,
        refused=totals.refused,
        errors=totals.errors.total(),
        judged=judged,
    )


def _draw(places: Places, language: str) -> None:
    """Draw in a process of its own: matplotlib would stay in this one for good."""
    files = (str(path.resolve()) for path in (places.rows, places.plot))
    drawing = command("chyan_agent.rig.plot", *files, language)
    # (matplotlib would take its settings from the current folder)
    subprocess.run(drawing, check=True, cwd=Path(__file__).parent)


def _facts(options: Options, config: Config) -> report.Run:
    endpoint, context = options.endpoint, config.context
    return report.Run(
        language=options.script.language,
        command=options.command,
        seed=options.script.seed,
        strategy=context.strategy,
        model=config.llm.model,
        base_url=endpoint.base_url,
        loss=endpoint.loss,
        limit=context.context_limit,
        reserved=context.reserved_tokens,
        judged=endpoint.offline,
    )
