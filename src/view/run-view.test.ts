import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget, writeIn } from '../../test/support/bare-project.ts';
import { shownResult, shownStop } from '../../test/support/shown-run.ts';
import type { Entry } from '../engine/docket/types.ts';
import type { Shown, WorkflowCli } from '../engine/workflow-cli.ts';
import { appendToJournal } from '../store/journal.ts';
import type { EndEntry, JournalEntry, ReviewEntry } from '../store/journal-lines.ts';
import { newSidecar, type ProofNotes, type ReviewAttempt, type Sidecar } from '../store/records.ts';
import type { RunView } from './model.ts';
import { newHistory, type RunHistory } from './run-history.ts';
import { describeRunProof, proofOfRun, type RunProof } from './run-proof.ts';
import { runView } from './run-view.ts';
import type { KnownRun } from './runs.ts';

const HOUR = 3_600_000;
const project = bareProject(100 * HOUR);
const known = (more: Partial<KnownRun> = {}): KnownRun => ({
  ...{ run: 'a', live: true, stage: 'at work', detail: { some: 1 }, name: 'toy:a', stateTrouble: null },
  ...{ notesTrouble: null, sidecar: newSidecar('toy:a'), cli: {} as WorkflowCli },
  workflow: {} as KnownRun['workflow'],
  ...more,
});
const shown =
  (more: Partial<Shown> = {}): (() => Shown) =>
  () => ({
    ...{ state: null, progress: null, asked: null, startedAt: null, files: [] },
    ...more,
  });
const view = (of: Partial<KnownRun> | null, history: Partial<RunHistory> = {}): RunView =>
  runView(project, 'p', {
    known: of === null ? null : known(of),
    history: { ...newHistory('toy', 'a'), ...history },
    ...{ cli: null, replaced: false },
  });
const sidecar = (more: Partial<Sidecar>): Sidecar => ({ ...newSidecar('toy:a'), ...more });

describe('a run as views show it', () => {
  it('is empty where nothing is known of it but its name', () => {
    const { counts } = newHistory('toy', 'a');
    const end = { kind: 'unknown' as const, at: null, why: [], by: null, checks: [] };
    expect(view(null)).toEqual({
      ...{
        id: 'p/toy:a',
        name: 'toy:a',
        workflow: 'toy',
        run: 'a',
        status: 'ended',
        needs: null,
        live: false,
      },
      ...{ stage: 'its files are gone', state: null, progress: null, asked: null, holder: null, counts },
      ...{ startedAt: null, movedAt: null, end, waiting: null, work: [], stops: [], events: [] },
      ...{ rounds: [], findings: null, checks: [], proof: null, budget: null, forecast: null, files: [] },
      ...{ trouble: null, detail: {}, dismissed: false, unseen: false, reviewsGivenUp: null },
    });
  });

  it('has what its workflow shows', () => {
    const progress = { unit: 'round', at: 1, of: 3 } as const;
    const whole = view({ shown: shown({ state: 'active', progress, asked: 'a\ntask', startedAt: 5 }) });
    expect(whole).toMatchObject({
      ...{ stage: 'at work', state: 'active', progress, asked: 'a task', startedAt: 5, live: true },
      detail: { some: 1 },
    });
    expect(view({ shown: shown({ startedAt: 5 }) }, { startedAt: 3 }).startedAt).toBe(3);
    expect(view({ shown: shown({ asked: '' }) }).asked).toBeNull();
    expect(view({ shown: shown({ asked: 'x'.repeat(2001) }) }).asked).toBe(`${'x'.repeat(1999)}…`);
    expect(view({ shown: shown({ asked: 'x'.repeat(2000) }) }).asked).toBe('x'.repeat(2000));
    const throws = (): never => {
      throw new Error('torn');
    };
    expect(view({ shown: throws })).toMatchObject({ asked: null, stage: 'at work' });
  });

  it('has no forecast once it is over', () => {
    const progress = { unit: 'round', at: 1, of: 3 } as const;
    expect(view({ live: false, shown: shown({ progress }) })).toMatchObject({ progress, forecast: null });
  });

  it('says what is in the way of its state before what is in the way of its notes', () => {
    const state = { what: 'The state is gone', fix: 'write it' };
    const notes = { what: 'The notes are gone', fix: 'adopt it' };
    expect(view({ stateTrouble: state, notesTrouble: notes })).toMatchObject({
      ...{ trouble: state, status: 'needs-you', needs: 'The state is gone; to fix it, write it' },
    });
    expect(view({ notesTrouble: notes }).trouble).toEqual(notes);
  });

  it('has the newest event first', () => {
    const position = { segment: 1, offset: 0 };
    const events = [1, 2].map((at) => ({ position, at, event: 'start' as const, text: 'started' }));
    expect(view({}, { events, movedAt: 2 })).toMatchObject({ events: [{ at: 2 }, { at: 1 }], movedAt: 2 });
  });
});

