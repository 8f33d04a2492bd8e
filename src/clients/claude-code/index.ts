// Claude Code, as 2.1.197 behaves (2.1.325 sends and writes the same): its stop payload, its answers. Recordings:
// test/fixtures/recorded.

import type { Environment } from '../../store/environment.ts';
import type { Client, Payload } from '../client.ts';
import { decodeCommon } from '../decode.ts';
import { nameField, objectsField, textField } from '../fields.ts';
import { ownLimit } from '../hook-limit.ts';
import { isFromQwen } from '../qwen/mark.ts';
import type { BackgroundTask, Stop } from '../stop.ts';
import { encode } from './encode.ts';
import { startFolder } from './start-folder.ts';
import { readTranscriptLine } from './transcript.ts';

export const claudeCode: Client = {
  name: 'claude-code',
  title: 'Claude Code',
  sessionVariables: ['CLAUDE_CODE_SESSION_ID'],
  pidVariable: 'CLAUDE_PID',
  startVariable: 'CLAUDE_PROJECT_DIR',
  secretVariables: ['CLAUDE_CODE_MESSAGING_SOCKET', 'CLAUDE_CODE_MESSAGING_TOKEN'],
  hookVariables: [
    ...['AI_AGENT', 'CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ATTENDED'],
    ...['CLAUDE_EFFORT', 'CLAUDE_ENV_FILE', 'CLAUDE_PLUGIN_DATA', 'CLAUDE_PLUGIN_ROOT'],
  ],
  sandbox: (stop, env, root) => import('./sandbox.ts').then(({ sandboxOf }) => sandboxOf(stop, env, root)),
  startFolder,
  recognises,
  decode: (payload) => ({
    ...decodeCommon(payload, 'claude-code'),
    // A client that looks like it and speaks of turns, as Codex does, is not it, whatever `--client` says.
    turn: 'turn_id' in payload ? null : nameField(payload, 'prompt_id'),
    backgroundTasks: runningTasks(payload),
    ...timersSet(payload),
  }),
  encode,
  readTranscriptLine,
  marksCompaction: true,
  wakesFor,
  usage: () => import('./usage.ts').then(({ usage }) => usage),
  work: () => import('./work.ts').then(({ work }) => work),
  hookLimit: ownLimit,
  longCommands: 'wakes',
  install: {
    program: 'claude',
    projectScope: true,
    asksForTrust: false,
    load: () => import('./install.ts').then((module) => module.installer),
  },
  headless: {
    program: 'claude',
    allows: (denied) => `"permissions": {"allow": ["Bash(${programIn(denied)} *)"]} in .claude/settings.json`,
    load: () => import('./headless/index.ts').then((module) => module.headless),
  },
};

/** What others send too is no mark when theirs is beside it. A session's start has nothing but what it lacks. */
function recognises(payload: Payload): boolean {
  if (isFromQwen(payload) || 'turn_id' in payload) return false;
  if ('prompt_id' in payload || 'background_tasks' in payload || 'session_crons' in payload) return true;
  const others = ['permission_mode', 'timestamp', 'initial_prompt', 'CLAUDE_ENV_FILE', 'cursor_version'];
  return (
    payload.hook_event_name === 'SessionStart' &&
    'source' in payload &&
    !others.some((name) => name in payload)
  );
}

function runningTasks(payload: Payload): readonly BackgroundTask[] {
  return objectsField(payload, 'background_tasks')
    .filter((task) => task.status === 'running')
    .map((task) => {
      const command = textField(task, 'command');
      const description = textField(task, 'description');
      return {
        id: textField(task, 'id') ?? '',
        type: textField(task, 'type') ?? '',
        ...(command === null ? {} : { command }),
        ...(description === null ? {} : { description }),
      };
    });
}

/** A recurring one fires for ever: nobody can wait for its end. */
function timersSet(payload: Payload): Pick<Stop, 'timers'> {
  const timers = objectsField(payload, 'session_crons').filter((cron) => cron.recurring === false).length;
  return timers === 0 ? {} : { timers };
}

/**
 * A shell may be a server that never ends, so only a subagent is waited for; and a timer where the client stays open
 * for it: `-p` exits beside one.
 */
function wakesFor({ backgroundTasks, timers = 0 }: Stop, env: Environment): readonly string[] {
  const subagents = backgroundTasks.filter(({ type }) => type === 'subagent');
  const named = subagents.flatMap(({ description }) => description?.slice(0, 60) || []).slice(0, 3);
  return [
    ...counted(subagents.length, 'subagent', named),
    ...counted(env.CLAUDE_CODE_SESSION_ATTENDED === '1' ? timers : 0, 'timer', []),
  ];
}

function counted(count: number, noun: string, named: readonly string[]): readonly string[] {
  if (count === 0) return [];
  const names = named.length === 0 ? '' : ` (${named.join('; ')})`;
  return [`${count === 1 ? `a ${noun}` : `${count} ${noun}s`}${names}`];
}

/** A rule for the program and whatever follows. */
function programIn(denied: string): string {
  const [program = ''] = denied
    .replace(/^Bash\b[:(\s]*/, '')
    .trim()
    .split(/\s+/);
  return program;
}
