"""What the agent needs from a language model, and what comes back."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from .messages import Message

Schema = Mapping[str, object]
"""A tool definition as it goes over the wire: `{"type": "function", "function": {…}}`."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint counted them; 0 where it said nothing."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
        )


@dataclass(frozen=True, slots=True)
class Request:
    """One whole request: exactly what is sent."""

    messages: tuple[Message, ...]
    tools: tuple[Schema, ...] = ()
    max_output: int = 0
    """Upper bound for the answer in tokens; 0 leaves it to the endpoint."""
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer's text, in order."""

    text: str


@dataclass(frozen=True, slots=True)
class Retry:
    """The request failed before anything was shown and will be sent again after `delay` seconds."""

    attempt: int
    delay: float
    reason: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer: what was said, what it cost, why it stopped."""

    message: Message
    usage: Usage = Usage()
    finish: str = "stop"


class Model(Protocol):
    """A language model. Streaming is the only way to ask."""

    def complete(self, request: Request) -> Iterator[Delta | Retry | Reply]:
        """Yield deltas (and retries before the first), then exactly one Reply.

        Raises ModelUnavailable, ModelRefused, ModelOverflow or AuthError.
        """
        ...
