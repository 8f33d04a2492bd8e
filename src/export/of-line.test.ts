import { describe, expect, it } from 'vitest';
import { at, cancel, end, review, start, stop, wait, work } from '../../test/export/lines.ts';
import { type JournalEntry, parseJournalLine } from '../store/journal-lines.ts';
import { countFindings } from './counts.ts';
import { logId, spanId, traceId } from './ids.ts';
import { type FromLine, ofLine, type Reading } from './of-line.ts';
import { Runs } from './runs.ts';
import type { RunState } from './state.ts';

const sender = { instance: 'i', secret: 's' };
const SESSION = '0b5d6c1e-5f2a-4b43-a7f5-3a3a5c1c2a10';

const reading = (paths = false): Reading => ({
  ...{ sender, project: 'p', root: '/home/dev/project', paths, runs: new Runs({}, sender, 'p') },
});

function entryOf(line: object): JournalEntry {
  const entry = parseJournalLine(JSON.stringify(line));
  if (entry === null) throw new Error(`no such line: ${JSON.stringify(line)}`);
  return entry;
}

/** The lines one after the other, as one journal; the key of each is its number. */
function read(lines: readonly object[], how = reading()): FromLine[] {
  return lines.map((line, index) => {
    const entry = entryOf(line);
    return ofLine(entry, String(index), Date.parse(entry.time), how);
  });
}
const only = (line: object, how = reading()): FromLine => lastOf([line], how);
function lastOf(lines: readonly object[], how = reading()): FromLine {
  const last = read(lines, how).at(-1);
  if (last === undefined) throw new Error('there is no line');
  return last;
}
const counted = ({ counts }: FromLine): [string, number][] => counts.map(([name, value]) => [name, value]);
const T = (seconds: number): number => Date.parse(at(seconds));
const other = (event: string, more: object): object => ({ ...start(0), event, ...more });

