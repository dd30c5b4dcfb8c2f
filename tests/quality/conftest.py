"""Sites with known templates: by the rules of four kinds of engine, and the sample site."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tplcrawl.evaluation.corpus import Corpus
from tplcrawl.evaluation.sample.dice import Dice
from tplcrawl.evaluation.sample.site import SampleSite, Sizes

Page = tuple[str, str, str]
"""Path and query, template, HTML."""


def _list(items: list[str], tag: str = "ul") -> str:
    return f"<{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}>"


def _link(path: str, text: str, more: str = "") -> str:
    return f'<a href="{path}"{more}>{text}</a>'


def _paragraphs(dice: Dice, low: int, high: int) -> str:
    return "".join(f"<p>{text}</p>" for text in dice.paragraphs(low, high))


def manual(*, alike: bool) -> Iterator[Page]:
    """Documentation of a library: classes, functions and modules lie side by side in one folder.
    ``id`` and ``class`` name each page. With *alike*, links to classes and functions stand alike,
    so that only the structure of the pages tells them apart."""
    modules = [Dice(1, "module", i).words(1) + str(i) for i in range(12)]
    guides = [
        f"/guide/{Dice(1, 'guide', i).words(2).replace(' ', '-')}-{i}.html" for i in range(25)
    ]
    side = _list([_link(f"/library/{m}.html", m, ' class="reference internal"') for m in modules])

    def page(path: str, kind: str, title: str, main: str) -> Page:
        number = abs(int.from_bytes(path.encode()[-4:], "big")) % 1000
        return (
            path,
            kind,
            f'<!doctype html><html><head><title>{title}</title></head><body class="page-{number}">'
            '<nav class="top"><a href="/">Manual</a><a href="/guide/">Guide</a>'
            f'<a href="/index-a.html">Index</a></nav><div class="sidebar">{side}</div>'
            f'<div class="document" id="{kind[0]}-{number}"><h1>{title}'
            f'<a class="headerlink" href="#">¶</a></h1>{main}</div>'
            "<footer><p>Made with care.</p></footer></body></html>",
        )

    def signature(dice: Dice, name: str) -> str:
        words = dice.words(dice.between(1, 4)).split()
        return f'<code class="descname">{name}</code>(<em>{"</em>, <em>".join(words)}</em>)'

    def fields(dice: Dice) -> str:
        rows = "".join(f"<dt>{dice.words(1)}</dt><dd>{dice.words(8)}</dd>" for _ in range(3))
        return f'<dl class="field-list">{rows}</dl>'

    yield page(
        "/", "home", "Manual", _list([_link("/guide/", "Guide"), *map(_link, guides, guides)])
    )
    yield page("/guide/", "contents", "Guide", _list([_link(g, g) for g in guides], "ol"))
    for i, guide in enumerate(guides):
        dice = Dice(1, "text", i)
        parts = []
        for _ in range(dice.between(2, 5)):
            code = f'<div class="highlight"><pre>{dice.words(9)}</pre></div>'
            parts.append(f"<h2>{dice.title(2)}</h2>{_paragraphs(dice, 1, 3)}")
            parts.append(code if dice.chance(60) else _list([dice.words(5)] * 3))
        more = _link(guides[(i + 1) % len(guides)], "Next", ' class="next" rel="next"')
        yield page(guide, "guide", dice.title(3), f"{''.join(parts)}<p>{more}</p>")
    names: list[tuple[str, str]] = []
    for m, module in enumerate(modules):
        dice = Dice(1, "names", m)
        classes = [f"{dice.title(1)}{dice.title(1)}{n}" for n in range(9)]
        functions = [f"{dice.words(1)}_{dice.words(1)}{n}" for n in range(8)]
        tables = ""
        for title, own in (("Classes", classes), ("Functions", functions)):
            links = [_link(f"/library/{module}.{name}.html", name) for name in own]
            if alike or title == "Classes":
                rows = "".join(
                    f"<tr><td>{link}</td><td>{dice.words(6)}</td></tr>" for link in links
                )
                text = f"<table class='summary'><tbody>{rows}</tbody></table>"
            else:
                text = _list(links)
            tables += f"<h2>{title}</h2>{text}"
            names += [(name, f"/library/{module}.{name}.html") for name in own]
        source = f"/library/{module}.source.html"
        tables += f"<p>{_link(source, 'Source')}</p>"
        yield page(f"/library/{module}.html", "module", module, _paragraphs(dice, 1, 2) + tables)
        lines = "".join(f'<span class="n" id="L-{n}">{dice.words(4)}</span>\n' for n in range(60))
        yield page(source, "source", module, f'<div class="highlight"><pre>{lines}</pre></div>')
        for name in classes:
            bases = _list([dice.title(1)]) if dice.chance(40) else ""
            methods = "".join(
                f'<dl class="method"><dt>{signature(dice, dice.words(1))}</dt>'
                f"<dd><p>{dice.words(12)}</p>{fields(dice) if dice.chance(50) else ''}</dd></dl>"
                for _ in range(dice.between(1, 9))
            )
            top = f'<dl class="class"><dt><em>class</em> {signature(dice, name)}</dt>'
            text = f"{top}<dd>{_paragraphs(dice, 1, 3)}{bases}{methods}</dd></dl>"
            yield page(f"/library/{module}.{name}.html", "class", name, text)
        for name in functions:
            note = f'<div class="note"><p>{dice.words(9)}</p></div>' if dice.chance(30) else ""
            top = f'<dl class="function"><dt>{signature(dice, name)}</dt>'
            text = f"{top}<dd>{_paragraphs(dice, 1, 2)}{fields(dice)}{note}</dd></dl>"
            yield page(f"/library/{module}.{name}.html", "function", name, text)
    for letter in "abcdefgh":
        own = [_link(path, name) for name, path in names if name[0].lower() == letter]
        letters = [_link(f"/index-{one}.html", one) for one in "abcdefgh"]
        text = f"<p>{' | '.join(letters)}</p><table><tr><td>{_list(own)}</td></tr></table>"
        yield page(f"/index-{letter}.html", "index", letter, text)


def board() -> Iterator[Page]:
    """A forum of the old kind: tables in tables, one script for each page type with all else in the
    query, the same few classes everywhere, and classes such as ``post-123`` in every row."""

    def page(path: str, kind: str, main: str) -> Page:
        return (
            path,
            kind,
            "<html><head><title>Board</title></head><body><table class='main'><tr><td>"
            '<a href="/index.php">Board</a> <a href="/memberlist.php">Members</a> '
            '<a href="/faq.php">FAQ</a></td></tr></table>'
            f"{main}<table class='main'><tr><td>Powered by tables</td></tr></table></body></html>",
        )

    def table(rows: list[str], heads: str) -> str:
        striped = "".join(f"<tr class='row{n % 2 + 1}'>{row}</tr>" for n, row in enumerate(rows))
        head = "".join(f"<th>{name}</th>" for name in heads.split())
        return f"<table class='list'><tr>{head}</tr>{striped}</table>"

    def pager(path: str, count: int) -> str:
        links = [_link(f"{path}&amp;start={n * 15}", str(n + 1)) for n in range(count)]
        return f"<table><tr><td>{' '.join(links)}</td></tr></table>"

    forums = [(n, Dice(2, "forum", n).title(2)) for n in range(1, 7)]
    users = [(n, Dice(2, "user", n).words(1) + str(n)) for n in range(1, 61)]
    rows = [
        f"<td><img src='f.gif'></td><td>{_link(f'/viewforum.php?f={n}', title)}<br>{title}</td>"
        f"<td>{n * 7}</td>"
        for n, title in forums
    ]
    yield page("/index.php", "index", table(rows, "x Forum Posts"))
    faq = "".join(
        f"<tr><td><b>{Dice(2, 'q', n).words(6)}?</b><p>{Dice(2, 'a', n).words(30)}</p></td></tr>"
        for n in range(9)
    )
    yield page("/faq.php", "faq", f"<table>{faq}</table>")
    for start in range(0, 60, 15):
        rows = [
            f"<td>{_link(f'/memberlist.php?mode=viewprofile&amp;u={n}', name)}</td><td>{n}</td>"
            for n, name in users[start : start + 15]
        ]
        path = f"/memberlist.php?start={start}" if start else "/memberlist.php"
        pages = pager("/memberlist.php?", 4).replace("?&amp;", "?").replace("?start=0", "")
        yield page(path, "members", table(rows, "Name Posts") + pages)
    for n, name in users:
        dice = Dice(2, "profile", n)
        facts = "".join(
            f"<tr><td><b>{fact}:</b></td><td>{dice.words(2)}</td></tr>"
            for fact in "Joined Location Occupation Interests Posts".split()
            if dice.chance(75)
        )
        avatar = "<td rowspan=5><img src='a.gif'></td>" if dice.chance(50) else ""
        text = f"<h2>{name}</h2><table class='list'><tr>{avatar}</tr>{facts}</table>"
        yield page(f"/memberlist.php?mode=viewprofile&u={n}", "profile", text)
    topic = 0
    for n, title in forums:
        own = list(range(topic + 1, topic + 31))
        topic += 30
        for start in (0, 15):
            rows = [
                f"<td>{_link(f'/viewtopic.php?t={t}', Dice(2, 'topic', t).words(4))}</td>"
                f"<td>{_link(f'/memberlist.php?mode=viewprofile&amp;u={t % 60 + 1}', 'by')}</td>"
                "<td>0</td>"
                for t in own[start : start + 15]
            ]
            path = f"/viewforum.php?f={n}" + (f"&start={start}" if start else "")
            pages = pager(f"/viewforum.php?f={n}", 2).replace("&amp;start=0", "")
            yield page(path, "forum", f"<h2>{title}</h2>{table(rows, 'Topic By Posts')}{pages}")
        for t in own:
            dice = Dice(2, "posts", t)
            poll = "<table class='poll'><tr><td>a</td><td>1</td></tr></table>"
            text = poll if dice.chance(15) else ""
            for _ in range(dice.between(1, 9)):
                number, name = dice.pick(users)
                who = _link(f"/memberlist.php?mode=viewprofile&amp;u={number}", name)
                quote = f"<blockquote>{dice.words(9)}</blockquote>" if dice.chance(30) else ""
                image = "<br><img src='x.jpg'>" if dice.chance(20) else ""
                text += (
                    f"<tr class='row1 post-{dice.roll(9999)}'><td>{who}<br>Posts: {number}</td>"
                    f"<td>{quote}{dice.words(40)}{image}<hr>{dice.words(5)}</td></tr>"
                )
            yield page(f"/viewtopic.php?t={t}", "topic", f"<table class='list'>{text}</table>")


def wiki() -> Iterator[Page]:
    """A wiki: articles of any markup that their authors liked, and pages about the articles. The
    body's classes name the page."""
    titles = [Dice(3, "title", n).title(2).replace(" ", "_") + f"_{n}" for n in range(150)]
    groups = [Dice(3, "group", n).title(1) + f"_{n}" for n in range(10)]
    authors = [Dice(3, "author", n).title(1) + str(n) for n in range(30)]

    def page(path: str, kind: str, title: str, main: str, foot: str = "") -> Page:
        name = title.replace(":", "_")
        tabs = _list([_link(f"/wiki/{title}", "Page"), _link("/wiki/Special:All", "All pages")])
        return (
            path,
            kind,
            f"<!doctype html><html><head><title>{title}</title></head>"
            f'<body class="ltr ns page-{name}"><div id="content"><h1 class="first">{title}</h1>'
            f'<div class="mw-body">{main}</div>{foot}</div><div id="tabs">{tabs}</div>'
            f'<div id="side">{_list([_link("/wiki/Main", "Main")])}</div></body></html>',
        )

    def markup(dice: Dice, others: list[str]) -> str:
        link = _link(f"/wiki/{dice.pick(others)}", dice.words(2))
        kinds = (
            f"<p>{dice.words(40)} {link} {dice.words(9)}</p>",
            f"<h2><span class='head'>{dice.title(2)}</span></h2><p>{dice.words(30)}</p>",
            f"<h3>{dice.title(2)}</h3><p>{dice.words(20)} <b>{dice.words(1)}</b></p>",
            "<table class='infobox'><tbody>" + "<tr><th>a</th><td>b</td></tr>" * 4 + "</table>",
            "<table class='wikitable sortable'><tr><th>x</th><th>y</th></tr>"
            f"<tr><td>{link}</td><td><i>1</i></td></tr></table>",
            _list([link, f"{dice.words(3)}{_list([dice.words(2), dice.words(2)])}"]),
            _list([dice.words(4), dice.words(4)], "ol"),
            f"<dl><dt>{dice.words(1)}</dt><dd>{dice.words(9)}</dd></dl>",
            f"<pre>{dice.words(9)}</pre>",
            f"<blockquote><p>{dice.words(20)}</p><cite>{dice.words(2)}</cite></blockquote>",
            "<div class='thumb'><div class='inner'><img src='x.png'><div class='caption'>"
            f"{dice.words(5)}</div></div></div>",
            f"<p>{dice.words(12)}<sup>2</sup> <code>{dice.words(1)}</code></p>",
        )
        return dice.pick(kinds)

    text = _paragraphs(Dice(3, "main"), 1, 2) + _list(
        [_link(f"/wiki/Category:{g}", g) for g in groups]
    )
    yield page("/wiki/Main", "article", "Main", text)
    everything = _list([_link(f"/wiki/{title}", title) for title in titles])
    yield page("/wiki/Special:All", "all", "Special:All", f"<form><input></form>{everything}")
    for n, group in enumerate(groups):
        own = [_link(f"/wiki/{title}", title) for title in titles[n::10]]
        intro = f"<p>{Dice(3, 'intro', n).words(20)}</p>" if n % 2 else ""
        text = (
            f"{intro}<div class='category'><h2>Pages</h2><table><tr><td>{_list(own)}</table></div>"
        )
        yield page(f"/wiki/Category:{group}", "category", f"Category:{group}", text)
    for n, title in enumerate(titles):
        dice = Dice(3, "article", n)
        text = "".join(markup(dice, titles) for _ in range(dice.between(1, 14)))
        group = groups[n % 10]
        history = _link(f"/index.php?title={title}&amp;action=history", "History")
        foot = f"<div class='cats'>{_link(f'/wiki/Category:{group}', group)}</div><p>{history}</p>"
        yield page(f"/wiki/{title}", "article", title, text, foot)
        rows = [
            f"<input type=radio> {dice.roll(2000)} {_link(f'/wiki/User:{who}', who)} "
            f"<span class='comment'>{dice.words(4)}</span>"
            for who in (dice.pick(authors) for _ in range(dice.between(1, 12)))
        ]
        text = f"<form><input type=submit>{_list(rows)}</form>"
        yield page(f"/index.php?title={title}&action=history", "history", title, text)
    for n, author in enumerate(authors):
        dice = Dice(3, "user", n)
        boxes = "".join(f"<div class='userbox'><table><tr><td>{dice.words(3)}</table></div>"
                        for _ in range(dice.between(1, 4)))  # fmt: skip
        text = f"{boxes}<p>{dice.words(15)}</p>"
        yield page(f"/wiki/User:{author}", "user", f"User:{author}", text)


