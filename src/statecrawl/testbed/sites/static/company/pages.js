// Home, with slogans that take turns, and contact.

import { asked, element, page, table } from "./elements.js";

const SLOGAN_MILLISECONDS = 700;

export const home = () => ({
  name: "home",
  async load() {
    const [parts, slogans] = await Promise.all([page("home"), asked("/slogans")]);
    const shown = element("blockquote", slogans[0]);
    let next = 1;
    const turning = setInterval(() => {
      if (next === slogans.length) clearInterval(turning); // each has its turn once, the last one stays
      else shown.textContent = slogans[next++];
    }, SLOGAN_MILLISECONDS);
    return { parts: [...parts, shown] };
  },
});

export const contact = () => ({
  name: "contact",
  async load() {
    return { parts: await page("contact"), doors: [["Form to print", form]] };
  },
});

const form = () => ({
  name: "form",
  async load() {
    const blank = "………………………………";
    return { parts: [element("h2", "Print and send"), table({ Name: blank, Telephone: blank, Question: blank })] };
  },
});
