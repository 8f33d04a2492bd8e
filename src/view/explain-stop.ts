// Why a stop was answered as it was, in plain words, from its line in the journal alone.

import { rowAtLimit } from '../engine/guard/guard.ts';
import { type RecordedGuard, readRecordedGuard } from '../engine/guard/recorded.ts';
import { describeProof } from '../engine/proof/describe.ts';
import { readProof } from '../engine/proof/recorded.ts';
import { readRecordedStep } from '../engine/recorded-step.ts';
import { countOfHolds } from '../engine/stop/notices.ts';
import type { StopEntry } from '../store/journal-lines.ts';
import { registry } from '../workflows/registry.ts';
import { whyByBudget } from './describe-budget.ts';
import { whatWasOver, whyItWaited } from './explain-waiting.ts';
import { nameOf } from './history.ts';
import { localTime } from './times.ts';

/** The workflow's own words for its step. */
export async function inItsWords(entry: StopEntry): Promise<string | null> {
  const recorded = readRecordedStep(entry.step);
  const cli = await registry.find((workflow) => workflow.name === entry.workflow)?.cli();
  const until = readProof(entry.facts, 'until');
  const ends = until?.claim === 'stands' ? (until.checks[0] ?? null) : null;
  return recorded === null ? null : (cli?.explain?.(recorded, ends) ?? null);
}

/** The answer first, then why, then which stop it was: in the reader's own time. */
export function explain(entry: StopEntry, words: string | null = null, now = Date.now()): string {
  const session = entry.session === null ? 'fired by hand' : `session ${entry.session.slice(0, 8)}`;
  const at = Date.parse(entry.time);
  const when = `(${Number.isNaN(at) ? entry.time : localTime(at, now)}, ${entry.client}, ${session})`;
  const run = nameOf(entry);
  if (entry.error !== null) return `Allowed: ${run ?? 'Holdfast'} hit an error: ${entry.error} ${when}`;
  if (run === null)
    return `Allowed: this session has no run; a notice was shown (about others' runs, or the config). ${when}`;
  return `${entry.answer === 'hold' ? 'Held' : 'Allowed'} by ${run}. ${because(entry, words)} ${when}`;
}

/** Without when and who. */
export function because(entry: StopEntry, words: string | null): string {
  const waited = whyItWaited(entry);
  if (waited !== null) return waited;
  return [...whatWasOver(entry), whyItWentOn(entry, words)].join(' ');
}

function whyItWentOn(entry: StopEntry, words: string | null): string {
  const spent = whyByBudget(entry);
  if (spent !== null) return spent;
  const weighed = readRecordedGuard(entry.guard);
  if (weighed?.result === 'release') return whyReleased(weighed);
  if (entry.unstepped !== undefined) return whyUnstepped(entry);
  const proof = readProof(entry.facts);
  if (proof?.why.includes('refused-too-often') && entry.answer === 'allow')
    return `Its claim to be done was refused too often in a row, so it was let go, unproven: ${describeProof({ ...proof, why: [] })}`;
  const said = [words ?? whatItSaid(entry), ...whatTheChecksSaid(entry)].join(' ');
  return weighed !== null && entry.answer === 'hold' ? `${said} ${progress(weighed)}` : said;
}

function whatTheChecksSaid({ facts }: StopEntry): string[] {
  const proof = readProof(facts);
  const until = readProof(facts, 'until');
  if (proof === null)
    return until === null || until.checks.length === 0 ? [] : [`Check: ${describeProof(until)}`];
  if (proof.worth === 'unasked') return [];
  const worth = proof.claim === 'refused' ? 'Checks' : proof.worth === 'proven' ? 'Proven' : 'Unproven';
  return [`${worth}: ${describeProof(proof)}`];
}

/** A review, a check or a hold was due, and the stop was allowed without it. */
function whyUnstepped({ unstepped, step }: StopEntry): string {
  if (readRecordedStep(step)?.kind === 'prove')
    return 'The agent claimed to be done, but a check of this run is already under way, so no second one was started.';
  switch (unstepped) {
    case 'client-cap':
      return 'It was to be held, but its client honours no more holds after this prompt: the run waits for the next one. Type anything in that session.';
    case 'no-time':
      return 'A review is due, but the client leaves the hook too little time for one, so none was started.';
    case 'no-time-left':
      return 'A review is due, but another one took the time of this stop, so the next stop runs it.';
    case 'under-way':
      return 'A review is due and already under way, so no second one was started.';
    default:
      return 'A review is due, but another one had just ended at this stop, so the next stop runs it.';
  }
}

function whatItSaid(entry: StopEntry): string {
  const recorded = readRecordedStep(entry.step);
  if (recorded === null) return 'The journal does not say why.';
  if (recorded.said === null) return 'Nothing was outstanding.';
  return `It said "${recorded.said.name.replaceAll('-', ' ')}"${slots(recorded.said.slots)}.`;
}

function slots(values: Readonly<Record<string, unknown>>): string {
  const list = Object.entries(values).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return list.length === 0 ? '' : ` (${list.join(', ')})`;
}

function whyReleased({ memory, movement, limits }: RecordedGuard): string {
  if (memory.released)
    return 'It had been let go because there was no progress, and nothing has moved since.';
  const { row, holds } = rowAtLimit(memory, movement, limits);
  const what = {
    noTools: 'nothing at all moved in',
    toolsUnknown: 'the transcript could not be read for',
    noProgress: 'the agent used tools, but neither the state nor a file of the run moved in',
  };
  return `The guard let go: ${what[row]} ${countOfHolds(holds)} in a row.`;
}

function progress({ movement, memory, limits }: RecordedGuard): string {
  const moved = [
    ...(movement.state ? ['the state'] : []),
    ...(movement.artifacts ? ['its files'] : []),
    ...(movement.tools === 'yes' ? ['the agent used tools'] : []),
    ...(movement.tools === 'unknown' ? ['perhaps the agent (the transcript does not show it)'] : []),
  ];
  if (!memory.held) return 'It was the first hold of this session.';
  if (movement.waited && !movement.state && !movement.artifacts)
    return 'The agent has waited with `holdfast wait` since the last hold, so no hold was counted.';
  if (moved.length > 0) return `Moved since the last hold: ${moved.join(', ')}.`;
  return `Nothing moved since the last hold (${Math.min(memory.noTools + 1, limits.unmoved)} of ${limits.unmoved} before it is let go).`;
}