describe('the log record of a line', () => {
  it.each([
    [start(0), 'idle: run started', 9],
    [other('adopt', {}), 'idle: run adopted', 9],
    [cancel(0), 'idle: run cancelled', 9],
    [end(0, 'completed'), 'idle: run over, completed', 9],
    [end(0, 'released'), 'idle: run over, released', 13],
    [end(0, 'stuck'), 'idle: run over, stuck', 13],
    [end(0, null), 'idle: run over, unknown', 9],
    [stop(0), 'idle: stop held', 9],
    [stop(0, 'allow'), 'idle: stop allowed', 9],
    [stop(0, 'allow', { error: 'Error: x' }), 'idle: stop allowed after an error of Holdfast', 17],
    [stop(0, 'allow', { workflow: null, run: null }), 'no run: stop allowed', 9],
    [review(0), 'idle: review by claude ended, findings', 9],
    [review(0, { verdict: null }), 'idle: review by claude ended, none', 9],
    [other('budget', { what: 'spent', limits: {} }), 'idle: budget spent', 13],
    [other('budget', { what: 'raised', limits: {} }), 'idle: budget raised', 9],
    [other('drive', { what: 'client-began' }), 'idle: driver client-began', 9],
    [other('drive', { what: 'began', run: null }), 'idle: driver began', 9],
    [work(0, { what: 'began', work: 'check', attempt: 'a', name: 'n' }), 'idle: check began', 9],
    [wait(0, 'began'), 'idle: wait began, for person', 9],
    [other('question', { what: 'asked' }), 'idle: question asked', 9],
    [other('notify', { what: 'failed', on: 'o', by: 'b', why: 'w' }), 'idle: notification failed', 9],
  ])('%#: says in a few words what happened, and how bad that is', (line, body, severity) => {
    const { log } = only(line);
    expect(log).toMatchObject({ body, severity, time: T(0), event: `holdfast.${entryOf(line).event}` });
  });

  it('belongs to the part of its run, and has all that is known of it', () => {
    const trace = traceId(sender, 'p', 'idle:loop-1794782641-17581', '0');
    const { log, spans } = only(other('question', { what: 'asked' }));
    expect(spans).toEqual([]);
    expect(log.place).toEqual({ trace, parent: spanId(trace, '0', 'run') });
    expect(log.attributes).toEqual({
      'holdfast.project': 'p',
      'holdfast.workflow': 'idle',
      'holdfast.run': expect.stringMatching(/^[0-9a-f]{16}$/),
      'session.id': SESSION,
      'holdfast.what': 'asked',
      'log.record.uid': logId('p', '0'),
    });
  });

  it('belongs to its own span where it has one, with what that one has', () => {
    const { log, spans } = lastOf([start(0), stop(1)]);
    expect(log.place?.parent).toBe(spans[0]?.id);
    expect(log.attributes).toMatchObject({ 'holdfast.answer': 'hold', 'holdfast.client': 'claude-code' });
  });

  it('names folders and runs for whoever asked for them, and for nobody else', () => {
    const named = only(start(0), reading(true)).log.attributes;
    expect(named['holdfast.project.path']).toBe('/home/dev/project');
    expect(named['holdfast.run.name']).toBe('idle:loop-1794782641-17581');
    expect(JSON.stringify(only(start(0)).log)).not.toMatch(/home|loop-/);
    const alone = only(stop(0, 'allow', { workflow: null, run: null }), reading(true)).log.attributes;
    expect(alone['holdfast.project.path']).toBe('/home/dev/project');
    expect(alone).not.toHaveProperty('holdfast.run.name');
  });

  it('of a stop that concerned no run is counted, and belongs to none', () => {
    const found = only(stop(0, 'allow', { workflow: null, run: null, session: null }));
    expect(found.log.place).toBeNull();
    expect(found.spans).toEqual([]);
    expect(counted(found)).toEqual([
      ['stops', 1],
      ['stopDuration', 0.0425],
    ]);
    expect(found.counts[0]?.[2]).toEqual({
      ...{ 'holdfast.project': 'p', 'holdfast.workflow': 'none' },
      ...{ 'holdfast.client': 'claude-code', 'holdfast.answer': 'allow' },
    });
    expect(found.log.attributes).not.toHaveProperty('session.id');
    expect(found.log.attributes).not.toHaveProperty('holdfast.workflow');
  });

  it('of a driver whose run has not begun belongs to none, and is not counted', () => {
    const found = only(other('drive', { what: 'began', run: null }));
    expect(found).toMatchObject({ spans: [], counts: [], log: { place: null } });
    expect(found.log.attributes).toMatchObject({ 'holdfast.workflow': 'idle', 'holdfast.what': 'began' });
    expect(found.log.attributes).not.toHaveProperty('holdfast.run');
  });

  it.each(['budget', 'drive', 'question', 'notify'])('of the kind %s is all that comes of it', (event) => {
    const more = { what: event === 'question' ? 'asked' : 'failed', on: 'o', by: 'b', why: 'w', limits: {} };
    const whats = { budget: 'spent', drive: 'left' }[event];
    const found = only(other(event, { ...more, ...(whats === undefined ? {} : { what: whats }) }));
    expect(found).toMatchObject({ spans: [], counts: [] });
    expect(found.log.place).not.toBeNull();
  });
});

