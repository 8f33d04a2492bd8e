// What the real hook leaves of every workflow: each demonstration, played to its end, seen in the page.

import fs from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { registry } from '../../src/workflows/registry.ts';
import { runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { startWeb } from './command.ts';
import { openPage } from './pages.ts';
import { startBrowser } from './serve.ts';

let browser: Browser;
let temp: TempProject;
beforeAll(async () => {
  browser = await startBrowser();
  temp = tempProject('elsewhere', { emptyHome: true });
  const env = { TMPDIR: path.dirname(temp.home) };
  const played = await runCli(temp.root, ['demo', '--keep', '--json'], { env, timeoutMs: 100_000 });
  expect(played, played.stderr).toMatchObject({ exitCode: 0 });
  const known = path.join(temp.home, '.local/state/holdfast/projects');
  fs.mkdirSync(known, { recursive: true, mode: 0o700 });
  for (const { folder } of JSON.parse(played.stdout)) {
    const own = path.join(folder, 'home/.local/state/holdfast/projects');
    for (const name of fs.readdirSync(own)) fs.copyFileSync(path.join(own, name), path.join(known, name));
  }
}, 120_000);
afterAll(async () => {
  await browser.close();
  temp.remove();
});

it('the overview has a run of each workflow, from every project', async () => {
  const web = await startWeb(temp.root);
  const { page, complaints, elsewhere, close } = await openPage(browser, web.address, { clock: false });
  await page
    .locator('.card')
    .nth(registry.length - 1)
    .waitFor();
  const workflows = await page.locator('.card .project').allTextContents();
  expect(workflows.map((text) => text.split(' · ')[1]).sort()).toEqual(
    registry.map(({ name }) => name).sort(),
  );
  expect([complaints, elsewhere]).toEqual([[], []]);
  await close();
});

test.each(registry.map(({ name }) => name))(
  'the page of a run of %s shows where it ended, and its files',
  async (workflow) => {
    const web = await startWeb(temp.root);
    const { page, complaints, elsewhere, close } = await openPage(browser, web.address, { clock: false });
    await page
      .locator('.card', { hasText: ` · ${workflow}` })
      .locator('a')
      .click();
    await page.locator('.run').waitFor();
    await expect.poll(() => page.locator('#timeline .stop').count()).toBeGreaterThan(1);
    await expect.poll(() => page.locator('#states .state.current').count()).toBe(1);
    expect(await page.locator('.way.taken').count()).toBeGreaterThan(0);
    const files = page.locator('.file');
    for (let at = 0; at < (await files.count()); at++) {
      await files.nth(at).click();
      await page.locator('.file-text').waitFor();
    }
    expect([complaints, elsewhere]).toEqual([[], []]);
    await close();
  },
);
