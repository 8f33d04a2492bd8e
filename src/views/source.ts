// What the views are given to show: the one model of `src/view`, and the one thing they may do. The model lies in the
// plugin; the views have the libraries, and lie outside of it.

import type { Overview, RunPage } from './shown.ts';

export type Source = {
  version: string;
  /** All runs of all projects that are shown. */
  overview(): Promise<Overview>;
  /** Null: there is no such run (any more). `id` is of an overview. */
  run(id: string): Promise<RunPage | null>;
  /** A file of a run, by its place in the run's list; null: not there, or not in the list. */
  file(id: string, place: number): Promise<string | null>;
  /** The journal's line behind a mark. */
  line(id: string, mark: string): Promise<string | null>;
  /** Calls `changed` after something was written, at most twice a second; answers with how to end it. */
  watch(changed: () => void): () => void;
  /** Ends a run; answers with what to show. */
  cancel(id: string): Promise<string>;
};
