import { describe, expect, it, test } from 'vitest';
import { fc } from '../../test/support/property.ts';
import { recordedLines, recordedPayload } from '../../test/support/recorded.ts';
import { claudeCode } from './claude-code/index.ts';
import type { Client } from './client.ts';
import { codex } from './codex/index.ts';
import { copilot } from './copilot/index.ts';
import { droid } from './droid/index.ts';
import { gemini } from './gemini/index.ts';
import { clientNamed, clients } from './index.ts';
import { qwen } from './qwen/index.ts';

/** The story a transcript tells: a word per line that says anything, in order. */
function story(client: Client, name: string): readonly string[] {
  return recordedLines(name).flatMap((line) => {
    const read = client.readTranscriptLine(line);
    if (read === null) return [];
    return [
      ...(read.startsTurn ? ['turn'] : []),
      ...(read.said ? [read.said.text] : []),
      ...(read.toolCall ? ['tool'] : []),
    ];
  });
}

describe('Claude Code: a recorded transcript', () => {
  it('shows prompt, tool calls, hold and texts; a task list entry and thinking are no work', () => {
    expect(story(claudeCode, 'claude-code/transcript-hold.jsonl')).toEqual([
      ...['turn', 'Looking at the folder.', 'tool', 'I am done, I think.'],
      ...['turn', 'Noting it.', 'First block.', 'Second block.', 'tool', 'Now it is really done.'],
    ]);
  });

  test.each(['claude-code/transcript-compaction.jsonl', 'claude-code/transcript-compaction-2.1.325.jsonl'])(
    'starts again after a compaction: %s',
    (name) => {
      expect(story(claudeCode, name)).toEqual([
        ...['turn', 'Making a task.', 'Writing.', 'tool', 'Written.'],
        ...['turn', 'Held, so I check.', 'tool', 'Checked.'],
        // The summary, the /compact command and its output, the next prompt.
        ...['turn', 'turn', 'turn', 'turn', 'After compaction.'],
      ]);
    },
  );

  it('starts again when a background task wakes the agent', () => {
    expect(story(claudeCode, 'claude-code/transcript-background-task.jsonl')).toEqual([
      ...['turn', 'Starting it.', 'tool', 'It runs in the background.', 'turn', 'It has finished.'],
    ]);
  });

  test.each([
    ['claude-code/transcript-background-task.jsonl', [undefined, 'background']],
    ['claude-code/transcript-hold.jsonl', [undefined, 'hook']],
    [
      'claude-code/transcript-compaction-2.1.325.jsonl',
      ['person', 'hook', 'background', undefined, undefined, 'person'],
    ],
    ['claude-code/transcript-subagent-wake-2.1.325.jsonl', ['person', 'background']],
    ['claude-code/transcript-usage-limit-2.1.325.jsonl', ['person', 'background']],
    ['claude-code/transcript-feedback-2.1.325.jsonl', ['person', 'hook', 'hook', 'hook', 'hook']],
  ])('tells who began each turn, where it says so: %s', (name, expected) => {
    expect(origins(claudeCode, name)).toEqual(expected);
  });

  it('starts again after a hold that was said as feedback', () => {
    expect(story(claudeCode, 'claude-code/transcript-feedback-2.1.325.jsonl')).toEqual([
      ...['turn', 'First stop.', 'turn', 'Next stop.', 'turn', 'Next stop.', 'turn', 'Next stop.', 'turn'],
    ]);
  });

  it('names its tool calls, and those that were denied', () => {
    const lines = recordedLines('claude-code/transcript-denied-2.1.325.jsonl').flatMap(
      (line) => claudeCode.readTranscriptLine(line) ?? [],
    );
    expect(lines.flatMap(({ calls }) => calls ?? [])).toEqual(['toolu_l000031', 'toolu_l000032']);
    expect(lines.flatMap(({ denied }) => denied ?? [])).toEqual(['toolu_l000032']);
  });

  it('does not take an API error for the agent’s words', () => {
    expect(story(claudeCode, 'claude-code/transcript-api-error.jsonl')).toEqual(['turn', 'Looking.', 'tool']);
  });

  it('gives the blocks of one message one id and every line its own marker', () => {
    const lines = recordedLines('claude-code/transcript-hold.jsonl')
      .map(claudeCode.readTranscriptLine)
      .filter((line) => line !== null);
    const blocks = lines.filter((line) => line.said?.text.endsWith('block.'));
    expect(new Set(blocks.map((line) => line.said?.messageId)).size).toBe(1);
    expect(blocks).toHaveLength(2);
    expect(new Set(lines.map((line) => line.marker)).size).toBe(lines.length);
  });
});

