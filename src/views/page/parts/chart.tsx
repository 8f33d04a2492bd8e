// What the charts share: the width they have, the marks that keyboard and pointer choose among, and round numbers.

import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** The width of an element in pixels, as it is now. */
export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const { current } = ref;
    if (current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(240, Math.floor(entry.contentRect.width)));
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

export type Choice = {
  /** The mark whose details are shown; the last one until another is chosen. */
  at: number;
  choose(at: number): void;
  onKeyDown(event: KeyboardEvent): void;
};

/** Arrows, Home and End go from mark to mark. */
export function useChoice(count: number): Choice {
  const [chosen, setChosen] = useState<number | null>(null);
  const last = count - 1;
  const at = chosen === null || chosen > last ? last : chosen;
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: Math.max(0, at - 1),
    ArrowRight: Math.min(last, at + 1),
    Home: 0,
    End: last,
  };
  return {
    at,
    choose: setChosen,
    onKeyDown(event) {
      const to = moves[event.key];
      if (to === undefined) return;
      event.preventDefault();
      setChosen(to);
    },
  };
}

type MarkListProps = {
  place: RefObject<HTMLDivElement | null>;
  label: string;
  /** Its marks have the ids `<name>-0`, `<name>-1`, … */
  name: string;
  choice: Choice;
  scrolls?: boolean;
  children: ComponentChildren;
};

/** A drawing whose marks are the options of a list: for the keyboard, and for whoever cannot see it. */
export function MarkList({ place, label, name, choice, scrolls = false, children }: MarkListProps) {
  return (
    <div
      ref={place}
      class={`chart ${scrolls ? 'scrolls' : ''}`}
      role="listbox"
      aria-label={`${label}; arrow keys go from one to the next`}
      aria-activedescendant={`${name}-${choice.at}`}
      tabIndex={0}
      onKeyDown={choice.onKeyDown}
    >
      {children}
    </div>
  );
}

/** Three or four round values from 0 to at least `most`. */
export function ticks(most: number): number[] {
  if (most <= 0) return [0, 1];
  const rough = most / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? 10 * power;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

/** Times at which a label stands, evenly from the first to the last. */
export function timeTicks(from: number, to: number, width: number): number[] {
  const count = Math.max(1, Math.min(6, Math.floor(width / 130)));
  return Array.from({ length: count + 1 }, (_, index) => from + ((to - from) * index) / count);
}

/** With the day where the whole is longer than one. */
export function timeLabel(at: number, span: number): string {
  const date = new Date(at);
  const seconds = span < 10 * 60_000 ? { second: '2-digit' as const } : {};
  const time = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', ...seconds });
  if (span < 20 * 3_600_000) return time;
  return `${date.toLocaleDateString(undefined, { month: 'short', day: 'numeric' })} ${time}`;
}

/** The first and the last label stand within the chart. */
export function anchorOf(index: number, count: number): 'start' | 'middle' | 'end' {
  if (index === 0) return 'start';
  return index === count - 1 ? 'end' : 'middle';
}
