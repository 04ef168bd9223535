// The time of the last rendering is shown: dynamic content.
import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';

const BOOKS = ['Dune', 'Emma'];
const EMPTY = { view: 'books', read: [], unread: false, help: false };

function App() {
  const [state, set] = useState(EMPTY);
  const change = (more) => () => set({ ...state, ...more });
  const toggle = (book) => () =>
    set({ ...state, read: state.read.includes(book) ? state.read.filter((one) => one !== book) : [...state.read, book] });
  const shown = BOOKS.filter((book) => !state.unread || !state.read.includes(book));
  return h('main', null,
    h('nav', null,
      h('button', { onClick: () => set(state.view === 'books' ? state : EMPTY) }, 'Books'),
      h('button', { onClick: () => set({ ...EMPTY, view: 'about' }) }, 'About')),
    h('small', null, 'as of ', new Date().toLocaleTimeString()),
    state.view === 'about'
      ? h('p', null, 'A shelf of two books.')
      : h('section', null,
          h('ul', null, shown.map((book) =>
            h('li', { key: book }, h('label', null,
              h('input', { type: 'checkbox', name: book, checked: state.read.includes(book), onChange: toggle(book) }), book)))),
          h('button', { onClick: change({ unread: false }), className: state.unread ? '' : 'on' }, 'All'),
          h('button', { onClick: change({ unread: true }), className: state.unread ? 'on' : '' }, 'Unread'),
          h('button', { onClick: change({ help: !state.help }) }, 'Help'),
          state.help && h('aside', null, 'Tick a book when you have read it.')));
}

createRoot(document.getElementById('app')).render(h(App));
