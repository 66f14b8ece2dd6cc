import { Script } from 'node:vm';
import { startEmulator } from '../src';
import type { Emulator } from '../src';
import { callsTo, ROOM } from './nextcloud-calls';
import { teamFixture } from './worlds';

describe('the chat page', () => {
  let emulator: Emulator;
  const { control } = callsTo(() => emulator.url);
  const messages = (as: string, headers: Record<string, string> = {}) =>
    fetch(`${emulator.url}/_emulator/page/rooms/${ROOM}/messages?as=${encodeURIComponent(as)}`, { headers });

  beforeAll(async () => {
    emulator = await startEmulator({
      fixture: teamFixture('32.0.1', 'responseonly://nobody'),
      notice: 'Answers come from a <script>.',
    });
  });

  beforeEach(() => emulator.reset());

  afterAll(() => emulator.close());

  it('says that it is an emulator, and the notice as text', async () => {
    const html = await (await fetch(`${emulator.url}/`)).text();
    expect(html).toContain('This is an emulator, not a Nextcloud');
    expect(html).toContain('Answers come from a &lt;script&gt;.');
  });

  it('lets one choose among rooms and their members', async () => {
    const html = await (await fetch(`${emulator.url}/?room=${ROOM}&as=guests%2F7f3a`)).text();
    expect(html).toContain(`<option value="${ROOM}" selected>Team</option>`);
    expect(html).toContain('<option value="guests/7f3a" selected>Guest 7f3a</option>');
    expect(html).toContain(
      '<option value="federated_users/dana@other.example.org">dana (federated)</option>',
    );
  });

  it('runs nothing but its own script', async () => {
    const policy = (await fetch(`${emulator.url}/`)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    const script = await (await fetch(`${emulator.url}/_emulator/page/page.js`)).text();
    expect(() => new Script(script)).not.toThrow();
  });

  it('shows messages with quotes, reactions and names, and no HTML of theirs', async () => {
    await control('POST', `/rooms/${ROOM}/messages`, {
      user: 'alice',
      text: 'Hi @bob, **bold** <img src=x>',
    });
    await control('POST', `/rooms/${ROOM}/messages`, {
      user: 'guests/7f3a',
      name: '<b>Gus</b>',
      text: 'yes',
      replyTo: 1,
    });
    await control('POST', `/rooms/${ROOM}/messages/1/reactions`, { user: 'bob', reaction: '👀' });
    const html = await (await messages('users/alice')).text();
    expect(html).toContain('<span class="chip">@Bob Brown</span>, <strong>bold</strong> &lt;img src=x&gt;');
    expect(html).toContain('<span class="name">&lt;b&gt;Gus&lt;/b&gt;</span>');
    expect(html).toContain('<a class="quote" href="#m1"><b>Alice Adams</b> Hi @Bob Brown');
    expect(html).toContain('data-emoji="👀" aria-pressed="false" title="Bob Brown">👀 1</button>');
  });

  it('lets one change own messages only', async () => {
    await control('POST', `/rooms/${ROOM}/messages`, { user: 'alice', text: 'mine' });
    expect(await (await messages('users/alice')).text()).toContain('data-do="edit"');
    expect(await (await messages('users/bob')).text()).not.toContain('data-do="edit"');
  });

  it('tells the browser when nothing has changed', async () => {
    const etag = (await messages('users/alice')).headers.get('etag') ?? '';
    expect((await messages('users/alice', { 'If-None-Match': etag })).status).toBe(304);
    await control('POST', `/rooms/${ROOM}/messages`, { user: 'alice', text: 'new' });
    expect((await messages('users/alice', { 'If-None-Match': etag })).status).toBe(200);
  });

  it('says so when there is no room', async () => {
    emulator.reset({});
    expect(await (await fetch(`${emulator.url}/`)).text()).toContain(
      'There is no room with members in this world',
    );
  });
});
