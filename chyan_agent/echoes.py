"""Answers that are none: a tool's result said again, its definition, a call that is no call. Pure.

Small models write these where they should answer in words.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from .texttools import RESULT_TAGS, json_values

_FENCE = re.compile(r"\A\s*(?:```\w*\s*)?")
_KEY = re.compile(r'[\[\s]*\{\s*"([^"\\]{1,64})"')
_CALL = re.compile(r'\{+\s*"name"\s*:\s*"([^"\\]*)"\s*,\s*"(?:arguments|parameters)"\s*:')
_NOTICE = "notice"
"""The field of a result that holds a word to the model."""


@dataclass(frozen=True)
class Machinery:
    """What tools are and have said in a turn: an answer that is made of it is none."""

    schemas: Sequence[Mapping[str, object]] = ()
    results: Collection[str] = ()
    words: Collection[str] = ()
    """What results say to the model beside their data."""
    again: bool = False
    """Whether it was asked for once more already: what a user may have wanted is an answer then."""

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys with which a result said again may begin."""
        return frozenset(key for result in self._objects for key in result) | {_NOTICE}

    @cached_property
    def _objects(self) -> list[Mapping[str, object]]:
        values = (value for result in self.results for value in json_values(result) or ())
        return [inner for value in values for inner in _objects_in(value)]

    @cached_property
    def _names(self) -> frozenset[str]:
        functions = (_mapping(schema.get("function")) for schema in self.schemas)
        return frozenset(str(function.get("name")) for function in functions)

    @cached_property
    def _arguments(self) -> frozenset[str]:
        functions = (_mapping(schema.get("function")) for schema in self.schemas)
        taken = (_properties(_mapping(function.get("parameters"))) for function in functions)
        return frozenset(name for properties in taken for name in properties)

    def may_begin(self, text: str) -> bool:
        """Whether an answer that begins so may be a result said again."""
        text = _FENCE.sub("", text)
        key = _KEY.match(text)
        return text.startswith(RESULT_TAGS) or (key is not None and key[1] in self.keys)

    def speaks(self, text: str) -> bool:
        """Whether an answer is nothing but what tools said, how they are defined, or half a call.

        Data that a user asked for is not: neither JSON with other values, nor words.
        """
        text = text.strip()
        if not text:
            return False
        if text in self.words or text.startswith(RESULT_TAGS):
            return True
        values = json_values(text)
        if values is None:
            call = _CALL.match(_FENCE.sub("", text))
            return call is not None and (not self.again or call[1] in self._names)
        return bool(values) and all(map(self._made_of, values))

    def _made_of(self, value: object) -> bool:
        if isinstance(value, list):
            return bool(value) and all(map(self._made_of, value))
        if not isinstance(value, dict) or not value:
            return False
        return self._defines(value) or self._calls(value) or self._repeats(value)

    def _defines(self, value: Mapping[str, object]) -> bool:
        """Whether it is a definition of a tool or of its arguments."""
        function = value.get("function")
        if value.get("type") == "function" and isinstance(function, dict):
            return not self.again or function.get("name") in self._names
        if self.again:
            return False
        taken = _properties(value)
        return value.get("type") == "object" and bool(taken) and self._arguments.issuperset(taken)

    def _calls(self, value: Mapping[str, object]) -> bool:
        """Whether it was meant as a call: of no tool there is, or with its arguments astray."""
        name, more = value.get("name"), value.keys() - {"name"}
        if not isinstance(name, str) or not more:
            return False
        return name in self._names or bool(more & {"arguments", "parameters"} and not self.again)

    def _repeats(self, value: Mapping[str, object]) -> bool:
        said = {key: given for key, given in value.items() if key != _NOTICE}
        if not said or value.get(_NOTICE) in self.words:
            return True
        return not self.again and any(_within(said, result) for result in self._objects)


def _objects_in(value: object) -> Iterator[Mapping[str, object]]:
    parts: Iterable[object] = value if isinstance(value, list) else ()
    if isinstance(value, dict):
        yield value
        parts = value.values()
    for part in parts:
        yield from _objects_in(part)


def _within(said: Mapping[str, object], result: Mapping[str, object]) -> bool:
    return all(key in result and result[key] == given for key, given in said.items())


def _properties(schema: Mapping[str, object]) -> Iterable[str]:
    return _mapping(schema.get("properties"))


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
