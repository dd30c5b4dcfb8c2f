"""What a crawl is for."""

from __future__ import annotations

from dataclasses import dataclass

from tplcrawl.planning.budgets import Budgets

BUDGET, SAMPLES, LIKE = "budget", "samples", "like"
"""Why a URL is held: its template has the pages that it may have, has samples enough, or is not
the one that is looked for."""

_FEW, _MANY = 3, 30
"""Pages that are spent on learning more where budgets are to be kept, and where they are not."""


@dataclass(frozen=True, slots=True)
class Aims:
    """What a crawl is to spend itself on. With nothing given, on everything."""

    budgets: Budgets | None = None
    samples: int | None = None
    """Good pages of each template that are enough."""
    like: tuple[str, ...] = ()
    """Pages whose templates are looked for, and no others."""
    explore: float = 0.05
    """The share of fetches that goes to uniformly random URLs."""
    saturation: float | None = None
    """The chance that a random page shows a new template at which the crawl ends."""
    rare_first: bool = False
    """Whether URLs of rare and unknown templates come first."""
    sampled: bool = True
    """Whether, in the end, so many of these are fetched that they tell what templates there are."""
    seed: int = 0
    """Of the random URLs."""

    @property
    def planned(self) -> bool:
        """Whether there is anything to plan: if not, every URL is fetched as it comes."""
        return (
            bool(self.budgets or self.samples or self.like or self.rare_first)
            or self.saturation is not None
        )

    @property
    def by_level(self) -> bool:
        """Whether pages of all templates are fetched evenly, a few of each before more of any."""
        return self.rare_first or bool(self.budgets or self.samples)

    @property
    def extra(self) -> int:
        """Pages of templates of which there are enough that may be fetched all the same, since it
        is not sure what they are, and places of links that nobody has tried: few with budgets,
        which are to be kept. Who wants samples of each template wants to know them all, and a
        random page is mostly of a large one."""
        return _MANY if self.samples and not self.budgets else _FEW

    @property
    def reason(self) -> str:
        """Why a URL that is not needed is held."""
        return LIKE if self.like else SAMPLES if self.samples else BUDGET

    def limit(self, template: int | None, name: str | None) -> int | None:
        """The most pages of a template."""
        limits = [self.budgets.limit(template, name) if self.budgets else None, self.samples]
        return min((limit for limit in limits if limit is not None), default=None)
