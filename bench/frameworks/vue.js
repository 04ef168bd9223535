// The ids of elements count up with every rendering.
import { createApp } from 'vue/dist/vue.esm-bundler.js';

let count = 0;
const empty = () => ({ view: 'books', books: [{ name: 'Dune', read: false }, { name: 'Emma', read: false }], unread: false, help: false });

createApp({
  data: empty,
  computed: {
    shown() { return this.books.filter((book) => !this.unread || !book.read); },
  },
  methods: {
    next() { count += 1; return 'row_' + count; },
    open(view) { if (view !== this.view) Object.assign(this, empty(), { view }); },
  },
  template: `
    <nav><button @click="open('books')">Books</button><button @click="open('about')">About</button></nav>
    <p v-if="view === 'about'">A shelf of two books.</p>
    <section v-else>
      <ul><li v-for="book in shown" :key="book.name" :data-row="next()">
        <label><input type="checkbox" :name="book.name" v-model="book.read"> {{ book.name }}</label></li></ul>
      <button :class="{ on: !unread }" @click="unread = false">All</button>
      <button :class="{ on: unread }" @click="unread = true">Unread</button>
      <button @click="help = !help">Help</button>
      <aside v-if="help">Tick a book when you have read it.</aside>
    </section>`,
}).mount('#app');
