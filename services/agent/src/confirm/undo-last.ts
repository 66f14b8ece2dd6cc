import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { AnsweredCall, TurnStep } from '@nuqloud/contracts';
import { undeclaredToolPolicy, UNDO_TOOLS } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import { cutText, visibleText } from '@nuqloud/platform';
import { RunTools } from '../answer-message/run-tools';
import type { ToolsOfTurn } from '../answer-message/run-tools';
import type { TurnWork } from '../answer-message/turn-work';
import { personKey } from '../answer-message/turn-work';
import { asCode } from '../domain/as-code';
import { phrasesFor } from '../domain/phrases';
import type { LoadedTool } from '../domain/loadout';
import type { Move } from '../domain/turn';
import { Bots } from '../ports/bots';
import { Receipts } from '../ports/receipts';
import { CORE, ToolRegistry } from '../registry/tool-registry';

type UndoStep = Extract<TurnStep, { kind: 'undo' }>;

/** So long something done can be undone, in milliseconds. */
const UNDO_MS = 30 * 60 * 1000;
const TARGET_CHARACTERS = 200;

/** Takes back what was last done for a person in a room: runs the inverse that its receipt names. */
@Injectable()
export class UndoLast {
  constructor(
    private readonly receipts: Receipts,
    private readonly bots: Bots,
    private readonly registry: ToolRegistry,
    private readonly runTools: RunTools,
    @Inject(CORE) private readonly core: ReadonlySet<string>,
  ) {}

  /** What there is to undo, or why there is nothing. */
  async find(work: TurnWork, language: string, now: Date): Promise<Move> {
    const { instance, bot, room } = work.key;
    const whose = { instance, bot, room, person: personKey(work) };
    const latest = await this.receipts.latest(whose, new Date(now.getTime() - UNDO_MS));
    const phrases = phrasesFor(language);
    if (!latest) return { kind: 'reply', text: phrases.nothingToUndo, outcome: 'failed' };
    const { provider, tool, receipt, scope } = latest;
    const target = shown(receipt.target);
    if (!receipt.undo || !this.mayUndo(provider, tool, receipt.undo.tool)) {
      return { kind: 'reply', text: phrases.cannotUndo(target), outcome: 'failed' };
    }
    return {
      kind: 'undo',
      receipt: String(latest.id),
      target,
      provider,
      ...(scope && { scope }),
      call: {
        id: randomUUID(),
        name: receipt.undo.tool,
        argumentsText: JSON.stringify(receipt.undo.arguments),
      },
    };
  }

  /** @param interrupted a crash came in between: nobody knows whether the inverse ran */
  async run(
    { request }: UndoStep,
    work: TurnWork,
    turn: Omit<ToolsOfTurn, 'tools' | 'taint'>,
    interrupted: boolean,
    message: MessageContext,
    mayGoOn: () => Promise<void>,
  ): Promise<AnsweredCall> {
    const inverse = await this.inverse(request, work);
    const tools = new Map(inverse ? [[request.call.name, inverse]] : []);
    const [answer] = await this.runTools.run(
      [request.call],
      { ...turn, tools, taint: [] },
      new Map(),
      interrupted,
      message,
      mayGoOn,
    );
    if (!answer) throw new Error('a call was not answered');
    return answer;
  }

  /** The inverse need not be assigned to the bot; where it is, an administrator may have made it stricter. */
  private async inverse(
    { provider, scope, call }: UndoStep['request'],
    { key }: TurnWork,
  ): Promise<LoadedTool | undefined> {
    const [assigned, offered] = await Promise.all([
      this.bots.tools(key.bot),
      this.registry.offered(key.instance),
    ]);
    const tool = offered.get(call.name);
    if (tool?.provider !== provider) return undefined;
    return {
      ...tool,
      policy: (this.core.has(provider) ? tool.definition.policy : undefined) ?? undeclaredToolPolicy(),
      confirmAlways: assigned.some((row) => row.tool === call.name && row.confirmAlways),
      scope,
    };
  }

  /** Of our own tools the contracts name the inverses; a third party's are confirmed like all its writes. */
  private mayUndo(provider: string, tool: string, inverse: string): boolean {
    return !this.core.has(provider) || (UNDO_TOOLS[tool] ?? []).includes(inverse);
  }
}

const shown = (target: string): string => asCode(cutText(visibleText(target), TARGET_CHARACTERS));
