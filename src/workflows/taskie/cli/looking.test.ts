// The commands that only look at a plan, status and validate, and the plans of a project as every list shows them.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FULL_STATE, TASKS } from '../../../../test/fixtures/taskie/plan.ts';
import { called } from '../../../../test/support/call.ts';
import { type PlanScene, planScene } from '../../../../test/support/taskie-plan.ts';
import { docketText } from '../../../engine/docket/format.ts';
import { EMPTY_DOCKET, type Entry } from '../../../engine/docket/types.ts';
import type { Project } from '../../../engine/project.ts';
import { homeOf, sidecarPath } from '../../../store/home.ts';
import { bind } from '../../../store/sidecars.ts';
import { demo } from './demo.ts';
import { cli } from './index.ts';
import { status } from './status.ts';
import { validate } from './validate.ts';

let scene: PlanScene;
let project: Project;
let plans: string;
beforeEach(() => {
  scene = planScene();
  project = scene.project;
  plans = path.join(scene.root, '.taskie/plans');
});

const entry = (id: string, more: Partial<Entry>): Entry => ({
  ...{ id, review: 'plan-review-1.md', round: 1, by: null, severity: 'high', file: null, line: null },
  ...{ claim: `${id} breaks.`, evidence: null, status: 'open', answer: null, earlier: [], others: {} },
  ...more,
});
const keep = (...findings: Entry[]): void =>
  scene.put('docket.json', docketText({ ...EMPTY_DOCKET, last: findings.length, findings }));
const closeState = (): string => {
  const state = scene.at('state.json');
  fs.rmSync(state);
  fs.mkdirSync(state);
  return `${state} is a folder where a file belongs; to fix it, run \`mv ${state} ${state}.aside\``;
};
const oldPlan = (): string =>
  `".old plan" is in .taskie/plans, but is not used: its name begins with a dot. Rename it: \`mv '${plans}/.old plan' ${plans}/old-plan\`.`;

describe('taskie status', () => {
  it('shows where a plan stands, field by field', async () => {
    scene.sound({ phase: 'code-review', phase_iteration: 2, current_task: '1', next_phase: null });
    expect(await called(status, project)).toEqual([
      '0',
      'plan:          my-plan',
      'stage:         Implementation',
      'phase:         code-review',
      'task:          1',
      'iteration:     2',
      'max_reviews:   8',
      'model:         opus',
      'clean_in_row:  0',
      'next:          -',
    ]);
    expect(await called(status, project, { flags: { json: true } })).toEqual([
      '0',
      JSON.stringify(
        {
          ...{ plan: 'my-plan', stage: 'Implementation', phase: 'code-review', task: '1', iteration: 2 },
          ...{ max_reviews: 8, model: 'opus', clean_in_row: 0, next: null },
        },
        null,
        2,
      ),
    ]);
    expect(fs.existsSync(path.join(scene.root, '.holdfast'))).toBe(false);
  });

  it.each([
    [null, 'unknown: there is no state.json'],
    ['[]', 'unknown: state.json is not a JSON object'],
  ])('says of the state %j that it is unknown', async (text, stage) => {
    scene.put('plan.md', 'x');
    if (text !== null) scene.put('state.json', text);
    expect(await called(status, project)).toEqual(['0', 'plan:          my-plan', `stage:         ${stage}`]);
  });

  it.each([
    [{ phase: 'dreaming' }, 'other'],
    [{ phase: 7 }, '-'],
  ])('knows no stage for %j', async (fields, phase) => {
    scene.setState(fields);
    expect((await called(status, project)).slice(2, 4)).toEqual([
      'stage:         unknown',
      `phase:         ${phase}`,
    ]);
  });

  it('adds what was found, and what is contested', async () => {
    scene.sound();
    keep();
    expect(await called(status, project)).toHaveLength(10);
    keep(entry('F1', { status: 'fixed' }));
    expect((await called(status, project)).slice(10)).toEqual([
      'findings:      1 found: 1 fixed, 0 rejected, 0 open',
    ]);
    const long = 'x'.repeat(200);
    keep(
      entry('F1', { status: 'rejected', answer: 'no', file: 'a.ts', line: 3 }),
      entry('F2', { status: 'rejected', answer: 'no', claim: long }),
      entry('F3', { earlier: ['F1', 'F2'] }),
    );
    const [findings, contested, ...more] = (await called(status, project)).slice(10);
    expect([findings, more]).toEqual(['findings:      3 found: 0 fixed, 2 rejected, 1 open (high)', []]);
    expect(contested).toMatch(/^contested: {5}F1 high a\.ts:3: F1 breaks\.; F2 high: x{150,160}\b[^x]*$/);
  });

  it('names plans beside the one it guessed', async () => {
    scene.sound();
    scene.put('plan.md', 'x', '.old plan');
    scene.put('plan.md', 'x', '.older plan');
    const older = oldPlan().replaceAll('.old plan', '.older plan').replace('old-plan', 'older-plan');
    expect((await called(status, project)).slice(10)).toEqual([`unused:        ${oldPlan()} ${older}`]);
    expect(JSON.parse((await called(status, project, { flags: { json: true } }))[1] ?? '').unused).toEqual([
      oldPlan(),
      older,
    ]);
    expect(await called(status, project, { flags: { plan: 'my-plan' } })).toHaveLength(10);
    bind(scene.root, 'taskie:my-plan', ['session-1']);
    expect(await called(status, project)).toHaveLength(10);
  });

  it('is refused where state.json cannot be read', async () => {
    scene.sound();
    expect(await called(status, project)).toHaveLength(10);
    const trouble = closeState();
    expect(await called(status, project)).toEqual(['NotNow', trouble]);
  });
});

