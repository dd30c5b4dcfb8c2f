from __future__ import annotations

from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

from tplcrawl.evaluation.serving import NOT_FOUND, Answer, SiteServer


def ask(connection: HTTPConnection, target: str) -> tuple[HTTPResponse, bytes]:
    connection.request("GET", target)
    response = connection.getresponse()
    return response, response.read()


def test_a_server_answers_what_its_function_says() -> None:
    answers = {
        "/": Answer(b"<p>hello"),
        "/x?a=1&b=%20": Answer(b"\0\xff", 418, "image/png", (("X-A", "1"), ("X-A", "2"))),
        "/untyped": Answer(b"", 204, None),
    }
    with SiteServer(answers.get) as server:
        connection = HTTPConnection(urlsplit(server.url).netloc, timeout=30)
        response, body = ask(connection, "/")
        assert (response.status, body) == (200, b"<p>hello")
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
        response, body = ask(connection, "/x?a=1&b=%20")
        assert (response.status, body) == (418, b"\0\xff")
        assert response.headers["Content-Type"] == "image/png"
        assert response.headers.get_all("X-A") == ["1", "2"]
        response, _ = ask(connection, "/untyped")
        assert "Content-Type" not in response.headers
        response, body = ask(connection, "/none")
        assert (response.status, body) == (404, NOT_FOUND.body)
        response, body = ask(connection, "/robots.txt")
        assert (response.status, b"Allow: /" in body) == (200, True)
        connection.close()


def test_two_servers_do_not_share_a_port() -> None:
    with SiteServer(lambda _: None) as one, SiteServer(lambda _: None) as two:
        assert one.url != two.url
