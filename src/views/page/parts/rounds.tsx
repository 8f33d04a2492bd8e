// What each round of reviews found, as stacked bars by severity, with the verdicts in a strip above them.

import type { RoundView, RunView } from '../../../view/model.ts';
import { clock, lengthOf, money, plural } from '../words.ts';
import { inRows, valueTicks, widthOf } from './axis.ts';
import { Legend, MarkList, useChoice, useWidth } from './chart.tsx';
import { RawLine } from './raw-line.tsx';
import { Section } from './section.tsx';
import { VERDICTS, verdictsIn } from './verdict-strip.tsx';

const STRIP = 34;
const HEIGHT = 150;
const ROW = 16;
const SEVERITIES = ['high', 'medium', 'low'] as const;

export function RoundsPanel({ id, run, now }: { id: string; run: RunView; now: number }) {
  const { rounds } = run;
  if (rounds.length === 0) return null;
  const severities = SEVERITIES.map((severity) => ({ mark: '', kind: severity, words: severity }));
  return (
    <Section title="Rounds of review" id="rounds">
      <Legend items={[...verdictsIn(rounds), ...severities]} />
      <Rounds id={id} rounds={rounds} now={now} />
    </Section>
  );
}

function Rounds({ id, rounds, now }: { id: string; rounds: readonly RoundView[]; now: number }) {
  const [ref, width] = useWidth();
  const choice = useChoice(rounds.length);
  const { at, choose } = choice;
  const most = Math.max(...rounds.map(countOf), 2);
  const marks = valueTicks(most);
  const left = widthOf(marks.map(String)) + 12;
  const step = Math.max(22, Math.min(64, (width - left) / rounds.length));
  const top = marks.at(-1) ?? most;
  const bottom = STRIP + HEIGHT;
  const y = (count: number) => bottom - (count / top) * (HEIGHT - 14);
  const x = (index: number) => left + index * step + step / 2;
  const chosen = rounds[at];
  const drawn = Math.max(width, left + rounds.length * step + 4);
  const abouts = aboutsOf(rounds, (index) => x(index) - step / 2, drawn);
  const height = bottom + 22 + ROW * (abouts.at(-1)?.rows ?? 0);
  return (
    <>
      <MarkList place={ref} label="Rounds" name="round" choice={choice} scrolls>
        <svg width={drawn} height={height} role="presentation">
          {marks.map((count) => (
            <g key={count} class="grid">
              <line x1={left} x2={drawn} y1={y(count)} y2={y(count)} />
              <text x={left - 8} y={y(count) + 4} text-anchor="end">
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
              <rect class="hit" x={x(index) - step / 2} y="0" width={step} height={bottom + 22} />
              <VerdictMark verdict={round.verdict} x={x(index)} />
              <Bar round={round} x={x(index)} width={Math.min(34, step * 0.62)} y={y} />
              <text class="tick" x={x(index)} y={bottom + 16} text-anchor="middle">
                {round.number}
              </text>
            </g>
          ))}
          {abouts.map(({ key, text, line, at: start, row }) => (
            <g key={key} class="about">
              {key > 0 && <line x1={line} x2={line} y1="0" y2={bottom + 24 + row * ROW} />}
              <text x={start} y={bottom + 34 + row * ROW}>
                {text}
              </text>
            </g>
          ))}
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

/** Where a run has several rows of rounds: what each of them was about, whole, under its first round. */
function aboutsOf(rounds: readonly RoundView[], edgeOf: (index: number) => number, width: number) {
  const firsts = rounds.flatMap(({ about }, index) =>
    about !== '' && about !== rounds[index - 1]?.about ? [{ about, index }] : [],
  );
  const placed = inRows(
    firsts.map(({ about, index }) => ({ text: about, x: edgeOf(index) + 4 })),
    width,
  );
  const rows = 1 + Math.max(0, ...placed.map(({ row }) => row));
  return placed.map(({ text, x, row }, place) => {
    const key = firsts[place]?.index ?? 0;
    return { key, text, at: x, row, rows, line: edgeOf(key) };
  });
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
