// What a patch from git leaves out: files that git does not know yet, as additions; repositories of their own; and files
// that git was told not to look at.

import fs from 'node:fs';
import { openInsideNoLink, readAll } from '../../store/open.ts';
import { quotedName } from './name.ts';
import { type Asking, ask } from './tracked.ts';
import type { ChangedFile } from './types.ts';

export type Untracked = {
  /** What no patch shows, and a reviewer has to look at by itself. */
  odd: ChangedFile[];
  files: ChangedFile[];
  /** Null: it is longer than that. */
  patch: Buffer | null;
};

/** So many are looked at; of the rest, only that they are there. */
const MOST_FILES = 5000;

/** Null: git cannot tell. `ignored` are git's options that say what is no content. */
export async function untrackedFiles(
  asking: Asking,
  ignored: readonly string[],
  mostBytes: number,
): Promise<Untracked | null> {
  const listed = await ask(asking, ['ls-files', '--cached', '--others', '-v', '-z', ...ignored], {});
  if (listed === null) return null;
  const lines = listed.toString('latin1').split('\0').slice(0, -1);
  const found: Untracked = { odd: [], files: [], patch: null };
  const parts: Buffer[] = [];
  let left: number | null = mostBytes;
  for (const line of lines) {
    const name = Buffer.from(line.slice(2), 'latin1');
    switch (kindOf(line)) {
      case 'known':
        break;
      case 'not-looked-at':
        if (statOf(asking.top, name) !== undefined)
          found.odd.push({ name: quotedName(name), how: 'git is told not to look at it: not in the patch' });
        break;
      case 'repository':
        found.odd.push({ name: quotedName(name), how: 'a repository of its own: not in the patch' });
        break;
      case 'new': {
        const addition: Addition | null =
          found.files.length < MOST_FILES && left !== null ? additionOf(asking.top, name, left) : null;
        found.files.push({ name: quotedName(name), how: addition?.how ?? 'new' });
        left = addition === null || left === null ? null : left - addition.patch.length;
        if (addition !== null) parts.push(addition.patch);
        break;
      }
    }
  }
  return { ...found, patch: left === null ? null : Buffer.concat(parts) };
}

type Kind = 'known' | 'new' | 'repository' | 'not-looked-at';

/** By git's tag: `?` is in no index, a small letter or `S` says that git does not look. */
function kindOf(line: string): Kind {
  if (line.startsWith('? ')) return line.endsWith('/') ? 'repository' : 'new';
  return /^[a-zS]/.test(line) ? 'not-looked-at' : 'known';
}

const inTop = (top: string, name: Buffer): Buffer => Buffer.concat([Buffer.from(`${top}/`), name]);

const statOf = (top: string, name: Buffer): fs.Stats | undefined =>
  fs.lstatSync(inTop(top, name), { throwIfNoEntry: false });

type Addition = { patch: Buffer; how: string };

/** As git would write it; null: it is longer than that. Gone or closed to us: it is only named. */
function additionOf(top: string, name: Buffer, mostBytes: number): Addition | null {
  const read = contentOf(top, name, mostBytes);
  if (read === 'too-long') return null;
  if (read === null) return { patch: Buffer.alloc(0), how: 'new, cannot be read' };
  const { mode, content } = read;
  const [before, after] = [quotedName(name, 'a/'), quotedName(name, 'b/')];
  const head = `diff --git ${before} ${after}\nnew file mode ${mode}\n`;
  if (content.length === 0) return { patch: Buffer.from(head), how: 'new, +0' };
  if (content.subarray(0, 8000).includes(0)) {
    const patch = Buffer.from(`${head}Binary files /dev/null and ${after} differ\n`);
    return { patch, how: 'new, binary: not in the patch' };
  }
  const text = content.toString('latin1');
  const lines = text.replace(/\n$/, '').split('\n');
  const size = lines.length === 1 ? '1' : `1,${lines.length}`;
  const end = text.endsWith('\n') ? '' : '\\ No newline at end of file\n';
  const body = `${lines.map((line) => `+${line}\n`).join('')}${end}`;
  const hunk = Buffer.from(`${head}--- /dev/null\n+++ ${after}\n@@ -0,0 +${size} @@\n`);
  const patch = Buffer.concat([hunk, Buffer.from(body, 'latin1')]);
  return patch.length > mostBytes ? null : { patch, how: `new, +${lines.length}` };
}

type Read = { mode: string; content: Buffer };

/** Of a link where it leads to, never what is there; nothing that is no file. */
function contentOf(top: string, name: Buffer, mostBytes: number): Read | 'too-long' | null {
  const place = inTop(top, name);
  let descriptor: number | null = null;
  try {
    if (fs.lstatSync(place).isSymbolicLink())
      return { mode: '120000', content: fs.readlinkSync(place, { encoding: 'buffer' }) };
    descriptor = openInsideNoLink(place, top);
    if (descriptor === null) return null;
    const found = fs.fstatSync(descriptor);
    if (found.size > mostBytes) return 'too-long';
    const mode = (found.mode & 0o100) === 0 ? '100644' : '100755';
    return { mode, content: readAll(descriptor) };
  } catch {
    return null;
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}
