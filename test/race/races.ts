// Many processes at one project: stops, commands and hands at the same time. Each race answers with what was
// wrong afterwards, so that a proof can want something. No clocks: what must hold, holds however they interleave.

import fs from 'node:fs';
import { journalFromEnd } from '../../src/store/journal.ts';
import { Bench, SESSION } from '../crash/bench.ts';
import { fields, loopIds, startPlan } from '../crash/claudex.ts';
import { kept } from '../crash/docket.ts';
import { bodies, startLoop } from '../crash/idle.ts';
import { ownPlan, planState } from '../crash/taskie.ts';
import type { Fired } from '../support/hook.ts';
import { marks, marksIn } from '../support/marks.ts';

export type Race = (plugin?: string, fault?: string) => Promise<string[]>;

/** No session: the hook fired by hand, which no guard counts. */
const BY_HAND = { session_id: undefined };
const PLAN = '.taskie/plans/my-plan';

/** Sixteen at once, three stops each, on one loop: every hold is one iteration and every iteration one hold. */
export const oneLoop: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startLoop(bench, 1000);
    const fired = (await Promise.all(times(16, () => inARow(3, () => bench.stop(BY_HAND, fault))))).flat();
    return [...unanswered(fired), ...sameSteps(bench, fired, 0)];
  });

/** The same while some are killed in the middle: what died may have stepped, but never twice and never half. */
export const withDeaths: Race = async (plugin) =>
  at(plugin, async (bench) => {
    await startLoop(bench, 1000);
    const faults = [undefined, 'kill:9', undefined, 'torn:20', undefined, 'kill:19', undefined, 'kill:23'];
    const fired = await Promise.all(
      faults.map((fault) => inARow(4, () => bench.stop(BY_HAND, fault).catch(() => null))),
    );
    const lived = fired.filter((_, position) => faults[position] === undefined).flat();
    const answered = lived.filter((each) => each !== null);
    return [
      ...(answered.length === lived.length ? [] : ['an answer is no JSON']),
      ...unanswered(answered),
      ...sameSteps(bench, answered, 16),
    ];
  });

/** Ten stops without progress at once: three are held, and the user is told once. */
export const oneGuard: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startPlan(bench);
    const line = { uuid: 'u1', type: 'user', message: { content: 'go' } };
    const transcript = bench.project.write('transcript.jsonl', `${JSON.stringify(line)}\n`);
    const fired = await Promise.all(times(10, () => bench.stop({ transcript_path: transcript }, fault)));
    const holds = fired.filter(isHold).length;
    const counted = bench.sidecar(`claudex:${loopIds(bench)[0]}`)?.guard[SESSION]?.noTools;
    return [
      ...unanswered(fired),
      ...(holds <= 3 && (holds === 3 || fired.some(isBusy)) ? [] : [`${holds} holds, not 3`]),
      ...(counted === holds ? [] : [`${holds} holds, but ${counted} counted`]),
    ];
  });

/** Six stops at once where a review is due, and again after its answer: each number is reviewed once. */
export const oneReview: Race = async (plugin) =>
  at(plugin, async (bench) => {
    await ownPlan(bench);
    bench.reviewers('gated');
    const first = await stopsAroundAReview(bench, 1);
    const afterFirst = planState(bench).phase_iteration;
    bench.project.write(`${PLAN}/plan-post-review-1.md`, '# Answer\n');
    const second = await stopsAroundAReview(bench, 2);
    const begun = bench.reviews('begin');
    const wanted = ['plan-review-1.md', 'plan-review-2.md'];
    return [
      ...unanswered([...first, ...second]),
      ...(begun.join() === wanted.join() ? [] : [`reviews begun: ${begun.join(', ')}`]),
      ...(afterFirst === 1 && planState(bench).phase_iteration === 2 ? [] : ['the reviews were not counted']),
    ];
  });

