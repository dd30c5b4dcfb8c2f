"""Pictures: wireframes, the map, the plan."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tplcrawl.outline import Outline
from tplcrawl.page.profile import profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.reports.drawing.plan import NODES, plan
from tplcrawl.reports.drawing.scatter import HEIGHT as MAP_HEIGHT
from tplcrawl.reports.drawing.scatter import WIDTH as MAP_WIDTH
from tplcrawl.reports.drawing.scatter import Dots, labels
from tplcrawl.reports.drawing.wireframe import HEIGHT, WIDTH, Wireframe, wireframes
from tplcrawl.reports.sections.links import link_graph
from tplcrawl.similarity.layout import landmark_layout

CLEANER = Cleaner(Site(["http://a.com/"]))
TAGS = "div p a span img ul li table tr td form input h1 nav aside header section b svg".split()


def outline(html: str) -> Outline:
    return profile_of("http://a.com/", f"<html><body>{html}".encode(), CLEANER).outline


def draw(html: str) -> Wireframe:
    (found,) = wireframes([outline(html)])
    return found


def test_what_is_on_a_page_is_in_its_picture() -> None:
    seen = draw(
        "<header><a href=/>x</a><a href=/>y</a></header><h1>x</h1><img><p>text</p>"
        "<form><input><button>x</button></form><hr>"
    )
    assert set(seen.paths) == {
        "bar", "box", "button", "field", "heading", "image", "link", "rule", "text",
    }  # fmt: skip
    assert seen.words == "header, heading, picture, form, field, button"


def test_what_shows_nothing_is_not_drawn() -> None:
    seen = draw("<script>x</script><style>y</style><div><div></div></div><template><p>x</template>")
    assert seen.paths == {}
    assert seen.words == "text"


def test_a_sidebar_stands_beside_the_main_part() -> None:
    """Both begin at one height, and the main part is the wider one."""
    seen = draw(
        "<header>x</header><div class=sidebar><h2>x</h2><p>x</div>"
        "<main><h1>x</h1><p>x</p><p>y</p></main><footer>x</footer>"
    )
    left, right = re.findall(r"M(\d+) (\d+)h(\d+)", seen.paths["heading"])
    assert left[1] == right[1]
    assert int(right[0]) > int(left[0]) + int(left[2])
    assert int(right[0]) < WIDTH / 2


def test_a_line_above_a_sidebar_takes_no_column_and_hides_nothing() -> None:
    """Breadcrumbs, a sidebar and the main part in one box, as shops have them."""
    seen = draw(
        "<header>x</header><div><ul><li><a href=/>x</a></ul><div class=sidebar><h2>x</h2><p>x</div>"
        "<div><h1>x</h1><img><p>x</p><p>x</p><form><input></form></div></div><footer>x</footer>"
    )
    assert {"heading", "image", "field"} <= set(seen.paths)
    ((_, crumbs),) = re.findall(r"M(\d+) (\d+)h", seen.paths["link"])
    left, right = re.findall(r"M(\d+) (\d+)h(\d+)", seen.paths["heading"])
    assert left[1] == right[1]
    assert int(crumbs) < int(left[1])


def test_many_alike_rows_are_shown_as_a_few() -> None:
    few = draw("<ul>" + "<li><p>x</p><p>y</p></li>" * 5 + "</ul>")
    many = draw("<ul>" + "<li><p>x</p><p>y</p></li>" * 5000 + "</ul>")
    assert many.height == few.height
    assert "more" in many.paths
    assert len(many.paths["text"]) == len(few.paths["text"])


def test_what_most_templates_have_is_drawn_small() -> None:
    menu = "<div class=menu><h2>x</h2>" + "<div><p>x</p><p>y</p><img></div>" * 3 + "</div>"
    own = ["<h1>x</h1>" + "<p>x</p><i>y</i>" * n for n in (3, 5, 7)]
    alone = [draw(menu + one) for one in own]
    together = wireframes([outline(menu + one) for one in own])
    for one, other in zip(together, alone, strict=True):
        assert one.height < other.height
        assert "frame" in one.paths
        assert "image" not in one.paths
        assert "heading" in one.paths


HTML = st.recursive(
    st.sampled_from(["x", "<img>", "<input>", "<hr>"]),
    lambda inner: st.builds(
        lambda tag, parts, times: f"<{tag}>{''.join(parts)}</{tag}>" * times,
        st.sampled_from(TAGS),
        st.lists(inner, max_size=4),
        st.integers(1, 3),
    ),
    max_leaves=25,
)
NUMBERS = re.compile(r"M(-?\d+) (-?\d+)")


NARROW = (
    "<tr>"
    + "<div>x<img></div>" * 3
    + "<form>x<table>x<img><img><img></img><img><img></img></table>"
    "</form>" + "<div></div>" * 3 + "</tr>"
)


@settings(max_examples=150)
@given(st.lists(HTML, min_size=1, max_size=4))
@example([NARROW * 3])
def test_any_page_has_a_picture_inside_its_frame(pages: list[str]) -> None:
    outlines = [outline(one) for one in pages]
    seen = wireframes(outlines)
    assert seen == wireframes(outlines)
    for one in seen:
        assert 0 < one.height <= HEIGHT
        for kind, path in one.paths.items():
            assert re.fullmatch(r"[a-z]+", kind)
            assert re.fullmatch(r"[MhvlzZm0-9. -]+", path)
            for x, _ in NUMBERS.findall(path):
                assert -1 <= int(x) <= WIDTH


@pytest.mark.parametrize(
    "html",
    ["<div>" * 3000 + "x", "<b>" * 400 + "x", "<p>x" * 30_000, "<table>" + "<tr><td>x" * 20_000,
     "".join(f"<div class=c{n}><p>x</p><img></div>" for n in range(3000))],
)  # fmt: skip
def test_hostile_pages_have_small_pictures(html: str) -> None:
    seen = draw(html)
    assert seen.height <= HEIGHT
    assert sum(map(len, seen.paths.values())) < 12_000


@settings(max_examples=60)
@given(st.integers(1, 25), st.integers(1, 8), st.integers(0, 10))
def test_places_are_inside_and_equal_points_are_at_one_place(
    points: int, landmarks: int, seed: int
) -> None:
    """Points on a plane; some of them twice."""
    spots = np.array([[(n * 7 + seed) % 11, (n * n) % 5] for n in range(points)], float)
    chosen = list(range(0, points, max(points // landmarks, 1)))
    distances = np.sqrt(((spots[:, None, :] - spots[chosen][None, :, :]) ** 2).sum(axis=2)) / 12
    places = landmark_layout(distances, chosen)
    assert places.shape == (points, 2)
    assert np.isfinite(places).all()
    assert (places >= -1e-9).all()
    assert (places <= 1 + 1e-9).all()
    assert (places == landmark_layout(distances, chosen)).all()


def test_two_heaps_stay_two_heaps() -> None:
    near = np.array([0, 0, 0, 1, 1, 1, 1])
    distances = np.where(near[:, None] == near[[0, 3]][None, :], 0.05, 0.9)
    places = landmark_layout(distances, [0, 3])
    inner = np.abs(places[near == 0] - places[0]).max()
    assert inner < 0.2
    assert np.linalg.norm(places[0] - places[3]) > 0.8


def site(found: list[tuple[int, int, int]], pages: list[int], depths: list[int]) -> dict[str, Any]:
    """The part of a coverage.json that a plan is drawn from."""
    ids = [f"t{n}" for n in range(len(pages))]
    return {
        "templates": [
            {"id": id_, "name": id_, "pages": count}
            for id_, count in zip(ids, pages, strict=True)
        ],
        "depths": [
            {"depth": depth, "templates": {id_: 1}}
            for depth, id_ in sorted(zip(depths, ids, strict=True))
        ],
        "links": {
            "roles": dict.fromkeys(ids, "detail"),
            "edges": [
                {"from": f"t{a}", "to": f"t{b}", "pages": 1, "links": 1, "found": count}
                for a, b, count in found
            ],
        },
    }  # fmt: skip


def test_a_plan_goes_from_the_start_to_the_right() -> None:
    told = site([(0, 1, 5), (1, 2, 90), (2, 1, 1), (2, 2, 9)], [1, 5, 100], [0, 1, 2])
    drawn = plan(told, link_graph(told))
    assert [edge.back for edge in drawn.edges] == [False, False, True]
    x = {node.index: node.x for node in drawn.nodes}
    assert x[0] < x[1] < x[2]
    assert {(edge.source, edge.target) for edge in drawn.edges} == {(0, 1), (1, 2), (2, 1)}
    widths = {(edge.source, edge.target): edge.width for edge in drawn.edges}
    assert widths[1, 2] > widths[0, 1]


def test_no_two_nodes_cover_each_other_and_small_ways_are_left_out() -> None:
    count = NODES + 20
    edges = [(n % 7, n, 3) for n in range(1, count)] + [(9, 1, 1), (8, 9, 1)]
    told = site(edges, [100] * count, [min(n, 3) for n in range(count)])
    drawn = plan(told, link_graph(told))
    assert len(drawn.nodes) == len({(node.x, node.y) for node in drawn.nodes}) == NODES
    # Each has the way by which it was found, however small, and none of the others.
    assert {(edge.source, edge.target) for edge in drawn.edges} == {
        (9, 1),
        *((n % 7, n) for n in range(7, NODES)),
    }
    for node in drawn.nodes:
        assert 0 <= node.x <= drawn.width - drawn.box
        assert 0 <= node.y <= drawn.height - drawn.tall


def test_a_template_stands_behind_the_one_that_led_to_most_of_its_pages() -> None:
    """The home page shows three of the products, the shop's lists lead to the rest."""
    ways = [(0, 1, 2), (0, 2, 3), (1, 2, 90), (2, 1, 8)]
    told = site(ways, [1, 10, 93], [0, 1, 1])
    drawn = plan(told, link_graph(told))
    x = {node.index: node.x for node in drawn.nodes}
    assert x[0] < x[1] < x[2]


def test_templates_that_only_lead_to_each_other_are_drawn() -> None:
    """They were found by links of pages that have no template."""
    told = site([(1, 2, 5), (2, 1, 5)], [1, 5, 5], [0, 1, 1])
    drawn = plan(told, link_graph(told))
    assert {node.index for node in drawn.nodes} == {0, 1, 2}
    assert {(edge.source, edge.target) for edge in drawn.edges} == {(1, 2), (2, 1)}


def test_names_on_the_map_are_inside_and_do_not_cover_each_other() -> None:
    crowd = [Dots(n, "", (), (n * 3.0, 12.0 + n)) for n in range(1, 60)]
    names = {n: "name" * (n % 4 + 1) for n in range(1, 60)}
    drawn = labels([Dots(None, "", (), (300.0, 200.0)), *crowd], names)
    assert 1 < len(drawn) < 20
    assert drawn[0][2] == names[1]
    for x, y, name in drawn:
        half = len(name) * 3.5
        assert half <= x <= MAP_WIDTH - half
        assert 0 < y <= MAP_HEIGHT
    for (x, y, name), (x2, y2, other) in combinations(drawn, 2):
        assert abs(y - y2) >= 15 or abs(x - x2) >= 3.5 * (len(name) + len(other)) - 1
