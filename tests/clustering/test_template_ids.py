from __future__ import annotations

from collections import Counter, defaultdict

from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.template_ids import TemplateIds

CLUSTERS = st.lists(st.none() | st.integers(0, 4), min_size=1, max_size=14)
"""The cluster of each page in one round; a later page is one that has come since."""

ROUNDS = st.lists(CLUSTERS, min_size=1, max_size=8)


class History:
    """Pages through many rounds, and what must hold after each of them."""

    def __init__(self) -> None:
        self.ids = TemplateIds()
        self.pages: list[int | None] = []
        self.ever: set[int] = set()
        self.childless: set[int] = set()
        """Ids that ended without a page in any template."""

    def round(self, clusters: list[int | None]) -> dict[int, int]:
        clusters = clusters + [None] * (len(self.pages) - len(clusters))
        before = self.pages + [None] * (len(clusters) - len(self.pages))
        current = [None if old is None else self.ids.current(old) for old in before]
        last = self.ids.last
        given = self.ids.match(before, clusters)
        self.check_ids(current, clusters, given, last)
        self.pages = [None if one is None else given[one] for one in clusters]
        self.ever.update(given.values())
        self.check_aliases(current)
        return given

    def check_ids(
        self,
        before: list[int | None],
        clusters: list[int | None],
        given: dict[int, int],
        last: int,
    ) -> None:
        """One id for each cluster, an old one of its pages or one that never was."""
        assert set(given) == {one for one in clusters if one is not None}
        assert len(set(given.values())) == len(given)
        fresh = set(given.values()) - set(before)
        assert not fresh & self.ever
        assert fresh == set(range(last + 1, self.ids.last + 1))
        shared = Counter(zip(clusters, before, strict=True))
        owners = {id_: cluster for cluster, id_ in given.items()}
        for (cluster, old), count in shared.items():
            if cluster is None or old is None or given[cluster] == old:
                continue
            # The id went where it has as many pages, or the cluster got an id that has.
            elsewhere = shared[owners[old], old] if old in owners else 0
            instead = shared[cluster, given[cluster]]
            assert max(elsewhere, instead) >= count

    def check_aliases(self, before: list[int | None]) -> None:
        """Each former id leads in one step to where most of its pages are."""
        live = set(self.pages) - {None}
        aliases = self.ids.aliases
        assert not set(aliases) & set(aliases.values())
        assert not set(aliases) & live
        heirs: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for old, new in zip(before, self.pages, strict=False):
            if old is not None and new is not None:
                heirs[old][new] += 1
        for old in set(before) - {None} - live:
            assert old is not None
            if heirs[old]:
                assert heirs[old][aliases[old]] == max(heirs[old].values())
            else:
                self.childless.add(old)
        for old in self.ever - live:
            assert self.ids.current(old) in live | self.childless


@settings(deadline=None, max_examples=300)
@given(ROUNDS)
def test_ids_last_and_former_ones_lead_to_those_that_live(rounds: list[list[int | None]]) -> None:
    history = History()
    for clusters in rounds:
        history.round(clusters)


@settings(deadline=None, max_examples=100)
@given(ROUNDS, st.integers(0, 7), st.data())
def test_a_later_run_goes_on_where_the_earlier_one_ended(
    rounds: list[list[int | None]], pause: int, data: st.DataObject
) -> None:
    """Also with pages that were given an id before it was merged into another."""
    history = History()
    for number, clusters in enumerate(rounds):
        if number == pause:
            history.ids = TemplateIds(history.ids.last, history.ids.aliases)
        former: defaultdict[int | None, list[int]] = defaultdict(list)
        for old, new in history.ids.aliases.items():
            former[new].append(old)
        history.pages = [
            data.draw(st.sampled_from([page, *former[page]])) if former[page] else page
            for page in history.pages
        ]
        history.round(clusters)


@settings(deadline=None, max_examples=100)
@given(CLUSTERS, st.permutations(range(5)))
def test_the_same_clusters_keep_their_ids_however_they_are_numbered(
    clusters: list[int | None], numbers: list[int]
) -> None:
    ids = TemplateIds()
    first = ids.match([None] * len(clusters), clusters)
    again = [None if one is None else numbers[one] for one in clusters]
    before = [None if one is None else first[one] for one in clusters]
    second = ids.match(before, again)
    assert {numbers[cluster]: id_ for cluster, id_ in first.items()} == second
    assert ids.aliases == {}
    assert ids.last == len(first)


def test_new_ids_are_given_in_the_order_of_the_pages() -> None:
    ids = TemplateIds(3)
    assert ids.match([None] * 5, [7, None, 2, 7, 0]) == {7: 4, 2: 5, 0: 6}


def test_an_id_stays_with_most_of_its_pages_when_a_template_is_split() -> None:
    ids = TemplateIds(1)
    assert ids.match([1, 1, 1, None], [0, 1, 1, 0]) == {1: 1, 0: 2}


def test_an_alias_of_an_alias_leads_to_the_end() -> None:
    ids = TemplateIds(3)
    ids.match([1, 2, 2, 3, 3, 3], [0, 0, 0, 1, 1, 1])
    assert ids.aliases == {1: 2}
    ids.match([2, 2, 2, 3, 3, 3, 3], [0] * 7)
    assert ids.aliases == {1: 3, 2: 3}


def test_pages_of_an_earlier_crawl_say_whose_id_it_is() -> None:
    """Catches two templates that were one for a while exchanging their ids, because most of the
    new pages came meanwhile."""
    ids = TemplateIds(2)
    before = [1, 1, 1, 2, 2, 2, *[1] * 12]
    assert ids.match(before, [0, 0, 0, 1, 1, 1, 0, 0, *[1] * 10], anchors=6) == {0: 1, 1: 2}
