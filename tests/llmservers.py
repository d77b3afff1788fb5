"""Servers that answer as some real ones do, each with its own way of going wrong."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from chyan_agent.tokens import counter

COUNT = counter("o200k_base")
Json = Mapping[str, Any]
_WORD = re.compile(r"(first|second|third) code word is (\w+)\.")


@dataclass
class Llm:
    """A server: where its window is told, and what it does to requests."""

    name: str = "m"
    window: int = 100_000
    keeps: int = 0
    """Tokens of a prompt that are read without a word about the rest; 0 is all."""
    drops: str = "start"
    """What a silent truncation leaves out: the start or the middle."""
    usage: bool = True
    counts_all: bool = False
    """Whether usage tells what was sent instead of what was read."""
    key: str = ""
    tools: str = "native"
    """How it calls: native, text, broken, none, refuse."""
    pieces: int = 4
    finish: str = "stop"
    silent: float = 0.0
    """Seconds before any answer, at most until the test is over."""
    drips: bool = False
    """Whether it sends a byte now and then, for ever, to everything but chats."""
    weak: bool = False
    """Whether the model can't repeat a word."""
    pages: dict[str, Any] = field(default_factory=dict)
    """Path to the JSON that is there, for GET and POST."""
    moved: str = ""
    """Where every page has moved to."""
    seen: list[Any] = field(default_factory=list)
    """The paths asked for, and the bodies of chats."""
    url: str = ""

    @property
    def chats(self) -> list[Any]:
        """The chat requests, in order."""
        return [body for path, body in self.seen if path.endswith("/chat/completions")]

    def answer(self, body: Json) -> tuple[int, list[Json]]:
        """Return the status and the chunks for a chat."""
        sent = [(message["role"], message["content"]) for message in body["messages"]]
        read, total = self._read(sent)
        if total > self.window:
            return 400, [
                {
                    "error": {
                        "code": 400,
                        "message": f"request ({total} tokens) exceeds the available context size"
                        f" ({self.window} tokens), try increasing it",
                        "type": "exceed_context_size_error",
                        "n_prompt_tokens": total,
                        "n_ctx": self.window,
                    }
                }
            ]
        if body.get("tools"):
            if self.tools == "refuse":
                return 400, [{"error": {"message": f"{self.name} does not support tools"}}]
            chunks = self._call(sent[-1][1])
        else:
            chunks = self._say(read)
        chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": self._finish(body)}]})
        if self.usage:
            counted = total if self.counts_all else COUNT(read)
            tokens = {"prompt_tokens": counted, "completion_tokens": 9, "total_tokens": counted + 9}
            chunks.append({"choices": [], "usage": tokens})
        return 200, chunks

    def _read(self, sent: list[tuple[str, str]]) -> tuple[str, int]:
        whole = "".join(f"{role}\n{text}\n\n" for role, text in sent)
        total = COUNT(whole)
        if not self.keeps or total <= self.keeps:
            return whole, total
        share = len(whole) * self.keeps // total
        if self.drops == "start":
            return whole[-share:], total
        return whole[: share // 2] + whole[-share // 2 :], total

    def _say(self, read: str) -> list[Json]:
        words = [word for _, word in _WORD.findall(read)]
        text = "Sorry, no idea at all." if self.weak else ", ".join(words) or "none"
        size = -(-len(text) // self.pieces)
        parts = (
            [text[at : at + size] for at in range(0, len(text), size)] if self.pieces < 99 else []
        )
        return [{"choices": [{"index": 0, "delta": {"content": part}}]} for part in parts]

    def _call(self, asked: str) -> list[Json]:
        word = "".join(re.findall(r"code word is (\w+)\.", asked))
        arguments = json.dumps({"content": f"the code word is {word}"})
        match self.tools:
            case "native" | "broken":
                given = arguments if self.tools == "native" else arguments[:9]
                function = {"name": "remember", "arguments": given}
                delta: Json = {"tool_calls": [{"index": 0, "id": "x", "function": function}]}
            case "text":
                call = f'```json\n{{"name": "remember", "arguments": {arguments}}}\n```'
                delta = {"content": call}
            case _:
                delta = {"content": "I will keep it in mind."}
        return [{"choices": [{"index": 0, "delta": delta}]}]

    def _finish(self, body: Json) -> str:
        return "tool_calls" if body.get("tools") and self.tools == "native" else self.finish


class _Handler(BaseHTTPRequestHandler):
    server: "_Server"

    def log_message(self, format: str, *args: object) -> None:
        """Be quiet."""

    def do_GET(self) -> None:
        """Answer a page."""
        self._page(None)

    def do_POST(self) -> None:
        """Answer a chat or a page."""
        size = int(self.headers.get("Content-Length") or 0)
        self._page(json.loads(self.rfile.read(size)))

    def _page(self, body: Any) -> None:
        llm = self.server.llm
        llm.seen.append((self.path, body))
        self.server.closing.wait(llm.silent)
        chat = self.path == "/v1/chat/completions"
        if llm.key and self.headers.get("Authorization") != f"Bearer {llm.key}":
            self._json(401, {"error": {"message": "Incorrect API key", "code": "invalid_api_key"}})
        elif llm.drips and not chat:
            self._drip()
        elif chat:
            self._chat(*llm.answer(body))
        elif llm.moved:
            self._head(302, "text/html", Location=llm.moved + self.path)
        elif self.path in llm.pages:
            page = llm.pages[self.path]
            self._json(200, page(body) if callable(page) else page)
        else:
            self._json(404, {"error": {"message": "File Not Found", "code": 404}})

    def _chat(self, status: int, chunks: list[Json]) -> None:
        if status != 200:
            self._json(status, chunks[0])
            return
        self._head(200, "text/event-stream")
        for chunk in chunks:
            self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
            self.wfile.flush()
        self.wfile.write(b"data: [DONE]\n\n")

    def _json(self, status: int, value: object) -> None:
        self._head(status, "application/json")
        self.wfile.write(json.dumps(value).encode())

    def _drip(self) -> None:
        self._head(200, "application/json")
        while not self.server.closing.wait(0.05):
            self.wfile.write(b" ")
            self.wfile.flush()

    def _head(self, status: int, kind: str, **more: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in more.items():
            self.send_header(name, value)
        self.end_headers()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, llm: Llm) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.llm = llm
        self.closing = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """Take a client that hangs up for what it is."""


@contextmanager
def running(llm: Llm) -> Iterator[Llm]:
    """Serve from a thread; `url` of the server is set and ends in `/v1`."""
    COUNT("")  # reads the vocabulary, so that no request waits for it
    server = _Server(llm)
    llm.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield llm
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def models(*cards: Json) -> Json:
    """The answer of `/v1/models`."""
    return {"object": "list", "data": [{"object": "model", **card} for card in cards]}


def llama_cpp(n_ctx: int, **more: Any) -> Llm:
    """llama.cpp's own server: it names its window in two places and refuses what is larger."""
    pages = {
        "/v1/models": models({"id": "m", "meta": {"n_ctx": n_ctx, "n_ctx_train": 131072}}),
        "/props": {"default_generation_settings": {"n_ctx": n_ctx}, "total_slots": 1},
        "/tokenize": lambda body: {"tokens": [0] * COUNT(body["content"])},
    }
    return Llm(window=n_ctx, pages=pages, **more)


def vllm(max_model_len: int, **more: Any) -> Llm:
    """vLLM: its window stands beside the model."""
    card = {"id": "m", "max_model_len": max_model_len}
    return Llm(window=max_model_len, pages={"/v1/models": models(card)}, **more)


def ollama(num_ctx: int, *, loaded: bool = False, parameters: str = "", **more: Any) -> Llm:
    """Ollama: the model can do 32K, the server gives less and cuts the rest off silently."""
    llm = Llm(keeps=num_ctx, **more)
    running_now: Callable[[Any], Json] = lambda _: {  # noqa: E731
        "models": [{"name": "m:latest", "model": "m:latest", "context_length": num_ctx}]
        if loaded or llm.chats
        else []
    }
    llm.pages |= {
        "/v1/models": models({"id": "m:latest"}),
        "/api/show": {"model_info": {"qwen2.context_length": 32768}, "parameters": parameters},
        "/api/ps": running_now,
    }
    return llm
