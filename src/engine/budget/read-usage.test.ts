import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fc } from '../../../test/support/property.ts';
import { usage as claude } from '../../clients/claude-code/usage.ts';
import { usage as codex } from '../../clients/codex/usage.ts';
import type { Stop } from '../../clients/stop.ts';
import type { UsageReader } from '../../clients/usage.ts';
import { readUsage } from './read-usage.ts';
import type { Meter } from './types.ts';

const START = Date.parse('2026-11-16T10:00:00.000Z');
const METER: Meter = { session: 's', since: START, isHeld: true, pauses: [], files: {}, seen: [] };
const at = (second: number): string => new Date(START + second * 1000).toISOString();
const recorded = (name: string): string =>
  fs.readFileSync(new URL(`../../../test/fixtures/recorded/${name}`, import.meta.url), 'utf8');

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-usage-'));
  file = path.join(folder, 'session.jsonl');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function read(reader: UsageReader, meter: Meter = METER, more: { now?: number; most?: number } = {}) {
  const stop = { transcriptPath: file, session: 's' } as Stop;
  return readUsage(meter, { stop, reader, now: START, ...more });
}

/** A message of Claude Code's: 170 tokens unless said otherwise, and 1000 from the cache. */
function row(id: string, second: number, more: object = {}): string {
  const known = { input_tokens: 100, cache_creation_input_tokens: 50, output_tokens: 20 };
  const message = { id, usage: { ...known, cache_read_input_tokens: 1000, ...more } };
  return `${JSON.stringify({ type: 'assistant', uuid: `u-${id}-${second}`, timestamp: at(second), message })}\n`;
}

function total(second: number, tokens: number, last = 10): string {
  const usage = (count: number) => ({ input_tokens: count, cached_input_tokens: 0, output_tokens: 0 });
  const info = { total_token_usage: usage(tokens), last_token_usage: usage(last) };
  return `${JSON.stringify({ timestamp: at(second), type: 'event_msg', payload: { type: 'token_count', info } })}\n`;
}

describe('in Claude Code', () => {
  it('a message counts once, with the most that its lines say, and the cache stands apart', () => {
    const lines = [
      [5, 10],
      [1, 30],
      [7, 20],
    ].map(([output_tokens, cache_read_input_tokens]) =>
      row('a', 1, { output_tokens, cache_read_input_tokens }),
    );
    fs.writeFileSync(file, lines.join('') + row('b', 2) + row('b', 2));
    const { used, after } = read(claude);
    expect(used).toEqual({ tokens: 157 + 170, cacheRead: 1030 });
    expect(after.seen[0]).toEqual({ id: 'a', tokens: 157, cacheRead: 30 });
  });

  it('what stands before the start is not counted, and nothing is at the next stop', () => {
    const line = row('b', 2);
    fs.writeFileSync(file, row('old', -5) + row('start', 0) + row('a', 1) + line.slice(0, 40));
    const first = read(claude);
    expect([first.used.tokens, read(claude, first.after).used.tokens]).toEqual([170, 0]);
    // A line that was not whole counts when it is.
    fs.appendFileSync(file, line.slice(40) + row('a', 1));
    expect(read(claude, first.after).used.tokens).toBe(170);
  });

  it("a subagent's own file counts too, whenever it comes", () => {
    const agents = path.join(folder, 'session', 'subagents');
    fs.writeFileSync(file, row('a', 1));
    const first = read(claude);
    fs.mkdirSync(agents, { recursive: true });
    fs.writeFileSync(path.join(agents, 'agent-1.jsonl'), row('old', -9) + row('c', 2));
    fs.writeFileSync(path.join(agents, 'notes.jsonl'), row('d', 2));
    const second = read(claude, first.after);
    expect([second.used.tokens, read(claude, second.after).used.tokens]).toEqual([170, 0]);
    // No further file is begun once so many bytes were read.
    const size = fs.statSync(file).size;
    expect(Object.keys(read(claude, METER, { most: size }).after.files)).toEqual([file]);
    expect(read(claude, METER, { most: 3 * size }).used.tokens).toBe(340);
  });

  it.each([true, false])(
    'a file that was written again counts only what was not there before: %s',
    (isAnother) => {
      fs.writeFileSync(file, row('a', 1) + row('b', 2) + row('x', 3));
      const first = read(claude, METER, { now: START + 5000 });
      if (isAnother) fs.rmSync(file);
      // A stop at which it is not there counts nothing, and passes nothing over.
      const second = isAnother ? read(claude, first.after, { now: START + 20_000 }) : first;
      fs.writeFileSync(file, row('a2', 1) + row('c', 9));
      expect(read(claude, second.after, { now: START + 30_000 }).used.tokens).toBe(170);
    },
  );

  it('what was used while another run was held, or in a pause up to its very end, is passed over', () => {
    fs.writeFileSync(file, row('a', 1) + row('b', 2) + row('c', 3) + row('d', 4));
    const beside = read(claude, { ...METER, isHeld: false });
    expect([beside.used.tokens, read(claude, { ...beside.after, isHeld: true }).used.tokens]).toEqual([0, 0]);
    const pauses = [{ from: START + 1000, to: START + 3000 }];
    expect(read(claude, { ...METER, pauses }).used.tokens).toBe(340);
  });

  it('the last two hundred messages are known: an older one counts again', () => {
    const ids = Array.from({ length: 201 }, (_, index) => `m${index}`);
    fs.writeFileSync(file, ids.map((id) => row(id, 1)).join(''));
    const first = read(claude);
    expect(first.used.tokens).toBe(201 * 170);
    expect(first.after.seen.map(({ id }) => id)).toEqual(ids.slice(1));
    fs.appendFileSync(file, row('m1', 2) + row('m0', 2));
    expect(read(claude, first.after).used.tokens).toBe(170);
    // Within one stop, too: at the four hundred and first the oldest two hundred are forgotten.
    const more = Array.from({ length: 401 }, (_, index) => `m${index}`);
    fs.writeFileSync(file, [...more, 'm200', 'm199'].map((id) => row(id, 1)).join(''));
    expect(read(claude).used.tokens).toBe(402 * 170);
  });
});

