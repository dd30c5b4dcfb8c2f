from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.mark_table import MarkTable
from tplcrawl.clustering.marks import Mark, marks_of
from tplcrawl.outline import Outline

NOTHING = Outline((-1,), ("html",), (False,), (0,))


def page(url: str, *steps: str, json_ld: str = "", title: str = "") -> dict[Mark, None]:
    count = len(steps)
    tree = Outline((-1,) * count, steps, (False,) * count, tuple(range(count)))
    return marks_of(f"http://a.com{url}", tree if steps else NOTHING, json_ld, title)


def test_a_name_is_what_nearly_all_pages_have_and_the_others_have_not() -> None:
    products = [page(f"/shop/product/{n}") for n in range(9)] + [page("/shop/sale")]
    groups = [page(f"/shop/group/{n}") for n in range(5)]
    table = MarkTable([products, groups])
    assert table.name(0) == "product"
    assert table.name(1) == "group"


def test_a_json_ld_type_names_rather_than_the_url() -> None:
    table = MarkTable([[page("/p/x", json_ld="WebPage NewsArticle")], [page("/q/y")]])
    assert table.name(0) == "news-article"


def test_what_describes_the_site_is_no_name() -> None:
    assert MarkTable([[page("/1", json_ld="WebPage Organization")]]).name(0) is None


def test_classes_of_one_page_are_no_marks() -> None:
    assert page("/1", "body post-17", "div menu_4 ok") == {Mark("element", "div.ok"): None}


def test_an_element_explains_but_does_not_name() -> None:
    table = MarkTable([[page("/1", "div price")], [page("/2", "div author")]])
    assert table.name(0) is None
    assert table.why(0, ["a", "b"]) == "has div.price; unlike b: div.price, no div.author"


def test_of_the_parts_that_the_others_have_not_the_first_may_name_a_template() -> None:
    posts = [
        page(
            "/1", "div posts", "span own", "div page-title", "div post", "div post-tags", "div nav"
        )
    ] * 9
    lists = [page("/2", "div posts", "div a-class-that-is-made-for-machines", "div nav")] * 9
    table = MarkTable([posts, lists])
    assert [table.part(0), table.part(1)] == ["post", None]


def test_a_part_that_one_other_template_has_too_may_name_the_one_whose_own_it_is() -> None:
    product = page("/catalogue/a/", "shop", "div product_page")
    review = page("/catalogue/a/add/", "shop", "div product_page", "div review_form")
    others = [[page(f"/{n}/{n}/", "shop", f"div other_{n}")] * 3 for n in "abcde"]
    table = MarkTable([[product] * 3, [review] * 3, *others])
    assert [table.part(0), table.part(1)] == ["product_page", "review_form"]


def test_a_class_that_says_how_a_page_is_laid_out_does_not_name_it() -> None:
    blog = [page(f"/blog/{n}", "body right") for n in range(9)]
    table = MarkTable([blog, [page("/shop/1", "body")], [page("/blog/login", "body")]])
    assert table.name(0) is None
    assert MarkTable([blog, [page("/shop/1", "body")]]).name(0) == "blog"


def test_of_a_class_and_its_variants_the_class_names() -> None:
    files = [page(f"/{n}", "body attachment attachment-jpeg attachment-large") for n in range(9)]
    table = MarkTable([files, [page("/x", "body post")]])
    assert table.name(0) == "attachment"


def test_templates_alike_in_everything_differ_by_their_places() -> None:
    table = MarkTable([[page("/1", "div xx")], [page("/2", "div xx")]])
    assert table.why(0, ["a", "b"]).endswith("; unlike b: the places of links to it")


WORDS = st.lists(st.sampled_from(["/a/b", "/a/c/1", "/d?e=f", "/"]), min_size=1, max_size=4)


@settings(deadline=None)
@given(st.lists(WORDS, max_size=4))
def test_every_template_has_a_reason(samples: list[list[str]]) -> None:
    table = MarkTable([[page(url) for url in urls] for urls in samples])
    names = [str(number) for number in range(len(samples))]
    for number in range(len(samples)):
        assert table.why(number, names)
        assert table.name(number) is None or len(str(table.name(number))) <= 40


def test_what_a_page_is_comes_before_how_it_is_asked_for() -> None:
    """``do`` is in the URLs of all views, ``id`` in those of all things."""
    table = MarkTable(
        [
            [page(f"/wiki?do=history&id={n}") for n in range(9)],
            [page(f"/review/product/list/id/{n}/") for n in range(9)],
            [page(f"/thread?t={n}") for n in range(9)],
        ]
    )
    assert [table.name(number) for number in range(3)] == ["history", "list", "thread"]


def test_the_tail_that_a_program_gave_a_class_is_left_out() -> None:
    """Catches that pages whose classes all have one are named and explained by nothing."""
    recipes = [page("/a", "main Layout_main__0a1b2", "article Recipe_root__1b2c3")]
    stories = [page("/b", "main Layout_main__0a1b2", "article Story_root__9f8e7")]
    table = MarkTable([recipes, stories])
    assert [table.part(0), table.part(1)] == ["recipe", "story"]
    assert "article.Recipe_root" in table.why(0, ["a", "b"])
    assert page("/1", "div post_1234") == {}


