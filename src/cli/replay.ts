// `holdfast replay`: feeds recorded facts to the decision once more and shows whether it comes out the same.

import { isDeepStrictEqual } from 'node:util';
import { readRecordedBudget } from '../engine/budget/recorded.ts';
import { budgetAt } from '../engine/budget/rule.ts';
import { weigh } from '../engine/guard/guard.ts';
import { readRecordedGuard } from '../engine/guard/recorded.ts';
import { readRecordedWait } from '../engine/waiting/recorded.ts';
import { waitAt } from '../engine/waiting/wait.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { parseJournalLine, type StopEntry } from '../store/journal-lines.ts';
import { isObject, type Json } from '../store/json.ts';
import { readOwn } from '../store/open.ts';
import { NO_GUARD_MEMORY } from '../store/records.ts';
import { nameOf, stops } from '../view/history.ts';
import { registry } from '../workflows/registry.ts';

export const replay: Command = {
  name: 'replay',
  summary: 'decide a recorded stop again and compare',
  usage: '<journal line | file | N> [--json]',
  help: 'A line of .holdfast/journal.jsonl, a file of such lines, or N for the N-th last stop of this project.',
  options: { json: { type: 'boolean' } },
  writes: false,
  words: { least: 1, most: 1 },
  run: replayAll,
};

async function replayAll(call: Call): Promise<ExitCode> {
  const entries = await findEntries(call);
  const results = await Promise.all(entries.map(replayOne));
  if (call.flags.json) call.print(JSON.stringify(results, null, 2));
  else for (const result of results) call.print(describe(result));
  const changed = results.filter((result) => result.outcome === 'different').length;
  if (!call.flags.json && results.length > 1)
    call.print(`${results.length} stops replayed, ${changed} different.`);
  return changed === 0 ? 0 : 1;
}

async function findEntries(call: Call): Promise<StopEntry[]> {
  const word = call.words[0] ?? '';
  if (/^[1-9]\d{0,5}$/.test(word)) return [await nthLast(call, Number(word))];
  const text = word.trimStart().startsWith('{') ? word : readFile(word);
  const entries = text.split('\n').flatMap((line) => parseJournalLine(line) ?? []);
  const found = entries.filter((entry) => entry.event === 'stop');
  if (found.length === 0)
    throw new WrongUsage(
      'replay: that holds no stop of a journal. Give a line of .holdfast/journal.jsonl, a file, or N.',
    );
  return found;
}

async function nthLast(call: Call, wanted: number): Promise<StopEntry> {
  const project = await call.existing();
  let position = 0;
  if (project !== null) for (const entry of stops(project)) if (++position === wanted) return entry;
  throw new NotNow(`the journal here holds only ${position} stops.`);
}

function readFile(file: string): string {
  try {
    return readOwn(file);
  } catch {
    throw new WrongUsage(`replay: ${file} is neither a journal line nor a file that can be read.`);
  }
}

type Replayed = {
  run: string | null;
  time: string;
  outcome: 'same' | 'different' | 'not replayable';
  recorded: Json;
  now: Json;
};

async function replayOne(entry: StopEntry): Promise<Replayed> {
  const about = { run: nameOf(entry), time: entry.time, recorded: entry.step };
  const workflow = registry.find((each) => each.name === entry.workflow);
  if (workflow === undefined || entry.step === null)
    return { ...about, outcome: 'not replayable', now: null };
  const cli = await workflow.cli();
  const now = cli.redecide(entry.state, entry.facts);
  if (now === null) return { ...about, outcome: 'not replayable', now };
  const recorded = cli.inTodaysWords?.(entry.step) ?? entry.step;
  const same = isSameStep(recorded, now) && guardAgrees(entry) && waitAgrees(entry) && budgetAgrees(entry);
  return { ...about, outcome: same ? 'same' : 'different', now };
}

function guardAgrees(entry: StopEntry): boolean {
  const recorded = readRecordedGuard(entry.guard);
  if (recorded === null) return entry.guard === null;
  const { memory, movement, limits, result } = recorded;
  return weigh({ ...NO_GUARD_MEMORY, ...memory }, movement, limits).kind === result;
}

/** A line that says nothing of a wait has none to ask about. */
function waitAgrees({ waiting }: StopEntry): boolean {
  if (waiting === undefined) return true;
  const recorded = readRecordedWait(waiting);
  return recorded !== null && waitAt(recorded.question).kind === recorded.result;
}

/** A line that says nothing of a budget is of a run without one. */
function budgetAgrees({ budget }: StopEntry): boolean {
  if (budget === undefined) return true;
  const recorded = readRecordedBudget(budget);
  return recorded !== null && budgetAt(recorded.question) === recorded.result;
}

/** Up to schema 1 a step said that the run was over, and not how. */
export function isSameStep(recorded: Json, now: Json): boolean {
  const saidLess = isObject(recorded) && recorded.over === true && isObject(now) && now.over !== undefined;
  return isDeepStrictEqual(plain(saidLess ? { ...now, over: true } : now), plain(recorded));
}

/** As the journal would hold it: absent and undefined are the same. */
function plain(value: Json): unknown {
  return JSON.parse(JSON.stringify(value));
}

function describe(result: Replayed): string {
  const about = `${result.time} ${result.run ?? '-'}: ${result.outcome}`;
  if (result.outcome !== 'different') return about;
  return `${about}\n  recorded: ${JSON.stringify(result.recorded)}\n  now:      ${JSON.stringify(result.now)}`;
}
