// One listener on the document turns the pages: what was clicked is told by the nearest element that leads somewhere.
"use strict";

let shown = 1;
let request = new AbortController();

document.addEventListener("click", (event) => {
  const way = event.target.closest("[data-to]");
  if (way) turn({ next: shown + 1, prev: shown - 1, first: 1 }[way.dataset.to]);
});

async function turn(page) {
  request.abort(); // whoever turns on does not want the page before it any more
  request = new AbortController();
  try {
    const answer = await fetch(`/rows/${page}`, { signal: request.signal });
    if (answer.ok) paint(await answer.json());
  } catch (trouble) {
    if (trouble.name !== "AbortError") throw trouble;
  }
}

function paint({ page, pages, rows }) {
  shown = page;
  document.getElementById("where").textContent = `Page ${page} of ${pages}`;
  document.getElementById("rows").replaceChildren(...rows.map((row) => element("li", row)));
  const ways = [page < pages && "next", page > 1 && "prev", "first"].filter(Boolean);
  document.getElementById("turn").replaceChildren(...ways.map(leading));
}

function leading(to) {
  const way = element("span", to);
  way.dataset.to = to;
  return way;
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

turn(1);
