// What a stop reads of a plan, what it asks a reviewer, and what it writes, from files and without a process.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FULL_STATE, TASKS } from '../../../test/fixtures/taskie/plan.ts';
import { contextIn } from '../../../test/support/bare-project.ts';
import { type PlanScene, planScene } from '../../../test/support/taskie-plan.ts';
import type { Changes } from '../../engine/changes/types.ts';
import type { ReviewRequest } from '../../engine/step.ts';
import { changesOf } from './changes.ts';
import { commit } from './commit.ts';
import { workflow } from './index.ts';
import { look } from './look.ts';
import { artifacts, observe } from './observe.ts';
import { reviewCall } from './review-call.ts';
import { DEFAULTS, NEW_STATE } from './state-format.ts';
import type { Change, Facts } from './types.ts';

let scene: PlanScene;
beforeEach(() => {
  scene = planScene();
  scene.sound();
});

const context = (over: Parameters<typeof contextIn>[2] = {}) => contextIn(scene.project, 'my-plan', over);
const seen = (over: Parameters<typeof contextIn>[2] = {}) => {
  const found = observe(context(over));
  if (found === null) throw new Error('the plan is gone');
  return found;
};

describe('what a stop reads', () => {
  it('is what a decision about the plan depends on', () => {
    const { facts, state, world, ...more } = seen();
    expect(facts).toEqual({
      plan: 'my-plan',
      handFired: false,
      violations: [],
      folder: expect.any(String),
      planWritten: true,
      ...{ taskWritten: false, review: null, nextNumber: 1, tasks: null, pending: null },
    });
    expect(state).toMatchObject({ kind: 'known', phase: 'new-plan', next: 'plan-review' });
    expect(world).toEqual({
      folder: scene.folder(),
      stateText: fs.readFileSync(scene.at('state.json'), 'utf8'),
    });
    expect(more).toEqual({ stateHash: expect.any(String), subject: expect.any(String) });
  });

  it('is nothing where there is no such plan', () => {
    expect(observe(contextIn(scene.project, 'other'))).toBeNull();
  });

  it('knows a hook that was fired by hand', () => {
    expect(seen({ stop: { session: null } }).facts.handFired).toBe(true);
  });

  it('has no review of a state that nobody can read, and says so', () => {
    scene.put('state.json', '[]');
    expect(seen()).toMatchObject({ state: { kind: 'broken' }, unreadable: true });
    expect(seen().facts).toMatchObject({ taskWritten: false, review: null, nextNumber: null });
    fs.rmSync(scene.at('state.json'));
    expect(seen().state).toEqual({ kind: 'absent' });
    expect(seen()).not.toHaveProperty('unreadable');
  });

  it('has the number of the coming review, and of the one that is to be answered', () => {
    scene.put('task-1-review-1.md', 'x');
    scene.put('task-1-post-review-1.md', 'x');
    scene.put('task-1-review-2.md', 'x');
    scene.setState({
      ...{ phase: 'code-review', next_phase: 'post-code-review', current_task: '1', phase_iteration: 1 },
    });
    expect(seen().facts).toMatchObject({
      ...{ taskWritten: true, review: { number: 2, answered: false }, nextNumber: 3 },
    });
    scene.setState({ phase: 'code-review', next_phase: 'complete-task', current_task: '7' });
    expect(seen().facts).toMatchObject({ taskWritten: false, review: null, nextNumber: null });
    scene.setState({ next_phase: 'plan-review', phase_iteration: null });
    expect(seen().facts.nextNumber).toBe(1);
  });

  it('has who reviews only where a review is due and it is not who is usual', () => {
    const config = {
      ...scene.project.config,
      review: { ...scene.project.config.review, chosen: true },
    };
    const chosen = { project: { ...scene.project, config } };
    expect(seen(chosen).facts.reviewers).toEqual({ pair: ['opus', 'sonnet'], standIn: null });
    expect(seen().facts).not.toHaveProperty('reviewers');
    scene.setState({ next_phase: 'create-tasks' });
    expect(seen(chosen).facts).not.toHaveProperty('reviewers');
  });

  it('has the first of the pair for a state that names nobody', () => {
    const config = {
      ...scene.project.config,
      review: { ...scene.project.config.review, models: ['haiku', 'sonnet'] as const },
    };
    const other = { project: { ...scene.project, config } };
    expect(seen(other).state).toMatchObject({ model: 'opus' });
    scene.setState({ review_model: undefined });
    expect(seen(other).state).toMatchObject({ model: 'haiku' });
  });

  it('has the floor where there is one', () => {
    const config = { ...scene.project.config, floor: { severity: 'high', from: 3 } as const };
    expect(seen({ project: { ...scene.project, config } }).facts.floor).toEqual({
      severity: 'high',
      from: 3,
    });
    expect(seen().facts).not.toHaveProperty('floor');
  });

  it('changes with the names, the table and what is nested, and with no text beside', () => {
    const before = seen().facts.folder;
    scene.put('plan.md', '# Another\n\n## Overview\n');
    expect(seen().facts.folder).toBe(before);
    const changed = [
      () => scene.put('tasks.md', `${TASKS}| 3 | pending | low | Third | unit |\n`),
      () => scene.put('notes.txt', 'x'),
      () => scene.put('sub/notes.md', 'x'),
    ].map((change) => {
      change();
      return seen().facts.folder;
    });
    expect(new Set([before, ...changed]).size).toBe(4);
  });

  it('tells a state apart by its text, and what a verdict is about by four fields alone', () => {
    const { stateHash, subject } = seen();
    scene.setState({ max_reviews: 3, review_model: 'sonnet', tdd: true, mine: 1 });
    expect(seen().stateHash).not.toBe(stateHash);
    expect(seen().subject).toBe(subject);
    const others = [
      { phase: 'plan-review' },
      { next_phase: 'tasks-review' },
      { current_task: '1' },
      { phase_iteration: 1 },
    ].map((fields) => {
      scene.setState(fields);
      return seen().subject;
    });
    scene.put('state.json', '[]');
    others.push(seen().subject);
    fs.rmSync(scene.at('state.json'));
    others.push(seen().subject);
    expect(new Set([subject, ...others]).size).toBe(7);
    const absent = seen().stateHash;
    scene.put('state.json', '');
    expect(seen().stateHash).not.toBe(absent);
  });

  it('has as many violations as stay readable', () => {
    const name = (number: number): string => `${'x'.repeat(180)}${100 + number}.md`;
    for (let number = 0; number < 25; number++) scene.put(name(number), 'x');
    const { violations } = seen().facts;
    expect(violations).toHaveLength(20);
    expect(violations[18]).toBe(`Invalid filename: ${name(18)}`);
    expect(violations[19]).toBe('and 6 more');
  });

  it('counts post-reviews and the files of tasks as what the agent makes', () => {
    for (const file of ['task-1-review-1.md', 'task-1-post-review-1.md', 'plan-post-review-12.md'])
      scene.put(file, 'x');
    for (const file of ['task-x.md', 'task-1.md.txt', 'plan-post-review-1.md.txt', 'my-task-1.md'])
      scene.put(file, 'x');
    expect(artifacts(seen().world)).toEqual(
      ['plan-post-review-12.md', 'task-1-post-review-1.md', 'task-1.md', 'task-2.md'].map((file) =>
        scene.at(file),
      ),
    );
  });
});