describe('a run', () => {
  it('is a span from its start to its end', () => {
    const found = lastOf([start(0), stop(1), end(5, 'completed', { proof: 'proven' })]);
    const trace = traceId(sender, 'p', 'idle:loop-1794782641-17581', '0');
    expect(found.spans).toEqual([
      {
        ...{ trace, id: spanId(trace, '0', 'run'), parent: null, name: 'run idle' },
        ...{ start: T(0), end: T(5), isCall: false, error: null },
        attributes: {
          'holdfast.project': 'p',
          'holdfast.workflow': 'idle',
          'holdfast.run': expect.any(String),
          'session.id': SESSION,
          'holdfast.outcome': 'completed',
          'holdfast.proof': 'proven',
          'gen_ai.operation.name': 'invoke_workflow',
          'gen_ai.workflow.name': 'idle',
        },
      },
    ]);
  });

  it.each([
    ['completed', null, [['ended', 1]]],
    [
      'released',
      'released',
      [
        ['ended', 1],
        ['releases', 1],
      ],
    ],
    ['stuck', 'stuck', [['ended', 1]]],
    ['limit', null, [['ended', 1]]],
  ])('that is over, %s, has the error %s', (outcome, error, counts) => {
    const found = lastOf([start(0), end(1, outcome)]);
    expect(found.spans[0]?.error).toBe(error);
    expect(counted(found)).toEqual(expect.arrayContaining(counts));
    expect(found.counts[0]?.[2]).toMatchObject({ 'holdfast.outcome': outcome, 'holdfast.proof': 'none' });
  });

  it('that was cancelled is over once, also at its agent’s next stop', () => {
    const found = read([start(0), cancel(1), stop(2, 'allow'), end(2, 'cancelled')]);
    expect(found.map(({ spans }) => spans.map(({ name }) => name))).toEqual([[], ['run idle'], ['stop'], []]);
    expect(found[3]?.counts).toEqual([]);
    expect(found[1]?.spans[0]?.attributes).toMatchObject({
      'holdfast.outcome': 'cancelled',
      'holdfast.proof': 'none',
    });
  });

  it('is counted when it is started, not when it is adopted', () => {
    expect(counted(only(start(0)))).toEqual([['started', 1]]);
    expect(only(other('adopt', {}))).toMatchObject({ spans: [], counts: [] });
  });

  it('ends no earlier than it began, whatever the clock said', () => {
    const [span] = lastOf([start(9), end(5, 'completed')]).spans;
    expect(span).toMatchObject({ start: T(5), end: T(5) });
  });
});

describe('a review', () => {
  it('is a call of its reviewer, from when its work began', () => {
    const began = work(3, { what: 'began', work: 'review', attempt: 'a9', name: 'claude' });
    const found = lastOf([start(0), began, review(9)]);
    expect(found.spans[0]).toMatchObject({
      ...{ name: 'invoke_agent claude', start: T(3), end: T(63), isCall: true, error: null },
    });
    expect(found.spans[0]?.attributes).toEqual({
      ...{ 'holdfast.project': 'p', 'holdfast.workflow': 'idle', 'holdfast.run': expect.any(String) },
      'session.id': SESSION,
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'claude',
      'gen_ai.request.model': 'opus',
      'gen_ai.provider.name': 'anthropic',
      'holdfast.cost.usd': 0.25,
      'gen_ai.usage.input_tokens': 1120,
      'gen_ai.usage.cache_creation.input_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 30,
      'holdfast.verdict': 'findings',
    });
    expect(counted(found)).toEqual([
      ['verdicts', 1],
      ['cost', 0.25],
      ['findings', 1],
      ['findings', 2],
      ['tokens', 100],
      ['tokens', 20],
      ['tokens', 1000],
      ['tokens', 30],
      ['tokenUsage', 1120],
      ['tokenUsage', 30],
      ['operationDuration', 60],
    ]);
    const types = found.counts.flatMap(([name, , labels]) =>
      name.startsWith('token') ? [[name, labels['gen_ai.token.type'], labels['holdfast.tokens.by']]] : [],
    );
    expect(types).toEqual([
      ['tokens', 'input', 'reviewer'],
      ['tokens', 'cache_creation', 'reviewer'],
      ['tokens', 'cache_read', 'reviewer'],
      ['tokens', 'output', 'reviewer'],
      ['tokenUsage', 'input', undefined],
      ['tokenUsage', 'output', undefined],
    ]);
  });

  it('of which little is known says no more than that', () => {
    const found = lastOf([
      start(0),
      review(9, {
        usd: null,
        tokens: null,
        milliseconds: null,
        listed: undefined,
        verdict: 'failed',
        reviewer: 'gemini',
        model: '',
      }),
    ]);
    expect(counted(found)).toEqual([['verdicts', 1]]);
    expect(found.spans[0]).toMatchObject({ start: T(9), end: T(9), error: 'failed' });
    expect(found.spans[0]?.attributes).toMatchObject({
      'gen_ai.request.model': 'default',
      'holdfast.verdict': 'failed',
    });
    expect(found.spans[0]?.attributes).not.toHaveProperty('gen_ai.provider.name');
    expect(found.spans[0]?.attributes).not.toHaveProperty('holdfast.cost.usd');
    expect(found.spans[0]?.attributes).not.toHaveProperty('gen_ai.usage.input_tokens');
  });

  it('is OpenAI’s where Codex reviews, and none of no tokens is counted', () => {
    const tokens = { input: 0, cacheCreation: 0, cacheRead: 0, output: 5 };
    const found = only(review(0, { reviewer: 'codex', tokens }));
    expect(found.spans[0]?.attributes).toMatchObject({ 'gen_ai.provider.name': 'openai' });
    expect(counted(found).filter(([name]) => name === 'tokens')).toEqual([['tokens', 5]]);
    expect(counted(found).filter(([name]) => name === 'tokenUsage')).toEqual([
      ['tokenUsage', 0],
      ['tokenUsage', 5],
    ]);
  });

  it('names its file for whoever asked for it', () => {
    expect(only(review(0), reading(true)).spans[0]?.attributes).toMatchObject({
      'holdfast.review.file': '.taskie/plans/secret-plan/review-1.md',
    });
    expect(only(review(0)).spans[0]?.attributes).not.toHaveProperty('holdfast.review.file');
  });

  it('counts the findings of each severity, where there are any', () => {
    const severities = (listed: unknown): unknown[] =>
      countFindings(listed, { a: 'b' }).map(([, count, labels]) => [count, labels]);
    expect(severities({ high: 1, medium: 2, low: 3, other: 4 })).toEqual([
      [1, { a: 'b', 'holdfast.severity': 'high' }],
      [2, { a: 'b', 'holdfast.severity': 'medium' }],
      [3, { a: 'b', 'holdfast.severity': 'low' }],
    ]);
    expect(severities({ high: 0, medium: -1, low: '3' })).toEqual([]);
    expect([null, undefined, 'high', 7, []].flatMap(severities)).toEqual([]);
  });
});

