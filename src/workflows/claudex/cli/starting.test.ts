// What a start of a loop reads, refuses, says and writes.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, putLoop, writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, NOW, projectIn } from '../../../../test/support/bare-project.ts';
import { called, callIn } from '../../../../test/support/call.ts';
import { programs } from '../../../../test/support/programs.ts';
import type { Project } from '../../../engine/project.ts';
import { fingerprint } from '../../../store/fingerprint.ts';
import { bind, readSession, readSidecar } from '../../../store/sidecars.ts';
import { type StateDir, stateDirOf } from '../files.ts';
import { readLoops } from '../loops.ts';
import { doctor } from './doctor.ts';
import { cli } from './index.ts';
import { plan } from './plan.ts';
import { review } from './review.ts';
import { readStartFlags } from './start-flags.ts';
import { status } from './status.ts';
import { refuseUnusable } from './usable-path.ts';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  const { env } = programs({ codex: {} });
  project = projectIn(root, { env: { CLAUDE_CODE_SESSION_ID: 'session-1', PATH: env.PATH } });
});

const only = () => {
  const [known, ...more] = readLoops(stateDirOf(project));
  if (known === undefined || more.length > 0) throw new Error('there is not one loop');
  return known;
};

describe('a start of a plan', () => {
  it('says what the agent is to do, and writes the loop down', async () => {
    const said = await called(plan, project, { words: ['a', 'cache'] });
    const { id, loop } = only();
    expect(id).toMatch(/^20260131-093000-[0-9a-f]{6}$/);
    expect(said).toEqual([
      '0',
      `Claudex plan loop ${id} has started, with at most 3 review rounds. It belongs to this session.\nTopic: a cache\nBounds: 3 review rounds, no budget.\n\nNow draft the plan in ${root}/PLAN.md: what is to be built and why, the steps in order, what each one touches, how it is tested, how it is undone, and what is left out. Do not start building. When the draft is written, end your turn: the first review round starts by itself.`,
    ]);
    expect(loop).toMatchObject({
      ...{ mode: 'plan', phase: 'drafting', round: 1, maxRounds: 3, topic: 'a cache' },
      ...{ fromDraft: false, interviewUsed: false },
    });
    const { path: folder } = stateDirOf(project);
    expect(fs.readdirSync(folder).sort()).toEqual([`${id}.lock`, `${id}.state`, 'log']);
    expect(fs.readFileSync(path.join(folder, `${id}.lock`), 'utf8')).toBe(`${process.pid}\n`);
    expect(fs.readFileSync(path.join(folder, 'log'), 'utf8')).toBe(
      `[2026-01-31T09:30:00Z] start ${id}: plan, at most 3 rounds\n`,
    );
    expect(fs.readFileSync(path.join(folder, `${id}.state`), 'utf8')).toMatch(/^session_id: session-1$/m);
    const { sessions, saved } = readSidecar(root, `claudex:${id}`);
    expect([sessions, saved]).toEqual([['session-1'], { plan: null }]);
  });

  it('goes by its flags', async () => {
    writeAt(path.join(root, 'PLAN.md'), '# Plan\n');
    const flags = { rounds: '5', 'from-draft': true, interviewed: true, reviews: '4' };
    const [code, said, budget, ...more] = await called(plan, project, { flags, stdin: ' a cache \n' });
    const { id, loop } = only();
    expect([code, more]).toEqual(['0', []]);
    expect(said).toBe(
      `Claudex plan loop ${id} has started from the draft that is there, with at most 5 review rounds. It belongs to this session.\nTopic: a cache\nBounds: 5 review rounds, 4 reviews.\n\nNow read ${root}/PLAN.md, so that you know what will be reviewed; fix it where it misses the topic. Then end your turn: the first review round starts by itself.`,
    );
    expect(budget).toBe(
      'It may spend 4 reviews; then it is paused, and a person decides whether it goes on.',
    );
    expect(loop).toMatchObject({ maxRounds: 5, fromDraft: true, interviewUsed: true });
    const sidecar = readSidecar(root, `claudex:${id}`);
    expect(sidecar.saved).toEqual({ plan: fingerprint('# Plan\n') });
    expect(sidecar.budget?.limits.reviews).toBe(4);
  });

  it('goes by the variables, of plans and of reviews', async () => {
    const env = { ...project.env, CLAUDEX_MAX_PLAN_ROUNDS: '7', CLAUDEX_MAX_REVIEW_ROUNDS: '9' };
    await called(plan, { ...project, env }, { words: ['x'] });
    expect(only().loop.maxRounds).toBe(7);
    fs.rmSync(stateDirOf(project).path, { recursive: true });
    await called(review, { ...project, env });
    expect(only().loop.maxRounds).toBe(9);
  });

  it('cuts a long topic where it says it, and keeps it whole', async () => {
    const topic = 'y'.repeat(1001);
    const [, said = ''] = await called(plan, project, { words: [topic] });
    expect(said.split('\n')[1]).toBe(`Topic: ${'y'.repeat(1000)} …`);
    expect(only().loop.topic).toBe(topic);
  });

  it('says which reviewer is missing, and how to get it', async () => {
    const bare = { ...project, env: { ...project.env, PATH: root } };
    expect((await called(plan, bare, { words: ['x'] }))[1]).toBe(
      'Note: codex is not on the PATH of this shell, so no reviewer can be started from it, and every round would count as not reviewed. Tell the user now. To fix it: install the Codex CLI (npm install -g @openai/codex), or add its folder to the PATH with which the client is started; `holdfast claudex doctor` checks it. If only a login shell has it on its PATH, run the reviewer in one.',
    );
  });

  it('leaves this session its other runs, but none of its loops', async () => {
    putLoop(project, { phase: 'done' });
    bind(root, `claudex:${ID}`, ['session-1']);
    bind(root, 'taskie:my-plan', ['session-1']);
    const [, said = ''] = await called(plan, project, { words: ['x'] });
    const id = /loop (\S+) has started/.exec(said)?.[1];
    expect(readSession(root, 'session-1')?.runs.toSorted()).toEqual([`claudex:${id}`, 'taskie:my-plan']);
  });

  it('in a folder that others share makes that folder, and those above it', async () => {
    const shared = path.join(path.dirname(root), 'shared/by/all');
    const moved = { ...project, env: { ...project.env, CLAUDEX_STATE_DIR: shared } };
    expect(await called(status, moved)).toEqual(['0', 'no loops']);
    expect(await called(doctor, moved)).toContain(`ok    the state folder can be written: ${shared}`);
    expect((await called(plan, moved, { words: ['x'] }))[0]).toBe('0');
    expect(fs.readdirSync(shared).filter((name) => name.endsWith('.state'))).toHaveLength(1);
    expect(fs.existsSync(path.join(root, '.claude'))).toBe(false);
  });

  it('is refused where the folder is a link', async () => {
    fs.mkdirSync(path.join(root, 'elsewhere'));
    fs.symlinkSync(path.join(root, 'elsewhere'), path.join(root, '.claude'));
    expect((await called(plan, project, { words: ['x'] }))[0]).not.toBe('0');
    expect(fs.readdirSync(path.join(root, 'elsewhere'))).toEqual([]);
  });
});

