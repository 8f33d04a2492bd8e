// What each round of reviews found, as stacked bars by severity, with the verdicts in a strip above them.

import type { RoundView, RunView } from '../../../view/model.ts';
import { clock, lengthOf, money, plural } from '../words.ts';
import { MarkList, ticks, useChoice, useWidth } from './chart.tsx';
import { RawLine } from './raw-line.tsx';
import { Empty, Section } from './section.tsx';
import { VERDICTS } from './verdict-strip.tsx';

const LEFT = 30;
const STRIP = 34;
const HEIGHT = 150;
const SEVERITIES = ['high', 'medium', 'low'] as const;

export function RoundsPanel({ id, run, now }: { id: string; run: RunView; now: number }) {
  const { rounds } = run;
  return (
    <Section title="Rounds of review" id="rounds" aside={rounds.length > 0 ? <Legend /> : undefined}>
      {rounds.length === 0 ? (
        <Empty title="No review yet">
          Where reviewers look at the work, each round shows what it found, and whether it was clean.
        </Empty>
      ) : (
        <Rounds id={id} rounds={rounds} now={now} />
      )}
    </Section>
  );
}

function Legend() {
  return (
    <ul class="legend">
      {SEVERITIES.map((severity) => (
        <li key={severity}>
          <span class={`swatch ${severity}`} aria-hidden="true" />
          {severity}
        </li>
      ))}
    </ul>
  );
}

function Rounds({ id, rounds, now }: { id: string; rounds: readonly RoundView[]; now: number }) {
  const [ref, width] = useWidth();
  const choice = useChoice(rounds.length);
  const { at, choose } = choice;
  const step = Math.max(20, Math.min(64, (width - LEFT) / rounds.length));
  const most = Math.max(...rounds.map(countOf), 2);
  const marks = ticks(most);
  const top = marks.at(-1) ?? most;
  const bottom = STRIP + HEIGHT;
  const y = (count: number) => bottom - (count / top) * (HEIGHT - 14);
  const x = (index: number) => LEFT + index * step + step / 2;
  const chosen = rounds[at];
  const drawn = Math.max(width, LEFT + rounds.length * step + 4);
  return (
    <>
      <MarkList place={ref} label="Rounds" name="round" choice={choice} scrolls>
        <svg width={drawn} height={bottom + 40} role="presentation">
          {marks.map((count) => (
            <g key={count} class="grid">
              <line x1={LEFT} x2={drawn} y1={y(count)} y2={y(count)} />
              <text x={LEFT - 8} y={y(count) + 4} text-anchor="end">
                {count}
              </text>
            </g>
          ))}
          {rounds.map((round, index) => (
            <g
              // biome-ignore lint/suspicious/noArrayIndexKey: rounds are only ever added, and numbers come again.
              key={index}
              id={`round-${index}`}
              role="option"
              aria-selected={index === at}
              aria-label={`${labelOf(round)}: ${foundWords(round)}`}
              class={`round ${index === at ? 'chosen' : ''}`}
              onMouseEnter={() => choose(index)}
              onClick={() => choose(index)}
            >
              <rect class="hit" x={x(index) - step / 2} y="0" width={step} height={bottom + 40} />
              <VerdictMark verdict={round.verdict} x={x(index)} />
              <Bar round={round} x={x(index)} width={Math.min(34, step * 0.62)} y={y} />
              <text class="tick" x={x(index)} y={bottom + 16} text-anchor="middle">
                {round.number}
              </text>
            </g>
          ))}
          <Abouts rounds={rounds} x={x} step={step} y={bottom + 34} />
        </svg>
      </MarkList>
      {chosen !== undefined && <Chosen id={id} round={chosen} now={now} />}
    </>
  );
}

function VerdictMark({ verdict, x }: { verdict: RoundView['verdict']; x: number }) {
  return (
    <g class={`verdict-mark ${verdict}`}>
      <rect x={x - 10} y="4" width="20" height="20" rx="6" />
      <text x={x} y="18.5" text-anchor="middle">
        {VERDICTS[verdict].mark}
      </text>
    </g>
  );
}

type BarProps = { round: RoundView; x: number; width: number; y: (count: number) => number };

function Bar({ round, x, width, y }: BarProps) {
  let below = 0;
  return (
    <>
      {SEVERITIES.map((severity) => {
        const count = round.found[severity];
        if (count === 0) return null;
        const from = below;
        below += count;
        return (
          <rect
            key={severity}
            class={`bar ${severity}`}
            x={x - width / 2}
            y={y(below) + 1}
            width={width}
            height={Math.max(1, y(from) - y(below) - 1)}
            rx="2"
          />
        );
      })}
    </>
  );
}

/** Where a run has several rows of rounds: what each of them was about, under its first round. */
function Abouts(props: { rounds: readonly RoundView[]; x: (at: number) => number; step: number; y: number }) {
  const { rounds, x, step, y } = props;
  const firsts = rounds.flatMap((round, index) =>
    round.about !== '' && round.about !== rounds[index - 1]?.about ? [{ round, index }] : [],
  );
  return (
    <>
      {firsts.map(({ round, index }, place) => {
        const room = ((firsts[place + 1]?.index ?? rounds.length) - index) * step - 8;
        return (
          <g key={index} class="about">
            {index > 0 && <line x1={x(index) - step / 2} x2={x(index) - step / 2} y1="0" y2={y} />}
            <text x={x(index) - step / 2 + 4} y={y}>
              {shortened(round.about, Math.floor(room / 6.2))}
            </text>
          </g>
        );
      })}
    </>
  );
}

function Chosen({ id, round, now }: { id: string; round: RoundView; now: number }) {
  const { reviewer, model, at, milliseconds, usd, file, position, verdict } = round;
  const facts = [
    ...(reviewer === null ? [] : [model === null || model === '' ? reviewer : `${reviewer} (${model})`]),
    ...(at === null ? [] : [clock(at, now)]),
    ...(milliseconds === null ? [] : [`took ${lengthOf(milliseconds)}`]),
    ...(usd === null ? [] : [money(usd)]),
    ...(file === null ? [] : [file]),
  ];
  return (
    <div class="chosen" aria-live="polite">
      <p>
        <strong>{labelOf(round)}</strong> <span class={`verdict-word ${verdict}`}>{foundWords(round)}</span>
      </p>
      <p class="muted">{facts.length === 0 ? 'Nothing else is on record.' : facts.join(' · ')}</p>
      {position !== null && <RawLine id={id} position={position} />}
    </div>
  );
}

function labelOf({ number, about }: RoundView): string {
  return about === '' ? `Round ${number}` : `${about}, round ${number}`;
}

function foundWords(round: RoundView): string {
  const count = countOf(round);
  if (count === 0) return VERDICTS[round.verdict].words;
  const parts = SEVERITIES.filter((severity) => round.found[severity] > 0).map(
    (severity) => `${round.found[severity]} ${severity}`,
  );
  return `${plural(count, 'finding')}: ${parts.join(', ')}`;
}

function countOf({ found }: RoundView): number {
  return found.high + found.medium + found.low;
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : most < 3 ? '' : `${text.slice(0, most - 1)}…`;
}
