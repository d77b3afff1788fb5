"""Starting: nothing that lies beside the program, or in the current folder, is imported."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from chyan_agent import start
from chyan_agent.events import ToolRan
from chyan_agent.program import program
from chyan_agent.rig import footprint

from . import source
from .agents import agent_on, ask, calls, says

PACKAGES = [
    *("openai", "httpx", "jieba", "tiktoken", "rank_bm25", "numpy", "matplotlib", "regex"),
    # Looked for, and done without where they are not installed:
    *("tokenizers", "xllamacpp", "brotli", "h2", "socksio", "zstandard", "pandas", "paddle"),
]
TRAP = "open({mark!r}, 'a').write(__name__ + '\\n')\nraise ImportError('planted')\n"
ASK = ["--offline", "--language", "en", "--data-dir", "state"]
PROTECTED = "this path is protected"


@pytest.fixture
def trapped(tmp_path: Path) -> Path:
    """Return a folder like a checkout, full of modules that tell when they are imported."""
    folder, mark = tmp_path / "checkout", tmp_path / "imported"
    folder.mkdir()
    for name in {*sys.stdlib_module_names, *PACKAGES}:
        # A package goes before a module, and is found in the same way.
        (folder / name).mkdir()
        for path in (folder / f"{name}.py", folder / name / "__init__.py"):
            path.write_text(TRAP.format(mark=str(mark)))
    (folder / "main.py").write_bytes((source.ROOT / "main.py").read_bytes())
    (folder / "chyan_agent").symlink_to(source.PACKAGE)
    return folder


def run(folder: Path, *command: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    """Run Python in a folder."""
    base = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**base, **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("how", [["main.py"], ["-m", "chyan_agent"]])
def test_nothing_beside_the_program_is_imported(trapped: Path, how: list[str]) -> None:
    """A start and a question that needs memory import the library and packages alone."""
    done = run(trapped, *how, *ASK, "Do you remember what the code name of project 17 is?")
    assert done.returncode == 0 and done.stdout, done.stderr
    assert not (trapped.parent / "imported").exists(), (trapped.parent / "imported").read_text()


def test_the_traps_work(trapped: Path) -> None:
    """What is planted would be imported by a program that takes no care."""
    run(trapped, "-c", "import json")
    assert (trapped.parent / "imported").read_text() == "json\n"


@pytest.mark.parametrize("flags", [[], ["-P"]])
def test_a_checkout_on_the_path_gives_its_package_alone(tmp_path: Path, flags: list[str]) -> None:
    """PYTHONPATH may name the checkout; other folders that it names stay."""
    other = tmp_path / "other"
    other.mkdir()
    (tmp_path / "main.py").touch()
    (tmp_path / "chyan_agent").symlink_to(source.PACKAGE)
    for path in (tmp_path / "beside.py", other / "elsewhere.py"):
        path.touch()
    places = os.pathsep.join((str(tmp_path), str(other)))
    begin = "from chyan_agent.start import alone; alone(); import elsewhere"
    for code, error in ((begin, ""), (f"{begin}, beside", "No module named 'beside'")):
        done = run(tmp_path, *flags, "-c", code, PYTHONPATH=places)
        assert error in done.stderr and bool(done.returncode) == bool(error), done.stderr


def test_children_import_nothing_beside_them(
    trapped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The processes of offline model, plot and meter don't look in the current folder."""
    done = run(trapped, *start.command("chyan_agent.offline", "--port", "0")[1:])
    assert "http://127.0.0.1" in done.stdout, done.stderr
    (trapped / "rows").touch()
    done = run(trapped, *start.command("chyan_agent.rig.plot", "rows", "plot.png", "en")[1:])
    assert (trapped / "plot.png").exists(), done.stderr
    monkeypatch.chdir(trapped)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setattr(footprint, "PARTS", (("numpy", "import numpy"),))
    assert footprint.measure_parts()["numpy"] > 5
    assert not (trapped.parent / "imported").exists()


@pytest.mark.parametrize(
    ("started", "by_name", "taken"),
    [
        ("bin/run.py", False, "bin"),
        ("bin/run.py", True, "."),
        ("", False, "."),
        ("-c", False, "."),
    ],
)
def test_nothing_can_be_planted_in_the_place_of_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: str, by_name: bool, taken: str
) -> None:
    """Where Python looks first, no tool makes a package or a module of our name."""
    (tmp_path / "workspace" / "bin").mkdir(parents=True)
    (tmp_path / "workspace" / "bin" / "run.py").touch()
    monkeypatch.chdir(tmp_path / "workspace")
    monkeypatch.setattr(sys, "argv", [started])
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", start.__spec__ if by_name else None)
    names = ("chyan_agent/__init__.py", "Chyan_Agent.py", "chyan_agent.md", "chyan/agent.py")
    paths = [f"{folder}/{name}" for folder in (".", "bin") for name in names]
    writes = [("write", {"path": path, "content": "x"}) for path in paths]
    with agent_on(tmp_path, calls(*writes), says("ok")) as (agent, _):
        results = [e.result.content for e in ask(agent, "go") if isinstance(e, ToolRan)]
    refused = [path for path, result in zip(paths, results, strict=True) if PROTECTED in result]
    assert refused == [f"{taken}/{name}" for name in names[:2]]


def test_the_folder_of_the_installed_command_is_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the first that Python looks in, and the command imports before it can take care."""
    command = tmp_path / "workspace" / "bin" / "chyan-agent"
    command.parent.mkdir(parents=True)
    command.touch()
    monkeypatch.setattr(sys, "argv", [str(command)])
    paths = ("bin/re.py", "bin/chyan-agent", "re.py")
    writes = [("write", {"path": path, "content": "x"}) for path in paths]
    with agent_on(tmp_path, calls(*writes), says("ok")) as (agent, _):
        results = [e.result.content for e in ask(agent, "go") if isinstance(e, ToolRan)]
    assert [PROTECTED in result for result in results] == [True, True, False]


def test_what_else_runs_at_the_next_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter, its library and packages, also the user's own, and a checkout's scripts.

    Of an interpreter that serves the whole system not all of its folder: projects may live there.
    """
    monkeypatch.setattr("site.ENABLE_USER_SITE", True)
    monkeypatch.setattr("site.getusersitepackages", lambda: "/home/x/packages")
    found = program()
    library = sysconfig.get_path("stdlib")
    for path in (sys.prefix, library, "/home/x/packages", source.ROOT / "scripts"):
        assert Path(path) in found
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    assert Path(sys.base_prefix) not in program() and Path(library) in program()
    monkeypatch.setattr("site.ENABLE_USER_SITE", False)
    assert Path("/home/x/packages") not in program()
