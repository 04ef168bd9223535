// A bibliography in Mithril: filters on the left, and what they find beside them.
"use strict";

const PANELS = { author: "Authors", year: "Years", type: "Types" }; // as they stand from top to bottom

const panels = {}; // panel -> its values, once they are known
let filter = null; // {panel, value}
let list = null; // the page of publications shown now
let unfolded = null; // {number, details}: one at a time

async function loadPanel(panel) {
  panels[panel] ??= await m.request(`/panels/${panel}`);
}

async function show(chosen, page) {
  const asked = m.request("/publications", { params: { ...chosen, page } });
  // The page begins without authors: with 43 of them, they are fetched when they are first needed
  const [found] = await Promise.all([asked, loadPanel("author")]);
  filter = chosen;
  list = found;
  unfolded = null;
  m.redraw();
}

async function unfoldOrFold({ number }) {
  if (unfolded?.number === number) {
    unfolded = null;
  } else {
    unfolded = { number, details: await m.request(`/publications/${number}`) };
    m.redraw();
  }
}

const Panel = {
  view: ({ attrs: { panel } }) =>
    m("section", { id: panel }, [
      m("h2", PANELS[panel]),
      m("ul", panels[panel].map(({ value, count }) =>
        m("li", [
          m("button", { onclick: () => show({ panel, value }, 1) }, value),
          m("small", count),
        ]))),
    ]),
};

const Details = {
  view: ({ attrs: { details } }) =>
    m("dl", [
      m("dt", "key"), m("dd", details.key),
      m("dt", "pages"), m("dd", details.pages),
      m("dt", "abstract"), m("dd", details.abstract),
    ]),
};

const Publication = {
  view: ({ attrs: { publication } }) =>
    m("li", [
      m("strong", publication.title),
      m("p", `${publication.authors.join(", ") || "various authors"}; ${publication.type}, ${publication.year}`),
      // Says the same when unfolded: it is one control, not two
      m("button", { onclick: () => unfoldOrFold(publication) }, "details"),
      unfolded?.number === publication.number && m(Details, { details: unfolded.details }),
    ]),
};

const List = {
  view: () =>
    m("main", [
      m("h2", `${filter.panel}: ${filter.value}`),
      m("p", `${list.count} publications, page ${list.page} of ${list.pages}`),
      m("ol", { id: "found", start: list.skipped + 1 },
        list.publications.map((publication) => m(Publication, { key: publication.number, publication }))),
      m("nav", list.turns.map(({ to, page }) => m("button", { onclick: () => show(filter, page) }, to))),
    ]),
};

const Bebop = {
  oninit: () => Promise.all([loadPanel("year"), loadPanel("type")]).then(m.redraw),
  view: () => [
    m("header", m("h1", "Bebop"), m("p", "a bibliography")),
    m("aside", Object.keys(PANELS).filter((panel) => panels[panel]).map((panel) => m(Panel, { key: panel, panel }))),
    list ? m(List) : m("main", m("p", "Choose a year or a type.")),
  ],
};

m.mount(document.body, Bebop);
