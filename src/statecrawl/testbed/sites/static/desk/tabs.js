// Two tab strips. The agenda mounts the panel that is chosen; the mail has all panels and hides the others.
import { button, element } from "/elements.js";

const AGENDA = { Today: "Water the plants.", Week: "Visit the dentist on Thursday.", Month: "Pay the rent." };
const MAIL = { Inbox: "Three letters, all read.", Sent: "One letter, to Ada.", Drafts: "Nothing was begun." };

export function showMountedTabs(section) {
  const show = (chosen) => {
    const tab = (name) => button(name, () => show(name), { role: "tab", "aria-selected": name === chosen });
    section.replaceChildren(
      element("div", { role: "tablist", "aria-label": "Agenda" }, ...Object.keys(AGENDA).map(tab)),
      element("div", { role: "tabpanel" }, element("p", {}, AGENDA[chosen])),
    );
  };
  show("Today");
}

export function showHiddenTabs(section) {
  const parts = Object.entries(MAIL).map(([name, text]) => {
    const panel = element("div", { role: "tabpanel", id: `mail-${name.toLowerCase()}` }, element("p", {}, text));
    return { tab: button(name, () => show(panel), { role: "tab", "aria-controls": panel.id }), panel };
  });
  const show = (chosen) => {
    for (const { tab, panel } of parts) {
      panel.hidden = panel !== chosen;
      tab.setAttribute("aria-selected", panel === chosen);
    }
  };
  section.append(element("div", { role: "tablist", "aria-label": "Mail" }, ...parts.map(({ tab }) => tab)), ...parts.map(({ panel }) => panel));
  show(parts[0].panel);
}
