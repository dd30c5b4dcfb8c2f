from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from tplcrawl.clustering.methods import METHODS, make_method
from tplcrawl.crawl.options import Options
from tplcrawl.errors import UsageError
from tplcrawl.planning.budgets import Budgets

GOOD: list[tuple[str, Any, Any]] = [
    ("enabled", "False", False),
    ("enabled", 1, True),
    ("dir", "here/there", Path("here/there")),
    ("method", "uxclust", "uxclust"),
    ("cutoff", "auto", None),
    ("cutoff", "100", 100),
    ("samples", "7", 7),
    ("occurrence", "0.5", 0.5),
    ("occurrence", 0, 0.0),
    ("similarity", 1, 1.0),
    ("location", "positional", "positional"),
    ("save_html", "none", "none"),
    ("stream_format", "csv", "csv"),
    ("extract", Path("crawls/a"), Path("crawls/a")),
    ("warc", "pages.warc.gz", Path("pages.warc.gz")),
    ("model", "crawls/may", Path("crawls/may")),
    ("tracking", "yes", True),
    ("durable", "TRUE", True),
    ("hurry_local", "0", False),
    ("progress", "no", False),
    ("max_pages_per_template", "20", Budgets({"*": 20})),
    (
        "max_pages_per_template",
        "shop/product=20, t3=5,*=100",
        Budgets({"shop/product": 20, "t3": 5, "*": 100}),
    ),
    ("max_pages_per_template", {"a=b": 2}, Budgets({"a=b": 2})),
    ("max_pages_per_template", '{"product": 7}', Budgets({"product": 7})),
    ("explore", "0.1", 0.1),
    ("on_block", "slow", "slow"),
    ("seed", "-7", -7),
    ("order", "templates", "templates"),
    ("close_on_saturation", "0.02", 0.02),
    ("live", "no", False),
    ("redis_url", "redis://a.test:1/2", "redis://a.test:1/2"),
    ("redis_url", "", None),
    ("redis_key", "mine", "mine"),
    ("redis_lease", "2.5", 2.5),
    ("redis_patience", 30, 30.0),
]
BAD: list[tuple[str, Any]] = [
    ("enabled", "perhaps"),
    ("method", "magic"),
    ("method", "Hybrid"),
    ("cutoff", "0"),
    ("cutoff", "many"),
    ("cutoff", "2.5"),
    ("samples", "-1"),
    ("samples", "few"),
    ("occurrence", "1.01"),
    ("occurrence", "-0.1"),
    ("occurrence", "nan"),
    ("similarity", "most"),
    ("redis_url", "redis://a\nb"),
    ("redis_key", "a\nb"),
    ("redis_lease", "0.5"),
    ("redis_lease", "nan"),
    ("redis_patience", "long"),
    ("location", "generic"),
    ("save_html", True),
    ("tracking", ""),
    ("durable", "2"),
    ("hurry_local", []),
    ("progress", "on and off"),
    ("max_pages_per_template", ""),
    ("max_pages_per_template", "-1"),
    ("max_pages_per_template", "product=many"),
    ("max_pages_per_template", {"product": True}),
    ("max_pages_per_template", {"": 5}),
    ("max_pages_per_template", "{5}"),
    ("explore", "2"),
    ("on_block", "wait"),
    ("seed", "x"),
    ("order", "depth"),
    ("close_on_saturation", "-0.1"),
    ("live", "8080x"),
]


def read(**given: Any) -> Options:
    names = {f"TPLCRAWL_{name.upper()}": value for name, value in given.items()}
    return Options.from_settings(Settings(names))


@pytest.mark.parametrize(("name", "given", "expected"), GOOD)
def test_a_setting_is_read(name: str, given: Any, expected: Any) -> None:
    options = read(**{name: given})
    assert getattr(options, name) == expected
    assert type(getattr(options, name)) is type(expected)


def test_every_setting_is_among_the_cases() -> None:
    names = {field.name for field in fields(Options)}
    assert {name for name, *_ in GOOD} == names
    assert {name for name, _ in BAD} == names - {"dir", "extract", "model", "warc", "stream_format"}


@pytest.mark.parametrize(("name", "given"), BAD)
def test_a_wrong_setting_is_named_in_one_line(name: str, given: Any) -> None:
    with pytest.raises(UsageError, match=f"TPLCRAWL_{name.upper()}") as caught:
        read(**{name: given})
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_nothing_given_means_the_defaults() -> None:
    assert read() == Options()
    assert Options.from_settings(Settings({"TPLCRAWL_DIR": None})) == Options()


def test_an_unknown_setting_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"TPLCRAWL_METHODS.*TPLCRAWL_METHOD,"):
        Options.from_settings(Settings({"TPLCRAWL_METHODS": "hybrid"}))


def test_settings_of_others_are_not_looked_at() -> None:
    assert Options.from_settings(Settings({"TPLCRAWLER": 1, "MY_TPLCRAWL_X": 2})) == Options()


@pytest.mark.parametrize(
    ("method", "location", "positional"),
    [
        ("uxclust", "auto", True),
        ("hybrid", "auto", False),
        ("uxclust", "general", False),
        ("hybrid", "positional", True),
    ],
)
def test_locations_follow_the_method_unless_they_are_named(
    method: str, location: str, positional: bool
) -> None:
    assert read(method=method, location=location).positional is positional


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_made_without_parameters(method: str) -> None:
    assert make_method(method, **read(method=method).parameters()).name == method


def test_a_method_gets_the_parameters_that_are_given() -> None:
    options = read(method="uxclust", samples=3, occurrence=0.4)
    assert options.parameters().items() >= {"samples": 3, "occurrence": 0.4}.items()
    assert make_method("uxclust", **options.parameters()).name == "uxclust"
