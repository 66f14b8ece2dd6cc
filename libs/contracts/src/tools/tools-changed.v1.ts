import { z } from 'zod';
import { defineEvent } from '../bus/define-message';
import { ProviderId } from '../ids';

/** A provider started, is about to stop, or offers something else than before. */
export const ToolsChanged = defineEvent({
  name: 'tools.changed.v1',
  subject: 'tools.changed.{provider}',
  body: z.object({ v: z.literal(1), provider: ProviderId }),
});