/** The same where the reviewer lists what it found: every finding is in the docket once. */
export const oneDocket: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await ownPlan(bench);
    bench.reviewers('gated-listed');
    await stopsAroundAReview(bench, 1, fault);
    bench.project.write(`${PLAN}/plan-post-review-1.md`, 'F1 fixed: renamed\n');
    await stopsAroundAReview(bench, 2, fault);
    const found = kept(bench, PLAN).map(({ id, review, status }) => `${id} ${review} ${status}`);
    const wanted = [
      ...['F1 plan-review-1.md fixed', 'F2 plan-review-1.md open'],
      ...['F3 plan-review-2.md open', 'F4 plan-review-2.md open'],
    ];
    return found.join() === wanted.join() ? [] : [`in the docket: ${found.join(', ')}`];
  });

/** Six at once; the reviewer goes on when all others have their answer, or when there is a second one. */
async function stopsAroundAReview(bench: Bench, reviews: number, fault?: string): Promise<Fired[]> {
  bench.gate(false);
  let answered = 0;
  const stops = times(6, async () => {
    const fired = await bench.stop({}, fault);
    answered += 1;
    return fired;
  });
  await until(() => answered >= 5 || bench.reviews('begin').length > reviews);
  bench.gate(true);
  return Promise.all(stops);
}

/** A person edits the state while a review runs: the edit stands, and no verdict is laid over it. */
export const editDuringReview: Race = async (plugin) =>
  at(plugin, async (bench) => {
    await ownPlan(bench);
    bench.reviewers('gated');
    const stops = Promise.all(times(3, () => bench.stop()));
    await until(() => bench.reviews('begin').length > 0);
    const edited = { ...planState(bench), next_phase: null };
    bench.project.write(`${PLAN}/state.json`, JSON.stringify(edited, null, 2));
    bench.gate(true);
    const fired = await stops;
    const left = planState(bench);
    return [
      ...unanswered(fired),
      ...(left.next_phase === null && left.phase_iteration === 0
        ? []
        : [`not the edit: ${JSON.stringify(left)}`]),
    ];
  });

/** Six starts at once, each of another session: one wins, and there is one loop. */
export const oneStart: Race = async (plugin) =>
  at(plugin, async (bench) => {
    const ran = await Promise.all(
      times(6, (each) =>
        bench.holdfast(['claudex', 'plan'], {
          stdin: 'a cache',
          env: { CLAUDE_CODE_SESSION_ID: `s${each}` },
        }),
      ),
    );
    const won = ran.filter(({ exitCode }) => exitCode === 0).length;
    const refused = ran.filter(
      ({ exitCode, stderr }) => exitCode === 1 && stderr.includes('is still going'),
    ).length;
    return won === 1 && refused === 5 && loopIds(bench).length === 1
      ? []
      : [`${won} won, ${refused} were refused, ${loopIds(bench).length} loops`];
  });

/** Stops, `done` and `cancel` at once: what a command said is done is not undone by a stop. */
export const commandsAmongStops: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startPlan(bench, 50);
    bench.project.write('PLAN.md', '# Plan\n');
    await bench.stop();
    const id = loopIds(bench)[0] ?? '';
    const stops = Promise.all(times(4, () => inARow(2, () => bench.stop(BY_HAND, fault))));
    const done = await bench.holdfast(['claudex', 'done', id], {}, fault);
    const signal = fields(bench, id).decision_signal;
    const cancelled = await bench.holdfast(['claudex', 'cancel', id], {}, fault);
    const fired = (await stops).flat();
    const { phase } = fields(bench, id);
    const isOver = phase === 'cancelled' || phase === 'done';
    return [
      ...unanswered(fired),
      ...(done.exitCode !== 0 || signal === 'no-material-findings' ? [] : [`done was lost: ${signal}`]),
      ...(cancelled.exitCode === 0 && isOver ? [] : [`cancelled, but ${phase}: ${cancelled.stderr}`]),
      ...(isHold(await bench.stop(BY_HAND)) ? ['held after the end'] : []),
    ];
  });

