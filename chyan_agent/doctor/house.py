"""This side: configuration, budget and folders. Changes nothing that is there."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ..build import build
from ..config import Config, warnings
from ..durable.lock import Lock
from ..durable.storage import replace_atomically
from ..errors import AgentError, ConfigError, LockedError, StorageError
from ..folders import session_folder
from ..prompts import doctor as say
from ..prompts.said import Said
from . import Check, Words

LITTLE_SPACE = 100 << 20
"""Bytes of free disk below which it's time to say so."""


def house(config: Config, path: Path | None, session: str) -> Iterator[Check]:
    """Yield a check of each thing that the agent needs on this machine."""
    unwise = " ".join(warnings(config, path))
    yield Check("config", "warn" if unwise else "ok", str(path) if path else say.NO_FILE, unwise)
    yield _budget(config)
    yield _data(config, session)
    yield _workspace(Path(config.tools.workspace))


def words(error: AgentError) -> Said:
    """Return the message of an error in both languages."""
    return Said(error.message_in("en"), error.message_in("zh"))


def failed(name: str, error: AgentError) -> Check:
    """Return the check that an error ended."""
    hint = Said(error.hint_in("en"), error.hint_in("zh"))
    return Check(name, "fail", words(error), hint, error.exit_code)


def _budget(config: Config) -> Check:
    """Build a whole agent beside the real one: what fits and what doesn't is then exact."""
    try:
        with tempfile.TemporaryDirectory() as scratch:
            tools = replace(config.tools, workspace=str(Path(scratch, "workspace")))
            aside = replace(config, data_dir=str(Path(scratch, "data")), tools=tools)
            with build(aside) as agent:
                budget = agent.budget
    except AgentError as error:
        return failed("budget", error)
    figures = {
        "limit": budget.limit,
        "reserved": budget.reserved,
        "fixed": budget.fixed,
        "left": budget.spendable,
    }
    return Check("budget", "ok", say.BUDGET.of(**{k: f"{v:,}" for k, v in figures.items()}))


def _data(config: Config, session: str) -> Check:
    try:
        folder = session_folder(config, session)
    except StorageError as error:
        return failed("data", error)
    if problem := _no_folder("data", folder, "--data-dir", StorageError.exit_code):
        return problem
    try:
        with Lock(folder):
            seconds = _durable_write(folder)
    except LockedError as error:
        return replace(failed("data", error), verdict="warn")
    except StorageError as error:
        return failed("data", error)
    space = shutil.disk_usage(folder).free
    figure = say.DATA.of(path=folder, space=_size(space), ms=f"{1000 * seconds:.0f}")
    if space < LITTLE_SPACE:
        return Check("data", "warn", figure, say.LITTLE_SPACE_HINT)
    return Check("data", "ok", figure)


def _durable_write(folder: Path) -> float:
    """Return the seconds that a write to the disk takes. Raises StorageError."""
    probe = folder / f".doctor-{os.getpid()}"
    began = time.monotonic()
    try:
        replace_atomically(probe, b"durable?\n")
        return time.monotonic() - began
    finally:
        with suppress(OSError):
            probe.unlink()


def _size(space: int) -> str:
    return f"{space / 2**30:.1f} GiB" if space >= 2**30 else f"{space / 2**20:.0f} MiB"


def _workspace(folder: Path) -> Check:
    if problem := _no_folder("workspace", folder, "--workspace", ConfigError.exit_code):
        return problem
    if not os.access(folder, os.W_OK):
        return Check("workspace", "warn", say.READ_ONLY.of(path=folder), say.READ_ONLY_HINT)
    return Check("workspace", "ok", say.WORKSPACE.of(path=folder))


def _no_folder(name: str, folder: Path, option: str, exit_code: int) -> Check | None:
    """Return what is to be said of a folder that is not there or can't be used."""
    hint = say.FOLDER_HINT.of(option=option)
    try:
        usable = folder.is_dir() and os.access(folder, os.R_OK | os.X_OK)
        reason: Words = say.NO_ACCESS if folder.is_dir() else say.NO_FOLDER
        folder.stat()
    except FileNotFoundError:
        return _to_be_made(name, folder, hint, exit_code)
    except OSError as error:
        usable, reason = False, error.strerror or str(error)
    if usable:
        return None
    return Check(name, "fail", say.CANT_USE.of(path=folder, reason=reason), hint, exit_code)


def _to_be_made(name: str, folder: Path, hint: Said, exit_code: int) -> Check:
    parent = next(above for above in folder.absolute().parents if above.exists())
    figures = {"path": folder, "parent": parent}
    if os.access(parent, os.W_OK | os.X_OK):
        return Check(name, "ok", say.TO_BE_MADE.of(**figures))
    return Check(name, "fail", say.CANT_MAKE.of(**figures), hint, exit_code)
