import type { AllowedUsers } from '@nuqloud/contracts';

/** Whether a writer may talk to a bot, and whether tools may run for them. */
export type Admission =
  | { readonly admitted: true; readonly tools: boolean }
  | { readonly admitted: false; readonly reason: 'guest' | 'not-allowed' };

/**
 * Only an attested local user ever reaches a tool. Guests, federated and bridged actors may
 * chat where the bot allows it.
 */
export const admit = (
  bot: { users: AllowedUsers; guests: boolean },
  writer: { type: string; id: string },
  groups: readonly string[],
): Admission => {
  if (writer.type !== 'users')
    return bot.guests ? { admitted: true, tools: false } : { admitted: false, reason: 'guest' };
  return allows(bot.users, writer.id, groups)
    ? { admitted: true, tools: true }
    : { admitted: false, reason: 'not-allowed' };
};

const allows = (users: AllowedUsers, uid: string, groups: readonly string[]): boolean => {
  if (users === 'everyone') return true;
  if ('users' in users) return users.users.includes(uid);
  return users.groups.some((group) => groups.includes(group));
};

/** Groups are asked of Nextcloud only where the bot's rule needs them. */
export const needsGroups = (users: AllowedUsers): boolean => users !== 'everyone' && 'groups' in users;
