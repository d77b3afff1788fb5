"""The model over the real SDK and real sockets: requests, retries, every class of error."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import openai
import pytest

from chyan_agent.config import LlmConfig
from chyan_agent.errors import (
    AgentError,
    AuthError,
    ModelOverflow,
    ModelRefused,
    ModelUnavailable,
)
from chyan_agent.llm import OpenAIModel
from chyan_agent.llm.openai_model import wire_body
from chyan_agent.messages import Message, ToolCall
from chyan_agent.model import Delta, Reply, Request, Retry
from chyan_agent.prompts.llm import EN, ZH

from .servers import DONE, FOREVER, Script, delta, event, failing, responding, saying, stream

KEY = "sk-0123456789abcdef"
HELLO = Request((Message("user", "你好"),))
FULL = Request(
    messages=(
        Message("system", "be brief"),
        Message("user", "读 a.txt 😀\u2028"),
        Message("assistant", "", (ToolCall("t00001c00", "read", '{"path":"a.txt"}'),)),
        Message("tool", '{"content":"甲"}', tool_call_id="t00001c00"),
    ),
    tools=(
        {
            "type": "function",
            "function": {
                "name": "read",
                "description": "读文件",
                "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
            },
        },
    ),
    max_output=700,
    temperature=0.0,
)


def model(url: str, sleep: Callable[[float], None] = lambda _: None, **fields: Any) -> OpenAIModel:
    """A model with test patience."""
    patience: dict[str, Any] = {"max_retries": 2, "connect_timeout": 60.0, "read_timeout": 60.0}
    config = LlmConfig(**{"base_url": url, "api_key": KEY, "model": "m1", **patience, **fields})
    return OpenAIModel(config, sleep=sleep, rng=random.Random(1))


def ask(url: str, request: Request = HELLO, **fields: Any) -> list[Delta | Retry | Reply]:
    """Everything that one completion yields."""
    return list(model(url, **fields).complete(request))


def failure(kind: type[AgentError], *scripts: Script, **fields: Any) -> AgentError:
    """The error of one completion, which must tell a way out and no secret."""
    with responding(*scripts) as server, pytest.raises(kind) as caught:
        ask(server.url, **fields)
    assert caught.value.hint
    assert KEY not in str(caught.value) + caught.value.hint
    assert len(str(caught.value)) < 400
    assert str(caught.value).isprintable()
    return caught.value


def answer(said: list[Delta | Retry | Reply]) -> str:
    """The text of the reply, which must be what was shown."""
    reply = said[-1]
    assert isinstance(reply, Reply)
    assert reply.message.content == "".join(d.text for d in said if isinstance(d, Delta))
    return reply.message.content


def retries(said: list[Delta | Retry | Reply]) -> list[float]:
    """The delays announced."""
    return [piece.delay for piece in said if isinstance(piece, Retry)]


def test_the_bytes_on_the_wire_are_those_of_an_ordinary_call() -> None:
    """We pass by the SDK's walk over the body; the endpoint must not see a difference."""
    with responding(saying("a"), saying("b")) as server:
        ask(server.url, FULL)
        client = openai.OpenAI(api_key=KEY, base_url=server.url, max_retries=0, timeout=60.0)
        body: Any = wire_body(LlmConfig(model="m1"), FULL)
        with client, client.chat.completions.create(**body) as plain:
            list(plain)
        ours, theirs = server.requests
    assert json.loads(ours.body) == json.loads(theirs.body)
    assert sorted(ours.body) == sorted(theirs.body)  # the same bytes but for the order of keys
    same = [line for line in theirs.head.split(b"\r\n") if not line.startswith(b"x-stainless-read")]
    assert set(same) <= set(ours.head.split(b"\r\n"))


def test_the_body_holds_what_was_asked_and_no_more() -> None:
    """Optional fields are left out rather than sent empty; text goes as UTF-8, unescaped."""
    body = wire_body(LlmConfig(model="m1"), HELLO)
    assert list(body) == ["model", "messages", "stream", "stream_options"]
    assert body["stream_options"] == {"include_usage": True}
    full = wire_body(LlmConfig(model="m1", temperature=0.7), FULL)
    assert (full["max_tokens"], full["temperature"]) == (700, 0.0)
    assert wire_body(LlmConfig(temperature=0.7), HELLO)["temperature"] == 0.7
    with responding(saying("a")) as server:
        ask(server.url)
    assert "你好".encode() in server.requests[0].body


