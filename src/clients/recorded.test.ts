// All that real clients sent, wrote and printed (test/fixtures/recorded), and what is made of it: a file for each client.

import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lean, matchGolden, part } from '../../test/support/golden.ts';
import { recordedLines, recordedPayload } from '../../test/support/recorded.ts';
import { ClaudeReader } from './claude-code/headless/events.ts';
import type { Client } from './client.ts';
import { CodexReader } from './codex/headless/events.ts';
import { CopilotReader } from './copilot/headless/events.ts';
import { DroidReader } from './droid/headless/events.ts';
import { GeminiReader } from './gemini/headless/events.ts';
import type { StreamReader } from './headless/start.ts';
import { clientNamed, clients, decodeStop } from './index.ts';
import { OpencodeReader } from './opencode/headless/events.ts';
import { QwenReader } from './qwen/headless/events.ts';
import type { Answer } from './stop.ts';

const READERS: Readonly<Record<string, new () => StreamReader>> = {
  'claude-code': ClaudeReader,
  codex: CodexReader,
  copilot: CopilotReader,
  droid: DroidReader,
  gemini: GeminiReader,
  opencode: OpencodeReader,
  qwen: QwenReader,
};
const folder = new URL('../../test/fixtures/recorded/', import.meta.url);

function recordings(client: string, pattern: RegExp): string[] {
  if (!fs.existsSync(new URL(client, folder))) return [];
  const names = fs.readdirSync(new URL(client, folder)).filter((name) => pattern.test(name));
  return names.sort().map((name) => `${client}/${name}`);
}
const payloadsOf = (client: string): string[] => recordings(client, /^(?!review-).*\.json$/);

const ANSWERS: readonly Answer[] = [
  { kind: 'hold', reason: 'Go on.', notice: null },
  { kind: 'hold', reason: 'Go on.', notice: 'Round 2.' },
  { kind: 'hold', reason: 'Go on.', notice: 'Round 2.', as: 'feedback' },
  { kind: 'allow', notice: null, suppressOutput: false },
  { kind: 'allow', notice: 'Released.', suppressOutput: false },
  { kind: 'allow', notice: 'Released.', suppressOutput: true },
  { kind: 'allow', notice: null, suppressOutput: true },
];
const DENIED = [
  'Bash(npm test)',
  'Bash: npm  test',
  ' npm test',
  'Bashful x',
  'run Bash(x)',
  'a "b"',
  'shell(a) b)',
];
const USUAL_STOP = { session: null, turn: null, cwd: null, transcriptPath: null, lastMessage: null };
const USUAL = { ...USUAL_STOP, planMode: false, backgroundTasks: [] };
const ENV = { AI_AGENT: 'claude-code_2-1-325_harness', CLAUDE_CODE_SESSION_ATTENDED: '1' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 16, 21) });
  vi.stubEnv('TZ', 'UTC');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe('what a client is, and what is made of its recordings', () => {
  it.each(clients.map(({ name }) => name))('%s', async (name) => {
    const client = clientNamed(name);
    const known: Record<string, unknown> = JSON.parse(JSON.stringify(client));
    const driven = await client.headless?.load();
    const allows = client.headless?.allows;
    await matchGolden(
      name,
      [
        part('what it is', Object.keys(known), (key) => known[key]),
        part('how it is driven', driven === undefined ? [] : ['traits'], () =>
          JSON.parse(JSON.stringify(driven)),
        ),
        part('how a user allows what was denied', allows === undefined ? [] : DENIED, (denied) =>
          allows?.(denied),
        ),
        part('holds after one prompt', client.holdsPerPrompt === undefined ? [] : [{}], (env) =>
          client.holdsPerPrompt?.most(env),
        ),
        part('how long it lets the hook run', [null, 0, 999, 1000, 7200, 7_200_999], (passed) =>
          client.hookLimit(passed),
        ),
        part('payloads', payloadsOf(name), (file) => {
          const { stop } = decodeStop(recordedPayload(file), null, 7200);
          return { ...lean(stop, USUAL), wakes: client.wakesFor?.(stop, ENV) };
        }),
        part('answers', ANSWERS, (answer) => client.encode(answer, client.decode({ prompt_id: 'p' }), ENV)),
        ...(await Promise.all(recordings(name, /^transcript-/).map((file) => transcript(client, file)))),
        ...recordings(name, /^stream-.*jsonl$/).map((file) => stream(name, file)),
      ].map(short),
    );
  });
});

