// Crashes one stop at every step it takes, looks at what is left, and goes on: the run must end as it would
// have ended. The same for errors of the disk. Answers with what was wrong, so that a proof can want some.

import { isDeepStrictEqual } from 'node:util';
import type { Fired } from '../support/hook.ts';
import { Bench, SESSION, type Step } from './bench.ts';

export type Scenario = {
  /** `claudex:<id>` and the like, once it is prepared. */
  run(bench: Bench): string;
  /** Everything up to the moment before the stop. */
  prepare(bench: Bench): Promise<void>;
  /** More for the payload of the stop that is disturbed, and of the one after it. */
  payload?(bench: Bench): object;
  /** For the stop after it, where that is to say something else. */
  later?(bench: Bench): object;
  /** The run's state without times and ids; throws when it cannot be read. */
  view(bench: Bench): unknown;
  /** What a diligent agent does from here; answers with how the run ended. */
  carryOn(bench: Bench): Promise<unknown>;
  /** Reviews that must have run to their end, once each, when all is over. */
  reviewed?: readonly string[];
  /** What is wrong with what the disturbed stop said, where it lived to say it, beside what it left. */
  saw?(bench: Bench, fired: Fired): string[];
  /** Looks at what the disturbed stop left; what it answers with says what was wrong when the next stop is over. */
  watch?(bench: Bench, killed: boolean, where: string): () => string[];
};

export type Outcome = { problems: string[]; points: number; followed: number };

/** Where the scenario is prepared and disturbed with another build, the healthy one still says what is right. */
export type Under = {
  plugin?: string;
  firstOnly?: boolean;
  /** Only these kinds of steps are disturbed. */
  kinds?: readonly string[];
  /** Only the steps after the first one that is about this. */
  after?: string;
};

/** Kills the stop with -9 in the place of every step, and in the middle of every write. */
export async function crashEverywhere(scenario: Scenario, under: Under = {}): Promise<Outcome> {
  return disturb(scenario, under, (steps) =>
    steps.flatMap(({ number, kind, file }) => {
      const where = `${kind} ${file} (step ${number} of ${steps.length})`;
      const kill = { fault: `kill:${number}`, kind, where: `killed before ${where}`, killed: true };
      const torn = { fault: `torn:${number}`, kind, where: `killed in the middle of ${where}`, killed: true };
      if (!CHANGING.has(kind)) return [];
      return kind === 'write' ? [kill, torn] : [kill];
    }),
  );
}

/** Lets every step fail, each with the next of the errors that disks and kernels give. */
export async function failEverywhere(scenario: Scenario, under: Under = {}): Promise<Outcome> {
  return disturb(scenario, under, (steps) =>
    steps
      .filter(({ kind }) => kind !== 'line' && kind !== 'answer')
      .map(({ number, kind, file }, position) => {
        const codes = kind === 'open' || kind === 'read-verdict' ? READING : WRITING;
        const code = codes[position % codes.length] ?? 'EIO';
        const where = `${code} at ${kind} ${file} (step ${number})`;
        return { fault: `${code}:${number}`, kind, where, killed: false };
      }),
  );
}

const WRITING = ['ENOSPC', 'EACCES', 'EROFS', 'EIO', 'EMFILE'];
const READING = ['EIO', 'EMFILE'];

/** A death before a mere look, or before a sync, leaves what the death before the next change leaves. */
const CHANGING: ReadonlySet<string> = new Set([
  'make-folder',
  'create',
  'write',
  'set-mode',
  'truncate',
  'rename',
  'remove',
  'spawn',
  'read-verdict',
  'line',
  'answer',
]);

type Point = { fault: string; kind: string; where: string; killed: boolean };
const numberOf = ({ fault }: Point): number => Number(fault.split(':')[1]);

type Reference = {
  first: Fired;
  second: Fired;
  before: unknown;
  after: unknown;
  end: unknown;
  /** Had somebody moved the state before the stop, a command for one? */
  moved: boolean;
};

