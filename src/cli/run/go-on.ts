// `holdfast run --continue`: goes on with what was driven, from where its record says; or takes a run over that nobody
// drove yet.

import { randomUUID } from 'node:crypto';
import { clientNamed } from '../../clients/index.ts';
import { withoutClients } from '../../driver/bind.ts';
import { commitOf } from '../../driver/changes.ts';
import { takeRun } from '../../driver/kept.ts';
import {
  type DriverRecord,
  type KnownRecord,
  NOTHING_SPENT,
  readRecord,
  recordName,
  recordsOf,
} from '../../driver/record.ts';
import { NO_COUNTS } from '../../driver/types.ts';
import { budgetFlags, isBudgetAsked } from '../../engine/budget/at-start.ts';
import { grantMore } from '../../engine/budget/grant.ts';
import type { Project } from '../../engine/project.ts';
import { openProject } from '../../engine/stop/find-project.ts';
import { type Call, type ExitCode, NotNow, WrongUsage } from '../../engine/workflow-cli.ts';
import { runtimeHere } from '../../hook/runtime.ts';
import type { Environment } from '../../store/environment.ts';
import { allRuns, type KnownRun, pickRun, whyOver } from '../../view/runs.ts';
import { driveKept } from './drive-kept.ts';
import { clientFor, optionsIn, refuseMisfit, refuseUnkept, rememberClient } from './options.ts';
import { chosen } from './which.ts';

export async function goOn(call: Call): Promise<ExitCode> {
  if (call.flags.worktree !== undefined)
    throw new WrongUsage('run --continue: --worktree is said at the start; a run stays where it is.');
  const { words, args } = splitWords(call.words);
  if (words.length > 1) throw new WrongUsage(`run --continue: "${words[1]}" is one word too many.`);
  const answer = answerIn(call);
  const [named] = words;
  const project = (await call.existing()) ?? (await call.forNewRun());
  const known = recordsOf(call.env, project.root);
  const runs = (await allRuns(project)).filter(({ live }) => live);
  const found = await chosen(known, named, call.env);
  if (found !== null) {
    await refuseMisfit(optionsIn(call), found.record.workflow);
    return holding(found.record, found.name, call, answer, () =>
      continued(nowOf(found, call.env), call, args),
    );
  }
  const run = named === undefined ? theOnlyLive(runs) : pickRun(await allRuns(project), named);
  if (!run.live) throw new NotNow(`${run.name} is ${run.stage}: there is nothing to go on with.`);
  await refuseMisfit(optionsIn(call), run.workflow.name);
  const record = takenOver(run, project, call, args);
  return holding(record, recordName(record), call, answer, () => record);
}

/** From here to its end the run is ours: what is granted is never granted to a run that another drives on. */
async function holding(
  found: DriverRecord,
  name: string,
  call: Call,
  answer: string | null,
  recordNow: () => DriverRecord,
): Promise<ExitCode> {
  const held = takeRun(withoutClients(call.env), found, name);
  try {
    const record = recordNow();
    await refuseUnkept(clientNamed(record.options.client), record.options.access);
    await grantTo(record, call);
    return await driveKept(record, call, answer, held);
  } finally {
    held.release();
  }
}

/** Another driver may have gone on with it between our look at it and our lock. */
function nowOf({ name }: KnownRecord, env: Environment): DriverRecord {
  const record = readRecord(env, name);
  if (record !== null) return record;
  throw new NotNow('another process went on with it just now. `holdfast status` shows where it stands.');
}

/** What is granted is added; refused, with nothing changed, where it would not do. */
async function grantTo({ root, run }: DriverRecord, call: Call): Promise<void> {
  const more = budgetFlags(call.flags, 'run --continue');
  if (!isBudgetAsked(more)) return;
  if (run === null) throw new NotNow('its agent has begun no run yet, so there is no budget to add to.');
  const project = await openProject(root, runtimeHere(withoutClients(call.env)));
  const known = (await allRuns(project)).find(({ name }) => name === run);
  const over = known === undefined ? 'it is gone' : whyOver(known, project);
  grantMore(project, { name: run, over }, more, { env: call.env, command: 'run --continue' });
}

function splitWords(words: readonly string[]): { words: readonly string[]; args: readonly string[] | null } {
  const at = words.indexOf('--');
  return at === -1 ? { words, args: null } : { words: words.slice(0, at), args: words.slice(at + 1) };
}

function answerIn({ flags }: Call): string | null {
  const { answer } = flags;
  if (answer === undefined) return null;
  if (typeof answer === 'string' && answer.trim() !== '') return answer;
  throw new WrongUsage('run --continue: --answer takes the text of your answer.');
}

function theOnlyLive(runs: readonly KnownRun[]): KnownRun {
  const [first, ...others] = runs;
  if (first === undefined)
    throw new NotNow(
      'no run goes on here, so there is nothing to continue. `holdfast status --all` lists them.',
    );
  if (others.length > 0)
    throw new NotNow(`several runs go on here: ${runs.map(({ name }) => name).join(', ')}. Name one.`);
  return first;
}

/** What is said again counts from now on. After an end, a person wants it tried again: the rows begin again. */
function continued(record: DriverRecord, call: Call, args: readonly string[] | null): DriverRecord {
  const { flags } = call;
  const said = optionsIn(call);
  const { options, ended } = record;
  const wasStop = ended?.why === 'stop-at';
  const next = {
    ...options,
    ...(args === null ? {} : { args }),
    ...(flags.access === undefined ? {} : { access: said.access }),
    ...(flags.model === undefined ? {} : { model: said.model }),
    ...(flags.persist === undefined ? {} : { persist: said.persist }),
    ...(flags.fresh === undefined ? {} : { fresh: said.fresh }),
    ...(flags.unattended === undefined ? {} : { unattended: said.unattended }),
    stopAt: flags['stop-at'] === undefined ? (wasStop ? null : options.stopAt) : said.stopAt,
  };
  if (ended === null) return { ...record, options: next };
  const isTaken = ended.why === 'taken-over';
  const isSpent = isTaken || ended.why === 'released' || ended.why === 'overflows';
  return {
    ...record,
    // Its own session is out of date: the one that follows takes the run from whoever has it.
    ...(isTaken ? { session: null, former: undefined } : {}),
    options: next,
    counts: NO_COUNTS,
    next: { session: isSpent ? 'new' : 'same', say: isSpent ? 'new-session' : 'continue', at: null },
  };
}

/** A run of somebody's session, or of nobody's: a new session adopts it. */
function takenOver(
  run: KnownRun,
  { root, cli, config }: Project,
  call: Call,
  args: readonly string[] | null,
): DriverRecord {
  const client = clientFor(call.flags.client, { root, config, env: call.env });
  rememberClient(client, call.env);
  return {
    schema: 1,
    id: randomUUID(),
    root,
    run: run.name,
    workflow: run.workflow.name,
    asked: `go on with ${run.name}`,
    prompt: `Go on with ${run.name} (${run.stage}): \`${cli} status\` shows where it stands.`,
    options: { ...optionsIn(call), client: client.name, args: args ?? [] },
    session: null,
    counts: NO_COUNTS,
    mark: '',
    next: { session: 'new', say: 'new-session', at: null },
    driver: { pid: process.pid, start: null },
    client: null,
    spent: NOTHING_SPENT,
    startedAt: call.now,
    commit: commitOf(root, call.env),
    worktree: null,
    ended: null,
  };
}
