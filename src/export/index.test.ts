// The exporter inside the test's process: real journals and a collector on 127.0.0.1. As it is built, it is test/export's.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { asJson, collector, withVersion } from '../../test/export/as-json.ts';
import { end, start, stop } from '../../test/export/lines.ts';
import { type Programs, programs } from '../../test/support/programs.ts';
import { noteProject } from '../store/projects.ts';
import { exportJournals } from './index.ts';

beforeEach(withVersion);

/** A user with one project, whose journal has these lines. */
function machine(
  ...lines: readonly (object | string)[]
): Programs & { journal(...more: readonly (object | string)[]): void } {
  const here = programs({});
  fs.mkdirSync(path.join(here.project, '.holdfast'));
  noteProject(here.env, here.project);
  const file = path.join(here.project, '.holdfast/journal.jsonl');
  const journal = (...more: readonly (object | string)[]): void =>
    fs.appendFileSync(
      file,
      more.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''),
    );
  journal(...lines);
  return { ...here, journal };
}

async function run(here: Programs, base: string, flags: object = {}, more: Record<string, string> = {}) {
  const printed: string[] = [];
  const warned: string[] = [];
  const call = {
    flags: { otlp: base, ...flags },
    env: { ...here.env, HOLDFAST_OTLP_TRIES: '1', ...more },
    now: Date.UTC(2026, 10, 17),
    print: (line: string) => printed.push(line),
    warn: (line: string) => warned.push(line),
  };
  const ended = await exportJournals(call, () => asJson).then(
    (exit) => ({ exit, why: null }),
    (error: Error) => ({ exit: null, why: error.message }),
  );
  return { ...ended, printed, warned };
}

