// A menu bar whose menus exist only while they are open. An item says in the header what it did.
import { button, element, report } from "/elements.js";

const MENUS = {
  File: { New: "A new file was made.", Print: "The file was printed." },
  View: { Compact: "The view is compact.", Wide: "The view is wide." },
  Help: { About: "This is a desk." },
};

export function showMenu(bar) {
  let open = "";
  const show = (name) => {
    open = name;
    bar.replaceChildren(...Object.keys(MENUS).map(entry));
  };
  const entry = (name) => {
    const toggle = button(name, () => show(open === name ? "" : name), { role: "menuitem", "aria-haspopup": "menu", "aria-expanded": open === name });
    const made = element("li", { role: "none" }, toggle);
    if (open === name) made.append(element("ul", { role: "menu", "aria-label": name }, ...Object.entries(MENUS[name]).map(item)));
    return made;
  };
  const item = ([name, done]) => {
    const act = () => {
      report(done);
      show("");
    };
    return element("li", { role: "none" }, button(name, act, { role: "menuitem" }));
  };
  show("");
}
