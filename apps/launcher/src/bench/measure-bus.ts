import { createHash } from 'node:crypto';
import { ATTESTATION_TTL_S, ExecuteTool, PRODUCT_VERSION, readToolPolicy } from '@nuqloud/contracts';
import type { ExecuteToolRequest } from '@nuqloud/contracts';
import { Bus } from '@nuqloud/messaging';
import { createLogger, readPrivateKeys, readPublicKeys, TokenSigner } from '@nuqloud/platform';
import { signAttestation } from '@nuqloud/testing';
import { defineTool, startToolProvider } from '@nuqloud/tool-sdk';
import { z } from 'zod';
import { percentile, rounded } from './measure';
import type { Figure } from './measure';

const ROUNDS = 3_000;
const TEXT = 'list my files';

/** A tool call over our bus, with validation and signature check, beside a bare NATS request in turn. */
export const measureBus = async (natsUrl: string, keysDir: string): Promise<Figure[]> => {
  const connect = async (service: string) =>
    Bus.connect({ url: natsUrl, service, natsSeed: (await readPrivateKeys(keysDir, service)).natsSeed });
  const [agent, tool] = [await connect('agent'), await connect('tool-files')];
  const provider = await startToolProvider({
    id: 'files',
    service: 'tool-files',
    version: PRODUCT_VERSION,
    description: 'Answers at once',
    tools: [
      defineTool({
        name: 'files_nothing',
        label: 'Nothing',
        summary: 'Does nothing.',
        description: 'Does nothing.',
        policy: readToolPolicy(),
        arguments: z.strictObject({ path: z.string() }),
        run: () => Promise.resolve({ text: 'done' }),
      }),
    ],
    bus: tool,
    publicKeys: await readPublicKeys(keysDir),
    createCall: () => ({}),
    logger: createLogger({ service: 'bench', level: 'silent' }),
  });
  const raw = tool.connection.subscribe('tools.collect', {
    callback: (_failure, message) => message.respond(message.data),
  });
  const request = await toolRequest(keysDir);
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  const bare: number[] = [];
  const ours: number[] = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    bare.push(await timed(() => agent.connection.request('tools.collect', bytes, { timeout: 5_000 })));
    ours.push(await timed(() => agent.request(ExecuteTool, { provider: 'files' }, request)));
  }
  raw.unsubscribe();
  await provider.close();
  await Promise.all([agent.close(), tool.close()]);
  const [bareP50, oursP50] = [percentile(bare, 0.5), percentile(ours, 0.5)];
  return [
    { name: 'bus: bare NATS request, p50', value: rounded(bareP50), unit: 'ms' },
    { name: 'bus: tool call, p50', value: rounded(oursP50), unit: 'ms' },
    {
      name: 'bus: tool call / bare request',
      value: rounded(oursP50 / bareP50),
      unit: 'ratio',
      against: { name: 'at most', value: 2 },
    },
  ];
};

const toolRequest = async (keysDir: string): Promise<ExecuteToolRequest> => {
  const { signing } = await readPrivateKeys(keysDir, 'talk-ingress');
  const now = Math.floor(Date.now() / 1000);
  const attestation = await signAttestation(new TokenSigner('talk-ingress', signing), {
    textHash: createHash('sha256').update(TEXT).digest('hex'),
    iat: now,
    exp: now + ATTESTATION_TTL_S,
  });
  return {
    v: 1,
    callId: 'bench',
    tool: 'files_nothing',
    arguments: { path: '/' },
    context: {
      instance: 'default',
      bot: 'nuq',
      room: 'x7k2m9pq',
      messageId: '1567',
      attachments: [],
      language: 'en',
      zone: null,
    },
    attestation,
    text: TEXT,
  };
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};
