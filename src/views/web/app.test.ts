import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import type { Source } from '../source.ts';
import { makeApp } from './app.ts';
import { readAssets } from './assets.ts';
import { News } from './news.ts';
import { isSame, newSecrets } from './secrets.ts';

const secrets = { address: 'in-the-address', cookie: 'in-the-cookie', action: 'in-the-page' };
const HOST = '127.0.0.1:4000';
const COOKIE = 'holdfast-4000=in-the-cookie';
const HEAD = '<!doctype html><meta charset="utf-8"><title>Holdfast</title><link rel="icon" href="data:,">';
const KEPT_OUT = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Answers with what it was asked for; knows the run `p/toy:a` alone. */
const known = <T>(id: string, answer: T): Promise<T | null> =>
  Promise.resolve(id === 'p/toy:a' ? answer : null);
const source: Source = {
  version: '1.2.3',
  overview: () => ({ at: 1, cards: [], projects: [] }),
  run: async () => null,
  file: (id, name) => known(id, { text: `file ${name}`, cut: false }),
  line: (id, { segment, offset }) => known(id, `line ${segment} ${offset}`),
  older: (id, { segment }) => known(id, { stops: [], hasOlder: segment > 1 }),
  watch: () => () => undefined,
  async cancel(id) {
    if (id === 'p/toy:a') return 'ended';
    throw id === 'text' ? 'as text' : new Error('no such run');
  },
};
const assets = new Map([['/', { type: 'text/html', content: new Uint8Array([104, 105]) }]]);
const app = (over: Partial<Source> = {}, readOnly = false) => {
  const given = { ...source, ...over };
  return makeApp({
    door: { secrets, port: () => 4000 },
    source: given,
    news: new News(given),
    assets,
    readOnly,
  });
};

type Asked = { method?: string; headers?: Record<string, string>; app?: ReturnType<typeof app> };
const ask = (place: string, { app: asked = app(), headers = {}, method = 'GET' }: Asked = {}) =>
  asked.request(place, { method, headers: { host: HOST, cookie: COOKIE, ...headers } });
const answered = async (place: string, how?: Asked) => {
  const response = await ask(place, how);
  return { status: response.status, body: await response.text() };
};
const refused = (status: number, text: string) => ({ status, body: `${HEAD}<p>${text}</p>\n` });
const NOT_THERE = { status: 404, body: '{"text":"That is not there (any more)."}' };

afterEach(() => void vi.restoreAllMocks());

