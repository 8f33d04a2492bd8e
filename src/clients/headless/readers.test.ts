// What the readers of all clients make of small lines: how many calls are remembered, how a denied one is named, and which
// trouble a status or a word is.

import { describe, expect, it } from 'vitest';
import { ClaudeReader } from '../claude-code/headless/events.ts';
import { resetIn, troubleOfResult } from '../claude-code/headless/trouble.ts';
import { CopilotReader } from '../copilot/headless/events.ts';
import { GeminiReader } from '../gemini/headless/events.ts';
import { troubleIn as geminiTrouble } from '../gemini/headless/trouble.ts';
import { OpencodeReader } from '../opencode/headless/events.ts';
import { troubleOfError, troubleOfRetry } from '../opencode/headless/trouble.ts';
import { QwenReader } from '../qwen/headless/events.ts';
import { troubleIn as qwenTrouble } from '../qwen/headless/trouble.ts';
import { lastLineOf, ofStatus, troubleOf } from './trouble.ts';

const NOW = Date.UTC(2026, 10, 17, 12);

describe('calls that are remembered', () => {
  const claude = (count: number): unknown => {
    const reader = new ClaudeReader();
    for (let at = 0; at < count; at++) {
      const tool = { type: 'tool_use', id: `t${at}`, name: 'Bash', input: { command: `c${at}` } };
      reader.line(JSON.stringify({ type: 'assistant', message: { content: [tool] } }));
    }
    const denied = { type: 'system', subtype: 'permission_denied', tool_use_id: 't0', tool_name: 'Bash' };
    return reader.line(JSON.stringify(denied));
  };
  const copilot = (count: number): unknown => {
    const reader = new CopilotReader();
    for (let at = 0; at < count; at++) {
      const data = { toolCallId: `t${at}`, toolName: 'bash', arguments: { command: `c${at}` } };
      reader.line(JSON.stringify({ type: 'tool.execution_start', data }));
    }
    const data = { toolCallId: 't0', error: { code: 'denied' } };
    return reader.line(JSON.stringify({ type: 'tool.execution_complete', data }));
  };

  it('are two hundred of Claude Code’s', () => {
    expect(claude(200)).toEqual([{ kind: 'denied', what: 'Bash(c0)' }]);
    expect(claude(201)).toEqual([{ kind: 'denied', what: 'Bash' }]);
  });

  it('are two hundred of Copilot CLI’s', () => {
    expect(copilot(200)).toEqual([{ kind: 'denied', what: 'shell(c0)' }]);
    expect(copilot(201)).toEqual([{ kind: 'denied', what: 'a tool' }]);
  });
});

