// The scenarios that every further client is played through, in its own words.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Host } from './clients/host.ts';
import { forgeRuns } from './forged.ts';
import { DONE, iterations, loopState, startLoop, TASK, upTo } from './loop.ts';
import { reviewer, reviews } from './plan.ts';
import {
  playNoProgress,
  playPlanLoop,
  playPlanReview,
  playThreeIterations,
  SUMMARY,
  steps,
} from './plays.ts';
import { codexReviewer, FINDINGS, findings, NOTHING } from './rounds.ts';
import {
  answers,
  expectNotice,
  holdsOf,
  journal,
  opening,
  run,
  runCli,
  type Stage,
  saw,
  say,
} from './scenario.ts';

/** `open`: a stage with the client and Holdfast in it. */
export type Played = { host: Host; open(name?: string): Promise<Stage> };

const SECOND = 'I am somebody else.';

export function idleScenarios({ host, open }: Played): void {
  it(`no run: not held (${host.mode})`, async (context) => {
    const stage = await open();
    stage.agent(run('ls'), say('Nothing to do.'), say('Not asked for.'));
    const played = await host.play(stage, 'Look around.');
    expect(played.result).toBe('Nothing to do.');
    expect(stage.cast.of('agent')).toHaveLength(2);
    expect(stage.exists('.holdfast')).toBe(false);
    saw(context, host.mode, 'the first stop ended the turn, and nothing was written into the project');
  });

  it(`three iterations to the signal (${host.mode})`, async (context) => {
    const stage = await open();
    const { result } = await playThreeIterations(host, stage, TASK);
    expect(result).toBe(DONE);
    saw(context, host.mode, 'held at iterations 1, 2 and 3, each time with the task; let go at the signal');
  });

  fenceScenario({ host, open });

  it(`no progress: let go, with the notice and a result (${host.mode})`, async (context) => {
    const stage = await open();
    const played = await playNoProgress(host, stage);
    expect(played.result).toBe('Still thinking, 6.');
    expectNotice(host, stage, played, /no progress in 6 holds.*idle resume/);
    saw(context, host.mode, `6 holds without progress, the next stop let go; ${host.showsNotices}`);
  });
}

export function longIdleScenarios({ host, open }: Played): void {
  it(`25 iterations, with tool calls that are seen (${host.mode})`, async (context) => {
    const stage = await open();
    stage.agent(startLoop(host.cli(stage), '--max 25'), say('The loop is on.'), ...steps(25));
    const played = await host.play(stage, TASK, { limitMs: 150_000 });
    expect(iterations(holdsOf(stage))).toEqual(upTo(25, 25));
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'MAX_ITERATIONS' });
    expect(played.result).toBe('Step 24.');
    saw(
      context,
      host.mode,
      'the client has no cap of its own: all 25 holds reached the model; then the maximum let go',
    );
  });

  it(`cancelled in another terminal (${host.mode})`, async (context) => {
    const stage = await open();
    stage.agent(
      startLoop(host.cli(stage)),
      say('One.'),
      () => {
        runCli(stage, 'cancel');
        return say('I noticed nothing.');
      },
      say('Not asked for.'),
    );
    const played = await host.play(stage, TASK);
    expect(answers(stage.root)).toEqual(['hold', 'allow']);
    expect(played.result).toBe('I noticed nothing.');
    saw(context, host.mode, 'held once; `holdfast cancel` in a plain terminal let the next stop go');
  });
}

/** `tokens`: so many that the client makes a summary of the conversation and goes on from that. */
export function compactionScenario({ host, open }: Played, tokens: number): void {
  it(`the context is compacted in mid-loop (${host.mode})`, async (context) => {
    const stage = await open();
    stage.agent(
      startLoop(host.cli(stage)),
      say('One.'),
      { ...run('echo two'), tokens },
      { ...say('Two.'), tokens },
      run('echo three'),
      say('Three.'),
      say(DONE),
    );
    const played = await host.play(stage, TASK);
    const heard = stage.cast.of('agent');
    expect(heard.filter(({ whole }) => whole.includes('A SUMMARY WITHOUT THE GOAL')).length).toBeGreaterThan(
      0,
    );
    expect(heard.at(-1)?.last).toContain(TASK);
    expect(played.result.endsWith(DONE)).toBe(true);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'hold', 'allow']);
    expect(new Set(journal(stage.root).map(({ session }) => session)).size).toBe(1);
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    saw(
      context,
      host.mode,
      'a summary took the place of the conversation: held on with the task, to the signal',
    );
  });
}

