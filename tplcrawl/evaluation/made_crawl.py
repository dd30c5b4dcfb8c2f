"""A crawl of any size that nobody made: for measuring what comes after a crawl."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from tplcrawl.evaluation.sample.dice import Dice
from tplcrawl.fingerprints.features import features_of
from tplcrawl.page.profile import profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.records import Assignment, Prediction, Profile
from tplcrawl.store.sightings import SightingTable
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery, Place, State

START = "http://made.example/"
VARIANTS = 12
"""Structures that the pages of a template have."""

LINKS, FAN = 60, 10
"""Links of a page, and those of them that lead to pages which no other page led to before."""

_BLOCKS = (
    "<h2>x</h2><p>text</p><p>text</p>",
    "<table><tr><th>x</th><td>y</td></tr><tr><th>x</th><td>y</td></tr></table>",
    "<ul class=list><li><a href=#>x</a></li><li><a href=#>y</a></li></ul>",
    "<figure><img src=x><figcaption>x</figcaption></figure>",
    "<form><input><select></select><button>x</button></form>",
    "<div class=card><img src=x><h3>x</h3><span>1</span></div>",
    "<dl><dt>x</dt><dd>y</dd></dl>",
    "<article><h3>x</h3><p>text</p><time>x</time></article>",
)
_FRAME = (
    "<header><a href=/>x</a><nav><ul>" + "<li><a href=#>x</a></li>" * 8 + "</ul></nav></header>",
    "<footer><p>x</p><ul>" + "<li><a href=#>x</a></li>" * 6 + "</ul></footer>",
)


def make_crawl(
    folder: Path, pages: int, templates: int, progress: Callable[[int], None] = lambda n: None
) -> None:
    """Write a store of *pages* pages of *templates* templates, the first ones the largest, and of
    as many URLs again that wait, were left out, or failed."""
    with Store(folder) as store:
        store.claim("made.example")
        store.set_meta("method", "made")
        store.set_meta("stopped", "max-pages")
        locations = store.locations.ids(f"/html/body/div/ul/li/a[{n}]" for n in range(templates))
        kinds = [_template(number, templates) for number in range(2 * pages)]
        found = [
            Discovery(
                _url(number, kind),
                min(number.bit_length() // 2, 9),
                Place(locations[kind], "1.1.1", number // FAN or None) if number else Place(),
            )
            for number, kind in enumerate(kinds)
        ]
        store.urls.discover(found)
        profiles = [[_profile(kind, n) for n in range(VARIANTS)] for kind in range(templates)]
        for number in range(pages):
            _add(store, number, kinds, locations, profiles)
            if number % 100 == 99:
                store.commit()
                progress(number + 1)
        for number in range(pages, 2 * pages):
            if number % 3 == 1:
                store.urls.settle(number + 1, State.SKIPPED, reason="robots.txt")
            elif number % 3 == 2:
                status = (403, 404, 500)[number // 3 % 3]
                store.urls.settle(number + 1, State.FAILED, reason=f"http {status}", status=status)


def _template(number: int, templates: int) -> int:
    """The template of a URL: the first ones come most often, as on real sites, the last ones late
    and seldom."""
    if number < templates // 2:
        return number
    dice = Dice(7, "template", number)
    return dice.roll(dice.roll(dice.roll(templates) + 1) + 1)


def _url(number: int, kind: int) -> str:
    if not number:
        return START
    folder, name = Dice(7, kind).words(2), Dice(7, number).words(3)
    return f"{START}{folder.replace(' ', '/')}/{name.replace(' ', '-')}-{number}"


def _profile(kind: int, variant: int) -> Profile:
    """A page of a template: some blocks of its own between what all pages have; in some of its
    variants one more."""
    dice = Dice(7, "structure", kind)
    own = [(dice.pick(_BLOCKS), dice.between(1, 6)) for _ in range(5)]
    more = Dice(7, "variant", kind, variant)
    blocks = [block * (count + more.roll(2)) for block, count in own]
    blocks += [more.pick(_BLOCKS)] * more.roll(2)
    inner = "".join(f"<div class='part-{kind}-{n}'>{one}</div>" for n, one in enumerate(blocks))
    html = f"<html><body class=kind{kind}>{_FRAME[0]}<main>{inner}</main>{_FRAME[1]}</body></html>"
    return profile_of(START, html.encode(), Cleaner(Site([START])))


def _add(
    store: Store,
    number: int,
    kinds: Sequence[int],
    locations: Sequence[int],
    profiles: Sequence[Sequence[Profile]],
) -> None:
    dice = Dice(7, "page", number)
    kind = kinds[number]
    given = profiles[kind][dice.roll(VARIANTS)]
    url = _url(number, kind)
    profile = replace(given, url=url, title=f"{Dice(7, number).title(4)} {number % 5000}")
    targets = [n for n in range(number * FAN, number * FAN + FAN) if n < len(kinds)]
    targets += [dice.roll(len(kinds)) for _ in range(LINKS - len(targets))]
    sightings = SightingTable.of(
        [n + 1 for n in targets],
        [locations[kinds[n]] for n in targets],
        [False] * len(targets),
        [(1, 1, 1)] * len(targets),
    )
    sure = Prediction(kind + 1, 0.9) if dice.chance(95) else Prediction(1, 0.85)
    features = features_of(url, profile.outline, profile.lzw).encode()
    store.pages.add_many([(number + 1, profile, features, sightings, sure, None)])
    template = kind + 1 if dice.chance(99) else None
    store.pages.assign(number + 1, Assignment(template, 0.9, "made"))
    store.urls.settle(number + 1, State.FETCHED, status=200)