/** Who began each turn. */
function origins(client: Client, name: string): readonly unknown[] {
  const lines = recordedLines(name).flatMap((line) => client.readTranscriptLine(line) ?? []);
  return lines.filter((line) => line.startsTurn).map((line) => line.startedBy);
}

/** What stood in the way of the session, with the time of the line that says so. */
function limitsIn(client: Client, name: string): readonly unknown[] {
  const lines = recordedLines(name).flatMap((line) => client.readTranscriptLine(line) ?? []);
  return lines.flatMap(({ limit, failed, at, said }) => (failed ? [{ limit, at, said }] : []));
}

describe('the error that ended a turn', () => {
  it('is Claude Code’s usage limit, with the time of its end', () => {
    expect(limitsIn(claudeCode, 'claude-code/transcript-usage-limit-2.1.325.jsonl')).toEqual([
      {
        limit: { what: 'rate_limit', resetsAt: 1_794_800_163_000 },
        at: Date.parse('2026-11-16T03:36:01.516Z'),
        said: null,
      },
    ]);
  });

  it('is Codex’s usage limit, whose end is not in the line', () => {
    expect(limitsIn(codex, 'codex/transcript-usage-limit.jsonl')).toEqual([
      {
        limit: { what: 'rate_limit', resetsAt: null },
        at: Date.parse('2026-11-16T03:56:42.433Z'),
        said: null,
      },
    ]);
  });

  it('is no limit where the request was refused', () => {
    expect(limitsIn(claudeCode, 'claude-code/transcript-api-error.jsonl')).toEqual([
      { limit: undefined, at: Date.parse('2026-11-15T20:56:26.479Z'), said: null },
    ]);
  });

  const claudeRow = (fields: object) =>
    claudeCode.readTranscriptLine(
      JSON.stringify({ uuid: 'u1', type: 'assistant', isApiErrorMessage: true, message: {}, ...fields }),
    );

  test.each([
    ['server_error', 'server_error'],
    ['overloaded', 'server_error'],
    ['billing_error', 'billing_error'],
    ['authentication_failed', 'authentication_failed'],
    ['account_on_hold', 'authentication_failed'],
    ['invalid_request', undefined],
    ['constructor', undefined],
    [undefined, undefined],
  ])('of Claude Code’s word %s is %s', (error, what) => {
    expect(claudeRow({ error })?.limit?.what).toBe(what);
  });

  test.each([null, 'soon', -1, 0, 1e300, {}])('ends nobody knows when: %j', (resetsAt) => {
    const limit = { what: 'rate_limit', resetsAt: null };
    expect(claudeRow({ error: 'rate_limit', quotaLimits: { resetsAt } })?.limit).toEqual(limit);
  });

  it('of a subagent is not the session’s', () => {
    expect(claudeRow({ error: 'rate_limit', isSidechain: true })?.limit).toBeUndefined();
  });

  test.each([
    ['internal_server_error', 'server_error'],
    ['server_overloaded', 'server_error'],
    ['unauthorized', 'authentication_failed'],
    ['context_window_exceeded', undefined],
    [{ http_connection_failed: { http_status_code: 503 } }, 'server_error'],
    [{ http_connection_failed: { http_status_code: 401 } }, 'authentication_failed'],
    [{ http_connection_failed: { http_status_code: 402 } }, 'billing_error'],
    [{ http_connection_failed: { http_status_code: 404 } }, undefined],
    [{ response_too_many_failed_attempts: { http_status_code: 429 } }, 'rate_limit'],
    [{ response_stream_disconnected: { http_status_code: null } }, 'server_error'],
    [{ active_turn_not_steerable: { turn_kind: 'review' } }, undefined],
    ['constructor', undefined],
    [null, undefined],
  ])('of Codex’s word %j is %s', (codex_error_info, what) => {
    const payload = { type: 'task_complete', error: { codex_error_info } };
    const line = codex.readTranscriptLine(JSON.stringify({ type: 'event_msg', payload }));
    expect([line?.failed, line?.limit?.what]).toEqual([true, what]);
  });

  it('is none where Codex’s turn ended well', () => {
    const payload = { type: 'task_complete', last_agent_message: 'Done.' };
    const line = codex.readTranscriptLine(JSON.stringify({ type: 'event_msg', payload }));
    expect([line?.failed, line?.limit]).toEqual([undefined, undefined]);
  });
});

