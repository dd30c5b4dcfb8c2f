from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tplcrawl.records import Prediction
from tplcrawl.reports.crawl import Crawl
from tplcrawl.reports.report import Report
from tplcrawl.reports.sections.mismatches import mismatches
from tplcrawl.store.pages import Item
from tplcrawl.store.store import Store
from tplcrawl.store.urls import State

Write = Callable[..., int]

URL = "http://a.com/"


def numbers_of(store: Store, stopped: str = "max-pages") -> dict[str, Any]:
    return Report.of(Crawl.read(store, stopped)).numbers


def test_every_url_is_counted_once_wherever_it_ended(store: Store, write: Write) -> None:
    links = [f"/{n}" for n in range(1, 10)]
    write(store, URL, 1, links=links, items=[Item("A", "{}")] * 3)
    for n in (1, 2, 3):
        write(store, f"{URL}{n}", 2, depth=1, html=f"<i class='{'x ' * 400}'></i>")
    write(store, URL + "4", None, depth=2)
    store.urls.settle(6, State.SKIPPED, reason="robots.txt")
    store.urls.settle(7, State.SKIPPED, reason="depth")
    store.urls.settle(8, State.FAILED, reason="robots.txt")
    store.urls.settle(9, State.REDIRECTED, target=1)
    numbers = numbers_of(store)
    assert numbers["funnel"] == {
        "discovered": 10, "wanted": 8, "asked": 7, "fetched": 5, "pages": 5, "assigned": 4,
    }  # fmt: skip
    states = {
        "queued": 1, "fetched": 5, "skipped": 2, "failed": 1, "redirected": 1, "held": 0,
    }  # fmt: skip
    assert numbers["states"] == states
    assert numbers["reasons"] == {"robots.txt": 2, "depth": 1}
    told = {
        one["id"]: [one[name] for name in ("fetched", "queued", "skipped", "failed")]
        for one in numbers["templates"]
    }
    assert told == {
        "t2": [3, 1, {"depth": 1, "robots.txt": 1}, {"robots.txt": 1}],
        "t1": [1, 0, {}, {}],
    }
    assert numbers["unassigned"]["pages"] == numbers["unassigned"]["fetched"] == 1
    assert numbers["unassigned"]["reasons"] == {"by the test": 1}
    assert [(one["state"], one["reason"], one["urls"]) for one in numbers["left_out"]] == [
        ("queued", "max-pages", 1),
        ("skipped", "depth", 1),
        ("skipped", "robots.txt", 1),
        ("failed", "robots.txt", 1),
    ]
    assert numbers["left_out"][0]["expected"] == [{"template": "t2", "urls": 1}]
    assert numbers["left_out"][3]["examples"] == [URL + "7"]
    assert numbers["depths"] == [
        {"depth": 0, "pages": 1, "templates": {"t1": 1}, "unassigned": 0},
        {"depth": 1, "pages": 4, "templates": {"t2": 3}, "unassigned": 1},
    ]
    assert numbers["discovery"] == {
        "curve": [{"template": "t1", "page": 1}, {"template": "t2", "page": 2}],
        "found": 2,
        "last": 2,
        "saturation": None,
    }
    assert numbers["cuts"] == {"classes": 3}
    assert numbers["items"] == 3


def test_links_lead_from_template_to_template(store: Store, write: Write) -> None:
    """A home page with a list of three, which link to each other; one of them to a dead end."""
    write(store, URL, 1, links=["/a", "/b", "/c"])
    for name in "abc":
        write(store, URL + name, 2, links=["/a", "/b", "/"] + ["/end"] * 2 * (name == "c"), depth=1)
    write(store, URL + "end", 3, depth=2)
    told = numbers_of(store)["links"]
    assert told["read"] == {"t2": 3, "t1": 1, "t3": 1}
    assert [tuple(edge.values()) for edge in told["edges"]] == [
        ("t1", "t2", 1, 3, 3),
        ("t2", "t1", 3, 3, 0),
        ("t2", "t2", 3, 4, 0),
        ("t2", "t3", 1, 2, 1),
    ]
    assert told["roles"] == {"t1": "list", "t2": "detail", "t3": "dead end"}


def test_a_hub_leads_to_three_other_templates(store: Store, write: Write) -> None:
    write(store, URL, 1, links=["/a", "/b", "/c"])
    for name, template in zip("abc", (2, 3, 4), strict=True):
        write(store, URL + name, template, links=["/"], depth=1)
    assert numbers_of(store)["links"]["roles"]["t1"] == "hub"


def test_mismatches_are_counted_by_what_was_expected(store: Store, write: Write) -> None:
    write(store, URL, 1)
    sure, unsure = Prediction(2, 0.9), Prediction(2, 0.5)
    for n, (template, told) in enumerate(
        [(2, sure), (1, sure), (1, sure), (1, unsure), (None, sure), (2, None)]
    ):
        write(store, f"{URL}{n}", template, predicted=told, depth=1)
    crawl = replace(Crawl.read(store, "max-pages"), mismatches={3: "block", 4: "block"})
    told = mismatches(crawl, 20)
    assert (told["predicted"], told["right"], told["denied"]) == (4, 1, 2)
    assert told["confidence"] == (3 * 0.9 + 0.5) / 4
    assert told["calibration"] == [
        {"confidence": 0.5, "predicted": 1, "right": 0},
        {"confidence": 0.9, "predicted": 3, "right": 1},
    ]
    assert told["kinds"] == {"block": 2}
    assert told["pairs"] == [{"expected": "t2", "found": "t1", "pages": 2}]
    assert [one["url"] for one in told["examples"]] == [URL + "1", URL + "2"]


