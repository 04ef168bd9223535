// A table that is sorted by a click on a header, and shown page by page. Sorting goes back to the first page.
import { button, element } from "/elements.js";

const FILES = [
  ["atlas", 12], ["bills", 3], ["candles", 9], ["deeds", 7], ["essay", 1], ["forms", 11],
  ["garden", 5], ["hymns", 2], ["index", 10], ["jokes", 6], ["keys", 8], ["lists", 4],
];
const COLUMNS = ["Name", "Pages"];
const ROWS = 4; // per page

export function showTable(section) {
  const shown = { column: 0, descends: false, page: 0 };
  const pages = Math.ceil(FILES.length / ROWS);
  const sort = (column) => {
    shown.descends = shown.column === column && !shown.descends;
    shown.column = column;
    turn(0);
  };
  const turn = (page) => {
    shown.page = page;
    section.replaceChildren(table(), bar());
  };
  const header = (name, column) => {
    const order = column !== shown.column ? "none" : shown.descends ? "descending" : "ascending";
    return element("th", { scope: "col", "aria-sort": order }, button(name, () => sort(column)));
  };
  const table = () => {
    const sign = shown.descends ? -1 : 1;
    const ordered = FILES.toSorted((one, other) => (one[shown.column] > other[shown.column] ? sign : -sign));
    const rows = ordered.slice(shown.page * ROWS, (shown.page + 1) * ROWS);
    const body = rows.map((row) => element("tr", {}, ...row.map((value) => element("td", {}, String(value)))));
    return element("table", {}, element("thead", {}, element("tr", {}, ...COLUMNS.map(header))), element("tbody", {}, ...body));
  };
  const bar = () => {
    const previous = button("Previous", () => turn(shown.page - 1));
    const next = button("Next", () => turn(shown.page + 1));
    previous.disabled = shown.page === 0;
    next.disabled = shown.page === pages - 1;
    return element("div", { class: "pages" }, previous, element("span", {}, `Page ${shown.page + 1} of ${pages}`), next);
  };
  turn(0);
}
