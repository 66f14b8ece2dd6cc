import type { StreamDefinition } from '@nuqloud/contracts';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  nanos,
  NatsError,
  RetentionPolicy,
  StorageType,
} from 'nats';
import type { ConsumerConfig, JetStreamManager, NatsConnection, StreamConfig } from 'nats';

/**
 * Requests for a message that may wait: one for each replica. Those of a hijacked service may outlive it, and each then
 * swallows a delivery for one ack wait.
 */
const MAX_WAITING = 32;

/** Makes streams and consumers, or brings existing ones to their definition. Messages are kept. */
export const ensureStreams = async (
  nc: NatsConnection,
  definitions: readonly StreamDefinition[],
): Promise<void> => {
  const manager = await nc.jetstreamManager({ checkAPI: false });
  for (const definition of definitions) {
    await ensureStream(manager, definition);
    for (const consumer of definition.consumers) {
      // Creating a durable again with the same name updates it.
      await manager.consumers.add(definition.name, {
        durable_name: consumer.service,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: nanos(consumer.ackWaitMs),
        max_ack_pending: consumer.maxAckPending,
        max_waiting: MAX_WAITING,
        max_deliver: -1,
      } satisfies Partial<ConsumerConfig>);
    }
  }
};

const ensureStream = async (manager: JetStreamManager, definition: StreamDefinition): Promise<void> => {
  const config: Partial<StreamConfig> & { name: string } = {
    name: definition.name,
    subjects: [...definition.subjects],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    max_age: nanos(definition.maxAgeMs),
    max_bytes: definition.maxBytes,
    // A full stream refuses visibly; dropping the oldest would lose what was answered 200.
    discard: DiscardPolicy.New,
    duplicate_window: nanos(definition.duplicateWindowMs),
    // Nobody needs to take out single messages or all of them, so nobody can, whatever they get into the API's hands.
    deny_delete: true,
    deny_purge: true,
  };
  if (await exists(manager, definition.name)) await manager.streams.update(definition.name, config);
  else await manager.streams.add(config);
};

const exists = async (manager: JetStreamManager, stream: string): Promise<boolean> => {
  try {
    await manager.streams.info(stream);
    return true;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.code === 404) return false;
    throw error;
  }
};
