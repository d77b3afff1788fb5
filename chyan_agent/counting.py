"""How one endpoint's tokens are counted: by itself, by a vocabulary, and by what it taught."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from .budget import CountTokens
from .config import Config
from .learnt import Learnt, key
from .prompts import errors as say
from .tokens import FALLBACK, SERVED, counter
from .tokens.server import is_near, server_counter

FILE = "endpoints.json"
"""What endpoints taught, in the data directory; all its sessions share it."""


@dataclass(frozen=True, slots=True)
class Counting:
    """A counter of texts, and what is known of how the endpoint counts beside it."""

    count: CountTokens
    learnt: Learnt


@contextmanager
def count_for(config: Config) -> Iterator[Counting]:
    """Yield how to count for the configured endpoint, which may be asked whether it counts."""
    llm, name = config.llm, config.context.tokenizer
    ours = counter(name)
    if name == "server" or (name == "auto" and is_near(llm.base_url)):
        learnt = _learnt(config, "server")
        served = server_counter(
            llm.base_url, llm.model, llm.api_key, fallback=ours, lost=learnt.forget
        )
        if served is not None:
            with closing(served):
                yield Counting(served, learnt)
            return
    learnt = _learnt(config, FALLBACK if name in SERVED else name)
    if name == "server":
        learnt.remarks.append(say.NO_TOKENIZER)
    yield Counting(ours, learnt)


def doubt(config: Config) -> bool:
    """Forget how the endpoint wants to be asked, so that the plain way is tried again.

    Whether anything was known. How it counts, and its limit, stay.
    """
    name = config.context.tokenizer
    known = [_learnt(config, it) for it in {"server", FALLBACK if name in SERVED else name}]
    doubted = [learnt for learnt in known if learnt.lessons.doubt()]
    for learnt in doubted:
        learnt.save()
    return bool(doubted)


def _learnt(config: Config, tokenizer: str) -> Learnt:
    llm, limit = config.llm, config.context.context_limit
    return Learnt(Path(config.data_dir) / FILE, key(llm.base_url, llm.model, tokenizer, limit))
