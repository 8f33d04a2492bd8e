// What `holdfast check` shows a person of the checks that it ran.

import type { CannotRun, CheckEnd } from '../engine/proof/types.ts';
import { failingLines } from '../engine/work/failing-lines.ts';
import { bold, dim, green, red, yellow } from './paint.ts';

export type Row = {
  name: string;
  /** Null where there is none that could be shown. */
  command: string | null;
  end: CheckEnd | 'untrusted' | 'broken';
  why?: CannotRun | undefined;
  code?: number | null;
  milliseconds?: number;
  flaky?: boolean;
  tail?: string;
  /** Relative to the root. */
  log?: string;
  /** What it said counts at the next claim on this content. */
  kept?: boolean;
  /** The content is not the one it began with. */
  changedFiles?: boolean;
  /** Why it could not be kept. */
  unkept?: string;
  /** Why its log could not be. */
  unkeptLog?: string;
};

const MOST_SHOWN = 1200;

/** What failed in those that did not pass stands above the table, so that the table is what is left on the screen. */
export function showTable(rows: readonly Row[]): string[] {
  const texts = rows.flatMap(({ name, end, tail = '', log, unkeptLog }) => {
    const where =
      unkeptLog === undefined ? `all of it is in ${log}` : `its log could not be kept: ${unkeptLog}`;
    const isShown = end !== 'passed' && tail !== '';
    if (!isShown && unkeptLog === undefined) return [];
    const lines = isShown ? failingLines(tail, MOST_SHOWN).split('\n') : [];
    return ['', `${bold(name)} ${dim(`(${where})`)}`, ...lines.map((line) => `  ${line}`)];
  });
  const said = rows.map((row) => ({ row, how: describe(row) }));
  const names = Math.max(...rows.map(({ name }) => name.length));
  const hows = Math.max(...said.map(({ how }) => how.length));
  const table = said.map(({ row, how }) => {
    const isTimed = row.milliseconds !== undefined && row.end !== 'cannot-run';
    const time = isTimed ? seconds(row.milliseconds ?? 0) : '';
    return `${mark(row)} ${bold(row.name.padEnd(names))}  ${how.padEnd(hows)}  ${dim(time)}`.trimEnd();
  });
  return [...texts, ...(texts.length > 0 ? [''] : []), ...table];
}

/** What becomes of it, so that nobody wonders why a claim runs them again. */
export function describeKept(rows: readonly Row[], insideClient: boolean): string {
  const ran = rows.filter(({ kept }) => kept !== undefined);
  if (ran.length === 0) return 'Nothing was run.';
  if (insideClient) return 'Shown only: run by an agent it proves nothing, and a claim runs them again.';
  const changing = ran.filter(({ changedFiles }) => changedFiles).map(({ name }) => name);
  if (changing.length > 0)
    return `Not kept for ${changing.join(', ')}: files changed while it ran, so nobody knows what it was run on.`;
  const unkept = ran.find((row) => row.unkept !== undefined)?.unkept;
  if (unkept !== undefined) return `Not kept, so a claim runs it again: ${unkept}`;
  const green = ran.filter(({ kept, end }) => kept && end === 'passed');
  const red = ran.some(({ kept, end }) => kept && end !== 'passed')
    ? 'A claim runs again what is red, and holds until it is green.'
    : null;
  const taken =
    green.length === ran.length
      ? 'Kept: a claim on these very files takes it, and runs nothing again.'
      : `Kept: a claim on these very files takes what is green (${green.map(({ name }) => name).join(', ')}).`;
  const said = [...(green.length > 0 ? [taken] : []), ...(red === null ? [] : [red])];
  if (said.length > 0) return said.join(' ');
  return ran.every(({ end }) => end === 'cannot-run')
    ? 'Not kept: a claim tries again what cannot run.'
    : 'Not kept: without git nobody knows which files it was run on, so a claim runs them again.';
}

function mark({ end }: Row): string {
  if (end === 'passed') return green('✓');
  return end === 'failed' || end === 'timed-out' ? red('✗') : yellow('!');
}

function describe({ end, code, why, flaky }: Row): string {
  switch (end) {
    case 'passed':
      return flaky ? 'passed when it was run again (flaky)' : 'passed';
    case 'failed':
      return `failed, exit code ${code}`;
    case 'timed-out':
      return 'failed: ended at its time limit';
    case 'untrusted':
      return 'not run: `holdfast trust` asks you whether it may';
    case 'broken':
      return 'not run: its definition in holdfast.config.json cannot be used';
    case 'cannot-run':
      return `cannot run: ${why === undefined ? 'nobody knows why' : REASONS[why]}`;
  }
}

const REASONS: Readonly<Record<CannotRun, string>> = {
  'not-found': 'its program is not there',
  'not-executable': 'its program may not be executed',
  'no-sandbox': 'the sandbox it must run in does not work here',
  'no-time': 'there was no time left for it',
  'changes-files': 'it changes the files it is run on',
  'too-much-output': 'it printed more than 64 MB',
  'no-folder': 'its folder (cwd) is not there',
};

function seconds(milliseconds: number): string {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const whole = Math.round(milliseconds / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
