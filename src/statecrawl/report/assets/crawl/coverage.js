'use strict';
// The share of the application's JavaScript that has run.

(() => {
  const { el, svg, count, panel, table, empty } = statecrawl;

  const share = (part, all) => (all ? part / all : 1);
  /** Rounds down, so that 100 % means everything. */
  const percent = (value) => Math.floor(value * 100 + 1e-9) + ' %';

  const bar = (value) => svg('svg', { viewBox: '0 0 100 6', preserveAspectRatio: 'none', class: 'meter', 'aria-hidden': 'true' },
    svg('rect', { x: 0, y: 0, width: 100, height: 6, class: 'rest' }), svg('rect', { x: 0, y: 0, width: 100 * value, height: 6, class: 'part' }));

  const never = (file) => (file.never.length
    ? el('details', {}, el('summary', {}, count(file.functions - file.ran)), el('ul', { class: 'never' }, file.never.map(([name, line, size]) => el('li', {}, el('code', {}, name || '(anonymous)'), el('span', { class: 'soft' }, `line ${count(line)}, ${count(size)} characters`)))))
    : el('span', { class: 'soft' }, '0'));

  statecrawl.pages.coverage = () => {
    const files = statecrawl.model.coverage;
    const head = (lead) => el('header', { class: 'head' }, el('h1', {}, 'Coverage'), el('p', { class: 'soft' }, lead));
    if (!files.length) return [head('How much of the application’s JavaScript ran during the crawl.'), empty('Coverage was not measured. Use --coverage with a crawl in one process.')];
    const sum = (name) => files.reduce((all, file) => all + file[name], 0);
    const all = share(sum('covered'), sum('length'));
    const tile = (name, value, note) => el('div', {}, el('dt', {}, name), el('dd', {}, value), el('dd', { class: 'note' }, note));
    return [
      head('How much of the application’s JavaScript ran during the crawl, measured by V8 in characters of source code and in functions. Functions nested in a function that never ran are not counted.'),
      el('dl', { class: 'tiles' },
        tile('code executed', percent(all), `${count(sum('covered'))} of ${count(sum('length'))} characters`),
        tile('functions executed', percent(share(sum('ran'), sum('functions'))), `${count(sum('ran'))} of ${count(sum('functions'))}`),
        tile('scripts', count(files.length), 'that have a URL')),
      panel('Scripts', null, table(files, [
        { title: 'script', cell: (file) => statecrawl.address(file.url), text: (file) => file.url, wide: true },
        { title: 'executed', cell: (file) => [percent(share(file.covered, file.length)), bar(share(file.covered, file.length))], text: (file) => share(file.covered, file.length), number: true },
        { title: 'characters', cell: (file) => count(file.length), text: (file) => file.length, number: true },
        { title: 'functions', cell: (file) => count(file.functions), text: (file) => file.functions, number: true },
        { title: 'never executed', cell: never, text: (file) => file.functions - file.ran, wide: true },
      ], { caption: 'Scripts' })),
    ];
  };
})();
