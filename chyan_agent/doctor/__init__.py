"""The doctor: asks, before a conversation depends on it, what a setup can really do.

Only asked for: a start of the agent sends nothing. `examine.examine` is the whole examination.
"""

from dataclasses import dataclass
from typing import Literal

from ..prompts.said import Said

Verdict = Literal["ok", "warn", "fail", "skip"]
"""fine; works but unwise or unknown; will not work; not looked at."""
Words = str | Said


@dataclass(frozen=True, slots=True)
class Check:
    """One finding. `name` is stable; `exit_code` counts for a failure only."""

    name: str
    verdict: Verdict
    figure: Words
    hint: Words = ""
    exit_code: int = 1


@dataclass(frozen=True, slots=True)
class Remark:
    """A word on what comes next, because it may take long or can't come at all."""

    text: Words


@dataclass(frozen=True, slots=True)
class Patience:
    """The most seconds that each part may take."""

    probe: float = 3.0
    chat: float = 900.0
    """For one answer, the reading of a long prompt by a slow machine included."""
