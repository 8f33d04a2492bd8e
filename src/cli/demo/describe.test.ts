import { afterEach, expect, it } from 'vitest';
import { describePlayed, ending } from './describe.ts';

const { columns } = process.stdout;
afterEach(() => void Object.assign(process.stdout, { columns }));

it.each([40, 72])('is as wide as the terminal: %i', (width) => {
  Object.assign(process.stdout, { columns: width });
  const words = 'one two three four five '.repeat(10);
  const shown = [
    describePlayed({ kind: 'agent', does: words, says: words }),
    describePlayed({ kind: 'hold', reason: `${words}\n${words}\n    ${words}`, notice: words }),
    ending([], false),
  ];
  for (const line of shown.join('\n').split('\n')) expect(line.length, line).toBeLessThanOrEqual(width);
});
