import { randomBytes } from 'node:crypto';
import { RowSecrets } from './row-secrets';
import { UnreadableSecret } from './sealed-secret';

const newKey = () => randomBytes(32).toString('base64');
const key = newKey();
const secrets = new RowSecrets(key, 'ingress_bots');

describe('RowSecrets', () => {
  it('opens a secret in its own row of its own table only', () => {
    const sealed = secrets.seal('nuq', 'secret');
    expect(secrets.open('nuq', sealed)).toBe('secret');
    expect(() => secrets.open('other', sealed)).toThrow(UnreadableSecret);
    expect(() => new RowSecrets(key, 'gateway_instances').open('nuq', sealed)).toThrow(UnreadableSecret);
  });

  it('keeps what is stored while it holds the same secret', () => {
    const stored = secrets.seal('nuq', 'secret');
    expect(secrets.keepOrSeal('nuq', 'secret', stored)).toBe(stored);
  });

  it.each<[string, string | null | undefined]>([
    ['nothing', null],
    ['nothing either', undefined],
    ['another secret', secrets.seal('nuq', 'before')],
    ['the secret of another row', secrets.seal('other', 'secret')],
    ['one sealed with a former key', new RowSecrets(newKey(), 'ingress_bots').seal('nuq', 'secret')],
    ['something damaged', 'v1.x'],
  ])('seals the secret where %s is stored', (_what, stored) => {
    const sealed = secrets.keepOrSeal('nuq', 'secret', stored);
    expect(sealed).not.toBe(stored);
    expect(secrets.open('nuq', sealed)).toBe('secret');
  });
});
