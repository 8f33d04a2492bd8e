// Times whole processes as a client would see them: spawn to exit, payload on stdin. Cases are interleaved in
// one run, because the machine's mood changes from minute to minute; only ratios within a run mean anything.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** { name: { command, args, cwd, env, input, before } } → { name: { median, low, high, runs } } in milliseconds. */
export function measure(cases, { rounds = 40, warmUp = 5 } = {}) {
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, each] of shuffled(Object.entries(cases), round)) {
      const took = once(name, each, round);
      if (round >= 0) times[name].push(took);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, summary(list)]));
}

/** Peak resident memory in kilobytes, median of five, as the process itself saw it at its end. */
export function peakMemory(each) {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-')), 'peak');
  const probe = path.join(import.meta.dirname, 'peak-memory.cjs');
  const env = { ...each.env, NODE_OPTIONS: `--require ${JSON.stringify(probe)}`, HOLDFAST_BENCH_PEAK: file };
  const peaks = [];
  for (let round = 0; round < 5; round++) {
    each.before?.(round);
    run({ ...each, env });
    peaks.push(Number(fs.readFileSync(file, 'utf8')));
  }
  fs.rmSync(path.dirname(file), { recursive: true });
  return summary(peaks).median;
}

function once(name, each, round) {
  each.before?.(round);
  if (each.before) settle(each.cwd);
  const begin = process.hrtime.bigint();
  const result = run(each);
  const took = Number(process.hrtime.bigint() - begin) / 1e6;
  each.after?.(result, name);
  return took;
}

/** What was written to prepare a round goes to disk before the clock starts: a stop's own syncs would wait for it. */
function settle(folder) {
  const descriptor = fs.openSync(folder, 'r');
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}

function run({ command, args = [], cwd, env, input = '' }) {
  const result = spawnSync(command, args, { cwd, env, input, timeout: 30_000, encoding: 'utf8' });
  // A launcher that has nothing to do leaves its input unread and is gone before it was written.
  if (result.error && result.error.code !== 'EPIPE') throw result.error;
  return result;
}

function summary(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return { median: at(0.5), low: at(0.1), high: at(0.9), runs: sorted.length };
}

/** Another order each round, the same in every run: no case always comes after the same neighbour. */
function shuffled(list, seed) {
  let state = (seed + 100) * 2654435761;
  const random = () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 12345) >>> 0;
    return state / 2 ** 32;
  };
  return list
    .map((item) => [random(), item])
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
