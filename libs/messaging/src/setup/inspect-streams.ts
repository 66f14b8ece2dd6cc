import type { StreamDefinition } from '@nuqloud/contracts';
import { NatsError } from 'nats';
import type { ConsumerInfo, JetStreamManager, NatsConnection, StreamInfo } from 'nats';

/** Beyond this a stream fills up soon, and then refuses what comes. */
const FULL = 0.8;

/**
 * Compares the streams with what this version needs, as a user who may ask for them.
 * @returns what is wrong, in words; nothing where all is well
 */
export const inspectStreams = async (
  connection: NatsConnection,
  definitions: readonly StreamDefinition[],
): Promise<string[]> => {
  const manager = await connection.jetstreamManager({ checkAPI: false });
  const problems = await Promise.all(definitions.map((definition) => inspect(manager, definition)));
  return problems.flat();
};

const inspect = async (manager: JetStreamManager, definition: StreamDefinition): Promise<string[]> => {
  const { name, consumers } = definition;
  const stream = await orMissing<StreamInfo>(manager.streams.info(name));
  if (!stream) return [`there is no stream ${name}`];
  const durables = await Promise.all(
    consumers.map(async ({ service }) => {
      const found = await orMissing<ConsumerInfo>(manager.consumers.info(name, service));
      return found ? [] : [`the stream ${name} has no consumer for ${service}`];
    }),
  );
  return [...inspectStream(stream, definition), ...durables.flat()];
};

const inspectStream = ({ config, state }: StreamInfo, definition: StreamDefinition): string[] => {
  const { name, subjects, maxBytes } = definition;
  const same =
    config.subjects.length === subjects.length && subjects.every((s) => config.subjects.includes(s));
  return [
    ...(same ? [] : [`the stream ${name} keeps other subjects than ${subjects.join(', ')}`]),
    ...(config.deny_purge && config.deny_delete ? [] : [`the stream ${name} can be purged`]),
    ...(state.bytes > maxBytes * FULL
      ? [`the stream ${name} is ${Math.round((state.bytes / maxBytes) * 100)} % full`]
      : []),
  ];
};

const orMissing = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.code === 404) return undefined;
    throw error;
  }
};
