// One run as views show it: what its workflow and our notes say of it now, beside what the journal says happened.

import fs from 'node:fs';
import path from 'node:path';
import { clientNamed } from '../clients/index.ts';
import { accountsOf } from '../engine/docket/accounts.ts';
import type { Docket } from '../engine/docket/types.ts';
import type { DrivenStand } from '../engine/driven.ts';
import type { Project } from '../engine/project.ts';
import { reasonInShort } from '../engine/proof/describe.ts';
import { endOfWait, waitingNow } from '../engine/waiting/clock.ts';
import { reviewIn } from '../engine/work/attempt.ts';
import { logOf } from '../engine/work/check.ts';
import type { RunDocket, Shown, WorkflowCli } from '../engine/workflow-cli.ts';
import { isInside } from '../store/files.ts';
import { newSidecar, type Sidecar } from '../store/records.ts';
import { inOneParagraph } from '../text/paragraph.ts';
import { budgetView } from './budget-view.ts';
import { describeWaiting } from './describe-waiting.ts';
import { docketOf } from './docket.ts';
import { forecastOf } from './forecast.ts';
import type { CheckView, FindingsView, Holder, ProofView, RunView, StopView, WaitingView } from './model.ts';
import { roundsOf } from './rounds.ts';
import type { RunHistory } from './run-history.ts';
import { describeRunProof, proofOfRun } from './run-proof.ts';
import { describeEnd, type RecordedEnd, type Standing } from './run-state.ts';
import type { KnownRun } from './runs.ts';
import { standingOf } from './standing.ts';
import { stopView } from './stop-view.ts';
import { workOf } from './work-view.ts';

export type RunSource = {
  /** Null: its own files are gone, and only the journal knows of it. */
  known: KnownRun | null;
  /** A later run has its files' place. */
  replaced: boolean;
  history: RunHistory;
  /** Null: this version does not know the workflow. */
  cli: WorkflowCli | null;
};

export function runView(project: Project, projectId: string, source: RunSource): RunView {
  const { known, history, cli } = source;
  const { workflow, run } = history;
  const name = `${workflow}:${run}`;
  const sidecar = known?.sidecar ?? newSidecar(name);
  const shown = shownOf(known);
  const wait = known?.live === true ? waitingNow(sidecar, project.now) : null;
  const found = known === null ? null : docketOf(project, known);
  const docket = found instanceof Error ? null : found;
  const stops = stopsOf(history, cli);
  const trouble = known?.stateTrouble ?? known?.notesTrouble ?? null;
  const budget = budgetView(project, name, history.burn);
  const parts = {
    ...{ name, budget: budget?.view ?? null },
    waiting: wait === null ? null : waitingView(wait, name, project.now),
    checks: checksOf(history, project.root),
    proof: known === null ? null : proofView(project, known),
    rounds: roundsOf({
      ...{ root: project.root, reviews: history.reviews, shown },
      findings: docket?.docket.findings ?? [],
      running: runningReview(sidecar),
    }),
  };
  const goOn = goOnIn(source);
  const standing = standingOf({
    ...parts,
    ...{ live: known?.live ?? null, sidecar, wait, drive: history.drive, stops: history.counts.stops },
    stand: known === null ? null : standQuietly(project, known),
    recorded: inWords(history.end),
    own: known?.ended == null ? null : { outcome: known.ended, at: null, worth: null, why: [] },
    unreadable: trouble === null ? null : `${trouble.what}; to fix it, ${trouble.fix}`,
    goOn,
  });
  const asked = shown?.asked || history.task || null;
  const live = standing.status !== 'ended';
  const progress = shown?.progress ?? null;
  return {
    ...parts,
    ...standing,
    reviewsGivenUp: live ? reviewsGivenUp(stops[0], goOn) : null,
    // The reader knows what its user has looked at.
    ...{ dismissed: false, unseen: false },
    ...{ id: `${projectId}/${name}`, workflow, run, live, progress },
    stage: stageOf(source, standing),
    state: shown?.state ?? null,
    asked: asked === null ? null : inOneParagraph(asked, LONGEST_ASKED),
    holder: holderOf(sidecar, history),
    startedAt: history.startedAt ?? shown?.startedAt ?? null,
    movedAt: history.movedAt === 0 ? null : history.movedAt,
    work: workOf(project, sidecar),
    counts: history.counts,
    stops,
    events: history.events.toReversed(),
    findings: docket === null ? null : findingsView(docket),
    forecast: live ? forecastOf(progress, budget?.iterationsLeft ?? null, timesOf(history)) : null,
    files: filesOf(shown, project.root),
    trouble,
    detail: known?.detail ?? {},
  };
}