it('a start of a review says only to end the turn', async () => {
  const said = await called(review, project, { flags: { reviews: '2' } });
  const { id, loop } = only();
  expect(said).toEqual([
    '0',
    `Claudex review ${id} has started. It belongs to this session.\nBounds: one review round, 2 reviews.\n\nJust end your turn now: the hook hands you the reviewer to run.`,
    'It may spend 2 reviews; then it is paused, and a person decides whether it goes on.',
  ]);
  expect(loop).toMatchObject({ mode: 'review', topic: '', maxRounds: 3 });
});

describe('the flags of a start', () => {
  const read = (flags: Record<string, string | boolean>, mode: 'plan' | 'review' = 'plan') =>
    readStartFlags(callIn(root, { flags, env: project.env }).call, mode);
  const budget = { tokens: null, timeMs: null, reviews: null, usd: null };

  it('are none where none are given', () => {
    expect(read({})).toEqual({ rounds: null, fromDraft: false, interviewed: false, budget });
    expect(read({ 'skip-interview': true })).toEqual(read({}));
  });

  it('are read each by itself', () => {
    expect(read({ rounds: '12' }).rounds).toBe(12);
    expect(read({ 'from-draft': true })).toMatchObject({ fromDraft: true, interviewed: false });
    expect(read({ interviewed: true })).toMatchObject({ fromDraft: false, interviewed: true });
    expect(read({ hours: '2' }).budget).toEqual({ ...budget, timeMs: 7_200_000 });
  });

  it.each(['0', '-1', 'x', '', '1.5'])('take no %j rounds', (rounds) => {
    expect(() => read({ rounds }, 'review')).toThrow(
      `claudex review: --rounds takes a whole number above 0, not "${rounds}".`,
    );
  });

  it('say of a budget that says nothing whose flag it is', () => {
    expect(() => read({ tokens: 'many' })).toThrow(/^claudex plan: --tokens takes .+, not "many"\.$/);
  });
});

