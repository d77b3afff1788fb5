"""Tools as values: a name, a schema and a function; the toolset that runs them is in `toolset`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..budget import CountTokens
from ..clip import Mode
from ..model import Schema

Arguments = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Context:
    """What a running tool may know about its call."""

    turn: int
    call_id: str
    room: int
    """The most tokens that the result may take."""
    count: CountTokens


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
class Tool:
    """A tool that a model can call. `run` returns a JSON-able object, or raises ToolFailed."""

    name: str
    description: str
    parameters: Schema
    """JSON schema of the arguments object."""
    run: Callable[[Arguments, Context], Mapping[str, object]]
    mutates: bool = False
    """Whether a run changes something outside the conversation: fsynced ahead, never run twice."""

    @property
    def schema(self) -> Schema:
        """The definition as it goes over the wire."""
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
        }
        return {"type": "function", "function": function}
