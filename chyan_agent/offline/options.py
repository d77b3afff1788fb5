"""How an offline model behaves, and what may go wrong with a request on purpose."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..budget import CountTokens

Dialect = Literal["openai", "llama.cpp"]
"""Whose words a refusal for size has."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with one request, for tests of the client."""

    status: int = 0
    """Answer with this status and `body`; 0 answers as usual."""
    body: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds of silence before the answer."""
    cut_after: int = -1
    """Drop the connection after this many events of the stream; -1 doesn't."""


Faults = Callable[[int, Mapping[str, Any]], Fault | None]
"""Number of the request (from 0) and its body to what goes wrong with it."""


@dataclass(frozen=True, slots=True)
class Scales:
    """How the judge counts, to stand for a model with another tokenizer."""

    factor: float = 1.0
    """Tokens for each of the tokenizer's, text by text, rounded up."""
    overhead: int = 4
    """Tokens of a message beside its texts."""
    count: CountTokens | None = None
    """Counts in place of the tokenizer."""
    dialect: Dialect = "openai"


AS_OURS = Scales()


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How the offline model behaves."""

    limit: int = 10_000
    """Context window in tokens: prompt and answer together."""
    loss: float = 0.3
    """Share of the facts that a condensation loses."""
    seed: int = 0
    tokenizer: str = "o200k_base"
    scales: Scales = AS_OURS
    key: str = ""
    """Refuse requests that don't carry this key; empty takes any."""
    models: tuple[str, ...] = ()
    """Refuse other model names; empty takes any."""
    faults: Faults | None = None
