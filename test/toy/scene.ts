// A project to play the toys in: stops as Claude Code sends them, commands as the agent's shell runs them, all of
// them real processes; and what they left behind. Everything is removed, and every process ended, after the file.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { StopEntry } from '../../src/store/journal-lines.ts';
import type { Attempt, Sidecar } from '../../src/store/records.ts';
import { atTheEnd, endAtTheEnd } from '../support/at-the-end.ts';
import { type Fired, fireHook, type Ran, type RunOptions, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { toyPlugin } from './plugin.ts';

export const SESSION = '5e551011-0000-4000-8000-000000000001';

/** The folder on PATH that holds `toy-reviewer`. */
const fixtures = path.resolve(import.meta.dirname, '../fixtures');

export type ToyState = { phase: string; left: number; reviews: number; note?: string };

export type Start = {
  session?: string | null;
  phase?: string;
  left?: number;
  toy?: 'toy' | 'toy2';
  cwd?: string;
};

/** `session: null` fires the hook by hand. */
export type Stopping = RunOptions & { session?: string | null; payload?: object; cwd?: string };

export type RunningHook = { process: ChildProcess; ended: Promise<Ran> };

export type ToyScene = Pick<TempProject, 'root' | 'home' | 'write' | 'read' | 'exists'> & {
  /** Where `toy-reviewer` leaves its notes. */
  notes: string;
  env: Record<string, string>;
  start(id: string, start?: Start): Promise<void>;
  stop(stopping?: Stopping): Promise<Fired>;
  /** The same, not waited for. */
  beginStop(stopping?: Stopping): RunningHook;
  cli(args: readonly string[], options?: RunOptions & { cwd?: string }): Promise<Ran>;
  state(id: string, toy?: 'toy' | 'toy2'): ToyState;
  setState(id: string, state: Partial<ToyState>, toy?: 'toy' | 'toy2'): void;
  sidecar(id: string, toy?: 'toy' | 'toy2'): Sidecar;
  setSidecar(id: string, change: object): void;
  /** The stops in it. */
  journal(): StopEntry[];
  /** How often the reviewer was started. */
  reviews(): number;
};

// A stop takes 50 ms, but a busy machine may take its time; nothing here is measured.

export function toyScene(name?: string): ToyScene {
  const project = tempProject(name);
  atTheEnd(() => project.remove());
  const { root, home } = project;
  const notes = path.join(path.dirname(root), 'notes');
  fs.mkdirSync(notes);
  const env = {
    HOME: home,
    PATH: `${fixtures}:${process.env.PATH}`,
    TOY_NOTES: notes,
    LANG: 'C.UTF-8',
  };
  const options = ({ env: more, ...rest }: RunOptions) => ({
    plugin: toyPlugin,
    ...rest,
    env: { ...env, ...more },
  });
  const sidecarFile = (id: string, toy = 'toy') => path.join(root, '.holdfast', 'runs', `${toy}-${id}.json`);
  const payloadOf = ({ session = SESSION, payload, cwd = root }: Stopping) => ({
    ...(session === null ? {} : { session_id: session }),
    cwd,
    prompt_id: 'prompt-1',
    hook_event_name: 'Stop',
    stop_hook_active: false,
    ...payload,
  });
  return {
    ...project,
    notes,
    env,
    async start(id, { session = SESSION, phase, left, toy = 'toy', cwd = root } = {}) {
      const flags = [
        ...(phase === undefined ? [] : ['--phase', phase]),
        ...(left === undefined ? [] : ['--left', String(left)]),
      ];
      const owner = session === null ? {} : { CLAUDE_CODE_SESSION_ID: session };
      const ran = await runCli(cwd, [toy, 'start', ...flags, id], options({ env: owner }));
      if (ran.exitCode !== 0) throw new Error(`the toy did not start: ${ran.stderr}`);
    },
    stop: (stopping = {}) => fireHook(stopping.cwd ?? root, payloadOf(stopping), options(stopping)),
    beginStop(stopping = {}) {
      const child = spawn(path.join(toyPlugin, 'hooks', 'stop'), [], {
        cwd: root,
        env: { ...env, ...stopping.env },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      endAtTheEnd(child);
      child.stdin.end(JSON.stringify(payloadOf(stopping)));
      return { process: child, ended: collect(child) };
    },
    cli: (args, { cwd = root, ...rest } = {}) => runCli(cwd, args, options(rest)),
    state: (id, toy = 'toy') => JSON.parse(project.read(`.${toy}/${id}.json`)),
    setState(id, state, toy = 'toy') {
      const whole = { phase: 'working', left: 100, reviews: 0, note: 'a secret note', ...state };
      project.write(`.${toy}/${id}.json`, `${JSON.stringify(whole)}\n`);
    },
    sidecar: (id, toy) => JSON.parse(fs.readFileSync(sidecarFile(id, toy), 'utf8')),
    setSidecar(id, change) {
      const known = fs.existsSync(sidecarFile(id))
        ? JSON.parse(fs.readFileSync(sidecarFile(id), 'utf8'))
        : {};
      fs.mkdirSync(path.dirname(sidecarFile(id)), { recursive: true });
      fs.writeFileSync(sidecarFile(id), JSON.stringify({ ...known, ...change }));
    },
    journal: () => journalOf(path.join(root, '.holdfast', 'journal.jsonl')),
    reviews: () => linesOf(path.join(notes, 'runs')).length,
  };
}

export function journalOf(file: string): StopEntry[] {
  return linesOf(file)
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === 'stop');
}

/** The process ids that the reviewer noted down of itself and its children. */
export function familyOf(scene: ToyScene): number[] {
  return linesOf(path.join(scene.notes, 'family')).map(Number);
}

export function attemptOf(scene: ToyScene, id: string): Attempt {
  const [attempt] = scene.sidecar(id).attempts;
  if (attempt === undefined) throw new Error(`no review of ${id} is noted down`);
  return attempt;
}

/** Waits for something that another process does. The time given is only there to fail at last. */
export async function eventually(what: string, isSo: () => boolean, withinMs = 40_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`it did not come to pass that ${what}`);
    await sleep(15);
  }
}

export const reviewStarted = (scene: ToyScene): Promise<void> =>
  eventually('the review started', () => fs.existsSync(path.join(scene.notes, 'started')));

/** A zombie has ended; whoever should look has just not looked yet. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\s*(Z|$)/.test(execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }));
  } catch {
    return false;
  }
}

/** All files of a folder but git's own, with their contents. */
export function filesIn(folder: string): Record<string, string> {
  const found = fs.readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' });
  const files = found.filter((entry) => entry.isFile() && !/(^|\/)\.git(\/|$)/.test(entry.parentPath));
  return Object.fromEntries(
    files.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(folder, file), fs.readFileSync(file, 'utf8')];
    }),
  );
}

function linesOf(file: string): string[] {
  if (!fs.existsSync(file)) return [];
  return fs.readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

function collect(child: ChildProcess): Promise<Ran> {
  return new Promise((resolve) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}
