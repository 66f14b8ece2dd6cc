import { readFileSync } from 'node:fs';
import path from 'node:path';
import { APP_BOT_ROUTE, Environment, PRODUCT_VERSION } from '@nuqloud/contracts';
import { SaxesParser } from 'saxes';

interface Element {
  readonly path: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** Every element with its path below the root; a document that is not well-formed throws. */
const elementsOf = (xml: string): Element[] => {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element = { path: `${open.at(-1)?.path ?? ''}/${name}`, attributes, text: '' };
    elements.push(element);
    open.push(element);
  });
  const add = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return elements;
};

const elements = elementsOf(readFileSync(path.resolve(__dirname, '../../appinfo/info.xml'), 'utf8'));
const texts = (at: string) => elements.filter((one) => one.path === at).map(({ text }) => text);

describe('appinfo/info.xml', () => {
  it('names the app as it names itself, in the version of this product', () => {
    expect(texts('/info/id')).toEqual([Environment.shape.APP_ID.parse(undefined)]);
    expect(texts('/info/version')).toEqual([PRODUCT_VERSION]);
  });

  it('has what every app has to have, in the order of the schema', () => {
    const order = ['id', 'name', 'summary', 'description', 'version', 'licence', 'author', 'namespace'];
    const rest = ['category', 'category', 'bugs', 'dependencies', 'external-app'];
    const children = elements.map(({ path: at }) => at.split('/')).filter(({ length }) => length === 3);
    expect(children.map((steps) => steps[2])).toEqual([...order, ...rest]);
    for (const name of [...order, 'category', 'bugs'])
      for (const text of texts(`/info/${name}`)) expect(text.trim()).not.toBe('');
    expect(Buffer.byteLength(texts('/info/summary')[0] ?? '')).toBeLessThanOrEqual(128);
  });

  it('says for which Nextcloud it is', () => {
    const [nextcloud] = elements.filter(({ path: at }) => at === '/info/dependencies/nextcloud');
    const { 'min-version': from, 'max-version': to } = nextcloud?.attributes ?? {};
    expect(Number(from)).toBeLessThanOrEqual(Number(to));
  });

  it('opens none of our paths to people: what AppAPI calls is nobody else’s business', () => {
    expect(elements.filter(({ path: at }) => at === '/info/external-app/routes')).toHaveLength(1);
    const open = texts('/info/external-app/routes/route/url').map((url) => new RegExp(`^(?:${url})`, 'i'));
    const ours = ['/heartbeat', '/init', '/enabled', APP_BOT_ROUTE, '/webhook/talk/nuq', '/metrics'];
    expect(ours.filter((one) => open.some((pattern) => pattern.test(one)))).toEqual([]);
  });

  it('lets an administrator set variables that exist, each once, and none that AppAPI sets itself', () => {
    const names = texts('/info/external-app/environment-variables/variable/name');
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(Object.keys(Environment.shape)).toContain(name);
    const ofAppApi = ['APP_ID', 'APP_SECRET', 'APP_VERSION', 'APP_HOST', 'APP_PORT', 'NEXTCLOUD_URL'];
    expect(names.filter((name) => ofAppApi.includes(name))).toEqual([]);
  });
});
