import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { recordedLines } from '../../test/support/recorded.ts';
import { claudeCode } from '../clients/claude-code/index.ts';
import type { Client, TranscriptLine } from '../clients/client.ts';
import { codex } from '../clients/codex/index.ts';
import { clientNamed } from '../clients/index.ts';
import { activitySince, personBegan, TRANSCRIPT_START } from './transcript.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-transcript-'));
  file = path.join(folder, 'transcript.jsonl');
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

const write = (lines: readonly string[]): void =>
  fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(''));

const line = (uuid: string, tool = ''): string =>
  JSON.stringify({
    uuid,
    type: 'assistant',
    message: {
      id: 'm',
      content: [tool === '' ? { type: 'text', text: 'so' } : { type: 'tool_use', name: tool }],
    },
  });

const since = (marker: string | null, client: Client = claudeCode) =>
  activitySince(file, marker, client.readTranscriptLine);

describe('activity since the start of a transcript', () => {
  it('is all that stands in it', () => {
    write([line('a'), line('b', 'Bash'), line('c')]);
    expect(since(TRANSCRIPT_START)).toEqual({ tools: 'yes', marker: 'c' });
    write([line('a'), line('b')]);
    expect(since(TRANSCRIPT_START)).toEqual({ tools: 'no', marker: 'b' });
    write([]);
    expect(since(TRANSCRIPT_START)).toEqual({ tools: 'no', marker: TRANSCRIPT_START });
  });

  it('is none where the client has not written one yet, and unknown where it never does', () => {
    expect(since(TRANSCRIPT_START)).toEqual({ tools: 'no', marker: TRANSCRIPT_START });
    const nowhere = activitySince(null, TRANSCRIPT_START, claudeCode.readTranscriptLine);
    expect(nowhere).toEqual({ tools: 'unknown', marker: TRANSCRIPT_START });
  });

  it('is unknown beyond what is read of it', () => {
    const long = 'x'.repeat(1024 * 1024);
    write([line('a'), ...Array.from({ length: 9 }, () => long), line('b')]);
    expect(since(TRANSCRIPT_START)).toEqual({ tools: 'unknown', marker: 'b' });
  });
});

describe('activity since a line', () => {
  it('is a tool call after it', () => {
    write([line('a'), line('b', 'Bash'), line('c')]);

    expect(since('a')).toEqual({ tools: 'yes', marker: 'c' });
  });

  it('is none when there was no tool call after it, whatever came before', () => {
    write([line('a', 'Bash'), line('b', 'Bash'), line('c')]);

    expect(since('b')).toEqual({ tools: 'no', marker: 'c' });
    expect(since('c')).toEqual({ tools: 'no', marker: 'c' });
  });

  it('is none for an agent that only kept its list of things to do', () => {
    write([line('a'), line('b', 'TodoWrite'), line('c', 'TaskUpdate')]);

    expect(since('a')).toEqual({ tools: 'no', marker: 'c' });
  });

  it('is unknown at first, when no line was seen before; the newest is taken for the next time', () => {
    write([line('a', 'Bash'), line('b')]);

    expect(since(null)).toEqual({ tools: 'unknown', marker: 'b' });
  });

  it('is unknown when the line is gone, and the newest is taken for the next time', () => {
    write([line('x', 'Bash'), line('y')]);

    expect(since('a')).toEqual({ tools: 'unknown', marker: 'y' });
  });

  it('passes over lines that are broken, empty or not the agent’s', () => {
    write([line('a'), 'not json', '', '{"uuid":', '[]', '{"type":"queue"}', line('b', 'Bash'), '\0\0']);

    expect(since('a')).toEqual({ tools: 'yes', marker: 'b' });
  });

  it('does not count a last line that is still being written, and sees it when it is whole', () => {
    const call = line('b', 'Bash');
    write([line('a')]);
    fs.appendFileSync(file, call.slice(0, -5));
    expect(since('a')).toEqual({ tools: 'no', marker: 'a' });

    fs.appendFileSync(file, call.slice(-5));
    expect(since('a')).toEqual({ tools: 'no', marker: 'a' });

    fs.appendFileSync(file, '\n');
    expect(since('a')).toEqual({ tools: 'yes', marker: 'b' });
  });
});

