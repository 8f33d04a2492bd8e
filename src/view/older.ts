// A page of what is older in a project's journal, the newest first.

import type { WorkflowCli } from '../engine/workflow-cli.ts';
import { journalBefore } from '../store/journal-backward.ts';
import type { JournalEntry } from '../store/journal-lines.ts';
import type { Position } from '../store/journal-segments.ts';
import { registry } from '../workflows/registry.ts';
import { describeEvent } from './describe-event.ts';
import { nameOf } from './history.ts';
import { stopView } from './stop-view.ts';
import type { OlderPage, OlderWanted } from './view.ts';

const MOST = 1000;
/** Lines that are about other runs, at most, before a page ends where it is. */
const MOST_READ = 50_000;

export async function olderPage(root: string, { before, run, most }: OlderWanted): Promise<OlderPage> {
  const stops: OlderPage['stops'][number][] = [];
  const events: OlderPage['events'][number][] = [];
  let next: Position | null = null;
  let read = 0;
  for (const { entry, position } of journalBefore(root, before)) {
    if (stops.length + events.length >= Math.min(most, MOST) || read >= MOST_READ)
      return { stops, events, next };
    next = position;
    read += 1;
    const at = entry === null ? Number.NaN : Date.parse(entry.time);
    if (entry === null || Number.isNaN(at)) continue;
    const name = nameOf(entry);
    if (run !== null && name !== run) continue;
    if (entry.event === 'stop')
      stops.push({ ...stopView({ entry, position, at }, await cliOf(entry)), run: name });
    else events.push({ position, at, event: entry.event, text: describeEvent(entry), run: name });
  }
  return { stops, events, next: null };
}

async function cliOf({ workflow }: JournalEntry): Promise<WorkflowCli | null> {
  return (await registry.find(({ name }) => name === workflow)?.cli()) ?? null;
}
