"""Running what a model asks for. Whatever it sends, it gets a result that it can read."""

from collections.abc import Iterable
from dataclasses import replace

from ..errors import ToolFailed
from ..messages import ToolCall, ToolResult
from ..model import Schema
from ..prompts.tools import ToolTexts
from ..state import Effect
from . import Context, Outcome, Tool
from .arguments import closest, parse, quoted
from .faults import explain
from .provenance import after_reading
from .results import failure, fitted


class Toolset:
    """The tools by name. A bug of ours is not caught; what the model or the world does is."""

    def __init__(self, tools: Iterable[Tool], texts: ToolTexts) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._texts = texts
        self.quoting = frozenset(name for name, tool in self._tools.items() if tool.quotes)
        """The tools whose results show what somebody wrote into files."""

    @property
    def schemas(self) -> tuple[Schema, ...]:
        """The definitions that go with every request."""
        return tuple(tool.schema for tool in self._tools.values())

    def mutates(self, name: str) -> bool:
        """Whether a call of this name may change something outside the conversation."""
        tool = self._tools.get(name)
        return tool is not None and tool.change is not None

    def foresee(self, call: ToolCall) -> Effect:
        """Return what a call that mutates is about to change, as far as that can be known."""
        try:
            tool = self._find(call.name)
            arguments = parse(call.arguments, tool, self._texts)
            return tool.change.foresee(arguments) if tool.change else Effect()
        except (ToolFailed, OSError):
            return Effect()

    def outcome(self, call: ToolCall, effect: Effect, call_id: str) -> Outcome:
        """Tell what became of a call that was about to run; it is never run again."""
        try:
            tool = self._find(call.name)
            arguments = parse(call.arguments, tool, self._texts)
        except ToolFailed:
            return "not_run"
        return tool.change.outcome(arguments, effect, call_id) if tool.change else "not_run"

    def run(self, call: ToolCall, context: Context) -> ToolResult:
        """Run a call. The result is JSON of at most `context.room` tokens, also when it failed."""
        try:
            tool = self._find(call.name)
            arguments = parse(call.arguments, tool, self._texts)
            if tool.change:
                read = context.after_reading or after_reading(context.turns, self.quoting)
                context = replace(context, after_reading=read)
            value = tool.run(arguments, context)
        except ToolFailed as error:
            return self._failed(error, context)
        except OSError as error:
            return self._failed(explain(error, call.name, self._texts), context)
        content, cut = fitted(value, context.room, context.count, self._texts)
        return ToolResult(content, truncated=cut or bool(value.get("truncated")))

    def _find(self, name: str) -> Tool:
        tool = self._tools.get(name)
        if tool is None:
            meant = closest(name, self._tools)
            hint = self._texts.use_one_of.format(names=", ".join(self._tools))
            if meant:
                hint = f"{self._texts.did_you_mean.format(names=meant)} {hint}"
            raise ToolFailed(self._texts.unknown_tool.format(name=quoted(name)), hint=hint)
        return tool

    def _failed(self, error: ToolFailed, context: Context) -> ToolResult:
        language = self._texts.language
        message, hint = error.message_in(language), error.hint_in(language)
        value = failure(message, hint, context.count, self._texts)
        content, cut = fitted(value, context.room, context.count, self._texts)
        return ToolResult(content, ok=False, truncated=cut)
