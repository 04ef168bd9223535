// What the server cannot make volatile: the clock, and what is drawn at random.

let counted = Math.floor(Math.random() * 36 ** 3); // a library that counts its elements, somewhere in the middle

const clockTime = (date) => date.toLocaleTimeString("en-GB") + "." + String(date.getMilliseconds()).padStart(3, "0");

function dress(main) {
  for (const heading of main.querySelectorAll("h2")) {
    heading.id = "x-" + (100000 + Math.floor(Math.random() * 900000));
  }
  for (const hint of main.querySelectorAll(".hint")) {
    hint.id = `:r${(counted++).toString(36)}:`;
  }
  for (const opened of main.querySelectorAll("[data-opened]")) {
    opened.textContent = clockTime(new Date());
  }
}

function tick() {
  const now = new Date();
  const clock = document.querySelector(".clock time");
  clock.dateTime = now.toISOString();
  clock.textContent = clockTime(now);
  for (const since of document.querySelectorAll("[data-ago]")) {
    const seconds = Math.max(0, Math.round((now - Number(since.dataset.ago)) / 1000));
    since.textContent = seconds < 2 ? "just now" : `${seconds} seconds ago`;
  }
}

// The panel of another view comes as a whole page, of which only the panel is taken.
async function load(address) {
  const session = document.querySelector(".visitor span").textContent;
  const answer = await fetch(`${address}?session=${session}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const main = document.adoptNode(page.querySelector("main"));
  dress(main);
  document.querySelector("main").replaceWith(main);
  listen(main);
}

function listen(main) {
  for (const button of main.querySelectorAll("[data-load]")) {
    button.addEventListener("click", () => load(button.dataset.load));
  }
}

document.querySelector(".visitor i").style.backgroundColor = `hsl(${Math.floor(Math.random() * 360)} 60% 50%)`;
dress(document.querySelector("main"));
listen(document.querySelector("main"));
tick();
setInterval(tick, 1000);
