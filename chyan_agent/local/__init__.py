"""A model of the user's own, run by llama.cpp's HTTP server in a process beside this one."""

from .gguf import ModelFile, look
from .process import spawned
from .templates import NAMES, template

__all__ = ["NAMES", "ModelFile", "look", "spawned", "template"]
