"""Settings: from a TOML file, the environment and the command line, in rising precedence."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import get_args
from urllib.parse import urlsplit

from ..errors import ConfigError
from ..prompts import Language
from ..prompts import errors_config as say
from ..prompts.said import Said
from ..prompts.settings import texts
from .check import build, flatten
from .file import config_table, write_config
from .trust import check_origin, clear_text, exposed_key
from .values import (
    Config,
    ContextConfig,
    LlmConfig,
    LogConfig,
    MemoryConfig,
    ToolsConfig,
)

__all__ = [
    "Config",
    "ContextConfig",
    "LlmConfig",
    "LogConfig",
    "MemoryConfig",
    "ToolsConfig",
    "check_budget",
    "config_table",
    "language_of",
    "load",
    "warnings",
    "write_config",
]

LEAST_CONVERSATION = 600
"""Tokens that a question, a tool result and a line of summary need at the very least."""
_ENVIRONMENT = {"OPENAI_API_KEY": "llm.api_key", "OPENAI_BASE_URL": "llm.base_url"}
_LINE, _END = re.compile(r" \(at line (\d+), column (\d+)\)"), " (at end of document)"


def load(
    path: Path | None,
    *,
    environ: Mapping[str, str],
    overrides: Mapping[str, object],
    named: bool = True,
) -> Config:
    """Return the settings of a file (None: the defaults), then `environ`, then `overrides`.

    Overrides have dotted keys, `{"llm.model": "x"}`; those that are None don't count. A file
    that the user has not `named`, but that lay there, is not believed in everything.
    Raises ConfigError with key, value and hint.
    """
    written = {} if path is None else _read(path)
    given = {key: environ.get(name, "").strip() for name, key in _ENVIRONMENT.items()}
    chosen: dict[str, object] = {key: value for key, value in given.items() if value}
    chosen |= {key: value for key, value in overrides.items() if value is not None}
    config = build(written | chosen)
    _check_endpoint(config.llm)
    _check_division(config.context)
    if path is not None and not named:
        own = {key for key, value in written.items() if value and key not in chosen}
        check_origin(config, path, own_url="llm.base_url" in own, own_key="llm.api_key" in own)
    return config


def language_of(path: Path) -> Language | None:
    """Return the language that a file asks for, as far as it can be read: to report its errors."""
    try:
        asked = _parse(path, _text(path)).get("language")
    except ConfigError:
        return None
    return next((language for language in get_args(Language) if language == asked), None)


def check_budget(config: Config, fixed: int) -> None:
    """Raise ConfigError when no conversation fits beside `fixed` tokens of prompt and tools."""
    context = config.context
    need = fixed + context.reserved_tokens + LEAST_CONVERSATION
    if need > context.context_limit:
        raise ConfigError(
            say.IMPOSSIBLE_BUDGET.of(
                limit=context.context_limit,
                fixed=fixed,
                reserved=context.reserved_tokens,
                least=LEAST_CONVERSATION,
                need=need,
            ),
            hint=say.IMPOSSIBLE_BUDGET_HINT.of(need=need),
        )


def warnings(config: Config, path: Path | None) -> list[str]:
    """Return what is allowed but unwise: a key that others can read, or sent in the clear."""
    says = texts(config.language)
    held = path is not None and bool(_read(path).get("llm.api_key"))
    found = exposed_key(path, says) if path is not None and held else []
    return found + clear_text(config.llm, says)


def _read(path: Path) -> dict[str, object]:
    flat = flatten(_parse(path, _text(path)))
    # A system_prompt pasted below the [context] header belongs to that section as TOML has it.
    nested = flat.pop("context.system_prompt", None)
    if nested is not None:
        if flat.get("system_prompt"):
            raise ConfigError(say.TWO_PROMPTS.of(path=path), hint=say.TWO_PROMPTS_HINT)
        flat["system_prompt"] = nested
    return flat


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        reason = error.strerror or error
        raise ConfigError(
            say.NO_CONFIG.of(path=path, reason=reason), hint=say.NO_CONFIG_HINT
        ) from None
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise ConfigError(
            say.NOT_UTF8.of(path=path, byte=byte, offset=error.start), hint=say.NOT_UTF8_HINT
        ) from None


def _parse(path: Path, text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits
        raise ConfigError(
            say.NOT_TOML.of(path=path, error=_placed(str(error))), hint=say.NOT_TOML_HINT
        ) from None


def _placed(problem: str) -> Said:
    """Return the parser's words with their place, which it gives in English, in either language."""
    chinese = _LINE.sub(r"（第 \1 行第 \2 列）", problem).replace(_END, "（在文件末尾）")
    return Said(problem, chinese)


def _check_endpoint(llm: LlmConfig) -> None:
    if not llm.model.strip():
        unusable = say.UNUSABLE.of(name="llm.model", value=repr(llm.model))
        raise ConfigError(unusable, hint=say.NO_MODEL_HINT)
    if not llm.api_key.isascii() or not llm.api_key.isprintable():
        raise ConfigError(say.BAD_KEY, hint=say.BAD_KEY_HINT)
    if llm.base_url and not _is_url(llm.base_url):
        raise ConfigError(say.NOT_A_URL.of(url=llm.base_url), hint=say.NOT_A_URL_HINT)


def _is_url(text: str) -> bool:
    try:
        url = urlsplit(text)
        return url.scheme in {"http", "https"} and bool(url.hostname) and url.port != 0
    except ValueError:
        return False


def _check_division(context: ContextConfig) -> None:
    if context.reserved_tokens >= context.context_limit:
        raise ConfigError(
            say.NOTHING_LEFT.of(reserved=context.reserved_tokens, limit=context.context_limit),
            hint=say.NOTHING_LEFT_HINT,
        )
