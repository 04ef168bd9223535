// The visible structure of a document, without any text: see screens.py.
(() => {
  const ROLES = new Set(['banner', 'complementary', 'contentinfo', 'form', 'main', 'navigation', 'region', 'search',
    'heading', 'table', 'grid', 'treegrid', 'row', 'list', 'listitem', 'listbox', 'tree', 'treeitem', 'menu', 'menubar',
    'menuitem', 'tablist', 'tab', 'tabpanel', 'dialog', 'alertdialog', 'toolbar', 'button', 'link', 'checkbox', 'radio',
    'switch', 'option', 'combobox', 'textbox', 'searchbox', 'slider', 'spinbutton', 'alert', 'article', 'group']);
  const TAGS = new Set(['header', 'nav', 'main', 'aside', 'footer', 'section', 'article', 'form', 'search', 'fieldset',
    'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'button', 'input', 'select', 'textarea', 'summary', 'details', 'table', 'tr', 'ul',
    'ol', 'dl', 'li', 'dialog', 'iframe', 'canvas', 'video']);
  const SKIPPED = new Set(['script', 'style', 'template', 'noscript', 'head', 'svg', 'option', 'datalist']);

  const named = (element, tag) => {
    const role = element.getAttribute('role');
    if (role && ROLES.has(role)) return role;
    if (tag === 'input') return 'input:' + element.type;
    if (tag === 'a') return element.hasAttribute('href') ? 'a' : '';
    return TAGS.has(tag) ? tag : '';
  };

  const isClipped = (style, box) => (box.width < 2 || box.height < 2) && style.overflow !== 'visible' ||
    box.right <= 0 || box.bottom <= 0;

  // Skeletons of the outermost elements that count, in a subtree
  function inside(element, found) {
    const tag = element.localName;
    if (SKIPPED.has(tag)) return;
    const style = getComputedStyle(element);
    if (style.display === 'none' || style.opacity === '0') return;
    const isPlain = style.display === 'contents' || tag === 'body';
    if (!isPlain && isClipped(style, element.getBoundingClientRect())) return;
    const name = style.visibility === 'visible' ? named(element, tag) : '';
    const within = name ? new Set() : found;
    for (const child of element.children) inside(child, within);
    if (name) found.add(within.size ? name + '(' + [...within].sort().join() + ')' : name);
  }

  const found = new Set();
  scrollTo(0, 0);
  if (document.body) inside(document.body, found);
  return [...found].sort().join();
})()
