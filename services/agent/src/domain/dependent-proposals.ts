import type { AnsweredCall } from '@nuqloud/contracts';
import { PlanClaims } from '@nuqloud/contracts';

type Target = PlanClaims['actions'][number]['action']['targets'][number];

const NOT_ASKED =
  'Error: Not asked for and not done: it changes the same as another call of this answer, or what lies in it, for which the person is asked now. Call it again when that is done.';

/**
 * Of the calls of a batch that wait for a "yes", those that change what an earlier one changes as well: that one would
 * leave another revision than the person was shown, so they are not asked for together.
 */
export const withoutDependents = (answers: readonly AnsweredCall[]): AnsweredCall[] => {
  const waiting: Target[] = [];
  return answers.map((answer) => {
    const targets = targetsOf(answer);
    if (targets.some((one) => waiting.some((other) => overlap(one, other)))) {
      const { id, name } = answer;
      return { id, name, text: NOT_ASKED, isError: true };
    }
    waiting.push(...targets);
    return answer;
  });
};

/** As the plan says; whether it may say so is checked by whoever acts on it. */
const targetsOf = ({ proposal }: AnsweredCall): readonly Target[] => {
  if (proposal === undefined || !('plan' in proposal)) return [];
  const plan = PlanClaims.safeParse(payloadOf(proposal.plan));
  return plan.success ? plan.data.actions.flatMap(({ action }) => action.targets) : [];
};

const payloadOf = (token: string): unknown => {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  } catch {
    // What is wrong with it is found, and said, when it is verified.
    return undefined;
  }
};

const overlap = (one: Target, other: Target): boolean =>
  (one.id !== '' && one.id === other.id) || lies(one.name, other.name) || lies(other.name, one.name);

const lies = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);
