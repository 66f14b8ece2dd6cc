import { createHmac, randomBytes } from 'node:crypto';
import { SERVICES } from '@nuqloud/contracts';
import { KEY_OWNERS } from '@nuqloud/platform';
import { babbles, calls, eventually, fails, says, startScriptedModel } from '@nuqloud/testing';
import type { ModelAnswer, ScriptedModel } from '@nuqloud/testing';
import { ProductApart } from './apart/product-apart';
import type { Room } from './apart/room';
import { publishedIn, tokensIn } from './canaries/bus-traffic';
import type { Published } from './canaries/bus-traffic';
import { canariesIn, formsOf } from './canaries/canary';
import type { Canary } from './canaries/canary';
import { foundInDatabase } from './canaries/search-database';

const unique = (name: string): Canary => ({ name, value: `${name}-${randomBytes(12).toString('hex')}` });

const ENVIRONMENT = {
  APP_SECRET: unique('app-secret').value,
  TALK_BOT_SECRET: `${unique('talk-bot-secret').value}${randomBytes(12).toString('hex')}`,
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  OPENAI_API_KEY: unique('model-api-key').value,
};

/** What people wrote, and what stands in files. */
const TEXT = {
  asked: unique('asked'),
  refused: unique('refused'),
  unsigned: unique('unsigned'),
  unreadable: unique('unreadable'),
  guest: unique('guest'),
  read: unique('read'),
  written: unique('written'),
  overwritten: unique('overwritten'),
  model: unique('model'),
} as const;
const TEXTS = Object.values(TEXT);

let product: ProductApart;
let model: ScriptedModel;
let room: Room;
let secrets: Canary[];
/** Where content stood while a prompt was open, and after its "yes". */
const stood = { asked: [] as string[], done: [] as string[] };

const answer = (...answers: ModelAnswer[]) => {
  for (const one of answers) model.expect({ answer: one });
};

/** The answer, and the end of the work on it. */
const ask = async (text: string): Promise<string> => {
  const id = await room.write(text);
  const answered = await room.answerTo(id);
  await room.workEnds(id);
  return answered;
};

const write = (content: Canary, overwrite: boolean) =>
  calls({ name: 'files_write', arguments: { path: `${room.file}.new`, content: content.value, overwrite } });

const secretsOf = async (): Promise<Canary[]> => {
  const keys = await Promise.all(
    KEY_OWNERS.map(async (owner) => {
      const { natsSeed, databasePassword, signing } = await product.bed.keysOf(owner);
      return Object.entries({ natsSeed, databasePassword, signing: signing.d }).map(([kind, value]) => ({
        name: `${kind} of ${owner}`,
        value,
      }));
    }),
  );
  return [...Object.entries(ENVIRONMENT).map(([name, value]) => ({ name, value })), ...keys.flat()];
};

/** Everything that each service handed to the bus. */
const published = (): Published[] =>
  SERVICES.flatMap((service) => publishedIn(product.wire(service, 'bus').requests));

const logs = (): string => SERVICES.map((service) => product.logOf(service)).join('\n');

/** A webhook by somebody who has the bot's secret, or not. */
const deliver = async (body: string, secret: string): Promise<number> => {
  const random = randomBytes(32).toString('hex');
  const { status } = await fetch(product.webhookUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-nextcloud-talk-random': random,
      'x-nextcloud-talk-signature': createHmac('sha256', secret).update(random).update(body).digest('hex'),
    },
    body,
  });
  return status;
};

const readsAndWrites = async (): Promise<void> => {
  answer(calls({ name: 'files_list', arguments: { path: '/Kill' } }), says('listed'));
  await ask(`nuq list ${TEXT.asked.value}`);
  answer(calls({ name: 'files_read', arguments: { path: room.file } }), says('read'));
  await ask('nuq read');
  answer(write(TEXT.written, false), says('written'));
  await ask('nuq write');
  answer(write(TEXT.overwritten, true));
  await ask('nuq overwrite');
  stood.asked = await foundInDatabase(product.owner, [TEXT.overwritten]);
  expect(await ask('yes')).toMatch(/^Done: /);
  stood.done = await foundInDatabase(product.owner, [TEXT.overwritten]);
  await ask('nuq undo');
  await ask('yes');
  answer(calls({ name: 'files_delete', arguments: { path: room.file } }));
  await ask(`nuq delete`);
  await ask('no');
};

