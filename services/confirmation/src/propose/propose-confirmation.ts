import { randomUUID } from 'node:crypto';
import type {
  AttestationClaims,
  ProposeConfirmationReply,
  ProposeConfirmationRequest,
} from '@nuqloud/contracts';
import { CONFIRMATION_REFUSALS, CORE_PROVIDER_IDS } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import { sha256 } from '@nuqloud/platform';
import type { ReadAttested } from '../attest/read-attested';
import { composePrompt, withoutCode } from '../domain/compose-prompt';
import { ConfirmationRefusal } from '../domain/confirmation-refusal';
import { titleOf } from '../domain/describe-effect';
import { languageOf } from '../domain/phrases/phrases';
import type { Prompt } from '../domain/prompt';
import { pickCode } from '../domain/short-code';
import type { AuditEntry, AuditLog } from '../ports/audit-log';
import type { Bots } from '../ports/bots';
import type { Clock } from '../ports/clock';
import type { NewPrompt, Prompts, Replaced, Wording } from '../ports/prompts';
import type { Talk } from '../ports/talk';
import type { ProposedAction, ReadProposals } from './read-proposals';

export interface ProposeOptions {
  readonly ttlMs: number;
  /** A whole number from 0 to below its argument. */
  readonly random: (below: number) => number;
  readonly clock: Clock;
}

/** Asks a person whether they want what was planned for them. */
export class ProposeConfirmation {
  constructor(
    private readonly attested: ReadAttested,
    private readonly proposals: ReadProposals,
    private readonly bots: Bots,
    private readonly prompts: Prompts,
    private readonly talk: Talk,
    private readonly audit: AuditLog,
    private readonly options: ProposeOptions,
  ) {}

  /** @throws ConfirmationRefusal, or a retryable AppError: the same request again is the same prompt */
  async propose(
    request: ProposeConfirmationRequest,
    context: MessageContext,
  ): Promise<ProposeConfirmationReply> {
    const asker = await this.attested.claims(request.attestation);
    requireAsker(asker);
    const actions = await this.proposals.read(request.proposals, asker);
    if (!(await this.bots.find(asker.instance, asker.bot))) throw unknownBot(asker.bot);
    const draft = this.draft(request, asker, actions);
    const effects = actions.map(({ effect }) => effect);
    const compose = (code: string) => composePrompt(effects, draft, { code, ttlMs: this.options.ttlMs });
    const prompt = await this.prompts.ask(
      draft,
      (isTaken) => this.word(isTaken, compose),
      (replaced) => this.record(draft, replaced, context),
    );
    if (prompt.state === 'asked') await this.post(prompt, context);
    // A closed prompt keeps no text; the same words come from the same effects.
    return {
      v: 1,
      confirmation: prompt.id,
      text: withoutCode(prompt.text || compose(prompt.code), prompt.code),
    };
  }

  private draft(
    request: ProposeConfirmationRequest,
    asker: AttestationClaims,
    actions: readonly ProposedAction[],
  ): NewPrompt {
    const language = languageOf(request.language);
    return {
      id: randomUUID(),
      instance: asker.instance,
      bot: asker.bot,
      room: asker.room,
      thread: asker.thread,
      sub: asker.sub,
      message: asker.message,
      digest: sha256(actions.map(({ hash }) => hash).join(' ')),
      language,
      zone: knownZone(request.zone),
      createdAt: this.options.clock(),
      actions: actions.map(({ action, hash, effect }) => ({
        action,
        hash,
        title: titleOf(effect, language),
      })),
    };
  }

  private word(isTaken: (code: string) => boolean, compose: (code: string) => string): Wording {
    // What the names say is looked at too: a file called "(K7F)" must not end the question.
    const names = compose('').toUpperCase();
    const code = pickCode(
      this.options.random,
      (candidate) => isTaken(candidate) || names.includes(candidate),
    );
    if (code === undefined) throw notAsked('too many questions are open in this room');
    return { code, text: compose(code) };
  }

  private record(draft: NewPrompt, replaced: readonly Replaced[], context: MessageContext): Promise<void> {
    const { instance, room, sub: person } = draft;
    const common = { instance, bot: draft.bot, room, message: draft.message, person };
    const entries: AuditEntry[] = [
      ...replaced.map((old) => ({
        ...common,
        bot: old.bot,
        kind: 'confirmation.answered' as const,
        confirmation: old.id,
        verdict: 'replaced' as const,
      })),
      ...draft.actions.map(({ action, hash }, index) => ({
        ...common,
        kind: 'action.proposed' as const,
        confirmation: draft.id,
        n: index + 1,
        provider: action.provider,
        tool: action.tool,
        hash,
        targets: action.targets,
        mode: CORE_PROVIDER_IDS.has(action.provider) ? action.mode : null,
        profile: action.profile,
      })),
    ];
    return this.audit.append(entries, draft.createdAt, context);
  }

  private async post(prompt: Prompt, context: MessageContext): Promise<void> {
    const { id, instance, bot, room, text, message } = prompt;
    try {
      await this.talk.post(
        { confirmation: id, part: 'prompt', instance, bot, room, text, replyTo: message },
        context,
      );
    } catch (cause) {
      throw notAsked('the question could not be handed to Talk', cause);
    }
  }
}

const requireAsker = ({ sub, kind }: AttestationClaims): void => {
  if (kind !== 'message' && kind !== 'attachment') {
    throw new ConfirmationRefusal(
      CONFIRMATION_REFUSALS.INVALID_ATTESTATION,
      'A reaction cannot ask for anything: the attestation of a message is needed.',
    );
  }
  if (!/^users\/[^\0]+$/.test(sub)) {
    throw new ConfirmationRefusal(
      CONFIRMATION_REFUSALS.NOT_A_LOCAL_USER,
      'Only people with an account in this Nextcloud, who wrote in a chat, can be asked.',
    );
  }
};

const unknownBot = (bot: string): ConfirmationRefusal =>
  new ConfirmationRefusal(
    CONFIRMATION_REFUSALS.UNKNOWN_BOT,
    `There is no bot ${bot} in this instance: name it in the provision file.`,
  );

const notAsked = (reason: string, cause?: unknown): ConfirmationRefusal =>
  new ConfirmationRefusal(CONFIRMATION_REFUSALS.NOT_ASKED, `Nobody was asked: ${reason}.`, {
    retryable: true,
    cause,
  });

/** A zone that this runtime does not know is shown as UTC. */
const knownZone = (zone: string | null): string | null => {
  try {
    return zone === null
      ? null
      : new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    // RangeError: the only thing that can be wrong here is the name.
    return null;
  }
};
