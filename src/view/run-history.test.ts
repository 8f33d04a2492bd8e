import { describe, expect, it } from 'vitest';
import { NO_COUNTS } from '../../test/support/shown-run.ts';
import type { JournalEntry, StopEntry } from '../store/journal-lines.ts';
import type { Json } from '../store/json.ts';
import { addLine, kindOf, newHistory, type RunHistory, tokensOf } from './run-history.ts';

const line = { schema: 2, time: '', session: null, workflow: 'toy', run: 'a' } as const;
const stop = (more: Partial<StopEntry> = {}): StopEntry => ({
  ...{ ...line, event: 'stop', client: 'claude-code', session: 's1', turn: null, state: {}, facts: {} },
  ...{ guard: null, step: { kind: 'hold' }, answer: 'hold', notice: false, error: null, milliseconds: 1 },
  ...more,
});
const review = (more: object = {}): JournalEntry => ({
  ...{ ...line, event: 'review', attempt: 'x', reviewer: 'r', model: 'm', file: '1.md', verdict: 'clean' },
  ...{ usd: null, tokens: null, milliseconds: null },
  ...more,
});
const position = { segment: 1, offset: 0 };
/** Each a second after the one before, the first at 1000. */
function historyOf(...entries: readonly JournalEntry[]): RunHistory {
  const history = newHistory('toy', 'a');
  for (const [index, entry] of entries.entries()) addLine(history, entry, position, 1000 * (index + 1));
  return history;
}
const times = (count: number, entry: JournalEntry): JournalEntry[] =>
  Array.from({ length: count }, () => entry);

describe('a history', () => {
  it('begins with nothing', () => {
    expect(newHistory('toy', 'a')).toEqual({
      ...{
        workflow: 'toy',
        run: 'a',
        startedAt: null,
        task: null,
        movedAt: 0,
        stops: [],
        events: [],
        reviews: [],
      },
      ...{ checks: new Map(), burn: [], counts: NO_COUNTS, holder: null, end: null, drive: null },
    });
  });

  it('knows when the run moved last, whatever order the lines have', () => {
    const history = historyOf(stop(), stop());
    addLine(history, stop(), position, 500);
    expect(history.movedAt).toBe(2000);
  });

  it('has each event in words, stops apart', () => {
    const { events, stops } = historyOf({ ...line, event: 'start' }, stop());
    expect(events).toEqual([{ position, at: 1000, event: 'start', text: 'started in a terminal' }]);
    expect(stops).toEqual([{ entry: stop(), position, at: 2000 }]);
  });

  it('keeps the newest of each kind, as many as there is room for', () => {
    const { stops, events, reviews, counts } = historyOf(...times(101, stop()), ...times(501, review()));
    expect([stops.length, events.length, reviews.length]).toEqual([100, 100, 500]);
    expect([stops[0]?.at, events[0]?.at, reviews[0]?.at]).toEqual([2000, 503_000, 103_000]);
    expect([counts.stops, counts.reviews]).toEqual([101, 501]);
    const { stops: all } = historyOf(...times(100, stop()));
    expect([all.length, all[0]?.at]).toEqual([100, 1000]);
  });
});