/** A rollback among stops leaves no loop, and nothing is held after it. */
export const rollbackAmongStops: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startPlan(bench, 50);
    bench.project.write('PLAN.md', '# Plan\n');
    const stops = Promise.all(times(4, () => inARow(2, () => bench.stop(BY_HAND, fault))));
    const ran = await bench.holdfast(['claudex', 'rollback'], {}, fault);
    const fired = (await stops).flat();
    return [
      ...unanswered(fired),
      ...(ran.exitCode === 0 ? [] : [`rollback failed: ${ran.stderr}`]),
      ...(loopIds(bench).length === 0 ? [] : ['a stop wrote the loop back']),
      ...(isHold(await bench.stop()) ? ['held after the end'] : []),
    ];
  });

/** Six plans made one session's at once: its index names all of them. */
export const oneIndex: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    const plans = times(6, (each) => `plan-${each}`);
    for (const plan of plans) bench.project.write(`.taskie/plans/${plan}/plan.md`, '# Plan\n\n## Overview\n');
    const ran = await Promise.all(
      plans.map((plan) => bench.holdfast(['taskie', 'record', 'new-plan', '--plan', plan], {}, fault)),
    );
    const index = JSON.parse(bench.project.read(`.holdfast/sessions/${SESSION}.json`));
    const states = plans.filter((plan) => bench.project.exists(`.taskie/plans/${plan}/state.json`));
    return [
      ...ran.flatMap(({ exitCode, stderr }) => (exitCode === 0 ? [] : [stderr])),
      ...(index.runs.length === 6 ? [] : [`the index names ${index.runs.join(', ')}`]),
      ...(states.length === 6 ? [] : [`recorded: ${states.join(', ')}`]),
    ];
  });

/** A loop from a plain terminal, and six sessions that stop at once: one of them gets it. */
export const oneTicket: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    const plain = { stdin: 'Fix the parser.', env: { CLAUDE_CODE_SESSION_ID: undefined } };
    await bench.holdfast(['idle', 'loop', '--max', '10'], plain);
    const fired = await Promise.all(times(6, (each) => bench.stop({ session_id: `s${each}` }, fault)));
    const holds = fired.filter(isHold).length;
    return [
      ...unanswered(fired),
      ...(holds === 1 || fired.some(isBusy) ? [] : [`${holds} sessions were held`]),
      ...(ownersIn(bench).length === 1 ? [] : [`it went to ${ownersIn(bench).join(', ')}`]),
      ...sameSteps(bench, fired, 0),
    ];
  });

/** The sessions whose index names a run. */
function ownersIn(bench: Bench): string[] {
  const folder = bench.at('.holdfast', 'sessions');
  const indexes = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
  return indexes.filter((name) => JSON.parse(fs.readFileSync(`${folder}/${name}`, 'utf8')).runs.length > 0);
}

/** Twice the journal is long enough for a segment while twelve stop at once: one is closed each time, no line is lost. */
export const segments: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startLoop(bench, 1000);
    const fired: Fired[] = [];
    for (const round of [0, 1]) {
      fs.appendFileSync(bench.at('.holdfast/journal.jsonl'), marks(round * LONG, LONG));
      fired.push(...(await Promise.all(times(12, () => bench.stop(BY_HAND, fault)))));
    }
    const closed = fs.readdirSync(bench.at('.holdfast/journal')).sort();
    const left = marksIn(bench.root);
    const stops = [...journalFromEnd(bench.root)].filter(({ run }) => run !== 'of-long-ago');
    return [
      ...unanswered(fired),
      ...(closed.join() === '00000001.jsonl,00000002.jsonl' ? [] : [`segments: ${closed.join(', ')}`]),
      ...(left.length === 2 * LONG && left.every((mark, position) => mark === position)
        ? []
        : [`${left.length} of ${2 * LONG} lines are left, or not in order`]),
      // The start, and each stop.
      ...(stops.length === 1 + fired.length ? [] : [`${stops.length} lines for ${fired.length} stops`]),
    ];
  });

/** Lines of nearly a kilobyte: more than a segment holds. */
const LONG = 9000;

