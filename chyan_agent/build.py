"""The composition root: Config to Agent. The only reader of strategy and back-end names."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from .agent import Agent
from .budget import Budget, Meter
from .config import Config, check_budget
from .conversation import Conversation
from .counting import Counting, count_for
from .durable import snapshot
from .durable.codec import VERSION
from .durable.lock import Lock
from .durable.newer import refuse_newer_file
from .durable.transcript import Transcript
from .folders import INDEX, LOG, META, NOTES, session_folder, transcript_of
from .form import Form
from .frames import quoted
from .gate import within
from .learnt import Learnt
from .llm import OpenAIModel
from .memory import Memory
from .memory.history import TranscriptHistory
from .memory.store import open_memory
from .messages import Message, Turn
from .model import Delta, Model, Reply, Request, Retry
from .parts import Parts, Settings
from .program import program
from .prompts import core, llm, pick, tools
from .prompts import errors as say
from .session import MAIN
from .shrink import recalled
from .strategies import strategies
from .tools import Limits
from .tools.registry import build_tools
from .tools.sandbox import Sandbox
from .tools.toolset import Toolset
from .window import Frame

Tap = Callable[[Request], None]


def now() -> str:
    """Return the time in UTC to the millisecond, as records carry it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def rebuild(config: Config, *, session: str = MAIN) -> str:
    """Write meta.json anew from conversation.jsonl; return a line that says what was found.

    Loads no model and no tokenizer. Raises ConfigError where there is no such conversation,
    LockedError, StorageError, CorruptError, VersionError.
    """
    path = transcript_of(config, session)
    meta = path.with_name(META)
    with Lock(path.parent):
        refuse_newer_file(meta, VERSION)
        with closing(Transcript(path, clock=now)) as transcript:
            state = snapshot.rebuild(transcript)
            snapshot.save(meta, state, transcript)
    found = say.REBUILT.of(records=transcript.seq, turns=state.last_turn, size=transcript.end)
    return "\n".join(said.text(config.language) for said in (found, *transcript.problems))


class Tapped:
    """A model that shows every request to someone before it is sent."""

    def __init__(self, model: Model, tap: Tap) -> None:
        self._model = model
        self._tap = tap

    def complete(self, request: Request) -> Iterator[Delta | Retry | Reply]:
        """Yield what the model yields."""
        self._tap(request)
        return self._model.complete(request)


@contextmanager
def build(
    config: Config,
    *,
    session: str = MAIN,
    tap: Tap | None = None,
    protect: Sequence[Path] = (),
) -> Iterator[Agent]:
    """Open a session and yield its agent; lock, files and connections are closed at the end.

    `tap` is shown each request before it is sent. No tool touches the data directory or the files
    to `protect`, even inside the workspace.
    Raises ConfigError (an impossible budget too), LockedError, StorageError, CorruptError, and
    VersionError for files of a newer version.
    """
    folder = session_folder(config, session)
    with ExitStack() as stack:
        stack.enter_context(Lock(folder))
        looked = snapshot.unknown_from(folder / META)
        transcript = Transcript(folder / LOG, clock=now, looked=looked)
        stack.callback(transcript.close)
        conversation = Conversation(transcript, folder / META, name=session)
        memory = open_memory(
            Path(config.data_dir) / NOTES,
            segmenter_name=config.memory.segmenter,
            engine=config.memory.engine,
            history=TranscriptHistory(transcript),
            index_path=folder / INDEX,
            clock=now,
        )
        stack.callback(memory.close)
        counting = stack.enter_context(count_for(config))
        texts = pick(config.language, llm.ZH, llm.EN)
        model = OpenAIModel(
            config.llm,
            texts=texts,
            lessons=counting.learnt.lessons,
            longest=config.context.max_seconds,
        )
        stack.callback(model.close)
        sandbox = _sandbox(config, protect)
        asked = Tapped(model, tap) if tap else model
        parts = _parts(config, conversation, memory, sandbox, asked, counting)
        agent = Agent(parts, memory)
        stack.callback(agent.close)
        yield agent


