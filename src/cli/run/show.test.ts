import { describe, expect, it } from 'vitest';
import type { Said } from '../../driver/report.ts';
import { type Shown, showAsJson, showAsLines } from './show.ts';

const NOON = Date.UTC(2026, 0, 2, 12, 0, 5);
const MINUTE = 60_000;
const CLEAR = '\r\u001b[2K';

/** What is written, piece by piece, and a clock that the test sets. */
function shown(how: { isTerminal?: boolean; columns?: number; as?: typeof showAsLines } = {}) {
  const written: string[] = [];
  const clock = { at: NOON };
  const { as = showAsLines, isTerminal = false, columns = 80 } = how;
  const output = { write: (text: string) => void written.push(text), isTerminal, columns };
  const out: Shown = as(output, () => clock.at);
  return { ...out, written, clock };
}

describe('while a run is driven', () => {
  const rows: readonly [Said, string][] = [
    [{ event: 'run', run: 'idle:a' }, 'run        idle:a was begun'],
    [
      { event: 'client-began', session: 's1', pid: 7, how: 'new' },
      'client     starts with session s1 (process 7)',
    ],
    [{ event: 'client-began', session: null, pid: 7, how: 'new' }, 'client     starts (process 7)'],
    [
      { event: 'client-began', session: 's1', pid: 8, how: 'resumed' },
      'client     goes on with session s1 (process 8)',
    ],
    [{ event: 'turn', number: 3 }, 'turn       3'],
    [
      { event: 'stop', answer: 'hold', stage: 'loop, iteration 1/4', why: 'continue' },
      'hold       loop, iteration 1/4 (continue)',
    ],
    [{ event: 'stop', answer: 'hold', stage: 'loop', why: '' }, 'hold       loop'],
    [{ event: 'stop', answer: 'allow', stage: 'done', why: 'claimed' }, 'allow      done (claimed)'],
    [{ event: 'stop', answer: 'allow', stage: 'done', why: '' }, 'allow      done'],
    [{ event: 'work', what: 'review', name: 'codex', status: 'running' }, 'review     codex: running'],
    [{ event: 'work', what: 'check', name: 'types', status: 'passed' }, 'check      types: passed'],
    [{ event: 'denied', what: 'Bash(rm\n-r)' }, 'denied     Bash(rm -r)'],
    [{ event: 'denied', what: 'x'.repeat(201) }, `denied     ${'x'.repeat(199)}…`],
    [{ event: 'turn-ended', tools: 4, usd: null }, 'turn ends  4 tools'],
    [{ event: 'turn-ended', tools: 0, usd: 1.005 }, 'turn ends  0 tools, $1.00 so far'],
    [{ event: 'trouble', what: 'network', said: 'no\nway' }, 'trouble    network: no way'],
    [{ event: 'trouble', what: 'network', said: 'x'.repeat(300) }, `trouble    network: ${'x'.repeat(199)}…`],
    [
      { event: 'client-ended', how: 'silent', code: null, signal: 'SIGTERM' },
      'client     said nothing for too long, and is ended',
    ],
    [
      { event: 'client-ended', how: 'ended', code: null, signal: 'SIGTERM' },
      'client     was ended by SIGTERM',
    ],
    [{ event: 'client-ended', how: 'ended', code: 2, signal: null }, 'client     has ended, exit code 2'],
    [
      { event: 'client-ended', how: 'ended', code: null, signal: null },
      'client     has ended, exit code unknown',
    ],
    [
      { event: 'waits', why: 'limit', until: NOON + 30 * MINUTE },
      'waits      until 2026-01-02 12:30 UTC (30 min)',
    ],
    [
      { event: 'asked-to-end', again: false },
      'ends       the client is asked to end; once more ends everything at once',
    ],
    [{ event: 'asked-to-end', again: true }, 'ends       at once'],
  ];
  it.each(rows)('there is a line with its time for %j', (said, line) => {
    const { say, written } = shown();
    say(said);
    expect(written).toEqual([`12:00:05  ${line}\n`]);
  });

  it('there is no line for its end, which has a table', () => {
    const { say, object, done, written } = shown();
    say({ event: 'left', command: 'holdfast run --continue' });
    say({ event: 'finished', code: 0, why: 'completed' });
    object({ event: 'finished' });
    done();
    expect(written).toEqual([]);
  });

  it('no line steers the terminal', () => {
    const { say, line, written } = shown();
    line('a\u001b[2Jb');
    say({ event: 'run', run: 'idle:\u202ea' });
    expect(written).toEqual(['a [2Jb\n', '12:00:05  run        idle: a was begun\n']);
  });
});

const status = { stage: 'loop', tools: 3, turns: 2, usd: null, waitsUntil: null };

describe('the footer', () => {
  it('is drawn on a terminal alone', () => {
    const { now, done, written } = shown({ isTerminal: false });
    now(status);
    done();
    expect(written).toEqual([]);
  });

  it('says the stage, what was done, what it cost, and how long it takes', () => {
    const { now, clock, written } = shown({ isTerminal: true });
    clock.at += 5 * MINUTE;
    now(status);
    now({ ...status, usd: 1.5 });
    now({ ...status, usd: 0, waitsUntil: NOON + 90 * MINUTE });
    expect(written).toEqual([
      'loop · turn 2, 3 tools · 5 min',
      CLEAR,
      'loop · turn 2, 3 tools · $1.50 · 5 min',
      CLEAR,
      'loop · waits until 2026-01-02 13:30 UTC · $0.00 · 5 min',
    ]);
  });

  it('is not drawn again while it says the same', () => {
    const { now, clock, written } = shown({ isTerminal: true });
    now(status);
    now(status);
    expect(written).toEqual(['loop · turn 2, 3 tools · 0 s']);
    clock.at += 1000;
    now(status);
    expect(written.slice(1)).toEqual([CLEAR, 'loop · turn 2, 3 tools · 1 s']);
  });

  it('makes room for a line, and goes at the end', () => {
    const { now, line, done, written } = shown({ isTerminal: true });
    now(status);
    line('something');
    line('more');
    now(status);
    done();
    done();
    expect(written).toEqual([
      'loop · turn 2, 3 tools · 0 s',
      CLEAR,
      'something\n',
      'more\n',
      'loop · turn 2, 3 tools · 0 s',
      CLEAR,
    ]);
  });

  it.each([
    [80, 79],
    [31, 30],
    [21, 20],
    [20, 20],
    [5, 20],
  ])('leaves the last of %i columns free, and has %i characters at the most', (columns, length) => {
    const { now, written } = shown({ isTerminal: true, columns });
    now({ ...status, stage: 'x'.repeat(100) });
    expect(written).toEqual(['x'.repeat(length)]);
  });

  it('has nothing in it that steers the terminal', () => {
    const { now, written } = shown({ isTerminal: true });
    now({ ...status, stage: 'a\u001b[2J' });
    expect(written).toEqual(['a [2J · turn 2, 3 tools · 0 s']);
  });
});

it('as JSON each event is one object with its time, and nothing else is said', () => {
  const { say, object, line, now, done, written } = shown({ isTerminal: true, as: showAsJson });
  say({ event: 'turn', number: 3 });
  line('for people');
  now(status);
  object({ event: 'finished', code: 5 });
  done();
  expect(written).toEqual([
    '{"time":"2026-01-02T12:00:05.000Z","event":"turn","number":3}\n',
    '{"time":"2026-01-02T12:00:05.000Z","event":"finished","code":5}\n',
  ]);
});
