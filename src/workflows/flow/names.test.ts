// Where the files of a run are, and which ids are those of runs.

import { describe, expect, it } from 'vitest';
import { isRunId, RUNS, reviewFile, runFolder } from './names.ts';
import { nameOf, signalOf } from './signal.ts';

describe('the files of a run', () => {
  it('lie in a folder of its own', () => {
    expect(RUNS).toBe('.holdfast/flow');
    expect(runFolder('tdd-1-1')).toBe('.holdfast/flow/tdd-1-1');
    expect(reviewFile('tdd-1-1', 'critic', 3)).toBe('.holdfast/flow/tdd-1-1/review-3-critic.md');
  });

  it.each(['a', 'tdd-1763328000-4711', `a${'-'.repeat(79)}`])('are those of %s', (id) => {
    expect(isRunId(id)).toBe(true);
  });

  it.each(['', '1a', '-a', 'A', 'a/b', '..', 'a.b', 'a\n', `a${'-'.repeat(80)}`])(
    'are not those of %j',
    (id) => {
      expect(isRunId(id)).toBe(false);
    },
  );
});

describe('a signal', () => {
  it('is written with its name, which is read from it again', () => {
    expect(signalOf('done')).toBe('<flow>done</flow>');
    expect(nameOf('<flow>done</flow>')).toBe('done');
    expect(nameOf(signalOf(''))).toBe('');
  });
});
