"""Faults put into the program on purpose, to see whether the methods would find them.

Each changes the code of a process that plays; what it leaves is judged with the code as it is.
What is a fault in our store: the transcript, the notes and the files of the write tool are
promises, each made durable in its own way. `meta.json` and `endpoints.json` are caches with a
checksum of their own, and may be overwritten, torn or lost: to spoil one is no fault.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

from chyan_agent.conversation import Conversation
from chyan_agent.durable import snapshot
from chyan_agent.state import Record, apply
from chyan_agent.tools.replacing import SCRATCH

from .children import Action, playing
from .driver import Say

Plant = Callable[[], AbstractContextManager[Any]]


@contextmanager
def unsynced(forgotten: Callable[[Path], bool]) -> Iterator[None]:
    """Forget the fsync of some files and folders."""
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if not forgotten(Path(f"/proc/self/fd/{descriptor}").readlink()):
            real(descriptor)

    with patch.object(os, "fsync", fsync):
        yield


def no_log_sync() -> AbstractContextManager[None]:
    """Append to transcript and notes without ever waiting for the disk."""
    return unsynced(lambda path: path.suffix == ".jsonl")


def no_file_sync() -> AbstractContextManager[None]:
    """Give a new file its name before its content is on the disk."""
    return unsynced(lambda path: path.suffix == ".tmp")


def no_folder_sync() -> AbstractContextManager[None]:
    """Never make names durable."""
    return unsynced(Path.is_dir)


@contextmanager
def in_place() -> Iterator[None]:
    """Let the write tool overwrite the file itself, where it should put a new one in its place."""
    real = os.rename

    def rename(src: Any, dst: Any, **folders: int) -> None:
        if not Path(src).name.startswith(SCRATCH):
            real(src, dst, **folders)
            return
        source = os.open(src, os.O_RDONLY, dir_fd=folders["src_dir_fd"])
        target = os.open(
            dst, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644, dir_fd=folders["dst_dir_fd"]
        )
        while block := os.read(source, 1 << 16):
            os.write(target, block)
        os.fsync(target)
        os.close(target)
        os.close(source)

    with patch.object(os, "rename", rename):
        yield


@contextmanager
def snapshot_first() -> Iterator[None]:
    """Believe, and save what is believed, before it is written."""
    real = Conversation.record

    def record(self: Conversation, record: Record, *, durable: bool = False) -> None:
        believed = apply(self.state, record)
        snapshot.save(self.transcript.path.with_name("meta.json"), believed, self.transcript)
        real(self, record, durable=durable)

    with patch.object(Conversation, "record", record):
        yield


FAULTS: Mapping[str, Plant] = {
    "no-log-sync": no_log_sync,
    "no-file-sync": no_file_sync,
    "no-folder-sync": no_folder_sync,
    "in-place": in_place,
    "snapshot-first": snapshot_first,
}


def planted(name: str) -> AbstractContextManager[Any]:
    """Return the context in which a fault is in the program; nothing is for an empty name."""
    return FAULTS[name]() if name else nullcontext()


def playing_with(name: str) -> Action:
    """Return how to play with a fault in the program."""

    def action(folder: Path, say: Say) -> int:
        with planted(name):
            return playing(folder, say)

    return action
