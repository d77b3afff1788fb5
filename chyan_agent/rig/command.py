"""The command line of the stress run."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from ..calibration import MOST
from ..config.values import StrategyName
from ..errors import AgentError, StorageError
from ..offline.options import Scales
from ..prompts import Language, pick
from ..prompts.errors_rig import PLACES_HINT
from ..prompts.rig import RUN_EN, RUN_ZH
from .options import Endpoint, Options, Places, Script
from .runner import run

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run; 0 when every turn was played, no request refused and every check passed."""
    words = sys.argv[1:] if argv is None else list(argv)
    arguments = parser().parse_args(words)
    language: Language = arguments.language
    try:
        return 0 if run(options(arguments, words), sys.stderr).ok else 1
    except AgentError as error:
        message, hint = error.message_in(language), error.hint_in(language)
        sys.stderr.write(f"\n{message}\n" + (f"→ {hint}\n" if hint else ""))
        return error.exit_code
    except OSError as error:
        sys.stderr.write(f"\n{error.filename}: {error.strerror}\n→ {PLACES_HINT.text(language)}\n")
        return StorageError.exit_code
    except KeyboardInterrupt:
        texts = pick(language, RUN_ZH, RUN_EN)
        sys.stderr.write(f"\n{texts.interrupted}\n")
        return INTERRUPTED


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    it = argparse.ArgumentParser(
        prog="run_100_turns.py",
        description="Play scenarios with automatic checks; write a log, a plot and a report.",
    )
    add = it.add_argument
    add("--turns", type=_positive, default=100, help="how many turns (default 100)")
    add("--seed", type=int, default=0, help="of the scenarios and the offline model")
    add("--language", choices=("zh", "en"), default="zh")
    add("--limit", type=_positive, default=10_000, help="context window in tokens")
    add("--reserved", type=_positive, help="tokens of it held back for the answer")
    add("--strategy", choices=get_args(StrategyName), default="layered")
    add("--base-url", default="", help="a chat completions endpoint; default: the offline model")
    add("--model", default="", help="model name at that endpoint")
    add("--loss", type=_share, default=0.3, help="what the offline model loses when it condenses")
    add("--judge-factor", type=_factor, default=1.0, help="let it count each text so many times")
    add(
        "--judge-overhead",
        type=_tokens,
        default=4,
        help="tokens that it counts for a message itself",
    )
    add("--output", type=Path, default=Path("output"), help="folder of log, plot and report")
    add("--data-dir", type=Path, help="folder of transcript and workspace (default: OUTPUT/run)")
    add("--resume", action="store_true", help="go on where the last run was cut short")
    add("--dialogue", type=Path, help="replay a real conversation from a file instead")
    add("--store", type=_positive, default=1, help="line of that file (default 1)")
    add("--limit-dialogue", type=_positive, default=0, help="how much of it is told")
    add("--memory-parts", action="store_true", help="measure memory part by part")
    return it


def options(arguments: argparse.Namespace, words: Sequence[str] = ()) -> Options:
    """Return the options that the arguments stand for."""
    script = Script(
        turns=arguments.turns,
        seed=arguments.seed,
        language=arguments.language,
        dialogue=arguments.dialogue,
        store=arguments.store,
        most=arguments.limit_dialogue,
    )
    endpoint = Endpoint(
        base_url=arguments.base_url,
        model=arguments.model,
        loss=arguments.loss,
        scales=Scales(arguments.judge_factor, arguments.judge_overhead),
    )
    run_folder = arguments.data_dir or arguments.output / "run"
    return Options(
        places=Places(arguments.output, run_folder),
        script=script,
        endpoint=endpoint,
        limit=arguments.limit,
        reserved=arguments.reserved,
        strategy=arguments.strategy,
        resume=arguments.resume,
        parts=arguments.memory_parts,
        command=" ".join(("run_100_turns.py", *words)),
    )


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value} is not positive")
    return value


def _factor(text: str) -> float:
    value = float(text)
    if not 0 < value <= MOST:
        raise argparse.ArgumentTypeError(f"{value} is not above 0 and at most {MOST:g}")
    return value


def _tokens(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{value} is negative")
    return value


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{value} is not between 0 and 1")
    return value