describe('a long transcript', () => {
  const filler = (bytes: number): string => JSON.stringify({ type: 'note', text: 'x'.repeat(bytes) });

  it('is read back as far as eight megabytes', () => {
    write([line('a'), line('b', 'Bash'), ...Array.from({ length: 7 }, () => filler(1024 * 1024)), line('c')]);

    expect(since('a')).toEqual({ tools: 'yes', marker: 'c' });
  });

  it('tells nothing about what is further back', () => {
    write([line('a'), ...Array.from({ length: 8 }, () => filler(1024 * 1024)), line('c', 'Bash')]);

    expect(since('a')).toEqual({ tools: 'unknown', marker: 'c' });
  });

  it('with lines of ten megabytes tells nothing beyond them', () => {
    write([line('a'), filler(10 * 1024 * 1024)]);
    expect(since('a')).toEqual({ tools: 'unknown', marker: 'a' });

    fs.appendFileSync(file, `${line('b')}\n`);
    expect(since('a')).toEqual({ tools: 'unknown', marker: 'b' });
    expect(since('b')).toEqual({ tools: 'no', marker: 'b' });
  });
});

describe('a transcript that cannot be read', () => {
  test.each(['missing', 'folder', 'FIFO', 'circle', 'empty'])(
    'tells nothing and keeps the last marker: %s',
    (thing) => {
      if (thing === 'folder') fs.mkdirSync(file);
      if (thing === 'FIFO') execFileSync('mkfifo', [file]);
      if (thing === 'circle') fs.symlinkSync(path.basename(file), file);
      if (thing === 'empty') write([]);

      expect(since('a')).toEqual({ tools: 'unknown', marker: 'a' });
      expect(since(null)).toEqual({ tools: 'unknown', marker: null });
    },
  );

  it('tells nothing when the client names none', () => {
    expect(activitySince(null, 'a', claudeCode.readTranscriptLine)).toEqual({
      tools: 'unknown',
      marker: 'a',
    });
  });

  it('tells nothing when it is of a client whose transcripts we cannot read', () => {
    write(['{"speaker":"agent","calls":"a shell"}']);

    expect(since('a', clientNamed('generic'))).toEqual({ tools: 'unknown', marker: 'a' });
  });

  it('leaves no descriptor open', () => {
    write([line('a'), line('b')]);
    const next = () => {
      const descriptor = fs.openSync(folder, 'r');
      fs.closeSync(descriptor);
      return descriptor;
    };
    const before = next();

    for (const marker of [null, 'a', 'gone']) since(marker);

    expect(next()).toBe(before);
  });
});

describe('recorded transcripts', () => {
  /** The marker of the line with this text, as the hook would have seen it at the stop after it. */
  function markerOf(name: string, text: string): string {
    const found = recordedLines(name)
      .map(claudeCode.readTranscriptLine)
      .find((read) => read?.said?.text === text);
    if (!found) throw new Error(`${name} has no line that says ${text}`);
    return found.marker;
  }

  const rows = [
    ['claude-code/transcript-hold.jsonl', 'I am done, I think.', 'yes'],
    ['claude-code/transcript-hold.jsonl', 'First block.', 'yes'],
    ['claude-code/transcript-hold.jsonl', 'Now it is really done.', 'no'],
    ['claude-code/transcript-compaction.jsonl', 'Written.', 'yes'],
    ['claude-code/transcript-compaction.jsonl', 'Checked.', 'no'],
    ['claude-code/transcript-compaction-2.1.325.jsonl', 'Written.', 'yes'],
    ['claude-code/transcript-background-task.jsonl', 'It runs in the background.', 'no'],
  ] as const;

  test.each(rows)('%s: since “%s” a tool was called: %s', (name, text, tools) => {
    write(recordedLines(name));

    expect(since(markerOf(name, text)).tools).toBe(tools);
  });

  test.each([
    ['claude-code/transcript-hold.jsonl', claudeCode],
    ['claude-code/transcript-compaction-2.1.325.jsonl', claudeCode],
    ['codex/transcript-hold.jsonl', codex],
    ['codex/transcript-code-mode.jsonl', codex],
    ['codex/transcript-compaction.jsonl', codex],
  ] as const)('%s: at every line, what came after it decides', (name, client) => {
    const lines = recordedLines(name);
    const read = lines.map(client.readTranscriptLine);
    const newest = read.findLast((each) => each !== null)?.marker;
    write(lines);

    for (const [position, each] of read.entries()) {
      if (each === null) continue;
      const later = read.slice(position + 1);
      expect(since(each.marker, client)).toEqual({
        ...{ tools: later.some((line) => line?.toolCall) ? 'yes' : 'no', marker: newest },
        ...(later.some((line) => line?.compacted) && { compacted: true }),
      });
    }
    expect(read.some((each) => each?.toolCall)).toBe(true);
  });
});

