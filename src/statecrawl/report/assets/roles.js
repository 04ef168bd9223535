"use strict";
// Filters the rows. The page is complete without this script.
(() => {
  const tools = document.getElementById("tools");
  const words = document.getElementById("words");
  const differ = document.getElementById("differ");
  const summary = document.getElementById("shown");
  const groups = [...document.querySelectorAll("tbody")];
  const rows = groups.flatMap((group) => [...group.querySelectorAll("tr:not(.group)")].map((row) => ({ row, group, text: row.textContent.toLowerCase() })));

  const update = () => {
    const wanted = words.value.trim().toLowerCase();
    let shown = 0;
    const full = new Set();
    for (const { row, group, text } of rows) {
      const keep = text.includes(wanted) && !(differ.checked && group.dataset.kind === "same");
      row.hidden = !keep;
      if (keep) {
        shown += 1;
        full.add(group);
      }
    }
    for (const group of groups) group.hidden = !full.has(group);
    summary.textContent = shown === rows.length ? "" : `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")}`;
  };
  words.addEventListener("input", update);
  differ.addEventListener("change", update);
  tools.hidden = false;
  update();
})();
