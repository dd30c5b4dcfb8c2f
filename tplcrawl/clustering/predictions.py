"""The template of a URL before it is fetched: from where its link stands, on which template, and
from what the URL looks like.

None of these is reliable on every site, so the site decides: each *clue* (a location on pages of
one template, a folder, a file name's ending …) remembers the templates that it led to and how often
it was right, and the clues of a URL vote, each with the weight that it has earned. A page without a
template teaches nothing. A clue that was never met makes a vote as doubtful as such votes were.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from tplcrawl.fingerprints.url_shape import url_forms
from tplcrawl.records import Prediction

MOST = 200_000
"""Clues of one kind that are remembered; file names, say, may all differ."""

NO_PAGE = 0
"""Stands for a template where a URL is expected to lead to no page at all."""

_FADE, _FADING = 0.95, 0.9
"""What it still counts that an earlier answer of a clue was right, and what the answer was, when a
later one comes: the next links of a page are like the last ones."""
_LEAST = 0.01
"""A count below this is forgotten."""
_TRUST = 0.995
"""The highest share of right answers that is believed."""
_BINS = 20
_KEPT = 20_000
"""Votes that are remembered, at most."""


@dataclass(frozen=True, slots=True)
class Link:
    """What is known of a URL before it is fetched."""

    url: str
    location: Hashable | None = None
    """Where the first link to it stands; ``None`` for a start page: nothing is expected of it."""
    source: int | None = None
    """The page with that link."""


@dataclass(slots=True)
class _Record:
    """How often something was right, later answers counting more."""

    right: float = 0.5
    asked: float = 1.0

    def note(self, right: bool, fade: float) -> None:
        self.right = self.right * fade + right
        self.asked = self.asked * fade + 1

    @property
    def share(self) -> float:
        return self.right / self.asked


@dataclass(slots=True, eq=False)
class _Clue:
    """One clue: the templates that it led to, later ones counting more, and its record."""

    counts: dict[int, float] = field(default_factory=dict)
    pages: float = 0.0
    record: _Record = field(default_factory=_Record)
    best: int = 0
    """The template that it led to most often; of equal ones the one that was met first: ids depend
    on the order in which pages came."""

    def count(self, template: int, fading: float) -> None:
        if template == self.best and len(self.counts) == 1:
            self.pages = self.counts[template] = self.pages * fading + 1.0
            return
        counts = {
            one: count * fading for one, count in self.counts.items() if count * fading >= _LEAST
        }
        counts[template] = counts.get(template, 0.0) + 1.0
        self.counts = counts
        self.pages = sum(counts.values())
        self.best = max(counts, key=counts.__getitem__)


class Predictor:
    """Learns from every page that has come, and predicts those that have not. O(1) both. While a
    crawl goes on, what comes next is like what came last; of one that has *ended*, all that came
    counts alike."""

    def __init__(self, *, ended: bool = False) -> None:
        self._fade, self._fading = (1.0, 1.0) if ended else (_FADE, _FADING)
        self._templates: dict[int, int] = {}
        self._clues: list[dict[Hashable, _Clue]] = []
        self._kinds: list[_Record] = []
        self._novel: list[_Record] = []
        self._bins = [_Calibration() for _ in range(_BINS + 1)]
        self._votes: dict[tuple[_Clue | None, ...], Prediction | None] = {}
        """What was voted since the last lesson: most URLs of a site have the clues of others."""
        self._weights: dict[_Clue, float] = {}
        """What the vote of a clue weighs since the last lesson."""

    def know(self, docid: int, template: int) -> None:
        """Note the template of a page that may link to others."""
        self._templates[docid] = template

    def learn(self, docid: int, link: Link, template: int | None, *, on: int | None = None) -> None:
        """Note that the page *docid*, to which *link* led, is of *template*. *on* is the template
        of a source that is no page of this crawl."""
        if template is None:
            return
        self.know(docid, template)
        if link.location is None:
            return
        clues = self._clues_of(link, on)
        expected = self._vote(clues)
        if expected is not None:
            self._bins[_bin(expected.confidence)].note(expected, template)
        self._votes.clear()
        self._weights.clear()
        for kind, key in enumerate(clues):
            if kind == len(self._clues):
                self._clues.append({})
                self._kinds.append(_Record())
                self._novel.append(_Record())
            known = self._clues[kind]
            clue = known.get(key)
            if clue is None:
                if expected is not None:
                    self._novel[kind].note(expected.template == template, self._fade)
                if len(known) >= MOST:
                    continue
                clue = known[key] = _Clue()
            else:
                right = clue.best == template
                clue.record.note(right, self._fade)
                self._kinds[kind].note(right, self._fade)
            clue.count(template, self._fading)

    def template_of(self, docid: int) -> int | None:
        """The template of a page that was learnt from."""
        return self._templates.get(docid)

    def predict(self, link: Link, *, on: int | None = None) -> Prediction | None:
        """The template that *link* is expected to lead to, and how likely that is; ``None`` where
        no clue is known. *on* is the template of a source that has not been learnt from.

        >>> predictor = Predictor()
        >>> for page in range(3):
        ...     predictor.learn(page, Link(f"http://a.com/p/{page}", "/html/body/a"), 1)
        >>> predictor.predict(Link("http://a.com/p/7", "/html/body/a")).template
        1
        """
        if link.location is None:
            return None
        expected = self._vote(self._clues_of(link, on))
        if expected is None:
            return None
        likely = self._bins[_bin(expected.confidence)].likely(expected.confidence)
        return Prediction(expected.template, likely)

    def _clues_of(self, link: Link, on: int | None = None) -> tuple[Hashable, ...]:
        if link.source is not None:
            on = self._templates.get(link.source, on)
        forms = url_forms(link.url)
        depth, _, extension, names = forms[0]
        return (
            (on, link.location),
            (link.location, forms[0]),
            *forms[1:-1],
            (on, depth, extension, names),
            (link.location, forms[-1]),
        )

    def _vote(self, clues: tuple[Hashable, ...]) -> Prediction | None:
        known = tuple([found.get(key) for found, key in zip(self._clues, clues, strict=False)])
        if known not in self._votes:
            if len(self._votes) >= _KEPT:
                self._votes.clear()
            self._votes[known] = self._counted(known)
        return self._votes[known]

    def _counted(self, clues: tuple[_Clue | None, ...]) -> Prediction | None:
        heard: list[tuple[float, _Clue]] = []
        total, familiar = 0.0, 1.0
        for kind, clue in enumerate(clues):
            if clue is None:
                familiar = min(familiar, self._novel[kind].share)
                continue
            weight = self._weights.get(clue)
            if weight is None:
                weight = self._weights[clue] = _weight(clue.record, self._kinds[kind])
            total += weight
            heard.append((weight, clue))
        if not heard:
            return None
        best, score = _elected(heard)
        return Prediction(best, familiar * score / total if total else 0.0)


def _weight(record: _Record, kind: _Record) -> float:
    """What a clue with *record* has earned; one of which little is known, what its kind has."""
    trust = min((record.right + 0.5 * kind.share) / (record.asked + 0.5), _TRUST)
    return trust / (1 - trust)


def _elected(votes: Sequence[tuple[float, _Clue]]) -> tuple[int, float]:
    """The template with the highest sum of *votes*, and that; of equal ones the first.

    Clues that lead everywhere know all templates and say little. So those that the clearest one
    knows, and the favourites of the others, stand first; only if one that none of them named could
    have as much are all counted.
    """
    clearest = votes[0][1]
    for _, clue in votes:
        if len(clue.counts) < len(clearest.counts):
            clearest = clue
    best, score, others = clearest.best, 0.0, 0.0
    for weight, clue in votes:
        favourite = weight * clue.counts[clue.best] / clue.pages
        if clue is not clearest:
            others += favourite
        if clue.best == best:
            score += favourite
        elif best in clue.counts:
            score += weight * clue.counts[best] / clue.pages
    if len(clearest.counts) == 1 and score > others:
        return best, score
    named = dict.fromkeys(clearest.counts)
    named.update(dict.fromkeys(clue.best for _, clue in votes))
    scores = {template: _score(votes, template) for template in named}
    best = max(scores, key=scores.__getitem__)
    if scores[best] <= others or sum(score == scores[best] for score in scores.values()) > 1:
        scores = {}
        for weight, clue in votes:
            for template, count in clue.counts.items():
                scores[template] = scores.get(template, 0.0) + weight * count / clue.pages
        best = max(scores, key=scores.__getitem__)
    return best, scores[best]


def _score(votes: Sequence[tuple[float, _Clue]], template: int) -> float:
    total = 0.0
    for weight, clue in votes:
        count = clue.counts.get(template)
        if count:
            total += weight * count / clue.pages
    return total


class _Calibration:
    """How often votes of about one strength were right."""

    __slots__ = ("_asked", "_right")

    def __init__(self) -> None:
        self._right = self._asked = 0.0

    def note(self, expected: Prediction, template: int) -> None:
        self._right = self._right * _TRUST + (expected.template == template)
        self._asked = self._asked * _TRUST + 1

    def likely(self, strength: float) -> float:
        """The chance that a vote of *strength* is right: what it says itself counts as two."""
        return (self._right + 2 * min(strength, _TRUST)) / (self._asked + 2)


def _bin(strength: float) -> int:
    return int(strength * _BINS)