describe('a look at the task table', () => {
  const looked = (at: string) => look(at, context(), seen().world);
  const tasks = { ids: ['1', '2'], leftOut: 0, plain: false };

  it('before a review is its rows alone', async () => {
    expect(await looked('tasks')).toEqual({ tasks });
    scene.put('tasks.md', TASKS.replace('| 2 |', '| two |').replace('| 1 |', '| 1 |'));
    expect(await looked('tasks')).toEqual({ tasks: { ids: ['1'], leftOut: 1, plain: false } });
    fs.rmSync(scene.at('tasks.md'));
    expect(await looked('tasks')).toEqual({ tasks: { ids: [], leftOut: 0, plain: false } });
  });

  it.each([
    ['1', TASKS, { others: true, current: true }],
    ['1', TASKS.replace('| 1 | pending', '| 1 | done'), { others: true, current: false }],
    ['1', TASKS.replace('| 2 | pending', '| 2 | done'), { others: false, current: true }],
    ['1', TASKS.replaceAll('pending', 'done'), { others: false, current: false }],
    [null, TASKS, { others: true, current: false }],
  ])('after one is what is pending beside task %s, too', async (current_task, table, pending) => {
    scene.put('tasks.md', table);
    scene.setState({ current_task });
    expect(await looked('pending')).toEqual({ pending, tasks });
  });

  it('takes no task for the current one where the state is broken', async () => {
    scene.put('state.json', '[]');
    expect(await looked('pending')).toMatchObject({ pending: { others: true, current: false } });
  });

  it('has an id once, however many rows bear it', async () => {
    scene.put('tasks.md', TASKS.replace('| 2 |', '| 1 |'));
    expect(await looked('tasks')).toMatchObject({ tasks: { ids: ['1'] } });
  });
});

