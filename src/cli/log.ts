// `holdfast log`: what the hook answered, stop by stop, oldest first; `--follow` goes on as stops come in.

import fs from 'node:fs';
import type { Project } from '../engine/project.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { openRegular } from '../store/files.ts';
import { journalPath } from '../store/home.ts';
import { type JournalEntry, parseJournalLine } from '../store/journal.ts';
import { history, nameOf } from './history.ts';
import { dim, green, red, yellow } from './paint.ts';
import { allRuns, pickRun } from './runs.ts';

export const log: Command = {
  name: 'log',
  summary: 'what was answered, stop by stop',
  usage: '[--run RUN] [--limit N] [--follow] [--json]',
  options: {
    run: { type: 'string' },
    limit: { type: 'string' },
    follow: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  writes: false,
  words: { least: 0, most: 0 },
  run: showLog,
};

async function showLog(call: Call): Promise<ExitCode> {
  const project = await call.existing();
  if (project === null) throw new NotNow('there are no runs here, so there is no log.');
  const run = typeof call.flags.run === 'string' ? call.flags.run : undefined;
  const shown = (entry: JournalEntry): string => (call.flags.json ? JSON.stringify(entry) : describe(entry));
  const recent: JournalEntry[] = [];
  const limit = limitOf(call);
  for (const entry of history(project, run)) if (recent.push(entry) >= limit) break;
  for (const entry of recent.reverse()) call.print(shown(entry));
  if (recent.length === 0 && !call.flags.follow) await sayNone(call, project, run);
  if (!call.flags.follow) return 0;
  return follow(journalPath(project.home), (entry) => {
    if (run === undefined || nameOf(entry) === run || entry.run === run) call.print(shown(entry));
  });
}

/** Nothing to show: a run that there is and that never stopped, or a name that is no run's. */
async function sayNone(call: Call, project: Project, run: string | undefined): Promise<void> {
  const { name } = run === undefined ? { name: null } : pickRun(await allRuns(project), run);
  if (!call.flags.json)
    call.print(`No stops${name === null ? '' : ` of ${name}`} yet: the hook has answered none here.`);
}

function limitOf(call: Call): number {
  const { limit } = call.flags;
  if (limit === undefined) return 20;
  if (typeof limit !== 'string' || !/^[1-9]\d{0,6}$/.test(limit))
    throw new WrongUsage('log: --limit takes a whole number from 1.');
  return Number(limit);
}

function describe(entry: JournalEntry): string {
  const answer = entry.answer === 'hold' ? yellow('hold ') : green('allow');
  const trouble = entry.error === null ? '' : red(`  ${entry.error}`);
  return `${dim(entry.time)}  ${answer}  ${nameOf(entry) ?? '-'}  ${stepOf(entry)}${trouble}  ${dim(`${entry.milliseconds} ms`)}`;
}

function stepOf({ step }: JournalEntry): string {
  if (typeof step !== 'object' || step === null || !('kind' in step)) return '';
  const named = 'message' in step ? step.message : 'notice' in step ? step.notice : null;
  return typeof named === 'object' && named !== null && 'name' in named
    ? textOf(named.name)
    : textOf(step.kind);
}

/** Not String(): an object whose `toString` is no function would end us. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Until the user ends it. The journal may be rotated away under us: a shorter file is read from its start. */
async function follow(file: string, each: (entry: JournalEntry) => void): Promise<never> {
  let offset = sizeOf(file);
  let rest = '';
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const size = sizeOf(file);
    if (size < offset) offset = 0;
    if (size === offset) continue;
    const descriptor = openRegular(file);
    if (descriptor === null) continue;
    const bytes = Buffer.alloc(size - offset);
    fs.readSync(descriptor, bytes, 0, bytes.length, offset);
    fs.closeSync(descriptor);
    offset = size;
    const lines = (rest + bytes.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const entry of lines.map(parseJournalLine)) if (entry !== null) each(entry);
  }
}

function sizeOf(file: string): number {
  const found = fs.lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : 0;
}
