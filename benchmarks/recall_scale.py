"""What the memory's search costs from 100 to 1,000,000 items, and what others cost beside it.

Made-up talk of dictionary words by their frequency, some with identifiers; the others get the
very tokens that our engine makes of it, and their figures leave out making them. Each engine and
size runs in a process of its own. CPU times, medians.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path
from statistics import median, quantiles

import recall_open
from recall_data import said
from recall_rivals import NEEDS, OURS, Rival, make, missing, resident

from chyan_agent.memory.index.fields import cutter, fields_of

SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
MOST = {"fields": 100_000, "rank_bm25": 100_000, "bm25s": 100_000}
"""Sizes beyond which an engine is left out unless asked for: hours, or all the memory."""
SEED = 5
WORDS = 16
"""Words of an item, on average."""
TOP = 10
QUERIES = 60
ADDS = 30
REBUILDS = 2
"""Additions that are measured where each one builds everything anew."""
Figures = dict[str, dict[str, dict[str, float]]]
"""By size and engine."""
_CUT = cutter("jieba")


def vocabulary() -> tuple[list[str], list[int]]:
    """Return the words of jieba's dictionary and the running sums of their frequencies."""
    import jieba

    tokenizer = jieba.Tokenizer()
    known, _ = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    words = [word for word, often in known.items() if often > 2 and len(word) > 1]
    return words, list(accumulate(known[word] for word in words))


def texts(size: int) -> Iterator[str]:
    """Yield made-up items, the same each time."""
    words, sums = vocabulary()
    chance = random.Random(SEED)
    for number in range(size):
        length = chance.randint(WORDS // 2, WORDS * 3 // 2)
        chosen = chance.choices(words, cum_weights=sums, k=length)
        if number % 7 == 0:
            chosen.insert(length // 2, f"，编号 REF-{number:06} ")
        yield "".join(chosen) + "。"


def tokens_of(text: str) -> list[str]:
    """Return the tokens that all engines get."""
    return fields_of(text, _CUT).words


def write_corpus(path: Path, size: int) -> None:
    """Write text and tokens of each item; more than are built, for the additions."""
    with path.open("w", encoding="utf-8") as file:
        for text in texts(size + ADDS):
            file.write(json.dumps([text, tokens_of(text)], ensure_ascii=False) + "\n")


def corpus(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield text and tokens of each item."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            text, tokens = json.loads(line)
            yield text, tokens


def questions(path: Path, size: int) -> list[tuple[str, list[str]]]:
    """Return questions of two to four words that stand in one item."""
    chance = random.Random(SEED)
    step = max(1, size // QUERIES)
    asked = []
    for _, tokens in islice(corpus(path), 0, size, step):
        some = chance.sample(tokens, min(len(tokens), chance.randint(2, 4)))
        text = f"{'和'.join(some)}是怎么回事？"
        asked.append((text, tokens_of(text)))
    return asked[:QUERIES]


def cpu(work: Callable[..., object], *given: object) -> float:
    """Return the CPU milliseconds of a call."""
    began = time.process_time()
    work(*given)
    return (time.process_time() - began) * 1e3


def measure(name: str, path: Path, size: int) -> dict[str, float]:
    """Build, add and ask; return the figures."""
    _warm_up(name)
    engine: Rival = make(name)
    before = resident()
    built = cpu(engine.build, islice(corpus(path), size))
    parsed = cpu(sum, (1 for _ in islice(corpus(path), size)))
    memory = (resident() - before) / size
    asked = questions(path, size)
    cold = cpu(engine.search, *asked[0], TOP)
    took = sorted(cpu(engine.search, text, tokens, TOP) for text, tokens in asked)
    adds = REBUILDS if name in {"rank_bm25", "bm25s"} else ADDS
    new = list(islice(corpus(path), size, size + adds))
    added = [cpu(engine.add, text, tokens) for text, tokens in new]
    return {
        "build": (built - parsed) / size,
        "add": median(added),
        "first": cold,
        "p50": median(took),
        "p95": quantiles(took, n=20)[-1],
        "bytes": memory,
    }


def _warm_up(name: str) -> None:
    """Load packages and dictionary, so that they are not measured."""
    some = [(text, tokens_of(text)) for text in ("先把词典读进来", "and what else is loaded late")]
    engine = make(name)
    engine.build(some)
    engine.add(*some[0])
    engine.search(*some[1], 1)


def child(name: str, path: Path, size: int) -> dict[str, float]:
    """Measure in a process of its own."""
    command = [sys.executable, __file__, "--one", name, str(path), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        said(f"{name} at {size}: failed: {last}")
        return {}
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


HEAD = (
    "| items | engine | add one, ms | query p50, ms | query p95, ms | build, ms an item "
    "| memory, bytes an item |\n|---|---|---|---|---|---|---|"
)


def row(size: int, name: str, found: dict[str, float]) -> str:
    """Return a line of the table."""
    ours = f"**{name}**" if name in OURS else name
    return (
        f"| {size:,} | {ours} | {found['add']:.2f} | {found['p50']:.2f} | {found['p95']:.2f} "
        f"| {found['build']:.3f} | {found['bytes']:,.0f} |"
    )


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    every = (*OURS, *NEEDS)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), metavar="N")
    parser.add_argument("--engines", nargs="+", choices=every, default=list(every))
    parser.add_argument("--all", action="store_true", help="slow engines at the largest sizes too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    parser.add_argument("--open", type=int, default=5000, help="messages before a start; 0: none")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    return parser.parse_args(given)


def measured(engines: Sequence[str], sizes: Sequence[int], everything: bool) -> Figures:
    """Measure and print, size by size."""
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.jsonl"
        for size in sizes:
            write_corpus(path, size)
            fit = [name for name in engines if everything or size <= MOST.get(name, size)]
            figures[str(size)] = dict(_rows(fit, path, size))
    return figures


def _rows(engines: Sequence[str], path: Path, size: int) -> Iterator[tuple[str, dict[str, float]]]:
    for name in engines:
        if found := child(name, path, size):
            print(row(size, name, found), flush=True)
            yield name, found


def main() -> None:
    """Print a Markdown table."""
    options = arguments(sys.argv[1:])
    if options.one:
        name, path, size = options.one
        print(json.dumps(measure(name, Path(path), int(size))))
        return
    absent = missing(options.engines)
    for name in absent:
        said(f"{name}: left out, it is not installed (pip install chyan-agent[bench])")
    print(HEAD, flush=True)
    engines = [name for name in options.engines if name not in absent]
    figures = measured(engines, options.sizes, options.all)
    if options.open:
        print()
        for line in recall_open.lines(texts(options.open), options.open):
            print(f"- {line}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
