"""`python -m chyan_agent` is the command line."""

import sys

from .start import alone

if __name__ == "__main__":
    alone()
    from .cli import main

    sys.exit(main())
