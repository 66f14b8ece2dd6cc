import { randomUUID } from 'node:crypto';
import {
  MAX_PLAN_LENGTH,
  PLAN_AUDIENCE,
  PLAN_TTL_S,
  PLAN_TYPE,
  PlannedAction,
  PlannedEffect,
} from '@nuqloud/contracts';
import type { TokenSigner } from '@nuqloud/platform';
import { actionHash, AppError } from '@nuqloud/platform';
import { ToolFailure } from '../define/tool-failure';

/**
 * Says in the name of the service what a call would do.
 * @throws ToolFailure for more than can be asked for; AppError TOOL.INVALID_PLAN for a tool's own mistake
 */
export const signPlan = async (
  signer: TokenSigner,
  action: PlannedAction,
  effect: PlannedEffect,
): Promise<string> => {
  if (!PlannedAction.safeParse(action).success || !PlannedEffect.safeParse(effect).success) {
    throw new AppError('TOOL.INVALID_PLAN', `${action.tool} planned something that cannot be asked for.`);
  }
  const iat = Math.floor(Date.now() / 1000);
  const token = await signer.sign(PLAN_TYPE, {
    aud: PLAN_AUDIENCE,
    actions: [{ action, hash: actionHash(action), effect }],
    jti: randomUUID(),
    iat,
    exp: iat + PLAN_TTL_S,
  });
  if (token.length > MAX_PLAN_LENGTH) {
    throw new ToolFailure(
      `${action.tool} was not run: it needs the person's "yes", and this is too long to be asked for at once. Do it in smaller parts.`,
    );
  }
  return token;
};
