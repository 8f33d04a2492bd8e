// Sound texts of every kind we read, to be broken: recorded from the real clients where they are theirs.

import fs from 'node:fs';
import path from 'node:path';
import { NEW_SESSION, NO_GUARD_MEMORY, newSidecar } from '../../src/store/records.ts';
import { writeNewState } from '../../src/workflows/claudex/state-format.ts';
import { FULL_STATE, TASKS, taskText } from '../fixtures/taskie/plan.ts';

const recordings = path.resolve(import.meta.dirname, '../fixtures/recorded');

function recorded(client: string, pattern: RegExp): string[] {
  const folder = path.join(recordings, client);
  const names = fs.readdirSync(folder).filter((name) => pattern.test(name));
  return names.map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
}

const lines = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.trimEnd().split('\n')).filter((line) => line.length < 20_000);

export const SESSION = 'f022f022-0000-4000-8000-000000000001';
export const NOW = Date.parse('2026-01-31T09:30:00Z');
export const LOOP_ID = '20260131-093000-1a2b3c';

export const payloads = [
  ...recorded('claude-code', /^(stop|session|pre).*\.json$/),
  ...recorded('codex', /^(stop|session|pre).*\.json$/),
  ...['copilot', 'qwen', 'droid', 'gemini'].flatMap((client) =>
    recorded(client, /(stop|session|after).*\.json$/),
  ),
  JSON.stringify({ sessionId: SESSION, cwd: '/', last_assistant_message: 'Done.', permission_mode: 'plan' }),
];

export const claudeTranscripts = recorded('claude-code', /^transcript.*\.jsonl$/);
export const codexTranscripts = recorded('codex', /^transcript.*\.jsonl$/);
/** Short ones beside the recorded: what is broken in them is rarely beside the point. */
const shortClaudeLines = [
  {
    uuid: 'u1',
    type: 'assistant',
    message: {
      id: 'm1',
      content: [
        { type: 'text', text: 'Done.' },
        { type: 'tool_use', name: 'Bash' },
      ],
    },
  },
  { uuid: 'u2', type: 'user', message: { content: [{ type: 'tool_result' }] } },
];
const shortCodexLines = [
  {
    type: 'response_item',
    payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
  },
  {
    type: 'response_item',
    payload: { type: 'custom_tool_call', name: 'exec', input: 'await tools.exec_command()' },
  },
];
const asLines = (entries: readonly object[]): string[] => entries.map((entry) => JSON.stringify(entry));

export const claudeLines = [
  ...lines(claudeTranscripts),
  ...asLines([...shortClaudeLines, ...shortClaudeLines]),
];
export const otherLines = (client: string): string[] => lines(recorded(client, /^transcript.*\.jsonl$/));
export const codexLines = [
  ...lines(codexTranscripts),
  ...asLines(Array.from({ length: 12 }, () => shortCodexLines).flat()),
];

export const envelopes = [
  ...recorded('claude-code', /^review.*\.json$/),
  ...recorded('codex', /^review.*\.json$/),
].flatMap((text) => [text, String((JSON.parse(text) as { stdout?: unknown }).stdout ?? '')]);

export const claudexStates = [
  writeNewState({
    id: LOOP_ID,
    mode: 'plan',
    topic: 'a cache with "quotes" and \\ backslashes',
    maxRounds: 3,
    fromDraft: true,
    interviewUsed: false,
    repoRoot: '/somewhere',
    session: SESSION,
    now: NOW,
  }),
  'mode: plan\nphase: drafting\nround: 0\nmax_rounds: 00\ntopic: "two\\nlines"\n',
  'mode: review\r\nphase: reviewing\r\nround: 2\r\nmax_rounds: 5\r\n',
  'mode: plan\nphase: summarizing\nround: 3\ndecision_signal: max-reached\nstarted_at_epoch: 1700000000\n# note\n',
];

export const findings = [
  '# Findings\n\n## High\n- one\n- two\n  - nested\n\n## Medium\nNone.\n\n## Low (1 finding)\n1. a name\n',
  '**Critical**\n* leak\n\n### Constructor\n- it throws\n\n```\n## High\n- not one\n```\n',
  '## High\r\n### A title\r\ntext\r\n### Another\r\n## Low\r\n- none found\r\n',
];

const frame = { id: 'f1', mode: 'loop', iter: 3, max: 10, prompt_file: '.holdfast/idle/f1.md' };
const state = {
  schema: 1,
  event: 'STATE',
  run_id: 'loop-1',
  updated_at: '2026-01-31T09:29:00Z',
  stack: [frame],
};