describe('a call that was denied', () => {
  const long = `${'x'.repeat(150)} ${'y'.repeat(100)}`;

  it.each([
    [{ command: 'npm test', file_path: '/a' }, 'T(npm test)'],
    [{ file_path: '/a', url: 'u' }, 'T(/a)'],
    [{ notebook_path: '/n' }, 'T(/n)'],
    [{ url: 'u' }, 'T(u)'],
    [{ skill: 's' }, 'T(s)'],
    [{ other: 's' }, 'T'],
    [{ command: 7 }, 'T'],
  ])('is named by Claude Code’s input %j', (tool_input, what) => {
    const denials = [{ tool_use_id: 'a', tool_name: 'T', tool_input }];
    const [denied] = new ClaudeReader().line(JSON.stringify({ type: 'result', permission_denials: denials }));
    expect(denied).toEqual({ kind: 'denied', what });
  });

  it('is named once by Claude Code, where it has an id', () => {
    const reader = new ClaudeReader();
    const denials = [{ tool_use_id: 'a', tool_name: 'T' }, { tool_use_id: 'a', tool_name: 'T' }, {}, {}];
    const heard = reader.line(JSON.stringify({ type: 'result', permission_denials: denials }));
    expect(heard.map((event) => (event.kind === 'denied' ? event.what : event.kind))).toEqual([
      ...['T', 'a tool', 'a tool', 'result'],
    ]);
  });

  it.each([
    [{ command: 'npm test', path: '/a' }, 'shell(npm test)'],
    [{ path: '/a' }, 'create(/a)'],
    [{ other: '/a' }, 'create'],
  ])('is named by Copilot CLI’s input %j', (input, what) => {
    const reader = new CopilotReader();
    const begun = { toolCallId: 't', toolName: 'create', arguments: input };
    expect(reader.line(JSON.stringify({ type: 'tool.execution_start', data: begun }))).toEqual([
      { kind: 'tool', name: 'create' },
    ]);
    const over = (code: string) =>
      reader.line(
        JSON.stringify({ type: 'tool.execution_complete', data: { toolCallId: 't', error: { code } } }),
      );
    expect(over('denied')).toEqual([{ kind: 'denied', what }]);
    expect(over('failed')).toEqual([{ kind: 'alive' }]);
    expect(over('denied')).toEqual([{ kind: 'denied', what: 'a tool' }]);
  });

  it.each([
    [{ command: 'npm test', file_path: '/a' }, 'T(npm test)'],
    [{ file_path: '/a' }, 'T(/a)'],
    [{ url: 'u' }, 'T(u)'],
    [{ prompt: 'p' }, 'T(p)'],
    [{}, 'T'],
  ])('is named by Gemini CLI’s input %j', (parameters, what) => {
    const reader = new GeminiReader();
    reader.line(JSON.stringify({ type: 'tool_use', tool_id: 't', tool_name: 'T', parameters }));
    const over = (error: object | null) =>
      reader.line(JSON.stringify({ type: 'tool_result', tool_id: 't', error }));
    expect(over({ type: 'policy_violation' })).toEqual([{ kind: 'denied', what }]);
    expect(over({ message: 'it requires user confirmation' })).toEqual([{ kind: 'denied', what: 'a tool' }]);
    expect(over({ type: 'other' })).toEqual([{ kind: 'alive' }]);
    expect(over(null)).toEqual([{ kind: 'alive' }]);
  });

  it.each([
    [{ command: 'npm test', filePath: '/a' }, 'bash(npm test)'],
    [{ filePath: '/a' }, 'bash(/a)'],
    [{ url: 'u' }, 'bash(u)'],
    [{}, 'bash'],
  ])('is named by opencode’s input %j', (input, what) => {
    const error = 'The user has specified a rule which prevents you from this';
    const part = { tool: 'bash', state: { error, input } };
    expect(new OpencodeReader().line(JSON.stringify({ type: 'tool_use', part }))).toEqual([
      { kind: 'tool', name: 'bash' },
      { kind: 'denied', what },
    ]);
    const other = { tool: 'bash', state: { error: `So: ${error}`, input } };
    expect(new OpencodeReader().line(JSON.stringify({ type: 'tool_use', part: other }))).toHaveLength(1);
  });

  it.each([
    [{ command: 'npm test', file_path: '/a' }, 'T(npm test)'],
    [{ file_path: '/a' }, 'T(/a)'],
    [{ notebook_path: '/n' }, 'T(/n)'],
    [{ url: 'u' }, 'T(u)'],
    [{}, 'T'],
  ])('is named by Qwen Code’s input %j', (tool_input, what) => {
    const denials = [{ tool_name: 'T', tool_input }];
    const [denied] = new QwenReader().line(JSON.stringify({ type: 'result', permission_denials: denials }));
    expect(denied).toEqual({ kind: 'denied', what });
  });

  it('is named on one line of 200 letters at most', () => {
    const denials = [{ tool_name: 'T', tool_input: { command: long } }];
    const [denied] = new QwenReader().line(JSON.stringify({ type: 'result', permission_denials: denials }));
    expect(denied?.kind === 'denied' ? denied.what.length : 0).toBeLessThanOrEqual(203);
    expect(denied?.kind === 'denied' ? denied.what : '').toContain(`T(${'x'.repeat(150)}`);
  });
});

