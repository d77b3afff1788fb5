"""The doctor finds what is wrong with a setup before a conversation depends on it."""

import json
import os
import random
import socket
from pathlib import Path

import pytest

from chyan_agent.cli import main
from chyan_agent.config import Config, LlmConfig
from chyan_agent.doctor import Check, Patience
from chyan_agent.doctor.answers import speed
from chyan_agent.doctor.canary import LEAST, SHARE, make, measure
from chyan_agent.doctor.examine import Examination
from chyan_agent.doctor.trial import Trial
from chyan_agent.doctor.windows import close, windows
from chyan_agent.durable.lock import Lock
from chyan_agent.messages import Message
from chyan_agent.model import Reply, Usage
from chyan_agent.prompts.canary import CODE_WORDS, FILLER
from chyan_agent.tokens import counter

from .agents import configured
from .llmservers import COUNT, Llm, llama_cpp, models, ollama, running, vllm
from .servers import FOREVER

Found = dict[str, Check]
Out = pytest.CaptureFixture[str]
PATIENT = Patience(probe=60.0, chat=60.0)
"""A loaded machine is no reason to find a server silent."""


def examined(config: Config, **more: object) -> Found:
    """Return the checks by name; of two with one name the last."""
    given: dict[str, object] = {"patience": PATIENT, "chance": random.Random(7), **more}
    found = Examination(config=config, **given).run()  # type: ignore[arg-type]
    return {item.name: item for item in found if isinstance(item, Check)}


def examine(tmp_path: Path, llm: Llm, *, canary: int | None = None, **settings: object) -> Found:
    """Examine a running server."""
    with running(llm):
        given = {"llm__model": "m", "llm__api_key": "", **settings}
        return examined(configured(tmp_path, llm.url, **given), canary=canary)


def verdicts(found: Found) -> dict[str, str]:
    """Return the checks that are not fine."""
    return {name: check.verdict for name, check in found.items() if check.verdict != "ok"}


def said(check: Check) -> str:
    """Return all that a check says, in English."""
    return f"{check.figure} {check.hint}"


# ── servers ──


def test_an_honest_server_is_fine(tmp_path: Path) -> None:
    """Every check passes, in two requests."""
    llm = llama_cpp(16384)
    found = examine(tmp_path, llm, context__tokenizer="auto")
    assert verdicts(found) == {}
    assert list(found) == [
        "config",
        "budget",
        "data",
        "workspace",
        "endpoint",
        "key",
        "model",
        "context",
        "canary",
        "usage",
        "streaming",
        "speed",
        "tools",
    ]
    assert len(llm.chats) == 2
    assert "16,384 by /v1/models meta.n_ctx" in said(found["context"])
    assert "3 of 3 code words" in said(found["canary"])
    assert "/tokenize" in said(found["usage"])


@pytest.mark.parametrize("drops", ["start", "middle"])
@pytest.mark.parametrize("usage", [True, False])
def test_a_server_that_silently_reads_4k_is_found_in_one_call(
    drops: str, usage: bool, tmp_path: Path
) -> None:
    """By its count, or, where it counts nothing and drops the beginning, by the words."""
    llm = Llm(keeps=4096, drops=drops, usage=usage)
    with running(llm):
        config = configured(tmp_path, llm.url, llm__api_key="")
        for item in Examination(config=config, patience=PATIENT).run():
            if isinstance(item, Check) and item.name == "canary":
                assert len(llm.chats) == 1
                proved = usage or drops == "start"
                assert item.verdict == ("fail" if proved else "warn")
                return
    pytest.fail("no canary")


def test_the_window_that_was_found_is_told(tmp_path: Path) -> None:
    """With the size, so that it can be set."""
    check = examine(tmp_path, Llm(keeps=4096))["canary"]
    assert "about 4,1" in said(check) and "num_ctx" in said(check)


@pytest.mark.parametrize("keeps", [1024, 2048, 3000, 4096, 5000])
def test_any_cut_is_noticed_that_takes_a_tenth(keeps: int, tmp_path: Path) -> None:
    """Not 4K alone."""
    assert examine(tmp_path, Llm(keeps=keeps))["canary"].verdict == "fail"


