// `holdfast log`: what happened to the runs here, oldest first: each stop, review, start, adoption, cancel and end.
// `--follow` goes on as they come in.

import fs from 'node:fs';
import { readProof } from '../engine/proof/recorded.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { journalPath } from '../store/home.ts';
import { openJournal } from '../store/journal.ts';
import { type JournalEntry, parseJournalLine, type StopEntry } from '../store/journal-lines.ts';
import { budgetInShort } from '../view/describe-budget.ts';
import { describeEvent, stepOf } from '../view/describe-event.ts';
import { waitInShort } from '../view/explain-waiting.ts';
import { history, isAbout, nameOf } from '../view/history.ts';
import { namedRun } from '../view/named-run.ts';
import { dim, green, red, yellow } from './paint.ts';

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
  const shown = (entry: JournalEntry): string => (call.flags.json ? JSON.stringify(entry) : describe(entry));
  const recent: JournalEntry[] = [];
  const limit = limitOf(call);
  for (const entry of history(project, run)) if (recent.push(entry) >= limit) break;
  for (const entry of recent.reverse()) call.print(shown(entry));
  if (recent.length === 0 && !call.flags.follow) sayNone(call, run);
  if (!call.flags.follow) return 0;
  return follow(journalPath(project.home), (entry) => {
    if (run === undefined || isAbout(entry, run)) call.print(shown(entry));
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

function describe(entry: JournalEntry): string {
  const about = `${nameOf(entry) ?? '-'}  ${entry.event === 'stop' ? stopped(entry) : describeEvent(entry)}`;
  return `${dim(entry.time)}  ${markOf(entry)}  ${about}`;
}

function markOf(entry: JournalEntry): string {
  if (entry.event !== 'stop') return entry.event.padEnd(5);
  return entry.answer === 'hold' ? yellow('hold ') : green('allow');
}

function stopped(entry: StopEntry): string {
  const trouble = entry.error === null ? '' : red(`  ${entry.error}`);
  const beside = [waitInShort(entry), budgetInShort(entry)].flatMap((each) => each ?? []);
  return `${[stepOf(entry), ...beside].join(', ')}${claimIn(entry)}${trouble}  ${dim(`${entry.milliseconds} ms`)}`;
}

function claimIn({ facts }: StopEntry): string {
  const proof = readProof(facts);
  if (proof === null || proof.worth === 'unasked') return '';
  return proof.claim === 'refused' ? ', claim refused' : `, claim ${proof.worth}`;
}

/** Until the user ends it. The file may become a segment under us: its end is read first, then the new one. */
async function follow(file: string, each: (entry: JournalEntry) => void): Promise<never> {
  let tail = Tail.of(file, 'end');
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const next = tail?.isAt(file) ? null : Tail.of(file, 'start');
    tail?.read(each);
    if (next === null) continue;
    tail?.close();
    tail = next;
    tail.read(each);
  }
}

/** A file that grows, and how far it was read. */
class Tail {
  readonly #descriptor: number;
  #offset: number;
  #rest = Buffer.alloc(0);

  private constructor(descriptor: number, offset: number) {
    this.#descriptor = descriptor;
    this.#offset = offset;
  }

  static of(file: string, from: 'start' | 'end'): Tail | null {
    if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()) return null;
    const descriptor = openJournal(file);
    if (descriptor === null) return null;
    return new Tail(descriptor, from === 'start' ? 0 : fs.fstatSync(descriptor).size);
  }

  /** Also where nothing is: that a new file is not there yet does not end the old one. */
  isAt(file: string): boolean {
    const found = fs.lstatSync(file, { throwIfNoEntry: false });
    return found === undefined || found.ino === fs.fstatSync(this.#descriptor).ino;
  }

  read(each: (entry: JournalEntry) => void): void {
    const { size } = fs.fstatSync(this.#descriptor);
    // Somebody emptied it.
    if (size < this.#offset) this.#offset = 0;
    const bytes = Buffer.alloc(size - this.#offset);
    this.#offset += fs.readSync(this.#descriptor, bytes, 0, bytes.length, this.#offset);
    const all = Buffer.concat([this.#rest, bytes]);
    const end = all.lastIndexOf(0x0a) + 1;
    this.#rest = all.subarray(end);
    for (const line of all.toString('utf8', 0, end).split('\n')) {
      const entry = parseJournalLine(line);
      if (entry !== null) each(entry);
    }
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }
}
