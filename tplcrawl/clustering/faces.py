"""Faces: one page that is shown under several URLs, and which of these is its own.

Two answers have one face if their structure and title are the same, and the links that not every
page has, or all of their bytes. Whose it is, the likes of the URLs tell
(:mod:`~tplcrawl.clustering.likes`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from tplcrawl.clustering.likes import Likes, Seen, Witness

_MOST_OWN = 3
"""URLs that one page may rightly have, parameters aside: with and without a file name, say. What
stands rightly under more is no page of its own."""
_LOOKED = 5_000
"""Pages of one structure and title that are looked at."""
_MOST = 100
"""Faces with one structure and title from which on these say nothing."""
_LIST = 3
"""Links of its own that no excuse has: it has those of every page."""
_KNOWN = 3
"""Other pages of a template that make it one that the site really has."""
_COPIES = 5
"""Places that show one page, from which on that is telling."""
_VARIED = 0.7
"""The share of pages of a template that show what no other does, from which on copies tell."""
_SECOND = 0.25
"""The share of URLs of one form or place that are second names of pages, above which that is how
the site is made."""
_SAME_LINKS = 0.7
"""The share of links that two answers with one face have in common; advertisements change."""
_MANY, _HALF = 10, 0.5
"""So many links in common, and the share that does then: where a list goes on is told relative to
the URL that it is shown under."""


@dataclass(slots=True)
class Faces:
    """What the faces of a crawl tell, by docid."""

    moved: set[int] = field(default_factory=set)
    """Pages that rightly stand under other URLs."""
    owned: set[int] = field(default_factory=set)
    """These."""
    stray: set[int] = field(default_factory=set)
    """Pages that stand rightly nowhere."""
    strays: defaultdict[int | None, list[list[Seen]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """The same before it is clear: for each template its faces, what may be at home first."""


def faces_of(
    pages: Sequence[Seen], links: Callable[[Sequence[int]], Mapping[int, Set[int]]]
) -> Faces:
    """The faces of *pages*. *links* gives what pages link to, without what nearly every page links
    to."""
    likes = Likes(pages)
    proper = Counter(page.given for page in pages if not page.denied)
    alike: defaultdict[int, list[Seen]] = defaultdict(list)
    for page in sorted(pages, key=lambda one: one.arrival):
        alike[page.content].append(page)
    varied = _varied(pages)
    leads_to = Counter(page.source for page in pages)
    found = Faces()
    for every in alike.values():
        same = every[:_LOOKED]
        if len(same) > 1:
            own = links([page.docid for page in same])
            for face in _split(same, own):
                busy = len(own[face[0].docid]) >= _LIST
                if not _judge(face, likes, proper if busy else None, found):
                    _copied(face, likes, varied, leads_to, found)
    for faces in found.strays.values():
        # Excuses are one page or two; more of them are lists, say, and came first where they stand.
        several = len({face[0].excuse for face in faces}) >= _KNOWN
        for first, *rest in faces:
            if several or _discovers((first, *rest), leads_to):
                found.owned.add(first.docid)
                found.moved.update(page.docid for page in rest)
            else:
                found.stray.update(page.docid for page in (first, *rest))
    found.moved |= _misnamed(pages, proper) - found.moved - found.owned - found.stray
    found.moved -= _second_names(pages, found.moved)
    return found


def _misnamed(pages: Sequence[Seen], proper: Counter[int | None]) -> set[int]:
    """Pages that two witnesses deny, the template that was expected and the words that were: each
    another page of a template that the site really has. What is shown under more URLs may be an
    excuse."""
    shown = Counter(page.excuse for page in pages)
    return {
        page.docid
        for page in pages
        if page.unmet
        and page.denied
        and page.given is not None
        and proper[page.given] >= _KNOWN
        and shown[page.excuse] < _KNOWN
    }


def _second_names(pages: Sequence[Seen], moved: Set[int]) -> set[int]:
    """Those of *moved* that are what was expected and what URLs of their form or place lead to more
    often than to anything else, where many of these are so: on a forum, the URL of a post is a
    second name of its thread."""
    second = [page for page in pages if page.docid in moved and not page.denied]
    counts = Counter((clue, page.given) for page in second for clue in page.clues)
    leads: defaultdict[Hashable, Counter[int | None]] = defaultdict(Counter)
    for page in pages:
        for clue in page.clues:
            leads[clue][page.given] += 1
    made_so = {
        (clue, template)
        for (clue, template), count in counts.items()
        if count > max(1, _SECOND * leads[clue].total())
        and leads[clue][template] == max(leads[clue].values())
    }
    return {
        page.docid for page in second if any((clue, page.given) in made_so for clue in page.clues)
    }


def _varied(pages: Sequence[Seen]) -> dict[int, float]:
    """For each template, the share of what its pages show that only one of them does."""
    counts = Counter(page.content for page in pages)
    shown: defaultdict[int, set[int]] = defaultdict(set)
    for page in pages:
        if page.given is not None:
            shown[page.given].add(page.content)
    return {
        given: sum(counts[content] == 1 for content in contents) / len(contents)
        for given, contents in shown.items()
    }


def _discovers(face: Sequence[Seen], leads_to: Mapping[int | None, int]) -> bool:
    """Whether pages were found on *face*, as on no excuse: its links are those of every page."""
    return sum(leads_to[page.docid] for page in face) >= _LIST


def _copied(
    face: Sequence[Seen],
    likes: Likes,
    varied: Mapping[int, float],
    leads_to: Mapping[int | None, int],
    found: Faces,
) -> None:
    """Judge pages that are much like those that their URLs let expect: where each page shows
    something else, what many places show alike is no page of theirs."""
    places = {page.place for page in face}
    given = {page.given for page in face}
    if len(places) < _COPIES or 2 * len(places) < len(face):
        return
    if any(template is None or varied[template] < _VARIED for template in given):
        return
    if _first_alone(face) or _discovers(face, leads_to):
        found.moved.update(page.docid for page in face[1:])
        found.owned.update(page.docid for page in face)
    else:
        heard = sorted(
            likes.witnesses(face), key=lambda one: (not one.page.everywhere, not one.named)
        )
        found.strays[face[0].given].append([one.page for one in heard])


def _split(same: Sequence[Seen], links: Mapping[int, Set[int]]) -> list[list[Seen]]:
    """Pages of one structure and title by what they link to; nothing where that is always new."""
    faces: list[list[Seen]] = []
    for page in same:
        own = links[page.docid]
        for face in faces:
            first = links[face[0].docid]
            itself = {page.docid, face[0].docid}
            common, either = len((own & first) - itself), len((own | first) - itself)
            same_links = common >= (_HALF if common >= _MANY else _SAME_LINKS) * either
            if same_links or page.digest == face[0].digest != 0:
                face.append(page)
                break
        else:
            faces.append([page])
            if len(faces) > _MOST:
                return []
    return faces


def _judge(
    face: Sequence[Seen],
    likes: Likes,
    proper: Counter[int | None] | None,
    found: Faces,
) -> bool:
    """Note whose the pages of *face* are by the likes of their URLs; return whether they tell.
    *proper* counts the pages of each template that are as expected, if *face* may be a page."""
    heard = likes.witnesses(face)
    owners, guests, open_ = _divided(heard)
    places = len({page.place for page in owners})
    if places > _MOST_OWN:
        # Among them are guests at places of other pages of that template.
        certain = {one.page.docid for one in heard if one.certain}
        sure = [page for page in owners if page.docid in certain]
        if 1 <= len({page.place for page in sure}) <= _MOST_OWN:
            guests += [page for page in owners if page.docid not in certain]
            owners, places = sure, 1
        elif 2 * len(guests) > len(face):
            owners, places = owners[:1], 1
    alone = guests == [face[0]]
    if alone and not (heard[0].lost and owners) and not any(one.certain for one in heard):
        # Which of two URLs is the page's own, one of them alone does not tell.
        return False
    if 1 <= places <= _MOST_OWN:
        busy = proper is not None
        found.moved.update(page.docid for page in guests if _is_moved(page, owners, busy=busy))
        found.owned.update(page.docid for page in (*owners, *guests))
        return bool(guests)
    if owners or 2 * sum(page.denied for page in guests) <= len(face) or len(face) == 1:
        return False
    many = len(face) >= _COPIES and all(one.good or one.bad for one in heard[1:])
    if proper and many and _first_alone(face) and not likes.strange(face[0], face):
        found.moved.update(page.docid for page in face[1:])
        found.owned.update(page.docid for page in face)
        return True
    given = Counter(page.given for page in face)
    template = max(given, key=given.__getitem__)
    if proper and template is not None and proper[template] - given[template] >= _KNOWN:
        found.moved.update(page.docid for page in (*guests, *open_))
    else:
        found.strays[template].append(sorted([*guests, *open_], key=lambda one: one.arrival))
    return True


def _is_moved(page: Seen, owners: Sequence[Seen], *, busy: bool) -> bool:
    """Whether *page* shows what is at home at its *owners*' URLs, and should show something else.
    If it is what was expected, the same bytes must say so, or, on a *busy* page, the links."""
    if page.denied:
        return page.expected not in {one.given for one in owners}
    return busy or page.digest in {one.digest for one in owners}


def _divided(heard: Sequence[Witness]) -> tuple[list[Seen], list[Seen], list[Seen]]:
    """The pages of a face that stand rightly, those that do not, and those of which nothing
    tells."""
    owners, guests, open_ = [], [], []
    for one in heard:
        page, good, bad = one.page, one.good, one.bad
        begins = one is heard[0] and not page.denied and (good >= bad > 0 or not one.clues)
        if one.own or (begins and one.named is not False):
            owners.append(page)
        elif one.named is False:
            guests.append(page)
        elif not page.denied and not good and not bad:
            open_.append(page)
        elif page.denied or (bad and not good):
            guests.append(page)
    if not owners:
        likely = [one for one in heard if one.good and not one.page.denied]
        if all(one.lost for one in heard if one not in likely):
            owners = [one.page for one in likely]
    if not owners and open_ == [heard[0].page]:
        # Of several of which nothing tells, the first is no more likely to be its own.
        owners = open_
    return owners, guests, open_


def _first_alone(face: Sequence[Seen]) -> bool:
    """Whether the page that came first stands where none of the others does, as what they show in
    the place of others does: excuses come first where one of many should be."""
    first, *rest = face
    return not set(first.clues) & {clue for page in rest for clue in page.clues}
