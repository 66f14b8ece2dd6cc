import { Injectable } from '@nestjs/common';
import { PrismaClient } from '@nuqloud/database';
import type { ToolAssignment } from '../domain/loadout';
import type { Bot, PendingPattern } from '../ports/bots';
import { PrismaBots } from './prisma-bots';

/** So old what is known of a bot may be: a change of its settings counts a second later. */
const FRESH_MS = 1_000;

interface Remembered<T> {
  readonly until: number;
  readonly value: Promise<T>;
}

/** Every message asks for its bot and its tools, which change a few times a year. */
@Injectable()
export class RememberingBots extends PrismaBots {
  private readonly bots = new Map<string, Remembered<Bot | undefined>>();
  private readonly loadouts = new Map<string, Remembered<ToolAssignment[]>>();

  constructor(prisma: PrismaClient) {
    super(prisma);
  }

  override find(slug: string): Promise<Bot | undefined> {
    return remembered(this.bots, slug, () => super.find(slug));
  }

  override tools(slug: string): Promise<ToolAssignment[]> {
    return remembered(this.loadouts, slug, () => super.tools(slug));
  }

  override async expand(pattern: PendingPattern, tools: readonly string[]): Promise<void> {
    await super.expand(pattern, tools);
    this.loadouts.delete(pattern.bot);
  }
}

const remembered = <T>(
  memory: Map<string, Remembered<T>>,
  slug: string,
  look: () => Promise<T>,
): Promise<T> => {
  const now = performance.now();
  const known = memory.get(slug);
  if (known && known.until > now) return known.value;
  const value = look();
  memory.set(slug, { until: now + FRESH_MS, value });
  // A store that is away is asked again at once; whoever asked hears of it.
  value.catch(() => memory.delete(slug));
  return value;
};
