import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  budgetOf,
  emptyFolder,
  giveBudget,
  NOW,
  projectIn,
  writeIn,
} from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import { NO_GUARD_MEMORY, NO_WAITS } from '../../../store/records.ts';
import { bind, readSidecar, writeSidecar } from '../../../store/sidecars.ts';
import { FALLBACK_FILE, LOG_FILE, TOPIC } from '../files.ts';
import { COMMAND_REACH, latestOf } from '../topic-log.ts';
import { resume } from './resume.ts';

const frame = { mode: 'loop', iter: 2, max: 10 };
const GOES_ON = ['0', 'idle:r1 goes on: loop, iteration 2/10. It holds this session again.'];

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root, { env: { CLAUDE_CODE_SESSION_ID: 'session-1' } });
});

const isoAt = (time: number): string => `${new Date(time).toISOString().slice(0, -5)}Z`;
const put = (state: object, sessions = ['session-1'], after = ''): void => {
  const fresh = { schema: 1, run_id: 'r1', updated_at: isoAt(NOW - 60_000), stack: [frame] };
  const lines = [
    { type: 'topic', id: 'T', name: 'loop:current' },
    { type: 'message', id: 'M', topic_id: 'T', body: JSON.stringify({ ...fresh, ...state }) },
  ];
  writeIn(project, LOG_FILE, `${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}${after}`);
  if (sessions.length > 0) bind(root, 'idle:r1', sessions);
};
const note = (over: object): void => writeSidecar(root, { ...readSidecar(root, 'idle:r1'), ...over });
const stateNow = () => {
  const latest = latestOf(TOPIC, root, null, COMMAND_REACH);
  return latest.kind === 'message' ? JSON.parse(latest.body) : latest.kind;
};
const asOfNow = { schema: 1, run_id: 'r1', event: 'STATE', updated_at: isoAt(NOW), stack: [frame] };
const linkToNowhere = (file: string): void => {
  fs.rmSync(writeIn(project, file, ''));
  fs.symlinkSync('nowhere', path.join(root, file));
};

describe('idle resume is refused', () => {
  it('without a project', async () => {
    expect(await called(resume, null)).toEqual(['NotNow', 'there is no loop here, so nothing to resume.']);
  });

  it.each<[object | null, string]>([
    [null, 'no loop'],
    [{ event: 'DONE', stack: [] }, 'ended'],
    [{ event: 'ABORT' }, 'ended'],
    [{ stack: [] }, 'ended'],
    [{ event: 'NEW' }, 'its state cannot be read'],
  ])('where there is %j', async (state, stage) => {
    if (state !== null) put(state);
    expect(await called(resume, project)).toEqual(['NotNow', `nothing to resume here: ${stage}.`]);
  });

  it('where nobody can see whether there is one', async () => {
    linkToNowhere(FALLBACK_FILE);
    expect(await called(resume, project)).toEqual([
      'NotNow',
      expect.stringContaining('is a link to nowhere; '),
    ]);
    put({ stack: [] });
    expect(await called(resume, project)).toEqual(['NotNow', 'nothing to resume here: ended.']);
  });

  it('where it goes on already, here or elsewhere', async () => {
    put({});
    expect(await called(resume, project)).toEqual([
      'NotNow',
      'idle:r1 goes on already: loop, iteration 2/10.',
    ]);
    put({}, ['session-2']);
    expect(await called(resume, project)).toEqual([
      'NotNow',
      "idle:r1 goes on in another session. `holdfast adopt idle:r1` makes it this session's.",
    ]);
  });

  it('where its budget is spent', async () => {
    put({ event: 'DONE' });
    giveBudget(project, budgetOf(project, 'idle:r1', { stage: 'paused' }));
    expect(await called(resume, project)).toEqual([
      'NotNow',
      expect.stringMatching(/^idle:r1 is paused: its budget is spent\. A person grants more/),
    ]);
    expect(stateNow().event).toBe('DONE');
  });
});

describe('idle resume', () => {
  it('is a command without words', () => {
    const { run: _, ...rest } = resume;
    expect(rest).toEqual({
      name: 'resume',
      summary: 'go on with a loop that was let go, went stale, or was left under an inner one',
      usage: '',
      help: 'For a run that is paused since its budget is spent, there is `holdfast resume`: it grants more.',
      ...{ options: {}, writes: true, words: { least: 0, most: 0 } },
    });
  });

  it.each<[string, object, string]>([
    ['is stale', { updated_at: isoAt(NOW - 7_201_000) }, ''],
    ['was left under an inner one', { event: 'DONE', reason: 'STUCK' }, ''],
    ['no stop finds any more', { note: 'kept' }, `${' '.repeat(4 * 1024 * 1024)}\n`],
  ])('posts the state again of a loop that %s', async (_, state, after) => {
    put(state, ['session-2'], after);
    note({ waits: { ...NO_WAITS, waited: 1, questions: 2 } });
    expect(await called(resume, project)).toEqual(GOES_ON);
    expect(stateNow()).toEqual({ ...asOfNow, ...('note' in state ? { note: 'kept' } : {}) });
    const { sessions, waits } = readSidecar(root, 'idle:r1');
    expect([sessions, waits?.waited]).toEqual([['session-1'], 0]);
  });

  it('only binds a loop that is nobody’s', async () => {
    put({}, []);
    note({ waits: { ...NO_WAITS, waited: 1 } });
    expect(await called(resume, project)).toEqual(GOES_ON);
    expect(stateNow().updated_at).toBe(isoAt(NOW - 60_000));
    const { sessions, waits, saved } = readSidecar(root, 'idle:r1');
    expect([sessions, waits?.waited]).toEqual([['session-1'], 1]);
    expect(saved).toMatchObject({ position: { topic: 'T' } });
  });

  it('only binds a loop that was let go, also in another session', async () => {
    put({}, ['session-2']);
    note({ guard: { 'session-2': { ...NO_GUARD_MEMORY, released: true } } });
    expect(await called(resume, project)).toEqual(GOES_ON);
    expect(stateNow().updated_at).toBe(isoAt(NOW - 60_000));
    expect(readSidecar(root, 'idle:r1')).toMatchObject({ sessions: ['session-1'], guard: {} });
  });

  it('is in the journal as an adoption', async () => {
    put({}, []);
    await called(resume, project);
    const lines = fs.readFileSync(path.join(root, '.holdfast/journal.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: 'adopt', run: 'r1' }]);
  });

  it('gives the file of a loop a new time, and leaves its text', async () => {
    const text = '---\nactive: true\niteration: 3\nmax_iterations: 9\n---\nFix it.\n';
    const file = writeIn(project, FALLBACK_FILE, text);
    fs.utimesSync(file, NOW / 1000 - 8000, NOW / 1000 - 8000);
    expect(await called(resume, project)).toEqual([
      '0',
      'idle:local-file goes on: loop, iteration 3/9. It holds this session again.',
    ]);
    expect([fs.readFileSync(file, 'utf8'), fs.statSync(file).mtimeMs > NOW]).toEqual([text, true]);
    expect(fs.existsSync(path.join(root, LOG_FILE))).toBe(false);
  });
});
