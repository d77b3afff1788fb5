"""The slash commands of the chat."""

import difflib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import ConfigError
from ..events import Compacted
from ..prompts.terminal import TerminalTexts
from . import views
from .memory import MemoryDesk
from .show import Screen

if TYPE_CHECKING:
    from ..agent import Agent
    from ..upkeep import Onlooker

ALIASES = {"exit": "quit", "q": "quit", "?": "help", "clear": "reset", "context": "tokens"}
SHOWN_TURNS = 10

_COMMAND = re.compile(r"/([A-Za-z]+|\?)(?:\s+(.*))?")
_WHOLE = re.compile(r"[0-9]{1,9}")


class Commands:
    """Runs commands against an agent; what they print goes to a screen."""

    def __init__(self, agent: "Agent | Onlooker", screen: Screen, texts: TerminalTexts) -> None:
        self._agent = agent
        self._screen = screen
        self._texts = texts
        self._known: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "reset": self._reset,
            "history": self._history,
            "tokens": self._tokens,
            "summary": self._summary,
            "memory": self._memory,
            "compact": self._compact,
            "rewind": self._rewind,
            "quit": self._quit,
        }
        self.left = False
        """Whether the user has asked to leave."""

    def run(self, line: str) -> bool:
        """Carry out a command; False when the line is not one. Raises AgentError."""
        match = _COMMAND.fullmatch(line.strip())
        if match is None:
            return False
        name = match[1].lower()
        command = self._known.get(ALIASES.get(name, name))
        if command is None:
            self._unknown(name)
        else:
            command((match[2] or "").strip())
        return True

    def _unknown(self, name: str) -> None:
        names = [*self._known, *ALIASES]
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        advice = f"/{near[0]}" if near else "/help"
        text = self._texts.unknown_command.format(name=f"/{name}")
        question = self._texts.did_you_mean.format(name=advice)
        self._screen.notice("unknown_command", f"{text} · {question}")

    def _help(self, _: str) -> None:
        self._screen.say(views.commands(self._texts))

    def _reset(self, _: str) -> None:
        self._agent.reset()
        self._screen.say(self._texts.reset)

    def _history(self, argument: str) -> None:
        count = self._number(argument, "/history", default=SHOWN_TURNS)
        self._screen.say(views.history(self._agent.state, count, self._texts))

    def _tokens(self, _: str) -> None:
        self._screen.say(views.tokens(self._agent.ledger(), self._agent.budget, self._texts))

    def _summary(self, _: str) -> None:
        self._screen.say(views.summary(self._agent.state, self._texts))

    def _memory(self, query: str) -> None:
        MemoryDesk(self._agent.memory, self._screen, self._texts.language).run(query)

    def _compact(self, _: str) -> None:
        compacted = False
        for event in self._agent.compact():
            self._screen.event(event)
            compacted = compacted or isinstance(event, Compacted)
        if not compacted:
            self._screen.say(self._texts.nothing_to_compact)

    def _rewind(self, argument: str) -> None:
        turn = self._number(argument, "/rewind")
        self._agent.rewind(turn)
        self._screen.say(self._texts.rewound.format(turn=turn))

    def _quit(self, _: str) -> None:
        self.left = True

    def _number(self, argument: str, command: str, default: int | None = None) -> int:
        if default is not None and not argument:
            return default
        if not _WHOLE.fullmatch(argument):
            usage = next(u for u in self._texts.commands if u.startswith(command))
            text = self._texts.bad_number if argument else self._texts.no_number
            said = text.format(usage=usage, value=argument)
            raise ConfigError(said, hint=self._texts.see_commands)
        return int(argument)
