import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordedLines } from '../../test/support/recorded.ts';
import { claudeCode } from '../clients/claude-code/index.ts';
import type { TranscriptLine } from '../clients/client.ts';
import { codex } from '../clients/codex/index.ts';
import { limitAtEnd, type Since, timeAtLimits } from './limit.ts';

const CLAUDE = recordedLines('claude-code/transcript-usage-limit-2.1.325.jsonl');
const CODEX = recordedLines('codex/transcript-usage-limit.jsonl');
/** The error is of 03:36:01.516, the turn after it of 03:37:01.675. */
const AWAY_MS = 60_159;
const RESETS_AT = 1_794_800_163_000;
const time = (clock: string): number => Date.parse(`2026-11-16T${clock}Z`);
const NOW = time('09:00:00');
const EVER: Since = { marker: null, time: 0 };

let file: string;
beforeEach(() => {
  file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-test-')), 'transcript.jsonl');
});
afterEach(() => fs.rmSync(path.dirname(file), { recursive: true }));

const write = (lines: readonly string[]): void => fs.writeFileSync(file, `${lines.join('\n')}\n`);
const away = (since = EVER, read = claudeCode.readTranscriptLine): number =>
  timeAtLimits(file, since, NOW, read);
const errorAt = CLAUDE.findIndex((line) => line.includes('isApiErrorMessage'));

/** The recorded error and the recorded start of a turn, at other times. */
const at = (index: number, clock: string): string =>
  JSON.stringify({
    ...JSON.parse(CLAUDE[index] ?? ''),
    uuid: `${index} at ${clock}`,
    timestamp: `2026-11-16T${clock}Z`,
  });
const failed = (clock: string): string => at(errorAt, clock);
const started = (clock: string): string =>
  at(
    CLAUDE.findIndex((line) => line.includes('auto_continuation')),
    clock,
  );

describe('the time at limits', () => {
  it('is from the error to the turn after it, in what Claude Code wrote', () => {
    write(CLAUDE);
    expect(away()).toBe(AWAY_MS);
  });

  it('is up to now where nothing came after it, as in what Codex wrote', () => {
    write(CODEX);
    expect(away(EVER, codex.readTranscriptLine)).toBe(NOW - time('03:56:42.433'));
  });

  it('is added up, and not counted twice where one error follows another', () => {
    write([
      failed('01:00:00'),
      started('02:00:00'),
      failed('03:00:00'),
      failed('03:30:00'),
      started('05:00:00'),
    ]);
    expect(away()).toBe(3 * 3_600_000);
  });

  it('is nothing before the line that is known, or before the time that is given', () => {
    const known = started('02:00:00');
    write([failed('01:00:00'), known, failed('03:00:00'), started('04:00:00')]);
    const { marker = null } = claudeCode.readTranscriptLine(known) ?? {};
    expect(away({ marker, time: 0 })).toBe(3_600_000);
    expect(away({ marker: null, time: time('02:30:00') })).toBe(3_600_000);
    expect(away({ marker: null, time: time('03:30:00') })).toBe(0);
  });

  it('is nothing for an error that does not end by waiting', () => {
    write([failed('01:00:00').replaceAll('"rate_limit"', '"invalid_request"'), started('05:00:00')]);
    expect(away()).toBe(0);
  });

  it('is nothing without a transcript, or with one that is a folder', () => {
    expect(timeAtLimits(null, EVER, NOW, claudeCode.readTranscriptLine)).toBe(0);
    fs.mkdirSync(file);
    expect(away()).toBe(0);
  });

  it('does not run backward where the clock was set back', () => {
    write([failed('11:00:00')]);
    expect(away()).toBe(0);
  });
});

describe('the limit that ended the last turn', () => {
  const end = () => limitAtEnd(file, claudeCode.readTranscriptLine);

  it('is found behind the rows that follow it, with the time at which it ends', () => {
    write(CLAUDE.slice(0, errorAt + 3));
    expect(end()).toEqual({ what: 'rate_limit', resetsAt: RESETS_AT });
  });

  it('is none once another turn began, or before it is written', () => {
    write(CLAUDE);
    expect(end()).toBeNull();
    write(CLAUDE.slice(0, errorAt));
    expect(end()).toBeNull();
    fs.rmSync(file);
    expect(end()).toBeNull();
  });

  it('is none while its line is half written', () => {
    fs.writeFileSync(file, CLAUDE.slice(0, errorAt + 1).join('\n'));
    expect(end()).toBeNull();
  });
});

describe('a line of the transcript', () => {
  const LIMIT = { what: 'server_error', resetsAt: null } as const;
  const asLine = (more: Partial<TranscriptLine>): string =>
    JSON.stringify({ marker: '-', toolCall: false, startsTurn: false, said: null, ...more });
  const put = (...lines: readonly Partial<TranscriptLine>[]): void => write(lines.map(asLine));
  const readLine = (line: string): TranscriptLine | null => (line === '' ? null : JSON.parse(line));
  const said = { messageId: 'm', text: 'x' };

  it.each<[string, Partial<TranscriptLine>]>([
    ['begins a turn', { startsTurn: true }],
    ['calls a tool', { toolCall: true }],
    ['says something', { said }],
  ])('that %s ends a limit, and the time at it', (_, more) => {
    put({ limit: LIMIT, at: 1000 }, { ...more, at: 3000 }, { at: 4000 });
    expect(limitAtEnd(file, readLine)).toBeNull();
    expect(timeAtLimits(file, EVER, 9000, readLine)).toBe(2000);
  });

  it('that does neither ends none', () => {
    put({ limit: LIMIT, at: 1000 }, { at: 3000 });
    expect(limitAtEnd(file, readLine)).toEqual(LIMIT);
    expect(timeAtLimits(file, EVER, 9000, readLine)).toBe(8000);
  });

  it('that says both has the limit', () => {
    put({ limit: LIMIT, at: 1000, said });
    expect(limitAtEnd(file, readLine)).toEqual(LIMIT);
  });

  it('without a time is passed over', () => {
    put({ limit: LIMIT, at: 1000 }, { startsTurn: true }, { limit: LIMIT });
    expect(timeAtLimits(file, EVER, 9000, readLine)).toBe(8000);
  });

  it('of the very time that is given counts', () => {
    put({ limit: LIMIT, at: 1000 }, { startsTurn: true, at: 3000 });
    expect(timeAtLimits(file, { marker: null, time: 1000 }, 9000, readLine)).toBe(2000);
    expect(timeAtLimits(file, { marker: null, time: 1001 }, 9000, readLine)).toBe(0);
  });

  it('far from the end is not looked for as the one that ended the last turn', () => {
    const beside = (bytes: number): string => asLine({ marker: 'x'.repeat(bytes) });
    write([asLine({ limit: LIMIT, at: 1000 }), beside(200 * 1024)]);
    expect(limitAtEnd(file, readLine)).toEqual(LIMIT);
    write([asLine({ limit: LIMIT, at: 1000 }), beside(257 * 1024)]);
    expect(limitAtEnd(file, readLine)).toBeNull();
    expect(timeAtLimits(file, EVER, 9000, readLine)).toBe(8000);
  });

  it('of a transcript that is a folder says nothing', () => {
    fs.mkdirSync(file);
    expect([limitAtEnd(file, readLine), limitAtEnd(null, readLine)]).toEqual([null, null]);
  });
});
