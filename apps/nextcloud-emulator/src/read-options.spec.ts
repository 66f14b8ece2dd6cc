import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readOptions } from './read-options';

describe('the command line', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'emulator-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const fileWith = (content: string) => {
    const file = path.join(folder, 'fixture.json');
    writeFileSync(file, content);
    return file;
  };

  it('takes port 8090 and the demo world by default', () => {
    const options = readOptions([]);
    expect(options).toMatchObject({ port: 8090, host: '127.0.0.1', webRoot: '' });
    expect(options.fixture?.users?.map(({ id }) => id)).toEqual(['alice', 'bob', 'carol']);
  });

  it('takes port, sub-folder, notice and fixture', () => {
    const args = [
      '--port',
      '0',
      '--web-root',
      '/nextcloud',
      '--notice',
      'a script',
      '--fixture',
      fileWith('{"users":[{"id":"zoe"}]}'),
    ];
    const options = readOptions(args);
    expect(options).toMatchObject({ port: 0, webRoot: '/nextcloud', notice: 'a script' });
    expect(options.fixture?.users).toMatchObject([{ id: 'zoe', language: 'en' }]);
  });

  it.each([
    [['--port', 'abc'], '--port has to be a number from 0 to 65535, got "abc"'],
    [['--port', '70000'], '--port has to be a number from 0 to 65535, got "70000"'],
    [['--web-root', 'nextcloud'], '--web-root has to be a path such as /nextcloud'],
    [['--fixture', '/nowhere/at-all.json'], 'Cannot read the fixture'],
    [['--colour', 'red'], 'Usage: emulator'],
  ])('refuses %j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });

  it('names the place of a mistake in the fixture', () => {
    const file = fileWith('{"users":[{"id":"a/b"}]}');
    expect(() => readOptions(['--fixture', file])).toThrow(
      `The fixture ${file} cannot be used:\nusers[0].id: a user id has no slash`,
    );
  });
});
