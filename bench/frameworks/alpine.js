// What is not shown is hidden, not removed; styles come and go.
import Alpine from 'alpinejs';

document.getElementById('app').innerHTML = `
  <div x-data="shelf">
    <nav><button @click="open('books')">Books</button><button @click="open('about')">About</button></nav>
    <p x-show="view === 'about'">A shelf of two books.</p>
    <section x-show="view === 'books'">
      <ul><template x-for="book in ['Dune', 'Emma']" :key="book"><li x-show="!unread || !read.includes(book)">
        <label><input type="checkbox" :name="book" :value="book" x-model="read"><span x-text="book"></span></label></li></template></ul>
      <button :class="unread || 'on'" @click="unread = false">All</button>
      <button :class="unread && 'on'" @click="unread = true">Unread</button>
      <button @click="help = !help">Help</button>
      <aside x-show="help">Tick a book when you have read it.</aside>
    </section>
  </div>`;
const empty = () => ({ read: [], unread: false, help: false });
Alpine.data('shelf', () => ({
  ...empty(),
  view: 'books',
  open(view) { if (view !== this.view) Object.assign(this, empty(), { view }); },
}));
Alpine.start();
