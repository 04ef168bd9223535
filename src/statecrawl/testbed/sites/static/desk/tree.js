// A tree of folders. What is in a folder is loaded whenever it opens, and forgotten when it closes.
import { element } from "/elements.js";

export async function showTree(tree) {
  tree.replaceChildren(...(await branches("root")));
}

async function branches(folder) {
  const answer = await fetch(`/folders/${folder}`);
  return (await answer.json()).map(({ name, folder: inner }) => (inner ? branch(name, inner) : leaf(name)));
}

function leaf(name) {
  return element("li", { role: "treeitem" }, name);
}

function branch(name, folder) {
  const label = element("span", {}, name);
  const item = element("li", { role: "treeitem", id: `folder-${folder}`, "aria-expanded": "false" }, label);
  const close = () => {
    item.setAttribute("aria-expanded", "false");
    item.replaceChildren(label);
  };
  const open = async () => {
    item.setAttribute("aria-expanded", "true");
    const group = element("ul", { role: "group", "aria-busy": "true" }, element("li", {}, "Loading…"));
    item.append(group);
    group.replaceChildren(...(await branches(folder)));
    group.removeAttribute("aria-busy");
  };
  item.addEventListener("click", (event) => {
    if (event.target.closest("[role=treeitem]") !== item) return; // something in this folder
    if (item.getAttribute("aria-expanded") === "true") close();
    else open();
  });
  return item;
}