describe('Codex: who began a turn', () => {
  test.each([
    ['codex/transcript-hold.jsonl', ['background', 'person', 'hook']],
    ['codex/transcript-compaction.jsonl', ['background', 'person', 'background', 'hook']],
    // The last one is a goal's.
    ['codex/transcript-usage-limit.jsonl', ['background', 'person', 'background']],
  ])('is told: %s', (name, expected) => {
    expect(origins(codex, name)).toEqual(expected);
  });

  const message = (text: string, types?: readonly unknown[]) => {
    const content_item_metadata = types?.map((type) => ({ provenance: { type } }));
    return codex.readTranscriptLine(
      JSON.stringify({
        type: 'response_item',
        payload: {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text }],
          ...(types && { internal_chat_message_metadata_passthrough: { content_item_metadata } }),
        },
      }),
    );
  };

  test.each([
    ['Go', undefined, undefined],
    ['Go', [null], undefined],
    ['Go', ['skills', 'user'], 'person'],
    ['<environment_context>', undefined, 'background'],
    ['<codex_internal_context source="goal">', undefined, 'background'],
    ['<environment_context> is what I typed', ['user'], 'person'],
    ['<hook_prompt hook_run_id="x">Go on</hook_prompt>', ['harness'], 'hook'],
  ])('of %s with %j is %s', (text, types, by) => {
    expect(message(text, types)).toMatchObject({ startsTurn: true });
    expect(message(text, types)?.startedBy).toBe(by);
  });
});

describe('Codex: a tool’s output', () => {
  const states = (name: string) =>
    recordedLines(name).flatMap((line) => codex.readTranscriptLine(line)?.leavesRunning ?? []);

  it('says whether what it started still runs', () => {
    expect(states('codex/transcript-running.jsonl')).toEqual([true, false]);
  });

  it('says so in code mode: of a command, and of a script', () => {
    expect(states('codex/transcript-running-code-mode.jsonl')).toEqual([true, false, true, false, false]);
  });

  const output = (text: unknown, type = 'function_call_output') =>
    codex.readTranscriptLine(JSON.stringify({ type: 'response_item', payload: { type, output: text } }));

  it('is not mistaken for what a program printed', () => {
    const printed = 'Process running with session ID 1\n';
    const ended = `Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n${printed}`;
    expect(output(ended)?.leavesRunning).toBe(false);
    const script = 'Script completed\nWall time 0.1 seconds\nOutput:\n';
    expect(output([{ text: script }, { text: printed }])?.leavesRunning).toBe(false);
    expect(output([{ text: script }, { text: '{"session_id":1}' }])?.leavesRunning).toBe(false);
  });

  test.each(['Success. Updated the following files:', '', null, 5, [], [{ text: 5 }]])(
    'says nothing of it: %j',
    (text) => {
      expect(output(text)).not.toHaveProperty('leavesRunning');
    },
  );

  it('ends with a script that was terminated', () => {
    expect(output('Script terminated\nWall time 0.0 seconds\nOutput:\n')?.leavesRunning).toBe(false);
    expect(output('Script running with cell ID 1\n', 'message')?.leavesRunning).toBeUndefined();
  });
});

