// A project to measure in: real git repository, an agent's session with a transcript that grows as Claude Code
// writes it, and the built hook, spawned through `sh -c` as the clients do.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const plugin =
  process.env.HOLDFAST_BENCH_PLUGIN ?? path.resolve(import.meta.dirname, '../dist/holdfast');
export const SESSION = '0b5d6c1e-1111-4222-8333-444455556666';

/** One for all scenes, as on a user's machine: the byte code that a stop finds there serves stops of every kind. */
const state = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-state-'));
process.once('exit', () => fs.rmSync(state, { recursive: true, force: true }));

export function makeScene() {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-')));
  const root = path.join(folder, 'project');
  fs.mkdirSync(path.join(folder, 'home'));
  execFileSync('git', ['init', '--quiet', root]);
  const env = { PATH: process.env.PATH, HOME: path.join(folder, 'home'), XDG_STATE_HOME: state };
  const transcript = path.join(folder, 'transcript.jsonl');
  fs.writeFileSync(transcript, '');
  const scene = {
    root,
    env,
    transcript,
    write: (file, content) => {
      const target = path.join(root, file);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.writeFileSync(target, content);
    },
    /** Runs our CLI as the agent's shell would, in its session. */
    cli: (args, input = '') => {
      const done = spawnSync(path.join(plugin, 'bin', 'holdfast'), args, {
        cwd: root,
        env: { ...env, CLAUDE_CODE_SESSION_ID: SESSION },
        input,
        encoding: 'utf8',
      });
      if (done.status !== 0) throw new Error(`holdfast ${args.join(' ')}: ${done.stderr}`);
      return done.stdout;
    },
    /** The agent works: a tool call and its last message reach the transcript. */
    work: () => fs.appendFileSync(transcript, transcriptLines()),
    /** The same, but the last message is not in the transcript yet when the hook is fired. */
    lag: () => fs.appendFileSync(transcript, transcriptLines().split(/(?<=\n)/)[0]),
    stop: (more = {}) => ({
      command: '/bin/sh',
      args: ['-c', `exec "${plugin}/hooks/stop"`],
      cwd: root,
      env,
      input: JSON.stringify({
        session_id: SESSION,
        transcript_path: transcript,
        cwd: root,
        prompt_id: 'p',
        hook_event_name: 'Stop',
        stop_hook_active: true,
        last_assistant_message: LAST_MESSAGE,
        ...more,
      }),
    }),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
  return scene;
}

/** A case's `after`: what was measured must have been what its name says. */
export const mustHold = (result, name) => {
  if (!result.stdout.includes('"decision":"block"'))
    throw new Error(`${name} was not held: ${result.stdout}${result.stderr}`);
};
export const mustAllow = (result, name) => {
  if (result.status !== 0 || result.stdout.includes('"decision"'))
    throw new Error(`${name} was not allowed: ${result.stdout}${result.stderr}`);
};

const LAST_MESSAGE = 'One more step is done.';
let line = 0;

function transcriptLines() {
  const message = (content) => ({
    type: 'assistant',
    uuid: `00000000-0000-4000-8000-${String(++line).padStart(12, '0')}`,
    sessionId: SESSION,
    message: { id: `msg_${line}`, role: 'assistant', content: [content] },
  });
  const lines = [
    message({ type: 'tool_use', id: `toolu_${line}`, name: 'Bash', input: { command: 'make' } }),
    message({ type: 'text', text: LAST_MESSAGE }),
  ];
  return lines.map((each) => `${JSON.stringify(each)}\n`).join('');
}
