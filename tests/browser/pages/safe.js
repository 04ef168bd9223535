// Every page here has two buttons: "safe" shows that the page still answers, "attack" does what the page is named
// after.

const out = document.getElementById("out");

function say(text) {
  out.textContent = text;
}

function onAttack(attack) {
  document.getElementById("attack").addEventListener("click", attack);
}

document.getElementById("safe").addEventListener("click", () => say("still here"));
