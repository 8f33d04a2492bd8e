// Group 4: taskie, with real `claude -p` as the reviewer.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { installForUser } from '../clients/claude-home.ts';
import { claudeProgram } from '../clients/place.ts';
import {
  answerReview,
  completeTask,
  createTasks,
  draftPlan,
  planFile,
  planFiles,
  planState,
  reviewer,
  reviewModels,
  reviews,
  writeReview,
} from '../plan.ts';
import {
  answers,
  brokenApi,
  claudePrint,
  codexExec,
  expectNotice,
  holdsOf,
  journal,
  processesOf,
  run,
  saw,
  say,
  stageFor,
} from '../scenario.ts';

const PROMPT = 'Plan and build it.';

describe('4. taskie', () => {
  it.for([claudePrint, codexExec])(
    'from the plan to complete, with two tasks ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      const cli = host.cli(stage);
      const next = run(`${cli} taskie next --plan demo`);
      reviewer(stage, ...reviews('FAIL', 'PASS', 'PASS'));
      stage.agent(draftPlan(cli), say('The plan is written.'), ...answerReview, ...answerReview);
      const planned = await host.play(stage, PROMPT);
      expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
      expectNotice(host, stage, planned, /plan review passed.*continue-plan/i);
      expect(planState(stage)).toMatchObject({
        phase: 'plan-review',
        next_phase: 'create-tasks',
        consecutive_clean: 2,
      });
      expect(reviewModels(stage)).toEqual(['opus', 'sonnet', 'opus']);

      const resume = { resume: planned.session, limitMs: 100_000 };
      const stages = [
        [next, createTasks(cli), say('The tasks are written.'), ...answerReview],
        [next, completeTask(cli, 1), say('Task 1 is done.'), ...answerReview],
        [next, completeTask(cli, 2), say('Task 2 is done.'), ...answerReview],
        [next, say('I just stop.'), ...answerReview],
      ];
      const instructions: string[] = [];
      for (const lines of stages) {
        reviewer(stage, ...reviews('PASS', 'PASS'));
        const before = stage.cast.of('agent').length;
        stage.agent(...lines);
        await host.play(stage, 'Go on with the plan.', resume);
        instructions.push(stage.cast.of('agent')[before + 1]?.last ?? '');
        expect(stage.cast.left('agent')).toBe(0);
        expect(stage.cast.left('reviewer')).toBe(0);
      }
      expect(instructions[1]).toContain('task 1');
      expect(instructions[2]).toContain('task 2');
      expect(planState(stage)).toMatchObject({ phase: 'all-code-review', next_phase: 'complete' });

      stage.agent(next, run(`${cli} taskie record complete --plan demo`), say('All done.'));
      const done = await host.play(stage, 'Go on with the plan.', resume);
      expect(done.result).toBe('All done.');
      expect(planState(stage)).toMatchObject({ phase: 'complete', next_phase: null });
      expect(planFiles(stage).filter((name) => /-review-/.test(name) && !/post/.test(name))).toEqual([
        'all-code-review-1.md',
        'all-code-review-2.md',
        'plan-review-1.md',
        'plan-review-2.md',
        'plan-review-3.md',
        'task-1-review-1.md',
        'task-1-review-2.md',
        'task-2-review-1.md',
        'task-2-review-2.md',
        'tasks-review-1.md',
        'tasks-review-2.md',
      ]);
      expect(reviewModels(stage).slice(3)).toEqual([
        'opus',
        'sonnet',
        'opus',
        'sonnet',
        'opus',
        'sonnet',
        'opus',
        'sonnet',
      ]);
      expect(new Set(journal(stage.root).map(({ session }) => session))).toEqual(new Set([planned.session]));
      saw(
        context,
        host.mode,
        '11 reviews by real `claude -p`, opus and sonnet in turn, each with a structured verdict and its own file; findings in the first were answered; plan, tasks, task 1, task 2, all code, complete',
      );
    },
  );

  it('the reviewer cannot take the plan over or be held (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    installForUser(stage);
    const meddle = [
      run('holdfast taskie next --plan demo; echo "exit $?"'),
      writeReview,
      { verdict: 'PASS' },
    ];
    reviewer(stage, ...meddle, ...meddle);
    stage.agent(draftPlan('holdfast'), say('The plan is written.'), ...answerReview);
    const played = await claudePrint.play(stage, PROMPT, { plugins: 'installed' });
    const asked = stage.cast.of('reviewer');
    expect(asked).toHaveLength(6);
    expect(asked[1]?.last).toMatch(/exit [12]$/m);
    expect(asked.flatMap(({ holds }) => holds)).toEqual([]);
    expect(planState(stage)).toMatchObject({ next_phase: 'create-tasks' });
    expect(fs.readdirSync(stage.file('.holdfast/sessions'))).toEqual([`${played.session}.json`]);
    expect(new Set(journal(stage.root).map(({ session }) => session))).toEqual(new Set([played.session]));
    saw(
      context,
      'Claude Code -p',
      'with the plugin installed for the user, so that the reviewer has it too: `holdfast` refused to write there, no hook of its fired, no session of its was noted',
    );
  });

  it('a review is written and its verdict cannot be read (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    reviewer(stage, writeReview, say('I would rather not say.'), say('Really not.'), say('No.'));
    stage.agent(draftPlan('holdfast'), say('The plan is written.'), say('I leave it at that.'));
    await claudePrint.play(stage, PROMPT);
    const [held] = holdsOf(stage);
    expect(held).toContain('plan review 1 of at most 8');
    expect(held).toContain('without a verdict that could be read');
    expect(planState(stage)).toMatchObject({ next_phase: 'post-plan-review', consecutive_clean: 0 });
    expect(planFiles(stage)).toContain('plan-review-1.md');
    saw(context, 'Claude Code -p', 'counted as findings: the agent was held to answer the review');
  });

  it.for([
    ['reviewer not logged in', /exit code 1/],
    ['API error', /exit code 1/],
    ['no verdict', /no verdict/],
    ['timeout', /deadline/],
  ] as const)('%s (Claude Code -p)', async ([how, logged], context) => {
    const stage = await stageFor();
    if (how === 'reviewer not logged in')
      putBefore(stage.home, stage.env, 'claude', `unset ANTHROPIC_API_KEY; exec '${claudeProgram}' "$@"`);
    if (how === 'reviewer not logged in') reviewer(stage);
    if (how === 'API error') reviewer(stage, ...brokenApi);
    if (how === 'no verdict') reviewer(stage, say('I would rather not say.'), say('Really not.'), say('No.'));
    if (how === 'timeout') {
      stage.write('holdfast.config.json', '{"review":{"timeout":3}}');
      reviewer(stage, writeReview, { hangs: true });
    }
    stage.agent(draftPlan('holdfast'), say('The plan is written.'), say('Not asked for.'));
    const played = await claudePrint.play(stage, PROMPT);
    expect(answers(stage.root)).toEqual(['allow']);
    expect(played.result).toBe('The plan is written.');
    expect(planState(stage)).toMatchObject({
      phase: 'new-plan',
      next_phase: 'plan-review',
      phase_iteration: 0,
    });
    expectNotice(claudePrint, stage, played, /without a verdict.*nothing was counted.*\.review-1\.log/);
    expect(stage.read(planFile('.review-1.log'))).toMatch(logged);
    expect(processesOf(stage)).toEqual([]);
    // Once the reviewer answers again the same review is made up for.
    fs.rmSync(stage.file('holdfast.config.json'), { force: true });
    fs.rmSync(path.join(stage.home, 'bin'), { recursive: true, force: true });
    reviewer(stage, ...reviews('PASS'));
    stage.agent(say('Again.'), ...answerReview, say('Not asked for.'));
    await claudePrint.play(stage, 'Go on.', { resume: played.session });
    expect(holdsOf(stage).at(-1)).toContain('plan review 1 of at most 8');
    saw(
      context,
      'Claude Code -p',
      'nothing counted, let go with a notice that names the log, no process left; at the next stop the same review was made up for',
    );
  });
});

/** A program that comes first on PATH: the agent itself is started by its full path. */
function putBefore(home: string, env: Record<string, string>, name: string, script: string): void {
  const bin = path.join(home, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  env.PATH = `${bin}:${env.PATH}`;
}
