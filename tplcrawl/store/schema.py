"""The tables of ``crawl.db``."""

from __future__ import annotations

VERSION = 4
"""Raised whenever a table changes: a database of another version is refused, never guessed at."""

APPLICATION_ID = 0x7470_6C63
"""``tplc``: tells a crawl's database from any other SQLite file."""

_INDEX = "assignment_template"
ASSIGNMENT_INDEX = (_INDEX, f"CREATE INDEX {_INDEX} ON assignment (template)")
"""Its name, and what makes it: of very many rows at once it is made in half the time."""

TABLES = f"""
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE url (
    id INTEGER PRIMARY KEY,           -- in order of discovery: breadth first; a page's docid
    key INTEGER NOT NULL UNIQUE,      -- 64 bits of the canonical form
    url TEXT NOT NULL,                -- as it is fetched
    state INTEGER NOT NULL,           -- see store.urls.State
    depth INTEGER NOT NULL,           -- links from a start page
    source INTEGER,                   -- the page of the first sighting
    location INTEGER,                 -- its general location
    positions TEXT,                   -- what makes that positional: 1.2.1
    reason TEXT,                      -- why it was skipped, or how it failed
    status INTEGER,                   -- of the answer
    target INTEGER,                   -- where it redirected to
    tries INTEGER NOT NULL DEFAULT 0, -- how often a redirect led back to it
    expected INTEGER,                 -- the template for which it is held
    words BLOB                        -- of the first links to it, on the page of the first sighting
);
CREATE INDEX url_queued ON url (id) WHERE state = 0;
CREATE INDEX url_held ON url (expected, id) WHERE state = 5;

CREATE TABLE draw (
    number INTEGER PRIMARY KEY,       -- 1, 2, …: uniformly random URLs, whatever became of them
    id INTEGER NOT NULL,
    asked INTEGER NOT NULL            -- whether it was asked for because it was drawn
);

CREATE TABLE location (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE
);

CREATE TABLE page (
    docid INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    canonical TEXT NOT NULL,
    lang TEXT NOT NULL,
    json_ld TEXT NOT NULL,
    cuts TEXT NOT NULL,
    digest INTEGER NOT NULL,          -- CRC-32 of its bytes
    predicted INTEGER,                -- the template expected before the fetch
    predicted_confidence REAL,
    arrival INTEGER NOT NULL,         -- its place in the order in which pages came
    note BLOB,                        -- 1 if it asks a password; its text, if not as predicted
    lzw BLOB NOT NULL,
    outline BLOB NOT NULL,
    features BLOB NOT NULL,
    sightings BLOB NOT NULL
);
CREATE INDEX page_arrival ON page (arrival);

CREATE TABLE assignment (
    docid INTEGER PRIMARY KEY,
    template INTEGER,
    confidence REAL NOT NULL,
    reason TEXT NOT NULL
);
{ASSIGNMENT_INDEX[1]};

CREATE TABLE alias (
    old INTEGER PRIMARY KEY,
    template INTEGER NOT NULL
);

CREATE TABLE body (
    docid INTEGER PRIMARY KEY,
    html BLOB NOT NULL,               -- compressed
    encoding TEXT NOT NULL
);

CREATE TABLE item (
    docid INTEGER NOT NULL,           -- the page it was scraped from; 0: from none
    number INTEGER NOT NULL,
    class TEXT NOT NULL,
    data TEXT NOT NULL,               -- JSON
    PRIMARY KEY (docid, number)
) WITHOUT ROWID;
"""
