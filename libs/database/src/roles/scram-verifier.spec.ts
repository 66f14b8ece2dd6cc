import { createHash, createHmac } from 'node:crypto';
import { scramVerifier } from './scram-verifier';

/** The exchange of RFC 7677, section 3. */
const RFC = {
  password: 'pencil',
  salt: Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'),
  messages:
    'n=user,r=rOprNGfwEbeRWgbNEkqO,' +
    'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,' +
    'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0',
  clientProof: Buffer.from('dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=', 'base64'),
  serverSignature: '6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
};

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();

describe('scramVerifier', () => {
  it('holds the keys with which the exchange of RFC 7677 succeeds', async () => {
    const verifier = await scramVerifier(RFC.password, RFC.salt);
    const [, storedKey = '', serverKey = ''] =
      /^SCRAM-SHA-256\$4096:W22ZaJ0SNY7soEsUEjb6gQ==\$(.+):(.+)$/.exec(verifier) ?? [];

    const signature = hmac(Buffer.from(storedKey, 'base64'), RFC.messages);
    const clientKey = Buffer.from(RFC.clientProof.map((byte, i) => byte ^ (signature[i] ?? 0)));
    expect(createHash('sha256').update(clientKey).digest('base64')).toBe(storedKey);
    expect(hmac(Buffer.from(serverKey, 'base64'), RFC.messages).toString('base64')).toBe(RFC.serverSignature);
  });

  it('is another each time', async () => {
    expect(await scramVerifier('pencil')).not.toBe(await scramVerifier('pencil'));
  });

  it.each(['', 'Bleistift ü', 'tab\t'])(
    'refuses a password that would need normalising: %j',
    async (password) => {
      await expect(scramVerifier(password)).rejects.toMatchObject({ code: 'DATABASE.PASSWORD' });
    },
  );
});
