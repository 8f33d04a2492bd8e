import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordedLines, recordedPayload } from '../../test/support/recorded.ts';
import { copilot } from '../clients/copilot/index.ts';
import { droid } from '../clients/droid/index.ts';
import { clientNamed } from '../clients/index.ts';
import type { Stop } from '../clients/stop.ts';
import { hear } from './hear.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-hear-'));
  file = path.join(folder, 'transcript.jsonl');
});

afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true });
});

const write = (lines: readonly string[]): void => fs.writeFileSync(file, `${lines.join('\n')}\n`);
const inCopilot = (name: string): Stop => ({
  ...copilot.decode(recordedPayload(`copilot/${name}.json`)),
  transcriptPath: file,
});
const inDroid = (name: string): Stop => ({
  ...droid.decode(recordedPayload(`droid/${name}.json`)),
  transcriptPath: file,
});
const words = async (heard: ReturnType<typeof hear>): Promise<string | null> => {
  const result = await heard;
  return result.kind === 'heard' ? result.stop.lastMessage : result.kind;
};

const copilotLines = recordedLines('copilot/transcript-hold.jsonl');
/** Where the transcript notes that the hook was started for the first stop. */
const firstStop = copilotLines.findIndex((line) => line.includes('"agentStop"'));

describe('what the agent in Copilot said last', () => {
  it('is what stands before the line that names this stop', async () => {
    write(copilotLines.slice(0, firstStop + 1));
    expect(await words(hear(inCopilot('stop-first'), copilot, { lags: true }))).toBe('I am done, I think.');
  });

  it('comes late: the transcript is read again until that line is there', async () => {
    write(copilotLines.slice(0, firstStop - 3));
    const heard = hear(inCopilot('stop-first'), copilot, { lags: true });
    await new Promise((resolve) => setTimeout(resolve, 60));
    fs.appendFileSync(file, `${copilotLines.slice(firstStop - 3, firstStop + 1).join('\n')}\n`);
    expect(await words(heard)).toBe('I am done, I think.');
  });

  it('is not what was said at the stop before, though that stands at the end', async () => {
    write(copilotLines.slice(0, firstStop + 1));
    const late = copilotLines.slice(firstStop + 1);
    const end = late.findIndex((line) => line.includes('"agentStop"') && line.includes('"hook.start"'));
    const heard = hear(inCopilot('stop-after-hold'), copilot, { lags: true });
    await new Promise((resolve) => setTimeout(resolve, 60));
    fs.appendFileSync(file, `${late.slice(0, end + 1).join('\n')}\n`);
    expect(await words(heard)).toBe('Second answer.');
  });

  it('is nothing where the file is missing, and nothing where no line is anybody’s', async () => {
    expect(await words(hear(inCopilot('stop-first'), copilot, { lags: true }))).toBe('unheard');
    write(['{"speaker":"agent"}', 'not JSON']);
    expect(await words(hear(inCopilot('stop-first'), copilot, { lags: true }))).toBe('unheard');
    expect(
      await words(hear({ ...inCopilot('stop-first'), transcriptPath: null }, copilot, { lags: true })),
    ).toBe('unheard');
  });

  it('may be no word at all: that the turn ended is known', async () => {
    const silent = copilotLines
      .slice(0, firstStop + 1)
      .map((line) => line.replace('"content":"I am done, I think."', '"content":""'));
    write(silent);
    expect(await words(hear(inCopilot('stop-first'), copilot, { lags: true }))).toBeNull();
  });
});

describe('a message of several blocks', () => {
  const inTwo = (first: string, second: string): string[] =>
    copilotLines.slice(0, firstStop + 1).flatMap((line) => {
      if (!line.includes('"content":"I am done, I think."')) return [line];
      const entry = JSON.parse(line);
      return [first, second].map((content, at) =>
        JSON.stringify({ ...entry, id: `${entry.id}-${at}`, data: { ...entry.data, content } }),
      );
    });

  it('is heard as a client sends it: its last block, and no other', async () => {
    write(inTwo('See:\n```sh', 'All is well.'));
    expect(await words(hear(inCopilot('stop-first'), copilot, { lags: true }))).toBe('All is well.');
  });

  it('is heard by its last block that says something', async () => {
    write(inTwo('All is well.', ' \n'));
    expect(await words(hear(inCopilot('stop-first'), copilot, { lags: true }))).toBe('All is well.');
  });

  it('is heard so too where the client writes all blocks on one line', async () => {
    const lines = recordedLines('droid/transcript-hold.jsonl');
    const at = lines.findLastIndex((line) => line.includes('"Third answer."'));
    const one = '[{"type":"text","text":"Third answer."}]';
    const two = '[{"type":"text","text":"See:\\n```sh"},{"type":"text","text":"Third answer."}]';
    const changed = lines.slice(0, at + 1).map((line) => line.replace(one, () => two));
    expect(changed).not.toEqual(lines.slice(0, at + 1));
    write(changed);
    expect(await words(hear(inDroid('stop-after-hold'), droid, { lags: false }))).toBe('Third answer.');
  });
});

describe('what the agent in Droid said last', () => {
  const lines = recordedLines('droid/transcript-hold.jsonl');

  it('is the message that the stop names', async () => {
    write(lines.slice(0, lines.findLastIndex((line) => line.includes('"Third answer."')) + 1));
    expect(await words(hear(inDroid('stop-after-hold'), droid, { lags: false }))).toBe('Third answer.');
  });

  it('is nothing after an API error', async () => {
    write(recordedLines('droid/transcript-api-error.jsonl').slice(0, 4));
    expect(await words(hear(inDroid('stop-after-api-error'), droid, { lags: false }))).toBe('failed');
  });
});

describe('what the agent in a client nobody knows said last', () => {
  const unknown = clientNamed('unknown');
  const stop = (): Stop => ({ ...unknown.decode({ session_id: 's' }), transcriptPath: file });

  it('is read in any known format', async () => {
    write(recordedLines('codex/transcript-hold.jsonl'));
    expect(await words(hear(stop(), unknown, { lags: true }))).toBe('Now it is really done.');
  });

  it('is nothing where the last thing on record is a prompt or a tool call', async () => {
    const claude = recordedLines('claude-code/transcript-api-error.jsonl');
    write(claude);
    expect(await words(hear(stop(), unknown, { lags: true }))).toBe('unheard');
  });
});

describe('a transcript that says nothing', () => {
  it.each([
    ['forty times where the stop names its end', { endMark: 'm' }, true, 40],
    ['forty times where it does, though the client does not lag', { endMark: 'm' }, false, 40],
    ['ten times where the client lags', {}, true, 10],
    ['never where it does not', {}, false, 0],
  ])('is waited for %s', async (_, more, lags, times) => {
    const unknown = clientNamed('unknown');
    const wait = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((done: () => void) => {
      done();
      return 0;
    }) as never);
    const stop: Stop = { ...unknown.decode({ session_id: 's' }), transcriptPath: file, ...more };
    const hearing = await hear(stop, unknown, { lags });
    const waits = wait.mock.calls.map(([, milliseconds]) => milliseconds);
    vi.restoreAllMocks();
    expect(hearing).toEqual({ kind: 'unheard' });
    expect(waits).toEqual(new Array(times).fill(25));
  });
});
