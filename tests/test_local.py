"""A model of one's own: its file, the process that serves it, and what goes wrong with either."""

import os
import signal
import struct
import subprocess
import sys
import time
import urllib.request
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from chyan_agent import local
from chyan_agent.cli import main
from chyan_agent.errors import AgentError, ConfigError, MissingExtra
from chyan_agent.local.process import size_text
from chyan_agent.local.ram import available

STAND_IN = """
import http.server, os, signal, sys, threading
class Nested: pass
class CommonParams:
    def __init__(self):
        self.model, self.cpuparams, self.cpuparams_batch = Nested(), Nested(), Nested()
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")
class Server:
    def __init__(self, params):
        name = os.path.basename(params.model.path)
        print("noise on the standard output")
        if name.startswith("signal"):
            os.kill(os.getpid(), int(name[6:].partition(".")[0]))
        if name == "huge.gguf":
            print("0.1 E ggml_aligned_malloc: unable to allocate CPU buffer", file=sys.stderr)
            raise RuntimeError("failed")
        if name == "odd.gguf":
            print("0.1 E llama_model_load: error loading model: unknown model architecture: 'odd'",
                  file=sys.stderr)
            raise RuntimeError("failed")
        if getattr(params, "chat_template", "") == "{% if %}":
            print("0.1 E common_chat_templates_init: error: Unexpected token: %}\\n"
                  "0.2 E srv init: init: chat template parsing error", file=sys.stderr)
            raise RuntimeError("failed")
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", params.port), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.listening_address = "http://127.0.0.1:%d" % self.http.server_address[1]
"""
"""A package that looks like xllamacpp as far as we use it."""


def gguf(path: Path, *entries: bytes, version: int = 3, count: int | None = None) -> Path:
    """Write the head of a GGUF file."""
    many = len(entries) if count is None else count
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", version, 0, many) + b"".join(entries))
    return path


def text(value: str) -> bytes:
    """Return a text as GGUF has it."""
    return struct.pack("<Q", len(value.encode())) + value.encode()


def entry(key: str, kind: int, value: bytes) -> bytes:
    """Return one entry of a head."""
    return text(key) + struct.pack("<I", kind) + value


ARCHITECTURE = entry("general.architecture", 8, text("llama"))
WINDOW = entry("llama.context_length", 4, struct.pack("<I", 4096))
ARRAYS = (
    entry("general.tags", 9, struct.pack("<IQ", 8, 2) + text("a") + text("b")),
    entry("llama.layers", 9, struct.pack("<IQ", 5, 3) + bytes(12)),
    entry("general.ratio", 12, struct.pack("<d", 0.5)),
)


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the stand-in before any installed package, here and in children; return a folder."""
    folder = tmp_path / "packages"
    folder.mkdir()
    (folder / "xllamacpp.py").write_text(STAND_IN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return tmp_path


def model(folder: Path, name: str = "good.gguf") -> local.ModelFile:
    """Return a model file that the stand-in knows what to do with."""
    return local.look(gguf(folder / name, ARCHITECTURE, WINDOW))


def test_the_head_tells_the_window(tmp_path: Path) -> None:
    """The trained window is found among other entries; arrays are passed over."""
    found = local.look(gguf(tmp_path / "a b.gguf", *ARRAYS, WINDOW, ARCHITECTURE))
    assert (found.name, found.window) == ("a b", 4096)
    assert found.size == (tmp_path / "a b.gguf").stat().st_size


def test_the_vocabulary_is_not_read(tmp_path: Path) -> None:
    """What follows the window may be as long as it likes, or cut off."""
    tokens = text("tokenizer.ggml.tokens") + b"\0"
    assert local.look(gguf(tmp_path / "m.gguf", ARCHITECTURE, WINDOW, tokens)).window == 4096


def test_a_head_without_a_window_is_no_error(tmp_path: Path) -> None:
    """A file that does not say its window has none that is known."""
    assert local.look(gguf(tmp_path / "m.gguf", ARCHITECTURE)).window == 0


@pytest.mark.parametrize(
    "entries",
    [
        [text("a")],
        [entry("a", 99, b"")],
        [struct.pack("<Q", 1 << 60)],
        [entry("a", 9, struct.pack("<IQ", 9, 1))],
        [entry("a", 9, struct.pack("<IQ", 8, 1 << 60))],
    ],
    ids=["no type", "unknown type", "endless key", "nested array", "endless array"],
)
def test_a_damaged_head_is_an_error(tmp_path: Path, entries: list[bytes]) -> None:
    """Whatever stands in a head, reading it ends, and quickly."""
    with pytest.raises(ConfigError, match="damaged"):
        local.look(gguf(tmp_path / "m.gguf", *entries))


@pytest.mark.parametrize(("version", "count"), [(1, 0), (3, 1 << 50), (3 << 24, 0)])
def test_other_versions_are_damaged(tmp_path: Path, version: int, count: int) -> None:
    """A version or a number of entries that nobody writes is no head."""
    with pytest.raises(ConfigError, match="damaged"):
        local.look(gguf(tmp_path / "m.gguf", version=version, count=count))


def test_other_files_are_named_for_what_they_are(tmp_path: Path) -> None:
    """A missing file, a folder and a file of another kind each say so."""
    (tmp_path / "x.bin").write_bytes(b"PK\3\4")
    for path, said in ((tmp_path / "x.bin", "not a GGUF"), (tmp_path, "director")):
        with pytest.raises(ConfigError, match=said):
            local.look(path)
    with pytest.raises(ConfigError, match="No such file"):
        local.look(tmp_path / "none.gguf")


def test_our_template_goes_by_its_name(tmp_path: Path) -> None:
    """A template is one of ours or a file; anything else names what there is."""
    own = tmp_path / "own.jinja"
    own.write_text("{{ messages }}", encoding="utf-8")
    assert local.template(str(own)) == "{{ messages }}"
    assert "im_start" in local.template("fenced")
    with pytest.raises(ConfigError) as caught:
        local.template("nonesuch")
    assert "fenced" in caught.value.hint
    own.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError):
        local.template(str(own))


def test_memory_is_that_of_machine_and_container(tmp_path: Path) -> None:
    """The smaller of both counts; pages of files are given back; nothing said is None."""
    info, group = tmp_path / "meminfo", tmp_path / "group"
    assert available(info, group) is None
    info.write_text("MemTotal: 9 kB\nMemAvailable:  2048 kB\n", encoding="ascii")
    assert available(info, group) == 2 << 20
    group.mkdir()
    (group / "memory.max").write_text("1000\n", encoding="ascii")
    (group / "memory.current").write_text("900\n", encoding="ascii")
    (group / "memory.stat").write_text("anon 200\nfile 600\n", encoding="ascii")
    assert available(info, group) == 700
    (group / "memory.max").write_text("max\n", encoding="ascii")
    assert available(info, group) == 2 << 20


def test_a_size_is_readable() -> None:
    """Gigabytes from a gigabyte on, megabytes below."""
    assert (size_text(491_400_064), size_text(1_117_320_768)) == ("491 MB", "1.1 GB")


def test_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package nothing is started, and the hint says what to install."""
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(MissingExtra) as caught, local.spawned(model(tmp_path), window=1024):
        raise AssertionError("must not start")
    assert "chyan-agent[local]" in caught.value.hint


