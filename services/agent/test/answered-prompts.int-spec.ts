import { AnswerConfirmation } from '@nuqloud/contracts';
import type { AnswerConfirmationReply } from '@nuqloud/contracts';
import { createPrisma } from '@nuqloud/database';
import type { PrismaClient } from '@nuqloud/database';
import { phrasesFor } from '../src/domain/phrases';
import { Stage } from './stage';

const ROOM = { instance: 'default', bot: 'nuq', room: 'x7k2m9pq' };
const SAYS = phrasesFor('en');

let stage: Stage;
let owner: PrismaClient;
/** What `confirmation` answers; while undefined it is away. */
let verdict: AnswerConfirmationReply | undefined;

const isAsked = (user: string) =>
  owner.agentPrompt.create({ data: { ...ROOM, person: `users/${user}`, askedAt: new Date() } });

beforeAll(async () => {
  stage = await Stage.open({ rooms: { default: 'always' } });
  owner = createPrisma(stage.bed.databaseUrl);
  const { connection } = await stage.bed.busOf('confirmation');
  connection.subscribe(AnswerConfirmation.subject, {
    callback: (_failure, message) => {
      if (verdict) message.respond(JSON.stringify(verdict));
    },
  });
  await connection.flush();
  await stage.startAgent();
});

afterAll(async () => {
  await owner.$disconnect();
  await stage.close();
});

it('a "no" that could also mean "undo", said again, undoes nothing and names the word that would', async () => {
  await isAsked('alice');
  verdict = { v: 1, verdict: 'rejected', open: false, confirmation: crypto.randomUUID(), titles: [] };
  expect(await stage.ask('annuler')).toBe(SAYS.cancelled);
  expect(await stage.ask('annuler')).toBe(SAYS.nothingToCancel);
  expect(await stage.ask('Annulla!')).toBe(SAYS.nothingToCancel);
  expect(await stage.ask('undo')).toBe(SAYS.nothingToUndo);
  expect(await stage.ask('annuler')).toBe(SAYS.nothingToUndo);
});

it('who was told to answer again hears that the question is closed, once', async () => {
  await isAsked('bob');
  verdict = undefined;
  // Nobody judges it within the time that an answer is waited for.
  const first = await stage.write('yes', { user: 'bob' });
  expect(await stage.answerTo(first, 40_000)).toBe(SAYS.confirmationAway);
  verdict = { v: 1, verdict: 'ordinary', open: false };
  const again = await stage.write('help', { user: 'bob' });
  expect(await stage.answerTo(again)).toBe(SAYS.questionClosed);
  expect(await stage.ask('help', { user: 'bob' })).toContain('NuQ');
}, 60_000);
