// Runs the hook or a command, as built, inside the test's own process: the same files, loaded again for each call, with
// a process, an input and an output of their own. Starting node is most of what a stop costs, and the suites make more
// than ten thousand of them. What a real process alone can show (signals, a death, the launcher's own choice of node,
// another version of node) is tested with real ones: launcher, crash, race, fuzz, linux, nodes and the real clients.

import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Readable } from 'node:stream';
import vm from 'node:vm';
import type { Ran } from './hook.ts';

export type InsideCall = {
  file: 'hook.cjs' | 'cli.cjs';
  plugin: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  stdin: string;
};

const ANY = createRequire(import.meta.url);
const OUTPUTS = [1, 2] as const;
/** No system gives out such ids: whoever looks finds that the process has ended, as it has when a test looks. */
const FIRST_ID = 2 ** 22 + 1;
let calls = 0;
let isBusy = false;

/** Null: another call is at it, which would have to share its process. */
export async function runInside(call: InsideCall): Promise<Ran | null> {
  if (isBusy) return null;
  isBusy = true;
  const before = process.cwd();
  const marked = globalThis as { __holdfastInside?: boolean };
  try {
    // For the mutants' probes (test/mutants/probes.mjs): what runs now is what was built.
    marked.__holdfastInside = true;
    process.chdir(call.cwd);
    return await new Inside(call).run();
  } finally {
    process.chdir(before);
    marked.__holdfastInside = false;
    isBusy = false;
  }
}

class Left extends Error {}

class Inside {
  readonly #call: InsideCall;
  readonly #said = { 1: '', 2: '' };
  readonly #process: NodeJS.Process;
  readonly #events = new EventEmitter();
  readonly #modules: Readonly<Record<string, unknown>>;
  readonly #loaded = new Map<string, { exports: Record<string, unknown> }>();
  #input: Buffer;
  #left: number | null = null;

  constructor(call: InsideCall) {
    this.#call = call;
    this.#input = Buffer.from(call.stdin, 'utf8');
    this.#process = this.#makeProcess();
    const files = this.#makeFiles();
    const programs = this.#makePrograms();
    this.#modules = {
      ...{ fs: files, 'node:fs': files, child_process: programs, 'node:child_process': programs },
      ...{ process: this.#process, 'node:process': this.#process },
    };
  }