describe('a check', () => {
  const ended = (more: object = {}): object =>
    work(9, {
      what: 'ended',
      work: 'check',
      attempt: 'c',
      name: 'unit',
      end: 'passed',
      code: 0,
      milliseconds: 2000,
      ...more,
    });
  const began = work(4, { what: 'began', work: 'check', attempt: 'c', name: 'unit' });

  it('is a span from when it began', () => {
    const found = lastOf([start(0), began, ended()]);
    expect(found.spans).toMatchObject([{ name: 'check', start: T(4), end: T(6), isCall: true, error: null }]);
    expect(found.spans[0]?.attributes).toMatchObject({
      ...{ 'holdfast.check': 'unit', 'holdfast.check.end': 'passed', 'process.exit.code': 0 },
    });
    expect(found.counts.map(([name, value, labels]) => [name, value, labels['holdfast.check.from']])).toEqual(
      [
        ['checks', 1, 'run'],
        ['checkDuration', 2, undefined],
      ],
    );
  });

  it('is a span up to its end, where nobody saw it begin', () => {
    const found = lastOf([start(0), ended({ end: 'failed', code: null })]);
    expect(found.spans).toMatchObject([{ start: T(7), end: T(9), error: 'failed' }]);
    expect(found.spans[0]?.attributes).not.toHaveProperty('process.exit.code');
  });

  it('is nothing yet when it begins; a review that ended has a line of its own', () => {
    expect(only(began)).toMatchObject({ spans: [], counts: [] });
    expect(lastOf([start(0), ended({ work: 'review' })])).toMatchObject({ spans: [], counts: [] });
  });

  it('that began twice counts from the later time, and the oldest of many is forgotten', () => {
    const again = work(5, { what: 'began', work: 'check', attempt: 'c', name: 'unit' });
    expect(lastOf([start(0), began, again, ended()]).spans[0]?.start).toBe(T(5));
    const others = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        work(5, { what: 'began', work: 'check', attempt: `o${index}`, name: 'n' }),
      );
    expect(lastOf([start(0), began, ...others(7), ended()]).spans[0]?.start).toBe(T(4));
    expect(lastOf([start(0), began, ...others(8), ended()]).spans[0]?.start).toBe(T(7));
  });

  it('that has ended is over: another of the same name begins again', () => {
    expect(lastOf([start(0), began, ended(), ended()]).spans[0]?.start).toBe(T(7));
  });
});

