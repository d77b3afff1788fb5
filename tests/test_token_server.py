"""Counting with the endpoint's tokenizer: asked once a text, and never trusted blindly."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer

import pytest

from chyan_agent.counting import count_for
from chyan_agent.tokens import counter, server
from chyan_agent.tokens.bpe import SLICE

from .agents import configured
from .servers import FOREVER

Answer = Callable[[str, dict[str, str]], object]
"""Path and body of a question to the JSON of its answer; None is a 404."""


@dataclass
class Desk:
    """A server that counts, and what it was asked."""

    url: str
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    answer: Answer = lambda path, body: None


def llama_cpp(path: str, body: dict[str, str]) -> object:
    """Answer as llama.cpp does: a token a character."""
    return {"tokens": list(range(len(body["content"])))} if path == "/tokenize" else None


def vllm(path: str, body: dict[str, str]) -> object:
    """Answer as vLLM does, which wants a prompt."""
    if path != "/tokenize" or "prompt" not in body:
        return None
    return {"count": len(body["prompt"]), "max_model_len": 4096, "tokens": []}


def llama_cpp_python(path: str, body: dict[str, str]) -> object:
    """Answer as llama-cpp-python's server does."""
    return {"count": len(body["input"])} if path == "/extras/tokenize/count" else None


@contextmanager
def desk(answer: Answer) -> Iterator[Desk]:
    """Serve from a thread."""
    seen = Desk("", answer=answer)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.asked.append((self.path, body))
            found = seen.answer(self.path, body)
            data = json.dumps(found).encode()
            self.send_response(200 if found is not None else 404)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            with suppress(BrokenPipeError):  # nobody waited
                self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as it:
        it.daemon_threads = True
        thread = threading.Thread(target=it.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        seen.url = f"http://127.0.0.1:{it.server_address[1]}/v1"
        yield seen
        it.shutdown()
        thread.join()


@pytest.mark.parametrize("answer", [llama_cpp, vllm, llama_cpp_python])
def test_servers_that_count_are_found(tmp_path: Path, answer: Answer) -> None:
    """Each kind is recognised by the answer to one question; the texts are asked for once."""
    with desk(answer) as it, count_for(configured(tmp_path, it.url)) as counting:
        probes = len(it.asked)
        assert [counting.count(text) for text in ("", "abc", "你好", "abc")] == [0, 3, 2, 3]
        assert len(it.asked) == probes + 2


def test_a_long_text_is_asked_for_in_pieces(tmp_path: Path) -> None:
    """No question holds more than a slice, and nothing of the text is lost."""
    text = "word " * (SLICE // 2)
    with desk(llama_cpp) as it, count_for(configured(tmp_path, it.url)) as counting:
        assert counting.count(text) == len(text)
        assert max(len(body["content"]) for _, body in it.asked) <= SLICE


def test_text_that_is_no_unicode_is_counted_too(tmp_path: Path) -> None:
    """A lone surrogate travels as a question mark."""
    with desk(llama_cpp) as it, count_for(configured(tmp_path, it.url)) as counting:
        assert counting.count("a\ud800b") == 3


@pytest.mark.parametrize(
    "strange", [None, {}, [], {"count": -1}, {"count": "7"}, {"count": True}, {"tokens": []}]
)
def test_a_server_without_a_plausible_count_is_not_used(tmp_path: Path, strange: object) -> None:
    """No page, no count, or a count that no tokenizer gives: o200k_base counts, silently."""
    with desk(lambda *_: strange) as it, count_for(configured(tmp_path, it.url)) as counting:
        assert counting.count("你好，世界") == counter("o200k_base")("你好，世界")
        assert counting.learnt.remarks == []


def test_who_wants_the_server_is_told_that_it_does_not_count(tmp_path: Path) -> None:
    """With context.tokenizer = server the fallback is said."""
    with desk(lambda *_: None) as it:
        config = configured(tmp_path, it.url, context__tokenizer="server")
        with count_for(config) as counting:
            assert "o200k_base" in counting.learnt.news()[0].en


def test_nobody_at_home_is_no_error(tmp_path: Path) -> None:
    """A server that is not running yet can't be asked."""
    with count_for(configured(tmp_path, "http://127.0.0.1:9/v1")) as counting:
        assert counting.count("hello") == 1


def test_a_silent_server_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A probe without an answer ends after its time, and is the only one."""
    monkeypatch.setattr(server, "PROBE_SECONDS", 0.05)
    arrived, over = threading.Event(), threading.Event()

    def silent(path: str, body: dict[str, str]) -> object:
        arrived.set()
        over.wait(FOREVER)
        return None

    with desk(silent) as it, count_for(configured(tmp_path, it.url)) as counting:
        assert counting.count("hello") == 1
        assert arrived.wait(60) and len(it.asked) == 1
        over.set()


@pytest.mark.parametrize(
    "head", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n"]
)
def test_a_server_that_drips_for_ever_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: bytes
) -> None:
    """Its bytes are never late, in the head or in the body: the time for all of them is bounded."""
    monkeypatch.setattr(server, "PROBE_SECONDS", 0.1)
    closing = threading.Event()

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                self.wfile.write(head)
                while not closing.wait(0.02):
                    self.wfile.write(b"x")

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as it:
        it.daemon_threads = True
        threading.Thread(target=it.serve_forever, args=(0.02,), daemon=True).start()
        with count_for(configured(tmp_path, f"http://127.0.0.1:{it.server_address[1]}/v1")) as it_:
            assert it_.count("hello") == 1
        closing.set()
        it.shutdown()


def test_a_server_that_stops_counting_is_left_with_one_notice(tmp_path: Path) -> None:
    """From then on o200k_base counts everything, and what was learnt by other counts is void."""
    with desk(llama_cpp) as it, count_for(configured(tmp_path, it.url)) as counting:
        assert counting.count("hello there") == 11
        it.answer = lambda *_: None
        assert [counting.count(text) for text in ("good morning", "hello there")] == [2, 2]
        assert len(counting.learnt.news()) == 1
        assert counting.learnt.news() == []


def test_a_lost_connection_is_opened_again(tmp_path: Path) -> None:
    """A server may close a connection that was idle; the question is asked on another."""
    with desk(llama_cpp) as it, count_for(configured(tmp_path, it.url)) as counting:
        assert counting.count("one") == 3
        counting.count.close()  # type: ignore[attr-defined]
        assert counting.count("other") == 5
        assert counting.learnt.remarks == []


@pytest.mark.parametrize(
    ("url", "near"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://localhost/v1", True),
        ("http://192.168.1.7/v1", True),
        ("http://10.0.0.2/v1", True),
        ("http://gpu-box:8000/v1", True),
        ("http://nas.local/v1", True),
        ("https://api.example.com/v1", False),
        ("http://8.8.8.8/v1", False),
        ("", False),
        ("http://[bad/v1", False),
        ("http://h:notaport/v1", False),
    ],
)
def test_only_near_endpoints_are_asked(url: str, near: bool) -> None:
    """Texts are not sent twice over the internet to be counted."""
    assert server.is_near(url) is near


def test_a_vocabulary_that_was_chosen_is_used(tmp_path: Path) -> None:
    """A named tokenizer asks nobody."""
    with desk(llama_cpp) as it:
        config = configured(tmp_path, it.url, context__tokenizer="bytes")
        with count_for(config) as counting:
            assert counting.count("你") == 3
        assert it.asked == []
