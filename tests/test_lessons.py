"""What endpoints taught of how to ask them: kept across runs, and given up when it is wrong."""

from pathlib import Path
from typing import Any

import pytest

from chyan_agent.build import build
from chyan_agent.counting import doubt
from chyan_agent.doctor import Patience, Remark
from chyan_agent.doctor.examine import Examination
from chyan_agent.durable.records import seal, unseal
from chyan_agent.events import Answered, Noticed
from chyan_agent.learnt import LASTING, Learnt
from chyan_agent.llm.outputs import is_output_limit, most_output
from chyan_agent.llm.quirks import Quirks
from chyan_agent.prompts.doctor import DOUBTED

from . import strict
from .agents import ask, configured
from .servers import Script, Seen, Server, answering, failing, saying

OUTPUTS = {
    "OpenAI": (
        "max_tokens is too large: 5000. This model supports at most 4096 completion tokens,"
        " whereas you provided 5000.",
        4096,
    ),
    "OpenAI, newer": (
        "Invalid 'max_tokens': integer above maximum value. Expected a value <= 4096, but got 5000"
        " instead.",
        4096,
    ),
    "DeepSeek": ("Invalid max_tokens value, the valid range of max_tokens is [1, 4096]", 4096),
    "DashScope": (
        "<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 2000]",
        2000,
    ),
    "Groq": (
        "`max_tokens` must be less than or equal to `4096`, the maximum value for `max_tokens` is"
        " less than the `context_window` for this model",
        4096,
    ),
    "Anthropic": (
        "max_tokens: 5000 > 4096, which is the maximum allowed number of output tokens for m-3-5",
        4096,
    ),
    "Bedrock": (
        "The maximum tokens you requested exceeds the model limit of 4096. Try again with a"
        " maximum tokens value that is lower than 4096.",
        4095,
    ),
    "Vertex": (
        "Unable to submit request because it has a maxOutputTokens value of 5000 but the supported"
        " range is from 1 (inclusive) to 4097 (exclusive). Update the value and try again.",
        4096,
    ),
    "Cohere": (
        "too many tokens: max tokens must be less than or equal to 4096, the maximum output length"
        " for this model - received 5000.",
        4096,
    ),
    "vLLM, FastAPI": ("max_tokens: Input should be less than or equal to 4096", 4096),
    "Zhipu": ("max_tokens 参数非法。取值范围应为 [1,4095]", 4095),
    "in Chinese": ("max_tokens 不能超过 2,048", 2048),
    "without a figure": ("max_tokens is too large", 2500),
}
NO_OUTPUTS = [
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
    " 'max_completion_tokens' instead.",
    "max_completion_tokens must be at least 16, got 5000",
    "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
    "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context"
    " length is 8192 tokens and your request has 7000 input tokens (5000 > 8192 - 7000).",
    "`inputs` tokens + `max_new_tokens` must be <= 2048. Given: 500 `inputs` tokens",
    "prompt is too long: 5000 tokens > 4096 maximum",
    "'messages' is too short",
    "",
]


@pytest.mark.parametrize("vendor", OUTPUTS)
def test_the_longest_answer_is_read_out_of_a_refusal(vendor: str) -> None:
    """In the words of many; never taken for the size of the window."""
    said, most = OUTPUTS[vendor]
    assert most_output(said, 5000) == most
    assert is_output_limit(said)


@pytest.mark.parametrize("said", NO_OUTPUTS)
def test_other_refusals_say_nothing_of_answers(said: str) -> None:
    """Above all those about the whole request, of which the answer is a part."""
    assert most_output(said, 5000) is None


def test_a_server_that_is_never_satisfied_is_left_soon() -> None:
    """Each time a token less: that is no lesson that ends."""
    quirks, body = Quirks(), {"messages": [], "max_tokens": 5000}
    lessons = 0
    while quirks.learn(
        sent := quirks.apply(body), f"max_tokens must be below {sent['max_tokens']}"
    ):
        lessons += 1
    assert lessons == 3


def shortest(seen: Seen) -> Script:
    """Take no answer of more than 300 tokens."""
    body: dict[str, Any] = seen.json
    said = f"max_tokens is too large: {body['max_tokens']}. At most 300 completion tokens"
    short = body["max_tokens"] <= 300
    return saying("hi") if short else failing(400, {"error": {"message": said}})


