"""Laws of the plot and the report: readable anywhere, and nothing rounded up."""

import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from chyan_agent.budget import Ledger
from chyan_agent.model import Usage
from chyan_agent.prompts import Language
from chyan_agent.rig.plot import FAMILY, FONT, characters, draw
from chyan_agent.rig.report import Run, share, write
from chyan_agent.rig.rows import Cost, Ran, Row, Sent, Shrunk, Verdict
from chyan_agent.rig.scenarios.rounds import Rounds
from chyan_agent.rig.series import gather, smooth
from chyan_agent.rig.totals import gather as total


def rows(turns: int) -> Iterator[Row]:
    """Yield made-up rows: two requests a turn, a compaction in every tenth."""
    book = Rounds(turns)
    for turn in range(1, turns + 1):
        size = 1000 + turn % 10 * 400
        ledger = Ledger(10000, 3500, system=250, tools=700, summary=300, recent=size, current=60)
        sent = tuple(
            Sent(step, ledger, Usage(ledger.total - 1, 20, ledger.total // 2)) for step in (1, 2)
        )
        yield Row(
            turn=turn,
            scenario=book.at(turn - 1).scenario,
            round=book.at(turn - 1).round,
            text="a | b",
            answer="c",
            verdict=Verdict(True) if turn % 50 != 7 else Verdict(False, "answer lacks 12"),
            requests=sent,
            tools=(Ran("read", turn % 9 != 0, 0.001),),
            compactions=(Shrunk((1, 2), 3000, 300, 4, 5),) if turn % 10 == 0 else (),
            cost=Cost(0.02, 0.015, 100 + turn / 100, 120),
        )


def test_the_font_holds_every_character_of_the_texts() -> None:
    """No box is ever drawn instead of a character, with no font but ours on the machine."""
    known = TTFont(FONT).getBestCmap()
    assert [c for c in characters() if ord(c) not in known] == []


def test_the_font_has_its_own_name_and_its_licence() -> None:
    """The licence asks that a modified font carry no reserved name, and that it come along."""
    names = TTFont(FONT)["name"]
    assert names.getDebugName(1) == FAMILY
    assert not any("Noto" in str(names.getDebugName(n)) for n in (1, 3, 4, 6))
    licence = (FONT.parent / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "Copyright" in licence
    assert FONT.stat().st_size < 64_000


@pytest.mark.parametrize(("turns", "language"), [(100, "zh"), (1000, "en")])
def test_a_plot_is_drawn_without_a_warning(tmp_path: Path, turns: int, language: Language) -> None:
    """Short and long runs, both languages; a missing glyph would be a warning."""
    picture = tmp_path / "p.png"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw(gather(rows(turns)), picture, language)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_an_empty_run_has_a_plot_and_a_report(tmp_path: Path) -> None:
    """A run that was cut before its first row is no crash."""
    draw(gather([]), tmp_path / "p.png")
    assert "| 全部" not in write(Run(), total([]))


def test_thinning_keeps_the_largest_request() -> None:
    """In a long run the peaks are what matters."""
    series = gather(rows(1000))
    thin = series.thinned(300)
    assert len(thin) <= 300
    assert max(bar.total for bar in thin) == max(bar.total for bar in series.bars)
    assert (thin[0].start, thin[-1].end) == (0.0, 1000.0)
    assert gather(rows(20)).thinned(300) == gather(rows(20)).bars


def test_scenarios_are_bands_without_gaps() -> None:
    """The bands of a run cover it from its first turn to its last."""
    bands = gather(rows(250)).bands
    assert [b.end for b in bands[:-1]] == [b.start for b in bands[1:]]
    assert (bands[0].start, bands[-1].end, len(bands)) == (0, 250, 9)


def test_a_moving_mean_starts_with_what_there_is() -> None:
    """The first values have fewer before them."""
    assert smooth([2.0, 4.0, 6.0, 8.0], 2) == [2.0, 3.0, 5.0, 7.0]


def test_a_share_is_never_rounded_up() -> None:
    """999 of 1000 are not all."""
    assert [share(9999, 10000), share(1, 1), share(2, 3), share(0, 0)] == [
        "99.9%", "100.0%", "66.6%", "-",
    ]  # fmt: skip


def test_the_report_says_what_held_and_what_did_not() -> None:
    """Success by scenario, the failed checks, the window, the ends of the run, memory."""
    run = Run(language="en", command="run", limit=10000, reserved=3500, loss=0.3)
    text = write(run, total(rows(300)), {"python": 12.0, "openai": 50.5})
    assert "| linear | 90 | 87 | 96.6% |" in text
    assert "| all | 300 | 294 | 98.0% |" in text
    assert "| 7 | linear | a \\| b | c | answer lacks 12 |" in text
    assert "| largest request (tokens) | 5,910 |" in text
    assert "| counting error: ours minus the endpoint's (least / most) | +1 / +1 |" in text
    assert "| overhead in the last 100 turns, median / mean (ms) | 5.00 / 5.00 |" in text
    assert "| change since turn 200, least / most (MB) | +0.0 / +1.0 |" in text
    assert "| openai | 38.5 | 50.5 |" in text
    assert "| requests refused by the judge | 0 |" in text


def test_an_external_endpoint_and_evidence_are_said_plainly() -> None:
    """Nobody judged; questions with evidence are no scenario of success."""
    asked = [
        replace(r, scenario="question", verdict=Verdict(r.turn > 5, "x", share=r.turn / 8 - 0.25))
        for r in rows(8)
    ]
    text = write(Run(language="en", base_url="http://h/v1", judged=False), total(asked))
    assert "| requests refused by the judge | no judge |" in text
    assert "for 3 of 8 (37.5%)" in text
    assert "for 7 (87.5%) a passage" in text
    assert "| questions | 8 |" not in text


def test_errors_and_recovered_turns_are_counted() -> None:
    """A turn that was judged after a crash has no measurements to spoil the means."""
    bad = [
        replace(next(rows(1)), verdict=Verdict(False, "400", "ModelRefused")),
        replace(next(rows(1)), turn=2, verdict=Verdict(True, recovered=True), requests=()),
    ]
    text = write(Run(language="en"), total(bad))
    assert "| turns without an answer | ModelRefused × 1 |" in text
    assert "ModelRefused: 400" in text
    assert "| turns judged after a crash (not measured) | 1 |" in text
