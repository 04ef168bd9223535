// The stage of a page: its first state stands in a <template>, and what is found takes the whole place.

const main = document.querySelector("main");
const template = document.querySelector("template");
let arrange = () => {};
let atHome = false;

export function begin(arrangement) {
  arrange = arrangement;
  showHome();
}

export function showHome() {
  main.replaceChildren(template.content.cloneNode(true));
  atHome = true;
  arrange(main);
}

// Only the first discovery counts, and only at home: whatever else the same gesture touches finds nothing.
export async function discover(kind) {
  if (!atHome) return;
  atHome = false;
  const answer = await fetch(`/found/${kind}`);
  show(await answer.text());
}

export function show(text) {
  atHome = false;
  const line = document.createElement("p");
  line.textContent = text;
  const home = document.createElement("button");
  home.type = "button";
  home.textContent = "Home";
  home.addEventListener("click", showHome);
  main.replaceChildren(line, home);
}
