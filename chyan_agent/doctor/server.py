"""The endpoint, asked without a chat: is it there, does it want a key, what does it have."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from ..config import Config, LlmConfig
from ..hosts import is_loopback
from ..llm.advice import Adviser, public_url
from ..llm.endpoint import HOSTED
from ..llm.faults import read_fault
from ..prompts import doctor as say
from ..prompts import llm as llm_texts
from ..prompts import pick
from . import Check
from .house import failed
from .probes import Answer, Question, ask
from .windows import KOBOLD, MOST_NAMES, Window, close, listed, names, windows

MODELS = "/v1/models"
RUNNING = "/api/ps"


@dataclass(frozen=True, slots=True)
class Server:
    """What was asked of a server, by the path that is usual for it."""

    llm: LlmConfig
    answers: dict[str, Answer]

    @property
    def models(self) -> Answer:
        """Its answer about models, which also tells whether it is there at all."""
        return self.answers[MODELS]

    @property
    def bodies(self) -> dict[str, object]:
        """What it said, in JSON."""
        return {path: answer.body for path, answer in self.answers.items() if answer.status == 200}

    @property
    def windows(self) -> list[Window]:
        """The windows that it names for our model."""
        return windows(self.bodies, self.llm.model)

    def again(self, path: str, patience: float) -> "Server":
        """Return it with one question asked once more."""
        wanted = {path: _questions(self.llm)[path]}
        asked = ask(wanted, key=self.llm.api_key.strip(), patience=patience)
        return Server(self.llm, self.answers | asked)


def probe(llm: LlmConfig, patience: float) -> Server:
    """Ask a server everything at once."""
    return Server(llm, ask(_questions(llm), key=llm.api_key.strip(), patience=patience))


def _questions(llm: LlmConfig) -> dict[str, Question]:
    base = (llm.base_url or HOSTED).partition("?")[0].rstrip("/")
    root = base.removesuffix("/v1")
    name = {"model": llm.model}
    paths = ("/props", RUNNING, "/api/v0/models", "/info", KOBOLD)
    return {
        MODELS: Question(f"{base}/models"),
        "/api/show": Question(f"{root}/api/show", name),
        **{path: Question(root + path) for path in paths},
    }


def adviser(config: Config) -> Adviser:
    """Return the one who words the endpoint's faults."""
    llm = config.llm
    return Adviser(
        pick(config.language, llm_texts.ZH, llm_texts.EN),
        url=llm.base_url or HOSTED,
        model=llm.model,
        key=llm.api_key.strip(),
    )


def missing_key(config: Config) -> Check | None:
    """Return the failure to have a key where nothing is sent without one."""
    host = urlsplit(config.llm.base_url or HOSTED).hostname
    if config.llm.api_key.strip() or host != urlsplit(HOSTED).hostname:
        return None
    return failed("key", adviser(config).no_key())


def reached(server: Server, config: Config) -> Iterator[Check]:
    """Yield what is known of the endpoint and the key; a failure ends the examination."""
    models, url = server.models, public_url(config.llm.base_url or HOSTED)
    if models.status:
        yield Check("endpoint", "ok", say.ENDPOINT.of(url=url, ms=f"{1000 * models.seconds:.0f}"))
    elif "timed out" in models.reason:
        figure = say.SILENT.of(url=url, seconds=f"{models.seconds:.1f}")
        yield Check("endpoint", "warn", figure, say.SILENT_HINT)
    else:
        yield failed("endpoint", adviser(config).unreachable(models.reason))
        return
    if models.status in (401, 403):
        fault = read_fault(models.status, models.body)
        yield failed("key", adviser(config).fault(fault))
        return
    yield _key(config.llm)


def _key(llm: LlmConfig) -> Check:
    host = urlsplit(llm.base_url or HOSTED).hostname or ""
    if llm.api_key.strip():
        return Check("key", "ok", say.KEY_SET.of(length=len(llm.api_key.strip())))
    if is_loopback(host):
        return Check("key", "ok", say.KEY_NOT_NEEDED.of(host=host))
    return Check("key", "warn", say.KEY_NONE.of(host=host), say.KEY_NONE_HINT)


def model(server: Server) -> Check:
    """Return whether the server has the model."""
    known, wanted = names(server.bodies.get(MODELS)), server.llm.model
    if not known:
        status = server.models.status
        hint = say.NO_LIST_HINT if status else ""
        return Check("model", "skip", say.NO_LIST.of(status=status or "-"), hint)
    if listed(wanted, known):
        return Check("model", "ok", say.MODEL.of(model=wanted, count=len(known)))
    likely = close(wanted, known)
    hint = say.CLOSE if likely else say.OFFERS
    shown = ", ".join((likely or known)[:MOST_NAMES])
    figure = say.NOT_LISTED.of(model=wanted, count=len(known))
    return Check("model", "warn", figure, hint.of(names=shown))


def window(found: list[Window], limit: int) -> Check:
    """Return how the window that a server names compares with the one we count on."""
    real = min((w for w in found if w.in_force), key=lambda w: w.tokens, default=None)
    able = min((w for w in found if not w.in_force), key=lambda w: w.tokens, default=None)
    least = min(filter(None, (real, able)), key=lambda w: w.tokens, default=None)
    if least is None:
        return Check("context", "skip", say.UNSAID)
    figures = {"window": f"{least.tokens:,}", "source": least.source, "limit": f"{limit:,}"}
    if least.tokens < limit:
        hint = say.SMALLER_HINT.of(window=figures["window"])
        return Check("context", "fail", say.SMALLER.of(**figures), hint)
    if real is None:
        return Check("context", "warn", say.ABLE.of(**figures), say.ABLE_HINT)
    return Check("context", "ok", say.WINDOW.of(**figures))