def test_text_arrives_in_pieces_and_the_reply_is_the_whole() -> None:
    """Streaming is the only way to ask."""
    usage = {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}
    with responding(stream(delta(content="北"), delta("length", content="京"), usage)) as server:
        said = ask(server.url)
    assert said[:2] == [Delta("北"), Delta("京")]
    assert answer(said) == "北京"
    assert isinstance(said[-1], Reply)
    assert (said[-1].finish, said[-1].usage.prompt_tokens) == ("length", 5)


def test_the_first_piece_is_shown_before_the_last_is_sent() -> None:
    """Nothing is buffered to the end."""
    with responding(Script([event(delta(content="a"))], stay=FOREVER)) as server:
        assert next(model(server.url).complete(HELLO)) == Delta("a")


@pytest.mark.parametrize(
    ("script", "kind", "words"),
    [
        (failing(401, {"error": {"message": f"bad key {KEY}"}}), AuthError, "401"),
        (failing(403, {"error": {"message": "no access"}}), AuthError, "no access"),
        (failing(400, {"error": {"message": "'messages' is required"}}), ModelRefused, "required"),
        (failing(422, {"detail": [{"msg": "wrong"}]}), ModelRefused, "wrong"),
        (failing(429, {"error": {"code": "insufficient_quota"}}), ModelRefused, "quota"),
        (stream({"error": {"type": "invalid_request_error"}}), ModelRefused, "refused"),
        (Script([b'{"error":{"message":"no","code":401}}\n']), AuthError, "401"),
        (Script([b"<html><p>Log in</p></html>"]), ModelRefused, "Log in"),
        (Script([b'{"status":"ok"}'], chunked=False), ModelRefused, "status"),
    ],
)
def test_what_will_be_refused_again_is_not_sent_again(
    script: Script, kind: type[AgentError], words: str
) -> None:
    """One request, at once an error with a way out."""
    with responding(script) as server, pytest.raises(kind, match=words):
        ask(server.url)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "script",
    [
        failing(408, ""),
        failing(409, {"error": {"message": "conflict"}}),
        failing(429, {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}),
        failing(500, {"error": {"message": ""}}),
        failing(502, "<html><h1>502 Bad Gateway</h1></html>"),
        failing(529, {"error": {"type": "overloaded_error"}}),
        stream({"error": {"message": "upstream timed out", "code": 504}}),
        Script([], cut=True),
        Script([event(delta(content=""))], cut=True),
        Script([event(delta(tool_calls=[{"index": 0, "id": "a"}]))], cut=True),
        Script([event(delta(content="")), b'data: {"choices": [{"del']),
        Script([event(delta(content="")), b"data: {oops}\n\n", DONE]),
        Script([DONE]),
        Script([]),
    ],
)
def test_a_passing_fault_is_retried_and_announced(script: Script) -> None:
    """Nothing was shown yet, so the request may be sent again."""
    slept: list[float] = []
    with responding(script, script, saying("ok")) as server:
        said = ask(server.url, sleep=slept.append)
    assert answer(said) == "ok"
    assert retries(said) == slept
    assert [piece.attempt for piece in said if isinstance(piece, Retry)] == [1, 2]
    assert len({str(json.loads(request.body)["messages"]) for request in server.requests}) == 1


def test_the_number_of_attempts_is_bounded() -> None:
    """max_retries more tries, then the error itself."""
    down = [failing(503, {"error": "down"})] * 9
    with responding(*down) as server, pytest.raises(ModelUnavailable, match="down"):
        ask(server.url, max_retries=3)
    assert len(server.requests) == 4


def test_a_failure_after_something_was_shown_is_not_retried() -> None:
    """The user would see the answer begin twice."""
    with responding(Script([event(delta(content="hal"))], cut=True), saying("x")) as server:
        said = model(server.url).complete(HELLO)
        assert next(said) == Delta("hal")
        with pytest.raises(ModelUnavailable, match="broke off"):
            next(said)
    assert len(server.requests) == 1


