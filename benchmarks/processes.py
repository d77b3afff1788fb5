"""What whole processes cost: help, readiness for the first request, the memory of a rebuild."""

import gzip
import hashlib
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import chyan_agent.tokens

MAIN = Path(__file__).resolve().parent.parent / "main.py"
NAIVE = """
import openai, tiktoken, jieba, rank_bm25
tiktoken.get_encoding("o200k_base").encode("你好")
jieba.initialize()
client = openai.OpenAI(api_key="bench", base_url={url!r})
client.chat.completions.create(model="m", messages=[{{"role": "user", "content": "你好"}}])
"""
"""The same packages as their first pages tell to use them."""
PEAK = """
import re, sys
from pathlib import Path
from chyan_agent.cli import main
code = main({arguments!r})
status = Path("/proc/self/status").read_text(encoding="ascii")
print(re.search(r"VmHWM:\\s+(\\d+)", status)[1], file=sys.stderr)
sys.exit(code)
"""
"""The peak is asked from inside: a parent's own size leaks into what wait4() reports."""
_VOCABULARY = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"


def run(command: Sequence[str], environ: Mapping[str, str] | None = None) -> float:
    """Run a command to its end and return its wall time in seconds. It must succeed."""
    began = time.monotonic()
    ran = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, **(environ or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    took = time.monotonic() - began
    if ran.returncode:
        raise SystemExit(f"{command} failed: {ran.stderr.decode(errors='replace')}")
    return took


def help_ratio(rounds: int) -> tuple[float, float]:
    """Return the medians in seconds of `--help` and of a bare interpreter, interleaved."""
    commands = ([str(MAIN), "--help"], ["-c", "pass"])
    for command in commands:
        run(command)  # writes the byte code
    times = [[run(command) for command in commands] for _ in range(rounds)]
    shown, bare = zip(*times, strict=True)
    return median(shown), median(bare)


def ready(url: str, folder: Path, rounds: int) -> tuple[float, float]:
    """Return the medians in seconds from process start to the first request, ours and naive."""
    environ = {"TIKTOKEN_CACHE_DIR": str(_tiktoken_cache(folder))}
    naive = ["-c", NAIVE.format(url=url)]
    ours, theirs = [], []
    for number in range(-1, rounds):
        data = folder / f"ready{number}"
        places = ["--data-dir", str(data), "--workspace", str(folder / "workspace")]
        ask = [str(MAIN), "--base-url", url, *places, "你好"]
        pair = (_arrival(ask, url, environ), _arrival(naive, url, environ))
        if number >= 0:  # the first round fills caches
            ours.append(pair[0])
            theirs.append(pair[1])
    return median(ours), median(theirs)


def _tiktoken_cache(folder: Path) -> Path:
    """Give the naive process the vocabulary where tiktoken would have put its download."""
    cache = folder / "tiktoken"
    cache.mkdir(exist_ok=True)
    package = Path(chyan_agent.tokens.__file__).parent
    packed = (package / "vocab" / "o200k_base.tiktoken.gz").read_bytes()
    name = hashlib.sha1(_VOCABULARY.encode(), usedforsecurity=False).hexdigest()
    (cache / name).write_bytes(gzip.decompress(packed))
    return cache


def _arrival(command: Sequence[str], url: str, environ: Mapping[str, str]) -> float:
    began = time.monotonic()
    run(command, environ)
    return _last_arrival(url) - began


def _last_arrival(url: str) -> float:
    link = http.client.HTTPConnection(urlsplit(url).netloc)
    try:
        link.request("GET", "/")
        return float(json.loads(link.getresponse().read())[0])
    finally:
        link.close()


def rebuild_peak(data: Path) -> float:
    """Return the peak in MB of a `--rebuild-context` process over this data directory."""
    code = PEAK.format(arguments=["--rebuild-context", "--data-dir", str(data)])
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return int(ran.stderr.split()[-1]) / 1024
