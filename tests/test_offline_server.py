"""The offline model on the wire: a real client sees what it sees of a real endpoint."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from openai import (
    APIConnectionError,
    AuthenticationError,
    BadRequestError,
    InternalServerError,
    NotFoundError,
    OpenAI,
    RateLimitError,
)

from chyan_agent.offline import MODEL, Fault, serving, spawned

ROOT = Path(__file__).resolve().parents[1]
READ: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "read",
        "description": "Read a file.",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    },
}
SUM: list[Any] = [{"role": "user", "content": "计算 40+2"}]


def client(url: str, key: str = "any") -> OpenAI:
    """Return a client that neither retries nor waits long."""
    return OpenAI(base_url=url, api_key=key, max_retries=0, timeout=60)


@pytest.fixture
def url() -> Iterator[str]:
    """Where an offline model answers."""
    with serving() as url:
        yield url


def test_a_whole_answer(url: str) -> None:
    """Without a stream, one body holds message, finish reason and usage."""
    with client(url) as openai:
        answer = openai.chat.completions.create(model=MODEL, messages=SUM)
    assert answer.choices[0].message.content == "结果是 42。"
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage is not None
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens


def test_a_streamed_answer(url: str) -> None:
    """A stream opens with the role, brings text in pieces, and closes with reason and usage."""
    with client(url) as openai:
        stream = openai.chat.completions.create(
            model=MODEL, messages=SUM, stream=True, stream_options={"include_usage": True}
        )
        chunks: list[Any] = list(stream)
    assert chunks[0].choices[0].delta.role == "assistant"
    text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    assert text == "结果是 42。"
    assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == "stop"
    assert chunks[-1].choices == []
    assert chunks[-1].usage is not None
    assert len({c.id for c in chunks}) == 1


def test_a_streamed_tool_call(url: str) -> None:
    """Fragments of a call: index, id and name first, then the arguments in pieces."""
    ask: list[Any] = [{"role": "user", "content": "读取 some/longer/path/notes.txt"}]
    tools: list[Any] = [READ]
    with client(url) as openai:
        stream = openai.chat.completions.create(model=MODEL, messages=ask, tools=tools, stream=True)
        every: list[Any] = list(stream)
    chunks = [c for c in every if c.choices]
    fragments = [f for c in chunks for f in c.choices[0].delta.tool_calls or ()]
    first = fragments[0]
    assert first.function is not None
    assert (first.index, first.type, first.function.name) == (0, "function", "read")
    assert first.id
    assert not any(f.id for f in fragments[1:])
    arguments = "".join(f.function.arguments or "" for f in fragments if f.function)
    assert json.loads(arguments) == {"path": "some/longer/path/notes.txt"}
    assert len(fragments) > 2
    assert chunks[-1].choices[0].finish_reason == "tool_calls"


def test_usage_counts_what_is_cached(url: str) -> None:
    """Tokens shared with the beginning of a recent prompt are reported as cached."""
    more = [*SUM, {"role": "assistant", "content": "42"}, {"role": "user", "content": "谢谢"}]
    with client(url) as openai:
        first = openai.chat.completions.create(model=MODEL, messages=SUM).usage
        second = openai.chat.completions.create(model=MODEL, messages=more).usage
    assert first is not None
    assert second is not None
    assert first.prompt_tokens_details is not None
    assert second.prompt_tokens_details is not None
    assert first.prompt_tokens_details.cached_tokens == 0
    assert second.prompt_tokens_details.cached_tokens == first.prompt_tokens - 3
    assert second.prompt_tokens > first.prompt_tokens


def test_an_answer_ends_at_its_token_limit(url: str) -> None:
    """An answer that is longer than `max_tokens` is cut, and says so."""
    with client(url) as openai:
        answer = openai.chat.completions.create(
            model=MODEL, messages=[{"role": "user", "content": "你是谁"}], max_tokens=3
        )
    assert answer.choices[0].finish_reason == "length"
    assert answer.usage is not None
    assert answer.usage.completion_tokens <= 3


def test_the_same_requests_get_the_same_answers() -> None:
    """Two servers with one seed answer a sequence of requests identically, ids included."""
    seen = []
    for _ in range(2):
        with serving(seed=5) as url, client(url) as openai:
            answers = [openai.chat.completions.create(model=MODEL, messages=SUM) for _ in range(2)]
            seen.append([(a.id, a.choices[0].message.content) for a in answers])
    assert seen[0] == seen[1]


def test_models_and_health(url: str) -> None:
    """The model list names the window; health and the judge's counters are open to look at."""
    with client(url) as openai:
        card = next(iter(openai.models.list()))
    assert card.id == MODEL
    assert card.model_dump()["meta"] == {"n_ctx": 10_000}
    root = url.removesuffix("/v1")
    assert get(f"{root}/health") == {"status": "ok"}
    assert get(f"{root}/judge")["requests"] == 0


