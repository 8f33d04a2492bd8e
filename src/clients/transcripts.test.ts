// Single lines of transcripts, each with all that is read from it. What recordings say as a whole: transcript-lines.test.ts.

import { describe, expect, it } from 'vitest';
import { readTranscriptLine as copilot, endMarkOf } from './copilot/transcript.ts';
import { readTranscriptLine as droid } from './droid/transcript.ts';
import { readTranscriptLine as gemini } from './gemini/transcript.ts';
import { readTranscriptLine as qwen } from './qwen/transcript.ts';

const nothing = { toolCall: false, startsTurn: false, said: null };
const timestamp = '2026-01-01T00:00:00Z';
const at = Date.UTC(2026, 0, 1);
const text = (value: unknown) => ({ type: 'text', text: value });

describe('Qwen Code', () => {
  const read = (type: string, parts: unknown, more: object = {}) =>
    qwen(JSON.stringify({ uuid: 'u', type, message: { parts }, ...more }));
  const call = (name?: string) => ({ functionCall: name === undefined ? {} : { name } });
  const said = (value: string) => ({ messageId: 'u', text: value });

  it.each<[string, ReturnType<typeof read>, object]>([
    ['a prompt', read('user', [{ text: 'x' }]), { startsTurn: true }],
    [
      'a person’s prompt',
      read('user', [{ text: 'x' }], { provenance: 'real_user', timestamp }),
      { startsTurn: true, startedBy: 'person', at },
    ],
    ['another prompt', read('user', [{ text: 'x' }], { provenance: 'cron' }), { startsTurn: true }],
    ['no prompt', read('user', [], { provenance: 'real_user' }), {}],
    ['a subagent’s prompt', read('user', [{ text: 'x' }], { isSidechain: true }), {}],
    ['words', read('assistant', [{ text: 'a' }]), { said: said('a') }],
    [
      'words in parts',
      read('assistant', [{ text: 'a' }, { text: '' }, { text: 'b' }]),
      { said: { ...said('a\nb'), blocks: ['a', 'b'] } },
    ],
    [
      'thoughts',
      read('assistant', [
        { text: 'a', thought: true },
        { text: 'b', thought: false },
      ]),
      { said: said('b') },
    ],
    ['a call', read('assistant', [{ text: 'a' }, call('shell')]), { toolCall: true, said: said('a') }],
    ['a call without a name', read('assistant', [call()]), { toolCall: true }],
    ['bookkeeping', read('assistant', [call('todo_write'), call('get_goal'), call('update_goal')]), {}],
    ['bookkeeping beside a call', read('assistant', [call('todo_write'), call('shell')]), { toolCall: true }],
    ['a result', read('tool_result', [{ text: 'a' }, call('shell')]), {}],
    ['parts that are none', read('assistant', 'a'), {}],
  ])('%s', (_, line, more) => {
    expect(line).toEqual({ marker: 'u', ...nothing, ...more });
  });

  it('reads nothing without a uuid', () => {
    expect(qwen('{"type":"user","message":{"parts":[{"text":"x"}]}}')).toBe(null);
  });
});

describe('Droid', () => {
  const read = (message: object, more: object = {}) =>
    droid(JSON.stringify({ type: 'message', id: 'm', message, ...more }));
  const call = (name?: string) => ({ type: 'tool_use', ...(name === undefined ? {} : { name }) });

  it.each<[string, ReturnType<typeof read>, object]>([
    ['a prompt', read({ role: 'user', content: [text('x')] }, { timestamp }), { startsTurn: true, at }],
    ['a tool’s result', read({ role: 'user', content: [text('x'), { type: 'tool_result' }] }), {}],
    ['another’s line', read({ role: 'system', content: [text('x')] }), {}],
    [
      'words',
      read({ role: 'assistant', content: [text('a'), { type: 'thinking', text: 'no' }, text(7)] }),
      { said: { messageId: 'm', text: 'a' } },
    ],
    ['a call', read({ role: 'assistant', content: [call('Execute')] }), { toolCall: true }],
    ['a call without a name', read({ role: 'assistant', content: [call()] }), { toolCall: true }],
    ['bookkeeping', read({ role: 'assistant', content: [call('TodoWrite')] }), {}],
    ['what is no call', read({ role: 'assistant', content: [{ type: 'x', name: 'Execute' }] }), {}],
    [
      'an error that the user sees',
      read({ role: 'assistant', visibility: 'user_only', content: [text('429')] }),
      { failed: true },
    ],
    ['an empty note', read({ role: 'assistant', visibility: 'user_only', content: [] }), {}],
    [
      'a hook’s note',
      read({ role: 'user', visibility: 'user_only', hookEventName: 'Stop', content: [text('x')] }),
      {},
    ],
  ])('%s', (_, line, more) => {
    expect(line).toEqual({ marker: 'm', ...nothing, endMark: 'm', ...more });
  });

  it.each([
    '',
    '{"type":"message","id":"m"}',
    '{"type":"message","message":{}}',
    '{"type":"session_start","id":"m","message":{}}',
  ])('reads nothing in %j', (line) => {
    expect(droid(line)).toBe(null);
  });
});

