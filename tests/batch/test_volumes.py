from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.batch import skim as skimming
from tplcrawl.batch.documents import Losses
from tplcrawl.batch.parts import survey
from tplcrawl.batch.skim import plan_of, skim
from tplcrawl.batch.volumes import volumes_of
from tplcrawl.batch.warc import read_warc
from tplcrawl.errors import InputError

if TYPE_CHECKING:
    from tests.batch.conftest import Archive

MakeArchive = Callable[..., "Archive"]
MakePage = Callable[..., bytes]
URLS = [f"http://{host}.com/{n}" for host in "ab" for n in range(12)]


@pytest.fixture
def pack(archive: MakeArchive, page: MakePage, tmp_path: Path) -> Callable[[int], Path]:
    """Makes a WACZ of two archives, one of them not compressed, among other files."""

    def pack(compression: int) -> Path:
        path = tmp_path / "site.wacz"
        with zipfile.ZipFile(path, "w", compression) as packed:
            packed.writestr("datapackage.json", "{}" * 50)
            for host, name in (("a", "one.warc.gz"), ("b", "two.warc")):
                made = archive(tmp_path / name, gzip=host == "a")
                for url in URLS:
                    if f"{host}.com" in url:
                        made.add(url, page(text=url))
                packed.writestr(f"archive/{name}", made.content)
            packed.writestr("indexes/index.cdx.gz", b"\x1f\x8b\x08 no archive")
        return path

    return pack


def test_the_archives_of_a_wacz_are_read_where_they_stand(pack: Callable[[int], Path]) -> None:
    path = pack(zipfile.ZIP_STORED)
    content = path.read_bytes()
    one, two = volumes_of(path)
    assert content[one.start :].startswith(b"\x1f\x8b")
    assert content[two.start :].startswith(b"WARC/")
    losses = Losses()
    assert [document.url for document in read_warc(path, losses)] == URLS
    assert not losses.counts


@pytest.mark.parametrize("size", [200, 10**6])
def test_they_are_cut_into_parts(
    pack: Callable[[int], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    path = pack(zipfile.ZIP_STORED)
    monkeypatch.setattr(skimming, "SPAN", size)
    found = skim(tmp_path / "parts", plan_of([path]), 1)
    assert (found.urls, dict(found.losses.counts)) == (URLS, {})
    losses = Losses()
    parts = survey([path]).parts
    assert [document.url for part in parts for document in part.documents(losses)] == URLS
    assert not losses.counts


def test_what_cannot_be_read_is_told(pack: Callable[[int], Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="compressed twice"):
        list(volumes_of(pack(zipfile.ZIP_DEFLATED)))
    (tmp_path / "bad.wacz").write_bytes(b"PK no zip")
    with pytest.raises(InputError, match=r"bad\.wacz"):
        list(volumes_of(tmp_path / "bad.wacz"))