describe('a wait', () => {
  it('is a span from when it began', () => {
    const found = lastOf([start(0), wait(2, 'began'), wait(8, 'ended')]);
    expect(found.spans).toMatchObject([{ name: 'wait', start: T(2), end: T(8), isCall: false, error: null }]);
    expect(found.spans[0]?.attributes['holdfast.wait.for']).toBe('person');
    expect(found.counts).toMatchObject([['waits', 1, { 'holdfast.wait.for': 'person' }]]);
  });

  it('is nothing when it begins, nor where nobody saw it begin, nor twice', () => {
    expect(only(wait(0, 'began'))).toMatchObject({ spans: [], counts: [] });
    expect(only(wait(0, 'ended'))).toMatchObject({ spans: [], counts: [] });
    const twice = lastOf([start(0), wait(2, 'began'), wait(8, 'ended'), wait(9, 'ended')]);
    expect(twice).toMatchObject({ spans: [], counts: [] });
  });

  it('ends no earlier than it began', () => {
    expect(lastOf([start(0), wait(8, 'began'), wait(2, 'ended')]).spans[0]).toMatchObject({
      start: T(2),
      end: T(2),
    });
  });
});

describe('a stop', () => {
  it('is a span as long as it took, with what was said at it', () => {
    const found = lastOf([start(0), stop(1)]);
    expect(found.spans).toMatchObject([
      { name: 'stop', start: T(1), end: T(1) + 42.5, isCall: false, error: null },
    ]);
    expect(found.spans[0]?.attributes).toMatchObject({
      'holdfast.answer': 'hold',
      'holdfast.step': 'iteration',
    });
    expect(counted(found)).toEqual([
      ['stops', 1],
      ['holds', 1],
      ['stopDuration', 0.0425],
    ]);
    expect(found.counts[1]?.[2]).not.toHaveProperty('holdfast.answer');
  });

  it.each([
    [{ kind: 'allow', notice: { name: 'done' } }, 'done'],
    [{ kind: 'allow' }, 'allow'],
    [{ kind: 'allow', message: 'text' }, 'allow'],
    [{ kind: 'allow', message: { name: 'with blanks' } }, 'other'],
    [null, undefined],
  ])('has the name of its step: %j', (step, name) => {
    expect(lastOf([start(0), stop(1, 'allow', { step })]).spans[0]?.attributes['holdfast.step']).toBe(name);
  });

  it.each([
    ['no-review', true],
    ['client-cap', undefined],
    [undefined, undefined],
  ])('at which a review was missing says so: %s', (unstepped, missing) => {
    const [span] = lastOf([start(0), stop(1, 'allow', { unstepped })]).spans;
    expect(span?.attributes['holdfast.review.missing']).toBe(missing);
  });

  it('that failed is counted by the error’s name, and its text is for whoever asked for it', () => {
    const failed = stop(1, 'allow', { error: 'TypeError: no /home/dev/secret' });
    const found = lastOf([start(0), failed]);
    expect(found.spans[0]).toMatchObject({ error: 'TypeError' });
    expect(found.spans[0]?.attributes).toMatchObject({ 'error.type': 'TypeError' });
    expect(found.spans[0]?.attributes).not.toHaveProperty('exception.message');
    expect(found.counts[1]).toEqual(['errors', 1, expect.objectContaining({ 'error.type': 'TypeError' })]);
    expect(lastOf([start(0), failed], reading(true)).spans[0]?.attributes['exception.message']).toBe(
      'TypeError: no /home/dev/secret',
    );
    expect(lastOf([start(0), stop(1, 'allow', { error: '?' })]).spans[0]?.error).toBe('other');
  });
});

