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
let authorization: string;

beforeAll(async () => {
  source = seededSource(seedModel(), () => 'text of a file');
  server = await serveBuilt(source);
  readOnly = await serveBuilt(source, { readOnly: true });
  authorization = `Bearer ${tokenOf(server)}`;
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

const tokenOf = (of: WebServer): string => new URL(of.address()).hash.slice('#token='.length);

const PAGE = ['/', '/page.js', '/page.css', '/icon.svg'];
const DATA = ['/api/session', '/api/events', '/api/file', '/api/line', '/api/older', '/nothing'];

describe('without the token', () => {
  test.each(PAGE)('%s is the same for everyone, and no cookie comes with it', async (address) => {
    const answer = await ask(address);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined]);
    expect(answer.body).not.toContain(tokenOf(server));
    expect(answer.body).not.toContain('checkout');
  });

  test.each(DATA)('nothing is at %s', async (address) => {
    const answer = await ask(address);
    expect(answer.status).toBe(401);
    expect(answer.body).not.toContain('checkout');
  });

  it('a wrong one, one in another place, and that of another start open nothing', async () => {
    const token = tokenOf(server);
    for (const headers of [
      { authorization: '' },
      { authorization: token },
      { authorization: `Bearer ${'x'.repeat(43)}` },
      { authorization: `Bearer ${tokenOf(readOnly)}` },
      { cookie: `holdfast-${server.port}=${token}` },
    ])
      expect((await ask('/api/session', headers)).status).toBe(401);
    expect((await ask(`/api/session?token=${token}`)).status).toBe(401);
  });
});

describe('with it', () => {
  it('every answer has the policy', async () => {
    for (const address of [...PAGE, ...DATA.filter((each) => each !== '/api/events')]) {
      const { headers } = await ask(address, { authorization });
      expect(headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self'/);
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  const names = ['evil.test', 'localhost.evil.test', '127.0.0.1', '0.0.0.0', 'localhost:1', 'localhost:PORT'];
  test.each([...names, '127.0.0.1:PORT1', '127.0.0.1:PORT.evil.test', '[::1]:PORT'])(
    'another host (%s) is refused',
    async (name) => {
      const host = name.replace('PORT', String(server.port));
      // One that is no name at all comes no further than to the HTTP server.
      expect([400, 421]).toContain((await ask('/api/session', { authorization, host })).status);
    },
  );

  it('localhost leads to the one address', async () => {
    const { status, headers } = await ask('/', { host: `localhost:${server.port}` });
    expect([status, headers.location]).toEqual([302, `http://127.0.0.1:${server.port}/`]);
  });

  const origins = ['http://evil.test', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1'];
  test.each([
    ...origins,
    'http://127.0.0.1:PORT1',
    'http://127.0.0.1:PORT.evil.test',
    'http://localhost:PORT',
  ])('another origin (%s) is refused', async (name) => {
    const origin = name.replace('PORT', String(server.port));
    expect((await ask('/api/session', { authorization, origin })).status).toBe(403);
  });

  test.each(['cross-site', 'same-site'])('a request of another site (%s) is refused', async (site) => {
    expect((await ask('/api/session', { authorization, 'sec-fetch-site': site })).status).toBe(403);
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
    const { status, body } = await ask(address, { authorization });
    expect(status).toBe(404);
    expect(body).not.toContain('root:');
  });

  it('a file of a run is there by its name in the run', async () => {
    const name = encodeURIComponent('.taskie/plans/checkout/plan.md');
    const { status, body } = await ask(`/api/file?run=${encodeURIComponent(RUN)}&name=${name}`, {
      authorization,
    });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ text: 'text of a file', cut: false });
  });
});

describe('cancel', () => {
  const address = `/api/cancel?run=${encodeURIComponent(RUN)}`;
  const origin = () => `http://127.0.0.1:${server.port}`;

  test.each([
    ['no token', () => ({ origin: origin() })],
    ['a wrong one', () => ({ origin: origin(), authorization: 'Bearer wrong' })],
    ['no origin', () => ({ authorization })],
    ['another origin', () => ({ authorization, origin: 'http://evil.test' })],
    ['the origin of a longer port', () => ({ authorization, origin: `${origin()}1` })],
  ])('does nothing with %s', async (_, headers) => {
    const { status } = await ask(address, headers(), { method: 'POST' });
    expect([401, 403]).toContain(status);
    expect(source.cancelled).toEqual([]);
  });

  it('is nothing that is asked for by GET', async () => {
    expect((await ask(address, { authorization, origin: origin() })).status).toBe(404);
    expect(source.cancelled).toEqual([]);
  });

  it('is not there with --read-only', async () => {
    const { port } = readOnly;
    const own = { authorization: `Bearer ${tokenOf(readOnly)}` };
    const session = JSON.parse((await ask('/api/session', own, { port })).body);
    expect(session.mayWrite).toBe(false);
    const headers = { ...own, origin: `http://127.0.0.1:${port}` };
    expect((await ask(address, headers, { method: 'POST', port })).status).toBe(404);
    expect(source.cancelled).toEqual([]);
  });

  it('ends the run with all of them', async () => {
    const headers = { authorization, origin: origin() };
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
