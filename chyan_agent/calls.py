"""The calls of a turn, run in order; each is recorded before it changes anything."""

from dataclasses import replace

from .budget import compact_json
from .conversation import result_message
from .events import ToolRan
from .messages import Message, ToolCall, ToolResult
from .model import Reply
from .parts import Events, Parts
from .replies import Repeats, with_notice
from .room import result_room
from .shorten import measure
from .state import MessageAdded
from .statements.origin import holds_files, unsigned
from .tools import Context

NUDGE_AT, STOP_AT = 3, 5
"""Times that one call may give one result before the model is told, and before the turn ends."""
SLACK = 4
"""Tokens by which two texts may take more together than one by one."""
MOST_CALLS = 48
"""Calls that one reply may have: each result takes a part of the window, and each write a sync."""


def bounded(reply: Reply) -> tuple[Reply, int]:
    """Return a reply with as many calls as are run at once, and the number of the others."""
    calls = reply.message.tool_calls
    message = replace(reply.message, tool_calls=calls[:MOST_CALLS])
    return replace(reply, message=message), max(len(calls) - MOST_CALLS, 0)


class Calls:
    """Runs the calls of one turn, and sees when a model goes in circles."""

    def __init__(self, parts: Parts, turn: int) -> None:
        self._parts = parts
        self._turn = turn
        self._texts = parts.frame.texts
        self._repeats = Repeats()
        self.asked = 0
        """Calls so far."""

    def run(self, step: int, reply: Reply, message: Message, over: int) -> Events[int]:
        """Run the calls of a reply; return how often the most repeated one gave the same result.

        `message` is what is recorded of it. The last result tells of the calls that are `over`
        what a reply may have.
        """
        worst, left = 0, len(message.tool_calls)
        self.asked += left
        for call, original in zip(message.tool_calls, reply.message.tool_calls, strict=True):
            began, skipped, same = self._parts.clock(), worst >= STOP_AT, 0
            asked = replace(original, id=call.id)
            if reply.finish == "length" or skipped:
                text = self._texts.call_skipped if skipped else self._texts.call_cut_off
                result = ToolResult(compact_json({"error": text}), ok=False)
            else:
                result = self._run(asked, left)
            if not skipped:
                same = self._repeats.count(original, result.content)
            if notice := self._notice(result, same, 0 if left > 1 else over):
                result = self._noticed(asked, result, notice, left)
            worst, left = max(worst, same), left - 1
            self._record(call, result)
            yield ToolRan(self._turn, step, call, result, self._parts.clock() - began)
        return worst

    def _run(self, call: ToolCall, left: int) -> ToolResult:
        parts, name = self._parts, call.id
        if parts.tools.mutates(call.name):
            # Durable before its effect, so that after a crash it is known and never run again.
            name = parts.conversation.intend(call.id, parts.tools.foresee(call))
        return parts.tools.run(call, self._context(name, result_room(parts, left)))

    def _context(self, name: str, room: int) -> Context:
        parts, state = self._parts, self._parts.conversation.state
        kept = state.summary
        return Context(
            self._turn,
            name,
            room,
            parts.meter.count,
            turns=state.turns,
            after_reading=holds_files(kept),
            evidence=(*map(unsigned, kept.facts), *(one.text for one in kept.evidence)),
        )

    def _record(self, call: ToolCall, result: ToolResult) -> None:
        message = result_message(call.id, result.content)
        self._parts.conversation.record(MessageAdded(self._turn, message))

    def _notice(self, result: ToolResult, same: int, over: int) -> str:
        """Return the word to the model that a result carries, where there is one to say."""
        if over:
            return self._texts.calls_over.format(ran=MOST_CALLS, over=over)
        return _word(self._parts, self._repeats, same, done=result.ok)

    def _noticed(self, call: ToolCall, result: ToolResult, notice: str, left: int) -> ToolResult:
        """Return a result with its notice, both within its room.

        What changes nothing is asked for again in less: a page that was cut would lead on to the
        wrong place. Errors and receipts are short.
        """
        tools, count = self._parts.tools, self._parts.meter.count
        told, room = with_notice(result.content, notice), result_room(self._parts, left)
        over = measure(told, count) - room
        if over > 0 and result.ok and not tools.mutates(call.name):
            less = measure(result.content, count) - over - SLACK
            result = tools.run(call, self._context(call.id, less))
            told = with_notice(result.content, notice)
        return replace(result, content=told)


def _word(parts: Parts, repeats: Repeats, same: int, *, done: bool) -> str:
    """Return the word to the model that a result carries, if any.

    A call that failed has to be mended first: who is told to answer now makes an answer up.
    """
    texts, mode = parts.frame.texts, parts.settings.closing
    if same >= NUDGE_AT:
        return texts.nudge.format(count=same)
    weak = repeats.any or parts.meter.form.text_calls or "text_call" in parts.told
    weak = weak and (done or same > 1)
    return texts.closing if mode == "on" or (mode == "auto" and weak) else ""
