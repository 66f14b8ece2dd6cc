import { demoAnswer } from './demo-rules';
import type { ModelServer } from './model-server';
import { startModelServer } from './model-server';

/** The model's id wherever it shows: nobody must take the script for a language model. */
export const DEMO_MODEL_ID = 'scripted-demo';

/** The model of the demo: plain rules behind the API of a real one. */
export function startDemoModel(options: { port?: number } = {}): Promise<ModelServer> {
  return startModelServer({ ...options, modelId: DEMO_MODEL_ID, answer: ({ body }) => demoAnswer(body) });
}