describe('Claude Code: a line', () => {
  test.each([
    [{ turnOrigin: 'human' }, 'person'],
    [{ turnOrigin: 'scheduled' }, 'background'],
    [{ turnOrigin: 'task_notification', origin: { kind: 'human' } }, 'background'],
    [{ origin: { kind: 'auto-continuation' } }, 'background'],
    [{ turnOrigin: 'constructor' }, undefined],
    [{ origin: 'human' }, undefined],
  ])('with %j was begun by %s', (fields, by) => {
    expect(line({ type: 'user', message: { content: 'Go' }, ...fields })?.startedBy).toBe(by);
  });

  const line = (entry: object) => claudeCode.readTranscriptLine(JSON.stringify({ uuid: 'u1', ...entry }));
  const quiet = { marker: 'u1', toolCall: false, startsTurn: false, said: null };
  const callOf = (name: unknown) => ({
    type: 'assistant',
    message: { id: 'm', content: [{ type: 'tool_use', name }] },
  });

  it('of a subagent proves nothing about the agent', () => {
    expect(line({ ...callOf('Bash'), isSidechain: true })).toEqual(quiet);
    expect(line({ type: 'user', isSidechain: true, message: { content: 'Go' } })).toEqual(quiet);
  });

  test.each(['TodoWrite', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate'])(
    'that calls %s is no work',
    (name) => {
      expect(line(callOf(name))).toEqual(quiet);
    },
  );

  test.each(['Bash', 'Task', 'TaskOutput', 'mcp__x__y', null])('that calls %s is work', (name) => {
    expect(line(callOf(name))?.toolCall).toBe(true);
  });

  it('with text and a tool call beside each other says both', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'tool_use', name: 'Bash' },
    ];
    expect(line({ type: 'assistant', message: { id: 'm', content } })).toEqual({
      ...quiet,
      toolCall: true,
      said: { messageId: 'm', text: 'a\nb', blocks: ['a', 'b'] },
    });
  });

  it('with a summary was begun by nobody, whatever turn it interrupts', () => {
    const summary = {
      type: 'user',
      isCompactSummary: true,
      turnOrigin: 'human',
      message: { content: 'So far' },
    };
    expect(line(summary)).toEqual({ ...quiet, startsTurn: true, startedBy: 'background' });
  });

  it('of feedback by another hook, or to a subagent, is no hold', () => {
    const attachment = { type: 'hook_additional_context', hookEvent: 'Stop', content: ['Go on'] };
    const row = { type: 'attachment', attachment };
    expect(line(row)).toEqual({ ...quiet, startsTurn: true, startedBy: 'hook' });
    expect(line({ ...row, isSidechain: true })).toEqual(quiet);
    expect(line({ ...row, attachment: { ...attachment, hookEvent: 'SessionStart' } })).toEqual(quiet);
    expect(line({ ...row, attachment: { ...attachment, type: 'hook_success' } })).toEqual(quiet);
  });

  test.each([
    ['permission-rule', ['t1']],
    ['automode-blocked', ['t1']],
    ['interrupted', undefined],
    ['cancelled', undefined],
    [undefined, undefined],
  ])('of a result with the denial %s denies %j', (toolDenialKind, denied) => {
    const content = [{ type: 'tool_result', tool_use_id: 't1' }, { type: 'tool_result' }];
    const read = line({ type: 'user', toolDenialKind, message: { content } });
    expect(read).toEqual({ ...quiet, ...(denied && { denied }) });
  });

  it('names the calls that are work, unless one has no name', () => {
    const call = (name: string, id?: string) => ({ type: 'tool_use', name, id });
    const callsOf = (...content: object[]) =>
      line({ type: 'assistant', message: { id: 'm', content } })?.calls;
    expect(callsOf(call('Bash', 'a'), call('TodoWrite', 'b'), call('Read', 'c'))).toEqual(['a', 'c']);
    expect(callsOf(call('Bash', 'a'), call('Read'))).toBeUndefined();
  });

  it('that is an aside of the client starts no turn', () => {
    expect(line({ type: 'user', isMeta: true, message: { content: 'Caveat: …' } })).toEqual(quiet);
  });

  it('without a uuid, or with one only inside, is not read', () => {
    expect(claudeCode.readTranscriptLine('{"type":"last-prompt","lastPrompt":"Go"}')).toBeNull();
    expect(claudeCode.readTranscriptLine('{"type":"user","message":{"uuid":"u1"}}')).toBeNull();
  });
});

