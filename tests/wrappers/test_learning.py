from __future__ import annotations

import json
from typing import Any

import pytest

from tplcrawl.errors import InputError
from tplcrawl.wrappers.checking import checked
from tplcrawl.wrappers.extraction import Extractor
from tplcrawl.wrappers.learning import Page, learn
from tplcrawl.wrappers.library import page_of
from tplcrawl.wrappers.wrapper import Wrapper


def test_fields_hold_on_pages_that_were_not_learnt_from(shop: Wrapper, pages: Any) -> None:
    extract = Extractor(shop)
    for number, page in zip(range(10, 40), pages(range(10, 40)), strict=True):
        values = extract(page.root, page.url).values
        assert values["price"] == f"${number}.50"
        assert values["isbn"] == f"978-{number:04d}"
        assert values["pages"] == str(300 + number)
        assert values["publisher"] == f"House {number % 7}"
        assert values["date"] == f"May {1 + number % 20}, 2020"
        assert values["edition"] == (f"Edition {number}" if number % 3 == 0 else None)
        assert values["name"].endswith(f" {number}")


def test_several_values_are_a_list(shop: Wrapper, pages: Any) -> None:
    (page,) = pages(range(11, 12))
    values = Extractor(shop)(page.root, page.url).values
    many = [one.name for one in shop.shown if one.many]
    assert ["Author 110", "Author 111", "Author 112"] in [values[name] for name in many]


def test_a_list_has_rows(shop: Wrapper, pages: Any) -> None:
    (page,) = pages(range(14, 15))
    values = Extractor(shop)(page.root, page.url).values
    rows = values["reviews"]
    assert [row["who"] for row in rows] == [f"user14{i}" for i in range(4)]
    assert all("Review" in row["p"] for row in rows)


def test_types_say_what_texts_mean(shop: Wrapper, pages: Any) -> None:
    (page,) = pages(range(12, 13))
    meant = Extractor(shop)(page.root, page.url).typed
    assert meant["price"] == {"amount": 12.5, "currency": "USD"}
    assert meant["pages"] == 312
    assert meant["date"] == "2020-05-13"


def test_menus_and_footers_are_no_fields(shop: Wrapper) -> None:
    for one in shop.shown:
        assert not any("Menu" in text or "stores" in text for text in one.examples), one.name
    assert not any(rows.name == "nav" and not rows.low for rows in shop.lists)


def test_what_is_the_same_on_all_pages_is_no_field(shop: Wrapper) -> None:
    texts = {text for one in shop.fields for text in one.examples}
    assert not texts & {"Pages", "ISBN", "Publisher:", "Sale of the week"}


def test_the_markup_names_a_field(shop: Wrapper) -> None:
    assert {one.name: one.named_by for one in shop.shown}["name"] == "microdata"


def test_a_wrapper_is_what_its_json_says(shop: Wrapper) -> None:
    told = json.loads(json.dumps(shop.as_dict()))
    assert json.loads(json.dumps(Wrapper.of(told).as_dict())) == told


@pytest.mark.parametrize("told", [{}, [], None, {"format": 1}, {"format": 99}])
def test_what_is_no_wrapper_is_refused(told: object) -> None:
    with pytest.raises(InputError, match="wrapper"):
        Wrapper.of(told)


def test_the_same_pages_give_the_same_wrapper(pages: Any) -> None:
    first, again = (learn("t1", pages(range(10))).as_dict() for _ in range(2))
    assert json.dumps(first) == json.dumps(again)


def test_another_page_does_not_fit(shop: Wrapper) -> None:
    page = page_of("http://a/", b"<html><body><h2>Nothing here</h2></body></html>", "utf-8")
    record = Extractor(shop)(page.root)
    assert record.misfit is not None
    assert record.values == {}


def test_a_page_may_lack_a_whole_table() -> None:
    def item(n: int, *, specs: bool) -> Page:
        rows = "".join(f"<tr><th>Key {k}<td>{k}{n}</tr>" for k in "abcdefgh") if specs else ""
        return html(
            f"<h1>Thing {n}</h1><b class=price>${n}</b><i class=who>By {n}</i>"
            f"<table id=specs>{rows}</table>"
        )

    extract = Extractor(learn("t1", [item(n, specs=True) for n in range(8)]))
    assert extract(item(20, specs=False).root).values["price"] == "$20"
    stranger = html("<h1>Thing 1</h1><p>An article of another template.</p>")
    assert extract(stranger.root).misfit is not None


