"""What a run is asked to do, and where it keeps its files."""

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from ..config import Config, load
from ..errors import ConfigError
from ..offline.options import AS_OURS, Scales
from ..prompts import Language
from ..prompts import errors_rig as say
from .journal import Settings
from .scenarios import Book, dialogue
from .scenarios.rounds import Rounds

MARK = ".chyan-rig"
"""The file that says that a folder belongs to the rig and may be cleared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """The model to ask."""

    base_url: str = ""
    """Empty: an offline model of its own, which also judges every request."""
    model: str = ""
    loss: float = 0.3
    """Share of the lines that the offline model loses when it condenses, 0 to 1."""
    scales: Scales = AS_OURS
    """How the offline model counts."""

    @property
    def offline(self) -> bool:
        """Whether the run starts an offline model."""
        return not self.base_url


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What is played: rounds of scenarios, or a dialogue from a file."""

    turns: int = 100
    seed: int = 0
    language: Language = "zh"
    dialogue: Path | None = None
    store: int = 1
    """Line of the dialogue's file."""
    most: int = 0
    """How much of the dialogue is told; 0 is all."""

    def book(self) -> Book:
        """Return the turns. Raises ConfigError for a dialogue that can't be read."""
        if self.dialogue is None:
            return Rounds(self.turns, seed=self.seed, language=self.language)
        return dialogue.load(self.dialogue, line=self.store, most=self.most)

    def settings(self) -> dict[str, object]:
        """Return what the turns depend on."""
        if self.dialogue is None:
            return {"turns": self.turns, "seed": self.seed, "language": self.language}
        digest = hashlib.sha256(self.dialogue.read_bytes()).hexdigest()[:16]
        return {
            "dialogue": digest,
            "store": self.store,
            "limit_dialogue": self.most,
            "seed": self.seed,
            "language": self.language,
        }


@dataclass(frozen=True, slots=True)
class Places:
    """The files of a run."""

    output: Path
    run: Path
    """Folder with the agent's data, the workspace and the journal; cleared by a fresh run."""

    @property
    def rows(self) -> Path:
        """The log, one line a turn."""
        return self.output / "turns_log.jsonl"

    @property
    def plot(self) -> Path:
        """The picture."""
        return self.output / "context_usage.png"

    @property
    def report(self) -> Path:
        """The report."""
        return self.output / "report.md"

    @property
    def journal(self) -> Path:
        """What is pending."""
        return self.run / "pending.json"

    @property
    def workspace(self) -> Path:
        """The folder that the agent's tools work in."""
        return self.run / "workspace"

    @property
    def data(self) -> Path:
        """The agent's transcript and notes."""
        return self.run / "data"

    def claim(self) -> None:
        """Make the run's folder and mark it. Raises ConfigError for one that holds other things."""
        mark = self.run / MARK
        if self.run.exists() and not mark.exists() and any(self.run.iterdir()):
            raise ConfigError(say.FOREIGN_FOLDER.of(folder=self.run), hint=say.FOREIGN_FOLDER_HINT)
        self.run.mkdir(parents=True, exist_ok=True)
        self.output.mkdir(parents=True, exist_ok=True)
        mark.touch()

    def clear(self) -> None:
        """Remove what an earlier run left; the journal first, so that no half of it is resumed."""
        for path in (self.journal, self.rows, self.plot, self.report):
            path.unlink(missing_ok=True)
        for folder in (self.data, self.workspace):
            if folder.exists():
                shutil.rmtree(folder)
        self.workspace.mkdir()


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Everything that a run is asked for."""

    places: Places
    script: Script = Script()
    endpoint: Endpoint = Endpoint()
    limit: int = 10_000
    reserved: int | None = None
    """Tokens held back for the answer; None as in the settings."""
    strategy: str = "layered"
    resume: bool = False
    parts: bool = False
    """Measure memory part by part."""
    command: str = ""
    """How it was started, for the report."""

    def settings(self) -> Settings:
        """Return what the result depends on: a run can only be resumed with the same."""
        endpoint = self.endpoint
        model: dict[str, object] = {}
        if endpoint.offline:
            scales = endpoint.scales
            model = {
                "loss": endpoint.loss,
                "judge_factor": scales.factor,
                "judge_overhead": scales.overhead,
            }
        return {
            **self.script.settings(),
            **model,
            "offline": endpoint.offline,
            "model": endpoint.model,
            "limit": self.limit,
            "reserved": self.reserved,
            "strategy": self.strategy,
        }

    def config(self, base_url: str, key: str, model: str | None) -> Config:
        """Return the agent's settings. Raises ConfigError."""
        overrides = {
            "language": self.script.language,
            "data_dir": str(self.places.data),
            "tools.workspace": str(self.places.workspace),
            "llm.base_url": base_url,
            "llm.api_key": key,
            "llm.model": model,
            "context.context_limit": self.limit,
            "context.reserved_tokens": self.reserved,
            "context.strategy": self.strategy,
        }
        return load(None, environ={}, overrides=overrides)
