// Where there is no terminal to draw on: a line for each run as it stands, then a line for whatever happens, until it is ended.

import { plainText } from '../../text/printable.ts';
import type { RunCard } from '../shown.ts';
import type { Source } from '../source.ts';
import { dayAndTime, standOf } from './words.ts';

export async function printLines(source: Source): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${plainText(line)}\n`);
  let known = new Map<string, string>();
  const show = (): void => {
    const cards = source.overview().cards;
    const now = new Map(cards.map((card) => [card.id, lineOf(card)]));
    for (const [id, line] of now) if (known.get(id) !== line) print(line);
    for (const [id] of known) if (!now.has(id)) print(`${id}  is gone`);
    known = now;
  };
  // Before the first line: whoever reads it may end this at once.
  const end = ended();
  if (source.overview().cards.length === 0) print('No runs here yet.');
  show();
  const unwatch = source.watch(show);
  await end;
  unwatch();
}

/** `2026-11-17 09:00:00  idle:… (shop)  iteration 3 of 10  held: No completion signal …`, in one line. */
function lineOf(card: RunCard): string {
  const { name, project, needs, work, lastStop, movedAt } = card;
  const time = movedAt === null ? '' : `${dayAndTime(movedAt)}  `;
  const parts = [
    `${name} (${project.name})`,
    standOf(card),
    ...work.map((each) => `runs: ${each.name}`),
    ...(needs === null ? [] : [needs]),
    ...(lastStop === null ? [] : [`${lastStop.kind}: ${lastStop.why}`]),
  ];
  return `${time}${parts.join('  ')}`.replace(/\s*\n\s*/g, ' ');
}

function ended(): Promise<void> {
  return new Promise((resolve) => {
    // Something has to keep the process while nothing happens.
    const stay = setInterval(() => {}, 60_000);
    // Some send it twice, to the process and to its group.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        clearInterval(stay);
        resolve();
      });
  });
}
