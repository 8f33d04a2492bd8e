// `.jwz/messages.jsonl`, the topic store: an append-only log shared with the `jwz` tool, one JSON line for each
// topic and message. Finds a topic's latest message from the end, so that the log's length never matters.

import fs from 'node:fs';
import { isObject, parseJson } from '../../store/json.ts';
import { openInside } from '../../store/open.ts';
import type { Write } from '../../store/writes.ts';
import { linesFromEnd } from '../../text/backward.ts';
import { logPath } from './files.ts';
import { ulid } from './ulid.ts';

/** What is remembered of the log: the topic's latest message does not stand before `scanned`. */
export type Position = { topic: string; inode: number; scanned: number };

/** Where the log stands; `topic` is null while the topic's id is not known. */
export type LogEnd = { topic: string | null; inode: number; size: number };

export type Found =
  | (Body & { kind: 'message'; log: LogEnd })
  | { kind: 'none'; log: LogEnd | null }
  /** Not found, but the log is too long to be read to its beginning. */
  | { kind: 'lost'; log: LogEnd };

/** `sentAt`: the message's own time, in milliseconds; null: it has none. */
type Body = { body: string; sentAt: number | null };

/** How far to read when nothing is remembered, and how much at most of what was appended since. */
export type Reach = { head: number; tail: number; appended: number };

const MEGABYTE = 1024 * 1024;
export const HOOK_REACH: Reach = { head: 64 * 1024, tail: 4 * MEGABYTE, appended: 64 * MEGABYTE };
/** Nobody's turn waits for a command. */
export const COMMAND_REACH: Reach = { head: MEGABYTE, tail: 256 * MEGABYTE, appended: 256 * MEGABYTE };

export function latestOf(name: string, root: string, known: Position | null, reach: Reach): Found {
  const file = logPath(root);
  const descriptor = openInside(file, root);
  if (descriptor === null) return { kind: 'none', log: null };
  try {
    const { ino, size } = fs.fstatSync(descriptor);
    return appendedSince(descriptor, size, ino, known, reach) ?? search(descriptor, size, ino, name, reach);
  } finally {
    fs.closeSync(descriptor);
  }
}

type Append = Extract<Write, { kind: 'append' }>;

/** The write that posts a body, in one piece also where the topic itself is new. */
export function post(root: string, name: string, log: LogEnd | null, body: string, now: number): Append {
  const known = log?.topic ?? null;
  const topic = known ?? ulid(now);
  const message = { type: 'message', id: ulid(now), topic_id: topic, parent_id: null, body, created_at: now };
  const opening = { type: 'topic', id: topic, name, description: '', created_at: now };
  const lines = known === null ? [opening, message] : [message];
  return { kind: 'append', path: logPath(root), line: lines.map((line) => JSON.stringify(line)).join('\n') };
}

/** Null when the notes do not fit the log (another file, cut, rewritten): then it is searched again. */
function appendedSince(
  descriptor: number,
  size: number,
  inode: number,
  known: Position | null,
  reach: Reach,
): Found | null {
  if (known === null || known.inode !== inode || known.scanned > size) return null;
  // One byte more, so that the first line after it is known to begin there.
  const length = Math.min(size - known.scanned + 1, reach.appended);
  for (const line of linesFromEnd(descriptor, length)) {
    const message = readMessage(line.text);
    if (message?.topic === known.topic)
      return { kind: 'message', ...message.said, log: { topic: known.topic, inode, size } };
  }
  return null;
}

/** The head has the topic's id in nearly every log; a topic that began later is met on the way back. */
function search(descriptor: number, size: number, inode: number, name: string, reach: Reach): Found {
  const ids = topicsInHead(descriptor, name, reach.head);
  const latest = new Map<string, Body>();
  for (const line of linesFromEnd(descriptor, reach.tail)) {
    const message = readMessage(line.text);
    if (message !== null && !latest.has(message.topic)) latest.set(message.topic, message.said);
    const opened = message === null ? readTopic(line.text, name) : null;
    if (opened !== null) ids.push(opened);
    for (const topic of ids) {
      const said = latest.get(topic);
      if (said !== undefined) return { kind: 'message', ...said, log: { topic, inode, size } };
    }
  }
  return { kind: size > reach.tail ? 'lost' : 'none', log: { topic: ids[0] ?? null, inode, size } };
}

function topicsInHead(descriptor: number, name: string, length: number): string[] {
  const head = Buffer.alloc(length);
  const count = fs.readSync(descriptor, head, 0, length, 0);
  const lines = head.toString('utf8', 0, count).split('\n');
  return lines.flatMap((line) => readTopic(line, name) ?? []);
}

function readTopic(line: string, name: string): string | null {
  if (!line.includes('"topic"')) return null;
  const entry = parseJson(line);
  if (!isObject(entry) || entry.type !== 'topic' || entry.name !== name) return null;
  return typeof entry.id === 'string' ? entry.id : null;
}

/** A torn line is no JSON and says nothing; one that lacks only its line end is whole. */
function readMessage(line: string): { topic: string; said: Body } | null {
  if (!line.includes('"topic_id"')) return null;
  const entry = parseJson(line);
  if (!isObject(entry) || entry.type !== 'message') return null;
  const { topic_id: topic, body, created_at: created } = entry;
  if (typeof topic !== 'string' || typeof body !== 'string') return null;
  return { topic, said: { body, sentAt: typeof created === 'number' && created > 0 ? created : null } };
}