def _sandbox(config: Config, protect: Sequence[Path]) -> Sandbox:
    texts = pick(config.language, tools.ZH, tools.EN)
    excluded = (Path(config.data_dir), *protect)
    return Sandbox(Path(config.tools.workspace), texts, excluded=excluded, fixed=program())


def _parts(
    config: Config,
    conversation: Conversation,
    memory: Memory,
    sandbox: Sandbox,
    model: Model,
    counting: Counting,
) -> Parts:
    texts = pick(config.language, core.ZH, core.EN)
    form = _form(config, counting.learnt)
    meter = Meter(counting.count, form=form)
    system = config.system_prompt or texts.system
    toolset = _toolset(config, conversation, memory, sandbox, system)
    frame = Frame.of(system, toolset.schemas, texts, meter)
    return Parts(
        conversation=conversation,
        model=model,
        tools=toolset,
        frame=frame,
        budget=within(_budget(config, frame.fixed), counting.learnt),
        learnt=counting.learnt,
        meter=meter,
        strategy=strategies()[config.context.strategy],
        settings=Settings(
            recent=config.context.max_recent_turns,
            ratio=config.context.summary_ratio,
            max_steps=config.context.max_steps,
            max_seconds=config.context.max_seconds,
            max_result=config.tools.max_result_tokens,
            temperature=config.llm.temperature,
            closing=config.tools.closing_line,
        ),
        clock=time.monotonic,
    )


def _form(config: Config, learnt: Learnt) -> Form:
    """Return the form that was asked for, or that the endpoint has taught in an earlier run."""
    asked, taught = config.llm.tool_calls == "text", "text_calls" in learnt.lessons
    if taught and not asked:
        learnt.remarks.append(say.LEARNT_TEXT_CALLS)
    return Form(text_calls=asked or taught, reasoning="reasoning" in learnt.lessons)


def _budget(config: Config, fixed: int) -> Budget:
    check_budget(config, fixed)
    context = config.context
    history = context.context_limit - context.reserved_tokens - fixed
    return Budget(
        limit=context.context_limit,
        reserved=context.reserved_tokens,
        fixed=fixed,
        summary_cap=int(history * context.summary_ratio),
    )


def _toolset(
    config: Config, conversation: Conversation, memory: Memory, sandbox: Sandbox, system: str
) -> Toolset:
    texts = pick(config.language, tools.ZH, tools.EN)
    limits = Limits(
        read_max_lines=config.tools.read_max_lines,
        truncate=config.tools.truncate,
        max_result_tokens=config.tools.max_result_tokens,
        max_result_bytes=config.tools.max_result_bytes,
        grep_max_matches=config.tools.grep_max_matches,
        search_max_files=config.tools.search_max_files,
        regex_timeout=config.tools.regex_timeout,
        top_k=config.memory.top_k,
        recall_tokens=config.memory.recall_tokens,
    )

    def turn_text(number: int) -> str | None:
        return turn_as_text(conversation.turn(number)) or None

    return Toolset(
        build_tools(
            sandbox=sandbox,
            memory=memory,
            limits=limits,
            texts=texts,
            turn_text=turn_text,
            boot=system,
        ),
        texts,
    )


def turn_as_text(messages: tuple[Message, ...]) -> str:
    """Return a turn as it is read back by its handle: who said what, and what tools were asked.

    Pages that it read back itself are left out: a turn that reads itself would never end.
    """
    lines, pages = [], recalled(Turn(0, messages))
    for message in messages:
        if message.content and message.tool_call_id not in pages:
            lines.append(f"{message.role}: {quoted(message.content)}")
        lines += [f"call {c.name}: {c.written or c.arguments}" for c in message.tool_calls]
    return "\n".join(lines)
