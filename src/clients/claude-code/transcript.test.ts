import { describe, expect, it } from 'vitest';
import type { TranscriptLine } from '../client.ts';
import { readTranscriptLine } from './transcript.ts';

const nothing: TranscriptLine = { marker: 'u', toolCall: false, startsTurn: false, said: null };
const read = (entry: object): TranscriptLine | null =>
  readTranscriptLine(JSON.stringify({ uuid: 'u', ...entry }));
const message = (type: string, content: unknown, more: object = {}): object => ({
  ...{ type, message: { id: 'm', content, ...more } },
});
const text = (said: unknown): object => ({ type: 'text', text: said });
const call = (name: unknown, id?: unknown): object => ({ type: 'tool_use', name, id });

describe('a line of Claude Code’s transcript', () => {
  it.each([
    ['no json'],
    ['{}'],
    ['{"type":"user","message":{"content":"x"}}'],
    ['{"uuid":""}'],
    ['{"uuid":7}'],
  ])('that is its own note says nothing: %s', (line) => {
    expect(readTranscriptLine(line)).toBeNull();
  });

  it.each<[object, object]>([
    [{}, {}],
    [{ timestamp: '1970-01-01T00:00:01Z' }, { at: 1000 }],
    [{ type: 'system', message: {} }, {}],
    [message('system', [text('x'), call('Bash', 'c')]), {}],
    [{ type: 'user', message: 'text' }, {}],
    [{ ...message('assistant', [text('x')]), isSidechain: true }, {}],
  ])('that is nobody’s in this turn: %j', (entry, more) => {
    expect(read(entry)).toEqual({ ...nothing, ...more });
  });
});

describe('what the agent of Claude Code says', () => {
  it.each<[unknown, TranscriptLine['said']]>([
    [[text('a')], { messageId: 'm', text: 'a' }],
    [[text('a'), text('b')], { messageId: 'm', text: 'a\nb', blocks: ['a', 'b'] }],
    [[text(''), text(7), { type: 'thinking', text: 'x' }, text('b')], { messageId: 'm', text: 'b' }],
    [[], null],
    ['a', null],
  ])('is in its blocks of text: %j', (content, said) => {
    expect(read(message('assistant', content))).toEqual({ ...nothing, said });
  });

  it('is not what the client puts into its mouth, nor what has no id', () => {
    expect(read(message('assistant', [text('a')], { model: '<synthetic>' }))).toEqual(nothing);
    expect(read(message('assistant', [text('a')], { id: '' }))).toEqual(nothing);
  });
});

describe('what the agent of Claude Code does', () => {
  it.each<[unknown, object]>([
    [[call('Bash', 'c1')], { toolCall: true, calls: ['c1'] }],
    [[call('Bash', 'c1'), call('Edit', 'c2')], { toolCall: true, calls: ['c1', 'c2'] }],
    [[call('Bash', 'c1'), call('Edit')], { toolCall: true }],
    [[call('Bash')], { toolCall: true }],
    [[call(undefined, 'c1')], { toolCall: true, calls: ['c1'] }],
    [[call('TaskOutput', 'c1')], { toolCall: true, calls: ['c1'] }],
    [[call('TaskStop', 'c1')], { toolCall: true, calls: ['c1'] }],
    [[call('TodoWrite', 'c1')], {}],
    [[call('TaskCreate', 'c1')], {}],
    [[call('TaskGet', 'c1')], {}],
    [[call('TaskList', 'c1')], {}],
    [[call('TaskUpdate', 'c1')], {}],
    [[call('TodoWrite', 'c1'), call('Bash', 'c2')], { toolCall: true, calls: ['c2'] }],
    [[{ type: 'server_tool_use', name: 'Bash', id: 'c' }], {}],
  ])('counts but for its bookkeeping: %j', (content, more) => {
    expect(read(message('assistant', content))).toEqual({ ...nothing, ...more });
  });

  const result = (id?: unknown): object => ({ type: 'tool_result', tool_use_id: id });
  it.each<[string | undefined, unknown[], object]>([
    [undefined, [result('c')], {}],
    ['', [result('c')], {}],
    ['interrupted', [result('c')], {}],
    ['cancelled', [result('c')], {}],
    ['user_rejected', [result('c')], { denied: ['c'] }],
    ['rule', [text('x'), result('c'), result(), result('d')], { denied: ['c', 'd'] }],
    ['rule', [result()], { denied: [] }],
  ])('comes to nothing where it was denied, as %s says: %j', (toolDenialKind, content, more) => {
    expect(read({ ...message('user', content), toolDenialKind })).toEqual({ ...nothing, ...more });
  });
});

