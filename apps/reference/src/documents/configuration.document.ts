import { readFileSync } from 'node:fs';
import { AgentConfig } from '@nuqloud/agent';
import { AllInOneConfig } from '@nuqloud/all-in-one';
import { ConfirmationConfig } from '@nuqloud/confirmation';
import { SECRET_FIELDS } from '@nuqloud/contracts';
import type { ServiceName } from '@nuqloud/contracts';
import { GatewayConfig } from '@nuqloud/nextcloud-gateway';
import { DeadLetterConfig, DoctorConfig, InitConfig, KeysConfig } from '@nuqloud/nuqloud';
import { TalkIngressConfig } from '@nuqloud/talk-ingress';
import { ToolFilesConfig } from '@nuqloud/tool-files';
import type { z } from 'zod';
import { code, GENERATED, page, prose, table } from '../markdown/markdown';
import { valueText } from '../markdown/field-list';
import { fieldListOf } from './reference-sources';
import type { ReferenceSources } from './reference-sources';

/** Who parses which variables: every service, the process that holds all of them, the commands that prepare both. */
export const READERS = {
  'all-in-one': AllInOneConfig,
  'talk-ingress': TalkIngressConfig,
  agent: AgentConfig,
  confirmation: ConfirmationConfig,
  'nextcloud-gateway': GatewayConfig,
  'tool-files': ToolFilesConfig,
  'nuqloud init': InitConfig,
  'nuqloud doctor': DoctorConfig,
  'nuqloud keys init': KeysConfig,
  'nuqloud dead-letter': DeadLetterConfig,
} satisfies Record<ServiceName, z.ZodObject> & Record<string, z.ZodObject>;

/** @param stackProvision the provision file of `npm run stack`, which names variables that no process parses itself */
export const configurationDocument = (sources: ReferenceSources, stackProvision: string): string => {
  const inProvisionFile = variablesIn(readFileSync(stackProvision, 'utf8'));
  const secret = (field: string) => (SECRET_FIELDS.has(field) ? '**secret**' : undefined);
  const provision = sources.schemas.get('ProvisionFile');
  return page(
    GENERATED,
    '# Configuration',
    '## Environment',
    `Each process parses what it reads once, at its start; a wrong value ends it with the variable's name and what is
wrong, never the value. An empty variable counts as not set.`,
    variables(sources),
    '## Who reads what',
    `What is **required** has to be set, else the process does not start; what has a default or is optional need not. The
all-in-one runs all services and makes keys and an encryption key of its own where none are named. A provision file reads
any variable as \`\${NAME}\`; the last column is that of \`npm run stack\` where \`PROVISION_FILE\` is not set.`,
    readers(sources, inProvisionFile),
    '## Provision file',
    prose(provision.description ?? ''),
    'Strict objects refuse keys that they do not know. Each service applies its own rows and resolves its own secrets.',
    fieldListOf(sources, 'messages.md', secret).render(provision),
  );
};

const environment = ({ schemas }: ReferenceSources) =>
  Object.entries(schemas.get('Environment').properties ?? {});

const variables = (sources: ReferenceSources): string => {
  const fields = fieldListOf(sources, 'messages.md');
  return table(
    ['variable', 'meaning', 'value', 'default', 'secret'],
    environment(sources).map(([name, schema]) => [
      code(name),
      prose(schema.description ?? ''),
      fields.type(schema),
      schema.default === undefined || schema.default === '' ? '' : valueText(schema.default),
      schema.secret ? 'yes' : '',
    ]),
  );
};

const readers = (sources: ReferenceSources, inProvisionFile: ReadonlySet<string>): string =>
  table(
    ['variable', ...Object.keys(READERS), 'provision file'],
    environment(sources).map(([name]) => [
      code(name),
      ...Object.values<z.ZodObject>(READERS).map((config) => need(config, name)),
      inProvisionFile.has(name) ? 'named' : '',
    ]),
  );

/** What a process makes of it when it is not set. */
const need = (config: z.ZodObject, name: string): string => {
  const schema = config.shape[name] as z.ZodType | undefined;
  if (!schema) return '';
  const unset = schema.safeParse(undefined);
  if (!unset.success) return '**required**';
  return unset.data === undefined ? 'optional' : 'default';
};

const variablesIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\$\{([A-Z][A-Z0-9_]*)\}/g)].flatMap(([, name]) => name ?? []));
