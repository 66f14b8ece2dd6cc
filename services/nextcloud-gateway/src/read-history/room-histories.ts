import { GATEWAY_REFUSALS, HistoryMessage } from '@nuqloud/contracts';
import type { RoomHistoryPage } from '@nuqloud/contracts';
import { z } from 'zod';
import { readOcsAnswer } from '../ask-ocs/ask-ocs';
import { GatewayRefusal } from '../domain/gateway-refusal';
import type { KnownPeople } from '../identify-person/known-people';
import type { InstanceDirectory } from '../ports/instance-directory';
import type { Nextcloud } from '../ports/nextcloud';

/** Messages asked for at once: mostly they fit into one reply on the bus. */
const PAGE = 20;
const MAX_REPLY_CHARACTERS = 256 * 1024;
const PATIENCE_MS = 8_000;

const Answer = z.object({ ocs: z.object({ data: z.array(z.looseObject({ id: z.int().nonnegative() })) }) });

/** Reads rooms as the member that the administrator named for it, and as nobody else. */
export class RoomHistories {
  constructor(
    private readonly instances: InstanceDirectory,
    private readonly people: KnownPeople,
    private readonly nextcloud: Nextcloud,
  ) {}

  /** @throws GatewayRefusal NO_HISTORY_READER, NOT_FOUND where the reader is no member, and of Nextcloud */
  async read(id: string, room: string, after: string): Promise<RoomHistoryPage> {
    const instance = await this.instances.get(id);
    const { historyReader } = instance;
    if (historyReader === undefined) throw noReader(id);
    await this.people.confirm(instance, historyReader);
    const answer = await this.nextcloud.send(instance, historyReader, {
      method: 'GET',
      path: `/ocs/v2.php/apps/spreed/api/v1/chat/${room}?${queryAfter(after)}`,
      headers: { 'ocs-apirequest': 'true', accept: 'application/json' },
      patienceMs: PATIENCE_MS,
    });
    if (answer.status === 304) answer.body.destroy();
    if (answer.status === 304) return { v: 1, messages: [], next: null };
    if (answer.status === 404) answer.body.destroy();
    if (answer.status === 404) throw noMember();
    return pageOf((await readOcsAnswer(answer, Answer)).ocs.data);
  }
}

/** Nothing of the reader's own state may change: no read marker, no notification, no presence. */
const queryAfter = (after: string): string =>
  new URLSearchParams({
    format: 'json',
    lookIntoFuture: '1',
    lastKnownMessageId: after,
    limit: String(PAGE),
    timeout: '0',
    setReadMarker: '0',
    markNotificationsAsRead: '0',
    noStatusUpdate: '1',
  }).toString();

/** As many as fit; at least one, so that the next page is another one. */
const pageOf = (shown: readonly { readonly id: number }[]): RoomHistoryPage => {
  const messages: HistoryMessage[] = [];
  let characters = 0;
  let next: string | null = null;
  for (const one of shown) {
    const message = HistoryMessage.safeParse(one).data;
    characters += message ? JSON.stringify(message).length : 0;
    if (messages.length > 0 && characters > MAX_REPLY_CHARACTERS) break;
    if (message) messages.push(message);
    next = String(one.id);
  }
  return { v: 1, messages, next };
};

const noReader = (instance: string): GatewayRefusal =>
  new GatewayRefusal(
    GATEWAY_REFUSALS.NO_HISTORY_READER,
    `The instance ${instance} has no historyReader in the provision file, so nobody reads its rooms.`,
  );

const noMember = (): GatewayRefusal =>
  new GatewayRefusal(
    GATEWAY_REFUSALS.NOT_FOUND,
    'The historyReader is no member of that room; a moderator can add it there.',
  );