describe('Codex: a recorded transcript', () => {
  it('shows prompt, tool calls, hold and texts; goal and plan are no work', () => {
    expect(story(codex, 'codex/transcript-hold.jsonl')).toEqual([
      ...['turn', 'turn', 'Looking at the folder.', 'tool', 'I am done, I think.'],
      ...['turn', 'Noting the goal.', 'tool', 'Now it is really done.'],
    ]);
  });

  it('shows them in code mode, where every call is a script', () => {
    expect(story(codex, 'codex/transcript-code-mode.jsonl')).toEqual([
      ...['turn', 'turn', 'Looking.', 'tool', 'I am done, I think.'],
      ...['turn', 'Noting the goal.', 'Planning.', 'Now it is really done.'],
    ]);
  });

  it('starts again after a compaction, whose summary is no answer of the agent', () => {
    expect(story(codex, 'codex/transcript-compaction.jsonl')).toEqual([
      ...['turn', 'turn', 'Looking.', 'tool', 'SUMMARY: the folder was listed.'],
      ...['turn', 'After compaction.', 'turn', 'After the hold.'],
    ]);
  });

  it('gives every line a marker of its own', () => {
    const lines = recordedLines('codex/transcript-hold.jsonl');
    const markers = lines.map((line) => codex.readTranscriptLine(line)?.marker);
    expect(new Set(markers).size).toBe(lines.length);
    expect(markers).not.toContain(undefined);
  });
});

describe('Codex: a tool call', () => {
  const calls = (payload: object) =>
    codex.readTranscriptLine(JSON.stringify({ type: 'response_item', payload }))?.toolCall;
  const script = (input: unknown) => calls({ type: 'custom_tool_call', name: 'exec', input });

  test.each(['update_plan', 'create_goal', 'get_goal', 'update_goal'])(
    'of %s is no work, plain or in a script',
    (name) => {
      expect(calls({ type: 'function_call', name })).toBe(false);
      expect(script(`text(await tools.${name}({}))`)).toBe(false);
    },
  );

  it('of a shell is work in every form', () => {
    expect(calls({ type: 'function_call', name: 'exec_command' })).toBe(true);
    expect(calls({ type: 'custom_tool_call', name: 'apply_patch' })).toBe(true);
    expect(calls({ type: 'local_shell_call', action: {} })).toBe(true);
    expect(script('await tools.exec_command({cmd:"ls"})')).toBe(true);
  });

  it('beside bookkeeping in one script is work, and so is any use that is unknown', () => {
    expect(script('await tools.get_goal({}); await tools . exec_command({})')).toBe(true);
    expect(script('const t = tools; await t.get_goal({})')).toBe(true);
    expect(script('await tools["exec_command"]({})')).toBe(true);
  });

  it('that reaches for no tool is none', () => {
    expect(script('text(1 + 1)')).toBe(false);
    expect(script(undefined)).toBe(false);
    expect(calls({ type: 'function_call_output', output: 'tools.exec_command' })).toBe(false);
    expect(calls({ type: 'reasoning' })).toBe(false);
  });

  it('is not proved by an event that only tells of it', () => {
    const event = { type: 'event_msg', payload: { type: 'function_call', name: 'exec_command' } };
    expect(codex.readTranscriptLine(JSON.stringify(event))?.toolCall).toBe(false);
  });
});

