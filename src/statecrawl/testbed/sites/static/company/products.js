// Products: categories, two models in each, their specs and photo in tabs, and the photo in a pop-up.

import { asked, element, list, page, table } from "./elements.js";

export const products = () => ({
  name: "products",
  async load() {
    const [parts, offered] = await Promise.all([page("products"), asked("/products")]);
    return { parts, doors: Object.entries(offered).map(([name, models]) => [`All ${name}`, category(name, models)]) };
  },
});

const category = (name, models) => () => ({
  name,
  async load() {
    const parts = [element("h2", `Our ${name}`), list(models)];
    return { parts, doors: models.map((own) => [`The ${own}`, model(name, models, own)]) };
  },
});

const model = (name, models, own) => () => ({
  name: own,
  async load() {
    const facts = await asked(`/products/${name}/${own}`);
    const parts = [element("h2", `The ${own}`), element("p", `${facts.price} €`)];
    const doors = [
      [`Specs of the ${own}`, specs(own, facts), "tab"],
      [`Photo of the ${own}`, photo(own), "tab"],
    ];
    const other = models.find((candidate) => candidate !== own);
    return { parts, doors, tools: [["Other model", (site) => site.replace(model(name, models, other)())]] };
  },
});

const specs = (own, facts) => () => ({
  name: "specs",
  over: "tab",
  async load() {
    return { parts: [element("h3", `Specs of the ${own}`), table(facts)] };
  },
});

const photo = (own) => () => ({
  name: "photo",
  over: "tab",
  async load() {
    return { parts: [picture(own)], doors: [[`Zoom into the ${own}`, zoom(own)]] };
  },
});

const zoom = (own) => () => ({
  name: "zoom",
  over: "popup",
  async load() {
    return { parts: [picture(own), element("p", `The ${own}, larger`)] };
  },
});

function picture(own) {
  const image = element("img");
  image.src = `/photos/${own}.svg`;
  image.alt = `the ${own}`;
  return image;
}
