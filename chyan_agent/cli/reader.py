"""Lines from the user: line editing with history on a terminal, plain lines from anything else.

The only home of prompt_toolkit; without it the built-in line editor serves.
"""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..durable.disk import private
from ..errors import StorageError
from ..messages import clean
from ..prompts.terminal import TerminalTexts

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import FileHistory
    from prompt_toolkit.key_binding import KeyBindings

PROMPT = "› "
LARGEST_HISTORY = 16 << 20
"""Bytes of a history file that is still read."""
LONGEST_REMEMBERED = 10_000
"""Characters of a line that still goes into the history file."""


def interactive() -> bool:
    """Whether a person types at a terminal and sees the answers there."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def lines(
    texts: TerminalTexts, *, history: Path | None, hint: Callable[[str], None]
) -> Iterator[str]:
    """Yield what the user enters until the end of input. `hint` shows a remark.

    Without a `history` file nothing is written, and what was typed is not remembered.
    """
    if not interactive():
        yield from (line.rstrip("\r\n") for line in sys.stdin)
        return
    ask = _editor(texts, history)
    while True:
        try:
            line = ask()
        except KeyboardInterrupt:
            hint(texts.leave)
            continue
        except EOFError:
            return
        yield clean(line)


def _editor(texts: TerminalTexts, history: Path | None) -> Callable[[], str]:
    if history is None:
        return _plain_editor()
    try:
        session = _session(texts, history)
    except ImportError:
        return _plain_editor()
    return lambda: session.prompt(PROMPT)


def _plain_editor() -> Callable[[], str]:
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (importing it gives input() its line editing)
    return lambda: input(PROMPT)


def _session(texts: TerminalTexts, history: Path) -> "PromptSession[str]":
    """Return a line editor that completes commands and remembers lines. Raises ImportError."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.filters import Condition

    words = {usage.split()[0]: what for usage, what in texts.commands.items()}
    completer = WordCompleter(list(words), meta_dict=words, sentence=True)
    session: PromptSession[str] = PromptSession(
        history=history_file(history),
        completer=completer,
        key_bindings=_keys(),
        multiline=True,
        prompt_continuation=" " * len(PROMPT),
    )
    buffer = session.default_buffer
    session.complete_while_typing = Condition(lambda: buffer.text.startswith("/"))
    return session


def _keys() -> "KeyBindings":
    """Enter sends, as in every chat; Alt-Enter opens a new line, and a paste may hold many."""
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()

    @keys.add("enter")
    def _send(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def _break(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys


def history_file(path: Path) -> "FileHistory":
    """Return a history file that only the user can read and that never fails a prompt."""
    from prompt_toolkit.history import FileHistory

    class Private(FileHistory):
        """Skips what can't be written: losing a line of history must not lose the line."""

        def store_string(self, string: str) -> None:
            if len(string) <= LONGEST_REMEMBERED:
                with contextlib.suppress(OSError):
                    super().store_string(clean(string))

        def load_history_strings(self) -> list[str]:
            with contextlib.suppress(OSError):
                if Path(str(self.filename)).stat().st_size <= LARGEST_HISTORY:
                    return list(super().load_history_strings())
            return []

    try:
        with private(path, os.O_CREAT | os.O_WRONLY):
            return Private(str(path))
    except (OSError, StorageError):
        return Private(os.devnull)  # Not a file of ours, or none that can be written.
