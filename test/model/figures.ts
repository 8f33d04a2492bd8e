// The figures of an exploration, printed so that a run shows what it went through.

import type { Explored } from '../../src/explorer/explorer.ts';

export function printFigures(name: string, { states, transitions, combinations }: Explored): void {
  const [some, many, all] = [states, transitions, combinations].map((count) => count.toLocaleString('en'));
  console.info(`${name}: ${some} states, ${many} transitions, ${all} combinations of facts`);
}