describe('taskie validate', () => {
  const right = ['0', "Plan 'my-plan' structure validated successfully"];

  it('says that a folder is as it must be', async () => {
    scene.sound();
    expect(await called(validate, project)).toEqual(right);
    expect(await called(validate, project, { flags: { json: true } })).toEqual([
      '0',
      JSON.stringify({ plan: 'my-plan', violations: [], warnings: [] }, null, 2),
    ]);
  });

  it('fails for every violation', async () => {
    scene.put('notes.md', 'x');
    scene.put('.hidden.md', 'x');
    scene.put('sub/notes.md', 'x');
    scene.put('tasks.md', 'text');
    scene.setState({});
    const violations = [
      'Missing required file: plan.md',
      'Invalid filename: notes.md',
      'Files found in nested directories',
      'tasks.md contains non-table content',
      'tasks.md has no table rows',
    ];
    expect(await called(validate, project)).toEqual(['1', `Plan 'my-plan': ${violations.join('; ')}`]);
    expect(JSON.parse((await called(validate, project, { flags: { json: true } }))[1] ?? '')).toEqual({
      ...{ plan: 'my-plan', violations, warnings: [] },
    });
  });

  it('warns of fields that are missing and of rows that are no tasks', async () => {
    scene.sound();
    scene.put('tasks.md', TASKS.replace('| 1 |', '| one |').replace('| 2 |', '| two |'));
    scene.put('state.json', JSON.stringify({ ...FULL_STATE, phase: 'dreaming' }));
    scene.put('plan.md', 'x', '.old plan');
    expect(await called(validate, project)).toEqual([
      ...right,
      'Warning: state.json: missing or without a usable value: phase',
      'Warning: tasks.md: 2 row(s) left out, because their Id is not a number',
      `Warning: ${oldPlan()}`,
    ]);
    expect(await called(validate, project, { flags: { plan: 'my-plan' } })).toHaveLength(4);
  });

  it('warns of a table that was read by guess', async () => {
    scene.sound();
    scene.put('tasks.md', TASKS.replace('| --- | --- | --- | --- | --- |', '| --- | --- |'));
    expect(await called(validate, project)).toEqual([
      ...right,
      'Warning: tasks.md: the delimiter row does not fit the header',
    ]);
  });

  it('warns of a state that is none, or that nobody can read', async () => {
    scene.sound();
    scene.put('state.json', '[]');
    expect(await called(validate, project)).toEqual([...right, 'Warning: state.json is not a JSON object']);
    const trouble = closeState();
    expect(await called(validate, project)).toEqual([...right, `Warning: ${trouble}`]);
  });
});

