"""Pages of which only the beginning is looked at: nothing is parsed, decoded or kept of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from tplcrawl.batch.addresses import page_url
from tplcrawl.batch.documents import NO_URL, Document, Losses
from tplcrawl.batch.warc import CUT, begun_page, further, pass_over, was_cut, whole_body
from tplcrawl.fingerprints.lzw import Fingerprint, fingerprint, sure_fingerprint
from tplcrawl.store.keys import plain_key, url_key


class Glance(NamedTuple):
    """What is seen of a page at a glance."""

    url: str
    key: int
    """The URL's identity."""
    status: int
    lzw: Fingerprint


def glance(record: Any, losses: Losses) -> Glance | None:
    """Look at the page that *record* holds, if it holds one. More than its first 16 KiB are only
    read where these leave a doubt, and more than 64 KiB where these do."""
    begun = begun_page(record, losses)
    if begun is None:
        return None
    url, status = begun.message.url, begun.message.status
    if begun.plain:
        lzw = sure_fingerprint(begun.message.body)
        if lzw is not None:
            if was_cut(record):
                losses.add(CUT)
            return _seen(url, status, lzw, losses)
        begun = further(begun)
        lzw = sure_fingerprint(begun.message.body) if begun.plain else None
        if lzw is not None:
            pass_over(begun, losses)
            return _seen(url, status, lzw, losses)
    body = whole_body(begun, losses)
    return None if body is None else _seen(url, status, fingerprint(body), losses)


def glance_at(document: Document, losses: Losses) -> Glance | None:
    """Look at a page that has been read."""
    return _seen(document.url, document.status, fingerprint(document.body), losses)


def _seen(url: str, status: int, lzw: Fingerprint, losses: Losses) -> Glance | None:
    key = plain_key(url)
    if key is None:
        known = page_url(url)
        if known is None:
            losses.add(NO_URL)
            return None
        url, key = known, url_key(known)
    return Glance(url, key, status, lzw)
