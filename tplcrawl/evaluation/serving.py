"""A real HTTP server on loopback, for sites made of Python functions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answers to one request."""

    body: bytes = b""
    status: int = 200
    type: str | None = HTML
    headers: tuple[tuple[str, str], ...] = ()


NOT_FOUND = Answer(b"<!doctype html><title>404</title><h1>Not found</h1>", 404)
ALLOW_ALL = Answer(b"User-agent: *\nAllow: /\n", type="text/plain")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class SiteServer:
    """Serves what *answer* gives for a path and query, from a thread, until the block ends.

    >>> with SiteServer(lambda target: Answer(b"hello")) as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self, answer: Callable[[str], Answer | None], port: int = 0, host: str = "127.0.0.1"
    ) -> None:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                given = answer(self.path)
                if given is None:
                    given = ALLOW_ALL if self.path == "/robots.txt" else NOT_FOUND
                self.send_response(given.status)
                if given.type is not None:
                    self.send_header("Content-Type", given.type)
                for name, value in given.headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(given.body)))
                self.end_headers()
                self.wfile.write(given.body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = _Server((host, port), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Where the server listens, with a slash at the end."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}/"

    def __enter__(self) -> SiteServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def serve_forever(self) -> None:
        """Serve from this thread until interrupted."""
        self._server.serve_forever()