def get(url: str) -> Any:
    """Return the JSON that stands at an address."""
    with urllib.request.urlopen(url, timeout=60) as answer:
        return json.load(answer)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/nothing", 404),
        ("POST", "/v1/completions", 404),
        ("GET", "/v1/chat/completions", 405),
        ("POST", "/v1/models", 405),
    ],
)
def test_unknown_addresses_get_json_errors(url: str, method: str, path: str, status: int) -> None:
    """A wrong path or method is answered in the shape of an API error; the connection lives on."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    for _ in range(2):
        connection.request(method, path, body=b"{}" if method == "POST" else None)
        answer = connection.getresponse()
        assert answer.status == status
        assert json.load(answer)["error"]["message"]
    connection.close()


@pytest.mark.parametrize(
    "body", [b"", b"not json", b"\xff\xfe", b"[]", b"null", b'"x"', b"[" * 100_000]
)
def test_a_body_that_is_no_request_is_refused(url: str, body: bytes) -> None:
    """Whatever is posted gets a 400, never a broken connection."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    connection.request("POST", "/v1/chat/completions", body=body)
    answer = connection.getresponse()
    assert answer.status == 400
    assert json.load(answer)["error"]["type"] == "invalid_request_error"
    connection.close()


def test_a_request_over_the_limit_is_refused() -> None:
    """The client raises its own error for an overflow, with OpenAI's code and words."""
    with serving(limit=200) as url, client(url) as openai, pytest.raises(BadRequestError) as caught:
        openai.chat.completions.create(
            model=MODEL, messages=[{"role": "user", "content": "long " * 300}]
        )
    assert caught.value.code == "context_length_exceeded"
    assert "maximum context length is 200 tokens" in caught.value.message


def test_a_key_and_a_model_can_be_required() -> None:
    """A wrong key is a 401 and an unknown model a 404, where the server is told to care."""
    with serving(key="right", models=("m1",)) as url:
        with client(url, "wrong") as openai, pytest.raises(AuthenticationError):
            openai.chat.completions.create(model="m1", messages=SUM)
        with client(url, "right") as openai:
            with pytest.raises(NotFoundError) as caught:
                openai.chat.completions.create(model="m2", messages=SUM)
            assert caught.value.code == "model_not_found"
            assert openai.chat.completions.create(model="m1", messages=SUM).choices


def faulty(number: int, body: Mapping[str, Any]) -> Fault | None:
    """Fail the first requests, each in its own way."""
    error = {"error": {"message": "busy", "type": "requests", "code": "rate_limit_exceeded"}}
    return {
        0: Fault(429, error, {"Retry-After": "7"}),
        1: Fault(500, error),
        2: Fault(cut_after=2),
        3: Fault(delay=0.05),
    }.get(number)


def test_faults_happen_on_request() -> None:
    """A test can have single requests answered with an error, cut off or delayed."""
    with serving(faults=faulty) as url, client(url) as openai:
        with pytest.raises(RateLimitError) as limited:
            openai.chat.completions.create(model=MODEL, messages=SUM)
        assert limited.value.response.headers["Retry-After"] == "7"
        with pytest.raises(InternalServerError):
            openai.chat.completions.create(model=MODEL, messages=SUM)
        with pytest.raises(APIConnectionError):
            list(openai.chat.completions.create(model=MODEL, messages=SUM, stream=True))
        assert openai.chat.completions.create(model=MODEL, messages=SUM).choices


def test_the_server_is_gone_afterwards() -> None:
    """Leaving the context closes the port."""
    with serving() as url:
        pass
    with client(url) as openai, pytest.raises(APIConnectionError):
        openai.chat.completions.create(model=MODEL, messages=SUM)


def test_a_spawned_server_answers() -> None:
    """A process of its own serves the same way and ends with the context."""
    with spawned(limit=500) as url:
        with client(url) as openai:
            answer = openai.chat.completions.create(model=MODEL, messages=SUM)
        assert "42" in (answer.choices[0].message.content or "")
    with client(url) as openai, pytest.raises(APIConnectionError):
        openai.models.list()


PARENT = """
import sys, time
from chyan_agent.offline import spawned
with spawned() as url:
    print(url, flush=True)
    time.sleep(60)
"""


def test_a_spawned_server_dies_with_a_killed_parent() -> None:
    """SIGKILL of the parent leaves no server behind."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, cwd=ROOT, text=True
    ) as parent:
        assert parent.stdout is not None
        port = int(urlsplit(parent.stdout.readline().strip()).port or 0)
        os.kill(parent.pid, signal.SIGKILL)
    for _ in range(1200):
        if not listening(port):
            return
        time.sleep(0.05)
    raise AssertionError("the server outlived its parent")


def listening(port: int) -> bool:
    """Whether someone accepts connections on a loopback port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
