import { randomBytes } from 'node:crypto';
import { readRetryAfter } from '@nuqloud/platform';
import type { Post } from '../domain/compose-parts';
import type { TalkAnswer } from '../domain/judge-delivery';
import { signBotCall } from '../domain/talk-signature';
import { TalkBotApi } from '../ports/talk-bot-api';
import type { BotCall } from '../ports/talk-bot-api';

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
    const { method, path, signed, body } = describe(call);
    const random = randomBytes(32).toString('hex');
    const { messageMs, reactionMs } = this.timeouts;
    try {
      const response = await fetch(botUrl(call, path), {
        method,
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          'OCS-APIRequest': 'true',
          'X-Nextcloud-Talk-Bot-Random': random,
          'X-Nextcloud-Talk-Bot-Signature': signBotCall(call.secret, random, signed),
        },
        body: JSON.stringify(body),
        // A redirect would hand text and signature to another host, and turn POST into GET.
        redirect: 'manual',
        signal: AbortSignal.timeout(call.post.type === 'message' ? messageMs : reactionMs),
      });
      await discard(response);
      const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
      return { status: response.status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    } catch (error) {
      const { name } = error as { name?: unknown }; // AbortSignal's reason is a DOMException
      return { unreachable: name === 'TimeoutError' ? 'TIMEOUT' : 'NETWORK' };
    }
  }
}

/** The base URL keeps its sub-folder, which URL resolution would drop. */
const botUrl = ({ instanceUrl, room }: BotCall, path: string): string =>
  `${instanceUrl.replace(/\/+$/, '')}/ocs/v2.php/apps/spreed/api/v1/bot/${room}/${path}`;

const describe = (call: BotCall): { method: string; path: string; signed: string; body: object } => {
  const { post } = call;
  if (post.type === 'message') {
    return { method: 'POST', path: 'message', signed: post.text, body: messageBody(post, call.referenceId) };
  }
  return {
    method: post.type === 'reaction_add' ? 'POST' : 'DELETE',
    path: `reaction/${post.messageId}`,
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

/** Reads the answer to its end, so that the connection can be used again; its status says all we need. */
const discard = async (response: Response): Promise<void> => {
  if (!response.body) return;
  let bytes = 0;
  try {
    for await (const chunk of response.body) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The status had arrived: the post is settled whatever becomes of the rest.
  }
};
