// One project, read again and again: of its journal only what was added, and of everything else only when something
// there has changed.

import path from 'node:path';
import type { Project } from '../engine/project.ts';
import type { WorkflowCli } from '../engine/workflow-cli.ts';
import { fingerprint } from '../store/fingerprint.ts';
import { type Cursor, cursorBack, journalFrom } from '../store/journal-forward.ts';
import type { JournalEntry } from '../store/journal-lines.ts';
import { type Position, segmentsOf } from '../store/journal-segments.ts';
import { type Looked, readLooked } from '../store/looked.ts';
import type { Trouble } from '../store/trouble.ts';
import { registry } from '../workflows/registry.ts';
import { markOf, stampOf } from './mark.ts';
import type { ProjectView, RunView } from './model.ts';
import { addLine, newHistory, type RunHistory } from './run-history.ts';
import { isBad, RUN_STATES } from './run-state.ts';
import { type RunSource, runView } from './run-view.ts';
import { allRuns, type KnownRun } from './runs.ts';
import { troublesIn } from './troubles.ts';

export const MOST_RUNS = 200;
const DAY_MS = 24 * 60 * 60 * 1000;

export class ProjectReader {
  readonly root: string;
  readonly id: string;
  /** How many bytes of the journal are read back when it is opened. */
  readonly #back: number;
  #cursor: Cursor | null = null;
  #readBackTo: Position | null = null;
  #histories = new Map<string, RunHistory>();
  #known: readonly KnownRun[] = [];
  readonly #over = new Map<string, { stamp: string; view: RunView }>();
  #mark = '';

  constructor(root: string, back: number) {
    this.root = root;
    this.id = fingerprint(root).slice(0, 12);
    this.#back = back;
  }

  /** Null: nothing has changed since. */
  async read(project: Project): Promise<ProjectView | null> {
    const before = this.#known;
    const mark = markOf(project, before);
    if (mark === this.#mark) return null;
    this.#known = await allRuns(project);
    // What was written meanwhile, and what is written from here on, shows at the next look.
    const after = markOf(project, before) === mark ? markOf(project, this.#known) : '';
    this.#readJournal();
    const clis = await workflowClis();
    const runs = this.#sources().map((source) =>
      this.#seen(project, { ...source, cli: clis.get(source.history.workflow) ?? null }),
    );
    const looked = readLooked(this.root, project.env);
    const sorted = runs.map((run) => withLook(run, looked, project.now)).sort(byStatus);
    const view = {
      ...{ id: this.id, root: this.root, name: path.basename(this.root) },
      runs: sorted.slice(0, MOST_RUNS),
      leftOut: Math.max(0, sorted.length - MOST_RUNS),
      troubles: await troublesQuietly(project),
      readBackTo: this.#readBackTo,
    };
    this.#mark = after;
    return view;
  }

  /** A run that is over is looked at again only when its state or its journal has changed: there may be hundreds. */
  #seen(project: Project, source: RunSource): RunView {
    const { known, history } = source;
    const name = `${history.workflow}:${history.run}`;
    const file = known?.file;
    const stamp = [
      ...(file === undefined ? [] : [stampOf(file), stampOf(path.dirname(file))]),
      ...[known?.stage, history.movedAt, history.counts.stops, history.events.length],
      Math.floor(project.now / DAY_MS),
    ].join(' ');
    const before = this.#over.get(name);
    if (known?.live !== true && before?.stamp === stamp) return before.view;
    const view = runView(project, this.id, source);
    if (view.live) this.#over.delete(name);
    else this.#over.set(name, { stamp, view });
    return view;
  }

  #readJournal(): void {
    if (this.#cursor === null) {
      this.#cursor = cursorBack(this.root, this.#back);
      const { segment, offset } = this.#cursor;
      const isAll = offset === 0 && segment === segmentsOf(this.root)[0];
      this.#readBackTo = isAll ? null : { segment, offset };
    }
    for (const { entry, position, next } of journalFrom(this.root, this.#cursor)) {
      this.#cursor = next;
      if (entry !== null) this.#add(entry, position);
    }
  }

  #add(entry: JournalEntry, position: Position): void {
    const { workflow, run } = entry;
    const at = Date.parse(entry.time);
    if (workflow === null || run === null || Number.isNaN(at)) return;
    const name = `${workflow}:${run}`;
    const history = this.#histories.get(name) ?? newHistory(workflow, run);
    // Moved to the end, so that the first one is the one that nothing happened to for longest.
    this.#histories.delete(name);
    this.#histories.set(name, history);
    addLine(history, entry, position, at);
    const [oldest] = this.#histories.keys();
    if (this.#histories.size > MOST_RUNS * 2 && oldest !== undefined) this.#histories.delete(oldest);
  }

  #sources(): Omit<RunSource, 'cli'>[] {
    const files = this.#known.map((known) => ({
      known,
      replaced: false,
      history: this.#histories.get(known.name) ?? newHistory(known.workflow.name, known.run),
    }));
    const names = new Set(this.#known.map(({ name }) => name));
    const gone = [...this.#histories].filter(([name]) => !names.has(name));
    const replacing = new Set(
      this.#known.flatMap(({ cli, workflow }) => (cli.keepsOne ? workflow.name : [])),
    );
    return [
      ...files,
      ...gone.map(([, history]) => ({ known: null, history, replaced: replacing.has(history.workflow) })),
    ];
  }
}

const WEEK_MS = 7 * DAY_MS;

function withLook(run: RunView, { dismissed, seen }: Looked, now: number): RunView {
  const { name, end, movedAt } = run;
  const at = movedAt ?? 0;
  const since = (times: Looked['seen']): boolean => Object.hasOwn(times, name) && (times[name] ?? 0) >= at;
  const isDismissed = end !== null && since(dismissed);
  const isNews = end !== null && isBad(end) && now - at < WEEK_MS && !isDismissed && !since(seen);
  return isDismissed || isNews ? { ...run, dismissed: isDismissed, unseen: isNews } : run;
}

/** All runs of a project as they stand now. */
export async function viewsIn(project: Project): Promise<readonly RunView[]> {
  return (await new ProjectReader(project.root, READ_ONCE).read(project))?.runs ?? [];
}

const READ_ONCE = 8 * 1024 * 1024;

function byStatus(one: RunView, other: RunView): number {
  const order = RUN_STATES.indexOf(one.status) - RUN_STATES.indexOf(other.status);
  return order || (other.movedAt ?? 0) - (one.movedAt ?? 0);
}

async function workflowClis(): Promise<ReadonlyMap<string, WorkflowCli>> {
  return new Map(await Promise.all(registry.map(async (entry) => [entry.name, await entry.cli()] as const)));
}

async function troublesQuietly(project: Project): Promise<readonly Trouble[]> {
  try {
    return await troublesIn(project);
  } catch {
    return [];
  }
}
