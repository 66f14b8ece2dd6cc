import { OneReader, sealForReader } from './one-reader';
import { UnreadableSecret } from './sealed-secret';

describe('what is sealed for one reader', () => {
  it('is opened by that reader, and does not show the secret', async () => {
    const reader = await OneReader.make();
    const sealed = await sealForReader(reader.publicKey, 'canary-secret-😀');
    expect(sealed).not.toContain(Buffer.from('canary').toString('base64url').slice(0, 7));
    await expect(reader.open(sealed)).resolves.toBe('canary-secret-😀');
  });

  it('is another text each time', async () => {
    const { publicKey } = await OneReader.make();
    expect(await sealForReader(publicKey, 'secret')).not.toBe(await sealForReader(publicKey, 'secret'));
  });

  it('is opened by nobody else, nor after a change', async () => {
    const [reader, other] = [await OneReader.make(), await OneReader.make()];
    const sealed = await sealForReader(reader.publicKey, 'secret');
    await expect(other.open(sealed)).rejects.toThrow(UnreadableSecret);
    const tampered = sealed.replace(/.(?=.{30}$)/, (letter) => (letter === 'A' ? 'B' : 'A'));
    await expect(reader.open(tampered)).rejects.toThrow(UnreadableSecret);
    await expect(reader.open('nonsense')).rejects.toThrow(UnreadableSecret);
  });
});