describe('what a stop’s line alone says', () => {
  const check = { name: 'test', end: 'failed', code: 1, milliseconds: 3000, from: 'run' };
  const lint = { ...check, name: 'lint', from: 'receipt', end: 'passed', code: null, milliseconds: null };
  const proof = (...checks: readonly object[]): object => ({
    ...{ claim: 'refused', worth: 'unproven', why: ['failed'], protectedChanged: 0, checks },
  });
  const fromOf = ({ counts }: FromLine): unknown[] =>
    counts.flatMap(([name, , labels]) =>
      name === 'checks' ? [[labels['holdfast.check'], labels['holdfast.check.from']]] : [],
    );

  it('is the checks that ran in it, one after the other up to its end', () => {
    const other = { ...check, name: 'unit', end: 'passed', code: null, milliseconds: 1000 };
    const found = lastOf([
      start(0),
      stop(1, 'hold', { facts: { proof: proof(check, lint, other) }, milliseconds: 5000 }),
    ]);
    expect(found.spans.slice(1)).toMatchObject([
      {
        ...{ name: 'check', parent: found.spans[0]?.id, start: T(5), end: T(6), isCall: true, error: null },
        attributes: { 'holdfast.check': 'unit', 'holdfast.check.end': 'passed' },
      },
      {
        ...{ name: 'check', start: T(2), end: T(5), error: 'failed' },
        attributes: { 'holdfast.check': 'test', 'holdfast.check.end': 'failed', 'process.exit.code': 1 },
      },
    ]);
    expect(found.spans[1]?.attributes).not.toHaveProperty('process.exit.code');
    expect(found.spans[1]?.id).not.toBe(found.spans[2]?.id);
    expect(fromOf(found)).toEqual([
      ['test', 'run'],
      ['lint', 'receipt'],
      ['unit', 'run'],
    ]);
  });

  it('begins no check before the stop', () => {
    const [, span] = lastOf([
      start(0),
      stop(1, 'hold', { facts: { proof: proof(check) }, milliseconds: 10 }),
    ]).spans;
    expect(span).toMatchObject({ start: T(1), end: T(1) + 10 });
  });

  it('is not counted again where a line of its own has said it, up to the next stop', () => {
    const ended = work(1, {
      ...{
        what: 'ended',
        work: 'check',
        attempt: 'c',
        name: 'test',
        end: 'failed',
        code: 1,
        milliseconds: 9,
      },
    });
    const held = stop(2, 'hold', { facts: { proof: proof(check, lint) } });
    expect(fromOf(lastOf([start(0), ended, held]))).toEqual([['lint', 'receipt']]);
    expect(fromOf(lastOf([start(0), ended, stop(1), held]))).toHaveLength(2);
    const listed = { facts: { listed: { high: 2, medium: 0, low: 0 } } };
    const findings = (lines: readonly object[]) =>
      counted(lastOf(lines)).filter(([name]) => name === 'findings');
    expect(findings([start(0), stop(2, 'hold', listed)])).toEqual([['findings', 2]]);
    expect(findings([start(0), review(1), stop(2, 'hold', listed)])).toEqual([]);
    expect(findings([start(0), review(1, { listed: undefined }), stop(2, 'hold', listed)])).toEqual([
      ['findings', 2],
    ]);
  });

  it('is the wait that it ended, where no line of its own said that it began', () => {
    const recorded = (more: object = {}) => ({
      ...{
        now: T(50),
        step: 'hold',
        work: null,
        answered: 'yes',
        limits: { work: 7_200_000 },
        result: 'goes-on',
      },
      waiting: { for: 'person', since: T(20), until: null, what: 'Which one?' },
      ...more,
    });
    const found = lastOf([start(0), stop(50, 'hold', { waiting: recorded() })]);
    expect(found.spans[1]).toMatchObject({
      ...{
        name: 'wait',
        parent: found.spans[0]?.parent,
        start: T(20),
        end: T(50),
        isCall: false,
        error: null,
      },
      attributes: { 'holdfast.wait.for': 'person' },
    });
    expect(counted(found)).toContainEqual(['waits', 1]);
    expect(lastOf([start(0), stop(10, 'hold', { waiting: recorded() })]).spans[1]).toMatchObject({
      start: T(10),
      end: T(10),
    });
    expect(lastOf([start(0), stop(50, 'hold', { waiting: recorded({ waiting: null }) })]).spans).toHaveLength(
      1,
    );
    expect(
      lastOf([start(0), wait(20, 'began'), stop(50, 'hold', { waiting: recorded() })]).spans,
    ).toHaveLength(1);
  });

  it('is the agent’s own tokens since the stop before, without those of reviews', () => {
    const budget = (tokens: number, most: number | null = 5000) => ({
      budget: {
        ...{ stage: 'open', limits: { tokens: most, timeMs: null, reviews: null, usd: null }, due: 'hold' },
        ...{ spent: { tokens, cacheRead: 0, timeMs: 0, reviews: 0, usd: 0 }, result: 'goes-on' },
      },
    });
    const used = (lines: readonly object[]): unknown[] =>
      lastOf(lines).counts.flatMap(([name, value, labels]) =>
        name === 'tokens' ? [[value, labels['holdfast.tokens.by'], labels['gen_ai.token.type']]] : [],
      );
    expect(used([start(0), stop(1, 'hold', budget(400))])).toEqual([[400, 'agent', 'all']]);
    expect(used([start(0), stop(1, 'hold', budget(400)), review(2), stop(3, 'hold', budget(1000))])).toEqual([
      [450, 'agent', 'all'],
    ]);
    expect(used([start(0), stop(1, 'hold', budget(400)), stop(3, 'hold', budget(400))])).toEqual([]);
    expect(used([stop(1, 'hold', budget(400))])).toEqual([]);
    expect(used([start(0), stop(1, 'hold', budget(400, null))])).toEqual([]);
    const again = [start(0), review(1), stop(2, 'hold', budget(400)), stop(3, 'hold', budget(500))];
    expect(used(again)).toEqual([[100, 'agent', 'all']]);
  });
});

