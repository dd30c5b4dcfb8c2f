"""Two crawls of one site."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tplcrawl.commands import main
from tplcrawl.store.store import Store

if TYPE_CHECKING:
    from tests.reports.conftest import Sight

Write = Callable[..., int]
Made = Callable[..., Path]
Capture = pytest.CaptureFixture[str]

URL = "http://a.com/"
FRAME = "<header class=top><nav><ul><li>x<li>y</ul></nav></header>"
PRODUCT = "<div class=product><h1>x</h1><img><table class=specs><tr><td>x</table></div>"
POST = "<article class=post><h1>x</h1><p>x<p>y</article>"
KINDS = {"product": (1, PRODUCT, 60), "post": (2, POST, 30), "about": (3, "<pre>x</pre>", 4)}


@pytest.fixture
def made(tmp_path: Path, write: Write) -> Made:
    """Makes a crawl of some kinds of pages: a template, its HTML, the number of pages."""

    def make(
        name: str, kinds: dict[str, tuple[int, str, int]], frame: str = FRAME, host: str = URL
    ) -> Path:
        with Store(tmp_path / name) as store:
            store.claim("a.com")
            store.set_meta("method", "by the test")
            for kind, (template, html, count) in kinds.items():
                for n in range(count):
                    more = f"<ul>{'<li>x' * (n % 3)}</ul>"
                    write(store, f"{host}{kind}/{n}", template, html=frame + html + more)
        return tmp_path / name

    return make


def told(capsys: Capture, old: Path, new: Path, *words: str, code: int = 0) -> Any:
    capsys.readouterr()
    assert main(["diff", str(old), str(new), "--json", *words]) == code
    return json.loads(capsys.readouterr().out)


def states(numbers: Any) -> dict[str, list[str]]:
    return {one["name"]: one["states"] for one in numbers["templates"]}


def test_the_same_site_has_not_changed(made: Made, capsys: Capture) -> None:
    """Ids and hosts may be others: what counts are pages and structure."""
    old = made("old", KINDS)
    other = {name: (9 - id_, html, count) for name, (id_, html, count) in KINDS.items()}
    new = made("new", other, host="http://staging.a.com:81/")
    numbers = told(capsys, old, new, "--fail-on", "any")
    assert states(numbers) == {"product": [], "post": [], "about": []}
    assert not numbers["redesign"]
    assert numbers["moved"] == 0
    pairs = {(one["old"], one["new"]) for one in numbers["templates"]}
    assert pairs == {("t1", "t8"), ("t2", "t7"), ("t3", "t6")}


def test_templates_come_go_grow_and_shrink(made: Made, capsys: Capture) -> None:
    old = made("old", {**KINDS, "list": (4, "<ol class=list><li>x</ol>", 40)})
    kinds = {
        "product": (1, PRODUCT, 120),
        "post": (2, POST, 8),
        "about": (3, "<pre>x</pre>", 5),
        "video": (5, "<video></video><b class=play>x</b>", 12),
    }
    numbers = told(capsys, old, made("new", kinds))
    assert states(numbers) == {
        "product": ["grew"], "post": ["shrank"], "about": [], "video": ["appeared"],
        "list": ["vanished"],
    }  # fmt: skip
    counts = {"appeared": 1, "vanished": 1, "changed": 0, "grew": 1, "shrank": 1}
    assert numbers["counts"] == counts
    assert not numbers["redesign"]


def test_one_template_with_a_new_structure_has_changed(made: Made, capsys: Capture) -> None:
    old = made("old", KINDS)
    post = "<div class=story><h2>x</h2><section><b>x</b></section></div>"
    numbers = told(capsys, old, made("new", {**KINDS, "post": (2, post, 30)}))
    assert states(numbers) == {"product": [], "post": ["changed"], "about": []}
    (one,) = [one for one in numbers["templates"] if one["states"]]
    assert "div.story" in one["gained"]
    assert "article.post" in one["lost"]
    assert one["alike"] < one["usual"]
    assert not numbers["redesign"]


def test_a_redesign_is_one_alarm(made: Made, capsys: Capture) -> None:
    """All pages got another frame; their URLs stayed."""
    old = made("old", KINDS)
    frame = "<div class=masthead><div class=logo><b>x</b></div></div><div class=wide><i>x</i></div>"
    new = made("new", KINDS, frame)
    numbers = told(capsys, old, new, "--fail-on", "redesign", code=1)
    assert numbers["redesign"]
    assert numbers["moved"] == 1
    assert set(map(tuple, states(numbers).values())) == {("changed",)}


def test_a_redesign_with_other_urls_is_one_too(made: Made, capsys: Capture) -> None:
    old = made("old", {"product": KINDS["product"], "post": KINDS["post"]})
    new = made("new", {"p": (1, "<section class=x><b>x</b></section>", 60)}, "<i class=f>x</i>")
    numbers = told(capsys, old, new)
    assert numbers["redesign"]
    assert numbers["counts"]["vanished"] == 2
    assert numbers["counts"]["appeared"] == 1


@pytest.mark.parametrize(
    ("asked", "code"),
    [("redesign", 0), ("vanished", 1), ("redesign,vanished", 1), ("any", 1), ("appeared", 0)],
)
def test_a_job_fails_on_what_it_was_asked_to(
    made: Made, capsys: Capture, asked: str, code: int
) -> None:
    old = made("old", KINDS)
    new = made("new", {name: KINDS[name] for name in ("product", "post")})
    capsys.readouterr()
    assert main(["diff", str(old), str(new), "--fail-on", asked]) == code
    out, err = capsys.readouterr()
    assert re.search(r"^vanished +about", out, re.M)
    assert "2 templates as before" in out
    assert err == (f"tplcrawl: {new}: vanished\n" if code else "")


def test_a_crawl_without_pages_can_be_compared(made: Made, capsys: Capture, tmp_path: Path) -> None:
    from tplcrawl.store.pages import Item

    with Store(tmp_path / "empty") as store:
        store.pages.add_items(0, [Item("A", "{}")])
    old = made("old", KINDS)
    assert told(capsys, old, tmp_path / "empty")["counts"]["vanished"] == 3
    numbers = told(capsys, tmp_path / "empty", old)
    assert numbers["counts"]["appeared"] == 3
    assert not numbers["redesign"]


def test_wrong_words_and_missing_crawls(made: Made, capsys: Capture, tmp_path: Path) -> None:
    old = made("old", KINDS)
    with pytest.raises(SystemExit) as caught:
        main(["diff", str(old), str(old), "--fail-on", "rain"])
    assert caught.value.code == 2
    capsys.readouterr()
    assert main(["diff", str(old), str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err.startswith("tplcrawl: no crawl in ")


def test_the_comparison_can_be_seen(
    made: Made, capsys: Capture, tmp_path: Path, show: Callable[..., Sight]
) -> None:
    """In the browser: what happened, with pictures of before and after."""
    old = made("old", {**KINDS, "list": (4, "<ol class=list><li>x</ol>", 40)})
    post = "<div class=story><h2>x</h2><section><b>x</b></section></div>"
    new = made("new", {**KINDS, "post": (2, post, 30)})
    file = tmp_path / "changes.html"
    numbers = told(capsys, old, new, "-o", str(file))
    sight = show(file)
    cards = sight.page.locator(".card")
    assert cards.count() == 2
    assert sight.page.locator(".card svg.wire").count() == 3
    assert "gone" in cards.filter(has_text="list").inner_text()
    assert len(numbers["templates"]) == sight.page.locator("table tbody tr").count()
    told_k = sight.page.eval_on_selector_all(
        "[data-k]", "all => all.map(e => [e.dataset.k, e.textContent])"
    )
    assert ["/counts/vanished", "1"] in told_k
    assert sight.overflow <= 0
    sight.check()