describe('Gemini CLI', () => {
  const read = (entry: object) => {
    const line = gemini(JSON.stringify(entry));
    expect(line === null || line.marker !== '').toBe(true);
    return line === null ? null : { ...line, marker: 'any' };
  };
  const said = (value: string) => ({ messageId: 'm', text: value });

  it.each<[object, object]>([
    [
      { id: 'm', type: 'user', content: [{ text: 'x' }], timestamp },
      { startsTurn: true, at },
    ],
    [{ id: 'm', type: 'user', content: 'x' }, { startsTurn: true }],
    [{ id: 'm', type: 'user', content: [{ text: 'x' }, { functionResponse: {} }] }, {}],
    [{ id: 'm', type: 'gemini', content: 'a' }, { said: said('a') }],
    [{ id: 'm', type: 'gemini', content: [{ text: 'a' }, { x: 1 }] }, { said: said('a') }],
    [{ id: 'm', type: 'gemini', content: '' }, {}],
    [{ id: 'm', type: 'gemini', content: '', toolCalls: [{ name: 'shell' }] }, { toolCall: true }],
    [{ id: 'm', type: 'gemini', content: '', toolCalls: [{ name: 'write_todos' }] }, {}],
    [{ $set: { messages: [] } }, { startsTurn: true, startedBy: 'background' }],
  ])('%j', (entry, more) => {
    expect(read(entry)).toEqual({ marker: 'any', ...nothing, ...more });
  });

  it.each([
    { $set: { messages: 'x' } },
    { $set: {}, id: 'm', type: 'user', content: 'x' },
    { type: 'user', content: 'x' },
    { id: 'm', uuid: 'u', type: 'user', content: 'x' },
    { id: 'm', type: 'user' },
    { id: 'm', type: 'info', content: 'x' },
  ])('reads nothing in %j', (entry) => {
    expect(read(entry)).toBe(null);
  });

  it('knows each line again, and tells them apart', () => {
    const marker = (content: string) => gemini(JSON.stringify({ id: 'm', type: 'user', content }))?.marker;
    expect(marker('a')).toBe(marker('a'));
    expect(marker('a')).not.toBe(marker('b'));
  });
});

describe('Copilot CLI', () => {
  const read = (type: string, data: object, more: object = {}) =>
    copilot(JSON.stringify({ type, id: 'e', data, ...more }));

  it.each<[string, object, object]>([
    ['user.message', { content: 'x' }, { startsTurn: true }],
    ['session.compaction_complete', {}, { startsTurn: true, startedBy: 'background' }],
    ['assistant.message', { content: 'a' }, { said: { messageId: 'e', text: 'a' } }],
    ['assistant.message', { content: 'a', messageId: 'm' }, { said: { messageId: 'm', text: 'a' } }],
    ['assistant.message', { content: '' }, {}],
    ['assistant.message', { toolRequests: [{ name: 'bash' }] }, { toolCall: true }],
    ['assistant.message', { toolRequests: [{}] }, { toolCall: true }],
    ['assistant.message', { toolRequests: [{ name: 'update_todo' }, { name: 'report_intent' }] }, {}],
    ['user.message', { content: 'x', parentToolCallId: 'c' }, {}],
    ['hook.start', { hookType: 'agentStop', input: { timestamp: 7 } }, { endMark: '7' }],
    ['hook.start', { hookType: 'sessionStart', input: { timestamp: 7 } }, {}],
    ['hook.start', { hookType: 'agentStop', input: {} }, {}],
    ['hook.start', { hookType: 'agentStop' }, {}],
    ['model.message', { content: 'a', toolRequests: [{ name: 'bash' }] }, {}],
  ])('%s %j', (type, data, more) => {
    expect(read(type, data)).toEqual({ marker: 'e', ...nothing, ...more });
    expect(read(type, data, { timestamp })).toEqual({ marker: 'e', ...nothing, ...more, at });
  });

  it.each(['', '{"id":"e"}', '{"data":{}}', '{"id":"","data":{}}'])('reads nothing in %j', (line) => {
    expect(copilot(line)).toBe(null);
  });

  it.each<[unknown, string | null]>([
    [7, '7'],
    ['1970-01-01T00:00:01Z', '1000'],
    ['soon', null],
    [Number.POSITIVE_INFINITY, null],
    [null, null],
    [undefined, null],
  ])('the moment of a stop at %j is %j', (given, mark) => {
    expect(endMarkOf(given)).toBe(mark);
  });
});
