// A line for each run, as many as there is room for; the chosen one is always among them.

import { Box, Text } from 'ink';
import { toneOf } from '../../view/run-state.ts';
import type { RunCard } from '../shown.ts';
import { Line, Painted } from './paint.tsx';
import { bar, elapsed, oneLine, spinnerAt, TONES } from './words.ts';

type RunListProps = { cards: readonly RunCard[]; at: number; rows: number; columns: number; now: number };

export function RunList({ cards, at, rows, columns, now }: RunListProps) {
  if (cards.length === 0)
    return <Line dim>No runs here yet. `holdfast watch --all` shows those of all projects.</Line>;
  const first = Math.max(0, Math.min(at - Math.floor(rows / 2), cards.length - rows));
  return (
    <Box flexDirection="column" height={rows}>
      {cards.slice(first, first + rows).map((card, index) => (
        <Row key={card.id} card={card} isChosen={first + index === at} columns={columns} now={now} />
      ))}
    </Box>
  );
}

type RowProps = { card: RunCard; isChosen: boolean; columns: number; now: number };

function Row({ card, isChosen, columns, now }: RowProps) {
  const { mark, colour } = TONES[toneOf(card)];
  return (
    <Box>
      <Box width={4} flexShrink={0}>
        <Text>{isChosen ? '▸ ' : '  '}</Text>
        <Painted colour={colour}>{mark}</Painted>
      </Box>
      <Box flexGrow={1} flexShrink={1} width={1}>
        <Text wrap="truncate-end" bold={isChosen}>
          {oneLine(card.asked ?? card.name) || oneLine(card.name)}
        </Text>
      </Box>
      {columns >= 60 && (
        <Column width={Math.min(20, Math.floor(columns / 6))}>{oneLine(card.project.name)}</Column>
      )}
      {columns >= 100 && <Column width={Math.floor(columns / 5)}>{oneLine(card.stage)}</Column>}
      {columns >= 48 && (
        <Box width={16} flexShrink={0} marginLeft={2}>
          <Progress card={card} now={now} />
        </Box>
      )}
    </Box>
  );
}

function Column({ width, children }: { width: number; children: string }) {
  return (
    <Box width={width} flexShrink={0} marginLeft={2}>
      <Text wrap="truncate-end" dimColor>
        {children}
      </Text>
    </Box>
  );
}

function Progress({ card: { live, progress, work, stage }, now }: { card: RunCard; now: number }) {
  const [first] = work;
  if (live && first !== undefined)
    return (
      <Text wrap="truncate-end">
        <Painted colour="cyan">{spinnerAt(now)}</Painted> {first.kind} {elapsed(now - first.since)}
      </Text>
    );
  if (!live || progress === null) return <Line dim>{oneLine(stage)}</Line>;
  if (progress.of === null) return <Line>{`${progress.unit} ${progress.at}`}</Line>;
  return (
    <Text wrap="truncate-end">
      <Painted colour="cyan">{bar(progress.at, progress.of, 8)}</Painted> {progress.at}/{progress.of}
    </Text>
  );
}
