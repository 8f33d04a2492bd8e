import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { contextIn, emptyFolder, NOW, projectIn } from '../../../test/support/bare-project.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { commit } from './commit.ts';
import { FALLBACK_FILE, LOG_FILE } from './files.ts';
import type { World } from './observe.ts';
import { type FoundLoop, readLoop } from './read-loop.ts';
import { NOTHING_SAVED } from './saved.ts';
import { liveRuns } from './short.ts';
import { HOOK_REACH } from './topic-log.ts';
import type { Change } from './types.ts';
import { newestRun, unfinishedRuns } from './unfinished-runs.ts';

let root: string;
beforeEach(() => {
  root = emptyFolder();
});

const write = (file: string, text: string): void => {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), text);
};
const FILE = '---\nactive: true\nmode: grind\niteration: 3\nmax_iterations: 9\n---\nFix the parser.\n';
const found = (): FoundLoop => readLoop(root, NOTHING_SAVED, HOOK_REACH);
const postLine = (body: unknown): void => {
  const opening = { type: 'topic', id: 'T', name: 'loop:current' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const message = { type: 'message', id: 'M', topic_id: 'T', body: text };
  write(LOG_FILE, `${JSON.stringify(opening)}\n${JSON.stringify(message)}\n`);
};
const state = (fields: object = {}) => ({
  schema: 1,
  event: 'STATE',
  run_id: 'r1',
  updated_at: '2026-01-31T09:29:00Z',
  stack: [{ mode: 'loop', iter: 2, max: 10 }],
  ...fields,
});
const step: Change = { event: 'STATE', reason: null, drop: 'none', step: true, seen: 'newest' };
const kept = { signal: 's', state: 'h' };
const committed = (change: Change, saved: Partial<World['saved']> = {}) =>
  commit(change, { found: found(), saved: { ...NOTHING_SAVED, ...saved } }, contextIn(projectIn(root), 'r1'));

describe('a change of a loop in the topic', () => {
  it('is one more message, whose fingerprint is kept with where the log ended', () => {
    postLine(state({ note: 'mine' }));
    const { writes, stateHash, saved } = committed(step, { seen: 'older', keptSignal: kept });
    const body = JSON.stringify({
      ...state(),
      note: 'mine',
      updated_at: '2026-01-31T09:30:00Z',
      stack: [{ mode: 'loop', iter: 3, max: 10 }],
    });
    expect(writes).toMatchObject([{ kind: 'append', path: path.join(root, LOG_FILE) }]);
    const [write] = writes;
    const posted = write?.kind === 'append' ? JSON.parse(write.line) : {};
    expect(posted).toEqual({
      type: 'message',
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      topic_id: 'T',
      parent_id: null,
      body: expect.any(String),
      created_at: NOW,
    });
    expect(JSON.parse(posted.body)).toEqual(JSON.parse(body));
    expect(stateHash).toBe(fingerprint(posted.body));
    const { ino, size } = fs.statSync(path.join(root, LOG_FILE));
    expect(saved).toEqual({
      position: { topic: 'T', inode: ino, scanned: size },
      seen: 'newest',
      keptSignal: kept,
    });
  });

  it('keeps the line that was seen before where nobody looked', () => {
    postLine(state());
    expect(committed({ ...step, seen: null }, { seen: 'older' }).saved).toMatchObject({ seen: 'older' });
    expect(committed({ ...step, seen: '' }, { seen: 'older' }).saved).toMatchObject({ seen: '' });
  });

  it('says why the loop ended', () => {
    postLine(state());
    const [write] = committed({ ...step, event: 'DONE', reason: 'STUCK', drop: 'top', step: false }).writes;
    const posted = write?.kind === 'append' ? JSON.parse(JSON.parse(write.line).body) : {};
    expect(posted).toMatchObject({ event: 'DONE', reason: 'STUCK', stack: [] });
  });

  it('of a state that nobody can read is a state without what was in it', () => {
    postLine('{');
    const [write] = committed({ ...step, event: 'ABORT', reason: 'CORRUPTED', drop: 'all' }).writes;
    const posted = write?.kind === 'append' ? JSON.parse(JSON.parse(write.line).body) : {};
    expect(posted).toEqual({
      event: 'ABORT',
      reason: 'CORRUPTED',
      updated_at: '2026-01-31T09:30:00Z',
      stack: [],
    });
  });
});

describe('a change of a loop in the fallback file', () => {
  it('is another iteration in it, and a signal that was kept is spent', () => {
    write(FALLBACK_FILE, FILE);
    const content = FILE.replace('iteration: 3', 'iteration: 4');
    expect(committed(step, { keptSignal: kept })).toEqual({
      writes: [{ kind: 'replace', path: path.join(root, FALLBACK_FILE), content }],
      stateHash: fingerprint(content),
      saved: { position: null, seen: 'newest', keptSignal: null },
    });
  });

  it('leaves a count that is none as it is', () => {
    const text = FILE.replace('iteration: 3', 'iteration: three');
    write(FALLBACK_FILE, text);
    expect(committed(step).writes).toMatchObject([{ kind: 'replace', content: text }]);
  });

  it.each(['DONE', 'ABORT'] as const)('puts it away at its end: %s', (event) => {
    write(FALLBACK_FILE, FILE);
    expect(committed({ ...step, event })).toMatchObject({
      writes: [
        {
          kind: 'move',
          from: path.join(root, FALLBACK_FILE),
          to: path.join(root, `.holdfast/idle/idle-loop.${NOW}.md`),
        },
      ],
      stateHash: fingerprint(''),
    });
  });
});

describe('the loop of a project', () => {
  it('is nothing without any of its files', () => {
    expect(found()).toEqual({
      state: { kind: 'nothing' },
      run: null,
      raw: null,
      source: 'topic',
      text: '',
      log: null,
    });
  });

  it('is the fallback file’s where the topic has no state', () => {
    write(FALLBACK_FILE, FILE);
    fs.utimesSync(path.join(root, FALLBACK_FILE), NOW / 1000, NOW / 1000);
    const frame = { mode: 'grind', iter: 3, max: 9 };
    const expected = {
      state: { kind: 'loop', event: 'STATE', updatedAt: NOW, stack: [{ ...frame, carryOn: false }] },
      run: 'local-file',
      raw: { fields: {}, stack: [frame] },
      source: 'file',
      text: FILE,
    };
    expect(found()).toEqual({ ...expected, log: null });
    postLine({ text: 'no state' });
    expect(found()).toEqual({ ...expected, log: expect.objectContaining({ topic: 'T' }) });
    write(LOG_FILE, '{"type":"topic","id":"C","name":"chat"}\n');
    expect(found()).toMatchObject({ ...expected, log: { topic: null } });
  });

  it('is the topic’s where it has a state, whatever the file says', () => {
    write(FALLBACK_FILE, FILE);
    postLine(state());
    expect(found()).toMatchObject({ run: 'r1', source: 'topic', text: JSON.stringify(state()) });
  });

  it('cannot be read from a message or a file that is none', () => {
    postLine('{"schema":');
    expect(found()).toMatchObject({
      state: { kind: 'unreadable' },
      run: null,
      raw: null,
      source: 'topic',
      text: '{"schema":',
      log: { topic: 'T' },
    });
    fs.rmSync(path.join(root, LOG_FILE));
    write(FALLBACK_FILE, 'no lines of a state');
    expect(found()).toEqual({
      state: { kind: 'unreadable' },
      run: null,
      raw: null,
      source: 'file',
      text: '',
      log: null,
    });
  });

  it('is lost where the log is too long', () => {
    write(FALLBACK_FILE, FILE);
    postLine(state());
    fs.appendFileSync(path.join(root, LOG_FILE), `${'x'.repeat(5000)}\n`);
    const lost = readLoop(root, NOTHING_SAVED, { head: 10, tail: 100, appended: 10 });
    expect(lost).toMatchObject({ state: { kind: 'lost' }, run: null, source: 'topic', text: '' });
    expect(lost.log).not.toBeNull();
  });
});

describe('the loop that goes on', () => {
  const project = () => projectIn(root);

  it('is none without a loop', () => {
    expect([newestRun(project()), unfinishedRuns(project()), liveRuns(project())]).toEqual([null, [], []]);
  });

  it('is named, with how to adopt it and where it stands', () => {
    postLine(
      state({
        stack: [
          { mode: 'grind', iter: 7 },
          { mode: 'loop', iter: 2, max: 10 },
        ],
      }),
    );
    expect(newestRun(project())).toBe('r1');
    expect(unfinishedRuns(project())).toEqual([{ run: 'idle:r1', adopt: 'holdfast adopt idle:r1' }]);
    expect(liveRuns(project())).toEqual([{ run: 'r1', stands: '2/10' }]);
  });

  it.each([{ event: 'DONE' }, { updated_at: '2026-01-31T07:29:59Z' }, { stack: [] }])(
    'is not one that has ended, but that is the newest: %j',
    (fields) => {
      postLine(state(fields));
      expect([newestRun(project()), unfinishedRuns(project()), liveRuns(project())]).toEqual(['r1', [], []]);
    },
  );

  it('has no name where its state cannot be read, or its log is none', () => {
    postLine('{');
    expect([newestRun(project()), unfinishedRuns(project()), liveRuns(project())]).toEqual([
      'current',
      [],
      [],
    ]);
    fs.rmSync(path.join(root, LOG_FILE));
    fs.mkdirSync(path.join(root, LOG_FILE));
    expect([newestRun(project()), unfinishedRuns(project())]).toEqual(['current', []]);
  });
});
