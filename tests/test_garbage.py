import gc
from collections.abc import Iterator

import pytest

from tplcrawl.garbage import none_sought, settle


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def test_a_spider_of_somebody_elses_is_collected_as_often_as_before() -> None:
    before = gc.get_threshold()
    settle(often=True)
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() > 1000


def test_the_site_spider_is_collected_seldom_but_all_the_same() -> None:
    settle(often=False)
    assert gc.isenabled()
    assert gc.get_threshold()[0] > 700


def test_what_seeks_no_garbage_seeks_it_again_after_an_error() -> None:
    def fail() -> None:
        with none_sought():
            assert not gc.isenabled()
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        fail()
    assert gc.isenabled()
