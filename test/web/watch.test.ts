// The terminal view over a live loop: at any size, with its keys, without colour, and as plain lines.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { cleanEnvironment, fireHook, plugin, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { openWatch, type Screen } from './terminal.ts';

const SESSION = 'a-session';
const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 200, rows: 60 },
  { columns: 40, rows: 12 },
];

let temp: TempProject;
beforeEach(() => {
  temp = tempProject('shop');
});
afterEach(() => temp.remove());

const stop = (message = 'not yet') =>
  fireHook(temp.root, { session_id: SESSION, cwd: temp.root, last_assistant_message: message });

async function done(...args: readonly string[]): Promise<string> {
  const ran = await runCli(temp.root, args, { env: { CLAUDE_CODE_SESSION_ID: SESSION } });
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
  return ran.stdout;
}

async function onlyRun(): Promise<{ run: string; live: boolean; stage: string }> {
  const [run] = JSON.parse(await done('status', '--json')).runs;
  return run;
}

/** No row is wider than the window, and the keys stand at the bottom. */
function isWhole(screen: Screen, { columns, rows }: { columns: number; rows: number }): void {
  const lines = screen.text().split('\n');
  expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(columns);
  expect(lines[0]).toMatch(/^Holdfast/);
  expect(
    lines
      .slice(0, rows)
      .filter((line) => line.trim() !== '')
      .at(-1),
  ).toMatch(/^↑↓ /);
}

describe('over a live loop', () => {
  test.each(SIZES)(
    '$columns × $rows: it says what `status --json` says, before and after a stop',
    async (size) => {
      await done('idle', 'loop', 'Make the tests pass');
      expect((await stop()).answer?.decision).toBe('block');
      const screen = openWatch(temp.root, size);
      const { run, stage } = await onlyRun();
      await screen.shows(size.columns < 50 ? run.slice(0, 30) : run);
      if (size.columns >= 50) await screen.shows(stage);
      await screen.shows(/held {4,}No completion/);
      isWhole(screen, size);

      await stop('still not');
      await expect.poll(() => screen.text().match(/ held /g)?.length).toBe(2);
      if (size.columns >= 50) await screen.shows((await onlyRun()).stage);
      isWhole(screen, size);

      await stop('<loop-done>COMPLETE</loop-done>');
      await screen.shows('1 ended');
      expect((await onlyRun()).live).toBe(false);
      await screen.shows(/ allowed /);
    },
  );

  it('is drawn again for a window of another size', async () => {
    await done('idle', 'loop', 'Make the tests pass');
    await stop();
    const screen = openWatch(temp.root);
    await screen.shows(/ held /);
    for (const size of [...SIZES, { columns: 60, rows: 8 }, { columns: 120, rows: 30 }]) {
      screen.resize(size.columns, size.rows);
      await expect.poll(() => widest(screen)).toBeLessThanOrEqual(size.columns);
      await screen.shows(/^Holdfast/);
      await screen.shows('↑↓');
      await expect.poll(() => screen.text().match(/Holdfast /g)?.length).toBe(1);
    }
  });

  it('rings the bell when somebody is needed, once', async () => {
    await done('idle', 'loop', 'Make the tests pass');
    await stop();
    const screen = openWatch(temp.root);
    await screen.shows(/ held /);
    expect(screen.bells()).toBe(0);
    await done('ask', 'Which of the two is right?');
    await stop();
    await screen.shows('1 needs you');
    await screen.shows('Which of the two is right?');
    await expect.poll(() => screen.bells()).toBe(1);
  });
});