def bodies(server: Server) -> list[dict[str, Any]]:
    """Return the chat requests."""
    return [seen.json for seen in server.requests if seen.head.startswith(b"POST")]


def test_a_shorter_answer_is_asked_for_from_the_first_request_on(tmp_path: Path) -> None:
    """Refused once; another start has learnt it."""
    with answering(shortest) as server:
        for _ in range(2):
            with build(configured(tmp_path, server.url)) as agent:
                assert isinstance(ask(agent, "hello")[-1], Answered)
    assert [body["max_tokens"] for body in bodies(server)] == [3500, 300, 300]


def test_forms_are_remembered_and_said(tmp_path: Path) -> None:
    """A second run asks no model for native calls that took none in the first."""
    rule = strict.server(strict.no_tools, then=lambda _: saying("hi"))
    with answering(rule) as server:
        for run in range(2):
            with build(configured(tmp_path, server.url)) as agent:
                events = ask(agent, "hello")
            said = [event.text for event in events if isinstance(event, Noticed)]
            assert any("doctor" in text for text in said) == bool(run)
    assert ["tools" in body for body in bodies(server)] == [True, False, False]


def test_the_doctor_has_the_plain_way_tried_again(tmp_path: Path) -> None:
    """What was learnt of counting stays."""
    rule = strict.server(strict.no_tools, then=lambda _: saying("hi"))

    def answer(seen: Seen) -> Script | None:
        return rule(seen) if seen.head.startswith(b"POST /v1/chat") else failing(404, {})

    with answering(answer) as server:
        config = configured(tmp_path, server.url)
        for _ in range(2):
            with build(config) as agent:
                ask(agent, "hello")
            found = Examination(config=config, patience=Patience(probe=60.0, chat=60.0)).run()
            assert Remark(DOUBTED) in list(found)
            assert not doubt(config)
    chats = [seen.json for seen in server.requests if seen.head.startswith(b"POST /v1/chat")]
    talks = [body for body in chats if body["messages"][-1]["content"].endswith("hello")]  # type: ignore[index]
    assert ["tools" in body for body in talks] == [True, False, True, False]


def test_a_refusal_brings_what_was_remembered_into_doubt(tmp_path: Path) -> None:
    """A server that has changed is asked the plain way again, at once and from then on."""
    old = strict.server(strict.newer_maximum, then=lambda _: saying("hi"))
    new = strict.server(strict.older_maximum, then=lambda _: saying("hi"))
    rule = [old]

    def answer(seen: Seen) -> Script | None:
        return rule[-1](seen)

    with answering(answer) as server:
        for now in (old, new, new):
            rule.append(now)
            with build(configured(tmp_path, server.url)) as agent:
                assert isinstance(ask(agent, "hello")[-1], Answered)
    assert ["max_tokens" in body for body in bodies(server)] == [True, False, False, True, True]


@pytest.mark.parametrize(("days", "kept"), [(0, True), (LASTING - 1, True), (LASTING, False)])
def test_lessons_grow_old(tmp_path: Path, days: int, kept: bool) -> None:
    """A server may have been updated; one more lesson makes the others no younger."""
    path = tmp_path / "endpoints.json"
    first = Learnt(path, "a", day=lambda: 100)
    first.lessons.add("text_calls")
    first.save()
    second = Learnt(path, "a", day=lambda: 101)
    second.lessons.add("reasoning")
    second.save()
    later = Learnt(path, "a", day=lambda: 100 + days)
    assert later.lessons.names == (("text_calls", "reasoning") if kept else ())
    assert not Learnt(path, "a", day=lambda: 99).lessons.names


@pytest.mark.parametrize(
    "bad",
    [None, [], {"day": "x", "names": ["text_calls"]}, {"day": 100, "names": "text_calls"}]
    + [{"day": 100, "names": [["x"], 7, "x" * 65]}],
)
def test_a_strange_entry_teaches_nothing(tmp_path: Path, bad: object) -> None:
    """Nothing is believed that is not what was written."""
    path = tmp_path / "endpoints.json"
    first = Learnt(path, "a", day=lambda: 100)
    first.take_limit(8000)
    first.save()
    data: dict[str, Any] = dict(unseal(path.read_bytes()))
    data["endpoints"]["a"]["lessons"] = bad
    path.write_bytes(seal(data))
    assert Learnt(path, "a", day=lambda: 100).lessons.names == ()
    assert Learnt(path, "a", day=lambda: 100).limit == 8000
