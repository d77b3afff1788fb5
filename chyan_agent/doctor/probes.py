"""Plain questions to a server beside the chat protocol: all at once, briefly, without the SDK."""

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from ..hosts import is_loopback
from ..jsontext import parsed

LARGEST = 8 << 20
"""Bytes of an answer that are read; a list of all models of a large service has fewer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; status 0 stands for no answer, and `reason` says why."""

    status: int = 0
    body: object = None
    """JSON, or None."""
    reason: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Question:
    """A GET, or a POST where there is a body."""

    url: str
    body: Mapping[str, object] | None = None


def ask(questions: Mapping[str, Question], *, key: str, patience: float) -> dict[str, Answer]:
    """Ask everything at the same time; what is not answered in time is silent.

    Never takes longer than `patience` seconds, however slowly a server drips.
    """
    answers: dict[str, Answer] = {}

    def run(name: str, question: Question) -> None:
        answers[name] = _answer(question, key, patience)

    threads = [
        # A daemon: a server that never ends must not keep the process from ending.
        threading.Thread(target=run, args=item, daemon=True)
        for item in questions.items()
    ]
    for thread in threads:
        thread.start()
    until = time.monotonic() + patience
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    silent = Answer(reason="timed out", seconds=patience)
    return {name: answers.get(name, silent) for name in questions}


def _answer(question: Question, key: str, patience: float) -> Answer:
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    data = None if question.body is None else json.dumps(question.body).encode()
    began = time.monotonic()
    try:
        request = Request(question.url, data=data, headers=headers)
        with _opener(question.url).open(request, timeout=patience) as response:
            status, raw = response.status, response.read(LARGEST)
    except HTTPError as error:
        with error:
            status, raw = error.code, _rest(error)
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        said = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        return Answer(reason=said, seconds=time.monotonic() - began)
    return Answer(status, parsed(raw), "", time.monotonic() - began)


def _rest(error: HTTPError) -> bytes:
    try:
        return error.read(LARGEST)
    except (OSError, HTTPException):
        return b""


class _NoRedirect(HTTPRedirectHandler):
    """Takes a redirect for an answer: following it would carry the key to another host."""

    def redirect_request(self, *_: Any) -> None:
        """Go nowhere."""


def _opener(url: str) -> OpenerDirector:
    handlers: list[Any] = [_NoRedirect()]
    if is_loopback(urlsplit(url).hostname or ""):
        # A proxy of the environment can't reach this machine's loopback.
        handlers.append(ProxyHandler({}))
    return build_opener(*handlers)
