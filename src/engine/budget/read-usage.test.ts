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

const recorded = (file: string): string =>
  fs.readFileSync(new URL(`../../../test/fixtures/recorded/${file}`, import.meta.url), 'utf8');

const START = Date.parse('2026-11-16T10:00:00.000Z');
const at = (second: number): string => new Date(START + second * 1000).toISOString();

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-usage-'));
  file = path.join(folder, 'session.jsonl');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const METER: Meter = { session: 's', since: START, isHeld: true, pauses: [], files: {}, seen: [] };

function read(reader: UsageReader, meter: Meter = METER, more: { now?: number; most?: number } = {}) {
  const stop = { transcriptPath: file } as Stop;
  return readUsage(meter, { stop, reader, now: START, ...more });
}

/** A message of Claude Code's: 100 in, 50 into the cache, 20 out unless said otherwise; 1000 from the cache. */
function row(id: string, second: number, usage: object = {}): string {
  const counts = {
    ...{ input_tokens: 100, cache_creation_input_tokens: 50 },
    ...{ cache_read_input_tokens: 1000, output_tokens: 20, ...usage },
  };
  const message = { id, usage: counts };
  return `${JSON.stringify({ type: 'assistant', uuid: `u-${id}-${second}`, timestamp: at(second), message })}\n`;
}

function total(second: number, tokens: number, last = 10): string {
  const usage = (count: number) => ({ input_tokens: count, cached_input_tokens: 0, output_tokens: 0 });
  const info = { total_token_usage: usage(tokens), last_token_usage: usage(last) };
  const payload = { type: 'token_count', info };
  return `${JSON.stringify({ timestamp: at(second), type: 'event_msg', payload })}\n`;
}

describe('in Claude Code', () => {
  it('a message counts once, however many lines it has, and what is read from the cache stands apart', () => {
    fs.writeFileSync(file, row('a', 1) + row('a', 1) + row('b', 2));
    expect(read(claude).used).toEqual({ tokens: 340, cacheRead: 2000 });
  });

  it('a message whose later line says more counts with the most', () => {
    fs.writeFileSync(
      file,
      row('a', 1, { output_tokens: 1 }) +
        row('a', 1, { output_tokens: 20 }) +
        row('a', 2, { output_tokens: 3 }),
    );
    expect(read(claude).used.tokens).toBe(170);
  });

  it('what stands before the start is not counted, and neither is anything at the next stop', () => {
    fs.writeFileSync(file, row('before', -5) + row('a', 1));
    const first = read(claude);
    expect(first.used.tokens).toBe(170);
    expect(read(claude, first.after).used.tokens).toBe(0);
    fs.appendFileSync(file, row('a', 1) + row('b', 3));
    expect(read(claude, first.after).used.tokens).toBe(170);
  });

  it('a line that is not whole yet counts when it is', () => {
    const line = row('b', 2);
    fs.writeFileSync(file, row('a', 1) + line.slice(0, 40));
    const first = read(claude);
    fs.appendFileSync(file, line.slice(40));
    expect([first.used.tokens, read(claude, first.after).used.tokens]).toEqual([170, 170]);
  });

  it("a subagent's own file counts, too, whenever it comes", () => {
    fs.writeFileSync(file, row('a', 1));
    const first = read(claude);
    fs.mkdirSync(path.join(folder, 'session', 'subagents'), { recursive: true });
    fs.writeFileSync(
      path.join(folder, 'session', 'subagents', 'agent-1.jsonl'),
      row('old', -9) + row('c', 2),
    );
    fs.writeFileSync(path.join(folder, 'session', 'subagents', 'notes.jsonl'), row('d', 2));
    const second = read(claude, first.after);
    expect(second.used.tokens).toBe(170);
    expect(read(claude, second.after).used.tokens).toBe(0);
  });

  it('a file that was written again, as by a rewind, counts only what was not there before', () => {
    fs.writeFileSync(file, row('a', 1) + row('b', 2));
    const first = read(claude, METER, { now: START + 5000 });
    fs.rmSync(file);
    // A stop at which it is not there counts nothing, and passes nothing over.
    const second = read(claude, first.after, { now: START + 20_000 });
    fs.writeFileSync(file, row('a2', 1) + row('c', 9));
    expect(read(claude, second.after, { now: START + 30_000 }).used.tokens).toBe(170);
  });

  it('what was used while another run was held, or while it was paused, is passed over', () => {
    fs.writeFileSync(file, row('a', 1) + row('b', 2) + row('c', 3));
    const beside = read(claude, { ...METER, isHeld: false });
    expect(beside.used.tokens).toBe(0);
    expect(read(claude, { ...beside.after, isHeld: true }).used.tokens).toBe(0);
    const pauses = [{ from: START + 1000, to: START + 2000 }];
    expect(read(claude, { ...METER, pauses }).used.tokens).toBe(340);
  });

  it('a recorded session counts each of its messages', () => {
    fs.writeFileSync(file, recorded('claude-code/transcript-subagent-wake-2.1.325.jsonl'));
    const ids = new Set(
      [...fs.readFileSync(file, 'utf8').matchAll(/"id":"(msg_[^"]+)"/g)].map(([, id]) => id),
    );
    expect(read(claude, { ...METER, since: 0 }).used.tokens).toBe(ids.size * 120);
  });
});

