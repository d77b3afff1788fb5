"""Does what was said once survive? Plants in long conversations, each asked for at the end.

A plant counts as answerable when its value stands in the last request (the window), or in what
one `recall` with a natural question about it gives back, with the limits a model has.
"""

import argparse
import json
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evidence_plants import CARRIERS, KINDS, Plant, plants

from chyan_agent import offline
from chyan_agent.agent import Agent
from chyan_agent.budget import compact_json
from chyan_agent.build import build
from chyan_agent.config import Config, load
from chyan_agent.model import Request
from chyan_agent.prompts import tools
from chyan_agent.tokens import counter
from chyan_agent.tools import Context, Limits
from chyan_agent.tools.notes import Notes

SHARE = {100: 60, 1000: 300}
"""Turns to plants; other lengths have one plant in three turns."""
ROOM = 1500
"""Tokens that a tool result may take."""
TALK = (
    "今天午饭吃了牛肉面，味道不错。",
    "Let's keep the meeting short today.",
    "我先去倒杯水，回来接着聊。",
    "The weather turned out nicer than expected.",
    "讲个轻松点的话题吧，最近有什么好看的电影？",
    "Please answer briefly from now on.",
    "同事推荐了一本讲航海史的书，我还没翻开。",
    "计算 17*23+5",
    "Calculate 12 * 9",
    "周末大概会去公园走走，看看有没有开花。",
    "Our office plants look a bit thirsty.",
    "昨晚睡得有点晚，脑子还没转起来。",
)
NOISE = (
    "colour = green",
    "mode: quiet",
    "| 语言 | 中文 |",
    "# keep this sorted",
    "level={n}",
    "workers = {n}",
    "title: spring cleaning",
    "| 等级 | {n} |",
    "enabled = yes",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a plant was found."""

    plant: Plant
    window: bool
    recalled: bool

    @property
    def answerable(self) -> bool:
        """Whether it was found at all."""
        return self.window or self.recalled


def converse(agent: Agent, root: Path, wanted: Sequence[Plant], turns: int, seed: int) -> None:
    """Talk for so many turns, with the plants spread evenly over all but the last ten."""
    rng = random.Random(f"{seed}/talk")
    spread = max(turns - 10, len(wanted))
    places = {place * spread // len(wanted) + 1: plant for place, plant in enumerate(wanted)}
    for turn in range(1, turns + 1):
        plant = places.get(turn)
        for _ in agent.run_turn(_said(plant, root, rng) if plant else rng.choice(TALK)):
            pass


def _said(plant: Plant, root: Path, rng: random.Random) -> str:
    """Return what is said in the turn of a plant, having put its file in place."""
    if plant.carrier == "said":
        return " ".join((rng.choice(TALK), plant.text, rng.choice(TALK)))
    noise = [rng.choice(NOISE).format(n=rng.randrange(2, 99)) for _ in range(40)]
    zh = plant.language == "zh"
    if plant.carrier == "file":
        noise.insert(rng.randrange(41), plant.text)
        _put(root / plant.file, noise)
        return f"读取 {plant.file}" if zh else f"Read {plant.file}"
    word = plant.text.split()[0]
    folder = f"logs{rng.randrange(10**6)}"
    others = [f"{word} worker {n} restarted" for n in rng.sample(range(100), 6)]
    lines = [*noise, *others, plant.text]
    rng.shuffle(lines)
    _put(root / folder / "app.log", lines)
    return f"在 {folder} 目录里查找 {word}" if zh else f'Search for "{word}" in {folder}'


def _put(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def asked(agent: Agent, last: Request, wanted: Iterable[Plant], config: Config) -> list[Outcome]:
    """Ask for every plant: is it in the window, does a recall find it?"""
    window = "\n".join(m.content for m in last.messages)
    limits = Limits(top_k=config.memory.top_k, recall_tokens=config.memory.recall_tokens)
    notes = Notes(agent.memory, limits, tools.ZH, lambda turn: None)
    context = Context(agent.state.last_turn + 1, "t1", ROOM, counter(config.context.tokenizer))
    outcomes = []
    for plant in wanted:
        result = notes.recall({"query": plant.question}, context)
        text = json.dumps(json.loads(compact_json(result)), ensure_ascii=False)
        found = _holds(text.replace("\\\\", "\\"), plant.value)
        outcomes.append(Outcome(plant, _holds(window, plant.value), found))
    return outcomes


def _holds(text: str, value: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(value)}(?![\d])", text) is not None


def measure(turns: int, seed: int) -> list[Outcome]:
    """Play one conversation and ask for all that was planted in it."""
    rng = random.Random(f"{seed}/{turns}")
    wanted = plants(rng, SHARE.get(turns, max(turns // 3, 1)))
    last: list[Request] = []
    with tempfile.TemporaryDirectory() as folder, offline.serving(10_000) as url:
        root = Path(folder) / "workspace"
        overrides = {"data_dir": f"{folder}/data", "tools.workspace": str(root)}
        config = load(None, environ={}, overrides=overrides)
        llm = replace(config.llm, base_url=url, api_key="", model=offline.MODEL)
        config = replace(config, llm=llm)

        def tap(request: Request) -> None:
            last[:] = [request]

        with build(config, tap=tap) as agent:
            converse(agent, root, wanted, turns, seed)
            return asked(agent, last[0], wanted, config)


def table(by_length: dict[int, list[Outcome]]) -> str:
    """Return a Markdown table of shares in percent: by kind, carrier, language and half."""
    head = [f"{n} turns: plants | window | recall | answerable" for n in by_length]
    lines = [f"| | {' | '.join(head)} |", f"|---|{'---|' * 4 * len(by_length)}"]
    for name, keep in _rows():
        cells = [_cells([o for o in found if keep(o.plant)]) for found in by_length.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _rows() -> Iterable[tuple[str, Callable[[Plant], bool]]]:
    """Yield the name of each row and which plants it counts."""
    yield from ((kind, _with("kind", kind)) for kind in KINDS)
    yield from ((f"in: {carrier}", _with("carrier", carrier)) for carrier in CARRIERS)
    yield from ((f"language: {name}", _with("language", name)) for name in ("zh", "en"))
    yield "templates for tuning", _with("held_out", False)
    yield "templates held out", _with("held_out", True)
    yield "all", lambda _: True


def _with(field: str, value: object) -> Callable[[Plant], bool]:
    return lambda plant: bool(getattr(plant, field) == value)


def _cells(found: Sequence[Outcome]) -> str:
    if not found:
        return "0 | | |"
    parts = ([o.window for o in found], [o.recalled for o in found], [o.answerable for o in found])
    return f"{len(found)} | " + " | ".join(f"{100 * sum(p) / len(p):.1f}" for p in parts)


def main() -> int:
    """Print the table; 1 if fewer than 98 % are answerable at any length."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--misses", action="store_true", help="print what was not found")
    given = parser.parse_args()
    by_length = {turns: measure(turns, given.seed) for turns in given.turns}
    sys.stdout.write(table(by_length) + "\n")
    for outcome in (o for found in by_length.values() for o in found if not o.answerable):
        if given.misses:
            sys.stderr.write(f"- {outcome.plant}\n")
    shares = [sum(o.answerable for o in found) / len(found) for found in by_length.values()]
    return int(min(shares) < 0.98)


if __name__ == "__main__":
    sys.exit(main())