describe('the stops of a run', () => {
  const stops = [shownStop({ at: 1 }), shownStop({ at: 61_001, kind: 'failed' })];

  it('have the newest first', () => {
    expect(view({}, { stops }).stops.map(({ at }) => at)).toEqual([61_001, 1]);
  });

  it('are put into words once', () => {
    const entry = { ...{ step: null, facts: {}, guard: null, error: null, answer: 'hold', run: 'a' } };
    const history = { ...newHistory('toy', 'a') };
    history.stops = [{ entry, position: { segment: 1, offset: 0 }, at: 1 } as never];
    const source = { known: known(), history, cli: null, replaced: false };
    const [first] = runView(project, 'p', source).stops;
    expect(first?.why).toBe('The journal does not say why.');
    expect(runView(project, 'p', source).stops[0]).toBe(first);
  });

  it('give the pace: holds where there are two, else reviews', () => {
    const progress = { unit: 'round', at: 1, of: 2 } as const;
    const reviews = [0, 9000].map((at) => ({ at, position: { segment: 1, offset: 0 }, entry: REVIEW }));
    const pace = (...kinds: RunView['stops'][number]['kind'][]) =>
      view(
        { shown: shown({ progress }) },
        { reviews, stops: kinds.map((kind, index) => shownStop({ kind, at: index * 1000 })) },
      ).forecast?.milliseconds;
    expect(pace('held', 'held')).toBe(1000);
    expect(pace('held', 'allowed', 'held')).toBe(2000);
    expect(pace('held')).toBe(9000);
    expect(pace('held', 'allowed')).toBe(9000);
  });
});

const REVIEW: ReviewEntry = {
  ...{ schema: 2, time: '', session: null, event: 'review', workflow: 'toy', run: 'a', attempt: 'x' },
  ...{ reviewer: 'r', model: 'm', file: 'plan-review-1.md', verdict: 'findings', usd: 1, milliseconds: 5 },
  tokens: null,
};

describe('whose a run is', () => {
  const holder = { session: 's2', client: 'codex', since: 7 };
  it.each([
    [[], null],
    [['s1'], { session: 's1', client: null, since: null, driven: true }],
    [['s1', 's2'], { session: 's1', client: 'codex', since: 7, driven: true }],
  ])('of the sessions %j is %j', (sessions, expected) => {
    expect(view({ sidecar: sidecar({ sessions }) }, { holder, drive: 'on' }).holder).toEqual(expected);
  });

  it('is known without its stops, too', () => {
    expect(view({ sidecar: sidecar({ sessions: ['s1'] }) }).holder).toEqual({
      ...{ session: 's1', client: null, since: null, driven: false },
    });
  });
});

describe('what a run waits for', () => {
  const waiting = { for: 'work', since: project.now - HOUR, until: null, what: 'a\nbuild' } as const;
  it('is shown while it goes on', () => {
    expect(view({ sidecar: sidecar({ waiting }) })).toMatchObject({
      status: 'waiting',
      waiting: {
        ...{
          for: 'work',
          since: waiting.since,
          until: waiting.since + 24 * HOUR,
          what: 'a build',
          reviewer: null,
        },
        text: expect.stringContaining('It has waited for 60 min for'),
      },
    });
    const limit = { ...waiting, for: 'limit', reviewer: 'codex', until: project.now + 1 } as const;
    expect(view({ sidecar: sidecar({ waiting: limit }) }).waiting?.reviewer).toBe('codex');
    expect(view({ live: false, sidecar: sidecar({ waiting }) }).waiting).toBeNull();
    const what = 'x'.repeat(2001);
    expect(view({ sidecar: sidecar({ waiting: { ...waiting, what } }) }).waiting?.what).toHaveLength(2000);
  });
});

