import { basic } from './nextcloud-calls';

/** WebDAV as written out by hand, for users whose password is the id and `-password`. */
export function davAs(base: () => string) {
  const send = (
    user: string,
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<Response> =>
    fetch(`${base()}/remote.php/dav${path}`, {
      method,
      headers: { ...basic(user, `${user}-password`), ...headers },
      ...(body !== undefined && { body }),
    });

  return {
    send,

    put: (user: string, path: string, body: string, headers: Record<string, string> = {}) =>
      send(user, 'PUT', `/files/${user}${path}`, headers, body),

    read: async (user: string, path: string) => {
      const response = await send(user, 'GET', `/files/${user}${path}`);
      return response.status === 200 ? response.text() : response.status;
    },

    remove: (user: string, path: string) => send(user, 'DELETE', `/files/${user}${path}`),

    move: (user: string, from: string, to: string, headers: Record<string, string> = {}) =>
      send(user, 'MOVE', from, { Destination: `/remote.php/dav${to}`, ...headers }),

    /** Properties by their prefixed names, e.g. `oc:fileid`; those that are missing are left out. */
    properties: async (user: string, path: string, ...names: string[]) =>
      (await listed(send, user, path, '0', names))[0]?.properties ?? {},

    list: (user: string, path: string, ...names: string[]) => listed(send, user, path, '1', names),
  };
}

export interface Listed {
  readonly href: string;
  readonly properties: Record<string, string>;
}

type Send = (
  user: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
) => Promise<Response>;

async function listed(
  send: Send,
  user: string,
  path: string,
  depth: string,
  names: string[],
): Promise<Listed[]> {
  const namespaces = 'xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"';
  const props = names.map((name) => `<${name}/>`).join('');
  const body = `<d:propfind ${namespaces}><d:prop>${props}<d:resourcetype/></d:prop></d:propfind>`;
  const response = await send(user, 'PROPFIND', path, { Depth: depth }, body);
  if (response.status !== 207) return [];
  const [, ...responses] = (await response.text()).split('<d:response>');
  return responses.map((xml) => ({
    href: decodeURIComponent(/<d:href>([^<]*)</.exec(xml)?.[1] ?? '').replace(/^.*?\/remote\.php\/dav/, ''),
    properties: Object.fromEntries(names.flatMap((name) => found(xml.split('404 Not Found')[0] ?? '', name))),
  }));
}

function found(xml: string, name: string): [string, string][] {
  const value = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1];
  if (value !== undefined) return [[name, value.replaceAll('&quot;', '"')]];
  return [];
}
