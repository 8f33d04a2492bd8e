// Projects with journals, in the home of one user, and the built exporter beside a collector.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { noteProject } from '../../src/store/projects.ts';
import { atTheEnd, endAtTheEnd } from '../support/at-the-end.ts';
import { cleanEnvironment, plugin, type Ran, type RunOptions, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { type Behaviour, Collector } from './collector.ts';

export type Scene = TempProject & {
  collector: Collector;
  env: Record<string, string>;
  /** Adds lines to the journal of the project, as they are where they are texts. */
  journal(...lines: readonly (object | string)[]): void;
  export(args?: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Begins one that is still running; `ended` is its exit. */
  begin(args: readonly string[]): { child: ChildProcess; ended: Promise<number | null> };
  /** The record of how far the collector has got everything. */
  state(): { file: string; text: string } | null;
};

export async function scene(behaves?: Behaviour): Promise<Scene> {
  const temp = tempProject();
  const collector = await Collector.open(behaves);
  atTheEnd(() => temp.remove());
  atTheEnd(() => collector.close());
  const env = cleanEnvironment(temp.root);
  noteProject(env, temp.root);
  fs.mkdirSync(path.join(temp.root, '.holdfast'), { recursive: true });
  const file = path.join(temp.root, '.holdfast/journal.jsonl');
  return {
    ...temp,
    ...{ collector, env },
    journal: (...lines) => fs.appendFileSync(file, lines.map(asLine).join('')),
    export: (args = [], options = {}) =>
      runCli(temp.root, ['export', '--otlp', collector.url, ...args], options),
    begin(args) {
      const words = ['export', '--otlp', collector.url, ...args];
      const child = spawn(path.join(plugin, 'bin/holdfast'), words, { cwd: temp.root, env, stdio: 'ignore' });
      endAtTheEnd(child);
      return { child, ended: new Promise((resolve) => child.once('exit', resolve)) };
    },
    state() {
      const folder = path.join(temp.home, '.local/state/holdfast/export');
      const name = fs.existsSync(folder)
        ? fs.readdirSync(folder).find((each) => /^[0-9a-f]{32}\.json$/.test(each))
        : undefined;
      if (name === undefined) return null;
      return { file: path.join(folder, name), text: fs.readFileSync(path.join(folder, name), 'utf8') };
    },
  };
}

function asLine(line: object | string): string {
  return typeof line === 'string' ? line : `${JSON.stringify(line)}\n`;
}

/** Resolves once it is so; bounded by the test's own time limit. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}
