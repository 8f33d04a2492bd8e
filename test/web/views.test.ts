// Every view over runs of all workflows: whole, in light and dark, at phone width, with the keyboard alone.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { WebServer } from '../../src/views/web/index.ts';
import { openPage } from './pages.ts';
import { seedModel } from './seed.ts';
import { type Seeded, seededSource } from './seeded-source.ts';
import { serveBuilt, startBrowser } from './serve.ts';

const REVIEW = '# Code review 1\n\n**Findings.**\n\n1. A deleted card can be charged\n';
const model = seedModel();
const runs = model.projects.flatMap((project) => project.runs);
const CHECKOUT = 'p-shop/taskie:checkout';

let browser: Browser;
let source: Seeded;
let server: WebServer;
beforeAll(async () => {
  source = seededSource(model, () => REVIEW);
  server = await serveBuilt(source);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const looks = [
  { scheme: 'light', width: 1180 },
  { scheme: 'dark', width: 390 },
] as const;

describe.each(looks)('$scheme, $width wide', (look) => {
  test.each([undefined, ...runs.map(({ id }) => id)])('nothing is cut on the page of %s', async (id) => {
    const { page, complaints, elsewhere, close } = await openPage(browser, server.address(id), look);
    expect(await isTooWide(page)).toBe(false);
    expect(await cutLabels(page)).toEqual([]);
    expect([complaints, elsewhere]).toEqual([[], []]);
    await close();
  });
});

describe('what each page says', () => {
  test.each([undefined, ...runs.map(({ id }) => id)])('of %s', async (id) => {
    const { page, close } = await openPage(browser, server.address(id));
    if (id !== undefined) await page.locator('#timeline .stop').first().waitFor();
    const [title, text] = [await page.title(), await page.locator('main').innerText()];
    const name = id === undefined ? 'overview' : id.replace(/^.*\//, '').replace(':', '-');
    await expect(`${title}\n\n${text}\n`).toMatchFileSnapshot(`pages/${name}.txt`);
    await close();
  });
});

describe('a run page', () => {
  it('says why at each stop, and shows the journal line behind it', async () => {
    const { page, close } = await openPage(browser, server.address(CHECKOUT));
    const chosen = page.locator('#timeline div.chosen');
    const [newest, before] = runs.find(({ id }) => id === CHECKOUT)?.stops ?? [];
    await expect.poll(() => chosen.textContent()).toContain(newest?.why);
    await page.locator('#timeline [role=listbox]').focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => chosen.textContent()).toContain(before?.why);
    await chosen.getByRole('button', { name: 'Journal line' }).press('Enter');
    await page.locator('#timeline pre').getByText('"event": "stop"').waitFor();
    await close();
  });

  it('filters its findings', async () => {
    const { page, close } = await openPage(browser, server.address(CHECKOUT));
    const rows = page.locator('.docket tbody tr');
    await expect.poll(() => rows.count()).toBe(9);
    await page.getByLabel('Status').selectOption('open');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Severity').selectOption('high');
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('floating point')]);
    await page.getByLabel('Show only findings with').fill('no such words');
    await expect.poll(() => rows.count()).toBe(0);
    await page.locator('#docket .empty').getByText('None matches').waitFor();
    await close();
  });

  it('renders a review', async () => {
    const { page, complaints, close } = await openPage(browser, server.address(CHECKOUT));
    await page.getByRole('button', { name: 'code-review-1.md' }).click();
    await page.locator('.markdown h1').getByText('Code review 1').waitFor();
    expect(await page.locator('.markdown strong').textContent()).toBe('Findings.');
    expect(complaints).toEqual([]);
    await close();
  });

  it('marks the way so far in the diagram, and shows each amount of the budget', async () => {
    const { page, close } = await openPage(browser, server.address(CHECKOUT));
    expect(await page.locator('.way.taken').count()).toBeGreaterThan(3);
    expect(await page.locator('#budget svg').getAttribute('aria-label')).toContain('1.7M of 4M left');
    await page.getByRole('button', { name: 'reviews', exact: true }).click();
    await expect
      .poll(() => page.locator('#budget svg').getAttribute('aria-label'))
      .toContain('10 of 20 left');
    await close();
  });

  it('prints without its controls', async () => {
    const { page, close } = await openPage(browser, server.address(CHECKOUT));
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.cancel').isVisible()).toBe(false);
    expect(await page.locator('.docket').isVisible()).toBe(true);
    await close();
  });

  it('of a run that is gone says so', async () => {
    const { page, close } = await openPage(browser, server.address('p-shop/idle:none'));
    await page.locator('.empty').getByText('There is no such run').waitFor();
    await close();
  });
});

