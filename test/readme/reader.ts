// A reader of README: a fresh HOME, the checkout with what `npm install` built, stand-ins for the clients on PATH, and
// repositories to work in. Types commands into a real shell as they are printed.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { machine } from '../fixtures/install/machine.ts';
import { type Fired, fireHook, type Ran, run } from '../support/hook.ts';

const repository = path.resolve(import.meta.dirname, '../..');

export type Reader = {
  checkout: string;
  home: string;
  /** A repository with a test that fails until `answer.txt` is fixed. */
  project: string;
  type(command: string, folder: string, env?: Record<string, string>, stdin?: string): Promise<Ran>;
  /** The agent of the session, which its shell's environment names, ends its turn with this message. */
  stop(message: string, session: Record<string, string>): Promise<Fired>;
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
  const mine = path.join(base, 'mine');
  execFileSync('git', ['init', '--quiet', mine]);
  const test = "grep -q fixed answer.txt || { echo 'not ok answer'; exit 1; }";
  fs.writeFileSync(path.join(mine, 'package.json'), JSON.stringify({ scripts: { test } }));
  return {
    checkout,
    home: project.home,
    project: mine,
    type: (command, folder, env = {}, stdin = '') =>
      run('/bin/sh', ['-c', command], folder, {
        env: { ...environment, ...env },
        stdin,
        timeoutMs: 540_000,
      }),
    stop: (message, session) => {
      const [id] = Object.values(session);
      return fireHook(
        mine,
        { hook_event_name: 'Stop', session_id: id, cwd: mine, last_assistant_message: message },
        { env: { ...environment, ...session }, plugin: path.join(checkout, 'dist/holdfast') },
      );
    },
    remove: () => project.remove(),
  };
}
