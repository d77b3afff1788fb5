"""Run the stress run: 100 turns (or `--turns N`) with automatic checks. See `--help`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from chyan_agent.rig.command import main

if __name__ == "__main__":
    raise SystemExit(main())
