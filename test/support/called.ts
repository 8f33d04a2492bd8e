// Runs a workflow's command as its source has it, without a command line around it: for unit tests of what it prints,
// refuses and writes.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Stop } from '../../src/clients/stop.ts';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import type { RunContext } from '../../src/engine/context.ts';
import type { Project } from '../../src/engine/project.ts';
import type { Call, Command } from '../../src/engine/workflow-cli.ts';
import { homeOf } from '../../src/store/home.ts';

export const NOW = Date.parse('2026-01-31T09:30:00Z');

/** A folder that is a project by its `.git`, with nothing else in it; HOME and the state folder lie beside it. */
export function emptyFolder(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-unit-')));
  fs.mkdirSync(path.join(folder, 'project', '.git'), { recursive: true });
  return path.join(folder, 'project');
}

/** With what lies beside it. */
export function removeFolder(root: string): void {
  fs.rmSync(path.dirname(root), { recursive: true, force: true });
}

export function projectIn(root: string, over: Partial<Project> = {}): Project {
  const beside = path.dirname(root);
  return {
    root,
    home: homeOf(root),
    now: NOW,
    cli: 'holdfast',
    config: DEFAULT_CONFIG,
    ...over,
    env: {
      PATH: process.env.PATH,
      HOME: path.join(beside, 'home'),
      XDG_STATE_HOME: path.join(beside, 'state'),
      ...over.env,
    },
  };
}

export function contextIn(
  project: Project,
  run: string,
  { stop = {}, ...over }: { stop?: Partial<Stop> } & Partial<Omit<RunContext, 'stop'>> = {},
): RunContext {
  const quiet: Stop = {
    client: 'claude-code',
    session: 'session-1',
    turn: null,
    cwd: project.root,
    transcriptPath: null,
    lastMessage: null,
    planMode: false,
    backgroundTasks: [],
  };
  return { project, run, stop: { ...quiet, ...stop }, now: project.now, saved: undefined, ...over };
}

export type Given = { flags?: Call['flags']; words?: readonly string[]; stdin?: string };

/** What a command printed, with its exit code in front; where it refuses, the error's kind and what it says. */
export async function called(
  command: Command,
  project: Project | null,
  given: Given = {},
): Promise<string[]> {
  const printed: string[] = [];
  const place = project ?? projectIn(path.join(os.tmpdir(), 'holdfast-no-project'));
  const call: Call = {
    flags: given.flags ?? {},
    words: given.words ?? [],
    env: place.env,
    cwd: place.root,
    now: place.now,
    stdin: () => given.stdin ?? '',
    print: (line) => printed.push(line),
    existing: async () => project,
    forNewRun: async () => place,
  };
  try {
    const code = await command.run(call);
    return [String(code), ...printed];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return [error.name, error.message, ...printed];
  }
}
