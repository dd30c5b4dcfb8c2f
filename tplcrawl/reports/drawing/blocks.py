"""A page's tree as the few blocks that one would see: what a wireframe is drawn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from zlib import crc32

from tplcrawl.outline import Outline

_HIDDEN = frozenset(
    """
    head script style template noscript link meta title base br wbr source track param area col
    colgroup datalist option optgroup dialog
    """.split()
)
_INLINE = frozenset(
    """
    a span b i em strong small label code abbr time sup sub u s q cite kbd mark font tt var big del
    ins bdi bdo dfn samp data output
    """.split()
)
_LEAVES = {
    **dict.fromkeys("img picture svg video canvas iframe object embed map audio".split(), "image"),
    **dict.fromkeys("input select textarea progress meter".split(), "field"),
    **dict.fromkeys("h1 h2 h3 h4 h5 h6".split(), "heading"),
    "button": "button",
    "hr": "rule",
}
_PARTS = frozenset(
    "header nav main footer aside form table ul ol dl article section fieldset".split()
)
_LINES = {"p": 3, "pre": 4, "blockquote": 3, "div": 2, "dd": 2, "section": 2, "article": 3}

ELEMENTS = 20_000
"""Elements that are looked at, from the top of the page."""

FRAME_LEAVES = 4
"""A block of fewer leaves is never taken for a part of the site's frame."""

_DEEP, _BLOCKS = 12, 320
_FRAME_SHOWN = 8
_ROW = "row"
"""The tag of what stands side by side."""


@dataclass(slots=True)
class Block:
    """Something to be seen: a leaf (``text``, ``link``, ``image`` …) or a ``box`` of others."""

    kind: str
    tag: str = "div"
    words: frozenset[str] = frozenset()
    """The words of its class names."""
    lines: int = 1
    path: int = -1
    kids: list[Block] = field(default_factory=list)
    cut: bool = False
    """Whether there are more kids than are kept."""
    leaves: int = 1
    shape: int = 0
    """Equal for blocks of the same structure."""

    @property
    def small(self) -> bool:
        """Whether it is no more than a word or a button."""
        if self.kind == "box":
            return len(self.kids) <= 2 and all(k.kind in _WORDS and k.lines == 1 for k in self.kids)
        return self.kind in _WORDS and self.lines == 1

    @property
    def side(self) -> bool:
        """Whether it stands beside the main part."""
        return self.tag == "aside" or bool(self.words & SIDE)

    @property
    def pictured(self) -> bool:
        """Whether it is a picture with something to it."""
        if self.kind != "box" or len(self.kids) < 2:
            return False
        near = [*self.kids, *(below for kid in self.kids for below in kid.kids)]
        return any(one.kind == "image" for one in near)

    def walk(self) -> Iterator[tuple[int, Block]]:
        """All blocks with their depths, from the top."""
        waiting = [(0, self)]
        while waiting:
            depth, block = waiting.pop()
            yield depth, block
            waiting.extend((depth + 1, kid) for kid in reversed(block.kids))


_WORDS = ("text", "link", "button", "field", "frame")
SIDE = frozenset(("sidebar", "aside", "sidenav", "toc", "side"))


def blocks_of(outline: Outline) -> Block:
    """The blocks of a page: what shows nothing is left out, boxes around one thing are opened."""
    sequence = outline.sequence[:ELEMENTS]
    kids: list[list[Block]] = [[] for _ in sequence]
    parents = _parents(outline, sequence)
    words = [_words(outline.classes(path)) for path in range(len(outline.steps))]
    for at in range(len(sequence) - 1, -1, -1):
        path = sequence[at]
        tag = outline.tags[path]
        own = kids[at][::-1]
        kids[at] = []
        if tag in _HIDDEN:
            continue
        block = _block(tag, own, outline.texts[path], words[path], path)
        if block is not None:
            if parents[at] < 0:
                return block
            kids[parents[at]].append(_weighed(block))
    return Block("box", "body")


def _weighed(block: Block) -> Block:
    """*block* with its leaves counted and its shape known; its kids' are."""
    if block.kids:
        block.leaves = sum(kid.leaves for kid in block.kids)
    block.shape = crc32(f"{block.tag} {block.kind}".encode("utf-8", "surrogatepass"))
    for kid in block.kids:
        block.shape = crc32(kid.shape.to_bytes(4, "big"), block.shape)
    return block


def frame_of(pages: Sequence[Block]) -> frozenset[int]:
    """The shapes of the blocks that most of *pages* have: menus, headers, footers. They say
    nothing of what a page is."""
    if len(pages) < 3:
        return frozenset()
    counts: Counter[int] = Counter()
    for page in pages:
        counts.update({one.shape for _, one in page.walk() if one.leaves >= FRAME_LEAVES})
    return frozenset(shape for shape, count in counts.items() if count > len(pages) / 2)


