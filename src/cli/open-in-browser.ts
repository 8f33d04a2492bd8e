// Opens the page in the user's browser. The address has the token in it, and a program's arguments are readable by
// every user of the machine: so the browser is given a file that only this user can read, which leads there.

import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../store/environment.ts';
import { removeQuietly, replaceFile } from '../store/files.ts';
import { findOnPath } from '../store/on-path.ts';
import { below } from '../store/paths.ts';
import { makeUserFolder } from '../store/user-state.ts';
import { messageOf } from '../text/message-of.ts';

/** Null: it is on its way. Otherwise why not, for the user. */
export function openInBrowser(env: Environment, address: string): string | null {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const program = findOnPath(opener, env, null);
  if (program === null) return `There is no ${opener} here to open it with: open the address yourself.`;
  try {
    const folder = makeUserFolder(env);
    const file = below(folder, `open-${process.pid}.html`);
    replaceFile(file, leadingTo(address), folder, 0o600);
    process.once('exit', () => removeQuietly(file));
    const child = spawn(program, [pathToFileURL(file).href], { stdio: 'ignore', detached: true });
    child.on('error', () => {});
    child.unref();
    return null;
  } catch (error) {
    return `It cannot be opened from here (${messageOf(error)}): open the address yourself.`;
  }
}

function leadingTo(address: string): string {
  const quoted = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${quoted}"><title>Holdfast</title>\n`;
}
