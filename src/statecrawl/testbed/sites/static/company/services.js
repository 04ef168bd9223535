// Services: a request in three steps. The last one takes the office a moment.

import { asked, element, later, list, page } from "./elements.js";

const OFFICE_MILLISECONDS = 400;

export const services = () => ({
  name: "services",
  async load() {
    const [parts, offered] = await Promise.all([page("services"), asked("/services")]);
    return { parts, doors: Object.entries(offered).map(([name, facts]) => [`About ${name}`, service(name, facts)]) };
  },
});

const service = (name, facts) => () => ({
  name,
  async load() {
    return { parts: [element("h2", name), element("p", facts.summary)], doors: [[`Request ${name}`, request(name)]] };
  },
});

const request = (name) => () => ({
  name: "request",
  async load() {
    const offer = await asked("/requests", { method: "POST", body: new URLSearchParams({ service: name }) });
    const parts = [element("h2", `Your request: ${name}`), element("p", `It costs ${offer.price} €.`)];
    return { parts, doors: [[`Dates for ${name}`, dates(name, offer)]] };
  },
});

const cancel = ["Cancel", (site) => site.begin("services")];

const dates = (name, offer) => () => ({
  name: "dates",
  async load() {
    const parts = [element("h2", `When we can come for ${name}`), list(offer.days)];
    return { parts, doors: [[`Summary of ${name}`, summary(name, offer)]], tools: [cancel] };
  },
});

const summary = (name, offer) => () => ({
  name: "summary",
  async load() {
    await later(OFFICE_MILLISECONDS);
    const parts = [element("h2", `Summary of ${name}`), element("p", `${offer.price} €, on ${offer.days.join(" or ")}.`)];
    return { parts, tools: [cancel] };
  },
});
