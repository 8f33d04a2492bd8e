// What the server of `holdfast web` answers, asked in-process: who may ask, and what each address gives. How a browser
// takes it is test/web's.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RunPage } from '../../src/views/shown.ts';
import type { Source } from '../../src/views/source.ts';
import { makeApp } from '../../src/views/web/app.ts';
import { readAssets } from '../../src/views/web/assets.ts';
import { withDiagram } from '../../src/views/web/diagrams.ts';
import { serve } from '../../src/views/web/index.ts';
import { News } from '../../src/views/web/news.ts';
import { isSame, newSecrets } from '../../src/views/web/secrets.ts';

const secrets = { address: 'the-address', cookie: 'the-cookie', action: 'the-action' };
const HOST = '127.0.0.1:4100';
const COOKIE = 'holdfast-4100=the-cookie';

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
const HEAD = '<!doctype html><meta charset="utf-8"><title>Holdfast</title><link rel="icon" href="data:,">';
const REFUSED = {
  elsewhere: `${HEAD}<p>This server answers at 127.0.0.1 alone.</p>\n`,
  site: `${HEAD}<p>Another site may not ask this server.</p>\n`,
  cookie: `${HEAD}<p>Open the address that \`holdfast web\` printed: it has the token in it.</p>\n`,
  token: `${HEAD}<p>That token is not of this server; open the address that it printed.</p>\n`,
  writing: `${HEAD}<p>This needs the token of the page; load it again.</p>\n`,
};
const NOT_THERE = { text: 'That is not there (any more).' };

