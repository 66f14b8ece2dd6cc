import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { InstanceId } from '../ids';
import { Problem } from './problem';

const ExaminedServer = z.object({
  version: z.string().max(40),
  /** Talk as it shows itself to everybody; null where it does not. */
  talk: z
    .object({
      version: z.string().max(40),
      /** Whether it has bots at all (`bots-v1`). */
      bots: z.boolean(),
    })
    .nullable(),
});

const ExaminedAppApi = z.object({
  /** Whether Nextcloud has the app switched on. */
  enabled: z.boolean(),
});

const ExaminedInstance = z.object({
  instance: InstanceId,
  server: z.union([ExaminedServer, z.object({ problem: Problem })]),
  /** Null where the instance has no AppAPI values, so that nobody can act there. */
  appApi: z.union([ExaminedAppApi, z.object({ problem: Problem })]).nullable(),
});
export type ExaminedInstance = z.infer<typeof ExaminedInstance>;

export const ExamineNextcloudReply = z.object({
  v: z.literal(1),
  instances: z.array(ExaminedInstance).max(1_000),
});
export type ExamineNextcloudReply = z.infer<typeof ExamineNextcloudReply>;

/** Does each Nextcloud answer where we look for it, and does it take our AppAPI login? Asked by the doctor. */
export const ExamineNextcloud = defineRequest({
  name: 'gateway.examine.v1',
  subject: 'gateway.examine',
  request: z.object({ v: z.literal(1) }),
  reply: ExamineNextcloudReply,
  timeoutMs: 20_000,
});
