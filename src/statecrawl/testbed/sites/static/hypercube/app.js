// Every button has a listener of its own, and takes itself away.
"use strict";

function pressable(number) {
  const button = document.createElement("button");
  button.textContent = `press ${number}`;
  button.addEventListener("click", () => button.remove());
  return button;
}

async function putUp(board) {
  const { buttons } = await (await fetch("/board")).json();
  board.replaceChildren(...Array.from({ length: buttons }, (_, index) => pressable(index + 1)));
}

putUp(document.getElementById("board"));