describe('a recorded transcript of another client', () => {
  const held = ['turn', 'Looking.', 'tool', 'I am done, I think.'];

  it('of Copilot shows prompt, tool calls, holds and texts; what other lines repeat is nobody’s word', () => {
    expect(story(copilot, 'copilot/transcript-hold.jsonl')).toEqual([
      ...held,
      ...['turn', 'After hold.', 'tool', 'Second answer.', 'turn', 'Third answer.'],
    ]);
  });

  it('of Copilot starts again after a compaction, whose summary is no answer of the agent', () => {
    expect(story(copilot, 'copilot/transcript-compaction.jsonl')).toEqual([
      ...['turn', 'First answer.', 'turn', 'turn', 'Third answer.'],
    ]);
  });

  it('of Copilot names the stop at which its hook was started, after what was said last', () => {
    const lines = recordedLines('copilot/transcript-hold.jsonl').map(copilot.readTranscriptLine);
    for (const name of ['first', 'after-hold']) {
      const { endMark } = copilot.decode(recordedPayload(`copilot/stop-${name}.json`));
      const at = lines.findIndex((line) => line?.endMark === endMark);
      expect(endMark).toBeDefined();
      expect(lines.slice(0, at).findLast((line) => line?.said)?.said?.text).toBe(
        name === 'first' ? 'I am done, I think.' : 'Second answer.',
      );
    }
  });

  it('of Qwen shows prompt, tool calls and texts; it has no line for a hold', () => {
    expect(story(qwen, 'qwen/transcript-hold.jsonl')).toEqual([
      ...held,
      ...['After hold.', 'tool', 'Second answer.', 'Third answer.'],
    ]);
  });

  it('of Droid shows context, prompt, tool calls, holds and texts; notes of hooks say nothing', () => {
    expect(story(droid, 'droid/transcript-hold.jsonl')).toEqual([
      ...['turn', ...held],
      ...['turn', 'After hold.', 'tool', 'Second answer.', 'turn', 'Third answer.'],
    ]);
  });

  it('of Droid has the very message that a stop names', () => {
    const { endMark } = droid.decode(recordedPayload('droid/stop-after-hold.json'));
    const named = recordedLines('droid/transcript-hold.jsonl')
      .map(droid.readTranscriptLine)
      .filter((line) => line?.endMark === endMark);
    expect(named.map((line) => line?.said?.text)).toEqual(['Third answer.']);
  });

  it('of Droid tells that a turn ended by an API error, which nobody said', () => {
    const { endMark } = droid.decode(recordedPayload('droid/stop-after-api-error.json'));
    const lines = recordedLines('droid/transcript-api-error.jsonl').map(droid.readTranscriptLine);
    const named = lines.find((line) => line?.endMark === endMark);
    expect(named).toMatchObject({ failed: true, said: null, startsTurn: false });
    expect(lines.filter((line) => line?.failed)).toHaveLength(3);
    expect(lines.filter((line) => line?.said)).toEqual([]);
  });

  it('of Gemini shows prompt, tool calls, holds and texts, each message twice when tools ran', () => {
    expect(story(gemini, 'gemini/transcript-hold.jsonl')).toEqual([
      ...['turn', 'turn', 'Looking at the folder.', 'Looking at the folder.', 'tool', 'I am done, I think.'],
      ...['turn', 'After hold one.', 'After hold one.', 'tool', 'Second answer.', 'turn', 'Third answer.'],
    ]);
  });

  it('of Gemini starts again after a compaction and after resuming', () => {
    expect(story(gemini, 'gemini/transcript-compaction.jsonl').slice(-4)).toEqual([
      ...['done one', 'turn', 'turn', 'done two'],
    ]);
    expect(story(gemini, 'gemini/transcript-resume.jsonl')).toEqual([
      ...['turn', 'turn', 'one', 'turn', 'turn', 'turn', 'two'],
    ]);
  });

  it('tells who began a turn, where it says so', () => {
    expect(origins(qwen, 'qwen/transcript-hold.jsonl')).toEqual(['person']);
    expect(origins(copilot, 'copilot/transcript-compaction.jsonl')).toEqual([
      ...[undefined, 'background', undefined],
    ]);
    expect(origins(gemini, 'gemini/transcript-compaction.jsonl').at(-2)).toBe('background');
  });

  test.each([
    [copilot, 'copilot/transcript-hold.jsonl'],
    [copilot, 'copilot/transcript-compaction.jsonl'],
    [qwen, 'qwen/transcript-hold.jsonl'],
    [droid, 'droid/transcript-hold.jsonl'],
    [gemini, 'gemini/transcript-hold.jsonl'],
  ])('gives every line a marker of its own: $name %s', (client, name) => {
    const markers = recordedLines(name).flatMap((line) => client.readTranscriptLine(line)?.marker ?? []);
    expect(markers.length).toBeGreaterThan(9);
    expect(new Set(markers).size).toBe(markers.length);
  });
});

describe('tools that only keep a list', () => {
  const line = (entry: object) => JSON.stringify(entry);
  const inCopilot = (name: unknown) =>
    copilot.readTranscriptLine(
      line({ type: 'assistant.message', id: 'e', data: { toolRequests: [{ name }] } }),
    );
  const inQwen = (name: unknown) =>
    qwen.readTranscriptLine(
      line({ uuid: 'u', type: 'assistant', message: { parts: [{ functionCall: { name } }] } }),
    );
  const inDroid = (name: unknown) =>
    droid.readTranscriptLine(
      line({
        type: 'message',
        id: 'm',
        message: { role: 'assistant', content: [{ type: 'tool_use', name }] },
      }),
    );
  const inGemini = (name: unknown) =>
    gemini.readTranscriptLine(line({ id: 'm', type: 'gemini', content: '', toolCalls: [{ name }] }));

  it('are no work in any client, and every other tool is', () => {
    const calls = [
      ...['update_todo', 'report_intent'].map(inCopilot),
      ...['todo_write', 'get_goal', 'update_goal'].map(inQwen),
      inDroid('TodoWrite'),
      inGemini('write_todos'),
    ];
    expect(calls.map((call) => call?.toolCall)).toEqual(calls.map(() => false));
    for (const call of [inCopilot, inQwen, inDroid, inGemini]) {
      expect(call('shell')?.toolCall).toBe(true);
      expect(call(null)?.toolCall).toBe(true);
    }
  });

  it('of a subagent prove nothing about the agent', () => {
    const data = { toolRequests: [{ name: 'bash' }], content: 'Hm.', parentToolCallId: 'call_1' };
    expect(copilot.readTranscriptLine(line({ type: 'assistant.message', id: 'e', data }))).toEqual({
      marker: 'e',
      toolCall: false,
      startsTurn: false,
      said: null,
    });
  });
});

