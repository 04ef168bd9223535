// Months without end. Dates are counted in UTC, from a fixed month, so that the page is the same wherever and whenever it is
// opened. Six weeks are shown of every month; the days of its neighbours are buttons, too.

const FIRST = { year: 2030, month: 0 };
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const WEEKS = 6;
const DAY = 86400000; // milliseconds
const TABS = { Plan: plan, Guests: guests, Reminder: reminder };

const byId = (id) => document.getElementById(id);
const dialog = byId("day");
let shift = 0; // months since the first one
let day = null; // the date that is open

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function showMonth() {
  const first = new Date(Date.UTC(FIRST.year, FIRST.month + shift, 1));
  const monday = first.getTime() - ((first.getUTCDay() + 6) % 7) * DAY;
  byId("month").textContent = `${MONTHS[first.getUTCMonth()]} ${first.getUTCFullYear()}`;
  const week = (row) => element("tr", {}, ...Array.from({ length: 7 }, (_, column) => cell(new Date(monday + (7 * row + column) * DAY), first)));
  byId("days").tBodies[0].replaceChildren(...Array.from({ length: WEEKS }, (_, row) => week(row)));
}

function cell(date, first) {
  const button = element("button", { type: "button" }, String(date.getUTCDate()));
  if (date.getUTCMonth() !== first.getUTCMonth()) button.className = "outside";
  button.addEventListener("click", () => open(date));
  return element("td", {}, button);
}

function open(date) {
  day = date;
  byId("date").textContent = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  select("Plan");
  dialog.showModal();
}

function select(chosen) {
  const tab = (name) => {
    const made = element("button", { type: "button", role: "tab", "aria-selected": name === chosen }, name);
    made.addEventListener("click", () => select(name));
    return made;
  };
  dialog.querySelector("[role=tablist]").replaceChildren(...Object.keys(TABS).map(tab));
  byId("panel").replaceChildren(...TABS[chosen]());
}

function plan() {
  const isWeekend = day.getUTCDay() % 6 === 0;
  return [element("p", {}, isWeekend ? "The office is closed." : "Nothing is planned.")];
}

function guests() {
  return [element("p", {}, "Nobody is invited.")];
}

// Unmounted with its tab, like everything in a panel: whoever comes back finds it off.
function reminder() {
  const text = element("p", {}, "You will not be reminded.");
  const toggle = element("button", { type: "button", role: "switch", "aria-checked": "false" }, "Remind me");
  toggle.addEventListener("click", () => {
    const isOn = toggle.getAttribute("aria-checked") === "false";
    toggle.setAttribute("aria-checked", isOn);
    text.textContent = isOn ? "You will be reminded the day before." : "You will not be reminded.";
  });
  return [toggle, text];
}

byId("previous").addEventListener("click", () => {
  shift -= 1;
  showMonth();
});
byId("next").addEventListener("click", () => {
  shift += 1;
  showMonth();
});
byId("close").addEventListener("click", () => dialog.close());
showMonth();
