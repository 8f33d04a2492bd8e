// What the views are given to show: the one model of `src/view`, and the two things they may do. The model lies in the
// plugin; the views have the libraries, and lie outside of it. An `id` is of an overview; null answers: there is no such
// run, file or line (any more).

import type { Position } from '../store/journal-forward.ts';
import type { FileText, OlderStops, Overview, RunPage } from './shown.ts';

export type Source = {
  version: string;
  /** All runs of all projects that are shown. */
  overview(): Overview;
  run(id: string): Promise<RunPage | null>;
  /** A file that the run's own list has. */
  file(id: string, name: string): Promise<FileText | null>;
  /** The journal's line behind a mark. */
  line(id: string, position: Position): Promise<string | null>;
  older(id: string, before: Position): Promise<OlderStops | null>;
  /** Calls `changed` after something was written, at most twice a second; answers with how to end it. */
  watch(changed: () => void): () => void;
  /** Ends a run; answers with what to show. */
  cancel(id: string): Promise<string>;
  /** Puts a run that has ended out of sight, for this user alone; null: all of them. Answers with what to show. */
  dismiss(id: string | null): Promise<string>;
};