describe('the end of a run', () => {
  const end = { outcome: 'completed', at: 5, worth: 'unproven', why: ['untrusted', '(odd)'] } as const;
  it('is told in words, once it is over', () => {
    const said = { kind: 'unproven', at: 5, why: ['not trusted', '(odd)'], by: null, checks: [] };
    expect(view({ live: false }, { end }).end).toEqual(said);
    expect(view({}, { end }).end).toBeNull();
    expect(view(null, { end })).toMatchObject({ end: said, stage: 'done, unproven (not trusted, (odd))' });
  });
});

describe('the checks of a run', () => {
  it('have their results, and their log where there is one', () => {
    writeIn(project, '.holdfast/checks/test.log', '');
    const results = [shownResult()];
    const checks = new Map([
      ['test', results],
      ['lint', []],
    ]);
    expect(view({}, { checks }).checks).toEqual([
      { name: 'test', results, log: '.holdfast/checks/test.log' },
      { name: 'lint', results: [], log: null },
    ]);
  });
});

describe('the findings of a run', () => {
  const finding = (id: string, more: Partial<Entry> = {}): Entry => ({
    ...{ id, review: 'plan-review-1.md', round: 1, by: 'r', severity: 'high', file: null, line: null },
    ...{ claim: 'c', evidence: null, status: 'open', answer: null, earlier: [], others: { mine: 1 } },
    ...more,
  });
  const withDocket = (findings: Entry[]): Partial<KnownRun> => ({
    cli: {
      docket: () => ({ file: 'd.json', docket: { last: 9, findings, strays: [], others: {} } }),
    } as unknown as WorkflowCli,
  });

  it('are counted and listed, with those that were raised again', () => {
    const again = finding('F2', { earlier: ['F1'] });
    const { findings, rounds } = view(
      withDocket([finding('F1', { status: 'rejected' }), again, finding('F3', { status: 'fixed' })]),
    );
    const { others: _, ...rest } = again;
    expect(findings).toMatchObject({
      file: 'd.json',
      found: 3,
      fixed: 1,
      rejected: 1,
      open: 1,
      contested: 1,
    });
    expect(findings?.list[1]).toEqual({ ...rest, contested: false });
    expect(findings?.list.map(({ contested }) => contested)).toEqual([true, false, false]);
    expect(rounds).toMatchObject([{ about: 'plan', number: 1, found: { high: 3 } }]);
  });

  it('are the last thousand', () => {
    const { findings } = view(withDocket(Array.from({ length: 1001 }, (_, index) => finding(`F${index}`))));
    expect([findings?.found, findings?.list.length, findings?.list[0]?.id]).toEqual([1001, 1000, 'F1']);
  });

  it('are none where the docket is empty or cannot be read', () => {
    expect(view(withDocket([])).findings).toBeNull();
    const docket = (): never => {
      throw new Error('torn');
    };
    expect(view({ cli: { docket } as unknown as WorkflowCli }).findings).toBeNull();
  });
});

describe('the files of a run', () => {
  it('are those that are there and in the project, three hundred at most', () => {
    const inside = writeIn(project, 'plans/a.md', '');
    const outside = path.join(path.dirname(project.root), 'b.md');
    fs.writeFileSync(outside, '');
    const files = [inside, outside, path.join(project.root, 'plans'), path.join(project.root, 'gone.md')];
    expect(view({ shown: shown({ files }) }).files).toEqual(['plans/a.md']);
    const many = Array.from({ length: 301 }, () => inside);
    expect(view({ shown: shown({ files: many }) }).files).toHaveLength(300);
  });
});

describe('the review of a run', () => {
  const attempt = (status: ReviewAttempt['status']): ReviewAttempt => ({
    ...{ id: 'x', work: 'review', reviewer: 'codex', kind: 'plan-review', number: 2, file: 'review-2.md' },
    ...{ model: 'm', owner: null, deadline: project.now + 1, verdict: null, before: '', status },
  });
  it('is a round while it runs', () => {
    const running = view({ sidecar: sidecar({ attempts: [attempt('running')] }) });
    expect(running).toMatchObject({
      rounds: [{ verdict: 'running', number: 2 }],
      work: [{ name: 'codex/m, plan-review 2' }],
    });
    const done = view({ sidecar: sidecar({ attempts: [attempt('done')] }) });
    expect([done.rounds, done.work]).toEqual([[], []]);
  });
});

