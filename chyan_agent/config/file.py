"""The settings as text: a commented file to start from, and the table for the guides."""

import os
from contextlib import ExitStack
from pathlib import Path

from ..durable.disk import opened, write_all
from ..errors import ConfigError
from ..prompts import Language
from ..prompts import errors_config as say
from ..prompts.settings import SettingsTexts, texts
from .check import Key, keys


def write_config(path: Path, language: Language) -> None:
    """Write a file that sets each key to its default, with comments, readable by its owner only.

    Raises ConfigError when the file exists or can't be written.
    """
    text = config_text(language).encode("utf-8")
    try:
        with opened(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as file, ExitStack() as undoing:
            # Half a file would load, and stand in the way of another try.
            undoing.callback(path.unlink)
            write_all(file, text)
            undoing.pop_all()
    except FileExistsError:
        raise ConfigError(say.EXISTS.of(path=path), hint=say.EXISTS_HINT) from None
    except OSError as error:
        reason = error.strerror or error
        raise ConfigError(
            say.CANT_WRITE.of(path=path, reason=reason), hint=say.CANT_WRITE_HINT
        ) from None


def config_text(language: Language) -> str:
    """Return the text of a commented file that loads to the defaults in this language."""
    says = texts(language)
    parts = ["".join(f"# {line}\n" for line in says.head.splitlines())]
    section = ""
    for key in keys().values():
        if "." in key.name and key.name.partition(".")[0] != section:
            section = key.name.partition(".")[0]
            parts.append(f"# ── {says.sections[section]} ──\n[{section}]\n{_entry(key, language)}")
        else:
            parts.append(_entry(key, language))
    return _joined(parts)


def _joined(parts: list[str]) -> str:
    """Join with a blank line before each section only."""
    text = parts[0] + "\n"
    for part in parts[1:]:
        text += ("\n" if part.startswith("# ──") else "") + part
    return text


def _entry(key: Key, language: Language) -> str:
    import tomli_w

    name = key.name.rpartition(".")[2]
    value = language if key.name == "language" else key.default
    described = f"# {getattr(key.doc, language)}\n"
    if value is None:
        return f"{described}# {name} = 0.7\n"
    return described + tomli_w.dumps({name: value})


def config_table(language: Language) -> str:
    """Return every key with default and meaning as a Markdown table."""
    says = texts(language)
    rows = (
        f"| `{key.name}` | {_default(key)} | {_meaning(key, language, says)} |"
        for key in keys().values()
    )
    return "\n".join([says.table, "|---|---|---|", *rows]) + "\n"


def _default(key: Key) -> str:
    if key.default is None or key.default == "":
        return "–"
    return f"`{key.default}`"


def _meaning(key: Key, language: Language, says: SettingsTexts) -> str:
    text: str = getattr(key.doc, language)
    if key.doc.low is not None and key.doc.high is not None:
        span = says.span.format(low=f"{key.doc.low:,}", high=f"{key.doc.high:,}")
        text += f"（{span}）" if language == "zh" else f" ({span})"
    return text.replace("|", "\\|")
