// Every payload that was ever recorded, against every client: clients take over each other's fields, so a mark that
// fits two of them is none.

import fs from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { recordedPayload } from '../../test/support/recorded.ts';
import { clients, decodeStop } from './index.ts';
import type { Stop } from './stop.ts';

const folder = new URL('../../test/fixtures/recorded/', import.meta.url);
const payloads = ['claude-code', 'codex', 'copilot', 'qwen', 'droid', 'gemini'].flatMap((client) =>
  fs
    .readdirSync(new URL(client, folder))
    .filter((name) => name.endsWith('.json') && !name.startsWith('review-'))
    .map((name) => `${client}/${name}`),
);

/** As Cursor's documents give it; nobody has run it. */
const cursorStop = {
  conversation_id: 'c1',
  generation_id: 'g1',
  model: 'a-model',
  status: 'completed',
  loop_count: 0,
  hook_event_name: 'stop',
  session_id: 'c1',
  cursor_version: '2.4.0',
  workspace_roots: ['/home/dev/project'],
  transcript_path: '/home/dev/.cursor/transcript.jsonl',
};

const recognising = (payload: object): string[] =>
  clients.filter((client) => client.recognises({ ...payload })).map((client) => client.name);

describe('a recorded payload', () => {
  it('is there for every client and many events', () => {
    expect(payloads.length).toBeGreaterThan(55);
  });

  test.each(payloads)('%s is recognised by its own client and no other', (name) => {
    expect(recognising(recordedPayload(name))).toEqual([name.split('/')[0]]);
  });

  test.each(payloads.filter((name) => /stop|after-agent/.test(name)))(
    '%s is still recognised when the message is missing from it',
    (name) => {
      const { last_assistant_message: _, ...payload } = recordedPayload(name);
      expect(recognising(payload)).toEqual([name.split('/')[0]]);
    },
  );
});

describe('what a stop of another client says', () => {
  const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const common = { session: id(1), cwd: '/home/dev/project', planMode: false, backgroundTasks: [] };

  it('in Copilot is the moment at which its transcript notes the hook, in both spellings of the payload', () => {
    const expected: Stop = {
      ...common,
      client: 'copilot',
      turn: null,
      transcriptPath: `/home/dev/.copilot/session-state/${id(1)}/events.jsonl`,
      lastMessage: null,
      endMark: '1794799046646',
      afterHold: false,
      limitS: 0,
    };
    expect(decodeStop(recordedPayload('copilot/stop-first.json'), null).stop).toEqual(expected);
    expect(decodeStop(recordedPayload('copilot/agent-stop-first.json'), null).stop).toEqual(expected);
  });

  it('in Qwen is the message itself', () => {
    expect(decodeStop(recordedPayload('qwen/stop-first.json'), null).stop).toEqual({
      ...common,
      client: 'qwen',
      turn: `${id(1)}########0`,
      transcriptPath: `/home/dev/.qwen/projects/-home-dev-project/chats/${id(1)}.jsonl`,
      lastMessage: 'I am done, I think.',
      afterHold: false,
      limitS: 0,
    });
  });

  it('in Droid is the id of the message', () => {
    const payload = recordedPayload('droid/stop-first.json');
    expect(decodeStop(payload, null).stop).toMatchObject({
      ...common,
      client: 'droid',
      lastMessage: null,
      endMark: payload.message_id,
    });
  });

  it('in Gemini is nothing: its field holds what was said before the last hold too', () => {
    const { stop } = decodeStop(recordedPayload('gemini/after-agent-after-hold.json'), null);
    expect(stop).toMatchObject({ ...common, client: 'gemini', lastMessage: null });
    expect(stop.failed).toBeUndefined();
  });

  it('in Gemini after Esc is that nobody answered', () => {
    const payload = recordedPayload('gemini/after-agent-first.json');
    const { stop } = decodeStop({ ...payload, prompt_response: '[no response text]' }, null);
    expect(stop.failed).toBe(true);
  });

  it('in Cursor is its workspace, and whether the agent came to its end', () => {
    expect(recognising(cursorStop)).toEqual(['cursor']);
    const { stop } = decodeStop(cursorStop, null);
    expect(stop).toMatchObject({ client: 'cursor', session: 'c1', cwd: '/home/dev/project' });
    expect(stop.failed).toBeUndefined();
    for (const status of ['aborted', 'error'])
      expect(decodeStop({ ...cursorStop, status }, null).stop.failed).toBe(true);
    for (const workspace_roots of [[], ['\0'], [7], 'x', undefined])
      expect(decodeStop({ ...cursorStop, workspace_roots }, null).stop.cwd).toBeNull();
  });
});

describe('how long the hook may run', () => {
  const limit = (name: string, passed: number | null) =>
    decodeStop(recordedPayload(name), null, passed).stop.limitS;

  it('is what the packaging says', () => {
    for (const name of ['claude-code/stop-first.json', 'codex/stop-first.json', 'copilot/stop-first.json'])
      expect(limit(name, 7200)).toBe(7200);
    expect(limit('droid/stop-first.json', 7200)).toBe(7200);
    expect(limit('gemini/after-agent-first.json', 900_000)).toBe(900);
  });

  it('is 600 s in Claude Code and Codex when nobody says, and nobody knows elsewhere', () => {
    expect(limit('claude-code/stop-first.json', null)).toBe(600);
    expect(limit('codex/stop-first.json', null)).toBe(600);
    for (const name of ['copilot/stop-first.json', 'qwen/stop-first.json', 'droid/stop-first.json'])
      expect(limit(name, null)).toBe(0);
  });

  it('is counted in milliseconds from 1000 on in Qwen', () => {
    expect(limit('qwen/stop-first.json', 7200)).toBe(7.2);
    expect(limit('qwen/stop-first.json', 7_200_000)).toBe(7200);
    expect(limit('qwen/stop-first.json', 999)).toBe(999);
  });

  it('is never believed of a client that nobody knows', () => {
    expect(decodeStop({ session_id: 's' }, null, 7200).stop.limitS).toBe(0);
    expect(decodeStop(cursorStop, null, 7200).stop.limitS).toBe(0);
  });

  it('is not spoken of when the hook is fired by hand', () => {
    expect(decodeStop({}, null, 30).stop.limitS).toBeUndefined();
    expect(decodeStop({}, 'generic', 30).stop.limitS).toBeUndefined();
    expect(decodeStop({ session_id: 's' }, 'generic', 30).stop.limitS).toBe(30);
  });
});
