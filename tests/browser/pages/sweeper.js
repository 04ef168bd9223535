// Deletes or overwrites everything that is neither the browser's nor the page's own, hidden names and symbols included.

const OWN_FUNCTIONS = new Set(["sweepObject", "sweep", "say", "onAttack"]); // the page's constants are no properties
const KNOWN_OF_DOCUMENT = new Set(["location"]);
const isOfPage = (name) => /^\d+$/.test(name) || OWN_FUNCTIONS.has(name); // a number is a frame

function sweepObject(object, known) {
  const isForeign = (name) => typeof name === "symbol" || !(known.has(name) || isOfPage(name));
  const foreign = Reflect.ownKeys(object).filter(isForeign);
  for (const name of foreign) {
    if (!Reflect.deleteProperty(object, name)) Reflect.set(object, name, undefined);
  }
  return foreign.map(String);
}

function sweep() {
  const roots = [document, document.documentElement, document.body].filter(Boolean);
  return [...sweepObject(window, KNOWN_NAMES), ...roots.flatMap((root) => sweepObject(root, KNOWN_OF_DOCUMENT))];
}

const sweptAtLoad = sweep();
