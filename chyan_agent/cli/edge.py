"""What the edge of the command line knows: streams, language, and how to end badly but well."""

import contextlib
import os
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from ..errors import AgentError, ConfigError, StorageError
from ..prompts import Language, arguments, pick
from ..prompts.terminal import EN, ZH
from .arguments import parse
from .options import Show, WriteConfig
from .terminal import (
    OutputClosed,
    OutputFailed,
    Terminal,
    colourful,
    encodes,
    silence,
    soften,
)

if TYPE_CHECKING:
    from ..config import Config
    from .show import Screen


class Edge:
    """The standard streams and the language, known before anything else is."""

    def __init__(self, argv: Sequence[str], environ: Mapping[str, str]) -> None:
        self._argv = argv
        self._environ = environ
        self._json = "--json" in argv
        open_missing()
        soften(sys.stdin, errors="replace")
        soften(sys.stderr, errors="backslashreplace")
        soften(sys.stdout, errors="backslashreplace", encoding="utf-8" if self._json else None)
        self._language = spoken(argv, environ, sys.stdout)
        self._settings: Config | None = None
        self._answers = Terminal(sys.stdout, colour=colourful(sys.stdout, environ))
        self._errors = Terminal(sys.stderr, colour=colourful(sys.stderr, environ))
        self._dialogue = True
        self.texts = pick(self._language, ZH, EN)

    @cached_property
    def screen(self) -> "Screen":
        """Where everything is shown. In a dialogue side remarks belong to the output."""
        from .show import JsonScreen, TextScreen

        if self._json:
            return JsonScreen(self._answers, self.texts.language)
        aside = self._dialogue or self._answers.interactive
        return TextScreen(
            self.texts,
            answers=self._answers,
            aside=self._answers if aside else self._errors,
            errors=self._errors,
        )

    def run(self) -> int:
        """Parse, load, run. Raises what `main` turns into an exit code."""
        options = parse(self._argv, pick(self._language, arguments.ZH, arguments.EN))
        if isinstance(options.instead, Show):
            self._answers.write(options.instead.text)
            return 0
        self._dialogue = options.question is None
        if isinstance(options.instead, WriteConfig):
            return self._write_config(options.instead.path)
        # What follows is loaded only when there is something to run: --help must be instant.
        from .. import log
        from .run import Run, language_of, load

        try:
            self._settings = settings = load(options, self._language, self._environ)
        except ConfigError:
            self.texts = pick(language_of(options, self._language), ZH, EN)
            raise
        secrets = [settings.llm.api_key]
        if options.care.read_only:
            log.discard()
        else:
            log.setup(settings.log, Path(settings.data_dir), secrets=secrets, console=False)
        self.texts = pick(settings.language, ZH, EN)
        return Run(settings, options, self.screen, self.texts).go()

    def _write_config(self, path: Path) -> int:
        from ..config.file import write_config

        write_config(path, self._language)
        self.screen.say(self.texts.written.format(path=path))
        return 0

    def fail(self, error: AgentError) -> int:
        """Show a deliberate error; return its exit code."""
        with _whatever_happens():
            self.screen.fail(error)
        return error.exit_code

    def interrupt(self) -> None:
        """Say that the user has stopped it."""
        with _whatever_happens():
            self.screen.notice("interrupted", self.texts.interrupted)

    def lose_output(self, reason: str) -> int:
        """Report that the output can't be written, and write no more of it."""
        self.mute()
        return self.fail(OutputLost(reason))

    def mute(self) -> None:
        """Let nothing that is still buffered fail when the interpreter ends."""
        silence(sys.stdout)

    def crash(self, error: Exception) -> int:
        """Report a bug: the traceback on stderr and in the log, and one line of apology."""
        report, hint = "".join(traceback.format_exception(error)), ""
        if self._settings is not None:
            import logging

            from .. import log

            logging.getLogger(__name__).critical("a bug", exc_info=error)
            report = log.mask(report, [self._settings.llm.api_key])
            hint = self.texts.crash.format(log=Path(self._settings.data_dir) / log.NAME)
        with _whatever_happens():
            self._errors.line(report, "dim")
        return self.fail(Crash(report.splitlines()[-1], hint=hint))

    def close(self) -> None:
        """Close the log."""
        if self._settings is not None:
            from .. import log

            log.close()


class OutputLost(AgentError):
    """What was to be shown could not be written; the conversation itself is safe."""

    exit_code = StorageError.exit_code


class Crash(AgentError):
    """A bug of ours, in the form of an error that can be shown."""

    exit_code = 70


@contextlib.contextmanager
def _whatever_happens() -> Iterator[None]:
    """Leave with the exit code that is due, even if there is nobody left to tell."""
    with contextlib.suppress(OutputClosed, OutputFailed, ValueError):
        yield


def open_missing() -> None:
    """Give a process that was started without standard streams (`<&-`) empty ones.

    Otherwise the next file opened, a transcript even, would take the place of the terminal.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def spoken(argv: Sequence[str], environ: Mapping[str, str], stream: TextIO) -> Language:
    """Return the language to begin in: the one asked for, the locale's, or Chinese if it shows."""
    asked = dict(zip(argv, argv[1:], strict=False)).get("--language", "")
    locale = next(filter(None, map(environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if asked == "en" or "--language=en" in argv:
        return "en"
    if asked == "zh" or "--language=zh" in argv:
        return "zh"
    return "en" if locale.startswith("en") or not encodes(stream, "中") else "zh"
