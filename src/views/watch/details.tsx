// The chosen run: what it needs, what runs, its rounds, its budget, and as many of its stops as there is room for. What
// the list above says of it is not said again; without the list, all of it stands here.

import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import type { FindingView, StopView } from '../../view/model.ts';
import type { RunCard, RunPage } from '../shown.ts';
import { Line, Painted } from './paint.tsx';
import { roundLines, verdictLine } from './rounds.tsx';
import { standWidth } from './run-list.tsx';
import { dayAndTime, elapsed, oneLine, STOPS, spinnerAt, standOf, timeOfDay } from './words.ts';

type DetailsProps = {
  card: RunCard;
  /** Null: not read yet. */
  page: RunPage | null;
  rows: number;
  columns: number;
  /** The list is not shown: more of the run is. */
  isWhole: boolean;
  now: number;
};

/** Each line is one row; what matters most comes first, since the rest may not fit. */
export function Details(props: DetailsProps) {
  const { card, page, rows, columns, isWhole, now } = props;
  const run = page?.run ?? null;
  const stand = standOf(card);
  const isSaid = !isWhole && card.work.length === 0 && stand.length <= standWidth(columns);
  const rounds = run?.rounds ?? [];
  const above = [
    <Title key="title" card={card} columns={columns} />,
    ...(isWhole && card.asked !== null ? wrapped('asked', card.asked, columns, 5) : []),
    ...(isSaid ? [] : [<Line key="stand">{`  ${stand}`}</Line>]),
    ...(card.needs === null ? [] : wrapped('needs', card.needs, columns, isWhole ? 6 : 2)),
    ...card.work.flatMap((each) => workLines(each, now, isWhole ? 6 : 1)),
    ...(rounds.length === 0 ? [] : [verdictLine(rounds, columns)]),
    ...factsOf(card, isWhole).map((fact) => (
      <Line key={fact} dim>
        {`  ${fact}`}
      </Line>
    )),
    ...(isWhole ? findingLines(run?.findings?.list ?? []) : []),
  ];
  // Stops get at least two rows, then the bars of the rounds what is left.
  const room = Math.max(0, rows - above.length);
  const stops = run?.stops ?? [];
  const least = Math.min(stops.length, isWhole ? 6 : 2);
  const lines = [...above, ...roundLines(rounds, columns, Math.max(0, room - least))];
  return <>{[...lines, ...stopLines(stops, rows - lines.length, isWhole)].slice(0, rows)}</>;
}

function Title({ card, columns }: { card: RunCard; columns: number }) {
  const { holder } = card;
  const session = holder === null ? '' : `  ${holder.client ?? 'session'} ${holder.session.slice(0, 8)}`;
  return (
    <Text wrap="truncate-end">
      {columns < 50 ? '' : '── '}
      <Text bold>{oneLine(card.name)}</Text>
      <Text dimColor>{oneLine(session) && `  ${oneLine(session)}`}</Text>
    </Text>
  );
}

/** Broken at words: the command in it is to be read whole where there is room. */
function wrapped(name: 'needs' | 'asked', text: string, columns: number, most: number): ReactElement[] {
  const words = oneLine(text).split(' ');
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
    <Text key={`${name} ${index}`} wrap="truncate-end">
      <Painted colour="yellow">{index === 0 && name === 'needs' ? '! ' : '  '}</Painted>
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
      {` ${oneLine(name)}  ${elapsed(now - since)} of at most ${elapsed(deadline - since)}${alive ? '' : '  its hook is gone'}`}
    </Text>,
    ...printed.slice(-most).map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of output have nothing but their place.
      <Line key={`${attempt} ${index}`} dim>
        {`  ${line}`}
      </Line>
    )),
  ];
}

function factsOf(card: RunCard, isWhole: boolean): string[] {
  const { waiting, needs, findings, checks, budget, forecast, startedAt, counts } = card;
  const tested = checks.map(({ name, end }) => `${name} ${end}`);
  const found =
    findings === null || findings.found === 0
      ? []
      : [`${findings.found} found, ${findings.open} open, ${findings.fixed} fixed`];
  const since = startedAt === null ? [] : [`started ${dayAndTime(startedAt)}`];
  return [
    ...(waiting === null || needs !== null ? [] : [`waits: ${waiting.what}`]),
    ...(tested.length + found.length === 0 ? [] : [[...found, ...tested].join(' · ')]),
    ...(budget === null ? [] : [budget.text]),
    ...(forecast === null || budget !== null ? [] : [forecast.text]),
    ...(isWhole ? [[...since, `${counts.stops} stops, ${counts.held} held`].join(' · ')] : []),
  ].map(oneLine);
}

const MOST_FINDINGS = 6;

/** Those that are open, the gravest first. */
function findingLines(findings: readonly FindingView[]): ReactElement[] {
  const severities = ['high', 'medium', 'low'];
  return findings
    .filter(({ status }) => status === 'open')
    .sort((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity))
    .slice(0, MOST_FINDINGS)
    .map(({ id, severity, claim, file, line }) => (
      <Text key={id} wrap="truncate-end">
        {`  ${oneLine(id)} `}
        <Painted colour={severity === 'high' ? 'red' : severity === 'medium' ? 'yellow' : 'gray'}>
          {severity}
        </Painted>
        {` ${oneLine(claim)}`}
        {file !== null && <Text dimColor>{` ${oneLine(file)}${line === null ? '' : `:${line}`}`}</Text>}
      </Text>
    ));
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
