"""From untyped tables to settings: each key known, each value of its type and in its range."""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from ..errors import ConfigError
from ..prompts import errors_config as say
from ..prompts.said import Said
from ..tokens import NAMES, SERVED, known
from .values import Config, Doc

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
                    say.NOT_A_VALUE.of(name=name, value=_shown(value)),
                    hint=say.NOT_A_VALUE_HINT.of(name=name),
                )
            flat |= {f"{name}.{key}": item for key, item in value.items()}
        elif isinstance(value, Mapping):
            near = _nearest(name, sections())
            unknown = say.UNKNOWN_SECTION.of(name=name)
            raise ConfigError(unknown, hint=_hint(near, sections()))
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
        raise _refused(key, value, say.TOKENIZER_HINT.of(names=", ".join((*SERVED, *NAMES))))
    return value


def _typed(key: Key, value: object) -> object:
    """Return the value in its key's type; a whole number will do for a float, nothing else."""
    if key.choices:
        if value not in key.choices:
            raise _refused(key, value, say.ONE_OF.of(names=", ".join(map(str, key.choices))))
        return value
    wanted = _members(key.type)
    whole = float in wanted and type(value) is int
    if type(value) not in wanted and not whole:
        raise _refused(key, value, say.WANTED.of(wanted=_wanted(key), found=_kind(type(value))))
    if isinstance(value, str) and "\0" in value:
        raise _refused(key, value, say.NO_NUL)
    _check_range(key, value)
    return float(cast("int", value)) if whole else value


def _check_range(key: Key, value: object) -> None:
    doc = key.doc
    if not isinstance(value, int | float) or doc.low is None or doc.high is None:
        return
    # Written so that nan, which compares as false with everything, is refused too.
    if not doc.low <= value <= doc.high:
        span = say.IN_RANGE.of(wanted=_wanted(key), low=doc.low, high=doc.high)
        raise _refused(key, value, span)


def _members(kind: object) -> tuple[object, ...]:
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)


_KINDS = {
    str: say.TEXT,
    int: say.WHOLE,
    float: say.NUMBER,
    bool: say.TRUTH,
    list: say.LIST,
    dict: say.TABLE,
}


def _kind(of: object) -> Said:
    return _KINDS.get(cast("type", of), say.DATE)  # all else that TOML has


def _wanted(key: Key) -> Said:
    return next(_kind(member) for member in _members(key.type) if member is not NoneType)


def _unknown(name: str, value: object) -> ConfigError:
    near = _nearest(name, list(keys()))
    section = name.rpartition(".")[0]
    siblings = [other for other in keys() if other.rpartition(".")[0] == section]
    # A misspelt api_key would otherwise be shown with its value.
    secret = "key" in name.lower() or (near in keys() and keys()[near].doc.secret)
    shown = say.NOT_SHOWN if secret else _shown(value)
    return ConfigError(say.UNKNOWN_KEY.of(name=name, value=shown), hint=_hint(near, siblings))


def _refused(key: Key, value: object, hint: Said) -> ConfigError:
    shown = say.NOT_SHOWN if key.doc.secret else _shown(value)
    return ConfigError(say.UNUSABLE.of(name=key.name, value=shown), hint=hint)


def _shown(value: object) -> str | Said:
    text = repr(value)
    return text if len(text) <= 80 else say.SHORTENED.of(text=text[:60], length=len(text))


def _hint(near: str, names: Iterable[str]) -> Said:
    return say.DID_YOU_MEAN.of(name=near) if near else say.KNOWN.of(names=", ".join(names))


def _nearest(name: str, names: list[str]) -> str:
    """Return the same key in another section, else the name that looks most like this one."""
    last = name.rpartition(".")[2]
    moved = [other for other in names if other.rpartition(".")[2] == last]
    by_name = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    by_key = [
        other for other in names if difflib.get_close_matches(last, [other.rpartition(".")[2]])
    ]
    return next(iter([*moved, *by_name, *by_key]), "")
