import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOW, projectAt, sceneAt, tempFolder } from '../../../test/fixtures/claudex/project.ts';
import { journalFromEnd } from '../../store/journal.ts';
import { hasReviewLine } from '../../store/journal-reviews.ts';
import type { ReviewAttempt, Waiting } from '../../store/records.ts';
import type { StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import { findingsOf, listedBy, reportOf, spendOf } from '../work/report-of.ts';
import {
  journalBudget,
  journalCommand,
  journalQuestion,
  journalReview,
  journalWait,
  journalWork,
  keepJournalShort,
  writeJournal,
} from './journal.ts';
import type { Served } from './turn.ts';

let root: string;
let project: Project;
let context: StopContext;
beforeEach(() => {
  root = tempFolder();
  project = projectAt(root, { env: { HOME: root, CLAUDE_CODE_SESSION_ID: 's9' } });
  const { stop } = sceneAt(project, { session: 's1', turn: 't1' });
  context = { stop, project, decidedOn: new Map() } as unknown as StopContext;
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const lines = () => [...journalFromEnd(root)].reverse();
const raw = (): Record<string, unknown>[] =>
  fs
    .readFileSync(path.join(root, '.holdfast/journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const at = { schema: 2, time: '2026-01-31T09:30:00.000Z' };
const aboutRun = { ...at, session: 's1', workflow: 'toy', run: 'a:b' };

const served = (more: Partial<Served> = {}, facts: object = {}): Served => ({
  answer: { kind: 'hold', reason: 'Go on.', notice: null },
  ...{ quiet: false, over: null, ended: null },
  record: {
    workflow: 'toy',
    run: 'a:b',
    state: { n: 1 },
    facts: facts as never,
    guard: null,
    step: { kind: 'x' },
  },
  ...more,
});
const work: Waiting = { for: 'work', since: 1, until: 60_000, what: 'npm test' };

describe('a stop in the journal', () => {
  it('that was served has what it was decided by, and no words', () => {
    writeJournal(context, { kind: 'served', served: served() });
    const [line, ...more] = raw();
    expect(more).toEqual([]);
    expect(line).toEqual({
      ...{ ...at, event: 'stop', client: 'claude-code', session: 's1', turn: 't1' },
      milliseconds: expect.any(Number),
      ...{ workflow: 'toy', run: 'a:b', state: { n: 1 }, facts: {}, guard: null, step: { kind: 'x' } },
      ...{ answer: 'hold', notice: false, error: null },
    });
  });

  it('that was allowed with a notice says that there was one', () => {
    const answer = { kind: 'allow', notice: 'Look.', suppressOutput: false } as const;
    writeJournal(context, { kind: 'served', served: served({ answer }) });
    expect(lines()).toMatchObject([{ answer: 'allow', notice: true }]);
    expect(fs.readFileSync(path.join(root, '.holdfast/journal.jsonl'), 'utf8')).not.toContain('Look.');
  });

  it.each<[object, object]>([
    [{}, {}],
    [{ proof: null }, {}],
    [{ proof: { worth: 'unasked', why: [] } }, {}],
    [{ proof: { worth: 'proven', why: [] } }, { proof: 'proven' }],
    [{ proof: { worth: 'unproven', why: ['failed'] } }, { proof: 'unproven', why: ['failed'] }],
  ])('that ended a run has a second line, with what its claim was worth: %j', (facts, worth) => {
    writeJournal(context, { kind: 'served', served: served({ ended: 'completed' }, facts) });
    expect(raw()[1]).toEqual({ ...aboutRun, event: 'end', outcome: 'completed', ...worth });
  });

  it('has a line for each wait, and for an answered question', () => {
    const question: Waiting = { for: 'person', since: 1, until: 9, what: 'Which?' };
    const waits = [
      { what: 'ended', wait: { ...work, until: null } },
      { what: 'began', wait: { ...work, for: 'limit', reviewer: 'codex', until: 1e300 } },
    ] as const;
    writeJournal(context, { kind: 'served', served: served({ waits, answered: question }) });
    expect(raw().slice(1)).toEqual([
      { ...aboutRun, event: 'wait', what: 'ended', for: 'work', until: null },
      { ...aboutRun, event: 'wait', what: 'began', for: 'limit', until: null, reviewer: 'codex' },
      { ...aboutRun, event: 'question', what: 'answered' },
    ]);
  });

  it('has none for a pause that is over', () => {
    const paused: Waiting = { for: 'person', since: 1, until: 9, what: 'x', pause: true };
    writeJournal(context, { kind: 'served', served: served({ answered: paused }) });
    expect(raw()).toHaveLength(1);
  });

  it.each<[unknown, string]>([
    [new TypeError('one\ntwo'), 'TypeError: one'],
    [Object.assign(new Error('x'), { code: 'EIO' }), 'Error EIO: x'],
    [Object.assign(new Error('x'), { code: 5 }), 'Error: x'],
    [new Error('y'.repeat(301)), `Error: ${'y'.repeat(300)}`],
    ['text', 'unknown error'],
    [null, 'unknown error'],
  ])('that failed has the first line of the error: %s', (error, code) => {
    writeJournal(context, { kind: 'failed', name: 'toy:a:b', error });
    writeJournal(context, { kind: 'failed', name: null, error });
    const nothing = { state: null, facts: null, guard: null, step: null, answer: 'allow', notice: true };
    expect(raw()).toMatchObject([
      { ...nothing, workflow: 'toy', run: 'a:b', error: code },
      { ...nothing, workflow: null, run: null, error: code },
    ]);
  });

  it('at which only a notice was shown says no more', () => {
    writeJournal(context, { kind: 'noticed' });
    expect(raw()).toMatchObject([{ workflow: null, run: null, answer: 'allow', notice: true, error: null }]);
  });

  it('that cannot be written fails nobody', () => {
    fs.writeFileSync(path.join(root, '.holdfast'), 'a file');
    expect(() => writeJournal(context, { kind: 'noticed' })).not.toThrow();
  });
});

describe('what happens between stops', () => {
  it('is a line each', () => {
    journalCommand(project, 'start', 'toy:a');
    journalQuestion(project, 'toy:a');
    journalWait(context, 'toy:a:b', work);
    const about = { ...at, session: 's9', workflow: 'toy', run: 'a' };
    expect(raw()).toEqual([
      { ...about, event: 'start' },
      { ...about, event: 'question', what: 'asked' },
      { ...aboutRun, event: 'wait', what: 'began', for: 'work', until: '1970-01-01T00:01:00.000Z' },
    ]);
  });

  it('has no session where it is a person’s doing', () => {
    journalCommand({ ...project, env: { HOME: root } }, 'cancel', 'toy');
    expect(raw()).toMatchObject([{ event: 'cancel', session: null, workflow: 'toy', run: '' }]);
  });

  it('of a budget is what became of it, with its limits', () => {
    const limits = { tokens: 5, timeMs: null, reviews: null, usd: null };
    journalBudget(project, 'toy:a', 'spent', limits);
    journalBudget({ ...project, env: { HOME: root } }, 'toy:a', 'raised', limits);
    const about = { ...at, event: 'budget', workflow: 'toy', run: 'a', limits };
    expect(raw()).toEqual([
      { ...about, session: 's9', what: 'spent' },
      { ...about, session: null, what: 'raised' },
    ]);
    expect(fs.readFileSync(path.join(root, '.holdfast/.gitignore'), 'utf8')).toContain('*');
  });

  it('has the time of a wait as far as there are dates', () => {
    journalWait(context, 'toy:a', { ...work, until: 8.64e15 });
    journalWait(context, 'toy:a', { ...work, until: 8.64e15 + 1 });
    expect(raw().map(({ until }) => until)).toEqual(['+275760-09-13T00:00:00.000Z', null]);
    expect(raw()[0]).not.toHaveProperty('reviewer');
  });

  it('is kept no longer than the settings allow', () => {
    journalCommand(project, 'start', 'toy:a');
    const file = path.join(root, '.holdfast/journal.jsonl');
    keepJournalShort({ ...project, config: { ...project.config, journal: { keepBytes: 1_000_000 } } });
    expect(fs.existsSync(file)).toBe(true);
    keepJournalShort({ ...project, config: { ...project.config, journal: { keepBytes: 4 } } });
    expect(fs.existsSync(file)).toBe(false);
    expect(fs.readdirSync(path.join(root, '.holdfast/journal'))).toHaveLength(1);
  });

  it('of a stop has what it cost so far, to a tenth of a millisecond', () => {
    vi.spyOn(process, 'uptime').mockReturnValueOnce(0.123456).mockReturnValueOnce(123.456_78);
    for (let stops = 0; stops < 2; stops++) writeJournal(context, { kind: 'noticed' });
    expect(raw().map(({ milliseconds }) => milliseconds)).toEqual([123.5, 123_456.8]);
    vi.restoreAllMocks();
  });

  it('is timed by the clock where it is work', () => {
    const before = Date.now();
    journalWork(context, 'toy:a:b', {
      work: 'check',
      attempt: 'a1',
      name: 'test',
      what: 'began',
      deadline: null,
    });
    const [line] = raw();
    expect(line).toMatchObject({ event: 'work', session: 's1', run: 'a:b', attempt: 'a1', deadline: null });
    expect(Date.parse(String(line?.time))).toBeGreaterThanOrEqual(before);
    expect(Date.parse(String(line?.time))).not.toBe(NOW);
  });
});

describe('a review in the journal', () => {
  const attempt: ReviewAttempt = {
    ...{ id: 'a1', work: 'review', reviewer: 'codex', kind: 'k', number: 1, file: 'r.md', model: 'm' },
    ...{ owner: null, deadline: 1, status: 'done', verdict: 'clean', before: 'x' },
  };
  const tokens = { input: 1, cacheCreation: 2, cacheRead: 3, output: 4 };
  const report = {
    ...{ attempt: 'a1', findings: { list: [] }, listed: { high: 1, medium: 0, low: 2 } },
    ...{ spend: { usd: 0.5, tokens }, milliseconds: 12, journaled: false },
  } as never as NonNullable<Parameters<typeof journalReview>[3]>;
  const line = { ...aboutRun, event: 'review', attempt: 'a1', reviewer: 'codex', model: 'm', file: 'r.md' };

  it('has what it cost and listed', () => {
    journalReview(context, 'toy:a:b', attempt, report);
    journalReview(context, 'toy:a:b', attempt, { ...report, spend: null, listed: null, milliseconds: null });
    expect(raw()).toEqual([
      {
        ...line,
        verdict: 'clean',
        usd: 0.5,
        tokens,
        milliseconds: 12,
        listed: { high: 1, medium: 0, low: 2 },
      },
      { ...line, verdict: 'clean', usd: null, tokens: null, milliseconds: null },
    ]);
    expect(lines()).toHaveLength(2);
  });

  it('is there once, and only of the review that it is about', () => {
    journalReview(context, 'toy:a:b', null, report);
    journalReview(context, 'toy:a:b', attempt, null);
    journalReview(context, 'toy:a:b', attempt, { ...report, journaled: true });
    journalReview(context, 'toy:a:b', attempt, { ...report, attempt: 'a2' });
    expect(fs.existsSync(path.join(root, '.holdfast/journal.jsonl'))).toBe(false);
    expect(reportOf(attempt, { ...report, attempt: 'a2' })).toBeNull();
    expect([spendOf(attempt, report), spendOf(null, report)]).toEqual([{ usd: 0.5, tokens }, null]);
    expect(listedBy(attempt, report)).toEqual({ listed: { high: 1, medium: 0, low: 2 } });
    expect(listedBy(attempt, { ...report, listed: null })).toEqual({});
    expect(findingsOf(attempt, report)).toEqual({ findings: { list: [] } });
    expect(findingsOf(attempt, null)).toEqual({});
  });

  it('is found again among other lines', () => {
    expect(hasReviewLine(root, 'a1')).toBe(false);
    journalWork(context, 'toy:a:b', {
      work: 'review',
      attempt: 'a1',
      name: 'codex',
      what: 'began',
      deadline: null,
    });
    journalReview(context, 'toy:a:b', { ...attempt, id: 'a10' }, { ...report, attempt: 'a10' });
    expect(hasReviewLine(root, 'a1')).toBe(false);
    journalReview(context, 'toy:a:b', attempt, report);
    journalQuestion(project, 'toy:a');
    expect([hasReviewLine(root, 'a1'), hasReviewLine(root, 'a10')]).toEqual([true, true]);
  });

  it('is not looked for behind a link', () => {
    journalReview(context, 'toy:a:b', attempt, report);
    const file = path.join(root, '.holdfast/journal.jsonl');
    fs.renameSync(file, path.join(root, 'elsewhere'));
    fs.symlinkSync(path.join(root, 'elsewhere'), file);
    expect(hasReviewLine(root, 'a1')).toBe(false);
  });
});
