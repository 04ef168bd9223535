// A parcel is worked on for a while: each step of the work is a timer that sets the next one.
"use strict";

const STEPS = ["taking it up", "working", "putting it down"];
const STEP_MILLISECONDS = 150;

let parcel = { wrapped: false, sealed: false, addressed: false, returned: false, gone: false };

// What can be done, in the order of the buttons: when it is offered, and the parcel afterwards.
const WORK = [
  {
    name: "wrap",
    offered: ({ wrapped, sealed, returned }) => !wrapped && (!sealed || returned),
    done: (before) => ({ ...before, wrapped: true }),
  },
  { name: "seal", offered: ({ sealed }) => !sealed, done: seal },
  {
    name: "address",
    offered: ({ addressed }) => !addressed,
    done: (before) => (before.sealed ? send() : { ...before, addressed: true }),
  },
  { name: "by post", offered: waitsForCarrier, done: send },
  { name: "by courier", offered: waitsForCarrier, done: send },
];

function seal(before) {
  if (!before.addressed) return { ...before, sealed: true, wrapped: false }; // nobody sees the wrapping any more
  return before.wrapped ? send() : { ...before, sealed: true, returned: true };
}

function send() {
  return { wrapped: false, sealed: false, addressed: false, returned: false, gone: true };
}

function waitsForCarrier({ returned, wrapped }) {
  return returned && wrapped;
}

function description({ wrapped, sealed, addressed, returned, gone }) {
  if (gone) return "The parcel is on its way.";
  if (returned) return wrapped ? "Wrapped after all. Who shall carry it?" : "It came back: it has to be wrapped.";
  if (sealed) return "A sealed parcel. What is in it cannot be seen.";
  const done = [wrapped && "wrapped", addressed && "addressed"].filter(Boolean);
  return done.length ? `An open parcel, ${done.join(" and ")}.` : "An open parcel.";
}

function paint() {
  document.getElementById("parcel").textContent = description(parcel);
  const offered = parcel.gone ? [] : WORK.filter((work) => work.offered(parcel));
  document.getElementById("counter").replaceChildren(...offered.map(button));
}

function button(work) {
  const made = document.createElement("button");
  made.textContent = work.name;
  made.onclick = () => begin(work);
  return made;
}

function begin(work) {
  for (const other of document.querySelectorAll("#counter button")) other.disabled = true;
  step(work, 0);
}

function step(work, number) {
  if (number === STEPS.length) {
    parcel = work.done(parcel);
    paint();
    return;
  }
  document.getElementById("parcel").textContent = `${work.name}: ${STEPS[number]} …`;
  setTimeout(() => step(work, number + 1), STEP_MILLISECONDS);
}

paint();
