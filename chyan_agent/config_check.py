"""From untyped tables to settings: each key known, each value of its type and in its range."""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from .config_values import Config, Doc
from .errors import ConfigError
from .tokens import NAMES, known

Flat = Mapping[str, object]
"""Values by dotted key: `{"llm.model": "x", "language": "zh"}`."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key that can be set."""

    name: str
    """Dotted: the section, if any, and the key."""
    type: object
    default: object
    doc: Doc

    @property
    def choices(self) -> tuple[object, ...]:
        """The allowed values, where they are named one by one."""
        return get_args(self.type) if get_origin(self.type) is Literal else ()


@cache
def keys() -> dict[str, Key]:
    """Return every key by its dotted name, in the order of the file."""
    return {key.name: key for key in _keys(Config, "")}


def _keys(cls: type, prefix: str) -> Iterator[Key]:
    types = get_type_hints(cls)
    for entry in fields(cls):
        kind = types[entry.name]
        if is_dataclass(kind):
            yield from _keys(cast("type", kind), f"{entry.name}.")
        else:
            yield Key(prefix + entry.name, kind, entry.default, entry.metadata["doc"])


def sections() -> list[str]:
    """Return the names of the sections."""
    return list(dict.fromkeys(name.split(".")[0] for name in keys() if "." in name))


def flatten(table: Mapping[str, object]) -> dict[str, object]:
    """Turn a parsed file into dotted keys. Raises ConfigError for a section that does not exist."""
    flat: dict[str, object] = {}
    for name, value in table.items():
        if name in sections():
            if not isinstance(value, Mapping):
                raise ConfigError(
                    f"{name} = {_shown(value)}: {name} is a section, not a value",
                    hint=f"write [{name}] on a line of its own and its keys below it",
                )
            flat |= {f"{name}.{key}": item for key, item in value.items()}
        elif isinstance(value, Mapping):
            near = _nearest(name, sections())
            raise ConfigError(f"unknown section [{name}]", hint=_hint(near, sections()))
        else:
            flat[name] = value
    return flat


def build(flat: Flat) -> Config:
    """Return the settings that these values make over the defaults. Raises ConfigError."""
    checked = {name: _checked(name, value) for name, value in flat.items()}
    types = get_type_hints(Config)
    parts: dict[str, Any] = {name: value for name, value in checked.items() if "." not in name}
    for section in sections():
        parts[section] = types[section](**_inside(checked, section))
    return Config(**parts)


def _inside(flat: Flat, section: str) -> dict[str, Any]:
    prefix = f"{section}."
    return {
        name.removeprefix(prefix): value for name, value in flat.items() if name.startswith(prefix)
    }


def _checked(name: str, value: object) -> object:
    key = keys().get(name)
    if key is None:
        raise _unknown(name, value)
    value = _typed(key, value)
    if name == "context.tokenizer" and not known(str(value)):
        raise _refused(
            key, value, f"use one of {', '.join(NAMES)}, or the path of a file in .tiktoken"
        )
    return value


def _typed(key: Key, value: object) -> object:
    """Return the value in its key's type; a whole number will do for a float, nothing else."""
    if key.choices:
        if value not in key.choices:
            raise _refused(key, value, f"use one of {', '.join(map(str, key.choices))}")
        return value
    wanted = _members(key.type)
    whole = float in wanted and type(value) is int
    if type(value) not in wanted and not whole:
        raise _refused(key, value, f"give {_wanted(key)}, not {type(value).__name__}")
    _check_range(key, value)
    return float(cast("int", value)) if whole else value


def _check_range(key: Key, value: object) -> None:
    doc = key.doc
    if not isinstance(value, int | float) or doc.low is None or doc.high is None:
        return
    # Written so that nan, which compares as false with everything, is refused too.
    if not doc.low <= value <= doc.high:
        raise _refused(key, value, f"give {_wanted(key)} from {doc.low:,} to {doc.high:,}")


def _members(kind: object) -> tuple[object, ...]:
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)


_WANTED = {str: "a text in quotes", int: "a whole number", float: "a number"}


def _wanted(key: Key) -> str:
    return next(_WANTED[cast("type", m)] for m in _members(key.type) if m is not NoneType)


def _unknown(name: str, value: object) -> ConfigError:
    near = _nearest(name, list(keys()))
    section = name.rpartition(".")[0]
    siblings = [other for other in keys() if other.rpartition(".")[0] == section]
    # A misspelt api_key would otherwise be shown with its value.
    secret = "key" in name.lower() or (near in keys() and keys()[near].doc.secret)
    shown = "(not shown)" if secret else _shown(value)
    return ConfigError(f"unknown key {name} = {shown}", hint=_hint(near, siblings))


def _refused(key: Key, value: object, hint: str) -> ConfigError:
    shown = "(not shown)" if key.doc.secret else _shown(value)
    return ConfigError(f"{key.name} = {shown} can't be used", hint=hint)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:60]}… ({len(text)} characters)"


def _hint(near: str, names: Iterable[str]) -> str:
    return f"did you mean {near}?" if near else f"known: {', '.join(names)}"


def _nearest(name: str, names: list[str]) -> str:
    """Return the same key in another section, else the name that looks most like this one."""
    last = name.rpartition(".")[2]
    moved = [other for other in names if other.rpartition(".")[2] == last]
    by_name = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    by_key = [
        other for other in names if difflib.get_close_matches(last, [other.rpartition(".")[2]])
    ]
    return next(iter([*moved, *by_name, *by_key]), "")
