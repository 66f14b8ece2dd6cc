import { EXIT, runCommandLine } from './run-command-line';

const run = async (args: string[], env: Record<string, string> = {}) => {
  const lines: string[] = [];
  const errors: string[] = [];
  const exitCode = await runCommandLine(args, env, {
    print: (line) => lines.push(line),
    printError: (line) => errors.push(line),
  });
  return { exitCode, out: lines.join('\n'), err: errors.join('\n') };
};

const NAMES = ['keys init', 'init', 'doctor', 'dead-letter list', 'dead-letter replay', 'help'];

describe('the command line', () => {
  it.each([['help'], ['--help'], ['init', '--help'], ['keys', 'init', '-h'], ['doctor', '--help']])(
    'lists what there is: %s %s %s',
    async (...args) => {
      const { exitCode, out, err } = await run(args.filter(Boolean));
      expect([exitCode, err]).toEqual([EXIT.done, '']);
      expect(out.match(/^[a-z-]+( [a-z]+)?(?= {2})/gm)).toEqual(NAMES);
    },
  );

  it.each([
    [['doctors']],
    [['keys', 'rotate']],
    [['keys']],
    [['bot', 'list']],
    [['dead-letter', 'show']],
    [['Init']],
    [['constructor']],
    [['--version']],
  ])('refuses %j, which does not exist, with the list of what does', async (args) => {
    const { exitCode, out, err } = await run(args);
    expect([exitCode, out]).toEqual([EXIT.misused, '']);
    expect(err).toBe(`There is no such command; there are: ${NAMES.join(', ')}.`);
  });

  it('asks what to do when nothing was typed', async () => {
    const { exitCode, err } = await run([]);
    expect([exitCode, err]).toEqual([EXIT.misused, `Say what to do: ${NAMES.join(', ')}.`]);
  });

  it.each([
    [['doctor', '--room', 'Team!'], '--room must be a room token'],
    [['init', '--force'], "Unknown option '--force'"],
    [['init', 'now'], "Unexpected argument 'now'"],
    [['dead-letter', 'replay'], 'Say which: ids as `dead-letter list` shows them, or --all.'],
    [['dead-letter', 'replay', 'CHAT-1', '--all'], 'Say which: '],
    [['dead-letter', 'list', 'CHAT-1'], "Unexpected argument 'CHAT-1'"],
    [['keys', 'init', '--nats-port'], "Option '--nats-port <value>' argument missing"],
    [['keys', 'init', '--nats-port', 'x'], '--nats-port must be a port, 1 to 65535.'],
    [['keys', 'init', '--nats-monitor-port', '0'], '--nats-monitor-port must be a port, 1 to 65535.'],
    [['keys', 'init', '--nats-port', '4.5e3'], '--nats-port must be a port, 1 to 65535.'],
  ])('refuses the flags of %j', async (args, message) => {
    const { exitCode, err } = await run(args, { KEYS_DIR: '/nonexistent/keys' });
    expect(exitCode).toBe(EXIT.misused);
    expect(err).toContain(message);
  });

  it('names every variable that `init` lacks', async () => {
    const { exitCode, err } = await run(['init'], { KEYS_DIR: '' });
    expect(exitCode).toBe(EXIT.failed);
    for (const name of ['DATABASE_URL', 'NATS_URL', 'KEYS_DIR']) expect(err).toContain(`${name} is not set`);
  });

  it('names the variable that is wrong, without its value', async () => {
    const { exitCode, err } = await run(['init'], {
      DATABASE_URL: 'mysql://owner:canary@db/nuqloud',
      NATS_URL: 'nats://127.0.0.1:4222',
      KEYS_DIR: '/nonexistent/keys',
    });
    expect(exitCode).toBe(EXIT.failed);
    expect(err).toContain('DATABASE_URL must be a postgresql:// URL');
    expect(err).not.toContain('canary');
  });

  it('names the variable that `keys init` lacks', async () => {
    const { exitCode, err } = await run(['keys', 'init']);
    expect(exitCode).toBe(EXIT.failed);
    expect(err).toContain('KEYS_DIR is not set');
  });

  it('says how to make the keys when `init` does not find them', async () => {
    const { exitCode, err } = await run(['init'], {
      DATABASE_URL: 'postgresql://127.0.0.1:1/nuqloud',
      NATS_URL: 'nats://127.0.0.1:1',
      KEYS_DIR: '/nonexistent/keys',
    });
    expect(exitCode).toBe(EXIT.failed);
    expect(err).toMatch(
      /^The key file \S+\.json cannot be read in KEYS_DIR; `npm run nuqloud -- keys init` makes it\.$/,
    );
  });
});
