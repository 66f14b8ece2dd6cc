import { createLogger } from '@nuqloud/platform';
import { BotStore } from '../ports/bot-store';
import type { KnownBot } from '../ports/bot-store';
import { BotDirectory } from './bot-directory';

const stored = (slug: string, sealedSecret: string | null = `sealed ${slug}`): KnownBot => ({
  slug,
  instance: 'default',
  instanceUrl: 'https://cloud.example',
  sealedSecret,
  isAppBot: sealedSecret === null,
});

class FakeStore extends BotStore {
  rows: KnownBot[] = [stored('nuq')];
  asked = 0;
  isAway = false;

  all(): Promise<KnownBot[]> {
    this.asked += 1;
    return this.isAway ? Promise.reject(new Error('away')) : Promise.resolve(this.rows);
  }

  save(): Promise<void> {
    return Promise.resolve();
  }
}

const secrets = {
  open: (_slug: string, sealed: string) => {
    if (sealed === 'broken') throw new Error('cannot be opened');
    return sealed.replace('sealed', 'secret of');
  },
};

const startDirectory = async (store: FakeStore): Promise<BotDirectory> => {
  const directory = new BotDirectory(store, secrets, createLogger({ service: 'test', level: 'silent' }));
  await directory.start();
  started.push(directory);
  return directory;
};
const started: BotDirectory[] = [];
afterEach(() => Promise.all(started.splice(0).map((directory) => directory.stop())));

describe('BotDirectory', () => {
  it('asks the store nothing for bots that it does not know, however many', async () => {
    const store = new FakeStore();
    const directory = await startDirectory(store);
    for (let n = 0; n < 10_000; n++) expect(directory.find(`nobody-${n}`)).toBeUndefined();
    expect(directory.find('nuq')?.secret).toBe('secret of nuq');
    expect(store.asked).toBe(1);
  });

  it('finds a bot that was made since, when it may look', async () => {
    const store = new FakeStore();
    const directory = await startDirectory(store);
    store.rows = [...store.rows, stored('new')];
    expect(directory.find('new')).toBeUndefined();
    expect((await directory.findFresh('new'))?.slug).toBe('new');
    expect(directory.find('new')?.slug).toBe('new');
  });

  it('looks once for many who ask at the same time', async () => {
    const store = new FakeStore();
    const directory = await startDirectory(store);
    await Promise.all(Array.from({ length: 50 }, () => directory.findFresh('nobody')));
    expect(store.asked).toBe(2);
  });

  it('goes on with the last known bots while the store is away', async () => {
    const store = new FakeStore();
    const directory = await startDirectory(store);
    store.isAway = true;
    expect(await directory.findFresh('nobody')).toBeUndefined();
    expect(directory.find('nuq')).toBeDefined();
    expect(directory.isReachable).toBe(false);
    store.isAway = false;
    await directory.findFresh('nobody');
    expect(directory.isReachable).toBe(true);
  });

  it('keeps a bot as it was when its row has become unreadable, and all others', async () => {
    const store = new FakeStore();
    const directory = await startDirectory(store);
    store.rows = [stored('nuq', 'broken'), stored('new')];
    expect((await directory.findFresh('new'))?.secret).toBe('secret of new');
    expect(directory.find('nuq')?.secret).toBe('secret of nuq');
    expect(directory.isReachable).toBe(true);
  });

  it('forgets a bot that was removed', async () => {
    const store = new FakeStore();
    const directory = await startDirectory(store);
    store.rows = [];
    await directory.findFresh('nobody');
    expect(directory.find('nuq')).toBeUndefined();
  });

  it('does not start with a secret that it cannot open', async () => {
    const store = new FakeStore();
    store.rows = [stored('nuq', 'broken')];
    await expect(startDirectory(store)).rejects.toThrow('cannot be opened');
  });
});
