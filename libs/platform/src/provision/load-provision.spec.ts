import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ProvisionFile, TalkSecret } from '@nuqloud/contracts';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { isAppError } from '../errors/app-error';
import { loadProvision } from './load-provision';
import { ProvisionError } from './provision-error';

const ENV = {
  NEXTCLOUD_URL: 'https://cloud.example.org/nextcloud',
  APP_ID: 'nuqloud_ai',
  APP_VERSION: '0.1.0',
  OPENAI_MODEL: 'small-model',
};

/** The example of the documentation, without agent mode. */
const EXAMPLE = `version: 1
instances:
  - id: default                    # used when only one Nextcloud is served
    url: \${NEXTCLOUD_URL}
    appApi: { id: \${APP_ID}, secret: \${APP_SECRET}, version: \${APP_VERSION}, bot: nuq }
    historyReader: nuqloud-ai
bots:
  - slug: nuq
    instance: default
    name: NuQ
    talkSecret: \${TALK_BOT_SECRET}
    triggers: ["@nuq", "nuq"]
    rooms: { default: mention, x7k2m9pq: always }
    prompt: You help the team with its files and dates.
    model: { name: \${OPENAI_MODEL}, temperature: 0.2 }
    users: everyone
    guests: false
    tools:
      - name: files_list
      - { name: files_delete, scope: { paths: ["/Projects"] } }
      - files_*
`;

const MINIMAL = `version: 1
instances: [{ id: default, url: "https://cloud.example.org" }]
bots:
  - slug: nuq
    instance: default
    name: NuQ
    talkSecret: \${TALK_BOT_SECRET}
`;

