// The file manager: one folder is open, and once the preview pane is there, one folder or file is previewed in it.
"use strict";

const SLIDE_MS = 180; // a new folder slides in: what was asked for is shown this much later than it arrives
const MARK_MS = 400; // what a click only marks, it marks for this long

const part = (id) => document.getElementById(id);

let folder = null; // as the server describes it
let files = []; // of the open folder, sorted
let pane = false;

async function ask(address, path) {
  const answer = await fetch(`/${address}?path=${encodeURIComponent(path)}`);
  return answer.json();
}

const slide = () => new Promise((done) => setTimeout(done, SLIDE_MS));

async function openFolder(path) {
  const asked = [ask("folder", path), pane ? ask("preview", path) : null];
  const [there, previewed] = await Promise.all(asked);
  await slide();
  folder = there;
  files = there.files;
  showFolder();
  if (previewed) {
    showPreview(previewed);
  }
}

async function preview(path) {
  const found = await ask("preview", path);
  await slide();
  showPreview(found);
}

// The pane comes with the first preview and never goes: the controls that bring it up have done their work.
function showPreview({ title, lines }) {
  if (!pane) {
    pane = true;
    part("preview-controls").hidden = true;
    part("pane").hidden = false;
    showPlaces();
  }
  part("pane").replaceChildren(made("h2", title), ...lines.map((line) => made("p", line)));
}

function showFolder() {
  part("path").textContent = folder.path;
  part("preview-controls").hidden = pane; // there is something to preview now
  showFiles();
  showPlaces();
  const numbers = Array.from({ length: folder.thumbnails }, (_, place) => place + 1);
  part("thumbnails").replaceChildren(...numbers.map((number) => made("li", `photo ${number}`, "thumbnail")));
}

function showFiles() {
  part("files").replaceChildren(...files.map(({ path, name, size }) => {
    const item = made("li", "", "file");
    item.id = path;
    item.append(made("span", name), made("small", `${size} kB`));
    return item;
  }));
}

function showPlaces() {
  part("places").contentWindow.showPlaces(folder.jumps, pane, openFolder);
}

function made(tag, text, kind) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (kind) {
    element.className = kind;
  }
  return element;
}

function mark(element) {
  element.classList.add("marked");
  setTimeout(() => element.classList.remove("marked"), MARK_MS);
}

function sort(order) {
  files = [...files].sort(order);
  showFiles();
}

// One listener for all that a folder can hold: there may be a thousand
document.addEventListener("click", ({ target }) => {
  const file = target.closest("li.file");
  const thumbnail = target.closest("li.thumbnail");
  if (file && pane) {
    preview(file.id);
  } else if (file || thumbnail) {
    mark(file || thumbnail);
  }
});

for (const control of part("preview-controls").querySelectorAll("button")) {
  control.addEventListener("click", () => preview(folder.path));
}
part("by-name").addEventListener("click", () => sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true })));
part("by-size").addEventListener("click", () => sort((a, b) => a.size - b.size));
part("as-icons").addEventListener("click", () => { part("icons").sheet.disabled = false; });
part("as-list").addEventListener("click", () => { part("icons").sheet.disabled = true; });

window.addEventListener("load", () => openFolder("home")); // by then the frame with the folders is there too
