"""Endpoints that count with another tokenizer, and a long conversation to hold against them.

`python -m tests.judges --seed 0` prints what happens with each of them.
"""

import argparse
import random
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from chyan_agent.agent import Agent
from chyan_agent.budget import Ledger
from chyan_agent.build import build
from chyan_agent.errors import ContextOverflow, ModelOverflow
from chyan_agent.events import Noticed, Replied, Requested
from chyan_agent.offline.options import Scales
from chyan_agent.offline.server import serving
from chyan_agent.tokens import counter

from .agents import configured
from .vocabularies import family_counter

FACTORS = (0.6, 0.8, 1.0, 1.25, 1.5, 1.8)
OVERHEADS = (0, 4, 12)
TURNS = 64
_DIGIT = re.compile(r"[0-9]")
_NUMBER = re.compile(r"[0-9]{1,3}")


def bytes_by_three(text: str) -> int:
    """Count a token for three bytes, as crude servers do."""
    return -(-len(text.encode()) // 3)


def single_digits(text: str) -> int:
    """Count as a tokenizer that is good at Chinese and cuts numbers digit by digit."""
    digits = len(_DIGIT.findall(text)) - len(_NUMBER.findall(text))
    return -(-counter("o200k_base")(text) * 9 // 10) + digits


def other_vocabulary(text: str) -> int:
    """Count with cl100k_base, which takes half as many tokens more for Chinese."""
    return counter("cl100k_base")(text)


CROOKED: dict[str, Callable[[str], int]] = {
    "bytes/3": bytes_by_three,
    "single digits": single_digits,
    "cl100k": other_vocabulary,
}
"""Tokenizers whose count is no multiple of ours."""


@dataclass
class Seen:
    """What happened in a conversation."""

    refused: list[int] = field(default_factory=list)
    """Turns in which a request was refused."""
    failed: list[str] = field(default_factory=list)
    counts: list[tuple[int, Ledger, int]] = field(default_factory=list)
    """Turn, ledger and the endpoint's count of each answered request."""
    noticed: list[str] = field(default_factory=list)

    @property
    def errors(self) -> list[float]:
        """How much more was estimated than counted, as a share, from the fourth turn on."""
        return sorted(led.expected / n - 1 for turn, led, n in self.counts if turn > 3)

    @property
    def fullest(self) -> float:
        """The largest share of what is allowed that a prompt took."""
        return max(n / (led.limit - led.reserved) for _, led, n in self.counts)


ZH = (
    "服务器",
    "端口",
    "昨天",
    "项目",
    "记录",
    "客户",
    "合同",
    "会议",
    "需要",
    "已经",
    "完成",
    "的",
)
EN = ("the", "server", "was", "asked", "for", "a", "report", "which", "customer", "signed", "noon")


def _prose(dice: random.Random, size: int, kind: str) -> str:
    if kind == "log":
        lines = (
            f"11-{dice.randrange(10, 30)} id={dice.randrange(10**9)}" for _ in range(size // 8)
        )
        return "\n".join(lines)
    words = ZH if kind == "zh" else EN
    return ("" if kind == "zh" else " ").join(dice.choice(words) for _ in range(size))


def questions(folder: Path, seed: int = 0, turns: int = TURNS) -> Iterator[str]:
    """Yield questions: small talk, facts, long texts in three kinds, files read, bursts."""
    dice = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(turns):
        kind = dice.choice(("zh", "en", "log"))
        match dice.randrange(8) if number else seed % 8:
            case 0 | 1:
                yield f"计算 {dice.randrange(99)}*{dice.randrange(99)}"
            case 2:
                yield f"请记住：第 {number} 号箱子的密码是 {dice.randrange(10**6)}"
            case 3 | 4:
                size = dice.choice((300, 900, 3000, 20_000))
                yield f"这是一段材料，看看就好：{_prose(dice, size, kind)}"
            case 5 | 6:
                name = f"f{number}.txt"
                text = "\n".join(_prose(dice, 60, kind) for _ in range(dice.choice((5, 40, 400))))
                (folder / name).write_text(text, encoding="utf-8")
                yield f"统计 {name} 的行数"
            case _:
                yield "好"


@contextmanager
def judged_by(folder: Path, scales: Scales, **settings: object) -> Iterator[Agent]:
    """Build an agent whose endpoint counts by `scales`."""
    limit = int(str(settings.get("context__context_limit", 10_000)))
    with (
        serving(limit, scales=scales) as url,
        build(configured(folder, url, **settings)) as it,
    ):
        yield it


def converse(agent: Agent, folder: Path, *, seed: int = 0, turns: int = TURNS) -> Seen:
    """Hold a conversation; nothing is sent twice but what the endpoint refused."""
    seen = Seen()
    for number, text in enumerate(questions(folder, seed, turns), start=1):
        waiting = False
        try:
            for event in agent.run_turn(text):
                match event:
                    case Requested():
                        if waiting:
                            seen.refused.append(number)
                        waiting = True
                    case Replied(turn, _, ledger, usage):
                        waiting = False
                        seen.counts.append((turn, ledger, usage.prompt_tokens))
                    case Noticed(_, kind, said):
                        seen.noticed.append(f"{kind}: {said}")
        except (ModelOverflow, ContextOverflow) as error:
            seen.refused += [number] if isinstance(error, ModelOverflow) else []
            seen.failed.append(f"{number}: {error}")
    return seen


def main() -> None:
    """Print a line for each judge: refusals, and what is estimated too much from turn 4 on."""
    parser = argparse.ArgumentParser(prog="python -m tests.judges", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--turns", type=int, default=TURNS)
    given = parser.parse_args()
    judges = {f"{f} x text + {o}": Scales(f, o) for f in FACTORS for o in OVERHEADS}
    judges |= {name: Scales(count=count) for name, count in CROOKED.items()}
    for family in ("qwen", "deepseek"):
        with suppress(pytest.skip.Exception):
            judges[family] = Scales(count=family_counter(family))
    print("| judge | refused in turn | turns failed | requests | least | median | most | fullest |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for name, scales in judges.items():
        with tempfile.TemporaryDirectory() as folder, judged_by(Path(folder), scales) as agent:
            seen = converse(agent, Path(folder) / "workspace", seed=given.seed, turns=given.turns)
        errors = seen.errors
        middle = errors[len(errors) // 2]
        figures = f"{errors[0]:+.1%} | {middle:+.1%} | {errors[-1]:+.1%} | {seen.fullest:.1%}"
        refused = ", ".join(map(str, seen.refused)) or "-"
        print(f"| {name} | {refused} | {len(seen.failed)} | {len(seen.counts)} | {figures} |")


if __name__ == "__main__":
    main()
