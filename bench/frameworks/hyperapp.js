// One state, and actions that return the next.
import { app, h, text } from 'hyperapp';

const EMPTY = { view: 'books', read: [], unread: false, help: false };
const open = (state, view) => (view === state.view ? state : { ...EMPTY, view });
const tick = (state, book) => ({ ...state, read: state.read.includes(book) ? state.read.filter((each) => each !== book) : [...state.read, book] });
const button = (label, action, on) => h('button', { class: { on }, onclick: action }, text(label));
const books = (state) => [
  h('ul', {}, ['Dune', 'Emma'].filter((book) => !state.unread || !state.read.includes(book)).map((book) =>
    h('li', { key: book }, h('label', {}, [
      h('input', { type: 'checkbox', name: book, checked: state.read.includes(book), onchange: [tick, book] }),
      h('span', {}, text(book)),
    ])))),
  button('All', (now) => ({ ...now, unread: false }), !state.unread),
  button('Unread', (now) => ({ ...now, unread: true }), state.unread),
  button('Help', (now) => ({ ...now, help: !now.help })),
  state.help && h('aside', {}, text('Tick a book when you have read it.')),
];
app({
  init: EMPTY,
  view: (state) => h('main', {}, [
    h('nav', {}, [button('Books', [open, 'books']), button('About', [open, 'about'])]),
    ...(state.view === 'about' ? [h('p', {}, text('A shelf of two books.'))] : books(state)),
  ]),
  node: document.getElementById('app'),
});
