"""`--local`: a model file served by llama.cpp for as long as the command runs."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from .. import local
from ..config import Config
from ..local.process import size_text
from ..prompts import local as say
from ..prompts.said import Said
from .options import Local
from .show import Screen


@contextmanager
def served(settings: Config, wanted: Local, screen: Screen) -> Iterator[Config]:
    """Start the model and yield settings that talk to it. Raises AgentError."""

    def tell(said: Said) -> None:
        screen.notice("local", said.text(settings.language))

    template = local.template(wanted.template) if wanted.template is not None else ""
    model = local.look(wanted.model)
    limit = settings.context.context_limit
    if 0 < model.window < limit:
        tell(say.SMALLER.of(name=model.name, window=model.window, limit=limit))
        limit = model.window
    began = time.monotonic()
    tell(say.STARTING.of(name=model.name, size=size_text(model.size), window=limit))
    with local.spawned(
        model,
        window=limit,
        template=template,
        waiting=lambda seconds: tell(say.LOADING.of(seconds=seconds)),
    ) as url:
        tell(say.READY.of(seconds=time.monotonic() - began))
        yield replace(
            settings,
            llm=replace(settings.llm, base_url=url, api_key="", model=model.name),
            context=replace(settings.context, context_limit=limit),
        )
