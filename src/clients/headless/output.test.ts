// A client's output on its way to the driver: chunks, lines, events; and the file of settings that it may be given.

import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { programs } from '../../../test/support/programs.ts';
import type { HeadlessEvent } from '../headless.ts';
import { EventQueue } from './event-queue.ts';
import { Lines } from './lines.ts';
import { ownFile } from './own-file.ts';
import { Tail } from './tail.ts';
import { unknownTrouble } from './trouble.ts';

const ENDED: HeadlessEvent = { kind: 'ended', code: 0, signal: null, trouble: null };
const TURN: HeadlessEvent = { kind: 'turn' };
const ALIVE: HeadlessEvent = { kind: 'alive' };

describe('events on their way', () => {
  const queue = () => {
    const flow: string[] = [];
    const events = new EventQueue({ pause: () => flow.push('pause'), resume: () => flow.push('resume') });
    const push = (...given: HeadlessEvent[]) => {
      for (const event of given) events.push(event);
    };
    return { events, flow, push };
  };
  const all = async (events: AsyncIterable<HeadlessEvent>): Promise<HeadlessEvent[]> => {
    const heard: HeadlessEvent[] = [];
    for await (const event of events) heard.push(event);
    return heard;
  };

  it('come in order, to a reader who waits too, and end with the end', async () => {
    const { events, push } = queue();
    const heard = all(events);
    for (const some of [[TURN], [ALIVE, ALIVE, TURN]]) {
      push(...some);
      await new Promise(setImmediate);
    }
    push(ENDED, TURN);
    expect(await heard).toEqual([TURN, ALIVE, TURN, ENDED]);
  });

  it.each(['before', 'in the very moment'])('are all heard that come %s the reader begins', async (when) => {
    const { events, push } = queue();
    if (when === 'before') push(TURN, ENDED);
    const heard = all(events);
    if (when !== 'before') push(TURN, ENDED);
    expect(await heard).toEqual([TURN, ENDED]);
  });

  it('are held back where the client is too fast, but not what one that ended has left', async () => {
    const { events, flow, push } = queue();
    for (let count = 0; count < 999; count++) push(TURN);
    expect(flow).toEqual([]);
    push(TURN);
    expect(flow).toEqual(['pause']);
    await events[Symbol.asyncIterator]().next();
    expect(flow).toEqual(['pause', 'resume']);
    const left = queue();
    left.events.drain();
    for (let count = 0; count < 3000; count++) left.push(TURN);
    left.push(ENDED);
    expect(left.flow).not.toContain('pause');
    expect(await all(left.events)).toHaveLength(3001);
  });
});

describe('lines of a stream', () => {
  const push = (lines: Lines, text: string): string[] => lines.push(Buffer.from(text));

  it('come whole, however they are cut', () => {
    const text = '{"a":"ä€😀"}\n\n  \nsecond\r\nlast';
    for (const size of [1, 2, 1000]) {
      const lines = new Lines();
      const bytes = Buffer.from(text);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => at * size);
      const found = chunks.flatMap((at) => lines.push(bytes.subarray(at, at + size)));
      expect([...found, ...lines.rest()]).toEqual(['{"a":"ä€😀"}', 'second\r', 'last']);
    }
  });

  it('are passed over where they are too long, and the next one is read', () => {
    const lines = new Lines(10);
    const chunks = ['12345678901\nshort\n', '123456', '78901', 'xx\n1234567890\n', '12345678901'];
    expect(chunks.map((chunk) => push(lines, chunk))).toEqual([['short'], [], [], ['1234567890'], []]);
    expect(lines.rest()).toEqual([]);
  });

  it('take no memory where one has 64 MB', () => {
    const lines = new Lines();
    const chunk = Buffer.alloc(1024 * 1024, 0x78);
    for (let count = 0; count < 64; count++) expect(lines.push(chunk)).toEqual([]);
    expect(push(lines, '\nafter\n')).toEqual(['after']);
  });
});

it('the end of a stream is its last sixteen kilobytes, whatever becomes of the chunks', () => {
  const kept = (...chunks: string[]): string => {
    const tail = new Tail();
    for (const text of chunks) {
      const chunk = Buffer.from(text);
      tail.push(chunk);
      chunk.fill('?');
    }
    return tail.text();
  };
  const most = 'x'.repeat(16 * 1024);
  expect([kept(), kept('a', 'b', ''), kept(most)]).toEqual(['', 'ab', most]);
  expect([kept(`a${most}`), kept('a', most), kept(most, 'b')]).toEqual([most, most, `${most.slice(1)}b`]);
});

it.each([
  [' a\n b ', 'a b'],
  ['x'.repeat(300), 'x'.repeat(300)],
  ['x'.repeat(301), `${'x'.repeat(299)}…`],
  [`${' '.repeat(3999)}ab`, 'a'],
])('trouble is said in one line of 300 letters', (text, said) => {
  expect(unknownTrouble(text)).toEqual({ what: 'unknown', resetsAt: null, said });
});

it('a settings file is named by what is in it, is nobody else’s, and does not stay for ever', () => {
  const { env } = programs({});
  const first = ownFile(env, 'policy.toml', 'a');
  expect(first).toMatch(/\.local\/state\/holdfast\/clients\/[0-9a-f]{16}-policy\.toml$/);
  expect([fs.readFileSync(first, 'utf8'), fs.statSync(first).mode & 0o777]).toEqual(['a', 0o600]);
  expect(ownFile(env, 'policy.toml', 'a')).toBe(first);
  const second = ownFile(env, 'policy.toml', 'b');
  for (const [days, left] of [
    [29, true],
    [31, false],
  ] as const) {
    const time = Date.now() / 1000 - days * 86_400;
    fs.utimesSync(first, time, time);
    ownFile(env, 'policy.toml', 'b');
    expect([fs.existsSync(first), fs.existsSync(second)]).toEqual([left, true]);
  }
});
