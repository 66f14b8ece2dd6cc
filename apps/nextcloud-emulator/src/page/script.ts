/**
 * What runs in the browser: polls the messages, sends what is written, and the actions on a message. The HTML of the
 * messages comes ready from the server; text that is put in here goes through textContent only.
 */
export const SCRIPT = `
'use strict';
const page = document.body.dataset;
const list = document.querySelector('.messages');
const scroller = document.querySelector('main');
const write = document.querySelector('form.write');
const input = write.querySelector('textarea');
const context = document.querySelector('.context');
const problem = document.querySelector('.problem');
const roomUrl = page.control + '/rooms/' + page.room + '/messages';
const POLL_MS = 1000;

let etag = '';
let mode = { kind: 'new' };
/** Whether the end is in sight: then it stays so when something is added. */
let pinned = true;

async function refresh() {
  const answer = await fetch(page.messages, { headers: etag ? { 'If-None-Match': etag } : {} });
  if (answer.status !== 200) return;
  const html = await answer.text();
  const menuOpen = list.querySelector('details[open]');
  if (menuOpen && etag) return;
  etag = answer.headers.get('ETag') || '';
  list.innerHTML = html;
  for (const time of list.querySelectorAll('time')) {
    const at = new Date(time.textContent);
    time.dateTime = time.textContent;
    time.textContent = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  }
  if (pinned) requestAnimationFrame(toEnd);
}

function toEnd() {
  scroller.scrollTop = scroller.scrollHeight;
}

async function poll() {
  try {
    if (!document.hidden) await refresh();
    if (problem.dataset.kind === 'connection') tell('');
  } catch {
    tell('The emulator does not answer. It is tried again.', 'connection');
  }
  setTimeout(poll, POLL_MS);
}

function tell(text, kind) {
  problem.textContent = text;
  problem.dataset.kind = kind || '';
}

async function call(method, url, body) {
  const answer = await fetch(url, { method, body: JSON.stringify(body) });
  if (answer.ok) return;
  const reason = await answer.json().catch(() => ({}));
  throw new Error(reason.error || 'The emulator answered ' + answer.status);
}

/** The message appears at once; the call itself lasts until the bots have answered, as in Nextcloud. */
async function change(method, url, body) {
  tell('');
  const done = call(method, url, body);
  setTimeout(() => refresh().catch((error) => tell(error.message)), 60);
  await done;
  await refresh();
}

function setMode(next) {
  mode = next;
  context.hidden = next.kind === 'new';
  context.querySelector('span').textContent = next.label || '';
  input.focus();
}

write.addEventListener('submit', async (event) => {
  event.preventDefault();
  const text = input.value;
  if (text.trim() === '') return;
  const current = mode;
  input.value = '';
  setMode({ kind: 'new' });
  toEnd();
  try {
    if (current.kind === 'edit') await change('POST', roomUrl + '/' + current.id + '/edit', { user: page.user, text });
    else await change('POST', roomUrl, { user: page.user, text, ...(current.kind === 'reply' && { replyTo: current.id }) });
  } catch (error) {
    input.value = input.value || text;
    tell(error.message);
  }
});

input.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    write.requestSubmit();
  }
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  const open = list.querySelector('details[open]');
  if (open) {
    open.open = false;
    open.querySelector('summary').focus();
  } else if (mode.kind !== 'new') {
    if (mode.kind === 'edit') input.value = '';
    setMode({ kind: 'new' });
  }
});

document.addEventListener('click', (event) => {
  for (const menu of list.querySelectorAll('details[open]')) if (!menu.contains(event.target)) menu.open = false;
  const button = event.target.closest('[data-do]');
  if (button) act(button, button.closest('.message')).catch((error) => tell(error.message));
});

list.addEventListener(
  'toggle',
  ({ target }) => target.open && target.querySelector('.menu').scrollIntoView({ block: 'nearest' }),
  true,
);

context.querySelector('button').addEventListener('click', () => {
  if (mode.kind === 'edit') input.value = '';
  setMode({ kind: 'new' });
});

async function act(button, message) {
  const id = Number(message.dataset.id);
  const menu = button.closest('details');
  if (menu) menu.open = false;
  switch (button.dataset.do) {
    case 'reply':
      return setMode({ kind: 'reply', id, label: 'Reply to ' + message.dataset.name });
    case 'edit':
      input.value = message.querySelector('.source').content.textContent;
      return setMode({ kind: 'edit', id, label: 'Edit your message' });
    case 'delete':
      return change('DELETE', roomUrl + '/' + id, { user: page.user });
    case 'react': {
      const emoji = button.dataset.emoji;
      const shown = [...message.querySelectorAll('.reaction')].find((one) => one.dataset.emoji === emoji);
      const method = shown && shown.getAttribute('aria-pressed') === 'true' ? 'DELETE' : 'POST';
      return change(method, roomUrl + '/' + id + '/reactions', { user: page.user, reaction: emoji });
    }
  }
}

for (const select of document.querySelectorAll('.choice select')) {
  select.addEventListener('change', () => select.form.submit());
}
document.querySelector('.choice button').hidden = true;
scroller.addEventListener('scroll', () => {
  pinned = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;
});
new ResizeObserver(() => pinned && toEnd()).observe(write);
poll();
`;
