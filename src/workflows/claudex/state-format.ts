// The state file's format: one `key: value` per line. All of it works on text; reading and writing files is
// loops.ts. Lines nobody here knows, and the line endings, survive every rewrite.

import { parseJson } from '../../store/json.ts';
import { isoTime } from '../../text/iso-time.ts';
import type { Loop, Mode, Phase, Signal } from './types.ts';

export type NewLoop = {
  id: string;
  mode: Mode;
  topic: string;
  maxRounds: number;
  fromDraft: boolean;
  interviewUsed: boolean;
  repoRoot: string;
  session: string;
  now: number;
};

export function writeNewState(loop: NewLoop): string {
  const time = utcTime(loop.now);
  const fields = {
    mode: loop.mode,
    phase: loop.mode === 'plan' ? 'drafting' : 'reviewing',
    topic: JSON.stringify(loop.topic),
    round: 1,
    max_rounds: loop.maxRounds,
    from_draft: loop.fromDraft,
    interview_used: loop.interviewUsed,
    review_id: loop.id,
    repo_root: asValue(loop.repoRoot),
    session_id: oneLine(loop.session),
    started_at: time,
    last_updated_at: time,
    started_at_epoch: Math.floor(loop.now / 1000),
    decision_signal: 'none',
  };
  return Object.entries(fields)
    .map(([field, value]) => `${field}: ${value}\n`)
    .join('');
}

export function readLoop(text: string): Loop {
  const fields = readFields(text);
  const field = (name: string): string => fields.get(name) ?? '';
  const epoch = wholeNumber(field('started_at_epoch'));
  const parsed = Date.parse(field('started_at'));
  return {
    mode: known(field('mode'), MODES),
    phase: known(field('phase'), PHASES),
    topic: normaliseTopic(field('topic').replaceAll('\0', ' ')),
    round: wholeNumber(field('round')) ?? 1,
    maxRounds: wholeNumber(field('max_rounds')),
    signal: SIGNALS.find((signal) => signal === field('decision_signal')) ?? 'none',
    fromDraft: field('from_draft') === 'true',
    interviewUsed: field('interview_used') === 'true',
    repoRoot: field('repo_root'),
    startedAt: field('started_at'),
    startedAtMs: epoch !== null ? epoch * 1000 : Number.isNaN(parsed) ? null : parsed,
  };
}

/** One field's value, unquoted; null when there is none. Of two lines with the same key the first counts. */
export function readField(text: string, field: string): string | null {
  return readFields(text).get(field) ?? null;
}

function readFields(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const key = keyOf(line);
    if (key !== null && !fields.has(key)) fields.set(key, unquote(line.slice(line.indexOf(':') + 1).trim()));
  }
  return fields;
}

/** Sets one field, and `last_updated_at` along with it unless that is the field itself. */
export function setField(text: string, field: string, value: string | number, now: number): string {
  const changed = replaceField(text, field, String(value));
  return field === 'last_updated_at' ? changed : replaceField(changed, 'last_updated_at', utcTime(now));
}

/** Compare and swap: null when the phase is not `from` any more. */
export function swapPhase(text: string, from: Phase, to: Phase, now: number): string | null {
  return readField(text, 'phase') === from ? setField(text, 'phase', to, now) : null;
}

export function isFinished(phase: Loop['phase']): boolean {
  return phase === 'done' || phase === 'cancelled' || phase === 'errored';
}

/** One line: each line break becomes a space. After that any text without NUL comes back as it went in. */
export function normaliseTopic(topic: string): string {
  return topic.replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, ' ');
}

/** ISO 8601 to the second, as `date -u` writes it. */
export function utcTime(now: number): string {
  return `${isoTime(now).slice(0, 19)}Z`;
}

/** A whole number above zero; null for anything else. */
export function wholeNumber(text: string): number | null {
  if (!/^\d{1,10}$/.test(text)) return null;
  return Number(text) > 0 ? Number(text) : null;
}

const MODES: readonly Mode[] = ['plan', 'review'];
const PHASES: readonly Phase[] = ['drafting', 'reviewing', 'summarizing', 'done', 'cancelled', 'errored'];
const SIGNALS: readonly Signal[] = ['none', 'no-material-findings', 'max-reached'];

function known<Name extends string>(text: string, names: readonly Name[]): Name | 'unknown' {
  return names.find((name) => name === text) ?? 'unknown';
}

function keyOf(line: string): string | null {
  return /^\uFEFF?([A-Za-z_][\w-]*)[ \t]*:/.exec(line)?.[1] ?? null;
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value;
  const parsed = parseJson(value);
  return typeof parsed === 'string' ? parsed : value;
}

/** As it is where it reads back as it is (a path mostly does), else as JSON. */
function asValue(value: string): string {
  const plain = oneLine(value).trim();
  return plain === value && !value.startsWith('"') ? value : JSON.stringify(value);
}

function replaceField(text: string, field: string, value: string): string {
  const lines = text.split('\n');
  const index = lines.findIndex((line) => keyOf(line) === field);
  const ending = (lines[Math.max(index, 0)] ?? '').endsWith('\r') ? '\r' : '';
  const line = `${field}: ${oneLine(value)}${ending}`;
  if (index >= 0) return lines.with(index, line).join('\n');
  const body = text === '' || text.endsWith('\n') ? text : `${text}${ending}\n`;
  return `${body}${line}\n`;
}

function oneLine(value: string): string {
  return value.replace(/[\r\n]+/g, ' ');
}
