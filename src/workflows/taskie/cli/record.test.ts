// What `taskie record` prints, refuses and writes, to the word; and a plan's checks and budget at its start.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FULL_STATE, TASKS } from '../../../../test/fixtures/taskie/plan.ts';
import { called } from '../../../../test/support/call.ts';
import { type PlanScene, planScene } from '../../../../test/support/taskie-plan.ts';
import { parseCommandLine } from '../../../cli/arguments.ts';
import type { Project } from '../../../engine/project.ts';
import { pinPlace } from '../../../engine/proof/pin-place.ts';
import { homeOf, sidecarPath } from '../../../store/home.ts';
import { readSidecar } from '../../../store/sidecars.ts';
import { NEW_STATE } from '../state-format.ts';
import { record } from './record.ts';
import { ACTIONS } from './transitions.ts';

let scene: PlanScene;
let project: Project;
beforeEach(() => {
  scene = planScene();
  project = scene.project;
});

const newSaid = (budget: string) => [
  '0',
  'Recorded new-plan for plan \'my-plan\'. Stop now: the plan-review starts when you do. To leave the loop, set "next_phase": null or "max_reviews": 0 in state.json.',
  `Bounds: 8 reviews of each step, ${budget}, no checks.`,
  'Its reviews: at most 24 + 8 N for N tasks, with max_reviews 8; 6 + 2 N where all of them are clean.',
];
const NEW = newSaid('no budget');
const recorded = async (args: readonly string[], of = project) =>
  called(record, of, parseCommandLine(args, record, 'taskie record'));
const state = () => JSON.parse(fs.readFileSync(scene.at('state.json'), 'utf8'));
const notes = () => readSidecar(scene.root, 'taskie:my-plan');
/** As if the first stop had pinned the checks. */
const pin = (): string => {
  const file = path.join(
    project.env.XDG_STATE_HOME ?? '',
    'holdfast',
    pinPlace(scene.root, 'taskie:my-plan'),
  );
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, '{}');
  return file;
};

describe('taskie record new-plan', () => {
  beforeEach(() => scene.put('plan.md', '# Plan\n'));

  it('writes a new state, makes the plan this session’s, and says what it may cost', async () => {
    expect(await recorded(['new-plan'])).toEqual(NEW);
    expect(fs.readFileSync(scene.at('state.json'), 'utf8')).toBe(`${JSON.stringify(NEW_STATE, null, 2)}\n`);
    expect(notes()).toMatchObject({ sessions: ['session-1'] });
    expect(notes().proof).toBeUndefined();
    expect(notes().budget).toBeUndefined();
  });

  it('is refused beside a state, which it leaves alone', async () => {
    scene.put('state.json', '[]');
    expect(await recorded(['new-plan'])).toEqual([
      'NotNow',
      expect.stringMatching(
        /^new-plan does not fit plan 'my-plan' \(state\.json broken\): .+\. It fits .+\. `holdfast taskie next --plan my-plan` says what comes next\. Nothing was written\.$/,
      ),
    ]);
    expect(fs.readFileSync(scene.at('state.json'), 'utf8')).toBe('[]');
    expect(fs.existsSync(sidecarPath(homeOf(scene.root), 'taskie:my-plan'))).toBe(false);
  });

  it('takes the settings’ budget, and the flags’ before it', async () => {
    const limits = { tokens: null, timeMs: null, reviews: 50, usd: null };
    const bounded = { ...project, config: { ...project.config, budget: limits } };
    expect(await recorded(['new-plan'], bounded)).toEqual([
      ...newSaid('50 reviews'),
      'It may spend 50 reviews; then it is paused, and a person decides whether it goes on.',
    ]);
    expect(notes().budget?.limits).toEqual(limits);
    fs.rmSync(scene.at('state.json'));
    expect(await recorded(['new-plan'], bounded)).toEqual(NEW);
    fs.rmSync(scene.at('state.json'));
    expect(await recorded(['new-plan', '--reviews', '3'], bounded)).toEqual([
      'NotNow',
      expect.stringMatching(/^taskie:my-plan has its budget already, and no start changes it\./),
    ]);
  });

  it('takes a budget that follows it', async () => {
    expect(await recorded(['new-plan', '--reviews', '3', '--hours=2'])).toEqual([
      ...newSaid('2 h, 3 reviews'),
      expect.stringMatching(
        /^It may spend .+; then it is paused, and a person decides whether it goes on\.$/,
      ),
    ]);
    expect(notes().budget?.limits).toEqual({ tokens: null, timeMs: 7_200_000, reviews: 3, usd: null });
  });

  it('notes that no check is run where that is asked', async () => {
    const said = await recorded(['new-plan', '--no-check']);
    expect(said.slice(0, 2)).toEqual(NEW.slice(0, 2));
    expect(said.at(-1)).toBe(NEW[3]);
    expect(notes().proof?.asked).toEqual({ checks: null, off: true });
  });

  it('drops the pin of an earlier plan of that name', async () => {
    const file = pin();
    expect(await recorded(['new-plan', '--no-check'])).toContain(NEW[1]);
    expect(fs.existsSync(file)).toBe(false);
  });

  it('says who reviews where Claude Code is not there', async () => {
    const bin = path.join(path.dirname(scene.root), 'only-codex');
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, 'codex'), '#!/bin/sh\n', { mode: 0o755 });
    const other = { ...project, env: { ...project.env, PATH: bin } };
    expect((await recorded(['new-plan'], other)).slice(4)).toEqual([
      expect.stringMatching(/^`claude` is not on PATH, so `codex` reviews in its place, /),
    ]);
    scene.sound({ phase: 'plan-review', next_phase: 'create-tasks' });
    expect(await recorded(['create-tasks'], other)).toHaveLength(2);
  });
});

