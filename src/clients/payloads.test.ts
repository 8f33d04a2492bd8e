// Which client a payload comes from and what it says, for payloads that were not recorded: golden/payloads.txt.

import { describe, expect, it } from 'vitest';
import { lean, matchTable } from '../../test/support/golden.ts';
import { fc } from '../../test/support/property.ts';
import { recordedPayload } from '../../test/support/recorded.ts';
import { clientNamed, clients, decodeStop, isClientName } from './index.ts';
import type { Stop } from './stop.ts';

const USUAL_STOP = { session: null, turn: null, cwd: null, transcriptPath: null, lastMessage: null };
const USUAL = { ...USUAL_STOP, planMode: false, backgroundTasks: [] };
const ATTENDED = { CLAUDE_CODE_SESSION_ATTENDED: '1' };

/** With what wakes the agent, where somebody sits there and where nobody does. */
function decoded(payload: string, named: string | null): unknown {
  const { client, stop } = decodeStop(JSON.parse(payload), named, 9);
  const [wakes, alone] = [ATTENDED, {}].map((env) => client.wakesFor?.(stop, env));
  return { ...lean(stop, USUAL), wakes, ...lean({ alone }, { alone: wakes ?? [] }) };
}

it('a payload is recognised by one client at most, and read by its rules', () =>
  matchTable(import.meta.dirname, 'payloads', {
    'recognised by': (payload) =>
      clients.flatMap((client) => (client.recognises(JSON.parse(payload)) ? client.name : [])).join(),
    'decoded where no client is named': (payload) => decoded(payload, null),
    "decoded as Claude Code's": (payload) => decoded(payload, 'claude-code'),
    "decoded as Codex's": (payload) => decoded(payload, 'codex'),
    "decoded as Copilot's": (payload) => decoded(payload, 'copilot'),
    "decoded as Qwen's": (payload) => decoded(payload, 'qwen'),
    "decoded as Droid's": (payload) => decoded(payload, 'droid'),
    "decoded as Gemini's": (payload) => decoded(payload, 'gemini'),
    "decoded as Cursor's": (payload) => decoded(payload, 'cursor'),
    'decoded as generic': (payload) => decoded(payload, 'generic'),
  }));

it('a client is known by its name, and another name is as good as unknown', () => {
  expect([isClientName('codex'), isClientName('claude')]).toEqual([true, false]);
  expect([clientNamed('codex').name, clientNamed('claude').name]).toEqual(['codex', 'unknown']);
});

it.each([
  ['claude-code/stop-first.json', null, 600],
  ['codex/stop-first.json', null, 600],
  ['copilot/stop-first.json', null, 0],
  ['copilot/stop-first.json', 7200, 7200],
  ['qwen/stop-first.json', 7_200_000, 7200],
  ['gemini/after-agent-first.json', 900_000, 900],
])('a hook of %s with a limit of %s has %s seconds', (file, passed, seconds) => {
  expect(decodeStop(recordedPayload(file), null, passed).stop.limitS).toBe(seconds);
});

describe('any payload', () => {
  const files = ['claude-code/stop-first', 'codex/stop-first', 'copilot/agent-stop-first', 'qwen/stop-first'];
  const more = ['droid/stop-first', 'gemini/after-agent-first'];
  const names = [...files, ...more].flatMap((file) => Object.keys(recordedPayload(`${file}.json`)));
  const others = [
    'cursor_version',
    'generation_id',
    'status',
    'workspace_roots',
    'sessionId',
    'conversation_id',
  ];
  const values = fc.oneof(fc.jsonValue(), fc.constantFrom('', '\0', '\ud800', 'plan', '/home/dev/project'));
  const tasks = fc.array(fc.dictionary(fc.constantFrom('status', 'command', 'id', 'type'), values));
  const keys = fc.oneof(fc.constantFrom(...names, ...others, '__proto__'), fc.string());

  it('is read into a stop of the right types by every client, and never throws', () => {
    const payloads = fc.oneof(fc.dictionary(keys, values), fc.record({ background_tasks: tasks }));
    const named = fc.constantFrom<string | null>(null, ...clients.map((client) => client.name));
    fc.assert(
      fc.property(payloads, named, (payload, name) => {
        const { client, stop } = decodeStop(payload, name);
        expect(clients).toContain(client);
        expectWellTyped(stop);
      }),
      { numRuns: 500 },
    );
  });
});

function expectWellTyped(stop: Stop): void {
  const { failed, endMark = null, limitS = 0, afterHold = false, timers = 1, ...rest } = stop;
  expect(Object.keys(rest).sort()).toEqual([...Object.keys(USUAL), 'client'].sort());
  expect([[true, undefined].includes(failed), limitS >= 0, timers > 0]).toEqual([true, true, true]);
  expect([typeof afterHold, typeof stop.planMode]).toEqual(['boolean', 'boolean']);
  for (const name of [stop.session, stop.turn, stop.cwd, stop.transcriptPath, endMark])
    expect(name === null || (typeof name === 'string' && name !== '' && !name.includes('\0'))).toBe(true);
  expect(stop.lastMessage === null || typeof stop.lastMessage === 'string').toBe(true);
  for (const { id, type, command = '' } of stop.backgroundTasks)
    expect([typeof id, typeof type, typeof command]).toEqual(['string', 'string', 'string']);
}