@pytest.mark.parametrize("end", [[DONE], [], [b"data: {"]])
@pytest.mark.parametrize("cut", [True, False])
def test_an_answer_that_was_finished_survives_a_bad_end(end: list[bytes], cut: bool) -> None:
    """After finish_reason only the end of the connection is lost."""
    pieces = [event(delta(content="done")), event(delta("stop")), *end]
    with responding(Script(pieces, cut=cut)) as server:
        assert answer(ask(server.url)) == "done"


def test_an_answer_without_finish_reason_is_whole_when_done_was_said() -> None:
    """Some servers never name a reason."""
    with responding(stream(delta(content="a"))) as server:
        said = ask(server.url)
    assert answer(said) == "a"
    assert isinstance(said[-1], Reply)
    assert said[-1].finish == "stop"


def test_an_endpoint_that_does_not_stream_is_understood() -> None:
    """It sends the whole completion as one JSON object."""
    message = {"role": "assistant", "content": "whole"}
    body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}, indent=1)
    with responding(Script([body.encode()], chunked=False)) as server:
        assert answer(ask(server.url)) == "whole"


@pytest.mark.parametrize("cut", [True, False])
def test_a_stream_that_breaks_before_it_begins_is_asked_for_in_one_piece(cut: bool) -> None:
    """A server that fails while streaming can say why only when it answers with a status."""
    said = "This model's maximum context length is 3072 tokens. However, you requested 5238 tokens"
    broken, refused = Script(cut=cut), failing(400, {"error": {"message": said}})
    with responding(broken, refused) as server, pytest.raises(ModelOverflow) as raised:
        ask(server.url)
    assert raised.value.limit == 3072
    assert [json.loads(request.body)["stream"] for request in server.requests] == [True, False]
    whole = {"choices": [{"message": {"content": "whole"}, "finish_reason": "stop"}]}
    with responding(broken, Script([json.dumps(whole).encode()], chunked=False)) as server:
        assert answer(ask(server.url)) == "whole"
    with responding(broken, broken, saying("streamed")) as server:
        assert answer(ask(server.url)) == "streamed"
    assert [json.loads(request.body)["stream"] for request in server.requests] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("headers", "delay"),
    [({"Retry_After": "45"}, 45.0), ({"retry_after_ms": "40000"}, 40.0)],
)
def test_the_endpoint_may_ask_for_a_longer_pause(headers: dict[str, str], delay: float) -> None:
    """Up to twice our own cap."""
    with responding(failing(429, "", **headers), saying("ok")) as server:
        assert retries(ask(server.url)) == [delay]


@pytest.mark.parametrize("value", ["-5", "abc", "1e309", "nan", ""])
def test_a_nonsensical_pause_is_ignored(value: str) -> None:
    """Our own backoff is used."""
    with responding(failing(503, "", Retry_After=value), saying("ok")) as server:
        (pause,) = retries(ask(server.url))
    assert 0 <= pause <= 1


@pytest.mark.parametrize("value", ["86400", "Fri, 31 Dec 2100 00:00:00 GMT", "1e300"])
def test_an_unreasonable_pause_fails_at_once_and_says_so(value: str) -> None:
    """Nobody waits for hours in front of a prompt."""
    error = failure(ModelUnavailable, failing(429, "", Retry_After=value))
    assert "asks to wait" in str(error)


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        (
            {
                "code": 400,
                "message": "request (25029 tokens) exceeds the available context size"
                " (10240 tokens), try increasing it",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": 25029,
                "n_ctx": 10240,
            },
            10240,
        ),
        ({"message": "prompt is too long: 9000 tokens > 8000 maximum"}, 8000),
        ({"message": "too big", "code": "context_length_exceeded"}, None),
    ],
)
def test_an_overflow_names_the_true_limit(body: dict[str, object], limit: int | None) -> None:
    """It is not retried here: the same request would be refused again."""
    error = failure(ModelOverflow, failing(400, {"error": body}))
    assert isinstance(error, ModelOverflow)
    assert error.limit == limit


