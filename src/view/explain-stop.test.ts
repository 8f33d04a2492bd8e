import { describe, expect, it } from 'vitest';
import type { StopEntry } from '../store/journal-lines.ts';
import type { Json } from '../store/json.ts';
import { because, explain, inItsWords } from './explain-stop.ts';

const step = (name: string, slots: Json = {}): Json => ({
  ...{ kind: 'hold', change: null, notice: null },
  message: { name, slots },
});
const stop = (more: Partial<StopEntry> = {}): StopEntry => ({
  ...{ schema: 2, time: '2026-11-16T22:30:00.000Z', event: 'stop', client: 'claude-code', session: 's1' },
  ...{ turn: null, workflow: 'toy', run: 'a', state: {}, facts: {}, guard: null, step: step('go-on') },
  ...{ answer: 'hold', notice: false, error: null, milliseconds: 20 },
  ...more,
});
const why = (more: Partial<StopEntry>, words: string | null = null): string => because(stop(more), words);

describe('a stop, explained', () => {
  it.each<[string, Partial<StopEntry>, RegExp]>([
    ['that was held', {}, /^Held by toy:a\. It said "go on"\. \(2026-\S+ \S+, claude-code, session s1\)$/],
    ['that was allowed', { answer: 'allow' }, /^Allowed by toy:a\. It said "go on"\./],
    ['fired by hand', { session: null }, /, fired by hand\)$/],
    ['with an error of a run', { error: 'no disk' }, /^Allowed: toy:a hit an error: no disk/],
    [
      'with an error before any run',
      { error: 'no disk', workflow: null, run: null },
      /^Allowed: Holdfast hit/,
    ],
    ['without a run', { workflow: null, run: null }, /^Allowed: this session has no run/],
  ])('%s', (_, more, words) => {
    expect(explain(stop(more))).toMatch(words);
  });

  it('has the workflow’s own words where there are some', () => {
    expect(explain(stop(), 'Round 2 is due.')).toContain('Held by toy:a. Round 2 is due. (');
  });
});

describe('what a stop said', () => {
  it.each<[Json, string]>([
    [null, 'The journal does not say why.'],
    [{ kind: 'allow' }, 'Nothing was outstanding.'],
    [step('go-on-then'), 'It said "go on then".'],
    [step('go-on', { round: 2, plan: 'a b' }), 'It said "go on" (round 2, plan a b).'],
    [step('go-on', { round: 2 }), 'It said "go on" (round 2).'],
  ])('%j', (recorded, words) => {
    expect(why({ step: recorded })).toBe(words);
  });
});

describe('a stop that was allowed without what was due', () => {
  it.each([
    [
      'client-cap',
      'It was to be held, but its client honours no more holds after this prompt: the run waits for the next one. Type anything in that session.',
    ],
    [
      'no-time',
      'A review is due, but the client leaves the hook too little time for one, so none was started.',
    ],
    [
      'no-time-left',
      'A review is due, but another one took the time of this stop, so the next stop runs it.',
    ],
    ['under-way', 'A review is due and already under way, so no second one was started.'],
    ['one-ended', 'A review is due, but another one had just ended at this stop, so the next stop runs it.'],
  ])('%s', (unstepped, words) => {
    expect(why({ unstepped, answer: 'allow' })).toBe(words);
    expect(why({ unstepped, answer: 'allow', step: { kind: 'prove' } })).toBe(
      'The agent claimed to be done, but a check of this run is already under way, so no second one was started.',
    );
  });
});

const guard = (
  more: { memory?: object; movement?: object; limits?: object; result?: string } = {},
): Json => ({
  memory: { noProgress: 4, noTools: 1, toolsUnknown: 2, released: false, held: true, ...more.memory },
  movement: { state: false, artifacts: false, tools: 'no', ...more.movement },
  limits: { unmoved: 3, tools: 12, unknown: 6, ...more.limits },
  result: more.result ?? 'hold',
});

describe('what the guard weighed at a hold', () => {
  it.each<[string, Json, string]>([
    ['the first hold', guard({ memory: { held: false } }), 'It was the first hold of this session.'],
    ['the state moved', guard({ movement: { state: true } }), 'Moved since the last hold: the state.'],
    ['files moved', guard({ movement: { artifacts: true } }), 'Moved since the last hold: its files.'],
    [
      'everything moved',
      guard({ movement: { state: true, artifacts: true, tools: 'yes', waited: true } }),
      'Moved since the last hold: the state, its files, the agent used tools.',
    ],
    [
      'nobody can tell',
      guard({ movement: { tools: 'unknown' } }),
      'Moved since the last hold: perhaps the agent (the transcript does not show it).',
    ],
    [
      'files moved while it waited',
      guard({ movement: { artifacts: true, waited: true } }),
      'Moved since the last hold: its files.',
    ],
    [
      'it waited',
      guard({ movement: { waited: true } }),
      'The agent has waited with `holdfast wait` since the last hold, so no hold was counted.',
    ],
    ['nothing moved', guard(), 'Nothing moved since the last hold (2 of 3 before it is let go).'],
    [
      'nothing moved for longer than is counted',
      guard({ memory: { noTools: 3 } }),
      'Nothing moved since the last hold (3 of 3 before it is let go).',
    ],
  ])('%s', (_, weighed, words) => {
    expect(why({ guard: weighed })).toBe(`It said "go on". ${words}`);
    expect(why({ guard: weighed }, 'Its words.')).toBe(`Its words. ${words}`);
    expect(why({ guard: weighed, answer: 'allow' })).toBe('It said "go on".');
  });
});