def test_every_kind_of_mismatch_has_examples_and_is_told_of_its_template(
    store: Store, write: Write
) -> None:
    """Many soft 404s come before the block pages: they must not take all places."""
    write(store, URL, 1)
    for n in range(40):
        write(store, f"{URL}{n}", 2 if n < 30 else 3, predicted=Prediction(1, 0.9), depth=1)
    kinds = {docid: "soft-404" if docid < 32 else "block" for docid in range(2, 42)}
    crawl = replace(Crawl.read(store, "max-pages"), mismatches=kinds)
    numbers = Report.of(crawl).numbers
    told = [one["kind"] for one in numbers["mismatches"]["examples"]]
    assert told == ["block"] * 10 + ["soft-404"] * 10
    by_id = {one["id"]: one for one in numbers["templates"]}
    assert [by_id[id_]["denied"] for id_ in ("t1", "t2", "t3")] == [
        {}, {"soft-404": 30}, {"block": 10},
    ]  # fmt: skip
    assert not by_id["t1"]["doubts"]
    assert by_id["t3"]["doubts"]
    (finding,) = [one for one in numbers["findings"] if one["section"] == "mismatches"]
    assert finding["level"] == "bad"
    assert "block 10" in finding["text"]


def test_pages_between_other_templates_make_doubts(store: Store, write: Write) -> None:
    """Template 2 has pages of two structures, one of them that of template 1."""
    for n in range(8):
        write(store, f"{URL}a{n}", 1, html="<p><b>x</b>")
        html = "<p><b>x</b>" if n < 6 else "<ul><li>1<li>2</ul><table><tr><td>x</table>"
        write(store, f"{URL}b{n}", 2, html=html)
    numbers = numbers_of(store)
    by_id = {one["id"]: one for one in numbers["templates"]}
    assert by_id["t1"]["judged"] == by_id["t2"]["judged"] == 8
    assert by_id["t1"]["agree"] == 8
    assert by_id["t2"]["agree"] == 2
    assert by_id["t2"]["doubts"]
    assert any(
        "page-2" in one["text"] or "Look twice" in one["text"] for one in numbers["findings"]
    )
    assert numbers["map"] == {"shown": 16, "judged": 16, "agree": 10}


def test_a_measured_saturation_is_told(store: Store, write: Write) -> None:
    write(store, URL, 1)
    told = {"unseen": 0.02, "templates": 3.5, "low": 3, "high": 6, "fetches": 40}
    store.set_meta("saturation", told)
    assert numbers_of(store)["discovery"]["saturation"] == told


def test_what_a_search_has_brought_is_told_as_it_came(store: Store, write: Write) -> None:
    """A redirect leads to the given page, which came third; another of its template fifth."""
    write(store, URL, 1, links=["/moved", "/gone"])
    write(store, URL + "a", 1, depth=1)
    given = write(store, URL + "b", 2, depth=1)
    write(store, URL + "c", 1, depth=1)
    write(store, URL + "d", 2, depth=1)
    moved, gone = store.urls.known([URL + "moved", URL + "gone"]).values()
    store.urls.settle(moved, State.REDIRECTED, target=given)
    store.urls.settle(gone, State.FAILED, reason="http 404")
    assert numbers_of(store)["search"] is None
    store.set_meta("like", [URL + "moved", URL + "never"])
    numbers = numbers_of(store)
    assert numbers["search"] == {
        "like": [URL + "moved", URL + "never"],
        "templates": ["t2"],
        "pages": 2,
        "asked": 7,
        "harvest": 0.2857,
        "curve": [{"page": 3, "found": 1}, {"page": 5, "found": 2}],
    }
    assert "2 pages like the one given (t2): 29% of 7 requests." in [
        one["text"] for one in numbers["findings"]
    ]
    store.set_meta("like", [URL + "never"])
    numbers = numbers_of(store)
    assert numbers["search"]["pages"] == 0
    assert numbers["findings"][0]["level"] == "bad"


def test_a_page_without_links_is_no_site_that_was_crawled_whole(store: Store, write: Write) -> None:
    """Catches a page that scripts fill, of which nothing else is said than that nothing waits."""
    write(store, URL, 1)
    (finding, *rest) = numbers_of(store, "finished")["findings"]
    assert (finding["level"], finding["section"]) == ("bad", "left-out")
    assert "scripts" in finding["text"]
    assert not any("waiting" in one["text"] for one in rest)


def test_a_crawl_without_a_page_has_numbers_too(store: Store) -> None:
    store.pages.add_items(0, [Item("A", "{}")])
    numbers = numbers_of(store, "finished")
    assert set(numbers["funnel"].values()) == {0}
    assert numbers["items"] == 1
    assert numbers["templates"] == numbers["depths"] == numbers["findings"] == []
