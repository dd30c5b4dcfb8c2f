"""Template ids that stay the same while clusters are found anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence


class TemplateIds:
    """Gives each new clustering's clusters the ids that their pages had before.

    Ids are numbers from 1, written ``t1``, ``t2``, …; none is ever given twice. An id whose pages
    went to another template stays known as that one's alias.
    """

    def __init__(self, last: int = 0, aliases: Mapping[int, int] | None = None) -> None:
        self.last = last
        self.aliases: dict[int, int] = dict(aliases or {})

    def match(
        self, before: Sequence[int | None], clusters: Sequence[int | None], *, anchors: int = 0
    ) -> dict[int, int]:
        """Return the id of each cluster. *before* and *clusters* give each page's template so far
        and its new cluster. The templates of the first *anchors* are certain: an id that they have
        is not lost when it becomes an alias, and is given again when they part.

        The largest overlaps are served first, so that an id goes with most of its pages; before
        them, those with pages whose templates are certain. O(n).

        >>> ids = TemplateIds(2)
        >>> ids.match([1, 1, 2, None], [0, 0, 0, 1])
        {0: 1, 1: 3}
        >>> ids.aliases
        {2: 1}
        """
        shared = Counter(
            (cluster, former if place < anchors else self.current(former))
            for place, (former, cluster) in enumerate(zip(before, clusters, strict=True))
            if cluster is not None and former is not None
        )
        certain = Counter(zip(clusters[:anchors], before[:anchors], strict=True))
        given: dict[int, int] = {}
        taken: set[int] = set()
        order = sorted(shared, key=lambda pair: (-certain[pair], -shared[pair], pair[::-1]))
        for cluster, old in order:
            if cluster not in given and old not in taken:
                given[cluster] = old
                taken.add(old)
        for new in dict.fromkeys(clusters):
            if new is not None and new not in given:
                self.last += 1
                given[new] = self.last
        self._note_merges(shared, given, taken)
        return given

    def current(self, old: int) -> int:
        """The id under which *old* goes now."""
        return self.aliases.get(old, old)

    def _note_merges(
        self, shared: Counter[tuple[int, int]], given: Mapping[int, int], taken: set[int]
    ) -> None:
        heirs: dict[int, tuple[int, int]] = {}
        for (cluster, old), count in sorted(shared.items()):
            if old not in taken and (old not in heirs or count > heirs[old][0]):
                heirs[old] = (count, given[cluster])
        merged = {old: heir for old, (_, heir) in heirs.items()}
        self.aliases = {
            old: merged.get(heir, heir) for old, heir in self.aliases.items() if old not in taken
        }
        self.aliases.update(merged)


def template_name(template: int) -> str:
    """How an id is written."""
    return f"t{template}"
