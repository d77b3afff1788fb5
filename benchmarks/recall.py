"""How well recall finds the evidence: any folder of sets, our engines, the article's as baseline.

A question whose evidence is not in its store is left out and counted. An item with a session is a
turn of it; one without stands alone, like a note.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from recall_data import Item, Question, Skipped, World, said, sets, stores
from recall_metrics import DEPTH, METRICS, Scores, means, scored, session_hits
from recall_tables import ablation_table, kinds_table, main_table

from chyan_agent.memory.followups import expanded
from chyan_agent.memory.index import ENGINES, FIELDS, Document, Engine, Kind, Query
from chyan_agent.memory.index.make import make_index

BASELINE: Engine = "classic"
Row = tuple[str, Scores]
"""A question's kind and its metrics."""


@dataclass(frozen=True, slots=True)
class Setup:
    """An engine and what it scores by."""

    engine: Engine
    fields: tuple[str, ...] = FIELDS
    segmenter: str = "jieba"


def document(item: Item) -> Document:
    """Return an item as the index takes it."""
    kind: Kind = "turn" if item.session else "note"
    return Document(item.text, item.time, item.speaker, item.session, kind)


def query(question: Question) -> Query:
    """Return a question as the index takes it."""
    return Query(question.text, question.now, expanded(question.text, question.context))


def rows(world: World, setup: Setup) -> Iterator[Row]:
    """Yield kind and metrics of each question of a store that has evidence."""
    index = make_index(setup.engine, segmenter=setup.segmenter, use=setup.fields)
    for item in world.items:
        index.add(document(item))
    for question in world.questions:
        if not question.relevant:
            continue
        found = index.search(query(question), DEPTH, told=world.told)
        ranking = [world.items[number] for number, _ in found]
        metrics = scored(ranking, question.relevant)
        yield question.kind, metrics | session_hits(ranking, question.relevant, world.items)


@dataclass(slots=True)
class Measured:
    """What came of a file, or of the files of a set."""

    rows: list[Row] = field(default_factory=list)
    left_out: int = 0
    """Questions without evidence in their store."""
    items: int = 0
    seconds: float = 0.0
    skipped: list[Skipped] = field(default_factory=list)

    def add(self, other: "Measured") -> None:
        """Take in what came of another file."""
        self.rows += other.rows
        self.left_out += other.left_out
        self.items += other.items
        self.seconds += other.seconds
        self.skipped += other.skipped


def file_rows(path: Path, setup: Setup) -> Measured:
    """Measure a file; what is no store is passed over and told."""
    began, found = time.process_time(), Measured()
    for world in stores(path):
        if isinstance(world, Skipped):
            found.skipped.append(world)
            continue
        found.rows += rows(world, setup)
        found.left_out += sum(not question.relevant for question in world.questions)
        found.items += len(world.items)
    found.seconds = time.process_time() - began
    return found


def measured(name: str, files: Sequence[Path], setup: Setup, pool: ProcessPoolExecutor) -> Measured:
    """Measure a set, its files side by side; the order of the rows is that of the files."""
    found = Measured()
    for one in pool.map(file_rows, files, [setup] * len(files)):
        found.add(one)
    note = f", {found.left_out} without evidence left out" if found.left_out else ""
    note += f", lines skipped: {len(found.skipped)}" if found.skipped else ""
    said(
        f"{name}: {setup.engine}: {found.items} items, {len(found.rows)} questions{note}, "
        f"{found.seconds:.1f} s CPU"
    )
    return found


def chosen_fields(text: str) -> tuple[str, ...]:
    """Return the fields that `-time,-neighbours` leaves, or those that `words,time` names."""
    named = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in named if name.removeprefix("-") not in FIELDS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no field {', '.join(unknown)}; there are: {FIELDS}")
    without = {name[1:] for name in named if name.startswith("-")}
    only = {name for name in named if not name.startswith("-")} or set(FIELDS)
    return tuple(name for name in FIELDS if name in only - without)


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder of sets, or one set")
    parser.add_argument("--set", action="append", default=[], help="this set alone; repeatable")
    parser.add_argument("--engine", choices=ENGINES, default="fields")
    parser.add_argument(
        "--fields",
        type=chosen_fields,
        default=FIELDS,
        metavar="-time,-neighbours",
        help=f"without these, or with those alone: {' '.join(FIELDS)}",
    )
    parser.add_argument("--segmenter", choices=("jieba", "builtin"), default="jieba")
    parser.add_argument("--alone", action="store_true", help="don't run the classic engine too")
    parser.add_argument("--ablation", action="store_true", help="also without each field in turn")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write {set: {metric: percent}}")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    return parser.parse_args(list(_with_minus(given)))


def _with_minus(given: Sequence[str]) -> Iterator[str]:
    """Tie `--fields` to its value: argparse takes -time for an option of its own."""
    rest = iter(given)
    for argument in rest:
        yield f"--fields={next(rest, '')}" if argument == "--fields" else argument


def main() -> None:
    """Print Markdown tables."""
    options = arguments(sys.argv[1:])
    try:
        found = sets(options.data, options.set)
    except OSError as error:
        sys.exit(f"recall.py: {error}")
    if options.json and not options.json.absolute().parent.is_dir():
        sys.exit(f"recall.py: no folder for {options.json}")
    setup = Setup(cast("Engine", options.engine), options.fields, options.segmenter)
    setups = {options.engine: setup}
    if not options.alone:
        setups = {BASELINE: Setup(BASELINE)} | setups
    if options.ablation:
        without = {f"-{name}": tuple(f for f in setup.fields if f != name) for name in setup.fields}
        setups |= {n: Setup(setup.engine, f, setup.segmenter) for n, f in without.items()}
    with ProcessPoolExecutor(max(1, options.jobs)) as pool:
        measures = {
            name: {title: measured(name, files, one, pool) for title, one in setups.items()}
            for name, files in found.items()
        }
    skipped = [one for by in measures.values() for one in by[options.engine].skipped]
    results = judged(measures, skipped)
    report(results, options.engine, options.ablation)
    if skipped:
        print(f"\nLines skipped, as they are no store: {len(skipped)}")
    if options.json:
        figures = {name: metrics(by_setup[options.engine]) for name, by_setup in results.items()}
        options.json.write_text(json.dumps(figures, ensure_ascii=False, indent=2) + "\n", "utf-8")


def judged(
    measures: Mapping[str, Mapping[str, Measured]], skipped: Sequence[Skipped]
) -> dict[str, dict[str, list[Row]]]:
    """Say what was skipped; return the rows of each set and setup, or end if there is none."""
    for one in skipped:
        said(f"skipped {one}")
    results = {name: {t: one.rows for t, one in by.items()} for name, by in measures.items()}
    if skipped and not any(rows for by in results.values() for rows in by.values()):
        sys.exit(f"recall.py: nothing to judge, lines that are no store: {len(skipped)}")
    return results


def metrics(found: Sequence[Row]) -> Scores:
    """Return the metrics of a set in percent, none if it has no question."""
    overall = means([scores for _, scores in found])
    return {name: round(overall[name], 2) for name in METRICS if name in overall}


def report(results: dict[str, dict[str, list[Row]]], engine: str, ablation: bool) -> None:
    """Print the tables."""
    compared = BASELINE if all(BASELINE in by for by in results.values()) else engine
    print(main_table(results, engine, compared))
    print()
    print(kinds_table(results, engine, compared))
    if ablation:
        print()
        print(ablation_table(results, engine))


if __name__ == "__main__":
    main()