def magazine() -> Iterator[Page]:
    """A magazine: stories, videos, galleries and tickers, all at ``/a/NUMBER``, in the same
    lists. Classes are of style sheets, and advertisements stand where chance puts them."""
    kinds = ["story"] * 5 + ["video"] * 2 + ["gallery"] * 2 + ["ticker"]
    numbers = [10_000 + 37 * n for n in range(240)]
    kind_of = {n: kinds[i * 7 % len(kinds)] for i, n in enumerate(numbers)}

    def card(number: int) -> str:
        title = Dice(5, "title", number).title(4)
        return (
            f'<article class="css-1c"><a href="/a/{number}"><h3 class="css-9k">{title}</h3></a>'
            '<p class="css-2p">A word on it</p></article>'
        )

    def page(path: str, kind: str, main: str) -> Page:
        dice = Dice(5, "page", path)
        advert = '<aside class="css-ad"><div><span>Advertisement</span></div></aside>'
        some = [_link(f"/s/{n}", f"Section {n}", ' class="css-nav"') for n in range(6)]
        more = "".join(card(dice.pick(numbers)) for _ in range(dice.between(2, 5)))
        return (
            path,
            kind,
            '<!doctype html><html><head><title>The paper</title></head><body><div id="app">'
            f'<header class="css-h"><a href="/">The paper</a><nav>{_list(some)}</nav></header>'
            f'{advert if dice.roll(3) == 0 else ""}<main class="css-m">{main}</main>'
            f'{advert if dice.roll(2) == 0 else ""}<section class="css-r"><h2>More</h2>{more}'
            '</section><footer class="css-f"><p>Imprint</p></footer></div></body></html>',
        )

    def head(dice: Dice) -> str:
        return (
            f'<h1 class="css-t">{dice.title(5)}</h1><p class="css-by">By <b>{dice.title(2)}</b></p>'
        )

    def story(dice: Dice) -> str:
        note = f'<blockquote class="css-q"><p>{dice.words(9)}</p></blockquote>'
        text = "".join(f'<p class="css-p">{dice.words(20)}</p>' for _ in range(dice.between(3, 9)))
        return (
            f'<figure><img src="i.png"><figcaption>{dice.words(4)}</figcaption></figure>'
            f'<div class="css-body"><p class="css-lead">{dice.words(12)}</p>{text}'
            f'{note if dice.roll(2) else ""}</div><ul class="css-k"><li>{dice.words(1)}</li></ul>'
        )

    def video(dice: Dice) -> str:
        return (
            '<div class="css-pl"><video><source src="v.mp4"><track src="v.vtt"></video>'
            '<div class="css-ct"><button><svg><path></path></svg></button><progress></progress>'
            f'<time>{dice.between(1, 9)}:00</time></div></div><details class="css-tr"><summary>Text'
            f"</summary><pre>{dice.words(30)}</pre></details>"
        )

    def gallery(dice: Dice) -> str:
        slides = "".join(
            f'<li class="css-s"><picture><source src="w.webp"><img src="{n}.png"></picture>'
            f"<small><i>{dice.words(3)}</i></small></li>"
            for n in range(dice.between(4, 14))
        )
        return (
            f'<ol class="css-g">{slides}</ol><menu class="css-th"><li><img src="t.png"></li></menu>'
        )

    def ticker(dice: Dice) -> str:
        posts = "".join(
            f'<section class="css-e" id="p{n}"><header><time>{n}:00</time><em>{dice.words(2)}</em>'
            f"</header><div><h4>{dice.title(3)}</h4><p>{dice.words(15)}</p></div></section>"
            for n in range(dice.between(3, 15))
        )
        return (
            f'<div class="css-live"><strong>Live</strong><label><input>Tell me</label>'
            f'</div><dl class="css-key"><dt>Now</dt><dd>{dice.words(6)}</dd></dl>{posts}'
        )

    made = {"story": story, "video": video, "gallery": gallery, "ticker": ticker}
    yield page("/", "home", "".join(map(card, numbers[:20])))
    for n in range(6):
        yield page(
            f"/s/{n}", "section", f"<h1>Section {n}</h1>" + "".join(map(card, numbers[n::6]))
        )
    for number in numbers:
        dice = Dice(5, "text", number)
        kind = kind_of[number]
        yield page(f"/a/{number}", kind, head(dice) + made[kind](dice))


