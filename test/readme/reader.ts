// A reader of README: a fresh HOME, the checkout with what `npm install` built, stand-ins for the clients on PATH, and
// repositories to work in. Types commands into a real shell as they are printed.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { machine } from '../fixtures/install/machine.ts';
import { type Fired, fireHook, type Ran, run } from '../support/hook.ts';

const repository = path.resolve(import.meta.dirname, '../..');

/** What a session of Claude Code has in its shell. */
export const SESSION = '0b5d6c1e-3f52-4c8a-9d17-5a2f8f6e1b90';

export type Reader = {
  checkout: string;
  home: string;
  /** An empty repository. */
  repository(name: string): string;
  type(command: string, folder: string, env?: Record<string, string>, stdin?: string): Promise<Ran>;
  /** The agent of the session ends its turn with this message. */
  stop(folder: string, message: string, env?: Record<string, string>): Promise<Fired>;
  remove(): void;
};

export function reader(): Reader {
  const { project, bin } = machine();
  const base = path.dirname(project.root);
  const checkout = path.join(base, 'holdfast');
  fs.mkdirSync(checkout);
  // Its scripts are left out: npx would build once more.
  const { scripts: _, ...manifest } = JSON.parse(
    fs.readFileSync(path.join(repository, 'package.json'), 'utf8'),
  );
  fs.writeFileSync(path.join(checkout, 'package.json'), JSON.stringify(manifest));
  fs.cpSync(path.join(repository, 'dist'), path.join(checkout, 'dist'), { recursive: true });
  const PATH = [path.join(project.home, '.local/bin'), bin, process.env.PATH].join(':');
  // npx asks nobody: the command is the checkout's own.
  const quiet = { npm_config_offline: 'true', npm_config_update_notifier: 'false' };
  const environment = { PATH, HOME: project.home, ...quiet };
  return {
    checkout,
    home: project.home,
    repository(name) {
      const folder = path.join(base, name);
      execFileSync('git', ['init', '--quiet', folder]);
      return folder;
    },
    type: (command, folder, env = {}, stdin = '') =>
      run('/bin/sh', ['-c', command], folder, {
        env: { ...environment, ...env },
        stdin,
        timeoutMs: 540_000,
      }),
    stop: (folder, message, env = {}) =>
      fireHook(
        folder,
        { hook_event_name: 'Stop', session_id: SESSION, cwd: folder, last_assistant_message: message },
        { env: { ...environment, ...env }, plugin: path.join(checkout, 'dist/holdfast') },
      ),
    remove: () => project.remove(),
  };
}