describe('with the keyboard alone', () => {
  it('from the overview to a run, and to cancelling it, which asks', async () => {
    const { page, close } = await openPage(browser, server.address());
    const title = runs.find(({ id }) => id === CHECKOUT)?.asked ?? '';
    await tabTo(page, title);
    await page.keyboard.press('Enter');
    await page.locator('h1').getByText(title).waitFor();
    await tabTo(page, 'Cancel this run');
    await page.keyboard.press('Enter');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    expect(source.cancelled).toEqual([]);
    await page.keyboard.press('Enter');
    await tabTo(page, 'Cancel the run');
    await page.keyboard.press('Enter');
    await page.locator('dialog').getByText('Cancelled.').waitFor();
    expect(source.cancelled).toEqual([CHECKOUT]);
    await close();
  });
});

describe('what has ended', () => {
  it('can be dismissed, one by one on its card and its page, and all at once', async () => {
    const { page, close } = await openPage(browser, server.address());
    await page.getByRole('button', { name: 'Dismiss: Cache the price list' }).click();
    await page.getByRole('button', { name: 'Dismiss all that ended' }).click();
    await page.getByRole('link', { name: 'Cache the price list' }).click();
    await page.getByRole('button', { name: 'Dismiss this run' }).click();
    await page.locator('.overview').waitFor();
    const id = 'p-api/idle:loop-1794880000-99';
    expect(source.dismissed).toEqual([id, null, id]);
    await close();
  });
});

describe('live', () => {
  it('a change shows without loading the page again, in the title and the icon too', async () => {
    const { page, close } = await openPage(browser, server.address());
    await page.evaluate("globalThis.same = 'the same page'");
    const icon = () => page.locator('link[rel=icon]').getAttribute('href');
    expect([await page.title(), await icon()]).toEqual([
      '(1) needs you · Holdfast',
      expect.stringMatching(/^data:image\/svg\+xml,.*%3E1%3C/),
    ]);
    const [, second] = model.projects;
    source.change({ ...model, projects: second === undefined ? [] : [second] });
    await page.locator('.overview-head').getByText('in 1 project').waitFor();
    expect([await page.title(), await icon()]).toEqual(['Holdfast', '/icon.svg']);
    source.change({ ...model, projects: [] });
    await page.locator('.empty').getByText('No runs yet').waitFor();
    source.change(model);
    await page
      .locator('.card')
      .nth(runs.length - 1)
      .waitFor();
    expect(await page.evaluate('globalThis.same')).toBe('the same page');
    await close();
  });
});

type AnyPage = Awaited<ReturnType<typeof openPage>>['page'];

/** Nothing but a chart of its own may scroll sideways. */
function isTooWide(page: AnyPage): Promise<boolean> {
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
}

/** Labels of a chart that its edges cut, or that stand twice on one axis. */
function cutLabels(page: AnyPage): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.chart svg')].flatMap((svg) => {
    const edge = svg.getBoundingClientRect();
    const labels = [...svg.querySelectorAll('text')];
    const cut = labels.filter((label) => {
      const { left, right, bottom } = label.getBoundingClientRect();
      return left < edge.left - 1 || right > edge.right + 1 || bottom > edge.bottom + 1;
    });
    const axis = [...svg.querySelectorAll(':scope > text.tick')].map((label) => label.textContent);
    return [...cut.map((label) => label.textContent), ...axis.filter((label, at) => axis.indexOf(label) !== at)];
  })`);
}

async function tabTo(page: AnyPage, text: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>("document.activeElement?.textContent ?? ''");
    if (focused.trim() === text) return;
  }
  throw new Error(`Tab never came to "${text}"`);
}
