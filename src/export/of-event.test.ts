import { describe, expect, it } from 'vitest';
import { cancel, end, review, start } from '../../test/export/lines.ts';
import type { CommandEntry, EndEntry, ReviewEntry } from '../store/journal-lines.ts';
import type { Emitted, RunLine } from './emitted.ts';
import { spanId } from './ids.ts';
import { ofCommand, ofEnd, ofReview } from './of-event.ts';
import type { RunState } from './state.ts';

const RUN: RunState = {
  ...{ began: 'k0', part: 'k1', since: 3000, over: false, work: { b: 5 }, waits: null },
  ...{ said: { checks: true, findings: false }, tokens: null, reviewTokens: 10 },
};
const lineOf = <Entry>(entry: object, run: Partial<RunState> = {}, paths = false): RunLine<Entry> => ({
  ...{ entry: entry as Entry, key: 'k', time: 10_000, place: { trace: 't', parent: 'up' } },
  ...{ run: { ...RUN, ...run }, about: { about: 'it' }, labels: { label: 'l' }, paths },
});
const commanded = (entry: object, run: Partial<RunState> = {}): Emitted =>
  ofCommand(lineOf<CommandEntry>(entry, run));

/** What is sent of a run that is over. */
function over(outcome: string, proof: string, error: string | null = null): Emitted {
  const how = { 'holdfast.outcome': outcome, 'holdfast.proof': proof };
  return {
    spans: [
      {
        ...{ trace: 't', id: 'up', parent: null, name: 'run idle', start: 3000, end: 10_000, isCall: false },
        attributes: {
          ...{ about: 'it', ...how },
          ...{ 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': 'idle' },
        },
        error,
      },
    ],
    counts: [
      ['ended', 1, { label: 'l', ...how }],
      ...(outcome === 'released' ? [['releases', 1, { label: 'l' }] as const] : []),
    ],
    run: { ...RUN, over: true },
  };
}

describe('a command', () => {
  it('that starts a run is counted', () => {
    expect(commanded(start(0))).toEqual({ spans: [], counts: [['started', 1, { label: 'l' }]], run: RUN });
  });

  it('that adopts one is not', () => {
    expect(commanded({ ...start(0), event: 'adopt' })).toEqual({ spans: [], counts: [], run: RUN });
  });

  it('that cancels one ends it', () => {
    expect(commanded(cancel(0))).toEqual(over('cancelled', 'none'));
  });
});

describe('a run that is over', () => {
  const ended = (entry: object, run: Partial<RunState> = {}): Emitted => ofEnd(lineOf<EndEntry>(entry, run));

  it.each<[string | null, Record<string, unknown>, Emitted]>([
    ['completed', { proof: 'proven' }, over('completed', 'proven')],
    ['completed', {}, over('completed', 'none')],
    [null, {}, over('unknown', 'none')],
    ['released', {}, over('released', 'none', 'released')],
    ['stuck', {}, over('stuck', 'none', 'stuck')],
    ['limit', {}, over('limit', 'none')],
  ])('%j, with %j', (outcome, more, wanted) => {
    expect(ended(end(0, outcome, more))).toEqual(wanted);
  });

  it('is over once', () => {
    const run = { ...RUN, over: true };
    expect(ended(end(0, 'completed'), run)).toEqual({ spans: [], counts: [], run });
    expect(commanded(cancel(0), run)).toEqual({ spans: [], counts: [], run });
  });

  it('never began after its end, and is named by a plain word', () => {
    expect(ended(end(0, 'completed'), { since: 10_001 }).spans[0]).toMatchObject({ start: 10_000 });
    const [span] = ended({ ...end(0, 'completed'), workflow: '/a/b' }).spans;
    expect(span).toMatchObject({ name: 'run other', attributes: { 'gen_ai.workflow.name': 'other' } });
  });
});

describe('a review', () => {
  const reviewed = (more: object = {}, run: Partial<RunState> = {}, paths = false): Emitted =>
    ofReview(lineOf<ReviewEntry>(review(1, { attempt: 'a', ...more }), run, paths));
  const AGENT = {
    ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'claude' },
    ...{ 'gen_ai.request.model': 'opus', 'gen_ai.provider.name': 'anthropic' },
  };
  const ALL = { label: 'l', ...AGENT };
  const BY = { ...ALL, 'holdfast.tokens.by': 'reviewer' };

  it('is a span, and all that is known of it is counted', () => {
    expect(reviewed()).toEqual({
      spans: [
        {
          ...{ trace: 't', id: spanId('t', 'k', 'review'), parent: 'up', name: 'invoke_agent claude' },
          ...{ start: 10_000, end: 70_000, isCall: true, error: null },
          attributes: {
            ...{ about: 'it', ...AGENT, 'holdfast.cost.usd': 0.25, 'holdfast.verdict': 'findings' },
            'gen_ai.usage.input_tokens': 1120,
            'gen_ai.usage.cache_creation.input_tokens': 20,
            'gen_ai.usage.cache_read.input_tokens': 1000,
            'gen_ai.usage.output_tokens': 30,
          },
        },
      ],
      counts: [
        ['verdicts', 1, { ...ALL, 'holdfast.verdict': 'findings' }],
        ['cost', 0.25, ALL],
        ['findings', 1, { ...ALL, 'holdfast.severity': 'high' }],
        ['findings', 2, { ...ALL, 'holdfast.severity': 'low' }],
        ['tokens', 100, { ...BY, 'gen_ai.token.type': 'input' }],
        ['tokens', 20, { ...BY, 'gen_ai.token.type': 'cache_creation' }],
        ['tokens', 1000, { ...BY, 'gen_ai.token.type': 'cache_read' }],
        ['tokens', 30, { ...BY, 'gen_ai.token.type': 'output' }],
        ['tokenUsage', 1120, { ...ALL, 'gen_ai.token.type': 'input' }],
        ['tokenUsage', 30, { ...ALL, 'gen_ai.token.type': 'output' }],
        ['operationDuration', 60, ALL],
      ],
      run: { ...RUN, said: { checks: true, findings: true }, reviewTokens: 160 },
    });
  });

  it('of which nothing is known is counted by its verdict alone', () => {
    const nothing = { usd: null, tokens: null, listed: undefined, milliseconds: null, verdict: null };
    const { spans, counts, run } = reviewed({ ...nothing, reviewer: 'mine', model: '' });
    const agent = {
      ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'mine' },
      'gen_ai.request.model': 'default',
    };
    expect(spans[0]).toMatchObject({ start: 10_000, end: 10_000, error: null });
    expect(spans[0]?.attributes).toEqual({ about: 'it', ...agent, 'holdfast.verdict': 'none' });
    expect(counts).toEqual([['verdicts', 1, { label: 'l', ...agent, 'holdfast.verdict': 'none' }]]);
    expect(run).toEqual(RUN);
  });

  it('counts no kind of tokens of which there were none', () => {
    const tokens = { input: 0, cacheCreation: 0, cacheRead: 0, output: 1 };
    const { counts } = reviewed({ usd: 0, tokens, listed: {}, milliseconds: 0 });
    expect(counts.map(([name, value]) => [name, value])).toEqual([
      ...[
        ['verdicts', 1],
        ['cost', 0],
        ['tokens', 1],
        ['tokenUsage', 0],
        ['tokenUsage', 1],
      ],
    ]);
  });

  it('begins when its work did, which is then forgotten', () => {
    const { spans, run } = reviewed({}, { work: { a: 4000, b: 5 } });
    expect(spans[0]).toMatchObject({ start: 4000, end: 64_000 });
    expect(run.work).toEqual({ b: 5 });
    expect(reviewed({ attempt: 'constructor' }).spans[0]).toMatchObject({ start: 10_000 });
  });

  it('that failed is an error; its file is named where paths were asked for', () => {
    const { spans } = reviewed({ verdict: 'failed', reviewer: 'codex' }, {}, true);
    expect(spans[0]?.error).toBe('failed');
    expect(spans[0]?.attributes).toMatchObject({
      ...{ 'holdfast.verdict': 'failed', 'gen_ai.provider.name': 'openai' },
      'holdfast.review.file': '.taskie/plans/secret-plan/review-1.md',
    });
    expect(reviewed({ verdict: 'not a word' }).spans[0]).toMatchObject({ error: null });
  });

  it('has said findings where one before it has', () => {
    const said = { checks: false, findings: true };
    expect(reviewed({ listed: undefined }, { said }).run.said).toEqual(said);
  });

  it('never counts more tokens than a number can hold', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(reviewed({}, { reviewTokens: most }).run.reviewTokens).toBe(most);
  });
});
