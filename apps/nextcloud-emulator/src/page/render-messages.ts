import type { Emulation } from '../emulation';
import { visibleMessages } from '../control/transcript';
import { plainText, renderMessage } from '../talk/render-message';
import type { RenderedMessage } from '../talk/render-message';
import { formatActor, sameActor, shownName } from '../world/actors';
import { findMessage } from '../world/messages';
import type { Actor, Message, Room } from '../world/world';
import { escapeHtml } from './escape-html';
import { renderMarkdown } from './render-markdown';
import { HUES } from './style';

/** The page shows the end of a long history. */
const SHOWN = 200;
const QUOTE_LENGTH = 120;
const QUICK_REACTIONS = ['👍', '❤️', '😄', '🎉', '👀', '✅'];

interface View {
  readonly emulation: Emulation;
  readonly room: Room;
  readonly viewer: Actor;
}

/** The messages of a room as list items, for the person who looks. */
export function renderMessages(emulation: Emulation, room: Room, viewer: Actor): string {
  const view = { emulation, room, viewer };
  const shown = visibleMessages(room, 0).slice(-SHOWN);
  if (shown.length === 0) return '<li class="system">Nothing has been written here yet.</li>';
  return shown
    .map((message) => (message.systemMessage === '' ? renderOne(view, message) : renderTrace(view, message)))
    .join('\n');
}

/** A name for everybody, also for guests who gave none. */
export function nameOf(actor: Actor, name: string): string {
  if (name !== '') return shownName(actor, name);
  return actor.type === 'guests' ? `Guest ${actor.id}` : formatActor(actor);
}

function render({ emulation, room, viewer }: View, message: Message): RenderedMessage {
  const uid = viewer.type === 'users' ? viewer.id : null;
  return renderMessage(emulation.world, room, message, { uid, baseUrl: emulation.publicUrl });
}

function renderTrace(view: View, message: Message): string {
  return `<li class="system">${escapeHtml(plainText(render(view, message)))}</li>`;
}

function renderOne(view: View, message: Message): string {
  const own = sameActor(message.actor, view.viewer);
  const name = nameOf(message.actor, message.actorName);
  const classes = ['message', own ? 'own' : '', message.actor.type === 'bots' ? 'bot' : ''].join(' ').trim();
  return `<li class="${classes}" id="m${message.id}" data-id="${message.id}" data-name="${escapeHtml(name)}">
<span class="avatar hue-${hueOf(message.actor)}" aria-hidden="true">${escapeHtml(initialOf(name))}</span>
<div class="bubble">
<div class="head"><span class="name">${escapeHtml(name)}</span> <time>${timeOf(message)}</time>${message.edit ? ' <span class="edited">edited</span>' : ''}</div>
${renderQuote(view, message)}${renderBody(view, message)}${renderReactions(view, message)}
</div>${message.deleted ? '' : renderActions(message, own)}
</li>`;
}

function renderBody(view: View, message: Message): string {
  const rendered = render(view, message);
  if (message.deleted) return `<p class="deleted">${escapeHtml(rendered.message)}</p>`;
  const file = message.file ? `<p class="file">📎 ${escapeHtml(message.file.name)}</p>` : '';
  const text = rendered.message === '{file}' ? '' : renderMarkdown(rendered.message, rendered.parameters);
  const source = own(view, message) ? `<template class="source">${escapeHtml(message.text)}</template>` : '';
  return `${file}<div class="text">${text}</div>${source}`;
}

function own(view: View, message: Message): boolean {
  return sameActor(message.actor, view.viewer);
}

function renderQuote(view: View, message: Message): string {
  const parent = message.parentId === null ? undefined : findMessage(view.room, message.parentId);
  if (!parent) return '';
  const text = plainText(render(view, parent));
  const short = text.length > QUOTE_LENGTH ? `${[...text].slice(0, QUOTE_LENGTH).join('')}…` : text;
  const name = nameOf(parent.actor, parent.actorName);
  return `<a class="quote" href="#m${parent.id}"><b>${escapeHtml(name)}</b> ${escapeHtml(short)}</a>\n`;
}

function renderReactions(view: View, message: Message): string {
  const emojis = [...new Set(message.reactions.map(({ emoji }) => emoji))];
  if (emojis.length === 0) return '';
  const buttons = emojis.map((emoji) => {
    const by = message.reactions.filter((one) => one.emoji === emoji);
    const mine = by.some(({ actor }) => sameActor(actor, view.viewer));
    const names = by.map(({ actor, actorName }) => nameOf(actor, actorName)).join(', ');
    return `<button type="button" class="reaction" data-do="react" data-emoji="${escapeHtml(emoji)}" aria-pressed="${mine}" title="${escapeHtml(names)}">${escapeHtml(emoji)} ${by.length}</button>`;
  });
  return `<div class="reactions">${buttons.join('')}</div>`;
}

function renderActions(message: Message, isOwn: boolean): string {
  const quick = QUICK_REACTIONS.map(
    (emoji) =>
      `<button type="button" data-do="react" data-emoji="${emoji}" aria-label="React with ${emoji}">${emoji}</button>`,
  );
  const change = isOwn
    ? `<button type="button" data-do="edit">Edit</button><button type="button" data-do="delete">Delete</button>`
    : '';
  return `<details class="actions"><summary aria-label="Actions for message ${message.id}">⋯</summary><div class="menu"><div class="quick">${quick.join('')}</div><button type="button" data-do="reply">Reply</button>${change}</div></details>`;
}

function timeOf(message: Message): string {
  return new Date(message.timestamp * 1000).toISOString();
}

function initialOf(name: string): string {
  return [...name][0]?.toUpperCase() ?? '?';
}

/** One of the stylesheet's colours, always the same for the same actor. */
function hueOf(actor: Actor): number {
  const sum = [...formatActor(actor)].reduce(
    (total, sign) => (total * 31 + (sign.codePointAt(0) ?? 0)) % 9973,
    7,
  );
  return sum % HUES;
}
