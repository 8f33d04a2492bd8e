// The token in the browser: it leaves the address at once, stays with its tab, and a page without it says what to do.

import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WebServer } from '../../src/views/web/index.ts';
import { seedModel } from './seed.ts';
import { seededSource } from './seeded-source.ts';
import { serveBuilt, startBrowser } from './serve.ts';

const RUN = 'p-shop/taskie:checkout';
const WAY = `#/run/${encodeURIComponent(RUN)}`;

let browser: Browser;
let server: WebServer;
let context: BrowserContext;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  server = await serveBuilt(seededSource(seedModel()));
  context = await browser.newContext();
});
afterEach(async () => {
  await context.close();
  await server.close();
});

async function opened(address: string): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(address);
  return page;
}

const bare = (way = ''): string => `http://127.0.0.1:${server.port}/${way}`;
const sees = (page: Page) => page.locator('.run, .card').first().waitFor();
const seesNothing = async (page: Page) => {
  await page.locator('.empty').getByText('This tab cannot show your runs').waitFor();
  expect(await page.locator('body').textContent()).not.toContain('checkout');
};

describe('the token', () => {
  it('is in no address that the page shows, asks for or comes back to', async () => {
    const asked: string[] = [];
    context.on('request', (request) => asked.push(`${request.url()} ${request.headers().referer}`));
    const page = await opened(server.address(RUN));
    await sees(page);
    expect(page.url()).toBe(bare(WAY));
    await page.getByRole('link', { name: 'All runs' }).click();
    await page.locator('.card').first().waitFor();
    await page.goBack();
    await page.locator('.run').waitFor();
    expect(page.url()).toBe(bare(WAY));
    const token = server.address().split('=')[1] ?? '';
    expect(token).not.toBe('');
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter((each) => each.includes(token))).toEqual([]);
    expect(await context.cookies()).toEqual([]);
  });

  it('stays with a tab that is loaded again, and goes with a run that is opened in a tab of its own', async () => {
    const page = await opened(server.address());
    await sees(page);
    await page.reload();
    await sees(page);
    const ways: Parameters<Locator['click']>[0][] = [{ modifiers: ['ControlOrMeta'] }, { button: 'middle' }];
    for (const how of ways) {
      const [other] = await Promise.all([
        context.waitForEvent('page'),
        page.locator('.card a').first().click(how),
      ]);
      await other.locator('.run').waitFor();
      expect(page.url()).toBe(bare('#/'));
    }
  });

  it('opens every tab that is given the printed address', async () => {
    for (const address of [server.address(), server.address(RUN), server.address()])
      await sees(await opened(address));
    await sees(await opened(server.address().replace('127.0.0.1', 'localhost')));
  });
});

describe('a page without it', () => {
  it('says what to do, and goes on in the same tab once it is given', async () => {
    const page = await opened(bare(WAY));
    await seesNothing(page);
    // No other page is loaded for it.
    await page.goto(server.address(RUN));
    await page.locator('.run').waitFor();
    expect(page.url()).toBe(bare(WAY));
  });

  it('says it as well where the token is of an earlier start', async () => {
    const page = await opened(server.address());
    await sees(page);
    const { port } = server;
    await server.close();
    await page.getByText('not connected').waitFor();
    server = await serveBuilt(seededSource(seedModel()), { port });
    await seesNothing(page);
    await page.goto(server.address());
    await sees(page);
    await page.getByText('live', { exact: true }).waitFor();
  });
});
