"""The deliberate errors: a message, and a hint the user can act on."""

from typing import ClassVar

from .form import Want
from .prompts import Language
from .prompts.said import Said


class AgentError(Exception):
    """Base of all deliberate errors. `exit_code` is what the command line ends with.

    `str(error)` and `error.hint` are for logs, and English where both languages are known.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str | Said, *, hint: str | Said = "") -> None:
        super().__init__(str(message))
        self.hint = str(hint)
        self._message = message
        self._hint = hint

    def message_in(self, language: Language) -> str:
        """Return the message for a reader of this language."""
        return _in(language, self._message)

    def hint_in(self, language: Language) -> str:
        """Return the hint for a reader of this language."""
        return _in(language, self._hint)


def _in(language: Language, text: str | Said) -> str:
    return text.text(language) if isinstance(text, Said) else text


class ConfigError(AgentError):
    """A setting or an argument that can't be used: names the key, the value and the way out."""

    exit_code = 2


class VersionError(AgentError):
    """A file written by a newer version. Nothing was changed."""

    exit_code = 3


class CorruptError(AgentError):
    """A state file whose middle is damaged, and the caller asked for strictness."""

    exit_code = 4


class StorageError(AgentError):
    """A write or fsync of state that failed: what was said may not be saved."""

    exit_code = 5


class LockedError(AgentError):
    """Another process holds this session."""

    exit_code = 6


class MissingExtra(AgentError):
    """An optional package is not installed; the hint says which extra brings it."""

    exit_code = 2


class ContextOverflow(AgentError):
    """A request that can't be made to fit. Raised before anything is sent."""


class ModelError(AgentError):
    """The model gave no usable answer."""


class ModelUnavailable(ModelError):
    """No answer for now: network, timeout, rate limit, server error. Worth another try."""


class ModelRefused(ModelError):
    """The request will be refused again if it is sent again: never retried."""


class ModelWants(ModelRefused):
    """The endpoint takes conversations in another form only: worth sending again in that form."""

    def __init__(self, message: str, *, hint: str = "", want: Want) -> None:
        super().__init__(message, hint=hint)
        self.want = want


class ModelOverflow(ModelRefused):
    """The endpoint says that the request is larger than its window."""

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        limit: int | None = None,
        counted: int | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.limit = limit
        """The endpoint's true limit in tokens, where its message names it."""
        self.counted = counted
        """Tokens of the refused prompt, tools included and the answer not, where it names them."""


class AuthError(ModelRefused):
    """The key is missing, wrong, or has no right to this model."""

    exit_code = 7


class ToolFailed(AgentError):
    """A tool could not do what it was asked. Becomes a tool result, never ends a turn."""

    def __init__(self, message: str | Said, *, hint: str | Said) -> None:
        super().__init__(message, hint=hint)
