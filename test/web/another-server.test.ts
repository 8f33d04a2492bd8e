// Another user's server on 127.0.0.1, on another port: the same browser opens it beside the page, and it keeps all that
// it is sent. A cookie would come to it as well, for browsers share those between the ports of a host.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WebServer } from '../../src/views/web/index.ts';
import { seedModel } from './seed.ts';
import { type Seeded, seededSource } from './seeded-source.ts';
import { serveBuilt, startBrowser } from './serve.ts';

const RUN = 'p-shop/taskie:checkout';
const TOKEN = /[\w-]{43}/;

let browser: Browser;
let source: Seeded;
let server: WebServer;
let theirs: http.Server;
let taken: http.IncomingMessage[];
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

beforeEach(async () => {
  taken = [];
  theirs = http.createServer((request, response) => {
    taken.push(request);
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>Another</title>');
  });
  await new Promise<void>((resolve) => theirs.listen(0, '127.0.0.1', resolve));
  source = seededSource(seedModel(), () => `[more on this](${addressOf(theirs)}/linked)`);
  server = await serveBuilt(source);
  context = await browser.newContext();
  page = await context.newPage();
  await page.goto(server.address(RUN));
  await page.locator('.run').waitFor();
});
afterEach(async () => {
  await context.close();
  await server.close();
  theirs.closeAllConnections();
  await new Promise((resolve) => theirs.close(resolve));
});

const addressOf = (of: http.Server): string => `http://127.0.0.1:${(of.address() as AddressInfo).port}`;

/** Asks our server with what theirs was sent, as a program of theirs can, with every header that a page would send. */
async function replayed(path: string, method = 'GET'): Promise<number[]> {
  const ours = `http://127.0.0.1:${server.port}`;
  return Promise.all(
    taken.map(({ headers: { cookie, authorization } }) => {
      const headers = {
        origin: ours,
        ...(cookie === undefined ? {} : { cookie }),
        ...(authorization === undefined ? {} : { authorization }),
      };
      return new Promise<number>((resolve, reject) => {
        const request = http.request(`${ours}${path}`, { method, headers }, (response) => {
          resolve(response.statusCode ?? 0);
          response.destroy();
        });
        request.on('error', reject);
        request.end();
      });
    }),
  );
}

async function expectNothingTaken(): Promise<void> {
  expect(taken.length).toBeGreaterThan(0);
  for (const { url, rawHeaders } of taken) {
    expect(`${url} ${rawHeaders.join(' ')}`).not.toMatch(TOKEN);
    expect(rawHeaders.map((each) => each.toLowerCase())).not.toEqual(expect.arrayContaining(['cookie']));
  }
  const run = encodeURIComponent(RUN);
  for (const [path, method] of [
    ['/api/session'],
    [`/api/events?run=${run}`],
    [`/api/cancel?run=${run}`, 'POST'],
  ])
    for (const status of await replayed(path ?? '', method)) expect(status).toBe(401);
  expect(source.cancelled).toEqual([]);
}

describe('another server on this machine that the browser opens', () => {
  it('beside the page is sent nothing with which it could read the events or cancel a run', async () => {
    const other = await context.newPage();
    await other.goto(addressOf(theirs));
    await expectNothingTaken();
  });

  it('by a link in a review is not told where it came from', async () => {
    await page.getByRole('button', { name: 'code-review-1.md' }).click();
    const [other] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'more on this' }).click(),
    ]);
    await other.waitForLoadState();
    expect(taken.map(({ url, headers }) => [url, headers.referer])).toContainEqual(['/linked', undefined]);
    expect(await other.evaluate('window.opener')).toBeNull();
    await expectNothingTaken();
  });

  it('cannot do with script what it could not do itself', async () => {
    const other = await context.newPage();
    await other.goto(addressOf(theirs));
    const ours = `http://127.0.0.1:${server.port}`;
    const run = encodeURIComponent(RUN);
    // Each answers with what it got, or with null.
    const got = await other.evaluate<unknown[]>(`Promise.all([
      fetch('${ours}/api/events', { credentials: 'include' }).then((answer) => answer.text()),
      fetch('${ours}/api/session', { headers: { Authorization: 'Bearer x' } }).then((answer) => answer.text()),
      fetch('${ours}/page.js').then((answer) => answer.text()),
      fetch('${ours}/api/cancel?run=${run}', { method: 'POST', mode: 'no-cors', credentials: 'include' })
        .then((answer) => answer.type === 'opaque' ? null : answer.text()),
      new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.onload = () => resolve(frame.contentDocument?.body.textContent ?? null);
        frame.src = '${ours}/';
        document.body.append(frame);
      }),
      new Promise((resolve) => {
        const script = document.createElement('script');
        script.onload = () => resolve('loaded');
        script.onerror = () => resolve(null);
        script.src = '${ours}/page.js';
        document.body.append(script);
      }),
    ].map((each) => each.catch(() => null)))`);
    expect(got).toEqual([null, null, null, null, null, null]);
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      other.evaluate(`globalThis.child = window.open('${ours}/#/run/${run}'); null`),
    ]);
    await opened.locator('.empty').waitFor();
    expect(await other.evaluate('globalThis.child.closed')).toBe(true);
    expect(await opened.evaluate('sessionStorage.length')).toBe(0);
    await expectNothingTaken();
  });
});
