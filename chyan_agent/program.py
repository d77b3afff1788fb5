"""What of this program runs at the next start: tools may read it, and never write it."""

import site
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path

COMMAND = "chyan-agent"
"""The script that an installation makes."""


def program() -> list[Path]:
    """Return what runs at the next start, there or not yet there: the package and what would be
    found in its place, the interpreter and its packages, and the scripts that start it.
    """
    package = Path(__file__).resolve().parent
    found = [package, *_python()]
    checkout = _script(package.parent / "main.py")
    found += [checkout, checkout.with_name("scripts")] if checkout else []
    started = _script(Path(*sys.argv[:1]))
    # What pip made imports `re` from its own folder before any code of ours can act.
    found += [started.parent if started.name == COMMAND else started] if started else []
    named = getattr(sys.modules["__main__"], "__spec__", None) is not None  # python -m
    first = started.parent if started and not named else Path()
    return [*found, first / package.name, first / f"{package.name}.py"]


def _python() -> list[Path]:
    """Return the folders that code of the interpreter comes from: a virtual environment whole, of
    another one (`/usr`, where projects may live as well) the library, packages and commands.
    """
    places = [sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib", "scripts")]
    places += site.getsitepackages()
    places += [sys.prefix] if sys.prefix != sys.base_prefix else []
    places += [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    return [Path(place) for place in dict.fromkeys(places)]


def _script(path: Path) -> Path | None:
    with suppress(OSError):
        return path.resolve() if path.is_file() else None
    return None
