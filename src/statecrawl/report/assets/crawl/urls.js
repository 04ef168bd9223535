'use strict';
// The page of URLs and endpoints.

(() => {
  const { el, count, panel, table } = statecrawl;

  const WHICH = {
    visited: (row) => row.visited,
    'not visited': (row) => !row.visited && row.in_scope,
    'out of scope': (row) => !row.in_scope,
    'with an error': (row) => row.status === 0 || row.status >= 400,
  };

  const status = (code) => el('span', { class: code && code < 400 ? 'mark' : 'mark hung' }, code ? String(code) : 'no response');

  /** The first place where a URL was found; the others can be expanded. */
  const places = (row) => {
    const place = ([way, state, resource]) => [
      el('span', { class: 'mark' }, way),
      resource ? statecrawl.address(resource) : null,
      state >= 0 ? [resource ? ' in ' : null, statecrawl.stateLink(state)] : null,
    ];
    if (row.places.length === 1) return place(row.places[0]);
    return el('details', {}, el('summary', {}, `${count(row.places.length + row.more)} places`),
      el('ul', { class: 'links' }, row.places.map((each) => el('li', {}, place(each)))),
      row.more ? el('p', { class: 'soft' }, `and ${count(row.more)} more`) : null);
  };

  statecrawl.pages.urls = () => {
    const { model } = statecrawl;
    const numbers = new Map(model.graph.ids.map((id, number) => [id, number]));
    const first = (row) => numbers.get(row.seen[0][0]) ?? -1;
    const endpoints = model.endpoints.filter((row) => !row.is_part);
    const methods = [...new Set(endpoints.map((row) => row.method))].map((method) => [method, method]);
    const ways = [...new Set(model.addresses.flatMap((row) => row.ways))].sort().map((way) => [way, way]);
    return [
      el('header', { class: 'head' }, el('h1', {}, 'URLs')),
      panel('Endpoints', `${count(endpoints.length)} requested by scripts`, table(endpoints, [
        { title: 'method', cell: (row) => el('b', { class: 'method' }, row.method), text: (row) => row.method },
        { title: 'URL', cell: (row) => [statecrawl.address(row.url), row.queries.length ? el('details', {}, el('summary', {}, row.queries.length === 1 ? '1 query' : count(row.queries.length) + ' queries'), el('ul', {}, row.queries.map((query) => el('li', {}, el('code', {}, '?' + query))))) : null], text: (row) => row.url, wide: true },
        { title: 'initiator', cell: (row) => row.by.map((by) => el('span', { class: 'mark' }, by)), text: (row) => row.by.join(' ') },
        { title: 'first state', cell: (row) => statecrawl.stateLink(first(row)), text: first },
        { title: 'event', cell: (row) => (row.seen[0][1] ? el('code', {}, row.seen[0][1]) : el('span', { class: 'soft' }, 'page load')), text: (row) => row.seen[0][1] || '', wide: true },
        { title: 'status', cell: (row) => row.statuses.map(status), text: (row) => row.statuses.join(' ') },
        { title: 'problem', cell: (row) => (row.trouble ? el('span', { class: 'mark hung' }, row.trouble) : ''), text: (row) => row.trouble },
      ], { caption: 'Endpoints', none: 'The application’s scripts made no requests.', filters: methods.length > 1 ? [{ label: 'method', options: methods, keep: (row, method) => row.method === method }] : [] })),
      panel('URLs', `${count(model.addresses.length)} found, ${count(model.addresses.filter((row) => row.visited).length)} visited`,
        model.addresses_left_out.map((text) => el('p', { class: 'soft' }, text)),
        table(model.addresses, [
          { title: 'URL', cell: (row) => statecrawl.address(row.url), text: (row) => row.url, wide: true },
          { title: 'found as', cell: (row) => row.ways.map((way) => el('span', { class: 'mark' }, way)), text: (row) => row.ways.join(' ') },
          { title: 'found in', cell: places, text: (row) => row.places.map(([, , resource]) => resource).join(' ') },
          { title: 'states', cell: (row) => (row.states ? count(row.states) : ''), text: (row) => row.states, number: true },
          { title: 'status', cell: (row) => (row.status === null ? '' : status(row.status)), text: (row) => row.status ?? -1 },
          { title: 'visited', cell: (row) => (row.visited ? 'yes' : el('span', { class: 'soft' }, row.in_scope ? 'no' : 'no, out of scope')), text: (row) => (row.visited ? 'yes' : row.in_scope ? 'no' : 'no, out of scope') },
        ], {
          caption: 'URLs',
          hint: 'Search URLs',
          filters: [
            { label: 'found as', options: ways, keep: (row, way) => row.ways.includes(way) },
            { label: 'show', options: Object.entries(WHICH).map(([name]) => [name, name]), keep: (row, name) => WHICH[name](row) },
          ],
        })),
    ];
  };
})();
