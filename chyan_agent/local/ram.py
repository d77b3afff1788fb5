"""How much memory a new process may still take."""

from pathlib import Path

_MEMINFO = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


def available(meminfo: Path = _MEMINFO, group: Path = _GROUP) -> int | None:
    """Return the bytes that are free or can be freed, of the machine and of a container.

    None where the system does not say.
    """
    found = [value for value in (_machine(meminfo), _container(group)) if value is not None]
    return min(found, default=None)


def _machine(path: Path) -> int | None:
    try:
        lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    for line in lines:
        name, _, rest = line.partition(":")
        if name == "MemAvailable" and rest.split()[:1]:
            return _whole(rest.split()[0], 1024)
    return None


def _container(folder: Path) -> int | None:
    """Return what is left of a limit of control groups, version 2; "max" is none."""
    try:
        limit = _whole((folder / "memory.max").read_text(encoding="ascii").strip())
        used = _whole((folder / "memory.current").read_text(encoding="ascii").strip())
        stat = (folder / "memory.stat").read_text(encoding="ascii")
    except OSError:
        return None
    if limit is None or used is None:
        return None
    entries = dict(line.split()[:2] for line in stat.splitlines() if len(line.split()) > 1)
    # Pages of files, such as a model read before, are given back when they are needed.
    return max(limit - used + (_whole(entries.get("file", "")) or 0), 0)


def _whole(text: str, unit: int = 1) -> int | None:
    return int(text) * unit if text.isdecimal() else None
