// The chosen run: what it needs, what runs, its rounds, its budget, and as many of its stops as there is room for.

import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import type { StopView } from '../../view/model.ts';
import { labelOf, toneOf } from '../../view/run-state.ts';
import type { RunCard, RunPage } from '../shown.ts';
import { Line, Painted } from './paint.tsx';
import { roundLines, verdictLine } from './rounds.tsx';
import { elapsed, oneLine, progressWords, STOPS, spinnerAt, TONES, timeOfDay } from './words.ts';

type DetailsProps = {
  card: RunCard;
  /** Null: not read yet. */
  page: RunPage | null;
  rows: number;
  columns: number;
  isWhole: boolean;
  now: number;
};

/** Each line is one row; what matters most comes first, since the rest may not fit. */
export function Details(props: DetailsProps) {
  const { card, page, rows, columns, isWhole, now } = props;
  const title = [<Title key="title" card={card} columns={columns} />];
  const wanted = card.needs === null ? [] : needsLines(card.needs, columns, isWhole ? 6 : 2);
  const work = card.work.flatMap((each) => workLines(each, now, isWhole ? 6 : 1));
  const rounds = page === null || page.run.rounds.length === 0 ? [] : [verdictLine(page.run.rounds, columns)];
  const facts = factsOf(card).map((fact) => (
    <Line key={fact} dim>
      {`  ${fact}`}
    </Line>
  ));
  const above = [...title, ...wanted, ...work, ...rounds, ...facts];
  // Stops get at least two rows, then the bars of the rounds what is left.
  const room = Math.max(0, rows - above.length);
  const stops = page?.run.stops ?? [];
  const bars =
    page === null
      ? []
      : roundLines(page.run.rounds, columns, Math.max(0, room - Math.min(stops.length, isWhole ? 6 : 2)));
  const lines = [...above, ...bars];
  return <>{[...lines, ...stopLines(stops, rows - lines.length, isWhole)].slice(0, rows)}</>;
}

function Title({ card, columns }: { card: RunCard; columns: number }) {
  const { colour } = TONES[toneOf(card)];
  const rule = columns < 50 ? '' : '── ';
  return (
    <Text wrap="truncate-end">
      {rule}
      <Text bold>{oneLine(card.name)}</Text> <Painted colour={colour}>{labelOf(card)}</Painted>
      {`  ${oneLine(card.stage)}${card.progress === null ? '' : `, ${progressWords(card.progress)}`}`}
    </Text>
  );
}

/** Broken at words: the command in it is to be read whole where there is room. */
function needsLines(needs: string, columns: number, most: number): ReactElement[] {
  const words = oneLine(needs).split(' ');
  const lines: string[] = [''];
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length + 5 > columns) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  const shown = lines.slice(0, most);
  if (lines.length > most) shown[most - 1] = lines.slice(most - 1).join(' ');
  return shown.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text have nothing but their place.
    <Text key={`needs ${index}`} wrap="truncate-end">
      <Painted colour="yellow">{index === 0 ? '! ' : '  '}</Painted>
      {line}
    </Text>
  ));
}

function workLines(
  { attempt, name, since, deadline, alive, tail }: RunCard['work'][number],
  now: number,
  most: number,
) {
  const printed = tail
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '');
  return [
    <Text key={attempt} wrap="truncate-end">
      <Painted colour="cyan">{alive ? spinnerAt(now) : '·'}</Painted>
      {` ${oneLine(name)}  ${elapsed(now - since)} / ${elapsed(deadline - since)}${alive ? '' : '  its hook is gone'}`}
    </Text>,
    ...printed.slice(-most).map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of output have nothing but their place.
      <Line key={`${attempt} ${index}`} dim>
        {`  ${line}`}
      </Line>
    )),
  ];
}

function factsOf({ asked, waiting, needs, findings, checks, budget, forecast }: RunCard): string[] {
  const tested = checks.map(({ name, end }) => `${name} ${end === 'passed' ? '✓' : `✗ ${end}`}`);
  const found =
    findings === null || findings.found === 0
      ? []
      : [`${findings.found} found, ${findings.open} open, ${findings.fixed} fixed`];
  return [
    ...(asked === null ? [] : [asked]),
    ...(waiting === null || needs !== null ? [] : [`waits: ${waiting.what}`]),
    ...(tested.length + found.length === 0 ? [] : [[...found, ...tested].join(' · ')]),
    ...(budget === null ? [] : [budget.text]),
    ...(forecast === null || budget !== null ? [] : [forecast.text]),
  ].map(oneLine);
}

/** Whole where there is room for it: then each may take several rows. */
function stopLines(stops: readonly StopView[], rows: number, isWhole: boolean): ReactElement[] {
  return stops.slice(0, Math.max(0, rows)).map((stop) => {
    const { name, colour } = STOPS[stop.kind];
    return (
      <Box key={`${stop.position.segment}-${stop.position.offset}`} flexShrink={0}>
        <Box flexShrink={0} width={17}>
          <Text>
            <Text dimColor>{timeOfDay(stop.at)}</Text> <Painted colour={colour}>{name}</Painted>
          </Text>
        </Box>
        <Text wrap={isWhole ? 'wrap' : 'truncate-end'}>{oneLine(stop.why)}</Text>
      </Box>
    );
  });
}
