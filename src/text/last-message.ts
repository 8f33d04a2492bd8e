// What the agent said in its last message, from the transcript: `last_assistant_message` holds the last block
// only, and Claude Code 2.1.197 writes its transcript on a 100 ms timer, so the file lags behind the stop.

import fs from 'node:fs';
import type { TranscriptLine } from '../clients/client.ts';
import { NO_SESSION } from '../clients/generic.ts';
import { isObject, parseJson } from '../store/json.ts';
import { openOwn } from '../store/open.ts';
import { linesFromEnd } from './backward.ts';

export type Asked = {
  file: string | null;
  /** Lines of another session (a file that was copied or shared) are passed over. */
  session: string | null;
  /** The last block, as the client gave it; null when it was no text. */
  lastBlock: string | null;
  /** The newest line seen at the last stop, empty when none was there; null: nobody looked yet. */
  since: string | null;
  /** How the client names the end of this turn, where it does: the line of that name says that all is there. */
  endMark?: string;
};

export type LastMessage = {
  /** The text blocks of the message, in order; empty when the transcript does not hold it. */
  blocks: readonly string[];
  /** The newest line there is, to be recognised at the next stop; empty when there is none. */
  newest: string;
  /** The line that `endMark` names: not seen, seen, or it is an error of the client's. */
  end?: 'seen' | 'failed';
};

type ReadLine = (line: string) => TranscriptLine | null;

const WAITS = 10;
const WAIT_MS = 25;
/** A turn's last message is near the end; a tool's result before it may be long, but not longer than this. */
const READ_AT_MOST = 64 * 1024 * 1024;
const GLANCE_AT_MOST = 256 * 1024;

/** Waits up to 250 ms for a transcript that lags; not where none came in an earlier stop. */
export async function readLastMessage(
  asked: Asked,
  read: ReadLine,
  mostWaits: number = WAITS,
): Promise<LastMessage> {
  let size = -1;
  let found: Found = NOT_THERE;
  for (let waits = 0; asked.file !== null; waits++) {
    const now = sizeOf(asked.file);
    // Read again only when something was added: its end may be a line of ten megabytes.
    if (now !== size) found = readOnce(asked.file, asked, read);
    size = now;
    const hopeless = asked.since !== null && found.newest === '';
    if (found.whole || hopeless || waits >= mostWaits) break;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  // Without the last block nothing tells whether the file has caught up; after the wait it has.
  const trusted = found.whole || asked.lastBlock === null;
  const end = found.end === undefined ? {} : { end: found.end };
  return { blocks: trusted ? found.blocks : [], newest: found.newest, ...end };
}

/** A glance at the end: null when the message is not there yet, not so near, or nothing tells whether it is there. */
export function lastMessageNow(asked: Asked, read: ReadLine): LastMessage | null {
  const found = asked.file === null ? NOT_THERE : readOnce(asked.file, asked, read, GLANCE_AT_MOST);
  return found.whole && found.begun ? found : null;
}

type Found = LastMessage & {
  /** The transcript holds the very message the client spoke of. */
  whole: boolean;
  /** We read as far back as the message's first block. */
  begun: boolean;
};

const NOT_THERE: Found = { blocks: [], newest: '', whole: false, begun: false };

function readOnce(file: string, asked: Asked, read: ReadLine, limit = READ_AT_MOST): Found {
  const descriptor = openQuietly(file);
  if (descriptor === null) return NOT_THERE;
  try {
    return readBack(descriptor, asked, read, limit);
  } finally {
    fs.closeSync(descriptor);
  }
}

function readBack(
  descriptor: number,
  { session, lastBlock, since, endMark }: Asked,
  read: ReadLine,
  limit: number,
): Found {
  let newest = '';
  let message: string | null = null;
  const blocks: string[] = [];
  let begun = fs.fstatSync(descriptor).size <= limit;
  let end: LastMessage['end'];
  for (const { text, torn } of linesFromEnd(descriptor, limit)) {
    const line = torn || isOfAnother(session, text) ? null : read(text);
    if (line === null) continue;
    if (newest === '') newest = line.marker;
    if (endMark !== undefined && line.endMark === endMark) end ??= line.failed ? 'failed' : 'seen';
    // What the agent said before a prompt, our own hold or a tool call is not its last message.
    const isEarlier = line.marker === since || line.startsTurn || line.toolCall;
    begun ||= isEarlier || isOfOtherMessage(line, message);
    if (isEarlier) break;
    if (line.said === null) continue;
    if (message === null && lastBlock !== null && !endsWithBlock(line.said, lastBlock)) {
      // A block of nothing but space is never the one a client speaks of.
      if (isBlank(line.said.text)) continue;
      break;
    }
    message ??= line.said.messageId;
    if (line.said.messageId !== message) break;
    blocks.unshift(...(line.said.blocks ?? [line.said.text]));
  }
  const whole = end !== undefined || (message !== null && lastBlock !== null);
  return { blocks, newest, whole, begun, ...(end === undefined ? {} : { end }) };
}

type Said = NonNullable<TranscriptLine['said']>;

function isOfOtherMessage({ said }: TranscriptLine, message: string | null): boolean {
  return message !== null && said !== null && said.messageId !== message;
}

/**
 * The client gives the block trimmed. Codex writes all blocks of a message on one line, and what it hands over
 * is all of them with nothing in between (0.166.0), so line breaks do not count there.
 */
function endsWithBlock({ text, blocks = [] }: Said, lastBlock: string): boolean {
  const last = blocks.findLast((block) => !isBlank(block));
  return [text, last ?? text].some((said) => isOrEndsWith(said.trim(), lastBlock.trim()));
}

function isOrEndsWith(text: string, block: string): boolean {
  if (text === block || text.endsWith(`\n${block}`)) return true;
  return text.replaceAll('\n', '') === block.replaceAll('\n', '');
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Parsed only when the line speaks of a session and not of ours. */
function isOfAnother(session: string | null, line: string): boolean {
  if (session === null || session === NO_SESSION || line.includes(session) || !line.includes('"sessionId"'))
    return false;
  const entry = parseJson(line);
  return isObject(entry) && typeof entry.sessionId === 'string';
}

function sizeOf(file: string): number {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })?.size ?? -2;
  } catch {
    return -2;
  }
}

/** An unreadable transcript says nothing; that is no reason to fail a stop. */
function openQuietly(file: string): number | null {
  try {
    return openOwn(file);
  } catch {
    return null;
  }
}
