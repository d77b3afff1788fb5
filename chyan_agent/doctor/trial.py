"""One request through the real client, with a clock and a bound."""

import threading
import time
from dataclasses import dataclass, replace

from ..config import Config
from ..errors import AgentError, ModelUnavailable
from ..llm import OpenAIModel
from ..model import Delta, Reply, Request
from ..prompts import canary as canary_say
from ..prompts import llm as llm_texts
from ..prompts import pick


@dataclass(slots=True)
class Trial:
    """What came of a request; grows while the answer arrives."""

    reply: Reply | None = None
    error: AgentError | None = None
    first: float = 0.0
    """Seconds to the first piece, or to the end where there was none."""
    seconds: float = 0.0
    pieces: int = 0


def attempt(config: Config, request: Request, patience: float) -> Trial:
    """Send a request once and return what came of it within `patience` seconds.

    The client may be slower than the agent's own: that a model is slow is a finding, not a fault.
    """
    slow = max(config.llm.read_timeout, patience)
    llm = replace(config.llm, max_retries=0, read_timeout=slow)
    model = OpenAIModel(llm, texts=pick(config.language, llm_texts.ZH, llm_texts.EN))
    trial = Trial()
    # A daemon: whatever the server does, the process can end.
    thread = threading.Thread(target=_run, args=(model, request, trial), daemon=True)
    thread.start()
    thread.join(patience)
    if thread.is_alive():
        late = ModelUnavailable(
            canary_say.NO_ANSWER.of(seconds=f"{patience:.0f}"), hint=canary_say.NO_ANSWER_HINT
        )
        return Trial(error=late, first=patience, seconds=patience)
    model.close()
    if trial.reply is None and trial.error is None:
        raise RuntimeError("the client gave neither a reply nor an error")
    return trial


def _run(model: OpenAIModel, request: Request, trial: Trial) -> None:
    try:
        model.warm()
        began = time.monotonic()
        for piece in model.complete(request):
            trial.seconds = time.monotonic() - began
            trial.first = trial.first or trial.seconds
            if isinstance(piece, Delta):
                trial.pieces += 1
            elif isinstance(piece, Reply):
                trial.reply = piece
    except AgentError as error:
        trial.error = error
