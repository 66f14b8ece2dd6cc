import type { PrismaClient } from '@nuqloud/database';
import { KnownMessages } from '../ports/known-messages';
import type { KnownUpTo } from '../ports/known-messages';

export class PrismaKnownMessages extends KnownMessages {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  all(): Promise<KnownUpTo[]> {
    return this.prisma.ingressKnownMessage.findMany();
  }

  async raise(marks: readonly KnownUpTo[]): Promise<void> {
    for (const { instance, bot, room, message } of marks) {
      await this.prisma.$executeRaw`
        INSERT INTO ingress_known_messages (instance, bot, room, message)
        VALUES (${instance}, ${bot}, ${room}, ${message})
        ON CONFLICT (instance, bot, room)
        DO UPDATE SET message = GREATEST(ingress_known_messages.message, EXCLUDED.message)`;
    }
  }

  async forget({ instance, bot, room }: Omit<KnownUpTo, 'message'>): Promise<void> {
    await this.prisma.ingressKnownMessage.deleteMany({ where: { instance, bot, room } });
  }
}