def test_what_another_layout_moves_is_found_by_its_landmark() -> None:
    def item(n: int, *, moved: bool) -> Page:
        core = f"<h1>Thing {n}</h1><b class=price>${n}.00</b><p>Maker: <u>House {n}</u></p>"
        return html(f"<center><div>Sale</div><div>{core}</div></center>" if moved else core)

    extract = Extractor(learn("t1", [item(n, moved=False) for n in range(8)]))
    values = extract(item(20, moved=True).root).values
    assert values["title"] == "Thing 20"
    assert values["price"] == "$20.00"


def test_scripts_between_texts_do_not_mislead() -> None:
    def item(n: int) -> Page:
        blocks = [
            f"<div><style>.x{{}}</style><b>Head</b><p>{n}</p></div>",
            f"<div><b>Size</b><p>{n} cm</p></div>",
        ]
        return html("".join(blocks if n % 2 else blocks[::-1]))

    wrapper = learn("t1", [item(n) for n in range(10)])
    extract = Extractor(wrapper)
    for n in range(10, 20):
        assert f"{n} cm" in extract(item(n).root).values.values()


def test_a_wrapping_of_an_only_text_is_seen_through() -> None:
    rows = [f"<table><tr><th>Date<td>May {n}, 2020</tr></table>" for n in range(1, 11)]
    extract = Extractor(learn("t1", [html(row) for row in rows]))
    page = html("<table><tr><th>Date<td><nobr>May 20, 2020<i>again</i></nobr></tr></table>")
    assert extract(page.root).values["date"] == "May 20, 2020"


def test_values_that_are_the_same_by_chance_are_no_labels() -> None:
    words = "ash birch cedar dune elm fir".split()

    def item(n: int) -> Page:
        tags = "".join(f"<li>{words[(n * k) % 6]}</li>" for k in range(1, 2 + n % 3))
        return html(f"<h1>Thing {n}</h1><ul class=tags>{tags}</ul>")

    wrapper = learn("t1", [item(n) for n in range(10)])
    values = Extractor(wrapper)(item(11).root).values
    assert [words[(11 * k) % 6] for k in range(1, 4)] in values.values()


def test_a_title_is_shown_though_the_head_and_a_menu_have_it_too() -> None:
    def item(n: int) -> Page:
        head = f"<meta property=og:title content='Thing {n}'>"
        nav = f"<nav><a href=/>Home</a> <b>Thing {n}</b></nav>"
        return page_of(
            "http://a/", f"<html><head>{head}</head><body>{nav}<h1>Thing {n}</h1>".encode(), "utf-8"
        )

    values = Extractor(learn("t1", [item(n) for n in range(8)]))(item(30).root).values
    assert "Thing 30" in values.values()


def test_a_list_that_stands_elsewhere_on_some_pages_is_one_list() -> None:
    def page(number: int) -> Page:
        rows = "".join(
            f"<li><b>Name {number}{row}</b><i>{number * row} pieces</i></li>"
            for row in range(1, 3 + number % 3)
        )
        box = f"<div id='box'><ul>{rows}</ul></div>"
        if number % 4 == 3:
            box = f"<form>{box}</form>"
        body = f"<h1>Title {number}</h1><div class='left'><p>Text {number}</p>{box}</div>"
        return page_of(f"/{number}", f"<html><body>{body}</body></html>".encode(), "utf-8")

    (rows,) = learn("t1", [page(number) for number in range(8)]).lists
    assert rows.support == 1.0


def test_the_label_of_a_list_leaves_it_whole() -> None:
    def item(n: int) -> Page:
        links = ", ".join(f"<a href=/g/{n}{k}>genre {n}{k}</a>" for k in range(1 + n % 3))
        return html(f"<h1>Thing {n}</h1><p>Genres: {links}</p>")

    values = Extractor(learn("t1", [item(n) for n in range(9)]))(item(11).root).values
    assert ["genre 110", "genre 111", "genre 112"] in values.values()


