"""Run the offline model as a process of its own: `python -m chyan_agent.offline --port 0`."""

import argparse
import sys
import threading

from .options import Options, Scales
from .server import Server


def main(argv: list[str] | None = None) -> int:
    """Serve until standard input closes, so that the server never outlives its parent."""
    options, port = _options(argv)
    server = Server(options, port=port)
    print(server.base_url, flush=True)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    server.warm()
    sys.stdin.buffer.read()
    server.shutdown()
    server.server_close()
    return 0


def _options(argv: list[str] | None) -> tuple[Options, int]:
    parser = argparse.ArgumentParser(prog="python -m chyan_agent.offline", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--limit", type=int, default=10_000, help="context window in tokens")
    parser.add_argument("--loss", type=float, default=0.3, help="share of facts a summary loses")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tokenizer", default="o200k_base")
    parser.add_argument(
        "--judge-factor", type=float, default=1.0, help="count each text so many times as long"
    )
    parser.add_argument(
        "--judge-overhead", type=int, default=4, help="tokens of a message beside its text"
    )
    parser.add_argument("--key", default="", help="refuse requests without this key")
    args = parser.parse_args(argv)
    options = Options(
        limit=args.limit,
        loss=args.loss,
        seed=args.seed,
        tokenizer=args.tokenizer,
        scales=Scales(args.judge_factor, args.judge_overhead),
        key=args.key,
    )
    return options, args.port


if __name__ == "__main__":
    sys.exit(main())
