import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, NOW, projectIn, writeIn } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import { NO_GUARD_MEMORY, NO_WAITS } from '../../../store/records.ts';
import { bind, readSidecar, writeSidecar } from '../../../store/sidecars.ts';
import { FALLBACK_FILE, LOG_FILE } from '../files.ts';
import { report, status } from './status.ts';
import { loopOf } from './which-loop.ts';

const AT = '2026-01-31T09:30:00Z';
const frame = { mode: 'loop', iter: 2, max: 10 };

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root, { env: { CLAUDE_CODE_SESSION_ID: 'session-1' } });
});

/** Posts a state as the loop's latest; of `session-1` unless it is said of whom. */
const put = (state: object, sessions = ['session-1']): void => {
  const body = JSON.stringify({ schema: 1, run_id: 'r1', updated_at: AT, stack: [frame], ...state });
  const lines = [
    { type: 'topic', id: 'T', name: 'loop:current' },
    { type: 'message', id: 'M', topic_id: 'T', body },
  ];
  writeIn(project, LOG_FILE, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  if (sessions.length > 0) bind(root, 'idle:r1', sessions);
};
const note = (over: object): void => writeSidecar(root, { ...readSidecar(root, 'idle:r1'), ...over });
const shown = async (place: Project | null = project) => called(status, place);
const data = async (place: Project | null = project) => {
  const [code, text = '', ...more] = await called(status, place, { flags: { json: true } });
  expect([code, more]).toEqual(['0', []]);
  expect(text).toMatch(/^\{\n {2}"/);
  return JSON.parse(text);
};
const NONE = { run: null, live: false, frames: [] };
const NO_LOOP = ['0', 'No loop here. `holdfast idle loop <task>` starts one.'];

describe('idle status', () => {
  it('says that there is no loop, with a project or without', async () => {
    expect(await shown(null)).toEqual(NO_LOOP);
    expect(await shown()).toEqual(NO_LOOP);
    expect(await data(null)).toEqual(NONE);
    expect(await data()).toEqual({ ...NONE, stage: 'no loop' });
  });

  it('is refused where nobody can see whether there is one', async () => {
    writeIn(project, FALLBACK_FILE, '');
    fs.rmSync(path.join(root, FALLBACK_FILE));
    fs.symlinkSync('nowhere', path.join(root, FALLBACK_FILE));
    for (const flags of [{}, { json: true }])
      expect(await called(status, project, { flags })).toEqual([
        'NotNow',
        expect.stringMatching(/idle-loop\.local\.md is a link to nowhere; to fix it, run `rm /),
      ]);
    put({});
    expect(await shown()).toEqual(['0', 'idle:r1  loop, iteration 2/10', '  1. loop 2/10  ']);
  });

  it('shows each frame with the first line of its task', async () => {
    writeIn(project, '.holdfast/task.md', 'Fix the parser.\nAll of it.\n');
    const stack = [
      { mode: 'grind', iter: 3, max: 100, filter: 'label bug' },
      { mode: 'issue', iter: 1, max: 10, issue_id: 'y'.repeat(81) },
      { ...frame, issue_id: 'z'.repeat(80) },
      { ...frame, prompt_file: '.holdfast/task.md' },
    ];
    put({ stack });
    expect(await shown()).toEqual([
      '0',
      'idle:r1  loop, iteration 2/10, 4 deep',
      '  1. grind 3/100  label bug',
      `  2. issue 1/10  ${'y'.repeat(79)}…`,
      `  3. loop 2/10  ${'z'.repeat(80)}`,
      '  4. loop 2/10  Fix the parser.',
    ]);
  });

  it('says of a state that cannot be read that it cannot', async () => {
    put({ event: 'NEW' });
    expect(await shown()).toEqual(['0', 'The loop: its state cannot be read.']);
    expect(await data()).toEqual({ ...NONE, stage: 'its state cannot be read' });
  });

  it.each([
    [['session-1'], ''],
    [['session-2'], ", another session's: `holdfast adopt idle:r1` makes it this session's"],
    [[], ", nobody's: `holdfast adopt idle:r1` makes it this session's"],
  ])('says of a loop of %j whose it is', async (sessions, words) => {
    put({}, sessions);
    expect((await shown())[1]).toBe(`idle:r1  loop, iteration 2/10${words}`);
  });

  it('says of a loop that was let go how to go on, and of one that is over nothing', async () => {
    put({}, ['session-2']);
    note({ guard: { 'session-2': { ...NO_GUARD_MEMORY, released: true } } });
    expect((await shown())[1]).toBe(
      'idle:r1  loop, iteration 2/10, let go, no progress: `holdfast idle resume` goes on with it',
    );
    put({ event: 'DONE' }, []);
    expect((await shown())[1]).toBe('idle:r1  ended, 1 kept for resume');
  });

  it('goes by the loop’s own clock', async () => {
    put({ updated_at: '2026-01-31T07:29:59Z' });
    expect((await shown())[1]).toContain('stale');
    expect(await data()).toMatchObject({ live: false, stale: true });
    note({ waits: { ...NO_WAITS, waited: 1000 } });
    expect((await shown())[1]).toBe('idle:r1  loop, iteration 2/10');
    expect(await data()).toMatchObject({ live: true, stale: false });
  });
});

describe('a loop as data', () => {
  it('is all that is known of it', async () => {
    const stack = [{ ...frame, carry_on: true, issue_id: 'A-1' }, frame];
    put({ event: 'DONE', reason: 'STUCK', stack });
    note({ guard: { 'session-1': { ...NO_GUARD_MEMORY, released: true } } });
    expect(await data()).toEqual({
      ...{ run: 'idle:r1', source: 'topic', event: 'DONE', reason: 'STUCK' },
      ...{ updated_at: '2026-01-31T09:30:00.000Z', live: false, stale: false, released: true, mine: true },
      frames: [
        { mode: 'loop', iteration: 2, max: 10, carry_on: true, task: 'A-1' },
        { mode: 'loop', iteration: 2, max: 10, carry_on: false, task: null },
      ],
    });
  });

  it('has null for what is not known', () => {
    put({ updated_at: 'today', reason: 7 }, ['session-2']);
    expect(report(project, loopOf(project))).toMatchObject({
      ...{ reason: null, updated_at: null, live: false, stale: true, released: false, mine: false },
    });
  });

  it('is that of the file where it is read from there', () => {
    writeIn(project, FALLBACK_FILE, '---\nactive: true\niteration: 3\n---\nFix it.\n');
    fs.utimesSync(path.join(root, FALLBACK_FILE), NOW / 1000, NOW / 1000);
    expect(report(project, loopOf(project))).toEqual({
      ...{ run: 'idle:local-file', source: 'file', event: 'STATE', reason: null },
      ...{ updated_at: '2026-01-31T09:30:00.000Z', live: true, stale: false, released: false, mine: false },
      frames: [{ mode: 'loop', iteration: 3, max: 10, carry_on: false, task: 'Fix it.' }],
    });
  });
});
