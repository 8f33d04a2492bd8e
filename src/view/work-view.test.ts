import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../test/support/bare-project.ts';
import { putOutput } from '../../test/support/outputs.ts';
import { type OutputName, outputFolder } from '../store/outputs.ts';
import { type Attempt, type CheckAttempt, newSidecar, type ReviewAttempt } from '../store/records.ts';
import { workOf } from './work-view.ts';

const project = bareProject(1_000_000);
const review = (more: Partial<ReviewAttempt> = {}): ReviewAttempt => ({
  ...{ id: 'a', work: 'review', reviewer: 'codex', kind: 'plan-review', number: 2, file: 'f', model: 'gpt' },
  ...{ owner: null, deadline: 2_000_000, status: 'running', verdict: null, before: '' },
  ...more,
});
const check = (more: Partial<CheckAttempt> = {}): CheckAttempt => ({
  ...{ id: 'a', work: 'check', check: 'test', definition: '', owner: null, deadline: 2_000_000 },
  status: 'running',
  ...more,
});
const work = (...attempts: Attempt[]) => workOf(project, { ...newSidecar('toy:a'), attempts });
const since36 = (500_000).toString(36);

describe('what runs for a run', () => {
  it('is each attempt that has not ended', () => {
    const attempts = [
      review({ status: 'done' }),
      check({ status: 'interrupted' }),
      check({ id: `${since36}-0-x` }),
    ];
    expect(work(...attempts)).toEqual([
      {
        ...{ attempt: `${since36}-0-x`, kind: 'check', name: 'test', since: 500_000, deadline: 2_000_000 },
        ...{ alive: true, tail: '' },
      },
    ]);
    expect(work()).toEqual([]);
  });

  it.each<[Attempt, string]>([
    [check({ check: 'lint' }), 'lint'],
    [review(), 'codex/gpt, plan-review 2'],
    [review({ model: '' }), 'codex, plan-review 2'],
  ])('has a name: %#', (attempt, name) => {
    expect(work(attempt)[0]?.name).toBe(name);
  });

  it.each<[string, Attempt, number]>([
    ['its own clock', review({ id: `${since36}-1-x`, begun: 7 }), 7],
    ['its id', review({ id: `${since36}-1-x` }), 500_000],
    ['its id, for a check', check({ id: `${since36}-1-x` }), 500_000],
    ['now, where the id is no time', check({ id: '-' }), 1_000_000],
    ['now, where the id is no time of any clock', check({ id: 'z'.repeat(20) }), 1_000_000],
  ])('runs since then by %s', (_, attempt, since) => {
    expect(work(attempt)[0]?.since).toBe(since);
  });
});

describe('whether it is alive', () => {
  const gone = spawnSync('true').pid;
  it.each<[string, Partial<CheckAttempt>, boolean]>([
    ['its process is there', { id: `x-${process.pid}-y` }, true],
    ['its process is gone', { id: `m1x0-${gone}-y` }, false],
    ['its id begins with no clock', { id: `/m1x0-${gone}-y` }, true],
    ['nobody knows its process', { id: 'x' }, true],
    ['a number alone is no process', { id: `${gone}-y` }, true],
    ['its process is no plain number', { id: `x-${'9'.repeat(11)}-y` }, true],
    ['another user’s process is there', { id: 'x-1-y' }, true],
    ['its time was up a little while ago', { id: 'x', deadline: project.now - 59_999 }, true],
    ['its time was up a minute ago', { id: 'x', deadline: project.now - 60_000 }, false],
  ])('%s', (_, more, alive) => {
    expect(work(check(more))[0]?.alive).toBe(alive);
  });
});

describe('a process that may not be asked', () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each([
    ['EPERM', true],
    ['ESRCH', false],
  ])('with %s is there: %s', (code, alive) => {
    vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    expect(work(check({ id: 'x-7-y' }))[0]?.alive).toBe(alive);
  });
});

describe('the end of its output', () => {
  const tail = (id: string): string | undefined => work(check({ id }))[0]?.tail;
  const write = (id: string, name: OutputName, text: string): string => putOutput(project, id, text, name);

  it('is what it printed, errors first, without what steers a terminal', () => {
    write('both', 'stdout', 'out\n');
    write('both', 'stderr', '\u001b[31mred\u001b[0m\n');
    expect(tail('both')).toBe('red\n\nout');
    write('one', 'stdout', 'out');
    expect(tail('one')).toBe('out');
    expect(tail('none')).toBe('');
  });

  it('is read from the last eight kilobytes of each', () => {
    const size = 8 * 1024;
    write('short', 'stdout', `a\nb${' '.repeat(size - 2)}`);
    expect(tail('short')).toBe('b');
    write('whole', 'stdout', `a\nb${' '.repeat(size - 3)}`);
    expect(tail('whole')).toBe('a\nb');
  });

  it('is never read through a link, nor from a folder', () => {
    const file = write('link', 'stdout', 'old');
    fs.rmSync(file);
    fs.symlinkSync(writeIn(project, 'real', 'secret'), file);
    expect(tail('link')).toBe('');
    fs.rmSync(write('folder', 'stdout', ''));
    fs.mkdirSync(path.join(outputFolder(project, 'folder'), 'stdout'));
    expect(tail('folder')).toBe('');
  });
});