def test_a_model_too_weak_to_repeat_words_is_no_truncation(tmp_path: Path) -> None:
    """The server's count is enough; without it nothing is claimed."""
    assert examine(tmp_path, Llm(weak=True))["canary"].verdict == "ok"
    found = examine(tmp_path, Llm(weak=True, usage=False))
    assert verdicts(found)["canary"] == verdicts(found)["usage"] == "warn"
    assert "nothing is proved" in said(found["canary"])


def test_a_server_without_usage_is_judged_by_the_words(tmp_path: Path) -> None:
    """All three came back: all was read."""
    found = examine(tmp_path, Llm(usage=False))
    assert found["canary"].verdict == "ok" and "no usage" in said(found["usage"])


def test_a_count_that_hides_a_truncation_is_doubted(tmp_path: Path) -> None:
    """Unless the server itself names a window that holds it: then the model is only weak."""
    check = examine(tmp_path, Llm(keeps=4096, counts_all=True))["canary"]
    assert check.verdict == "warn" and "knows only the end" in said(check)
    vouching = vllm(16384, keeps=4096, counts_all=True)
    assert examine(tmp_path, vouching)["canary"].verdict == "ok"


def test_a_count_that_is_far_from_ours_is_told(tmp_path: Path) -> None:
    """With the name of what we count with."""
    for tokenizer, verdict in (("auto", "ok"), ("cl100k_base", "ok"), ("bytes", "ok")):
        found = examine(tmp_path, Llm(), canary=1000, context__tokenizer=tokenizer)
        assert found["usage"].verdict == verdict
        assert tokenizer.replace("auto", "o200k_base") in said(found["usage"])


def test_a_window_smaller_than_set_fails(tmp_path: Path) -> None:
    """llama.cpp and vLLM say it, and refuse the canary with the true limit."""
    for llm in (llama_cpp(4096), vllm(4096)):
        found = examine(tmp_path, llm)
        assert found["context"].verdict == found["canary"].verdict == "fail"
        assert "4,096" in said(found["context"]) and "10,000" in said(found["context"])
        assert "the server's window is 4,096" in said(found["canary"])
        assert found["tools"].verdict == "ok"


def test_ollama_is_asked_again_once_the_model_runs(tmp_path: Path) -> None:
    """Before it runs only the model's own window is known, which is not what it gets."""
    with running(ollama(4096)) as llm:
        config = configured(tmp_path, llm.url, llm__model="m", llm__api_key="")
        found = list(Examination(config=config, patience=PATIENT).run())
    checks = [item for item in found if isinstance(item, Check) and item.name == "context"]
    assert [check.verdict for check in checks] == ["warn", "fail"]
    assert "4,096 by /api/ps" in said(checks[1])
    assert llm.seen.count(("/api/show", {"model": "m"})) == 1


def test_ollama_with_a_model_that_runs_or_is_set_up_is_known_at_once(tmp_path: Path) -> None:
    """By what is loaded, or by the model's own parameters."""
    assert examine(tmp_path, ollama(4096, loaded=True))["context"].verdict == "fail"
    found = examine(tmp_path, ollama(12000, parameters="stop x\nnum_ctx    12000\n"))
    assert "12,000 by /api/show num_ctx" in said(found["context"])
    assert found["context"].verdict == "ok"


@pytest.mark.parametrize(
    ("tools", "verdict", "words"),
    [
        ("native", "ok", "native: remember"),
        ("text", "warn", "written as text"),
        ("broken", "warn", "can't be used"),
        ("none", "warn", "not called"),
        ("refuse", "warn", "takes no tools"),
    ],
)
def test_the_form_of_tool_calls_is_told(
    tools: str, verdict: str, words: str, tmp_path: Path
) -> None:
    """Native, as text, broken, ignored, refused."""
    check = examine(tmp_path, Llm(tools=tools), canary=0)["tools"]
    assert check.verdict == verdict and words in said(check)


