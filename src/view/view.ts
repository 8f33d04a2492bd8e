// A view over the projects: opened once, refreshed with what was added since, and asked for the model. It reads what the
// hook writes anyway and writes nothing.

import type { Environment } from '../store/environment.ts';
import type { Position } from '../store/journal-forward.ts';
import type { EventView, StopView, ViewModel } from './model.ts';

export type ViewWanted = {
  /** Real paths of folders; `all`: every project that a hook has noted (store/projects.ts). */
  roots: readonly string[] | 'all';
  env: Environment;
  /** Milliseconds; tests bring their own. */
  clock?: () => number;
  /** How many bytes of each journal are read back at first; left out: as much as keeps opening quick. */
  back?: number;
};

export type View = {
  /** What was read last: the same object for as long as nothing has changed. */
  model(): ViewModel;
  /**
   * Reads what was added since. True: the model is another one now. Cheap where nothing happened: files are looked at,
   * none is read.
   */
  refresh(): Promise<boolean>;
  /** Older lines, the newest first. `project`: its id. */
  older(project: string, wanted: OlderWanted): Promise<OlderPage>;
  /** The journal's line behind a mark, as it stands there; null: it is gone. */
  raw(project: string, position: Position): string | null;
};

export type OlderWanted = {
  /** Only lines before it; null: from the newest on. */
  before: Position | null;
  /** Of this run alone, by its name; null: of all. */
  run: string | null;
  /** No more than so many; at most 1,000. */
  most: number;
};

export type OlderPage = {
  stops: readonly (StopView & { run: string | null })[];
  events: readonly (EventView & { run: string | null })[];
  /** Where the next page begins; null: there is nothing older. */
  next: Position | null;
};
