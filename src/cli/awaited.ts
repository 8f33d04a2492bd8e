// What `holdfast wait` can wait for: a process that ends, a file that comes.

import fs from 'node:fs';
import path from 'node:path';
import { type Call, WrongUsage } from '../engine/workflow-cli.ts';
import { cliCommand } from '../hook/runtime.ts';
import { isAbove, isThere, processWith } from '../processes/known.ts';
import { shellQuote } from '../text/shell.ts';

/** With the lines that say how it stands. */
export type Awaited = {
  isOver(): boolean;
  overAtOnce: string;
  over: string;
  notOver(): string;
};

/** Null: nothing but time. */
export function awaitedBy(call: Call): Awaited | null {
  const { pid, file } = call.flags;
  if (pid !== undefined && file !== undefined)
    throw new WrongUsage('wait: it takes --pid or --file, not both.');
  if (pid !== undefined) return processGiven(call);
  return file === undefined ? null : fileGiven(call);
}

function processGiven(call: Call): Awaited {
  const pid = wholeNumber(call.flags.pid);
  if (pid === null)
    throw new WrongUsage('wait: --pid takes the number of a process, such as $! after `command &`.');
  if (isAbove(pid))
    throw new WrongUsage(
      `wait: process ${pid} runs this command, so it does not end before it. Name the one you started: $! after \`command &\`.`,
    );
  const known = processWith(pid);
  return {
    isOver: () => !isThere(known),
    overAtOnce: `No process ${pid} runs where this shell can see it: it has ended, or it runs in a sandbox of its own. In that case let it make a file when it is done, and wait for that: ${cliCommand()} wait --file FILE`,
    over: `process ${pid} has ended.`,
    notOver: () => `process ${pid} still runs. Call again: ${again(call, `--pid ${pid}`)}`,
  };
}

function fileGiven(call: Call): Awaited {
  const { file } = call.flags;
  if (typeof file !== 'string' || file === '') throw new WrongUsage('wait: --file takes the path of a file.');
  const place = path.resolve(call.cwd, file);
  return {
    isOver: () => fs.existsSync(place),
    overAtOnce: `${place} is there already.`,
    over: `${place} is there now.`,
    notOver: () => `${whyMissing(place)}. Call again: ${again(call, `--file ${shellQuote(place)}`)}`,
  };
}

/** A path that was mistyped should not cost hours. */
function whyMissing(place: string): string {
  const folder = path.dirname(place);
  if (!fs.existsSync(folder)) return `${place} is not there yet, and neither is its folder`;
  try {
    fs.accessSync(folder, fs.constants.X_OK);
    return `${place} is not there yet`;
  } catch {
    return `whether ${place} is there cannot be seen, since its folder may not be entered`;
  }
}

function again({ flags }: Call, what: string): string {
  return [cliCommand(), 'wait', what, ...(flags.for === undefined ? [] : [`--for ${flags.for}`])].join(' ');
}

export function wholeNumber(text: unknown): number | null {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
