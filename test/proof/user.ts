// The whole way as people and their agents go it: a git repository with a config, a person at a terminal, an agent's
// shell, and the client that fires the hook. Everything through the built files; nothing of ours is written by hand.

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type EndEntry, parseJournalLine } from '../../src/store/journal-lines.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { type Fired, fireHook, type HookAnswer, type Ran, run, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

const PLUGIN = process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');
const CONFIG = 'holdfast.config.json';
export const SESSION = '5e551011-0000-4000-8000-00000000abcd';
export const COMPLETE = 'All done.\n\n<loop-done>COMPLETE</loop-done>';

export type User = TempProject & {
  /** A check that leaves a mark each time it runs, and then does what the script says. */
  check(name: string, script: string, more?: object): Record<string, object>;
  /** How often it ran. */
  ran(name: string): number;
  config(content: object): void;
  ownConfig(content: object): void;
  commit(): void;
  /** `holdfast trust` at a terminal, with what is typed there. */
  person(answer: string): Promise<Ran>;
  /** Any other command there. */
  atTerminal(...args: string[]): Promise<Ran>;
  /** A command in a terminal outside any client. */
  terminal(...args: string[]): Promise<Ran>;
  /** A command in the agent's shell. */
  agent(...args: string[]): Promise<Ran>;
  /** Fails when it does not start. */
  starts(...args: string[]): Promise<string>;
  stop(message: string, more?: object): Promise<HookAnswer>;
  /** The agent says that in its transcript, and calls a tool before it or none; then it stops. */
  says(message: string, tool: boolean): Promise<HookAnswer>;
  /** The same project in another work tree. */
  worktree(name: string): User;
  /** The same user in another folder, which is there. */
  elsewhere(folder: string): User;
  end(): Promise<EndEntry | undefined>;
  why(): Promise<string>;
};

/** In a repository with one commit. */
export function newUser(): User {
  const project = tempProject();
  atTheEnd(() => project.remove());
  project.write('code.txt', 'first\n');
  const user = userIn(project, path.join(path.dirname(project.root), 'marks'));
  user.commit();
  return user;
}

function userIn(project: TempProject, marks: string): User {
  const { root, home } = project;
  const options = { timeoutMs: 40_000, env: { HOME: home } };
  fs.mkdirSync(marks, { recursive: true });
  const git = (...args: string[]): void => {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
    execFileSync('git', ['-C', root, ...who, ...args], {
      env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'ignore',
      timeout: 120_000,
    });
  };
  const terminal = (...args: string[]): Promise<Ran> => runCli(root, args, options);
  const agent = (...args: string[]): Promise<Ran> =>
    runCli(root, args, { ...options, env: { ...options.env, CLAUDE_CODE_SESSION_ID: SESSION } });
  const journal = async () =>
    (await terminal('log', '--limit', '100', '--json')).stdout
      .split('\n')
      .flatMap((line) => parseJournalLine(line) ?? []);
  const payload = (message: string) => ({
    ...{ session_id: SESSION, cwd: root, prompt_id: 'p1', hook_event_name: 'Stop' },
    ...{ stop_hook_active: false, last_assistant_message: message },
  });
  const typed = (args: readonly string[], stdin: string): Promise<Ran> => {
    const line = [path.join(PLUGIN, 'bin/holdfast'), ...args].map((word) => `'${word}'`).join(' ');
    return run('script', ['-qec', line, '/dev/null'], root, { ...options, stdin });
  };
  const transcript = `${marks}.jsonl`;
  const write = (content: object): void => {
    const message = { id: randomUUID(), role: 'assistant', content: [content] };
    const line = { type: 'assistant', uuid: randomUUID(), timestamp: new Date().toISOString(), message };
    fs.appendFileSync(transcript, `${JSON.stringify(line)}\n`);
  };
  const stop: User['stop'] = async (message, more = {}) => {
    const { answer }: Fired = await fireHook(root, { ...payload(message), ...more }, options);
    return answer ?? {};
  };
  return {
    ...project,
    check: (name, script, more = {}) => ({
      [name]: { run: `echo ran >>'${path.join(marks, name)}'; ${script}`, ...more },
    }),
    ran(name) {
      const file = path.join(marks, name);
      return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').length - 1 : 0;
    },
    config: (content) => void project.write(CONFIG, JSON.stringify(content)),
    ownConfig(content) {
      const folder = path.join(home, '.config/holdfast');
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(path.join(folder, CONFIG), JSON.stringify(content));
    },
    commit() {
      git('add', '-A');
      git('commit', '--quiet', '--allow-empty', '-m', 'work');
    },
    person: (answer) => typed(['trust'], `${answer}\n`),
    atTerminal: (...args) => typed(args, ''),
    terminal,
    agent,
    async starts(...args) {
      const { exitCode, stdout, stderr } = await agent('idle', 'loop', ...args, 'a task');
      if (exitCode !== 0) throw new Error(`it did not start: ${stderr}`);
      return stdout;
    },
    stop,
    says(message, tool) {
      if (tool) write({ type: 'tool_use', id: randomUUID(), name: 'Bash', input: {} });
      write({ type: 'text', text: message });
      return stop(message, { transcript_path: transcript });
    },
    worktree(name) {
      const folder = path.join(path.dirname(root), name);
      git('worktree', 'add', '--quiet', folder);
      return userIn(projectAt(folder, home), marks);
    },
    elsewhere: (folder) => userIn(projectAt(folder, home), marks),
    end: async () => (await journal()).findLast((entry) => entry.event === 'end'),
    why: async () => (await terminal('why')).stdout,
  };
}

/** A folder that goes with the user's first project. */
function projectAt(root: string, home: string): TempProject {
  const at = (file: string): string => path.join(root, file);
  return {
    ...{ root, home, remove: () => {} },
    write(file, content) {
      fs.writeFileSync(at(file), content);
      return at(file);
    },
    read: (file) => fs.readFileSync(at(file), 'utf8'),
    exists: (file) => fs.existsSync(at(file)),
  };
}
