// One view, one listener: every control says by its data-action how the view changes, and the server fills it.

const schedule = document.querySelector('#schedule');
const pageShown = schedule.querySelector('output');
const body = schedule.querySelector('tbody');
const line = schedule.querySelector('#line');
const headers = [...schedule.querySelectorAll('th[data-column]')];
const boxes = [...schedule.querySelectorAll('input[type=checkbox]')];
const nothing = document.querySelector('#nothing').content;

const DAYS = boxes.map((box) => box.name);
const START = { column: 'name', days: DAYS, page: 1 };

let view = START;
let pages = 1;

// What a control makes of the view; the same view means that there is nothing to do.
const ACTIONS = {
  first: () => at(1),
  previous: () => at(Math.max(view.page - 1, 1)),
  next: () => at(Math.min(view.page + 1, pages)),
  refresh: () => ({ ...view }),
  sort: ({ dataset }) => (dataset.column === view.column ? view : { ...view, column: dataset.column }),
  day: () => ({ ...view, days: boxes.filter((box) => box.checked).map((box) => box.name) }),
  all: () => ({ ...view, days: DAYS }),
  none: () => ({ ...view, days: [] }),
  startOver: () => START,
};

function at(page) {
  return page === view.page ? view : { ...view, page };
}

async function load(wanted) {
  view = wanted;
  schedule.setAttribute('aria-busy', 'true');
  const response = await fetch(`/rows?column=${wanted.column}&days=${wanted.days}&page=${wanted.page}`);
  const answer = await response.json();
  if (view !== wanted) return; // a later click has asked for something else
  pages = answer.pages;
  draw(answer.rows);
  schedule.removeAttribute('aria-busy');
}

function draw(rows) {
  pageShown.textContent = `Page ${view.page} of ${pages}`;
  for (const header of headers) {
    header.setAttribute('aria-sort', header.dataset.column === view.column ? 'ascending' : 'none');
  }
  for (const box of boxes) box.checked = view.days.includes(box.name);
  body.replaceChildren(...rows.map(drawRow));
  const ended = view.page === pages && rows.every((row) => row.lessons.length === 0);
  line.replaceChildren(...(ended ? [nothing.cloneNode(true)] : []));
}

function drawRow({ name, description, lessons }) {
  const row = document.createElement('tr');
  for (const text of [name, description, lessons.join(', ')]) row.insertCell().textContent = text;
  return row;
}

schedule.addEventListener('click', (event) => {
  const control = event.target.closest('[data-action]');
  if (!control) return;
  const wanted = ACTIONS[control.dataset.action](control);
  if (wanted !== view) load(wanted);
});

load(START);
