// A project that can be put back to a remembered moment as often as a test likes, with the real hook and the
// real command line to fire at it, undisturbed or with a fault planted under them.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseSession, parseSidecar } from '../../src/store/parse-records.ts';
import type { Sidecar } from '../../src/store/records.ts';
import { type Fired, fireHook, type Ran, type RunOptions, run, runCli } from '../support/hook.ts';
import { processesOf } from '../support/processes.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { removeFolder } from '../support/remove-folder.ts';

export const SESSION = 's1';

const LAYER = path.resolve(import.meta.dirname, 'fault.cjs');
const PLUGIN = process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');
const REVIEWERS = path.resolve(import.meta.dirname, 'bin');

const CALL_LOOKS = 3_000;
const BETWEEN_LOOKS_MS = 20;

const USER_STATE = path.join('home', '.local', 'state', 'holdfast');

export type Step = { number: number; kind: string; file: string };

export class Bench {
  readonly project: TempProject = tempProject();
  readonly root = this.project.root;
  /** Holds the project, an empty HOME, the reviewers' script and log, the trace. */
  readonly #beside = path.dirname(this.root);
  readonly #remembered = `${this.#beside}-remembered`;
  readonly #plugin: string | undefined;
  /** More for the environment of every process from now on. */
  env: Record<string, string> = {};
  #rememberedEnv: Record<string, string> = {};
  /** Whether stops call somebody, in a process that outlives them: then a stop is over once that has ended. */
  callsSomebody = false;

