// What the screen follows: the model, the size of the window, the clock while something runs, and who needs somebody.

import { useEffect, useRef, useState } from 'react';
import type { Overview, RunCard, RunPage } from '../shown.ts';
import type { Source } from '../source.ts';

export function useShown(source: Source, selected: string | null) {
  const [overview, setOverview] = useState<Overview>(() => source.overview());
  const [page, setPage] = useState<RunPage | null>(null);
  const [count, setCount] = useState(0);
  useEffect(
    () =>
      source.watch(() => {
        setOverview(source.overview());
        setCount((before) => before + 1);
      }),
    [source],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change is counted, and read again.
  useEffect(() => {
    let isOver = false;
    if (selected !== null)
      void source.run(selected).then((found) => {
        if (!isOver) setPage(found);
      });
    return () => {
      isOver = true;
    };
  }, [source, selected, count]);
  return { overview, page };
}

export function useSize(stdout: NodeJS.WriteStream): { columns: number; rows: number } {
  const [size, setSize] = useState(sizeOf(stdout));
  useEffect(() => {
    const resized = (): void => {
      // What was drawn for another width is no use.
      stdout.write('\u001b[2J\u001b[H');
      setSize(sizeOf(stdout));
    };
    stdout.on('resize', resized);
    return () => void stdout.off('resize', resized);
  }, [stdout]);
  return size;
}

function sizeOf({ columns, rows }: NodeJS.WriteStream): { columns: number; rows: number } {
  return { columns: Math.max(20, columns || 80), rows: Math.max(6, rows || 24) };
}

/** Four times a second while something runs, for its spinner; otherwise twice a minute. */
export function useNow(isBusy: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), isBusy ? 250 : 30_000);
    return () => clearInterval(timer);
  }, [isBusy]);
  return now;
}

/** The terminal's bell, once for each thing that is wanted; not for what was wanted before anybody looked. */
export function useBell(cards: readonly RunCard[], stdout: NodeJS.WriteStream): void {
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    const wanted = cards.flatMap(({ id, needs }) => (needs === null ? [] : `${id} ${needs}`));
    if (known.current !== null && wanted.some((each) => known.current?.has(each) === false))
      stdout.write('\u0007');
    known.current = new Set([...(known.current ?? []), ...wanted]);
  }, [cards, stdout]);
}
