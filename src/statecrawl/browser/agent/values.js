// @ts-check
// Values for form fields: a few for each kind of field, within the constraints that the page states.

/** @type {any} */
const VALUES = table({
  text: ['test'], search: ['test'], email: ['ann@example.com'], tel: ['+1 202 555 0147'], url: ['http://example.com/'],
  password: ['Secret-123'], number: ['1', '7'], range: NONE, date: ['2024-02-29'], time: ['12:30'], month: ['2024-02'],
  week: ['2024-W09'], 'datetime-local': ['2024-02-29T12:30'], color: ['#336699'],
});

/** Values by words in a field's name, label or autocomplete; the first match applies. @type {[RegExp, string[]][]} */
const VALUES_BY_PURPOSE = [
  [/e-?mail/i, ['ann@example.com']],
  [/phone|mobile|(?:^|[^a-z])tel/i, ['+1 202 555 0147']], // not a hotel
  [/zip|postal/i, ['10115']],
  [/user|login|account/i, ['ann']],
  [/first.?name|given/i, ['Ann']],
  [/last.?name|family|surname/i, ['Lee']],
  [/name/i, ['Ann Lee']],
  [/city|town/i, ['Berlin']],
  [/country/i, ['Germany']],
  [/street|address/i, ['1 Main Street']],
  [/card.?n|cc-?number/i, ['4111111111111111']],
  [/year/i, ['2024']],
  [/amount|price|quantity|number|count|(?:^|[^a-z])age(?:$|[^a-z])/i, ['7']], // not a message
];

const FALLBACKS = ['test', 'a', '1', '7', '12', '123', '1234', '12345', '123456', 'Ab1', 'AB', 'ABC', 'abc-123', 'A1B2C3', '10115', '2024-02-29', '12:30', 'Test-1234!', 'aaaaaaaaaaaaaaaaaaaa'];
const MOST_VALUES = 4; // of one field

const PURPOSE_ATTRIBUTES = ['name', 'id', 'autocomplete', 'placeholder', 'aria-label'];

/** Words that describe the purpose of a field. @param {any} field @param {string} type */
const meaningOf = (field, type) => {
  let words = type;
  for (let i = 0; i < PURPOSE_ATTRIBUTES.length; i += 1) words += ' ' + (dom.attribute(field, PURPOSE_ATTRIBUTES[i]) || '');
  const labels = quietly(() => dom.labels(field));
  for (let i = 0; labels && i < labels.length; i += 1) words += ' ' + tidy(dom.text(labels[i]) || '', LONGEST_NAME);
  return words;
};

/** @type {[RegExp, string[]][]} the user's values, which take precedence */
const userValues = newList();
for (const [expression, values] of settings.values) append(userValues, [new RegExp(expression, 'i'), values]);

/** The values to try in a text field, without its current one. @param {any} field @param {string} tag @returns {string[]} */
const valuesFor = (field, tag) => {
  const type = tag === 'input' ? dom.inputType(field) : 'text';
  const meaning = meaningOf(field, type);
  /** @type {string[]} */
  let candidates = chosen(userValues, meaning) || NONE;
  if (!candidates.length) {
    const listed = quietly(() => dom.list(field));
    if (listed) candidates = optionsOf(listed);
    else if (type === 'number' || type === 'range') candidates = numbersFor(field, type);
    else if (type === 'text' || tag !== 'input') candidates = chosen(VALUES_BY_PURPOSE, meaning) || VALUES.text;
    else candidates = VALUES[type] || NONE;
  }
  /** @type {string[]} */
  const fitting = newList();
  for (let i = 0; i < candidates.length && fitting.length < MOST_VALUES; i += 1) if (fits(field, tag, candidates[i])) append(fitting, candidates[i]);
  for (let i = 0; i < FALLBACKS.length && fitting.length === 0 && candidates.length > 0; i += 1) if (fits(field, tag, FALLBACKS[i])) append(fitting, FALLBACKS[i]);
  return fitting;
};

/** @param {[RegExp, string[]][]} dictionary @param {string} meaning */
const chosen = (dictionary, meaning) => {
  for (let i = 0; i < dictionary.length; i += 1) if (native.exec(dictionary[i][0], meaning)) return dictionary[i][1];
  return null;
};

/** @param {any} list a datalist */
const optionsOf = (list) => {
  /** @type {string[]} */
  const values = newList();
  const options = dom.findAll(list, 'option');
  for (let i = 0; i < options.length; i += 1) if (isHtml(options[i])) append(values, dom.optionValue(options[i]));
  return values;
};

/** The bounds of the permitted range. @param {any} field @param {string} type */
const numbersFor = (field, type) => {
  const least = dom.attribute(field, 'min') || (type === 'range' ? '0' : '');
  const most = dom.attribute(field, 'max') || (type === 'range' ? '100' : '');
  /** @type {string[]} */
  const values = newList();
  if (least !== '') append(values, least);
  if (most !== '' && most !== least) append(values, most);
  return values.length ? values : VALUES.number;
};

/** Whether the page itself accepts a value: pattern, length, range, step. Tested on a copy outside of any document.
 * @param {any} field @param {string} tag @param {string} value */
const fits = (field, tag, value) => {
  const longest = +(dom.attribute(field, 'maxlength') || 1e9);
  const shortest = +(dom.attribute(field, 'minlength') || 0);
  if (value.length > longest || value.length < shortest) return false;
  if (tag !== 'input') return true;
  const copy = cloneNode(field, false);
  dom.setValue(copy, value);
  return dom.value(copy) !== '' && dom.valid(copy);
};

const cloneNode = uncurry(Node.prototype.cloneNode);

const READ_ONLY_TYPES = table({ hidden: 1, submit: 1, button: 1, reset: 1, image: 1, checkbox: 1, radio: 1, file: 1 });

/** Whether a kind of input takes text. @param {string} type */
const isWritten = (type) => native.describe(READ_ONLY_TYPES, type) === undefined;

/** The sets of values with which a form is submitted: the k-th set holds the k-th value of each field that the agent fills in.
 * @param {any} form @param {any[]} fields that nobody listens to @returns {[any, string][][]} */
const valueSets = (form, fields) => {
  /** @type {[any, string[]][]} */
  const choices = newList();
  let most = 1;
  for (let i = 0; i < fields.length; i += 1) {
    const field = fields[i];
    const tag = dom.tag(field);
    const values = tag === 'select' ? optionNames(field) : knownValues(field, tag);
    if (values.length === 0) continue;
    append(choices, [field, values]);
    if (values.length > most) most = values.length;
  }
  if (most > MOST_VALUES) most = MOST_VALUES;
  /** @type {[any, string][][]} */
  const sets = newList();
  for (let k = 0; k < most; k += 1) {
    /** @type {[any, string][]} */
    const set = newList();
    for (let i = 0; i < choices.length; i += 1) append(set, [choices[i][0], choices[i][1][k % choices[i][1].length]]);
    append(sets, set);
  }
  return sets;
};

/** @param {any} select @returns {string[]} the values of its options that can be chosen */
const optionNames = (select) => {
  /** @type {string[]} */
  const names = newList();
  const options = dom.options(select);
  for (let i = 0; i < options.length && names.length < settings.options; i += 1) {
    if (!dom.matches(options[i], ':disabled')) append(names, dom.optionValue(options[i]));
  }
  return names;
};
