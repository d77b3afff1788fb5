"""Statistics over the columns of a table or the numbers of a text, in one pass over its lines."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .arithmetic import show
from .numbers import given_numbers
from .operations import is_number
from .text import HAN

DELIMITERS = (",", "\t", "|", ";")
MAX_CELLS = 5


@dataclass(slots=True)
class Tally:
    """Count, sum and extremes of numbers, with a label for the extremes."""

    count: int = 0
    total: Fraction = Fraction(0)
    low: Fraction | None = None
    low_label: str = ""
    high: Fraction | None = None
    high_label: str = ""
    values: list[Fraction] = field(default_factory=list)

    def add(self, number: Fraction, label: str) -> None:
        """Take in one more number."""
        self.count += 1
        self.total += number
        self.values.append(number)
        if self.low is None or number < self.low:
            self.low, self.low_label = number, label
        if self.high is None or number > self.high:
            self.high, self.high_label = number, label

    def result(self, kind: str) -> Fraction:
        """Return a statistic of at least one number."""
        assert self.low is not None
        assert self.high is not None
        match kind:
            case "max":
                return self.high
            case "min":
                return self.low
            case "mean":
                return self.total / self.count
            case "median":
                ordered, half = sorted(self.values), len(self.values) // 2
                return (ordered[half] + ordered[~half]) / 2
            case _:
                return self.total

    def state(self) -> list[object]:
        """Return all but the single values, as JSON."""
        low = "" if self.low is None else str(self.low)
        high = "" if self.high is None else str(self.high)
        return [self.count, str(self.total), low, self.low_label, high, self.high_label]

    @classmethod
    def restored(cls, state: Sequence[Any]) -> "Tally":
        """Return the tally of a state."""
        count, total, low, low_label, high, high_label = state
        lowest = Fraction(low) if low else None
        highest = Fraction(high) if high else None
        return cls(count, Fraction(total), lowest, low_label, highest, high_label)


class Table:
    """Folds lines for one question: which column, which rows, is found out on the way."""

    def __init__(self, question: str, *, keep_values: bool = False) -> None:
        self._question = question.casefold()
        self._keep = keep_values
        self._delimiter = ""
        self._header: list[str] = []
        self._started = False
        self._named: list[int] = []
        self._rest = self._question
        self.all = Tally()
        self.some = Tally()
        """Only the rows of which the question names a cell."""
        self.rows = 0
        self.cells: list[str] = []
        """Cells of the named column in the named rows."""
        self.column = ""

    @property
    def best(self) -> Tally:
        """The named rows if there are any, else all."""
        return self.some if self.some.count else self.all

    def take(self, line: str) -> None:
        """Take in the next line."""
        if not line.strip():
            return
        if not self._started:
            self._started = True
            if self._is_header(line):
                return
        cells = self._cells(line)
        if set(line) <= set("|-: "):
            return
        self.rows += 1
        if self._header:
            self._row(cells)
        else:
            for number in given_numbers(line):
                self.all.add(number, line.strip())

    def _is_header(self, line: str) -> bool:
        self._delimiter = max(DELIMITERS, key=line.count)
        if not line.count(self._delimiter):
            return False
        header = self._cells(line)
        if any(map(is_number, header)):
            return False
        self._open(header)
        return True

    def _open(self, header: list[str]) -> None:
        self._header = header
        named = [i for i, name in enumerate(header) if name and _stands(name, self._question)]
        # A name inside a longer named one is not meant: 价 in 单价.
        self._named = [
            i
            for i in named
            if not any(header[i] != header[j] and header[i] in header[j] for j in named)
        ]
        for index in self._named:
            self._rest = self._rest.replace(header[index].casefold(), " ")

    def _cells(self, line: str) -> list[str]:
        if not self._delimiter:
            return [line.strip()]
        inner = line.strip().strip("|") if self._delimiter == "|" else line
        return [cell.strip().strip('"') for cell in inner.split(self._delimiter)]

    def _row(self, cells: list[str]) -> None:
        named_row = any(not is_number(cell) and _stands(cell, self._rest) for cell in cells)
        if named_row and len(self.cells) < MAX_CELLS:
            self.cells += [cells[i] for i in self._named if i < len(cells)][:1]
        index = self._value_column(cells)
        if index is None:
            return
        self.column = self._header[index] if index < len(self._header) else ""
        number, label = Fraction(cells[index].replace(",", "")), self._label(cells, index)
        self.all.add(number, label)
        if named_row:
            self.some.add(number, label)

    def _value_column(self, cells: list[str]) -> int | None:
        numeric = [i for i, cell in enumerate(cells) if is_number(cell)]
        named = [i for i in numeric if i in self._named]
        if named:
            return named[0]
        return numeric[-1] if numeric and not self._named else None

    def _label(self, cells: list[str], value: int) -> str:
        texts = [i for i, c in enumerate(cells) if i != value and c and not is_number(c)]
        named = [i for i in texts if i in self._named]
        plain = [i for i in texts if not re.match(r"\d{4}-\d", cells[i])]
        chosen = (*named, *plain, *texts)
        return cells[chosen[0]] if chosen else ""

    def state(self) -> Mapping[str, object] | None:
        """Return all that is kept as JSON; None when single values are needed to the end."""
        if self._keep:
            return None
        return {
            "header": self._header,
            "by": self._delimiter,
            "rows": self.rows,
            "column": self.column,
            "all": self.all.state(),
            "some": self.some.state(),
            "cells": self.cells,
        }

    def resume(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""
        self._started, self._delimiter = True, state["by"]
        self._open(list(state["header"]))
        self.rows, self.column, self.cells = state["rows"], state["column"], list(state["cells"])
        self.all, self.some = Tally.restored(state["all"]), Tally.restored(state["some"])


def _stands(name: str, text: str) -> bool:
    """Whether a name stands in a text as a whole word; Han names of two characters or more."""
    name = name.casefold()
    if HAN.search(name):
        return len(name) > 1 and name in text
    return (
        bool(name) and re.search(rf"(?<![a-z0-9_]){re.escape(name)}(?![a-z0-9_])", text) is not None
    )


def said(number: Fraction) -> str:
    """Write a number."""
    return show(number)
