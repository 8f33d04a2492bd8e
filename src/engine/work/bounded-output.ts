// What a check prints goes through a pipe into its file, and is dropped beyond a bound before it is written: a look at
// the file every so often let gigabytes by. A FIFO, since a check cannot open `/dev/stderr` where that is a socket.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { Socket } from 'node:net';
import { disk } from '../../store/disk.ts';
import { hasCode } from '../../store/files.ts';
import { type OutputsOf, openOutputPipe } from '../../store/outputs.ts';
import { messageOf } from '../../text/message-of.ts';

export type BoundedOutput = {
  /** For the program. */
  readonly input: number;
  hasFlooded(): boolean;
  /** Once the program has ended: what is still in the pipe is written. Says why not all could be, such as a full disk. */
  finish(): string | null;
};

/** Null where this system makes no FIFO: then the file is the program's own, and is looked at. */
export function openBounded(
  whose: OutputsOf,
  attempt: string,
  file: number,
  most: number,
): BoundedOutput | null {
  const pipe = openOutputPipe(whose, attempt, makeFifo);
  if (pipe === null) return null;
  let printed = 0;
  let failure: string | null = null;
  const take = (bytes: Buffer): void => {
    const room = Math.max(0, most - printed);
    printed += bytes.length;
    if (room === 0 || failure !== null) return;
    try {
      disk.writeAll(file, bytes.subarray(0, room));
    } catch (error) {
      failure = messageOf(error);
    }
  };
  const reader = new Socket({ fd: pipe.reader, readable: true, writable: false });
  reader.on('data', take);
  return {
    input: pipe.writer,
    hasFlooded: () => printed > most,
    finish() {
      reader.pause();
      drain(pipe.reader, take);
      fs.closeSync(pipe.writer);
      reader.destroy();
      return failure;
    },
  };
}

/** By the system's own program: Node makes none. */
function makeFifo(place: string): boolean {
  const env = { PATH: '/usr/bin:/bin' };
  return spawnSync('mkfifo', ['-m', '600', place], { env, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** No more than a pipe holds: what the program left running may go on printing. */
function drain(reader: number, take: (bytes: Buffer) => void): void {
  const bytes = Buffer.alloc(64 * 1024);
  for (let left = 16; left > 0; left--) {
    const count = readOrNothing(reader, bytes);
    if (count === 0) return;
    take(bytes.subarray(0, count));
  }
}

function readOrNothing(reader: number, bytes: Buffer): number {
  try {
    return fs.readSync(reader, bytes);
  } catch (error) {
    if (hasCode(error, 'EAGAIN')) return 0;
    throw error;
  }
}
