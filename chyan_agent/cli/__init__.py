"""The command line. `main` is its edge: the one place where everything is caught."""

import os
import sys
from collections.abc import Sequence

from ..errors import AgentError
from .edge import Edge
from .terminal import OutputClosed, OutputFailed

INTERRUPTED, READER_GONE = 130, 141
"""Exit codes that no AgentError has: as shells and sysexits.h number them."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    edge = Edge(list(sys.argv[1:] if argv is None else argv), os.environ)
    try:
        return edge.run()
    except AgentError as error:
        return edge.fail(error)
    except OutputFailed as error:
        return edge.lose_output(str(error))
    except OutputClosed:
        edge.mute()
        return READER_GONE
    except KeyboardInterrupt:
        edge.interrupt()
        return INTERRUPTED
    except Exception as error:  # the edge: a bug must end in a report
        return edge.crash(error)
    finally:
        edge.close()
