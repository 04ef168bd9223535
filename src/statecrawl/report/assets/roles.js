"use strict";
// Hides the rows that nobody looks for. The page is complete without it.
(() => {
  const tools = document.getElementById("tools");
  const words = document.getElementById("words");
  const differ = document.getElementById("differ");
  const told = document.getElementById("told");
  const groups = [...document.querySelectorAll("tbody")];
  const rows = groups.flatMap((group) => [...group.querySelectorAll("tr:not(.group)")].map((row) => ({ row, group, said: row.textContent.toLowerCase() })));

  const look = () => {
    const wanted = words.value.trim().toLowerCase();
    let shown = 0;
    const full = new Set();
    for (const { row, group, said } of rows) {
      const keep = said.includes(wanted) && !(differ.checked && group.dataset.kind === "same");
      row.hidden = !keep;
      if (keep) {
        shown += 1;
        full.add(group);
      }
    }
    for (const group of groups) group.hidden = !full.has(group);
    told.textContent = shown === rows.length ? "" : `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")}`;
  };
  words.addEventListener("input", look);
  differ.addEventListener("change", look);
  tools.hidden = false;
  look();
})();
