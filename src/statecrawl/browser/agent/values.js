// @ts-check
// Values for form fields: a few for each kind of field, within the constraints that the page states.

/** @type {any} */
const VALUES = table({
  text: ['test'], search: ['test'], email: ['ann@example.com'], tel: ['+1 202 555 0147'], url: ['http://example.com/'],
  password: ['Secret-123'], number: ['1', '7'], range: NONE, date: ['2024-02-29'], time: ['12:30'], month: ['2024-02'],
  week: ['2024-W09'], 'datetime-local': ['2024-02-29T12:30'], color: ['#336699'],
});

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
  /** @type {string[]} */
  let spellings = NONE; // of one value: the first that the page accepts is enough
  if (!candidates.length) {
    const listed = quietly(() => dom.list(field));
    if (listed) candidates = optionsOf(listed);
    else if (type === 'number' || type === 'range') candidates = numbersFor(field, type, meaning);
    else if (type === 'text' || type === 'tel' || tag !== 'input') {
      spellings = valuesForPurpose(meaning, languageOf(field)) || NONE;
      candidates = spellings.length ? spellings : VALUES.text;
    }
    else candidates = VALUES[type] || NONE;
  }
  /** @type {string[]} */
  const fitting = newList();
  const most = spellings.length ? 1 : MOST_VALUES;
  for (let i = 0; i < candidates.length && fitting.length < most; i += 1) if (fits(field, tag, candidates[i])) append(fitting, candidates[i]);
  for (let i = 0; i < FALLBACKS.length && fitting.length === 0 && candidates.length > 0; i += 1) if (fits(field, tag, FALLBACKS[i])) append(fitting, FALLBACKS[i]);
  return fitting;
};

/** Whether the purpose of a field is known: by its type, or by its words. @param {any} field @param {string} tag */
const hasPurpose = (field, tag) => {
  const type = tag === 'input' ? dom.inputType(field) : 'text';
  const meaning = meaningOf(field, type);
  return type !== 'text' || chosen(userValues, meaning) !== null || valuesForPurpose(meaning, '') !== null;
};

/** Whether the user gives values for a field. @param {any} field @param {string} tag */
const isOfUser = (field, tag) => chosen(userValues, meaningOf(field, tag === 'input' ? dom.inputType(field) : 'text')) !== null;

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

/** The bounds of the permitted range. @param {any} field @param {string} type @param {string} meaning */
const numbersFor = (field, type, meaning) => {
  const least = dom.attribute(field, 'min') || (type === 'range' ? '0' : '');
  const most = dom.attribute(field, 'max') || (type === 'range' ? '100' : '');
  /** @type {string[]} */
  const values = newList();
  const usual = type === 'number' ? valuesForPurpose(meaning, '') : null;
  if (usual !== null && usual !== USUAL.amount && fits(field, 'input', usual[0])) append(values, usual[0]);
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
