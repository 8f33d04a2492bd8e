// The ways a stop comes about: fired by hand, or by a client in a session of its own. A suite that runs in each of
// them sees what a session changes. A session's payloads and transcript lines are the recorded ones of the real
// client (test/fixtures/recorded) with this session's ids, folder and words in them.

import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Fired, fireHook, type RunOptions } from './hook.ts';
import type { TempProject } from './project.ts';
import { recordedLines, recordedPayload } from './recorded.ts';

export type Way = 'by hand' | 'claude-code' | 'codex';

/** Cases for `describe.each`. The text ends a suite's title, so that the suite fired by hand keeps its plain name. */
export const sessions: readonly (readonly [string, Way])[] = [
  [', in a Claude Code session', 'claude-code'],
  [', in a Codex session', 'codex'],
];
const all: typeof sessions = [['', 'by hand'], ...sessions];

/** One of them in `npm test`; all in `full`, which sets HOLDFAST_TEST_WAY to `all`. */
const wanted = process.env.HOLDFAST_TEST_WAY ?? 'claude-code';
export const ways: typeof sessions = all.filter(([, way]) => wanted === 'all' || wanted === way);

export type Talk = {
  /** Null when fired by hand. */
  session: string | null;
  /** What the client puts into the agent's own shell. */
  env: Readonly<Record<string, string>>;
  /** The agent calls a tool, says this and wants to end its turn. More of the payload where a test needs it. */
  stop(said?: string, more?: object, options?: RunOptions & { cwd?: string }): Promise<Fired>;
};

export function talkIn(way: Way, project: TempProject): Talk {
  return way === 'by hand' ? handFired(project) : inSession(way, project);
}

function handFired(project: TempProject): Talk {
  return {
    session: null,
    env: {},
    stop: (said, more = {}, { cwd = project.root, ...options } = {}) =>
      fireHook(cwd, { cwd, last_assistant_message: said, ...more }, options),
  };
}

function inSession(client: 'claude-code' | 'codex', project: TempProject): Talk {
  const session = randomUUID();
  const { env, hookEnv, file, prompt, work, hold } = formOf[client](session, project);
  let turn = randomUUID();
  let held = false;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const write = (lines: readonly object[]): void =>
    fs.appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  // The client writes the user's words down before the agent can run anything; a command waits where it finds none.
  write(prompt('Do it.'));
  let prompted = true;
  return {
    session,
    env,
    async stop(said = 'Working.', more = {}, { cwd = project.root, ...options } = {}) {
      if (!prompted) {
        turn = randomUUID();
        write(prompt('Go on.'));
      }
      write(work(said));
      const payload = {
        ...recordedPayload(`${client}/${held ? 'stop-after-hold' : 'stop-first'}.json`),
        session_id: session,
        [client === 'codex' ? 'turn_id' : 'prompt_id']: turn,
        transcript_path: file,
        cwd,
        last_assistant_message: said,
        ...more,
      };
      const fired = await fireHook(cwd, payload, { ...options, env: { ...hookEnv, ...options.env } });
      held = fired.answer?.decision === 'block';
      prompted = held;
      if (held) write(hold(fired.answer?.reason ?? ''));
      return fired;
    },
  };
}

type Form = {
  env: Record<string, string>;
  hookEnv: Record<string, string>;
  file: string;
  prompt(text: string): object[];
  /** A tool call, its result, and the words after it. */
  work(said: string): object[];
  hold(reason: string): object[];
};

const formOf: Record<'claude-code' | 'codex', (session: string, project: TempProject) => Form> = {
  'claude-code'(session, { home, root }) {
    const recorded = recordedLines('claude-code/transcript-hold.jsonl').map((line) => JSON.parse(line));
    const line = (index: number, message: object) => ({
      ...recorded[index],
      uuid: randomUUID(),
      sessionId: session,
      cwd: root,
      message: { ...recorded[index].message, ...message },
    });
    return {
      env: { CLAUDE_CODE_SESSION_ID: session },
      hookEnv: { CLAUDE_PROJECT_DIR: root },
      file: path.join(home, '.claude/projects/project', `${session}.jsonl`),
      prompt: (content) => [line(2, { content })],
      work: (text) => [
        line(6, { id: randomUUID() }),
        line(7, {}),
        line(8, { id: randomUUID(), content: [{ type: 'text', text }] }),
      ],
      hold: (reason) => [line(9, { content: `Stop hook feedback:\n${reason}` })],
    };
  },
  codex(session, { home }) {
    const recorded = recordedLines('codex/transcript-hold.jsonl').map((line) => JSON.parse(line));
    let ordinal = 0;
    const line = (index: number, payload: object) => ({
      ...recorded[index],
      ordinal: ordinal++,
      payload: { ...recorded[index].payload, ...payload },
    });
    const input = (text: string) => ({ id: `msg_${randomUUID()}`, content: [{ type: 'input_text', text }] });
    return {
      env: { CODEX_SESSION_ID: session, CODEX_THREAD_ID: session },
      hookEnv: {},
      file: path.join(home, '.codex/sessions/2026/11/15', `rollout-${session}.jsonl`),
      prompt: (text) => [line(7, input(text))],
      work: (text) => [
        line(11, { id: `fc_${randomUUID()}` }),
        line(14, {}),
        line(17, { id: `msg_${randomUUID()}`, content: [{ type: 'output_text', text, annotations: [] }] }),
      ],
      // The client escapes what it quotes: the agent reads `&lt;loop-done&gt;`.
      hold: (reason) => [
        line(20, input(`<hook_prompt hook_run_id="stop:5:/x">${escaped(reason)}</hook_prompt>`)),
      ],
    };
  },
};

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
