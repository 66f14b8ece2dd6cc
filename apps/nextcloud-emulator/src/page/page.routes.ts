import { createHash } from 'node:crypto';
import type { ControlCall, ControlHandler } from '../control/control-call';
import { roomOf } from '../control/control-call';
import { headerOf } from '../http/exchange';
import type { Reply } from '../http/exchange';
import type { Router } from '../http/router';
import { formatActor, parseActor } from '../world/actors';
import { renderMessages } from './render-messages';
import { hasMembers, renderEmptyPage, renderPage } from './render-page';
import { SCRIPT } from './script';
import { STYLE } from './style';

/** Only the page's own files run; whatever a message managed to smuggle in would not. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export function addPageRoutes(router: Router<ControlHandler>): void {
  router.on('GET', '/', showPage);
  router.on('GET', '/_emulator/page/page.css', () => textReply('text/css', STYLE));
  router.on('GET', '/_emulator/page/page.js', () => textReply('text/javascript', SCRIPT));
  router.on('GET', '/_emulator/page/rooms/{token}/messages', showMessages);
}

/** The wanted room and person where they exist, else the first ones. */
function showPage({ emulation, exchange }: ControlCall): Reply {
  const rooms = [...emulation.world.rooms.values()].filter(hasMembers);
  const room = rooms.find(({ token }) => token === exchange.query.get('room')) ?? rooms[0];
  const member =
    room?.members.find(({ actor }) => formatActor(actor) === exchange.query.get('as')) ?? room?.members[0];
  return textReply(
    'text/html',
    room && member ? renderPage(emulation, room, member) : renderEmptyPage(emulation),
  );
}

function showMessages(call: ControlCall): Reply {
  const html = renderMessages(call.emulation, roomOf(call), parseActor(call.exchange.query.get('as') ?? ''));
  const etag = `"${createHash('sha1').update(html).digest('hex')}"`;
  if (headerOf(call.exchange, 'if-none-match') === etag) return { status: 304, headers: { ETag: etag } };
  const reply = textReply('text/html', html);
  return { ...reply, headers: { ...reply.headers, ETag: etag } };
}

function textReply(type: string, body: string): Reply {
  return {
    status: 200,
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
    },
    body,
  };
}
