"""The home of the openai package: post a body, get the bytes of the answer back."""

import gc
import threading
import weakref
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..errors import ModelError
from ..hosts import is_loopback
from .advice import Adviser
from .bounds import in_time, staying
from .faults import read_fault
from .patience import asked_delay
from .sse import read_json
from .watchdog import Watchdog

if TYPE_CHECKING:
    import openai

    from ..config import LlmConfig

HttpResponse = Any
"""A response of the HTTP library that the SDK itself uses: httpx2, or httpx in older versions."""

HOSTED = "https://api.openai.com/v1"
"""The endpoint when none is configured."""
_PATH = "/chat/completions"
_GLANCE = 3.0
"""Seconds for the list of models, which only serves a better hint."""


class Endpoint:
    """One endpoint over the SDK, which is imported on first use. Its own retries are off."""

    def __init__(self, config: "LlmConfig", adviser: Adviser, longest: float) -> None:
        self._config = config
        self._longest = longest
        self._advise = adviser
        self._url = config.base_url or HOSTED
        self._key = config.api_key.strip()
        self._lock = threading.Lock()
        self._client: openai.OpenAI | None = None
        self._watchdog = Watchdog()

    def connect(self) -> "openai.OpenAI":
        """Return the SDK client, made once. Raises AuthError, ModelRefused for unusable settings.

        Nothing is sent. May run in a background thread, so that the import costs no one time.
        """
        with self._lock:
            if self._client is None:
                self._client = self._make_client()
                weakref.finalize(self, self._client.close)
            return self._client

    def close(self) -> None:
        """Close the connections. The next request opens new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _make_client(self) -> "openai.OpenAI":
        scheme, host = self._checked()
        import ssl

        with _uncollected():
            import openai

        transport: dict[str, Any] = {}
        if is_loopback(host):
            # A proxy of the environment can't reach this machine's loopback.
            transport["trust_env"] = False
            if scheme == "http":
                # Trusts no certificate at all, and saves loading the system's.
                transport["verify"] = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        config = self._config
        timeout = openai.Timeout(config.read_timeout, connect=config.connect_timeout)
        return openai.OpenAI(
            api_key=self._key or "none",
            base_url=self._url,
            max_retries=0,
            timeout=timeout,
            http_client=openai.DefaultHttpxClient(
                timeout=timeout,
                event_hooks={"response": [staying(self._advise.moved)]},
                **transport,
            ),
        )

    def _checked(self) -> tuple[str, str]:
        """Return scheme and host, refusing what could only fail later and less clearly."""
        try:
            parts = urlsplit(self._url)
            scheme, host, _ = parts.scheme, parts.hostname or "", parts.port
        except ValueError:
            raise self._advise.bad_url() from None
        if scheme not in ("http", "https") or not host:
            raise self._advise.bad_url()
        if not self._key and host == urlsplit(HOSTED).hostname:
            raise self._advise.no_key()
        if not self._key.isascii() or not self._key.isprintable() or " " in self._key:
            raise self._advise.bad_key()
        return scheme, host

    @contextmanager
    def post(self, body: Mapping[str, object]) -> Iterator[Iterator[bytes]]:
        """Send a request and give the bytes of the answer. Raises the deliberate errors only."""
        client = self.connect()
        import openai

        http, opened = _http(), False
        try:
            # Asked for as a plain response, the SDK neither walks the body nor builds models.
            response = client.post(
                _PATH,
                body=body,
                options={} if self._key else {"headers": {"Authorization": openai.Omit()}},
                cast_to=http.Response,
                stream=True,
                stream_cls=openai.Stream[HttpResponse],
            )
            with closing(_plain(response)) as plain:
                opened = True
                pieces = plain.iter_bytes()
                yield in_time(pieces, self._longest, self._advise.endless)
                self._read_to_end(plain, pieces)
        except openai.APIStatusError as error:
            raise self._refusal(client, error.response) from error
        except (openai.APIError, http.HTTPError, OSError) as error:
            raise self._loss(error, opened=opened) from error

    def _read_to_end(self, response: HttpResponse, pieces: Iterator[bytes]) -> None:
        """Read what follows `[DONE]`, so that the next request needs no new connection.

        A server that never ends its body must not hold up a finished answer: it is cut off.
        """
        import socket

        stream = response.extensions.get("network_stream")
        link = stream.get_extra_info("socket") if stream is not None else None
        if not isinstance(link, socket.socket) or response.is_closed:
            return
        with suppress(_http().HTTPError, OSError), self._watchdog.watching(link):
            for _ in pieces:
                pass

    def _refusal(self, client: "openai.OpenAI", response: HttpResponse) -> ModelError:
        body = read_json(response.content) or response.text
        fault = read_fault(response.status_code, body or response.reason_phrase)
        delay = asked_delay(response.headers, datetime.now(UTC))
        offers = _models(client) if fault.verdict == "missing" else ""
        return self._advise.fault(fault, delay=delay, offers=offers)

    def _loss(self, error: Exception, *, opened: bool) -> ModelError:
        import openai

        http = _http()
        # The SDK hides what happened behind its own error; while streaming it is not asked.
        hidden = error.__cause__ if isinstance(error, openai.APIError) else None
        cause = hidden or error
        if isinstance(cause, ModelError):
            return cause
        if isinstance(cause, http.ReadTimeout):
            return self._advise.silent(self._config.read_timeout)
        reason = str(cause) or type(cause).__name__
        return self._advise.cut(reason) if opened else self._advise.unreachable(reason)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Pause garbage collection: an import frees nothing, and a tenth of its time went there."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _models(client: "openai.OpenAI") -> str:
    """Return the names of the endpoint's models for a hint, or nothing if it won't tell."""
    import openai

    http = _http()
    try:
        answer = client.get("/models", cast_to=http.Response, options={"timeout": _GLANCE})
        listed = read_json(answer.content)
    except (openai.APIError, http.HTTPError, OSError):
        return ""
    data = listed.get("data") if isinstance(listed, dict) else None
    models = data if isinstance(data, list) else []
    return ", ".join(str(model.get("id")) for model in models[:12] if isinstance(model, dict))


def _http() -> Any:
    """Return the HTTP library that the SDK uses, without naming a version's choice."""
    import openai

    return import_module(openai.DefaultHttpxClient.__bases__[0].__module__.partition(".")[0])


def _plain(response: Any) -> HttpResponse:
    """Drop the type that the overload promises: with this `cast_to` it is the bare response."""
    return response
