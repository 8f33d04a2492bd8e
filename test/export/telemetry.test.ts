// What a collector gets is what stands in the journal: each line once, in one trace per run, with the sums right.

import { describe, expect, it } from 'vitest';
import { cancel, end, review, start, stop, wait, work } from './lines.ts';
import { type Scene, scene } from './scene.ts';

const T0 = Date.UTC(2026, 10, 16, 8);

async function exported(...lines: readonly object[]): Promise<Scene> {
  const made = await scene();
  made.journal(...lines);
  const { exitCode, stderr } = await made.export();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return made;
}

describe('a run', () => {
  it('is one trace: its own span from its start to its end, and all others below it', async () => {
    const { collector } = await exported(
      start(0),
      stop(10),
      review(20),
      stop(90, 'allow'),
      end(90, 'completed'),
    );
    const { spans } = collector;
    expect(spans.map(({ name }) => name)).toEqual(['stop', 'invoke_agent claude', 'stop', 'run idle']);
    expect(new Set(spans.map(({ trace }) => trace)).size).toBe(1);
    const run = spans.at(-1);
    expect(run).toMatchObject({ parent: '', start: T0, end: T0 + 90_000, status: 0 });
    expect(run?.attributes).toMatchObject({
      'holdfast.outcome': 'completed',
      'gen_ai.workflow.name': 'idle',
    });
    expect(spans.slice(0, -1).map(({ parent }) => parent)).toEqual([run?.id, run?.id, run?.id]);
    expect(spans[0]).toMatchObject({ start: T0 + 10_000, end: T0 + 10_042.5 });
  });

  it('that was let go is an error, and counted as a release', async () => {
    const { collector } = await exported(start(0), stop(5, 'allow'), end(5, 'released'));
    expect(collector.spans.at(-1)).toMatchObject({ name: 'run idle', status: 2 });
    expect(collector.total('holdfast.releases')).toBe(1);
    expect(collector.total('holdfast.runs.ended', { 'holdfast.outcome': 'released' })).toBe(1);
  });

  it('that is begun again under its name is another trace', async () => {
    const { collector } = await exported(
      ...[start(0), stop(5), end(9, 'completed')],
      ...[start(20), stop(25), end(29, 'completed')],
    );
    const traces = collector.spans.map(({ trace }) => trace);
    expect(new Set(traces.slice(0, 2)).size).toBe(1);
    expect(new Set(traces).size).toBe(2);
  });

  it('that was paused and goes on stays in its trace, with a span for each part', async () => {
    const { collector } = await exported(start(0), stop(5), end(9, 'paused'), stop(60), end(70, 'completed'));
    const runs = collector.spans.filter(({ name }) => name === 'run idle');
    expect(runs.map((each) => each.start - T0)).toEqual([0, 60_000]);
    expect(new Set(collector.spans.map(({ trace }) => trace)).size).toBe(1);
    expect(new Set(runs.map(({ id }) => id)).size).toBe(2);
  });

  it('that was cancelled ends once, though its agent’s next stop says so again', async () => {
    const { collector } = await exported(
      start(0),
      stop(5),
      cancel(9),
      stop(12, 'allow'),
      end(12, 'cancelled'),
    );
    expect(collector.spans.filter(({ name }) => name === 'run idle')).toHaveLength(1);
    expect(collector.total('holdfast.runs.ended', { 'holdfast.outcome': 'cancelled' })).toBe(1);
  });
});

