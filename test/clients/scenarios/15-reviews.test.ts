// Group 15: reviews that converge, by reviewers of either vendor.

import { describe, expect, it } from 'vitest';
import { completeTask, createTasks, draftPlan, planState } from '../plan.ts';
import {
  answerFindings,
  docketOf,
  type Found,
  meddlingReviewers,
  onlyOnPath,
  ownConfig,
  reviewers,
  reviewsSeen,
} from '../reviews.ts';
import {
  callDone,
  claudexState,
  codexReviewer,
  FINDINGS,
  findings,
  NOTHING,
  runProgram,
  startPlan,
  TOPIC,
} from '../rounds.ts';
import {
  answers,
  claudePrint,
  codexExec,
  expectNotice,
  type Host,
  holdsOf,
  nothingLeft,
  processesOf,
  run,
  type Stage,
  saw,
  say,
  stageFor,
  write,
} from '../scenario.ts';

const PROMPT = 'Plan and build it.';

const NOBODY: Found = { severity: 'high', claim: 'It greets nobody' };
const LICENCE: Found = { severity: 'low', claim: 'There is no licence in it' };
const AGAIN: Found = { severity: 'medium', claim: 'The licence is still missing' };
const REJECTED = 'F2 rejected: a greeting needs no licence';

/**
 * From tasks to the first task's code: findings in two rounds, of which one is fixed and one is rejected and raised
 * again, then two clean reviews.
 */
async function playCycle(host: Host, stage: Stage): Promise<{ holds: readonly string[]; notice: RegExp }> {
  const cli = host.cli(stage);
  stage.write('README.md', 'A greeting\n');
  stage.git('add', 'README.md');
  stage.git('commit', '-qm', 'first');
  reviewers(stage, [], []);
  stage.agent(
    draftPlan(cli),
    createTasks(cli),
    say('The tasks are written.'),
    ...answerFindings('Nothing to change.'),
  );
  const begun = await host.play(stage, PROMPT);
  expect(planState(stage)).toMatchObject({ next_phase: 'complete-task' });

  reviewers(stage, [NOBODY, LICENCE], [AGAIN], [], []);
  const before = holdsOf(stage).length;
  stage.agent(
    run(`${cli} taskie next --plan demo`),
    completeTask(cli, 1),
    say('Task 1 is done.'),
    ...answerFindings('- F1 fixed: it greets the world', `- ${REJECTED}`),
    ...answerFindings('F3 rejected: as for F2', 'F99 fixed: there is none'),
    ...answerFindings('Nothing to change.'),
  );
  const played = await host.play(stage, 'Go on with the plan.', { resume: begun.session, limitMs: 150_000 });
  const notice = /code review of task 1 passed.*3 found: 1 fixed, 2 rejected, 0 open.*Contested.*F2/s;
  expectNotice(host, stage, played, notice);
  expect(stage.cast.left('agent')).toBe(0);
  expect(stage.cast.left('reviewer')).toBe(0);
  expect(planState(stage)).toMatchObject({
    phase: 'code-review',
    next_phase: 'complete-task',
    consecutive_clean: 2,
  });
  return { holds: holdsOf(stage).slice(before), notice };
}

/** What is the same whoever reviewed. */
function expectConverged(stage: Stage, holds: readonly string[]): void {
  expect(holds).toHaveLength(3);
  expect(holds[0]).toMatch(
    /F1 high hello-1\.txt:1: It greets nobody[\s\S]*F2 low hello-1\.txt:1: There is no licence/,
  );
  expect(holds[1]).toContain('F3 medium hello-1.txt:1: The licence is still missing');
  expect(holds[1]).toMatch(/raised again; earlier F2 .* was rejected: a greeting needs no licence/);
  expect(holds[2]).not.toMatch(/F\d (high|medium|low)/);
  expect(docketOf(stage).map(({ id, status }) => [id, status])).toEqual([
    ['F1', 'fixed'],
    ['F2', 'rejected'],
    ['F3', 'rejected'],
  ]);
  const seen = reviewsSeen(stage);
  expect(seen.slice(0, 2).map(({ changes }) => changes)).toEqual([null, null]);
  const first = `at commit ${stage.git('rev-parse', '--short=12', 'HEAD').trim()}`;
  expect(seen.slice(2).map(({ since }) => since)).toEqual([first, first, first, first]);
  for (const { changes } of seen.slice(2)) expect(changes).toMatch(/\+\+\+ b\/hello-1\.txt[\s\S]*\+hello/);
  expect(processesOf(stage)).toEqual([]);
}

