"""Values of command line options, checked and converted."""

import re
from collections.abc import Callable

from ..errors import ConfigError
from ..prompts.arguments import HelpTexts
from ..session import NAME

_WHOLE = re.compile(r"[0-9]{1,9}")


def session(texts: HelpTexts) -> Callable[[str], str]:
    """Return what checks the name of a session. It raises ConfigError."""

    def convert(value: str) -> str:
        if not NAME.fullmatch(value):
            raise ConfigError(texts.bad_session.format(value=value), hint=texts.session_names)
        return value

    return convert


def whole(option: str, least: int, texts: HelpTexts) -> Callable[[str], int]:
    """Return what reads a whole number from `least` up. It raises ConfigError."""

    def convert(value: str) -> int:
        if not (_WHOLE.fullmatch(value) and int(value) >= least):
            text = texts.bad_number.format(option=option, value=value, least=least)
            raise ConfigError(text, hint=texts.see_help)
        return int(value)

    return convert
