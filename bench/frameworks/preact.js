// The views are routes in the fragment of the URL.
import { Component, render } from 'preact';
import { html } from 'htm/preact';

const BOOKS = ['Dune', 'Emma'];
const EMPTY = { read: {}, unread: false, help: false };

class App extends Component {
  state = { ...EMPTY, view: location.hash === '#/about' ? 'about' : 'books' };

  componentDidMount() {
    addEventListener('hashchange', () => {
      const view = location.hash === '#/about' ? 'about' : 'books';
      if (view !== this.state.view) this.setState({ ...EMPTY, view });
    });
  }

  render(_, { read, unread, help, view }) {
    const shown = BOOKS.filter((book) => !unread || !read[book]);
    const toggle = (book) => this.setState({ read: { ...read, [book]: !read[book] } });
    return html`<nav><a href="#/">Books</a> <a href="#/about">About</a></nav>
      ${view === 'about'
        ? html`<p>A shelf of two books.</p>`
        : html`<ul>${shown.map((book) => html`<li key=${book}><label>
              <input type="checkbox" name=${book} checked=${!!read[book]} onClick=${() => toggle(book)} />${book}</label></li>`)}</ul>
            <button class=${unread ? '' : 'on'} onClick=${() => this.setState({ unread: false })}>All</button>
            <button class=${unread ? 'on' : ''} onClick=${() => this.setState({ unread: true })}>Unread</button>
            <button onClick=${() => this.setState({ help: !help })}>Help</button>
            ${help && html`<aside>Tick a book when you have read it.</aside>`}`}`;
  }
}

render(html`<${App} />`, document.getElementById('app'));