describe('what is counted', () => {
  it('is what the journal says, with the conventions’ names for models and tokens', async () => {
    const { collector } = await exported(
      ...[
        start(0),
        stop(1),
        stop(2),
        stop(3, 'allow'),
        stop(4, 'allow', { error: 'Refused: /home/me/x is a link' }),
      ],
      ...[
        review(5),
        review(6, {
          verdict: 'clean',
          usd: null,
          tokens: null,
          listed: undefined,
          reviewer: 'codex',
          model: '',
        }),
      ],
    );
    const total = (metric: string, having = {}): number => collector.total(metric, having);
    expect(total('holdfast.stops')).toBe(4);
    expect(total('holdfast.holds')).toBe(2);
    expect(total('holdfast.errors', { 'error.type': 'Refused' })).toBe(1);
    expect(total('holdfast.runs.started')).toBe(1);
    expect(
      total('holdfast.verdicts', { 'holdfast.verdict': 'findings', 'gen_ai.provider.name': 'anthropic' }),
    ).toBe(1);
    expect(
      total('holdfast.verdicts', { 'holdfast.verdict': 'clean', 'gen_ai.request.model': 'default' }),
    ).toBe(1);
    expect(total('holdfast.findings', { 'holdfast.severity': 'high' })).toBe(1);
    expect(total('holdfast.findings', { 'holdfast.severity': 'low' })).toBe(2);
    expect(total('holdfast.findings')).toBe(3);
    expect(total('holdfast.cost')).toBe(0.25);
    expect(total('holdfast.tokens', { 'gen_ai.token.type': 'cache_read' })).toBe(1000);
    expect(total('holdfast.tokens')).toBe(1150);
    const [duration] = collector.points.filter(({ metric }) => metric === 'holdfast.stop.duration');
    expect(duration).toMatchObject({ unit: 's', temporality: 2, count: 2, value: 0.085 });
    expect(duration?.buckets[duration.bounds.indexOf(0.05)]).toBe(2);
    expect(duration?.buckets).toHaveLength((duration?.bounds.length ?? 0) + 1);
    const input = collector.points.find(
      ({ metric, attributes }) =>
        metric === 'gen_ai.client.token.usage' && attributes['gen_ai.token.type'] === 'input',
    );
    expect(input).toMatchObject({ count: 1, value: 1120, unit: '{token}' });
    expect(collector.points.every(({ temporality }) => temporality === 2)).toBe(true);
    expect(collector.points.every(({ isMonotonic, count }) => isMonotonic === true || count !== null)).toBe(
      true,
    );
  });

  it('is the agent’s own tokens too, where a budget counts them: those of its reviews once', async () => {
    const limits = { tokens: 5000, timeMs: null, reviews: null, usd: null };
    const budget = (tokens: number): object => ({
      ...{ stage: 'open', limits, due: 'hold', result: 'goes-on' },
      spent: { tokens, cacheRead: 0, timeMs: 0, reviews: 0, usd: 0 },
    });
    const { collector } = await exported(
      ...[
        start(0),
        stop(1, 'hold', { budget: budget(400) }),
        review(2),
        stop(3, 'hold', { budget: budget(1000) }),
      ],
    );
    expect(collector.total('holdfast.tokens', { 'holdfast.tokens.by': 'agent' })).toBe(850);
  });

  it('counts a check once, whether its end has a line of its own or not', async () => {
    const check = { name: 'test', end: 'failed', code: 1, milliseconds: 3000, from: 'run' };
    const proof = { claim: 'refused', worth: 'unproven', why: ['failed'], protectedChanged: 0 };
    const facts = {
      proof: {
        ...proof,
        checks: [check, { ...check, name: 'lint', from: 'receipt', end: 'passed', milliseconds: null }],
      },
    };
    const about = { attempt: 'c1', work: 'check', name: 'test' };
    const { collector } = await exported(
      ...[start(0), stop(1, 'hold', { facts, milliseconds: 5000 })],
      ...[work(10, { ...about, what: 'began', deadline: null })],
      ...[work(13, { ...about, what: 'ended', end: 'failed', code: 1, milliseconds: 3000 })],
      stop(10, 'hold', { facts }),
    );
    expect(
      collector.total('holdfast.checks', { 'holdfast.check': 'test', 'holdfast.check.from': 'run' }),
    ).toBe(2);
    expect(collector.total('holdfast.checks', { 'holdfast.check.from': 'receipt' })).toBe(2);
    const checks = collector.spans.filter(({ name }) => name === 'check');
    expect(checks.map((each) => [each.start - T0, each.end - T0, each.status])).toEqual([
      [3000, 6000, 2],
      [10_000, 13_000, 2],
    ]);
  });

  it('has each wait as a span from its begin to its end', async () => {
    const recorded = {
      ...{
        now: T0 + 50_000,
        step: 'hold',
        work: null,
        answered: 'yes',
        limits: { work: 7_200_000 },
        result: 'goes-on',
      },
      waiting: { for: 'person', since: T0 + 20_000, until: null, what: 'Which one, Ann?' },
    };
    const since = { ...recorded, waiting: { ...recorded.waiting, since: T0 + 60_000 } };
    const { collector } = await exported(
      // Begun under a version that wrote no line for it: the stop alone says since when.
      ...[start(0), stop(50, 'hold', { waiting: recorded }), wait(50, 'ended')],
      ...[wait(60, 'began'), stop(80, 'hold', { waiting: since }), wait(80, 'ended')],
    );
    const waits = collector.spans.filter(({ name }) => name === 'wait');
    expect(waits.map((each) => [each.start - T0, each.end - T0])).toEqual([
      [20_000, 50_000],
      [60_000, 80_000],
    ]);
    expect(collector.total('holdfast.waits')).toBe(2);
    expect(collector.text).not.toContain('Ann');
  });
});

describe('log records', () => {
  it('are one for each line, with an id, in the span they belong to', async () => {
    const { collector } = await exported(start(0), stop(10), review(20), end(90, 'completed'));
    const { logs, spans } = collector;
    expect(logs.map(({ event }) => event)).toEqual([
      'holdfast.start',
      'holdfast.stop',
      'holdfast.review',
      'holdfast.end',
    ]);
    expect(logs.map(({ body }) => body)).toEqual([
      ...['idle: run started', 'idle: stop held'],
      ...['idle: review by claude ended, findings', 'idle: run over, completed'],
    ]);
    expect(new Set(logs.map(({ attributes }) => attributes['log.record.uid'])).size).toBe(4);
    expect(logs.map(({ span }) => span)).toEqual([spans.at(-1)?.id, ...spans.map(({ id }) => id)]);
    expect(logs[1]?.attributes).toMatchObject({ 'session.id': '0b5d6c1e-5f2a-4b43-a7f5-3a3a5c1c2a10' });
  });
});

describe('what never leaves', () => {
  const lines = [
    start(0, { workflow: 'taskie', run: 'acme-merger' }),
    stop(1, 'allow', {
      workflow: 'taskie',
      run: 'acme-merger',
      error: 'Error ENOENT: no /home/ann/acme/plan.md',
    }),
    review(2, { workflow: 'taskie', run: 'acme-merger', model: '/home/ann/models/llama.gguf' }),
    end(3, 'completed', { workflow: 'taskie', run: 'acme-merger' }),
  ];

  it('is a path, a file, the name of a run, the text of an error', async () => {
    const { collector, root } = await exported(...lines);
    expect(collector.asked).toHaveLength(3);
    for (const word of [root, 'acme', 'ann', 'review-1.md', 'llama'])
      expect(collector.text).not.toContain(word);
  });

  it('leaves when it is asked for', async () => {
    const made = await scene();
    made.journal(...lines);
    expect(await made.export(['--paths'])).toMatchObject({ exitCode: 0 });
    for (const word of [made.root, 'taskie:acme-merger', 'plan.md', 'review-1.md'])
      expect(made.collector.text).toContain(word);
    expect(made.collector.text).not.toContain('llama');
  });
});
