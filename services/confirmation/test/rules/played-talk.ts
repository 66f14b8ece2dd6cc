import type { MessageContext } from '@nuqloud/messaging';
import { AppError } from '@nuqloud/platform';
import type { PromptAddress, PromptFate } from '../../src/ports/talk';
import { Talk } from '../../src/ports/talk';
import type { ModelPrompt, Posting } from './rules-model';

type Post = Parameters<Talk['post']>[0];

interface Posted {
  readonly instance: string;
  readonly bot: string;
  readonly room: string;
  readonly prompt: string | undefined;
  readonly part: string;
  readonly text: string;
  readonly postedAt: number;
}

/** Talk and talk-ingress of a play: what stands in the rooms, in order, and what waits to be posted. */
export class PlayedTalk extends Talk {
  readonly timeline: Posted[] = [];
  readonly waiting: Post[] = [];
  readonly failed = new Set<string>();
  /** When talk-ingress began to post each prompt. */
  private readonly tried = new Map<string, number>();
  private readonly taken = new Set<string>();
  down = false;
  /** What becomes of the next prompt. */
  nextFate: 'posted' | 'being posted' | 'waiting' | 'failed' = 'posted';

  constructor(private readonly now: () => number) {
    super();
  }

  override post(post: Post, _context: MessageContext): Promise<void> {
    if (this.down) return Promise.reject(away());
    const key = [post.confirmation, post.part, post.cause ?? ''].join(' ');
    if (this.taken.has(key)) return Promise.resolve();
    this.taken.add(key);
    if (post.part === 'prompt') this.takePrompt(post);
    else this.show(post);
    return Promise.resolve();
  }

  override fateOf(
    { confirmation, instance, bot, room }: PromptAddress,
    _context: MessageContext,
  ): Promise<PromptFate> {
    if (this.down) return Promise.reject(away());
    const posting = this.posting({ id: confirmation, instance, bot, room });
    const { triedAt, postedAt, failed, othersSince } = posting;
    const state = failed ? 'failed' : postedAt === undefined ? 'waiting' : 'posted';
    return Promise.resolve({ state, triedAt: triedAt ?? null, postedAt: postedAt ?? null, othersSince });
  }

  takeWaiting(): void {
    for (const post of this.waiting.splice(0)) {
      this.begin(post);
      this.show(post);
    }
  }

  /** The bot posts something that is about no prompt. */
  postOther(instance: string, room: string, bot: string): void {
    const text = 'Here are your files.';
    this.timeline.push({ instance, room, bot, prompt: undefined, part: 'other', text, postedAt: this.now() });
  }

  posting({ id, instance, bot, room }: Pick<ModelPrompt, 'id' | 'instance' | 'bot' | 'room'>): Posting {
    const at = this.timeline.findIndex(({ prompt, part }) => prompt === id && part === 'prompt');
    const since = this.timeline.slice(at + 1);
    return {
      triedAt: this.tried.get(id),
      postedAt: this.timeline[at]?.postedAt,
      failed: this.failed.has(id),
      othersSince: since.some(
        (post) => post.instance === instance && post.room === room && post.bot === bot && post.prompt !== id,
      ),
    };
  }

  private takePrompt(post: Post): void {
    if (this.nextFate !== 'waiting') this.begin(post);
    if (this.nextFate === 'posted') this.show(post);
    else if (this.nextFate === 'failed') this.failed.add(post.confirmation);
    else this.waiting.push(post);
  }

  private begin({ confirmation }: Post): void {
    if (!this.tried.has(confirmation)) this.tried.set(confirmation, this.now());
  }

  private show({ confirmation, part, instance, bot, room, text }: Post): void {
    this.timeline.push({ instance, bot, room, prompt: confirmation, part, text, postedAt: this.now() });
  }
}

const away = (): AppError => new AppError('BUS.NO_RESPONDERS', 'Nobody answers.', { retryable: true });
