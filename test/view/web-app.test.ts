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

const HOST = '127.0.0.1:4100';
const TOKEN = { authorization: 'Bearer the-token' };

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
const NO_TOKEN = { text: 'Open the address that `holdfast web` printed: it has the token in it.' };
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
    dismiss: async (id) => {
      asked.push(id);
      return `dismissed ${id ?? 'all'}`;
    },
    ...options.source,
  };
  const app = makeApp({
    door: { token: 'the-token', port: () => 4100 },
    source,
    news: new News(source),
    assets: new Map([['/', { type: 'text/html; charset=utf-8', content: new Uint8Array([104, 105]) }]]),
    readOnly: options.readOnly ?? false,
  });
  const ask = async (address: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    await app.request(address, { ...init, headers: { host: HOST, ...TOKEN, ...headers } });
  const post = (address: string, headers: Record<string, string> = {}) =>
    ask(address, { origin: `http://${HOST}`, ...headers }, { method: 'POST' });
  return { app, ask, post, asked, watchers };
}

const headersOf = (response: Response): object =>
  Object.fromEntries(Object.keys(HEADERS).map((name) => [name, response.headers.get(name)]));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('without the token', () => {
  it('the page itself is there, with every header', async () => {
    const response = await scene().ask('/', { authorization: '' });
    expect([response.status, await response.text()]).toEqual([200, 'hi']);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headersOf(response)).toEqual(HEADERS);
  });

  it.each([
    ...['/api/session', '/api/events', '/api/events?run=r', '/api/file?run=r&name=plan.md'],
    ...['/api/line?run=r&mark=0-0', '/api/older?run=r&mark=0-0', '/api/nothing', '/nothing', '/index.html'],
  ])('nothing else is: %s', async (address) => {
    const { ask, asked, watchers } = scene();
    for (const method of ['GET', 'HEAD', 'POST']) {
      const response = await ask(address, { authorization: '', origin: `http://${HOST}` }, { method });
      expect(response.status).toBe(401);
      expect(headersOf(response)).toEqual(HEADERS);
      if (method !== 'HEAD') expect(await response.json()).toEqual(NO_TOKEN);
    }
    expect([asked, watchers.size]).toEqual([[], 0]);
  });
});

describe('what the page asks for', () => {
  it.each([false, true])('its session: read only %s', async (readOnly) => {
    const response = await scene({ readOnly }).ask('/api/session');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ version: '1.2.3', mayWrite: !readOnly });
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

const WRITING = ['/api/cancel?run=r', '/api/dismiss?run=r', '/api/dismiss-ended'];

describe.each(WRITING)('writing from the page: %s', (address) => {
  it('does it, and says so', async () => {
    const { post, asked } = scene();
    const response = await post(address);
    const what = /cancel/.test(address)
      ? 'cancelled r'
      : /run=/.test(address)
        ? 'dismissed r'
        : 'dismissed all';
    expect([response.status, await response.json()]).toEqual([200, { text: what }]);
    expect(headersOf(response)).toEqual(HEADERS);
    expect(asked).toEqual([/run=/.test(address) ? 'r' : null]);
  });

  it.each([
    [new Error('it has ended already'), 'it has ended already'],
    ['a text', 'a text'],
  ])('says why it could not be: %s', async (thrown, text) => {
    const fail = () => Promise.reject(thrown);
    const { post } = scene({ source: { cancel: fail, dismiss: fail } });
    const response = await post(address);
    expect([response.status, await response.json()]).toEqual([409, { text }]);
  });

  it.each<[string, Record<string, string>, number]>([
    ['without an origin', {}, 403],
    ['without the token', { origin: `http://${HOST}`, authorization: '' }, 401],
    ['with another token', { origin: `http://${HOST}`, authorization: 'Bearer the-tokeN' }, 401],
  ])('is refused %s', async (_, headers, status) => {
    const { ask, asked } = scene();
    const response = await ask(address, headers, { method: 'POST' });
    expect(response.status).toBe(status);
    expect(headersOf(response)).toEqual(HEADERS);
    expect(asked).toEqual([]);
  });

  it('is not there by a link, nor where nothing may be written', async () => {
    const { ask, asked } = scene();
    expect((await ask(address)).status).toBe(404);
    const reading = scene({ readOnly: true });
    const response = await reading.post(address);
    expect([response.status, await response.json()]).toEqual([404, NOT_THERE]);
    expect([...asked, ...reading.asked]).toEqual([]);
  });
});

describe('the news of a page', () => {
  /** What is sent until it has so many messages. */
  async function firstOf(response: Response, many: number) {
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    while (text.split('\n').length <= many) text += new TextDecoder().decode((await reader.read()).value);
    return { text, reader };
  }
  const runs = '{"event":"runs","data":{"at":5,"cards":[],"projects":[]}}\n';

  it('are the runs on the overview, until it is closed', async () => {
    const { ask, watchers } = scene();
    const response = await ask('/api/events');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
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
    expect(text).toBe(`${runs}{"event":"gone","data":{}}\n`);
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
    expect(beats).toBe('\n');
    await reader.cancel();
    await vi.waitFor(() => expect(watchers.size).toBe(0));
    expect(vi.getTimerCount()).toBe(0);
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
    expect(server.address()).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/#token=[\\w-]{43}$`));
    expect(server.address('a/b c')).toBe(`${server.address()}/run/a%2Fb%20c`);

    const page = await fetch(`http://127.0.0.1:${port}/page.css`);
    expect([page.status, await page.text()]).toEqual([200, 'this is page.css']);
    await expect(serve({ source, page: pageFolder(), port, readOnly: true })).rejects.toThrow('EADDRINUSE');

    await server.close();
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('is not kept from closing by a page that is open', async () => {
    const source = { watch: () => () => {}, overview: () => ({}) } as unknown as Source;
    const server = await serve({ source, page: pageFolder(), port: 0, readOnly: true });
    const authorization = `Bearer ${server.address().split('#token=')[1]}`;
    const events = await fetch(`http://127.0.0.1:${server.port}/api/events`, { headers: { authorization } });
    expect(events.status).toBe(200);
    await server.close();
    await expect(events.text()).rejects.toThrow();
  });
});
