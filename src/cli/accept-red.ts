// `holdfast check --accept-red NAME [run]`: a person says in mid-run that this check may be red at its end. An agent cannot:
// it would be its own excuse.

import type { Project } from '../engine/project.ts';
import { acceptInPin } from '../engine/proof/accepted.ts';
import { hasPin, makePin, type Pin, readPin } from '../engine/proof/pin.ts';
import { type Call, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { shellQuote } from '../text/shell.ts';
import { allRuns, type KnownRun, pickRun, refuseUnused } from '../view/runs.ts';
import { refuseWithoutPerson } from './trust.ts';

export async function acceptRed(call: Call): Promise<ExitCode> {
  const name = String(call.flags['accept-red']);
  const [named, ...more] = call.words;
  if (more.length > 0) throw new WrongUsage('check: --accept-red takes one check, and at most one run.');
  refuseWithoutPerson('accept a red check', `check --accept-red ${shellQuote(name)}`);
  const project = await call.existing();
  if (project === null) throw new NotNow('there are no runs here, so there is nothing to accept.');
  const run = await whichRun(project, named ?? null);
  // As its first stop would: what is accepted must be there when that comes.
  const pin = isBegun(run) ? null : await makePin(project, run.name, run.sidecar.proof);
  if (pin === null && !hasPin(project, run.name))
    throw new NotNow(`${run.name} has no checks, so there is nothing to accept.`);
  refuseUnasked(readPin(project, run.name), name, run.name);
  acceptInPin(project, run.name, name);
  call.print(
    `${name} may be red at the end of ${run.name}: a claim to be done then stands, unproven, and the notice names it.`,
  );
  return 0;
}

function refuseUnasked(pin: Pin | null, name: string, run: string): void {
  if (pin === null)
    throw new NotNow(`what ${run} has to pass cannot be read, so it ends unproven whatever is red.`);
  if (pin.off) throw new NotNow(`the checks of ${run} were switched off at its start, so nothing holds it.`);
  const names = [...new Set([...pin.checks.map((check) => check.name), ...pin.untrusted])];
  if (names.includes(name)) return;
  throw new WrongUsage(
    `check: ${run} has no check "${name}" to pass. It has: ${names.join(', ') || 'none'}.`,
  );
}

/** After that a run without a pin gets none. */
const isBegun = ({ sidecar }: KnownRun): boolean => sidecar.committed !== null;

async function whichRun(project: Project, named: string | null): Promise<KnownRun> {
  const runs = await allRuns(project);
  if (named !== null) {
    await refuseUnused(project, named);
    const run = pickRun(runs, named);
    if (!run.live) throw new NotNow(`${run.name} is over, so there is nothing to accept.`);
    return run;
  }
  const live = runs.filter(({ live: isLive }) => isLive);
  const [first, ...others] = live;
  if (first === undefined) throw new NotNow('no run goes on here, so there is nothing to accept.');
  if (others.length > 0)
    throw new NotNow(`several runs go on here: ${live.map(({ name }) => name).join(', ')}. Name one.`);
  return first;
}
