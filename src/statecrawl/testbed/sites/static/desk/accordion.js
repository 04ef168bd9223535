// An accordion: at most one answer is open. All of them stay in the document.
import { button, element } from "/elements.js";

const ANSWERS = {
  "Where are my files?": "In the table in the middle.",
  "Who can see them?": "Nobody but you.",
  "How do I leave?": "Close the window.",
};

export function showAccordion(section) {
  const parts = Object.entries(ANSWERS).map(([question, answer], index) => {
    const panel = element("div", { id: `answer-${index}`, hidden: "" }, answer);
    const toggle = button(question, () => open(panel.hidden ? index : -1), { "aria-expanded": "false", "aria-controls": panel.id });
    return { toggle, panel };
  });
  const open = (chosen) => {
    parts.forEach(({ toggle, panel }, index) => {
      panel.hidden = index !== chosen;
      toggle.setAttribute("aria-expanded", index === chosen);
    });
  };
  section.replaceChildren(...parts.flatMap(({ toggle, panel }) => [element("h3", {}, toggle), panel]));
}
