"""Command line arguments to `Options`. Imports nothing heavy: `--help` must be instant."""

import argparse
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

from .. import __version__
from ..errors import ConfigError
from ..prompts.arguments import HelpTexts
from ..session import MAIN
from .converters import session, whole
from .options import AboutNotes, Care, Checkup, Instead, Local, Options, Rebuild, Show, WriteConfig

SETTINGS = {
    "--data-dir": ("data_dir", "DIR"),
    "--workspace": ("tools.workspace", "DIR"),
    "--base-url": ("llm.base_url", "URL"),
    "--model": ("llm.model", "NAME"),
    "--strategy": ("context.strategy", "NAME"),
    "--language": ("language", "zh|en"),
    "--limit": ("context.context_limit", "N"),
}
"""Option to the dotted key that it overrides, and its placeholder."""

SWITCHES = (
    "--offline",
    "--json",
    "--rebuild-context",
    "--strict",
    "--accept-edited",
    "--read-only",
    "--doctor",
)
FLAGS = (*SWITCHES, "--version", "--help")
"""Options without a value."""
EXCLUDE = {
    "--read-only": ("--accept-edited", "--rebuild-context", "--resume-from-turn", "--doctor"),
    "--strict": ("--accept-edited", "--doctor"),
    "--accept-edited": ("--doctor",),
    "--resume-from-turn": ("--rebuild-context", "--doctor"),
}
"""Option to those that it can't go with: one looks, the other changes."""
DOCTOR = "doctor"
"""The word that asks for the same as `--doctor`."""
MEMORY = "memory"
"""The word that begins what is asked of the notes."""


class _Show(Exception):
    """Carries the text that ends parsing."""


def parse(argv: Sequence[str], texts: HelpTexts) -> Options:
    """Read the arguments. Raises ConfigError for wrong ones."""
    try:
        given, extra = _parser(texts).parse_known_args(argv)
    except _Show as shown:
        return Options(instead=Show(str(shown)))
    except argparse.ArgumentError as error:
        raise _wrong(error, texts) from None
    if given.question == MEMORY and not any(word.startswith("-") for word in extra):
        given.question, given.memory, extra = None, " ".join(extra), []
    if extra:
        raise _not_taken(extra, texts)
    if given.question == DOCTOR:
        given.question, given.doctor = None, True
    _check_alone(given, texts)
    return Options(
        instead=_instead(given),
        question=given.question,
        session=given.session,
        config=given.config,
        overrides=_overrides(given),
        local=Local(given.local, given.chat_template) if given.local else None,
        offline=given.offline,
        json=given.json,
        resume_from_turn=given.resume_from_turn,
        care=Care(given.strict, given.accept_edited, given.read_only),
    )


def _instead(given: argparse.Namespace) -> Instead | None:
    if given.write_config is not None:
        return WriteConfig(given.write_config)
    if given.rebuild_context:
        return Rebuild()
    if "memory" in given:
        return AboutNotes(given.memory)
    return Checkup(given.canary) if given.doctor else None


def _wrong(error: argparse.ArgumentError, texts: HelpTexts) -> ConfigError:
    """Return what argparse says in English only: a flag got a value, or an option got none."""
    option = (error.argument_name or "").rpartition("/")[2]
    text = texts.no_value if option in FLAGS else texts.value
    return ConfigError(text.format(option=option), hint=texts.see_help)


def _not_taken(extra: Sequence[str], texts: HelpTexts) -> ConfigError:
    """Return what is wrong with arguments that nobody asked for."""
    options = [word for word in extra if word.startswith("-")]
    if options:
        return ConfigError(texts.unknown.format(option=options[0]), hint=texts.see_help)
    return ConfigError(texts.two_questions.format(words=" ".join(extra)), hint=texts.quote)


def _overrides(given: argparse.Namespace) -> dict[str, object]:
    values = vars(given)
    return {key: values[key] for key, _ in SETTINGS.values() if values[key] is not None}


