"""Tools as values: a name, a schema and a function; the toolset that runs them is in `toolset`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from ..budget import CountTokens
from ..clip import Mode
from ..messages import Turn
from ..model import Schema
from ..state import Effect

Arguments = Mapping[str, object]
Outcome = Literal["done", "not_run", "unknown"]
"""What became of a call that was cut off before its result was recorded."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a running tool may know about its call."""

    turn: int
    call_id: str
    """Names the call; of one that changes something, among those of all sessions and branches."""
    room: int
    """The most tokens that the result may take."""
    count: CountTokens
    turns: tuple[Turn, ...] = ()
    """The turns that the window holds; the last is the one that calls."""
    after_reading: bool = False
    """Whether words from files stand in them: what the model says may be theirs."""
    evidence: tuple[str, ...] = ()
    """What is kept of the turns that left the window, oldest first."""

    @property
    def question(self) -> str:
        """What the user asked in this turn."""
        return self.turns[-1].question if self.turns else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most that the tools give back, beside the room of each call. Times are seconds."""

    read_max_lines: int = 500
    truncate: Mode = "auto"
    max_result_tokens: int = 1_500
    max_result_bytes: int = 65_536
    grep_max_matches: int = 50
    search_max_files: int = 100
    regex_timeout: float = 1.0
    top_k: int = 5
    recall_tokens: int = 500


@dataclass(frozen=True, slots=True)
class Change:
    """How to tell, of a tool that changes something, whether a call that was cut off did."""

    foresee: Callable[[Arguments], Effect]
    """What a call is about to change; raises nothing but ToolFailed and OSError."""
    outcome: Callable[[Arguments, Effect, str], Outcome]
    """What became of it, from its arguments, what was foreseen and the call's `call_id`."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a model can call. `run` returns a JSON-able object, or raises ToolFailed."""

    name: str
    description: str
    parameters: Schema
    """JSON schema of the arguments object."""
    run: Callable[[Arguments, Context], Mapping[str, object]]
    change: Change | None = None
    """Of a tool that changes something outside the conversation: recorded ahead, run only once."""
    quotes: bool = False
    """Whether a result holds what somebody else wrote into a file."""

    @property
    def schema(self) -> Schema:
        """The definition as it goes over the wire."""
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
        }
        return {"type": "function", "function": function}
