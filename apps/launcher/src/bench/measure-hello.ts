import { countTokens } from '@nuqloud/testing';
import type { ChatRequest } from '@nuqloud/testing';
import type { Demo } from '../demo/start-demo';
import { ChatDoor, isMessage } from './chat-door';
import type { Figure } from './measure';

/** What a first greeting costs: system prompt, definitions of the demo's tools and the greeting, as they are sent. */
export const measureHello = async (demo: Demo, sent: readonly ChatRequest[]): Promise<Figure[]> => {
  const door = new ChatDoor(demo);
  const before = await door.lastRequest();
  await door.deliver('nuq hello');
  await door.requestAfter(before, isMessage);
  const counted = await Promise.all(sent.map(countTokens));
  return [
    {
      name: `first "hello" with ${sent[0]?.tools?.length ?? 0} tools, o200k_base`,
      value: counted.reduce((sum, tokens) => sum + tokens, 0),
      unit: 'tokens',
      against: { name: 'at most', value: 2_500 },
    },
  ];
};
