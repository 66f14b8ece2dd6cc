import { Inject, Injectable } from '@nestjs/common';
import type { ChatAttachment, ChatMessage } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import { describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { Nextcloud } from '../ports/nextcloud';
import type { Person } from './turn-work';

/** Who wrote a message, as Nextcloud knows them. */
@Injectable()
export class DescribeWriter {
  constructor(
    private readonly nextcloud: Nextcloud,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never rejects. Guests and federated users have no account here, so nobody can say more of them. */
  async describe(
    { actor, attestation }: ChatMessage | ChatAttachment,
    context: MessageContext,
  ): Promise<Person> {
    if (actor.type !== 'users') return null;
    try {
      return await this.nextcloud.person(attestation, context);
    } catch (error) {
      this.logger.warn({
        event: 'person.unknown',
        correlationId: context.correlationId,
        ...describeError(error),
      });
      return null;
    }
  }
}