/** Two workflows and their sessions side by side: each run takes its own steps and no other's. */
export const manyRuns: Race = async (plugin) =>
  at(plugin, async (bench) => {
    await startLoop(bench, 100);
    const other = { env: { CLAUDE_CODE_SESSION_ID: 'other' }, stdin: 'a cache' };
    await bench.holdfast(['claudex', 'plan', '--rounds', '50'], other);
    bench.project.write('PLAN.md', '# Plan\n');
    const [loop, plan] = await Promise.all([
      Promise.all(times(4, () => bench.stop())),
      Promise.all(times(4, () => bench.stop({ session_id: 'other' }))),
    ]);
    const round = Number(fields(bench).round);
    const rounds = plan.filter(isHold).length;
    return [
      ...unanswered([...loop, ...plan]),
      ...sameSteps(bench, loop, 0),
      // The first hold begins round 1, which the state names from its start.
      ...(round === rounds ? [] : [`${rounds} holds, but round ${round}`]),
    ];
  });

export async function at(
  plugin: string | undefined,
  race: (bench: Bench) => Promise<string[]>,
): Promise<string[]> {
  const bench = new Bench(plugin);
  try {
    const problems = await race(bench);
    return [...problems, ...bench.brokenRecords().filter((problem) => !problem.includes('torn lines'))];
  } finally {
    bench.remove();
  }
}

/** Every stop ends well: with a hold, silently, or with a line of ours. */
export function unanswered(fired: readonly Fired[]): string[] {
  return fired.flatMap(({ exitCode, stderr, stdout }) =>
    exitCode === 0 && stderr === '' && !stdout.includes('hit an error')
      ? []
      : [`a stop ended with ${exitCode}: ${stderr}${stdout}`],
  );
}

/**
 * Linearised against the topic's log and the journal: each state follows from the one before, each hold that was
 * answered is one of these steps, and none was taken twice. `lost` answers may have died with their process.
 */
function sameSteps(bench: Bench, fired: readonly Fired[], lost: number): string[] {
  const written = bodies(bench).map(({ stack }) => Number(stack.at(-1)?.iter));
  const told = fired.filter(isHold).map(iterationOf);
  const journalled = bench.journal().filter(isIdleHold).map(iterationBefore);
  const steps = written.length - 1;
  return [
    ...(written.every((iteration, position) => iteration === position)
      ? []
      : [`states: ${written.join(' ')}`]),
    ...(isUnique(told) ? [] : [`told twice: ${told.join(' ')}`]),
    ...(isUnique(journalled) ? [] : [`journalled twice: ${journalled.join(' ')}`]),
    ...(told.every((iteration) => iteration <= steps) ? [] : ['told of a step that is not there']),
    ...(steps - told.length <= lost ? [] : [`${steps} steps for ${told.length} holds`]),
    ...(told.every((iteration) => journalled.includes(iteration - 1))
      ? []
      : ['a hold is not in the journal']),
  ];
}

export const isHold = (fired: Fired): boolean => fired.answer?.decision === 'block';
/** A machine under heavy load may keep a stop waiting too long; then it is let go and nothing is stepped. */
const isBusy = (fired: Fired): boolean => fired.stdout.includes('held the lock for');
const iterationOf = (fired: Fired): number =>
  Number(/\[ITERATION (\d+)\//.exec(fired.answer?.reason ?? '')?.[1]);
const isUnique = (numbers: readonly number[]): boolean => new Set(numbers).size === numbers.length;

function isIdleHold(entry: Record<string, unknown>): boolean {
  return entry.workflow === 'idle' && entry.answer === 'hold';
}

function iterationBefore(entry: Record<string, unknown>): number {
  const { stack } = entry.state as { stack: { iter: number }[] };
  return Number(stack.at(-1)?.iter);
}

export function times<Result>(count: number, make: (each: number) => Result): Result[] {
  return Array.from({ length: count }, (_, each) => make(each));
}

export async function inARow<Result>(count: number, act: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let done = 0; done < count; done++) results.push(await act());
  return results;
}

export async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 6000) throw new Error('it never came to pass');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
