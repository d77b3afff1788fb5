"""The counters of the offline model's judge, read from outside."""

import http.client
import json
from urllib.parse import urlsplit


class Judge:
    """Reads `GET /judge` of the server behind a base URL over one kept connection."""

    def __init__(self, base_url: str) -> None:
        self._server = http.client.HTTPConnection(urlsplit(base_url).netloc, timeout=30)
        self.refused = self._read()

    def news(self) -> int:
        """Return how many requests were refused since the last look."""
        before, self.refused = self.refused, self._read()
        return self.refused - before

    def close(self) -> None:
        """Close the connection."""
        self._server.close()

    def _read(self) -> int:
        self._server.request("GET", "/judge")
        answer = json.loads(self._server.getresponse().read())
        return sum(answer["refusals"].values())
