import { writeToolPolicy } from '@nuqloud/contracts';
import type { PlannedEffect, PlannedTarget, ToolPolicy } from '@nuqloud/contracts';
import { z } from 'zod';
import { definePlannedTool } from '../src/index';
import type { Tool, ToolAnswer, VerifiedCall } from '../src/index';

const TARGET: PlannedTarget = { id: '7', name: '/note', revision: '"e1"' };
export const EFFECT: PlannedEffect = { verb: 'files.delete', target: '/note', facts: [] };

/** A tool that does what the test tells it to, and remembers what was asked of it. */
export class PlanningTool {
  readonly asked: string[] = [];
  target = TARGET;
  effect: PlannedEffect | null = EFFECT;
  look: () => Promise<void> = () => Promise.resolve();
  act: (call: VerifiedCall) => Promise<ToolAnswer> = () => Promise.resolve({ text: 'done' });
  settled: () => Promise<ToolAnswer | null> = () => Promise.resolve(null);

  tool(policy: ToolPolicy = writeToolPolicy()): Tool<VerifiedCall> {
    return definePlannedTool({
      name: 'notes_change',
      description: 'Changes a note.',
      label: 'Change a note',
      summary: 'Changes a note.',
      policy,
      arguments: z.strictObject({ query: z.string(), times: z.int().default(1) }),
      look: async (_args, _call: VerifiedCall) => {
        this.asked.push('look');
        await this.look();
        return { targets: [this.target], seen: 'what was seen' };
      },
      confirm: (_args, { seen }) => {
        this.asked.push(`confirm ${seen}`);
        return this.effect;
      },
      act: (_args, _seen, call) => {
        this.asked.push('act');
        return this.act(call);
      },
      settled: () => {
        this.asked.push('read back');
        return this.settled();
      },
    });
  }
}