async function disturb(
  scenario: Scenario,
  { plugin, firstOnly = false, kinds, after }: Under,
  choose: (steps: readonly Step[]) => readonly Point[],
): Promise<Outcome> {
  const reference = await undisturbed(scenario);
  const bench = new Bench(plugin);
  const outcome: Outcome = { problems: [], points: 0, followed: 0 };
  const followed = new Set<string>();
  try {
    await scenario.prepare(bench);
    bench.remember();
    // As every disturbed stop will find it: a copy's folders are newer, which a stop may notice.
    bench.goBack();
    const { steps } = await bench.trace(() => bench.stop(scenario.payload?.(bench), 'trace'));
    const from = after === undefined ? 0 : steps.findIndex(({ file }) => file.endsWith(after)) + 1;
    for (const point of choose(steps)) {
      if (kinds?.includes(point.kind) === false || numberOf(point) <= from) continue;
      bench.goBack();
      outcome.points += 1;
      const found = await strike(scenario, bench, point, reference);
      const look = bench.look();
      const watched = scenario.watch?.(bench, point.killed, point.where);
      // What is left is often the same as one step earlier, and then goes on in the same way.
      if (found.length === 0 && !followed.has(look)) {
        followed.add(look);
        found.push(...(await goOn(scenario, bench, reference, watched)));
      }
      outcome.problems.push(...found.map((problem) => `${point.where}: ${problem}`));
      if (firstOnly && outcome.problems.length > 0) break;
    }
  } finally {
    bench.remove();
  }
  return { ...outcome, followed: followed.size };
}

/** With the build under test: the planted defects are in another. */
async function undisturbed(scenario: Scenario): Promise<Reference> {
  const bench = new Bench();
  try {
    await scenario.prepare(bench);
    bench.remember();
    const before = scenario.view(bench);
    const first = await bench.stop(scenario.payload?.(bench));
    const after = scenario.view(bench);
    const moved = wasMoved(bench);
    const second = await bench.stop((scenario.later ?? scenario.payload)?.(bench));
    bench.goBack();
    await bench.stop(scenario.payload?.(bench));
    const end = await scenario.carryOn(bench);
    return { first, second, before, after, end, moved };
  } finally {
    bench.remove();
  }
}

/** Disturbs the stop and looks at what is left. */
async function strike(scenario: Scenario, bench: Bench, point: Point, wanted: Reference): Promise<string[]> {
  const held = guardOf(scenario, bench);
  const { result: fired, steps } = await bench.trace(() =>
    bench.stop(scenario.payload?.(bench), point.fault).catch((error: Error) => error),
  );
  if (fired instanceof Error) return [`the answer is no JSON: ${fired.message}`];
  const problems = bench.brokenRecords();
  const struck = steps[numberOf(point) - 1]?.kind;
  if (struck !== point.kind) problems.push(`the step that was to be struck is now: ${struck}`);
  if (point.killed !== (fired.exitCode === null)) problems.push(`it ended with ${fired.exitCode}`);
  const seen = viewOf(scenario, bench);
  if (!point.killed)
    problems.push(...afterAnError(bench, fired, wanted, isDeepStrictEqual(seen, wanted.after)));
  if (!point.killed) problems.push(...(scenario.saw?.(bench, fired) ?? []));
  if (!isDeepStrictEqual(seen, wanted.before) && !isDeepStrictEqual(seen, wanted.after))
    problems.push(`the state is neither the old one nor the new one: ${JSON.stringify(seen)}`);
  if (fired.answer?.decision === 'block' && !isDeepStrictEqual(seen, wanted.after))
    problems.push('it held before it had written down why');
  const counted = guardOf(scenario, bench) - held;
  if (counted > 1) problems.push(`the guard counted ${counted} holds for one`);
  return problems;
}

/** The stop is allowed with a clear line, or it goes on and steps as it should; nothing half-written stays. */
function afterAnError(bench: Bench, fired: Fired, wanted: Reference, stepped: boolean): string[] {
  const problems = bench.temporaryFiles().map((file) => `${file} was left behind`);
  if (fired.exitCode !== 0) problems.push(`exit code ${fired.exitCode}: ${fired.stderr}`);
  // What only the agent was shown, such as the task's text, may be missing.
  const wentOn = fired.answer?.decision === wanted.first.answer?.decision && stepped;
  if (wentOn || isSame(fired, wanted.first)) return problems;
  if (fired.answer?.decision !== undefined) problems.push(`it held all the same: ${fired.stdout}`);
  if (!fired.answer?.systemMessage) problems.push(`it let go without a word: ${fired.stdout}${fired.stderr}`);
  return problems;
}

