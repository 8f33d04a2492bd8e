// The rounds of reviews: their verdicts in a row, and what each found as a bar by severity.

import { Text } from 'ink';
import type { ReactElement } from 'react';
import type { RoundView } from '../../view/model.ts';
import { Painted } from './paint.tsx';
import { oneLine, VERDICTS } from './words.ts';

export function verdictLine(rounds: readonly RoundView[], columns: number): ReactElement {
  const most = Math.max(1, Math.floor((columns - 12) / 4));
  return (
    <Text key="verdicts" wrap="truncate-end">
      {'  rounds '}
      {rounds.slice(-most).map((round, index) => {
        const { mark, colour } = VERDICTS[round.verdict];
        const count = countOf(round);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rounds are only ever added, and numbers come again.
          <Painted key={index} colour={colour}>
            {` ${mark}${count === 0 ? '' : count}`}
          </Painted>
        );
      })}
    </Text>
  );
}

/** The newest ones, the oldest of them first. */
export function roundLines(rounds: readonly RoundView[], columns: number, rows: number): ReactElement[] {
  if (rows <= 0) return [];
  const shown = rounds.slice(-rows);
  const widest = Math.max(1, ...shown.map(countOf));
  const scale = Math.min(1, Math.max(8, columns - 56) / widest);
  return shown.map((round, index) => {
    const { mark, colour } = VERDICTS[round.verdict];
    const { high, medium, low } = round.found;
    const words = [high > 0 && `${high} high`, medium > 0 && `${medium} medium`, low > 0 && `${low} low`];
    const who = [round.reviewer, round.about].filter((each) => each !== null && each !== '').join(', ');
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: rounds are only ever added, and numbers come again.
      <Text key={`round ${index}`} wrap="truncate-end">
        {`  ${String(round.number).padStart(3)} `}
        <Painted colour={colour}>{mark}</Painted>{' '}
        <Painted colour="red">{'█'.repeat(Math.ceil(high * scale))}</Painted>
        <Painted colour="yellow">{'▓'.repeat(Math.ceil(medium * scale))}</Painted>
        <Painted colour="gray">{'░'.repeat(Math.ceil(low * scale))}</Painted>
        {countOf(round) === 0 ? '' : ' '}
        <Text dimColor>{[words.filter(Boolean).join(', '), oneLine(who)].filter(Boolean).join('  ')}</Text>
      </Text>
    );
  });
}

function countOf({ found }: RoundView): number {
  return found.high + found.medium + found.low;
}
