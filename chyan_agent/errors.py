"""The deliberate errors: a message, and a hint the user can act on."""

from typing import ClassVar


class AgentError(Exception):
    """Base of all deliberate errors. `exit_code` is what the command line ends with."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


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


class ModelOverflow(ModelRefused):
    """The endpoint says that the request is larger than its window."""

    def __init__(self, message: str, *, hint: str = "", limit: int | None = None) -> None:
        super().__init__(message, hint=hint)
        self.limit = limit
        """The endpoint's true limit in tokens, where its message names it."""


class AuthError(ModelRefused):
    """The key is missing, wrong, or has no right to this model."""

    exit_code = 7


class ToolFailed(AgentError):
    """A tool could not do what it was asked. Becomes a tool result, never ends a turn."""