const failures = async (): Promise<void> => {
  const read = calls({ name: 'files_read', arguments: { path: room.file } });
  answer(fails(400, { message: TEXT.model.value }));
  await ask('nuq the model refuses');
  // Asked once more, in case it was a moment's trouble.
  answer(babbles(`<html>${TEXT.model.value}`), babbles(`<html>${TEXT.model.value}`));
  await ask('nuq the model babbles');
  answer(calls({ name: 'files_read', arguments: `{"path": "${TEXT.model.value}` }), says('no JSON'));
  await ask('nuq no JSON');
  const wrong = { path: 5, content: TEXT.model.value };
  answer(calls({ name: 'files_write', arguments: wrong }), says('wrong arguments'));
  await ask('nuq wrong arguments');
  for (const fault of [
    { match: { method: 'GET' }, status: 207 },
    { match: { method: 'PROPFIND' }, status: 207 },
    { match: { method: 'GET' }, drop: 'answer' },
  ]) {
    await room.fault(fault);
    answer(read, says('Nextcloud fails'));
    await ask('nuq Nextcloud fails');
  }
  await room.fault({ match: { method: 'PUT' }, drop: 'answer' });
  answer(calls({ name: 'files_append', arguments: { path: room.file, content: TEXT.written.value } }));
  answer(says('appended'));
  await ask('nuq append');
  expect(await deliver(`{"text":"${TEXT.unsigned.value}"}`, 'another secret')).toBe(401);
  expect(
    await deliver(`{"type":"Create","object":"${TEXT.unreadable.value}"}`, ENVIRONMENT.TALK_BOT_SECRET),
  ).toBe(200);
  expect(await deliver(TEXT.unreadable.value, ENVIRONMENT.TALK_BOT_SECRET)).toBe(400);
};