export function fenceScenario({ host, open }: Played): void {
  it(`a signal inside a fence does not end the loop (${host.mode})`, async (context) => {
    const stage = await open();
    const fenced = 'To end it one writes:\n\n```\n<loop-done>COMPLETE</loop-done>\n```';
    stage.agent(startLoop(host.cli(stage)), say(fenced), say(DONE));
    const played = await host.play(stage, TASK);
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    expect(holdsOf(stage)[0]).toContain('as code or in a comment, so it did not count');
    expect(played.result.endsWith(DONE)).toBe(true);
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    saw(context, host.mode, 'held, with a line that says why it did not count; outside a fence it let go');
  });
}

export function sessionScenarios({ host, open }: Played): void {
  it(`resumed, and another session beside it (${host.mode})`, async (context) => {
    const stage = await open();
    const broken = { fails: { status: 400, type: 'INVALID_ARGUMENT', message: 'a scripted failure' } };
    stage.agent(startLoop(host.cli(stage)), say('One.'), broken, broken, broken);
    await host.play(stage, TASK);
    expect(answers(stage.root)).toEqual(['hold']);
    // A client that ends with an error may not say it.
    const first = journal(stage.root)[0]?.session ?? '';
    stage.part({ name: 'second', hears: opening(SECOND), lines: [say('Good day.'), say('Not asked for.')] });
    const second = await host.play(stage, SECOND);
    expect(second.result).toBe('Good day.');
    expect(second.session).not.toBe(first);
    const beside = 'an API error ended the first turn; the second session was not held';
    if (host.cannotResume !== undefined) return saw(context, host.mode, `${beside}. ${host.cannotResume}`);
    stage.agent(say('Two.'), say(DONE));
    const resumed = await host.play(stage, 'Go on.', { resume: first });
    expect(resumed.result).toBe(DONE);
    const own = journal(stage.root).filter(({ session }) => session === first);
    expect(own.map(({ answer }) => answer)).toEqual(['hold', 'hold', 'allow']);
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    saw(context, host.mode, `${beside}; the first, resumed, was held on to its signal`);
  });

  it(`a cloned repository with forged runs holds nobody (${host.mode})`, async (context) => {
    const stage = await open('origin');
    forgeRuns(stage);
    stage.git('add', '--all', '--force');
    stage.git('commit', '--quiet', '--message', 'Everything a loop needs, but for the ticket');
    const clone = path.join(path.dirname(stage.root), 'clone');
    execFileSync('git', ['clone', '--quiet', stage.root, clone], { env: stage.env, timeout: 20_000 });
    reviewer(stage);
    stage.agent(run('ls -a'), say('A repository like any other.'), say('Not asked for.'));
    const played = await host.play(stage, 'What is here?', { cwd: clone });
    expect(played.result).toBe('A repository like any other.');
    expect(stage.cast.of('reviewer')).toEqual([]);
    expect(journal(clone).filter(({ answer }) => answer === 'hold')).toEqual([]);
    expect(fs.existsSync(path.join(clone, 'owned'))).toBe(false);
    saw(
      context,
      host.mode,
      'a plan due for review, a fresh loop and a claudex loop: not held, no reviewer asked',
    );
  });
}

export function claudexScenario({ host, open }: Played): void {
  it(`claudex: a plan loop to "complete", reviewed by Codex (${host.mode})`, async (context) => {
    const stage = await open();
    codexReviewer(stage, ...findings(FINDINGS), ...findings(NOTHING));
    const played = await playPlanLoop(host, stage);
    expect(played.result).toBe(SUMMARY);
    saw(context, host.mode, 'two rounds by real Codex, `done` by the command of the hold, summary, let go');
  });
}

export function taskieScenario({ host, open }: Played): void {
  it(`taskie: a plan reviewed by Claude Code until it is clean (${host.mode})`, async (context) => {
    const stage = await open();
    reviewer(stage, ...reviews('FAIL', 'PASS', 'PASS'));
    const played = await playPlanReview(host, stage);
    expectNotice(host, stage, played, /plan review passed.*continue-plan/i);
    saw(
      context,
      host.mode,
      'three reviews in the hook, one with findings and two clean ones in a row; then let go',
    );
  });
}
