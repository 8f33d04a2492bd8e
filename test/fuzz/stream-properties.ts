// What must hold of the events that are read from a client's output, whatever it prints. Each property throws where it
// does not.

import fs from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { StreamReader } from '../../src/clients/headless/start.ts';
import type { HeadlessEvent } from '../../src/clients/headless.ts';
import { recordedLines } from '../support/recorded.ts';
import { brokenText, RUNS, SEED } from './broken.ts';
import type { Parts } from './stream-parts.ts';

export type Property = (parts: Parts) => void | Promise<void>;

const CLIENTS = {
  'claude-code': 'ClaudeReader',
  codex: 'CodexReader',
  copilot: 'CopilotReader',
  qwen: 'QwenReader',
} as const;
type ClientName = keyof typeof CLIENTS;
const names: readonly ClientName[] = ['claude-code', 'codex', 'copilot', 'qwen'];

const readerOf = (parts: Parts, client: ClientName): StreamReader => new parts[CLIENTS[client]]();

type Stream = { client: ClientName; name: string; lines: readonly string[] };

const streams: readonly Stream[] = names.flatMap((client) => {
  const folder = new URL(`../fixtures/recorded/${client}/`, import.meta.url);
  const files = fs.readdirSync(folder).filter((file) => file.startsWith('stream-'));
  return files.map((file) => ({
    client,
    name: file.replace(/^stream-|(-2\.1\.325)?\.jsonl$/g, ''),
    lines: recordedLines(`${client}/${file}`),
  }));
});

const eventsOf = (reader: StreamReader, lines: readonly string[]): HeadlessEvent[] =>
  lines.flatMap((line) => reader.line(line));

const loud = (events: readonly HeadlessEvent[]): readonly HeadlessEvent[] =>
  events.filter(({ kind }) => kind !== 'alive');

/** A tenth of the suite's texts for each. */
const runs = { seed: SEED, numRuns: Math.max(50, Math.ceil(RUNS / 10)) };

function isText(value: unknown, most: number): boolean {
  return typeof value === 'string' && value.length <= most && !/[\p{Cc}\u2028\u2029]/u.test(value);
}

/** Null: it is one of ours, and its texts are short and plain. */
function whatIsWrong(event: HeadlessEvent): string | null {
  switch (event.kind) {
    case 'session':
      return typeof event.id === 'string' ? null : 'its id';
    case 'turn':
    case 'alive':
      return Object.keys(event).length === 1 ? null : 'it says more';
    case 'tool':
      return isText(event.name, 80) ? null : 'its name';
    case 'denied':
      return isText(event.what, 300) ? null : 'what';
    case 'ended':
    case 'result': {
      const { trouble } = event;
      if (trouble === null) return null;
      const isTime = trouble.resetsAt === null || Number.isSafeInteger(trouble.resetsAt);
      return isText(trouble.said, 300) && isTime ? null : 'its trouble';
    }
  }
}

function expectOurs(event: HeadlessEvent): void {
  expect([event.kind, whatIsWrong(event)]).toEqual([event.kind, null]);
}

const HOSTILE = `\u001b[2J\n\r\0${'x'.repeat(5000)}\u202e`;

/** The line once for each text in it, with a hostile one in its place. */
function hostileLines(line: string): string[] {
  const texts = [...line.matchAll(/:"((?:[^"\\]|\\.)*)"/g)];
  return texts.flatMap((match) => {
    if (/"(sub)?type$/.test(line.slice(0, match.index))) return [];
    const at = match.index + 1;
    return [line.slice(0, at) + JSON.stringify(HOSTILE) + line.slice(at + match[0].length - 1)];
  });
}

const TROUBLES: Readonly<Record<string, string>> = {
  ...{ limit: 'limit', 'plain-429': 'limit', overloaded: 'server', server: 'server', context: 'context' },
  ...{ network: 'network', login: 'login', billing: 'billing', refused: 'refused' },
  ...{ quota: 'billing', 'too-large': 'context' },
};

