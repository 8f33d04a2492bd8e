// Whoever has not the token, comes by another name or from another site gets nothing; no address reaches the disk.

import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { WebServer } from '../../src/views/web/index.ts';
import { seedModel } from './seed.ts';
import { type Seeded, seededSource } from './seeded-source.ts';
import { serveBuilt } from './serve.ts';

const RUN = 'p-shop/taskie:checkout';

let source: Seeded;
let server: WebServer;
let readOnly: WebServer;
let cookie: string;
let action: string;

beforeAll(async () => {
  source = seededSource(seedModel(), () => 'text of a file');
  server = await serveBuilt(source);
  readOnly = await serveBuilt(source, { readOnly: true });
  cookie = await enter(server);
  action = JSON.parse((await ask('/api/session', { cookie })).body).action;
});
afterAll(async () => {
  await server.close();
  await readOnly.close();
});

type Answer = { status: number; headers: http.IncomingHttpHeaders; body: string };

/** As it is written: no client of its own tidies the path or the headers. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', port = server.port } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

async function enter(to: WebServer): Promise<string> {
  const address = new URL(to.address());
  const answer = await ask(`${address.pathname}${address.search}`, {}, { port: to.port });
  return (answer.headers['set-cookie'] ?? []).join(';').split(';')[0] ?? '';
}

const ADDRESSES = ['/', '/page.js', '/page.css', '/api/session', '/api/events', '/api/file', '/api/line'];

describe('without the token', () => {
  test.each(ADDRESSES)('nothing is at %s', async (address) => {
    const answer = await ask(address);
    expect(answer.status).toBe(401);
    expect(answer.body).not.toContain('checkout');
  });

  test.each(['', 'wrong', 'x'.repeat(43)])('a wrong one (%j) opens nothing', async (token) => {
    const answer = await ask(`/?token=${token}`);
    expect(answer.status).toBe(401);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('the cookie of another server, and of another run of it, opens nothing', async () => {
    const other = (await enter(readOnly)).replace(String(readOnly.port), String(server.port));
    expect((await ask('/', { cookie: other })).status).toBe(401);
  });

  it('the token in the address is neither the cookie nor what writes', async () => {
    const token = new URL(server.address()).searchParams.get('token') ?? '';
    expect(cookie).not.toContain(token);
    expect(action).not.toBe(token);
    expect((await ask('/', { cookie: `holdfast-${server.port}=${token}` })).status).toBe(401);
  });
});

describe('with it', () => {
  it('a browser gets a cookie that no script and no other site can use', async () => {
    const address = new URL(server.address());
    const { headers, body, status } = await ask(`/${address.search}`);
    expect(status).toBe(200);
    expect(headers['set-cookie']?.join()).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(body).toContain('http-equiv="refresh"');
  });

  it('every answer has the policy', async () => {
    for (const address of [...ADDRESSES.filter((each) => each !== '/api/events'), '/nothing']) {
      const { headers } = await ask(address, { cookie });
      expect(headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self'/);
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test.each(['evil.test', 'localhost.evil.test', '127.0.0.1', '0.0.0.0', 'localhost:1'])(
    'another host (%s) is refused',
    async (host) => {
      expect((await ask('/', { cookie, host })).status).toBe(421);
    },
  );

  it('localhost is the same machine', async () => {
    expect((await ask('/', { cookie, host: `localhost:${server.port}` })).status).toBe(200);
  });

  test.each(['http://evil.test', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1'])(
    'another origin (%s) is refused',
    async (origin) => {
      expect((await ask('/api/session', { cookie, origin })).status).toBe(403);
    },
  );

  test.each(['cross-site', 'same-site'])('a request of another site (%s) is refused', async (site) => {
    expect((await ask('/api/session', { cookie, 'sec-fetch-site': site })).status).toBe(403);
  });

  test.each([
    '/../../../../etc/passwd',
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '//etc/passwd',
    '/page.js/../../web.mjs',
    '/web.mjs',
    '/api/',
    `/api/file?run=${encodeURIComponent(RUN)}&name=..%2f..%2fetc%2fpasswd`,
    `/api/file?run=${encodeURIComponent(RUN)}&name=%2fetc%2fpasswd`,
    '/api/file?run=..%2f..&name=passwd',
    `/api/line?run=${encodeURIComponent(RUN)}&mark=..%2f1`,
    `/api/line?run=${encodeURIComponent(RUN)}&mark=-1--1`,
    '/api/line?run=nobody&mark=1-0',
    `/api/older?run=${encodeURIComponent(RUN)}&mark=`,
  ])('%s leads nowhere', async (address) => {
    const { status, body } = await ask(address, { cookie });
    expect(status).toBe(404);
    expect(body).not.toContain('root:');
  });

  it('a file of a run is there by its name in the run', async () => {
    const name = encodeURIComponent('.taskie/plans/checkout/plan.md');
    const { status, body } = await ask(`/api/file?run=${encodeURIComponent(RUN)}&name=${name}`, { cookie });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ text: 'text of a file', cut: false });
  });
});

describe('cancel', () => {
  const address = `/api/cancel?run=${encodeURIComponent(RUN)}`;
  const origin = () => `http://127.0.0.1:${server.port}`;

  test.each([
    ['no token in a header', () => ({ cookie, origin: origin() })],
    ['a wrong one', () => ({ cookie, origin: origin(), 'x-holdfast-token': 'wrong' })],
    ['no origin', () => ({ cookie, 'x-holdfast-token': action })],
    ['another origin', () => ({ cookie, origin: 'http://evil.test', 'x-holdfast-token': action })],
    ['no cookie', () => ({ origin: origin(), 'x-holdfast-token': action })],
  ])('does nothing with %s', async (_, headers) => {
    const { status } = await ask(address, headers(), { method: 'POST' });
    expect([401, 403]).toContain(status);
    expect(source.cancelled).toEqual([]);
  });

  it('is nothing that is asked for by GET', async () => {
    expect((await ask(address, { cookie, origin: origin(), 'x-holdfast-token': action })).status).toBe(404);
    expect(source.cancelled).toEqual([]);
  });

  it('is not there with --read-only', async () => {
    const own = await enter(readOnly);
    const { port } = readOnly;
    const session = JSON.parse((await ask('/api/session', { cookie: own }, { port })).body);
    expect(session.action).toBeNull();
    const headers = { cookie: own, origin: `http://127.0.0.1:${port}`, 'x-holdfast-token': 'null' };
    expect((await ask(address, headers, { method: 'POST', port })).status).toBe(404);
    expect(source.cancelled).toEqual([]);
  });

  it('ends the run with all of them', async () => {
    const headers = { cookie, origin: origin(), 'x-holdfast-token': action };
    const { status, body } = await ask(address, headers, { method: 'POST' });
    expect([status, body]).toEqual([200, '{"text":"Cancelled."}']);
    expect(source.cancelled).toEqual([RUN]);
  });
});

it('it listens on loopback alone', async () => {
  const { networkInterfaces } = await import('node:os');
  const others = Object.values(networkInterfaces())
    .flat()
    .filter((each) => each !== undefined && !each.internal && each.family === 'IPv4');
  for (const other of others) {
    const refused = await new Promise((resolve) => {
      const request = http.get({ host: other?.address, port: server.port, timeout: 3000 }, () =>
        resolve(false),
      );
      request.on('error', () => resolve(true));
      request.on('timeout', () => resolve(true));
    });
    expect(refused).toBe(true);
  }
});
