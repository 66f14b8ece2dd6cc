/** One message as a service handed it to the bus. */
export interface Published {
  readonly subject: string;
  /** Headers and body. */
  readonly text: string;
}

/** What a client said to a NATS server, as the messages that it published. */
export const publishedIn = (said: Buffer): Published[] => {
  const published: Published[] = [];
  let at = 0;
  for (let end = said.indexOf('\r\n', at); end >= 0; end = said.indexOf('\r\n', at)) {
    const [verb = '', subject = '', ...rest] = said.toString('latin1', at, end).split(' ');
    at = end + 2;
    if (verb !== 'PUB' && verb !== 'HPUB') continue;
    const bytes = Number(rest.at(-1));
    published.push({ subject, text: said.toString('latin1', at, at + bytes) });
    at += bytes + 2;
  }
  return published;
};

/** Signed tokens in a text, with what each is (`typ` of its header). */
export const tokensIn = (text: string): { token: string; type: string }[] =>
  [...text.matchAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g)].map(([token]) => {
    const [head = ''] = token.split('.');
    const { typ } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { typ?: string };
    return { token, type: typ ?? '' };
  });
