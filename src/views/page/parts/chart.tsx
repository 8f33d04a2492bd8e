// What the charts share: the width they have, the marks that keyboard and pointer choose among, and legends.

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

export type LegendItem = { mark: string; kind: string; words: string };

/** What the colours and marks of a chart mean: `mark` empty is a patch of colour. */
export function Legend({ items }: { items: readonly LegendItem[] }) {
  return (
    <ul class="legend">
      {items.map(({ mark, kind, words }) => (
        <li key={words}>
          <span class={`${mark === '' ? 'swatch' : 'sign'} ${kind}`} aria-hidden="true">
            {mark}
          </span>
          {words}
        </li>
      ))}
    </ul>
  );
}