describe('how a run began and ended', () => {
  const start = { ...line, event: 'start' } as const;
  const cancel = { ...line, event: 'cancel' } as const;
  const end = { ...line, event: 'end', outcome: 'completed', proof: 'unproven', why: ['failed'] } as const;

  it('is told by its own lines', () => {
    expect(historyOf(stop(), start)).toMatchObject({ startedAt: 2000, end: null });
    expect(historyOf(start, cancel).end).toMatchObject({ outcome: 'cancelled', at: 2000, by: 'by a person' });
    expect(historyOf(start, end).end).toEqual({
      outcome: 'completed',
      at: 2000,
      worth: 'unproven',
      why: ['failed'],
      checks: [],
    });
    expect(historyOf({ ...line, event: 'end', outcome: null }).end).toEqual({
      ...{ outcome: null, at: 1000, worth: null, why: [], checks: [] },
    });
  });

  it('is undone by another start, and by whoever adopts it; only a start says when it began', () => {
    expect(historyOf(end, start)).toMatchObject({ end: null, startedAt: 2000 });
    expect(historyOf(end, { ...line, event: 'adopt' })).toMatchObject({ end: null, startedAt: null });
    expect(historyOf(end, review()).end).not.toBeNull();
    expect(historyOf(end, stop()).end).toBeNull();
  });

  it.each(['budget', 'work', 'wait', 'question', 'notify'] as const)('is not touched by %s', (event) => {
    const limits = { tokens: null, timeMs: null, reviews: null, usd: null };
    const said = {
      what: 'began',
      limits,
      for: 'work',
      work: 'check',
      name: 'n',
      by: '',
      on: '',
      why: '',
      until: null,
    };
    const history = historyOf(end, { ...line, event, ...said } as unknown as JournalEntry);
    expect(history.end?.at).toBe(1000);
    expect(history).toMatchObject({ drive: null, startedAt: null, counts: NO_COUNTS });
    expect(history.events).toHaveLength(2);
  });

  it('is driven until its driver ends, and then until it is taken up', () => {
    const drive = (what: 'began' | 'waits' | 'finished', why?: string) =>
      ({ ...line, event: 'drive', what, ...(why === undefined ? {} : { why }) }) as const;
    expect(historyOf(drive('began'), drive('waits')).drive).toBe('on');
    expect(historyOf(drive('began'), drive('finished', 'errors')).drive).toEqual({ ended: 'errors' });
    expect(historyOf(drive('finished', 'errors'), stop()).drive).toBeNull();
    const taken = historyOf(start, drive('finished', 'cancelled-by-agent, exit code 5'));
    expect(taken.end).toMatchObject({ outcome: 'cancelled', by: 'by its agent' });
  });
});

describe('the kind of a stop', () => {
  const release = { result: 'release' };
  const refused = { proof: { why: ['failed', 'refused-too-often'] } };
  it.each<[string, Partial<StopEntry>]>([
    ['held', {}],
    ['held', { guard: release, waiting: { result: 'waits' }, facts: refused }],
    ['failed', { error: 'x', guard: release }],
    ['let-go', { answer: 'allow', guard: release }],
    ['let-go', { answer: 'allow', facts: refused }],
    ['waits', { answer: 'allow', waiting: { result: 'waits' }, facts: refused }],
    ['allowed', { answer: 'allow' }],
    ['allowed', { answer: 'allow', guard: { result: 'hold' }, waiting: { result: 'goes-on' } }],
    ['allowed', { answer: 'allow', guard: 'release', waiting: 'waits', facts: null }],
    ['allowed', { answer: 'allow', facts: { proof: { why: ['failed'] } } }],
    ['allowed', { answer: 'allow', facts: { proof: { why: 'refused-too-often' } } }],
    ['allowed', { answer: 'allow', facts: { proof: 'refused-too-often' } }],
  ])('is %s: %j', (kind, more) => {
    expect(kindOf(stop(more))).toBe(kind);
  });

  it('is counted', () => {
    const release = { answer: 'allow', guard: { result: 'release' } } as const;
    const kinds = [
      {},
      {},
      {},
      { answer: 'allow' },
      { answer: 'allow', waiting: { result: 'waits' } },
    ] as const;
    const { counts } = historyOf(...[...kinds, release, { error: 'x' }].map((more) => stop(more)));
    expect(counts).toEqual({ ...NO_COUNTS, stops: 7, held: 3, allowed: 2, letGo: 1, failed: 1 });
  });
});

describe('whose a run is', () => {
  it('is known from the first stop of the session on', () => {
    expect(historyOf(stop(), stop({ client: 'codex' })).holder).toEqual({
      ...{ session: 's1', client: 'claude-code', since: 1000 },
    });
    expect(historyOf(stop(), stop({ session: 's2', client: 'codex' })).holder).toEqual({
      ...{ session: 's2', client: 'codex', since: 2000 },
    });
  });

  it('is not told by a stop that was fired by hand', () => {
    expect(historyOf(stop({ session: null })).holder).toBeNull();
    expect(historyOf(stop(), stop({ session: null })).holder?.session).toBe('s1');
  });
});

