"""How quality moves with a parameter of a method: the curves of paper 001, figures 5-10."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor, isfinite

from jinja2 import Environment, PackageLoader, StrictUndefined

from tplcrawl.errors import UsageError


@dataclass(frozen=True, slots=True)
class Sweep:
    """The values that one parameter takes."""

    parameter: str
    values: tuple[float, ...]

    @classmethod
    def parse(cls, text: str) -> Sweep:
        """Read ``name=first:last:step``.

        >>> Sweep.parse("similarity=0.5:0.6:0.05")
        Sweep(parameter='similarity', values=(0.5, 0.55, 0.6))
        """
        name, _, numbers = text.partition("=")
        try:
            first, last, step = map(float, numbers.split(":"))
            count = floor((last - first) / step + 1e-6) + 1
            if not all(map(isfinite, (first, last, step))):
                raise ValueError
        except (ValueError, ZeroDivisionError, OverflowError):
            raise UsageError(f"not NAME=FIRST:LAST:STEP: {text!r}") from None
        if not name or not 1 <= count <= 200:
            raise UsageError(f"not NAME=FIRST:LAST:STEP: {text!r}")
        values = tuple(round(first + i * step, 9) for i in range(count))
        whole = all(map(float.is_integer, (first, step))) and "." not in numbers
        return cls(name, tuple(map(int, values)) if whole else values)


@dataclass(frozen=True, slots=True)
class Curve:
    """One measure over the values of a sweep."""

    label: str
    values: tuple[float, ...]


_COLOURS = ("#1668dc", "#d4380d", "#389e0d", "#722ed1", "#d48806", "#08979c", "#c41d7f", "#595959")
_WIDTH, _HEIGHT, _LEFT, _TOP = 560, 300, 48, 16


def chart(sweep: Sweep, curves: Sequence[Curve], title: str) -> str:
    """The curves as a self-contained SVG; values lie between 0 and 1."""
    environment = Environment(
        loader=PackageLoader("tplcrawl.evaluation", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("sweep.svg.j2").render(
        title=title,
        parameter=sweep.parameter,
        width=_WIDTH,
        height=_HEIGHT,
        left=_LEFT,
        top=_TOP,
        ticks=[(value, x) for value, x in _ticks(sweep)],
        lines=[
            {
                "label": curve.label,
                "colour": _COLOURS[number % len(_COLOURS)],
                "points": " ".join(
                    f"{_x(sweep, i):.1f},{_TOP + _HEIGHT * (1 - value):.1f}"
                    for i, value in enumerate(curve.values)
                ),
            }
            for number, curve in enumerate(curves)
        ],
    )


def _x(sweep: Sweep, index: int) -> float:
    return _LEFT + _WIDTH * index / max(len(sweep.values) - 1, 1)


def _ticks(sweep: Sweep) -> Iterator[tuple[float, float]]:
    every = max(1, len(sweep.values) // 10)
    for index in range(0, len(sweep.values), every):
        yield sweep.values[index], _x(sweep, index)
