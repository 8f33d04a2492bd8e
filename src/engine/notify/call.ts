// Calls a person once the answer is out: one process for all that is to be said, with none of the hook's descriptors, which
// may outlive it. What it is about is marked first, so that nobody is called twice.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { disk } from '../../store/disk.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { NOTIFIED } from '../../store/notified.ts';
import { withoutProjectOnPath } from '../../store/on-path.ts';
import { openMade } from '../../store/open.ts';
import { below } from '../../store/paths.ts';
import { homeFolder } from '../../store/user-folders.ts';
import { isFirstMark, makeUserFolder } from '../../store/user-state.ts';
import type { Project } from '../project.ts';
import { usersEnvironment } from '../work/environment.ts';
import type { Call, News } from './types.ts';

export function callAbout(news: readonly News[], project: Project): void {
  const { root, env, now, config } = project;
  const wanted = news.filter(({ event }) => config.notify.some(({ on }) => on.includes(event)));
  const fresh = wanted.filter(({ run, cause }) =>
    isFirstMark(env, `${NOTIFIED}call-${fingerprint(JSON.stringify([root, run, cause]))}`),
  );
  if (fresh.length === 0) return;
  const time = new Date(now).toISOString();
  const calls = fresh.map(
    ({ event, run, text, why }): Call => ({ event, project: path.basename(root), run, text, why, time }),
  );
  const input = fileWith(JSON.stringify({ root, calls }), makeUserFolder(env));
  try {
    const child = spawn(process.execPath, [below(__dirname, '../bin/holdfast'), 'notify', '--send'], {
      cwd: homeFolder(env),
      // What is started there by its name, as `notify-send` is, must not be of the agent's making.
      env: usersEnvironment(withoutProjectOnPath(env, root)),
      detached: true,
      stdio: [input, 'ignore', 'ignore'],
    });
    // Not to be started is its own trouble, which an agent's turn has no part in.
    child.on('error', () => {});
    child.unref();
  } finally {
    disk.close(input);
  }
}

/** Open for reading, and gone from the folder: neither its arguments nor a file shows others what is said. */
function fileWith(content: string, folder: string): number {
  const file = below(folder, `.call.${process.pid}.${Math.random().toString(36).slice(2, 10)}.tmp`);
  const descriptor = disk.createNew(file, 0o600);
  try {
    disk.writeAll(descriptor, content);
    return openMade(file);
  } finally {
    disk.close(descriptor);
    disk.remove(file);
  }
}
