// What `taskie next` prints and writes: the one thing to do, what there is to know beside it, and whose the plan is then.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { TASKS, taskText } from '../../../../test/fixtures/taskie/plan.ts';
import { budgetOf, giveBudget } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import { type PlanScene, planScene } from '../../../../test/support/taskie-plan.ts';
import type { Project } from '../../../engine/project.ts';
import { pinPlace } from '../../../engine/proof/pin-place.ts';
import { readSidecar } from '../../../store/sidecars.ts';
import { isPlanWhole, next, statedPhase, surroundings } from './next.ts';
import { readPlan } from './which-plan.ts';

let scene: PlanScene;
let project: Project;
beforeEach(() => {
  scene = planScene();
  project = scene.project;
});

const READY =
  "Plan 'my-plan': everything is ready for the plan review. Stop now, without doing anything else: the hook then starts the review.";
const notes = (name = 'taskie:my-plan') => readSidecar(scene.root, name);

describe('taskie next', () => {
  it('makes the plan this session’s and says the one thing to do', async () => {
    scene.sound();
    expect(await called(next, project)).toEqual(['0', READY]);
    expect(notes().sessions).toEqual(['session-1']);
  });

  const folder = (): string => path.dirname(scene.at('x'));
  it.each<[object, (() => void) | null, () => string]>([
    [
      { next_phase: 'create-tasks' },
      null,
      () =>
        `write the tasks (skill taskie:create-tasks): tasks.md and one task file per row in ${folder()}, then run \`holdfast taskie record create-tasks --plan my-plan\` and stop.`,
    ],
    [
      { phase: 'plan-review', next_phase: 'post-plan-review', phase_iteration: 1 },
      () => scene.put('plan-review-4.md', 'x'),
      () =>
        `do post-plan-review (skill taskie:post-plan-review) on the review ${scene.at('plan-review-4.md')}. Write ${scene.at('plan-post-review-4.md')}; if it is there already and answers every finding, only what follows is left: run \`holdfast taskie record post-plan-review --plan my-plan\`, then stop.`,
    ],
    [
      { phase: 'complete-task', next_phase: 'code-review', current_task: '2' },
      null,
      () =>
        'everything is ready for the code review of task 2. Stop now, without doing anything else: the hook then starts the review.',
    ],
    [
      { phase: 'complete-task', next_phase: 'code-review', current_task: '2' },
      () => scene.put('task-2.md', taskText('2', 'pending')),
      () =>
        `go on with task 2 (skill taskie:continue-task): finish what is open in ${scene.at('task-2.md')}.`,
    ],
    [
      { phase: 'code-review', next_phase: 'complete-task', current_task: '1' },
      null,
      () =>
        `do task 2 with complete-task (skill taskie:complete-task); it is described in ${scene.at('task-2.md')}. When its work is done, run \`holdfast taskie record complete-task --task 2 --plan my-plan\` and stop. But first set the row of task 1 in tasks.md to done: its review has passed.`,
    ],
    [
      { phase: 'code-review', next_phase: 'complete-task', current_task: '1', max_reviews: 0 },
      () => scene.put('tasks.md', TASKS.replace('| 2 | pending', '| 2 | done')),
      () =>
        `complete-task is next, but no further task is pending in tasks.md. Ask the user: either have all code reviewed ("next_phase": "all-code-review" and "phase_iteration": 0 in ${folder()}/state.json, then stop), or finish the plan (\`holdfast taskie record complete --plan my-plan\`). But first set the row of task 1 in tasks.md to done: it was completed, and reviews are off.`,
    ],
    [
      { phase: 'plan-review', next_phase: null, current_task: '1' },
      null,
      () =>
        'nothing follows by itself here (phase plan-review, task 1, next none). Show the user this, and ask whether to run an action again, go to another phase, or do something else.',
    ],
    [
      { phase: 'all-code-review', next_phase: 'complete' },
      () => scene.put('tasks.md', TASKS.replaceAll('pending', 'done')),
      () =>
        'no review is outstanding any more. Run `holdfast taskie record complete --plan my-plan`, then tell the user that all tasks of the plan are done.',
    ],
    [
      {},
      () => scene.put('plan.md', '# Plan\n'),
      () =>
        `plan.md is missing or unfinished. Go on with the skill taskie:new-plan from what ${folder()} already holds; state.json is there already, so record nothing. When plan.md is whole, stop.`,
    ],
    [
      { phase: 'new-plan', next_phase: 'plan-review', phase_iteration: 8 },
      null,
      () =>
        `the plan review is next, but all 8 reviews that max_reviews allows have run. Tell the user, who decides: raise "max_reviews" or set "next_phase" in ${folder()}/state.json. Then stop.`,
    ],
    [
      { phase: 'plan-review', next_phase: 'post-plan-review' },
      null,
      () =>
        `state.json waits for post-plan-review, but ${folder()} holds no such review. Tell the user, and ask whether to put the review back, to have a new one ("next_phase": "plan-review" in state.json) or to leave the loop ("next_phase": null).`,
    ],
    [
      { phase: 'complete-task', next_phase: 'code-review' },
      null,
      () =>
        'code-review is next, but state.json names no current task whose file exists. Ask the user which task it is, then run `holdfast taskie record complete-task --task ID --plan my-plan` once its work is done.',
    ],
    [
      { phase: 'complete', next_phase: null },
      null,
      () => 'it is complete. Tell the user that all of its tasks are done.',
    ],
  ])('in %j says what to do', async (fields, arrange, words) => {
    scene.sound(fields);
    arrange?.();
    expect(await called(next, project)).toEqual(['0', `Plan 'my-plan': ${words()}`]);
  });

  it.each([
    [null, 'does not exist'],
    ['[]', 'is not a JSON object'],
  ])('builds the state %j again', async (text, problem) => {
    scene.sound();
    if (text === null) fs.rmSync(scene.at('state.json'));
    else scene.put('state.json', text);
    const state = scene.at('state.json');
    const first = text === null ? '' : `\`mv ${state} ${state}.broken\`, then `;
    const [code, said = ''] = await called(next, project);
    expect([code, said.split('. ')[0]]).toEqual(['0', `Plan 'my-plan': ${state} ${problem}`]);
    expect(said).toContain(
      `Then write it down: ${first}\`holdfast taskie record new-plan --plan my-plan\` and, right after it, `,
    );
  });

  it('names a plan whose id begins with "-" so that a command takes it', async () => {
    scene.put('plan.md', 'x', '-odd');
    scene.setState({ next_phase: 'complete' }, '-odd');
    expect((await called(next, project))[1]).toContain('`holdfast taskie record complete --plan=-odd`');
  });

  it('is the named plan’s', async () => {
    scene.sound();
    scene.put('plan.md', 'x', 'other');
    scene.setState({ next_phase: 'complete', phase: 'all-code-review' }, 'other');
    expect((await called(next, project, { flags: { plan: 'my-plan' } }))[1]).toBe(READY);
    expect((await called(next, project, { flags: { plan: 'other' } }))[1]).toMatch(
      /^Plan 'other': no review/,
    );
  });

  it('warns of a table that was read by guess, or not wholly', async () => {
    scene.sound();
    scene.put('tasks.md', TASKS.replace('| 2 |', '| two |'));
    expect(await called(next, project)).toEqual([
      '0',
      READY,
      "Warning: 1 row(s) of tasks.md were left out of plan 'my-plan', because their Id is not a number. Give each a number: as long as one of them says pending, the plan is not complete.",
    ]);
  });

  it('names plans beside the one it guessed, but none once it is this session’s', async () => {
    scene.sound();
    scene.put('plan.md', 'x', '.old plan');
    const plans = path.join(scene.root, '.taskie/plans');
    expect(await called(next, project)).toEqual([
      '0',
      READY,
      `".old plan" is in .taskie/plans, but is not used: its name begins with a dot. Rename it: \`mv '${plans}/.old plan' ${plans}/old-plan\`.`,
    ]);
    expect(await called(next, project)).toEqual(['0', READY]);
  });

  it('in a plain terminal leaves the plan to the next session', async () => {
    scene.sound();
    const terminal = { ...project, env: { ...project.env, CLAUDE_CODE_SESSION_ID: undefined } };
    expect(await called(next, terminal)).toEqual([
      '0',
      READY,
      '(No client session runs this command, so the plan goes to the next session that stops here.)',
    ]);
    expect(notes().sessions).toEqual([]);
  });

  it('says who reviews where Claude Code is not there', async () => {
    scene.sound();
    const bin = path.join(path.dirname(scene.root), 'only-codex');
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, 'codex'), '#!/bin/sh\n', { mode: 0o755 });
    expect(await called(next, { ...project, env: { ...project.env, PATH: bin } })).toEqual([
      '0',
      READY,
      '`claude` is not on PATH, so `codex` reviews in its place, with its default model. Who reviews is set by "review": {"models": […]} in your own holdfast.config.json.',
    ]);
  });

  it('is refused, and claims nothing, where state.json cannot be read', async () => {
    scene.sound();
    fs.rmSync(scene.at('state.json'));
    fs.mkdirSync(scene.at('state.json'));
    const state = scene.at('state.json');
    expect(await called(next, project)).toEqual([
      'NotNow',
      `${state} is a folder where a file belongs; to fix it, run \`mv ${state} ${state}.aside\``,
    ]);
    expect(fs.existsSync(path.join(scene.root, '.holdfast'))).toBe(false);
  });
});

