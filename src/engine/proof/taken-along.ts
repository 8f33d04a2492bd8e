// What a stop says about runs that are gone because a check took their files along: the check still runs, and puts them
// back at its end; or whoever ran it was killed, and what was kept in memory went with it. Loaded when there is a record.

import fs from 'node:fs';
import { sidecarPath } from '../../store/home.ts';
import { readSidecar } from '../../store/sidecars.ts';
import { plainText } from '../../text/printable.ts';
import { isHandFired, type StopContext } from '../context.ts';
import type { RegistryEntry } from '../workflow.ts';
import { type CheckRecord, checkRecords } from './check-record.ts';
import { inWords } from './in-words.ts';

const MOST_NAMED = 5;

export async function takenAlong(context: StopContext): Promise<string[]> {
  const { stop, project, runtime } = context;
  const said: string[] = [];
  for (const record of checkRecords(project)) {
    const { runs, check, isLive } = record;
    const lost = await Promise.all(
      runs.map(async (run) => ({ ...run, how: await howLost(run.name, context) })),
    );
    if (isLive) {
      const isOurs = ({ sessions }: CheckRecord['runs'][number]): boolean =>
        isHandFired(stop) || sessions.includes(stop.session ?? '');
      const ours = lost.filter((run) => run.how !== 'there' && isOurs(run)).map(({ name }) => name);
      if (ours.length > 0) said.push(stillRunning(check, ours));
      continue;
    }
    const gone = lost.filter(({ how }) => how === 'gone').map(({ name }) => name);
    const unbound = lost.filter(({ how }) => how === 'unbound').map(({ name }) => name);
    if (gone.length > 0) said.push(killed(check, gone, `start it again: ${begins(gone, runtime.registry)}`));
    if (unbound.length > 0) said.push(killed(check, unbound, adopts(unbound, project.cli)));
    record.remove();
  }
  return said;
}

/** `unbound`: its state is there, and nothing says any more whose it is. */
async function howLost(
  name: string,
  { project, runtime }: StopContext,
): Promise<'there' | 'gone' | 'unbound'> {
  const entry = runtime.registry.find((each) => name.startsWith(`${each.name}:`));
  const isBound = fs.existsSync(sidecarPath(project.home, name));
  if (entry === undefined) return isBound ? 'there' : 'gone';
  try {
    const { saved } = readSidecar(project.root, name);
    const run = name.slice(entry.name.length + 1);
    const found = (await (await entry.load()).inFiles?.({ project, run, saved })) ?? null;
    if (found?.kind === 'over') return 'there';
    if (found?.kind === 'gone' || (found === null && !isBound)) return 'gone';
  } catch {
    return 'there'; // Serving it says what is wrong with it.
  }
  return isBound ? 'there' : 'unbound';
}

function stillRunning(check: string, runs: readonly string[]): string {
  return plainText(
    `Holdfast: the check ${check} still runs and has taken the files of ${inWords(runs, MOST_NAMED)} along, so this stop was allowed without them. They are put back when it has ended.`,
  );
}

function killed(check: string, runs: readonly string[], next: string): string {
  const names = inWords(runs, MOST_NAMED);
  return plainText(
    `Holdfast: whatever ran the check ${check} was killed, and the check had taken the files of ${names} along: nothing holds this session by that any more, and the check counts for nothing. To go on, ${next}.`,
  );
}

function begins(runs: readonly string[], registry: readonly RegistryEntry[]): string {
  const skills = registry
    .filter(({ name }) => runs.some((run) => run.startsWith(`${name}:`)))
    .map(({ name, begin }) => `/${name}:${begin}`);
  return inWords(skills, MOST_NAMED);
}

const adopts = (runs: readonly string[], cli: string): string =>
  inWords(
    runs.map((run) => `\`${cli} adopt ${run}\``),
    MOST_NAMED,
  );
