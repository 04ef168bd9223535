'use strict';
// Addresses and endpoints.

(() => {
  const { el, count, panel, table } = statecrawl;

  statecrawl.pages.addresses = () => {
    const { model } = statecrawl;
    const { numbers } = { numbers: new Map(model.graph.ids.map((id, number) => [id, number])) };
    const first = (row) => numbers.get(row.seen[0][0]) ?? -1;
    const methods = [...new Set(model.endpoints.map((row) => row.method))].map((method) => [method, method]);
    const ways = [...new Set(model.addresses.flatMap((row) => row.ways))].sort().map((way) => [way, way]);
    return [
      el('header', { class: 'head' }, el('h1', {}, 'Addresses')),
      panel('Endpoints', `${count(model.endpoints.length)} that the application asked by itself`, table(model.endpoints, [
        { title: 'method', cell: (row) => el('b', { class: 'method' }, row.method), text: (row) => row.method },
        { title: 'address', cell: (row) => [statecrawl.address(row.url), row.queries.length ? el('details', {}, el('summary', {}, row.queries.length === 1 ? 'one query' : count(row.queries.length) + ' queries'), el('ul', {}, row.queries.map((query) => el('li', {}, el('code', {}, '?' + query))))) : null], text: (row) => row.url, wide: true },
        { title: 'by', cell: (row) => row.by.join(', '), text: (row) => row.by.join(' ') },
        { title: 'first in', cell: (row) => statecrawl.stateLink(first(row)), text: first },
        { title: 'at the event', cell: (row) => (row.seen[0][1] ? el('code', {}, row.seen[0][1]) : el('span', { class: 'soft' }, 'when it was opened')), text: (row) => row.seen[0][1] || '', wide: true },
        { title: 'trouble', cell: (row) => (row.trouble ? el('span', { class: 'mark hung' }, row.trouble) : ''), text: (row) => row.trouble },
      ], { caption: 'Endpoints', none: 'No script of the application asked for anything.', filters: methods.length > 1 ? [{ label: 'method', options: methods, keep: (row, method) => row.method === method }] : [] })),
      panel('URLs', `${count(model.addresses.length)} found`, table(model.addresses, [
        { title: 'address', cell: (row) => statecrawl.address(row.url), text: (row) => row.url, wide: true },
        { title: 'found as', cell: (row) => row.ways.map((way) => el('span', { class: 'mark' }, way)), text: (row) => row.ways.join(' ') },
        { title: 'first in', cell: (row) => statecrawl.stateLink(row.state), text: (row) => row.state },
        { title: 'in states', cell: (row) => count(row.states), text: (row) => row.states, number: true },
      ], { caption: 'URLs', filters: [{ label: 'found as', options: ways, keep: (row, way) => row.ways.includes(way) }] })),
    ];
  };
})();
