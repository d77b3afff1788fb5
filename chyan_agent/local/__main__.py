"""The child process: `python -m chyan_agent.local`, with its options as JSON on the first line."""

import json
import os
import sys
import threading

from .server import Options, Server

LOADING_FAILED = 3


def main() -> None:
    """Serve until standard input closes, so that the server never outlives its parent."""
    # The native code may print whatever it likes: only the address goes to the parent.
    parent = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    options = Options(**json.loads(sys.stdin.buffer.readline()))
    # (a parent that dies while the model is being loaded is noticed as well)
    threading.Thread(target=_follow_parent, daemon=True).start()
    try:
        server = Server(options)
    except RuntimeError as error:
        sys.stderr.write(f"{error}\n")
        sys.stderr.flush()
        os._exit(LOADING_FAILED)
    print(server.url, file=parent, flush=True)
    threading.Event().wait()


def _follow_parent() -> None:
    sys.stdin.buffer.read()
    # (the native threads, and this one, would hold up any other way out)
    os._exit(0)


if __name__ == "__main__":
    main()
