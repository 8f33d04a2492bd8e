// A stage for a client that `holdfast run` drives: a program that behaves as a test wants it, and whoever of its family
// still runs. Everything is ended and removed after the file.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Headless, HeadlessClient } from '../../src/clients/headless.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { plugin as sound } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { eventually, isRunning } from '../toy/scene.ts';

const fixtures = path.resolve(import.meta.dirname, '../fixtures/fake-client');
const load = createRequire(import.meta.url);

const fileOf = (plugin: string): string => path.join(plugin, 'lib', 'clients-claude-code-headless.cjs');

const notesOf = ({ root }: TempProject): string => path.join(path.dirname(root), 'notes');

function familyIn(notes: string): number[] {
  const file = path.join(notes, 'family');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

export type DrivenScene = {
  notes: string;
  /** The process ids that the client noted down of itself and its children. */
  family(): number[];
  running(): number[];
  start(more?: Record<string, string>): HeadlessClient;
  /** A driver of its own process, to be killed. */
  drive(options?: { detached: boolean }): ChildProcess;
  isReady(): Promise<unknown>;
};

export function drivenScene(behaviour: string, plugin = sound): DrivenScene {
  const project = tempProject();
  atTheEnd(() => {
    for (const pid of familyIn(notesOf(project)).filter(isRunning)) process.kill(pid, 'SIGKILL');
    project.remove();
  });
  const notes = notesOf(project);
  fs.mkdirSync(notes);
  const PATH = `${fixtures}:${process.env.PATH}`;
  const env = { PATH, HOME: project.home, FAKE_CLIENT: behaviour, FAKE_NOTES: notes };
  const family = (): number[] => familyIn(notes);
  return {
    notes,
    family,
    running: () => family().filter(isRunning),
    start(more = {}) {
      const { headless } = load(fileOf(plugin)) as { headless: Headless };
      return headless.start({
        ...{ root: project.root, env: { ...env, ...more }, session: 'a-session', resume: null, prompt: 'go' },
        ...{ access: 'edit', allowed: [], commands: [], model: null, args: [] },
      });
    },
    drive: ({ detached } = { detached: false }) =>
      spawn(process.execPath, [path.join(fixtures, 'drive.cjs'), fileOf(plugin), project.root], {
        env,
        detached,
        stdio: ['ignore', 'ignore', 'ignore'],
      }),
    isReady: () => eventually('it to be ready', () => fs.existsSync(path.join(notes, 'ready'))),
  };
}