export const properties: Readonly<Record<string, Property>> = {
  'whatever a line says, its events are ours, and their texts are short and plain'(parts) {
    for (const client of names) {
      const sound = streams.filter((stream) => stream.client === client).flatMap(({ lines }) => lines);
      fc.assert(
        fc.property(
          fc.array(brokenText(sound), { maxLength: 6 }),
          brokenText(['an error']),
          (lines, stderr) => {
            const reader = readerOf(parts, client);
            eventsOf(reader, lines).forEach(expectOurs);
            const trouble = reader.trouble(stderr, true);
            if (trouble !== null) expectOurs({ kind: 'ended', code: 1, signal: null, trouble });
          },
        ),
        runs,
      );
      const hostile = sound.flatMap(hostileLines);
      expect(hostile.length).toBeGreaterThan(50);
      for (const line of hostile) eventsOf(readerOf(parts, client), [line]).forEach(expectOurs);
    }
  },

  'noise between its lines changes nothing that is said'(parts) {
    const noise = fc.constantFrom(
      'x',
      '{',
      '{"type":"news","session_id":"n"}',
      '[1]',
      '\u001b[2J',
      '{"type":"error"}',
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...streams),
        fc.array(noise, { minLength: 1, maxLength: 5 }),
        (stream, noises) => {
          const { client, lines } = stream;
          const disturbed = lines.flatMap((line, at) => [noises[at % noises.length] ?? '', line]);
          const heard = loud(eventsOf(readerOf(parts, client), disturbed));
          expect(heard).toEqual(loud(eventsOf(readerOf(parts, client), lines)));
        },
      ),
      runs,
    );
  },

  'the same bytes are the same lines, however they come'(parts) {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 8 });
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (lines, sizes) => {
        const bytes = Buffer.from(lines.join('\n'), 'utf8');
        const whole = new parts.Lines();
        const wanted = [...whole.push(bytes), ...whole.rest()];
        const split = new parts.Lines();
        const found: string[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          found.push(...split.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect([...found, ...split.rest()]).toEqual(wanted);
      }),
      runs,
    );
  },

  'a line without end is not kept'(parts) {
    const lines = new parts.Lines(1000);
    for (let count = 0; count < 100; count++) lines.push(Buffer.alloc(500, 0x78));
    expect(lines.push(Buffer.from('x\nshort\n'))).toEqual(['short']);
  },

  async 'a driver that is slow makes the client wait'(parts) {
    let paused = 0;
    const queue = new parts.EventQueue({ pause: () => paused++, resume: () => {} });
    for (let count = 0; count < 5000; count++) queue.push({ kind: 'turn' });
    expect(paused).toBeGreaterThan(0);
  },

  'each failure that was recorded is called what it is'(parts) {
    for (const { client, name, lines } of streams) {
      const [result] = eventsOf(readerOf(parts, client), lines).filter(({ kind }) => kind === 'result');
      const what = result?.kind === 'result' ? result.trouble?.what : undefined;
      if (name in TROUBLES) expect(`${client} ${name} ${what}`).toBe(`${client} ${name} ${TROUBLES[name]}`);
    }
  },

  'a limit ends when the client says'(parts) {
    for (const { client, lines } of streams.filter(({ name }) => name === 'limit')) {
      const [result] = eventsOf(readerOf(parts, client), lines).filter(({ kind }) => kind === 'result');
      const resetsAt = result?.kind === 'result' ? (result.trouble?.resetsAt ?? 0) : 0;
      // Codex says it to the minute, in local time.
      const wanted =
        client === 'codex' ? new Date(2026, 10, 17, 0, 25) : new Date('2026-11-17T00:24:09.000Z');
      expect(`${client} ${new Date(resetsAt).toISOString()}`).toBe(`${client} ${wanted.toISOString()}`);
    }
  },

  'what ended by our own hand, or goes on by itself, is no trouble'(parts) {
    for (const { client, name, lines } of streams) {
      if (!['interrupted', 'killed', 'reconnecting', 'hold', 'progress', 'denied'].includes(name)) continue;
      const reader = readerOf(parts, client);
      const troubles = eventsOf(reader, lines).filter(
        (event) => event.kind === 'result' && event.trouble !== null,
      );
      expect([client, name, troubles, reader.trouble('', true)]).toEqual([client, name, [], null]);
    }
  },

  'each call is counted once, and each denial named once'(parts) {
    const counts = streams.map(({ client, name, lines }) => {
      const events = eventsOf(readerOf(parts, client), lines);
      const count = (kind: string): number => events.filter((event) => event.kind === kind).length;
      return `${client} ${name}: ${count('session')} ${count('tool')} ${count('denied')}`;
    });
    expect(counts).toEqual(expect.arrayContaining(['claude-code hold: 1 2 0', 'claude-code denied: 1 3 2']));
    expect(counts).toEqual(expect.arrayContaining(['codex hold: 1 2 0', 'codex interrupted: 1 1 0']));
    expect(counts).toEqual(expect.arrayContaining(['qwen hold: 1 2 0', 'qwen denied: 1 8 5']));
    expect(counts).toEqual(expect.arrayContaining(['copilot hold: 1 2 0', 'copilot denied: 1 8 4']));
  },
};
