import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { InstanceId } from '../ids';

/** Whether a Nextcloud has this installation enabled as its app. Asking also raises the version that it knows of us. */
export const ReadAppState = defineRequest({
  name: 'gateway.app-state.v1',
  subject: 'gateway.app-state',
  request: z.object({ v: z.literal(1), instance: InstanceId }),
  reply: z.object({ v: z.literal(1), enabled: z.boolean() }),
  timeoutMs: 8_000,
});

/** Tells a Nextcloud how far the initialisation is. At 100 it enables the app, within its answer. */
export const ReportAppProgress = defineRequest({
  name: 'gateway.app-progress.v1',
  subject: 'gateway.app-progress',
  request: z.object({
    v: z.literal(1),
    instance: InstanceId,
    /** Percent. */
    progress: z.number().int().min(0).max(100),
  }),
  reply: z.object({ v: z.literal(1) }),
  timeoutMs: 45_000,
});
