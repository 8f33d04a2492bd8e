// Claudex's stops for the crash suite: every row of a plan loop, and a review of a diff.

import fs from 'node:fs';
import type { Bench } from './bench.ts';
import type { Scenario } from './scenario.ts';

const FOLDER = '.claude/claudex';

export async function startPlan(bench: Bench, rounds = 2): Promise<void> {
  const args = ['claudex', 'plan', '--rounds', String(rounds)];
  const ran = await bench.holdfast(args, { stdin: 'a cache' });
  if (ran.exitCode !== 0) throw new Error(ran.stderr);
}

export function loopIds(bench: Bench): string[] {
  if (!fs.existsSync(bench.at(FOLDER))) return [];
  const names = fs.readdirSync(bench.at(FOLDER)).filter((name) => /^\d.*\.state$/.test(name));
  return names.map((name) => name.replace('.state', ''));
}

export function fields(bench: Bench, id = loopIds(bench)[0]): Record<string, string> {
  const lines = bench.project.read(`${FOLDER}/${id}.state`).split('\n');
  const pairs = lines.flatMap((line) => {
    const [, name, value] = /^([a-z_]+): ?(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(pairs);
}

export function draft(bench: Bench): void {
  bench.project.write('PLAN.md', '# Plan\n\nA cache.\n');
}

export const shared = {
  run: (bench: Bench) => `claudex:${loopIds(bench)[0]}`,
  view(bench: Bench) {
    const { mode, phase, round, decision_signal: signal, topic, max_rounds: max } = fields(bench);
    // The last line of the file must be there too.
    return { mode, phase, round, signal, topic, max, names: Object.keys(fields(bench)) };
  },
  async carryOn(bench: Bench) {
    for (let stops = 0; stops < 6; stops++) {
      if (fields(bench).phase === 'done') return { phase: 'done', files: left(bench) };
      draft(bench);
      await bench.stop();
    }
    throw new Error(`the loop never ends: ${JSON.stringify(fields(bench))}`);
  },
} satisfies Partial<Scenario>;

/** What a finished loop leaves: no runner, no lock. */
function left(bench: Bench): string[] {
  const names = fs.readdirSync(bench.at(FOLDER)).filter((name) => !name.startsWith('.'));
  return names.map((name) => name.replace(/\d{8}-\d{6}-[0-9a-f]{6}/, 'LOOP'));
}

/** Nothing is drafted yet: held without a change. */
export const drafting: Scenario = { ...shared, prepare: (bench) => startPlan(bench) };

/** The draft is there: the first round begins, with its runner. */
export const firstRound: Scenario = {
  ...shared,
  async prepare(bench) {
    await startPlan(bench);
    await bench.stop();
    draft(bench);
  },
};

export const nextRound: Scenario = {
  ...shared,
  async prepare(bench) {
    await startPlan(bench);
    draft(bench);
    await bench.stop();
  },
};

/** The rounds are used up. */
export const lastRound: Scenario = {
  ...shared,
  async prepare(bench) {
    await startPlan(bench, 1);
    draft(bench);
    await bench.stop();
  },
};

/** The agent said that nothing material is left. */
export const declaredDone: Scenario = {
  ...shared,
  async prepare(bench) {
    await startPlan(bench);
    draft(bench);
    await bench.stop();
    await bench.holdfast(['claudex', 'done', loopIds(bench)[0] ?? '']);
  },
};

/** The summary was given: the loop is done. */
export const summary: Scenario = {
  ...shared,
  async prepare(bench) {
    await lastRound.prepare(bench);
    await bench.stop();
  },
};

/** Three holds without progress: the guard lets go. */
export const released: Scenario = {
  ...shared,
  async prepare(bench) {
    await startPlan(bench);
    bench.project.write('transcript.jsonl', '{"uuid":"u1","type":"user","message":{"content":"go"}}\n');
    for (let stops = 0; stops < 3; stops++) await bench.stop(transcriptOf(bench));
  },
  payload: transcriptOf,
};

function transcriptOf(bench: Bench): object {
  return { transcript_path: bench.at('transcript.jsonl') };
}

/** The review of a diff: one hold, then over. */
export const diffReview: Scenario = {
  ...shared,
  async prepare(bench) {
    const ran = await bench.holdfast(['claudex', 'review'], { stdin: 'HEAD' });
    if (ran.exitCode !== 0) throw new Error(ran.stderr);
  },
  async carryOn(bench) {
    await bench.stop();
    await bench.stop();
    return { phase: fields(bench).phase, files: left(bench) };
  },
};