describe('which trouble it is', () => {
  it.each([
    [429, 'limit'],
    [499, 'refused'],
    [500, 'server'],
    [503, 'server'],
    [402, 'billing'],
    [401, 'login'],
    [403, 'login'],
    [400, 'refused'],
    [404, 'refused'],
  ])('a status of %s is %s, to all of them', (status, what) => {
    expect(ofStatus(status)).toBe(what);
    expect(qwenTrouble(`[API Error: ${status} so]`)).toEqual({ what, resetsAt: null, said: `${status} so` });
    expect(troubleOfError({ data: { statusCode: status, message: 'so' } })).toEqual({
      what,
      resetsAt: null,
      said: 'so',
    });
    const shown = `Error: so\n  status: 200,\n  status: ${status},\n`;
    expect(geminiTrouble('so', shown, NOW)).toEqual({ what, resetsAt: null, said: 'so' });
    const answer = JSON.stringify({ error: { code: status, message: 'so' } });
    expect(geminiTrouble(`[API Error: ${answer}]`, '  status: 418', NOW)).toMatchObject({ what, said: 'so' });
  });

  it.each([
    ['token count (5) exceeds the maximum', 'context', null],
    ['API key not valid', 'login', null],
    ['you must specify the GEMINI_API_KEY environment variable', 'login', null],
    ['Invalid auth method', 'login', null],
    ['You have exhausted your daily quota. Suggested retry after 1.2s', 'limit', NOW + 2000],
    ['You have exhausted your capacity', 'limit', null],
    ['fetch failed', 'network', null],
    ['socket hang up', 'network', null],
    ['something else', 'unknown', null],
  ])('Gemini CLI’s words "%s" are %s', (said, what, resetsAt) => {
    expect(geminiTrouble(said, '', NOW)).toEqual({ what, resetsAt, said });
  });

  it('Gemini CLI’s status below 400 tells nothing, and a time is for limits alone', () => {
    expect(geminiTrouble('so', '  status: 399\n', NOW).what).toBe('unknown');
    expect(geminiTrouble('so', '  status: 400\n', NOW).what).toBe('refused');
    expect(geminiTrouble('fetch failed. Suggested retry after 5s', '', NOW).resetsAt).toBeNull();
  });

  it.each([
    ['context_length_exceeded', 'context'],
    ['429 insufficient_quota', 'billing'],
    ['Connection error.', 'network'],
    ['getaddrinfo ENOTFOUND x', 'network'],
    ['Request timed out', 'network'],
    ['600 so', 'unknown'],
    ['4290 so', 'unknown'],
    ['so 429', 'unknown'],
  ])('Qwen Code’s words "%s" are %s', (said, what) => {
    expect(qwenTrouble(said)).toEqual({ what, resetsAt: null, said });
  });

  it('opencode’s error is told by its name, its status or its words', () => {
    expect(troubleOfError({ name: 'ContextOverflowError', data: { statusCode: 429 } })).toEqual({
      ...{ what: 'context', resetsAt: null, said: 'ContextOverflowError' },
    });
    expect(troubleOfError({})).toEqual({ what: 'unknown', resetsAt: null, said: 'The turn failed.' });
    expect(troubleOfError({ name: 'Broken' })).toMatchObject({ what: 'unknown', said: 'Broken' });
    expect(troubleOfError({ data: { message: 'Unable to connect' } }).what).toBe('network');
    expect(troubleOfError({ data: { message: 'the request timed out' } }).what).toBe('network');
    expect(troubleOfError({ data: { message: 'Unable to connect', statusCode: 502 } }).what).toBe('server');
    expect(troubleOfError({ data: { statusCode: '429' } }).what).toBe('unknown');
  });

  it('opencode waits by itself for up to a minute', () => {
    expect(troubleOfRetry({ next: NOW + 60_000, message: 'm' }, NOW)).toBeNull();
    expect(troubleOfRetry({ next: NOW + 60_001, message: 'm' }, NOW)).toEqual({
      ...{ what: 'limit', resetsAt: NOW + 60_001, said: 'm' },
    });
    expect(troubleOfRetry({ next: NOW + 90_000 }, NOW)?.said).toBe('It tries again later.');
    expect(troubleOfRetry({ next: 'soon' }, NOW)).toBeNull();
  });

  const claude = (result: object, failure: object | null = null, resetsAt: number | null = null) =>
    troubleOfResult({ is_error: true, result: 'so', ...result }, failure as never, resetsAt, NOW);

  it.each([
    [{ is_error: false }, null, null],
    [{ terminal_reason: 'aborted_tools' }, null, null],
    [{ terminal_reason: 'prompt_too_long' }, null, 'context'],
    [{ api_error_status: 429 }, null, 'limit'],
    [{ api_error_status: 500 }, null, 'server'],
    [{ api_error_status: 499 }, null, 'refused'],
    [{ api_error_status: 401 }, null, 'login'],
    [{ api_error_status: '401' }, null, 'unknown'],
    [{}, { error: 'rate_limit' }, 'limit'],
    [{}, { error: 'overloaded', api_error_status: 529 }, 'server'],
    [{}, { error: 'server_error' }, 'network'],
    [{}, { error: 'account_on_hold' }, 'login'],
    [{}, { error: 'billing_error' }, 'billing'],
    [{ api_error_status: 400 }, { error: 'toString' }, 'refused'],
  ])('Claude Code’s result %j after %j is %s', (result, failure, what) => {
    expect(claude(result, failure)?.what ?? null).toBe(what);
  });

  it('Claude Code’s words are those of its result, its first error or its kind', () => {
    expect(claude({ result: undefined, errors: ['first', 'second'], subtype: 's' })?.said).toBe('first');
    expect(claude({ result: undefined, errors: [7], subtype: 's' })?.said).toBe('s');
    expect(claude({ result: undefined, errors: 'first' })?.said).toBe('');
    expect(claude({ api_error_status: 429 }, null, NOW + 5)?.resetsAt).toBe(NOW + 5);
    expect(claude({ api_error_status: 500 }, null, NOW + 5)?.resetsAt).toBeNull();
  });

  it.each([
    [{ status: 'rejected', resetsAt: 7 }, 7000],
    [{ status: 'rejected', resetsAt: 0.0006 }, 1],
    [{ status: 'rejected', resetsAt: 0 }, null],
    [{ status: 'rejected', resetsAt: '7' }, null],
    [{ status: 'rejected', resetsAt: 1e300 }, null],
    [{ status: 'allowed', resetsAt: 7 }, null],
    [null, null],
  ])('Claude Code’s limit %j ends at %s', (rate_limit_info, time) => {
    expect(resetIn({ rate_limit_info })).toBe(time);
  });

  it('is said on one line of 300 letters at most', () => {
    expect(troubleOf('unknown', 'a\nb').said).toBe('a b');
    expect(troubleOf('unknown', 'x'.repeat(5000)).said.length).toBeLessThanOrEqual(301);
    expect(lastLineOf(' one \n two \n\n \n')).toBe('two');
    expect(lastLineOf(' \n')).toBe('');
  });
});