def test_a_model_is_served_while_it_is_needed(stand_in: Path) -> None:
    """The server answers inside the block and is gone after it."""
    with local.spawned(model(stand_in), window=1024) as url:
        assert url.endswith("/v1")
        assert urllib.request.urlopen(url).read() == b"{}"
    with pytest.raises(OSError):
        urllib.request.urlopen(url, timeout=2)


def test_a_model_keeps_its_address(stand_in: Path) -> None:
    """A model is found at the same port again, unless that is taken.

    Whose port some stranger holds during the test, that model proves nothing: three may try.
    """
    tried = []
    for name in ("a", "b", "c"):
        one = model(stand_in, f"{name}.gguf")
        with local.spawned(one, window=1024) as first:
            pass
        with local.spawned(one, window=1024) as again, local.spawned(one, window=1024) as other:
            assert other not in (first, again)
            tried.append((first, again))
        if first == again:
            break
    assert tried[-1][0] == tried[-1][1], tried
    assert (urlsplit(tried[-1][0]).port or 0) < 32768, "not one that a system hands out"


def test_the_server_dies_with_its_parent(stand_in: Path) -> None:
    """A parent that is killed outright leaves no server behind."""
    code = (
        "import sys; from pathlib import Path; from chyan_agent import local\n"
        "with local.spawned(local.look(Path(sys.argv[1])), window=9) as url:\n"
        "    print(url, flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(model(stand_in).path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        url = parent.stdout.readline().strip()
        assert urllib.request.urlopen(url).read() == b"{}"
        os.kill(parent.pid, signal.SIGKILL)
    for _ in range(1200):
        try:
            urllib.request.urlopen(url, timeout=2)
        except OSError:
            return
        time.sleep(0.05)
    raise AssertionError("the server is still there")


@pytest.mark.parametrize(
    ("name", "said", "hint"),
    [
        ("huge.gguf", "not enough memory", "smaller model"),
        ("odd.gguf", "unknown model architecture: 'odd'", "xllamacpp"),
        ("signal9.gguf", "not enough memory", "--limit"),
        ("signal15.gguf", "Terminated", "--base-url"),
    ],
)
def test_why_a_model_did_not_load(stand_in: Path, name: str, said: str, hint: str) -> None:
    """What ended llama.cpp is told in its own words, or in those that help."""
    with pytest.raises(AgentError) as caught, local.spawned(model(stand_in, name), window=512):
        raise AssertionError("must not serve")
    assert said in str(caught.value) and hint in caught.value.hint


def test_a_template_that_fails_is_told_at_once(stand_in: Path) -> None:
    """A chat template that can't be parsed is an error of the template, not of the model."""
    with (
        pytest.raises(ConfigError, match="Unexpected token") as caught,
        local.spawned(model(stand_in), window=512, template="{% if %}"),
    ):
        raise AssertionError("must not serve")
    assert "--chat-template" in caught.value.hint


def test_a_model_larger_than_memory_is_refused(stand_in: Path) -> None:
    """Weights that don't fit would be read from disk for every token: nothing is started."""
    large = replace(model(stand_in), size=1 << 50)
    with (
        pytest.raises(AgentError, match=r"needs 1125899\.9 GB of memory"),
        local.spawned(large, window=512),
    ):
        raise AssertionError("must not start")


@pytest.mark.parametrize(
    "words",
    [
        ["--chat-template", "fenced", "hi"],
        ["--local", "m.gguf", "--offline", "hi"],
        ["--local", "m.gguf", "--base-url", "http://127.0.0.1:1/v1", "hi"],
        ["--local", "none.gguf", "hi"],
    ],
)
def test_arguments_that_do_not_go_together(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--local` chooses the endpoint alone, and its template goes with it."""
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2


def test_the_smaller_window_counts(
    stand_in: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A model trained for less than the setting is used at its own window, and that is said."""
    monkeypatch.chdir(stand_in)
    model(stand_in)
    main(["--language", "en", "--local", "good.gguf", "hi"])
    shown = capsys.readouterr()
    assert "trained for 4,096 tokens" in shown.err + shown.out
    assert "window 4,096" in shown.err + shown.out
