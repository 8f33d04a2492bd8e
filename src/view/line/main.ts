// `holdfast status --line`: one line for a client's status line, which sends its session on standard input, and for tmux or
// a prompt, which send nothing. A file of its own in the bundle, since it is asked for every few seconds.

import fs from 'node:fs';
import { runtimeHere } from '../../hook/runtime.ts';
import { readAll } from '../../store/open.ts';
import { messageOf } from '../../text/message-of.ts';
import { plainText } from '../../text/printable.ts';
import { readAsked } from './asked.ts';
import { lineFor } from './line.ts';

export async function main(): Promise<void> {
  try {
    const asked = readAsked(await readInput());
    const line = await lineFor(asked, runtimeHere());
    if (line !== '') fs.writeSync(1, `${plainText(line)}\n`);
    process.exit(0);
  } catch (error) {
    fs.writeSync(2, `holdfast: no status line: ${plainText(messageOf(error)).split('\n')[0]}\n`);
    process.exit(1);
  }
}

const PATIENCE_MS = 100;
const READ_AT_MOST = 1024 * 1024;

/**
 * What is sent comes at once. tmux gives its programs a socket on which nothing ever comes, and reading that as a file
 * would last for ever.
 */
function readInput(): Promise<string> {
  const kind = fs.fstatSync(0);
  if (kind.isFile()) return Promise.resolve(kind.size > READ_AT_MOST ? '' : readAll(0).toString('utf8'));
  if (!kind.isFIFO() && !kind.isSocket()) return Promise.resolve('');
  return new Promise((resolve) => {
    let text = '';
    const end = (): void => resolve(text);
    // On a busy machine the time may be over before the first look: what is there by then is still read.
    setTimeout(() => setImmediate(end), PATIENCE_MS);
    process.stdin
      .on('data', (chunk) => {
        text += chunk;
        if (text.length > READ_AT_MOST) end();
      })
      .on('end', end)
      .on('error', end);
  });
}
