// Two tables drawn by different templates, and one window beside them that outlives a change of table.
'use strict';

const CELLS_BEFORE_SWITCH = 6; // the button that changes the table stands behind carbon, where the keyboard meets it
const OTHER_MODE = { small: 'large', large: 'small' };
const SHELL_DISTANCE = 9;
const ZOOM_MILLISECONDS = 600;
const BELL_SECONDS = 0.8;

let elements = [];
let request = null; // for the element that was asked for last
let frame = null; // of the window, from the first click on a cell
let audio = null;

function fromTemplate(id) {
  return document.getElementById(id).content.cloneNode(true);
}

function ask(path, answered) {
  const asked = new XMLHttpRequest();
  asked.open('GET', path);
  asked.responseType = 'json';
  asked.addEventListener('load', () => asked.status === 200 && answered(asked.response));
  asked.send();
  return asked;
}

// The tables

const CELLS = {
  small(element) {
    const cell = fromTemplate('small-cell').firstElementChild;
    cell.textContent = element.symbol;
    cell.title = element.name;
    return cell;
  },
  large(element) {
    const cell = fromTemplate('large-cell').firstElementChild;
    cell.querySelector('small').textContent = element.number;
    cell.querySelector('b').textContent = element.symbol;
    cell.querySelector('i').textContent = element.name;
    cell.setAttribute('aria-label', element.name);
    return cell;
  },
};

function drawTable(mode) {
  const table = fromTemplate(`${mode}-mode`).firstElementChild;
  const cells = elements.map((element) => {
    const cell = CELLS[mode](element);
    cell.classList.add(element.block);
    cell.style.gridArea = `${element.row} / ${element.column}`;
    cell.addEventListener('click', () => openWindow(element.name));
    return cell;
  });
  table.querySelector('button').addEventListener('click', () => drawTable(OTHER_MODE[mode]));
  table.prepend(...cells.slice(0, CELLS_BEFORE_SWITCH));
  table.append(...cells.slice(CELLS_BEFORE_SWITCH));
  document.querySelector('main').replaceChildren(table);
}

// The window

function openWindow(name) {
  request?.abort();
  request = ask(`/element/${name}`, show);
}

function closeWindow() {
  request?.abort();
  frame.querySelector('h2').textContent = 'No element';
  frame.querySelector('.content').replaceChildren();
}

function show(element) {
  if (!frame) {
    frame = fromTemplate('window-frame').firstElementChild;
    frame.querySelector('.close').addEventListener('click', closeWindow);
    document.querySelector('main').after(frame);
  }
  frame.querySelector('h2').textContent = `${element.number} ${element.symbol} ${element.name}`;
  frame.querySelector('.content').replaceChildren(content(element));
}

function content(element) {
  const shown = fromTemplate('window-content');
  const picture = shown.querySelector('svg');
  picture.append(...element.shells.map(drawShell));
  picture.setAttribute('aria-label', `The shells of ${element.name}`);
  shown.querySelector('dl').append(...describe(element));
  shown.querySelector('.zoom').addEventListener('click', () => zoom(picture));
  if (element.bell) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Play sound';
    button.addEventListener('click', () => ring(element.bell));
    shown.querySelector('.zoom').after(button);
  }
  return shown;
}

function* describe(element) {
  const facts = {
    Period: element.period,
    Group: element.group ?? 'none',
    Block: element.block,
    Electrons: element.configuration,
    Shells: element.shells.join(', '),
  };
  for (const [term, fact] of Object.entries(facts)) {
    yield Object.assign(document.createElement('dt'), { textContent: term });
    yield Object.assign(document.createElement('dd'), { textContent: fact });
  }
}

function drawShell(electrons, inner) {
  const circle = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
  circle.setAttribute('r', (inner + 2) * SHELL_DISTANCE);
  circle.setAttribute('pathLength', electrons); // with dashes of one unit each: a dot for every electron
  return circle;
}

function zoom(picture) {
  picture.animate([{ scale: 1 }, { scale: 1.6 }, { scale: 1 }], ZOOM_MILLISECONDS);
}

function ring(hertz) {
  audio ??= new AudioContext();
  const bell = new OscillatorNode(audio, { frequency: hertz });
  const fading = new GainNode(audio, { gain: 0.2 });
  fading.gain.linearRampToValueAtTime(0, audio.currentTime + BELL_SECONDS);
  bell.connect(fading).connect(audio.destination);
  bell.start();
  bell.stop(audio.currentTime + BELL_SECONDS);
}

ask('/elements', (answer) => {
  elements = answer;
  drawTable('small');
});
