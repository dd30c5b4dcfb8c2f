"""A crawl's store and its model, kept in step: what is known of a site, growing page by page.

Used by crawls and by batch jobs alike; knows nothing of where pages come from.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tplcrawl.bodies import Bodies
from tplcrawl.clustering.base import Method
from tplcrawl.errors import ForeignStore, StoreError
from tplcrawl.fingerprints.features import Features, features_of
from tplcrawl.recollection import link_of, location_key, restored
from tplcrawl.records import Assignment, Prediction, Profile
from tplcrawl.saved_model import SavedModel
from tplcrawl.store.database import unusable
from tplcrawl.store.pages import Item
from tplcrawl.store.store import SkipReason, Store, fetch_all
from tplcrawl.store.urls import Place


@dataclass(frozen=True, slots=True)
class Arrived:
    """A page that is known but not yet written."""

    docid: int
    profile: Profile
    features: Features
    place: Place
    assignment: Assignment


class Recording:
    """Takes in pages, one after the other, and knows their templates at any time."""

    def __init__(
        self,
        folder: Path,
        site: str | None,
        method: Method,
        *,
        positional: bool = False,
        by_host: bool = False,
        save_html: str = "samples",
        durable: bool = False,
        model: SavedModel | None = None,
    ) -> None:
        self.store = Store(folder, durable=durable)
        try:
            if site is not None:
                self.store.claim(site)
            if model is not None:
                self._begin_with(model)
            self.store.set_meta("method", method.name)
            self.store.set_meta("parameters", method.parameters())
            self.store.set_meta("positional", positional)
            self.store.set_meta("by_host", by_host)
            self._positional = positional
            self._bodies = Bodies(self.store, save_html)
            self.model = restored(
                self.store, method, positional=positional, by_host=by_host, inherits=True
            )
            self.refresh()
        except ForeignStore:
            self.store.database.close()
            raise
        except sqlite3.Error as error:
            self.store.database.abandon()
            raise StoreError(unusable(self.store.database.path, error)) from error
        except BaseException:
            self.store.close()
            raise

    def _begin_with(self, model: SavedModel) -> None:
        """Start from the templates of an earlier crawl; one that goes on has done so already."""
        if self.store.meta("model") is None:
            if len(self.store.pages):
                raise StoreError(
                    f"the crawl in {self.store.folder} has begun without TPLCRAWL_MODEL"
                )
            self.store.set_meta("model", model.encode())
            self.store.set_meta("names", {str(id_): name for id_, name in model.names.items()})

    def __len__(self) -> int:
        """How many pages there are."""
        return len(self.model)

    def _key(self, place: Place) -> Hashable | None:
        return location_key(place, positional=self._positional)

    def predict(self, url: str, place: Place) -> Prediction | None:
        """The template of a URL before it is fetched."""
        return self.model.predict(link_of(url, place, positional=self._positional))

    def expect(self, url: str, place: Place) -> Prediction | None:
        """The same, or :data:`NO_PAGE` for a URL of which no page is expected."""
        return self.model.predictor.predict(link_of(url, place, positional=self._positional))

    def fail(self, docid: int, url: str, place: Place) -> None:
        """No page came of a URL, and none will."""
        self.model.fail(docid, link_of(url, place, positional=self._positional))

    def arrive(self, docid: int, profile: Profile, place: Place) -> Arrived:
        """Look at a page that has just come."""
        features = features_of(profile.url, profile.outline, profile.lzw)
        given = self.model.classify(docid, features, profile.outline, self._key(place))
        return Arrived(docid, profile, features, place, given)

    def write(
        self,
        page: Arrived,
        *,
        depth: int,
        status: int,
        predicted: Prediction | None = None,
        denial: bytes | None = None,
        items: Iterable[Item] = (),
        body: tuple[bytes, str] | None = None,
        skip: SkipReason = fetch_all,
    ) -> bool:
        """Write a page and all that came of it; find the templates anew when it is time, and
        return whether it was."""
        link = link_of(page.profile.url, page.place, positional=self._positional)
        given = self.model.add(page.docid, link, page.assignment)
        keep = self._bodies.keeps(given, page.place.location)
        links = self.store.add_page(
            page.docid,
            depth=depth,
            status=status,
            profile=page.profile,
            features=page.features.encode(),
            assignment=given,
            predicted=predicted,
            denial=denial,
            items=items,
            body=body if keep else None,
            skip=skip,
        )
        self.model.inbound.add(page.docid, links.targets, links.locations, links.prose)
        due = self.model.due
        if due:
            self.round()
        return due

    def refresh(self) -> None:
        """Let the templates be those of all pages so far, and no more HTML be kept than of them."""
        if self.model.fresh or self.model.untaught:
            self.round()
        self._bodies.thin(self.model.templates_of_pages(), spare=0)

    def round(self) -> None:
        """Find the templates anew from all pages so far."""
        self.store.pages.assign_many(self.model.round())
        self.store.pages.set_aliases(self.model.ids.aliases)
        self.store.last_template = self.model.ids.last
        self.store.set_meta("learned_from", self.model.learned_from)
        self._bodies.thin(self.model.templates_of_pages())

    def close(self, *, sound: bool = True) -> None:
        """Let go of the store; of one that is not *sound*, as it was last committed."""
        if sound:
            self.store.close()
        else:
            self.store.database.abandon()
