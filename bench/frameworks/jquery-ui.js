// Three tabs and an accordion of two sections in the first.
import $ from 'jquery';

globalThis.jQuery = $;
await import('jquery-ui/dist/jquery-ui.js');
$('#app').html(`<div id="tabs"><ul><li><a href="#one">One</a></li><li><a href="#two">Two</a></li><li><a href="#three">Three</a></li></ul>
  <div id="one"><p>The first page.</p></div><div id="two"><p>The second page.</p></div><div id="three"><p>The third page.</p></div></div>`);
$('#tabs').tabs();
