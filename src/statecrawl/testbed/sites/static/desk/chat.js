// A chat that answers after a moment and repeats what was asked. Nothing can be sent while the field is empty.
import { element } from "/elements.js";

const ANSWER_MILLISECONDS = 600;

export function showChat(section) {
  const log = element("div", { role: "log", "aria-label": "Messages" }, element("p", {}, "Bot: What can I do for you?"));
  const field = element("input", { id: "message", autocomplete: "off" });
  const send = element("button", {}, "Send");
  const form = element("form", {}, element("label", {}, "Your question ", field), send);
  const enable = () => {
    send.disabled = field.value.trim() === "";
  };
  field.addEventListener("input", enable);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const asked = field.value.trim();
    if (!asked) return;
    form.reset();
    enable();
    log.append(element("p", {}, `You: ${asked}`));
    setTimeout(() => log.append(element("p", { class: "answer" }, `Bot: I do not know what ${asked} is.`)), ANSWER_MILLISECONDS);
  });
  enable();
  section.replaceChildren(log, form);
}
