"""A file-based, crash-recoverable, tool-using agent for models with a small window.

Importing the package does nothing; `chyan_agent.build` puts an agent together.
"""

__version__ = "0.1.0"
