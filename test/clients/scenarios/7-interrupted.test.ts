// Group 7: a review that is cut short is never counted, and one that ended is never paid for twice.

import { describe, expect, it } from 'vitest';
import { endProcess } from '../../support/processes.ts';
import { draftPlan, planFiles, planState, reviewer, reviews, writeReview } from '../plan.ts';
import {
  answers,
  claudePrint,
  claudeStream,
  codexExec,
  converse,
  type Host,
  holdsOf,
  processesOf,
  run,
  type Stage,
  saw,
  say,
  stageFor,
  until,
} from '../scenario.ts';

const PROMPT = 'Plan it.';

/** The client's own processes: not the hook, not the reviewer. */
function clientProcesses(stage: Stage): number[] {
  const isClient = (command: string): boolean =>
    /(claude|codex)\S* (-p|exec) /.test(command) && !/--print|entry\.cjs/.test(command);
  return processesOf(stage).flatMap(({ pid, command }) => (isClient(command) ? [pid] : []));
}

function kill(pids: readonly number[]): void {
  expect(pids).not.toEqual([]);
  for (const pid of pids) endProcess(pid);
}

/** A new session takes the plan up and stops; what is due is done at that stop. */
async function continueAnew(host: Host, stage: Stage): Promise<void> {
  stage.agent(
    run(`${host.cli(stage)} taskie next --plan demo`),
    say('I just stop.'),
    say('I leave it there.'),
    say('Enough.'),
    say('Enough.'),
    say('Enough.'),
  );
  await host.play(stage, 'Go on with the plan.');
}

describe('7. interrupted', () => {
  it.for([claudePrint, claudeStream, codexExec])(
    'client killed with -9 in a review that then ends by itself ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      reviewer(stage, writeReview, { afterMs: 2500, verdict: 'FAIL' });
      stage.agent(draftPlan(host.cli(stage)), say('The plan is written.'));
      const client = host.begin(stage, PROMPT);
      await until('the review to be under way', () => stage.cast.of('reviewer').length === 2);
      kill(clientProcesses(stage));
      await client.ended;
      await until('the orphaned hook to end', () => processesOf(stage).length === 0);
      await continueAnew(host, stage);
      expect(stage.cast.of('reviewer')).toHaveLength(2);
      expect(holdsOf(stage)[0]).toContain('plan-review-1.md');
      expect(planFiles(stage).filter((name) => /^plan-review-/.test(name))).toEqual(['plan-review-1.md']);
      expect(planState(stage)).toMatchObject({
        phase: 'plan-review',
        next_phase: 'post-plan-review',
        phase_iteration: 1,
      });
      saw(
        context,
        host.mode,
        'the hook outlived the client and kept the verdict; a new session got it at its first stop, and no second review was asked for',
      );
    },
  );

  it.for([claudePrint, claudeStream, codexExec])(
    'client and hook killed with -9 in a review ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      reviewer(stage, writeReview, { hangs: true });
      stage.agent(draftPlan(host.cli(stage)), say('The plan is written.'));
      const client = host.begin(stage, PROMPT);
      await until('the review to be under way', () => stage.cast.of('reviewer').length === 2);
      kill(clientProcesses(stage));
      kill(
        processesOf(stage).flatMap(({ pid, command }) => (command.includes('entry.cjs hook') ? [pid] : [])),
      );
      await client.ended;
      await until('the reviewer to end with its hook', () => processesOf(stage).length === 0);
      expect(planState(stage)).toMatchObject({
        phase: 'new-plan',
        next_phase: 'plan-review',
        phase_iteration: 0,
      });
      reviewer(stage, ...reviews('FAIL'));
      await continueAnew(host, stage);
      expect(stage.cast.of('reviewer')).toHaveLength(4);
      expect(holdsOf(stage)[0]).toContain('plan-review-1.md');
      expect(planFiles(stage).filter((name) => /^plan-review-/.test(name))).toEqual(['plan-review-1.md']);
      expect(planState(stage)).toMatchObject({ next_phase: 'post-plan-review', phase_iteration: 1 });
      saw(
        context,
        host.mode,
        'the reviewer ended with its hook, nothing was counted; a new session had the same review, number 1, made again',
      );
    },
  );

  it('Esc during a review (Claude Code stream-json)', async (context) => {
    const stage = await stageFor();
    reviewer(stage, writeReview, { hangs: true });
    stage.agent(draftPlan('holdfast'), say('The plan is written.'));
    const conversation = converse(stage);
    conversation.send(PROMPT);
    await until('the review to be under way', () => stage.cast.of('reviewer').length === 2);
    conversation.interrupt();
    await conversation.turn();
    await until(
      'the reviewer to end',
      () => !processesOf(stage).some(({ command }) => command.includes('--print')),
    );
    expect(answers(stage.root)).not.toContain('hold');
    expect(planState(stage)).toMatchObject({ phase: 'new-plan', phase_iteration: 0 });
    reviewer(stage, ...reviews('FAIL'));
    stage.agent(say('Where were we?'), { hangs: true });
    conversation.send('Go on.');
    await until('the hold', () => holdsOf(stage).length === 1);
    conversation.interrupt();
    await conversation.turn();
    await conversation.end();
    expect(holdsOf(stage)[0]).toContain('plan-review-1.md');
    expect(planFiles(stage).filter((name) => /^plan-review-/.test(name))).toEqual(['plan-review-1.md']);
    saw(
      context,
      'Claude Code stream-json',
      'the interrupt (what Esc sends) ended the reviewer, nothing was counted; the next stop had the same review made again',
    );
  });
});
