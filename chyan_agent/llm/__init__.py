"""The language model over an OpenAI-compatible endpoint. `endpoint` is the one home of openai."""

from .openai_model import OpenAIModel

__all__ = ["OpenAIModel"]