def test_a_wrong_model_is_named_with_what_the_endpoint_has() -> None:
    """The way out is one of these names."""
    listed = failing(200, {"data": [{"id": "qwen3:8b"}, {"id": "llama4"}, None]})
    missing = failing(404, {"error": {"message": "model 'm1' not found"}})
    error = failure(ModelRefused, missing, listed)
    assert "m1" in str(error)
    assert "qwen3:8b, llama4" in error.hint
    assert "llm.model" in failure(ModelRefused, missing).hint


def test_an_unreachable_endpoint_is_named() -> None:
    """Which URL, and whether the server runs, is what the user needs to know."""
    with responding() as server:
        url = server.url
    said = model(url, max_retries=1).complete(HELLO)
    assert isinstance(next(said), Retry)
    with pytest.raises(ModelUnavailable, match=url) as caught:
        next(said)
    assert "running" in caught.value.hint


def test_silence_is_a_timeout() -> None:
    """Before the first byte and in the middle of an answer."""
    for script in (Script(hang=FOREVER), Script([event(delta(content="a"))], stay=FOREVER)):
        # Should the first byte be late as well, it is asked for again.
        with responding(*[script] * 3) as server, pytest.raises(ModelUnavailable, match="0.1 s"):
            ask(server.url, read_timeout=0.1)


@pytest.mark.parametrize(
    ("fields", "kind", "words"),
    [
        ({"base_url": "", "api_key": ""}, AuthError, "no API key"),
        ({"api_key": "密钥"}, AuthError, "characters"),
        ({"api_key": "a\nb"}, AuthError, "characters"),
        ({"base_url": "localhost:11434/v1"}, ModelRefused, "base_url"),
        ({"base_url": "http://h:99999/v1"}, ModelRefused, "base_url"),
        ({"base_url": "http://[::1/v1"}, ModelRefused, "base_url"),
    ],
)
def test_unusable_settings_fail_before_anything_is_sent(
    fields: dict[str, str], kind: type[AgentError], words: str
) -> None:
    """And in either language."""
    for texts in (EN, ZH):
        config: dict[str, Any] = {"base_url": "http://127.0.0.1:1/v1", **fields}
        unusable = OpenAIModel(LlmConfig(**config), texts=texts)
        with pytest.raises(kind) as caught:
            unusable.warm()
        assert texts is ZH or words in str(caught.value)
        assert caught.value.hint
        with pytest.raises(kind):
            list(unusable.complete(HELLO))


def test_without_a_key_a_local_endpoint_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of the environment is not for it: the configuration alone decides."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ADMIN_KEY", KEY)
    with responding(saying("a"), failing(401, "")) as server:
        ask(server.url, api_key="")
        with pytest.raises(AuthError, match="needs an API key"):
            ask(server.url, api_key="")
    assert server.requests[0].header("authorization") is None


def test_loopback_never_goes_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy could not reach this machine's loopback."""
    with responding(saying("a")) as server, responding() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("ALL_PROXY", proxy.url)
        assert answer(ask(server.url)) == "a"


def test_other_hosts_go_through_the_proxy_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As everywhere; only loopback is an exception."""
    with responding(saying("a")) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.removesuffix("/v1"))
        assert answer(ask("http://model.invalid/v1")) == "a"
    assert proxy.requests[0].head.startswith(b"POST http://model.invalid/v1/chat/completions")


def test_one_connection_serves_all_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the end of the body comes a little after `[DONE]`."""
    monkeypatch.setattr("chyan_agent.llm.watchdog.LINGER", 60.0)
    late = Script([event(delta("stop", content="b")), DONE], stay=0.05)
    with responding(saying("a"), late, saying("c")) as server:
        asked = model(server.url)
        assert [answer(list(asked.complete(HELLO))) for _ in range(3)] == ["a", "b", "c"]
    assert [request.connection for request in server.requests] == [1, 1, 1]


def test_a_body_that_never_ends_does_not_hold_up_a_finished_answer() -> None:
    """Its connection is given up after a moment."""
    endless = Script([event(delta(content="a")), DONE], stay=FOREVER)
    with responding(endless, saying("b")) as server:
        asked = model(server.url, read_timeout=20.0)
        assert [answer(list(asked.complete(HELLO))) for _ in range(2)] == ["a", "b"]
    assert [request.connection for request in server.requests] == [1, 2]


