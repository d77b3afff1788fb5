"""Settings: from a TOML file, the environment and the command line, in rising precedence."""

import ipaddress
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from .config_check import build, flatten
from .config_file import config_table, write_config
from .config_values import (
    Config,
    ContextConfig,
    LlmConfig,
    LogConfig,
    MemoryConfig,
    ToolsConfig,
)
from .errors import ConfigError
from .prompts.settings import texts

__all__ = [
    "Config",
    "ContextConfig",
    "LlmConfig",
    "LogConfig",
    "MemoryConfig",
    "ToolsConfig",
    "check_budget",
    "config_table",
    "load",
    "warnings",
    "write_config",
]

LEAST_CONVERSATION = 600
"""Tokens that a question, a tool result and a line of summary need at the very least."""
_ENVIRONMENT = {"OPENAI_API_KEY": "llm.api_key", "OPENAI_BASE_URL": "llm.base_url"}
_LOCAL_SUFFIXES = (".localhost", ".local", ".internal", ".lan")


def load(
    path: Path | None,
    *,
    environ: Mapping[str, str],
    overrides: Mapping[str, object],
) -> Config:
    """Return the settings of a file (None: the defaults), then `environ`, then `overrides`.

    Overrides have dotted keys, `{"llm.model": "x"}`; those that are None don't count.
    Raises ConfigError with key, value and hint.
    """
    flat = {} if path is None else _read(path)
    given = {key: environ.get(name, "").strip() for name, key in _ENVIRONMENT.items()}
    flat |= {key: value for key, value in given.items() if value}
    flat |= {key: value for key, value in overrides.items() if value is not None}
    config = build(flat)
    _check_endpoint(config.llm)
    _check_division(config.context)
    return config


def check_budget(config: Config, fixed: int) -> None:
    """Raise ConfigError when no conversation fits beside `fixed` tokens of prompt and tools."""
    context = config.context
    need = fixed + context.reserved_tokens + LEAST_CONVERSATION
    if need > context.context_limit:
        raise ConfigError(
            f"impossible budget: context.context_limit = {context.context_limit}, but prompt and"
            f" tools take {fixed}, context.reserved_tokens = {context.reserved_tokens} is held back"
            f" for the answer, and a conversation needs {LEAST_CONVERSATION}: {need} in all",
            hint=f"set context.context_limit to {need} or more, lower context.reserved_tokens,"
            " or shorten system_prompt",
        )


def warnings(config: Config, path: Path | None) -> list[str]:
    """Return what is allowed but unwise: a key that others can read, or sent in the clear."""
    says = texts(config.language)
    found = []
    if path is not None and _read(path).get("llm.api_key"):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            found.append(says.open_key.format(path=path, mode=f"{mode:04o}"))
    url = urlsplit(config.llm.base_url)
    if url.scheme == "http" and not _is_near(url.hostname or ""):
        found.append(says.clear_text.format(host=url.hostname))
    return found


def _read(path: Path) -> dict[str, object]:
    flat = flatten(_parse(path, _text(path)))
    # A system_prompt pasted below the [context] header belongs to that section as TOML has it.
    nested = flat.pop("context.system_prompt", None)
    if nested is not None:
        if flat.get("system_prompt"):
            raise ConfigError(
                f"{path} sets system_prompt twice: at the top and below [context]",
                hint="keep one of them",
            )
        flat["system_prompt"] = nested
    return flat


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(
            f"can't read the configuration {path}: {error.strerror or error}",
            hint="correct --config, or make a file with --write-config PATH",
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path} is not UTF-8: byte {error.object[error.start]:#04x} at offset {error.start}",
            hint="save the file as UTF-8",
        ) from None


def _parse(path: Path, text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits
        raise ConfigError(
            f"{path} is not TOML: {error}",
            hint="texts stand in quotes, a \\ in them is written \\\\, and each key stands once",
        ) from None


def _check_endpoint(llm: LlmConfig) -> None:
    if not llm.model.strip():
        raise ConfigError(f"llm.model = {llm.model!r} can't be used", hint="name a model")
    if not llm.api_key.isascii() or not llm.api_key.isprintable():
        raise ConfigError(
            "llm.api_key = (not shown) holds characters that no key has",
            hint="copy the key again, without spaces, line ends or quotation marks",
        )
    if llm.base_url and not _is_url(llm.base_url):
        raise ConfigError(
            f"llm.base_url = {llm.base_url!r} is not a URL",
            hint="give something like http://127.0.0.1:11434/v1",
        )


def _is_url(text: str) -> bool:
    try:
        url = urlsplit(text)
        return url.scheme in {"http", "https"} and bool(url.hostname) and url.port != 0
    except ValueError:
        return False


def _check_division(context: ContextConfig) -> None:
    if context.reserved_tokens >= context.context_limit:
        raise ConfigError(
            f"context.reserved_tokens = {context.reserved_tokens} leaves nothing of"
            f" context.context_limit = {context.context_limit}",
            hint="lower reserved_tokens or raise context_limit",
        )


def _is_near(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_LOCAL_SUFFIXES)
    return address.is_private or address.is_loopback
