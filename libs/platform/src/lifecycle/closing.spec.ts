import { Closing } from './closing';
import { startService } from './start-service';

const recordIn = (ended: string[]) => (name: string) => {
  ended.push(name);
  return Promise.resolve();
};

const breaks = (message: string) => () => Promise.reject(new Error(message));

describe('Closing', () => {
  it('ends in reverse order, one after the other', async () => {
    const ended: string[] = [];
    const closing = new Closing();
    closing.add('database', recordIn(ended));
    closing.add('bus', async (name) => {
      await Promise.resolve();
      ended.push(name);
    });
    closing.add('door', (name) => void ended.push(name));
    await closing.close();
    expect(ended).toEqual(['door', 'bus', 'database']);
  });

  it('gives back what it was told to end', () => {
    const bus = { name: 'bus' };
    expect(new Closing().add(bus, () => undefined)).toBe(bus);
  });

  it('ends everything once, however often it is closed', async () => {
    const ended: string[] = [];
    const closing = new Closing();
    closing.add('bus', recordIn(ended));
    await Promise.all([closing.close(), closing.close()]);
    await closing.close();
    expect(ended).toEqual(['bus']);
  });

  it('goes on after a step that fails, and then throws what that step threw', async () => {
    const ended: string[] = [];
    const closing = new Closing();
    closing.add('database', recordIn(ended));
    closing.add('bus', breaks('no server'));
    closing.add('door', recordIn(ended));
    await expect(closing.close()).rejects.toThrow('no server');
    expect(ended).toEqual(['door', 'database']);
  });

  it('tells every failure of several', async () => {
    const closing = new Closing();
    closing.add('database', breaks('pool'));
    closing.add('bus', () => {
      throw new Error('at once');
    });
    const failure: unknown = await closing.close().catch((error: unknown) => error);
    expect((failure as AggregateError).errors.map(String)).toEqual(['Error: at once', 'Error: pool']);
  });

  it('also ends what is added while it closes', async () => {
    const ended: string[] = [];
    const closing = new Closing();
    closing.add('bus', (name) => {
      closing.add('late', recordIn(ended));
      ended.push(name);
    });
    await closing.close();
    expect(ended).toEqual(['bus', 'late']);
  });
});

describe('startService', () => {
  it('gives the service its name, its close and what else it tells', async () => {
    const ended: string[] = [];
    const running = await startService('agent', (closing) => {
      closing.add('bus', recordIn(ended));
      return Promise.resolve({ url: 'http://127.0.0.1:1' });
    });
    expect(running).toMatchObject({ name: 'agent', url: 'http://127.0.0.1:1' });
    expect(ended).toEqual([]);
    await running.close();
    expect(ended).toEqual(['bus']);
  });

  it('ends what a start had opened when it fails, and throws why it failed', async () => {
    const ended: string[] = [];
    const start = startService('agent', (closing) => {
      closing.add('database', recordIn(ended));
      closing.add('bus', breaks('cannot be ended either'));
      return Promise.reject(new Error('no redis'));
    });
    await expect(start).rejects.toThrow('no redis');
    expect(ended).toEqual(['database']);
  });
});
