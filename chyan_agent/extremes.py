"""The largest value of a linear form over a box that linear rules cut down. Pure.

The dual simplex method, small and without a package: it begins at the best corner of the box and
gives way to one broken rule after the other, always where that costs least.
"""

from collections.abc import Sequence

Row = tuple[float, ...]
Rule = tuple[Row, float]
"""`(a, b)` allows the points w with a·w ≤ b."""
Box = tuple[tuple[float, float], ...]
"""The least and the most of each unknown."""

SLACK = 1e-9
"""Rounding is forgiven, by rules whose numbers are about 1."""
MOST_STEPS = 500
"""A dozen is usual. Beyond this the rules are given up as contradictory."""


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the scalar product."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def allows(rule: Rule, point: Row) -> bool:
    """Whether a point keeps to a rule."""
    return dot(rule[0], point) <= rule[1] + SLACK


def highest(goal: Row, rules: Sequence[Rule], box: Box) -> Row | None:
    """Return a point of the box that all rules allow, with the largest goal·w; None without one."""
    corner = [high if g > 0 else low for g, (low, high) in zip(goal, box, strict=True)]
    # Each unknown is measured as its way from the corner, so that it is 0 at the start and the
    # goal can only lose by it.
    inward = [low - high if g > 0 else high - low for g, (low, high) in zip(goal, box, strict=True)]
    size = len(goal)
    table = [
        [b - dot(a, corner), *(x * way for x, way in zip(a, inward, strict=True))] for a, b in rules
    ]
    table += [[1.0, *(float(i == j) for j in range(size))] for i in range(size)]
    table.append([0.0, *(g * way for g, way in zip(goal, inward, strict=True))])
    free = list(range(size))
    bound = [-1] * (len(table) - 1)
    if not _settle(table, free, bound):
        return None
    ways = [0.0] * size
    for line, unknown in zip(table, bound, strict=False):
        if unknown >= 0:
            ways[unknown] = line[0]
    return tuple(c + w * way for c, w, way in zip(corner, ways, inward, strict=True))


def _settle(table: list[list[float]], free: list[int], bound: list[int]) -> bool:
    """Exchange unknowns and rules until no rule is broken. The last line of `table` is the goal.

    `free` names what each column stands for and `bound` each line: an unknown, or -1 for a rule.
    """
    for _ in range(MOST_STEPS):
        broken = min(range(len(bound)), key=lambda i: table[i][0])
        line, goal = table[broken], table[-1]
        if line[0] >= -SLACK:
            return True
        ways = [j for j in range(1, len(line)) if line[j] < -SLACK]
        if not ways:
            return False
        column = min(ways, key=lambda j: goal[j] / line[j])
        _exchange(table, broken, column)
        free[column - 1], bound[broken] = bound[broken], free[column - 1]
    return False


def _exchange(table: list[list[float]], row: int, column: int) -> None:
    pivot = table[row][column]
    line = [x / pivot for x in table[row]]
    line[column] = 1 / pivot
    for number, other in enumerate(table):
        share = other[column]
        if number != row and share:
            table[number] = new = [x - share * y for x, y in zip(other, line, strict=True)]
            new[column] = -share / pivot
    table[row] = line
