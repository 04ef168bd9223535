"use strict";

const main = document.getElementById("main");

const button = (text, act) => {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
};

const line = (text) => {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
};

const show = async (method, path) => {
  const answer = await fetch(path, { method });
  if (!answer.ok) {
    document.title = "Office: not for you";
    main.replaceChildren(line(answer.status === 403 ? "You may not see this." : "Log in first."));
    return;
  }
  const told = await answer.json();
  const title = document.createElement("h2");
  title.textContent = told.title;
  document.title = `Office: ${told.title}`;
  main.replaceChildren(title, ...told.lines.map(line), ...told.buttons.map(([text, how, where]) => button(text, () => show(how, where))));
};

(async () => {
  const me = await (await fetch("/api/me")).json();
  document.getElementById("account").textContent = me.name ? `Signed in as ${me.name}` : "";
  document.getElementById("log-in").hidden = me.name !== "";
  const titled = (name) => name[0].toUpperCase() + name.slice(1);
  document.getElementById("menu").replaceChildren(...me.menu.map((name) => button(titled(name), () => show("GET", `/api/${name}`))));
})();
