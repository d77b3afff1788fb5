"""The largest value of a linear form over a box that linear rules cut down. Pure.

Seidel's way: take the rules one by one; where a rule refutes the best point so far, the new best
lies on that rule's border, which is the same question with one unknown less. Quick for the few
unknowns that we have, and without a package.
"""

from collections.abc import Sequence

Row = tuple[float, ...]
Rule = tuple[Row, float]
"""`(a, b)` allows the points w with a·w ≤ b."""
Box = tuple[tuple[float, float], ...]
"""The least and the most of each unknown."""

SLACK = 1e-9
"""Rounding is forgiven, by rules whose numbers are about 1."""


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the scalar product."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def allows(rule: Rule, point: Row) -> bool:
    """Whether a point keeps to a rule."""
    return dot(rule[0], point) <= rule[1] + SLACK


def highest(goal: Row, rules: Sequence[Rule], box: Box) -> Row | None:
    """Return a point of the box that all rules allow, with the largest goal·w; None without one."""
    best: Row = tuple(high if g > 0 else low for g, (low, high) in zip(goal, box, strict=True))
    for number, rule in enumerate(rules):
        if allows(rule, best):
            continue
        moved = _on_border(goal, rule, rules[:number], box)
        if moved is None:
            return None
        best = moved
    return best


def _on_border(goal: Row, border: Rule, rules: Sequence[Rule], box: Box) -> Row | None:
    """Return the best point for which `border` holds as an equation: one unknown is replaced."""
    row, bound = border
    gone = max(range(len(row)), key=lambda i: abs(row[i]) * (box[i][1] - box[i][0]), default=-1)
    if gone < 0 or abs(row[gone]) <= SLACK:
        return None
    pivot = row[gone]
    share: Row = tuple(r / pivot for i, r in enumerate(row) if i != gone)
    start = bound / pivot

    def without(form: Row) -> Row:
        rest = (f for i, f in enumerate(form) if i != gone)
        return tuple(f - form[gone] * s for f, s in zip(rest, share, strict=True))

    low, high = box[gone]
    limits: list[Rule] = [(share, start - low), (tuple(-s for s in share), high - start)]
    inner = [(without(a), b - a[gone] * start) for a, b in rules]
    rest = highest(without(goal), limits + inner, box[:gone] + box[gone + 1 :])
    if rest is None:
        return None
    return (*rest[:gone], start - dot(share, rest), *rest[gone:])
