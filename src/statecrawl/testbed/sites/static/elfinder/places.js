// The folders to jump to. A document of its own; the file manager around it says what to show.
"use strict";

// `jumps`: [{path, name}]; `beside`: whether the preview pane is there; `open`: what to do with the path of a folder.
function showPlaces(jumps, beside, open) {
  const list = document.createElement("ul");
  list.id = beside ? "folders-beside-pane" : "folders";
  list.append(...jumps.map(({ path, name }) => place(name, beside ? "folder" : "open", () => open(path))));
  document.body.replaceChildren(list);
}

function place(name, label, chosen) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  const where = document.createElement("span");
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", chosen);
  where.textContent = name;
  item.append(button, where);
  return item;
}
