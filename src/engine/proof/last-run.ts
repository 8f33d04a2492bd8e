// What a check said when it last ran, as a start tells it: before anything is run, and whatever it excuses.

import type { Project } from '../project.ts';
import { countFailing } from '../work/failing-lines.ts';
import { definitionOf } from './definition.ts';
import { shown } from './in-words.ts';
import { findReceipt, lastReceipt, ranAt } from './receipts.ts';
import type { Check, Receipt } from './types.ts';

type Asked = {
  /** As it is now. */
  content: string;
  /** What the check ends by passing. */
  ends: 'run' | 'loop';
  /** It may be red at the end. */
  isAccepted: boolean;
};

/** `test was red 4 minutes ago (3 failing), so this run ends when it is green` */
export function sayLastRun(project: Project, check: Check, { content, ends, isAccepted }: Asked): string {
  const name = shown(check.name);
  const definition = definitionOf(check);
  const onThese = findReceipt(project, definition, content);
  const receipt = onThese ?? lastReceipt(project, definition);
  if (receipt === null) return `${name} was not run here yet`;
  const when = ago(Math.max(0, project.now - ranAt(receipt)));
  const since = onThese === null ? ', before files changed' : '';
  if (receipt.end === 'passed') return `${name} was green ${when}${since}`;
  const red = `${name} was red ${when}${inBrackets(receipt)}${since}`;
  return isAccepted
    ? `${red}, and may be red at the end: that was accepted`
    : `${red}, so this ${ends} ends when it is green`;
}

function inBrackets({ end, tail }: Receipt): string {
  if (end === 'timed-out') return ' (out of time)';
  const failing = countFailing(tail);
  return failing === null ? '' : ` (${failing} failing)`;
}

function ago(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 120) return `${counted(minutes, 'minute')} ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${counted(hours, 'hour')} ago` : `${counted(Math.floor(hours / 24), 'day')} ago`;
}

const counted = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;