const LONGEST_ASKED = 2000;

/** Read from files that may be in any state: a view shows the rest. */
function shownOf(known: KnownRun | null): Shown | null {
  try {
    return known?.shown?.() ?? null;
  } catch {
    return null;
  }
}

/** Each is put into words once. */
function stopsOf(history: RunHistory, cli: WorkflowCli | null): StopView[] {
  history.stops = history.stops.map((stop) => ('entry' in stop ? stopView(stop, cli) : stop));
  return (history.stops as StopView[]).toReversed();
}

function waitingView(wait: NonNullable<Sidecar['waiting']>, name: string, now: number): WaitingView {
  const { for: what, since, reviewer = null } = wait;
  const text = describeWaiting(wait, name, now);
  return { for: what, since, until: endOfWait(wait), what: inOneParagraph(wait.what, 2000), reviewer, text };
}

function runningReview(sidecar: Sidecar) {
  const review = reviewIn(sidecar);
  return review?.status === 'running' ? review : null;
}

/** What a workflow cannot say, nothing is concluded from. */
function standQuietly(project: Project, { cli, run }: KnownRun): DrivenStand | null {
  try {
    return cli.driven?.stands?.(project, run) ?? null;
  } catch {
    return null;
  }
}

function inWords(end: RecordedEnd | null): RecordedEnd | null {
  return end === null ? null : { ...end, why: end.why.map(reasonInShort) };
}

/** A workflow that has given up says so at each stop, until its state is another one. */
function reviewsGivenUp(last: StopView | undefined, goOn: string | null): string | null {
  if (last?.step !== 'review-given-up') return null;
  const how = goOn === null ? '' : ` Once what is wrong is put right, type \`${goOn}\` in its session.`;
  return `Its review ended without a verdict again and again, so none is started any more.${how}`;
}

/** The skill that goes on with it, as its client's users type it. */
function goOnIn({ history: { workflow, run, holder }, cli }: RunSource): string | null {
  const skill = cli?.driven?.goOn;
  if (skill === undefined) return null;
  const mark = (holder === null ? null : clientNamed(holder.client).skillMark) ?? '/';
  return `${mark}${workflow}:${skill} ${run}`;
}

/** Only the files of a run that had not ended, and that no later one replaced, should still be there. */
function stageOf({ known, replaced }: RunSource, { end }: Standing): string {
  if (known !== null) return known.stage;
  if (end !== null && end.kind !== 'unknown') return describeEnd(end);
  return replaced ? 'a later one took its place' : 'its files are gone';
}

function holderOf({ sessions }: Sidecar, { holder, drive }: RunHistory): Holder | null {
  const [session] = sessions;
  if (session === undefined) return null;
  const driven = drive === 'on';
  const isKnown = holder !== null && sessions.includes(holder.session);
  return { session, client: isKnown ? holder.client : null, since: isKnown ? holder.since : null, driven };
}

function proofView(project: Project, known: KnownRun): ProofView | null {
  const proof = proofOfRun(project, known);
  if (proof === null) return null;
  const { checks, untrusted, off, refusals } = proof;
  return { checks, untrusted, off, refusals, text: describeRunProof(proof) };
}

function checksOf({ checks }: RunHistory, root: string): CheckView[] {
  return [...checks].map(([name, results]) => {
    const log = logOf(name);
    return { name, results, log: fs.existsSync(path.join(root, log)) ? log : null };
  });
}

function findingsView({ file, docket }: RunDocket): FindingsView {
  const { contested, ...counts } = accountsOf(docket);
  return { file, ...counts, contested: contested.length, list: listOf(docket, new Set(contested)) };
}

const MOST_FINDINGS = 1000;

function listOf({ findings }: Docket, contested: ReadonlySet<unknown>): FindingsView['list'] {
  return findings.slice(-MOST_FINDINGS).map((entry) => {
    const { others: _, ...rest } = entry;
    return { ...rest, contested: contested.has(entry) };
  });
}

/** Of the holds after which something moved, and of the reviews where those are counted. */
function timesOf({ stops, reviews }: RunHistory): number[] {
  const held = (stops as StopView[])
    .filter(({ kind, moved }) => kind === 'held' && moved)
    .map(({ at }) => at);
  return held.length > 1 ? held : reviews.map(({ at }) => at);
}

const MOST_FILES = 300;

function filesOf(shown: Shown | null, root: string): string[] {
  return (shown?.files ?? [])
    .slice(0, MOST_FILES)
    .filter((file) => isInside(file, root) && isFile(file))
    .map((file) => path.relative(root, file));
}

function isFile(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
