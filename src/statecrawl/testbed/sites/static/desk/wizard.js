// A modal dialog of three steps. Every step shows all that was chosen before; opening it starts again.
import { button, element, report } from "/elements.js";

const KINDS = ["Letter", "Parcel"];
const SPEEDS = ["Slow", "Fast"];

export function showWizard(opener, dialog) {
  const order = { kind: KINDS[0], speed: SPEEDS[0] };
  const leave = (text) => {
    dialog.close();
    dialog.replaceChildren();
    report(text);
  };
  const cancel = button("Cancel", () => leave("The order was dropped."));
  const step = (title, ...parts) => dialog.replaceChildren(element("h2", { id: "step" }, title), ...parts, cancel);
  const choice = (label, names, key, again) => {
    const set = (name) => {
      order[key] = name;
      again();
    };
    const radios = names.map((name) => button(name, () => set(name), { role: "radio", "aria-checked": order[key] === name }));
    return element("div", { role: "radiogroup", "aria-label": label }, ...radios);
  };
  const first = () => {
    order.speed = SPEEDS[0];
    step("Step 1: what", choice("Kind", KINDS, "kind", first), button("Continue", second));
  };
  const second = () => {
    step(`Step 2: how fast is the ${order.kind.toLowerCase()}`, choice("Speed", SPEEDS, "speed", second), button("Back", first), button("Continue", third));
  };
  const third = () => {
    const summary = element("p", {}, `${order.kind}, ${order.speed.toLowerCase()}`);
    step("Step 3: summary", summary, button("Back", second), button("Finish", () => leave("The order was placed.")));
  };
  opener.addEventListener("click", () => {
    order.kind = KINDS[0];
    first();
    dialog.showModal();
  });
  dialog.addEventListener("cancel", (event) => event.preventDefault()); // the escape key does nothing
}
