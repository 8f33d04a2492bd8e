import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RunCard } from '../shown.ts';
import type { Source } from '../source.ts';
import { printLines } from './lines.ts';

const card = (more: Partial<RunCard> = {}): RunCard =>
  ({
    ...{
      id: 'p/toy:a',
      name: 'toy:a',
      project: { id: 'p', name: 'shop', root: '/p' },
      status: 'running',
      end: null,
    },
    ...{ stage: 'at work', progress: null, needs: null, work: [], lastStop: null, movedAt: null },
    ...more,
  }) as RunCard;

let printed: string[];
let before: Set<unknown>;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const listeners = () =>
  SIGNALS.flatMap((signal) => process.listeners(signal).map((each) => ({ signal, each })));

beforeEach(() => {
  printed = [];
  before = new Set(listeners().map(({ each }) => each));
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const { signal, each } of listeners()) if (!before.has(each)) process.off(signal, each);
});

/** What is printed of these cards, one list after the other, until `signal` comes. */
async function watched(signal: (typeof SIGNALS)[number], ...lists: readonly (readonly RunCard[])[]) {
  let at = 0;
  const watching: (() => void)[] = [];
  const source = {
    overview: () => ({ at, cards: lists[at] ?? [], projects: [] }),
    watch: (listener: () => void) => {
      watching.push(listener);
      return () => void watching.splice(0);
    },
  } as unknown as Source;
  const printing = printLines(source);
  for (at = 1; at < lists.length; at++) for (const show of watching) show();
  expect(watching).toHaveLength(1);
  for (const { signal: of, each } of listeners()) if (of === signal && !before.has(each)) each(signal);
  await printing;
  expect(watching).toEqual([]);
  return printed;
}

it.each(SIGNALS)('says that there are none, until %s', async (signal) => {
  expect(await watched(signal, [])).toEqual(['No runs here yet.\n']);
});

it('can be ended by whoever has read the first line', async () => {
  const heard: number[] = [];
  vi.mocked(process.stdout.write).mockImplementation(
    () => heard.push(listeners().filter(({ each }) => !before.has(each)).length) > 0,
  );
  await watched('SIGINT', []);
  expect(heard).toEqual([SIGNALS.length]);
});

it('has all of a run in one line', async () => {
  const full = card({
    progress: { unit: 'iteration', at: 3, of: 10 },
    status: 'needs-you',
    needs: 'an answer',
    work: [{ name: 'test' }, { name: 'lint' }] as unknown as RunCard['work'],
    lastStop: { at: 0, kind: 'held', why: 'No signal \n\n was\u001b[2J heard.' },
    movedAt: new Date(2026, 10, 17, 9, 0, 7).getTime(),
  });
  expect(await watched('SIGTERM', [full])).toEqual([
    '2026-11-17 09:00:07  toy:a (shop)  needs you, at work, iteration 3 of at most 10  runs: test  runs: lint  an answer  held: No signal was [2J heard.\n',
  ]);
});

it('says what changed, what came and what is gone, and nothing twice', async () => {
  const other = card({ id: 'p/toy:b', name: 'toy:b' });
  expect(await watched('SIGTERM', [card()], [card()], [card({ stage: 'done' }), other], [other])).toEqual([
    'toy:a (shop)  at work\n',
    'toy:a (shop)  done\n',
    'toy:b (shop)  at work\n',
    'p/toy:a  is gone\n',
  ]);
});
