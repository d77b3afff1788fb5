"""The offline model: a chat completions server on loopback that answers by rule, and judges."""

from .desk import MODEL
from .options import Fault, Options
from .server import serving, spawned

__all__ = ["MODEL", "Fault", "Options", "serving", "spawned"]