  constructor(plugin?: string) {
    this.#plugin = plugin;
    fs.mkdirSync(path.join(this.#beside, 'reviews'));
    // A user has it from the first stop on, and going back takes away only what is in it.
    fs.mkdirSync(this.state(), { recursive: true, mode: 0o700 });
    this.reviewers('findings');
  }

  /** A stop of the session, with more in the payload where a scenario wants it. */
  async stop(payload: object = {}, fault?: string): Promise<Fired> {
    const stop = { session_id: SESSION, hook_event_name: 'Stop', cwd: this.root, ...payload };
    try {
      return await fireHook(this.root, stop, this.#options(fault));
    } finally {
      if (this.callsSomebody) await this.#untilNobodyIsCalled();
    }
  }

  /** Another event of the session than a stop. */
  event(name: string, payload: object = {}, fault?: string): Promise<Fired> {
    const sent = { session_id: SESSION, cwd: this.root, ...payload };
    return fireHook(this.root, sent, { ...this.#options(fault), args: [name] });
  }

  /** A command as the agent of the session runs it. */
  holdfast(args: readonly string[], options: RunOptions = {}, fault?: string): Promise<Ran> {
    const { env, ...rest } = this.#options(fault);
    const session = { CLAUDE_CODE_SESSION_ID: SESSION };
    return runCli(this.root, args, { ...rest, ...options, env: { ...env, ...session, ...options.env } });
  }

  /** A command as a person runs it, in a terminal outside of any client; `folder` lies beside the project. */
  person(args: readonly string[], fault?: string, folder = this.root): Promise<Ran> {
    return runCli(folder, args, this.#options(fault));
  }

  /** The same at a terminal, which `script` plays: it types the answer. */
  atTerminal(args: readonly string[], answer: string, fault?: string): Promise<Ran> {
    const program = path.join(this.#plugin ?? PLUGIN, 'bin', 'holdfast');
    const line = [`'${program}'`, ...args].join(' ');
    return run('script', ['-qec', line, '/dev/null'], this.root, {
      ...this.#options(fault),
      stdin: `${answer}\n`,
    });
  }

  /** Does something under the fault layer; `steps` are those it took, in order. */
  async trace<Result>(act: () => Promise<Result>): Promise<{ result: Result; steps: Step[] }> {
    const file = path.join(this.#beside, 'trace');
    fs.writeFileSync(file, '');
    const result = await act();
    const lines = fs.readFileSync(file, 'utf8').split('\n').slice(0, -1);
    const steps = lines.map((line, position) => {
      const [kind = '', ...rest] = line.split(' ');
      return { number: position + 1, kind, file: path.relative(this.root, rest.join(' ')) };
    });
    return { result, steps };
  }

  remember(): void {
    this.#rememberedEnv = this.env;
    for (const name of this.#places()) {
      const from = path.join(this.#beside, name);
      if (fs.existsSync(from)) copy(from, path.join(this.#remembered, name));
    }
  }

  goBack(): void {
    this.env = this.#rememberedEnv;
    // What a stop started may still be writing there.
    for (const name of this.#places()) removeFolder(path.join(this.#beside, name));
    copy(this.#remembered, this.#beside);
  }

  remove(): void {
    removeFolder(this.#remembered);
    this.project.remove();
  }

  at(...names: string[]): string {
    return path.join(this.root, ...names);
  }

  /** In the user's state folder. */
  state(...names: string[]): string {
    return path.join(this.#beside, USER_STATE, ...names);
  }

  /** What the reviewers do, one after the other; the last one stays. */
  reviewers(...behaviours: readonly string[]): void {
    fs.writeFileSync(path.join(this.#beside, 'reviews', 'script'), `${behaviours.join('\n')}\n`);
  }

  /** Lets gated reviewers go on, or makes the next ones wait. */
  gate(isOpen: boolean): void {
    const go = path.join(this.#beside, 'reviews', 'go');
    if (isOpen) fs.writeFileSync(go, '');
    else fs.rmSync(go, { force: true });
  }

  /** Makes the checks that ask for it wait, or lets them go on. */
  holdChecks(isHeld: boolean): void {
    const wait = path.join(this.#beside, 'reviews', 'wait');
    if (isHeld) fs.writeFileSync(wait, '');
    else fs.rmSync(wait, { force: true });
  }

  /** Review files of the reviews that began, or that said their verdict. */
  reviews(which: 'begin' | 'end'): string[] {
    const log = path.join(this.#beside, 'reviews', 'log');
    const lines = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').split('\n') : [];
    return lines.filter((line) => line.startsWith(`${which} `)).map((line) => line.slice(which.length + 1));
  }

  /** Of reviewers and of checks. */
  reviewerProcesses(): number[] {
    const file = path.join(this.#beside, 'reviews', 'pids');
    const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
    return lines.slice(0, -1).map(Number);
  }

  sidecar(name: string): Sidecar | null {
    const file = this.at('.holdfast', 'runs', `${name.replace(':', '-')}.json`);
    if (!fs.existsSync(file)) return null;
    const parsed = parseSidecar(readLine(fs.readFileSync(file, 'utf8')));
    return parsed.kind === 'ok' ? parsed.record : null;
  }

  /** The stops in its current file. */
  journal(event = 'stop'): Record<string, unknown>[] {
    const file = this.at('.holdfast', 'journal.jsonl');
    const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
    return lines.map(readLine).filter((entry): entry is Record<string, unknown> => entry?.event === event);
  }

  /** What is wrong with our own records; an interrupted append may leave one torn line in each log. */
  brokenRecords(): string[] {
    const problems: string[] = [];
    const parsers = { runs: parseSidecar, sessions: parseSession };
    for (const [folder, parse] of Object.entries(parsers))
      for (const name of list(this.at('.holdfast', folder)).filter((each) => !each.endsWith('.tmp'))) {
        const text = fs.readFileSync(this.at('.holdfast', folder, name), 'utf8');
        if (parse(readLine(text)).kind !== 'ok') problems.push(`${folder}/${name} is not whole: ${text}`);
      }
    for (const folder of ['pins', 'receipts', 'trust', 'driver-tokens'])
      for (const name of list(this.state(folder)).filter((each) => !each.endsWith('.tmp'))) {
        const text = fs.readFileSync(this.state(folder, name), 'utf8');
        if (readLine(text) === null) problems.push(`the user's ${folder}/${name} is not whole: ${text}`);
      }
    for (const log of ['.holdfast/journal.jsonl', '.jwz/messages.jsonl']) {
      const lines = fs.existsSync(this.at(log)) ? fs.readFileSync(this.at(log), 'utf8').split('\n') : [];
      const torn = lines.filter((line) => line !== '' && readLine(line) === null);
      if (torn.length > 1) problems.push(`${log} has ${torn.length} torn lines: ${torn.join(' / ')}`);
    }
    return problems;
  }

  temporaryFiles(): string[] {
    return this.#files().filter((file) => file.endsWith('.tmp'));
  }

  /** The same for two moments that differ in times, ids and fingerprints only. */
  look(): string {
    const hash = createHash('sha256');
    // The note in a dead holder's lock and the contents of its temp files are never read by anyone.
    const files = this.#files().filter((file) => !/\.tmp$|\/(lock|owner|pids)$/.test(file));
    for (const file of files)
      hash.update(`${withoutIds(file)} ${withoutIds(fs.readFileSync(file, 'latin1'))}`);
    hash.update(String(this.temporaryFiles().length > 0));
    return hash.digest('hex');
  }

  /** A call takes five seconds at most, and is ended then. */
  async #untilNobodyIsCalled(): Promise<void> {
    for (let tried = 0; processesOf(this.project).length > 0; tried += 1) {
      if (tried === CALL_LOOKS) throw new Error('a call to somebody goes on and on');
      await setTimeout(BETWEEN_LOOKS_MS);
    }
  }

  /** Everything that a stop may change and that may change a stop; not git's own files, not the kept byte code. */
  #places(): string[] {
    const inside = fs.readdirSync(this.root).filter((name) => name !== '.git');
    const records = list(this.state()).filter((name) => name !== 'code');
    return [
      'reviews',
      ...records.map((name) => path.join(USER_STATE, name)),
      ...inside.map((name) => path.join(path.basename(this.root), name)),
    ];
  }

  #files(): string[] {
    const all = fs.readdirSync(this.#beside, { recursive: true, withFileTypes: true });
    return all
      .filter((entry) => entry.isFile() && entry.name !== 'trace')
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !/\/\.git\/|\/holdfast\/code\//.test(file))
      .sort((a, b) => (withoutIds(a) < withoutIds(b) ? -1 : 1));
  }

  #options(fault: string | undefined): RunOptions & { env: Record<string, string> } {
    const env = {
      PATH: `${REVIEWERS}:${process.env.PATH ?? ''}`,
      FAKE_REVIEWS: path.join(this.#beside, 'reviews'),
      ...this.env,
      ...(fault === undefined
        ? {}
        : {
            NODE_OPTIONS: `--require "${LAYER}"`,
            HOLDFAST_FAULT: fault,
            HOLDFAST_FAULT_TRACE: path.join(this.#beside, 'trace'),
          }),
    };
    return { env, timeoutMs: 240_000, ...(this.#plugin === undefined ? {} : { plugin: this.#plugin }) };
  }
}

function copy(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true, preserveTimestamps: true });
}

function list(folder: string): string[] {
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}

function readLine(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function withoutIds(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"(milliseconds|\w*Ms)":[\d.]+/g, '')
    .replace(/"error":"[^"]*"/g, 'ERROR')
    .replace(/\d{10,}(\.\d+)?/g, 'NUMBER')
    .replace(/[0-9a-z]{6,}-\d+-[0-9a-z]+/g, 'ATTEMPT')
    .replace(/(pid|inode|scanned)":\d+/g, '$1')
    .replace(/\.\d+\.[0-9a-z]+\.tmp/g, '.tmp')
    .replace(/[0-9A-Za-z]{16,}/g, 'HASH');
}
