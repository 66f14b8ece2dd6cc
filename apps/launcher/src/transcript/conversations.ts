import type { Demo } from '../demo/start-demo';
import type { ProductProcess } from '../product/product-process';
import type { ChatClient } from './chat-client';
import type { FilesAtDesk } from './files-at-desk';
import type { Message } from './chat-client';

/** One thing that is shown, and what must be true of it. */
export interface Scene {
  readonly title: string;
  readonly play: (stage: Stage) => Promise<void>;
}

export interface Stage {
  readonly demo: Demo;
  readonly chat: ChatClient;
  readonly files: FilesAtDesk;
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

/** Somebody writes something that nobody is meant to answer. */
const say = async (stage: Stage, user: string, text: string): Promise<number> => {
  stage.print(`${NAMES[user] ?? user}: ${text}`);
  return stage.chat.write(user, text);
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
      stage.check(answer.message.split('\n- ').length === 12, 'eleven tools are listed');
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
    title: 'Creating a file needs no question',
    play: async (stage) => {
      await ask(stage, 'alice', 'nuq write "Bring cake" to /Docs/new.md');
      stage.check((await stage.files.read('alice', '/Docs/new.md')) === 'Bring cake', 'the file is there');
      const again = await ask(stage, 'alice', 'nuq write "No cake" to /Docs/new.md');
      stage.check(
        (await stage.files.read('alice', '/Docs/new.md')) === 'Bring cake',
        'what is there is not overwritten unasked',
      );
      includes(stage, again.answer, 'overwrite');
    },
  },
  {
    title: 'A deletion waits for the writer’s own “yes”',
    play: async (stage) => {
      const { answer } = await ask(stage, 'alice', 'nuq delete /Docs/new.md');
      includes(stage, answer, 'Delete /Docs/new.md?', '10 bytes', 'trash', '*yes*');
      const bystander = await say(stage, 'bob', 'yes');
      const { answer: done } = await ask(stage, 'alice', 'yes');
      includes(stage, done, 'Done', '/Docs/new.md');
      stage.check((await stage.chat.answers(bystander)).length === 0, 'Bob’s “yes” was nobody’s answer');
      stage.check((await stage.files.read('alice', '/Docs/new.md')) === null, 'the file is gone');
    },
  },
  {
    title: 'undo',
    play: async (stage) => {
      const { answer } = await ask(stage, 'alice', 'nuq undo');
      includes(stage, answer, 'Undone', '/Docs/new.md');
      stage.check((await stage.files.read('alice', '/Docs/new.md')) === 'Bring cake', 'the file is back');
    },
  },
  {
    title: 'A file that changed after the question is not deleted',
    play: async (stage) => {
      await ask(stage, 'alice', 'nuq delete /Docs/plan.md');
      await stage.files.write('alice', '/Docs/plan.md', 'A new plan');
      stage.print('(Alice saves a new version of the file from her desk)');
      const { answer } = await ask(stage, 'alice', 'yes');
      includes(stage, answer, 'Not done', 'changed');
      stage.check(
        (await stage.files.read('alice', '/Docs/plan.md')) === 'A new plan',
        'the file is still there',
      );
    },
  },
  {
    title: 'Two deletions in one message are one question',
    play: async (stage) => {
      const { answer } = await ask(stage, 'alice', 'nuq delete /Docs/new.md and delete /Docs/Handbook.md');
      includes(stage, answer, '1. ', '2. ', '/Docs/new.md', '/Docs/Handbook.md');
      const { answer: done } = await ask(stage, 'alice', 'ok');
      includes(stage, done, '1. Done', '2. Done');
      const gone = [
        await stage.files.read('alice', '/Docs/new.md'),
        await stage.files.read('alice', '/Docs/Handbook.md'),
      ];
      stage.check(
        gone.every((content) => content === null),
        'both files are gone',
      );
    },
  },
  {
    title: '“nein” is a no, in German as well',
    play: async (stage) => {
      const { answer } = await ask(stage, 'bob', 'nuq lösche „/Offers/coffee machine.csv“');
      includes(stage, answer, 'löschen?', 'Papierkorb');
      await ask(stage, 'bob', 'nein');
      const late = await say(stage, 'bob', 'ja');
      await ask(stage, 'bob', 'nuq hallo');
      stage.check((await stage.chat.answers(late)).length === 0, 'a later “ja” answers nothing');
      stage.check(
        (await stage.files.read('bob', '/Offers/coffee machine.csv')) !== null,
        'the file is still there',
      );
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
