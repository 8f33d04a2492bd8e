// One project, read again and again: of its journal only what was added, and of everything else only when something
// there has changed.

import path from 'node:path';
import type { Project } from '../engine/project.ts';
import type { WorkflowCli } from '../engine/workflow-cli.ts';
import { fingerprint } from '../store/fingerprint.ts';
import { type Cursor, cursorBack, journalFrom } from '../store/journal-forward.ts';
import type { JournalEntry } from '../store/journal-lines.ts';
import { type Position, segmentsOf } from '../store/journal-segments.ts';
import type { Trouble } from '../store/trouble.ts';
import { registry } from '../workflows/registry.ts';
import { markOf } from './mark.ts';
import { type ProjectView, RANKS, type RunView } from './model.ts';
import { addLine, newHistory, type RunHistory } from './run-history.ts';
import { runView } from './run-view.ts';
import { allRuns, type KnownRun } from './runs.ts';
import { troublesIn } from './troubles.ts';

export const MOST_RUNS = 200;

export class ProjectReader {
  readonly root: string;
  readonly id: string;
  /** How many bytes of the journal are read back when it is opened. */
  readonly #back: number;
  #cursor: Cursor | null = null;
  #readBackTo: Position | null = null;
  #histories = new Map<string, RunHistory>();
  #known: readonly KnownRun[] = [];
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
    const runs = this.#sources().map(({ known, history }) =>
      runView(project, this.id, { known, history, cli: clis.get(history.workflow) ?? null }),
    );
    const sorted = runs.sort(byRank);
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

  #sources(): { known: KnownRun | null; history: RunHistory }[] {
    const files = this.#known.map((known) => ({
      known,
      history: this.#histories.get(known.name) ?? newHistory(known.workflow.name, known.run),
    }));
    const names = new Set(this.#known.map(({ name }) => name));
    const gone = [...this.#histories].filter(([name]) => !names.has(name));
    return [...files, ...gone.map(([, history]) => ({ known: null, history }))];
  }
}

function byRank(one: RunView, other: RunView): number {
  return RANKS.indexOf(one.rank) - RANKS.indexOf(other.rank) || (other.movedAt ?? 0) - (one.movedAt ?? 0);
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
