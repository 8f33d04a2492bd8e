// The verdicts of the rounds in a row: one small mark each.

import type { RoundVerdict } from '../../../view/model.ts';
import type { RunCard } from '../../shown.ts';

export const VERDICTS: Readonly<Record<RoundVerdict, { mark: string; words: string }>> = {
  clean: { mark: '✓', words: 'clean' },
  findings: { mark: '✗', words: 'findings' },
  none: { mark: '·', words: 'no verdict' },
  failed: { mark: '!', words: 'the review failed' },
  running: { mark: '…', words: 'under way' },
  'not-reviewed': { mark: '–', words: 'not reviewed' },
};

export function VerdictStrip({ rounds }: { rounds: RunCard['rounds'] }) {
  return (
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
  );
}
