// Collectors that are busy, away, slow, strict, or none at all: nothing is lost, nothing is sent twice, and what is in the
// way is said in one line.

import { describe, expect, it } from 'vitest';
import type { Behaviour, Reply } from './collector.ts';
import { TAKES } from './collector.ts';
import { partialAnswer } from './decoded.ts';
import { end, start, stop } from './lines.ts';
import { type Scene, scene } from './scene.ts';

const LINES = [start(0), stop(1), stop(2), end(3, 'completed')];
const SHORT = { env: { HOLDFAST_OTLP_TIMEOUT: '1' } };

async function withLines(behaves: Behaviour): Promise<Scene> {
  const made = await scene(behaves);
  made.journal(...LINES);
  return made;
}

/** The first of each signal is answered so, everything after it with a yes. */
const firstOfEach = (reply: Reply | 'hang' | 'drop'): Behaviour => {
  const seen = new Set<string>();
  return ({ signal }) => {
    if (seen.has(signal)) return TAKES;
    seen.add(signal);
    return reply;
  };
};

async function expectAllOnce(made: Scene): Promise<void> {
  expect(made.collector.logs).toHaveLength(4);
  expect(made.collector.spans).toHaveLength(3);
  expect(made.collector.distinct).toEqual({ spans: 3, logs: 4 });
  expect(made.collector.total('holdfast.stops')).toBe(2);
  const { exitCode, stdout } = await made.export();
  expect({ exitCode, stdout }).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Sent 0 lines'),
  });
  expect(made.collector.logs).toHaveLength(4);
  expect(made.collector.total('holdfast.stops')).toBe(2);
}

describe('a collector that will have it later', () => {
  const later: readonly [string, Reply | 'hang' | 'drop', string][] = [
    ['is asked for less', { status: 429, headers: { 'retry-after': '1' } }, 'it answered 429'],
    ['is away', { status: 503 }, 'it answered 503'],
    ['hangs', 'hang', 'it did not answer within 1 s'],
    ['hangs up', 'drop', 'it cannot be reached'],
  ];
  it.each(later)('%s: each request is sent again until it is taken', async (_what, reply, why) => {
    const made = await withLines(firstOfEach(reply));
    const { exitCode, stderr } = await made.export([], SHORT);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(why) });
    expect(made.collector.asked).toHaveLength(6);
    await expectAllOnce(made);
  });

  it('stays away: the exporter gives up after some tries, and the next one goes on from there', async () => {
    const made = await withLines(() => ({ status: 503, headers: { 'retry-after': '0' } }));
    const impatient = { env: { HOLDFAST_OTLP_TRIES: '2' } };
    const { exitCode, stderr } = await made.export([], impatient);
    expect(exitCode).toBe(1);
    expect(stderr.trim().split('\n').at(-1)).toBe(
      `holdfast: ${made.collector.url}: it answered 503. Nothing was sent. The rest is kept: the same command goes on from there.`,
    );
    expect(made.state()).toBeNull();
    made.collector.behaves = () => TAKES;
    expect(await made.export()).toMatchObject({ exitCode: 0 });
    await expectAllOnce(made);
  });

  it('cannot be reached at all', async () => {
    const made = await withLines(() => TAKES);
    const { url } = made.collector;
    await made.collector.close();
    const { exitCode, stderr } = await made.export(['--otlp', url], { env: { HOLDFAST_OTLP_TRIES: '1' } });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('it cannot be reached (ECONNREFUSED)'),
    });
  });
});

describe('a collector that says no', () => {
  const no: readonly [string, Reply, string][] = [
    ['wants a key', { status: 401 }, 'it wants a key; set HOLDFAST_OTLP_HEADERS'],
    ['is none', { status: 404 }, 'it takes no OTLP over HTTP under this address'],
    [
      'points elsewhere',
      { status: 307, headers: { location: 'http://127.0.0.1:9/' } },
      'it points elsewhere',
    ],
    [
      'is a page',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>', keeps: false },
      'what no collector says',
    ],
    [
      'lies',
      { status: 200, headers: { 'content-type': 'application/x-protobuf' }, body: 'Welcome!', keeps: false },
      'what no collector says',
    ],
    [
      'does not end',
      { status: 200, headers: { 'content-type': 'application/json' }, body: 'x'.repeat(1e6), keeps: false },
      'what no collector says',
    ],
  ];
  it.each(no)(
    '%s: it is asked once, nothing counts as sent, and the line says why',
    async (_what, reply, why) => {
      const made = await withLines(() => reply);
      const { exitCode, stderr } = await made.export();
      expect({ exitCode, lines: stderr.trim().split('\n').length }).toEqual({ exitCode: 1, lines: 1 });
      expect(stderr).toContain(why);
      expect(made.collector.asked).toHaveLength(1);
      expect(made.state()).toBeNull();
      made.collector.behaves = () => TAKES;
      expect(await made.export()).toMatchObject({ exitCode: 0 });
      await expectAllOnce(made);
    },
  );

  it('to a part of it only: that part is reported and not sent again', async () => {
    const partial = { ...TAKES, body: partialAnswer(1, 'too old') };
    const made = await withLines(({ signal }) => (signal === 'traces' ? partial : TAKES));
    const { exitCode, stderr } = await made.export();
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `holdfast: ${made.collector.url} took the traces but for 1, which it does not want: too old\n`,
    });
    await expectAllOnce(made);
  });

  it('to some signals: the others go by themselves', async () => {
    const made = await withLines(({ signal }) => (signal === 'traces' ? TAKES : { status: 404 }));
    expect(await made.export(['--signals', 'traces'])).toMatchObject({ exitCode: 0 });
    expect(made.collector.asked.map(({ signal }) => signal)).toEqual(['traces']);
  });
});

it('a collector that takes no more than a little at once gets it in small parts', async () => {
  const made = await scene(({ body }) => (body.length > 20_000 ? { status: 413 } : TAKES));
  made.journal(start(0), ...Array.from({ length: 300 }, (_, index) => stop(index + 1)));
  expect(await made.export()).toMatchObject({ exitCode: 0 });
  expect(made.collector.logs).toHaveLength(301);
  expect(made.collector.distinct.logs).toBe(301);
  expect(made.collector.total('holdfast.stops')).toBe(300);
});

it('a collector that answers in JSON, or with 202 and nothing, has said yes', async () => {
  const made = await withLines(({ signal }) =>
    signal === 'logs'
      ? { status: 202 }
      : {
          status: 200,
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body: '{"partialSuccess":{}}',
        },
  );
  expect(await made.export()).toMatchObject({ exitCode: 0, stderr: '' });
  await expectAllOnce(made);
});
