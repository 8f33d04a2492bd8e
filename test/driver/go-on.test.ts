// `holdfast run` at its edges: a budget that cannot be read starts nothing, and `--continue` has the run to itself from
// its first change to its end.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Ran, runCli } from '../support/hook.ts';
import { type Action, type Stage, stageWith } from './stage.ts';

const DONE: Action = { do: 'done' };
const LAYER = path.resolve(import.meta.dirname, '../crash/fault.cjs');

let stage: Stage;

afterEach(() => {
  expect(stage.linesOf('violations')).toEqual([]);
  stage.remove();
});

const holdfast = (args: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  runCli(stage.project.root, args, { env: { ...stage.env, ...env } });

describe('a budget that cannot be read', () => {
  it('in the user’s own file is one line, and nothing is started', async () => {
    stage = await stageWith([DONE]);
    const file = path.join(stage.project.home, '.config/holdfast/holdfast.config.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify({ budget: { tokens: 'lots' } }));
    for (const words of [
      ['idle', 'loop', 'Do it'],
      ['taskie', 'Build it'],
    ]) {
      const ran = await holdfast(['run', ...words]);
      expect({ ...ran, stderr: ran.stderr.trimEnd().split('\n') }).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: [
          expect.stringMatching(
            /^holdfast: nothing is started before your budget can be read; put this right: .*holdfast\.config\.json.*budget\.tokens/,
          ),
        ],
      });
    }
    expect(stage.starts()).toEqual([]);
    expect(stage.project.exists('.holdfast')).toBe(false);
  });
});

describe('run --continue', () => {
  it('has the run to itself from what it grants to its end', async () => {
    stage = await stageWith([{ do: 'unheld' }, { do: 'work' }, { do: 'work' }]);
    expect((await holdfast(['run', '--usd', '0.01', 'idle', 'loop', 'Do it'])).exitCode).toBe(7);
    stage.write([{ do: 'unheld' }, { do: 'work' }, { do: 'work' }, DONE]);
    const trace = path.join(path.dirname(stage.project.root), 'trace');
    const layer = {
      NODE_OPTIONS: `--require ${LAYER}`,
      HOLDFAST_FAULT: 'trace',
      HOLDFAST_FAULT_TRACE: trace,
    };
    expect((await holdfast(['run', '--continue', '--usd', '5'], layer)).exitCode).toBe(0);
    const steps = stage.linesOf('trace');
    const granted = steps.findIndex((step) => /^rename .*\/budgets\//.test(step));
    const locked = steps.flatMap((step, at) => (/^(?:open|create) .*driver-\w+\.lock$/.test(step) ? at : []));
    expect(granted).toBeGreaterThan(0);
    expect(locked.length).toBeGreaterThan(0);
    // Opened before, and not once more after it.
    expect(locked.filter((at) => at > granted)).toEqual([]);
  });
});
