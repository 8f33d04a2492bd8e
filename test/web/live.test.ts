// A real loop, held by the real hook, seen by the real command: what happens shows while the page is open.

import fs from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { startWeb } from './command.ts';
import { openPage } from './pages.ts';
import { startBrowser } from './serve.ts';

const SESSION = 'a-session';
const inSession = { env: { CLAUDE_CODE_SESSION_ID: SESSION } };

let browser: Browser;
let temp: TempProject;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(() => {
  temp = tempProject('shop');
});
afterEach(() => temp.remove());

const stop = (message = 'not yet') =>
  fireHook(temp.root, { session_id: SESSION, cwd: temp.root, last_assistant_message: message });

const done = async (...args: readonly string[]) => {
  const ran = await runCli(temp.root, args, inSession);
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
  return ran;
};

describe('holdfast web over a loop', () => {
  it('shows its start, each hold and its end, without loading the page again', async () => {
    const web = await startWeb(temp.root);
    const { page, complaints, elsewhere, close } = await openPage(browser, web.address, { clock: false });
    await page.locator('.empty').getByText('No runs yet').waitFor();

    await done('idle', 'loop', 'Make the tests pass');
    await page.locator('.card').waitFor();
    expect((await stop()).answer?.decision).toBe('block');
    await page.locator('.card').getByText('held once').waitFor();
    await page.locator('.card a').click();
    await page.locator('.run').waitFor();
    await expect.poll(() => page.locator('#timeline .stop').count()).toBe(1);
    expect((await stop()).answer?.decision).toBe('block');
    await page.locator('#timeline .stop').nth(1).waitFor();
    expect((await stop('<loop-done>COMPLETE</loop-done>')).answer?.decision).toBeUndefined();
    await page.locator('.badge').getByText('done').waitFor();
    await page.locator('#states .state.current text').getByText('done', { exact: true }).waitFor();
    await page.locator('#timeline div.chosen').getByRole('button').click();
    await page.locator('#timeline pre').getByText('"event": "stop"').waitFor();

    expect([complaints, elsewhere]).toEqual([[], []]);
    await close();
    expect(await web.end()).toBe(0);
  });

  it('cancels it when asked, puts it away when asked, and the agent is let go at its next stop', async () => {
    await done('idle', 'loop', 'Make the tests pass');
    expect((await stop()).answer?.decision).toBe('block');
    const web = await startWeb(temp.root);
    const { page, complaints, close } = await openPage(browser, web.address, { clock: false });
    await page.locator('.card a').click();
    await page.getByRole('button', { name: 'Cancel this run' }).click();
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await page.locator('.badge').getByText('cancelled').waitFor();
    await page.getByRole('button', { name: 'Dismiss this run' }).click();
    await page.locator('.empty').getByText('No runs yet').waitFor();
    expect((await stop()).answer?.decision).toBeUndefined();
    expect(complaints).toEqual([]);
    await close();
  });

  it('shows no such button with --read-only, or where HOLDFAST_DISABLE=1 is set', async () => {
    await done('idle', 'loop', 'Make the tests pass');
    await stop();
    for (const web of [
      await startWeb(temp.root, ['--read-only']),
      await startWeb(temp.root, [], { HOLDFAST_DISABLE: '1' }),
    ]) {
      const { page, close } = await openPage(browser, web.address, { clock: false });
      await page.locator('.card a').click();
      await page.locator('.tiles').waitFor();
      expect(await page.getByRole('button', { name: 'Cancel this run' }).count()).toBe(0);
      await close();
    }
  });

  it('goes on over a journal line that is torn', async () => {
    await done('idle', 'loop', 'Make the tests pass');
    await stop();
    const web = await startWeb(temp.root);
    const { page, complaints, close } = await openPage(browser, web.address, { clock: false });
    fs.appendFileSync(path.join(temp.root, '.holdfast/journal.jsonl'), '{"event":"stop","ti\n');
    await stop();
    await page.locator('.card').getByText('held twice').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('gives the browser a file that only this user can read, and no token in its arguments', async () => {
    const folder = path.join(temp.home, 'bin');
    fs.mkdirSync(folder);
    const noted = path.join(temp.home, 'opened');
    const opener = '#!/bin/sh\nprintf "%s" "$*" > "$NOTED.new"; mv "$NOTED.new" "$NOTED"\n';
    fs.writeFileSync(path.join(folder, 'xdg-open'), opener, { mode: 0o755 });
    const web = await startWeb(temp.root, ['--open'], {
      PATH: `${folder}:${process.env.PATH}`,
      NOTED: noted,
    });
    await expect.poll(() => fs.existsSync(noted)).toBe(true);
    const file = new URL(fs.readFileSync(noted, 'utf8'));
    const token = new URL(web.address).hash.slice('#token='.length);
    expect(file.protocol).toBe('file:');
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(file.href).not.toContain(token);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(file.href);
    await page.locator('.empty').getByText('No runs yet').waitFor();
    await context.close();
    await web.end();
    expect(fs.existsSync(file)).toBe(false);
  });

  it('a port that is taken, and one that is none, are said in one line', async () => {
    const web = await startWeb(temp.root);
    const taken = await runCli(temp.root, ['web', '--port', new URL(web.address).port]);
    expect(taken).toMatchObject({ exitCode: 1, stdout: '' });
    expect(taken.stderr).toMatch(/^holdfast: port \d+ is taken; name another.*\n$/);
    const none = await runCli(temp.root, ['web', '--port', 'http']);
    expect(none).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
