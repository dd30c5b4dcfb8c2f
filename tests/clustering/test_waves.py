from __future__ import annotations

from collections.abc import Hashable, Sequence

from tplcrawl.clustering.likes import Seen
from tplcrawl.clustering.waves import waves_of

PRODUCT, TAG, BLOCK = 4, 7, 6


def seen(arrival: int, given: int, clues: Sequence[Hashable], *, excuse: int | None = None) -> Seen:
    shown = excuse if excuse is not None else 1000 + arrival
    return Seen(arrival, arrival, shown, shown, shown, given, None, str(arrival), 1, clues)


def called(pages: Sequence[Seen]) -> set[int]:
    return {page.docid for page in waves_of(pages)}


def crawl(wave: range, *, outlasts: bool) -> list[Seen]:
    """Products in two folders and tags, all found in lists; in the *wave*, all show one thing. One
    that *outlasts* a folder leaves no product of it as it should be."""
    pages = []
    for n in range(90):
        tag = n % 3 == 0
        folder = "storage" if outlasts and n in wave else f"folder {n % 2}"
        clues = [("tag",), "cloud"] if tag else [(folder,), "list"]
        given = BLOCK if n in wave else TAG if tag else PRODUCT
        pages.append(seen(n, given, clues, excuse=9 if n in wave else None))
    return pages


def test_what_showed_one_thing_at_one_time_is_a_wave() -> None:
    wave = range(30, 60)
    assert called(crawl(wave, outlasts=False)) == set(wave)


def test_a_wave_may_outlast_all_urls_of_a_form() -> None:
    """Catches waves in which a shop's folder was crawled from its first product to its last: then
    the places say what stands there at other times."""
    wave = range(30, 60)
    assert called(crawl(wave, outlasts=True)) == set(wave)


def test_a_page_type_with_urls_and_places_of_its_own_is_none() -> None:
    pages = crawl(range(0), outlasts=False)
    pages += [seen(n, BLOCK, [("login",), "menu"], excuse=9) for n in range(90, 120)]
    assert called(pages) == set()


def test_copies_that_come_now_and_then_are_none() -> None:
    pages = [
        seen(one.arrival, BLOCK, one.clues, excuse=9) if one.arrival % 3 == 1 else one
        for one in crawl(range(0), outlasts=False)
    ]
    assert called(pages) == set()
