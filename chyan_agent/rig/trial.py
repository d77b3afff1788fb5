"""Small tasks and large texts for a real model: what must hold with any, and what it can do."""

import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ..agent import Agent
from ..build import build
from ..config import Config, load
from ..errors import AgentError
from ..events import Answered, Compacted, Noticed, Replied, Stopped, ToolRan
from ..model import Delta
from ..prompts import Language
from .cases import CASES, FILES, Case
from .wiretap import Tally, Wiretap


@dataclass(slots=True)
class Seen:
    """What one turn showed."""

    answer: str = ""
    error: str = ""
    """Class and text of the error that ended it; empty when it was answered or stopped."""
    stopped: str = ""
    tools: list[str] = field(default_factory=list)
    steps: int = 0
    deltas: int = 0
    compactions: int = 0
    notices: list[str] = field(default_factory=list)
    cut: int = 0
    """Replies that the output limit cut off."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Trial:
    """Where and how the tasks are set. `window` is what the server has."""

    tap: Wiretap
    folder: Path
    window: int
    reserved: int
    model: str = "local"
    settings: Mapping[str, object] = field(default_factory=dict)
    """Further settings by dotted key."""

    def config(self, language: Language, **more: object) -> Config:
        """Return settings; keyword `a__b` sets `a.b`."""
        given: Mapping[str, object] = {
            "language": language,
            "data_dir": str(self.folder / "data"),
            "tools.workspace": str(self.folder / "workspace"),
            "llm.base_url": self.tap.url,
            "llm.api_key": "none",
            "llm.model": self.model,
            "llm.temperature": 0.0,
            "context.context_limit": self.window,
            "context.reserved_tokens": self.reserved,
            "context.max_steps": 6,
        }
        return load(
            None,
            environ={},
            overrides={
                **given,
                **self.settings,
                **{k.replace("__", "."): v for k, v in more.items()},
            },
        )

    @contextmanager
    def agent(self, language: Language, session: str, **more: object) -> Iterator[Agent]:
        """Open a session."""
        with build(self.config(language, **more), session=session) as agent:
            yield agent

    def prepare(self) -> None:
        """Make the workspace anew."""
        shutil.rmtree(self.folder / "workspace", ignore_errors=True)
        for name, text in FILES.items():
            path = self.folder / "workspace" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def ask(agent: Agent, text: str) -> Seen:
    """Play one turn; a deliberate error is a result, a bug is not caught."""
    seen, began = Seen(), time.monotonic()
    try:
        for event in agent.run_turn(text):
            _see(seen, event)
    except AgentError as error:
        seen.error = f"{type(error).__name__}: {error}"
    seen.seconds = time.monotonic() - began
    return seen


def _see(seen: Seen, event: object) -> None:
    match event:
        case Delta():
            seen.deltas += 1
        case Replied(finish=finish):
            seen.steps += 1
            seen.cut += finish == "length"
        case ToolRan(call=call, result=result):
            seen.tools.append(call.name if result.ok else f"{call.name}!")
        case Compacted():
            seen.compactions += 1
        case Noticed(kind=kind):
            seen.notices.append(kind)
        case Answered(text=text):
            seen.answer = text
        case Stopped(reason=reason):
            seen.stopped = reason


@dataclass(frozen=True, slots=True)
class Result:
    """What a part of the trial gave. `held` is what must hold with any model."""

    name: str
    tally: Tally
    errors: tuple[str, ...] = ()
    """Turns that ended with an error."""
    passed: int = 0
    checks: int = 0
    notes: tuple[str, ...] = ()
    allowed: int = 0
    """Refusals for size that may be: the first, where the limit has to be learnt."""

    @property
    def held(self) -> bool:
        """No turn failed, nothing was refused, no answer was broken."""
        return not (self.errors or self.tally.errors) and len(self.tally.overflows) <= self.allowed


def tool_loop(trial: Trial) -> Result:
    """Set the tasks, each in a fresh session."""
    trial.tap.fresh()
    trial.prepare()
    passed, errors, notes = 0, list[str](), list[str]()
    for case in CASES:
        with trial.agent(case.language, f"case-{case.name}") as agent:
            seen = ask(agent, case.text)
            ok = case.good(seen.answer, trial.folder / "workspace")
            if case.name == "remember":
                ok = any("K-7261" in note.text for note in agent.memory.notes())
        passed += ok
        errors += [seen.error] if seen.error else []
        notes.append(_note(case, seen, ok))
    return Result("tool loop", trial.tap.fresh(), tuple(errors), passed, len(CASES), tuple(notes))


def _note(case: Case, seen: Seen, ok: bool) -> str:
    calls = " ".join(seen.tools) or "no call"
    end = f" [{seen.stopped}]" if seen.stopped else ""
    said = " ".join(seen.answer.split())[:70]
    return f"{'ok  ' if ok else 'fail'} {case.name}: {calls}; {seen.steps} steps{end}: {said}"


def huge_texts(trial: Trial) -> Result:
    """Say more than the window holds, of kinds that tokenizers differ on; nothing is refused."""
    trial.tap.fresh()
    texts = (
        "请用一句话说明下面这段文字讲什么："
        + "今天的会议讨论了预算和人员安排，" * (trial.window // 8),
        "Say in one sentence what these are: "
        + " ".join(str(n * 7919 % 99991) for n in range(trial.window // 2)),
        "用一句话回答：这是什么？" + "🙂\t  \n" * (trial.window // 4),
    )
    return _talk(trial, "huge texts", texts, session="huge")


def limit_learnt(trial: Trial) -> Result:
    """Believe in a window twice as large: one refusal teaches, none follows."""
    trial.tap.fresh()
    words = " ".join(f"word{n}" for n in range(trial.window // 2))
    texts = (f"Say OK. {words}", f"Say OK again. {words}")
    more = {"context__context_limit": 2 * trial.window}
    return _talk(trial, "limit learnt", texts, session="learnt", allowed=1, **more)


def _talk(
    trial: Trial,
    name: str,
    texts: tuple[str, ...],
    *,
    session: str,
    allowed: int = 0,
    **more: object,
) -> Result:
    errors, notes = list[str](), list[str]()
    with trial.agent("zh", session, **more) as agent:
        for text in texts:
            seen = ask(agent, text)
            errors += [seen.error] if seen.error else []
            told = f" {' '.join(seen.notices)}" if seen.notices else ""
            notes.append(
                f"{len(text):,} characters: {seen.steps} steps, {seen.compactions} compactions,"
                f" {seen.seconds:.0f} s{told}"
            )
        notes.append(f"budget after: {agent.budget.limit:,} tokens")
    tally = trial.tap.fresh()
    return Result(name, tally, tuple(errors), notes=tuple(notes), allowed=allowed)


def small_talk(trial: Trial) -> Result:
    """Talk for some turns: the answer comes in pieces, and the cache serves what stays."""
    trial.tap.fresh()
    texts = ("你好", "用一句话介绍水。", "再用一句话介绍火。", "谢谢")
    errors, pieces, shares = list[str](), 0, list[str]()
    with trial.agent("zh", "talk") as agent:
        for text in texts:
            seen = ask(agent, text)
            errors += [seen.error] if seen.error else []
            pieces += seen.deltas > 1
            usage = trial.tap.tally
            shares.append(f"{usage.cached}/{usage.prompt}")
    notes = (f"cached/prompt tokens, running: {', '.join(shares)}",)
    tally = trial.tap.fresh()
    return Result("streaming, cache", tally, tuple(errors), pieces, len(texts), notes)