describe('reviews of a history', () => {
  it('are added up, without what was read from a cache', () => {
    const tokens = { input: 1, cacheCreation: 20, cacheRead: 300, output: 4000 };
    const { counts, reviews } = historyOf(
      review({ usd: 0.5, tokens }),
      review({ usd: 0.25 }),
      review({ tokens }),
    );
    expect(counts).toEqual({ ...NO_COUNTS, reviews: 3, usd: 0.75, tokens: 8042 });
    expect(reviews.map(({ at }) => at)).toEqual([1000, 2000, 3000]);
    expect([tokensOf(tokens), tokensOf(null)]).toEqual([4021, 0]);
  });
});

describe('checks of a history', () => {
  const fact = (name: string, more: object = {}) => ({
    ...{ name, end: 'passed', code: 0, milliseconds: 5, from: 'run' },
    ...more,
  });
  const withFacts = (facts: object): StopEntry => stop({ facts: facts as Json });

  it('are those of the claim, of the check that ends the run, and those asked for by name', () => {
    const { checks, counts } = historyOf(
      withFacts({
        proof: { checks: [fact('a', { from: 'receipt', flaky: true }), { name: 'broken' }] },
        until: { checks: [fact('b', { end: 'failed', code: 1, milliseconds: null })] },
        checks: { c: fact('c', { from: null, code: null, end: 'cannot-run' }) },
      }),
      withFacts({ proof: { checks: [fact('a')] } }),
    );
    const result = {
      at: 1000,
      end: 'passed',
      code: 0,
      milliseconds: 5,
      receipt: false,
      flaky: false,
      position,
    };
    expect([...checks]).toEqual([
      [
        'a',
        [
          { ...result, receipt: true, flaky: true },
          { ...result, at: 2000 },
        ],
      ],
      ['b', [{ ...result, end: 'failed', code: 1, milliseconds: null }]],
      ['c', [{ ...result, end: 'cannot-run', code: null }]],
    ]);
    expect(counts.checks).toBe(2);
  });

  it.each([null, 'x', { proof: null }, { proof: { checks: 'a' }, until: 'x', checks: [fact('a')][0] }])(
    'are none in %j',
    (facts) => {
      expect(historyOf(stop({ facts: facts as Json })).checks.size).toBe(0);
    },
  );

  it('are fifty at most, of one stop and in all', () => {
    const named = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => fact(`c${from + index}`));
    expect(historyOf(withFacts({ proof: { checks: named(0, 51) } })).counts.checks).toBe(50);
    const { checks } = historyOf(
      withFacts({ proof: { checks: named(0, 49) } }),
      withFacts({ proof: { checks: named(48, 3) } }),
    );
    expect(checks.size).toBe(50);
    expect([checks.get('c48')?.length, checks.get('c49')?.length, checks.has('c50')]).toEqual([2, 1, false]);
  });

  it('have their last two hundred results', () => {
    const once = withFacts({ proof: { checks: [fact('a')] } });
    const results = historyOf(...times(201, once)).checks.get('a');
    expect([results?.length, results?.[0]?.at, results?.at(-1)?.at]).toEqual([200, 2000, 201_000]);
  });
});

describe('what was spent, from stop to stop', () => {
  const spent = { tokens: 1, timeMs: 2, reviews: 3, usd: 4, cacheRead: 5 };
  const limits = { tokens: 9, timeMs: null, reviews: null, usd: null };
  const metered = stop({ budget: { stage: 'open', limits, spent, due: 'hold', result: 'goes-on' } });

  it('is on record where it was metered', () => {
    const { burn } = historyOf(stop(), metered, stop({ budget: 'broken' }));
    expect(burn).toEqual([{ at: 2000, tokens: 1, timeMs: 2, reviews: 3, usd: 4 }]);
  });

  it('is kept of the last three hundred', () => {
    const { burn } = historyOf(...times(301, metered));
    expect([burn.length, burn[0]?.at]).toEqual([300, 2000]);
  });
});
