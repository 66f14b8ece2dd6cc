import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Environment, SERVICES } from '@nuqloud/contracts';
import { parse } from 'yaml';

interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly healthcheck?: { test: readonly string[] };
}

const ROOT = path.resolve(__dirname, '../..');
const text = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
const JOBS = ['keys', 'init', 'doctor'];
const STORES = ['postgres', 'redis', 'nats'];

const serviceOf = (name: string): ComposeService => {
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml has no service ${name}.`);
  return service;
};
const holdersOf = (variable: string) =>
  Object.keys(services).filter((name) => variable in (serviceOf(name).environment ?? {}));

it('has every service of the product, the stores and the jobs', () => {
  expect(Object.keys(services).sort()).toEqual([...SERVICES, ...STORES, ...JOBS].sort());
});

it.each(Object.keys(services))('%s is nobody special: not root, read-only, without capabilities', (name) => {
  const { user, read_only, cap_drop, security_opt } = serviceOf(name);
  expect(user).toMatch(/^(1000:1000|postgres|redis)$/);
  expect(read_only).toBe(true);
  expect(cap_drop).toEqual(['ALL']);
  expect(security_opt).toEqual(['no-new-privileges:true']);
});

it.each([...SERVICES, ...STORES])('%s shows whether it is well', (name) => {
  expect(serviceOf(name).healthcheck?.test[0]).toBe('CMD');
});

it.each([...SERVICES])('%s runs its own program, with its own keys and no others, after init', (name) => {
  const { command, volumes = [], depends_on } = serviceOf(name);
  expect(command).toEqual([`services/${name}/dist/main.js`]);
  expect(volumes.filter((volume) => volume.startsWith('keys'))).toEqual([`keys-${name}:/keys:ro`]);
  expect(depends_on).toEqual({ init: { condition: 'service_completed_successfully' } });
});

it('gives each secret to those alone who need it', () => {
  expect(holdersOf('APP_SECRET')).toEqual(['nextcloud-gateway']);
  expect(holdersOf('TALK_BOT_SECRET')).toEqual(['talk-ingress']);
  expect(holdersOf('OPENAI_API_KEY')).toEqual(['agent']);
  expect(holdersOf('ENCRYPTION_KEY')).toEqual(['talk-ingress', 'nextcloud-gateway']);
  const owners = Object.keys(services).filter((name) =>
    JSON.stringify(serviceOf(name).environment ?? {}).includes('POSTGRES_PASSWORD'),
  );
  expect(owners).toEqual(['postgres', 'init', 'doctor']);
});

it('hands out keys to every service, and hides the folder with all of them from all but the jobs', () => {
  const { volumes = [] } = serviceOf('keys');
  for (const name of SERVICES) expect(volumes).toContain(`keys-${name}:/hand-out/${name}`);
  const seers = Object.keys(services).filter((name) =>
    serviceOf(name).volumes?.some((volume) => volume.startsWith('keys:')),
  );
  expect(seers).toEqual(['keys', 'init', 'doctor']);
});

it('sets no variable that the configuration does not know', () => {
  const known = new Set(Object.keys(Environment.shape));
  const unknown = [...SERVICES, ...JOBS].flatMap((name) =>
    Object.keys(serviceOf(name).environment ?? {}).filter((variable) => !known.has(variable)),
  );
  expect(unknown).toEqual([]);
});

it('asks for nothing of .env that .env.example does not name', () => {
  const example = readFileSync(path.join(ROOT, '.env.example'), 'utf8');
  const asked = [...new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name ?? ''))];
  expect(asked.filter((name) => !new RegExp(`^#? ?${name}=`, 'm').test(example))).toEqual([]);
});

it('lets a tool service and confirmation reach nothing outside', () => {
  const outside = Object.keys(services).filter((name) => serviceOf(name).networks?.includes('outside'));
  expect(outside).toEqual(['talk-ingress', 'agent', 'nextcloud-gateway']);
});
