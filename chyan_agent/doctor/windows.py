"""What servers say of their window, in the places and spellings of each. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

_CARD = (
    "meta.n_ctx",
    "max_model_len",
    "context_length",
    "context_window",
    "max_context_length",
    "max_input_tokens",
    "top_provider.context_length",
    "metadata.context_length",
    "n_ctx",
)
"""Where an entry of `/v1/models` has it: llama.cpp, vLLM, OpenRouter, Groq, Mistral and others."""
_NUM_CTX = re.compile(r"^\s*num_ctx\s+(\d{1,9})\s*$", re.M)
MOST_NAMES = 6


@dataclass(frozen=True, slots=True)
class Window:
    """A window in tokens and who said so."""

    tokens: int
    source: str
    in_force: bool = True
    """False for what the model could do if the server gave it the memory."""


def names(models: object) -> list[str]:
    """Return the names in an answer of `/v1/models`."""
    return [str(card["id"]) for card in _cards(models)]


def listed(model: str, known: list[str]) -> bool:
    """Whether a server that has these models means one of them by this name."""
    return model in known or f"{model}:latest" in known


def close(model: str, known: list[str]) -> list[str]:
    """Return the names that may have been meant, the likeliest first."""
    lower = {name.lower(): name for name in known}
    wanted = model.lower()
    found = get_close_matches(wanted, lower, MOST_NAMES, 0.6)
    found += [name for name in lower if name not in found and (wanted in name or name in wanted)]
    return [lower[name] for name in found[:MOST_NAMES]]


def windows(bodies: Mapping[str, object], model: str) -> list[Window]:
    """Return every window that the answers of a server name for this model, by path."""
    return [
        *_listed_windows(bodies.get("/v1/models"), model),
        *_found(_at(bodies.get("/props"), "default_generation_settings.n_ctx"), "/props"),
        *_ollama(bodies.get("/api/show")),
        *_loaded(bodies.get("/api/ps"), model),
        *_lm_studio(bodies.get("/api/v0/models"), model),
        *_found(_at(bodies.get("/info"), "max_total_tokens"), "/info"),
        *_found(_at(bodies.get(KOBOLD), "value"), KOBOLD),
    ]


KOBOLD = "/api/extra/true_max_context_length"


def _listed_windows(models: object, model: str) -> Iterator[Window]:
    cards = _cards(models)
    mine = [card for card in cards if card["id"] in (model, f"{model}:latest")]
    # A server with one model often answers to any name.
    card = mine[0] if mine else cards[0] if len(cards) == 1 else {}
    for path in _CARD:
        yield from _found(_at(card, path), f"/v1/models {path}")


def _ollama(show: object) -> Iterator[Window]:
    info = _at(show, "model_info")
    for key, value in info.items() if isinstance(info, Mapping) else ():
        if str(key).endswith(".context_length"):
            yield from _found(value, f"/api/show {key}", in_force=False)
    parameters = _at(show, "parameters")
    match = _NUM_CTX.search(parameters) if isinstance(parameters, str) else None
    if match:
        yield from _found(int(match[1]), "/api/show num_ctx")


def _loaded(running: object, model: str) -> Iterator[Window]:
    models = _at(running, "models")
    for entry in models if isinstance(models, list) else ():
        if {_at(entry, "name"), _at(entry, "model")} & {model, f"{model}:latest"}:
            yield from _found(_at(entry, "context_length"), "/api/ps")


def _lm_studio(models: object, model: str) -> Iterator[Window]:
    for card in _cards(models):
        if card["id"] == model:
            path = "/api/v0/models"
            yield from _found(card.get("loaded_context_length"), path)
            yield from _found(card.get("max_context_length"), path, in_force=False)


def _found(value: object, source: str, *, in_force: bool = True) -> Iterator[Window]:
    if isinstance(value, int) and value is not True and value > 0:
        yield Window(value, source, in_force)


def _cards(models: object) -> list[Mapping[str, object]]:
    data = models if isinstance(models, list) else _at(models, "data")
    entries = data if isinstance(data, list) else []
    return [e for e in entries if isinstance(e, Mapping) and isinstance(e.get("id"), str)]


def _at(value: object, path: str) -> object:
    """Return what is at a dotted path of objects, or None."""
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
