import type { ChatRequest } from './chat-request';
import { demoAnswer } from './demo-rules';
import type { ModelServer } from './model-server';
import { startModelServer } from './model-server';

/** The model's id wherever it shows: nobody must take the script for a language model. */
export const DEMO_MODEL_ID = 'scripted-demo';

export interface DemoModelOptions {
  /** A random free one unless given. */
  port?: number;
  /** Sees each request before it is answered. */
  watch?: ((request: ChatRequest) => void) | undefined;
}

/** The model of the demo: plain rules behind the API of a real one. */
export function startDemoModel({ port, watch }: DemoModelOptions = {}): Promise<ModelServer> {
  return startModelServer({
    port,
    modelId: DEMO_MODEL_ID,
    answer: ({ body }) => {
      watch?.(body);
      return demoAnswer(body);
    },
  });
}