describe('in Codex', () => {
  it('a subagent counts with the totals of its own thread', () => {
    const day = path.join(folder, 'sessions/2026/11/16');
    fs.mkdirSync(day, { recursive: true });
    const own = path.join(day, 'rollout-2026-11-16T10-00-00-s.jsonl');
    const meta = { session_id: 's', id: 'sub', parent_thread_id: 's' };
    const first = `${JSON.stringify({ timestamp: at(1), type: 'session_meta', payload: meta })}\n`;
    const subagent = path.join(day, 'rollout-2026-11-16T10-00-01-sub.jsonl');
    fs.writeFileSync(own, total(-10, 400) + total(1, 410));
    fs.writeFileSync(subagent, first + total(2, 70) + total(3, 90));
    const stop = { transcriptPath: own, session: 's' } as Stop;
    const { used, after } = readUsage(METER, { stop, reader: codex, now: START });
    expect(used.tokens).toBe(10 + 90);
    fs.appendFileSync(subagent, total(4, 95));
    expect(readUsage(after, { stop, reader: codex, now: START }).used.tokens).toBe(5);
  });

  it('it is the totals less those at the start', () => {
    fs.writeFileSync(file, total(-20, 300) + total(-10, 400) + total(1, 410) + total(2, 430));
    const first = read(codex);
    expect(first.used.tokens).toBe(30);
    fs.appendFileSync(file, total(3, 450));
    expect(read(codex, first.after).used.tokens).toBe(20);
  });

  it('where nothing was used between the start and the first stop, the rest counts from there', () => {
    fs.writeFileSync(file, `${total(-10, 400)}{"timestamp":"${at(1)}","type":"turn_context"}\n`);
    const first = read(codex);
    fs.appendFileSync(file, total(3, 450));
    expect([first.used.tokens, read(codex, first.after).used.tokens]).toEqual([0, 50]);
  });

  it('the answer that ran the start is from before it, though its count comes after its tools', () => {
    const usage = { input_tokens: 120, cached_input_tokens: 20, output_tokens: 0 };
    const payload = { usage, thread_token_usage: usage };
    const record = JSON.stringify({ timestamp: at(-1), type: 'token_usage_record', payload });
    fs.writeFileSync(file, `${record}\n${total(1, 100)}${total(2, 130)}`);
    expect(read(codex).used.tokens).toBe(30);
  });

  it('totals that begin again are worth what the last request used', () => {
    fs.writeFileSync(file, total(1, 400) + total(2, 15, 15) + total(3, 40, 25));
    expect(read(codex).used.tokens).toBe(400 + 15 + 25);
  });

  it('a recorded session counts its last total', () => {
    fs.writeFileSync(file, recorded('codex/transcript-hold.jsonl'));
    const last = [...fs.readFileSync(file, 'utf8').matchAll(/"total_tokens":(\d+)\},"last_token_usage"/g)].at(
      -1,
    )?.[1];
    expect(read(codex, { ...METER, since: 0 }).used.tokens).toBe(Number(last));
  });
});

describe('hostile lines', () => {
  it.each([-5, Number.MAX_VALUE, 1.5, '7', null, [], {}, true])('%j is no count', (bad) => {
    fs.writeFileSync(file, row('a', 1, { input_tokens: bad, output_tokens: 3 }));
    expect(read(claude).used.tokens).toBe(53);
  });

  it('a sum beyond all bounds stays a count', () => {
    const most = Number.MAX_SAFE_INTEGER;
    fs.writeFileSync(file, row('a', 1, { input_tokens: most }) + row('b', 2, { input_tokens: most }));
    expect(read(claude).used.tokens).toBe(most);
  });

  it('no line, a link and a folder say nothing', () => {
    fs.writeFileSync(file, '\n\nnull\n[]\n{"type":"assistant"}\n\u0000\n"usage"\n{"usage":1}\n');
    expect(read(claude).used.tokens).toBe(0);
    fs.rmSync(file);
    fs.mkdirSync(file);
    expect(read(claude).used.tokens).toBe(0);
  });

  it('a line longer than any of a client is passed over, and what follows it is read', () => {
    fs.writeFileSync(file, `${row('a', 1)}"usage"${'x'.repeat(18 * 1024 * 1024)}\n${row('b', 2)}`);
    const first = read(claude);
    const rest = read(claude, first.after);
    expect(first.used.tokens + rest.used.tokens).toBe(340);
  });
});

