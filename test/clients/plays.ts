// What is played in the group of every further client, and what must be seen of it in each; the scenarios add what is
// the client's own.

import { expect } from 'vitest';
import type { Host, Played, PlayOptions } from './clients/host.ts';
import { DONE, iterations, loopState, startLoop, TASK, upTo } from './loop.ts';
import { answerReview, draftPlan, planState } from './plan.ts';
import { callDone, claudexState, runProgram, startPlan, TOPIC } from './rounds.ts';
import { answers, holdsOf, journal, type Line, run, type Stage, say, write } from './scenario.ts';

/** Turns of work: a tool call, and a word about it. */
export const steps = (count: number): Line[] =>
  Array.from({ length: count }, (_, turn) => [run(`echo ${turn} >>work.txt`), say(`Step ${turn}.`)]).flat();

export async function playThreeIterations(host: Host, stage: Stage, prompt: string): Promise<Played> {
  stage.agent(
    startLoop(host.cli(stage)),
    say('The loop is on.'),
    ...steps(2),
    run('echo 3 >>work.txt'),
    say(DONE),
  );
  const played = await host.play(stage, prompt);
  expect(iterations(holdsOf(stage))).toEqual(upTo(3, 10));
  expect(holdsOf(stage)[0]).toContain(TASK);
  expect(answers(stage.root)).toEqual(['hold', 'hold', 'hold', 'allow']);
  expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  expect(new Set(journal(stage.root).map(({ session }) => session))).toEqual(new Set([played.session]));
  return played;
}

export async function playNoProgress(host: Host, stage: Stage): Promise<Played> {
  const idling = Array.from({ length: 12 }, (_, turn) => say(`Still thinking, ${turn}.`));
  stage.agent(startLoop(host.cli(stage), '--max 50'), ...idling);
  const played = await host.play(stage, TASK);
  expect(iterations(holdsOf(stage))).toEqual(upTo(6, 50));
  const released = { answer: 'allow', notice: true, guard: { result: 'release' } };
  expect(journal(stage.root).at(-1)).toMatchObject(released);
  return played;
}

/** The last words of the plan loop. */
export const SUMMARY = 'This is the plan, and this is what the rounds changed.';

/** The reviewer is the scenario's own: it has findings in the first round, and none in the second. */
export async function playPlanLoop(host: Host, stage: Stage, options: PlayOptions = {}): Promise<Played> {
  stage.agent(
    startPlan(host.cli(stage)),
    write(stage.file('PLAN.md'), '# Plan\n\nMove it.'),
    say('The plan is drafted.'),
    runProgram,
    write(stage.file('PLAN.md'), '# Plan\n\nCopy, then move it.\n\n## Changelog\n\n- Round 1: copy first.'),
    say('The plan is revised.'),
    runProgram,
    callDone,
    say('Nothing material is left.'),
    say(SUMMARY),
  );
  const played = await host.play(stage, `Plan this: ${TOPIC}`, { limitMs: 150_000, ...options });
  expect(holdsOf(stage).map((hold) => hold.split('\n')[0])).toEqual([
    '### Claudex round 1 of 3, Senior-engineer review',
    '### Claudex round 2 of 3, Security and data-integrity review',
    '### Claudex: plan loop complete',
  ]);
  expect(holdsOf(stage)[1]).toContain('high=1 medium=0 low=1');
  expect(answers(stage.root)).toEqual(['hold', 'hold', 'hold', 'allow']);
  expect(claudexState(stage)).toMatchObject({
    phase: 'done',
    round: '2',
    decision_signal: 'no-material-findings',
  });
  return played;
}

/** The reviewers are the scenario's own: findings, then clean twice in a row. */
export async function playPlanReview(host: Host, stage: Stage): Promise<Played> {
  stage.agent(draftPlan(host.cli(stage)), say('The plan is written.'), ...answerReview, ...answerReview);
  const played = await host.play(stage, 'Plan and build it.', { limitMs: 160_000 });
  expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
  expect(planState(stage)).toMatchObject({
    phase: 'plan-review',
    next_phase: 'create-tasks',
    consecutive_clean: 2,
  });
  return played;
}