/** A source that knows the run `r` alone, and a list of what it was asked. */
function scene(options: { readOnly?: boolean; source?: Partial<Source> } = {}) {
  const asked: unknown[] = [];
  const watchers = new Set<() => void>();
  const source: Source = {
    version: '1.2.3',
    overview: () => ({ at: 5, cards: [], projects: [] }),
    run: async () => null,
    file: async (id, name) => {
      asked.push([id, name]);
      return id === 'r' ? { text: 'a plan', cut: false } : null;
    },
    line: async (id, position) => {
      asked.push([id, position]);
      return id === 'r' ? '{"event":"stop"}' : null;
    },
    older: async (id, before) => {
      asked.push([id, before]);
      return id === 'r' ? { stops: [], hasOlder: true } : null;
    },
    watch: (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    cancel: async (id) => {
      asked.push(id);
      return `cancelled ${id}`;
    },
    ...options.source,
  };
  const app = makeApp({
    door: { secrets, port: () => 4100 },
    source,
    news: new News(source),
    assets: new Map([['/', { type: 'text/html; charset=utf-8', content: new Uint8Array([104, 105]) }]]),
    readOnly: options.readOnly ?? false,
  });
  const ask = async (address: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    await app.request(address, { ...init, headers: { host: HOST, cookie: COOKIE, ...headers } });
  const post = (address: string, headers: Record<string, string> = {}) =>
    ask(
      address,
      { origin: `http://${HOST}`, 'x-holdfast-token': 'the-action', ...headers },
      { method: 'POST' },
    );
  return { app, ask, post, asked, watchers };
}

const headersOf = (response: Response): object =>
  Object.fromEntries(Object.keys(HEADERS).map((name) => [name, response.headers.get(name)]));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the door', () => {
  it.each<[string, Record<string, string>, number]>([
    ['the address', {}, 200],
    ['localhost', { host: 'localhost:4100' }, 200],
    ['the page itself', { origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' }, 200],
    ['localhost’s page', { host: 'localhost:4100', origin: 'http://localhost:4100' }, 200],
    ['an address that was typed', { 'sec-fetch-site': 'none' }, 200],
  ])('is open to %s, and the answer has every header', async (_, headers, status) => {
    const response = await scene().ask('/', headers);
    expect(response.status).toBe(status);
    expect(await response.text()).toBe('hi');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headersOf(response)).toEqual(HEADERS);
  });

  it.each<[string, Record<string, string>, number, keyof typeof REFUSED]>([
    ['another name', { host: 'evil.example:4100' }, 421, 'elsewhere'],
    ['another port', { host: '127.0.0.1:4101' }, 421, 'elsewhere'],
    ['no port', { host: '127.0.0.1' }, 421, 'elsewhere'],
    ['no name', { host: '' }, 421, 'elsewhere'],
    ['another origin', { origin: 'http://evil.example' }, 403, 'site'],
    ['another port’s origin', { origin: 'http://127.0.0.1:4101' }, 403, 'site'],
    ['localhost’s origin at the address', { origin: 'http://localhost:4100' }, 403, 'site'],
    ['the same place by https', { origin: 'https://127.0.0.1:4100' }, 403, 'site'],
    ['an origin without one', { origin: 'null' }, 403, 'site'],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403, 'site'],
    ['another port’s page', { 'sec-fetch-site': 'same-site' }, 403, 'site'],
    ['nobody known', { cookie: '' }, 401, 'cookie'],
    ['another cookie', { cookie: 'holdfast-4100=the-cookiE' }, 401, 'cookie'],
    ['an empty cookie', { cookie: 'holdfast-4100=' }, 401, 'cookie'],
    ['a cookie of another port', { cookie: 'holdfast-4101=the-cookie' }, 401, 'cookie'],
    ['the token in place of the cookie', { cookie: 'holdfast-4100=the-address' }, 401, 'cookie'],
  ])('is shut for %s', async (_, headers, status, why) => {
    const { ask, asked } = scene();
    const response = await ask('/api/file?run=r&name=plan.md', headers);
    expect([response.status, await response.text()]).toEqual([status, REFUSED[why]]);
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(headersOf(response)).toEqual(HEADERS);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(asked).toEqual([]);
  });

  it('is shut where no name was asked for at all', async () => {
    const response = await scene().app.request('/', { headers: { cookie: COOKIE } });
    expect(response.status).toBe(421);
  });

  it.each([
    ['/?token=the-address', '/'],
    ['/?token=the-address&run=', '/#/run/'],
    ['/?token=the-address&run=a1%2Fidle%3A7', '/#/run/a1%2Fidle%3A7'],
    [`/?token=the-address&run=${encodeURIComponent(`'"><script>`)}`, '/#/run/%27%22%3E%3Cscript%3E'],
    [`/?token=the-address&run=''`, '/#/run/%27%27'],
  ])('takes the token of %s for a cookie, and goes on to %s', async (address, to) => {
    const response = await scene().ask(address, { cookie: '', 'sec-fetch-site': 'cross-site' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(`${HEAD}<meta http-equiv="refresh" content="0; url=${to}">`);
    expect(response.headers.get('set-cookie')).toBe(
      'holdfast-4100=the-cookie; Path=/; HttpOnly; SameSite=Strict',
    );
    expect(headersOf(response)).toEqual(HEADERS);
  });

  it.each([
    ['another token', '/?token=the-addresS', 'GET'],
    ['an empty one', '/?token=', 'GET'],
    ['the cookie’s value', '/?token=the-cookie', 'GET'],
    ['the right one that is posted', '/?token=the-address', 'POST'],
  ])('takes no token that is %s, though a cookie is there', async (_, address, method) => {
    const response = await scene().ask(address, {}, { method });
    expect([response.status, await response.text()]).toEqual([401, REFUSED.token]);
    expect(response.headers.get('set-cookie')).toBeNull();
  });
});

describe('what the page asks for', () => {
  it.each([
    [false, 'the-action'],
    [true, null],
  ])('its session: read only %s, so that its token is %s', async (readOnly, action) => {
    const response = await scene({ readOnly }).ask('/api/session');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ version: '1.2.3', action });
    expect(headersOf(response)).toEqual(HEADERS);
  });

  it.each<[string, number, unknown, unknown]>([
    ['/api/file?run=r&name=plan.md', 200, { text: 'a plan', cut: false }, ['r', 'plan.md']],
    ['/api/file?run=r', 200, { text: 'a plan', cut: false }, ['r', '']],
    ['/api/file?run=x&name=plan.md', 404, NOT_THERE, ['x', 'plan.md']],
    ['/api/file', 404, NOT_THERE, ['', '']],
    ['/api/line?run=r&mark=0-0', 200, { text: '{"event":"stop"}' }, ['r', { segment: 0, offset: 0 }]],
    ['/api/line?run=r&mark=12-345', 200, { text: '{"event":"stop"}' }, ['r', { segment: 12, offset: 345 }]],
    [
      '/api/line?run=r&mark=999999999-999999999999999',
      200,
      { text: '{"event":"stop"}' },
      ['r', { segment: 999_999_999, offset: 999_999_999_999_999 }],
    ],
    ['/api/line?run=x&mark=1-2', 404, NOT_THERE, ['x', { segment: 1, offset: 2 }]],
    ['/api/line?mark=1-2', 404, NOT_THERE, ['', { segment: 1, offset: 2 }]],
    ['/api/older?run=r&mark=1-2', 200, { stops: [], hasOlder: true }, ['r', { segment: 1, offset: 2 }]],
    ['/api/older?run=x&mark=1-2', 404, NOT_THERE, ['x', { segment: 1, offset: 2 }]],
  ])('%s answers %d', async (address, status, answer, question) => {
    const { ask, asked } = scene();
    const response = await ask(address);
    expect([response.status, await response.json()]).toEqual([status, answer]);
    expect(headersOf(response)).toEqual(HEADERS);
    expect(asked).toEqual([question]);
  });

  it.each([
    '',
    '&mark=',
    '&mark=1',
    '&mark=1-',
    '&mark=-1',
    '&mark=x1-2',
    '&mark=1-2x',
    '&mark=1--2',
    '&mark=1.5-2',
    '&mark=1234567890-1',
    '&mark=1-1234567890123456',
  ])('no line and nothing older is looked for at a place that is none: %j', async (mark) => {
    const { ask, asked } = scene();
    for (const what of ['line', 'older']) {
      const response = await ask(`/api/${what}?run=r${mark}`);
      expect([response.status, await response.json()]).toEqual([404, NOT_THERE]);
    }
    expect(asked).toEqual([]);
  });

  it('the page is not there by another method', async () => {
    const response = await scene().ask('/', {}, { method: 'PUT' });
    expect([response.status, await response.json()]).toEqual([404, NOT_THERE]);
  });

  it.each(['/index.html', '/page.js', '/api', '/api/nothing', '/..%2Fsecret', '/../etc/passwd', '//'])(
    '%s is not there',
    async (address) => {
      const response = await scene().ask(address);
      expect([response.status, await response.json()]).toEqual([404, NOT_THERE]);
      expect(headersOf(response)).toEqual(HEADERS);
    },
  );

  it('what fails is said to the page and, in one line, to whoever started it', async () => {
    const wrote = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { ask } = scene({ source: { file: () => Promise.reject(new Error('the disk is gone')) } });
    const response = await ask('/api/file');
    expect([response.status, await response.json()]).toEqual([
      500,
      { text: 'That failed: the disk is gone' },
    ]);
    expect(wrote.mock.calls).toEqual([['holdfast web: a page could not be answered: the disk is gone\n']]);
    expect(headersOf(response)).toEqual(HEADERS);
  });
});

describe('cancelling from the page', () => {
  it('ends the run that is named, and says so', async () => {
    const { post, asked } = scene();
    const response = await post('/api/cancel?run=r');
    expect([response.status, await response.json()]).toEqual([200, { text: 'cancelled r' }]);
    expect(headersOf(response)).toEqual(HEADERS);
    await post('/api/cancel');
    expect(asked).toEqual(['r', '']);
  });

  it.each([
    [new Error('it has ended already'), 'it has ended already'],
    ['a text', 'a text'],
  ])('says why it could not be: %s', async (thrown, text) => {
    const { post } = scene({ source: { cancel: () => Promise.reject(thrown) } });
    const response = await post('/api/cancel?run=r');
    expect([response.status, await response.json()]).toEqual([409, { text }]);
  });

  it.each<[string, Record<string, string>]>([
    ['without an origin', { 'x-holdfast-token': 'the-action' }],
    ['without the token', { origin: `http://${HOST}` }],
    ['with another token', { origin: `http://${HOST}`, 'x-holdfast-token': 'the-cookie' }],
    ['with an empty one', { origin: `http://${HOST}`, 'x-holdfast-token': '' }],
  ])('is refused %s', async (_, headers) => {
    const { ask, asked } = scene();
    const response = await ask('/api/cancel?run=r', headers, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([403, REFUSED.writing]);
    expect(headersOf(response)).toEqual(HEADERS);
    expect(asked).toEqual([]);
  });

  it('is not there by a link, nor where nothing may be written', async () => {
    const { ask, asked } = scene();
    expect((await ask('/api/cancel?run=r')).status).toBe(404);
    const reading = scene({ readOnly: true });
    const response = await reading.post('/api/cancel?run=r');
    expect([response.status, await response.json()]).toEqual([404, NOT_THERE]);
    expect([...asked, ...reading.asked]).toEqual([]);
  });
});

describe('the news of a page', () => {
  /** What is sent until it has so many messages. */
  async function firstOf(response: Response, many: number) {
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    while (text.split('\n\n').length <= many) text += new TextDecoder().decode((await reader.read()).value);
    return { text, reader };
  }
  const runs = 'event: runs\ndata: {"at":5,"cards":[],"projects":[]}\n\n';

  it('are the runs on the overview, until it is closed', async () => {
    const { ask, watchers } = scene();
    const response = await ask('/api/events');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(headersOf(response)).toEqual(HEADERS);
    const { text, reader } = await firstOf(response, 1);
    expect(text).toBe(runs);
    expect(watchers.size).toBe(1);
    await reader.cancel();
    await vi.waitFor(() => expect(watchers.size).toBe(0));
  });

  it('are of a run too where its page is open', async () => {
    const { ask } = scene();
    const { text, reader } = await firstOf(await ask('/api/events?run=x'), 2);
    expect(text).toBe(`${runs}event: gone\ndata: {}\n\n`);
    await reader.cancel();
  });

  it('have a beat every 20 seconds, which is no message', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, watchers } = scene();
    const { reader } = await firstOf(await ask('/api/events'), 1);
    expect(vi.getTimerCount()).toBe(1);
    let beats = '';
    const read = reader.read().then(({ value }) => {
      beats = new TextDecoder().decode(value);
    });
    vi.advanceTimersByTime(19_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(beats).toBe('');
    vi.advanceTimersByTime(1);
    await read;
    expect(beats).toBe(': \n\n');
    await reader.cancel();
    await vi.waitFor(() => expect(watchers.size).toBe(0));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a secret', () => {
  it('is another each time and for each use, and long', () => {
    const made = [newSecrets(), newSecrets()].flatMap((each) => Object.values(each));
    expect(new Set(made).size).toBe(6);
    for (const secret of made) expect(secret).toMatch(/^[\w-]{43}$/);
    expect(Object.keys(newSecrets())).toEqual(['address', 'cookie', 'action']);
  });

  it.each([
    ['abc', 'abc', true],
    ['abd', 'abc', false],
    ['ab', 'abc', false],
    ['abcd', 'abc', false],
    ['', 'abc', false],
    ['ä', 'ab', false],
    [undefined, 'abc', false],
    [undefined, '', false],
  ])('%j is taken for %j: %s', (given, secret, expected) => {
    expect(isSame(given, secret)).toBe(expected);
  });
});

describe('the diagram of a page', () => {
  const drawn = (name: string) => ({ start: name, states: {}, ways: [] });
  const pageOf = (workflow: string, detail: object, diagram: unknown = null): RunPage =>
    ({ run: { workflow, detail }, diagram, hasOlder: true }) as unknown as RunPage;

  it.each<[RunPage, unknown]>([
    [pageOf('idle', {}), drawn('idle')],
    [pageOf('idle', { mode: 'plan' }), drawn('idle')],
    [pageOf('claudex', { mode: 'plan' }), drawn('plan')],
    [pageOf('claudex', { mode: 'other' }), null],
    [pageOf('claudex', {}), null],
    [pageOf('flow', {}, drawn('its own')), drawn('its own')],
    [pageOf('idle', {}, drawn('its own')), drawn('its own')],
  ])('is its own, or the one of its workflow and mode, or none: %j', (page, diagram) => {
    vi.stubGlobal('HOLDFAST_DIAGRAMS', { idle: drawn('idle'), 'claudex: plan': drawn('plan') });
    expect(withDiagram(page)).toEqual({ ...page, diagram });
  });

  it('goes with the news of its run', async () => {
    vi.stubGlobal('HOLDFAST_DIAGRAMS', { idle: drawn('idle') });
    const sent: unknown[] = [];
    const source = { overview: () => ({}), watch: () => () => {}, run: async () => pageOf('idle', {}) };
    const news = new News(source as unknown as Source);
    await news.add({ run: 'r', send: async ({ event, data }) => void sent.push([event, JSON.parse(data)]) });
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual(['run', pageOf('idle', {}, drawn('idle'))]);
  });
});

describe('the server', () => {
  /** A folder like that of the built page. */
  function pageFolder(): string {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-page-'));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    for (const name of ['index.html', 'page.js', 'page.css', 'icon.svg'])
      fs.writeFileSync(path.join(folder, name), `this is ${name}`);
    return folder;
  }

  it('has four files with their types, and nothing else of the folder', () => {
    const folder = pageFolder();
    fs.writeFileSync(path.join(folder, 'secret'), 'x');
    const found = [...readAssets(folder)].map(([address, { type, content }]) => [
      address,
      type,
      Buffer.from(content).toString(),
    ]);
    expect(found).toEqual([
      ['/', 'text/html; charset=utf-8', 'this is index.html'],
      ['/page.js', 'text/javascript; charset=utf-8', 'this is page.js'],
      ['/page.css', 'text/css; charset=utf-8', 'this is page.css'],
      ['/icon.svg', 'image/svg+xml', 'this is icon.svg'],
    ]);
    fs.rmSync(path.join(folder, 'icon.svg'));
    expect(() => readAssets(folder)).toThrow('icon.svg');
  });

  it('listens at 127.0.0.1, prints an address with the token, and closes', async () => {
    const source = { version: '1' } as unknown as Source;
    const server = await serve({ source, page: pageFolder(), port: 0, readOnly: true });
    const { port } = server;
    expect(server.address()).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/\\?token=[\\w-]{43}$`));
    expect(server.address('a/b c')).toBe(`${server.address()}&run=a%2Fb%20c`);

    const entered = await fetch(server.address());
    expect(entered.status).toBe(200);
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(cookie).toMatch(new RegExp(`^holdfast-${port}=[\\w-]{43}$`));
    const page = await fetch(`http://127.0.0.1:${port}/page.css`, { headers: { cookie } });
    expect([page.status, await page.text()]).toEqual([200, 'this is page.css']);
    await expect(serve({ source, page: pageFolder(), port, readOnly: true })).rejects.toThrow('EADDRINUSE');

    await server.close();
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('is not kept from closing by a page that is open', async () => {
    const source = { watch: () => () => {}, overview: () => ({}) } as unknown as Source;
    const server = await serve({ source, page: pageFolder(), port: 0, readOnly: true });
    const cookie = (await fetch(server.address())).headers.get('set-cookie')?.split(';')[0] ?? '';
    const events = await fetch(`http://127.0.0.1:${server.port}/api/events`, { headers: { cookie } });
    expect(events.status).toBe(200);
    await server.close();
    await expect(events.text()).rejects.toThrow();
  });
});
