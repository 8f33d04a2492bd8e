import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../store/fingerprint.ts';
import type { TranscriptLine } from '../client.ts';
import { readTranscriptLine } from './transcript.ts';

/** What the line says beyond nothing. */
function read(entry: object): object | null {
  const line = JSON.stringify(entry);
  const found = readTranscriptLine(line);
  if (found === null) return null;
  const { marker, ...said } = found;
  expect(marker).toBe(fingerprint(line));
  return said;
}
const nothing = { toolCall: false, startsTurn: false, said: null };
const item = (payload: object): object => ({ type: 'response_item', payload });
const user = (texts: readonly unknown[], more: object = {}): object =>
  item({ type: 'message', role: 'user', content: texts.map((text) => ({ text })), ...more });
const from = (...types: unknown[]): object => ({
  internal_chat_message_metadata_passthrough: {
    content_item_metadata: types.map((type) => ({ provenance: { type } })),
  },
});

describe('a line of Codex’s rollout', () => {
  it.each([['no json'], ['{}'], ['{"type":"response_item"}'], ['{"type":"compacted","payload":[]}']])(
    'that has nothing in it is not read: %s',
    (line) => {
      expect(readTranscriptLine(line)).toBeNull();
    },
  );

  it.each<[object, object]>([
    [{ type: 'session_meta', payload: {} }, {}],
    [{ type: 'session_meta', payload: {}, timestamp: '1970-01-01T00:00:01Z' }, { at: 1000 }],
    [{ type: 'event_msg', payload: { type: 'token_count', error: { message: 'x' } } }, {}],
    [{ type: 'turn_context', payload: { type: 'task_complete', error: { message: 'x' } } }, {}],
    [{ type: 'event_msg', payload: { type: 'message', role: 'user', content: [{ text: 'x' }] } }, {}],
    [{ type: 'event_msg', payload: { type: 'function_call', name: 'shell' } }, {}],
    [item({ type: 'message', role: 'developer', content: [{ text: 'x' }] }), {}],
    [item({ type: 'reasoning', name: 'shell' }), {}],
    [item({ type: 'web_search_call', name: 'shell' }), {}],
    [
      { type: 'compacted', payload: {} },
      { startsTurn: true, startedBy: 'background' },
    ],
  ])('says no more than this: %j', (entry, more) => {
    expect(read(entry)).toEqual({ ...nothing, ...more });
  });

  it.each<[object, object]>([
    [{}, {}],
    [{ error: null }, {}],
    [{ error: { message: 'odd' } }, { failed: true }],
    [
      {
        error: {
          codex_error_info: 'usage_limit_exceeded',
          message: 'x',
        },
      },
      { failed: true, limit: { what: 'rate_limit', resetsAt: null } },
    ],
  ])('tells of a turn that failed: %j', (more, said) => {
    expect(read({ type: 'event_msg', payload: { type: 'task_complete', ...more } })).toEqual({
      ...nothing,
      ...said,
    });
  });
});

describe('a turn of Codex’s agent', () => {
  it.each<[string, object, object]>([
    ['nobody says who', user(['x']), {}],
    ['a hold', user(['<hook_prompt a="b">x']), { startedBy: 'hook' }],
    [
      'a hold beside other texts, whatever is said of it',
      user(['x', '<hook_prompt a>'], from('user')),
      { startedBy: 'hook' },
    ],
    ['a hold’s words within a text', user(['x <hook_prompt a>']), {}],
    ['another tag', user(['<hook_prompts>']), {}],
    ['its environment', user(['<environment_context>x']), { startedBy: 'background' }],
    ['its own context', user(['<codex_internal_context a="b">']), { startedBy: 'background' }],
    ['both', user(['<codex_internal_context>', '<environment_context>']), { startedBy: 'background' }],
    ['its context and a text', user(['<environment_context>', 'x']), {}],
    ['its context within a text', user(['x <environment_context>']), {}],
    ['its context and a block without text', user(['<environment_context>', 7]), {}],
    ['no text', user([]), { startedBy: 'background' }],
    ['a person', user(['x'], from('user')), { startedBy: 'person' }],
    [
      'a person and the client',
      user(['<environment_context>'], from('context', 'user')),
      { startedBy: 'person' },
    ],
    ['the client', user(['x'], from('context')), { startedBy: 'background' }],
    ['the client, once without a word', user(['x'], from(undefined, 'context')), { startedBy: 'background' }],
    ['no source', user(['x'], from()), {}],
    ['no word', user(['x'], from('', 7)), {}],
    [
      'no provenance',
      user(['x'], { internal_chat_message_metadata_passthrough: { content_item_metadata: [{}] } }),
      {},
    ],
  ])('is begun by: %s', (_, entry, by) => {
    expect(read(entry)).toEqual({ ...nothing, startsTurn: true, ...by });
  });
});

