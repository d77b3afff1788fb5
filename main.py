"""Start the agent: `python main.py` chats, `python main.py "question"` answers once."""

import sys

from chyan_agent.cli import main

if __name__ == "__main__":
    sys.exit(main())