describe('loadProvision', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'nuqloud-provision-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const load = (text: string, env: Record<string, string | undefined> = ENV) => {
    const file = path.join(folder, 'provision.yaml');
    writeFileSync(file, text);
    return loadProvision(file, env);
  };

  /** Every mistake as `line:column path: message`. */
  const mistakesOf = async (text: string, env?: Record<string, string | undefined>): Promise<string[]> => {
    const error: unknown = await load(text, env).catch((thrown: unknown) => thrown);
    if (!(error instanceof ProvisionError)) throw new Error('was not refused', { cause: error });
    return error.problems.map((it) => `${it.line}:${it.column} ${it.path.join('.')}: ${it.message}`);
  };

  it('reads the example of the documentation, and leaves its secrets unread', async () => {
    const { file } = await load(EXAMPLE);
    expect(file.instances[0]).toEqual({
      id: 'default',
      url: 'https://cloud.example.org/nextcloud',
      appApi: { id: 'nuqloud_ai', secret: '${APP_SECRET}', version: '0.1.0', bot: 'nuq' },
      historyReader: 'nuqloud-ai',
    });
    expect(file.bots[0]).toMatchObject({
      talkSecret: '${TALK_BOT_SECRET}',
      rooms: { default: 'mention', x7k2m9pq: 'always' },
      model: { name: 'small-model', temperature: 0.2 },
    });
    expect(file.bots[0]?.tools.at(-1)).toBe('files_*');
  });

  it('gives what the schema gives for every file without references', async () => {
    const slugs = fc.uniqueArray(fc.stringMatching(/^[a-z0-9-]{1,40}$/), { minLength: 1, maxLength: 3 });
    const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    // A reference or an edge of white space in a random word would be treated as the file says: not this test's matter.
    const text = words.filter(
      (word) => !/\$\{|^file:|^\s|\s$|[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(word),
    );
    const bot = fc.record({
      name: text,
      talkSecret: text,
      prompt: text,
      triggers: fc.array(
        text.filter((it) => it.trim() === it),
        { maxLength: 3 },
      ),
      rooms: fc.dictionary(
        fc.stringMatching(/^[a-z0-9]{4,30}$/),
        fc.constantFrom('mention', 'always', 'off'),
      ),
      guests: fc.boolean(),
      tools: fc.uniqueArray(fc.stringMatching(/^[a-z][a-z_]{0,20}\*?$/), { maxLength: 4 }),
    });
    const files = fc.tuple(slugs, slugs, bot).map(([instances, bots, rest]) => ({
      version: 1,
      instances: instances.map((id) => ({ id, url: 'https://cloud.example.org' })),
      bots: bots.map((slug, index) => ({ ...rest, slug, instance: instances[index % instances.length] })),
    }));
    await fc.assert(
      fc.asyncProperty(files, fc.boolean(), async (file, flow) => {
        const text = stringify(file, {
          collectionStyle: flow ? 'flow' : 'any',
          aliasDuplicateObjects: false,
        });
        expect((await load(text)).file).toEqual(ProvisionFile.parse(file));
      }),
    );
  });

  it.each<[what: string, text: string, expected: string[]]>([
    ['an empty file', '', ['1:1 : must be a map of fields']],
    ['a list', '- a\n', ['1:1 : must be a map of fields']],
    [
      'a key without a colon',
      'version: 1\nbots\n',
      ['2:1 : a colon, comma, quote or bracket is missing here'],
    ],
    ['a tab', 'version: 1\nbots:\n\t- a\n', ['3:1 : lines are indented with spaces, not with tabs']],
    ['a key that stands twice', 'version: 1\nversion: 1\n', ['2:1 : this key stands twice']],
    [
      'two syntax errors',
      'version: @\nbots: "\\q"\n',
      [
        '1:10 : text that begins with this character must stand in quotes',
        '2:8 : this \\ escape is not known; put text with a backslash in single quotes',
      ],
    ],
    [
      'an open bracket',
      'version: 1\nbots: [\n',
      ['3:1 : the indentation is wrong, or a closing bracket or quote is missing'],
    ],
    [
      'two documents',
      'version: 1\n---\nversion: 1\n',
      ['2:1 : the file must hold a single document, without a second ---'],
    ],
    [
      'an alias',
      'version: 1\ninstances: &it []\nbots: *it\n',
      ['3:7 : aliases (*name) are not supported; write the value again'],
    ],
    ['a tag', 'version: !now 1\n', ['1:10 : tags (!name) are not known here; leave it out']],
    ['another version', MINIMAL.replace('version: 1', 'version: 2'), ['1:10 version: must be 1']],
    ['no instance', 'version: 1\n', ['1:1 instances: is missing']],
    ['an empty list of instances', 'version: 1\ninstances: []\n', ['2:12 instances: must not be empty']],
    [
      'an unknown field',
      `${MINIMAL}    promt: hello\n`,
      [
        '8:5 bots.0: there is no such field here; possible are slug, instance, name, talkSecret, triggers, rooms, prompt, model, users, guests, forcedSearch, tools',
      ],
    ],
    [
      'a field without a value',
      MINIMAL.replace('name: NuQ', 'name:'),
      ['6:5 bots.0.name: must be text; put it in quotes if it looks like something else'],
    ],
    ['a missing field', MINIMAL.replace('    name: NuQ\n', ''), ['4:5 bots.0.name: is missing']],
    [
      'a bot that Talk can reach in no way',
      MINIMAL.replace(/ *talkSecret.*\n/, ''),
      [
        '4:5 bots.0.talkSecret: is missing; only the bot that its instance names as appApi.bot can do without',
      ],
    ],
    [
      'a number for a name',
      MINIMAL.replace('name: NuQ', 'name: 007'),
      ['6:11 bots.0.name: must be text; put it in quotes if it looks like something else'],
    ],
    [
      'a slug that could be no subject',
      MINIMAL.replace('slug: nuq', 'slug: Nu.Q'),
      ['4:11 bots.0.slug: a bot slug must be 1 to 40 of a-z, 0-9 and -'],
    ],
    [
      'a room token of the wrong form',
      `${MINIMAL}    rooms: { Team-Room: always }\n`,
      ['8:14 bots.0.rooms: a room token must be 4 to 30 of a-z and 0-9'],
    ],
    [
      'an unknown room mode',
      `${MINIMAL}    rooms: { default: sometimes }\n`,
      ['8:23 bots.0.rooms.default: must be mention or always or off'],
    ],
    [
      'users of the wrong shape',
      `${MINIMAL}    users: { group: [team] }\n`,
      ['8:12 bots.0.users: must be `everyone`, { groups: [...] } or { users: [...] }'],
    ],
    [
      'a mistake inside a tool',
      `${MINIMAL}    tools:\n      - { name: files_list, confirm: never }\n`,
      ['9:38 bots.0.tools.0.confirm: must be default or always'],
    ],
    [
      'an unknown field of a tool',
      `${MINIMAL}    tools:\n      - { name: files_list, scpoe: {} }\n`,
      ['9:29 bots.0.tools.0: there is no such field here; possible are name, scope, mode, profile, confirm'],
    ],
    [
      'a tool that is neither name nor pattern',
      `${MINIMAL}    tools: ["files list"]\n`,
      [
        '8:13 bots.0.tools.0: must be a tool name, a pattern such as files_*, or { name, scope?, mode?, profile?, confirm? }',
      ],
    ],
    [
      'a bot of an unknown instance',
      MINIMAL.replace('instance: default', 'instance: other'),
      ['5:15 bots.0.instance: there is no such instance in this file; there are: default'],
    ],
    [
      'a slug used twice',
      `${MINIMAL}${MINIMAL.split('bots:\n')[1]}`,
      ['8:11 bots.1.slug: a bot with this name stands further up already'],
    ],
    [
      'an instance named twice',
      MINIMAL.replace('[{', '[{ id: default, url: "http://a" }, {'),
      ['2:53 instances.1.id: an instance with this name stands further up already'],
    ],
    [
      'a tool named twice',
      `${MINIMAL}    tools: [files_list, { name: files_list }]\n`,
      ['8:33 bots.0.tools.1.name: a tool of this bot with this name stands further up already'],
    ],
    [
      'an AppAPI bot of no such slug',
      EXAMPLE.replace('bot: nuq', 'bot: nug'),
      ['5:83 instances.0.appApi.bot: there is no such bot in this file; there are: nuq'],
    ],
    [
      'agent mode',
      `${MINIMAL}    tools: [{ name: files_list, mode: agent, profile: workspace }]\n`,
      [
        '8:39 bots.0.tools.0.mode: agent mode does not exist yet in this version: every tool acts as the person who wrote; leave it out',
        '8:55 bots.0.tools.0.profile: agent mode does not exist yet in this version: every tool acts as the person who wrote; leave it out',
      ],
    ],
    [
      'profiles',
      `${MINIMAL}profiles:\n  - { id: w, instance: default, label: W, userId: w, loginName: w, appPassword: "file:/x", families: [files] }\n`,
      [
        '8:1 : agent mode does not exist yet in this version: every tool acts as the person who wrote; leave the profiles out',
      ],
    ],
    [
      'a malformed reference',
      MINIMAL.replace('name: NuQ', 'name: "${APP-ID}"'),
      ['6:11 bots.0.name: ${…} must hold the name of a variable: letters, digits and _'],
    ],
  ])('refuses %s with its line and column', async (_what, text, expected) => {
    expect(await mistakesOf(text)).toEqual(expected);
  });

  it.each<[what: string, from: string, to: string, message: RegExp]>([
    [
      'a scope with ..',
      '["/Projects"]',
      '["/Projects/../Private"]',
      /paths.*must not hold \. or \.\. as a part/,
    ],
    ['a scope with .', '["/Projects"]', '["/."]', /must not hold \. or \.\. as a part/],
    ['a scope with an empty part', '["/Projects"]', '["/a//b"]', /must not hold an empty part/],
    ['a scope with a backslash', '["/Projects"]', "['/a\\b']", /not with a backslash/],
    ['a relative scope', '["/Projects"]', '["Projects"]', /must begin with \//],
    ['a blank name', 'name: NuQ', 'name: "   "', /name: must not be blank/],
    ['a name that cannot be seen', 'name: NuQ', 'name: "\\u200B"', /name: must not be blank/],
    ['a name of two lines', 'name: NuQ', 'name: "Nu\\nQ"', /name: must be one line/],
    ['a blank trigger', '"@nuq"', '" "', /triggers.*must not be blank/],
    ['a prompt with NUL', 'You help', '"\\0" # ', /prompt: must not hold control characters/],
    [
      'a user with a space too many',
      'users: everyone',
      'users: { users: ["alice "] }',
      /must not begin or end/,
    ],
    ['a blank group', 'users: everyone', 'users: { groups: [" "] }', /must not be blank/],
    ['a blank secret', 'talkSecret: ${TALK_BOT_SECRET}', 'talkSecret: "  "', /talkSecret: must not be blank/],
    ['an app id with a line break', 'id: ${APP_ID}', 'id: "a\\nb"', /appApi.*must be 1 to 64 of/],
    ['a version with a space', 'version: ${APP_VERSION}', 'version: "1 0"', /must be a version/],
    [
      'a URL with a password',
      'url: ${NEXTCLOUD_URL}',
      'url: "https://a:b@c.example"',
      /must not hold a user name/,
    ],
    ['a URL with a query', 'url: ${NEXTCLOUD_URL}', 'url: "https://c.example/?a=b"', /without \? and #/],
  ])('refuses %s in words', async (_what, from, to, message) => {
    expect(EXAMPLE).toContain(from);
    const mistakes = await mistakesOf(EXAMPLE.replace(from, to));
    expect(mistakes.join('\n')).toMatch(message);
    expect(mistakes.join('\n')).not.toContain('a:b@');
  });

  it('tells all mistakes at once, in the order of the lines', async () => {
    const text = EXAMPLE.replace('id: default', 'id: ${NO_SUCH_ID}')
      .replace('rooms: { default', 'rooms: { default1!')
      .replace('guests: false', 'guests: perhaps')
      .replace('- name: files_list', '- { name: files_list, mode: agent }');
    expect((await mistakesOf(text)).map((mistake) => mistake.split(': ').slice(0, 2).join(': '))).toEqual([
      '3:9 instances.0.id: the variable NO_SUCH_ID is not set',
      '13:14 bots.0.rooms: a room token must be 4 to 30 of a-z and 0-9',
      '17:13 bots.0.guests: must be true or false',
      '19:35 bots.0.tools.0.mode: agent mode does not exist yet in this version',
    ]);
  });

  it('words the error for the person who wrote the file', async () => {
    await expect(load(MINIMAL.replace('slug: nuq', 'slug: NUQ'))).rejects.toThrow(
      /^The provision file .*provision\.yaml is not usable:\n {2}- line 4, column 11 \(bots\[0\]\.slug\): a bot slug must/,
    );
  });

  it('says that the file cannot be read', async () => {
    const refusal: unknown = await loadProvision(path.join(folder, 'none.yaml'), ENV).catch(
      (it: unknown) => it,
    );
    expect(isAppError(refusal, 'PROVISION.UNREADABLE')).toBe(true);
    expect((refusal as Error).message).toBe('PROVISION_FILE cannot be read (ENOENT).');
  });

  describe('references', () => {
    it.each([undefined, ''])('refuse a variable that is %j, with its line', async (value) => {
      expect(await mistakesOf(EXAMPLE, { ...ENV, NEXTCLOUD_URL: value })).toEqual([
        '4:10 instances.0.url: the variable NEXTCLOUD_URL is not set',
      ]);
    });

    it('are replaced within a text, once: a value is not searched for others', async () => {
      const text = MINIMAL.replace('https://cloud.example.org', 'https://${HOST}/${PATH_}').replace(
        'NuQ',
        '${A} ${B}',
      );
      const { file } = await load(text, { HOST: 'h.example', PATH_: 'nc', A: '${B}', B: '$&' });
      expect(file.instances[0]?.url).toBe('https://h.example/nc');
      expect(file.bots[0]?.name).toBe('${B} $&');
    });

    it('stay text, whatever the variable looks like', async () => {
      expect((await load(MINIMAL.replace('NuQ', '${NAME}'), { NAME: '007' })).file.bots[0]?.name).toBe('007');
    });

    it('read files, from the folder of the provision file, without the last line break', async () => {
      writeFileSync(path.join(folder, 'prompt.txt'), 'You help.\nBe brief.\n');
      const { file } = await load(`${MINIMAL}    prompt: file:prompt.txt\n`);
      expect(file.bots[0]?.prompt).toBe('You help.\nBe brief.');
    });

    it('name the file that cannot be read', async () => {
      expect(await mistakesOf(`${MINIMAL}    prompt: file:none.txt\n`)).toEqual([
        `8:13 bots.0.prompt: the file ${path.join(folder, 'none.txt')} cannot be read (ENOENT)`,
      ]);
    });

    it('are not seen in a text that only begins with the word file', async () => {
      const { file } = await load(`${MINIMAL}    prompt: "file: a folder of papers"\n`);
      expect(file.bots[0]?.prompt).toBe('file: a folder of papers');
    });
  });

  it('keeps room tokens that look like numbers', async () => {
    const { file } = await load(`${MINIMAL}    rooms: { 0123: always, 12345e67: off }\n`);
    expect(file.bots[0]?.rooms).toEqual({ '0123': 'always', '12345e67': 'off' });
  });

  describe('secrets', () => {
    const SECRET = 'canary-0123456789-0123456789-0123456789-';

    it('are read when their owner asks, from a variable, a file or the provision file itself', async () => {
      writeFileSync(path.join(folder, 'secret'), `${SECRET}\n`);
      for (const written of ['${TALK_BOT_SECRET}', 'file:secret', 'file:${WHERE}', SECRET]) {
        const text = MINIMAL.replace('${TALK_BOT_SECRET}', written);
        const provision = await load(text, { TALK_BOT_SECRET: SECRET, WHERE: 'secret' });
        expect(provision.secret(['bots', 0, 'talkSecret'], TalkSecret)).toBe(SECRET);
      }
    });

    it.each<[what: string, written: string, env: Record<string, string>, message: string]>([
      ['whose variable is not set', '${TALK_BOT_SECRET}', {}, 'the variable TALK_BOT_SECRET is not set'],
      ['whose file is missing', 'file:/none/here', {}, 'the file /none/here cannot be read (ENOENT)'],
      ['that is too short', '${S}', { S: 'canary' }, 'this secret must have 40 to 128 bytes'],
    ])('are refused with their line: one %s', async (_what, written, env, message) => {
      const provision = await load(MINIMAL.replace('${TALK_BOT_SECRET}', written), env);
      const refusal = () => provision.secret(['bots', 0, 'talkSecret'], TalkSecret);
      expect(refusal).toThrow(`line 7, column 17 (bots[0].talkSecret): ${message}`);
      expect(refusal).not.toThrow(/canary/);
    });

    it('are not there where the file names none', async () => {
      const provision = await load(MINIMAL, {});
      expect(() => provision.secret(['instances', 0, 'appApi', 'secret'], TalkSecret)).toThrow(
        '(instances[0].appApi.secret): is missing',
      );
    });

    it.each([
      'talkSecret: canary-canary',
      'talkSecret:canary-canary',
      'talkSecret: @canary',
      'talkSecret: "canary',
      'talkSecret: [canary]',
      'talkSecret: { canary: canary }',
      'talkSecret: !canary x',
      'talkSecret: *canary',
      'talkSecret: canary: canary',
      'talkSecrets: canary',
      '{ talkSecret:canary }',
      'model: { talkSecret:canary }',
      'rooms: { canary-canary: always }',
      'talkSecret: canary, } canary',
    ])('are quoted by no error: %s', async (line) => {
      const text = MINIMAL.replace(/talkSecret.*/, line).replace('name: NuQ', 'name: 1');
      const error: unknown = await load(text).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ProvisionError);
      expect((error as Error).message).not.toContain('canary');
      expect(JSON.stringify(error)).not.toContain('canary');
    });

    it('are quoted by no error, wherever a character is lost or too many', async () => {
      const text = EXAMPLE.replaceAll('${TALK_BOT_SECRET}', SECRET).replaceAll('${APP_SECRET}', SECRET);
      const slips = fc.record({
        at: fc.nat(text.length),
        lost: fc.nat(3),
        added: fc.constantFrom(
          '',
          ' ',
          '\n',
          ':',
          ': ',
          '"',
          "'",
          '{',
          '}',
          '[',
          ',',
          '#',
          '*',
          '&',
          '!',
          '- ',
          '\t',
        ),
      });
      await fc.assert(
        fc.asyncProperty(slips, async ({ at, lost, added }) => {
          const error: unknown = await load(text.slice(0, at) + added + text.slice(at + lost)).catch(
            (thrown: unknown) => thrown,
          );
          if (!(error instanceof Error)) return;
          expect(error).toBeInstanceOf(ProvisionError);
          expect(error.message).not.toContain('canary');
        }),
        { numRuns: 400 },
      );
    });
  });
});
