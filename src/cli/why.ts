// `holdfast why`: in plain words, why the last stop was held or allowed: from the journal alone. What a wait has come to
// since then is in the run's notes.

import type { Project } from '../engine/project.ts';
import { waitingNow } from '../engine/waiting/clock.ts';
import { type Call, type Command, type ExitCode, NotNow } from '../engine/workflow-cli.ts';
import type { StopEntry } from '../store/journal-lines.ts';
import { describeWait } from '../view/describe-waiting.ts';
import { explain, inItsWords } from '../view/explain-stop.ts';
import { whyItWaited } from '../view/explain-waiting.ts';
import { nameOf, stops } from '../view/history.ts';
import { namedRun } from '../view/named-run.ts';
import { allRuns, type KnownRun } from '../view/runs.ts';

export const why: Command = {
  name: 'why',
  summary: 'why the last stop was held or allowed, in plain words',
  usage: '[RUN] [--json]',
  options: { run: { type: 'string' }, json: { type: 'boolean' } },
  writes: false,
  words: { least: 0, most: 1 },
  run: explainLast,
};

async function explainLast(call: Call): Promise<ExitCode> {
  const project = await call.existing();
  if (project === null) throw new NotNow('no runs in this project yet.');
  const run = await namedRun(call, project);
  const stop = lastStop(stops(project, run));
  if (stop.length === 0)
    throw new NotNow(
      run === undefined ? 'no stops in this project yet.' : `no stop of ${run} is in the journal.`,
    );
  if (call.flags.json) {
    call.print(JSON.stringify(stop, null, 2));
    return 0;
  }
  const runs = await allRuns(project);
  for (const entry of stop) {
    const known = runs.find(({ name }) => name === nameOf(entry));
    call.print(
      [explain(entry, await inItsWords(entry), project.now), ...whatCameOfIt(entry, known, project)].join(
        ' ',
      ),
    );
  }
  return 0;
}

/** A wait may begin without a stop, and end without one. */
function whatCameOfIt(entry: StopEntry, run: KnownRun | undefined, project: Project): string[] {
  const waited = whyItWaited(entry) !== null;
  if (run?.live !== true)
    return waited ? [`It no longer waits: it is ${run === undefined ? 'gone' : run.stage}.`] : [];
  const isWaiting = waitingNow(run.sidecar, project.now) !== null;
  const said = waited === isWaiting ? null : describeWait(run, project);
  return said === null ? [] : [`Since then: ${said}`];
}

/** A stop of a session with several runs has a line for each; they share the clock of the stop. */
function lastStop(entries: Iterable<StopEntry>): StopEntry[] {
  const lines: StopEntry[] = [];
  for (const entry of entries) {
    const [first] = lines;
    if (first !== undefined && (entry.time !== first.time || entry.session !== first.session)) break;
    lines.unshift(entry);
  }
  return lines;
}
