"""The report while the crawl runs, served to this machine alone."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tplcrawl.errors import TplcrawlError
from tplcrawl.reports.crawl import Crawl
from tplcrawl.reports.report import Report
from tplcrawl.reports.wording import RUNNING
from tplcrawl.store.store import Store

SHARE = 20
"""A report is made anew when the last one is so many times as old as it took to make: watching
costs a crawl at most a twentieth of its time."""

_JSON, _HTML = "application/json", "text/html; charset=utf-8"
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class _View:
    """A report as it is served."""

    files: dict[str, tuple[str, bytes]]
    made: float
    cost: float


class LiveReport:
    """Serves the report of the crawl in *folder* on 127.0.0.1, at a port that is free.

    It only reads: GET and HEAD of two files. A request must name this machine as its host, so that
    no page of a stranger can reach it through a name of its own (DNS rebinding).
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._making = threading.Lock()
        self._view: _View | None = None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        port = self._server.server_address[1]
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.url = f"http://127.0.0.1:{port}/"

    def start(self) -> None:
        """Serve, from a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Serve no more; the store is not read when this returns."""
        self._server.shutdown()
        self._server.server_close()
        with self._making:
            self._view = _View({}, float("inf"), 0.0)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        live = self

        class Handler(BaseHTTPRequestHandler):
            timeout = 30

            def do_GET(self) -> None:
                live._answer(self)

            def do_HEAD(self) -> None:
                live._answer(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        if request.headers.get("Host") not in self._hosts:
            request.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return
        try:
            found = self._look().files.get(request.path.partition("?")[0])
        except TplcrawlError:
            request.send_error(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        if found is None:
            request.send_error(HTTPStatus.NOT_FOUND)
            return
        type_, body = found
        request.send_response(HTTPStatus.OK)
        for name, value in {**_HEADERS, "Content-Type": type_}.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        if request.command == "GET":
            request.wfile.write(body)

    def _look(self) -> _View:
        """The last report, or a new one if that has become old."""
        with self._making:
            view = self._view
            if view is None or time.monotonic() - view.made > SHARE * view.cost:
                view = self._view = self._make()
            return view

    def _make(self) -> _View:
        began = time.monotonic()
        with Store(self._folder, write=False) as store:
            store.database.hold()
            report = Report.of(Crawl.read(store, RUNNING))
        page = report.html(live=True).encode("utf-8", "replace")
        numbers = json.dumps(report.numbers, ensure_ascii=False).encode("utf-8", "replace")
        ended = time.monotonic()
        files = {"/": (_HTML, page), "/coverage.json": (_JSON, numbers)}
        return _View(files, ended, ended - began)