  async run(): Promise<Ran> {
    const { file, args } = this.#call;
    try {
      const { main } = this.#load(file);
      if (typeof main !== 'function') throw new Error(`${file} has no main`);
      await main(args, (code: number) => this.#leave(code));
    } catch (error) {
      if (!(error instanceof Left)) throw error;
    }
    this.#events.emit('exit', this.#left);
    const exitCode = this.#left ?? Number(this.#process.exitCode ?? 0);
    return { exitCode, stdout: this.#said[1], stderr: this.#said[2] };
  }

  #leave(code: number): void {
    this.#left ??= code;
  }

  #load(name: string): Record<string, unknown> {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known.exports;
    const file = path.join(this.#call.plugin, 'lib', name);
    const module = { exports: {} as Record<string, unknown> };
    this.#loaded.set(name, module);
    const require = (wanted: string): unknown =>
      wanted.startsWith('./') ? this.#load(wanted.slice(2)) : (this.#modules[wanted] ?? ANY(wanted));
    compiled(file)(module.exports, require, module, file, path.dirname(file), this.#process);
    return module.exports;
  }

  #write(stream: 1 | 2, text: string | Uint8Array): void {
    if (this.#left === null)
      this.#said[stream] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
  }

  #makeProcess(): NodeJS.Process {
    const { args, cwd, env, stdin, plugin } = this.#call;
    const given = Object.entries(env).filter(([, value]) => value !== undefined);
    const leave = (code?: number): never => {
      this.#leave(Number(code ?? own.exitCode ?? 0));
      throw new Left();
    };
    const events = this.#events;
    const stream = (number: 1 | 2) =>
      Object.assign(new EventEmitter(), {
        write: (text: string | Uint8Array, ...rest: unknown[]) => {
          this.#write(number, text);
          const done = rest.at(-1);
          if (typeof done === 'function') queueMicrotask(() => done());
          return true;
        },
        end: () => {},
      });
    const own: Record<string, unknown> = {
      env: Object.fromEntries(given),
      cwd: () => cwd,
      argv: [process.execPath, path.join(plugin, 'bin', 'holdfast'), ...args],
      pid: FIRST_ID + calls++,
      ppid: process.pid,
      exitCode: undefined,
      stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
      stdout: stream(1),
      stderr: stream(2),
      exit: leave,
      reallyExit: leave,
      listenerCount: events.listenerCount.bind(events),
    };
    for (const name of [
      'on',
      'once',
      'off',
      'addListener',
      'removeListener',
      'removeAllListeners',
      'emit',
    ] as const)
      own[name] = (...words: Parameters<EventEmitter['on']>) => events[name as 'on'](...words);
    return Object.setPrototypeOf(own, process) as unknown as NodeJS.Process;
  }

  /** The real ones, but for what stands at the other end of the three that every process is given. */
  #makeFiles(): typeof fs {
    const readSync = ((descriptor: number, buffer: Buffer, ...rest: unknown[]) => {
      if (descriptor !== 0) return Reflect.apply(fs.readSync, fs, [descriptor, buffer, ...rest]);
      const count = this.#input.copy(buffer);
      this.#input = this.#input.subarray(count);
      return count;
    }) as typeof fs.readSync;
    const writeSync = ((descriptor: number, data: string | Uint8Array, ...rest: unknown[]) => {
      const stream = OUTPUTS.find((each) => each === descriptor);
      if (stream === undefined) return Reflect.apply(fs.writeSync, fs, [descriptor, data, ...rest]);
      const [offset] = rest;
      const part = typeof data === 'string' || typeof offset !== 'number' ? data : data.subarray(offset);
      this.#write(stream, part);
      return Buffer.byteLength(part);
    }) as typeof fs.writeSync;
    return { ...fs, readSync, writeSync };
  }

  /** What is started without an environment gets that of this call. */
  #makePrograms(): typeof childProcess {
    const withEnv =
      <Start extends (...words: never[]) => unknown>(start: Start) =>
      (program: string, ...words: unknown[]): unknown => {
        const at = Array.isArray(words[0]) ? 1 : 0;
        const given = words[at];
        const isOptions = typeof given === 'object' && given !== null;
        const options = { env: this.#process.env, ...(isOptions ? given : {}) };
        const all = [...words.slice(0, at), options, ...words.slice(isOptions ? at + 1 : at)];
        return Reflect.apply(start, childProcess, [program, ...all] as never[]);
      };
    const { spawn, spawnSync, execFile, execFileSync } = childProcess;
    return {
      ...childProcess,
      spawn: withEnv(spawn) as typeof spawn,
      spawnSync: withEnv(spawnSync) as typeof spawnSync,
      execFile: withEnv(execFile) as typeof execFile,
      execFileSync: withEnv(execFileSync) as typeof execFileSync,
    };
  }
}

type Loaded = (
  exports: object,
  require: (name: string) => unknown,
  module: object,
  file: string,
  folder: string,
  process: NodeJS.Process,
) => void;

const scripts = new Map<string, { mark: string; run: Loaded }>();

/** Compiled once per build; run again for each call, so that nothing of one is left for the next. */
function compiled(file: string): Loaded {
  const { mtimeMs, size, ino } = fs.statSync(file);
  const mark = `${mtimeMs} ${size} ${ino}`;
  const known = scripts.get(file);
  if (known?.mark === mark) return known.run;
  const source = `(function (exports, require, module, __filename, __dirname, process) {${fs.readFileSync(file, 'utf8')}\n})`;
  const run = new vm.Script(source, { filename: file }).runInThisContext() as Loaded;
  scripts.set(file, { mark, run });
  return run;
}
