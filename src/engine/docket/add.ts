// A review's findings as entries of the docket. Adding the same review once more changes nothing, so that a stop that
// died between the docket and the state can be repeated.

import type { Finding, Findings } from '../../reviewers/findings.ts';
import { inOneParagraph } from '../../text/paragraph.ts';
import { nextNumber, numberOf } from './ids.ts';
import { type Comparable, comparable, isNamedAgain, isSaidAgain } from './raised.ts';
import type { Docket, Entry } from './types.ts';

export const MOST_FINDINGS = 200;
const LONGEST_TEXT = 2000;
const LONGEST_PLACE = 300;
const MOST_EARLIER = 20;
/** Those whose words are compared; one that is named, by its id or its file, is found however old it is. */
const NEWEST_COMPARED = 300;

export type Reviewed = {
  /** The review's file, by its name alone. */
  review: string;
  round: number | null;
  by: string | null;
  /** What a reviewer's absolute paths are made relative to. */
  root: string;
};

export function addFindings(docket: Docket, { list }: Pick<Findings, 'list'>, reviewed: Reviewed): Docket {
  const known = new Set(docket.findings.filter(({ review }) => review === reviewed.review).map(contentOf));
  const answered = docket.findings.filter(({ status }) => status !== 'open');
  const newest = answered.slice(-NEWEST_COMPARED).map(comparable);
  const taken = new Set(docket.findings.map(({ id }) => id));
  const added: Entry[] = [];
  let { last } = docket;
  for (const finding of list.slice(0, MOST_FINDINGS)) {
    const number = nextNumber(last, taken);
    const entry = entryOf(finding, reviewed, number);
    if (known.has(contentOf(entry))) continue;
    last = number;
    known.add(contentOf(entry));
    added.push({ ...entry, earlier: earlierOf(comparable(entry), answered, newest) });
  }
  return added.length === 0 ? docket : { ...docket, last, findings: [...docket.findings, ...added] };
}

const WITHOUT_WORDS = '(the reviewer gave no words for it)';

/** What a reviewer wrote may steer nothing: one line each, of characters that can be seen. */
function entryOf(finding: Finding, { review, round, by, root }: Reviewed, number: number): Entry {
  const { severity, line, claim, evidence } = finding;
  const proven = inOneParagraph(evidence ?? '', LONGEST_TEXT);
  return {
    id: `F${number}`,
    ...{ review, round, by, severity },
    file: placeOf(finding.file, root),
    line: line !== null && Number.isSafeInteger(line) && line > 0 ? line : null,
    claim: inOneParagraph(claim, LONGEST_TEXT) || proven || WITHOUT_WORDS,
    evidence: proven === '' ? null : proven,
    status: 'open',
    answer: null,
    earlier: [],
    others: {},
  };
}

/** Relative to the project where it lies there, so that two reviewers who write it differently mean one file. */
function placeOf(file: string | null, root: string): string | null {
  const plain = inOneParagraph(file ?? '', LONGEST_PLACE).replaceAll('\\', '/');
  const inside = plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
  const place = inside.replace(/^(?:\.\/+)+/, '').replace(/:\d+(?:[-:]\d+)?$/, '');
  return place === '' ? null : place;
}

/** The newest ones, in the order of their ids. */
function earlierOf(
  entry: Comparable,
  answered: readonly Entry[],
  newest: readonly Comparable[],
): readonly string[] {
  const older = answered.length - newest.length;
  const found: string[] = [];
  for (let index = answered.length - 1; index >= 0 && found.length < MOST_EARLIER; index--) {
    const [other, compared] = [answered[index], newest[index - older]];
    if (other === undefined) continue;
    const isAgain = isNamedAgain(entry, other) || (compared !== undefined && isSaidAgain(entry, compared));
    if (isAgain) found.push(other.id);
  }
  return found.sort((left, right) => (numberOf(left) ?? 0) - (numberOf(right) ?? 0));
}

function contentOf({ severity, file, line, claim }: Entry): string {
  return JSON.stringify([severity, file, line, claim]);
}