describe('an export', () => {
  const lines = [start(0), stop(1), end(2, 'completed')];

  it('sends all signals, says how much that was, and nothing twice', async () => {
    const { base, asked } = await collector();
    const here = machine(...lines);
    expect(await run(here, base)).toEqual({
      ...{ exit: 0, why: null, warned: [] },
      printed: [`Sent 3 lines of the journals to ${base}: 2 spans, 3 log records.`],
    });
    expect(asked.map(({ signal }) => signal)).toEqual(['traces', 'logs', 'metrics']);
    expect((await run(here, base)).printed).toEqual([
      `Sent 0 lines of the journals to ${base}: 0 spans, 0 log records.`,
    ]);
    // The counts once more: a collector forgets a series that it no longer hears of.
    expect(asked.slice(3).map(({ signal }) => signal)).toEqual(['metrics']);
    here.journal(stop(5));
    expect((await run(here, base)).printed[0]).toContain('Sent 1 lines');
  });

  it('sends the signals alone that are wanted', async () => {
    const { base, asked } = await collector();
    const here = machine(...lines);
    await run(here, base, { signals: 'logs' });
    await run(here, base, { signals: 'logs' });
    expect(asked.map(({ signal }) => signal)).toEqual(['logs']);
  });

  it('sends nothing of which there is nothing', async () => {
    const { base, asked } = await collector();
    await run(machine(), base);
    expect(asked).toEqual([]);
    await run(machine({ ...start(0), event: 'question', what: 'asked' }), base);
    expect(asked.map(({ signal }) => signal)).toEqual(['logs']);
  });

  it('counts lines that cannot be read, and passes over those before --since', async () => {
    const { base, asked } = await collector();
    const { printed } = await run(machine('broken\n', { ...start(0), time: 'never' }, ...lines), base, {
      since: '2026-11-16T08:00:02',
    });
    expect(printed).toEqual([`Sent 5 lines of the journals to ${base}: 1 spans, 1 log records.`]);
    const { series } = JSON.parse(String(asked.at(-1)?.body));
    expect(series.map(({ metric, sum }: { metric: string; sum: number }) => [metric, sum])).toEqual([
      ['unreadable', 2],
      ['ended', 1],
    ]);
  });

  it('halves what it sends until the collector takes it', async () => {
    const { base, asked } = await collector(({ signal, body }) =>
      signal === 'logs' && JSON.parse(String(body)).logs.length > 200 ? { status: 413 } : {},
    );
    const { printed } = await run(machine(...Array.from({ length: 400 }, (_, at) => stop(at))), base, {
      signals: 'logs',
    });
    expect(printed[0]).toContain('Sent 400 lines');
    expect(asked.map(({ body }) => JSON.parse(String(body)).logs.length)).toEqual([
      400, 250, 125, 125, 125, 25,
    ]);
  });

  it('fails where even one line is too large', async () => {
    const { base, asked } = await collector(() => ({ status: 413 }));
    expect(await run(machine(...lines), base, { signals: 'logs' })).toMatchObject({
      exit: null,
      why: `${base}: it answered 413: even one event is too large for it. Nothing was sent. The rest is kept: the same command goes on from there.`,
    });
    expect(JSON.parse(String(asked.at(-1)?.body)).logs).toHaveLength(1);
  });

  it('fails with what the collector says, and goes on from there', async () => {
    let isOpen = false;
    const { base, asked } = await collector(() => (isOpen ? {} : { status: 401 }));
    const here = machine(...lines);
    expect((await run(here, base)).why).toBe(
      `${base}: it answered 401: it wants a key; set HOLDFAST_OTLP_HEADERS. Nothing was sent. The rest is kept: the same command goes on from there.`,
    );
    expect(asked).toHaveLength(1);
    isOpen = true;
    expect((await run(here, base)).printed[0]).toContain('Sent 3 lines');
    isOpen = false;
    expect((await run(here, base)).why).toContain('it answered 401');
  });

  it('fails with how much was sent before', async () => {
    const { base } = await collector((_, number) => (number > 1 ? { status: 400 } : {}));
    const here = machine(...Array.from({ length: 501 }, (_, at) => stop(at)));
    expect((await run(here, base, { signals: 'logs' })).why).toBe(
      `${base}: it answered 400: it does not understand what is sent. Sent 500 lines of the journals to ${base}: 500 spans, 500 log records. The rest is kept: the same command goes on from there.`,
    );
  });

  it('gives up on a collector that is busy after the last try', async () => {
    const { base } = await collector(() => ({ status: 503 }));
    const { why, warned } = await run(machine(...lines), base);
    expect(why).toContain(`${base}: it answered 503. Nothing was sent.`);
    expect(warned).toEqual([]);
  });

  it('says why it waits, and what the collector does not want', async () => {
    const body = '{"partialSuccess":{"rejectedLogRecords":1}}';
    const { base } = await collector(({ signal }, number) => {
      if (number === 1) return { status: 503 };
      return signal === 'logs' ? { headers: { 'content-type': 'application/json' }, body } : {};
    });
    const { exit, warned } = await run(machine(...lines), base, {}, { HOLDFAST_OTLP_TRIES: '2' });
    expect(exit).toBe(0);
    expect(warned).toEqual([
      `${base}: it answered 503; trying again in 1 s`,
      `${base} took the logs but for 1, which it does not want: it does not say why`,
    ]);
  });

  it('warns of a key on a way that others can read', async () => {
    const { warned } = await run(machine(...lines), 'http://0.0.0.0:1', { header: ['x-key=secret'] });
    expect(warned).toEqual([
      'the headers go to http://0.0.0.0:1 unencrypted; use https:// for a collector elsewhere',
    ]);
    const { base } = await collector();
    expect((await run(machine(...lines), base, { header: ['x-key=secret'] })).warned).toEqual([]);
  });

  it('is not begun where another one sends to the same collector, and can be once that is over', async () => {
    const { base } = await collector();
    const here = machine(...lines);
    const both = await Promise.all([run(here, base), run(here, base)]);
    expect(both.map(({ exit }) => exit)).toEqual([0, null]);
    expect(both[1]?.why).toBe(
      `another \`holdfast export\` sends to ${base} already; end that one first, or leave it to it.`,
    );
    expect((await run(here, base)).exit).toBe(0);
  });

  it('that follows goes on until it is ended, and takes what comes meanwhile', async () => {
    const before = process.listeners('SIGTERM');
    const { base, asked } = await collector();
    const here = machine(...lines);
    const following = run(here, base, { follow: true, signals: 'logs' });
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    here.journal(stop(7));
    await vi.waitFor(() => expect(asked).toHaveLength(2), { timeout: 60_000 });
    for (const listener of process.listeners('SIGTERM').filter((each) => !before.includes(each)))
      listener('SIGTERM');
    expect(await following).toEqual({
      ...{ exit: 0, why: null, warned: [] },
      printed: [`Sent 4 lines of the journals to ${base}: 3 spans, 4 log records.`],
    });
    expect(process.listeners('SIGTERM')).toEqual(before);
  });

  it('that follows sends the counts first where nothing is new, and ends where they are refused', async () => {
    let status = 200;
    const { base, asked } = await collector(() => ({ status }));
    const here = machine(...lines);
    await run(here, base);
    const before = process.listeners('SIGTERM');
    const following = run(here, base, { follow: true });
    await vi.waitFor(() => expect(asked).toHaveLength(4));
    for (const listener of process.listeners('SIGTERM').filter((each) => !before.includes(each)))
      listener('SIGTERM');
    expect((await following).printed).toEqual([
      `Sent 0 lines of the journals to ${base}: 0 spans, 0 log records.`,
    ]);
    status = 400;
    expect((await run(here, base, { follow: true })).why).toContain('it answered 400');
    expect(asked.slice(3).map(({ signal }) => signal)).toEqual(['metrics', 'metrics']);
  });

  it('that follows ends where the collector will never have it', async () => {
    const { base } = await collector(() => ({ status: 400 }));
    expect((await run(machine(...lines), base, { follow: true })).why).toContain('it answered 400');
  });
});
