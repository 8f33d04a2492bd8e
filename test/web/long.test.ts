// A journal of a million stops: it opens, within the memory that a view may use, and the page stays small.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { fireHook, runCli } from '../support/hook.ts';
import { tempProject } from '../support/project.ts';
import { startWeb } from './command.ts';
import { openPage } from './pages.ts';
import { startBrowser } from './serve.ts';

const STOPS = 1_000_000;
const AT_ONCE = 10_000;
const SESSION = 'a-session';

it('a million stops', { timeout: 300_000 }, async () => {
  const temp = tempProject('long');
  try {
    const env = { CLAUDE_CODE_SESSION_ID: SESSION };
    expect(await runCli(temp.root, ['idle', 'loop', 'A task'], { env })).toMatchObject({
      exitCode: 0,
    });
    const held = await fireHook(temp.root, {
      session_id: SESSION,
      cwd: temp.root,
      last_assistant_message: 'no',
    });
    expect(held.answer?.decision).toBe('block');
    repeatLastStop(path.join(temp.root, '.holdfast/journal.jsonl'));

    const web = await startWeb(temp.root);
    const browser = await startBrowser();
    const { page, complaints, close } = await openPage(browser, web.address, { clock: false });
    await page.locator('.card a').click();
    await page.locator('#timeline .stop').first().waitFor();
    await page.getByRole('button', { name: 'Show older stops' }).click();
    await fireHook(temp.root, { session_id: SESSION, cwd: temp.root, last_assistant_message: 'no' });
    await expect.poll(() => page.locator('#timeline .stop').count()).toBeGreaterThan(1);
    expect(await page.locator('*').count()).toBeLessThan(3000);
    expect(web.megabytes()).toBeLessThan(300);
    expect(complaints).toEqual([]);
    await close();
    await browser.close();
  } finally {
    temp.remove();
  }
});

/** The same hold again and again, a minute apart, until now. */
function repeatLastStop(journal: string): void {
  const line =
    fs
      .readFileSync(journal, 'utf8')
      .trimEnd()
      .split('\n')
      .findLast((each) => each.includes('"event":"stop"')) ?? '';
  const { time: _, ...rest } = JSON.parse(line);
  const end = `,${JSON.stringify(rest).slice(1)}\n`;
  const now = Date.now();
  for (let done = 0; done < STOPS; done += AT_ONCE) {
    const lines = Array.from(
      { length: AT_ONCE },
      (_, at) => `{"time":"${new Date(now - (STOPS - done - at) * 60_000).toISOString()}"${end}`,
    );
    fs.appendFileSync(journal, lines.join(''));
  }
}
