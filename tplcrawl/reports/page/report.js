"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  const say = (text) => {
    const said = find("said");
    said.textContent = text;
    clearTimeout(say.timer);
    say.timer = setTimeout(() => { said.textContent = ""; }, 2500);
  };

  // Colours

  const kept = { // A browser may forbid pages from disk to keep anything.
    get: () => { try { return localStorage.getItem("tplcrawl-theme") || ""; } catch { return ""; } },
    set: (value) => { try { localStorage.setItem("tplcrawl-theme", value); } catch { /* not kept */ } },
  };
  const themes = ["", "light", "dark"];
  const theme = (name) => {
    document.documentElement.className = name;
    find("theme").setAttribute("aria-label", `Colours: ${name || "as the system"}`);
    find("theme").title = `Colours: ${name || "as the system"}`;
  };
  find("theme").addEventListener("click", () => {
    const now = themes[(themes.indexOf(document.documentElement.className) + 1) % themes.length];
    theme(now);
    kept.set(now);
  });
  theme(themes.includes(kept.get()) ? kept.get() : "");

  // What is copied

  const copied = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say("copied");
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copied(button.dataset.copy);
  });

  // Tables that sort by the column whose head is pressed

  const value = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const number = Number(text.replace(/[,%]/g, ""));
    return text === "" ? -1 : Number.isNaN(number) ? text.toLowerCase() : number;
  };
  const order = (a, b) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1);
  const sortable = (table) => {
    const heads = all("thead th", table);
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.classList.contains("number") ? head.ariaSort !== "descending" : head.ariaSort === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...table.tBodies[0].rows].map((row) => [value(row, column), row]);
        rows.sort((a, b) => (down ? order(b[0], a[0]) : order(a[0], b[0])));
        table.tBodies[0].append(...rows.map((row) => row[1]));
      });
    });
  };

  // Cards: search, order, doubts

  const cards = (signal) => {
    const form = find("find");
    if (!form) return;
    const list = all("#cards .card").map((card) => ({ card, text: card.textContent.toLowerCase() }));
    form.hidden = false;
    const up = { name: true, cohesion: true, confidence: true };
    const show = () => {
      const words = find("find-text").value.toLowerCase().split(/\s+/);
      const doubt = find("find-doubt").checked;
      const by = find("find-order").value;
      const key = ({ card }) => (by === "name" ? card.dataset.name.toLowerCase() : Number(card.dataset[by]));
      const shown = list.filter((one) => {
        const fits = words.every((word) => one.text.includes(word)) && (!doubt || "doubt" in one.card.dataset);
        one.card.hidden = !fits;
        return fits;
      });
      const sorted = [...list].sort((a, b) => (up[by] ? order(key(a), key(b)) : order(key(b), key(a))));
      find("cards").append(...sorted.map((one) => one.card));
      find("find-none").hidden = shown.length > 0;
      find("find-count").textContent = shown.length < list.length ? `${shown.length} of ${count(list.length, "template")}` : "";
    };
    form.addEventListener("input", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    const target = () => {
      const card = location.hash.length > 1 && find(decodeURIComponent(location.hash.slice(1)));
      if (card && card.hidden) {
        form.reset();
        show();
        card.scrollIntoView();
      }
    };
    addEventListener("hashchange", target, { signal });
  };

  // The table of URLs

  const unpacked = async (id) => {
    const bytes = Uint8Array.from(atob(find(id).textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const text = await new Response(stream).text();
    return text === "" ? [] : text.split("\n");
  };
  const PAGE = 50;
  const urls = (signal) => {
    const data = find("url-data");
    if (!data) return;
    const types = all("#pick-template option").map((option) => option.textContent);
    const states = all("#pick-state option").map((option) => option.textContent);
    const heads = all("#rows th").map((head) => head.textContent);
    let rows = null;
    let prefix = "";
    let shown = [];
    let at = 0;
    let by = 0;
    let down = false;
    const load = async () => {
      if (rows) return;
      const [start, ...lines] = await unpacked("url-data");
      prefix = start;
      rows = lines.map((line) => {
        const [url, ...numbers] = line.split("\t");
        return [url, ...numbers.map(Number)];
      });
    };
    const link = (url) => {
      const anchor = document.createElement("a");
      anchor.textContent = url.length > 120 ? `${url.slice(0, 119)}…` : url;
      if (/^https?:/i.test(url)) anchor.href = url;
      anchor.rel = "noreferrer noopener";
      anchor.target = "_blank";
      anchor.className = "url";
      anchor.dir = "ltr";
      anchor.translate = false;
      return anchor;
    };
    const draw = () => {
      const body = shown.slice(at, at + PAGE).map(([url, type, state, depth, sure]) => {
        const row = document.createElement("tr");
        const cells = [link(prefix + url), type < 0 ? "–" : types[type + 1], states[state + 1], depth, state < 2 ? (sure / 100).toFixed(2) : ""];
        cells.forEach((cell, column) => {
          const td = row.insertCell();
          td.append(cell);
          td.className = column === 0 ? "wide" : column > 2 ? "number" : "";
          if (column && cell !== "") td.dataset.label = heads[column];
        });
        return row;
      });
      find("rows").tBodies[0].replaceChildren(...body);
      find("rows").hidden = false;
      const last = Math.min(at + PAGE, shown.length);
      find("pager-at").textContent = shown.length ? `${(at + 1).toLocaleString("en")}–${last.toLocaleString("en")}` : "";
      find("pager").hidden = shown.length <= PAGE;
      find("pager").querySelector("[data-go='-1']").disabled = at === 0;
      find("pager").querySelector("[data-go='1']").disabled = last >= shown.length;
      const rest = Number(data.dataset.rows) > rows.length ? `; this table has a fair part of all ${count(Number(data.dataset.rows), "URL")}, tables/urls.csv the rest` : "";
      find("pick-count").textContent = count(shown.length, "URL") + rest;
    };
    const show = async () => {
      await load();
      const words = find("pick-text").value.split(/\s+/).filter(Boolean).map((word) => word.toLowerCase());
      const type = find("pick-template").value;
      const state = find("pick-state").value;
      shown = rows.filter((row) => (type === "" || row[1] === Number(type)) && (state === "" || row[2] === Number(state))
        && words.every((word) => (prefix + row[0]).toLowerCase().includes(word)));
      if (by || down) shown.sort((a, b) => (down ? order(b[by], a[by]) : order(a[by], b[by])));
      at = 0;
      draw();
    };
    find("pick").hidden = false;
    find("pick").addEventListener("input", show);
    find("pick").addEventListener("submit", (event) => event.preventDefault());
    find("pager").addEventListener("click", (event) => {
      at += PAGE * Number(event.target.dataset.go || 0);
      draw();
    });
    find("rows").tHead.addEventListener("click", (event) => {
      const column = event.target.dataset.by;
      if (column === undefined) return;
      down = by === Number(column) && !down;
      by = Number(column);
      all("th", find("rows").tHead).forEach((head) => head.removeAttribute("aria-sort"));
      event.target.parentNode.setAttribute("aria-sort", down ? "descending" : "ascending");
      show();
    });
    document.addEventListener("click", (event) => {
      const ask = event.target.closest("[data-show]");
      if (!ask) return;
      find("pick").reset();
      find("pick-template").value = ask.dataset.show;
      show();
    }, { signal });
    // A large table is unpacked when somebody comes near it.
    new IntersectionObserver((entries, watch) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        watch.disconnect();
        if (!rows) show();
      }
    }, { rootMargin: "600px" }).observe(find("urls"));
  };

  // The map

  const map = () => {
    const picture = find("dots");
    if (!picture) return;
    const told = find("dot-told");
    const ring = find("dot");
    const paths = all("path", picture);
    const points = paths.flatMap((path) => [...path.getAttribute("d").matchAll(/M([\d.]+) ([\d.]+)h0/g)]
      .map((dot) => ({ x: Number(dot[1]), y: Number(dot[2]), type: path.dataset.template })));
    const names = Object.fromEntries(all("#key button").map((button) => [button.dataset.template, button.textContent.trim()]));
    const titles = all("#pick-template option").map((option) => option.textContent);
    let pages = null;
    let picked = "";
    picture.addEventListener("pointermove", async (event) => {
      const box = picture.getBoundingClientRect();
      const x = (event.clientX - box.left) * 720 / box.width;
      const y = (event.clientY - box.top) * 440 / box.height;
      let near = -1;
      let best = 144;
      points.forEach((point, number) => {
        const far = (point.x - x) ** 2 + (point.y - y) ** 2;
        if (far < best && (!picked || picked === point.type)) { best = far; near = number; }
      });
      ring.toggleAttribute("hidden", near < 0);
      if (near < 0) return;
      ring.setAttribute("cx", points[near].x);
      ring.setAttribute("cy", points[near].y);
      pages ||= unpacked("dot-urls");
      const url = (await pages)[near];
      const { type } = points[near];
      told.textContent = `${names[type] || titles[Number(type) + 1] || ""}: ${url}`;
      ring.dataset.template = type;
    });
    picture.addEventListener("click", () => {
      if (!ring.hasAttribute("hidden") && Number(ring.dataset.template) >= 0) {
        const card = all("#cards .card").find((one) => one.classList.contains(`c${ring.dataset.template}`));
        if (card) location.hash = card.id;
      }
    });
    find("key").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      picked = picked === button.dataset.template ? "" : button.dataset.template;
      all("#key button").forEach((one) => one.setAttribute("aria-pressed", String(one.dataset.template === picked)));
      picture.classList.toggle("picked", picked !== "");
      paths.forEach((path) => path.classList.toggle("on", path.dataset.template === picked));
    });
  };

  // The graph

  const plan = () => {
    const picture = find("plan");
    if (!picture) return;
    const ways = all(".way", picture);
    const pick = (node) => {
      picture.classList.toggle("picked", node !== null);
      ways.forEach((way) => way.classList.toggle("on", node !== null && (way.dataset.from === node || way.dataset.to === node)));
    };
    all(".node", picture).forEach((node) => {
      for (const name of ["pointerenter", "focus"]) node.addEventListener(name, () => pick(node.dataset.node));
      for (const name of ["pointerleave", "blur"]) node.addEventListener(name, () => pick(null));
    });
  };

  // While the crawl runs

  const figure = (number, form) => {
    if (number === null) return "–";
    if (typeof number === "string") return number;
    return form === "%" ? `${(100 * number).toFixed(1)}%` : form === "." ? number.toFixed(2) : number.toLocaleString("en");
  };
  const resolve = (numbers, where) => where.split("/").slice(1)
    .reduce((at, step) => at?.[step.replaceAll("~1", "/").replaceAll("~0", "~")], numbers);
  const live = () => {
    const plot = (numbers) => `${numbers.templates.map((one) => one.id)} ${numbers.findings.length} ${numbers.left_out.length}`;
    let drawn = null;
    let missed = 0;
    const move = async (numbers) => {
      drawn ||= { plot: plot(numbers), pages: numbers.funnel.pages };
      const typing = document.activeElement?.closest("form");
      if (!typing && (drawn.plot !== plot(numbers) || numbers.funnel.pages > 1.2 * drawn.pages)) {
        const next = new DOMParser().parseFromString(await (await fetch("./", { cache: "no-store" })).text(), "text/html");
        find("main").replaceWith(next.getElementById("main"));
        drawn = { plot: plot(numbers), pages: numbers.funnel.pages };
        begin();
      } else if (drawn.plot === plot(numbers)) {
        all("[data-k]").forEach((one) => {
          const number = resolve(numbers, one.dataset.k);
          if (number !== undefined) one.textContent = figure(number, one.dataset.f);
        });
      }
    };
    const ended = () => {
      const note = document.createElement("p");
      note.className = "alarm";
      note.role = "status";
      note.textContent = "The crawl has ended, and these were its figures shortly before: report.html in its directory has the final ones.";
      find("main").prepend(note);
      find("running")?.replaceChildren("the crawl has ended");
    };
    const look = async () => {
      try {
        const answer = await fetch("coverage.json", { cache: "no-store" });
        if (answer.ok) await move(await answer.json());
        missed = 0;
      } catch {
        missed += 1;
      }
      if (missed < 3) setTimeout(look, 2000);
      else ended();
    };
    setTimeout(look, 2000);
  };

  let before = null;
  const begin = () => {
    before?.abort();
    before = new AbortController();
    all("[data-copy]").forEach((button) => { button.hidden = false; });
    all("table.sortable").forEach(sortable);
    cards(before.signal);
    urls(before.signal);
    map();
    plan();
  };
  begin();
  if ("live" in document.body.dataset) live();
})();
