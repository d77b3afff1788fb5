"""The documents say what the code does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from chyan_agent.config import Config, load
from chyan_agent.strategies import strategies

ROOT = Path(__file__).resolve().parent.parent
READMES = ("README.md", "README.zh-CN.md")


def test_generated_blocks_are_up_to_date() -> None:
    """The table of settings in both READMEs is the one that the code generates."""
    script = [sys.executable, str(ROOT / "scripts/make_docs.py"), "--check"]
    done = subprocess.run(script, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}: run scripts/make_docs.py"


@pytest.mark.parametrize("readme", READMES)
def test_strategies_tools_and_files_are_named(readme: str) -> None:
    """A strategy or a tool that the README does not name does not exist for its reader."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    names = [*strategies(), "read", "write", "search", "grep", "remember", "recall"]
    assert [name for name in names if f"`{name}`" not in text] == []


@pytest.mark.parametrize("readme", READMES)
def test_links_lead_somewhere(readme: str) -> None:
    """Every relative link and picture of a README is a file of this repository."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    targets = [t for t in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in t]
    assert targets
    assert [t for t in targets if not (ROOT / t).exists()] == []


def test_the_shipped_config_loads_to_the_defaults() -> None:
    """config.toml at the root changes nothing; it shows what there is."""
    assert load(ROOT / "config.toml", environ={}, overrides={}) == Config()
