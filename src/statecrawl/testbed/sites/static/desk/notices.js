// Notices that nobody asked for: one comes soon, another one later. Each stays until it is dismissed.
import { button, element } from "/elements.js";

const NOTICES = [
  ["The backup is complete.", 1000],
  ["A new version is there.", 4000],
]; // text, milliseconds after the page

export function expectNotices(section) {
  for (const [text, delay] of NOTICES) setTimeout(() => section.append(notice(text)), delay);
}

function notice(text) {
  const made = element("div", { class: "notice" }, element("span", {}, text));
  made.append(button("Dismiss", () => made.remove()));
  return made;
}
