import type { Emulation } from '../emulation';
import { botsOf, formatActor } from '../world/actors';
import type { Member, Room } from '../world/world';
import { escapeHtml } from './escape-html';
import { nameOf } from './render-messages';

/** The chat page for one room and one person. */
export function renderPage(emulation: Emulation, room: Room, member: Member): string {
  const base = `${emulation.webRoot}/_emulator`;
  const user = formatActor(member.actor);
  const messages = `${base}/page/rooms/${room.token}/messages?as=${encodeURIComponent(user)}`;
  const attributes = { room: room.token, user, control: base, messages };
  const data = Object.entries(attributes).map(([name, value]) => `data-${name}="${escapeHtml(value)}"`);
  return frame(
    base,
    emulation.notice,
    `<body ${data.join(' ')}>
<header>
<h1>Talk, emulated</h1>
<form class="choice" method="get">
<label>Conversation ${select('room', roomOptions(emulation), room.token)}</label>
<label>You are ${select('as', memberOptions(room), user)}</label>
<button type="submit">Go</button>
</form>
</header>`,
    `<main tabindex="-1"><ol class="messages" role="log" aria-label="Messages"></ol></main>
<footer>
<p class="problem" role="alert"></p>
<div class="context" hidden><span></span><button type="button">Cancel</button></div>
<form class="write">
<label class="hidden" for="text">Message</label>
<textarea id="text" rows="1" placeholder="${escapeHtml(placeholderOf(emulation, room))}" autofocus></textarea>
<button class="send">Send</button>
</form>
</footer>
<script src="${base}/page/page.js"></script>`,
  );
}

/** Shown when the world has no room with somebody in it. */
export function renderEmptyPage(emulation: Emulation): string {
  return frame(
    `${emulation.webRoot}/_emulator`,
    emulation.notice,
    '<body>\n<header><h1>Talk, emulated</h1></header>',
    '<main><p>There is no room with members in this world. Give the emulator a fixture that has one.</p></main>',
  );
}

function frame(base: string, notice: string, top: string, rest: string): string {
  const extra = notice === '' ? '' : ` <strong>${escapeHtml(notice)}</strong>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Talk, emulated</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/page/page.css">
</head>
${top}
<div class="notice" role="note"><p>This is an emulator, not a Nextcloud: everything is in memory and gone when it stops.${extra}</p></div>
${rest}
</body>
</html>
`;
}

function placeholderOf(emulation: Emulation, room: Room): string {
  const [bot] = botsOf(emulation.world, room);
  return bot ? `Try: @${bot.name} help` : 'Write a message';
}

function roomOptions(emulation: Emulation): [value: string, label: string][] {
  return [...emulation.world.rooms.values()].filter(hasMembers).map((room) => [room.token, room.name]);
}

function memberOptions(room: Room): [value: string, label: string][] {
  return room.members.map(({ actor, displayName }) => {
    const name = nameOf(actor, displayName);
    const kind = { guests: 'guest', emails: 'guest', federated_users: 'federated' }[actor.type];
    return [formatActor(actor), kind === undefined || displayName === '' ? name : `${name} (${kind})`];
  });
}

export function hasMembers(room: Room): boolean {
  return room.members.length > 0;
}

function select(name: string, options: [value: string, label: string][], chosen: string): string {
  const rows = options.map(
    ([value, label]) =>
      `<option value="${escapeHtml(value)}"${value === chosen ? ' selected' : ''}>${escapeHtml(label)}</option>`,
  );
  return `<select name="${name}">${rows.join('')}</select>`;
}