def test_how_the_answer_comes_is_told(tmp_path: Path) -> None:
    """In one piece, without visible text, or with an end that the protocol does not have."""
    one = examine(tmp_path, Llm(pieces=1), canary=LEAST)["streaming"]
    assert one.verdict == "warn" and "one piece" in said(one)
    none = examine(tmp_path, Llm(pieces=99, finish="length"), canary=LEAST)["streaming"]
    assert none.verdict == "warn" and "no visible text in 9 tokens" in said(none)
    call = examine(tmp_path, Llm(), canary=0)["streaming"]
    assert call.verdict == "ok" and "a tool call after" in said(call)
    odd = examine(tmp_path, Llm(finish="because"), canary=LEAST)["streaming"]
    assert odd.verdict == "warn" and "because" in said(odd)


def test_a_model_that_is_not_there_is_named_with_what_is_like_it(tmp_path: Path) -> None:
    """Close names first, or else what there is."""
    cards = models({"id": "qwen2.5-coder:7b"}, {"id": "llama3.2:3b"})
    llm = Llm(pages={"/v1/models": cards})
    found = examine(tmp_path, llm, canary=0, llm__model="qwen2.5-coder")
    assert "did you mean qwen2.5-coder:7b?" in said(found["model"])
    found = examine(tmp_path, llm, canary=0, llm__model="xyz")
    assert "the server has qwen2.5-coder:7b, llama3.2:3b" in said(found["model"])
    assert close("GPT-4o-mini", ["gpt-4o-mini", "o3"]) == ["gpt-4o-mini"]


def test_a_server_without_pages_is_no_failure(tmp_path: Path) -> None:
    """No list of models and no window: the canary is what counts."""
    found = examine(tmp_path, Llm())
    assert verdicts(found) == {"model": "skip", "context": "skip"}


def test_a_key_is_asked_for_where_it_is_needed(tmp_path: Path) -> None:
    """A wrong one ends it with the exit code of the class, and is never shown."""
    llm = Llm(key="right-key-123456")
    wrong = examine(tmp_path, llm, llm__api_key="wrong-key-123456")
    assert (wrong["key"].verdict, wrong["key"].exit_code) == ("fail", 7)
    assert "canary" not in wrong and "wrong-key" not in str(wrong)
    right = examine(tmp_path, llm, llm__api_key="right-key-123456", canary=0)
    assert right["key"].verdict == "ok" and "right-key" not in str(right)
    none = examined(configured(tmp_path, "", llm__api_key=""))
    assert (none["key"].verdict, none["key"].exit_code) == ("fail", 7)
    assert "endpoint" not in none


def test_a_dead_port_ends_it_at_once(tmp_path: Path) -> None:
    """With the words of the agent itself."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    found = examined(configured(tmp_path, f"http://127.0.0.1:{port}/v1"))
    assert found["endpoint"].verdict == "fail" and "refused" in said(found["endpoint"])
    assert list(found)[-1] == "endpoint"


@pytest.mark.parametrize(
    ("llm", "chat", "verdict"),
    [(Llm(drips=True), 60.0, "ok"), (Llm(silent=FOREVER), 0.2, "fail")],
    ids=["drips", "silent"],
)
def test_it_never_hangs(
    llm: Llm, chat: float, verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that says nothing, or a byte at a time for ever, takes only the time it is given."""
    monkeypatch.setattr("chyan_agent.tokens.server.PROBE_SECONDS", 0.2)
    with running(llm):
        config = configured(tmp_path, llm.url, llm__api_key="", context__tokenizer="auto")
        found = examined(config, patience=Patience(probe=0.2, chat=chat))
    assert found["endpoint"].verdict == "warn"
    assert found["canary"].verdict == verdict


def test_a_redirect_does_not_carry_the_key_elsewhere(tmp_path: Path) -> None:
    """It is an answer like any other."""
    with running(Llm()) as other, running(Llm()) as llm:
        llm.moved = other.url
        found = examined(configured(tmp_path, llm.url, llm__api_key="a-secret-key"), canary=0)
    assert found["model"].verdict == "skip" and "302" in said(found["model"])
    assert other.seen == []


