"""The name of a conversation: what it may be, and which one is meant where none is given."""

import re

MAIN = "main"
"""The session that lives in the data directory itself."""
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
