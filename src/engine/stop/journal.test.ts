import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, NOW } from '../../../test/support/bare-project.ts';
import { stoppedIn } from '../../../test/support/stop-here.ts';
import type { ReviewAttempt, Waiting } from '../../store/records.ts';
import type { StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import type { ReviewReport } from '../work/report.ts';
import { journalCommand, journalReview, journalWait, keepJournalShort, writeJournal } from './journal.ts';
import type { Served } from './turn.ts';

let project: Project;
let context: StopContext;
beforeEach(() => {
  project = bareProject(NOW);
  context = stoppedIn(project, { session: 's1', turn: 't1' });
});

const file = (): string => path.join(project.root, '.holdfast/journal.jsonl');
const lines = (): Record<string, unknown>[] =>
  fs.existsSync(file())
    ? fs
        .readFileSync(file(), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
const about = { schema: 2, time: '2026-01-31T09:30:00.000Z', session: 's1', workflow: 'toy', run: 'a:b' };
const served = (more: Partial<Served>, facts: object = {}): void => {
  const record = {
    workflow: 'toy',
    run: 'a:b',
    state: { n: 1 },
    facts: facts as never,
    guard: null,
    step: null,
  };
  const answer = { kind: 'allow', notice: 'Look.', suppressOutput: false } as const;
  writeJournal(context, {
    kind: 'served',
    served: { answer, quiet: false, over: null, ended: null, record, ...more },
  });
};
const work: Waiting = { for: 'work', since: 1, until: 60_000, what: 'npm test' };

describe('a stop in the journal', () => {
  it.each<[object, object]>([
    [{}, {}],
    [{ proof: null }, {}],
    [{ proof: { worth: 'unasked', why: [] } }, {}],
    [{ proof: { worth: 'proven', why: [] } }, { proof: 'proven' }],
    [{ proof: { worth: 'unproven', why: ['failed'] } }, { proof: 'unproven', why: ['failed'] }],
  ])('that ended a run has a second line, with what its claim was worth: %j', (facts, worth) => {
    served({ ended: 'completed' }, facts);
    expect(lines()[0]).toMatchObject({ event: 'stop', client: 'claude-code', turn: 't1', notice: true });
    expect(lines()[1]).toEqual({ ...about, event: 'end', outcome: 'completed', ...worth });
    expect(fs.readFileSync(file(), 'utf8')).not.toContain('Look.');
  });

  it('has a line for each wait and for an answered question, and none for a pause that is over', () => {
    const question: Waiting = { for: 'person', since: 1, until: 9, what: 'Which?' };
    const limit: Waiting = { ...work, for: 'limit', reviewer: 'codex', until: 8.64e15 + 1 };
    const waits = [
      { what: 'ended', wait: { ...work, until: null } },
      { what: 'began', wait: limit },
    ] as const;
    served({ waits, answered: question });
    served({ answered: { ...question, pause: true } });
    expect(lines().filter(({ event }) => event !== 'stop')).toEqual([
      { ...about, event: 'wait', what: 'ended', for: 'work', until: null },
      { ...about, event: 'wait', what: 'began', for: 'limit', until: null, reviewer: 'codex' },
      { ...about, event: 'question', what: 'answered' },
    ]);
  });

  it.each<[unknown, string]>([
    [new TypeError('one\ntwo'), 'TypeError: one'],
    [Object.assign(new Error('x'), { code: 'EIO' }), 'Error EIO: x'],
    [Object.assign(new Error('x'), { code: 5 }), 'Error: x'],
    [new Error('y'.repeat(301)), `Error: ${'y'.repeat(300)}`],
    ['text', 'unknown error'],
  ])('that failed has the first line of the error: %s', (error, code) => {
    writeJournal(context, { kind: 'failed', name: 'toy:a:b', error });
    writeJournal(context, { kind: 'failed', name: null, error });
    expect(lines()).toMatchObject([
      { workflow: 'toy', run: 'a:b', answer: 'allow', error: code },
      { workflow: null, run: null, error: code },
    ]);
  });
});

describe('a review in the journal', () => {
  const attempt: ReviewAttempt = {
    ...{ id: 'a1', work: 'review', reviewer: 'codex', kind: 'k', number: 1, file: 'r.md', model: 'm' },
    ...{ owner: null, deadline: 1, status: 'done', verdict: 'clean', before: 'x' },
  };
  const report = {
    ...{ attempt: 'a1', findings: null, listed: { high: 1, medium: 0, low: 2 }, milliseconds: 12 },
    ...{ spend: { usd: 0.5, tokens: null }, journaled: false },
  } as ReviewReport;

  it('has what it cost and listed', () => {
    journalReview(context, 'toy:a:b', attempt, report);
    journalReview(context, 'toy:a:b', attempt, { ...report, spend: null, listed: null });
    const line = { ...about, event: 'review', attempt: 'a1', reviewer: 'codex', model: 'm', file: 'r.md' };
    const common = { ...line, verdict: 'clean', tokens: null, milliseconds: 12 };
    expect(lines()).toEqual([
      { ...common, usd: 0.5, listed: { high: 1, medium: 0, low: 2 } },
      { ...common, usd: null },
    ]);
  });

  it.each<[string, ReviewAttempt | null, ReviewReport | null]>([
    ['no review', null, report],
    ['no report', attempt, null],
    ['one that has its line', attempt, { ...report, journaled: true }],
    ['another one’s report', attempt, { ...report, attempt: 'a2' }],
  ])('is not there for %s', (_, of, said) => {
    journalReview(context, 'toy:a:b', of, said);
    expect(lines()).toEqual([]);
  });
});

it('a wait is told as far as there are dates', () => {
  for (const until of [60_000, 8.64e15, 8.64e15 + 1]) journalWait(context, 'toy:a', { ...work, until });
  expect(lines().map(({ until }) => until)).toEqual([
    ...['1970-01-01T00:01:00.000Z', '+275760-09-13T00:00:00.000Z', null],
  ]);
});

it('the journal begins a new segment at the size of the settings', () => {
  journalCommand(project, 'start', 'toy:a');
  const sized = (keepBytes: number) => ({
    ...project,
    config: { ...project.config, journal: { keepBytes } },
  });
  keepJournalShort(sized(1_000_000));
  expect(lines()).toHaveLength(1);
  keepJournalShort(sized(4));
  expect(lines()).toEqual([]);
});