describe('a run that the guard let go', () => {
  it.each<[string, Json, string]>([
    [
      'earlier',
      guard({ result: 'release', memory: { released: true } }),
      'It had been let go because there was no progress, and nothing has moved since.',
    ],
    [
      'since nothing moved',
      guard({ result: 'release', memory: { noTools: 3 } }),
      'The guard let go: nothing at all moved in 3 holds in a row.',
    ],
    [
      'after a single hold',
      guard({ result: 'release', memory: { noTools: 1 }, limits: { unmoved: 1 } }),
      'The guard let go: nothing at all moved in 1 hold in a row.',
    ],
    [
      'since the transcript says nothing',
      guard({ result: 'release', memory: { toolsUnknown: 6 }, movement: { tools: 'unknown' } }),
      'The guard let go: the transcript could not be read for 6 holds in a row.',
    ],
    [
      'though tools were used',
      guard({ result: 'release', memory: { noProgress: 12 }, movement: { tools: 'yes' } }),
      'The guard let go: the agent used tools, but neither the state nor a file of the run moved in 12 holds in a row.',
    ],
  ])('%s', (_, weighed, words) => {
    expect(why({ guard: weighed, answer: 'allow', unstepped: 'no-time' })).toBe(words);
  });
});

const check = (name: string, more: object = {}) => ({
  ...{ name, end: 'passed', code: 0, milliseconds: 3200, from: 'run' },
  ...more,
});
const proof = (more: object = {}) => ({
  ...{ claim: 'stands', worth: 'proven', why: [], checks: [check('test')], protectedChanged: 0 },
  ...more,
});

describe('what the checks of a stop said', () => {
  const failed = check('test', { end: 'failed', code: 1 });
  it.each<[string, Json, string]>([
    ['nothing', {}, ''],
    ['proven', { proof: proof() }, ' Proven: test passed (3.2 s).'],
    [
      'unproven',
      { proof: proof({ worth: 'unproven', why: ['changed-since'] }) },
      ' Unproven: test passed (3.2 s). Something changed since the checks ran.',
    ],
    [
      'refused',
      { proof: proof({ claim: 'refused', worth: 'unproven', why: ['failed'], checks: [failed] }) },
      ' Checks: test failed (exit code 1, 3.2 s).',
    ],
    ['unasked', { proof: proof({ worth: 'unasked' }), until: proof() }, ''],
    ['by the check that ends it', { until: proof() }, ' Check: test passed (3.2 s).'],
    ['by none that ends it', { until: proof({ checks: [] }) }, ''],
    ['both', { proof: proof(), until: proof({ checks: [failed] }) }, ' Proven: test passed (3.2 s).'],
  ])('%s', (_, facts, words) => {
    expect(why({ facts })).toBe(`It said "go on".${words}`);
  });

  it('refused too often, it is let go', () => {
    const facts = {
      proof: proof({ claim: 'refused', worth: 'unproven', why: ['refused-too-often'], checks: [failed] }),
    };
    expect(why({ facts, answer: 'allow' })).toBe(
      'Its claim to be done was refused too often in a row, so it was let go, unproven: test failed (exit code 1, 3.2 s).',
    );
    expect(why({ facts })).toBe(
      'It said "go on". Checks: test failed (exit code 1, 3.2 s). The claim was refused too often.',
    );
  });
});

describe('a stop in the words of its workflow', () => {
  it('is what that workflow says of its step', async () => {
    const recorded = step('continue', { iteration: 2, max: 10 });
    expect(await inItsWords(stop({ workflow: 'idle', step: recorded }))).toContain('iteration 2 of 10');
    expect(await inItsWords(stop({ workflow: 'unheard-of', step: recorded }))).toBeNull();
    expect(await inItsWords(stop({ workflow: 'idle', step: null }))).toBeNull();
  });

  it('names the check that ended it, where that check stands', async () => {
    const done = { kind: 'allow', change: { event: 'DONE', reason: 'COMPLETE' } };
    const said = (until: object) =>
      inItsWords(stop({ workflow: 'idle', step: done, facts: { until: until as Json } }));
    expect(await said(proof())).toBe('The check test, which ends the loop, passed, so the loop is done.');
    const signal = 'The agent gave the signal COMPLETE, so the loop is done.';
    expect(await said(proof({ claim: 'refused' }))).toBe(signal);
    expect(await said(proof({ checks: [] }))).toBe(signal);
  });
});
