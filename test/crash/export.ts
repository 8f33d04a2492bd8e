// Kills an exporter with -9 at every step that it takes on the disk and with its collector, runs it again, and compares
// what the collector then has with the journal. Answers with what was wrong, so that a proof can want some.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { noteProject } from '../../src/store/projects.ts';
import { Collector, TAKES } from '../export/collector.ts';
import { end, review, start, stop } from '../export/lines.ts';
import { plugin as built, cleanEnvironment } from '../support/hook.ts';
import { Bench } from './bench.ts';

const FIRST = [start(0), stop(1), review(2)];
const SECOND = [stop(70), stop(80, 'allow'), end(80, 'completed')];

/** What a collector must have in the end, by the ids of what it got, and by the last of each sum. */
const WHOLE = { spans: 5, logs: 6, stops: 3, findings: 3, tokens: 1150, cost: 0.25, durations: 3, ended: 1 };

export type Wrong = { problems: string[]; points: number };

export async function killEverywhere(plugin?: string): Promise<Wrong> {
  const bench = new Bench(plugin);
  const collector = await Collector.open();
  const problems: string[] = [];
  const run = (fault?: string) => bench.person(['export', '--otlp', collector.url], fault);
  try {
    await prepare(bench, run);
    const first = [...collector.taken];
    bench.remember();
    bench.goBack();
    const { steps } = await bench.trace(() => run('trace'));
    const points = steps
      .filter(({ kind }) => !['open', 'sync'].includes(kind))
      .flatMap((step) =>
        step.kind === 'write'
          ? [
              { ...step, fault: 'kill' },
              { ...step, fault: 'torn' },
            ]
          : [{ ...step, fault: 'kill' }],
      );
    for (const { number, kind, file, fault } of points) {
      bench.goBack();
      collector.forget();
      collector.taken.push(...first);
      await run(`${fault}:${number}`);
      const again = await run();
      const wrong = again.exitCode === 0 ? compare(collector) : [`again, it fails: ${again.stderr}`];
      problems.push(
        ...wrong.map((each) => `${fault} at ${kind} ${path.basename(file)} (step ${number}): ${each}`),
      );
    }
    return { problems, points: points.length };
  } finally {
    await collector.close();
    bench.remove();
  }
}

/** In the middle of the n-th request: before the collector has taken it, after, and once its answer is out. */
export async function killWhileSending(plugin?: string): Promise<Wrong> {
  const bench = new Bench(plugin);
  const collector = await Collector.open();
  const problems: string[] = [];
  const run = () => bench.person(['export', '--otlp', collector.url]);
  let points = 0;
  try {
    await prepare(bench, run);
    const first = [...collector.taken];
    bench.remember();
    for (const number of [1, 2, 3])
      for (const moment of ['before', 'after', 'answered'] as const) {
        bench.goBack();
        collector.forget();
        collector.taken.push(...first);
        await killedAt(bench, collector, number, moment, plugin);
        collector.behaves = () => TAKES;
        const again = await run();
        const wrong = again.exitCode === 0 ? compare(collector) : [`again, it fails: ${again.stderr}`];
        problems.push(...wrong.map((each) => `killed ${moment} request ${number}: ${each}`));
        points += 1;
      }
    return { problems, points };
  } finally {
    await collector.close();
    bench.remove();
  }
}

/** A part is sent already, so that there is a cursor to go on from. */
async function prepare(
  bench: Bench,
  run: () => Promise<{ exitCode: number | null; stderr: string }>,
): Promise<void> {
  noteProject(cleanEnvironment(bench.root), bench.root);
  bench.project.write('.holdfast/journal.jsonl', asLines(FIRST));
  const { exitCode, stderr } = await run();
  if (exitCode !== 0) throw new Error(stderr);
  fs.appendFileSync(bench.at('.holdfast/journal.jsonl'), asLines(SECOND));
}

async function killedAt(
  bench: Bench,
  collector: Collector,
  number: number,
  moment: 'before' | 'after' | 'answered',
  plugin = built,
): Promise<void> {
  const env = cleanEnvironment(bench.root);
  const words = ['export', '--otlp', collector.url];
  const child = spawn(path.join(plugin, 'bin/holdfast'), words, { cwd: bench.root, env, stdio: 'ignore' });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  collector.behaves = async (request) => {
    if (collector.asked.length < number) return TAKES;
    if (moment === 'answered') {
      // The answer goes first, and the signal right behind it.
      setImmediate(() => child.kill('SIGKILL'));
      return TAKES;
    }
    child.kill('SIGKILL');
    await gone;
    if (moment === 'after') collector.taken.push(request);
    return 'drop';
  };
  await gone;
}

function compare(collector: Collector): string[] {
  const found = {
    ...collector.distinct,
    stops: collector.total('holdfast.stops'),
    findings: collector.total('holdfast.findings'),
    tokens: collector.total('holdfast.tokens'),
    cost: collector.total('holdfast.cost'),
    durations: collector.total('holdfast.stop.duration'),
    ended: collector.total('holdfast.runs.ended'),
  };
  const wrong = Object.entries(WHOLE).filter(([name, count]) => found[name as keyof typeof found] !== count);
  // A sum that ever goes down, or counts from another time, would be counted twice by whoever adds it up.
  const starts = new Set(collector.points.map(({ start }) => start));
  return [
    ...wrong.map(
      ([name, count]) =>
        `${count} ${name} in the journal, ${found[name as keyof typeof found]} at the collector`,
    ),
    ...(starts.size === 1 ? [] : ['the sums count from more than one time']),
    ...fallingSums(collector),
  ];
}

function fallingSums({ points }: Collector): string[] {
  const last = new Map<string, number>();
  return points.flatMap(({ metric, attributes, value }) => {
    const key = JSON.stringify([metric, attributes]);
    const before = last.get(key) ?? 0;
    last.set(key, value);
    return value < before ? [`${metric} fell from ${before} to ${value}`] : [];
  });
}

const asLines = (lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');
