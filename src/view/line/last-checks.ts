// How a run's checks ended last, in a few letters: `test ✗ 2 min ago`. From the end of the journal alone.

import fs from 'node:fs';
import type { Project } from '../../engine/project.ts';
import { journalPath } from '../../store/home.ts';
import { openJournal } from '../../store/journal.ts';
import { isObject, parseJson } from '../../store/json.ts';
import { linesFromEnd } from '../../text/backward.ts';
import { inOneParagraph } from '../../text/paragraph.ts';
import { describeSpan } from '../times.ts';

const READ_AT_MOST = 64 * 1024;
const MOST = 2;

/** Those that failed come first. */
export function lastChecks({ home, now }: Project, name: string): string[] {
  const descriptor = openQuietly(journalPath(home));
  if (descriptor === null) return [];
  try {
    for (const { text } of linesFromEnd(descriptor, READ_AT_MOST)) {
      const found = checksIn(text, name);
      if (found === null) continue;
      const failed = found.checks.filter(({ end }) => end !== 'passed');
      return (failed.length > 0 ? failed : found.checks)
        .slice(0, MOST)
        .map(
          ({ check, end }) =>
            `${inOneParagraph(check, 30)} ${end === 'passed' ? '\u2713' : '\u2717'} ${ago(now - found.at)}`,
        );
    }
    return [];
  } finally {
    fs.closeSync(descriptor);
  }
}

function openQuietly(file: string): number | null {
  try {
    return openJournal(file);
  } catch {
    return null;
  }
}

const ago = (milliseconds: number): string => `${describeSpan(Math.max(0, milliseconds))} ago`;

type Found = { at: number; checks: readonly { check: string; end: string }[] };

/** Null: it is no line of a stop of this run at which checks said something. */
function checksIn(text: string, name: string): Found | null {
  // Most lines say nothing of checks, and need not be parsed.
  if (!text.includes('"checks":')) return null;
  const line = parseJson(text);
  if (!isObject(line) || `${line.workflow}:${line.run}` !== name || !isObject(line.facts)) return null;
  const { proof, until, checks } = line.facts;
  const lists = [proof, until].flatMap((each) =>
    isObject(each) && Array.isArray(each.checks) ? each.checks : [],
  );
  const facts = [...lists, ...(isObject(checks) ? Object.values(checks) : [])].flatMap((fact) =>
    isObject(fact) && typeof fact.name === 'string' && typeof fact.end === 'string'
      ? { check: fact.name, end: fact.end }
      : [],
  );
  const at = typeof line.time === 'string' ? Date.parse(line.time) : Number.NaN;
  return facts.length === 0 || Number.isNaN(at) ? null : { at, checks: facts };
}
