"""context_usage.png: what every request held, against the limit. The one home of matplotlib.

    python -m chyan_agent.rig.plot output/turns_log.jsonl output/context_usage.png zh

A process of its own draws it, so that the agent's process never holds a plotting library.
"""

import sys
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..prompts import Language, pick
from ..prompts.plot import EN, ZH, PlotTexts
from .rows import read
from .series import ZONES, Series, gather, smooth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FAMILY = "Chyan Plot Sans"
FONT = Path(__file__).parent / "fonts" / "chyan-plot-sans.otf"
COLOURS = {
    "system": "#5b6b7f",
    "tools": "#9aa8b8",
    "summary": "#e3a83b",
    "recent": "#4f9d8f",
    "current": "#3d6fb4",
    "compacting": "#b9a3cf",
}
SHADES = {
    "linear": "#eef3fb",
    "dependency": "#fdf3e3",
    "memory_recall": "#eaf6ee",
    "dialogue": "#eef3fb",
    "question": "#eaf6ee",
}
LIMIT, RAW, INK = "#c0392b", "#8e44ad", "#33393f"
MOST_BARS = 1200
"""Requests that are drawn one by one; more are thinned."""
LABEL_SHARE = 0.08
"""The least share of the width that a scenario needs to carry its name."""
STYLE: dict[Any, Any] = {
    "font.family": FAMILY,
    "font.size": 10,
    "axes.unicode_minus": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#b8bec6",
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


def characters() -> str:
    """Return every character that the plot may need in either language."""
    texts = "".join(astuple(ZH) + astuple(EN))
    return "".join(sorted({chr(code) for code in range(0x20, 0x7F)} | set(texts) | set("…·−×")))


def draw(series: Series, path: Path, language: Language = "zh") -> None:
    """Draw the curves into a PNG file. Raises OSError."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.font_manager import fontManager

    texts = pick(language, ZH, EN)
    fontManager.addfont(FONT)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(13, 9), dpi=130, layout="constrained")
        FigureCanvasAgg(figure)
        top, middle, bottom = figure.subplots(3, 1, sharex=True, height_ratios=[5, 2.6, 1.4])
        turns = series.turns[-1] if series.turns else 0
        title = texts.title.format(limit=f"{series.limit:,}", turns=f"{turns:,}")
        figure.suptitle(title, fontsize=14)
        _zones(top, series, texts)
        _cumulative(middle, series, texts)
        _cached(bottom, series, texts)
        for axes in (top, middle, bottom):
            _bands(axes, series)
        _names(top, series, texts)
        figure.align_ylabels()
        figure.savefig(path)


def _zones(axes: "Axes", series: Series, texts: PlotTexts) -> None:
    """Stack the zones of each request below the limit."""
    bars = series.thinned(MOST_BARS)
    places = [x for bar in bars for x in (bar.start, bar.end)]
    layers = [[bar.zones[n] for bar in bars for _ in (0, 1)] for n in range(len(ZONES))]
    names = [getattr(texts, zone) for zone in ZONES]
    axes.stackplot(places, *layers, labels=names, colors=[COLOURS[z] for z in ZONES], lw=0)
    axes.axhline(series.limit, color=LIMIT, lw=1.6, label=texts.limit)
    axes.axhline(
        series.limit - series.reserved, color=LIMIT, lw=1.2, ls=(0, (5, 3)), label=texts.allowed
    )
    if series.compactions:
        row = [series.limit * 1.035 - series.reserved] * len(series.compactions)
        size = 34 if len(row) < 60 else 12
        axes.scatter(
            series.compactions, row, marker="v", s=size, color=INK, lw=0, label=texts.compaction
        )
    axes.set_ylim(0, max(series.limit, 1) * 1.12)
    axes.set_ylabel(texts.per_request)
    _thousands(axes)
    _legend(axes, reverse=True)


def _cumulative(axes: "Axes", series: Series, texts: PlotTexts) -> None:
    """Set what was said so far against what was sent."""
    bars = series.thinned(MOST_BARS)
    places = [x for bar in bars for x in (bar.start, bar.end)]
    sent = [bar.total for bar in bars for _ in (0, 1)]
    axes.plot(series.turns, series.raw, color=RAW, lw=2, label=texts.raw)
    axes.plot(places, sent, color=COLOURS["current"], lw=0.8, label=texts.window)
    axes.axhline(series.limit, color=LIMIT, lw=1.6, label=texts.limit)
    axes.set_ylim(0, max([series.limit, 1, *series.raw]) * 1.08)
    axes.set_ylabel(texts.cumulative)
    _thousands(axes)
    _legend(axes)


def _cached(axes: "Axes", series: Series, texts: PlotTexts) -> None:
    """Show which share of the prompt the endpoint had in its cache."""
    width = max(len(series.turns) // 20, 1)
    colour = COLOURS["recent"]
    axes.plot(series.turns, series.cached, color=colour, lw=0.7, alpha=0.45, label=texts.cached)
    if width > 1:
        means = smooth(series.cached, width)
        axes.plot(series.turns, means, color=colour, lw=1.8, label=texts.cached_mean)
    axes.set_ylim(0, 105)
    axes.yaxis.set_major_formatter("{x:.0f}%")
    axes.set_ylabel(texts.cached)
    axes.set_xlabel(texts.turn)
    axes.set_xlim(0, series.turns[-1] if series.turns else 1)
    _legend(axes)


def _bands(axes: "Axes", series: Series) -> None:
    """Shade the scenarios behind everything."""
    axes.set_axisbelow(True)
    axes.grid(axis="y", color="#d5dae0", lw=0.6)
    for band in series.bands:
        shade = SHADES.get(band.scenario, "#f4f4f4")
        axes.axvspan(band.start, band.end, color=shade, lw=0, zorder=-2)
        axes.axvline(band.end, color="#c9ced5", lw=0.6, zorder=-1)


def _names(axes: "Axes", series: Series, texts: PlotTexts) -> None:
    """Write the scenarios' names above the limit; of a long run, only its first round's."""
    if not series.bands:
        return
    whole = series.bands[-1].end
    wide = all(b.end - b.start >= LABEL_SHARE * whole for b in series.bands)
    y = series.limit * 1.055
    for band in series.bands if wide else ():
        name = getattr(texts, band.scenario, band.scenario)
        axes.text((band.start + band.end) / 2, y, name, ha="center", va="center", fontsize=11)
    if not wide:
        from matplotlib.patches import Patch

        seen = dict.fromkeys(band.scenario for band in series.bands)
        patches = [
            Patch(facecolor=SHADES.get(s, "#f4f4f4"), edgecolor="#c9ced5",
                  label=getattr(texts, s, s))
            for s in seen
        ]  # fmt: skip
        shades = axes.legend(
            handles=patches, loc="upper center", ncols=len(seen), frameon=False,
            bbox_to_anchor=(0.5, 1.01), borderpad=0,
        )  # fmt: skip
        axes.add_artist(shades)
        _legend(axes, reverse=True)


def _legend(axes: "Axes", *, reverse: bool = False) -> None:
    axes.legend(
        loc="upper left", bbox_to_anchor=(1.005, 1.0), frameon=False, reverse=reverse,
        borderaxespad=0, handlelength=1.6,
    )  # fmt: skip


def _thousands(axes: "Axes") -> None:
    from matplotlib.ticker import FuncFormatter

    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def main(arguments: list[str]) -> None:
    """Draw: rows, picture, language."""
    rows, picture, language = arguments
    draw(gather(read(Path(rows))), Path(picture), "zh" if language == "zh" else "en")


if __name__ == "__main__":
    main(sys.argv[1:])