# ── this side ──


def test_what_can_not_be_used_of_this_side_fails(tmp_path: Path) -> None:
    """Each with the exit code of its class."""
    (tmp_path / "data").write_text("a file")
    (tmp_path / "workspace").write_text("a file")
    found = examine(tmp_path, Llm(), canary=0, context__context_limit=4300)
    failures = {n: c.exit_code for n, c in found.items() if c.verdict == "fail"}
    assert failures == {"budget": 2, "data": 5, "workspace": 2}


def test_folders_that_are_there_stay_as_they_are(tmp_path: Path) -> None:
    """Nothing but the lock is left behind, and folders that are missing stay so."""
    examine(tmp_path, Llm(), canary=0)
    assert list(tmp_path.iterdir()) == []
    for name in ("data", "workspace"):
        (tmp_path / name).mkdir()
    found = examine(tmp_path, Llm(), canary=0)
    assert "writable" in said(found["data"]) and "writable" in said(found["workspace"])
    assert sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*")) == [
        "data",
        "data/.lock",
        "workspace",
    ]


def test_a_session_that_is_in_use_is_a_remark(tmp_path: Path) -> None:
    """Whoever asks may have a chat open beside it."""
    with Lock(tmp_path / "data"):
        check = examine(tmp_path, Llm(), canary=0)["data"]
    assert check.verdict == "warn" and str(os.getpid()) in said(check)


@pytest.mark.parametrize("name", ["file/data", "x" * 300, "loop"])
def test_a_folder_that_can_never_be_made_fails(name: str, tmp_path: Path) -> None:
    """It is found before the agent needs it."""
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    path = str(tmp_path / name)
    found = examine(tmp_path, Llm(), canary=0, data_dir=path, tools__workspace=path)
    assert {n: c.exit_code for n, c in found.items() if c.verdict == "fail"} == {
        "data": 5,
        "workspace": 2,
    }


@pytest.mark.parametrize(("first", "verdict"), [(0.15, "ok"), (0.16, "warn"), (1.1, "fail")])
def test_a_slow_model_is_measured_against_the_timeout(first: float, verdict: str) -> None:
    """What a full request would take, of which this was a part, and what to set."""
    config = Config(llm=LlmConfig(read_timeout=1.0))
    most = config.context.context_limit - config.context.reserved_tokens
    read = Reply(Message("assistant", ""), Usage(round(0.155 * most)), "stop")
    check = speed(Trial(read, first=first), size=1, config=config)
    assert check.verdict == verdict
    assert ("llm.read_timeout" in said(check)) == (verdict != "ok")


def test_slow_is_not_silent(tmp_path: Path) -> None:
    """An answer that the agent would not wait for is waited for, and judged like any other."""
    found = examine(tmp_path, Llm(silent=0.15), canary=1000, llm__read_timeout=0.1)
    assert found["speed"].verdict == "fail" and found["canary"].verdict == "ok"


# ── the canary ──