/** The store breaks in the middle of a turn. */
const brokenStore = async (): Promise<void> => {
  const { owner } = product;
  await owner.$executeRaw`ALTER TABLE agent_turn_steps RENAME TO agent_turn_steps_away`;
  answer(says('after all'));
  const id = await room.write(`nuq ${TEXT.refused.value}`);
  await eventually(() => product.logOf('agent').includes('"event":"room.failed"'), {
    describe: 'the failure',
  });
  await owner.$executeRaw`ALTER TABLE agent_turn_steps_away RENAME TO agent_turn_steps`;
  await owner.$executeRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename LIKE 'nuqloud_%'`;
  expect(await room.answerTo(id)).toBe('after all');
  await room.workEnds(id);
};

beforeAll(async () => {
  model = await startScriptedModel();
  product = await ProductApart.start(['canaries'], { model, secrets: ENVIRONMENT, logLevel: 'trace' });
  secrets = await secretsOf();
  room = product.room('canaries');
  await product.toolsAreThere('canaries');
  await room.put(TEXT.read.value);
  await readsAndWrites();
  await failures();
  await brokenStore();
}, 180_000);

afterAll(async () => {
  await product.close();
  model.verify();
});

describe('the search', () => {
  it('finds a value in every form in which it may travel', () => {
    const canary = unique('planted');
    for (const before of ['', 'a', 'ab', 'abc'])
      for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const) {
        const text = `x ${Buffer.from(before + canary.value).toString(encoding)}yz`;
        expect({ before, encoding, found: canariesIn(text, [canary]) }).toEqual({
          before,
          encoding,
          found: ['planted'],
        });
      }
    expect(
      canariesIn(encodeURIComponent('a+b/c=d e&f? g'), [{ name: 'url', value: 'a+b/c=d e&f? g' }]),
    ).toEqual(['url']);
    expect(canariesIn('planted-0123', [canary])).toEqual([]);
    for (const { name, value } of secrets)
      expect({ name, forms: formsOf(value).length > 3 }).toEqual({ name, forms: true });
  });

  it('finds what is planted in a table', async () => {
    const [secret] = secrets;
    await product.owner.confirmationBot.create({
      data: { slug: 'planted', instance: 'default', name: secret?.value ?? '', triggers: [] },
    });
    expect(await foundInDatabase(product.owner, secrets)).toEqual([
      `confirmation_bots.name: ${secret?.name}`,
    ]);
    await product.owner.confirmationBot.delete({ where: { slug: 'planted' } });
  });

  it('finds secrets and texts where they belong', () => {
    expect(canariesIn(product.wire('nextcloud-gateway', 'nextcloud').requests, secrets)).toEqual([
      'APP_SECRET',
    ]);
    expect(canariesIn(JSON.stringify(model.requests[0]?.headers), secrets)).toEqual(['OPENAI_API_KEY']);
    const chat = published().filter(({ subject }) => subject.startsWith('chat.in.'));
    const written = canariesIn(chat.map(({ text }) => text).join(), TEXTS);
    expect(written).toEqual(['asked', 'refused']);
    expect(canariesIn(JSON.stringify(model.requests.map(({ body }) => body)), TEXTS)).toContain('read');
  });
});

describe('logs at the lowest level', () => {
  it('hold no secret, no token, no text of a message and no content of a file', () => {
    expect(logs()).toContain('"level":20');
    expect(canariesIn(logs(), [...secrets, ...TEXTS])).toEqual([]);
    expect(tokensIn(logs())).toEqual([]);
  });

  it('tell of every failure that was played', () => {
    for (const event of ['model.failed', 'room.failed', 'gateway.refused', 'webhook.refused'])
      expect(logs()).toContain(`"event":"${event}"`);
  });
});

describe('the database', () => {
  it('holds no secret and no token', async () => {
    const tokens = tokensOnBus().map(({ token, type }) => ({ name: type, value: token.slice(-60) }));
    expect(await foundInDatabase(product.owner, [...secrets, ...tokens])).toEqual([]);
  });

  it('holds an approved content until it is settled, and otherwise only in the conversation', () => {
    expect(stood.asked).toEqual([
      'agent_conversation.content: overwritten',
      'confirmation_actions.action: overwritten',
    ]);
    expect(stood.done).toEqual(['agent_conversation.content: overwritten']);
  });

  it('holds texts and contents in the conversation alone, and nowhere once that is forgotten', async () => {
    const columns = (found: string[]) => new Set(found.map((place) => place.split(': ')[0]));
    expect(columns(await foundInDatabase(product.owner, TEXTS))).toEqual(
      new Set(['agent_conversation.content']),
    );
    await ask('nuq /reset');
    expect(await foundInDatabase(product.owner, TEXTS)).toEqual([]);
  });
});

const tokensOnBus = () =>
  published().flatMap(({ subject, text }) => tokensIn(text).map((found) => ({ subject, ...found })));

describe('the bus', () => {
  it('carries no secret', () => {
    for (const service of SERVICES) {
      const wire = product.wire(service, 'bus');
      expect({ service, found: canariesIn(Buffer.concat([wire.requests, wire.answers]), secrets) }).toEqual({
        service,
        found: [],
      });
    }
  });

  it('carries each kind of token only to those who need it', () => {
    const carriers = new Map<string, Set<string>>();
    for (const { type, subject } of tokensOnBus()) {
      const to = subject.replace(/^(_INBOX_[\w-]+)\..*$/, '$1').replace(/^chat\.in\..*$/, 'chat.in');
      carriers.set(type, (carriers.get(type) ?? new Set()).add(to));
    }
    expect(Object.fromEntries([...carriers].map(([type, to]) => [type, [...to].sort()]))).toEqual({
      'nuqloud-attestation+jwt': [
        'chat.in',
        'confirm.answer',
        'confirm.propose',
        'gateway.person',
        'tools.act.files',
        'tools.exec.files',
      ],
      'nuqloud-plan+jwt': ['_INBOX_agent', 'confirm.propose'],
      'nuqloud-grant+jwt': ['_INBOX_agent', 'confirm.claim', 'tools.act.files'],
      'nuqloud-claim+jwt': ['confirm.claim'],
    });
  });

  it('keeps no text, content or token in the audit', () => {
    const audit = published()
      .filter(({ subject }) => subject.startsWith('audit.'))
      .map(({ text }) => text);
    expect(audit.length).toBeGreaterThan(10);
    expect(canariesIn(audit.join('\n'), [...TEXTS, ...secrets])).toEqual([]);
    expect(tokensIn(audit.join('\n'))).toEqual([]);
  });
});

describe('who is outside', () => {
  it('the model is told no secret and no token', () => {
    const said = model.requests.map(({ headers: { authorization: _key, ...headers }, body }) => ({
      headers,
      body,
    }));
    expect(said.length).toBeGreaterThan(10);
    expect(canariesIn(JSON.stringify(said), secrets)).toEqual([]);
    expect(tokensIn(JSON.stringify(said))).toEqual([]);
  });

  it('the room is told no secret, no token and nothing that was not said there', async () => {
    const said = JSON.stringify(await room.ofBot());
    expect(canariesIn(said, [...secrets, ...TEXTS])).toEqual([]);
    expect(tokensIn(said)).toEqual([]);
  });

  it('tool services hold the credential of nobody, and Talk gets signatures in place of the secret', () => {
    const outward = (['talk-ingress', 'nextcloud-gateway'] as const).map(
      (name) => product.wire(name, 'nextcloud').requests,
    );
    expect(canariesIn(Buffer.concat(outward), secrets)).toEqual(['APP_SECRET']);
    expect(canariesIn(product.wire('talk-ingress', 'nextcloud').requests, secrets)).toEqual([]);
    expect(canariesIn(product.wire('tool-files', 'gateway').requests, secrets)).toEqual([]);
    expect(canariesIn(product.wire('tool-files', 'gateway').answers, secrets)).toEqual([]);
  });
});