/** Ids of the recordings by their last number. */
const short = (text: string): string => text.replaceAll(/\b0{8}-0{4}-4000-8000-0*(\d+)\b/g, '#$1');

/** Of each line that says anything what it says, whose work it is, and its tokens. */
async function transcript(client: Client, file: string): Promise<string> {
  const [work, usage] = await Promise.all([client.work?.(), client.usage?.()]);
  const lines = recordedLines(file).map((line, at) => {
    const { marker: _, at: __, ...says } = client.readTranscriptLine(line) ?? {};
    const { at: ___, id: ____, ...used } = { at: 0, id: '', ...usage?.read(line) };
    const all = { ...says, work: work?.(line) ?? null, used };
    return [
      at + 1,
      lean(all, { toolCall: false, startsTurn: false, said: null, work: null, used: {} }),
    ] as const;
  });
  const markers = recordedLines(file).flatMap((line) => client.readTranscriptLine(line)?.marker ?? []);
  const telling = lines.filter(([, says]) => Object.keys(says ?? {}).length > 0);
  const title = `${file}: ${new Set(markers).size} markers in ${markers.length} lines`;
  return [`## ${title}`, ...telling.map(([at, says]) => `${at} ${JSON.stringify(says)}`)].join('\n');
}

/** The events of each line, but for signs of life, and what is known at the end. */
function stream(name: string, file: string): string {
  const Reader = READERS[name];
  if (Reader === undefined) throw new Error(`${name} is not driven`);
  const reader = new Reader();
  const events = recordedLines(file).flatMap((line) => reader.line(line));
  const complaint = `${file.replace('.jsonl', '')}.stderr.txt`;
  const stderr = fs.existsSync(new URL(complaint, folder)) ? recordedLines(complaint).join('\n') : '';
  const alive = events.filter(({ kind }) => kind === 'alive').length;
  return [
    `## ${file}: ${alive} signs of life`,
    ...events.filter(({ kind }) => kind !== 'alive').map((event) => JSON.stringify(event)),
    `at its end: ${JSON.stringify(reader.ended?.() ?? [])} ${JSON.stringify(reader.trouble(stderr, true))}`,
  ].join('\n');
}

describe('a recorded payload', () => {
  const payloads = clients.flatMap(({ name }) => payloadsOf(name));
  const recognising = (payload: object): string[] =>
    clients.filter((client) => client.recognises({ ...payload })).map((client) => client.name);

  it('is recognised by its own client and no other, also without its message', () => {
    expect(payloads.length).toBeGreaterThan(55);
    for (const file of payloads) {
      const { last_assistant_message: _, ...payload } = recordedPayload(file);
      expect(recognising(recordedPayload(file)), file).toEqual([file.split('/')[0]]);
      if (/stop|after-agent/.test(file)) expect(recognising(payload), file).toEqual([file.split('/')[0]]);
    }
  });

  it.each([
    ['copilot/stop-first.json', 'copilot/transcript-hold.jsonl', 'I am done, I think.'],
    ['copilot/stop-after-hold.json', 'copilot/transcript-hold.jsonl', 'Second answer.'],
    ['droid/stop-after-hold.json', 'droid/transcript-hold.jsonl', 'Third answer.'],
  ])('%s names its place in %s, where this was said last: %s', (payload, file, said) => {
    const { client, stop } = decodeStop(recordedPayload(payload), null);
    const lines = recordedLines(file).map((line) => client.readTranscriptLine(line));
    const end = lines.findIndex((line) => line?.endMark === stop.endMark);
    expect(lines.slice(0, end + 1).findLast((line) => line?.said)?.said?.text).toBe(said);
  });
});

describe('a transcript of a host that nobody knows', () => {
  const hosts = ['generic', 'unknown', 'cursor'].map(clientNamed);
  const known = ['claude-code', 'codex', 'copilot', 'qwen', 'droid', 'gemini'];
  const story = (client: Client, lines: readonly string[]): string[] =>
    lines.flatMap((line) => {
      const { startsTurn, said, toolCall } = client.readTranscriptLine(line) ?? {};
      return [startsTurn ? 'turn' : [], said?.text ?? [], toolCall ? 'tool' : []].flat();
    });

  it.each(known)('is read where it is like one of %s', (name) => {
    for (const file of recordings(name, /^transcript-(?:hold|compaction)/)) {
      const lines = recordedLines(file);
      const expected = story(clientNamed(name), lines);
      expect(expected.length, file).toBeGreaterThan(3);
      for (const host of hosts) expect(story(host, lines), file).toEqual(expected);
    }
  });
});
