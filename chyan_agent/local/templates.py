"""Chat templates: a file of the user's, or one that ships with us, by name."""

from pathlib import Path

from ..errors import ConfigError
from ..prompts import local as say

_FOLDER = Path(__file__).parent
NAMES = ("fenced",)
"""Templates that ship with us. `fenced`: ChatML, calls as fenced JSON, for small coder models."""


def template(name: str) -> str:
    """Return the text of a template, by our name or by path. Raises ConfigError."""
    path = _FOLDER / f"{name}.jinja" if name in NAMES else Path(name)
    hint = say.NO_TEMPLATE_HINT.of(names=", ".join(NAMES))
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
    except UnicodeDecodeError:
        reason = "UTF-8"
    raise ConfigError(say.NO_TEMPLATE.of(path=name, reason=reason), hint=hint)
