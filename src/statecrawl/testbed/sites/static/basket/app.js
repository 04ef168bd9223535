// A basket of rows. The counter in the header and the total follow from the rows; nothing is stored elsewhere.
"use strict";

const PRODUCTS = ["tea", "jam", "rice"];
const PRICE = 2;

const byId = (id) => document.getElementById(id);
const rows = byId("rows");
let edited = null; // the row that is being edited, if any

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function button(text, act) {
  const made = element("button", { type: "button" }, text);
  made.addEventListener("click", act);
  return made;
}

function count() {
  const size = rows.children.length;
  byId("counter").textContent = size === 0 ? "Your basket is empty" : size === 1 ? "1 article" : `${size} articles`;
  byId("total").textContent = `Total: ${(size * PRICE).toFixed(2)}`;
}

function add(name) {
  const row = element("li", { class: "row" });
  rows.append(row);
  show(row, name);
  count();
}

function show(row, name) {
  if (edited?.row === row) edited = null;
  const remove = () => {
    row.remove();
    count();
  };
  row.replaceChildren(element("span", { class: "name" }, name), button("Edit", () => edit(row, name)), button("Remove", remove));
}

// One row at a time: whoever edits another one leaves this one as it was.
function edit(row, name) {
  if (edited) show(edited.row, edited.name);
  edited = { row, name };
  const field = element("input", { autocomplete: "off", required: "" });
  const form = element("form", { class: "editor" }, element("label", {}, `Replace ${name} by `, field));
  form.append(element("button", {}, "Save"), button("Cancel", () => show(row, name)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show(row, field.value.trim() || name);
  });
  row.replaceChildren(form);
}

byId("other").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = byId("article").value.trim();
  event.target.reset();
  if (name) add(name);
});
document.querySelector(".products").append(...PRODUCTS.map((name) => button(`Add ${name}`, () => add(name))));
count();
