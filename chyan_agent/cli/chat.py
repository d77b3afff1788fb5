"""One question, or a conversation."""

from collections.abc import Iterable
from contextlib import closing
from typing import TYPE_CHECKING

from ..errors import AgentError, ConfigError
from ..events import Stopped
from ..messages import clean
from ..prompts import errors as say
from ..prompts.terminal import TerminalTexts
from .commands import Commands
from .show import Screen

if TYPE_CHECKING:
    from ..agent import Agent
    from ..upkeep import Onlooker

UNANSWERED = 1
"""Exit code of a question whose turn was sealed without an answer."""


class Chat:
    """Takes lines, shows what comes of them."""

    def __init__(self, agent: "Agent | Onlooker", screen: Screen, texts: TerminalTexts) -> None:
        self._agent = agent
        self._screen = screen
        self._texts = texts
        self._commands = Commands(agent, screen, texts)

    def once(self, line: str) -> int:
        """Answer one line and return the exit code. Raises AgentError."""
        if not line.strip():
            raise ConfigError(say.EMPTY_QUESTION, hint=say.EMPTY_QUESTION_HINT)
        return self._answer(line)

    def run(self, lines: Iterable[str]) -> int:
        """Answer line after line, whatever fails; return the exit code of the last failure.

        Where nothing can be saved any more it ends: the next start sees what is on the disk.
        """
        code = 0
        for line in lines:
            code = self._survive(line) or code
            if self._commands.left or self._agent.lost:
                break
        return code

    def _survive(self, line: str) -> int:
        try:
            if line.strip():
                return self._answer(line)
            self._screen.notice("empty", self._texts.empty)
        except KeyboardInterrupt:
            self._screen.notice("interrupted", self._texts.interrupted)
        except AgentError as error:
            self._screen.fail(error)
            return error.exit_code
        return 0

    def _answer(self, line: str) -> int:
        return 0 if self._commands.run(line) else self._ask(clean(line))

    def _ask(self, text: str) -> int:
        code = 0
        with closing(self._agent.run_turn(text)) as events:
            for event in events:
                self._screen.event(event)
                if isinstance(event, Stopped):
                    code = UNANSWERED
        self._screen.meter(len(self._agent.state.turns))
        return code
