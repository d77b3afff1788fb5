"""The turn loop. Opens no file, knows no vendor: everything it needs is handed to it."""

from dataclasses import replace

from .calls import STOP_AT, Calls, bounded
from .echoes import Machinery
from .errors import ModelOverflow, ModelWants, StorageError
from .events import Answered, Stopped, Unsaved
from .gate import prepare, shrink, window
from .messages import Message
from .model import Reply, Request, Usage
from .parts import Events, Parts, send
from .prompts.core import CoreTexts
from .reform import take_form, take_text_calls, tools_ignored
from .replies import minted, reminded
from .room import compact, drop, plan
from .state import MessageAdded
from .window import Window


class Run:
    """One turn on its way; what happens is a stream of events."""

    def __init__(self, parts: Parts, number: int) -> None:
        self._parts = parts
        self._number = number
        self._texts = parts.frame.texts
        self._began = parts.clock()
        self._usage = Usage()
        self._calls = Calls(parts, number)
        self._asked = 0
        self._compacted = False
        self.owed: Message | None = None
        """An answer that was given and could not be recorded."""

    def steps(self) -> Events[None]:
        """Ask, run tools, ask again, until there is an answer or a cap is reached."""
        most, longest = self._parts.settings.max_steps, self._parts.settings.max_seconds
        for step in range(1, most + 1):
            if self._asked >= most:
                break
            if self._parts.clock() - self._began > longest:
                yield self._stop("max_seconds", self._texts.stopped_late.format(seconds=longest))
                return
            yield from self._make_room()
            reply, over = bounded((yield from self._reply(step)))
            message = minted(reply.message, self._number, self._calls.asked + 1)
            if not message.tool_calls:
                yield from self._answer(message)
                return
            self._add(message)
            same = yield from self._calls.run(step, reply, message, over)
            if same >= STOP_AT:
                yield self._stop("repeating", self._texts.stopped_repeating.format(count=same))
                return
        yield self._stop("max_steps", self._texts.stopped_steps.format(count=most))

    def _add(self, message: Message) -> None:
        self._parts.conversation.record(MessageAdded(self._number, message))

    def _make_room(self) -> Events[None]:
        """Let turns leave the window when the strategy says so; at most one compaction a turn."""
        prepare(self._parts)
        wanted = plan(self._parts)
        if wanted.drop:
            drop(self._parts, self._number, wanted.drop)
        if wanted.compact and not self._compacted:
            self._compacted = True
            yield from compact(self._parts, self._number, wanted.compact)

    def _reply(self, step: int) -> Events[Reply]:
        """Return a reply that says something: an empty one is asked for once more, and so is
        one that is made of what tools said or are.

        One that used up its output would only do so again.
        """
        last = self._asked + 1 >= self._parts.settings.max_steps
        reply = yield from self._ask(step, again=False, last=last)
        if _silent(reply) and reply.finish != "length" and not last:
            reply = yield from self._ask(step, again=True, last=True)
        return _with_text(reply, self._texts) if _silent(reply) else reply

    def _ask(self, step: int, *, again: bool, last: bool) -> Events[Reply]:
        """Ask once; after a refusal for size or form, ask once more as the endpoint has it."""
        self._asked += 1
        known = self._known(again=last)
        try:
            reply = yield from self._try(step, known, again=again)
        except ModelOverflow as error:
            yield shrink(self._parts, self._number, error)
            reply = yield from self._try(step, known, again=again)
        self._usage += reply.usage
        return reply

    def _known(self, *, again: bool) -> Machinery:
        """What is no answer; where nothing can be asked `again` less is in doubt."""
        messages = self._parts.conversation.state.turns[-1].messages
        results = tuple(message.content for message in messages if message.role == "tool")
        words = (self._texts.closing,)
        return Machinery(self._parts.tools.schemas, results, words, again=again)

    def _try(self, step: int, known: Machinery, *, again: bool) -> Events[Reply]:
        """Send the window as it is now. Each form is taken on once, so the trials are bounded."""
        parts = self._parts
        while True:
            state = parts.conversation.state
            made = window(parts, reminded(state, self._texts.in_words) if again else state)
            try:
                reply = yield from send(
                    parts, self._number, step, self._request(made), made.ledger, known
                )
            except ModelWants as error:
                yield take_form(parts, self._number, error)
            else:
                if tools_ignored(parts, reply, made.ledger):
                    yield take_text_calls(parts, self._number)
                return reply

    def _request(self, made: Window) -> Request:
        parts = self._parts
        return Request(
            made.messages,
            parts.frame.tools,
            max_output=parts.allowance.reserved,
            temperature=parts.settings.temperature,
        )

    def _answer(self, message: Message) -> Events[None]:
        """Record the answer: acknowledged when it is durable, shown in any case."""
        try:
            self.owed = message
            self._add(message)
            self.owed = None
            self._acknowledge()
        except StorageError:
            yield Unsaved(self._number, message.content)
            raise
        seconds = self._parts.clock() - self._began
        yield Answered(self._number, message.content, self._usage, seconds)

    def _stop(self, reason: str, text: str) -> Stopped:
        self._add(Message("assistant", text))
        self._acknowledge()
        return Stopped(self._number, reason, text)

    def _acknowledge(self) -> None:
        self._parts.conversation.sync()
        self._parts.conversation.save()
        self._parts.learnt.save()


def _silent(reply: Reply) -> bool:
    return not reply.message.content.strip() and not reply.message.tool_calls


def _with_text(reply: Reply, texts: CoreTexts) -> Reply:
    text = texts.used_up if reply.finish == "length" else texts.empty_answer
    return replace(reply, message=replace(reply.message, content=text))
