import { describe, expect, it } from 'vitest';
import { describeKept, type Row, showTable } from './check-table.ts';

const row = (over: Partial<Row>): Row => ({ name: 'test', command: 'npm test', end: 'passed', ...over });

describe('the table of checks', () => {
  const ends: readonly [Partial<Row>, string][] = [
    [{ end: 'passed' }, '✓ test  passed'],
    [{ end: 'passed', flaky: false }, '✓ test  passed'],
    [{ end: 'passed', flaky: true }, '✓ test  passed when it was run again (flaky)'],
    [{ end: 'failed', code: 3 }, '✗ test  failed, exit code 3'],
    [{ end: 'failed', code: null }, '✗ test  failed, exit code null'],
    [{ end: 'timed-out' }, '✗ test  failed: ended at its time limit'],
    [{ end: 'untrusted' }, '! test  not run: `holdfast trust` asks you whether it may'],
    [{ end: 'broken' }, '! test  not run: its definition in holdfast.config.json cannot be used'],
    [{ end: 'cannot-run' }, '! test  cannot run: nobody knows why'],
    [{ end: 'cannot-run', why: 'not-found' }, '! test  cannot run: its program is not there'],
    [{ end: 'cannot-run', why: 'not-executable' }, '! test  cannot run: its program may not be executed'],
    [
      { end: 'cannot-run', why: 'no-sandbox' },
      '! test  cannot run: the sandbox it must run in does not work here',
    ],
    [{ end: 'cannot-run', why: 'no-time' }, '! test  cannot run: there was no time left for it'],
    [{ end: 'cannot-run', why: 'changes-files' }, '! test  cannot run: it changes the files it is run on'],
    [{ end: 'cannot-run', why: 'too-much-output' }, '! test  cannot run: it printed more than 64 MB'],
    [{ end: 'cannot-run', why: 'no-folder' }, '! test  cannot run: its folder (cwd) is not there'],
  ];
  it.each(ends)('has a line for what ended so: %j', (over, line) => {
    expect(showTable([row(over)])).toEqual([line]);
  });

  it.each([
    [0, '0.0 s'],
    [149, '0.1 s'],
    [1_250, '1.3 s'],
    [59_900, '59.9 s'],
    [60_000, '1 min 0 s'],
    [61_499, '1 min 1 s'],
    [61_500, '1 min 2 s'],
    [119_600, '2 min 0 s'],
    [3_725_000, '62 min 5 s'],
  ])('shows %i ms as %s', (milliseconds, time) => {
    expect(showTable([row({ milliseconds })])).toEqual([`✓ test  passed  ${time}`]);
  });

  it('stands in columns as wide as the longest name and the longest end', () => {
    expect(
      showTable([
        row({ name: 'a', milliseconds: 100 }),
        row({ name: 'types', end: 'failed', code: 12, milliseconds: 2_000 }),
        row({ name: 'lint', end: 'timed-out', milliseconds: 60_000 }),
      ]),
    ).toEqual([
      '✓ a      passed                           0.1 s',
      '✗ types  failed, exit code 12             2.0 s',
      '✗ lint   failed: ended at its time limit  1 min 0 s',
    ]);
  });

  it('has above it what failed in those that did not pass, and where the rest is', () => {
    const passing = Array.from({ length: 300 }, (_, at) => `ok ${at + 1}`).join('\n');
    const shown = showTable([
      row({ name: 'good', tail: 'all is well', log: 'good.log' }),
      row({
        name: 'bad',
        end: 'failed',
        code: 1,
        tail: `not ok 1 - adds\n${passing}\n# fail 1`,
        log: 'bad.log',
      }),
      row({ name: 'quiet', end: 'failed', code: 1, tail: '', log: 'quiet.log' }),
    ]);
    expect(shown.slice(0, 3)).toEqual(['', 'bad (all of it is in bad.log)', '  not ok 1 - adds']);
    expect(shown.slice(-5)).toEqual([
      '  # fail 1',
      '',
      '✓ good   passed',
      '✗ bad    failed, exit code 1',
      '✗ quiet  failed, exit code 1',
    ]);
  });
});

describe('what becomes of what checks said', () => {
  const kept = { kept: true } as const;
  const lost = { kept: false } as const;
  const RED = 'A claim runs again what is red, and holds until it is green.';
  const WHOLE = 'Kept: a claim on these very files takes it, and runs nothing again.';
  const PART = 'Kept: a claim on these very files takes what is green (test).';
  const rows: readonly [string, Partial<Row>[], string][] = [
    ['nothing was asked for', [], 'Nothing was run.'],
    ['nothing was run', [{ end: 'untrusted' }, { end: 'broken' }], 'Nothing was run.'],
    ['all passed', [kept, kept], WHOLE],
    ['all ran, one is not trusted', [kept, { end: 'untrusted' }], WHOLE],
    ['all are kept and one is red', [kept, { ...kept, end: 'failed' }], `${PART} ${RED}`],
    ['one cannot run', [kept, { ...lost, end: 'cannot-run' }], PART],
    [
      'one is red and one cannot run',
      [
        { ...kept, end: 'timed-out' },
        { ...lost, end: 'cannot-run' },
      ],
      RED,
    ],
    ['what is red was not kept', [kept, { ...lost, end: 'failed' }], PART],
    [
      'none can run',
      [
        { ...lost, end: 'cannot-run' },
        { ...lost, end: 'cannot-run' },
      ],
      'Not kept: a claim tries again what cannot run.',
    ],
    [
      'there is no git',
      [lost, { ...lost, end: 'cannot-run' }],
      'Not kept: without git nobody knows which files it was run on, so a claim runs them again.',
    ],
    [
      'some change files',
      [
        { ...lost, name: 'a', changedFiles: true },
        { ...kept, name: 'b', changedFiles: false },
        { ...lost, name: 'c', changedFiles: true, unkept: 'the disk is full' },
      ],
      'Not kept for a, c: files changed while it ran, so nobody knows what it was run on.',
    ],
    [
      'it could not be written down',
      [kept, { ...lost, unkept: 'the disk is full' }, { ...lost, unkept: 'another' }],
      'Not kept, so a claim runs it again: the disk is full',
    ],
  ];
  it.each(rows)('is said where %s', (_, checks, text) => {
    expect(describeKept(checks.map(row), false)).toBe(text);
  });

  it('is nothing at all for an agent', () => {
    const shown = 'Shown only: run by an agent it proves nothing, and a claim runs them again.';
    expect(describeKept([row(kept)], true)).toBe(shown);
    expect(describeKept([row({ ...lost, changedFiles: true })], true)).toBe(shown);
    expect(describeKept([row({ end: 'untrusted' })], true)).toBe('Nothing was run.');
  });
});