def test_one_page_shows_no_difference(pages: Any) -> None:
    wrapper = learn("t1", pages(range(1)))
    assert not wrapper.fields
    assert "one page" in wrapper.warnings[0]


def test_a_field_that_fails_elsewhere_is_not_shown(pages: Any) -> None:
    wrapper = learn("t1", pages(range(10)))
    tried = checked(wrapper, pages(range(10, 30), changed=True))
    assert not next(one for one in wrapper.fields if one.name == "price").low
    assert next(one for one in tried.fields if one.name == "price").low
    assert next(one for one in tried.fields if one.name == "isbn").required


def html(body: str) -> Page:
    return page_of("http://a/", f"<html><body>{body}</body></html>".encode(), "utf-8")


def test_labels_tell_cells_apart_whatever_their_number() -> None:
    made = [
        html("<table>" + "".join(f"<tr><td>{k}<td>{k}{n}</tr>" for k in keys) + "</table>")
        for n, keys in enumerate(("abcde", "bcde", "edcba", "acde", "abde", "ebd"))
    ]
    extract = Extractor(learn("t1", made))
    found = extract(html("<table><tr><td>e<td>E</tr><tr><td>b<td>B</tr></table>").root).values
    assert "E" in found.values()
    assert "B" in found.values()


@pytest.mark.parametrize(
    ("before", "name"),
    [("People who read this", "people_who_read_this"), ("rw-r--r-- 10 a | b | c | d", "reads")],
)
def test_a_row_of_a_table_is_no_name(before: str, name: str) -> None:
    """Catches fields called ``rw_r_r_1063_license_blob_blame_history``."""
    cells = f"<td>{before}</td><td class=reads>"
    made = [html(f"<table><tr>{cells}{n}7</td></tr></table>") for n in range(1, 9)]
    assert [one.name for one in learn("t1", made).shown] == [name]


def test_ids_and_classes_of_one_page_are_not_gone_by() -> None:
    made = [html(f"<div id=post-{n} class='post-{n} hentry'><h2>Title {n}</h2></div>")
            for n in range(6)]  # fmt: skip
    wrapper = learn("t1", made)
    assert not any("post-" in one.rule.xpath() for one in wrapper.fields)
    assert (
        "Title 99"
        in Extractor(wrapper)(
            html("<div id=post-99 class='post-99 hentry'><h2>Title 99</h2></div>").root
        ).values.values()
    )


def test_rows_are_of_one_list_whatever_else_their_classes_say() -> None:
    """Striped in one way on some pages and in another one on the rest."""

    def made(number: int) -> Page:
        rows = []
        for i in range(number % 4 + 3):
            stripe = ("even", "odd", "light", "dark")[i % 2 + 2 * (number % 2)]
            rows.append(f"<li class='row {stripe}'><b>user{number}{i}</b><i>said {i * number}</i>")
        return html(f"<h1>Title {number}</h1><ol>{''.join(rows)}</ol>")

    wrapper = learn("t1", [made(number) for number in range(8)])
    (rows,) = wrapper.lists
    found = Extractor(wrapper)(made(11).root).values[rows.name]
    assert [row["b"] for row in found] == [f"user11{i}" for i in range(6)]


@pytest.mark.parametrize(
    "body",
    [
        "<table>" + "<tr><td>{0}<td>x</tr>" * 3000 + "</table>",
        "<div>" * 3000 + "deep {0}",
        "<p class='" + "c{0} " * 5000 + "' title='" + "t" * 100_000 + "'>{0}</p>",
        "\x01\x1b[31m{0}\x0b<b>\x07La\x01bel:</b>\x1f {0}",
        "<p>" + "{0} <br>" * 3000,
        "",
    ],
    ids=["rows", "levels", "attributes", "controls", "texts", "empty"],
)
def test_hostile_pages_end_in_a_wrapper(body: str) -> None:
    made = [html(f"<h1>Name {n}</h1>" + body.replace("{0}", str(n))) for n in range(4)]
    wrapper = learn("t1", made)
    record = Extractor(wrapper)(html("<h1>Name 9</h1>").root)
    assert record.misfit is not None or "Name 9" in record.values.values()
