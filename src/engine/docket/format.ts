// docket.json as text. What a person edited there is honoured: unknown fields stay, and so does the order; an entry
// without an id, or with one that is taken, gets the next one.

import { isObject, type Json, type JsonObject, parseJson } from '../../store/json.ts';
import { COUNTED_BELOW, nextNumber, numberOf, readSeverity } from './ids.ts';
import { innermostObjects } from './innermost.ts';
import type { Docket, Entry, Status } from './types.ts';

/** Null: it is no docket. */
export function parseDocket(text: string): Docket | null {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  if (!isObject(value) || !Array.isArray(value.findings)) return null;
  const { last, findings, ...others } = value;
  const docket = numbered(findings, typeof last === 'number' ? last : 0, others as JsonObject);
  return canBeWritten(docket) ? docket : null;
}

export function docketText({ last, findings, strays, others }: Docket): string {
  const docket = { ...others, last, findings: [...findings.map(asWritten), ...strays] };
  return `${JSON.stringify(docket, null, 2)}\n`;
}

/** No docket that a person reads is longer; of one that is, the numbers alone are kept. */
const LONGEST_SALVAGED = 1024 * 1024;

/** What can still be read of a docket that is none any more: a comma too many must not cost every answer in it. */
export function salvageDocket(text: string): Docket {
  const objects = text.length > LONGEST_SALVAGED ? [] : innermostObjects(text).map(parseJson);
  const entries = objects.filter((object) => isObject(object) && numberOf(object.id) !== null);
  const numbers = Array.from(text.matchAll(/\bF([1-9]\d{0,7})\b/g), (match) => Number(match[1]));
  const last = numbers.reduce((highest, number) => Math.max(highest, number), 0);
  return { ...numbered(entries, last, {}), strays: [] };
}

/** As it is in the file; a finding that has no evidence, no answer or no earlier one has no field for it. */
function asWritten(entry: Entry): JsonObject {
  const { id, review, round, by, severity, file, line, claim, evidence, status, answer, earlier } = entry;
  return {
    ...{ id, review, round, by, severity, file, line, claim },
    ...(evidence === null ? {} : { evidence }),
    status,
    ...(answer === null ? {} : { answer }),
    ...(earlier.length === 0 ? {} : { earlier }),
    ...entry.others,
  };
}

function numbered(found: readonly unknown[], counter: number, others: JsonObject): Docket {
  const read = found.map(readEntry);
  const numbers = read.flatMap((entry) =>
    [entry?.id, ...(entry?.earlier ?? [])].flatMap((id) => numberOf(id) ?? []),
  );
  let last = 0;
  for (const number of [counter, ...numbers])
    if (Number.isSafeInteger(number) && number < COUNTED_BELOW) last = Math.max(last, number);
  const known = new Set(read.flatMap((entry) => entry?.id ?? []));
  const taken = new Set<string>();
  const findings = read.flatMap((entry) => {
    if (entry === null) return [];
    const isFree = entry.id !== '' && !taken.has(entry.id);
    if (!isFree) last = nextNumber(last, known);
    const id = isFree ? entry.id : `F${last}`;
    taken.add(id);
    return { ...entry, id };
  });
  return { last, findings, strays: found.filter((_, index) => read[index] === null), others };
}

/** Null: it claims nothing, so it is no finding. An id that is none is empty here. */
function readEntry(value: unknown): Entry | null {
  if (!isObject(value) || typeof value.claim !== 'string') return null;
  const others: Record<string, Json> = {};
  const used = new Set(['id', 'claim']);
  /** What cannot be used as it stands is kept as it stands. */
  const take = <Value>(
    name: string,
    read: (given: unknown) => Value | undefined,
    otherwise: Value,
  ): Value => {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const taken = given === undefined || given === null ? otherwise : read(given);
    if (taken !== undefined) used.add(name);
    return taken ?? otherwise;
  };
  const entry = {
    id: asId(value.id) ?? '',
    review: take('review', text, ''),
    round: take<number | null>('round', whole, null),
    by: take<string | null>('by', text, null),
    severity: take('severity', (given) => readSeverity(given) ?? undefined, 'medium' as const),
    file: take<string | null>('file', text, null),
    line: take<number | null>('line', whole, null),
    claim: value.claim,
    evidence: take<string | null>('evidence', text, null),
    status: take<Status>('status', readStatus, 'open'),
    answer: take<string | null>('answer', text, null),
    earlier: take<readonly string[]>('earlier', readIds, []),
  };
  for (const [name, given] of Object.entries(value)) if (!used.has(name)) others[name] = given as Json;
  return { ...entry, others };
}

function readStatus(value: unknown): Status | undefined {
  const word = text(value)?.trim().toLowerCase();
  return STATUSES.find((status) => status === word);
}

const STATUSES: readonly Status[] = ['open', 'fixed', 'rejected'];

function readIds(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.flatMap((each) => asId(each) ?? []) : undefined;
}

function asId(value: unknown): string | null {
  const number = numberOf(value);
  return number === null ? null : `F${number}`;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** What is nested deeper than can be written is nobody's docket. */
function canBeWritten({ findings, strays, others }: Docket): boolean {
  try {
    JSON.stringify([strays, others, findings.map((entry) => entry.others)]);
    return true;
  } catch {
    return false;
  }
}
