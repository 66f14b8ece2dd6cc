import { ExamineModel } from '@nuqloud/contracts';
import { Wrong } from '../examination';
import type { Examination } from '../examination';
import type { Running } from './services';

/** Each model in use, asked by the agent with the endpoint and key that it has. */
export const examineModels = async (exam: Examination, running: Running): Promise<void> => {
  exam.stage('Model');
  const examined = await exam.check('endpoint', [running.agent], async (bus) => {
    const { models } = await bus.request(ExamineModel, {}, { v: 1 });
    return { found: `${models.length} model(s) in use`, value: models };
  });
  if (!examined.right) return;
  for (const { model, problem } of examined.value) {
    await exam.check(model === null ? 'default model' : `model ${model}`, [], () => {
      if (problem) throw new Wrong(`${problem.message} (OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL)`);
      return { found: 'answers and calls tools', value: undefined };
    });
  }
};
