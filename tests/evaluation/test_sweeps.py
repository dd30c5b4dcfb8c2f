from __future__ import annotations

import math
from contextlib import suppress
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.errors import UsageError
from tplcrawl.evaluation.sweeps import Curve, Sweep, chart

SVG = "{http://www.w3.org/2000/svg}"
NUMBERS = st.floats(-10, 10).map(lambda x: round(x, 2))
HOSTILE = st.text("a<>&\"'{}é\u2028 ", min_size=1, max_size=12)


@given(NUMBERS, NUMBERS, NUMBERS.filter(lambda step: abs(step) >= 0.2))
def test_the_values_go_in_equal_steps_from_the_first_and_never_beyond_the_last(
    first: float, last: float, step: float
) -> None:
    text = f"name={first}:{last}:{step}"
    if (last - first) * step < 0:
        with pytest.raises(UsageError, match="FIRST:LAST:STEP"):
            Sweep.parse(text)
        return
    sweep = Sweep.parse(text)
    low, high = sorted((first, last))
    assert all(low - 1e-6 <= value <= high + 1e-6 for value in sweep.values)
    assert sweep.values == tuple(
        pytest.approx(first + i * step, abs=1e-6) for i in range(len(sweep.values))
    )
    assert abs(last - sweep.values[-1]) < abs(step) - 1e-6


@given(
    st.text("a=:0123456789.-+e_", max_size=20)
    | st.tuples(
        *[st.sampled_from("0 1 -1 0.1 inf -inf nan 1e308 -1e308 1e-320 1e400 x".split())] * 3
    ).map(lambda numbers: "a=" + ":".join(numbers))
)
def test_whatever_is_typed_is_a_sweep_or_wrong_usage(text: str) -> None:
    with suppress(UsageError):
        sweep = Sweep.parse(text)
        assert sweep.parameter
        assert 1 <= len(sweep.values) <= 200
        assert all(map(math.isfinite, sweep.values))


@pytest.mark.parametrize("text", ["", "a", "a=", "a=1", "a=1:2", "a=1:2:3:4", "=0:1:1", "a=0:1:0",
                                  "a=0:1:0.001", "a=x:1:1"])  # fmt: skip
def test_what_is_no_sweep_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Sweep.parse(text)


@settings(max_examples=20)
@given(
    st.integers(1, 60),
    st.lists(st.tuples(HOSTILE, st.floats(0, 1)), min_size=1, max_size=10),
    HOSTILE,
    HOSTILE,
)
def test_a_chart_is_well_formed_and_every_point_lies_in_its_frame(
    count: int, labels: list[tuple[str, float]], title: str, parameter: str
) -> None:
    sweep = Sweep(parameter, tuple(i / 10 for i in range(count)))
    curves = [Curve(label, (value,) * count) for label, value in labels]
    text = chart(sweep, curves, title)
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    words = [element.text or "" for element in root.iter(f"{SVG}text")]
    assert root.findtext(f"{SVG}title") == title
    assert parameter in words
    assert words[-len(labels) :] == [label for label, _ in labels]
    lines = [element.get("points", "").split() for element in root.iter(f"{SVG}polyline")]
    assert len(lines) == len(curves)
    width, height = (float(x) for x in root.get("viewBox", "").split()[2:])
    for line, (_, value) in zip(lines, labels, strict=True):
        points = [tuple(map(float, point.split(","))) for point in line]
        assert len(points) == count
        assert [x for x, _ in points] == sorted(x for x, _ in points)
        assert all(0 <= x <= width and 0 <= y <= height for x, y in points)
        assert all(y == points[0][1] for _, y in points)
        assert value in (0, 1) or points[0][1] == pytest.approx(16 + 300 * (1 - value), abs=0.051)


def test_what_is_better_stands_higher() -> None:
    sweep = Sweep("x", (0.0, 1.0))
    root = ElementTree.fromstring(chart(sweep, [Curve("f1", (0.2, 0.9))], "t"))
    (line,) = root.iter(f"{SVG}polyline")
    (x0, y0), (x1, y1) = (map(float, point.split(",")) for point in line.get("points", "").split())
    assert (x0 < x1, y0 > y1) == (True, True)
