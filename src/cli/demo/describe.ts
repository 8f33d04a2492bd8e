// The demonstration as a readable timeline.

import { registry } from '../../workflows/registry.ts';
import { inWords } from '../install/clients.ts';
import { dim, green, yellow } from '../paint.ts';
import type { Played, PlayedEvent } from './play.ts';

const WIDTH = 110;
const MOST_QUOTED = 3;

export function describePlayed(event: PlayedEvent): string {
  switch (event.kind) {
    case 'agent':
      return `  agent  ${event.does}. ${dim(`“${shorten(event.says)}”`)}`;
    case 'hold':
      return `  ${yellow('hold')}   ${firstLines(event.reason)}${noticed(event.notice)}`;
    case 'allow':
      return `  ${green('allow')}  the agent may stop.${noticed(event.notice)}`;
    case 'state':
      return dim(`  state  now: ${event.after}`);
    case 'files':
      return dim(`  files  ${event.names.join('\n         ')}`);
  }
}

export function ending(played: readonly Played[], kept: boolean): string {
  const left = kept ? ['', ...played.map(({ workflow, folder }) => `${workflow}: kept in ${folder}`)] : [];
  const skills = registry.map(({ name, begin }) => `/${name}:${begin}`);
  return [
    ...left,
    '',
    'Every answer above came from the real hook; only the agent and the reviewers were scripted.',
    `To have it in your own client: \`npx holdfast install\`, then start one with ${inWords(skills, 'or')}.`,
    'To stop it at any time: `holdfast cancel`, or HOLDFAST_DISABLE=1.',
  ].join('\n');
}

/** Enough of a reason to see what is asked: its first two lines with something in them, and output quoted below. */
function firstLines(reason: string): string {
  const lines = reason.split('\n').filter((line) => line.trim() !== '');
  const quoted = lines.slice(2).findIndex((line) => !/^ {4}/.test(line));
  return lines
    .slice(0, 2 + Math.max(0, Math.min(quoted, MOST_QUOTED)))
    .map(shorten)
    .join('\n         ');
}

function noticed(notice: string | null): string {
  return notice === null ? '' : `\n  ${'notice'} ${notice}`;
}

function shorten(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.length <= WIDTH ? line : `${line.slice(0, WIDTH - 1)}…`;
}
