"""Links to pictures, archives and documents, most of which are no pages.

An extension alone does not tell: wikis describe ``File:Photo.jpg`` in HTML, code browsers show
``logo.png``. So a few links of each kind, from each location, are tried: if none of them was a
page, the others are left out.
"""

from __future__ import annotations

from collections import defaultdict
from urllib.parse import urlsplit

from tplcrawl.planning.picker import LATER
from tplcrawl.store.store import Store
from tplcrawl.store.urls import QueuedUrl, State

SKIPPED = "media"
Kind = tuple[int, str]
TRIALS = 3
"""Links of one kind, from one location, that are fetched before they are judged."""

EXTENSIONS = frozenset(
    """
    7z aac aif apk avi avif bin bmp bz2 css csv dmg doc docx eot epub exe flac flv gif gz ico ics
    iso jar jpeg jpg js json m4a m4v mid mkv mobi mov mp3 mp4 mpeg mpg msi odp ods odt ogg ogv otf
    pdf png pps ppt pptx ps psd rar rdf rss rtf svg swf tar tgz tif tiff tsv ttf txt wav webm webp
    wma wmv woff woff2 xls xlsx xml xz zip
    """.split()
)


class MediaHabits:
    """What became of links to media so far, for each location and extension.

    Which links are tried does not depend on how fast answers come: as long as the trials of a kind
    are under way, the next one waits.
    """

    def __init__(self, store: Store) -> None:
        self._tried: defaultdict[Kind, int] = defaultdict(int)
        self._judged: defaultdict[Kind, int] = defaultdict(int)
        self._pages: defaultdict[Kind, int] = defaultdict(int)
        for queued, state, _ in store.urls.judged():
            self.tried(queued)
            self.note(queued, html=state is State.FETCHED)

    def skip(self, queued: QueuedUrl) -> str | None:
        """Why *queued* is left out, if it is; :data:`LATER` as long as that is not known."""
        kind = kind_of(queued)
        if kind is None or self._tried[kind] < TRIALS or self._pages[kind]:
            return None
        return SKIPPED if self._judged[kind] >= self._tried[kind] else LATER

    def tried(self, queued: QueuedUrl) -> None:
        """*queued* is fetched."""
        kind = kind_of(queued)
        if kind is not None:
            self._tried[kind] += 1

    def note(self, queued: QueuedUrl, *, html: bool) -> None:
        """Learn whether *queued* was a page, as soon as that is known."""
        kind = kind_of(queued)
        if kind is not None:
            self._judged[kind] += 1
            self._pages[kind] += html


def kind_of(queued: QueuedUrl) -> Kind | None:
    """What the habits of *queued* are learnt by: its location and extension; ``None`` for start
    pages and for what is not named like media."""
    extension = extension_of(queued.url)
    if extension is None or queued.place.location is None:
        return None
    return queued.place.location, extension


def extension_of(url: str) -> str | None:
    """The extension of *url*'s path, if it is one of media.

    >>> extension_of("http://a.com/x/photo.JPG?w=1"), extension_of("http://a.com/index.html")
    ('jpg', None)
    """
    name = urlsplit(url).path.rpartition("/")[2]
    _, dot, extension = name.rpartition(".")
    extension = extension.lower()
    return extension if dot and extension in EXTENSIONS else None
