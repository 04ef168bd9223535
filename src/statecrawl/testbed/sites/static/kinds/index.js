import { begin, discover, show } from "./stage.js";

const HOLDING_MILLISECONDS = 600; // longer than any click
const LATE_MILLISECONDS = 3000;

let stepped = false; // forward, and not yet back
let late;
let end;

function arrange(main) {
  const thing = (kind) => main.querySelector(`[data-kind="${kind}"]`);
  stepped = false;
  mouse(thing);
  hold(thing("long-press"));
  carry(thing("drag"), thing("drop"));
  keyboard(thing);
  fields(thing);
  pages(thing);
  shadows(main);
  arriveLate(main.querySelector(".late"));
  watchEnd(main.querySelector(".end"));
}

function mouse(thing) {
  for (const kind of ["click", "dblclick", "mouseenter", "mouseleave", "contextmenu", "wheel"]) {
    thing(kind).addEventListener(kind, () => discover(kind), { passive: true });
  }
}

function hold(bell) {
  let holding;
  bell.addEventListener("pointerdown", () => {
    holding = setTimeout(() => discover("long-press"), HOLDING_MILLISECONDS);
  });
  for (const kind of ["pointerup", "pointerleave", "pointercancel"]) {
    bell.addEventListener(kind, () => clearTimeout(holding));
  }
}

function carry(coin, slot) {
  coin.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", "coin"));
  slot.addEventListener("dragover", (event) => event.preventDefault());
  slot.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.getData("text/plain") === "coin") discover("drag-and-drop");
  });
}

function keyboard(thing) {
  thing("focus").addEventListener("focus", () => discover("focus"));
  thing("blur").addEventListener("blur", () => discover("blur"));
  thing("keydown-enter").addEventListener("keydown", (event) => {
    if (event.key === "Enter") discover("keydown-enter");
  });
  thing("keydown-arrow-down").addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") discover("keydown-arrow-down");
  });
}

function fields(thing) {
  thing("input").addEventListener("input", (event) => {
    if (event.target.value) discover("input");
  });
  thing("number").addEventListener("input", (event) => {
    if (event.target.value && event.target.checkValidity()) discover("number");
  });
  thing("range").addEventListener("input", (event) => {
    if (event.target.value === "1") discover("range");
  });
  thing("select").addEventListener("change", (event) => {
    if (event.target.value === "there") discover("select");
  });
  for (const kind of ["change", "color", "date", "checkbox", "radio"]) {
    thing(kind).addEventListener("change", () => discover(kind));
  }
}

function pages(thing) {
  thing("details").addEventListener("toggle", (event) => {
    if (event.target.open) discover("details");
  });
  thing("submit").addEventListener("submit", (event) => {
    event.preventDefault();
    discover("submit");
  });
  thing("forward").addEventListener("click", () => {
    stepped = true;
    history.pushState({ step: 1 }, "", "?step=1");
    show("One step forward. The way back leads elsewhere.");
  });
  thing("question").addEventListener("click", () => discover(confirm("Really?") ? "confirm" : "dismiss"));
  thing("alert").addEventListener("click", () => {
    alert("You were warned.");
    discover("alert");
  });
}

function shadows(main) {
  for (const host of main.querySelectorAll("[data-shadow]")) {
    const mode = host.dataset.shadow;
    const root = host.attachShadow({ mode });
    root.innerHTML = `<button type="button">In the ${mode} shadow</button>`;
    root.firstChild.addEventListener("click", () => discover(`${mode}-shadow`));
  }
}

function arriveLate(place) {
  clearTimeout(late);
  late = setTimeout(() => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Sorry to be late";
    button.addEventListener("click", () => discover("timer"));
    place.append(button);
  }, LATE_MILLISECONDS);
}

function watchEnd(sentinel) {
  end?.disconnect();
  end = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) discover("scroll");
  });
  end.observe(sentinel);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") discover("keydown-escape");
});
addEventListener("popstate", async () => {
  if (!stepped) return;
  stepped = false;
  const answer = await fetch("/found/back");
  show(await answer.text());
});
addEventListener("message", (event) => {
  if (event.origin === location.origin) discover(event.data);
});
begin(arrange);
