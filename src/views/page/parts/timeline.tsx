// The stops in time, a row for each way they were answered; the chosen one's why stands below.

import { useEffect, useState } from 'preact/hooks';
import type { StopView } from '../../../view/model.ts';
import type { OlderStops, RunPage } from '../../shown.ts';
import { ask } from '../live.ts';
import { clock, lengthOf } from '../words.ts';
import { anchorAt, timeTicks } from './axis.ts';
import { MarkList, useChoice, useWidth } from './chart.tsx';
import { CommandText } from './command-text.tsx';
import { RawLine } from './raw-line.tsx';
import { Section } from './section.tsx';
import { gather, LANES, type Mark } from './timeline-marks.ts';

const LEFT = 76;
const RIGHT = 14;
const ROW = 30;

type TimelineProps = { id: string; page: RunPage; now: number };

export function TimelinePanel({ id, page, now }: TimelineProps) {
  const [older, setOlder] = useState<OlderStops | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run begins without what was loaded of this one.
  useEffect(() => setOlder(null), [id]);
  const stops = [...page.run.stops, ...(older?.stops ?? [])];
  const hasOlder = older?.hasOlder ?? page.hasOlder;
  const load = async () => {
    const oldest = stops.at(-1);
    if (oldest === undefined) return;
    const { segment, offset } = oldest.position;
    const more = await ask<OlderStops>(`/api/older?run=${encodeURIComponent(id)}&mark=${segment}-${offset}`);
    setOlder({ stops: [...(older?.stops ?? []), ...more.stops], hasOlder: more.hasOlder });
  };
  if (stops.length === 0) return null;
  const aside = hasOlder ? (
    <button type="button" class="quiet" onClick={() => void load()}>
      Show older stops
    </button>
  ) : undefined;
  return (
    <Section title="Stops" id="timeline" size="wide" aside={aside}>
      <p class="explained">
        Each time the agent wanted to end its turn, and the answer it got. A larger dot is several of them.
      </p>
      <Timeline id={id} stops={stops} now={now} />
    </Section>
  );
}

function Timeline({ id, stops, now }: { id: string; stops: readonly StopView[]; now: number }) {
  const [ref, width] = useWidth();
  const marks = gather(stops, width - LEFT - RIGHT);
  const choice = useChoice(marks.length);
  const { at, choose } = choice;
  const lanes = LANES.filter(({ kind, always }) => always || marks.some((mark) => mark.stop.kind === kind));
  const first = marks[0]?.from ?? now;
  const last = Math.max(marks.at(-1)?.from ?? now, first + 1000);
  const x = (time: number) => LEFT + ((time - first) / (last - first)) * (width - LEFT - RIGHT);
  const y = (kind: StopView['kind']) => lanes.findIndex((lane) => lane.kind === kind) * ROW + ROW / 2 + 4;
  const height = lanes.length * ROW + 30;
  const chosen = marks[at];
  return (
    <>
      <MarkList place={ref} label="Stops in the order of time" name="stop" choice={choice}>
        <svg width={width} height={height} role="presentation">
          {lanes.map(({ kind, name }) => (
            <g key={kind} class="lane">
              <line x1={LEFT} x2={width - RIGHT} y1={y(kind)} y2={y(kind)} />
              <text x="0" y={y(kind) + 4}>
                {name}
              </text>
            </g>
          ))}
          {timeTicks(first, last, width - LEFT).map(({ at: time, label }) => (
            <text
              key={time}
              class="tick"
              x={x(time)}
              y={height - 6}
              text-anchor={anchorAt(x(time), label, width)}
            >
              {label}
            </text>
          ))}
          {marks.map((mark, index) => (
            <Dot
              key={mark.key}
              mark={mark}
              index={index}
              x={x(mark.from)}
              y={y(mark.stop.kind)}
              isChosen={index === at}
              choose={choose}
            />
          ))}
        </svg>
      </MarkList>
      {chosen !== undefined && <Chosen id={id} mark={chosen} now={now} />}
    </>
  );
}

type DotProps = {
  mark: Mark;
  index: number;
  x: number;
  y: number;
  isChosen: boolean;
  choose: (at: number) => void;
};

function Dot({ mark, index, x, y, isChosen, choose }: DotProps) {
  const { stop, count } = mark;
  // A large count is a larger mark, up to the row's height.
  const radius = Math.min(12, 5 + Math.log2(count) * 1.2);
  return (
    <g
      id={`stop-${index}`}
      role="option"
      aria-selected={isChosen}
      aria-label={`${stop.kind}${count > 1 ? `, ${count} stops` : ''}: ${stop.why}`}
      class={`stop ${stop.kind} ${isChosen ? 'chosen' : ''}`}
      onMouseEnter={() => choose(index)}
      onClick={() => choose(index)}
    >
      {isChosen && <circle class="halo" cx={x} cy={y} r={radius + 4} />}
      <circle cx={x} cy={y} r={radius} />
    </g>
  );
}

function Chosen({ id, mark: { stop, count }, now }: { id: string; mark: Mark; now: number }) {
  const name = LANES.find(({ kind }) => kind === stop.kind)?.name ?? stop.kind;
  return (
    <div class="chosen" aria-live="polite">
      <p>
        <span class={`kind ${stop.kind}`}>{name}</span> <time>{clock(stop.at, now)}</time>
        <span class="muted">
          {' '}
          {stop.client}, answered in {lengthOf(stop.milliseconds)}
          {count > 1 ? ` · the last of ${count} stops at this point` : ''}
        </span>
      </p>
      <p class="why">
        <CommandText text={stop.why} />
      </p>
      <RawLine id={id} position={stop.position} />
    </div>
  );
}
