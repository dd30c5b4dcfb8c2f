"""What somebody should look at: the few sentences that a report begins with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tplcrawl.clustering.names import printable
from tplcrawl.reports.wording import RUNNING, counted, percent

SHARE = 0.02
"""Less than this of all pages is not worth a sentence."""

LOOSE, UNSURE, MIXED = 0.35, 0.5, 0.8
"""A template is doubtful if it is less cohesive than this, if less sure, or if less of its pages
are nearest to another page of it."""


def findings(coverage: dict[str, Any]) -> list[dict[str, Any]]:
    """Sentences with a level (``bad``, ``look``, ``good``) and the section that tells more."""
    found = [*_search(coverage), *_left(coverage), *_doubts(coverage), *_answers(coverage)]
    order = ("bad", "look", "good")
    return sorted(found, key=lambda one: order.index(one["level"]))


def _finding(level: str, section: str, text: str) -> dict[str, Any]:
    return {"level": level, "section": section, "text": text}


def _search(coverage: dict[str, Any]) -> list[dict[str, Any]]:
    told = coverage["search"]
    if told is None:
        return []
    return [_finding("good" if told["pages"] else "bad", "growth", sought(told))]


def sought(told: Mapping[str, Any]) -> str:
    """What a search has brought, in a sentence."""
    if not told["pages"]:
        given = printable(" ".join(told["like"]))[:200]
        return f"Nothing was found like the page given: {given}"
    return (
        f"{counted(told['pages'], 'page')} like the one given ({', '.join(told['templates'])}):"
        f" {percent(told['harvest'])} of {counted(told['asked'], 'request')}."
    )


def _left(coverage: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    states = coverage["states"]
    funnel = coverage["funnel"]
    if states["queued"]:
        share = states["queued"] / funnel["discovered"]
        many = f"{counted(states['queued'], 'URL')} ({percent(share)} of those discovered)"
        if coverage["stopped"] == RUNNING:
            found.append(_finding("good", "left-out", f"{many} will be next."))
        else:
            level = "look" if share > SHARE else "good"
            why = printable(coverage["stopped"])[:40]
            text = f"{many} still waited when the crawl stopped ({why})."
            found.append(_finding(level, "left-out", text))
    elif funnel["discovered"] == funnel["pages"] == 1:
        text = "The only page links to no other of this site; links that scripts make are not seen."
        found.append(_finding("bad", "left-out", text))
    elif funnel["pages"]:
        found.append(_finding("good", "left-out", "Nothing was left waiting."))
    if states["held"]:
        share = states["held"] / funnel["discovered"]
        reasons = [one["reason"] for one in coverage["left_out"] if one["state"] == "held"]
        found.append(
            _finding(
                "good",
                "left-out",
                f"{counted(states['held'], 'URL')} ({percent(share)} of those discovered) not"
                f" needed: {', '.join(map(printable, reasons))}.",
            )
        )
    if states["failed"] > SHARE * funnel["asked"]:
        failed = [one for one in coverage["left_out"] if one["state"] == "failed"]
        found.append(
            _finding(
                "bad" if states["failed"] > funnel["asked"] / 4 else "look",
                "left-out",
                f"{states['failed']:,} of {counted(funnel['asked'], 'request')} gave no page,"
                f" most often for this reason: {printable(failed[0]['reason'])[:40]}.",
            )
        )
    return found


def _doubts(coverage: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    pages = coverage["funnel"]["pages"]
    alone = coverage["unassigned"]["pages"]
    if alone > SHARE * pages:
        text = f"No template for {counted(alone, 'page')} ({percent(alone / pages)})."
        found.append(_finding("look", "unassigned", text))
    elif pages:
        text = "Every page" if not alone else f"All but {counted(alone, 'page')}"
        found.append(_finding("good", "unassigned", f"{text} found a template."))
    doubtful = [one for one in coverage["templates"] if one["doubts"]]
    if doubtful:
        names = ", ".join(one["name"] for one in doubtful[:4])
        more = f" and {len(doubtful) - 4:,} more" if len(doubtful) > 4 else ""
        text = f"Look twice at {names}{more}: may be mixed, or no proper pages."
        found.append(_finding("look", "templates", text))
    told = coverage["map"]
    if told["judged"]:
        share = told["agree"] / told["judged"]
        found.append(
            _finding(
                "good" if share >= 0.95 else "look" if share >= MIXED else "bad",
                "map",
                f"{percent(share)} of {counted(told['judged'], 'sampled page')} are most like"
                " a page of their own template.",
            )
        )
    told = coverage["mismatches"]
    denied = told["denied"]
    if denied:
        share = denied / max(told["predicted"], 1)
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in told["kinds"].items())
        text = (
            f"Not what was expected: {counted(denied, 'page')}"
            f" ({share:.1%} of those predicted): {kinds}."
        )
        blocked = told["kinds"].get("block", 0) > SHARE * pages
        found.append(_finding("bad" if blocked else "look", "mismatches", text))
    traps = coverage["traps"]
    urls = sum(one["urls"] for one in traps)
    if urls > SHARE * coverage["funnel"]["discovered"]:
        text = (
            f"{counted(len(traps), 'endless place')} led to {counted(urls, 'URL')} and nothing new:"
            " calendars, filters, sessions, mazes."
        )
        found.append(_finding("look", "traps", text))
    return found


def _answers(coverage: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    statuses = coverage["answers"]["statuses"]
    broken = sum(count for status, count in statuses.items() if status >= "500")
    if broken:
        text = f"The server failed in {counted(broken, 'answer')}."
        found.append(_finding("bad", "answers", text))
    pages = coverage["funnel"]["pages"]
    same = coverage["answers"]["duplicates"]["same_title"]
    if same > max(0.2 * pages, 1):
        share = percent(same / pages)
        text = f"{counted(same, 'page')} ({share}) share their title with another page."
        found.append(_finding("look", "answers", text))
    if coverage["cuts"]:
        count = sum(coverage["cuts"].values())
        text = f"Read in part, for a limit: {counted(count, 'page')}."
        found.append(_finding("look", "answers", text))
    return found


def trust(coverage: dict[str, Any]) -> dict[str, float | None]:
    """Signs of a sound clustering, as shares of 1; ``None`` where there is nothing to tell by."""
    pages = coverage["funnel"]["pages"]
    templates = coverage["templates"]
    sure = sum(one["confidence"] * one["pages"] for one in templates)
    told = coverage["mismatches"]
    return {
        "assigned": _share(coverage["funnel"]["assigned"], pages),
        "confidence": _share(sure, coverage["funnel"]["assigned"]),
        "alike": _share(coverage["map"]["agree"], coverage["map"]["judged"]),
        "predicted": _share(told["right"], told["predicted"]),
    }


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None


def doubts(template: dict[str, Any]) -> list[str]:
    """Why a template may be two, or none."""
    found = []
    if template["pages"] > 1 and template["cohesion"] < LOOSE:
        found.append("its pages are little alike")
    if template["pages"] > 1 and template["confidence"] < UNSURE:
        found.append("its pages are assigned with little confidence")
    if template["judged"] >= 5 and template["agree"] < MIXED * template["judged"]:
        found.append("many of its pages are more like those of other templates")
    if 2 * sum(template["denied"].values()) > template["pages"]:
        found.append("most of its pages are not what was expected of them")
    return found
