// Listeners are delegated to the document.
import { createSignal } from 'solid-js';
import html from 'solid-js/html';
import { render } from 'solid-js/web';

const App = () => {
  const [view, setView] = createSignal('books');
  const [read, setRead] = createSignal([]);
  const [unread, setUnread] = createSignal(false);
  const [help, setHelp] = createSignal(false);
  const open = (next) => () => {
    if (next === view()) return;
    setRead([]); setUnread(false); setHelp(false); setView(next);
  };
  const toggle = (book) => () => setRead(read().includes(book) ? read().filter((one) => one !== book) : [...read(), book]);
  const shown = () => ['Dune', 'Emma'].filter((book) => !unread() || !read().includes(book));
  return html`<nav><button onClick=${open('books')}>Books</button><button onClick=${open('about')}>About</button></nav>
    ${() => view() === 'about'
      ? html`<p>A shelf of two books.</p>`
      : html`<section>
          <ul>${() => shown().map((book) => html`<li><label>
            <input type="checkbox" name=${book} prop:checked=${() => read().includes(book)} onChange=${toggle(book)} />${book}</label></li>`)}</ul>
          <button class=${() => (unread() ? '' : 'on')} onClick=${() => setUnread(false)}>All</button>
          <button class=${() => (unread() ? 'on' : '')} onClick=${() => setUnread(true)}>Unread</button>
          <button onClick=${() => setHelp(!help())}>Help</button>
          ${() => help() && html`<aside>Tick a book when you have read it.</aside>`}
        </section>`}`;
};

render(App, document.getElementById('app'));