def kitchen() -> Iterator[Page]:
    """Recipes, stories, collections and authors, every slug at the root of the site, in the same
    lists; a program has made the classes. All that a story has for itself is a picture and text."""
    slugs = {
        (kind, n): f"/{Dice(6, kind, n).words(3).replace(' ', '-')}-{Dice(6, 'tail', n).words(1)}"
        f"-{Dice(6, kind, 'end', n).words(1)}"
        for kind, count in (("recipe", 150), ("story", 90), ("collection", 20), ("author", 15))
        for n in range(count)
    }
    recipes = [one for one in slugs if one[0] == "recipe"]
    stories = [one for one in slugs if one[0] == "story"]

    def tile(one: tuple[str, int]) -> str:
        stars = '<div class="Rating_root__4d1c2"><svg></svg></div>' if one[1] % 3 else ""
        return (
            f'<article class="Card_root__a1b2c"><a class="Card_link__0f9e8" href="{slugs[one]}">'
            f'<img src="i.jpg"><h3>{Dice(6, "title", *one).title(4)}</h3></a>{stars}</article>'
        )

    def grid(ones: list[tuple[str, int]]) -> str:
        return f'<div class="Grid_root__b2c3d">{"".join(map(tile, ones))}</div>'

    def page(path: str, kind: str, main: str) -> Page:
        dice = Dice(6, "page", path)
        nav = _list([_link(slugs["collection", n], f"Collection {n}") for n in range(8)])
        letter = '<section class="News_root__77aa1"><form><input></form></section>'
        return (
            path,
            kind,
            '<!doctype html><html><head><title>Kitchen</title></head><body><div id="app">'
            f'<header class="Header_root__1a2b3">{_link("/", "Home")}<nav>{nav}</nav></header>'
            f'<main class="Layout_main__3c4d5">{main}</main>{letter if dice.chance(50) else ""}'
            f'<footer class="Footer_root__5e6f7">{_link("/authors", "Authors")}</footer></div>'
            "</body></html>",
        )

    def head(dice: Dice) -> str:
        writer = slugs["author", dice.roll(15)]
        return (
            f'<h1 class="Heading_h1__9a8b7">{dice.title(4)}</h1>'
            f'<p class="Byline_root__8b7c6">By {_link(writer, dice.words(2))}</p>'
        )

    def more(dice: Dice, ones: list[tuple[str, int]]) -> str:
        chosen = [dice.pick(ones) for _ in range(4)]
        return f'<section class="Related_root__6c5d4"><h2>More</h2>{grid(chosen)}</section>'

    yield page("/", "home", "".join(f"<section>{grid(recipes[n : n + 8])}</section>"
                                    for n in range(0, 32, 8)) + grid(stories[:8]))  # fmt: skip
    authors = _list([_link(slugs["author", n], f"Author {n}") for n in range(15)])
    yield page("/authors", "authors", f"<h1>Authors</h1>{authors}")
    for n in range(20):
        own = recipes[n::20] + stories[n::20]
        yield page(slugs["collection", n], "collection", f"<h1>Collection</h1>{grid(own)}")
    for n in range(15):
        dice = Dice(6, "author-page", n)
        face = (
            f'<header class="Author_header__2b3c4"><img src="a.jpg"><p>{dice.words(9)}</p></header>'
        )
        yield page(slugs["author", n], "author", face + grid(recipes[n::15] + stories[n::15]))
    for one in recipes:
        dice = Dice(6, "cook", one[1])
        needed = "".join(
            f'<li class="Ingredients_item__c4d5e"><b>{dice.roll(9)}</b> {dice.words(2)}</li>'
            for _ in range(dice.between(3, 9))
        )
        steps = "".join(
            f'<li class="Method_step__d5e6f"><h4>Step</h4><p>{dice.words(20)}</p></li>'
            for _ in range(dice.between(2, 7))
        )
        film = '<div class="Video_root__e6f7a"><iframe></iframe></div>' if dice.chance(20) else ""
        yield page(
            slugs[one],
            "recipe",
            f'<article class="Recipe_root__f7a8b">{head(dice)}<img class="Recipe_image__a8b9c">'
            f'<ul class="Meta_root__b9c0d"><li>10 min</li></ul>{film}'
            '<section class="Ingredients_root__c0d1e"><h2>Ingredients</h2>'
            f'<ul class="Ingredients_list__d1e2f">{needed}</ul></section>'
            f'<section class="Method_root__e2f3a"><h2>Method</h2><ol>{steps}</ol></section>'
            f"</article>{more(dice, recipes)}",
        )
    for one in stories:
        dice = Dice(6, "tell", one[1])
        blocks = (
            f"<p>{dice.words(30)}</p>",
            f"<h2>{dice.title(3)}</h2>",
            '<figure class="Figure_root__f3a4b"><img>'
            f"<figcaption>{dice.words(3)}</figcaption></figure>",
            f'<blockquote class="Quote_root__a4b5c">{dice.words(9)}</blockquote>',
            f'<div class="Embed_root__b5c6d">{tile(dice.pick(recipes))}</div>',
            _list([dice.words(3), dice.words(4)], "ol"),
        )
        text = "".join(dice.pick(blocks) for _ in range(dice.between(4, 14)))
        yield page(
            slugs[one],
            "story",
            f'<article class="Article_root__c6d7e">{head(dice)}<img class="Article_lead__d7e8f">'
            f'<div class="Article_body__e8f9a">{text}</div></article>{more(dice, stories)}',
        )