describe('what a reviewer is asked', () => {
  const texts = path.resolve(import.meta.dirname);
  const request = (kind: string, file = 'plan-review-2.md'): ReviewRequest => ({
    ...{ reviewer: 'claude', kind, number: 2, model: 'opus' },
    file: `.taskie/plans/my-plan/${file}`,
  });
  const asked = (kind: string, ids: readonly string[] = ['1', '2'], saved?: { began: object }) => {
    const { world, facts } = seen();
    const known: Facts = { ...facts, tasks: { ids, leftOut: 0, plain: false } };
    return reviewCall(
      request(kind),
      world,
      context(saved === undefined ? {} : { saved: { ...saved } as never }),
      known,
    );
  };
  const opening = (kind: string, ids?: readonly string[]): string[] =>
    asked(kind, ids).prompt.split('\n\nWrite your review to this exact file')[0]?.split('\n') ?? [];
  const rules = `Read the ground rules in ${texts}/ground-rules.md. Then read the plan in`;

  it('names the file and the log that must come out, and what may be read', () => {
    const call = asked('plan-review');
    expect(call).toEqual({
      prompt: expect.any(String),
      file: scene.at('plan-review-2.md'),
      log: scene.at('.review-2.log'),
      reads: [texts],
    });
    expect(call.prompt).toContain(
      `\n\nWrite your review to this exact file, and change no other file: ${scene.at('plan-review-2.md')}\n\n`,
    );
  });

  it('of a plan begins with the plan', () => {
    expect(opening('plan-review')).toEqual([
      `${rules} ${scene.at('plan.md')}, and a design.md beside it if there is one.`,
      '',
      `Now perform the plan review that ${texts}/actions/plan-review.md describes.`,
    ]);
  });

  it('of one task’s code names its file', () => {
    scene.setState({ current_task: '2' });
    expect(opening('code-review')).toEqual([
      `${rules} ${scene.at('plan.md')} and the task in ${scene.at('task-2.md')}.`,
      '',
      `Now perform the code review that ${texts}/actions/code-review.md describes, for this one task.`,
    ]);
    scene.put('state.json', '[]');
    expect(opening('code-review')[0]).toContain(`the task in ${scene.at('task-.md')}.`);
  });

  it.each([
    ['tasks-review', 'tasks review'],
    ['all-code-review', 'review of all code'],
  ])('of %s names all files of tasks', (kind, title) => {
    expect(opening(kind)).toEqual([
      `${rules} ${scene.at('plan.md')}, the task table in ${scene.at('tasks.md')}, and these task files:`,
      `- ${scene.at('task-1.md')}`,
      `- ${scene.at('task-2.md')}`,
      '',
      `Now perform the ${title} that ${texts}/actions/${kind}.md describes.`,
    ]);
  });

  it('of code comes with the changes since it began, of anything else with none', () => {
    const [task, plan] = ['a'.repeat(40), 'b'.repeat(40)];
    const since = (kind: string) => asked(kind, [], { began: { task, plan } }).changes?.since;
    expect(['plan-review', 'tasks-review', 'code-review', 'all-code-review'].map(since)).toEqual([
      undefined,
      undefined,
      task,
      plan,
    ]);
    expect(asked('code-review').changes?.since).toBeNull();
  });

  it('of one task’s code loads first what its verdict needs', async () => {
    expect(await asked('code-review').loadFirst?.()).toHaveProperty('parseTasks');
    expect(asked('all-code-review').loadFirst).toBeUndefined();
  });

  it('is nothing that taskie does not know', () => {
    expect(() => asked('dance')).toThrow('taskie has no review called dance');
  });

  it.each(['.taskie', '.taskie/plans', '.taskie/plans/my-plan'])('is refused where %s is a link', (name) => {
    const { world, facts } = seen();
    const [place, kept] = [path.join(scene.root, name), path.join(scene.root, 'kept')];
    fs.renameSync(place, kept);
    fs.symlinkSync(kept, place);
    expect(() => reviewCall(request('plan-review'), world, context(), facts)).toThrow(place);
  });

  it.each(['plan-review-2.md', '.review-2.log'])('is refused where %s is a link', (name) => {
    fs.symlinkSync(scene.at('plan.md'), scene.at(name));
    expect(() => asked('plan-review')).toThrow(scene.at(name));
  });
});