describe('which trace and span a line belongs to', () => {
  const places = (lines: readonly object[]): unknown[] => {
    const runs = new Runs({}, sender, 'p');
    return lines.map((line, index) => {
      const entry = entryOf(line);
      const run = runs.at(entry, 'r', String(index), index);
      runs.keep('r', { ...run, over: entry.event === 'end' || (run.over && entry.event !== 'start') });
      const place = runs.placeOf('r', run);
      return [run.began, run.part, run.since, place.parent === spanId(place.trace, run.part, 'run')];
    });
  };

  it('is one part from its start to its end, and the next when it is taken up again', () => {
    expect(places([start(0), stop(1), end(2, 'paused'), other('adopt', {})])).toEqual([
      ['0', '0', 0, true],
      ['0', '0', 0, true],
      ['0', '0', 0, true],
      ['0', '3', 3, true],
    ]);
  });

  it('is the old part still, for a stop that is allowed; a hold takes it up again', () => {
    expect(places([start(0), end(1, 'cancelled'), stop(2, 'allow')])[2]).toEqual(['0', '0', 0, true]);
    expect(places([start(0), end(1, 'paused'), stop(2, 'hold')])[2]).toEqual(['0', '2', 2, true]);
  });

  it('is another trace where it is started again', () => {
    expect(places([start(0), stop(1), start(2)])[2]).toEqual(['2', '2', 2, true]);
  });

  const nothing = (began: string): RunState => ({
    ...{ began, part: began, since: 0, over: false, work: {}, waits: null },
    ...{ said: { checks: false, findings: false }, tokens: null, reviewTokens: 0 },
  });

  it('a run that is first seen later has an unknown use of tokens; one that starts has none', () => {
    const runs = new Runs({}, sender, 'p');
    expect(runs.at(entryOf(stop(0)), 'r', 'k', 0)).toEqual(nothing('k'));
    expect(runs.at(entryOf(start(0)), 'r', 'k', 0)).toEqual({ ...nothing('k'), tokens: 0 });
  });

  it('fifty runs are remembered; the one that moved last is the last to be forgotten', () => {
    const runs = new Runs({}, sender, 'p');
    for (let index = 0; index < 50; index++) runs.keep(`r${index}`, nothing('k'));
    runs.keep('r0', nothing('k'));
    expect(Object.keys(runs.table)).toHaveLength(50);
    runs.keep('new', nothing('k'));
    expect(Object.keys(runs.table)).toHaveLength(50);
    expect(Object.keys(runs.table)).not.toContain('r1');
    expect(Object.keys(runs.table).slice(-2)).toEqual(['r0', 'new']);
  });
});
