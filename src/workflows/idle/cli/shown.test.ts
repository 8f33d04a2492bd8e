import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, NOW } from '../../../../test/support/bare-project.ts';
import { LOG_FILE } from '../files.ts';
import type { FoundLoop } from '../read-loop.ts';
import type { Frame, Loop } from '../types.ts';
import { endedTask } from './ended-task.ts';
import { shown, stateOf } from './shown.ts';

let root: string;
beforeEach(() => {
  root = emptyFolder();
});

const frame: Frame = { mode: 'loop', iter: 2, max: 10, carryOn: false };
const found = (over: Partial<Loop>, raw: FoundLoop['raw'] = null, run: string | null = 'r1'): FoundLoop => ({
  state: { kind: 'loop', event: 'STATE', updatedAt: NOW, stack: [frame], ...over },
  run,
  raw,
  source: 'topic',
  text: '',
  log: null,
});
const of = (over: Partial<Loop>) => shown(found(over), '/log', root, NOW);
/** Lines of the log, oldest first; what is no text is posted as JSON. */
const log = (...bodies: unknown[]): void => {
  const lines = bodies.map((body) =>
    typeof body === 'string' ? body : JSON.stringify({ type: 'message', body: JSON.stringify(body) }),
  );
  fs.mkdirSync(path.join(root, '.jwz'), { recursive: true });
  fs.writeFileSync(path.join(root, LOG_FILE), `${lines.join('\n')}\n`);
};
const task = (name: string, text: string) => {
  fs.mkdirSync(path.join(root, '.holdfast'), { recursive: true });
  fs.writeFileSync(path.join(root, '.holdfast', name), text);
  return { prompt_file: `.holdfast/${name}` };
};

describe('a loop as views show it', () => {
  it('is its state and how far it is', () => {
    expect(of({})).toEqual({
      state: 'active',
      progress: { unit: 'iteration', at: 2, of: 10 },
      asked: null,
      startedAt: null,
      files: ['/log'],
    });
  });

  it.each<[string | null, Partial<Loop>]>([
    ['active', {}],
    [null, { stack: [] }],
    ['stale', { updatedAt: NOW - 7_200_001 }],
    ['done', { event: 'DONE', stack: [] }],
    ['done, frames kept', { event: 'DONE' }],
    ['done, frames kept', { event: 'DONE', updatedAt: null }],
    ['aborted', { event: 'ABORT' }],
    ['aborted', { event: 'ABORT', stack: [], updatedAt: null }],
  ])('is %s for %j', (state, over) => {
    expect(of(over).state).toBe(state);
  });

  it('has no progress without a frame or with a count that nobody can read', () => {
    expect(of({ stack: [] }).progress).toBeNull();
    expect(of({ stack: [{ ...frame, iter: 'corrupt' }] }).progress).toBeNull();
    expect(of({ stack: [{ ...frame, max: 'corrupt' }] }).progress).toEqual({
      unit: 'iteration',
      at: 2,
      of: null,
    });
    expect(of({ stack: [frame, { ...frame, iter: 0, max: 3 }] }).progress).toEqual({
      unit: 'iteration',
      at: 0,
      of: 3,
    });
  });

  it('was asked for what the innermost frame says, and after its end for what the log still has', () => {
    const raw = { fields: {}, stack: [{ issue_id: 'outer' }, { issue_id: 'inner' }] };
    expect(shown(found({}, raw), '/log', root, NOW).asked).toBe('inner');
    log({ run_id: 'r1', stack: [task('t.md', 'Fix it.')] });
    expect(of({ event: 'DONE', stack: [] }).asked).toBe('Fix it.');
    expect(shown(found({ stack: [] }, null, null), '/log', root, NOW).asked).toBeNull();
  });
});

describe('the task of a loop that has ended', () => {
  it('is none without a log, or with a folder in its place', () => {
    expect(endedTask(root, 'r1')).toBeNull();
    fs.mkdirSync(path.join(root, LOG_FILE), { recursive: true });
    expect(endedTask(root, 'r1')).toBeNull();
  });

  it('is that of the outermost frame in the newest state that has one', () => {
    log(
      { run_id: 'r1', stack: [task('old.md', 'Old.')] },
      { run_id: 'r1', stack: [task('outer.md', 'Outer.'), task('inner.md', 'Inner.')] },
      { run_id: 'r2', stack: [task('other.md', 'About r1.')] },
      { run_id: 'r1', event: 'DONE', stack: [] },
    );
    expect(endedTask(root, 'r1')).toBe('Outer.');
    expect(endedTask(root, 'r3')).toBeNull();
  });

  it('is none where its file is gone', () => {
    log({ run_id: 'r1', stack: [{ prompt_file: 'gone.md' }] });
    expect(endedTask(root, 'r1')).toBeNull();
  });

  it.each([
    ['torn', 'r1 {'],
    ['a list', '["r1"]'],
    ['without a body', '{"run_id":"r1","body":7}'],
    ['with a body that is no state', '{"body":"[\\"r1\\"]"}'],
    ['with a body that is no JSON', '{"body":"r1"}'],
  ])('is not read from a line that is %s', (_, line) => {
    log({ run_id: 'r1', stack: [task('t.md', 'Fix it.')] }, line);
    expect(endedTask(root, 'r1')).toBe('Fix it.');
  });

  it.each([
    { run_id: 'r1', stack: 'none' },
    { run_id: 'r1', stack: ['text'] },
    { run_id: 'r1', stack: [{ prompt_file: 7 }] },
    { run_id: 'x', note: 'r1', stack: [{ prompt_file: 't.md' }] },
  ])('is not read from %j', (state) => {
    fs.writeFileSync(path.join(root, 't.md'), 'Fix it.');
    log(state);
    expect(endedTask(root, 'r1')).toBeNull();
  });
});

describe('the state of a recorded stop', () => {
  it.each([
    [null, null],
    ['text', null],
    [{ kind: 'nothing' }, 'no loop'],
    [{ kind: 'lost' }, null],
    [{ kind: 'loop', event: 'STATE', stack: [{}] }, 'active'],
    [{ kind: 'loop', event: 'STATE', stack: [] }, null],
    [{ kind: 'loop', event: 'STATE', stack: 3 }, null],
    [{ kind: 'loop', event: 'DONE', stack: [{}] }, 'done, frames kept'],
    [{ kind: 'loop', event: 'DONE', stack: [] }, 'done'],
    [{ kind: 'loop', event: 'ABORT', stack: [] }, 'aborted'],
    [{ kind: 'loop', stack: [{}] }, null],
  ])('of %j is %s', (state, words) => {
    expect(stateOf(state)).toBe(words);
  });
});
