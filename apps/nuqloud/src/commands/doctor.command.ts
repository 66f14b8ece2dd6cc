import { parseArgs } from 'node:util';
import { RoomToken } from '@nuqloud/contracts';
import { AppError, Closing } from '@nuqloud/platform';
import { UsageError } from '../command';
import type { Command } from '../command';
import { Examination } from '../doctor/examination';
import { examineConfiguration } from '../doctor/stages/configuration';
import { examineModels } from '../doctor/stages/model';
import { examineNextcloud } from '../doctor/stages/nextcloud';
import { examinePermissions } from '../doctor/stages/permissions';
import { examineProviders } from '../doctor/stages/providers';
import { examineServices } from '../doctor/stages/services';
import { examineStores } from '../doctor/stages/stores';
import { examineTalk } from '../doctor/stages/talk';

export const doctorCommand: Command = {
  name: 'doctor',
  summary:
    'examines the running system: ✔ right, ✖ wrong and what to do, – not examined and why; changes nothing',
  details: [
    'DATABASE_URL, NATS_URL, REDIS_URL, KEYS_DIR   as for `init`; more is examined the more keys can be read',
    'PROVISION_FILE   looked through where it is set',
    '--room TOKEN     a room to try the bots in, beside those in which they have spoken lately',
  ],
  async run({ args, env, print }) {
    const room = readRoom(args);
    const exam = new Examination(print);
    const closing = new Closing();
    try {
      const configured = await examineConfiguration(exam, env);
      const stores = await examineStores(exam, configured, closing);
      await examinePermissions(exam, configured, stores);
      const running = await examineServices(exam, stores);
      const instances = await examineNextcloud(exam, running);
      await examineTalk(exam, running, instances, room);
      await examineModels(exam, running);
      await examineProviders(exam, running, instances);
    } finally {
      await closing.close();
    }
    const { right, wrong, notExamined } = exam.result;
    print('');
    print(`${right} right, ${wrong} wrong, ${notExamined} not examined`);
    if (wrong > 0) throw new AppError('DOCTOR.WRONG', 'Something is wrong: see the lines with ✖.');
  },
};

const readRoom = (args: readonly string[]): string | undefined => {
  const { values } = parseArgs({ args: [...args], options: { room: { type: 'string' } } });
  if (values.room === undefined) return undefined;
  const room = RoomToken.safeParse(values.room);
  if (!room.success)
    throw new UsageError('--room must be a room token: the last part of the address of the room in Talk.');
  return room.data;
};
