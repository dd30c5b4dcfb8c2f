"""What is planted into packed sites, and what that is to be called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tplcrawl.clustering.mismatches import LOGIN, REDIRECT
from tplcrawl.evaluation.corpus import ROOT, Corpus
from tplcrawl.evaluation.faults import EMPTY, FAULTS, GONE, MENU, SUGGESTING, WAVES
from tplcrawl.evaluation.planting import FaultyCorpus, Visited, plant
from tplcrawl.page.profile import profile_of

ITEMS = 100
FORM = "<form><input type=password name=word></form>"
PAGES = [Visited(f"{ROOT}/", "home", 9), Visited(f"{ROOT}/login", "login", 90)] + [
    Visited(f"{ROOT}/item/{n}", "item", 1) for n in range(ITEMS)
]


def planted(
    folder: Path, fault: str, *, form: str = FORM, everywhere: str = ""
) -> tuple[Corpus, FaultyCorpus]:
    """A shop, and the same with a fault; *form* is on its login page."""
    (folder / "f").mkdir()
    answers = {}
    for page in PAGES:
        path = page.url.removeprefix(ROOT)
        text = f"<p>All that is to be said of {path} is said here.</p>{form * (path == '/login')}"
        body = f"<title>About {path}</title><nav>Menu{everywhere}</nav><main>{text * 9}</main>"
        (folder / "f" / str(len(answers))).write_text(f"<html><body>{body}</body></html>")
        answers[path] = {"file": f"f/{len(answers)}"}
    (folder / "site.json").write_text('{"start": "/"}')
    (folder / "map.json").write_text(json.dumps(answers))
    (folder / "truth.tsv").write_text("")
    corpus = Corpus.open(folder)
    return corpus, plant(corpus, fault, PAGES, 0)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_shown_where_it_is_said_to_be(tmp_path: Path, fault: str) -> None:
    """Catches truths of pages that are what they should be, and faults that nobody counts."""
    corpus, site = planted(tmp_path, fault, form="")
    assert 1 < len(site.shown) <= 40
    assert site.kinds.keys() == site.shown.keys()
    assert set(site.kinds.values()) == {FAULTS[fault]}
    for page in PAGES:
        good, shown = corpus.fetch(page.url), site.fetch(page.url)
        assert good is not None
        assert shown is not None
        assert (good.body == shown.body) == (page.url not in site.shown)
        assert shown.url == page.url
    if fault in WAVES:
        places = [n for n, page in enumerate(PAGES) if page.url in site.shown]
        assert places == [*range(places[0], places[-1] + 1)]


@pytest.mark.parametrize(("everywhere", "kind"), [("", LOGIN), (FORM, REDIRECT)])
def test_who_is_sent_to_a_form_for_a_password_stands_before_a_wall(
    tmp_path: Path, everywhere: str, kind: str
) -> None:
    """Catches counting it as missed that a redirect to the login page is called a wall; where every
    page has such a form, it is none."""
    _, site = planted(tmp_path, MENU, everywhere=everywhere)
    assert set(site.kinds.values()) == {kind}


def test_excuses_in_a_pages_own_frame_keep_its_title(tmp_path: Path) -> None:
    _, site = planted(tmp_path, GONE)
    for url in site.shown:
        shown = site.fetch(url)
        assert shown is not None
        assert profile_of(url, shown.body, None).title == f"About {url.removeprefix(ROOT)}"
        assert b"Menu" in shown.body
        assert b"All that is" not in shown.body


def test_suggestions_change_and_an_empty_frame_does_not(tmp_path: Path) -> None:
    for fault, many in ((SUGGESTING, True), (EMPTY, False)):
        folder = tmp_path / fault
        folder.mkdir()
        _, site = planted(folder, fault)
        assert (len({page.body for page in site.shown.values()}) > 2) == many