/** Lines that say by themselves what a client would read in them. */
const asRead = (line: string): TranscriptLine => ({
  ...{ marker: '', toolCall: false, startsTurn: false, said: null },
  ...JSON.parse(line),
});
const writeLines = (...lines: readonly Partial<TranscriptLine>[]): void =>
  write(lines.map((each, index) => JSON.stringify({ marker: String(index), ...each })));
const activityIn = (marker: string | null) => activitySince(file, marker, asRead);

describe('a tool call that the client denied', () => {
  it('is none', () => {
    writeLines({}, { toolCall: true, calls: ['a'] }, { denied: ['a'] });
    expect(activityIn('0').tools).toBe('no');
  });

  it('hides no other one', () => {
    writeLines({}, { toolCall: true, calls: ['a'] }, { toolCall: true, calls: ['b'] }, { denied: ['a'] });
    expect(activityIn('0').tools).toBe('yes');
    writeLines({}, { toolCall: true, calls: ['a', 'b'] }, { denied: ['a'] });
    expect(activityIn('0').tools).toBe('yes');
  });

  it('is one where nothing names the call', () => {
    writeLines({}, { toolCall: true }, { denied: ['a'] });
    expect(activityIn('0').tools).toBe('yes');
  });
});

describe('what a tool left running', () => {
  it('is what its last output says', () => {
    writeLines(
      {},
      { toolCall: true },
      { leavesRunning: false },
      { toolCall: true },
      { leavesRunning: true },
      {},
    );
    expect(activityIn('0').leavesRunning).toBe(true);
    writeLines(
      {},
      { toolCall: true },
      { leavesRunning: true },
      { toolCall: true },
      { leavesRunning: false },
      {},
    );
    expect(activityIn('0').leavesRunning).toBeUndefined();
  });

  it('is said at the first hold too, from this turn alone', () => {
    writeLines({ startsTurn: true }, { toolCall: true }, { leavesRunning: true }, {});
    expect(activityIn(null)).toEqual({ tools: 'unknown', marker: '3', leavesRunning: true });
    writeLines({ leavesRunning: true }, { startsTurn: true }, {});
    expect(activityIn(null)).toEqual({ tools: 'unknown', marker: '2' });
  });

  it('is no longer looked for once a call without such an output is met', () => {
    let read = 0;
    writeLines({ leavesRunning: true }, { toolCall: true }, {}, {});
    activitySince(file, null, (line) => {
      read++;
      return asRead(line);
    });
    expect(read).toBe(3);
  });
});

describe('a turn that a person began', () => {
  const began = (marker: string) => personBegan(file, marker, asRead);

  it('is told by who began it, or where nobody tells', () => {
    writeLines({}, { startsTurn: true, startedBy: 'person' }, {});
    expect(began('0')).toBe('yes');
    writeLines({}, { startsTurn: true }, {});
    expect(began('0')).toBe('yes');
  });

  it('is none that a hold or the background began, nor one before the line', () => {
    writeLines(
      { startsTurn: true, startedBy: 'person' },
      {},
      { startsTurn: true, startedBy: 'hook' },
      { startsTurn: true, startedBy: 'background' },
    );
    expect([began('1'), began('0')]).toEqual(['no', 'no']);
  });

  it('is unknown where the line is gone or nothing can be read', () => {
    writeLines({ startsTurn: true });
    expect(began('gone')).toBe('unknown');
    expect(personBegan(null, '0', asRead)).toBe('unknown');
    expect(personBegan(path.join(folder, 'nowhere'), '0', asRead)).toBe('unknown');
  });
});
