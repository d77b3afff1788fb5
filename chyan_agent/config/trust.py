"""Whether to rely on a settings file: who can read it, who wrote it, where it sends the key."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from ..errors import ConfigError
from ..hosts import is_loopback, is_near
from ..prompts import errors_config as say
from ..prompts.settings import SettingsTexts
from .values import Config, LlmConfig

_LARGEST_INDEX = 64 << 20


def exposed_key(path: Path, says: SettingsTexts) -> list[str]:
    """Return what is unwise about a file that holds a key."""
    found = []
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        found.append(says.open_key.format(path=path, mode=f"{mode:04o}"))
    if is_tracked(path):
        found.append(says.tracked_key.format(path=path))
    return found


def clear_text(llm: LlmConfig, says: SettingsTexts) -> list[str]:
    """Return a warning of plain http; this machine's own network is near enough without a key."""
    url = urlsplit(llm.base_url)
    host = url.hostname or ""
    if url.scheme != "http" or is_loopback(host) or (is_near(host) and not llm.api_key):
        return []
    return [says.clear_text.format(host=host)]


def check_origin(config: Config, path: Path, *, own_url: bool, own_key: bool) -> None:
    """Refuse a file from the workspace that decides where a key goes which it doesn't hold.

    The workspace is the model's, or came with a repository. A user who names the file with
    --config has looked at it. Raises ConfigError.
    """
    if own_key or not own_url or not config.llm.api_key:
        return
    if is_loopback(urlsplit(config.llm.base_url).hostname or ""):
        return
    inside = Path(os.path.realpath(path)).is_relative_to(os.path.realpath(config.tools.workspace))
    if inside:
        foreign = say.FOREIGN_URL.of(path=path, url=config.llm.base_url)
        raise ConfigError(foreign, hint=say.FOREIGN_URL_HINT.of(path=path))


def is_tracked(path: Path) -> bool:
    """Whether a file is in the index of the git repository that it lies in.

    The index is read here: git itself may run programs that a repository names.
    """
    real = Path(os.path.realpath(path))
    with suppress(OSError):
        for folder in real.parents:
            if (index := _index(folder / ".git")) is not None:
                return _holds(index, os.fsencode(real.relative_to(folder)))
    return False


def _index(git: Path) -> bytes | None:
    """Return the index of a repository; None if there is no repository. Raises OSError."""
    if git.is_file():  # a linked work tree
        link = git.read_bytes()[:4096].removeprefix(b"gitdir:").strip()
        git = git.parent / os.fsdecode(link)
    if not git.is_dir():
        return None
    index = git / "index"
    small = index.is_file() and index.stat().st_size <= _LARGEST_INDEX
    return index.read_bytes() if small else b""


def _holds(index: bytes, name: bytes) -> bool:
    """Whether a name is an entry: before it stands its length, in the last 12 bits of two bytes.

    Versions of the format have up to three bytes more in between.
    """
    length = min(len(name), 0xFFF)
    at = index.find(name + b"\0")
    while at >= 0:
        flags = (index[at - back : at - back + 2] for back in range(2, 6))
        if any(int.from_bytes(pair, "big") & 0xFFF == length for pair in flags):
            return True
        at = index.find(name + b"\0", at + 1)
    return False
