// Reads how many tokens a session used since it was last read: from the known place on, whole lines only, and no more
// than so many bytes at a stop. What is left, and a last line that comes late, the next stop reads.

import fs from 'node:fs';
import type { Stop } from '../../clients/stop.ts';
import type { LineUsage, UsageReader } from '../../clients/usage.ts';
import { openOwn } from '../../store/open.ts';
import { linesFromEnd } from '../../text/backward.ts';
import { linesFrom } from '../../text/forward.ts';
import type { FilePlace, Meter, SeenMessage, Used } from './types.ts';

/** At one stop, over all files. */
const READ_AT_MOST = 32 * 1024 * 1024;
/** Enough for all messages whose lines can stand among each other's. */
const SEEN_KEPT = 200;

export type Reading = { stop: Stop; reader: UsageReader; now: number; most?: number };

export function readUsage(meter: Meter, reading: Reading): { after: Meter; used: Used } {
  const count = new Count(meter);
  const files: Record<string, FilePlace> = { ...meter.files };
  let left = reading.most ?? READ_AT_MOST;
  for (const file of reading.reader.files(reading.stop)) {
    if (left <= 0) break;
    const known = Object.hasOwn(files, file) ? files[file] : undefined;
    const read = readFile(file, known, left, count, meter, reading);
    if (read === null) continue;
    files[file] = read.place;
    left -= read.bytes;
  }
  return { after: { ...meter, files, seen: count.seen.slice(-SEEN_KEPT) }, used: count.used };
}

/** Null: it is not there, or cannot be read now. */
function readFile(
  file: string,
  known: FilePlace | undefined,
  most: number,
  count: Count,
  meter: Meter,
  { reader, now }: Reading,
): { place: FilePlace; bytes: number } | null {
  const descriptor = openQuietly(file);
  if (descriptor === null) return null;
  try {
    const { ino, size } = fs.fstatSync(descriptor);
    const isSame = known !== undefined && known.inode === ino && size >= known.offset;
    if (isSame && size === known.offset) return { place: { ...known, at: now }, bytes: 0 };
    // One that was written again, as by a rewind, holds again what was counted already.
    const from = Math.max(meter.since, known?.at ?? 0);
    const start = isSame ? known : placeAt(descriptor, { inode: ino, at: from }, reader, most);
    let { offset, total } = start;
    let bytes = 0;
    for (const line of linesFrom(descriptor, offset, most)) {
      bytes = line.end - start.offset;
      offset = line.end;
      const usage = line.text === null ? null : reader.read(line.text);
      if (usage === null) continue;
      const isOurs = isSame || usage.at === null || usage.at > from;
      const used = count.of(usage, total, isOurs);
      if (used !== null) total = used;
    }
    const isAtEnd = bytes < most && size - start.offset < most;
    return { place: { inode: ino, offset, at: isAtEnd ? now : start.at, total }, bytes };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Where the lines begin that were written after `at`, and the last total before them. */
function placeAt(
  descriptor: number,
  found: Pick<FilePlace, 'inode' | 'at'>,
  reader: UsageReader,
  most: number,
): FilePlace {
  let offset: number | null = null;
  let isBefore = false;
  for (const { text, start, torn } of linesFromEnd(descriptor, most)) {
    if (torn) continue;
    const at: number | null = isBefore ? null : reader.timeOf(text);
    isBefore ||= at !== null && at <= found.at;
    if (!isBefore) offset = start;
    else if (!reader.totals) break;
    const usage = isBefore ? reader.read(text) : null;
    if (usage?.kind !== 'total') continue;
    const total = { tokens: usage.tokens, cacheRead: usage.cacheRead };
    return { ...found, offset: offset ?? endOf(descriptor, most), total };
  }
  return { ...found, offset: offset ?? (isBefore ? endOf(descriptor, most) : 0), total: null };
}

/** After the last whole line. */
function endOf(descriptor: number, most: number): number {
  for (const { text, start, torn } of linesFromEnd(descriptor, most))
    if (!torn) return start + Buffer.byteLength(text) + 1;
  return 0;
}

/** Adds up what lines say, once for each message. */
class Count {
  readonly used: Used = { tokens: 0, cacheRead: 0 };
  readonly seen: SeenMessage[];
  readonly #meter: Meter;

  constructor(meter: Meter) {
    this.#meter = meter;
    this.seen = [...meter.seen];
  }

  /** `total`: the last one. Answers with the new one, where the line has one. */
  of(usage: LineUsage, total: Used | null, isOurs: boolean): Used | null {
    const { tokens, cacheRead } = usage;
    const counts = isOurs && this.#meter.isHeld && !this.#isPaused(usage.at);
    const before = usage.kind === 'message' ? this.#before(usage.id) : beforeTotal(usage, total);
    if (usage.kind === 'message') this.#note({ id: usage.id, tokens, cacheRead });
    if (counts) {
      this.used.tokens = within(this.used.tokens + Math.max(0, tokens - before.tokens));
      this.used.cacheRead = within(this.used.cacheRead + Math.max(0, cacheRead - before.cacheRead));
    }
    return usage.kind === 'total' ? { tokens, cacheRead } : null;
  }

  #isPaused(at: number | null): boolean {
    return at !== null && this.#meter.pauses.some(({ from, to }) => at > from && at <= to);
  }

  #before(id: string): Used {
    return this.seen.find((known) => known.id === id) ?? NONE;
  }

  /** The most that was said of a message counts. */
  #note({ id, tokens, cacheRead }: SeenMessage): void {
    const position = this.seen.findIndex((known) => known.id === id);
    const known = this.seen[position] ?? NONE;
    if (position >= 0) this.seen.splice(position, 1);
    this.seen.push({
      id,
      tokens: Math.max(tokens, known.tokens),
      cacheRead: Math.max(cacheRead, known.cacheRead),
    });
    if (this.seen.length > 2 * SEEN_KEPT) this.seen.splice(0, SEEN_KEPT);
  }
}

const NONE: Used = { tokens: 0, cacheRead: 0 };

/** Totals that begin again, as in another thread, are worth what the last request used. */
function beforeTotal(
  { tokens, cacheRead, last }: Extract<LineUsage, { kind: 'total' }>,
  total: Used | null,
): Used {
  if (total === null) return NONE;
  if (tokens >= total.tokens) return total;
  return { tokens: Math.max(0, tokens - last.tokens), cacheRead: Math.max(0, cacheRead - last.cacheRead) };
}

function within(count: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, count);
}

function openQuietly(file: string): number | null {
  try {
    return openOwn(file);
  } catch {
    return null; // What cannot be read now is read at a later stop.
  }
}
