"""Ids and classes that the next page will have too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tplcrawl.wrappers.nodes import Node, Tree

_NAME = re.compile(r"[^\s\"'<>\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]{1,80}").fullmatch
_TURNS = re.compile(r"(?<=[a-zA-Z])(?=\d)|(?<=\d)(?=[a-zA-Z])|(?<=[a-z])(?=[A-Z])")


def generated(name: str) -> bool:
    """Whether *name* looks like the work of a build tool, which makes another one next time.

    >>> generated("css-1q2w3e"), generated("sc-bdVaJa"), generated("u5f3c9ab1")
    (True, True, True)
    >>> generated("col-md-6"), generated("productTitle"), generated("h2o"), generated("box24")
    (False, False, False, False)
    """
    last = re.split(r"[-_]", name)[-1]
    if len(last) < 5:
        return False
    turns = len(_TURNS.findall(last))
    digits = sum(c.isdigit() for c in last)
    if digits:
        return turns >= 3 or digits >= 5
    # Words in camel case have vowels; what is drawn from the alphabet has few.
    vowels = sum(c in "aeiouyAEIOUY" for c in last)
    return turns >= 2 and (len(last) <= 8 and vowels * 4 <= len(last) + 4 and "-" in name)


class Stable:
    """What of the ids and classes of some pages can be relied on."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        pages = len(trees)
        ids: Counter[str] = Counter()
        classes: Counter[str] = Counter()
        for tree in trees:
            own: Counter[str] = Counter()
            names: set[str] = set()
            for node in tree.root.every():
                if node.id:
                    own[node.id] += 1
                elif node.tag == "a":
                    # To libxml2 the name of a link is an id, and would be found instead.
                    own.update({node.element.get("name") or "": 2})
                names.update(node.classes)
            ids.update(name for name, count in own.items() if count == 1 and _NAME(name))
            classes.update(names)
        least = min(pages, 2)
        self.ids = frozenset(
            name for name, count in ids.items()
            if count >= max(least, pages * 0.3) and not generated(name)
        )  # fmt: skip
        self._classes = frozenset(
            name for name, count in classes.items()
            if count >= least and _NAME(name) and not generated(name)
        )  # fmt: skip

    def classes_of(self, node: Node) -> frozenset[str]:
        """The classes of *node* to go by."""
        return self._classes.intersection(node.classes)
