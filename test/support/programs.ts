// A user's machine for one test: a HOME, a project, and a PATH on which small programs stand for those of clients. Each
// call of theirs is noted. They are also on the PATH of the test's own process until the test is over.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { shellQuote } from '../../src/text/shell.ts';

/** What a program does, in sh, by the words it is called with; `*`: by all others. What is not named does nothing. */
export type Doings = Readonly<Record<string, string>>;

export type Programs = {
  folder: string;
  home: string;
  project: string;
  /** Its PATH is the only one the programs are on. */
  env: { HOME: string; PATH: string };
  /** Of all programs, in their order: `copilot plugin list --json`. */
  calls(): string[];
  /** Writes a file in HOME, its folders included; answers with its path. */
  write(file: string, text: string): string;
  read(file: string): string;
};

export function programs(doings: Readonly<Record<string, Doings>>): Programs {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-programs-')));
  const [bin, home, project] = ['bin', 'home', 'project'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [bin, home, project]) fs.mkdirSync(each);
  const log = path.join(folder, 'calls');
  for (const [name, does] of Object.entries(doings))
    fs.writeFileSync(path.join(bin, name), scriptOf(name, does, log), { mode: 0o755 });
  const env = { HOME: home, PATH: `${bin}:/usr/bin:/bin` };
  inOwnEnvironment(env);
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const inHome = (file: string): string => path.join(home, file);
  return {
    ...{ folder, home, project, env },
    calls: () => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trimEnd().split('\n') : []),
    write(file, text) {
      fs.mkdirSync(path.dirname(inHome(file)), { recursive: true });
      fs.writeFileSync(inHome(file), text);
      return inHome(file);
    },
    read: (file) => fs.readFileSync(inHome(file), 'utf8'),
  };
}

function scriptOf(name: string, doings: Doings, log: string): string {
  const { '*': others = ':', ...named } = doings;
  const cases = Object.entries(named).map(([words, does]) => `${shellQuote(words)})\n${does}\n;;`);
  return `#!/bin/sh\nprintf '%s\\n' "${name}\${*:+ $*}" >>${shellQuote(log)}\ncase "$*" in\n${cases.join('\n')}\n*)\n${others}\n;;\nesac\n`;
}

/** Installers start programs with the environment that the process has. */
function inOwnEnvironment(env: Programs['env']): void {
  const own = { XDG_CONFIG_HOME: undefined, XDG_STATE_HOME: undefined, QWEN_HOME: undefined, ...env };
  const before = Object.keys(own).map((name) => [name, process.env[name]] as const);
  set(Object.entries(own));
  onTestFinished(() => set(before));
}

function set(variables: readonly (readonly [string, string | undefined])[]): void {
  for (const [name, value] of variables)
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}

/** Prints this text. */
export const says = (text: string): string => `cat <<'END_OF_TEXT'\n${text}\nEND_OF_TEXT`;