/** The next stop, and everything after it. */
async function goOn(
  scenario: Scenario,
  bench: Bench,
  wanted: Reference,
  watched: () => string[] = () => [],
): Promise<string[]> {
  const next = await bench.stop((scenario.later ?? scenario.payload)?.(bench)).catch((error) => error);
  if (next instanceof Error) return [`the next answer is no JSON: ${next.message}`];
  const problems = [...bench.brokenRecords(), ...watched()];
  // That a review had no verdict is said there, and is no failure of ours.
  const complaint = next.stderr.replace(
    /^Holdfast: \S+ the review into .+ ended without a verdict: .+\n/,
    '',
  );
  if (next.exitCode !== 0 || complaint !== '') problems.push(`the next stop failed: ${next.stderr}`);
  if (!isSame(next, wanted.first) && !isSame(next, wanted.second))
    problems.push(
      `the next stop answers ${next.stdout}, not ${wanted.first.stdout} or ${wanted.second.stdout}`,
    );
  if (
    isSame(next, wanted.first) &&
    !isSame(next, wanted.second) &&
    !isDeepStrictEqual(viewOf(scenario, bench), wanted.after)
  )
    problems.push(`the next stop is lost: ${JSON.stringify(viewOf(scenario, bench))}`);
  if (wasMoved(bench) && !wanted.moved)
    problems.push('the next stop took our own commit for somebody else’s');
  const end = await scenario.carryOn(bench).catch((error) => `no end: ${error.message}`);
  if (!isDeepStrictEqual(end, wanted.end))
    problems.push(`it ended with ${JSON.stringify(end)}, not ${JSON.stringify(wanted.end)}`);
  const ends = bench.reviews('end');
  for (const file of scenario.reviewed ?? [])
    if (ends.filter((other) => other === file).length !== 1)
      problems.push(`${file} was to be reviewed once: ${ends.join(', ')}`);
  return problems;
}

/** Same decision, same words; a notice that was written down as given may be missing. */
function isSame(one: Fired, other: Fired): boolean {
  const said = words(one.answer?.systemMessage);
  return (
    one.answer?.decision === other.answer?.decision &&
    words(one.answer?.reason) === words(other.answer?.reason) &&
    (said === '' || said === words(other.answer?.systemMessage))
  );
}

/**
 * Projects differ in their path, loops in their id, checks in their time. A trust is reported once, and what a check that
 * ended before a death said is taken from its receipt; what it printed may be unreadable, and then its log is named.
 */
function words(text: string | undefined): string {
  return (
    (text ?? '')
      .replace(/Holdfast: these commands were trusted here[^\n]*\n?/, '')
      .replace(/\b\d+(\.\d)? s\b/g, 'TIME')
      .replace('; from its receipt: nothing it depends on changed', '')
      .replace(/^Not done yet: .*/m, 'REFUSED')
      .replace(/\n {4}the code says \w+/, '')
      .replace(/^(Fix the cause|Change what makes it fail).*/m, 'MEND')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/, 'WHEN')
      .replace(/Elapsed: \d+ min/, 'ELAPSED')
      // It goes with the notes: a stop that dies before it holds takes it along, and the answer is still there to read.
      .replace(/^Your question \(.*\) was answered: .*\n\n/, '')
      // Two stops in one turn: that a dead one's task is said again in the next turn is shown in test/hook/short-holds.
      .replace(/The task:\n\nFix the parser\.|The task is as before\./, 'TASK')
      .replace(/\S*holdfast-test-\w+\/\w+/g, 'PROJECT')
      .replace(/\d{8}-\d{6}-[0-9a-f]{6}/g, 'LOOP')
      .replace(/'?\/\S*\/bin\/holdfast'?/g, 'CLI')
      .replace(/\b[a-z]+-\d+-\d+/g, 'RUN')
      .replace(/[0-9A-HJKMNP-TV-Z]{26}/g, 'ULID')
  );
}

function viewOf(scenario: Scenario, bench: Bench): unknown {
  try {
    return scenario.view(bench);
  } catch (error) {
    return `unreadable: ${error instanceof Error ? error.message : error}`;
  }
}

function guardOf(scenario: Scenario, bench: Bench): number {
  return bench.sidecar(scenario.run(bench))?.guard[SESSION]?.noProgress ?? 0;
}

/** Does the last stop's line say that somebody else moved the state? */
function wasMoved(bench: Bench): boolean {
  const guard = bench.journal().at(-1)?.guard as { movement?: { state?: boolean } } | null | undefined;
  return guard?.movement?.state === true;
}
