import { eventually } from '@nuqloud/testing';

interface RoomMessage {
  readonly id: number;
  readonly actorType: string;
  readonly message: string;
  readonly replyTo: number | null;
  readonly reactions: Record<string, number>;
}

interface NextcloudRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
}

/** How a deed ended, as the person is told. */
export type Told = 'done' | 'not done' | 'not known';

const STILL_WORKING = 'I am still working on this.';
const WAIT = { deadlineMs: 20_000 };

/** Alice in a room of her own with the bot, and the file in it whose deletion she asks for. */
export class Room {
  readonly file: string;

  constructor(
    private readonly nextcloud: string,
    private readonly token: string,
  ) {
    this.file = `/Kill/${token}.md`;
  }

  askForDeletion(): Promise<number> {
    return this.write(`nuq delete ${this.file}`);
  }

  async write(text: string, user = 'alice'): Promise<number> {
    const body = JSON.stringify({ user, text });
    const { id } = await this.call<{ id: number }>(`rooms/${this.token}/messages`, { method: 'POST', body });
    return id;
  }

  /** The prompt, once it stands in the room. */
  async prompt(deadlineMs = WAIT.deadlineMs): Promise<string> {
    const [prompt = ''] = await eventually(
      async () => {
        const prompts = await this.prompts();
        return prompts.length > 0 && prompts;
      },
      { describe: `a prompt in ${this.token}`, deadlineMs },
    );
    return prompt;
  }

  /** Waits until the prompt stands there so many times. */
  async promptCounts(times: number): Promise<void> {
    await eventually(async () => (await this.prompts()).length === times, {
      describe: `prompt number ${times} in ${this.token}`,
      ...WAIT,
    });
  }

  async prompts(): Promise<string[]> {
    return (await this.ofBot()).flatMap(({ message }) => (message.includes('Reply *yes*') ? [message] : []));
  }

  /** Without the sign of life that a slow answer sends ahead. */
  async answersTo(id: number): Promise<string[]> {
    const answers = (await this.ofBot()).filter(({ replyTo }) => replyTo === id);
    return answers.flatMap(({ message }) => (message === STILL_WORKING ? [] : [message]));
  }

  async answerTo(id: number, deadlineMs = WAIT.deadlineMs): Promise<string> {
    const [answer = ''] = await eventually(
      async () => {
        const answers = await this.answersTo(id);
        return answers.length > 0 && answers;
      },
      { describe: `an answer to message ${id} in ${this.token}`, deadlineMs },
    );
    return answer;
  }

  /** What the person is told of the deed, in the end. */
  async toldAfter(yes: number, deadlineMs?: number): Promise<Told> {
    return toldBy(await this.answerTo(yes, deadlineMs));
  }

  async help(): Promise<string> {
    return this.answerTo(await this.write('nuq help'));
  }

  /** Waits until the bot shows that it works on that message. */
  async workBegins(id: number): Promise<void> {
    await eventually(
      async () => (await this.messages()).some((message) => message.id === id && '👀' in message.reactions),
      { describe: `the begin of the work on message ${id} in ${this.token}`, ...WAIT },
    );
  }

  /** Waits until nothing is in hand for that message any more. */
  async workEnds(id: number): Promise<void> {
    await eventually(
      async () => !(await this.messages()).some((message) => message.id === id && '👀' in message.reactions),
      { describe: `the end of the work on message ${id} in ${this.token}`, ...WAIT },
    );
  }

  async fileExists(): Promise<boolean> {
    return (await this.dav('PROPFIND')).status === 207;
  }

  /** Alice changes the file by herself. */
  async put(content: string): Promise<void> {
    const { status } = await this.dav('PUT', content);
    if (status !== 204) throw new Error(`PUT ${this.file} was answered ${status}.`);
  }

  /** Requests for the deletion that reached Nextcloud, whatever became of them. */
  async deletions(): Promise<NextcloudRequest[]> {
    const { requests } = await this.call<{ requests: NextcloudRequest[] }>('requests?after=0');
    return requests.filter(({ method, path }) => method === 'DELETE' && path.endsWith(this.file));
  }

  /** Nextcloud takes so long to list the folder, the next time. */
  slowListing(delayMs: number): Promise<void> {
    return this.fault({ match: { method: 'PROPFIND', path: '*/Kill*' }, delayMs });
  }

  /** From now on Nextcloud takes so long to delete the file. */
  slowDeletion(delayMs: number): Promise<void> {
    return this.fault({ match: { method: 'DELETE', path: `*${this.file}` }, delayMs });
  }

  /** What goes wrong with the next request that matches. */
  async fault(fault: object): Promise<void> {
    await this.call('faults', { method: 'POST', body: JSON.stringify({ ...fault, times: 1 }) });
  }

  private dav(method: string, body?: string): Promise<Response> {
    return fetch(`${this.nextcloud}/remote.php/dav/files/alice${this.file}`, {
      method,
      headers: { authorization: `Basic ${btoa('alice:alice-demo-password')}`, depth: '0' },
      ...(body !== undefined && { body }),
    });
  }

  async ofBot(): Promise<RoomMessage[]> {
    return (await this.messages()).filter(({ actorType }) => actorType === 'bots');
  }

  async messages(): Promise<RoomMessage[]> {
    return (await this.call<{ messages: RoomMessage[] }>(`rooms/${this.token}/messages?after=0`)).messages;
  }

  private async call<T>(path: string, init: RequestInit = {}): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${this.nextcloud}/_emulator/${path}`, { headers, ...init });
    if (!response.ok) throw new Error(`The emulator answered ${response.status} to ${path}.`);
    return (await response.json()) as T;
  }
}

/** What an answer to a "yes" says of the deed. */
const toldBy = (answer: string): Told => {
  if (/^Done: /.test(answer)) return 'done';
  if (/^Not done/.test(answer)) return 'not done';
  if (/^It is not known whether this was done: /.test(answer)) return 'not known';
  throw new Error(`That tells nothing: ${answer}`);
};