describe('the budget of a run', () => {
  it('bounds its forecast', () => {
    const own = bareProject(100 * HOUR);
    giveBudget(own, budgetOf(own, 'toy:a', { limits: { tokens: 10 }, spent: { tokens: 4 }, holds: 2 }));
    const burn = [{ at: 1, tokens: 1, timeMs: 0, reviews: 0, usd: 0 }];
    const source = {
      known: known(),
      history: { ...newHistory('toy', 'a'), burn, stops: [1, 2].map((at) => shownStop({ at })) },
      cli: null,
      replaced: false,
    };
    expect(runView(own, 'p', source)).toMatchObject({
      budget: { left: { tokens: 6 }, iterations: 2, burn },
      forecast: { more: 3, unit: 'iteration' },
    });
  });
});

describe('the proof of a run', () => {
  const notes = (more: Partial<ProofNotes> = {}): ProofNotes => ({
    ...{ asked: { checks: ['lint', 'test'], off: false }, definitions: 'test=abc other=def', content: null },
    ...{ pinned: false, refusals: 2, cannotRunSaid: false, protectedSaid: false },
    ...more,
  });
  const proven = (more: Partial<KnownRun> = {}, of = project): RunProof | null =>
    proofOfRun(of, known({ sidecar: sidecar({ proof: notes() }), ...more }));

  it('is what its start noted, where nothing is pinned', () => {
    expect(proofOfRun(project, known())).toBeNull();
    const proof = { checks: ['test', 'other', 'lint'], untrusted: [], off: false, refusals: 2 };
    expect(proven()).toEqual({ ...proof, ended: null });
    expect(view({ sidecar: sidecar({ proof: notes() }) }).proof).toEqual({
      ...proof,
      text: 'checks test, other, lint; claim refused 2 times in a row',
    });
    const off = notes({ asked: { checks: null, off: true } });
    expect(proofOfRun(project, known({ sidecar: sidecar({ proof: off }) }))?.off).toBe(true);
  });

  it('is how it ended, by the newest line about its end', () => {
    const line = {
      schema: 2,
      time: '2026-11-17T09:00:00.000Z',
      session: null,
      workflow: 'toy',
      run: 'a',
    } as const;
    const end = (more: Partial<EndEntry>): EndEntry => ({ ...line, event: 'end', outcome: null, ...more });
    const ended = (...lines: JournalEntry[]) => {
      const own = bareProject();
      fs.mkdirSync(own.home);
      if (lines.length > 0) appendToJournal(own.root, ...lines);
      return proven({ live: false }, own)?.ended;
    };
    expect(ended()).toBeNull();
    expect(ended(end({ proof: 'proven' }))).toEqual({ worth: 'proven', why: [] });
    expect(ended(end({ proof: 'proven' }), end({ proof: 'unproven', why: ['failed'] }))).toEqual({
      ...{ worth: 'unproven', why: ['failed'] },
    });
    expect(ended(end({ proof: 'proven' }), end({}))).toEqual({ worth: 'proven', why: [] });
    expect(ended(end({ proof: 'proven' }), { ...line, event: 'start' })).toBeNull();
    expect(ended(end({ proof: 'proven' }), end({ run: 'b', proof: 'unproven' }))?.worth).toBe('proven');
    const broken = bareProject();
    writeIn(broken, '.holdfast/journal.jsonl', 'no journal\n');
    expect(proven({ live: false }, broken)?.ended).toBeNull();
  });

  it.each<[Partial<RunProof>, string]>([
    [{}, 'no checks'],
    [{ checks: ['a', 'b'], untrusted: ['b'] }, 'checks a, b (not trusted)'],
    [{ checks: ['a'], refusals: 1 }, 'checks a; claim refused once'],
    [{ refusals: 2 }, 'no checks; claim refused 2 times in a row'],
    [{ checks: ['a'], off: true }, 'checks switched off'],
    [{ off: true, ended: { worth: 'proven', why: [] } }, 'proven'],
    [{ ended: { worth: 'unproven', why: ['failed', 'untrusted'] } }, 'unproven (failed, not trusted)'],
  ])('in words: %j', (more, words) => {
    const none: RunProof = { checks: [], untrusted: [], off: false, refusals: 0, ended: null };
    expect(describeRunProof({ ...none, ...more })).toBe(words);
  });
});
