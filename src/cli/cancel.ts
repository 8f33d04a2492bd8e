// `holdfast cancel`: ends a run by hand. The agent is let go at its next stop.

import { sessionsOf } from '../clients/index.ts';
import { COMMAND_PATIENCE_MS, voidTicket } from '../engine/claim-run.ts';
import { runName } from '../engine/context.ts';
import { mayEnd } from '../engine/driver/its-agent.ts';
import type { Project } from '../engine/project.ts';
import { endTaken } from '../engine/proof/end-taken.ts';
import { journalCommand } from '../engine/stop/journal.ts';
import type { RegistryEntry } from '../engine/workflow.ts';
import { type Call, type Command, type ExitCode, NotNow } from '../engine/workflow-cli.ts';
import { ensureHome } from '../store/home.ts';
import { withLock } from '../store/lock.ts';
import { unbind } from '../store/sidecars.ts';
import { shownWord } from '../text/quoted.ts';
import { allRuns, type KnownRun, ofWorkflow, pickRun, refuseUnused, wordOrFlag } from '../view/runs.ts';
import { isOf } from './session-runs.ts';

export const cancel: Command = {
  name: 'cancel',
  summary: 'end a run; the agent is let go at its next stop',
  usage: '[RUN]',
  help: 'Without a name it ends the one live run of the project; with several it lists them.',
  options: { run: { type: 'string' } },
  writes: true,
  words: { least: 0, most: 1 },
  run: (call) => cancelRun(call, null),
};

/** The same for the runs of one workflow: `holdfast <workflow> cancel`. */
export function cancelIn({ name }: RegistryEntry): Command {
  return {
    ...cancel,
    help: `Without a name it ends the one live run of ${name}; with several it lists them.`,
    run: (call) => cancelRun(call, name),
  };
}

/** `workflow`: whose runs are meant; null: any workflow's. */
async function cancelRun(call: Call, workflow: string | null): Promise<ExitCode> {
  const project = await call.existing();
  const runs = project === null ? [] : ofWorkflow(await allRuns(project), workflow);
  const named = wordOrFlag(call);
  const taken = runs.some((run) => run.live && named === undefined) ? null : endTaken(call, workflow);
  if (taken !== null) {
    call.print(taken);
    return 0;
  }
  if (project === null) throw new NotNow('there are no runs here, so there is nothing to cancel.');
  if (named !== undefined) await refuseUnused(project, workflow === null ? named : inFull(named, workflow));
  const run = named === undefined ? theOnlyLive(runs, workflow, call) : pickRun(runs, named);
  call.print(await endRun(project, run));
  return 0;
}

/** Answers with a line for the user. */
export async function endRun(project: Project, run: KnownRun): Promise<string> {
  ensureHome(project.root);
  return withLock(project.home, COMMAND_PATIENCE_MS, () => {
    mayEnd(project, run.name);
    const done = run.cli.cancel(project, run.run);
    // Whatever else the workflow would still hold for (a plan folder that is not sound): cancelled means let go.
    const isLive = run.cli.runs(project).some((other) => other.run === run.run && other.live);
    if (isLive) unbind(project.root, run.name);
    voidTicket(project, run.name);
    if (run.live || isLive) journalCommand(project, 'cancel', run.name);
    return done;
  });
}

/** So that no other workflow's run is taken for it. */
function inFull(named: string, workflow: string): string {
  return named.startsWith(`${workflow}:`) ? named : runName(workflow, named);
}

/** An agent that names none does not mean another session's: that is ended by its name alone. */
function theOnlyLive(runs: readonly KnownRun[], workflow: string | null, { env }: Call): KnownRun {
  const live = runs.filter((run) => run.live);
  const [first] = live;
  if (first === undefined)
    throw new NotNow(
      `no run${workflow === null ? '' : ` of ${workflow}`} is live here, so there is nothing to cancel.`,
    );
  if (live.length > 1)
    throw new NotNow(`several runs are live: ${live.map((run) => run.name).join(', ')}. Name one.`);
  const { name, sidecar } = first;
  const sessions = sessionsOf(env);
  if (sessions.length > 0 && sidecar.sessions.length > 0 && !isOf(sidecar, sessions))
    throw new NotNow(
      `${name} is another session's. If the user wants it ended: \`holdfast cancel ${shownWord(name)}\``,
    );
  return first;
}
