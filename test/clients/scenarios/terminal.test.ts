// Both TUIs, in tmux: a loop held and released as a user sees it, and Esc during a review.

import { describe, expect, it } from 'vitest';
import { claudeTerminal, codexTerminal, trustChecks, trustHooks } from '../clients/terminal.ts';
import { DONE, iterations, loopState, startLoop, TASK } from '../loop.ts';
import { draftPlan, planFiles, planState, reviewer, reviews, writeReview } from '../plan.ts';
import { ends, FAILING, fix, setUpCheck } from '../proof.ts';
import {
  answers,
  codexExec,
  holdsOf,
  processesOf,
  run,
  runCli,
  saw,
  say,
  stageFor,
  until,
  write,
} from '../scenario.ts';
import { skillCall } from '../skill.ts';

describe('2. idle', () => {
  it('held and released (Claude Code TUI)', async (context) => {
    const stage = await stageFor();
    stage.agent(startLoop('holdfast'), say('One.'), run('echo two >two.txt'), say('Two.'), say(DONE));
    const terminal = claudeTerminal(stage);
    await terminal.ready();
    await terminal.enter(TASK);
    await terminal.shows('All of it passes.');
    await until('the loop to end', () => answers(stage.root).length === 3);
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    expect(iterations(holdsOf(stage))).toEqual(['1/10', '2/10']);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    saw(
      context,
      'Claude Code TUI',
      "held at iterations 1 and 2, let go at the signal, and the prompt is the user's again",
    );
  });

  it('held and released (Codex TUI)', async (context) => {
    const stage = await stageFor();
    stage.agent(
      startLoop(codexExec.cli(stage)),
      say('One.'),
      run('echo two >two.txt'),
      say('Two.'),
      say(DONE),
    );
    const terminal = codexTerminal(stage);
    await trustHooks(terminal);
    await terminal.enter(TASK);
    await terminal.shows('All of it passes.');
    await until('the loop to end', () => answers(stage.root).length === 3);
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    expect(iterations(holdsOf(stage))).toEqual(['1/10', '2/10']);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    saw(
      context,
      'Codex TUI',
      'asked at its start whether the hooks are trusted, answered as a user does; held at iterations 1 and 2, let go at the signal',
    );
  });
});

describe('7. interrupted', () => {
  it('Esc during a review (Claude Code TUI)', async (context) => {
    const stage = await stageFor();
    reviewer(stage, writeReview, { hangs: true });
    stage.agent(draftPlan('holdfast'), say('The plan is written.'));
    const terminal = claudeTerminal(stage);
    await terminal.ready();
    await terminal.enter('Plan it.');
    await until('the review to be under way', () => stage.cast.of('reviewer').length === 2);
    await terminal.shows('Holdfast is looking');
    terminal.press('Escape');
    await until(
      'the reviewer to end',
      () => !processesOf(stage).some(({ command }) => command.includes('--print')),
    );
    expect(planState(stage)).toMatchObject({ phase: 'new-plan', phase_iteration: 0 });
    reviewer(stage, ...reviews('FAIL'));
    stage.agent(say('Where were we?'), { hangs: true });
    await terminal.enter('Go on.');
    await until('the hold', () => holdsOf(stage).length === 1);
    expect(holdsOf(stage)[0]).toContain('plan-review-1.md');
    expect(planFiles(stage).filter((name) => /^plan-review-/.test(name))).toEqual(['plan-review-1.md']);
    saw(
      context,
      'Claude Code TUI',
      "the hook's status line was shown during the review; Esc ended the reviewer, nothing was counted, and the next stop had the same review made again",
    );
  });

  it('Esc during a review (Codex TUI)', async (context) => {
    const stage = await stageFor();
    reviewer(stage, writeReview, { hangs: true });
    stage.agent(draftPlan(codexExec.cli(stage)), say('The plan is written.'));
    const terminal = codexTerminal(stage);
    await trustHooks(terminal);
    await terminal.enter('Plan it.');
    await until('the review to be under way', () => stage.cast.of('reviewer').length === 2);
    terminal.press('Escape');
    await until(
      'the reviewer to end',
      () => !processesOf(stage).some(({ command }) => command.includes('--print')),
    );
    expect(planState(stage)).toMatchObject({ phase: 'new-plan', phase_iteration: 0 });
    reviewer(stage, ...reviews('FAIL'));
    stage.agent(say('Where were we?'), { hangs: true });
    await terminal.enter('Go on.');
    await until('the hold', () => holdsOf(stage).length === 1);
    expect(holdsOf(stage)[0]).toContain('plan-review-1.md');
    expect(planFiles(stage).filter((name) => /^plan-review-/.test(name))).toEqual(['plan-review-1.md']);
    saw(
      context,
      'Codex TUI',
      'Esc ended hook and reviewer, nothing was counted, and the next stop had the same review made again',
    );
  });
});

describe('9. installed', () => {
  it('as a new user would: install, start, /idle:loop, and ask why (Claude Code TUI)', async (context) => {
    const stage = await stageFor();
    runCli(stage, 'install', '--client', 'claude');
    const why: string[] = [];
    stage.agent(
      (heard) => write(stage.file(skillCall(heard).file), skillCall(heard).words),
      (heard) => run(`${skillCall(heard).cli} idle loop < ${skillCall(heard).file}`),
      say('I look around.'),
      () => {
        why.push(runCli(stage, 'why'));
        return say(DONE);
      },
    );
    const terminal = claudeTerminal(stage, { plugins: 'installed' });
    await terminal.ready();
    await terminal.enter('/idle:loop "Say hello to the world"');
    await terminal.shows('All of it passes.');
    await until('the loop to end', () => answers(stage.root).length === 2);
    why.push(runCli(stage, 'why'));
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    expect(holdsOf(stage)[0]).toContain('Say hello to the world');
    expect(why[0]).toMatch(/Held by idle:.*iteration 1 of 10 began/);
    expect(why[1]).toMatch(/Allowed by idle:.*gave the signal COMPLETE/);
    saw(
      context,
      'Claude Code TUI',
      'held once and let go; `holdfast why` explains the hold while it lasts and the release afterwards',
    );
  });
});

describe('13. proof', () => {
  it('done while the check is red, then green (Claude Code TUI)', async (context) => {
    const stage = await stageFor();
    setUpCheck(stage);
    await trustChecks(stage);
    stage.agent(startLoop('holdfast'), say(DONE), fix, say(DONE));
    const terminal = claudeTerminal(stage);
    await terminal.ready();
    await terminal.enter(TASK);
    await terminal.shows('done and proven: answer');
    expect(holdsOf(stage)[0]).toContain(FAILING);
    expect(ends(stage)).toMatchObject([{ outcome: 'completed', proof: 'proven' }]);
    saw(context, 'Claude Code TUI', 'held while it was red; then the screen says "done and proven"');
  });

  it('done while the check is red, then green (Codex TUI)', async (context) => {
    const stage = await stageFor();
    setUpCheck(stage);
    await trustChecks(stage);
    stage.agent(startLoop(codexExec.cli(stage)), say(DONE), fix, say(DONE));
    const terminal = codexTerminal(stage);
    await trustHooks(terminal);
    await terminal.enter(TASK);
    await terminal.shows('done and proven: answer');
    expect(holdsOf(stage)[0]).toContain(FAILING);
    expect(ends(stage)).toMatchObject([{ outcome: 'completed', proof: 'proven' }]);
    saw(context, 'Codex TUI', 'held while it was red; then the screen says "done and proven"');
  });
});
