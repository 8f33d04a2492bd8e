import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, NOW, projectIn, writeIn } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import { NO_WAITS } from '../../../store/records.ts';
import { bind, readSidecar, writeSidecar } from '../../../store/sidecars.ts';
import { FALLBACK_FILE, LOG_FILE, TOPIC } from '../files.ts';
import { COMMAND_REACH, latestOf } from '../topic-log.ts';
import { cancel, cancelAll } from './cancel.ts';
import { loopOf } from './which-loop.ts';

const frame = { mode: 'loop', iter: 2, max: 10 };
const AT = '2026-01-31T09:30:00Z';
const NOTHING = ['NotNow', 'no loop goes on here, so there is nothing to cancel.'];
const GONE = ['0', 'idle:r1 is cancelled; the agent is let go at its next stop.'];

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root, { env: { CLAUDE_CODE_SESSION_ID: 'session-1' } });
});

const put = (state: object): void => {
  const fresh = { schema: 1, run_id: 'r1', updated_at: '2026-01-31T09:29:00Z', stack: [frame] };
  const lines = [
    { type: 'topic', id: 'T', name: 'loop:current' },
    { type: 'message', id: 'M', topic_id: 'T', body: JSON.stringify({ ...fresh, ...state }) },
  ];
  writeIn(project, LOG_FILE, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  bind(root, 'idle:r1', ['session-1']);
};
const stateNow = () => {
  const latest = latestOf(TOPIC, root, null, COMMAND_REACH);
  return latest.kind === 'message' ? JSON.parse(latest.body) : latest.kind;
};
const journal = () => {
  const file = path.join(root, '.holdfast/journal.jsonl');
  if (!fs.existsSync(file)) return [];
  return fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
};
const top = { flags: { top: true } };
const ended = { schema: 1, event: 'ABORT', reason: 'USER_CANCELLED', updated_at: AT, stack: [] };

describe('idle cancel', () => {
  it('has nothing to cancel without a project', async () => {
    expect(await called(cancel, null)).toEqual(NOTHING);
  });

  it.each([
    [null],
    [{ event: 'DONE' }],
    [{ event: 'ABORT' }],
    [{ stack: [] }],
    [{ event: 'DONE', stack: [frame, frame] }],
  ])('has nothing to cancel of %j', async (state) => {
    if (state !== null) put(state);
    expect(await called(cancel, project)).toEqual(NOTHING);
    expect(await called(cancel, project, top)).toEqual(NOTHING);
    expect(journal()).toEqual([]);
  });

  it('has nothing to cancel of a loop that is lost in its log', () => {
    const found = { ...loopOf(project), state: { kind: 'lost' as const } };
    expect(() => cancelAll(project, found)).toThrow(NOTHING[1]);
  });

  it('says which file is in the way', async () => {
    fs.rmSync(writeIn(project, FALLBACK_FILE, ''));
    fs.symlinkSync('nowhere', path.join(root, FALLBACK_FILE));
    expect(await called(cancel, project)).toEqual([
      'NotNow',
      expect.stringContaining('is a link to nowhere; '),
    ]);
    put({ stack: [] });
    expect(await called(cancel, project)).toEqual(NOTHING);
  });

  it.each([
    ['all of them', {}, [frame, frame]],
    ['the only one, with --top', top, [frame]],
  ])('ends %s', async (_, given, stack) => {
    put({ stack, note: 'kept' });
    expect(await called(cancel, project, given)).toEqual(GONE);
    expect(stateNow()).toEqual({ ...ended, run_id: 'r1', note: 'kept' });
    expect(journal()).toMatchObject([{ event: 'cancel', workflow: 'idle', run: 'r1' }]);
  });

  it('ends a stale one too', async () => {
    put({ updated_at: '2026-01-31T01:00:00Z' });
    expect(await called(cancel, project)).toEqual(GONE);
    expect(stateNow()).toEqual({ ...ended, run_id: 'r1' });
  });

  it('with --top ends the innermost alone, and the rest counts from now', async () => {
    put({ stack: [{ ...frame, iter: 5 }, frame], updated_at: '2026-01-31T01:00:00Z' });
    writeSidecar(root, { ...readSidecar(root, 'idle:r1'), waits: { ...NO_WAITS, waited: 1 } });
    expect(await called(cancel, project, top)).toEqual([
      '0',
      'The innermost loop of idle:r1 is cancelled. What is left: loop, iteration 5/10.',
    ]);
    expect(stateNow()).toEqual({
      ...{ schema: 1, run_id: 'r1', event: 'STATE', updated_at: AT, stack: [{ ...frame, iter: 5 }] },
    });
    expect(readSidecar(root, 'idle:r1').waits?.waited).toBe(0);
    expect(journal()).toEqual([]);
  });

  it('puts the file of a loop away', async () => {
    const file = writeIn(project, FALLBACK_FILE, '---\nactive: true\n---\nFix it.\n');
    fs.utimesSync(file, NOW / 1000, NOW / 1000);
    expect(await called(cancel, project, top)).toEqual([
      '0',
      'idle:local-file is cancelled; the agent is let go at its next stop.',
    ]);
    expect([fs.existsSync(file), fs.existsSync(path.join(root, LOG_FILE))]).toEqual([false, false]);
    expect(fs.existsSync(path.join(root, `.holdfast/idle/idle-loop.${NOW}.md`))).toBe(true);
    expect(journal()).toMatchObject([{ event: 'cancel', run: 'local-file' }]);
  });

  it('gets rid of a state that nobody can read', async () => {
    put({ event: 'NEW' });
    expect(await called(cancel, project)).toEqual([
      '0',
      'The loop is cancelled; the agent is let go at its next stop.',
    ]);
    expect(stateNow()).toEqual({ ...ended, run_id: 'unreadable' });
    expect(journal()).toEqual([]);
  });
});
