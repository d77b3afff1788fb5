"""Starts the program so that it imports nothing that merely lies beside it.

Python looks for a module first in the folder of the script or, with `-m`, in the current one: a
`json.py` that someone put there would run in place of the library's. What is imported here is
loaded before any script begins. See docs/decisions/0020-own-code.md.

As a script it runs a module of this package in a process of its own: `command`.
"""

import os
import sys

_PARENT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def alone() -> None:
    """Take the folder that Python put first, and that of a checkout, off the path of imports.

    To be called once, before anything else is imported; the package itself is loaded by then.
    """
    added = 0 if sys.flags.safe_path else 1
    checkout = os.path.realpath(_PARENT) if os.path.isfile(f"{_PARENT}/main.py") else None
    sys.path[:] = [place for place in sys.path[added:] if os.path.realpath(place) != checkout]


def command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of this package, whatever the current folder holds."""
    return [sys.executable, "-P", os.path.abspath(__file__), module, *arguments]


def _run(module: str) -> None:
    sys.path.insert(0, _PARENT)
    import chyan_agent  # noqa: F401  # its modules are found by it from now on

    del sys.path[0]
    from runpy import run_module

    run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    del sys.argv[0]
    _run(sys.argv[0])
