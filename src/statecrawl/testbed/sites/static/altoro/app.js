// Everything listens at the document: panels come and go, and their links and buttons work from the first moment.
'use strict';

const EXPLAINED_MILLISECONDS = 3000;
const TRANSFER = 'account/transfer';

let asked = 0; // counts requests, so that an answer that comes too late can be told

async function answerOf(address, options) {
  const number = ++asked;
  const response = await fetch(address, options);
  const html = await response.text();
  return response.ok && number === asked ? html : null;
}

async function show(address, options) {
  const html = await answerOf(address, options);
  if (html === null) return;
  $('#panel').html(html);
  const shown = addressOf($('#panel article').data('shown'));
  $('#menu a').removeAttr('aria-current').filter(`[href="${shown}"]`).attr('aria-current', 'page');
}

function addressOf(panel) {
  return `/panel/${encodeURI(panel)}`;
}

function closeDialog() {
  const dialog = $('#dialog');
  dialog.get(0).close();
  dialog.empty();
}

$(document).on('click', 'a[href^="/panel/"]', (event) => {
  event.preventDefault();
  show($(event.currentTarget).attr('href'));
});

$(document).on('click', 'button[data-panel]', (event) => show(addressOf($(event.currentTarget).data('panel'))));

$(document).on('click', 'button.print', () => window.print());

$(document).on('submit', '#sign-in', (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  show(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
});

// A transfer is confirmed in a dialog that covers everything else

$(document).on('click', 'button.transfer', async () => {
  const html = await answerOf(addressOf(`${TRANSFER}/confirm`));
  if (html !== null) $('#dialog').html(html).get(0).showModal();
});

$(document).on('click', '#dialog .confirm', async () => {
  await show(addressOf(`${TRANSFER}/done`));
  closeDialog();
});

$(document).on('click', '#dialog .cancel', closeDialog);

$(document).on('click', '#dialog .explain', () => {
  if ($('#dialog .explanation').length) return;
  const explanation = $('<p class="explanation">').text('The money arrives at once and can be sent back at any time.');
  $('#dialog article').append(explanation);
  setTimeout(() => explanation.remove(), EXPLAINED_MILLISECONDS);
});

$('#dialog').on('cancel', closeDialog); // by the escape key
