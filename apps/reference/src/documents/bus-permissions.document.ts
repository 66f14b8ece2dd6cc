import { BUS_ACCESS, STREAMS } from '@nuqloud/contracts';
import {
  monitorPermissions,
  provisionerPermissions,
  servicePermissions,
  sharedSubjects,
} from '@nuqloud/messaging';
import type { BusPermissions } from '@nuqloud/messaging';
import { code, GENERATED, list, page } from '../markdown/markdown';

export const busPermissionsDocument = (): string =>
  page(
    GENERATED,
    '# Permissions on the bus',
    `Each service is a NATS user of its own, and the server refuses everything that does not stand here. The lists are
those of \`nats.conf\`, which \`npm run nuqloud -- keys init\` writes; they follow from \`BUS_ACCESS\` and \`STREAMS\` in
\`libs/contracts\`. What the subjects carry: [messages.md](messages.md).`,
    '## Accounts',
    `The streams live in the account \`STREAMS\`, whose only user is \`provisioner\`; everybody else is a user of \`BUS\`. Of the
streams \`BUS\` can reach only this, and each user of that what its own list allows:`,
    list(sharedSubjects(STREAMS).map(({ subject }) => code(subject))),
    ...Object.entries(BUS_ACCESS).flatMap(([service, access]) =>
      section(service, servicePermissions(service, access, STREAMS)),
    ),
    ...section('provisioner', provisionerPermissions(STREAMS)),
    ...section('monitor', monitorPermissions),
  );

const section = (user: string, { publish, subscribe, mayReply }: BusPermissions): string[] => [
  `## ${user}`,
  'Publishes:',
  list([...publish.map(code), ...(mayReply ? ['one reply to each request it receives'] : [])]),
  'Subscribes to:',
  list(subscribe.map(code)),
];
