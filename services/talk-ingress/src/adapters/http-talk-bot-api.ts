import { randomBytes } from 'node:crypto';
import { readRetryAfter } from '@nuqloud/platform';
import { z } from 'zod';
import type { Post } from '../domain/compose-parts';
import type { TalkAnswer } from '../domain/judge-delivery';
import { signBotCall } from '../domain/talk-signature';
import { TalkBotApi } from '../ports/talk-bot-api';
import type { BotCall, CallingBot } from '../ports/talk-bot-api';

/** Longest that a call may take, in milliseconds; the lease of a post is longer. */
export interface TalkTimeouts {
  readonly messageMs: number;
  /** A reaction is decoration: while it waits, so do the messages behind it. */
  readonly reactionMs: number;
}

const TIMEOUTS: TalkTimeouts = { messageMs: 10_000, reactionMs: 3_000 };

/** Talk's answer is a few hundred bytes; what is longer comes from something else. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Talk's bot API (`/ocs/v2.php/apps/spreed/api/v1/bot/…`) over HTTP. */
export class HttpTalkBotApi extends TalkBotApi {
  constructor(private readonly timeouts: TalkTimeouts = TIMEOUTS) {
    super();
  }

  async call(call: BotCall): Promise<TalkAnswer> {
    const { messageMs, reactionMs } = this.timeouts;
    try {
      const response = await send(call, {
        ...describe(call),
        timeoutMs: call.post.type === 'message' ? messageMs : reactionMs,
      });
      await readAnswer(response);
      const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
      return { status: response.status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    } catch (error) {
      const { name } = error as { name?: unknown }; // AbortSignal's reason is a DOMException
      return { unreachable: name === 'TimeoutError' ? 'TIMEOUT' : 'NETWORK' };
    }
  }

  async features(bot: CallingBot): Promise<number | undefined> {
    try {
      const response = await send(bot, {
        method: 'POST',
        path: 'ask-features',
        signed: bot.room,
        body: { token: bot.room },
        timeoutMs: this.timeouts.reactionMs,
      });
      const answer = await readAnswer(response);
      if (response.status === 200) return Features.parse(JSON.parse(answer)).ocs.data.features;
    } catch {
      // Not told is all that matters here: the call that is examined says what is wrong.
    }
    return undefined;
  }
}

interface SignedCall {
  readonly method: string;
  /** Below Talk's `bot/`. */
  readonly path: string;
  readonly signed: string;
  readonly body: object;
  readonly timeoutMs: number;
}

const Features = z.object({ ocs: z.object({ data: z.object({ features: z.number().int() }) }) });

const send = ({ instanceUrl, secret }: CallingBot, call: SignedCall): Promise<Response> => {
  const random = randomBytes(32).toString('hex');
  return fetch(botUrl(instanceUrl, call.path), {
    method: call.method,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'OCS-APIRequest': 'true',
      'X-Nextcloud-Talk-Bot-Random': random,
      'X-Nextcloud-Talk-Bot-Signature': signBotCall(secret, random, call.signed),
    },
    body: JSON.stringify(call.body),
    // A redirect would hand text and signature to another host, and turn POST into GET.
    redirect: 'manual',
    signal: AbortSignal.timeout(call.timeoutMs),
  });
};

/** The base URL keeps its sub-folder, which URL resolution would drop. */
const botUrl = (instanceUrl: string, path: string): string =>
  `${instanceUrl.replace(/\/+$/, '')}/ocs/v2.php/apps/spreed/api/v1/bot/${path}`;

const describe = (call: BotCall): Omit<SignedCall, 'timeoutMs'> => {
  const { post, room } = call;
  if (post.type === 'message') {
    return {
      method: 'POST',
      path: `${room}/message`,
      signed: post.text,
      body: messageBody(post, call.referenceId),
    };
  }
  return {
    method: post.type === 'reaction_add' ? 'POST' : 'DELETE',
    path: `${room}/reaction/${post.messageId}`,
    signed: post.reaction,
    body: { reaction: post.reaction },
  };
};

const messageBody = (post: Extract<Post, { type: 'message' }>, referenceId: string): object => ({
  message: post.text,
  referenceId,
  silent: post.silent ?? false,
  ...(post.replyTo !== undefined && { replyTo: Number(post.replyTo) }),
});

/** Reads the answer to its end, so that the connection can be used again, but no more of it than Talk could mean. */
const readAnswer = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > MAX_ANSWER_BYTES) return '';
      chunks.push(chunk as Uint8Array);
    }
  } catch {
    return ''; // The status had arrived: the call is settled whatever becomes of the rest.
  }
  return Buffer.concat(chunks).toString('utf8');
};
