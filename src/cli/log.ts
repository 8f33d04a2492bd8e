// `holdfast log`: what happened to the runs here, oldest first: each stop, review, start, adoption, cancel and end.
// `--follow` goes on as they come in.

import { readProof } from '../engine/proof/recorded.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { cursorBack, journalFrom } from '../store/journal-forward.ts';
import type { JournalEntry, StopEntry } from '../store/journal-lines.ts';
import { budgetInShort } from '../view/describe-budget.ts';
import { describeEvent, stepOf } from '../view/describe-event.ts';
import { waitInShort } from '../view/explain-waiting.ts';
import { history, isAbout, nameOf } from '../view/history.ts';
import { namedRun } from '../view/named-run.ts';
import { localTime } from '../view/times.ts';
import { dim, red, yellow } from './paint.ts';

export const log: Command = {
  name: 'log',
  summary: 'what happened to the runs, stop by stop',
  usage: '[RUN] [--limit N] [--follow] [--json]',
  options: {
    run: { type: 'string' },
    limit: { type: 'string', short: 'n' },
    follow: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  writes: false,
  words: { least: 0, most: 1 },
  run: showLog,
};

async function showLog(call: Call): Promise<ExitCode> {
  const project = await call.existing();
  if (project === null) throw new NotNow('there are no runs here, so there is no log.');
  const run = await namedRun(call, project);
  const shown = ({ entry, at }: Timed): string =>
    call.flags.json ? JSON.stringify(entry) : describe(entry, at, call.now);
  const clock = causalClock();
  const recent: JournalEntry[] = [];
  const limit = limitOf(call);
  for (const entry of history(project, run)) if (recent.push(entry) >= limit) break;
  for (const timed of inOrderOfTime(recent.reverse().map(clock))) call.print(shown(timed));
  if (recent.length === 0 && !call.flags.follow) sayNone(call, run);
  if (!call.flags.follow) return 0;
  return follow(project.root, clock, (timed) => {
    if (run === undefined || isAbout(timed.entry, run)) call.print(shown(timed));
  });
}

function sayNone(call: Call, run: string | undefined): void {
  if (!call.flags.json)
    call.print(`No stops${run === undefined ? '' : ` of ${run}`} yet: the hook has answered none here.`);
}

function limitOf(call: Call): number {
  const { limit } = call.flags;
  if (limit === undefined) return 20;
  if (typeof limit !== 'string' || !/^[1-9]\d{0,6}$/.test(limit))
    throw new WrongUsage('log: --limit takes a whole number from 1.');
  return Number(limit);
}

function describe(entry: JournalEntry, at: number | null, now: number): string {
  const about = `${nameOf(entry) ?? '-'}  ${entry.event === 'stop' ? stopped(entry) : describeEvent(entry)}`;
  const time = at === null ? entry.time : localTime(at, now);
  return `${dim(time)}  ${markOf(entry)}  ${about}`;
}

function markOf(entry: JournalEntry): string {
  if (entry.event !== 'stop') return entry.event.padEnd(8);
  return entry.answer === 'hold' ? yellow('held    ') : 'allowed ';
}

function stopped(entry: StopEntry): string {
  const trouble = entry.error === null ? '' : red(`  ${entry.error}`);
  const beside = [waitInShort(entry), budgetInShort(entry)].flatMap((each) => each ?? []);
  return `${[stepOf(entry), ...beside].join(', ')}${claimIn(entry)}${trouble}`;
}

function claimIn({ facts }: StopEntry): string {
  const proof = readProof(facts);
  if (proof === null || proof.worth === 'unasked') return '';
  return proof.claim === 'refused' ? ', claim refused' : `, claim ${proof.worth}`;
}

/** Until the user ends it: from the newest line on, over as many segments as are begun meanwhile. */
async function follow(root: string, clock: Clock, each: (timed: Timed) => void): Promise<never> {
  let cursor = cursorBack(root, 0);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const entries: Timed[] = [];
    for (const { entry, next } of journalFrom(root, cursor)) {
      cursor = next;
      if (entry !== null) entries.push(clock(entry));
    }
    for (const timed of inOrderOfTime(entries)) each(timed);
  }
}

/** When it is shown to have happened; null: its time cannot be read. */
type Timed = { entry: JournalEntry; at: number | null };
type Clock = (entry: JournalEntry) => Timed;

/**
 * The line of a stop, and of the end that it made, has the time at which the stop began; it is written after what its
 * checks and reviews came to, and is shown after that, too. The next stop is not moved: clocks are set back.
 */
function causalClock(): Clock {
  const worked = new Map<string | null, { at: number; stop: string | null }>();
  return (entry) => {
    const at = Date.parse(entry.time);
    if (Number.isNaN(at)) return { entry, at: null };
    const run = nameOf(entry);
    if (entry.event === 'work' || entry.event === 'review') worked.set(run, { at, stop: null });
    const last = worked.get(run);
    if (last === undefined) return { entry, at };
    if (entry.event === 'stop') last.stop ??= entry.time;
    return { entry, at: entry.time === last.stop ? Math.max(at, last.at) : at };
  };
}

/** Several runs write into one journal. What has no time stays where it was written. */
function inOrderOfTime(entries: readonly Timed[]): readonly Timed[] {
  let last = 0;
  const keyed = entries.map((timed) => {
    last = timed.at ?? last;
    return { timed, at: last };
  });
  return keyed.sort((one, other) => one.at - other.at).map(({ timed }) => timed);
}
