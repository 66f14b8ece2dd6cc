import type { ChatEventBody, SpooledEvent } from '@nuqloud/contracts';
import { AppError, createLogger } from '@nuqloud/platform';
import { ChatLog, EventRefused } from '../ports/chat-log';
import type { Appended } from '../ports/chat-log';
import { Spool } from '../ports/spool';
import type { Spooled } from '../ports/spool';
import { StoreEvent } from './store-event';

const event = {} as ChatEventBody;
const away = new AppError('BUS.TIMEOUT', 'away', { retryable: true });

/** Answers when the test says so. */
class ScriptedLog extends ChatLog {
  readonly calls: { id: string; answer: (result: Appended | Error) => void }[] = [];

  append(_event: ChatEventBody, id: string): Promise<Appended> {
    return new Promise((resolve, reject) =>
      this.calls.push({
        id,
        answer: (result) => (result instanceof Error ? reject(result) : resolve(result)),
      }),
    );
  }
}

class MemorySpool extends Spool {
  readonly hasRoom = true;
  readonly kept: string[] = [];

  get size(): number {
    return this.kept.length;
  }
  keep({ messageId }: SpooledEvent): Promise<void> {
    this.kept.push(messageId);
    return Promise.resolve();
  }
  oldest(): Promise<Spooled | undefined> {
    return Promise.resolve(undefined);
  }
  remove(): Promise<void> {
    return Promise.resolve();
  }
  setAside(): Promise<void> {
    return Promise.resolve();
  }
}

let log: ScriptedLog;
let spool: MemorySpool;
let events: StoreEvent;
beforeEach(() => {
  log = new ScriptedLog();
  spool = new MemorySpool();
  events = new StoreEvent(
    log,
    spool,
    { note: () => undefined },
    createLogger({ service: 'talk-ingress', level: 'silent' }),
  );
});

describe('an event', () => {
  it('is stored in the log while that answers', async () => {
    const stored = events.store(event, '1');
    log.calls[0]?.answer({ duplicate: false, correlationId: 'c' });
    expect(await stored).toEqual({ where: 'log', duplicate: false, correlationId: 'c' });
    expect(spool.kept).toEqual([]);
  });

  it('is kept in the spool when the log does not take it', async () => {
    const stored = events.store(event, '1');
    log.calls[0]?.answer(away);
    expect(await stored).toEqual({ where: 'spool' });
    expect(spool.kept).toEqual(['1']);
  });

  it('does not overtake what waits in the spool: the log is not asked', async () => {
    spool.kept.push('0');
    expect(await events.store(event, '1')).toEqual({ where: 'spool' });
    expect(log.calls).toEqual([]);
  });

  it('does not overtake one that is still hoped to be acknowledged', async () => {
    const [first, second] = [events.store(event, '1'), events.store(event, '2')];
    log.calls[1]?.answer(away);
    log.calls[0]?.answer(away);
    expect(await Promise.all([second, first])).toEqual([{ where: 'spool' }, { where: 'spool' }]);
    expect(spool.kept).toEqual(['1', '2']);
  });

  it('that the log can never take is refused and not kept', async () => {
    const stored = events.store(event, '1');
    log.calls[0]?.answer(new EventRefused('BUS.TOO_LARGE', 'too large'));
    await expect(stored).rejects.toBeInstanceOf(EventRefused);
    expect(spool.kept).toEqual([]);
  });
});
