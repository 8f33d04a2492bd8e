// What a report says of a run, in words that both of its forms use (pure).

import { amountInWords, shortCount } from '../../engine/budget/words.ts';
import type { CheckView, RoundView, RunView } from '../model.ts';
import { describeEnd, labelOf } from '../run-state.ts';
import { describeSpan } from '../times.ts';

/** `Done and proven by test and lint.` */
export function howItEnded(run: RunView): string {
  const { end, stage, needs } = run;
  if (end === null) return sentence(`${labelOf(run)}: ${stage}`) + (needs === null ? '' : ` ${needs}`);
  return sentence(describeEnd(end));
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** From its start to its end; null: nobody knows. */
export function spanOf({ startedAt, end, movedAt, stops }: RunView): number | null {
  const from = startedAt ?? stops.at(-1)?.at ?? null;
  const to = end?.at ?? movedAt;
  return from === null || to === null ? null : Math.max(0, to - from);
}

const LONGEST_TITLE = 140;

/** The task, cut between words where it is long; a run without one is called by its name. */
export function headingOf({ asked, name }: RunView): { title: string; isCut: boolean } {
  const task = (asked ?? '').replace(/\s+/g, ' ').trim();
  if (task === '') return { title: name, isCut: false };
  if (task.length <= LONGEST_TITLE) return { title: task, isCut: false };
  return { title: `${task.slice(0, LONGEST_TITLE).replace(/ \S*$/, '')}…`, isCut: true };
}

/** What it took, each in a few words: `34 stops, 29 of them held`. */
export function costs(run: RunView): string[] {
  const { counts, budget } = run;
  const span = spanOf(run);
  const spent = budget?.spent ?? null;
  const usd = Math.max(counts.usd, spent?.usd ?? 0);
  return [
    ...(span === null ? [] : [describeSpan(span)]),
    `${plural(counts.stops, 'stop')}${counts.stops === 0 ? '' : `, ${counts.held} held`}`,
    ...(counts.reviews === 0 ? [] : [plural(counts.reviews, 'review')]),
    ...(counts.checks === 0 ? [] : [`${plural(counts.checks, 'check')} run`]),
    ...(counts.receipts === 0 ? [] : [`${plural(counts.receipts, 'receipt')} used`]),
    ...(counts.tokens === 0 ? [] : [`${shortCount(counts.tokens)} tokens of reviewers`]),
    ...(spent === null || spent.tokens === 0
      ? []
      : [`${amountInWords('tokens', spent.tokens)} of its budget`]),
    ...(usd === 0 ? [] : [amountInWords('usd', usd)]),
  ];
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

export const VERDICTS: Readonly<Record<RoundView['verdict'], { mark: string; word: string }>> = {
  clean: { mark: '\u2713', word: 'clean' },
  findings: { mark: '\u2717', word: 'findings' },
  none: { mark: '\u00b7', word: 'no verdict' },
  failed: { mark: '\u00b7', word: 'it failed' },
  running: { mark: '\u2026', word: 'runs now' },
  'not-reviewed': { mark: '\u00b7', word: 'not reviewed' },
};

/** `round 2` or `task-2, round 3`. */
export function titleOf({ about, number }: RoundView): string {
  return about === '' ? `round ${number}` : `${about}, round ${number}`;
}

export function whoReviewed({ reviewer, model }: RoundView): string {
  if (reviewer === null) return '';
  return model === null || model === '' ? reviewer : `${reviewer}/${model}`;
}

/** `passed 4 times, failed twice; last: passed after 3 s`. */
export function checkInWords({ results }: CheckView): string {
  const ends = [...new Set(results.map(({ end }) => end))];
  const counted = ends.map(
    (end) => `${end} ${timesInWords(results.filter((each) => each.end === end).length)}`,
  );
  const last = results.at(-1);
  const took = last?.milliseconds == null ? '' : ` after ${describeSpan(last.milliseconds)}`;
  return `${counted.join(', ')}; last: ${last?.end ?? 'never run'}${took}`;
}

function timesInWords(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}