describe('what a reviewer is told of the changes', () => {
  const changes = (more: Partial<Changes> = {}): Changes => ({
    ...{ since: { kind: 'commit', commit: '0123456789abcdef' }, file: null, top: '/top' },
    ...{ count: 1, lines: ['a.ts (3 lines)'] },
    ...more,
  });
  const said = (more: Partial<Changes> = {}, review: 'code-review' | 'all-code-review' = 'code-review') =>
    changesOf(review, { task: null, plan: null })?.say(changes(more));
  const list =
    ', 1 file in all, without the plan folder. Holdfast made the list from git just now, with what is not committed and what git does not know yet; names are relative to /top:\n- a.ts (3 lines)\n\n';
  const end = ' It only shows where to look: judge the files as they are, and what calls them.';
  const none = 'There is no patch: it would be too long to read, or nothing of these could be shown in one.';

  it.each<[Changes['since'], string, string]>([
    [
      { kind: 'commit', commit: '0123456789abcdef' },
      'These files changed since this task began, at commit 0123456789ab',
      "These files changed since the plan's first task began, at commit 0123456789ab",
    ],
    [
      { kind: 'no-commit-yet' },
      'These files changed since this task began, before the first commit',
      "These files changed since the plan's first task began, before the first commit",
    ],
    [
      { kind: 'uncommitted' },
      'At which commit this task began is not known; these files are not committed yet',
      "At which commit the plan's first task began is not known; these files are not committed yet",
    ],
  ])('since %j', (since, ofTask, ofAll) => {
    expect(said({ since })).toBe(`${ofTask}${list}${none}${end}`);
    expect(said({ since }, 'all-code-review')).toBe(`${ofAll}${list}${none}${end}`);
  });

  it.each<[Changes['file'], string]>([
    [
      { kind: 'patch', path: '/p', bytes: 1023 },
      'The changes themselves are a patch in /p (1023 bytes): begin there. What a screen would hide is written in it as `<U+202E>`.',
    ],
    [
      { kind: 'patch', path: '/p', bytes: 1024 },
      'The changes themselves are a patch in /p (1 kB): begin there. What a screen would hide is written in it as `<U+202E>`.',
    ],
    [{ kind: 'list', path: '/l', bytes: 9 }, 'The whole list is in /l; a patch would be too long to read.'],
  ])('with %j', (file, where) => {
    expect(said({ file })).toContain(`\n\n${where}${end}`);
  });

  it('with as many as are listed, and how many more there are', () => {
    expect(said({ count: 5, lines: ['a', 'b'] })).toContain(', 5 files in all, ');
    expect(said({ count: 5, lines: ['a', 'b'] })).toContain(':\n- a\n- b\n- and 3 more\n\n');
    expect(said({ count: 2, lines: ['a', 'b'] })).toContain(':\n- a\n- b\n\n');
  });
});

