import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ID,
  NOW,
  projectAt,
  putLoop,
  tempFolder,
  writeAt,
} from '../../../../test/fixtures/claudex/project.ts';
import type { Call } from '../../../engine/workflow-cli.ts';
import { shown } from '../files.ts';
import { countFindings, describeCounts } from '../findings.ts';
import { wait } from './wait.ts';

let root: string;
beforeEach(() => {
  root = tempFolder();
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
  fs.rmSync(root, { recursive: true, force: true });
});

function call(printed: string[]): Call {
  const project = projectAt(root);
  return {
    flags: {},
    words: [ID],
    env: {},
    cwd: root,
    now: NOW,
    stdin: () => '',
    print: (line) => printed.push(line),
    existing: () => Promise.resolve(project),
    forNewRun: () => Promise.resolve(project),
  };
}

describe('waiting for a review', () => {
  it('gives up after 100 s with 75, and shows how far the review is', async () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing' });
    writeAt(files.output(1), 'codex: reading\ncodex: \u001b[1mthinking\u001b[0m\n');
    const printed: string[] = [];
    const waiting = wait.run(call(printed));
    for (let second = 0; second < 102; second++) {
      writeAt(files.heartbeat, '1\n', Date.now());
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(await waiting).toBe(75);
    expect(printed[0]).toBe('Round 1 is running (10 s). codex:  [1mthinking [0m');
    expect(printed.at(-1)).toContain('still runs after 100 s');
    expect(printed).toHaveLength(11);
  });

  it('says when the runner died without an exit code', async () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing' });
    writeAt(files.heartbeat, '1\n', Date.now());
    const waiting = expect(wait.run(call([]))).rejects.toThrow('died without leaving an exit code');
    await vi.advanceTimersByTimeAsync(12_000);
    await waiting;
  });

  it.each([
    ['drafting', 'is drafting, so no review was started. Write PLAN.md and end your turn'],
    ['reviewing', 'is in the phase reviewing, and no reviewer was handed over yet. End your turn'],
    ['summarizing', 'is in the phase summarizing, and no reviewer was handed over yet. End your turn'],
    ['done', 'is over (done), so there is nothing to wait for'],
    ['cancelled', 'is over (cancelled), so there is nothing to wait for'],
  ])('names no script that is not there: a loop that is %s', async (phase, said) => {
    const { files } = putLoop(projectAt(root), { phase });
    const refused = Promise.resolve(wait.run(call([]))).catch((error: unknown) => String(error));
    await vi.advanceTimersByTimeAsync(4000);
    expect(await refused).toContain(said);
    expect(await refused).not.toContain(files.runner);
  });

  it('names the script that is there but does not run', async () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing' });
    writeAt(files.runner, '#!/bin/sh\n');
    const waiting = expect(wait.run(call([]))).rejects.toThrow(`Start it: sh ${files.runner}`);
    await vi.advanceTimersByTimeAsync(4000);
    await waiting;
  });

  it.each([
    [{ phase: 'reviewing' }, '## High\n- x\n\n## Low\n- y\n', 3],
    [{ phase: 'reviewing' }, null, 0],
    [{ mode: 'review', phase: 'done' }, '## Medium\n- x\n', 0],
    [{ mode: 'review', phase: 'done' }, null, 1],
  ])('ends as the reviewer did, with what it found: %j, %j', async (fields, text, code) => {
    const { dir, files } = putLoop(projectAt(root), fields as Record<string, string>);
    const findings = 'mode' in fields ? files.review : files.findings(1);
    if (text !== null) writeAt(findings, text);
    writeAt(files.exit(1), `${code}\n`);
    const printed: string[] = [];
    expect(await wait.run(call(printed))).toBe(code);
    const counts = text === null ? null : countFindings(text);
    const found = counts === null ? 'it was not written' : describeCounts(counts);
    expect(printed).toEqual([`The reviewer ended with exit code ${code}. ${shown(dir, findings)}: ${found}`]);
  });

  it.each([true, false])(
    'says how a dead runner is run again, its script being there: %s',
    async (isThere) => {
      const { files } = putLoop(projectAt(root), { phase: 'reviewing' });
      if (isThere) writeAt(files.runner, '#!/bin/sh\n');
      writeAt(files.heartbeat, '1\n', Date.now());
      const next = isThere
        ? `Run it again: sh ${files.runner}`
        : 'Its script is gone: end your turn, and you are told what comes next.';
      const waiting = expect(wait.run(call([]))).rejects.toThrow(
        `claudex wait: the runner of round 1 died without leaving an exit code. ${next}`,
      );
      await vi.advanceTimersByTimeAsync(12_000);
      await waiting;
    },
  );

  it('finds a runner that begins just after it', async () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing' });
    const waiting = wait.run(call([]));
    await vi.advanceTimersByTimeAsync(1000);
    writeAt(files.heartbeat, '1\n', Date.now());
    await vi.advanceTimersByTimeAsync(4000);
    fs.rmSync(files.heartbeat);
    writeAt(files.exit(1), '0\n');
    await vi.advanceTimersByTimeAsync(1000);
    expect(await waiting).toBe(0);
  });
});
