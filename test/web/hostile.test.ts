// Texts of agents, reviewers and repositories are data wherever they are shown: in every field one that would like to be
// script, and none of them runs or asks another host.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { ViewModel } from '../../src/view/model.ts';
import type { WebServer } from '../../src/views/web/index.ts';
import { openPage } from './pages.ts';
import { seedModel } from './seed.ts';
import { seededSource } from './seeded-source.ts';
import { serveBuilt, startBrowser } from './serve.ts';

const HOSTILE = [
  '<script>globalThis.ran = 1</script>',
  '<img src=x onerror="globalThis.ran = 1">',
  '"><svg onload="globalThis.ran = 1">',
  '<iframe srcdoc="<script>parent.ran = 1</script>"></iframe>',
  'javascript:globalThis.ran = 1',
  '</style><style>*{display:none}</style>',
  "{{constructor.constructor('globalThis.ran = 1')()}}",
  '\u202Etxt.exe\u0000\u001b[2J\u2028',
  '<a href="http://evil.test/">x</a>'.repeat(40),
];

const MARKDOWN = [
  ...HOSTILE,
  '[click](javascript:globalThis.ran=1)',
  '[click](data:text/html,<script>globalThis.ran=1</script>)',
  '![picture](http://evil.test/pixel.png)',
  '<img src="http://evil.test/pixel.png">',
  '<form action="http://evil.test"><button id="submit">x</button></form>',
  '<math><mtext><table><mglyph><style><img src=x onerror=globalThis.ran=1>',
  '<a id="page" name="cookie" href="#x" onclick="globalThis.ran=1">clobber</a>',
  '<div style="background:url(http://evil.test/)">styled</div>',
  '<base href="http://evil.test/"><link rel="stylesheet" href="http://evil.test/a.css">',
].join('\n\n');

/** What the page itself reads as a word of ours, and so cannot be a text. */
const OWN = new Set([
  'kind',
  'verdict',
  'severity',
  'status',
  'end',
  'workflow',
  'event',
  'unit',
  'for',
  'stage:budget',
]);

let browser: Browser;
let server: WebServer;
let model: ViewModel;
beforeAll(async () => {
  model = spoil(seedModel());
  server = await serveBuilt(seededSource(model, () => MARKDOWN));
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

let count = 0;

function spoil<T>(value: T, key = ''): T {
  if (typeof value === 'string' && !OWN.has(key)) {
    count += 1;
    // Ids stay apart from each other.
    return `${HOSTILE[count % HOSTILE.length]} ${count}` as T;
  }
  if (Array.isArray(value)) return value.map((each) => spoil(each, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoil(each, name)])) as T;
}

describe('hostile texts in every field', () => {
  it('are shown in the overview, and none runs', async () => {
    const { page, complaints, elsewhere, close } = await openPage(browser, server.address());
    expect(count).toBeGreaterThan(300);
    expect(await page.locator('.card').count()).toBe(model.projects.flatMap(({ runs }) => runs).length);
    expect(await page.locator('body').textContent()).toContain('<script>globalThis.ran = 1</script>');
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
    expect([complaints, elsewhere]).toEqual([[], []]);
    await close();
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'are shown on the page of run %i, with all its files open',
    async (at) => {
      const run = model.projects.flatMap(({ runs }) => runs)[at];
      const { page, complaints, elsewhere, close } = await openPage(browser, server.address(run?.id));
      await page.locator('.run').waitFor();
      for (let file = 0; file < (run?.files.length ?? 0); file++) {
        await page.locator('.file').nth(file).click();
        await page.locator('.file-text').waitFor();
      }
      expect(await page.locator('main script, main iframe, main object, main style, main form').count()).toBe(
        0,
      );
      expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
      expect([complaints, elsewhere]).toEqual([[], []]);
      await close();
    },
  );
});

describe('a hostile review', () => {
  it('is rendered without whatever could do more than be read', async () => {
    const plain = seedModel();
    const own = await serveBuilt(seededSource(plain, () => MARKDOWN));
    const { page, complaints, elsewhere, close } = await openPage(
      browser,
      own.address('p-shop/taskie:checkout'),
    );
    await page.getByRole('button', { name: 'code-review-1.md' }).click();
    await page.locator('.markdown').waitFor();
    const inside = page.locator('.markdown');
    expect(await inside.locator('script, img, svg, iframe, form, style, base, link, math').count()).toBe(0);
    const attributes = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.markdown *')].flatMap((node) => node.getAttributeNames())",
    );
    expect(new Set(attributes)).toEqual(new Set(['href', 'rel', 'target']));
    const links = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.markdown a')].map((link) => link.getAttribute('href') ?? '')",
    );
    expect(links.filter((link) => !/^https?:/.test(link) && link !== '')).toEqual([]);
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
    expect([complaints, elsewhere]).toEqual([[], []]);
    await close();
    await own.close();
  });
});