describe('who may ask', () => {
  it.each(['127.0.0.1:4000', 'localhost:4000'])('is a browser at %s with the cookie', async (host) => {
    const response = await ask('/', {
      headers: { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
    });
    expect([response.status, await response.text()]).toEqual([200, 'hi']);
    expect(Object.fromEntries(response.headers)).toEqual({ 'content-type': 'text/html', ...KEPT_OUT });
  });

  it('may come by a bookmark', async () => {
    expect((await ask('/', { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
  });

  it.each(['127.0.0.1', '127.0.0.1:4001', 'evil.example:4000', ''])('is nobody at %j', async (host) => {
    expect(await answered('/', { headers: { host } })).toEqual(
      refused(421, 'This server answers at 127.0.0.1 alone.'),
    );
  });

  it.each([
    { origin: 'http://evil.example' },
    { origin: 'https://127.0.0.1:4000' },
    { origin: 'http://localhost:4000' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('is no other site: %j', async (headers) => {
    expect(await answered('/', { headers: headers as Record<string, string> })).toEqual(
      refused(403, 'Another site may not ask this server.'),
    );
  });

  it.each(['', 'holdfast-4001=in-the-cookie', 'holdfast-4000=in-the-address', 'holdfast-4000='])(
    'is nobody with the cookie %j',
    async (cookie) => {
      const response = await ask('/', { headers: { cookie } });
      expect(Object.fromEntries(response.headers)).toMatchObject(KEPT_OUT);
      expect({ status: response.status, body: await response.text() }).toEqual(
        refused(401, 'Open the address that `holdfast web` printed: it has the token in it.'),
      );
    },
  );
});

describe('the printed address', () => {
  it.each([
    ['/?token=in-the-address', '/'],
    ['/?token=in-the-address&run=p/toy:a', '/#/run/p%2Ftoy%3Aa'],
    ["/?token=in-the-address&run='><script>", '/#/run/%27%3E%3Cscript%3E'],
  ])('%s gives the cookie and leads to %s', async (place, to) => {
    const response = await ask(place, { headers: { cookie: '', 'sec-fetch-site': 'cross-site' } });
    expect({ status: response.status, body: await response.text() }).toEqual({
      status: 200,
      body: `${HEAD}<meta http-equiv="refresh" content="0; url=${to}">`,
    });
    expect(Object.fromEntries(response.headers)).toEqual({
      ...KEPT_OUT,
      'content-type': 'text/html; charset=UTF-8',
      'set-cookie': 'holdfast-4000=in-the-cookie; Path=/; HttpOnly; SameSite=Strict',
    });
  });

  it.each([
    ['GET', '/?token='],
    ['GET', '/?token=in-the-cookie'],
    ['POST', '/?token=in-the-address'],
  ])('is not %s %s, even with the cookie', async (method, place) => {
    const response = await ask(place, { method });
    expect(response.headers.get('set-cookie')).toBe(null);
    expect({ status: response.status, body: await response.text() }).toEqual(
      refused(401, 'That token is not of this server; open the address that it printed.'),
    );
  });
});

describe('what is answered', () => {
  it.each([
    ['/api/session', '{"version":"1.2.3","action":"in-the-page"}'],
    ['/api/file?run=p/toy:a&name=plan.md', '{"text":"file plan.md","cut":false}'],
    ['/api/file?run=p/toy:a', '{"text":"file ","cut":false}'],
    ['/api/line?run=p/toy:a&mark=3-45', '{"text":"line 3 45"}'],
    ['/api/line?run=p/toy:a&mark=999999999-999999999999999', '{"text":"line 999999999 999999999999999"}'],
    ['/api/older?run=p/toy:a&mark=2-0', '{"stops":[],"hasOlder":true}'],
  ])('%s', async (place, body) => {
    expect(await answered(place)).toEqual({ status: 200, body });
  });

  it.each([
    '/api/file?run=other&name=plan.md',
    '/api/file?name=plan.md',
    '/api/line?run=other&mark=3-45',
    ...['', '3', '3-', '-3', 'a3-4', '3-4a', '1234567890-1', '1-1234567890123456'].map(
      (mark) => `/api/line?run=p/toy:a&mark=${mark}`,
    ),
    '/api/line?run=p/toy:a',
    '/api/older?run=p/toy:a',
    '/api/older?run=other&mark=1-1',
    '/other.js',
    '/../etc/passwd',
  ])('nothing at %s', async (place) => {
    expect(await answered(place)).toEqual(NOT_THERE);
  });

  it('nothing where another way of asking is unknown', async () => {
    expect(await answered('/', { method: 'PUT' })).toEqual(NOT_THERE);
  });

  it('that it failed, to the page and to whoever started it', async () => {
    const said: unknown[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(text) > 0);
    const broken = app({ file: () => Promise.reject(new Error('disk')) });
    expect(await answered('/api/file?run=a', { app: broken })).toEqual({
      status: 500,
      body: '{"text":"That failed: disk"}',
    });
    expect(said).toEqual(['holdfast web: a page could not be answered: disk\n']);
  });

  it('the news, until the page is closed', async () => {
    let watched = 0;
    const watch = (): (() => void) => {
      watched++;
      return () => void watched--;
    };
    const response = await ask('/api/events', { app: app({ watch }) });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(first).toContain('"cards":[]');
    expect(watched).toBe(1);
    await reader?.cancel();
    await vi.waitFor(() => expect(watched).toBe(0));
  });
});

describe('ending a run', () => {
  const ours = { origin: `http://${HOST}`, 'x-holdfast-token': 'in-the-page' };
  const cancel = (run: string, headers: Record<string, string> = ours, readOnly = false) =>
    answered(`/api/cancel?run=${run}`, { method: 'POST', headers, app: app({}, readOnly) });

  it('is done for our page', async () => {
    expect(await cancel('p/toy:a')).toEqual({ status: 200, body: '{"text":"ended"}' });
  });

  it('says why it was not', async () => {
    expect(await cancel('b')).toEqual({ status: 409, body: '{"text":"no such run"}' });
    expect(await cancel('text')).toEqual({ status: 409, body: '{"text":"as text"}' });
  });

  it.each<[string, Record<string, string>]>([
    ['no origin', { 'x-holdfast-token': 'in-the-page' }],
    ['no token', { origin: `http://${HOST}` }],
    ['another token', { ...ours, 'x-holdfast-token': 'in-the-cookie' }],
  ])('is refused with %s', async (_, headers) => {
    expect(await cancel('p/toy:a', headers)).toEqual(
      refused(403, 'This needs the token of the page; load it again.'),
    );
  });

  it('is not there where the page is only for reading', async () => {
    expect(await cancel('p/toy:a', ours, true)).toEqual(NOT_THERE);
    expect(await answered('/api/session', { app: app({}, true) })).toEqual({
      status: 200,
      body: '{"version":"1.2.3","action":null}',
    });
  });
});

describe('secrets', () => {
  it('are three, long, and never the same', () => {
    const all = [newSecrets(), newSecrets()].flatMap((each) => [each.address, each.cookie, each.action]);
    expect(new Set(all).size).toBe(6);
    for (const each of all) expect(each).toMatch(/^[\w-]{43}$/);
  });

  it.each<[string | undefined, boolean]>([
    ['secret', true],
    ['secreT', false],
    ['secret1', false],
    ['', false],
    [undefined, false],
  ])('%j is the secret: %s', (given, is) => {
    expect(isSame(given, 'secret')).toBe(is);
  });
});

it('the page’s files are read once, each with its type', () => {
  const folder = emptyFolder();
  for (const name of ['index.html', 'page.js', 'page.css', 'icon.svg'])
    fs.writeFileSync(path.join(folder, name), name);
  const read = readAssets(folder);
  fs.rmSync(folder, { recursive: true });
  expect(
    [...read].map(([address, { type, content }]) => [address, type, Buffer.from(content).toString()]),
  ).toEqual([
    ['/', 'text/html; charset=utf-8', 'index.html'],
    ['/page.js', 'text/javascript; charset=utf-8', 'page.js'],
    ['/page.css', 'text/css; charset=utf-8', 'page.css'],
    ['/icon.svg', 'image/svg+xml', 'icon.svg'],
  ]);
});
