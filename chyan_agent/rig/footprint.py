"""Resident memory: of this process, and part by part in one that loads one after the other."""

import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

PARTS = (
    ("python", "pass"),
    ("chyan_agent", "import chyan_agent.build"),
    ("openai", "import openai; it = openai.OpenAI(api_key='x', base_url='http://x'); it.chat"),
    ("o200k_base", "from chyan_agent import tokens; tokens.counter('o200k_base')('一 two 3')"),
    ("jieba", "from chyan_agent.memory.segment import words_of; words_of('词典')"),
    ("rank_bm25 (numpy)", "import rank_bm25"),
    ("matplotlib", "import matplotlib.figure, matplotlib.backends.backend_agg"),
)
"""What is loaded, in order, with the code that does it."""
_MEASURE = """
import sys
sys.path.insert(0, sys.argv[1])
import chyan_agent
del sys.path[0]  # what else lies beside the package is not to be imported
from chyan_agent.rig.footprint import rss_mb
for line in sys.stdin:
    exec(line)
    print(rss_mb(), flush=True)
"""


def rss_mb() -> float:
    """Return the resident memory of this process in MB; its peak where the system says no more."""
    return _status("VmRSS:")


def peak_mb() -> float:
    """Return the largest resident memory of this process so far, in MB."""
    return _status("VmHWM:")


def _status(field: str) -> float:
    try:
        text = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(text.partition(field)[2].split(maxsplit=1)[0]) / 1024
    except (OSError, IndexError, ValueError):
        # no Linux: the peak is all there is, in bytes on macOS and in kilobytes elsewhere
        unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def measure_parts() -> Mapping[str, float]:
    """Return the resident MB after each part was loaded.

    Ends before a part that can't be loaded. Costs a few seconds.
    """
    code = "\n".join(code for _, code in PARTS)
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-P", "-W", "ignore", "-c", _MEASURE, str(root)],
        input=code, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    sizes = map(float, done.stdout.split())
    return {name: size for (name, _), size in zip(PARTS, sizes, strict=False)}
