// What Claude Code itself denies to its agent's shell: asked for by a `bwrap` first on its PATH, which notes its words.

import fs from 'node:fs';
import path from 'node:path';
import { wordsOf } from '../support/client-sandbox.ts';
import type { Stage } from './clients/stage.ts';

/** Variables with which the client's sandboxes are noted. */
export function noteSandboxes(stage: Stage): Record<string, string> {
  const folder = path.join(path.dirname(stage.root), 'noting');
  fs.mkdirSync(folder);
  const note = `{ echo --begin; printf '%s\\n' "$@"; } >>'${notes(stage)}'`;
  fs.writeFileSync(path.join(folder, 'bwrap'), `#!/bin/sh\n${note}\nexec /usr/bin/bwrap "$@"\n`, {
    mode: 0o755,
  });
  return { PATH: `${folder}:${stage.env.PATH}` };
}

/** Of the last sandbox that may write the project: a line for each option, and nothing that is another one the next time. */
export function recordOf(stage: Stage): string {
  const calls = fs
    .readFileSync(notes(stage), 'utf8')
    .split('--begin\n')
    .slice(1)
    .map((call) => call.split('\n'));
  const lines = calls.map((call) => wordsOf(call).map((line) => withoutPlaces(line, stage)));
  const last = lines.findLast((options) => options.includes('--bind PROJECT PROJECT'));
  return `${[...new Set(last)].filter(isSame).join('\n')}\n`;
}

const notes = ({ root }: Stage): string => path.join(path.dirname(root), 'notes');

function withoutPlaces(line: string, { root, home }: Stage): string {
  return line
    .replaceAll(root, 'PROJECT')
    .replaceAll(home, 'HOME')
    .replaceAll(root.replace(/[^A-Za-z0-9]/g, '-'), 'SLUG')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'SESSION')
    .replace(/\/tmp\/claude-(http|socks)-[0-9a-f]+/g, '/tmp/claude-$1-X')
    .replace(/\/tmp\/claude-empty-\w+/g, '/tmp/claude-empty-X');
}

/** Its proxies have a password for each session. */
const isSame = (line: string): boolean =>
  line !== '' && (!line.startsWith('--setenv ') || line.startsWith('--setenv GIT_CONFIG_'));