def own_leaves(root: Block, frame: frozenset[int]) -> int:
    """How much of a page is no part of the frame."""
    left = sum(kid.leaves for kid in root.kids)
    inside = -1
    for depth, block in root.walk():
        if inside >= 0 and depth > inside:
            continue
        inside = -1
        if depth and block.shape in frame:
            inside = depth
            left -= block.leaves
    return left


def thin(root: Block, frame: frozenset[int], most: int) -> None:
    """Keep of *root* what can be drawn: parts of the frame as one line each, *most* of many alike
    siblings."""
    count = 0
    for depth, block in root.walk():
        count += 1
        if block.kind != "box":
            continue
        if block.shape in frame and depth:
            block.words = SIDE if block.side else frozenset()
            block.tag = "nav"
            block.kids = [one for _, one in block.walk() if not one.kids][:_FRAME_SHOWN]
            for kid in block.kids:
                kid.kind, kid.lines = "frame", 1
        elif depth >= _DEEP or count > _BLOCKS:
            block.kind, block.lines, block.kids = "text", 2, []
        else:
            _thin(block, most)
            if block.tag != _ROW:
                block.kids = _beside(block.kids)


def _thin(block: Block, most: int) -> None:
    alike = most
    if block.tag in ("table", "tbody", "tr"):
        alike = 2 * most
    elif all(kid.small for kid in block.kids):
        alike = 3 * most
    elif any(kid.pictured for kid in block.kids):
        alike = 2 * most
    kept: list[Block] = []
    run, last = 0, None
    for kid in block.kids:
        kind = (kid.path, kid.kind)
        run = run + 1 if kind == last else 1
        last = kind
        if run <= alike and len(kept) < 4 * most:
            kept.append(kid)
    block.cut = block.cut or len(kept) < len(block.kids)
    block.kids = kept


def _beside(kids: list[Block]) -> list[Block]:
    """*kids* with a sidebar and what stands beside it in one row."""
    if not any(kid.side for kid in kids) or len(kids) < 3:
        return kids
    rows: list[Block] = []
    for ends, group in groupby(kids, key=lambda kid: kid.tag in ("header", "footer", "nav")):
        members = list(group)
        if not ends and len(members) > 1 and any(kid.side for kid in members):
            rows.extend(_row(members))
        else:
            rows.extend(members)
    return rows


def _row(members: Sequence[Block]) -> Iterator[Block]:
    """A sidebar and what is as large as the main part, in one row. What is much smaller, as a line
    of breadcrumbs, stands above or below."""
    largest = max((kid.leaves for kid in members if not kid.side), default=0)
    wide = [at for at, kid in enumerate(members) if kid.side or 4 * kid.leaves >= largest]
    light = [at for at in range(len(members)) if at not in wide]
    yield from (members[at] for at in light if at < wide[0])
    yield Block("box", _ROW, kids=[members[at] for at in wide])
    yield from (members[at] for at in light if at > wide[0])


def _parents(outline: Outline, sequence: Sequence[int]) -> list[int]:
    parents: list[int] = []
    last: list[int] = []
    for at, path in enumerate(sequence):
        depth = outline.depths[path]
        del last[depth:]
        parents.append(last[-1] if last else -1)
        last.append(at)
    return parents


def _words(classes: Sequence[str]) -> frozenset[str]:
    return frozenset(
        word for name in classes[:20] for word in name[:60].lower().replace("_", "-").split("-")
    )


def _block(
    tag: str, kids: list[Block], text: bool, words: frozenset[str], path: int
) -> Block | None:
    """What is seen of one element, given what is seen of its children."""
    leaf = _LEAVES.get(tag)
    if leaf is not None:
        return Block(leaf, tag, words, path=path)
    plain = all(kid.kind in ("text", "link") for kid in kids)
    if tag in _INLINE:
        if plain and (text or kids or tag == "a"):
            return Block("link" if tag == "a" else _only(kids), tag, words, path=path)
    elif plain and text:
        return Block("text", tag, words, _LINES.get(tag, 1), path)
    if not kids:
        return Block("text", tag, words, path=path) if tag in ("td", "th") else None
    if text:
        kids.insert(0, Block("text", "span"))
    if len(kids) == 1 and (tag not in _PARTS or kids[0].tag in _PARTS):
        (kid,) = kids
        kid.words |= words
        kid.path = path
        if tag in ("li", "td", "th", "tr", "dt", "dd") or kid.tag == "div":
            kid.tag = tag if tag != "a" else kid.tag
        return kid
    return Block("box", tag, words, path=path, kids=kids)


def _only(kids: Sequence[Block]) -> str:
    return "link" if kids and all(kid.kind == "link" for kid in kids) else "text"
