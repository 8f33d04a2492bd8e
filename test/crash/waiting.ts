// Stops at which a run begins to wait, waits or goes on, for the crash suite.

import fs from 'node:fs';
import type { Waiting } from '../../src/store/records.ts';
import type { Fired } from '../support/hook.ts';
import type { Bench } from './bench.ts';
import { loopIds, startPlan } from './claudex.ts';
import { hold as holding, startLoop, topicState } from './idle.ts';
import { checks, SIGNAL, trustCheck } from './proof.ts';
import type { Scenario } from './scenario.ts';
import { ownPlan, planState } from './taskie.ts';
import { saysInTurn, write } from './transcript.ts';

export const QUESTION = 'Which database?';

/** What Claude Code sends beside a stop while a subagent of it runs. */
export const RUNNING = {
  background_tasks: [{ id: 'a1', type: 'subagent', status: 'running', description: 'Look into it' }],
};

/** Somebody, or something, begins a turn. */
export function prompt(bench: Bench, turnOrigin: 'human' | 'task_notification'): void {
  write(bench, { type: 'user', turnOrigin, message: { role: 'user', content: 'Take the first one.' } });
}

export function waitingOf(bench: Bench, run: string): Waiting | null {
  return bench.sidecar(run)?.waiting ?? null;
}

/** A loop that was held once, with a transcript. */
export async function looping(bench: Bench): Promise<void> {
  prompt(bench, 'human');
  await startLoop(bench, 10);
  await bench.stop(saysInTurn(bench));
}

export async function ask(bench: Bench, question = QUESTION): Promise<void> {
  const ran = await bench.holdfast(['ask', question]);
  if (ran.exitCode !== 0) throw new Error(ran.stderr);
}

const isHeld = ({ answer }: Fired): boolean => answer?.decision === 'block';
export const isAsked = ({ answer }: Fired, question = QUESTION): boolean =>
  answer?.systemMessage?.includes(`asks: ${question}`) === true;

const { run } = holding;

const loopWaits = (bench: Bench): unknown => {
  const waiting = waitingOf(bench, run(bench));
  const isShown = waiting === null ? null : (waiting.shown ?? null) !== null;
  return { state: topicState(bench), waits: waiting?.for ?? null, isShown };
};

/** A subagent runs: the stop is silent, and costs nothing. When it has ended the loop goes on. */
export const work: Scenario = {
  ...{ run, prepare: holding.prepare, payload: () => RUNNING, view: loopWaits },
  async carryOn(bench) {
    const held = isHeld(await bench.stop());
    const { waits, state } = loopWaits(bench) as { waits: unknown; state: unknown };
    return { held, waits, state: (state as { event: string }).event, end: await holding.carryOn(bench) };
  },
};

/** A subagent runs when the agent says that it is done, and its check is yet to run. Said again once it has ended. */
export const claim: Scenario = {
  ...{ run, payload: () => ({ ...RUNNING, ...SIGNAL }), later: () => SIGNAL, view: loopWaits },
  async prepare(bench) {
    await trustCheck(bench, 'good');
    await startLoop(bench, 10);
    await bench.stop();
  },
  async carryOn(bench) {
    for (let stops = 0; stops < 3 && eventOf(bench) === 'STATE'; stops++)
      await bench.stop(claim.later?.(bench));
    return { event: eventOf(bench), checks: checks(bench, 'end') };
  },
};

/** The same, and said once. */
export const claimOnce: Scenario = {
  ...claim,
  later: () => ({}),
  async carryOn(bench) {
    for (let stops = 0; stops < 3 && eventOf(bench) === 'STATE'; stops++) await bench.stop();
    return { event: eventOf(bench), checks: checks(bench, 'end') };
  },
};

function eventOf(bench: Bench): string {
  return (topicState(bench) as { event: string }).event;
}