describe('in Codex', () => {
  it.each<[string, string[], number, string[], number]>([
    [
      'are less those at the start',
      [total(-20, 300), total(-10, 400), total(1, 410), total(2, 430)],
      30,
      [total(3, 450)],
      20,
    ],
    ['count from the start where nothing was used yet', [total(-10, 400)], 0, [total(3, 450)], 50],
    [
      'that begin again are worth what the last request used',
      [total(1, 400), total(2, 15, 15)],
      415,
      [total(3, 40, 25)],
      25,
    ],
    [
      'within whose last request was more than they are count it once',
      [total(1, 400), total(2, 15, 20)],
      415,
      [],
      0,
    ],
  ])('totals %s', (_, lines, first, later, second) => {
    fs.writeFileSync(file, lines.join(''));
    const begun = read(codex);
    fs.appendFileSync(file, later.join(''));
    expect([begun.used.tokens, read(codex, begun.after).used.tokens]).toEqual([first, second]);
  });

  it('a subagent counts with the totals of its own thread', () => {
    const day = path.join(folder, 'sessions/2026/11/16');
    fs.mkdirSync(day, { recursive: true });
    file = path.join(day, 'rollout-2026-11-16T10-00-00-s.jsonl');
    const subagent = path.join(day, 'rollout-2026-11-16T10-00-01-sub.jsonl');
    const payload = { session_id: 's', id: 'sub', parent_thread_id: 's' };
    fs.writeFileSync(file, total(-10, 400) + total(1, 410));
    const meta = `${JSON.stringify({ timestamp: at(1), type: 'session_meta', payload })}\n`;
    fs.writeFileSync(subagent, meta + total(2, 70) + total(3, 90));
    const { used, after } = read(codex);
    fs.appendFileSync(subagent, total(4, 95));
    expect([used.tokens, read(codex, after).used.tokens]).toEqual([10 + 90, 5]);
  });

  it('the answer that ran the start is from before it, though its count comes after its tools', () => {
    const usage = { input_tokens: 120, cached_input_tokens: 20, output_tokens: 0 };
    const payload = { usage, thread_token_usage: usage };
    const record = JSON.stringify({ timestamp: at(-1), type: 'token_usage_record', payload });
    fs.writeFileSync(file, `${record}\n${total(1, 100)}${total(2, 130)}`);
    expect(read(codex).used.tokens).toBe(30);
  });
});

