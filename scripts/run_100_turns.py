"""Run the stress run: 100 turns (or `--turns N`) with automatic checks. See `--help`."""

from chyan_agent.rig.command import main

if __name__ == "__main__":
    raise SystemExit(main())