describe('the budget of a plan that is continued', () => {
  it('is written down and spoken of', async () => {
    scene.sound();
    expect(await called(next, project, { flags: { reviews: '12' } })).toEqual([
      '0',
      READY,
      'It may spend 12 reviews; then it is paused, and a person decides whether it goes on.',
    ]);
    expect(notes().budget).toEqual({
      limits: { tokens: null, timeMs: null, reviews: 12, usd: null },
      startedAt: project.now,
    });
    expect(await called(next, project, { flags: { reviews: '13' } })).toEqual([
      'NotNow',
      'taskie:my-plan has its budget already, and no start changes it. `holdfast status` shows it; a person grants more with `holdfast resume taskie:my-plan` in a terminal.',
    ]);
    expect(await called(next, project)).toEqual(['0', READY]);
  });

  it('is not that of the settings', async () => {
    scene.sound();
    const limits = { tokens: null, timeMs: null, reviews: 5, usd: null };
    const config = { ...project.config, budget: limits };
    expect(await called(next, { ...project, config })).toEqual(['0', READY]);
    expect(notes().budget).toBeUndefined();
  });

  it('is refused where it says nothing', async () => {
    scene.sound();
    const [kind, words] = await called(next, project, { flags: { reviews: 'many' } });
    expect([kind, words]).toEqual([
      'WrongUsage',
      expect.stringMatching(/^taskie next: --reviews takes .+, not "many"\.$/),
    ]);
  });

  it('is spoken of where it is spent', async () => {
    scene.sound();
    giveBudget(
      project,
      budgetOf(project, 'taskie:my-plan', { stage: 'paused', limits: { reviews: 1 }, spent: { reviews: 1 } }),
    );
    const [code, ready, note, ...more] = await called(next, project);
    expect([code, ready, more]).toEqual(['0', READY, []]);
    expect(note).toMatch(
      /^Note: taskie:my-plan is paused: its budget is spent\. A person grants more in a terminal: `holdfast resume taskie:my-plan/,
    );
  });
});

describe('the checks of a plan that is continued', () => {
  it('are switched off where that is asked, and noted', async () => {
    scene.sound();
    const said = await called(next, project, { flags: { 'no-check': true } });
    expect(said.slice(0, 2)).toEqual(['0', READY]);
    expect(notes().proof?.asked).toEqual({ checks: null, off: true });
  });

  it('are not asked for and excluded at once', async () => {
    expect(await called(next, project, { flags: { check: ['a'], 'no-check': true } })).toEqual([
      'WrongUsage',
      '--check and --no-check exclude each other.',
    ]);
  });
});

describe('what is around a plan', () => {
  const around = () => surroundings(readPlan(project, 'my-plan'), project);

  it('is its tasks and what is pending of them', () => {
    scene.sound({ current_task: '2' });
    scene.put('tasks.md', TASKS.replace('| 1 | pending', '| 1 | done'));
    expect(around()).toEqual({
      around: {
        ...{ reviewNumber: null, planWhole: true, task: 'implemented', rows: ['1', '2'], pending: ['2'] },
        unnumbered: [],
      },
      warning: null,
    });
  });

  it('is nothing where there are no files', () => {
    scene.put('plan.md', 'x');
    const nothing = {
      reviewNumber: null,
      planWhole: false,
      task: 'missing',
      rows: [],
      pending: [],
      unnumbered: [],
    };
    expect(around()).toEqual({ around: nothing, warning: null });
    scene.setState({ current_task: '7' });
    expect(around().around.task).toBe('missing');
  });

  it('is an open task, and the review that is to be answered', () => {
    scene.sound({ current_task: '1', phase: 'code-review', next_phase: 'post-code-review' });
    scene.put('task-1.md', taskText('1', 'pending'));
    scene.put('task-1-review-3.md', 'x');
    expect(around().around).toMatchObject({ reviewNumber: 3, task: 'open' });
  });
});

describe('a plan is whole', () => {
  it.each([
    ['## Overview', true],
    ['# Plan\n##  Overview of it\n', true],
    ['##\tOverview\n', true],
    ['##Overview\n', false],
    ['## Overviews\n', false],
    ['### Overview\n', false],
    ['text ## Overview\n', false],
    [`${'x\n'.repeat(50)}\n\n`, false],
    [`${'x\n'.repeat(51)}`, true],
    ['', false],
  ])('%#: %j is %s', (text, whole) => {
    expect(isPlanWhole(text)).toBe(whole);
  });
});

describe('what a state says, word for word', () => {
  it.each([
    ['{"phase":"dreaming","next_phase":"waking"}', { phase: 'dreaming', next: 'waking' }],
    ['{"phase":7,"next_phase":null}', { phase: 'none', next: 'none' }],
    [`{"phase":"${'x'.repeat(61)}"}`, { phase: 'x'.repeat(60), next: 'none' }],
    ['[]', { phase: 'none', next: 'none' }],
    ['{', { phase: 'none', next: 'none' }],
  ])('%#: of %s', (text, said) => {
    scene.put('state.json', text);
    expect(statedPhase(readPlan(project, 'my-plan'))).toEqual(said);
  });

  it('is nothing where there is none', () => {
    scene.put('plan.md', 'x');
    expect(statedPhase(readPlan(project, 'my-plan'))).toEqual({ phase: 'none', next: 'none' });
  });
});

describe('checks that were pinned or noted', () => {
  const pin = (): void => {
    const place = pinPlace(scene.root, 'taskie:my-plan');
    const file = path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast', place);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '{}');
  };

  it('are asked for too late once a stop has pinned them', async () => {
    scene.sound();
    pin();
    expect(await called(next, project)).toEqual(['0', READY]);
    expect(notes().proof).toBeUndefined();
    expect((await called(next, project, { flags: { 'no-check': true } }))[1]).toContain('come too late');
  });

  it('stay as they were noted, until they are asked for again', async () => {
    scene.sound();
    await called(next, project, { flags: { 'no-check': true } });
    const noted = notes().proof;
    expect(await called(next, { ...project, now: project.now + 1000 })).toEqual(['0', READY]);
    expect(notes().proof).toEqual(noted);
    const later = { ...project, now: project.now + 2000 };
    await called(next, later, { flags: { 'no-check': true } });
    expect(notes().proof).toEqual({ ...noted, startedAt: later.now });
  });
});