it('a recorded session of each client counts all of it', () => {
  const text = recorded('claude-code/transcript-subagent-wake-2.1.325.jsonl');
  fs.writeFileSync(file, text);
  const ids = new Set([...text.matchAll(/"id":"(msg_[^"]+)"/g)].map(([, id]) => id));
  expect(read(claude, { ...METER, since: 0 }).used.tokens).toBe(ids.size * 120);
  const other = recorded('codex/transcript-hold.jsonl');
  fs.writeFileSync(file, other);
  const last = [...other.matchAll(/"total_tokens":(\d+)\},"last_token_usage"/g)].at(-1)?.[1];
  expect(read(codex, { ...METER, since: 0 }).used.tokens).toBe(Number(last));
});

describe('hostile lines', () => {
  it.each([-5, Number.MAX_VALUE, 1.5, '7', null, [], true])('%j is no count', (bad) => {
    fs.writeFileSync(file, row('a', 1, { input_tokens: bad, output_tokens: 3 }));
    expect(read(claude).used.tokens).toBe(53);
  });

  it('a sum beyond all bounds stays a count', () => {
    const most = { input_tokens: Number.MAX_SAFE_INTEGER };
    fs.writeFileSync(file, row('a', 1, most) + row('b', 2, most));
    expect(read(claude).used.tokens).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('no line and a folder say nothing, and a line longer than any of a client is passed over', () => {
    fs.writeFileSync(file, '\n\nnull\n[]\n{"type":"assistant"}\n\u0000\n"usage"\n{"usage":1}\n');
    expect(read(claude).used.tokens).toBe(0);
    fs.writeFileSync(file, `${row('a', 1)}"usage"${'x'.repeat(18 * 1024 * 1024)}\n${row('b', 2)}`);
    const first = read(claude);
    expect(first.used.tokens + read(claude, first.after).used.tokens).toBe(340);
    fs.rmSync(file);
    fs.mkdirSync(file);
    expect(read(claude).used.tokens).toBe(0);
  });
});

it('a file that is new to the run is begun after what is from before it', () => {
  const old = row('a', -9) + row('b', -5);
  const torn = row('c', -1);
  fs.writeFileSync(file, old + torn.slice(0, 30));
  const first = read(claude, METER, { now: START + 7 });
  const place = { inode: fs.statSync(file).ino, offset: Buffer.byteLength(old), at: START + 7, total: null };
  expect([first.used.tokens, first.after.files[file]]).toEqual([0, place]);
  fs.appendFileSync(file, torn.slice(30));
  // It was read to its end then, so what came since is new, whatever its time.
  const second = read(claude, first.after, { now: START + 9 });
  expect(second.used.tokens).toBe(170);
  const later = read(claude, second.after, { now: START + 20 });
  expect(later.after.files[file]).toEqual({ ...second.after.files[file], at: START + 20 });
  const turn = `${JSON.stringify({ timestamp: at(-5), type: 'turn_context' })}\n`;
  fs.writeFileSync(file, total(-9, 300) + turn);
  expect(read(codex).after.files[file]?.total).toEqual({ tokens: 300, cacheRead: 0 });
  fs.writeFileSync(file, '{}\n{}\n');
  expect(read(claude).after.files[file]).toMatchObject({ offset: 6, total: null });
});

it('however little is read at a stop, all is counted, and once', () => {
  const ids = fc.array(fc.nat(12), { minLength: 1, maxLength: 30 });
  const property = fc.property(ids, fc.integer({ min: 400, max: 2000 }), (messages, most) => {
    fs.writeFileSync(file, messages.map((id, second) => row(`m${id}`, second + 1)).join(''));
    const place = { inode: fs.statSync(file).ino, offset: 0, at: START, total: null };
    let meter: Meter = { ...METER, files: { [file]: place } };
    let counted = 0;
    for (let stops = 0; stops < 40; stops++) {
      const { after, used } = read(claude, meter, { most });
      meter = after;
      counted += used.tokens;
    }
    expect(counted).toBe(new Set(messages).size * 170);
  });
  fc.assert(property, { numRuns: 50 });
});
