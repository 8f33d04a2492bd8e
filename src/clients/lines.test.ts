// Single lines that a client's transcript may have: what each says, whose work it is and what it counts. The lines stand in
// golden/CLIENT-lines.txt; whole conversations: recorded.test.ts.

import { describe, expect, it } from 'vitest';
import { lean, matchTable } from '../../test/support/golden.ts';
import { fingerprint } from '../store/fingerprint.ts';
import { readAnyLine } from './any-line.ts';
import type { TranscriptLine } from './client.ts';
import { leavesRunning } from './codex/running.ts';
import { clientNamed } from './index.ts';

const nothing = (marker: string): TranscriptLine => ({
  marker,
  toolCall: false,
  startsTurn: false,
  said: null,
});

describe('a line of a transcript says what it says, whose work it is and what it counts', () => {
  it.each(['claude-code', 'codex', 'copilot', 'droid', 'gemini', 'opencode', 'qwen'])('%s', async (name) => {
    const client = clientNamed(name);
    const [work, usage] = await Promise.all([client.work?.(), client.usage?.()]);
    const usual = { ...nothing(''), work: null, used: null };
    const says = (line: string): string => {
      const more = { work: work?.(line) ?? null, used: usage?.read(line) ?? null };
      return [client.readTranscriptLine(line), more]
        .map((each) => JSON.stringify(lean(each, usual)))
        .join(' ');
    };
    const files = (transcript: string): unknown =>
      usage?.files({
        ...client.decode({ session_id: 's' }),
        transcriptPath: transcript === 'null' ? null : transcript,
      });
    const counts = { times: usage?.timeOf, files, 'totals of the session': () => usage?.totals };
    await matchTable(import.meta.dirname, `${name}-lines`, {
      lines: says,
      ...(usage === undefined ? {} : (counts as Record<string, (input: string) => unknown>)),
    });
  });
});

it('the output of a tool of Codex leaves something running where the client itself says so', async () => {
  const said = (output: unknown, type = 'function_call_output') =>
    leavesRunning({ type, output }).leavesRunning;
  const parts = (...texts: unknown[]): object[] => texts.map((text) => ({ type: 'input_text', text }));
  await matchTable(import.meta.dirname, 'codex-running', {
    'a text, and the same as the first of several': (text) =>
      [said(text), said(parts(text, 'Process running with x'), 'custom_tool_call_output')].join(),
    'what a script hands over, and alone': (text) =>
      [said(parts('Script completed', 'x', text)), said(parts(text))].join(),
    'no output': (type) => said('Process running with x', type),
    'no text': (output) => said(JSON.parse(output)),
  });
});

describe('a line of a host that nobody knows', () => {
  it('is read by the first client that gets something out of it, else by the first that knows its form', () => {
    for (const more of [{ said: { messageId: 'm', text: 'x' } }, { toolCall: true }, { startsTurn: true }]) {
      const found = { ...nothing('second'), ...more };
      const readers = [null, nothing('first'), found, { ...found, marker: 'third' }].map(
        (line) => () => line,
      );
      expect(readAnyLine('x', readers)).toBe(found);
    }
    const plain = nothing('first');
    expect(readAnyLine('x', [() => null, () => plain, () => nothing('second')])).toBe(plain);
  });

  it('may be Claude Code’s without its ids', () =>
    matchTable(import.meta.dirname, 'bare-lines', {
      'lines, with # for the fingerprint': (line) =>
        JSON.stringify(lean(readAnyLine(line, [() => null]), nothing(''))).replaceAll(fingerprint(line), '#'),
    }));
});