def test_an_answer_that_is_whole_is_not_given_up_for_its_time() -> None:
    """The last piece may come when time is over: then there is nothing more to wait for."""
    last = event(delta("stop", content="b")) + DONE
    with responding(Script([event(delta(content="a")), last], pause=0.2)) as server:
        config = LlmConfig(base_url=server.url, api_key=KEY, max_retries=0)
        assert answer(list(OpenAIModel(config, longest=0.1).complete(HELLO))) == "ab"


def test_a_connection_that_went_stale_is_replaced() -> None:
    """Servers close idle connections."""
    with responding(saying("a"), Script(cut=True), saying("b")) as server:
        asked = model(server.url)
        assert [answer(list(asked.complete(HELLO))) for _ in range(2)] == ["a", "b"]


def test_an_abandoned_answer_closes_its_connection() -> None:
    """A closed browser or Ctrl-C stops the model's work; the next request opens a new one."""
    long = Script([event(delta(content="a"))], stay=FOREVER)
    with responding(long, saying("b")) as server:
        asked = model(server.url)
        said = asked.complete(HELLO)
        assert next(said) == Delta("a")
        said.close()  # type: ignore[attr-defined]
        assert answer(list(asked.complete(HELLO))) == "b"
    assert [request.connection for request in server.requests] == [1, 2]


QUIRKS = [
    (
        "Unsupported parameter: 'max_tokens' is not supported with this model."
        " Use 'max_completion_tokens' instead.",
        {"max_tokens": None, "max_completion_tokens": 700},
    ),
    (
        "Unsupported value: 'temperature' does not support 0.0 with this model.",
        {"temperature": None},
    ),
    ('[{"type": "extra_forbidden", "loc": ["body", "stream_options"]}]', {"stream_options": None}),
]


@pytest.mark.parametrize(("said", "changed"), QUIRKS)
def test_a_parameter_that_is_refused_is_not_sent_again(said: str, changed: dict[str, int]) -> None:
    """The lesson is learned once for all later requests."""
    refusal = failing(400, {"error": {"message": said}})
    with responding(refusal, saying("a"), saying("b")) as server:
        asked = model(server.url)
        assert [answer(list(asked.complete(FULL))) for _ in range(2)] == ["a", "b"]
    first, second, third = (request.json for request in server.requests)
    assert second == third
    assert {k: second.get(k) for k in first | second if first.get(k) != second.get(k)} == changed


def test_empty_text_beside_calls_becomes_null_where_it_is_refused() -> None:
    """Most endpoints want it the other way, so it is the exception."""
    refusal = failing(400, {"error": {"message": "text content blocks must be non-empty"}})
    with responding(refusal, saying("a")) as server:
        ask(server.url, FULL)
    before, after = (request.json["messages"] for request in server.requests)
    assert isinstance(before, list)
    assert isinstance(after, list)
    assert (before[2]["content"], after[2]["content"]) == ("", None)
    assert before[:2] + before[3:] == after[:2] + after[3:]


def test_a_refusal_that_teaches_nothing_new_ends_it() -> None:
    """Sending again is bounded."""
    said = "Unsupported parameter: 'temperature' and text content blocks must be non-empty"
    refusals = [failing(400, {"error": {"message": said}})] * 9
    with responding(*refusals) as server, pytest.raises(ModelRefused):
        ask(server.url, FULL)
    assert len(server.requests) == 4  # null and no content at all are both tried


def test_the_sdk_is_loaded_by_the_first_use_only() -> None:
    """Help, recall and rebuild never pay for it; warm() may pay for it in the background."""
    code = (
        "import sys, threading\n"
        "from chyan_agent.config import LlmConfig\n"
        "from chyan_agent.llm import OpenAIModel\n"
        "model = OpenAIModel(LlmConfig(base_url='http://127.0.0.1:1/v1'))\n"
        "print('openai' in sys.modules, 'httpx2' in sys.modules)\n"
        "thread = threading.Thread(target=model.warm); thread.start(); thread.join()\n"
        "print('openai' in sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "False", "True"]
