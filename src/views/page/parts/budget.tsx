// The budget as it burns down, and where it leads at this pace.

import { useState } from 'preact/hooks';
import type { BudgetView, RunView } from '../../../view/model.ts';
import { amount, lengthOf, money } from '../words.ts';
import { anchorAt, type Quantity, timeTicks, valueTicks, widthOf } from './axis.ts';
import { useWidth } from './chart.tsx';
import { CommandText } from './command-text.tsx';
import { Section } from './section.tsx';

const RIGHT = 12;
const HEIGHT = 150;
const TOP = 10;

type Kind = 'tokens' | 'timeMs' | 'reviews' | 'usd';

type KindOfBudget = { kind: Kind; name: string; quantity: Quantity; say: (value: number) => string };

const KINDS: readonly KindOfBudget[] = [
  { kind: 'tokens', name: 'tokens', quantity: 'count', say: amount },
  { kind: 'timeMs', name: 'time', quantity: 'time', say: (value) => (value === 0 ? '0' : lengthOf(value)) },
  { kind: 'reviews', name: 'reviews', quantity: 'count', say: String },
  { kind: 'usd', name: 'money', quantity: 'money', say: money },
];

export function BudgetPanel({ run, now }: { run: RunView; now: number }) {
  const [wanted, setWanted] = useState<Kind | null>(null);
  const { budget } = run;
  const kinds = KINDS.filter(({ kind }) => budget !== null && budget.limits[kind] !== null);
  const shown = kinds.find(({ kind }) => kind === wanted) ?? kinds[0];
  if (budget === null || shown === undefined) return null;
  const choices = kinds.length > 1 && (
    <fieldset class="tabs" aria-label="What is shown">
      {kinds.map(({ kind, name }) => (
        <button key={kind} type="button" aria-pressed={kind === shown.kind} onClick={() => setWanted(kind)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
  return (
    <Section title="Budget" id="budget" aside={choices}>
      <BurnDown budget={budget} shown={shown} run={run} now={now} />
      <p class="chosen">
        <CommandText text={budget.text} />
      </p>
    </Section>
  );
}

type Point = { at: number; left: number };
type BurnDownProps = { budget: BudgetView; shown: KindOfBudget; run: RunView; now: number };

function BurnDown({ budget, shown: { kind, name, quantity, say }, run, now }: BurnDownProps) {
  const [ref, width] = useWidth();
  const limit = budget.limits[kind] ?? 0;
  const burn = budget.burn.map((each): Point => ({ at: each.at, left: Math.max(0, limit - each[kind]) }));
  const start: Point = { at: run.startedAt ?? burn[0]?.at ?? now, left: limit };
  const points = [start, ...burn.filter(({ at }) => at > start.at)];
  const last = points.at(-1) ?? start;
  const ahead = run.live ? forecastOf(start, last) : null;
  // Not so far ahead that what was spent is no longer seen.
  const to = Math.max(
    last.at,
    Math.min(ahead ?? last.at, last.at + 2 * (last.at - start.at)),
    start.at + 60_000,
  );
  const marks = valueTicks(limit, quantity).filter((value) => value <= limit * 1.001);
  const left = widthOf(marks.map(say)) + 12;
  const x = (time: number) => left + ((time - start.at) / (to - start.at)) * (width - left - RIGHT);
  const top = Math.max(limit, marks.at(-1) ?? limit) || 1;
  const y = (value: number) => TOP + (1 - value / top) * HEIGHT;
  const line = points.map(({ at, left }) => `${x(at).toFixed(1)},${y(left).toFixed(1)}`).join(' ');
  const area = `${x(start.at)},${y(0)} ${line} ${x(last.at)},${y(0)}`;
  const end =
    ahead === null ? null : { at: Math.min(ahead, to), left: leftAt(last, ahead, Math.min(ahead, to)) };
  return (
    <div ref={ref} class="chart">
      <svg
        width={width}
        height={TOP + HEIGHT + 28}
        role="img"
        aria-label={`${say(last.left)} of ${say(limit)} left (${name})${ahead === null ? '' : `, spent at this pace in ${lengthOf(ahead - last.at)}`}`}
      >
        {marks.map((value) => (
          <g key={value} class="grid">
            <line x1={left} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
            <text x={left - 8} y={y(value) + 4} text-anchor="end">
              {say(value)}
            </text>
          </g>
        ))}
        {timeTicks(start.at, to, width - left).map(({ at, label }) => (
          <text
            key={at}
            class="tick"
            x={x(at)}
            y={TOP + HEIGHT + 20}
            text-anchor={anchorAt(x(at), label, width)}
          >
            {label}
          </text>
        ))}
        <polygon class="burn-area" points={area} />
        <polyline class="burn-line" points={line} />
        {end !== null && (
          <line class="burn-ahead" x1={x(last.at)} y1={y(last.left)} x2={x(end.at)} y2={y(end.left)} />
        )}
        <circle class="burn-now" cx={x(last.at)} cy={y(last.left)} r="4" />
        <text
          class="burn-label"
          x={x(last.at) + (x(last.at) > width - 120 ? -10 : 10)}
          y={y(last.left) - 8}
          text-anchor={x(last.at) > width - 120 ? 'end' : 'start'}
        >
          {say(last.left)} left
        </text>
      </svg>
    </div>
  );
}

/** When nothing is left, as it was spent so far; null: nobody can tell. */
function forecastOf(start: Point, last: Point): number | null {
  const spent = start.left - last.left;
  const passed = last.at - start.at;
  if (spent <= 0 || passed <= 0 || last.left <= 0) return null;
  return last.at + (last.left / spent) * passed;
}

function leftAt(last: Point, end: number, at: number): number {
  return last.left * (1 - (at - last.at) / (end - last.at));
}
