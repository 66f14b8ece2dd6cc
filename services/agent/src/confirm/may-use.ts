import { Injectable } from '@nestjs/common';
import { undoneBy } from '@nuqloud/contracts';
import { isAssigned } from '../domain/loadout';
import { Bots } from '../ports/bots';
import { Receipts } from '../ports/receipts';
import { ToolRegistry } from '../registry/tool-registry';

/** Whether a bot still has what a person was asked about. */
@Injectable()
export class MayUse {
  constructor(
    private readonly bots: Bots,
    private readonly registry: ToolRegistry,
    private readonly receipts: Receipts,
  ) {}

  /** The tool is assigned to the bot, or another whose effect it undoes. */
  async mayUse(tool: string, asked: Asked): Promise<boolean> {
    const { instance, bot } = asked.context;
    const [assigned, offered] = await Promise.all([this.bots.tools(bot), this.registry.offered(instance)]);
    if ([tool, ...undoneBy(tool)].some((name) => isAssigned(name, assigned, offered))) return true;
    const undone = await this.receipts.undoneBy(asked.confirmation);
    return undone !== undefined && isAssigned(undone.tool, assigned, offered);
  }
}

interface Asked {
  readonly confirmation: string;
  readonly context: { readonly instance: string; readonly bot: string };
}