def slashed(pages: Iterator[Page]) -> Iterator[Page]:
    """The same site, whose pages end in a slash that its links lack: each link is a redirect."""
    for path, kind, html in pages:
        yield path if "?" in path or path.endswith("/") else f"{path}/", kind, html


def sample(sizes: Sizes, seed: int) -> Iterator[Page]:
    site = SampleSite(sizes, seed)
    for path, template in site.truth().items():
        yield path, template, site.html(path) or ""


SITES: Mapping[str, Callable[[], Iterator[Page]]] = {
    "manual": lambda: manual(alike=False),
    "manual-alike": lambda: manual(alike=True),
    "board": board,
    "wiki": wiki,
    "magazine": magazine,
    "kitchen": kitchen,
    "wiki-slashed": lambda: slashed(wiki()),
    "sample": lambda: sample(Sizes(), 2013),
    "sample-blog": lambda: sample(
        Sizes(categories=2, products=15, posts=150, threads=8, boards=2, users=6, tags=25, menu=10),
        7,
    ),
    "sample-forum": lambda: sample(
        Sizes(categories=3, products=30, posts=12, threads=120, boards=9, users=90, tags=4), 99
    ),
}


def pack(pages: Iterator[Page], folder: Path) -> Corpus:
    """Pages as a packed site, the first of them its start. What lacks a slash leads to what has
    one."""
    answers: dict[str, dict[str, str]] = {}
    rows = []
    (folder / "f").mkdir(parents=True)
    for number, (path, template, html) in enumerate(pages):
        assert path not in answers
        answers[path] = {"file": f"f/{number}.html"}
        (folder / "f" / f"{number}.html").write_text(html, encoding="utf-8")
        rows.append(f"{path}\t{template}\n")
    for path in [path for path in answers if path.endswith("/") and path != "/"]:
        answers.setdefault(path[:-1], {"location": path})
    (folder / "site.json").write_text(json.dumps({"start": next(iter(answers))}))
    (folder / "map.json").write_text(json.dumps(answers))
    (folder / "truth.tsv").write_text("".join(rows), encoding="utf-8")
    return Corpus.open(folder)


@pytest.fixture(params=SITES)
def made_site(request: pytest.FixtureRequest, tmp_path: Path) -> Corpus:
    """One of the sites that are made here, packed in a folder of its name."""
    name: str = request.param
    return pack(SITES[name](), tmp_path / name)


@pytest.fixture(scope="session")
def made_sites() -> list[str]:
    """The names of all sites that are made here."""
    return list(SITES)
