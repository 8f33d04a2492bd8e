// What a scenario is written with: a stage that is cleaned up by itself, the journal, and the line about
// what was seen, which ends up in test/clients/seen.md.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, type TestContext } from 'vitest';
import { shellQuote } from '../../src/text/shell.ts';
import { processesOf } from '../support/processes.ts';
import type { Host, Mode, Played } from './clients/host.ts';
import { pluginFolder } from './clients/place.ts';
import { until } from './clients/program.ts';
import { type Stage, setStage } from './clients/stage.ts';
import type { Heard } from './servers/script.ts';

export { claudePrint, claudeStream, converse } from './clients/claude.ts';
export { codexExec } from './clients/codex.ts';
export type { Host } from './clients/host.ts';
export type { Stage } from './clients/stage.ts';
export { brokenApi, type Heard, type Line, run, say, write } from './servers/script.ts';
export { processesOf, until };

/** Scenarios of a file are played one after the other, so there is one stage at a time. */
let latest: Stage | null = null;

export async function stageFor(name?: string): Promise<Stage> {
  const stage = await setStage(name);
  latest = stage;
  onTestFinished(async () => {
    await stage.remove();
    const [trouble] = stage.cast.troubles;
    if (trouble !== undefined) throw trouble;
  });
  return stage;
}

export const nothingLeft = (stage: Stage): Promise<true> =>
  until('nothing to be left running', () => processesOf(stage).length === 0 || false);

declare module 'vitest' {
  interface TaskMeta {
    seen?: Seen;
  }
}

/** `stops` is what the journals of the stage say: how often a stop was held, and how often let go. */
export type Seen = { group: string; scenario: string; mode: Mode; stops: string; text: string };

/** Notes what this scenario showed in this client. No times and no ids: the page must be the same each time. */
export function saw(context: TestContext, mode: Mode, text: string): void {
  const group = context.task.suite?.name ?? '';
  const scenario = context.task.name.replace(/ \('?[^)']+'?\)$/, '');
  context.task.meta.seen = { group, scenario, mode, stops: countStops(), text };
}

const LISTINGS = 20;

/** A client that still runs makes and removes folders, and one that goes meanwhile fails a listing. */
export function filesBelow(folder: string, listings = LISTINGS): string[] {
  try {
    return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if (listings > 1) return filesBelow(folder, listings - 1);
    throw error;
  }
}

function countStops(): string {
  const folder = path.dirname(latest?.root ?? '');
  const files = filesBelow(folder);
  const roots = files.flatMap((file) =>
    file.endsWith('.holdfast/journal.jsonl') ? [path.join(folder, file, '../..')] : [],
  );
  const all = roots.flatMap(answers);
  const held = all.filter((answer) => answer === 'hold').length;
  return all.length === 0 ? 'none' : `${held} held, ${all.length - held} let go`;
}

export type JournalLine = {
  session: string | null;
  workflow: string | null;
  run: string | null;
  answer: 'hold' | 'allow';
  notice: boolean;
  error: string | null;
  guard: { result?: string } | null;
  step: { kind?: string } | null;
};

/** The stops in it. */
export function journal(root: string): JournalLine[] {
  const file = path.join(root, '.holdfast', 'journal.jsonl');
  if (!fs.existsSync(file)) return [];
  return (
    fs
      .readFileSync(file, 'utf8')
      .split('\n')
      // The file may have been made a moment ago, and have no line yet.
      .flatMap((line) => (line === '' ? [] : JSON.parse(line)))
      .filter(({ event }) => event === 'stop')
  );
}

/** How the stops were answered, in order. */
export const answers = (root: string): string[] => journal(root).map(({ answer }) => answer);

/** Every reason with which the agent was held, as the model heard it. */
export const holdsOf = (stage: Stage, part = 'agent'): readonly string[] =>
  stage.cast.of(part).at(-1)?.holds ?? [];

/** Whoever opened the conversation with these words. */
export const opening =
  (words: string) =>
  (heard: Heard): boolean =>
    heard.opening.includes(words);

/** The last stop had a line for the user. Where the client shows none, the journal alone can tell. */
export function expectNotice(host: Host, stage: Stage, played: Played, pattern: RegExp): void {
  expect(journal(stage.root).at(-1)).toMatchObject({ answer: 'allow', notice: true });
  if (host.mode === 'Codex exec' || host.hidesNotices)
    expect(played.stdout + played.stderr).not.toMatch(pattern);
  else expect(played.notices).toContainEqual(expect.stringMatching(pattern));
}

/** Holdfast as a person runs it, in a terminal outside any client. */
/** As a person types it, in a terminal, which `script` makes. */
export function typeCli(stage: Stage, ...args: string[]): string {
  const line = [path.join(pluginFolder('holdfast'), 'bin', 'holdfast'), ...args].map(shellQuote).join(' ');
  return execFileSync('script', ['-qec', line, '/dev/null'], {
    cwd: stage.root,
    env: { SHELL: '/bin/sh', ...stage.env },
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function runCli(stage: Stage, ...args: string[]): string {
  return execFileSync(path.join(pluginFolder('holdfast'), 'bin', 'holdfast'), args, {
    cwd: stage.root,
    env: stage.env,
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