describe('taskie record', () => {
  it('moves the plan that is named, and leaves what is not ours in its state', async () => {
    scene.sound({ phase: 'tasks-review', next_phase: 'complete-task', mine: 1 });
    scene.put('plan.md', 'x', 'other');
    expect(await recorded(['complete-task', '--task', '2', '--plan=my-plan'])).toEqual([
      '0',
      'Recorded complete-task for plan \'my-plan\'. Stop now: the code-review starts when you do. To leave the loop, set "next_phase": null or "max_reviews": 0 in state.json.',
    ]);
    expect(state()).toEqual({
      ...FULL_STATE,
      ...{ mine: 1, phase: 'complete-task', current_task: '2', next_phase: 'code-review' },
    });
  });

  it('adds fields that are missing, with the first of the pair', async () => {
    scene.sound();
    scene.put('state.json', '{"phase":"plan-review","next_phase":"create-tasks"}');
    const config = {
      ...project.config,
      review: { ...project.config.review, models: ['haiku', 'sonnet'] as const },
    };
    expect((await recorded(['create-tasks'], { ...project, config }))[0]).toBe('0');
    expect(state()).toEqual({
      ...{ ...NEW_STATE, phase: 'create-tasks', next_phase: 'tasks-review', review_model: 'haiku' },
    });
  });

  it('guesses no plan among several', async () => {
    scene.sound();
    scene.put('plan.md', 'x', 'other');
    expect(await recorded(['complete'])).toEqual([
      'WrongUsage',
      expect.stringMatching(/^there are several plans: .+\. Say which with --plan ID\.$/),
    ]);
  });

  it('names plans beside the only one that can be used', async () => {
    scene.sound({ phase: 'plan-review', next_phase: 'create-tasks' });
    scene.put('plan.md', 'x', '.old plan');
    const said = await recorded(['create-tasks']);
    expect(said).toHaveLength(3);
    expect(said[2]).toMatch(/^".old plan" is in \.taskie\/plans, but is not used: /);
  });

  it('warns at the end of rows that nobody asked about, and only then', async () => {
    scene.sound({ phase: 'all-code-review', next_phase: 'complete' });
    scene.put('tasks.md', TASKS.replaceAll('pending', 'done').replace('| 2 |', '| two |'));
    expect(await recorded(['complete'])).toEqual([
      '0',
      "Recorded complete for plan 'my-plan'. Nothing follows by itself: stop, and tell the user.",
      "Warning: 1 row(s) of tasks.md were left out of plan 'my-plan', because their Id is not a number. Give each a number: as long as one of them says pending, the plan is not complete.",
    ]);
    scene.setState({ phase: 'plan-review', next_phase: 'create-tasks' });
    expect(await recorded(['create-tasks'])).toHaveLength(2);
  });

  it('says where a plan stands to which an action does not fit', async () => {
    scene.sound({ phase: 'plan-review', next_phase: 'post-plan-review' });
    expect((await recorded(['post-plan-review']))[1]).toMatch(
      /^post-plan-review does not fit plan 'my-plan' \(phase plan-review, task none, next post-plan-review\): there is no plan-review in the plan folder\. It fits /,
    );
    scene.setState({ phase: 7, next_phase: null, current_task: '1' });
    expect((await recorded(['post-plan-review']))[1]).toMatch(
      /^post-plan-review does not fit plan 'my-plan' \(phase none, task 1, next none\): /,
    );
  });

  it('is refused where state.json cannot be read', async () => {
    scene.sound();
    fs.rmSync(scene.at('state.json'));
    fs.mkdirSync(scene.at('state.json'));
    expect((await recorded(['complete']))[1]).toMatch(
      /state\.json is a folder where a file belongs; to fix it, /,
    );
  });

  it.each([
    [['complet'], 'taskie record: there is no action "complet" (did you mean "complete"?).'],
    [['dance'], 'taskie record: there is no action "dance".'],
  ])('knows its actions, and not %j', async (words, said) => {
    expect(await recorded(words)).toEqual(['WrongUsage', `${said} Actions: ${ACTIONS.join(', ')}.`]);
  });

  it.each([
    [
      ['complete', '--accept-red', 'test'],
      'taskie record complete takes no --check, --no-check and --accept-red; `taskie record new-plan` and `taskie next` do.',
    ],
    [
      ['complete', '--reviews', '3'],
      'taskie record complete takes no --tokens, --hours and --reviews; `taskie record new-plan` and `taskie next` do.',
    ],
    [['new-plan', '--check', 'a', '--no-check'], '--check and --no-check exclude each other.'],
    [['complete-task', '--task', 'x'], '--task: a task id is a number, like 3.'],
  ])('is used wrongly as %j', async (words, said) => {
    scene.sound();
    expect(await recorded(words)).toEqual(['WrongUsage', said]);
  });

  it('has a budget refused in the name of the action', async () => {
    scene.put('plan.md', 'x');
    expect((await recorded(['new-plan', '--reviews', 'many']))[1]).toMatch(
      /^taskie record new-plan: --reviews takes .+, not "many"\.$/,
    );
  });
});
