// The table at the end of `holdfast run`.

import type { Summary } from '../../driver/summary.ts';
import { shortCount } from '../../engine/budget/words.ts';
import { describeSpan } from '../../view/times.ts';
import { bold } from '../paint.ts';

export function tableOf(summary: Summary): string[] {
  const { asked, run, outcome, proof, iterations, reviews, findings, tokens, usd, files, commits } = summary;
  const { elapsedMs, workedMs, waitedMs, sessions, turns, tools } = summary;
  const rows: readonly (readonly [string, string | null])[] = [
    ['asked', asked],
    ['run', run],
    ['outcome', bold(outcome)],
    ['proven by', proof ?? 'no checks were asked for'],
    ['iterations', String(iterations)],
    ['reviews', reviews === 0 ? null : `${reviews}, ${findings} with findings`],
    ['tokens', tokens === null ? null : shortCount(tokens)],
    ['cost', usd === null ? null : `$${usd.toFixed(2)}, as the client reports it`],
    [
      'elapsed',
      `${describeSpan(elapsedMs)}: ${describeSpan(workedMs)} of work, ${describeSpan(waitedMs)} of waiting`,
    ],
    ['client', `${counted(sessions, 'session')}, ${counted(turns, 'turn')}, ${counted(tools, 'tool')}`],
    ['files', files === null ? null : `${files} changed`],
    ['commits', commits === null ? null : String(commits)],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : `  ${name.padEnd(10)}  ${value}`));
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
