// The demonstration as a readable timeline, as wide as the terminal.

import { stripVTControlCharacters } from 'node:util';
import wrapAnsi from 'wrap-ansi';
import { withMarksHere } from '../../clients/skill-marks.ts';
import { isOursByName } from '../../store/own-command.ts';
import { registry } from '../../workflows/registry.ts';
import { inWords } from '../install/clients.ts';
import { bold, dim, green, yellow } from '../paint.ts';
import type { Played, PlayedEvent } from './play.ts';

const WIDEST = 100;
/** What stands in front of each line: who acts. */
const MARGIN = 10;
/** Of one line of a reason. */
const MOST_ROWS = 2;
const MOST_QUOTED = 3;

export function describePlayed(event: PlayedEvent): string {
  switch (event.kind) {
    case 'agent':
      return [row('agent', event.does), row('', dim(`“${event.says.replaceAll(/\n+/g, '\n')}”`))].join('\n');
    case 'hold':
      return [row(yellow('held'), shortReason(event.reason)), ...noticed(event.notice)].join('\n');
    case 'allow':
      return [row(green('let go'), 'The agent may stop.'), ...noticed(event.notice)].join('\n');
    case 'state':
      return row(dim('state'), dim(event.after));
    case 'files':
      return row(dim('files'), dim(inFolders(event.names)));
  }
}

export function ending(played: readonly Played[], kept: boolean): string {
  const left = kept ? ['', ...played.map(({ workflow, folder }) => `${workflow}: kept in ${folder}`)] : [];
  const { env } = process;
  const install = isOursByName(env)
    ? 'run `holdfast install`'
    : 'run `npx holdfast install` in the clone of Holdfast';
  const skills = registry.toReversed().map(({ name, begin }) => `/${name}:${begin}`);
  return [
    ...left,
    '',
    wrap('Every answer above came from the real hook; only the agent and the reviewers were scripted.'),
    wrap(
      `To have it in your own client, ${install}. Then start one with ${withMarksHere(env, inWords(skills, 'or'))}.`,
    ),
    wrap('To stop it at any time: `holdfast cancel`, or HOLDFAST_DISABLE=1.'),
  ].join('\n');
}

export const wrap = (text: string, width = columns()): string => wrapAnsi(text, width);

const columns = (): number => Math.min(process.stdout.columns || WIDEST, WIDEST);

function row(who: string, text: string): string {
  const rows = text.split('\n').flatMap((line) => wrapIndented(line, columns() - MARGIN));
  const name = `  ${who}${' '.repeat(MARGIN - 2 - stripVTControlCharacters(who).length)}`;
  return `${name}${rows.join(`\n${' '.repeat(MARGIN)}`)}`;
}

function wrapIndented(line: string, width: number): string[] {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const rows = wrap(line.slice(indent.length), width - indent.length).split('\n');
  return rows.map((each) => indent + each);
}

/** Enough of a reason to see what is asked: its first two lines with something in them, and output quoted below. */
function shortReason(reason: string): string {
  const lines = reason.split('\n').filter((line) => line.trim() !== '');
  const quoted = lines.slice(2).findIndex((line) => !/^ {4}/.test(line));
  const shown = lines.slice(0, 2 + Math.max(0, Math.min(quoted, MOST_QUOTED)));
  // The title of what is left out.
  if (shown.length === 2 && shown[1]?.endsWith(':')) shown.pop();
  return shown.map(firstRows).join('\n');
}

function firstRows(line: string): string {
  const rows = wrapIndented(line, columns() - MARGIN - 2);
  return rows.length <= MOST_ROWS ? line : `${rows.slice(0, MOST_ROWS).join(' ')} …`;
}

const noticed = (notice: string | null): string[] =>
  notice === null ? [] : [row(bold('you see'), bold(notice))];

/** The notes of a run are many; where they lie says enough. */
function inFolders(names: readonly string[]): string {
  const notes = new Map<string, number>();
  const others: string[] = [];
  for (const name of names) {
    const [top = ''] = name.split('/');
    if (top.startsWith('.')) notes.set(top, (notes.get(top) ?? 0) + 1);
    else others.push(name);
  }
  return [
    ...others,
    ...[...notes].map(([top, count]) => `${top}/ (${count === 1 ? 'one file' : `${count} files`})`),
  ].join(', ');
}
