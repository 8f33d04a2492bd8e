// The states that a run of this workflow can be in: where it is, and the way it took.

import { useMemo } from 'preact/hooks';
import type { Diagram } from '../../../engine/workflow-cli.ts';
import type { RunView } from '../../../view/model.ts';
import type { RunPage } from '../../shown.ts';
import { useWidth } from './chart.tsx';
import { BOX, type Layout, layOut } from './diagram-layout.ts';
import { Section } from './section.tsx';

export function DiagramPanel({ page: { diagram, run }, size }: { page: RunPage; size: 'tall' | 'wide' }) {
  if (diagram === null) return null;
  return (
    <Section title="States" id="states" size={size} aside={<span class="muted">{run.state ?? ''}</span>}>
      <Drawn diagram={diagram} run={run} />
    </Section>
  );
}

function Drawn({ diagram, run }: { diagram: Diagram; run: RunView }) {
  const [ref, width] = useWidth();
  const layout = useMemo(() => layOut(diagram, width), [diagram, width]);
  const way = wayOf(diagram, run);
  // One that ended is in none of those that it was held in.
  const current = run.end !== null && run.state === null ? null : (way.at(-1) ?? null);
  const taken = new Set(way.slice(1).map((id, index) => `${way[index]} ${id}`));
  return (
    <>
      <div ref={ref} class="chart scrolls states">
        <svg
          width={layout.width}
          height={layout.height}
          role="img"
          aria-label={`${current === null ? 'It has ended' : `It is in the state ${nameOf(diagram, current)}`}. So far: ${way.map((id) => nameOf(diagram, id)).join(', then ')}.`}
        >
          <defs>
            <Arrow id="arrow" />
            <Arrow id="arrow-taken" />
          </defs>
          <Ways layout={layout} taken={taken} />
          {layout.states.map(({ id, label, x, y, width: wide }) => (
            <g
              key={id}
              class={`state ${way.includes(id) ? 'visited' : ''} ${id === current ? 'current' : ''}`}
            >
              <rect x={x} y={y} width={wide} height={BOX} rx="8" />
              <text x={x + wide / 2} y={y + BOX / 2 + 4.5} text-anchor="middle">
                {label}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <details class="ways">
        <summary>All ways in words</summary>
        <ul>
          {diagram.ways.map(({ from, to, by }) => (
            <li key={`${from} ${to} ${by}`}>
              {nameOf(diagram, from)} → {nameOf(diagram, to)}: <span class="muted">{by}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function Arrow({ id }: { id: string }) {
  return (
    <marker
      id={id}
      viewBox="0 0 8 8"
      refX="7"
      refY="4"
      markerWidth="8"
      markerHeight="8"
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path d="M0 0 L8 4 L0 8 z" />
    </marker>
  );
}

/** What was taken lies above the rest. */
function Ways({ layout, taken }: { layout: Layout; taken: ReadonlySet<string> }) {
  const isTaken = (way: Layout['ways'][number]) => taken.has(way.key);
  return (
    <>
      {[...layout.ways]
        .sort((one, other) => Number(isTaken(one)) - Number(isTaken(other)))
        .map((way) => (
          <path
            key={way.key}
            class={`way ${isTaken(way) ? 'taken' : ''}`}
            d={way.path}
            marker-end={isTaken(way) ? 'url(#arrow-taken)' : 'url(#arrow)'}
          >
            <title>{way.by}</title>
          </path>
        ))}
    </>
  );
}

/** The states it went through, one after another, as far as the stops shown go back; the current one last. */
function wayOf(diagram: Diagram, run: RunView): string[] {
  const names = [...run.stops.map(({ state }) => state)].reverse();
  const way: string[] = [];
  for (const name of [...names, run.state]) {
    const id = name === null ? null : idOf(diagram, name);
    if (id !== null && way.at(-1) !== id) way.push(id);
  }
  return way;
}

function idOf({ states }: Diagram, name: string): string | null {
  if (name in states) return name;
  return Object.keys(states).find((id) => states[id] === name) ?? null;
}

function nameOf({ states }: Diagram, id: string | null): string {
  return id === null ? 'nobody knows' : (states[id] ?? id);
}
