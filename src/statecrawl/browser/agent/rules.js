// @ts-check
// Rules: what is not part of a state, learnt from several loads of a page or given by the user.
//
// A learnt rule identifies a place by the nearest ancestor with a stable id and the tags on the path from there, each with its
// first class, without counting: "#clock/span.time". `what` is "text", "node" (with everything inside), "@name" of an attribute
// or ".name" of a class. Rules form a tree by tag, so that they cost nothing in a page without rules, and little otherwise.
//
// A rule without a place applies to every element. It is about a class, or about attributes with counters: "@id=row-*".

/** @typedef {{below: any, text: boolean, node: boolean, attributes: any, classes: any}} Rule */

/** @returns {Rule} */
const newRule = () => ({ below: native.create(null), text: false, node: false, attributes: null, classes: null });

/** @type {any} id -> rule */
const rulesById = native.create(null);
const rulesFromTop = newRule();

/** @type {any} "name=template" -> true */
const counters = native.create(null);
let hasCounters = false;
/** @type {any} class -> true, or null */
let markingClasses = null;

for (const [place, what] of settings.rules) {
  if (place === '') {
    if (what[0] === '.') (markingClasses || (markingClasses = native.create(null)))[what.slice(1)] = true;
    else {
      counters[what.slice(1)] = true;
      hasCounters = true;
    }
    continue;
  }
  const tags = place.split('/');
  let rule = rulesFromTop;
  if (tags[0]) {
    const id = tags[0].slice(1);
    rule = rulesById[id] || (rulesById[id] = newRule());
  }
  for (const tag of tags.slice(1)) rule = rule.below[tag] || (rule.below[tag] = newRule());
  if (what === 'text') rule.text = true;
  else if (what === 'node') rule.node = true;
  else if (what[0] === '.') (rule.classes || (rule.classes = native.create(null)))[what.slice(1)] = true;
  else {
    if (rule.attributes === null) rule.attributes = native.create(null);
    rule.attributes[what.slice(1)] = true;
  }
}
const hasRules = settings.rules.length > 0;

/** One step of a place: the tag, and the first class unless it looks generated. @param {any} element @param {string} tag */
const stepOf = (element, tag) => {
  const classes = dom.attribute(element, 'class');
  if (!classes) return tag;
  let end = 0;
  while (end < classes.length && !isBlank(native.charCodeAt(classes, end))) end += 1;
  const first = native.slice(classes, 0, end);
  return first === '' || isGenerated(first) || native.indexOf(first, '/') >= 0 ? tag : tag + '.' + first;
};

/** A text with a star for each number in it. @param {string} text */
const templateOf = (text) => {
  let template = '';
  let digits = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = native.charCodeAt(text, i);
    const digit = code >= 48 && code <= 57;
    if (!digit) template += text[i];
    else if (!digits) template += '*';
    digits = digit;
  }
  return template;
};

/** The value of an attribute, or its template if it contains a counter. @param {string} name @param {string} value */
const uncounted = (name, value) => {
  const reference = REFERENCES[name] === 1 && name !== 'id' && name !== 'name';
  const hash = !reference && (name === 'href' || name === 'xlink:href' || name === 'usemap') && value[0] === '#';
  const template = templateOf(hash ? native.slice(value, 1) : value);
  if (counters[(reference || hash ? 'id' : name) + '=' + template] !== true) return value;
  return hash ? '#' + template : template;
};

/** Whether an id contains a counter. @param {string} id */
const isCounted = (id) => hasCounters && counters['id=' + templateOf(id)] === true;

/** A class attribute without marks of pointer and focus. @param {string} form words between blanks @param {any} marking */
const withoutMarks = (form, marking) => {
  let result = '';
  for (let from = 0, i = 0; i <= form.length; i += 1) {
    if (i < form.length && form[i] !== ' ') continue;
    const word = native.slice(form, from, i);
    if (marking[word] !== true) result += (result ? ' ' : '') + word;
    from = i + 1;
  }
  return result;
};

/** The rule for an element, or null. @param {any} element @param {string} tag @param {string} id stable, or nothing @param {Rule | null} above of the element around it @returns {Rule | null} */
const ruleAt = (element, tag, id, above) => (id && native.indexOf(id, '/') < 0 ? rulesById[id] || null : above ? above.below[stepOf(element, tag)] || null : null);

/** The rule for the inside of a shadow tree or a frame. @param {Rule | null} rule of its host */
const innerRule = (rule) => (rule && rule.below['~']) || null;

/** The same, where the id is not known yet. @param {any} element @param {string} tag @param {Rule | null} above */
const ruleInside = (element, tag, above) => {
  const given = ignoredAttributes.id === true ? null : dom.attribute(element, 'id');
  return ruleAt(element, tag, given && !isGenerated(given) && !isCounted(given) ? given : '', above);
};

/** @type {string} */
const ignoredSelectors = settings.ignore.selectors.join(',');
/** @type {any} */
const ignoredAttributes = native.create(null);
for (const name of settings.ignore.attributes) ignoredAttributes[name] = true;
/** @type {RegExp[]} */
const ignoredPatterns = newList();
for (const expression of settings.ignore.patterns) append(ignoredPatterns, new RegExp(expression, 'g'));

/** A text without what the user's patterns match. @param {string} text */
const withoutPatterns = (text) => {
  let left = text;
  for (let i = 0; i < ignoredPatterns.length; i += 1) {
    let result = '';
    let from = 0;
    ignoredPatterns[i].lastIndex = 0;
    for (let found = native.exec(ignoredPatterns[i], left), n = 0; found && found[0] !== '' && n < 1000; found = native.exec(ignoredPatterns[i], left), n += 1) {
      result += native.slice(left, from, found.index);
      from = found.index + found[0].length;
    }
    left = result + native.slice(left, from);
  }
  return left;
};