const withoutOwnFormat = ['generic', 'unknown', 'cursor'].map(clientNamed);

describe.each(withoutOwnFormat)('$name: a transcript in any known format', (client) => {
  test.each([
    [claudeCode, 'claude-code/transcript-hold.jsonl'],
    [claudeCode, 'claude-code/transcript-compaction-2.1.325.jsonl'],
    [codex, 'codex/transcript-hold.jsonl'],
    [codex, 'codex/transcript-compaction.jsonl'],
    [copilot, 'copilot/transcript-hold.jsonl'],
    [copilot, 'copilot/transcript-compaction.jsonl'],
    [qwen, 'qwen/transcript-hold.jsonl'],
    [droid, 'droid/transcript-hold.jsonl'],
    [gemini, 'gemini/transcript-compaction.jsonl'],
  ])('reads as in $name: %s', (known, name) => {
    expect(story(client, name)).toEqual(story(known, name));
    expect(story(client, name)).not.toEqual([]);
  });

  it('may be Claude Code’s without its ids', () => {
    const line = (entry: object) => client.readTranscriptLine(JSON.stringify(entry));
    const text = { type: 'text', text: 'Done.' };
    expect(line({ type: 'assistant', message: { role: 'assistant', content: [text] } })?.said?.text).toBe(
      'Done.',
    );
    expect(line({ type: 'assistant', message: { content: 'Done.' } })?.said?.text).toBe('Done.');
    expect(line({ type: 'assistant', message: { content: [{ type: 'tool_use' }] } })?.toolCall).toBe(true);
    expect(line({ type: 'user', message: { content: 'Go' } })?.startsTurn).toBe(true);
  });
});

const everyClient = clients;

describe.each(everyClient)('$name: a line nobody can read', (client) => {
  test.each(['', ' ', '{', '{"uuid":"u1"', '[]', 'null', '"uuid"', '{"uuid":7}', '{"payload":[]}', '\0'])(
    '%j is null',
    (line) => {
      expect(client.readTranscriptLine(line)).toBeNull();
    },
  );

  it('of 10 MB does no harm', () => {
    const text = 'x'.repeat(10_000_000);
    const whole = JSON.stringify({ uuid: 'u', type: 'user', message: { content: text }, payload: { text } });
    expect(() => client.readTranscriptLine(whole)).not.toThrow();
    expect(client.readTranscriptLine(whole.slice(0, -5))).toBeNull();
  });

  it('of any JSON never throws', () => {
    const deep = fc.dictionary(
      fc.constantFrom('id', 'content', 'type', 'role', 'name', 'input', 'model', 'parts', 'toolRequests'),
      fc.jsonValue(),
    );
    const entries = fc.record({
      uuid: fc.oneof(fc.constant('u'), fc.jsonValue()),
      type: fc.constantFrom(
        ...['user', 'assistant', 'response_item', 'compacted', 'message', 'gemini', 'hook.start'],
        ...['assistant.message', 'user.message', null],
      ),
      id: fc.oneof(fc.constant('i'), fc.jsonValue()),
      data: fc.oneof(deep, fc.jsonValue()),
      content: fc.jsonValue(),
      $set: fc.jsonValue(),
      message: fc.oneof(deep, fc.jsonValue()),
      payload: fc.oneof(deep, fc.jsonValue()),
    });
    fc.assert(
      fc.property(
        fc.oneof(entries, fc.jsonValue()),
        (entry) => void client.readTranscriptLine(JSON.stringify(entry)),
      ),
    );
  });
});
