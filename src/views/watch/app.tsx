// The screen: the runs above, the chosen one below, the keys at the bottom.

import { Box, Text, useApp, useInput, useStdin, useStdout } from 'ink';
import { useEffect, useState } from 'react';
import { STATE_WORDS } from '../../view/run-state.ts';
import type { RunCard } from '../shown.ts';
import { Details } from './details.tsx';
import type { WatchOptions } from './index.tsx';
import { useBell, useNow, useShown, useSize } from './live.ts';
import { PaintContext } from './paint.tsx';
import { RunList } from './run-list.tsx';
import { oneLine } from './words.ts';

/** In the shell of an agent or a reviewer. */
const ONLY_LOOKS = 'In an agent’s shell, or with HOLDFAST_DISABLE=1, nothing can be changed here.';

export function App({ source, colours, cancel, dismiss, open }: WatchOptions) {
  const { exit } = useApp();
  const { isRawModeSupported } = useStdin();
  const { stdout } = useStdout();
  const size = useSize(stdout);
  const [selected, setSelected] = useState<string | null>(null);
  const [isWhole, setWhole] = useState(false);
  const [asks, setAsks] = useState<RunCard | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const { overview, page } = useShown(source, selected);
  const { cards } = overview;
  const at = Math.max(
    0,
    cards.findIndex(({ id }) => id === selected),
  );
  const card = cards[at];
  useBell(cards, stdout);
  const now = useNow(cards.some(({ work }) => work.length > 0));
  // A run that is gone leaves its place to the next one.
  useEffect(() => {
    if (card !== undefined && card.id !== selected) setSelected(card.id);
  }, [card, selected]);

  const say = (answer: Promise<string>): void =>
    void answer.then(setSaid, (error: unknown) =>
      setSaid(error instanceof Error ? error.message : String(error)),
    );
  const answerTo = (run: RunCard, isYes: boolean): void => {
    setAsks(null);
    if (isYes && cancel !== null) say(cancel(run.id));
  };
  useInput(
    (input, key) => {
      if (asks !== null) return answerTo(asks, input === 'y');
      setSaid(null);
      const to = cards[at + (key.upArrow || input === 'k' ? -1 : key.downArrow || input === 'j' ? 1 : 0)];
      if (to !== undefined) setSelected(to.id);
      if (key.return) setWhole(!isWhole);
      if (key.escape) setWhole(false);
      if (input === 'q') exit();
      if (input === 'o') say(open(card?.id ?? null));
      if (input === 'd' && card !== undefined) {
        if (dismiss === null) setSaid(ONLY_LOOKS);
        else say(dismiss(card.id));
      }
      if (input !== 'c' || card === undefined) return;
      if (cancel === null) setSaid(ONLY_LOOKS);
      else if (card.live) setAsks(card);
      else setSaid(`${card.name} is over: there is nothing to cancel.`);
    },
    { isActive: isRawModeSupported },
  );

  const rows = size.rows - 1;
  const listRows = isWhole ? 0 : Math.min(Math.max(1, cards.length), Math.max(2, Math.floor(rows * 0.5)));
  return (
    <PaintContext.Provider value={colours}>
      <Box flexDirection="column" width={size.columns} height={rows}>
        <Head cards={cards} columns={size.columns} />
        {!isWhole && <RunList cards={cards} at={at} rows={listRows} columns={size.columns} now={now} />}
        <Box flexDirection="column" flexGrow={1} overflow="hidden">
          {card !== undefined && (
            <Details
              card={card}
              page={page?.run.id === card.id ? page : null}
              rows={rows - listRows - 2}
              columns={size.columns}
              isWhole={isWhole}
              now={now}
            />
          )}
        </Box>
        <Text wrap="truncate-end" bold={asks !== null || said !== null}>
          {asks !== null
            ? `Cancel ${oneLine(asks.name)}? y / n`
            : said === null
              ? keysOf(size.columns, isWhole, card?.live !== false)
              : oneLine(said)}
        </Text>
      </Box>
    </PaintContext.Provider>
  );
}

function Head({ cards, columns }: { cards: readonly RunCard[]; columns: number }) {
  const counts = Object.entries(STATE_WORDS).flatMap(([status, words]) => {
    const count = cards.filter((card) => card.status === status).length;
    return count === 0 ? [] : `${count} ${words}`;
  });
  return (
    <Text bold wrap="truncate-end">
      {`Holdfast  ${counts.length === 0 ? 'no runs' : counts.join(columns < 60 ? ', ' : ' · ')}`}
    </Text>
  );
}

function keysOf(columns: number, isWhole: boolean, isLive: boolean): string {
  const enter = isWhole ? 'enter all runs' : 'enter more';
  if (columns < 50) return '↑↓ enter c d o q';
  return `↑↓ select   ${enter}   ${isLive ? 'c cancel' : 'd dismiss'}   o open in browser   q quit`;
}
