import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { usage } from './usage.ts';

const at = '2026-11-17T12:00:00.000Z';
const line = (used: unknown, more: object = {}, id: unknown = 'm') =>
  JSON.stringify({ type: 'assistant', timestamp: at, message: { id, usage: used }, ...more });
const none = { kind: 'message', id: 'm', tokens: 0, cacheRead: 0, at: Date.parse(at) };

describe('tokens in a line of Claude Code', () => {
  it.each<[object, object]>([
    [{}, {}],
    [{ input_tokens: 3 }, { tokens: 3 }],
    [{ output_tokens: 4 }, { tokens: 4 }],
    [{ cache_creation_input_tokens: 5 }, { tokens: 5 }],
    [{ cache_read_input_tokens: 6 }, { cacheRead: 6 }],
    [{ input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 4 }, { tokens: 7 }],
    [{ input_tokens: -1, output_tokens: '2', cache_read_input_tokens: null }, {}],
  ])('%j', (used, more) => {
    expect(usage.read(line(used))).toEqual({ ...none, ...more });
  });

  it('may have no time', () => {
    expect(usage.read(line({}, { timestamp: 'soon' }))).toEqual({ ...none, at: null });
  });

  it.each([
    '',
    '"usage"',
    line({}, { type: 'user' }),
    line({}, { message: 'text' }),
    line('many'),
    line({}, {}, ''),
    line({}, {}, 7),
    '{"type":"assistant","message":{"id":"m"}}',
  ])('are none: %s', (text) => {
    expect(usage.read(text)).toBe(null);
  });

  it.each([
    [line({}), Date.parse(at)],
    ['{}', null],
    ['[]', null],
    ['', null],
  ])('have the time of %s', (text, time) => {
    expect(usage.timeOf(text)).toBe(time);
  });
});

describe('the files of a session', () => {
  const files = (transcriptPath: string | null) => usage.files({ transcriptPath } as never);

  it('are its transcript and those of its subagents, in order', () => {
    const project = bareProject();
    const transcript = path.join(project.root, 's.jsonl');
    expect(files(transcript)).toEqual([transcript]);
    const own = ['agent-b.jsonl', 'agent-a.jsonl'].map((name) => writeIn(project, `s/subagents/${name}`, ''));
    for (const name of ['agent-.jsonl', 'x-agent-a.jsonl', 'agent-a.jsonl.bak', 'agent-a.json'])
      writeIn(project, `s/subagents/${name}`, '');
    expect(files(transcript)).toEqual([transcript, ...own.sort()]);
    expect(files(null)).toEqual([]);
    expect(usage.totals).toBe(false);
  });
});
