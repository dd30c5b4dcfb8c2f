"""Likes: what other URLs of one form, and other links at one place, say of a page.

Where most of them lead to the template of a page, it stands rightly; where they lead elsewhere, it
does not. What most pages link to stands rightly, too. And a page is named by its own URL, as others
are by theirs: where its title has words of one URL, it has none to do with another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from tplcrawl.words import words_of

_RARE = 3
"""How much more often URLs lead elsewhere than to a template that is strange there."""
_MOSTLY, _SURE = 0.5, 0.75
"""The share of URLs that lead to one template, above which the others are likely to."""
_NAMESAKES, _NEARLY = 4, 0.6
"""URLs of one form that tell how much of a title is in such a URL, and how many of them must say
so."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A page, with what is thought of its URL in the end."""

    docid: int
    arrival: int
    """Its place in the order in which pages came."""
    content: int
    """A hash of its structure and title."""
    excuse: int
    """The same without words of its URL in the title."""
    digest: int
    """A hash of its bytes."""
    given: int | None
    expected: int | None
    """The template that URLs like its own lead to; ``None`` if nothing is known of them."""
    place: str
    """Its URL without parameters."""
    source: int | None
    """The page with the first link to it."""
    clues: Sequence[Hashable]
    """What its URL has in common with its likes: its form, and where the link to it stands; nothing
    for a start page."""
    everywhere: bool = False
    """Whether most pages link to it: a menu names what the site really has."""
    named: int = 0
    """How many words its title and its URL share."""
    unmet: Set[int] = frozenset()
    """The words that it was asked for by, if it has none of them and its likes have; or nothing."""
    title: int = 0
    """A hash of its title; 0 if it has none."""
    structure: int = 0
    words: int = 0
    """A hash of the words and numbers of its title that are not of its URL."""

    @property
    def denied(self) -> bool:
        """Whether it is not what its URL lets expect."""
        return self.expected is not None and self.expected != self.given


class Witness(NamedTuple):
    """What the likes of a page's URL say of where it stands."""

    page: Seen
    clues: int
    good: int
    """The clues by which it stands rightly, and those by which it does not."""
    bad: int
    named: bool | None
    """Whether no other URL of its face is so much in the title; ``False`` where another one is, and
    nearly every URL like its own is so in the title of its page, and where it is misnamed."""

    @property
    def own(self) -> bool:
        """Whether it stands rightly, and nothing says otherwise."""
        if self.page.everywhere:
            return True
        if self.named is not None:
            return self.named and (not self.page.denied or self.good == self.clues > 1)
        return self.good > 0 and not self.bad

    @property
    def certain(self) -> bool:
        """Whether everything says so."""
        return self.page.everywhere or self.good == self.clues > 1 or self.named is True

    @property
    def lost(self) -> bool:
        """Whether everything says that it does not."""
        return self.bad == self.clues > 1 or self.named is False


class Likes:
    """What the URLs of a crawl lead to, by what they have in common."""

    def __init__(self, pages: Iterable[Seen]) -> None:
        self._given: defaultdict[Hashable, Counter[int | None]] = defaultdict(Counter)
        self._named: defaultdict[Hashable, Counter[int]] = defaultdict(Counter)
        for page in pages:
            for clue in page.clues:
                self._given[clue][page.given] += 1
            for form in page.clues[:1]:
                self._named[form][page.named] += 1

    def witnesses(self, face: Sequence[Seen]) -> list[Witness]:
        """What the likes say of each page of *face*, but for *face* itself."""
        inside = Likes(face)
        most = max(page.named for page in face)
        named_at = {page.place for page in face if page.named == most}
        differ = any(page.place not in named_at for page in face)
        heard = []
        for page in face:
            leads = [
                _leads(self._given[clue] - inside._given[clue], page.given) for clue in page.clues
            ]
            named = None
            if page.unmet and (page.denied or not _shares(page, face)):
                named = False
            elif differ:
                named = self._named_by(page, named_at, inside)
            heard.append(Witness(page, len(leads), leads.count(True), leads.count(False), named))
        return heard

    def _named_by(self, page: Seen, named_at: Set[str], inside: Likes) -> bool | None:
        """Whether *page* stands at one of the places that are most in its title; ``None`` if URLs
        of its form are not so as a rule."""
        if page.place in named_at or any(_is_index(home, page.place) for home in named_at):
            # Parameters make no other page of one.
            return True
        for form in page.clues[:1]:
            names = self._named[form] - inside._named[form]
            more = sum(count for named, count in names.items() if named > page.named)
            if more >= max(_NAMESAKES, _NEARLY * names.total()):
                return False
        return None

    def strange(self, page: Seen, face: Sequence[Seen]) -> bool:
        """Whether nearly all likes of *page*, but for *face*, lead elsewhere."""
        inside = Likes(face)
        return any(
            _leads(self._given[clue] - inside._given[clue], page.given, _SURE) is False
            for clue in page.clues
        )


def _shares(page: Seen, face: Sequence[Seen]) -> bool:
    """Whether a word that *page* was asked for by is in a URL of its *face* that may be its own:
    then the page may have two names."""
    places = " ".join(one.place for one in face if not one.unmet)
    return not page.unmet.isdisjoint(words_of(unquote(places)))


def _is_index(place: str, folder: str) -> bool:
    """Whether *place* is a file in *folder*: the page that the folder shows has two names.

    >>> _is_index("http://a.com/b/index.html", "http://a.com/b/")
    True
    """
    return folder.endswith("/") and place.startswith(folder) and "/" not in place[len(folder) :]


def _leads(counts: Counter[int | None], given: int | None, share: float = _MOSTLY) -> bool | None:
    """Whether URLs mostly lead to *given*; ``None`` if they lead nowhere in particular."""
    if not counts:
        return None
    most = max(counts, key=counts.__getitem__)
    if counts[most] <= share * counts.total():
        return None
    if most == given:
        return True
    return False if counts[most] >= _RARE * counts[given] else None
