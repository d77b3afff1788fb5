"""From options to an agent at work."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import build, config
from ..config import Config
from ..durable.disk import is_there
from ..errors import StorageError
from ..folders import session_folder, transcript_of
from ..prompts import Language
from ..prompts.said import Said
from ..prompts.terminal import TerminalTexts
from .chat import Chat
from .options import AboutNotes, Checkup, Options, Rebuild
from .reader import interactive, lines
from .show import Screen

if TYPE_CHECKING:
    from ..agent import Agent

DEFAULT_CONFIG = Path("config.toml")
FROM_STDIN = "-"
HISTORY = "history"
"""File of the lines typed, next to the conversation."""


def config_path(options: Options) -> Path | None:
    """Return the file to read: the one named, or that of the current directory if it is there."""
    return options.config or (DEFAULT_CONFIG if is_there(DEFAULT_CONFIG) else None)


def protected(path: Path | None) -> list[Path]:
    """Return the files that no tool may touch: a later start would read even one not there yet."""
    return [DEFAULT_CONFIG, *([path] if path else [])]


def load(options: Options, language: Language, environ: Mapping[str, str]) -> Config:
    """Return the configuration; where no file says so, the user's locale chooses the language."""
    path = config_path(options)
    overrides = dict(options.overrides)
    if path is None:
        overrides.setdefault("language", language)
    named = options.config is not None
    return config.load(path, environ=environ, overrides=overrides, named=named)


def language_of(options: Options, language: Language) -> Language:
    """Return the language to say in what is wrong with the configuration."""
    path = config_path(options)
    if path is None or "language" in options.overrides:
        return language
    return config.language_of(path) or language


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the command line."""

    settings: Config
    options: Options
    screen: Screen
    texts: TerminalTexts

    def go(self) -> int:
        """Do what was asked; return the exit code. Raises AgentError."""
        session = self.options.session
        if self.options.care.read_only and not isinstance(self.options.instead, AboutNotes):
            return self._look()
        self._prepare()
        if isinstance(self.options.instead, Rebuild):
            self.screen.say(build.rebuild(self.settings, session=session))
            return 0
        if isinstance(self.options.instead, AboutNotes):
            return self._notes(self.options.instead)
        path = config_path(self.options)
        if isinstance(self.options.instead, Checkup):
            return self._examine(path, self.options.instead)
        if self.options.resume_from_turn is not None:
            transcript_of(self.settings, session)  # a misspelt name makes no new one
        with (
            self._endpoint() as settings,
            build.build(settings, session=session, protect=protected(path)) as agent,
        ):
            self._open(agent)
            return self._converse(agent, settings)

    def _prepare(self) -> None:
        """Do what was asked with the files before anything is opened. Raises CorruptError."""
        if not (self.options.care.strict or self.options.care.accept_edited):
            return
        from .. import upkeep  # most runs don't need it

        session = self.options.session
        if self.options.care.strict:
            upkeep.verify(self.settings, session=session)
        if self.options.care.accept_edited:
            for said in upkeep.take_over(self.settings, session=session):
                self.screen.notice("accepted", said.text(self.settings.language))

    def _look(self) -> int:
        """Show what is there, for as long as is asked; nothing is written."""
        from .. import upkeep

        session = self.options.session
        if self.options.care.strict:
            upkeep.verify(self.settings, session=session, locked=False)
        with upkeep.look(self.settings, session=session) as seen:
            self._warn(seen.warnings)
            chat = Chat(seen, self.screen, self.texts)
            if self.options.question is not None:
                return chat.once(self.options.question)
            self.screen.say(
                self.texts.looking.format(
                    session=session, turns=seen.state.last_turn, notes=len(seen.memory.notes())
                )
            )
            return chat.run(lines(self.texts, history=None, hint=self._hint))

    def _notes(self, asked: AboutNotes) -> int:
        """Look after the notes; no session is opened, so that one may be at work meanwhile."""
        from .. import upkeep
        from .memory import MemoryDesk

        session, writable = self.options.session, not self.options.care.read_only
        with upkeep.notes(self.settings, session=session, writable=writable) as memory:
            self._warn(memory.problems)
            MemoryDesk(memory, self.screen, self.settings.language).run(asked.words)
        return 0

    def _hint(self, text: str) -> None:
        self.screen.notice("hint", text)

    def _warn(self, warnings: Iterable[Said]) -> None:
        for warning in warnings:
            self.screen.notice("recovered", warning.text(self.settings.language))

    def _examine(self, path: Path | None, wanted: Checkup) -> int:
        from ..doctor.examine import Examination
        from .checkup import show

        with self._endpoint() as settings:
            examination = Examination(
                config=settings,
                path=path,
                session=self.options.session,
                canary=wanted.canary,
            )
            return show(examination.run(), self.screen, self.settings.language)

    @contextmanager
    def _endpoint(self) -> Iterator[Config]:
        """Yield settings whose endpoint can answer: the offline model where none is set."""
        llm, forced = self.settings.llm, self.options.offline
        if self.options.local is not None:
            from .local import served

            with served(self.settings, self.options.local, self.screen) as settings:
                yield settings
            return
        if not forced and (llm.api_key or llm.base_url):
            for warning in config.warnings(self.settings, config_path(self.options)):
                self.screen.notice("unwise", warning)
            yield self.settings
            return
        from .. import offline  # most runs need no server

        context = self.settings.context
        said = self.texts.offline_forced if forced else self.texts.offline
        with offline.serving(context.context_limit, tokenizer=context.tokenizer) as url:
            self.screen.notice("offline", said)
            llm = replace(llm, base_url=url, api_key="", model=offline.MODEL)
            yield replace(self.settings, llm=llm)

    def _open(self, agent: "Agent") -> None:
        self._warn(agent.warnings)
        turn = self.options.resume_from_turn
        if turn is not None:
            agent.rewind(turn)
            self.screen.notice("rewound", self.texts.rewound.format(turn=turn))

    def _converse(self, agent: "Agent", settings: Config) -> int:
        chat = Chat(agent, self.screen, self.texts)
        question = self.options.question
        if question is not None:
            return chat.once(sys.stdin.read() if question == FROM_STDIN else question)
        person = interactive() and not self.options.json
        if person:
            self._welcome(agent, settings)
        history = session_folder(settings, self.options.session) / HISTORY
        code = chat.run(lines(self.texts, history=history, hint=self._hint))
        if not person:
            return code
        safe = not (agent.unsaved or agent.lost)
        self.screen.notice("bye", self.texts.bye if safe else self.texts.bye_unsaved)
        return 0 if safe else StorageError.exit_code

    def _welcome(self, agent: "Agent", settings: Config) -> None:
        text = self.texts.welcome.format(
            session=self.options.session, model=settings.llm.model, turns=agent.state.last_turn
        )
        self.screen.notice("welcome", text)