describe('where a file that is new to the run is begun', () => {
  const turn = (second: number): string =>
    `${JSON.stringify({ timestamp: at(second), type: 'turn_context' })}\n`;

  it('is after its last whole line where all of it is from before', () => {
    const old = row('a', -9) + row('b', -5);
    fs.writeFileSync(file, old);
    const first = read(claude, METER, { now: START + 7 });
    expect(first.used).toEqual({ tokens: 0, cacheRead: 0 });
    expect(first.after.files[file]).toEqual({
      ...{ inode: fs.statSync(file).ino, offset: Buffer.byteLength(old), at: START + 7, total: null },
    });
    fs.appendFileSync(file, row('c', -1));
    // It was read to its end then, so what came since is new, whatever its time.
    expect(read(claude, first.after).used.tokens).toBe(170);
  });

  it('is before a line that is not whole yet', () => {
    const old = row('a', -9);
    const torn = row('b', 2);
    fs.writeFileSync(file, old + torn.slice(0, 30));
    const first = read(claude);
    expect(first.after.files[file]?.offset).toBe(Buffer.byteLength(old));
    fs.appendFileSync(file, torn.slice(30));
    expect(read(claude, first.after).used.tokens).toBe(170);
  });

  it('has the last total before it, where the client writes totals', () => {
    const old = total(-9, 300) + turn(-5);
    fs.writeFileSync(file, old);
    const { after } = read(codex);
    expect(after.files[file]).toMatchObject({
      ...{ offset: Buffer.byteLength(old), total: { tokens: 300, cacheRead: 0 } },
    });
    fs.writeFileSync(file, turn(-5));
    expect(read(codex).after.files[file]).toMatchObject({ offset: Buffer.byteLength(turn(-5)), total: null });
  });

  it('is its beginning where nothing tells its time', () => {
    fs.writeFileSync(file, '{}\n{}\n');
    expect(read(claude).after.files[file]).toMatchObject({ offset: 6, total: null });
  });

  it('is where it was, with the time of this stop, where nothing came', () => {
    fs.writeFileSync(file, row('a', 1));
    const first = read(claude, METER, { now: START + 1 });
    const second = read(claude, first.after, { now: START + 9 });
    expect(second.after.files[file]).toEqual({ ...first.after.files[file], at: START + 9 });
  });
});

describe('what is remembered of messages', () => {
  it('are the last two hundred: an older one counts again', () => {
    const ids = Array.from({ length: 201 }, (_, index) => `m${index}`);
    fs.writeFileSync(file, ids.map((id) => row(id, 1)).join(''));
    const first = read(claude);
    expect(first.used.tokens).toBe(201 * 170);
    expect(first.after.seen.map(({ id }) => id)).toEqual(ids.slice(1));
    fs.appendFileSync(file, row('m1', 2) + row('m0', 2));
    expect(read(claude, first.after).used.tokens).toBe(170);
  });

  it('are within one stop at least as many', () => {
    const ids = Array.from({ length: 401 }, (_, index) => `m${index}`);
    fs.writeFileSync(file, [...ids, 'm200', 'm199'].map((id) => row(id, 1)).join(''));
    // At the four hundred and first the oldest two hundred are forgotten.
    expect(read(claude).used.tokens).toBe(402 * 170);
  });

  it('is the most that was said of each, in both counts', () => {
    fs.writeFileSync(
      file,
      row('a', 1, { output_tokens: 5, cache_read_input_tokens: 10 }) +
        row('a', 1, { output_tokens: 1, cache_read_input_tokens: 30 }) +
        row('a', 1, { output_tokens: 7, cache_read_input_tokens: 20 }),
    );
    const { used, after } = read(claude);
    expect(used).toEqual({ tokens: 157, cacheRead: 30 });
    expect(after.seen).toEqual([{ id: 'a', tokens: 157, cacheRead: 30 }]);
  });
});

it('at a stop no further file is begun once so many bytes were read', () => {
  const folderOfAgents = path.join(folder, 'session', 'subagents');
  fs.mkdirSync(folderOfAgents, { recursive: true });
  fs.writeFileSync(file, row('a', 1));
  fs.writeFileSync(path.join(folderOfAgents, 'agent-1.jsonl'), row('b', 1));
  const size = fs.statSync(file).size;
  const first = read(claude, METER, { most: size });
  expect(first.used.tokens).toBe(170);
  expect(Object.keys(first.after.files)).toEqual([file]);
  expect(read(claude, METER, { most: 3 * size }).used.tokens).toBe(340);
});

it('what was used in a pause is passed over to its very end, and not before it', () => {
  fs.writeFileSync(file, row('a', 1) + row('b', 2) + row('c', 3) + row('d', 4));
  const pauses = [{ from: START + 1000, to: START + 3000 }];
  expect(read(claude, { ...METER, pauses }).used.tokens).toBe(340);
});

it('however little is read at a stop, all is counted, and once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(12), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 400, max: 2000 }),
      (ids, most) => {
        fs.writeFileSync(file, ids.map((id, second) => row(`m${id}`, second + 1)).join(''));
        let meter: Meter = {
          ...METER,
          files: { [file]: { inode: fs.statSync(file).ino, offset: 0, at: START, total: null } },
        };
        let counted = 0;
        for (let stops = 0; stops < 40; stops++) {
          const { after, used } = read(claude, meter, { most });
          meter = after;
          counted += used.tokens;
        }
        expect(counted).toBe(new Set(ids).size * 170);
      },
    ),
    { numRuns: 50 },
  );
});