describe('keys', () => {
  it('enter shows more, c asks and cancels, q ends with the screen as it was', async () => {
    await done('idle', 'loop', 'Make the tests pass');
    await stop();
    const screen = openWatch(temp.root);
    await screen.shows(/ held /);
    screen.press('Enter');
    await screen.shows('enter all runs');
    screen.press('Escape');
    await screen.shows('enter more');
    screen.press('c');
    await screen.shows('? y / n');
    screen.press('n');
    await screen.shows('enter more');
    expect((await onlyRun()).live).toBe(true);
    screen.press('c');
    await screen.shows('? y / n');
    screen.press('y');
    await screen.shows('1 ended');
    expect((await onlyRun()).live).toBe(false);
    expect((await stop()).answer?.decision).toBeUndefined();
    screen.press('q');
    await expect.poll(() => screen.text()).not.toContain('Holdfast');
    await expect.poll(() => isRunning(screen.pid)).toBe(false);
  });

  it.each(['c', 'd'])('%s changes nothing in an agent’s shell', async (key) => {
    await done('idle', 'loop', 'Make the tests pass');
    const screen = openWatch(temp.root, { env: { CLAUDE_CODE_SESSION_ID: SESSION } });
    await screen.shows('1 running');
    screen.press(key);
    await screen.shows('In an agent’s shell');
    expect((await onlyRun()).live).toBe(true);
  });

  it('arrows choose among the runs of all projects', async () => {
    await done('idle', 'loop', 'Make the tests pass');
    await stop();
    await done('claudex', 'plan', 'A cache');
    const screen = openWatch(temp.root, { args: ['--all'] });
    await screen.shows('A cache');
    const first = chosen(screen);
    screen.press('Down');
    await expect.poll(() => chosen(screen)).not.toBe(first);
    screen.press('Up');
    await expect.poll(() => chosen(screen)).toBe(first);
  });

  it('o serves the page and says where, when nothing can open it', async () => {
    await done('idle', 'loop', 'Make the tests pass');
    const screen = openWatch(temp.root, {
      columns: 160,
      env: { PATH: '/nonexistent' },
    });
    await screen.shows('1 running');
    screen.press('o');
    await screen.shows(/Open http:\/\/127\.0\.0\.1:\d+\/#token=/);
    const [, address] = /Open (http:\S+)/.exec(screen.text()) ?? [];
    const response = await fetch(address ?? '');
    expect(response.status).toBe(200);
    screen.press('q');
    await expect.poll(() => isRunning(screen.pid)).toBe(false);
  });
});

describe('without colour, and without a terminal', () => {
  it('there is colour', async () => {
    await done('idle', 'loop', 'Make the tests pass');
    await stop();
    const coloured = openWatch(temp.root);
    await coloured.shows(/ held /);
    expect(coloured.painted()).toMatch(COLOUR);
    coloured.press('q');
    await expect.poll(() => isRunning(coloured.pid)).toBe(false);
  });

  it('NO_COLOR leaves it out', async () => {
    await done('idle', 'loop', 'Make the tests pass');
    await stop();
    const plain = openWatch(temp.root, { env: { NO_COLOR: '1' } });
    await plain.shows(/ held /);
    expect(plain.painted()).not.toMatch(COLOUR);
  });

  it('plain lines, one for each change, and nothing that steers a terminal', async () => {
    await done('idle', 'loop', 'Make \u001b[2Jthe tests pass');
    const child = spawn(path.join(plugin, 'bin', 'holdfast'), ['watch'], {
      cwd: temp.root,
      env: cleanEnvironment(temp.root),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    try {
      await expect.poll(() => printed).toMatch(/idle:loop-\S+ \(shop\) {2}loop, iteration/);
      await stop();
      await expect.poll(() => printed).toMatch(/ {2}held: No completion signal/);
      expect(printed).not.toContain('\u001b');
    } finally {
      child.kill('SIGINT');
    }
    expect(await ended).toBe(0);
  });

  it('a dumb terminal gets the plain lines, and is not drawn on', async () => {
    await done('idle', 'loop', 'Make the tests pass');
    const screen = openWatch(temp.root, { columns: 160, env: { TERM: 'dumb' } });
    await screen.shows(/^\d{4}-\d\d-\d\d [\d:]{8} {2}idle:loop-\S+ \(shop\) {2}loop, iteration/);
    await stop();
    await screen.shows('held: No completion');
    expect(screen.text()).not.toContain('↑↓');
    screen.press('C-c');
    await expect.poll(() => isRunning(screen.pid)).toBe(false);
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours begin with.
const COLOUR = /\u001b\[(?:\d+;)*(?:3[0-7]|9[0-7]|38;5;\d+)(?:;\d+)*m/;

function widest(screen: Screen): number {
  return Math.max(
    ...screen
      .text()
      .split('\n')
      .map((line) => [...line].length),
  );
}

function chosen(screen: Screen): string {
  return (
    screen
      .text()
      .split('\n')
      .find((line) => line.startsWith('▸')) ?? ''
  );
}

/** A process that ended and was not waited for is none. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
