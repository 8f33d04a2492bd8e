// A project that somebody else filled, with a folder beside it that nothing may touch, and programs on PATH that
// leave a trace when they are started.

import fs from 'node:fs';
import path from 'node:path';

import { NEW_SESSION } from '../../../src/store/records.ts';
import { atTheEnd } from '../../support/at-the-end.ts';
import { type Fired, fireHook, type Ran, type RunOptions, runCli } from '../../support/hook.ts';
import { type TempProject, tempProject } from '../../support/project.ts';
import { SESSION } from '../corpus.ts';
import { type Files, pathOf, type Stage, soundScene } from '../stage.ts';

export type Hostile = TempProject & {
  outside: string;
  /** Writes the files of a run that belongs to `owner`. */
  put(stage: Stage, owner: string, more?: Files): void;
  stop(payload?: object, options?: RunOptions): Promise<Fired>;
  cli(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Names of programs that were started, and `pwned` when a text was taken for a command. */
  started(): string[];
  /** Everything outside the project and our own folder in the user's HOME: names, modes, contents. */
  snapshot(): string[];
};

/** A text that does something wherever a shell reads it. `pwned` appears in the folder it runs in. */
export const METACHARACTERS = `x'; touch pwned; '"; touch pwned; "$(touch pwned)\`touch pwned\` & touch pwned | touch pwned`;

// Each of these tests is a handful of real processes, which take their time on a busy machine.

export function hostileProject(name?: string): Hostile {
  const project = tempProject(name);
  atTheEnd(() => project.remove());
  const { root, home } = project;
  const folder = path.dirname(root);
  const outside = path.join(folder, 'outside');
  const bin = path.join(folder, 'bin');
  const traces = path.join(folder, 'traces');
  for (const made of [outside, bin, traces]) fs.mkdirSync(made);
  fs.writeFileSync(path.join(outside, 'precious.md'), 'mine\n');
  for (const program of ['claude', 'codex', 'jwz', 'gh'])
    fs.writeFileSync(path.join(bin, program), `#!/bin/sh\n: >"${traces}/${program}"\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: home, TRACES: traces };
  return {
    ...project,
    outside,
    put(stage, owner, more = {}) {
      const index = path.relative(root, pathOf(stage, 'index', root));
      const known: string[] = project.exists(index) ? JSON.parse(project.read(index)).runs : [];
      const runs = JSON.stringify({ ...NEW_SESSION, runs: [...known, stage.run], notified: [stage.run] });
      const files = { ...soundScene(stage, root, owner, false).files, [index]: runs, ...more };
      for (const [file, text] of Object.entries(files))
        if (!file.startsWith('..') && file !== 'holdfast.config.json') project.write(file, text);
    },
    stop: (payload = {}, options = {}) =>
      fireHook(
        root,
        { session_id: SESSION, cwd: root, prompt_id: 'p1', hook_event_name: 'Stop', ...payload },
        { timeoutMs: 40_000, ...options, env: { ...env, ...options.env } },
      ),
    cli: (args, options = {}) =>
      runCli(root, args, {
        timeoutMs: 40_000,
        ...options,
        env: { ...env, CLAUDE_CODE_SESSION_ID: SESSION, ...options.env },
      }),
    started() {
      const pwned = [root, folder, home, outside, process.cwd()].filter((place) =>
        fs.existsSync(path.join(place, 'pwned')),
      );
      return [...fs.readdirSync(traces), ...pwned.map(() => 'pwned')];
    },
    snapshot: () => [
      ...entriesOf(outside),
      ...entriesOf(home).filter((entry) => !entry.includes('/home/.local')),
    ],
  };
}

/** Every entry of a folder with its mode and, of files, the contents. */
export function entriesOf(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    const mode = (fs.lstatSync(place).mode & 0o7777).toString(8);
    const content = entry.isFile()
      ? fs.readFileSync(place, 'utf8')
      : entry.isSymbolicLink()
        ? fs.readlinkSync(place)
        : '';
    return [`${place} ${mode} ${content}`, ...(entry.isDirectory() ? entriesOf(place) : [])];
  });
}

/** Allowed: no hold, and a client can read what was said. A process that was killed for hanging has no exit code. */
export function isAllowed({ exitCode, answer, stderr }: Fired): boolean {
  const said = exitCode === 1 ? /^Holdfast: [^\n]+\n$/.test(stderr) : stderr === '';
  return (exitCode === 0 || exitCode === 1) && answer?.decision === undefined && said;
}