/** The stop after `holdfast ask` shows the question. A person answers, and the loop goes on. */
export const question: Scenario = {
  ...{ run, payload: saysInTurn, view: loopWaits },
  async prepare(bench) {
    await looping(bench);
    await ask(bench);
  },
  saw(bench, fired) {
    const isShown = (waitingOf(bench, run(bench))?.shown ?? null) !== null;
    // Where even the commit's own end fails, that is what the user is told; `holdfast status` has the question.
    const isTold = isAsked(fired) || fired.answer?.systemMessage?.includes('hit an error') === true;
    return isShown && !isTold ? ['it is on record as shown, and nobody saw it'] : [];
  },
  async carryOn(bench) {
    prompt(bench, 'task_notification');
    // Where the transcript could not be read, nobody knows who began that turn, and it counts as an answer.
    const woken = await bench.stop(saysInTurn(bench));
    prompt(bench, 'human');
    const fired = await bench.stop(saysInTurn(bench));
    const line = `Your question ("${QUESTION}") was answered`;
    return {
      held: isHeld(fired),
      told: [woken, fired].filter(({ answer }) => answer?.reason?.startsWith(line)).length,
      waits: waitingOf(bench, run(bench)),
      end: await holding.carryOn(bench),
    };
  },
};

/** The user has answered: the loop is held again, and the agent is told that it was. */
export const answered: Scenario = {
  // The wait goes with the notes, which are written before the state.
  ...{ run, payload: saysInTurn, view: topicState, carryOn: holding.carryOn },
  watch: (bench) => () => {
    const waiting = waitingOf(bench, run(bench));
    return waiting === null ? [] : [`it waits still: ${JSON.stringify(waiting)}`];
  },
  async prepare(bench) {
    await question.prepare(bench);
    await bench.stop(saysInTurn(bench));
    prompt(bench, 'human');
  },
};

const PLAN = 'taskie:my-plan';

/** The reviewer is at its limit: nothing is counted, and the review comes when that is over. */
export const reviewer: Scenario = {
  run: () => PLAN,
  async prepare(bench) {
    await ownPlan(bench);
    bench.reviewers('limit');
  },
  view: (bench) => ({ plan: planState(bench), waits: waitingOf(bench, PLAN)?.for ?? null }),
  watch(bench) {
    const begun = bench.reviews('begin').length;
    const isWaiting = waitingOf(bench, PLAN) !== null;
    return () => {
      const again = bench.reviews('begin').length - begun;
      const { attempts = [], failures } = bench.sidecar(PLAN) ?? {};
      return [
        ...(isWaiting && again > 0 ? ['it was asked again before its limit was over'] : []),
        ...(again > 1 ? [`it was asked ${again} times more`] : []),
        ...(attempts.length > 0 ? [`an attempt was left: ${JSON.stringify(attempts)}`] : []),
        ...(failures?.count === 0 ? [] : [`${failures?.count} failures were counted`]),
      ];
    };
  },
  async carryOn(bench) {
    later(bench, PLAN, 11 * 60_000);
    bench.reviewers('findings');
    const held = isHeld(await bench.stop());
    const waits = waitingOf(bench, PLAN);
    return { held, waits, plan: planState(bench), failures: bench.sidecar(PLAN)?.failures.count };
  },
  reviewed: ['plan-review-1.md'],
};

/** As if so much time had gone by since the run began to wait. */
export function later(bench: Bench, name: string, milliseconds: number): void {
  const file = bench.at('.holdfast', 'runs', `${name.replace(':', '-')}.json`);
  const sidecar = JSON.parse(fs.readFileSync(file, 'utf8'));
  const { waiting } = sidecar;
  if (waiting === undefined) return;
  const until = waiting.until === null ? null : waiting.until - milliseconds;
  const moved = { ...sidecar, waiting: { ...waiting, since: waiting.since - milliseconds, until } };
  fs.writeFileSync(file, JSON.stringify(moved));
}

const plan = (bench: Bench): string => `claudex:${loopIds(bench)[0]}`;

/** Another run of the session waits for the subagent when the agent says, once, that the loop is done. */
export const otherSignal: Scenario = {
  ...{ run: plan, payload: () => ({ ...RUNNING, ...SIGNAL }), later: () => RUNNING },
  async prepare(bench) {
    await startLoop(bench, 10);
    await startPlan(bench);
    await bench.stop();
  },
  // A plan that cannot be served is passed by, and then the loop is over at once.
  view: (bench) => loopIds(bench).length,
  async carryOn(bench) {
    await bench.holdfast(['claudex', 'cancel']);
    for (let stops = 0; stops < 2 && eventOf(bench) === 'STATE'; stops++) await bench.stop();
    return { event: eventOf(bench) };
  },
};
