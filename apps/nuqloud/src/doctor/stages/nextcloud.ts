import { ExamineNextcloud } from '@nuqloud/contracts';
import type { ExaminedInstance } from '@nuqloud/contracts';
import { NotExamined, Wrong } from '../examination';
import type { Checked, Examination } from '../examination';
import type { Running } from './services';

/** Instances whose Nextcloud has Talk with bots. */
export type Instances = readonly { readonly id: string; readonly talk: Checked<string> }[];

/** Nextcloud as nextcloud-gateway meets it, from where it runs and with the secrets that it has. */
export const examineNextcloud = async (exam: Examination, running: Running): Promise<Instances> => {
  exam.stage('Nextcloud');
  const examined = await exam.check('instances', [running['nextcloud-gateway']], async (bus) => {
    const { instances } = await bus.request(ExamineNextcloud, {}, { v: 1 });
    if (instances.length === 0) {
      throw new Wrong(
        'nextcloud-gateway knows no Nextcloud.',
        'Name it in the provision file (PROVISION_FILE).',
      );
    }
    return { found: `${instances.map(({ instance }) => instance).join(', ')}`, value: instances };
  });
  if (!examined.right) return [];
  const found: { id: string; talk: Checked<string> }[] = [];
  for (const instance of examined.value)
    found.push({ id: instance.instance, talk: await examineInstance(exam, instance) });
  return found;
};

const examineInstance = async (
  exam: Examination,
  { instance, server, appApi }: ExaminedInstance,
): Promise<Checked<string>> => {
  const reached = await exam.check(`${instance}: server`, [], () => {
    if ('problem' in server) throw new Wrong(server.problem.message);
    return { found: `answers (${server.version})`, value: server };
  });
  const talk = await exam.check(`${instance}: Talk`, [reached], ({ talk: shown }) => {
    if (!shown) {
      throw new Wrong(
        'does not show itself.',
        'Install and enable the app Talk (spreed) in Nextcloud, for everybody who is to use the bot.',
      );
    }
    if (!shown.bots)
      throw new Wrong(`version ${shown.version} has no bots.`, 'Update Talk to 17.1 or later.');
    return { found: `is there, with bots (${shown.version})`, value: instance };
  });
  await exam.check(`${instance}: AppAPI secret`, [reached], () => {
    if (appApi === null)
      throw new NotExamined('the instance has no AppAPI values, so nobody can use tools there');
    if ('problem' in appApi) throw new Wrong(appApi.problem.message);
    if (!appApi.enabled) {
      throw new Wrong(
        'is accepted, but the app is switched off in Nextcloud.',
        'Enable it: `occ app_api:app:enable`.',
      );
    }
    return { found: 'is accepted', value: undefined };
  });
  return talk;
};