describe('what Codex’s agent says', () => {
  const said = (content: unknown, more: object = {}): unknown =>
    readTranscriptLine(JSON.stringify(item({ type: 'message', role: 'assistant', content, ...more })))?.said;
  it.each<[unknown, TranscriptLine['said']]>([
    [[{ text: 'a' }], { messageId: 'm', text: 'a' }],
    [[{ text: 'a' }, { text: '' }, {}, { text: 'b' }], { messageId: 'm', text: 'a\nb', blocks: ['a', 'b'] }],
    [[], null],
    ['a', null],
  ])('is in its blocks: %j', (content, expected) => {
    expect(said(content, { id: 'm' })).toEqual(expected);
  });

  it('is named by the line where it has no id', () => {
    const content = [{ text: 'a' }];
    const line = JSON.stringify(item({ type: 'message', role: 'assistant', content }));
    expect(said(content)).toEqual({ messageId: fingerprint(line), text: 'a' });
  });
});

describe('what Codex’s agent does', () => {
  it.each<[object, boolean]>([
    [{ type: 'function_call', name: 'shell' }, true],
    [{ type: 'function_call' }, true],
    [{ type: 'custom_tool_call', name: 'apply_patch' }, true],
    [{ type: 'local_shell_call' }, true],
    [{ name: 'shell' }, false],
    [{ type: 'function_call', name: 'update_plan' }, false],
    [{ type: 'function_call', name: 'create_goal' }, false],
    [{ type: 'function_call', name: 'get_goal' }, false],
    [{ type: 'function_call', name: 'update_goal' }, false],
    [{ type: 'function_call', name: 'exec', input: '1 + 1' }, true],
    [{ type: 'custom_tool_call', name: 'update_plan', input: 'tools.exec_command()' }, false],
    [{ type: 'custom_tool_call', name: 'exec' }, false],
    [{ type: 'custom_tool_call', name: 'exec', input: '1 + 1' }, false],
    [{ type: 'custom_tool_call', name: 'exec', input: 'await tools.exec_command({})' }, true],
    [{ type: 'custom_tool_call', name: 'exec', input: 'await tools.update_plan({})' }, false],
    [
      { type: 'custom_tool_call', name: 'exec', input: 'tools  .  update_plan({}); tools.\n get_goal()' },
      false,
    ],
    [{ type: 'custom_tool_call', name: 'exec', input: 'tools.update_plan(); tools.apply_patch()' }, true],
    [{ type: 'custom_tool_call', name: 'exec', input: 'const t = tools; t.update_plan()' }, true],
    [{ type: 'custom_tool_call', name: 'exec', input: 'tools["update_plan"]()' }, true],
    [{ type: 'custom_tool_call', name: 'exec', input: 'mytools.x(); toolset.x()' }, false],
    [{ type: 'custom_tool_call', name: 'exec', input: 'tools.tools.update_plan()' }, true],
  ])('counts but for its bookkeeping: %j', (payload, works) => {
    expect(read(item(payload))).toEqual({ ...nothing, toolCall: works });
  });

  it('may leave something running', () => {
    const output = 'Chunk ID: 1\nProcess running with session ID 7\n';
    expect(read(item({ type: 'function_call_output', output }))).toMatchObject({ leavesRunning: true });
  });
});
