import { randomUUID } from 'node:crypto';
import type { ApprovedAction, PlannedAction } from '@nuqloud/contracts';
import { GRANT_TTL_S, GRANT_TYPE } from '@nuqloud/contracts';
import type { TokenSigner } from '@nuqloud/platform';
import { grantAudience } from '../attest/providers';
import type { ReadMessage } from '../attest/read-attested';
import { phrasesFor } from '../domain/phrases/phrases';
import type { Prompt } from '../domain/prompt';
import type { Clock } from '../ports/clock';
import type { Prompts, StoredAction } from '../ports/prompts';

/** Tells how far each action of an approved prompt has come, and lets those begin that nobody has taken yet. */
export class GrantActions {
  constructor(
    private readonly prompts: Prompts,
    private readonly signer: TokenSigner,
    private readonly clock: Clock,
  ) {}

  /** @param actions of the prompt; read where they are not given */
  async grant(
    prompt: Prompt,
    yes: ReadMessage,
    actions?: readonly StoredAction[],
  ): Promise<ApprovedAction[]> {
    const stored = actions ?? (await this.prompts.actionsOf(prompt.id));
    return Promise.all(stored.map((action) => this.stateOf(action, prompt, yes)));
  }

  private async stateOf(stored: StoredAction, prompt: Prompt, yes: ReadMessage): Promise<ApprovedAction> {
    const { n, title, state, action, outcome, provider, tool, scope } = stored;
    const by = { provider, tool, ...(scope && { scope }) };
    if (outcome) return { n, title, state: 'settled', outcome, ...by };
    if (state === 'claimed' && (stored.claimDeadline ?? 0) > this.clock()) return { n, title, state };
    if (state !== 'asked') {
      const text = phrasesFor(prompt.language).outcomeUnknown(title);
      return { n, title, state: 'settled', outcome: { state: 'unknown', text }, ...by };
    }
    if (action === null || yes.expired) return { n, title, state: 'lapsed' };
    return { n, title, state: 'approved', action, grant: await this.sign(stored, action, prompt, yes) };
  }

  private sign(
    { n, hash }: StoredAction,
    action: PlannedAction,
    prompt: Prompt,
    yes: ReadMessage,
  ): Promise<string> {
    const iat = Math.floor(this.clock() / 1_000);
    return this.signer.sign(GRANT_TYPE, {
      aud: grantAudience(action.provider),
      confirmation: prompt.id,
      n,
      hash,
      sub: prompt.sub,
      message: yes.id,
      jti: randomUUID(),
      iat,
      // Nobody may act for the person longer than their "yes" is attested.
      exp: Math.min(iat + GRANT_TTL_S, yes.exp),
    });
  }
}
