import type { Demo } from '../demo/start-demo';
import type { ProductProcess } from '../product/product-process';
import type { ChatClient } from './chat-client';
import type { Message } from './chat-client';

/** One thing that is shown, and what must be true of it. */
export interface Scene {
  readonly title: string;
  readonly play: (stage: Stage) => Promise<void>;
}

export interface Stage {
  readonly demo: Demo;
  readonly chat: ChatClient;
  /** The running tool-files process. */
  toolFiles: ProductProcess;
  /** Prints a line of the transcript. */
  readonly print: (line: string) => void;
  /** Throws what is not as it should be. */
  readonly check: (holds: boolean, what: string) => void;
}

const NAMES: Readonly<Record<string, string>> = {
  alice: 'Alice',
  bob: 'Bob',
  carol: 'Carol',
  'guests/7f3a': 'A guest',
};

/** Somebody writes, the bot answers, both are printed. */
const ask = async (stage: Stage, user: string, text: string): Promise<{ id: number; answer: Message }> => {
  stage.print(`${NAMES[user] ?? user}: ${text}`);
  const id = await stage.chat.write(user, text);
  const answer = await stage.chat.answerTo(id);
  stage.print(indented(`NuQ: ${answer.message}`));
  return { id, answer };
};

const indented = (text: string): string => text.replaceAll('\n', '\n     ');

/** Two words with which a test can tell an answer's content. */
const includes = (stage: Stage, answer: Message, ...parts: string[]): void => {
  for (const part of parts) stage.check(answer.message.includes(part), `the answer holds "${part}"`);
};

export const SCENES: readonly Scene[] = [
  {
    title: 'Help lists what the bot can do here',
    play: async (stage) => {
      const { answer } = await ask(stage, 'alice', 'nuq help');
      includes(stage, answer, 'NuQ', '/reset');
      stage.check(answer.message.split('\n- ').length === 4, 'three tools are listed');
    },
  },
  {
    title: 'A listing of one’s own folder',
    play: async (stage) => {
      const { id, answer } = await ask(stage, 'alice', '@nuq list /Docs');
      includes(stage, answer, 'plan.md', 'Meeting notes 2026-05-12.md', '#1 priority.txt');
      stage.check(
        await stage.chat.reactionsOn(id, (reactions) => !('👀' in reactions)),
        'the 👀 is gone afterwards',
      );
    },
  },
  {
    title: 'Reading a file',
    play: async (stage) => {
      const { answer } = await ask(stage, 'alice', 'nuq, read /Docs/plan.md');
      includes(stage, answer, 'summer party', '1 200 euros');
    },
  },
  {
    title: 'Everybody works in their own files, in their own language',
    play: async (stage) => {
      const { answer } = await ask(stage, 'bob', 'nuq zeige /Offers');
      includes(stage, answer, 'coffee machine.csv', 'übersicht.md');
      const other = await ask(stage, 'bob', 'nuq lies /Docs/plan.md');
      stage.check(!other.answer.message.includes('summer party'), 'Bob does not see Alice’s file');
    },
  },
  {
    title: 'A guest is refused, and nothing happens in Nextcloud',
    play: async (stage) => {
      const { answer } = await ask(stage, 'guests/7f3a', 'nuq list /');
      includes(stage, answer, 'account');
      stage.check(
        (await stage.chat.requestsAs('7f3a')) === 0,
        'nothing was asked of Nextcloud in the guest’s name',
      );
    },
  },
  {
    title: 'A webhook delivered twice is answered once',
    play: async (stage) => {
      const { id } = await ask(stage, 'alice', 'nuq info about /Docs/plan.md');
      await stage.chat.deliverAgain(id);
      stage.print('(the same webhook is delivered once more)');
      // Whatever the second delivery caused would stand before the answer to a later message.
      await ask(stage, 'alice', 'nuq hello');
      stage.check((await stage.chat.answers(id)).length === 1, 'there is one answer');
    },
  },
  {
    title: 'A tool service dies, the rest goes on, and its tools come back with it',
    play: async (stage) => {
      stage.toolFiles.kill();
      await stage.toolFiles.exit();
      stage.print('(the process of the Files tools is killed)');
      const without = await ask(stage, 'alice', 'nuq list /Docs');
      stage.check(!without.answer.message.includes('plan.md'), 'nothing is listed');
      await ask(stage, 'alice', 'nuq hello');
      stage.toolFiles = await stage.demo.startService('tool-files');
      stage.print('(it is started again)');
      const { answer } = await ask(stage, 'alice', 'nuq list /Docs');
      includes(stage, answer, 'plan.md');
    },
  },
];
