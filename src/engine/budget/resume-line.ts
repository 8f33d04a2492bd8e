// The command by which a person grants more, with a flag for each part that is spent.

import { shownWord } from '../../text/quoted.ts';
import { spentOf } from './rule.ts';
import type { Budget } from './types.ts';
import { flagFor } from './words.ts';

export function howToResume({ run, limits, spent, due }: Budget, cli: string): string {
  return [cli, 'resume', shownWord(run), ...spentOf(limits, spent, due).map(flagFor)].join(' ');
}
