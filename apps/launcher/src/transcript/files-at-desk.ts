import { readDemoTeam } from '@nuqloud/nextcloud-emulator';

/** The files of the demo's people as they see and change them themselves, without the bot. */
export class FilesAtDesk {
  constructor(private readonly emulatorUrl: string) {}

  /** The text of a file, or null where there is none. */
  async read(user: string, path: string): Promise<string | null> {
    const response = await this.call('GET', user, path);
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`the emulator answered ${response.status} to GET ${path}`);
    return response.text();
  }

  async write(user: string, path: string, content: string): Promise<void> {
    const response = await this.call('PUT', user, path, content);
    if (!response.ok) throw new Error(`the emulator answered ${response.status} to PUT ${path}`);
  }

  private call(method: string, user: string, path: string, body?: string): Promise<Response> {
    const { password = '' } = readDemoTeam().users.find(({ id }) => id === user) ?? {};
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    return fetch(`${this.emulatorUrl}/remote.php/dav/files/${encodeURIComponent(user)}${encoded}`, {
      method,
      headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
      ...(body === undefined ? {} : { body }),
    });
  }
}
