import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readStackVariables } from './stack.config';

/** What a shell exports of .env.example as it is: most of it is empty. */
const exampleFile = readFileSync(path.resolve(__dirname, '../../../../.env.example'), 'utf8');
const EXAMPLE: Readonly<Record<string, string>> = Object.fromEntries(
  [...exampleFile.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

const FILLED_IN: Readonly<Record<string, string>> = {
  ...EXAMPLE,
  APP_SECRET: 'app-secret',
  TALK_BOT_SECRET: 's'.repeat(40),
  OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  OPENAI_MODEL: 'model',
};

const problemsOf = (env: Readonly<Record<string, string | undefined>>): string => {
  try {
    readStackVariables(env);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('the variables of the stack', () => {
  it('count what is empty as unset', () => {
    const variables = readStackVariables(FILLED_IN);
    expect(Object.values(variables)).not.toContain('');
    for (const name of [
      'KEYS_DIR',
      'DATABASE_URL',
      'NATS_URL',
      'REDIS_URL',
      'GATEWAY_URL',
      'ENCRYPTION_KEY',
    ]) {
      expect(variables).not.toHaveProperty(name);
    }
  });

  it('use the provision file with one bot, and the defaults of what it names, unless there is another', () => {
    const { APP_ID, APP_VERSION, ...rest } = FILLED_IN;
    const variables = readStackVariables(rest);
    expect(variables).toMatchObject({ APP_ID, APP_VERSION });
    expect(readFileSync(variables.PROVISION_FILE ?? '', 'utf8')).toContain('${TALK_BOT_SECRET}');
    expect(readStackVariables({ ...FILLED_IN, PROVISION_FILE: 'mine.yaml' }).PROVISION_FILE).toBe(
      'mine.yaml',
    );
  });

  it('keep what only the provision file of somebody knows', () => {
    expect(readStackVariables({ ...FILLED_IN, OTHER_SECRET: 'x' })).toHaveProperty('OTHER_SECRET', 'x');
  });

  it('have the bot come through AppAPI only where it has no secret of its own', () => {
    const { PROVISION_FILE } = readStackVariables({ ...FILLED_IN, TALK_BOT_SECRET: '' });
    const file = readFileSync(PROVISION_FILE ?? '', 'utf8');
    expect(file).not.toContain('talkSecret');
    expect(file).toContain('bot: nuq');
  });

  it.each(['NEXTCLOUD_URL', 'APP_SECRET', 'OPENAI_BASE_URL', 'OPENAI_MODEL'])('need %s', (name) => {
    expect(problemsOf({ ...FILLED_IN, [name]: '' })).toContain(`${name} is not set`);
  });

  it('name everything that is missing in .env.example as it is', () => {
    const problems = problemsOf(EXAMPLE);
    for (const name of ['APP_SECRET', 'OPENAI_BASE_URL', 'OPENAI_MODEL'])
      expect(problems).toContain(`${name} is not set`);
  });

  it.each([
    ['NEXTCLOUD_URL', 'canary.example'],
    ['TALK_BOT_SECRET', 'canary'],
    ['OPENAI_BASE_URL', 'ftp://canary'],
    ['DATABASE_URL', 'mysql://canary'],
    ['REDIS_URL', 'canary'],
  ])('say what is wrong with %s and not its value', (name, value) => {
    const problems = problemsOf({ ...FILLED_IN, [name]: value });
    expect(problems).toMatch(new RegExp(`- ${name} must `));
    expect(problems).not.toContain('canary');
  });

  it('need no bot in the environment where a provision file names its own', () => {
    const { OPENAI_BASE_URL, OPENAI_MODEL } = FILLED_IN;
    expect(problemsOf({ OPENAI_BASE_URL, OPENAI_MODEL, PROVISION_FILE: 'mine.yaml' })).toBe('');
  });
});