export const idleBodies = [
  JSON.stringify(state),
  JSON.stringify({ ...state, event: 'DONE', reason: 'COMPLETE', stack: [] }),
  JSON.stringify({
    ...state,
    stack: [
      { ...frame, mode: 'grind', filter: 'bug' },
      { ...frame, mode: 'issue', issue_id: 'x-1' },
    ],
  }),
];

const topic = {
  type: 'topic',
  id: '01JBF9X0000000000000000000',
  name: 'loop:current',
  description: '',
  created_at: 1,
};
const message = (body: string) => ({
  type: 'message',
  id: '01JBF9X0000000000000000001',
  topic_id: topic.id,
  parent_id: null,
  body,
  created_at: 1,
});

export const idleLogs = idleBodies.map((body) =>
  [
    topic,
    { ...topic, id: '01JBF9X00000000000000000ZZ', name: 'other' },
    message('{"hello":1}'),
    message(body),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
);

export const fallbacks = [
  '---\nactive: true\nmode: loop\niteration: 2\nmax_iterations: 10\n---\nFix the parser.\n',
  '\uFEFF---\r\nactive: "true" # yes\r\niteration:   7\r\n---\r\nA task.\r\n',
  '---\nactive: true\n---\n',
];

export const taskieStates = [
  JSON.stringify(FULL_STATE, null, 2),
  JSON.stringify({
    ...FULL_STATE,
    current_task: '2',
    phase: 'code-review',
    next_phase: 'post-code-review',
    note: ['{', '"'],
  }),
  '{ "phase": "complete", "next_phase": null, "phase": "new-plan" }',
];

export const taskTables = [
  TASKS,
  '| id | status |\n|:--|--:|\n| 1 | **done** |\n\n| 02 | `pending` |\n| x | pending |\n',
  '|1|pending|\n',
];
export const taskFiles = [taskText('1'), `${taskText('2', 'pending')}\n\`\`\`\n### Subtask 9: no\n\`\`\`\n`];

const memory = { ...NO_GUARD_MEMORY, held: true, noProgress: 2, marker: 'm' };
const attempt = {
  work: 'review' as const,
  id: 'a1',
  reviewer: 'claude',
  kind: 'plan-review',
  number: 1,
  file: '.taskie/plans/p/plan-review-1.md',
  model: 'opus',
  owner: SESSION,
  deadline: 1,
  status: 'running',
  verdict: null,
  before: 'x',
};

export const sidecars = [
  JSON.stringify({
    ...newSidecar('taskie:p'),
    sessions: [SESSION],
    guard: { [SESSION]: memory, constructor: memory },
    attempts: [attempt],
  }),
  JSON.stringify({
    ...newSidecar('idle:loop-1'),
    saved: {
      position: { topic: 't', inode: 1, scanned: 2 },
      seen: 'm',
      heard: { signal: 'constructor', state: 's' },
    },
  }),
  JSON.stringify({
    ...newSidecar(`claudex:${LOOP_ID}`),
    saved: { plan: 'f', waitHeld: 1, waitTold: null, warned: ['X'] },
  }),
];

sidecars.push(
  JSON.stringify({
    ...newSidecar('idle:loop-1'),
    sessions: [SESSION],
    waiting: {
      ...{ for: 'person', since: NOW, until: NOW + 1000, what: 'Which?' },
      shown: { marker: 'm', turn: 't' },
    },
    waits: { waited: 1, questions: 1, calls: 2, called: 3, callsAtHold: 1 },
  }),
  JSON.stringify({
    ...newSidecar('taskie:p'),
    waiting: { for: 'limit', since: NOW, until: null, what: 'usage-limit', reviewer: 'claude' },
  }),
);

/** As 0.1 and 0.2 wrote them. */
const { noProgress: still, noTools: unmoved, toolsUnknown: unknown, notified: told, ...counts } = memory;
const oldMemory = { ...counts, still, unmoved, unknown, told };
sidecars.push(
  JSON.stringify({
    schema: 1,
    run: 'taskie:p',
    sessions: [SESSION],
    committed: null,
    guard: { [SESSION]: oldMemory },
    attempt: { ...attempt, work: undefined },
    failures: { count: 0, state: '' },
    own: { review: { kind: 'plan-review', task: null, iteration: 1, number: 1 } },
  }),
);

export const sessions = [
  JSON.stringify({
    ...NEW_SESSION,
    runs: ['taskie:p', 'idle:loop-1'],
    notified: ['notice x'],
    looked: { idle: 1 },
  }),
  JSON.stringify({ ...NEW_SESSION, holds: { turn: 'p0', count: 7 } }),
  JSON.stringify({ ...NEW_SESSION, holds: { turn: null, count: 1 } }),
];

export const journals = [
  JSON.stringify({
    schema: 2,
    time: '2026-01-31T09:29:00Z',
    event: 'start',
    session: SESSION,
    workflow: 'idle',
    run: 'loop-1',
  }),
  JSON.stringify({
    schema: 2,
    time: '2026-01-31T09:31:00Z',
    event: 'end',
    session: null,
    workflow: 'idle',
    run: 'loop-1',
    outcome: 'completed',
  }),
  JSON.stringify({
    time: '2026-01-31T09:30:00Z',
    event: 'stop',
    client: 'codex',
    session: SESSION,
    turn: null,
    workflow: 'claudex',
    run: LOOP_ID,
    state: { mode: 'plan', phase: 'drafting', round: 1, maxRounds: 3, signal: 'none' },
    facts: {
      id: 'valid',
      cwd: 'inside',
      plan: 'missing',
      runner: 'idle',
      waited: 'no',
      lastReviewed: 0,
      reviewFiles: 'unread',
      unwarned: [],
    },
    guard: null,
    step: null,
    answer: 'hold',
    notice: false,
    error: null,
    milliseconds: 40,
  }),
  JSON.stringify({
    time: 'x',
    event: 'stop',
    client: 'claude-code',
    session: null,
    turn: null,
    workflow: 'idle',
    run: 'loop-1',
    state: {
      kind: 'loop',
      event: 'STATE',
      updatedAt: 1,
      stack: [{ mode: 'loop', iter: 1, max: 10, carryOn: false }],
    },
    facts: { now: 2, signal: 'none', seen: null, verdict: null, failedReviews: 0 },
    guard: null,
    step: null,
    answer: 'allow',
    notice: true,
    error: 'Refused: x',
    milliseconds: 1,
  }),
];

export const steps = [
  JSON.stringify({
    kind: 'allow',
    change: { event: 'DONE', reason: {} },
    notice: { name: 'constructor', slots: { toString: 1 } },
  }),
  JSON.stringify({ kind: 'allow', change: null, notice: { name: 'maximum', slots: { max: 3 } } }),
  JSON.stringify({ kind: 'allow', change: { event: 'DONE', reason: 'COMPLETE' }, notice: null }),
  JSON.stringify({
    kind: 'hold',
    change: { log: { why: 'finished' } },
    message: { name: 'round', slots: { round: 1, max: 3 } },
  }),
];

export const configs = [
  JSON.stringify(
    {
      guard: { unmoved: 2, tools: 5, workflows: { idle: { unmoved: 1 }, constructor: { tools: 1 } } },
      review: { timeout: 60, access: 'sandboxed' },
      idle: { issues: { list: 'gh issue list', show: 'gh issue view' } },
    },
    null,
    2,
  ),
  '{"review":{"timeout":7000,"access":"full"},"guard":{"unmoved":1000,"tools":1000}}',
];

export const tickets = [
  JSON.stringify({ root: '/somewhere', waiting: [{ run: 'idle:loop-1', expires: 9e15 }] }),
  JSON.stringify({ root: '/somewhere', runs: ['idle:loop-1'], expires: 9e15 }),
];

export const lockRecords = [
  `${JSON.stringify({ pid: 1, start: '1', boot: 'b', namespace: 'n', kernelFile: 3 })}\n`,
  '',
];

export const messages = [
  'Done.\n\n&lt;loop-done&gt;COMPLETE&lt;/loop-done&gt;\n',
  'All done.\n\n<loop-done>COMPLETE</loop-done>\n',
  '```\n<loop-done>STUCK</loop-done>\n```\n\n> quote\n\n- item\n  <loop-done>STUCK</loop-done>\n',
  '<!-- \n<loop-done>COMPLETE</loop-done>\n-->\n`code`\n\nHeading\n===\n',
];

export const names = [
  'my-plan',
  LOOP_ID,
  'loop-1730000000-4711',
  'x-0123',
  '../../etc',
  '/abs',
  'a\0b',
  'é🙂',
  '.',
  '..',
  '-rf',
  'CON',
];
