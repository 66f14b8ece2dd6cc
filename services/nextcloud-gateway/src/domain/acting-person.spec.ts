import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { AttestedKind } from '@nuqloud/contracts';
import * as fc from 'fast-check';
import { actingUid } from './acting-person';
import { GatewayRefusal } from './gateway-refusal';

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof GatewayRefusal ? error.code : String(error);
  }
};

describe('actingUid', () => {
  it('takes the id of a local user exactly as attested', () => {
    for (const uid of ['alice', 'Alice', 'alice smith', 'bob@example.org', "o'neill", 'Zoë', 'a%2Fb']) {
      expect(actingUid({ sub: `users/${uid}`, kind: 'message' })).toBe(uid);
    }
  });

  it.each([
    'guests/alice',
    'emails/0123abcd',
    'federated_users/bob@other.example',
    'bots/bot-0a1b2c',
    'bridged/bridge-bot',
    'users/bridge-bot',
    'deleted_users/deleted_users',
    'phones/1',
    'Users/alice',
    'users',
    'users/',
    'users/..',
    'users/a/b',
    'users/a:b',
    'users/a\\b',
    'users/a\nb',
    `users/${'a'.repeat(65)}`,
    'users/\ud800',
  ])('refuses %j', (sub) => {
    expect(codeOf(() => actingUid({ sub, kind: 'message' }))).toBe(GATEWAY_REFUSALS.NOT_A_LOCAL_USER);
  });

  it('lets attachments act, reactions never', () => {
    expect(actingUid({ sub: 'users/alice', kind: 'attachment' })).toBe('alice');
    for (const kind of ['reaction_added', 'reaction_removed'] satisfies AttestedKind[]) {
      expect(codeOf(() => actingUid({ sub: 'users/alice', kind }))).toBe(GATEWAY_REFUSALS.KIND_CANNOT_ACT);
    }
  });

  it('returns nothing but the rest behind users/', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('users', 'guests', 'bots'), (id, type) => {
        const sub = `${type}/${id}`;
        const code = codeOf(() => actingUid({ sub, kind: 'message' }));
        if (code !== undefined) expect(code).toBe(GATEWAY_REFUSALS.NOT_A_LOCAL_USER);
        else expect([type, actingUid({ sub, kind: 'message' })]).toEqual(['users', id]);
      }),
    );
  });
});