describe('15. reviews', () => {
  it.for([claudePrint, codexExec])(
    'two vendors in turn, to two clean reviews ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      ownConfig(stage, { review: { models: ['opus', 'codex/'] } });
      const { holds } = await playCycle(host, stage);
      expectConverged(stage, holds);
      const models = reviewsSeen(stage).map(({ model }) => (/opus/.test(model) ? 'opus' : model));
      expect(models).toEqual(['opus', 'gpt-5.5', 'opus', 'gpt-5.5', 'opus', 'gpt-5.5']);
      expect(docketOf(stage).map(({ by }) => by)).toEqual(['opus', 'opus', 'codex/']);
      saw(
        context,
        host.mode,
        'opus of real Claude Code and real Codex in turn, each reading the patch since the task began; of three findings one was fixed, one rejected and raised again, with the earlier answer shown in the hold; two clean reviews, and the contested one named at the end',
      );
    },
  );

  it('Codex alone, as agent and as reviewer (Codex exec)', async (context) => {
    const stage = await stageFor();
    onlyOnPath(stage, 'codex');
    const { holds } = await playCycle(codexExec, stage);
    expectConverged(stage, holds);
    expect(new Set(reviewsSeen(stage).map(({ model }) => model))).toEqual(new Set(['gpt-5.5']));
    for (const hold of holds) expect(hold).toContain('`codex` reviews in its place');
    saw(
      context,
      'Codex exec',
      'no `claude` on PATH and nothing set: Codex reviewed in its place, and said so in the hold; findings, answers and the end as with two vendors',
    );
  });

  it.for([claudePrint, codexExec])('sandboxed reviewers of both vendors ($mode)', async (host, context) => {
    const stage = await stageFor();
    ownConfig(stage, { review: { models: ['opus', 'codex/'], access: 'sandboxed' } });
    const cli = host.cli(stage);
    stage.write('README.md', 'A greeting\n');
    meddlingReviewers(stage, stage.file('README.md'), 2);
    stage.agent(
      draftPlan(cli),
      createTasks(cli),
      completeTask(cli, 1),
      say('Task 1 is done.'),
      ...answerFindings('Nothing to change.'),
    );
    await host.play(stage, PROMPT, { limitMs: 150_000 });
    expect(planState(stage)).toMatchObject({ next_phase: 'complete-task', consecutive_clean: 2 });
    expect(stage.read('README.md')).toBe('A greeting\n');
    const seen = reviewsSeen(stage);
    expect(seen.map(({ model }) => (/opus/.test(model) ? 'opus' : model))).toEqual(['opus', 'gpt-5.5']);
    for (const { changes } of seen) expect(changes).toMatch(/\+hello/);
    saw(
      context,
      host.mode,
      'both read the patch and wrote their reviews; what else they tried to change stayed as it was',
    );
  });

  it.for([claudePrint, codexExec])('claudex, reviewed by Claude Code ($mode)', async (host, context) => {
    const stage = await stageFor();
    ownConfig(stage, { review: { claudex: 'claude/' } });
    codexReviewer(stage, ...findings(FINDINGS), ...findings(NOTHING));
    stage.agent(
      startPlan(host.cli(stage)),
      write(stage.file('PLAN.md'), '# Plan\n\nMove it.'),
      say('The plan is drafted.'),
      runProgram,
      write(
        stage.file('PLAN.md'),
        '# Plan\n\nCopy, then move it.\n\n## Changelog\n\n- F1 fixed: copy first\n- F2 rejected: the name is right',
      ),
      say('The plan is revised.'),
      runProgram,
      callDone,
      say('Nothing material is left.'),
      say('This is the plan.'),
    );
    const free = host === codexExec ? { args: ['--dangerously-bypass-approvals-and-sandbox'] } : {};
    await host.play(stage, `Plan this: ${TOPIC}`, free);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'hold', 'allow']);
    expect(holdsOf(stage)[1]).toContain('high=1 medium=0 low=1');
    expect(holdsOf(stage).at(-1)).toMatch(/2 found: 1 fixed, 1 rejected, 0 open/);
    expect(claudexState(stage)).toMatchObject({ phase: 'done', round: '2' });
    const asked = stage.cast.of('reviewer');
    expect(asked).toHaveLength(4);
    expect(asked.every(({ model }) => model.startsWith('claude'))).toBe(true);
    expect(asked.flatMap(({ holds }) => holds)).toEqual([]);
    // The runner looks around every two seconds: its last `sleep` may outlive it by that long.
    await nothingLeft(stage);
    saw(
      context,
      host.mode,
      'two rounds by real Claude Code in the place of Codex; its findings were read into the docket, answered in the changelog of the plan, and summed up at the end; the reviewer was not held',
    );
  });

  it('a reviewer that is not installed (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    ownConfig(stage, { review: { models: ['codex/', 'opus'] } });
    onlyOnPath(stage, 'claude');
    reviewers(stage);
    stage.agent(draftPlan('holdfast'), say('The plan is written.'), say('Not asked for.'));
    const played = await claudePrint.play(stage, PROMPT);
    expect(answers(stage.root)).toEqual(['allow']);
    expect(played.result).toBe('The plan is written.');
    expect(stage.cast.of('reviewer')).toEqual([]);
    expect(planState(stage)).toMatchObject({ next_phase: 'plan-review', phase_iteration: 0 });
    expectNotice(claudePrint, stage, played, /`codex` was not found on PATH.*npm install -g @openai\/codex/);
    saw(
      context,
      'Claude Code -p',
      'Codex was to review and is not installed: let go, with the command that installs it; nothing counted',
    );
  });
});
