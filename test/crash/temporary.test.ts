// A temp file that kill -9 left is gone after a later start; one that somebody may still be writing is not.

import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Bench } from './bench.ts';
import { ownPlan } from './taskie.ts';

type Starting = { prepare(bench: Bench): Promise<unknown>; start: readonly string[] };

const starts: Readonly<Record<string, Starting>> = {
  'claudex plan': { prepare: async () => {}, start: ['claudex', 'plan', 'a topic'] },
  'idle loop': { prepare: async () => {}, start: ['idle', 'loop', 'a task'] },
  'taskie record': {
    prepare: (bench) =>
      ownPlan(bench, { phase: 'plan-review', next_phase: 'create-tasks', phase_iteration: 2 }),
    start: ['taskie', 'record', 'create-tasks'],
  },
};

function makeOld(files: readonly string[]): void {
  const twoHoursAgo = Date.now() / 1000 - 2 * 3600;
  for (const file of files) fs.utimesSync(file, twoHoursAgo, twoHoursAgo);
}

test.each(Object.entries(starts))(
  '%s, killed in the middle of each of its writes, leaves nothing after a later start',
  async (_, { prepare, start }) => {
    const bench = new Bench();
    try {
      await prepare(bench);
      bench.remember();
      bench.goBack();
      const { steps } = await bench.trace(() => bench.holdfast(start, {}, 'trace'));
      const writes = steps.filter(({ kind, file }) => kind === 'write' && file.endsWith('.tmp'));
      expect(writes.length).toBeGreaterThan(1);
      for (const { number, file } of writes) {
        bench.goBack();
        expect((await bench.holdfast(start, {}, `torn:${number}`)).exitCode).toBeNull();
        const left = bench.temporaryFiles();
        expect({ file, left: left.length }).toEqual({ file, left: expect.toSatisfy((count) => count > 0) });
        await bench.holdfast(start);
        expect(bench.temporaryFiles()).toEqual(left);
        makeOld(left);
        await bench.holdfast(start);
        expect(bench.temporaryFiles()).toEqual([]);
      }
    } finally {
      bench.remove();
    }
  },
);

test.each([
  ['claudex', ['claudex', 'plan', 'a topic']],
  ['idle', ['idle', 'loop', 'a task']],
])(
  'what a stop of %s left, killed in the middle of its writes, is gone after a later start',
  async (_, start) => {
    const bench = new Bench();
    try {
      await bench.holdfast(start);
      bench.project.write('PLAN.md', '# A plan\n');
      bench.remember();
      const { steps } = await bench.trace(() => bench.stop({}, 'trace'));
      const writes = steps.filter(({ kind, file }) => kind === 'write' && file.endsWith('.tmp'));
      expect(writes.length).toBeGreaterThan(0);
      for (const { number } of writes) {
        bench.goBack();
        await bench.stop({}, `torn:${number}`);
        const left = bench.temporaryFiles();
        expect(left.length).toBeGreaterThan(0);
        makeOld(left);
        await bench.stop();
        expect(bench.temporaryFiles()).toEqual(left);
        await bench.holdfast(start);
        expect(bench.temporaryFiles()).toEqual([]);
      }
    } finally {
      bench.remove();
    }
  },
);

test('a ticket that was half written in a plain terminal is gone after a later start there', async () => {
  const bench = new Bench();
  try {
    const alone = { env: { CLAUDE_CODE_SESSION_ID: '' } };
    // Once before, so that no folder is to be made any more.
    await bench.holdfast(['idle', 'loop', 'a task'], alone);
    bench.remember();
    bench.goBack();
    const { steps } = await bench.trace(() => bench.holdfast(['idle', 'loop', 'a task'], alone, 'trace'));
    bench.goBack();
    const ticket = steps.find(({ kind, file }) => kind === 'write' && file.includes('next-session'));
    await bench.holdfast(['idle', 'loop', 'a task'], alone, `torn:${ticket?.number}`);
    const left = bench.temporaryFiles();
    expect(left.map((file) => path.basename(path.dirname(file)))).toEqual(['next-session']);
    makeOld(left);
    await bench.holdfast(['idle', 'loop', 'a task'], alone);
    expect(bench.temporaryFiles()).toEqual([]);
  } finally {
    bench.remove();
  }
});