describe('a path in which no loop can be kept', () => {
  const refuse = (folder: string, state = path.join(folder, '.claude/claudex')) =>
    refuseUnusable({ ...project, root: folder }, { ...stateDirOf(project), path: state } as StateDir);

  it.each([
    ['/a\nb', '"/a\\nb"', 'has a line break or another control character in it'],
    ['/a\u001bb', '"/a\\u001bb"', 'has a line break or another control character in it'],
    ['/a\u2028b', '"/a\\u2028b"', 'has a line break or another control character in it'],
    ['/a\u2029b', '"/a\\u2029b"', 'has a line break or another control character in it'],
    ['/a\u0085b', '"/a\\u0085b"', 'has a line break or another control character in it'],
    ['/a\u202eb', '"/a\\u202eb"', 'has a character in it that is not seen or changes the direction of text'],
  ])('%j is refused as %s', (folder, shown, wrong) => {
    expect(() => refuse(folder)).toThrow(
      `claudex: the path of this project, ${shown}, ${wrong}, and no loop can be kept there. Rename the folder, and start again.`,
    );
    expect(() => refuse('/plain', folder)).toThrow(
      `claudex: the folder CLAUDEX_STATE_DIR, ${shown}, ${wrong}, and no loop can be kept there. Rename the folder, and start again.`,
    );
  });

  it.each(['/a b/c', '/a\tb', "/it's/ä/計画"])('%j is none', (folder) => {
    expect(() => refuse(folder)).not.toThrow();
  });

  it('is one of bytes that are no UTF-8', () => {
    expect(() => refuse('/nowhere/\uFFFD')).toThrow(/has bytes in it that are no UTF-8/);
  });
});

describe('the list of loops', () => {
  it('has the commands in the order in which they are shown', () => {
    expect(cli.commands.map(({ name }) => name)).toEqual([
      ...['plan', 'review', 'done', 'wait', 'status', 'doctor', 'cancel', 'rollback'],
    ]);
    expect(cli.driven).toEqual({ keepsSession: true });
  });

  it('says that reviews/ is written to by a review alone, and by one that goes on', () => {
    const { dir, files } = putLoop(project, { mode: 'review' });
    const places = () => cli.places?.(project).map((place) => place.path);
    expect(places()).toEqual([
      ...[dir.path, files.folder, path.join(root, '.claude'), dir.path, path.join(root, 'reviews')],
    ]);
    putLoop(project, { mode: 'review', phase: 'done' });
    expect(places()).toEqual([dir.path]);
  });

  it('names links on the way to the loops once', () => {
    putLoop(project, { mode: 'review' });
    fs.mkdirSync(path.join(root, 'kept'));
    fs.symlinkSync(path.join(root, 'kept'), path.join(root, 'reviews'));
    fs.renameSync(path.join(root, '.claude'), path.join(root, 'claude'));
    fs.symlinkSync(path.join(root, 'claude'), path.join(root, '.claude'));
    expect(cli.unused?.(project).map(({ run, folder }) => [run, folder])).toEqual([
      ['.claude', path.join(root, '.claude')],
      ['reviews', path.join(root, 'reviews')],
    ]);
  });

  it('names none where the folder is none', () => {
    writeAt(path.join(root, '.claude'), 'x', NOW);
    expect(cli.unused?.(project)).toEqual([]);
    expect(cli.places?.(project)).toEqual([{ path: stateDirOf(project).path, kind: 'folder' }]);
  });
});
