// A line for each run, as many as there is room for; the chosen one is always among them.

import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { RunCard } from '../shown.ts';
import { Line, Painted } from './paint.tsx';
import { elapsed, markOf, oneLine, spinnerAt, standOf } from './words.ts';

type RunListProps = { cards: readonly RunCard[]; at: number; rows: number; columns: number; now: number };

export function RunList({ cards, at, rows, columns, now }: RunListProps) {
  if (cards.length === 0)
    return <Line dim>No runs here yet. `holdfast watch --all` shows those of all projects.</Line>;
  const first = Math.max(0, Math.min(at - Math.floor(rows / 2), cards.length - rows));
  const hasProjects = columns >= 60 && new Set(cards.map(({ project }) => project.id)).size > 1;
  return (
    <Box flexDirection="column" height={rows}>
      {cards.slice(first, first + rows).map((card, index) => (
        <Row
          key={card.id}
          card={card}
          isChosen={first + index === at}
          project={hasProjects ? Math.min(20, Math.floor(columns / 6)) : 0}
          stand={standWidth(columns)}
          now={now}
        />
      ))}
    </Box>
  );
}

/** Of the column that says where a run stands; 0: there is no room for it. */
export function standWidth(columns: number): number {
  return columns < 48 ? 0 : Math.min(44, Math.floor(columns * 0.36));
}

type RowProps = { card: RunCard; isChosen: boolean; project: number; stand: number; now: number };

function Row({ card, isChosen, project, stand, now }: RowProps) {
  const { mark, colour } = markOf(card);
  return (
    <Box>
      <Box width={4} flexShrink={0}>
        <Text>{isChosen ? '▸ ' : '  '}</Text>
        <Painted colour={colour}>{mark}</Painted>
      </Box>
      <Box flexGrow={1} flexShrink={1} width={1}>
        <Text wrap="truncate-end" bold={isChosen}>
          {oneLine(card.asked ?? '') || oneLine(card.name)}
        </Text>
      </Box>
      {project > 0 && (
        <Column width={project}>
          <Line dim>{oneLine(card.project.name)}</Line>
        </Column>
      )}
      {stand > 0 && (
        <Column width={stand}>
          <Stand card={card} now={now} />
        </Column>
      )}
    </Box>
  );
}

function Column({ width, children }: { width: number; children: ReactNode }) {
  return (
    <Box width={width} flexShrink={0} marginLeft={2}>
      {children}
    </Box>
  );
}

function Stand({ card, now }: { card: RunCard; now: number }) {
  const [first] = card.work;
  if (!card.live || first === undefined) return <Line dim>{standOf(card)}</Line>;
  return (
    <Text wrap="truncate-end">
      <Painted colour="cyan">{spinnerAt(now)}</Painted> {oneLine(first.name)} {elapsed(now - first.since)}
    </Text>
  );
}
