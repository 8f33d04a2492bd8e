// The verdicts of the rounds in a row: one small mark each, and what the marks mean.

import type { RoundVerdict } from '../../../view/model.ts';
import type { RunCard } from '../../shown.ts';
import type { LegendItem } from './chart.tsx';

export const VERDICTS: Readonly<Record<RoundVerdict, { mark: string; words: string }>> = {
  clean: { mark: '✓', words: 'clean' },
  findings: { mark: '✗', words: 'findings' },
  none: { mark: '·', words: 'no verdict' },
  failed: { mark: '!', words: 'the review failed' },
  running: { mark: '…', words: 'under way' },
  'not-reviewed': { mark: '–', words: 'not reviewed' },
};

/** A legend of the marks that are there. */
export function verdictsIn(rounds: RunCard['rounds']): LegendItem[] {
  const there = new Set(rounds.map(({ verdict }) => verdict));
  return Object.entries(VERDICTS).flatMap(([kind, { mark, words }]) =>
    there.has(kind as RoundVerdict) ? [{ mark, kind, words }] : [],
  );
}

export function VerdictStrip({ rounds }: { rounds: RunCard['rounds'] }) {
  return (
    <div class="rounds-of-card">
      <p class="meter-text">Findings in each round of review</p>
      <ol class="verdicts" aria-label="Verdicts, round by round">
        {rounds.map(({ number, verdict, found }, index) => {
          const count = found.high + found.medium + found.low;
          const words = `Round ${number}: ${count > 0 ? `${count} found` : VERDICTS[verdict].words}`;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rounds are only ever added, and numbers come again.
            <li key={index} class={`verdict ${verdict}`} title={words}>
              <span aria-hidden="true">{count > 0 ? count : VERDICTS[verdict].mark}</span>
              <span class="hidden">{words}</span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
