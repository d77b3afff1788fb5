"""Start the agent: `python main.py` chats, `python main.py "question"` answers once."""

import sys

from chyan_agent.start import alone

if __name__ == "__main__":
    alone()
    from chyan_agent.cli import main

    sys.exit(main())
