'use strict';
// Tables that can be searched, filtered and sorted, and that show a limited number of rows at a time.

(() => {
  const { el, button, search, count, empty } = statecrawl;
  const ROWS = 100;

  /**
   * `columns`: [{title, cell(row) -> content, text(row) -> value for search and sorting, number?: true, wide?: true}].
   * `filters`: [{label, options: [[value, text]], keep(row, value)}].
   */
  statecrawl.table = (rows, columns, { caption, hint, filters = [], none = 'None.' } = {}) => {
    if (!rows.length) return empty(none);
    let words = '', shown = ROWS, by = null, down = false;
    const chosen = filters.map(() => '');
    const body = el('tbody');
    const foot = el('p', { class: 'more', 'aria-live': 'polite' });
    const heads = columns.map((column, place) => {
      const head = el('th', { scope: 'col', class: column.number ? 'number' : null, 'aria-sort': 'none' });
      head.append(button(column.title, () => {
        down = by === place ? !down : Boolean(column.number);
        by = place;
        heads.forEach((other, i) => other.setAttribute('aria-sort', i === by ? (down ? 'descending' : 'ascending') : 'none'));
        draw();
      }));
      return head;
    });
    const textOf = (row) => columns.map((column) => String(column.text(row))).join(' ').toLowerCase();
    const order = (one, other) => {
      const a = columns[by].text(one), b = columns[by].text(other);
      const first = typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
      return down ? -first : first;
    };
    const draw = () => {
      let matching = rows.filter((row) => (!words || textOf(row).includes(words)) && filters.every((filter, i) => !chosen[i] || filter.keep(row, chosen[i])));
      if (by !== null) matching = [...matching].sort(order);
      const cells = (row) => columns.map((column) => el('td', { class: [column.number ? 'number' : '', column.wide ? 'wide' : ''].join(' ').trim() || null }, column.cell(row)));
      body.replaceChildren(...matching.slice(0, shown).map((row) => el('tr', {}, cells(row))));
      const left = matching.length - shown;
      foot.replaceChildren(
        matching.length === rows.length ? '' : `${count(matching.length)} of ${count(rows.length)} `,
        left > 0 ? button(`Show ${count(Math.min(left, ROWS))} more of ${count(left)}`, () => { shown += ROWS; draw(); }) : '',
      );
    };
    draw();
    const again = (change) => (value) => { change(value); shown = ROWS; draw(); };
    const bar = rows.length > 8 ? el('div', { class: 'tools' },
      search(hint || 'Search', again((value) => { words = value; })),
      filters.map((filter, i) => statecrawl.select(filter.label, [['', 'all'], ...filter.options], again((value) => { chosen[i] = value; }), ''))) : null;
    return el('div', { class: 'table' }, bar,
      el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption || 'Table' },
        el('table', {}, caption ? el('caption', { class: 'unseen' }, caption) : null, el('thead', {}, el('tr', {}, heads)), body)),
      foot);
  };
})();