describe('the plans of a project', () => {
  const listed = () => cli.runs(project).map(({ shown: _shown, ...run }) => run);

  it('are listed with where they stand', () => {
    scene.sound({ phase: 'plan-review', phase_iteration: 1, next_phase: 'post-plan-review' });
    expect(listed()).toEqual([
      {
        run: 'my-plan',
        file: scene.at('state.json'),
        live: true,
        stage: 'Plan review: plan-review, review 1 of at most 8, next post-plan-review',
        detail: {
          ...{ plan: 'my-plan', stage: 'Plan review', phase: 'plan-review', task: null, iteration: 1 },
          ...{ max_reviews: 8, model: 'opus', clean_in_row: 0, next: 'post-plan-review' },
        },
      },
    ]);
    expect(cli.runs(project)[0]?.shown?.()).toMatchObject({ state: 'post-plan-review' });
  });

  it.each([
    [{ phase: 'complete', next_phase: null }, false, false],
    [{ phase: 'plan-review', next_phase: null }, false, true],
    [{ phase: 'complete', next_phase: 'plan-review' }, true, true],
    [{ phase: 'plan-review', next_phase: 'create-tasks' }, true, true],
  ])('in %j are live: nobody’s %s, a session’s %s', (fields, alone, bound) => {
    scene.sound(fields);
    expect(listed()[0]?.live).toBe(alone);
    bind(scene.root, 'taskie:my-plan', []);
    expect(listed()[0]?.live).toBe(alone);
    bind(scene.root, 'taskie:my-plan', ['session-2']);
    expect(listed()[0]?.live).toBe(bound);
    fs.writeFileSync(sidecarPath(homeOf(scene.root), 'taskie:my-plan'), '{');
    expect(listed()[0]?.live).toBe(bound);
  });

  it('say what is wrong with a state that is none', () => {
    scene.put('state.json', '[]');
    expect(listed()).toEqual([
      {
        run: 'my-plan',
        file: scene.at('state.json'),
        live: false,
        stage: 'state.json is not a JSON object',
        detail: {
          plan: 'my-plan',
          stage: 'unknown: state.json is not a JSON object',
          unreadable: 'state.json is not a JSON object',
        },
      },
    ]);
  });

  it('are listed also where one can no longer be read', () => {
    scene.sound();
    scene.setState({ next_phase: null }, 'gone');
    const read = fs.readdirSync;
    let looks = 0;
    const spy = vi.spyOn(fs, 'readdirSync').mockImplementation(((folder: string, options: undefined) => {
      if (folder === path.join(plans, 'gone') && ++looks > 1) throw new Error('it went away');
      return read(folder, options);
    }) as typeof fs.readdirSync);
    onTestFinished(() => spy.mockRestore());
    expect(
      listed()
        .map(({ run }) => run)
        .sort(),
    ).toEqual(['gone', 'my-plan']);
    looks = 0;
    expect(listed().find(({ run }) => run === 'gone')).toEqual({
      run: 'gone',
      file: scene.at('state.json', 'gone'),
      live: false,
      stage: 'its state cannot be read',
      detail: { plan: 'gone', unreadable: 'it went away' },
    });
  });

  it('are written to folders that can be asked for, but for links and names that are no ids', () => {
    expect(cli.places?.(project)).toEqual([{ path: plans, kind: 'folder' }]);
    scene.sound();
    scene.put('plan.md', 'x', '.old plan');
    fs.symlinkSync(path.join(plans, 'my-plan'), path.join(plans, 'link'));
    expect(cli.places?.(project)).toEqual([
      { path: plans, kind: 'folder' },
      { path: path.join(plans, 'my-plan'), kind: 'folder' },
    ]);
    expect(cli.unused?.(project)).toMatchObject([{ run: '.old plan' }]);
  });

  it('have their docket beside them', () => {
    scene.sound();
    expect(cli.docket?.(project, 'my-plan')).toBeNull();
    keep(entry('F1', {}));
    expect(cli.docket?.(project, 'my-plan')).toEqual({
      file: '.taskie/plans/my-plan/docket.json',
      docket: { ...EMPTY_DOCKET, last: 1, findings: [entry('F1', {})] },
    });
  });

  it('are driven by two skills', () => {
    expect(cli.driven).toMatchObject({ begin: 'new-plan', goOn: 'continue-plan' });
    expect(cli.commands.map(({ name }) => name)).toEqual(['record', 'next', 'validate', 'status']);
  });

  it('have a demo', async () => {
    expect(await cli.demo?.()).toBe(demo);
  });

  it.each([
    [{ phase: 'plan-review' }, 'plan-review'],
    [{ phase: 7 }, 'unset'],
  ])('are cancelled in %j: nothing is next, the phase stays', (fields, phase) => {
    scene.sound(fields);
    expect(cli.cancel?.(project, 'my-plan')).toBe(
      `Plan 'my-plan': next_phase is null now, so nothing is reviewed any more. The phase stays ${phase}.`,
    );
    expect(JSON.parse(fs.readFileSync(scene.at('state.json'), 'utf8'))).toMatchObject({
      ...fields,
      next_phase: null,
    });
  });

  it.each([null, '[]'])('with the state %j are cancelled without a change', (text) => {
    scene.put('plan.md', 'x');
    if (text !== null) scene.put('state.json', text);
    const before = fs.readdirSync(path.dirname(scene.at('x')));
    expect(cli.cancel?.(project, 'my-plan')).toBe(
      "Plan 'my-plan' has no state.json that could be changed, so no review can start; it holds no session any more.",
    );
    expect(fs.readdirSync(path.dirname(scene.at('x')))).toEqual(before);
  });
});

it.each([
  [status, "Without --plan: this session's plan, else the one changed last."],
  [validate, 'Exits 0 when the structure is right and 1 when it is not. Warnings do not count.'],
])('a command that looks takes a plan and --json, and its help says: %#', (command, help) => {
  expect(command.options).toEqual({ plan: { type: 'string' }, json: { type: 'boolean' } });
  expect(command.help).toBe(help);
});