def _check_alone(given: argparse.Namespace, texts: HelpTexts) -> None:
    for option in ("--rebuild-context", "--write-config", "--doctor"):
        if _given(given, option) and given.question is not None:
            raise ConfigError(texts.alone.format(option=option), hint=texts.see_help)
    if given.canary is not None and not given.doctor:
        raise ConfigError(texts.with_doctor.format(option="--canary"), hint=texts.see_help)
    for option, others in EXCLUDE.items():
        for other in filter(partial(_given, given), others if _given(given, option) else ()):
            text = texts.not_together.format(option=option, other=other)
            raise ConfigError(text, hint=texts.see_help)
    _check_local(given, texts)


def _given(given: argparse.Namespace, option: str) -> bool:
    return vars(given)[option[2:].replace("-", "_")] not in (None, False)


def _check_local(given: argparse.Namespace, texts: HelpTexts) -> None:
    if given.local is None:
        if given.chat_template is not None:
            raise ConfigError(texts.with_local, hint=texts.see_help)
        return
    others = {"--offline": given.offline, "--base-url": vars(given)["llm.base_url"]}
    for option in filter(others.get, others):
        raise ConfigError(texts.not_with_local.format(option=option), hint=texts.see_help)


def _parser(texts: HelpTexts) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="chyan-agent",
        description=texts.about,
        formatter_class=partial(_Formatter, texts.usage),
        add_help=False,
        allow_abbrev=False,
        exit_on_error=False,
    )
    parser.texts = texts
    asking, settings, more = map(parser.add_argument_group, texts.groups)
    _add_asking(asking, texts)
    for option, (key, placeholder) in SETTINGS.items():
        kind = whole(option, 1, texts) if placeholder == "N" else str
        settings.add_argument(
            option, dest=key, metavar=placeholder, type=kind, help=texts.options[option]
        )
    settings.add_argument("--local", metavar="MODEL", type=Path, help=texts.options["--local"])
    settings.add_argument("--chat-template", metavar="FILE", help=texts.options["--chat-template"])
    settings.add_argument("--config", metavar="FILE", type=Path, help=texts.options["--config"])
    _add_more(more, texts)
    return parser


def _add_asking(group: argparse._ArgumentGroup, texts: HelpTexts) -> None:
    group.add_argument("question", nargs="?", help=texts.options["question"])
    group.add_argument(
        "--session",
        metavar="NAME",
        default=MAIN,
        type=session(texts),
        help=texts.options["--session"],
    )
    group.add_argument(
        "--resume-from-turn",
        metavar="N",
        type=whole("--resume-from-turn", 0, texts),
        help=texts.options["--resume-from-turn"],
    )


def _add_more(group: argparse._ArgumentGroup, texts: HelpTexts) -> None:
    for option in SWITCHES:
        group.add_argument(option, action="store_true", help=texts.options[option])
    group.add_argument(
        "--canary",
        metavar="N",
        type=whole("--canary", 0, texts),
        help=texts.options["--canary"],
    )
    group.add_argument(
        "--write-config", metavar="PATH", type=Path, help=texts.options["--write-config"]
    )
    group.add_argument("--version", action=_ShowVersion, nargs=0, help=texts.options["--version"])
    group.add_argument("-h", "--help", action=_ShowHelp, nargs=0, help=texts.options["--help"])


class _Parser(argparse.ArgumentParser):
    """Reports wrong arguments as ConfigError instead of printing and leaving."""

    texts: HelpTexts

    def error(self, message: str) -> NoReturn:
        """Raise ConfigError."""
        raise ConfigError(message, hint=self.texts.see_help)


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help with room for long option names and the user's word for `usage:`."""

    def __init__(self, word: str, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=100)
        self._word = word

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        """Keep the usage line short: the options are listed below it anyway."""
        short = usage or f"{self._prog} [OPTION ...] [question]"
        super().add_usage(short, actions, groups, prefix or self._word)


class _ShowHelp(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        raise _Show(parser.format_help())


class _ShowVersion(argparse.Action):
    def __call__(self, *_: object) -> NoReturn:
        raise _Show(f"chyan-agent {__version__}\n")
