import type { BroadcastContract } from '@nuqloud/contracts';
import { errorCode } from '@nuqloud/platform';
import { createInbox } from 'nats';
import type { Msg, NatsConnection } from 'nats';
import type { z } from 'zod';
import { BUS_ERRORS } from '../errors';
import { decodeBody } from '../wire/body';
import { errorOfReply } from '../wire/error-reply';
import type { MessageContext } from '../wire/message-context';
import { toHeaders } from '../wire/message-context';
import { inboxPrefix } from './connect';
import { waitUntil } from './collection-window';
import type { CollectionWindow } from './collection-window';

export interface CollectOptions<Reply> extends CollectionWindow {
  /** Responders known to exist, by the id that `identify` reads from their answer. */
  readonly expected: ReadonlySet<string>;
  readonly identify: (reply: Reply) => string;
  /** Called for an answer that came after the collection had returned, until `maxWaitMs`. */
  readonly onLate?: (id: string, reply: Reply) => void;
}

export interface Collected<Reply> {
  /** The first answer of each responder. */
  readonly answers: ReadonlyMap<string, Reply>;
  /** Expected responders that did not answer in time. */
  readonly silent: readonly string[];
  /** Codes of answers that were no JSON, had the wrong shape or were an error. */
  readonly unusable: readonly string[];
}

/** A responder may flood the inbox; beyond this many messages the rest is not even read. */
const MAX_MESSAGES = 1_000;

/** Asks everybody who listens and gathers answers; one bad answer costs only itself. */
export const collect = <A extends z.ZodType>(
  nc: NatsConnection,
  service: string,
  contract: BroadcastContract<string, z.ZodType, A>,
  question: { subject: string; body: Uint8Array; context: MessageContext },
  options: CollectOptions<z.output<A>>,
): Promise<Collected<z.output<A>>> =>
  new Promise((resolve, reject) => {
    const answers = new Map<string, z.output<A>>();
    const unusable: string[] = [];
    const startedAt = performance.now();
    let returned = false;
    let timer: NodeJS.Timeout | undefined;

    const missing = () => [...options.expected].filter((id) => !answers.has(id));
    const finish = () => {
      if (returned) return;
      returned = true;
      clearTimeout(timer);
      resolve({ answers, silent: missing(), unusable });
    };
    const schedule = (lastAnswerMs: number) => {
      const state = { expected: options.expected.size, missing: missing().length, lastAnswerMs };
      const remaining = waitUntil(options, state) - (performance.now() - startedAt);
      clearTimeout(timer);
      if (remaining <= 0) finish();
      else timer = setTimeout(finish, remaining);
    };
    const take = (reply: z.output<A>) => {
      const id = options.identify(reply);
      if (returned) return options.onLate?.(id, reply);
      if (answers.has(id)) return;
      answers.set(id, reply);
      schedule(performance.now() - startedAt);
    };
    const receive = (failure: Error | null, message: Msg) => {
      if (failure) return finish();
      if (isNoResponders(message)) return finish();
      try {
        const refused = errorOfReply(contract.name, message);
        if (refused) throw refused;
        take(decodeBody(contract.name, contract.reply, message.data, BUS_ERRORS.INVALID_REPLY));
      } catch (error) {
        unusable.push(errorCode(error));
      }
    };

    const inbox = createInbox(inboxPrefix(service));
    const subscription = nc.subscribe(inbox, { callback: receive, max: MAX_MESSAGES });
    setTimeout(() => {
      finish();
      subscription.unsubscribe();
    }, options.maxWaitMs).unref();
    try {
      nc.publish(question.subject, question.body, { reply: inbox, headers: toHeaders(question.context) });
      schedule(0);
    } catch (error) {
      clearTimeout(timer);
      subscription.unsubscribe();
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });

/** The server answers an unheard question itself: empty, with status 503. */
const isNoResponders = (message: Msg): boolean => message.data.length === 0 && message.headers?.code === 503;
