// The end of a drive as a table: what was asked, what came of it, what it cost.

import { runName } from '../engine/context.ts';
import type { EndByStop } from '../engine/driver/its-agent.ts';
import type { Project } from '../engine/project.ts';
import { describeWorth } from '../engine/proof/describe.ts';
import { journalFromEnd } from '../store/journal.ts';
import type { EndEntry, StopEntry } from '../store/journal-lines.ts';
import { isObject } from '../store/json.ts';
import { tokensOf } from './budget.ts';
import { changedSince } from './changes.ts';
import type { DriverRecord } from './record.ts';

export type Summary = {
  asked: string;
  run: string | null;
  outcome: string;
  /** Null: nobody asked for checks. */
  proof: string | null;
  iterations: number;
  reviews: number;
  /** Of these reviews, those that found something. */
  findings: number;
  /** Null: nobody counted them. */
  tokens: number | null;
  usd: number | null;
  elapsedMs: number;
  workedMs: number;
  waitedMs: number;
  sessions: number;
  turns: number;
  tools: number;
  /** Null: there is no git. */
  files: number | null;
  commits: number | null;
};

export async function summarise(record: DriverRecord, outcome: string, project: Project): Promise<Summary> {
  const { now, env } = project;
  const { spent, asked, run, startedAt, root, commit } = record;
  const { workedMs, waitedMs, sessions, turns, tools, usdBefore, usdHere } = spent;
  return {
    ...{ asked, run, outcome },
    ...fromJournal(record),
    tokens: run === null ? null : tokensOf(project, run),
    usd: usdHere === null && usdBefore === 0 ? null : usdBefore + (usdHere ?? 0),
    elapsedMs: Math.max(0, now - startedAt),
    ...{ workedMs, waitedMs, sessions, turns, tools },
    ...(await changedSince(commit, root, env)),
  };
}

type FromJournal = Pick<Summary, 'proof' | 'iterations' | 'reviews' | 'findings'>;

function fromJournal({ root, run, startedAt, stopped }: DriverRecord): FromJournal {
  const found: FromJournal = { proof: null, iterations: 0, reviews: 0, findings: 0 };
  if (run === null) return found;
  const since = new Date(startedAt).toISOString();
  for (const entry of journalFromEnd(root)) {
    if (entry.time < since) break;
    if (entry.event === 'end' && runName(entry.workflow, entry.run) === run)
      found.proof ??= unprovenOf(entry);
    if (entry.event !== 'stop' || entry.workflow === null || entry.run === null) continue;
    if (runName(entry.workflow, entry.run) !== run) continue;
    if (entry.answer === 'hold') found.iterations++;
    const verdict = verdictIn(entry);
    if (verdict === 'clean' || verdict === 'findings') found.reviews++;
    if (verdict === 'findings') found.findings++;
  }
  return stopped === undefined ? found : { ...found, proof: worthOf(stopped) };
}

const worthOf = ({ proof, why }: EndByStop): string | null =>
  proof === null ? null : describeWorth(proof, why);

/** That it is proven an agent could have written there. */
function unprovenOf({ proof, why = [] }: EndEntry): string | null {
  return proof === 'unproven' ? describeWorth(proof, why) : null;
}

function verdictIn({ facts }: StopEntry): unknown {
  return isObject(facts) ? facts.verdict : null;
}