describe('what a stop writes', () => {
  const change = (more: Partial<Change> = {}): Change => ({
    ...{ phase: 'plan-review', next: 'post-plan-review', iteration: 2, model: 'sonnet', clean: 1 },
    review: { kind: 'plan-review', task: null, iteration: 2, number: 4 },
    ...more,
  });
  const written = {
    ...{ phase: 'plan-review', phase_iteration: 2, next_phase: 'post-plan-review' },
    ...{ review_model: 'sonnet', consecutive_clean: 1 },
  };
  const made = (of = change(), over: Parameters<typeof contextIn>[2] = {}) => {
    const { world } = seen();
    const done = commit(of, world, context(over));
    const state = done.writes.at(-1);
    const text = state?.kind === 'replace' && state.path === scene.at('state.json') ? state.content : '{}';
    return { ...done, world, state: JSON.parse(String(text)) };
  };

  it('is the state last, with fields of others as they were', () => {
    scene.setState({ mine: 1 });
    const { state, writes, saved, stateHash, world } = made();
    expect(state).toEqual({ ...FULL_STATE, mine: 1, ...written });
    expect(writes).toHaveLength(1);
    expect(saved).toEqual({ review: { kind: 'plan-review', task: null, iteration: 2, number: 4 } });
    expect(world.docket).toBeUndefined();
    fs.writeFileSync(scene.at('state.json'), String((writes[0] as { content: string }).content));
    expect(seen().stateHash).toBe(stateHash);
  });

  it('has every field where there was no state', () => {
    fs.rmSync(scene.at('state.json'));
    expect(made().state).toEqual({ ...DEFAULTS, ...written });
    expect(Object.keys(made().state).sort()).toEqual(Object.keys(NEW_STATE).sort());
  });

  it('is a docket where the reviewer listed findings', () => {
    const list = [{ severity: 'high', file: null, line: null, claim: 'It breaks.', evidence: null } as const];
    const { writes, world } = made(change(), { findings: { list, cut: 0 } });
    expect(writes.map((write) => 'path' in write && path.basename(write.path))).toEqual([
      'docket.json',
      'state.json',
    ]);
    expect(world.docket).toMatchObject({ review: 'plan-review-4.md' });
    expect(made(change({ review: null }), { findings: { list, cut: 0 } }).writes).toHaveLength(1);
  });

  it('says what is wrong with a docket', () => {
    expect(made()).not.toHaveProperty('notice');
    scene.put('docket.json', '{');
    expect(made().notice).toMatch(/^Plan 'my-plan': .+ could not be understood/);
  });

  it('takes away the logs of tries that this review has passed over', () => {
    for (const number of [1, 2, 3, 4]) scene.put(`.review-${number}.log`, 'x');
    const removed = (of?: Change) =>
      made(of).writes.flatMap((write) => (write.kind === 'remove' ? path.basename(write.path) : []));
    expect(removed()).toEqual(['.review-2.log', '.review-3.log']);
    expect(removed(change({ review: null }))).toEqual([]);
  });

  it('has the commit at which a task begins', () => {
    const head = 'c'.repeat(40);
    fs.writeFileSync(path.join(scene.root, '.git/HEAD'), `${head}\n`);
    fs.mkdirSync(path.join(scene.root, '.git/objects'));
    fs.mkdirSync(path.join(scene.root, '.git/refs'));
    const { saved } = made(change({ phase: 'tasks-review', next: 'complete-task', review: null }));
    expect(saved).toEqual({ review: null, began: { task: head, plan: head } });
  });
});

describe('the plans of a project, for a stop', () => {
  it('are those with something next, and the newest of all', () => {
    scene.put('plan.md', 'x', '-odd');
    scene.setState({ next_phase: 'create-tasks' }, '-odd');
    scene.setState({ next_phase: null }, 'over');
    scene.put('state.json', '[]', 'broken');
    for (const [index, plan] of ['my-plan', 'broken', '-odd', 'over'].entries())
      for (const file of fs.readdirSync(path.dirname(scene.at('x', plan))))
        fs.utimesSync(scene.at(file, plan), 100 + index, 100 + index);
    expect(workflow.newestRun(scene.project)).toBe('over');
    expect(workflow.unfinishedRuns(scene.project)).toEqual([
      { run: 'taskie:-odd', adopt: '/taskie:continue-plan, or `holdfast taskie next --plan=-odd`' },
      { run: 'taskie:my-plan', adopt: '/taskie:continue-plan, or `holdfast taskie next --plan my-plan`' },
    ]);
  });

  it('are none where there are none', () => {
    fs.rmSync(path.join(scene.root, '.taskie'), { recursive: true });
    expect(workflow.newestRun(scene.project)).toBeNull();
    expect(workflow.unfinishedRuns(scene.project)).toEqual([]);
  });

  it.each([
    ['true', true],
    ['1', false],
    ['', false],
    [undefined, false],
  ])('are passed by where TASKIE_HOOK_SKIP is %s: %s', (value, off) => {
    expect(workflow.disabled({ TASKIE_HOOK_SKIP: value })).toBe(off);
  });

  it('claim that work is done, and are let go after three holds without progress', () => {
    expect([workflow.name, workflow.claims, workflow.guard]).toEqual([
      'taskie',
      true,
      { unmoved: 3, tools: 12 },
    ]);
  });

  it.each([
    ['post-plan-review', 'post-plan-review'],
    ['dreaming', 'fixing the plan folder'],
    [null, 'fixing the plan folder'],
  ])('are let go with what was next: %s', (next_phase, next) => {
    scene.setState({ next_phase });
    expect(workflow.released(seen().state, context(), 'three')).toEqual({
      name: 'released',
      slots: { plan: 'my-plan', next, holds: 'three' },
    });
    scene.put('state.json', '[]');
    expect(workflow.released(seen().state, context(), 'three').slots.next).toBe('fixing the plan folder');
  });
});