def test_classes_that_programs_wrote_name_nothing() -> None:
    """Catches names such as ``yqmold``; one word that all classes share is not asked for."""
    made = [f"div {a}{b}q{a}zx" for a in "bdfgh" for b in "aeiou"]
    table = MarkTable([[page("/1", *made, "section yqmold")], [page("/2", *made)]])
    assert table.part(0) is None
    spoken = [f"div {a}{b}-list" for a in "bdfgh" for b in "aeiou"]
    table = MarkTable([[page("/1", *spoken, "section story")], [page("/2", *spoken)]])
    assert table.part(0) == "story"


def test_where_nothing_else_tells_what_titles_say_at_one_place_names() -> None:
    """Catches names from what pages are about, and from words that come anywhere in a title."""
    classes = [page(f"/{n}", title=f"{name} Class | The Kit") for n, name in enumerate(NAMES)]
    guides = [page(f"/g{n}", title=f"How the {name} works - Kit") for n, name in enumerate(NAMES)]
    tags = [page(f"/t{n}", title=f"Posts tagged {name}") for n, name in enumerate(NAMES)]
    table = MarkTable([classes, guides, tags])
    assert [table.name(number) for number in range(3)] == ["class", "works", "posts-tagged"]
    assert "“class” in the title" in table.why(0, ["a", "b", "c"])


NAMES = ("Reader", "Fast writer", "Queue", "Old red lamp", "Parser of trees", "Timer")


def test_the_name_of_the_site_is_none_of_a_template_wherever_titles_have_it() -> None:
    lists = [page(f"/{n}", title="The Gazette") for n in range(9)]
    posts = [page(f"/p{n}", title=f"{name} - The Gazette") for n, name in enumerate(NAMES)]
    table = MarkTable([lists, posts])
    assert [table.name(number) for number in range(2)] == [None, None]


def test_words_that_join_others_explain_nothing() -> None:
    one = [page("/1", "div aa", title="The book of the lamps")] * 3
    other = [page("/2", "div bb", title="Rooms of all kinds")] * 3
    why = MarkTable([one, other]).why(0, ["a", "b"])
    assert "“book” in the title" in why
    assert "“the”" not in why


def test_what_both_say_at_different_places_sets_nothing_apart() -> None:
    one = [page(f"/{n}", "div a", title=f"Kit: {name}") for n, name in enumerate(NAMES)]
    other = [page(f"/{n}", "div b", title=f"{name} in Kits Kit") for n, name in enumerate(NAMES)]
    assert "kit”" not in MarkTable([one, other]).why(0, ["a", "b"])


def test_titles_do_not_make_templates_nearer() -> None:
    """Catches that pages about the same thing are taken for the most alike."""
    lists = [page("/1", "div list", "div row", title="All about lamps")]
    posts = [page("/2", "div post", title="All about lamps")]
    rows = [page("/3", "div list", "div row", "div page")]
    assert MarkTable([lists, posts, rows]).nearest(0) == 2


def test_what_many_classes_of_the_body_begin_or_end_with_names_nothing() -> None:
    kinds = ("question", "user", "help", "tag")
    table = MarkTable([[page(f"/{n}", f"body {kind}-page")] for n, kind in enumerate(kinds)])
    assert [table.name(number) for number in range(4)] == list(kinds)
    few = MarkTable([[page("/1", "body news-page")], [page("/2", "body tag-page")]])
    assert few.name(0) == "news-page"


def test_a_class_that_elements_everywhere_have_names_nothing() -> None:
    jobs = [page("/1", "body bg-white job", "div bg-white")]
    lists = [page("/2", "body", "div bg-white")]
    assert MarkTable([jobs, lists]).name(0) == "job"
    assert MarkTable([[page("/1", "body bg-white", "div bg-white")], lists]).name(0) is None
    boxed = [page("/1", "div bg-white", "article bg-white", "article job")]
    assert MarkTable([boxed, lists]).part(0) == "job"


def test_templates_of_one_name_are_told_apart_by_what_the_others_have_not() -> None:
    """Catches a name that only a number tells from that of a larger template."""
    shown = [page(f"/issues/{n}", "body issues action-show") for n in range(9)]
    listed = [page("/issues", "body issues action-index") for _ in range(9)]
    table = MarkTable([shown, listed, [page("/login")] * 9])
    assert table.told_from(0, [1]) == "action-show"
    assert table.told_from(1, [0]) == "action-index"
    assert table.told_from(1, [0, 2]) == "action-index"
    assert table.told_from(2, [0]) == "login"


def test_what_elements_look_like_and_long_words_tell_no_names_apart() -> None:
    made = "a-class-that-programs-have-made"
    table = MarkTable([[page("/1", f"body {made}", "div price")], [page("/2", "body", "div tax")]])
    assert table.told_from(0, [1]) is None