@pytest.mark.parametrize("size", [LEAST, 500, 1000, 3096, 6000, 28672])
@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_a_canary_has_about_the_size_asked_for(size: int, name: str) -> None:
    """Never more, so that it fits where it is meant to fit."""
    count = counter(name)
    canary = make(size, count, random.Random(size))
    assert 0.9 * size <= canary.size <= size
    assert canary.size == measure(canary.messages, count)
    roles = [message.role for message in canary.messages]
    assert roles == ["system", *["user", "assistant"] * (len(roles) // 2 - 1), "user"]


def test_a_canary_counts_alike_everywhere() -> None:
    """So that a share of its size means something whatever the model's tokenizer is."""
    canary = make(6000, COUNT, random.Random(1))
    assert measure(canary.messages, counter("cl100k_base")) >= SHARE * canary.size
    for count in (COUNT, counter("cl100k_base")):
        assert all(count(f" {word}") == 1 for word in FILLER)
    assert len(set(CODE_WORDS)) == len(CODE_WORDS)


def test_a_canary_is_new_each_time() -> None:
    """No cache has it, so no server leaves a cached part out of its count."""
    one, two = (make(1000, COUNT, random.Random(seed)) for seed in (1, 2))
    assert one.messages[1] != two.messages[1] and set(one.words).isdisjoint(two.words)


# ── what servers say ──

PAGES = {
    "OpenRouter": (
        "/v1/models",
        models({"id": "m", "context_length": 32768}, {"id": "n", "context_length": 8}),
        32768,
    ),
    "Groq": ("/v1/models", models({"id": "m", "context_window": 131072}), 131072),
    "Mistral": ("/v1/models", models({"id": "m", "max_context_length": 32768}), 32768),
    "a server with one model of another name": (
        "/v1/models",
        models({"id": "other.gguf", "meta": {"n_ctx": 2048}}),
        2048,
    ),
    "LM Studio": (
        "/api/v0/models",
        models({"id": "m", "loaded_context_length": 4096, "max_context_length": 32768}),
        4096,
    ),
    "Text Generation Inference": ("/info", {"max_total_tokens": 4096}, 4096),
    "KoboldCpp": ("/api/extra/true_max_context_length", {"value": 8192}, 8192),
}


@pytest.mark.parametrize("name", PAGES)
def test_each_server_says_its_window_in_its_own_way(name: str) -> None:
    """What the model could do does not count where it is known what it gets."""
    path, body, tokens = PAGES[name]
    assert [w.tokens for w in windows({path: body}, "m") if w.in_force] == [tokens]


@pytest.mark.parametrize(
    "body", [None, [], {}, "x", 3, {"data": 5}, {"data": [None, {"id": 3}]}, {"models": [1]}]
)
def test_no_page_breaks_the_reader(body: object) -> None:
    """Anything may be at an address."""
    paths = ["/v1/models", "/props", "/api/show", "/api/ps", "/api/v0/models", "/info"]
    assert windows(dict.fromkeys(paths, body), "m") == []


# ── the command line ──


@pytest.fixture
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize("word", ["doctor", "--doctor"])
def test_the_command_prints_a_table(word: str, _home: Path, capsys: Out) -> None:
    """Without anything set it examines the built-in model, and all is fine."""
    assert main([word, "--language", "en"]) == 0
    out = capsys.readouterr().out
    assert "✓ canary" in out and "everything works" in out
    assert main([word, "--language", "zh", "--canary", "0"]) == 0
    out = capsys.readouterr().out
    assert "✓ 工具调用" in out and "略去" in out and "一切正常" in out


def test_the_exit_code_is_that_of_the_first_failure(_home: Path, capsys: Out) -> None:
    """1 for an endpoint that is not there, 7 for a key; with --json a line for each check."""
    with running(Llm(key="k" * 20)) as llm:
        assert main(["doctor", "--base-url", llm.url, "--json"]) == 7
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    checks = {line["name"]: line["verdict"] for line in lines if line["event"] == "check"}
    assert checks["key"] == "fail" and checks["endpoint"] == "ok"
    last = {"event": "checked", "ok": False, "failed": ["key"], "warnings": 0, "exit_code": 7}
    assert lines[-1] == last
    assert main(["doctor", "--base-url", "http://127.0.0.1:9/v1", "--language", "en"]) == 1
    out = capsys.readouterr().out
    assert "✗ endpoint" in out and "1 problem(s)" in out


def test_a_failure_is_shown_with_its_hint(_home: Path, capsys: Out) -> None:
    """In the language of the user."""
    with running(Llm(keeps=2000)) as llm:
        assert main(["doctor", "--base-url", llm.url, "--language", "zh"]) == 1
    out = capsys.readouterr().out
    assert "默默截断" in out and "OLLAMA_CONTEXT_LENGTH" in out


@pytest.mark.parametrize(
    "argv", [["doctor", "again"], ["--doctor", "hi"], ["--canary", "5"], ["--doctor=1"]]
)
def test_wrong_uses_end_with_2(argv: list[str], _home: Path, capsys: Out) -> None:
    """A doctor takes no question, and a canary goes with a doctor."""
    assert main(argv) == 2
    assert "--help" in capsys.readouterr().err
