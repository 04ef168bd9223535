// Each widget is a card with a button for every value that it offers. Only the cards that change are drawn again.

const OPEN = 1; // value of the first widget at which the second one offers other values

const { widgets, values } = await (await fetch("/plan")).json();
const board = document.getElementById("board");
const shown = Array(widgets).fill(0);
const cards = shown.map((_, index) => card(index));

function offered(index) {
  const first = index === 1 && shown[0] === OPEN ? values : 0;
  return Array.from({ length: values }, (_, position) => first + position);
}

function hasNote(index) {
  return index === widgets - 2 && shown.at(-1) === values - 1;
}

function choose(index, value) {
  const before = cards.map((_, each) => look(each));
  const wasOpen = shown[0] === OPEN;
  shown[index] = value;
  if (wasOpen !== (shown[0] === OPEN)) shown[1] = offered(1)[0];
  cards.forEach((_, each) => before[each] === look(each) || draw(each));
}

function look(index) {
  return [shown[index], offered(index)[0], hasNote(index)].join();
}

function card(index) {
  const made = element("section", { id: `widget-${index + 1}`, "aria-labelledby": `title-${index + 1}` });
  made.append(element("h2", { id: `title-${index + 1}` }, `Widget ${index + 1}`), element("p"), element("div", { role: "group" }));
  board.append(made);
  return made;
}

function draw(index) {
  const [, value, choices] = cards[index].children;
  value.replaceChildren(`Shows ${shown[index]}`);
  if (hasNote(index)) value.append(element("span", { class: "note" }, " (its neighbour is full)"));
  choices.replaceChildren(...offered(index).map((each) => button(index, each)));
}

function button(index, value) {
  const made = element("button", { type: "button", "aria-label": `Widget ${index + 1} to ${value}` }, String(value));
  made.disabled = shown[index] === value;
  made.addEventListener("click", () => choose(index, value));
  return made;
}

function element(tag, attributes = {}, text = "") {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(text);
  return made;
}

cards.forEach((_, index) => draw(index));
