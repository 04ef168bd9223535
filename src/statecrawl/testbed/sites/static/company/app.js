// The frame of the site: what is open lies on a stack, the menu begins a new one, closing takes the topmost off.
//
// A view is { name, over?, load() }, and load() answers what the view shows: { parts, doors?, tools? }.
//   parts   elements, in order
//   doors   [words, view, role?]: buttons that open another view on top of this one
//   tools   [words, action]: further buttons beside "close"; an action is told the site
//   over    whether the view is shown together with what is below it, as tabs and pop-ups are

import { button, element } from "./elements.js";
import { about } from "./about.js";
import { contact, home } from "./pages.js";
import { products } from "./products.js";
import { services } from "./services.js";

const PAGES = { home, products, services, about, contact };

class SiteFrame {
  #open = []; // of { view, loaded }
  #painting = 0;

  begin(page) {
    this.#stack([PAGES[page]()], 0);
  }

  open(view) {
    this.#stack([view], this.#open.length);
  }

  replace(view) {
    this.#stack([view], this.#open.length - 1);
  }

  close() {
    this.#stack([], this.#open.length - 1);
  }

  #stack(views, kept) {
    this.#open = [...this.#open.slice(0, kept), ...views.map((view) => ({ view, loaded: view.load() }))];
    this.#paint();
  }

  async #paint() {
    const painting = ++this.#painting;
    const bottom = this.#open.findLastIndex(({ view }) => !view.over);
    const shown = this.#open.slice(bottom);
    const loaded = await Promise.all(shown.map((one) => one.loaded));
    if (painting !== this.#painting) return; // something else was opened in the meantime
    const content = shown.map(({ view }, index) => this.#section(view, loaded[index], index === shown.length - 1));
    document.getElementById("where").textContent = this.#open.map(({ view }) => view.name).join(" › ");
    document.getElementById("content").replaceChildren(...content);
    document.getElementById("actions").replaceChildren(...this.#tools(loaded.at(-1)));
  }

  #section(view, { parts, doors = [] }, isTopmost) {
    const ways = doors.map(([words, next, role]) => button(words, () => this.open(next()), { role, disabled: !isTopmost }));
    const made = element("section", ...parts, element("p", ...ways));
    made.className = view.over ?? "page";
    return made;
  }

  #tools({ tools = [] }) {
    if (this.#open.length === 1) return [];
    const usual = [
      ["Close", (site) => site.close()],
      ["Contact us", (site) => site.begin("contact")],
    ];
    return [...usual, ...tools].map(([words, action]) => button(words, () => action(this)));
  }
}

const site = new SiteFrame();
for (const link of document.querySelectorAll("#menu a")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    site.begin(link.hash.slice(1));
  });
}
site.begin("home");