describe('a turn of Claude Code’s agent', () => {
  const HOLD = 'Stop hook feedback:\nGo on.';
  it.each<[string, object, object | null]>([
    ['a prompt', message('user', 'x'), {}],
    ['a prompt in blocks', message('user', [text('x')]), {}],
    ['a prompt by hand', { ...message('user', 'x'), turnOrigin: 'human' }, { startedBy: 'person' }],
    ['a prompt by a program', { ...message('user', 'x'), turnOrigin: 'sdk' }, { startedBy: 'person' }],
    ['a task', { ...message('user', 'x'), turnOrigin: 'task_notification' }, { startedBy: 'background' }],
    ['a timer', { ...message('user', 'x'), turnOrigin: 'scheduled' }, { startedBy: 'background' }],
    ['an unknown word', { ...message('user', 'x'), turnOrigin: 'toString' }, {}],
    ['the older field', { ...message('user', 'x'), origin: { kind: 'human' } }, { startedBy: 'person' }],
    [
      'its way to write',
      { ...message('user', 'x'), isMeta: true, origin: { kind: 'task-notification' } },
      { startedBy: 'background' },
    ],
    [
      'all of its dashes',
      { ...message('user', 'x'), origin: { kind: 'a-b-c' }, turnOrigin: 'human' },
      { startedBy: 'person' },
    ],
    ['the newer field counts', { ...message('user', 'x'), origin: { kind: 'human' }, turnOrigin: 'odd' }, {}],
    [
      'the client to itself after a limit',
      { ...message('user', 'x'), isMeta: true, turnOrigin: 'auto_continuation' },
      { startedBy: 'background' },
    ],
    ['a hold', { ...message('user', HOLD), isMeta: true }, { startedBy: 'hook' }],
    ['a hold’s words by a person', message('user', HOLD), {}],
    ['another aside', { ...message('user', `x ${HOLD}`), isMeta: true }, null],
    ['an aside in blocks', { ...message('user', [text(HOLD)]), isMeta: true }, null],
    ['an aside of an unknown origin', { ...message('user', 'x'), isMeta: true, turnOrigin: 'odd' }, null],
    [
      'a summary, whatever it interrupts',
      { ...message('user', 'x'), isCompactSummary: true, turnOrigin: 'human' },
      { startedBy: 'background' },
    ],
  ])('is begun by %s, or not', (_, entry, by) => {
    expect(read(entry)).toEqual(by === null ? nothing : { ...nothing, startsTurn: true, ...by });
  });

  const context = { type: 'hook_additional_context', hookEvent: 'Stop' };
  it.each<[object, boolean]>([
    [{ attachment: context }, true],
    [{ attachment: context, isSidechain: true }, false],
    [{ attachment: { ...context, hookEvent: 'SessionStart' } }, false],
    [{ attachment: { ...context, type: 'file' } }, false],
    [{ attachment: null }, false],
    [{ type: 'attachment' }, false],
  ])('is begun by a hold that was said as feedback: %j', (entry, starts) => {
    expect(read(entry)).toEqual(starts ? { ...nothing, startsTurn: true, startedBy: 'hook' } : nothing);
  });
});

describe('an error in place of an answer', () => {
  const error = { ...message('assistant', [text('API Error')]), isApiErrorMessage: true };
  it.each<[object, object]>([
    [{}, {}],
    [{ error: 'odd' }, {}],
    [{ error: 'rate_limit' }, { limit: { what: 'rate_limit', resetsAt: null } }],
    [
      { error: 'rate_limit', quotaLimits: { resetsAt: 5 } },
      { limit: { what: 'rate_limit', resetsAt: 5000 } },
    ],
  ])('says why, where that ends: %j', (more, limit) => {
    expect(read({ ...error, ...more })).toEqual({ ...nothing, failed: true, ...limit });
  });

  it('is known by its field being true', () => {
    expect(read({ ...error, isApiErrorMessage: 'true' })?.failed).toBeUndefined();
  });
});
