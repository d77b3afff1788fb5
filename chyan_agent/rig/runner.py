"""Plays turns with the real agent: journal, turn, check, row; and goes on after a kill."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TextIO

from ..agent import Agent
from ..build import build
from ..config import Config
from ..durable.lock import Lock
from ..errors import AuthError, ContextOverflow, ModelRefused
from ..offline import MODEL, spawned
from ..prompts import Language, pick
from ..prompts.rig import RUN_EN, RUN_ZH
from .checks import Outcome
from .footprint import peak_mb, rss_mb
from .journal import Journal, place
from .judge import Judge
from .options import Options
from .progress import Progress
from .recovery import Resumed, look
from .results import Summary, finish
from .rows import Cost, Row, RowLog, Verdict
from .scenarios import Book, TurnSpec
from .watch import Tap, Watch, from_messages


def run(options: Options, stream: TextIO) -> Summary:
    """Play all turns and write log, plot and report. Raises AgentError; then it can be resumed."""
    places, book = options.places, options.script.book()
    journal = Journal(places.journal, workspace=places.workspace, settings=options.settings())
    began = time.monotonic()
    places.claim()
    with Lock(places.run):
        start = _start(options, journal, book)
        with _endpoint(options) as config, closing(RowLog(places.rows)) as rows:
            rig = Rig(places.workspace, rows, journal, book)
            progress = _progress(options, stream, book.turns, start.index)
            rig.play(config, start, progress, judged=options.endpoint.offline)
        return finish(options, config, book.turns, stream, time.monotonic() - began)


def _start(options: Options, journal: Journal, book: Book) -> Resumed:
    """Return where to begin; without something to resume, with an empty folder."""
    places = options.places
    found = None
    if options.resume and places.journal.exists():
        with closing(RowLog(places.rows)) as rows:
            found = look(journal, rows.turns, places.data, book)
    if found is None:
        places.clear()
    return found or Resumed(0)


@contextmanager
def _endpoint(options: Options) -> Iterator[Config]:
    """Start the offline model if none was named; yield the agent's settings."""
    endpoint = options.endpoint
    with ExitStack() as stack:
        if endpoint.offline:
            seed = options.script.seed
            url = stack.enter_context(
                spawned(options.limit, endpoint.loss, seed, scales=endpoint.scales)
            )
            yield options.config(url, "offline", endpoint.model or MODEL)
        else:
            key = os.environ.get("OPENAI_API_KEY", "") or "none"
            yield options.config(endpoint.base_url, key, endpoint.model or None)


def _progress(options: Options, stream: TextIO, total: int, done: int) -> Progress:
    texts = pick(options.script.language, RUN_ZH, RUN_EN)
    if done:
        stream.write(texts.resumed.format(turn=done + 1) + "\n")
    return Progress(stream, total=total, done=done, text=texts.progress)


class Rig:
    """The files and the agent of a run, turn by turn."""

    def __init__(self, workspace: Path, rows: RowLog, journal: Journal, book: Book) -> None:
        self._workspace = workspace
        self._rows = rows
        self._journal = journal
        self._book = book
        self._tap = Tap()
        self._judge: Judge | None = None
        self._language: Language = "zh"

    def play(self, config: Config, start: Resumed, progress: Progress, *, judged: bool) -> None:
        """Play from `start` to the end of the book. Raises AgentError when it can't go on."""
        self._language = config.language
        with ExitStack() as stack:
            if judged:
                self._judge = stack.enter_context(closing(Judge(config.llm.base_url)))
            agent = stack.enter_context(build(config, tap=self._tap))
            passed = self._catch_up(agent, start)
            for index in range(self._rows.turns, self._book.turns):
                row = self._turn(agent, index)
                self._rows.append(row)
                passed += row.verdict.ok
                progress.show(index + 1, passed)

    def _catch_up(self, agent: Agent, start: Resumed) -> int:
        """Bring agent and files to the state before the next turn; return new passed checks."""
        if start.redo is not None:
            self._journal.restore(start.redo)
            agent.rewind(start.index)
        if not start.answered:
            return 0
        spec, watch = self._book.at(start.index), from_messages(start.answered)
        verdict = self._verdict(agent, spec, watch, recovered=True)
        self._rows.append(_row(start.index, spec, watch, verdict, Cost()))
        return int(verdict.ok)

    def _turn(self, agent: Agent, index: int) -> Row:
        """Ask one turn and judge it."""
        spec = self._book.at(index)
        self._journal.begin(index, spec)
        place(self._workspace, spec)
        watch, over = Watch(), False
        began = time.perf_counter()
        try:
            for event in agent.run_turn(spec.text):
                watch.see(event)
            over = True
        except (ModelRefused, ContextOverflow) as error:
            if isinstance(error, AuthError):  # the next turn would fare no better
                raise
            watch.fail(error, self._language)
            over = True
        finally:
            if not over:
                self._journal.mark_redo()
        seconds = time.perf_counter() - began
        watch.end()
        cost = Cost(seconds, watch.model_seconds, rss_mb(), peak_mb())
        return _row(index, spec, watch, self._verdict(agent, spec, watch), cost)

    def _verdict(
        self, agent: Agent, spec: TurnSpec, watch: Watch, *, recovered: bool = False
    ) -> Verdict:
        outcome = Outcome(
            answer=watch.answer,
            workspace=self._workspace,
            notes=lambda: [note.text for note in agent.memory.notes()],
            tools=tuple(ran.name for ran in watch.tools if ran.ok),
            sent=self._tap.text,
        )
        result = spec.check.judge(outcome)
        refused = self._judge.news() if self._judge else 0
        ok = result.ok and not watch.error
        why = "; ".join(filter(None, (watch.reason, result.why)))
        return Verdict(ok, "" if ok else why, watch.error, refused, recovered, result.share)


def _row(index: int, spec: TurnSpec, watch: Watch, verdict: Verdict, cost: Cost) -> Row:
    return Row(
        turn=index + 1,
        scenario=spec.scenario,
        round=spec.round,
        text=spec.text,
        answer=watch.answer,
        verdict=verdict,
        cost=cost,
        requests=tuple(watch.requests),
        tools=tuple(watch.tools),
        compactions=tuple(watch.compactions),
    )
